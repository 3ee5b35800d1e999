/* Ending a batch, going back in it, giving memory back. */
#include "proof.h"

void reset(void);
void release(void);
void trim(void);
void rewind_any(void);
void rewind_back(void);

/* PROOF reset.2 | arena_core_reset_, arena_close_, arena_drop_, arena_drop_last_ | every valid
 * byte arena that holds 2 chunks of 1-4 bytes | quick | --unwind 4 -DTOTAL=2 */
void reset(void)
{
    arena_core_t c;
    arbitrary_core(&c, &bytes_shape);
    arena_core_reset_(&c);
    PROVE(arena_valid_(&c));
    PROVE(c.opened == 0 && arena_core_size_(&c) == 0 && c.padding == 0 && c.stranded == 0);
    PROVE(c.status == ARENA_OK && allocs == 0);
    REACHED();
}

/* PROOF release.2 | arena_core_release_ and below | every valid byte arena that holds 2 chunks
 * of 1-4 bytes | quick | --unwind 4 -DTOTAL=2 */
void release(void)
{
    arena_core_t c;
    arbitrary_core(&c, &bytes_shape);
    arena_core_release_(&c);
    PROVE(arena_valid_(&c));
    PROVE(c.allocated == 0 && c.retained == 0 && c.total == 0);
    PROVE(frees == TOTAL + 1 && allocs == 0); /* The chunks and their table. */
    REACHED();
}

/* PROOF trim.2 | arena_core_trim_ | every valid byte arena that holds 2 chunks of 1-4 bytes,
 * every size to keep | quick | --unwind 4 -DTOTAL=2 */
void trim(void)
{
    arena_core_t c;
    size_t keep = nondet_size(), size;
    arbitrary_core(&c, &bytes_shape);
    size = arena_core_size_(&c);
    arena_core_trim_(&c, keep);
    PROVE(arena_valid_(&c));
    PROVE(arena_core_size_(&c) == size);
    PROVE(c.retained <= keep || c.total == c.opened);
    REACHED();
}

/* PROOF rewind_any.2 | arena_core_rewind_, arena_mark_is_good_ | every mark of any bits; every
 * valid byte arena that holds 2 chunks of 1-4 bytes | quick | --unwind 6 -DTOTAL=2 */
void rewind_any(void)
{
    arena_core_t c;
    struct before b;
    arena_mark_t mark = nondet_mark();
    arbitrary_core(&c, &bytes_shape);
    b = remember(&c);
    if (!arena_core_rewind_(&c, mark)) {
        PROVE(unchanged(&b, &c));
        PROVE(c.status != ARENA_OK);
    } else {
        REACHED();
    }
}

/* PROOF rewind_back.1 | arena_core_mark_, arena_core_rewind_ | every valid byte arena that holds
 * 1 chunk of 1-4 bytes; one value of 1-6 bytes stored between | slow | --unwind 6 */
void rewind_back(void)
{
    arena_core_t c;
    arena_mark_t mark;
    arena_stats_t before, after;
    size_t n = nondet_size();
    char *cur;
    ASSUME(n >= 1 && n <= CAP + 2);
    arbitrary_core(&c, &bytes_shape);
    ASSUME(c.marks < 1000);
    mark = arena_core_mark_(&c);
    before = arena_core_stats_(&c);
    cur = c.cur;
    PROVE(arena_valid_(&c));
    (void)arena_room_(&c, n, &bytes_shape, 0, NULL);
    PROVE(arena_core_rewind_(&c, mark));
    PROVE(arena_valid_(&c));
    after = arena_core_stats_(&c);
    PROVE(after.size == before.size && after.padding == before.padding &&
          after.stranded == before.stranded && after.chunks == before.chunks &&
          after.oversized == before.oversized);
    PROVE(c.cur == cur);
    PROVE(arena_core_rewind_(&c, mark));
    REACHED();
}
