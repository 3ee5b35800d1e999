/*
 * Nothing. Proves "Zero lengths and an arena of {0} are fine in every function" (issue 2 item 4),
 * "{0} is ready to use", "Nothing is allocated before the first store", and the same of an arena
 * that was released; and that SIZE_MAX where a length is meant is refused in every function. Under
 * UBSan it proves that no arithmetic is done on NULL.
 */
#include <stdarg.h>

#include "support.h"

struct zero_cell {
    double value;
};
ARENA_DEFINE(cells, struct zero_cell);

/* vprintf with no arguments behind the format. */
static const char *bare_vprintf(arena_t *a, const char *fmt, ...)
#if defined __GNUC__ && !defined __TINYC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;
static const char *bare_vprintf(arena_t *a, const char *fmt, ...)
{
    const char *p;
    va_list args;
    va_start(args, fmt);
    p = arena_vprintf(a, fmt, args);
    va_end(args);
    return p;
}

/* Every function of the byte arena that stores nothing, on an arena that holds nothing. */
static void nothing_on(struct test *t, arena_t *a)
{
    static const char *const parts[] = {"", ""};
    arena_ref_t zero = {0, 0, 0}, r;
    arena_stats_t s;
    arena_mark_t m;
    CHECK(arena_is_valid(a));
    CHECK_EQ(arena_size(a), 0);
    CHECK_EQ(arena_retained(a), 0);
    CHECK_EQ(arena_chunk_count(a), 0);
    CHECK_EQ(arena_chunk(a, 0).len, 0);
    CHECK_EQ(arena_chunk(a, 1).len, 0);
    CHECK_EQ(arena_chunk(a, SIZE_MAX).len, 0);
    s = arena_stats(a);
    CHECK_EQ(s.size, 0);
    CHECK_EQ(s.used, 0);
    CHECK_EQ(s.retained, 0);
    CHECK_EQ(s.allocated, 0);
    CHECK_EQ(s.stranded, 0);
    CHECK_EQ(s.padding, 0);
    CHECK_EQ(s.chunks, 0);
    CHECK_EQ(s.oversized, 0);
    CHECK(arena_append(a, NULL, 0) == NULL);
    CHECK(arena_append(a, "", 0) == NULL);
    CHECK(arena_reserve(a, 0) == NULL);
    memset(&r, 0xEE, sizeof r);
    CHECK(arena_reserve_ref(a, 0, &r) == NULL);
    CHECK(r.chunk == 0 && r.off == 0 && r.len == 0);
    CHECK(arena_ref_empty(arena_ref(a, NULL, 0)));
    CHECK_EQ(arena_value(a, zero).len, 0);
    r.chunk = 1u << 9;
    r.off = 0;
    r.len = 1;
    CHECK_EQ(arena_value(a, r).len, 0);
    r.chunk = UINT32_MAX;
    r.off = r.len = UINT32_MAX;
    CHECK_EQ(arena_value(a, r).len, 0);
    r.chunk = 0;
    r.len = 1;
    r.off = 0;
    CHECK_EQ(arena_value(a, r).len, 0);
    CHECK_STR(arena_str(a, zero), "");
    CHECK_STR(arena_str(a, r), "");
    arena_clear_status(a);
    CHECK_STR(arena_intern(a, ""), "");
    CHECK_STR(arena_intern_n(a, NULL, 0), "");
    CHECK(arena_ref_empty(arena_strref(a, "")));
    CHECK(arena_ref_empty(arena_strref_n(a, NULL, 0)));
    CHECK_STR(arena_printf(a, "%s", ""), "");
    CHECK_STR(bare_vprintf(a, "%s", ""), "");
    CHECK_STR(arena_strjoin(a, ",", NULL, 0), "");
    CHECK_STR(arena_strjoin(a, "", parts, 2), "");
    CHECK_EQ(arena_status(a), ARENA_OK);
    m = arena_mark(a);
    CHECK(arena_rewind(a, m));
    arena_trim(a, 0);
    arena_trim(a, SIZE_MAX);
    arena_clear_status(a);
    arena_reset(a);
    arena_reset(a);
    arena_release(a);
    arena_release(a);
    CHECK(arena_is_valid(a));
    CHECK_EQ(arena_stats(a).allocated, 0);
}

TEST(zero, every_function_on_zero)
{
    arena_t a = {0};
    nothing_on(t, &a);
    nothing_on(t, &a);
    arena_release(&a);
}

TEST(zero, every_function_on_made)
{
    arena_t a = arena_make(0), b = arena_make(1);
    nothing_on(t, &a);
    nothing_on(t, &b);
}

TEST(zero, every_function_after_release)
{
    arena_t a;
    start(t, &a, 64);
    CHECK(arena_intern(&a, "something") != NULL);
    CHECK(arena_reserve(&a, 1000) != NULL);
    arena_release(&a);
    nothing_on(t, &a);
    CHECK_EQ(t->mem.live_blocks, 0);
    CHECK(arena_intern(&a, "something") != NULL);
    arena_release(&a);
}

TEST(zero, every_function_after_reset_and_trim)
{
    arena_t a;
    start(t, &a, 64);
    CHECK(arena_intern(&a, "something") != NULL);
    arena_reset(&a);
    arena_trim(&a, 0);
    nothing_on(t, &a);
}

TEST(zero, typed_on_zero)
{
    cells_t a = {0};
    struct zero_cell one = {1.5};
    cells_ref_t zero = {0, 0, 0}, r;
    cells_view_t v;
    arena_mark_t m;
    int round;
    for (round = 0; round < 2; round++) {
        CHECK(cells_is_valid(&a));
        CHECK(cells_append(&a, NULL, 0) == NULL);
        CHECK(cells_append(&a, &one, 0) == NULL);
        CHECK(cells_ref_empty(cells_ref(&a, NULL, 0)));
        CHECK(cells_reserve(&a, 0) == NULL);
        memset(&r, 0xEE, sizeof r);
        CHECK(cells_reserve_ref(&a, 0, &r) == NULL);
        CHECK(r.chunk == 0 && r.off == 0 && r.len == 0);
        CHECK(cells_ref_empty(zero));
        v = cells_value(&a, zero);
        CHECK_EQ(v.len, 0);
        r.len = 1;
        CHECK_EQ(cells_value(&a, r).len, 0);
        CHECK_EQ(cells_size(&a) + cells_retained(&a) + cells_chunk_count(&a), 0);
        CHECK_EQ(cells_chunk(&a, 0).len, 0);
        CHECK_EQ(cells_stats(&a).used, 0);
        CHECK_EQ(cells_status(&a), ARENA_OK);
        m = cells_mark(&a);
        CHECK(cells_rewind(&a, m));
        cells_trim(&a, 0);
        cells_clear_status(&a);
        cells_reset(&a);
        cells_release(&a);
    }
    CHECK(cells_append(&a, &one, 1) != NULL);
    CHECK_EQ(cells_size(&a), sizeof one);
    cells_release(&a);
}

/* The same calls with nothing to store, amid a batch: nothing changes. */
TEST(zero, lengths_amid_a_batch)
{
    static const char *const parts[] = {"", ""};
    arena_t a;
    arena_ref_t zero = {0, 0, 0}, r;
    struct snapshot before;
    size_t fill;
    for (fill = 0; fill <= 64; fill += 16) {
        int round;
        start(t, &a, 64);
        for (round = 0; round < 2; round++) {
            if (fill > 0) {
                CHECK(arena_append(
                          &a, "0123456789012345678901234567890123456789012345678901234567890123",
                          fill) != NULL);
            }
            before = snapshot_of(&a);
            CHECK(arena_append(&a, NULL, 0) == NULL);
            CHECK(arena_append(&a, "x", 0) == NULL);
            CHECK(arena_reserve(&a, 0) == NULL);
            CHECK(arena_reserve_ref(&a, 0, &r) == NULL);
            CHECK(arena_ref_empty(r));
            CHECK(arena_ref_empty(arena_ref(&a, "x", 0)));
            CHECK_STR(arena_intern(&a, ""), "");
            CHECK_STR(arena_intern_n(&a, "x", 0), "");
            CHECK(arena_ref_empty(arena_strref(&a, "")));
            CHECK(arena_ref_empty(arena_strref_n(&a, "x", 0)));
            CHECK_STR(arena_str(&a, zero), "");
            CHECK_STR(arena_printf(&a, "%s", ""), "");
            CHECK_STR(bare_vprintf(&a, "%.0s", "x"), "");
            CHECK_STR(arena_strjoin(&a, ",", parts, 0), "");
            CHECK_STR(arena_strjoin(&a, "", parts, 2), "");
            CHECK(arena_rewind(&a, arena_mark(&a)));
            arena_trim(&a, SIZE_MAX);
            CHECK_EQ(arena_status(&a), ARENA_OK);
            CHECK_STR(snapshot_difference(&before, &a), "");
        }
        arena_release(&a);
    }
}

TEST(zero, size_max_is_refused_everywhere)
{
    arena_t a = {0};
    cells_t c = {0};
    struct zero_cell one = {1};
    arena_ref_t r;
    cells_ref_t q;
    CHECK(arena_append(&a, opaque_source("x"), opaque(SIZE_MAX)) == NULL);
    CHECK(arena_reserve(&a, opaque(SIZE_MAX)) == NULL);
    CHECK(arena_reserve_ref(&a, opaque(SIZE_MAX), &r) == NULL);
    CHECK(arena_ref_empty(r));
    CHECK(arena_ref_empty(arena_ref(&a, opaque_source("x"), opaque(SIZE_MAX))));
    CHECK(arena_intern_n(&a, opaque_source("x"), opaque(SIZE_MAX)) == NULL);
    CHECK(arena_ref_empty(arena_strref_n(&a, opaque_source("x"), opaque(SIZE_MAX))));
    CHECK(arena_status(&a) != ARENA_OK);
    CHECK_EQ(arena_stats(&a).allocated, 0);
    CHECK(arena_is_valid(&a));
    CHECK(cells_append(&c, (const struct zero_cell *)opaque_source(&one), opaque(SIZE_MAX)) ==
          NULL);
    CHECK(cells_reserve(&c, opaque(SIZE_MAX)) == NULL);
    CHECK(cells_reserve_ref(&c, opaque(SIZE_MAX), &q) == NULL);
    CHECK(cells_ref_empty(q));
    CHECK(cells_ref_empty(
        cells_ref(&c, (const struct zero_cell *)opaque_source(&one), opaque(SIZE_MAX))));
    CHECK_EQ(cells_stats(&c).allocated, 0);
    CHECK(cells_is_valid(&c));
    arena_release(&a);
    cells_release(&c);
}

TEST(zero, failure_on_zero_is_kept_and_cleared)
{
    arena_t a = {0};
    CHECK(arena_append(&a, NULL, 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK(arena_intern(&a, NULL) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_reset(&a);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK_EQ(arena_stats(&a).allocated, 0);
    arena_release(&a);
}
