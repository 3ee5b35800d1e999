// Two threads store through the same lane; each has to have its own.
// catch tsan: data race
// catch helgrind: data race
#define _POSIX_C_SOURCE 200809L
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include <pthread.h>

static arena_group_t group;
static arena_t lanes[2];

static void *store(void *lane)
{
    int i;
    for (i = 0; i < 2000; i++) arena_append((arena_t *)lane, "0123456789abcdef", 16);
    return NULL;
}

int main(void)
{
    pthread_t other;
    memset(&group, 0, sizeof group);
    if (arena_group_init(&group, NULL, 64) != ARENA_OK) return 1;
    if (arena_join(&lanes[0], &group) != ARENA_OK) return 1;
    if (arena_join(&lanes[1], &group) != ARENA_OK) return 1;
#ifdef PLANTED
    if (pthread_create(&other, NULL, store, &lanes[0]) != 0) return 1;
#else
    if (pthread_create(&other, NULL, store, &lanes[1]) != 0) return 1;
#endif
    store(&lanes[0]);
    pthread_join(other, NULL);
    arena_release(&lanes[0]);
    arena_release(&lanes[1]);
    arena_group_release(&group);
    return 0;
}
