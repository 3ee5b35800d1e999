/*
 * Bytes and strings: the hot path and what it falls back to. Most are about a fixed arena, where a
 * value that does not fit is refused: how chunks are opened for one is in store.c.
 */
#include <stdarg.h>
#include <stddef.h>
static int proof_format(char *dst, size_t room, const char *fmt, va_list args);
#define ARENA_VSNPRINTF proof_format
#define PIECE 9
#include "proof.h"

void append(void);
void ref(void);
void intern(void);
void strref(void);
void str(void);
void strjoin(void);
void reserve(void);
void slice(void);
void reserve_quads(void);
void slice_quads(void);
void alloc_array(void);
void print(void);
void extend_print(void);
void watch(void);
void prefetch(void);

enum { MOST = CAP + 2 };

/* A source of exactly n bytes, 1 to MOST, of any content; or any pointer into the arena. */
static const char *some_source(const arena_core_t *c, size_t *n)
{
    if (nondet_bool()) return some_storage(c, n);
    ASSUME(*n >= 1 && *n <= MOST);
    return (const char *)object_of(*n);
}

/* What every store of n bytes at src has to do; the copy is at p, or NULL. */
static void stored(const arena_core_t *c, const struct before *b, size_t size, const char *p,
                   size_t n, const char *wanted)
{
    const size_t k = nondet_size();
    PROVE(arena_valid_(c));
    if (p == NULL) {
        PROVE(unchanged(b, c) && c->status != ARENA_OK);
    } else {
        PROVE(held_by(c, p, n) && arena_core_size_(c) == size + n);
        PROVE(k >= n || p[k] == wanted[k]);
    }
}

static arena_core_t c;
static struct before b;
static char wanted[MOST + 1];
static size_t size, n;
static const char *src;

/* An arena, a source (or NULL) and what is in it. */
static void some_store(const arena_shape_t_ *s)
{
    size_t k;
    arbitrary_core(&c, s);
    n = nondet_size();
    src = some_source(&c, &n);
    ASSUME(src != NULL);
    for (k = 0; k < MOST; k++)
        if (k < n) wanted[k] = src[k];
    if (nondet_bool()) src = NULL;
    b = remember(&c);
    size = arena_core_size_(&c);
}

/* PROOF append | arena_core_append_, arena_store_, arena_copy_, arena_bump_, arena_fits_,
 * arena_few_fit_ | every valid fixed byte arena of 1-4 bytes; every source of 1-6 bytes, also in
 * the arena, or NULL | quick | --unwind 4 -DFIXED */
void append(void)
{
    const char *p;
    some_store(&bytes_shape);
    p = arena_core_append_(&c, src, n, &bytes_shape);
    stored(&c, &b, size, p, n, wanted);
    PROVE(p == NULL || src != NULL);
    if (p != NULL) REACHED();
}

/* PROOF ref | arena_core_ref_, arena_store_ref_, arena_bits_ | as append | quick | --unwind 4
 * -DFIXED */
void ref(void)
{
    arena_bits_t_ r;
    arena_run_t_ v;
    some_store(&bytes_shape);
    r = arena_core_ref_(&c, src, n, &bytes_shape);
    v = arena_core_value_(&c, r, 1);
    stored(&c, &b, size, v.data, n, wanted);
    PROVE(v.len == (v.data != NULL ? n : 0) && (v.len != 0 || r.len == 0));
    if (v.data != NULL) REACHED();
}

static arena_t byte_arena(void)
{
    arena_t a;
    a.core = c;
    return a;
}

/* PROOF intern | arena_intern_n, arena_intern_slow_ | as append, and no bytes | quick | --unwind 4
 * -DFIXED */
void intern(void)
{
    arena_t a;
    const char *p;
    some_store(&bytes_shape);
    a = byte_arena();
    p = arena_intern_n(&a, src, n);
    stored(&a.core, &b, size, p, n, wanted);
    PROVE(p == NULL || (src != NULL && READABLE(p, n + 1) && p[n] == 0));
    PROVE(arena_intern_n(&a, src, 0)[0] == 0);
    if (p != NULL) REACHED();
}

/* PROOF strref | arena_strref_n, arena_store_ref_ | as append | slow | --unwind 4 -DFIXED */
void strref(void)
{
    arena_t a;
    arena_ref_t r;
    arena_view_t v;
    some_store(&bytes_shape);
    a = byte_arena();
    r = arena_strref_n(&a, src, n);
    v = arena_value(&a, r);
    stored(&a.core, &b, size, v.data, n, wanted);
    PROVE(v.len == (v.data != NULL ? n : 0) && (v.len != 0 || r.len == 0));
    if (v.data != NULL) {
        PROVE(READABLE(v.data, n + 1) && v.data[n] == 0);
        PROVE(arena_str(&a, r) == v.data);
        REACHED();
    }
}

/* PROOF str | arena_str, arena_has_next_, arena_intern_n | all 2^96 Refs, also with a forged NUL
 * flag; every valid fixed byte arena of 1-4 bytes, its contents | quick | --unwind 4 -DFIXED */
void str(void)
{
    arena_t a;
    arena_ref_t r;
    arena_view_t v;
    const char *p;
    size_t k = nondet_size();
    char was = 0;
    arbitrary_core(&c, &bytes_shape);
    a = byte_arena();
    r = arena_ref_of_(nondet_bits());
    v = arena_value(&a, r);
    b = remember(&a.core);
    size = arena_core_size_(&a.core);
    if (k < v.len) was = v.data[k];
    p = arena_str(&a, r);
    PROVE(arena_valid_(&a.core) && p != NULL);
    if (v.len != 0 && p[0] == 0 && a.core.status != ARENA_OK && v.data[0] != 0) {
        PROVE(unchanged(&b, &a.core)); /* No room for a copy. */
    } else if (p == v.data) {
        PROVE(p[v.len] == 0 && arena_core_size_(&a.core) == size);
        PROVE(held_by(&a.core, p, v.len + 1) || /* It is a stored one, or the spare byte. */
              p + v.len == a.core.chunks[0].base + a.core.chunks[0].cap);
        REACHED();
    } else if (p[0] != 0) {
        PROVE(READABLE(p, v.len + 1) && p[v.len] == 0 && arena_core_size_(&a.core) == size + v.len);
    }
    PROVE(k >= v.len || v.data[k] == was);
    PROVE(k >= v.len || p[0] == 0 || p[k] == was);
}

/* With a Ref or without. */
static void reserves(const arena_shape_t_ *s)
{
    const bool with_ref = nondet_bool();
    arena_bits_t_ r = {0, 0, 0};
    char *p;
    arbitrary_core(&c, s);
    n = nondet_size();
    b = remember(&c);
    size = arena_core_size_(&c);
    if (with_ref) p = arena_core_reserve_ref_(&c, n, &r, s);
    else p = arena_core_reserve_(&c, n, s);
    PROVE(arena_valid_(&c));
    if (p == NULL) {
        PROVE(unchanged(&b, &c) && (n == 0 || c.status != ARENA_OK) && r.len == 0);
    } else {
        PROVE(n <= CAP && held_by(&c, p, n * s->size));
        PROVE(arena_core_size_(&c) == size + n * s->size && (!with_ref || r.len == n));
        REACHED();
    }
}

/* PROOF reserve | arena_core_reserve_, arena_core_reserve_ref_, arena_room_ | every count: no
 * bound; every valid fixed byte arena of 1-4 bytes | quick | --unwind 4 -DFIXED */
void reserve(void) { reserves(&bytes_shape); }

/* PROOF reserve_quads | as reserve | as reserve, 4-byte elements | quick | --unwind 4 -DFIXED */
void reserve_quads(void) { reserves(&quad_shape); }

static void slices(const arena_shape_t_ *s)
{
    const size_t k = nondet_size();
    char *p;
    arbitrary_core(&c, s);
    n = nondet_size();
    b = remember(&c);
    p = arena_core_slice_(&c, n, s);
    PROVE(arena_valid_(&c));
    if (p == NULL) {
        PROVE(unchanged(&b, &c) && (n == 0 || c.status != ARENA_OK));
    } else {
        PROVE(n <= CAP && held_by(&c, p, n * s->size) && (k >= n * s->size || p[k] == 0));
        REACHED();
    }
}

/* PROOF slice | arena_core_slice_, arena_core_alloc_, arena_alloc_slow_, arena_clear_ | every
 * capacity: no bound; every valid fixed byte arena of 1-4 bytes | quick | --unwind 4 -DFIXED */
void slice(void) { slices(&bytes_shape); }

/* PROOF slice_quads | as slice | as slice, 4-byte elements | quick | --unwind 4 -DFIXED */
void slice_quads(void) { slices(&quad_shape); }

/* PROOF alloc_array | arena_alloc_array_, arena_core_alloc_, arena_alloc_slow_ | every count of
 * elements of 3 bytes, every alignment: no bound; every valid fixed byte arena of 1-4 bytes | quick
 * | --unwind 4 -DFIXED */
void alloc_array(void)
{
    const size_t bytes = 3, align = nondet_size(), k = nondet_size();
    arena_t a;
    char *p;
    arbitrary_core(&c, &bytes_shape);
    a = byte_arena();
    n = nondet_size();
    b = remember(&a.core);
    p = (char *)arena_alloc_array_(&a, n, bytes, align);
    PROVE(arena_valid_(&a.core));
    if (p == NULL) {
        PROVE(unchanged(&b, &a.core));
        PROVE(n == 0 || a.core.status != ARENA_OK);
    } else {
        PROVE(n <= CAP && held_by(&a.core, p, n * bytes));
        PROVE((ARENA_ADDRESS_(p) & (align - 1)) == 0 && (k >= n * bytes || p[k] == 0));
        REACHED();
    }
}

/* PROOF watch.2 | arena_core_size_, arena_core_stats_, arena_core_chunk_ | every valid byte arena
 * that holds 2 chunks of 1-4 bytes; every index | quick | --unwind 4 -DTOTAL=2 */
void watch(void)
{
    arena_stats_t t;
    arena_run_t_ v;
    const size_t i = nondet_size();
    arbitrary_core(&c, &bytes_shape);
    t = arena_core_stats_(&c);
    PROVE(t.size <= t.retained && t.used <= t.retained && t.retained <= t.peak);
    PROVE(t.used >= t.size + t.padding && t.chunks == c.opened && t.oversized <= t.chunks);
    PROVE(t.retained <= t.allocated);
    v = arena_core_chunk_(&c, i, 1);
    PROVE((v.data != NULL) == (i < c.opened));
    PROVE(v.len == 0 || (READABLE(v.data, v.len) && held_by(&c, v.data, v.len)));
    if (v.len != 0) REACHED();
}

/* PROOF prefetch.2 | arena_core_prefetch_ | all 2^96 Refs; elements of 1 and 4096 bytes; every
 * valid byte arena that holds 2 chunks of 1-4 bytes | quick | --unwind 4 -DTOTAL=2 */
void prefetch(void)
{
    arbitrary_core(&c, &bytes_shape);
    b = remember(&c);
    arena_core_prefetch_(&c, nondet_bits(), nondet_bool() ? 1 : 4096);
    PROVE(unchanged(&b, &c));
    REACHED();
}

/* Any text, any length of it; or the format fails. */
int nondet_int(void);

static char text[MOST + 1];
static int text_len;

static int proof_format(char *dst, size_t room, const char *fmt, va_list args)
{
    size_t i;
    (void)fmt;
    (void)args;
    PROVE(room == 0 || WRITABLE(dst, room));
    if (text_len < 0) { /* What it has written by then is anything. */
        i = nondet_size();
        if (i < room) dst[i] = nondet_char();
        return -1;
    }
    for (i = 0; i + 1 < room && i < (size_t)text_len && i < MOST; i++) dst[i] = text[i];
    if (room != 0) dst[i] = 0;
    return text_len;
}

static void some_text(void)
{
    size_t i;
    text_len = nondet_int();
    ASSUME(text_len <= MOST);
    for (i = 0; i < MOST; i++) text[i] = nondet_char();
}

/* PROOF print | arena_printf, arena_vprintf, arena_format_ | every text of 0-6 bytes, or a format
 * that fails or is NULL; every valid fixed byte arena of 1-4 bytes | quick | --unwind 4 -DFIXED */
void print(void)
{
    arena_t a;
    const char *p;
    arbitrary_core(&c, &bytes_shape);
    a = byte_arena();
    some_text();
    b = remember(&a.core);
    size = arena_core_size_(&a.core);
    p = arena_printf(&a, nondet_bool() ? "%s" : NULL, text);
    n = text_len < 0 ? 0 : (size_t)text_len;
    if (p != NULL && n == 0) {
        PROVE(p[0] == 0 && unchanged(&b, &a.core) && arena_valid_(&a.core));
    } else {
        stored(&a.core, &b, size, p, n, text);
        if (p != NULL) {
            PROVE(READABLE(p, n + 1) && p[n] == 0);
            REACHED();
        }
    }
}

/* PROOF extend_print | arena_extendf, arena_vextendf, arena_widen_, arena_block_for_,
 * arena_recycle_ | every text of 0-6 bytes, or a format that fails or is NULL; every valid fixed
 * byte arena of 1-4 bytes, every slice in it | open | --unwind 4 -DFIXED */
void extend_print(void)
{
    arena_t a;
    arena_slice_t s, was;
    size_t k = nondet_size();
    char old = 0;
    arbitrary_core(&c, &bytes_shape);
    a = byte_arena();
    some_text();
    s.data = NULL;
    s.len = s.cap = 0;
    if (nondet_bool()) {
        s.data = some_storage(&a.core, &s.cap);
        s.len = nondet_size();
        ASSUME(s.len <= s.cap);
    }
    was = s;
    if (k < s.len) old = s.data[k];
    b = remember(&a.core);
    if (arena_extendf(&a, &s, nondet_bool() ? "%s" : NULL, text)) {
        n = (size_t)text_len;
        PROVE(text_len >= 0 && s.len == was.len + n && s.len < s.cap);
        PROVE(held_by(&a.core, s.data, s.cap) && s.data[s.len] == 0);
        PROVE(k >= was.len || s.data[k] == old);
        PROVE(k >= n || s.data[was.len + k] == text[k]);
        if (n != 0) REACHED();
    } else {
        PROVE(s.data == was.data && s.len == was.len && s.cap == was.cap);
        PROVE(unchanged(&b, &a.core) && a.core.status != ARENA_OK);
        PROVE(k >= was.len || s.data[k] == old);
    }
    PROVE(arena_valid_(&a.core));
}

/* PROOF strjoin | arena_strjoin, arena_room_ | 0-2 parts of 0-2 bytes, a separator of 0-1 byte,
 * each of them perhaps NULL; every valid fixed byte arena of 1-4 bytes | slow | --unwind 4 -DFIXED
 * */
void strjoin(void)
{
    arena_t a;
    char first[3], second[3], sep[2], joined[MOST + 1];
    const char *parts[2], *p;
    size_t i, at = 0;
    const bool no_sep = nondet_bool(), no_parts = nondet_bool();
    arbitrary_core(&c, &bytes_shape);
    a = byte_arena();
    for (i = 0; i < 2; i++) first[i] = nondet_char(), second[i] = nondet_char();
    sep[0] = nondet_char();
    first[2] = second[2] = sep[1] = 0;
    parts[0] = nondet_bool() ? first : NULL;
    parts[1] = nondet_bool() ? second : NULL;
    n = nondet_size();
    ASSUME(n <= 2);
    for (i = 0; n > 0 && first[i] != 0; i++) joined[at++] = first[i];
    if (n > 1 && sep[0] != 0) joined[at++] = sep[0];
    for (i = 0; n > 1 && second[i] != 0; i++) joined[at++] = second[i];
    b = remember(&a.core);
    size = arena_core_size_(&a.core);
    p = arena_strjoin(&a, no_sep ? NULL : sep, no_parts ? NULL : parts, n);
    if (p != NULL && at == 0) {
        PROVE(p[0] == 0 && unchanged(&b, &a.core));
    } else {
        stored(&a.core, &b, size, p, at, joined);
        if (p != NULL) {
            PROVE(n < 2 || (parts[1] != NULL && !no_sep));
            PROVE(READABLE(p, at + 1) && p[at] == 0);
            REACHED();
        }
    }
}
