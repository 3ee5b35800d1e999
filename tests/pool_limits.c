/*
 * The span pool with ARENA_POOL_SPANS lowered, in a unit of its own that has the implementation
 * static: the largest number of spans, the one too many, and that the pool goes on.
 */
#define ARENA_STATIC
#define ARENA_IMPLEMENTATION
#define ARENA_POOL_SPANS 111
#include "../arena.h"

#include <string.h>

#include "test.h"

ARENA_POOL_DEFINE(few, int);

TEST(pool_limits, spans_up_to_the_last_and_one_too_many)
{
    arena_pool_options_t o;
    few_t p;
    few_handle_t h[111], last;
    arena_pool_stats_t before, after;
    int i;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    CHECK_EQ(few_init(&p, &o), ARENA_OK);
    for (i = 0; i < 111; i++) {
        h[i] = few_append(&p, i, 4);
        CHECK(h[i].span != 0);
    }
    before = few_stats(&p);
    last = few_append(&p, 1, 1);
    CHECK_EQ(last.span, 0);
    CHECK_EQ(few_status(&p), ARENA_REF_RANGE);
    after = few_stats(&p);
    CHECK_MEM(&before, &after, sizeof before);
    /* Neither can a hole be cut, nor a span be moved, which leaves one behind. */
    few_clear_status(&p);
    CHECK(!few_resize(&p, h[3], 2));
    CHECK_EQ(few_status(&p), ARENA_REF_RANGE);
    few_clear_status(&p);
    CHECK(!few_resize(&p, h[3], 20));
    CHECK_EQ(few_status(&p), ARENA_REF_RANGE);
    CHECK(few_is_valid(&p));
    /* What needs no further slot works: the last one, and holes of the very size. */
    few_clear_status(&p);
    CHECK(few_resize(&p, h[110], 20));
    CHECK(few_resize(&p, h[110], few_capacity(&p))); /* In a larger buffer, under the same slot. */
    CHECK(few_resize(&p, h[110], 20));
    CHECK_EQ(few_free(&p, h[50]), ARENA_OK);
    h[50] = few_append(&p, 7, 4);
    CHECK(few_start(&p, h[50]) == 200);
    CHECK_EQ(few_free(&p, h[50]), ARENA_OK);
    CHECK_EQ(few_append(&p, 7, 3).span, 0);
    CHECK_EQ(few_status(&p), ARENA_REF_RANGE);
    /* Two neighbours are one hole, and a slot is spare. */
    CHECK_EQ(few_free(&p, h[51]), ARENA_OK);
    CHECK(few_append(&p, 7, 3).span != 0);
    CHECK(few_is_valid(&p));
    for (i = 0; i < 111; i++) few_free(&p, h[i]);
    CHECK(few_is_valid(&p));
    few_release(&p);
}

TEST(pool_limits, table_grows_at_every_power_of_two)
{
    few_t p = { { 0 } };
    few_handle_t h[111];
    arena_pool_core_t was;
    arena_pool_span_t_ more[128];
    int n, i;
    for (n = 1; n <= 111; n++) {
        few_release(&p);
        for (i = 0; i < n; i++) {
            h[i] = few_append(&p, i, (size_t)(i % 3 + 1));
            if (!few_is_valid(&p)) test_check(t, 0, __FILE__, __LINE__, "is_valid");
        }
        for (i = 0; i < n; i++) {
            if (*few_get(&p, h[i]) != i) test_check(t, 0, __FILE__, __LINE__, "contents");
        }
    }
    CHECK_EQ(p.core.slots, 112);
    /* is_valid knows a table with a slot that no span may have. */
    was = p.core;
    memcpy(more, was.spans, 112 * sizeof more[0]);
    p.core.spans = more;
    p.core.slots = 128;
    p.core.allocated += 16 * sizeof more[0];
    arena_pool_index_(&p.core);
    CHECK(!few_is_valid(&p));
    p.core = was;
    CHECK(few_is_valid(&p));
    few_release(&p);
}
