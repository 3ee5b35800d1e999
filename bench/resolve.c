/*
 * Rows with a shape of their own: resolving 2^20 Refs and reading a byte of each, in order and
 * shuffled. The loops are built at every place, what runs them at the first.
 */
#include "../arena.h"
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

/* Fetched ahead, each value is asked for AHEAD steps before it is read. The last ones ask for
 * values that were read long ago, so that no step needs a test. */
enum { REFS = 1 << 20, AHEAD = 64 };

/* A chunk with the byte behind it that a NUL may need, and where the next one begins. */
enum { CHUNK = 65536 + 1, STRIDE = 65536 + 64 };

/* What a program keeps that wants the length and has no Refs: 16 bytes. */
struct text {
    const char *data;
    size_t len;
};

struct resolve {
    arena_t a;
    arena_ref_t *refs;
    const char **pointers;      /* the same values */
    struct text *texts;         /* and once more */
    char *flat;                 /* the chunks, in turn */
    size_t used, bytes;
};

/* One byte of each value is read: the one in its middle would need the length, so the first. Who
 * has the length asks for it. */
BENCH_INLINE unsigned first_byte(const char *data, size_t len)
{
    return len != 0 ? (unsigned char)data[0] : 0;
}

BENCH_INLINE unsigned first_of(arena_view_t v) { return first_byte(v.data, v.len); }

#define WAY(name, descriptor, array, before, byte)                                                \
    static BENCH_NOINLINE uint64_t by_##name(void *ctx, const struct work *w)                     \
    {                                                                                             \
        const struct resolve *r = (const struct resolve *)ctx;                                    \
        descriptor const *d = r->array;                                                           \
        uint64_t sum = 0;                                                                         \
        size_t i;                                                                                 \
        (void)w;                                                                                  \
        for (i = 0; i < REFS; ++i) {                                                              \
            before;                                                                               \
            sum += (unsigned char)(byte);                                                         \
        }                                                                                         \
        return sum;                                                                               \
    }
#define NOTHING (void)0
#define LATER d[(i + AHEAD) % REFS]

WAY(pointer, const char *, pointers, NOTHING, d[i][0])
WAY(pointer_ahead, const char *, pointers, __builtin_prefetch(LATER), d[i][0])
WAY(text, struct text, texts, NOTHING, first_byte(d[i].data, d[i].len))
WAY(text_ahead, struct text, texts, __builtin_prefetch(LATER.data),
    first_byte(d[i].data, d[i].len))
WAY(checked, arena_ref_t, refs, NOTHING, first_of(arena_value(&r->a, d[i])))
WAY(checked_ahead, arena_ref_t, refs, arena_prefetch(&r->a, LATER),
    first_of(arena_value(&r->a, d[i])))
WAY(unchecked, arena_ref_t, refs, NOTHING, arena_value_unchecked(&r->a, d[i]).data[0])
WAY(unchecked_ahead, arena_ref_t, refs, arena_prefetch(&r->a, LATER),
    arena_value_unchecked(&r->a, d[i]).data[0])

/* What any descriptor without a pointer in it costs: chunk and offset, one multiplication, no table
 * and no check. Processors fetch ahead what an array of pointers points to, but not this. */
WAY(index, arena_ref_t, refs, NOTHING, r->flat[(size_t)(d[i].chunk >> 9) * STRIDE + d[i].off])

/* Each is followed by the same fetched ahead. */
enum { POINTER, TEXT = 2, CHECKED = 4, UNCHECKED = 6, INDEX = 8, WAYS };

#define DECLARE_(k) extern const batch_fn PLACED_(resolve_ways, k)[WAYS];
DECLARE_(0)
DECLARE_(1)
DECLARE_(2)
DECLARE_(3)
const batch_fn PLACED(resolve_ways)[WAYS] = {
    by_pointer, by_pointer_ahead, by_text, by_text_ahead, by_checked, by_checked_ahead,
    by_unchecked, by_unchecked_ahead, by_index
};

#if BENCH_PLACE == 0
static const struct { const char *name; enum contender_kind kind; } ways[WAYS] = {
    { "pointers", KIND_FLOOR },
    { "pointers, fetched ahead", KIND_PEER },
    { "pointers with lengths", KIND_PEER },
    { "the same, fetched ahead", KIND_PEER },
    { "arena.h, checked", KIND_ARENA },
    { "checked, fetched ahead", KIND_ARENA },
    { "arena.h, unchecked", KIND_ARENA },
    { "unchecked, fetched ahead", KIND_ARENA },
    { "index by hand, no table", KIND_PEER }
};

/* Chunks come from one buffer, so that an index by hand reads the same memory: a second copy of the
 * values would drive the first out of the caches, and every row would measure that. */
static void *take(void *ctx, size_t bytes, size_t align)
{
    struct resolve *r = (struct resolve *)ctx;
    char *chunk = r->flat + r->used;
    (void)align;
    if (bytes != CHUNK) return malloc(bytes);
    if (r->bytes - r->used < STRIDE) return NULL;
    r->used += STRIDE;
    return chunk;
}

static void give(void *ctx, void *p, size_t bytes, size_t align)
{
    (void)ctx;
    (void)align;
    if (bytes != CHUNK) free(p);
}

static void refs_work(void *arg, size_t k, struct work *w)
{
    (void)arg;
    (void)k;
    w->source = bench_source();
    w->count = REFS;
}

/* Where no cache holds the values, the header recommends to fetch ahead, so that is judged, too. A
 * pointer does not tell how long its value is: what keeps that, too, is printed beside it. */
static void resolve_row(struct resolve *r, const char *values, const char *order,
                        double checked, double unchecked)
{
    static const batch_fn *const places[BENCH_PLACES] = {
        resolve_ways_place0, resolve_ways_place1, resolve_ways_place2, resolve_ways_place3
    };
    struct entry e[WAYS * BENCH_PLACES];
    char title[80];
    size_t i, way, n = 0;
    snprintf(title, sizeof title, "resolve 2^20 Refs to %s, %s", values, order);
    if (!bench_selected(title)) return;
    memset(e, 0, sizeof e);
    for (i = 0; i < BENCH_PLACES; ++i)
        for (way = 0; way < WAYS; ++way, ++n) {
            e[n].name = ways[way].name;
            e[n].kind = ways[way].kind;
            e[n].fn = places[i][way];
            e[n].ctx = r;
        }
    bench_measure(e, n, refs_work, NULL, bench_rounds(31));
    n = bench_best_places(e, n);
    bench_report(title, "ns per value", e, n, NULL);
    for (way = CHECKED; way < INDEX; ++way) {
        snprintf(title, sizeof title, "resolve %s, %s, %s: to pointers", values, order,
                 e[way].name);
        bench_verdict(title, e[way].min / e[POINTER].min, way < UNCHECKED ? checked : unchecked);
    }
    bench_note("    to pointers with lengths: checked %.3f, unchecked %.3f\n",
               e[CHECKED].min / e[TEXT].min, e[UNCHECKED].min / e[TEXT].min);
}

/* The pointers in the order of the Refs. */
static void describe(struct resolve *r)
{
    size_t i;
    for (i = 0; i < REFS; ++i) {
        const arena_view_t v = arena_value(&r->a, r->refs[i]);
        if (v.len == 0) abort();
        r->pointers[i] = r->texts[i].data = v.data;
        r->texts[i].len = v.len;
    }
}

/* Values of `bytes` bytes, or of 1 to `bytes` with each length as likely. */
static void resolve_values(const char *values, size_t bytes, bool random)
{
    static struct resolve r;
    const arena_hooks_t hooks = { take, give, &r };
    arena_options_t options;
    void *buffer;
    uint64_t seed = 11;
    size_t i;
    r.refs = (arena_ref_t *)malloc(REFS * sizeof *r.refs);
    r.pointers = (const char **)malloc(REFS * sizeof *r.pointers);
    r.texts = (struct text *)malloc(REFS * sizeof *r.texts);
    r.used = 0;
    r.bytes = (REFS * bytes / 65536 + 2) * STRIDE;
    buffer = malloc(r.bytes + 64);
    if (r.refs == NULL || r.pointers == NULL || r.texts == NULL || buffer == NULL) abort();
    r.flat = (char *)(((uintptr_t)buffer + 63) / 64 * 64);
    memset(&options, 0, sizeof options);
    options.hooks = &hooks;
    if (arena_init(&r.a, &options) != ARENA_OK) abort();
    for (i = 0; i < REFS; ++i)
        r.refs[i] = arena_ref(&r.a, bench_source() + (i & 1023),
                              random ? 1 + bench_random(&seed) % bytes : bytes);
    describe(&r);
    resolve_row(&r, values, "in order", 1.2, 1.05);
    for (i = REFS - 1; i > 0; --i) {
        const size_t j = bench_random(&seed) % (i + 1);
        const arena_ref_t ref = r.refs[i];
        r.refs[i] = r.refs[j];
        r.refs[j] = ref;
    }
    describe(&r);
    resolve_row(&r, values, "shuffled", 1.8, 1.4);
    arena_release(&r.a);
    free(r.refs);
    free(r.pointers);
    free(r.texts);
    free(buffer);
}

void bench_resolve(void)
{
    if (!bench_selected("resolve 2^20 Refs to 64 bytes, in order, shuffled") &&
        !bench_selected("resolve 2^20 Refs to 1-64 bytes, in order, shuffled")) return;
    resolve_values("1-64 bytes", 64, true);
    resolve_values("64 bytes", 64, false);
}
#endif
