/*
 * What several families need: an arena on the watching allocator, and snapshots. A snapshot holds
 * all that an arena tells about itself (every figure of arena_stats, and address, length and
 * content of every chunk), so that "the arena is as before" can be checked by one comparison.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <string.h>

#include "test.h"

/* MemorySanitizer and Valgrind know what was never written; a test that looks at it on purpose asks
 * first. */
#if defined TEST_VALGRIND
#define TEST_MSAN 1
#endif
#if defined __has_feature && !defined TEST_MSAN
#if __has_feature(memory_sanitizer)
#define TEST_MSAN 1
#endif
#endif
#ifndef TEST_MSAN
#define TEST_MSAN 0
#endif

/* First line of a test of what a reset or rewind keeps: at ARENA_DEBUG 3 they keep no chunk. */
#define NEEDS_KEPT_CHUNKS()                                                                        \
    if (ARENA_DEBUG >= 3) SKIP("ARENA_DEBUG 3 gives every chunk back")

/* n, without the compiler seeing its value: it warns of lengths that no source can have. */
static inline size_t opaque(size_t n)
{
    volatile size_t hidden = n;
    return hidden;
}

/* The same for a source that is shorter than the length given with it. */
static inline const void *opaque_source(const void *p)
{
    const void *volatile hidden = p;
    return hidden;
}

/* A byte arena on t's hooks. */
static inline void start(struct test *t, arena_t *a, size_t chunk_bytes)
{
    arena_options_t o;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = chunk_bytes;
    o.hooks = t->hooks;
    CHECK_EQ(arena_init(a, &o), ARENA_OK);
}

struct snapshot {
    arena_stats_t stats;
    size_t chunk_count;
    size_t size;
    size_t retained;
    uint64_t views;    /* Hash of the addresses and lengths of all chunks. */
    uint64_t contents; /* Hash of what the chunks hold. */
};

static inline uint64_t hash_bytes(uint64_t h, const void *p, size_t n)
{
    const unsigned char *c = (const unsigned char *)p;
    size_t i;
    for (i = 0; i < n; i++) h = (h ^ c[i]) * UINT64_C(0x100000001B3);
    return h;
}

static inline struct snapshot snapshot_of(arena_t *a)
{
    struct snapshot s;
    size_t i;
    s.stats = arena_stats(a);
    s.chunk_count = arena_chunk_count(a);
    s.size = arena_size(a);
    s.retained = arena_retained(a);
    s.views = s.contents = UINT64_C(0xCBF29CE484222325);
    for (i = 0; i < s.chunk_count; i++) {
        arena_view_t v = arena_chunk(a, i);
        s.views = hash_bytes(s.views, &v.data, sizeof v.data);
        s.views = hash_bytes(s.views, &v.len, sizeof v.len);
        s.contents = hash_bytes(s.contents, v.data, v.len);
    }
    return s;
}

/* The name of the first thing that differs, "" if nothing does: CHECK_STR(snapshot_difference(&old,
 * &a), ""). */
static inline const char *snapshot_difference(const struct snapshot *old, arena_t *a)
{
    struct snapshot now = snapshot_of(a);
    if (now.stats.size != old->stats.size || now.size != old->size) return "size";
    if (now.stats.used != old->stats.used) return "used";
    if (now.stats.padding != old->stats.padding) return "padding";
    if (now.stats.stranded != old->stats.stranded) return "stranded";
    if (now.stats.retained != old->stats.retained || now.retained != old->retained)
        return "retained";
    if (now.stats.allocated != old->stats.allocated) return "allocated";
    if (now.stats.peak != old->stats.peak) return "peak";
    if (now.stats.chunks != old->stats.chunks || now.chunk_count != old->chunk_count)
        return "chunks";
    if (now.stats.oversized != old->stats.oversized) return "oversized";
    if (now.views != old->views) return "views of the chunks";
    if (now.contents != old->contents) return "contents";
    if (!arena_is_valid(a)) return "is_valid";
    return "";
}

/* The same, but for what a rewind brings back: memory that was opened since may stay held, for
 * later. */
static inline const char *rewind_difference(const struct snapshot *old, arena_t *a)
{
    struct snapshot now = snapshot_of(a);
    struct snapshot masked = *old;
    if (now.stats.retained < old->stats.retained) return "retained less";
    if (now.stats.allocated < old->stats.allocated) return "allocated less";
    if (now.stats.peak < old->stats.peak) return "peak less";
    masked.stats.retained = now.stats.retained;
    masked.retained = now.retained;
    masked.stats.allocated = now.stats.allocated;
    masked.stats.peak = now.stats.peak;
    return snapshot_difference(&masked, a);
}

/* Whether the n bytes at p lie in what one chunk of the arena holds. */
static inline int is_live(arena_t *a, const void *p, size_t n)
{
    uintptr_t at = (uintptr_t)p;
    size_t i, chunks = arena_chunk_count(a);
    for (i = 0; i < chunks; i++) {
        arena_view_t v = arena_chunk(a, i);
        uintptr_t from = (uintptr_t)v.data;
        if (v.len > 0 && at >= from && n <= v.len && at - from <= v.len - n) return 1;
    }
    return 0;
}

/* The number of the chunk that holds p, or SIZE_MAX. */
static inline size_t chunk_of(arena_t *a, const void *p)
{
    uintptr_t at = (uintptr_t)p;
    size_t i, chunks = arena_chunk_count(a);
    for (i = 0; i < chunks; i++) {
        arena_view_t v = arena_chunk(a, i);
        uintptr_t from = (uintptr_t)v.data;
        if (v.len > 0 && at >= from && at - from < v.len) return i;
    }
    return SIZE_MAX;
}

static inline void fill_pattern(void *p, size_t n, unsigned key)
{
    unsigned char *c = (unsigned char *)p;
    size_t i;
    for (i = 0; i < n; i++) c[i] = (unsigned char)(i * 7 + key * 31 + (i >> 8) + 1);
}

#endif
