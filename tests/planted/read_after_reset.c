// A view is read after the reset that ended its batch.
// catch asan: use-after-poison
// catch valgrind: Invalid read
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

int main(void)
{
    arena_t a = arena_make(0);
    const char *view = arena_append(&a, "0123456789abcdef", 16);
    int sum = view[3];
    arena_reset(&a);
#ifdef PLANTED
    sum += view[3];
#endif
    arena_release(&a);
    return sum == 0;
}
