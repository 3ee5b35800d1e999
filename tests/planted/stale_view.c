// A stale view is read in the mode that never uses an address again: it faults, no sanitizer needed.
// flags: -DARENA_DEBUG=3
// catch fault: signal
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

int main(void)
{
    arena_t a = arena_make(0);
    const char *view = arena_append(&a, "0123456789abcdef", 16);
    int sum = view[0];
    arena_reset(&a);
    arena_append(&a, "0123456789abcdef", 16);
#ifdef PLANTED
    sum += view[0];
#endif
    arena_release(&a);
    return sum == 0;
}
