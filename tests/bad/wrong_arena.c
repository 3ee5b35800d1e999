// The arena of another family: a mistake in one argument of one call.
// expect: incompatible[ -]pointer type
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
ARENA_DEFINE(apples, int);
ARENA_DEFINE(pears, int);

const int *store(apples_t *a, pears_t *p, int n);
const int *store(apples_t *a, pears_t *p, int n)
{
#ifdef GOOD
    (void)p;
    return apples_append(a, &n, 1);
#else
    (void)a;
    return apples_append(p, &n, 1);
#endif
}
