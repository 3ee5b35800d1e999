// A misspelt element type near the right one: one error. Clang adds its proposal.
// expect: unknown type name|did you mean|undeclared
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
struct sample {
    int value;
};
typedef struct sample sample_t;
#ifdef GOOD
ARENA_DEFINE(samples, sample_t);
#else
ARENA_DEFINE(samples, smaple_t);
#endif
