/*
 * bench.c - the frame of the benchmark: data, timing, tables, targets, picture. bench.h has the method.
 *
 *   bench [--csv] [--markdown] [--svg=FILE] [--rounds=N] [--long] [--details] [WORD ...]
 *
 * A WORD keeps the rows whose title holds it. The exit status says whether the program ran, never
 * how fast: timings on a shared machine are no gate. Every target prints "met" or "NOT met".
 */
#include "bench.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef BENCH_CFLAGS
#define BENCH_CFLAGS "unknown flags"
#endif

static struct {
    int csv, markdown, details, long_run, flags_only;
    unsigned rounds;
    const char *svg;
    char **words;
    int word_count;
} option;

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

unsigned bench_rounds(unsigned wanted)
{
    const unsigned n = option.rounds != 0 ? option.rounds : wanted;
    return n < 31 ? 31 : n;
}

int bench_long(void) { return option.long_run; }

int bench_selected(const char *title)
{
    int i;
    for (i = 0; i < option.word_count; ++i)
        if (strstr(title, option.words[i]) != NULL) return 1;
    return option.word_count == 0;
}

/* splitmix64: small, seedable, good enough for lengths. */
uint64_t bench_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void *take(size_t bytes)
{
    void *p = NULL;
    if (posix_memalign(&p, 4096, bytes) != 0) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    return p;
}

/* ---- data ------------------------------------------------------------------------------------ */

enum { SOURCE_BYTES = 256 * 1024, RING = 1 << 20, WINDOW = 4096, LINE_BATCH = 512 };

struct bench_t8 bench_table8[64];
struct bench_t24 bench_table24[64];
struct bench_t32 bench_table32[64];
struct bench_t256 bench_table256[16];

static char *source;
static const void **out;
static struct bench_ref *refs;
static uint32_t *lens_random, *lens_middle, lens_fixed[WINDOW];    /* RING each */

/* Text cut into values that follow each other; window k starts at starts[k]. */
struct cut {
    char *text;
    uint32_t *lens;
    size_t *starts;
    size_t windows, window;     /* how many, and values in each */
    size_t bytes, values;
};
static struct cut tokens, lines;
static const char *token_origin;

const char *bench_source(void) { return source; }
const void **bench_out(void) { return out; }

/* Reads a file whole, or gives NULL. */
static char *slurp(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    char *p;
    long n;
    if (f == NULL) return NULL;
    if (fseek(f, 0, SEEK_END) != 0 || (n = ftell(f)) <= 0 || fseek(f, 0, SEEK_SET) != 0) {
        fclose(f);
        return NULL;
    }
    p = (char *)take((size_t)n + 1);
    *length = fread(p, 1, (size_t)n, f);
    p[*length] = 0;
    fclose(f);
    return p;
}

static int is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A C lexer's view: words, and punctuation one by one; blanks and comments are dropped. */
static void add_tokens(struct cut *c, const char *s, size_t n, size_t room)
{
    const char *end = s + n;
    while (s < end && c->bytes + 300 < room) {
        const char *from = s;
        size_t len;
        if (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r' || *s == 0) {
            ++s;
            continue;
        }
        if (s + 1 < end && s[0] == '/' && s[1] == '*') {
            s += 2;
            while (s + 1 < end && !(s[0] == '*' && s[1] == '/')) ++s;
            s += 2;
            continue;
        }
        if (is_word(*s)) while (s < end && is_word(*s) && s - from < 200) ++s;
        else ++s;
        len = (size_t)(s - from);
        memcpy(c->text + c->bytes, from, len);
        c->text[c->bytes + len] = 0;
        c->bytes += len + 1;
        c->lens[c->values++] = (uint32_t)len;
    }
}

static void cut_windows(struct cut *c, size_t window, size_t extra)
{
    size_t i, at = 0;
    c->window = window;
    c->windows = c->values / window;
    c->starts = (size_t *)take((c->windows + 1) * sizeof *c->starts);
    for (i = 0; i < c->windows * window; ++i) {
        if (i % window == 0) c->starts[i / window] = at;
        at += c->lens[i] + extra;
    }
    c->starts[c->windows] = at;
}

/* Every header in a folder and below, in the order of their names. */
static void add_folder(const char *folder, int depth, size_t room)
{
    struct dirent **names;
    const int n = scandir(folder, &names, NULL, alphasort);
    int i;
    for (i = 0; i < n; ++i) {
        const char *name = names[i]->d_name;
        const size_t len = strlen(name);
        char path[1024];
        struct stat st;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (name[0] != '.' && tokens.bytes + 300 < room && stat(path, &st) == 0) {
            if (S_ISDIR(st.st_mode) && depth < 2) add_folder(path, depth + 1, room);
            else if (S_ISREG(st.st_mode) && len > 2 && strcmp(name + len - 2, ".h") == 0) {
                size_t bytes = 0;
                char *p = slurp(path, &bytes);
                if (p != NULL) add_tokens(&tokens, p, bytes, room);
                free(p);
            }
        }
        free(names[i]);
    }
    if (n >= 0) free(names);
}

static void make_tokens(void)
{
    const size_t room = (size_t)6 << 20;
    size_t n = 0;
    char *p;
    tokens.text = (char *)take(room);
    tokens.lens = (uint32_t *)take(room / 2 * sizeof(uint32_t));     /* each has a NUL */
    token_origin = "/usr/include";
    add_folder(token_origin, 0, room);
    if (tokens.values < (size_t)64 * WINDOW) {
        /* A system without headers: this repository's own, again and again. */
        token_origin = "arena.h";
        tokens.bytes = tokens.values = 0;
        p = slurp("arena.h", &n);
        if (p == NULL) {
            fprintf(stderr, "bench: no C header to take tokens from (run it in the repository)\n");
            exit(1);
        }
        while (tokens.bytes + 2 * n + 300 < room) add_tokens(&tokens, p, n, room);
        free(p);
    }
    cut_windows(&tokens, WINDOW, 1);
}

/* Lines as a service logs them, 60 to 200 bytes. */
static void make_lines(void)
{
    static const char *const verbs[] = {"GET", "PUT", "POST", "DELETE"};
    static const char *const paths[] = {"/", "/users", "/users/profile/settings", "/api/v2/orders",
                                        "/static/app.js", "/api/v2/orders/search"};
    const size_t count = (size_t)LINE_BATCH * 128;
    uint64_t r = 7;
    size_t i;
    lines.text = (char *)take(count * 256);
    lines.lens = (uint32_t *)take(count * sizeof(uint32_t));
    for (i = 0; i < count; ++i) {
        const uint64_t x = bench_random(&r);
        int n = snprintf(lines.text + lines.bytes, 255,
                         "{\"time\":%u,\"level\":\"%s\",\"verb\":\"%s\",\"path\":\"%s%s\",\"status\":%u,\"ms\":%u%s}\n",
                         (unsigned)(1700000000u + i), (x & 7) != 0 ? "info" : "warning",
                         verbs[x >> 3 & 3], paths[(x >> 5) % 6], (x >> 8 & 1) != 0 ? "?page=12" : "",
                         200 + (unsigned)(x >> 9 & 3) * 100, (unsigned)(x >> 11 & 0xFFF),
                         (x >> 24 & 3) != 0 ? "" : ",\"trace\":\"6f1c5a0e-90d4-4b53-8a71-2f6d1b7c3e55\"");
        if (n < 0 || n > 254) n = 254;
        lines.lens[i] = (uint32_t)n;
        lines.bytes += (size_t)n;
        ++lines.values;
    }
    cut_windows(&lines, LINE_BATCH, 0);
}

static void make_data(void)
{
    uint64_t r = 1;
    size_t i;
    source = (char *)take(SOURCE_BYTES);
    out = (const void **)take(BENCH_OUT * sizeof *out);
    refs = (struct bench_ref *)take(BENCH_OUT * sizeof *refs);
    lens_random = (uint32_t *)take(RING * sizeof(uint32_t));
    lens_middle = (uint32_t *)take(RING * sizeof(uint32_t));
    for (i = 0; i < SOURCE_BYTES; ++i) source[i] = (char)('a' + i % 23);
    for (i = 0; i < BENCH_OUT; ++i) out[i] = NULL;
    memcpy(bench_table8, source, sizeof bench_table8);
    memcpy(bench_table24, source, sizeof bench_table24);
    memcpy(bench_table32, source, sizeof bench_table32);
    memcpy(bench_table256, source, sizeof bench_table256);
    memset(refs, 0, BENCH_OUT * sizeof *refs);
    for (i = 0; i < RING; ++i) {
        const uint64_t x = bench_random(&r);
        lens_random[i] = (uint32_t)(1 + (x & 63));
        lens_middle[i] = (uint32_t)(16 + (x >> 8) % 49);
    }
    make_tokens();
    make_lines();
}

/* ---- rows ------------------------------------------------------------------------------------ */

enum data { DATA_FIXED, DATA_RANDOM, DATA_MIDDLE, DATA_TOKENS, DATA_LINES };

struct row {
    enum row_id id;
    const char *title;
    enum data data;
    size_t count;               /* values in a batch */
    size_t fixed;               /* their length, where all have one that is not a constant */
    struct targets targets;
};

/* A batch is at most 256 KiB, so that it stays in the second-level cache for everyone. */
static const struct row rows[] = {
    {ROW_fixed, "store 1 byte", DATA_FIXED, 4096, 1, {1.15, 1.0, 0}},
    {ROW_fixed, "store 8 bytes", DATA_FIXED, 4096, 8, {1.15, 1.0, 0}},
    {ROW_fixed, "store 16 bytes", DATA_FIXED, 4096, 16, {1.15, 1.0, 0}},
    {ROW_fixed, "store 24 bytes", DATA_FIXED, 4096, 24, {1.15, 1.0, 0}},
    {ROW_fixed, "store 32 bytes", DATA_FIXED, 4096, 32, {1.15, 1.0, 0}},
    {ROW_fixed, "store 64 bytes", DATA_FIXED, 4096, 64, {1.15, 1.0, 0}},
    {ROW_fixed, "store 256 bytes", DATA_FIXED, 1024, 256, {1.15, 1.0, 0}},
    {ROW_fixed, "store 4096 bytes", DATA_FIXED, 64, 4096, {1.15, 1.0, 0}},
    {ROW_const8, "store 8 bytes, constant length", DATA_FIXED, 4096, 0, {1.15, 1.0, 0}},
    {ROW_const16, "store 16 bytes, constant length", DATA_FIXED, 4096, 0, {1.15, 1.0, 0}},
    {ROW_const64, "store 64 bytes, constant length", DATA_FIXED, 4096, 0, {1.15, 1.0, 0}},
    {ROW_random, "store 1-64 bytes, never repeating", DATA_RANDOM, WINDOW, 0, {1.15, 0.6, 0}},
    {ROW_tokens, "tokens of C headers as C strings", DATA_TOKENS, WINDOW, 0, {1.15, 0.6, 0}},
    {ROW_strings, "the same, length by strlen", DATA_TOKENS, WINDOW, 0, {1.15, 1.0, 0}},
    {ROW_lines, "512 JSON lines stored, read, rewound", DATA_LINES, LINE_BATCH, 0, {1.15, 1.0, 0}},
    {ROW_typed8, "typed store of 8 bytes", DATA_FIXED, 4096, 0, {1.15, 1.0, 0}},
    {ROW_typed24, "typed store of 24 bytes", DATA_FIXED, 4096, 0, {1.15, 1.0, 0}},
    {ROW_typed32, "typed store of 32 bytes", DATA_FIXED, 4096, 0, {1.15, 1.0, 0}},
    {ROW_typed256, "typed store of 256 bytes", DATA_FIXED, 1024, 0, {1.15, 1.0, 0}},
    {ROW_ref16, "store 16 bytes, as Ref", DATA_FIXED, 4096, 16, {1.3, 0, 0}},
    {ROW_refrandom, "store 1-64 bytes, as Ref", DATA_RANDOM, WINDOW, 0, {1.3, 0, 0}},
    {ROW_reftyped24, "typed store of 24 bytes, as Ref", DATA_FIXED, 4096, 0, {1.3, 0, 0}},
    {ROW_zero32, "zeroed object of 32 bytes", DATA_FIXED, 4096, 0, {1.2, 1.0, 0}},
    {ROW_object24, "object of 24 bytes, byte arena", DATA_FIXED, 4096, 0, {1.2, 1.0, 0}},
    {ROW_reserve24, "typed reserve of 24 bytes", DATA_FIXED, 4096, 0, {1.2, 1.0, 0}},
    {ROW_slice1, "10^6 ints pushed on one slice", DATA_FIXED, 1000000, 0, {1.3, 1.0, 0}},
    {ROW_slice1000, "1000 slices grown in turn to 1000", DATA_FIXED, 1000000, 0, {0, 1.0, 0.9}}
};

static void next_work(void *arg, size_t k, struct work *w)
{
    const struct row *r = (const struct row *)arg;
    const struct cut *c = NULL;
    w->source = source;
    w->count = r->count;
    w->lens = lens_fixed;
    switch (r->data) {
    case DATA_FIXED: break;
    case DATA_RANDOM: w->lens = lens_random + k * r->count % RING; break;
    case DATA_MIDDLE: w->lens = lens_middle + k * r->count % RING; break;
    case DATA_TOKENS: c = &tokens; break;
    case DATA_LINES: c = &lines; break;
    }
    if (c != NULL) {
        w->source = c->text + c->starts[k % c->windows];
        w->lens = c->lens + k % c->windows * c->window;
    }
}

/* ---- measuring ------------------------------------------------------------------------------- */

static volatile uint64_t sink;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Reads what a batch is about to read, so that nobody pays for being the first of a round. */
static void warm(const struct work *w)
{
    uint64_t sum = 0;
    size_t i, bytes = 16384;
    if (w->lens != NULL && w->count <= WINDOW) {
        bytes = 8192;
        for (i = 0; i < w->count; ++i) sum += w->lens[i];
        if (w->source != source) bytes = sum + w->count;
    }
    for (i = 0; i < bytes; i += 64) sum += (unsigned char)w->source[i];
    sink += sum;
}

enum { MAX_REPS = 64 };

static double one_slice(const struct entry *e, const struct work *works, size_t reps, size_t count)
{
    uint64_t sum = 0;
    double t0, t1;
    size_t i;
    for (i = 0; i < reps; ++i) warm(&works[i]);
    t0 = bench_now();
    for (i = 0; i < reps; ++i) sum += e->fn(e->ctx, &works[i]);
    t1 = bench_now();
    sink += sum;
    return (t1 - t0) / (double)(reps * count);
}

/* A B C A B C: one untimed batch, then as many timed ones as make about 40 microseconds. */
void bench_measure(struct entry *e, size_t n, work_fn next, void *arg, unsigned rounds)
{
    static struct work works[MAX_REPS + 1];
    double *samples = (double *)take(n * rounds * sizeof *samples);
    size_t i, r, k = 0, reps = 1, count = 0;
    double ns;

    memset(works, 0, sizeof works);
    for (i = 0; i <= MAX_REPS; ++i) {
        works[i].out = out;
        works[i].refs = refs;
        next(arg, k++, &works[i]);
    }
    count = works[0].count;
    for (i = 0; i < n; ++i) one_slice(&e[i], works, 1, count);      /* opens the chunks it needs */
    ns = one_slice(&e[0], works, 1, count) * (double)count;
    while (reps < MAX_REPS && ns * (double)reps < 40000) reps *= 2;

    for (r = 0; r < rounds; ++r) {
        for (i = 0; i <= reps; ++i) next(arg, k++, &works[i]);
        for (i = 0; i < n; ++i) {
            one_slice(&e[i], works + reps, 1, count);
            samples[i * rounds + r] = one_slice(&e[i], works, reps, count);
        }
    }
    for (i = 0; i < n; ++i) {
        qsort(samples + i * rounds, rounds, sizeof *samples, by_value);
        e[i].min = samples[i * rounds];
        e[i].median = samples[i * rounds + rounds / 2];
    }
    free(samples);
}

/* ---- results --------------------------------------------------------------------------------- */

struct result {
    char title[64];
    double floor, arena, peer, malloc_;
    char peer_name[32];
    int entries;
    struct { char name[32]; enum contender_kind kind; double min; } entry[BENCH_ENTRIES];
};
static struct result results[128];
static size_t result_count;

struct verdict { char title[96]; double value, limit; };
static struct verdict verdicts[512];
static size_t verdict_count;

static FILE *prose(void) { return option.csv ? stderr : stdout; }

void bench_note(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(prose(), format, list);
    va_end(list);
    fflush(prose());
}

void bench_verdict(const char *title, double value, double limit)
{
    struct verdict *v;
    if (verdict_count == sizeof verdicts / sizeof *verdicts) return;
    v = &verdicts[verdict_count++];
    snprintf(v->title, sizeof v->title, "%s", title);
    v->value = value;
    v->limit = limit;
    bench_note("    %-64s %7.3f  (at most %.3f)  %s\n", title, value, limit,
               value <= limit ? "met" : "NOT met");
}

void bench_report(const char *title, const char *unit, const struct entry *e, size_t n,
                  const struct targets *t)
{
    const char *peer_name = NULL;
    double floor = 0, arena = 0, peer = 0, malloc_ = 0;
    struct result *res;
    char text[96];
    size_t i;

    for (i = 0; i < n; ++i) {
        const double x = e[i].min;
        if (e[i].kind == KIND_FLOOR && (floor == 0 || x < floor)) floor = x;
        if (e[i].kind == KIND_ARENA && arena == 0) arena = x;
        if (e[i].kind == KIND_MALLOC) malloc_ = x;
        if ((e[i].kind == KIND_PEER || e[i].kind == KIND_MALLOC) && (peer == 0 || x < peer)) {
            peer = x;
            peer_name = e[i].name;
        }
    }
    bench_note("\n%s  [%s: minimum, median, times the best floor]\n", title, unit);
    for (i = 0; i < n; ++i) {
        bench_note("  %-26s %9.3f %9.3f", e[i].name, e[i].min, e[i].median);
        if (floor > 0) bench_note("   %6.2f", e[i].min / floor);
        bench_note("\n");
        if (option.csv)
            printf("\"%s\",%s,\"%s\",%d,%.4f,%.4f,%.4f\n", title, unit, e[i].name, (int)e[i].kind, e[i].min,
                   e[i].median, floor > 0 ? e[i].min / floor : 0.0);
    }
    if (result_count < sizeof results / sizeof *results) {
        res = &results[result_count++];
        snprintf(res->title, sizeof res->title, "%s", title);
        res->floor = floor;
        res->arena = arena;
        res->peer = peer;
        res->malloc_ = malloc_;
        snprintf(res->peer_name, sizeof res->peer_name, "%s", peer_name != NULL ? peer_name : "");
        for (i = 0; i < n && i < BENCH_ENTRIES; ++i) {
            snprintf(res->entry[i].name, sizeof res->entry[i].name, "%s", e[i].name);
            res->entry[i].kind = e[i].kind;
            res->entry[i].min = e[i].min;
        }
        res->entries = (int)i;
    }
    if (arena == 0 || t == NULL) return;
    if (t->floor > 0 && floor > 0) {
        snprintf(text, sizeof text, "%s: to the best floor", title);
        bench_verdict(text, arena / floor, t->floor);
    }
    if (t->peer > 0 && peer > 0) {
        snprintf(text, sizeof text, "%s: to the best peer, %s", title, peer_name);
        bench_verdict(text, arena / peer, t->peer);
    }
    if (t->malloc_ > 0 && malloc_ > 0) {
        snprintf(text, sizeof text, "%s: to malloc", title);
        bench_verdict(text, arena / malloc_, t->malloc_);
    }
}

/* ---- contenders ------------------------------------------------------------------------------ */

static const struct contender *places[BENCH_PLACES][BENCH_ENTRIES + 1];

const struct contender *const *bench_all(void) { return places[0]; }

static size_t add_contender(const struct contender **list, size_t n, const struct contender *c)
{
    if (c->name != NULL && n < BENCH_ENTRIES) list[n++] = c;
    list[n] = NULL;
    return n;
}

#ifdef BENCH_PEERS
static size_t add_contenders(const struct contender **list, size_t n, const struct contender *const *c)
{
    while (*c != NULL) n = add_contender(list, n, *c++);
    return n;
}
#endif

#if defined(BENCH_FLAGS)
#define ADD_OTHERS_(list, n, k)                                                                    \
    n = add_contender(list, n, &PLACED_(cont_os, k));                                              \
    n = add_contender(list, n, &PLACED_(cont_o3, k));                                              \
    n = add_contender(list, n, &PLACED_(cont_native, k))
#elif defined(BENCH_PEERS)
#define ADD_OTHERS_(list, n, k)                                                                    \
    n = add_contender(list, n, &PLACED_(cont_malloc, k));                                          \
    n = add_contender(list, n, &PLACED_(cont_obstack, k));                                         \
    n = add_contenders(list, n, PLACED_(bench_cpp_peers, k));                                      \
    n = add_contenders(list, n, PLACED_(bench_c_peers, k))
#else
#define ADD_OTHERS_(list, n, k)                                                                    \
    n = add_contender(list, n, &PLACED_(cont_malloc, k));                                          \
    n = add_contender(list, n, &PLACED_(cont_obstack, k))
#endif
#define ADD_PLACE_(k)                                                                              \
    do {                                                                                           \
        size_t n_ = 0;                                                                             \
        n_ = add_contender(places[k], n_, &PLACED_(floor_flat, k));                                \
        n_ = add_contender(places[k], n_, &PLACED_(floor_eight, k));                               \
        n_ = add_contender(places[k], n_, &PLACED_(floor_memcpy, k));                              \
        n_ = add_contender(places[k], n_, &PLACED_(cont_arena, k));                                \
        ADD_OTHERS_(places[k], n_, k);                                                             \
        (void)n_;                                                                                  \
    } while (0)

static void find_contenders(void)
{
    ADD_PLACE_(0);
    ADD_PLACE_(1);
    ADD_PLACE_(2);
    ADD_PLACE_(3);
}

const struct contender *bench_at(size_t place, const struct contender *c)
{
    size_t i;
    for (i = 0; places[place][i] != NULL; ++i)
        if (strcmp(places[place][i]->name, c->name) == 0) return places[place][i];
    return c;
}

/* One entry a contender: the best of its places. */
size_t bench_best_places(struct entry *e, size_t n)
{
    size_t i, k, kept = 0;
    for (i = 0; i < n; ++i) {
        for (k = 0; k < kept && strcmp(e[k].name, e[i].name) != 0; ++k) {}
        if (k == kept) e[kept++] = e[i];
        else if (e[i].min < e[k].min) {
            e[k].min = e[i].min;
            e[k].median = e[i].median;
        }
    }
    return kept;
}

static void run_rows(void)
{
    size_t i, k, n, p, all;
    for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct row r = rows[i];
        struct entry e[BENCH_ENTRIES];
        const struct contender *from[BENCH_ENTRIES];
        void *opened[BENCH_ENTRIES];
        if (!bench_selected(r.title)) continue;
        for (k = 0; k < WINDOW; ++k) lens_fixed[k] = (uint32_t)r.fixed;
        for (n = 0, p = 0; p < BENCH_PLACES; ++p)
            for (k = 0; places[p][k] != NULL && n < BENCH_ENTRIES; ++k) {
                const struct contender *c = places[p][k];
                if (c->rows[r.id] == NULL) continue;
                from[n] = c;
                e[n].name = c->name;
                e[n].kind = c->kind;
                e[n].fn = c->rows[r.id];
                e[n].ctx = c->open();
                opened[n] = e[n].ctx;
                ++n;
            }
        all = n;
        bench_measure(e, n, next_work, &r, bench_rounds(r.count > 100000 ? 31 : 101));
        n = bench_best_places(e, n);
#ifdef BENCH_FLAGS
        /* Several arenas, one floor: each has to stay within a tenth of it. */
        {
            static const struct targets none = {0, 0, 0};
            double floor = 0;
            char text[96];
            bench_report(r.title, "ns per value", e, n, &none);
            for (k = 0; k < n; ++k)
                if (e[k].kind == KIND_FLOOR && (floor == 0 || e[k].min < floor)) floor = e[k].min;
            for (k = 0; k < n; ++k) {
                if (e[k].kind != KIND_ARENA) continue;
                snprintf(text, sizeof text, "%s: %s to the floor at -O2", r.title, e[k].name);
                if (r.targets.floor > 0) bench_verdict(text, e[k].min / floor, r.targets.floor - 0.05);
            }
        }
#else
        bench_report(r.title, "ns per value", e, n, &r.targets);
#endif
        for (k = 0; k < all; ++k) from[k]->close(opened[k]);
    }
}

/* ---- memory held for what is stored ---------------------------------------------------------- */

#ifndef BENCH_FLAGS
struct lump { const char *title; enum row_id id; double limit; int kind; };

static uint32_t lump_size(int kind, uint64_t *state)
{
    if (kind == 0) {
        /* Lognormal by Box and Muller, mu 6, sigma 2, cut at 192 KiB: the source is that long. */
        for (;;) {
            const double u = ((double)(bench_random(state) >> 11) + 0.5) / 9007199254740992.0;
            const double v = (double)(bench_random(state) >> 11) / 9007199254740992.0;
            const double x = exp(6 + 2 * sqrt(-2 * log(u)) * cos(6.283185307179586 * v));
            if (x >= 1 && x <= 192 * 1024) return (uint32_t)x;
        }
    }
    return 1 + (uint32_t)(bench_random(state) % 32768);
}

static void run_memory(void)
{
    static const struct lump lumps[] = {
        {"memory held, lognormal sizes", ROW_lognormal, 1.03, 0},
        {"memory held, uniform 1-32 KiB", ROW_uniform, 1.05, 1},
        {"memory held, strings of 1-64 bytes", ROW_random, 1.01, 2},
        {"memory held, tokens as C strings", ROW_tokens, 0, 3}
    };
    uint32_t *sizes = (uint32_t *)take(BENCH_OUT * sizeof *sizes);
    size_t i, k, n;
    for (i = 0; i < sizeof lumps / sizeof *lumps; ++i) {
        struct entry e[BENCH_ENTRIES];
        struct targets t = {0, 0, 0};
        struct work w;
        uint64_t payload = 0, seed = 99;
        if (!bench_selected(lumps[i].title)) continue;
        memset(&w, 0, sizeof w);
        w.source = source;
        w.out = out;
        w.lens = sizes;
        if (lumps[i].kind < 2) {
            while (payload < (uint64_t)64 << 20) {
                sizes[w.count] = lump_size(lumps[i].kind, &seed);
                payload += sizes[w.count++];
            }
        } else if (lumps[i].kind == 2) {
            w.lens = lens_random;
            for (; w.count < BENCH_OUT; ++w.count) payload += lens_random[w.count];
        } else {
            w.source = tokens.text;
            w.lens = tokens.lens;
            for (; w.count < tokens.values && w.count < BENCH_OUT; ++w.count)
                payload += tokens.lens[w.count] + 1u;
        }
        for (n = 0, k = 0; places[0][k] != NULL; ++k) {
            const struct contender *c = places[0][k];
            size_t before;
            void *ctx;
            /* malloc's loop for short strings gives back what it stored, so it is not asked there. */
            if (c->rows[lumps[i].id] == NULL || c->held == NULL) continue;
            if (c->kind == KIND_MALLOC && lumps[i].kind >= 2) continue;
            if (c->kind == KIND_FLOOR && c != &PLACED(floor_flat)) continue;
            before = c->held(NULL);
            ctx = c->open();
            sink += c->rows[lumps[i].id](ctx, &w);
            e[n].name = c->name;
            e[n].kind = c->kind;
            e[n].min = e[n].median = (double)(c->held(ctx) - before) / (double)payload;
            ++n;
            if (c->kind == KIND_MALLOC) {
                size_t d;
                for (d = 0; d < w.count; ++d) {
                    union { const void *from; void *to; } u;
                    u.from = out[d];
                    free(u.to);
                }
            }
            c->close(ctx);
        }
        t.floor = lumps[i].limit;
        bench_report(lumps[i].title, "bytes held per byte stored", e, n, &t);
    }
    free(sizes);
}
#endif

/* ---- cold: a fresh batch in a fresh process -------------------------------------------------- */

#define COLD_BYTES ((size_t)64 << 20)

static double cold_here(const struct contender *c)
{
    struct work w;
    double t0, t1;
    void *ctx = c->open();
    memset(&w, 0, sizeof w);
    w.source = source;
    w.count = COLD_BYTES / 16;
    t0 = bench_now();
    sink += c->rows[ROW_stream16](ctx, &w);
    t1 = bench_now();
    return (t1 - t0) / (double)COLD_BYTES;
}

#ifndef BENCH_FLAGS
/* Runs this program again with --cold=NAME and reads one number. */
static double cold_child(const char *self, const char *name)
{
    int ends[2];
    char text[64];
    ssize_t got = 0;
    pid_t child;
    if (pipe(ends) != 0) return 0;
    child = fork();
    if (child == 0) {
        char arg[64];
        snprintf(arg, sizeof arg, "--cold=%s", name);
        if (dup2(ends[1], 1) < 0) _exit(127);
        close(ends[0]);
        execl(self, self, arg, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    if (child > 0) {
        got = read(ends[0], text, sizeof text - 1);
        waitpid(child, NULL, 0);
    }
    close(ends[0]);
    if (got <= 0) return 0;
    text[got] = 0;
    return strtod(text, NULL);
}
#endif

static int cold_main(const char *name)
{
    size_t i;
    source = (char *)take(SOURCE_BYTES);
    memset(source, 'x', SOURCE_BYTES);
    find_contenders();
    for (i = 0; i < BENCH_ENTRIES && places[0][i] != NULL; ++i) {}
#ifndef BENCH_FLAGS
    i = add_contender(places[0], i, &cont_huge);
    i = add_contender(places[0], i, &cont_reserved);
#endif
    for (i = 0; places[0][i] != NULL; ++i)
        if (strcmp(places[0][i]->name, name) == 0 && places[0][i]->rows[ROW_stream16] != NULL) {
            printf("%.6f\n", cold_here(places[0][i]));
            return 0;
        }
    return 1;
}

#ifndef BENCH_FLAGS
static void run_cold(void)
{
    static const char title[] = "cold: a fresh batch of 64 MiB";
    static const struct targets t = {1.02, 0, 0};
    const unsigned rounds = option.long_run ? 15 : 9;
    struct entry e[BENCH_ENTRIES];
    double samples[BENCH_ENTRIES][16], peer = 0, hooks = 0;
    char self[4096];
    size_t n = 0, k;
    unsigned r;
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (!bench_selected(title)) return;
    if (length <= 0) {
        bench_note("\n%s: not measured, this system has no /proc/self/exe\n", title);
        return;
    }
    self[length] = 0;
    for (k = 0; places[0][k] != NULL; ++k) {
        const struct contender *c = places[0][k];
        if (c->rows[ROW_stream16] == NULL || c == &PLACED(floor_eight) || c == &PLACED(floor_memcpy)) continue;
        e[n].name = c->name;
        e[n++].kind = c->kind;
    }
    e[n].name = cont_huge.name;
    e[n++].kind = KIND_ARENA;
    e[n].name = cont_reserved.name;
    e[n++].kind = KIND_ARENA;
    for (r = 0; r < rounds; ++r)
        for (k = 0; k < n; ++k) samples[k][r] = cold_child(self, e[k].name);
    for (k = 0; k < n; ++k) {
        qsort(samples[k], rounds, sizeof samples[k][0], by_value);
        e[k].min = samples[k][0];
        e[k].median = samples[k][rounds / 2];
        if (e[k].kind == KIND_PEER && (peer == 0 || e[k].min < peer)) peer = e[k].min;
        if (k >= n - 2 && (hooks == 0 || e[k].min < hooks)) hooks = e[k].min;
    }
    bench_report(title, "ns per byte", e, n, &t);
    if (peer > 0) bench_verdict("cold: arena.h with ready hooks, to the best peer", hooks / peer, 1.0);
}
#endif

/* ---- output ---------------------------------------------------------------------------------- */

static void print_machine(void)
{
    char line[256], model[200] = "unknown processor";
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        char *at = strstr(line, "model name");
        if (at == NULL || (at = strchr(line, ':')) == NULL) continue;
        snprintf(model, sizeof model, "%s", at + 2);
        model[strcspn(model, "\n")] = 0;
        break;
    }
    if (f != NULL) fclose(f);
    bench_note("arena.h benchmark: smallest of interleaved rounds, in one process\n");
    bench_note("machine:  %s, %ld online\n", model, cores);
#if defined(__clang__)
    bench_note("compiler: clang %s\n", __clang_version__);
#elif defined(__GNUC__)
    bench_note("compiler: gcc %s\n", __VERSION__);
#endif
    bench_note("flags:    %s\n", BENCH_CFLAGS);
    bench_note("tokens:   %lu from %s, %.1f bytes each\n", (unsigned long)tokens.values, token_origin,
               (double)tokens.bytes / (double)tokens.values - 1);
#ifdef BENCH_PEERS
    {
        size_t i;
        bench_note("missing:  ");
        for (i = 0; bench_missing_c[i] != NULL; ++i) bench_note("%s; ", bench_missing_c[i]);
        for (i = 0; bench_missing_cpp[i] != NULL; ++i) bench_note("%s; ", bench_missing_cpp[i]);
        bench_note("%s\n", bench_missing_c[0] == NULL && bench_missing_cpp[0] == NULL ? "no peer" : "(not installed)");
    }
#endif
}

static void print_markdown(void)
{
    size_t i;
    printf("\n| work | floor | arena.h | to floor | best peer | malloc |\n|---|---|---|---|---|---|\n");
    for (i = 0; i < result_count; ++i) {
        const struct result *r = &results[i];
        printf("| %s | ", r->title);
        if (r->floor > 0) printf("%.2f", r->floor);
        else printf("-");
        printf(" | %.2f | ", r->arena);
        if (r->floor > 0) printf("%.2f", r->arena / r->floor);
        else printf("-");
        if (r->peer > 0) printf(" | %s %.2f | ", r->peer_name, r->peer);
        else printf(" | - | ");
        if (r->malloc_ > 0) printf("%.1f |\n", r->malloc_);
        else printf("- |\n");
    }
}

static const char *color_of(enum contender_kind kind)
{
    switch (kind) {
    case KIND_FLOOR: return "#b8c4d0";
    case KIND_ARENA: return "#1f77b4";
    case KIND_PEER: return "#9aa07a";
    case KIND_MALLOC: return "#c9804e";
    }
    return "#000";
}

/* Bars for a handful of rows, in two columns: the best floor, arena.h, the four best peers, malloc. */
static void write_svg(const char *path)
{
    static const char *const shown[] = {
        "store 16 bytes", "store 1-64 bytes, never repeating", "tokens of C headers as C strings",
        "512 JSON lines stored, read, rewound", "zeroed object of 32 bytes",
        "10^6 ints pushed on one slice", "1000 slices grown in turn to 1000",
        "two threads, 16-64 bytes"
    };
    enum { PANEL_WIDTH = 480, PANEL_HEIGHT = 156, PANELS = 8, BARS = 7 };
    FILE *f = fopen(path, "w");
    size_t i, k, s;
    if (f == NULL) {
        perror(path);
        return;
    }
    fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
               "font-family=\"sans-serif\" font-size=\"12\">\n"
               "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
               "<text x=\"16\" y=\"24\" font-size=\"16\" font-weight=\"bold\">arena.h: ns per value, smaller is better</text>\n"
               "<text x=\"16\" y=\"42\" fill=\"#555\">floor: a bare pointer bump without any check, with the best copy "
               "known. Each panel has a scale of its own; the four best peers of each.</text>\n",
            2 * PANEL_WIDTH, 54 + PANELS / 2 * PANEL_HEIGHT);
    for (s = 0; s < sizeof shown / sizeof *shown; ++s)
        for (i = 0; i < result_count; ++i) {
            const struct result *r = &results[i];
            const int x = (int)(s % 2) * PANEL_WIDTH;
            int y = 66 + (int)(s / 2) * PANEL_HEIGHT;
            int pick[BENCH_ENTRIES], n = 0, a, b, peers = 0, arenas = 0;
            double longest = 0;
            if (strcmp(r->title, shown[s]) != 0) continue;
            /* Sorted by time, then the first floor, the first arena, four peers and malloc are taken. */
            for (k = 0; (int)k < r->entries; ++k) pick[n++] = (int)k;
            for (a = 0; a < n; ++a)
                for (b = a + 1; b < n; ++b)
                    if (r->entry[pick[b]].min < r->entry[pick[a]].min) {
                        const int t = pick[a];
                        pick[a] = pick[b];
                        pick[b] = t;
                    }
            for (a = 0, b = 0, k = 0; a < n && b < BARS; ++a) {
                const enum contender_kind kind = r->entry[pick[a]].kind;
                if (kind == KIND_FLOOR && k++ > 0) continue;
                if (kind == KIND_ARENA && arenas++ > 0) continue;
                if (kind == KIND_PEER && peers++ >= 4) continue;
                pick[b++] = pick[a];
            }
            n = b;
            for (a = 0; a < n; ++a)
                if (r->entry[pick[a]].min > longest) longest = r->entry[pick[a]].min;
            fprintf(f, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n", x + 16, y, r->title);
            y += 6;
            for (a = 0; a < n; ++a, y += 17) {
                const double width = 250 * r->entry[pick[a]].min / longest;
                fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                           "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"13\" fill=\"%s\"/>"
                           "<text x=\"%.1f\" y=\"%d\">%.2f</text>\n",
                        x + 162, y + 11, r->entry[pick[a]].kind == KIND_FLOOR ? "floor" : r->entry[pick[a]].name,
                        x + 168, y, width,
                        color_of(r->entry[pick[a]].kind), x + 173 + width, y + 11, r->entry[pick[a]].min);
            }
        }
    fprintf(f, "</svg>\n");
    if (fclose(f) != 0) perror(path);
}

static void print_verdicts(void)
{
    size_t i, met = 0;
    for (i = 0; i < verdict_count; ++i) met += verdicts[i].value <= verdicts[i].limit;
    if (met < verdict_count) bench_note("\nnot met:\n");
    for (i = 0; i < verdict_count; ++i)
        if (!(verdicts[i].value <= verdicts[i].limit))
            bench_note("  %-66s %7.3f  (at most %.3f)\n", verdicts[i].title, verdicts[i].value,
                       verdicts[i].limit);
    bench_note("\ntargets met: %lu of %lu\n", (unsigned long)met, (unsigned long)verdict_count);
}

int main(int argc, char **argv)
{
    int i;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (i = 1; i < argc; ++i) {
        const char *a = argv[i];
        if (strncmp(a, "--cold=", 7) == 0) return cold_main(a + 7);
        if (strcmp(a, "--csv") == 0) option.csv = 1;
        else if (strcmp(a, "--markdown") == 0) option.markdown = 1;
        else if (strcmp(a, "--long") == 0) option.long_run = 1;
        else if (strncmp(a, "--svg=", 6) == 0) option.svg = a + 6;
        else if (strncmp(a, "--rounds=", 9) == 0) option.rounds = (unsigned)strtoul(a + 9, NULL, 10);
        else if (a[0] == '-') {
            fprintf(stderr, "usage: %s [--csv] [--markdown] [--svg=FILE] [--rounds=N] [--long] [WORD ...]\n",
                    argv[0]);
            return 2;
        } else {
            argv[1 + option.word_count++] = argv[i];
        }
    }
    option.words = argv + 1;
    make_data();
    find_contenders();
    print_machine();
    if (option.csv) printf("row,unit,contender,kind,min,median,ratio\n");
    run_rows();
#ifndef BENCH_FLAGS
    bench_resolve();
    run_memory();
    bench_second_pass();
    bench_reset();
    bench_growth();
    bench_threads();
    run_cold();
#endif
    print_verdicts();
    if (option.markdown) print_markdown();
    if (option.svg != NULL) write_svg(option.svg);
    return 0;
}
