/*
 * The model of an arena: random operations on an arena of arena.h, compared after every step with a
 * naive account that remembers every value. It covers the byte arena (strings, objects, slices of
 * bytes and of ints) and typed arenas of several sizes and alignments; user buffers, fixed ones,
 * limits, failing hooks, on_error that returns and that jumps; marks, nested, stale and foreign;
 * Refs, live, dead, foreign and forged.
 *
 * What has to hold after every step: every live value has its bytes, at its address, inside a chunk
 * of the arena; every live Ref resolves to it; slices and blocks have their contents, also those
 * that a rewind gives back; size, retained, allocated, peak and the numbers of chunks are what the
 * account says; is_valid. What has to hold of a call that fails: a documented cause, the documented
 * status, on_error called once, nothing else changed.
 *
 *     model [--seed=N] [--steps=N] [--length=N] [--check=N] [--program=HEX] [--no-fork] [FILE ...]
 */
#ifndef MODEL_FUZZ
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS, which -std=c99 hides. */
#define ARENA_IMPLEMENTATION
#endif
#include "../arena.h"
#include "model.h"

#if defined __GNUC__
#define ALIGNED(n) __attribute__((aligned(n)))
#else
#define ALIGNED(n)
#endif

struct odd_elem {
    unsigned char b[3];
};
struct rec_elem {
    uint32_t w[5];
};
struct wide_elem {
    unsigned char b[64];
} ALIGNED(64);
struct big_elem {
    unsigned char b[300];
};

ARENA_DEFINE(odd, struct odd_elem);
ARENA_DEFINE(word, uint64_t);
ARENA_DEFINE(rec, struct rec_elem);
ARENA_DEFINE(wide, struct wide_elem);
ARENA_DEFINE(big, struct big_elem);
ARENA_SLICE_DEFINE(ints, int);

/* ---- one shape for all families -------------------------------------------------------------- */

union any_arena {
    arena_t arena;
    odd_t odd;
    word_t word;
    rec_t rec;
    wide_t wide;
    big_t big;
};
struct any_ref {
    uint32_t chunk, off, len;
};
struct any_view {
    const unsigned char *data;
    size_t len;
};
struct any_slice {
    void *data;
    size_t len, cap;
};

struct slice_calls {
    size_t size, align;
    bool (*push)(union any_arena *a, struct any_slice *s, const void *value);
    bool (*extend)(union any_arena *a, struct any_slice *s, const void *src, size_t count);
    struct any_slice (*slice)(union any_arena *a, size_t len, size_t cap);
    void (*shrink)(union any_arena *a, struct any_slice *s);
};

struct family {
    const char *name;
    struct slice_calls slices;
    arena_status_t (*init)(union any_arena *a, const arena_options_t *o);
    const void *(*append)(union any_arena *a, const void *src, size_t count);
    struct any_ref (*ref)(union any_arena *a, const void *src, size_t count);
    void *(*reserve)(union any_arena *a, size_t count);
    void *(*reserve_ref)(union any_arena *a, size_t count, struct any_ref *r);
    struct any_view (*value)(const union any_arena *a, struct any_ref r);
    struct any_view (*value_unchecked)(const union any_arena *a, struct any_ref r);
    bool (*ref_empty)(struct any_ref r);
    void (*reset)(union any_arena *a);
    void (*release)(union any_arena *a);
    void (*trim)(union any_arena *a, size_t keep_bytes);
    arena_mark_t (*mark)(union any_arena *a);
    bool (*rewind)(union any_arena *a, arena_mark_t m);
    size_t (*size)(const union any_arena *a);
    size_t (*retained)(const union any_arena *a);
    size_t (*chunk_count)(const union any_arena *a);
    struct any_view (*chunk)(const union any_arena *a, size_t i);
    arena_stats_t (*stats)(const union any_arena *a);
    arena_status_t (*status)(const union any_arena *a);
    void (*clear_status)(union any_arena *a);
    void (*set_limit)(union any_arena *a, size_t limit_bytes);
    bool (*is_valid)(const union any_arena *a);
};

/* The slice functions of one name, in the arena that the member `in` holds. */
#define SLICES(f, in)                                                                  \
    static f##_slice_t f##_to(const struct any_slice *s)                               \
    {                                                                                  \
        f##_slice_t t;                                                                 \
        memcpy(&t.data, &s->data, sizeof t.data);                                      \
        t.len = s->len;                                                                \
        t.cap = s->cap;                                                                \
        return t;                                                                      \
    }                                                                                  \
    static struct any_slice f##_from(f##_slice_t t)                                    \
    {                                                                                  \
        struct any_slice s;                                                            \
        s.data = t.data;                                                               \
        s.len = t.len;                                                                 \
        s.cap = t.cap;                                                                 \
        return s;                                                                      \
    }                                                                                  \
    static bool f##_m_push(union any_arena *a, struct any_slice *s, const void *value) \
    {                                                                                  \
        f##_slice_t t = f##_to(s);                                                     \
        f##_elem_t v;                                                                  \
        bool done;                                                                     \
        memcpy(&v, value, sizeof v);                                                   \
        done = f##_push(&a->in, &t, v);                                                \
        *s = f##_from(t);                                                              \
        return done;                                                                   \
    }                                                                                  \
    static bool f##_m_extend(union any_arena *a, struct any_slice *s, const void *src, \
                             size_t count)                                             \
    {                                                                                  \
        f##_slice_t t = f##_to(s);                                                     \
        bool done = f##_extend(&a->in, &t, (const f##_elem_t *)src, count);            \
        *s = f##_from(t);                                                              \
        return done;                                                                   \
    }                                                                                  \
    static struct any_slice f##_m_slice(union any_arena *a, size_t len, size_t cap)    \
    {                                                                                  \
        return f##_from(f##_slice(&a->in, len, cap));                                  \
    }                                                                                  \
    static void f##_m_shrink(union any_arena *a, struct any_slice *s)                  \
    {                                                                                  \
        f##_slice_t t = f##_to(s);                                                     \
        f##_shrink(&a->in, &t);                                                        \
        *s = f##_from(t);                                                              \
    }                                                                                  \
    struct f##_align {                                                                 \
        char c;                                                                        \
        f##_elem_t e;                                                                  \
    }

#define SLICE_CALLS(f)                                                                            \
    {                                                                                             \
        sizeof(f##_elem_t), offsetof(struct f##_align, e), f##_m_push, f##_m_extend, f##_m_slice, \
            f##_m_shrink                                                                          \
    }

#define FAMILY(f)                                                                                  \
    SLICES(f, f);                                                                                  \
    static f##_ref_t f##_ref_to(struct any_ref r)                                                  \
    {                                                                                              \
        f##_ref_t t;                                                                               \
        t.chunk = r.chunk;                                                                         \
        t.off = r.off;                                                                             \
        t.len = r.len;                                                                             \
        return t;                                                                                  \
    }                                                                                              \
    static struct any_ref f##_ref_from(f##_ref_t t)                                                \
    {                                                                                              \
        struct any_ref r;                                                                          \
        r.chunk = t.chunk;                                                                         \
        r.off = t.off;                                                                             \
        r.len = t.len;                                                                             \
        return r;                                                                                  \
    }                                                                                              \
    static struct any_view f##_view_from(f##_view_t t)                                             \
    {                                                                                              \
        struct any_view v;                                                                         \
        v.data = (const unsigned char *)(const void *)t.data;                                      \
        v.len = t.len;                                                                             \
        return v;                                                                                  \
    }                                                                                              \
    static arena_status_t f##_m_init(union any_arena *a, const arena_options_t *o)                 \
    {                                                                                              \
        return f##_init(&a->f, o);                                                                 \
    }                                                                                              \
    static const void *f##_m_append(union any_arena *a, const void *src, size_t count)             \
    {                                                                                              \
        return f##_append(&a->f, (const f##_elem_t *)src, count);                                  \
    }                                                                                              \
    static struct any_ref f##_m_ref(union any_arena *a, const void *src, size_t count)             \
    {                                                                                              \
        return f##_ref_from(f##_ref(&a->f, (const f##_elem_t *)src, count));                       \
    }                                                                                              \
    static void *f##_m_reserve(union any_arena *a, size_t count)                                   \
    {                                                                                              \
        return f##_reserve(&a->f, count);                                                          \
    }                                                                                              \
    static void *f##_m_reserve_ref(union any_arena *a, size_t count, struct any_ref *r)            \
    {                                                                                              \
        f##_ref_t t = f##_ref_to(*r);                                                              \
        void *p = f##_reserve_ref(&a->f, count, &t);                                               \
        *r = f##_ref_from(t);                                                                      \
        return p;                                                                                  \
    }                                                                                              \
    static struct any_view f##_m_value(const union any_arena *a, struct any_ref r)                 \
    {                                                                                              \
        return f##_view_from(f##_value(&a->f, f##_ref_to(r)));                                     \
    }                                                                                              \
    static struct any_view f##_m_value_unchecked(const union any_arena *a, struct any_ref r)       \
    {                                                                                              \
        return f##_view_from(f##_value_unchecked(&a->f, f##_ref_to(r)));                           \
    }                                                                                              \
    static bool f##_m_ref_empty(struct any_ref r) { return f##_ref_empty(f##_ref_to(r)); }         \
    static void f##_m_reset(union any_arena *a) { f##_reset(&a->f); }                              \
    static void f##_m_release(union any_arena *a) { f##_release(&a->f); }                          \
    static void f##_m_trim(union any_arena *a, size_t keep_bytes) { f##_trim(&a->f, keep_bytes); } \
    static arena_mark_t f##_m_mark(union any_arena *a) { return f##_mark(&a->f); }                 \
    static bool f##_m_rewind(union any_arena *a, arena_mark_t m) { return f##_rewind(&a->f, m); }  \
    static size_t f##_m_size(const union any_arena *a) { return f##_size(&a->f); }                 \
    static size_t f##_m_retained(const union any_arena *a) { return f##_retained(&a->f); }         \
    static size_t f##_m_chunk_count(const union any_arena *a) { return f##_chunk_count(&a->f); }   \
    static struct any_view f##_m_chunk(const union any_arena *a, size_t i)                         \
    {                                                                                              \
        return f##_view_from(f##_chunk(&a->f, i));                                                 \
    }                                                                                              \
    static arena_stats_t f##_m_stats(const union any_arena *a) { return f##_stats(&a->f); }        \
    static arena_status_t f##_m_status(const union any_arena *a) { return f##_status(&a->f); }     \
    static void f##_m_clear_status(union any_arena *a) { f##_clear_status(&a->f); }                \
    static void f##_m_set_limit(union any_arena *a, size_t limit_bytes)                            \
    {                                                                                              \
        f##_set_limit(&a->f, limit_bytes);                                                         \
    }                                                                                              \
    static bool f##_m_is_valid(const union any_arena *a) { return f##_is_valid(&a->f); }           \
    static const struct family f##_family = {#f,                                                   \
                                             SLICE_CALLS(f),                                       \
                                             f##_m_init,                                           \
                                             f##_m_append,                                         \
                                             f##_m_ref,                                            \
                                             f##_m_reserve,                                        \
                                             f##_m_reserve_ref,                                    \
                                             f##_m_value,                                          \
                                             f##_m_value_unchecked,                                \
                                             f##_m_ref_empty,                                      \
                                             f##_m_reset,                                          \
                                             f##_m_release,                                        \
                                             f##_m_trim,                                           \
                                             f##_m_mark,                                           \
                                             f##_m_rewind,                                         \
                                             f##_m_size,                                           \
                                             f##_m_retained,                                       \
                                             f##_m_chunk_count,                                    \
                                             f##_m_chunk,                                          \
                                             f##_m_stats,                                          \
                                             f##_m_status,                                         \
                                             f##_m_clear_status,                                   \
                                             f##_m_set_limit,                                      \
                                             f##_m_is_valid}

FAMILY(arena);
FAMILY(odd);
FAMILY(word);
FAMILY(rec);
FAMILY(wide);
FAMILY(big);
SLICES(ints, arena);
static const struct slice_calls ints_calls = SLICE_CALLS(ints);

/* ---- the account ----------------------------------------------------------------------------- */

enum {
    VALUES = 96,
    MARKS = 8,
    SLOTS = 6,         /* Slices, and as many blocks of arena_alloc, that are kept at one time. */
    SLICE_ROOM = 2048, /* Bytes that one slice may come to hold. */
    COPIES = 1 << 17,
    LONGEST = 3 * 65536 + 64, /* Bytes of the longest value. */
    DEAD = 32,
    LOG = 256,
    BUFFER = 4096,
    EDGE = 64
};

/* Where values take their bytes from: anything, and text without a NUL. */
static unsigned char data_bytes[LONGEST + 65536 + 64] ALIGNED(64);
static char text_bytes[LONGEST + 65536 + 64] ALIGNED(64);

struct value {
    const unsigned char *p, *expect;
    size_t bytes;
    struct any_ref ref;
    bool has_ref, nul;
};

struct slot {
    struct any_slice s;
    unsigned char *expect; /* In copies, SLICE_ROOM bytes. NULL: no slice. */
    bool ints;
};

struct held {
    unsigned char *p; /* NULL: no block. */
    const unsigned char *expect;
    size_t bytes, align;
};

/* All that a rewind gives back. */
struct account {
    size_t values, copies, size;
    struct slot slots[SLOTS];
    struct held held[SLOTS];
};

struct fence {
    arena_mark_t mark;
    struct account then;
    arena_stats_t stats;
};

struct dead {
    struct any_ref ref;
    bool rewound; /* It died by a rewind, after which a later store may take its place. */
};

/* One call, with all that it takes and gives. */
enum kind {
    K_APPEND,
    K_REF,
    K_RESERVE,
    K_RESERVE_REF,
    K_INTERN,
    K_INTERN_N,
    K_STRREF,
    K_STRREF_N,
    K_STR,
    K_PRINTF,
    K_STRJOIN,
    K_ALLOC,
    K_ALLOC_ZEROED,
    K_REALLOC,
    K_SLICE,
    K_PUSH,
    K_EXTEND,
    K_SHRINK,
    K_EXTENDF,
    K_ALLOCF
};
struct call {
    enum kind kind;
    size_t n, m, align;
    const void *src;
    void *p;
    struct any_ref ref;
    struct any_slice slice;
    const struct slice_calls *slices;
    const char *parts[4];
    const char *sep;
    bool null_parts;
    arena_status_t
        expect; /* The failure that must come; ARENA_OK: none, or one that the memory causes. */
    size_t expect_bytes; /* What on_error must be told; SIZE_MAX: not checked. */
    const void *out;
    struct any_ref out_ref;
    bool failed;
};

struct logged {
    enum kind kind;
    size_t n, align, source;
};

static struct {
    union any_arena a, other;
    const struct family *f;
    struct memory memory, other_memory;
    arena_hooks_t hooks, other_hooks;
    size_t cap_bytes; /* Of one uniform chunk. */
    size_t limit;
    unsigned keep;
    bool fixed, jumps, has_buffer;
    bool calm; /* Only stores, so that batches can be repeated. */
    size_t buffer_bytes;
    unsigned char *buffer;
    size_t buffer_cap;

    struct account now;
    struct value values[VALUES];
    struct fence fences[MARKS];
    size_t marks;
    arena_mark_t stale[MARKS];
    bool stale_rewound[MARKS];
    size_t stales;
    struct dead dead[DEAD];
    size_t deads;
    struct any_ref other_ref;
    arena_mark_t other_mark;

    arena_status_t status;
    size_t peak;
    size_t most_open;      /* The most uniform chunks that were open at one time in this batch; */
    size_t most_before[8]; /* and in the batches before it, the newest first. */

    struct logged log[LOG];
    size_t logged;
    bool pure; /* The batch so far is what the log says, and can be repeated. */

    unsigned errors; /* Calls of on_error since the call began. */
    arena_status_t error;
    size_t error_bytes;
    jmp_buf jump;
    bool armed;
} m;

static unsigned char copies[COPIES] ALIGNED(64);
static unsigned char buffer_bytes[EDGE + BUFFER + EDGE] ALIGNED(64);

static void on_error(void *ctx, arena_status_t status, size_t bytes)
{
    MUST(ctx == &m);
    MUST(status != ARENA_OK);
    MUST(m.f->status(&m.a) != ARENA_OK);
    m.errors++;
    m.error = status;
    m.error_bytes = bytes;
    if (m.jumps && m.armed) {
        longjmp(m.jump, 1);
    }
}

static bool same_bytes(const void *p, const void *q, size_t n)
{
    return n == 0 || memcmp(p, q, n) == 0;
}

/* Whether n bytes at p lie in what one chunk of the arena holds. */
static bool inside(const void *p, size_t n)
{
    size_t i, count = m.f->chunk_count(&m.a);
    uintptr_t at = (uintptr_t)p;
    for (i = 0; i < count; i++) {
        struct any_view v = m.f->chunk(&m.a, i);
        uintptr_t base = (uintptr_t)v.data;
        size_t bytes = v.len * m.f->slices.size;
        if (at >= base && at - base <= bytes && n <= bytes - (size_t)(at - base)) {
            return true;
        }
    }
    return false;
}

static bool same_stats(const arena_stats_t *s, const arena_stats_t *t)
{
    return s->size == t->size && s->used == t->used && s->retained == t->retained &&
           s->allocated == t->allocated && s->stranded == t->stranded && s->padding == t->padding &&
           s->peak == t->peak && s->chunks == t->chunks && s->oversized == t->oversized;
}

static void check_dead(struct any_ref r, bool counted)
{
    struct any_view v = m.f->value(&m.a, r);
    if (counted) {
        model.dead_asked++;
        model.dead_answered += v.len != 0 ? 1u : 0u;
    }
    MUST(v.len == 0 ? v.data == NULL : inside(v.data, v.len * m.f->slices.size));
}

static void check_values(void)
{
    size_t i, size = m.f->slices.size;
    for (i = 0; i < m.now.values; i++) {
        const struct value *v = &m.values[i];
        MUST(same_bytes(v->p, v->expect, v->bytes));
        MUST(!v->nul || v->p[v->bytes] == 0);
        if (v->has_ref) {
            struct any_view w = m.f->value(&m.a, v->ref);
            MUST(w.data == v->p && w.len * size == v->bytes);
            w = m.f->value_unchecked(&m.a, v->ref);
            MUST(w.data == v->p && w.len * size == v->bytes);
        }
    }
    for (i = 0; i < SLOTS; i++) {
        const struct slot *s = &m.now.slots[i];
        const struct held *h = &m.now.held[i];
        if (s->expect != NULL) {
            size_t each = s->ints ? sizeof(int) : size;
            MUST(same_bytes(s->s.data, s->expect, s->s.len * each));
        }
        if (h->p != NULL) {
            MUST(memcmp(h->p, h->expect, h->bytes) == 0);
        }
    }
}

static void check_step(void)
{
    arena_stats_t s = m.f->stats(&m.a);
    size_t i, views = 0;
    size_t each = m.f->slices.size;
    MUST(m.f->is_valid(&m.a));
    MUST(s.size == m.now.size);
    MUST(m.f->size(&m.a) == s.size);
    MUST(m.f->retained(&m.a) == s.retained);
    MUST(m.f->chunk_count(&m.a) == s.chunks);
    MUST(s.allocated == m.memory.live_bytes);
    MUST(s.used == s.size + s.padding + s.stranded);
    MUST(s.oversized <= s.chunks);
    m.peak = s.retained > m.peak ? s.retained : m.peak;
    MUST(s.peak == m.peak);
    if (s.chunks - s.oversized > m.most_open) {
        m.most_open = s.chunks - s.oversized;
    }
    for (i = 0; i < s.chunks; i++) {
        views += m.f->chunk(&m.a, i).len * each;
    }
    MUST(m.f->chunk(&m.a, s.chunks).len == 0);
    MUST(views == s.size + s.padding);
    MUST(m.f->status(&m.a) == m.status);
    if (m.deads > 0) {
        const struct dead *d = &m.dead[model.step % m.deads];
        check_dead(d->ref, !d->rewound);
    }
    if (model.step % model.check_every == 0) {
        check_values();
    }
}

static void add_value(const void *p, const void *expect, size_t bytes, const struct any_ref *ref,
                      bool nul)
{
    struct value *v = &m.values[m.now.values++];
    MUST(inside(p, bytes));
    v->p = (const unsigned char *)p;
    v->expect = (const unsigned char *)expect;
    v->bytes = bytes;
    v->has_ref = ref != NULL;
    v->nul = nul;
    if (ref != NULL) {
        v->ref = *ref;
    }
}

static void add_dead(struct any_ref r, bool rewound)
{
    struct dead *d = &m.dead[m.deads < DEAD ? m.deads++ : (model.step * 7u + r.off) % DEAD];
    d->ref = r;
    d->rewound = rewound;
}

/* The Refs of the values from number `from` on are dead from now on. */
static void bury(size_t from, bool rewound)
{
    size_t i;
    for (i = from; i < m.now.values; i++) {
        if (m.values[i].has_ref && (i - from < 4 || i % 8 == 0)) {
            add_dead(m.values[i].ref, rewound);
        }
    }
}

static void add_stale(arena_mark_t mark, bool rewound)
{
    size_t i = m.stales < MARKS ? m.stales++ : model.step % MARKS;
    m.stale[i] = mark;
    m.stale_rewound[i] = rewound;
}

/* ---- calls ----------------------------------------------------------------------------------- */

#if defined __GNUC__
__attribute__((format(printf, 2, 0)))
#endif
static const char *
call_vprintf(arena_t *a, const char *fmt, ...)
{
    va_list args;
    const char *s;
    va_start(args, fmt);
    s = arena_vprintf(a, fmt, args);
    va_end(args);
    return s;
}

static void do_call(struct call *c)
{
    union any_arena *a = &m.a;
    arena_ref_t r;
    switch (c->kind) {
    case K_APPEND:
        c->out = m.f->append(a, c->src, c->n);
        break;
    case K_REF:
        c->out_ref = m.f->ref(a, c->src, c->n);
        break;
    case K_RESERVE:
        c->out = m.f->reserve(a, c->n);
        break;
    case K_RESERVE_REF:
        c->out = m.f->reserve_ref(a, c->n, &c->out_ref);
        break;
    case K_INTERN:
        c->out = arena_intern(&a->arena, (const char *)c->src);
        break;
    case K_INTERN_N:
        c->out = arena_intern_n(&a->arena, c->src, c->n);
        break;
    case K_STRREF:
        r = arena_strref(&a->arena, (const char *)c->src);
        c->out_ref = arena_ref_from(r);
        break;
    case K_STRREF_N:
        r = arena_strref_n(&a->arena, c->src, c->n);
        c->out_ref = arena_ref_from(r);
        break;
    case K_STR:
        c->out = arena_str(&a->arena, arena_ref_to(c->ref));
        break;
    case K_PRINTF:
        c->out = (c->m & 1) != 0 ? arena_printf(&a->arena, "%.*s", (int)c->n, (const char *)c->src)
                                 : call_vprintf(&a->arena, "%.*s", (int)c->n, (const char *)c->src);
        break;
    case K_STRJOIN:
        c->out = arena_strjoin(&a->arena, c->sep, c->null_parts ? NULL : c->parts, c->n);
        break;
    case K_ALLOC:
        c->out = arena_alloc(&a->arena, c->n, c->align);
        break;
    case K_ALLOC_ZEROED:
        c->out = arena_alloc_zeroed(&a->arena, c->n, c->align);
        break;
    case K_REALLOC:
        c->out = arena_realloc(&a->arena, c->p, c->m, c->n, c->align);
        break;
    case K_ALLOCF:
        c->out = arena_allocf(&a->arena, c->p, c->m, c->n);
        break;
    case K_SLICE:
        c->slice = c->slices->slice(a, c->n, c->m);
        c->out = c->slice.data;
        break;
    case K_PUSH:
        c->failed = !c->slices->push(a, &c->slice, c->src);
        break;
    case K_EXTEND:
        c->failed = !c->slices->extend(a, &c->slice, c->src, c->n);
        break;
    case K_SHRINK:
        c->slices->shrink(a, &c->slice);
        break;
    case K_EXTENDF: {
        arena_slice_t t = arena_to(&c->slice);
        c->failed = !arena_extendf(&a->arena, &t, "%.*s", (int)c->n, (const char *)c->src);
        c->slice = arena_from(t);
    } break;
    }
}

/* Whether a call of its kind gives a pointer, and NULL when it fails. */
static bool gives_pointer(enum kind k)
{
    return !(k == K_REF || k == K_STRREF || k == K_STRREF_N || k == K_STR || k == K_PUSH ||
             k == K_EXTEND || k == K_SHRINK || k == K_EXTENDF);
}

/*
 * Makes the call and checks how it failed, if it did. Returns whether it succeeded. With nothing
 * asked for (n is 0) NULL and the absent Ref are no failure.
 */
static bool run_call(struct call *c, bool nothing)
{
    arena_stats_t before = m.f->stats(&m.a), after;
    struct any_slice slice = c->slice;
    bool jumped = false;
    memset(&c->out_ref, 0, sizeof c->out_ref);
    c->out = NULL;
    c->failed = false;
    m.errors = 0;
    m.memory.refused = false;
    if (m.jumps) {
        m.armed = true;
        if (setjmp(m.jump) == 0) {
            do_call(c);
        } else {
            jumped = true;
        }
        m.armed = false;
    } else {
        do_call(c);
    }
    if (jumped) {
        c->failed = true;
    } else if (!nothing) {
        if (gives_pointer(c->kind)) {
            c->failed = c->out == NULL;
        } else if (c->kind == K_REF || c->kind == K_STRREF || c->kind == K_STRREF_N) {
            c->failed = m.f->ref_empty(c->out_ref);
        } else if (c->kind == K_STR) {
            c->failed = m.errors > 0;
        }
    }
    if (!c->failed) {
        MUST(m.errors == 0);
        MUST(c->expect == ARENA_OK);
        return true;
    }
    /* What failed has a documented cause, says so once, and changes nothing. */
    model.failures++;
    MUST(m.errors == 1);
    if (c->expect != ARENA_OK) {
        MUST(m.error == c->expect);
    } else if (m.memory.refused) {
        MUST(m.error == ARENA_NO_MEMORY);
    } else if (m.error == ARENA_REF_RANGE) {
        /* Only a Ref is refused for want of chunk numbers; 2^23 of them are tried elsewhere. */
        MUST(c->kind == K_REF || c->kind == K_RESERVE_REF || c->kind == K_STRREF ||
             c->kind == K_STRREF_N);
        /* A buffer takes the first number even where the value does not fit it. */
        MUST(m.f->chunk_count(&m.a) + (m.buffer_cap != 0 ? 1u : 0u) >= ARENA_REF_CHUNKS);
    } else {
        MUST(m.fixed || m.limit != 0);
        MUST(m.error == ARENA_LIMIT);
    }
    MUST(c->expect_bytes == SIZE_MAX || m.error_bytes == c->expect_bytes);
    m.status = m.status == ARENA_OK ? m.error : m.status;
    after = m.f->stats(&m.a);
    MUST(same_stats(&before, &after));
    if (!jumped) {
        MUST(c->kind != K_STR || strcmp((const char *)c->out, "") == 0);
        MUST(!gives_pointer(c->kind) || c->out == NULL);
        MUST(c->out_ref.chunk == 0 && c->out_ref.off == 0 && c->out_ref.len == 0);
        if (c->kind == K_PUSH || c->kind == K_EXTEND || c->kind == K_EXTENDF) {
            MUST(c->slice.data == slice.data && c->slice.len == slice.len &&
                 c->slice.cap == slice.cap);
        }
    }
    c->slice = slice;
    return false;
}

/* A refusal by the limit is right only if the limit would have been passed, the table of chunks at
 * its largest included. */
static void check_limit(const struct call *c, size_t bytes)
{
    if (c->failed && c->expect == ARENA_OK && m.error == ARENA_LIMIT && !m.fixed &&
        bytes < LONGEST) {
        size_t chunk = bytes > m.cap_bytes ? bytes : m.cap_bytes;
        size_t room = chunk + 1 + 4096 + 128 * (m.memory.live_blocks + 8);
        MUST(m.memory.live_bytes + room > m.limit);
    }
}

static void call_init(struct call *c, enum kind kind)
{
    memset(c, 0, sizeof *c);
    c->kind = kind;
    c->expect = ARENA_OK;
    c->expect_bytes = SIZE_MAX;
    c->align = 1;
}

/* The number of elements that a record asks for: mostly few, often just about a chunk. */
static size_t length_of(unsigned x)
{
    size_t cap = m.cap_bytes / m.f->slices.size, n, most = LONGEST / m.f->slices.size;
    unsigned y = x >> 4;
    switch (x & 15) {
    case 0:
        n = y % 3;
        break;
    case 9:
        n = y % 100;
        break;
    case 10:
        n = cap / 8 + y % 5;
        break;
    case 11:
        n = cap - 1;
        break;
    case 12:
        n = cap;
        break;
    case 13:
        n = cap + 1;
        break;
    case 14:
        n = cap / (1 + y % 4);
        break;
    case 15:
        n = y % 8 == 0 ? y % (3 * cap + 1) : y % 64;
        break;
    default:
        n = y % 24;
        break;
    }
    return n > most ? most : n;
}

static void store(enum kind kind, size_t n, size_t align, size_t source, bool replayed);

/* Stores and checks one value: everything that gives a pointer or a Ref and takes no earlier one.
 */
static void store(enum kind kind, size_t n, size_t align, size_t source, bool replayed)
{
    struct call c;
    size_t each = m.f->slices.size, bytes = n * each;
    bool text = kind == K_INTERN || kind == K_STRREF || kind == K_PRINTF;
    bool nul = text || kind == K_INTERN_N || kind == K_STRREF_N;
    bool refs = kind == K_REF || kind == K_RESERVE_REF || kind == K_STRREF || kind == K_STRREF_N;
    unsigned char was = 0;
    call_init(&c, kind);
    c.n = n;
    c.align = align;
    c.m = source / 64;
    c.src = text ? (const void *)(text_bytes + source) : (const void *)(data_bytes + source);
    if (text) {
        was = (unsigned char)text_bytes[source + n];
        text_bytes[source + n] = 0;
    }
    c.expect_bytes = kind == K_PRINTF ? SIZE_MAX : bytes;
    if (!run_call(&c, n == 0)) {
        m.pure = false;
    }
    if (text) {
        text_bytes[source + n] = (char)was;
    }
    check_limit(&c, bytes + align);
    if (c.failed) {
        return;
    }
    if (m.pure && !replayed) {
        if (m.logged < LOG) {
            struct logged *l = &m.log[m.logged++];
            l->kind = kind;
            l->n = n;
            l->align = align;
            l->source = source;
        } else {
            m.pure = false;
        }
    }
    if (n == 0) {
        if (kind == K_INTERN || kind == K_INTERN_N || kind == K_PRINTF) {
            MUST(c.out != NULL && strcmp((const char *)c.out, "") == 0);
        } else {
            MUST(c.out == NULL);
            MUST(m.f->ref_empty(c.out_ref));
        }
        return;
    }
    m.now.size += bytes;
    if (refs) {
        struct any_view v = m.f->value(&m.a, c.out_ref);
        MUST(v.len == n);
        MUST(kind != K_RESERVE_REF || v.data == c.out);
        c.out = v.data;
    }
    MUST(((size_t)(uintptr_t)c.out & (align - 1)) == 0);
    MUST(((size_t)(uintptr_t)c.out & (m.f->slices.align - 1)) == 0);
    if (kind == K_ALLOC_ZEROED) {
        const unsigned char *p = (const unsigned char *)c.out;
        size_t i;
        for (i = 0; i < n; i++) {
            MUST(p[i] == 0);
        }
    }
    if (kind == K_RESERVE || kind == K_RESERVE_REF || kind == K_ALLOC || kind == K_ALLOC_ZEROED) {
        struct any_view v;
        void *p;
        v.data = (const unsigned char *)c.out;
        memcpy(&p, &v.data, sizeof p);
        memcpy(p, c.src, bytes);
    }
    add_value(c.out, c.src, bytes, refs ? &c.out_ref : NULL, nul);
}

/* A value that is stored from the bytes of another one. */
static void store_copy(const struct value *from, unsigned x, unsigned y)
{
    struct call c;
    size_t each = m.f->slices.size, count = from->bytes / each, skip, n;
    skip = x % count;
    n = 1 + y % (count - skip);
    call_init(&c, (x & 0x8000) != 0 ? K_REF : K_APPEND);
    c.n = n;
    c.src = from->p + skip * each;
    c.expect_bytes = n * each;
    m.pure = false;
    if (!run_call(&c, false)) {
        check_limit(&c, n * each);
        return;
    }
    m.now.size += n * each;
    if (c.kind == K_REF) {
        c.out = m.f->value(&m.a, c.out_ref).data;
    }
    add_value(c.out, from->expect + skip * each, n * each, c.kind == K_REF ? &c.out_ref : NULL,
              false);
}

/* ---- a batch that ends ----------------------------------------------------------------------- */

static void forget(bool rewound)
{
    size_t i;
    bury(0, rewound);
    for (i = 0; i < m.marks; i++) {
        add_stale(m.fences[i].mark, false);
    }
    memset(&m.now, 0, sizeof m.now);
    m.marks = 0;
    /* A mark that a rewind killed is one of an ended batch now. */
    for (i = 0; i < m.stales; i++) {
        m.stale_rewound[i] = false;
    }
    m.logged = 0;
    m.pure = true;
}

static void do_reset(void)
{
    arena_stats_t before = m.f->stats(&m.a), after;
    size_t frees = m.memory.frees, allocs = m.memory.allocs, i, most, held, freed, user;
    check_values();
    memory_check_all(&m.memory);
    m.f->reset(&m.a);
    after = m.f->stats(&m.a);
    MUST(after.size == 0 && after.padding == 0 && after.stranded == 0 && after.used == 0);
    MUST(after.chunks == 0 && after.oversized == 0);
    MUST(m.memory.allocs == allocs);
    freed = m.memory.frees - frees;
    MUST(freed >= before.oversized);
    freed -= before.oversized;
    /* Uniform chunks are kept, but for one that the last keep_batches batches did not use. */
    most = m.most_open;
    for (i = 0; i + 1 < m.keep; i++) {
        most = m.most_before[i] > most ? m.most_before[i] : most;
    }
    held = (after.retained - m.buffer_cap) / m.cap_bytes + freed;
    user = m.buffer_cap != 0 ? 1 : 0;
#if ARENA_DEBUG < 3 /* There every chunk is given back, so that no address is used again. */
    MUST(freed == (m.keep > 0 && held > 0 && held + user > most ? 1u : 0u));
#else
    (void)held;
    (void)user;
#endif
    for (i = sizeof m.most_before / sizeof m.most_before[0] - 1; i > 0; i--) {
        m.most_before[i] = m.most_before[i - 1];
    }
    m.most_before[0] = m.most_open;
    m.most_open = 0;
    m.status = ARENA_OK;
    forget(false);
}

/* Resets, and stores the same again: no allocator call but one for each oversized value. */
static void do_replay(void)
{
    struct logged log[LOG];
    size_t i, n = m.logged, allocs, oversized = m.f->stats(&m.a).oversized;
    bool pure = m.pure && m.keep == 0 && ARENA_DEBUG < 3;
    size_t fail = m.memory.fail_in;
    memcpy(log, m.log, sizeof log);
    do_reset();
    if (!pure) {
        return;
    }
    m.memory.fail_in = 0;
    allocs = m.memory.allocs;
    for (i = 0; i < n; i++) {
        store(log[i].kind, log[i].n, log[i].align, log[i].source, false);
    }
    MUST(m.pure);
    MUST(m.memory.allocs - allocs == oversized);
    MUST(m.f->stats(&m.a).oversized == oversized);
    m.memory.fail_in = fail;
    model.replays++;
}

static void do_rewind(size_t i)
{
    const struct fence *f = &m.fences[i];
    size_t allocs = m.memory.allocs, k;
    arena_stats_t s;
    bool done = m.f->rewind(&m.a, f->mark);
    MUST(done);
    MUST(m.memory.allocs == allocs);
    bury(f->then.values, true);
    for (k = i + 1; k < m.marks; k++) {
        add_stale(m.fences[k].mark, true);
    }
    m.marks = i + 1;
    m.now = f->then;
    m.pure = false;
    s = m.f->stats(&m.a);
    MUST(s.size == f->stats.size && s.padding == f->stats.padding &&
         s.stranded == f->stats.stranded);
    MUST(s.used == f->stats.used && s.chunks == f->stats.chunks &&
         s.oversized == f->stats.oversized);
    check_values();
}

/* A mark that must not be taken. Returns false if it was, which is right only for one that was
 * rewound past. */
static bool do_bad_rewind(arena_mark_t mark, bool may, bool forged)
{
    arena_stats_t before = m.f->stats(&m.a), after;
    bool done, jumped = false;
    m.errors = 0;
    if (m.jumps) {
        m.armed = true;
        if (setjmp(m.jump) == 0) {
            done = m.f->rewind(&m.a, mark);
        } else {
            done = false;
            jumped = true;
        }
        m.armed = false;
    } else {
        done = m.f->rewind(&m.a, mark);
    }
    if (done) {
        MUST(may || forged);
        MUST(forged || m.f->is_valid(&m.a));
        return false;
    }
    MUST(jumped || m.errors == 1);
    MUST(m.error == ARENA_STALE);
    m.status = m.status == ARENA_OK ? ARENA_STALE : m.status;
    after = m.f->stats(&m.a);
    MUST(same_stats(&before, &after));
    check_values();
    return true;
}

/* ---- operations ------------------------------------------------------------------------------ */

enum op {
    O_STORE,
    O_COPY,
    O_STR,
    O_STRJOIN,
    O_REALLOC,
    O_SLICE,
    O_PUSH,
    O_EXTEND,
    O_SELF,
    O_SHRINK,
    O_EXTENDF,
    O_MARK,
    O_REWIND,
    O_BAD_REWIND,
    O_RESET,
    O_REPLAY,
    O_RELEASE,
    O_TRIM,
    O_FORGE,
    O_FAIL,
    O_HUGE,
    O_NULL,
    O_CLEAR,
    O_LIMIT
};
/* How often each comes, of 256. */
static const unsigned char weights[] = {86, 10, 10, 4, 16, 8, 30, 12, 8, 6, 6, 10,
                                        8,  4,  3,  3, 1,  3, 10, 4,  4, 4, 4, 2};

static enum op op_of(unsigned byte)
{
    unsigned i, sum = 0;
    for (i = 0; i < sizeof weights; i++) {
        sum += weights[i];
        if (byte < sum) {
            return (enum op)i;
        }
    }
    return O_STORE;
}

static const char *const kind_names[] = {
    "append",   "ref",  "reserve", "reserve_ref", "intern",  "intern_n",     "strref",
    "strref_n", "str",  "printf",  "strjoin",     "alloc",   "alloc_zeroed", "realloc",
    "slice",    "push", "extend",  "shrink",      "extendf", "allocf"};

static void op_store(const struct record *r)
{
    static const unsigned char byte_kinds[] = {K_APPEND, K_REF,      K_RESERVE,      K_RESERVE_REF,
                                               K_INTERN, K_INTERN_N, K_STRREF,       K_STRREF_N,
                                               K_PRINTF, K_ALLOC,    K_ALLOC_ZEROED, K_APPEND,
                                               K_REF,    K_ALLOC,    K_STRREF,       K_INTERN};
    bool bytes = m.f == &arena_family;
    enum kind kind =
        bytes ? (enum kind)byte_kinds[r->obj % 16] : (enum kind)(K_APPEND + r->obj % 4);
    size_t n = length_of(r->x), align = 1, source = (size_t)(r->y % 1024u) * 64u;
    if (kind == K_ALLOC || kind == K_ALLOC_ZEROED) {
        align = (size_t)1 << (r->z % 64 == 0 ? (r->z >> 6) % 13 : r->z % 7);
    }
    if (kind == K_ALLOC || kind == K_ALLOC_ZEROED) {
        say("arena_%s(&a, %lu, %lu);", kind_names[kind], (unsigned long)n, (unsigned long)align);
    } else {
        say("%s_%s(&a, ... %lu elements);", m.f->name, kind_names[kind], (unsigned long)n);
    }
    store(kind, n, align, source, false);
}

static const struct value *some_value(unsigned x)
{
    return m.now.values == 0 ? NULL : &m.values[x % m.now.values];
}

static void op_str(const struct record *r)
{
    const struct value *v = some_value(r->x);
    struct call c;
    if (v == NULL || !v->has_ref || m.f != &arena_family) {
        struct any_ref none = {0, 0, 0};
        if (m.f == &arena_family) {
            say("arena_str(&a, absent);");
            call_init(&c, K_STR);
            c.ref = none;
            MUST(run_call(&c, true) && strcmp((const char *)c.out, "") == 0);
        }
        return;
    }
    say("arena_str(&a, ref of value %u, %lu bytes);", (unsigned)(r->x % m.now.values),
        (unsigned long)v->bytes);
    call_init(&c, K_STR);
    c.ref = v->ref;
    m.pure = false;
    if (!run_call(&c, false)) {
        check_limit(&c, v->bytes);
        return;
    }
    MUST(((const char *)c.out)[v->bytes] == 0);
    if ((const unsigned char *)c.out == v->p) {
        /* Terminated where it is. The NUL may be newer than the value, so this is a value of its
         * own. */
        MUST(!v->nul || (v->ref.chunk & 1) != 0 || true);
        add_value(c.out, v->expect, v->bytes, NULL, true);
    } else {
        MUST(!v->nul);
        m.now.size += v->bytes;
        add_value(c.out, v->expect, v->bytes, NULL, true);
    }
}

static unsigned char *take_copy(size_t bytes)
{
    unsigned char *p = copies + m.now.copies;
    m.now.copies += (bytes + 63) / 64 * 64;
    return p;
}

static void op_strjoin(const struct record *r)
{
    struct call c;
    char *expect;
    size_t i, length = 0, sep = r->y % 3;
    char *src;
    if (m.f != &arena_family) {
        return;
    }
    call_init(&c, K_STRJOIN);
    c.n = r->x % 5;
    c.sep = sep == 0 ? "" : sep == 1 ? "," : "<->";
    expect = (char *)take_copy(4 * 200 + 16);
    src = (char *)take_copy(4 * 201);
    for (i = 0; i < c.n; i++) {
        /* Every other part comes from the arena itself, if there is a string in it. */
        const struct value *v = some_value(r->z + (unsigned)i);
        size_t n;
        if (v != NULL && v->nul && v->bytes < 200 && strlen((const char *)v->p) == v->bytes &&
            i % 2 == 0) {
            c.parts[i] = (const char *)v->p;
        } else {
            n = (r->z >> i) % 200;
            memcpy(src, text_bytes + r->y % 4096, n);
            src[n] = 0;
            c.parts[i] = src;
            src += n + 1;
        }
        if (i > 0) {
            memcpy(expect + length, c.sep, strlen(c.sep));
            length += strlen(c.sep);
        }
        n = strlen(c.parts[i]);
        memcpy(expect + length, c.parts[i], n);
        length += n;
    }
    c.expect_bytes = length;
    say("arena_strjoin(&a, \"%s\", %lu parts); %lu bytes", c.sep, (unsigned long)c.n,
        (unsigned long)length);
    m.pure = false;
    if (!run_call(&c, false)) {
        check_limit(&c, length);
        return;
    }
    MUST(strlen((const char *)c.out) == length);
    if (length > 0) {
        m.now.size += length;
        add_value(c.out, expect, length, NULL, true);
    }
}

/*
 * Storage that died counts as padding, but for what lies further back than the last 64 chunks,
 * which goes on counting in size.
 */
static void count_dead(size_t dead)
{
    size_t size = m.f->size(&m.a);
    if (m.f->chunk_count(&m.a) > 64 && size != m.now.size) {
        MUST(size == m.now.size + dead);
        m.now.size = size;
    }
}

static void op_realloc(const struct record *r)
{
    struct held *h = &m.now.held[r->obj % SLOTS];
    struct call c;
    size_t old = h->p == NULL ? 0 : h->bytes, n = length_of(r->x), align = (size_t)1 << r->y % 7,
           kept, i;
    bool lua = r->y % 16 == 9;
    if (m.f != &arena_family) {
        return;
    }
    if (lua) {
        align = ARENA_MAX_ALIGN_;
    }
    call_init(&c, lua ? K_ALLOCF : K_REALLOC);
    c.p = h->p;
    c.m = old;
    c.n = n;
    c.align = align;
    m.pure = false;
    say("block %u = arena_%s(&a, block %u, %lu, %lu, %lu);", r->obj % SLOTS, kind_names[c.kind],
        r->obj % SLOTS, (unsigned long)old, (unsigned long)n, (unsigned long)align);
    if (!run_call(&c, n == 0)) {
        check_limit(&c, n + align);
        return;
    }
    m.now.size = m.now.size - old + n;
    count_dead((const unsigned char *)c.out == h->p && n != 0 ? old - n : old);
    if (n == 0) {
        MUST(c.out == NULL);
        h->p = NULL;
        h->bytes = 0;
        return;
    }
    MUST(((size_t)(uintptr_t)c.out & (align - 1)) == 0);
    MUST(inside(c.out, n));
    if (h->p == NULL) {
        h->expect = data_bytes + r->z % 1024u * 64u;
    }
    kept = old < n ? old : n;
    memcpy(&h->p, &c.out, sizeof h->p);
    MUST(same_bytes(h->p, h->expect, kept));
    for (i = kept; i < n; i++) {
        h->p[i] = h->expect[i];
    }
    h->bytes = n;
    h->align = align;
}

static const struct slice_calls *calls_of(const struct slot *s)
{
    return s->ints ? &ints_calls : &m.f->slices;
}

static void check_slice(const struct slot *s)
{
    const struct slice_calls *k = calls_of(s);
    MUST(s->s.len <= s->s.cap);
    MUST(s->s.cap == 0 || inside(s->s.data, s->s.cap * k->size));
    MUST(((size_t)(uintptr_t)s->s.data & (k->align - 1)) == 0);
    MUST(same_bytes(s->s.data, s->expect, s->s.len * k->size));
}

static void op_slice(const struct record *r)
{
    struct slot *s = &m.now.slots[r->obj % SLOTS], t;
    struct call c;
    size_t len, cap;
    memset(&t, 0, sizeof t);
    t.ints = m.f == &arena_family && (r->obj & 0x80) != 0;
    call_init(&c, K_SLICE);
    c.slices = calls_of(&t);
    len = r->x % 16 % (SLICE_ROOM / c.slices->size);
    cap = r->y % 4 == 0 ? 0 : r->y / 4 % 24;
    c.n = len;
    c.m = cap;
    say("slice %u = %s_slice(&a, %lu, %lu);", r->obj % SLOTS, t.ints ? "ints" : m.f->name,
        (unsigned long)len, (unsigned long)cap);
    m.pure = false;
    if (len > cap) {
        cap = len;
    }
    if (r->z % 4 == 0) {
        /* An empty one needs no call: {0} is a slice. */
        len = 0;
        cap = 0;
    } else if (!run_call(&c, cap == 0)) {
        check_limit(&c, cap * c.slices->size);
        return;
    }
    t.expect = take_copy(SLICE_ROOM);
    memset(t.expect, 0, SLICE_ROOM);
    t.s = c.slice;
    MUST(t.s.len == len && t.s.cap == cap);
    m.now.size += cap * c.slices->size;
    check_slice(&t);
    *s = t;
}

/* A slice after a call: its capacity is counted, and it lies where it may. */
static void took_slice(struct slot *s, const struct any_slice *now)
{
    size_t each = calls_of(s)->size;
    m.now.size = m.now.size - s->s.cap * each + now->cap * each;
    count_dead(s->s.cap * each);
    s->s = *now;
    check_slice(s);
}

static void op_push(const struct record *r, enum op op)
{
    struct slot *s = &m.now.slots[r->obj % SLOTS];
    const struct slice_calls *k;
    struct call c;
    size_t n = 1, room, from;
    if (s->expect == NULL) {
        op_slice(r);
        return;
    }
    k = calls_of(s);
    room = SLICE_ROOM / k->size - s->s.len;
    m.pure = false;
    call_init(&c, op == O_PUSH      ? K_PUSH
                  : op == O_SHRINK  ? K_SHRINK
                  : op == O_EXTENDF ? K_EXTENDF
                                    : K_EXTEND);
    c.slices = k;
    c.slice = s->s;
    if (op == O_SHRINK) {
        say("shrink(&a, &slice %u);", r->obj % SLOTS);
        MUST(run_call(&c, true));
        MUST(c.slice.data == s->s.data || c.slice.cap == 0);
        MUST(c.slice.len == s->s.len && c.slice.cap <= s->s.cap);
        took_slice(s, &c.slice);
        return;
    }
    if (op == O_SELF) {
        if (s->s.len == 0) {
            return;
        }
        from = r->y % s->s.len;
        n = 1 + r->x % (s->s.len - from);
        c.src = (const unsigned char *)s->s.data + from * k->size;
    } else if (op == O_EXTENDF) {
        if (m.f != &arena_family || s->ints) {
            return;
        }
        n = r->x % 60;
        c.src = text_bytes + r->y % 4096;
        if (r->z % 4 == 0 && s->s.len > 0) {
            /* The slice itself as the argument. */
            from = r->y % s->s.len;
            n = r->x % (s->s.len - from + 1);
            c.src = (const unsigned char *)s->s.data + from;
            if (n > 0 && memchr(c.src, 0, n) != NULL) {
                return;
            }
        }
    } else {
        n = op == O_PUSH ? 1 : r->x % 24;
        c.src = data_bytes + r->y % 1024u * 64u;
    }
    if (n > room) {
        return;
    }
    c.n = n;
    say("%s(&a, &slice %u (len %lu, cap %lu), %lu%s);", kind_names[c.kind], r->obj % SLOTS,
        (unsigned long)s->s.len, (unsigned long)s->s.cap, (unsigned long)n,
        op == O_SELF ? ", of itself" : "");
    {
        unsigned char *expect = s->expect + s->s.len * k->size;
        memmove(expect,
                op == O_SELF
                    ? s->expect + ((const unsigned char *)c.src - (unsigned char *)s->s.data)
                    : (const unsigned char *)c.src,
                n * k->size);
    }
    if (!run_call(&c, n == 0)) {
        check_limit(&c, 3 * (s->s.len + n) * k->size + 64 * k->size + k->align);
        return;
    }
    MUST(c.slice.len == s->s.len + n);
    took_slice(s, &c.slice);
}

static void op_mark(void)
{
    struct fence *f;
    if (m.marks == MARKS) {
        return;
    }
    say("mark %lu = %s_mark(&a);", (unsigned long)m.marks, m.f->name);
    f = &m.fences[m.marks++];
    f->mark = m.f->mark(&m.a);
    f->then = m.now;
    f->stats = m.f->stats(&m.a);
    m.pure = false;
}

static void do_release(void)
{
    m.f->release(&m.a);
    MUST(m.memory.live_blocks == 0);
    MUST(m.f->retained(&m.a) <= m.buffer_cap);
    m.most_open = 0;
    memset(m.most_before, 0, sizeof m.most_before);
    forget(false);
}

static void op_bad_rewind(const struct record *r)
{
    arena_mark_t mark = m.other_mark;
    bool may = false;
    unsigned what = r->obj % 8;
    bool forged = what == 7 && m.marks > 0;
    if (forged) {
        /* A living mark with one byte changed: refused, or taken without harm to memory. */
        unsigned char bytes[sizeof mark];
        mark = m.fences[r->x % m.marks].mark;
        memcpy(bytes, &mark, sizeof mark);
        bytes[r->y % sizeof mark] ^= (unsigned char)(1u << r->z % 8u);
        memcpy(&mark, bytes, sizeof mark);
        say("%s_rewind(&a, mark %lu with byte %lu changed);", m.f->name,
            (unsigned long)(r->x % m.marks), (unsigned long)(r->y % sizeof mark));
    } else if (what < 6 && m.stales > 0) {
        size_t i = r->x % m.stales;
        mark = m.stale[i];
        may = m.stale_rewound[i];
        say("%s_rewind(&a, a %s mark);", m.f->name, may ? "rewound" : "stale");
    } else {
        say("%s_rewind(&a, a foreign mark);", m.f->name);
    }
    m.pure = false;
    if (!do_bad_rewind(mark, may, forged)) {
        if (forged) {
            do_release();
            return;
        }
        /* What came back is not what the account knows, but it is an arena: start again. */
        m.now.size = m.f->size(&m.a);
        m.now.values = 0;
        memset(m.now.slots, 0, sizeof m.now.slots);
        memset(m.now.held, 0, sizeof m.now.held);
        do_reset();
    }
}

/* What a forged Ref names may have died, which AddressSanitizer rightly reports when it is read. */
static bool is_poisoned(const void *p, size_t n)
{
#ifdef ARENA_ASAN_
    union {
        const void *in;
        void *out;
    } u;
    u.in = p;
    return n != 0 && __asan_region_is_poisoned(u.out, n) != NULL;
#else
    (void)p;
    (void)n;
    return false;
#endif
}

static void op_forge(const struct record *r)
{
    struct any_ref f;
    const struct value *v = some_value(r->z);
    size_t each = m.f->slices.size;
    struct any_view w;
    if (v != NULL && v->has_ref && r->obj % 8 != 0) {
        f = v->ref;
        switch (r->obj / 8 % 8) {
        case 0:
            f.chunk ^= 1u << r->x % 32;
            break;
        case 1:
            f.off += r->x % 64;
            break;
        case 2:
            f.len += r->x % 64;
            break;
        case 3:
            f.len = (uint32_t)0 - f.off + r->x % 3;
            break;
        case 4:
            f.off = (uint32_t)0 - f.len + r->x % 3;
            break;
        case 5:
            f.chunk ^= 1u;
            break;
        case 6:
            f.chunk += (r->x % 16u) << 9;
            break;
        default:
            f.off -= r->x % 64;
            f.len += r->y % 64;
            break;
        }
    } else {
        f.chunk = r->x | (uint32_t)r->obj << 16;
        f.off = r->y % 512;
        f.len = r->z;
    }
    say("%s_value(&a, {0x%x, %lu, %lu});", m.f->name, (unsigned)f.chunk, (unsigned long)f.off,
        (unsigned long)f.len);
    check_dead(f, false);
    w = m.f->value(&m.a, f);
    if (m.f == &arena_family && (r->obj & 0x80) != 0 && w.len < 2048 &&
        !is_poisoned(w.data, w.len)) {
        /* A C string is made of it all the same, inside of what the arena holds. */
        struct call c;
        unsigned char expect[2048];
        if (w.len > 0) {
            memcpy(expect, w.data, w.len * each);
        }
        say("arena_str(&a, {0x%x, %lu, %lu});", (unsigned)f.chunk, (unsigned long)f.off,
            (unsigned long)f.len);
        call_init(&c, K_STR);
        c.ref = f;
        m.pure = false;
        if (run_call(&c, false)) {
            size_t size = m.f->size(&m.a);
            MUST(same_bytes(c.out, expect, w.len));
            MUST(((const char *)c.out)[w.len] == 0);
            MUST(w.len == 0 || inside(c.out, w.len));
            MUST(size == m.now.size || size == m.now.size + w.len);
            m.now.size = size;
        } else {
            check_limit(&c, w.len);
        }
    }
}

/* Sizes that no memory has. */
static void op_huge(const struct record *r)
{
    struct call c;
    size_t each = m.f->slices.size, n;
    size_t least = PTRDIFF_MAX / each + 1;
    bool bytes = m.f == &arena_family;
    switch (r->x % 6) {
    case 0:
        n = SIZE_MAX;
        break;
    case 1:
        n = SIZE_MAX / each;
        break;
    case 2:
        n = SIZE_MAX / each + (each > 1 ? 1 : 0);
        break;
    case 3:
        n = least;
        break;
    case 4:
        n = SIZE_MAX - r->y;
        break;
    default:
        n = least + r->y;
        break;
    }
    n = n < least ? least : n;
    switch (r->obj % (bytes ? 8u : 4u)) {
    case 0:
        call_init(&c, K_APPEND);
        break;
    case 1:
        call_init(&c, K_REF);
        break;
    case 2:
        call_init(&c, K_RESERVE);
        break;
    case 3:
        call_init(&c, K_RESERVE_REF);
        break;
    case 4:
        call_init(&c, K_INTERN_N);
        break;
    case 5:
        call_init(&c, K_STRREF_N);
        break;
    case 6:
        call_init(&c, K_ALLOC);
        break;
    default:
        call_init(&c, K_ALLOC_ZEROED);
        break;
    }
    c.n = n;
    c.src = data_bytes;
    c.align = (size_t)1 << r->y % 13;
    c.expect = ARENA_TOO_LARGE;
    c.expect_bytes = n <= SIZE_MAX / each ? n * each : 0;
    say("%s_%s(&a, ... %lu elements, alignment %lu);", m.f->name, kind_names[c.kind],
        (unsigned long)n, (unsigned long)c.align);
    MUST(!run_call(&c, false));
}

/* Arguments that are refused, whatever the memory. */
static void op_null(const struct record *r)
{
    struct call c;
    static const char *const part = "x";
    bool bytes = m.f == &arena_family;
    switch (r->obj % (bytes ? 11u : 3u)) {
    case 0:
        call_init(&c, K_APPEND);
        break;
    case 1:
        call_init(&c, K_REF);
        break;
    case 2: {
        struct slot *s = &m.now.slots[r->x % SLOTS];
        if (s->expect == NULL) {
            return;
        }
        call_init(&c, K_EXTEND);
        c.slices = calls_of(s);
        c.slice = s->s;
    } break;
    case 3:
        call_init(&c, K_INTERN);
        break;
    case 4:
        call_init(&c, K_INTERN_N);
        break;
    case 5:
        call_init(&c, K_STRREF);
        break;
    case 6:
        call_init(&c, K_STRREF_N);
        break;
    case 7:
        call_init(&c, K_ALLOC);
        c.align = r->x % 3 == 0 ? 0 : r->x % 3 == 1 ? 3 : 48;
        break;
    case 8:
        call_init(&c, K_STRJOIN);
        c.sep = NULL;
        c.parts[0] = part;
        c.parts[1] = part;
        c.parts[2] = part;
        c.parts[3] = part;
        break;
    case 9:
        call_init(&c, K_STRJOIN);
        c.sep = ",";
        c.null_parts = r->x % 2 == 0;
        c.parts[0] = part;
        break;
    default:
        call_init(&c, K_REALLOC);
        c.align = 12;
        break;
    }
    c.n = 1 + r->y % 64;
    if (c.kind == K_STRJOIN) {
        c.n = 2 + r->y % 3;
    }
    c.expect = ARENA_ARGUMENT;
    say("%s_%s(&a, an argument that is refused);", m.f->name, kind_names[c.kind]);
    MUST(!run_call(&c, false));
}

static void op_trim(const struct record *r)
{
    size_t keep = r->x % 4 == 0 ? 0 : r->x / 4 % (4 * m.cap_bytes), allocs = m.memory.allocs;
    arena_stats_t before = m.f->stats(&m.a), after;
    say("%s_trim(&a, %lu);", m.f->name, (unsigned long)keep);
    m.f->trim(&m.a, keep);
    after = m.f->stats(&m.a);
    MUST(m.memory.allocs == allocs);
    MUST(after.size == before.size && after.padding == before.padding &&
         after.chunks == before.chunks);
    MUST(after.retained <= before.retained);
    MUST(before.retained > keep || after.retained == before.retained);
    /* No more than had to go, and all that had to if there was enough idle. */
    MUST(after.retained == before.retained || after.retained + m.cap_bytes > keep);
    if (before.chunks == 0) {
        MUST(after.retained <= keep || after.retained == m.buffer_cap);
    }
    m.pure = false;
}

static void op_fail(const struct record *r)
{
    m.memory.fail_in = 1 + r->x % 4;
    m.memory.fail_on = r->y % 4 == 0;
    if (r->y % 4 == 1) {
        m.memory.fail_in = 0;
    }
    say("allocation %lu from now fails%s", (unsigned long)m.memory.fail_in,
        m.memory.fail_on ? ", and all later" : "");
}

static void setting(const struct record *r)
{
    static const struct family *const families[] = {&arena_family, &arena_family, &arena_family,
                                                    &odd_family,   &word_family,  &rec_family,
                                                    &wide_family,  &big_family};
    arena_options_t o;
    size_t budget, y = r->x >> 3, cap;
    memset(&m.now, 0, sizeof m.now);
    m.marks = m.stales = m.deads = 0;
    m.status = ARENA_OK;
    m.peak = m.most_open = 0;
    memset(m.most_before, 0, sizeof m.most_before);
    m.logged = 0;
    m.pure = true;
    memset(&m.a, 0, sizeof m.a);
    memset(&m.other, 0, sizeof m.other);
    m.f = families[r->op % 8];
    memset(&o, 0, sizeof o);
    switch (r->x & 7) {
    case 0:
        budget = 1 + y % 16;
        break;
    case 5:
        budget = 512;
        break;
    case 6:
        budget = 0;
        break;
    case 7:
        budget = 1000 + y % 4096;
        break;
    default:
        budget = 16 + y % 240;
        break;
    }
    o.chunk_bytes = budget;
    cap = (budget == 0 ? 65536u : budget) / m.f->slices.size;
    m.cap_bytes = (cap == 0 ? 1 : cap) * m.f->slices.size;
    m.limit = o.limit_bytes = r->y % 4 == 0 ? 1 + r->y / 4 % 8192u : 0;
    m.keep = o.keep_batches = (r->obj & 4) != 0 ? 1 + (r->obj >> 3) % 4u : 0;
    m.jumps = (r->obj & 2) != 0;
    m.calm = (r->op & 0x38) == 0;
    m.fixed = false;
    m.has_buffer = r->z % 4 == 0;
    m.buffer_bytes = 0;
    memset(buffer_bytes, 0xFD, sizeof buffer_bytes);
    if (m.has_buffer) {
        m.buffer = buffer_bytes + EDGE + r->z / 4 % 16;
        m.buffer_bytes = r->z / 64 % 8 == 0 ? (size_t)(r->obj >> 4) : r->z / 4 % (BUFFER - 16);
        o.buffer = m.buffer;
        o.buffer_bytes = m.buffer_bytes;
        m.fixed = o.fixed = (r->obj & 1) != 0;
    }
    m.memory.forbidden = m.fixed;
    m.memory.limit = m.limit;
    m.hooks.alloc = memory_alloc;
    m.hooks.free = memory_free;
    m.hooks.ctx = &m.memory;
    o.hooks = &m.hooks;
    o.on_error = on_error;
    o.on_error_ctx = &m;
    say("%s arena: chunk_bytes %lu, limit_bytes %lu, keep_batches %u, buffer_bytes %lu%s%s%s",
        m.f->name, (unsigned long)budget, (unsigned long)m.limit, m.keep,
        (unsigned long)m.buffer_bytes, m.has_buffer ? ", buffer" : "", m.fixed ? ", fixed" : "",
        m.jumps ? ", on_error jumps" : "");
    MUST(m.f->init(&m.a, &o) == ARENA_OK);
    MUST(m.memory.allocs == 0);
    m.buffer_cap = m.f->retained(&m.a);
    MUST(m.buffer_cap <= m.buffer_bytes);
    /* Another arena of the family, whose Refs and marks are foreign to the first. */
    memset(&o, 0, sizeof o);
    m.other_hooks.alloc = memory_alloc;
    m.other_hooks.free = memory_free;
    m.other_hooks.ctx = &m.other_memory;
    o.hooks = &m.other_hooks;
    o.chunk_bytes = 256;
    MUST(m.f->init(&m.other, &o) == ARENA_OK);
    m.other_ref = m.f->ref(&m.other, data_bytes, 2);
    m.other_mark = m.f->mark(&m.other);
    check_step();
}

static void step(const struct record *r)
{
    enum op op = op_of(r->op);
    const struct value *v;
    if (m.calm && op != O_RESET && op != O_FORGE) {
        op = r->op % 32 == 0 ? O_REPLAY : O_STORE;
    }
    /* Where the account is full the batch ends. */
    if (m.now.values + 2 >= VALUES || m.now.copies + 2 * SLICE_ROOM > COPIES) {
        op = r->obj % 4 == 0 || m.marks == 0 ? ((r->obj & 4) != 0 ? O_RESET : O_REPLAY) : O_REWIND;
        if (op == O_REPLAY && m.logged + 4 >= VALUES) {
            op = O_RESET;
        }
    }
    switch (op) {
    case O_STORE:
        op_store(r);
        break;
    case O_COPY:
        v = some_value(r->z);
        if (v != NULL) {
            say("%s_append(&a, a piece of value %u);", m.f->name, (unsigned)(r->z % m.now.values));
            store_copy(v, r->x, r->y);
        }
        break;
    case O_STR:
        op_str(r);
        break;
    case O_STRJOIN:
        op_strjoin(r);
        break;
    case O_REALLOC:
        op_realloc(r);
        break;
    case O_SLICE:
        op_slice(r);
        break;
    case O_PUSH:
    case O_EXTEND:
    case O_SELF:
    case O_SHRINK:
    case O_EXTENDF:
        op_push(r, op);
        break;
    case O_MARK:
        op_mark();
        break;
    case O_REWIND:
        if (m.marks > 0) {
            size_t i = r->x % m.marks;
            say("%s_rewind(&a, mark %lu);", m.f->name, (unsigned long)i);
            do_rewind(i);
        } else if (m.now.values + 2 >= VALUES) {
            do_reset();
        }
        break;
    case O_BAD_REWIND:
        op_bad_rewind(r);
        break;
    case O_RESET:
        say("%s_reset(&a);", m.f->name);
        do_reset();
        break;
    case O_REPLAY:
        say("%s_reset(&a); and the same batch again", m.f->name);
        do_replay();
        break;
    case O_RELEASE:
        say("%s_release(&a);", m.f->name);
        check_values();
        do_release();
        break;
    case O_TRIM:
        op_trim(r);
        break;
    case O_FORGE:
        op_forge(r);
        break;
    case O_FAIL:
        op_fail(r);
        break;
    case O_HUGE:
        op_huge(r);
        break;
    case O_NULL:
        op_null(r);
        break;
    case O_LIMIT:
        /* Also one below what is held: it refuses growth, and harms nothing. */
        m.limit = r->x % 4 == 0 ? 0 : 1 + r->y % 16384u;
        say("%s_set_limit(&a, %lu);", m.f->name, (unsigned long)m.limit);
        m.memory.limit = m.limit;
        m.f->set_limit(&m.a, m.limit);
        m.pure = false;
        break;
    case O_CLEAR:
        say("%s_clear_status(&a);", m.f->name);
        m.f->clear_status(&m.a);
        m.status = ARENA_OK;
        break;
    }
    check_step();
    check_dead(m.other_ref, true);
}

static void fill_sources(void)
{
    static bool filled;
    uint64_t state = 7;
    size_t i;
    if (filled) {
        return;
    }
    for (i = 0; i < sizeof data_bytes; i++) {
        uint64_t v = model_mix(&state);
        data_bytes[i] = (unsigned char)v;
        text_bytes[i] = (char)(1 + (v >> 8) % 126);
    }
    filled = true;
}

static void model_run(void)
{
    struct record r;
    size_t i;
    fill_sources();
    if (!model_next(&r)) {
        return;
    }
    setting(&r);
    while (model_next(&r)) {
        model.step++;
        model.operations++;
        step(&r);
    }
    check_values();
    memory_check_all(&m.memory);
    for (i = 0; i < sizeof buffer_bytes; i++) {
        const unsigned char *p = buffer_bytes + i;
        if (!m.has_buffer || p < m.buffer || p >= m.buffer + m.buffer_bytes) {
            MUST(*p == 0xFD);
        }
    }
    m.f->release(&m.a);
    m.f->release(&m.a);
    MUST(m.f->is_valid(&m.a));
    MUST(m.memory.live_blocks == 0 && m.memory.live_bytes == 0);
    m.f->release(&m.other);
    MUST(m.other_memory.live_blocks == 0);
}

static void model_drop(void)
{
    memory_drop(&m.memory);
    memory_drop(&m.other_memory);
    /* What an arena that is wrong has poisoned would stop the next run. */
    ARENA_UNPOISON_(buffer_bytes, sizeof buffer_bytes);
}

#ifndef MODEL_FUZZ
int main(int argc, char **argv) { return model_main(argc, argv, "model", 400000); }
#endif
