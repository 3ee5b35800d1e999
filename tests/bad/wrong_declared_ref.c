// The Ref of another family in an element that has Refs to its own kind.
// expect: incompatible type
// max-lines: 10
// max-errors: 1
#include "../../arena.h"
ARENA_DECLARE(nodes);
ARENA_DEFINE(leaves, int);
struct node {
    nodes_ref_t next;
    leaves_ref_t leaf;
};
ARENA_DEFINE_DECLARED(nodes, struct node);

size_t next_of(const nodes_t *a, const struct node *n);
size_t next_of(const nodes_t *a, const struct node *n)
{
#ifdef GOOD
    return nodes_value(a, n->next).len;
#else
    return nodes_value(a, n->leaf).len;
#endif
}
