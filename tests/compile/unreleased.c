/* An arena that lives to the end of the program, as many do: what it holds is reachable, and no leak
 * checker calls it lost. Chunks begin at a cache line, somewhere inside what malloc gave. */
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

static arena_t text;

int main(void)
{
    int i;
    for (i = 0; i < 10000; i++)
        if (arena_intern(&text, "a text of some length, so that there are many chunks") == NULL)
            return 1;
    return arena_chunk_count(&text) < 5;
}
