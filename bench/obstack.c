/* obstack: chunks of 64 KiB, rewound to the first object. glibc has it, others do not. */
#include "bench.h"

#ifdef __GLIBC__
#include <obstack.h>
#include <stdlib.h>

/* glibc's macros pass sizes as int, which the strict warnings of this repository see here. */
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

struct stack { struct obstack o; void *first; };

static void *stack_open(void)
{
    struct stack *s = (struct stack *)malloc(sizeof *s);
    if (s == NULL) abort();
    obstack_begin(&s->o, 65536 - 64);
    obstack_alignment_mask(&s->o) = 0;
    s->first = obstack_alloc(&s->o, 0);
    return s;
}
static void stack_close(void *ctx)
{
    struct stack *s = (struct stack *)ctx;
    obstack_free(&s->o, NULL);
    free(s);
}
static size_t stack_held(void *ctx) { (void)ctx; return bench_malloc_in_use(); }

BENCH_INLINE void *stack_zero(struct stack *s, size_t n)
{
    return memset(obstack_alloc(&s->o, n), 0, n);
}

#define C_NAME(x) stack_##x
#define C_TYPE struct stack
#define C_RESET(c) obstack_free(&(c)->o, (c)->first)
#define C_MARK(c) void *mark_ = obstack_alloc(&(c)->o, 0)
#define C_REWIND(c) obstack_free(&(c)->o, mark_)
#define C_APPEND(c, s, n) obstack_copy(&(c)->o, s, n)
#define C_TEXT(c, s, n) obstack_copy0(&(c)->o, s, n)
#define C_STRING(c, s) obstack_copy0(&(c)->o, s, strlen(s))
#define C_ALLOC(c, T) (T *)obstack_alloc(&(c)->o, sizeof(T))
#define C_ZERO(c, T) stack_zero(c, sizeof(T))
#define C_CONTENDER PLACED(cont_obstack)
#define C_TITLE "obstack"
#define C_KIND KIND_PEER
#include "rows.h"
#else
const struct contender PLACED(cont_obstack) = {NULL, KIND_PEER, NULL, NULL, NULL, {NULL}};
#endif
