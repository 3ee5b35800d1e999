/* The second user in the same program, as C. */
#include "../../arena.h"
#define USE_NAME use_more
#include "use.h"
