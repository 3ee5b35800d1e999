/* One arena for what lives as long as a frame of a game: reset at its end, the memory used again.
 * The hooks count how often memory is asked for: a few times in the first frame, never
 * afterwards. */
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <stdio.h>
#include <stdlib.h>

struct particle { float x, y, vx, vy; unsigned colour; };
ARENA_DEFINE(particles, struct particle);

static void *counted_alloc(void *ctx, size_t bytes, size_t align)
{
    (void)align;                                 /* no more than malloc's is asked for here */
    ++*(unsigned *)ctx;
    return malloc(bytes);
}

static void counted_free(void *ctx, void *p, size_t bytes, size_t align)
{
    (void)ctx;
    (void)bytes;
    (void)align;
    free(p);
}

int main(void)
{
    unsigned calls = 0, frame, before;
    arena_hooks_t hooks;
    arena_options_t options = { 0 };
    particles_t a;

    hooks.alloc = counted_alloc;
    hooks.free = counted_free;
    hooks.ctx = &calls;
    options.chunk_bytes = 4096;
    options.hooks = &hooks;
    if (particles_init(&a, &options) != ARENA_OK)
        return 1;
    for (frame = 1; frame <= 4; frame++) {
        unsigned i, count = frame == 3 ? 500 : 1000;
        float sum = 0;
        before = calls;
        for (i = 0; i < count; i++) {
            struct particle *p = particles_reserve(&a, 1);   /* not cleared: every field is set */
            if (p == NULL)
                return 1;
            p->x = p->y = (float)(i % 10);
            p->vx = p->vy = 0.5f;
            p->colour = i;
            sum += p->x + p->vx;
        }
        printf("frame %u: %lu bytes in %lu chunks, sum %.1f, %s\n", frame,
               (unsigned long)particles_size(&a), (unsigned long)particles_chunk_count(&a),
               (double)sum, calls == before ? "no allocation" : "chunks allocated");
        particles_reset(&a);
    }
    particles_release(&a);
    return 0;
}
