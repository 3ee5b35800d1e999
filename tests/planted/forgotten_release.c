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
    return found;
}

int main(void) { return use() == 0; }
