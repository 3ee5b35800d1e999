/* Four threads, one set of Refs: every thread stores through a lane of its own, without a lock, and
 * anybody who was handed a Ref resolves it through any lane of the group. */
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, EACH = 1000 };

struct worker {
    arena_t lane;
    arena_group_t *group;
    arena_ref_t refs[EACH];
    unsigned number;
};

static void *work(void *argument)
{
    struct worker *w = (struct worker *)argument;
    unsigned i;
    if (arena_join(&w->lane, w->group) != ARENA_OK)
        return NULL;
    for (i = 0; i < EACH; i++) {
        char line[64];
        int n = snprintf(line, sizeof line, "thread %u, line %u", w->number, i);
        if (n > 0 && (size_t)n < sizeof line)
            w->refs[i] = arena_strref_n(&w->lane, line, (size_t)n);
    }
    return NULL;
}

int main(void)
{
    static struct worker workers[THREADS];
    pthread_t threads[THREADS];
    arena_group_t group;
    unsigned long bytes = 0, lines = 0;
    unsigned i, k;

    /* At most 1024 chunks, all lanes together. */
    if (arena_group_init(&group, NULL, 1024) != ARENA_OK)
        return 1;
    for (i = 0; i < THREADS; i++) {
        workers[i].group = &group;
        workers[i].number = i;
        if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0)
            return 1;
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);          /* the hand-over: now it is ours to read */

    /* The first lane resolves what the others stored. */
    for (i = 0; i < THREADS; i++)
        for (k = 0; k < EACH; k++) {
            arena_view_t v = arena_value(&workers[0].lane, workers[i].refs[k]);
            bytes += v.len;
            lines += v.len != 0;
        }
    printf("%lu lines, %lu bytes\n", lines, bytes);
    printf("through lane 0: \"%s\"\n", arena_str(&workers[0].lane, workers[3].refs[EACH - 1]));
    for (i = 0; i < THREADS; i++)
        arena_release(&workers[i].lane);         /* a lane leaves its group before the group ends */
    arena_group_release(&group);
    return 0;
}
