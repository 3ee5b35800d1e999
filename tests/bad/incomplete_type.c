// An element type of which only the name is known.
// expect: incomplete type
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
#ifdef GOOD
struct sample {
    int value;
};
#endif
struct sample;
ARENA_DEFINE(samples, struct sample);
