/*
 * bench/pool.c: what the span pool costs.
 *
 *     bench-pool [--csv]            all rows
 *     bench-pool --count N          N live spans, churned in measured_append and measured_free, for
 *                                   callgrind (make bench-pool-instructions)
 *     bench-pool --count N malloc   the same work of malloc; `plain`: of the table without an
 * allocator
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
static volatile uint64_t sink; /* So that nothing is optimised out. */
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

/* ---- churn: free a random span, store one of random size, so many of them live ---- */

enum { SIZES = 64 }; /* 1 to 64 integers, 4 to 256 bytes */

struct churn {
    size_t live;
    ints_t pool;
    ints_handle_t *handles;
    uint32_t **blocks;
    void *multimap;
    uint32_t *buffer; /* What the multimap's spans are places in. */
    uint32_t *starts, *counts;
    struct plain *plain; /* The cache misses of a table of that size, and nothing else. */
    uint32_t *plain_buffer;
};

/* A table without any allocator: every span keeps its place of 64 integers. */
struct plain {
    uint32_t start, count, rest[6];
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
    __asm__ volatile(""); /* So that it is not a jump, which callgrind cannot tell. */
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

static void churn_plain(struct churn *c, size_t steps)
{
    size_t i, j;
    for (i = 0; i < steps; i++) {
        struct plain *r = &c->plain[draw() % c->live];
        const uint32_t count = draw() % SIZES + 1;
        r->count = count;
        for (j = 0; j < count; j++) c->plain_buffer[r->start + j] = 7;
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
    c->plain = (struct plain *)need(calloc(live, sizeof *c->plain));
    c->plain_buffer = (uint32_t *)need(calloc((live + 2) * (SIZES / 2), sizeof(uint32_t)));
    for (i = 0; i < live; i++) c->plain[i].start = (uint32_t)((i * 7919 % live) * (SIZES / 2 - 1));
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
    free(c->plain);
    free(c->plain_buffer);
}

/* The smaller one of best and the least time of some batches, each shorter than what a scheduler
 * gives at a time, after as many that fill the caches. */
static double churn_time(void (*work)(struct churn *, size_t), struct churn *c, size_t steps,
                         double best)
{
    int k;
    for (k = 0; k < 16; k++) {
        double t = now();
        work(c, steps);
        t = now() - t;
        if (k >= 8 && t < best) best = t;
    }
    return best;
}

static void bench_churn(void)
{
    static const size_t lives[] = { 1000, 10000, 100000 };
    size_t i;
    heading("churn: free one of N spans, store another of 1 to 64 integers; per pair");
    for (i = 0; i < 3; i++) {
        const size_t steps = 2000;
        struct churn c;
        double pool = 1e30, alloc = 1e30, map = 1e30, plain = 1e30;
        char what[64];
        int r;
        churn_open(&c, lives[i], true);
        /* Four times over, so that the holes are those of a long run. */
        churn_pool(&c, 4 * lives[i]);
        churn_malloc(&c, 4 * lives[i]);
        churn_multimap(&c, 4 * lives[i]);
        for (r = 0; r < ROUNDS; r++) {
            pool = churn_time(churn_pool, &c, steps, pool);
            alloc = churn_time(churn_malloc, &c, steps, alloc);
            plain = churn_time(churn_plain, &c, steps, plain);
            map = churn_time(churn_multimap, &c, steps, map);
        }
        sprintf(what, "%lu live", (unsigned long)lives[i]);
        row(what, pool / (double)steps, "malloc", alloc / (double)steps);
        row(what, pool / (double)steps, "multimap best fit", map / (double)steps);
        row(what, pool / (double)steps, "table, no allocator", plain / (double)steps);
        {
            const arena_pool_stats_t s = ints_stats(&c.pool);
            const double table = (double)s.allocated - (double)s.capacity * sizeof(uint32_t);
            if (!csv) {
                printf(
                    "    %lu spans and %lu holes: table %.1f bytes a span; %.2f elements held per "
                    "element stored\n",
                    (unsigned long)s.spans, (unsigned long)s.free_spans,
                    table / (double)(s.spans + s.free_spans), (double)s.buffer_len / (double)s.len);
            }
        }
        churn_close(&c);
    }
}

/* ---- filling, copying and iterating, against the plain ways ------------------------------------
 */

#define MINIMUM(best, work)                                                                        \
    do {                                                                                           \
        double t_ = now();                                                                         \
        work;                                                                                      \
        t_ = now() - t_;                                                                           \
        if (t_ < (best)) (best) = t_;                                                              \
    } while (0)

static NOINLINE void fill_pool(bytes_t *p, size_t n)
{
    bytes_free(p, bytes_append(p, 5, n));
}

static NOINLINE void fill_plain(unsigned char *buffer, size_t n)
{
    memset(buffer, 5, n);
    sink += buffer[n / 2];
}

static NOINLINE void copy_pool(bytes_t *p, const unsigned char *src, size_t n)
{
    bytes_free(p, bytes_append_copy(p, src, n));
}

static NOINLINE void copy_plain(unsigned char *buffer, const unsigned char *src, size_t n)
{
    memcpy(buffer, src, n);
    sink += buffer[n / 2];
}

static NOINLINE void fill_points_pool(points_t *p, size_t n)
{
    static const struct point v = { 1, 2, 3 };
    points_free(p, points_append(p, v, n));
}

static NOINLINE void fill_points_plain(struct point *buffer, size_t n)
{
    static const struct point v = { 1, 2, 3 };
    size_t i;
    for (i = 0; i < n; i++) buffer[i] = v;
    sink += (uint64_t)buffer[n / 2].x;
}

static NOINLINE uint64_t iterate_pool(const ints_t *p)
{
    uint64_t sum = 0;
    ints_handle_t h;
    for (h = ints_first(p); h.span != 0; h = ints_next(p, h)) {
        const ints_view_t v = ints_span(p, h);
        size_t i;
        for (i = 0; i < v.len; i++) sum += v.data[i];
    }
    return sum;
}

static NOINLINE uint64_t iterate_plain(const uint32_t *buffer, size_t n)
{
    uint64_t sum = 0;
    size_t i;
    for (i = 0; i < n; i++) sum += buffer[i];
    return sum;
}

/* What any array of ranges costs: where a range ends the processor guesses wrong. */
struct range { uint32_t start, count; };

static NOINLINE uint64_t iterate_ranges(const uint32_t *buffer, const struct range *ranges, size_t n)
{
    uint64_t sum = 0;
    size_t i, k;
    for (k = 0; k < n; k++) {
        const uint32_t *from = buffer + ranges[k].start;
        for (i = 0; i < ranges[k].count; i++) sum += from[i];
    }
    return sum;
}

static void bench_fill(void)
{
    static const size_t sizes[] = { 1000, 16384, 262144, 4194304 };
    size_t i, k;
    int r;
    heading(
        "appended, filled or copied, freed: all three timed; iterating and summing all elements");
    for (i = 0; i < 4; i++) {
        const size_t n = sizes[i], repeat = 8000000 / n / 8 + 1, points = n / sizeof(struct point);
        unsigned char *buffer = (unsigned char *)need(malloc(n)),
                      *src = (unsigned char *)need(malloc(n));
        bytes_t p;
        points_t q;
        double a = 1e30, b = 1e30, c = 1e30, d = 1e30, e = 1e30, f = 1e30;
        char what[64];
        memset(&p, 0, sizeof p);
        memset(&q, 0, sizeof q);
        memset(src, 7, n);
        for (r = 0; r < ROUNDS; r++) {
            MINIMUM(a, for (k = 0; k < repeat; k++) fill_pool(&p, n));
            MINIMUM(b, for (k = 0; k < repeat; k++) fill_plain(buffer, n));
            MINIMUM(c, for (k = 0; k < repeat; k++) copy_pool(&p, src, n));
            MINIMUM(d, for (k = 0; k < repeat; k++) copy_plain(buffer, src, n));
            MINIMUM(e, for (k = 0; k < repeat; k++) fill_points_pool(&q, points));
            MINIMUM(f, for (k = 0; k < repeat; k++)
                           fill_points_plain((struct point *)(void *)buffer, points));
        }
        sprintf(what, "append, free: %lu bytes filled", (unsigned long)n);
        row(what, a / (double)repeat, "memset", b / (double)repeat);
        sprintf(what, "append, free: %lu bytes copied", (unsigned long)n);
        row(what, c / (double)repeat, "memcpy", d / (double)repeat);
        sprintf(what, "append, free: %lu elements of 12 bytes", (unsigned long)points);
        row(what, e / (double)repeat, "plain loop", f / (double)repeat);
        bytes_release(&p);
        points_release(&q);
        free(buffer);
        free(src);
    }
    for (i = 100; i <= 10000; i *= 10) {
        ints_t p;
        struct range *ranges = (struct range *)malloc(1000000 / i * sizeof *ranges);
        double a = 1e30, b = 1e30, c = 1e30;
        char what[64];
        size_t n;
        if (ranges == NULL) abort();
        memset(&p, 0, sizeof p);
        for (k = 0; k < 1000000 / i; k++) {
            ranges[k].start = (uint32_t)ints_start(&p, ints_append(&p, (uint32_t)k, i));
            ranges[k].count = (uint32_t)i;
        }
        n = ints_buffer_len(&p);
        for (r = 0; r < ROUNDS; r++) {
            MINIMUM(a, sink += iterate_pool(&p));
            MINIMUM(b, sink += iterate_plain(ints_data(&p), n));
            MINIMUM(c, sink += iterate_ranges(ints_data(&p), ranges, 1000000 / i));
        }
        sprintf(what, "iterate 10^6 integers in spans of %lu", (unsigned long)i);
        row(what, a, "plain loop", b);
        row(what, a, "loop over an array of ranges", c);
        free(ranges);
        ints_release(&p);
    }
}

/* ---- the filling alone: spans that live already, written through their handles ---- */

enum { LIVE = 16 }; /* Spans a pass: their handles are read as a program reads them. */

/* What one pass does to each span: in the pool through its handle, plainly at the same place. All
 * that differs is how place and length are found. */
#define WRITE_LIVE(name, family, write)                                                            \
    static NOINLINE void name##_live_pool(family##_t *p, const family##_handle_t *h)               \
    {                                                                                              \
        size_t k;                                                                                  \
        for (k = 0; k < LIVE; k++) {                                                               \
            family##_elem_t *const e = family##_get(p, h[k]);                                      \
            const size_t n = family##_span(p, h[k]).len;                                           \
            write;                                                                                 \
        }                                                                                          \
    }                                                                                              \
    static NOINLINE void name##_live_plain(family##_elem_t *buffer, const struct range *ranges)    \
    {                                                                                              \
        size_t k;                                                                                  \
        for (k = 0; k < LIVE; k++) {                                                               \
            family##_elem_t *const e = buffer + ranges[k].start;                                   \
            const size_t n = ranges[k].count;                                                      \
            write;                                                                                 \
        }                                                                                          \
    }

static unsigned char live_source[16384];
static const struct point live_point = { 1, 2, 3 };

WRITE_LIVE(fill, bytes, memset(e, 5, n))
WRITE_LIVE(copy, bytes, memcpy(e, live_source, n))
WRITE_LIVE(fill_points, points, for (size_t i = 0; i < n; i++) e[i] = live_point)

#define BENCH_LIVE(name, family, value, elements, bytes, what, other)                              \
    do {                                                                                           \
        const size_t passes = 4000000 / (bytes) / LIVE + 1;                                        \
        family##_t p;                                                                              \
        family##_handle_t h[LIVE];                                                                 \
        struct range ranges[LIVE];                                                                 \
        double pool = 1e30, plain = 1e30;                                                          \
        size_t k;                                                                                  \
        int r;                                                                                     \
        memset(&p, 0, sizeof p);                                                                   \
        for (k = 0; k < LIVE; k++) {                                                               \
            h[k] = family##_append(&p, value, elements);                                           \
            ranges[k].start = (uint32_t)family##_start(&p, h[k]);                                  \
            ranges[k].count = (uint32_t)(elements);                                                \
        }                                                                                          \
        for (r = 0; r < ROUNDS; r++) {                                                             \
            MINIMUM(pool, for (k = 0; k < passes; k++) name##_live_pool(&p, h));                   \
            MINIMUM(plain,                                                                         \
                    for (k = 0; k < passes; k++) name##_live_plain(family##_data(&p), ranges));    \
        }                                                                                          \
        row(what, pool / (double)(passes * LIVE), other, plain / (double)(passes * LIVE));         \
        family##_release(&p);                                                                      \
    } while (0)

static void bench_live(void)
{
    static const size_t sizes[] = { 100, 1000, 4096, 16384 };
    char what[64];
    size_t i;
    heading("filling and copying in place, spans live already; the plain way at the same places");
    for (i = 0; i < 4; i++) {
        const size_t n = sizes[i];
        sprintf(what, "fill %lu bytes in place", (unsigned long)n);
        BENCH_LIVE(fill, bytes, 0, n, n, what, "memset");
        sprintf(what, "copy %lu bytes in place", (unsigned long)n);
        BENCH_LIVE(copy, bytes, 0, n, n, what, "memcpy");
    }
    for (i = 0; i < 2; i++) {
        const size_t n = sizes[i];
        sprintf(what, "fill %lu elements of 12 bytes in place", (unsigned long)n);
        BENCH_LIVE(fill_points, points, live_point, n, n * sizeof(struct point), what,
                   "plain loop");
    }
}

/* ---- finding ---- */

static void bench_find(void)
{
    static const size_t lives[] = { 1000, 10000, 100000 };
    size_t i, k;
    int r;
    heading("finding, with N spans of 4 integers live: by contents, by place");
    for (i = 0; i < 3; i++) {
        const size_t n = lives[i], steps = 20000;
        ints_t p;
        double a = 1e30, b = 1e30;
        char what[64];
        uint32_t src[4] = { 0, 1, 2, 3 };
        memset(&p, 0, sizeof p);
        for (k = 0; k < n; k++) {
            src[0] = (uint32_t)k;
            ints_fetch_or_append(&p, src, 4);
        }
        for (r = 0; r < ROUNDS; r++) {
            MINIMUM(
                a, for (k = 0; k < steps; k++) {
                    src[0] = draw() % (uint32_t)n;
                    sink += ints_fetch_or_append(&p, src, 4).span;
                });
            MINIMUM(b, for (k = 0; k < steps; k++) sink += ints_at(&p, draw() % (4 * n)).span);
        }
        sprintf(what, "fetch_or_append of a known span, %lu live", (unsigned long)n);
        row(what, a / (double)steps, "", 0);
        sprintf(what, "at, %lu live", (unsigned long)n);
        row(what, b / (double)steps, "", 0);
        if (ints_len(&p) != 4 * n) printf("wrong: something was not found\n");
        ints_release(&p);
    }
}

/* ---- the operations that the crate contiguous-arena publishes, on bytes
 * -------------------------- */

static bool is_six(const unsigned char *e, void *ctx)
{
    (void)ctx;
    return *e == 6;
}

static bool keep_five(bytes_handle_t h, unsigned char *e, size_t n, void *ctx)
{
    (void)h;
    (void)n;
    (void)ctx;
    return *e == 5;
}

static bool keep_six(bytes_handle_t h, unsigned char *e, size_t n, void *ctx)
{
    (void)h;
    (void)n;
    (void)ctx;
    return *e == 6;
}

static NOINLINE void crate_append(size_t n)
{
    bytes_t p = { { 0 } };
    sink += bytes_append(&p, 5, n).span;
    bytes_release(&p);
}

static NOINLINE void crate_free(size_t n)
{
    bytes_t p = { { 0 } };
    bytes_free(&p, bytes_append(&p, 5, n));
    bytes_release(&p);
}

static NOINLINE void crate_reuse(size_t n)
{
    bytes_t p = { { 0 } };
    bytes_free(&p, bytes_append(&p, 5, n));
    sink += bytes_append(&p, 6, n).span;
    bytes_release(&p);
}

/* The same on a pool that is there already, which is how a pool is used. */
static NOINLINE void warm_reuse(bytes_t *p, size_t n)
{
    bytes_free(p, bytes_append(p, 5, n));
}

static NOINLINE void crate_iterate(const bytes_t *p)
{
    bytes_handle_t h;
    uint64_t sum = 0;
    for (h = bytes_first(p); h.span != 0; h = bytes_next(p, h)) {
        const bytes_view_t v = bytes_span(p, h);
        size_t i;
        for (i = 0; i < v.len; i++) sum += v.data[i];
    }
    sink += sum;
}

static NOINLINE void crate_mutate(bytes_t *p)
{
    bytes_handle_t h;
    for (h = bytes_first(p); h.span != 0; h = bytes_next(p, h)) {
        unsigned char *e = bytes_get(p, h);
        const size_t n = bytes_span(p, h).len;
        size_t i;
        for (i = 0; i < n; i++) e[i] = 10;
    }
}

static NOINLINE void crate_retain(const bytes_t *p, bool five)
{
    bytes_t clone = { { 0 } };
    bytes_copy(&clone, p);
    bytes_retain(&clone, five ? keep_five : keep_six, NULL);
    sink += bytes_len(&clone);
    bytes_release(&clone);
}

static NOINLINE void crate_mixed(void)
{
    bytes_t p = { { 0 } };
    bytes_handle_t one = bytes_append(&p, 1, 50), two = bytes_append(&p, 2, 50), three;
    crate_mutate(&p);
    bytes_free(&p, one);
    three = bytes_append(&p, 3, 25);
    sink += bytes_find(&p, is_six, NULL).span + two.span + three.span;
    bytes_release(&p);
}

#define CRATE(what, work)                                                                          \
    do {                                                                                           \
        double best = 1e30;                                                                        \
        int round;                                                                                 \
        size_t k;                                                                                  \
        for (round = 0; round < ROUNDS; round++) {                                                 \
            MINIMUM(                                                                               \
                best, for (k = 0; k < 200; k++) { work; });                                        \
        }                                                                                          \
        row(what, best / 200, "", 0);                                                              \
    } while (0)

static void bench_crate(void)
{
    bytes_t one = { { 0 } }, two = { { 0 } }, big = { { 0 } }, half = { { 0 } };
    heading("the operations of the crate's table (a pool is made and released where it does so)");
    bytes_append(&one, 5, 100);
    bytes_append(&two, 5, 99);
    bytes_append(&two, 6, 1);
    bytes_append(&big, 5, 1000);
    bytes_append(&half, 5, 50);
    bytes_append(&half, 6, 50);
    CRATE("append 1 element", crate_append(1));
    CRATE("append 10 elements", crate_append(10));
    CRATE("append 100 elements", crate_append(100));
    CRATE("free 10 elements", crate_free(10));
    CRATE("free 100 elements", crate_free(100));
    CRATE("reuse a span of 10 elements", crate_reuse(10));
    CRATE("reuse a span of 100 elements", crate_reuse(100));
    CRATE("append and free 10, the pool there already", warm_reuse(&one, 10));
    CRATE("append and free 100, the pool there already", warm_reuse(&one, 100));
    CRATE("iterate 100 elements", crate_iterate(&one));
    CRATE("iterate 1000 elements", crate_iterate(&big));
    CRATE("iterate and mutate 100 elements", crate_mutate(&one));
    CRATE("find, found in 100 elements", sink += bytes_find(&two, is_six, NULL).span);
    CRATE("find, not in 1000 elements", sink += bytes_find(&big, is_six, NULL).span);
    CRATE("find_or_append, found in 100 elements",
          sink += bytes_find_or_append(&two, 5, 1, NULL, NULL).span);
    CRATE("find_or_append, not in 1000 elements",
          bytes_free(&big, bytes_find_or_append(&big, 6, 1, NULL, NULL)));
    CRATE("retain half of 100 elements of a copy", crate_retain(&half, true));
    CRATE("retain none of 1000 elements of a copy", crate_retain(&big, false));
    CRATE("mixed work with 100 elements", crate_mixed());
    CRATE("iterate and mutate 1000 elements", crate_mutate(&big));
    bytes_release(&one);
    bytes_release(&two);
    bytes_release(&big);
    bytes_release(&half);
}

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "--count") == 0) {
        struct churn c;
        const size_t live = (size_t)strtoul(argv[2], NULL, 10);
        const bool other = argc > 3;
        churn_open(&c, live, other);
        if (!other)
            churn_pool(&c, 4 * live + 20000);
        else if (strcmp(argv[3], "malloc") == 0)
            churn_malloc(&c, 4 * live + 20000);
        else
            churn_plain(&c, 4 * live + 20000);
        churn_close(&c);
        return 0;
    }
    csv = argc == 2 && strcmp(argv[1], "--csv") == 0;
    if (csv) printf("work,pool ns,against,its ns\n");
    bench_churn();
    bench_fill();
    bench_live();
    bench_find();
    bench_crate();
    return 0;
}
