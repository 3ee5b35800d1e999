/*
 * The small copy: every byte arrives, none is read or written outside. One length after the other,
 * so that source and destination are objects of exactly that length; the contents are arbitrary.
 */
#define PROOF_PLAIN_COPY
#include "proof.h"

static void copies(size_t least, size_t most)
{
    size_t n;
    for (n = least; n <= most; n++) {
        char *d = (char *)malloc(n), *s = (char *)malloc(n);
        size_t k = nondet_size();
        char wanted;
        ASSUME(d != NULL && s != NULL && k < n);
        wanted = s[k];
        arena_copy_(d, s, n);
        PROVE(d[k] == wanted);
        PROVE(s[k] == wanted);
    }
    REACHED();
}

void copy_1_16(void);
void copy_17_40(void);
void copy_41_64(void);
void copy_65_128(void);

/* PROOF copy_1_16 | arena_copy_ | every length from 1 to 16, every content | quick | --unwind 18 */
void copy_1_16(void) { copies(1, 16); }

/* PROOF copy_17_40 | arena_copy_ | every length from 17 to 40, every content | slow | --unwind
 * 26 --object-bits 10 */
void copy_17_40(void) { copies(17, 40); }

/* PROOF copy_41_64 | arena_copy_ | every length from 41 to 64, every content | open | --unwind
 * 26 --object-bits 10 */
void copy_41_64(void) { copies(41, 64); }

/* Longer ones are memcpy's; here the whole store is made, into room of exactly the length. */
/* PROOF copy_65_128 | arena_core_append_ | every length from 65 to 128 into as much room, every
 * content | open | --unwind 66 --object-bits 10 */
void copy_65_128(void)
{
    size_t n;
    for (n = 65; n <= 128; n++) {
        arena_core_t c = nondet_core();
        char *s = (char *)malloc(n);
        size_t k = nondet_size();
        const char *p;
        c.base = c.cur = (char *)malloc(n);
        ASSUME(c.cur != NULL && s != NULL && k < n);
        c.end = c.cur + n;
        p = arena_core_append_(&c, s, n, &bytes_shape);
        PROVE(p == c.base && c.cur == c.end);
        PROVE(p[k] == s[k]);
    }
    REACHED();
}
