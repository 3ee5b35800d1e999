// A stale view is read at ARENA_DEBUG 3, where a reset gives all chunks back to the hooks, here to
// hooks that never hand out an address twice: the read faults, no sanitizer needed.
// flags: -DARENA_DEBUG=3
// catch fault: signal
#define _DEFAULT_SOURCE
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include <stdlib.h>
#include <sys/mman.h>

static void *take(void *ctx, size_t bytes, size_t align)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)ctx;
    (void)align;
    return p == MAP_FAILED ? NULL : p;
}

/* The pages stay reserved, so that nothing else ever gets their addresses. */
static void give(void *ctx, void *p, size_t bytes, size_t align)
{
    (void)ctx;
    (void)align;
    if (mprotect(p, bytes, PROT_NONE) != 0) abort();
}

int main(void)
{
    arena_hooks_t hooks;
    arena_options_t options;
    arena_t a;
    const char *view;
    int sum;
    hooks.alloc = take;
    hooks.free = give;
    hooks.ctx = NULL;
    memset(&options, 0, sizeof options);
    options.hooks = &hooks;
    if (arena_init(&a, &options) != ARENA_OK) return 1;
    view = arena_append(&a, "0123456789abcdef", 16);
    sum = view[0];
    arena_reset(&a);
    arena_append(&a, "0123456789abcdef", 16);
#ifdef PLANTED
    sum += view[0];
#endif
    arena_release(&a);
    return sum == 0;
}
