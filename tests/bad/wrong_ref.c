// The Ref of another family.
// expect: incompatible type
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
ARENA_DEFINE(apples, int);
ARENA_DEFINE(pears, int);

int first(const apples_t *a, apples_ref_t good, pears_ref_t bad);
int first(const apples_t *a, apples_ref_t good, pears_ref_t bad)
{
    (void)good;
    (void)bad;
#ifdef GOOD
    return apples_value(a, good).data[0];
#else
    return apples_value(a, bad).data[0];
#endif
}
