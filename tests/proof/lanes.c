/*
 * Lanes of a group. Other lanes act between a load of what is shared and what comes of it, at most
 * ACTS times.
 */
#define PROOF_ATOMICS
#define ARENA_LOAD_(x) __extension__({ __typeof__(x) loaded_ = (x); others_act(); loaded_; })
static void others_act(void);
#include <stddef.h>
static void *lane_memset(void *dst, int value, size_t n);
#define ARENA_MEMSET(dst, value, n) lane_memset(dst, value, n)
#define ARENA_MALLOC(bytes) ((void)(bytes), (void *)NULL) /* All memory is the hooks'. */
#define ARENA_FREE(p) ((void)(p))
#define LANE
#include "proof.h"

#ifndef ACTS
#define ACTS 2
#endif
static unsigned acts;
static void (*act)(void);

static void others_act(void)
{
    if (act != NULL && acts < ACTS && nondet_bool()) {
        acts++;
        act();
    }
}

void lane_charge(void);
void lane_numbers(void);
void lane_publish(void);
void lane_value(void);
void lane_rewind(void);
void lane_reset(void);
void lane_release(void);
void lane_join(void);
void group_init(void);

/* What other lanes hold of the group's bytes; they keep to the limit. */
static size_t others_hold, ours;

static void others_charge(void)
{
    const size_t limit = group.options.limit_bytes;
    others_hold = nondet_size();
    ASSUME(others_hold <= SIZE_MAX - ours && (limit == 0 || others_hold + ours <= limit));
    group.allocated = others_hold + ours;
}

/* PROOF lane_charge | arena_charge_, arena_discharge_ in a lane | every number of bytes, held by
 * the lane, by others, and limit: no bound; others charge and discharge in between | quick
 * | --unwind 4 */
void lane_charge(void)
{
    arena_core_t c = nondet_core();
    const size_t bytes = nondet_size(), held = c.allocated, limit = nondet_size();
    c.group = &group;
    group.options.limit_bytes = limit;
    ours = held;
    others_charge();
    act = others_charge;
    if (arena_charge_(&c, bytes)) {
        PROVE(c.allocated - held == bytes && group.allocated == others_hold + c.allocated);
        PROVE(c.allocated >= held && group.allocated >= c.allocated);
        PROVE(limit == 0 || group.allocated <= limit);
        arena_discharge_(&c, bytes);
        if (acts != 0) REACHED(); /* Others did, and the exchange failed once. */
    } else {
        PROVE(limit != 0 || bytes > SIZE_MAX - held - others_hold || acts != 0);
    }
    PROVE(c.allocated == held && group.allocated == others_hold + held);
}

/* Permits that other lanes hold and have no bit for yet. Of the numbers all but SPOTS, which are
 * any, are held by them all the time. */
enum { SPOTS = 3 };
static uint32_t spot[SPOTS], others_permits, others_took;

static bool is_free(uint32_t n) { return (group_bits[n / 32] >> n % 32 & 1) != 0; }

static uint32_t spots_free(void)
{
    uint32_t n = 0, k;
    for (k = 0; k < SPOTS; k++) n += is_free(spot[k]) ? 1 : 0;
    return n;
}

static void others_number(void)
{
    const uint32_t k = nondet_u32();
    ASSUME(k < SPOTS);
    if (nondet_bool()) {
        if (group.free_numbers != 0) group.free_numbers--, others_permits++;
    } else if (nondet_bool()) {
        if (others_permits != 0 && is_free(spot[k])) {
            group_bits[spot[k] / 32] &= ~(UINT32_C(1) << spot[k] % 32);
            others_took |= UINT32_C(1) << k;
            others_permits--;
        }
    } else if ((others_took >> k & 1) != 0) {
        group_bits[spot[k] / 32] |= UINT32_C(1) << spot[k] % 32;
        others_took &= ~(UINT32_C(1) << k);
        group.free_numbers++;
    }
}

/* PROOF lane_numbers | arena_claim_number_, arena_return_number_ | a group of 40 numbers, any of
 * them free, but at most 3; other lanes take and return numbers in between; every place to begin at
 * | slow | --unwind 6 -DNUMBERS=40 -DACTS=1 --unwindset arena_claim_number_.1:33 */
void lane_numbers(void)
{
    const uint32_t from = nondet_u32();
    uint32_t number, k;
    group.numbers = NUMBERS;
    group.free_bits = group_bits;
    for (k = 0; k < SPOTS; k++) {
        spot[k] = nondet_u32();
        ASSUME(spot[k] < NUMBERS && (k == 0 || spot[k] > spot[k - 1]));
        if (nondet_bool()) group_bits[spot[k] / 32] |= UINT32_C(1) << spot[k] % 32;
        else others_took |= UINT32_C(1) << k;
    }
    others_permits = nondet_u32();
    ASSUME(others_permits <= spots_free());
    group.free_numbers = spots_free() - others_permits;
    act = others_number;
    number = arena_claim_number_(&group, from);
    if (number != ARENA_NONE_) {
        for (k = 0; k < SPOTS && spot[k] != number; k++) {}
        PROVE(k < SPOTS && !is_free(number) && (others_took >> k & 1) == 0);
        PROVE(spots_free() == group.free_numbers + others_permits);
        arena_return_number_(&group, number);
        PROVE(is_free(number));
        if (acts == ACTS) REACHED();
    }
    PROVE(spots_free() == group.free_numbers + others_permits);
    arena_return_number_(&group, ARENA_NONE_);
    PROVE(spots_free() == group.free_numbers + others_permits);
}

/* PROOF lane_publish | arena_publish_, arena_held_ in a lane | every number of bytes, elements of
 * 1, 4, 24 and 4096 bytes; every chunk number of 3, or none: no bound | quick | --unwind 4 */
void lane_publish(void)
{
    static const size_t sizes[] = {1, 4, 24, 4096};
    arena_core_t c = nondet_core();
    const size_t bytes = nondet_size(), k = nondet_size();
    const uint32_t n = nondet_u32(), was = nondet_u32(), i = nondet_u32();
    ASSUME(k < 4 && i < NUMBERS && (n < NUMBERS || n == ARENA_NONE_));
    c.size = sizes[k];
    c.chunks = chunk_table;
    c.table = group_table;
    chunk_table[0].number = n;
    group_table[i].held = was;
    arena_publish_(&c, 0, bytes);
    if (i != n) {
        PROVE(group_table[i].held == was);
    } else {
        PROVE(group_table[i].held <= bytes / sizes[k]);
        PROVE(group_table[i].held == bytes / sizes[k] || group_table[i].held == UINT32_MAX);
        REACHED();
    }
}

/* PROOF lane_value | arena_core_value_ in a lane | all 2^96 Refs; every valid lane that holds 1
 * chunk of 1-4 bytes, in a group of 3 numbers whose other entries are closed or other lanes'
 * | quick | --unwind 4 */
void lane_value(void)
{
    arena_core_t c;
    arena_bits_t_ r = nondet_bits();
    arena_run_t_ v;
    arbitrary_core(&c, &bytes_shape);
    v = arena_core_value_(&c, r, 1);
    PROVE((v.data != NULL) == (v.len != 0));
    if (v.len != 0) {
        PROVE(v.len == r.len && READABLE(v.data, v.len));
        PROVE(!SAME_OBJECT(v.data, c.chunks[0].base) || held_by(&c, v.data, v.len));
        if (!SAME_OBJECT(v.data, c.chunks[0].base)) REACHED();
    }
}

/* Whether a Ref leads into chunk 0 of the lane, and there to what it holds. */
static bool leads_into(const arena_core_t *p, const char *base, arena_bits_t_ r)
{
    const arena_run_t_ v = arena_core_value_(p, r, 1);
    if (v.len == 0 || !SAME_OBJECT(v.data, base)) return false;
    PROVE(held_by(p, v.data, v.len));
    return true;
}

/* Whether the figures of a mark, which is alive, are those of the only chunk. */
static bool right_figures(const arena_mark_t *m, size_t tip, size_t cap)
{
    if (m->opened == 0) return m->others == 0 && m->padding == 0 && m->stranded == 0;
    if (m->current == 0)
        return m->others == 0 && m->padding <= m->used[m->tails] && m->stranded == 0;
    if (m->tails != 0)
        return m->others == m->used[0] && m->padding <= m->used[0] && m->stranded == 0;
    return m->others == tip && m->padding <= tip && m->stranded == cap - tip;
}

/* PROOF lane_rewind | arena_core_rewind_, arena_mark_is_good_, arena_close_, arena_drop_ in a lane
 * | every mark of any bits; every valid lane that holds 1 chunk of 1-4 bytes, with a number or
 * without; valid again where the mark's figures are those of the chunks; all 2^96 Refs afterwards:
 * none leads past the tip; a chunk given back gives its number and its bytes to the group | quick
 * | --unwind 6 */
void lane_rewind(void)
{
    arena_core_t c;
    struct before b;
    const arena_mark_t mark = nondet_mark();
    const arena_bits_t_ r = nondet_bits();
    uint32_t number;
    size_t tip;
    arbitrary_core(&c, &bytes_shape);
    b = remember(&c);
    number = c.chunks[0].number;
    tip = (size_t)(arena_tip_(&c, 0) - c.chunks[0].base);
    if (!arena_core_rewind_(&c, mark)) {
        PROVE(unchanged(&b, &c));
        PROVE(c.status != ARENA_OK);
    } else {
        const bool right = right_figures(&mark, tip, b.chunks[0].cap);
        PROVE(!right || arena_valid_(&c));
        PROVE(group_adds_up(&c) && c.opened == mark.opened);
        PROVE(b.group.allocated - group.allocated == b.core.allocated - c.allocated);
        PROVE(allocs == 0 && frees == (c.total == 0 ? 1u : 0u));
        PROVE(c.total != 0 || number == ARENA_NONE_ || is_free(number));
        PROVE(c.total == 0 || group_bits[0] == b.bits);
        PROVE(!leads_into(&c, b.chunks[0].base, r) || c.opened != 0);
        if (right && b.core.opened != 0) REACHED();
    }
}

/* PROOF lane_reset | arena_core_reset_, arena_close_, arena_drop_last_ in a lane | every valid lane
 * that holds 1 chunk of 1-4 bytes, with a number or without; all 2^96 Refs afterwards: none leads
 * to what it held; a chunk given back gives its number and its bytes to the group | quick
 * | --unwind 4 */
void lane_reset(void)
{
    arena_core_t c;
    struct before b;
    const arena_bits_t_ r = nondet_bits();
    uint32_t number;
    arbitrary_core(&c, &bytes_shape);
    b = remember(&c);
    number = c.chunks[0].number;
    arena_core_reset_(&c);
    PROVE(arena_valid_(&c) && group_adds_up(&c));
    PROVE(c.opened == 0 && arena_core_size_(&c) == 0 && c.padding == 0 && c.stranded == 0);
    PROVE(c.status == ARENA_OK && allocs == 0 && frees == (c.total == 0 ? 1u : 0u));
    PROVE(b.group.allocated - group.allocated == b.core.allocated - c.allocated);
    PROVE(!leads_into(&c, b.chunks[0].base, r));
    if (c.total == 0) {
        PROVE(number == ARENA_NONE_ || is_free(number));
        if (number != ARENA_NONE_) REACHED();
    } else {
        PROVE(group_bits[0] == b.bits && group.allocated == b.group.allocated);
    }
}

/* PROOF lane_release | arena_core_release_ and below in a lane | every valid lane that holds 1
 * chunk of 1-4 bytes, with a number or without; the group gets all back | quick | --unwind 4 */
void lane_release(void)
{
    arena_core_t c;
    struct before b;
    uint32_t number, i;
    arbitrary_core(&c, &bytes_shape);
    b = remember(&c);
    number = c.chunks[0].number;
    arena_core_release_(&c);
    PROVE(arena_valid_(&c));
    PROVE(c.allocated == 0 && c.retained == 0 && c.total == 0);
    PROVE(frees == TOTAL + 1 && allocs == 0); /* The chunk and its table. */
    PROVE(b.group.allocated - group.allocated == b.core.allocated);
    PROVE(group.free_numbers == count_of(group_bits));
    for (i = 0; i < NUMBERS; i++)
        PROVE(is_free(i) == (i == number || (b.bits >> i & 1) != 0));
    if (number != ARENA_NONE_) {
        PROVE((group_table[number].tag & 1) == 1);
        REACHED();
    }
}

/* An arena that holds so many chunks joins a group whose shape is set or not. */
static void joins(uint32_t total)
{
    arena_core_t c = nondet_core(), was;
    const arena_shape_t_ s = {nondet_size(), nondet_size(), nondet_size()};
    c.options.on_error = NULL;
    c.hooks.alloc = proof_alloc;
    c.hooks.free = proof_free;
    c.hooks.ctx = chunk_table;
    c.options.fixed = false;
    if (c.group != NULL) c.group = &group;
    c.chunks = chunk_table;
    c.table = entry_table;
    c.slots = 1; /* Its bookkeeping is in the arena itself. */
    c.total = total;
    if (total == 0) { /* What is valid then. */
        c.cur = c.end = c.base = NULL;
        c.tag = 1;
        c.current = ARENA_NONE_;
        c.numbers = c.opened = c.tails = c.oversized = c.oversizes = 0;
        c.others = c.padding = c.stranded = c.allocated = 0;
        ASSUME(c.options.buffer != NULL || c.retained == 0);
    }
    group.table = nondet_bool() ? group_table : NULL;
    group.numbers = NUMBERS;
    group.shape_set = nondet_bool() ? 2 : 0;
    group.size = nondet_size();
    group.align = nondet_size();
    group.spare = nondet_size();
    was = c;
    if (arena_core_join_(&c, nondet_bool() ? &group : NULL, &s) == ARENA_OK) {
        PROVE(total == 0 && was.group == NULL && was.options.buffer == NULL);
        PROVE(c.group == &group && c.table == group_table && c.numbers == NUMBERS);
        PROVE(group.shape_set == 2 && group.size == s.size && group.align == s.align &&
              group.spare == s.spare);
        PROVE(c.total == 0 && c.allocated == 0 && c.size == 0 && c.cur == NULL && c.end == NULL &&
              c.opened == 0 && c.retained == 0); /* As is_valid wants it. */
        REACHED();
    } else {
        PROVE(c.status != ARENA_OK && c.group == was.group && c.total == was.total &&
              c.size == was.size && c.cur == was.cur && c.allocated == was.allocated &&
              c.id == was.id && c.chunks == was.chunks && c.table == was.table);
    }
    PROVE(frees == 0);
}

/* PROOF lane_join | arena_core_join_, arena_core_release_ | every arena that holds no chunk, used
 * before or not, every group whose shape is set or not, every shape: no bound; and arenas that hold
 * one, which are refused | quick | --unwind 4 */
void lane_join(void)
{
    if (nondet_bool()) joins(0);
    else joins(1);
}

/* The block that a group's table is; what is behind it is not the group's. */
static struct shared { arena_entry_t_ table[NUMBERS]; uint32_t bits, behind; } shared;
enum { SHARED = offsetof(struct shared, behind) };
static bool grants;
static arena_status_t told;

static void *lane_memset(void *dst, int value, size_t n)
{
    if (n == sizeof group && dst == &group) {
        static const arena_group_t none;
        group = none;
    } else if (n == SHARED && dst == &shared) {
        static const arena_entry_t_ none;
        uint32_t i;
        for (i = 0; i < NUMBERS; i++) shared.table[i] = none;
        shared.bits = 0;
    } else {
        return proof_memset(dst, value, n);
    }
    return dst;
}

static void *shared_alloc(void *ctx, size_t bytes, size_t align)
{
    PROVE(ctx == &shared && bytes > 0 && bytes <= PTRDIFF_MAX && align == ARENA_MAX_ALIGN_);
    allocs++;
    return grants && bytes == SHARED ? &shared : NULL;
}

static void shared_free(void *ctx, void *p, size_t bytes, size_t align)
{
    PROVE(ctx == &shared && p == &shared && bytes == SHARED && align == ARENA_MAX_ALIGN_);
    frees++;
}

static void tell(void *ctx, arena_status_t status, size_t bytes)
{
    PROVE(ctx == &shared && bytes <= PTRDIFF_MAX);
    told = status;
}

/* PROOF group_init | arena_group_init, arena_group_bytes_, arena_group_release | every option; 3
 * chunk numbers where the hooks have memory, else any number: no bound; what is refused leaves {0}
 * | quick | --unwind 5 */
void group_init(void)
{
    arena_options_t o = nondet_core().options;
    arena_hooks_t hooks;
    const uint32_t numbers = nondet_u32(), i = nondet_u32();
    size_t limit;
    arena_status_t status;
    hooks.alloc = nondet_bool() ? shared_alloc : NULL;
    hooks.free = nondet_bool() ? shared_free : NULL;
    hooks.ctx = &shared;
    o.hooks = &hooks;
    o.on_error = nondet_bool() ? tell : NULL;
    o.on_error_ctx = &shared;
    limit = o.limit_bytes;
    if (nondet_bool()) {
        grants = true;
        status = arena_group_init(&group, &o, NUMBERS);
    } else {
        grants = false;
        status = arena_group_init(&group, &o, numbers);
    }
    PROVE(group.options.hooks == NULL && (o.on_error == NULL || told == status));
    if (status == ARENA_OK) {
        ASSUME(i < NUMBERS);
        PROVE(allocs == 1 && group.numbers == NUMBERS && group.free_numbers == NUMBERS);
        PROVE(group.table == shared.table && group.free_bits == &shared.bits);
        PROVE((shared.table[i].tag & 1) == 1 && shared.table[i].base == NULL);
        PROVE(shared.bits == (UINT64_C(1) << NUMBERS) - 1 && group.shape_set == 0);
        PROVE(shared.behind == 0 && group.allocated == SHARED);
        PROVE(limit == 0 || group.allocated <= limit);
        arena_group_release(&group);
        PROVE(frees == 1);
        REACHED();
    } else {
        PROVE(group.options.limit_bytes == 0 && group.hooks.alloc == NULL && frees == 0);
    }
    PROVE(group.table == NULL && group.numbers == 0 && group.allocated == 0);
    arena_group_release(&group);
}
