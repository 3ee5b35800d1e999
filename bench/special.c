/*
 * Rows with a shape of their own: resolving Refs, the second pass of a batch, reset and release,
 * growth of cost with the number of values and with the bytes stored.
 */
#include "../arena.h"
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* ---- resolving ---------------------------------------------------------------------------------- */

enum { REFS = 1 << 20 };

struct resolve {
    arena_t a;
    arena_ref_t *refs;
    const char **pointers;
    char *flat;                 /* the same values in one buffer, 64 KiB after 64 KiB */
};

/* One byte of each value is read: the one in its middle would need the length, so the first. */
static BENCH_NOINLINE uint64_t by_pointer(void *ctx, const struct work *w)
{
    const struct resolve *r = (const struct resolve *)ctx;
    const char *const *p = r->pointers;
    uint64_t sum = 0;
    size_t i;
    (void)w;
    for (i = 0; i < REFS; ++i) sum += (unsigned char)p[i][0];
    return sum;
}

/* What any descriptor without a pointer in it costs: chunk and offset, one multiplication, no table and
 * no check. Processors fetch ahead what an array of pointers points to, but not this. */
static BENCH_NOINLINE uint64_t by_index(void *ctx, const struct work *w)
{
    const struct resolve *r = (const struct resolve *)ctx;
    const char *flat = r->flat;
    uint64_t sum = 0;
    size_t i;
    (void)w;
    for (i = 0; i < REFS; ++i)
        sum += (unsigned char)flat[(size_t)(r->refs[i].chunk >> 9) * 65536 + r->refs[i].off];
    return sum;
}

static BENCH_NOINLINE uint64_t by_checked_ref(void *ctx, const struct work *w)
{
    const struct resolve *r = (const struct resolve *)ctx;
    uint64_t sum = 0;
    size_t i;
    (void)w;
    for (i = 0; i < REFS; ++i) {
        const arena_view_t v = arena_value(&r->a, r->refs[i]);
        if (v.len != 0) sum += (unsigned char)v.data[0];
    }
    return sum;
}

static BENCH_NOINLINE uint64_t by_unchecked_ref(void *ctx, const struct work *w)
{
    const struct resolve *r = (const struct resolve *)ctx;
    uint64_t sum = 0;
    size_t i;
    (void)w;
    for (i = 0; i < REFS; ++i) sum += (unsigned char)arena_value_unchecked(&r->a, r->refs[i]).data[0];
    return sum;
}

/* The same with each value asked for AHEAD steps before it is read. The last ones ask for values
 * that were read long ago, so that no step needs a test. */
enum { AHEAD = 64 };

static BENCH_NOINLINE uint64_t by_pointer_ahead(void *ctx, const struct work *w)
{
    const struct resolve *r = (const struct resolve *)ctx;
    const char *const *p = r->pointers;
    uint64_t sum = 0;
    size_t i;
    (void)w;
    for (i = 0; i < REFS; ++i) {
        __builtin_prefetch(p[(i + AHEAD) % REFS]);
        sum += (unsigned char)p[i][0];
    }
    return sum;
}

static BENCH_NOINLINE uint64_t by_checked_ref_ahead(void *ctx, const struct work *w)
{
    const struct resolve *r = (const struct resolve *)ctx;
    uint64_t sum = 0;
    size_t i;
    (void)w;
    for (i = 0; i < REFS; ++i) {
        arena_view_t v;
        arena_prefetch(&r->a, r->refs[(i + AHEAD) % REFS]);
        v = arena_value(&r->a, r->refs[i]);
        if (v.len != 0) sum += (unsigned char)v.data[0];
    }
    return sum;
}

static BENCH_NOINLINE uint64_t by_unchecked_ref_ahead(void *ctx, const struct work *w)
{
    const struct resolve *r = (const struct resolve *)ctx;
    uint64_t sum = 0;
    size_t i;
    (void)w;
    for (i = 0; i < REFS; ++i) {
        arena_prefetch(&r->a, r->refs[(i + AHEAD) % REFS]);
        sum += (unsigned char)arena_value_unchecked(&r->a, r->refs[i]).data[0];
    }
    return sum;
}

static void refs_work(void *arg, size_t k, struct work *w)
{
    (void)arg;
    (void)k;
    w->source = bench_source();
    w->count = REFS;
}

/* The verdict is on the way that the header recommends for the order. */
static void resolve_rows(struct resolve *r, const char *order, bool ahead, double checked,
                         double unchecked)
{
    static const struct {
        const char *name;
        enum contender_kind kind;
        uint64_t (*fn)(void *ctx, const struct work *w);
    } ways[] = {
        { "pointers", KIND_FLOOR, by_pointer },
        { "arena.h, checked", KIND_ARENA, by_checked_ref },
        { "arena.h, unchecked", KIND_ARENA, by_unchecked_ref },
        { "index by hand, no table", KIND_PEER, by_index },
        { "pointers, fetched ahead", KIND_PEER, by_pointer_ahead },
        { "arena.h, checked, fetched ahead", KIND_ARENA, by_checked_ref_ahead },
        { "arena.h, unchecked, fetched ahead", KIND_ARENA, by_unchecked_ref_ahead }
    };
    enum { WAYS = sizeof ways / sizeof *ways };
    struct entry e[WAYS];
    const char *how = ahead ? ", fetched ahead" : "";
    char title[80];
    size_t i;
    memset(e, 0, sizeof e);
    for (i = 0; i < WAYS; ++i) {
        e[i].name = ways[i].name;
        e[i].kind = ways[i].kind;
        e[i].fn = ways[i].fn;
        e[i].ctx = r;
    }
    bench_measure(e, WAYS, refs_work, NULL, bench_rounds(51));
    snprintf(title, sizeof title, "resolve 2^20 Refs, %s", order);
    bench_report(title, "ns per value", e, WAYS, NULL);
    snprintf(title, sizeof title, "resolve, %s, checked%s: to pointers", order, how);
    bench_verdict(title, e[ahead ? 5 : 1].min / e[0].min, checked);
    snprintf(title, sizeof title, "resolve, %s, unchecked%s: to pointers", order, how);
    bench_verdict(title, e[ahead ? 6 : 2].min / e[0].min, unchecked);
}

void bench_resolve(void)
{
    static struct resolve r;
    uint64_t seed = 11;
    size_t i;
    if (!bench_selected("resolve 2^20 Refs, in order") && !bench_selected("resolve 2^20 Refs, shuffled")) return;
    r.refs = (arena_ref_t *)malloc(REFS * sizeof *r.refs);
    r.pointers = (const char **)malloc(REFS * sizeof *r.pointers);
    if (r.refs == NULL || r.pointers == NULL) abort();
    for (i = 0; i < REFS; ++i) {
        r.refs[i] = arena_ref(&r.a, bench_source() + (i & 1023), 1 + bench_random(&seed) % 64);
        r.pointers[i] = arena_value(&r.a, r.refs[i]).data;
        if (r.pointers[i] == NULL) abort();
    }
    r.flat = (char *)calloc(arena_chunk_count(&r.a), 65536);
    if (r.flat == NULL) abort();
    memset(r.flat, 1, arena_chunk_count(&r.a) * 65536);
    resolve_rows(&r, "in order", false, 1.2, 1.05);
    for (i = REFS - 1; i > 0; --i) {
        const size_t j = bench_random(&seed) % (i + 1);
        const arena_ref_t ref = r.refs[i];
        const char *p = r.pointers[i];
        r.refs[i] = r.refs[j];
        r.refs[j] = ref;
        r.pointers[i] = r.pointers[j];
        r.pointers[j] = p;
    }
    resolve_rows(&r, "shuffled", true, 1.8, 1.4);
    arena_release(&r.a);
    free(r.refs);
    free(r.pointers);
    free(r.flat);
}

/* ---- the second pass of a batch ------------------------------------------------------------------ */

static unsigned long hook_calls;

static void *counting_alloc(void *ctx, size_t bytes, size_t align)
{
    (void)ctx;
    (void)align;                        /* never above what malloc gives here */
    ++hook_calls;
    return malloc(bytes);
}
static void counting_free(void *ctx, void *p, size_t bytes, size_t align)
{
    (void)ctx;
    (void)bytes;
    (void)align;
    ++hook_calls;
    free(p);
}

static long faults(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_minflt + u.ru_majflt;
}

static void store_mixed(arena_t *a)
{
    uint64_t seed = 5;
    size_t i;
    for (i = 0; i < 200000; ++i) {
        const size_t n = 1 + bench_random(&seed) % ((i & 63) == 0 ? 20000 : 64);
        if (arena_append(a, bench_source(), n) == NULL) abort();
    }
}

void bench_second_pass(void)
{
    static const arena_hooks_t hooks = {counting_alloc, counting_free, NULL};
    arena_options_t options;
    arena_t a;
    long before;
    if (!bench_selected("second pass")) return;
    memset(&options, 0, sizeof options);
    options.hooks = &hooks;
    if (arena_init(&a, &options) != ARENA_OK) abort();
    store_mixed(&a);
    bench_note("\nsecond pass of a batch of %.0f MiB, mixed sizes up to 20,000 bytes; the first made %lu hook calls\n",
               (double)arena_size(&a) / 1048576.0, hook_calls);
    arena_reset(&a);
    hook_calls = 0;
    before = faults();
    store_mixed(&a);
    bench_verdict("second pass: page faults", (double)(faults() - before), 0);
    bench_verdict("second pass: allocator calls", (double)hook_calls, 0);
    arena_release(&a);
}

/* ---- reset and release by the number of chunks ---------------------------------------------------- */

void bench_reset(void)
{
    static const size_t counts[] = {10, 1000, 100000};
    double reset[3], release[3];
    size_t i, k;
    unsigned r;
    if (!bench_selected("reset")) return;
    bench_note("\nreset and release by number of chunks\n");
    for (i = 0; i < 3; ++i) {
        arena_options_t options;
        arena_t a;
        memset(&options, 0, sizeof options);
        options.chunk_bytes = 64;
        if (arena_init(&a, &options) != ARENA_OK) abort();
        reset[i] = release[i] = 1e18;
        for (r = 0; r < bench_rounds(31); ++r) {
            double t0, t1, t2, t3;
            for (k = 0; k < counts[i]; ++k)
                if (arena_append(&a, bench_source(), 64) == NULL) abort();
            t0 = bench_now();
            arena_reset(&a);
            t1 = bench_now();
            t2 = bench_now();
            if (r % 4 == 3) arena_release(&a);
            t3 = bench_now();
            if ((t1 - t0) - (t2 - t1) < reset[i]) reset[i] = (t1 - t0) - (t2 - t1);
            if (r % 4 == 3 && (t3 - t2) / (double)counts[i] < release[i])
                release[i] = (t3 - t2) / (double)counts[i];
        }
        if (reset[i] < 0) reset[i] = 0;
        bench_note("  %6lu chunks: reset %.0f ns, release %.1f ns a chunk\n", (unsigned long)counts[i], reset[i],
                   release[i]);
        arena_release(&a);
    }
    /* A large batch leaves the arena's own lines out of the cache, so a few misses are allowed for;
     * work for each chunk would take 30,000 ns and more. */
    bench_verdict("reset: nanoseconds that 100,000 chunks take more than 10", reset[2] - reset[0], 400);
}

/* ---- growth of cost ---------------------------------------------------------------------------------- */

static void stream_work(void *arg, size_t k, struct work *w)
{
    (void)k;
    w->source = bench_source();
    w->count = *(const size_t *)arg;
}

/* 10 GiB, in fresh memory, one after the other since both at once would not fit. */
static void bench_ten(void)
{
    const struct contender *c[2];
    const size_t ten = ((size_t)10 << 30) / 16;
    double ns[2];
    struct work w;
    size_t i;
    int pass;
    if (!bench_long()) return;
    c[0] = &PLACED(floor_flat);
    c[1] = &PLACED(cont_arena);
    memset(&w, 0, sizeof w);
    w.source = bench_source();
    w.count = ten;
    for (i = 0; i < 2; ++i) {
        void *ctx = c[i]->open();
        (void)c[i]->rows[ROW_stream16](ctx, &w);
        for (ns[i] = 0, pass = 0; pass < 4; ++pass) {
            const double t0 = bench_now();
            (void)c[i]->rows[ROW_stream16](ctx, &w);
            if (pass == 0 || (bench_now() - t0) / (double)ten < ns[i]) ns[i] = (bench_now() - t0) / (double)ten;
        }
        c[i]->close(ctx);
    }
    bench_note("  10 GiB stored again: floor %.2f, arena.h %.2f ns per value of 16 bytes\n", ns[0], ns[1]);
    bench_verdict("growth: 10 GiB stored, to the floor", ns[1] / ns[0], 1.15);
}

void bench_growth(void)
{
    /* 16 bytes each: 10^8 values are 1.6 GB, and 10 GiB are stored once in a long run. */
    const unsigned powers = bench_long() ? 8 : 7;
    double first = 1;
    size_t i, count = 1000;
    unsigned power;
    if (!bench_selected("growth: 10^3 values")) {
        if (bench_selected("growth: 10 GiB")) bench_ten();
        return;
    }
    for (power = 3; power <= powers; ++power, count *= 10) {
        struct entry e[2 * BENCH_PLACES];
        const struct contender *from[2 * BENCH_PLACES];
        void *opened[2 * BENCH_PLACES];
        char title[64];
        size_t n = 0, kept;
        for (i = 0; i < BENCH_PLACES; ++i) {
            from[n++] = bench_at(i, &PLACED(floor_flat));
            from[n++] = bench_at(i, &PLACED(cont_arena));
            if (count > 1000000) break;         /* memory decides there, and each takes its own */
        }
        for (i = 0; i < n; ++i) {
            e[i].name = from[i]->name;
            e[i].kind = from[i]->kind;
            e[i].fn = from[i]->rows[ROW_stream16];
            e[i].ctx = opened[i] = from[i]->open();
        }
        bench_measure(e, n, stream_work, &count, count > 1000000 ? 31 : bench_rounds(51));
        kept = bench_best_places(e, n);
        snprintf(title, sizeof title, "growth: 10^%u values of 16 bytes", power);
        bench_report(title, "ns per value", e, kept, NULL);
        if (power == 3) first = e[1].min / e[0].min;
        else {
            /* Beyond the caches both go at the speed of memory; the ratio must not grow. */
            snprintf(title, sizeof title, "growth: ratio to the floor at 10^%u, to that at 10^3", power);
            bench_verdict(title, e[1].min / e[0].min / first, 1.15);
        }
        for (i = 0; i < n; ++i) from[i]->close(opened[i]);
    }
    bench_ten();
}
