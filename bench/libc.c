/* malloc and free: one block per value, given back one by one. */
#include "bench.h"

#include <malloc.h>
#include <stdlib.h>

struct libc { int unused; };

static void *libc_open(void)
{
    static struct libc one;
    return &one;
}
static void libc_close(void *ctx) { (void)ctx; }
static size_t libc_held(void *ctx) { (void)ctx; return bench_malloc_in_use(); }

#if BENCH_PLACE == 0
size_t bench_malloc_in_use(void)
{
    const struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}
#endif

BENCH_INLINE void *libc_append(const char *s, size_t n)
{
    void *p = malloc(n);
    if (p == NULL) abort();
    return memcpy(p, s, n);
}
BENCH_INLINE void *libc_text(const char *s, size_t n)
{
    char *p = (char *)malloc(n + 1);
    if (p == NULL) abort();
    memcpy(p, s, n);
    p[n] = 0;
    return p;
}
BENCH_INLINE void *libc_room(size_t n)
{
    void *p = malloc(n);
    if (p == NULL) abort();
    return p;
}
BENCH_INLINE void *libc_zero(size_t n)
{
    void *p = calloc(1, n);
    if (p == NULL) abort();
    return p;
}

struct libc_slice { int *data; size_t len, cap; };

static BENCH_NOINLINE void libc_grow(struct libc_slice *s)
{
    s->cap = s->cap == 0 ? 8 : s->cap * 2;
    s->data = (int *)realloc(s->data, s->cap * sizeof(int));
    if (s->data == NULL) abort();
}
BENCH_INLINE void libc_push(struct libc_slice *s, int v)
{
    if (s->len == s->cap) libc_grow(s);
    s->data[s->len++] = v;
}
static void libc_drop(const void *p)
{
    union { const void *from; void *to; } u;        /* free takes no pointer to const */
    u.from = p;
    free(u.to);
}

#define C_NAME(x) libc_##x
#define C_TYPE struct libc
#define C_RESET(c) ((void)(c))
#define C_DROP(c, p) libc_drop(p)
#define C_APPEND(c, s, n) libc_append(s, n)
#define C_TEXT(c, s, n) libc_text(s, n)
#define C_STRING(c, s) libc_text(s, strlen(s))
#define C_ALLOC(c, T) (T *)libc_room(sizeof(T))
#define C_ZERO(c, T) libc_zero(sizeof(T))
#define C_SLICE struct libc_slice
#define C_SLICE_ZERO {NULL, 0, 0}
#define C_PUSH(c, s, v) libc_push(&(s), v)
#define C_SLICE_AT(s, i) (s).data[i]
#define C_SLICE_FREE(s) free((s).data)
#define C_CONTENDER PLACED(cont_malloc)
#define C_TITLE "malloc + free"
#define C_KIND KIND_MALLOC
#include "rows.h"
