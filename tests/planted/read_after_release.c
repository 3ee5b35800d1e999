// A view is read after everything was given back.
// catch asan: heap-use-after-free
// catch valgrind: Invalid read
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

int main(void)
{
    arena_t a = arena_make(0);
    const char *view = arena_append(&a, "0123456789abcdef", 16);
    int sum = view[0];
    arena_release(&a);
#ifdef PLANTED
    sum += view[0];
#endif
    return sum == 0;
}
