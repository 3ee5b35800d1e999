// A misspelt element type of a span pool.
// expect: unknown type name|did you mean|undeclared
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
typedef struct sample {
    int value;
} sample_t;
#ifdef GOOD
ARENA_POOL_DEFINE(samples, sample_t);
#else
ARENA_POOL_DEFINE(samples, smaple_t);
#endif
