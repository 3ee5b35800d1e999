/* Parses and prints JSON with Debian's cJSON library, once on malloc and once on the current arena
 * through arena_current_malloc and arena_current_free, and compares the results: the trees printed
 * with and without layout, and what happens to cut and broken documents. Then the same on arenas
 * that are too small, where cJSON has to return NULL and nothing may go wrong.
 *
 *     json [FILE...]        a generated document comes first
 */
#define _POSIX_C_SOURCE 200809L
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include "program.h"

#include <cjson/cJSON.h>

enum { RUNS = 21, CHUNK_BYTES = 4 << 20 };

static cost_t by_malloc, by_arena;

/* cJSON's hooks have no context and do not know the size, so only the calls are counted. */
static void *counted_malloc(size_t bytes)
{
    by_malloc.calls++;
    return malloc(bytes);
}

static void on_malloc(void)
{
    cJSON_Hooks hooks;
    hooks.malloc_fn = counted_malloc;
    hooks.free_fn = free;
    cJSON_InitHooks(&hooks);
}

static void on_arena(void)
{
    cJSON_Hooks hooks;
    hooks.malloc_fn = arena_current_malloc;
    hooks.free_fn = arena_current_free;
    cJSON_InitHooks(&hooks);
}

/* A document with every kind of value, escapes, depth and long strings; the same in every run. */
static text_t generate(void)
{
    text_t t = { NULL, 0, 0 };
    unsigned long x = 1;
    int i, k;
    text_addf(&t, "{\"title\": \"generated \\u00e9\\ud83d\\ude00 \\\"document\\\"\", \"items\": [");
    for (i = 0; i < 3000; i++) {
        x = (x * 1103515245ul + 12345ul) & 0x7ffffffful;
        text_addf(&t, "%s\n  {\"id\": %d, \"value\": %lu.%02lu, \"on\": %s, \"none\": null, "
                  "\"tags\": [", i > 0 ? "," : "", i, x >> 16, x % 100, x & 1 ? "true" : "false");
        for (k = 0; k < i % 5; k++)
            text_addf(&t, "%s\"tag\\t%d\"", k > 0 ? ", " : "", k);
        text_addf(&t, "], \"small\": -%lu.5e-%lu}", x % 1000, x % 30);
    }
    text_addf(&t, "],\n\"deep\": ");
    for (i = 0; i < 200; i++)
        text_addf(&t, "%s", i % 2 ? "{\"k\":" : "[");
    text_addf(&t, "0");
    for (i = 199; i >= 0; i--)
        text_addf(&t, "%s", i % 2 ? "}" : "]");
    text_addf(&t, ",\n\"long\": \"");
    for (i = 0; i < 20000; i++)
        text_addf(&t, "%d\\n", i);
    text_addf(&t, "\", \"empty\": {}, \"list\": []}\n");
    return t;
}

static bool same_text(const char *x, const char *y)
{
    return x == NULL || y == NULL ? x == y : strcmp(x, y) == 0;
}

/* Node by node, in order. cJSON_Compare would look into every object twice, which doubles the work
 * with every level: 200 levels never end. */
static bool same_tree(const cJSON *x, const cJSON *y)
{
    for (; x != NULL && y != NULL; x = x->next, y = y->next)
        if (x->type != y->type || !same_text(x->string, y->string) ||
            !same_text(x->valuestring, y->valuestring) || !(x->valuedouble == y->valuedouble) ||
            !same_tree(x->child, y->child))
            return false;
    return x == y;                               /* both at the end */
}

/* Parses, prints both ways, parses what was printed and compares. What cJSON allocated stays alive;
 * the second tree is deleted where it must be, which on an arena is nowhere. */
static void process(const char *name, const text_t *doc, bool must_delete, cJSON **tree,
                    char **wide, char **narrow)
{
    cJSON *again;
    *tree = cJSON_ParseWithLength(doc->data, doc->len);
    if (*tree == NULL)
        fail("%s: not parsed", name);
    *wide = cJSON_Print(*tree);
    *narrow = cJSON_PrintUnformatted(*tree);
    if (*wide == NULL || *narrow == NULL)
        fail("%s: not printed", name);
    again = cJSON_Parse(*narrow);
    if (again == NULL || !same_tree(*tree, again))
        fail("%s: what was printed is another document", name);
    if (must_delete)
        cJSON_Delete(again);
}

/* Cut and broken copies of the document have to be refused alike on the arena and on malloc. */
static unsigned long compare_broken(const text_t *doc, arena_t *a)
{
    unsigned long refused = 0;
    size_t at, step = doc->len / 97 + 1;
    for (at = 0; at < doc->len; at += step) {
        text_t bad = { NULL, 0, 0 };
        const char *end;
        size_t end_malloc, end_arena;
        cJSON *tree;
        bool ok_malloc, ok_arena;
        text_add(&bad, doc->data, at);
        if (at % 2 == 0)
            text_addf(&bad, "]\\x");
        on_malloc();
        end = NULL;
        tree = cJSON_ParseWithLengthOpts(bad.data, bad.len, &end, 0);
        ok_malloc = tree != NULL;
        end_malloc = (size_t)(end - bad.data);
        cJSON_Delete(tree);
        on_arena();
        end = NULL;
        tree = cJSON_ParseWithLengthOpts(bad.data, bad.len, &end, 0);
        ok_arena = tree != NULL;
        end_arena = (size_t)(end - bad.data);
        cJSON_Delete(tree);
        if (ok_malloc != ok_arena || end_malloc != end_arena)
            fail("cut at %lu: refused in one way on malloc, in another on the arena",
                 (unsigned long)at);
        if (!ok_arena)
            refused++;
        arena_reset(a);
        text_free(&bad);
    }
    return refused;
}

/* Limits from next to nothing upwards, until the document fits. */
static unsigned long compare_limits(const char *name, const text_t *doc, const arena_hooks_t *hooks)
{
    unsigned long refused = 0;
    size_t limit = 100;
    bool fits = false;
    on_arena();
    for (; !fits; limit = limit * 8 / 5) {
        arena_options_t options;
        arena_t a, *before;
        cJSON *tree;
        memset(&options, 0, sizeof options);
        options.chunk_bytes = 4096;
        options.limit_bytes = limit;
        options.hooks = hooks;
        by_arena.peak = 0;
        if (arena_init(&a, &options) != ARENA_OK)
            fail("arena_init with a limit");
        before = arena_make_current(&a);
        tree = cJSON_ParseWithLength(doc->data, doc->len);
        fits = tree != NULL;
        if (!fits) {
            refused++;
            if (arena_status(&a) != ARENA_LIMIT)
                fail("%s, limit %lu: %s", name, (unsigned long)limit,
                     arena_status_text(arena_status(&a)));
        }
        if (by_arena.peak > limit || !arena_is_valid(&a))
            fail("%s, limit %lu: %lu bytes held, or damaged", name, (unsigned long)limit,
                 (unsigned long)by_arena.peak);
        if (arena_make_current(before) != &a)
            fail("the current arena changed");
        arena_release(&a);
        if (by_arena.live != 0)
            fail("%s, limit %lu: bytes kept", name, (unsigned long)limit);
    }
    return refused;
}

static void compare(const char *name, const text_t *doc)
{
    double best_malloc = 1e30, best_arena = 1e30, start, spent, arena_ms;
    unsigned long calls = 0, arena_calls = 0, broken, limits;
    arena_options_t options;
    arena_hooks_t hooks;
    arena_stats_t stats;
    arena_t a, *before;
    int i;

    hooks.alloc = cost_alloc;
    hooks.free = cost_free;
    hooks.ctx = &by_arena;
    memset(&options, 0, sizeof options);
    options.chunk_bytes = CHUNK_BYTES;
    options.hooks = &hooks;
    if (arena_init(&a, &options) != ARENA_OK)
        fail("arena_init");
    before = arena_make_current(&a);
    memset(&stats, 0, sizeof stats);
    for (i = 0; i < RUNS; i++) {
        cJSON *tree_m, *tree_a;
        char *wide_m, *narrow_m, *wide_a, *narrow_a;
        on_malloc();
        by_malloc.calls = 0;
        start = now_ms();
        process(name, doc, true, &tree_m, &wide_m, &narrow_m);
        spent = now_ms() - start;
        calls = by_malloc.calls;

        on_arena();
        by_arena.calls = 0;
        start = now_ms();
        process(name, doc, false, &tree_a, &wide_a, &narrow_a);
        arena_ms = now_ms() - start;
        if (strcmp(wide_m, wide_a) != 0 || strcmp(narrow_m, narrow_a) != 0)
            fail("%s: printed differently on malloc and on the arena", name);
        if (!same_tree(tree_m, tree_a))
            fail("%s: the trees differ", name);
        stats = arena_stats(&a);
        arena_calls = by_arena.calls;
        if (!arena_is_valid(&a))
            fail("%s: the arena is damaged", name);
        start = now_ms();
        arena_reset(&a);
        arena_ms += now_ms() - start;
        if (arena_ms < best_arena)
            best_arena = arena_ms;

        on_malloc();
        start = now_ms();
        cJSON_Delete(tree_m);
        free(wide_m);
        free(narrow_m);
        spent += now_ms() - start;
        if (spent < best_malloc)
            best_malloc = spent;
    }
    broken = compare_broken(doc, &a);
    if (broken == 0)
        fail("%s: no broken document was refused", name);
    if (arena_make_current(before) != &a)
        fail("the current arena changed");
    arena_release(&a);
    if (by_arena.live != 0)
        fail("%s: the arena kept %lu bytes", name, (unsigned long)by_arena.live);
    limits = compare_limits(name, doc, &hooks);
    printf("json: %-18s %7lu bytes  malloc %6.2f ms %6lu calls  arena %6.2f ms %3lu calls, "
           "%8lu held  (%lu broken, %lu limits)\n", name, (unsigned long)doc->len, best_malloc,
           calls, best_arena, arena_calls, (unsigned long)stats.allocated, broken, limits);
}

int main(int argc, char **argv)
{
    text_t doc = generate();
    int i;
    compare("generated", &doc);
    text_free(&doc);
    for (i = 1; i < argc; i++) {
        doc = read_file(argv[i]);
        compare(base_name(argv[i]), &doc);
        text_free(&doc);
    }
    return 0;
}
