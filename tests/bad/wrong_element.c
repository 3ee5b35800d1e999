// A source of another type than the element.
// expect: incompatible[ -]pointer type
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
ARENA_DEFINE(numbers, int);

const int *store(numbers_t *a, int good, double bad);
const int *store(numbers_t *a, int good, double bad)
{
    (void)good;
    (void)bad;
#ifdef GOOD
    return numbers_append(a, &good, 1);
#else
    return numbers_append(a, &bad, 1);
#endif
}
