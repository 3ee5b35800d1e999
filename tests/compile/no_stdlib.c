/* No libc: hooks of the user, on a static buffer. Compiled with -ffreestanding; the objects are
 * examined by `make symbols`. */
#define ARENA_NO_STDLIB
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include "no_stdlib_use.h"
