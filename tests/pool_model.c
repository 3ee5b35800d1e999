/*
 * Random operations on span pools against a naive model, which keeps for every element of the
 * buffer the span that it belongs to, and a copy of what the buffer has to hold. model.h has the
 * programs, the watching allocator and the driver: --seed=N --steps=N --length=N --check=N
 * --program=HEX.
 *
 * The first record of a program chooses the element (1, 3, 12, 64, 4096 bytes, or 64 over-aligned)
 * and the options (growing, a fixed capacity, a reserve, a limit, a stricter alignment). After
 * every operation its answer, its status, the span that it touched and all counters are compared,
 * and so is what it may not have changed when it failed; a hole has to be the best fit, and a
 * request fails or grows the buffer only if no free span holds it. Every so many operations
 * (--check) everything is compared: is_valid, all spans in order, all free spans, all contents,
 * meshes_at of every element, and handles that died. With -DMODEL_FUZZ the programs come from
 * libFuzzer.
 */
#define ARENA_IMPLEMENTATION
#include "../arena.h"
#include "model.h"

enum { ELEMENTS = 12000, SPANS = 96, DEAD = 64 };

struct handle {
    uint32_t span, generation;
};

struct run {
    const unsigned char *data;
    size_t len;
};

/* One family of pools, behind functions of the same types for all. Elements are passed by address.
 */
struct kind {
    const char *name;
    size_t size, align;
    void *pool, *other;
    arena_status_t (*init)(void *p, const arena_pool_options_t *o);
    struct handle (*append)(void *p, const void *value, size_t count);
    struct handle (*append_copy)(void *p, const void *src, size_t count);
    struct handle (*fetch)(void *p, const void *src, size_t count);
    struct handle (*find)(const void *p, unsigned char first);
    struct handle (*find_or_append)(void *p, const void *value, size_t count, bool by_eq);
    unsigned char *(*get)(const void *p, struct handle h);
    struct run (*span)(const void *p, struct handle h);
    size_t (*start)(const void *p, struct handle h);
    struct handle (*at)(const void *p, size_t index);
    arena_status_t (*free)(void *p, struct handle h);
    bool (*resize)(void *p, struct handle h, size_t count);
    struct handle (*first)(const void *p);
    struct handle (*next)(const void *p, struct handle h);
    bool (*next_free)(const void *p, size_t *start, size_t *count);
    void (*retain)(void *p);
    void (*drain)(void *p);
    size_t (*compact)(void *p, size_t budget, void (*moved)(void *, size_t, size_t, size_t));
    size_t (*len)(const void *p);
    size_t (*capacity)(const void *p);
    size_t (*buffer_len)(const void *p);
    unsigned char *(*data)(const void *p);
    void (*clear)(void *p);
    void (*release)(void *p);
    unsigned char *(*take)(void *p, size_t *count);
    bool (*copy)(void *to, const void *from);
    arena_pool_stats_t (*stats)(const void *p);
    arena_status_t (*status)(const void *p);
    void (*clear_status)(void *p);
    bool (*is_valid)(const void *p);
};

static bool on_retain(struct handle h, unsigned char *elements, size_t count);
static void on_drain(unsigned char *elements, size_t count);

#define KIND(name, T)                                                                              \
    ARENA_POOL_DEFINE(name, T);                                                                    \
    static name##_t name##_pool, name##_other;                                                     \
    static name##_handle_t name##_in(struct handle h)                                              \
    {                                                                                              \
        name##_handle_t r;                                                                         \
        r.span = h.span;                                                                           \
        r.generation = h.generation;                                                               \
        return r;                                                                                  \
    }                                                                                              \
    static struct handle name##_out(name##_handle_t h)                                             \
    {                                                                                              \
        struct handle r;                                                                           \
        r.span = h.span;                                                                           \
        r.generation = h.generation;                                                               \
        return r;                                                                                  \
    }                                                                                              \
    static arena_status_t name##_m_init(void *p, const arena_pool_options_t *o)                    \
    {                                                                                              \
        return name##_init((name##_t *)p, o);                                                      \
    }                                                                                              \
    static struct handle name##_m_append(void *p, const void *value, size_t count)                 \
    {                                                                                              \
        name##_elem_t v;                                                                           \
        memcpy(&v, value, sizeof v);                                                               \
        return name##_out(name##_append((name##_t *)p, v, count));                                 \
    }                                                                                              \
    static struct handle name##_m_append_copy(void *p, const void *src, size_t count)              \
    {                                                                                              \
        return name##_out(name##_append_copy((name##_t *)p, (const name##_elem_t *)src, count));   \
    }                                                                                              \
    static struct handle name##_m_fetch(void *p, const void *src, size_t count)                    \
    {                                                                                              \
        return name##_out(                                                                         \
            name##_fetch_or_append((name##_t *)p, (const name##_elem_t *)src, count));             \
    }                                                                                              \
    static bool name##_is(const name##_elem_t *e, void *ctx)                                       \
    {                                                                                              \
        return memcmp(e, ctx, 1) == 0;                                                             \
    }                                                                                              \
    static struct handle name##_m_find(const void *p, unsigned char first)                         \
    {                                                                                              \
        return name##_out(name##_find((const name##_t *)p, name##_is, &first));                    \
    }                                                                                              \
    static bool name##_same(const name##_elem_t *a, const name##_elem_t *b, void *ctx)             \
    {                                                                                              \
        MUST(ctx == (void *)&name##_pool);                                                         \
        return memcmp(a, b, sizeof *a) == 0;                                                       \
    }                                                                                              \
    static struct handle name##_m_find_or_append(void *p, const void *value, size_t count,         \
                                                 bool by_eq)                                       \
    {                                                                                              \
        name##_elem_t v;                                                                           \
        memcpy(&v, value, sizeof v);                                                               \
        return name##_out(                                                                         \
            name##_find_or_append((name##_t *)p, v, count, by_eq ? name##_same : NULL, p));        \
    }                                                                                              \
    static unsigned char *name##_m_get(const void *p, struct handle h)                             \
    {                                                                                              \
        return (unsigned char *)name##_get((const name##_t *)p, name##_in(h));                     \
    }                                                                                              \
    static struct run name##_m_span(const void *p, struct handle h)                                \
    {                                                                                              \
        name##_view_t v = name##_span((const name##_t *)p, name##_in(h));                          \
        struct run r;                                                                              \
        r.data = (const unsigned char *)v.data;                                                    \
        r.len = v.len;                                                                             \
        return r;                                                                                  \
    }                                                                                              \
    static size_t name##_m_start(const void *p, struct handle h)                                   \
    {                                                                                              \
        return name##_start((const name##_t *)p, name##_in(h));                                    \
    }                                                                                              \
    static struct handle name##_m_at(const void *p, size_t index)                                  \
    {                                                                                              \
        return name##_out(name##_at((const name##_t *)p, index));                                  \
    }                                                                                              \
    static arena_status_t name##_m_free(void *p, struct handle h)                                  \
    {                                                                                              \
        return name##_free((name##_t *)p, name##_in(h));                                           \
    }                                                                                              \
    static bool name##_m_resize(void *p, struct handle h, size_t count)                            \
    {                                                                                              \
        return name##_resize((name##_t *)p, name##_in(h), count);                                  \
    }                                                                                              \
    static struct handle name##_m_first(const void *p)                                             \
    {                                                                                              \
        return name##_out(name##_first((const name##_t *)p));                                      \
    }                                                                                              \
    static struct handle name##_m_next(const void *p, struct handle h)                             \
    {                                                                                              \
        return name##_out(name##_next((const name##_t *)p, name##_in(h)));                         \
    }                                                                                              \
    static bool name##_m_next_free(const void *p, size_t *start, size_t *count)                    \
    {                                                                                              \
        return name##_next_free((const name##_t *)p, start, count);                                \
    }                                                                                              \
    static bool name##_keep(name##_handle_t h, name##_elem_t *e, size_t count, void *ctx)          \
    {                                                                                              \
        MUST(ctx == (void *)&name##_pool);                                                         \
        return on_retain(name##_out(h), (unsigned char *)e, count);                                \
    }                                                                                              \
    static void name##_m_retain(void *p)                                                           \
    {                                                                                              \
        name##_retain((name##_t *)p, name##_keep, p);                                              \
    }                                                                                              \
    static void name##_each(name##_elem_t *e, size_t count, void *ctx)                             \
    {                                                                                              \
        MUST(ctx == (void *)&name##_pool);                                                         \
        on_drain((unsigned char *)e, count);                                                       \
    }                                                                                              \
    static void name##_m_drain(void *p)                                                            \
    {                                                                                              \
        name##_drain((name##_t *)p, name##_each, p);                                               \
    }                                                                                              \
    static size_t name##_m_compact(void *p, size_t budget,                                         \
                                   void (*moved)(void *, size_t, size_t, size_t))                  \
    {                                                                                              \
        return name##_compact((name##_t *)p, budget, moved, p);                                    \
    }                                                                                              \
    static size_t name##_m_len(const void *p)                                                      \
    {                                                                                              \
        return name##_len((const name##_t *)p);                                                    \
    }                                                                                              \
    static size_t name##_m_capacity(const void *p)                                                 \
    {                                                                                              \
        return name##_capacity((const name##_t *)p);                                               \
    }                                                                                              \
    static size_t name##_m_buffer_len(const void *p)                                               \
    {                                                                                              \
        return name##_buffer_len((const name##_t *)p);                                             \
    }                                                                                              \
    static unsigned char *name##_m_data(const void *p)                                             \
    {                                                                                              \
        return (unsigned char *)name##_data((const name##_t *)p);                                  \
    }                                                                                              \
    static void name##_m_clear(void *p)                                                            \
    {                                                                                              \
        name##_clear((name##_t *)p);                                                               \
    }                                                                                              \
    static void name##_m_release(void *p)                                                          \
    {                                                                                              \
        name##_release((name##_t *)p);                                                             \
    }                                                                                              \
    static unsigned char *name##_m_take(void *p, size_t *count)                                    \
    {                                                                                              \
        return (unsigned char *)name##_take((name##_t *)p, count);                                 \
    }                                                                                              \
    static bool name##_m_copy(void *to, const void *from)                                          \
    {                                                                                              \
        return name##_copy((name##_t *)to, (const name##_t *)from);                                \
    }                                                                                              \
    static arena_pool_stats_t name##_m_stats(const void *p)                                        \
    {                                                                                              \
        return name##_stats((const name##_t *)p);                                                  \
    }                                                                                              \
    static arena_status_t name##_m_status(const void *p)                                           \
    {                                                                                              \
        return name##_status((const name##_t *)p);                                                 \
    }                                                                                              \
    static void name##_m_clear_status(void *p)                                                     \
    {                                                                                              \
        name##_clear_status((name##_t *)p);                                                        \
    }                                                                                              \
    static bool name##_m_is_valid(const void *p)                                                   \
    {                                                                                              \
        return name##_is_valid((const name##_t *)p);                                               \
    }                                                                                              \
    static const struct kind name##_kind = {                                                       \
        #name,                                                                                     \
        sizeof(name##_elem_t),                                                                     \
        name##_align_,                                                                             \
        &name##_pool,                                                                              \
        &name##_other,                                                                             \
        name##_m_init,                                                                             \
        name##_m_append,                                                                           \
        name##_m_append_copy,                                                                      \
        name##_m_fetch,                                                                            \
        name##_m_find,                                                                             \
        name##_m_find_or_append,                                                                   \
        name##_m_get,                                                                              \
        name##_m_span,                                                                             \
        name##_m_start,                                                                            \
        name##_m_at,                                                                               \
        name##_m_free,                                                                             \
        name##_m_resize,                                                                           \
        name##_m_first,                                                                            \
        name##_m_next,                                                                             \
        name##_m_next_free,                                                                        \
        name##_m_retain,                                                                           \
        name##_m_drain,                                                                            \
        name##_m_compact,                                                                          \
        name##_m_len,                                                                              \
        name##_m_capacity,                                                                         \
        name##_m_buffer_len,                                                                       \
        name##_m_data,                                                                             \
        name##_m_clear,                                                                            \
        name##_m_release,                                                                          \
        name##_m_take,                                                                             \
        name##_m_copy,                                                                             \
        name##_m_stats,                                                                            \
        name##_m_status,                                                                           \
        name##_m_clear_status,                                                                     \
        name##_m_is_valid,                                                                         \
    }

struct three {
    unsigned char b[3];
};
struct twelve {
    float x, y, z;
};
struct line {
    uint32_t w[16];
};
struct page {
    unsigned char b[4096];
};
#if defined __GNUC__
struct wide {
    unsigned char b[64];
} __attribute__((aligned(64)));
#else
struct wide {
    unsigned char b[64];
};
#endif
KIND(ones, unsigned char);
KIND(threes, struct three);
KIND(twelves, struct twelve);
KIND(lines, struct line);
KIND(wides, struct wide);
KIND(pages, struct page);

static const struct kind *const kinds[] = { &ones_kind,  &threes_kind, &twelves_kind,
                                            &lines_kind, &wides_kind,  &pages_kind };

/* ---- the model ---- */

struct span {
    bool live;
    struct handle h;
    size_t start, count;
    unsigned char *fetched; /* What fetch_or_append stored, or NULL. */
    size_t fetched_count;
};

static struct {
    const struct kind *k;
    struct memory mem;
    arena_hooks_t hooks;
    arena_pool_options_t options;
    size_t fixed;            /* The fixed capacity, or 0. */
    bool narrow;             /* Sizes are 200 to 239, so that a bin has several of them. */
    size_t most;             /* Elements that the model follows. */
    int16_t owner[ELEMENTS]; /* The span of each element, -1 = none. */
    unsigned char *mirror;   /* What the buffer has to hold where there is a span. */
    unsigned char *scratch;
    struct span spans[SPANS];
    size_t live, len, end, top;
    struct handle dead[DEAD];
    size_t deads;
    size_t errors; /* Calls of on_error. */
    /* For callbacks. */
    size_t at;
    unsigned salt;
    size_t moved;
} m;

static void on_error(void *ctx, arena_status_t status, size_t bytes)
{
    MUST(ctx == (void *)&m);
    MUST(status != ARENA_OK);
    (void)bytes;
    m.errors++;
}

static void refresh_end(void)
{
    m.end = m.top;
    while (m.end > 0 && m.owner[m.end - 1] < 0) {
        m.end--;
    }
}

static void own(int i, size_t start, size_t count)
{
    size_t e;
    m.spans[i].start = start;
    m.spans[i].count = count;
    for (e = start; e < start + count; e++) {
        MUST(m.owner[e] < 0);
        m.owner[e] = (int16_t)i;
    }
    m.len += count;
    if (m.top < start + count) {
        m.top = start + count;
    }
    refresh_end();
}

static void disown(int i)
{
    size_t e;
    for (e = m.spans[i].start; e < m.spans[i].start + m.spans[i].count; e++) {
        MUST(m.owner[e] == i);
        m.owner[e] = -1;
    }
    m.len -= m.spans[i].count;
    refresh_end();
}

/* fetch_or_append has no more to find the span. */
static void forget_fetched(struct span *s)
{
    free(s->fetched);
    s->fetched = NULL;
}

static void forget(int i)
{
    disown(i);
    forget_fetched(&m.spans[i]);
    m.spans[i].live = false;
    m.live--;
    m.dead[m.deads++ % DEAD] = m.spans[i].h;
}

static void forget_all(void)
{
    int i;
    for (i = 0; i < SPANS; i++) {
        if (m.spans[i].live) {
            forget(i);
        }
    }
    m.top = m.end = 0;
}

static int unused(void)
{
    int i;
    for (i = 0; i < SPANS && m.spans[i].live; i++) {
    }
    return i < SPANS ? i : -1;
}

static int by_handle(struct handle h)
{
    int i;
    for (i = 0; i < SPANS; i++) {
        if (m.spans[i].live && m.spans[i].h.span == h.span &&
            m.spans[i].h.generation == h.generation) {
            return i;
        }
    }
    return -1;
}

static int pick(unsigned obj)
{
    int i;
    for (i = 0; i < SPANS; i++) {
        int j = (int)((obj + (unsigned)i) % SPANS);
        if (m.spans[j].live) {
            return j;
        }
    }
    return -1;
}

/* The length of the smallest hole between spans that holds count elements; 0 = none. */
static size_t best_hole(size_t count)
{
    size_t e = 0, best = 0;
    while (e < m.end) {
        size_t n = 0;
        if (m.owner[e] >= 0) {
            e += m.spans[m.owner[e]].count;
            continue;
        }
        while (m.owner[e + n] < 0) {
            n++;
        }
        if (n >= count && (best == 0 || n < best)) {
            best = n;
        }
        e += n;
    }
    return best;
}

static size_t hole_before(size_t e)
{
    size_t n = 0;
    while (e > n && m.owner[e - n - 1] < 0) {
        n++;
    }
    return n;
}

static size_t hole_at(size_t e)
{
    size_t n = 0;
    while (e + n < m.end && m.owner[e + n] < 0) {
        n++;
    }
    return n;
}

static void value_of(unsigned char *to, unsigned pattern)
{
    size_t i;
    for (i = 0; i < m.k->size; i++) {
        to[i] = (unsigned char)(pattern % 5 == 0 ? pattern : pattern * 31 + i * 7);
    }
}

static void check_span(int i)
{
    const struct span *s = &m.spans[i];
    struct run r = m.k->span(m.k->pool, s->h);
    MUST(r.len == s->count);
    MUST(m.k->start(m.k->pool, s->h) == s->start);
    MUST(r.data == m.k->get(m.k->pool, s->h));
    MUST(memcmp(r.data, m.mirror + s->start * m.k->size, s->count * m.k->size) == 0);
    MUST(((uintptr_t)r.data & (m.k->align - 1)) == 0);
}

static void check_dead(struct handle h)
{
    struct handle n;
    arena_status_t was = m.k->status(m.k->pool);
    MUST(m.k->get(m.k->pool, h) == NULL);
    MUST(m.k->span(m.k->pool, h).len == 0 && m.k->span(m.k->pool, h).data == NULL);
    MUST(m.k->start(m.k->pool, h) == SIZE_MAX);
    n = m.k->next(m.k->pool, h);
    MUST(n.span == 0 && n.generation == 0);
    MUST(m.k->status(m.k->pool) == was);
    MUST(m.k->free(m.k->pool, h) == ARENA_STALE);
    MUST(m.k->status(m.k->pool) == (was == ARENA_OK ? ARENA_STALE : was));
    if (was == ARENA_OK) {
        m.k->clear_status(m.k->pool);
    }
    MUST(!m.k->resize(m.k->pool, h, 3));
    if (was == ARENA_OK) {
        m.k->clear_status(m.k->pool);
    }
}

static void check_counters(void)
{
    arena_pool_stats_t s = m.k->stats(m.k->pool);
    MUST(m.k->len(m.k->pool) == m.len && s.len == m.len);
    MUST(m.k->buffer_len(m.k->pool) == m.top && s.buffer_len == m.top);
    MUST(s.spans == m.live);
    MUST(s.free == m.top - m.len);
    MUST(s.capacity == m.k->capacity(m.k->pool) && s.capacity >= m.top);
    MUST(s.allocated == m.mem.live_bytes);
    MUST(m.options.limit_bytes == 0 || s.allocated <= m.options.limit_bytes);
}

static void check_all(void)
{
    size_t e = 0, start = 0, count = 0, holes = 0, largest = 0;
    struct handle h = m.k->first(m.k->pool), g;
    arena_pool_stats_t s = m.k->stats(m.k->pool);
    int i;
    MUST(m.k->is_valid(m.k->pool));
    while (e < m.top) {
        size_t n = 0;
        if (m.owner[e] >= 0) {
            i = m.owner[e];
            MUST(m.spans[i].start == e && m.spans[i].h.span == h.span &&
                 m.spans[i].h.generation == h.generation);
            check_span(i);
            for (n = 0; n < m.spans[i].count; n += n % 7 == 0 && m.spans[i].count - n > 9 ? 6 : 1) {
                g = m.k->at(m.k->pool, e + n);
                MUST(g.span == h.span && g.generation == h.generation);
            }
            h = m.k->next(m.k->pool, h);
        } else {
            while (e + n < m.top && m.owner[e + n] < 0) {
                n++;
            }
            MUST(m.k->at(m.k->pool, e).span == 0 && m.k->at(m.k->pool, e + n / 2).span == 0);
            MUST(m.k->at(m.k->pool, e + n - 1).span == 0);
            MUST(m.k->next_free(m.k->pool, &start, &count));
            MUST(start == e && count == n);
            holes++;
            largest = n > largest ? n : largest;
        }
        e += n;
    }
    MUST(h.span == 0 && h.generation == 0);
    MUST(!m.k->next_free(m.k->pool, &start, &count));
    MUST(m.k->at(m.k->pool, m.top).span == 0 && m.k->at(m.k->pool, SIZE_MAX).span == 0);
    MUST(s.free_spans == holes && s.largest_free == largest);
    for (e = 0; e < DEAD && e < m.deads; e += 5) {
        check_dead(m.dead[e]);
    }
    memory_check_all(&m.mem);
}

/* ---- operations ---- */

/* What a call that may fail has to leave as it was. */
static struct {
    arena_pool_stats_t stats;
    unsigned char *data;
    size_t errors, best, room;
} before;

static void look(size_t count)
{
    before.stats = m.k->stats(m.k->pool);
    before.data = m.k->data(m.k->pool);
    before.errors = m.errors;
    before.best = best_hole(count);
    before.room = before.stats.capacity - m.end;
    m.mem.refused = false;
    m.k->clear_status(m.k->pool);
}

/* A call failed. needs: it needed more elements than any free span has. */
static void failed(bool needs)
{
    arena_status_t status = m.k->status(m.k->pool);
    arena_pool_stats_t s = m.k->stats(m.k->pool);
    MUST(memcmp(&s, &before.stats, sizeof s) == 0);
    MUST(m.k->data(m.k->pool) == before.data);
    MUST(m.errors == before.errors + 1);
    if (m.mem.refused) {
        MUST(status == ARENA_NO_MEMORY);
    } else {
        MUST(status == ARENA_LIMIT);
        MUST(m.options.limit_bytes != 0 || (m.fixed != 0 && needs));
    }
    MUST(m.k->is_valid(m.k->pool));
    check_counters();
    model.failures++;
}

/* A span of count elements was stored, where the model expects it. */
static int placed(struct handle h, size_t count)
{
    size_t start = m.k->start(m.k->pool, h);
    int i = unused();
    MUST(m.k->status(m.k->pool) == ARENA_OK && m.errors == before.errors);
    MUST(start < ELEMENTS && by_handle(h) < 0);
    MUST(h.span != 0 && h.generation != 0);
    if (before.best != 0) {
        MUST(hole_at(start) == before.best && hole_before(start) == 0);
        MUST(m.k->buffer_len(m.k->pool) == m.top);
    } else {
        MUST(start == m.end);
    }
    if (before.best != 0 || count <= before.room) {
        MUST(m.k->capacity(m.k->pool) == before.stats.capacity);
        MUST(m.k->data(m.k->pool) == before.data);
    } else {
        MUST(m.fixed == 0 || before.stats.capacity == 0);
    }
    if (m.options.reserve != 0) {
        MUST(before.stats.capacity == 0 || m.k->data(m.k->pool) == before.data);
    }
    m.spans[i].live = true;
    m.spans[i].h = h;
    m.live++;
    own(i, start, count);
    return i;
}

static bool tight(size_t count)
{
    return before.best == 0 && count > before.room;
}

/* Sizes: mostly small and sometimes large; or all of about the same size, so that many different
 * ones meet in a bin. */
static size_t count_of(unsigned x, unsigned y)
{
    size_t n = y % 8 == 0 ? x % 200 + 1 : y % 8 < 4 ? x % 8 + 1 : x % 40 + 1;
    if (m.narrow) {
        n = 200 + x % 40;
    }
    if (m.k->size > 1000 && n > 12) {
        n = n % 12 + 1;
    }
    return n;
}

static void copy_in(int i, const unsigned char *src)
{
    memcpy(m.mirror + m.spans[i].start * m.k->size, src, m.spans[i].count * m.k->size);
}

static void op_append(const struct record *r)
{
    size_t count = count_of(r->x, r->y), e;
    struct handle h;
    int i;
    if (unused() < 0 || m.top + count > m.most) {
        return;
    }
    value_of(m.scratch, r->z % 16);
    say("append(value %u, %lu)", r->z % 16, (unsigned long)count);
    look(count);
    h = m.k->append(m.k->pool, m.scratch, count);
    if (h.span == 0) {
        failed(tight(count));
        return;
    }
    i = placed(h, count);
    for (e = 0; e < count; e++) {
        memcpy(m.mirror + (m.spans[i].start + e) * m.k->size, m.scratch, m.k->size);
    }
    check_span(i);
}

/* From outside, or from a range of the pool itself. */
static void op_append_copy(const struct record *r)
{
    size_t count = count_of(r->x, r->y), e, at = 0;
    const unsigned char *src = m.scratch;
    struct handle h;
    int i = pick(r->obj);
    if (unused() < 0) {
        return;
    }
    if (r->z % 3 == 0 && i >= 0) {
        at = r->z % m.spans[i].count;
        count = r->x % (m.spans[i].count - at) + 1;
        src = m.k->get(m.k->pool, m.spans[i].h) + at * m.k->size;
        memcpy(m.scratch, src, count * m.k->size);
    } else {
        for (e = 0; e < count; e++) {
            value_of(m.scratch + e * m.k->size, r->z + (unsigned)e);
        }
    }
    if (m.top + count > m.most) {
        return;
    }
    say("append_copy(%s, %lu)", src == m.scratch ? "outside" : "inside", (unsigned long)count);
    look(count);
    h = m.k->append_copy(m.k->pool, src, count);
    if (h.span == 0) {
        failed(tight(count));
        return;
    }
    i = placed(h, count);
    copy_in(i, m.scratch);
    check_span(i);
}

static void op_fetch(const struct record *r)
{
    size_t count = r->x % 4 + 1, e;
    const size_t bytes = count * m.k->size;
    struct handle h;
    int i, known = 0;
    if (unused() < 0 || m.top + count > m.most) {
        return;
    }
    for (e = 0; e < count; e++) {
        value_of(m.scratch + e * m.k->size, r->z % 8);
    }
    say("fetch_or_append(value %u, %lu)", r->z % 8, (unsigned long)count);
    look(count);
    for (i = 0; i < SPANS; i++) {
        const struct span *s = &m.spans[i];
        known += s->live && s->fetched != NULL && s->count == count && s->fetched_count == count &&
                 memcmp(s->fetched, m.scratch, bytes) == 0 &&
                 memcmp(m.mirror + s->start * m.k->size, m.scratch, bytes) == 0;
    }
    h = m.k->fetch(m.k->pool, m.scratch, count);
    if (known > 0) {
        i = by_handle(h);
        MUST(i >= 0 && m.spans[i].fetched != NULL && m.spans[i].count == count);
        MUST(memcmp(m.mirror + m.spans[i].start * m.k->size, m.scratch, bytes) == 0);
        MUST(m.k->status(m.k->pool) == ARENA_OK);
        return;
    }
    if (h.span == 0) {
        failed(tight(count));
        return;
    }
    for (i = 0; i < SPANS; i++) {
        struct span *s = &m.spans[i];
        if (s->live && s->fetched != NULL && s->fetched_count == count &&
            memcmp(s->fetched, m.scratch, bytes) == 0) {
            forget_fetched(s);
        }
    }
    i = placed(h, count);
    copy_in(i, m.scratch);
    m.spans[i].fetched = (unsigned char *)malloc(bytes);
    MUST(m.spans[i].fetched != NULL);
    memcpy(m.spans[i].fetched, m.scratch, bytes);
    m.spans[i].fetched_count = count;
    check_span(i);
}

/* The first element in address order that is as asked. */
static int find_model(const unsigned char *value, size_t bytes)
{
    size_t e;
    for (e = 0; e < m.end; e++) {
        if (m.owner[e] >= 0 && memcmp(m.mirror + e * m.k->size, value, bytes) == 0) {
            return m.owner[e];
        }
    }
    return -1;
}

static void op_find(const struct record *r)
{
    int i;
    struct handle h;
    value_of(m.scratch, r->z % 32);
    say("find(first byte %u)", m.scratch[0]);
    i = find_model(m.scratch, 1);
    h = m.k->find(m.k->pool, m.scratch[0]);
    MUST(i < 0 ? h.span == 0 : by_handle(h) == i);
}

static void op_find_or_append(const struct record *r)
{
    size_t count = r->x % 5, e;
    int i;
    struct handle h;
    if (unused() < 0 || m.top + count > m.most) {
        return;
    }
    value_of(m.scratch, r->z % 64);
    say("find_or_append(value %u, %lu, %s)", r->z % 64, (unsigned long)count,
        r->y % 2 ? "eq" : "NULL");
    i = find_model(m.scratch, m.k->size);
    look(count != 0 ? count : 1);
    h = m.k->find_or_append(m.k->pool, m.scratch, count, r->y % 2 != 0);
    if (i >= 0) {
        MUST(by_handle(h) == i);
    } else if (count == 0) {
        MUST(h.span == 0 && m.k->status(m.k->pool) == ARENA_OK);
    } else if (h.span == 0) {
        failed(tight(count));
    } else {
        i = placed(h, count);
        for (e = 0; e < count; e++) {
            memcpy(m.mirror + (m.spans[i].start + e) * m.k->size, m.scratch, m.k->size);
        }
        check_span(i);
    }
}

static void op_free(const struct record *r)
{
    int i = pick(r->obj);
    size_t allocs = m.mem.allocs;
    if (i < 0) {
        return;
    }
    say("free(span %d at %lu, %lu)", i, (unsigned long)m.spans[i].start,
        (unsigned long)m.spans[i].count);
    m.mem.forbidden = true;
    MUST(m.k->free(m.k->pool, m.spans[i].h) == ARENA_OK);
    m.mem.forbidden = false;
    MUST(m.mem.allocs == allocs);
    forget(i);
    check_dead(m.dead[(m.deads - 1) % DEAD]);
}

static void op_forged(const struct record *r)
{
    struct handle h;
    h.span = r->x % 8 == 0 ? r->y * 65536u + r->z : r->x % 100;
    h.generation = r->x % 3 == 0 ? 0 : r->y * 65536u + r->z;
    if (r->x % 5 == 0 && pick(r->obj) >= 0) {
        /* Nearly right: one bit of the generation, or the neighbouring slot. */
        h = m.spans[pick(r->obj)].h;
        if (r->z % 2 != 0) {
            h.generation ^= 1u << r->y % 32;
        } else {
            h.span++;
        }
    }
    if (by_handle(h) < 0) {
        say("forged handle {%lu, %lu}", (unsigned long)h.span, (unsigned long)h.generation);
        check_dead(h);
    }
}

static void op_resize(const struct record *r)
{
    size_t count = count_of(r->x, r->y), old, start, hole, behind, to, e;
    int i = pick(r->obj);
    bool in_place, last, fits, slides;
    if (i < 0) {
        return;
    }
    if (r->z % 4 == 0) {
        count = m.spans[i].count + r->x % 6;
    }
    old = m.spans[i].count;
    start = m.spans[i].start;
    if (m.top + count > m.most) {
        return;
    }
    say("resize(span %d at %lu, from %lu to %lu)", i, (unsigned long)start, (unsigned long)old,
        (unsigned long)count);
    look(count);
    last = start + old == m.end;
    behind = last ? before.stats.capacity - m.end : hole_at(start + old);
    hole = hole_before(start);
    in_place = count <= old + behind;
    fits = before.best != 0 || count <= before.room;
    slides = !in_place && !fits && count <= hole + old + behind;
    if (!m.k->resize(m.k->pool, m.spans[i].h, count)) {
        failed(!in_place && !fits && !slides);
        check_span(i);
        return;
    }
    MUST(m.errors == before.errors && m.k->status(m.k->pool) == ARENA_OK);
    to = m.k->start(m.k->pool, m.spans[i].h);
    MUST(to < ELEMENTS && to + count <= ELEMENTS);
    disown(i);
    if (in_place) {
        MUST(to == start);
    } else if (before.best != 0) {
        MUST(hole_before(to) == 0 || to + count <= start || to > start);
    } else if (slides) {
        MUST(to == start - hole);
    } else if (last && !fits) {
        MUST(to == start);
    }
    if (in_place || fits || slides) {
        MUST(m.k->capacity(m.k->pool) == before.stats.capacity);
        MUST(m.k->data(m.k->pool) == before.data);
    } else {
        MUST(m.fixed == 0);
    }
    own(i, to, count);
    memmove(m.mirror + to * m.k->size, m.mirror + start * m.k->size,
            (count < old ? count : old) * m.k->size);
    /* What was added is not set: it is now. */
    for (e = old; e < count; e++) {
        value_of(m.mirror + (to + e) * m.k->size, r->z + (unsigned)e);
        memcpy(m.k->get(m.k->pool, m.spans[i].h) + e * m.k->size, m.mirror + (to + e) * m.k->size,
               m.k->size);
    }
    if (count != old) forget_fetched(&m.spans[i]);
    check_span(i);
}

static void op_write(const struct record *r)
{
    int i = pick(r->obj);
    size_t at;
    if (i < 0) {
        return;
    }
    at = r->x % m.spans[i].count;
    say("write(span %d, element %lu)", i, (unsigned long)at);
    value_of(m.scratch, r->z % 16);
    memcpy(m.mirror + (m.spans[i].start + at) * m.k->size, m.scratch, m.k->size);
    memcpy(m.k->get(m.k->pool, m.spans[i].h) + at * m.k->size, m.scratch, m.k->size);
}

/* Called for every span in address order; frees itself or another one now and then. */
static bool on_retain(struct handle h, unsigned char *elements, size_t count)
{
    int i = by_handle(h), other;
    unsigned roll = (m.salt = m.salt * 1103515245u + 12345u) >> 16;
    MUST(i >= 0 && m.spans[i].count == count && m.spans[i].start >= m.at);
    MUST(m.k->get(m.k->pool, h) == elements);
    /* None was left out. */
    for (; m.at < m.spans[i].start; m.at++) {
        MUST(m.owner[m.at] < 0);
    }
    m.at = m.spans[i].start + count;
    other = pick(roll >> 3);
    switch (roll % 8) {
    case 0:
        MUST(m.k->free(m.k->pool, h) == ARENA_OK);
        forget(i);
        return roll % 16 < 8;
    case 1:
        MUST(m.k->free(m.k->pool, m.spans[other].h) == ARENA_OK);
        forget(other);
        return true;
    case 2:
    case 3: forget(i); return false;
    default: return true;
    }
}

static void op_retain(const struct record *r)
{
    size_t e;
    say("retain(%u)", r->z);
    m.salt = r->z;
    m.at = 0;
    m.k->retain(m.k->pool);
    for (e = m.at; e < m.end; e++) {
        MUST(m.owner[e] < 0);
    }
}

static void on_drain(unsigned char *elements, size_t count)
{
    int i;
    while (m.owner[m.at] < 0) {
        m.at++;
    }
    i = m.owner[m.at];
    MUST(m.spans[i].count == count && m.k->get(m.k->pool, m.spans[i].h) == elements);
    MUST(memcmp(elements, m.mirror + m.at * m.k->size, count * m.k->size) == 0);
    m.at += count;
}

/* Repeats a move on the model, as a caller does on a GPU's buffer. */
static void on_moved(void *ctx, size_t from, size_t to, size_t count)
{
    int i = m.owner[from];
    MUST(ctx == m.k->pool);
    MUST(to < from && i >= 0 && m.spans[i].start == from && m.spans[i].count == count);
    MUST(hole_before(from) == from - to && best_hole(1) != 0);
    disown(i);
    own(i, to, count);
    memmove(m.mirror + to * m.k->size, m.mirror + from * m.k->size, count * m.k->size);
    m.moved += count;
    check_span(i);
}

static void op_compact(const struct record *r)
{
    size_t budget = r->y % 4 == 0 ? SIZE_MAX : r->x % 50, done;
    bool holes = best_hole(1) != 0;
    say("compact(%lu)", (unsigned long)budget);
    m.moved = 0;
    m.mem.forbidden = true;
    done = m.k->compact(m.k->pool, budget, on_moved);
    m.mem.forbidden = false;
    MUST(done == m.moved && (done != 0) == holes);
    MUST(done >= budget || best_hole(1) == 0);
    if (best_hole(1) == 0) {
        MUST(m.end == m.len);
    }
}

static void op_rare(const struct record *r)
{
    size_t count = 0, top = m.top;
    unsigned char *data;
    int i;
    switch (r->x % 5) {
    case 0:
        say("clear");
        m.k->clear(m.k->pool);
        forget_all();
        break;
    case 1:
        say("drain");
        m.at = 0;
        m.k->drain(m.k->pool);
        MUST(m.at == m.end);
        forget_all();
        break;
    case 2:
        say("release");
        m.k->release(m.k->pool);
        MUST(m.mem.live_bytes == 0);
        forget_all();
        break;
    case 3:
        say("take");
        look(1);
        data = m.k->take(m.k->pool, &count);
        if (data == NULL && top != 0) {
            failed(false);
            MUST(count == 0);
            break;
        }
        MUST(count == top);
        for (i = 0; i < SPANS; i++) {
            const struct span *s = &m.spans[i];
            if (s->live) {
                MUST(memcmp(data + s->start * m.k->size, m.mirror + s->start * m.k->size,
                            s->count * m.k->size) == 0);
            }
        }
        if (data != NULL) {
            MUST(m.mem.live_blocks == 1);
            memory_free(&m.mem, data, count * m.k->size,
                        m.options.align > m.k->align ? m.options.align : m.k->align);
        }
        MUST(m.mem.live_bytes == 0);
        forget_all();
        break;
    default: {
        /* Copied to another pool, changed there, copied back. */
        arena_pool_options_t plain;
        struct handle h;
        memset(&plain, 0, sizeof plain);
        say("copy to another pool and back");
        look(1);
        MUST(m.k->init(m.k->other, &plain) == ARENA_OK);
        value_of(m.scratch, 3);
        h = m.k->append(m.k->other, m.scratch, 5);
        MUST(h.span != 0);
        MUST(m.k->copy(m.k->other, m.k->pool));
        MUST(m.k->is_valid(m.k->other));
        MUST(m.k->get(m.k->other, h) == NULL || by_handle(h) >= 0);
        MUST(m.k->len(m.k->other) == m.len && m.k->buffer_len(m.k->other) == m.top);
        for (i = 0; i < SPANS; i++) {
            const struct span *s = &m.spans[i];
            if (s->live) {
                struct run run = m.k->span(m.k->other, s->h);
                MUST(run.len == s->count && m.k->start(m.k->other, s->h) == s->start);
                MUST(memcmp(run.data, m.mirror + s->start * m.k->size, s->count * m.k->size) == 0);
            }
        }
        if (m.k->capacity(m.k->pool) >= m.top && m.mem.fail_in == 0) {
            MUST(m.k->copy(m.k->pool, m.k->other));
        }
        m.k->release(m.k->other);
        break;
    }
    }
    m.k->clear_status(m.k->pool);
}

static void drop(void)
{
    int i;
    for (i = 0; i < SPANS; i++) {
        free(m.spans[i].fetched);
    }
    free(m.mirror);
    free(m.scratch);
    memory_drop(&m.mem);
    memset(&m, 0, sizeof m);
}

static void model_drop(void)
{
    drop();
}

static void model_run(void)
{
    struct record r;
    int i;
    if (!model_next(&r)) {
        return;
    }
    drop();
    m.k = kinds[r.obj % (sizeof kinds / sizeof kinds[0])];
    m.narrow = r.z % 3 == 0 && m.k->size < 1000;
    m.most = m.k->size > 1000 ? 160 : m.narrow ? ELEMENTS : ELEMENTS / 4;
    for (i = 0; i < ELEMENTS; i++) {
        m.owner[i] = -1;
    }
    m.mirror = (unsigned char *)calloc(m.most, m.k->size);
    m.scratch = (unsigned char *)calloc(m.most, m.k->size);
    MUST(m.mirror != NULL && m.scratch != NULL);
    m.hooks.alloc = memory_alloc;
    m.hooks.free = memory_free;
    m.hooks.ctx = &m.mem;
    m.options.hooks = &m.hooks;
    m.options.on_error = on_error;
    m.options.on_error_ctx = &m;
    switch (r.x % 6) {
    case 0: m.options.max_count = m.fixed = r.y % (m.most / 2) + 1; break;
    case 1: m.options.reserve = m.fixed = r.y % (m.most / 2) + 1; break;
    case 2: m.options.limit_bytes = m.mem.limit = 2500 + r.y % 20000 + m.k->size * 20; break;
    case 3: m.options.align = (size_t)1 << r.y % 9; break;
    default: break;
    }
    say("a pool of %s, %lu bytes: max_count %lu, reserve %lu, limit %lu, align %lu", m.k->name,
        (unsigned long)m.k->size, (unsigned long)m.options.max_count,
        (unsigned long)m.options.reserve, (unsigned long)m.options.limit_bytes,
        (unsigned long)m.options.align);
    MUST(m.k->init(m.k->pool, &m.options) == ARENA_OK);
    while (model_next(&r)) {
        static const char weights[] = "aaaaaaaabbbbbbbcccccffffffffffffrrrrrrrrrwwxegdhkkl";
        model.step++;
        model.operations++;
        if (r.op % 32 == 31) {
            m.mem.fail_in = r.x % 2 + 1; /* The next operation finds no memory. */
            m.mem.fail_on = r.y % 2 != 0;
            say("the allocation %u from now fails", r.x % 2 + 1);
            if (!model_next(&r)) {
                break;
            }
            model.step++;
            model.operations++;
        }
        switch (weights[(r.op * 7u + r.z) % (sizeof weights - 1)]) {
        case 'a': op_append(&r); break;
        case 'b': op_append_copy(&r); break;
        case 'c': op_fetch(&r); break;
        case 'f': op_free(&r); break;
        case 'r': op_resize(&r); break;
        case 'w': op_write(&r); break;
        case 'x': op_forged(&r); break;
        case 'e': op_find(&r); break;
        case 'g': op_find_or_append(&r); break;
        case 'd':
            if (r.y % 8 == 0) op_retain(&r);
            break;
        case 'h': op_find(&r); break;
        case 'k': op_compact(&r); break;
        default:
            if (r.y % 4 == 0) op_rare(&r);
            break;
        }
        m.mem.fail_in = 0;
        m.mem.fail_on = false;
        check_counters();
        if (model.step % model.check_every == 0) {
            check_all();
        }
    }
    check_all();
    m.k->release(m.k->pool);
    MUST(m.mem.live_bytes == 0 && m.mem.live_blocks == 0);
    drop();
}

#ifdef MODEL_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    model.check_every = 16;
    if (!model_once(data, size)) {
        abort();
    }
    return 0;
}
#else
int main(int argc, char **argv)
{
    return model_main(argc, argv, "pool_model", 300000);
}
#endif
