// An arena is forgotten without its release.
// catch asan: LeakSanitizer
// catch valgrind: definitely lost
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

static int use(void)
{
    arena_t a = arena_make(0);
    int found = arena_append(&a, "0123456789abcdef", 16) != NULL;
#ifndef PLANTED
    arena_release(&a);
#endif
    /* Nothing may be left on the stack that still points there. */
    memset(&a, 0, sizeof a);
    if (arena_current() == &a) return 0;
    return found;
}

int main(void) { return use() == 0; }
