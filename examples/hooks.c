/* The ready hooks of arena_hooks.h at work. The output does not depend on the machine, so what kind
 * of pages there were is not part of it: `hooks --verbose` says that too. */
#define _DEFAULT_SOURCE
#define ARENA_IMPLEMENTATION
#include "../arena.h"
#include "arena_hooks.h"

#include <stdio.h>
#include <string.h>

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

/* One reservation far larger than the batch: chunks lie side by side in it, and memory is committed
 * as they are opened. Chunks of 64 KiB less one byte: with the spare byte each is a whole number of
 * pages. */
static int region(void)
{
    static char value[1000];
    arena_region_t r;
    arena_options_t options = { 0 };
    arena_t a;
    size_t i, committed;
    if (!arena_region_init(&r, 8192 * MIB, ARENA_REGION_HUGE))
        return 1;
    options.chunk_bytes = 64 * KIB - 1;
    options.hooks = &r.hooks;
    if (arena_init(&a, &options) != ARENA_OK)
        return 1;
    for (i = 0; i < 20000; i++)
        if (arena_append(&a, value, sizeof value) == NULL)
            return 1;
    committed = r.committed;
    printf("region: %lu bytes stored, %lu MiB committed of %lu MiB reserved\n",
           (unsigned long)arena_size(&a), (unsigned long)(committed / MIB),
           (unsigned long)(r.reserved / MIB));
    arena_reset(&a);
    for (i = 0; i < 20000; i++)
        if (arena_append(&a, value, sizeof value) == NULL)
            return 1;
    printf("region: the second batch %s\n",
           r.committed == committed ? "commits nothing" : "commits more");
    arena_release(&a);
    printf("region: released, %lu bytes in use, ", (unsigned long)r.used);
    if (!arena_region_trim(&r))
        return 1;
    printf("%lu committed after the trim\n", (unsigned long)r.committed);
    arena_region_release(&r);
    return 0;
}

/* Large chunks, each a mapping of its own made of huge pages where the system gives them. */
static int huge(bool verbose)
{
    arena_huge_t h;
    arena_options_t options = { 0 };
    arena_t a;
    char *p;
    arena_huge_init(&h);
    options.chunk_bytes = 4 * MIB - 1;
    options.hooks = &h.hooks;
    if (arena_init(&a, &options) != ARENA_OK)
        return 1;
    p = arena_reserve(&a, 3 * MIB);
    if (p == NULL || arena_reserve(&a, 3 * MIB) == NULL)
        return 1;
    memset(p, 1, 3 * MIB);
    printf("huge: two chunks, %lu MiB mapped, the first %s at a huge page\n",
           (unsigned long)(h.mapped / MIB),
           (uintptr_t)arena_chunk(&a, 0).data % ARENA_HUGE_BYTES == 0
           ? "begins" : "does not begin");
    if (verbose)
        printf("huge: %lu blocks of reserved huge pages, %lu advised, %lu plain\n",
               (unsigned long)h.reserved_blocks, (unsigned long)h.advised_blocks,
               (unsigned long)h.plain_blocks);
    arena_release(&a);
    printf("huge: released, %lu bytes mapped\n", (unsigned long)h.mapped);
    return 0;
}

/* Two arenas on one budget: what one gives back the other can have. */
static int budget(void)
{
    arena_budget_t b;
    arena_options_t options = { 0 };
    arena_t x, y;
    unsigned stored[3] = { 0, 0, 0 };
    arena_budget_init(&b, 1 * MIB, NULL);
    options.hooks = &b.hooks;
    if (arena_init(&x, &options) != ARENA_OK || arena_init(&y, &options) != ARENA_OK)
        return 1;
    while (stored[0] < 10 && arena_reserve(&x, 60 * KIB) != NULL)
        stored[0]++;
    while (arena_reserve(&y, 60 * KIB) != NULL)
        stored[1]++;
    printf("budget: x has %u chunks, y gets %u before \"%s\"\n", stored[0], stored[1],
           arena_status_text(arena_status(&y)));
    arena_release(&x);
    while (arena_reserve(&y, 60 * KIB) != NULL)
        stored[2]++;
    printf("budget: x is released, y gets %u more; within the limit: %s, refused: %lu\n", stored[2],
           arena_budget_peak(&b) <= b.limit ? "yes" : "no",
           (unsigned long)arena_budget_refused(&b));
    arena_release(&y);
    printf("budget: all released, %lu bytes in use\n", (unsigned long)arena_budget_used(&b));
    return 0;
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && strcmp(argv[1], "--verbose") == 0;
    return region() != 0 || huge(verbose) != 0 || budget() != 0;
}
