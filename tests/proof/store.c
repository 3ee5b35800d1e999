/* Placing: stores, objects, and what a failure leaves. */
#include "proof.h"

void fits(void);
void room_bytes(void);
void room_lane(void);
void room_quads(void);
void alloc_bytes(void);

/* PROOF fits | arena_fits_ | every count, every room, elements of 1, 4, 24 and 4096 bytes: no
 * bound | quick | --unwind 5 */
void fits(void)
{
    static const size_t sizes[] = {1, 4, 24, 4096};
    size_t k;
    for (k = 0; k < 4; k++) {
        arena_core_t c = nondet_core();
        const size_t count = nondet_size(), size = sizes[k];
        if (arena_fits_(&c, count, size)) {
            PROVE(count >= 1);
            PROVE(count <= SIZE_MAX / size);
            PROVE(count * size <= arena_left_(&c));
            REACHED();
        }
    }
}

/* One value that the hot path had no room for, of up to two chunks' bytes, with and without Ref and
 * NUL. */
static void place(const arena_shape_t_ *s, size_t most)
{
    arena_core_t c;
    struct before b;
    size_t count = nondet_size(), size = 0;
    unsigned flags = nondet_unsigned() & (s->spare != 0 ? ARENA_NUL_ | ARENA_REF_ : ARENA_REF_);
    arena_bits_t_ r = {0, 0, 0};
    char *p;
    ASSUME(count <= most);
    arbitrary_core(&c, s);
    b = remember(&c);
    size = arena_core_size_(&c);
    p = arena_room_(&c, count, s, flags, (flags & ARENA_REF_) != 0 ? &r : NULL);
    PROVE(arena_valid_(&c) && group_adds_up(&c));
    if (p == NULL) {
        PROVE(unchanged(&b, &c));
        PROVE(count == 0 || c.status != ARENA_OK);
        PROVE(r.len == 0);
        PROVE(allocs - refused == frees);
    } else {
        PROVE(held_by(&c, p, count * s->size));
        PROVE(READABLE(p, count * s->size + ((flags & ARENA_NUL_) != 0 ? 1 : 0)));
        PROVE((flags & ARENA_NUL_) == 0 || p[count * s->size] == 0);
        PROVE(arena_core_size_(&c) == size + count * s->size);
        PROVE(within_limit(&b, &c));
        if ((flags & ARENA_REF_) != 0) {
            arena_run_t_ v = arena_core_value_(&c, r, s->size);
            PROVE(v.data == p && v.len == count);
        }
        REACHED();
    }
}

/* PROOF room_bytes.0 | as room_bytes.1 | as room_bytes.1, with no chunk yet | quick | --unwind 3
 * -DTOTAL=0 */
/* PROOF room_bytes.1 | arena_room_, arena_place_, arena_need_, arena_put_, arena_open_,
 * arena_enter_, arena_charge_, arena_discharge_, arena_choose_, arena_set_current_,
 * arena_set_tip_ | every valid byte arena that holds 1 chunk of 1-4 bytes, any limit, any
 * failure of the hooks; counts 0-6 | quick | --unwind 3 */
/* PROOF room_bytes.2 | as room_bytes.1 | as room_bytes.1, with 2 chunks | slow | --unwind 4
 * -DTOTAL=2 */
/* PROOF room_lane.0 | as room_bytes.1, arena_claim_number_, arena_return_number_, arena_publish_ |
 * a lane with no chunk yet, as room_bytes.1; any state of a group of 3 numbers | slow | --unwind 4
 * -DTOTAL=0 -DLANE -DPROOF_ATOMICS */
/* PROOF room_lane.1 | as room_lane.0 | as room_lane.0, a valid lane that holds 1 chunk, with a
 * number or without | slow | --unwind 4 -DLANE -DPROOF_ATOMICS */
void room_bytes(void) { place(&bytes_shape, CAP + 2); }
void room_lane(void) { place(&bytes_shape, CAP + 2); }

/* PROOF room_quads.0 | as room_bytes.1 | as room_quads.1, with no chunk yet | slow | --unwind 3
 * -DTOTAL=0 */
/* PROOF room_quads.1 | as room_bytes.1 | every valid arena of 4-byte elements that holds 1 chunk of
 * one; counts 0-2 | slow | --unwind 3 */
void room_quads(void) { place(&quad_shape, CAP / 4 + 1); }

/* PROOF alloc_bytes.0 | as alloc_bytes.1 | as alloc_bytes.1, with no chunk yet | quick | --unwind 3
 * -DTOTAL=0 */
/* PROOF alloc_bytes.1 | arena_alloc, arena_core_alloc_, arena_alloc_slow_ and below | every
 * valid byte arena that holds 1 chunk of 1-4 bytes; sizes 0-6, every alignment whatever | slow |
 * --unwind 3 */
void alloc_bytes(void)
{
    arena_t a;
    struct before b;
    size_t bytes = nondet_size(), align = nondet_size(), size;
    char *p;
    ASSUME(bytes <= CAP + 2);
    arbitrary_core(&a.core, &bytes_shape);
    b = remember(&a.core);
    size = arena_core_size_(&a.core);
    p = (char *)arena_alloc(&a, bytes, align);
    PROVE(arena_valid_(&a.core));
    if (p == NULL) {
        PROVE(unchanged(&b, &a.core));
    } else {
        PROVE(align != 0 && (align & (align - 1)) == 0 && bytes != 0);
        PROVE(held_by(&a.core, p, bytes));
        PROVE(arena_core_size_(&a.core) == size + bytes);
        REACHED();
    }
}

void move_table(void);

/* PROOF move_table.2 | arena_move_table_, arena_table_bytes_ | every valid byte arena that holds 2
 * chunks of 1-4 bytes; a table of 4 places instead of 3 | quick | --unwind 6 -DTOTAL=2
 * -DMOVED_TABLE=4 */
void move_table(void)
{
#ifdef MOVED_TABLE
    arena_core_t c;
    struct before b;
    struct moved {
        arena_chunk_t_ chunks[MOVED_TABLE];
        arena_entry_t_ entries[MOVED_TABLE];
    } *block;
    uint32_t i;
    arbitrary_core(&c, &bytes_shape);
    block = (struct moved *)malloc(sizeof(struct moved));
    ASSUME(block != NULL && arena_charge_(&c, arena_table_bytes_(&c, MOVED_TABLE)));
    b = remember(&c);
    arena_move_table_(&c, block, MOVED_TABLE);
    PROVE(arena_valid_(&c));
    PROVE(frees == 1 && c.slots == MOVED_TABLE && c.total == b.core.total);
    PROVE(c.cur == b.core.cur && c.end == b.core.end && c.base == b.core.base);
    for (i = 0; i < TOTAL; i++) {
        PROVE(c.chunks[i].base == b.chunks[i].base && c.chunks[i].used == b.chunks[i].used);
        PROVE(c.table[i].tag == b.entries[i].tag && c.table[i].held == b.entries[i].held);
    }
    for (i = SLOTS; i < MOVED_TABLE; i++) PROVE(c.table[i].tag == 0);
    REACHED();
#endif
}
