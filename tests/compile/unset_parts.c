/* A value whose parts are not all set is stored like any other: what is unset is copied, never
 * looked at. The slow path gets short values in registers, where an optimiser could take an unset
 * part for a licence: clang then called payload() without asking for the tag. */
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

struct value {
    int tag;
    union {
        double number;
        void *p;
    } as;
};
ARENA_DEFINE(values, struct value);

#if defined(__GNUC__)
#define NOT_INLINE __attribute__((noinline))
#else
#define NOT_INLINE
#endif

static int calls;
static volatile double some = 2.5;

static NOT_INLINE double payload(void)
{
    calls++;
    return some;
}

static NOT_INLINE int stored_tag(int tag, int as_ref)
{
    values_t a = {0};
    struct value v;
    int stored;
    v.tag = tag;
    if (tag == 1) v.as.number = payload();
    if (as_ref) (void)values_ref(&a, &v, 1);
    else (void)values_append(&a, &v, 1);
    stored = values_chunk(&a, 0).data->tag;
    values_release(&a);
    return stored;
}

int main(void)
{
    if (stored_tag(0, 0) != 0 || stored_tag(0, 1) != 0 || calls != 0) return 1;
    return stored_tag(1, 0) != 1 || stored_tag(1, 1) != 1 || calls != 2;
}
