/*
 * rows.h - the loops of every row, written once and included by each contender.
 *
 * A contender defines some of the macros below, includes this file, and gets one function per row
 * and its `struct contender`. Rows whose macro is missing are NULL. C_NAME(open), C_NAME(close) and
 * C_NAME(held) are functions that it has written before.
 *
 *   C_NAME(x)            pastes a prefix of its own onto x
 *   C_TYPE               its context
 *   C_CONTENDER, C_TITLE, C_KIND   the name of the struct, what is printed, its kind
 *   C_RESET(c)           rewinds everything (before each batch)
 *   C_APPEND(c, s, n)    stores n bytes, gives their address          -> fixed, const*, random, ...
 *   C_TEXT(c, s, n)      the same with a NUL behind                   -> tokens
 *   C_STRING(c, s)       the same, length unknown                     -> strings
 *   C_ALLOC(c, T)        room for one T, aligned, not cleared         -> typed*, object24, reserve24
 *   C_TYPED(c, k, s)     stores one element of k bytes from s         (default: by C_ALLOC)
 *   C_RESET_TYPED(c, k)  rewinds the store of elements of k bytes     (default: C_RESET)
 *   C_RESERVE(c, k)      room for one element of k bytes              (default: by C_ALLOC)
 *   C_ZERO(c, T)         one zeroed T                                 -> zero32
 *   C_REF(c, s, n)       stores n bytes, gives a struct of 12 bytes of type C_REF_T
 *   C_REF24(c, s)        the same for one typed element of 24 bytes, type C_REF24_T
 *   C_SLICE, C_PUSH(c, s, v), C_SLICE_FREE(s)   a growing slice of int, zero-initialised
 *   C_MARK(c), C_REWIND(c)   around a batch of lines                  (default: C_RESET)
 *   C_DROP(c, p)         gives one value back, where values are given back one by one
 */
#include "bench.h"

#ifndef C_MARK
#define C_MARK(c) C_RESET(c)
#define C_REWIND(c) ((void)0)
#endif

#ifndef C_RESET_TYPED
#define C_RESET_TYPED(c, k) C_RESET(c)
#endif

#ifdef C_DROP
#define C_DROP_ALL_(c, out, n)                                                                     \
    do {                                                                                           \
        size_t drop_;                                                                              \
        for (drop_ = 0; drop_ < (n); ++drop_) C_DROP(c, out[drop_]);                               \
    } while (0)
#else
#define C_DROP_ALL_(c, out, n) ((void)0)
#endif

#ifdef __cplusplus
#define C_CTX_ static_cast<C_TYPE *>(ctx)
#else
#define C_CTX_ ctx
#endif

#ifdef C_APPEND
/* All of one length, which the compiler knows. */
#define ROW_CONST_(row, n)                                                                         \
    static BENCH_NOINLINE uint64_t C_NAME(row)(void *ctx, const struct work *w)                    \
    {                                                                                              \
        C_TYPE *c = C_CTX_;                                                                        \
        const char *s = w->source;                                                                 \
        const void **out = w->out;                                                                 \
        const size_t count = w->count;                                                             \
        size_t i;                                                                                  \
        C_RESET(c);                                                                                \
        for (i = 0; i < count; ++i) out[i] = C_APPEND(c, s + (i & 63) * 64, n);                    \
        C_DROP_ALL_(c, out, count);                                                                \
        return 0;                                                                                  \
    }
ROW_CONST_(const8, 8)
ROW_CONST_(const16, 16)
ROW_CONST_(const64, 64)

/* Lengths from data. For the row of random lengths w->lens never repeats, so that no predictor can
 * learn them; for the rows of one length all are the same. */
static BENCH_NOINLINE uint64_t C_NAME(random)(void *ctx, const struct work *w)
{
    C_TYPE *c = C_CTX_;
    const char *s = w->source;
    const uint32_t *lens = w->lens;
    const void **out = w->out;
    const size_t count = w->count;
    size_t i;
    C_RESET(c);
    for (i = 0; i < count; ++i) out[i] = C_APPEND(c, s + (i & 63) * 64, (size_t)lens[i]);
    C_DROP_ALL_(c, out, count);
    return 0;
}

/* The same loop under a second name: its lengths are 16 to 64, and threads run it. */
static BENCH_NOINLINE uint64_t C_NAME(between16and64)(void *ctx, const struct work *w)
{
    C_TYPE *c = C_CTX_;
    const char *s = w->source;
    const uint32_t *lens = w->lens;
    const void **out = w->out;
    const size_t count = w->count;
    size_t i;
    C_RESET(c);
    for (i = 0; i < count; ++i) out[i] = C_APPEND(c, s + (i & 63) * 64, (size_t)lens[i]);
    C_DROP_ALL_(c, out, count);
    return 0;
}

/* Lines of text, stored, read (first and last byte of each) and rewound. */
static BENCH_NOINLINE uint64_t C_NAME(lines)(void *ctx, const struct work *w)
{
    C_TYPE *c = C_CTX_;
    const char *s = w->source;
    const uint32_t *lens = w->lens;
    const void **out = w->out;
    const size_t count = w->count;
    uint64_t sum = 0;
    size_t i;
    C_MARK(c);
    for (i = 0; i < count; ++i) {
        const size_t n = lens[i];
        out[i] = C_APPEND(c, s, n);
        s += n;
    }
    for (i = 0; i < count; ++i) {
        const char *p = (const char *)out[i];
        sum += (unsigned char)p[0] + (unsigned)(unsigned char)p[lens[i] - 1];
    }
    C_DROP_ALL_(c, out, count);
    C_REWIND(c);
    return sum;
}

/* Lumpy sizes: what counts is how much memory is held afterwards, so nothing is dropped. */
#define ROW_LUMPY_(row)                                                                            \
    static BENCH_NOINLINE uint64_t C_NAME(row)(void *ctx, const struct work *w)                    \
    {                                                                                              \
        C_TYPE *c = C_CTX_;                                                                        \
        const uint32_t *lens = w->lens;                                                          \
        const void **out = w->out;                                                                 \
        const size_t count = w->count;                                                             \
        size_t i;                                                                                  \
        C_RESET(c);                                                                                \
        for (i = 0; i < count; ++i) out[i] = C_APPEND(c, w->source, (size_t)lens[i] );             \
        return 0;                                                                                  \
    }
ROW_LUMPY_(lognormal)
ROW_LUMPY_(uniform)

/* Any number of 16-byte values; their addresses are summed, since an array of them would be as
 * large again. */
#ifndef C_DROP
static BENCH_NOINLINE uint64_t C_NAME(stream16)(void *ctx, const struct work *w)
{
    C_TYPE *c = C_CTX_;
    const char *s = w->source;
    const size_t count = w->count;
    uint64_t sum = 0;
    size_t i;
    C_RESET(c);
    for (i = 0; i < count; ++i) {
        const void *p = C_APPEND(c, s + (i & 63) * 64, 16);
        sum += (uint64_t)(uintptr_t)p;
    }
    return sum;
}
#endif
#endif

#ifdef C_TEXT
/* Tokens lie one behind the other in the source, each with a NUL, as a lexer has just seen them. */
static BENCH_NOINLINE uint64_t C_NAME(tokens)(void *ctx, const struct work *w)
{
    C_TYPE *c = C_CTX_;
    const char *s = w->source;
    const uint32_t *lens = w->lens;
    const void **out = w->out;
    const size_t count = w->count;
    size_t i;
    C_RESET(c);
    for (i = 0; i < count; ++i) {
        const size_t n = lens[i];
        out[i] = C_TEXT(c, s, n);
        s += n + 1;
    }
    C_DROP_ALL_(c, out, count);
    return 0;
}
#endif

#ifdef C_STRING
static BENCH_NOINLINE uint64_t C_NAME(strings)(void *ctx, const struct work *w)
{
    C_TYPE *c = C_CTX_;
    const char *s = w->source;
    const uint32_t *lens = w->lens;
    const void **out = w->out;
    const size_t count = w->count;
    size_t i;
    C_RESET(c);
    for (i = 0; i < count; ++i) {
        out[i] = C_STRING(c, s);
        s += (size_t)lens[i] + 1;
    }
    C_DROP_ALL_(c, out, count);
    return 0;
}
#endif

#ifdef C_ALLOC
BENCH_INLINE void *C_NAME(put8)(C_TYPE *c, const struct bench_t8 *s)
{
    struct bench_t8 *p = C_ALLOC(c, struct bench_t8);
    (void)c;
    *p = *s;
    return p;
}
BENCH_INLINE void *C_NAME(put24)(C_TYPE *c, const struct bench_t24 *s)
{
    struct bench_t24 *p = C_ALLOC(c, struct bench_t24);
    (void)c;
    *p = *s;
    return p;
}
BENCH_INLINE void *C_NAME(put32)(C_TYPE *c, const struct bench_t32 *s)
{
    struct bench_t32 *p = C_ALLOC(c, struct bench_t32);
    (void)c;
    *p = *s;
    return p;
}
BENCH_INLINE void *C_NAME(put256)(C_TYPE *c, const struct bench_t256 *s)
{
    struct bench_t256 *p = C_ALLOC(c, struct bench_t256);
    (void)c;
    *p = *s;
    return p;
}

#ifndef C_TYPED
#define C_TYPED(c, k, s) C_NAME(put##k)(c, s)
#define C_RESERVE(c, k) C_ALLOC(c, struct bench_t##k)
#endif

/* Typed values come from objects that the compiler sees, as they do in programs: it then knows
 * that their address is not NULL. */
#define ROW_TYPED_(row, k, mask)                                                                   \
    static BENCH_NOINLINE uint64_t C_NAME(row)(void *ctx, const struct work *w)                    \
    {                                                                                              \
        C_TYPE *c = C_CTX_;                                                                        \
        const void **out = w->out;                                                                 \
        const size_t count = w->count;                                                             \
        size_t i;                                                                                  \
        C_RESET_TYPED(c, k);                                                                       \
        for (i = 0; i < count; ++i) out[i] = C_TYPED(c, k, &bench_table##k[i & (mask)]);         \
        C_DROP_ALL_(c, out, count);                                                                \
        return 0;                                                                                  \
    }
ROW_TYPED_(typed8, 8, 63)
ROW_TYPED_(typed24, 24, 63)
ROW_TYPED_(typed32, 32, 63)
ROW_TYPED_(typed256, 256, 15)

/* An object of 24 bytes from the byte arena, filled in place. */
static BENCH_NOINLINE uint64_t C_NAME(object24)(void *ctx, const struct work *w)
{
    C_TYPE *c = C_CTX_;
    const void **out = w->out;
    const size_t count = w->count;
    size_t i;
    C_RESET(c);
    for (i = 0; i < count; ++i) {
        struct bench_t24 *p = C_ALLOC(c, struct bench_t24);
        p->a[0] = i;
        p->a[1] = i + 1;
        p->a[2] = i + 2;
        out[i] = p;
    }
    C_DROP_ALL_(c, out, count);
    return 0;
}

/* The same from a typed arena. */
static BENCH_NOINLINE uint64_t C_NAME(reserve24)(void *ctx, const struct work *w)
{
    C_TYPE *c = C_CTX_;
    const void **out = w->out;
    const size_t count = w->count;
    size_t i;
    C_RESET_TYPED(c, 24);
    for (i = 0; i < count; ++i) {
        struct bench_t24 *p = C_RESERVE(c, 24);
        p->a[0] = i;
        p->a[1] = i + 1;
        p->a[2] = i + 2;
        out[i] = p;
    }
    C_DROP_ALL_(c, out, count);
    return 0;
}
#endif

#ifdef C_ZERO
static BENCH_NOINLINE uint64_t C_NAME(zero32)(void *ctx, const struct work *w)
{
    C_TYPE *c = C_CTX_;
    const void **out = w->out;
    const size_t count = w->count;
    size_t i;
    C_RESET(c);
    for (i = 0; i < count; ++i) out[i] = C_ZERO(c, struct bench_t32);
    C_DROP_ALL_(c, out, count);
    return 0;
}
#endif

#ifdef C_REF
static BENCH_NOINLINE uint64_t C_NAME(refrandom)(void *ctx, const struct work *w)
{
    C_TYPE *c = C_CTX_;
    const char *s = w->source;
    const uint32_t *lens = w->lens;
    C_REF_T *out = (C_REF_T *)(void *)w->refs;
    const size_t count = w->count;
    size_t i;
    C_RESET(c);
    for (i = 0; i < count; ++i) out[i] = C_REF(c, s + (i & 63) * 64, (size_t)lens[i]);
    return 0;
}
static BENCH_NOINLINE uint64_t C_NAME(reftyped24)(void *ctx, const struct work *w)
{
    C_TYPE *c = C_CTX_;
    C_REF24_T *out = (C_REF24_T *)(void *)w->refs;
    const size_t count = w->count;
    size_t i;
    C_RESET_TYPED(c, 24);
    for (i = 0; i < count; ++i) out[i] = C_REF24(c, &bench_table24[i & 63]);
    return 0;
}
#endif

#ifdef C_SLICE
static BENCH_NOINLINE uint64_t C_NAME(slice1)(void *ctx, const struct work *w)
{
    C_TYPE *c = C_CTX_;
    const size_t count = w->count;
    C_SLICE s = C_SLICE_ZERO;
    uint64_t sum;
    size_t i;
    C_RESET(c);
    for (i = 0; i < count; ++i) C_PUSH(c, s, (int)i);
    sum = (uint64_t)C_SLICE_AT(s, count / 2);
    C_SLICE_FREE(s);
    return sum;
}

static BENCH_NOINLINE uint64_t C_NAME(slice1000)(void *ctx, const struct work *w)
{
    static C_SLICE s[1000];
    C_TYPE *c = C_CTX_;
    const size_t each = w->count / 1000;
    uint64_t sum = 0;
    size_t i, k;
    C_RESET(c);
    for (i = 0; i < 1000; ++i) {
        C_SLICE empty = C_SLICE_ZERO;
        s[i] = empty;
    }
    for (k = 0; k < each; ++k)
        for (i = 0; i < 1000; ++i) C_PUSH(c, s[i], (int)k);
    for (i = 0; i < 1000; ++i) {
        sum += (uint64_t)C_SLICE_AT(s[i], each / 2);
        C_SLICE_FREE(s[i]);
    }
    return sum;
}
#endif

/* The table, in the order of BENCH_ROWS. */
#ifdef C_APPEND
#define HAS_APPEND_(x) C_NAME(x)
#else
#define HAS_APPEND_(x) NULL
#endif
#if defined(C_APPEND) && !defined(C_DROP)
#define HAS_STREAM_(x) C_NAME(x)
#else
#define HAS_STREAM_(x) NULL
#endif
#ifdef C_TEXT
#define HAS_TEXT_(x) C_NAME(x)
#else
#define HAS_TEXT_(x) NULL
#endif
#ifdef C_STRING
#define HAS_STRING_(x) C_NAME(x)
#else
#define HAS_STRING_(x) NULL
#endif
#ifdef C_ALLOC
#define HAS_ALLOC_(x) C_NAME(x)
#else
#define HAS_ALLOC_(x) NULL
#endif
#ifdef C_ZERO
#define HAS_ZERO_(x) C_NAME(x)
#else
#define HAS_ZERO_(x) NULL
#endif
#ifdef C_REF
#define HAS_REF_(x) C_NAME(x)
#else
#define HAS_REF_(x) NULL
#endif
#ifdef C_SLICE
#define HAS_SLICE_(x) C_NAME(x)
#else
#define HAS_SLICE_(x) NULL
#endif

#ifdef C_CONTENDER
const struct contender C_CONTENDER = {
    C_TITLE, C_KIND, C_NAME(open), C_NAME(close), C_NAME(held),
    {
        HAS_APPEND_(random), HAS_APPEND_(const8), HAS_APPEND_(const16), HAS_APPEND_(const64),
        HAS_APPEND_(random), HAS_TEXT_(tokens), HAS_STRING_(strings), HAS_APPEND_(lines),
        HAS_ALLOC_(typed8), HAS_ALLOC_(typed24), HAS_ALLOC_(typed32), HAS_ALLOC_(typed256),
        HAS_REF_(refrandom), HAS_REF_(refrandom), HAS_REF_(reftyped24),
        HAS_ZERO_(zero32), HAS_ALLOC_(object24), HAS_ALLOC_(reserve24),
        HAS_SLICE_(slice1), HAS_SLICE_(slice1000),
        HAS_APPEND_(lognormal), HAS_APPEND_(uniform),
        HAS_APPEND_(between16and64), HAS_STREAM_(stream16)
    }
};
#endif

/* A file may hold several contenders, so nothing is left defined. */
#undef C_NAME
#undef C_TYPE
#undef C_RESET
#undef C_RESET_TYPED
#undef C_APPEND
#undef C_TEXT
#undef C_STRING
#undef C_ALLOC
#undef C_TYPED
#undef C_RESERVE
#undef C_ZERO
#undef C_REF
#undef C_REF_T
#undef C_REF24
#undef C_REF24_T
#undef C_SLICE
#undef C_SLICE_ZERO
#undef C_SLICE_AT
#undef C_PUSH
#undef C_SLICE_FREE
#undef C_MARK
#undef C_REWIND
#undef C_DROP
#undef C_DROP_ALL_
#undef C_CTX_
#undef C_CONTENDER
#undef C_TITLE
#undef C_KIND
#undef HAS_APPEND_
#undef HAS_STREAM_
#undef HAS_TEXT_
#undef HAS_STRING_
#undef HAS_ALLOC_
#undef HAS_ZERO_
#undef HAS_REF_
#undef HAS_SLICE_
#undef ROW_CONST_
#undef ROW_LUMPY_
#undef ROW_TYPED_
