/* The implementation first; a later plain include must not bring it a second time. */
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#undef ARENA_IMPLEMENTATION
#include "../../arena.h"
#include "use.h"

int main(void) { return use_arena() == 0 ? 0 : 1; }
