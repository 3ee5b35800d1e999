/*
 * limits.c - limits, and memory that is not malloc's.
 *
 * The sentences that this family proves:
 *  - limit_bytes: all that the arena holds from its hooks at one time, bookkeeping included,
 *    never exceeds it by a byte as the hooks see it; what was held at the most is enough to do
 *    the same again, one byte less is not.
 *  - It is refused before anything is taken: a refused request makes no allocator call and
 *    changes no counter; after a thousand of them one that fits is stored.
 *  - A limit that is lower than what a batch needs refuses growth and harms nothing stored.
 *  - A fixed arena on a user buffer of any size and alignment works or refuses cleanly, makes no
 *    allocator call, writes nowhere else, and is reset and reused with the same capacity; full,
 *    it answers ARENA_LIMIT.
 *  - A user buffer is used first and never freed; without fixed the hooks come after it.
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

ARENA_DEFINE(limits_ints, int);
struct limits_vec {
    float x, y, z;
};
ARENA_DEFINE(limits_vecs, struct limits_vec);
ARENA_SLICE_DEFINE(limits_list, int);

static void limits_options(arena_options_t *o, struct test *t, size_t chunk_bytes, size_t limit)
{
    memset(o, 0, sizeof *o);
    o->chunk_bytes = chunk_bytes;
    o->limit_bytes = limit;
    o->hooks = t->hooks;
}

/* What the hooks give for the table of chunks, which an arena has from its second chunk on (eight
 * slots at first). */
static size_t limits_table(struct test *t)
{
    arena_t a;
    arena_options_t o;
    size_t bytes;
    limits_options(&o, t, 100, 0);
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    CHECK(arena_reserve(&a, 100) != NULL);
    CHECK_EQ(t->mem.live_bytes, 101);
    CHECK(arena_reserve(&a, 100) != NULL);
    bytes = t->mem.live_bytes - 202;
    CHECK(bytes > 0);
    arena_release(&a);
    return bytes;
}

/* ---- limit_bytes ----------------------------------------------------------------------------- */

/*
 * Five programs of stores, each in the order in which a user would make them. The status is the
 * arena's first failure. Every program goes on after a failure, so that a refused call is followed
 * by others.
 */
static void limits_program(arena_t *a, int program)
{
    limits_list_slice_t s[7];
    int i, k;
    size_t n;
    memset(s, 0, sizeof s);
    switch (program) {
    case 0: /* one chunk */
        for (i = 0; i < 50; i++) arena_append(a, "0123456789", 10);
        break;
    case 1: /* many chunks, so that the table of chunks grows several times */
        for (i = 0; i < 20000; i++) arena_append(a, "0123456789", 10);
        break;
    case 2: /* oversized values between small ones, and a reset that gives them back */
        for (k = 0; k < 3; k++) {
            for (i = 0; i < 30; i++) {
                arena_alloc(a, 2000 + (size_t)i * 100, 8);
                arena_intern(a, "small");
            }
            if (k < 2) arena_reset(a);
        }
        break;
    case 3: /* slices in turn */
        for (i = 0; i < 500; i++) {
            for (k = 0; k < 7; k++) limits_list_push(a, &s[k], i);
        }
        break;
    default: /* strings, rewound again and again */
        for (n = 1; n < 40; n++) {
            arena_mark_t m = arena_mark(a);
            for (i = 0; i < (int)n * 10; i++) arena_printf(a, "%d-%0*d", i, (int)n * 3, i);
            if (n % 3) arena_rewind(a, m);
        }
        break;
    }
}

/* The most that a program holds is a limit under which it succeeds; one byte less refuses, and is
 * not exceeded either. */
TEST(limits, exact_as_the_hooks_see_it)
{
    static const size_t chunks[] = {512, 1000, 4096};
    size_t c;
    for (c = 0; c < 3; c++) {
        int program;
        for (program = 0; program < 5; program++) {
            arena_t a;
            arena_options_t o;
            size_t most, size;
            int less;
            limits_options(&o, t, chunks[c], 0);
            CHECK_EQ(arena_init(&a, &o), ARENA_OK);
            CHECK_EQ(t->mem.live_bytes, 0);
            t->mem.peak_bytes = 0;
            limits_program(&a, program);
            CHECK_EQ(arena_status(&a), ARENA_OK);
            CHECK_EQ(arena_stats(&a).allocated, t->mem.live_bytes);
            most = t->mem.peak_bytes;
            size = arena_size(&a);
            arena_release(&a);
            CHECK(most > 0);

            for (less = 0; less < 3; less++) {
                static const size_t fewer[] = {0, 1, 100};
                limits_options(&o, t, chunks[c], most - fewer[less]);
                CHECK_EQ(arena_init(&a, &o), ARENA_OK);
                t->mem.peak_bytes = 0;
                limits_program(&a, program);
                CHECK(t->mem.peak_bytes <= most - fewer[less]);
                CHECK_EQ(arena_stats(&a).allocated, t->mem.live_bytes);
                CHECK(arena_is_valid(&a));
                if (less == 0) {
                    CHECK_EQ(arena_status(&a), ARENA_OK);
                    CHECK_EQ(arena_size(&a), size);
                    CHECK_EQ(t->mem.peak_bytes, most);
                } else if (program != 3) { /* a slice that may not double takes what it needs, and
                                              may find it */
                    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
                }
                arena_release(&a);
                CHECK_EQ(t->mem.live_bytes, 0);
            }
        }
    }
}

/* Every limit from nothing to a few chunks: never exceeded, and what was stored is right. */
TEST(limits, every_small_limit)
{
    size_t limit, table = limits_table(t);
    for (limit = 1; limit < table + 300; limit += limit < 300 || limit > table ? 1 : 7) {
        arena_t a;
        arena_options_t o;
        const char *p[200];
        int i, stored = 0;
        limits_options(&o, t, 64, limit);
        CHECK_EQ(arena_init(&a, &o), ARENA_OK);
        t->mem.peak_bytes = 0;
        for (i = 0; i < 200; i++) {
            size_t calls = t->mem.allocs;
            p[i] = arena_printf(&a, "%d", 1000 + i);
            if (p[i] != NULL)
                stored++;
            else {
                CHECK_EQ(t->mem.allocs, calls);
                CHECK_EQ(arena_status(&a), ARENA_LIMIT);
            }
        }
        CHECK(t->mem.peak_bytes <= limit);
        for (i = 0; i < 200; i++) {
            if (p[i] != NULL) CHECK_EQ(strtol(p[i], NULL, 10), 1000 + i);
        }
        /* A chunk of 64 asks for 65 bytes and needs nothing else. 12 texts of 4 and a NUL each fit
         * it, and the last NUL is spare. */
        if (limit < 65) CHECK_EQ(stored, 0);
        if (limit >= 65 && limit < 130 + table) CHECK_EQ(stored, 13);
        if (limit >= 130 + table && limit < 195 + table) CHECK_EQ(stored, 26);
        CHECK(arena_is_valid(&a));
        arena_release(&a);
        CHECK_EQ(t->mem.live_bytes, 0);
    }
}

/* At exactly one chunk, one byte less, two chunks. */
TEST(limits, one_chunk_one_byte_less_two_chunks)
{
    size_t k;
    struct {
        size_t limit;
        int chunks;
    } cases[4] = {{65537, 1}, {65536, 0}, {131074, 2}, {131073, 1}};
    const size_t table = limits_table(t);
    cases[2].limit += table;
    cases[3].limit += table;
    for (k = 0; k < 4; k++) {
        arena_t a;
        arena_options_t o;
        int i;
        limits_options(&o, t, 65536, cases[k].limit);
        CHECK_EQ(arena_init(&a, &o), ARENA_OK);
        for (i = 0; i < 3; i++) {
            bool given = arena_reserve(&a, 65536) != NULL;
            CHECK_EQ(given, i < cases[k].chunks);
            if (!given) CHECK_EQ(arena_status(&a), ARENA_LIMIT);
        }
        CHECK_EQ(t->mem.live_bytes,
                 (size_t)cases[k].chunks * 65537 + (cases[k].chunks > 1 ? table : 0));
        /* After a reset the same again, without a call. */
        arena_reset(&a);
        CHECK_EQ(arena_status(&a), ARENA_OK);
        for (i = 0; i < 3; i++) CHECK_EQ(arena_reserve(&a, 65536) != NULL, i < cases[k].chunks);
        CHECK_EQ(t->mem.live_bytes,
                 (size_t)cases[k].chunks * 65537 + (cases[k].chunks > 1 ? table : 0));
        arena_release(&a);
    }
}

/* The typed arena: its chunk is its elements and nothing more. */
TEST(limits, typed_arena)
{
    size_t limit, table = limits_table(t);
    for (limit = 1; limit < table + 1500; limit += 3) {
        limits_vecs_t a;
        arena_options_t o;
        struct limits_vec v = {1, 2, 3};
        size_t n = 0;
        limits_options(&o, t, 120, limit);
        CHECK_EQ(limits_vecs_init(&a, &o), ARENA_OK);
        t->mem.peak_bytes = 0;
        while (limits_vecs_append(&a, &v, 1) != NULL && n < 1000) n++;
        CHECK_EQ(limits_vecs_status(&a), ARENA_LIMIT);
        CHECK(t->mem.peak_bytes <= limit);
        /* The second chunk brings the table, the ninth a larger one. */
        if (limit < table + 8 * 120) {
            size_t chunks = limit < 120 ? 0 : limit < table + 240 ? 1 : (limit - table) / 120;
            CHECK_EQ(n, chunks * 10);
        }
        CHECK_EQ(limits_vecs_size(&a), n * sizeof v);
        CHECK(limits_vecs_is_valid(&a));
        limits_vecs_release(&a);
    }
}

TEST(limits, a_thousand_refused_then_one_that_fits)
{
    arena_t a;
    arena_options_t o;
    arena_stats_t before, after;
    size_t calls, frees;
    int i;
    limits_list_slice_t s, kept;
    char *p;
    limits_options(&o, t, 1000, 1001 + 400);
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    p = arena_reserve(&a, 600);
    NEED(p != NULL);
    memset(p, 'k', 600);
    s = limits_list_slice(&a, 3, 3);
    NEED(s.data != NULL);
    kept = s;
    before = arena_stats(&a);
    calls = t->mem.allocs;
    frees = t->mem.frees;
    for (i = 0; i < 1000; i++) {
        switch (i % 10) {
        case 0:
            CHECK(arena_reserve(&a, 1001) == NULL);
            break;
        case 1:
            CHECK(arena_alloc(&a, 900, 64) == NULL);
            break;
        case 2:
            CHECK(arena_printf(&a, "%0900d", 1) == NULL);
            break;
        case 3:
            CHECK(arena_append(&a, p, 600) == NULL);
            break;
        case 4:
            CHECK(arena_ref_empty(arena_ref(&a, p, 600)));
            break;
        case 5:
            CHECK(!limits_list_extend(&a, &s, (const int *)(const void *)kept.data, 100000));
            break;
        case 6:
            CHECK(arena_intern_n(&a, p, 500) == NULL);
            break;
        case 7:
            CHECK(arena_realloc(&a, s.data, 12, 4000, 4) == NULL);
            break;
        case 8:
            CHECK(arena_slice(&a, 5000, 0).data == NULL);
            break;
        default:
            CHECK(ARENA_NEW_ARRAY(&a, double, 200) == NULL);
            break;
        }
        CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    }
    CHECK(s.data == kept.data && s.len == 3 && s.cap == 3);
    CHECK_EQ(t->mem.allocs, calls);
    CHECK_EQ(t->mem.frees, frees);
    after = arena_stats(&a);
    CHECK_EQ(before.size, after.size);
    CHECK_EQ(before.used, after.used);
    CHECK_EQ(before.retained, after.retained);
    CHECK_EQ(before.allocated, after.allocated);
    CHECK_EQ(before.stranded, after.stranded);
    CHECK_EQ(before.padding, after.padding);
    CHECK_EQ(before.peak, after.peak);
    CHECK_EQ(before.chunks, after.chunks);
    CHECK_EQ(before.oversized, after.oversized);
    arena_clear_status(&a);
    CHECK(arena_reserve(&a, 1000 - 612) == p + 612);
    CHECK(p[0] == 'k' && memcmp(p, p + 1, 599) == 0);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

/* An oversized value takes its part of the limit until the reset, and not longer. */
TEST(limits, oversized_then_reset)
{
    arena_t a;
    arena_options_t o;
    int i;
    const size_t table = limits_table(t);
    limits_options(&o, t, 100, 101 + 5001 + table);
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    for (i = 0; i < 5; i++) {
        CHECK(arena_reserve(&a, 100) != NULL);
        CHECK(arena_reserve(&a, 5001) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_LIMIT);
        CHECK(arena_reserve(&a, 5000) != NULL);
        CHECK(arena_reserve(&a, 1) == NULL);
        CHECK_EQ(t->mem.live_bytes, 5102 + table);
        arena_reset(&a);
        CHECK_EQ(arena_status(&a), ARENA_OK);
        CHECK_EQ(t->mem.live_bytes, (ARENA_DEBUG < 3 ? 101 : 0) + table);
    }
    arena_release(&a);
}

/* The release that comes with the same options gives the whole limit back. */
TEST(limits, release_and_trim_give_the_limit_back)
{
    arena_t a;
    arena_options_t o;
    int i;
    const size_t table = limits_table(t);
    limits_options(&o, t, 100, 303 + table);
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    for (i = 0; i < 4; i++) {
        CHECK(arena_reserve(&a, 100) != NULL);
        CHECK(arena_reserve(&a, 100) != NULL);
        CHECK(arena_reserve(&a, 100) != NULL);
        CHECK(arena_reserve(&a, 1) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_LIMIT);
        if (i % 2) {
            arena_release(&a);
            CHECK_EQ(t->mem.live_bytes, 0);
            arena_clear_status(&a);
        } else {
            arena_reset(&a);
            arena_trim(&a, 0);
            CHECK_EQ(arena_retained(&a), 0);
        }
        CHECK_EQ(arena_status(&a), ARENA_OK);
        /* Larger than a chunk: possible only once two of the three chunks are gone. */
        CHECK(arena_reserve(&a, 250) != NULL);
        arena_reset(&a);
    }
    arena_release(&a);
}

/* A limit that is lowered below what is held refuses growth and harms nothing; raised again, it
 * lets go on. */
TEST(limits, lowered_below_what_is_held)
{
    size_t lower;
    for (lower = 1; lower < 2000; lower += 59) {
        arena_t a;
        arena_options_t o;
        arena_stats_t before, after;
        const char *text[40];
        limits_list_slice_t s;
        int i, round;
        size_t calls;
        memset(&s, 0, sizeof s);
        limits_options(&o, t, 100, 0);
        CHECK_EQ(arena_init(&a, &o), ARENA_OK);
        for (i = 0; i < 40; i++) text[i] = arena_printf(&a, "text number %03d of all the texts", i);
        for (i = 0; i < 30; i++) NEED(limits_list_push(&a, &s, i));
        for (round = 0; round < 2; round++) {
            before = arena_stats(&a);
            NEED(before.allocated > 2000);
            calls = t->mem.allocs;
            arena_set_limit(&a, lower);
            for (i = 0; i < 50; i++) {
                CHECK(arena_reserve(&a, 101) == NULL);
                CHECK_EQ(arena_status(&a), ARENA_LIMIT);
            }
            after = arena_stats(&a);
            CHECK_EQ(after.size, before.size);
            CHECK_EQ(after.padding, before.padding);
            CHECK_EQ(after.stranded, before.stranded);
            CHECK_EQ(after.retained, before.retained);
            CHECK_EQ(after.allocated, before.allocated);
            /* What there is room for is stored all the same. */
            if (a.core.end - a.core.cur > 0) CHECK(arena_reserve(&a, 1) != NULL);
            CHECK_EQ(t->mem.allocs, calls);
            for (i = 0; i < 40; i++) CHECK_EQ(strtol(text[i] + 12, NULL, 10), i);
            for (i = 0; i < 30; i++) CHECK_EQ(s.data[i], i);
            CHECK(arena_is_valid(&a));
            arena_set_limit(&a, 0);
            arena_clear_status(&a);
            CHECK(arena_reserve(&a, 101) != NULL);
        }
        /* A reset keeps what is held; the next batch has that, and no more. */
        arena_set_limit(&a, lower);
        arena_reset(&a);
        calls = t->mem.allocs;
        i = 0;
        while (arena_reserve(&a, 100) != NULL && i < 1000) i++;
        CHECK_EQ(arena_status(&a), ARENA_LIMIT);
        if (ARENA_DEBUG < 3) CHECK(i > 10 && i < 1000); /* at 3 a reset gives every chunk back */
        if (ARENA_DEBUG < 3) CHECK_EQ(t->mem.allocs, calls);
        arena_reset(&a);
        arena_trim(&a, 0);
        arena_release(&a);
        CHECK_EQ(t->mem.live_bytes, 0);
        /* After the release the lower limit holds. */
        arena_clear_status(&a);
        CHECK_EQ(arena_reserve(&a, 100) != NULL, lower >= 101);
        arena_release(&a);
    }
}

/* A failing hook and a limit are two things: what the hook refuses costs nothing of the limit. */
TEST(limits, a_refusing_hook_takes_nothing_of_the_limit)
{
    arena_t a;
    arena_options_t o;
    int i;
    limits_options(&o, t, 100, 101);
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    t->mem.fail_from = 1;
    for (i = 0; i < 100; i++) {
        CHECK(arena_reserve(&a, 10) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    }
    t->mem.fail_from = 0;
    arena_clear_status(&a);
    CHECK_EQ(arena_stats(&a).allocated, 0);
    CHECK(arena_reserve(&a, 100) != NULL);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    arena_release(&a);
}

struct limits_report {
    int calls;
    arena_status_t status;
    size_t bytes;
    const arena_t *a;
    size_t size;
    arena_status_t seen;
};

static void limits_on_error(void *ctx, arena_status_t status, size_t bytes)
{
    struct limits_report *r = (struct limits_report *)ctx;
    r->calls++;
    r->status = status;
    r->bytes = bytes;
    r->seen = arena_status(r->a);
    r->size = arena_size(r->a);
}

/* on_error hears of each refusal, once, with the status set and the bytes asked for. */
TEST(limits, on_error_hears_of_every_refusal)
{
    arena_t a;
    arena_options_t o;
    struct limits_report r;
    memset(&r, 0, sizeof r);
    limits_options(&o, t, 100, 101);
    o.on_error = limits_on_error;
    o.on_error_ctx = &r;
    r.a = &a;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    CHECK(arena_reserve(&a, 60) != NULL);
    CHECK_EQ(r.calls, 0);
    CHECK(arena_reserve(&a, 77) == NULL);
    CHECK_EQ(r.calls, 1);
    CHECK_EQ(r.status, ARENA_LIMIT);
    CHECK_EQ(r.seen, ARENA_LIMIT);
    CHECK_EQ(r.bytes, 77);
    CHECK_EQ(r.size, 60);
    CHECK(arena_alloc(&a, 1234, 4) == NULL);
    CHECK_EQ(r.calls, 2);
    CHECK_EQ(r.bytes, 1234);
    CHECK(arena_alloc(&a, 8, 3) == NULL);
    CHECK_EQ(r.calls, 3);
    CHECK_EQ(r.status, ARENA_ARGUMENT);
    CHECK_EQ(r.seen, ARENA_LIMIT); /* the first since cleared is the one that is kept */
    arena_release(&a);
}

/* ---- buffers of the user --------------------------------------------------------------------- */

enum { ROOM = 600, EDGE = 80 };
static union {
    unsigned char c[EDGE + 64 + ROOM + EDGE];
    double d;
    void *p;
    long long l;
} limits_memory;

static unsigned char *limits_buffer(size_t misalign)
{
    /* The next address that is a multiple of 64, and then as far off it as the test wants. */
    unsigned char *p = limits_memory.c + EDGE;
    memset(&limits_memory, 0xE7, sizeof limits_memory);
    p += (64 - ((uintptr_t)p & 63)) & 63;
    return p + misalign;
}

static bool limits_edges_whole(const unsigned char *buffer, size_t bytes)
{
    const unsigned char *p;
    for (p = limits_memory.c; p < buffer; p++) {
        if (*p != 0xE7) return false;
    }
    for (p = buffer + bytes; p < limits_memory.c + sizeof limits_memory.c; p++) {
        if (*p != 0xE7) return false;
    }
    return true;
}

static void limits_fixed(arena_options_t *o, struct test *t, void *buffer, size_t bytes)
{
    memset(o, 0, sizeof *o);
    o->hooks = t->hooks;
    o->buffer = buffer;
    o->buffer_bytes = bytes;
    o->fixed = true;
}

TEST(limits, fixed_byte_arena_on_every_buffer)
{
    size_t misalign, bytes;
    for (misalign = 0; misalign < 17; misalign++) {
        for (bytes = 0; bytes + misalign <= ROOM; bytes++) {
            unsigned char *buffer = limits_buffer(misalign);
            arena_t a;
            arena_options_t o;
            size_t n, first = 0;
            int round;
            limits_fixed(&o, t, buffer, bytes);
            if (!CHECK_EQ(arena_init(&a, &o), ARENA_OK)) return;
            for (round = 0; round < 3; round++) {
                const char *p = NULL, *start = NULL;
                for (n = 0; n <= bytes; n++) {
                    p = arena_append(&a, "z", 1);
                    if (p == NULL) break;
                    if (n == 0) start = p;
                }
                CHECK(p == NULL);
                CHECK_EQ(arena_status(&a), ARENA_LIMIT);
                /* All of the buffer but the spare byte, less at most what aligns its beginning. */
                CHECK(n < bytes || bytes == 0);
                CHECK(n + 1 + 15 >= bytes);
                CHECK_EQ(arena_size(&a), n);
                if (n > 0) {
                    CHECK((const unsigned char *)start >= buffer &&
                          (const unsigned char *)start + n + 1 <= buffer + bytes);
                }
                if (round == 0) first = n;
                CHECK_EQ(n, first);
                if (bytes % 37 == 0) CHECK(arena_is_valid(&a));
                arena_reset(&a);
                CHECK_EQ(arena_status(&a), ARENA_OK);
                CHECK_EQ(arena_size(&a), 0);
                /* The whole room at once, as a string, and one more than it. */
                if (n > 0) {
                    char text[ROOM + 2];
                    memset(text, 'y', sizeof text);
                    CHECK(arena_intern_n(&a, text, n + 1) == NULL);
                    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
                    CHECK(arena_intern_n(&a, text, n) != NULL);
                    arena_reset(&a);
                }
            }
            arena_release(&a);
            CHECK(limits_edges_whole(buffer, bytes));
        }
    }
    CHECK_EQ(t->mem.allocs, 0);
    CHECK_EQ(t->mem.frees, 0);
}

TEST(limits, fixed_typed_arena_on_every_buffer)
{
    size_t misalign, bytes;
    for (misalign = 0; misalign < 9; misalign++) {
        for (bytes = 0; bytes + misalign <= ROOM; bytes += bytes < 64 ? 1 : 3) {
            unsigned char *buffer = limits_buffer(misalign);
            limits_ints_t a;
            arena_options_t o;
            const size_t align = limits_ints_align_;   /* 2 on some 32-bit processors */
            size_t n, i, lost = (0 - misalign) & (align - 1),
                         want = bytes >= lost ? (bytes - lost) / 4 : 0;
            int round;
            limits_fixed(&o, t, buffer, bytes);
            if (!CHECK_EQ(limits_ints_init(&a, &o), ARENA_OK)) return;
            for (round = 0; round < 2; round++) {
                const int *first = NULL, *p = NULL;
                for (n = 0; n <= ROOM; n++) {
                    int v = (int)n;
                    p = limits_ints_append(&a, &v, 1);
                    if (p == NULL) break;
                    CHECK(((uintptr_t)p & (align - 1)) == 0);
                    if (n == 0) first = p;
                }
                CHECK(p == NULL);
                CHECK_EQ(limits_ints_status(&a), ARENA_LIMIT);
                CHECK_EQ(n, want);
                for (i = 0; i < n; i++) CHECK_EQ(first[i], i);
                CHECK(limits_ints_is_valid(&a));
                limits_ints_reset(&a);
            }
            limits_ints_release(&a);
            CHECK(limits_edges_whole(buffer, bytes));
        }
    }
    CHECK_EQ(t->mem.allocs, 0);
    CHECK_EQ(t->mem.frees, 0);
}

/* A buffer longer than Refs reach, which is only said to be: nothing is written beyond its first
 * elements. The short way ends where Refs end. */
TEST(limits, fixed_buffer_longer_than_refs_reach)
{
#if SIZE_MAX > UINT32_MAX && !defined ARENA_POOL_WATCHED_ && !defined ARENA_TYSAN_ && \
    ARENA_DEBUG == 0
    static int few[4];
    const size_t most = UINT32_MAX;
    const int one = 1;
    arena_options_t o;
    limits_ints_t a;
    limits_ints_ref_t r;
    memset(&o, 0, sizeof o);
    o.buffer = few;
    o.buffer_bytes = (most + 10) * sizeof one;
    o.fixed = true;
    CHECK_EQ(limits_ints_init(&a, &o), ARENA_OK);
    CHECK(limits_ints_append(&a, &one, 1) == few);
    CHECK_EQ((size_t)(a.core.end - a.core.base), most * sizeof one);
    CHECK(limits_ints_reserve_ref(&a, most - 1, &r) == few + 1);
    CHECK_EQ(limits_ints_value(&a, r).len, most - 1);
    CHECK(limits_ints_is_valid(&a));
    CHECK(limits_ints_reserve_ref(&a, 1, &r) == NULL);
    CHECK_EQ(limits_ints_status(&a), ARENA_LIMIT); /* There is no other chunk for it. */
    CHECK(limits_ints_reserve(&a, 10) != NULL);
    CHECK(limits_ints_reserve(&a, 1) == NULL);
    CHECK_EQ(limits_ints_size(&a), (most + 10) * sizeof one);
    CHECK(limits_ints_is_valid(&a));
    limits_ints_release(&a);
#else
    SKIP("needs a size_t of more than 32 bits and memory that nobody writes to");
#endif
}

#ifdef __GNUC__
struct limits_line {
    char c;
} __attribute__((aligned(64)));
ARENA_DEFINE(limits_lines, struct limits_line);

/* Over-aligned elements: the buffer's beginning is brought to the alignment, at the cost of what
 * lies before it. */
TEST(limits, fixed_arena_of_over_aligned_elements)
{
    size_t misalign, bytes;
    for (misalign = 0; misalign < 64; misalign++) {
        for (bytes = 0; bytes + misalign <= ROOM; bytes += 1 + bytes / 8) {
            unsigned char *buffer = limits_buffer(misalign);
            limits_lines_t a;
            arena_options_t o;
            size_t n, lost = (64 - misalign) & 63, want = bytes >= lost ? (bytes - lost) / 64 : 0;
            limits_fixed(&o, t, buffer, bytes);
            if (!CHECK_EQ(limits_lines_init(&a, &o), ARENA_OK)) return;
            for (n = 0; n <= ROOM; n++) {
                struct limits_line *p = limits_lines_reserve(&a, 1);
                if (p == NULL) break;
                CHECK(((uintptr_t)p & 63) == 0);
                memset(p, 1, sizeof *p);
            }
            CHECK_EQ(n, want);
            CHECK(limits_lines_is_valid(&a));
            limits_lines_release(&a);
            CHECK(limits_edges_whole(buffer, bytes));
        }
    }
    CHECK_EQ(t->mem.allocs, 0);
}
#else
TEST(limits, fixed_arena_of_over_aligned_elements) { SKIP("no aligned attribute"); }
#endif

/* Everything that the byte arena can do, on a fixed buffer: no call of the hooks by any of it. */
TEST(limits, fixed_arena_does_everything_without_a_call)
{
    size_t bytes;
    for (bytes = 0; bytes <= ROOM; bytes += 7) {
        unsigned char *buffer = limits_buffer(bytes % 16);
        arena_t a;
        arena_options_t o;
        int round;
        if (bytes + 16 > ROOM) break;
        limits_fixed(&o, t, buffer, bytes);
        if (!CHECK_EQ(arena_init(&a, &o), ARENA_OK)) return;
        for (round = 0; round < 5; round++) {
            arena_mark_t m = arena_mark(&a);
            limits_list_slice_t s;
            arena_ref_t r = arena_strref(&a, "a referenced text");
            const char *parts[2] = {"left", "right"};
            int i;
            memset(&s, 0, sizeof s);
            for (i = 0; i < 20; i++) {
                if (!limits_list_push(&a, &s, i)) break;
            }
            CHECK_EQ(s.len, i);
            arena_printf(&a, "%d and more", round);
            arena_strjoin(&a, "/", parts, 2);
            arena_alloc(&a, 16, 64);
            ARENA_NEW(&a, double);
            arena_reserve(&a, 1000);
            CHECK_EQ(arena_status(&a), ARENA_LIMIT);
            CHECK_STR(arena_str(&a, r), arena_ref_empty(r) ? "" : "a referenced text");
            while (i-- > 0) CHECK_EQ(s.data[i], i);
            CHECK(arena_is_valid(&a));
            CHECK_EQ(arena_stats(&a).allocated, 0);
            if (round % 2)
                CHECK(arena_rewind(&a, m));
            else
                arena_reset(&a);
            arena_trim(&a, 0);
            arena_clear_status(&a);
        }
        arena_release(&a);
        CHECK(arena_append(&a, "x", 1) != NULL || bytes < 32);
        arena_release(&a);
        CHECK(limits_edges_whole(buffer, bytes));
    }
    CHECK_EQ(t->mem.allocs, 0);
    CHECK_EQ(t->mem.frees, 0);
}

/* What is no size is told from what the buffer does not hold. */
TEST(limits, fixed_arena_tells_what_is_no_size)
{
    const size_t most = PTRDIFF_MAX - 1; /* The last one, with the spare byte. */
    size_t over;
    for (over = 0; over < 2; over++) {
        const arena_status_t expected = over ? ARENA_TOO_LARGE : ARENA_LIMIT;
        unsigned char *buffer = limits_buffer(0);
        const volatile size_t bytes = most + over;
        arena_slice_t s = {NULL, 0, 0};
        arena_options_t o;
        arena_t a;
        int which;
        limits_fixed(&o, t, buffer, 200);
        if (!CHECK_EQ(arena_init(&a, &o), ARENA_OK)) return;
        for (which = 0; which < 10; which++) {
            const char *volatile source = "x";
            void *p = NULL;
            if (which == 0) p = arena_reserve(&a, bytes);
            if (which == 1) p = arena_alloc(&a, bytes, 1);
            if (which == 2) p = arena_realloc(&a, NULL, 0, bytes, 1);
            if (which == 3) p = (void *)(uintptr_t)arena_append(&a, source, bytes);
            if (which == 4) p = (void *)(uintptr_t)arena_intern_n(&a, source, bytes);
            if (which == 5 && arena_extend(&a, &s, source, bytes)) p = s.data;
            if (which == 6) { /* The sum of a length and what is added. */
                s.data = (char *)(uintptr_t)source;
                s.len = s.cap = 2;
                if (arena_extend(&a, &s, source, bytes - 2)) p = s.data;
            }
            if (which == 7) p = arena_alloc(&a, 1, ((size_t)PTRDIFF_MAX / 4 + 1) << over);
            if (which == 8) p = arena_realloc(&a, NULL, 0, 1, ((size_t)PTRDIFF_MAX / 4 + 1) << over);
            if (which == 9) { /* 500 bytes of text and its NUL. */
                s.len = s.cap = bytes - 501;
                if (arena_extendf(&a, &s, "%0*d", 500, 1)) p = s.data;
            }
            CHECK(p == NULL);
            CHECK_EQ(arena_status(&a), expected);
            arena_clear_status(&a);
        }
        CHECK_EQ(arena_size(&a), 0);
        arena_release(&a);
    }
}

/* A buffer that is not the only source: it is filled first, then the hooks are asked, and only
 * theirs is given back. */
TEST(limits, a_buffer_first_and_the_hooks_after_it)
{
    size_t bytes;
    for (bytes = 0; bytes <= 256; bytes += 8) {
        unsigned char *buffer = limits_buffer(0);
        arena_t a;
        arena_options_t o;
        int round;
        limits_fixed(&o, t, buffer, bytes);
        o.fixed = false;
        o.chunk_bytes = 128;
        if (!CHECK_EQ(arena_init(&a, &o), ARENA_OK)) return;
        for (round = 0; round < 3; round++) {
            int i;
            const char *p = NULL;
            size_t n = 0;
            if (round == 0) {
                while (t->mem.live_blocks == 0 && n <= bytes) {
                    p = arena_append(&a, "b", 1);
                    NEED(p != NULL);
                    if (t->mem.live_blocks == 0) n++;
                }
                CHECK(n + 1 + 15 >= bytes);
            }
            for (i = 0; i < 1000; i++) {
                p = arena_append(&a, "0123456", 7);
                NEED(p != NULL);
            }
            CHECK(arena_is_valid(&a));
            CHECK_EQ(arena_stats(&a).allocated, t->mem.live_bytes);
            if (round == 1) {
                arena_release(&a);
                CHECK_EQ(t->mem.live_blocks, 0);
            } else {
                arena_reset(&a);
            }
        }
        arena_release(&a);
        CHECK(limits_edges_whole(buffer, bytes));
    }
}

/* A user's buffer costs nothing of the limit, since it is not the hooks'. */
TEST(limits, a_buffer_is_outside_the_limit)
{
    unsigned char *buffer = limits_buffer(0);
    arena_t a;
    arena_options_t o;
    size_t calls;
    limits_fixed(&o, t, buffer, 512);
    o.fixed = false;
    o.chunk_bytes = 100;
    o.limit_bytes = 101 + limits_table(t);
    calls = t->mem.allocs;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    CHECK(arena_reserve(&a, 511) != NULL);
    CHECK_EQ(t->mem.allocs, calls);
    CHECK(arena_reserve(&a, 100) != NULL);
    CHECK(arena_reserve(&a, 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK_EQ(t->mem.live_bytes, o.limit_bytes);
    arena_release(&a);
}
