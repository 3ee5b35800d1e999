/* Objects of different types in the byte arena: a tree of words, freed all at once. No node is
 * freed by itself, so no walk over the tree is needed to get rid of it. */
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <stdio.h>
#include <string.h>

struct node {
    const char *word;
    unsigned count;
    struct node *left, *right;
};

/* ARENA_NEW gives a zeroed, aligned object: pointers are NULL and counts 0 to begin with. */
static struct node *insert(arena_t *a, struct node **at, const char *word)
{
    while (*at != NULL) {
        int order = strcmp(word, (*at)->word);
        if (order == 0)
            break;
        at = order < 0 ? &(*at)->left : &(*at)->right;
    }
    if (*at == NULL) {
        struct node *n = ARENA_NEW(a, struct node);
        const char *copy = arena_intern(a, word);
        if (n == NULL || copy == NULL)
            return NULL;
        n->word = copy;
        *at = n;
    }
    (*at)->count++;
    return *at;
}

static void print(const struct node *n)
{
    if (n != NULL) {
        print(n->left);
        printf("%-6s %u\n", n->word, n->count);
        print(n->right);
    }
}

int main(void)
{
    char text[] = "the quick brown fox jumps over the lazy dog and the quick cat over the fox";
    struct node *root = NULL;
    arena_t a = { 0 };
    char *word;
    for (word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        if (insert(&a, &root, word) == NULL)
            return 1;
    print(root);
    arena_release(&a);
    return 0;
}
