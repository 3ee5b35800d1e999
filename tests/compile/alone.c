/* arena.h before anything else: it includes what it needs itself. */
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include "use.h"

int main(void) { return use_arena() == 0 ? 0 : 1; }
