/*
 * The test program: runs the tests of tests.def and holds the one implementation of arena.h.
 *
 *     tests [--list] [--seed=N] [--without=SUBSTRING] [-v] [-x] [SUBSTRING ...]
 *
 * Runs the tests whose name (family_name) holds one of the substrings, all if there is none, but
 * for those that hold the substring of --without. --list prints the names, -v prints each name
 * before its test runs, -x stops after the first test that fails. Exit status: 0 if at least one
 * test was selected and none failed, else 1.
 */
#define ARENA_IMPLEMENTATION
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sanitizers and valgrind report a crash better than a signal handler of ours, and WASI has no
 * signals. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined __wasi__
#define TEST_SIGNALS 0
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define TEST_SIGNALS 0
#endif
#endif
#ifndef TEST_SIGNALS
#define TEST_SIGNALS 1
#endif
#if TEST_SIGNALS
#include <signal.h>
#endif

/* Under AddressSanitizer the allocator also forbids the bytes around a block, and it refuses to
 * take back poisoned memory. */
#if defined __SANITIZE_ADDRESS__
#define TEST_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define TEST_ASAN 1
#endif
#endif
/*
 * MemorySanitizer and valgrind are told that memory fresh from the hook holds nothing, as malloc's
 * does; then a test cannot read the fill, see test_filled. TEST_VALGRIND is defined for runs under
 * valgrind.
 */
#if defined __has_feature
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define FORGET(p, n) __msan_allocated_memory(p, n)
#define REMEMBER(p, n) __msan_unpoison(p, n)
#endif
#endif
#if !defined FORGET && defined TEST_VALGRIND
#include <valgrind/memcheck.h>
#define FORGET(p, n) ((void)VALGRIND_MAKE_MEM_UNDEFINED(p, n))
#define REMEMBER(p, n) ((void)VALGRIND_MAKE_MEM_DEFINED(p, n))
#endif
#ifdef FORGET
enum { filled = 0 };
#else
#define FORGET(p, n) ((void)(p), (void)(n))
enum { filled = 1 };
#endif

#ifdef TEST_ASAN
#include <sanitizer/asan_interface.h>
#define FORBID(p, n) __asan_poison_memory_region(p, n)
#define ALLOW(p, n) __asan_unpoison_memory_region(p, n)
#define IS_POISONED(p, n) (__asan_region_is_poisoned(p, n) != NULL)
#else
#define FORBID(p, n) ((void)(p), (void)(n))
#define ALLOW(p, n) ((void)(p), (void)(n))
#define IS_POISONED(p, n) ((void)(p), (void)(n), 0)
#endif

/* Tests with threads call the hooks at the same time. A spin lock needs nothing but the compiler.
 */
#if defined __GNUC__ && !defined __TINYC__
static char hooks_lock;
static void lock(void)
{
    while (__atomic_test_and_set(&hooks_lock, __ATOMIC_ACQUIRE)) {
    }
}
static void unlock(void) { __atomic_clear(&hooks_lock, __ATOMIC_RELEASE); }
#else
static void lock(void) {}
static void unlock(void) {}
#endif

/* The splitmix64 step: every state gives a good value, so any seed will do. */
static uint64_t random_step(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* One block of the tracing allocator. The bytes of `raw` outside the block itself are all EDGE. */
struct block {
    struct block *next;
    unsigned char *raw;
    size_t raw_bytes;
    unsigned char *p;
    size_t bytes;
    size_t align;
};

enum { FILL = 0xA5, EDGE = 0x5E, BUCKETS = 1 << 14 };

/* The live blocks by address: tests hold a hundred thousand of them and free them in any order. One
 * test runs at a time. */
static struct block *live[BUCKETS];

static struct block **bucket(const void *p)
{
    uint64_t state = (uint64_t)(uintptr_t)p;
    return &live[random_step(&state) % BUCKETS];
}

static void fail(struct test *t, const char *file, int line, const char *what)
{
    t->failures++;
    printf("%s:%d: %s: %s\n", file, line, t->name, what);
    fflush(stdout);
}

int test_check(struct test *t, int held, const char *file, int line, const char *text)
{
    if (!held) fail(t, file, line, text);
    return held;
}

int test_check_eq(struct test *t, unsigned long long a, unsigned long long b, const char *file,
                  int line, const char *a_text, const char *b_text)
{
    if (a == b) return 1;
    fail(t, file, line, "not equal");
    printf("    %s is %llu (0x%llx)\n    %s is %llu (0x%llx)\n", a_text, a, a, b_text, b, b);
    return 0;
}

int test_check_str(struct test *t, const char *a, const char *b, const char *file, int line,
                   const char *a_text, const char *b_text)
{
    if (a == b || (a != NULL && b != NULL && strcmp(a, b) == 0)) return 1;
    fail(t, file, line, "strings differ");
    printf("    %s is %s%.200s%s\n    %s is %s%.200s%s\n", a_text, a != NULL ? "\"" : "",
           a != NULL ? a : "NULL", a != NULL ? "\"" : "", b_text, b != NULL ? "\"" : "",
           b != NULL ? b : "NULL", b != NULL ? "\"" : "");
    return 0;
}

int test_check_mem(struct test *t, const void *p, const void *q, size_t n, const char *file,
                   int line, const char *p_text, const char *q_text)
{
    const unsigned char *a = (const unsigned char *)p;
    const unsigned char *b = (const unsigned char *)q;
    size_t i = 0;
    if (n == 0) return 1;
    if (a == NULL || b == NULL) {
        fail(t, file, line, "NULL instead of bytes");
        printf("    %s is %p, %s is %p\n", p_text, p, q_text, q);
        return 0;
    }
    while (i < n && a[i] == b[i]) i++;
    if (i == n) return 1;
    fail(t, file, line, "bytes differ");
    printf("    at %llu of %llu: %s has 0x%02x, %s has 0x%02x\n", (unsigned long long)i,
           (unsigned long long)n, p_text, (unsigned)a[i], q_text, (unsigned)b[i]);
    return 0;
}

int test_filled(void) { return filled; }

uint64_t test_random(struct test *t) { return random_step(&t->random_state); }

/* Whether the call has to fail by the test's wish. Both countdowns run at once. */
static int refuse(struct test_mem *mem)
{
    int refused = 0;
    if (mem->fail_at > 0 && --mem->fail_at == 0) refused = 1;
    if (mem->fail_from == 1) refused = 1;
    if (mem->fail_from > 1) mem->fail_from--;
    if (refused) mem->refused++;
    return refused;
}

static void *alloc_locked(struct test *t, size_t bytes, size_t align)
{
    struct block *b, **list;
    unsigned char *raw;
    size_t raw_bytes, shift;
    t->mem.allocs++;
    if (bytes == 0) fail(t, __FILE__, __LINE__, "the hook was asked for 0 bytes");
    if (align == 0 || (align & (align - 1)) != 0) {
        fail(t, __FILE__, __LINE__, "the hook was asked for an alignment that is no power of two");
        return NULL;
    }
    if (refuse(&t->mem)) return NULL;
    /* 3 * align leaves room to move the block to an odd multiple of align, with edges on both
     * sides. */
    /* No machine has a quarter of the address space, and AddressSanitizer stops a program that
     * asks. */
    if (align > SIZE_MAX / 32 || bytes > SIZE_MAX / 4 - 4 * align) return NULL;
    raw_bytes = bytes + 3 * align;
    raw = (unsigned char *)malloc(raw_bytes);
    b = (struct block *)malloc(sizeof *b);
    if (raw == NULL || b == NULL) {
        free(raw);
        free(b);
        return NULL;
    }
    /* The distance to the next odd multiple of align: 1 to 2 * align bytes, so there always is a
     * front edge. */
    shift = (size_t)((align - (uintptr_t)raw) & (2 * align - 1));
    if (shift == 0) shift = 2 * align;
    b->raw = raw;
    b->raw_bytes = raw_bytes;
    b->p = raw + shift;
    b->bytes = bytes;
    b->align = align;
    list = bucket(b->p);
    b->next = *list;
    *list = b;
    memset(raw, EDGE, raw_bytes);
    memset(b->p, FILL, bytes);
    FORGET(b->p, bytes);
    FORBID(raw, shift);
    FORBID(b->p + bytes, raw_bytes - shift - bytes);
    t->mem.live_blocks++;
    t->mem.live_bytes += bytes;
    if (t->mem.live_bytes > t->mem.peak_bytes) t->mem.peak_bytes = t->mem.live_bytes;
    return b->p;
}

static void drop(struct test *t, struct block *b)
{
    size_t i, before = (size_t)(b->p - b->raw);
    ALLOW(b->raw, before);
    ALLOW(b->p + b->bytes, b->raw_bytes - before - b->bytes);
    for (i = 0; i < b->raw_bytes; i++) {
        if (i == before) i += b->bytes;
        if (i < b->raw_bytes && b->raw[i] != EDGE) {
            fail(t, __FILE__, __LINE__, "something was written outside a block of the hook");
            break;
        }
    }
    t->mem.live_blocks--;
    t->mem.live_bytes -= b->bytes;
    ALLOW(b->raw, b->raw_bytes);
    free(b->raw);
    free(b);
}

static void free_locked(struct test *t, void *p, size_t bytes, size_t align)
{
    struct block **link = bucket(p);
    struct block *b;
    t->mem.frees++;
    while (*link != NULL && (*link)->p != p) link = &(*link)->next;
    b = *link;
    if (b == NULL) {
        fail(t, __FILE__, __LINE__, "free of something that is not live");
        return;
    }
    *link = b->next;
    if (b->bytes != bytes || b->align != align) {
        fail(t, __FILE__, __LINE__, "free with another size or alignment than was asked for");
        printf("    asked for %llu bytes aligned to %llu, freed as %llu aligned to %llu\n",
               (unsigned long long)b->bytes, (unsigned long long)b->align,
               (unsigned long long)bytes, (unsigned long long)align);
    }
    if (IS_POISONED(p, b->bytes))
        fail(t, __FILE__, __LINE__, "poisoned memory was given back to the hook");
    drop(t, b);
}

/* The context is the test. A wrong one would crash or be caught here, since there is one test at a
 * time. */
static struct test *running;

static void *hook_alloc(void *ctx, size_t bytes, size_t align)
{
    void *p = NULL;
    lock();
    if (ctx != (void *)running)
        fail(running, __FILE__, __LINE__, "alloc was called with a wrong context");
    else
        p = alloc_locked(running, bytes, align);
    unlock();
    return p;
}

static void hook_free(void *ctx, void *p, size_t bytes, size_t align)
{
    lock();
    if (ctx != (void *)running)
        fail(running, __FILE__, __LINE__, "free was called with a wrong context");
    else
        free_locked(running, p, bytes, align);
    unlock();
}

struct row {
    const char *name;
    void (*run)(struct test *t);
};

#define T(family, name) {#family "_" #name, test_##family##_##name},
static const struct row rows[] = {
#include TEST_TABLE
    {NULL, NULL}};
#undef T

#if TEST_SIGNALS
static void crashed(int signal_number)
{
    /* Not allowed in a signal handler by the letter, but the process is lost anyway and the name is
     * worth having. */
    printf("%s: stopped by signal %d\n", running != NULL ? running->name : "?", signal_number);
    fflush(stdout);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}
#endif

static int selected(const char *name, int argc, char **argv)
{
    int i, patterns = 0;
    for (i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--without=", 10) == 0 && strstr(name, argv[i] + 10) != NULL) return 0;
    }
    for (i = 1; i < argc; i++) {
        if (argv[i][0] == '-') continue;
        patterns++;
        if (strstr(name, argv[i]) != NULL) return 1;
    }
    return patterns == 0;
}

/* Runs one test; returns the number of its failures, or -1 if it was skipped. */
static long run_one(const struct row *row, unsigned long long seed)
{
    struct test t;
    arena_hooks_t hooks;
    const char *c;
    size_t i;
    memset(&t, 0, sizeof t);
    hooks.alloc = hook_alloc;
    hooks.free = hook_free;
    hooks.ctx = &t;
    t.name = row->name;
    t.seed = seed;
    t.hooks = &hooks;
    t.random_state = seed;
    for (c = row->name; *c != '\0'; c++)
        t.random_state = (t.random_state ^ (unsigned char)*c) * UINT64_C(0x100000001B3);
    running = &t;
    row->run(&t);
    if (t.mem.live_blocks > 0) {
        fail(&t, __FILE__, __LINE__, "not everything was given back to the hook");
        printf("    %llu blocks, %llu bytes\n", (unsigned long long)t.mem.live_blocks,
               (unsigned long long)t.mem.live_bytes);
    }
    for (i = 0; i < BUCKETS && t.mem.live_blocks > 0; i++) {
        while (live[i] != NULL) {
            struct block *b = live[i];
            live[i] = b->next;
            drop(&t, b);
        }
    }
    running = NULL;
    if (t.failures > 0) {
        printf("FAILED %s (again: --seed=%llu %s)\n", t.name, seed, t.name);
        return (long)t.failures;
    }
    if (t.skipped != NULL) {
        printf("skipped %s: %s\n", t.name, t.skipped);
        return -1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    unsigned long long seed = 1;
    size_t passed = 0, failed = 0, skipped = 0;
    int i, list = 0, verbose = 0, stop = 0;
    const struct row *row;
    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0)
            list = 1;
        else if (strcmp(argv[i], "-v") == 0)
            verbose = 1;
        else if (strcmp(argv[i], "-x") == 0)
            stop = 1;
        else if (strncmp(argv[i], "--seed=", 7) == 0)
            seed = strtoull(argv[i] + 7, NULL, 0);
        else if (strncmp(argv[i], "--without=", 10) != 0 && argv[i][0] == '-') {
            fprintf(stderr,
                    "unknown option %s; there are --list, --seed=N, --without=TEXT, -v, -x\n",
                    argv[i]);
            return 1;
        }
    }
#if TEST_SIGNALS
    signal(SIGSEGV, crashed);
    signal(SIGABRT, crashed);
    signal(SIGFPE, crashed);
    signal(SIGILL, crashed);
#endif
    for (row = rows; row->name != NULL; row++) {
        long result;
        if (stop && failed > 0) break;
        if (!selected(row->name, argc, argv)) continue;
        if (list) {
            puts(row->name);
            passed++;
            continue;
        }
        if (verbose) {
            puts(row->name);
            fflush(stdout);
        }
        result = run_one(row, seed);
        if (result > 0)
            failed++;
        else if (result < 0)
            skipped++;
        else
            passed++;
    }
    if (passed + failed + skipped == 0) {
        puts("no test was selected");
        puts("0 passed, 1 failed");
        return 1;
    }
    if (!list) {
        printf("%llu passed, %llu failed", (unsigned long long)passed, (unsigned long long)failed);
        if (skipped > 0) printf(", %llu skipped", (unsigned long long)skipped);
        putchar('\n');
    }
    return failed > 0 ? 1 : 0;
}
