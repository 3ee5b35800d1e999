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
#define ARENA_OFTEN_(x) (x)
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
#ifdef PROOF_ARENA
#include PROOF_ARENA /* arena.h, of which some functions are replaced */
#else
#include "../../arena.h"
#endif

/* The bounds: the number of chunks held when the call is made, and the bytes of one. */
#ifndef TOTAL
#define TOTAL 1
#endif
#define CHUNKS (TOTAL + 1)
#if defined(LANE) && !defined(NUMBERS)
#define NUMBERS 3 /* chunk numbers of a group */
#endif
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

static arena_chunk_t_ chunk_table[SLOTS];
static arena_entry_t_ entry_table[SLOTS];
#ifdef LANE
#define TABLE_BYTES (SLOTS * sizeof(arena_chunk_t_))
#else
#define TABLE_BYTES (SLOTS * (sizeof(arena_chunk_t_) + sizeof(arena_entry_t_)))
#endif

#ifdef WAITING
/*
 * What stands at the beginning of a block that waits: kept here, and a stamp in the block. Pointers
 * that the checker finds among bytes could lead anywhere; and whoever writes over the beginning of
 * a block while it waits is found by the stamp, which is in any one of the bytes.
 */
static struct head { char *p; arena_block_t_ b; } head[WAITING + 3];
static unsigned heads, waited;         /* so many are kept, and were when the call was made */
static size_t waited_bytes, stamp;

static void put_head(char *p, const arena_block_t_ *b)
{
    PROVE(heads < WAITING + 3 && WRITABLE(p, sizeof *b));
    head[heads].p = p;
    head[heads].b = *b;
    p[stamp] = (char)++heads;
}

static void get_head(arena_block_t_ *b, const char *p)
{
    unsigned k = heads;
    while (k != 0 && head[k - 1].p != p) k--;
    PROVE(k != 0 && p[stamp] == (char)k);
    if (k != 0) *b = head[k - 1].b;
}
#endif

static void *proof_memset(void *dst, int value, size_t n)
{
    size_t i;
    if (value == 0 && n == sizeof(arena_chunk_t_)) {
        static const arena_chunk_t_ none;
        *(arena_chunk_t_ *)dst = none;
    } else if (value == 0 && n == sizeof(arena_mark_t)) {
        static const arena_mark_t none;
        *(arena_mark_t *)dst = none;
    } else if (value == 0 && n == sizeof(arena_pool_core_t)) {
        static const arena_pool_core_t none;
        *(arena_pool_core_t *)dst = none;
    } else if (value == 0 && n == sizeof(arena_scope_t)) {
        static const arena_scope_t none;
        *(arena_scope_t *)dst = none;
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

/* ONE_BYTE: of a copy and a fill of no fixed size the checker wants all bytes to be there, and does
 * the one that is asked about, which is any. */
#ifdef ONE_BYTE
static size_t asked;
#endif

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
#ifdef ONE_BYTE
    (void)i;
    PROVE(WRITABLE(dst, n));
    if (asked < n) ((char *)dst)[asked] = (char)value;
#else
    PROVE(n <= PIECE);
    for (i = 0; i < n; i++) ((char *)dst)[i] = (char)value;
#endif
    return dst;
}

static void *proof_memmove(void *dst, const void *src, size_t n)
{
    size_t i;
    if (n == sizeof(arena_block_t_)) {
#ifdef WAITING
        if (SAME_OBJECT(dst, chunk_table[0].base))
            put_head((char *)dst, (const arena_block_t_ *)src);
        else
            get_head((arena_block_t_ *)dst, (const char *)src);
        return dst;
#endif
        *(arena_block_t_ *)dst = *(const arena_block_t_ *)src;
    } else if (n <= PIECE) {
        return proof_copy(dst, src, n);
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
#ifdef ONE_BYTE
    PROVE(READABLE(src, n) && WRITABLE(dst, n));
    if (asked < n) ((char *)dst)[asked] = ((const char *)src)[asked];
    return dst;
#else
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
#endif
}

static size_t allocs, frees, refused;

#ifdef LANE
/* What lanes share; its table, too, as two objects. */
static arena_group_t group;
static arena_entry_t_ group_table[NUMBERS];
static uint32_t group_bits[(NUMBERS + 31) / 32];
#endif

/* An object of exactly n bytes. Objects of a constant size are much easier on the checker. */
static void *object_of(size_t n)
{
#ifdef ONE_CAP
    if (n == CAP) return malloc(CAP);
    if (n == CAP + 1) return malloc(CAP + 1);
#else
    size_t k;
    for (k = 1; k <= LARGEST; k++)
        if (n == k) return malloc(k);
#endif
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
#ifdef LANE
    arena_group_t group;
    uint32_t bits;
#endif
};

static struct before remember(const arena_core_t *c)
{
    struct before b;
    uint32_t i;
    b.core = *c;
#ifdef LANE
    b.group = group;
    b.bits = group_bits[0];
#endif
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
#ifdef LANE
    if (group.allocated != b->group.allocated || group.free_numbers != b->group.free_numbers ||
        group_bits[0] != b->bits)
        return false;
#endif
    for (i = 0; i < ARENA_TAILS_; i++)
        if (i < c->tails && c->tail[i] != o->tail[i]) return false;
    for (i = 0; i < CHUNKS; i++)
        if (i < c->total &&
            (c->chunks[i].base != b->chunks[i].base || c->chunks[i].cap != b->chunks[i].cap ||
             (i < c->opened && c->chunks[i].used != b->chunks[i].used)))
            return false;
    return true;
}

/* Storage of an opened chunk: at least 1 byte, below the tip. */
static char *some_storage(const arena_core_t *c, size_t *bytes)
{
    uint32_t i = nondet_u32();
    size_t at = nondet_size(), n = nondet_size(), tip;
    ASSUME(i < c->opened);
    tip = (size_t)(arena_tip_(c, i) - c->chunks[i].base);
    ASSUME(at <= tip && n >= 1 && n <= tip - at);
    *bytes = n;
    return c->chunks[i].base + at;
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

#ifdef WAITING
static bool apart(const char *p, size_t n, const char *q, size_t m)
{
    return !SAME_OBJECT(p, q) || p + n <= q || q + m <= p;
}

/* Storage that waits to be used again: up to WAITING blocks, in two lists of any order. That blocks
 * do not overlap is_valid does not judge. The one that began to wait last may be gone by now. */
static void some_wait(arena_core_t *c)
{
    size_t sum = 0;
    unsigned k, i;
    stamp = nondet_size();
    ASSUME(stamp < sizeof(arena_block_t_));
    for (k = 0; k < WAITING; k++) {
        arena_block_t_ b = {NULL, 0};
        char *p;
        if (nondet_bool()) continue;
        p = some_storage(c, &b.bytes);
        ASSUME(b.bytes >= sizeof b && arena_class_(b.bytes) < 2);
        for (i = 0; i < heads; i++) ASSUME(apart(p, b.bytes, head[i].p, head[i].b.bytes));
        i = arena_class_(b.bytes) != 0;
        b.next = c->reuse[i];
        put_head(p, &b);
        c->reuse[i] = p;
        sum += b.bytes;
    }
    c->waiting = (c->reuse[0] != NULL ? 1u : 0) | (c->reuse[1] != NULL ? 2u : 0);
    waited = heads;
    waited_bytes = sum;
    ASSUME(sum <= c->padding && c->last_class < 2);
    if (nondet_bool()) c->last_block = chunk_table[0].base + nondet_unsigned() % CAP;
}

/* Whether n bytes at p are no part of what waited when the call was made. */
static bool apart_from_waiting(const char *p, size_t n)
{
    unsigned k;
    for (k = 0; k < waited; k++)
        if (!apart(p, n, head[k].p, head[k].b.bytes)) return false;
    return true;
}

/*
 * I9, by a check of its own, since the library's goes through all classes: the two lists hold up to
 * WAITING + 1 blocks of their sizes below the tip, no more than padding; besides, none overlaps
 * another one or the n bytes at p. How many bytes they are.
 */
static size_t waiting_now(const arena_core_t *c, const char *p, size_t n)
{
    struct head now[WAITING + 1];
    size_t sum = 0;
    unsigned k, i, found = 0;
    for (k = 0; k < 2; k++) {
        char *q = c->reuse[k];
        PROVE((c->waiting >> k & 1) == (q != NULL ? 1u : 0));
        for (; q != NULL; q = now[found++].b.next) {
            PROVE(found <= WAITING);
            now[found].p = q;
            get_head(&now[found].b, q);
            PROVE(now[found].b.bytes >= sizeof(arena_block_t_));
            PROVE(arena_class_(now[found].b.bytes) == k && held_by(c, q, now[found].b.bytes));
            PROVE(p == NULL || apart(p, n, q, now[found].b.bytes));
            for (i = 0; i < found; i++)
                PROVE(apart(now[i].p, now[i].b.bytes, q, now[found].b.bytes));
            sum += now[found].b.bytes;
        }
    }
    PROVE(c->waiting < 4 && sum <= c->padding);
    return sum;
}

/* I1 to I8. */
static bool valid_but_for_waiting(const arena_core_t *c)
{
    arena_core_t d = *c;
    proof_memset(d.reuse, 0, sizeof d.reuse);
    d.waiting = 0;
    return arena_valid_(&d);
}
#else /* Nothing waits. */
static const size_t waited_bytes = 0;
#define apart_from_waiting(p, n) ((void)(p), (void)(n), true)
#define waiting_now(c, p, n) ((void)(c), (void)(p), (void)(n), (size_t)0)
#define valid_but_for_waiting arena_valid_
#endif

#ifdef LANE
static uint32_t count_of(const uint32_t *bits)
{
    uint32_t n = 0, i;
    for (i = 0; i < NUMBERS; i++) n += bits[i / 32] >> i % 32 & 1;
    return n;
}

/* A group, the lane's part not yet in it: entries are closed, or of chunks of other lanes. */
static void some_group(arena_core_t *c, const arena_shape_t_ *s)
{
    uint32_t i;
    c->numbers = group.numbers = NUMBERS;
    c->table = group.table = group_table;
    group.free_bits = group_bits;
    group.options.limit_bytes = nondet_size();
    group.allocated = nondet_size();
    ASSUME(c->allocated <= group.allocated);
    ASSUME(group.options.limit_bytes == 0 || group.allocated <= group.options.limit_bytes);
    for (i = 0; i < (NUMBERS + 31) / 32; i++) group_bits[i] = nondet_u32();
    group_bits[NUMBERS / 32] &= (UINT32_C(1) << NUMBERS % 32) - 1;
    group.free_numbers = count_of(group_bits);
    for (i = 0; i < NUMBERS; i++) {
        struct record r = nondet_record();
        group_table[i] = r.entry;
        group_table[i].base = NULL;
        if ((r.entry.tag & 1) != 0) continue;
        group_table[i].base = (char *)malloc(CAP);
        ASSUME(r.entry.tag >> 9 == i && r.entry.held <= CAP / s->size);
        ASSUME(group_table[i].base != NULL && (group_bits[i / 32] >> i % 32 & 1) == 0);
    }
}

/* Chunk i of the lane has a number of its own; its entry is closed while it is idle. */
static bool some_number(arena_core_t *c, uint32_t i)
{
    const arena_chunk_t_ *h = &c->chunks[i];
    uint32_t k;
    if (h->number >= NUMBERS || (group_bits[h->number / 32] >> h->number % 32 & 1) != 0)
        return false;
    for (k = 0; k < i; k++)
        if (c->chunks[k].number == h->number) return false;
    group_table[h->number].base = h->base;
    if ((group_table[h->number].tag & 1) != (i < c->opened ? 0u : 1u)) return false;
    if (i == c->current && group_table[h->number].held != h->cap / c->size) return false;
    return group_table[h->number].tag >> 9 == h->number;
}

/* As many permits as bits, and no number of this lane among them. */
static bool group_adds_up(const arena_core_t *c)
{
    uint32_t i;
    for (i = 0; i < CHUNKS; i++) {
        const uint32_t n = i < c->total ? c->chunks[i].number : ARENA_NONE_;
        if (n != ARENA_NONE_ && (n >= NUMBERS || (group_bits[n / 32] >> n % 32 & 1) != 0))
            return false;
    }
    return group.free_numbers == count_of(group_bits);
}
#else
#define group_adds_up(c) ((void)(c), true)
#endif

/* What was taken is within the limit, which is the group's in a lane. */
static bool within_limit(const struct before *b, const arena_core_t *c)
{
#ifdef LANE
    const size_t limit = group.options.limit_bytes;
    return group.allocated - b->group.allocated == c->allocated - b->core.allocated &&
           (limit == 0 || group.allocated <= limit);
#else
    const size_t limit = c->options.limit_bytes;
    return limit == 0 || c->allocated == b->core.allocated || c->allocated <= limit;
#endif
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
#ifdef LANE
    c->group = &group;
#endif
    c->hooks.alloc = proof_alloc;
    c->hooks.free = proof_free;
    c->hooks.ctx = chunk_table;
    c->options.on_error = NULL;
    c->options.buffer = NULL;
    c->options.hooks = NULL;
    c->options.chunk_bytes = CAP;
#ifdef FIXED
    c->options.fixed = true; /* The only chunk is a buffer, in use or not yet. */
    c->tails = 0;
    c->oversized = c->oversizes = 0;
    if (c->current != ARENA_NONE_) c->current = 0;
#else
    if (TOTAL != 0) c->options.fixed = false; /* Else the only chunk would be a buffer. */
#endif
    c->size = s->size;
    c->align = s->align;
    c->spare = s->spare;
    ASSUME(c->id != 0);
    /* Storage that waits has 16 bytes at least, which chunks of a few bytes do not hold. */
    proof_memset(c->reuse, 0, sizeof c->reuse);
    c->waiting = 0;
    c->last_block = NULL;
    ASSUME(c->last_class < ARENA_CLASSES_);
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
#ifdef LANE
    some_group(c, s);
#endif
    ASSUME(c->forgotten <= c->marks);
    for (i = 0; i < ARENA_DEAD_; i++) ASSUME(c->dead[i][1] <= c->marks);
    for (i = 0; i < c->total; i++) {
        {
            arena_chunk_t_ *h = &c->chunks[i];
            ASSUME(h->cap >= 1 && h->cap <= CAP && h->cap % s->size == 0);
#ifdef FIXED
            h->kind = ARENA_USER_;
#else
            ASSUME(h->kind == ARENA_UNIFORM_ || h->kind == ARENA_OVERSIZED_);
#endif
            ASSUME(h->align == 16);
            ASSUME(h->used <= h->cap && h->used % s->size == 0);
#ifdef ONE_CAP
            ASSUME(h->cap == CAP);
#endif
            h->base = (char *)object_of(h->cap + s->spare);
            ASSUME(h->base != NULL);
            if (s->spare != 0) h->base[h->cap] = 0;
#ifdef LANE
            ASSUME(h->number == ARENA_NONE_ || some_number(c, i));
#else
            if (i < c->opened) {
                h->number = i;
                c->table[i].base = h->base;
                ASSUME(c->table[i].tag >> 9 == i);
            }
#endif
            ASSUME(h->kind != ARENA_UNIFORM_ || h->cap == CAP);
        }
    }
    if (c->current == ARENA_NONE_) {
        c->cur = c->end = c->base = NULL;
        c->tag = 1;
    } else {
        size_t at = nondet_size();
        ASSUME(c->current < c->opened && at <= c->chunks[c->current].cap && at % s->size == 0);
        ASSUME(c->chunks[c->current].kind != ARENA_OVERSIZED_);
        c->base = c->chunks[c->current].base;
        c->cur = c->base + at;
        c->end = c->base + c->chunks[c->current].cap;
#ifdef LANE
        c->tag = 1;
        if (c->chunks[c->current].number == ARENA_NONE_) c->end = c->cur;
        else c->tag = arena_entry_(c, c->current)->tag;
#else
        c->tag = c->table[c->current].tag;
#endif
    }
    ASSUME(arena_valid_(c));
#ifdef WAITING
    some_wait(c);
#endif
}

#endif
