// A branch on a byte of a reservation that nobody filled, in a chunk that was filled before.
// catch msan: use-of-uninitialized-value
// catch valgrind: uninitialised value
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

int main(void)
{
    arena_t a = arena_make(0);
    char *p = arena_reserve(&a, 64);
    memset(p, 1, 64);
    arena_reset(&a);
    p = arena_reserve(&a, 64);
#ifndef PLANTED
    memset(p, 1, 64);
#endif
    if (p[40] == 1) arena_append(&a, "one", 3);
    arena_release(&a);
    return 0;
}
