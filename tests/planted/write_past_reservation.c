// One byte too many is written behind a reservation.
// catch asan: use-after-poison
// catch valgrind: Invalid write
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

int main(void)
{
    arena_t a = arena_make(0);
    char *p = arena_reserve(&a, 24);
    p[23] = 1;
#ifdef PLANTED
    p[24] = 1;
#endif
    arena_release(&a);
    return 0;
}
