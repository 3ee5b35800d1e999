/*
 * An arena that runs out of chunk numbers, and library functions that misbehave. This file has a
 * copy of the implementation of its own, with 3 chunk numbers instead of 2^23, a strlen that can
 * lie and a vsnprintf that can fail. Proves these sentences:
 * "Limits of a Ref: at least 2^23 chunks. Checked before anything is stored: an error, and nothing
 * stored. append and intern have no such limit: a longer value, or a chunk without a number, is
 * stored all the same and only a Ref to it is refused"; "sizes above PTRDIFF_MAX are
 * ARENA_TOO_LARGE" for strjoin; "ARENA_ARGUMENT where the format fails"; "ARENA_STATIC makes
 * everything static", since the program holds two implementations.
 */
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The length of the string "lie" is whatever this says. */
static size_t few_lie;
static size_t few_strlen(const char *s)
{
    if (few_lie != 0 && strcmp(s, "lie") == 0) return few_lie;
    return strlen(s);
}

/* Fails that many calls from now, counted down, if not 0. */
static int few_failing_format;
static int few_formats; /* How often it was called. */
static size_t few_room; /* What it was told last. */
static int few_vsnprintf(char *to, size_t room, const char *fmt, va_list args)
{
    few_formats++;
    few_room = room;
    if (few_failing_format > 0 && --few_failing_format == 0) return -1;
    return vsnprintf(to, room, fmt, args);
}

/* What another thread does right after a load of what a group's lanes share, once. */
#if defined __GNUC__ && !defined __TINYC__ && !defined ARENA_NO_ATOMICS && !defined __cplusplus
#define FEW_MEDDLES 1
static void (*few_meddle)(void);
#define ARENA_LOAD_(x)                                                                             \
    __extension__({                                                                                \
        __typeof__(x) few_seen = __atomic_load_n(&(x), __ATOMIC_RELAXED);                          \
        if (few_meddle != NULL) few_meddle();                                                      \
        few_seen;                                                                                  \
    })
#endif

/* Whether the compiler is said to know lengths and alignments; the results may not depend on it. */
static int few_constant; /* 0 no, 1 yes, 2 by turns */
#if defined __GNUC__ || defined __clang__
static int few_turn;
static int few_is_constant(void) { return few_constant == 2 ? ++few_turn & 1 : few_constant; }
#define ARENA_CONSTANT_(x) ((void)(x), few_is_constant())
#endif

#define ARENA_STATIC
#define ARENA_REF_CHUNKS 3
#define ARENA_STRLEN few_strlen
#define ARENA_VSNPRINTF few_vsnprintf
#define ARENA_IMPLEMENTATION
#include "support.h"

ARENA_DEFINE(fews, uint32_t);

static char source[256];

static void prepare(void) { fill_pattern(source, sizeof source, 5); }

TEST(few, append_goes_on_without_numbers)
{
    arena_t a;
    const char *p[20];
    size_t i;
    prepare();
    start(t, &a, 64);
    for (i = 0; i < 20; i++) p[i] = arena_append(&a, source + i, 60);
    for (i = 0; i < 20; i++) CHECK_MEM(p[i], source + i, 60);
    CHECK_EQ(arena_chunk_count(&a), 20);
    CHECK_EQ(arena_size(&a), 1200);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    for (i = 0; i < 20; i++) {
        CHECK(arena_chunk(&a, i).data == p[i]);
        CHECK_EQ(arena_chunk(&a, i).len, 60);
    }
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(few, small_values_fill_chunks_without_numbers)
{
    arena_t a;
    size_t i;
    prepare();
    start(t, &a, 64);
    for (i = 0; i < 64 * 10; i++) {
        const char *p = arena_append(&a, source + i % 200, 1);
        CHECK_MEM(p, source + i % 200, 1);
        CHECK_EQ(arena_chunk_count(&a), 1 + i / 64);
    }
    CHECK_EQ(arena_retained(&a), 640);
    CHECK_EQ(arena_stats(&a).used, 640);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(few, refs_are_refused_and_nothing_is_stored)
{
    arena_t a;
    arena_ref_t refs[3], r;
    struct snapshot before;
    size_t i, calls;
    prepare();
    start(t, &a, 64);
    for (i = 0; i < 3; i++) refs[i] = arena_ref(&a, source + i, 64);
    before = snapshot_of(&a);
    calls = t->mem.allocs;
    CHECK(arena_ref_empty(arena_ref(&a, source, 1)));
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    arena_clear_status(&a);
    memset(&r, 0xEE, sizeof r);
    CHECK(arena_reserve_ref(&a, 10, &r) == NULL);
    CHECK(r.chunk == 0 && r.off == 0 && r.len == 0);
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    arena_clear_status(&a);
    CHECK(arena_ref_empty(arena_strref(&a, (const char *)opaque_source("x"))));
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    arena_clear_status(&a);
    CHECK(arena_ref_empty(arena_ref(&a, source, 200)));
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    arena_clear_status(&a);
    CHECK_EQ(t->mem.allocs, calls);
    CHECK_STR(snapshot_difference(&before, &a), "");
    /* intern and printf go on, reserve too; the Refs of before are as good as ever. */
    CHECK_STR(arena_intern(&a, (const char *)opaque_source("interned")), "interned");
    CHECK_STR(arena_printf(&a, "%d", 12345), "12345");
    CHECK(arena_reserve(&a, 200) != NULL);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    for (i = 0; i < 3; i++) {
        CHECK_EQ(arena_value(&a, refs[i]).len, 64);
        CHECK_MEM(arena_value(&a, refs[i]).data, source + i, 64);
        CHECK(arena_value_unchecked(&a, refs[i]).data == arena_value(&a, refs[i]).data);
    }
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(few, refs_still_go_to_tails_with_numbers)
{
    arena_t a;
    arena_ref_t r;
    size_t i;
    prepare();
    start(t, &a, 64);
    for (i = 0; i < 3; i++) CHECK(arena_append(&a, source, 50) != NULL);
    CHECK(arena_append(&a, source, 64) != NULL); /* A chunk without a number, full. */
    CHECK(arena_append(&a, source, 20) != NULL); /* Another one, half full. */
    r = arena_ref(&a, source, 10);
    CHECK_EQ(r.len, 10);
    CHECK(r.chunk >> 9 < 3);
    CHECK_MEM(arena_value(&a, r).data, source, 10);
    r = arena_ref(&a, source, 15);
    CHECK(arena_ref_empty(r));
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    CHECK_MEM(arena_append(&a, source, 15), source, 15);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(few, forged_numbers_beyond_the_table)
{
    arena_t a;
    uint32_t number;
    size_t i;
    prepare();
    start(t, &a, 64);
    for (i = 0; i < 6; i++) CHECK(arena_append(&a, source, 64) != NULL);
    for (number = 3; number < 40; number++) {
        uint32_t low;
        for (low = 0; low < 512; low++) {
            arena_ref_t r;
            r.chunk = number << 9 | low;
            r.off = 0;
            r.len = 1;
            CHECK_EQ(arena_value(&a, r).len, 0);
        }
    }
    arena_release(&a);
}

TEST(few, batches_repeat)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    int batch;
    size_t calls = 0, i;
    prepare();
    start(t, &a, 64);
    for (batch = 0; batch < 6; batch++) {
        arena_ref_t r = arena_ref(&a, source, 30);
        CHECK_EQ(r.len, 30);
        for (i = 0; i < 10; i++) CHECK(arena_append(&a, source, 60) != NULL);
        CHECK_MEM(arena_value(&a, r).data, source, 30);
        if (batch == 0) calls = t->mem.allocs;
        CHECK_EQ(t->mem.allocs, calls);
        CHECK(arena_is_valid(&a));
        arena_reset(&a);
        CHECK_EQ(arena_value(&a, r).len, 0);
        CHECK(arena_is_valid(&a));
    }
    arena_trim(&a, 200);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(few, marks_among_chunks_without_numbers)
{
    arena_t a;
    arena_mark_t m, n;
    struct snapshot before, later;
    size_t i;
    prepare();
    start(t, &a, 64);
    for (i = 0; i < 2; i++) CHECK(arena_append(&a, source, 40) != NULL);
    m = arena_mark(&a);
    before = snapshot_of(&a);
    for (i = 0; i < 6; i++) CHECK(arena_append(&a, source, 40) != NULL);
    CHECK(arena_append(&a, source, 200) != NULL);
    n = arena_mark(&a);
    later = snapshot_of(&a);
    for (i = 0; i < 20; i++) CHECK(arena_append(&a, source, 1 + i) != NULL);
    CHECK(arena_rewind(&a, n));
    CHECK_STR(rewind_difference(&later, &a), "");
    CHECK(arena_rewind(&a, m));
    CHECK_STR(rewind_difference(&before, &a), "");
    CHECK(!arena_ref_empty(arena_ref(&a, source, 60)));
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(few, random_steps)
{
    /* Values with and without Ref, of all sizes: each Ref that was given resolves to its bytes. */
    arena_t a;
    int batch;
    prepare();
    start(t, &a, 64);
    for (batch = 0; batch < 300; batch++) {
        static arena_ref_t refs[60];
        static const char *where[60];
        static size_t lengths[60];
        size_t i, n = (size_t)(test_random(t) % 60);
        for (i = 0; i < n; i++) {
            size_t len = lengths[i] = 1 + (size_t)(test_random(t) % (i % 7 == 0 ? 150 : 40));
            memset(&refs[i], 0, sizeof refs[i]);
            where[i] = NULL;
            switch (test_random(t) % 4) {
            case 0: where[i] = arena_append(&a, source + i, len); break;
            case 1: where[i] = arena_intern_n(&a, source + i, len); break;
            case 2: refs[i] = arena_ref(&a, source + i, len); break;
            default: refs[i] = arena_strref_n(&a, source + i, len); break;
            }
            if (where[i] == NULL && refs[i].len == 0)
                CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
            else
                CHECK_EQ(arena_status(&a), ARENA_OK);
            arena_clear_status(&a);
            CHECK(arena_is_valid(&a));
        }
        for (i = 0; i < n; i++) {
            if (where[i] != NULL) CHECK_MEM(where[i], source + i, lengths[i]);
            if (refs[i].len == 0) continue;
            CHECK_EQ(arena_value(&a, refs[i]).len, lengths[i]);
            CHECK_MEM(arena_value(&a, refs[i]).data, source + i, lengths[i]);
        }
        arena_reset(&a);
    }
    arena_release(&a);
}

TEST(few, typed)
{
    fews_t a;
    arena_options_t o;
    uint32_t source_of_four[4] = {1, 2, 3, 4};
    size_t i;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 16;
    o.hooks = t->hooks;
    CHECK_EQ(fews_init(&a, &o), ARENA_OK);
    for (i = 0; i < 3; i++) CHECK(!fews_ref_empty(fews_ref(&a, source_of_four, 4)));
    CHECK(fews_ref_empty(fews_ref(&a, source_of_four, 1)));
    CHECK_EQ(fews_status(&a), ARENA_REF_RANGE);
    CHECK_EQ(fews_size(&a), 48);
    for (i = 0; i < 10; i++) CHECK_MEM(fews_append(&a, source_of_four, 1), source_of_four, 4);
    CHECK_EQ(fews_size(&a), 88);
    CHECK(fews_is_valid(&a));
    fews_release(&a);
}

TEST(few, strjoin_near_the_largest_size)
{
    /* A length that no test can have in memory: the sum passes PTRDIFF_MAX, SIZE_MAX, or neither.
     */
    static const char *const parts[] = {"lie", "b", "lie", "c", "lie"};
    static const size_t lies[] = {PTRDIFF_MAX,  PTRDIFF_MAX - 1, PTRDIFF_MAX / 2, PTRDIFF_MAX / 3,
                                  SIZE_MAX / 2, SIZE_MAX - 1,    SIZE_MAX,        SIZE_MAX / 3};
    size_t i, n;
    for (i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        for (n = 1; n <= 5; n++) {
            arena_t a;
            bool too_large;
            start(t, &a, 64); /* No table is needed yet, so nothing but the sum is too large. */
            few_lie = lies[i];
            t->mem.fail_at = 1;
            CHECK(arena_strjoin(&a, n % 2 == 0 ? "lie" : "/", parts, n) == NULL);
            few_lie = 0;
            t->mem.fail_at = 0;
            too_large = arena_status(&a) == ARENA_TOO_LARGE;
            /* Where the sum is a size after all, the allocator refuses it. */
            CHECK(too_large || (arena_status(&a) == ARENA_NO_MEMORY && lies[i] < PTRDIFF_MAX));
            if (n > 3) CHECK(too_large);
            CHECK_EQ(arena_size(&a), 0);
            CHECK(arena_is_valid(&a));
            arena_release(&a);
        }
    }
}

TEST(few, strjoin_of_the_largest_size)
{
    /* The last length that is one: the allocator is asked and has none. One more is TOO_LARGE. The
     * last piece that is added is a separator or a part. */
    static const char *const parts[] = {"b", ""}, *const lie[] = {"", "lie"};
    size_t k, over;
    for (k = 0; k < 2; k++) {
        for (over = 0; over < 2; over++) {
            arena_t a;
            start(t, &a, 64);
            few_lie = PTRDIFF_MAX - 2 + k + over;
            t->mem.fail_at = 1;
            CHECK(arena_strjoin(&a, k ? "" : "lie", k ? lie : parts, 2) == NULL);
            few_lie = 0;
            CHECK_EQ(arena_status(&a), over ? ARENA_TOO_LARGE : ARENA_NO_MEMORY);
            CHECK_EQ(t->mem.fail_at, over);
            t->mem.fail_at = 0;
            arena_release(&a);
        }
    }
}

TEST(few, formats_once_up_to_the_last_byte)
{
    /* Text that ends with the chunk, its NUL in the spare byte, is formatted once; a byte more, and
     * it is formatted again where it goes. */
    int more;
    for (more = 0; more < 2; more++) {
        arena_t a;
        start(t, &a, 64);
        CHECK(arena_append(&a, "0123456789", 10) != NULL);
        few_formats = 0;
        CHECK_STR(arena_printf(&a, "%0*d", 54 + more, 7) + 50 + more, "0007");
        CHECK_EQ(few_formats, 1 + more);
        CHECK_EQ(arena_chunk_count(&a), 1 + more);
        arena_release(&a);
    }
}

TEST(few, formats_nothing_once)
{
    arena_t a;
    arena_slice_t s = {NULL, 0, 0};
    const char *volatile nothing = "";
    char *p;
    start(t, &a, 64);
    CHECK(arena_append(&a, "-", 1) != NULL);
    few_formats = 0;
    CHECK_STR(arena_printf(&a, "%s", nothing), "");
    CHECK_EQ(few_formats, 1);
    s = arena_slice(&a, 10, 10);
    p = s.data;
    CHECK(arena_extendf(&a, &s, "%s", nothing));
    CHECK_EQ(few_formats, 2);
    CHECK(s.data == p); /* Grown in place, for the NUL. */
    CHECK_EQ(s.len, 10);
    CHECK_EQ(s.cap, 32);
    arena_release(&a);
}

TEST(few, formats_into_int_max_at_most)
{
    /* White box: C99's vsnprintf takes any size, others fail for more than INT_MAX. */
    arena_t a;
    char *end;
#if defined __SANITIZE_ADDRESS__ || defined ARENA_ASAN_ || defined ARENA_MSAN_ || \
    defined ARENA_VALGRIND
    SKIP("the room would be marked as open");
#endif
    if (ARENA_DEBUG >= 2) SKIP("this build stops at a breach that the test makes on purpose");
    start(t, &a, 64);
    CHECK(arena_append(&a, "-", 1) != NULL);
    end = a.core.end;
    a.core.end = (char *)((uintptr_t)a.core.cur + INT_MAX - 1);
    CHECK_STR(arena_printf(&a, "%d", 5), "5");
    CHECK_EQ(few_room, INT_MAX);
    a.core.end = (char *)((uintptr_t)a.core.cur + INT_MAX);
    CHECK_STR(arena_printf(&a, "%d", 6), "6");
    CHECK_EQ(few_room, INT_MAX);
    CHECK(a.core.end == end);
    arena_release(&a);
}

TEST(few, failing_format)
{
    arena_t a;
    struct snapshot before;
    int state;
    prepare();
    for (state = 0; state < 3; state++) {
        start(t, &a, 64);
        if (state > 0) CHECK(arena_append(&a, source, state == 1 ? 10 : 64) != NULL);
        before = snapshot_of(&a);
        few_failing_format = 1;
        CHECK(arena_printf(&a, "%d", 5) == NULL);
        CHECK_EQ(few_failing_format, 0);
        CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
        CHECK_STR(snapshot_difference(&before, &a), "");
        arena_clear_status(&a);
        CHECK_STR(arena_printf(&a, "%d", 5), "5");
        CHECK(arena_is_valid(&a));
        arena_release(&a);
    }
}

static void few_told(void *ctx, arena_status_t status, size_t bytes)
{
    (void)status;
    *(size_t *)ctx = bytes;
}

TEST(few, failing_format_of_a_slice)
{
    size_t told = 99;
    arena_t a;
    arena_slice_t s = {NULL, 0, 0}, before;
    struct snapshot snapshot;
    int state;
    for (state = 0; state < 3; state++) {
        memset(&s, 0, sizeof s);
        start(t, &a, 64);
        if (state > 0) CHECK(arena_extendf(&a, &s, "%d", 12345));
        if (state > 1) CHECK(arena_append(&a, source, 10) != NULL);
        before = s;
        snapshot = snapshot_of(&a);
        a.core.options.on_error = few_told;
        a.core.options.on_error_ctx = &told;
        few_failing_format = 1;
        told = 99;
        CHECK(!arena_extendf(&a, &s, "%s", "more"));
        CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
        CHECK_EQ(told, 0); /* It has no length. */
        CHECK_MEM(&s, &before, sizeof s);
        CHECK_STR(snapshot_difference(&snapshot, &a), "");
        CHECK(arena_extendf(&a, &s, "%s", "more"));
        CHECK_MEM(s.data + s.len - 4, "more", 5);
        arena_release(&a);
    }
}

TEST(few, slice_with_room_of_its_own)
{
    /* The tip has no room for the text, the slice has. */
    arena_t a;
    arena_slice_t s;
    start(t, &a, 64);
    s = arena_slice(&a, 0, 40);
    CHECK(arena_append(&a, source, 22) != NULL);
    CHECK(arena_extendf(&a, &s, "%010d", 12345));
    CHECK_MEM(s.data, "0000012345", 11);
    CHECK(arena_extendf(&a, &s, "%.*s", 10, s.data)); /* Its own text, read while it grows. */
    CHECK_MEM(s.data, "00000123450000012345", 21);
    CHECK_EQ(s.len, 20);
    CHECK_EQ(s.cap, 40);
    CHECK_EQ(arena_chunk_count(&a), 1);
    arena_release(&a);
}

TEST(few, lanes_without_numbers)
{
    /* Two lanes share three numbers; what one gives back, chunks of the other that had none
     * receive. */
    arena_group_t g;
    arena_t a = {0}, b = {0};
    arena_options_t o;
    arena_ref_t r;
    size_t i;
#ifdef ARENA_NO_ATOMICS
    SKIP("built without atomics");
#endif
    prepare();
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    o.chunk_bytes = 64;
    CHECK_EQ(arena_group_init(&g, &o, 4), ARENA_ARGUMENT); /* More than a Ref can hold here. */
    CHECK_EQ(arena_group_init(&g, &o, 3), ARENA_OK);
    CHECK_EQ(arena_join(&a, &g), ARENA_OK);
    CHECK_EQ(arena_join(&b, &g), ARENA_OK);
    for (i = 0; i < 2; i++) CHECK(!arena_ref_empty(arena_ref(&b, source, 64)));
    for (i = 0; i < 5; i++) CHECK(arena_append(&a, source, 64) != NULL);
    CHECK(arena_ref_empty(arena_ref(&a, source, 1)));
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    CHECK(arena_ref_empty(arena_ref(&a, source, 100)));
    CHECK_EQ(arena_size(&a), 320);
    CHECK(arena_is_valid(&a));
    arena_reset(&a);
    /* Its second chunk is idle and has no number: a Ref into it is refused, a value is not. */
    CHECK(!arena_ref_empty(arena_ref(&a, source, 64)));
    CHECK(arena_ref_empty(arena_ref(&a, source, 64)));
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    arena_clear_status(&a);
    CHECK_MEM(arena_append(&a, source, 64), source, 64);
    CHECK(arena_is_valid(&a));
    arena_release(&b);
    r = arena_ref(&a, source + 1, 64);
    CHECK_EQ(r.len, 64);
    CHECK_MEM(arena_value(&a, r).data, source + 1, 64);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
    arena_group_release(&g);
}

#ifdef FEW_MEDDLES
static arena_group_t *few_group;
static int few_loads; /* The load after which it happens, counted down. */

/* Another lane takes 1000 bytes. */
static void take_bytes(void)
{
    if (--few_loads > 0) return;
    few_meddle = NULL;
    few_group->allocated += 1000;
}

/* Another lane takes a chunk number: the permit and the lowest bit. */
static void take_number(void)
{
    if (--few_loads > 0) return;
    few_meddle = NULL;
    few_group->free_numbers--;
    few_group->free_bits[0] &= few_group->free_bits[0] - 1;
}

/* The first lane of the group is done saying what all lanes are. */
static void finish_shape(void)
{
    if (--few_loads > 0) return;
    few_meddle = NULL;
    few_group->size = few_group->align = few_group->spare = 1;
    few_group->shape_set = 2;
}

static void start_lane(struct test *t, arena_group_t *g, arena_t *a, size_t limit_bytes)
{
    arena_options_t o;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    o.chunk_bytes = 64;
    o.limit_bytes = limit_bytes;
    CHECK_EQ(arena_group_init(g, &o, 3), ARENA_OK);
    CHECK_EQ(arena_join(a, g), ARENA_OK);
    few_group = g;
}
#endif

TEST(few, a_group_of_all_the_numbers_there_are)
{
    arena_group_t g;
#ifdef ARENA_NO_ATOMICS
    SKIP("built without atomics");
#endif
    CHECK_EQ(arena_group_init(&g, NULL, ARENA_REF_CHUNKS + 1), ARENA_ARGUMENT);
    CHECK_EQ(arena_group_init(&g, NULL, ARENA_REF_CHUNKS), ARENA_OK);
    arena_group_release(&g);
}

TEST(few, another_lane_takes_memory_in_between)
{
#ifndef FEW_MEDDLES
    SKIP("this compiler has no way to step in between");
#else
    /* Both takings count, and the limit is kept although there was room when this lane looked. */
    int limited;
    for (limited = 0; limited < 2; limited++) {
        arena_group_t g;
        arena_t a = {0};
        size_t table;
        start_lane(t, &g, &a, limited ? 1100 : 0);
        table = g.allocated;
        few_loads = 1;
        few_meddle = take_bytes;
        if (limited) {
            CHECK(arena_append(&a, "x", 1) == NULL);
            CHECK_EQ(arena_status(&a), ARENA_LIMIT);
            CHECK_EQ(g.free_numbers, 3);
        } else
            CHECK(arena_append(&a, "x", 1) != NULL);
        /* The first load is of the permits; it was taken too early to matter here. */
        if (!limited) CHECK_EQ(g.allocated, table + 1000 + 65);
        CHECK(few_meddle == NULL);
        g.allocated -= 1000;
        arena_release(&a);
        CHECK_EQ(g.allocated, table);

        CHECK_EQ(arena_join(&a, &g), ARENA_OK);
        few_loads = 3; /* Permits, bits, and then what is held. */
        few_meddle = take_bytes;
        if (limited) {
            CHECK(arena_append(&a, "x", 1) == NULL);
            CHECK_EQ(arena_status(&a), ARENA_LIMIT);
            CHECK_EQ(g.free_numbers, 3);
        } else {
            CHECK(arena_append(&a, "x", 1) != NULL);
            CHECK_EQ(g.allocated, table + 1000 + 65);
        }
        CHECK(few_meddle == NULL);
        g.allocated -= 1000;
        arena_release(&a);
        CHECK_EQ(g.allocated, table);
        arena_group_release(&g);
    }
#endif
}

TEST(few, another_lane_takes_a_number_in_between)
{
#ifndef FEW_MEDDLES
    SKIP("this compiler has no way to step in between");
#else
    int when;
    for (when = 1; when <= 2; when++) {
        /* After the load of the permits, and after that of the bits. No number is given out twice.
         */
        arena_group_t g;
        arena_t a = {0};
        arena_ref_t r;
        start_lane(t, &g, &a, 0);
        few_loads = when;
        few_meddle = take_number;
        r = arena_ref(&a, "number", 6);
        CHECK(few_meddle == NULL);
        CHECK_EQ(r.len, 6);
        CHECK_EQ(r.chunk >> 9, 1); /* Number 0 is the other lane's. */
        CHECK_MEM(arena_value(&a, r).data, "number", 6);
        CHECK_EQ(g.free_numbers, 1);
        CHECK_EQ(g.free_bits[0], 4);
        CHECK(arena_is_valid(&a));
        arena_release(&a);
        CHECK_EQ(g.free_numbers, 2);
        CHECK_EQ(g.free_bits[0], 6);
        arena_group_release(&g);
    }
#endif
}

TEST(few, another_lane_is_first_at_the_same_time)
{
#ifndef FEW_MEDDLES
    SKIP("this compiler has no way to step in between");
#else
    /* It has begun to say what all lanes are and is not done when this one looks. */
    int right;
    for (right = 0; right < 2; right++) {
        arena_group_t g;
        arena_t a = {0};
        fews_t b = {0};
        CHECK_EQ(arena_group_init(&g, NULL, 3), ARENA_OK);
        few_group = &g;
        g.shape_set = 1;
        few_loads = 2;
        few_meddle = finish_shape;
        if (right)
            CHECK_EQ(arena_join(&a, &g), ARENA_OK);
        else
            CHECK_EQ(fews_join(&b, &g), ARENA_ARGUMENT);
        CHECK(few_meddle == NULL);
        arena_release(&a);
        fews_release(&b);
        arena_group_release(&g);
    }
#endif
}

TEST(few, another_lane_takes_the_last_number_in_between)
{
#ifndef FEW_MEDDLES
    SKIP("this compiler has no way to step in between");
#else
    arena_group_t g;
    arena_t a = {0};
    start_lane(t, &g, &a, 0);
    CHECK(arena_append(&a, source, 64) != NULL);
    CHECK(arena_append(&a, source, 64) != NULL);
    few_loads = 1;
    few_meddle = take_number;
    CHECK(arena_ref_empty(arena_ref(&a, "number", 6)));
    CHECK(few_meddle == NULL);
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    CHECK_EQ(arena_size(&a), 128);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
    arena_group_release(&g);
#endif
}

TEST(few, constant_or_not_is_the_same)
{
    for (few_constant = 0; few_constant < 3; few_constant++) {
        arena_t a;
        fews_t b;
        arena_options_t o;
        uint32_t numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        size_t n, align;
        prepare();
        start(t, &a, 2048);
        for (n = 1; n <= 200; n++) {
            const char *p = arena_append(&a, source, n);
            CHECK_MEM(p, source, n);
        }
        CHECK_EQ(arena_size(&a), 200 * 201 / 2);
        arena_reset(&a);
        for (align = 1; align <= 64; align *= 2) {
            for (n = 1; n <= 70; n++) {
                arena_mark_t m = arena_mark(&a);
                const char *before = arena_append(&a, "odd", 3);
                char *p = (char *)arena_alloc(&a, n, align);
                CHECK_EQ((uintptr_t)p % align, 0);
                if (CHECK(p != NULL)) memset(p, 0x5A, n);
                CHECK_MEM(before, "odd", 3);
                CHECK_EQ(arena_size(&a), n + 3);
                CHECK(arena_is_valid(&a));
                CHECK(arena_rewind(&a, m));
            }
        }
        /* Cleared ones; alignments that are none; sizes that no compiler unrolls. */
        for (n = 1; n <= 40; n++) {
            char *p = (char *)arena_alloc_zeroed(&a, n, 8);
            uint64_t *q = ARENA_NEW(&a, uint64_t);
            size_t k;
            CHECK_EQ((uintptr_t)p % 8, 0);
            for (k = 0; p != NULL && k < n; k++) CHECK_EQ(p[k], 0);
            CHECK(q != NULL && *q == 0);
        }
        {
            arena_t empty = {0}; /* Where the tip is at no address. */
            CHECK(arena_alloc(&empty, 8, 0) == NULL);
            CHECK_EQ(arena_status(&empty), ARENA_ARGUMENT);
            CHECK(arena_alloc(&empty, 0, 8) == NULL);
            CHECK_EQ(arena_stats(&empty).allocated, 0);
        }
        CHECK(arena_alloc(&a, 8, 0) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
        arena_clear_status(&a);
        CHECK(arena_alloc(&a, 8, 3) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
        arena_clear_status(&a);
        CHECK(arena_alloc_zeroed(&a, 0, 8) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_OK);
        arena_release(&a);
        start(t, &a, 20000);
        {
            static char large[9000];
            const char *p;
            char *q;
            memset(large, 'L', sizeof large);
            CHECK(arena_append(&a, source, 16) != NULL);
            p = arena_append(&a, large, 9000);
            CHECK_MEM(p, large, 9000);
            q = (char *)arena_alloc_zeroed(&a, 9000, 8);
            CHECK(q != NULL && q[0] == 0 && q[8999] == 0);
            CHECK_EQ(arena_chunk_count(&a), 1);
            CHECK(arena_alloc_zeroed(&a, 9000, 8) != NULL);
            CHECK_EQ(arena_chunk_count(&a), 2);
            CHECK_EQ(arena_size(&a), 16 + 27000);
        }
        arena_release(&a);
        memset(&o, 0, sizeof o);
        o.hooks = t->hooks;
        o.chunk_bytes = 64;
        CHECK_EQ(fews_init(&b, &o), ARENA_OK);
        for (n = 0; n < 40; n++) {
            const uint32_t *p = fews_append(&b, numbers, 1 + n % 8);
            CHECK_MEM(p, numbers, (1 + n % 8) * sizeof numbers[0]);
        }
        CHECK_EQ(fews_size(&b), 5 * 36 * sizeof numbers[0]);
        /* Chunk by chunk, so that the slow path has each number of them, as Refs and without. */
        for (n = 1; n <= 5; n++) {
            const uint32_t *p;
            fews_view_t v;
            fews_release(&b);
            p = fews_append(&b, numbers, n);
            CHECK_MEM(p, numbers, n * sizeof numbers[0]);
            fews_release(&b);
            v = fews_value(&b, fews_ref(&b, numbers, n));
            CHECK_EQ(v.len, n);
            CHECK_MEM(v.data, numbers, n * sizeof numbers[0]);
            CHECK(fews_append(&b, NULL, n) == NULL);
            CHECK_EQ(fews_status(&b), ARENA_ARGUMENT);
            fews_clear_status(&b);
            CHECK(fews_ref_empty(fews_ref(&b, NULL, n)));
            CHECK_EQ(fews_status(&b), ARENA_ARGUMENT);
            fews_clear_status(&b);
            CHECK_EQ(fews_size(&b), n * sizeof numbers[0]);
        }
        fews_release(&b);
    }
    few_constant = 0;
}

TEST(few, status_text_of_this_copy)
{
    /* The two implementations in this program are two: the static one is not the other one. */
    CHECK_STR(arena_status_text(ARENA_REF_RANGE), "more than a Ref can hold");
    CHECK_EQ(ARENA_REF_CHUNKS, 3);
}
