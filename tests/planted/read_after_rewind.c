// A view is read after the rewind past it; the one stored before the mark stays good.
// catch asan: use-after-poison
// catch valgrind: Invalid read
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

int main(void)
{
    arena_t a = arena_make(0);
    const char *before = arena_append(&a, "0123456789abcdef", 16);
    arena_mark_t mark = arena_mark(&a);
    const char *after = arena_append(&a, "ABCDEFGHIJKLMNOP", 16);
    int sum = after[8];
    if (!arena_rewind(&a, mark)) return 1;
    sum += before[8];
#ifdef PLANTED
    sum += after[8];
#endif
    arena_release(&a);
    return sum == 0;
}
