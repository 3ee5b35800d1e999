/*
 * Proves what tests/test.h says of the harness itself:
 * the allocator gives memory aligned exactly as asked and no better, filled with 0xA5;
 * the counters count; fail_at fails one call and fail_from that one and all later ones;
 * the same seed and test give the same random numbers.
 * That failures are reported is proven by `make check-harness`, since a failing test cannot stand
 * here.
 */
#include "test.h"

TEST(harness, hooks_alignment)
{
    size_t align;
    for (align = 1; align <= 4096; align *= 2) {
        size_t bytes, i;
        for (bytes = 1; bytes < 40; bytes += 7) {
            unsigned char *p = (unsigned char *)t->hooks->alloc(t->hooks->ctx, bytes, align);
            if (!CHECK(p != NULL)) return;
            CHECK_EQ((uintptr_t)p % align, 0);
            CHECK_EQ((uintptr_t)p % (2 * align), align);
            for (i = 0; i < bytes && test_filled(); i++) CHECK_EQ(p[i], 0xA5);
            t->hooks->free(t->hooks->ctx, p, bytes, align);
        }
    }
}

TEST(harness, hooks_counters)
{
    const arena_hooks_t *h = t->hooks;
    void *p = h->alloc(h->ctx, 10, 8);
    void *q = h->alloc(h->ctx, 20, 8);
    CHECK_EQ(t->mem.allocs, 2);
    CHECK_EQ(t->mem.live_blocks, 2);
    CHECK_EQ(t->mem.live_bytes, 30);
    h->free(h->ctx, p, 10, 8);
    CHECK_EQ(t->mem.frees, 1);
    CHECK_EQ(t->mem.live_blocks, 1);
    CHECK_EQ(t->mem.live_bytes, 20);
    CHECK_EQ(t->mem.peak_bytes, 30);
    h->free(h->ctx, q, 20, 8);
    CHECK_EQ(t->mem.live_bytes, 0);
}

TEST(harness, hooks_failing)
{
    const arena_hooks_t *h = t->hooks;
    void *p, *q;
    t->mem.fail_at = 2;
    p = h->alloc(h->ctx, 1, 1);
    CHECK(p != NULL);
    CHECK(h->alloc(h->ctx, 1, 1) == NULL);
    q = h->alloc(h->ctx, 1, 1);
    CHECK(q != NULL);
    CHECK_EQ(t->mem.fail_at, 0);
    h->free(h->ctx, p, 1, 1);
    h->free(h->ctx, q, 1, 1);
    t->mem.fail_from = 2;
    p = h->alloc(h->ctx, 1, 1);
    CHECK(p != NULL);
    CHECK(h->alloc(h->ctx, 1, 1) == NULL);
    CHECK(h->alloc(h->ctx, 1, 1) == NULL);
    h->free(h->ctx, p, 1, 1);
    CHECK_EQ(t->mem.refused, 3);
    CHECK_EQ(t->mem.allocs, 6);
}

TEST(harness, random_repeats)
{
    struct test again = *t;
    uint64_t first = test_random(t), second = test_random(t);
    CHECK(first != second);
    CHECK_EQ(test_random(&again), first);
    CHECK_EQ(test_random(&again), second);
}
