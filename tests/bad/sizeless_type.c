// A type of no bytes, which gcc and clang have in C.
// expect: has_no_size
// max-lines: 16
// max-errors: 1
#include "../../arena.h"
struct nothing {
#ifdef GOOD
    int value;
#endif
};
ARENA_DEFINE(nothings, struct nothing);
