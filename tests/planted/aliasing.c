// A float is read where an int was stored.
// catch tysan: type-aliasing-violation
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

int main(void)
{
    arena_t a = arena_make(0);
    int *stored = ARENA_NEW(&a, int);
    float read = 0;
    *stored = 0x3f800000;
#ifdef PLANTED
    read = *(float *)(void *)stored;
#else
    read = (float)*stored;
#endif
    arena_release(&a);
    return read < 0.5F;
}
