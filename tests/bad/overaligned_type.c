// A typedef of fewer bytes than it is aligned to: there are no arrays of it.
// expect: less_than_its_alignment
// max-lines: 16
// max-errors: 1
#include "../../arena.h"
#ifdef GOOD
typedef struct {
    int value __attribute__((aligned(64)));
} wide;
#else
typedef int wide __attribute__((aligned(64)));
#endif
ARENA_DEFINE(wides, wide);
