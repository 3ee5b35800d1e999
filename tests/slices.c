/*
 * slices.c - growing slices: of a typed arena, of bytes, and of any type inside the byte arena.
 *
 * The sentences that this family proves:
 *  - A million pushes onto one slice, with nothing else stored and a chunk that is large enough,
 *    end in place: nothing is copied.
 *  - A thousand slices that grow in turn to a thousand elements use at most 2.2 times their final
 *    bytes, one after another 1.6.
 *  - Growth is in place when the slice is at the tip; else it moves, and what it held moves with
 *    it.
 *  - Appending a slice, or a piece of it, to itself is right in place, moved, and across a new
 *    chunk.
 *  - Failure leaves the slice as it was, and the arena too.
 *  - samples_slice gives zeroed elements; a length above the capacity makes the capacity.
 *  - Capacity counts in size; samples_shrink takes it out again and gives the slack at the tip
 *    back.
 *  - A slice begun before a mark and grown after it comes back whole by a rewind: its old storage
 *    is not reused until then.
 *  - Storage that is not the arena's (a stack buffer, another arena) is never reused, and never
 *    written beyond the slice's capacity.
 *  - Outgrown storage is reused inside the batch, and never handed out twice.
 *
 * With TEST_FIGURES in the environment the measured factors are printed.
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

struct slices_rgb {
    unsigned char c[3];
};
struct slices_item {
    const char *name;
    double value;
    int kind;
};

ARENA_DEFINE(numbers, int);
ARENA_DEFINE(items, struct slices_item);
ARENA_DEFINE(words, char *);

ARENA_SLICE_DEFINE(ints, int);
ARENA_SLICE_DEFINE(bytes, unsigned char);
ARENA_SLICE_DEFINE(rgbs, struct slices_rgb);
ARENA_SLICE_DEFINE(longs, uint64_t);
ARENA_SLICE_DEFINE(rows, struct slices_item);
ARENA_SLICE_DEFINE(names, const char *);

static void slices_options(arena_options_t *o, struct test *t, size_t chunk_bytes)
{
    memset(o, 0, sizeof *o);
    o->chunk_bytes = chunk_bytes;
    o->hooks = t->hooks;
}

static void slices_open(arena_t *a, struct test *t, size_t chunk_bytes)
{
    arena_options_t o;
    slices_options(&o, t, chunk_bytes);
    CHECK_EQ(arena_init(a, &o), ARENA_OK);
}

static void slices_close(struct test *t, arena_t *a)
{
    CHECK(arena_is_valid(a));
    arena_release(a);
}

/* ---- in place -------------------------------------------------------------------------------- */

TEST(slices, million_pushes_end_in_place)
{
    enum { N = 1000000 };
    arena_t a;
    ints_slice_t s;
    int i;
    const int *first;
    memset(&s, 0, sizeof s);
    slices_open(&a, t, (size_t)N * sizeof(int));
    NEED(ints_push(&a, &s, 0));
    first = s.data;
    for (i = 1; i < N; i++) {
        if (!ints_push(&a, &s, i) || s.data != first) break;
    }
    CHECK_EQ(i, N);
    NEED(s.data == first);
    CHECK_EQ(s.len, N);
    for (i = 0; i < N && s.data[i] == i; i++) {}
    CHECK_EQ(i, N);
    /* One chunk, asked for once: there was no place to copy to. */
    CHECK_EQ(t->mem.allocs, 1);
    CHECK_EQ(arena_chunk_count(&a), 1);
    CHECK(arena_size(&a) <= (size_t)N * sizeof(int));
    slices_close(t, &a);
}

TEST(slices, million_pushes_of_a_typed_arena_end_in_place)
{
    enum { N = 1000000 };
    numbers_t a;
    numbers_slice_t s;
    arena_options_t o;
    int i;
    const int *first;
    memset(&s, 0, sizeof s);
    slices_options(&o, t, (size_t)N * sizeof(int));
    CHECK_EQ(numbers_init(&a, &o), ARENA_OK);
    NEED(numbers_push(&a, &s, 0));
    first = s.data;
    for (i = 1; i < N; i++) {
        if (!numbers_push(&a, &s, i) || s.data != first) break;
    }
    CHECK_EQ(i, N);
    CHECK_EQ(s.len, N);
    for (i = 0; i < N && s.data[i] == i; i++) {}
    CHECK_EQ(i, N);
    CHECK_EQ(t->mem.allocs, 1);
    CHECK(numbers_is_valid(&a));
    numbers_release(&a);
}

TEST(slices, million_pushes_of_bytes_end_in_place)
{
    enum { N = 1000000 };
    arena_t a;
    arena_slice_t s;
    int i;
    const char *first;
    memset(&s, 0, sizeof s);
    slices_open(&a, t, N);
    NEED(arena_push(&a, &s, 'a'));
    first = s.data;
    for (i = 1; i < N; i++) {
        if (!arena_push(&a, &s, (char)('a' + i % 26)) || s.data != first) break;
    }
    CHECK_EQ(i, N);
    for (i = 0; i < N && s.data[i] == (char)('a' + i % 26); i++) {}
    CHECK_EQ(i, N);
    CHECK_EQ(t->mem.allocs, 1);
    slices_close(t, &a);
}

/* A slice at the tip fills its chunk to the last element before it moves, wherever it begins. */
TEST(slices, fills_the_chunk_to_its_last_element)
{
    size_t head;
    for (head = 0; head < 70; head++) {
        arena_t a;
        arena_slice_t s;
        size_t i;
        const char *first;
        memset(&s, 0, sizeof s);
        slices_open(&a, t, 1000);
        if (head > 0) NEED(arena_reserve(&a, head) != NULL);
        NEED(arena_push(&a, &s, 'x'));
        first = s.data;
        for (i = 1; i < 1000 - head; i++) NEED(arena_push(&a, &s, 'x'));
        CHECK(s.data == first);
        CHECK_EQ(arena_chunk_count(&a), 1);
        CHECK_EQ(t->mem.allocs - t->mem.frees, 1);
        NEED(arena_push(&a, &s, 'y'));
        CHECK(s.data != first);
        CHECK_EQ(s.len, 1000 - head + 1);
        CHECK(s.data[0] == 'x' && memcmp(s.data, s.data + 1, s.len - 2) == 0 &&
              s.data[s.len - 1] == 'y');
        slices_close(t, &a);
    }
}

/* ---- waste ----------------------------------------------------------------------------------- */

/* An element of which every byte depends on slice and index. */
static uint64_t slices_value(size_t k, size_t i)
{
    return (uint64_t)k * 1000003u + (uint64_t)i * 7919u + 1;
}

/* From debug level 2 on every cold call walks all chunks and blocks, so there is a tenth of the
 * slices then. */
enum { MANY = ARENA_DEBUG < 2 ? 1000 : 100 };

/*
 * Grows n slices to len elements, in turn or one after another, and gives the bytes used and held
 * over the final bytes. `between` > 0 stores a value of that many bytes after each push that moved
 * or grew nothing, so that no slice stays at the tip.
 */
static bool slices_waste(struct test *t, size_t chunk_bytes, size_t n, size_t len, bool in_turn,
                         size_t between, double *used, double *retained)
{
    arena_t a;
    arena_stats_t st;
    longs_slice_t *s = (longs_slice_t *)calloc(n, sizeof *s);
    size_t i, k, j, stored = 0;
    double final = (double)n * (double)len * sizeof(uint64_t);
    bool good = true;
    if (s == NULL) return false;
    slices_open(&a, t, chunk_bytes);
    for (j = 0; j < n * len && good; j++) {
        k = in_turn ? j % n : j / len;
        i = in_turn ? j / n : j % len;
        good = longs_push(&a, &s[k], slices_value(k, i));
        if (between > 0 && good) {
            good = arena_reserve(&a, between) != NULL;
            stored += between;
        }
    }
    for (k = 0; k < n && good; k++) {
        good = s[k].len == len;
        for (i = 0; i < len && good; i++) good = s[k].data[i] == slices_value(k, i);
    }
    st = arena_stats(&a);
    *used = ((double)st.used - (double)stored) / final;
    *retained = ((double)st.retained - (double)stored) / final;
    good = good && arena_is_valid(&a);
    CHECK(good);
    arena_release(&a);
    free(s);
    return good;
}

TEST(slices, thousand_in_turn_use_at_most_2_2_times)
{
    static const size_t chunks[] = {0, 1 << 20, 32768, 16384};
    size_t c;
    for (c = 0; c < 4; c++) {
        double used = 99, retained = 99;
        NEED(slices_waste(t, chunks[c], MANY, 1000, true, 0, &used, &retained));
        if (getenv("TEST_FIGURES") != NULL)
            printf("slices in turn, chunk %lu: used %.3f, held %.3f times the final bytes\n",
                   (unsigned long)chunks[c], used, retained);
        CHECK(used <= 2.2);
        CHECK(MANY < 1000 || retained <= 2.2);
    }
}

TEST(slices, thousand_one_after_another_use_at_most_1_6_times)
{
    static const size_t chunks[] = {0, 1 << 20, 32768, 16384};
    static const size_t between[] = {0, 1, 8};
    size_t c, b;
    for (c = 0; c < 4; c++) {
        for (b = 0; b < 3; b++) {
            double used = 99, retained = 99;
            NEED(slices_waste(t, chunks[c], MANY, 1000, false, between[b], &used, &retained));
            if (getenv("TEST_FIGURES") != NULL)
                printf("slices one after another, chunk %lu, %lu bytes between: used %.3f, held "
                       "%.3f\n",
                       (unsigned long)chunks[c], (unsigned long)between[b], used, retained);
            CHECK(used <= 1.6);
            CHECK(MANY < 1000 || retained <= 1.6);
        }
    }
}

/* Storage that two slices leave side by side serves a third one that needs as much as both; not
 * where it lies apart. */
TEST(slices, storage_left_side_by_side_is_one_block)
{
    int apart;
    for (apart = 0; apart < 2; apart++) {
        arena_t a;
        arena_options_t o;
        ints_slice_t s[4];
        const int *first;
        int i, k;
        memset(&o, 0, sizeof o);
        memset(s, 0, sizeof s);
        o.hooks = t->hooks;
        CHECK_EQ(arena_init(&a, &o), ARENA_OK);
        for (k = 0; k < 4; k++) {
            for (i = 0; i < 8; i++) CHECK(ints_push(&a, &s[k], 10 * k + i));
            CHECK_EQ(s[k].cap, 8);
            if (apart) CHECK(arena_alloc(&a, 4, 4) != NULL);
        }
        first = s[0].data;
        for (k = 0; k < 3; k++) CHECK(ints_push(&a, &s[k], 99));
        CHECK_EQ(s[2].data == first, !apart);
        CHECK(arena_is_valid(&a));
        for (k = 0; k < 4; k++)
            for (i = 0; i < 8; i++) CHECK_EQ(s[k].data[i], 10 * k + i);
        arena_release(&a);
    }
}

/* Other lengths, those just above a power of two among them, stay within a constant factor. */
TEST(slices, waste_is_bounded_for_every_length)
{
    static const size_t lens[] = {1, 2, 3, 5, 9, 17, 33, 65, 100, 129, 257, 513, 700, 1025, 2000};
    size_t l;
    for (l = 0; l < sizeof lens / sizeof lens[0]; l++) {
        int turn;
        for (turn = 0; turn < 2; turn++) {
            double used = 99, retained = 99;
            size_t n = 400000 / lens[l] < 4 * MANY ? 400000 / lens[l] : 4 * MANY;
            if (MANY < 1000 && n > 20000 / lens[l]) n = 20000 / lens[l];
            NEED(slices_waste(t, 0, n, lens[l], turn == 1, 0, &used, &retained));
            /* A capacity is less than twice the length (4 at least), and what was outgrown is less
             * than the capacity. */
            CHECK(used <= (lens[l] < 4 ? 8.0 / (double)lens[l] : 4.0));
        }
    }
}

/* ---- contents -------------------------------------------------------------------------------- */

TEST(slices, push_and_extend_keep_every_element)
{
    numbers_t a;
    numbers_slice_t s, e;
    arena_options_t o;
    int i, k;
    int piece[100];
    slices_options(&o, t, 256);
    CHECK_EQ(numbers_init(&a, &o), ARENA_OK);
    memset(&s, 0, sizeof s);
    memset(&e, 0, sizeof e);
    for (i = 0; i < 3000; i++) {
        NEED(numbers_push(&a, &s, i));
        CHECK(s.len <= s.cap);
        if (i % 100 == 99) {
            for (k = 0; k < 100; k++) piece[k] = i - 99 + k;
            NEED(numbers_extend(&a, &e, piece, 100));
            CHECK(numbers_append(&a, piece, 3) != NULL);
        }
    }
    CHECK_EQ(s.len, 3000);
    CHECK_EQ(e.len, 3000);
    for (i = 0; i < 3000; i++) {
        if (s.data[i] != i || e.data[i] != i) break;
    }
    CHECK_EQ(i, 3000);
    CHECK(numbers_is_valid(&a));
    numbers_release(&a);
}

TEST(slices, of_every_kind_of_element)
{
    arena_t a;
    bytes_slice_t b;
    rgbs_slice_t r;
    longs_slice_t l;
    rows_slice_t w;
    names_slice_t n;
    items_t ia;
    items_slice_t is;
    words_t wa;
    words_slice_t ws;
    arena_options_t o;
    size_t i;
    static char text[2000];
    memset(&b, 0, sizeof b);
    memset(&r, 0, sizeof r);
    memset(&l, 0, sizeof l);
    memset(&w, 0, sizeof w);
    memset(&n, 0, sizeof n);
    memset(&is, 0, sizeof is);
    memset(&ws, 0, sizeof ws);
    slices_open(&a, t, 1500);
    slices_options(&o, t, 1500);
    CHECK_EQ(items_init(&ia, &o), ARENA_OK);
    CHECK_EQ(words_init(&wa, &o), ARENA_OK);
    for (i = 0; i < 2000; i++) {
        struct slices_rgb rgb;
        struct slices_item item;
        rgb.c[0] = (unsigned char)i;
        rgb.c[1] = (unsigned char)(i >> 8);
        rgb.c[2] = (unsigned char)(i * 7);
        item.name = text + i;
        item.value = (double)i / 2;
        item.kind = (int)i;
        NEED(bytes_push(&a, &b, (unsigned char)i));
        NEED(rgbs_push(&a, &r, rgb));
        NEED(longs_push(&a, &l, slices_value(3, i)));
        NEED(rows_push(&a, &w, item));
        NEED(names_push(&a, &n, text + i));
        NEED(items_push(&ia, &is, item));
        NEED(words_push(&wa, &ws, text + i));
        CHECK(((uintptr_t)l.data & (sizeof(void *) < 8 ? 1 : 7)) == 0);
        CHECK(((uintptr_t)n.data & (sizeof(void *) < 8 ? 1 : 7)) == 0);
    }
    for (i = 0; i < 2000; i++) {
        CHECK(b.data[i] == (unsigned char)i);
        CHECK(r.data[i].c[0] == (unsigned char)i && r.data[i].c[1] == (unsigned char)(i >> 8) &&
              r.data[i].c[2] == (unsigned char)(i * 7));
        CHECK(l.data[i] == slices_value(3, i));
        CHECK(w.data[i].name == text + i && w.data[i].kind == (int)i);
        CHECK(n.data[i] == text + i);
        CHECK(is.data[i].name == text + i && is.data[i].kind == (int)i);
        CHECK(ws.data[i] == text + i);
    }
    CHECK(items_is_valid(&ia) && words_is_valid(&wa));
    items_release(&ia);
    words_release(&wa);
    slices_close(t, &a);
}

#ifdef __GNUC__
struct slices_line {
    int v;
} __attribute__((aligned(64)));
ARENA_SLICE_DEFINE(lines, struct slices_line);
ARENA_DEFINE(linear, struct slices_line);

TEST(slices, of_over_aligned_elements)
{
    arena_t a;
    linear_t la;
    arena_options_t o;
    lines_slice_t s;
    linear_slice_t ls;
    int i;
    memset(&s, 0, sizeof s);
    memset(&ls, 0, sizeof ls);
    slices_open(&a, t, 3000);
    slices_options(&o, t, 3000);
    CHECK_EQ(linear_init(&la, &o), ARENA_OK);
    for (i = 0; i < 200; i++) {
        struct slices_line v;
        memset(&v, 0, sizeof v);
        v.v = i;
        CHECK(arena_reserve(&a, 1) != NULL);
        NEED(lines_push(&a, &s, v));
        NEED(linear_push(&la, &ls, v));
        CHECK(((uintptr_t)s.data & 63) == 0 && ((uintptr_t)ls.data & 63) == 0);
    }
    for (i = 0; i < 200; i++) CHECK(s.data[i].v == i && ls.data[i].v == i);
    CHECK(linear_is_valid(&la));
    linear_release(&la);
    slices_close(t, &a);
}
#else
TEST(slices, of_over_aligned_elements) { SKIP("no aligned attribute"); }
#endif

/* ---- a slice appended to itself -------------------------------------------------------------- */

/* Builds a slice of len letters with the capacity and the place that the case wants, and appends a
 * piece of it to itself. */
static void slices_self(struct test *t, size_t chunk_bytes, size_t len, size_t from, size_t count,
                        int place)
{
    arena_t a;
    arena_slice_t s;
    size_t i;
    memset(&s, 0, sizeof s);
    slices_open(&a, t, chunk_bytes);
    for (i = 0; i < len; i++) NEED(arena_push(&a, &s, (char)('A' + i % 26)));
    if (place == 1) NEED(arena_reserve(&a, 1) != NULL); /* no longer at the tip */
    if (place == 2) {                                   /* at the tip, and the chunk nearly full */
        arena_slice_t f;
        size_t room = chunk_bytes > s.len + 2 ? chunk_bytes - s.len - 2 : 0;
        memset(&f, 0, sizeof f);
        arena_reset(&a);
        if (room > 0) NEED(arena_reserve(&a, room) != NULL);
        memset(&s, 0, sizeof s);
        for (i = 0; i < len; i++) NEED(arena_push(&a, &s, (char)('A' + i % 26)));
        (void)f;
    }
    NEED(arena_extend(&a, &s, s.data + from, count));
    CHECK_EQ(s.len, len + count);
    for (i = 0; i < len; i++) {
        if (s.data[i] != (char)('A' + i % 26)) break;
    }
    CHECK_EQ(i, len);
    for (i = 0; i < count; i++) {
        if (s.data[len + i] != (char)('A' + (from + i) % 26)) break;
    }
    CHECK_EQ(i, count);
    slices_close(t, &a);
}

TEST(slices, appended_to_themselves)
{
    static const size_t lens[] = {1,  2,  3,  4,  7,  8,   15,  16,  17, 31,
                                  32, 33, 63, 64, 65, 100, 127, 128, 500};
    static const size_t chunks[] = {65536, 520, 130, 40, 16, 1};
    size_t c, l;
    int place;
    for (c = 0; c < sizeof chunks / sizeof chunks[0]; c++) {
        for (l = 0; l < sizeof lens / sizeof lens[0]; l++) {
            for (place = 0; place < 3; place++) {
                size_t n = lens[l];
                slices_self(t, chunks[c], n, 0, n, place);
                slices_self(t, chunks[c], n, n / 2, n - n / 2, place);
                slices_self(t, chunks[c], n, 0, n / 2, place);
                slices_self(t, chunks[c], n, n - 1, 1, place);
            }
        }
    }
}

/* Doubling by self-append thirteen times, with other stores between, in small chunks: each time the
 * slice moves. */
TEST(slices, appended_to_themselves_again_and_again)
{
    static const size_t chunks[] = {100000, 4000, 100};
    size_t c;
    for (c = 0; c < 3; c++) {
        numbers_t a;
        numbers_slice_t s;
        arena_options_t o;
        size_t i, n;
        int k;
        memset(&s, 0, sizeof s);
        slices_options(&o, t, chunks[c]);
        CHECK_EQ(numbers_init(&a, &o), ARENA_OK);
        NEED(numbers_push(&a, &s, 42));
        NEED(numbers_push(&a, &s, 43));
        NEED(numbers_push(&a, &s, 44));
        for (k = 0; k < 13; k++) {
            if (k % 2 == 0) CHECK(numbers_reserve(&a, 1) != NULL);
            NEED(numbers_extend(&a, &s, s.data, s.len));
        }
        n = (size_t)3 << 13;
        CHECK_EQ(s.len, n);
        for (i = 0; i < n && s.data[i] == 42 + (int)(i % 3); i++) {}
        CHECK_EQ(i, n);
        /* A single element of the slice itself, by value, where the push moves the slice. */
        for (i = 0; i < 5000; i++) NEED(numbers_push(&a, &s, s.data[i]));
        for (i = 0; i < 5000 && s.data[n + i] == s.data[i]; i++) {}
        CHECK_EQ(i, 5000);
        CHECK(numbers_is_valid(&a));
        numbers_release(&a);
    }
}

/* ---- slice() and shrink() -------------------------------------------------------------------- */

TEST(slices, made_with_length_and_capacity)
{
    arena_t a;
    int round;
    slices_open(&a, t, 2000);
    for (round = 0; round < 3; round++) {
        size_t len, cap, i;
        for (len = 0; len < 60; len += 7) {
            for (cap = 0; cap < 60; cap += 9) {
                size_t before = arena_size(&a);
                ints_slice_t s = ints_slice(&a, len, cap);
                size_t want = len > cap ? len : cap;
                CHECK_EQ(s.len, len);
                CHECK_EQ(s.cap, want);
                CHECK_EQ(arena_size(&a), before + want * sizeof(int));
                if (want == 0)
                    CHECK(s.data == NULL);
                else
                    NEED(s.data != NULL);
                for (i = 0; i < len; i++) CHECK_EQ(s.data[i], 0);
                if (want > 0) memset(s.data, 0xff, want * sizeof(int));
                /* Room up to the capacity is used without growth. */
                if (want > len) {
                    int *data = s.data;
                    NEED(ints_push(&a, &s, 7));
                    CHECK(s.data == data && s.len == len + 1 && s.cap == want);
                }
            }
        }
        CHECK_EQ(arena_status(&a), ARENA_OK);
        arena_reset(&a);
    }
    slices_close(t, &a);
}

TEST(slices, made_of_a_typed_arena_and_of_bytes)
{
    numbers_t a;
    arena_t b;
    arena_options_t o;
    numbers_slice_t s;
    arena_slice_t c;
    slices_options(&o, t, 0);
    CHECK_EQ(numbers_init(&a, &o), ARENA_OK);
    slices_open(&b, t, 0);
    s = numbers_slice(&a, 3, 10);
    NEED(s.data != NULL);
    CHECK(s.len == 3 && s.cap == 10 && s.data[0] == 0 && s.data[1] == 0 && s.data[2] == 0);
    CHECK_EQ(numbers_size(&a), 10 * sizeof(int));
    s = numbers_slice(&a, 5, 2);
    CHECK(s.len == 5 && s.cap == 5);
    c = arena_slice(&b, 9, 0);
    NEED(c.data != NULL);
    CHECK(c.len == 9 && c.cap == 9);
    CHECK_MEM(c.data, "\0\0\0\0\0\0\0\0", 9);
    numbers_release(&a);
    slices_close(t, &b);
}

struct slices_5 { char c[5]; };
struct slices_15 { char c[15]; };
struct slices_16 { char c[16]; };
struct slices_17 { char c[17]; };
struct slices_64 { char c[64]; };
struct slices_65 { char c[65]; };
ARENA_SLICE_DEFINE(of_5, struct slices_5);
ARENA_SLICE_DEFINE(of_15, struct slices_15);
ARENA_SLICE_DEFINE(of_16, struct slices_16);
ARENA_SLICE_DEFINE(of_17, struct slices_17);
ARENA_SLICE_DEFINE(of_64, struct slices_64);
ARENA_SLICE_DEFINE(of_65, struct slices_65);

/* The capacity of a full slice of cap elements after one more, where it has to move. */
#define GROWN(name, elem_t, made, grown)                                                           \
    do {                                                                                           \
        const size_t cap = (made);                                                                 \
        elem_t one;                                                                                \
        name##_slice_t s;                                                                          \
        memset(&s, 0, sizeof s);                                                                   \
        memset(&one, 1, sizeof one);                                                               \
        if (cap > 0) s = name##_slice(&a, cap, cap);                                               \
        CHECK(arena_append(&a, "-", 1) != NULL);                                                   \
        CHECK(name##_push(&a, &s, one));                                                           \
        CHECK_EQ(s.cap, grown);                                                                    \
    } while (0)

TEST(slices, grow_to_twice_or_16_bytes_less)
{
    static const size_t bytes[][2] = {{0, 32},     {32, 64},      {511, 1022},  {512, 1008},
                                      {513, 1010}, {1008, 2000},  {1023, 2030}, {1024, 2048},
                                      {1025, 2050}, {2000, 4000}, {16, 32},     {17, 34}};
    arena_t a;
    size_t i;
    slices_open(&a, t, 0);
    for (i = 0; i < sizeof bytes / sizeof bytes[0]; i++)
        GROWN(arena, char, bytes[i][0], bytes[i][1]);
    GROWN(of_5, struct slices_5, 0, 6);
    GROWN(of_5, struct slices_5, 102, 201);
    GROWN(of_5, struct slices_5, 103, 203);
    GROWN(of_15, struct slices_15, 0, 2);
    GROWN(of_15, struct slices_15, 34, 67);
    GROWN(of_16, struct slices_16, 0, 2);
    GROWN(of_16, struct slices_16, 31, 62);
    GROWN(of_16, struct slices_16, 32, 63);
    GROWN(of_16, struct slices_16, 63, 125);
    GROWN(of_16, struct slices_16, 64, 128);
    GROWN(of_17, struct slices_17, 0, 1);
    GROWN(of_17, struct slices_17, 30, 59);
    GROWN(of_64, struct slices_64, 0, 1);
    GROWN(of_64, struct slices_64, 8, 15);
    GROWN(of_64, struct slices_64, 15, 29);
    GROWN(of_64, struct slices_64, 16, 32);
    GROWN(of_65, struct slices_65, 8, 16);
    GROWN(of_65, struct slices_65, 15, 30);
    slices_close(t, &a);
}

TEST(slices, too_large_to_be_made)
{
    arena_t a;
    numbers_t n;
    arena_options_t o;
    ints_slice_t s;
    numbers_slice_t ns;
    static const size_t counts[] = {SIZE_MAX,         SIZE_MAX / 2,     SIZE_MAX / 4,
                                    SIZE_MAX / 4 + 1, SIZE_MAX / 4 + 2, SIZE_MAX / 8 + 1};
    size_t i;
    slices_open(&a, t, 0);
    slices_options(&o, t, 0);
    CHECK_EQ(numbers_init(&n, &o), ARENA_OK);
    for (i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        int k;
        for (k = 0; k < 2; k++) {
            s = ints_slice(&a, k ? counts[i] : 1, k ? 1 : counts[i]);
            CHECK(s.data == NULL && s.len == 0 && s.cap == 0);
            CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
            arena_clear_status(&a);
            ns = numbers_slice(&n, k ? counts[i] : 1, k ? 1 : counts[i]);
            CHECK(ns.data == NULL && ns.len == 0 && ns.cap == 0);
            CHECK_EQ(numbers_status(&n), ARENA_TOO_LARGE);
            numbers_clear_status(&n);
        }
    }
    /* An extension that no memory could hold leaves the slice alone. */
    NEED(arena_is_valid(&a));
    s = ints_slice(&a, 2, 4);
    NEED(s.data != NULL);
    for (i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        ints_slice_t before = s;
        CHECK(!ints_extend(&a, &s, s.data, counts[i]));
        CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
        arena_clear_status(&a);
        CHECK(s.data == before.data && s.len == 2 && s.cap == 4);
    }
    CHECK_EQ(arena_size(&a), 4 * sizeof(int));
    CHECK_EQ(numbers_size(&n), 0);
    numbers_release(&n);
    slices_close(t, &a);
}

/* extend with no elements: nothing happens, NULL is allowed; NULL with elements is an error. */
TEST(slices, extend_with_nothing)
{
    arena_t a;
    ints_slice_t s;
    memset(&s, 0, sizeof s);
    slices_open(&a, t, 0);
    CHECK(ints_extend(&a, &s, NULL, 0));
    CHECK(s.data == NULL && s.len == 0 && s.cap == 0);
    CHECK_EQ(t->mem.allocs, 0);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK(!ints_extend(&a, &s, NULL, 1));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    CHECK(s.data == NULL && s.len == 0 && s.cap == 0);
    arena_clear_status(&a);
    NEED(ints_push(&a, &s, 1));
    CHECK(ints_extend(&a, &s, NULL, 0));
    CHECK(ints_extend(&a, &s, s.data, 0));
    CHECK(s.len == 1);
    CHECK(!ints_extend(&a, &s, NULL, 1));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    CHECK(s.len == 1 && s.data[0] == 1);
    slices_close(t, &a);
}

/* A capacity that no slice has: its bytes, modulo the address space, are those of one at the tip. */
TEST(slices, shrink_of_a_forged_capacity)
{
    arena_t a;
    ints_slice_t s;
    size_t cap;
    slices_open(&a, t, 4096);
    s = ints_slice(&a, 3, 100);
    NEED(s.data != NULL);
    s.cap += SIZE_MAX / sizeof(int) + 1;
    cap = s.cap;
    ints_shrink(&a, &s);
    CHECK_EQ(s.cap, cap);
    CHECK_EQ(arena_size(&a), 100 * sizeof(int));
    CHECK(arena_is_valid(&a));
    slices_close(t, &a);
}

TEST(slices, shrink_gives_the_slack_at_the_tip_back)
{
    arena_t a;
    ints_slice_t s;
    int *next;
    int k;
    slices_open(&a, t, 4096);
    s = ints_slice(&a, 3, 100);
    NEED(s.data != NULL);
    for (k = 0; k < 3; k++) s.data[k] = k + 1;
    CHECK_EQ(arena_size(&a), 100 * sizeof(int));
    ints_shrink(&a, &s);
    CHECK_EQ(s.len, 3);
    CHECK_EQ(s.cap, 3);
    CHECK_EQ(arena_size(&a), 3 * sizeof(int));
    next = (int *)arena_alloc(&a, sizeof(int), ints_align_);
    CHECK(next == s.data + 3);
    NEED(next != NULL);
    *next = 99;
    CHECK(s.data[0] == 1 && s.data[1] == 2 && s.data[2] == 3);
    /* Twice is as good as once, and a push afterwards moves the slice and nothing else. */
    ints_shrink(&a, &s);
    CHECK_EQ(s.cap, 3);
    NEED(ints_push(&a, &s, 4));
    CHECK(*next == 99 && s.data[0] == 1 && s.data[3] == 4 && s.len == 4);
    /* An empty slice gives everything back. */
    arena_reset(&a);
    s = ints_slice(&a, 0, 50);
    NEED(s.data != NULL);
    ints_shrink(&a, &s);
    CHECK_EQ(s.len, 0);
    CHECK_EQ(arena_size(&a), 0);
    CHECK(arena_is_valid(&a));
    NEED(ints_push(&a, &s, 5));
    CHECK(s.data[0] == 5);
    /* The slice that was never stored. */
    memset(&s, 0, sizeof s);
    ints_shrink(&a, &s);
    CHECK(s.data == NULL && s.len == 0 && s.cap == 0);
    slices_close(t, &a);
}

/* Away from the tip shrink changes nothing that anybody could see through other values. */
TEST(slices, shrink_elsewhere_harms_nothing)
{
    arena_t a;
    ints_slice_t s;
    unsigned char *q;
    int i;
    slices_open(&a, t, 4096);
    s = ints_slice(&a, 5, 40);
    NEED(s.data != NULL);
    for (i = 0; i < 5; i++) s.data[i] = 100 + i;
    q = (unsigned char *)arena_alloc(&a, 64, 1);
    NEED(q != NULL);
    memset(q, 0x5a, 64);
    ints_shrink(&a, &s);
    CHECK(s.len == 5 && s.cap >= 5);
    for (i = 0; i < 100; i++) NEED(ints_push(&a, &s, 105 + i));
    for (i = 0; i < 105; i++) CHECK_EQ(s.data[i], 100 + i);
    CHECK(q[0] == 0x5a && memcmp(q, q + 1, 63) == 0);
    slices_close(t, &a);
}

/* A slice of the typed arena, and in an oversized chunk of its own. */
TEST(slices, shrink_of_a_large_slice)
{
    numbers_t a;
    arena_options_t o;
    numbers_slice_t s;
    size_t i;
    slices_options(&o, t, 400);
    CHECK_EQ(numbers_init(&a, &o), ARENA_OK);
    s = numbers_slice(&a, 0, 1000);
    NEED(s.data != NULL);
    for (i = 0; i < 600; i++) NEED(numbers_push(&a, &s, (int)i));
    numbers_shrink(&a, &s);
    CHECK(s.len == 600 && s.cap >= 600);
    CHECK(numbers_is_valid(&a));
    NEED(numbers_push(&a, &s, 600));
    for (i = 0; i <= 600; i++) CHECK_EQ(s.data[i], i);
    numbers_release(&a);
}

/* Where twice the size is refused, what is needed is enough. */
TEST(slices, growth_by_what_is_needed_where_double_is_refused)
{
    static union {
        char c[400];
        double d;
    } memory;
    size_t room;
    for (room = 100; room < 210; room += 3) {
        arena_t a;
        arena_slice_t s;
        arena_options_t o;
        slices_options(&o, t, 0);
        o.buffer = memory.c;
        o.buffer_bytes =
            100 + 1 + room + 1; /* the slice, a value, what is left, and the spare byte */
        o.fixed = true;
        CHECK_EQ(arena_init(&a, &o), ARENA_OK);
        s = arena_slice(&a, 100, 100);
        NEED(s.data != NULL);
        CHECK(arena_reserve(&a, 1) != NULL);
        if (room > 100) {
            CHECK(arena_push(&a, &s, 'x'));
            CHECK(s.len == 101 && s.cap >= 101 && s.cap <= room && s.data[100] == 'x' &&
                  s.data[0] == 0);
            CHECK_EQ(s.cap, room < 200 ? 101 : 200);
            CHECK_EQ(arena_status(&a), ARENA_OK);
        } else {
            CHECK(!arena_push(&a, &s, 'x'));
            CHECK(s.len == 100 && s.cap == 100);
            CHECK_EQ(arena_status(&a), ARENA_LIMIT);
        }
        CHECK(arena_is_valid(&a));
        arena_release(&a);
    }
    CHECK_EQ(t->mem.allocs, 0);
}

/* ---- failure --------------------------------------------------------------------------------- */

TEST(slices, failure_leaves_the_slice_whole)
{
    static const size_t chunks[] = {64, 256, 4096};
    size_t c;
    for (c = 0; c < 3; c++) {
        size_t n;
        for (n = 0; n < 200; n += 3) {
            arena_t a;
            longs_slice_t s, before;
            arena_stats_t x, y;
            size_t i;
            uint64_t big[600];
            memset(&s, 0, sizeof s);
            memset(big, 1, sizeof big);
            slices_open(&a, t, chunks[c]);
            for (i = 0; i < n; i++) NEED(longs_push(&a, &s, slices_value(1, i)));
            before = s;
            x = arena_stats(&a);
            t->mem.fail_from = 1;
            /* Larger than any chunk: it has to ask, and is refused. */
            CHECK(!longs_extend(&a, &s, big, 600));
            CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
            CHECK(s.data == before.data && s.len == before.len && s.cap == before.cap);
            arena_clear_status(&a);
            y = arena_stats(&a);
            CHECK_EQ(x.size, y.size);
            CHECK_EQ(x.padding, y.padding);
            CHECK_EQ(x.stranded, y.stranded);
            CHECK_EQ(x.allocated, y.allocated);
            CHECK_EQ(x.retained, y.retained);
            CHECK_EQ(x.chunks, y.chunks);
            CHECK(arena_is_valid(&a));
            /* Pushes go on while there is room, and then are refused one by one. */
            for (i = n; i < n + 2000; i++) {
                before = s;
                if (!longs_push(&a, &s, slices_value(1, i))) {
                    CHECK(s.data == before.data && s.len == before.len && s.cap == before.cap);
                    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
                    break;
                }
            }
            CHECK(i < n + 2000);
            t->mem.fail_from = 0;
            n = i > n ? n : n;
            for (i = 0; i < s.len; i++) CHECK_EQ(s.data[i], slices_value(1, i));
            arena_clear_status(&a);
            NEED(longs_push(&a, &s, slices_value(1, s.len)));
            for (i = 0; i < s.len; i++) CHECK_EQ(s.data[i], slices_value(1, i));
            slices_close(t, &a);
        }
    }
}

/* Every allocation of a scenario fails once, and then from then on; the slices are right as far as
 * they came. */
TEST(slices, failure_at_every_allocation)
{
    int mode;
    for (mode = 0; mode < 2; mode++) {
        size_t at;
        for (at = 1; at < 1000; at++) {
            arena_t a;
            ints_slice_t s[5];
            size_t want[5];
            size_t i, k, failures = 0, refused = t->mem.refused;
            memset(s, 0, sizeof s);
            memset(want, 0, sizeof want);
            slices_open(&a, t, 300);
            if (mode == 0)
                t->mem.fail_at = at;
            else
                t->mem.fail_from = at;
            for (i = 0; i < 700; i++) {
                k = i % 5;
                if (ints_push(&a, &s[k], (int)(k * 10000 + want[k])))
                    want[k]++;
                else
                    failures++;
            }
            t->mem.fail_at = t->mem.fail_from = 0;
            for (k = 0; k < 5; k++) {
                CHECK_EQ(s[k].len, want[k]);
                for (i = 0; i < want[k]; i++) {
                    if (s[k].data[i] != (int)(k * 10000 + i)) break;
                }
                CHECK_EQ(i, want[k]);
            }
            CHECK_EQ(arena_status(&a), failures ? ARENA_NO_MEMORY : ARENA_OK);
            slices_close(t, &a);
            if (t->mem.refused == refused) break; /* the scenario has fewer calls than that */
        }
        CHECK(at > 3 && at < 1000);
    }
}

/* ---- marks ----------------------------------------------------------------------------------- */

/* The copy of a slice taken at the mark is good again after the rewind, whatever the slice did in
 * between. */
TEST(slices, begun_before_a_mark)
{
    static const size_t chunks[] = {65536, 1000, 200};
    size_t c;
    for (c = 0; c < 3; c++) {
        size_t len;
        for (len = 1; len < 150; len += 13) {
            int kind;
            for (kind = 0; kind < 4; kind++) {
                arena_t a;
                ints_slice_t s, kept, more[20];
                arena_mark_t m;
                size_t i, k, size;
                memset(&s, 0, sizeof s);
                memset(more, 0, sizeof more);
                slices_open(&a, t, chunks[c]);
                for (i = 0; i < len; i++) NEED(ints_push(&a, &s, (int)i));
                if (kind == 1) NEED(arena_reserve(&a, 1) != NULL);
                kept = s;
                size = arena_size(&a);
                m = arena_mark(&a);
                if (kind == 2) ints_shrink(&a, &s);
                if (kind == 3) {
                    /* Within the capacity and beyond it. */
                    s.len = len / 2;
                }
                for (i = 0; i < 2 * len; i++) NEED(ints_push(&a, &s, (int)s.len));
                /* Others would take outgrown storage if there were any. */
                for (i = 0; i < 100; i++) {
                    for (k = 0; k < 20; k++) NEED(ints_push(&a, &more[k], -1));
                }
                for (i = 0; i < s.len; i++) CHECK_EQ(s.data[i], i);
                CHECK(arena_rewind(&a, m));
                CHECK_EQ(arena_size(&a), size);
                CHECK(arena_is_valid(&a));
                for (i = 0; i < len; i++) CHECK_EQ(kept.data[i], i);
                /* Stores after the rewind keep away from it. */
                memset(more, 0, sizeof more);
                for (i = 0; i < 60; i++) {
                    for (k = 0; k < 20; k++) NEED(ints_push(&a, &more[k], -2));
                }
                for (i = 0; i < len; i++) CHECK_EQ(kept.data[i], i);
                for (i = 0; i < 300; i++) NEED(ints_push(&a, &kept, (int)(len + i)));
                for (i = 0; i < len + 300; i++) CHECK_EQ(kept.data[i], i);
                for (k = 0; k < 20; k++) {
                    for (i = 0; i < 60; i++) CHECK_EQ(more[k].data[i], -2);
                }
                slices_close(t, &a);
            }
        }
    }
}

/*
 * The slice that was grown after the mark points at rewound bytes, which is the caller's mistake;
 * with ARENA_DEBUG they hold a byte that shows, and with ASan reading them stops the program (tests
 * of the sanitizers).
 */
TEST(slices, grown_after_a_mark_and_kept_over_the_rewind)
{
#if ARENA_DEBUG >= 1 && ARENA_DEBUG < 3 && !defined ARENA_ASAN_ && !defined ARENA_MSAN_ && \
    !defined ARENA_VALGRIND
    arena_t a;
    arena_slice_t s;
    arena_mark_t m;
    size_t i;
    memset(&s, 0, sizeof s);
    slices_open(&a, t, 4096);
    for (i = 0; i < 40; i++) NEED(arena_push(&a, &s, 'b'));
    NEED(arena_intern(&a, "in between") != NULL);
    m = arena_mark(&a);
    for (i = 0; i < 40; i++) NEED(arena_push(&a, &s, 'c'));
    CHECK(arena_rewind(&a, m));
    for (i = 0; i < 80; i++) CHECK_EQ((unsigned char)s.data[i], 0xDD);
    slices_close(t, &a);
#else
    SKIP("only with ARENA_DEBUG 1 or 2 and without a sanitizer");
#endif
}

/*
 * Grown again after the rewind, which is a mistake, the stale slice moves to another chunk; what
 * lies behind the tip of the old one is nobody's, and not taken for outgrown.
 */
TEST(slices, grown_after_the_rewind_of_their_storage)
{
#if !defined ARENA_ASAN_ && !defined ARENA_MSAN_ && !defined ARENA_VALGRIND && ARENA_DEBUG < 3
    size_t n;
    for (n = 51; n <= 80; n++) {
        arena_t a;
        arena_slice_t s, more[6];
        arena_mark_t m;
        size_t i, k;
        memset(&s, 0, sizeof s);
        memset(more, 0, sizeof more);
        slices_open(&a, t, 100);
        CHECK(arena_reserve(&a, 10) != NULL);
        m = arena_mark(&a);
        CHECK(arena_reserve(&a, 10) != NULL);
        s = arena_slice(&a, n, n);
        NEED(s.data != NULL);
        CHECK(arena_rewind(&a, m));
        CHECK(arena_reserve(&a, 15) != NULL); /* its tip is now inside the place of s */
        NEED(arena_push(&a, &s, 'x'));
        CHECK(s.len == n + 1 && s.data[n] == 'x');
        memset(s.data, 'x', n);
        CHECK(arena_is_valid(&a));
        for (i = 0; i < 300; i++) {
            for (k = 0; k < 6; k++) NEED(arena_push(&a, &more[k], (char)('0' + k)));
        }
        for (k = 0; k < 6; k++) {
            for (i = 0; i < 300 && more[k].data[i] == (char)('0' + k); i++) {}
            CHECK_EQ(i, 300);
        }
        CHECK(s.data[0] == 'x' && memcmp(s.data, s.data + 1, n) == 0);
        slices_close(t, &a);
    }
#else
    SKIP("a sanitizer stops the read of rewound bytes, as it should");
#endif
}

/* Storage outgrown before a mark and reused after it: the rewind must not leave it with two owners.
 */
TEST(slices, outgrown_before_a_mark_and_reused_after_it)
{
    arena_t a;
    ints_slice_t s[30], late[30];
    arena_mark_t m;
    size_t i, k;
    int round;
    memset(s, 0, sizeof s);
    slices_open(&a, t, 2000);
    for (i = 0; i < 70; i++) {
        for (k = 0; k < 30; k++) NEED(ints_push(&a, &s[k], (int)(k * 1000 + i)));
    }
    for (round = 0; round < 3; round++) {
        m = arena_mark(&a);
        memset(late, 0, sizeof late);
        for (i = 0; i < 50; i++) {
            for (k = 0; k < 30; k++) NEED(ints_push(&a, &late[k], -5));
        }
        for (k = 0; k < 30; k++) {
            for (i = 0; i < 50; i++) CHECK_EQ(late[k].data[i], -5);
        }
        CHECK(arena_rewind(&a, m));
        CHECK(arena_is_valid(&a));
        for (k = 0; k < 30; k++) {
            for (i = 0; i < 70; i++) CHECK_EQ(s[k].data[i], (int)(k * 1000 + i));
        }
    }
    memset(late, 0, sizeof late);
    for (i = 0; i < 50; i++) {
        for (k = 0; k < 30; k++) NEED(ints_push(&a, &late[k], (int)(900000 + k * 100 + i)));
    }
    for (k = 0; k < 30; k++) {
        for (i = 0; i < 50; i++) CHECK_EQ(late[k].data[i], (int)(900000 + k * 100 + i));
        for (i = 0; i < 70; i++) CHECK_EQ(s[k].data[i], (int)(k * 1000 + i));
    }
    slices_close(t, &a);
}

/* ---- storage that is not the arena's --------------------------------------------------------- */

TEST(slices, begun_on_a_stack_buffer)
{
    arena_t a;
    size_t n;
    slices_open(&a, t, 3000);
    for (n = 1; n <= 64; n++) {
        int buffer[64 + 16], copy[64 + 16];
        ints_slice_t s, more[10];
        size_t i, k;
        memset(more, 0, sizeof more);
        for (i = 0; i < 80; i++) buffer[i] = (int)(7000 + i);
        memcpy(copy, buffer, sizeof copy);
        s.data = buffer + 8;
        s.len = n;
        s.cap = n;
        NEED(ints_push(&a, &s, (int)(7008 + n)));
        CHECK(s.data < buffer || s.data >= buffer + 80);
        for (i = 0; i <= n; i++) CHECK_EQ(s.data[i], 7008 + i);
        /* Twenty slices that would take outgrown storage of any small size class. */
        for (i = 0; i < 100; i++) {
            for (k = 0; k < 10; k++) {
                NEED(ints_push(&a, &more[k], -9));
                CHECK(more[k].data + more[k].cap <= buffer || more[k].data >= buffer + 80);
            }
        }
        CHECK_MEM(buffer, copy, sizeof copy);
        for (i = 0; i <= n; i++) CHECK_EQ(s.data[i], 7008 + i);
        if (n % 9 == 0) arena_reset(&a);
    }
    CHECK_EQ(arena_status(&a), ARENA_OK);
    slices_close(t, &a);
}

/* A foreign buffer with room is filled first, to its last element and not beyond. */
TEST(slices, begun_on_a_buffer_with_room)
{
    arena_t a;
    char buffer[32];
    arena_slice_t s;
    size_t i;
    slices_open(&a, t, 0);
    memset(buffer, '#', sizeof buffer);
    s.data = buffer + 4;
    s.len = 0;
    s.cap = 20;
    for (i = 0; i < 20; i++) NEED(arena_push(&a, &s, 'x'));
    CHECK(s.data == buffer + 4);
    CHECK_EQ(t->mem.allocs, 0);
    CHECK_EQ(arena_size(&a), 0);
    CHECK_MEM(buffer, "####xxxxxxxxxxxxxxxxxxxx########", 32);
    NEED(arena_extend(&a, &s, "yy", 2));
    CHECK(s.data != buffer + 4 && s.len == 22);
    CHECK_MEM(s.data, "xxxxxxxxxxxxxxxxxxxxyy", 22);
    CHECK_MEM(buffer, "####xxxxxxxxxxxxxxxxxxxx########", 32);
    /* Shrinking a slice on a foreign buffer takes nothing from the arena. */
    s.data = buffer;
    s.len = 3;
    s.cap = 32;
    i = arena_size(&a);
    arena_shrink(&a, &s);
    CHECK(s.data == buffer && s.len == 3 && s.cap >= 3 && s.cap <= 32);
    CHECK_EQ(arena_size(&a), i);
    slices_close(t, &a);
}

/* An arena that was never used, or was released, has no tip that a foreign buffer could be at. */
TEST(slices, foreign_to_an_unused_arena)
{
    arena_t a;
    char buffer[8] = "1234567";
    arena_slice_t s;
    int round;
    memset(&a, 0, sizeof a);
    for (round = 0; round < 2; round++) {
        s.data = buffer;
        s.len = 4;
        s.cap = 8;
        arena_shrink(&a, &s);
        CHECK(s.data == buffer && s.len == 4 && s.cap >= 4 && s.cap <= 8);
        CHECK(arena_is_valid(&a));
        s.len = s.cap = 8;
        NEED(arena_push(&a, &s, 'x'));
        CHECK(s.data != buffer && s.len == 9 && s.data[8] == 'x');
        CHECK_MEM(s.data, "1234567", 8);
        CHECK_MEM(buffer, "1234567", 8);
        arena_release(&a);
    }
}

/* Slices that no call ever made are refused, and nothing is read or written through them. */
TEST(slices, that_make_no_sense)
{
    arena_t a;
    arena_slice_t s;
    ints_slice_t i;
    static char buffer[4];
    slices_open(&a, t, 0);
    s.data = buffer;
    s.len = 5;
    s.cap = 4;
    CHECK(!arena_push(&a, &s, 'x'));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK(!arena_extend(&a, &s, "ab", 2));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK(!arena_extendf(&a, &s, "%d", 1));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK(s.data == buffer && s.len == 5 && s.cap == 4);
    i.data = NULL;
    i.len = 0;
    i.cap = 7;
    CHECK(
        !ints_extend(&a, &i, (const int *)(const void *)"12345678901234567890123456789012345", 8));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    CHECK(i.data == NULL && i.len == 0 && i.cap == 7);
    CHECK_EQ(t->mem.allocs, 0);
    slices_close(t, &a);
}

/* A slice of one arena grown in another: the first one's memory stays the first one's. */
TEST(slices, begun_in_another_arena)
{
    arena_t a, b;
    longs_slice_t s, more[20];
    size_t i, k, size;
    uint64_t *first;
    memset(more, 0, sizeof more);
    memset(&s, 0, sizeof s);
    slices_open(&a, t, 1000);
    slices_open(&b, t, 1000);
    for (i = 0; i < 16; i++) NEED(longs_push(&a, &s, i));
    first = s.data;
    size = arena_size(&a);
    for (; i < 200; i++) NEED(longs_push(&b, &s, i));
    CHECK_EQ(arena_size(&a), size);
    for (i = 0; i < 50; i++) {
        for (k = 0; k < 20; k++) NEED(longs_push(&b, &more[k], 77));
    }
    for (i = 0; i < 16; i++) CHECK_EQ(first[i], i);
    for (i = 0; i < 200; i++) CHECK_EQ(s.data[i], i);
    CHECK(arena_is_valid(&a) && arena_is_valid(&b));
    arena_release(&a);
    for (i = 0; i < 200; i++) CHECK_EQ(s.data[i], i);
    slices_close(t, &b);
}

/* The end of a foreign buffer that happens to be where the arena's own buffer begins is not the
 * tip. */
TEST(slices, a_foreign_buffer_beside_the_arenas)
{
    static union {
        char c[512];
        double d;
    } memory;
    arena_t a;
    arena_options_t o;
    arena_slice_t s;
    size_t i;
    memset(&memory, '.', sizeof memory);
    slices_options(&o, t, 0);
    o.buffer = memory.c + 128;
    o.buffer_bytes = 256;
    o.fixed = true;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    s.data = memory.c + 64;
    s.len = s.cap = 64;
    NEED(arena_push(&a, &s, '!'));
    CHECK(s.data >= memory.c + 128 && s.data + s.cap <= memory.c + 384);
    CHECK(s.len == 65 && s.data[0] == '.' && s.data[64] == '!');
    s.data = memory.c + 384;
    s.len = s.cap = 8;
    NEED(arena_push(&a, &s, '?'));
    CHECK(s.data >= memory.c + 128 && s.data + s.cap <= memory.c + 384);
    for (i = 0; i < 128; i++) CHECK(memory.c[i] == '.');
    for (i = 384; i < 512; i++) CHECK(memory.c[i] == '.');
    CHECK(arena_is_valid(&a));
    arena_release(&a);
    CHECK_EQ(t->mem.allocs, 0);
}

/* ---- the string builder ---------------------------------------------------------------------- */

TEST(slices, extendf_builds_text)
{
    static const size_t chunks[] = {65536, 700, 64};
    size_t c;
    for (c = 0; c < 3; c++) {
        arena_t a;
        arena_slice_t s;
        char want[40000];
        size_t n = 0;
        int i;
        memset(&s, 0, sizeof s);
        slices_open(&a, t, chunks[c]);
        for (i = 0; i < 900; i++) {
            NEED(arena_extendf(&a, &s, "%d:%s;%c", i, i % 3 ? "x" : "longer text", 'a' + i % 26));
            n +=
                (size_t)sprintf(want + n, "%d:%s;%c", i, i % 3 ? "x" : "longer text", 'a' + i % 26);
            CHECK_STR(s.data, want); /* a NUL stands behind the text */
            if (i % 5 == 0) CHECK(arena_intern(&a, "between") != NULL);
        }
        CHECK_EQ(s.len, n);
        CHECK_MEM(s.data, want, n);
        slices_close(t, &a);
    }
}

/*
 * A slice with room in an arena that is full: its own room serves, no memory is needed, and what
 * follows it is not touched, though a text that ends with the capacity leaves no byte for the NUL.
 */
TEST(slices, extendf_into_the_slices_own_room)
{
    size_t room;
    for (room = 1; room < 40; room++) {
        arena_t a;
        arena_slice_t s, before;
        char want[64] = "", *behind;
        size_t n = 0;
        int i;
        slices_open(&a, t, 300);
        s = arena_slice(&a, 0, room);
        NEED(s.data != NULL);
        behind = arena_reserve(&a, 300 - room);
        NEED(behind == s.data + room);
        memset(behind, '#', 300 - room);
        t->mem.fail_from = 1;
        before = s;
        for (i = 0; i < 14; i++) {
            /* Three letters, with the slice itself as an argument that ends with its NUL, as far as
             * there is one. */
            bool done = arena_extendf(&a, &s, "%c%.*s%s", 'a' + i, 1, n > 0 ? s.data : "-", "+");
            CHECK(done || n + 3 + 2 > room);
            CHECK(!done || n + 3 < room);
            CHECK(s.data == before.data && s.cap == room);
            if (done) n += (size_t)sprintf(want + n, "%c%.1s%s", 'a' + i, n > 0 ? "a" : "-", "+");
            CHECK_EQ(s.len, n);
            CHECK_MEM(s.data, want, n);
            if (done) CHECK_EQ(s.data[n], 0);
            CHECK(behind[0] == '#' && memcmp(behind, behind + 1, 300 - room - 1) == 0);
            if (!done) break;
        }
        CHECK(i < 14);
        CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
        t->mem.fail_from = 0;
        slices_close(t, &a);
    }
}

/* An empty result changes nothing and is no error. */
TEST(slices, extendf_that_moves_leaves_its_storage_for_use)
{
    arena_t a;
    arena_slice_t s;
    char *p;
    slices_open(&a, t, 4096);
    s = arena_slice(&a, 96, 96);
    p = s.data;
    NEED(p != NULL && arena_append(&a, "-", 1) != NULL);
    CHECK(arena_extendf(&a, &s, "%0*d", 5000, 1)); /* Longer than the room at the tip. */
    CHECK(s.data != p);
    CHECK_EQ(s.len, 96 + 5000);
    CHECK_EQ(s.data[96 + 4999], '1');
    CHECK_EQ(arena_size(&a), 1 + s.cap);
    CHECK(arena_realloc(&a, NULL, 0, 96, 1) == p);
    slices_close(t, &a);
}

TEST(slices, extendf_grows_to_twice_or_what_is_needed)
{
    static const size_t texts[][2] = {{2999, 6000}, {3000, 6001}, {3001, 6002}, {200, 6000}};
    size_t i;
    for (i = 0; i < 4; i++) {
        arena_t a;
        arena_slice_t s;
        slices_open(&a, t, 4096);
        s = arena_slice(&a, 3000, 3000);
        CHECK(arena_reserve(&a, 1000) != NULL); /* Leaves less room than any of the texts takes. */
        CHECK(arena_extendf(&a, &s, "%0*d", (int)texts[i][0], 1));
        CHECK_EQ(s.len, 3000 + texts[i][0]);
        CHECK_EQ(s.cap, texts[i][1]);
        slices_close(t, &a);
    }
}

TEST(slices, extendf_of_nothing)
{
    arena_t a;
    arena_slice_t s, before;
    memset(&s, 0, sizeof s);
    slices_open(&a, t, 0);
    CHECK(arena_extendf(&a, &s, "%s", ""));
    CHECK_EQ(s.len, 0);
    NEED(arena_extendf(&a, &s, "%s", "abc"));
    before = s;
    CHECK(arena_extendf(&a, &s, "%s", ""));
    CHECK(s.data == before.data && s.len == 3);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK(!arena_extendf(&a, &s, NULL));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    CHECK(s.data == before.data && s.len == 3);
    slices_close(t, &a);
}

/* The slice itself as an argument: in place, moved, and to another chunk. The slice is ended with a
 * NUL to be a string. */
TEST(slices, extendf_reads_the_slice_itself)
{
    static const size_t chunks[] = {65536, 300, 40};
    size_t c;
    int place;
    for (c = 0; c < 3; c++) {
        for (place = 0; place < 2; place++) {
            arena_t a;
            arena_slice_t s;
            size_t n;
            int k;
            memset(&s, 0, sizeof s);
            slices_open(&a, t, chunks[c]);
            NEED(arena_extend(&a, &s, "ab", 3));
            for (k = 0; k < 9; k++) {
                size_t i, bad = 0;
                n = s.len;
                if (place == 1) NEED(arena_reserve(&a, 1) != NULL);
                NEED(arena_extendf(&a, &s, "<%s>%.*s", s.data, (int)(n < 2 ? n : 2), s.data));
                CHECK_EQ(s.len, n + 2 + 2 + 2);
                CHECK_MEM(s.data + n, "<ab>ab", 6);
                for (i = 0; i < n && i < 2; i++) bad += s.data[i] != (char)('a' + i);
                CHECK_EQ(bad, 0);
            }
            /* And by length, so that all of it is copied. */
            n = s.len;
            NEED(arena_push(&a, &s, '\0'));
            s.len = n;
            for (k = 0; k < 4; k++) {
                char *data;
                size_t i;
                for (i = 0; i < s.len; i++) s.data[i] = (char)('A' + i % 26);
                data = s.data;
                n = s.len;
                NEED(arena_extendf(&a, &s, "%.*s", (int)n, data));
                CHECK_EQ(s.len, 2 * n);
                for (i = 0; i < 2 * n && s.data[i] == (char)('A' + i % n % 26); i++) {}
                CHECK_EQ(i, 2 * n);
                if (place == 1) NEED(arena_reserve(&a, 1) != NULL);
            }
            slices_close(t, &a);
        }
    }
}

/* A result that ends exactly where the slice's capacity, and the chunk, end. The NUL of printf is
 * nobody's byte. */
TEST(slices, extendf_to_the_exact_end)
{
    size_t room;
    for (room = 1; room < 60; room++) {
        int more;
        for (more = -1; more <= 1; more++) {
            arena_t a;
            arena_slice_t s;
            char *other;
            size_t n = room + (size_t)(1 + more) - 1;
            memset(&s, 0, sizeof s);
            slices_open(&a, t, 500);
            /* The slice ends `room` bytes before the end of its capacity; a value follows. */
            s = arena_slice(&a, 100, 100 + room);
            NEED(s.data != NULL);
            other = arena_reserve(&a, 10);
            NEED(other != NULL);
            memset(other, '!', 10);
            NEED(arena_extendf(&a, &s, "%0*d", (int)n, 0) || n == 0);
            CHECK_MEM(other, "!!!!!!!!!!", 10);
            CHECK(s.len == 100 + (n == 0 ? 1 : n));
            arena_reset(&a);
            /* At the tip, `room` bytes before the end of the chunk. */
            s = arena_slice(&a, 500 - room, 0);
            NEED(s.data != NULL);
            NEED(arena_extendf(&a, &s, "%0*d", (int)n, 0) || n == 0);
            CHECK(s.len == 500 - room + (n == 0 ? 1 : n));
            CHECK_EQ(s.data[s.len - 1], '0');
            slices_close(t, &a);
        }
    }
}

TEST(slices, extendf_that_fails)
{
    arena_t a;
    arena_slice_t s, before;
    arena_options_t o;
    static char memory[256];
    slices_options(&o, t, 0);
    o.buffer = memory;
    o.buffer_bytes = sizeof memory;
    o.fixed = true;
    memset(&s, 0, sizeof s);
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    NEED(arena_extendf(&a, &s, "%s", "some text"));
    before = s;
    CHECK(!arena_extendf(&a, &s, "%0500d", 1));
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK(s.data == before.data && s.len == before.len && s.cap == before.cap);
    CHECK_MEM(s.data, "some text", 9);
    arena_clear_status(&a);
    NEED(arena_extendf(&a, &s, "%s", ", more"));
    CHECK_MEM(s.data, "some text, more", 15);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
    CHECK_EQ(t->mem.allocs, 0);
}

/* ---- everything at random -------------------------------------------------------------------- */

/*
 * Slices, values and objects in random order with nested marks, against copies. A slice's elements
 * are known from its own number, so that storage with two owners shows as a wrong element.
 */
enum { RANDOM_SLICES = 24, RANDOM_MARKS = 4 };

struct slices_model {
    ints_slice_t s[RANDOM_SLICES];
    int tag[RANDOM_SLICES];
};

static bool slices_model_right(const struct slices_model *m)
{
    size_t k, i;
    for (k = 0; k < RANDOM_SLICES; k++) {
        for (i = 0; i < m->s[k].len; i++) {
            if (m->s[k].data[i] != m->tag[k] + (int)i) return false;
        }
    }
    return true;
}

TEST(slices, everything_at_random)
{
    static const size_t chunks[] = {65536, 2000, 256, 16};
    size_t c;
    for (c = 0; c < 4; c++) {
        arena_t a;
        struct slices_model now, saved[RANDOM_MARKS];
        arena_mark_t marks[RANDOM_MARKS];
        size_t size[RANDOM_MARKS];
        int depth = 0, step, tag = 1;
        memset(&now, 0, sizeof now);
        slices_open(&a, t, chunks[c]);
        for (step = 0; step < 6000; step++) {
            unsigned what = (unsigned)(test_random(t) % 1000);
            size_t k = (size_t)(test_random(t) % RANDOM_SLICES), n, i;
            ints_slice_t *s = &now.s[k];
            if (s->len == 0) {
                now.tag[k] = tag * 100000;
                tag = tag % 20000 + 1;
            }
            if (what < 600) {
                n = (size_t)(test_random(t) % 12);
                for (i = 0; i < n; i++) NEED(ints_push(&a, s, now.tag[k] + (int)s->len));
            } else if (what < 750) {
                int piece[200];
                n = (size_t)(test_random(t) % (test_random(t) % 10 ? 20 : 200));
                for (i = 0; i < n; i++) piece[i] = now.tag[k] + (int)(s->len + i);
                NEED(ints_extend(&a, s, piece, n));
            } else if (what < 800) {
                ints_shrink(&a, s);
                CHECK(s->cap >= s->len);
            } else if (what < 900) {
                char *p = arena_reserve(&a, 1 + (size_t)(test_random(t) % 30));
                NEED(p != NULL);
                memset(p, 0xdd, 1);
            } else if (what < 940) {
                /* Begun anew: the old storage is abandoned. */
                n = (size_t)(test_random(t) % 30);
                now.tag[k] = tag * 100000;
                tag = tag % 20000 + 1;
                *s = ints_slice(&a, 0, n);
                CHECK_EQ(s->cap, n);
            } else if (what < 965) {
                if (depth < RANDOM_MARKS) {
                    marks[depth] = arena_mark(&a);
                    saved[depth] = now;
                    size[depth] = arena_size(&a);
                    depth++;
                }
            } else if (what < 985) {
                if (depth > 0) {
                    int to = (int)(test_random(t) % (unsigned)depth);
                    CHECK(arena_rewind(&a, marks[to]));
                    now = saved[to];
                    CHECK_EQ(arena_size(&a), size[to]);
                    depth = to;
                    NEED(slices_model_right(&now));
                }
            } else if (what == 999) {
                arena_reset(&a);
                memset(&now, 0, sizeof now);
                depth = 0;
                CHECK_EQ(arena_size(&a), 0);
            }
            if (step % 64 == 0) {
                NEED(slices_model_right(&now));
                NEED(arena_is_valid(&a));
            }
        }
        CHECK(slices_model_right(&now));
        CHECK_EQ(arena_status(&a), ARENA_OK);
        slices_close(t, &a);
    }
}
