/*
 * The model of a group: several lanes, interleaved in one thread, store, mark, rewind, reset, leave
 * and join again, with chunk numbers that run out, a limit and an allocator that fails. After every
 * step every live Ref of every lane resolves to its bytes through every lane, every lane's size is
 * what its own account says, and every lane is_valid. Dead and forged Refs resolve to nothing, or
 * inside memory that the group holds.
 *
 *     model_group [--seed=N] [--steps=N] [--length=N] [--check=N] [--program=HEX] [--no-fork] [FILE
 * ...]
 */
#ifndef MODEL_FUZZ
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS, which -std=c99 hides. */
#define ARENA_IMPLEMENTATION
#endif
#include "../arena.h"
#include "model.h"

struct cell {
    uint32_t w[3];
};
ARENA_DEFINE(cells, struct cell);

enum { LANES = 4, KEPT = 40, SPANS = 65536, TOMBS = 24 };

static unsigned char group_data[SPANS + 4096];

struct kept {
    const unsigned char *p, *expect;
    size_t bytes;
    arena_ref_t ref;
    bool has_ref, nul;
};

struct lane {
    union {
        arena_t bytes;
        cells_t cells;
    } a;
    bool joined;
    size_t size;
    size_t values;
    struct kept kept[KEPT];
    bool marked;
    arena_mark_t mark;
    size_t mark_size, mark_values;
    arena_status_t status;
};

static struct {
    struct memory memory;
    arena_hooks_t hooks;
    arena_group_t group;
    struct lane lanes[LANES];
    size_t lane_count, limit, chunk_bytes, each;
    uint32_t max_chunks;
    bool typed;
    arena_ref_t tombs[TOMBS];
    size_t tomb_count;
    unsigned errors;
    arena_status_t error;
} g;

static void group_error(void *ctx, arena_status_t status, size_t bytes)
{
    (void)bytes;
    MUST(ctx == &g);
    g.errors++;
    g.error = status;
}

/* ---- the two kinds of lanes ------------------------------------------------------------------ */

static arena_ref_t of_cells(cells_ref_t r)
{
    arena_ref_t t;
    t.chunk = r.chunk;
    t.off = r.off;
    t.len = r.len;
    return t;
}
static cells_ref_t to_cells(arena_ref_t r)
{
    cells_ref_t t;
    t.chunk = r.chunk;
    t.off = r.off;
    t.len = r.len;
    return t;
}
static arena_status_t lane_join(struct lane *l)
{
    return g.typed ? cells_join(&l->a.cells, &g.group) : arena_join(&l->a.bytes, &g.group);
}
static arena_view_t lane_value(const struct lane *l, arena_ref_t r)
{
    arena_view_t v;
    if (g.typed) {
        cells_view_t w = cells_value(&l->a.cells, to_cells(r));
        v.data = (const char *)(const void *)w.data;
        v.len = w.len;
    } else {
        v = arena_value(&l->a.bytes, r);
    }
    return v;
}
static bool lane_valid(const struct lane *l)
{
    return g.typed ? cells_is_valid(&l->a.cells) : arena_is_valid(&l->a.bytes);
}
static arena_stats_t lane_stats(const struct lane *l)
{
    return g.typed ? cells_stats(&l->a.cells) : arena_stats(&l->a.bytes);
}
static arena_status_t lane_status(const struct lane *l)
{
    return g.typed ? cells_status(&l->a.cells) : arena_status(&l->a.bytes);
}
static void lane_reset(struct lane *l)
{
    if (g.typed) {
        cells_reset(&l->a.cells);
    } else {
        arena_reset(&l->a.bytes);
    }
}
static void lane_release(struct lane *l)
{
    if (g.typed) {
        cells_release(&l->a.cells);
    } else {
        arena_release(&l->a.bytes);
    }
}
static arena_mark_t lane_mark(struct lane *l)
{
    return g.typed ? cells_mark(&l->a.cells) : arena_mark(&l->a.bytes);
}
static bool lane_rewind(struct lane *l, arena_mark_t mark)
{
    return g.typed ? cells_rewind(&l->a.cells, mark) : arena_rewind(&l->a.bytes, mark);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void check_group_ref(const struct kept *k)
{
    size_t i;
    for (i = 0; i < g.lane_count; i++) {
        if (g.lanes[i].joined) {
            arena_view_t v = lane_value(&g.lanes[i], k->ref);
            MUST((const unsigned char *)(const void *)v.data == k->p && v.len * g.each == k->bytes);
        }
    }
}

static void check_group_dead(arena_ref_t r)
{
    size_t i;
    for (i = 0; i < g.lane_count; i++) {
        if (g.lanes[i].joined) {
            arena_view_t v = lane_value(&g.lanes[i], r);
            const struct block *b;
            const unsigned char *p = (const unsigned char *)(const void *)v.data;
            if (v.len == 0) {
                MUST(p == NULL);
                continue;
            }
            for (b = g.memory.first; b != NULL; b = b->next) {
                if ((uintptr_t)p >= (uintptr_t)b->p && (uintptr_t)p - (uintptr_t)b->p <= b->bytes &&
                    v.len * g.each <= b->bytes - (size_t)(p - b->p)) {
                    break;
                }
            }
            MUST(b != NULL);
        }
    }
}

static void check_group(void)
{
    size_t i, k;
    for (i = 0; i < g.lane_count; i++) {
        struct lane *l = &g.lanes[i];
        if (!l->joined) {
            continue;
        }
        MUST(lane_valid(l));
        MUST(lane_stats(l).size == l->size);
        MUST(lane_status(l) == l->status);
        if (model.step % model.check_every == 0) {
            for (k = 0; k < l->values; k++) {
                const struct kept *v = &l->kept[k];
                MUST(memcmp(v->p, v->expect, v->bytes) == 0);
                MUST(!v->nul || v->p[v->bytes] == 0);
                if (v->has_ref) {
                    check_group_ref(v);
                }
            }
        }
    }
    if (g.tomb_count > 0) {
        check_group_dead(g.tombs[model.step % g.tomb_count]);
    }
}

static void lane_bury(struct lane *l, size_t from)
{
    size_t k;
    for (k = from; k < l->values; k++) {
        if (l->kept[k].has_ref) {
            g.tombs[g.tomb_count < TOMBS ? g.tomb_count++ : (model.step + k) % TOMBS] =
                l->kept[k].ref;
        }
    }
    l->values = from;
}

static void lane_new(struct lane *l)
{
    arena_status_t s;
    memset(l, 0, sizeof *l);
    s = lane_join(l);
    MUST(s == ARENA_OK || (s == ARENA_NO_MEMORY && g.memory.refused) ||
         (s == ARENA_LIMIT && g.limit != 0));
    l->joined = s == ARENA_OK;
    model.failures += s != ARENA_OK ? 1u : 0u;
}

/* ---- operations ------------------------------------------------------------------------------ */

static void group_store(struct lane *l, const struct record *r)
{
    size_t n, cap = g.chunk_bytes / g.each, k;
    const unsigned char *src = group_data + r->y % SPANS;
    struct kept v;
    arena_stats_t before = lane_stats(l), after;
    bool failed;
    unsigned what = r->z % (g.typed ? 4u : 8u);
    static const char *const names[] = {"append",   "ref",      "reserve", "reserve_ref",
                                        "intern_n", "strref_n", "alloc",   "printf"};
    struct cell cells[340];
    switch (r->x % 8) {
    case 0:
        n = cap + r->x / 8 % 3;
        break;
    case 1:
        n = r->x / 8 % (2 * cap + 1);
        break;
    case 2:
        n = cap > 1 ? cap - 1 : 1;
        break;
    default:
        n = 1 + r->x / 8 % 20;
        break;
    }
    n = n == 0 ? 1 : n > 340 ? 340 : n;
    memset(&v, 0, sizeof v);
    v.expect = src;
    v.bytes = n * g.each;
    /* The source of cells is aligned as they are. */
    memcpy(cells, src, v.bytes);
    g.errors = 0;
    g.memory.refused = false;
    say("lane %lu: %s, %lu elements", (unsigned long)(l - g.lanes), names[what], (unsigned long)n);
    switch (what) {
    case 0:
        v.p = g.typed ? (const unsigned char *)(const void *)cells_append(&l->a.cells, cells, n)
                      : (const unsigned char *)(const void *)arena_append(&l->a.bytes, src, n);
        break;
    case 1:
        v.ref =
            g.typed ? of_cells(cells_ref(&l->a.cells, cells, n)) : arena_ref(&l->a.bytes, src, n);
        v.has_ref = true;
        break;
    case 2:
    case 3: {
        void *p;
        cells_ref_t t = {0, 0, 0};
        if (g.typed) {
            p = what == 2 ? cells_reserve(&l->a.cells, n) : cells_reserve_ref(&l->a.cells, n, &t);
            v.ref = of_cells(t);
        } else {
            p = what == 2 ? arena_reserve(&l->a.bytes, n)
                          : arena_reserve_ref(&l->a.bytes, n, &v.ref);
        }
        if (p != NULL) {
            memcpy(p, src, v.bytes);
        }
        v.p = (const unsigned char *)p;
        v.has_ref = what == 3;
    } break;
    case 4:
        v.p = (const unsigned char *)(const void *)arena_intern_n(&l->a.bytes, src, n);
        v.nul = true;
        break;
    case 5:
        v.ref = arena_strref_n(&l->a.bytes, src, n);
        v.has_ref = v.nul = true;
        break;
    case 6: {
        void *p = arena_alloc(&l->a.bytes, n, (size_t)1 << r->y % 6);
        if (p != NULL) {
            memcpy(p, src, n);
        }
        v.p = (const unsigned char *)p;
    } break;
    default: {
        static char hex[2 * 340 + 1];
        n = n > 100 ? 100 : n;
        for (k = 0; k < n; k++) {
            hex[k] = (char)('a' + src[k] % 26);
        }
        hex[n] = 0;
        v.bytes = n;
        v.p = (const unsigned char *)(const void *)arena_printf(&l->a.bytes, "%s", hex);
        if (v.p != NULL) {
            MUST(strcmp((const char *)(const void *)v.p, hex) == 0);
            l->size += n;
        }
    } break;
    }
    if (v.has_ref && what != 3) {
        v.p = (const unsigned char *)(const void *)lane_value(l, v.ref).data;
    }
    failed = v.p == NULL;
    after = lane_stats(l);
    if (failed) {
        model.failures++;
        MUST(g.errors == 1);
        if (g.error == ARENA_REF_RANGE) {
            /* Only where a Ref was asked for, and all numbers may be taken. */
            MUST(v.has_ref);
            MUST(g.memory.live_blocks >= g.max_chunks);
        } else {
            MUST((g.error == ARENA_NO_MEMORY && g.memory.refused) ||
                 (g.error == ARENA_LIMIT && g.limit != 0));
        }
        l->status = l->status == ARENA_OK ? g.error : l->status;
        MUST(after.size == before.size && after.padding == before.padding &&
             after.chunks == before.chunks);
        MUST(after.retained == before.retained && after.allocated == before.allocated);
        return;
    }
    MUST(g.errors == 0);
    if (!g.typed && what == 7) {
        return; /* Checked above, and not kept. */
    }
    l->size += v.bytes;
    if (l->values == KEPT) {
        /* Forget some, so that there is room: they stay in the arena. */
        memmove(l->kept + KEPT / 2, l->kept + KEPT - 1, sizeof l->kept[0]);
        l->values = KEPT / 2 + 1;
        if (l->mark_values > KEPT / 2) {
            l->mark_values = l->mark_values == KEPT ? l->values : KEPT / 2;
        }
    }
    l->kept[l->values++] = v;
}

static void group_step(const struct record *r)
{
    struct lane *l = &g.lanes[r->obj % g.lane_count];
    unsigned op = r->op;
    if (!l->joined) {
        say("lane %lu: join", (unsigned long)(l - g.lanes));
        g.memory.refused = false;
        lane_new(l);
    } else if (op < 150) {
        group_store(l, r);
    } else if (op < 170) {
        say("lane %lu: mark", (unsigned long)(l - g.lanes));
        l->mark = lane_mark(l);
        l->mark_size = l->size;
        l->mark_values = l->values;
        l->marked = true;
    } else if (op < 190) {
        if (l->marked) {
            say("lane %lu: rewind", (unsigned long)(l - g.lanes));
            MUST(lane_rewind(l, l->mark));
            lane_bury(l, l->mark_values);
            l->size = l->mark_size;
        }
    } else if (op < 202) {
        say("lane %lu: reset", (unsigned long)(l - g.lanes));
        lane_reset(l);
        lane_bury(l, 0);
        l->size = 0;
        l->marked = false;
        l->status = ARENA_OK;
    } else if (op < 208) {
        say("lane %lu: release", (unsigned long)(l - g.lanes));
        lane_release(l);
        MUST(lane_stats(l).allocated == 0);
        lane_bury(l, 0);
        l->joined = false;
    } else if (op < 218) {
        g.memory.fail_in = 1 + r->x % 3;
        g.memory.fail_on = r->y % 4 == 0;
        if (r->y % 4 >= 2) {
            g.memory.fail_in = 0;
        }
        say("allocation %lu from now fails%s", (unsigned long)g.memory.fail_in,
            g.memory.fail_on ? ", and all later" : "");
    } else if (op < 226) {
        say("lane %lu: trim(%u)", (unsigned long)(l - g.lanes), r->x % 1024);
        if (g.typed) {
            cells_trim(&l->a.cells, r->x % 1024);
        } else {
            arena_trim(&l->a.bytes, r->x % 1024);
        }
    } else if (op < 232) {
        /* A foreign mark: another lane's. */
        struct lane *o = &g.lanes[(r->obj + 1u) % g.lane_count];
        if (o != l && o->joined && o->marked) {
            say("lane %lu: rewind to a mark of lane %lu", (unsigned long)(l - g.lanes),
                (unsigned long)(o - g.lanes));
            MUST(!lane_rewind(l, o->mark));
            l->status = l->status == ARENA_OK ? ARENA_STALE : l->status;
        }
    } else {
        arena_ref_t f;
        const struct kept *k = l->values > 0 ? &l->kept[r->z % l->values] : NULL;
        struct lane *o = &g.lanes[(r->obj + r->z) % g.lane_count];
        if (k != NULL && k->has_ref && !g.typed && r->y % 3 == 0 && o->joined) {
            /* As a C string, through any lane: where it is, or a copy in that lane. */
            size_t size = o->size;
            const char *text;
            g.errors = 0;
            g.memory.refused = false;
            say("lane %lu: str of a Ref of lane %lu", (unsigned long)(o - g.lanes),
                (unsigned long)(l - g.lanes));
            text = arena_str(&o->a.bytes, k->ref);
            if (g.errors == 0) {
                MUST(memcmp(text, k->expect, k->bytes) == 0 && text[k->bytes] == 0);
                o->size = arena_size(&o->a.bytes);
                MUST(o->size == size || ((const void *)text != k->p && o->size == size + k->bytes));
            } else {
                MUST(g.errors == 1 && text[0] == 0);
                MUST((g.error == ARENA_NO_MEMORY && g.memory.refused) ||
                     (g.error == ARENA_LIMIT && g.limit != 0));
                o->status = o->status == ARENA_OK ? g.error : o->status;
                model.failures++;
            }
            check_group();
            return;
        }
        if (k != NULL && k->has_ref) {
            f = k->ref;
            switch (r->y % 5) {
            case 0:
                f.chunk ^= 1u << r->x % 32;
                break;
            case 1:
                f.off += r->x;
                break;
            case 2:
                f.len += r->x;
                break;
            case 3:
                f.len = (uint32_t)0 - f.off + r->x % 3;
                break;
            default:
                f.chunk += (r->x % 16u) << 9;
                break;
            }
        } else {
            f.chunk = r->x | (r->z & 0xFFu) << 16;
            f.off = r->y % 256;
            f.len = r->z;
        }
        say("value of {0x%x, %lu, %lu} through each lane", (unsigned)f.chunk, (unsigned long)f.off,
            (unsigned long)f.len);
        check_group_dead(f);
    }
    check_group();
}

static void group_setting(const struct record *r)
{
    arena_options_t o;
    size_t i;
    arena_status_t s;
    memset(&g.group, 0, sizeof g.group);
    memset(g.lanes, 0, sizeof g.lanes);
    g.tomb_count = 0;
    g.typed = r->op % 2 == 1;
    g.each = g.typed ? sizeof(struct cell) : 1;
    g.lane_count = 2 + r->obj % (LANES - 1u);
    g.max_chunks = r->z % 4 == 0 ? 1 + r->z / 4 % 8u : 16 + r->z / 4 % 500u;
    g.limit = r->y % 4 == 0 ? 2048 + r->y / 4 % 16384u : 0;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 16 + r->x % 400u;
    g.chunk_bytes = o.chunk_bytes / g.each * g.each;
    o.limit_bytes = g.memory.limit = g.limit;
    o.keep_batches = r->obj / 16 % 3u;
    g.hooks.alloc = memory_alloc;
    g.hooks.free = memory_free;
    g.hooks.ctx = &g.memory;
    o.hooks = &g.hooks;
    o.on_error = group_error;
    o.on_error_ctx = &g;
    say("group of %lu lanes of %s: chunk_bytes %lu, limit_bytes %lu, keep_batches %u, max_chunks "
        "%lu",
        (unsigned long)g.lane_count, g.typed ? "12 bytes" : "bytes", (unsigned long)o.chunk_bytes,
        (unsigned long)g.limit, o.keep_batches, (unsigned long)g.max_chunks);
    s = arena_group_init(&g.group, &o, g.max_chunks);
    MUST(s == ARENA_OK || (s == ARENA_LIMIT && g.limit != 0));
    if (s != ARENA_OK) {
        g.lane_count = 0;
        return;
    }
    for (i = 0; i < g.lane_count; i++) {
        lane_new(&g.lanes[i]);
    }
    /* A lane of other elements is refused. */
    if (g.lanes[0].joined) {
        struct lane odd;
        memset(&odd, 0, sizeof odd);
        g.typed = !g.typed;
        MUST(lane_join(&odd) == ARENA_ARGUMENT);
        g.typed = !g.typed;
    }
    check_group();
}

static void model_run(void)
{
    struct record r;
    size_t i;
    uint64_t state = 11;
    if (group_data[1] == 0 && group_data[2] == 0) {
        for (i = 0; i < sizeof group_data; i++) {
            group_data[i] = (unsigned char)(model_mix(&state) | 1);
        }
    }
    if (!model_next(&r)) {
        return;
    }
    group_setting(&r);
    while (model_next(&r)) {
        model.step++;
        model.operations++;
        if (g.lane_count > 0) {
            group_step(&r);
        }
    }
    memory_check_all(&g.memory);
    for (i = 0; i < g.lane_count; i++) {
        if (g.lanes[i].joined) {
            lane_release(&g.lanes[i]);
        }
    }
    arena_group_release(&g.group);
    MUST(g.memory.live_blocks == 0 && g.memory.live_bytes == 0);
}

static void model_drop(void) { memory_drop(&g.memory); }

#ifndef MODEL_FUZZ
int main(int argc, char **argv) { return model_main(argc, argv, "model_group", 200000); }
#endif
