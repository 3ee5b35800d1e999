/* Growing and shrinking in place, or moving. */
#include "proof.h"

#ifndef MORE
#define MORE 4 /* elements that a slice grows by */
#endif
#ifdef ONE_BYTE
#define ASK(k) (asked = (k))
#else
#define ASK(k) ((void)0)
#endif

void more(void);
void shrink(void);
void resize(void);
void allocf(void);

/* PROOF more.1 | arena_core_more_, arena_widen_, arena_block_for_, arena_block_, arena_recycle_,
 * arena_at_tip_, arena_floor_ | every valid byte arena that holds 1 chunk of 1-4 bytes; every slice
 * in it; 1-4 more bytes | slow | --unwind 3 -DALSO=33 */
/* PROOF more.waiting | as more.1, arena_reuse_ | every valid fixed byte arena of 40 bytes with up
 * to 1 block waiting; every slice in it; 1-8 more bytes | open | --unwind 4 --unwindset
 * get_head.0:5 -DFIXED -DONE_CAP -DONE_BYTE -DCAP=40 -DWAITING=1 -DMORE=8 */
void more(void)
{
    arena_core_t c;
    struct before b;
    size_t cap = 0, len = nondet_size(), count = nondet_size(), old, k = nondet_size();
    char *data, *p, was = 0;
    arena_room_t_ room;
    arbitrary_core(&c, &bytes_shape);
    data = some_storage(&c, &cap);
    ASSUME(len <= cap && count >= 1 && count <= MORE && count > cap - len);
    ASSUME(apart_from_waiting(data, cap));
    ASK(k);
    if (k < len) was = data[k];
    old = cap;
    b = remember(&c);
    room = arena_core_more_(&c, data, len, cap, NULL, count, &bytes_shape);
    p = room.data;
    cap = room.cap;
    PROVE(valid_but_for_waiting(&c));
    (void)waiting_now(&c, p, cap);
    if (p == NULL) {
        PROVE(unchanged(&b, &c));
        PROVE(cap == old);
    } else {
        PROVE(cap >= len + count);
        PROVE(held_by(&c, p, cap));
        PROVE(k >= len || p[k] == was);
        REACHED();
    }
}

/* PROOF shrink.2 | arena_core_shrink_, arena_at_tip_, arena_floor_, arena_set_tip_ | every valid
 * byte arena that holds 2 chunks of 1-4 bytes; every pointer into it, all lengths and capacities
 * | quick | --unwind 4 -DTOTAL=2 */
void shrink(void)
{
    arena_core_t c;
    size_t bytes = 0, len = nondet_size(), now, size;
    char *data;
    arbitrary_core(&c, &bytes_shape);
    data = some_storage(&c, &bytes);
    ASSUME(len <= bytes);
    size = arena_core_size_(&c);
    now = arena_core_shrink_(&c, data, len, bytes, &bytes_shape);
    PROVE(now == len || now == bytes);
    /* Padding given back with it leaves less than padding counts: it is bounded by what is used. */
    PROVE(now == bytes || arena_core_size_(&c) == (size > bytes - len ? size - (bytes - len) : 0));
    REACHED();
}

/* PROOF resize.1 | arena_resize_, arena_block_, arena_recycle_ | every valid byte arena that
 * holds 1 chunk of 1-4 bytes; every block in it; 0-6 new bytes, every alignment up to 16 | slow
 * | --unwind 4 */
/* PROOF resize.waiting | as resize.1, arena_reuse_ | every valid fixed byte arena of 40 bytes with
 * up to 1 block waiting; every block in it; 0-42 new bytes, every alignment up to 16 | open |
 * --unwind 4 --unwindset get_head.0:5 -DFIXED -DONE_CAP -DONE_BYTE -DCAP=40 -DWAITING=1 */
void resize(void)
{
    arena_core_t c;
    struct before b;
    size_t old = 0, n = nondet_size(), k = nondet_size(), align = nondet_size();
    char *data, *p, was = 0;
    ASSUME(n <= CAP + 2 && align <= 16);
    arbitrary_core(&c, &bytes_shape);
    data = some_storage(&c, &old);
    ASSUME(apart_from_waiting(data, old));
    ASK(k);
    if (k < old) was = data[k];
    b = remember(&c);
    p = (char *)arena_resize_(&c, data, old, n, align);
#ifdef WAITING
    PROVE(valid_but_for_waiting(&c));
    (void)waiting_now(&c, p, n);
#endif
    if (p == NULL && c.status != ARENA_OK) {
        PROVE(n == 0 || unchanged(&b, &c));
    } else if (p != NULL) {
        PROVE(held_by(&c, p, n));
        PROVE(k >= old || k >= n || p[k] == was);
        REACHED();
    }
}

/* PROOF allocf.1 | arena_allocf, arena_resize_, arena_block_, arena_recycle_ | every valid byte
 * arena that holds 1 chunk of 1-4 bytes; every block in it, or none and any number as its size; 0-6
 * new bytes | slow | --unwind 4 */
void allocf(void)
{
    arena_t a;
    struct before b;
    size_t old = 0, n = nondet_size(), k = nondet_size();
    char *data, *p, was = 0;
    ASSUME(n <= CAP + 2);
    arbitrary_core(&a.core, &bytes_shape);
    data = some_storage(&a.core, &old);
    if (nondet_bool()) {
        data = NULL;
        old = nondet_size();
    }
    if (data != NULL && k < old) was = data[k];
    b = remember(&a.core);
    p = (char *)arena_allocf(&a, data, old, n);
    PROVE(n != 0 || p == NULL);
    if (p == NULL) {
        PROVE(n == 0 || (unchanged(&b, &a.core) && a.core.status != ARENA_OK));
        PROVE(n != 0 || data == NULL || (allocs == 0 && frees == 0));
        PROVE(n == 0 || data == NULL || k >= old || data[k] == was);
    } else {
        PROVE(held_by(&a.core, p, n) && (ARENA_ADDRESS_(p) & (ARENA_MAX_ALIGN_ - 1)) == 0);
        PROVE(data == NULL || k >= old || k >= n || p[k] == was);
        PROVE(within_limit(&b, &a.core));
        if (data != NULL && n > old) REACHED();
    }
}
