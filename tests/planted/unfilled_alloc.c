// A branch on a byte of arena_alloc that nobody filled.
// catch msan: use-of-uninitialized-value
// catch valgrind: uninitialised value
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

int main(void)
{
    arena_t a = arena_make(0);
    int *p = (int *)arena_alloc(&a, sizeof *p, 4);
#ifndef PLANTED
    *p = 1;
#endif
    if (*p == 1) arena_append(&a, "one", 3);
    arena_release(&a);
    return 0;
}
