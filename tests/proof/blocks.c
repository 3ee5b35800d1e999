/*
 * Storage that waits to be used again: lists of up to 2 blocks in a chunk of 48 bytes, which holds
 * blocks of two classes.
 */
#define ONE_CAP
#define CAP 48
#ifndef WAITING
#define WAITING 2
#endif
#include "proof.h"

void push_block(void);
void join_block(void);
void recycle(void);
void reuse(void);
void block(void);
void bound_padding(void);

/* Storage that died: it is padding from now on, and waits nowhere yet. */
static char *some_dead(arena_core_t *c, size_t *bytes)
{
    char *p;
    arbitrary_core(c, &bytes_shape);
    p = some_storage(c, bytes);
    ASSUME(apart_from_waiting(p, *bytes) && c->padding >= waited_bytes + *bytes);
    return p;
}

/* PROOF push_block | arena_push_block_, arena_class_ | every valid byte arena that holds 1 chunk
 * of 48 bytes with up to 2 blocks waiting; all other storage in it | quick | --unwind 4
 * --unwindset get_head.0:6 */
void push_block(void)
{
    arena_core_t c;
    size_t bytes = 0;
    char *p = some_dead(&c, &bytes);
    arena_push_block_(&c, p, bytes);
    PROVE(waiting_now(&c, NULL, 0) ==
          waited_bytes + (bytes < sizeof(arena_block_t_) ? 0 : bytes));
    REACHED();
}

/* PROOF join_block | arena_join_block_, arena_push_block_ | as push_block, and any block that began
 * to wait last, also one that waits no more | slow | --unwind 4 --unwindset get_head.0:6 */
void join_block(void)
{
    arena_core_t c;
    size_t bytes = 0, now;
    char *p = some_dead(&c, &bytes);
    arena_join_block_(&c, p, bytes, ARENA_ADDRESS_(c.chunks[0].base));
    now = waiting_now(&c, NULL, 0);
    PROVE(now == waited_bytes + bytes || (bytes < sizeof(arena_block_t_) && now == waited_bytes));
    if (bytes < sizeof(arena_block_t_) && now != waited_bytes) REACHED();
}

/* PROOF recycle | arena_recycle_, arena_join_block_, arena_push_block_, arena_at_tip_,
 * arena_floor_, arena_set_tip_, arena_bound_padding_ | every valid byte arena that holds 1 chunk of
 * 48 bytes with up to 2 blocks waiting, any mark in force; all other storage in it | slow
 * | --unwind 4 --unwindset get_head.0:6 */
void recycle(void)
{
    arena_core_t c;
    size_t bytes = 0, size, used, k = nondet_size();
    char *p, was;
    arbitrary_core(&c, &bytes_shape);
    p = some_storage(&c, &bytes);
    used = c.others + (size_t)(ARENA_ADDRESS_(c.cur) - ARENA_ADDRESS_(c.base));
    ASSUME(apart_from_waiting(p, bytes) && c.padding <= used - bytes);
    ASSUME(k < CAP && apart(c.chunks[0].base + k, 1, p, bytes));
    was = c.chunks[0].base[k];
    size = arena_core_size_(&c);
    arena_recycle_(&c, p, bytes);
    PROVE(valid_but_for_waiting(&c));
    (void)waiting_now(&c, NULL, 0);
    PROVE(arena_core_size_(&c) == size - bytes || arena_core_size_(&c) == size);
    PROVE(c.chunks[0].base[k] == was || !apart_from_waiting(c.chunks[0].base + k, 1));
    if (c.waiting != 0) REACHED();
}

/* PROOF reuse | arena_reuse_, arena_push_block_ | every valid byte arena that holds 1 chunk of 48
 * bytes with up to 2 blocks waiting; every size, every power of two as alignment: no bound | slow
 * | --unwind 4 --unwindset get_head.0:6 */
void reuse(void)
{
    arena_core_t c;
    const size_t bytes = nondet_size(), align = nondet_size();
    size_t padding;
    char *p;
    ASSUME(bytes >= 1 && bytes <= PTRDIFF_MAX && align != 0 && (align & (align - 1)) == 0);
    arbitrary_core(&c, &bytes_shape);
    padding = c.padding;
    p = arena_reuse_(&c, bytes, align);
    if (p == NULL) {
        PROVE(waiting_now(&c, NULL, 0) == waited_bytes && c.padding == padding);
    } else {
        PROVE((ARENA_ADDRESS_(p) & (align - 1)) == 0 && c.padding == padding - bytes);
        PROVE(held_by(&c, p, bytes) && !apart_from_waiting(p, bytes));
        PROVE(waiting_now(&c, p, bytes) <= waited_bytes - bytes);
        if (c.waiting != 0) REACHED();
    }
}

/* PROOF block | arena_block_for_, arena_block_, arena_reuse_, arena_place_ | every valid fixed byte
 * arena of 48 bytes with up to 1 block waiting; every size wanted and needed, every power of two as
 * alignment: no bound | open | --unwind 4 --unwindset get_head.0:6 -DFIXED -DWAITING=1 -DONE_BYTE
 * */
void block(void)
{
    arena_core_t c;
    const size_t need = nondet_size(), align = nondet_size();
    arena_status_t status = ARENA_OK;
    size_t want = nondet_size(), size, left;
    char *p;
    ASSUME(need >= 1 && need <= want && want <= PTRDIFF_MAX);
    ASSUME(align != 0 && (align & (align - 1)) == 0);
    arbitrary_core(&c, &bytes_shape);
    size = arena_core_size_(&c);
    left = arena_left_(&c);
    p = arena_block_for_(&c, &want, need, 1, align, &status);
    PROVE(valid_but_for_waiting(&c));
    if (p == NULL) {
        PROVE(status == ARENA_LIMIT && arena_core_size_(&c) == size && arena_left_(&c) == left);
        PROVE(waiting_now(&c, NULL, 0) == waited_bytes);
    } else {
        PROVE((ARENA_ADDRESS_(p) & (align - 1)) == 0 && want >= need && held_by(&c, p, want));
        PROVE(arena_core_size_(&c) == size + want);
        (void)waiting_now(&c, p, want);
        if (c.waiting != 0) REACHED();
    }
}

/* PROOF bound_padding | arena_bound_padding_ | all figures: no bound | quick | --unwind 3 */
void bound_padding(void)
{
    arena_core_t c = nondet_core();
    const size_t padding = c.padding;
    size_t used;
    chunk_table[0].base = (char *)malloc(CAP);
    used = nondet_size();
    ASSUME(chunk_table[0].base != NULL && used <= CAP && c.others <= SIZE_MAX - used);
    c.base = chunk_table[0].base;
    c.cur = c.base + used;
    if (nondet_bool()) c.base = c.cur = NULL, used = 0;
    used += c.others;
    arena_bound_padding_(&c);
    PROVE(c.padding <= used && (c.padding == padding || (c.padding == used && padding > used)));
    REACHED();
}
