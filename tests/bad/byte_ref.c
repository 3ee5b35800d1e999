// A Ref of a typed family where one of the byte arena belongs.
// expect: incompatible type
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
ARENA_DEFINE(numbers, int);

const char *text(arena_t *a, arena_ref_t good, numbers_ref_t bad);
const char *text(arena_t *a, arena_ref_t good, numbers_ref_t bad)
{
    (void)good;
    (void)bad;
#ifdef GOOD
    return arena_str(a, good);
#else
    return arena_str(a, bad);
#endif
}
