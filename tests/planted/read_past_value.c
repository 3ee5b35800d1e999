// One byte too many is read behind the last value, inside the chunk.
// catch asan: use-after-poison
// catch valgrind: Invalid read
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

int main(void)
{
    arena_t a = arena_make(0);
    size_t i, n = 16;
    int sum = 0;
    const char *view = arena_append(&a, "0123456789abcdef", 16);
#ifdef PLANTED
    n++;
#endif
    for (i = 0; i < n; i++) sum += view[i];
    arena_release(&a);
    return sum == 0;
}
