// An element type that is not declared at all: one error.
// expect: unknown type name|undeclared
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
#ifdef GOOD
typedef struct measurement {
    int value;
} measurement_t;
#endif
ARENA_DEFINE(samples, measurement_t);
