/*
 * bench.h - what the files of the benchmark share: the rows, the work of one batch, the contenders.
 *
 * Method. A row is one kind of work ("store 16 bytes"). A contender is one allocator. For every row
 * all contenders take turns in one process, A B C A B C, for at least 31 rounds, and the smallest
 * time of each is compared: on a shared machine the minimum is the figure that repeats. Every
 * contender runs its loop in a function of its own that is reached through a table, so that nothing
 * is inlined into the frame, and keeps what it stored in an array, so that nothing is optimised out.
 * One untimed batch precedes each timed one, so memory and caches are warm and no length sequence
 * is seen twice by the branch predictor.
 *
 * Floors are not allocators: they are a bare pointer bump into one warm buffer, without any check,
 * with the best copy known. They say what the machine allows.
 */
#ifndef BENCH_H_INCLUDED
#define BENCH_H_INCLUDED

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BENCH_NOINLINE __attribute__((noinline))
#define BENCH_INLINE static inline __attribute__((always_inline, unused))

/* Element types of the typed rows. */
struct bench_t8 { uint64_t a[1]; };
struct bench_t24 { uint64_t a[3]; };
struct bench_t32 { uint64_t a[4]; };
struct bench_t256 { uint64_t a[32]; };

/* What a Ref is: the floors write the same 12 bytes. */
struct bench_ref { uint32_t chunk, off, len; };

/* The work of one batch. `source` holds what is copied; `lens` one length per value where lengths
 * are not constants. Results go to `out` or `refs`. Lengths are 32 bits wide, since compilers treat
 * a copy of at most 255 bytes in a way of their own. */
struct work {
    const char *source;
    const uint32_t *lens;
    size_t count;
    const void **out;
    struct bench_ref *refs;
};

/* One batch: rewind, then do the whole work. The answer is a value that depends on the work. */
typedef uint64_t (*batch_fn)(void *ctx, const struct work *w);

/* Every row that contenders of several files share, in the order in which they are printed. */
#define BENCH_ROWS(X)                                                                              \
    X(fixed) X(const8) X(const16) X(const64)                                                       \
    X(random) X(tokens) X(strings) X(lines)                                                        \
    X(typed8) X(typed24) X(typed32) X(typed256)                                                    \
    X(ref16) X(refrandom) X(reftyped24)                                                            \
    X(zero32) X(object24) X(reserve24)                                                             \
    X(slice1) X(slice1000)                                                                         \
    X(lognormal) X(uniform)                                                                        \
    X(between16and64) X(stream16)

#define BENCH_ROW_ID_(name) ROW_##name,
enum row_id { BENCH_ROWS(BENCH_ROW_ID_) ROW_COUNT };
#undef BENCH_ROW_ID_

enum contender_kind { KIND_FLOOR, KIND_ARENA, KIND_PEER, KIND_MALLOC };

struct contender {
    const char *name;
    enum contender_kind kind;
    void *(*open)(void);            /* a fresh instance; each thread opens its own */
    void (*close)(void *ctx);
    size_t (*held)(void *ctx);      /* bytes it holds now; of NULL: what is held anyway */
    batch_fn rows[ROW_COUNT];       /* NULL where the contender has nothing of the kind */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Contenders. All of their loops are built BENCH_PLACES times, with loops aligned to 64, 32, 16
 * bytes and not at all and what is jumped to likewise (bench.mk), and in every row each contender
 * counts at the best of its places: where a loop of a dozen instructions happens to lie changes its
 * time by up to 60 %, for floors and peers as well. */
#define BENCH_PLACES 4
#ifndef BENCH_PLACE
#define BENCH_PLACE 0
#endif
#define PLACED__(x, k) x##_place##k
#define PLACED_(x, k) PLACED__(x, k)
#define PLACED(x) PLACED_(x, BENCH_PLACE)
#define BENCH_DECLARE_PLACE_(k)                                                                    \
    extern const struct contender PLACED_(floor_flat, k), PLACED_(floor_eight, k);                 \
    extern const struct contender PLACED_(floor_memcpy, k), PLACED_(cont_arena, k);                \
    extern const struct contender PLACED_(cont_malloc, k), PLACED_(cont_obstack, k);               \
    extern const struct contender PLACED_(cont_os, k), PLACED_(cont_o3, k);                        \
    extern const struct contender PLACED_(cont_native, k);                                         \
    extern const struct contender *const PLACED_(bench_c_peers, k)[];                              \
    extern const struct contender *const PLACED_(bench_cpp_peers, k)[];
BENCH_DECLARE_PLACE_(0)
BENCH_DECLARE_PLACE_(1)
BENCH_DECLARE_PLACE_(2)
BENCH_DECLARE_PLACE_(3)

extern const struct contender cont_lane, cont_mutex, cont_huge, cont_reserved;
extern const char *const bench_missing_c[];                 /* names of those not built in */
extern const char *const bench_missing_cpp[];

/* What the typed rows store. */
extern struct bench_t8 bench_table8[64];
extern struct bench_t24 bench_table24[64];
extern struct bench_t32 bench_table32[64];
extern struct bench_t256 bench_table256[16];

/* Bytes that glibc's malloc has handed out and not got back, its own headers included. */
size_t bench_malloc_in_use(void);

/* ---- the frame (bench.c) --------------------------------------------------------------------- */

/* One contender in one row: what runs, and what came out. */
struct entry {
    const char *name;
    enum contender_kind kind;
    batch_fn fn;
    void *ctx;
    double min, median;         /* per value, in the unit of the row */
};

/* What a row has to reach; 0 = no such target. */
struct targets {
    double floor;               /* at most this times the best floor */
    double peer;                /* at most this times the best peer, malloc being one */
    double malloc_;             /* at most this times malloc */
};

/* The work of batch number k of a row; the sequence of k never repeats within a row. */
typedef void (*work_fn)(void *arg, size_t k, struct work *w);

enum { BENCH_ENTRIES = 96 };

double bench_now(void);                                     /* nanoseconds */
unsigned bench_rounds(unsigned wanted);                     /* what --rounds makes of it, at least 31 */
int bench_long(void);                                       /* --long was given */
int bench_selected(const char *title);                      /* no filter, or the title holds one */
void bench_measure(struct entry *e, size_t n, work_fn next, void *arg, unsigned rounds);
void bench_report(const char *title, const char *unit, const struct entry *e, size_t n,
                  const struct targets *t);
void bench_verdict(const char *title, double value, double limit);  /* one target: value <= limit */
void bench_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
const struct contender *const *bench_all(void);     /* every contender at one place, NULL at the end */
const struct contender *bench_at(size_t place, const struct contender *c);  /* the same at another place */
size_t bench_best_places(struct entry *e, size_t n);        /* keeps the best entry of each name */
const char *bench_source(void);                             /* 256 KiB of text, aligned */
const void **bench_out(void);                               /* room for BENCH_OUT results */
uint64_t bench_random(uint64_t *state);
#define BENCH_OUT ((size_t)1 << 20)

/* Rows with a shape of their own. */
void bench_resolve(void);
void bench_growth(void);
void bench_reset(void);
void bench_second_pass(void);
void bench_threads(void);

#ifdef __cplusplus
}
#endif

#endif
