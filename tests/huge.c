/*
 * Gigabytes. Proves with real sizes: "2^32-1 elements for offset + length; checked before anything
 * is stored; append and intern have no such limit: a longer value is stored all the same and only a
 * Ref to it is refused"; "at least 2^23 chunks"; size and retained beyond 2^32.
 * The memory is address space that is hardly touched, so a system is needed that gives such; the
 * tests are skipped elsewhere, and where a sanitizer would write its own record of all of it.
 */
#if defined __linux__ && !defined _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS and MAP_NORESERVE, which C99 alone does not show. */
#endif

#include <stdlib.h>

#include "support.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define HUGE_WATCHED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer) || __has_feature(type_sanitizer)
#define HUGE_WATCHED 1
#endif
#endif
#if defined __linux__ && SIZE_MAX > UINT32_MAX && !defined HUGE_WATCHED &&                         \
    !(defined ARENA_DEBUG && ARENA_DEBUG > 0) && !defined ARENA_VALGRIND
#define HUGE_MEMORY 1
#include <sys/mman.h>
#endif

#ifdef HUGE_MEMORY
ARENA_DEFINE(huges, uint16_t);

/* Address space straight from the system. mmap gives whole pages, so alignment is no question. */
static void *map_alloc(void *ctx, size_t bytes, size_t align)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    (void)align;
    if (p == MAP_FAILED) return NULL;
    *(size_t *)ctx += bytes;
    return p;
}

static void map_free(void *ctx, void *p, size_t bytes, size_t align)
{
    (void)align;
    *(size_t *)ctx -= bytes;
    (void)munmap(p, bytes);
}

static const arena_options_t *map_options(arena_options_t *o, arena_hooks_t *h, size_t *held,
                                          size_t chunk_bytes)
{
    memset(o, 0, sizeof *o);
    *held = 0;
    h->alloc = map_alloc;
    h->free = map_free;
    h->ctx = held;
    o->hooks = h;
    o->chunk_bytes = chunk_bytes;
    return o;
}

static const size_t two_to_32 = (size_t)UINT32_MAX + 1;
#endif

TEST(huge, ref_up_to_the_last_element)
{
#ifndef HUGE_MEMORY
    SKIP("no such memory here");
#else
    arena_t a;
    arena_options_t o;
    arena_hooks_t h;
    arena_ref_t first, last, r;
    size_t held;
    char *p;
    CHECK_EQ(arena_init(&a, map_options(&o, &h, &held, two_to_32 + 4096)), ARENA_OK);
    /* The room at the tip is more than printf can count. */
    p = arena_reserve(&a, 1);
    if (p == NULL) {
        arena_release(&a);
        SKIP("the system gives no 4 GiB of address space");
    }
    CHECK_STR(arena_printf(&a, "%d%s", 42, "!"), "42!");
    arena_reset(&a);
    p = arena_reserve_ref(&a, two_to_32 - 12, &first);
    if (p == NULL) {
        arena_release(&a);
        SKIP("the system gives no 4 GiB of address space");
    }
    p[two_to_32 - 13] = 'e';
    CHECK_EQ(first.len, two_to_32 - 12);
    /* Offset + length is 2^32 - 1: the last that a Ref can name. */
    last = arena_ref(&a, "0123456789a", 11);
    CHECK_EQ(last.off, two_to_32 - 12);
    CHECK_EQ(last.len, 11);
    CHECK_MEM(arena_value(&a, last).data, "0123456789a", 11);
    CHECK(arena_value(&a, last).data == p + two_to_32 - 12);
    CHECK_EQ(arena_value(&a, first).len, two_to_32 - 12);
    CHECK_EQ(arena_value(&a, first).data[two_to_32 - 13], 'e');
    CHECK_EQ(arena_chunk_count(&a), 1);
    /* What comes behind has no Ref in this chunk, but a place. */
    CHECK(arena_append(&a, "beyond", 6) == p + two_to_32 - 1);
    CHECK_STR(arena_intern(&a, (const char *)opaque_source("interned")), "interned");
    CHECK_STR(arena_printf(&a, "%s", "printed"), "printed");
    CHECK_EQ(arena_chunk_count(&a), 1);
    CHECK_EQ(arena_size(&a), two_to_32 - 1 + 6 + 8 + 7);
    CHECK(arena_is_valid(&a));
    CHECK_MEM(arena_value(&a, last).data, "0123456789a", 11);
    /* Forged lengths that reach beyond what a Ref can name, but not beyond what is stored. */
    r = last;
    r.len = 12;
    CHECK(arena_value(&a, r).len == 0 || is_live(&a, arena_value(&a, r).data, 12));
    r.len = 11 + 6 + 9 + 8 + 1;
    CHECK_EQ(arena_value(&a, r).len, 0);
    r.off = r.len = UINT32_MAX;
    CHECK_EQ(arena_value(&a, r).len, 0);
    r.off = r.len = 0;
    CHECK_EQ(arena_value(&a, r).len, 0);
    /* The next Ref is made in another chunk. */
    r = arena_ref(&a, "next", 4);
    CHECK_EQ(r.len, 4);
    CHECK_MEM(arena_value(&a, r).data, "next", 4);
    CHECK_EQ(arena_chunk_count(&a), 2);
    CHECK_MEM(arena_value(&a, last).data, "0123456789a", 11);
    CHECK_EQ(arena_stats(&a).retained, 2 * (two_to_32 + 4096));
    CHECK(arena_is_valid(&a));
    arena_reset(&a);
    CHECK_EQ(arena_value(&a, last).len, 0);
    CHECK_EQ(arena_size(&a), 0);
    arena_release(&a);
    CHECK_EQ(held, 0);
#endif
}

TEST(huge, values_longer_than_a_ref)
{
#ifndef HUGE_MEMORY
    SKIP("no such memory here");
#else
    arena_t a;
    arena_options_t o;
    arena_hooks_t h;
    arena_ref_t r;
    size_t held;
    char *p;
    CHECK_EQ(arena_init(&a, map_options(&o, &h, &held, 65536)), ARENA_OK);
    p = arena_reserve(&a, two_to_32 + 5);
    if (p == NULL) {
        arena_release(&a);
        SKIP("the system gives no 4 GiB of address space");
    }
    p[0] = p[two_to_32 + 4] = 'l';
    CHECK_EQ(arena_size(&a), two_to_32 + 5);
    CHECK_EQ(arena_stats(&a).oversized, 1);
    CHECK_EQ(arena_chunk(&a, 0).len, two_to_32 + 5);
    CHECK(arena_reserve_ref(&a, two_to_32, &r) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    CHECK_EQ(arena_size(&a), two_to_32 + 5);
    arena_clear_status(&a);
    p = arena_reserve_ref(&a, two_to_32 - 1, &r);
    CHECK_EQ(r.len, two_to_32 - 1);
    if (CHECK(p != NULL)) {
        p[two_to_32 - 2] = 'm';
        CHECK_EQ(arena_value(&a, r).data[two_to_32 - 2], 'm');
    }
    CHECK(arena_is_valid(&a));
    arena_reset(&a);
    CHECK_EQ(arena_retained(&a), 0);
    arena_release(&a);
    CHECK_EQ(held, 0);
#endif
}

TEST(huge, elements_not_bytes)
{
#ifndef HUGE_MEMORY
    SKIP("no such memory here");
#else
    /* A chunk of 2^32 + 100 elements of two bytes: the limit counts elements. */
    huges_t a;
    arena_options_t o;
    arena_hooks_t h;
    huges_ref_t r, q;
    uint16_t two[2] = {7, 9};
    size_t held;
    CHECK_EQ(huges_init(&a, map_options(&o, &h, &held, 2 * (two_to_32 + 100))), ARENA_OK);
    if (huges_reserve_ref(&a, two_to_32 - 3, &r) == NULL) {
        huges_release(&a);
        SKIP("the system gives no 8 GiB of address space");
    }
    q = huges_ref(&a, two, 2);
    CHECK_EQ(q.off, two_to_32 - 3);
    CHECK_MEM(huges_value(&a, q).data, two, sizeof two);
    CHECK_EQ(huges_chunk_count(&a), 1);
    CHECK(huges_append(&a, two, 2) != NULL);
    CHECK_EQ(huges_chunk_count(&a), 1);
    CHECK_EQ(huges_size(&a), 2 * (two_to_32 + 1));
    q = huges_ref(&a, two, 1);
    CHECK_EQ(huges_chunk_count(&a), 2);
    CHECK_EQ(huges_value(&a, q).data[0], 7);
    CHECK(huges_is_valid(&a));
    huges_release(&a);
    CHECK_EQ(held, 0);
#endif
}

#ifdef HUGE_MEMORY
/* One bump through a large mapping, for very many tiny chunks; never used again. */
struct huge_bump {
    char *at, *end;
};

static void *bump_alloc(void *ctx, size_t bytes, size_t align)
{
    struct huge_bump *b = (struct huge_bump *)ctx;
    size_t pad = (size_t)(-(uintptr_t)b->at & (align - 1));
    char *p = b->at + pad;
    if (bytes > 1u << 20) return malloc(bytes); /* The tables, which come and go. */
    if ((size_t)(b->end - b->at) < pad + bytes) return NULL;
    b->at = p + bytes;
    return p;
}

static void bump_free(void *ctx, void *p, size_t bytes, size_t align)
{
    (void)ctx;
    (void)align;
    if (bytes > 1u << 20) free(p);
}
#endif

TEST(huge, two_to_23_chunks_have_numbers)
{
#ifndef HUGE_MEMORY
    SKIP("no such memory here");
#else
    /* Needs about 1.3 GiB, so only by wish: ARENA_TEST_HUGE=1. */
    arena_t a;
    arena_options_t o;
    arena_hooks_t h;
    struct huge_bump bump;
    arena_ref_t r, first = {0, 0, 0};
    size_t i, bytes = (size_t)1 << 28;
    char *memory;
    if (getenv("ARENA_TEST_HUGE") == NULL) SKIP("needs 1.3 GiB; set ARENA_TEST_HUGE=1");
    memory = (char *)malloc(bytes);
    if (memory == NULL) SKIP("no memory");
    bump.at = memory;
    bump.end = memory + bytes;
    h.alloc = bump_alloc;
    h.free = bump_free;
    h.ctx = &bump;
    memset(&o, 0, sizeof o);
    o.hooks = &h;
    o.chunk_bytes = 1;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    for (i = 0; i < (size_t)1 << 23; i++) {
        char c = (char)i;
        r = arena_ref(&a, &c, 1);
        if (r.len != 1 || arena_value(&a, r).len != 1 || arena_value(&a, r).data[0] != c) break;
        if (i == 0) first = r;
    }
    CHECK_EQ(i, (size_t)1 << 23);
    CHECK_EQ(arena_chunk_count(&a), (size_t)1 << 23);
    CHECK(arena_is_valid(&a));
    /* The one too many: no Ref, nothing stored; but append goes on. */
    CHECK(arena_ref_empty(arena_ref(&a, "x", 1)));
    CHECK_EQ(arena_status(&a), ARENA_REF_RANGE);
    CHECK_EQ(arena_size(&a), (size_t)1 << 23);
    CHECK_MEM(arena_append(&a, "y", 1), "y", 1);
    CHECK_EQ(arena_size(&a), ((size_t)1 << 23) + 1);
    CHECK_EQ(arena_value(&a, first).len, 1);
    CHECK_EQ(arena_value(&a, r).len, 1);
    arena_reset(&a);
    CHECK_EQ(arena_value(&a, first).len, 0);
    r = arena_ref(&a, "z", 1);
    CHECK_EQ(arena_value(&a, r).data[0], 'z');
    CHECK_EQ(arena_value(&a, first).len, 0);
    arena_release(&a);
    free(memory);
#endif
}
