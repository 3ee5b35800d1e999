/* The check of the invariants: safe whatever the bookkeeping says. */
#include "proof.h"

void valid_any(void);

/* PROOF valid_any.2 | arena_valid_ reads nothing outside | every content of the bookkeeping of a
 * byte arena with a table of 3 places, no storage waiting; trusted are the pointers, the capacities
 * and the number of places | quick | --unwind 5 -DTOTAL=2 */
void valid_any(void)
{
    arena_core_t c = nondet_core();
    uint32_t i;
    c.group = NULL;
    c.size = c.align = c.spare = 1;
    c.slots = SLOTS;
    c.chunks = chunk_table;
    c.table = entry_table;
    proof_memset(c.reuse, 0, sizeof c.reuse);
    for (i = 0; i < SLOTS; i++) {
        struct record r = nondet_record();
        chunk_table[i] = r.chunk;
        entry_table[i] = r.entry;
        if (chunk_table[i].base != NULL) {
            ASSUME(chunk_table[i].cap <= CAP);
            chunk_table[i].base = (char *)object_of(chunk_table[i].cap + 1);
        }
    }
    if (arena_valid_(&c)) {
        PROVE(c.opened <= SLOTS && c.numbers == c.opened);
        REACHED();
    }
}
