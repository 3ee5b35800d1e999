/*
 * What the models of arena.h share: programs of operations, a watching allocator, and the driver
 * that runs programs, shrinks one that fails, and prints it.
 *
 * A program is a string of bytes, read in records of eight: operation, object, and three numbers of
 * 16 bits. Every string of bytes is a program, so random ones and those of a fuzzer are the same
 * thing, and leaving out a record leaves a program. The first record is the setting (which family,
 * which options).
 *
 * A model includes this file once, after arena.h, and defines `static void model_run(void)`, which
 * takes records with model_next until there are none, and calls MUST for all that has to hold.
 */
#ifndef MODEL_H
#define MODEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __unix__ && !defined __wasi__ && !defined MODEL_FUZZ
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#endif
#if defined MAP_ANONYMOUS
#define MODEL_FORK 1
#else
#define MODEL_FORK 0
#endif

#define RECORD 8u

/* ---- programs -------------------------------------------------------------------------------- */

struct record {
    unsigned op, obj, x, y, z;
};

static struct {
    const unsigned char *bytes;
    size_t n, at;
    size_t step;        /* Number of the record that is running, the setting being 0. */
    size_t check_every; /* All live values are compared after each such number of steps. */
    FILE *list;         /* Where the operations are printed while they run, or NULL. */
    jmp_buf escape;     /* Where a failed MUST goes. */
    bool can_escape;
    const char *failed; /* The text of the condition that did not hold. */
    int failed_line;
    uint64_t operations;    /* Run so far, in all programs. */
    uint64_t dead_asked;    /* Refs that had died, resolved; */
    uint64_t dead_answered; /* and those of them that did not give the empty view. */
    uint64_t failures;      /* Calls that failed as documented. */
    uint64_t replays;       /* Batches repeated with the allocator calls counted. */
} model;

static void model_fail(const char *text, int line)
{
    model.failed = text;
    model.failed_line = line;
    if (model.can_escape) {
        longjmp(model.escape, 1);
    }
    fprintf(stderr, "model: step %lu, line %d: does not hold: %s\n", (unsigned long)model.step,
            line, text);
    abort();
}

#define MUST(cond) ((cond) ? (void)0 : model_fail(#cond, __LINE__))

static bool model_next(struct record *r)
{
    const unsigned char *b;
    if (model.n - model.at < RECORD) {
        return false;
    }
    b = model.bytes + model.at;
    model.at += RECORD;
    r->op = b[0];
    r->obj = b[1];
    r->x = b[2] | (unsigned)b[3] << 8;
    r->y = b[4] | (unsigned)b[5] << 8;
    r->z = b[6] | (unsigned)b[7] << 8;
    return true;
}

/* Prints one operation of the program, where that is asked for. */
#if defined __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
static void
say(const char *fmt, ...)
{
    va_list args;
    if (model.list != NULL) {
        fprintf(model.list, "  %4lu  ", (unsigned long)model.step);
        va_start(args, fmt);
        vfprintf(model.list, fmt, args);
        va_end(args);
        fputc('\n', model.list);
        fflush(model.list);
    }
}

static uint64_t model_mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* ---- the watching allocator ------------------------------------------------------------------ */

/*
 * Gives memory aligned exactly as asked and no better, with guard bytes on both sides; checks size,
 * alignment, context and guards at each free; refuses when told to; and never lets the arena hold
 * more than its limit.
 */
#define GUARD 16u

struct block {
    struct block *prev, *next;
    unsigned char *p;
    size_t bytes, align;
};

struct memory {
    struct block *first;
    size_t live_bytes, live_blocks, allocs, frees;
    size_t fail_in; /* n > 0: the n-th alloc from now fails. */
    bool fail_on;   /* And so do those after it. */
    bool refused;   /* Set when one failed so. */
    bool forbidden; /* No call at all is allowed. */
    size_t limit;   /* Bytes that may be live at most, 0 = any. */
};

static void *memory_alloc(void *ctx, size_t bytes, size_t align)
{
    struct memory *m = (struct memory *)ctx;
    struct block *b;
    unsigned char *raw;
    size_t skip;
    MUST(bytes > 0 && bytes <= PTRDIFF_MAX);
    MUST(align > 0 && (align & (align - 1)) == 0);
    MUST(!m->forbidden);
    m->allocs++;
    if (m->fail_in > 0) {
        m->fail_in--;
        if (m->fail_in == 0) {
            m->fail_in = m->fail_on ? 1 : 0;
            m->refused = true;
            return NULL;
        }
    }
    MUST(m->limit == 0 || (bytes <= m->limit && m->live_bytes <= m->limit - bytes));
    if (bytes > (size_t)1 << 30) {
        m->refused = true;
        return NULL;
    }
    raw = (unsigned char *)malloc(sizeof(struct block) + sizeof b + 2 * GUARD + 2 * align + bytes);
    if (raw == NULL) {
        m->refused = true;
        return NULL;
    }
    b = (struct block *)(void *)raw;
    skip = sizeof *b + sizeof b + GUARD;
    skip += (align - ((size_t)(uintptr_t)(raw + skip) & (align - 1))) & (align - 1);
    if (((size_t)(uintptr_t)(raw + skip) & (2 * align - 1)) == 0) {
        skip += align;
    }
    b->p = raw + skip;
    b->bytes = bytes;
    b->align = align;
    b->prev = NULL;
    b->next = m->first;
    if (m->first != NULL) {
        m->first->prev = b;
    }
    m->first = b;
    memset(b->p - GUARD, 0xFD, GUARD);
    memcpy(b->p - GUARD - sizeof b, &b, sizeof b);
    memset(b->p, 0xA5, bytes);
    memset(b->p + bytes, 0xFD, GUARD);
    m->live_bytes += bytes;
    m->live_blocks++;
    return b->p;
}

static void memory_check(const struct block *b)
{
    static const unsigned char guard[GUARD] = {0xFD, 0xFD, 0xFD, 0xFD, 0xFD, 0xFD, 0xFD, 0xFD,
                                               0xFD, 0xFD, 0xFD, 0xFD, 0xFD, 0xFD, 0xFD, 0xFD};
    MUST(memcmp(b->p - GUARD, guard, GUARD) == 0);
    MUST(memcmp(b->p + b->bytes, guard, GUARD) == 0);
}

static void memory_free(void *ctx, void *p, size_t bytes, size_t align)
{
    struct memory *m = (struct memory *)ctx;
    struct block *b;
    MUST(p != NULL);
    MUST(!m->forbidden);
    /* The list is searched, not the bytes before p, since p may be anything when the arena is
     * wrong. */
    for (b = m->first; b != NULL && b->p != p; b = b->next) {
    }
    MUST(b != NULL);
    MUST(b->bytes == bytes);
    MUST(b->align == align);
    memory_check(b);
    if (b->prev != NULL) {
        b->prev->next = b->next;
    } else {
        m->first = b->next;
    }
    if (b->next != NULL) {
        b->next->prev = b->prev;
    }
    m->frees++;
    m->live_bytes -= bytes;
    m->live_blocks--;
    free(b);
}

static void memory_check_all(const struct memory *m)
{
    const struct block *b;
    for (b = m->first; b != NULL; b = b->next) {
        memory_check(b);
    }
}

/* Gives back what a failed run left. */
static void memory_drop(struct memory *m)
{
    while (m->first != NULL) {
        struct block *next = m->first->next;
        free(m->first);
        m->first = next;
    }
    memset(m, 0, sizeof *m);
}

/* ---- the driver ------------------------------------------------------------------------------ */

static void model_run(void);
static void model_drop(void); /* Frees what a run that failed half way left. */

/* Runs one program. Returns false if something did not hold. */
static bool model_once(const unsigned char *bytes, size_t n)
{
    bool held;
    model.bytes = bytes;
    model.n = n;
    model.at = 0;
    model.step = 0;
    if (setjmp(model.escape) == 0) {
        model.can_escape = true;
        model_run();
        held = true;
    } else {
        held = false;
    }
    model.can_escape = false;
    model_drop();
    return held;
}

#ifndef MODEL_FUZZ

/* The same in a child process where there are such, so that a crash is a failure like any other. */
static bool model_try(const unsigned char *bytes, size_t n)
{
#if MODEL_FORK
    int status = 0;
    pid_t child;
    fflush(stdout);
    fflush(stderr);
    child = fork();
    if (child == 0) {
        if (model.list == NULL && freopen("/dev/null", "w", stderr) == NULL) {
            _exit(2);
        }
        if (model_once(bytes, n)) {
            _exit(0);
        }
        if (model.list != NULL) {
            fprintf(model.list, "does not hold after step %lu (line %d): %s\n",
                    (unsigned long)model.step, model.failed_line, model.failed);
            fflush(model.list);
        }
        _exit(1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
#else
    bool held = model_once(bytes, n);
    if (!held && model.list != NULL) {
        fprintf(model.list, "does not hold after step %lu (line %d): %s\n",
                (unsigned long)model.step, model.failed_line, model.failed);
    }
    return held;
#endif
}

/* Leaves out records, in ever smaller runs, and then sets numbers to 0, as long as the program
 * still fails. */
static size_t model_shrink(unsigned char *bytes, size_t n)
{
    unsigned char *t = (unsigned char *)malloc(n + 1);
    size_t records = n / RECORD, run, i;
    if (t == NULL) {
        return n;
    }
    for (run = records / 2; run > 0; run = run == 1 ? 0 : (run + 1) / 2) {
        for (i = 1; i < records;) {
            size_t take = run < records - i ? run : records - i;
            memcpy(t, bytes, i * RECORD);
            memcpy(t + i * RECORD, bytes + (i + take) * RECORD, (records - i - take) * RECORD);
            if (!model_try(t, (records - take) * RECORD)) {
                records -= take;
                memcpy(bytes, t, records * RECORD);
            } else {
                i += take;
            }
        }
    }
    for (i = 1; i < records * RECORD; i++) {
        unsigned char was = bytes[i];
        if (was != 0 && i % RECORD != 0) {
            bytes[i] = 0;
            if (model_try(bytes, records * RECORD)) {
                bytes[i] = was;
            }
        }
    }
    free(t);
    return records * RECORD;
}

static void model_report(const char *name, unsigned char *bytes, size_t n)
{
    size_t i;
    n = model_shrink(bytes, n);
    printf("%s: the shortest program found that fails (%lu operations):\n", name,
           (unsigned long)(n / RECORD - 1));
    model.list = stdout;
    if (model_try(bytes, n)) {
        printf("(it fails only together with the programs before it)\n");
    }
    model.list = NULL;
    printf("the same as bytes, for --program:\n");
    for (i = 0; i < n; i++) {
        printf("%02x", bytes[i]);
    }
    printf("\n");
}

static int model_file(const char *name, const char *path)
{
    static unsigned char bytes[1u << 16];
    FILE *f = fopen(path, "rb");
    size_t n;
    if (f == NULL) {
        fprintf(stderr, "%s: %s cannot be read\n", name, path);
        return 1;
    }
    n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    if (!model_once(bytes, n)) {
        printf("%s: %s: step %lu, line %d: does not hold: %s\n", name, path,
               (unsigned long)model.step, model.failed_line, model.failed);
        return 1;
    }
    return 0;
}

static int model_hex(const char *name, const char *text)
{
    static unsigned char bytes[1u << 16];
    size_t n = 0;
    unsigned value;
    while (n < sizeof bytes && sscanf(text + 2 * n, "%2x", &value) == 1) {
        bytes[n++] = (unsigned char)value;
    }
    model.list = stdout;
    if (!model_try(bytes, n)) {
        return 1;
    }
    printf("%s: holds\n", name);
    return 0;
}

static void model_random(unsigned char *bytes, size_t n, uint64_t seed)
{
    uint64_t state = seed * 0xD1342543DE82EF95u;
    size_t k;
    for (k = 0; k < n; k += 8) {
        uint64_t v = model_mix(&state);
        memcpy(bytes + k, &v, 8);
    }
}

/* Runs random programs until `steps` operations are done; *at is the number of the one that runs.
 */
static int model_loop(const char *name, uint64_t seed, uint64_t steps, unsigned char *bytes,
                      size_t n, uint64_t *at)
{
    uint64_t i;
    for (i = 0; model.operations < steps; i++) {
        *at = i;
        model_random(bytes, n, seed + i);
        if (!model_once(bytes, n)) {
            printf("%s: seed %llu: step %lu, line %d: does not hold: %s\n", name,
                   (unsigned long long)(seed + i), (unsigned long)model.step, model.failed_line,
                   model.failed);
            model_report(name, bytes, n);
            return 1;
        }
    }
    printf("%s: seed %llu: %llu operations in %llu programs hold; %llu failures as documented, "
           "%llu batches repeated, "
           "%llu of %llu dead Refs answered\n",
           name, (unsigned long long)seed, (unsigned long long)model.operations,
           (unsigned long long)i, (unsigned long long)model.failures,
           (unsigned long long)model.replays, (unsigned long long)model.dead_answered,
           (unsigned long long)model.dead_asked);
    /* Better than 250 in 256, checked where there are enough of them to tell. */
    if (model.dead_asked > 20000 && model.dead_answered * 256 > model.dead_asked * 6) {
        printf("%s: too many dead Refs were answered\n", name);
        return 1;
    }
    return 0;
}

/*
 * [--seed=N] [--steps=N] [--length=N] [--check=N] [--program=HEX] [FILE ...]: runs random programs
 * of `length` operations until `steps` operations are done, or the files, or one program, whose
 * operations are then printed.
 * --no-fork stays in one process, for a debugger.
 */
static int model_main(int argc, char **argv, const char *name, uint64_t steps)
{
    uint64_t seed = 1, at = 0;
    size_t length = 1000, n;
    unsigned char *bytes;
    int a, files = 0, bad = 0;
    bool forks = true;
    model.check_every = 1;
    for (a = 1; a < argc; a++) {
        if (strncmp(argv[a], "--seed=", 7) == 0) {
            seed = strtoull(argv[a] + 7, NULL, 0);
        } else if (strncmp(argv[a], "--steps=", 8) == 0) {
            steps = strtoull(argv[a] + 8, NULL, 0);
        } else if (strncmp(argv[a], "--length=", 9) == 0) {
            length = (size_t)strtoull(argv[a] + 9, NULL, 0);
        } else if (strncmp(argv[a], "--check=", 8) == 0) {
            model.check_every = (size_t)strtoull(argv[a] + 8, NULL, 0);
        } else if (strcmp(argv[a], "--no-fork") == 0) {
            forks = false;
        } else if (strncmp(argv[a], "--program=", 10) == 0) {
            return model_hex(name, argv[a] + 10);
        } else if (argv[a][0] == '-') {
            fprintf(stderr,
                    "usage: %s [--seed=N] [--steps=N] [--length=N] [--check=N] [--no-fork] "
                    "[--program=HEX] "
                    "[FILE ...]\n",
                    name);
            return 1;
        } else {
            bad |= model_file(name, argv[a]);
            files++;
        }
    }
    if (files > 0) {
        printf("%s: %d programs from files: %s\n", name, files, bad ? "some fail" : "all hold");
        return bad;
    }
    if (length == 0 || model.check_every == 0) {
        fprintf(stderr, "%s: --length and --check are at least 1\n", name);
        return 1;
    }
    n = (length + 1) * RECORD;
    bytes = (unsigned char *)malloc(n);
    if (bytes == NULL) {
        return 1;
    }
#if MODEL_FORK
    /* The programs run in a child, so that one that crashes can be told and shrunk like any other.
     */
    if (forks) {
        void *shared =
            mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        pid_t child = shared == MAP_FAILED ? -1 : fork();
        if (child == 0) {
            /* 3, since sanitizers end a program that they stop with status 1. */
            exit(model_loop(name, seed, steps, bytes, n, (uint64_t *)shared) ? 3 : 0);
        }
        if (child > 0) {
            int status = 0;
            waitpid(child, &status, 0);
            bad = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
            if (bad && (!WIFEXITED(status) || WEXITSTATUS(status) != 3)) {
                memcpy(&at, shared, sizeof at);
                printf("%s: seed %llu: crashes\n", name, (unsigned long long)(seed + at));
                model_random(bytes, n, seed + at);
                model_report(name, bytes, n);
            }
            free(bytes);
            return bad;
        }
    }
#else
    (void)forks;
#endif
    bad = model_loop(name, seed, steps, bytes, n, &at);
    free(bytes);
    return bad;
}

#endif /* MODEL_FUZZ */
#endif /* MODEL_H */
