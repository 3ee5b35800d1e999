/*
 * Rewinding. Proves these sentences of DESIGN section 5 and of issue 2 items 2 and 5:
 * "reset: size 0; uniform chunks kept, oversized freed; O(1) + the oversized ones"; "release:
 * everything freed; options stay, the arena is usable again"; "trim: frees kept chunks not in use
 * beyond keep_bytes; until retained is at most keep or none is idle (after a reset all are, a user
 * buffer excepted)"; "rewind: nested; false, nothing changed, for a mark of another batch or arena;
 * a mark itself rewound past is refused"; "A rewind frees oversized chunks opened since; Refs into
 * chunks reopened after it are stale; in the mark's own chunk a later store may take a dead Ref's
 * place"; "Marks: nested, taken on an empty arena, rewound over oversized values, twice to the same
 * place; size, statistics, strings and open tails come back exactly"; "keep_batches: 0: reset keeps
 * every uniform chunk. N: it frees, one chunk a reset, what the last N batches did not use; the
 * batch just reset counts as one of the N; a chunk opened and rewound was used"; "Reset costs the
 * same with 10 and with 100,000 kept chunks". Of issue 6 item 9: release, reset and clear twice and
 * in every order.
 */
#include <time.h>

#include "support.h"

ARENA_DEFINE(words, uint64_t);

static char source[4096];

static void prepare(void) { fill_pattern(source, sizeof source, 11); }

/* Stores n values of `bytes` bytes. */
static void store(struct test *t, arena_t *a, size_t n, size_t bytes)
{
    size_t i;
    for (i = 0; i < n; i++) CHECK(arena_append(a, source, bytes) != NULL);
}

TEST(rewind, reset_empties_and_keeps)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    arena_stats_t s;
    size_t frees;
    prepare();
    start(t, &a, 100);
    store(t, &a, 10, 100);
    store(t, &a, 2, 500);
    CHECK_EQ(arena_retained(&a), 2000);
    frees = t->mem.frees;
    arena_reset(&a);
    CHECK_EQ(t->mem.frees - frees, 2); /* The oversized ones, and nothing else. */
    s = arena_stats(&a);
    CHECK_EQ(s.size, 0);
    CHECK_EQ(s.used, 0);
    CHECK_EQ(s.padding, 0);
    CHECK_EQ(s.stranded, 0);
    CHECK_EQ(s.retained, 1000);
    CHECK_EQ(s.chunks, 0);
    CHECK_EQ(s.oversized, 0);
    CHECK_EQ(s.peak, 2000);
    CHECK_EQ(s.allocated, t->mem.live_bytes);
    CHECK_EQ(arena_size(&a), 0);
    CHECK_EQ(arena_chunk_count(&a), 0);
    CHECK_EQ(arena_chunk(&a, 0).len, 0);
    CHECK(arena_is_valid(&a));
    store(t, &a, 10, 100);
    CHECK_EQ(arena_retained(&a), 1000);
    arena_release(&a);
}

TEST(rewind, release_frees_everything_and_keeps_options)
{
    arena_t a;
    int round;
    prepare();
    start(t, &a, 128);
    for (round = 0; round < 3; round++) {
        store(t, &a, 20, 100);
        store(t, &a, 1, 1000);
        CHECK(arena_retained(&a) >= 21 * 100);
        arena_release(&a);
        CHECK_EQ(t->mem.live_blocks, 0);
        CHECK_EQ(arena_size(&a), 0);
        CHECK_EQ(arena_retained(&a), 0);
        CHECK_EQ(arena_stats(&a).allocated, 0);
        CHECK_EQ(arena_chunk_count(&a), 0);
        CHECK(arena_is_valid(&a));
        CHECK(arena_append(&a, "x", 1) != NULL);
        CHECK_EQ(arena_retained(&a), 128);
        CHECK_EQ(t->mem.live_blocks, 1);
    }
    arena_release(&a);
}

TEST(rewind, release_and_reset_in_every_order)
{
    /* Four steps out of: nothing, store, reset, release, trim, rewind to the last mark. All 6^4
     * orders. */
    int order;
    prepare();
    for (order = 0; order < 6 * 6 * 6 * 6; order++) {
        arena_t a;
        arena_mark_t m;
        int step, code = order;
        size_t expected = 0, at_mark = 0;
        bool mark_good = true;
        start(t, &a, 64);
        m = arena_mark(&a);
        for (step = 0; step < 4; step++, code /= 6) {
            switch (code % 6) {
            case 0: arena_clear_status(&a); break;
            case 1:
                store(t, &a, 3, 50);
                store(t, &a, 1, 100);
                expected += 250;
                break;
            case 2:
                arena_reset(&a);
                expected = 0;
                mark_good = false;
                break;
            case 3:
                arena_release(&a);
                CHECK_EQ(t->mem.live_blocks, 0);
                expected = 0;
                mark_good = false;
                break;
            case 4: arena_trim(&a, 0); break;
            default:
                CHECK_EQ(arena_rewind(&a, m), mark_good);
                if (mark_good)
                    expected = at_mark;
                else
                    CHECK_EQ(arena_status(&a), ARENA_STALE);
                arena_clear_status(&a);
                m = arena_mark(&a);
                at_mark = expected;
                mark_good = true;
                break;
            }
            CHECK_EQ(arena_size(&a), expected);
            CHECK_EQ(arena_stats(&a).allocated, t->mem.live_bytes);
            CHECK(arena_is_valid(&a));
        }
        arena_release(&a);
        arena_release(&a);
        CHECK_EQ(t->mem.live_blocks, 0);
    }
}

TEST(rewind, trim_to_bytes)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    size_t keep;
    prepare();
    for (keep = 0; keep <= 1200; keep += 50) {
        size_t kept = keep / 100 < 10 ? keep / 100 * 100 : 1000;
        start(t, &a, 100);
        store(t, &a, 10, 100);
        arena_reset(&a);
        arena_trim(&a, keep);
        CHECK_EQ(arena_retained(&a), kept);
        CHECK_EQ(arena_stats(&a).retained, kept);
        CHECK_EQ(arena_stats(&a).allocated, t->mem.live_bytes);
        CHECK(arena_is_valid(&a));
        /* Usable as before, and no more than was freed is asked for. */
        store(t, &a, 10, 100);
        CHECK_EQ(arena_retained(&a), 1000);
        CHECK_EQ(arena_size(&a), 1000);
        arena_release(&a);
    }
}

TEST(rewind, trim_frees_idle_chunks_only)
{
    arena_t a;
    const char *p;
    struct snapshot before;
    prepare();
    start(t, &a, 100);
    store(t, &a, 10, 100);
    arena_reset(&a);
    p = arena_append(&a, source, 80);
    store(t, &a, 1, 80);
    before = snapshot_of(&a);
    arena_trim(&a, 0);
    CHECK_EQ(arena_retained(&a), 200);
    CHECK_EQ(arena_size(&a), 160);
    CHECK_EQ(arena_chunk_count(&a), 2);
    CHECK_MEM(p, source, 80);
    CHECK(snapshot_of(&a).contents == before.contents && snapshot_of(&a).views == before.views);
    arena_trim(&a, 0);
    CHECK_EQ(arena_retained(&a), 200);
    CHECK_EQ(arena_stats(&a).peak, 1000);
    store(t, &a, 3, 80);
    CHECK_EQ(arena_retained(&a), 500);
    CHECK_MEM(p, source, 80);
    arena_release(&a);
}

TEST(rewind, trim_of_an_empty_arena)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a = {0};
    arena_trim(&a, 0);
    arena_trim(&a, SIZE_MAX);
    CHECK_EQ(arena_retained(&a), 0);
    start(t, &a, 100);
    arena_trim(&a, 0);
    arena_trim(&a, SIZE_MAX);
    store(t, &a, 3, 100);
    arena_trim(&a, 0);
    CHECK_EQ(arena_retained(&a), 300);
    arena_reset(&a);
    arena_trim(&a, SIZE_MAX);
    CHECK_EQ(arena_retained(&a), 300);
    arena_trim(&a, 0);
    arena_trim(&a, 0);
    CHECK_EQ(arena_retained(&a), 0);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(rewind, trim_after_rewind)
{
    NEEDS_KEPT_CHUNKS();
    /* What a rewind left is idle; what the mark's own batch uses is not. */
    arena_t a;
    arena_mark_t m;
    prepare();
    start(t, &a, 100);
    store(t, &a, 3, 100);
    m = arena_mark(&a);
    store(t, &a, 5, 100);
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(arena_retained(&a), 800);
    arena_trim(&a, 500);
    CHECK_EQ(arena_retained(&a), 500);
    arena_trim(&a, 0);
    CHECK_EQ(arena_retained(&a), 300);
    CHECK_EQ(arena_size(&a), 300);
    CHECK(arena_rewind(&a, m));
    store(t, &a, 5, 100);
    CHECK_EQ(arena_retained(&a), 800);
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(arena_size(&a), 300);
    arena_release(&a);
}

TEST(rewind, brings_everything_back)
{
    /* Random batches in front of the mark and behind it: figures, contents, strings and tails are
     * those at the mark. */
    int round;
    prepare();
    for (round = 0; round < 200; round++) {
        arena_t a;
        arena_mark_t m;
        struct snapshot before;
        size_t i, n = (size_t)(test_random(t) % 30), k, oversized;
        size_t again[40];
        const char *where[40];
        const char *string;
        start(t, &a, 256);
        for (i = 0; i < n; i++)
            store(t, &a, 1, 1 + (size_t)(test_random(t) % (i % 5 == 0 ? 600 : 120)));
        string = arena_intern(&a, "before the mark");
        m = arena_mark(&a);
        before = snapshot_of(&a);
        for (k = 0; k < 40; k++) again[k] = 1 + (size_t)(test_random(t) % (k % 7 == 0 ? 600 : 120));
        oversized = t->mem.live_blocks;
        for (k = 0; k < 40; k++) where[k] = arena_append(&a, source, again[k]);
        CHECK(arena_rewind(&a, m));
        CHECK_STR(rewind_difference(&before, &a), "");
        CHECK_STR(string, "before the mark");
        /* Oversized chunks opened since are freed. */
        CHECK_EQ(arena_stats(&a).oversized, before.stats.oversized);
        CHECK(t->mem.live_blocks >= oversized);
        /* Open tails came back: each value that went into a chunk of before goes to the same place
         * again. */
        for (k = 0; k < 40; k++) {
            const char *p = arena_append(&a, source, again[k]);
            size_t chunk = chunk_of(&a, p);
            if (again[k] <= 256 && chunk < before.chunk_count) CHECK(p == where[k]);
            CHECK_MEM(p, source, again[k]);
        }
        CHECK(arena_rewind(&a, m));
        CHECK_STR(rewind_difference(&before, &a), "");
        arena_release(&a);
    }
}

TEST(rewind, the_same_batch_gives_the_same_figures)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    arena_mark_t m;
    struct snapshot first;
    int round, i;
    size_t calls = 0;
    prepare();
    memset(&first, 0, sizeof first);
    start(t, &a, 200);
    store(t, &a, 7, 90);
    m = arena_mark(&a);
    for (round = 0; round < 10; round++) {
        for (i = 0; i < 40; i++) store(t, &a, 1, 1 + (size_t)(i * 31) % 200);
        if (round == 0) {
            first = snapshot_of(&a);
            calls = t->mem.allocs;
        }
        CHECK_EQ(snapshot_of(&a).stats.used, first.stats.used);
        CHECK_EQ(snapshot_of(&a).stats.stranded, first.stats.stranded);
        CHECK_EQ(snapshot_of(&a).stats.chunks, first.stats.chunks);
        CHECK_EQ(snapshot_of(&a).stats.retained, first.stats.retained);
        CHECK(arena_rewind(&a, m));
    }
    CHECK_EQ(t->mem.allocs, calls);
    arena_release(&a);
}

TEST(rewind, nested)
{
    arena_t a;
    arena_mark_t marks[20];
    struct snapshot at[20];
    int i;
    prepare();
    start(t, &a, 128);
    for (i = 0; i < 20; i++) {
        marks[i] = arena_mark(&a);
        at[i] = snapshot_of(&a);
        store(t, &a, 3, 40 + (size_t)i);
        if (i % 4 == 0) store(t, &a, 1, 300);
        CHECK(arena_intern(&a, "nested") != NULL);
    }
    for (i = 19; i >= 0; i--) {
        if (i % 3 == 1)
            continue; /* Some are left out: an outer one rewinds the inner ones with it. */
        CHECK(arena_rewind(&a, marks[i]));
        CHECK_STR(rewind_difference(&at[i], &a), "");
    }
    CHECK_EQ(arena_size(&a), 0);
    CHECK_EQ(t->mem.live_bytes, arena_stats(&a).allocated);
    arena_release(&a);
}

TEST(rewind, on_an_empty_arena)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    arena_mark_t m;
    prepare();
    start(t, &a, 128);
    m = arena_mark(&a);
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(t->mem.allocs, 0);
    store(t, &a, 10, 100);
    store(t, &a, 1, 1000);
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(arena_size(&a), 0);
    CHECK_EQ(arena_chunk_count(&a), 0);
    CHECK_EQ(arena_stats(&a).oversized, 0);
    CHECK_EQ(arena_stats(&a).stranded, 0);
    CHECK_EQ(arena_retained(&a), 1280);
    CHECK(arena_is_valid(&a));
    store(t, &a, 1, 1);
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(arena_size(&a), 0);
    arena_release(&a);
}

TEST(rewind, on_zero)
{
    arena_t a = {0};
    arena_mark_t m = arena_mark(&a);
    CHECK(arena_append(&a, "abc", 3) != NULL);
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(arena_size(&a), 0);
    CHECK_EQ(arena_chunk_count(&a), 0);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(rewind, twice_to_the_same_place)
{
    arena_t a;
    arena_mark_t m;
    struct snapshot before;
    int round;
    prepare();
    start(t, &a, 128);
    store(t, &a, 5, 50);
    m = arena_mark(&a);
    before = snapshot_of(&a);
    CHECK(arena_rewind(&a, m));
    CHECK_STR(snapshot_difference(&before, &a), "");
    for (round = 0; round < 5; round++) {
        store(t, &a, 1 + (size_t)round * 3, 70);
        CHECK(arena_rewind(&a, m));
        CHECK_STR(rewind_difference(&before, &a), "");
        CHECK(arena_rewind(&a, m));
        CHECK_STR(rewind_difference(&before, &a), "");
    }
    CHECK_EQ(arena_status(&a), ARENA_OK);
    arena_release(&a);
}

TEST(rewind, over_oversized)
{
    arena_t a;
    arena_mark_t m, inner;
    const char *p;
    size_t blocks;
    prepare();
    start(t, &a, 128);
    store(t, &a, 1, 60);
    store(t, &a, 1, 400); /* An oversized value from before the mark stays. */
    m = arena_mark(&a);
    blocks = t->mem.live_blocks;
    store(t, &a, 3, 500);
    inner = arena_mark(&a);
    store(t, &a, 2, 600);
    CHECK_EQ(arena_stats(&a).oversized, 6);
    CHECK(arena_rewind(&a, inner));
    CHECK_EQ(arena_stats(&a).oversized, 4);
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(arena_stats(&a).oversized, 1);
    CHECK(t->mem.live_blocks <= blocks + 1); /* At most the table came to it. */
    CHECK_EQ(arena_size(&a), 460);
    CHECK_EQ(arena_retained(&a), 528);
    p = arena_append(&a, source, 68);
    CHECK_MEM(p, source, 68);
    CHECK_EQ(arena_chunk_count(&a), 2);
    arena_release(&a);
}

TEST(rewind, over_oversized_only)
{
    arena_t a;
    arena_mark_t m;
    prepare();
    start(t, &a, 128);
    m = arena_mark(&a);
    store(t, &a, 3, 500);
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(arena_retained(&a), 0);
    CHECK_EQ(arena_size(&a), 0);
    CHECK_EQ(arena_chunk_count(&a), 0);
    store(t, &a, 3, 500);
    m = arena_mark(&a);
    store(t, &a, 1, 10);
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(arena_size(&a), 1500);
    CHECK_EQ(arena_stats(&a).oversized, 3);
    CHECK_EQ(arena_chunk_count(&a), 3);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(rewind, refuses_marks_of_other_batches)
{
    /* Not best effort: none of 1000 batches takes a mark of an earlier one. */
    arena_t a;
    arena_mark_t m;
    int i;
    prepare();
    start(t, &a, 128);
    store(t, &a, 2, 30);
    m = arena_mark(&a);
    for (i = 0; i < 1000; i++) {
        struct snapshot before;
        arena_reset(&a);
        CHECK(!arena_rewind(&a, m));
        store(t, &a, 3, 30);
        before = snapshot_of(&a);
        arena_clear_status(&a);
        CHECK(!arena_rewind(&a, m));
        CHECK_EQ(arena_status(&a), ARENA_STALE);
        CHECK_STR(snapshot_difference(&before, &a), "");
    }
    arena_release(&a);
    CHECK(!arena_rewind(&a, m));
    store(t, &a, 3, 30);
    CHECK(!arena_rewind(&a, m));
    CHECK_EQ(arena_size(&a), 90);
    arena_release(&a);
}

TEST(rewind, refuses_marks_of_other_arenas)
{
    arena_t a;
    arena_mark_t m;
    int i;
    prepare();
    start(t, &a, 128);
    store(t, &a, 2, 30);
    m = arena_mark(&a);
    for (i = 0; i < 600; i++) {
        arena_t b;
        struct snapshot before;
        start(t, &b, 128);
        CHECK(!arena_rewind(&b, m));
        arena_clear_status(&b);
        store(t, &b, 3, 30);
        before = snapshot_of(&b);
        CHECK(!arena_rewind(&b, m));
        CHECK_EQ(arena_status(&b), ARENA_STALE);
        CHECK_STR(snapshot_difference(&before, &b), "");
        arena_release(&b);
    }
    CHECK(arena_rewind(&a, m));
    arena_release(&a);
}

TEST(rewind, refuses_empty_marks_of_other_arenas)
{
    /* Marks taken on an arena that is still {0}, and on one that was released. */
    arena_t a = {0}, b = {0};
    arena_mark_t m = arena_mark(&a), n;
    prepare();
    CHECK(arena_append(&b, "abc", 3) != NULL);
    CHECK(!arena_rewind(&b, m));
    CHECK_EQ(arena_size(&b), 3);
    arena_release(&a);
    n = arena_mark(&a);
    CHECK(!arena_rewind(&b, n));
    CHECK_EQ(arena_size(&b), 3);
    CHECK(arena_rewind(&a, n));
    arena_release(&a);
    arena_release(&b);
}

TEST(rewind, refuses_marks_past_the_present_position)
{
    arena_t a;
    arena_mark_t outer, inner, far_out;
    struct snapshot before;
    prepare();
    start(t, &a, 128);
    store(t, &a, 1, 10);
    outer = arena_mark(&a);
    store(t, &a, 1, 10);
    inner = arena_mark(&a); /* In the same chunk. */
    store(t, &a, 5, 100);
    store(t, &a, 1, 300);
    far_out = arena_mark(&a); /* In another one. */
    CHECK(arena_rewind(&a, outer));
    before = snapshot_of(&a);
    CHECK(!arena_rewind(&a, inner));
    CHECK_EQ(arena_status(&a), ARENA_STALE);
    arena_clear_status(&a);
    CHECK(!arena_rewind(&a, far_out));
    CHECK_EQ(arena_status(&a), ARENA_STALE);
    CHECK_STR(snapshot_difference(&before, &a), "");
    /* Rewinding to before an empty arena's start is no way round it. */
    store(t, &a, 2, 100);
    before = snapshot_of(&a);
    CHECK(!arena_rewind(&a, far_out));
    CHECK_STR(snapshot_difference(&before, &a), "");
    CHECK(arena_rewind(&a, outer));
    arena_release(&a);
}

TEST(rewind, forged_marks_break_nothing)
{
    /* Not promised to be refused where they look right, but an arena that takes one is still a
     * valid arena. */
    arena_t a;
    size_t i;
    prepare();
    start(t, &a, 128);
    for (i = 0; i < 3000; i++) {
        arena_mark_t m;
        unsigned char bytes[sizeof m];
        size_t at;
        store(t, &a, 1, 1 + (size_t)(test_random(t) % 200));
        memset(&m, 0, sizeof m);
        if (i % 3 != 0) m = arena_mark(&a);
        store(t, &a, 1, 1 + (size_t)(test_random(t) % 100));
        memcpy(bytes, &m, sizeof m);
        if (i % 3 == 1) {
            /* A good mark with an arena, a batch or a position that is not ours: as {0} and bytes
             * at random. */
            for (at = 0; at < sizeof m; at++) bytes[at] = (unsigned char)test_random(t);
        }
        memcpy(&m, bytes, sizeof m);
        if (i % 3 != 2)
            CHECK(!arena_rewind(&a, m));
        else
            CHECK(arena_rewind(&a, m));
        CHECK(arena_is_valid(&a));
        if (i % 100 == 99) arena_reset(&a);
    }
    arena_release(&a);
}

TEST(rewind, marks_with_one_wrong_field)
{
    /* White box: a good mark with each field changed to what cannot be is refused and changes
     * nothing. */
    words_t a;
    arena_options_t o;
    arena_mark_t m, f;
    static const uint64_t values[8] = {1, 2, 3};
    arena_stats_t before;
    int which;
    size_t i;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 64;
    o.hooks = t->hooks;
    CHECK_EQ(words_init(&a, &o), ARENA_OK);
    for (i = 0; i < 4; i++) CHECK(words_append(&a, values, 5 + i % 2) != NULL);
    CHECK(words_reserve(&a, 9) != NULL);
    m = words_mark(&a);
    CHECK(m.tails >= 2 && m.current < m.opened);
    CHECK(words_append(&a, values, 8) != NULL);
    before = words_stats(&a);
    for (which = 0; which < 21; which++) {
        arena_stats_t after;
        uint32_t forgotten = a.core.forgotten;
        f = m;
        /* As if the marks that died were too many to remember: then the sums have to be right, too.
         */
        if (which >= 17 && which < 20) a.core.forgotten = a.core.marks;
        switch (which) {
        case 0: f.id++; break;
        case 1: f.id = 0; break;
        case 2: f.batch++; break;
        case 3: f.serial = 0; break;
        case 4: f.serial++; break;
        case 5: f.opened = a.core.opened + 1; break;
        case 6: f.tails = ARENA_TAILS_ + 1; break;
        case 7: f.open[0] = f.opened; break;
        case 8: f.open[f.tails] = f.open[0]; break;
        case 9: f.current = f.open[0]; break;
        case 10: f.current = UINT32_MAX; break;
        case 11: f.open[f.tails] = UINT32_MAX; break;
        case 12: f.used[0] = 64; break;
        case 13: f.used[f.tails] = 72; break;
        case 14: f.used[0] -= 4; break;
        case 15: f.open[0] = UINT32_MAX; break;
        case 16: f.open[0] = a.core.oversized - 1; break;
        case 17: f.others += 8; break;
        case 20: f.open[0] = f.open[1]; break;
        case 18: f.padding += 8000; break;
        default: f.stranded += 8; break;
        }
        words_clear_status(&a);
        if (!CHECK(!words_rewind(&a, f))) CHECK_EQ(which, -1);
        CHECK_EQ(words_status(&a), ARENA_STALE);
        after = words_stats(&a);
        CHECK_MEM(&after, &before, sizeof before);
        a.core.forgotten = forgotten;
        CHECK(words_is_valid(&a));
    }
    a.core.forgotten = a.core.marks;
    CHECK(words_rewind(&a, m));
    CHECK_EQ(words_size(&a), 31 * sizeof values[0]);
    words_release(&a);
}

TEST(rewind, remembers_the_last_rewinds)
{
    /*
     * Ten marks, each with one taken behind it that is rewound past. The last four of these are
     * told from good ones also when the arena has grown beyond their places again; in any case the
     * arena stays valid.
     */
    arena_t a;
    arena_mark_t outer[10], inner[10];
    int i;
    prepare();
    start(t, &a, 64);
    for (i = 0; i < 10; i++) {
        store(t, &a, 1, 10);
        outer[i] = arena_mark(&a);
        store(t, &a, 1, 10);
        inner[i] = arena_mark(&a);
        store(t, &a, 1, 10);
        CHECK(arena_rewind(&a, outer[i]));
        CHECK(!arena_rewind(&a, inner[i]));
        arena_clear_status(&a);
        store(t, &a, 5, 10);
    }
    for (i = 9; i >= 6; i--) {
        CHECK(!arena_rewind(&a, inner[i]));
        CHECK_EQ(arena_status(&a), ARENA_STALE);
        arena_clear_status(&a);
    }
    CHECK_EQ(arena_size(&a), 10 * 60);
    /* The good ones still are: back through all of them; a rewind to an earlier one swallows the
     * later. */
    for (i = 9; i >= 0; i--) {
        CHECK(arena_rewind(&a, outer[i]));
        CHECK_EQ(arena_size(&a), (size_t)i * 60 + 10);
        if (i < 9) CHECK(!arena_rewind(&a, outer[i + 1]));
        CHECK(!arena_rewind(&a, inner[i]));
        CHECK(arena_is_valid(&a));
    }
    arena_release(&a);
}

TEST(rewind, to_the_last_mark_again_and_again_forgets_nothing)
{
    /* A rewind past no mark takes none of the places where dead marks are remembered, so one that
     * was taken at the very place of a good one stays told from it. */
    arena_t a;
    arena_mark_t good, dead, last;
    int i;
    prepare();
    start(t, &a, 64);
    store(t, &a, 1, 10);
    good = arena_mark(&a);
    dead = arena_mark(&a);
    CHECK(arena_rewind(&a, good));
    last = arena_mark(&a);
    for (i = 0; i < 2 * ARENA_DEAD_; i++) CHECK(arena_rewind(&a, last));
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK(!arena_rewind(&a, dead));
    CHECK_EQ(arena_status(&a), ARENA_STALE);
    CHECK(arena_rewind(&a, good));
    arena_release(&a);
}

TEST(rewind, dead_marks_that_lie_within_others_take_no_place)
{
    /* Two stretches of dead marks are swallowed by a rewind past both; three more are remembered
     * beside the one that is left. */
    arena_t a;
    arena_mark_t first, dead, m, inner[6];
    int i;
    prepare();
    start(t, &a, 64);
    store(t, &a, 1, 10);
    first = arena_mark(&a);
    dead = arena_mark(&a);
    for (i = 0; i < 6; i++) {
        if (i == 3) CHECK(arena_rewind(&a, first));
        m = arena_mark(&a);
        inner[i] = arena_mark(&a);
        CHECK(arena_rewind(&a, m));
        CHECK(!arena_rewind(&a, inner[i]));
        if (i > 0) CHECK(!arena_rewind(&a, inner[i - 1]));
        CHECK_EQ(arena_status(&a), ARENA_STALE);
        arena_clear_status(&a);
    }
    CHECK(!arena_rewind(&a, dead));
    CHECK_EQ(arena_status(&a), ARENA_STALE);
    CHECK(arena_rewind(&a, first));
    arena_release(&a);
}

TEST(rewind, forgotten_marks_leave_a_valid_arena)
{
    /*
     * Marks that died more rewinds ago than are remembered, in arenas that have grown past their
     * places in another way: refused, or taken where the arena is one that the calls could have
     * made.
     */
    size_t which, refused = 0;
    prepare();
    for (which = 0; which < 400; which++) {
        arena_t a;
        arena_mark_t outer[12], dead[12];
        struct snapshot before, at[12];
        size_t i, k;
        start(t, &a, 64);
        for (i = 0; i < 12; i++) {
            store(t, &a, 1, 1 + (size_t)(test_random(t) % 60));
            outer[i] = arena_mark(&a);
            at[i] = snapshot_of(&a);
            for (k = (size_t)(test_random(t) % 4); k > 0; k--) {
                store(t, &a, 1, 1 + (size_t)(test_random(t) % (k == 3 ? 100 : 60)));
            }
            dead[i] = arena_mark(&a);
            CHECK(arena_rewind(&a, outer[i]));
            for (k = (size_t)(test_random(t) % 4); k > 0; k--) {
                CHECK(arena_intern_n(&a, source, 1 + (size_t)(test_random(t) % 60)) != NULL);
            }
        }
        before = snapshot_of(&a);
        if (which % 3 == 0) {
            /* The marks that are alive are taken, however many others died and were forgotten. */
            for (i = 12; i-- > 0;) {
                if (test_random(t) % 2 == 0) continue;
                CHECK(arena_rewind(&a, outer[i]));
                CHECK_STR(rewind_difference(&at[i], &a), "");
            }
            arena_release(&a);
            refused++;
            continue;
        }
        if (!arena_rewind(&a, dead[which % 12])) {
            refused++;
            CHECK_EQ(arena_status(&a), ARENA_STALE);
            CHECK_STR(snapshot_difference(&before, &a), "");
        }
        CHECK(arena_is_valid(&a));
        CHECK(arena_size(&a) <= before.size);
        CHECK(arena_rewind(&a, arena_mark(&a)));
        store(t, &a, 5, 30);
        CHECK(arena_is_valid(&a));
        arena_release(&a);
    }
    CHECK(refused > 250);
}

TEST(rewind, mark_is_a_fence_for_str)
{
    /* The NUL that arena_str claims behind a value from before the mark goes with the rewind; the
     * value does not. */
    arena_t a;
    arena_ref_t r;
    arena_mark_t m;
    struct snapshot before;
    const char *s;
    prepare();
    start(t, &a, 64);
    r = arena_ref(&a, "raw", 3);
    m = arena_mark(&a);
    before = snapshot_of(&a);
    s = arena_str(&a, r);
    CHECK_STR(s, "raw");
    CHECK(arena_rewind(&a, m));
    CHECK_STR(rewind_difference(&before, &a), "");
    CHECK(arena_append(&a, "zzz", 3) != NULL);
    CHECK_MEM(arena_value(&a, r).data, "raw", 3);
    CHECK_STR(arena_str(&a, r), "raw");
    arena_release(&a);
}

TEST(rewind, strings_of_before_stay)
{
    /* A string that ends exactly at the chunk's end, its NUL in the spare byte, and one in the
     * middle. */
    arena_t a;
    arena_mark_t m;
    const char *p, *q;
    prepare();
    start(t, &a, 16);
    p = arena_intern(&a, "middle");
    q = arena_intern(&a, "012345678");
    m = arena_mark(&a);
    store(t, &a, 10, 5);
    CHECK(arena_rewind(&a, m));
    store(t, &a, 10, 3);
    CHECK_STR(p, "middle");
    CHECK_STR(q, "012345678");
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(arena_size(&a), 15);
    arena_release(&a);
}

TEST(rewind, tails_come_back)
{
    /* Tails of 40 and 30 bytes at the mark; filled after it; after the rewind they take the same
     * values again. */
    arena_t a;
    arena_mark_t m;
    const char *p, *q;
    struct snapshot before;
    prepare();
    start(t, &a, 100);
    store(t, &a, 1, 60);
    store(t, &a, 1, 70);
    store(t, &a, 1, 90);
    m = arena_mark(&a);
    before = snapshot_of(&a);
    p = arena_append(&a, source, 40);
    q = arena_append(&a, source, 30);
    CHECK_EQ(arena_chunk_count(&a), 3);
    store(t, &a, 20, 95); /* Many new tails push the old ones out. */
    CHECK(arena_rewind(&a, m));
    CHECK_STR(rewind_difference(&before, &a), "");
    CHECK(arena_append(&a, source, 40) == p);
    CHECK(arena_append(&a, source, 30) == q);
    CHECK_EQ(arena_chunk_count(&a), 3);
    CHECK(arena_rewind(&a, m));
    CHECK_STR(rewind_difference(&before, &a), "");
    arena_release(&a);
}

TEST(rewind, without_a_chunk_opened_since)
{
    arena_t a;
    arena_mark_t m;
    const char *p;
    prepare();
    start(t, &a, 128);
    store(t, &a, 1, 10);
    m = arena_mark(&a);
    p = arena_append(&a, source, 20);
    CHECK(arena_rewind(&a, m));
    CHECK(arena_append(&a, source, 30) == p);
    CHECK_EQ(arena_size(&a), 40);
    CHECK_EQ(t->mem.allocs, 1);
    arena_release(&a);
}

TEST(rewind, mark_behind_a_full_chunk)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    arena_mark_t m;
    prepare();
    start(t, &a, 64);
    store(t, &a, 1, 64);
    m = arena_mark(&a);
    store(t, &a, 3, 64);
    CHECK(arena_rewind(&a, m));
    CHECK_EQ(arena_chunk_count(&a), 1);
    CHECK_EQ(arena_size(&a), 64);
    CHECK_EQ(arena_retained(&a), 256);
    store(t, &a, 3, 64);
    CHECK_EQ(arena_retained(&a), 256);
    arena_release(&a);
}

TEST(rewind, typed)
{
    NEEDS_KEPT_CHUNKS();
    words_t a;
    arena_options_t o;
    arena_mark_t m, old;
    uint64_t values[20];
    size_t i;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 8 * 8;
    o.hooks = t->hooks;
    CHECK_EQ(words_init(&a, &o), ARENA_OK);
    for (i = 0; i < 20; i++) values[i] = i;
    CHECK(words_append(&a, values, 5) != NULL);
    m = words_mark(&a);
    CHECK(words_append(&a, values, 5) != NULL);
    CHECK(words_append(&a, values, 20) != NULL);
    CHECK(words_rewind(&a, m));
    CHECK_EQ(words_size(&a), 40);
    CHECK_EQ(words_chunk_count(&a), 1);
    CHECK_EQ(words_stats(&a).oversized, 0);
    CHECK(words_is_valid(&a));
    old = m;
    words_reset(&a);
    CHECK(!words_rewind(&a, old));
    words_trim(&a, 64);
    CHECK_EQ(words_retained(&a), 64);
    words_trim(&a, 63);
    CHECK_EQ(words_retained(&a), 0);
    words_release(&a);
}

/* ---- keep_batches ---- */

static void start_keeping(struct test *t, arena_t *a, unsigned batches)
{
    arena_options_t o;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 100;
    o.hooks = t->hooks;
    o.keep_batches = batches;
    CHECK_EQ(arena_init(a, &o), ARENA_OK);
}

TEST(rewind, keep_batches_lets_go_of_a_burst)
{
    NEEDS_KEPT_CHUNKS();
    unsigned n;
    prepare();
    for (n = 1; n <= 4; n++) {
        arena_t a;
        unsigned batch;
        size_t kept = 10;
        start_keeping(t, &a, n);
        store(t, &a, 10, 100);
        arena_reset(&a);
        CHECK_EQ(arena_retained(&a), 1000); /* The batch just reset counts as one of the n. */
        for (batch = 1; batch < 30; batch++) {
            size_t frees = t->mem.frees;
            store(t, &a, 2, 100);
            arena_reset(&a);
            /* The burst is one of the last n batches until n small ones were reset. */
            if (batch >= n && kept > 2) kept--;
            CHECK_EQ(arena_retained(&a), kept * 100);
            CHECK(t->mem.frees - frees <= 1);
            CHECK_EQ(arena_stats(&a).allocated, t->mem.live_bytes);
            CHECK(arena_is_valid(&a));
        }
        CHECK_EQ(kept, 2);
        arena_release(&a);
    }
}

TEST(rewind, keep_batches_zero_keeps_all)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    int batch;
    prepare();
    start_keeping(t, &a, 0);
    store(t, &a, 10, 100);
    for (batch = 0; batch < 300; batch++) {
        arena_reset(&a);
        store(t, &a, 1, 100);
    }
    CHECK_EQ(arena_retained(&a), 1000);
    CHECK_EQ(t->mem.frees, 1); /* The first, smaller table. */
    arena_release(&a);
}

TEST(rewind, keep_batches_counts_rewound_chunks)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    int batch;
    prepare();
    start_keeping(t, &a, 1);
    for (batch = 0; batch < 10; batch++) {
        arena_mark_t m;
        store(t, &a, 1, 100);
        m = arena_mark(&a);
        store(t, &a, 7, 100);
        CHECK(arena_rewind(&a, m));
        arena_reset(&a);
        CHECK_EQ(arena_retained(&a), 800);
    }
    store(t, &a, 1, 100);
    arena_reset(&a);
    CHECK_EQ(arena_retained(&a), 700);
    arena_release(&a);
}

TEST(rewind, keep_batches_of_a_steady_load_frees_nothing)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    int batch;
    size_t frees;
    prepare();
    start_keeping(t, &a, 2);
    /* Batches of 3 and 5 chunks in turn: the larger one is always one of the last two. */
    for (batch = 0; batch < 4; batch++) {
        store(t, &a, batch % 2 == 0 ? 3 : 5, 100);
        arena_reset(&a);
    }
    frees = t->mem.frees;
    for (batch = 0; batch < 20; batch++) {
        store(t, &a, batch % 2 == 0 ? 3 : 5, 100);
        arena_reset(&a);
        CHECK_EQ(arena_retained(&a), 500);
    }
    CHECK_EQ(t->mem.frees, frees);
    arena_release(&a);
}

TEST(rewind, keep_batches_with_oversized_between)
{
    NEEDS_KEPT_CHUNKS();
    /* Oversized values between uniform chunks: how many uniform ones were used counts, in any
     * order. */
    unsigned n;
    int where;
    prepare();
    for (n = 1; n <= 3; n++) {
        for (where = 0; where < 16; where++) {
            arena_t a;
            int batch;
            start_keeping(t, &a, n);
            store(t, &a, 10, 100);
            arena_reset(&a);
            for (batch = 0; batch < 30; batch++) {
                size_t frees = t->mem.frees, oversized = 0, k;
                for (k = 0; k < 4; k++) {
                    if (where >> k & 1) {
                        store(t, &a, 1, 500 + k);
                        oversized++;
                    }
                    if (k == 1 || k == 2) store(t, &a, 1, 100);
                }
                arena_reset(&a);
                CHECK(t->mem.frees - frees <= oversized + 1);
                CHECK(arena_is_valid(&a));
            }
            CHECK_EQ(arena_retained(&a), 200);
            arena_release(&a);
        }
    }
}

TEST(rewind, keep_batches_with_empty_batches)
{
    arena_t a;
    int batch;
    prepare();
    start_keeping(t, &a, 1);
    store(t, &a, 4, 100);
    arena_reset(&a);
    for (batch = 0; batch < 10; batch++) arena_reset(&a);
    CHECK_EQ(arena_retained(&a), 0);
    CHECK(arena_is_valid(&a));
    store(t, &a, 4, 100);
    CHECK_EQ(arena_retained(&a), 400);
    arena_release(&a);
}

TEST(rewind, keep_batches_never_frees_the_buffer)
{
    char buffer[300];
    arena_options_t o;
    arena_t a;
    int batch;
    prepare();
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 100;
    o.buffer = buffer;
    o.buffer_bytes = sizeof buffer;
    o.hooks = t->hooks;
    o.keep_batches = 1;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    store(t, &a, 10, 99);
    for (batch = 0; batch < 30; batch++) arena_reset(&a);
    CHECK_EQ(arena_retained(&a), 299);
    CHECK(arena_append(&a, source, 10) != NULL);
    CHECK_EQ(arena_retained(&a), 299);
    arena_release(&a);
}

/* ---- cost ---- */

TEST(rewind, reset_of_many_chunks_makes_no_call)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    size_t i, calls, frees;
    start(t, &a, 1);
    for (i = 0; i < 3000; i++) CHECK(arena_append(&a, "x", 1) != NULL);
    calls = t->mem.allocs;
    frees = t->mem.frees;
    arena_reset(&a);
    CHECK_EQ(t->mem.allocs, calls);
    CHECK_EQ(t->mem.frees, frees);
    CHECK_EQ(arena_retained(&a), 3000);
    arena_release(&a);
}

#if defined __SANITIZE_ADDRESS__
#define RESET_POISONS 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define RESET_POISONS 1
#endif
#endif
#if (defined ARENA_DEBUG && ARENA_DEBUG > 0) || defined TEST_VALGRIND
#define RESET_POISONS 1
#endif
/* WASI has no clock of the process. */
#ifdef __wasi__
#define RESET_POISONS 1
#endif

#ifndef RESET_POISONS
/* The least processor time of one reset after a batch of so many chunks. A busy machine may take
 * any time for anything, so there are more rounds until one took no longer than `enough`. */
static clock_t reset_time(struct test *t, size_t chunks, clock_t enough)
{
    arena_t a = arena_make(1);
    clock_t least = 0, from, took;
    int round;
    size_t i;
    for (round = 0; round < 8 || (round < 200 && least > enough); round++) {
        for (i = 0; i < chunks; i++) {
            if (arena_append(&a, "x", 1) == NULL) break;
        }
        CHECK_EQ(arena_chunk_count(&a), chunks);
        from = clock();
        arena_reset(&a);
        took = clock() - from;
        if (round == 0 || took < least) least = took;
    }
    arena_release(&a);
    return least;
}
#endif

TEST(rewind, reset_costs_the_same_with_many_chunks)
{
#ifdef RESET_POISONS
    SKIP("this build marks every chunk at reset, on purpose, or has no clock");
#else
    /* One pass over the entries of 100,000 chunks would take over 100 microseconds; 30 are far
     * above one reset. */
    clock_t more = (clock_t)(30e-6 * (double)CLOCKS_PER_SEC);
    clock_t few = reset_time(t, 10, more), many = reset_time(t, 100000, few + more);
    CHECK(many <= few + more);
#endif
}
