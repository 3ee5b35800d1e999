/* The unit that holds the implementation and nothing else. Goes with unit_main.c, or with
 * unit_main.cpp. */
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
