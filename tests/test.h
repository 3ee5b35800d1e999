/*
 * The harness of the tests. A family file, tests/FAMILY.c, includes this file and holds
 *
 *     TEST(family, name)
 *     {
 *         CHECK_EQ(1 + 1, 2);
 *     }
 *
 * and tests.def holds the row T(family, name). A row without a test does not link, and a test
 * without a row has no prototype and does not compile. A failed check prints file and line and
 * marks the test as failed; the test goes on. Every CHECK has the value 1 if it held and 0 if not,
 * so that a test can stop where going on makes no sense.
 *
 * t->hooks is an allocator that watches the arena: it gives memory that is aligned exactly as asked
 * and no better, filled with 0xA5; it checks size, alignment and context of every free, and that
 * nothing was written before or behind the block; what is still live at the end of a test fails
 * that test. It may be called by several threads at once.
 */
#ifndef TEST_H
#define TEST_H

#include <stddef.h>
#include <stdint.h>

#include "../arena.h"

struct test_mem {
    size_t allocs;      /* Calls of alloc, the refused ones included. */
    size_t frees;       /* Calls of free. */
    size_t refused;     /* Calls of alloc that fail_at or fail_from made fail. */
    size_t live_blocks; /* Blocks that are held now. */
    size_t live_bytes;  /* Bytes that are held now, as asked for. */
    size_t peak_bytes;  /* The most that was held at one time. */
    size_t fail_at;     /* n > 0: the n-th call of alloc from now fails, and only that one. */
    size_t fail_from; /* n > 0: the n-th call of alloc from now fails, and so do all later ones. */
};

struct test {
    const char *name;        /* family_name */
    unsigned long long seed; /* The seed of this run, from --seed=N. */
    const arena_hooks_t *hooks;
    struct test_mem mem;
    /* The rest belongs to main.c. */
    uint64_t random_state;
    size_t failures;
    const char *skipped;
};

#define TEST(family, name) void test_##family##_##name(struct test *t)

/* The condition is evaluated once, as are all arguments below. */
#define CHECK(cond) test_check(t, (cond) ? 1 : 0, __FILE__, __LINE__, #cond)
/* Two integers of any type. They are compared as 64-bit values, so -1 equals no unsigned value of
 * 32 bits. */
#define CHECK_EQ(a, b) \
    test_check_eq(t, (unsigned long long)(a), (unsigned long long)(b), __FILE__, __LINE__, #a, #b)
/* Two C strings. NULL equals NULL only. */
#define CHECK_STR(a, b) test_check_str(t, a, b, __FILE__, __LINE__, #a, #b)
/* n bytes. A NULL is equal only if n is 0. */
#define CHECK_MEM(p, q, n) test_check_mem(t, p, q, n, __FILE__, __LINE__, #p, #q)
/* WASI has no setjmp: tests that jump out of a callback begin with a look at TEST_JUMPS. */
#ifdef __wasi__
#include <stdlib.h>
#define TEST_JUMPS 0
typedef int jmp_buf;
#define setjmp(buffer) ((void)(buffer), 0)
#define longjmp(buffer, value) ((void)(buffer), abort())
#else
#include <setjmp.h>
#define TEST_JUMPS 1
#endif

/* Ends the test and counts it as skipped, neither passed nor failed. For what a platform cannot do
 * at all. */
#define SKIP(reason)           \
    do {                       \
        t->skipped = (reason); \
        return;                \
    } while (0)

#ifdef __cplusplus
extern "C" {
#endif

int test_check(struct test *t, int held, const char *file, int line, const char *text);
int test_check_eq(struct test *t, unsigned long long a, unsigned long long b, const char *file,
                  int line, const char *a_text, const char *b_text);
int test_check_str(struct test *t, const char *a, const char *b, const char *file, int line,
                   const char *a_text, const char *b_text);
int test_check_mem(struct test *t, const void *p, const void *q, size_t n, const char *file,
                   int line, const char *p_text, const char *q_text);
/* 64 random bits; the same seed and test give the same sequence. */
uint64_t test_random(struct test *t);
/* 1, or 0 if memory of the hook may not be read before it is written (MemorySanitizer, valgrind).
 */
int test_filled(void);

/* TEST_TABLE names another table, for a program of some families only (make test FAMILIES="core
 * strings"). */
#ifndef TEST_TABLE
#define TEST_TABLE "tests.def"
#endif
#define T(family, name) void test_##family##_##name(struct test *t);
#include TEST_TABLE
#undef T

#ifdef __cplusplus
}
#endif

#endif
