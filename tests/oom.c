/*
 * Running out of memory at every point. A batch of stores of all kinds, with marks, rewinds and
 * resets, is run with its n-th allocation failing, for every n, once alone and once with all later
 * ones. It proves of the core: the call that it befell fails with ARENA_NO_MEMORY and no other one
 * does; everything that the arena tells of itself is as before that call; the call made again
 * succeeds; and at the end the batch looks exactly like one in which nothing failed - same sizes,
 * same contents, same chunks. (tests/everything.c does it for every public function; here the
 * comparison is exact.)
 */
#include "support.h"

enum { STEPS = 160 };

struct oom_step {
    int kind;
    size_t len;
    size_t from; /* For arena_str: the step whose Ref is asked. */
};

static void plan(struct test *t, struct oom_step *steps)
{
    size_t i;
    for (i = 0; i < STEPS; i++) {
        steps[i].kind = (int)(test_random(t) % 10);
        steps[i].len = 1 + (size_t)(test_random(t) % (i % 9 == 0 ? 300 : 60));
        steps[i].from = i > 0 ? (size_t)(test_random(t) % i) : 0;
    }
    /* Two whole batches, each with a mark taken and rewound to. */
    steps[20].kind = 20;
    steps[50].kind = 21;
    steps[90].kind = 22;
    steps[110].kind = 20;
    steps[140].kind = 21;
}

struct oom_state {
    arena_t a;
    arena_mark_t mark;
    arena_ref_t refs[STEPS];
    bool kept[STEPS]; /* Whether the value of that step still is to be there. */
    bool before_mark[STEPS];
};

/* One step; whether it was answered. The bytes stored depend on the step alone. */
static bool take_step(struct oom_state *s, const struct oom_step *steps, size_t i)
{
    static char text[400];
    const char *parts[3];
    const char *p;
    char *q;
    size_t k, n = steps[i].len;
    arena_ref_t r = {0, 0, 0};
    memset(text, 'a' + (int)(i % 26), n);
    text[n] = '\0';
    parts[0] = parts[1] = parts[2] = text;
    switch (steps[i].kind) {
    case 0: return arena_append(&s->a, text, n) != NULL;
    case 1:
    case 2:
        r = arena_ref(&s->a, text, n);
        s->refs[i] = r;
        s->kept[i] = r.len > 0;
        return r.len == n;
    case 3:
        q = arena_reserve(&s->a, n);
        if (q != NULL) memset(q, 'r', n);
        return q != NULL;
    case 4:
        q = arena_reserve_ref(&s->a, n, &r);
        if (q != NULL) memcpy(q, text, n);
        s->refs[i] = r;
        s->kept[i] = q != NULL;
        return q != NULL;
    case 5: p = arena_intern(&s->a, text); return p != NULL && strcmp(p, text) == 0;
    case 6:
        r = arena_strref(&s->a, text);
        s->refs[i] = r;
        s->kept[i] = r.len > 0;
        return r.len == n;
    case 7:
        r = s->refs[steps[i].from];
        return arena_value(&s->a, r).len == 0 || strlen(arena_str(&s->a, r)) == r.len;
    case 8: p = arena_printf(&s->a, "%s=%u", text, (unsigned)i); return p != NULL;
    case 9: p = arena_strjoin(&s->a, ", ", parts, 3); return p != NULL;
    case 20:
        s->mark = arena_mark(&s->a);
        memcpy(s->before_mark, s->kept, sizeof s->kept);
        return true;
    case 21:
        memcpy(s->kept, s->before_mark, sizeof s->kept);
        /* A Ref into the mark's own chunk may name what comes later in its place: it is not asked
         * again. */
        for (k = 0; k < STEPS; k++) {
            if (!s->kept[k]) memset(&s->refs[k], 0, sizeof s->refs[k]);
        }
        return arena_rewind(&s->a, s->mark);
    default:
        arena_reset(&s->a);
        memset(s->kept, 0, sizeof s->kept);
        return true;
    }
}

static void check_kept(struct test *t, struct oom_state *s, const struct oom_step *steps)
{
    size_t i, k;
    for (i = 0; i < STEPS; i++) {
        arena_view_t v = arena_value(&s->a, s->refs[i]);
        if (!s->kept[i]) continue;
        CHECK_EQ(v.len, steps[i].len);
        for (k = 0; k < v.len; k++) {
            if (v.data[k] != 'a' + (int)(i % 26)) break;
        }
        CHECK_EQ(k, v.len);
    }
}

/* The whole plan with the n-th allocation failing; mode 0 once, mode 1 from then on until it was
 * seen. */
static bool run_plan(struct test *t, const struct oom_step *steps, size_t n, int mode,
                     struct snapshot *end)
{
    static struct oom_state s;
    size_t i, refused = t->mem.refused;
    bool reached;
    memset(&s, 0, sizeof s);
    start(t, &s.a, 64);
    t->mem.fail_at = mode == 0 ? n : 0;
    t->mem.fail_from = mode == 1 ? n : 0;
    for (i = 0; i < STEPS; i++) {
        struct snapshot before = snapshot_of(&s.a);
        size_t then = t->mem.refused;
        bool done = take_step(&s, steps, i);
        if (!CHECK_EQ(done, t->mem.refused == then)) break;
        if (!done) {
            CHECK_EQ(arena_status(&s.a), ARENA_NO_MEMORY);
            CHECK_STR(snapshot_difference(&before, &s.a), "");
            CHECK_EQ(arena_stats(&s.a).allocated, t->mem.live_bytes);
            check_kept(t, &s, steps);
            t->mem.fail_from = 0;
            arena_clear_status(&s.a);
            CHECK(take_step(&s, steps, i));
        }
        CHECK_EQ(arena_status(&s.a), ARENA_OK);
        CHECK(arena_is_valid(&s.a));
    }
    t->mem.fail_at = t->mem.fail_from = 0;
    reached = t->mem.refused > refused;
    check_kept(t, &s, steps);
    *end = snapshot_of(&s.a);
    arena_release(&s.a);
    CHECK_EQ(t->mem.live_blocks, 0);
    return reached;
}

static void every_index(struct test *t, int mode)
{
    static struct oom_step steps[STEPS];
    int round;
    for (round = 0; round < 3; round++) {
        struct snapshot good, end;
        size_t n;
        plan(t, steps);
        CHECK(!run_plan(t, steps, 0, mode, &good));
        for (n = 1; run_plan(t, steps, n, mode, &end) && n < 1000; n++) {
            CHECK_EQ(end.stats.size, good.stats.size);
            CHECK_EQ(end.stats.used, good.stats.used);
            CHECK_EQ(end.stats.padding, good.stats.padding);
            CHECK_EQ(end.stats.stranded, good.stats.stranded);
            CHECK_EQ(end.stats.retained, good.stats.retained);
            CHECK_EQ(end.stats.allocated, good.stats.allocated);
            CHECK_EQ(end.stats.peak, good.stats.peak);
            CHECK_EQ(end.chunk_count, good.chunk_count);
            CHECK_EQ(end.stats.oversized, good.stats.oversized);
            CHECK(end.contents == good.contents);
        }
        CHECK(n > 30 && n < 1000);
    }
}

TEST(oom, once_at_every_index) { every_index(t, 0); }

TEST(oom, from_every_index_on) { every_index(t, 1); }

TEST(oom, never_again)
{
    /* All allocations fail from the n-th on, to the end: the batch goes on with what it has, and
     * nothing is lost. */
    static struct oom_step steps[STEPS];
    size_t n;
    plan(t, steps);
    for (n = 1; n < 80; n++) {
        static struct oom_state s;
        size_t i, failed = 0;
        memset(&s, 0, sizeof s);
        start(t, &s.a, 64);
        t->mem.fail_from = n;
        for (i = 0; i < STEPS; i++) {
            struct snapshot before = snapshot_of(&s.a);
            if (take_step(&s, steps, i)) {
                CHECK_EQ(arena_status(&s.a), ARENA_OK);
                CHECK(arena_is_valid(&s.a));
                continue;
            }
            failed++;
            CHECK_EQ(arena_status(&s.a), ARENA_NO_MEMORY);
            CHECK_STR(snapshot_difference(&before, &s.a), "");
            arena_clear_status(&s.a);
        }
        if (n == 1) CHECK(failed > 50);
        check_kept(t, &s, steps);
        t->mem.fail_from = 0;
        CHECK(arena_append(&s.a, "good again", 10) != NULL);
        arena_release(&s.a);
    }
}
