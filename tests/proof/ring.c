/*
 * The ring of spans of a pool: any pool of up to LIVE live spans of 1-2 elements, with or without a
 * hole of 1-2 elements before each, room behind the last one, and slots to spare. Where a request
 * needs more memory the hooks refuse, but in the harnesses about growing, taking and copying.
 *
 * What is proved elsewhere is replaced here: `prove` makes a copy of arena.h where the functions of
 * tries (trie.c is about them) and those that find the places of zones and chains in the table have
 * another name, and calls of them come to the ones below. So the checker need not know bins, and
 * the table has no more slots than there are spans. So has the one that finds all of them again,
 * which pool_index is about.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
struct arena_pool_core_t;
static void arena_pool_insert_(struct arena_pool_core_t *c, uint32_t slot);
static void arena_pool_remove_(struct arena_pool_core_t *c, uint32_t slot);
static void arena_pool_unhang_(struct arena_pool_core_t *c, uint32_t *link, uint32_t bin);
static uint32_t *arena_pool_fit_(struct arena_pool_core_t *c, uint32_t count, uint32_t *bin);
static uint32_t *arena_pool_zone_(const struct arena_pool_core_t *c, uint32_t zone);
static uint32_t *arena_pool_zone_bits_(const struct arena_pool_core_t *c, uint32_t zone);
static uint32_t *arena_pool_chain_(const struct arena_pool_core_t *c, uint32_t hash);
static void arena_pool_index_(struct arena_pool_core_t *c);
static uint64_t arena_pool_mix_(uint64_t x);
static uint32_t arena_pool_hash_(uint32_t seed, const char *p, size_t bytes);
static void *ring_copy(void *dst, const void *src, size_t n);
#define ARENA_MEMCPY ring_copy
#define ARENA_MEMMOVE ring_copy
static void *ring_clear_bytes(void *dst, int value, size_t n);
#define ARENA_MEMSET ring_clear_bytes
#define PROOF_PLAIN_COPY
#define PROOF_ARENA "../../build/proof/ring.h"
#include "proof.h"

#ifndef LIVE
#define LIVE 2
#endif
#ifndef BUFFER
#define BUFFER 16 /* elements of the buffer */
#endif
enum {
    HOLE = LIVE + 1, USED = 2 * LIVE, TABLE = USED + 2, SLOTS_SAID = 32, ROOM = BUFFER,
    MOST = ROOM + 4, ZONES = SLOTS_SAID / 16, CHAINS = 2
};

static const arena_shape_t_ shape = {1, 1, 0};
static arena_pool_core_t c, was, target;
static arena_pool_span_t_ spans[TABLE], were[TABLE];
static uint32_t zones[ZONES], zone_bits, chains[CHAINS], found;
static bool hung[TABLE]; /* in some trie */
static bool indexed;
static bool grants;      /* or the hooks refuse */
static char *granted;
static size_t granted_bytes;
static uint32_t asked_bin; /* Of the bins any one is looked at where all are cleared or copied. */
struct content { char at[ROOM]; };
static struct content buffer, old_buffer;
static size_t asked; /* Of the elements of a span it is any one that is compared. */

arena_pool_span_t_ nondet_span(void);
struct content nondet_content(void);

static uint32_t *arena_pool_zone_(const struct arena_pool_core_t *p, uint32_t zone)
{
    PROVE(p == &c && zone < ZONES);
    return &zones[zone];
}

static uint32_t *arena_pool_zone_bits_(const struct arena_pool_core_t *p, uint32_t zone)
{
    PROVE(p == &c && zone < ZONES);
    return &zone_bits;
}

static uint32_t *arena_pool_chain_(const struct arena_pool_core_t *p, uint32_t hash)
{
    PROVE(p == &c);
    return &chains[hash >> 31];
}

/* The heads of chains are cleared here; the rest is what the real one does (pool.c). */
static void arena_pool_index_(struct arena_pool_core_t *p)
{
#ifdef COPIED /* It is only seen that it is called for the copy, of which all else is in place. */
    PROVE(p == &target && !indexed && p->end == c.end && p->spans[0].next == spans[0].next);
    indexed = true;
#else
    uint32_t slot;
    for (slot = 0; slot < CHAINS; slot++) chains[slot] = ARENA_POOL_END_;
    for (slot = arena_pool_after_(p, 0); slot != 0; slot = arena_pool_after_(p, slot))
        if (p->spans[slot].as.live.chain > 1) arena_pool_chain_add_(p, slot);
    p->zone_shift = 0;
    arena_pool_zone_all_(p, p->end);
#endif
}

/* Generations and hashes may be any. */
static uint64_t arena_pool_mix_(uint64_t x)
{
    (void)x;
    return nondet_u32();
}

static uint32_t arena_pool_hash_(uint32_t seed, const char *p, size_t bytes)
{
    PROVE(seed != 0 && READABLE(p, bytes));
    return nondet_u32();
}

/* Hanging a hole writes to it and, at the end of a list, to slot 0. */
static void arena_pool_insert_(struct arena_pool_core_t *p, uint32_t slot)
{
    PROVE(p == &c && slot >= 1 && slot < TABLE);
    PROVE(!hung[slot] && spans[slot].count != 0);
    hung[slot] = true;
    spans[slot].as = nondet_span().as;
    spans[0].as = nondet_span().as;
}

static void arena_pool_remove_(struct arena_pool_core_t *p, uint32_t slot)
{
    PROVE(p == &c && slot >= 1 && slot < TABLE);
    PROVE(hung[slot]);
    hung[slot] = false;
    spans[0].as = nondet_span().as;
}

static void arena_pool_unhang_(struct arena_pool_core_t *p, uint32_t *link, uint32_t bin)
{
    PROVE(link == &found && bin == 7);
    arena_pool_remove_(p, found);
}

/* Any of the least holes that are large enough. */
static uint32_t *arena_pool_fit_(struct arena_pool_core_t *p, uint32_t count, uint32_t *bin)
{
    const uint32_t any = nondet_u32();
    uint32_t i, least = 0;
    PROVE(p == &c && count != 0);
    for (i = 1; i < TABLE; i++)
        if (hung[i] && spans[i].count >= count &&
            (least == 0 || spans[i].count < spans[least].count ||
             (i == any && spans[i].count == spans[least].count)))
            least = i;
    *bin = 7;
    found = least;
    return least != 0 ? &found : NULL;
}

static void *ring_clear_bytes(void *dst, int value, size_t n)
{
    uint32_t i;
    if (dst == c.bins) { /* With the bins all holes are gone. */
        PROVE(value == 0 && n == sizeof c.bins);
        c.bins[asked_bin] = 0;
        for (i = 0; i < TABLE; i++) hung[i] = false;
    } else if (dst == c.cols) {
        PROVE(value == 0 && n == sizeof c.cols);
        for (i = 0; i < ARENA_POOL_ROWS_; i++) c.cols[i] = 0;
    } else {
        proof_memset(dst, value, n);
    }
    return dst;
}

/* WHOLE: where spans move, all is copied; else just the element that is asked about. */
static void *ring_copy(void *dst, const void *src, size_t n)
{
#ifdef COPIED
    uint32_t k;
    PROVE(dst != granted || n <= granted_bytes);
    if (src == spans) {
        PROVE(n == (USED + 1) * sizeof(arena_pool_span_t_) && WRITABLE(dst, n));
        for (k = 0; k <= USED; k++) ((arena_pool_span_t_ *)dst)[k] = spans[k];
        return dst;
    }
    if (src == c.bins) {
        PROVE(n == sizeof c.bins && dst == target.bins);
        target.bins[asked_bin] = c.bins[asked_bin];
        return dst;
    }
    if (src == c.cols) {
        PROVE(n == sizeof c.cols && dst == target.cols);
        for (k = 0; k < ARENA_POOL_ROWS_; k++) target.cols[k] = c.cols[k];
        return dst;
    }
#endif
#ifdef WHOLE
    char between[MOST];
    size_t i;
    PROVE(n <= MOST);
    for (i = 0; i < n; i++) between[i] = ((const char *)src)[i];
    for (i = 0; i < n; i++) ((char *)dst)[i] = between[i];
#else
    PROVE(READABLE(src, n) && WRITABLE(dst, n));
    if (asked < n) ((char *)dst)[asked] = ((const char *)src)[asked];
#endif
    return dst;
}

static void *some_memory(void *ctx, size_t bytes, size_t align)
{
    size_t k;
    PROVE(ctx == spans && bytes > 0 && bytes <= PTRDIFF_MAX);
    PROVE(align > 0 && (align & (align - 1)) == 0);
    allocs++;
    if (!grants || align == ARENA_POOL_TABLE_ALIGN_ || granted != NULL || nondet_bool())
        return NULL;
    for (k = 1; k <= MOST; k++) /* Objects of a constant size are easier on the checker. */
        if (bytes == k) granted = (char *)malloc(k);
    granted_bytes = bytes;
    return granted;
}

static void give_back(void *ctx, void *p, size_t bytes, size_t align)
{
    PROVE(ctx == spans && align > 0);
    PROVE(p == spans ? bytes == arena_pool_table_bytes_(SLOTS_SAID)
                     : p == buffer.at && bytes == ROOM);
    frees++;
}

/* The zones name some live span that begins in each. */
static void some_zones(void)
{
    uint32_t slot;
    c.zone_shift = nondet_bool() ? 3 : 31;
    for (slot = 1; slot <= LIVE; slot++) {
        arena_pool_span_t_ *r = &spans[slot];
        uint32_t zone;
        if ((r->generation & 1) == 0) continue;
        zone = r->as.live.start >> c.zone_shift;
        r->as.live.chain = 0;
        if (zones[zone] != 0 && nondet_bool()) continue;
        if (zones[zone] != 0) spans[zones[zone]].as.live.chain = 0;
        r->as.live.chain = 1;
        zones[zone] = slot;
        zone_bits |= UINT32_C(1) << zone;
    }
}

static void some_pool(void)
{
    uint32_t i, at = 0, prev = 0, first = ROOM;
    c.top = nondet_u32();
    c.low = nondet_u32();
    c.seed = nondet_u32();
    c.hooks.alloc = some_memory;
    c.hooks.free = give_back;
    c.hooks.ctx = spans;
    c.data = buffer.at;
    c.spans = spans;
    c.slots = SLOTS_SAID;
    c.used = USED;
    c.capacity = ROOM;
    c.allocated = ROOM + arena_pool_table_bytes_(SLOTS_SAID);
    c.step = (nondet_u32() << 2) + 1;
    buffer = old_buffer = nondet_content();
    for (i = 0; i < TABLE; i++) spans[i] = nondet_span();
    for (i = 0; i < CHAINS; i++) chains[i] = ARENA_POOL_END_;
    spans[0].generation = 1;
    for (i = 0; i < LIVE; i++) {
        arena_pool_span_t_ *live = &spans[1 + i], *hole = &spans[HOLE + i];
        const bool is_live = (i == 0 || c.live == i) && nondet_bool();
        live->generation = (live->generation & ~1u) + (is_live ? 1u : 0);
        hole->generation &= ~1u;
        if (is_live && nondet_bool()) {
            ASSUME(hole->count == 1 || hole->count == 2);
            arena_pool_join_(&c, prev, ((HOLE + i) << 1) + 1);
            prev = ((HOLE + i) << 1) + 1;
            if (first == ROOM) first = at;
            at += hole->count;
            hung[HOLE + i] = true;
            c.holes++;
        } else {
            arena_pool_bury_(&c, HOLE + i);
        }
        if (is_live) {
            ASSUME(live->count == 1 || live->count == 2);
            live->as.live.start = at;
            arena_pool_join_(&c, prev, (1 + i) << 1);
            prev = (1 + i) << 1;
            at += live->count;
            c.len += live->count;
            c.live++;
        } else {
            arena_pool_bury_(&c, 1 + i);
        }
    }
    arena_pool_join_(&c, prev, 0);
    c.end = at;
    ASSUME(c.end <= c.top && c.top <= ROOM && c.low <= c.end && (first == ROOM || c.low <= first));
    some_zones();
#ifdef CHAINED /* Stored by fetch_or_append, with any hash. */
    for (i = 1; i <= LIVE; i++)
        if ((spans[i].generation & 1) == 1 && nondet_bool()) arena_pool_chain_add_(&c, i);
#endif
    was = c;
    for (i = 0; i < TABLE; i++) were[i] = spans[i];
    asked = nondet_size();
}

/* P1, P3 to P6 and P8 to P10 as is_valid checks them; and the holes are those that hang. */
static bool in_order(void)
{
    uint32_t next, slot, prev = 0, at = 0, len = 0, live = 0, holes = 0, n = 0, i, named = 0;
    uint32_t chained = 0;
    if (c.end > c.top || c.top > c.capacity || c.low > c.end || c.used >= TABLE) return false;
    for (next = spans[0].next; next != 0; prev = next, next = spans[next >> 1].next) {
        const arena_pool_span_t_ *r;
        if (next >> 1 > c.used) return false;
        r = &spans[next >> 1];
        if ((r->generation & 1) == (next & 1) || hung[next >> 1] != ((next & 1) == 1)) return false;
        if (r->prev != prev || r->count == 0 || r->count > c.end - at) return false;
        if ((next & 1) == 0) {
            if (r->as.live.start != at || at >> c.zone_shift >= ZONES) return false;
            if (zones[at >> c.zone_shift] == 0) return false;
            if (r->as.live.chain > 1) chained++;
            if ((r->as.live.chain & 1) != 0) named++;
            len += r->count;
            live++;
        } else {
            if ((prev & 1) != 0 || r->next == 0 || at < c.low) return false;
            holes++;
        }
        at += r->count;
    }
    if (spans[0].prev != prev || spans[0].generation != 1 || at != c.end) return false;
    if (len != c.len || live != c.live || holes != c.holes) return false;
    for (i = 0; i < TABLE; i++) n += hung[i] ? 1 : 0;
    if (n != holes) return false;
    for (n = 0, slot = c.spare; slot != 0; slot = spans[slot].next, n++)
        if (slot > c.used || (spans[slot].generation & 1) != 0 || hung[slot]) return false;
    if (n != c.used - live - holes) return false;
    for (n = 0, i = 0; i < CHAINS; i++)
        for (slot = chains[i]; slot != ARENA_POOL_END_; slot = spans[slot].as.live.chain >> 1)
            if (slot == 0 || slot > c.used || (spans[slot].generation & 1) == 0 ||
                spans[slot].as.live.hash >> 31 != i || ++n > chained)
                return false;
    if (n != chained || zone_bits >> ZONES != 0) return false;
    for (i = 0; i < ZONES; i++) {
        if ((zone_bits >> i & 1) != (zones[i] != 0 ? 1u : 0)) return false;
        if (zones[i] == 0) continue;
        if (zones[i] > c.used || (spans[zones[i]].generation & 1) == 0) return false;
        if (spans[zones[i]].as.live.start >> c.zone_shift != i) return false;
        if ((spans[zones[i]].as.live.chain & 1) == 0) return false;
        named--;
    }
    return named == 0;
}

/* The live spans but one: same handle, place and content. */
static bool others_stay(uint32_t but)
{
    uint32_t i;
    for (i = 1; i <= LIVE; i++) {
        if (i == but || (were[i].generation & 1) == 0) continue;
        if (spans[i].generation != were[i].generation || spans[i].count != were[i].count ||
            spans[i].as.live.start != were[i].as.live.start)
            return false;
        if (asked < were[i].count && c.data[were[i].as.live.start + asked] !=
                                         old_buffer.at[were[i].as.live.start + asked])
            return false;
    }
    return true;
}

/* What a refused call leaves. */
static bool nothing_changed(void)
{
    return others_stay(0) && c.spare == was.spare && c.used == was.used && c.end == was.end &&
           c.top == was.top && c.len == was.len && c.live == was.live && c.holes == was.holes &&
           c.capacity == was.capacity && c.low == was.low &&
           c.data == was.data && c.spans == was.spans && c.allocated == was.allocated;
}

void ring_some(void);
void ring_free(void);
void ring_append(void);
void ring_resize(void);
void ring_at(void);
void ring_next_free(void);
void ring_compact(void);
void ring_retain(void);
void ring_grow(void);
void ring_take(void);
void ring_fetch(void);
void ring_find(void);
void ring_clear(void);
void ring_drain(void);
void ring_copy_of(void);
void ring_copy_none(void);

/* PROOF ring_some | the check of these harnesses | every pool that they begin with is in order
 * | quick | --unwind 7 */
void ring_some(void)
{
    some_pool();
    PROVE(in_order());
    if (c.live == LIVE && c.holes == LIVE) REACHED();
}

/* PROOF ring_free.2 | arena_pool_free_, arena_pool_drop_, arena_pool_zone_drop_,
 * arena_pool_chain_drop_, arena_pool_bury_, arena_pool_join_ | all 2^64 handles; every pool of up
 * to 2 spans, each of them perhaps stored by fetch_or_append | quick | --unwind 7 -DCHAINED */
void ring_free(void)
{
    const uint32_t span = nondet_u32(), generation = nondet_u32();
    some_pool();
    if (arena_pool_free_(&c, span, generation, &shape) != ARENA_OK) {
        PROVE(nothing_changed() && in_order());
    } else {
        PROVE(span >= 1 && span <= LIVE && were[span].generation == generation);
        PROVE(!arena_pool_alive_(&c, span, generation));
        PROVE(in_order() && others_stay(span) && allocs == 0);
        PROVE(c.live == was.live - 1 && c.len == was.len - were[span].count);
        if (c.holes < was.holes) REACHED();
    }
}

/* PROOF ring_append | arena_pool_place_, arena_pool_place_slow_, arena_pool_put_, arena_pool_fit_,
 * arena_pool_carve_, arena_pool_slot_, arena_pool_seek_, arena_pool_zone_add_ | every count: no
 * bound; every pool of up to 2 spans, hooks that refuse; the least hole that is large enough is
 * taken, and where any room is nothing is asked of the hooks | quick | --unwind 7 */
void ring_append(void)
{
    const size_t count = nondet_size();
    uint32_t slot, i, least = 0;
    ASSUME(count != 0);
    some_pool();
    for (i = HOLE; i <= USED; i++)
        if (hung[i] && were[i].count >= count &&
            (least == 0 || were[i].count < were[least].count))
            least = i;
    slot = arena_pool_place_(&c, count, &shape);
    PROVE(in_order() && others_stay(0));
    if (slot == 0) {
        PROVE(nothing_changed() && c.status != ARENA_OK);
        PROVE(least == 0 && count > (size_t)ROOM - was.end);
    } else {
        const uint32_t start = spans[slot].as.live.start;
        PROVE(slot <= c.used && spans[slot].count == count && (spans[slot].generation & 1) == 1);
        PROVE(slot > USED || (were[slot].generation & 1) == 0);
        PROVE(start <= ROOM - count && c.len == was.len + count && allocs == 0);
        PROVE(least != 0 ? start < was.end : start == was.end);
        PROVE(least == 0 || c.holes == was.holes - (were[least].count == count ? 1u : 0));
        if (least != 0) REACHED();
    }
}

/* PROOF ring_resize | arena_pool_resize_, arena_pool_cut_, arena_pool_stretch_, arena_pool_move_,
 * arena_pool_slide_, arena_pool_behind_, arena_pool_grow_ | all 2^64 handles, every count: no
 * bound; every pool of up to 2 spans, hooks that refuse | slow | --unwind 7 -DWHOLE */
void ring_resize(void)
{
    const uint32_t span = nondet_u32(), generation = nondet_u32();
    const size_t count = nondet_size();
    some_pool();
    if (!arena_pool_resize_(&c, span, generation, count, &shape)) {
        PROVE(nothing_changed() && in_order() && c.status != ARENA_OK);
    } else {
        PROVE(span >= 1 && span <= LIVE && were[span].generation == generation);
        PROVE(arena_pool_alive_(&c, span, generation) && spans[span].count == count);
        PROVE(in_order() && others_stay(span) && allocs == 0);
        PROVE(asked >= count || asked >= were[span].count ||
              c.data[spans[span].as.live.start + asked] ==
                  old_buffer.at[were[span].as.live.start + asked]);
        if (spans[span].as.live.start < were[span].as.live.start) REACHED();
    }
}

/* PROOF ring_at | arena_pool_at_, arena_pool_over_, arena_pool_first_, arena_pool_next_,
 * arena_pool_after_, arena_pool_before_ | every index: no bound; every pool of up to 2 spans
 * | quick | --unwind 7 */
void ring_at(void)
{
    const size_t index = nondet_size();
    arena_pool_handle_t_ h;
    uint32_t slot, i, n = 0;
    some_pool();
    slot = arena_pool_at_(&c, index);
    for (i = 1; i <= LIVE; i++)
        if ((spans[i].generation & 1) == 1)
            PROVE((slot == i) == (index >= spans[i].as.live.start &&
                                  index - spans[i].as.live.start < spans[i].count));
    PROVE(slot <= LIVE);
    for (h = arena_pool_first_(&c); h.span != 0; h = arena_pool_next_(&c, h.span, h.generation)) {
        PROVE(h.span == n + 1 && arena_pool_alive_(&c, h.span, h.generation));
        n++;
    }
    PROVE(n == c.live && nothing_changed());
    if (slot == LIVE) REACHED();
}

/* PROOF ring_next_free | arena_pool_next_free_, arena_pool_from_, arena_pool_over_ | every start
 * and count: no bound; every pool of up to 2 spans; what is found is free, and no free span between
 * is left out | quick | --unwind 7 */
void ring_next_free(void)
{
    size_t start = nondet_size(), count = nondet_size(), from;
    const size_t before = start, length = count;
    uint32_t i;
    some_pool();
    from = start + count;
    if (arena_pool_next_free_(&c, &start, &count)) {
        PROVE(count != 0 && start >= from && start <= c.top && count <= c.top - start);
        for (i = 1; i <= LIVE; i++)
            if ((spans[i].generation & 1) == 1)
                PROVE(spans[i].as.live.start >= start + count ||
                      spans[i].as.live.start + spans[i].count <= start);
        if (start < c.end) REACHED();
    } else {
        PROVE(start == before && count == length);
    }
    PROVE(nothing_changed());
}

/* PROOF ring_compact | arena_pool_compact_, arena_pool_slide_, arena_pool_from_ | every pool of up
 * to 2 spans, every budget | slow | --unwind 7 -DWHOLE */
void ring_compact(void)
{
    const size_t budget = nondet_size();
    size_t moved;
    uint32_t i;
    some_pool();
    moved = arena_pool_compact_(&c, budget, NULL, NULL, &shape);
    PROVE(in_order() && c.live == was.live && c.len == was.len && allocs == 0);
    PROVE(moved >= budget || c.holes == 0);
    PROVE((moved == 0) == (was.holes == 0));
    for (i = 1; i <= LIVE; i++) {
        if ((were[i].generation & 1) == 0) continue;
        PROVE(arena_pool_alive_(&c, i, were[i].generation) && spans[i].count == were[i].count);
        PROVE(asked >= were[i].count || c.data[spans[i].as.live.start + asked] ==
                                            old_buffer.at[were[i].as.live.start + asked]);
    }
    if (c.holes != 0 && moved != 0) REACHED();
}

static uint32_t last, kept, freed;

/* Frees any span, also the one it is asked about, or none. */
static bool keeps(void *box, arena_pool_handle_t_ h, void *elements, size_t count)
{
    const uint32_t k = nondet_u32();
    PROVE(box == &last && h.span > last && arena_pool_alive_(&c, h.span, h.generation));
    PROVE(count == were[h.span].count && elements == c.data + were[h.span].as.live.start);
    last = h.span;
    if (k >= 1 && k <= LIVE &&
        arena_pool_free_(&c, k, were[k].generation, &shape) == ARENA_OK)
        freed |= UINT32_C(1) << k;
    if (nondet_bool()) return false;
    kept |= UINT32_C(1) << h.span;
    return true;
}

/* PROOF ring_retain | arena_pool_retain_, arena_pool_free_ | every pool of up to 2 spans, every
 * choice of those kept, and a callback that frees any span | slow | --unwind 7 */
void ring_retain(void)
{
    uint32_t i;
    some_pool();
    arena_pool_retain_(&c, keeps, &last, &shape);
    PROVE(in_order());
    for (i = 1; i <= LIVE; i++) {
        if ((were[i].generation & 1) == 0) continue;
        PROVE(arena_pool_alive_(&c, i, were[i].generation) == (((kept & ~freed) >> i & 1) == 1));
    }
    if (was.live == LIVE && c.live == 1) REACHED();
}

/* What a cleared pool is; handles given out before are stale. */
static void cleared(void)
{
    const uint32_t span = nondet_u32();
    PROVE(in_order() && c.live == 0 && c.len == 0 && c.holes == 0 && c.end == 0 && c.top == 0);
    PROVE(c.rows == 0 && c.bins[asked_bin] == 0 && c.cols[asked_bin >> ARENA_POOL_COL_BITS_] == 0);
    PROVE(c.data == was.data && c.spans == was.spans && c.capacity == was.capacity);
    PROVE(c.used == was.used && c.slots == was.slots && c.allocated == was.allocated);
    PROVE(allocs == 0 && frees == 0 && arena_pool_first_(&c).span == 0);
    PROVE(span < 1 || span > LIVE || !arena_pool_alive_(&c, span, were[span].generation));
}

static void some_bin(void)
{
    asked_bin = nondet_u32();
    ASSUME(asked_bin < ARENA_POOL_BINS_);
    c.bins[asked_bin] = nondet_u32();
    c.cols[asked_bin >> ARENA_POOL_COL_BITS_] = nondet_u32();
    c.rows = nondet_u32();
}

/* PROOF ring_clear | arena_pool_clear_, arena_pool_bury_ | every pool of up to 2 spans, each of
 * them perhaps stored by fetch_or_append; every handle from before is stale, and no memory is given
 * back | quick | --unwind 7 -DCHAINED --unwindset ring_clear_bytes.1:29 */
void ring_clear(void)
{
    uint32_t i;
    some_pool();
    some_bin();
    arena_pool_clear_(&c, &shape);
    cleared();
    PROVE(c.status == ARENA_OK);
    for (i = 1; i <= LIVE; i++) /* The generation that a span has next is a new one. */
        PROVE(spans[i].generation == were[i].generation + (were[i].generation & 1));
    if (was.live == LIVE && was.holes == LIVE) REACHED();
}

static uint32_t shown;

/* Frees any span, also the one it is asked about, or none; no span is shown twice. */
static bool drains(void *box, arena_pool_handle_t_ h, void *elements, size_t count)
{
    const uint32_t k = nondet_u32();
    PROVE(box == &last && h.span > last && arena_pool_alive_(&c, h.span, h.generation));
    PROVE(count == were[h.span].count && elements == c.data + were[h.span].as.live.start);
    last = h.span;
    shown |= UINT32_C(1) << h.span;
    if (k >= 1 && k <= LIVE &&
        arena_pool_free_(&c, k, were[k].generation, &shape) == ARENA_OK)
        freed |= UINT32_C(1) << k;
    return nondet_bool();
}

/* PROOF ring_drain | arena_pool_drain_, arena_pool_retain_, arena_pool_clear_ | every pool of up to
 * 2 spans, a callback that frees any span, or none; each span is shown once but those freed before
 * | slow | --unwind 7 --unwindset ring_clear_bytes.1:29 */
void ring_drain(void)
{
    const bool none = nondet_bool();
    uint32_t i;
    some_pool();
    some_bin();
    arena_pool_drain_(&c, none ? NULL : drains, &last, &shape);
    cleared();
    PROVE(c.status == ARENA_OK);
    for (i = 1; i <= LIVE; i++) {
        if ((were[i].generation & 1) == 0) continue;
        PROVE(none || ((shown | freed) >> i & 1) == 1);
        PROVE(!none || (shown >> i & 1) == 0);
    }
    if (shown == 6) REACHED();
}

static const char *element;
static uint32_t calls;
static size_t element_size;

/* Elements are shown in the order of their addresses. */
static bool matches(const void *box, const void *e)
{
    const char *p = (const char *)e;
    uint32_t i, in = 0;
    PROVE(box == &asked && (element == NULL || p >= element + element_size));
    for (i = 1; i <= LIVE; i++) {
        const size_t start = spans[i].as.live.start * element_size;
        const size_t at = (size_t)(p - c.data);
        if ((spans[i].generation & 1) == 1 && at >= start &&
            at - start < spans[i].count * element_size && (at - start) % element_size == 0)
            in = i;
    }
    PROVE(in != 0);
    element = p;
    calls++;
    return nondet_bool();
}

static bool equal(uint32_t i, size_t k, const char *value, size_t size)
{
    const char *p = c.data + (spans[i].as.live.start + k) * size;
    return k < spans[i].count && p[0] == value[0] && (size == 1 || p[1] == value[1]);
}

static void finds(size_t size)
{
    const char value[2] = {nondet_char(), nondet_char()};
    uint32_t slot, i;
    element_size = size;
    slot = arena_pool_find_bytes_(&c, value, size);
    PROVE(slot <= LIVE && (slot == 0 || (spans[slot].generation & 1) == 1));
    PROVE(slot == 0 || equal(slot, 0, value, size) || equal(slot, 1, value, size));
    for (i = 1; i <= LIVE; i++)
        if ((spans[i].generation & 1) == 1 &&
            (slot == 0 || spans[i].as.live.start < spans[slot].as.live.start))
            PROVE(!equal(i, 0, value, size) && !equal(i, 1, value, size));
    if (slot == LIVE) REACHED();
    slot = arena_pool_find_(&c, matches, &asked, size);
    if (slot == 0) {
        PROVE(calls == c.len);
    } else {
        const char *start = c.data + spans[slot].as.live.start * size;
        PROVE(slot <= LIVE && (spans[slot].generation & 1) == 1 && element >= start &&
              element < start + spans[slot].count * size);
    }
    PROVE(nothing_changed() && allocs == 0);
}

/* PROOF ring_find | arena_pool_find_bytes_, arena_pool_find_ | every pool of up to 2 spans of
 * elements of 1 and of 2 bytes, of any content; every value, every choice of the callback; the
 * first one by address is found, and each is asked about once until then | quick | --unwind 7 */
void ring_find(void)
{
    some_pool();
    if (nondet_bool()) finds(1);
    else finds(2);
}

enum { SHORT = 6 };
static arena_pool_span_t_ target_table[TABLE];
static struct short_content { char at[SHORT]; } short_buffer;
static struct content long_buffer;
static bool table_taken;
static char copied[MOST];

/* For the copy: a table, and a buffer of up to MOST elements, or not. */
static void *copy_memory(void *ctx, size_t bytes, size_t align)
{
    PROVE(ctx == &target && bytes > 0 && bytes <= PTRDIFF_MAX);
    PROVE(align > 0 && (align & (align - 1)) == 0);
    allocs++;
    if (nondet_bool()) return NULL;
    if (bytes == arena_pool_table_bytes_(SLOTS_SAID) && !table_taken) {
        PROVE(align == ARENA_POOL_TABLE_ALIGN_);
        table_taken = true;
        return target_table;
    }
    PROVE(granted == NULL && bytes <= MOST);
    granted = copied;
    granted_bytes = bytes;
    return granted;
}

static void copy_free(void *ctx, void *p, size_t bytes, size_t align)
{
    PROVE(ctx == &target && p != NULL && align > 0);
    frees++;
    if (p == target_table) {
        PROVE(table_taken && bytes == arena_pool_table_bytes_(SLOTS_SAID));
        table_taken = false;
    } else {
        PROVE((p == short_buffer.at && bytes == SHORT) || (p == long_buffer.at && bytes == ROOM));
    }
}

/* Any figures that a copy does not read. */
static void some_target(void)
{
    target.hooks.alloc = copy_memory;
    target.hooks.free = copy_free;
    target.hooks.ctx = &target;
    target.options.limit_bytes = nondet_size();
    target.options.max_count = nondet_size() % (MOST + 1);
    target.options.reserve = nondet_size() % (MOST + 1);
    target.len = nondet_u32();
    target.seed = nondet_u32();
#ifdef OVER
    target.data = nondet_bool() ? long_buffer.at : short_buffer.at;
    target.capacity = target.data == long_buffer.at ? ROOM : SHORT;
    target.top = nondet_u32();
    target.spans = target_table;
    target.slots = SLOTS_SAID;
    target.used = nondet_u32();
    target.step = (nondet_u32() << 2) + 1;
    ASSUME(target.used < SLOTS_SAID);
    ASSUME(arena_pool_fixed_(&target) == 0 || target.capacity == arena_pool_fixed_(&target));
#endif
    target.allocated = target.capacity + arena_pool_table_bytes_(target.slots);
    ASSUME(target.options.limit_bytes == 0 || target.allocated <= target.options.limit_bytes);
}

/* PROOF ring_copy_of.new | arena_pool_copy_, arena_pool_take_both_, arena_pool_lay_table_,
 * arena_pool_give_table_, arena_pool_draw_seed_, arena_pool_move_all_ | every pool of up to 2
 * spans, copied to a pool that has no memory yet, of any limit and a fixed capacity of up to 20 or
 * none; hooks that have memory or refuse: all is as in the original, which stays, or nothing
 * changes | quick | --unwind 7 -DCOPIED --unwindset ring_copy.1:29 */
/* PROOF ring_copy_of.over | as ring_copy_of.new, arena_pool_give_data_ | as ring_copy_of.new, to a
 * pool that has a table and a buffer of 6 or 16 elements | quick | --unwind 7 -DCOPIED -DOVER
 * --unwindset ring_copy.1:29 */
void ring_copy_of(void)
{
    arena_pool_core_t before;
    uint32_t i;
    some_pool();
    some_bin();
    some_target();
    before = target;
    if (!arena_pool_copy_(&target, &c, &shape)) {
        PROVE(target.status != ARENA_OK && !table_taken && granted == NULL && frees <= 1);
        PROVE(target.data == before.data && target.spans == before.spans);
        PROVE(target.capacity == before.capacity && target.slots == before.slots);
        PROVE(target.allocated == before.allocated && target.used == before.used);
        PROVE(target.top == before.top && target.len == before.len && target.step == before.step);
        PROVE(target.seed == before.seed && !indexed);
    } else {
        const size_t fixed = arena_pool_fixed_(&target);
        PROVE(target.used == c.used && target.spare == c.spare && target.end == c.end);
        PROVE(target.top == c.top && target.low == c.low && target.len == c.len);
        PROVE(target.live == c.live && target.holes == c.holes && target.rows == c.rows);
        PROVE(target.seed == c.seed && target.step % 4 == 1 && target.top <= target.capacity);
        PROVE(target.bins[asked_bin] == c.bins[asked_bin] && indexed);
        i = asked_bin >> ARENA_POOL_COL_BITS_;
        PROVE(target.cols[i] == c.cols[i]);
        PROVE(target.data == (granted != NULL ? copied : before.data));
        PROVE(target.spans == target_table && target.slots == SLOTS_SAID);
        PROVE(granted == NULL || granted_bytes == target.capacity);
        PROVE(frees == (granted != NULL && before.data != NULL ? 1u : 0));
        PROVE(target.allocated == target.capacity + arena_pool_table_bytes_(SLOTS_SAID));
        PROVE(target.options.limit_bytes == 0 || target.allocated <= target.options.limit_bytes);
        PROVE(fixed == 0 || target.capacity == 0 || target.capacity == fixed);
        PROVE(asked >= c.top || target.data[asked] == old_buffer.at[asked]);
        for (i = 0; i <= USED; i++) {
            PROVE(target_table[i].generation == were[i].generation);
            PROVE(target_table[i].prev == were[i].prev && target_table[i].next == were[i].next);
            PROVE(target_table[i].count == were[i].count);
            PROVE(target_table[i].as.hole.child[0] == were[i].as.hole.child[0]);
            PROVE(target_table[i].as.hole.child[1] == were[i].as.hole.child[1]);
            PROVE(target_table[i].as.hole.more == were[i].as.hole.more);
        }
        if (granted != NULL && c.live == LIVE) REACHED();
    }
    PROVE(nothing_changed());
    for (i = 0; i <= USED; i++)
        PROVE(spans[i].prev == were[i].prev && spans[i].next == were[i].next);
}

/* PROOF ring_copy_none | arena_pool_copy_, arena_pool_clear_ | a pool that holds nothing, copied to
 * every pool of up to 2 spans: it is cleared, but for its status; and each of them to itself
 * | quick | --unwind 7 --unwindset ring_clear_bytes.1:29 */
void ring_copy_none(void)
{
    some_pool();
    some_bin();
    c.status = nondet_bool() ? ARENA_STALE : ARENA_OK;
    was.status = c.status;
    target.capacity = nondet_u32();
    target.options.limit_bytes = nondet_size();
    if (nondet_bool()) {
        PROVE(arena_pool_copy_(&c, &c, &shape) && nothing_changed() && in_order());
    } else {
        PROVE(arena_pool_copy_(&c, &target, &shape));
        cleared();
        if (was.live == LIVE) REACHED();
    }
    PROVE(c.status == was.status);
}

/* PROOF ring_grow.1 | arena_pool_append_copy_, arena_pool_place_slow_, arena_pool_grow_,
 * arena_pool_take_both_, arena_pool_move_all_, arena_pool_give_data_ | every pool of up to 1 span
 * in a buffer of 6 elements; every count up to 10, a source in the pool or not; hooks that have
 * memory once, or none | quick | --unwind 7 --unwindset ring_copy.0:11,ring_copy.1:11 -DWHOLE
 * -DLIVE=1 -DBUFFER=6 */
/* PROOF ring_grow.2 | as ring_grow.1 | as ring_grow.1, up to 2 spans in a buffer of 8 elements,
 * every count up to 12 | slow | --unwind 7 --unwindset ring_copy.0:13,ring_copy.1:13 -DWHOLE
 * -DBUFFER=8 */
void ring_grow(void)
{
    static char other[MOST];
    const size_t count = nondet_size(), at = nondet_size();
    const bool inside = nondet_bool();
    arena_pool_handle_t_ h;
    ASSUME(count >= 1 && count <= MOST);
    some_pool();
    grants = true;
    ASSUME(!inside || (at < c.top && count <= c.top - at));
    h = arena_pool_append_copy_(&c, inside ? c.data + at : other, count, &shape);
    PROVE(in_order() && others_stay(0));
    if (h.span == 0) {
        PROVE(nothing_changed() && c.status != ARENA_OK && granted == NULL);
    } else {
        PROVE(arena_pool_alive_(&c, h.span, h.generation) && spans[h.span].count == count);
        PROVE(asked >= count || c.data[spans[h.span].as.live.start + asked] ==
                                    (inside ? old_buffer.at[at + asked] : other[asked]));
        PROVE(c.allocated == c.capacity + arena_pool_table_bytes_(SLOTS_SAID));
        PROVE(granted == NULL || (c.data == granted && c.capacity == granted_bytes && frees == 1));
        if (granted != NULL) REACHED();
    }
}

/* PROOF ring_take | arena_pool_take_, arena_pool_move_all_, arena_pool_release_,
 * arena_pool_give_data_, arena_pool_give_table_, arena_pool_forget_ | every pool of up to 2 spans;
 * hooks that have memory once, or none | quick | --unwind 7 */
void ring_take(void)
{
    size_t count = nondet_size();
    char *p;
    some_pool();
    grants = true;
    p = (char *)arena_pool_take_(&c, &count, &shape);
    if (p == NULL) {
        PROVE(count == 0 && granted == NULL);
        if (was.top == 0) PROVE(c.spans == NULL && c.allocated == 0 && frees == 2);
        else PROVE(nothing_changed() && in_order() && c.status != ARENA_OK);
    } else {
        PROVE(count == was.top && c.spans == NULL && c.data == NULL && c.allocated == 0);
        PROVE(granted == NULL ? p == buffer.at && count == ROOM
                              : p == granted && granted_bytes == count && frees == 2);
        PROVE(asked >= count || p[asked] == old_buffer.at[asked]);
        if (granted != NULL) REACHED();
    }
}

/* PROOF ring_fetch | arena_pool_fetch_or_append_, arena_pool_hash_, arena_pool_chain_add_,
 * arena_pool_chain_ | every pool of up to 2 spans, each of them perhaps stored by fetch_or_append;
 * every source of 1-3 elements; hooks that refuse | slow | --unwind 7 -DWHOLE -DCHAINED */
void ring_fetch(void)
{
    char src[3];
    const size_t count = nondet_size();
    size_t i;
    arena_pool_handle_t_ h;
    ASSUME(count >= 1 && count <= 3);
    for (i = 0; i < 3; i++) src[i] = nondet_char();
    some_pool();
    ASSUME(c.seed != 0);
    h = arena_pool_fetch_or_append_(&c, src, count, &shape);
    PROVE(in_order() && others_stay(0));
    if (h.span == 0) {
        PROVE(nothing_changed() && c.status != ARENA_OK);
    } else {
        PROVE(arena_pool_alive_(&c, h.span, h.generation) && spans[h.span].count == count);
        PROVE(spans[h.span].as.live.chain > 1);
        PROVE(asked >= count || c.data[spans[h.span].as.live.start + asked] == src[asked]);
        if (c.live == was.live) REACHED();
    }
}
