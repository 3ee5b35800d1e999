// A misspelt element type behind ARENA_DECLARE.
// expect: unknown type name|did you mean|undeclared
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
ARENA_DECLARE(nodes);
typedef struct node {
    nodes_ref_t next;
} node_t;
#ifdef GOOD
ARENA_DEFINE_DECLARED(nodes, node_t);
#else
ARENA_DEFINE_DECLARED(nodes, ndoe_t);
#endif
