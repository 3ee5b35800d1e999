/* Everything as C++: header, implementation, user. */
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include "use.h"

int main() { return use_arena() == 0 ? 0 : 1; }
