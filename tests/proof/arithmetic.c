/* Sizes: for every value of every argument, with no bound. */
#include "proof.h"

void charge(void);
void need(void);
void class_of(void);
void init(void);

/* PROOF charge | arena_charge_, arena_discharge_ | every number of bytes, held and limit: no
 * bound | quick | --unwind 3 */
void charge(void)
{
    arena_core_t c = nondet_core();
    const size_t bytes = nondet_size(), held = c.allocated, limit = c.options.limit_bytes;
    c.group = NULL;
    if (arena_charge_(&c, bytes)) {
        PROVE(c.allocated >= held && c.allocated - held == bytes);
        PROVE(limit == 0 || c.allocated <= limit);
        arena_discharge_(&c, bytes);
        PROVE(c.allocated == held);
        REACHED();
    } else {
        PROVE(c.allocated == held);
        PROVE(bytes > SIZE_MAX - held || (limit != 0 && (held > limit || bytes > limit - held)));
    }
}

/* PROOF need | arena_need_, arena_tail_room_, arena_tip_ | every size up to PTRDIFF_MAX, every
 * power of two as alignment, any flags: no bound; every valid byte arena with 1 chunk | quick |
 * --unwind 3 */
void need(void)
{
    arena_core_t c;
    const size_t bytes = nondet_size(), align = nondet_size();
    const unsigned flags = nondet_unsigned();
    size_t n, room;
    arbitrary_core(&c, &bytes_shape);
    ASSUME(c.opened == 1 && bytes >= 1 && bytes <= PTRDIFF_MAX);
    ASSUME(align != 0 && (align & (align - 1)) == 0);
    n = arena_need_(&c, 0, bytes, align, flags);
    room = arena_tail_room_(&c, 0);
    if (n != SIZE_MAX) {
        PROVE(n <= room && n >= bytes && n - bytes <= room);
        PROVE((flags & ARENA_REF_) == 0 || c.chunks[0].number != ARENA_NONE_);
        REACHED();
    }
}

/* PROOF class_of | arena_class_ | every number of bytes: no bound | quick | --unwind 21 */
void class_of(void)
{
    const size_t bytes = nondet_size();
    const unsigned k = arena_class_(bytes);
    PROVE(k < ARENA_CLASSES_);
    PROVE(k == 0 || bytes >> (k + 4) != 0);
    PROVE(k + 1 == ARENA_CLASSES_ || bytes >> (k + 5) == 0);
    REACHED();
}

/* PROOF init | arena_core_init_, arena_begin_ | every option, a buffer of 0-6 bytes: what is
 * refused leaves {0}, nothing is written outside the buffer | quick | --unwind 3 */
void init(void)
{
    arena_core_t c;
    arena_options_t o = nondet_core().options;
    arena_hooks_t hooks;
    const size_t real = nondet_size();
    arena_status_t status;
    ASSUME(real <= 6);
    hooks.alloc = nondet_bool() ? proof_alloc : NULL;
    hooks.free = nondet_bool() ? proof_free : NULL;
    hooks.ctx = chunk_table;
    o.on_error = NULL;
    o.hooks = nondet_bool() ? &hooks : NULL;
    o.buffer = real != 0 ? object_of(real) : NULL;
    ASSUME(o.buffer == NULL || o.buffer_bytes <= real);
    status = arena_core_init_(&c, &o, &bytes_shape);
    PROVE(arena_core_is_valid_(&c, &bytes_shape));
    PROVE(allocs == 0);
    PROVE(c.retained <= o.buffer_bytes);
    if (status != ARENA_OK) {
        PROVE(c.size == 0 && c.options.buffer == NULL && c.id == 0 && c.options.limit_bytes == 0);
    } else {
        REACHED();
    }
}
