/*
 * threads.c - a program of its own: lanes of a group, current arenas and scratch arenas on several
 * threads.
 *
 *     threads [--list] [--seed=N] [--scale=N] [SUBSTRING ...]
 *
 * It is made to be run as it is, under ThreadSanitizer and under helgrind; --scale divides the
 * amounts for the slow ones. Exit status: 0 if at least one test was selected and none failed,
 * else 1. The last line is `N passed, N failed`.
 *
 * The sentences that it proves:
 *  - Each thread stores through its own lane while the others store, and a Ref of any lane
 *    resolves in any other after an ordinary hand-over (a mutex here), whatever else goes on.
 *  - Lanes reset, leave and join again on their own while others store and resolve.
 *  - A Ref that has gone stale may be asked for at any time: the answer is the empty view, or a
 *    view of the asked length.
 *  - A limit, a failing hook, and used-up chunk numbers fail one caller cleanly and let the
 *    others go on; after many threads were refused at once, one that fits is stored. The limit is
 *    never exceeded at any moment, and no chunk number is lost or given twice.
 *  - The memory held is bounded by what was stored, and a few chunks a lane.
 *  - The current arena, its scopes and the scratch arenas are per thread.
 *  - The seed of generations is handed out once each.
 */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __GNUC__
#define ADD(p, n) __atomic_add_fetch((p), (n), __ATOMIC_SEQ_CST)
#define SUB(p, n) __atomic_sub_fetch((p), (n), __ATOMIC_SEQ_CST)
#define GET(p) __atomic_load_n((p), __ATOMIC_SEQ_CST)
#define SET(p, v) __atomic_store_n((p), (v), __ATOMIC_SEQ_CST)
#else
#error "threads.c needs the __atomic builtins of gcc and clang"
#endif

enum { THREADS_MOST = 8 };

static unsigned long long seed = 1;
static long scale = 1;

/* ---- checks ---------------------------------------------------------------------------------- */

static const char *running;
static int failures; /* of all threads */

static int check(int held, int line, const char *text)
{
    if (!held && ADD(&failures, 1) <= 20) {
        printf("tests/threads.c:%d: %s: %s\n", line, running, text);
        fflush(stdout);
    }
    return held;
}
#define CHECK(cond) check((cond) ? 1 : 0, __LINE__, #cond)

/* ---- an allocator that counts over all threads and can be made to fail for one --------------- */

static size_t held_bytes, held_blocks, held_most, alloc_calls;
static __thread int refuse_me;

static void *counted_alloc(void *ctx, size_t bytes, size_t align)
{
    void *p = NULL;
    size_t now, most;
    if (!CHECK(ctx == (void *)&held_bytes && align != 0 && (align & (align - 1)) == 0)) return NULL;
    ADD(&alloc_calls, 1);
    if (refuse_me) return NULL;
    if (align < sizeof(void *)) align = sizeof(void *);
    if (posix_memalign(&p, align, bytes) != 0) return NULL;
    ADD(&held_blocks, 1);
    now = ADD(&held_bytes, bytes);
    most = GET(&held_most);
    while (now > most && !__atomic_compare_exchange_n(&held_most, &most, now, 0, __ATOMIC_SEQ_CST,
                                                      __ATOMIC_SEQ_CST)) {}
    return p;
}

static void counted_free(void *ctx, void *p, size_t bytes, size_t align)
{
    CHECK(ctx == (void *)&held_bytes && align != 0 && p != NULL);
    SUB(&held_bytes, bytes);
    SUB(&held_blocks, 1);
    free(p);
}

static const arena_hooks_t hooks = {counted_alloc, counted_free, &held_bytes};

static void group_begin(arena_group_t *g, size_t chunk_bytes, size_t limit, uint32_t max_chunks)
{
    arena_options_t o;
    memset(&o, 0, sizeof o);
    memset(g, 0, sizeof *g);
    o.chunk_bytes = chunk_bytes;
    o.limit_bytes = limit;
    o.hooks = &hooks;
    CHECK(arena_group_init(g, &o, max_chunks) == ARENA_OK);
}

static uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* ---- threads and mailboxes ------------------------------------------------------------------- */

struct worker {
    int number, count;
    void (*run)(struct worker *w);
    arena_group_t *g;
    uint64_t random;
    size_t result, refused;
    void *shared;
};

static void *worker_main(void *p)
{
    struct worker *w = (struct worker *)p;
    w->run(w);
    return NULL;
}

static void workers_run(struct worker *w, int count, void (*run)(struct worker *), arena_group_t *g,
                        void *shared)
{
    pthread_t id[THREADS_MOST];
    int i;
    for (i = 0; i < count; i++) {
        memset(&w[i], 0, sizeof w[i]);
        w[i].number = i;
        w[i].count = count;
        w[i].run = run;
        w[i].g = g;
        w[i].shared = shared;
        w[i].random = (uint64_t)seed * 1000 + (uint64_t)(unsigned)i;
    }
    for (i = 0; i < count; i++) {
        if (!CHECK(pthread_create(&id[i], NULL, worker_main, &w[i]) == 0)) abort();
    }
    for (i = 0; i < count; i++) CHECK(pthread_join(id[i], NULL) == 0);
}

/* All threads of a test meet here, as often as they want to. */
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t open;
    int inside;
    unsigned round;
};
static struct gate the_gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};

static void gate_meet(struct gate *b, int count)
{
    unsigned round;
    pthread_mutex_lock(&b->lock);
    round = b->round;
    if (++b->inside == count) {
        b->inside = 0;
        b->round++;
        pthread_cond_broadcast(&b->open);
    } else {
        while (b->round == round) pthread_cond_wait(&b->open, &b->lock);
    }
    pthread_mutex_unlock(&b->lock);
}

/* A value that one thread hands to others: its Ref, and what it must hold. */
struct parcel {
    arena_ref_t ref;
    uint32_t first, len;
    int text;
};
enum { BOX = 64 };
struct box {
    pthread_mutex_t lock;
    struct parcel in[BOX];
    unsigned put, taken;
};
static struct box boxes[THREADS_MOST];

static void boxes_clear(void)
{
    int i;
    for (i = 0; i < THREADS_MOST; i++) {
        boxes[i].put = boxes[i].taken = 0;
        pthread_mutex_init(&boxes[i].lock, NULL);
    }
}

static bool box_put(struct box *b, const struct parcel *p)
{
    bool room;
    pthread_mutex_lock(&b->lock);
    room = b->put - b->taken < BOX;
    if (room) b->in[b->put++ % BOX] = *p;
    pthread_mutex_unlock(&b->lock);
    return room;
}

static bool box_take(struct box *b, struct parcel *p)
{
    bool some;
    pthread_mutex_lock(&b->lock);
    some = b->put != b->taken;
    if (some) *p = b->in[b->taken++ % BOX];
    pthread_mutex_unlock(&b->lock);
    return some;
}

/* The bytes of a value follow from its first number. */
static void value_fill(char *p, uint32_t first, uint32_t len)
{
    uint32_t i;
    for (i = 0; i < len; i++) p[i] = (char)((first + i * 7) & 0x7f);
}

static bool value_right(const char *p, uint32_t first, uint32_t len)
{
    uint32_t i;
    for (i = 0; i < len; i++) {
        if (p[i] != (char)((first + i * 7) & 0x7f)) return false;
    }
    return true;
}

/* As text there is no NUL in it. */
static char text_byte(uint32_t first, uint32_t i) { return (char)('a' + (first + i * 7) % 26); }

static bool parcel_make(struct worker *w, arena_t *lane, struct parcel *p)
{
    char *room;
    p->first = (uint32_t)random_next(&w->random) % 1000000;
    p->len = 1 + (uint32_t)(random_next(&w->random) % (random_next(&w->random) % 50 ? 60 : 3000));
    p->text = random_next(&w->random) % 4 == 0;
    if (p->text) {
        char text[3000];
        uint32_t i;
        for (i = 0; i < p->len; i++) text[i] = text_byte(p->first, i);
        p->ref = arena_strref_n(lane, text, p->len);
        return !arena_ref_empty(p->ref);
    }
    room = arena_reserve_ref(lane, p->len, &p->ref);
    if (room == NULL) return false;
    value_fill(room, p->first, p->len);
    return true;
}

static bool parcel_right(arena_t *lane, const struct parcel *p)
{
    arena_view_t v = arena_value(lane, p->ref);
    if (p->text) {
        const char *s = arena_str(lane, p->ref);
        uint32_t i;
        /* A text that ends with its chunk may be copied. */
        if (v.len != p->len || strlen(s) != p->len) return false;
        for (i = 0; i < p->len; i++) {
            if (s[i] != text_byte(p->first, i)) return false;
        }
        return true;
    }
    return v.len == p->len && value_right(v.data, p->first, p->len);
}

/* ---- the tests ------------------------------------------------------------------------------- */

static void run_hand_over(struct worker *w)
{
    arena_t lane;
    struct parcel mine[200], p;
    long i, n = 60000 / scale, right = 0;
    memset(&lane, 0, sizeof lane);
    memset(mine, 0, sizeof mine);
    CHECK(arena_join(&lane, w->g) == ARENA_OK);
    for (i = 0; i < n; i++) {
        struct parcel *m = &mine[i % 200];
        if (!CHECK(parcel_make(w, &lane, m))) break;
        box_put(&boxes[(w->number + 1 + (int)(random_next(&w->random) % (unsigned)(w->count - 1))) %
                       w->count],
                m);
        while (box_take(&boxes[w->number], &p)) right += CHECK(parcel_right(&lane, &p));
        if (i % 64 == 0) {
            /* An old one of mine, as good as ever. */
            m = &mine[random_next(&w->random) % 200];
            if (m->len > 0) CHECK(parcel_right(&lane, m));
        }
    }
    CHECK(arena_is_valid(&lane));
    CHECK(arena_status(&lane) == ARENA_OK);
    gate_meet(&the_gate, w->count);
    while (box_take(&boxes[w->number], &p)) right += CHECK(parcel_right(&lane, &p));
    w->result = (size_t)right;
    gate_meet(&the_gate, w->count);
    arena_release(&lane);
}

static void test_hand_over_while_others_store(void)
{
    int count;
    for (count = 2; count <= 6; count += 2) {
        struct worker w[THREADS_MOST];
        arena_group_t g;
        int i;
        boxes_clear();
        group_begin(&g, 4096, 0, 1 << 16);
        workers_run(w, count, run_hand_over, &g, NULL);
        for (i = 0; i < count; i++) CHECK(w[i].result > 0);
        arena_group_release(&g);
    }
}

/*
 * Batches: in each, everybody stores and hands over; then all meet, half of the lanes reset, a
 * quarter leave and join again, and the rest keep what they have and go on at once. What was kept
 * stays good through everything.
 */
struct keeper {
    struct parcel kept[20];
};
static struct keeper keepers[THREADS_MOST];

static void run_batches(struct worker *w)
{
    arena_t lane;
    long round, rounds = 60 / scale + 2;
    memset(&lane, 0, sizeof lane);
    CHECK(arena_join(&lane, w->g) == ARENA_OK);
    for (round = 0; round < rounds; round++) {
        struct parcel p;
        int i;
        for (i = 0; i < 20; i++) CHECK(parcel_make(w, &lane, &keepers[w->number].kept[i]));
        gate_meet(&the_gate, w->count);
        for (i = 0; i < 300; i++) {
            CHECK(parcel_make(w, &lane, &p));
            /* Everybody's kept values, through this lane, while others store, grow and open chunks.
             */
            CHECK(parcel_right(&lane, &keepers[(w->number + i) % w->count].kept[i % 20]));
        }
        gate_meet(&the_gate, w->count);
        /* From here on nobody reads what others kept, so that each may drop its own. */
        if (w->number % 2 == 0) {
            arena_reset(&lane);
        } else if (w->number % 4 == 1) {
            arena_release(&lane);
            CHECK(arena_join(&lane, w->g) == ARENA_OK);
        }
        for (i = 0; i < 20; i++) {
            bool gone = arena_value(&lane, keepers[w->number].kept[i].ref).len == 0;
            CHECK(gone == (w->number % 2 == 0 || w->number % 4 == 1));
        }
    }
    CHECK(arena_is_valid(&lane));
    CHECK(arena_status(&lane) == ARENA_OK);
    arena_release(&lane);
}

static void test_reset_leave_and_join_again(void)
{
    struct worker w[THREADS_MOST];
    arena_group_t g;
    group_begin(&g, 2048, 0, 1 << 14);
    workers_run(w, 4, run_batches, &g, NULL);
    arena_group_release(&g);
}

/* Refs that may be stale are asked for while their lane resets and leaves. Nothing is read through
 * the views. */
static struct box stale_box = {PTHREAD_MUTEX_INITIALIZER, {{{0, 0, 0}, 0, 0, 0}}, 0, 0};
static int stale_done;

static void run_stale(struct worker *w)
{
    arena_t lane;
    struct parcel p;
    long i, n = 3000 / scale;
    memset(&lane, 0, sizeof lane);
    memset(&p, 0, sizeof p);
    CHECK(arena_join(&lane, w->g) == ARENA_OK);
    gate_meet(&the_gate, w->count);
    if (w->number == 0) {
        for (i = 0; i < n; i++) {
            int k;
            for (k = 0; k < 20; k++) {
                CHECK(parcel_make(w, &lane, &p));
                box_put(&stale_box, &p);
            }
            if (i % 5 == 4) {
                arena_release(&lane);
                CHECK(arena_join(&lane, w->g) == ARENA_OK);
            } else {
                arena_reset(&lane);
            }
        }
        SET(&stale_done, 1);
    } else {
        struct parcel seen[100];
        unsigned long asked = 0;
        memset(seen, 0, sizeof seen);
        do {
            if (box_take(&stale_box, &p)) seen[asked % 100] = p;
            for (i = 0; i < 20; i++) {
                const struct parcel *q = &seen[random_next(&w->random) % 100];
                arena_view_t v = arena_value(&lane, q->ref);
                CHECK(v.len == 0 || v.len == q->len);
            }
            CHECK(parcel_make(w, &lane, &p));
            CHECK(parcel_right(&lane, &p));
            if (++asked % 500 == 0) arena_reset(&lane);
        } while (!GET(&stale_done));
        w->result = asked;
    }
    CHECK(arena_is_valid(&lane));
    arena_release(&lane);
}

static void test_stale_refs_while_their_lane_resets(void)
{
    struct worker w[THREADS_MOST];
    arena_group_t g;
    SET(&stale_done, 0);
    stale_box.put = stale_box.taken = 0;
    group_begin(&g, 1024, 0, 4096);
    workers_run(w, 3, run_stale, &g, NULL);
    CHECK(w[1].result > 0 && w[2].result > 0);
    arena_group_release(&g);
}

static size_t limited_grown;

/* All threads store until the group's limit refuses each of them; then one gives back what it has,
 * which one value fits. */
static void run_limited(struct worker *w)
{
    arena_t lane;
    long i;
    memset(&lane, 0, sizeof lane);
    CHECK(arena_join(&lane, w->g) == ARENA_OK);
    CHECK(arena_reserve(&lane, 1000) != NULL);
    w->result = 1;
    gate_meet(&the_gate, w->count);
    /* A lane whose records of chunks move to larger storage gives the old ones back, which another
     * one may get; so all go on until nobody gets any more. */
    do {
        size_t got = 0;
        gate_meet(&the_gate, w->count);
        if (w->number == 0) SET(&limited_grown, 0);
        gate_meet(&the_gate, w->count);
        while (arena_reserve(&lane, 1000) != NULL) got++;
        ADD(&limited_grown, got);
        w->result += got;
        gate_meet(&the_gate, w->count);
    } while (GET(&limited_grown) != 0);
    CHECK(arena_status(&lane) == ARENA_LIMIT);
    for (i = 0; i < 1000 / scale; i++) {
        size_t size = arena_size(&lane);
        CHECK(arena_reserve(&lane, 1000) == NULL);
        CHECK(arena_reserve(&lane, 100000) == NULL);
        CHECK(arena_size(&lane) == size);
        w->refused += 2;
    }
    gate_meet(&the_gate, w->count);
    CHECK(arena_is_valid(&lane));
    if (w->number == 0) {
        arena_release(&lane);
        arena_clear_status(&lane);
        CHECK(arena_join(&lane, w->g) == ARENA_OK);
        CHECK(arena_reserve(&lane, 1000) != NULL);
        CHECK(arena_status(&lane) == ARENA_OK);
    }
    gate_meet(&the_gate, w->count);
    arena_release(&lane);
}

static void test_many_refused_then_one_that_fits(void)
{
    struct worker w[THREADS_MOST];
    arena_group_t g;
    size_t table, limit, got = 0;
    int i;
    group_begin(&g, 1000, 0, 4096);
    table = GET(&held_bytes);
    arena_group_release(&g);
    limit = table + 200 * 1001 + 500;
    SET(&held_most, 0);
    group_begin(&g, 1000, limit, 4096);
    workers_run(w, 6, run_limited, &g, NULL);
    for (i = 0; i < 6; i++) got += w[i].result;
    /* Two hundred chunks fit, less the records that each lane keeps about its own. */
    CHECK(got <= 200);
    CHECK(got >= 150);
    CHECK(GET(&held_most) <= limit);
    CHECK(GET(&held_bytes) == table);
    arena_group_release(&g);
}

/* The hook fails for the odd threads, again and again; they are refused, and the even ones never
 * are. */
static void run_failing(struct worker *w)
{
    arena_t lane;
    long i;
    struct parcel p;
    memset(&lane, 0, sizeof lane);
    CHECK(arena_join(&lane, w->g) == ARENA_OK);
    gate_meet(&the_gate, w->count);
    for (i = 0; i < 6000 / scale; i++) {
        bool made;
        refuse_me = w->number % 2 == 1 && i % 3 != 0;
        made = parcel_make(w, &lane, &p);
        if (made)
            CHECK(parcel_right(&lane, &p));
        else {
            CHECK(refuse_me && arena_status(&lane) == ARENA_NO_MEMORY);
            arena_clear_status(&lane);
            w->refused++;
        }
        refuse_me = 0;
        w->result += made;
    }
    CHECK(arena_is_valid(&lane));
    arena_release(&lane);
}

static void test_a_failing_hook_fails_one_caller(void)
{
    struct worker w[THREADS_MOST];
    arena_group_t g;
    int i;
    group_begin(&g, 1024, 0, 1 << 15);
    workers_run(w, 4, run_failing, &g, NULL);
    for (i = 0; i < 4; i++) CHECK((w[i].refused > 0) == (i % 2 == 1));
    arena_group_release(&g);
}

/* Fewer numbers than chunks: exactly that many Refs to full chunks exist at one time, whoever has
 * them; all come back. */
enum { NUMBERS = 37 };
static int owner_of[NUMBERS * 4 + 8];

static void run_numbers(struct worker *w)
{
    arena_t lane;
    static const char block[64] = {1};
    long round;
    memset(&lane, 0, sizeof lane);
    CHECK(arena_join(&lane, w->g) == ARENA_OK);
    /* On a busy machine others may have all numbers for as long as the first rounds take. */
    for (round = 0; round < 300 / scale + 1 || (w->result == 0 && round < 1000000); round++) {
        arena_ref_t mine[NUMBERS + 1];
        int n = 0, i, want = 1 + (int)(random_next(&w->random) % NUMBERS);
        while (n < want) {
            arena_ref_t r = arena_ref(&lane, block, sizeof block);
            if (arena_ref_empty(r)) {
                CHECK(arena_status(&lane) == ARENA_REF_RANGE);
                arena_clear_status(&lane);
                /* Without a number the value itself is stored all the same. */
                CHECK(arena_append(&lane, block, sizeof block) != NULL);
                w->refused++;
                break;
            }
            mine[n++] = r;
        }
        /* Nobody else may hold the same number now. */
        for (i = 0; i < n; i++) {
            uint32_t number = mine[i].chunk >> 9;
            if (!CHECK(number < sizeof owner_of / sizeof owner_of[0])) continue;
            CHECK(ADD(&owner_of[number], 1) == 1);
        }
        for (i = 0; i < n; i++) CHECK(arena_value(&lane, mine[i]).len == sizeof block);
        for (i = 0; i < n; i++) SUB(&owner_of[mine[i].chunk >> 9], 1);
        w->result += (size_t)n;
        arena_release(&lane);
        CHECK(arena_join(&lane, w->g) == ARENA_OK);
    }
    gate_meet(&the_gate, w->count);
    if (w->number == 0) {
        /* All numbers are back: one lane can have every one of them. */
        int n = 0;
        while (!arena_ref_empty(arena_ref(&lane, block, sizeof block))) n++;
        CHECK(n == NUMBERS);
    }
    CHECK(arena_is_valid(&lane));
    arena_release(&lane);
}

static void test_numbers_are_neither_lost_nor_given_twice(void)
{
    struct worker w[THREADS_MOST];
    arena_group_t g;
    int i;
    memset(owner_of, 0, sizeof owner_of);
    group_begin(&g, 64, 0, NUMBERS);
    workers_run(w, 4, run_numbers, &g, NULL);
    for (i = 0; i < 4; i++) CHECK(w[i].result > 0);
    arena_group_release(&g);
}

/* Several lanes open chunks at the same moment, over and over: what is held stays near what is
 * stored. */
static void run_growing(struct worker *w)
{
    arena_t lane;
    long i;
    memset(&lane, 0, sizeof lane);
    CHECK(arena_join(&lane, w->g) == ARENA_OK);
    gate_meet(&the_gate, w->count);
    for (i = 0; i < 2000 / scale; i++) {
        size_t n = 200 + (size_t)(random_next(&w->random) % 900);
        if (!CHECK(arena_reserve(&lane, n) != NULL)) break;
        w->result += n;
    }
    gate_meet(&the_gate, w->count);
    if (w->number == 0) *(size_t *)w->shared = GET(&held_bytes);
    gate_meet(&the_gate, w->count);
    arena_release(&lane);
}

static void test_growing_together_multiplies_no_memory(void)
{
    struct worker w[THREADS_MOST];
    arena_group_t g;
    size_t table, stored = 0, held = 0;
    int i;
    group_begin(&g, 4096, 0, 1 << 14);
    table = GET(&held_bytes);
    workers_run(w, 6, run_growing, &g, &held);
    for (i = 0; i < 6; i++) stored += w[i].result;
    CHECK(held - table <= stored + stored / 5 + 6 * 5 * 4096);
    arena_group_release(&g);
}

/* Each thread has a current arena and scratch arenas of its own. */
static void run_current(struct worker *w)
{
    arena_t a, *scratch, *other;
    long i;
    arena_scope_t outer;
    void **all = (void **)w->shared;
    CHECK(arena_current() == NULL);
    a = arena_make(512);
    outer = arena_scope_open(&a);
    scratch = arena_scratch(NULL, 0);
    other = arena_scratch(&scratch, 1);
    CHECK(scratch != NULL && other != NULL && scratch != other);
    all[2 * w->number] = scratch;
    all[2 * w->number + 1] = other;
    gate_meet(&the_gate, w->count);
    for (i = 0; i < 2 * w->count; i++) {
        if (i / 2 != w->number) CHECK(all[i] != (void *)scratch && all[i] != (void *)other);
    }
    for (i = 0; i < 3000 / scale; i++) {
        arena_scope_t s = arena_scope_open(&a);
        const char *text = arena_printf(arena_current(), "thread %d, step %ld", w->number, i);
        const char *copy = arena_intern(scratch, text);
        char want[60];
        CHECK(arena_current() == &a);
        sprintf(want, "thread %d, step %ld", w->number, i);
        CHECK(text != NULL && strcmp(text, want) == 0);
        CHECK(copy != NULL && strcmp(copy, want) == 0);
        CHECK(arena_current_malloc(40) != NULL);
        CHECK(arena_scope_close(&s));
        if (i % 100 == 99) arena_reset(scratch);
    }
    CHECK(arena_scope_close(&outer));
    CHECK(arena_current() == NULL);
    CHECK(arena_size(&a) == 0);
    gate_meet(&the_gate, w->count);
    arena_release(&a);
    arena_scratch_release();
}

static void test_current_and_scratch_are_per_thread(void)
{
    struct worker w[THREADS_MOST];
    void *all[2 * THREADS_MOST];
    memset(all, 0, sizeof all);
    workers_run(w, 6, run_current, NULL, all);
    CHECK(arena_current() == NULL);
}

/* Arenas that are made by many threads at once get generations of their own: no Ref of one resolves
 * in another by more than chance. */
enum { MADE = 300 };

static void run_seeds(struct worker *w)
{
    uint32_t *seeds = (uint32_t *)w->shared + w->number * MADE;
    int i;
    gate_meet(&the_gate, w->count);
    for (i = 0; i < MADE; i++) seeds[i] = arena_seed_();
}

static int compare_seeds(const void *p, const void *q)
{
    uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;
    return a < b ? -1 : a > b;
}

static void test_seeds_are_handed_out_once(void)
{
    static uint32_t seeds[THREADS_MOST * MADE];
    struct worker w[THREADS_MOST];
    size_t i;
    workers_run(w, THREADS_MOST, run_seeds, NULL, seeds);
    qsort(seeds, THREADS_MOST * MADE, sizeof seeds[0], compare_seeds);
    for (i = 1; i < (size_t)THREADS_MOST * MADE; i++) {
        if (!CHECK(seeds[i] == seeds[i - 1] + 1)) break;
    }
}

/* Arenas of different threads that share nothing: no interference of any kind. */
static void run_alone(struct worker *w)
{
    arena_t a;
    arena_options_t o;
    long i;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 1000;
    o.hooks = &hooks;
    CHECK(arena_init(&a, &o) == ARENA_OK);
    for (i = 0; i < 20000 / scale; i++) {
        struct parcel p;
        CHECK(parcel_make(w, &a, &p));
        CHECK(parcel_right(&a, &p));
        if (i % 1000 == 999) arena_reset(&a);
    }
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

static void test_arenas_that_share_nothing(void)
{
    struct worker w[THREADS_MOST];
    workers_run(w, 4, run_alone, NULL, NULL);
}

#ifdef PLANTED_RACE
/* What the tools must find: two threads on one lane, and a value read before it was handed over. */
static arena_t planted_lane;

static void run_planted(struct worker *w)
{
    long i;
    (void)w;
    for (i = 0; i < 1000; i++) (void)arena_append(&planted_lane, "race", 4);
}

static void test_planted_race_on_a_lane(void)
{
    struct worker w[THREADS_MOST];
    planted_lane = arena_make(1 << 20);
    (void)arena_append(&planted_lane, "first", 5);
    workers_run(w, 2, run_planted, NULL, NULL);
    arena_release(&planted_lane);
}
#endif

/* ---- the program ----------------------------------------------------------------------------- */

static const struct row {
    const char *name;
    void (*run)(void);
} rows[] = {
    {"threads_hand_over_while_others_store", test_hand_over_while_others_store},
    {"threads_reset_leave_and_join_again", test_reset_leave_and_join_again},
    {"threads_stale_refs_while_their_lane_resets", test_stale_refs_while_their_lane_resets},
    {"threads_many_refused_then_one_that_fits", test_many_refused_then_one_that_fits},
    {"threads_a_failing_hook_fails_one_caller", test_a_failing_hook_fails_one_caller},
    {"threads_numbers_are_neither_lost_nor_given_twice",
     test_numbers_are_neither_lost_nor_given_twice},
    {"threads_growing_together_multiplies_no_memory", test_growing_together_multiplies_no_memory},
    {"threads_current_and_scratch_are_per_thread", test_current_and_scratch_are_per_thread},
    {"threads_seeds_are_handed_out_once", test_seeds_are_handed_out_once},
    {"threads_arenas_that_share_nothing", test_arenas_that_share_nothing},
#ifdef PLANTED_RACE
    {"threads_planted_race_on_a_lane", test_planted_race_on_a_lane},
#endif
};

int main(int argc, char **argv)
{
    size_t i, passed = 0, failed = 0, listed = 0;
    int k, list = 0, patterns = 0;
    for (k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--list") == 0)
            list = 1;
        else if (strncmp(argv[k], "--seed=", 7) == 0)
            seed = strtoull(argv[k] + 7, NULL, 0);
        else if (strncmp(argv[k], "--scale=", 8) == 0)
            scale = strtol(argv[k] + 8, NULL, 0);
        else if (argv[k][0] == '-') {
            fprintf(
                stderr,
                "unknown option %s; known: --list, --seed=N, --scale=N and parts of test names\n",
                argv[k]);
            return 1;
        } else
            patterns++;
    }
    if (scale < 1) scale = 1;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int selected = patterns == 0;
        for (k = 1; k < argc; k++) {
            if (argv[k][0] != '-' && strstr(rows[i].name, argv[k]) != NULL) selected = 1;
        }
        if (!selected) continue;
        if (list) {
            puts(rows[i].name);
            listed++;
            continue;
        }
        running = rows[i].name;
        SET(&failures, 0);
        rows[i].run();
        CHECK(GET(&held_blocks) == 0 && GET(&held_bytes) == 0);
        if (GET(&failures) > 0) {
            printf("FAILED %s, %d checks (again: --seed=%llu %s)\n", running, GET(&failures), seed,
                   running);
            failed++;
        } else {
            passed++;
        }
    }
    if (list) return listed > 0 ? 0 : 1;
    if (passed + failed == 0) {
        puts("no test was selected");
        puts("0 passed, 1 failed");
        return 1;
    }
    printf("%lu passed, %lu failed\n", (unsigned long)passed, (unsigned long)failed);
    return failed > 0 ? 1 : 0;
}
