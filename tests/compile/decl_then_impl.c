/* Declarations first, as when another header includes arena.h; the implementation below. */
#include "../../arena.h"
#include "use.h"
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

int main(void) { return use_arena() == 0 ? 0 : 1; }
