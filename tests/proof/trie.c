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

/* PROOF trie_insert | arena_pool_insert_ | every trie of up to 1 hole, every size of a second: no
 * bound | open | --unwind 4 --unwindset some_holes.0:7 */
void trie_insert(void)
{
    const uint32_t count = nondet_u32(), bin = arena_pool_bin_(count);
    uint32_t n = 0, m = 0;
    ASSUME(count != 0);
    some_holes();
    if (nondet_bool()) {
        ASSUME(arena_pool_bin_(nodes[FIRST].count) == bin);
        nodes[FIRST].as.hole.child[0] = nodes[FIRST].as.hole.child[1] = 0;
        nodes[FIRST].as.hole.more = 0;
        c.bins[bin] = FIRST;
        n = 1;
    }
    some_bits(bin);
    nodes[LAST].count = count;
    arena_pool_insert_(&c, LAST);
    PROVE(arena_pool_bin_holes_(&c, bin, &m) && m == n + 1);
    PROVE(c.bins[bin] != 0 && (c.rows >> (bin >> ARENA_POOL_COL_BITS_) & 1) == 1);
    PROVE((c.cols[bin >> ARENA_POOL_COL_BITS_] >> (bin & (ARENA_POOL_COLS_ - 1u)) & 1) == 1);
    if (n == 1) REACHED();
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
