/*
 * The public macros inside macros of the user whose arguments have every common name, and families,
 * element types, variables and struct members with such names: nothing of the user's may be
 * captured by a name inside arena.h.
 */
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

/* Every name is both a family and, with a suffix, an element type. */
#define FAMILY(name)                                          \
    typedef struct name##_type {                              \
        int name;                                             \
    } name##_type;                                            \
    ARENA_DEFINE(name, name##_type);                          \
    ARENA_DECLARE(name##_kin);                                \
    ARENA_DEFINE_DECLARED(name##_kin, name##_type);           \
    ARENA_SLICE_DEFINE(name##_of, name##_type);               \
    ARENA_POOL_DEFINE(name##_pool, name##_type);              \
    ARENA_POOL_DECLARE(name##_kin_pool);                      \
    ARENA_POOL_DEFINE_DECLARED(name##_kin_pool, name##_type);
FAMILY(a)
FAMILY(b)
FAMILY(c)
FAMILY(e)
FAMILY(h)
FAMILY(i)
FAMILY(m)
FAMILY(n)
FAMILY(p)
FAMILY(q)
FAMILY(r)
FAMILY(s)
FAMILY(t)
FAMILY(v)
FAMILY(x)
FAMILY(T)
FAMILY(name)
FAMILY(names)
FAMILY(type)
FAMILY(elem)
FAMILY(align)
FAMILY(count)
FAMILY(bytes)
FAMILY(len)
FAMILY(cap)
FAMILY(data)
FAMILY(src)
FAMILY(dst)
FAMILY(ref)
FAMILY(view)
FAMILY(slice)
FAMILY(mark)
FAMILY(core)
FAMILY(chunk)
FAMILY(ctx)
FAMILY(value)
FAMILY(pool)
FAMILY(options)
FAMILY(hooks)
FAMILY(status)
FAMILY(lane)
FAMILY(g)
FAMILY(group)
FAMILY(image)

/* Wrappers of the user whose parameters are called as those inside arena.h may be. */
#define NEW(a, T) ARENA_NEW(a, T)
#define NEW_ARRAY(p, e, n) ARENA_NEW_ARRAY(p, e, n)
#define NEW_OF(s, name, count) ARENA_NEW_ARRAY(s, name, count)
#define NEW_IN(m, x, r) ARENA_NEW_ARRAY(m, x, r)
#define DEFINE(T, name) ARENA_DEFINE(T, name)
#define DECLARE(T) ARENA_DECLARE(T)
#define DEFINE_DECLARED(T, name) ARENA_DEFINE_DECLARED(T, name)
#define DEFINE_SLICE(elem, type) ARENA_SLICE_DEFINE(elem, type)
#define DEFINE_POOL(align, size) ARENA_POOL_DEFINE(align, size)
#define DECLARE_POOL(T) ARENA_POOL_DECLARE(T)
#define DEFINE_DECLARED_POOL(p, h) ARENA_POOL_DEFINE_DECLARED(p, h)
DEFINE(wrapped, unsigned);
DECLARE(wrapped_kin);
DEFINE_DECLARED(wrapped_kin, unsigned);
DEFINE_SLICE(wrapped_slice, unsigned);
DEFINE_POOL(wrapped_pool, unsigned);
DECLARE_POOL(wrapped_kin_pool);
DEFINE_DECLARED_POOL(wrapped_kin_pool, unsigned);

/* Local variables of these names are the arguments of macros that may have locals of their own. */
#define SCOPE_OF(name)                                            \
    do {                                                          \
        arena_t *name = &one;                                     \
        ARENA_SCOPE(name) { entered += arena_current() == name; } \
        ARENA_SCOPE(name) { entered += NEW(name, int) != NULL; }  \
    } while (0)

int main(void)
{
    arena_t one = arena_make(0);
    int entered = 0;
    struct outer {
        arena_t *a;
    } outer, *n = &outer;
    outer.a = &one;
    SCOPE_OF(a);
    SCOPE_OF(s);
    SCOPE_OF(scope);
    SCOPE_OF(scope_);
    SCOPE_OF(i);
    SCOPE_OF(p);
    SCOPE_OF(m);
    SCOPE_OF(once);
    SCOPE_OF(mark);
    SCOPE_OF(current);
    SCOPE_OF(arena);
    SCOPE_OF(arena_);
    /* Arguments are full expressions: a comma operator, a conditional, a member of a pointer. */
    if (NEW_ARRAY(n->a, int, 1 + 2) == NULL) return 1;
    if (NEW_OF(entered > 0 ? n->a : n->a, int, (size_t)(entered > 0 ? 2 : 3)) == NULL) return 1;
    if (NEW_IN((&one), struct outer, 5) == NULL) return 1;
    arena_release(&one);
    return entered == 24 ? 0 : 1;
}
