/* What a freestanding user does with arena.h: an arena on a fixed buffer, and one on hooks. */
ARENA_DEFINE(free_ints, int);

static union {
    long long aligned;
    char bytes[4096];
} no_stdlib_heap;
static size_t no_stdlib_used;

static void *no_stdlib_alloc(void *ctx, size_t bytes, size_t align)
{
    size_t at = (no_stdlib_used + align - 1) & ~(align - 1);
    (void)ctx;
    if (at > sizeof no_stdlib_heap.bytes || bytes > sizeof no_stdlib_heap.bytes - at) return NULL;
    no_stdlib_used = at + bytes;
    return no_stdlib_heap.bytes + at;
}

static void no_stdlib_free(void *ctx, void *p, size_t bytes, size_t align)
{
    (void)ctx;
    (void)p;
    (void)bytes;
    (void)align;
}

int no_stdlib_run(void);

int no_stdlib_run(void)
{
    static char buffer[512];
    static const char text[4] = {'t', 'e', 'x', 't'};
    arena_hooks_t hooks;
    arena_options_t options = {0};
    arena_t a;
    free_ints_t ints;
    int seven = 7;
    int right;
    hooks.alloc = no_stdlib_alloc;
    hooks.free = no_stdlib_free;
    hooks.ctx = NULL;
    options.buffer = buffer;
    options.buffer_bytes = sizeof buffer;
    options.fixed = true;
    if (arena_init(&a, &options) != ARENA_OK) return 1;
    options.buffer = NULL;
    options.buffer_bytes = 0;
    options.fixed = false;
    options.hooks = &hooks;
    options.chunk_bytes = 256;
    if (free_ints_init(&ints, &options) != ARENA_OK) return 1;
    right = arena_value(&a, arena_ref(&a, text, 4)).len == 4 &&
            free_ints_value(&ints, free_ints_ref(&ints, &seven, 1)).data[0] == 7;
    arena_release(&a);
    free_ints_release(&ints);
    return right ? 0 : 1;
}
