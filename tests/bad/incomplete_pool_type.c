// An element type of a span pool of which only the name is known.
// expect: incomplete type
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
#ifdef GOOD
struct vertex {
    float x, y, z;
};
#endif
struct vertex;
ARENA_POOL_DEFINE(meshes, struct vertex);
