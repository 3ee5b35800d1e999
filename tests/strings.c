/*
 * Strings in the byte arena. Proves these sentences of DESIGN sections 3, 4 and 6 and of issue 2
 * item 1: "intern: NUL-terminated copy"; "intern_n: may hold NULs; NUL-terminated all the same";
 * "strref, strref_n"; "str: always a C string; absent = """; "printf: one pass, straight into the
 * tip; vprintf"; "strjoin"; "arena_str of a Ref stored as raw bytes claims the next byte if the
 * value is at the tip, else makes a terminated copy"; "A string as long as a chunk still fits one
 * chunk (the NUL is not part of the capacity)"; "NUL bytes do not count in size"; "intern("") and
 * printf("") give a static """; "a NULL string gives NULL and ARENA_ARGUMENT"; "arena_str that
 * fails gives
 * "" and a status"; "strjoin of no parts gives ""; a NULL separator or part is ARENA_ARGUMENT";
 * "three labels of 12, 5 and 9 characters make size 26"; "two interned strings as long as a chunk
 * retain exactly two chunks". Of issue 3 item 3: printf of results longer than any guess, and
 * ending exactly at the chunk's end.
 */
#include <stdarg.h>

#include "support.h"

#if defined __GNUC__ && !defined __TINYC__
#define LIKE_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define LIKE_PRINTF
#endif

TEST(strings, intern_copies_and_terminates)
{
    arena_t a;
    char source[100];
    size_t n;
    start(t, &a, 256);
    for (n = 1; n < sizeof source; n++) {
        const char *p;
        memset(source, 'a' + (int)(n % 26), n);
        source[n] = '\0';
        p = arena_intern(&a, source);
        CHECK(p != NULL && p != source);
        CHECK_STR(p, source);
        CHECK_EQ(strlen(p), n);
    }
    CHECK_EQ(arena_size(&a), 99 * 100 / 2);
    arena_release(&a);
}

TEST(strings, intern_every_length_and_room)
{
    /* Every length against every room left in the chunk: exact fit, one less, one more, with the
     * NUL outside. */
    size_t before, n;
    char source[50];
    for (before = 0; before < 20; before++) {
        for (n = 1; n < 45; n++) {
            arena_t a;
            const char *p;
            size_t used;
            memset(source, 'i', n);
            source[n] = '\0';
            start(t, &a, 40);
            if (before > 0) CHECK(arena_reserve(&a, before) != NULL);
            p = arena_intern(&a, source);
            CHECK_STR(p, source);
            CHECK_EQ(arena_size(&a), before + n);
            CHECK_EQ(arena_chunk_count(&a), before + n <= 40 || before == 0 ? 1 : 2);
            used = arena_stats(&a).padding;
            CHECK(used <= 1);
            /* The next value does not overwrite the NUL. */
            CHECK(arena_append(&a, "zz", 2) != NULL);
            CHECK_STR(p, source);
            CHECK(arena_is_valid(&a));
            arena_release(&a);
        }
    }
}

TEST(strings, every_length_is_copied_whole)
{
    /* Where the text fits the chunk and where it does not: every byte, in every way to store it. */
    arena_t a;
    char source[301];
    size_t n, i;
    for (i = 0; i < sizeof source; i++) source[i] = (char)(' ' + i % 89);
    start(t, &a, 1000);
    for (n = 1; n < sizeof source; n++) {
        const char *p = arena_intern_n(&a, source, n);
        arena_ref_t r = arena_strref_n(&a, source, n);
        CHECK_EQ(r.len, n);
        CHECK_MEM(p, source, n);
        CHECK_MEM(arena_value(&a, r).data, source, n);
        CHECK(p != NULL && p[n] == '\0' && arena_str(&a, r)[n] == '\0');
    }
    arena_release(&a);
}

TEST(strings, intern_n_may_hold_nuls)
{
    arena_t a;
    const char *p;
    start(t, &a, 64);
    p = arena_intern_n(&a, "a\0b\0", 4);
    CHECK_MEM(p, "a\0b\0\0", 5);
    CHECK_EQ(arena_size(&a), 4);
    p = arena_intern_n(&a, "no NUL here", 2);
    CHECK_STR(p, "no");
    CHECK_EQ(arena_size(&a), 6);
    arena_release(&a);
}

TEST(strings, empty_is_static)
{
    arena_t a;
    struct snapshot before;
    const char *p;
    start(t, &a, 64);
    CHECK_STR(arena_intern(&a, ""), "");
    CHECK_STR(arena_intern_n(&a, "xyz", 0), "");
    CHECK_STR(arena_intern_n(&a, NULL, 0), "");
    CHECK_STR(arena_printf(&a, "%s", ""), "");
    CHECK_EQ(t->mem.allocs, 0);
    CHECK(arena_append(&a, "x", 1) != NULL);
    before = snapshot_of(&a);
    p = arena_intern(&a, "");
    CHECK_STR(p, "");
    CHECK(!is_live(&a, p, 1));
    p = arena_printf(&a, "%s", "");
    CHECK_STR(p, "");
    CHECK(!is_live(&a, p, 1));
    CHECK(arena_ref_empty(arena_strref(&a, "")));
    CHECK(arena_ref_empty(arena_strref_n(&a, NULL, 0)));
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK_STR(snapshot_difference(&before, &a), "");
    /* It stays good whatever becomes of the arena. */
    arena_release(&a);
    CHECK_STR(p, "");
}

TEST(strings, null_is_an_argument_error)
{
    arena_t a;
    start(t, &a, 64);
    CHECK(arena_intern(&a, NULL) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK(arena_intern_n(&a, NULL, 3) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK(arena_ref_empty(arena_strref(&a, NULL)));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    arena_clear_status(&a);
    CHECK(arena_ref_empty(arena_strref_n(&a, NULL, 3)));
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    CHECK_EQ(arena_size(&a), 0);
    CHECK_EQ(t->mem.allocs, 0);
    arena_release(&a);
}

TEST(strings, labels_of_12_5_and_9_make_26)
{
    arena_t a;
    arena_stats_t s;
    start(t, &a, 4096);
    CHECK_STR(arena_intern(&a, "twelve chars"), "twelve chars");
    CHECK_STR(arena_intern(&a, "label"), "label");
    CHECK_STR(arena_intern(&a, "ninechars"), "ninechars");
    s = arena_stats(&a);
    CHECK_EQ(s.size, 26);
    CHECK_EQ(s.padding, 3);
    CHECK_EQ(s.used, 29);
    CHECK_EQ(s.retained, 4096);
    arena_release(&a);
}

TEST(strings, as_long_as_a_chunk)
{
    arena_t a;
    static char source[4097];
    const char *p, *q;
    memset(source, 'c', 4096);
    start(t, &a, 4096);
    p = arena_intern(&a, source);
    q = arena_intern(&a, source);
    CHECK_STR(p, source);
    CHECK_STR(q, source);
    CHECK_EQ(arena_retained(&a), 2 * 4096);
    CHECK_EQ(arena_size(&a), 2 * 4096);
    CHECK_EQ(arena_chunk_count(&a), 2);
    CHECK_EQ(arena_stats(&a).oversized, 0);
    arena_release(&a);
}

TEST(strings, oversized_adds_its_length_and_at_most_its_nul)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    static char source[5001];
    const char *p;
    size_t retained;
    memset(source, 'o', 5000);
    start(t, &a, 4096);
    CHECK_STR(arena_intern(&a, "small"), "small");
    p = arena_intern(&a, source);
    CHECK_STR(p, source);
    retained = arena_retained(&a);
    CHECK(retained == 4096 + 5000 || retained == 4096 + 5001);
    CHECK_EQ(arena_size(&a), 5005);
    CHECK(arena_stats(&a).allocated <=
          4097 + 5001 + 1024); /* Beside the table nothing else is held. */
    arena_reset(&a);
    CHECK_EQ(arena_retained(&a), 4096);
    arena_release(&a);
}

TEST(strings, strref_is_the_same_descriptor)
{
    arena_t a;
    arena_ref_t r, q;
    arena_view_t v;
    const char *s;
    size_t size;
    start(t, &a, 64);
    r = arena_strref(&a, "hello");
    q = arena_strref_n(&a, "wo\0rld", 6);
    v = arena_value(&a, r);
    CHECK_EQ(v.len, 5);
    CHECK_MEM(v.data, "hello", 6);
    s = arena_str(&a, r);
    CHECK(s == v.data); /* No copy. */
    v = arena_value(&a, q);
    CHECK_EQ(v.len, 6);
    CHECK_MEM(v.data, "wo\0rld", 7);
    size = arena_size(&a);
    CHECK(arena_str(&a, q) == v.data);
    CHECK_EQ(arena_size(&a), size);
    CHECK_EQ(size, 11);
    arena_release(&a);
}

TEST(strings, str_of_a_strref_is_never_a_copy)
{
    /* In the chunk being filled, in the middle and at the end of earlier chunks, and oversized. */
    arena_t a;
    arena_ref_t refs[60];
    size_t i, size;
    static char text[200];
    memset(text, 't', sizeof text);
    start(t, &a, 64);
    for (i = 0; i < 60; i++) {
        size_t n = i % 10 == 0 ? 150 : i % 3 == 0 ? 64 : 5 + i % 20;
        refs[i] = arena_strref_n(&a, text, n);
        CHECK_EQ(refs[i].len, n);
    }
    size = arena_size(&a);
    for (i = 0; i < 60; i++) {
        const char *s = arena_str(&a, refs[i]);
        CHECK(s == arena_value(&a, refs[i]).data);
        CHECK_EQ(strlen(s), refs[i].len);
    }
    CHECK_EQ(arena_size(&a), size);
    arena_release(&a);
}

TEST(strings, str_at_the_tip_claims_the_next_byte)
{
    arena_t a;
    arena_ref_t r;
    const char *s;
    arena_stats_t before, after;
    start(t, &a, 64);
    r = arena_ref(&a, "raw", 3);
    before = arena_stats(&a);
    s = arena_str(&a, r);
    after = arena_stats(&a);
    CHECK_STR(s, "raw");
    CHECK(s == arena_value(&a, r).data);
    CHECK_EQ(after.size, before.size);
    CHECK_EQ(after.padding, before.padding + 1);
    CHECK(arena_append(&a, "next", 4) == s + 4);
    CHECK_STR(s, "raw");
    CHECK_MEM(arena_value(&a, r).data, "raw", 3);
    CHECK_EQ(arena_value(&a, r).len, 3);
    arena_release(&a);
}

TEST(strings, str_away_from_the_tip_copies)
{
    arena_t a;
    arena_ref_t r;
    const char *s;
    start(t, &a, 64);
    r = arena_ref(&a, "raw", 3);
    CHECK(arena_append(&a, "behind", 6) != NULL);
    s = arena_str(&a, r);
    CHECK_STR(s, "raw");
    CHECK(s != arena_value(&a, r).data);
    CHECK(is_live(&a, s, 3));
    CHECK_MEM(arena_value(&a, r).data, "rawbehind", 9);
    /* The copy does not change the value, and the next store does not change the copy. */
    CHECK(arena_append(&a, "zzzz", 4) != NULL);
    CHECK_STR(s, "raw");
    arena_release(&a);
}

TEST(strings, str_at_the_end_of_a_chunk)
{
    /* The last value of a full chunk has the spare byte behind it; nothing new is opened for the
     * NUL. */
    arena_t a;
    arena_ref_t r, one;
    const char *s;
    start(t, &a, 16);
    one = arena_ref(&a, "0123456789", 10);
    r = arena_ref(&a, "abcdef", 6);
    s = arena_str(&a, r);
    CHECK_STR(s, "abcdef");
    CHECK_EQ(arena_chunk_count(&a), 1);
    CHECK_EQ(arena_size(&a), 16);
    CHECK_STR(arena_str(&a, one), "0123456789");
    CHECK_STR(s, "abcdef");
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(strings, str_of_an_earlier_full_chunk)
{
    arena_t a;
    arena_ref_t r;
    static char source[17] = "0123456789abcdef";
    start(t, &a, 16);
    r = arena_ref(&a, source, 16);
    CHECK(arena_append(&a, "next chunk", 10) != NULL);
    CHECK_STR(arena_str(&a, r), source);
    CHECK_MEM(arena_value(&a, r).data, source, 16);
    CHECK_STR(arena_str(&a, r), source);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(strings, str_of_a_raw_oversized_value)
{
    arena_t a;
    arena_ref_t r;
    static char source[501];
    memset(source, 'q', 500);
    start(t, &a, 64);
    r = arena_ref(&a, source, 500);
    CHECK_STR(arena_str(&a, r), source);
    CHECK(arena_append(&a, "abc", 3) != NULL);
    CHECK_STR(arena_str(&a, r), source);
    CHECK_MEM(arena_value(&a, r).data, source, 500);
    arena_release(&a);
}

TEST(strings, str_twice_at_the_tip)
{
    arena_t a;
    arena_ref_t r;
    const char *s, *u;
    start(t, &a, 64);
    r = arena_ref(&a, "twice", 5);
    s = arena_str(&a, r);
    u = arena_str(&a, r);
    CHECK_STR(s, "twice");
    CHECK_STR(u, "twice");
    arena_release(&a);
}

TEST(strings, str_of_pieces)
{
    /* A Ref may be cut down by its holder: part of a value is a value too. */
    arena_t a;
    arena_ref_t r, piece;
    start(t, &a, 64);
    r = arena_strref(&a, "one two");
    piece = r;
    piece.len = 3;
    CHECK_STR(arena_str(&a, piece), "one");
    piece.off += 4;
    CHECK_STR(arena_str(&a, piece), "two");
    CHECK_STR(arena_str(&a, r), "one two");
    arena_release(&a);
}

TEST(strings, str_of_stale_and_absent)
{
    arena_t a;
    arena_ref_t r, zero = {0, 0, 0};
    start(t, &a, 64);
    r = arena_strref(&a, "old");
    arena_reset(&a);
    CHECK_STR(arena_str(&a, r), "");
    CHECK_EQ(arena_size(&a), 0);
    arena_clear_status(&a);
    CHECK_STR(arena_str(&a, zero), "");
    CHECK_EQ(arena_status(&a), ARENA_OK);
    arena_release(&a);
}

TEST(strings, str_that_fails)
{
    arena_t a;
    arena_ref_t r;
    static char source[60];
    memset(source, 'w', sizeof source);
    start(t, &a, 64);
    r = arena_ref(&a, source, 40);
    CHECK(arena_append(&a, source, 20) != NULL);
    {
        struct snapshot before = snapshot_of(&a);
        t->mem.fail_from = 1;
        CHECK_STR(arena_str(&a, r), "");
        CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
        CHECK_STR(snapshot_difference(&before, &a), "");
        t->mem.fail_from = 0;
    }
    CHECK_EQ(strlen(arena_str(&a, r)), 40);
    arena_release(&a);
}

TEST(strings, printf_formats)
{
    arena_t a;
    const char *p;
    start(t, &a, 256);
    p = arena_printf(&a, "%d %s %c %%", 42, "forty-two", 'x');
    CHECK_STR(p, "42 forty-two x %");
    CHECK_EQ(arena_size(&a), 16);
    CHECK_EQ(arena_stats(&a).padding, 1);
    CHECK(is_live(&a, p, 16));
    CHECK(arena_append(&a, "y", 1) == p + 17);
    CHECK_STR(p, "42 forty-two x %");
    arena_release(&a);
}

TEST(strings, printf_with_nuls)
{
    arena_t a;
    const char *p;
    start(t, &a, 256);
    p = arena_printf(&a, "a%cb", 0);
    CHECK_MEM(p, "a\0b", 4);
    CHECK_EQ(arena_size(&a), 3);
    arena_release(&a);
}

TEST(strings, printf_of_every_length_and_room)
{
    /* Ending exactly at the chunk's end, one before it, one behind it, and longer than any guess.
     */
    static const size_t lengths[] = {1,  2,  7,   30,  31,  32,   33,   63,    64,
                                     65, 66, 127, 128, 129, 1000, 5000, 100000};
    static char source[100001];
    size_t before, i;
    for (before = 0; before < 64; before += 3) {
        for (i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            arena_t a;
            const char *p, *first = NULL;
            size_t n = lengths[i];
            memset(source, 'p', n);
            source[n] = '\0';
            start(t, &a, 64);
            if (before > 0)
                first = arena_append(
                    &a, "................................................................", before);
            p = arena_printf(&a, "%s", source);
            CHECK_STR(p, source);
            CHECK_EQ(arena_size(&a), before + n);
            CHECK_EQ(arena_chunk_count(&a), before + n <= 64 || before == 0 ? 1 : 2);
            CHECK_EQ(arena_stats(&a).oversized, n > 64 ? 1 : 0);
            if (before > 0) {
                /* The chunk being filled is still being filled, up to its end. */
                CHECK(first != NULL && first[before - 1] == '.');
                if (before + n <= 64)
                    CHECK(p == first + before);
                else if (n > 64 && before < 64)
                    CHECK(arena_append(&a, "z", 1) == first + before);
            }
            CHECK_STR(p, source);
            CHECK(arena_is_valid(&a));
            arena_release(&a);
        }
    }
}

TEST(strings, printf_into_the_exact_end)
{
    arena_t a;
    const char *p;
    start(t, &a, 64);
    CHECK(arena_reserve(&a, 54) != NULL);
    p = arena_printf(&a, "%010d", 12345);
    CHECK_STR(p, "0000012345");
    CHECK_EQ(arena_chunk_count(&a), 1);
    CHECK_EQ(arena_size(&a), 64);
    CHECK_EQ(t->mem.allocs, 1);
    arena_release(&a);
}

TEST(strings, printf_reads_arguments_in_the_arena)
{
    arena_t a;
    const char *p, *q;
    int i;
    start(t, &a, 32);
    p = arena_intern(&a, "ab");
    for (i = 0; i < 8; i++) {
        q = arena_printf(&a, "%s%s", p, p);
        CHECK_EQ(strlen(q), 2 * strlen(p));
        CHECK_MEM(q, p, strlen(p));
        CHECK_STR(q + strlen(p), p);
        p = q;
    }
    CHECK_EQ(strlen(p), 512);
    arena_release(&a);
}

TEST(strings, printf_null_format)
{
    arena_t a;
    const char *volatile none = NULL; /* volatile: the compiler may not see that it is NULL. */
    start(t, &a, 64);
    CHECK(arena_printf(&a, none, 0) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
    CHECK_EQ(arena_size(&a), 0);
    arena_release(&a);
}

TEST(strings, printf_out_of_memory)
{
    arena_t a;
    struct snapshot before;
    static char source[200];
    memset(source, 'm', 199);
    start(t, &a, 64);
    CHECK(arena_append(&a, "start", 5) != NULL);
    before = snapshot_of(&a);
    t->mem.fail_from = 1;
    CHECK(arena_printf(&a, "%s", source) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    CHECK_STR(snapshot_difference(&before, &a), "");
    arena_clear_status(&a);
    CHECK(arena_printf(&a, "%.60s", source) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    CHECK_STR(snapshot_difference(&before, &a), "");
    CHECK(arena_printf(&a, "%.59s", source) != NULL);
    t->mem.fail_from = 0;
    CHECK_EQ(arena_size(&a), 64);
    arena_release(&a);
}

static const char *through_vprintf(arena_t *a, const char *fmt, ...) LIKE_PRINTF;
static const char *through_vprintf(arena_t *a, const char *fmt, ...)
{
    const char *p;
    va_list args;
    va_start(args, fmt);
    p = arena_vprintf(a, fmt, args);
    va_end(args);
    return p;
}

TEST(strings, vprintf_formats)
{
    arena_t a;
    static char source[300];
    memset(source, 'v', 299);
    start(t, &a, 64);
    CHECK_STR(through_vprintf(&a, "%d-%s", 7, "seven"), "7-seven");
    CHECK_STR(through_vprintf(&a, "%s", source), source); /* The arguments are read twice here. */
    CHECK_STR(through_vprintf(&a, "%s%d", "", 0), "0");
    CHECK_EQ(arena_size(&a), 7 + 299 + 1);
    arena_release(&a);
}

TEST(strings, strjoin_joins)
{
    static const char *const parts[] = {"one", "two", "", "three"};
    arena_t a;
    start(t, &a, 64);
    CHECK_STR(arena_strjoin(&a, ", ", parts, 4), "one, two, , three");
    CHECK_EQ(arena_size(&a), 17);
    CHECK_STR(arena_strjoin(&a, "", parts, 4), "onetwothree");
    CHECK_STR(arena_strjoin(&a, "/", parts, 1), "one");
    CHECK_STR(arena_strjoin(&a, "/", parts, 2), "one/two");
    CHECK_EQ(arena_size(&a), 17 + 11 + 3 + 7);
    CHECK_EQ(arena_stats(&a).padding, 4);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(strings, strjoin_of_nothing)
{
    static const char *const parts[] = {"", "", ""};
    arena_t a;
    start(t, &a, 64);
    CHECK_STR(arena_strjoin(&a, ", ", NULL, 0), "");
    CHECK_STR(arena_strjoin(&a, ", ", parts, 0), "");
    CHECK_STR(arena_strjoin(&a, ", ", parts, 1), "");
    CHECK_STR(arena_strjoin(&a, "", parts, 3), "");
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK_EQ(arena_size(&a), 0);
    CHECK_STR(arena_strjoin(&a, "+", parts, 3), "++");
    CHECK_EQ(arena_size(&a), 2);
    arena_release(&a);
}

TEST(strings, strjoin_bad_arguments)
{
    static const char *const good[] = {"a", "b"};
    static const char *const holes[][2] = {{NULL, "b"}, {"a", NULL}};
    arena_t a;
    struct snapshot before;
    size_t i;
    start(t, &a, 64);
    CHECK(arena_append(&a, "x", 1) != NULL);
    before = snapshot_of(&a);
    for (i = 0; i < 4; i++) {
        const char *p = i == 0   ? arena_strjoin(&a, NULL, good, 2)
                        : i == 1 ? arena_strjoin(&a, ",", NULL, 2)
                                 : arena_strjoin(&a, ",", holes[i - 2], 2);
        CHECK(p == NULL);
        CHECK_EQ(arena_status(&a), ARENA_ARGUMENT);
        arena_clear_status(&a);
        CHECK_STR(snapshot_difference(&before, &a), "");
    }
    arena_release(&a);
}

TEST(strings, strjoin_into_the_exact_end_and_oversized)
{
    static const char *const parts[] = {"0123456789", "0123456789", "0123456789"};
    arena_t a;
    const char *p;
    start(t, &a, 32);
    p = arena_strjoin(&a, "-", parts, 3);
    CHECK_STR(p, "0123456789-0123456789-0123456789");
    CHECK_EQ(arena_chunk_count(&a), 1);
    p = arena_strjoin(&a, "--", parts, 3);
    CHECK_STR(p, "0123456789--0123456789--0123456789");
    CHECK_EQ(arena_stats(&a).oversized, 1);
    CHECK_EQ(arena_size(&a), 66);
    arena_release(&a);
}

TEST(strings, strjoin_of_its_own)
{
    /* Parts and separator inside the arena, at its tip. */
    const char *parts[3];
    arena_t a;
    start(t, &a, 32);
    parts[0] = arena_intern(&a, "left");
    parts[1] = arena_intern(&a, "middle");
    parts[2] = arena_intern(&a, "+");
    CHECK_STR(arena_strjoin(&a, parts[2], parts, 3), "left+middle++");
    CHECK_STR(arena_strjoin(&a, parts[2], parts, 3), "left+middle++");
    CHECK_EQ(arena_size(&a), 11 + 26);
    arena_release(&a);
}

TEST(strings, strjoin_out_of_memory)
{
    static const char *const parts[] = {"0123456789", "0123456789", "0123456789", "0123456789"};
    arena_t a;
    struct snapshot before;
    start(t, &a, 32);
    CHECK(arena_append(&a, "x", 1) != NULL);
    before = snapshot_of(&a);
    t->mem.fail_from = 1;
    CHECK(arena_strjoin(&a, "+", parts, 4) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    CHECK_STR(snapshot_difference(&before, &a), "");
    t->mem.fail_from = 0;
    CHECK_STR(arena_strjoin(&a, "", parts, 4), "0123456789012345678901234567890123456789");
    arena_release(&a);
}

TEST(strings, repeated_batch_makes_no_allocator_call)
{
    NEEDS_KEPT_CHUNKS();
    arena_t a;
    int round, i;
    size_t calls = 0;
    start(t, &a, 128);
    for (round = 0; round < 5; round++) {
        arena_reset(&a);
        if (round == 1) calls = t->mem.allocs;
        for (i = 0; i < 100; i++) {
            CHECK(arena_printf(&a, "%0*d", 1 + i, i) != NULL);
            CHECK_STR(arena_intern(&a, "0123456789"), "0123456789");
        }
        CHECK_EQ(arena_size(&a), 100 * 101 / 2 + 1000);
    }
    CHECK_EQ(t->mem.allocs, calls);
    arena_release(&a);
}
