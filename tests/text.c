/*
 * text.c - formatted and joined text in the byte arena.
 *
 * The sentences that this family proves:
 *  - arena_printf formats straight into the tip; a result that ends exactly at the chunk's end
 *    stays in that chunk, one byte more opens the next; the NUL is not part of the capacity.
 *  - Results longer than any guess, and longer than a chunk, are whole.
 *  - Arguments may lie in the arena itself, also at its tip.
 *  - printf("") gives a static "" and stores nothing; a NULL format is ARENA_ARGUMENT, and so is
 *    a format that cannot be printed.
 *  - arena_strjoin of no parts gives ""; a NULL separator or part is ARENA_ARGUMENT; failure
 *    leaves the arena as it was.
 *  - NUL bytes do not count in size.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "test.h"

#define NEED(cond)                \
    do {                          \
        if (!CHECK(cond)) return; \
    } while (0)

static void text_open(arena_t *a, struct test *t, size_t chunk_bytes)
{
    arena_options_t o;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = chunk_bytes;
    o.hooks = t->hooks;
    CHECK_EQ(arena_init(a, &o), ARENA_OK);
}

static void text_close(struct test *t, arena_t *a)
{
    CHECK(arena_is_valid(a));
    arena_release(a);
}

TEST(text, printf_gives_what_printf_gives)
{
    arena_t a;
    char want[200];
    const char *s;
    int i;
    text_open(&a, t, 512);
    for (i = 0; i < 500; i++) {
        sprintf(want, "%d %5.2f %-8s|%x|%c|%%|%lu", i, i / 3.0, "ab", (unsigned)i * 77,
                'a' + i % 26, (unsigned long)i);
        s = arena_printf(&a, "%d %5.2f %-8s|%x|%c|%%|%lu", i, i / 3.0, "ab", (unsigned)i * 77,
                         'a' + i % 26, (unsigned long)i);
        NEED(s != NULL);
        CHECK_STR(s, want);
    }
    CHECK_EQ(arena_status(&a), ARENA_OK);
    text_close(t, &a);
}

/* Every distance of the tip from the chunk's end, and results from two bytes too short to two too
 * long. */
TEST(text, printf_to_the_exact_end_of_the_chunk)
{
    size_t room;
    for (room = 1; room <= 300; room++) {
        size_t n;
        for (n = room > 2 ? room - 2 : 1; n <= room + 2; n++) {
            arena_t a;
            char *head;
            const char *s, *next;
            text_open(&a, t, 1000);
            head = arena_reserve(&a, 1000 - room);
            NEED(head != NULL);
            memset(head, 'h', 1000 - room);
            s = arena_printf(&a, "%0*d", (int)n, 0);
            NEED(s != NULL);
            CHECK_EQ(strlen(s), n);
            CHECK(s[0] == '0' && s[n - 1] == '0');
            CHECK_EQ(arena_size(&a), 1000 - room + n);
            if (n <= room) {
                CHECK(s == head + (1000 - room));
                CHECK_EQ(arena_chunk_count(&a), 1);
                CHECK_EQ(t->mem.allocs - t->mem.frees, 1);
            } else {
                CHECK_EQ(arena_chunk_count(&a), 2);
            }
            CHECK(head[0] == 'h' && memcmp(head, head + 1, 1000 - room - 1) == 0);
            next = arena_intern(&a, "next");
            CHECK_STR(next, "next");
            CHECK_EQ(strlen(s), n);
            text_close(t, &a);
        }
    }
}

/* A string as long as the chunk fits it; one byte more has a chunk of its own. */
TEST(text, printf_as_long_as_a_chunk)
{
    size_t n;
    for (n = 2; n < 200; n++) {
        arena_t a;
        const char *s;
        text_open(&a, t, n);
        s = arena_printf(&a, "%0*d", (int)n, 1);
        NEED(s != NULL);
        CHECK_EQ(strlen(s), n);
        CHECK_EQ(arena_chunk_count(&a), 1);
        CHECK_EQ(arena_stats(&a).oversized, 0);
        CHECK_EQ(arena_retained(&a), n);
        s = arena_printf(&a, "%0*d", (int)n + 1, 2);
        NEED(s != NULL);
        CHECK_EQ(strlen(s), n + 1);
        CHECK_EQ(arena_stats(&a).oversized, 1);
        CHECK_EQ(arena_retained(&a), n + n + 1);
        CHECK_EQ(arena_size(&a), n + n + 1);
        text_close(t, &a);
    }
}

TEST(text, printf_longer_than_any_guess)
{
    static const size_t chunks[] = {65536, 4096, 100, 1};
    size_t c;
    for (c = 0; c < 4; c++) {
        arena_t a;
        size_t n;
        text_open(&a, t, chunks[c]);
        for (n = 1; n < 300000; n += 1 + n / 2) {
            const char *s = arena_printf(&a, "<%*s>%c", (int)n, "end", 'z');
            NEED(s != NULL);
            CHECK_EQ(strlen(s), (n < 3 ? 3 : n) + 3);
            CHECK(s[0] == '<' && strcmp(s + strlen(s) - 5, "end>z") == 0);
        }
        CHECK_EQ(arena_status(&a), ARENA_OK);
        text_close(t, &a);
    }
}

/* After a long result that did not fit, short ones go on where the last short one ended. */
TEST(text, printf_that_does_not_fit_leaves_no_gap)
{
    arena_t a;
    const char *x, *y, *z;
    text_open(&a, t, 1000);
    x = arena_printf(&a, "%s", "first");
    y = arena_printf(&a, "%05000d", 7);
    z = arena_printf(&a, "%s", "second");
    NEED(x != NULL && y != NULL && z != NULL);
    CHECK(z == x + 6);
    CHECK_EQ(strlen(y), 5000);
    CHECK_STR(x, "first");
    CHECK_STR(z, "second");
    CHECK_EQ(arena_size(&a), 5 + 5000 + 6);
    text_close(t, &a);
}

/* The last string stored, which ends at the tip, as the argument of the next one; and the room
 * behind the tip is not touched early. */
TEST(text, printf_of_strings_in_the_arena)
{
    static const size_t chunks[] = {65536, 500, 64};
    size_t c;
    for (c = 0; c < 3; c++) {
        arena_t a;
        const char *s;
        char want[3100];
        int i;
        text_open(&a, t, chunks[c]);
        s = arena_intern(&a, "");
        strcpy(want, "");
        for (i = 0; i < 200; i++) {
            char next[3100];
            NEED(s != NULL);
            sprintf(next, "%.3000s,%d", want, i);
            s = arena_printf(&a, "%s,%d", s, i);
            strcpy(want, next);
            CHECK_STR(s, want);
        }
        text_close(t, &a);
    }
}

TEST(text, printf_of_nothing)
{
    arena_t a, untouched;
    const char *s;
    memset(&untouched, 0, sizeof untouched);
    text_open(&a, t, 0);
    s = arena_printf(&a, "%s", "");
    CHECK_STR(s, "");
    s = arena_printf(&untouched, "%s", "");
    CHECK_STR(s, "");
    CHECK_EQ(arena_size(&a), 0);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK(arena_printf(&a, "%s", "x") != NULL);
    s = arena_printf(&a, "%s", "");
    CHECK_STR(s, "");
    CHECK_EQ(arena_size(&a), 1);
    /* A full arena that cannot grow has no need to. */
    arena_release(&untouched);
    text_close(t, &a);
}

/* Formats and arguments that have no text. A wide character that is none makes the C library's own
 * printf fail. */
TEST(text, printf_that_has_no_result)
{
    arena_t a;
    const char *s;
    char probe[16];
    arena_stats_t before, after;
    text_open(&a, t, 100);
    s = arena_printf(&a, "%s", "kept");
    NEED(s != NULL);
    before = arena_stats(&a);
    CHECK(arena_printf(&a, NULL) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    if (snprintf(probe, sizeof probe, "%lc", (wint_t)0x7ffffff0) < 0) {
        CHECK(arena_printf(&a, "abc%lc", (wint_t)0x7ffffff0) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
        arena_clear_status(&a);
    }
    after = arena_stats(&a);
    CHECK_EQ(before.size, after.size);
    CHECK_EQ(before.padding, after.padding);
    CHECK_EQ(before.allocated, after.allocated);
    CHECK_STR(s, "kept");
    CHECK_STR(arena_printf(&a, "%s", "next"), "next");
    text_close(t, &a);
}

TEST(text, printf_that_fails_for_want_of_memory)
{
    size_t room;
    for (room = 0; room < 40; room++) {
        arena_t a;
        const char *kept, *s;
        arena_stats_t before, after;
        text_open(&a, t, 200);
        kept = arena_printf(&a, "%0*d", (int)(200 - room), 5);
        NEED(kept != NULL);
        before = arena_stats(&a);
        t->mem.fail_from = 1;
        s = arena_printf(&a, "%s", "a text of exactly forty-one characters ...");
        CHECK(s == NULL);
        CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
        arena_clear_status(&a);
        CHECK(arena_printf(&a, "%01000d", 3) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
        arena_clear_status(&a);
        after = arena_stats(&a);
        CHECK_EQ(before.size, after.size);
        CHECK_EQ(before.used, after.used);
        CHECK_EQ(before.padding, after.padding);
        CHECK_EQ(before.allocated, after.allocated);
        CHECK_EQ(strlen(kept), 200 - room);
        /* What fits still goes in, and needs no memory. */
        if (room > 0) {
            const char *last =
                arena_printf(&a, "%.*s", (int)room, "0123456789012345678901234567890123456789");
            if (room > 1) {
                /* The kept string's NUL took one of the bytes. */
                last = arena_printf(&a, "%s", "");
                CHECK_STR(last, "");
            }
        }
        t->mem.fail_from = 0;
        arena_clear_status(&a);
        CHECK_STR(arena_printf(&a, "%s", "again"), "again");
        CHECK_EQ(strlen(kept), 200 - room);
        text_close(t, &a);
    }
}

static const char *text_vprintf(arena_t *a, const char *fmt, ...)
{
    va_list args;
    const char *s;
    va_start(args, fmt);
    s = arena_vprintf(a, fmt, args);
    va_end(args);
    return s;
}

/* vprintf may have to format twice, and must not use up the caller's arguments when it does. */
TEST(text, vprintf_in_all_three_places)
{
    arena_t a;
    int i;
    char want[600];
    text_open(&a, t, 300);
    for (i = 1; i < 500; i += 7) {
        const char *s =
            text_vprintf(&a, "%*d|%s|%d|%lld", i, 42, "abc", i, (long long)i * 1000000007);
        sprintf(want, "%*d|%s|%d|%lld", i, 42, "abc", i, (long long)i * 1000000007);
        NEED(s != NULL);
        CHECK_STR(s, want);
    }
    text_close(t, &a);
}

/* ---- strjoin --------------------------------------------------------------------------------- */

TEST(text, strjoin_joins)
{
    arena_t a;
    static const char *const parts[] = {"one", "", "three", "4"};
    static const char *const empty[] = {"", "", ""};
    text_open(&a, t, 0);
    CHECK_STR(arena_strjoin(&a, ", ", parts, 4), "one, , three, 4");
    CHECK_STR(arena_strjoin(&a, "", parts, 4), "onethree4");
    CHECK_STR(arena_strjoin(&a, "-", parts, 1), "one");
    CHECK_STR(arena_strjoin(&a, "-", parts, 2), "one-");
    CHECK_EQ(arena_size(&a), 15 + 9 + 3 + 4);
    CHECK_STR(arena_strjoin(&a, "", empty, 3), "");
    CHECK_STR(arena_strjoin(&a, "", empty, 1), "");
    CHECK_EQ(arena_size(&a), 15 + 9 + 3 + 4);
    CHECK_STR(arena_strjoin(&a, "/", empty, 3), "//");
    CHECK_EQ(arena_status(&a), ARENA_OK);
    text_close(t, &a);
}

TEST(text, strjoin_of_no_parts)
{
    arena_t a;
    static const char *const parts[] = {"x"};
    text_open(&a, t, 0);
    CHECK_STR(arena_strjoin(&a, ",", parts, 0), "");
    CHECK_STR(arena_strjoin(&a, ",", NULL, 0), "");
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK_EQ(arena_size(&a), 0);
    CHECK_EQ(t->mem.allocs, 0);
    text_close(t, &a);
}

TEST(text, strjoin_with_a_null)
{
    arena_t a;
    const char *parts[5] = {"a", "b", "c", "d", "e"};
    size_t i;
    text_open(&a, t, 0);
    CHECK(arena_strjoin(&a, NULL, parts, 5) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK(arena_strjoin(&a, ",", NULL, 5) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    for (i = 0; i < 5; i++) {
        const char *saved = parts[i];
        parts[i] = NULL;
        CHECK(arena_strjoin(&a, ",", parts, 5) == NULL);
        CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
        arena_clear_status(&a);
        parts[i] = saved;
    }
    CHECK_EQ(arena_size(&a), 0);
    CHECK_EQ(t->mem.allocs, 0);
    CHECK_STR(arena_strjoin(&a, ",", parts, 5), "a,b,c,d,e");
    text_close(t, &a);
}

/* Parts and separator in the arena, results of every length around the chunk's end, and one far
 * larger than a chunk. */
TEST(text, strjoin_of_strings_in_the_arena)
{
    static const size_t chunks[] = {65536, 200, 30};
    size_t c;
    for (c = 0; c < 3; c++) {
        arena_t a;
        const char *parts[100];
        size_t i, n;
        text_open(&a, t, chunks[c]);
        for (i = 0; i < 100; i++) parts[i] = arena_printf(&a, "%lu", (unsigned long)i);
        for (n = 1; n <= 100; n++) {
            const char *sep = arena_intern(&a, "::"), *joined = arena_strjoin(&a, sep, parts, n),
                       *p = joined;
            NEED(joined != NULL);
            for (i = 0; i < n; i++) {
                size_t len = strlen(parts[i]);
                if (strncmp(p, parts[i], len) != 0) break;
                p += len;
                if (i + 1 < n) {
                    if (strncmp(p, "::", 2) != 0) break;
                    p += 2;
                }
            }
            CHECK_EQ(i, n);
            CHECK(*p == '\0');
        }
        for (i = 0; i < 100; i++) CHECK_EQ(strtoul(parts[i], NULL, 10), i);
        text_close(t, &a);
    }
}

TEST(text, strjoin_to_the_exact_end_of_the_chunk)
{
    size_t room;
    for (room = 1; room < 30; room++) {
        size_t n;
        for (n = room > 1 ? room - 1 : 1; n <= room + 1; n++) {
            arena_t a;
            const char *parts[2], *s;
            char one[40];
            char *head;
            text_open(&a, t, 100);
            head = arena_reserve(&a, 100 - room);
            NEED(head != NULL);
            memset(one, 'p', sizeof one);
            one[n - 1] = '\0'; /* n - 1 bytes, a separator, nothing */
            parts[0] = one;
            parts[1] = "";
            s = arena_strjoin(&a, "+", parts, 2);
            NEED(s != NULL);
            CHECK_EQ(strlen(s), n);
            CHECK_EQ(s[n - 1], '+');
            CHECK_EQ(arena_chunk_count(&a), n <= room ? 1 : 2);
            text_close(t, &a);
        }
    }
}

TEST(text, strjoin_that_fails)
{
    arena_t a;
    const char *parts[3];
    arena_stats_t before, after;
    text_open(&a, t, 50);
    parts[0] = arena_intern(&a, "0123456789");
    parts[1] = parts[0];
    parts[2] = parts[0];
    NEED(parts[0] != NULL);
    CHECK(arena_reserve(&a, 30) != NULL);
    before = arena_stats(&a);
    t->mem.fail_from = 1;
    CHECK(arena_strjoin(&a, "; ", parts, 3) == NULL);
    t->mem.fail_from = 0;
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    after = arena_stats(&a);
    CHECK_EQ(before.size, after.size);
    CHECK_EQ(before.padding, after.padding);
    CHECK_EQ(before.allocated, after.allocated);
    CHECK_STR(parts[0], "0123456789");
    CHECK_STR(arena_strjoin(&a, "; ", parts, 3), "0123456789; 0123456789; 0123456789");
    text_close(t, &a);
}
