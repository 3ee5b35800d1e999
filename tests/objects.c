/*
 * objects.c - objects of any type in the byte arena.
 *
 * The sentences that this family proves:
 *  - arena_alloc gives room for the bytes asked for at the alignment asked for: every power of
 *    two from 1 to 4096, as the first store of an arena, where a chunk opens, on a kept chunk
 *    after reset, and on the oversized path; the hook of the tests returns memory aligned exactly
 *    as asked and no better.
 *  - An alignment that is not a power of two is ARENA_ARGUMENT, and the arena is as before.
 *  - arena_alloc of 0 bytes gives NULL and no error; sizes above PTRDIFF_MAX are ARENA_TOO_LARGE.
 *  - arena_alloc_zeroed, ARENA_NEW and ARENA_NEW_ARRAY clear, also memory that was used before a
 *    reset; ARENA_NEW_ARRAY checks the product of count and size.
 *  - arena_realloc works in place at the tip, both ways; elsewhere it copies; a stricter
 *    alignment moves the block even when it shrinks; 0 new bytes give NULL and no error; failure
 *    leaves the block as it was.
 *  - A mark is a fence: a block stored before it is not shrunk in place, so that a rewind brings
 *    it back whole.
 *  - arena_allocf has the shape that Lua wants.
 *  - One large object between small ones goes to a chunk of its own; the chunk being filled stays
 *    that.
 *
 * The file is C99 and C++11 at once, since its macros have to work in both.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "test.h"

/* Stops the test where going on makes no sense. */
#define NEED(cond)                \
    do {                          \
        if (!CHECK(cond)) return; \
    } while (0)

/* Every block that a test holds, with the byte that fills it, so that an overlap shows as a wrong
 * byte. */
enum { BLOCKS = 4096 };
static struct block {
    unsigned char *p;
    size_t n;
    unsigned char fill;
} blocks[BLOCKS];
static size_t block_count;

static bool block_aligned(const void *p, size_t align) { return ((uintptr_t)p & (align - 1)) == 0; }

/* Fills the block and notes it down. */
static void block_add(void *p, size_t n)
{
    struct block *b;
    if (p == NULL || block_count == BLOCKS) return;
    b = &blocks[block_count];
    b->p = (unsigned char *)p;
    b->n = n;
    b->fill = (unsigned char)(block_count * 37u + 11u);
    memset(b->p, b->fill, n);
    block_count++;
}

/* True if every block noted down since block_count was last set to 0 still holds its own byte
 * throughout. */
static bool blocks_whole(void)
{
    size_t i, k;
    for (i = 0; i < block_count; i++) {
        for (k = 0; k < blocks[i].n; k++) {
            if (blocks[i].p[k] != blocks[i].fill) return false;
        }
    }
    return true;
}

static void objects_open(arena_t *a, struct test *t, size_t chunk_bytes)
{
    arena_options_t options;
    memset(&options, 0, sizeof options);
    options.chunk_bytes = chunk_bytes;
    options.hooks = t->hooks;
    CHECK_EQ(arena_init(a, &options), ARENA_OK);
    block_count = 0;
}

static void objects_close(struct test *t, arena_t *a)
{
    CHECK(arena_is_valid(a));
    arena_release(a);
    CHECK(arena_is_valid(a));
}

/* The first store of a fresh arena, then one more behind a single odd byte, for every alignment. */
TEST(objects, alignment_on_a_fresh_chunk)
{
    static const size_t chunks[] = {65536, 16384, 8192, 4096, 1000, 64, 1};
    size_t c, align, n;
    for (c = 0; c < sizeof chunks / sizeof chunks[0]; c++) {
        for (align = 1; align <= 4096; align *= 2) {
            for (n = 1; n <= 300; n += 149) {
                arena_t a;
                void *p, *q;
                objects_open(&a, t, chunks[c]);
                p = arena_alloc(&a, n, align);
                NEED(p != NULL);
                CHECK(block_aligned(p, align));
                block_add(p, n);
                block_add(arena_alloc(&a, 1, 1), 1);
                q = arena_alloc(&a, n, align);
                NEED(q != NULL);
                CHECK(block_aligned(q, align));
                block_add(q, n);
                CHECK(blocks_whole());
                CHECK_EQ(arena_size(&a), 2 * n + 1);
                CHECK_EQ(arena_status(&a), ARENA_OK);
                objects_close(t, &a);
                CHECK_EQ(t->mem.live_blocks, 0);
            }
        }
    }
}

/* The chunk is filled until `left` bytes remain, so that the aligned object ends the chunk or opens
 * the next. */
TEST(objects, alignment_where_a_chunk_opens)
{
    enum { CHUNK = 10000 };
    size_t align, left;
    for (align = 1; align <= 4096; align *= 2) {
        for (left = 0; left <= 80; left++) {
            arena_t a;
            void *p;
            objects_open(&a, t, CHUNK);
            p = arena_alloc(&a, CHUNK - left, 1);
            NEED(p != NULL);
            block_add(p, CHUNK - left);
            CHECK_EQ(arena_chunk_count(&a), 1);
            p = arena_alloc(&a, 40, align);
            NEED(p != NULL);
            CHECK(block_aligned(p, align));
            block_add(p, 40);
            if (left < 40) CHECK_EQ(arena_chunk_count(&a), 2);
            if (align == 1 && left >= 40) CHECK_EQ(arena_chunk_count(&a), 1);
            block_add(arena_alloc(&a, 9, 1), 9);
            p = arena_alloc(&a, 2 * align, align);
            NEED(p != NULL);
            CHECK(block_aligned(p, align));
            block_add(p, 2 * align);
            CHECK(blocks_whole());
            objects_close(t, &a);
        }
    }
}

/* The same stores again after a reset: the same alignment on the kept chunks, and no allocator
 * call. */
TEST(objects, alignment_on_kept_chunks)
{
    size_t align;
    for (align = 1; align <= 4096; align *= 2) {
        arena_t a;
        int round;
        size_t calls = 0, frees = 0;
        objects_open(&a, t, 9001);
        for (round = 0; round < 4; round++) {
            int i;
            block_count = 0;
            for (i = 0; i < 40; i++) {
                void *p;
                block_add(arena_alloc(&a, (size_t)(1 + i % 5), 1), (size_t)(1 + i % 5));
                p = arena_alloc(&a, (size_t)(1 + i * 17), align);
                NEED(p != NULL);
                CHECK(block_aligned(p, align));
                block_add(p, (size_t)(1 + i * 17));
            }
            CHECK(blocks_whole());
            CHECK(arena_is_valid(&a));
            if (round > 0 && ARENA_DEBUG < 3) { /* at 3 a reset gives every chunk back */
                CHECK_EQ(t->mem.allocs, calls);
                CHECK_EQ(t->mem.frees, frees);
            }
            calls = t->mem.allocs;
            frees = t->mem.frees;
            arena_reset(&a);
            CHECK_EQ(arena_size(&a), 0);
        }
        objects_close(t, &a);
    }
}

/* Objects around the size of a chunk and larger; the chunk being filled stays the one being filled.
 */
TEST(objects, alignment_on_the_oversized_path)
{
    enum { CHUNK = 6000 };
    size_t align;
    for (align = 1; align <= 4096; align *= 2) {
        size_t sizes[9], i;
        sizes[0] = CHUNK - align;
        sizes[1] = CHUNK - align + 1;
        sizes[2] = CHUNK - 1;
        sizes[3] = CHUNK;
        sizes[4] = CHUNK + 1;
        sizes[5] = CHUNK + align - 1;
        sizes[6] = CHUNK + align;
        sizes[7] = 3 * CHUNK;
        sizes[8] = 100000 + align;
        for (i = 0; i < 9; i++) {
            arena_t a;
            unsigned char *p, *before, *after;
            objects_open(&a, t, CHUNK);
            before = (unsigned char *)arena_alloc(&a, 3, 1);
            NEED(before != NULL);
            block_add(before, 3);
            p = (unsigned char *)arena_alloc(&a, sizes[i], align);
            NEED(p != NULL);
            CHECK(block_aligned(p, align));
            block_add(p, sizes[i]);
            after = (unsigned char *)arena_alloc(&a, 3, 1);
            NEED(after != NULL);
            block_add(after, 3);
            if (sizes[i] > CHUNK) CHECK(after == before + 3);
            p = (unsigned char *)arena_alloc_zeroed(&a, sizes[i], align);
            NEED(p != NULL);
            CHECK(block_aligned(p, align));
            CHECK(p[0] == 0 && p[sizes[i] - 1] == 0 && memcmp(p, p + 1, sizes[i] - 1) == 0);
            block_add(p, sizes[i]);
            CHECK(blocks_whole());
            CHECK_EQ(arena_size(&a), 6 + 2 * sizes[i]);
            objects_close(t, &a);
            CHECK_EQ(t->mem.live_blocks, 0);
        }
    }
}

/* Without hooks malloc's memory is brought to the alignment, and given back as it came. */
TEST(objects, alignment_on_malloc)
{
    size_t align;
    for (align = 1; align <= 16384; align *= 2) {
        arena_t a = arena_make(3000);
        int i;
        block_count = 0;
        for (i = 0; i < 30; i++) {
            size_t n = (size_t)(i % 3 == 0 ? 4000 : 30) + (size_t)i;
            void *p = arena_alloc(&a, n, align);
            NEED(p != NULL);
            CHECK(block_aligned(p, align));
            block_add(p, n);
            block_add(arena_alloc(&a, 1, 1), 1);
        }
        CHECK(blocks_whole());
        objects_close(t, &a);
    }
    CHECK_EQ(t->mem.allocs, 0);
}

/* One large object must not make later chunks any larger. */
TEST(objects, a_large_object_does_not_enlarge_later_chunks)
{
    arena_t a;
    size_t before, i;
    objects_open(&a, t, 4096);
    NEED(arena_alloc(&a, 4000, 8) != NULL);
    before = arena_retained(&a);
    CHECK_EQ(before, 4096);
    NEED(arena_alloc(&a, 1000000, 8) != NULL);
    CHECK(arena_retained(&a) >= before + 1000000);
    CHECK(arena_retained(&a) <= before + 1000000 + 16);
    before = arena_retained(&a);
    for (i = 1; i <= 5; i++) {
        NEED(arena_alloc(&a, 4000, 8) != NULL);
        CHECK_EQ(arena_retained(&a), before + i * 4096);
    }
    arena_reset(&a);
    CHECK_EQ(arena_retained(&a), ARENA_DEBUG < 3 ? 6 * 4096 : 0);
    CHECK_EQ(arena_stats(&a).oversized, 0);
    objects_close(t, &a);
}

TEST(objects, random_sizes_and_alignments)
{
    static const size_t chunks[] = {65536, 5000, 300, 7};
    size_t c;
    for (c = 0; c < 4; c++) {
        arena_t a;
        int batch;
        objects_open(&a, t, chunks[c]);
        for (batch = 0; batch < 3; batch++) {
            size_t bytes = 0;
            int i;
            block_count = 0;
            for (i = 0; i < 1500; i++) {
                size_t align = (size_t)1 << (test_random(t) % 13);
                size_t n =
                    (size_t)(test_random(t) % 4 == 0 ? test_random(t) % 700 : test_random(t) % 40) +
                    1;
                void *p = test_random(t) % 2 ? arena_alloc(&a, n, align)
                                             : arena_alloc_zeroed(&a, n, align);
                NEED(p != NULL);
                CHECK(block_aligned(p, align));
                block_add(p, n);
                bytes += n;
            }
            CHECK(blocks_whole());
            CHECK_EQ(arena_size(&a), bytes);
            CHECK(arena_is_valid(&a));
            arena_reset(&a);
        }
        objects_close(t, &a);
    }
}

/* Every number from 0 to 5000 that is not a power of two, and a few large ones, is refused by all
 * three functions. */
TEST(objects, alignment_must_be_a_power_of_two)
{
    arena_t a;
    size_t align, k;
    unsigned char *p;
    static const size_t large[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2, SIZE_MAX / 2 + 2};
    objects_open(&a, t, 0);
    p = (unsigned char *)arena_alloc(&a, 10, 1);
    NEED(p != NULL);
    block_add(p, 10);
    for (k = 0; k < 5000 + 4; k++) {
        align = k < 5000 ? k : large[k - 5000];
        if (align != 0 && (align & (align - 1)) == 0) continue;
        CHECK(arena_alloc(&a, 8, align) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
        arena_clear_status(&a);
        CHECK(arena_alloc_zeroed(&a, 8, align) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
        arena_clear_status(&a);
        CHECK(arena_realloc(&a, p, 10, 12, align) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
        arena_clear_status(&a);
    }
    CHECK_EQ(arena_size(&a), 10);
    CHECK(blocks_whole());
    CHECK(arena_alloc(&a, 1, 1) == (void *)(p + 10));
    CHECK_EQ(arena_status(&a), ARENA_OK);
    objects_close(t, &a);
}

TEST(objects, nothing_is_asked_and_nothing_given)
{
    arena_t a;
    arena_t untouched;
    objects_open(&a, t, 0);
    memset(&untouched, 0, sizeof untouched);
    CHECK(arena_alloc(&untouched, 0, 1) == NULL);
    CHECK(arena_alloc_zeroed(&untouched, 0, 4096) == NULL);
    CHECK(ARENA_NEW_ARRAY(&untouched, int, 0) == NULL);
    CHECK_EQ(arena_status(&untouched), ARENA_OK);
    CHECK(arena_alloc(&a, 0, 1) == NULL);
    CHECK(arena_alloc_zeroed(&a, 0, 64) == NULL);
    CHECK(ARENA_NEW_ARRAY(&a, double, 0) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK_EQ(t->mem.allocs, 0);
    CHECK_EQ(arena_size(&a), 0);
    NEED(arena_alloc(&a, 5, 1) != NULL);
    CHECK(arena_alloc(&a, 0, 16) == NULL);
    CHECK_EQ(arena_size(&a), 5);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    objects_close(t, &a);
    arena_release(&untouched);
}

/* Sizes that no object can have, with every alignment, from every function; nothing is stored and
 * nothing asked. */
TEST(objects, sizes_that_no_object_has)
{
    static const size_t less[] = {0,  1,   2,   7,    8,    9,    15,   16,    17,    62,   63,
                                  64, 511, 512, 4094, 4095, 4096, 4097, 65535, 65536, 65537};
    const volatile size_t zero = 0;
    const size_t none = zero;
    int used;
    for (used = 0; used < 2; used++) {
        arena_t a;
        size_t i, align;
        unsigned char *p = NULL;
        objects_open(&a, t, 0);
        if (used) {
            p = (unsigned char *)arena_alloc(&a, 10, 1);
            NEED(p != NULL);
            block_add(p, 10);
        }
        for (i = 0; i < sizeof less / sizeof less[0]; i++) {
            for (align = 1; align <= 4096; align *= 2) {
                size_t n = SIZE_MAX - less[i];
                int k;
                for (k = 0; k < 2; k++) {
                    CHECK(arena_alloc(&a, n, align) == NULL);
                    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
                    arena_clear_status(&a);
                    CHECK(arena_alloc_zeroed(&a, n, align) == NULL);
                    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
                    arena_clear_status(&a);
                    if (p != NULL) {
                        CHECK(arena_realloc(&a, p, 10, n, align) == NULL);
                        CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
                        arena_clear_status(&a);
                    }
                    n = (size_t)PTRDIFF_MAX + 1 + less[i];
                }
                /* Just below the bound it may be refused as too large once padded, or by the hook:
                 * never given. */
                CHECK(arena_alloc(&a, (size_t)PTRDIFF_MAX - less[i], align) == NULL);
                CHECK(arena_status(&a) == ARENA_TOO_LARGE || arena_status(&a) == ARENA_NO_MEMORY);
                arena_clear_status(&a);
            }
        }
        /* Not constants, or the compiler warns of what is tested here. */
        CHECK(ARENA_NEW_ARRAY(&a, int, SIZE_MAX - none) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
        arena_clear_status(&a);
        CHECK(ARENA_NEW_ARRAY(&a, int, none + SIZE_MAX / sizeof(int)) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
        arena_clear_status(&a);
        /* The product wraps to a small number in each of these. */
        CHECK(ARENA_NEW_ARRAY(&a, int, none + SIZE_MAX / sizeof(int) + 1) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
        arena_clear_status(&a);
        CHECK(ARENA_NEW_ARRAY(&a, int, none + SIZE_MAX / sizeof(int) + 2) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
        arena_clear_status(&a);
        CHECK_EQ(arena_size(&a), used ? 10 : 0);
        CHECK(blocks_whole());
        CHECK(arena_is_valid(&a));
        CHECK(arena_alloc(&a, 100, 8) != NULL);
        CHECK_EQ(arena_status(&a), ARENA_OK);
        objects_close(t, &a);
    }
}

/* An alignment far beyond 4096 either works or is refused cleanly. */
TEST(objects, very_large_alignments)
{
    arena_t a;
    size_t align;
    objects_open(&a, t, 0);
    for (align = 8192; align <= ((size_t)1 << 22); align *= 2) {
        void *p = arena_alloc(&a, 24, align);
        NEED(p != NULL);
        CHECK(block_aligned(p, align));
        block_add(p, 24);
    }
    CHECK(blocks_whole());
    /* The largest power of two: padding alone leaves the address space. */
    CHECK(arena_alloc(&a, 24, SIZE_MAX / 2 + 1) == NULL);
    CHECK(arena_status(&a) == ARENA_TOO_LARGE || arena_status(&a) == ARENA_NO_MEMORY);
    CHECK(blocks_whole());
    objects_close(t, &a);
}

/* Memory that held other bytes before a reset or a rewind is cleared again. */
TEST(objects, zeroed_on_memory_used_before)
{
    arena_t a;
    int round;
    objects_open(&a, t, 3000);
    for (round = 0; round < 3; round++) {
        arena_mark_t m = arena_mark(&a);
        size_t n;
        void *p;
        for (n = 1; n < 200; n++) {
            unsigned char *z;
            p = arena_alloc(&a, n, 1);
            NEED(p != NULL);
            memset(p, 0xff, n);
            (void)m;
            z = (unsigned char *)arena_alloc_zeroed(&a, n, (size_t)1 << (n % 7));
            NEED(z != NULL);
            CHECK(z[0] == 0 && memcmp(z, z + 1, n - 1) == 0);
            memset(z, 0xee, n);
        }
        if (round == 1) {
            CHECK(arena_rewind(&a, m));
        } else {
            arena_reset(&a);
        }
    }
    objects_close(t, &a);
}

struct objects_small {
    char c;
};
struct objects_mixed {
    char c;
    double d;
    char e;
    long long l;
    void *p;
};
struct objects_odd {
    char c[3];
};
struct objects_huge {
    char c[70000];
    int last;
};
union objects_union {
    char c;
    long double d;
    void (*f)(void);
};

#define OBJECTS_ALIGN_OF(T) offsetof(struct objects_probe_##T, v)
struct objects_probe_mixed {
    char c;
    struct objects_mixed v;
};
struct objects_probe_union {
    char c;
    union objects_union v;
};

static bool all_zero(const void *p, size_t n)
{
    const unsigned char *b = (const unsigned char *)p;
    size_t i;
    for (i = 0; i < n; i++) {
        if (b[i] != 0) return false;
    }
    return true;
}

TEST(objects, new_gives_one_zeroed_object_of_any_type)
{
    arena_t a;
    int round;
    objects_open(&a, t, 0);
    for (round = 0; round < 300; round++) {
        char *c = ARENA_NEW(&a, char);
        struct objects_small *s = ARENA_NEW(&a, struct objects_small);
        struct objects_mixed *m = ARENA_NEW(&a, struct objects_mixed);
        struct objects_odd *o = ARENA_NEW(&a, struct objects_odd);
        union objects_union *u = ARENA_NEW(&a, union objects_union);
        char **cp = ARENA_NEW(&a, char *);
        const char **ccp = ARENA_NEW(&a, const char *);
        NEED(c != NULL && s != NULL && m != NULL && o != NULL && u != NULL && cp != NULL &&
             ccp != NULL);
        CHECK(*c == 0 && s->c == 0 && *cp == NULL && *ccp == NULL);
        CHECK(all_zero(o, sizeof *o));
        CHECK(all_zero(u, sizeof *u));
        CHECK(m->c == 0 && m->e == 0 && m->l == 0 && m->p == NULL && !(m->d < 0.0) &&
              !(m->d > 0.0));
        CHECK(block_aligned(m, OBJECTS_ALIGN_OF(mixed)));
        CHECK(block_aligned(u, OBJECTS_ALIGN_OF(union)));
        CHECK(block_aligned(cp, sizeof(char *) < 8 ? 2 : 8));
        if (round % 100 == 99) {
            struct objects_huge *h = ARENA_NEW(&a, struct objects_huge);
            NEED(h != NULL);
            CHECK(all_zero(h, sizeof *h));
            memset(h, 0xff, sizeof *h);
        }
        memset(m, 0xff, sizeof *m);
        memset(o, 0xff, sizeof *o);
        memset(u, 0xff, sizeof *u);
        *c = 1;
        s->c = 1;
        *cp = c;
        *ccp = "text";
        if (round % 50 == 49) arena_reset(&a);
    }
    CHECK_EQ(arena_status(&a), ARENA_OK);
    objects_close(t, &a);
}

TEST(objects, new_array_gives_zeroed_elements)
{
    arena_t a;
    size_t n;
    objects_open(&a, t, 2048);
    for (n = 1; n < 500; n += 7) {
        struct objects_mixed *m = ARENA_NEW_ARRAY(&a, struct objects_mixed, n);
        short *s = ARENA_NEW_ARRAY(&a, short, n + 1);
        NEED(m != NULL && s != NULL);
        CHECK(all_zero(m, n * sizeof *m));
        CHECK(all_zero(s, (n + 1) * sizeof *s));
        CHECK(block_aligned(m, OBJECTS_ALIGN_OF(mixed)));
        block_add(m, n * sizeof *m);
        block_add(s, (n + 1) * sizeof *s);
    }
    CHECK(blocks_whole());
    objects_close(t, &a);
}

#ifdef __GNUC__
struct objects_line {
    int v;
} __attribute__((aligned(64)));
struct objects_page {
    char c;
} __attribute__((aligned(4096)));

TEST(objects, new_honours_over_aligned_types)
{
    arena_t a;
    int i;
    objects_open(&a, t, 20000);
    for (i = 0; i < 50; i++) {
        struct objects_line *l;
        struct objects_page *p;
        block_add(arena_alloc(&a, 1, 1), 1);
        l = ARENA_NEW(&a, struct objects_line);
        NEED(l != NULL);
        CHECK(block_aligned(l, 64));
        block_add(l, sizeof *l);
        p = ARENA_NEW_ARRAY(&a, struct objects_page, 2);
        NEED(p != NULL);
        CHECK(block_aligned(p, 4096));
        block_add(p, 2 * sizeof *p);
    }
    CHECK(blocks_whole());
    objects_close(t, &a);
}
#else
TEST(objects, new_honours_over_aligned_types) { CHECK(t != NULL); }
#endif

TEST(objects, realloc_at_the_tip_is_in_place_both_ways)
{
    arena_t a;
    unsigned char *p, *q;
    size_t n, old = 10;
    objects_open(&a, t, 4096);
    CHECK(arena_alloc(&a, 3, 1) != NULL);
    p = (unsigned char *)arena_alloc(&a, old, 1);
    NEED(p != NULL);
    memset(p, 7, old);
    for (n = 11; n < 4000; n += n / 3) {
        q = (unsigned char *)arena_realloc(&a, p, old, n, 1);
        CHECK(q == p);
        NEED(q != NULL);
        CHECK(all_zero(q, 0) && q[0] == 7 && q[old - 1] == 7);
        memset(q, 7, n);
        CHECK_EQ(arena_size(&a), 3 + n);
        old = n;
    }
    for (n = old - 1; n > 5; n -= 1 + n / 4) {
        q = (unsigned char *)arena_realloc(&a, p, old, n, 1);
        CHECK(q == p);
        CHECK_EQ(arena_size(&a), 3 + n);
        old = n;
    }
    /* What was given back is given out again. */
    CHECK((unsigned char *)arena_alloc(&a, 1, 1) == p + old);
    CHECK_EQ(arena_chunk_count(&a), 1);
    CHECK_EQ(t->mem.allocs, 1);
    objects_close(t, &a);
}

/* At the tip growth is in place to the very end of the chunk; one byte more moves the block. */
TEST(objects, realloc_to_the_exact_end_of_the_chunk)
{
    size_t head;
    for (head = 0; head < 40; head++) {
        arena_t a;
        unsigned char *p, *q;
        objects_open(&a, t, 1000);
        if (head > 0) NEED(arena_alloc(&a, head, 1) != NULL);
        p = (unsigned char *)arena_alloc(&a, 20, 1);
        NEED(p != NULL);
        memset(p, 9, 20);
        q = (unsigned char *)arena_realloc(&a, p, 20, 1000 - head, 1);
        CHECK(q == p);
        NEED(q != NULL);
        memset(q, 9, 1000 - head);
        CHECK_EQ(arena_chunk_count(&a), 1);
        q = (unsigned char *)arena_realloc(&a, p, 1000 - head, 1000 - head + 1, 1);
        NEED(q != NULL);
        CHECK(q != p);
        CHECK_EQ(arena_chunk_count(&a), 2);
        CHECK(q[0] == 9 && memcmp(q, q + 1, 1000 - head - 1) == 0);
        q[1000 - head] = 1;
        objects_close(t, &a);
    }
}

TEST(objects, realloc_elsewhere_copies)
{
    arena_t a;
    unsigned char *p, *q, *r;
    objects_open(&a, t, 4096);
    p = (unsigned char *)arena_alloc(&a, 100, 8);
    NEED(p != NULL);
    memset(p, 1, 100);
    q = (unsigned char *)arena_alloc(&a, 10, 1);
    NEED(q != NULL);
    memset(q, 2, 10);
    /* Shrinking stays where it is. */
    r = (unsigned char *)arena_realloc(&a, p, 100, 50, 8);
    CHECK(r == p);
    /* Growing cannot, since q follows. */
    r = (unsigned char *)arena_realloc(&a, p, 50, 300, 8);
    NEED(r != NULL);
    CHECK(r != p);
    CHECK(r[0] == 1 && memcmp(r, r + 1, 49) == 0);
    CHECK(q[0] == 2 && memcmp(q, q + 1, 9) == 0);
    /* An oversized block, both ways. */
    p = (unsigned char *)arena_realloc(&a, r, 300, 50000, 8);
    NEED(p != NULL);
    CHECK(p[0] == 1 && memcmp(p, p + 1, 49) == 0);
    memset(p, 3, 50000);
    r = (unsigned char *)arena_realloc(&a, p, 50000, 120000, 8);
    NEED(r != NULL);
    CHECK(r[0] == 3 && memcmp(r, r + 1, 49999) == 0);
    memset(r, 4, 120000);
    p = (unsigned char *)arena_realloc(&a, r, 120000, 20, 8);
    NEED(p != NULL);
    CHECK(p[0] == 4 && memcmp(p, p + 1, 19) == 0);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    objects_close(t, &a);
}

TEST(objects, realloc_that_moves_leaves_its_storage_for_use)
{
    arena_t a;
    char *p, *q;
    size_t first;
    objects_open(&a, t, 4096);
    p = (char *)arena_alloc(&a, 96, 8);
    first = arena_stats(&a).padding;    /* where chunks are aligned to less */
    NEED(p != NULL && arena_alloc(&a, 8, 8) != NULL);
    q = (char *)arena_realloc(&a, p, 96, 200, 8);
    NEED(q != NULL);
    CHECK(q != p);
    CHECK_EQ(arena_size(&a), 8 + 200);
    CHECK_EQ(arena_stats(&a).padding, first + 96);
    CHECK(arena_realloc(&a, NULL, 0, 96, 8) == p);
    CHECK_EQ(arena_size(&a), 8 + 200 + 96);
    CHECK_EQ(arena_stats(&a).padding, first);
    objects_close(t, &a);
}

TEST(objects, storage_of_the_last_64_chunks_waits)
{
    /* What dies in the 64 chunks opened last is padding and is used again, as is what dies in the
     * chunk where something died last; further back it counts as size still. */
    arena_t a;
    char foreign[64], *p[4], *last = NULL;
    size_t i;
    int back;
    for (back = 63; back <= 64; back++) {
        objects_open(&a, t, 256);
        CHECK(arena_reserve(&a, 256) != NULL);
        for (i = 0; i < 4; i++) p[i] = (char *)arena_alloc(&a, 64, 1);
        NEED(p[0] != NULL && p[3] != NULL);
        for (i = 0; i < (size_t)back; i++) last = arena_reserve(&a, 256);
        NEED(last != NULL);
        CHECK(arena_realloc(&a, p[0], 64, 0, 1) == NULL);
        CHECK_EQ(arena_stats(&a).padding, back == 63 ? 64 : 0);
        CHECK(arena_reserve(&a, 256) != NULL);
        CHECK(arena_realloc(&a, foreign, 64, 0, 1) == NULL);
        CHECK(arena_realloc(&a, p[2], 64, 0, 1) == NULL);
        CHECK_EQ(arena_stats(&a).padding, back == 63 ? 128 : 0);
        CHECK(arena_realloc(&a, last, 256, 0, 1) == NULL);
        CHECK_EQ(arena_stats(&a).padding, back == 63 ? 384 : 256);
        CHECK(arena_realloc(&a, p[1], 64, 0, 1) == NULL); /* No longer the chunk of the last. */
        CHECK_EQ(arena_stats(&a).padding, back == 63 ? 384 : 256);
        objects_close(t, &a);
    }
}

TEST(objects, padding_of_a_moved_block_is_zero)
{
    size_t at;
    for (at = 1; at < 16; at++) {
        arena_t a;
        char *p;
        size_t i, pad, first;
        objects_open(&a, t, 256);
        p = (char *)arena_alloc(&a, 16, 16);
        first = arena_stats(&a).padding;
        NEED(p != NULL && arena_alloc(&a, at, 1) != NULL);
        CHECK(arena_realloc(&a, NULL, 0, 32, 16) == p + 32);
        pad = 16 - at;
        for (i = 0; i < pad; i++) CHECK_EQ(p[16 + at + i], 0);
        CHECK_EQ(arena_stats(&a).padding, first + pad);
        objects_close(t, &a);
    }
}

TEST(objects, growing_from_nothing_or_one_byte)
{
    /* One byte at the tip grows in place. No bytes are no storage, wherever they are said to be. */
    arena_t a;
    char *p;
    objects_open(&a, t, 256);
    p = (char *)arena_alloc(&a, 1, 1);
    CHECK(arena_realloc(&a, p, 1, 10, 1) == p);
    CHECK_EQ(arena_size(&a), 10);
    CHECK(arena_realloc(&a, p, 0, 20, 1) == p + 10);
    CHECK_EQ(arena_size(&a), 30);
    objects_close(t, &a);
}

TEST(objects, four_waiting_blocks_of_a_size_are_tried)
{
    /* 100 bytes wait behind so many blocks of 70, which are of the same class and too short. */
    size_t shorter;
    for (shorter = 0; shorter < 6; shorter++) {
        arena_t a;
        void *longer, *p[6];
        size_t i;
        objects_open(&a, t, 4096);
        longer = arena_alloc(&a, 100, 1);
        for (i = 0; i < shorter; i++) {
            CHECK(arena_alloc(&a, 1, 1) != NULL); /* Neighbours would be joined. */
            p[i] = arena_alloc(&a, 70, 1);
        }
        CHECK(arena_alloc(&a, 1, 1) != NULL);
        CHECK(arena_realloc(&a, longer, 100, 0, 1) == NULL);
        for (i = 0; i < shorter; i++) CHECK(arena_realloc(&a, p[i], 70, 0, 1) == NULL);
        CHECK_EQ(arena_realloc(&a, NULL, 0, 90, 1) == longer, shorter < 4);
        objects_close(t, &a);
    }
}

TEST(objects, a_block_with_a_chunk_of_its_own_is_used_again)
{
    arena_t a;
    char *p;
    objects_open(&a, t, 4096);
    p = (char *)arena_alloc(&a, 10000, 8);
    NEED(p != NULL && arena_alloc(&a, 8, 1) != NULL);
    CHECK_EQ(arena_stats(&a).oversized, 1);
    CHECK(arena_realloc(&a, p, 10000, 0, 8) == NULL);
    CHECK_EQ(arena_size(&a), 8);
    CHECK_EQ(arena_stats(&a).padding, 10000);
    CHECK(arena_realloc(&a, NULL, 0, 10000, 8) == p);
    CHECK_EQ(arena_size(&a), 8 + 10000);
    CHECK_EQ(arena_chunk_count(&a), 2);
    /* Longer than it is, or not its beginning: not what was given out, and left alone. */
    CHECK(arena_realloc(&a, p, 10001, 0, 8) == NULL);
    CHECK(arena_realloc(&a, p + 1, 10000, 0, 1) == NULL);
    CHECK_EQ(arena_size(&a), 8 + 10000);
    objects_close(t, &a);
}

TEST(objects, realloc_edges)
{
    arena_t a;
    unsigned char *p, *q;
    objects_open(&a, t, 0);
    /* NULL and 0 old bytes: the same as alloc. */
    p = (unsigned char *)arena_realloc(&a, NULL, 0, 24, 8);
    NEED(p != NULL);
    CHECK(block_aligned(p, 8));
    CHECK_EQ(arena_size(&a), 24);
    memset(p, 5, 24);
    /* The same size again. */
    CHECK(arena_realloc(&a, p, 24, 24, 8) == (void *)p);
    /* No new bytes: NULL, and no error. */
    CHECK(arena_realloc(&a, NULL, 0, 0, 8) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    q = (unsigned char *)arena_alloc(&a, 8, 8);
    NEED(q != NULL);
    memset(q, 6, 8);
    CHECK(arena_realloc(&a, q, 8, 0, 8) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK(p[0] == 5 && memcmp(p, p + 1, 23) == 0);
    CHECK(arena_is_valid(&a));
    objects_close(t, &a);
}

/* A stricter alignment moves the block, also when it shrinks, and keeps what it holds. */
TEST(objects, realloc_with_a_stricter_alignment)
{
    size_t align, offset;
    for (align = 2; align <= 4096; align *= 2) {
        for (offset = 1; offset < 20; offset += 3) {
            int tip;
            for (tip = 0; tip < 2; tip++) {
                size_t n;
                static const size_t sizes[] = {10, 50, 99, 100, 101, 500};
                for (n = 0; n < 6; n++) {
                    arena_t a;
                    unsigned char *p, *q;
                    size_t keep = sizes[n] < 100 ? sizes[n] : 100;
                    objects_open(&a, t, 12000);
                    block_add(arena_alloc(&a, offset, 1), offset);
                    p = (unsigned char *)arena_alloc(&a, 100, 1);
                    NEED(p != NULL);
                    memset(p, 0xc3, 100);
                    if (!tip) block_add(arena_alloc(&a, 6, 1), 6);
                    q = (unsigned char *)arena_realloc(&a, p, 100, sizes[n], align);
                    NEED(q != NULL);
                    CHECK(block_aligned(q, align));
                    CHECK(q[0] == 0xc3 && memcmp(q, q + 1, keep - 1) == 0);
                    memset(q, 0xc4, sizes[n]);
                    CHECK(blocks_whole());
                    objects_close(t, &a);
                }
            }
        }
    }
}

TEST(objects, realloc_that_fails_leaves_the_block)
{
    arena_t a;
    arena_options_t options;
    unsigned char *p;
    arena_stats_t before, after;
    memset(&options, 0, sizeof options);
    options.chunk_bytes = 1000;
    options.hooks = t->hooks;
    CHECK_EQ(arena_init(&a, &options), ARENA_OK);
    p = (unsigned char *)arena_alloc(&a, 600, 1);
    NEED(p != NULL);
    memset(p, 0x3c, 600);
    before = arena_stats(&a);
    t->mem.fail_from = 1;
    CHECK(arena_realloc(&a, p, 600, 1001, 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    arena_clear_status(&a);
    CHECK(arena_realloc(&a, p, 600, 2000, 4096) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    arena_clear_status(&a);
    t->mem.fail_from = 0;
    after = arena_stats(&a);
    CHECK_EQ(before.size, after.size);
    CHECK_EQ(before.used, after.used);
    CHECK_EQ(before.padding, after.padding);
    CHECK_EQ(before.stranded, after.stranded);
    CHECK_EQ(before.retained, after.retained);
    CHECK_EQ(before.allocated, after.allocated);
    CHECK(p[0] == 0x3c && memcmp(p, p + 1, 599) == 0);
    /* Still at the tip, and still growing in place. */
    CHECK(arena_realloc(&a, p, 600, 1000, 1) == (void *)p);
    objects_close(t, &a);
}

/* A block from before a mark, shrunk after it: the rewind brings all of its bytes back, and nothing
 * of what was stored since. */
TEST(objects, a_mark_is_a_fence_for_realloc)
{
    arena_t a;
    unsigned char *p, *q, *r;
    arena_mark_t m;
    size_t size;
    int i;
    objects_open(&a, t, 8192);
    p = (unsigned char *)arena_alloc(&a, 100, 1);
    NEED(p != NULL);
    memset(p, 0x11, 100);
    size = arena_size(&a);
    m = arena_mark(&a);
    q = (unsigned char *)arena_realloc(&a, p, 100, 10, 1);
    NEED(q != NULL);
    for (i = 0; i < 30; i++) {
        r = (unsigned char *)arena_alloc(&a, 10, 1);
        NEED(r != NULL);
        memset(r, 0x22, 10);
    }
    CHECK(p[0] == 0x11 && memcmp(p, p + 1, 99) == 0);
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(arena_size(&a), size);
    CHECK(p[0] == 0x11 && memcmp(p, p + 1, 99) == 0);
    r = (unsigned char *)arena_alloc(&a, 10, 1);
    NEED(r != NULL);
    CHECK(r >= p + 100 || r + 10 <= p);
    memset(r, 0x33, 10);
    CHECK(p[0] == 0x11 && memcmp(p, p + 1, 99) == 0);
    /* Freed by realloc to nothing, before and after a mark. */
    m = arena_mark(&a);
    CHECK(arena_realloc(&a, r, 10, 0, 1) == NULL);
    q = (unsigned char *)arena_alloc(&a, 10, 1);
    NEED(q != NULL);
    memset(q, 0x44, 10);
    CHECK(arena_rewind(&a, m));
    CHECK(r[0] == 0x33 && memcmp(r, r + 1, 9) == 0);
    CHECK(arena_is_valid(&a));
    objects_close(t, &a);
}

/* Grown across a mark, a block keeps its old bytes in both states. */
TEST(objects, storage_of_after_a_mark_goes_back)
{
    /* The fence stands where the mark was taken, in a chunk that goes on being filled and in one
     * whose tail is open, and where a rewind went back to. */
    arena_t a;
    arena_mark_t m;
    char *p, *q;
    int again;
    objects_open(&a, t, 4096);
    CHECK(arena_alloc(&a, 3000, 1) != NULL);
    CHECK(arena_alloc(&a, 3400, 1) != NULL); /* Leaves 696 bytes, and is filled; the other 1096. */
    m = arena_mark(&a);
    for (again = 0; again < 3; again++) {
        p = (char *)arena_alloc(&a, 100, 1);
        q = (char *)arena_alloc(&a, 1000, 1); /* In the other chunk. */
        NEED(p != NULL && q != NULL);
        CHECK_EQ(arena_chunk_count(&a), 2);
        CHECK(arena_realloc(&a, p, 100, 0, 1) == NULL);
        CHECK(arena_realloc(&a, q, 1000, 0, 1) == NULL);
        CHECK_EQ(arena_size(&a), 6400);
        CHECK_EQ(arena_stats(&a).padding, 0);
        CHECK(arena_alloc(&a, 1001, 1) == q);
        CHECK(arena_alloc(&a, 10, 1) == p);
        CHECK(arena_rewind(&a, m));
    }
    objects_close(t, &a);
}

TEST(objects, realloc_that_grows_over_a_mark)
{
    arena_t a;
    unsigned char *p, *q;
    arena_mark_t m;
    size_t n;
    for (n = 101; n < 20000; n += n) {
        objects_open(&a, t, 4096);
        p = (unsigned char *)arena_alloc(&a, 100, 1);
        NEED(p != NULL);
        memset(p, 0x11, 100);
        m = arena_mark(&a);
        q = (unsigned char *)arena_realloc(&a, p, 100, n, 1);
        NEED(q != NULL);
        CHECK(q[0] == 0x11 && memcmp(q, q + 1, 99) == 0);
        if (q != p)
            memset(q, 0x22, n);
        else
            memset(q + 100, 0x22, n - 100);
        CHECK(arena_rewind(&a, m));
        CHECK_EQ(arena_size(&a), 100);
        q = (unsigned char *)arena_alloc(&a, 300, 1);
        NEED(q != NULL);
        memset(q, 0x55, 300);
        CHECK(p[0] == 0x11 && memcmp(p, p + 1, 99) == 0);
        objects_close(t, &a);
    }
}

/* A few dozen blocks in random order, reallocated at random against a copy of what they must hold.
 */
TEST(objects, realloc_at_random)
{
    enum { LIVE = 40, MOST = 900 };
    static const size_t chunks[] = {65536, 3000, 500, 33};
    size_t c;
    for (c = 0; c < 4; c++) {
        arena_t a;
        unsigned char *p[LIVE];
        size_t n[LIVE], align[LIVE];
        unsigned char mark[LIVE];
        int step, i;
        memset(p, 0, sizeof p);
        memset(n, 0, sizeof n);
        memset(mark, 0, sizeof mark);
        memset(align, 0, sizeof align);
        objects_open(&a, t, chunks[c]);
        for (step = 0; step < 4000; step++) {
            size_t k = (size_t)(test_random(t) % LIVE), grown, keep, j;
            size_t want = (size_t)1 << (test_random(t) % 9);
            unsigned char *q;
            grown = (size_t)(test_random(t) % (test_random(t) % 8 ? 60 : MOST)) + 1;
            q = (unsigned char *)arena_realloc(&a, p[k], n[k], grown, want);
            NEED(q != NULL);
            CHECK(block_aligned(q, want));
            keep = n[k] < grown ? n[k] : grown;
            for (j = 0; j < keep; j++) {
                if (q[j] != mark[k]) break;
            }
            CHECK_EQ(j, keep);
            p[k] = q;
            n[k] = grown;
            mark[k] = (unsigned char)(step * 31 + 7);
            memset(q, mark[k], grown);
            if (step % 500 == 499) {
                CHECK(arena_is_valid(&a));
                for (i = 0; i < LIVE; i++) {
                    for (j = 0; j < n[i]; j++) {
                        if (p[i][j] != mark[i]) break;
                    }
                    CHECK_EQ(j, n[i]);
                }
            }
        }
        objects_close(t, &a);
    }
}

struct objects_probe_pointer { char c; void *v; };

/* Lua's allocator: ctx is the arena; osize says what kind of object is made when there is no block
 * yet. */
TEST(objects, allocf_as_lua_calls_it)
{
    arena_t a;
    unsigned char *p, *q;
    size_t kind;
    const size_t align = offsetof(struct objects_probe_pointer, v);
    objects_open(&a, t, 2048);
    for (kind = 0; kind < 10; kind++) {
        p = (unsigned char *)arena_allocf(&a, NULL, kind, 40);
        NEED(p != NULL);
        CHECK(block_aligned(p, align));
        block_add(p, 40);
    }
    CHECK(arena_allocf(&a, NULL, 5, 0) == NULL);
    CHECK(arena_allocf(&a, NULL, 0, 0) == NULL);
    p = (unsigned char *)arena_allocf(&a, NULL, 4, 64);
    NEED(p != NULL);
    memset(p, 0x77, 64);
    q = (unsigned char *)arena_allocf(&a, p, 64, 5000);
    NEED(q != NULL);
    CHECK(q[0] == 0x77 && memcmp(q, q + 1, 63) == 0);
    memset(q, 0x78, 5000);
    /* Lua assumes that shrinking never fails. */
    t->mem.fail_from = 1;
    p = (unsigned char *)arena_allocf(&a, q, 5000, 100);
    t->mem.fail_from = 0;
    NEED(p != NULL);
    CHECK(p[0] == 0x78 && memcmp(p, p + 1, 99) == 0);
    CHECK(arena_allocf(&a, p, 100, 0) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    /* A failure is NULL, and the old block stays. */
    p = (unsigned char *)arena_allocf(&a, NULL, 0, 100);
    NEED(p != NULL);
    memset(p, 0x79, 100);
    t->mem.fail_from = 1;
    CHECK(arena_allocf(&a, p, 100, 100000) == NULL);
    t->mem.fail_from = 0;
    CHECK(p[0] == 0x79 && memcmp(p, p + 1, 99) == 0);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    CHECK(blocks_whole());
    objects_close(t, &a);
}

/* Objects and bytes and strings share one arena; the alignment padding is counted as padding and
 * not as size. */
TEST(objects, padding_is_counted)
{
    arena_t a;
    arena_stats_t s;
    unsigned char *p;
    objects_open(&a, t, 8192);
    p = (unsigned char *)arena_alloc(&a, 1, 64);
    NEED(p != NULL);
    CHECK(block_aligned(p, 64));
    CHECK((unsigned char *)arena_alloc(&a, 8, 8) == p + 8);
    CHECK((unsigned char *)arena_alloc(&a, 3, 1) == p + 16);
    CHECK((unsigned char *)arena_alloc(&a, 64, 64) != NULL);
    s = arena_stats(&a);
    CHECK_EQ(s.size, 1 + 8 + 3 + 64);
    CHECK_EQ(s.used, s.size + s.padding + s.stranded);
    CHECK(s.padding >= 7);
    CHECK(s.padding <= 63 + 7 + 45);
    CHECK_EQ(arena_size(&a), s.size);
    objects_close(t, &a);
}
