/*
 * current.c - the thread's current arena, scopes on it, the malloc-shaped functions, and scratch
 * arenas.
 *
 * The sentences that this family proves (that all of it is per thread is shown by threads.c):
 *  - arena_make_current returns the arena that was current before; NULL makes none current.
 *  - A scope makes its arena current and marks it; closing rewinds to the mark and restores what
 *    was current before.
 *  - Closing an outer scope rewinds its arena, restores what was current before it, and counts
 *    those inside as closed; closing a scope twice is refused, and so is closing one that counts
 *    as closed.
 *  - A scope whose arena was reset inside it restores what was current.
 *  - ARENA_SCOPE closes at the end of its block, and on early return, break and goto where the
 *    compiler can.
 *  - arena_scratch never hands out an arena that is named as in use, however many are.
 *  - arena_current_malloc, realloc and free behave as their namesakes on the current arena;
 *    without one malloc gives NULL.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define NEED(cond)                \
    do {                          \
        if (!CHECK(cond)) return; \
    } while (0)

static void current_open(arena_t *a, struct test *t, size_t chunk_bytes)
{
    arena_options_t o;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = chunk_bytes;
    o.hooks = t->hooks;
    CHECK_EQ(arena_init(a, &o), ARENA_OK);
}

static void current_close(struct test *t, arena_t *a)
{
    CHECK(arena_is_valid(a));
    arena_release(a);
}

TEST(current, make_current_returns_the_one_before)
{
    arena_t a, b;
    current_open(&a, t, 0);
    current_open(&b, t, 0);
    CHECK(arena_current() == NULL);
    CHECK(arena_make_current(&a) == NULL);
    CHECK(arena_current() == &a);
    CHECK(arena_make_current(&b) == &a);
    CHECK(arena_make_current(&b) == &b);
    CHECK(arena_current() == &b);
    CHECK(arena_make_current(NULL) == &b);
    CHECK(arena_current() == NULL);
    current_close(t, &a);
    current_close(t, &b);
}

TEST(current, a_scope_marks_and_restores)
{
    arena_t a, b;
    arena_scope_t s;
    const char *kept;
    current_open(&a, t, 0);
    current_open(&b, t, 0);
    kept = arena_intern(&a, "kept");
    arena_make_current(&b);
    s = arena_scope_open(&a);
    CHECK(arena_current() == &a);
    CHECK(arena_intern(arena_current(), "dropped") != NULL);
    CHECK_EQ(arena_size(&a), 11);
    CHECK(arena_scope_close(&s));
    CHECK(arena_current() == &b);
    CHECK_EQ(arena_size(&a), 4);
    CHECK_STR(kept, "kept");
    /* Twice is refused and changes nothing. */
    CHECK(arena_intern(&a, "later") != NULL);
    CHECK(!arena_scope_close(&s));
    CHECK_EQ(arena_size(&a), 9);
    CHECK(arena_current() == &b);
    arena_make_current(NULL);
    current_close(t, &a);
    current_close(t, &b);
}

TEST(current, scopes_nest)
{
    enum { DEPTH = 60 };
    arena_t a[3];
    arena_scope_t s[DEPTH];
    size_t before[DEPTH];
    int i;
    for (i = 0; i < 3; i++) current_open(&a[i], t, 200);
    for (i = 0; i < DEPTH; i++) {
        int k;
        before[i] = arena_size(&a[i % 3]);
        s[i] = arena_scope_open(&a[i % 3]);
        CHECK(arena_current() == &a[i % 3]);
        for (k = 0; k <= i % 5; k++) CHECK(arena_intern(arena_current(), "some text") != NULL);
    }
    for (i = DEPTH - 1; i >= 0; i--) {
        CHECK(arena_scope_close(&s[i]));
        CHECK_EQ(arena_size(&a[i % 3]), before[i]);
        CHECK(arena_current() == (i > 0 ? &a[(i - 1) % 3] : NULL));
    }
    for (i = 0; i < 3; i++) {
        CHECK_EQ(arena_size(&a[i]), 0);
        CHECK_EQ(arena_status(&a[i]), ARENA_OK);
        current_close(t, &a[i]);
    }
}

/* An outer scope is closed while inner ones are open: the inner ones count as closed. */
TEST(current, closed_out_of_order)
{
    arena_t a, b, c;
    arena_scope_t outer, middle, inner;
    size_t size_b;
    current_open(&a, t, 0);
    current_open(&b, t, 0);
    current_open(&c, t, 0);
    arena_make_current(&c);
    outer = arena_scope_open(&a);
    CHECK(arena_intern(&a, "in outer") != NULL);
    middle = arena_scope_open(&b);
    CHECK(arena_intern(&b, "in middle") != NULL);
    inner = arena_scope_open(&a);
    CHECK(arena_intern(&a, "in inner") != NULL);
    size_b = arena_size(&b);
    CHECK(arena_scope_close(&outer));
    CHECK(arena_current() == &c);
    CHECK_EQ(arena_size(&a), 0);
    CHECK_EQ(arena_size(&b), size_b);
    CHECK(!arena_scope_close(&inner));
    CHECK(!arena_scope_close(&middle));
    CHECK(!arena_scope_close(&outer));
    CHECK(arena_current() == &c);
    CHECK_EQ(arena_size(&b), size_b);
    /* And the next scope works as if nothing had been. */
    outer = arena_scope_open(&b);
    CHECK(arena_current() == &b);
    CHECK(arena_intern(&b, "more") != NULL);
    CHECK(!arena_scope_close(&inner));
    CHECK(arena_current() == &b);
    CHECK(arena_scope_close(&outer));
    CHECK_EQ(arena_size(&b), size_b);
    CHECK(arena_current() == &c);
    arena_make_current(NULL);
    current_close(t, &a);
    current_close(t, &b);
    current_close(t, &c);
}

/* Scopes opened after the outer one was closed early are not taken for those inside it, though as
 * deep. */
TEST(current, a_stale_scope_never_closes_a_newer_one)
{
    enum { DEPTH = 10, KEPT = 3 };
    arena_t a;
    arena_scope_t s[DEPTH], fresh[DEPTH];
    int i, k;
    current_open(&a, t, 0);
    for (i = 0; i < DEPTH; i++) s[i] = arena_scope_open(&a);
    CHECK(arena_scope_close(&s[KEPT]));
    CHECK(arena_current() == &a);
    for (i = KEPT; i < DEPTH; i++) {
        fresh[i] = arena_scope_open(&a);
        CHECK(arena_intern(&a, "text") != NULL);
        /* As deep as s[i] was, and all the other stale ones tried as well. */
        for (k = KEPT; k < DEPTH; k++) CHECK(!arena_scope_close(&s[k]));
        CHECK_EQ(arena_size(&a), 4 * (i - KEPT + 1));
        CHECK(arena_current() == &a);
    }
    for (i = DEPTH - 1; i >= KEPT; i--) {
        CHECK(arena_scope_close(&fresh[i]));
        CHECK_EQ(arena_size(&a), 4 * (i - KEPT));
    }
    for (i = KEPT - 1; i >= 0; i--) CHECK(arena_scope_close(&s[i]));
    CHECK(arena_current() == NULL);
    current_close(t, &a);
}

/* Far more scopes than anybody nests, closed in order, and then by one in the middle. */
TEST(current, hundreds_of_scopes)
{
    enum { DEPTH = 300 };
    arena_t a[2];
    static arena_scope_t s[DEPTH];
    int i, round, cut;
    current_open(&a[0], t, 0);
    current_open(&a[1], t, 0);
    for (round = 0; round < 4; round++) {
        cut = round == 0 ? 0 : round == 1 ? 40 : round == 2 ? 100 : 299;
        for (i = 0; i < DEPTH; i++) {
            s[i] = arena_scope_open(&a[i % 2]);
            CHECK(arena_intern(arena_current(), "text") != NULL);
        }
        CHECK(arena_scope_close(&s[cut]));
        CHECK(arena_current() == (cut > 0 ? &a[(cut - 1) % 2] : NULL));
        for (i = cut; i < DEPTH; i++) CHECK(!arena_scope_close(&s[i]));
        CHECK(arena_current() == (cut > 0 ? &a[(cut - 1) % 2] : NULL));
        for (i = cut - 1; i >= 0; i--) {
            CHECK(arena_scope_close(&s[i]));
            CHECK(arena_current() == (i > 0 ? &a[(i - 1) % 2] : NULL));
        }
        /* What the other arena stored inside the cut is still there if none of its own scopes was
         * left to drop it. */
        CHECK_EQ(arena_size(&a[0]), 0);
        CHECK_EQ(arena_size(&a[1]), cut == 0 ? 150 * 4 : 0);
        CHECK_EQ(arena_status(&a[1]), ARENA_STALE);
        arena_reset(&a[0]);
        arena_reset(&a[1]);
    }
    current_close(t, &a[0]);
    current_close(t, &a[1]);
}

static void current_told(void *ctx, arena_status_t status, size_t bytes)
{
    size_t *told = (size_t *)ctx;
    told[0]++;
    told[1] = (size_t)status;
    told[2] = bytes;
}

TEST(current, a_stale_scope_is_told_to_its_arena)
{
    arena_t a;
    arena_options_t o;
    arena_scope_t s, copy;
    size_t told[3] = {0, 0, 99};
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    o.on_error = current_told;
    o.on_error_ctx = told;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    s = copy = arena_scope_open(&a);
    CHECK(arena_scope_close(&s));
    CHECK(!arena_scope_close(&copy));
    CHECK_EQ(told[0], 1);
    CHECK_EQ(told[1], ARENA_STALE);
    CHECK_EQ(told[2], 0);
    CHECK_EQ(arena_status(&a), ARENA_STALE);
    current_close(t, &a);
}

TEST(current, a_scope_whose_arena_was_reset)
{
    arena_t a, b;
    arena_scope_t outer, inner;
    current_open(&a, t, 0);
    current_open(&b, t, 0);
    arena_make_current(&b);
    outer = arena_scope_open(&a);
    CHECK(arena_intern(&a, "one") != NULL);
    inner = arena_scope_open(&a);
    CHECK(arena_intern(&a, "two") != NULL);
    arena_reset(&a);
    CHECK(arena_intern(&a, "after the reset") != NULL);
    arena_scope_close(&inner);
    CHECK(arena_current() == &a);
    CHECK_EQ(arena_size(&a), 15);
    arena_scope_close(&outer);
    CHECK(arena_current() == &b);
    CHECK_EQ(arena_size(&a), 15);
    CHECK(arena_is_valid(&a));
    /* Released inside: the same. */
    outer = arena_scope_open(&a);
    CHECK(arena_intern(&a, "x") != NULL);
    arena_release(&a);
    arena_scope_close(&outer);
    CHECK(arena_current() == &b);
    CHECK_EQ(arena_size(&a), 0);
    /* Rewound past the scope's mark. */
    {
        arena_mark_t m = arena_mark(&a);
        CHECK(arena_intern(&a, "before") != NULL);
        outer = arena_scope_open(&a);
        CHECK(arena_intern(&a, "inside") != NULL);
        CHECK(arena_rewind(&a, m));
        arena_scope_close(&outer);
        CHECK(arena_current() == &b);
        CHECK_EQ(arena_size(&a), 0);
        CHECK(arena_is_valid(&a));
    }
    arena_make_current(NULL);
    arena_clear_status(&a);
    current_close(t, &a);
    current_close(t, &b);
}

/* What make_current does inside a scope is undone when the scope is closed. */
TEST(current, make_current_inside_a_scope)
{
    arena_t a, b;
    arena_scope_t s;
    current_open(&a, t, 0);
    current_open(&b, t, 0);
    s = arena_scope_open(&a);
    CHECK(arena_make_current(&b) == &a);
    CHECK(arena_intern(arena_current(), "to b") != NULL);
    CHECK(arena_scope_close(&s));
    CHECK(arena_current() == NULL);
    CHECK_EQ(arena_size(&a), 0);
    CHECK_EQ(arena_size(&b), 4);
    current_close(t, &a);
    current_close(t, &b);
}

#ifdef ARENA_SCOPE
TEST(current, scope_macro_closes_at_the_end)
{
    arena_t a;
    int i, runs = 0;
    current_open(&a, t, 0);
    for (i = 0; i < 3; i++) {
        ARENA_SCOPE (&a) {
            runs++;
            CHECK(arena_current() == &a);
            CHECK(arena_intern(arena_current(), "text") != NULL);
            ARENA_SCOPE (&a) {
                CHECK(arena_intern(arena_current(), "inner") != NULL);
                CHECK_EQ(arena_size(&a), 9);
            }
            CHECK_EQ(arena_size(&a), 4);
        }
        CHECK(arena_current() == NULL);
        CHECK_EQ(arena_size(&a), 0);
    }
    CHECK_EQ(runs, 3);
    current_close(t, &a);
}

static void current_count(void *ctx, arena_status_t status, size_t bytes)
{
    (void)status;
    (void)bytes;
    ++*(int *)ctx;
}

/* An outer scope is closed inside the block, and with it the block's: it runs once, and its end is
 * no error. */
TEST(current, scope_macro_after_an_outer_close)
{
    arena_t a, b;
    arena_options_t o;
    arena_scope_t outer;
    int runs = 0, errors = 0;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    o.on_error = current_count;
    o.on_error_ctx = &errors;
    current_open(&a, t, 0);
    CHECK_EQ(arena_init(&b, &o), ARENA_OK);
    outer = arena_scope_open(&a);
    ARENA_SCOPE (&b) {
        if (++runs > 1) break;
        CHECK(arena_intern(&b, "stays") != NULL);
        CHECK(arena_scope_close(&outer));
        CHECK(arena_current() == NULL);
        CHECK(arena_make_current(&a) == NULL);
    }
    CHECK_EQ(runs, 1);
    CHECK_EQ(errors, 0);
    CHECK_EQ(arena_status(&b), ARENA_OK);
    CHECK_EQ(arena_size(&b), 5);
    CHECK(arena_make_current(NULL) == &a);
    current_close(t, &a);
    current_close(t, &b);
}

#ifdef __GNUC__
static int current_early(struct test *t, arena_t *a, int way)
{
    int i;
    ARENA_SCOPE (a) {
        CHECK(arena_intern(a, "outer") != NULL);
        if (way == 0) return 0;
        for (i = 0; i < 5; i++) {
            ARENA_SCOPE (a) {
                CHECK(arena_intern(a, "inner") != NULL);
                if (way == 1 && i == 2) return 1;
                if (way == 2) break; /* out of the scope; the loop goes on */
                if (way == 3 && i == 3) goto out;
                if (way == 4) continue; /* as break: it leaves the scope */
                CHECK(arena_intern(a, "more") != NULL);
            }
            CHECK_EQ(arena_size(a), 5);
        }
        CHECK_EQ(i, 5);
    }
    return 2;
out:
    CHECK(arena_current() == NULL);
    CHECK_EQ(arena_size(a), 0);
    return 3;
}

TEST(current, scope_macro_closes_on_early_return)
{
    arena_t a;
    int way;
    current_open(&a, t, 0);
    for (way = 0; way < 6; way++) {
        int result = current_early(t, &a, way);
        CHECK_EQ(result, way == 0 ? 0 : way == 1 ? 1 : way == 3 ? 3 : 2);
        CHECK(arena_current() == NULL);
        CHECK_EQ(arena_size(&a), 0);
    }
    current_close(t, &a);
}
#else
TEST(current, scope_macro_closes_on_early_return)
{
    SKIP("this compiler has no cleanup attribute");
}
#endif
#endif

/* Recursion with a scope at each level: the arena ends as it began, and after the first time asks
 * for nothing. */
static size_t current_recurse(arena_t *a, int depth)
{
    size_t sum = 0;
    arena_scope_t s = arena_scope_open(a);
    int i;
    for (i = 0; i < 3; i++) {
        const char *text = arena_printf(arena_current(), "%d/%d", depth, i);
        sum += text != NULL ? strlen(text) : 0;
        if (depth > 0) sum += current_recurse(a, depth - 1);
    }
    arena_scope_close(&s);
    return sum;
}

TEST(current, recursion)
{
    arena_t a;
    size_t calls;
    current_open(&a, t, 64);
    CHECK_EQ(current_recurse(&a, 6), 3 * 3 * (1 + 3 + 9 + 27 + 81 + 243 + 729));
    CHECK_EQ(arena_size(&a), 0);
    CHECK(arena_current() == NULL);
    calls = t->mem.allocs;
    CHECK_EQ(current_recurse(&a, 6), 3 * 3 * (1 + 3 + 9 + 27 + 81 + 243 + 729));
    if (ARENA_DEBUG < 3) CHECK_EQ(t->mem.allocs, calls); /* at 3 a rewind gives chunks back */
    current_close(t, &a);
}

/* ---- scratch --------------------------------------------------------------------------------- */

TEST(current, scratch_is_never_one_in_use)
{
    arena_t *used[8];
    size_t n, i;
    for (n = 0; n < 8; n++) {
        arena_t *s = arena_scratch(used, n);
        if (n < 2) NEED(s != NULL);
        if (s == NULL) break; /* there are only so many */
        for (i = 0; i < n; i++) CHECK(s != used[i]);
        CHECK(arena_intern(s, "scratch") != NULL);
        CHECK(arena_is_valid(s));
        used[n] = s;
    }
    CHECK_EQ(n, 4);
    while (n-- > 0) {
        /* The order in which the used ones are named does not matter, and neither do repetitions
         * and strangers. */
        arena_t stranger;
        arena_t *named[4];
        arena_t *s;
        memset(&stranger, 0, sizeof stranger);
        named[0] = &stranger;
        named[1] = used[n];
        named[2] = used[n];
        named[3] = NULL;
        s = arena_scratch(named, 4);
        NEED(s != NULL);
        CHECK(s != used[n] && s != &stranger);
    }
    arena_scratch_release();
    /* After a release there are fresh ones. */
    for (i = 0; i < 4; i++) CHECK_EQ(arena_retained(used[i]), 0);
    used[0] = arena_scratch(NULL, 0);
    NEED(used[0] != NULL);
    CHECK_EQ(arena_size(used[0]), 0);
    CHECK(arena_intern(used[0], "again") != NULL);
    arena_scratch_release();
    arena_scratch_release();
}

/* The current arena is in use too, though nobody names it. */
TEST(current, scratch_is_not_the_current_arena)
{
    arena_t *first = arena_scratch(NULL, 0), *second;
    NEED(first != NULL);
    arena_make_current(first);
    second = arena_scratch(NULL, 0);
    CHECK(second != NULL && second != first);
    arena_make_current(second);
    CHECK(arena_scratch(&first, 1) != first && arena_scratch(&first, 1) != second);
    arena_make_current(NULL);
    arena_scratch_release();
}

/* The classic use: a function gets the caller's scratch as its result arena, and takes another for
 * its own work. */
static const char *current_work(struct test *t, arena_t *result, int depth)
{
    arena_t *own = arena_scratch(&result, 1);
    arena_mark_t m;
    const char *inner, *text;
    if (!CHECK(own != NULL && own != result)) return NULL;
    m = arena_mark(own);
    inner = depth > 0 ? current_work(t, own, depth - 1) : "";
    CHECK(inner != NULL);
    CHECK(arena_printf(own, "%s", "noise") != NULL);
    text = arena_printf(result, "%d%s", depth % 10, inner != NULL ? inner : "?");
    CHECK(arena_rewind(own, m));
    return text;
}

TEST(current, scratch_in_a_recursion)
{
    arena_t a;
    current_open(&a, t, 0);
    CHECK_STR(current_work(t, &a, 25), "54321098765432109876543210");
    current_close(t, &a);
    arena_scratch_release();
}

/* ---- malloc's shape -------------------------------------------------------------------------- */

TEST(current, malloc_without_an_arena)
{
    CHECK(arena_current() == NULL);
    CHECK(arena_current_malloc(10) == NULL);
    CHECK(arena_current_realloc(NULL, 10) == NULL);
    arena_current_free(NULL);
    CHECK_EQ(t->mem.allocs, 0);
}

union current_most {
    long double d;
    void *p;
    long long l;
};
struct current_probe {
    char c;
    union current_most most;
};

TEST(current, malloc_realloc_free)
{
    arena_t a;
    unsigned char *p, *q, *r;
    size_t n;
    size_t align = offsetof(struct current_probe, most);
    current_open(&a, t, 1000);
    arena_make_current(&a);
    for (n = 1; n < 3000; n += n / 2 + 1) {
        p = (unsigned char *)arena_current_malloc(n);
        NEED(p != NULL);
        CHECK(((uintptr_t)p & (align - 1)) == 0);
        memset(p, 0x51, n);
        q = (unsigned char *)arena_current_malloc(5);
        NEED(q != NULL);
        memset(q, 0x52, 5);
        r = (unsigned char *)arena_current_realloc(p, 2 * n + 1);
        NEED(r != NULL);
        CHECK(((uintptr_t)r & (align - 1)) == 0);
        CHECK(r[0] == 0x51 && memcmp(r, r + 1, n - 1) == 0);
        memset(r, 0x53, 2 * n + 1);
        p = (unsigned char *)arena_current_realloc(r, n);
        NEED(p != NULL);
        CHECK(p[0] == 0x53 && memcmp(p, p + 1, n - 1) == 0);
        CHECK(q[0] == 0x52 && memcmp(q, q + 1, 4) == 0);
        arena_current_free(p);
        arena_current_free(NULL);
        CHECK(q[0] == 0x52 && memcmp(q, q + 1, 4) == 0);
        CHECK(arena_is_valid(&a));
    }
    p = (unsigned char *)arena_current_realloc(NULL, 33);
    NEED(p != NULL);
    memset(p, 0x54, 33);
    /* A failure leaves the block. */
    t->mem.fail_from = 1;
    CHECK(arena_current_realloc(p, 1 << 20) == NULL);
    CHECK(arena_current_malloc(1 << 20) == NULL);
    t->mem.fail_from = 0;
    CHECK(p[0] == 0x54 && memcmp(p, p + 1, 32) == 0);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    arena_clear_status(&a);
    CHECK(arena_current_malloc(SIZE_MAX) == NULL);
    CHECK(arena_current_malloc(SIZE_MAX - 15) == NULL);
    CHECK(arena_current_realloc(p, SIZE_MAX - 7) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    CHECK(p[0] == 0x54 && memcmp(p, p + 1, 32) == 0);
    arena_make_current(NULL);
    current_close(t, &a);
}

/* A block of one arena, reallocated while another is current, goes to the current one. */
TEST(current, free_gives_the_whole_block_back)
{
    arena_t a;
    void *p, *q;
    current_open(&a, t, 1000);
    arena_make_current(&a);
    p = arena_current_malloc(100);
    NEED(p != NULL);
    arena_current_free(p);
    CHECK_EQ(arena_size(&a), 0);
    CHECK_EQ(arena_stats(&a).used, 0);
    p = arena_current_malloc(100);
    q = arena_current_malloc(100);
    NEED(p != NULL && q != NULL);
    arena_current_free(p); /* Not at the tip: waits, with its header. */
    CHECK(arena_current_malloc(100) == p);
    arena_make_current(NULL);
    current_close(t, &a);
}

TEST(current, realloc_from_another_arena)
{
    arena_t a, b;
    unsigned char *p, *q;
    size_t size;
    current_open(&a, t, 0);
    current_open(&b, t, 0);
    arena_make_current(&a);
    p = (unsigned char *)arena_current_malloc(100);
    NEED(p != NULL);
    memset(p, 0x61, 100);
    size = arena_size(&a);
    arena_make_current(&b);
    q = (unsigned char *)arena_current_realloc(p, 300);
    NEED(q != NULL);
    CHECK(q[0] == 0x61 && memcmp(q, q + 1, 99) == 0);
    memset(q, 0x62, 300);
    CHECK_EQ(arena_size(&a), size);
    CHECK(p[0] == 0x61 && memcmp(p, p + 1, 99) == 0);
    arena_current_free(p); /* not b's: nothing happens to either */
    CHECK(arena_is_valid(&a) && arena_is_valid(&b));
    CHECK(q[0] == 0x62 && memcmp(q, q + 1, 299) == 0);
    arena_make_current(NULL);
    current_close(t, &a);
    current_close(t, &b);
}

/* The same while the current arena was never used, or was released: there is nothing in it to look
 * at. */
TEST(current, realloc_and_free_on_an_unused_arena)
{
    arena_t a, b;
    unsigned char *p, *q;
    int round;
    current_open(&a, t, 0);
    memset(&b, 0, sizeof b);
    for (round = 0; round < 2; round++) {
        arena_make_current(&a);
        p = (unsigned char *)arena_current_malloc(100);
        NEED(p != NULL);
        memset(p, 0x63, 100);
        arena_make_current(&b);
        arena_current_free(p);
        q = (unsigned char *)arena_current_realloc(p, 50);
        NEED(q != NULL);
        CHECK(q[0] == 0x63 && memcmp(q, q + 1, 49) == 0);
        CHECK(arena_realloc(&b, p, 100, 0, 1) == NULL);
        CHECK(arena_allocf(&b, p, 100, 0) == NULL);
        CHECK_EQ(arena_status(&b), ARENA_OK);
        CHECK(arena_is_valid(&b));
        CHECK(arena_current_malloc(10) != NULL);
        arena_release(&b);
    }
    arena_make_current(NULL);
    current_close(t, &a);
    arena_release(&b);
}

/* A block from before a scope is of its old size again after it, whatever realloc did inside: where
 * its size stands is no storage that a rewind takes back. */
TEST(current, realloc_across_a_mark)
{
    arena_t a;
    unsigned char *p, *q, *r;
    size_t size;
    int i;
    current_open(&a, t, 0);
    arena_make_current(&a);
    for (i = 0; i < 3; i++) {
        arena_mark_t m;
        p = (unsigned char *)arena_current_malloc(100);
        NEED(p != NULL);
        memset(p, 0x61, 100);
        size = arena_size(&a);
        m = arena_mark(&a);
        if (i == 2) {
            arena_current_free(p);
        } else {
            q = (unsigned char *)arena_current_realloc(p, i == 0 ? 300 : 10);
            NEED(q != NULL);
            CHECK(q[0] == 0x61 && memcmp(q, q + 1, i == 0 ? 99 : 9) == 0);
            memset(q, 0x61, i == 0 ? 300 : 10);
        }
        CHECK(arena_rewind(&a, m));
        CHECK_EQ(arena_size(&a), size);
        q = (unsigned char *)arena_current_realloc(p, 200);
        r = (unsigned char *)arena_current_malloc(200);
        NEED(q != NULL && r != NULL);
        memset(r, 0x62, 200);
        CHECK(q[0] == 0x61 && memcmp(q, q + 1, 99) == 0);
        memset(q, 0x63, 200);
        CHECK(r[0] == 0x62 && memcmp(r, r + 1, 199) == 0);
        /* What is stored since the mark moves and shrinks as ever. */
        CHECK(arena_current_realloc(r, 300) == r);
        CHECK(arena_current_realloc(r, 20) == r);
        size = arena_size(&a);
        arena_current_free(r);
        CHECK(arena_size(&a) < size);
        CHECK(arena_is_valid(&a));
        CHECK_EQ(arena_status(&a), ARENA_OK);
    }
    arena_make_current(NULL);
    current_close(t, &a);
}

/* The same for a block many chunks back, for one of another arena, and where there is no memory. */
TEST(current, realloc_across_a_mark_from_afar)
{
    arena_t a, b;
    unsigned char *p, *q;
    arena_mark_t m;
    int i;
    current_open(&a, t, 256);
    current_open(&b, t, 0);
    arena_make_current(&a);
    p = (unsigned char *)arena_current_malloc(100);
    NEED(p != NULL);
    memset(p, 0x61, 100);
    for (i = 0; i < 100; i++) NEED(arena_current_malloc(200) != NULL);
    m = arena_mark(&a);
    for (i = 0; i < 3; i++) NEED(arena_current_malloc(200) != NULL);
    CHECK(arena_current_realloc(p, 50) == p);
    q = (unsigned char *)arena_current_realloc(p, 120);
    NEED(q != NULL && q != p);
    CHECK(q[0] == 0x61 && memcmp(q, q + 1, 99) == 0);
    q = (unsigned char *)arena_current_malloc(10);
    NEED(q != NULL);
    CHECK(arena_current_realloc(q, 20) != NULL);
    /* Another arena's block moves here; a mark there is none of this arena's. */
    arena_make_current(&b);
    NEED(arena_append(&b, "x", 1) != NULL);
    (void)arena_mark(&b);
    q = (unsigned char *)arena_current_realloc(p, 300);
    NEED(q != NULL && q != p);
    CHECK(q[0] == 0x61 && memcmp(q, q + 1, 99) == 0);
    arena_make_current(&a);
    CHECK(arena_rewind(&a, m));
    m = arena_mark(&a);
    t->mem.fail_from = 1;
    CHECK(arena_current_realloc(p, 10000) == NULL);
    t->mem.fail_from = 0;
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    CHECK(p[0] == 0x61 && memcmp(p, p + 1, 99) == 0);
    arena_make_current(NULL);
    current_close(t, &a);
    current_close(t, &b);
}

/* No bytes: an address of its own, as malloc mostly gives; realloc to none gives the block up, and
 * there is no error. */
TEST(current, malloc_of_nothing)
{
    arena_t a;
    void *p, *q;
    current_open(&a, t, 0);
    arena_make_current(&a);
    p = arena_current_malloc(0);
    q = arena_current_malloc(0);
    CHECK(p != NULL && q != NULL && p != q);
    q = arena_current_realloc(q, 20);
    NEED(q != NULL);
    memset(q, 1, 20);
    arena_current_free(p);
    p = arena_current_malloc(5);
    NEED(p != NULL);
    CHECK(arena_current_realloc(p, 0) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    arena_make_current(NULL);
    current_close(t, &a);
}

/* Blocks in random order against copies. */
TEST(current, malloc_of_the_last_sizes)
{
    /* A block and its header are at most PTRDIFF_MAX less one alignment: then the allocator is
     * asked, and has none. */
    const size_t align = offsetof(struct current_probe, most);
    const size_t most = PTRDIFF_MAX - 2 * (align > sizeof(size_t) ? align : sizeof(size_t));
    size_t over;
    int moved;
    for (moved = 0; moved < 2; moved++) {
        for (over = 0; over < 2; over++) {
            arena_t a;
            void *p = NULL;
            current_open(&a, t, 0);
            arena_make_current(&a);
            if (moved) { /* In a second chunk, after which no table is needed. */
                CHECK(arena_reserve(&a, 65000) != NULL && arena_reserve(&a, 65000) != NULL);
                p = arena_current_malloc(10);
            }
            arena_set_limit(&a, 100000);
            CHECK((moved ? arena_current_realloc(p, most + over)
                         : arena_current_malloc(most + over)) == NULL);
            CHECK_EQ(arena_status(&a), over ? ARENA_TOO_LARGE : ARENA_LIMIT);
            CHECK_EQ(arena_chunk_count(&a), moved ? 2 : 0);
            arena_make_current(NULL);
            current_close(t, &a);
        }
    }
}

TEST(current, malloc_at_random)
{
    enum { LIVE = 50 };
    arena_t a;
    unsigned char *p[LIVE];
    size_t n[LIVE];
    int step;
    size_t i, k;
    memset(p, 0, sizeof p);
    memset(n, 0, sizeof n);
    current_open(&a, t, 2000);
    arena_make_current(&a);
    for (step = 0; step < 5000; step++) {
        size_t grown = 1 + (size_t)(test_random(t) % (test_random(t) % 20 ? 50 : 1500));
        k = (size_t)(test_random(t) % LIVE);
        for (i = 0; i < n[k]; i++) {
            if (p[k][i] != (unsigned char)(k * 5 + 1)) break;
        }
        CHECK_EQ(i, n[k]);
        if (test_random(t) % 4 == 0) {
            arena_current_free(p[k]);
            p[k] = NULL;
            n[k] = 0;
            continue;
        }
        p[k] = (unsigned char *)arena_current_realloc(p[k], grown);
        NEED(p[k] != NULL);
        for (i = 0; i < n[k] && i < grown; i++) {
            if (p[k][i] != (unsigned char)(k * 5 + 1)) break;
        }
        CHECK_EQ(i, n[k] < grown ? n[k] : grown);
        memset(p[k], (int)(k * 5 + 1), grown);
        n[k] = grown;
    }
    CHECK(arena_is_valid(&a));
    arena_make_current(NULL);
    current_close(t, &a);
}
