/* The implementation compiled as C++; the users are C, C++ or both. */
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
