/*
 * A workload that calls every public function of arena.h, run with each allocation of it failing in
 * turn: once alone, and with all that follow. What is proved, for every index of a failed
 * allocation:
 *
 *  - the call that it befell fails with ARENA_NO_MEMORY, or does without; no other call fails;
 *  - every arena, group and pool is_valid after every call;
 *  - everything stored before and after it has its contents;
 *  - nothing leaks, and every free has the size, alignment and context of its alloc (the harness's
 * hooks);
 *  - the same objects are usable afterwards.
 *
 * That the workload is complete is checked by `make check-everything`, which compares it with the
 * list in arena.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

struct everything_pair {
    int a, b;
};
ARENA_DEFINE(everys, struct everything_pair);
ARENA_SLICE_DEFINE(everyi, int);
ARENA_POOL_DEFINE(everyp, int);

struct every {
    struct test *t;
    arena_t a;
    everys_t s;
    arena_group_t g;
    arena_t lane, lane2;
    everyp_t p, q;
    size_t excused; /* Refused allocations that have failed a call already. */
};

static void every_valid(struct every *e)
{
    struct test *t = e->t;
    CHECK(arena_is_valid(&e->a));
    CHECK(everys_is_valid(&e->s));
    CHECK(arena_is_valid(&e->lane));
    CHECK(arena_is_valid(&e->lane2));
    CHECK(everyp_is_valid(&e->p));
    CHECK(everyp_is_valid(&e->q));
}

/* A call either did what it is for, or an allocation was refused during it. Returns whether it did.
 */
static bool every_done(struct every *e, bool done, arena_status_t status, const char *what)
{
    struct test *t = e->t;
    if (!done) {
        if (!CHECK(t->mem.refused > e->excused) || !CHECK_EQ(status, ARENA_NO_MEMORY)) {
            printf("    in: %s\n", what);
        }
    }
    e->excused = t->mem.refused;
    every_valid(e);
    return done;
}

/* The same of a call on the byte arena, the typed one and the pool; the next starts afresh. */
static bool every_done_a(struct every *e, bool done, const char *what)
{
    arena_status_t status = arena_status(&e->a);
    arena_clear_status(&e->a);
    return every_done(e, done, status, what);
}
static bool every_done_s(struct every *e, bool done, const char *what)
{
    arena_status_t status = everys_status(&e->s);
    everys_clear_status(&e->s);
    return every_done(e, done, status, what);
}
static bool every_done_p(struct every *e, bool done, const char *what)
{
    arena_status_t status = everyp_status(&e->p);
    everyp_clear_status(&e->p);
    return every_done(e, done, status, what);
}
#define DONE(cond) every_done_a(e, (cond), #cond)
#define DONE_S(cond) every_done_s(e, (cond), #cond)
#define DONE_P(cond) every_done_p(e, (cond), #cond)

static bool every_vextendf(arena_t *a, arena_slice_t *s, const char *fmt, ...)
{
    va_list args;
    bool done;
    va_start(args, fmt);
    done = arena_vextendf(a, s, fmt, args);
    va_end(args);
    return done;
}

static const char *every_vprintf(arena_t *a, const char *fmt, ...)
{
    va_list args;
    const char *s;
    va_start(args, fmt);
    s = arena_vprintf(a, fmt, args);
    va_end(args);
    return s;
}

/* ---- the byte arena -------------------------------------------------------------------------- */

static void every_bytes(struct every *e)
{
    struct test *t = e->t;
    arena_t *a = &e->a;
    static const char hello[] = "hello, arena";
    static const char *const parts[] = {"one", "two", "three"};
    const char *c = NULL, *d = NULL;
    char *r = NULL;
    void *o = NULL, *p = NULL;
    arena_ref_t ref = {0, 0, 0}, ref2 = {0, 0, 0}, none = {0, 0, 0};
    arena_mark_t m;
    arena_view_t v;
    arena_slice_t s = {NULL, 0, 0};
    everyi_slice_t n = {NULL, 0, 0};
    size_t i, size, chunks, total = 0;
    int k, *array;
    arena_stats_t stats;

    if (DONE((c = arena_append(a, hello, sizeof hello)) != NULL)) {
        CHECK_MEM(c, hello, sizeof hello);
    }
    if (DONE(!arena_ref_empty(ref = arena_ref(a, hello, 5)))) {
        v = arena_value(a, ref);
        CHECK_EQ(v.len, 5);
        CHECK_MEM(v.data, hello, 5);
        arena_prefetch(a, ref);
        v = arena_value_unchecked(a, ref);
        CHECK_MEM(v.data, hello, 5);
    }
    if (DONE((r = arena_reserve(a, 40)) != NULL)) {
        memset(r, 1, 40);
    }
    if (DONE((r = arena_reserve_ref(a, 50, &ref2)) != NULL)) {
        memset(r, 2, 50);
        CHECK_EQ(arena_value(a, ref2).len, 50);
    }
    m = arena_mark(a);
    size = arena_size(a);
    if (DONE((d = arena_intern(a, "interned")) != NULL)) {
        CHECK_STR(d, "interned");
    }
    if (DONE((d = arena_intern_n(a, "inter\0ned", 9)) != NULL)) {
        CHECK_MEM(d, "inter\0ned", 10);
    }
    if (DONE(!arena_ref_empty(ref2 = arena_strref(a, "string ref")))) {
        CHECK_STR(arena_str(a, ref2), "string ref");
    }
    if (DONE(!arena_ref_empty(ref2 = arena_strref_n(a, "string ref", 6)))) {
        CHECK_STR(arena_str(a, ref2), "string");
    }
    /* One of raw bytes is copied to be terminated. */
    d = arena_str(a, ref);
    if (DONE(arena_ref_empty(ref) || d[0] != 0)) {
        CHECK_STR(d, arena_ref_empty(ref) ? "" : "hello");
    }
    CHECK_STR(arena_str(a, none), "");
    /* Longer than a chunk, so that each takes a chunk of its own. */
    if (DONE((d = arena_printf(a, "%0300d", 7)) != NULL)) {
        CHECK_EQ(strlen(d), 300);
    }
    if (DONE((d = every_vprintf(a, "%s-%d", "v", 12)) != NULL)) {
        CHECK_STR(d, "v-12");
    }
    if (DONE((d = arena_strjoin(a, ", ", parts, 3)) != NULL)) {
        CHECK_STR(d, "one, two, three");
    }
    /* A failed call before it may have left ARENA_NO_MEMORY, which is not what is asked here. */
    arena_clear_status(a);
    CHECK_EQ(arena_status(a), ARENA_OK);
    CHECK(arena_rewind(a, m));
    CHECK_EQ(arena_size(a), size);
    every_valid(e);

    if (DONE((o = arena_alloc(a, 24, 64)) != NULL)) {
        CHECK_EQ((uintptr_t)o % 64, 0);
        memset(o, 3, 24);
        /* It grows beyond its chunk. */
        if (DONE((p = arena_realloc(a, o, 24, 500, 64)) != NULL)) {
            for (k = 0; k < 24; k++) {
                CHECK_EQ(((unsigned char *)p)[k], 3);
            }
        } else {
            CHECK_EQ(((unsigned char *)o)[23], 3);
        }
    }
    if (DONE((o = arena_alloc_zeroed(a, 100, 8)) != NULL)) {
        CHECK_EQ(((unsigned char *)o)[99], 0);
    }
    if (DONE((o = ARENA_NEW(a, struct everything_pair)) != NULL)) {
        CHECK_EQ(((struct everything_pair *)o)->b, 0);
    }
    array = ARENA_NEW_ARRAY(a, int, 200);
    if (DONE(array != NULL)) {
        CHECK_EQ(array[199], 0);
    }
    if (DONE((o = arena_allocf(a, NULL, 0, 30)) != NULL)) {
        memset(o, 4, 30);
        if (DONE((p = arena_allocf(a, o, 30, 300)) != NULL)) {
            CHECK_EQ(((unsigned char *)p)[29], 4);
            o = p;
        }
        CHECK(arena_allocf(a, o, p == o ? 300 : 30, 0) == NULL);
    }

    for (i = 0; i < 300; i++) {
        if (DONE(arena_push(a, &s, (char)('a' + i % 26)))) {
            CHECK_EQ(s.data[s.len - 1], 'a' + (int)(i % 26));
        }
    }
    size = s.len;
    if (DONE(arena_extend(a, &s, hello, sizeof hello))) {
        CHECK_MEM(s.data + size, hello, sizeof hello);
    }
    size = s.len;
    if (DONE(arena_extendf(a, &s, "%s %0400d", "builder", 5))) {
        CHECK_MEM(s.data + size, "builder 0", 9);
        CHECK_EQ(s.len, size + 408);
    }
    size = s.len;
    if (DONE(every_vextendf(a, &s, "%s%d", "more", 12))) {
        CHECK_MEM(s.data + size, "more12", 6);
    }
    arena_shrink(a, &s);
    s = arena_slice(a, 3, 150);
    if (DONE(s.data != NULL)) {
        CHECK_EQ(s.cap, 150);
        CHECK_EQ(s.data[2], 0);
    }
    for (k = 0; k < 100; k++) {
        if (DONE(everyi_push(a, &n, k))) {
            CHECK_EQ(n.data[n.len - 1], k);
        }
    }
    size = n.len;
    if (size > 0 && DONE(everyi_extend(a, &n, n.data, n.len))) {
        CHECK_MEM(n.data + size, n.data, size * sizeof(int));
    }
    everyi_shrink(a, &n);
    n = everyi_slice(a, 2, 90);
    if (DONE(n.data != NULL)) {
        CHECK_EQ(n.data[1], 0);
    }

    if (c != NULL) {
        CHECK_MEM(c, hello, sizeof hello);
    }
    if (!arena_ref_empty(ref)) {
        CHECK_MEM(arena_value(a, ref).data, hello, 5);
    }
    stats = arena_stats(a);
    chunks = arena_chunk_count(a);
    for (i = 0; i < chunks; i++) {
        total += arena_chunk(a, i).len;
    }
    CHECK(total >= arena_size(a));
    CHECK_EQ(stats.retained, arena_retained(a));
    CHECK(arena_status_text(arena_status(a))[0] != 0);
    arena_reset(a);
    arena_trim(a, 0);
    CHECK_EQ(arena_retained(a), 0);
    /* A limit that a store cannot keep is another failure than a hook's, and comes before it. */
    arena_set_limit(a, 1);
    CHECK(arena_reserve(a, 40) == NULL);
    CHECK_EQ(arena_status(a), ARENA_LIMIT);
    arena_clear_status(a);
    arena_set_limit(a, 0);
    every_valid(e);
}

/* ---- a typed arena --------------------------------------------------------------------------- */

static void every_typed(struct every *e)
{
    struct test *t = e->t;
    everys_t *s = &e->s;
    struct everything_pair pairs[50];
    const struct everything_pair *c;
    struct everything_pair *w;
    everys_ref_t ref = {0, 0, 0};
    everys_slice_t l = {NULL, 0, 0};
    arena_mark_t m;
    size_t i;
    for (i = 0; i < 50; i++) {
        pairs[i].a = (int)i;
        pairs[i].b = -(int)i;
    }
    if (DONE_S((c = everys_append(s, pairs, 3)) != NULL)) {
        CHECK_EQ(c[2].b, -2);
    }
    m = everys_mark(s);
    if (DONE_S(!everys_ref_empty(ref = everys_ref(s, pairs, 50)))) {
        CHECK_EQ(everys_value(s, ref).data[49].a, 49);
        CHECK_EQ(everys_value_unchecked(s, ref).len, 50);
    }
    if (DONE_S((w = everys_reserve(s, 2)) != NULL)) {
        w[1] = pairs[1];
    }
    if (DONE_S((w = everys_reserve_ref(s, 4, &ref)) != NULL)) {
        w[3] = pairs[3];
        CHECK_EQ(everys_value(s, ref).data[3].a, 3);
    }
    CHECK(everys_rewind(s, m));
    for (i = 0; i < 60; i++) {
        if (DONE_S(everys_push(s, &l, pairs[i % 50]))) {
            CHECK_EQ(l.data[l.len - 1].a, (int)(i % 50));
        }
    }
    if (DONE_S(everys_extend(s, &l, pairs, 9))) {
        CHECK_EQ(l.data[l.len - 1].a, 8);
    }
    everys_shrink(s, &l);
    l = everys_slice(s, 5, 70);
    if (DONE_S(l.data != NULL)) {
        CHECK_EQ(l.data[4].b, 0);
    }
    CHECK_EQ(everys_size(s), everys_stats(s).size);
    CHECK(everys_retained(s) >= everys_size(s));
    CHECK_EQ(everys_chunk(s, everys_chunk_count(s)).len, 0);
    everys_clear_status(s);
    CHECK_EQ(everys_status(s), ARENA_OK);
    everys_reset(s);
    everys_trim(s, 0);
    everys_release(s);
    every_valid(e);
}

/* ---- the current arena ----------------------------------------------------------------------- */

static void every_current(struct every *e)
{
    struct test *t = e->t;
    arena_t *a = &e->a;
    arena_t *before = arena_current();
    arena_scope_t scope;
    void *p, *q;
    CHECK(arena_make_current(a) == before);
    CHECK(arena_current() == a);
    if (DONE((p = arena_current_malloc(20)) != NULL)) {
        memset(p, 5, 20);
        if (DONE((q = arena_current_realloc(p, 2000)) != NULL)) {
            CHECK_EQ(((unsigned char *)q)[19], 5);
            p = q;
        }
        arena_current_free(p);
    }
    scope = arena_scope_open(a);
    DONE(arena_append(a, "scoped", 6) != NULL);
    CHECK(arena_scope_close(&scope));
    ARENA_SCOPE(a) { DONE(arena_append(a, "scoped", 6) != NULL); }
    CHECK(arena_make_current(before) == a);
    arena_reset(a);
    /* The scratch arena takes its memory from malloc, which does not fail here. */
    CHECK(arena_scratch(&a, 1) != NULL);
    CHECK(arena_append(arena_scratch(NULL, 0), "x", 1) != NULL);
    arena_scratch_release();
    every_valid(e);
}

/* ---- a group --------------------------------------------------------------------------------- */

static void every_group(struct every *e)
{
    struct test *t = e->t;
    arena_options_t o;
    arena_status_t status;
    arena_ref_t ref = {0, 0, 0};
    size_t i;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 64;
    o.hooks = t->hooks;
    status = arena_group_init(&e->g, &o, 40);
#ifdef ARENA_NO_ATOMICS
    /* Without atomics there are no groups: refused, and nothing was asked of the hook. */
    CHECK_EQ(status, ARENA_ARGUMENT);
    return;
#endif
    if (!every_done(e, status == ARENA_OK, status, "arena_group_init")) {
        return;
    }
    status = arena_join(&e->lane, &e->g);
    if (every_done(e, status == ARENA_OK, status, "arena_join")) {
        status = arena_join(&e->lane2, &e->g);
        if (every_done(e, status == ARENA_OK, status, "arena_join")) {
            for (i = 0; i < 20; i++) {
                ref = arena_ref(&e->lane, "across the lanes", 16);
                if (every_done(e, !arena_ref_empty(ref), arena_status(&e->lane),
                               "arena_ref in a lane")) {
                    CHECK_MEM(arena_value(&e->lane2, ref).data, "across the lanes", 16);
                }
                ref = arena_ref(&e->lane2, "and back again", 14);
                if (every_done(e, !arena_ref_empty(ref), arena_status(&e->lane2),
                               "arena_ref in a lane")) {
                    CHECK_MEM(arena_value(&e->lane, ref).data, "and back again", 14);
                }
            }
            arena_release(&e->lane2);
        }
        arena_reset(&e->lane);
        arena_release(&e->lane);
    }
    every_valid(e);
    arena_group_release(&e->g);
}

/* ---- a pool ---------------------------------------------------------------------------------- */

static bool every_is_7(const int *p, void *ctx)
{
    (void)ctx;
    return *p == 7;
}
static bool every_equal(const int *p, const int *q, void *ctx)
{
    (void)ctx;
    return *p == *q;
}
static bool every_keep(everyp_handle_t h, int *elements, size_t count, void *ctx)
{
    (void)h;
    (void)count;
    (void)ctx;
    return elements[0] != 3;
}
static void every_each(int *elements, size_t count, void *ctx)
{
    (void)elements;
    *(size_t *)ctx += count;
}
static void every_moved(void *ctx, size_t from, size_t to, size_t count)
{
    (void)ctx;
    (void)from;
    (void)to;
    (void)count;
}
static bool every_some(everyp_handle_t h) { return !everyp_handle_empty(h); }

static void every_pool(struct every *e)
{
    struct test *t = e->t;
    everyp_t *p = &e->p;
    everyp_handle_t h[12], x, y;
    int numbers[40], *taken;
    size_t i, start = 0, count = 0, live = 0, drained = 0, n;
    arena_pool_stats_t stats;
    for (i = 0; i < 40; i++) {
        numbers[i] = (int)i;
    }
    for (i = 0; i < 12; i++) {
        h[i] = everyp_append(p, (int)i, 5 + i);
        if (DONE_P(every_some(h[i]))) {
            CHECK_EQ(everyp_get(p, h[i])[4], (int)i);
            live += 5 + i;
        }
    }
    x = everyp_append_copy(p, numbers, 40);
    if (DONE_P(every_some(x))) {
        CHECK_MEM(everyp_span(p, x).data, numbers, sizeof numbers);
        CHECK_EQ(everyp_at(p, everyp_start(p, x)).span, x.span);
        live += 40;
    }
    y = everyp_fetch_or_append(p, numbers, 10);
    if (DONE_P(every_some(y))) {
        live += 10;
        CHECK_EQ(everyp_fetch_or_append(p, numbers, 10).span, y.span);
    }
    CHECK_EQ(everyp_len(p), live);
    y = everyp_find(p, every_is_7, NULL);
    CHECK(!every_some(y) || everyp_span(p, y).len > 0);
    y = everyp_find_or_append(p, 77, 3, every_equal, NULL);
    if (DONE_P(every_some(y))) {
        CHECK_EQ(everyp_get(p, y)[0], 77);
    }
    if (every_some(h[3])) {
        CHECK_EQ(everyp_free(p, h[3]), ARENA_OK);
        CHECK(everyp_get(p, h[3]) == NULL);
    }
    if (every_some(h[5])) {
        n = everyp_span(p, h[5]).len;
        if (!DONE_P(everyp_resize(p, h[5], 300))) {
            CHECK_EQ(everyp_span(p, h[5]).len, n);
        }
        CHECK_EQ(everyp_get(p, h[5])[0], 5);
    }
    while (everyp_next_free(p, &start, &count)) {
        CHECK(count > 0);
    }
    n = 0;
    for (x = everyp_first(p); every_some(x); x = everyp_next(p, x)) {
        n += everyp_span(p, x).len;
    }
    CHECK_EQ(n, everyp_len(p));
    everyp_retain(p, every_keep, NULL);
    if (DONE_P(everyp_copy(&e->q, p) || everyp_status(&e->q) == ARENA_NO_MEMORY)) {
        CHECK(everyp_len(&e->q) == everyp_len(p) || everyp_status(&e->q) == ARENA_NO_MEMORY);
    }
    everyp_clear_status(&e->q);
    while (everyp_compact(p, 20, every_moved, NULL) > 0) {
        every_valid(e);
    }
    everyp_clear_status(p);
    CHECK(everyp_capacity(p) >= everyp_buffer_len(p));
    CHECK(everyp_len(p) == 0 || everyp_data(p) != NULL);
    stats = everyp_stats(p);
    CHECK_EQ(stats.len, everyp_len(p));
    n = everyp_len(p);
    everyp_drain(p, every_each, &drained);
    CHECK_EQ(drained, n);
    DONE_P(every_some(everyp_append_copy(p, numbers, 7)));
    n = 0;
    taken = everyp_take(p, &n);
    if (taken != NULL) {
        t->hooks->free(t->hooks->ctx, taken, n * sizeof *taken, everyp_align_);
        CHECK_EQ(everyp_len(p), 0);
    }
    every_valid(e);
    everyp_clear(p);
    everyp_clear_status(p);
    DONE_P(every_some(everyp_append(p, 4, 4)));
    everyp_release(p);
    everyp_release(&e->q);
    every_valid(e);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void every_make(struct every *e, struct test *t)
{
    arena_options_t o;
    arena_pool_options_t po;
    arena_t made = arena_make(128);
    everys_t made_typed = everys_make(0);
    memset(e, 0, sizeof *e);
    e->t = t;
    CHECK(arena_is_valid(&made) && everys_is_valid(&made_typed));
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 128;
    o.hooks = t->hooks;
    CHECK_EQ(arena_init(&e->a, &o), ARENA_OK);
    CHECK_EQ(everys_init(&e->s, &o), ARENA_OK);
    memset(&po, 0, sizeof po);
    po.hooks = t->hooks;
    CHECK_EQ(everyp_init(&e->p, &po), ARENA_OK);
    CHECK_EQ(everyp_init(&e->q, &po), ARENA_OK);
    e->excused = t->mem.refused;
}

static void every_part(struct every *e, int part)
{
    switch (part) {
    case 0: every_bytes(e); break;
    case 1: every_typed(e); break;
    case 2: every_current(e); break;
    case 3: every_group(e); break;
    default: every_pool(e); break;
    }
}

/* Runs one part with the n-th allocation failing, and the whole once more with none. Returns
 * whether there were n. */
static bool every_run(struct test *t, int part, size_t n, bool from)
{
    struct every e;
    bool reached;
    size_t refused = t->mem.refused;
    every_make(&e, t);
    t->mem.fail_at = from ? 0 : n;
    t->mem.fail_from = from ? n : 0;
    every_part(&e, part);
    reached = t->mem.refused > refused;
    t->mem.fail_at = 0;
    t->mem.fail_from = 0;
    /* Usable afterwards: with memory there again, nothing fails. */
    refused = t->mem.refused;
    e.excused = refused;
    arena_clear_status(&e.a);
    everys_clear_status(&e.s);
    everyp_clear_status(&e.p);
    every_part(&e, part);
    CHECK_EQ(t->mem.refused, refused);
    CHECK_EQ(arena_status(&e.a), ARENA_OK);
    arena_release(&e.a);
    everys_release(&e.s);
    arena_release(&e.lane);
    arena_release(&e.lane2);
    everyp_release(&e.p);
    everyp_release(&e.q);
    CHECK_EQ(t->mem.live_blocks, 0);
    return reached;
}

static void every_index(struct test *t, bool from)
{
    int part;
    size_t n, failed = 0;
    for (part = 0; part < 5; part++) {
        for (n = 1; every_run(t, part, n, from) && t->failures == 0; n++) {
            failed++;
        }
    }
    /* The workload does allocate, so that the loops above were run; a third of it in the group. */
#ifdef ARENA_NO_ATOMICS
    CHECK(failed > 25);
#else
    CHECK(failed > 40);
#endif
}

TEST(everything, nothing_fails_without_a_cause)
{
    int part;
    for (part = 0; part < 5; part++) {
        CHECK(!every_run(t, part, 0, false));
    }
}

TEST(everything, each_allocation_fails_once) { every_index(t, false); }

TEST(everything, each_allocation_fails_and_all_later) { every_index(t, true); }
