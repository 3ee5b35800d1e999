/*
 * arena.h as a contender. Built once as users build it (hot functions inline, the implementation in
 * a file of its own) and, for `make bench-flags`, once for each set of flags with everything static,
 * so that several copies live in one program and take turns against one floor.
 */
#ifdef BENCH_FLAVOUR
#define ARENA_STATIC
#define ARENA_IMPLEMENTATION
#endif
#include "../arena.h"
#include "bench.h"

#include <stdlib.h>

ARENA_DEFINE(t8, struct bench_t8);
ARENA_DEFINE(t24, struct bench_t24);
ARENA_DEFINE(t32, struct bench_t32);
ARENA_DEFINE(t256, struct bench_t256);
ARENA_SLICE_DEFINE(ints, int);

/* One row uses one of them. They lie at the same place, so that no contender has to reach further
 * than another; each begins with the core, {0} is ready. */
union box {
    arena_t bytes;
    t8_t t8;
    t24_t t24;
    t32_t t32;
    t256_t t256;
};

#ifndef BENCH_FLAVOUR
#define BENCH_FLAVOUR arena
#define BENCH_TITLE "arena.h"
#endif
#define C_NAME_(p, x) box_##p##_##x
#define C_NAME__(p, x) C_NAME_(p, x)
#define C_NAME(x) C_NAME__(BENCH_FLAVOUR, x)
#define C_CONTENDER_(p) PLACED(cont_##p)
#define C_CONTENDER__(p) C_CONTENDER_(p)

static void *C_NAME(open)(void)
{
    union box *b = (union box *)calloc(1, sizeof *b);     /* {0} is ready */
    if (b == NULL) abort();
    return b;
}

static void C_NAME(close)(void *ctx)
{
    union box *b = (union box *)ctx;
    arena_core_release_(&b->bytes.core);       /* whichever it was: they all begin with it */
    free(b);
}

static size_t C_NAME(held)(void *ctx)
{
    const union box *b = (const union box *)ctx;
    return b == NULL ? 0 : arena_retained(&b->bytes);
}

#define C_TYPE union box
#define C_CONTENDER C_CONTENDER__(BENCH_FLAVOUR)
#define C_TITLE BENCH_TITLE
#define C_KIND KIND_ARENA
#define C_RESET(c) arena_reset(&(c)->bytes)
#define C_RESET_TYPED(c, k) t##k##_reset(&(c)->t##k)
#define C_MARK(c) arena_mark_t mark_ = arena_mark(&(c)->bytes)
#define C_REWIND(c) ((void)arena_rewind(&(c)->bytes, mark_))
#define C_APPEND(c, s, n) arena_append(&(c)->bytes, s, n)
#define C_TEXT(c, s, n) arena_intern_n(&(c)->bytes, s, n)
#define C_STRING(c, s) arena_intern(&(c)->bytes, s)
#define C_ALLOC(c, T) (T *)arena_alloc(&(c)->bytes, sizeof(T), 8)
#define C_TYPED(c, k, s) t##k##_append(&(c)->t##k, s, 1)
#define C_RESERVE(c, k) t##k##_reserve(&(c)->t##k, 1)
#define C_ZERO(c, T) ARENA_NEW(&(c)->bytes, T)
#define C_REF_T arena_ref_t
#define C_REF(c, s, n) arena_ref(&(c)->bytes, s, n)
#define C_REF24_T t24_ref_t
#define C_REF24(c, s) t24_ref(&(c)->t24, s, 1)
#define C_SLICE ints_slice_t
#define C_SLICE_ZERO {NULL, 0, 0}
#define C_PUSH(c, s, v) ((void)ints_push(&(c)->bytes, &(s), v))
#define C_SLICE_AT(s, i) (s).data[i]
#define C_SLICE_FREE(s) ((void)0)
#include "rows.h"
