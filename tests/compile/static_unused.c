/* A private copy of which nothing is used must not warn about unused functions. */
#define ARENA_STATIC
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

int main(void) { return 0; }
