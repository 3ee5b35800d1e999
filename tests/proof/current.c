/*
 * malloc's shapes on the current arena. `prove` makes a copy of arena.h where arena_allocf, which
 * grow.c is about, has another name, and calls of it come to the one below.
 */
#include <stddef.h>
void *arena_allocf(void *ctx, void *p, size_t old_bytes, size_t new_bytes);
#define PROOF_ARENA "../../build/proof/current.h"
#include "proof.h"

static arena_t a;
static char *block; /* the one that is held, of so many bytes */
static size_t block_bytes, asked;
static unsigned calls;

/* Any result: a block of exactly the bytes, at another place each time, or none. */
void *arena_allocf(void *ctx, void *p, size_t old_bytes, size_t new_bytes)
{
    char *q;
    size_t i;
    PROVE(ctx == &a && p == block && (p == NULL || old_bytes == block_bytes));
    PROVE(new_bytes <= PTRDIFF_MAX);
    calls++;
    if (new_bytes == 0) {
        block = NULL;
        return NULL;
    }
    if (new_bytes > (size_t)1 << 40 || nondet_bool()) {
        a.core.status = ARENA_NO_MEMORY;
        return NULL;
    }
    q = (char *)malloc(new_bytes);
    ASSUME(q != NULL);
    if (p != NULL) {
        PROVE(old_bytes >= sizeof(size_t) && new_bytes >= sizeof(size_t));
        for (i = 0; i < sizeof(size_t); i++) q[i] = block[i];
        if (asked < old_bytes && asked < new_bytes) q[asked] = block[asked];
    }
    block = q;
    block_bytes = new_bytes;
    return q;
}

void current_malloc(void);

static void is_block(const char *p, size_t bytes)
{
    PROVE(p == block + ARENA_HEADER_ && block_bytes == bytes + ARENA_HEADER_);
    PROVE(ARENA_HEADER_ % ARENA_MAX_ALIGN_ == 0 && (bytes == 0 || WRITABLE(p, bytes)));
}

/* PROOF current_malloc | arena_current_malloc, arena_current_realloc, arena_current_free,
 * arena_make_current | every two sizes: no bound; a block made, made larger or smaller and freed,
 * with a current arena that has memory or refuses, or without one: what fails changes nothing, the
 * size is known again, every byte stays | quick | --unwind 9 */
void current_malloc(void)
{
    const size_t n = nondet_size(), m = nondet_size();
    const bool none = nondet_bool();
    char *p, *q, was = 0;
    asked = nondet_size();
    (void)arena_make_current(none ? NULL : &a);
    arena_current_free(NULL);
    PROVE(calls == 0);
    p = (char *)(nondet_bool() ? arena_current_malloc(n) : arena_current_realloc(NULL, n));
    if (p == NULL) {
        PROVE(block == NULL && (none ? calls == 0 : a.core.status != ARENA_OK));
        return;
    }
    PROVE(!none && calls == 1);
    is_block(p, n);
    if (asked < block_bytes) was = block[asked];
    if (nondet_bool()) { /* Another one is current by now: nothing is done. */
        (void)arena_make_current(NULL);
        PROVE(arena_current_realloc(p, m) == NULL && calls == 1);
        arena_current_free(p);
        PROVE(calls == 1 && block != NULL);
        (void)arena_make_current(&a);
    }
    q = (char *)arena_current_realloc(p, m);
    if (m == 0) {
        PROVE(q == NULL && block == NULL && calls == 2);
        return;
    }
    if (q == NULL) {
        PROVE(a.core.status != ARENA_OK);
        is_block(p, n);
        q = p;
    } else {
        is_block(q, m);
        REACHED();
    }
    PROVE(asked < ARENA_HEADER_ || asked - ARENA_HEADER_ >= n || asked >= block_bytes ||
          block[asked] == was);
    arena_current_free(q);
    PROVE(block == NULL);
}
