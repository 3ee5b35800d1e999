/*
 * arena_is_valid. Proves "is_valid: every invariant, by number": an arena in every state that the
 * calls can bring it into is valid, and each single breach of each invariant is found. A breach is
 * made so that everything else still adds up, hence no other line of the check can find it instead.
 * White box: this family knows the fields of arena_core_t.
 */
#include "support.h"

ARENA_DEFINE(valids, uint64_t);

#define NO_CHUNK UINT32_MAX

/* Sums that a breach has to carry along, so that I6 does not find it. */
static void carry(arena_core_t *c, ptrdiff_t cap, ptrdiff_t used)
{
    c->retained += (size_t)cap;
    c->allocated += (size_t)cap;
    if (c->peak < c->retained) c->peak = c->retained;
    c->others += (size_t)used;
}

/*
 * A typed arena of 80-byte chunks: 0 full; 1, 2 with tails of 24 and 16 bytes; 3 being filled; an
 * oversized one; three idle ones.
 */
static void build(struct test *t, valids_t *a)
{
    arena_options_t o;
    static const uint64_t source[40] = {1, 2, 3};
    size_t i;
    memset(&o, 0, sizeof o);
    o.chunk_bytes = 80;
    o.hooks = t->hooks;
    CHECK_EQ(valids_init(a, &o), ARENA_OK);
    for (i = 0; i < 8; i++) CHECK(valids_append(a, source, 10) != NULL);
    valids_reset(a);
    CHECK(valids_append(a, source, 10) != NULL);
    CHECK(valids_append(a, source, 7) != NULL);
    CHECK(valids_append(a, source, 8) != NULL);
    CHECK(valids_append(a, source, 33) != NULL);
    CHECK(valids_append(a, source, 6) != NULL);
    CHECK(valids_append(a, source, 34) != NULL);
    CHECK_EQ(a->core.tails, 2);
    CHECK(a->core.current != NO_CHUNK);
    CHECK_EQ(a->core.oversizes, 2);
    CHECK(a->core.total > a->core.opened);
    CHECK(valids_is_valid(a));
}

/* The first opened chunk that is neither the current one nor oversized nor full, and such. */
static uint32_t a_tail(const arena_core_t *c) { return c->tail[0]; }

static uint32_t an_oversized(const arena_core_t *c) { return c->oversized - 1; }

/* The sum of what is stranded, as the check forms it, so that I7 does not find a breach of another.
 */
static void balance(arena_core_t *c)
{
    uint32_t i, k;
    c->stranded = 0;
    for (i = 0; i < c->opened; i++) {
        if (i != c->current) c->stranded += c->chunks[i].cap - c->chunks[i].used;
    }
    for (k = 0; k < c->tails; k++) {
        c->stranded -= c->chunks[c->tail[k]].cap - c->chunks[c->tail[k]].used;
    }
}

/* As if the first idle chunk were the one being filled, without being opened. */
static void fill_idle(arena_core_t *c)
{
    arena_chunk_t_ *full = &c->chunks[c->current];
    const arena_chunk_t_ *idle = &c->chunks[c->opened];
    full->used = (size_t)(c->cur - c->base);
    c->table[full->number].held = (uint32_t)(full->used / c->size);
    c->others += full->used;
    c->current = c->opened;
    c->base = c->cur = c->end = idle->base;
    c->table[idle->number].base = idle->base;
    c->tag = c->table[idle->number].tag;
    balance(c);
}

/* One breach each; returns false when there are no more. */
static bool breach(arena_core_t *c, int which, const char **name)
{
    arena_chunk_t_ *tail = &c->chunks[a_tail(c)];
    arena_chunk_t_ *idle = &c->chunks[c->opened];
    arena_entry_t_ *entry = &c->table[tail->number];
    arena_entry_t_ *current = &c->table[c->chunks[c->current].number];
#define BREACH(text, code)                                                                         \
    if (which-- == 0) {                                                                            \
        *name = text;                                                                              \
        code;                                                                                      \
        if (c->tails <= ARENA_TAILS_ && memcmp(text, "I1", 2) != 0 && memcmp(text, "I7", 2) != 0)  \
            balance(c);                                                                            \
        return true;                                                                               \
    }
    BREACH("size of another family", c->size = 4)
    BREACH("alignment of another family", c->align *= 2)
    BREACH("spare bytes of another family", c->spare = 1)
    BREACH("I1 opened beyond total", c->total = c->opened - 1)
    BREACH("I1 total beyond slots", c->slots = c->total - 1)
    BREACH("I1 current is idle", c->current = c->opened)
    BREACH("I1 current is idle, all else fits", fill_idle(c))
    BREACH("I1 current is nowhere", c->current = c->slots + 1)
    BREACH("I2 base of another chunk", c->base += 8)
    BREACH("I2 cur below base", c->cur = c->base - 8)
    BREACH("I2 end below cur", c->end = c->cur - 8)
    BREACH("I2 end beyond the chunk", c->end = c->base + c->chunks[c->current].cap + 8)
    BREACH("I2 cur amid an element", c->cur += 4)
    BREACH("I4 tag of another chunk", c->tag += 1u << 9)
    BREACH("I4 tag of another generation", c->tag ^= 2)
    BREACH("I3 no memory", tail->base = NULL; entry->base = NULL)
    BREACH("I3 no capacity", carry(c, -(ptrdiff_t)idle->cap, 0); idle->cap = 0)
    BREACH("I3 capacity of part of an element", idle->cap += 4; carry(c, 4, 0))
    BREACH("I3 used beyond capacity", tail->used += 80; entry->held += 10; carry(c, 0, 80))
    BREACH("I3 used of part of an element", tail->used -= 4; entry->held -= 1; carry(c, 0, -4))
    BREACH("I3 misaligned", tail->base += 1; entry->base += 1)
    BREACH("I4 a number that no Ref reaches", tail->number = c->numbers)
    BREACH("I4 a number beyond the table", tail->number = UINT32_C(1) << 30)
    BREACH("I4 a number beyond the table, being filled",
           c->chunks[c->current].number = UINT32_C(1) << 30)
    BREACH("I1 numbers beyond the table", c->numbers = tail->number = UINT32_C(1) << 30)
    BREACH("I4 a number that no Ref reaches, all else fits", tail->number = c->numbers;
           c->table[c->numbers] = *entry;
           c->table[c->numbers].tag = c->numbers << 9 | (entry->tag & 511))
    BREACH("I4 the number of another chunk", tail->number = c->chunks[0].number)
    BREACH("I4 entry with another base", entry->base += 8)
    BREACH("I4 entry with another number", entry->tag ^= 1u << 9)
    BREACH("I4 entry closed", entry->tag |= 1)
    BREACH("I4 entry without generation", entry->tag &= ~511u)
    BREACH("I4 entry holds more", entry->held++)
    BREACH("I4 entry holds less", entry->held--)
    BREACH("I4 entry of the current chunk closed", current->tag |= 1; c->tag |= 1)
    BREACH("I4 entry of the current chunk elsewhere", current->base += 8)
    BREACH("I1 numbers reach an idle chunk", c->numbers++)
    BREACH("I5 too many tails", c->tails = ARENA_TAILS_ + 1)
    BREACH("I5 a tail is idle", c->tail[0] = c->opened)
    BREACH("I5 a tail is the current chunk", c->tail[0] = c->current)
    BREACH("I5 a tail is oversized", c->tail[0] = an_oversized(c))
    BREACH("I5 a tail twice", c->tail[1] = c->tail[0])
    BREACH("I5 the second of three tails twice", c->tails = 3; c->tail[2] = c->tail[1])
    BREACH("I6 others too much", c->others += 8)
    BREACH("I6 others too little", c->others -= 8)
    BREACH("I6 retained too much", c->retained += 8; c->peak += 8)
    BREACH("I6 retained too little", c->retained -= 8)
    BREACH("I6 peak below retained", c->peak = c->retained - 1)
    BREACH("I6 allocated too much", c->allocated++)
    BREACH("I6 allocated too little", c->allocated--)
    BREACH("I7 padding beyond what is used", c->padding = c->others + 80 + 8)
    BREACH("I7 stranded too much", c->stranded += 8)
    BREACH("I7 stranded too little", c->stranded -= 8)
    BREACH("I8 the list begins with another chunk", c->oversized = a_tail(c) + 1)
    BREACH("I8 the list begins with an idle chunk", c->oversized = c->opened + 1)
    BREACH("I8 the list ends early", c->chunks[an_oversized(c)].below = 0)
    BREACH("I8 the list is gone", c->oversized = 0)
    BREACH("I8 the list goes round", c->chunks[an_oversized(c)].below = c->oversized)
    BREACH("I8 counted one more", c->oversizes++)
    BREACH("I8 counted one less", c->oversizes--)
    BREACH("I8 an idle chunk is oversized", idle->kind = c->chunks[an_oversized(c)].kind)
    BREACH("I8 another opened chunk is oversized",
           c->chunks[0].kind = c->chunks[an_oversized(c)].kind)
#undef BREACH
    return false;
}

TEST(valid, every_breach_of_a_typed_arena)
{
    NEEDS_KEPT_CHUNKS();
    valids_t a;
    arena_core_t good;
    arena_chunk_t_ chunks[16];
    arena_entry_t_ table[16];
    const char *name = "";
    int which;
    size_t chunk_bytes, table_bytes;
    build(t, &a);
    if (!CHECK(a.core.slots <= 16)) return;
    good = a.core;
    chunk_bytes = a.core.slots * sizeof chunks[0];
    table_bytes = a.core.slots * sizeof table[0];
    memcpy(chunks, a.core.chunks, chunk_bytes);
    memcpy(table, a.core.table, table_bytes);
    for (which = 0; breach(&a.core, which, &name); which++) {
        if (!CHECK(!valids_is_valid(&a))) CHECK_STR(name, "");
        a.core = good;
        memcpy(a.core.chunks, chunks, chunk_bytes);
        memcpy(a.core.table, table, table_bytes);
        CHECK(valids_is_valid(&a));
    }
    CHECK(which > 50);
    valids_release(&a);
}

TEST(valid, breaches_of_an_arena_without_current_chunk)
{
    NEEDS_KEPT_CHUNKS();
    valids_t a;
    arena_core_t good;
    build(t, &a);
    valids_reset(&a);
    good = a.core;
    CHECK(valids_is_valid(&a));
    a.core.cur = a.core.chunks[0].base;
    CHECK(!valids_is_valid(&a));
    a.core = good;
    a.core.end = a.core.chunks[0].base;
    CHECK(!valids_is_valid(&a));
    a.core = good;
    a.core.base = a.core.chunks[0].base;
    CHECK(!valids_is_valid(&a));
    a.core = good;
    a.core.tag = a.core.table[0].tag;
    CHECK(!valids_is_valid(&a));
    a.core = good;
    a.core.numbers = 1;
    CHECK(!valids_is_valid(&a));
    a.core = good;
    CHECK(valids_is_valid(&a));
    valids_release(&a);
}

TEST(valid, breaches_of_an_unused_arena)
{
    arena_t a = {0}, good = {0};
    char byte = 0;
    CHECK(arena_is_valid(&a));
    a.core.cur = &byte;
    CHECK(!arena_is_valid(&a));
    a = good;
    a.core.end = &byte;
    CHECK(!arena_is_valid(&a));
    a = good;
    a.core.opened = 1;
    CHECK(!arena_is_valid(&a));
    a = good;
    a.core.total = 1;
    CHECK(!arena_is_valid(&a));
    a = good;
    a.core.allocated = 1;
    CHECK(!arena_is_valid(&a));
    a = good;
    a.core.retained = 1;
    CHECK(!arena_is_valid(&a));
}

TEST(valid, breaches_of_an_arena_of_one_chunk)
{
    arena_t a;
    start(t, &a, 64);
    CHECK(arena_append(&a, "x", 1) != NULL);
    CHECK_EQ(a.core.slots, 1);
    a.core.slots = 2; /* As if there were a table. */
    CHECK(!arena_is_valid(&a));
    a.core.slots = 1;
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

/* A fixed arena has no chunk but its buffer: one of the hook's alone, and a second one, as if it had
 * been told afterwards that it is fixed. */
TEST(valid, breaches_of_a_fixed_arena)
{
    arena_options_t o;
    arena_t a;
    char buffer[64];
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    o.chunk_bytes = 64;
    o.fixed = true;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    CHECK(arena_append(&a, "x", 1) == NULL); /* Begun, and without a chunk. */
    CHECK(a.core.size != 0 && arena_is_valid(&a));
    arena_release(&a);
    o.fixed = false;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    CHECK(arena_append(&a, "x", 1) != NULL);
    CHECK(arena_is_valid(&a));
    a.core.options.fixed = true;
    CHECK(!arena_is_valid(&a));
    a.core.options.fixed = false;
    arena_release(&a);
    o.buffer = buffer;
    o.buffer_bytes = sizeof buffer;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    CHECK(arena_append(&a, "x", 1) != NULL);
    a.core.options.fixed = true;
    CHECK(arena_is_valid(&a));
    a.core.options.fixed = false;
    CHECK(arena_reserve(&a, 64) != NULL);
    CHECK(arena_is_valid(&a));
    a.core.options.fixed = true;
    CHECK(!arena_is_valid(&a));
    a.core.options.fixed = false;
    arena_release(&a);
}

TEST(valid, spare_byte_of_a_byte_arena)
{
    arena_t a;
    char *p;
    NEEDS_KEPT_CHUNKS();
    start(t, &a, 64);
    p = arena_reserve(&a, 64);
    if (CHECK(p != NULL)) memset(p, 'x', 64);
    CHECK(arena_is_valid(&a));
    a.core.chunks[0].base[64] = 'x';
    CHECK(!arena_is_valid(&a));
    a.core.chunks[0].base[64] = 0;
    CHECK(arena_is_valid(&a));
    /* While the chunk is idle the byte is nobody's. */
    arena_reset(&a);
    a.core.chunks[0].base[64] = 'x';
    CHECK(arena_is_valid(&a));
    CHECK(arena_reserve(&a, 1) != NULL);
    CHECK_EQ(a.core.chunks[0].base[64], 0);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

/* Storage that waits to be used again: what stands at its beginning is the next block and its size.
 */
struct waiting {
    char *next;
    size_t bytes;
};

static void breach_waiting(struct test *t, size_t bytes)
{
    arena_t a;
    arena_core_t good;
    struct waiting block, forged;
    void *p, *q;
    size_t k, list = ARENA_CLASSES_;
    start(t, &a, 1024);
    p = arena_alloc(&a, bytes, 8);
    q = arena_alloc(&a, bytes, 8);
    CHECK(arena_append(&a, "between", 7) != NULL);
    CHECK(arena_realloc(&a, p, bytes, 0, 8) == NULL);
    CHECK(arena_realloc(&a, q, bytes, 0, 8) == NULL);
    for (k = 0; k < ARENA_CLASSES_; k++) {
        if (a.core.reuse[k] != NULL) list = k;
    }
    if (!CHECK(list < ARENA_CLASSES_)) return;
    CHECK(arena_is_valid(&a));
    good = a.core;
    memcpy(&block, a.core.reuse[list], sizeof block);
    CHECK_EQ(block.bytes, bytes);

    a.core.reuse[list] = (char *)&forged; /* Not in the arena at all. */
    forged = block;
    CHECK(!arena_is_valid(&a));
    a.core = good;
    a.core.reuse[list] = a.core.cur; /* Beyond what is stored. */
    CHECK(!arena_is_valid(&a));
    a.core = good;
    a.core.reuse[list] = (char *)UINTPTR_MAX; /* Where an end behind it would wrap. */
    CHECK(!arena_is_valid(&a));
    a.core = good;
    a.core.reuse[list + 1] = a.core.reuse[list]; /* In the list of another size. */
    a.core.reuse[list] = NULL;
    a.core.waiting = a.core.waiting << 1;
    CHECK(!arena_is_valid(&a));
    a.core = good;
    a.core.waiting = 0; /* A list that nobody looks at. */
    CHECK(!arena_is_valid(&a));
    a.core = good;
    a.core.waiting |= 1u << (list + 1); /* One looked at and empty. */
    CHECK(!arena_is_valid(&a));
    a.core = good;
    a.core.waiting |= 1u << ARENA_CLASSES_; /* One that there is not. */
    CHECK(!arena_is_valid(&a));
    a.core.waiting = good.waiting | 1u << 31;
    CHECK(!arena_is_valid(&a));
    a.core = good;
    a.core.padding = 2 * bytes - 1; /* More waits than there is padding. */
    CHECK(!arena_is_valid(&a));
    a.core = good;
    forged = block;
    forged.bytes = 5; /* Too small to say so itself. */
    memcpy(a.core.reuse[list], &forged, sizeof forged);
    CHECK(!arena_is_valid(&a));
    forged.bytes = (size_t)(a.core.cur - a.core.reuse[list]) + 1; /* It ends beyond the tip. */
    memcpy(a.core.reuse[list], &forged, sizeof forged);
    a.core.padding = (size_t)(a.core.cur - a.core.base);
    CHECK(!arena_is_valid(&a));
    a.core = good;
    forged.bytes = bytes;
    forged.next = a.core.reuse[list]; /* A list that goes round. */
    memcpy(a.core.reuse[list], &forged, sizeof forged);
    CHECK(!arena_is_valid(&a));
    memcpy(a.core.reuse[list], &block, sizeof block);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(valid, breaches_of_waiting_storage)
{
    breach_waiting(t, 20);
    breach_waiting(t, 100);
    breach_waiting(t, 396); /* Neighbours would be joined. */
}

TEST(valid, in_every_state)
{
    /* Random calls of all kinds; the arena is valid after each, the failing ones included. */
    arena_t a;
    arena_mark_t m;
    arena_ref_t r = {0, 0, 0};
    static char source[600];
    int i;
    memset(source, 'v', sizeof source);
    start(t, &a, 128);
    m = arena_mark(&a);
    for (i = 0; i < 20000; i++) {
        uint64_t x = test_random(t);
        size_t n = 1 + (size_t)((x >> 8) % (i % 13 == 0 ? 500 : 60));
        if ((x >> 40) % 16 == 0) t->mem.fail_at = 1;
        switch (x % 16) {
        case 0: (void)arena_rewind(&a, m); break;
        case 1: m = arena_mark(&a); break;
        case 2:
            if ((x >> 48) % 8 == 0) arena_reset(&a);
            break;
        case 3:
            if ((x >> 48) % 8 == 0) arena_trim(&a, n);
            break;
        case 4:
            if ((x >> 48) % 64 == 0) arena_release(&a);
            break;
        case 5: (void)arena_str(&a, r); break;
        case 6: (void)arena_printf(&a, "%.*s", (int)n, source); break;
        case 7: (void)arena_intern_n(&a, source, n); break;
        case 8: (void)arena_reserve(&a, n); break;
        case 9:
        case 10: r = arena_ref(&a, source, n); break;
        default: (void)arena_append(&a, source, n); break;
        }
        t->mem.fail_at = 0;
        arena_clear_status(&a);
        if (!CHECK(arena_is_valid(&a))) break;
        if (!CHECK_EQ(arena_stats(&a).allocated, t->mem.live_bytes)) break;
    }
    arena_release(&a);
}
