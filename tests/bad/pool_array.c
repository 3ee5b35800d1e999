// Arrays as elements of a span pool: elements are passed by value, so they have to be structs.
// expect: function returning an array|cannot return array type
// max-lines: 20
// max-errors: 2
#include "../../arena.h"
#ifdef GOOD
typedef struct vertex {
    float at[3];
} vertex;
#else
typedef float vertex[3];
#endif
ARENA_POOL_DEFINE(meshes, vertex);
