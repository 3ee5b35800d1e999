/*
 * What the CBMC harnesses share: an arbitrary valid arena within bounds, and what "unchanged"
 * means.
 *
 * Each harness has the shape: assume that the arena is valid, call, assert that it is valid, and
 * that a failure has changed nothing. An arbitrary arena is not the result of some calls: every
 * field has any value that is_valid allows, and the few that it does not judge (documented at
 * arbitrary_core). Chunks are objects of exactly capacity + spare bytes, so that each access out of
 * bounds is seen.
 */
#ifndef PROOF_H
#define PROOF_H

#define ARENA_IMPLEMENTATION
#ifndef PROOF_ATOMICS
#define ARENA_NO_ATOMICS
#endif
#define ARENA_THREAD_LOCAL
#include <stdlib.h>
#include <string.h>

/*
 * The memory functions, typed where the library fills or copies its own records, which is where the
 * size is a constant: the checker reasons about the fields of a record much faster than about its
 * bytes. They do what the standard ones do.
 */
static void *proof_memset(void *dst, int value, size_t n);
static void *proof_memmove(void *dst, const void *src, size_t n);
static void *proof_fill(void *dst, int value, size_t n);
static void *proof_copy(void *dst, const void *src, size_t n);
#ifndef ARENA_MEMSET
#define ARENA_MEMSET(dst, value, n)                                                               \
    (__builtin_constant_p(n) ? proof_memset(dst, value, n) : proof_fill(dst, value, n))
#endif
#define ARENA_LOOK_BACK_ 2 /* So many chunks at most are held here. */
#ifndef PROOF_PLAIN_COPY
#define ARENA_MEMCPY(dst, src, n)                                                                 \
    (__builtin_constant_p(n) ? proof_memmove(dst, src, n) : proof_copy(dst, src, n))
#define ARENA_MEMMOVE ARENA_MEMCPY
#endif
#include "../../arena.h"

/* The bounds: the number of chunks held when the call is made, and the bytes of one. */
#ifndef TOTAL
#define TOTAL 1
#endif
#define CHUNKS (TOTAL + 1)
#define LARGEST (CAP + 4)
/* Places in the table: one chunk may be added without a larger one. */
#define SLOTS (TOTAL < 1 ? 2 : TOTAL + 1)
#ifndef CAP
#define CAP 4
#endif
#ifndef PIECE
#define PIECE 8 /* The most bytes that are padded or copied at a time. */
#endif

/* The table that an arbitrary arena has. Two objects, although the library takes both parts in one
 * block: the checker knows an element of an array by its index, but one of an array in a record by
 * its bytes, which makes formulas ten times as large. */
struct record { arena_chunk_t_ chunk; arena_entry_t_ entry; };

/* CBMC takes functions of this prefix for any value of their type. */
size_t nondet_size(void);
uint32_t nondet_u32(void);
unsigned nondet_unsigned(void);
bool nondet_bool(void);
char nondet_char(void);
arena_bits_t_ nondet_bits(void);
arena_core_t nondet_core(void);
arena_mark_t nondet_mark(void);
struct record nondet_record(void);

/* Stands where a harness must be able to come: `prove --reach` wants it to be refuted. */
#ifdef PROOF_REACH
#define REACHED() PROVE(!"reached")
#else
#define REACHED() ((void)0)
#endif

#ifdef __CPROVER__
#define ASSUME(x) __CPROVER_assume(x)
#define PROVE(x) __CPROVER_assert(x, #x)
#define READABLE(p, n) __CPROVER_r_ok(p, n)
#define WRITABLE(p, n) __CPROVER_w_ok(p, n)
#define SAME_OBJECT(p, q) __CPROVER_same_object(p, q)
#else /* For compilers, which only check that these files are C. */
#define ASSUME(x) ((void)(x))
#define PROVE(x) ((void)(x))
#define READABLE(p, n) ((p) != NULL && (n) != 0)
#define WRITABLE(p, n) ((p) != NULL && (n) != 0)
#define SAME_OBJECT(p, q) ((p) == (q))
#endif

static const arena_shape_t_ bytes_shape = {1, 1, 1};
static const arena_shape_t_ quad_shape = {4, 4, 0};

static void *proof_memset(void *dst, int value, size_t n)
{
    size_t i;
    if (value == 0 && n == sizeof(arena_chunk_t_)) {
        static const arena_chunk_t_ none;
        *(arena_chunk_t_ *)dst = none;
    } else if (value == 0 && n == sizeof(arena_mark_t)) {
        static const arena_mark_t none;
        *(arena_mark_t *)dst = none;
    } else if (value == 0 && n == sizeof(arena_entry_t_)) {
        static const arena_entry_t_ none;
        *(arena_entry_t_ *)dst = none;
    } else if (value == 0 && n == sizeof(arena_core_t)) {
        static const arena_core_t none;
        *(arena_core_t *)dst = none;
    } else if (value == 0 && n == ARENA_CLASSES_ * sizeof(char *)) {
        for (i = 0; i < ARENA_CLASSES_; i++) ((char **)dst)[i] = NULL;
    } else if (value == 0 && n == ARENA_DEAD_ * 2 * sizeof(uint32_t)) {
        for (i = 0; i < ARENA_DEAD_ * (size_t)2; i++) ((uint32_t *)dst)[i] = 0;
    } else {
        PROVE(n <= PIECE);
        for (i = 0; i < n; i++) ((char *)dst)[i] = (char)value;
    }
    return dst;
}

static void *proof_fill(void *dst, int value, size_t n)
{
    size_t i;
#ifdef MOVED_TABLE
    if (value == 0 && n == MOVED_TABLE * sizeof(arena_entry_t_)) {
        static const arena_entry_t_ none;
        for (i = 0; i < MOVED_TABLE; i++) ((arena_entry_t_ *)dst)[i] = none;
        return dst;
    }
#endif
    PROVE(n <= PIECE);
    for (i = 0; i < n; i++) ((char *)dst)[i] = (char)value;
    return dst;
}

static void *proof_memmove(void *dst, const void *src, size_t n)
{
    size_t i;
    if (n == sizeof(arena_block_t_)) {
        *(arena_block_t_ *)dst = *(const arena_block_t_ *)src;
    } else {
        PROVE(n == (ARENA_DEAD_ - 1) * 2 * sizeof(uint32_t));
        PROVE((const char *)src > (char *)dst); /* Downwards, in the list of dead marks. */
        for (i = 0; i < (ARENA_DEAD_ - 1) * (size_t)2; i++)
            ((uint32_t *)dst)[i] = ((const uint32_t *)src)[i];
    }
    return dst;
}

static void *proof_copy(void *dst, const void *src, size_t n)
{
    char between[PIECE]; /* What is copied may overlap. */
    size_t i;
#ifdef MOVED_TABLE
    if (n == TOTAL * sizeof(arena_chunk_t_)) {
        for (i = 0; i < TOTAL; i++) ((arena_chunk_t_ *)dst)[i] = ((const arena_chunk_t_ *)src)[i];
        return dst;
    }
    if (n == SLOTS * sizeof(arena_entry_t_)) {
        for (i = 0; i < SLOTS; i++) ((arena_entry_t_ *)dst)[i] = ((const arena_entry_t_ *)src)[i];
        return dst;
    }
#endif
    PROVE(n <= PIECE);
    for (i = 0; i < n; i++) between[i] = ((const char *)src)[i];
    for (i = 0; i < n; i++) ((char *)dst)[i] = between[i];
    return dst;
}

static arena_chunk_t_ chunk_table[SLOTS];
static arena_entry_t_ entry_table[SLOTS];
#define TABLE_BYTES (SLOTS * (sizeof(arena_chunk_t_) + sizeof(arena_entry_t_)))
static size_t allocs, frees, refused;

/* An object of exactly n bytes. Objects of a constant size are much easier on the checker. */
static void *object_of(size_t n)
{
    size_t k;
    for (k = 1; k <= LARGEST; k++)
        if (n == k) return malloc(k);
#ifdef ALSO
    if (n == ALSO) return malloc(ALSO);
#endif
    return NULL;
}

static void *proof_alloc(void *ctx, size_t bytes, size_t align)
{
    void *p;
    PROVE(ctx == chunk_table);
    PROVE(bytes > 0 && bytes <= PTRDIFF_MAX && align > 0 && (align & (align - 1)) == 0);
    allocs++;
    p = object_of(bytes);
    if (p == NULL || nondet_bool()) {
        refused++;
        return NULL;
    }
    ASSUME((ARENA_ADDRESS_(p) & (align - 1)) == 0);
    return p;
}

static void proof_free(void *ctx, void *p, size_t bytes, size_t align)
{
    PROVE(ctx == chunk_table && p != NULL && align > 0);
    frees++;
    if (p == chunk_table) {
        PROVE(bytes == TABLE_BYTES);
    } else {
#ifdef __CPROVER__
        PROVE(__CPROVER_OBJECT_SIZE(p) == bytes && __CPROVER_POINTER_OFFSET(p) == 0);
#endif
        free(p);
    }
}

/* The figures and fields that a failed call must leave as they were. */
struct before {
    arena_core_t core;
    arena_chunk_t_ chunks[CHUNKS];
    arena_entry_t_ entries[CHUNKS];
};

static struct before remember(const arena_core_t *c)
{
    struct before b;
    uint32_t i;
    b.core = *c;
    for (i = 0; i < CHUNKS; i++) {
        if (i < c->total) {
            b.chunks[i] = c->chunks[i];
            b.entries[i] = c->table[i];
        }
    }
    return b;
}

static bool unchanged(const struct before *b, const arena_core_t *c)
{
    const arena_core_t *o = &b->core;
    uint32_t i;
    if (c->cur != o->cur || c->end != o->end || c->base != o->base || c->tag != o->tag ||
        c->numbers != o->numbers || c->padding != o->padding || c->slots != o->slots ||
        c->total != o->total || c->opened != o->opened || c->current != o->current ||
        c->tails != o->tails || c->oversized != o->oversized || c->oversizes != o->oversizes ||
        c->batch != o->batch || c->id != o->id || c->marks != o->marks || c->fence != o->fence ||
        c->others != o->others || c->stranded != o->stranded || c->retained != o->retained ||
        c->allocated != o->allocated || c->peak != o->peak)
        return false;
    for (i = 0; i < ARENA_TAILS_; i++)
        if (i < c->tails && c->tail[i] != o->tail[i]) return false;
    for (i = 0; i < CHUNKS; i++)
        if (i < c->total &&
            (c->chunks[i].base != b->chunks[i].base || c->chunks[i].cap != b->chunks[i].cap ||
             (i < c->opened && c->chunks[i].used != b->chunks[i].used)))
            return false;
    return true;
}

/*
 * An arbitrary arena of shape s. Not judged by is_valid, and assumed: in an arena of its own the
 * number of a chunk is its index; `end` is the end of the current chunk; uniform chunks have the
 * capacity that the options say; floors and marks are of this batch.
 */
static void arbitrary_core(arena_core_t *c, const arena_shape_t_ *s)
{
    uint32_t i;
    *c = nondet_core();
    c->group = NULL;
    c->hooks.alloc = proof_alloc;
    c->hooks.free = proof_free;
    c->hooks.ctx = chunk_table;
    c->options.on_error = NULL;
    c->options.buffer = NULL;
    c->options.hooks = NULL;
    c->options.chunk_bytes = CAP;
    if (TOTAL != 0) c->options.fixed = false; /* Else the only chunk would be a buffer. */
    c->size = s->size;
    c->align = s->align;
    c->spare = s->spare;
    ASSUME(c->id != 0);
    /* Storage that waits has 16 bytes at least, which chunks of a few bytes do not hold. */
    proof_memset(c->reuse, 0, sizeof c->reuse);
    c->waiting = 0;
    c->last_block = NULL;
    for (i = 0; i < SLOTS; i++) {
        struct record r = nondet_record();
        chunk_table[i] = r.chunk;
        entry_table[i] = r.entry;
    }
    c->slots = SLOTS;
    c->chunks = chunk_table;
    c->table = entry_table;
    c->total = TOTAL;
    ASSUME(c->opened <= TOTAL);
    ASSUME(c->tails <= TOTAL); /* Implied: they are distinct. */
    c->numbers = c->opened;
    ASSUME(c->forgotten <= c->marks);
    for (i = 0; i < ARENA_DEAD_; i++) ASSUME(c->dead[i][1] <= c->marks);
    for (i = 0; i < c->total; i++) {
        {
            arena_chunk_t_ *h = &c->chunks[i];
            ASSUME(h->cap >= 1 && h->cap <= CAP && h->cap % s->size == 0);
            ASSUME(h->kind == ARENA_UNIFORM_ || h->kind == ARENA_OVERSIZED_);
            ASSUME(h->align == 16);
            ASSUME(h->used <= h->cap && h->used % s->size == 0);
            h->base = (char *)object_of(h->cap + s->spare);
            ASSUME(h->base != NULL);
            if (s->spare != 0) h->base[h->cap] = 0;
            if (i < c->opened) {
                h->number = i;
                c->table[i].base = h->base;
                ASSUME(c->table[i].tag >> 9 == i);
            }
            ASSUME(h->kind == ARENA_OVERSIZED_ || h->cap == CAP);
        }
    }
    if (c->current == ARENA_NONE_) {
        c->cur = c->end = c->base = NULL;
        c->tag = 1;
    } else {
        size_t at = nondet_size();
        ASSUME(c->current < c->opened && at <= c->chunks[c->current].cap && at % s->size == 0);
        ASSUME(c->chunks[c->current].kind == ARENA_UNIFORM_);
        c->base = c->chunks[c->current].base;
        c->cur = c->base + at;
        c->end = c->base + c->chunks[c->current].cap;
        c->tag = c->table[c->current].tag;
    }
    ASSUME(arena_valid_(c));
}

/* Whether n bytes at p lie in what an opened chunk holds. */
static bool held_by(const arena_core_t *c, const char *p, size_t n)
{
    uint32_t i;
    for (i = 0; i < CHUNKS + 1; i++) {
        if (i < c->opened && SAME_OBJECT(p, c->chunks[i].base)) {
            size_t at = (size_t)(p - c->chunks[i].base);
            size_t tip = (size_t)(arena_tip_(c, i) - c->chunks[i].base);
            return at <= tip && n <= tip - at;
        }
    }
    return false;
}

#endif
