/* Resolving: Refs with any bits whatever. */
#include "proof.h"

void value_bytes(void);
void value_quads(void);
void value_no_arena(void);
void value_of_a_reservation(void);

static void resolves(const arena_shape_t_ *s)
{
    arena_core_t c;
    arena_bits_t_ r = nondet_bits();
    arena_run_t_ v;
    arbitrary_core(&c, s);
    v = arena_core_value_(&c, r, s->size);
    if (v.len == 0) {
        PROVE(v.data == NULL);
    } else {
        PROVE(v.len == r.len);
        PROVE(held_by(&c, v.data, v.len * s->size));
        PROVE(READABLE(v.data, v.len * s->size));
        REACHED();
    }
}

/* PROOF value_bytes.1 | arena_core_value_ | all 2^96 Refs; bytes; every valid arena that holds 1
 * chunk of 1-4 bytes | quick | --unwind 4 */
/* PROOF value_bytes.2 | arena_core_value_ | all 2^96 Refs; bytes; every valid arena that holds 2
 * chunks of 1-4 bytes | quick | --unwind 4 -DTOTAL=2 */
void value_bytes(void) { resolves(&bytes_shape); }

/* PROOF value_quads.2 | arena_core_value_ | all 2^96 Refs; 4-byte elements; every valid arena
 * that holds 2 chunks of 4 bytes | quick | --unwind 4 -DTOTAL=2 */
void value_quads(void) { resolves(&quad_shape); }

/* PROOF value_no_arena | arena_core_value_ | all 2^96 Refs; the arena that is {0} | quick |
 * --unwind 6 */
void value_no_arena(void)
{
    arena_core_t c;
    arena_run_t_ v;
    memset(&c, 0, sizeof c);
    v = arena_core_value_(&c, nondet_bits(), 1);
    PROVE(v.len == 0 && v.data == NULL);
    REACHED();
}

/* PROOF value_of_a_reservation | arena_core_reserve_ref_, arena_core_value_,
 * arena_core_value_unchecked_ | every length and room up to 4 bytes | quick | --unwind 4 */
void value_of_a_reservation(void)
{
    arena_core_t c;
    size_t n = nondet_size();
    char *p;
    arena_bits_t_ r;
    arena_run_t_ v, w;
    arbitrary_core(&c, &bytes_shape);
    ASSUME(n >= 1 && n <= arena_left_(&c));
    p = arena_core_reserve_ref_(&c, n, &r, &bytes_shape);
    v = arena_core_value_(&c, r, 1);
    w = arena_core_value_unchecked_(&c, r, 1);
    PROVE(v.len == n && v.data == p);
    PROVE(w.len == n && w.data == p);
    PROVE(READABLE(p, n));
    PROVE(arena_valid_(&c));
    REACHED();
}
