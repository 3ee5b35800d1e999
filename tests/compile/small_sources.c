/* Stores of any number of elements from objects of 1 to 64 bytes: no compiler may warn of the paths
 * for longer ones. */
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

#ifdef __cplusplus
#define ARENA_ZERO {}
#else
#define ARENA_ZERO { 0 }
#endif

struct point { double x, y; };
ARENA_DEFINE(ints, int);
ARENA_DEFINE(points, struct point);

/* main is cold to gcc; this one is not. */
int store_of(arena_t *a, const volatile size_t *n);
int store_of(arena_t *a, const volatile size_t *n)
{
    const bool ok = arena_strref_n(a, "a text", *n).len == *n &&
                    arena_append(a, "another", *n) != NULL && arena_ref(a, "one", *n).len == *n &&
                    arena_intern_n(a, "more", *n) != NULL;
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    const size_t one = (size_t)(argc > 0);
    char line[64] = "forty-two bytes or fewer", few[4] = "abc", byte = 'b';
    int numbers[4] = { 1, 2, 3, 4 };
    struct point p = { 1.0, 2.0 };
    arena_t a = ARENA_ZERO;
    ints_t i = ARENA_ZERO;
    points_t q = ARENA_ZERO;
    ints_slice_t s = ARENA_ZERO;
    bool ok = true;
    (void)argv;
    ok = ok && arena_append(&a, line, 20 + one)[0] == 'f';
    ok = ok && arena_value(&a, arena_ref(&a, line, one)).len == one;
    ok = ok && arena_append(&a, few, one) != NULL && arena_append(&a, &byte, one) != NULL;
    ok = ok && arena_intern_n(&a, few, 2 * one)[1] == 'b';
    ok = ok && arena_strref_n(&a, few, one).len == one;
    ok = ok && ints_append(&i, numbers, 3 * one)[2] == 3;
    ok = ok && ints_value(&i, ints_ref(&i, numbers, one)).data[0] == 1;
    ok = ok && ints_extend(&i, &s, numbers, 4 * one) && s.data[3] == 4;
    ok = ok && store_of(&a, &one) == 0;
    ok = ok && points_append(&q, &p, one)->x == 1.0;
    arena_release(&a);
    ints_release(&i);
    points_release(&q);
    return ok ? 0 : 1;
}
