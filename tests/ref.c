/*
 * Refs. Proves these sentences of DESIGN sections 1 and 3 and of issue 2 item 3:
 * "12 bytes, all zero = absent"; "ref: a copy; its descriptor"; "value: checked"; "A Ref is checked
 * where it is used: chunk opened in this batch, offset + length inside what that chunk holds, and a
 * generation"; "a Ref from before a reset, or of another arena, resolves to the empty view (best
 * effort, better than 250 in 256)"; "Never out of bounds, whatever bits it holds, a forged NUL flag
 * included"; "2^32-1 elements for offset + length: checked before anything is stored: an error, and
 * nothing stored, never a truncated value"; "the same calls in the same order give the same" Refs.
 * Besides, ARENA_DECLARE: elements that hold Refs to their own kind and to each other's.
 * The limits that need gigabytes are proven in tests/huge.c.
 */
#include <stdlib.h>

#include "support.h"

ARENA_DEFINE(numbers, uint32_t);

/* A tree: a branch has any number of branches below it, side by side as one value, and leaves. A
 * leaf knows its branch. */
ARENA_DECLARE(branches);
ARENA_DECLARE(leaves);
struct branch {
    uint32_t key;
    branches_ref_t below;
    leaves_ref_t leaf;
};
struct leaf {
    branches_ref_t branch;
};
ARENA_DEFINE_DECLARED(branches, struct branch);
ARENA_DEFINE_DECLARED(leaves, struct leaf);

static int ref_is_zero(arena_ref_t r) { return r.chunk == 0 && r.off == 0 && r.len == 0; }

static arena_ref_t make_ref(uint32_t chunk, uint32_t off, uint32_t len)
{
    arena_ref_t r;
    r.chunk = chunk;
    r.off = off;
    r.len = len;
    return r;
}

TEST(ref, twelve_bytes)
{
    CHECK_EQ(sizeof(arena_ref_t), 12);
    CHECK_EQ(sizeof(numbers_ref_t), 12);
    CHECK_EQ(offsetof(arena_ref_t, chunk), 0);
    CHECK_EQ(offsetof(arena_ref_t, off), 4);
    CHECK_EQ(offsetof(arena_ref_t, len), 8);
    CHECK_EQ(ARENA_REF_CHUNKS, UINT32_C(1) << 23);
}

/* "Asks the processor ... whatever r is; nothing else": on {0}, for random bits, live and stale
 * Refs the arena is what it was, byte for byte. */
TEST(ref, prefetch_changes_nothing)
{
    static const uint32_t edge[] = { 0, 1, 2, 511, 512, 513, 0x7FFFFFFF, 0x80000000u, UINT32_MAX };
    const size_t n = sizeof edge / sizeof *edge;
    arena_t a, before;
    numbers_t q;
    arena_ref_t live;
    numbers_ref_t one;
    const uint32_t seven = 7;
    size_t i;
    int round;
    memset(&a, 0, sizeof a);
    memset(&q, 0, sizeof q);
    for (round = 0; round < 3; ++round) {
        memcpy(&before, &a, sizeof a);
        for (i = 0; i < n * n * n; ++i)
            arena_prefetch(&a, make_ref(edge[i % n], edge[i / n % n], edge[i / n / n]));
        CHECK(memcmp(&a, &before, sizeof a) == 0);
        live = arena_ref(&a, "forty", 5);
        arena_prefetch(&a, live);
        CHECK_EQ(arena_value(&a, live).len, 5);
        for (i = 0; i < 40; ++i) CHECK(arena_reserve(&a, 10000) != NULL);
        if (round == 1) arena_reset(&a);
        arena_prefetch(&a, live);
    }
    one = numbers_ref(&q, &seven, 1);
    numbers_prefetch(&q, one);
    CHECK_EQ(numbers_value(&q, one).data[0], 7);
    CHECK(arena_is_valid(&a) && numbers_is_valid(&q));
    CHECK_EQ(arena_status(&a), ARENA_OK);
    arena_release(&a);
    numbers_release(&q);
}

TEST(ref, zero_is_absent)
{
    arena_t a;
    arena_view_t v;
    arena_ref_t zero = {0, 0, 0};
    start(t, &a, 100);
    CHECK(arena_ref_empty(zero));
    v = arena_value(&a, zero);
    CHECK_EQ(v.len, 0);
    CHECK_STR(arena_str(&a, zero), "");
    CHECK(arena_append(&a, "0123456789", 10) != NULL);
    v = arena_value(&a, zero);
    CHECK_EQ(v.len, 0);
    CHECK_STR(arena_str(&a, zero), "");
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK_EQ(arena_size(&a), 10);
    /* No value is ever described by the absent Ref, not even the first one of the first arena. */
    arena_reset(&a);
    CHECK(!arena_ref_empty(arena_ref(&a, "x", 1)));
    arena_release(&a);
}

TEST(ref, resolves_to_the_copy)
{
    arena_t a;
    static char source[300];
    arena_ref_t refs[500];
    const char *where[500];
    size_t i;
    start(t, &a, 1000);
    for (i = 0; i < 500; i++) {
        size_t n = 1 + (i * 37) % 290;
        fill_pattern(source, n, (unsigned)i);
        refs[i] = arena_ref(&a, source, n);
        CHECK(!arena_ref_empty(refs[i]));
        CHECK_EQ(refs[i].len, n);
        where[i] = arena_value(&a, refs[i]).data;
    }
    for (i = 0; i < 500; i++) {
        size_t n = 1 + (i * 37) % 290;
        arena_view_t v = arena_value(&a, refs[i]);
        arena_view_t u = arena_value_unchecked(&a, refs[i]);
        fill_pattern(source, n, (unsigned)i);
        CHECK_EQ(v.len, n);
        CHECK(v.data == where[i]);
        CHECK_MEM(v.data, source, n);
        CHECK(u.data == v.data && u.len == v.len);
        CHECK(is_live(&a, v.data, v.len));
    }
    CHECK_EQ(arena_status(&a), ARENA_OK);
    arena_release(&a);
}

TEST(ref, of_tails_and_oversized)
{
    arena_t a;
    static char source[1000];
    arena_ref_t refs[300];
    size_t lengths[300], i;
    start(t, &a, 200);
    for (i = 0; i < 300; i++) {
        size_t n = lengths[i] = 1 + (size_t)(test_random(t) % (i % 20 == 0 ? 1000 : 200));
        fill_pattern(source, n, (unsigned)i);
        refs[i] = arena_ref(&a, source, n);
    }
    for (i = 0; i < 300; i++) {
        arena_view_t v = arena_value(&a, refs[i]);
        fill_pattern(source, lengths[i], (unsigned)i);
        CHECK_EQ(v.len, lengths[i]);
        CHECK_MEM(v.data, source, lengths[i]);
        CHECK(arena_value_unchecked(&a, refs[i]).data == v.data);
    }
    arena_release(&a);
}

TEST(ref, typed_counts_elements)
{
    numbers_t a;
    arena_options_t o;
    uint32_t source[7] = {1, 2, 3, 4, 5, 6, 7};
    numbers_ref_t r, q;
    numbers_view_t v;
    uint32_t *p;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 40;
    o.hooks = t->hooks;
    CHECK_EQ(numbers_init(&a, &o), ARENA_OK);
    r = numbers_ref(&a, source, 7);
    CHECK_EQ(r.len, 7);
    v = numbers_value(&a, r);
    CHECK_EQ(v.len, 7);
    CHECK_MEM(v.data, source, sizeof source);
    p = numbers_reserve_ref(&a, 3, &q);
    p[0] = 9;
    p[1] = 8;
    p[2] = 7;
    v = numbers_value(&a, q);
    CHECK_EQ(v.len, 3);
    CHECK(v.data == p);
    CHECK_EQ(q.off, 7);
    CHECK_EQ(numbers_value_unchecked(&a, q).data[1], 8);
    CHECK(!numbers_ref_empty(q));
    q.off = 8;
    CHECK_EQ(numbers_value(&a, q).len, 0);
    numbers_release(&a);
}

TEST(ref, outside_what_the_chunk_holds)
{
    /* Offset and length around what is stored: inside it resolves, one byte over it does not. */
    arena_t a;
    arena_ref_t r;
    uint32_t off, len;
    start(t, &a, 100);
    r = arena_ref(&a, "0123456789abcdefghij", 20);
    for (off = 0; off < 110; off++) {
        for (len = 1; len < 110; len++) {
            arena_view_t v = arena_value(&a, make_ref(r.chunk, off, len));
            if (off + len <= 20) {
                CHECK_EQ(v.len, len);
                CHECK_MEM(v.data, &"0123456789abcdefghij"[off], len);
            } else
                CHECK_EQ(v.len, 0);
        }
    }
    CHECK_EQ(arena_value(&a, make_ref(r.chunk, UINT32_MAX, 1)).len, 0);
    CHECK_EQ(arena_value(&a, make_ref(r.chunk, 1, UINT32_MAX)).len, 0);
    CHECK_EQ(arena_value(&a, make_ref(r.chunk, UINT32_MAX, UINT32_MAX)).len, 0);
    CHECK_EQ(arena_value(&a, make_ref(r.chunk, 2, UINT32_MAX - 1)).len, 0);
    CHECK_EQ(arena_value(&a, make_ref(r.chunk + (1u << 9), 0, 1)).len, 0);
    arena_release(&a);
}

/* Whether what the Ref resolves to is empty or lies in live data. */
static int resolves_inside(arena_t *a, arena_ref_t r)
{
    arena_view_t v = arena_value(a, r);
    return v.len == 0 || (v.len == r.len && is_live(a, v.data, v.len));
}

TEST(ref, random_bits_never_leave_live_data)
{
    arena_t a;
    arena_ref_t good[64];
    static char source[400];
    size_t i, hits = 0;
    start(t, &a, 128);
    memset(source, 'r', sizeof source);
    for (i = 0; i < 64; i++)
        good[i] = arena_ref(&a, source, 1 + (size_t)(test_random(t) % (i % 16 == 0 ? 400 : 100)));
    for (i = 0; i < 300000; i++) {
        uint64_t x = test_random(t), y = test_random(t);
        arena_ref_t r = good[x % 64];
        x >>= 8;
        switch (y % 7) {
        case 0: r = make_ref((uint32_t)x, (uint32_t)(x >> 32), (uint32_t)(y >> 16)); break;
        case 1: r.chunk ^= 1u << (x % 32); break;
        case 2: r.off ^= 1u << (x % 32); break;
        case 3: r.len ^= 1u << (x % 32); break;
        case 4: r.off += (uint32_t)(x % 256); break;
        case 5: r.len += (uint32_t)(x % 256); break;
        default: r.chunk = (r.chunk & 511u) | ((uint32_t)(x % 300) << 9); break;
        }
        if (!resolves_inside(&a, r)) {
            CHECK(resolves_inside(&a, r));
            break;
        }
        hits += arena_value(&a, r).len > 0;
    }
    CHECK(hits > 1000); /* The forging is near enough to the truth to mean something. */
    /* The empty arena and one with kept chunks have no live data at all. */
    arena_reset(&a);
    for (i = 0; i < 64; i++) CHECK_EQ(arena_value(&a, good[i]).len, 0);
    for (i = 0; i < 100000; i++) {
        uint64_t x = test_random(t);
        arena_ref_t r = good[x % 64];
        r.chunk ^= (uint32_t)(x >> 8) & 0x1FFu;
        CHECK_EQ(arena_value(&a, r).len, 0);
    }
    arena_release(&a);
    for (i = 0; i < 64; i++) CHECK_EQ(arena_value(&a, good[i]).len, 0);
}

TEST(ref, every_bit_of_a_good_ref)
{
    arena_t a;
    arena_ref_t r;
    int bit;
    start(t, &a, 64);
    CHECK(arena_append(&a, "0123456789", 10) != NULL);
    r = arena_ref(&a, "abcdefghij", 10);
    CHECK(arena_append(&a, "0123456789", 10) != NULL);
    for (bit = 0; bit < 96; bit++) {
        arena_ref_t f = r;
        if (bit < 32)
            f.chunk ^= 1u << bit;
        else if (bit < 64)
            f.off ^= 1u << (bit - 32);
        else
            f.len ^= 1u << (bit - 64);
        CHECK(resolves_inside(&a, f));
        /* A wrong generation or chunk number has no value; bit 0 says that a NUL follows, which
         * value does not mind. */
        if (bit > 0 && bit < 32) CHECK_EQ(arena_value(&a, f).len, 0);
    }
    arena_release(&a);
}

TEST(ref, stale_after_reset)
{
    /* One Ref over 5120 later batches that store the same again: it may be taken for a good one in
     * at most 6 of 256. */
    arena_t a;
    arena_ref_t old;
    size_t i, wrong = 0;
    start(t, &a, 64);
    old = arena_ref(&a, "0123456789", 10);
    for (i = 0; i < 5120; i++) {
        arena_reset(&a);
        CHECK_EQ(arena_value(&a, old).len, 0);
        CHECK(arena_append(&a, "abcdefghijklmnop", 16) != NULL);
        wrong += arena_value(&a, old).len != 0;
        if (i == 0) CHECK_EQ(wrong, 0);
    }
    CHECK(wrong <= 5120 / 256 * 6);
    arena_release(&a);
}

TEST(ref, generations_return_after_255_reopenings)
{
    /* Of Refs to the same bytes in 700 batches each is stale for 254 resets, and good again at the
     * 255th. */
    NEEDS_KEPT_CHUNKS();
    static arena_ref_t refs[700];
    arena_t a;
    size_t i, k;
    start(t, &a, 64);
    for (i = 0; i < 700; i++) {
        refs[i] = arena_ref(&a, "0123456789", 10);
        for (k = 1; k <= 255 && k <= i; k++)
            if (!CHECK_EQ(arena_value(&a, refs[i - k]).len, k == 255 ? 10 : 0)) return;
        arena_reset(&a);
    }
    arena_release(&a);
}

TEST(ref, stale_after_reset_in_every_chunk)
{
    /* The same for Refs of many chunks, oversized ones too, and batches of different lengths. */
    arena_t a;
    arena_ref_t old[64];
    static char source[200];
    size_t i, j, wrong = 0, asked = 0;
    memset(source, 's', sizeof source);
    start(t, &a, 32);
    for (i = 0; i < 64; i++) old[i] = arena_ref(&a, source, i % 8 == 0 ? 200 : 32);
    for (i = 0; i < 600; i++) {
        size_t n = 1 + (size_t)(test_random(t) % 64);
        arena_reset(&a);
        for (j = 0; j < n; j++) CHECK(arena_append(&a, source, j % 8 == 0 ? 200 : 32) != NULL);
        for (j = 0; j < 64; j++) {
            if (!resolves_inside(&a, old[j])) CHECK(resolves_inside(&a, old[j]));
            wrong += arena_value(&a, old[j]).len != 0;
            asked++;
        }
    }
    CHECK(wrong * 256 <= asked * 6);
    arena_release(&a);
}

TEST(ref, stale_after_release)
{
    arena_t a;
    arena_ref_t old;
    size_t i, wrong = 0;
    start(t, &a, 64);
    for (i = 0; i < 1024; i++) {
        old = arena_ref(&a, "0123456789", 10);
        arena_release(&a);
        CHECK_EQ(arena_value(&a, old).len, 0);
        CHECK(arena_append(&a, "abcdefghijklmnop", 16) != NULL);
        wrong += arena_value(&a, old).len != 0;
        arena_reset(&a);
    }
    CHECK(wrong <= 1024 / 256 * 6);
    arena_release(&a);
}

TEST(ref, stale_after_trim)
{
    /* A chunk given back and opened anew has no value for Refs into the old one. */
    arena_t a;
    arena_ref_t old;
    size_t i, wrong = 0;
    start(t, &a, 64);
    old = arena_ref(&a, "0123456789", 10);
    for (i = 0; i < 1024; i++) {
        arena_reset(&a);
        arena_trim(&a, 0);
        CHECK_EQ(arena_value(&a, old).len, 0);
        CHECK(arena_append(&a, "abcdefghijklmnop", 16) != NULL);
        wrong += arena_value(&a, old).len != 0;
    }
    CHECK(wrong <= 1024 / 256 * 6);
    arena_release(&a);
}

TEST(ref, stale_after_rewind)
{
    /* Refs into chunks that were opened after the mark and opened again after the rewind. */
    arena_t a;
    arena_mark_t m;
    arena_ref_t old;
    size_t i, wrong = 0;
    start(t, &a, 64);
    CHECK(arena_reserve(&a, 64) != NULL);
    m = arena_mark(&a);
    old = arena_ref(&a, "0123456789", 10);
    for (i = 0; i < 1024; i++) {
        CHECK(arena_rewind(&a, m));
        CHECK_EQ(arena_value(&a, old).len, 0);
        CHECK(arena_append(&a, "abcdefghijklmnop", 16) != NULL);
        wrong += arena_value(&a, old).len != 0;
        if (i == 0) CHECK_EQ(wrong, 0);
    }
    CHECK(wrong <= 1024 / 256 * 6);
    arena_release(&a);
}

TEST(ref, foreign)
{
    /* A Ref of one arena asked of 1024 others that made the same calls. */
    arena_t a;
    arena_ref_t r;
    size_t i, wrong = 0;
    start(t, &a, 64);
    r = arena_ref(&a, "0123456789", 10);
    for (i = 0; i < 1024; i++) {
        arena_t b;
        start(t, &b, 64);
        CHECK_EQ(arena_value(&b, r).len, 0);
        CHECK(arena_append(&b, "abcdefghijklmnop", 16) != NULL);
        wrong += arena_value(&b, r).len != 0;
        arena_release(&b);
    }
    CHECK(wrong <= 1024 / 256 * 6);
    arena_release(&a);
}

TEST(ref, foreign_of_a_used_arena)
{
    /* Arenas that were reset a different number of times, with several chunks each, every one
     * against every other. */
    enum { N = 60, REFS = 8 };
    static arena_t arenas[N];
    static arena_ref_t refs[N][REFS];
    size_t i, j, k, wrong = 0, asked = 0;
    for (i = 0; i < N; i++) {
        start(t, &arenas[i], 32);
        for (j = (size_t)(test_random(t) % 40); j > 0; j--) {
            CHECK(arena_reserve(&arenas[i], 32) != NULL);
            arena_reset(&arenas[i]);
        }
        for (j = 0; j < REFS; j++)
            refs[i][j] = arena_ref(&arenas[i], "0123456789abcdefghijklmnopqrstuv", 32);
    }
    for (i = 0; i < N; i++) {
        for (j = 0; j < N; j++) {
            for (k = 0; i != j && k < REFS; k++) {
                asked++;
                wrong += arena_value(&arenas[i], refs[j][k]).len != 0;
            }
        }
    }
    CHECK(wrong * 256 <= asked * 6);
    for (i = 0; i < N; i++) arena_release(&arenas[i]);
}

TEST(ref, same_calls_give_the_same_refs)
{
    /* But for the seed of the generation, which differs from arena to arena by design. */
    arena_t a, b;
    int i;
    static char source[100];
    memset(source, 'd', sizeof source);
    start(t, &a, 256);
    start(t, &b, 256);
    for (i = 0; i < 200; i++) {
        size_t n = 1 + (size_t)(test_random(t) % (i % 9 == 0 ? 90 : 30));
        arena_ref_t r = arena_ref(&a, source, n), q = arena_ref(&b, source, n);
        CHECK_EQ(r.off, q.off);
        CHECK_EQ(r.len, q.len);
        CHECK_EQ(r.chunk >> 9, q.chunk >> 9);
        CHECK_EQ(r.chunk & 1u, q.chunk & 1u);
        if (i == 70) {
            arena_reset(&a);
            arena_reset(&b);
        }
    }
    arena_release(&a);
    arena_release(&b);
}

TEST(ref, nul_flag_tells_what_follows)
{
    arena_t a;
    arena_ref_t r;
    start(t, &a, 64);
    r = arena_strref(&a, "text");
    CHECK_EQ(r.chunk & 1u, 1);
    CHECK_EQ(arena_value(&a, r).len, 4);
    CHECK_EQ(arena_value(&a, r).data[4], 0);
    r = arena_ref(&a, "text", 4);
    CHECK_EQ(r.chunk & 1u, 0);
    arena_release(&a);
}

/* Whether s is a C string whose bytes and NUL lie in one chunk's memory of at most `capacity` bytes
 * and the spare one. */
static int is_string_inside(arena_t *a, const char *s, size_t capacity)
{
    size_t i, chunks = arena_chunk_count(a);
    uintptr_t at = (uintptr_t)s;
    for (i = 0; i < chunks; i++) {
        arena_view_t v = arena_chunk(a, i);
        uintptr_t from = (uintptr_t)v.data;
        size_t room = v.len > capacity ? v.len : capacity;
        if (v.len == 0 || at < from || at - from > room) continue;
        return memchr(s, 0, room - (size_t)(at - from) + 1) != NULL;
    }
    return s[0] == '\0'; /* The static "". */
}

TEST(ref, forged_nul_flag)
{
    /* A chunk without a single NUL, filled to its last byte; a second one, half full; the flag set
     * on every piece of them. */
    arena_t a;
    arena_ref_t full, half, r;
    uint32_t off, len;
    static char source[64];
    memset(source, 'n', sizeof source);
    start(t, &a, 64);
    full = arena_ref(&a, source, 64);
    half = arena_ref(&a, source, 30);
    CHECK(arena_append(&a, source, 2) != NULL);
    for (off = 0; off < 64; off++) {
        for (len = 1; len <= 64; len++) {
            const char *s;
            arena_mark_t m = arena_mark(&a);
            r = make_ref(full.chunk | 1u, off, len);
            s = arena_str(&a, r);
            CHECK(is_string_inside(&a, s, 64));
            if (off + len > 64)
                CHECK_STR(s, "");
            else if (s[0] != '\0')
                CHECK(strspn(s, "n") == strlen(s));
            CHECK(arena_rewind(&a, m));
            r = make_ref(half.chunk | 1u, off, len);
            s = arena_str(&a, r);
            CHECK(is_string_inside(&a, s, 64));
            CHECK(arena_rewind(&a, m));
        }
    }
    /* The values themselves never changed. */
    CHECK_MEM(arena_value(&a, full).data, source, 64);
    CHECK_MEM(arena_value(&a, half).data, source, 30);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(ref, forged_nul_flag_on_random_bits)
{
    arena_t a;
    arena_ref_t good[32];
    static char source[100];
    size_t i;
    memset(source, 'f', sizeof source);
    start(t, &a, 128);
    for (i = 0; i < 32; i++) {
        size_t n = 1 + (size_t)(test_random(t) % 100);
        good[i] = i % 2 == 0 ? arena_ref(&a, source, n) : arena_strref_n(&a, source, n);
    }
    for (i = 0; i < 20000; i++) {
        uint64_t x = test_random(t);
        arena_ref_t r = good[x % 32];
        arena_mark_t m = arena_mark(&a);
        const char *s;
        if ((x >> 8) % 3 == 0) r.off ^= 1u << ((x >> 16) % 8);
        if ((x >> 8) % 3 == 1) r.len ^= 1u << ((x >> 16) % 8);
        if ((x >> 24) % 8 == 0) r.chunk ^= 1u << ((x >> 32) % 32);
        r.chunk |= 1u;
        s = arena_str(&a, r);
        CHECK(is_string_inside(&a, s, 128));
        CHECK(arena_rewind(&a, m));
    }
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(ref, refuses_what_it_cannot_describe)
{
    /* Checked before anything is stored, or even read: the source has one byte. */
#if SIZE_MAX <= UINT32_MAX
    SKIP("a size_t of 32 bits has no such length");
#else
    arena_t a;
    arena_ref_t r;
    struct snapshot before;
    size_t calls;
    start(t, &a, 100);
    CHECK(arena_append(&a, "abc", 3) != NULL);
    before = snapshot_of(&a);
    calls = t->mem.allocs;
    r = arena_ref(&a, opaque_source("x"), opaque((size_t)UINT32_MAX + 1));
    CHECK(ref_is_zero(r));
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    arena_clear_status(&a);
    memset(&r, 0xEE, sizeof r);
    CHECK(arena_reserve_ref(&a, opaque((size_t)UINT32_MAX + 1), &r) == NULL);
    CHECK(ref_is_zero(r));
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    arena_clear_status(&a);
    CHECK(ref_is_zero(arena_strref_n(&a, opaque_source("x"), opaque((size_t)UINT32_MAX + 1))));
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    CHECK_EQ(t->mem.allocs, calls);
    CHECK_STR(snapshot_difference(&before, &a), "");
    arena_release(&a);
    {
        numbers_t n;
        numbers_ref_t q;
        uint32_t one = 1;
        arena_options_t o;
        memset(&o, 0, sizeof o);
        o.hooks = t->hooks;
        CHECK_EQ(numbers_init(&n, &o), ARENA_OK);
        q = numbers_ref(&n, (const uint32_t *)opaque_source(&one), opaque((size_t)UINT32_MAX + 1));
        CHECK(numbers_ref_empty(q));
        CHECK_EQ(numbers_status(&n), ARENA_REF_RANGE);
        CHECK_EQ(numbers_size(&n), 0);
        numbers_release(&n);
    }
#endif
}

/* The branches below one, and below those, to a depth: ways of them at each. Keys count in the
 * order in which they are made, from *key on. */
static branches_ref_t grow(branches_t *b, leaves_t *l, uint32_t ways, int depth, uint32_t *key)
{
    branches_ref_t ref, one;
    struct leaf leaf;
    struct branch *p = branches_reserve_ref(b, ways, &ref);
    uint32_t i;
    if (p == NULL) return ref;
    for (i = 0; i < ways; i++) {
        memset(&p[i], 0, sizeof p[i]);
        p[i].key = (*key)++;
        if (depth > 1) p[i].below = grow(b, l, ways, depth - 1, key);
        one = ref;
        one.off += i;
        one.len = 1;
        leaf.branch = one;
        p[i].leaf = leaves_ref(l, &leaf, 1);
    }
    return ref;
}

/* How many branches there are at ref and below, all with the keys that follow *key and a leaf that
 * knows them. */
static size_t walk(struct test *t, const branches_t *b, const leaves_t *l, branches_ref_t ref,
                   uint32_t *key)
{
    const branches_view_t v = branches_value(b, ref);
    size_t i, found = v.len;
    for (i = 0; i < v.len; i++) {
        const leaves_view_t leaf = leaves_value(l, v.data[i].leaf);
        CHECK_EQ(v.data[i].key, (*key)++);
        CHECK_EQ(leaf.len, 1);
        if (leaf.len == 1) CHECK(branches_value(b, leaf.data[0].branch).data == &v.data[i]);
        found += walk(t, b, l, v.data[i].below, key);
    }
    return found;
}

TEST(ref, of_elements_to_their_own_kind)
{
    /* 3 + 9 + 27 + 81 + 243 branches, in many chunks and in the same ones again; the tree of the
     * batch before is gone as a whole. */
    branches_t b;
    leaves_t l;
    branches_ref_t root, old;
    arena_options_t o;
    uint32_t key;
    int batch;
    memset(&o, 0, sizeof o);
    memset(&old, 0, sizeof old);
    o.chunk_bytes = 10 * sizeof(struct branch);
    o.hooks = t->hooks;
    CHECK_EQ(branches_init(&b, &o), ARENA_OK);
    CHECK_EQ(leaves_init(&l, &o), ARENA_OK);
    for (batch = 0; batch < 3; batch++) {
        key = 0;
        root = grow(&b, &l, 3, 5, &key);
        CHECK_EQ(key, 363);
        key = 0;
        CHECK_EQ(walk(t, &b, &l, root, &key), 363);
        CHECK_EQ(branches_size(&b), 363 * sizeof(struct branch));
        CHECK(branches_chunk_count(&b) > 36);
        CHECK(branches_is_valid(&b) && leaves_is_valid(&l));
        CHECK_EQ(branches_value(&b, old).len, 0);
        old = root;
        branches_reset(&b);
        leaves_reset(&l);
        CHECK_EQ(walk(t, &b, &l, root, &key), 0);
    }
    CHECK_EQ(branches_status(&b), ARENA_OK);
    CHECK_EQ(leaves_status(&l), ARENA_OK);
    branches_release(&b);
    leaves_release(&l);
    CHECK_EQ(t->mem.live_blocks, 0);
}

TEST(ref, failed_reserve_gives_the_absent_ref)
{
    arena_t a;
    arena_ref_t r;
    start(t, &a, 100);
    t->mem.fail_from = 1;
    memset(&r, 0xEE, sizeof r);
    CHECK(arena_reserve_ref(&a, 10, &r) == NULL);
    CHECK(ref_is_zero(r));
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    CHECK(ref_is_zero(arena_ref(&a, "x", 1)));
    CHECK(ref_is_zero(arena_strref(&a, "x")));
    t->mem.fail_from = 0;
    arena_release(&a);
}
