/* ARENA_FIXED: every arena lives in its buffer, as one made with `fixed` does, and one without a
 * buffer has no room for anything. */
#define ARENA_FIXED
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include <stdio.h>

struct point { int x, y; };
ARENA_DEFINE(points, struct point);

static int failures;
#define USE(ok) \
    ((ok) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #ok)))

static union { char bytes[256]; double align; } memory, more;

static void *never(void *ctx, size_t bytes, size_t align)
{
    (void)ctx;
    (void)bytes;
    (void)align;
    failures++;                     /* a fixed arena makes no call at all */
    return NULL;
}
static void nothing(void *ctx, void *p, size_t bytes, size_t align)
{
    (void)ctx;
    (void)p;
    (void)bytes;
    (void)align;
    failures++;
}

static void store_and_rewind(arena_t *a)
{
    arena_slice_t s;
    arena_mark_t m;
    arena_ref_t ref;
    char *object;
    size_t i;
    memset(&s, 0, sizeof s);
    ref = arena_ref(a, "value", 5);
    USE(arena_value(a, ref).len == 5);
    USE(strcmp(arena_intern(a, "text"), "text") == 0);
    m = arena_mark(a);
    for (i = 0; i < 100; i++) USE(arena_push(a, &s, (char)i));
    USE(s.data[99] == 99);
    USE(arena_size(a) >= 109);
    USE(arena_append(a, memory.bytes, 256) == NULL);
    USE(arena_status(a) == ARENA_LIMIT);
    arena_clear_status(a);
    USE(arena_rewind(a, m));
    USE(arena_size(a) == 9);
    object = (char *)arena_alloc(a, 16, 16);
    USE(object != NULL && (uintptr_t)object % 16 == 0);
    USE(arena_value(a, ref).len == 5);
    USE(arena_is_valid(a));
    arena_reset(a);
    arena_trim(a, 0);
    USE(arena_value(a, ref).len == 0);
    USE(arena_size(a) == 0 && arena_retained(a) == 255);
    /* One byte is kept for a NUL; full to the last byte. */
    USE(arena_reserve(a, 255) != NULL);
    USE(arena_reserve(a, 1) == NULL);
    USE(arena_status(a) == ARENA_LIMIT && arena_is_valid(a));
    USE(arena_chunk_count(a) == 1);
}

int main(void)
{
    arena_hooks_t hooks;
    arena_options_t options;
    arena_t a, none;
    points_t p;
    struct point at;
    size_t n = 0;
    memset(&options, 0, sizeof options);
    memset(&none, 0, sizeof none);
    at.x = 1;
    at.y = 2;
    hooks.alloc = never;
    hooks.free = nothing;
    hooks.ctx = NULL;
    options.hooks = &hooks;
    options.buffer = memory.bytes;
    options.buffer_bytes = sizeof memory.bytes;
    USE(arena_init(&a, &options) == ARENA_OK);
    store_and_rewind(&a);
    arena_release(&a);
    USE(arena_is_valid(&a));
    arena_clear_status(&a);
    store_and_rewind(&a);
    arena_release(&a);

    options.buffer = more.bytes;
    options.fixed = true;           /* the same */
    USE(points_init(&p, &options) == ARENA_OK);
    while (points_append(&p, &at, 1) != NULL) n++;
    USE(n == 256 / sizeof at && points_status(&p) == ARENA_LIMIT && points_is_valid(&p));
    points_release(&p);

    USE(arena_append(&none, "x", 1) == NULL && arena_status(&none) == ARENA_LIMIT);
    USE(arena_is_valid(&none));
    arena_reset(&none);
    arena_trim(&none, 0);
    arena_release(&none);
    return failures != 0;
}
