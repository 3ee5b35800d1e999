/* Scratch memory: a per-thread arena for what a function needs only while it runs. It is never the
 * one that the caller's result goes to, so scratch values and results do not get into each other's
 * way. */
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <stdio.h>
#include <string.h>

/* Returns text with its words in reverse order, stored in `out`. The list of words is scratch. */
static const char *reversed(arena_t *out, const char *text)
{
    arena_t *scratch = arena_scratch(&out, 1);   /* some arena that is not `out` */
    const char *result = NULL;
    if (scratch == NULL)
        return NULL;
    ARENA_SCOPE(scratch) {                       /* rewound at the end of the block */
        const char **words;
        size_t count = 0, i, n;
        const char *s;
        words = ARENA_NEW_ARRAY(scratch, const char *, strlen(text) + 1);
        if (words != NULL) {
            for (s = text; *s != '\0'; s += n + (s[n] == ' ')) {
                n = strcspn(s, " ");
                words[count++] = arena_intern_n(scratch, s, n);
            }
            for (i = 0; i < count / 2; i++) {
                const char *w = words[i];
                words[i] = words[count - 1 - i];
                words[count - 1 - i] = w;
            }
            result = arena_strjoin(out, " ", words, count);
        }
    }
    return result;
}

int main(void)
{
    arena_t results = { 0 };
    const char *once = reversed(&results, "one two three four");
    /* A caller that keeps its result in a scratch arena names it: the function takes another. */
    arena_t *other = arena_scratch(NULL, 0);
    const char *twice = other != NULL && once != NULL ? reversed(other, once) : NULL;
    if (twice == NULL)
        return 1;
    printf("%s\n%s\n", once, twice);
    printf("current arena outside of a scope: %s\n", arena_current() == NULL ? "none" : "some");
    arena_release(&results);
    arena_scratch_release();                     /* at the end of a thread */
    return 0;
}
