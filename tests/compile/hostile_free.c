/* malloc and free as macros, as debugging allocators have them. A struct member called free must
 * not be caught by them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static size_t hostile_live;
static void *hostile_malloc(size_t n)
{
    void *p = malloc(n);
    if (p != NULL) hostile_live++;
    return p;
}
static void hostile_free(void *p)
{
    if (p != NULL) hostile_live--;
    free(p);
}
#define malloc(n) hostile_malloc(n)
#define free(p) hostile_free(p)
#define calloc(n, m) hostile calloc
#define realloc(p, n) hostile realloc
#define alloc(n) hostile alloc
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include "use.h"

int main(void) { return use_arena() == 0 && hostile_live == 0 ? 0 : 1; }
