// The compiler checks the arguments of printf against its format.
// expect: format
// max-lines: 10
// max-errors: 1
#include "../../arena.h"

const char *text(arena_t *a, const char *s);
const char *text(arena_t *a, const char *s)
{
#ifdef GOOD
    return arena_printf(a, "%s", s);
#else
    return arena_printf(a, "%d", s);
#endif
}
