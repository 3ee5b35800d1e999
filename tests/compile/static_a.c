/* Two files of one program hold a private copy each. Goes with static_b.c. */
#define ARENA_STATIC
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#define USE_NAME use_a
#include "use.h"

int use_b(void);

int main(void) { return use_a() == 0 && use_b() == 0 ? 0 : 1; }
