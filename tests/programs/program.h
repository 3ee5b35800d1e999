/* program.h - what the programs that run other libraries on an arena share: a counting malloc to
 * compare with, a text that grows, a clock, files. Each program is one file, so all is static.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__GNUC__)
#define PROGRAM_UNUSED __attribute__((unused))
#define PROGRAM_FORMAT(f, a) __attribute__((unused, format(printf, f, a)))
#else
#define PROGRAM_UNUSED
#define PROGRAM_FORMAT(f, a)
#endif

/* Ends the program with a message: a figure from a run that went wrong is worth nothing. */
static void fail(const char *format, ...) PROGRAM_FORMAT(1, 2);
static void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("FAILED: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

/* Time of the processor, so that other programs on the machine count little. */
static PROGRAM_UNUSED double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* What a run of a library cost: calls that reached malloc or the arena's hooks, and bytes. */
typedef struct cost {
    unsigned long calls;
    size_t live, peak;
} cost_t;

static PROGRAM_UNUSED void cost_change(cost_t *c, size_t old_bytes, size_t new_bytes)
{
    c->live = c->live - old_bytes + new_bytes;
    if (c->live > c->peak)
        c->peak = c->live;
}

/* Hooks over malloc for the arena's side, with the same counting. ctx is a cost_t. No type here
 * asks for more than malloc's alignment. */
static PROGRAM_UNUSED void *cost_alloc(void *ctx, size_t bytes, size_t align)
{
    cost_t *c = (cost_t *)ctx;
    void *p = malloc(bytes);
    (void)align;
    c->calls++;
    if (p != NULL)
        cost_change(c, 0, bytes);
    return p;
}

static PROGRAM_UNUSED void cost_free(void *ctx, void *p, size_t bytes, size_t align)
{
    (void)align;
    if (p != NULL)
        cost_change((cost_t *)ctx, bytes, 0);
    free(p);
}

/* Text that grows by malloc, independent of what is under test. */
typedef struct text {
    char *data;
    size_t len, cap;
} text_t;

static PROGRAM_UNUSED void text_add(text_t *t, const char *s, size_t n)
{
    if (t->len + n + 1 > t->cap) {
        t->cap = 2 * (t->len + n + 1);
        t->data = (char *)realloc(t->data, t->cap);
        if (t->data == NULL)
            fail("out of memory");
    }
    memcpy(t->data + t->len, s, n);
    t->len += n;
    t->data[t->len] = '\0';
}

static void text_addf(text_t *t, const char *format, ...) PROGRAM_FORMAT(2, 3);
static void text_addf(text_t *t, const char *format, ...)
{
    char line[512];
    va_list args;
    int n;
    va_start(args, format);
    n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof line)
        fail("a generated line is too long");
    text_add(t, line, (size_t)n);
}

static PROGRAM_UNUSED void text_free(text_t *t)
{
    free(t->data);
    memset(t, 0, sizeof *t);
}

static PROGRAM_UNUSED text_t read_file(const char *path)
{
    text_t t = { NULL, 0, 0 };
    char block[4096];
    size_t n;
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        fail("cannot open %s", path);
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        text_add(&t, block, n);
    if (ferror(f))
        fail("cannot read %s", path);
    fclose(f);
    text_add(&t, "", 0);
    return t;
}

/* The last part of a path, for the figures. */
static PROGRAM_UNUSED const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

#endif
