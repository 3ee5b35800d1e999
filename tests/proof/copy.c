/*
 * The small copy: every byte arrives, none is read or written outside. One length after the other,
 * so that source and destination are objects of exactly that length; the contents are arbitrary.
 */
#define PROOF_PLAIN_COPY
#include <stddef.h>
#include <stdint.h>
static void *proof_bytes(void *dst, const void *src, size_t n);
#define ARENA_MEMCPY proof_bytes
#include "proof.h"

/* What memcpy does, in words where they are whole, which is how the small copy asks for them: the
 * checker takes a word for its bytes and needs a fraction of the time. Of a copy of no fixed size
 * it wants the bytes to be there, and copies the one that is asked about. */
static size_t asked;
static void *proof_bytes(void *dst, const void *src, size_t n)
{
    if (n == 16) {
        uint64_t *d = (uint64_t *)dst;
        const uint64_t *s = (const uint64_t *)src;
        d[0] = s[0];
        d[1] = s[1];
    } else if (n == 4) {
        *(uint32_t *)dst = *(const uint32_t *)src;
    } else {
        PROVE(READABLE(src, n) && WRITABLE(dst, n) && asked < n);
        ((char *)dst)[asked] = ((const char *)src)[asked];
    }
    return dst;
}

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

/* PROOF copy_17_40 | arena_copy_ | every length from 17 to 40, every content | quick | --unwind
 * 26 --object-bits 10 */
void copy_17_40(void) { copies(17, 40); }

/* PROOF copy_41_64 | arena_copy_ | every length from 41 to 64, every content | quick | --unwind
 * 26 --object-bits 10 */
void copy_41_64(void) { copies(41, 64); }

/* Longer ones are memcpy's; here the whole store is made, into room of exactly the length, by an
 * arena that would refuse a chunk. */
static void stores(size_t n)
{
    static const arena_core_t none;
    arena_core_t c = none;
    const size_t k = nondet_size();
    char *s = (char *)malloc(n), wanted;
    const char *p;
    c.size = c.align = c.spare = 1;
    c.current = ARENA_NONE_;
    c.options.fixed = true;
    c.base = c.cur = (char *)malloc(n);
    ASSUME(c.cur != NULL && s != NULL && k < n);
    c.end = c.cur + n;
    asked = k;
    wanted = s[k];
    p = arena_core_append_(&c, s, n, &bytes_shape);
    PROVE(p == c.base && c.cur == c.end);
    PROVE(p[k] == wanted);
}

/* PROOF copy_65_128 | arena_core_append_ | every length from 65 to 128 into as much room, every
 * content | slow | --unwind 66 --object-bits 10 */
void copy_65_128(void)
{
    size_t n;
    for (n = 65; n <= 128; n++) stores(n);
    REACHED();
}
