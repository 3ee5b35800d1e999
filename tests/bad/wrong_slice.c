// A slice of another family.
// expect: incompatible[ -]pointer type
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
ARENA_DEFINE(apples, int);
ARENA_DEFINE(pears, int);

bool put(apples_t *a, apples_slice_t *good, pears_slice_t *bad);
bool put(apples_t *a, apples_slice_t *good, pears_slice_t *bad)
{
    (void)good;
    (void)bad;
#ifdef GOOD
    return apples_push(a, good, 1);
#else
    return apples_push(a, bad, 1);
#endif
}
