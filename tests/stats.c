/*
 * Watching. Proves these sentences of DESIGN sections 3 and 5:
 * "size = bytes of values stored since the rewind (no padding, no NULs, reservations whole)";
 * "retained = bytes of chunk capacity held, a user buffer's included"; "stats: size; padding (NULs
 * in it); stranded = tails that no store will try again; used = size + padding + stranded;
 * retained; allocated = all held from the hooks; peak = the largest retained since made (it
 * survives reset); chunks (opened in this batch) and oversized, numbers"; "chunk: what chunk i
 * holds, by chunk number, in address order"; "status: the first failure since cleared";
 * "status_text".
 */
#include "support.h"

ARENA_DEFINE(halves, uint16_t);

TEST(stats, size_counts_every_kind_of_store)
{
    static const char *const parts[] = {"a", "bb", "ccc"};
    arena_t a;
    arena_ref_t r;
    size_t size = 0;
    start(t, &a, 4096);
    CHECK(arena_append(&a, "12345", 5) != NULL);
    CHECK_EQ(arena_size(&a), size += 5);
    CHECK(!arena_ref_empty(arena_ref(&a, "123", 3)));
    CHECK_EQ(arena_size(&a), size += 3);
    CHECK(arena_reserve(&a, 100) != NULL);
    CHECK_EQ(arena_size(&a), size += 100);
    CHECK(arena_reserve_ref(&a, 50, &r) != NULL);
    CHECK_EQ(arena_size(&a), size += 50);
    CHECK(arena_intern(&a, "1234567") != NULL);
    CHECK_EQ(arena_size(&a), size += 7);
    CHECK(arena_intern_n(&a, "12345678", 2) != NULL);
    CHECK_EQ(arena_size(&a), size += 2);
    CHECK(!arena_ref_empty(arena_strref(&a, "1234")));
    CHECK_EQ(arena_size(&a), size += 4);
    CHECK(!arena_ref_empty(arena_strref_n(&a, "12345678", 8)));
    CHECK_EQ(arena_size(&a), size += 8);
    CHECK(arena_printf(&a, "%d", 123456) != NULL);
    CHECK_EQ(arena_size(&a), size += 6);
    CHECK(arena_strjoin(&a, "::", parts, 3) != NULL);
    CHECK_EQ(arena_size(&a), size += 10);
    CHECK_EQ(arena_stats(&a).size, size);
    CHECK_EQ(arena_stats(&a).padding, 6); /* One NUL for each of the six strings. */
    CHECK_EQ(arena_stats(&a).used, size + 6);
    CHECK_EQ(arena_stats(&a).stranded, 0);
    CHECK_EQ(arena_chunk(&a, 0).len, size + 6);
    arena_release(&a);
}

TEST(stats, over_random_batches)
{
    /* Every figure against a plain count beside it, over batches of all kinds of stores. */
    arena_t a;
    static char source[2000];
    int batch;
    size_t peak = 0;
    memset(source, 's', sizeof source);
    start(t, &a, 512);
    for (batch = 0; batch < 60; batch++) {
        size_t i, n = (size_t)(test_random(t) % 120), size = 0, strings = 0, oversized = 0,
                  held = 0;
        for (i = 0; i < n; i++) {
            size_t len = 1 + (size_t)(test_random(t) % (i % 11 == 0 ? 1500 : 150));
            int string = test_random(t) % 2 == 0;
            arena_stats_t s;
            size_t k, sum = 0;
            if (string) {
                CHECK(arena_intern_n(&a, source, len) != NULL);
                strings++;
            } else
                CHECK(arena_append(&a, source, len) != NULL);
            size += len;
            oversized += len > 512;
            s = arena_stats(&a);
            if (s.retained > peak) peak = s.retained;
            CHECK_EQ(s.size, size);
            CHECK_EQ(arena_size(&a), size);
            CHECK(s.padding <= strings);
            CHECK_EQ(s.used, s.size + s.padding + s.stranded);
            CHECK(s.used <= s.retained + strings);
            CHECK_EQ(s.oversized, oversized);
            CHECK_EQ(s.allocated, t->mem.live_bytes);
            CHECK_EQ(s.retained, arena_retained(&a));
            CHECK_EQ(s.chunks, arena_chunk_count(&a));
            CHECK_EQ(s.peak, peak);
            CHECK(s.retained <= s.allocated);
            for (k = 0; k < s.chunks; k++) sum += arena_chunk(&a, k).len;
            CHECK(sum >= size && sum <= size + strings);
            held = s.retained;
        }
        CHECK(held <= peak);
        if (batch % 7 == 3) arena_trim(&a, 1000);
        if (batch % 10 == 9)
            arena_release(&a);
        else
            arena_reset(&a);
        CHECK_EQ(arena_stats(&a).size, 0);
        CHECK_EQ(arena_stats(&a).allocated, t->mem.live_bytes);
    }
    arena_release(&a);
}

TEST(stats, peak_survives_reset_and_trim)
{
    arena_t a;
    int i;
    start(t, &a, 100);
    for (i = 0; i < 7; i++) CHECK(arena_reserve(&a, 100) != NULL);
    CHECK(arena_reserve(&a, 1000) != NULL);
    CHECK_EQ(arena_stats(&a).peak, 1700);
    arena_reset(&a);
    CHECK_EQ(arena_stats(&a).peak, 1700);
    arena_trim(&a, 0);
    CHECK_EQ(arena_stats(&a).peak, 1700);
    CHECK_EQ(arena_retained(&a), 0);
    CHECK(arena_reserve(&a, 100) != NULL);
    CHECK_EQ(arena_stats(&a).peak, 1700);
    CHECK(arena_reserve(&a, 1601) != NULL);
    CHECK_EQ(arena_stats(&a).peak, 1701);
    arena_release(&a);
}

TEST(stats, chunks_in_order)
{
    /* Numbers are given in the order of opening; the view is the whole of what is in the chunk,
     * from its first value on. */
    arena_t a;
    const char *first[5];
    size_t i;
    start(t, &a, 64);
    for (i = 0; i < 5; i++) {
        char c = (char)('a' + i);
        size_t k;
        first[i] = arena_append(&a, &c, 1);
        for (k = 1; k < 64; k++) CHECK(arena_append(&a, &c, 1) != NULL);
    }
    CHECK_EQ(arena_chunk_count(&a), 5);
    for (i = 0; i < 5; i++) {
        arena_view_t v = arena_chunk(&a, i);
        CHECK(v.data == first[i]);
        CHECK_EQ(v.len, 64);
        CHECK_EQ(v.data[63], 'a' + (int)i);
    }
    CHECK_EQ(arena_chunk(&a, 5).len, 0);
    CHECK_EQ(arena_chunk(&a, SIZE_MAX).len, 0);
    arena_release(&a);
    CHECK_EQ(arena_chunk(&a, 0).len, 0);
}

TEST(stats, chunks_hold_the_whole_batch)
{
    /* For writev: the chunks, one after another, are all values and nothing else, where no NUL is
     * among them. */
    halves_t a;
    arena_options_t o;
    static uint16_t values[3000];
    size_t i, k, stored = 0, sum = 0;
    uint64_t count = 0, found = 0;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 100;
    o.hooks = t->hooks;
    CHECK_EQ(halves_init(&a, &o), ARENA_OK);
    for (i = 0; i < 3000; i++) values[i] = (uint16_t)(i + 1);
    for (i = 0; i < 200; i++) {
        size_t n = 1 + (size_t)(test_random(t) % (i % 20 == 0 ? 200 : 30));
        CHECK(halves_append(&a, values + stored % 2000, n) != NULL);
        for (k = 0; k < n; k++) count += values[stored % 2000 + k];
        stored += n;
    }
    for (i = 0; i < halves_chunk_count(&a); i++) {
        halves_view_t v = halves_chunk(&a, i);
        CHECK(v.len > 0);
        sum += v.len;
        for (k = 0; k < v.len; k++) found += v.data[k];
    }
    CHECK_EQ(sum, stored);
    CHECK_EQ(found, count);
    CHECK_EQ(halves_size(&a), stored * sizeof(uint16_t));
    halves_release(&a);
}

TEST(stats, status_text)
{
    int i, k;
    for (i = ARENA_OK; i <= ARENA_IMAGE; i++) {
        const char *s = arena_status_text((arena_status_t)i);
        CHECK(s != NULL && s[0] != '\0');
        for (k = ARENA_OK; k < i && s != NULL; k++)
            CHECK(strcmp(s, arena_status_text((arena_status_t)k)) != 0);
    }
    CHECK_EQ(ARENA_OK, 0);
    CHECK_EQ(ARENA_IMAGE, 7);
#ifndef __cplusplus
    /* Any other number has a text too. In C++ such a value of an enum is undefined. */
    CHECK(arena_status_text((arena_status_t)8) != NULL &&
          arena_status_text((arena_status_t)8)[0] != '\0');
    CHECK(arena_status_text((arena_status_t)100) != NULL);
#endif
}

TEST(stats, status_outlives_release)
{
    arena_t a;
    start(t, &a, 100);
    CHECK(arena_append(&a, "x", 1) != NULL);
    CHECK(arena_append(&a, NULL, 1) == NULL);
    arena_release(&a);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    CHECK(arena_append(&a, "x", 1) != NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    arena_release(&a);
    CHECK_EQ(arena_status(&a), ARENA_OK);
}

TEST(stats, status_keeps_the_first)
{
    arena_t a;
    start(t, &a, 100);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK(arena_append(&a, NULL, 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    CHECK(arena_reserve(&a, SIZE_MAX) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    CHECK(arena_append(&a, "good", 4) != NULL); /* A success does not clear it. */
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK(arena_reserve(&a, SIZE_MAX) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    arena_reset(&a);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    arena_release(&a);
}
