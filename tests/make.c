/*
 * Making an arena. Proves these sentences of DESIGN section 2 and of issue 2:
 * "{0} is ready to use"; "by value; 0 = 64 KiB"; "NULL = defaults"; "byte budget of one chunk; 0 =
 * 64 KiB, whatever T is. max(1, chunk_bytes/sizeof T) elements"; "1000 bytes of int64_t budget are
 * 125 elements; a budget of 3 bytes is one"; "limit_bytes: all that the arena may hold from its
 * hooks at one time, bookkeeping included; refused before anything is taken, the bookkeeping of the
 * same call included"; "buffer: used first, never freed; with fixed = true, nothing else is"; "init
 * that fails leaves {0}"; "Nothing is allocated before the first store"; "Over-aligned T is
 * honoured by every chunk, the user buffer too"; "a 64 KiB chunk asks its hook for 65,537 bytes";
 * "a fixed arena makes no allocator call at all". Of issue 6 item 9: the limit at exactly one
 * chunk, one byte less, two chunks, after refusals, oversized then reset.
 */
#include "support.h"

#include <stdlib.h>

ARENA_DEFINE(longs, int64_t);

struct make_triple {
    unsigned char byte[3];
};
ARENA_DEFINE(triples, struct make_triple);

struct make_wide {
    double x, y, z;
};
ARENA_DEFINE(wides, struct make_wide);

/* A budget of nothing but counters: it remembers what was asked for and passes it on. */
struct make_spy {
    struct test *t;
    size_t calls;
    size_t last_bytes;
    size_t last_align;
};

static void *spy_alloc(void *ctx, size_t bytes, size_t align)
{
    struct make_spy *spy = (struct make_spy *)ctx;
    spy->calls++;
    spy->last_bytes = bytes;
    spy->last_align = align;
    return spy->t->hooks->alloc(spy->t->hooks->ctx, bytes, align);
}

static void spy_free(void *ctx, void *p, size_t bytes, size_t align)
{
    struct make_spy *spy = (struct make_spy *)ctx;
    spy->t->hooks->free(spy->t->hooks->ctx, p, bytes, align);
}

TEST(make, zero_is_ready)
{
    arena_t a = {0};
    const char *p = arena_append(&a, "abc", 3);
    CHECK_MEM(p, "abc", 3);
    CHECK_EQ(arena_size(&a), 3);
    CHECK_EQ(arena_retained(&a), 65536);
    CHECK_EQ(arena_stats(&a).allocated, 65537);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
    CHECK_EQ(arena_stats(&a).allocated, 0);
}

TEST(make, by_value)
{
    arena_t a = arena_make(0);
    arena_t b = arena_make(4096);
    longs_t c = longs_make(0);
    int64_t five = 5;
    CHECK_MEM(arena_append(&a, "x", 1), "x", 1);
    CHECK_EQ(arena_retained(&a), 65536);
    CHECK_MEM(arena_append(&b, "y", 1), "y", 1);
    CHECK_EQ(arena_retained(&b), 4096);
    CHECK_MEM(longs_append(&c, &five, 1), &five, sizeof five);
    CHECK_EQ(longs_retained(&c), 65536);
    arena_release(&a);
    arena_release(&b);
    longs_release(&c);
}

TEST(make, null_options_are_defaults)
{
    arena_t a;
    memset(&a, 0xEE, sizeof a);
    CHECK_EQ(arena_init(&a, NULL), ARENA_OK);
    CHECK(arena_is_valid(&a));
    CHECK_EQ(arena_stats(&a).allocated, 0);
    CHECK_MEM(arena_append(&a, "x", 1), "x", 1);
    CHECK_EQ(arena_retained(&a), 65536);
    arena_release(&a);
}

TEST(make, zeroed_options_are_defaults)
{
    arena_t a;
    arena_options_t o;
    memset(&o, 0, sizeof o);
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    CHECK_MEM(arena_append(&a, "x", 1), "x", 1);
    CHECK_EQ(arena_retained(&a), 65536);
    arena_release(&a);
}

TEST(make, options_are_copied)
{
    arena_t a;
    arena_options_t o;
    arena_hooks_t h = *t->hooks;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 100;
    o.hooks = &h;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    memset(&o, 0xEE, sizeof o);
    CHECK_MEM(arena_append(&a, "x", 1), "x", 1);
    CHECK_EQ(arena_retained(&a), 100);
    arena_release(&a);
}

TEST(make, nothing_allocated_before_the_first_store)
{
    arena_t a;
    arena_mark_t m;
    arena_ref_t none = {0, 0, 0};
    start(t, &a, 4096);
    m = arena_mark(&a);
    CHECK(arena_append(&a, NULL, 0) == NULL);
    CHECK(arena_reserve(&a, 0) == NULL);
    CHECK_STR(arena_intern(&a, ""), "");
    CHECK_STR(arena_str(&a, none), "");
    CHECK_EQ(arena_value(&a, none).len, 0);
    CHECK(arena_rewind(&a, m));
    arena_reset(&a);
    arena_trim(&a, 0);
    arena_release(&a);
    CHECK_EQ(arena_stats(&a).allocated, 0);
    CHECK_EQ(arena_stats(&a).peak, 0);
    CHECK_EQ(arena_chunk_count(&a), 0);
    CHECK_EQ(t->mem.allocs, 0);
}

TEST(make, one_chunk_is_one_hook_call)
{
    arena_t a;
    int i;
    start(t, &a, 4096);
    for (i = 0; i < 4096; i++) CHECK(arena_append(&a, "z", 1) != NULL);
    CHECK_EQ(t->mem.allocs, 1);
    CHECK_EQ(arena_stats(&a).allocated, 4097);
    arena_release(&a);
    CHECK_EQ(t->mem.frees, 1);
}

TEST(make, byte_chunk_asks_for_one_more_byte)
{
    static const size_t budgets[][2] = {
        {0, 65537}, {4096, 4097}, {4095, 4096}, {1, 2}, {65535, 65536}};
    size_t i;
    for (i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        struct make_spy spy;
        arena_hooks_t h;
        arena_options_t o;
        arena_t a;
        memset(&spy, 0, sizeof spy);
        memset(&o, 0, sizeof o);
        spy.t = t;
        h.alloc = spy_alloc;
        h.free = spy_free;
        h.ctx = &spy;
        o.chunk_bytes = budgets[i][0];
        o.hooks = &h;
        CHECK_EQ(arena_init(&a, &o), ARENA_OK);
        CHECK_MEM(arena_append(&a, "x", 1), "x", 1);
        CHECK_EQ(spy.calls, 1);
        CHECK_EQ(spy.last_bytes, budgets[i][1]);
        CHECK(spy.last_align > 0 && (spy.last_align & (spy.last_align - 1)) == 0);
        CHECK_EQ(arena_retained(&a), budgets[i][1] - 1);
        CHECK_EQ(arena_stats(&a).allocated, budgets[i][1]);
        arena_release(&a);
    }
}

TEST(make, typed_chunk_asks_for_whole_elements)
{
    struct make_spy spy;
    arena_hooks_t h;
    arena_options_t o;
    longs_t a;
    memset(&spy, 0, sizeof spy);
    memset(&o, 0, sizeof o);
    spy.t = t;
    h.alloc = spy_alloc;
    h.free = spy_free;
    h.ctx = &spy;
    o.chunk_bytes = 1007;
    o.hooks = &h;
    CHECK_EQ(longs_init(&a, &o), ARENA_OK);
    CHECK(longs_reserve(&a, 1) != NULL);
    CHECK_EQ(spy.last_bytes, 1000);
    CHECK_EQ(longs_retained(&a), 1000);
    CHECK_EQ(longs_stats(&a).allocated, 1000);
    longs_release(&a);
}

/* Stores single elements until the second chunk opens; returns how many the first one took. */
static size_t elements_of_first_chunk(struct test *t, size_t chunk_bytes)
{
    arena_options_t o;
    longs_t a;
    size_t n = 0;
    int64_t v = 1;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = chunk_bytes;
    o.hooks = t->hooks;
    CHECK_EQ(longs_init(&a, &o), ARENA_OK);
    while (longs_append(&a, &v, 1) != NULL && longs_chunk_count(&a) < 2 && n < 100000) n++;
    CHECK_EQ(longs_retained(&a), 2 * n * sizeof v);
    CHECK_EQ(longs_size(&a), (n + 1) * sizeof v);
    longs_release(&a);
    return n;
}

TEST(make, budget_is_in_bytes)
{
    CHECK_EQ(elements_of_first_chunk(t, 1000), 125);
    CHECK_EQ(elements_of_first_chunk(t, 1007), 125);
    CHECK_EQ(elements_of_first_chunk(t, 1008), 126);
    CHECK_EQ(elements_of_first_chunk(t, 8), 1);
    CHECK_EQ(elements_of_first_chunk(t, 15), 1);
    CHECK_EQ(elements_of_first_chunk(t, 16), 2);
}

TEST(make, budget_below_one_element_is_one)
{
    CHECK_EQ(elements_of_first_chunk(t, 3), 1);
    CHECK_EQ(elements_of_first_chunk(t, 1), 1);
    CHECK_EQ(elements_of_first_chunk(t, 7), 1);
}

TEST(make, default_budget_whatever_the_type)
{
    triples_t a = {0};
    wides_t b = {0};
    CHECK(triples_reserve(&a, 1) != NULL);
    CHECK_EQ(triples_retained(&a), 65536 / 3 * 3);
    CHECK(wides_reserve(&b, 1) != NULL);
    CHECK_EQ(wides_retained(&b), 65536 / sizeof(struct make_wide) * sizeof(struct make_wide));
    triples_release(&a);
    wides_release(&b);
}

TEST(make, huge_budget_is_refused_cleanly)
{
    static const size_t budgets[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1, SIZE_MAX / 2,
                                     SIZE_MAX / 2 - 1};
    size_t i;
    for (i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        /* Either init says no, or the first store does; nothing is ever held. */
        arena_options_t o;
        arena_t a;
        longs_t b;
        int64_t v = 1;
        memset(&o, 0, sizeof o);
        o.chunk_bytes = budgets[i];
        o.hooks = t->hooks;
        if (arena_init(&a, &o) == ARENA_OK) {
            CHECK(arena_append(&a, "x", 1) == NULL);
            CHECK(arena_status(&a) == ARENA_TOO_LARGE || arena_status(&a) == ARENA_NO_MEMORY);
        }
        CHECK(arena_is_valid(&a));
        CHECK_EQ(arena_stats(&a).allocated, 0);
        arena_release(&a);
        if (longs_init(&b, &o) == ARENA_OK) {
            CHECK(longs_append(&b, &v, 1) == NULL);
            CHECK(longs_status(&b) == ARENA_TOO_LARGE || longs_status(&b) == ARENA_NO_MEMORY);
        }
        CHECK(longs_is_valid(&b));
        CHECK_EQ(longs_stats(&b).allocated, 0);
        longs_release(&b);
    }
    CHECK_EQ(t->mem.live_blocks, 0);
}

/* ---- the user's buffer ---- */

static arena_status_t start_on_buffer(struct test *t, arena_t *a, void *buffer, size_t buffer_bytes,
                                      bool fixed)
{
    arena_options_t o;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 100;
    o.buffer = buffer;
    o.buffer_bytes = buffer_bytes;
    o.fixed = fixed;
    o.hooks = t->hooks;
    return arena_init(a, &o);
}

static int in_buffer(const char *buffer, size_t bytes, const char *p, size_t n)
{
    uintptr_t from = (uintptr_t)buffer, at = (uintptr_t)p;
    return at >= from && at + n <= from + bytes;
}

TEST(make, buffer_is_used_first)
{
    char buffer[64];
    arena_t a;
    const char *p;
    size_t n;
    CHECK_EQ(start_on_buffer(t, &a, buffer, sizeof buffer, false), ARENA_OK);
    CHECK_EQ(arena_retained(&a), 63); /* Held from the start. */
    CHECK_EQ(arena_stats(&a).peak, 63);
    CHECK_EQ(arena_stats(&a).allocated, 0);
    for (n = 0; n < 63; n++) {
        p = arena_append(&a, "b", 1);
        CHECK(in_buffer(buffer, sizeof buffer, p, 1));
    }
    CHECK_EQ(arena_stats(&a).allocated, 0);
    CHECK_EQ(arena_retained(&a), 63);
    CHECK_EQ(arena_chunk_count(&a), 1);
    p = arena_append(&a, "c", 1);
    CHECK_MEM(p, "c", 1);
    CHECK(!in_buffer(buffer, sizeof buffer, p, 1));
    CHECK_EQ(arena_retained(&a), 63 + 100);
    CHECK_EQ(arena_chunk_count(&a), 2);
    arena_release(&a);
    CHECK_EQ(t->mem.live_blocks, 0);
}

TEST(make, buffer_is_never_freed)
{
    char buffer[64];
    arena_t a;
    int round;
    CHECK_EQ(start_on_buffer(t, &a, buffer, sizeof buffer, false), ARENA_OK);
    for (round = 0; round < 3; round++) {
        CHECK(in_buffer(buffer, sizeof buffer, arena_append(&a, "0123456789", 10), 10));
        arena_reset(&a);
        arena_trim(&a, 0);
        CHECK_EQ(arena_retained(&a), 63);
        CHECK(in_buffer(buffer, sizeof buffer, arena_append(&a, "0123456789", 10), 10));
        arena_release(&a);
        CHECK_EQ(arena_size(&a), 0);
        CHECK_EQ(arena_retained(&a), 63); /* It is still the arena's first chunk. */
    }
    CHECK_EQ(t->mem.allocs, 0);
    CHECK_EQ(t->mem.frees, 0);
}

TEST(make, buffer_is_the_users_after_release)
{
    /*
     * Under a sanitizer it is no longer poisoned; and what the user did with it between two uses,
     * up to its last byte, does not show in the arena.
     */
    char buffer[64 + 16];
    char *aligned = buffer + (16 - (uintptr_t)buffer % 16) % 16;
    arena_t a;
    arena_ref_t r;
    int round;
    CHECK_EQ(start_on_buffer(t, &a, aligned, 64, true), ARENA_OK);
    for (round = 0; round < 3; round++) {
        r = arena_ref(&a, "012345678901234567890123456789012345678901234567890123456789012", 63);
        CHECK_EQ(r.len, 63);
        CHECK_STR(arena_str(&a, r),
                  "012345678901234567890123456789012345678901234567890123456789012");
        CHECK(arena_is_valid(&a));
        arena_release(&a);
        memset(aligned, 'u', 64);
        CHECK(arena_is_valid(&a));
    }
    CHECK_EQ(t->mem.allocs, 0);
}

TEST(make, fixed_uses_the_whole_buffer_and_nothing_else)
{
    char buffer[300];
    arena_t a;
    size_t n;
    CHECK_EQ(start_on_buffer(t, &a, buffer, sizeof buffer, true), ARENA_OK);
    for (n = 0; arena_append(&a, "f", 1) != NULL && n < 1000; n++)
        CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK_EQ(n, sizeof buffer - 1);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK_EQ(arena_size(&a), 299);
    CHECK_EQ(arena_retained(&a), 299);
    CHECK_EQ(arena_chunk_count(&a), 1);
    arena_reset(&a);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    /* The whole buffer is one chunk: a value of its size fits, although chunk_bytes is smaller. */
    CHECK(arena_reserve(&a, 299) != NULL);
    CHECK(arena_reserve(&a, 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    arena_release(&a);
    CHECK_EQ(t->mem.allocs, 0);
}

TEST(make, fixed_of_any_size)
{
    char buffer[80];
    size_t bytes, shift;
    for (shift = 0; shift < 17; shift++) {
        for (bytes = 0; bytes <= 40; bytes++) {
            arena_t a;
            arena_status_t made;
            int round;
            memset(buffer, 0x77, sizeof buffer);
            made = start_on_buffer(t, &a, buffer + shift, bytes, true);
            for (round = 0; round < 3 && made == ARENA_OK; round++) {
                size_t n = 0;
                while (n < 100 && arena_append(&a, "f", 1) != NULL) n++;
                /* Less the spare byte; alignment may take up to 15 more. */
                CHECK(n <= (bytes > 0 ? bytes - 1 : 0));
                CHECK(n + 16 >= bytes);
                CHECK_EQ(arena_size(&a), n);
                CHECK_EQ(arena_status(&a), ARENA_LIMIT);
                CHECK(arena_is_valid(&a));
                CHECK_EQ(buffer[shift + bytes], 0x77);
                if (shift > 0) CHECK_EQ(buffer[shift - 1], 0x77);
                CHECK_STR(arena_intern(&a, ""), "");
                if (round == 0)
                    arena_reset(&a);
                else
                    arena_release(&a);
                CHECK_EQ(arena_size(&a), 0);
            }
            if (made != ARENA_OK) CHECK(arena_is_valid(&a));
            arena_release(&a);
        }
    }
    CHECK_EQ(t->mem.allocs, 0);
}

TEST(make, failure_leaves_the_buffer_unopened)
{
    /* A first store that fails, with a buffer that would be opened for it: nothing has changed. */
    static char buffer[64];
    int fixed;
    for (fixed = 0; fixed < 2; fixed++) {
        arena_t a;
        struct snapshot before;
        CHECK_EQ(start_on_buffer(t, &a, buffer, sizeof buffer, fixed != 0), ARENA_OK);
        before = snapshot_of(&a);
        t->mem.fail_from = 1;
        CHECK(arena_reserve(&a, 70) == NULL);
        CHECK(arena_reserve(&a, 200) == NULL);
        t->mem.fail_from = 0;
        CHECK_EQ(arena_chunk_count(&a), 0);
        CHECK_STR(snapshot_difference(&before, &a), "");
        CHECK(in_buffer(buffer, sizeof buffer, arena_append(&a, "abc", 3), 3));
        CHECK_EQ(arena_chunk_count(&a), 1);
        arena_release(&a);
    }
}

TEST(make, fixed_strings_end_at_the_end)
{
    /* A C string of n bytes needs n + 1; the spare byte serves for the last one only. */
    char buffer[16 + 32];
    char *aligned = buffer + (16 - (uintptr_t)buffer % 16) % 16;
    arena_t a;
    const char *p;
    CHECK_EQ(start_on_buffer(t, &a, aligned, 32, true), ARENA_OK);
    p = arena_intern(&a, "0123456789012345678901234567890");
    CHECK_STR(p, "0123456789012345678901234567890");
    CHECK(p == aligned);
    CHECK_EQ(arena_size(&a), 31);
    arena_reset(&a);
    CHECK(arena_intern(&a, "01234567890123456789012345678901") == NULL);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK_EQ(arena_size(&a), 0);
    arena_reset(&a);
    CHECK_STR(arena_intern(&a, "0123456789"), "0123456789");
    CHECK_STR(arena_intern(&a, "01234567890123456789"), "01234567890123456789");
    CHECK_EQ(arena_size(&a), 30);
    arena_release(&a);
    CHECK_EQ(t->mem.allocs, 0);
}

/* Whether malloc is the C library's own: a sanitizer's begins where it likes. */
#define TEST_PLAIN_MALLOC 1
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#undef TEST_PLAIN_MALLOC
#define TEST_PLAIN_MALLOC 0
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer) || __has_feature(type_sanitizer)
#undef TEST_PLAIN_MALLOC
#define TEST_PLAIN_MALLOC 0
#endif
#endif

/* How far the first chunk of an arena with these options begins behind a cache line. */
static size_t behind_a_line(struct test *t, const arena_options_t *o)
{
    arena_t a;
    size_t behind;
    CHECK_EQ(arena_init(&a, o), ARENA_OK);
    CHECK(arena_append(&a, "x", 1) != NULL);
    behind = (size_t)((uintptr_t)arena_chunk(&a, 0).data % 64);
    /* What begins at a line takes bytes that nothing counts. */
    CHECK_EQ(arena_stats(&a).allocated, arena_retained(&a) + 1);
    arena_release(&a);
    return behind;
}

TEST(make, chunks_of_malloc_begin_at_a_cache_line)
{
    /* Blocks of malloc that stay, so that one at a line by chance is not the only one seen. */
    arena_options_t o;
    void *kept[64];
    size_t i, elsewhere[2] = {0, 0};
    for (i = 0; i < sizeof kept / sizeof *kept; i++) {
        kept[i] = malloc(i * 16 + 1);
        memset(&o, 0, sizeof o);
        CHECK_EQ(behind_a_line(t, &o), 0);
        o.chunk_bytes = 4096;
        CHECK_EQ(behind_a_line(t, &o), 0);
        o.chunk_bytes = 4095;                  /* small ones, and those that a limit counts, do not */
        elsewhere[0] += behind_a_line(t, &o) != 0;
        o.chunk_bytes = 4096;
        o.limit_bytes = 8192;
        elsewhere[1] += behind_a_line(t, &o) != 0;
    }
    for (i = 0; i < sizeof kept / sizeof *kept; i++) free(kept[i]);
#if defined __GLIBC__ && TEST_PLAIN_MALLOC
    CHECK(elsewhere[0] != 0);                  /* glibc's blocks begin at multiples of 16 */
    CHECK(elsewhere[1] != 0);
#else
    (void)elsewhere;
#endif
}

TEST(make, typed_buffer_is_aligned)
{
    char buffer[200];
    size_t shift;
    for (shift = 0; shift < 8; shift++) {
        arena_options_t o;
        longs_t a;
        size_t n = 0;
        memset(&o, 0, sizeof o);
        o.buffer = buffer + shift;
        o.buffer_bytes = 100;
        o.fixed = true;
        o.hooks = t->hooks;
        CHECK_EQ(longs_init(&a, &o), ARENA_OK);
        for (;;) {
            int64_t *p = longs_reserve(&a, 1);
            if (p == NULL || n > 100) break;
            *p = (int64_t)n;
            CHECK(in_buffer(buffer + shift, 100, (const char *)p, sizeof *p));
            n++;
        }
        /* 100 bytes hold 12 elements, or 11 where alignment takes more than the 4 bytes left over.
         */
        CHECK(n == 12 || n == 11);
        CHECK_EQ(longs_retained(&a), n * sizeof(int64_t));
        longs_release(&a);
    }
    CHECK_EQ(t->mem.allocs, 0);
}

TEST(make, buffer_below_one_element_is_passed_over)
{
    char buffer[3];
    arena_options_t o;
    longs_t a;
    memset(&o, 0, sizeof o);
    o.buffer = buffer;
    o.buffer_bytes = sizeof buffer;
    o.hooks = t->hooks;
    CHECK_EQ(longs_init(&a, &o), ARENA_OK);
    CHECK(longs_reserve(&a, 1) != NULL);
    CHECK_EQ(longs_status(&a), ARENA_OK);
    CHECK(longs_is_valid(&a));
    longs_release(&a);
    o.fixed = true;
    if (longs_init(&a, &o) == ARENA_OK) {
        CHECK(longs_reserve(&a, 1) == NULL);
        CHECK_EQ(longs_status(&a), ARENA_LIMIT);
    }
    CHECK(longs_is_valid(&a));
    longs_release(&a);
}

TEST(make, failed_init_leaves_zero)
{
    arena_t a, zero;
    arena_options_t o;
    arena_hooks_t h;
    memset(&zero, 0, sizeof zero);
    memset(&o, 0, sizeof o);
    /* Half a pair of hooks. */
    h = *t->hooks;
    h.free = NULL;
    o.hooks = &h;
    memset(&a, 0xEE, sizeof a);
    CHECK_EQ(arena_init(&a, &o), ARENA_ARGUMENT);
    CHECK_MEM(&a, &zero, sizeof a);
    h = *t->hooks;
    h.alloc = NULL;
    memset(&a, 0xEE, sizeof a);
    CHECK_EQ(arena_init(&a, &o), ARENA_ARGUMENT);
    CHECK_MEM(&a, &zero, sizeof a);
    /* More than an object can have. */
    o.hooks = t->hooks;
    o.chunk_bytes = SIZE_MAX;
    memset(&a, 0xEE, sizeof a);
    CHECK_EQ(arena_init(&a, &o), ARENA_TOO_LARGE);
    CHECK_MEM(&a, &zero, sizeof a);
    o.chunk_bytes = 0;
    o.buffer = &h;
    o.buffer_bytes = SIZE_MAX;
    memset(&a, 0xEE, sizeof a);
    CHECK_EQ(arena_init(&a, &o), ARENA_TOO_LARGE);
    CHECK_MEM(&a, &zero, sizeof a);
    o.buffer = NULL;
    /* A length of no buffer. */
    o.hooks = t->hooks;
    o.buffer_bytes = 10;
    memset(&a, 0xEE, sizeof a);
    CHECK_EQ(arena_init(&a, &o), ARENA_ARGUMENT);
    CHECK_MEM(&a, &zero, sizeof a);
}

/* ---- the limit ---- */

static void start_limited(struct test *t, arena_t *a, size_t chunk_bytes, size_t limit_bytes)
{
    arena_options_t o;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = chunk_bytes;
    o.limit_bytes = limit_bytes;
    o.hooks = t->hooks;
    CHECK_EQ(arena_init(a, &o), ARENA_OK);
}

TEST(make, limit_of_exactly_one_chunk)
{
    arena_t a;
    size_t n = 0;
    start_limited(t, &a, 1000, 1001);
    while (n < 5000 && arena_append(&a, "l", 1) != NULL) n++;
    CHECK_EQ(n, 1000);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK_EQ(t->mem.allocs, 1);
    CHECK_EQ(t->mem.peak_bytes, 1001);
    arena_release(&a);
}

TEST(make, limit_of_one_byte_less_than_a_chunk)
{
    arena_t a;
    start_limited(t, &a, 1000, 1000);
    CHECK(arena_append(&a, "l", 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK_EQ(t->mem.allocs, 0);
    CHECK_EQ(arena_stats(&a).allocated, 0);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(make, limit_of_two_chunks_and_their_table)
{
    arena_t a;
    size_t two, n;
    /* Two chunks and their table, measured without a limit; the same limit allows them, one byte
     * less does not. */
    start(t, &a, 1000);
    CHECK(arena_reserve(&a, 1000) != NULL);
    CHECK(arena_reserve(&a, 1000) != NULL);
    two = arena_stats(&a).allocated;
    CHECK_EQ(two, t->mem.live_bytes);
    CHECK(two >= 2002);
    arena_release(&a);

    start_limited(t, &a, 1000, two);
    for (n = 0; n < 5000 && arena_append(&a, "l", 1) != NULL; n++) CHECK(t->mem.live_bytes <= two);
    CHECK_EQ(n, 2000);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    arena_release(&a);

    start_limited(t, &a, 1000, two - 1);
    for (n = 0; n < 5000 && arena_append(&a, "l", 1) != NULL; n++)
        CHECK(t->mem.live_bytes <= two - 1);
    CHECK_EQ(n, 1000);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK_EQ(arena_stats(&a).allocated, 1001);
    arena_release(&a);
    CHECK_EQ(t->mem.refused, 0);
}

TEST(make, limit_is_never_exceeded_and_refusals_take_nothing)
{
    /* Every limit over a range in which chunks, oversized values and tables of several sizes
     * compete. */
    size_t limit;
    for (limit = 1; limit < 9000; limit += 97) {
        arena_t a;
        size_t i;
        start_limited(t, &a, 256, limit);
        t->mem.peak_bytes = 0;
        for (i = 0; i < 120; i++) {
            size_t n = 1 + (size_t)(test_random(t) % 700);
            size_t calls = t->mem.allocs;
            struct snapshot before = snapshot_of(&a);
            char *p = arena_reserve(&a, n);
            if (p == NULL) {
                CHECK_EQ(arena_status(&a), ARENA_LIMIT);
                CHECK_EQ(t->mem.allocs, calls);
                CHECK_STR(snapshot_difference(&before, &a), "");
                arena_clear_status(&a);
            } else
                memset(p, (int)i, n);
            CHECK(t->mem.peak_bytes <= limit);
            CHECK_EQ(arena_stats(&a).allocated, t->mem.live_bytes);
            if (i % 50 == 49) arena_reset(&a);
        }
        arena_release(&a);
    }
}

TEST(make, limit_after_a_thousand_refusals)
{
    arena_t a;
    struct snapshot before;
    int i;
    start_limited(t, &a, 1000, 1001);
    memset(arena_reserve(&a, 900), 1, 900);
    memset(arena_reserve(&a, 90), 1, 90);
    before = snapshot_of(&a);
    for (i = 0; i < 1000; i++) CHECK(arena_reserve(&a, 11) == NULL);
    CHECK_STR(snapshot_difference(&before, &a), "");
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK(arena_reserve(&a, 10) != NULL);
    CHECK_EQ(arena_size(&a), 1000);
    CHECK_EQ(t->mem.allocs, 1);
    arena_release(&a);
}

TEST(make, limit_with_oversized_then_reset)
{
    arena_t a;
    size_t held;
    int round;
    /* A chunk and one oversized value; after the reset the same limit serves again, as often as one
     * likes. */
    start(t, &a, 100);
    CHECK(arena_reserve(&a, 50) != NULL);
    CHECK(arena_reserve(&a, 5000) != NULL);
    held = arena_stats(&a).allocated;
    arena_release(&a);
    start_limited(t, &a, 100, held);
    for (round = 0; round < 20; round++) {
        CHECK(arena_reserve(&a, 50) != NULL);
        CHECK(arena_reserve(&a, 5000) != NULL);
        CHECK_EQ(arena_status(&a), ARENA_OK);
        CHECK(arena_reserve(&a, 5000) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_LIMIT);
        CHECK_EQ(t->mem.live_bytes, held);
        arena_reset(&a);
        CHECK(t->mem.live_bytes < 5000);
    }
    arena_release(&a);
    CHECK(t->mem.peak_bytes <= held);
}

TEST(make, limit_lowered_and_raised)
{
    NEEDS_KEPT_CHUNKS();
    /* Below what is held it refuses growth and harms nothing; raised again it lets the same store
     * through. */
    arena_t a;
    const char *p;
    struct snapshot before;
    start(t, &a, 100);
    p = arena_append(&a, "0123456789", 10);
    memset(arena_reserve(&a, 80), 1, 80);
    arena_set_limit(&a, 50);
    before = snapshot_of(&a);
    CHECK(arena_reserve(&a, 20) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK_STR(snapshot_difference(&before, &a), "");
    CHECK_MEM(p, "0123456789", 10);
    CHECK(arena_reserve(&a, 10) != NULL); /* What needs no memory still works. */
    arena_reset(&a);
    CHECK(arena_reserve(&a, 100) != NULL);
    CHECK(arena_reserve(&a, 1) == NULL);
    arena_set_limit(&a, 0);
    arena_clear_status(&a);
    CHECK(arena_reserve(&a, 20) != NULL);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    arena_release(&a);
}

TEST(make, limit_does_not_count_the_buffer)
{
    char buffer[512];
    arena_options_t o;
    arena_t a;
    size_t n = 0;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 100;
    o.buffer = buffer;
    o.buffer_bytes = sizeof buffer;
    o.limit_bytes = 1;
    o.hooks = t->hooks;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    while (n < 5000 && arena_append(&a, "l", 1) != NULL) n++;
    CHECK_EQ(n, 511);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK_EQ(t->mem.allocs, 0);
    arena_release(&a);
}
