/* Objects of different types in the byte arena: a tree of words, freed all at once. No node is
 * freed by itself, so no walk over the tree is needed to get rid of it. Then the same tree by Refs,
 * without a pointer in it: what a reset took away is gone, not dangling. */
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <stdio.h>
#include <string.h>

struct node {
    const char *word;
    unsigned count;
    struct node *left, *right;
};

/* Refs to their own kind: ARENA_DECLARE comes before the struct, the rest of the family behind. */
ARENA_DECLARE(entries);
struct entry {
    arena_ref_t word;
    unsigned count;
    entries_ref_t left, right;
};
ARENA_DEFINE_DECLARED(entries, struct entry);

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

/* A copy of the tree at n. What is stored does not change any more, so the leaves come first. */
static entries_ref_t keep(arena_t *text, entries_t *entries, const struct node *n)
{
    entries_ref_t none = { 0 };
    struct entry e;
    if (n == NULL)
        return none;
    e.word = arena_strref(text, n->word);
    e.count = n->count;
    e.left = keep(text, entries, n->left);
    e.right = keep(text, entries, n->right);
    return entries_ref(entries, &e, 1);
}

static const struct entry *find(arena_t *text, const entries_t *entries, entries_ref_t at,
                                const char *word)
{
    const struct entry *e = entries_value(entries, at).data;
    while (e != NULL) {
        int order = strcmp(word, arena_str(text, e->word));
        if (order == 0)
            break;
        e = entries_value(entries, order < 0 ? e->left : e->right).data;
    }
    return e;
}

int main(void)
{
    char text[] = "the quick brown fox jumps over the lazy dog and the quick cat over the fox";
    struct node *root = NULL;
    arena_t a = { 0 }, kept = { 0 };
    entries_t entries = { 0 };
    entries_ref_t ref;
    const struct entry *fox;
    char *word;
    for (word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        if (insert(&a, &root, word) == NULL)
            return 1;
    print(root);
    ref = keep(&kept, &entries, root);
    arena_release(&a);                           /* the tree of pointers */
    if (arena_status(&kept) != ARENA_OK || entries_status(&entries) != ARENA_OK)
        return 1;
    fox = find(&kept, &entries, ref, "fox");
    printf("kept: fox %u\n", fox != NULL ? fox->count : 0);
    entries_reset(&entries);
    fox = find(&kept, &entries, ref, "fox");
    printf("after reset: %s\n", fox != NULL ? "fox" : "no tree");
    entries_release(&entries);
    arena_release(&kept);
    return 0;
}
