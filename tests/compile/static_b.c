/* The second private copy; see static_a.c. */
#define ARENA_STATIC
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#define USE_NAME use_b
#include "use.h"
