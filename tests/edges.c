/*
 * Edges of arguments: what callers should not do and some do. Slices and blocks whose fields lie,
 * storage that is not the arena's, options of a group that do not fit, blocks of megabytes used
 * again, and the default allocator for over-aligned elements. It proves of each: a clean status,
 * nothing changed, and the arena valid and usable; and "Over-aligned T (64, 4096) is honoured by
 * every chunk" with malloc behind it.
 */
#include <stdlib.h>

#include "support.h"

struct edges_line {
    uint64_t x[8];
};
ARENA_DEFINE(lines, struct edges_line);
ARENA_SLICE_DEFINE(edges_ints, uint32_t);

#if (defined __GNUC__ || defined __clang__) && !defined __TINYC__
struct edges_wide {
    unsigned char bytes[64] __attribute__((aligned(64)));
};
struct edges_page {
    unsigned char bytes[4096] __attribute__((aligned(4096)));
};
ARENA_DEFINE(wide_lines, struct edges_wide);
ARENA_DEFINE(whole_pages, struct edges_page);
#endif

struct told_error {
    int calls;
    arena_status_t status;
    size_t bytes;
};

static void on_told_error(void *ctx, arena_status_t status, size_t bytes)
{
    struct told_error *e = (struct told_error *)ctx;
    e->calls++;
    e->status = status;
    e->bytes = bytes;
}

TEST(edges, over_aligned_from_malloc)
{
#if (defined __GNUC__ || defined __clang__) && !defined __TINYC__
    wide_lines_t a = {0};
    whole_pages_t b = {0};
    int round, i;
    for (round = 0; round < 3; round++) {
        for (i = 0; i < 50; i++) {
            struct edges_wide *p = wide_lines_reserve(&a, i % 10 == 0 ? 2000 : 30);
            struct edges_page *q = whole_pages_reserve(&b, i % 10 == 0 ? 20 : 3);
            if (!CHECK(p != NULL) || !CHECK(q != NULL)) return;
            CHECK_EQ((uintptr_t)p % 64, 0);
            CHECK_EQ((uintptr_t)q % 4096, 0);
            memset(p, 0x11, sizeof *p);
            memset(q, 0x22, sizeof *q);
        }
        CHECK(wide_lines_is_valid(&a));
        CHECK(whole_pages_is_valid(&b));
        if (round == 1) {
            wide_lines_release(&a);
            whole_pages_release(&b);
        } else {
            wide_lines_reset(&a);
            whole_pages_reset(&b);
        }
    }
    wide_lines_release(&a);
    whole_pages_release(&b);
    CHECK_EQ(wide_lines_stats(&a).allocated, 0);
#else
    SKIP("this compiler has no over-aligned types");
#endif
}

TEST(edges, default_allocator)
{
    /* The one behind all hooks: every alignment, every size, the sizes that cannot be. */
    size_t align, bytes;
    for (align = 1; align <= 8192; align *= 2) {
        for (bytes = 1; bytes < 300; bytes += 37) {
            char *p = (char *)arena_take_(NULL, bytes, align);
            if (!CHECK(p != NULL)) continue;
            CHECK_EQ((uintptr_t)p % align, 0);
            memset(p, 0x33, bytes);
            arena_give_(NULL, p, bytes, align);
        }
    }
    CHECK(arena_take_(NULL, opaque(SIZE_MAX), 64) == NULL);
    CHECK(arena_take_(NULL, opaque(SIZE_MAX - 64), 64) == NULL);
    CHECK(arena_take_(t->hooks, opaque(SIZE_MAX), 64) == NULL);
    {
        void *p = arena_take_(t->hooks, 10, 64);
        CHECK_EQ(t->mem.allocs, 2);
        CHECK_EQ(t->mem.live_bytes, 10);
        arena_give_(t->hooks, p, 10, 64);
    }
}

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#define EDGES_NO_HUGE 1
#endif
#endif
#else
#define EDGES_NO_HUGE 1
#endif

TEST(edges, default_allocator_has_none)
{
#if defined EDGES_NO_HUGE || SIZE_MAX <= UINT32_MAX
    SKIP("a sanitizer's malloc stops the program, and one of 32 bits may have 2 GiB");
#else
    arena_t a = arena_make(opaque(SIZE_MAX)), b = arena_make(opaque(SIZE_MAX / 2 - 1));
    lines_t c = lines_make(opaque(SIZE_MAX));
    struct edges_line one;
    memset(&one, 0, sizeof one);
    CHECK(arena_take_(NULL, opaque(SIZE_MAX / 2 - 100), 64) == NULL);
    CHECK(arena_take_(NULL, opaque(SIZE_MAX / 2 - 100), 1) == NULL);
    CHECK(arena_append(&a, "x", 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    CHECK(arena_append(&b, "x", 1) == NULL);
    CHECK_EQ(arena_status(&b), ARENA_NO_MEMORY);
    CHECK(lines_append(&c, &one, 1) == NULL);
    CHECK_EQ(lines_status(&c), ARENA_TOO_LARGE);
    CHECK(arena_is_valid(&a));
    CHECK(arena_is_valid(&b));
    CHECK(lines_is_valid(&c));
    CHECK_EQ(arena_stats(&b).allocated, 0);
    arena_release(&a);
    arena_release(&b);
    lines_release(&c);
#endif
}

TEST(edges, padding_of_constant_alignment)
{
    /* The hot path clears padding as one word where it may: alignment and size around that. */
    arena_t a;
    int i;
    start(t, &a, 4096);
    for (i = 0; i < 8; i++) {
        char *p[4];
        uint64_t *q;
        size_t k;
        CHECK(arena_append(&a, "odd", 3) != NULL);
        p[0] = (char *)arena_alloc(&a, 3, 8); /* Smaller than its alignment. */
        if (CHECK(p[0] != NULL)) memset(p[0], 0, 3);
        CHECK(arena_append(&a, "odd", 3) != NULL);
        p[1] = (char *)arena_alloc(&a, 40, 32); /* More alignment than a word. */
        if (CHECK(p[1] != NULL)) memset(p[1], 0, 40);
        CHECK(arena_append(&a, "odd", 3) != NULL);
        p[2] = (char *)arena_alloc(&a, 16, 8);
        if (CHECK(p[2] != NULL)) memset(p[2], 0, 16);
        CHECK(arena_append(&a, "odd", 3) != NULL);
        p[3] = (char *)arena_alloc_zeroed(&a, 5, opaque(4));
        CHECK(arena_append(&a, "odd", 3) != NULL);
        q = ARENA_NEW(&a, uint64_t);
        CHECK_EQ((uintptr_t)p[0] % 8, 0);
        CHECK_EQ((uintptr_t)p[1] % 32, 0);
        CHECK_EQ((uintptr_t)p[2] % 8, 0);
        CHECK_EQ((uintptr_t)p[3] % 4, 0);
        CHECK(q != NULL && *q == 0);
        for (k = 0; k < 3; k++) CHECK_EQ(p[0][k], 0);
        for (k = 0; k < 40; k++) CHECK_EQ(p[1][k], 0);
        for (k = 0; k < 16; k++) CHECK_EQ(p[2][k], 0);
        for (k = 0; k < 5; k++) CHECK_EQ(p[3][k], 0);
        CHECK_EQ(arena_size(&a), (size_t)(i + 1) * (15 + 3 + 40 + 16 + 5 + 8));
        CHECK(arena_is_valid(&a));
    }
    /* Every byte below the tip was written: values, or zeros between them. */
    {
        arena_view_t v = arena_chunk(&a, 0);
        size_t k, odd = 0;
        for (k = 0; k < v.len; k++) odd += v.data[k] != 0;
        CHECK_EQ(odd, 8 * 15);
    }
    arena_release(&a);
}

TEST(edges, padding_is_zero_on_the_cold_path_too)
{
    /* Into a tail and into a new chunk: no byte below a tip is left as the allocator gave it. */
    arena_t a;
    size_t i, k;
    int round;
    start(t, &a, 512);
    for (round = 0; round < 30; round++) {
        size_t bytes = 1 + (size_t)(test_random(t) % 200);
        size_t align = (size_t)1 << test_random(t) % 8;
        char *p = (char *)arena_alloc(&a, bytes, align);
        CHECK_EQ((uintptr_t)p % align, 0);
        if (CHECK(p != NULL)) memset(p, 0x11, bytes);
        if (round % 3 == 0) CHECK(arena_append(&a, "\x11", 1) != NULL);
    }
    for (i = 0; i < arena_chunk_count(&a); i++) {
        arena_view_t v = arena_chunk(&a, i);
        for (k = 0; k < v.len; k++) {
            if (v.data[k] != 0 && v.data[k] != 0x11) break;
        }
        CHECK_EQ(k, v.len);
    }
    CHECK(arena_stats(&a).padding > 0);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(edges, zero_mark_is_nobodys)
{
    /* All bits zero is what a mark that was never taken looks like. */
    arena_t a = {0};
    arena_mark_t zero;
    memset(&zero, 0, sizeof zero);
    CHECK(!arena_rewind(&a, zero));
    CHECK_EQ(arena_status(&a), ARENA_STALE);
    CHECK(arena_append(&a, "abc", 3) != NULL);
    CHECK(!arena_rewind(&a, zero));
    CHECK_EQ(arena_size(&a), 3);
    arena_release(&a);
    CHECK(!arena_rewind(&a, zero));
}

TEST(edges, slices_that_lie)
{
    arena_t a;
    lines_t b;
    arena_options_t o;
    arena_slice_t s, before;
    lines_slice_t l;
    struct edges_line one;
    char foreign[64];
    struct snapshot snapshot;
    const size_t most = SIZE_MAX / 2 - 1;
    memset(&one, 0, sizeof one);
    memset(foreign, 'f', sizeof foreign);
    start(t, &a, 256);
    CHECK(arena_append(&a, "x", 1) != NULL);
    snapshot = snapshot_of(&a);

    s.data = foreign; /* Longer than its room. */
    s.len = 10;
    s.cap = 5;
    before = s;
    CHECK(!arena_push(&a, &s, 'p'));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK(!arena_extend(&a, &s, "p", 1));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK(!arena_extendf(&a, &s, "%d", 1));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK_MEM(&s, &before, sizeof s);
    CHECK_STR(snapshot_difference(&snapshot, &a), "");

    s.data = NULL; /* Room, but nowhere. */
    s.len = s.cap = 5;
    before = s;
    CHECK(!arena_push(&a, &s, 'p'));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK(!arena_extendf(&a, &s, "%d", 1));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK_MEM(&s, &before, sizeof s);
    CHECK_STR(snapshot_difference(&snapshot, &a), "");

    s.data = foreign; /* Full, at lengths that no slice can have. */
    s.len = s.cap = most;
    before = s;
    CHECK(!arena_push(&a, &s, 'p'));
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    arena_clear_status(&a);
    CHECK(!arena_extend(&a, &s, "pp", 2));
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    arena_clear_status(&a);
    CHECK(!arena_extend(&a, &s, (const char *)opaque_source("p"), opaque(SIZE_MAX)));
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    arena_clear_status(&a);
    CHECK(!arena_extendf(&a, &s, "%d", 1));
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    arena_clear_status(&a);
    CHECK(!arena_extendf(&a, &s, "%0*d", 500, 1)); /* More than the room at the tip. */
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    arena_clear_status(&a);
    s.len = s.cap = most / 2 + 10; /* Twice that is no size, but more is. */
    before = s;
    arena_set_limit(&a, 100000);
    CHECK(!arena_push(&a, &s, 'p'));
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    arena_clear_status(&a);
    CHECK(!arena_extendf(&a, &s, "%0*d", 500, 1));
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    arena_clear_status(&a);
    CHECK_MEM(&s, &before, sizeof s);
    arena_release(&a);

    start(t, &a, 256); /* The last length that text can come to, where no table is needed. */
    arena_set_limit(&a, 100000);
    s.len = s.cap = most - 501;
    CHECK(!arena_extendf(&a, &s, "%0*d", 500, 1));
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    arena_clear_status(&a);
    s.len = s.cap = most - 500;
    CHECK(!arena_extendf(&a, &s, "%0*d", 500, 1));
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    CHECK_EQ(arena_size(&a), 0);
    arena_release(&a);

    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    CHECK_EQ(lines_init(&b, &o), ARENA_OK);
    CHECK(lines_append(&b, &one, 1) != NULL);
    l.data = &one; /* Room of more bytes than there are. */
    l.len = 1;
    l.cap = SIZE_MAX / sizeof one + 5;
    lines_shrink(&b, &l);
    CHECK_EQ(l.cap, SIZE_MAX / sizeof one + 5);
    CHECK_EQ(lines_size(&b), sizeof one);
    CHECK(lines_is_valid(&b));
    lines_release(&b);
}

TEST(edges, slice_of_nothing_shrinks_to_nothing)
{
    arena_t a;
    arena_slice_t s = {NULL, 0, 5}; /* Room that is nowhere. */
    start(t, &a, 256);
    CHECK(arena_append(&a, "x", 1) != NULL);
    arena_shrink(&a, &s);
    CHECK(s.data == NULL);
    CHECK_EQ(s.cap, 5);
    s.cap = 0;
    arena_shrink(&a, &s);
    CHECK_EQ(s.cap, 0);
    CHECK_EQ(arena_size(&a), 1);
    arena_release(&a);
}

struct edges_long {
    uint64_t x[13];
};
ARENA_SLICE_DEFINE(edges_longs, struct edges_long);

TEST(edges, slices_of_long_elements)
{
    /* Elements of 104 bytes, two slices growing in turn, so that each moves. */
    arena_t a;
    edges_longs_slice_t s[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    struct edges_long e;
    size_t i, k;
    start(t, &a, 4096);
    memset(&e, 0, sizeof e);
    for (i = 0; i < 200; i++) {
        e.x[0] = i;
        e.x[12] = i * i;
        CHECK(edges_longs_push(&a, &s[i % 2], e));
    }
    for (k = 0; k < 2; k++) {
        CHECK_EQ(s[k].len, 100);
        for (i = 0; i < 100; i++) {
            CHECK_EQ(s[k].data[i].x[0], 2 * i + k);
            CHECK_EQ(s[k].data[i].x[12], (2 * i + k) * (2 * i + k));
        }
    }
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(edges, builder_that_cannot_grow)
{
    /* The text fits the tip, what it is to be added to does not fit anywhere: one failure, told
     * once. */
    arena_t a;
    arena_slice_t s, before;
    struct snapshot snapshot;
    arena_options_t o;
    struct told_error e = {0, ARENA_OK, 0};
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 256;
    o.hooks = t->hooks;
    o.on_error = on_told_error;
    o.on_error_ctx = &e;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    s = arena_slice(&a, 100, 100);
    CHECK(arena_append(&a, "|", 1) != NULL);
    snapshot = snapshot_of(&a);
    before = s;
    arena_set_limit(&a, 1);
    CHECK(!arena_extendf(&a, &s, "%0*d", 60, 1));
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK_EQ(e.calls, 1);
    CHECK_MEM(&s, &before, sizeof s);
    CHECK_STR(snapshot_difference(&snapshot, &a), "");
    CHECK(!arena_extendf(&a, &s, "%0*d", 600, 1)); /* Nor does this fit the tip. */
    CHECK_EQ(e.calls, 2);
    CHECK_MEM(&s, &before, sizeof s);
    CHECK_STR(snapshot_difference(&snapshot, &a), "");
    arena_set_limit(&a, 0);
    CHECK(arena_extendf(&a, &s, "%0*d", 60, 1));
    CHECK_EQ(s.len, 160);
    CHECK_EQ(s.data[159], '1');
    CHECK_EQ(s.data[99], 0);
    /* A slice with room takes more without growing. */
    CHECK(s.cap > s.len + 3);
    CHECK(arena_extend(&a, &s, "abc", 3));
    CHECK_MEM(s.data + 160, "abc", 3);
    arena_release(&a);
}

TEST(edges, group_limit_near_the_largest_size)
{
    /* White box: what a group holds is near SIZE_MAX; a lane's next chunk is refused. */
    arena_group_t g;
    arena_t a = {0};
    arena_options_t o;
    size_t allocated;
#ifdef ARENA_NO_ATOMICS
    SKIP("built without atomics");
#endif
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    CHECK_EQ(arena_group_init(&g, &o, 10), ARENA_OK);
    CHECK_EQ(arena_join(&a, &g), ARENA_OK);
    allocated = g.allocated;
    g.allocated = SIZE_MAX - 10;
    CHECK(arena_append(&a, "x", 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK_EQ(g.allocated, SIZE_MAX - 10);
    arena_clear_status(&a);
    g.allocated = SIZE_MAX - ARENA_CHUNK_BYTES; /* Beside the chunk there is its spare byte. */
    CHECK(arena_append(&a, "x", 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    arena_clear_status(&a);
    g.allocated--;
    t->mem.fail_at = 1;
    CHECK(arena_append(&a, "x", 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    CHECK_EQ(g.allocated, SIZE_MAX - ARENA_CHUNK_BYTES - 1);
    g.allocated = allocated;
    CHECK(arena_append(&a, "x", 1) != NULL);
    arena_release(&a);
    CHECK_EQ(g.allocated, allocated);
    arena_group_release(&g);
}

TEST(edges, slices_of_an_unused_arena)
{
    /* A slice of another arena, given to one that never stored anything. */
    arena_t a, b = {0};
    edges_ints_slice_t s = {NULL, 0, 0};
    uint32_t i;
    start(t, &a, 256);
    for (i = 0; i < 10; i++) CHECK(edges_ints_push(&a, &s, i));
    CHECK(s.cap > s.len);
    i = (uint32_t)s.cap;
    edges_ints_shrink(&b, &s);
    CHECK_EQ(s.cap, i);
    CHECK_EQ(arena_stats(&b).allocated, 0);
    CHECK(arena_is_valid(&b));
    /* Growing there copies it; the other arena keeps what it has. */
    CHECK(arena_realloc(&b, s.data, 40, 20, 1) == s.data);
    CHECK(arena_realloc(&b, s.data, 40, 0, 1) == NULL);
    CHECK_EQ(arena_stats(&b).allocated, 0);
    CHECK_EQ(s.data[9], 9);
    arena_release(&a);
    arena_release(&b);
}

TEST(edges, blocks_that_lie)
{
    /* arena_realloc to 0 with a length that runs over the chunk, over what is stored, or over all
     * memory. */
    arena_t a;
    char *p;
    struct snapshot before;
    char foreign[32];
    size_t i;
    start(t, &a, 256);
    p = (char *)arena_alloc(&a, 64, 1);
    if (CHECK(p != NULL)) memset(p, 'b', 64);
    CHECK(arena_append(&a, "behind", 6) != NULL);
    before = snapshot_of(&a);
    for (i = 71; i < 300; i += 57) CHECK(arena_realloc(&a, p, i, 0, 1) == NULL);
    CHECK(arena_realloc(&a, p, opaque(SIZE_MAX), 0, 1) == NULL);
    CHECK(arena_realloc(&a, p + 60, 30, 0, 1) == NULL);
    CHECK(arena_realloc(&a, foreign, sizeof foreign, 0, 1) == NULL);
    CHECK(arena_realloc(&a, NULL, 32, 0, 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK_STR(snapshot_difference(&before, &a), "");
    CHECK(arena_realloc(&a, p, 64, 10, opaque(SIZE_MAX / 2 + 1)) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    arena_clear_status(&a);
    CHECK(arena_realloc(&a, p, 64, 10, 3) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK(arena_realloc(&a, p, 64, 10, 0) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    CHECK_STR(snapshot_difference(&before, &a), "");
    arena_release(&a);
}

TEST(edges, used_again_behind_a_mark)
{
    /* A mark protects what is before it and nothing else: not the first block of a chunk opened
     * after it. */
    arena_t a;
    char *p, *q;
    arena_mark_t m;
    start(t, &a, 256);
    p = (char *)arena_alloc(&a, 100, 1);
    CHECK(arena_append(&a, "|", 1) != NULL);
    m = arena_mark(&a);
    q = (char *)arena_alloc(&a, 200, 1); /* At the beginning of another chunk. */
    CHECK(arena_append(&a, "|", 1) != NULL);
    CHECK(q == arena_chunk(&a, 1).data);
    CHECK(arena_realloc(&a, p, 100, 0, 1) == NULL);
    CHECK(arena_realloc(&a, NULL, 0, 100, 1) != p);
    CHECK(arena_realloc(&a, q, 200, 0, 1) == NULL);
    CHECK(arena_realloc(&a, NULL, 0, 200, 1) == q);
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(arena_size(&a), 101);
    CHECK(arena_is_valid(&a));
    /* Nor does a later mark, once it was rewound past, protect what comes in its place. */
    CHECK(arena_append(&a, "0123456789012345678901234567890123456789", 40) != NULL);
    (void)arena_mark(&a);
    CHECK(arena_rewind(&a, m));
    p = (char *)arena_alloc(&a, 32, 1);
    CHECK(arena_append(&a, "|", 1) != NULL);
    CHECK(p == arena_chunk(&a, 0).data + 101);
    CHECK(arena_realloc(&a, p, 32, 0, 1) == NULL);
    CHECK(arena_realloc(&a, NULL, 0, 32, 1) == p);
    CHECK(arena_rewind(&a, m));
    /* In the next batch the mark is forgotten: the same place is used again. */
    arena_reset(&a);
    p = (char *)arena_alloc(&a, 100, 1);
    CHECK(arena_append(&a, "|", 1) != NULL);
    CHECK(arena_realloc(&a, p, 100, 0, 1) == NULL);
    CHECK(arena_realloc(&a, NULL, 0, 100, 1) == p);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(edges, megabytes_used_again)
{
    /* Blocks from 16 bytes to 64 MiB die and are used again by ones of their size. */
    arena_t a;
    size_t bytes;
    arena_options_t o;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = (size_t)80 << 20;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    for (bytes = 16; bytes <= (size_t)64 << 20; bytes *= 4) {
        char *p = (char *)arena_alloc(&a, bytes, 1);
        size_t size, retained;
        if (!CHECK(p != NULL)) break;
        CHECK(arena_append(&a, "|", 1) != NULL);
        size = arena_size(&a);
        retained = arena_retained(&a);
        CHECK(arena_realloc(&a, p, bytes, 0, 1) == NULL);
        CHECK_EQ(arena_size(&a), size - bytes);
        CHECK(arena_is_valid(&a));
        CHECK(arena_realloc(&a, NULL, 0, bytes, 1) == p);
        CHECK_EQ(arena_size(&a), size);
        CHECK_EQ(arena_retained(&a), retained);
        CHECK(arena_is_valid(&a));
        arena_reset(&a);
    }
    arena_release(&a);
}

TEST(edges, group_options_that_do_not_fit)
{
    arena_group_t g, zero;
    arena_options_t o;
    arena_hooks_t h;
    struct told_error e;
    int which;
    char buffer[16];
#ifdef ARENA_NO_ATOMICS
    SKIP("built without atomics");
#endif
    memset(&zero, 0, sizeof zero);
    for (which = 0; which < 9; which++) {
        static const arena_status_t expected[] = {ARENA_ARGUMENT,  ARENA_ARGUMENT, ARENA_ARGUMENT,
                                                  ARENA_ARGUMENT,  ARENA_ARGUMENT, ARENA_ARGUMENT,
                                                  ARENA_TOO_LARGE, ARENA_LIMIT,    ARENA_NO_MEMORY};
        memset(&o, 0, sizeof o);
        h = *t->hooks;
        o.hooks = &h;
        o.on_error = on_told_error;
        o.on_error_ctx = &e;
        memset(&e, 0, sizeof e);
        if (which == 1) o.buffer = buffer;
        if (which == 2) o.buffer_bytes = 10;
        if (which == 3) o.fixed = true;
        if (which == 4) h.alloc = NULL;
        if (which == 5) h.free = NULL;
        if (which == 6) o.chunk_bytes = SIZE_MAX;
        if (which == 7) o.limit_bytes = 1;
        if (which == 8) t->mem.fail_at = 1;
        memset(&g, 0xEE, sizeof g);
        CHECK_EQ(arena_group_init(&g, &o, which == 0 ? UINT32_MAX : 10), expected[which]);
        CHECK_EQ(e.calls, 1);
        CHECK_EQ(e.status, expected[which]);
        /* The table's bytes where it could not be had; 0 where the arguments are wrong. */
        CHECK_EQ(e.bytes, which < 7 ? 0 : 10 * sizeof(arena_entry_t_) + sizeof(uint32_t));
        CHECK_MEM(&g, &zero, sizeof g);
        t->mem.fail_at = 0;
    }
    CHECK_EQ(t->mem.live_blocks, 0);
    CHECK_EQ(arena_group_init(&g, NULL, 0), ARENA_OK);
    {
        arena_t lane = {0};
        CHECK_EQ(arena_join(&lane, &g), ARENA_OK);
        CHECK_STR(arena_intern(&lane, "lane"), "lane");
        arena_release(&lane);
    }
    arena_group_release(&g);
    arena_group_release(&g);
    memset(&o, 0, sizeof o); /* Options without hooks. */
    CHECK_EQ(arena_group_init(&g, &o, 3), ARENA_OK);
    arena_group_release(&g);
    o.chunk_bytes = SIZE_MAX / 2; /* With the spare byte it is one too many. */
    CHECK_EQ(arena_group_init(&g, &o, 3), ARENA_TOO_LARGE);
    o.chunk_bytes--;
    CHECK_EQ(arena_group_init(&g, &o, 3), ARENA_OK);
    arena_group_release(&g);
}

struct edges_octets {
    char c[8];
};
struct edges_aligned {
    char c;
    uint64_t x;
};
ARENA_DEFINE(octet_lines, struct edges_octets);
ARENA_DEFINE(word_lines, uint64_t);
ARENA_DEFINE(plain_bytes, char);

TEST(edges, lanes_of_another_shape)
{
    /* The same size with another alignment; the same size and alignment without the spare byte. */
    arena_group_t g, none;
    arena_t a = {0}, on_buffer;
    octet_lines_t octets = {0};
    word_lines_t words = {0};
    plain_bytes_t plain = {0};
    arena_options_t o;
    char buffer[64];
#ifdef ARENA_NO_ATOMICS
    SKIP("built without atomics");
#endif
    memset(&none, 0, sizeof none);
    CHECK_EQ(arena_group_init(&g, NULL, 10), ARENA_OK);
    CHECK_EQ(arena_join(&a, NULL), ARENA_ARGUMENT);
    CHECK_EQ(arena_join(&a, &none), ARENA_ARGUMENT);
    memset(&o, 0, sizeof o);
    o.buffer = buffer;
    o.buffer_bytes = sizeof buffer;
    CHECK_EQ(arena_init(&on_buffer, &o), ARENA_OK);
    CHECK_EQ(arena_join(&on_buffer, &g), ARENA_ARGUMENT);
    arena_release(&on_buffer); /* Or the buffer stays poisoned, as the header says. */
    o.buffer_bytes = 1;        /* A buffer too small to be a chunk. */
    CHECK_EQ(arena_init(&on_buffer, &o), ARENA_OK);
    CHECK_EQ(arena_join(&on_buffer, &g), ARENA_ARGUMENT);
    CHECK_EQ(arena_join(&a, &g), ARENA_OK);
    CHECK_EQ(arena_join(&a, &g), ARENA_ARGUMENT);
    CHECK_EQ(plain_bytes_join(&plain, &g), ARENA_ARGUMENT);
    CHECK_EQ(plain_bytes_status(&plain), ARENA_ARGUMENT);
    arena_release(&a);
    arena_group_release(&g);

    CHECK_EQ(arena_group_init(&g, NULL, 10), ARENA_OK);
    CHECK_EQ(octet_lines_join(&octets, &g), ARENA_OK);
    if (offsetof(struct edges_aligned, x) > 1)
        CHECK_EQ(word_lines_join(&words, &g), ARENA_ARGUMENT);
    CHECK(word_lines_reserve(&words, 1) != NULL); /* Still an arena of its own. */
    CHECK(word_lines_is_valid(&words));
    word_lines_release(&words);
    octet_lines_release(&octets);
    arena_group_release(&g);
}

TEST(edges, scopes_on_nothing_and_very_deep)
{
    arena_t a;
    arena_t *before = arena_current();
    arena_scope_t scopes[100], again;
    size_t i, size;
    start(t, &a, 256);
    /* A scope of no arena: nothing is current inside it. */
    scopes[0] = arena_scope_open(&a);
    scopes[1] = arena_scope_open(NULL);
    CHECK(arena_current() == NULL);
    CHECK(arena_current_malloc(1) == NULL);
    CHECK(arena_scope_close(&scopes[1]));
    CHECK(arena_current() == &a);
    again = scopes[1];
    CHECK(!arena_scope_close(&again));
    again = arena_scope_open(NULL);
    again.serial--; /* One that was closed already, at a depth where another is open now. */
    CHECK(!arena_scope_close(&again));
    again.serial++;
    CHECK(arena_scope_close(&again));
    CHECK(arena_scope_close(&scopes[0]));
    CHECK(arena_current() == before);
    /* Deeper than the scopes that are told apart: closed in order all of them do their work. */
    for (i = 0; i < 100; i++) {
        scopes[i] = arena_scope_open(&a);
        CHECK(arena_append(&a, "deep", 4) != NULL);
    }
    CHECK_EQ(arena_size(&a), 400);
    for (i = 100; i-- > 0;) {
        size = arena_size(&a);
        CHECK(arena_scope_close(&scopes[i]));
        CHECK_EQ(arena_size(&a), size - 4);
        CHECK(!arena_scope_close(&scopes[i]));
    }
    CHECK_EQ(arena_size(&a), 0);
    CHECK(arena_current() == before);
    CHECK_EQ(arena_status(&a), ARENA_STALE);
    arena_release(&a);
}

TEST(edges, scratch_with_no_list)
{
    arena_t *first = arena_scratch(NULL, 0), *second;
    CHECK(first != NULL);
    CHECK(arena_scratch(NULL, 3) == first); /* A count of no list counts nothing. */
    second = arena_scratch(&first, 1);
    CHECK(second != NULL && second != first);
    arena_scratch_release();
}

TEST(edges, current_blocks)
{
    arena_t a;
    arena_t *before;
    void *p, *q;
    start(t, &a, 256);
    before = arena_make_current(NULL);
    CHECK(arena_current_malloc(10) == NULL);
    CHECK(arena_current_realloc(NULL, 10) == NULL);
    arena_current_free(NULL);
    (void)arena_make_current(&a);
    p = arena_current_malloc(0); /* An address of its own, as malloc gives. */
    q = arena_current_malloc(0);
    CHECK(p != NULL && q != NULL && p != q);
    p = arena_current_malloc(10);
    if (CHECK(p != NULL)) memset(p, 1, 10);
    CHECK(arena_current_malloc(opaque(SIZE_MAX)) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    arena_clear_status(&a);
    CHECK(arena_current_realloc(p, opaque(SIZE_MAX)) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    arena_clear_status(&a);
    CHECK(arena_current_realloc(p, opaque(SIZE_MAX / 2)) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    arena_clear_status(&a);
    (void)arena_make_current(NULL);
    CHECK(arena_current_realloc(p, 20) == NULL); /* Whose would it be? */
    CHECK_EQ(((char *)p)[9], 1);
    (void)arena_make_current(&a);
    t->mem.fail_from = 1;
    CHECK(arena_current_malloc(1000) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    CHECK(arena_current_realloc(p, 1000) == NULL);
    t->mem.fail_from = 0;
    CHECK_EQ(((char *)p)[9], 1);
    CHECK(arena_current_realloc(p, 0) == NULL);
    arena_current_free(q);
    CHECK(arena_is_valid(&a));
    (void)arena_make_current(before);
    arena_release(&a);
}

/* An arena on a user buffer, handed back by value: nothing was stored yet, so it may be moved. */
static arena_t edges_on_buffer(void *buffer, size_t bytes)
{
    arena_t a;
    arena_options_t o;
    memset(&o, 0, sizeof o);
    o.buffer = buffer;
    o.buffer_bytes = bytes;
    o.fixed = true;
    (void)arena_init(&a, &o);
    return a;
}

TEST(edges, moved_before_anything_is_stored)
{
    static char buffer[512], other[512];
    arena_t first = edges_on_buffer(buffer, sizeof buffer), second = first, third;
    size_t held = arena_retained(&first);
    CHECK(held > 400);
    memset(&first, 0x5A, sizeof first); /* No pointer of the second one leads there. */
    CHECK(arena_is_valid(&second));
    CHECK_EQ(arena_retained(&second), held);
    CHECK_MEM(arena_append(&second, "hello", 5), "hello", 5);
    CHECK(arena_is_valid(&second));
    arena_release(&second);
    third = second; /* Released, so it may be moved again. */
    memset(&second, 0x5A, sizeof second);
    CHECK_EQ(arena_retained(&third), held);
    arena_trim(&third, 0);
    arena_reset(&third);
    CHECK(arena_is_valid(&third));
    CHECK_MEM(arena_append(&third, "again", 5), "again", 5);
    CHECK_EQ(arena_retained(&third), held);
    CHECK(arena_is_valid(&third));
    arena_release(&third);
    third = edges_on_buffer(other, 1); /* Too small for a byte and a NUL. */
    CHECK_EQ(arena_retained(&third), 0);
    CHECK(arena_append(&third, "x", 1) == NULL);
    CHECK_EQ(arena_status(&third), ARENA_LIMIT);
    arena_release(&third);
    CHECK_EQ(arena_retained(&third), 0);
    CHECK(arena_is_valid(&third));
}

/* A text and the NUL behind it taken for a block: size and validity survive that. */
TEST(edges, text_given_back_with_its_nul)
{
    arena_t a;
    arena_slice_t s;
    char *p, *q;
    start(t, &a, 256);
    p = (char *)(uintptr_t)arena_intern(&a, "abc");
    CHECK(arena_realloc(&a, p, 4, 0, 1) == NULL);
    CHECK_EQ(arena_size(&a), 0);
    CHECK(arena_is_valid(&a));
    p = (char *)(uintptr_t)arena_intern(&a, "some text of more than sixteen bytes");
    q = (char *)(uintptr_t)arena_intern(&a, "another one");
    CHECK(arena_realloc(&a, p, 37, 0, 1) == NULL); /* Not at the tip. */
    CHECK(arena_is_valid(&a));
    CHECK(arena_realloc(&a, q, 12, 0, 1) == NULL);
    CHECK_EQ(arena_size(&a), 0);
    CHECK(arena_is_valid(&a));
    CHECK(arena_realloc(&a, NULL, 0, 37, 1) == p); /* Used again. */
    CHECK_EQ(arena_size(&a), 37);
    CHECK(arena_is_valid(&a));
    arena_reset(&a);
    s.data = (char *)(uintptr_t)arena_intern(&a, "abc");
    s.len = 0;
    s.cap = 4;
    arena_shrink(&a, &s);
    CHECK_EQ(s.cap, 0);
    CHECK_EQ(arena_size(&a), 0);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}
