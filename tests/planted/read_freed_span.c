// A span of a pool is read through a pointer taken before it was freed.
// catch asan: use-after-poison
// catch valgrind: Invalid read
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
ARENA_POOL_DEFINE(numbers, long long);

int main(void)
{
    numbers_t pool = {0};
    numbers_handle_t kept = numbers_append(&pool, 1, 8);
    numbers_handle_t freed = numbers_append(&pool, 2, 8);
    const long long *p = numbers_get(&pool, freed);
    long long sum = p[0];
    if (numbers_free(&pool, freed) != ARENA_OK) return 1;
    sum += numbers_get(&pool, kept)[7];
#ifdef PLANTED
    sum += p[0];
#endif
    numbers_release(&pool);
    return sum == 0;
}
