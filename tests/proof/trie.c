/*
 * The holes of one bin of the span pool, hung in a trie by size: any trie of up to 2 holes of any
 * sizes, as its check lets it through. With 2 bins for every power of two instead of 32: tries are
 * as deep, and all of them can be asked about at once.
 */
#define ARENA_POOL_COL_BITS_ 1
#define PROOF_PLAIN_COPY
#include "proof.h"

#ifndef HOLES
#define HOLES 2
#endif
enum { FIRST = HOLES, LAST = 2 * HOLES - 1, NODES = 2 * HOLES }; /* Slots below FIRST are live. */

static arena_pool_span_t_ nodes[NODES];
arena_pool_span_t_ nondet_span(void);

static arena_pool_core_t c;

/* Live spans and the hole behind each; no bin has one yet. */
static void some_holes(void)
{
    uint32_t i;
    c.spans = nodes;
    c.used = NODES - 1;
    for (i = 0; i < NODES; i++) {
        nodes[i] = nondet_span();
        ASSUME(nodes[i].count != 0);
    }
    for (i = 0; i < HOLES; i++) {
        nodes[i].generation = 1;
        nodes[i].next = ((FIRST + i) << 1) + 1;
        nodes[FIRST + i].prev = i << 1;
        nodes[FIRST + i].generation = 0;
    }
}

/* The bits that say whether the bin is empty are in order; those of other bins are any. */
static void some_bits(uint32_t bin)
{
    const uint32_t row = bin >> ARENA_POOL_COL_BITS_, col = bin & (ARENA_POOL_COLS_ - 1u);
    c.rows = nondet_u32();
    c.cols[row] = nondet_u32();
    ASSUME((c.cols[row] >> col & 1) == (c.bins[bin] != 0 ? 1u : 0u));
    ASSUME((c.rows >> row & 1) == (c.cols[row] != 0 ? 1u : 0u));
}

/* Any bin that is in order. How many holes it has. */
static uint32_t some_bin(uint32_t bin)
{
    uint32_t n = 0;
    some_holes();
    c.bins[bin] = nondet_u32();
    ASSUME(c.bins[bin] <= LAST);
    some_bits(bin);
    ASSUME(arena_pool_bin_holes_(&c, bin, &n));
    return n;
}

void trie_insert(void);
void trie_remove(void);
void trie_search(void);
void bin_any(void);

/* Bit number `level` of a size, counted from the highest that its bin leaves open. */
static uint32_t open_bit(uint32_t count, uint32_t level)
{
    const uint32_t row = arena_pool_high_(count | ARENA_POOL_COLS_) - ARENA_POOL_COL_BITS_;
    return count >> (row - 1 - level) & 1;
}

/* PROOF trie_insert | arena_pool_insert_ | every trie of up to 2 holes, every size of a third: no
 * bound; it hangs where its bits lead, before the hole of its size if there is one | quick
 * | --unwind 4 --unwindset some_holes.0:7,trie_insert.0:7,trie_insert.1:7 -DHOLES=3 */
void trie_insert(void)
{
    enum { ROOT = FIRST, OTHER = FIRST + 1 };
    const uint32_t count = nondet_u32(), bin = arena_pool_bin_(count);
    const bool exact = arena_pool_exact_(bin);
    uint32_t n = nondet_u32(), same = 0, bit, *link = &c.bins[bin];
    struct arena_pool_span_t_ before[NODES];
    ASSUME(count != 0 && n <= 2);
    some_holes();
    nodes[LAST].count = count;
    if (n > 0) {
        ASSUME(arena_pool_bin_(nodes[ROOT].count) == bin);
        nodes[ROOT].as.hole.child[0] = nodes[ROOT].as.hole.child[1] = 0;
        nodes[ROOT].as.hole.more = 0;
        *link = ROOT;
        if (nodes[ROOT].count == count) same = ROOT;
    }
    if (n > 1) { /* Behind the root in its list, or below it. */
        ASSUME(arena_pool_bin_(nodes[OTHER].count) == bin);
        nodes[OTHER].as.hole.child[0] = nodes[OTHER].as.hole.child[1] = 0;
        nodes[OTHER].as.hole.more = 0;
        if (nodes[OTHER].count == nodes[ROOT].count) {
            nodes[ROOT].as.hole.more = OTHER;
            nodes[OTHER].as.hole.child[0] = ROOT;
            nodes[OTHER].as.hole.child[1] = ARENA_POOL_END_;
        } else {
            nodes[ROOT].as.hole.child[open_bit(nodes[OTHER].count, 0)] = OTHER;
            if (nodes[OTHER].count == count) same = OTHER;
        }
    }
    /* The link that has to lead to it. */
    if (n > 0 && same != ROOT && !exact) {
        bit = open_bit(count, 0);
        link = &nodes[ROOT].as.hole.child[bit];
        if (*link != 0 && same == 0) link = &nodes[OTHER].as.hole.child[open_bit(count, 1)];
    }
    PROVE(*link == same);
    some_bits(bin);
    for (bit = 0; bit < NODES; bit++) before[bit] = nodes[bit];
    arena_pool_insert_(&c, LAST);
    PROVE(*link == LAST && nodes[LAST].as.hole.more == same && nodes[LAST].count == count);
    if (same != 0) {
        PROVE(nodes[same].as.hole.child[0] == LAST);
        PROVE(nodes[same].as.hole.child[1] == ARENA_POOL_END_);
        PROVE(nodes[same].as.hole.more == before[same].as.hole.more);
        PROVE(nodes[LAST].as.hole.child[0] == before[same].as.hole.child[0]);
        PROVE(nodes[LAST].as.hole.child[1] == before[same].as.hole.child[1]);
    } else {
        PROVE(nodes[LAST].as.hole.child[0] == 0 && nodes[LAST].as.hole.child[1] == 0);
    }
    for (bit = FIRST; bit < LAST; bit++) { /* The others hang as they did. */
        PROVE(nodes[bit].count == before[bit].count);
        PROVE(bit == same || nodes[bit].as.hole.more == before[bit].as.hole.more);
        PROVE(bit == same || link == &nodes[bit].as.hole.child[0] ||
              nodes[bit].as.hole.child[0] == before[bit].as.hole.child[0]);
        PROVE(bit == same || link == &nodes[bit].as.hole.child[1] ||
              nodes[bit].as.hole.child[1] == before[bit].as.hole.child[1]);
    }
    PROVE((c.rows >> (bin >> ARENA_POOL_COL_BITS_) & 1) == 1);
    PROVE((c.cols[bin >> ARENA_POOL_COL_BITS_] >> (bin & (ARENA_POOL_COLS_ - 1u)) & 1) == 1);
    if (n == 2 && same == 0) REACHED();
}

/* PROOF trie_remove | arena_pool_remove_, arena_pool_unhang_ | every trie of up to 2 holes, of any
 * sizes, each of them: no bound | slow | --unwind 4 --unwindset some_holes.0:7 */
void trie_remove(void)
{
    const uint32_t count = nondet_u32(), bin = arena_pool_bin_(count), slot = nondet_u32();
    uint32_t n, m = 0;
    ASSUME(count != 0);
    n = some_bin(bin);
    ASSUME(n == HOLES ? slot >= FIRST && slot <= LAST : n != 0 && slot == c.bins[bin]);
    arena_pool_remove_(&c, slot);
    PROVE(arena_pool_bin_holes_(&c, bin, &m) && m == n - 1);
    PROVE((c.bins[bin] != 0) ==
          ((c.cols[bin >> ARENA_POOL_COL_BITS_] >> (bin & (ARENA_POOL_COLS_ - 1u)) & 1) == 1));
    if (n == HOLES) REACHED();
}

/* PROOF trie_search | arena_pool_search_, arena_pool_least_ | every trie of 2 holes of any sizes,
 * every size sought: no bound; the least hole that is large enough is found | slow | --unwind 4
 * --unwindset some_holes.0:7 */
void trie_search(void)
{
    const uint32_t count = nondet_u32(), bin = arena_pool_bin_(count);
    const uint32_t *link;
    uint32_t i;
    ASSUME(count != 0 && !arena_pool_exact_(bin));
    ASSUME(some_bin(bin) == HOLES);
    link = arena_pool_search_(&c, count, bin);
    for (i = FIRST; i <= LAST; i++) {
        if (link == NULL) PROVE(nodes[i].count < count);
        else PROVE(nodes[i].count < count || nodes[i].count >= nodes[*link].count);
    }
    if (link != NULL) {
        PROVE(*link >= FIRST && *link <= LAST && nodes[*link].count >= count);
        REACHED();
    }
}

/* PROOF bin_any | arena_pool_bin_holes_, arena_pool_is_hole_ read nothing outside, and end | every
 * content of a table of 4 slots, every bin | slow | --unwind 6 */
void bin_any(void)
{
    const uint32_t bin = nondet_u32();
    uint32_t i, n = 0;
    ASSUME(bin < ARENA_POOL_BINS_);
    for (i = 0; i < NODES; i++) nodes[i] = nondet_span();
    c.spans = nodes;
    c.used = NODES - 1;
    c.bins[bin] = nondet_u32();
    if (arena_pool_bin_holes_(&c, bin, &n)) {
        PROVE(n < NODES && (n != 0) == (c.bins[bin] != 0));
        if (n == HOLES) REACHED();
    }
}
