/*
 * floor.h - the floor: a bare bump of one pointer into one warm buffer, no check of any kind.
 * Included by the floors with FLOOR_NAME and FLOOR_COPY defined. The cursor lives in a struct that
 * is reached through a pointer, as it would in any program that stores from more than one function.
 */
#include "bench.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Address space for the longest run; pages are taken only where something is stored. */
#define FLOOR_BYTES ((size_t)12 << 30)

struct bump { char *cur, *base; };

#define C_NAME_(p, x) p##_##x
#define C_NAME__(p, x) C_NAME_(p, x)
#define C_NAME(x) C_NAME__(FLOOR_NAME, x)

struct bump_slice { int *data; size_t len, cap; };

static void *C_NAME(open)(void)
{
    struct bump *b = (struct bump *)malloc(sizeof *b);
    void *p = mmap(NULL, FLOOR_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (b == NULL || p == MAP_FAILED) abort();
    b->cur = b->base = (char *)p;      /* at a line of the cache, as arena.h's chunks begin */
    return b;
}

static void C_NAME(close)(void *ctx)
{
    struct bump *b = (struct bump *)ctx;
    munmap(b->base - 16, FLOOR_BYTES);
    free(b);
}

static size_t C_NAME(held)(void *ctx)
{
    const struct bump *b = (const struct bump *)ctx;
    return b == NULL ? 0 : (size_t)(b->cur - b->base);
}

BENCH_INLINE void *bump_append(struct bump *b, const char *s, size_t n)
{
    char *p = b->cur;
    b->cur = p + n;
    FLOOR_COPY(p, s, n);
    return p;
}

BENCH_INLINE void *bump_text(struct bump *b, const char *s, size_t n)
{
    char *p = b->cur;
    b->cur = p + n + 1;
    FLOOR_COPY(p, s, n);
    p[n] = 0;
    return p;
}

BENCH_INLINE void *bump_room(struct bump *b, size_t n)
{
    char *p = b->cur;
    b->cur = p + n;
    return p;
}

BENCH_INLINE void *bump_zero(struct bump *b, size_t n)
{
    char *p = b->cur;
    b->cur = p + n;
    memset(p, 0, n);
    return p;
}

BENCH_INLINE struct bench_ref bump_ref(struct bump *b, const char *s, size_t n)
{
    struct bench_ref r;
    char *p = b->cur;
    b->cur = p + n;
    FLOOR_COPY(p, s, n);
    r.chunk = 512;
    r.off = (uint32_t)(p - b->base);
    r.len = (uint32_t)n;
    return r;
}

BENCH_INLINE struct bench_ref bump_ref24(struct bump *b, const struct bench_t24 *s)
{
    struct bench_ref r;
    char *p = b->cur;
    b->cur = p + 24;
    memcpy(p, s, 24);
    r.chunk = 512;
    r.off = (uint32_t)((size_t)(p - b->base) / 24);
    r.len = 1;
    return r;
}

/* The smallest dynamic array on a bump: in place at the tip, else doubled into a new place. */
static BENCH_NOINLINE void bump_grow(struct bump *b, struct bump_slice *s)
{
    const size_t cap = s->cap == 0 ? 8 : s->cap * 2;
    if ((char *)(s->data + s->cap) != b->cur || s->cap == 0) {
        int *data = (int *)(void *)b->cur;
        b->cur += cap * sizeof(int);
        if (s->len != 0) memcpy(data, s->data, s->len * sizeof(int));
        s->data = data;
    } else b->cur += (cap - s->cap) * sizeof(int);
    s->cap = cap;
}

BENCH_INLINE void bump_push(struct bump *b, struct bump_slice *s, int v)
{
    if (s->len == s->cap) bump_grow(b, s);
    s->data[s->len++] = v;
}

#define C_TYPE struct bump
#define C_RESET(c) ((void)((c)->cur = (c)->base))
#define C_MARK(c) char *mark_ = (c)->cur
#define C_REWIND(c) ((void)((c)->cur = mark_))
#define C_APPEND(c, s, n) bump_append(c, s, n)
#define C_TEXT(c, s, n) bump_text(c, s, n)
#define C_STRING(c, s) bump_text(c, s, strlen(s))
#define C_ALLOC(c, T) (T *)bump_room(c, sizeof(T))
#define C_ZERO(c, T) bump_zero(c, sizeof(T))
#define C_REF_T struct bench_ref
#define C_REF(c, s, n) bump_ref(c, s, n)
#define C_REF24_T struct bench_ref
#define C_REF24(c, s) bump_ref24(c, s)
#define C_SLICE struct bump_slice
#define C_SLICE_ZERO {NULL, 0, 0}
#define C_PUSH(c, s, v) bump_push(c, &(s), v)
#define C_SLICE_AT(s, i) (s).data[i]
#define C_SLICE_FREE(s) ((void)0)
#define C_CONTENDER PLACED(FLOOR_NAME)
#define C_TITLE FLOOR_TITLE
#define C_KIND KIND_FLOOR
#include "rows.h"
