/* The implementation is asked for once and the header is included three times. */
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include "../../arena.h"
#include "use.h"
#include "../../arena.h"

int main(void) { return use_arena() == 0 ? 0 : 1; }
