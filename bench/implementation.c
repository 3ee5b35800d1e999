/* The one file of the benchmark that holds the implementation, as in any program. */
#define ARENA_IMPLEMENTATION
#include "../arena.h"
