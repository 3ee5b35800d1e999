/*
 * Storing. Proves these sentences of DESIGN section 3 and of issue 2:
 * "append: a copy; the view's data"; "reserve: room to fill in place, not cleared"; "reserve_ref:
 * the same, with its descriptor"; "A value is always contiguous"; "One larger than a whole chunk
 * gets a chunk of its own, exactly its size, and the chunk being filled stays the one being
 * filled"; "One that does not fit the room left goes to the best fit among a few open tails, or
 * opens the next chunk"; "no view ever moves before reset, release or a rewind past it"; "count ==
 * 0: NULL / the absent Ref, no error, nothing stored, NULL source allowed"; "The source may lie
 * inside the arena"; "3 * 4096 one-byte appends fill exactly three chunks"; "an oversized value
 * adds exactly its own length and is gone after reset"; the memory held on lumpy sizes (issue 5
 * item 5). Of issue 6 item 9: exact fit, one less, one more; one large item between small ones must
 * not enlarge later chunks; number of chunks 1, 2, 3 and the one too many; building one item while
 * another is stored.
 */
#include <stdlib.h>

#include "support.h"

struct append_pair {
    uint32_t key, value;
};
ARENA_DEFINE(pairs, struct append_pair);

/* Padding between the members, which nobody sets: small enough for the slow path by value. */
struct append_padded {
    char c;
    int i;
};
ARENA_DEFINE(paddeds, struct append_padded);

TEST(append, values_with_unset_padding)
{
    arena_options_t o;
    paddeds_t a;
    struct append_padded *v = (struct append_padded *)t->hooks->alloc(t->hooks->ctx, sizeof *v, 8);
    int i;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    o.chunk_bytes = 4 * sizeof *v;
    CHECK_EQ(paddeds_init(&a, &o), ARENA_OK);
    for (i = 0; i < 100; i++) {
        const struct append_padded *p;
        paddeds_view_t w;
        v->c = (char)i;
        v->i = i;
        p = paddeds_append(&a, v, 1);
        w = paddeds_value(&a, paddeds_ref(&a, v, 1));
        CHECK(p != NULL && p->c == (char)i && p->i == i);
        CHECK(w.len == 1 && w.data->c == (char)i && w.data->i == i);
    }
    CHECK_EQ(paddeds_size(&a), 200 * sizeof *v);
    paddeds_release(&a);
    t->hooks->free(t->hooks->ctx, v, sizeof *v, 8);
}

TEST(append, copies_bytes)
{
    arena_t a;
    char source[64];
    size_t n;
    start(t, &a, 4096);
    for (n = 1; n <= sizeof source; n++) {
        const char *p;
        fill_pattern(source, n, (unsigned)n);
        p = arena_append(&a, source, n);
        CHECK_MEM(p, source, n);
        CHECK(p != source);
        memset(source, 0, sizeof source);
        CHECK(p[n - 1] != 0 || p[0] != 0);
    }
    CHECK_EQ(arena_size(&a), 64 * 65 / 2);
    arena_release(&a);
}

TEST(append, copies_every_length)
{
    /* The small copies have classes of lengths; every length around their ends, and many long ones,
     * are right. */
    arena_t a;
    static unsigned char source[5000];
    size_t n;
    fill_pattern(source, sizeof source, 3);
    start(t, &a, 16384);
    for (n = 1; n < 700; n++) {
        size_t from = n % 13;
        const char *p = arena_append(&a, source + from, n);
        const char *q = arena_append(&a, "|", 1);
        CHECK_MEM(p, source + from, n);
        CHECK_MEM(q, "|", 1);
        CHECK_MEM(p, source + from, n);
    }
    for (n = 700; n <= 5000; n += 107) CHECK_MEM(arena_append(&a, source, n), source, n);
    arena_release(&a);
}

TEST(append, reads_nothing_outside_the_source)
{
    /* A block of exactly n bytes: a sanitizer or valgrind sees a byte read before or behind it. */
    arena_t a;
    size_t n;
    start(t, &a, 4096);
    for (n = 1; n <= 300; n++) {
        unsigned char *source = (unsigned char *)malloc(n);
        if (!CHECK(source != NULL)) break;
        fill_pattern(source, n, (unsigned)n);
        CHECK_MEM(arena_append(&a, source, n), source, n);
        free(source);
    }
    arena_release(&a);
}

TEST(append, writes_nothing_outside_the_value)
{
    /* Neighbours keep their bytes, at every length and at the end of a chunk. */
    arena_t a;
    size_t n;
    static unsigned char source[300];
    for (n = 1; n < sizeof source; n++) {
        const char *p, *q;
        start(t, &a, n + 1);
        fill_pattern(source, n, 9);
        p = arena_append(&a, "\x7E", 1);
        q = arena_append(&a, source, n);
        CHECK(q == p + 1);
        CHECK_MEM(p, "\x7E", 1);
        CHECK_MEM(q, source, n);
        CHECK_EQ(arena_chunk_count(&a), 1);
        arena_release(&a); /* The hooks check the bytes behind the chunk. */
    }
}

TEST(append, zero_count)
{
    arena_t a;
    struct snapshot before;
    arena_ref_t r;
    char *p;
    start(t, &a, 100);
    CHECK(arena_append(&a, NULL, 0) == NULL);
    CHECK(arena_append(&a, "x", 0) == NULL);
    CHECK(arena_reserve(&a, 0) == NULL);
    CHECK(arena_append(&a, "abc", 3) != NULL);
    before = snapshot_of(&a);
    CHECK(arena_append(&a, NULL, 0) == NULL);
    CHECK(arena_append(&a, "x", 0) == NULL);
    CHECK(arena_reserve(&a, 0) == NULL);
    CHECK(arena_ref_empty(arena_ref(&a, NULL, 0)));
    CHECK(arena_ref_empty(arena_ref(&a, "x", 0)));
    memset(&r, 0xEE, sizeof r);
    p = arena_reserve_ref(&a, 0, &r);
    CHECK(p == NULL);
    CHECK(r.chunk == 0 && r.off == 0 && r.len == 0);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK_STR(snapshot_difference(&before, &a), "");
    arena_release(&a);
}

TEST(append, counting_47_bytes_retain_4096)
{
    arena_t a;
    char source[47];
    start(t, &a, 4096);
    fill_pattern(source, sizeof source, 1);
    CHECK(arena_append(&a, source, sizeof source) != NULL);
    CHECK_EQ(arena_size(&a), 47);
    CHECK_EQ(arena_retained(&a), 4096);
    CHECK_EQ(arena_stats(&a).used, 47);
    arena_release(&a);
}

TEST(append, three_times_4096_fill_three_chunks)
{
    arena_t a;
    arena_stats_t s;
    int i;
    start(t, &a, 4096);
    for (i = 0; i < 3 * 4096; i++) {
        char c = (char)('a' + i % 26);
        const char *p = arena_append(&a, &c, 1);
        CHECK(p != NULL && *p == c);
        CHECK_EQ(arena_chunk_count(&a), 1 + i / 4096);
    }
    s = arena_stats(&a);
    CHECK_EQ(s.size, 3 * 4096);
    CHECK_EQ(s.used, 3 * 4096);
    CHECK_EQ(s.retained, 3 * 4096);
    CHECK_EQ(s.padding, 0);
    CHECK_EQ(s.stranded, 0);
    CHECK_EQ(s.chunks, 3);
    CHECK_EQ(s.oversized, 0);
    for (i = 0; i < 3; i++) CHECK_EQ(arena_chunk(&a, (size_t)i).len, 4096);
    /* The one too many. */
    CHECK(arena_append(&a, "z", 1) != NULL);
    CHECK_EQ(arena_chunk_count(&a), 4);
    CHECK_EQ(arena_retained(&a), 4 * 4096);
    arena_release(&a);
}

TEST(append, exact_fit_one_less_one_more)
{
    static char source[130];
    int d;
    fill_pattern(source, sizeof source, 5);
    for (d = -1; d <= 1; d++) {
        /* As the first value, and where 60 bytes are stored already. */
        size_t n = (size_t)(100 + d);
        arena_t a;
        const char *p;
        start(t, &a, 100);
        p = arena_append(&a, source, n);
        CHECK_MEM(p, source, n);
        CHECK_EQ(arena_retained(&a), d == 1 ? 101 : 100);
        CHECK_EQ(arena_stats(&a).oversized, d == 1 ? 1 : 0);
        arena_release(&a);

        start(t, &a, 100);
        CHECK(arena_append(&a, source, 60) != NULL);
        n = (size_t)(40 + d);
        p = arena_append(&a, source, n);
        CHECK_MEM(p, source, n);
        CHECK_EQ(arena_chunk_count(&a), d == 1 ? 2 : 1);
        CHECK_EQ(arena_size(&a), 60 + n);
        CHECK_EQ(arena_chunk(&a, 0).len, d == 1 ? 60 : 60 + n);
        arena_release(&a);
    }
}

TEST(append, values_are_contiguous)
{
    arena_t a;
    static char source[1000];
    const char *values[400];
    size_t lengths[400];
    int i;
    start(t, &a, 256);
    for (i = 0; i < 400; i++) {
        size_t n = lengths[i] = 1 + (size_t)(test_random(t) % (i % 10 == 0 ? 1000 : 200));
        fill_pattern(source, n, (unsigned)i);
        values[i] = arena_append(&a, source, n);
        CHECK(is_live(&a, values[i], n));
    }
    /* No view moved, none lies in another. */
    for (i = 0; i < 400; i++) {
        fill_pattern(source, lengths[i], (unsigned)i);
        CHECK_MEM(values[i], source, lengths[i]);
    }
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(append, oversized_value_has_its_own_chunk)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    static char source[5000];
    const char *p, *q, *big;
    arena_stats_t s;
    size_t i, found = 0;
    fill_pattern(source, sizeof source, 7);
    start(t, &a, 100);
    p = arena_append(&a, source, 30);
    big = arena_append(&a, source, 5000);
    q = arena_append(&a, source + 30, 30);
    CHECK_MEM(big, source, 5000);
    CHECK(q == p + 30); /* The chunk being filled is still being filled. */
    s = arena_stats(&a);
    CHECK_EQ(s.size, 5060);
    CHECK_EQ(s.used, 5060);
    CHECK_EQ(s.retained, 5100);
    CHECK_EQ(s.oversized, 1);
    CHECK_EQ(s.chunks, 2);
    CHECK_EQ(s.padding, 0);
    CHECK_EQ(s.stranded, 0);
    for (i = 0; i < arena_chunk_count(&a); i++) {
        arena_view_t v = arena_chunk(&a, i);
        if (v.data == big) {
            CHECK_EQ(v.len, 5000);
            found++;
        }
    }
    CHECK_EQ(found, 1);
    arena_reset(&a);
    s = arena_stats(&a);
    CHECK_EQ(s.size, 0);
    CHECK_EQ(s.retained, 100);
    CHECK_EQ(s.oversized, 0);
    CHECK_EQ(s.peak, 5100);
    arena_release(&a);
}

TEST(append, oversized_first)
{
    NEEDS_KEPT_CHUNKS();
    /* An oversized value on an empty arena: later small ones open an ordinary chunk. */
    arena_t a;
    static char source[300];
    fill_pattern(source, sizeof source, 7);
    start(t, &a, 100);
    CHECK_MEM(arena_append(&a, source, 300), source, 300);
    CHECK_EQ(arena_retained(&a), 300);
    CHECK_EQ(arena_chunk_count(&a), 1);
    CHECK_EQ(arena_stats(&a).oversized, 1);
    CHECK_MEM(arena_append(&a, source, 10), source, 10);
    CHECK_EQ(arena_retained(&a), 400);
    CHECK_MEM(arena_append(&a, source, 101), source, 101);
    CHECK_EQ(arena_retained(&a), 501);
    CHECK_MEM(arena_append(&a, source, 90), source, 90);
    CHECK_EQ(arena_retained(&a), 501);
    CHECK_EQ(arena_stats(&a).oversized, 2);
    arena_reset(&a);
    CHECK_EQ(arena_retained(&a), 100);
    arena_release(&a);
}

TEST(append, large_item_does_not_enlarge_later_chunks)
{
    arena_t a;
    int i;
    static char source[10000];
    memset(source, 'x', sizeof source);
    start(t, &a, 100);
    for (i = 0; i < 50; i++) CHECK(arena_append(&a, source, 10) != NULL);
    CHECK_EQ(arena_retained(&a), 500);
    CHECK(arena_append(&a, source, sizeof source) != NULL);
    for (i = 0; i < 50; i++) CHECK(arena_append(&a, source, 10) != NULL);
    CHECK_EQ(arena_retained(&a), 1000 + sizeof source);
    CHECK_EQ(arena_chunk_count(&a), 11);
    arena_release(&a);
}

TEST(append, best_fit_among_open_tails)
{
    /*
     * Rooms of 40, 20 and 30 bytes. 35 bytes fit into the 40 only; then 15 fit into the 20 and the
     * 30, and best into the 20; 28 into the 30.
     */
    arena_t a;
    static char source[100];
    const char *p[3], *q;
    int i;
    memset(source, 'x', sizeof source);
    start(t, &a, 100);
    p[0] = arena_append(&a, source, 60);
    p[1] = arena_append(&a, source, 80);
    p[2] = arena_append(&a, source, 70);
    CHECK_EQ(arena_chunk_count(&a), 3);
    q = arena_append(&a, source, 35);
    CHECK_EQ(chunk_of(&a, q), chunk_of(&a, p[0]));
    q = arena_append(&a, source, 15);
    CHECK_EQ(chunk_of(&a, q), chunk_of(&a, p[1]));
    q = arena_append(&a, source, 28);
    CHECK_EQ(chunk_of(&a, q), chunk_of(&a, p[2]));
    CHECK_EQ(arena_chunk_count(&a), 3);
    CHECK_EQ(arena_retained(&a), 300);
    CHECK_EQ(arena_size(&a), 60 + 80 + 70 + 35 + 15 + 28);
    /* 5, 5 and 2 are left: one byte at a time they are used up before a fourth chunk opens. */
    for (i = 0; i < 12; i++) CHECK(arena_append(&a, "y", 1) != NULL);
    CHECK_EQ(arena_chunk_count(&a), 3);
    CHECK_EQ(arena_stats(&a).stranded, 0);
    CHECK(arena_append(&a, "y", 1) != NULL);
    CHECK_EQ(arena_chunk_count(&a), 4);
    arena_release(&a);
}

TEST(append, fullest_open_chunk_is_filled_next)
{
    /*
     * Large values leave rooms of 1096, 596, 296 and 96 bytes. Small ones go to the fullest chunk
     * that has 256 bytes left, so that the emptier ones stay good for larger values.
     */
    static const size_t orders[][4] = {
        {3000, 3500, 3800, 4000}, {4000, 3800, 3500, 3000}, {3500, 4000, 3000, 3800}};
    static char source[4000];
    size_t i, k;
    memset(source, 'f', sizeof source);
    for (i = 0; i < 3; i++) {
        arena_t a;
        const char *p, *full = NULL;
        start(t, &a, 4096);
        for (k = 0; k < 4; k++) {
            p = arena_append(&a, source, orders[i][k]);
            if (orders[i][k] == 3800) full = p;
        }
        CHECK_EQ(arena_chunk_count(&a), 4);
        for (k = 0; k < 4; k++)
            CHECK_EQ(chunk_of(&a, arena_append(&a, source, 10)), chunk_of(&a, full));
        CHECK(arena_append(&a, source, 1096) != NULL);
        CHECK(arena_append(&a, source, 596) != NULL);
        CHECK(arena_append(&a, source, 96) != NULL);
        CHECK_EQ(arena_chunk_count(&a), 4);
        CHECK_EQ(arena_stats(&a).stranded, 0);
        arena_release(&a);
    }
}

TEST(append, fullest_open_chunk_to_the_byte)
{
    /* Two values that do not fit one chunk of 4096 bytes leave so much room in the first and the
     * second; where does the next byte go? Of two equal ones the chunk of the value is filled. */
    static const struct {
        size_t first, second, next;
    } cases[] = {
        {256, 196, 0}, {396, 256, 1}, {256, 396, 0}, {255, 396, 1}, {256, 256, 1}, {200, 200, 1},
        {201, 200, 0}, {200, 201, 1}, {257, 256, 1}, {256, 257, 0}, {396, 4096 - 512, 1},
        {396, 4096 - 513, 0},
    };
    static char source[4096];
    size_t i;
    memset(source, 'b', sizeof source);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        arena_t a;
        start(t, &a, 4096);
        CHECK(arena_append(&a, source, 4096 - cases[i].first) != NULL);
        CHECK(arena_append(&a, source, 4096 - cases[i].second) != NULL);
        CHECK_EQ(arena_chunk_count(&a), 2);
        CHECK_EQ(chunk_of(&a, arena_append(&a, source, 1)), cases[i].next);
        CHECK_EQ(arena_stats(&a).stranded, 0);
        CHECK(arena_is_valid(&a));
        arena_release(&a);
    }
}

TEST(append, stranded_is_exact)
{
    /* What is neither used nor stranded is what stores of single bytes still find before another
     * chunk opens. */
    int round;
    static char source[1000];
    memset(source, 's', sizeof source);
    for (round = 0; round < 60; round++) {
        arena_t a;
        arena_stats_t s;
        size_t i, n = 1 + (size_t)(test_random(t) % 60), chunks, fits = 0;
        size_t chunk_bytes = 64 + (size_t)(test_random(t) % 4000);
        start(t, &a, chunk_bytes);
        for (i = 0; i < n; i++) {
            size_t len =
                1 + (size_t)(test_random(t) % (i % 3 == 0 ? chunk_bytes : chunk_bytes / 3));
            if (len > sizeof source) len = sizeof source;
            CHECK(arena_append(&a, source, len) != NULL);
            s = arena_stats(&a);
            CHECK_EQ(s.used, s.size + s.padding + s.stranded);
            CHECK(s.used <= s.retained);
            CHECK_EQ(s.retained, s.chunks * chunk_bytes);
        }
        chunks = s.chunks;
        while (arena_append(&a, "1", 1) != NULL && arena_chunk_count(&a) == chunks) fits++;
        CHECK_EQ(fits, s.retained - s.used);
        arena_release(&a);
    }
}

/* One draw of lognormal(6, 2), cut at 192 KiB, without libm: the normal is the sum of twelve
 * uniforms. */
static size_t lognormal(struct test *t)
{
    double x = -6, y;
    int i;
    for (i = 0; i < 12; i++) x += (double)(test_random(t) >> 11) / 9007199254740992.0;
    y = 1 + (6 + 2 * x) / 4096;
    for (i = 0; i < 12; i++) y *= y;
    return y >= 192.0 * 1024 ? 192 * 1024 : (size_t)y + 1;
}

TEST(append, lumpy_sizes_waste_little)
{
    /* Issue 5 item 5: lognormal(6, 2) cut at 192 KiB at most 1.03 bytes held per byte stored,
     * uniform 1..32 KiB 1.05. */
    int kind;
    for (kind = 0; kind < 2; kind++) {
        arena_t a;
        size_t i, n = kind == 0 ? 40000 : 4000;
        start(t, &a, 65536);
        for (i = 0; i < n; i++) {
            size_t len = kind == 0 ? lognormal(t) : 1 + (size_t)(test_random(t) % 32768);
            char *p = arena_reserve(&a, len);
            if (!CHECK(p != NULL)) break;
            p[0] = p[len - 1] = 1;
        }
        CHECK((double)arena_retained(&a) <= (kind == 0 ? 1.03 : 1.05) * (double)arena_size(&a));
        CHECK(arena_is_valid(&a));
        arena_release(&a);
    }
}

TEST(append, source_inside_the_arena)
{
    arena_t a;
    const char *p;
    char *big;
    static char expected[64];
    start(t, &a, 64);
    fill_pattern(expected, sizeof expected, 2);
    p = arena_append(&a, expected, 20);
    CHECK_MEM(arena_append(&a, p, 20), expected, 20); /* At the tip, right behind the source. */
    CHECK_MEM(arena_append(&a, p + 5, 10), expected + 5, 10); /* A piece. */
    CHECK_MEM(arena_append(&a, p, 20), expected, 20);         /* Into a new chunk. */
    CHECK_MEM(arena_intern_n(&a, p, 20), expected, 20);
    CHECK_MEM(arena_value(&a, arena_ref(&a, p + 1, 19)).data, expected + 1, 19);
    /* A value of a whole chunk, and an oversized one, doubled by way of themselves. */
    p = arena_append(&a, expected, 64);
    CHECK_MEM(arena_append(&a, p, 64), expected, 64);
    big = arena_reserve(&a, 200);
    fill_pattern(big, 200, 4);
    p = arena_append(&a, big, 200);
    CHECK_MEM(p, big, 200);
    arena_release(&a);
}

TEST(append, source_inside_the_arena_while_its_table_grows)
{
    /* Every value is a copy of the one before; the table of chunks grows many times on the way. */
    arena_t a;
    const char *p;
    int i;
    start(t, &a, 16);
    p = arena_append(&a, "0123456789abcdef", 16);
    for (i = 0; i < 3000; i++) {
        const char *q = arena_append(&a, p, 16);
        CHECK(q != NULL && q != p);
        p = q;
    }
    CHECK_MEM(p, "0123456789abcdef", 16);
    CHECK_EQ(arena_chunk_count(&a), 3001);
    CHECK_EQ(arena_retained(&a), 3001 * 16);
    arena_release(&a);
}

TEST(append, table_growth_at_every_power_of_two)
{
    arena_t a;
    static const char *where[4100];
    size_t n, i;
    start(t, &a, 1);
    for (n = 0; n < 4100; n++) {
        char c = (char)(n % 251);
        where[n] = arena_append(&a, &c, 1);
        CHECK_EQ(arena_chunk_count(&a), n + 1);
        if (((n + 1) & n) == 0 || ((n + 2) & (n + 1)) == 0 || (n & (n - 1)) == 0) {
            CHECK(arena_is_valid(&a));
            CHECK_EQ(arena_stats(&a).allocated, t->mem.live_bytes);
            for (i = 0; i <= n; i++) CHECK_EQ((unsigned char)*where[i], i % 251);
        }
    }
    CHECK_EQ(arena_retained(&a), 4100);
    arena_release(&a);
}

TEST(append, reserve_is_filled_in_place)
{
    arena_t a;
    char *p, *q;
    arena_ref_t r;
    start(t, &a, 100);
    p = arena_reserve(&a, 10);
    /* Not cleared. */
    if (!TEST_MSAN) CHECK_EQ((unsigned char)p[0], ARENA_DEBUG >= 1 ? 0xA1 : 0xA5);
    q = arena_reserve_ref(&a, 10, &r);
    CHECK(q == p + 10);
    memcpy(p, "0123456789", 10);
    memcpy(q, "abcdefghij", 10);
    CHECK_EQ(arena_size(&a), 20);
    CHECK(arena_value(&a, r).data == q);
    CHECK_EQ(arena_value(&a, r).len, 10);
    CHECK_MEM(arena_value(&a, r).data, "abcdefghij", 10);
    arena_release(&a);
}

TEST(append, built_while_another_is_stored)
{
    /* A reservation is a value from the start: what is stored before it is filled does not touch
     * it. */
    arena_t a;
    char *p;
    const char *q;
    start(t, &a, 64);
    p = arena_reserve(&a, 32);
    q = arena_append(&a, "between", 7);
    memset(p, 'p', 32);
    CHECK_MEM(q, "between", 7);
    q = arena_append(&a, "0123456789012345678901234567890123456789", 40);
    CHECK_MEM(q, "0123456789012345678901234567890123456789", 40);
    CHECK_EQ(p[31], 'p');
    CHECK_EQ(arena_size(&a), 79);
    arena_release(&a);
}

TEST(append, repeated_batch_makes_no_allocator_call)
{
    NEEDS_KEPT_CHUNKS();
    /* Whatever mix of small and chunk-sized values: the second time, and the tenth, nothing is
     * asked for. */
    int mix;
    for (mix = 0; mix < 40; mix++) {
        arena_t a;
        size_t lengths[200], i, n = 1 + (size_t)(test_random(t) % 200), calls = 0, frees = 0;
        int round;
        arena_stats_t first;
        start(t, &a, 512);
        memset(&first, 0, sizeof first);
        for (i = 0; i < n; i++) {
            lengths[i] = 1 + (size_t)(test_random(t) % (mix % 2 == 0 ? 512 : 40));
            if (mix % 3 == 0 && i % 7 == 0) lengths[i] = 512;
        }
        for (round = 0; round < 10; round++) {
            if (round == 1) {
                calls = t->mem.allocs;
                frees = t->mem.frees;
                first = arena_stats(&a);
            }
            if (round > 0) arena_reset(&a);
            for (i = 0; i < n; i++) {
                char *p = arena_reserve(&a, lengths[i]);
                CHECK(p != NULL);
                if (p != NULL) memset(p, (int)i, lengths[i]);
            }
        }
        CHECK_EQ(t->mem.allocs, calls);
        CHECK_EQ(t->mem.frees, frees);
        CHECK_EQ(arena_stats(&a).retained, first.retained);
        CHECK_EQ(arena_stats(&a).used, first.used);
        CHECK_EQ(arena_stats(&a).chunks, first.chunks);
        arena_release(&a);
    }
}

TEST(append, repeated_batch_makes_one_call_for_each_oversized)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    int round, i;
    size_t calls = 0;
    start(t, &a, 512);
    for (round = 0; round < 5; round++) {
        calls = t->mem.allocs;
        for (i = 0; i < 30; i++) {
            CHECK(arena_reserve(&a, 100) != NULL);
            if (i % 10 == 0) CHECK(arena_reserve(&a, 600 + (size_t)i) != NULL);
        }
        if (round > 0) CHECK_EQ(t->mem.allocs - calls, 3);
        arena_reset(&a);
    }
    arena_release(&a);
}

TEST(append, typed_values)
{
    pairs_t a;
    arena_options_t o;
    struct append_pair many[10];
    const struct append_pair *p;
    pairs_view_t v;
    uint32_t i;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 5 * sizeof many[0];
    o.hooks = t->hooks;
    CHECK_EQ(pairs_init(&a, &o), ARENA_OK);
    for (i = 0; i < 10; i++) {
        many[i].key = i;
        many[i].value = i * i;
    }
    for (i = 0; i < 10; i++) {
        p = pairs_append(&a, &many[i], 1);
        CHECK(p != NULL && p->key == i && p->value == i * i);
    }
    CHECK_EQ(pairs_chunk_count(&a), 2);
    CHECK_EQ(pairs_size(&a), sizeof many);
    CHECK_EQ(pairs_stats(&a).stranded, 0);
    v = pairs_chunk(&a, 1);
    CHECK_EQ(v.len, 5);
    CHECK_EQ(v.data[4].key, 9);
    p = pairs_append(&a, many, 10);
    CHECK_MEM(p, many, sizeof many);
    CHECK_EQ(pairs_stats(&a).oversized, 1);
    CHECK_EQ(pairs_retained(&a), 2 * 5 * sizeof many[0] + sizeof many);
    p = pairs_append(&a, many, 3);
    CHECK_MEM(p, many, 3 * sizeof many[0]);
    p = pairs_append(&a, many, 3);
    CHECK_MEM(p, many, 3 * sizeof many[0]);
    CHECK_EQ(pairs_chunk_count(&a), 5);
    p = pairs_append(&a, many, 2);
    CHECK_MEM(p, many, 2 * sizeof many[0]);
    CHECK_EQ(pairs_chunk_count(&a), 5);
    CHECK(pairs_is_valid(&a));
    pairs_release(&a);
}
