/* The span pool: handles, sizes, and what a refusal of the hooks leaves. */
#define PROOF_PLAIN_COPY
#define PIECE 16
#include "proof.h"

#define TABLE 32 /* slots of the table */

static arena_pool_span_t_ spans[TABLE];
arena_pool_core_t nondet_pool(void);
arena_pool_span_t_ nondet_span(void);

void pool_alive(void);
void pool_view(void);
void pool_bins(void);
void pool_index(void);
void pool_grow_refused(void);
void pool_take_refused(void);
void pool_fill(void);

/* PROOF pool_alive | arena_pool_alive_, arena_pool_handle_ | all 2^64 handles; every content of a
 * table of 32 slots, any number of which are in use | quick | --unwind 33 */
void pool_alive(void)
{
    arena_pool_core_t c = nondet_pool();
    const uint32_t span = nondet_u32(), generation = nondet_u32();
    uint32_t i;
    c.spans = spans;
    ASSUME(c.used < TABLE);
    for (i = 0; i < TABLE; i++) spans[i] = nondet_span();
    if (arena_pool_alive_(&c, span, generation)) {
        const arena_pool_handle_t_ h = arena_pool_handle_(&c, span);
        PROVE(span >= 1 && span <= c.used && generation % 2 == 1);
        PROVE(h.span == span && h.generation == generation);
        REACHED();
    }
}

static void view(const arena_shape_t_ *s)
{
    arena_pool_core_t c = nondet_pool();
    const uint32_t span = nondet_u32(), generation = nondet_u32();
    arena_run_t_ v;
    uint32_t i;
    c.spans = spans;
    c.data = (char *)malloc(c.capacity * s->size);
    ASSUME(c.used < TABLE && c.data != NULL);
    for (i = 0; i < TABLE; i++) spans[i] = nondet_span();
    if (span < TABLE) {
        ASSUME(spans[span].count <= c.capacity && spans[span].count != 0);
        ASSUME(spans[span].as.live.start <= c.capacity - spans[span].count);
    }
    v = arena_pool_span_(&c, span, generation, s->size);
    PROVE(arena_pool_get_(&c, span, generation, s->size) == v.data);
    if (v.data != NULL) {
        PROVE(v.len != 0 && READABLE(v.data, v.len * s->size));
        PROVE(arena_pool_start_(&c, span, generation) * s->size == (size_t)(v.data - c.data));
        REACHED();
    } else {
        PROVE(v.len == 0 && arena_pool_start_(&c, span, generation) == SIZE_MAX);
    }
}

/* PROOF pool_view | arena_pool_get_, arena_pool_span_, arena_pool_start_ | all 2^64 handles; every
 * content of a table of 32 slots whose live spans lie in the buffer; every capacity up to 2^32 - 1,
 * elements of 1 and 16 bytes | quick | --unwind 33 */
void pool_view(void)
{
    static const arena_shape_t_ large = {16, 8, 0};
    if (nondet_bool()) view(&bytes_shape);
    else view(&large);
}

/* PROOF pool_bins | arena_pool_bin_, arena_pool_key_, arena_pool_exact_, arena_pool_high_,
 * arena_pool_lowest_, arena_pool_above_ | every two sizes: no bound | quick | --unwind 3 */
void pool_bins(void)
{
    const uint32_t a = nondet_u32(), b = nondet_u32();
    uint32_t bin, low;
    ASSUME(a != 0 && b >= a);
    bin = arena_pool_bin_(a);
    PROVE(bin < ARENA_POOL_BINS_ && arena_pool_bin_(b) < ARENA_POOL_BINS_);
    PROVE(arena_pool_bin_(b) >= bin);
    if (arena_pool_bin_(b) == bin) {
        /* One size, or told apart by the key, in the order of the sizes. */
        PROVE(a == b || !arena_pool_exact_(bin));
        PROVE(arena_pool_key_(a, bin) <= arena_pool_key_(b, bin));
        PROVE(a == b || arena_pool_key_(a, bin) != arena_pool_key_(b, bin));
        REACHED();
    }
    low = arena_pool_lowest_(a);
    PROVE(low < 32 && (a >> low & 1) == 1 && (a & ((UINT32_C(1) << low) - 1)) == 0);
    PROVE((arena_pool_above_(low) & ((UINT32_C(2) << low) - 1)) == 0);
    PROVE(a >> arena_pool_high_(a) == 1);
}

/* With n live spans, in slot a and behind it in slot b. */
static void index_of(uint32_t n, uint32_t a, uint32_t b)
{
    arena_pool_core_t c = nondet_pool();
    arena_pool_span_t_ were[3];
    const uint32_t k = nondet_u32() % 16, live[2] = {a, b};
    uint32_t i, slot, stored = 0, zone;
    c.spans = spans;
    c.slots = TABLE;
    for (i = 0; i < TABLE; i++) spans[i].head = nondet_u32();
    spans[a] = nondet_span();
    spans[b] = nondet_span();
    spans[0].next = 0;
    if (n != 0) {
        spans[0].next = a << 1;
        spans[a].next = n == 2 ? b << 1 : 0;
        ASSUME((spans[a].generation & 1) == 1 && spans[a].as.live.start < c.end);
    }
    if (n == 2) {
        spans[b].next = 0;
        ASSUME((spans[b].generation & 1) == 1 && spans[b].as.live.start < c.end);
        ASSUME(spans[a].as.live.start < spans[b].as.live.start);
    }
    for (i = 0; i < 3; i++) were[i] = spans[i];
    arena_pool_index_(&c);
    /* Any chain: the spans stored by fetch_or_append whose hash leads there, each once. */
    slot = spans[2 * k].head;
    for (i = 0; slot != ARENA_POOL_END_ && i < 3; i++, slot = spans[slot].as.live.chain >> 1) {
        PROVE((n >= 1 && slot == a) || (n == 2 && slot == b));
        PROVE(arena_pool_chain_(&c, spans[slot].as.live.hash) == &spans[2 * k].head);
        PROVE(were[slot].as.live.chain > 1 && spans[slot].as.live.chain > 1);
        stored |= slot == a ? 1u : 2u;
    }
    PROVE(slot == ARENA_POOL_END_ && i == (stored & 1) + (stored >> 1));
    PROVE(c.zone_shift < 32 && c.end >> c.zone_shift < 2);
    for (i = 0; i < n; i++) {
        const arena_pool_span_t_ *r = &spans[live[i]];
        PROVE((r->as.live.chain > 1) == (were[live[i]].as.live.chain > 1));
        PROVE((stored >> i & 1) == 1 || r->as.live.chain <= 1 ||
              arena_pool_chain_(&c, r->as.live.hash) != &spans[2 * k].head);
        PROVE(r->as.live.start == were[live[i]].as.live.start);
        PROVE(r->as.live.hash == were[live[i]].as.live.hash && r->count == were[live[i]].count);
        PROVE(r->next == were[live[i]].next && r->generation == were[live[i]].generation);
        zone = r->as.live.start >> c.zone_shift;
        PROVE(*arena_pool_zone_(&c, zone) != 0);
        PROVE((r->as.live.chain & 1) == (*arena_pool_zone_(&c, zone) == live[i] ? 1u : 0));
    }
    for (i = 0; i < 2; i++) {
        slot = *arena_pool_zone_(&c, i);
        PROVE((*arena_pool_zone_bits_(&c, 0) >> i & 1) == (slot != 0 ? 1u : 0));
        PROVE(slot == 0 || (n >= 1 && slot == a) || (n == 2 && slot == b));
        PROVE(slot == 0 || spans[slot].as.live.start >> c.zone_shift == i);
    }
    PROVE(*arena_pool_zone_bits_(&c, 0) >> 2 == 0);
    if (stored == 3) REACHED();
}

/* PROOF pool_index | arena_pool_index_, arena_pool_zone_all_, arena_pool_zone_add_,
 * arena_pool_zone_, arena_pool_zone_bits_, arena_pool_chain_, arena_pool_chain_add_ | every ring of
 * 1 live span in slot 1, or 2 in slots 2 and 1, of a table of 32, of any places up to 2^32 - 1;
 * every content of the heads before: chains and zones name them and nothing else | quick
 * | --unwind 4 --unwindset arena_pool_index_.0:17,arena_pool_zone_all_.0:33
 * --unwindset index_of.0:33 */
void pool_index(void)
{
    if (nondet_bool()) index_of(1, 1, 2);
    else index_of(2, 2, 1);
}

static size_t least_asked, granted;
static bool grants;

/* Hooks that have nothing, or a table and nothing for the buffer. */
static void *no_memory(void *ctx, size_t bytes, size_t align)
{
    PROVE(ctx == spans && bytes >= least_asked && bytes <= PTRDIFF_MAX);
    PROVE(align > 0 && (align & (align - 1)) == 0);
    allocs++;
    if (!grants || granted != 0 || nondet_bool()) return NULL;
    granted = bytes;
    return &granted;
}

static void no_free(void *ctx, void *p, size_t bytes, size_t align)
{
    PROVE(ctx == spans && p == &granted && granted == bytes && align == ARENA_POOL_TABLE_ALIGN_);
    granted = 0;
}

/* Any figures that P1 to P3 allow. */
static void any_figures(arena_pool_core_t *c, const arena_shape_t_ *s)
{
    *c = nondet_pool();
    c->options.on_error = NULL;
    c->hooks.alloc = no_memory;
    c->hooks.free = no_free;
    c->hooks.ctx = spans;
    c->spans = nondet_bool() ? spans : NULL;
    c->data = c->capacity != 0 ? (char *)spans : NULL;
    ASSUME(c->end <= c->top && c->top <= c->capacity && c->len <= c->end);
    ASSUME(arena_pool_fixed_(c) <= ARENA_POOL_ELEMENTS_);
    ASSUME(arena_pool_fixed_(c) <= ARENA_POOL_BYTES_ / s->size);
    ASSUME(c->capacity == 0 || arena_pool_fixed_(c) == 0 || c->capacity == arena_pool_fixed_(c));
    ASSUME(c->capacity <= ARENA_POOL_BYTES_ / s->size);
    ASSUME(c->slots <= ARENA_POOL_SPANS + 1u && c->slots == arena_pool_whole_(c->slots));
    ASSUME((c->options.align & (c->options.align - 1)) == 0);
    if (c->spans != NULL) {
        ASSUME(c->used < c->slots);
    } else {
        ASSUME(c->slots == 0 && c->used == 0 && c->top == 0);
    }
    c->allocated = c->capacity * s->size + arena_pool_table_bytes_(c->slots);
}

static bool same_figures(const arena_pool_core_t *a, const arena_pool_core_t *b)
{
    return a->data == b->data && a->spans == b->spans && a->slots == b->slots &&
           a->used == b->used && a->spare == b->spare && a->end == b->end && a->top == b->top &&
           a->capacity == b->capacity && a->low == b->low && a->len == b->len &&
           a->live == b->live && a->holes == b->holes && a->rows == b->rows &&
           a->allocated == b->allocated && a->step == b->step && a->seed == b->seed;
}

/* PROOF pool_grow_refused | arena_pool_grow_, arena_pool_take_both_, arena_pool_fixed_,
 * arena_pool_within_, arena_pool_whole_, arena_pool_table_bytes_, arena_asked_,
 * arena_pool_align_, arena_pool_fail_ | every capacity, table, limit, fixed capacity, alignment and
 * need, elements of 1, 24 and 4096 bytes: no bound; the hooks refuse: what is asked of them is
 * enough, and nothing changes | quick | --unwind 3 */
void pool_grow_refused(void)
{
    arena_pool_core_t c, before;
    const arena_shape_t_ s = {nondet_bool() ? 1u : nondet_bool() ? 24u : 4096u, 8, 0};
    const size_t need = nondet_size(), count = nondet_size();
    const bool slot = nondet_bool();
    any_figures(&c, &s);
    before = c;
    ASSUME(slot || need > c.capacity);
    grants = slot && need > c.capacity; /* Both are needed. */
    if (grants) least_asked = 1;
    else if (slot) least_asked = (c.used + (size_t)2) * sizeof(arena_pool_span_t_);
    else least_asked = need <= PTRDIFF_MAX / s.size ? need * s.size : 0;
    PROVE(!arena_pool_grow_(&c, slot, need, count, &s));
    PROVE(same_figures(&before, &c) && c.status != ARENA_OK && granted == 0);
    if (allocs > 2) REACHED();
}

/* PROOF pool_take_refused | arena_pool_take_ | every capacity and limit, elements of 1, 24 and 4096
 * bytes: no bound; the hooks refuse, and nothing changes | quick | --unwind 3 */
void pool_take_refused(void)
{
    arena_pool_core_t c, before;
    const arena_shape_t_ s = {nondet_bool() ? 1u : nondet_bool() ? 24u : 4096u, 8, 0};
    size_t count = nondet_size();
    any_figures(&c, &s);
    ASSUME(c.top != 0 && c.top != c.capacity);
    before = c;
    least_asked = c.top * s.size;
    PROVE(arena_pool_take_(&c, &count, &s) == NULL && count == 0);
    PROVE(same_figures(&before, &c) && c.status != ARENA_OK);
    if (allocs != 0) REACHED();
}

static void fills(size_t size)
{
    size_t n;
    for (n = 1; n <= 5; n++) {
        char value[3], *d = (char *)malloc(n * size);
        const size_t k = nondet_size();
        size_t i;
        for (i = 0; i < 3; i++) {
            value[i] = nondet_char();
            ASSUME(value[i] >= 0); /* For the check of conversions: memset takes an int. */
        }
        ASSUME(d != NULL && k < n * size);
        if (nondet_bool()) arena_pool_fill_(d, value, n, size);
        else arena_pool_fill_large_(d, value, n, size);
        PROVE(d[k] == value[k % size]);
    }
}

/* PROOF pool_fill | arena_pool_fill_, arena_pool_fill_large_ | 1-5 elements of 1 and of 3 bytes, of
 * 0 to 127 each, into room of exactly their bytes | quick | --unwind 17 --unwindset proof_fill.0:17
 * */
void pool_fill(void)
{
    fills(1);
    fills(3);
    REACHED();
}
