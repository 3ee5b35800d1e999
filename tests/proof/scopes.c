/* The thread's current arena: scopes of any bits, in any state of the thread; scratch arenas. */
#include "proof.h"

arena_scope_t nondet_scope(void);

void scope_any(void);
void scope_open(void);
void scratch(void);

static arena_t a, other; /* Nobody looks into them. */

/* Any state of the thread: any number of scopes open, of any serials. */
static void some_thread(void)
{
    uint32_t i;
    arena_thread_.current = nondet_bool() ? &other : NULL;
    arena_thread_.depth = nondet_u32();
    arena_thread_.serial = nondet_u32();
    for (i = 0; i < ARENA_SCOPES_; i++) arena_thread_.open[i] = nondet_u32();
}

/* PROOF scope_any | arena_scope_close, arena_scope_leave_, arena_scope_end_ | every scope of any
 * bits, of no arena (how one is rewound is rewind_any's); any number of scopes open | quick
 * | --unwind 6 --unwindset some_thread.0:65 */
void scope_any(void)
{
    arena_scope_t s = nondet_scope();
    arena_t *current;
    uint32_t depth, asked, serial;
    some_thread();
    s.arena = NULL;
    s.before = nondet_bool() ? &other : NULL;
    current = arena_thread_.current;
    depth = arena_thread_.depth;
    asked = s.depth;
    serial = asked >= 1 && asked <= ARENA_SCOPES_ ? arena_thread_.open[asked - 1] : s.serial;
    if (!arena_scope_close(&s)) {
        PROVE(s.depth == asked && arena_thread_.current == current);
        PROVE(arena_thread_.depth == depth);
        PROVE(asked == 0 || asked > depth || serial != s.serial);
    } else {
        PROVE(asked >= 1 && asked <= depth && serial == s.serial);
        PROVE(arena_thread_.depth == asked - 1 && arena_thread_.current == s.before);
        PROVE(s.depth == 0 && !arena_scope_close(&s));
        arena_scope_end_(&s);
        PROVE(arena_thread_.depth == asked - 1);
        REACHED();
    }
}

/* PROOF scope_open | arena_scope_open, arena_scope_close, arena_make_current, arena_current | any
 * number of scopes open, and one more, of no arena | quick | --unwind 6
 * --unwindset some_thread.0:65 */
void scope_open(void)
{
    arena_scope_t s, t;
    arena_t *current;
    uint32_t depth;
    some_thread();
    ASSUME(arena_thread_.depth < UINT32_MAX - 1);
    current = arena_current();
    depth = arena_thread_.depth;
    s = arena_scope_open(NULL);
    PROVE(arena_current() == NULL && arena_thread_.depth == depth + 1 && s.before == current);
    t = arena_scope_open(NULL);
    PROVE(t.depth == depth + 2 && t.serial != s.serial);
    if (nondet_bool()) PROVE(arena_scope_close(&t));
    PROVE(arena_scope_close(&s));
    PROVE(arena_current() == current && arena_thread_.depth == depth);
    PROVE(!arena_scope_close(&t)); /* It counts as closed with the one around it. */
    REACHED();
}

/* PROOF scratch | arena_scratch | every current arena, 0-3 arenas in use, of which any are scratch
 * arenas, the same one twice, or NULL | quick | --unwind 6 */
void scratch(void)
{
    arena_t *in_use[3], *p;
    const size_t n = nondet_size();
    size_t i;
    ASSUME(n <= 3);
    for (i = 0; i < 3; i++) {
        const uint32_t k = nondet_u32();
        in_use[i] = k < ARENA_SCRATCHES_ ? &arena_thread_.scratch[k] : nondet_bool() ? &a : NULL;
    }
    arena_thread_.current = &a;
    if (nondet_bool()) arena_thread_.current = in_use[2];
    p = arena_scratch(nondet_bool() ? in_use : NULL, n);
    PROVE(p != NULL || n == 3); /* With the current one four may be named. */
    PROVE(p != arena_thread_.current || p == NULL);
    REACHED();
    p = arena_scratch(in_use, n);
    for (i = 0; i < n; i++) PROVE(p == NULL || p != in_use[i]);
}
