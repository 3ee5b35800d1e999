// An int is stored in memory that was asked for with alignment 1 behind a single byte.
// catch ubsan: misaligned address
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

int main(void)
{
    arena_t a = arena_make(0);
    int *p;
    arena_append(&a, "x", 1);
#ifdef PLANTED
    p = (int *)arena_alloc(&a, sizeof *p, 1);
#else
    p = (int *)arena_alloc(&a, sizeof *p, sizeof *p);
#endif
    *p = 7;
    arena_release(&a);
    return 0;
}
