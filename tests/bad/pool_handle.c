// The handle of another pool's family.
// expect: incompatible type
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
ARENA_POOL_DEFINE(apples, int);
ARENA_POOL_DEFINE(pears, int);

arena_status_t drop(apples_t *p, apples_handle_t good, pears_handle_t bad);
arena_status_t drop(apples_t *p, apples_handle_t good, pears_handle_t bad)
{
    (void)good;
    (void)bad;
#ifdef GOOD
    return apples_free(p, good);
#else
    return apples_free(p, bad);
#endif
}
