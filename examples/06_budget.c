/* A limit on an arena: what goes over it is refused before anything is taken, the arena stays as it
 * was, and the program goes on. The error is kept until somebody looks, so a batch is checked
 * once; or on_error leaves the batch by longjmp, and no call is checked at all. */
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static void on_error(void *ctx, arena_status_t status, size_t bytes)
{
    unsigned *refused = (unsigned *)ctx;
    if (++*refused == 1)
        printf("first refusal: %s, for %lu bytes\n", arena_status_text(status),
               (unsigned long)bytes);
}

static void on_error_leave(void *ctx, arena_status_t status, size_t bytes)
{
    (void)bytes;
    longjmp(*(jmp_buf *)ctx, (int)status);       /* no status is 0 but ARENA_OK */
}

/* Stores until the limit ends it. */
static void fill(arena_t *a)
{
    for (;;) arena_printf(a, "%s", "fifteen letters");
}

int main(void)
{
    static char own_memory[2048];
    static const char block[1000] = { 0 };
    static jmp_buf batch;
    arena_options_t options = { 0 };
    unsigned refused = 0, stored = 0;
    arena_t a;

    /* At most 20,000 bytes from malloc at any time, bookkeeping included. */
    options.chunk_bytes = 4096;
    options.limit_bytes = 20000;
    options.on_error = on_error;
    options.on_error_ctx = &refused;
    if (arena_init(&a, &options) != ARENA_OK)
        return 1;
    while (stored + refused < 100) {
        if (arena_append(&a, block, sizeof block) != NULL)
            stored++;
    }
    printf("%u stored, %u refused, within the limit: %s\n", stored, refused,
           arena_stats(&a).allocated <= options.limit_bytes ? "yes" : "no");
    printf("status: %s\n", arena_status_text(arena_status(&a)));

    arena_reset(&a);                             /* the next batch starts with a clear status */
    printf("after the reset: %s, %s\n", arena_status_text(arena_status(&a)),
           arena_intern(&a, "and it stores again"));
    arena_release(&a);

    /* Memory of one's own and nothing else: no allocator is ever called. */
    memset(&options, 0, sizeof options);
    options.buffer = own_memory;
    options.buffer_bytes = sizeof own_memory;
    options.fixed = true;
    if (arena_init(&a, &options) != ARENA_OK)
        return 1;
    for (stored = 0; arena_intern(&a, "fifteen letters") != NULL; stored++) {}
    printf("in 2048 bytes of our own: %u strings of 16 bytes, %lu bytes allocated\n", stored,
           (unsigned long)arena_stats(&a).allocated);
    arena_release(&a);

    /* on_error leaves the batch; the arena is whole and is used again. */
    options.on_error = on_error_leave;
    options.on_error_ctx = &batch;
    if (arena_init(&a, &options) != ARENA_OK)
        return 1;
    if (setjmp(batch) == 0)
        fill(&a);
    printf("left with: %s; whole: %s\n", arena_status_text(arena_status(&a)),
           arena_is_valid(&a) ? "yes" : "no");
    arena_reset(&a);
    printf("the next batch: %s\n", arena_printf(&a, "%d", 1));
    arena_release(&a);
    return 0;
}
