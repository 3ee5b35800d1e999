/*
 * The span pool. Sentences of the documentation (POOL in arena.h) and of the design that are proved
 * here, by test:
 *
 * {0} is ready, in every function                                  zero_*, element_*
 * append stores count copies; 0 = none, no error                   append_*
 * append_copy; sources may lie in the pool                         copy_*, source_*
 * fetch_or_append finds what it stored before, by its bytes        fetch_*
 * find and find_or_append                                          find_*
 * get, span, start, at; stale handles                              handle_*, at_*
 * free and find need no memory                                     free_needs_no_memory
 * resize                                                           resize_*
 * first, next, next_free: address order                            iterate_*, free_spans_*
 * retain, drain: callbacks may free any span                       retain_*, drain_*
 * compact                                                          compact_*
 * exact: holes, whole range, all orders of freeing, no rounding    exact_*
 * options: max_count, reserve, align, limit_bytes, hooks           option_*, limit_*
 * take, copy, clear, release                                       take_*, copy_of_*, clear_*
 *                                                                  and release_*
 * sizes are checked, failure changes nothing, status, on_error     too_large, failure_*, status_*
 *                                                                  and error_*
 * stats; 32 bytes a span, none per element                         stats_*, metadata_*
 * is_valid checks P1 to P10                                        valid_*
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test.h"

struct vertex {
    float x, y, z;
};
struct three {
    unsigned char b[3];
};
struct line {
    uint32_t w[16];
};
struct page {
    unsigned char b[4096];
};
#if defined __GNUC__
struct wide {
    unsigned char b[64];
} __attribute__((aligned(64)));
#endif

ARENA_POOL_DEFINE(ints, int);
ARENA_POOL_DEFINE(meshes, struct vertex);
ARENA_POOL_DEFINE(octets, unsigned char);
ARENA_POOL_DEFINE(words, const char *);
ARENA_POOL_DEFINE(pages, struct page);

/* Nodes that name others of their own pool, and of one that comes later. */
ARENA_POOL_DECLARE(twigs);
ARENA_POOL_DECLARE(buds);
struct twig {
    int key;
    twigs_handle_t parent;
    buds_handle_t bud;
};
struct bud {
    twigs_handle_t twig;
};
ARENA_POOL_DEFINE_DECLARED(twigs, struct twig);
ARENA_POOL_DEFINE_DECLARED(buds, struct bud);

/* ---- helpers ---- */

static void open_ints(struct test *t, ints_t *p)
{
    arena_pool_options_t o;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    CHECK_EQ(ints_init(p, &o), ARENA_OK);
}

static ints_handle_t none(void)
{
    ints_handle_t h;
    h.span = 0;
    h.generation = 0;
    return h;
}

static int is_none(ints_handle_t h)
{
    return h.span == 0 && h.generation == 0;
}

static int same(ints_handle_t a, ints_handle_t b)
{
    return a.span == b.span && a.generation == b.generation;
}

/* Are all count elements of the span equal to value? */
static int holds(const ints_t *p, ints_handle_t h, int value, size_t count)
{
    ints_view_t v = ints_span(p, h);
    size_t i;
    if (v.len != count) return 0;
    for (i = 0; i < count; i++) {
        if (v.data[i] != value) return 0;
    }
    return 1;
}

/* What a refused handle is answered with, by every function that takes one. */
static void check_refused(struct test *t, ints_t *p, ints_handle_t h)
{
    const arena_pool_stats_t before = ints_stats(p);
    arena_pool_stats_t after;
    ints_clear_status(p);
    CHECK(ints_get(p, h) == NULL);
    CHECK(ints_span(p, h).data == NULL);
    CHECK_EQ(ints_span(p, h).len, 0);
    CHECK_EQ(ints_start(p, h), SIZE_MAX);
    CHECK(is_none(ints_next(p, h)));
    CHECK_EQ(ints_status(p), ARENA_OK);
    CHECK_EQ(ints_free(p, h), ARENA_STALE);
    CHECK_EQ(ints_status(p), ARENA_STALE);
    ints_clear_status(p);
    CHECK(!ints_resize(p, h, 3));
    CHECK_EQ(ints_status(p), ARENA_STALE);
    ints_clear_status(p);
    CHECK(!ints_resize(p, h, 0));
    CHECK_EQ(ints_status(p), ARENA_STALE);
    ints_clear_status(p);
    after = ints_stats(p);
    CHECK_MEM(&before, &after, sizeof before);
}

static bool is_value(const int *e, void *ctx)
{
    return *e == *(const int *)ctx;
}

static bool same_sign(const int *a, const int *b, void *ctx)
{
    ++*(int *)ctx;
    return (*a < 0) == (*b < 0);
}

/* ---- nothing stored ---- */

static bool never_keep(ints_handle_t h, int *e, size_t n, void *ctx)
{
    (void)h;
    (void)e;
    (void)n;
    ++*(int *)ctx;
    return true;
}

static void never_each(int *e, size_t n, void *ctx)
{
    (void)e;
    (void)n;
    ++*(int *)ctx;
}

static void never_moved(void *ctx, size_t from, size_t to, size_t count)
{
    (void)from;
    (void)to;
    (void)count;
    ++*(int *)ctx;
}

static void check_empty(struct test *t, ints_t *p)
{
    ints_t other;
    ints_handle_t forged;
    arena_pool_stats_t s = ints_stats(p);
    size_t start = 0, count = 0;
    int calls = 0, value = 1;
    memset(&other, 0, sizeof other);
    forged.span = 1;
    forged.generation = 1;
    CHECK(is_none(ints_append(p, 1, 0)));
    CHECK(is_none(ints_append_copy(p, &value, 0)));
    CHECK(is_none(ints_append_copy(p, NULL, 0)));
    CHECK(is_none(ints_fetch_or_append(p, &value, 0)));
    CHECK(is_none(ints_fetch_or_append(p, NULL, 0)));
    CHECK(is_none(ints_find(p, is_value, &value)));
    CHECK(is_none(ints_find_or_append(p, 1, 0, NULL, NULL)));
    CHECK(is_none(ints_find_or_append(p, 1, 0, same_sign, &calls)));
    check_refused(t, p, none());
    check_refused(t, p, forged);
    CHECK(is_none(ints_at(p, 0)));
    CHECK(is_none(ints_at(p, SIZE_MAX)));
    CHECK(is_none(ints_first(p)));
    CHECK(!ints_next_free(p, &start, &count));
    ints_retain(p, never_keep, &calls);
    ints_drain(p, never_each, &calls);
    CHECK_EQ(ints_compact(p, 100, never_moved, &calls), 0);
    CHECK_EQ(ints_compact(p, 0, NULL, NULL), 0);
    CHECK_EQ(calls, 0);
    CHECK_EQ(ints_len(p), 0);
    CHECK_EQ(ints_buffer_len(p), 0);
    CHECK_EQ(s.len + s.spans + s.free + s.free_spans + s.largest_free + s.buffer_len, 0);
    ints_clear(p);
    CHECK(ints_copy(p, &other));
    CHECK(ints_copy(&other, p));
    CHECK(ints_copy(p, p));
    CHECK_EQ(ints_status(p), ARENA_OK);
    ints_clear_status(p);
    CHECK(ints_is_valid(p));
    count = 7;
    CHECK(ints_take(p, &count) == NULL);
    CHECK_EQ(count, 0);
    CHECK_EQ(ints_status(p), ARENA_OK);
    ints_release(&other);
    ints_release(p);
    ints_release(p);
    ints_clear(p);
    CHECK(ints_is_valid(p));
}

/* A pool of a fixed capacity, taken from the test's hooks. */
static bool open_fixed_ints(struct test *t, ints_t *p, size_t max_count)
{
    arena_pool_options_t o;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    o.max_count = max_count;
    return ints_init(p, &o) == ARENA_OK;
}

TEST(pool, zero_in_every_function)
{
    ints_t p;
    memset(&p, 0, sizeof p);
    CHECK(ints_is_valid(&p));
    CHECK(ints_data(&p) == NULL);
    CHECK_EQ(ints_capacity(&p), 0);
    CHECK_EQ(ints_stats(&p).allocated, 0);
    check_empty(t, &p);
    CHECK_EQ(ints_stats(&p).allocated, 0);
}

TEST(pool, zero_stores)
{
    ints_t p = { { 0 } };
    ints_handle_t h = ints_append(&p, 5, 3);
    CHECK(holds(&p, h, 5, 3));
    CHECK(ints_is_valid(&p));
    ints_release(&p);
    CHECK(is_none(ints_first(&p)));
    h = ints_append(&p, 6, 2);
    CHECK(holds(&p, h, 6, 2));
    ints_release(&p);
}

TEST(pool, zero_is_init_of_null)
{
    ints_t p, zero;
    memset(&p, 0xFF, sizeof p);
    memset(&zero, 0, sizeof zero);
    CHECK_EQ(ints_init(&p, NULL), ARENA_OK);
    CHECK_MEM(&p, &zero, sizeof p);
}

TEST(pool, empty_again_in_every_function)
{
    ints_t p;
    open_ints(t, &p);
    ints_append(&p, 1, 10);
    ints_clear(&p);
    check_empty(t, &p);
    CHECK(ints_free(&p, ints_append(&p, 1, 10)) == ARENA_OK);
    ints_clear(&p);
    check_empty(t, &p);
}

TEST(pool, nothing_is_allocated_before_the_first_store)
{
    ints_t p;
    size_t allocs = t->mem.allocs;
    open_ints(t, &p);
    CHECK_EQ(t->mem.allocs, allocs);
    ints_append(&p, 1, 1);
    CHECK_EQ(t->mem.allocs, allocs + 2); /* The buffer and the table. */
    ints_release(&p);
}

/* ---- storing ---- */

TEST(pool, append_stores_copies)
{
    ints_t p;
    ints_handle_t h[40];
    int i;
    open_ints(t, &p);
    for (i = 0; i < 40; i++) {
        h[i] = ints_append(&p, i, (size_t)(i * i + 1));
        CHECK(!is_none(h[i]));
        CHECK(ints_is_valid(&p));
    }
    for (i = 0; i < 40; i++) CHECK(holds(&p, h[i], i, (size_t)(i * i + 1)));
    ints_release(&p);
}

TEST(pool, append_zero_is_none_and_no_error)
{
    ints_t p;
    open_ints(t, &p);
    CHECK(is_none(ints_append(&p, 1, 0)));
    CHECK(is_none(ints_append_copy(&p, NULL, 0)));
    CHECK(is_none(ints_fetch_or_append(&p, NULL, 0)));
    CHECK_EQ(ints_status(&p), ARENA_OK);
    CHECK_EQ(t->mem.allocs, 0);
}

/* Values whose bytes differ, of all sizes of elements, at counts around where the way of filling
 * changes. */
#define FILLS(size)                                                                                \
    do {                                                                                           \
        size_t n;                                                                                  \
        fill##size##_t p;                                                                          \
        struct fill##size value;                                                                   \
        memset(&p, 0, sizeof p);                                                                   \
        for (n = 0; n < size; n++) value.b[n] = (unsigned char)(n + 1);                            \
        for (n = 1; n < 3000; n += n < 40 || n % 512 > 500 ? 1 : 7) {                              \
            fill##size##_handle_t h = fill##size##_append(&p, value, n);                           \
            const unsigned char *data = (const unsigned char *)fill##size##_span(&p, h).data;      \
            size_t i, wrong = 0;                                                                   \
            for (i = 0; i < n * size; i++) wrong += data[i] != (unsigned char)(i % size + 1);      \
            CHECK_EQ(wrong, 0);                                                                    \
            CHECK_EQ(fill##size##_span(&p, h).len, n);                                             \
            if (n % 3 == 0) fill##size##_free(&p, h);                                              \
        }                                                                                          \
        fill##size##_release(&p);                                                                  \
    } while (0)
#define FILL_TYPE(size)                                                                            \
    struct fill##size {                                                                            \
        unsigned char b[size];                                                                     \
    };                                                                                             \
    ARENA_POOL_DEFINE(fill##size, struct fill##size)
FILL_TYPE(1);
FILL_TYPE(2);
FILL_TYPE(3);
FILL_TYPE(4);
FILL_TYPE(7);
FILL_TYPE(8);
FILL_TYPE(12);
FILL_TYPE(16);
FILL_TYPE(24);
FILL_TYPE(100);

TEST(pool, append_fills_any_size)
{
    FILLS(1);
    FILLS(2);
    FILLS(3);
    FILLS(4);
    FILLS(7);
    FILLS(8);
    FILLS(12);
    FILLS(16);
    FILLS(24);
    FILLS(100);
}

TEST(pool, append_fills_with_one_byte_and_large_elements)
{
    fill100_t p;
    struct fill100 value;
    fill100_handle_t h;
    size_t i, wrong = 0;
    memset(&p, 0, sizeof p);
    memset(&value, 9, sizeof value);
    h = fill100_append(&p, value, 1000);
    for (i = 0; i < 100000; i++) wrong += ((const unsigned char *)fill100_get(&p, h))[i] != 9;
    CHECK_EQ(wrong, 0);
    fill100_release(&p);
}

TEST(pool, copy_of_a_source)
{
    static const int src[] = { 3, 1, 4, 1, 5, 9 };
    ints_t p;
    ints_handle_t h;
    open_ints(t, &p);
    h = ints_append_copy(&p, src, 6);
    CHECK_EQ(ints_span(&p, h).len, 6);
    CHECK_MEM(ints_get(&p, h), src, sizeof src);
    ints_release(&p);
}

TEST(pool, copy_of_null_is_an_error)
{
    ints_t p;
    open_ints(t, &p);
    CHECK(is_none(ints_append_copy(&p, NULL, 2)));
    CHECK_EQ(ints_status(&p), ARENA_ARGUMENT);
    ints_clear_status(&p);
    CHECK(is_none(ints_fetch_or_append(&p, NULL, 2)));
    CHECK_EQ(ints_status(&p), ARENA_ARGUMENT);
    CHECK_EQ(t->mem.allocs, 0);
}

/* Pointers to pointers: T is char *, so const T * is not const char **. */
TEST(pool, elements_that_are_pointers)
{
    words_t p = { { 0 } };
    const char *const two[] = { "one", "two" };
    words_handle_t h = words_append_copy(&p, two, 2);
    CHECK_STR(words_span(&p, h).data[1], "two");
    words_release(&p);
}

TEST(pool, source_in_the_pool_while_it_grows)
{
    ints_t p;
    ints_handle_t h;
    size_t n, i;
    open_ints(t, &p);
    h = ints_append(&p, 0, 3);
    ints_get(&p, h)[0] = 1;
    ints_get(&p, h)[1] = 2;
    ints_get(&p, h)[2] = 3;
    /* Each time all that is there, with the buffer moving now and then. */
    for (n = 3; n < 100000; n *= 2) {
        const int *data = ints_data(&p);
        ints_handle_t all = ints_append_copy(&p, data, n);
        size_t wrong = 0;
        CHECK_EQ(ints_span(&p, all).len, n);
        for (i = 0; i < 2 * n; i++) wrong += ints_data(&p)[i] != (int)(i % 3) + 1;
        CHECK_EQ(wrong, 0);
    }
    /* The last element of the buffer, and one that fetch finds. */
    h = ints_append_copy(&p, ints_data(&p) + ints_buffer_len(&p) - 1, 1);
    CHECK(holds(&p, h, 3, 1));
    h = ints_fetch_or_append(&p, ints_data(&p) + 1, 2);
    CHECK(same(h, ints_fetch_or_append(&p, ints_data(&p) + 1, 2)));
    ints_release(&p);
}

/* The elements right behind the buffer are not the pool's: after its move they are still there. */
static int around[256 + 2];
static void *around_alloc(void *ctx, size_t bytes, size_t align)
{
    const arena_hooks_t *h = *(const arena_hooks_t *const *)ctx;
    const bool buffer = bytes == 256 * sizeof *around && align < 64; /* And not the table. */
    return buffer ? around : (h->alloc)(h->ctx, bytes, align);
}
static void around_free(void *ctx, void *p, size_t bytes, size_t align)
{
    const arena_hooks_t *h = *(const arena_hooks_t *const *)ctx;
    if (p != around) (h->free)(h->ctx, p, bytes, align);
}

TEST(pool, source_right_behind_the_buffer)
{
    arena_pool_options_t o;
    arena_hooks_t hooks;
    ints_t p;
    ints_handle_t h;
    memset(&o, 0, sizeof o);
    hooks.alloc = around_alloc;
    hooks.free = around_free;
    hooks.ctx = &t->hooks;
    o.hooks = &hooks;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    ints_append(&p, 1, 256);
    CHECK(ints_data(&p) == around);
    CHECK_EQ(ints_capacity(&p), 256);
    around[256] = 7;
    around[257] = 8;
    h = ints_append_copy(&p, around + 256, 2);
    CHECK(ints_data(&p) != around);
    CHECK_EQ(ints_get(&p, h)[0], 7);
    CHECK_EQ(ints_get(&p, h)[1], 8);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, source_over_a_hole_that_is_the_place)
{
    /* Six elements, the last two of which are where the copy goes. */
    ints_t p;
    ints_handle_t h[3], copy;
    int i;
    open_ints(t, &p);
    h[0] = ints_append(&p, 1, 4);
    h[1] = ints_append(&p, 2, 6);
    h[2] = ints_append(&p, 3, 1);
    CHECK_EQ(ints_free(&p, h[1]), ARENA_OK);
    (void)ints_data(&p);
    copy = ints_append_copy(&p, ints_get(&p, h[0]), 6);
    CHECK_EQ(ints_start(&p, copy), 4);
    for (i = 0; i < 4; i++) CHECK_EQ(ints_get(&p, copy)[i], 1);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

/* The whole buffer once more: what holes have in them is not said, but that they may be read. */
TEST(pool, source_over_holes_while_the_buffer_grows)
{
    ints_t p;
    ints_handle_t h[60], copy;
    size_t n;
    int i;
    open_ints(t, &p);
    for (i = 0; i < 60; i++) h[i] = ints_append(&p, i, 4);
    for (i = 0; i < 60; i += 2) CHECK_EQ(ints_free(&p, h[i]), ARENA_OK);
    n = ints_buffer_len(&p);
    CHECK(ints_capacity(&p) < 2 * n);
    copy = ints_append_copy(&p, ints_data(&p), n);
    CHECK_EQ(ints_start(&p, copy), n);
    for (i = 1; i < 60; i += 2) {
        CHECK_MEM(ints_get(&p, copy) + ints_start(&p, h[i]), ints_get(&p, h[i]), 4 * sizeof(int));
    }
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

/* ---- fetch and find ---- */

TEST(pool, fetch_finds_what_it_stored)
{
    ints_t p;
    ints_handle_t h[500];
    int i, src[3];
    open_ints(t, &p);
    for (i = 0; i < 500; i++) {
        src[0] = i;
        src[1] = -i;
        src[2] = 7;
        h[i] = ints_fetch_or_append(&p, src, 3);
    }
    CHECK_EQ(ints_len(&p), 1500);
    for (i = 499; i >= 0; i--) {
        src[0] = i;
        src[1] = -i;
        src[2] = 7;
        CHECK(same(ints_fetch_or_append(&p, src, 3), h[i]));
        CHECK(!same(ints_fetch_or_append(&p, src, 2), h[i]));
    }
    CHECK_EQ(ints_len(&p), 2500);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, fetch_finds_only_what_it_stored)
{
    static const int src[] = { 1, 2, 3 };
    ints_t p;
    ints_handle_t h, f;
    open_ints(t, &p);
    h = ints_append_copy(&p, src, 3);
    f = ints_fetch_or_append(&p, src, 3);
    CHECK(!same(h, f));
    CHECK(same(ints_fetch_or_append(&p, src, 3), f));
    /* Changed through get: found no more, neither as it was nor as it is. */
    ints_get(&p, f)[1] = 9;
    h = ints_fetch_or_append(&p, src, 3);
    CHECK(!same(h, f));
    CHECK(!same(ints_fetch_or_append(&p, ints_get(&p, f), 3), f));
    /* Freed. */
    CHECK_EQ(ints_free(&p, h), ARENA_OK);
    CHECK(!same(ints_fetch_or_append(&p, src, 3), h));
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

/* A span that was cut keeps its hash, and what is cut off is still there behind it. */
TEST(pool, fetch_does_not_find_what_was_cut)
{
    const int src[] = { 1, 2 };
    ints_t p;
    ints_handle_t a, b;
    open_ints(t, &p);
    a = ints_fetch_or_append(&p, src, 2);
    ints_append(&p, 9, 1);
    CHECK(ints_resize(&p, a, 1));
    b = ints_fetch_or_append(&p, src, 2);
    CHECK(!is_none(b) && !same(a, b));
    CHECK_EQ(ints_span(&p, b).len, 2);
    CHECK_EQ(ints_start(&p, b), 3);
    CHECK(same(ints_fetch_or_append(&p, src, 2), b));
    CHECK(!same(ints_fetch_or_append(&p, src, 1), a));
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

static uint32_t chained(const ints_t *p)
{
    uint32_t n = 0;
    ints_handle_t h;
    for (h = ints_first(p); !is_none(h); h = ints_next(p, h)) {
        n += p->core.spans[h.span].as.live.chain > 1;
    }
    return n;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Contents of one hash: each is found for itself, also where one of them was changed, and where the
 * other has another length. Among 400,000 hashes of 32 bits there are 18 equal pairs on average. */
TEST(pool, fetch_where_hashes_are_equal)
{
    enum { MANY = 400000 };
    static uint64_t hashes[MANY];
    ints_t p;
    ints_handle_t a, b, c;
    int k, x = 0, y = 0, pair[2] = { 0, 0 };
    uint32_t own;
    open_ints(t, &p);
    for (k = 0; k < MANY; k++) {
        a = ints_fetch_or_append(&p, &k, 1);
        hashes[k] = (uint64_t)p.core.spans[a.span].as.live.hash << 32 | (uint32_t)k;
        ints_free(&p, a);
    }
    qsort(hashes, MANY, sizeof *hashes, by_number);
    for (k = 0; k + 1 < MANY && x == y; k++)
        if (hashes[k] >> 32 == hashes[k + 1] >> 32) {
            x = (int)(uint32_t)hashes[k];
            y = (int)(uint32_t)hashes[k + 1];
        }
    a = ints_fetch_or_append(&p, &x, 1);
    if (x != y) {
        b = ints_fetch_or_append(&p, &y, 1);
        CHECK(!same(a, b));
        CHECK(same(ints_fetch_or_append(&p, &x, 1), a));
        CHECK(same(ints_fetch_or_append(&p, &y, 1), b));
        *ints_get(&p, b) = -1;
        c = ints_fetch_or_append(&p, &y, 1);
        CHECK(!same(b, c));
        CHECK(same(ints_fetch_or_append(&p, &x, 1), a));
        CHECK(same(ints_fetch_or_append(&p, &y, 1), c));
    }
    /* The hash of two elements is set to that of one, which is in the same chain now and then. */
    own = p.core.spans[a.span].as.live.hash;
    for (k = 0; k < 200; k++) {
        pair[0] = k;
        b = ints_fetch_or_append(&p, pair, 2);
        p.core.spans[a.span].as.live.hash = p.core.spans[b.span].as.live.hash;
        ints_free(&p, b);
        b = ints_fetch_or_append(&p, pair, 2);
        CHECK(!same(a, b));
        p.core.spans[a.span].as.live.hash = own;
        ints_free(&p, b);
    }
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

/* What was changed or resized and stored anew leaves the chain of its hash, or storing and freeing
 * took the longer the more often that happened. */
TEST(pool, fetch_of_what_is_changed_each_time)
{
    static const int src[] = { 1, 2, 3 };
    ints_t p;
    ints_handle_t f, last = none();
    int i;
    open_ints(t, &p);
    for (i = 0; i < 200; i++) {
        f = ints_fetch_or_append(&p, src, 3);
        CHECK(!same(f, last));
        CHECK(same(ints_fetch_or_append(&p, src, 3), f));
        CHECK_EQ(chained(&p), 1);
        CHECK(ints_is_valid(&p));
        last = f;
        switch (i % 4) {
        case 0: ints_get(&p, f)[i % 3] = 7 + i; break;
        case 1: CHECK(ints_resize(&p, f, 4)); break;
        case 2: CHECK(ints_resize(&p, f, 1) && ints_resize(&p, f, 3)); break;
        default:
            ints_append(&p, i, 1);
            CHECK(ints_resize(&p, f, 500)); /* Moves. */
            CHECK(ints_resize(&p, f, 3));
        }
    }
    /* Changed back it is what it was, while nothing took its place. */
    f = ints_fetch_or_append(&p, src, 3);
    ints_get(&p, f)[1] = 9;
    ints_get(&p, f)[1] = 2;
    CHECK(same(ints_fetch_or_append(&p, src, 3), f));
    CHECK_EQ(chained(&p), 1);
    ints_release(&p);
}

/* The hash depends on every byte and on the length, or chains were long. */
TEST(pool, fetch_hashes_every_byte)
{
    unsigned char src[50];
    octets_t p;
    octets_handle_t h;
    uint32_t hash;
    size_t n, k;
    memset(&p, 0, sizeof p);
    memset(src, 0, sizeof src);
    for (n = 1; n <= sizeof src; n++) {
        h = octets_fetch_or_append(&p, src, n);
        hash = p.core.spans[h.span].as.live.hash;
        for (k = 0; k < n; k++) {
            src[k] = 1;
            h = octets_fetch_or_append(&p, src, n);
            if (p.core.spans[h.span].as.live.hash == hash) {
                test_check(t, 0, __FILE__, __LINE__, "a byte that the hash does not depend on");
            }
            src[k] = 0;
        }
        h = octets_fetch_or_append(&p, src, n - 1);
        CHECK(n == 1 || p.core.spans[h.span].as.live.hash != hash);
    }
    octets_release(&p);
}

TEST(pool, fetch_outlives_moves_and_clear)
{
    static const int src[] = { 1, 2, 3 };
    ints_t p;
    ints_handle_t gap, f;
    open_ints(t, &p);
    gap = ints_append(&p, 0, 100);
    f = ints_fetch_or_append(&p, src, 3);
    ints_free(&p, gap);
    CHECK_EQ(ints_compact(&p, SIZE_MAX, NULL, NULL), 3);
    CHECK(same(ints_fetch_or_append(&p, src, 3), f));
    ints_clear(&p);
    CHECK(!same(ints_fetch_or_append(&p, src, 3), f));
    CHECK_EQ(ints_len(&p), 3);
    ints_release(&p);
}

TEST(pool, find_first_in_address_order)
{
    ints_t p;
    ints_handle_t a, b, c;
    int value = 5, six = 6;
    open_ints(t, &p);
    a = ints_append(&p, 4, 3);
    b = ints_append(&p, 4, 3);
    c = ints_append(&p, 5, 3);
    CHECK(same(ints_find(&p, is_value, &value), c));
    ints_get(&p, b)[2] = 5;
    CHECK(same(ints_find(&p, is_value, &value), b));
    CHECK(is_none(ints_find(&p, is_value, &six)));
    ints_free(&p, b);
    CHECK(same(ints_find(&p, is_value, &value), c));
    CHECK(is_none(ints_find(&p, NULL, NULL)));
    (void)a;
    ints_release(&p);
}

TEST(pool, find_or_append_matches_any_live_element)
{
    ints_t p;
    ints_handle_t a, b;
    int calls = 0;
    open_ints(t, &p);
    a = ints_append(&p, 1, 4);
    ints_get(&p, a)[3] = 2;
    /* NULL = same bytes; count is used only to append. */
    CHECK(same(ints_find_or_append(&p, 2, 1000, NULL, NULL), a));
    CHECK(same(ints_find_or_append(&p, 2, 0, NULL, NULL), a));
    b = ints_find_or_append(&p, 3, 5, NULL, NULL);
    CHECK(holds(&p, b, 3, 5));
    CHECK(same(ints_find_or_append(&p, 77, 1, same_sign, &calls), a));
    CHECK_EQ(calls, 1);
    b = ints_find_or_append(&p, -1, 2, same_sign, &calls);
    CHECK(holds(&p, b, -1, 2));
    CHECK_EQ(calls, 10);
    CHECK(same(ints_find_or_append(&p, -5, 2, same_sign, &calls), b));
    ints_free(&p, b);
    CHECK(!same(ints_find_or_append(&p, -5, 2, same_sign, &calls), b));
    ints_release(&p);
}

/* ---- handles ---- */

TEST(pool, handle_freed_and_double_freed)
{
    ints_t p;
    ints_handle_t h, other;
    open_ints(t, &p);
    other = ints_append(&p, 1, 4);
    h = ints_append(&p, 2, 4);
    CHECK_EQ(ints_free(&p, h), ARENA_OK);
    check_refused(t, &p, h);
    check_refused(t, &p, h);
    CHECK(holds(&p, other, 1, 4));
    ints_release(&p);
    check_refused(t, &p, other);
}

TEST(pool, handle_of_a_slot_used_again)
{
    ints_t p;
    ints_handle_t old[200], h;
    int i, j;
    open_ints(t, &p);
    ints_append(&p, 0, 1);
    for (i = 0; i < 200; i++) {
        old[i] = ints_append(&p, i, 4);
        CHECK_EQ(old[i].span, old[0].span);
        for (j = 0; j < i; j += 7) CHECK(ints_get(&p, old[j]) == NULL);
        CHECK(ints_get(&p, old[i]) != NULL);
        CHECK_EQ(ints_free(&p, old[i]), ARENA_OK);
    }
    h = ints_append(&p, 1, 1);
    for (j = 0; j < 200; j += 20) check_refused(t, &p, old[j]);
    CHECK(ints_get(&p, h) != NULL);
    ints_release(&p);
}

/* Of the least step that there is, generations go up by two; of every other one by two more than a
 * multiple of four, so that a slot goes through half of all numbers. */
TEST(pool, handle_of_a_slot_used_again_with_the_least_step)
{
    ints_t p;
    ints_handle_t h, old;
    uint32_t i;
    for (i = 0; i < 10; i++) {
        open_ints(t, &p);
        ints_append(&p, 1, 1);
        CHECK_EQ(p.core.step & 3u, 1);
        ints_release(&p);
    }
    open_ints(t, &p);
    p.core.step = 1;
    old = ints_append(&p, 1, 1);
    for (i = 1; i < 10; i++) {
        CHECK_EQ(ints_free(&p, old), ARENA_OK);
        h = ints_append(&p, 1, 1);
        CHECK_EQ(h.span, old.span);
        CHECK_EQ(h.generation, (uint32_t)(old.generation + 2));
        CHECK(ints_get(&p, old) == NULL && ints_get(&p, h) != NULL);
        old = h;
    }
    ints_release(&p);
}

/* What a move leaves behind has a slot for a while that no handle names: its generations are not
 * spent on that, or one comes back after far fewer than 2^31 uses, here after one. */
TEST(pool, handle_of_a_slot_that_a_move_used)
{
    ints_t p;
    ints_handle_t h, old;
    open_ints(t, &p);
    p.core.step = 0xFFFFFFFDu;
    h = ints_append(&p, 1, 2);
    ints_append(&p, 2, 1);
    old = ints_append(&p, 3, 1);
    CHECK_EQ(ints_free(&p, old), ARENA_OK);
    CHECK(ints_resize(&p, h, 3));
    CHECK_EQ(ints_start(&p, h), 3);
    h = ints_append(&p, 4, 2);
    CHECK_EQ(ints_start(&p, h), 0);
    CHECK_EQ(h.span, old.span);
    check_refused(t, &p, old);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, handle_of_another_pool)
{
    ints_t p, q;
    ints_handle_t mine[50], theirs[50];
    int i;
    open_ints(t, &p);
    open_ints(t, &q);
    for (i = 0; i < 50; i++) {
        mine[i] = ints_append(&p, i, 3);
        theirs[i] = ints_append(&q, i, 3);
    }
    for (i = 0; i < 50; i++) {
        check_refused(t, &p, theirs[i]);
        check_refused(t, &q, mine[i]);
    }
    ints_release(&p);
    ints_release(&q);
}

TEST(pool, handle_of_zero_and_of_random_bits)
{
    ints_t p;
    ints_handle_t h, holes[20];
    int i;
    open_ints(t, &p);
    for (i = 0; i < 20; i++) {
        holes[i] = ints_append(&p, i, 3);
        ints_append(&p, i, 3);
    }
    for (i = 0; i < 20; i += 2) ints_free(&p, holes[i]);
    check_refused(t, &p, none());
    for (i = 0; i < 20000; i++) {
        const uint64_t bits = test_random(t);
        h.span = i % 2 ? (uint32_t)bits % 64 : (uint32_t)bits;
        h.generation = (uint32_t)(bits >> 32);
        CHECK(ints_get(&p, h) == NULL);
    }
    check_refused(t, &p, h);
    /* Slot 0, which is no span but counts as live inside; and the generations of holes, which are
     * even. */
    h.span = 0;
    h.generation = 1;
    check_refused(t, &p, h);
    for (i = 0; i < 20; i++) {
        h = holes[i];
        h.generation++;
        check_refused(t, &p, h);
        h.generation -= 2;
        check_refused(t, &p, h);
    }
    h.span = UINT32_MAX;
    h.generation = UINT32_MAX;
    check_refused(t, &p, h);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, handle_from_before_clear_release_and_take)
{
    ints_t p;
    ints_handle_t h, again;
    size_t count;
    int *data, round;
    memset(&p, 0, sizeof p);
    for (round = 0; round < 3; round++) {
        h = ints_append(&p, 1, 4);
        CHECK(ints_get(&p, h) != NULL);
        if (round == 0) ints_clear(&p);
        if (round == 1) ints_release(&p);
        if (round == 2) {
            data = ints_take(&p, &count);
            arena_give_(NULL, data, count * sizeof *data, ints_align_);
        }
        check_refused(t, &p, h);
        again = ints_append(&p, 1, 4);
        check_refused(t, &p, h);
        CHECK_EQ(ints_free(&p, again), ARENA_OK);
    }
    ints_release(&p);
}

TEST(pool, at_finds_the_span_of_every_element)
{
    ints_t p;
    ints_handle_t h[300];
    size_t counts[300], start[300], e;
    int i;
    open_ints(t, &p);
    /* Small ones next to very large ones: zones with many spans, and long runs of zones with none.
     */
    for (i = 0; i < 300; i++) {
        counts[i] = i % 50 == 7 ? 5000 : (size_t)(test_random(t) % 9 + 1);
        h[i] = ints_append(&p, i, counts[i]);
        start[i] = ints_start(&p, h[i]);
    }
    for (i = 0; i < 300; i += 3) ints_free(&p, h[i]);
    for (i = 0; i < 300; i++) {
        for (e = start[i]; e<start[i] + counts[i]; e += counts[i]> 100 ? 617 : 1) {
            if (i % 3 == 0)
                CHECK(is_none(ints_at(&p, e)));
            else
                CHECK(same(ints_at(&p, e), h[i]));
        }
        e = start[i] + counts[i] - 1;
        if (i % 3 == 0)
            CHECK(is_none(ints_at(&p, e)));
        else
            CHECK(same(ints_at(&p, e), h[i]));
    }
    CHECK(is_none(ints_at(&p, ints_buffer_len(&p))));
    CHECK(is_none(ints_at(&p, (size_t)UINT32_MAX)));
    CHECK(is_none(ints_at(&p, SIZE_MAX)));
    ints_release(&p);
}

/* A hole that is the only one to begin in its zone: stored in whole, and in part. */
TEST(pool, at_in_a_zone_that_had_none)
{
    size_t count;
    for (count = 100; count <= 1500; count += 1400) {
        ints_t p;
        ints_handle_t h;
        int i;
        open_ints(t, &p);
        for (i = 0; i < 40; i++) ints_append(&p, i, 1);
        ints_append(&p, 40, 1000);
        h = ints_append(&p, 41, 1500);
        ints_append(&p, 42, 1);
        ints_append(&p, 43, 1);
        CHECK_EQ(p.core.zone_shift, 10);
        CHECK_EQ(ints_free(&p, h), ARENA_OK);
        CHECK(ints_is_valid(&p));
        h = ints_append(&p, 44, count);
        CHECK_EQ(ints_start(&p, h), 1040);
        CHECK(same(ints_at(&p, 1040), h) && same(ints_at(&p, 1039 + count), h));
        CHECK_EQ(is_none(ints_at(&p, 1040 + count)), count == 100);
        CHECK(ints_is_valid(&p));
        ints_release(&p);
    }
}

TEST(pool, at_across_a_span_of_many_zones)
{
    ints_t p;
    ints_handle_t h[1500], huge;
    size_t start[1500];
    int i;
    open_ints(t, &p);
    for (i = 0; i < 1500; i++) {
        if (i == 700) huge = ints_append(&p, -1, 100000);
        h[i] = ints_append(&p, i, 3);
        start[i] = ints_start(&p, h[i]);
    }
    for (i = 0; i < 100000; i += 997)
        CHECK(same(ints_at(&p, ints_start(&p, huge) + (size_t)i), huge));
    /* Places are found from either side: some are stored anew, out of order. */
    for (i = 0; i < 1500; i += 2) ints_free(&p, h[i]);
    for (i = 0; i < 1500; i += 2) {
        const int k = i * 7 % 1500;
        h[k] = ints_append(&p, k, 3);
        start[k] = ints_start(&p, h[k]);
    }
    for (i = 0; i < 1500; i++) CHECK(same(ints_at(&p, start[i] + (size_t)(i % 3)), h[i]));
    ints_free(&p, huge);
    CHECK(is_none(ints_at(&p, start[699] + 5)) || i == 0);
    for (i = 0; i < 1500; i += 3) ints_free(&p, h[i]);
    for (i = 0; i < 1500; i++) {
        if (i % 3 == 0)
            CHECK(is_none(ints_at(&p, start[i])));
        else
            CHECK(same(ints_at(&p, start[i]), h[i]));
    }
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, free_needs_no_memory)
{
    ints_t p;
    ints_handle_t h[1000];
    size_t allocs, frees, start = 0, count = 0;
    int i, order[1000], value = 3;
    open_ints(t, &p);
    for (i = 0; i < 1000; i++) {
        h[i] = ints_fetch_or_append(&p, &i, 1);
        order[i] = i;
    }
    for (i = 999; i > 0; i--) {
        const int j = (int)(test_random(t) % (uint64_t)(i + 1)), k = order[i];
        order[i] = order[j];
        order[j] = k;
    }
    t->mem.fail_from = 1;
    allocs = t->mem.allocs;
    frees = t->mem.frees;
    for (i = 0; i < 1000; i++) {
        if (order[i] != 3) {
            CHECK_EQ(ints_free(&p, h[order[i]]), ARENA_OK);
        }
        CHECK(same(ints_find(&p, is_value, &value), h[3]));
        CHECK(same(ints_fetch_or_append(&p, &value, 1), h[3]));
        CHECK(same(ints_find_or_append(&p, 3, 1, NULL, NULL), h[3]));
        CHECK(same(ints_at(&p, 3), h[3]));
        if (i % 100 == 0) CHECK(ints_is_valid(&p));
    }
    while (ints_next_free(&p, &start, &count)) CHECK(count > 0);
    ints_compact(&p, SIZE_MAX, NULL, NULL);
    ints_retain(&p, never_keep, &i);
    CHECK_EQ(t->mem.allocs, allocs);
    CHECK_EQ(t->mem.frees, frees);
    t->mem.fail_from = 0;
    ints_release(&p);
}

/* ---- exact ---- */

TEST(pool, exact_hole_of_every_size_is_the_one_reused)
{
    enum { MOST = 5000 };
    static octets_handle_t h[MOST + 1];
    static size_t start[MOST + 1];
    octets_t p;
    size_t n, k, capacity, len;
    memset(&p, 0, sizeof p);
    for (n = 1; n <= MOST; n++) {
        h[n] = octets_append(&p, 1, n);
        start[n] = octets_start(&p, h[n]);
        octets_append(&p, 2, 1);
    }
    capacity = octets_capacity(&p);
    len = octets_buffer_len(&p);
    /* Alone: the only hole there is. */
    for (n = 1; n <= MOST; n++) {
        CHECK_EQ(octets_free(&p, h[n]), ARENA_OK);
        h[n] = octets_append(&p, 3, n);
        CHECK_EQ(octets_start(&p, h[n]), start[n]);
    }
    /* Among holes of all sizes, in strides that visit each of them: freed, stored, freed. */
    for (k = 1; k <= MOST; k++) octets_free(&p, h[k * 1777 % MOST + 1]);
    CHECK_EQ(octets_stats(&p).free_spans, MOST);
    for (k = 1; k <= MOST; k++) {
        n = k * 3079 % MOST + 1;
        h[n] = octets_append(&p, 4, n);
        CHECK_EQ(octets_start(&p, h[n]), start[n]);
        if (k % 2 == 0) octets_free(&p, h[n]);
    }
    CHECK_EQ(octets_stats(&p).free_spans, MOST / 2);
    CHECK_EQ(octets_capacity(&p), capacity);
    CHECK_EQ(octets_buffer_len(&p), len);
    CHECK(octets_is_valid(&p));
    octets_release(&p);
}

TEST(pool, exact_hole_is_taken_before_larger_ones)
{
    ints_t p;
    ints_handle_t h[64];
    size_t start[64];
    int i;
    open_ints(t, &p);
    /* Holes of 100 to 163 elements, all in very few bins. */
    for (i = 0; i < 64; i++) {
        h[i] = ints_append(&p, 1, (size_t)(100 + i));
        start[i] = ints_start(&p, h[i]);
        ints_append(&p, 2, 1);
    }
    for (i = 0; i < 64; i++) ints_free(&p, h[i * 37 % 64]);
    for (i = 0; i < 64; i++) {
        const int k = i * 23 % 64;
        h[k] = ints_append(&p, 3, (size_t)(100 + k));
        CHECK_EQ(ints_start(&p, h[k]), start[k]);
        CHECK(ints_is_valid(&p));
    }
    /* And with every other one taken, the next larger one is. */
    for (i = 0; i < 64; i += 2) ints_free(&p, h[i]);
    for (i = 1; i < 63; i += 2) {
        ints_handle_t g = ints_append(&p, 3, (size_t)(100 + i));
        CHECK_EQ(ints_start(&p, g), start[i + 1]);
        ints_free(&p, g);
    }
    ints_release(&p);
}

TEST(pool, exact_range_of_every_size_can_be_allocated_whole)
{
    arena_pool_options_t o;
    size_t n;
    memset(&o, 0, sizeof o);
    for (n = 1; n <= 5000; n += n < 300 ? 1 : 13) {
        octets_t p;
        octets_handle_t h[3];
        size_t i;
        o.max_count = n;
        CHECK_EQ(octets_init(&p, &o), ARENA_OK);
        h[0] = octets_append(&p, 1, n);
        CHECK_EQ(octets_span(&p, h[0]).len, n);
        octets_free(&p, h[0]);
        /* Cut in up to three, freed, and whole again. */
        h[0] = octets_append(&p, 1, (n + 2) / 3);
        h[1] = octets_append(&p, 1, (n + 1) / 3);
        h[2] = octets_append(&p, 1, n / 3);
        CHECK_EQ(octets_len(&p), n);
        for (i = 0; i < 3; i++) octets_free(&p, h[(i + n) % 3]);
        octets_clear_status(&p);
        h[0] = octets_append(&p, 1, n);
        CHECK_EQ(octets_span(&p, h[0]).len, n);
        CHECK(octets_append(&p, 1, 1).span == 0);
        CHECK_EQ(octets_status(&p), ARENA_LIMIT);
        octets_release(&p);
    }
}

static void permute(struct test *t, int *order, int from, int n)
{
    ints_handle_t h[7];
    ints_t p;
    int i;
    if (from < n) {
        for (i = from; i < n; i++) {
            const int k = order[from];
            order[from] = order[i];
            order[i] = k;
            permute(t, order, from + 1, n);
            order[i] = order[from];
            order[from] = k;
        }
        return;
    }
    memset(&p, 0, sizeof p);
    for (i = 0; i < n; i++) h[i] = ints_append(&p, i, (size_t)(i % 3 + 1));
    for (i = 0; i < n; i++) {
        ints_free(&p, h[order[i]]);
        if (!ints_is_valid(&p)) test_check(t, 0, __FILE__, __LINE__, "is_valid");
    }
    if (ints_stats(&p).free_spans != 1 || ints_stats(&p).largest_free != ints_buffer_len(&p) ||
        ints_len(&p) != 0) {
        test_check(t, 0, __FILE__, __LINE__, "one free span");
    }
    ints_release(&p);
}

/* Holes of many sizes in few bins, in every order: the smallest that is large enough is taken, of
 * the bin or another. */
TEST(pool, exact_smallest_hole_that_is_large_enough)
{
    enum { HOLES = 60 };
    static octets_handle_t h[HOLES], walls[HOLES];
    size_t size[HOLES], start[HOLES], from = 16, k;
    int round;
    for (round = 0; round < 60; round++) {
        octets_t p;
        const bool one_bin = round % 4 == 1;
        size_t tries;
        memset(&p, 0, sizeof p);
        from = one_bin ? 4096 : round % 6 == 5 ? 1 : from * 2 > 4000 ? 16 : from * 2;
        for (k = 0; k < HOLES; k++) {
            size[k] = from + (size_t)(test_random(t) % (one_bin          ? 128
                                                        : round % 3 == 0 ? from * 3
                                                                         : from));
            h[k] = octets_append(&p, 1, size[k]);
            start[k] = octets_start(&p, h[k]);
            walls[k] = octets_append(&p, 2, 1);
        }
        for (k = 0; k < HOLES; k++) octets_free(&p, h[k]);
        CHECK(octets_is_valid(&p));
        for (tries = 0; tries < 80; tries++) {
            const size_t want = one_bin ? from - 40 + (size_t)(test_random(t) % 160)
                                        : from / 2 + 1 + (size_t)(test_random(t) % from);
            size_t best = HOLES, at;
            octets_handle_t g = octets_append(&p, 3, want);
            for (k = 0; k < HOLES; k++) {
                if (size[k] >= want && (best == HOLES || size[k] < size[best])) best = k;
            }
            at = octets_start(&p, g);
            if (best == HOLES) {
                CHECK_EQ(at, octets_start(&p, walls[HOLES - 1]) + 1);
                CHECK_EQ(octets_free(&p, g), ARENA_OK);
                continue;
            }
            /* Among holes of one size any will do. */
            for (k = 0; k < HOLES && !(start[k] == at && size[k] == size[best]); k++) {
            }
            CHECK(k < HOLES);
            if (k == HOLES) break;
            start[k] += want;
            size[k] -= want;
            if (!octets_is_valid(&p)) test_check(t, 0, __FILE__, __LINE__, "is_valid");
        }
        /* Walls fall in another order, and what is left of the holes goes with them. */
        for (k = 0; k < HOLES; k++) {
            octets_free(&p, walls[k * 37 % HOLES]);
            if (!octets_is_valid(&p)) test_check(t, 0, __FILE__, __LINE__, "is_valid");
        }
        octets_release(&p);
    }
}

TEST(pool, exact_all_orders_of_freeing_coalesce_to_one)
{
    int order[7], i;
    for (i = 0; i < 7; i++) order[i] = i;
    for (i = 1; i <= 7; i++) permute(t, order, 0, i);
    CHECK_EQ(order[0], 0);
}

TEST(pool, exact_nothing_is_rounded)
{
    octets_t p;
    size_t n, at = 0;
    memset(&p, 0, sizeof p);
    for (n = 1; n < 300; n++) {
        octets_handle_t h = octets_append(&p, 1, n);
        CHECK_EQ(octets_start(&p, h), at);
        CHECK_EQ(octets_span(&p, h).len, n);
        at += n;
    }
    CHECK_EQ(octets_len(&p), at);
    CHECK_EQ(octets_buffer_len(&p), at);
    octets_release(&p);
}

TEST(pool, exact_hole_needs_no_slot)
{
    /* A hole of the very size is found even if no memory is left for another span. */
    ints_t p;
    ints_handle_t h[64];
    size_t n = 0, start;
    open_ints(t, &p);
    while (n < 31) h[n++] = ints_append(&p, 1, 2);
    ints_free(&p, h[4]);
    start = 8;
    t->mem.fail_from = 1;
    CHECK(!is_none(h[4] = ints_append(&p, 2, 2)));
    CHECK_EQ(ints_start(&p, h[4]), start);
    CHECK(is_none(ints_append(&p, 2, 2)));
    CHECK_EQ(ints_status(&p), ARENA_NO_MEMORY);
    t->mem.fail_from = 0;
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, free_space_at_the_end_and_unused_room_are_one_range)
{
    ints_t p;
    ints_handle_t a, b;
    CHECK(open_fixed_ints(t, &p, 100));
    a = ints_append(&p, 1, 10);
    b = ints_append(&p, 2, 20);
    ints_free(&p, b);
    CHECK_EQ(ints_buffer_len(&p), 30);
    CHECK(ints_resize(&p, a, 100));
    CHECK_EQ(ints_start(&p, a), 0);
    CHECK(ints_resize(&p, a, 10));
    CHECK_EQ(ints_buffer_len(&p), 100);
    b = ints_append(&p, 2, 90);
    CHECK_EQ(ints_start(&p, b), 10);
    ints_release(&p);
}

/* ---- resize ---- */

/* buffer_len is what was ever used, whatever is used anew of it. */
TEST(pool, buffer_len_stays)
{
    ints_t p;
    ints_handle_t h;
    open_ints(t, &p);
    h = ints_append(&p, 1, 100);
    /* 1 KiB, where less is asked for. */
    CHECK_EQ(ints_capacity(&p), 256);
    CHECK(ints_resize(&p, h, 50));
    CHECK_EQ(ints_buffer_len(&p), 100);
    CHECK(ints_resize(&p, h, 60));
    CHECK_EQ(ints_buffer_len(&p), 100);
    ints_append(&p, 2, 20);
    CHECK_EQ(ints_buffer_len(&p), 100);
    CHECK_EQ(ints_stats(&p).free, 20);
    ints_append(&p, 3, 20);
    CHECK_EQ(ints_buffer_len(&p), 100);
    h = ints_append(&p, 4, 1);
    CHECK_EQ(ints_buffer_len(&p), 101);
    CHECK(ints_resize(&p, h, 2));
    CHECK_EQ(ints_buffer_len(&p), 102);
    ints_release(&p);
}

TEST(pool, resize_in_place_into_a_hole)
{
    ints_t p;
    ints_handle_t a, b, c;
    open_ints(t, &p);
    a = ints_append(&p, 1, 4);
    b = ints_append(&p, 2, 6);
    c = ints_append(&p, 3, 4);
    ints_free(&p, b);
    CHECK(ints_resize(&p, a, 7));
    CHECK_EQ(ints_start(&p, a), 0);
    CHECK_EQ(ints_span(&p, a).len, 7);
    CHECK_EQ(ints_stats(&p).free, 3);
    CHECK(ints_is_valid(&p));
    CHECK(ints_resize(&p, a, 10));
    CHECK_EQ(ints_stats(&p).free_spans, 0);
    CHECK_EQ(ints_get(&p, a)[3], 1);
    CHECK(holds(&p, c, 3, 4));
    CHECK(ints_is_valid(&p));
    CHECK(ints_resize(&p, a, 4));
    CHECK_EQ(ints_stats(&p).free, 6);
    CHECK(holds(&p, a, 1, 4));
    CHECK(ints_resize(&p, a, 4));
    /* Shrunk again, the hole behind grows. */
    CHECK(ints_resize(&p, a, 1));
    CHECK_EQ(ints_stats(&p).free, 9);
    CHECK_EQ(ints_stats(&p).free_spans, 1);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, resize_to_the_same_size_changes_nothing)
{
    ints_t p;
    ints_handle_t h[4];
    arena_pool_core_t before;
    int k;
    open_ints(t, &p);
    for (k = 0; k < 4; k++) h[k] = ints_append(&p, k, 5);
    CHECK_EQ(ints_free(&p, h[2]), ARENA_OK);
    CHECK_EQ(ints_compact(&p, 1, NULL, NULL), 5);
    h[2] = ints_append(&p, 2, 5);
    CHECK_EQ(ints_free(&p, h[3]), ARENA_OK);
    /* A live one, a hole and the end behind it. */
    before = p.core;
    for (k = 0; k < 3; k++) {
        CHECK(ints_resize(&p, h[k], 5));
        CHECK(holds(&p, h[k], k, 5));
        CHECK_MEM(&before, &p.core, sizeof before);
        CHECK(ints_is_valid(&p));
    }
    ints_release(&p);
}

TEST(pool, resize_moves_and_the_handle_stays)
{
    ints_t p;
    ints_handle_t a, b, gap, c;
    int i;
    open_ints(t, &p);
    a = ints_append(&p, 1, 4);
    b = ints_append(&p, 2, 4);
    gap = ints_append(&p, 0, 20);
    c = ints_append(&p, 3, 4);
    for (i = 0; i < 4; i++) ints_get(&p, a)[i] = i;
    ints_free(&p, gap);
    /* To the hole. */
    CHECK(ints_resize(&p, a, 20));
    CHECK_EQ(ints_start(&p, a), 8);
    for (i = 0; i < 4; i++) CHECK_EQ(ints_get(&p, a)[i], i);
    CHECK_EQ(ints_stats(&p).free, 4);
    CHECK(ints_is_valid(&p));
    /* To a hole that is larger than needed. */
    CHECK(ints_resize(&p, b, 3) && ints_resize(&p, b, 4));
    CHECK(ints_resize(&p, a, 4) && ints_resize(&p, b, 6));
    CHECK_EQ(ints_start(&p, b), 12);
    CHECK(ints_get(&p, b)[2] == 2 && ints_is_valid(&p));
    CHECK_EQ(ints_stats(&p).free, 8 + 10);
    CHECK(ints_resize(&p, b, 4));
    CHECK(ints_resize(&p, a, 8) && ints_start(&p, a) == 0);
    for (i = 0; i < 4; i++) CHECK_EQ(ints_get(&p, a)[i], i);
    /* To the end. */
    CHECK(ints_resize(&p, a, 40));
    CHECK_EQ(ints_start(&p, a), 32);
    for (i = 0; i < 4; i++) CHECK_EQ(ints_get(&p, a)[i], i);
    CHECK(ints_is_valid(&p));
    /* The last one grows where it is, and the buffer with it. */
    CHECK(ints_resize(&p, a, 4000));
    CHECK_EQ(ints_start(&p, a), 32);
    for (i = 0; i < 4; i++) CHECK_EQ(ints_get(&p, a)[i], i);
    /* Another one moves to the end of the larger buffer. */
    CHECK(ints_resize(&p, b, 9000));
    CHECK_EQ(ints_start(&p, b), 4032);
    CHECK_EQ(ints_get(&p, b)[2], 2);
    CHECK(holds(&p, c, 3, 4));
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, resize_slides_when_that_is_the_only_way)
{
    ints_t p;
    ints_handle_t a, b, c;
    int i, round;
    CHECK(open_fixed_ints(t, &p, 100));
    for (round = 0; round < 2; round++) {
        /* A hole of 20, the span, and room for 20 behind it: in a hole, then at the end. */
        a = ints_append(&p, 0, 20);
        b = ints_append(&p, 0, 60);
        c = round == 0 ? ints_append(&p, 0, 15) : none();
        for (i = 0; i < 60; i++) ints_get(&p, b)[i] = i;
        ints_free(&p, a);
        if (round == 0) {
            CHECK(ints_resize(&p, c, 20));
            ints_free(&p, c);
        }
        CHECK(ints_resize(&p, b, 99));
        CHECK_EQ(ints_start(&p, b), 0);
        for (i = 0; i < 60; i++) CHECK_EQ(ints_get(&p, b)[i], i);
        CHECK(ints_is_valid(&p));
        CHECK(ints_resize(&p, b, 100));
        CHECK(!ints_resize(&p, b, 101));
        CHECK_EQ(ints_status(&p), ARENA_LIMIT);
        ints_clear(&p);
    }
    /* Between two live ones. */
    a = ints_append(&p, 1, 10);
    b = ints_append(&p, 2, 20);
    c = ints_append(&p, 3, 10);
    ints_append(&p, 4, 60);
    ints_free(&p, a);
    ints_free(&p, c);
    CHECK(ints_resize(&p, b, 35));
    CHECK_EQ(ints_start(&p, b), 0);
    for (i = 0; i < 20; i++) CHECK_EQ(ints_get(&p, b)[i], 2);
    CHECK_EQ(ints_stats(&p).free, 5);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

/* A hole serves, where there is no room at the end and no memory. */
TEST(pool, resize_into_a_hole_of_a_full_buffer)
{
    ints_t p;
    ints_handle_t hole, last;
    CHECK(open_fixed_ints(t, &p, 20));
    ints_append(&p, 1, 3);
    hole = ints_append(&p, 2, 10);
    ints_append(&p, 3, 3);
    last = ints_append(&p, 4, 4);
    CHECK_EQ(ints_free(&p, hole), ARENA_OK);
    t->mem.fail_from = 1;
    CHECK(ints_resize(&p, last, 5));
    t->mem.fail_from = 0;
    CHECK_EQ(ints_start(&p, last), 3);
    CHECK_EQ(ints_buffer_len(&p), 20);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, resize_to_zero_is_an_error)
{
    ints_t p;
    ints_handle_t a;
    open_ints(t, &p);
    a = ints_append(&p, 1, 4);
    CHECK(!ints_resize(&p, a, 0));
    CHECK_EQ(ints_status(&p), ARENA_ARGUMENT);
    CHECK(holds(&p, a, 1, 4));
    ints_release(&p);
}

TEST(pool, resize_that_moves_without_memory)
{
    ints_t p;
    ints_handle_t h[31];
    int i;
    open_ints(t, &p);
    for (i = 0; i < 31; i++) h[i] = ints_append(&p, i, 4);
    t->mem.fail_from = 1;
    /* There is room at the end, but no slot for the hole that stays behind. */
    CHECK(!ints_resize(&p, h[3], 6));
    CHECK_EQ(ints_status(&p), ARENA_NO_MEMORY);
    /* And then not even room. */
    ints_clear_status(&p);
    CHECK(!ints_resize(&p, h[3], 6000));
    CHECK(!ints_resize(&p, h[30], 6000));
    CHECK_EQ(ints_status(&p), ARENA_NO_MEMORY);
    for (i = 0; i < 31; i++) CHECK(holds(&p, h[i], i, 4));
    CHECK(ints_is_valid(&p));
    t->mem.fail_from = 0;
    CHECK(ints_resize(&p, h[3], 6));
    ints_release(&p);
}

TEST(pool, resize_to_smaller_without_memory)
{
    ints_t p;
    ints_handle_t h[31];
    int i;
    open_ints(t, &p);
    for (i = 0; i < 31; i++) h[i] = ints_append(&p, 1, 4);
    t->mem.fail_from = 1;
    /* A hole between two live spans needs a slot, the other cases do not. */
    CHECK(!ints_resize(&p, h[3], 2));
    CHECK_EQ(ints_status(&p), ARENA_NO_MEMORY);
    CHECK(holds(&p, h[3], 1, 4));
    CHECK(ints_resize(&p, h[30], 2));
    CHECK_EQ(ints_free(&p, h[7]), ARENA_OK);
    CHECK(ints_resize(&p, h[6], 2));
    t->mem.fail_from = 0;
    CHECK(ints_resize(&p, h[3], 2));
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

/* ---- iteration ---- */

TEST(pool, elements_hold_handles_of_their_own_pool)
{
    twigs_t tree;
    buds_t buds;
    struct twig twig;
    struct bud bud;
    twigs_handle_t root, child;
    memset(&tree, 0, sizeof tree);
    memset(&buds, 0, sizeof buds);
    memset(&twig, 0, sizeof twig);
    twig.key = 1;
    root = twigs_append(&tree, twig, 1);
    CHECK(twigs_handle_empty(twigs_get(&tree, root)->parent));
    twig.key = 2;
    twig.parent = root;
    child = twigs_append(&tree, twig, 1);
    bud.twig = child;
    twigs_get(&tree, child)->bud = buds_append(&buds, bud, 1);
    bud = *buds_get(&buds, twigs_get(&tree, child)->bud);
    CHECK_EQ(twigs_get(&tree, bud.twig)->key, 2);
    CHECK_EQ(twigs_get(&tree, twigs_get(&tree, bud.twig)->parent)->key, 1);
    CHECK_EQ(twigs_free(&tree, root), ARENA_OK);
    CHECK(twigs_get(&tree, twigs_get(&tree, child)->parent) == NULL);
    CHECK(twigs_is_valid(&tree) && buds_is_valid(&buds));
    twigs_release(&tree);
    buds_release(&buds);
}

TEST(pool, iterate_in_address_order)
{
    ints_t p;
    ints_handle_t h[100], i;
    size_t at = 0, n = 0;
    int k;
    open_ints(t, &p);
    for (k = 0; k < 100; k++) h[k] = ints_append(&p, k, (size_t)(k % 5 + 1));
    for (k = 0; k < 100; k += 2) ints_free(&p, h[k]);
    for (k = 0; k < 50; k++) ints_append(&p, k, (size_t)(k % 3 + 1));
    for (i = ints_first(&p); !is_none(i); i = ints_next(&p, i)) {
        CHECK(n == 0 || ints_start(&p, i) >= at);
        at = ints_start(&p, i) + ints_span(&p, i).len;
        n++;
    }
    CHECK_EQ(n, 100);
    CHECK_EQ(n, ints_stats(&p).spans);
    ints_release(&p);
}

TEST(pool, iterate_taking_next_before_freeing)
{
    ints_t p;
    ints_handle_t i, next;
    int k, seen = 0;
    open_ints(t, &p);
    for (k = 0; k < 100; k++) ints_append(&p, k, (size_t)(k % 5 + 1));
    for (i = ints_first(&p); !is_none(i); i = next) {
        next = ints_next(&p, i);
        CHECK_EQ(*ints_get(&p, i), seen);
        seen++;
        CHECK_EQ(ints_free(&p, i), ARENA_OK);
    }
    CHECK_EQ(seen, 100);
    CHECK_EQ(ints_len(&p), 0);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, free_spans_in_address_order)
{
    ints_t p;
    ints_handle_t h[60];
    size_t start = 0, count = 0, n = 0, free_elements = 0, at = 0;
    int k;
    open_ints(t, &p);
    for (k = 0; k < 60; k++) h[k] = ints_append(&p, k, (size_t)(k % 5 + 1));
    for (k = 0; k < 60; k++) {
        if (k % 4 != 1) ints_free(&p, h[k]);
    }
    while (ints_next_free(&p, &start, &count)) {
        CHECK(count > 0);
        CHECK(n == 0 ? start == 0 : start > at);
        CHECK(is_none(ints_at(&p, start)));
        CHECK(is_none(ints_at(&p, start + count - 1)));
        at = start + count;
        free_elements += count;
        n++;
    }
    CHECK_EQ(at, ints_buffer_len(&p));
    CHECK_EQ(n, ints_stats(&p).free_spans);
    CHECK_EQ(free_elements, ints_buffer_len(&p) - ints_len(&p));
    /* From the middle of a free span on: those that begin behind. Nonsense is the end. */
    start = 1;
    count = 0;
    CHECK(ints_next_free(&p, &start, &count) && start > 1);
    start = SIZE_MAX;
    count = SIZE_MAX;
    CHECK(!ints_next_free(&p, &start, &count));
    start = 1;
    count = SIZE_MAX;
    CHECK(!ints_next_free(&p, &start, &count));
    CHECK(!ints_next_free(&p, NULL, &count));
    CHECK(!ints_next_free(&p, &start, NULL));
    ints_release(&p);
}

/* A pool with a table and without spans, in which there was a hole. */
TEST(pool, free_spans_of_a_pool_that_was_emptied)
{
    ints_t p;
    ints_handle_t h[3];
    size_t start = 0, count = 0;
    int k;
    open_ints(t, &p);
    for (k = 0; k < 3; k++) h[k] = ints_append(&p, k, 5);
    for (k = 0; k < 3; k++) CHECK_EQ(ints_free(&p, h[(k + 1) % 3]), ARENA_OK);
    CHECK(ints_next_free(&p, &start, &count));
    CHECK(start == 0 && count == 15);
    CHECK(!ints_next_free(&p, &start, &count));
    CHECK_EQ(ints_compact(&p, 100, NULL, NULL), 0);
    CHECK(is_none(ints_at(&p, 0)));
    CHECK(is_none(ints_first(&p)));
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

struct visit {
    struct test *t;
    ints_t *p;
    ints_handle_t h[40];
    int seen[40], calls, mode;
};

static bool visit_keep(ints_handle_t h, int *e, size_t count, void *ctx)
{
    struct visit *v = (struct visit *)ctx;
    struct test *t = v->t;
    const int k = *e;
    int i;
    CHECK(same(h, v->h[k]));
    CHECK_EQ(count, k % 5 + 1);
    CHECK(e == ints_get(v->p, h));
    v->seen[k]++;
    v->calls++;
    switch (v->mode) {
    case 0: return k % 2 == 0;
    case 1: /* Itself, and says either. */
        CHECK_EQ(ints_free(v->p, h), ARENA_OK);
        return k % 2 == 0;
    case 2: /* The next one, which is then not visited. */
        if (k + 1 < 40) CHECK_EQ(ints_free(v->p, v->h[k + 1]), ARENA_OK);
        return true;
    case 3: /* Itself and both neighbours, so that all of it is one hole. */
        CHECK_EQ(ints_free(v->p, h), ARENA_OK);
        if (k > 0) ints_free(v->p, v->h[k - 1]);
        if (k + 1 < 40) ints_free(v->p, v->h[k + 1]);
        return true;
    case 4: /* All that comes. */
        for (i = 1; i < 40 && v->calls == 1; i++) CHECK_EQ(ints_free(v->p, v->h[i]), ARENA_OK);
        return true;
    case 5: /* Everything, in the middle. */
        if (k == 20) ints_clear(v->p);
        return true;
    case 6:
        if (k == 20) ints_release(v->p);
        return false;
    default: /* Moves itself to the end, where it is visited once more. */
        if (v->seen[k] == 1 && k < 10) CHECK(ints_resize(v->p, h, (size_t)(k % 5 + 1) + 1000));
        if (v->seen[k] == 1 && k < 10) CHECK(ints_resize(v->p, h, (size_t)(k % 5 + 1)));
        return true;
    }
}

static void open_visit(struct test *t, struct visit *v, ints_t *p, int mode)
{
    int k;
    memset(v, 0, sizeof *v);
    open_ints(t, p);
    v->t = t;
    v->p = p;
    v->mode = mode;
    for (k = 0; k < 40; k++) v->h[k] = ints_append(p, k, (size_t)(k % 5 + 1));
}

TEST(pool, retain_frees_what_is_not_kept)
{
    struct visit v;
    ints_t p;
    int k;
    open_visit(t, &v, &p, 0);
    ints_retain(&p, visit_keep, &v);
    for (k = 0; k < 40; k++) {
        CHECK_EQ(v.seen[k], 1);
        CHECK((ints_get(&p, v.h[k]) != NULL) == (k % 2 == 0));
    }
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, retain_callback_frees_any_span)
{
    struct visit v;
    ints_t p;
    int k, mode;
    for (mode = 1; mode < 8; mode++) {
        open_visit(t, &v, &p, mode);
        if (mode == 7) ints_append(&p, 39, 1), ints_free(&p, ints_at(&p, ints_buffer_len(&p) - 1));
        ints_retain(&p, visit_keep, &v);
        CHECK(ints_is_valid(&p));
        CHECK_EQ(ints_status(&p), mode == 3 ? ARENA_STALE : ARENA_OK);
        for (k = 0; k < 40; k++) {
            switch (mode) {
            case 1: CHECK_EQ(v.seen[k], 1); break;
            case 2: CHECK_EQ(v.seen[k], k % 2 == 0); break;
            case 3: CHECK_EQ(v.seen[k], k % 2 == 0); break;
            case 4: CHECK_EQ(v.seen[k], k == 0); break;
            case 5: CHECK_EQ(v.seen[k], k <= 20); break;
            case 6: CHECK_EQ(v.seen[k], k <= 20); break;
            default: CHECK_EQ(v.seen[k], k < 10 ? 2 : 1); break;
            }
        }
        if (mode == 1 || mode == 5 || mode == 6) CHECK_EQ(ints_len(&p), 0);
        ints_release(&p);
    }
}

/* What a callback of retain did to the spans behind, in six ways; each is visited as documented. */
struct change {
    ints_t *p;
    ints_handle_t next;
    int mode, calls, seen;
};

static bool change_next(ints_handle_t h, int *e, size_t count, void *ctx)
{
    struct change *v = (struct change *)ctx;
    v->seen = v->seen * 10 + *e;
    if (v->calls++ != (v->mode == 5)) return true;
    switch (v->mode) {
    case 0: /* Itself, so that the next is the first of all. */
    case 5: /* Itself, with a span in front. */
        ints_free(v->p, h);
        break;
    case 1: /* Itself and the next. */
        ints_free(v->p, h);
        ints_free(v->p, v->next);
        break;
    case 2: /* Itself, and the next comes down to its place: it is not visited. */
        ints_free(v->p, h);
        ints_compact(v->p, 1, NULL, NULL);
        break;
    case 3: /* Two in its place, of which the second is further up. */
        ints_free(v->p, h);
        ints_append(v->p, 7, count - 2);
        ints_append(v->p, 8, 2);
        break;
    default: /* It moves to the end, and is visited there again. */
        ints_resize(v->p, h, count + 1);
    }
    return true;
}

TEST(pool, retain_callback_changes_what_comes_next)
{
    static const int seen[6] = { 123, 13, 13, 1823, 1231, 123 };
    int mode;
    for (mode = 0; mode < 6; mode++) {
        ints_t p;
        struct change v;
        memset(&v, 0, sizeof v);
        open_ints(t, &p);
        v.p = &p;
        v.mode = mode;
        ints_append(&p, 1, 4);
        v.next = ints_append(&p, 2, 4);
        ints_append(&p, 3, 4);
        ints_retain(&p, change_next, &v);
        CHECK_EQ(v.seen, seen[mode]);
        CHECK(ints_is_valid(&p));
        ints_release(&p);
    }
}

TEST(pool, retain_without_a_callback)
{
    ints_t p;
    open_ints(t, &p);
    ints_append(&p, 1, 3);
    ints_retain(&p, NULL, NULL);
    CHECK_EQ(ints_status(&p), ARENA_ARGUMENT);
    CHECK_EQ(ints_len(&p), 3);
    ints_release(&p);
}

static void visit_each(int *e, size_t count, void *ctx)
{
    struct visit *v = (struct visit *)ctx;
    struct test *t = v->t;
    CHECK_EQ(count, *e % 5 + 1);
    v->seen[*e]++;
    if (v->mode == 1) ints_free(v->p, v->h[*e]);
    if (v->mode == 2 && *e + 1 < 40) ints_free(v->p, v->h[*e + 1]);
}

TEST(pool, drain_visits_every_span_once_and_empties)
{
    struct visit v;
    ints_t p;
    int k, mode;
    for (mode = 0; mode < 3; mode++) {
        open_visit(t, &v, &p, mode);
        ints_drain(&p, visit_each, &v);
        for (k = 0; k < 40; k++) CHECK_EQ(v.seen[k], mode == 2 ? k % 2 == 0 : 1);
        CHECK_EQ(ints_len(&p), 0);
        CHECK_EQ(ints_buffer_len(&p), 0);
        for (k = 0; k < 40; k++) CHECK(ints_get(&p, v.h[k]) == NULL);
        CHECK(ints_is_valid(&p));
        ints_release(&p);
    }
    open_ints(t, &p);
    ints_append(&p, 1, 3);
    ints_drain(&p, NULL, NULL);
    CHECK_EQ(ints_len(&p), 0);
    ints_release(&p);
}

/* ---- compaction ---- */

struct replay {
    struct test *t;
    ints_t *p;
    int gpu[4000]; /* A copy of the buffer that only hears of moves. */
    size_t moved, moves, highest;
};

static void replay_move(void *ctx, size_t from, size_t to, size_t count)
{
    struct replay *r = (struct replay *)ctx;
    struct test *t = r->t;
    CHECK(to < from && from + count <= 4000);
    CHECK(to >=
          r->highest); /* Upwards, so that a move never writes what another one still reads. */
    r->highest = to + count;
    memmove(r->gpu + to, r->gpu + from, count * sizeof(int));
    r->moved += count;
    r->moves++;
}

TEST(pool, compact_within_a_budget_and_told)
{
    static struct replay r;
    ints_t p;
    ints_handle_t h[300], i;
    size_t budget = 25, done, total = 0, calls = 0;
    int k;
    open_ints(t, &p);
    memset(&r, 0, sizeof r);
    r.t = t;
    r.p = &p;
    for (k = 0; k < 300; k++) h[k] = ints_append(&p, k, (size_t)(k % 11 + 1));
    for (k = 0; k < 300; k++) {
        if (k % 3 != 1) ints_free(&p, h[k]);
    }
    memcpy(r.gpu, ints_data(&p), ints_buffer_len(&p) * sizeof(int));
    for (;;) {
        r.moved = 0;
        done = ints_compact(&p, budget, replay_move, &r);
        CHECK_EQ(done, r.moved);
        if (done == 0) break;
        total += done;
        calls++;
        CHECK(done < budget + 11);
        CHECK(ints_is_valid(&p));
        /* Contents, handles and the replayed copy are right at every step. */
        for (k = 1; k < 300; k += 3) {
            CHECK(holds(&p, h[k], k, (size_t)(k % 11 + 1)));
            CHECK_MEM(r.gpu + ints_start(&p, h[k]), ints_get(&p, h[k]),
                      (size_t)(k % 11 + 1) * sizeof(int));
        }
    }
    CHECK(calls > 10);
    CHECK_EQ(total, ints_len(&p));
    CHECK_EQ(ints_stats(&p).free_spans, 1);
    CHECK_EQ(ints_stats(&p).largest_free, ints_buffer_len(&p) - ints_len(&p));
    /* One prefix. */
    done = 0;
    for (i = ints_first(&p); !is_none(i); i = ints_next(&p, i)) {
        CHECK_EQ(ints_start(&p, i), done);
        done += ints_span(&p, i).len;
    }
    ints_release(&p);
}

TEST(pool, compact_moves_whole_spans_and_one_at_least)
{
    ints_t p;
    ints_handle_t a, b, c;
    open_ints(t, &p);
    a = ints_append(&p, 1, 1);
    b = ints_append(&p, 2, 50);
    c = ints_append(&p, 3, 50);
    ints_free(&p, a);
    CHECK_EQ(ints_compact(&p, 0, NULL, NULL), 50);
    CHECK_EQ(ints_start(&p, b), 0);
    CHECK_EQ(ints_start(&p, c), 51);
    CHECK(holds(&p, b, 2, 50));
    CHECK_EQ(ints_compact(&p, 1, NULL, NULL), 50);
    CHECK(holds(&p, c, 3, 50));
    CHECK_EQ(ints_compact(&p, 1, NULL, NULL), 0);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, compact_goes_on_after_changes_below)
{
    ints_t p;
    ints_handle_t h[50];
    int k;
    open_ints(t, &p);
    for (k = 0; k < 50; k++) h[k] = ints_append(&p, k, 4);
    ints_free(&p, h[10]);
    CHECK_EQ(ints_compact(&p, 8, NULL, NULL), 8);
    ints_free(&p, h[2]);
    CHECK(ints_resize(&p, h[1], 2));
    ints_append(&p, 99, 2);
    while (ints_compact(&p, 8, NULL, NULL) != 0) CHECK(ints_is_valid(&p));
    CHECK_EQ(ints_len(&p), 48 * 4);
    CHECK_EQ(ints_stats(&p).free_spans, 1);
    for (k = 3; k < 50; k++) {
        if (k != 10) CHECK(holds(&p, h[k], k, 4));
    }
    ints_release(&p);
}

static void free_first(void *ctx, size_t from, size_t to, size_t count)
{
    ints_t *p = (ints_t *)ctx;
    (void)from;
    (void)to;
    (void)count;
    ints_free(p, ints_first(p));
}

TEST(pool, compact_callback_frees)
{
    ints_t p;
    ints_handle_t h[50];
    int k;
    open_ints(t, &p);
    for (k = 0; k < 50; k++) h[k] = ints_append(&p, k, 4);
    ints_free(&p, h[0]);
    CHECK(ints_compact(&p, SIZE_MAX, free_first, &p) > 0);
    CHECK(ints_is_valid(&p));
    CHECK_EQ(ints_len(&p), 0);
    ints_release(&p);
}

/* The callback gives up what was moved, and moves the next one to the same place. */
struct moving {
    ints_t *p;
    ints_handle_t h;
    bool resize;
    int calls;
};

static void compact_again(void *ctx, size_t from, size_t to, size_t count)
{
    struct moving *v = (struct moving *)ctx;
    (void)from;
    (void)to;
    if (v->calls++ != 0) return;
    if (v->resize) ints_resize(v->p, v->h, count + 5);
    else ints_free(v->p, v->h);
    ints_compact(v->p, 1, NULL, NULL);
}

TEST(pool, compact_callback_compacts)
{
    int mode, k;
    for (mode = 0; mode < 2; mode++) {
        ints_t p;
        struct moving v;
        ints_handle_t h[6];
        memset(&v, 0, sizeof v);
        open_ints(t, &p);
        for (k = 0; k < 6; k++) h[k] = ints_append(&p, k, 4);
        ints_free(&p, h[0]);
        ints_free(&p, h[3]);
        v.p = &p;
        v.h = h[1];
        v.resize = mode == 1;
        CHECK(ints_compact(&p, SIZE_MAX, compact_again, &v) > 0);
        CHECK(v.calls > 1);
        CHECK(ints_is_valid(&p));
        CHECK_EQ(ints_start(&p, h[2]), 0);
        CHECK_EQ(ints_start(&p, h[4]), 4);
        CHECK_EQ(ints_start(&p, h[5]), 8);
        if (mode == 1) CHECK_EQ(ints_start(&p, h[1]), 12);
        for (k = 1; k < 6; k++)
            if (ints_get(&p, h[k]) != NULL) CHECK_EQ(*ints_get(&p, h[k]), k);
        ints_release(&p);
    }
}

#ifndef __wasi__
static bool free_and_keep(octets_handle_t h, unsigned char *e, size_t count, void *ctx)
{
    (void)e;
    (void)count;
    octets_free((octets_t *)ctx, h);
    return true;
}

static void only_told(void *ctx, size_t from, size_t to, size_t count)
{
    (void)from;
    (void)to;
    *(size_t *)ctx += count;
}
#endif

/* One large span makes zones so wide that one has all the others, and names the last of them: what
 * goes through them in order may not look each one up there. */
TEST(pool, compact_and_retain_where_one_zone_has_all)
{
#ifdef __wasi__
    SKIP("no clock of the process");
#else
    enum { SPANS = 20000, LARGE = 40000000 };
    static octets_handle_t h[SPANS];
    arena_pool_options_t o;
    octets_t p;
    octets_handle_t large;
    size_t told = 0, moved;
    clock_t from, base, took;
    int mode, i;
    memset(&o, 0, sizeof o);
    o.max_count = LARGE + SPANS;
    for (mode = 0; mode < 3; mode++) {
        CHECK_EQ(octets_init(&p, &o), ARENA_OK);
        for (i = 0; i < SPANS; i++) h[i] = octets_append(&p, 1, 1);
        large = octets_append(&p, 1, 1);
        CHECK(octets_resize(&p, large, LARGE - 1));
        octets_append(&p, 1, 1);
        from = clock();
        for (i = 0; i < SPANS - 1; i++) octets_free(&p, h[i]);
        for (i = 0; i < SPANS - 1; i++) h[i] = octets_append(&p, 1, 1);
        for (i = 0; i < SPANS - 1; i += 2) octets_free(&p, h[i]);
        base = clock() - from;
        from = clock();
        moved = 0;
        if (mode == 0) moved = octets_compact(&p, SPANS / 2 - 1, NULL, NULL);
        if (mode == 1) moved = octets_compact(&p, SPANS / 2 - 1, only_told, &told);
        if (mode == 2) octets_retain(&p, free_and_keep, &p);
        took = clock() - from;
        CHECK_EQ(moved, mode < 2 ? SPANS / 2 - 1 : 0);
        CHECK_EQ(told, mode > 0 ? SPANS / 2 - 1 : 0);
        CHECK(took <= 20 * base + CLOCKS_PER_SEC / 20);
        CHECK(octets_is_valid(&p));
        if (mode == 2) CHECK_EQ(octets_len(&p), 0);
        octets_release(&p);
    }
#endif
}

/* ---- options ---- */

TEST(pool, option_max_count_is_a_fixed_capacity)
{
    ints_t p;
    ints_handle_t a, b;
    int *data;
    CHECK(open_fixed_ints(t, &p, 10));
    CHECK_EQ(t->mem.allocs, 0);
    a = ints_append(&p, 1, 4);
    CHECK_EQ(ints_capacity(&p), 10);
    data = ints_data(&p);
    CHECK(is_none(ints_append(&p, 2, 7)));
    CHECK_EQ(ints_status(&p), ARENA_LIMIT);
    b = ints_append(&p, 2, 6);
    CHECK(holds(&p, b, 2, 6));
    CHECK(is_none(ints_append(&p, 3, 1)));
    CHECK(!ints_resize(&p, b, 7));
    CHECK(ints_data(&p) == data);
    CHECK_EQ(ints_capacity(&p), 10);
    ints_free(&p, a);
    CHECK(!is_none(ints_append(&p, 3, 4)));
    /* Options stay over release. */
    ints_release(&p);
    CHECK_EQ(ints_capacity(&p), 0);
    CHECK(is_none(ints_append(&p, 2, 11)));
    CHECK(!is_none(ints_append(&p, 2, 10)));
    ints_release(&p);
}

TEST(pool, option_reserve_keeps_pointers_where_they_are)
{
    arena_pool_options_t o;
    ints_t p;
    ints_handle_t h[100];
    int *first, k;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    o.reserve = 1000;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    CHECK_EQ(t->mem.allocs, 1);
    CHECK_EQ(t->mem.live_bytes, 4000);
    CHECK_EQ(ints_capacity(&p), 1000);
    CHECK(ints_is_valid(&p));
    h[0] = ints_append(&p, 0, 10);
    first = ints_get(&p, h[0]);
    for (k = 1; k < 100; k++) {
        h[k] = ints_append(&p, k, 10);
        CHECK(ints_get(&p, h[0]) == first);
    }
    CHECK(is_none(ints_append(&p, 1, 1)));
    CHECK_EQ(ints_status(&p), ARENA_LIMIT);
    CHECK(ints_get(&p, h[99]) == first + 990);
    /* Clear keeps the range, release gives it back, and the next store takes it again. */
    ints_clear(&p);
    CHECK(ints_get(&p, ints_append(&p, 1, 1000)) == first);
    ints_release(&p);
    CHECK_EQ(t->mem.live_bytes, 0);
    ints_append(&p, 1, 1);
    CHECK_EQ(ints_capacity(&p), 1000);
    ints_release(&p);
    /* With both, the smaller one counts. */
    o.max_count = 50;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    CHECK_EQ(ints_capacity(&p), 50);
    ints_release(&p);
    o.max_count = 5000;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    CHECK_EQ(ints_capacity(&p), 1000);
    ints_release(&p);
}

TEST(pool, option_reserve_that_fails_leaves_zero)
{
    arena_pool_options_t o;
    ints_t p, zero;
    memset(&o, 0, sizeof o);
    memset(&zero, 0, sizeof zero);
    o.hooks = t->hooks;
    o.reserve = 1000;
    t->mem.fail_at = 1;
    CHECK_EQ(ints_init(&p, &o), ARENA_NO_MEMORY);
    CHECK_MEM(&p, &zero, sizeof p);
    o.limit_bytes = 3999;
    CHECK_EQ(ints_init(&p, &o), ARENA_LIMIT);
    CHECK_MEM(&p, &zero, sizeof p);
    o.limit_bytes = 0;
    o.reserve = SIZE_MAX;
    CHECK(ints_init(&p, &o) != ARENA_OK);
    CHECK_MEM(&p, &zero, sizeof p);
    o.reserve = 0;
    o.max_count = SIZE_MAX / 2;
    CHECK(ints_init(&p, &o) != ARENA_OK);
    CHECK_MEM(&p, &zero, sizeof p);
    {
        pages_t q;
        o.max_count = 0xFFFFFFFFu;
        CHECK_EQ(pages_init(&q, &o), sizeof(size_t) > 4 ? ARENA_OK : ARENA_TOO_LARGE);
    }
    CHECK_EQ(t->mem.live_blocks, 0);
}

TEST(pool, option_align_of_the_buffer)
{
    arena_pool_options_t o;
    octets_t p;
    size_t align, n;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    for (align = 1; align <= 4096; align *= 2) {
        o.align = align;
        CHECK_EQ(octets_init(&p, &o), ARENA_OK);
        for (n = 1; n < 4000; n *= 3) {
            octets_append(&p, 1, n);
            CHECK_EQ((uintptr_t)octets_data(&p) % align, 0);
        }
        octets_release(&p);
    }
    /* And without hooks. */
    o.hooks = NULL;
    o.align = 4096;
    CHECK_EQ(octets_init(&p, &o), ARENA_OK);
    octets_append(&p, 1, 10000);
    CHECK_EQ((uintptr_t)octets_data(&p) % 4096, 0);
    octets_release(&p);
    for (align = 3; align < 100; align += align == 3 ? 2 : 7) {
        if ((align & (align - 1)) == 0) continue;
        o.align = align;
        CHECK_EQ(octets_init(&p, &o), ARENA_ARGUMENT);
    }
    o.align = SIZE_MAX;
    CHECK_EQ(octets_init(&p, &o), ARENA_ARGUMENT);
    /* An alignment that no block of malloc can have room for. */
    o.align = SIZE_MAX / 2 + 1;
    o.reserve = 16;
    CHECK_EQ(octets_init(&p, &o), ARENA_NO_MEMORY);
    CHECK(octets_is_valid(&p));
}

TEST(pool, option_hooks_both_or_neither)
{
    arena_pool_options_t o;
    arena_hooks_t hooks = *t->hooks;
    ints_t p;
    memset(&o, 0, sizeof o);
    o.hooks = &hooks;
    hooks.free = NULL;
    CHECK_EQ(ints_init(&p, &o), ARENA_ARGUMENT);
    hooks = *t->hooks;
    hooks.alloc = NULL;
    CHECK_EQ(ints_init(&p, &o), ARENA_ARGUMENT);
    /* They are copied. */
    hooks = *t->hooks;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    memset(&hooks, 0, sizeof hooks);
    CHECK(!is_none(ints_append(&p, 1, 1000)));
    CHECK_EQ(t->mem.live_bytes, ints_stats(&p).allocated);
    ints_release(&p);
}

TEST(pool, limit_is_exact)
{
    arena_pool_options_t o;
    ints_t p;
    ints_handle_t h;
    size_t need, n;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    /* What 1000 elements and a table take. */
    open_ints(t, &p);
    ints_append(&p, 1, 1000);
    need = ints_stats(&p).allocated;
    CHECK_EQ(need, t->mem.live_bytes);
    ints_release(&p);
    o.limit_bytes = need;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    CHECK(!is_none(ints_append(&p, 1, 1000)));
    ints_release(&p);
    o.limit_bytes = need - 1;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    CHECK(is_none(ints_append(&p, 1, 1000)));
    CHECK_EQ(ints_status(&p), ARENA_LIMIT);
    CHECK_EQ(t->mem.live_blocks, 0);
    /* One element less fits. */
    CHECK(!is_none(ints_append(&p, 1, 999)));
    ints_release(&p);
    /* Where twice as many are beyond it the buffer grows by what is needed, to the byte. */
    for (n = 0; n < 2; n++) {
        o.limit_bytes = 0;
        CHECK_EQ(ints_init(&p, &o), ARENA_OK);
        h = ints_append(&p, 1, 1000);
        CHECK_EQ(ints_capacity(&p), 1000);
        p.core.options.limit_bytes = need + 1010 * sizeof(int) - n;
        CHECK_EQ(is_none(ints_append(&p, 2, 10)), n);
        CHECK_EQ(ints_capacity(&p), n == 0 ? 1010 : 1000);
        CHECK_EQ(ints_status(&p), n == 0 ? ARENA_OK : ARENA_LIMIT);
        CHECK(holds(&p, h, 1, 1000));
        CHECK(ints_is_valid(&p));
        ints_release(&p);
    }
    /* Never exceeded while it grows by small steps, old and new buffer together, nor by a table. */
    for (n = 600; n < 20000; n += 777) {
        int k;
        o.limit_bytes = n;
        CHECK_EQ(ints_init(&p, &o), ARENA_OK);
        t->mem.peak_bytes = t->mem.live_bytes;
        for (k = 0; k < 3000; k++) {
            h = ints_append(&p, k, 1);
            if (is_none(h)) break;
            CHECK(t->mem.peak_bytes <= n);
        }
        CHECK(k < 3000);
        CHECK_EQ(ints_status(&p), ARENA_LIMIT);
        CHECK(ints_is_valid(&p));
        ints_release(&p);
    }
}

/* A heap that has no block of more than so many bytes. */
struct pool_small_heap {
    const arena_hooks_t *hooks;
    size_t largest;
};

static void *pool_small_alloc(void *ctx, size_t bytes, size_t align)
{
    const struct pool_small_heap *h = (const struct pool_small_heap *)ctx;
    return bytes > h->largest ? NULL : h->hooks->alloc(h->hooks->ctx, bytes, align);
}

static void pool_small_free(void *ctx, void *p, size_t bytes, size_t align)
{
    const struct pool_small_heap *h = (const struct pool_small_heap *)ctx;
    h->hooks->free(h->hooks->ctx, p, bytes, align);
}

/* "the buffer doubles, or grows to what is needed where that is refused": by the hook, too. */
TEST(pool, growth_by_less_where_the_hook_refuses_twice)
{
    struct pool_small_heap heap;
    arena_pool_options_t o;
    arena_hooks_t hooks;
    ints_t p;
    ints_handle_t h;
    memset(&o, 0, sizeof o);
    heap.hooks = t->hooks;
    heap.largest = 10000 * sizeof(int);
    hooks.alloc = pool_small_alloc;
    hooks.free = pool_small_free;
    hooks.ctx = &heap;
    o.hooks = &hooks;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    h = ints_append(&p, 7, 6000);
    CHECK(!is_none(h));
    CHECK_EQ(ints_capacity(&p), 6000);
    CHECK(!is_none(ints_append(&p, 8, 3999)));     /* 12,000 are refused, 9,999 are not */
    CHECK_EQ(ints_capacity(&p), 9999);
    CHECK_EQ(ints_status(&p), ARENA_OK);
    CHECK(!is_none(ints_append(&p, 9, 1)));
    CHECK_EQ(ints_capacity(&p), 10000);
    CHECK(is_none(ints_append(&p, 10, 1)));
    CHECK_EQ(ints_status(&p), ARENA_NO_MEMORY);
    CHECK_EQ(ints_len(&p), 10000);
    CHECK_EQ(ints_get(&p, h)[5999], 7);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
    CHECK_EQ(t->mem.live_blocks, 0);
}

/* "kept until cleared, which clear and drain do, too": release and take leave it, as an arena's
 * release does. */
TEST(pool, status_outlives_release_and_take)
{
    size_t count;
    int *data;
    ints_t p;
    open_ints(t, &p);
    CHECK(ints_handle_empty(none()));
    CHECK(!ints_handle_empty(ints_append(&p, 1, 3)));
    CHECK(ints_handle_empty(ints_append_copy(&p, NULL, 1)));
    CHECK_EQ(ints_status(&p), ARENA_ARGUMENT);
    data = ints_take(&p, &count);
    CHECK(data != NULL);
    CHECK_EQ(count, 3);
    arena_give_(t->hooks, data, count * sizeof *data, ints_align_);
    CHECK_EQ(ints_status(&p), ARENA_ARGUMENT);
    ints_release(&p);
    CHECK_EQ(ints_status(&p), ARENA_ARGUMENT);
    ints_clear(&p);
    CHECK_EQ(ints_status(&p), ARENA_OK);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

/* Where twice as many slots are beyond the limit, a table grows by an eighth, if that is less. */
TEST(pool, limit_lets_a_table_grow_by_less)
{
    const size_t slot = sizeof(arena_pool_span_t_);
    arena_pool_options_t o;
    ints_t p;
    arena_pool_stats_t before, after;
    int by, k;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    o.reserve = 4000;
    for (by = 0; by < 2; by++) {
        o.limit_bytes = 4000 * sizeof(int) + (1024 + 1536) * slot - (by == 0 ? 0 : 1);
        CHECK_EQ(ints_init(&p, &o), ARENA_OK);
        for (k = 0; k < 511; k++) ints_append(&p, k, 1);
        CHECK_EQ(ints_stats(&p).allocated, 4000 * sizeof(int) + 512 * slot);
        for (; k < 1023; k++) ints_append(&p, k, 1);
        before = ints_stats(&p);
        CHECK_EQ(before.allocated, 4000 * sizeof(int) + 1024 * slot);
        CHECK_EQ(is_none(ints_append(&p, k, 1)), by);
        after = ints_stats(&p);
        if (by == 0) {
            CHECK_EQ(after.allocated, 4000 * sizeof(int) + 1536 * slot);
            for (k = 1024; k < 1535; k++) ints_append(&p, k, 1);
            CHECK_EQ(ints_status(&p), ARENA_OK);
            CHECK(is_none(ints_append(&p, k, 1)));
            CHECK_EQ(ints_stats(&p).spans, 1535);
        } else {
            CHECK_MEM(&before, &after, sizeof before);
        }
        CHECK_EQ(ints_status(&p), ARENA_LIMIT);
        CHECK(ints_is_valid(&p));
        ints_release(&p);
    }
    /* Small tables have whole sixteens: an eighth and 16 more, or twice as many. */
    o.limit_bytes = 0;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    for (k = 0; k < 31; k++) ints_append(&p, k, 1);
    for (by = 1; by < 6; by++) {
        static const uint32_t slots[] = { 32, 48, 96, 112, 128, 160 };
        if (slots[by] != slots[by - 1] * 2) {
            p.core.options.limit_bytes = p.core.allocated + 2 * slots[by - 1] * slot - 1;
        }
        ints_append(&p, k++, 1);
        CHECK_EQ(p.core.slots, slots[by]);
        while (k < (int)slots[by] - 1) ints_append(&p, k++, 1);
        CHECK_EQ(p.core.slots, slots[by]);
        p.core.options.limit_bytes = 0;
    }
    ints_release(&p);
    /* Of 512 slots an eighth more, in whole words of bits, would be no less than 1024. */
    o.limit_bytes = 4000 * sizeof(int) + (512 + 1024) * slot - 1;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    for (k = 0; k < 511; k++) ints_append(&p, k, 1);
    CHECK_EQ(ints_status(&p), ARENA_OK);
    CHECK(is_none(ints_append(&p, k, 1)));
    CHECK_EQ(ints_status(&p), ARENA_LIMIT);
    CHECK_EQ(ints_stats(&p).allocated, 4000 * sizeof(int) + 512 * slot);
    CHECK(ints_is_valid(&p));
    ints_release(&p);
}

TEST(pool, limit_of_spans_and_elements_is_told_apart)
{
    octets_t p;
    memset(&p, 0, sizeof p);
#if SIZE_MAX > 0xFFFFFFFFu
    CHECK(octets_append(&p, 1, (size_t)1 << 32).span == 0);
    CHECK_EQ(octets_status(&p), ARENA_REF_RANGE);
    octets_clear_status(&p);
#endif
    CHECK(octets_append(&p, 1, SIZE_MAX).span == 0);
    CHECK_EQ(octets_status(&p), ARENA_TOO_LARGE);
    octets_release(&p);
}

/* ---- failures ---- */

TEST(pool, too_large)
{
    static const size_t counts[] = { SIZE_MAX,
                                     SIZE_MAX - 1,
                                     SIZE_MAX / 2,
                                     SIZE_MAX / 2 + 1,
                                     SIZE_MAX / 12,
                                     SIZE_MAX / 12 + 1,
                                     SIZE_MAX / 12 - 1,
                                     (size_t)PTRDIFF_MAX / 12 + 1,
                                     (size_t)PTRDIFF_MAX,
                                     (size_t)PTRDIFF_MAX + 1 };
    struct vertex v = { 1, 2, 3 };
    meshes_t p;
    meshes_handle_t h, one;
    size_t i;
    int filled;
    memset(&p, 0, sizeof p);
    for (filled = 0; filled < 2; filled++) {
        for (i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            const arena_pool_stats_t before = meshes_stats(&p);
            arena_pool_stats_t after;
            meshes_clear_status(&p);
            h = meshes_append(&p, v, counts[i]);
            CHECK(h.span == 0 && h.generation == 0);
            CHECK(meshes_status(&p) == ARENA_TOO_LARGE || meshes_status(&p) == ARENA_REF_RANGE);
            CHECK(meshes_append_copy(&p, &v, counts[i]).span == 0);
            CHECK(meshes_fetch_or_append(&p, &v, counts[i]).span == 0);
            v.x = 7;
            CHECK(meshes_find_or_append(&p, v, counts[i], NULL, NULL).span == 0);
            v.x = 1;
            if (filled) {
                meshes_clear_status(&p);
                CHECK(!meshes_resize(&p, one, counts[i]));
                CHECK(meshes_status(&p) == ARENA_TOO_LARGE || meshes_status(&p) == ARENA_REF_RANGE);
            }
            after = meshes_stats(&p);
            CHECK_MEM(&before, &after, sizeof before);
        }
        one = meshes_append(&p, v, 3);
    }
    CHECK(meshes_is_valid(&p));
    meshes_release(&p);
}

/* The largest counts, with an allocator that only pretends: everything up to 2^32 - 1 elements, and
 * the one too many. Not where fills or a sanitizer's records are written for all of it. */
#if !defined ARENA_POOL_WATCHED_ && !defined ARENA_TYSAN_ && ARENA_DEBUG == 0
#define PRETENDS
static char few[64];
#if SIZE_MAX > 0xFFFFFFFFu
static void *pretend(void *ctx, size_t bytes, size_t align)
{
    (void)align;
    if (bytes == 0xFFFFFFFFu) return few;
    return ((const arena_hooks_t *)ctx)->alloc(((const arena_hooks_t *)ctx)->ctx, bytes, align);
}
#endif
static void *pretend_giants(void *ctx, size_t bytes, size_t align)
{
    (void)align;
    if (bytes > (size_t)PTRDIFF_MAX / 4) return few;
    return ((const arena_hooks_t *)ctx)->alloc(((const arena_hooks_t *)ctx)->ctx, bytes, align);
}
static void pretend_free(void *ctx, void *p, size_t bytes, size_t align)
{
    if (p != few)
        ((const arena_hooks_t *)ctx)->free(((const arena_hooks_t *)ctx)->ctx, p, bytes, align);
}
#endif

TEST(pool, limit_of_elements)
{
#if SIZE_MAX > 0xFFFFFFFFu && defined PRETENDS
    arena_pool_options_t o;
    arena_hooks_t hooks;
    octets_t p;
    octets_handle_t a;
    size_t start, count;
    const unsigned char one = 1;
    memset(&o, 0, sizeof o);
    memcpy(&hooks.ctx, &t->hooks, sizeof hooks.ctx);
    hooks.alloc = pretend;
    hooks.free = pretend_free;
    o.hooks = &hooks;
    o.reserve = (size_t)1 << 32;
    CHECK_EQ(octets_init(&p, &o), ARENA_REF_RANGE);
    o.reserve = 0;
    o.max_count = (size_t)1 << 32;
    CHECK_EQ(octets_init(&p, &o), ARENA_REF_RANGE);
    o.max_count = 0;
    o.reserve = 0xFFFFFFFFu;
    CHECK_EQ(octets_init(&p, &o), ARENA_OK);
    CHECK_EQ(octets_capacity(&p), 0xFFFFFFFFu);
    a = octets_append(&p, 1, 1);
    /* In place, where nothing is written. */
    CHECK(octets_resize(&p, a, 0xFFFFFFFFu));
    CHECK(octets_is_valid(&p));
    CHECK_EQ(octets_at(&p, 0xFFFFFFFEu).span, a.span);
    CHECK_EQ(octets_at(&p, 0xFFFFFFFFu).span, 0);
    CHECK(octets_append(&p, 1, 1).span == 0);
    CHECK_EQ(octets_status(&p), ARENA_LIMIT);
    octets_clear_status(&p);
    CHECK(!octets_resize(&p, a, (size_t)1 << 32));
    CHECK_EQ(octets_status(&p), ARENA_REF_RANGE);
    octets_clear_status(&p);
    /* Nor is so long a source read, be it to hash it. */
    count = (size_t)1 << 32;
    CHECK(octets_append_copy(&p, &one, count).span == 0);
    CHECK_EQ(octets_status(&p), ARENA_REF_RANGE);
    octets_clear_status(&p);
    CHECK(octets_fetch_or_append(&p, &one, count).span == 0);
    CHECK_EQ(octets_status(&p), ARENA_REF_RANGE);
    octets_clear_status(&p);
    /* The same without a fixed capacity. */
    p.core.options.reserve = 0;
    CHECK(octets_append(&p, 1, 1).span == 0);
    CHECK_EQ(octets_status(&p), ARENA_REF_RANGE);
    octets_clear_status(&p);
    CHECK(octets_resize(&p, a, 0xFFFFFFFEu));
    CHECK(octets_append(&p, 1, 2).span == 0);
    /* The last element alone: placed, and not filled since nothing is there. */
    CHECK_EQ(arena_pool_place_(&p.core, 1, &octets_shape_), 2);
    CHECK_EQ(octets_at(&p, 0xFFFFFFFEu).span, 2);
    CHECK_EQ(octets_at(&p, 0xFFFFFFFDu).span, a.span);
    CHECK(octets_is_valid(&p));
    /* The largest hole that there is, and what fills it. */
    CHECK_EQ(octets_free(&p, a), ARENA_OK);
    CHECK(octets_is_valid(&p));
    CHECK_EQ(octets_stats(&p).largest_free, 0xFFFFFFFEu);
    CHECK_EQ(arena_pool_place_(&p.core, 0xFFFFFFFEu, &octets_shape_), a.span);
    a = octets_at(&p, 0);
    CHECK_EQ(octets_span(&p, a).len, 0xFFFFFFFEu);
    CHECK(octets_is_valid(&p));
    /* To go on behind all that there is is to be at the end, and not at the beginning again. */
    CHECK_EQ(octets_free(&p, a), ARENA_OK);
    start = 0xFFFFFFF0u;
    count = 0x10;
    CHECK(!octets_next_free(&p, &start, &count));
    start = count = 0;
    CHECK(octets_next_free(&p, &start, &count));
    CHECK_EQ(count, 0xFFFFFFFEu);
    CHECK_EQ(arena_pool_place_(&p.core, 0xFFFFFFFEu, &octets_shape_), a.span);
    a = octets_at(&p, 0);
    CHECK_EQ(octets_free(&p, octets_at(&p, 0xFFFFFFFEu)), ARENA_OK);
    CHECK_EQ(octets_status(&p), ARENA_REF_RANGE);
    CHECK(octets_is_valid(&p));
    CHECK_EQ(octets_free(&p, a), ARENA_OK);
    CHECK_EQ(octets_stats(&p).largest_free, 0xFFFFFFFFu);
    p.core.options.reserve = 0xFFFFFFFFu;
    octets_release(&p);
#else
    SKIP("needs a size_t of more than 32 bits and memory that nobody writes to");
#endif
}

/* Elements of which PTRDIFF_MAX bytes hold three, with an allocator that only pretends: the core is
 * called, since no such element can be passed. Nothing is copied while a pool that is empty grows.
 */
TEST(pool, limit_of_bytes)
{
#ifdef PRETENDS
    const arena_shape_t_ giant = { (size_t)PTRDIFF_MAX / 4 + 1, 1, 0 };
    const arena_shape_t_ large = { (size_t)PTRDIFF_MAX / 8 + 1, 1, 0 };
    arena_pool_options_t o;
    arena_hooks_t hooks;
    arena_pool_core_t c;
    arena_pool_stats_t before, after;
    memset(&o, 0, sizeof o);
    memcpy(&hooks.ctx, &t->hooks, sizeof hooks.ctx);
    hooks.alloc = pretend_giants;
    hooks.free = pretend_free;
    o.hooks = &hooks;
    o.reserve = 4;
    CHECK_EQ(arena_pool_init_(&c, &o, &giant), ARENA_TOO_LARGE);
    o.reserve = 0;
    CHECK_EQ(arena_pool_init_(&c, &o, &giant), ARENA_OK);
    CHECK_EQ(arena_pool_place_(&c, 4, &giant), 0);
    CHECK_EQ(c.status, ARENA_TOO_LARGE);
    CHECK_EQ(arena_pool_place_(&c, 1, &giant), 1);
    CHECK_EQ(c.capacity, 1);
    arena_pool_clear_(&c, &giant);
    /* Twice one is two, and less than what there may be; but two is more than half of that. */
    CHECK(arena_pool_place_(&c, 2, &giant) != 0);
    CHECK_EQ(c.capacity, 3);
    CHECK_EQ(c.status, ARENA_OK);
    before = arena_pool_stats_(&c);
    CHECK_EQ(arena_pool_place_(&c, 2, &giant), 0);
    CHECK_EQ(c.status, ARENA_TOO_LARGE);
    after = arena_pool_stats_(&c);
    CHECK_MEM(&before, &after, sizeof before);
    CHECK(arena_pool_place_(&c, 1, &giant) != 0);
    CHECK_EQ(c.end, 3);
    CHECK(arena_pool_is_valid_(&c, &giant));
    arena_pool_release_(&c, &giant);
    /* PTRDIFF_MAX bytes hold seven of these. Two are more than a third of that and less than half:
     * twice as many will do. */
    CHECK_EQ(arena_pool_init_(&c, &o, &large), ARENA_OK);
    CHECK(arena_pool_place_(&c, 2, &large) != 0);
    CHECK_EQ(c.capacity, 2);
    arena_pool_clear_(&c, &large);
    CHECK(arena_pool_place_(&c, 3, &large) != 0);
    CHECK_EQ(c.capacity, 4);
    arena_pool_release_(&c, &large);
#else
    SKIP("needs memory that nobody writes to");
#endif
}

/* take, and what it gave given back at once. */
static int taken(struct test *t, ints_t *p, size_t *count)
{
    int *data = ints_take(p, count);
    if (data == NULL) return 0;
    arena_give_(t->hooks, data, *count * sizeof *data, ints_align_);
    return 1;
}

/* A scenario that calls everything that may fail, on a pool that is checked after each call. */
static int scenario(struct test *t, ints_t *p)
{
    static const int src[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    arena_pool_options_t o;
    ints_handle_t h[40];
    ints_t other;
    size_t count, i;
    int failed = 0;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    if (ints_init(&other, &o) != ARENA_OK) return 1;
#define STEP(call)                                                                                 \
    do {                                                                                           \
        const arena_pool_stats_t before = ints_stats(p);                                           \
        const size_t refused = t->mem.refused;                                                     \
        ints_clear_status(p);                                                                      \
        if (!(call)) {                                                                             \
            const arena_pool_stats_t after = ints_stats(p);                                        \
            failed = 1;                                                                            \
            CHECK(t->mem.refused > refused);                                                       \
            CHECK_EQ(ints_status(p), ARENA_NO_MEMORY);                                             \
            CHECK_MEM(&before, &after, sizeof before);                                             \
        } else {                       /* where twice was refused, less did */                     \
            CHECK(t->mem.refused <= refused + 1);                                                  \
        }                                                                                          \
        CHECK(ints_is_valid(p));                                                                   \
        CHECK_EQ(ints_stats(p).allocated + ints_stats(&other).allocated, t->mem.live_bytes);       \
    } while (0)
    for (i = 0; i < 40; i++) {
        h[i] = none();
        STEP(!is_none(h[i] = ints_append(p, (int)i, i * 7 % 13 + 1)));
    }
    for (i = 0; i < 40; i += 3) ints_free(p, h[i]);
    STEP(!is_none(ints_append_copy(p, src, 9)));
    STEP(!is_none(ints_fetch_or_append(p, src, 9)));
    STEP(!is_none(ints_fetch_or_append(p, src, 9)));
    STEP(!is_none(ints_find_or_append(p, 1234, 600, NULL, NULL)));
    for (i = 1; i < 40; i += 3) {
        if (!is_none(h[i])) STEP(ints_resize(p, h[i], i * 40));
        if (!is_none(h[i]) && ints_span(p, h[i]).len > 2) STEP(ints_resize(p, h[i], 2));
    }
    for (i = 0; i < 60; i++) STEP(!is_none(ints_append(p, 5, 3)));
    ints_compact(p, 100, NULL, NULL);
    {
        /* The failure is the other pool's. */
        const arena_pool_stats_t before = ints_stats(&other);
        if (!ints_copy(&other, p)) {
            const arena_pool_stats_t after = ints_stats(&other);
            CHECK_EQ(ints_status(&other), ARENA_NO_MEMORY);
            CHECK_MEM(&before, &after, sizeof before);
            failed = 1;
        }
        CHECK(ints_is_valid(&other));
    }
    ints_release(&other);
    for (i = 0; i < 2; i++) {
        const size_t len = ints_buffer_len(p);
        STEP(taken(t, p, &count) || len == 0);
        CHECK(count == len || count == 0);
    }
    STEP(!is_none(ints_append(p, 1, 5)));
    ints_release(p);
    CHECK_EQ(t->mem.live_bytes, 0);
    return failed;
#undef STEP
}

TEST(pool, failure_at_every_allocation)
{
    ints_t p;
    size_t n;
    int from;
    for (from = 0; from < 2; from++) {
        for (n = 1; n < 1000; n++) {
            const size_t refused = t->mem.refused;
            int failed;
            open_ints(t, &p);
            t->mem.fail_at = from ? 0 : n;
            t->mem.fail_from = from ? n : 0;
            failed = scenario(t, &p);
            t->mem.fail_at = t->mem.fail_from = 0;
            if (t->mem.refused == refused) {           /* there is no nth */
                CHECK(!failed);
                break;
            }
            if (from) CHECK(failed);
        }
        CHECK(n > 10 && n < 1000);
    }
}

struct heard {
    jmp_buf back;
    arena_status_t status;
    size_t bytes;
    int calls, jump;
};

static void hear(void *ctx, arena_status_t status, size_t bytes)
{
    struct heard *h = (struct heard *)ctx;
    h->status = status;
    h->bytes = bytes;
    h->calls++;
    if (h->jump) longjmp(h->back, 1);
}

TEST(pool, error_is_told)
{
    arena_pool_options_t o;
    static struct heard e;
    ints_t p;
    ints_handle_t h;
    octets_t q;
    memset(&o, 0, sizeof o);
    memset(&e, 0, sizeof e);
    o.hooks = t->hooks;
    o.on_error = hear;
    o.on_error_ctx = &e;
    /* SIZE_MAX bytes are no size, as in an arena. */
    CHECK_EQ(octets_init(&q, &o), ARENA_OK);
    CHECK(octets_append(&q, 1, SIZE_MAX).span == 0);
    CHECK(e.calls == 1 && e.status == ARENA_TOO_LARGE && e.bytes == 0);
    CHECK(octets_append(&q, 1, SIZE_MAX - 1).span == 0);
    CHECK(e.calls == 2 && e.status == ARENA_TOO_LARGE && e.bytes == SIZE_MAX - 1);
    e.calls = 0;
    o.max_count = 100;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    CHECK(is_none(ints_append(&p, 1, 101)));
    CHECK(e.calls == 1 && e.status == ARENA_LIMIT && e.bytes == 404);
    CHECK(is_none(ints_append(&p, 1, SIZE_MAX)));
    CHECK(e.calls == 2 && e.status == ARENA_TOO_LARGE && e.bytes == 0);
    t->mem.fail_at = 1;
    CHECK(is_none(ints_append(&p, 1, 7)));
    CHECK(e.calls == 3 && e.status == ARENA_NO_MEMORY && e.bytes == 28);
    CHECK(is_none(ints_append_copy(&p, NULL, 2)));
    CHECK(e.calls == 4 && e.status == ARENA_ARGUMENT && e.bytes == 8);
    CHECK_EQ(ints_free(&p, none()), ARENA_STALE);
    CHECK(e.calls == 5 && e.status == ARENA_STALE && e.bytes == 0);
    h = ints_append(&p, 1, 7);
    CHECK(!ints_resize(&p, h, 0));
    CHECK(e.calls == 6 && e.status == ARENA_ARGUMENT && e.bytes == 0);
    ints_retain(&p, NULL, NULL);
    CHECK(e.calls == 7 && e.status == ARENA_ARGUMENT);
    /* The first status is kept. */
    CHECK_EQ(ints_status(&p), ARENA_LIMIT);
    ints_release(&p);
    o.align = 3;
    CHECK_EQ(ints_init(&p, &o), ARENA_ARGUMENT);
    CHECK_EQ(e.calls, 8);
}

TEST(pool, error_callback_may_longjmp)
{
    if (!TEST_JUMPS) SKIP("there is no setjmp");
    arena_pool_options_t o;
    static struct heard e;
    static ints_t p;
    static int round;
    memset(&o, 0, sizeof o);
    memset(&e, 0, sizeof e);
    o.hooks = t->hooks;
    o.on_error = hear;
    o.on_error_ctx = &e;
    o.max_count = 100;
    e.jump = 1;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    for (round = 0; round < 40; round++) {
        if (setjmp(e.back) == 0) {
            ints_handle_t h;
            t->mem.fail_at = (size_t)round % 3;
            h = ints_append(&p, 1, (size_t)round + 1);
            t->mem.fail_at = 0;
            if (round % 5 == 0) ints_resize(&p, h, 1000);
        }
        t->mem.fail_at = 0;
        CHECK(ints_is_valid(&p));
    }
    CHECK(e.calls > 20);
    ints_release(&p);
}

TEST(pool, status_is_the_first_until_cleared)
{
    ints_t p;
    open_ints(t, &p);
    ints_free(&p, none());
    ints_append_copy(&p, NULL, 1);
    CHECK_EQ(ints_status(&p), ARENA_STALE);
    ints_clear_status(&p);
    CHECK_EQ(ints_status(&p), ARENA_OK);
    ints_append_copy(&p, NULL, 1);
    CHECK_EQ(ints_status(&p), ARENA_ARGUMENT);
    ints_clear(&p);
    CHECK_EQ(ints_status(&p), ARENA_OK);
    ints_append_copy(&p, NULL, 1);
    ints_release(&p);
    CHECK_EQ(ints_status(&p), ARENA_ARGUMENT);
}

/* ---- the whole pool ---- */

TEST(pool, clear_keeps_memory)
{
    ints_t p;
    size_t allocs;
    int round, k;
    open_ints(t, &p);
    for (k = 0; k < 500; k++) ints_append(&p, k, (size_t)(k % 9 + 1));
    allocs = t->mem.allocs;
    for (round = 0; round < 3; round++) {
        ints_clear(&p);
        CHECK_EQ(ints_len(&p), 0);
        CHECK_EQ(ints_buffer_len(&p), 0);
        CHECK(ints_is_valid(&p));
        for (k = 0; k < 500; k++) ints_append(&p, k, (size_t)(k % 9 + 1));
    }
    CHECK_EQ(t->mem.allocs, allocs);
    ints_release(&p);
}

TEST(pool, release_twice_and_in_every_order)
{
    ints_t p;
    int order;
    for (order = 0; order < 27; order++) {
        int k, step = order;
        open_ints(t, &p);
        ints_append(&p, 1, 5);
        for (k = 0; k < 3; k++, step /= 3) {
            if (step % 3 == 0) ints_clear(&p);
            if (step % 3 == 1) ints_release(&p);
            if (step % 3 == 2) CHECK(holds(&p, ints_append(&p, 2, 3), 2, 3));
            CHECK(ints_is_valid(&p));
        }
        ints_release(&p);
        CHECK_EQ(t->mem.live_blocks, 0);
    }
}

TEST(pool, take_gives_an_allocation_of_exactly_that)
{
    ints_t p;
    ints_handle_t h;
    size_t count = 0, k, allocs;
    int *data, *own;
    open_ints(t, &p);
    ints_append(&p, 1, 3);
    h = ints_append(&p, 2, 4);
    ints_append(&p, 3, 1);
    ints_free(&p, h);
    data = ints_take(&p, &count);
    CHECK_EQ(count, 8);
    CHECK(data[0] == 1 && data[2] == 1 && data[7] == 3);
    CHECK_EQ(t->mem.live_bytes, 8 * sizeof(int));
    CHECK_EQ(ints_len(&p) + ints_buffer_len(&p) + ints_capacity(&p) + ints_stats(&p).allocated, 0);
    CHECK(ints_is_valid(&p));
    /* The holes may be read too. */
    for (k = 3; k < 7; k++) data[k] = 0;
    arena_give_(t->hooks, data, count * sizeof *data, ints_align_);
    /* The pool's own buffer if it is of that size; free space at the end is part of it. */
    CHECK(open_fixed_ints(t, &p, 20));
    h = ints_append(&p, 1, 20);
    own = ints_data(&p);
    ints_resize(&p, h, 5);
    allocs = t->mem.allocs;
    data = ints_take(&p, &count);
    CHECK_EQ(count, 20);
    CHECK(data == own);
    CHECK_EQ(t->mem.allocs, allocs);
    data[19] = 4;
    arena_give_(t->hooks, data, count * sizeof *data, ints_align_);
    /* With default hooks free will do. */
    memset(&p, 0, sizeof p);
    ints_append(&p, 1, 5);
    data = ints_take(&p, &count);
    arena_give_(NULL, data, count * sizeof(int), ints_align_);
    CHECK_EQ(count, 5);
    /* Who does not ask for the count knows it. */
    open_ints(t, &p);
    ints_append(&p, 1, 20);
    arena_give_(t->hooks, ints_take(&p, NULL), 20 * sizeof(int), ints_align_);
    CHECK(ints_take(&p, NULL) == NULL);
    /* Nothing was stored since it was cleared: the buffer goes all the same. */
    ints_append(&p, 1, 5);
    ints_clear(&p);
    CHECK(t->mem.live_bytes != 0);
    CHECK(ints_take(&p, &count) == NULL);
    CHECK_EQ(count, 0);
    CHECK_EQ(t->mem.live_bytes + ints_stats(&p).allocated, 0);
}

TEST(pool, take_that_fails_changes_nothing)
{
    arena_pool_options_t o;
    ints_t p;
    ints_handle_t h;
    size_t count = 9;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    o.limit_bytes = 5000;
    CHECK_EQ(ints_init(&p, &o), ARENA_OK);
    h = ints_append(&p, 1, 10);
    t->mem.fail_at = 1;
    CHECK(ints_take(&p, &count) == NULL);
    CHECK_EQ(count, 0);
    CHECK_EQ(ints_status(&p), ARENA_NO_MEMORY);
    CHECK(holds(&p, h, 1, 10));
    ints_clear_status(&p);
    /* The pool's own buffer and the fresh one are within the limit together. */
    CHECK(ints_resize(&p, h, 250));
    CHECK(ints_capacity(&p) != ints_buffer_len(&p));
    p.core.options.limit_bytes = ints_stats(&p).allocated + 250 * sizeof(int) - 1;
    CHECK(ints_take(&p, &count) == NULL);
    CHECK_EQ(ints_status(&p), ARENA_LIMIT);
    CHECK(ints_is_valid(&p));
    p.core.options.limit_bytes++;
    t->mem.peak_bytes = 0;
    {
        int *data = ints_take(&p, &count);
        CHECK(data != NULL && count == 250 && data[9] == 1);
        CHECK(t->mem.peak_bytes <= p.core.options.limit_bytes);
        arena_give_(t->hooks, data, count * sizeof *data, ints_align_);
    }
    ints_release(&p);
}

TEST(pool, copy_of_a_pool_has_the_same_spans_and_handles)
{
    arena_pool_options_t o;
    ints_t from, to;
    ints_handle_t h[100], old;
    arena_pool_stats_t a, b;
    int k, round, src[2] = { 40, 41 };
    memset(&from, 0, sizeof from);
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    for (k = 0; k < 99; k++) h[k] = ints_append(&from, k, (size_t)(k % 9 + 1));
    h[99] = ints_fetch_or_append(&from, src, 2);
    for (k = 0; k < 100; k += 3) {
        if (k != 99) ints_free(&from, h[k]);
    }
    CHECK_EQ(ints_init(&to, &o), ARENA_OK);
    for (round = 0; round < 3; round++) {
        old = ints_append(&to, 7, round == 1 ? 5000 : 5);
        if (round == 2)
            for (k = 0; k < 500; k++) ints_append(&to, 7, 1);
        CHECK(ints_copy(&to, &from));
        CHECK(ints_is_valid(&to));
        CHECK(ints_get(&to, old) == NULL);
        a = ints_stats(&from);
        b = ints_stats(&to);
        CHECK(a.len == b.len && a.spans == b.spans && a.free == b.free &&
              a.free_spans == b.free_spans);
        CHECK(a.largest_free == b.largest_free && a.buffer_len == b.buffer_len);
        CHECK_EQ(b.allocated, t->mem.live_bytes);
        for (k = 0; k < 99; k++) {
            CHECK_EQ(ints_start(&to, h[k]), ints_start(&from, h[k]));
            if (k % 3 != 0) CHECK(holds(&to, h[k], k, (size_t)(k % 9 + 1)));
        }
        CHECK(same(ints_fetch_or_append(&to, src, 2), h[99]));
        /* They are two pools, and what is stored from now on is told apart. */
        for (k = 0; k < 60; k++) {
            const ints_handle_t mine = ints_append(&to, k, (size_t)(k % 7 + 1));
            const ints_handle_t theirs = ints_append(&from, k, (size_t)(k % 7 + 1));
            CHECK(ints_get(&to, theirs) == NULL && ints_get(&from, mine) == NULL);
            if (k % 2 == 0) ints_free(&to, mine);
            CHECK_EQ(ints_free(&from, theirs), ARENA_OK);
        }
        ints_free(&to, h[1]);
        CHECK(holds(&from, h[1], 1, 2));
        ints_clear(&to);
    }
    CHECK(ints_copy(&from, &from));
    CHECK(holds(&from, h[1], 1, 2));
    ints_release(&from);
    /* Nothing is a pool too. */
    old = ints_append(&to, 7, 5);
    CHECK(ints_copy(&to, &from));
    CHECK_EQ(ints_len(&to), 0);
    CHECK_EQ(ints_buffer_len(&to), 0);
    CHECK(ints_get(&to, old) == NULL && is_none(ints_first(&to)));
    CHECK(ints_is_valid(&to));
    ints_release(&to);
}

/* What is stored in one of two copies is a stranger in the other. */
TEST(pool, copy_of_a_pool_made_twice)
{
    arena_pool_options_t o;
    ints_t from = { { 0 } }, to[2];
    ints_handle_t h[2];
    int k;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    ints_append(&from, 1, 2);
    for (k = 0; k < 2; k++) {
        CHECK_EQ(ints_init(&to[k], &o), ARENA_OK);
        CHECK(ints_copy(&to[k], &from));
        h[k] = ints_append(&to[k], k, 2);
    }
    CHECK_EQ(h[0].span, h[1].span);
    for (k = 0; k < 2; k++) {
        CHECK(ints_get(&to[k], h[k]) != NULL && ints_get(&to[k], h[1 - k]) == NULL);
        ints_release(&to[k]);
    }
    ints_release(&from);
}

/* Also where the copy uses fewer slots, and they are used anew. */
TEST(pool, copy_over_a_larger_pool_leaves_its_handles_stale)
{
    ints_t from, to;
    ints_handle_t old[10];
    int k;
    open_ints(t, &from);
    open_ints(t, &to);
    ints_append(&from, 7, 2);
    for (k = 0; k < 10; k++) old[k] = ints_append(&to, k, 3);
    CHECK(ints_copy(&to, &from));
    for (k = 0; k < 20; k++) ints_append(&to, 9, 1);
    for (k = 0; k < 10; k++) CHECK_EQ(ints_span(&to, old[k]).len, 0);
    CHECK(ints_is_valid(&to));
    /* A copy is no clear: the status is kept, also where there is nothing to copy. */
    CHECK_EQ(ints_free(&to, old[0]), ARENA_STALE);
    CHECK(ints_copy(&to, &from));
    CHECK_EQ(ints_status(&to), ARENA_STALE);
    ints_release(&from);
    CHECK(ints_copy(&to, &from));
    CHECK_EQ(ints_status(&to), ARENA_STALE);
    CHECK_EQ(ints_len(&to), 0);
    ints_release(&to);
    ints_release(&from);
}

TEST(pool, copy_of_a_pool_keeps_options_and_fails_whole)
{
    arena_pool_options_t o;
    ints_t from, to;
    ints_handle_t h, mine;
    int *data, k;
    memset(&from, 0, sizeof from);
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    o.reserve = 50;
    CHECK_EQ(ints_init(&to, &o), ARENA_OK);
    data = ints_data(&to);
    mine = ints_append(&to, 1, 3);
    h = ints_append(&from, 2, 50);
    CHECK(ints_copy(&to, &from));
    CHECK(ints_data(&to) == data);
    CHECK(holds(&to, h, 2, 50));
    ints_clear(&to);
    mine = ints_append(&to, 1, 3);
    ints_append(&from, 3, 1);
    CHECK(!ints_copy(&to, &from));
    CHECK_EQ(ints_status(&to), ARENA_LIMIT);
    CHECK(holds(&to, mine, 1, 3));
    ints_release(&to);
    /* A fixed capacity is taken whole. */
    o.reserve = 0;
    o.max_count = 70;
    CHECK_EQ(ints_init(&to, &o), ARENA_OK);
    CHECK(ints_copy(&to, &from));
    CHECK_EQ(ints_capacity(&to), 70);
    CHECK(holds(&to, h, 2, 50));
    CHECK(ints_is_valid(&to));
    ints_release(&to);
    o.max_count = 0;
    /* Old and new are within the limit together, or nothing is taken. */
    o.limit_bytes = 3000;
    CHECK_EQ(ints_init(&to, &o), ARENA_OK);
    mine = ints_append(&to, 1, 3);
    for (k = 0; k < 100; k++) ints_append(&from, 3, 10);
    CHECK(!ints_copy(&to, &from));
    CHECK_EQ(ints_status(&to), ARENA_LIMIT);
    CHECK(holds(&to, mine, 1, 3));
    CHECK(ints_is_valid(&to));
    ints_release(&to);
    /* The first allocation fails, then the second. */
    o.limit_bytes = 0;
    for (k = 1; k <= 2; k++) {
        CHECK_EQ(ints_init(&to, &o), ARENA_OK);
        mine = ints_append(&to, 1, 3);
        t->mem.fail_at = (size_t)k;
        CHECK(!ints_copy(&to, &from));
        CHECK_EQ(ints_status(&to), ARENA_NO_MEMORY);
        CHECK(holds(&to, mine, 1, 3));
        CHECK(ints_is_valid(&to));
        ints_release(&to);
        CHECK_EQ(t->mem.live_blocks, 0);
    }
    /* The table is large enough, and the only allocation fails. */
    CHECK_EQ(ints_init(&to, &o), ARENA_OK);
    mine = ints_append(&to, 1, 3);
    for (k = 0; k < 150; k++) ints_append(&to, k, 1);
    t->mem.fail_at = 1;
    CHECK(!ints_copy(&to, &from));
    CHECK_EQ(ints_status(&to), ARENA_NO_MEMORY);
    CHECK(holds(&to, mine, 1, 3));
    CHECK(ints_is_valid(&to));
    CHECK(ints_copy(&to, &from));
    CHECK(holds(&to, h, 2, 50));
    CHECK_EQ(ints_stats(&to).spans, ints_stats(&from).spans);
    ints_release(&to);
    CHECK_EQ(t->mem.live_blocks, 0);
    ints_release(&from);
}

/* ---- figures ---- */

TEST(pool, stats_tell_fragmentation)
{
    ints_t p;
    ints_handle_t h[10];
    arena_pool_stats_t s;
    int k;
    open_ints(t, &p);
    for (k = 0; k < 10; k++) h[k] = ints_append(&p, k, (size_t)(k + 1) * 100);
    ints_free(&p, h[1]);
    ints_free(&p, h[4]);
    ints_free(&p, h[5]);
    ints_free(&p, h[7]);
    s = ints_stats(&p);
    CHECK_EQ(s.len, 5500 - 200 - 500 - 600 - 800);
    CHECK_EQ(s.spans, 6);
    CHECK_EQ(s.free, 2100);
    CHECK_EQ(s.free_spans, 3);
    CHECK_EQ(s.largest_free, 1100);
    CHECK_EQ(s.buffer_len, 5500);
    CHECK_EQ(s.capacity, ints_capacity(&p));
    CHECK_EQ(s.allocated, t->mem.live_bytes);
    ints_free(&p, h[9]);
    s = ints_stats(&p);
    CHECK_EQ(s.free_spans, 4);
    CHECK_EQ(s.largest_free, 1100);
    CHECK_EQ(s.buffer_len, 5500);
    ints_free(&p, h[8]);
    CHECK_EQ(ints_stats(&p).largest_free, 2700);
    CHECK_EQ(ints_stats(&p).free_spans, 3);
    ints_release(&p);
}

TEST(pool, stats_largest_of_many_sizes)
{
    octets_t p;
    octets_handle_t h[200];
    size_t k, largest = 0;
    memset(&p, 0, sizeof p);
    for (k = 0; k < 200; k++) {
        h[k] = octets_append(&p, 1, k * 7919 % 3001 + 1);
        octets_append(&p, 2, 1);
    }
    for (k = 0; k < 200; k++) {
        octets_free(&p, h[k]);
        if (k * 7919 % 3001 + 1 > largest) largest = k * 7919 % 3001 + 1;
        CHECK_EQ(octets_stats(&p).largest_free, largest);
    }
    octets_release(&p);
}

/* Three holes of one bin, which are a trie of every form: the largest of them in any place. */
TEST(pool, stats_largest_of_one_bin)
{
    octets_t p;
    octets_handle_t h[3];
    size_t size[3], largest;
    uint32_t n, k;
    memset(&p, 0, sizeof p);
    for (n = 0; n < 8 * 8 * 8; n++) {
        octets_clear(&p);
        for (k = 0; k < 3; k++) {
            size[k] = 256 + (n >> 3 * k & 7u);
            h[k] = octets_append(&p, 1, size[k]);
            octets_append(&p, 2, 1);
        }
        for (k = 0, largest = 0; k < 3; k++) {
            octets_free(&p, h[k]);
            if (size[k] > largest) largest = size[k];
            if (octets_stats(&p).largest_free != largest) {
                test_check(t, 0, __FILE__, __LINE__, "largest_free");
            }
        }
    }
    octets_release(&p);
}

TEST(pool, metadata_is_32_bytes_a_span_and_none_per_element)
{
    ints_t p;
    size_t k, table;
    CHECK_EQ(sizeof(arena_pool_span_t_), 32);
    open_ints(t, &p);
    ints_append(&p, 1, 1000000);
    CHECK_EQ(ints_stats(&p).allocated - ints_capacity(&p) * sizeof(int), 32 * 32);
    for (k = 1; k < 5000; k++) ints_append(&p, 1, 1);
    table = ints_stats(&p).allocated - ints_capacity(&p) * sizeof(int);
    /* A slot for every span and one for the pool, and the room of a table that doubles. */
    CHECK(table >= 5001 * 32 && table <= 2 * 5001 * 32);
    CHECK_EQ(table, p.core.slots * 32);
    ints_release(&p);
}

/* ---- every function for every kind of element ---- */

#define ELEMENT(name, T)                                                                           \
    static bool name##_is(const T *e, void *ctx)                                                   \
    {                                                                                              \
        return memcmp(e, ctx, sizeof *e) == 0;                                                     \
    }                                                                                              \
    static bool name##_eq(const T *a, const T *b, void *ctx)                                       \
    {                                                                                              \
        (void)ctx;                                                                                 \
        return memcmp(a, b, sizeof *a) == 0;                                                       \
    }                                                                                              \
    static bool name##_keep(name##_handle_t h, T *e, size_t n, void *ctx)                          \
    {                                                                                              \
        (void)h;                                                                                   \
        (void)e;                                                                                   \
        *(size_t *)ctx += n;                                                                       \
        return n != 4;                                                                             \
    }                                                                                              \
    static void name##_each(T *e, size_t n, void *ctx)                                             \
    {                                                                                              \
        (void)e;                                                                                   \
        *(size_t *)ctx += n;                                                                       \
    }                                                                                              \
    static void name##_all(struct test *t, int how)                                                \
    {                                                                                              \
        arena_pool_options_t o;                                                                    \
        name##_t p, q;                                                                             \
        name##_handle_t a, b, c, h;                                                                \
        T x, y, *taken;                                                                            \
        size_t i, count = 0, start = 0;                                                            \
        memset(&o, 0, sizeof o);                                                                   \
        memset(&x, 17, sizeof x);                                                                  \
        memset(&y, 34, sizeof y);                                                                  \
        memset((char *)&y + sizeof y / 2, 51, 1);                                                  \
        if (how != 0) o.hooks = t->hooks;                                                          \
        if (how == 2) o.max_count = 200;                                                           \
        if (how == 3) o.reserve = 200;                                                             \
        CHECK_EQ(name##_init(&p, how == 0 ? NULL : &o), ARENA_OK);                                 \
        memset(&q, 0, sizeof q);                                                                   \
        a = name##_append(&p, x, 4);                                                               \
        b = name##_append(&p, y, 3);                                                               \
        c = name##_append_copy(&p, name##_get(&p, b), 2);                                          \
        CHECK_EQ((uintptr_t)name##_data(&p) % name##_align_, 0);                                   \
        for (i = 0; i < 4; i++) CHECK_MEM(name##_span(&p, a).data + i, &x, sizeof x);              \
        for (i = 0; i < 3; i++) CHECK_MEM(name##_get(&p, b) + i, &y, sizeof y);                    \
        for (i = 0; i < 2; i++) CHECK_MEM(name##_get(&p, c) + i, &y, sizeof y);                    \
        CHECK(name##_start(&p, c) == 7 && name##_at(&p, 8).span == c.span);                        \
        h = name##_fetch_or_append(&p, name##_get(&p, b), 2);                                      \
        CHECK(name##_fetch_or_append(&p, name##_get(&p, c), 2).span == h.span);                    \
        CHECK(name##_find(&p, name##_is, &y).span == b.span);                                      \
        CHECK(name##_find_or_append(&p, y, 9, NULL, NULL).span == b.span);                         \
        CHECK(name##_find_or_append(&p, y, 9, name##_eq, NULL).span == b.span);                    \
        CHECK(name##_first(&p).span == a.span && name##_next(&p, a).span == b.span);               \
        CHECK_EQ(name##_free(&p, b), ARENA_OK);                                                    \
        CHECK_EQ(name##_free(&p, b), ARENA_STALE);                                                 \
        CHECK(name##_next_free(&p, &start, &count) && start == 4 && count == 3);                   \
        CHECK(!name##_next_free(&p, &start, &count));                                              \
        CHECK(name##_resize(&p, a, 6) && name##_start(&p, a) == 0);                                \
        CHECK(name##_resize(&p, a, 20) && name##_start(&p, a) == 11);                              \
        CHECK_MEM(name##_get(&p, a) + 3, &x, sizeof x);                                            \
        CHECK(name##_copy(&q, &p) && name##_is_valid(&q));                                         \
        CHECK_MEM(name##_get(&q, a) + 3, &x, sizeof x);                                            \
        CHECK(name##_compact(&p, SIZE_MAX, NULL, NULL) > 0 && name##_start(&p, a) == 4);           \
        CHECK_MEM(name##_get(&p, a) + 3, &x, sizeof x);                                            \
        CHECK_MEM(name##_get(&p, c) + 1, &y, sizeof y);                                            \
        CHECK(name##_resize(&p, a, 4) && name##_is_valid(&p));                                     \
        count = 0;                                                                                 \
        name##_retain(&p, name##_keep, &count);                                                    \
        CHECK(count == 8 && name##_len(&p) == 4 && name##_stats(&p).spans == 2);                   \
        CHECK(name##_buffer_len(&p) <= name##_capacity(&p));                                       \
        taken = name##_take(&q, &count);                                                           \
        CHECK(taken != NULL && count == 31);                                                       \
        arena_give_(NULL, taken, count * sizeof x, name##_align_);                                 \
        name##_clear_status(&p);                                                                   \
        count = 0;                                                                                 \
        name##_drain(&p, name##_each, &count);                                                     \
        CHECK(count == 4 && name##_len(&p) == 0 && name##_status(&p) == ARENA_OK);                 \
        name##_clear(&p);                                                                          \
        name##_release(&p);                                                                        \
        name##_release(&q);                                                                        \
    }
ARENA_POOL_DEFINE(ones, unsigned char);
ARENA_POOL_DEFINE(threes, struct three);
ARENA_POOL_DEFINE(twelves, struct vertex);
ARENA_POOL_DEFINE(lines, struct line);
ELEMENT(ones, unsigned char)
ELEMENT(threes, struct three)
ELEMENT(twelves, struct vertex)
ELEMENT(lines, struct line)
ELEMENT(pages, struct page)
#if defined __GNUC__
ARENA_POOL_DEFINE(wides, struct wide);
ELEMENT(wides, struct wide)
#endif

TEST(pool, element_of_every_kind_in_every_function)
{
    int how;
    for (how = 0; how < 4; how++) {
        ones_all(t, how);
        threes_all(t, how);
        twelves_all(t, how);
        lines_all(t, how);
        pages_all(t, how);
#if defined __GNUC__
        wides_all(t, how);
#endif
    }
}

/* ---- is_valid ---- */

/* Every field of the core and of the slots in use, damaged one after another, must be noticed. */
TEST(pool, valid_notices_damage)
{
    ints_t p;
    ints_handle_t h[40];
    arena_pool_core_t *c = &p.core;
    int k, src[2] = { 1, 2 };
    uint32_t i;
#define DAMAGE(field, by)                                                                          \
    do {                                                                                           \
        unsigned char was[sizeof(field)];                                                          \
        memcpy(was, &(field), sizeof(field));                                                      \
        (field) = (field) + (by);                                                                  \
        if (ints_is_valid(&p)) test_check(t, 0, __FILE__, __LINE__, "damaged: " #field);           \
        memcpy(&(field), was, sizeof(field));                                                      \
        if (!ints_is_valid(&p)) test_check(t, 0, __FILE__, __LINE__, "restored: " #field);         \
    } while (0)
    memset(&p, 0, sizeof p);
    DAMAGE(c->slots, 1);
    DAMAGE(c->used, 1);
    DAMAGE(c->spare, 1);
    DAMAGE(c->top, 1);
    DAMAGE(c->end, 1);
    DAMAGE(c->len, 1);
    DAMAGE(c->low, 1);
    DAMAGE(c->live, 1);
    DAMAGE(c->holes, 1);
    DAMAGE(c->rows, 1);
    DAMAGE(c->capacity, 1);
    DAMAGE(c->allocated, 1);
    open_ints(t, &p);
    for (k = 0; k < 38; k++)
        h[k] = ints_append(&p, k, (size_t)(k % 7 == 0 ? 1000 + k * 3 : k % 5 + 1));
    h[38] = ints_fetch_or_append(&p, src, 2);
    h[39] = ints_append(&p, 9, 3);
    for (k = 0; k < 39; k += 2) {
        if (k != 38) ints_free(&p, h[k]);
    }
    ints_free(&p, h[39]);
    CHECK(ints_is_valid(&p));
    c->options.limit_bytes = c->allocated;
    CHECK(ints_is_valid(&p));
    c->options.limit_bytes--;
    CHECK(!ints_is_valid(&p));
    c->options.limit_bytes = 0;
    c->options.max_count = c->capacity;
    CHECK(ints_is_valid(&p));
    c->options.max_count--;
    CHECK(!ints_is_valid(&p));
    c->options.max_count = 0;
    DAMAGE(c->end, 1);
    DAMAGE(c->end, 100000);
    DAMAGE(c->top, 100000);
    DAMAGE(c->capacity, 1);
    DAMAGE(c->len, 1);
    DAMAGE(c->live, 1);
    DAMAGE(c->holes, 1);
    DAMAGE(c->holes, (uint32_t)-1);
    DAMAGE(c->low, 1);
    DAMAGE(c->used, 1);
    DAMAGE(c->used, 100);
    DAMAGE(c->slots, 16);
    DAMAGE(c->rows, 1u << 29);
    DAMAGE(c->allocated, 1);
    DAMAGE(c->zone_shift, 1);
    for (i = 0; i < (uint32_t)ARENA_POOL_ROWS_; i++) DAMAGE(c->cols[i], 1u << 31);
    for (i = 0; i < (uint32_t)ARENA_POOL_BINS_; i++) DAMAGE(c->bins[i], 1);
    for (i = 0; i <= c->used; i++) {
        arena_pool_span_t_ *r = &c->spans[i];
        const bool live = (r->generation & 1u) != 0;
        bool dead = i != 0 && !live;
        uint32_t n;
        for (n = c->spans[0].next; n != 0; n = c->spans[n >> 1].next) dead = dead && n >> 1 != i;
        DAMAGE(r->generation, 1);
        if (dead) continue;
        DAMAGE(r->prev, 2);
        DAMAGE(r->next, 2);
        DAMAGE(r->prev, 1);
        DAMAGE(r->next, 1);
        DAMAGE(r->next, 1u << 20);
        if (r->next != 0) DAMAGE(r->next, 0u - r->next);
        if (i == 0) continue;
        DAMAGE(r->count, 1);
        DAMAGE(r->count, 0u - r->count);
        if (live) {
            DAMAGE(r->as.live.start, 1);
            DAMAGE(r->as.live.chain, 1);
            if (r->as.live.chain > 1) DAMAGE(r->as.live.hash, 1u << 31);
        } else {
            DAMAGE(r->as.hole.child[0], 1);
            DAMAGE(r->as.hole.child[0], 1u << 20);
            DAMAGE(r->as.hole.more, 1u << 20);
            DAMAGE(r->as.hole.child[1], 1);
            DAMAGE(r->as.hole.more, 1);
        }
    }
    for (i = 0; i < c->slots; i += 2) DAMAGE(c->spans[i].head, 1);
    for (i = 0; i < c->slots; i += 2) DAMAGE(c->spans[i].head, 1000);
    for (i = 1; i < c->slots; i += 16) DAMAGE(c->spans[i].head, 1);
    for (i = 1; i < c->slots; i += 16) DAMAGE(c->spans[i].head, 1000);
    for (i = 1; i < c->slots; i += 16) DAMAGE(c->spans[i].head, 0u - c->spans[i].head);
    DAMAGE(c->spare, 1000);
    DAMAGE(c->spare, 0u - c->spare);
    DAMAGE(c->spans[c->spare].next, c->spare - c->spans[c->spare].next);
    DAMAGE(c->spans[3].head, 1u << 31);
    ints_release(&p);
#undef DAMAGE
}
