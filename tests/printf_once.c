/*
 * printf_once.c - a program of its own: how often the text is formatted.
 *
 * arena_printf formats once when the result fits the tip, to the very end of the chunk; twice where
 * the first pass told how long it is. arena_extendf formats once when the room at the tip holds the
 * text. The C library's vsnprintf is replaced by one that counts.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static unsigned passes;
static int counting_vsnprintf(char *to, size_t room, const char *fmt, va_list args)
{
    passes++;
    return vsnprintf(to, room, fmt, args);
}
#define ARENA_VSNPRINTF counting_vsnprintf
#define ARENA_IMPLEMENTATION
#include "../arena.h"

static int failures;
static void expect(int held, int line, const char *text)
{
    if (held) return;
    failures++;
    printf("tests/printf_once.c:%d: %s\n", line, text);
}
#define CHECK(cond) expect((cond) ? 1 : 0, __LINE__, #cond)

int main(void)
{
    unsigned room, n, i;
    for (room = 0; room < 60; room++) {
        for (n = 1; n < 90; n++) {
            arena_t a = arena_make(1000);
            const char *s;
            if (arena_reserve(&a, 1000 - room) == NULL) return 1;
            passes = 0;
            s = arena_printf(&a, "%0*u", (int)n, 0u);
            CHECK(s != NULL && strlen(s) == n);
            CHECK(passes == (n <= room ? 1 : 2));
            CHECK(arena_is_valid(&a));
            arena_release(&a);
        }
    }
    {
        arena_t a = arena_make(100000);
        arena_slice_t s;
        memset(&s, 0, sizeof s);
        if (arena_reserve(&a, 1) == NULL) return 1;
        passes = 0;
        for (i = 0; i < 1000; i++) CHECK(arena_extendf(&a, &s, "%u,", i));
        CHECK(passes == 1000);
        CHECK(s.len == 10 * 2 + 90 * 3 + 900 * 4);
        arena_release(&a);
    }
    printf("printf_once: %s\n", failures == 0 ? "passed" : "FAILED");
    return failures == 0 ? 0 : 1;
}
