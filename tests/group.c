/*
 * group.c - lanes of a group, used from one thread. What only several threads can show is in
 * threads.c.
 *
 * The sentences that this family proves:
 *  - A Ref made by any lane resolves through any other lane of its group, while both go on
 *    storing.
 *  - Lanes reset on their own: the Refs of the lane that was reset are stale everywhere, those of
 *    the others are good.
 *  - A lane that is released leaves the group and may join again; its chunk numbers serve others.
 *  - With no chunk number left append and intern still store, and a Ref gives ARENA_REF_RANGE
 *    with nothing stored.
 *  - limit_bytes is the group's, exact over all lanes as the hooks see it; a refused or failing
 *    lane changes nothing for the others.
 *  - All lanes have one element size and alignment, else ARENA_ARGUMENT.
 *  - In another lane's open chunk a Ref is checked against the chunk's capacity; no Ref, whatever
 *    its bits, resolves out of bounds.
 *  - A lane holds at most the chunk being filled and its few tails beside what it stored.
 *  - Nothing is allocated before the first store, the group's table excepted; release gives
 *    everything back.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define NEED(cond)                \
    do {                          \
        if (!CHECK(cond)) return; \
    } while (0)

#ifdef ARENA_NO_ATOMICS
#define GROUP_NEEDED SKIP("built without atomics")
#else
#define GROUP_NEEDED ((void)0)
#endif

struct group_point {
    double x, y;
};
struct group_pair {
    int a, b, c, d;
};
struct group_point_probe {
    char c;
    struct group_point p;
};
struct group_pair_probe {
    char c;
    struct group_pair p;
};
ARENA_DEFINE(group_points, struct group_point);
ARENA_DEFINE(group_pairs, struct group_pair);
ARENA_DEFINE(group_ints, int);

static void group_options(arena_options_t *o, struct test *t, size_t chunk_bytes, size_t limit)
{
    memset(o, 0, sizeof *o);
    o->chunk_bytes = chunk_bytes;
    o->limit_bytes = limit;
    o->hooks = t->hooks;
}

static bool group_open(arena_group_t *g, struct test *t, size_t chunk_bytes, size_t limit,
                       uint32_t max_chunks)
{
    arena_options_t o;
    memset(g, 0, sizeof *g);
    group_options(&o, t, chunk_bytes, limit);
    return CHECK_EQ(arena_group_init(g, &o, max_chunks), ARENA_OK) != 0;
}

static bool group_join(struct test *t, arena_t *lane, arena_group_t *g)
{
    memset(lane, 0, sizeof *lane);
    return CHECK_EQ(arena_join(lane, g), ARENA_OK) != 0;
}

static bool group_is(const arena_t *lane, arena_ref_t r, const char *text)
{
    arena_view_t v = arena_value(lane, r);
    return v.data != NULL && v.len == strlen(text) && memcmp(v.data, text, v.len) == 0;
}

static bool group_gone(const arena_t *lane, arena_ref_t r)
{
    arena_view_t v = arena_value(lane, r);
    return v.len == 0;
}

/* Where the compiler has atomics there are groups, elsewhere they are refused with nothing taken.
 */
TEST(group, atomics_decide)
{
    arena_group_t g;
    arena_options_t o;
    memset(&g, 0, sizeof g);
    group_options(&o, t, 0, 0);
#ifdef ARENA_NO_ATOMICS
    CHECK_EQ(arena_group_init(&g, &o, 16), ARENA_ARGUMENT);
    CHECK_EQ(t->mem.allocs, 0);
#else
    CHECK_EQ(arena_group_init(&g, &o, 16), ARENA_OK);
    CHECK_EQ(t->mem.allocs, 1);
#endif
    arena_group_release(&g);
    CHECK_EQ(t->mem.live_blocks, 0);
}

TEST(group, refs_resolve_through_every_lane)
{
    enum { LANES = 5, EACH = 400 };
    arena_group_t g;
    arena_t lane[LANES];
    static arena_ref_t refs[LANES][EACH];
    char text[40];
    int i, k, via;
    GROUP_NEEDED;
    NEED(group_open(&g, t, 512, 0, 4096));
    for (k = 0; k < LANES; k++) NEED(group_join(t, &lane[k], &g));
    CHECK(t->mem.allocs <= 2);
    for (i = 0; i < EACH; i++) {
        for (k = 0; k < LANES; k++) {
            sprintf(text, "lane %d, value %d", k, i);
            refs[k][i] = arena_strref(&lane[k], text);
            CHECK(!arena_ref_empty(refs[k][i]));
            for (via = 0; via < LANES; via++) CHECK(group_is(&lane[via], refs[k][i], text));
        }
    }
    for (k = 0; k < LANES; k++) {
        for (i = 0; i < EACH; i++) {
            sprintf(text, "lane %d, value %d", k, i);
            for (via = 0; via < LANES; via++) {
                if (!group_is(&lane[via], refs[k][i], text)) break;
                if (strcmp(arena_str(&lane[via], refs[k][i]), text) != 0) break;
            }
            CHECK_EQ(via, LANES);
        }
        CHECK(arena_is_valid(&lane[k]));
        CHECK_EQ(arena_status(&lane[k]), ARENA_OK);
    }
    for (k = 0; k < LANES; k++) arena_release(&lane[k]);
    arena_group_release(&g);
    CHECK_EQ(t->mem.live_blocks, 0);
}

/* A value that was stored as raw bytes, asked for as a C string through another lane: the copy is
 * made by the lane that asks. */
TEST(group, str_of_another_lanes_bytes)
{
    arena_group_t g;
    arena_t a, b;
    arena_ref_t r, last;
    const char *s, *next;
    GROUP_NEEDED;
    NEED(group_open(&g, t, 256, 0, 64));
    NEED(group_join(t, &a, &g));
    NEED(group_join(t, &b, &g));
    r = arena_ref(&a, "raw bytes", 9);
    last = arena_ref(&a, "at the tip", 10);
    s = arena_str(&b, r);
    CHECK_STR(s, "raw bytes");
    s = arena_str(&b, last);
    CHECK_STR(s, "at the tip");
    /* b must not have claimed the byte behind a's tip: a's next value begins right there. */
    next = arena_append(&a, "XYZ", 3);
    NEED(next != NULL);
    CHECK_STR(s, "at the tip");
    CHECK(next == arena_value(&a, last).data + 10);
    CHECK_MEM(next, "XYZ", 3);
    CHECK(arena_is_valid(&a) && arena_is_valid(&b));
    arena_release(&a);
    arena_release(&b);
    arena_group_release(&g);
}

/* Texts of every length as stored by strref, asked for through both lanes again and again: not
 * copied, except where the text ends with its chunk, so that only its own lane can tell that a NUL
 * follows. */
TEST(group, str_of_texts_costs_no_copy)
{
    arena_group_t g;
    arena_t a, b;
    char text[600];
    size_t n;
    int copies = 0;
    GROUP_NEEDED;
    memset(text, 't', sizeof text);
    NEED(group_open(&g, t, 200, 0, 4096));
    NEED(group_join(t, &a, &g));
    NEED(group_join(t, &b, &g));
    for (n = 1; n < 600; n++) {
        arena_ref_t r = arena_strref_n(&a, text, n);
        const char *data = arena_value(&a, r).data;
        size_t size_a = arena_size(&a), size_b = arena_size(&b);
        int k;
        NEED(data != NULL);
        for (k = 0; k < 3; k++) {
            const char *p = arena_str(&a, r), *q = arena_str(&b, r);
            CHECK_EQ(strlen(p), n);
            CHECK_EQ(strlen(q), n);
            copies += q != data;
            if (n > 200) CHECK(p == data && q == data);
        }
        if (n > 200) CHECK(arena_size(&a) == size_a && arena_size(&b) == size_b);
        CHECK(arena_is_valid(&a) && arena_is_valid(&b));
    }
    CHECK(copies <= 3 * 20);
    arena_release(&a);
    arena_release(&b);
    arena_group_release(&g);
}

TEST(group, typed_lanes)
{
    arena_group_t g;
    group_points_t a, b;
    arena_options_t o;
    unsigned i;
    GROUP_NEEDED;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&g, 0, sizeof g);
    group_options(&o, t, 320, 0);
    CHECK_EQ(arena_group_init(&g, &o, 200), ARENA_OK);
    CHECK_EQ(group_points_join(&a, &g), ARENA_OK);
    CHECK_EQ(group_points_join(&b, &g), ARENA_OK);
    for (i = 0; i < 500; i++) {
        struct group_point p[3];
        group_points_ref_t r;
        group_points_view_t v;
        unsigned k;
        for (k = 0; k < 3; k++) {
            p[k].x = (double)(i + k);
            p[k].y = -(double)i;
        }
        r = group_points_ref(i % 2 ? &a : &b, p, 1 + i % 3);
        v = group_points_value(i % 2 ? &b : &a, r);
        NEED(v.data != NULL);
        CHECK_EQ(v.len, 1 + i % 3);
        CHECK_MEM(v.data, p, v.len * sizeof p[0]);
    }
    CHECK(group_points_is_valid(&a) && group_points_is_valid(&b));
    group_points_release(&a);
    group_points_release(&b);
    arena_group_release(&g);
}

/* The first lane says what the elements of the group are. */
TEST(group, one_element_size_and_alignment)
{
    arena_group_t g;
    group_points_t points;
    group_pairs_t pairs; /* the size of a point, and another alignment */
    group_ints_t ints;
    arena_t text;
    GROUP_NEEDED;
    memset(&points, 0, sizeof points);
    memset(&pairs, 0, sizeof pairs);
    memset(&ints, 0, sizeof ints);
    memset(&text, 0, sizeof text);
    CHECK_EQ(sizeof(struct group_point), sizeof(struct group_pair));
    NEED(group_open(&g, t, 0, 0, 64));
    CHECK_EQ(group_points_join(&points, &g), ARENA_OK);
    CHECK_EQ(group_ints_join(&ints, &g), ARENA_ARGUMENT);
    CHECK_EQ(arena_join(&text, &g), ARENA_ARGUMENT);
    if (offsetof(struct group_point_probe, p) != offsetof(struct group_pair_probe, p)) {
        CHECK_EQ(group_pairs_join(&pairs, &g), ARENA_ARGUMENT);
    }
    {
        /* The refused one is still an arena, of its own. */
        arena_options_t o;
        static const int one = 1;
        group_options(&o, t, 0, 0);
        group_ints_clear_status(&ints);
        CHECK(group_ints_append(&ints, &one, 1) != NULL);
        CHECK(group_ints_is_valid(&ints));
        group_ints_release(&ints);
        group_pairs_release(&pairs);
        arena_release(&text);
    }
    group_points_release(&points);
    arena_group_release(&g);
}

TEST(group, join_refuses_what_makes_no_sense)
{
    arena_group_t g, nothing;
    arena_t lane, used;
    GROUP_NEEDED;
    memset(&used, 0, sizeof used);
    memset(&nothing, 0, sizeof nothing);
    NEED(group_open(&g, t, 0, 0, 8));
    NEED(group_join(t, &lane, &g));
    /* A lane of a group already. */
    CHECK_EQ(arena_join(&lane, &g), ARENA_ARGUMENT);
    arena_clear_status(&lane);
    CHECK(arena_append(&lane, "x", 1) != NULL);
    /* An arena that holds something. */
    CHECK(arena_append(&used, "x", 1) != NULL);
    CHECK_EQ(arena_join(&used, &g), ARENA_ARGUMENT);
    CHECK_EQ(arena_size(&used), 1);
    arena_release(&used);
    /* A group that was not made. */
    memset(&used, 0, sizeof used);
    CHECK_EQ(arena_join(&used, &nothing), ARENA_ARGUMENT);
    arena_release(&used);
    arena_release(&lane);
    arena_group_release(&g);
    arena_group_release(&nothing);
}

TEST(group, lanes_reset_on_their_own)
{
    arena_group_t g;
    arena_t a, b, c;
    arena_ref_t ra[50], rb[50], again;
    char text[40];
    int round, i;
    GROUP_NEEDED;
    NEED(group_open(&g, t, 128, 0, 256));
    NEED(group_join(t, &a, &g));
    NEED(group_join(t, &b, &g));
    NEED(group_join(t, &c, &g));
    for (i = 0; i < 50; i++) {
        sprintf(text, "b's %d", i);
        rb[i] = arena_strref(&b, text);
    }
    for (round = 0; round < 20; round++) {
        size_t calls;
        for (i = 0; i < 50; i++) {
            sprintf(text, "a's %d in %d", i, round + 100);
            ra[i] = arena_strref(&a, text);
            CHECK(group_is(&c, ra[i], text));
        }
        CHECK(arena_ref_empty(arena_strref(&c, "c")) == false);
        calls = t->mem.allocs;
        arena_reset(&a);
        CHECK_EQ(arena_size(&a), 0);
        for (i = 0; i < 50; i++) {
            CHECK(group_gone(&a, ra[i]));
            CHECK(group_gone(&b, ra[i]));
            CHECK(group_gone(&c, ra[i]));
            sprintf(text, "b's %d", i);
            CHECK(group_is(&a, rb[i], text));
            CHECK(group_is(&c, rb[i], text));
        }
        again = arena_strref(&a, "after the reset");
        CHECK(group_is(&b, again, "after the reset"));
        for (i = 0; i < 50; i++) CHECK(group_gone(&b, ra[i]));
        if (ARENA_DEBUG < 3)
            CHECK_EQ(t->mem.allocs, calls); /* at 3 a reset gives every chunk back */
        arena_reset(&a);
        CHECK(arena_is_valid(&a) && arena_is_valid(&b) && arena_is_valid(&c));
    }
    arena_release(&a);
    arena_release(&b);
    arena_release(&c);
    arena_group_release(&g);
}

TEST(group, a_released_lane_leaves_and_may_join_again)
{
    arena_group_t g;
    arena_t a, b;
    arena_ref_t r, keep;
    int round;
    GROUP_NEEDED;
    NEED(group_open(&g, t, 128, 0, 6));
    NEED(group_join(t, &b, &g));
    keep = arena_strref(&b, "b's own");
    memset(&a, 0, sizeof a);
    for (round = 0; round < 2000; round++) {
        int i;
        NEED(CHECK_EQ(arena_join(&a, &g), ARENA_OK));
        for (i = 0; i < 4; i++) {
            r = arena_strref_n(
                &a,
                "0123456789012345678901234567890123456789012345678901234567890123456789"
                "012345678901234567890123456789",
                100);
            CHECK(!arena_ref_empty(r));
            CHECK_EQ(arena_value(&b, r).len, 100);
        }
        CHECK(group_is(&a, keep, "b's own"));
        arena_release(&a);
        CHECK(group_gone(&b, r));
        if (round % 100 == 0) CHECK(arena_is_valid(&b));
    }
    CHECK_EQ(arena_status(&b), ARENA_OK);
    /* Alone, outside of the group, it is an arena like any other. */
    CHECK(arena_append(&a, "alone", 5) != NULL);
    r = arena_strref(&a, "not b's");
    CHECK(group_is(&a, r, "not b's"));
    arena_release(&a);
    arena_release(&b);
    arena_group_release(&g);
}

TEST(group, numbers_used_up)
{
    uint32_t most;
    GROUP_NEEDED;
    for (most = 1; most < 140; most += most < 12 ? 1 : 31) {
        arena_group_t g;
        arena_t a, b;
        arena_ref_t last;
        char block[100];
        uint32_t i, got = 0;
        const char *p;
        size_t size;
        memset(block, 'q', sizeof block);
        memset(&last, 0, sizeof last);
        NEED(group_open(&g, t, 100, 0, most));
        NEED(group_join(t, &a, &g));
        NEED(group_join(t, &b, &g));
        /* Each value fills a chunk, so each takes a number. */
        for (i = 0; i < most + 5; i++) {
            arena_t *lane = i % 2 ? &a : &b;
            arena_ref_t r;
            size = arena_size(lane);
            r = arena_ref(lane, block, 100);
            if (arena_ref_empty(r)) {
                CHECK_EQ(arena_status(lane), ARENA_REF_RANGE);
                CHECK_EQ(arena_size(lane), size);
            } else {
                got++;
                last = r;
            }
        }
        CHECK_EQ(got, most);
        arena_clear_status(&a);
        arena_clear_status(&b);
        /* Without a number, values are stored all the same. */
        for (i = 0; i < 30; i++) {
            p = arena_append(&a, block, 100);
            NEED(p != NULL);
            CHECK_MEM(p, block, 100);
            p = arena_intern(&b, "a string");
            CHECK_STR(p, "a string");
            p = arena_printf(&b, "%d", (int)i);
            NEED(p != NULL);
            CHECK_EQ(strtol(p, NULL, 10), i);
        }
        CHECK_EQ(arena_status(&a), ARENA_OK);
        CHECK_EQ(arena_status(&b), ARENA_OK);
        size = arena_size(&b);
        CHECK(arena_ref_empty(arena_strref(&b, "small")));
        CHECK_EQ(arena_status(&b), ARENA_REF_RANGE);
        CHECK_EQ(arena_size(&b), size);
        CHECK_EQ(arena_value(&a, last).len, 100);
        CHECK(arena_is_valid(&a) && arena_is_valid(&b));
        /* The numbers that one lane gives back serve the other. */
        arena_release(&a);
        arena_clear_status(&b);
        if (most > 1) {
            got = 0;
            for (i = 0; i < most + 5; i++) got += !arena_ref_empty(arena_ref(&b, block, 100));
            CHECK_EQ(got, most / 2);
        }
        arena_release(&b);
        arena_group_release(&g);
        CHECK_EQ(t->mem.live_blocks, 0);
    }
}

/* Oversized values take a number too, and give it back when the lane is reset. */
TEST(group, numbers_of_oversized_values)
{
    arena_group_t g;
    arena_t a;
    char block[300];
    int round, i;
    GROUP_NEEDED;
    memset(block, 'o', sizeof block);
    NEED(group_open(&g, t, 100, 0, 5));
    NEED(group_join(t, &a, &g));
    for (round = 0; round < 200; round++) {
        int got = 0;
        for (i = 0; i < 8; i++) {
            arena_ref_t r = arena_ref(&a, block, 300);
            if (!arena_ref_empty(r)) {
                got++;
                CHECK_EQ(arena_value(&a, r).len, 300);
            }
        }
        CHECK_EQ(got, 5);
        CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
        CHECK(arena_is_valid(&a));
        arena_reset(&a);
        CHECK_EQ(arena_status(&a), ARENA_OK);
    }
    arena_release(&a);
    arena_group_release(&g);
}

TEST(group, the_limit_is_the_groups)
{
    size_t table, slots, limit;
    arena_group_t g;
    arena_t one;
    GROUP_NEEDED;
    /* What the group itself takes. */
    NEED(group_open(&g, t, 100, 0, 64));
    table = t->mem.live_bytes;
    /* What a lane takes for the records of its chunks from the second one on, up to eight. */
    NEED(group_join(t, &one, &g));
    CHECK(arena_reserve(&one, 100) != NULL);
    CHECK(arena_reserve(&one, 100) != NULL);
    slots = t->mem.live_bytes - table - 202;
    arena_release(&one);
    arena_group_release(&g);
    CHECK_EQ(t->mem.live_bytes, 0);
    for (limit = table + 50; limit < table + 3 * slots + 1500; limit += 13) {
        arena_t lane[3];
        char block[100];
        int k, i, got = 0;
        size_t size;
        memset(block, 'l', sizeof block);
        t->mem.peak_bytes = 0;
        NEED(group_open(&g, t, 100, limit, 64));
        for (k = 0; k < 3; k++) NEED(group_join(t, &lane[k], &g));
        for (i = 0; i < 60; i++) {
            arena_t *a = &lane[i % 3];
            size_t calls = t->mem.allocs;
            size = arena_size(a);
            if (arena_append(a, block, 100) != NULL) {
                got++;
            } else {
                CHECK_EQ(arena_status(a), ARENA_LIMIT);
                CHECK_EQ(t->mem.allocs, calls);
                CHECK_EQ(arena_size(a), size);
                arena_clear_status(a);
            }
            CHECK(t->mem.live_bytes <= limit);
        }
        CHECK(t->mem.peak_bytes <= limit);
        if (limit < table + 303)
            CHECK_EQ(got, (limit - table) / 101);
        else if (limit < table + 404 + slots)
            CHECK_EQ(got, 3);
        else
            CHECK(got > 3);
        /* A lane that is released leaves its share to the others. */
        i = 0;
        size = t->mem.live_bytes;
        arena_release(&lane[0]);
        size -= t->mem.live_bytes;
        while (arena_append(&lane[1], block, 100) != NULL) i++;
        CHECK_EQ(arena_status(&lane[1]), ARENA_LIMIT);
        if (got > 0 && got < 3) CHECK_EQ(i, got > 1 ? 0 : 1);
        if (got > 3) CHECK(i >= 1 && (size_t)i * 101 <= size + limit);
        CHECK(t->mem.peak_bytes <= limit);
        CHECK(arena_is_valid(&lane[1]) && arena_is_valid(&lane[2]));
        arena_release(&lane[1]);
        arena_release(&lane[2]);
        arena_group_release(&g);
        CHECK_EQ(t->mem.live_bytes, 0);
    }
}

/* A limit that the group's own table exceeds is refused by init, with nothing taken. */
TEST(group, the_limit_is_exact)
{
    /* The table, one chunk and its spare byte. */
    arena_group_t g;
    arena_t lane;
    size_t table;
    int less;
    GROUP_NEEDED;
    NEED(group_open(&g, t, 100, 0, 64));
    table = g.allocated;
    CHECK_EQ(t->mem.live_bytes, table);
    arena_group_release(&g);
    for (less = 0; less < 2; less++) {
        NEED(group_open(&g, t, 100, table + 101 - (size_t)less, 64));
        NEED(group_join(t, &lane, &g));
        CHECK((arena_append(&lane, "x", 1) != NULL) == !less);
        CHECK_EQ(arena_status(&lane), less ? ARENA_LIMIT : ARENA_OK);
        CHECK_EQ(g.allocated, less ? table : table + 101);
        arena_release(&lane);
        CHECK_EQ(g.allocated, table);
        arena_group_release(&g);
    }
}

TEST(group, init_that_fails_takes_nothing)
{
    arena_group_t g;
    arena_options_t o;
    arena_t lane;
    size_t table;
    char buffer[100];
    GROUP_NEEDED;
    NEED(group_open(&g, t, 100, 0, 64));
    table = t->mem.live_bytes;
    arena_group_release(&g);
    group_options(&o, t, 100, table); /* Just enough. */
    CHECK_EQ(arena_group_init(&g, &o, 64), ARENA_OK);
    arena_group_release(&g);
    if (table > 1) {
        group_options(&o, t, 100, table - 1);
        memset(&g, 0, sizeof g);
        CHECK_EQ(arena_group_init(&g, &o, 64), ARENA_LIMIT);
        CHECK_EQ(t->mem.live_bytes, 0);
        memset(&lane, 0, sizeof lane);
        CHECK_EQ(arena_join(&lane, &g), ARENA_ARGUMENT);
        arena_group_release(&g);
        group_options(&o, t, 100, 0);
        t->mem.fail_at = 1;
        memset(&g, 0, sizeof g);
        CHECK_EQ(arena_group_init(&g, &o, 64), ARENA_NO_MEMORY);
        CHECK_EQ(t->mem.live_bytes, 0);
        arena_group_release(&g);
    }
    /* 0 chunks: the default of 4096. More than a Ref can name, and a buffer, make no sense. */
    memset(&g, 0, sizeof g);
    group_options(&o, t, 100, 0);
    CHECK_EQ(arena_group_init(&g, &o, 0), ARENA_OK);
    CHECK_EQ(g.numbers, 4096);
    arena_group_release(&g);
    CHECK_EQ(arena_group_init(&g, &o, UINT32_C(1) << 24), ARENA_ARGUMENT);
    CHECK_EQ(arena_group_init(&g, &o, UINT32_MAX), ARENA_ARGUMENT);
    o.buffer = buffer;
    o.buffer_bytes = sizeof buffer;
    CHECK_EQ(arena_group_init(&g, &o, 8), ARENA_ARGUMENT);
    CHECK_EQ(t->mem.live_bytes, 0);
    arena_group_release(&g);
}

/* The hook fails for one lane: it gets its failure and is as before, the others do not notice. */
TEST(group, a_failing_lane_harms_no_other)
{
    arena_group_t g;
    arena_t a, b;
    char block[100];
    int i;
    GROUP_NEEDED;
    memset(block, 'f', sizeof block);
    NEED(group_open(&g, t, 100, 0, 40));
    NEED(group_join(t, &a, &g));
    NEED(group_join(t, &b, &g));
    for (i = 0; i < 300; i++) {
        arena_ref_t r;
        const char *p;
        size_t size = arena_size(&a);
        t->mem.fail_at = 1;
        if (i % 3 == 0)
            CHECK(arena_ref_empty(arena_ref(&a, block, 100)));
        else if (i % 3 == 1)
            CHECK(arena_append(&a, block, 100) == NULL);
        else
            CHECK(arena_append(&a, block, 101 < sizeof block ? 101 : 100) == NULL);
        CHECK_EQ(t->mem.fail_at, 0);
        CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
        CHECK_EQ(arena_size(&a), size);
        arena_clear_status(&a);
        CHECK_EQ(arena_status(&b), ARENA_OK);
        if (i % 10 == 0) {
            r = arena_ref(&b, block, 100);
            CHECK(!arena_ref_empty(r));
            CHECK_EQ(arena_value(&a, r).len, 100);
        }
        p = arena_append(&b, "go on", 5);
        NEED(p != NULL);
        CHECK(arena_is_valid(&a) && arena_is_valid(&b));
        if (i % 10 == 9) arena_reset(&b);
    }
    /* No number was lost by the failures: all forty can still be had. */
    arena_reset(&b);
    arena_release(&b);
    for (i = 0; i < 40; i++) CHECK(!arena_ref_empty(arena_ref(&a, block, 100)));
    CHECK(arena_ref_empty(arena_ref(&a, block, 100)));
    arena_release(&a);
    arena_group_release(&g);
}

/* Thousands of random bit patterns: every answer is empty or inside a chunk that some lane holds,
 * with the asked length. */
TEST(group, no_ref_resolves_out_of_bounds)
{
    enum { LANES = 3 };
    arena_group_t g;
    arena_t lane[LANES];
    arena_ref_t good[60];
    const char *lo[60];
    int i, k, inside, answered = 0;
    long n;
    GROUP_NEEDED;
    NEED(group_open(&g, t, 128, 0, 200));
    for (k = 0; k < LANES; k++) NEED(group_join(t, &lane[k], &g));
    for (i = 0; i < 60; i++) {
        /* 128 bytes each: the view of a Ref to a full chunk is that chunk. */
        char block[128];
        memset(block, 'a' + i % 26, sizeof block);
        good[i] = arena_ref(&lane[i % LANES], block, 128);
        lo[i] = arena_value(&lane[0], good[i]).data;
        NEED(lo[i] != NULL);
    }
    for (n = 0; n < 300000; n++) {
        arena_ref_t r = good[test_random(t) % 60];
        arena_view_t v;
        unsigned how = (unsigned)(test_random(t) % 8);
        if (how & 1) r.chunk ^= (uint32_t)1 << (test_random(t) % 32);
        if (how & 2) r.off = (uint32_t)(test_random(t) >> (test_random(t) % 64));
        if (how & 4) r.len = (uint32_t)(test_random(t) >> (test_random(t) % 64));
        if (test_random(t) % 16 == 0) r.chunk = (uint32_t)test_random(t);
        v = arena_value(&lane[test_random(t) % LANES], r);
        if (v.len == 0) continue;
        answered++;
        inside = 0;
        for (i = 0; i < 60; i++) inside += v.data >= lo[i] && v.data + v.len <= lo[i] + 128;
        CHECK_EQ(inside, 1);
        CHECK_EQ(v.len, r.len);
        /* The string of it ends inside too, whatever the NUL flag says. */
        if (n % 100 == 0) {
            const char *s = arena_str(&lane[0], r);
            NEED(s != NULL);
            CHECK(strlen(s) <= v.len);
        }
    }
    CHECK(answered > 1000);
    for (k = 0; k < LANES; k++) {
        CHECK(arena_is_valid(&lane[k]));
        arena_release(&lane[k]);
    }
    arena_group_release(&g);
}

/* The first bytes of a lane's open chunk resolve through another; what lies beyond the chunk's
 * capacity never does. */
TEST(group, the_open_chunk_of_another_lane)
{
    arena_group_t g;
    arena_t a, b;
    arena_ref_t r, forged;
    GROUP_NEEDED;
    NEED(group_open(&g, t, 200, 0, 16));
    NEED(group_join(t, &a, &g));
    NEED(group_join(t, &b, &g));
    r = arena_ref(&a, "0123456789", 10);
    CHECK(group_is(&b, r, "0123456789"));
    forged = r;
    forged.len = 201;
    CHECK(group_gone(&b, forged));
    CHECK(group_gone(&a, forged));
    forged = r;
    forged.off = 195;
    forged.len = 6;
    CHECK(group_gone(&b, forged));
    forged = r;
    forged.off = UINT32_MAX;
    forged.len = 2;
    CHECK(group_gone(&b, forged));
    /* The lane itself knows its tip. */
    forged = r;
    forged.len = 11;
    CHECK(group_gone(&a, forged));
    arena_release(&a);
    arena_release(&b);
    arena_group_release(&g);
}

/* Marks work in a lane as in any arena, and the Refs rewound past are stale for the others as far
 * as the lane's own are. */
TEST(group, a_lane_rewinds)
{
    arena_group_t g;
    arena_t a, b;
    arena_mark_t m;
    arena_ref_t early, late[30];
    int i, round;
    GROUP_NEEDED;
    NEED(group_open(&g, t, 64, 0, 64));
    NEED(group_join(t, &a, &g));
    NEED(group_join(t, &b, &g));
    early = arena_strref(&a, "early");
    m = arena_mark(&a);
    for (round = 0; round < 10; round++) {
        for (i = 0; i < 30; i++) {
            late[i] = arena_strref(&a, "0123456789012345678901234567890123456789");
            CHECK_EQ(arena_value(&b, late[i]).len, 40);
        }
        CHECK(arena_strref(&b, "b").len == 1);
        CHECK(arena_rewind(&a, m));
        CHECK(group_is(&b, early, "early"));
        /* All but the first lay in chunks that were opened after the mark and are closed again. */
        for (i = 1; i < 30; i++) {
            CHECK(group_gone(&a, late[i]));
            CHECK(group_gone(&b, late[i]));
        }
        CHECK(!arena_rewind(&b, m));
        CHECK_EQ(arena_status(&b), ARENA_STALE);
        arena_clear_status(&b);
        CHECK(arena_is_valid(&a) && arena_is_valid(&b));
    }
    arena_release(&a);
    arena_release(&b);
    arena_group_release(&g);
}

/* An arena that was used and emptied again may join; what it had of its own hooks, the table of
 * chunks, it gives back. */
TEST(group, an_emptied_arena_joins)
{
    arena_group_t g;
    arena_options_t o;
    arena_t a;
    size_t table;
    int i;
    GROUP_NEEDED;
    if (ARENA_DEBUG >= 3) SKIP("ARENA_DEBUG 3 gives every chunk back");
    NEED(group_open(&g, t, 100, 0, 64));
    table = t->mem.live_bytes;
    group_options(&o, t, 50, 5000);
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    for (i = 0; i < 12; i++) CHECK(arena_reserve(&a, 50) != NULL);
    CHECK_EQ(arena_join(&a, &g), ARENA_ARGUMENT);
    arena_reset(&a);
    CHECK_EQ(arena_join(&a, &g), ARENA_ARGUMENT); /* it still has its chunks */
    arena_trim(&a, 0);
    arena_clear_status(&a);
    CHECK_EQ(arena_join(&a, &g), ARENA_OK);
    CHECK_EQ(t->mem.live_bytes, table);
    for (i = 0; i < 12; i++) CHECK(!arena_ref_empty(arena_ref(&a, "0123456789", 10)));
    CHECK_EQ(arena_stats(&a).retained, 200); /* the group's chunks, not its own */
    CHECK(arena_is_valid(&a));
    arena_release(&a);
    CHECK_EQ(t->mem.live_bytes, table);
    arena_group_release(&g);
}

/* Beside what it stored a lane holds its open chunk and a few tails: with many lanes the waste is
 * that many chunks, times a few. */
TEST(group, waste_of_a_lane_is_bounded)
{
    enum { LANES = 16, CHUNK = 4096 };
    arena_group_t g;
    arena_t lane[LANES];
    size_t table, stored = 0;
    int i, k;
    GROUP_NEEDED;
    NEED(group_open(&g, t, CHUNK, 0, 20000));
    table = t->mem.live_bytes;
    for (k = 0; k < LANES; k++) NEED(group_join(t, &lane[k], &g));
    for (i = 0; i < 4000; i++) {
        for (k = 0; k < LANES; k++) {
            size_t n = 1 + (size_t)(test_random(t) % 60);
            NEED(arena_reserve(&lane[k], n) != NULL);
            stored += n;
        }
    }
    for (k = 0; k < LANES; k++) {
        arena_stats_t s = arena_stats(&lane[k]);
        CHECK(s.retained <= s.size + s.size / 20 + 5 * CHUNK);
        CHECK(arena_is_valid(&lane[k]));
    }
    CHECK(t->mem.live_bytes - table <= stored + stored / 20 + (size_t)LANES * 5 * CHUNK);
    for (k = 0; k < LANES; k++) arena_release(&lane[k]);
    arena_group_release(&g);
}

/* Many lanes joined and idle take no memory at all. */
TEST(group, an_idle_lane_takes_nothing)
{
    enum { LANES = 100 };
    arena_group_t g;
    arena_t lane[LANES];
    size_t held;
    int k;
    GROUP_NEEDED;
    NEED(group_open(&g, t, 0, 0, 8));
    held = t->mem.live_bytes;
    for (k = 0; k < LANES; k++) NEED(group_join(t, &lane[k], &g));
    CHECK_EQ(t->mem.live_bytes, held);
    for (k = 0; k < LANES; k++) arena_release(&lane[k]);
    CHECK_EQ(t->mem.live_bytes, held);
    arena_group_release(&g);
    CHECK_EQ(t->mem.live_bytes, 0);
}

/* Between two chunks a lane's stores leave the group alone, to the last byte. */
TEST(group, only_opening_a_chunk_touches_the_group)
{
    arena_group_t g, before;
    arena_t a, b;
    size_t table_bytes;
    static unsigned char table[64 * 64];
    int i;
    GROUP_NEEDED;
    memset(&before, 0, sizeof before);
    NEED(group_open(&g, t, 4096, 0, 64));
    table_bytes = t->mem.live_bytes;
    NEED(table_bytes <= sizeof table);
    NEED(group_join(t, &a, &g));
    NEED(group_join(t, &b, &g));
    CHECK(arena_append(&a, "first", 5) != NULL);
    CHECK(arena_append(&b, "first", 5) != NULL);
    memcpy(&before, &g, sizeof g);
    memcpy(table, g.table, table_bytes);
    for (i = 0; i < 100; i++) {
        arena_t *lane = i % 2 ? &a : &b;
        arena_ref_t r = arena_ref(lane, "0123456789", 10);
        CHECK_EQ(arena_value(i % 2 ? &b : &a, r).len, 10);
        CHECK(arena_intern(lane, "text") != NULL);
        CHECK(arena_reserve(lane, 7) != NULL);
        CHECK(arena_alloc(lane, 16, 8) != NULL);
        CHECK(arena_printf(lane, "%d", i) != NULL);
        CHECK_EQ(arena_chunk_count(lane), 1);
        CHECK_MEM(&before, &g, sizeof g);
        CHECK_MEM(table, g.table, table_bytes);
    }
    CHECK(arena_reserve(&a, 4096) != NULL);
    CHECK(memcmp(table, g.table, table_bytes) != 0);
    arena_release(&a);
    arena_release(&b);
    arena_group_release(&g);
}

/* A limit set on a lane is none: the group's holds. */
TEST(group, a_lane_has_no_limit_of_its_own)
{
    arena_group_t g;
    arena_t a;
    int i;
    GROUP_NEEDED;
    NEED(group_open(&g, t, 100, 0, 64));
    NEED(group_join(t, &a, &g));
    arena_set_limit(&a, 1);
    for (i = 0; i < 20; i++) CHECK(arena_reserve(&a, 100) != NULL);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    arena_release(&a);
    arena_group_release(&g);
}

/* Slices, objects and strings on lanes, by lanes in turn. */
ARENA_SLICE_DEFINE(group_list, int);

TEST(group, a_lane_is_an_arena)
{
    enum { LANES = 3 };
    arena_group_t g;
    arena_t lane[LANES];
    group_list_slice_t s[LANES];
    int i, k;
    GROUP_NEEDED;
    memset(s, 0, sizeof s);
    NEED(group_open(&g, t, 700, 0, 1000));
    for (k = 0; k < LANES; k++) NEED(group_join(t, &lane[k], &g));
    for (i = 0; i < 1000; i++) {
        for (k = 0; k < LANES; k++) {
            double *d;
            NEED(group_list_push(&lane[k], &s[k], i * LANES + k));
            if (i % 10 == 0) {
                d = ARENA_NEW(&lane[k], double);
                NEED(d != NULL);
                CHECK(!(*d < 0.0) && !(*d > 0.0));
                CHECK(arena_printf(&lane[k], "%d/%d", i, k) != NULL);
            }
        }
    }
    for (k = 0; k < LANES; k++) {
        for (i = 0; i < 1000; i++) CHECK_EQ(s[k].data[i], i * LANES + k);
        CHECK(arena_is_valid(&lane[k]));
        arena_release(&lane[k]);
    }
    arena_group_release(&g);
}
