/*
 * Peers with a C interface, each only where its development package was found by bench.mk:
 * APR pools, GLib's GStringChunk, talloc, stb_ds's string arena, mimalloc, jemalloc and bumpalo
 * (whose loops are in bumpalo.rs). mimalloc is opened at run time and jemalloc linked under names
 * of its own, since both would otherwise take the place of malloc in the whole program.
 */
#include "bench.h"

#include <stdlib.h>

/* What mimalloc, jemalloc and malloc have in common: a block per value, given back one by one. */
#define BLOCK_FUNCTIONS_(p, type, ALLOC, ZALLOC)                                                   \
    BENCH_INLINE void *p##_room(type *c, size_t n)                                                 \
    {                                                                                              \
        void *q = ALLOC(c, n);                                                                     \
        if (q == NULL) abort();                                                                    \
        return q;                                                                                  \
    }                                                                                              \
    BENCH_INLINE void *p##_append(type *c, const char *s, size_t n)                                \
    {                                                                                              \
        return memcpy(p##_room(c, n), s, n);                                                       \
    }                                                                                              \
    BENCH_INLINE void *p##_text(type *c, const char *s, size_t n)                                  \
    {                                                                                              \
        char *q = (char *)p##_room(c, n + 1);                                                      \
        memcpy(q, s, n);                                                                           \
        q[n] = 0;                                                                                  \
        return q;                                                                                  \
    }                                                                                              \
    BENCH_INLINE void *p##_zero(type *c, size_t n)                                                 \
    {                                                                                              \
        void *q = ZALLOC(c, n);                                                                    \
        if (q == NULL) abort();                                                                    \
        return q;                                                                                  \
    }

#if defined(BENCH_MIMALLOC) || defined(BENCH_JEMALLOC)
static void *writable(const void *p)
{
    union { const void *from; void *to; } u;        /* free takes no pointer to const */
    u.from = p;
    return u.to;
}
#endif

/* ---- mimalloc ------------------------------------------------------------------------------ */
#ifdef BENCH_MIMALLOC
#include <dlfcn.h>

struct mi {
    void *(*alloc)(size_t);
    void *(*zalloc)(size_t);
    void (*give)(void *);
};

static void mi_find(void *library, const char *name, void *function)
{
    void *p = dlsym(library, name);
    if (p == NULL) abort();
    memcpy(function, &p, sizeof p);     /* ISO C has no cast from an object to a function pointer */
}

static void *mi_open(void)
{
    static struct mi m;
    if (m.alloc == NULL) {
        void *library = dlopen(BENCH_MIMALLOC, RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) abort();
        mi_find(library, "mi_zalloc", &m.zalloc);
        mi_find(library, "mi_free", &m.give);
        mi_find(library, "mi_malloc", &m.alloc);
    }
    return &m;
}
static void mi_close(void *ctx) { (void)ctx; }
#define mi_held NULL
#define MI_ALLOC_(c, n) (c)->alloc(n)
#define MI_ZALLOC_(c, n) (c)->zalloc(n)
BLOCK_FUNCTIONS_(mi, struct mi, MI_ALLOC_, MI_ZALLOC_)

#define C_NAME(x) mi_##x
#define C_TYPE struct mi
#define C_CONTENDER PLACED(cont_mimalloc)
#define C_TITLE "mimalloc"
#define C_KIND KIND_PEER
#define C_RESET(c) ((void)(c))
#define C_DROP(c, p) (c)->give(writable(p))
#define C_APPEND(c, s, n) mi_append(c, s, n)
#define C_TEXT(c, s, n) mi_text(c, s, n)
#define C_STRING(c, s) mi_text(c, s, strlen(s))
#define C_ALLOC(c, T) (T *)mi_room(c, sizeof(T))
#define C_ZERO(c, T) mi_zero(c, sizeof(T))
extern const struct contender PLACED(cont_mimalloc);
#include "rows.h"
#endif

/* ---- jemalloc ------------------------------------------------------------------------------ */
#ifdef BENCH_JEMALLOC
void *bench_je_malloc(size_t n);
void *bench_je_calloc(size_t count, size_t n);
void bench_je_free(void *p);

struct je { int unused; };

static void *je_open(void)
{
    static struct je one;
    return &one;
}
static void je_close(void *ctx) { (void)ctx; }
#define je_held NULL
#define JE_ALLOC_(c, n) ((void)(c), bench_je_malloc(n))
#define JE_ZALLOC_(c, n) ((void)(c), bench_je_calloc(1, n))
BLOCK_FUNCTIONS_(je, struct je, JE_ALLOC_, JE_ZALLOC_)

#define C_NAME(x) je_##x
#define C_TYPE struct je
#define C_CONTENDER PLACED(cont_jemalloc)
#define C_TITLE "jemalloc"
#define C_KIND KIND_PEER
#define C_RESET(c) ((void)(c))
#define C_DROP(c, p) bench_je_free(writable(p))
#define C_APPEND(c, s, n) je_append(c, s, n)
#define C_TEXT(c, s, n) je_text(c, s, n)
#define C_STRING(c, s) je_text(c, s, strlen(s))
#define C_ALLOC(c, T) (T *)je_room(c, sizeof(T))
#define C_ZERO(c, T) je_zero(c, sizeof(T))
extern const struct contender PLACED(cont_jemalloc);
#include "rows.h"
#endif

/* ---- APR pools ------------------------------------------------------------------------------ */
#ifdef BENCH_APR
#include <apr_pools.h>
#include <apr_strings.h>
#include <stdio.h>
#include <unistd.h>

struct apr { apr_pool_t *pool; };

/* Each pool has an allocator of its own, as threads need; it keeps what it gets, like an arena. */
static void *apr_open(void)
{
    static int ready;
    struct apr *a = (struct apr *)malloc(sizeof *a);
    apr_allocator_t *own = NULL;
    if (!ready) {
        if (apr_pool_initialize() != APR_SUCCESS) abort();
        ready = 1;
    }
    if (a == NULL || apr_allocator_create(&own) != APR_SUCCESS) abort();
    if (apr_pool_create_ex(&a->pool, NULL, NULL, own) != APR_SUCCESS) abort();
    apr_allocator_owner_set(own, a->pool);
    return a;
}
static void apr_close(void *ctx)
{
    struct apr *a = (struct apr *)ctx;
    apr_pool_destroy(a->pool);
    free(a);
}
/* Debian's APR takes its memory from mmap, so what it holds shows in the size of the process. */
static size_t apr_held(void *ctx)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    (void)ctx;
    if (f != NULL) {
        if (fscanf(f, "%lu", &pages) != 1) pages = 0;
        fclose(f);
    }
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

#define C_NAME(x) apr_##x
#define C_TYPE struct apr
#define C_CONTENDER PLACED(cont_apr)
#define C_TITLE "APR pool"
#define C_KIND KIND_PEER
#define C_RESET(c) apr_pool_clear((c)->pool)
#define C_APPEND(c, s, n) apr_pmemdup((c)->pool, s, n)
#define C_TEXT(c, s, n) apr_pstrmemdup((c)->pool, s, n)
#define C_STRING(c, s) apr_pstrdup((c)->pool, s)
#define C_ALLOC(c, T) (T *)apr_palloc((c)->pool, sizeof(T))
#define C_ZERO(c, T) apr_pcalloc((c)->pool, sizeof(T))
extern const struct contender PLACED(cont_apr);
#include "rows.h"
#endif

/* ---- GLib: string chunk ----------------------------------------------------------------------- */
#ifdef BENCH_GLIB
#include <glib.h>

struct chunk { GStringChunk *chunk; };

static void *chunk_open(void)
{
    struct chunk *g = (struct chunk *)malloc(sizeof *g);
    if (g == NULL) abort();
    g->chunk = g_string_chunk_new(65536);
    return g;
}
static void chunk_close(void *ctx)
{
    struct chunk *g = (struct chunk *)ctx;
    g_string_chunk_free(g->chunk);
    free(g);
}
static size_t chunk_held(void *ctx) { (void)ctx; return bench_malloc_in_use(); }

#define C_NAME(x) chunk_##x
#define C_TYPE struct chunk
#define C_CONTENDER PLACED(cont_glib)
#define C_TITLE "GStringChunk"
#define C_KIND KIND_PEER
#define C_RESET(c) g_string_chunk_clear((c)->chunk)
#define C_APPEND(c, s, n) g_string_chunk_insert_len((c)->chunk, s, (gssize)(n))
#define C_TEXT(c, s, n) g_string_chunk_insert_len((c)->chunk, s, (gssize)(n))
#define C_STRING(c, s) g_string_chunk_insert((c)->chunk, s)
extern const struct contender PLACED(cont_glib);
#include "rows.h"
#endif

/* ---- talloc: children of a pool of 64 MiB, freed together ------------------------------------- */
#ifdef BENCH_TALLOC
#include <talloc.h>

struct tal { void *pool; };

static void *tal_open(void)
{
    struct tal *t = (struct tal *)malloc(sizeof *t);
    if (t == NULL) abort();
    t->pool = talloc_pool(NULL, (size_t)64 << 20);
    if (t->pool == NULL) abort();
    return t;
}
static void tal_close(void *ctx)
{
    struct tal *t = (struct tal *)ctx;
    talloc_free(t->pool);
    free(t);
}
#define tal_held NULL

#define C_NAME(x) tal_##x
#define C_TYPE struct tal
#define C_CONTENDER PLACED(cont_talloc)
#define C_TITLE "talloc pool"
#define C_KIND KIND_PEER
#define C_RESET(c) talloc_free_children((c)->pool)
#define C_APPEND(c, s, n) talloc_memdup((c)->pool, s, n)
#define C_TEXT(c, s, n) talloc_strndup((c)->pool, s, n)
#define C_STRING(c, s) talloc_strdup((c)->pool, s)
#define C_ALLOC(c, T) (T *)talloc_size((c)->pool, sizeof(T))
#define C_ZERO(c, T) talloc_zero_size((c)->pool, sizeof(T))
extern const struct contender PLACED(cont_talloc);
#include "rows.h"
#endif

/* ---- stb_ds: its string arena takes C strings only ---------------------------------------------- */
/* Built once: it matters in one row only, where it is far from the others. */
#if defined(BENCH_STB) && BENCH_PLACE == 0
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define STB_DS_IMPLEMENTATION
#include <stb/stb_ds.h>
#pragma GCC diagnostic pop

struct stb { stbds_string_arena a; };

static void *stb_open(void)
{
    struct stb *s = (struct stb *)calloc(1, sizeof *s);
    if (s == NULL) abort();
    return s;
}
static void stb_close(void *ctx)
{
    struct stb *s = (struct stb *)ctx;
    strreset(&s->a);
    free(s);
}
static size_t stb_held(void *ctx) { (void)ctx; return bench_malloc_in_use(); }
static char *stb_writable(const char *p)
{
    union { const char *from; char *to; } u;        /* stralloc takes no pointer to const */
    u.from = p;
    return u.to;
}

#define C_NAME(x) stb_##x
#define C_TYPE struct stb
#define C_CONTENDER PLACED(cont_stb)
#define C_TITLE "stb_ds strings"
#define C_KIND KIND_PEER
#define C_RESET(c) strreset(&(c)->a)
#define C_STRING(c, s) stralloc(&(c)->a, stb_writable(s))
extern const struct contender PLACED(cont_stb);
#include "rows.h"
#endif

/* ---- bumpalo: see bumpalo.rs ---------------------------------------------------------------- */
#ifdef BENCH_BUMPALO
#define BUMPALO_(x) uint64_t PLACED(bumpalo_##x)(void *ctx, const struct work *w);
BUMPALO_(const8) BUMPALO_(const16) BUMPALO_(const64) BUMPALO_(random) BUMPALO_(tokens)
BUMPALO_(strings) BUMPALO_(lines) BUMPALO_(typed8) BUMPALO_(typed24) BUMPALO_(typed32)
BUMPALO_(typed256) BUMPALO_(zero32) BUMPALO_(object24) BUMPALO_(reserve24) BUMPALO_(lumpy)
BUMPALO_(stream16) BUMPALO_(slice1) BUMPALO_(slice1000)
#undef BUMPALO_
void *PLACED(bumpalo_open)(void);
void PLACED(bumpalo_close)(void *ctx);
size_t PLACED(bumpalo_held)(void *ctx);
extern const struct contender PLACED(cont_bumpalo);
const struct contender PLACED(cont_bumpalo) = {
    "bumpalo", KIND_PEER, PLACED(bumpalo_open), PLACED(bumpalo_close), PLACED(bumpalo_held),
    {
        PLACED(bumpalo_random), PLACED(bumpalo_const8), PLACED(bumpalo_const16), PLACED(bumpalo_const64),
        PLACED(bumpalo_random), PLACED(bumpalo_tokens), PLACED(bumpalo_strings), PLACED(bumpalo_lines),
        PLACED(bumpalo_typed8), PLACED(bumpalo_typed24), PLACED(bumpalo_typed32), PLACED(bumpalo_typed256),
        NULL, NULL, NULL,
        PLACED(bumpalo_zero32), PLACED(bumpalo_object24), PLACED(bumpalo_reserve24),
        PLACED(bumpalo_slice1), PLACED(bumpalo_slice1000),
        PLACED(bumpalo_lumpy), PLACED(bumpalo_lumpy),
        PLACED(bumpalo_random), PLACED(bumpalo_stream16)
    }
};
#endif

/* ---- what is there -------------------------------------------------------------------------- */

const struct contender *const PLACED(bench_c_peers)[] = {
#ifdef BENCH_APR
    &PLACED(cont_apr),
#endif
#ifdef BENCH_GLIB
    &PLACED(cont_glib),
#endif
#ifdef BENCH_TALLOC
    &PLACED(cont_talloc),
#endif
#if defined(BENCH_STB) && BENCH_PLACE == 0
    &PLACED(cont_stb),
#endif
#ifdef BENCH_BUMPALO
    &PLACED(cont_bumpalo),
#endif
#ifdef BENCH_MIMALLOC
    &PLACED(cont_mimalloc),
#endif
#ifdef BENCH_JEMALLOC
    &PLACED(cont_jemalloc),
#endif
    NULL
};

#if BENCH_PLACE == 0
const char *const bench_missing_c[] = {
#ifndef BENCH_APR
    "APR pool",
#endif
#ifndef BENCH_GLIB
    "GStringChunk",
#endif
#ifndef BENCH_TALLOC
    "talloc",
#endif
#ifndef BENCH_STB
    "stb_ds",
#endif
#ifndef BENCH_BUMPALO
    "bumpalo",
#endif
#ifndef BENCH_MIMALLOC
    "mimalloc",
#endif
#ifndef BENCH_JEMALLOC
    "jemalloc",
#endif
    NULL
};
#endif
