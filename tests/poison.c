/*
 * What AddressSanitizer is told. Proves, in builds with it, the parts of DESIGN section 13 and of
 * issue 6 item 9 that are about edges: 8-byte granules respected with neighbours of odd sizes; all
 * of a value may be touched and the byte behind the tip may not; poison on reset and on rewind,
 * exactly from the mark on; a user buffer is free of it after release. (That no poisoned memory is
 * given back to the hooks is checked by the hooks in every test.) In other builds the tests are
 * skipped: there is nothing to ask. The same of the span pool's free elements.
 */
#include "support.h"

#if defined __SANITIZE_ADDRESS__
#define POISON_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define POISON_ASAN 1
#endif
#endif

#ifdef POISON_ASAN
#include <sanitizer/asan_interface.h>

/* How many of the n bytes at p may be touched. */
static size_t open_bytes(const void *p, size_t n)
{
    const char *c = (const char *)p;
    size_t i, open = 0;
    for (i = 0; i < n; i++) open += __asan_address_is_poisoned(c + i) == 0;
    return open;
}

struct poison_three {
    unsigned char b[3];
};
ARENA_DEFINE(threes_in_a_row, struct poison_three);
ARENA_POOL_DEFINE(poison_longs, uint64_t);

/* Which of the first elements of the buffer are open, as text. _data would open all. */
static const char *open_elements(const poison_longs_t *p, char *text)
{
    const uint64_t *data = (const uint64_t *)(const void *)p->core.data;
    size_t i;
    for (i = 0; i < 16; i++) text[i] = open_bytes(data + i, 8) == 8 ? 'x' : '.';
    text[i] = 0;
    return text;
}
#define NEEDS_ASAN()
#else
#define NEEDS_ASAN() SKIP("no AddressSanitizer in this build")
#endif

TEST(poison, odd_neighbours)
{
    NEEDS_ASAN();
#ifdef POISON_ASAN
    size_t first, second;
    for (first = 1; first <= 20; first++) {
        for (second = 1; second <= 20; second++) {
            arena_t a;
            char *p, *q;
            start(t, &a, 104);
            p = arena_reserve(&a, first);
            CHECK_EQ(open_bytes(p, first), first);
            CHECK_EQ(open_bytes(p + first, 104 - first), 0);
            q = arena_reserve(&a, second);
            CHECK(q == p + first);
            CHECK_EQ(open_bytes(p, first + second), first + second);
            CHECK_EQ(open_bytes(q + second, 104 - first - second), 0);
            arena_release(&a);
        }
    }
#endif
}

TEST(poison, strings_and_their_nul)
{
    NEEDS_ASAN();
#ifdef POISON_ASAN
    size_t n;
    for (n = 1; n <= 40; n++) {
        arena_t a;
        static char text[128]; /* 41 of it used; gcc warns of less. */
        const char *p, *q;
        arena_ref_t r;
        memset(text, 't', n);
        text[n] = '\0';
        start(t, &a, 200);
        p = arena_intern(&a, text);
        CHECK_EQ(open_bytes(p, 200), n + 1);
        q = arena_printf(&a, "%s", text);
        CHECK_EQ(open_bytes(p, 200), 2 * (n + 1));
        CHECK_STR(q, text);
        r = arena_ref(&a, text, n);
        CHECK_EQ(open_bytes(p, 200), 2 * (n + 1) + n);
        CHECK_STR(arena_str(&a, r), text);
        CHECK_EQ(open_bytes(p, 200), 3 * (n + 1));
        arena_release(&a);
    }
#endif
}

TEST(poison, failed_format_leaves_none_open)
{
    NEEDS_ASAN();
#ifdef POISON_ASAN
    /* printf formats into the room at the tip; where that is too small the room is closed again. */
    arena_t a;
    const char *p, *q;
    start(t, &a, 64);
    p = arena_append(&a, "0123456789", 10);
    q = arena_printf(&a, "%060d", 1);
    CHECK_EQ(strlen(q), 60);
    CHECK_EQ(open_bytes(p, 64), 10);
    CHECK_STR(arena_printf(&a, "%s", ""), "");
    CHECK_EQ(open_bytes(p, 64), 10);
    t->mem.fail_from = 1;
    CHECK(arena_printf(&a, "%0200d", 1) == NULL);
    t->mem.fail_from = 0;
    CHECK_EQ(open_bytes(p, 64), 10);
    arena_release(&a);
#endif
}

TEST(poison, reset_closes_everything)
{
    NEEDS_ASAN();
#ifdef POISON_ASAN
    arena_t a;
    const char *p[5];
    size_t i;
    static char source[128];
    memset(source, 's', sizeof source);
    start(t, &a, 104);
    for (i = 0; i < 5; i++) p[i] = arena_append(&a, source, 97 + i);
    for (i = 0; i < 5; i++) CHECK_EQ(open_bytes(p[i], 97 + i), 97 + i);
    arena_reset(&a);
    for (i = 0; i < 5; i++) CHECK_EQ(open_bytes(p[i], 104), 0);
    CHECK(arena_append(&a, source, 7) == p[0]);
    CHECK_EQ(open_bytes(p[0], 104), 7);
    for (i = 1; i < 5; i++) CHECK_EQ(open_bytes(p[i], 104), 0);
    arena_release(&a);
#endif
}

TEST(poison, rewind_closes_from_the_mark_on)
{
    NEEDS_ASAN();
#ifdef POISON_ASAN
    size_t before, after;
    static char source[128];
    memset(source, 's', sizeof source);
    for (before = 1; before <= 20; before++) {
        for (after = 1; after <= 20; after++) {
            arena_t a;
            arena_mark_t m;
            const char *p, *q;
            start(t, &a, 64);
            p = arena_append(&a, source, before);
            m = arena_mark(&a);
            CHECK(arena_append(&a, source, after) != NULL);
            q = arena_append(&a, source, 50); /* Often in another chunk. */
            CHECK(arena_rewind(&a, m));
            CHECK_EQ(open_bytes(p, 64), before);
            if (q < p || q >= p + 64) CHECK_EQ(open_bytes(q, 50), 0);
            CHECK(arena_append(&a, source, 3) == p + before);
            CHECK_EQ(open_bytes(p, 64), before + 3);
            arena_release(&a);
        }
    }
#endif
}

TEST(poison, tails_are_closed_behind_their_tips)
{
    NEEDS_ASAN();
#ifdef POISON_ASAN
    threes_in_a_row_t a;
    arena_options_t o;
    size_t i, k;
    static const struct poison_three source[10] = {{{1, 2, 3}}};
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 30;
    o.hooks = t->hooks;
    CHECK_EQ(threes_in_a_row_init(&a, &o), ARENA_OK);
    for (i = 0; i < 30; i++) {
        CHECK(threes_in_a_row_append(&a, source, 1 + (size_t)(test_random(t) % 10)) != NULL);
        for (k = 0; k < threes_in_a_row_chunk_count(&a); k++) {
            threes_in_a_row_view_t v = threes_in_a_row_chunk(&a, k);
            CHECK_EQ(open_bytes(v.data, 30), v.len * sizeof source[0]);
        }
    }
    threes_in_a_row_release(&a);
#endif
}

TEST(poison, buffer_is_open_after_release)
{
    NEEDS_ASAN();
#ifdef POISON_ASAN
    char buffer[100];
    arena_options_t o;
    arena_t a;
    size_t shift, stored;
    int round;
    for (shift = 0; shift < 9; shift++) {
        memset(&o, 0, sizeof o);
        o.buffer = buffer + shift;
        o.buffer_bytes = 80;
        o.fixed = true;
        CHECK_EQ(arena_init(&a, &o), ARENA_OK);
        for (round = 0; round < 3; round++) {
            char *p = arena_reserve(&a, 5);
            CHECK_EQ(open_bytes(p, 5), 5);
            stored = open_bytes(buffer + shift, 80);
            CHECK(stored < 80);
            arena_release(&a);
            CHECK_EQ(open_bytes(buffer, sizeof buffer), sizeof buffer);
        }
        arena_release(&a);
        CHECK_EQ(open_bytes(buffer, sizeof buffer), sizeof buffer);
    }
#endif
}

TEST(poison, storage_used_again_is_open)
{
    NEEDS_ASAN();
#ifdef POISON_ASAN
    /* A block that died is closed but for what the arena notes in it; a smaller one in its place is
     * open. */
    size_t bytes, again;
    for (bytes = 33; bytes <= 50; bytes++) {
        for (again = 17; again < bytes; again += 5) {
            arena_t a;
            char *p, *q;
            start(t, &a, 256);
            p = (char *)arena_alloc(&a, bytes, 1);
            CHECK(arena_append(&a, "|", 1) != NULL);
            CHECK(arena_realloc(&a, p, bytes, 0, 1) == NULL);
            CHECK(open_bytes(p, bytes) <= 16 + 7);
            CHECK_EQ(open_bytes(p + bytes, 1), 1); /* The neighbour is untouched. */
            q = (char *)arena_realloc(&a, NULL, 0, again, 1);
            CHECK(q == p);
            CHECK_EQ(open_bytes(q, again), again);
            memset(q, 'q', again);
            CHECK(arena_is_valid(&a));
            arena_release(&a);
        }
    }
#endif
}

TEST(poison, pool_closes_what_no_span_has)
{
    NEEDS_ASAN();
#ifdef POISON_ASAN
    arena_pool_options_t o;
    poison_longs_t p;
    poison_longs_handle_t a, b;
    char text[17];
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    o.reserve = 16;
    CHECK_EQ(poison_longs_init(&p, &o), ARENA_OK);
    CHECK_STR(open_elements(&p, text), "................");
    a = poison_longs_append(&p, 1, 6);
    b = poison_longs_append(&p, 2, 3);
    CHECK_STR(open_elements(&p, text), "xxxxxxxxx.......");
    /* Cut before a live span, stretched again, cut at the end. */
    CHECK(poison_longs_resize(&p, a, 2));
    CHECK_STR(open_elements(&p, text), "xx....xxx.......");
    CHECK(poison_longs_resize(&p, a, 3));
    CHECK_STR(open_elements(&p, text), "xxx...xxx.......");
    CHECK(poison_longs_resize(&p, b, 1));
    CHECK_STR(open_elements(&p, text), "xxx...x.........");
    /* Moved to the end, moved down, freed, cleared. */
    CHECK(poison_longs_resize(&p, a, 8));
    CHECK_STR(open_elements(&p, text), "......xxxxxxxxx.");
    CHECK_EQ(poison_longs_compact(&p, 1, NULL, NULL), 1);
    CHECK_STR(open_elements(&p, text), "x......xxxxxxxx.");
    CHECK_EQ(poison_longs_free(&p, b), ARENA_OK);
    CHECK_STR(open_elements(&p, text), ".......xxxxxxxx.");
    /* Who asks for the buffer gets all of it, and not what is behind it. */
    CHECK(poison_longs_data(&p) != NULL);
    CHECK_STR(open_elements(&p, text), "xxxxxxxxxxxxxxxx");
    CHECK_EQ(open_bytes(p.core.data + 16 * 8, 8), 0);
    poison_longs_clear(&p);
    CHECK_STR(open_elements(&p, text), "................");
    poison_longs_release(&p);
#endif
}

/* What a block gets that grows in place is open, and not a byte more. */
TEST(poison, realloc_in_place)
{
    NEEDS_ASAN();
#ifdef POISON_ASAN
    arena_t a;
    char *p;
    start(t, &a, 256);
    p = (char *)arena_alloc(&a, 16, 8);
    CHECK(arena_realloc(&a, p, 16, 24, 8) == p);
    CHECK_EQ(open_bytes(p, 100), 24);
    arena_release(&a);
#endif
}

/* A span that moves down opens where it goes and no more: the hole behind it stays shut. */
TEST(poison, pool_compact)
{
    NEEDS_ASAN();
#ifdef POISON_ASAN
    poison_longs_t p;
    poison_longs_handle_t a, c;
    char text[17];
    memset(&p, 0, sizeof p);
    poison_longs_append(&p, 1, 1);
    a = poison_longs_append(&p, 2, 4);
    poison_longs_append(&p, 3, 1);
    c = poison_longs_append(&p, 4, 4);
    poison_longs_append(&p, 5, 1);
    poison_longs_free(&p, a);
    poison_longs_free(&p, c);
    CHECK_STR(open_elements(&p, text), "x....x....x.....");
    CHECK_EQ(poison_longs_compact(&p, 1, NULL, NULL), 1);
    CHECK_STR(open_elements(&p, text), "xx........x.....");
    poison_longs_release(&p);
#endif
}
