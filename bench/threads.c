/*
 * Two threads, each storing values of 16 to 64 bytes into an instance of its own (or into the one
 * that they share). The gain is what two threads do in the time in which one does half of it; a
 * bare bump for each thread says what this machine allows at this moment.
 */
#include "bench.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { VALUES = 4096, BATCHES = 32, RING_BITS = 20 };

struct run {
    pthread_t thread;
    batch_fn fn;
    void *ctx;
    const uint32_t *lens;
    const void **out;
    double from, to;
    int *ready, *go, threads;
};

static uint32_t *ring;

static void *run_thread(void *arg)
{
    struct run *r = (struct run *)arg;
    struct work w;
    int i;
    memset(&w, 0, sizeof w);
    w.source = bench_source();
    w.count = VALUES;
    w.out = r->out;
    w.lens = r->lens;
    (void)r->fn(r->ctx, &w);                            /* untimed: chunks and caches */
    __atomic_fetch_add(r->ready, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(r->go, __ATOMIC_ACQUIRE) == 0) {}
    r->from = bench_now();
    for (i = 0; i < BATCHES; ++i) {
        w.lens = r->lens + (size_t)(i + 1) * VALUES;
        (void)r->fn(r->ctx, &w);
    }
    r->to = bench_now();
    return NULL;
}

/* Wall time per value of `threads` threads that start together. */
static double run_threads(struct run *r, int threads, size_t at)
{
    double from = 0, to = 0;
    int ready = 0, go = 0, i;
    for (i = 0; i < threads; ++i) {
        r[i].ready = &ready;
        r[i].go = &go;
        r[i].lens = ring + (at + (size_t)i * 77777) % ((size_t)1 << RING_BITS);
        if (pthread_create(&r[i].thread, NULL, run_thread, &r[i]) != 0) abort();
    }
    while (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) != threads) {}
    __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    for (i = 0; i < threads; ++i) {
        pthread_join(r[i].thread, NULL);
        if (i == 0 || r[i].from < from) from = r[i].from;
        if (i == 0 || r[i].to > to) to = r[i].to;
    }
    return (to - from) / ((double)threads * (double)(BATCHES * VALUES));
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void bench_threads(void)
{
    static const char title[] = "two threads, 16-64 bytes";
    static const struct targets t = {0, 1.0, 0};
    const struct contender *c[BENCH_ENTRIES];
    struct run runs[BENCH_ENTRIES][2];
    struct entry e[BENCH_ENTRIES];
    double *samples, single[BENCH_ENTRIES], bare = 0, lanes = 0;
    const unsigned rounds = bench_rounds(61);
    uint64_t seed = 3;
    size_t n = 0, i, k;
    unsigned r;
    if (!bench_selected(title)) return;

    ring = (uint32_t *)malloc((((size_t)1 << RING_BITS) + (BATCHES + 2) * VALUES) * sizeof *ring);
    if (ring == NULL) abort();
    for (i = 0; i < ((size_t)1 << RING_BITS) + (BATCHES + 2) * VALUES; ++i)
        ring[i] = (uint32_t)(16 + bench_random(&seed) % 49);

    /* Lanes first: the first arena of a row is the one that the targets are about. */
    c[n++] = &PLACED(floor_flat);
    c[n++] = &cont_lane;
    c[n++] = &PLACED(cont_arena);
    c[n++] = &cont_mutex;
    for (k = 0; bench_all()[k] != NULL; ++k)
        if (bench_all()[k]->rows[ROW_between16and64] != NULL && bench_all()[k]->kind != KIND_FLOOR &&
            bench_all()[k]->kind != KIND_ARENA)
            c[n++] = bench_all()[k];
    samples = (double *)malloc(2 * n * rounds * sizeof *samples);
    if (samples == NULL) abort();
    for (i = 0; i < n; ++i)
        for (k = 0; k < 2; ++k) {
            runs[i][k].fn = c[i]->rows[ROW_between16and64];
            runs[i][k].ctx = c[i]->open();
            runs[i][k].threads = 2;
            runs[i][k].out = (const void **)malloc(VALUES * sizeof(void *));
            if (runs[i][k].out == NULL) abort();
        }
    for (r = 0; r < rounds; ++r)
        for (i = 0; i < n; ++i) {
            samples[(2 * i) * rounds + r] = run_threads(runs[i], 1, (size_t)r * 65537);
            samples[(2 * i + 1) * rounds + r] = run_threads(runs[i], 2, (size_t)r * 65537);
        }
    for (i = 0; i < n; ++i) {
        qsort(samples + 2 * i * rounds, rounds, sizeof *samples, by_value);
        qsort(samples + (2 * i + 1) * rounds, rounds, sizeof *samples, by_value);
        single[i] = samples[2 * i * rounds];
        e[i].name = c[i]->name;
        e[i].kind = c[i]->kind;
        e[i].min = samples[(2 * i + 1) * rounds];
        e[i].median = samples[(2 * i + 1) * rounds + rounds / 2];
    }
    bench_report(title, "ns per value, wall time", e, n, &t);
    bench_note("  gain of two threads over one:");
    for (i = 0; i < n; ++i) {
        const double gain = single[i] / e[i].min;
        bench_note("%s %s %.2f", i == 0 ? "" : ",", e[i].name, gain);
        if (i == 0) bare = gain;
        if (i == 1) lanes = gain;
    }
    bench_note("\n");
    bench_verdict("two threads: gain of a bare bump, to that of lanes", bare / lanes, 1 / 0.97);
    for (i = 0; i < n; ++i)
        for (k = 0; k < 2; ++k) {
            c[i]->close(runs[i][k].ctx);
            free(runs[i][k].out);
        }
    free(samples);
    free(ring);
}
