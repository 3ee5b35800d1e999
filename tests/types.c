/*
 * Families of element types. Proves DESIGN section 1 and 2 for elements of 1, 3, 8 and 24 bytes,
 * pointers, over-aligned ones (64 and 4096) and ones larger than a chunk: "typed family"; "element
 * type pasted nowhere else (char * elements stay right)"; "max(1, chunk_bytes/sizeof T) elements";
 * "Over-aligned T (64, 4096) is honoured by every chunk, the user buffer too"; every verb of a
 * family counts in elements, size and retained in bytes.
 */
#include "support.h"

/* OVER(n) is the alignment that a type marked ALIGNED(n) really has. glibc's headers take all
 * attributes away from compilers that are not GNU's, tcc for one: there are no such types there. */
#if defined __GNUC__ || defined __clang__
#define ALIGNED(n) __attribute__((aligned(n)))
#define OVER(n) (n)
#elif defined _MSC_VER
#define ALIGNED(n) __declspec(align(n))
#define OVER(n) (n)
#else
#define ALIGNED(n)
#define OVER(n) 1
#endif

typedef unsigned char octet;
struct three {
    unsigned char b[3];
};
struct twenty_four {
    double d;
    void *p;
    char c;
};
struct lane {
    ALIGNED(64) uint32_t x[16];
};
struct page {
    ALIGNED(4096) unsigned char bytes[4096];
};
struct giant {
    uint64_t words[1000];
};

ARENA_DEFINE(octets, octet);
ARENA_DEFINE(threes, struct three);
ARENA_DEFINE(eights, uint64_t);
ARENA_DEFINE(twenty_fours, struct twenty_four);
ARENA_DEFINE(names, char *);
ARENA_DEFINE(constants, const char *);
ARENA_DEFINE(lanes, struct lane);
ARENA_DEFINE(pages, struct page);
ARENA_DEFINE(giants, struct giant);
typedef void (*types_callback)(int);
ARENA_DEFINE(callbacks, types_callback);

/*
 * One exercise for all: stores of 1 to 9 elements by all four verbs, over several chunks and two
 * batches, checked against the source, with Refs, marks and figures. The body stands in a macro
 * since only the names differ.
 */
#define EXERCISE(family, T, alignment)                                                             \
    static void exercise_##family(struct test *t, size_t chunk_bytes, void *buffer,                \
                                  size_t buffer_bytes)                                             \
    {                                                                                              \
        enum { STORES = 60, MOST = 9 };                                                            \
        static T source[MOST + 64];                                                                \
        static family##_ref_t refs[STORES];                                                        \
        static const family##_elem_t *where[STORES];                                               \
        static size_t counts[STORES];                                                              \
        size_t per_chunk = chunk_bytes / sizeof(T) > 0 ? chunk_bytes / sizeof(T) : 1;              \
        family##_t a;                                                                              \
        arena_options_t o;                                                                         \
        int batch;                                                                                 \
        memset(&o, 0, sizeof o);                                                                   \
        o.chunk_bytes = chunk_bytes;                                                               \
        o.buffer = buffer;                                                                         \
        o.buffer_bytes = buffer_bytes;                                                             \
        o.hooks = t->hooks;                                                                        \
        CHECK_EQ(sizeof(family##_ref_t), 12);                                                      \
        CHECK_EQ(sizeof(family##_elem_t), sizeof(T));                                              \
        CHECK_EQ(family##_init(&a, &o), ARENA_OK);                                                 \
        for (batch = 0; batch < 3; batch++) {                                                      \
            arena_mark_t mark;                                                                     \
            size_t i, total = 0, held = 0;                                                         \
            for (i = 0; i < STORES; i++) {                                                         \
                size_t n = counts[i] = 1 + (size_t)(test_random(t) % MOST);                        \
                fill_pattern(source, n * sizeof(T), (unsigned)i);                                  \
                memset(&refs[i], 0, sizeof refs[i]);                                               \
                if (i % 4 == 0) where[i] = family##_append(&a, source, n);                         \
                if (i % 4 == 1) {                                                                  \
                    refs[i] = family##_ref(&a, source, n);                                         \
                    where[i] = family##_value(&a, refs[i]).data;                                   \
                }                                                                                  \
                if (i % 4 >= 2) {                                                                  \
                    T *p = i % 4 == 2 ? family##_reserve(&a, n)                                    \
                                      : family##_reserve_ref(&a, n, &refs[i]);                     \
                    if (CHECK(p != NULL)) memcpy(p, source, n * sizeof(T));                        \
                    where[i] = p;                                                                  \
                }                                                                                  \
                if (!CHECK(where[i] != NULL)) return;                                              \
                CHECK_EQ((uintptr_t)where[i] % (alignment), 0);                                    \
                total += n;                                                                        \
                CHECK_EQ(family##_size(&a), total * sizeof(T));                                    \
                CHECK(family##_is_valid(&a));                                                      \
            }                                                                                      \
            for (i = 0; i < STORES; i++) {                                                         \
                fill_pattern(source, counts[i] * sizeof(T), (unsigned)i);                          \
                CHECK_MEM(where[i], source, counts[i] * sizeof(T));                                \
                if (i % 2 == 1) {                                                                  \
                    family##_view_t v = family##_value(&a, refs[i]);                               \
                    CHECK_EQ(v.len, counts[i]);                                                    \
                    CHECK(v.data == where[i]);                                                     \
                    CHECK(family##_value_unchecked(&a, refs[i]).data == where[i]);                 \
                    CHECK(!family##_ref_empty(refs[i]));                                           \
                }                                                                                  \
            }                                                                                      \
            for (i = 0; i < family##_chunk_count(&a); i++) held += family##_chunk(&a, i).len;      \
            CHECK_EQ(held, total);                                                                 \
            CHECK_EQ(family##_stats(&a).padding, 0);                                               \
            CHECK_EQ(family##_stats(&a).size, total * sizeof(T));                                  \
            if (buffer == NULL) {                                                                  \
                CHECK_EQ(family##_retained(&a) % sizeof(T), 0);                                    \
                CHECK(family##_retained(&a) >= per_chunk * sizeof(T));                             \
                CHECK_EQ(family##_stats(&a).allocated, t->mem.live_bytes);                         \
            }                                                                                      \
            mark = family##_mark(&a);                                                              \
            for (i = 0; i < 10; i++) CHECK(family##_append(&a, source, 1 + i % MOST) != NULL);     \
            CHECK(family##_rewind(&a, mark));                                                      \
            CHECK_EQ(family##_size(&a), total * sizeof(T));                                        \
            if (batch == 1)                                                                        \
                family##_release(&a);                                                              \
            else                                                                                   \
                family##_reset(&a);                                                                \
            CHECK_EQ(family##_size(&a), 0);                                                        \
            CHECK_EQ(family##_value(&a, refs[1]).len, 0);                                          \
        }                                                                                          \
        CHECK_EQ(family##_status(&a), ARENA_OK);                                                   \
        family##_trim(&a, 0);                                                                      \
        CHECK(family##_append(&a, NULL, 1) == NULL);                                               \
        CHECK_EQ(family##_status(&a), ARENA_ARGUMENT);                                             \
        family##_clear_status(&a);                                                                 \
        family##_release(&a);                                                                      \
        CHECK_EQ(t->mem.live_blocks, 0);                                                           \
    }                                                                                              \
    TEST(types, family)                                                                            \
    {                                                                                              \
        static unsigned char buffer[40000];                                                        \
        size_t shift;                                                                              \
        exercise_##family(t, 0, NULL, 0);                                                          \
        exercise_##family(t, 1, NULL, 0);                                                          \
        exercise_##family(t, sizeof(T), NULL, 0);                                                  \
        exercise_##family(t, 4 * sizeof(T) + 1, NULL, 0);                                          \
        exercise_##family(t, 10 * sizeof(T) - 1, NULL, 0);                                         \
        for (shift = 0; shift < 70; shift += 23) {                                                 \
            exercise_##family(t, 5 * sizeof(T), buffer + shift, 100);                              \
            exercise_##family(t, 5 * sizeof(T), buffer + shift, sizeof buffer - shift);            \
        }                                                                                          \
    }

struct align_of_eight {
    char c;
    uint64_t x;
};
struct align_of_pointer {
    char c;
    void *x;
};

EXERCISE(octets, octet, 1)
EXERCISE(threes, struct three, 1)
EXERCISE(eights, uint64_t, offsetof(struct align_of_eight, x))
EXERCISE(twenty_fours, struct twenty_four, offsetof(struct align_of_pointer, x))
EXERCISE(names, char *, offsetof(struct align_of_pointer, x))
EXERCISE(constants, const char *, offsetof(struct align_of_pointer, x))
EXERCISE(lanes, struct lane, OVER(64))
EXERCISE(pages, struct page, OVER(4096))
EXERCISE(giants, struct giant, offsetof(struct align_of_eight, x))
EXERCISE(callbacks, types_callback, offsetof(struct align_of_pointer, x))

TEST(types, pointer_elements_keep_their_type)
{
    /* A const view of char * is char *const *: the pointers may not be changed, what they point to
     * may. */
    names_t a = {0};
    char one[] = "one", two[] = "two";
    char *both[2];
    char *const *p;
    names_view_t v;
    names_ref_t r;
    both[0] = one;
    both[1] = two;
    p = names_append(&a, both, 2);
    if (CHECK(p != NULL)) {
        p[1][0] = 'T';
        CHECK_STR(two, "Two");
    }
    r = names_ref(&a, both, 2);
    v = names_value(&a, r);
    CHECK_EQ(v.len, 2);
    CHECK(v.data[0] == one);
    names_release(&a);
}

TEST(types, over_aligned_in_every_chunk)
{
    /* Kept chunks after a reset, oversized ones and the first of all: 64 and 4096 hold everywhere.
     */
    lanes_t a;
    pages_t b;
    arena_options_t o;
    int round, i;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 3 * 4096;
    o.hooks = t->hooks;
    CHECK_EQ(lanes_init(&a, &o), ARENA_OK);
    CHECK_EQ(pages_init(&b, &o), ARENA_OK);
    for (round = 0; round < 3; round++) {
        for (i = 0; i < 100; i++) {
            struct lane *p = lanes_reserve(&a, i % 10 == 0 ? 200 : 7);
            struct page *q = pages_reserve(&b, i % 10 == 0 ? 5 : 1);
            CHECK_EQ((uintptr_t)p % OVER(64), 0);
            CHECK_EQ((uintptr_t)q % OVER(4096), 0);
        }
        CHECK_EQ(lanes_size(&a), 100 / 10 * 200 * 64 + 90 * 7 * 64);
        lanes_reset(&a);
        pages_reset(&b);
    }
    lanes_release(&a);
    pages_release(&b);
}

TEST(types, element_larger_than_a_chunk)
{
    NEEDS_KEPT_CHUNKS();
    giants_t a;
    arena_options_t o;
    struct giant *p;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 100;
    o.hooks = t->hooks;
    CHECK_EQ(giants_init(&a, &o), ARENA_OK);
    p = giants_reserve(&a, 1);
    CHECK(p != NULL);
    CHECK_EQ(giants_retained(&a), sizeof *p);
    CHECK_EQ(giants_stats(&a).oversized, 0); /* One element is what a chunk holds here. */
    CHECK(giants_reserve(&a, 1) != NULL);
    CHECK_EQ(giants_retained(&a), 2 * sizeof *p);
    CHECK(giants_reserve(&a, 2) != NULL);
    CHECK_EQ(giants_stats(&a).oversized, 1);
    giants_reset(&a);
    CHECK_EQ(giants_retained(&a), 2 * sizeof *p);
    giants_release(&a);
}
