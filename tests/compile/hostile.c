/* arena.h behind a wall of hostile macros, see hostile.h. The standard headers come first, as they
 * are not the subject. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef __STDC_NO_ATOMICS__
#if defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#include <stdatomic.h>
#endif
#endif
#include "hostile.h"
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include "use.h"

int main(void) { return use_arena() == 0 ? 0 : 1; }
