/*
 * bench/pool.c: what the span pool costs.
 *
 *     bench-pool [--csv]            all rows
 *     bench-pool --count N          N live spans, churned in measured_append and measured_free, for
 *                                   callgrind (make bench-pool-instructions)
 *
 * Contenders take turns in one process, round by round, and the smallest time of each is compared:
 * on a shared machine the minimum is the figure that repeats. Lengths are drawn anew each time, so
 * the branch predictor cannot learn them. Every contender writes what it stores.
 */
#define _POSIX_C_SOURCE 200809L
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

struct point {
    float x, y, z;
};
ARENA_POOL_DEFINE(ints, uint32_t);
ARENA_POOL_DEFINE(bytes, unsigned char);
ARENA_POOL_DEFINE(points, struct point);

void *multimap_open(void);
void multimap_close(void *p);
size_t multimap_append(void *p, size_t count);
void multimap_free(void *p, size_t start, size_t count);

enum { ROUNDS = 31 };

static bool csv;
static volatile uint64_t sink;
static uint64_t state = 1;

static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void heading(const char *text)
{
    if (!csv) printf("\n%s\n", text);
}

static void row(const char *what, double ns, const char *other, double other_ns)
{
    if (csv) {
        printf("%s,%.2f,%s,%.2f\n", what, ns, other, other_ns);
    } else if (other[0] != 0) {
        printf("  %-44s %10.2f ns   %-22s %10.2f ns   ratio %.2f\n", what, ns, other, other_ns,
               ns / other_ns);
    } else {
        printf("  %-44s %10.2f ns\n", what, ns);
    }
}

/* ---- churn: free a random span, store one of random size, with a fixed number of them live ---- */

enum { SIZES = 64 };    /* 1 to 64 integers, 4 to 256 bytes */

struct churn {
    size_t live;
    ints_t pool;
    ints_handle_t *handles;
    uint32_t **blocks;
    void *multimap;
    uint32_t *buffer;           /* What the multimap's spans are places in. */
    uint32_t *starts, *counts;
};

ints_handle_t measured_append(ints_t *p, size_t count);
arena_status_t measured_free(ints_t *p, ints_handle_t h);

NOINLINE ints_handle_t measured_append(ints_t *p, size_t count)
{
    return ints_append(p, 7, count);
}

NOINLINE arena_status_t measured_free(ints_t *p, ints_handle_t h)
{
    const arena_status_t status = ints_free(p, h);
    __asm__ volatile("");       /* So that it is not a jump, which callgrind cannot tell. */
    return status;
}

static void churn_pool(struct churn *c, size_t steps)
{
    size_t i;
    for (i = 0; i < steps; i++) {
        const size_t k = draw() % c->live;
        measured_free(&c->pool, c->handles[k]);
        c->handles[k] = measured_append(&c->pool, draw() % SIZES + 1);
    }
}

static void churn_malloc(struct churn *c, size_t steps)
{
    size_t i, j;
    for (i = 0; i < steps; i++) {
        const size_t k = draw() % c->live, count = draw() % SIZES + 1;
        free(c->blocks[k]);
        c->blocks[k] = (uint32_t *)malloc(count * sizeof(uint32_t));
        for (j = 0; j < count; j++) c->blocks[k][j] = 7;
    }
}

static void churn_multimap(struct churn *c, size_t steps)
{
    size_t i, j;
    for (i = 0; i < steps; i++) {
        const size_t k = draw() % c->live, count = draw() % SIZES + 1;
        multimap_free(c->multimap, c->starts[k], c->counts[k]);
        c->starts[k] = (uint32_t)multimap_append(c->multimap, count);
        c->counts[k] = (uint32_t)count;
        for (j = 0; j < count; j++) c->buffer[c->starts[k] + j] = 7;
    }
}

static void *need(void *p)
{
    if (p == NULL) {
        fprintf(stderr, "bench-pool: no memory\n");
        exit(1);
    }
    return p;
}

static void churn_open(struct churn *c, size_t live, bool others)
{
    size_t i;
    memset(c, 0, sizeof *c);
    c->live = live;
    c->handles = (ints_handle_t *)need(calloc(live, sizeof *c->handles));
    for (i = 0; i < live; i++) c->handles[i] = measured_append(&c->pool, draw() % SIZES + 1);
    if (!others) return;
    c->blocks = (uint32_t **)need(calloc(live, sizeof *c->blocks));
    c->starts = (uint32_t *)need(calloc(live, sizeof *c->starts));
    c->counts = (uint32_t *)need(calloc(live, sizeof *c->counts));
    c->buffer = (uint32_t *)need(calloc(live * SIZES, 2 * sizeof(uint32_t)));
    c->multimap = multimap_open();
    for (i = 0; i < live; i++) {
        const size_t count = draw() % SIZES + 1;
        c->blocks[i] = (uint32_t *)need(malloc(count * sizeof(uint32_t)));
        c->starts[i] = (uint32_t)multimap_append(c->multimap, count);
        c->counts[i] = (uint32_t)count;
    }
}

static void churn_close(struct churn *c)
{
    size_t i;
    ints_release(&c->pool);
    if (c->blocks != NULL) {
        for (i = 0; i < c->live; i++) free(c->blocks[i]);
        multimap_close(c->multimap);
    }
    free(c->handles);
    free(c->blocks);
    free(c->starts);
    free(c->counts);
    free(c->buffer);
}

static void bench_churn(void)
{
    static const size_t lives[] = { 1000, 10000, 100000 };
    size_t i;
    heading("churn: free one of N spans, store another of 1 to 64 integers; per pair");
    for (i = 0; i < 3; i++) {
        const size_t steps = 20000;
        struct churn c;
        double pool = 1e30, alloc = 1e30, map = 1e30, t;
        char what[64];
        int r;
        churn_open(&c, lives[i], true);
        /* Four times over, so that the holes are those of a long run. */
        churn_pool(&c, 4 * lives[i]);
        churn_malloc(&c, 4 * lives[i]);
        churn_multimap(&c, 4 * lives[i]);
        for (r = 0; r < ROUNDS; r++) {
            t = now();
            churn_pool(&c, steps);
            t = now() - t;
            if (t < pool) pool = t;
            t = now();
            churn_malloc(&c, steps);
            t = now() - t;
            if (t < alloc) alloc = t;
            t = now();
            churn_multimap(&c, steps);
            t = now() - t;
            if (t < map) map = t;
        }
        sprintf(what, "%lu live", (unsigned long)lives[i]);
        row(what, pool / (double)steps, "malloc", alloc / (double)steps);
        row(what, pool / (double)steps, "multimap best fit", map / (double)steps);
        {
            const arena_pool_stats_t s = ints_stats(&c.pool);
            const double table = (double)s.allocated - (double)s.capacity * sizeof(uint32_t);
            if (!csv) {
                printf("    %lu spans and %lu holes: table %.1f bytes a span; %.2f elements held per "
                       "element stored\n", (unsigned long)s.spans, (unsigned long)s.free_spans,
                       table / (double)(s.spans + s.free_spans),
                       (double)s.buffer_len / (double)s.len);
            }
        }
        churn_close(&c);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--count") == 0) {
        struct churn c;
        const size_t live = (size_t)strtoul(argv[2], NULL, 10);
        churn_open(&c, live, false);
        churn_pool(&c, 4 * live + 20000);
        churn_close(&c);
        return 0;
    }
    csv = argc == 2 && strcmp(argv[1], "--csv") == 0;
    bench_churn();
    return 0;
}
