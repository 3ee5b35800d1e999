/*
 * Marks that the arena has lost sight of: "a mark itself rewound past is refused as far as can be
 * told". Only a few of the rewinds that killed marks are remembered. What is proved here: a mark
 * that is taken although it had died leaves an arena that is_valid, whose size is that of what its
 * chunks hold, and which goes on working.
 */
#include "support.h"

enum { LEVELS = 12 };

/* Takes a mark, fills a chunk otherwise, and nests more rewinds above than are remembered. */
static void lose(struct test *t, size_t before, size_t after, const char *text)
{
    arena_t a;
    arena_mark_t first, lost, levels[LEVELS];
    arena_stats_t s;
    size_t i, k, total = 0;
    start(t, &a, 16);
    first = arena_mark(&a);
    CHECK(arena_reserve(&a, before) != NULL);
    CHECK(arena_intern(&a, text) != NULL);
    CHECK(arena_reserve(&a, 3) != NULL);
    lost = arena_mark(&a);
    CHECK(arena_rewind(&a, first));
    CHECK(arena_reserve(&a, after) != NULL);
    for (i = 0; i < 6; i++) CHECK(arena_reserve(&a, 14) != NULL);
    for (i = 0; i < LEVELS; i++) {
        levels[i] = arena_mark(&a);
        CHECK(arena_reserve(&a, 1) != NULL);
        (void)arena_mark(&a);
        CHECK(arena_rewind(&a, levels[i]));
    }
    (void)arena_rewind(&a, lost);
    CHECK(arena_is_valid(&a));
    s = arena_stats(&a);
    for (k = 0; k < s.chunks; k++) total += arena_chunk(&a, k).len;
    CHECK_EQ(s.size + s.padding, total);
    CHECK(s.stranded <= s.retained);
    for (i = 0; i < 40; i++) {
        CHECK(arena_intern(&a, "goes on") != NULL);
        CHECK(arena_is_valid(&a));
    }
    /* The marks that are alive still serve, if it was refused. */
    arena_reset(&a);
    CHECK_EQ(arena_size(&a), 0);
    arena_release(&a);
}

TEST(marks, one_that_died_long_ago_leaves_a_valid_arena)
{
    size_t before, after;
    for (before = 1; before <= 16; before++)
        for (after = 1; after <= 16; after++) {
            lose(t, before, after, "x");
            lose(t, before, after, "fourteen bytes");
        }
}

/* And no mark that is alive is refused, however many have died. */
TEST(marks, living_ones_are_never_refused)
{
    arena_t a;
    arena_mark_t levels[LEVELS];
    size_t i, size[LEVELS];
    start(t, &a, 16);
    for (i = 0; i < LEVELS; i++) {
        levels[i] = arena_mark(&a);
        size[i] = arena_size(&a);
        CHECK(arena_reserve(&a, 5) != NULL);
        (void)arena_mark(&a);
        CHECK(arena_reserve(&a, 9) != NULL);
        CHECK(arena_rewind(&a, levels[i]));
        CHECK(arena_reserve(&a, 1 + i) != NULL);
    }
    for (i = LEVELS; i-- > 0;) {
        CHECK(arena_rewind(&a, levels[i]));
        CHECK_EQ(arena_size(&a), size[i]);
        CHECK(arena_is_valid(&a));
    }
    arena_release(&a);
}
