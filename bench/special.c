/*
 * Rows with a shape of their own: the second pass of a batch, reset and release, growth of cost with
 * the number of values and with the bytes stored. Resolving Refs has a file of its own.
 */
#include "../arena.h"
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

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
