// Values are read-only once stored: a view does not hand out a pointer that may be written through.
// expect: read-only|const-qualified|not assignable|discard
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
ARENA_DEFINE(numbers, int);

int change(const numbers_t *a, numbers_ref_t r);
int change(const numbers_t *a, numbers_ref_t r)
{
#ifdef GOOD
    return numbers_value(a, r).data[0];
#else
    return numbers_value(a, r).data[0] = 1;
#endif
}
