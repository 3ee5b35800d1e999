/* malloc, free and the memory functions replaced by the user's own: nothing of libc may be called
 * for them. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static size_t own_live, own_calls;
static void *own_malloc(size_t n)
{
    void *p = malloc(n);
    if (p != NULL) own_live++;
    return p;
}
static void own_free(void *p)
{
    if (p != NULL) own_live--;
    free(p);
}
static void *own_copy(void *to, const void *from, size_t n)
{
    own_calls++;
    return memmove(to, from, n);
}
static void *own_set(void *to, int value, size_t n)
{
    own_calls++;
    return memset(to, value, n);
}
static int own_compare(const void *p, const void *q, size_t n)
{
    own_calls++;
    return memcmp(p, q, n);
}
#define ARENA_MALLOC(n) own_malloc(n)
#define ARENA_FREE(p) own_free(p)
#define ARENA_MEMCPY(to, from, n) own_copy(to, from, n)
#define ARENA_MEMMOVE(to, from, n) own_copy(to, from, n)
#define ARENA_MEMSET(to, value, n) own_set(to, value, n)
#define ARENA_MEMCMP(p, q, n) own_compare(p, q, n)
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include "use.h"

int main(void)
{
    if (own_compare("a", "a", 1) != 0) return 1;
    return use_arena() == 0 && own_live == 0 && own_calls > 1 ? 0 : 1;
}
