/* examples/arena_hooks.h under load: the region against a model of what is allocated, its
 * exhaustion and its trim; huge blocks; arenas on both; and a budget shared by threads, never
 * passed by one byte.
 *
 *     hooks [SEED]
 */
#define _DEFAULT_SOURCE
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include "../../examples/arena_hooks.h"
#include "program.h"

#include <pthread.h>

enum { BLOCKS = 400, STEPS = 60000, THREADS = 4 };

static uint64_t state = 1;

static size_t below(size_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % n;
}

struct block {
    unsigned char *p, fill;
    size_t bytes, align;
};

static void check_fill(const struct block *b)
{
    size_t i;
    for (i = 0; i < b->bytes; i++)
        if (b->p[i] != b->fill)
            fail("a block was written to by somebody else");
}

/* Random blocks, each full of a byte of its own: two that overlap would be seen. */
static void region_against_model(void)
{
    static struct block blocks[BLOCKS];
    unsigned long allocated = 0, refused = 0;
    arena_region_t r;
    size_t i, k;
    if (!arena_region_init(&r, (size_t)2 << 20, 0))
        fail("no region of 2 MiB");
    for (i = 0; i < STEPS; i++) {
        struct block *b = &blocks[below(BLOCKS)];
        if (b->p != NULL) {
            check_fill(b);
            r.hooks.free(r.hooks.ctx, b->p, b->bytes, b->align);
            b->p = NULL;
            continue;
        }
        b->bytes = 1 + below(below(8) == 0 ? 200000 : 3000);
        b->align = (size_t)1 << below(13);
        b->fill = (unsigned char)below(256);
        b->p = (unsigned char *)r.hooks.alloc(r.hooks.ctx, b->bytes, b->align);
        if (b->p == NULL) {
            refused++;
            continue;
        }
        allocated++;
        if (((uintptr_t)b->p & (b->align - 1)) != 0)
            fail("a block is not aligned to %lu", (unsigned long)b->align);
        if ((char *)b->p < r.base || (char *)b->p + b->bytes > r.base + r.used ||
            r.used > r.committed || r.committed > r.reserved)
            fail("a block is not inside of the region");
        memset(b->p, b->fill, b->bytes);
    }
    for (i = 0, k = 0; i < BLOCKS; i++) {
        if (blocks[i].p != NULL) {
            check_fill(&blocks[i]);
            r.hooks.free(r.hooks.ctx, blocks[i].p, blocks[i].bytes, blocks[i].align);
            k++;
        }
    }
    if (r.used != 0 || r.holes != NULL)
        fail("everything was freed, and %lu bytes are in use", (unsigned long)r.used);
    if (refused == 0 || allocated < 1000)
        fail("%lu blocks, %lu refused: the region was not put under pressure", allocated, refused);
    if (!arena_region_trim(&r) || r.committed != 0)
        fail("trim of an empty region");
    if (r.hooks.alloc(r.hooks.ctx, SIZE_MAX, 16) != NULL ||
        r.hooks.alloc(r.hooks.ctx, SIZE_MAX - 100, 16) != NULL ||
        r.hooks.alloc(r.hooks.ctx, r.reserved + 1, 1) != NULL)
        fail("more than there is was given");
    if (r.hooks.alloc(r.hooks.ctx, r.reserved, 1) == NULL)
        fail("the whole region, after a trim, was refused");
    arena_region_release(&r);
    printf("hooks: region: %lu blocks, %lu refused when full, none overlaps, all given back\n",
           allocated, refused);
}

/* Arenas on hooks: values written, read back, rewound, chunks trimmed, a second arena beside. */
static void arenas_on(const char *name, const arena_hooks_t *hooks, size_t chunk_bytes)
{
    arena_options_t options;
    arena_t a[2];
    arena_ref_t refs[2][200];
    size_t i, k, round, lengths[2][200];
    memset(&options, 0, sizeof options);
    options.chunk_bytes = chunk_bytes;
    options.hooks = hooks;
    for (k = 0; k < 2; k++)
        if (arena_init(&a[k], &options) != ARENA_OK)
            fail("%s: arena_init", name);
    for (round = 0; round < 20; round++) {
        for (i = 0; i < 200; i++) {
            for (k = 0; k < 2; k++) {
                char *p;
                lengths[k][i] = 1 + below(below(20) == 0 ? 3 * chunk_bytes / 2 : 3000);
                p = arena_reserve_ref(&a[k], lengths[k][i], &refs[k][i]);
                if (p == NULL)
                    fail("%s: %s", name, arena_status_text(arena_status(&a[k])));
                memset(p, (int)(i ^ k), lengths[k][i]);
            }
        }
        for (i = 0; i < 200; i++) {
            for (k = 0; k < 2; k++) {
                arena_view_t v = arena_value(&a[k], refs[k][i]);
                if (v.len != lengths[k][i] || v.data[0] != (char)(i ^ k) ||
                    memcmp(v.data, v.data + 1, v.len - 1) != 0)
                    fail("%s: a value is not what was stored", name);
            }
        }
        for (k = 0; k < 2; k++) {
            if (!arena_is_valid(&a[k]))
                fail("%s: the arena is damaged", name);
            arena_reset(&a[k]);
            if (below(3) == 0)
                arena_trim(&a[k], below(4) * chunk_bytes);
        }
    }
    arena_release(&a[0]);
    arena_release(&a[1]);
}

/* Over malloc, for the budget: counts on its own what is held at a time. */
static size_t held, held_peak;

static void *watched_alloc(void *ctx, size_t bytes, size_t align)
{
    size_t now = __atomic_add_fetch(&held, bytes, __ATOMIC_RELAXED);
    size_t peak = __atomic_load_n(&held_peak, __ATOMIC_RELAXED);
    while (peak < now &&
           !__atomic_compare_exchange_n(&held_peak, &peak, now, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {}
    (void)align;
    (void)ctx;
    return malloc(bytes);
}

static void watched_free(void *ctx, void *p, size_t bytes, size_t align)
{
    (void)align;
    (void)ctx;
    free(p);
    __atomic_sub_fetch(&held, bytes, __ATOMIC_RELAXED);
}

static void *spend(void *argument)
{
    arena_budget_t *b = (arena_budget_t *)argument;
    arena_options_t options;
    arena_t a;
    unsigned i, k;
    memset(&options, 0, sizeof options);
    options.chunk_bytes = 5000;
    options.hooks = &b->hooks;
    if (arena_init(&a, &options) != ARENA_OK)
        return NULL;
    for (i = 0; i < 300; i++) {
        for (k = 0; k < 40; k++)
            (void)arena_reserve(&a, 1 + (i * 37 + k * 101) % 9000);
        if (!arena_is_valid(&a))
            return NULL;
        if (i % 3 == 0)
            arena_release(&a);
        else
            arena_reset(&a);
    }
    arena_release(&a);
    return b;
}

static void budget_of_threads(void)
{
    const arena_hooks_t watched = { watched_alloc, watched_free, NULL };
    pthread_t threads[THREADS];
    arena_budget_t b;
    void *result;
    int i;
    /* Less than one thread wants by itself, so that some is refused however they are scheduled. */
    arena_budget_init(&b, 120000, &watched);
    for (i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, spend, &b) != 0)
            fail("pthread_create");
    for (i = 0; i < THREADS; i++)
        if (pthread_join(threads[i], &result) != 0 || result == NULL)
            fail("a thread found its arena damaged");
    if (arena_budget_used(&b) != 0 || held != 0)
        fail("all was released, and %lu bytes are counted", (unsigned long)arena_budget_used(&b));
    if (held_peak > b.limit || arena_budget_peak(&b) > b.limit)
        fail("%lu bytes were held on a budget of %lu", (unsigned long)held_peak,
             (unsigned long)b.limit);
    if (arena_budget_refused(&b) == 0 || arena_budget_peak(&b) < b.limit / 2)
        fail("the budget was not put under pressure");
    printf("hooks: budget: %d threads, peak %lu of %lu bytes, %lu refused\n", THREADS,
           (unsigned long)held_peak, (unsigned long)b.limit,
           (unsigned long)arena_budget_refused(&b));
}

int main(int argc, char **argv)
{
    arena_region_t r;
    arena_budget_t b;
    arena_huge_t h;
    state = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    printf("hooks: seed %lu\n", (unsigned long)state);
    region_against_model();
    if (!arena_region_init(&r, (size_t)1 << 32, ARENA_REGION_HUGE))
        fail("no region of 4 GiB");
    arenas_on("region", &r.hooks, 65535);
    if (r.used != 0 || r.holes != NULL)
        fail("the arenas on the region are released, %lu bytes are in use", (unsigned long)r.used);
    arena_budget_init(&b, (size_t)64 << 20, &r.hooks);
    arenas_on("budget over region", &b.hooks, 65535);
    if (r.used != 0 || arena_budget_used(&b) != 0)
        fail("bytes are kept");
    arena_region_release(&r);
    arena_huge_init(&h);
    arenas_on("huge", &h.hooks, 2 * ARENA_HUGE_BYTES - 1);
    if (h.mapped != 0)
        fail("%lu bytes stay mapped", (unsigned long)h.mapped);
    printf("hooks: arenas on a region, a budget over it, and huge pages: %lu blocks reserved, "
           "%lu advised, %lu plain\n", (unsigned long)h.reserved_blocks,
           (unsigned long)h.advised_blocks, (unsigned long)h.plain_blocks);
    budget_of_threads();
    return 0;
}
