/*
 * One small program text that instantiates every public macro of arena.h and calls the verbs of
 * each family, as C99 and as C++11. Each file of this folder includes it behind its own way of
 * including arena.h. use_arena() gives 0 if every answer was right, else the line of the first that
 * was wrong. Define USE_NAME to have it under another name.
 */
#ifndef USE_NAME
#define USE_NAME use_arena
#endif
#define USE(cond)                     \
    do {                              \
        if (!(cond)) return __LINE__; \
    } while (0)

#include <string.h>

struct use_point {
    int x, y;
};
ARENA_DEFINE(use_points, struct use_point);
ARENA_DEFINE(use_words, const char *);
ARENA_SLICE_DEFINE(use_ints, int);
ARENA_POOL_DEFINE(use_pool, struct use_point);

/* A list whose nodes hold Refs to their own kind. */
ARENA_DECLARE(use_nodes);
struct use_node {
    int value;
    use_nodes_ref_t next;
};
ARENA_DEFINE_DECLARED(use_nodes, struct use_node);

#ifdef __cplusplus
extern "C" int USE_NAME(void);
#else
int USE_NAME(void);
#endif

int USE_NAME(void)
{
    arena_t a = arena_make(0);
    arena_t b;
    arena_options_t options;
    use_points_t points = use_points_make(1000);
    use_words_t words = use_words_make(0);
    use_nodes_t nodes = use_nodes_make(64);
    use_nodes_ref_t list;
    struct use_node node;
    use_pool_t pool;
    use_points_slice_t grown;
    use_ints_slice_t ints;
    struct use_point p, *q;
    const char *word = "word";
    use_points_ref_t ref;
    arena_ref_t bytes;
    arena_mark_t mark;
    use_pool_handle_t handle;
    int i;

    memset(&options, 0, sizeof options);
    options.chunk_bytes = 256;
    USE(arena_init(&b, &options) == ARENA_OK);
    p.x = 3;
    p.y = 4;
    ref = use_points_ref(&points, &p, 1);
    USE(use_points_value(&points, ref).len == 1);
    USE(use_points_value(&points, ref).data[0].y == 4);
    USE(use_points_value_unchecked(&points, ref).data[0].x == 3);
    q = use_points_reserve(&points, 2);
    USE(q != NULL);
    q[1] = p;
    USE(use_points_size(&points) == 3 * sizeof p);
    USE(use_words_append(&words, &word, 1)[0] == word);
    grown = use_points_slice(&points, 1, 2);
    USE(grown.cap >= 2 && grown.data[0].x == 0);
    USE(use_points_push(&points, &grown, p) && grown.len == 2);
    USE(use_points_extend(&points, &grown, &p, 1) && grown.len == 3);
    USE(use_points_is_valid(&points) && use_words_is_valid(&words));

    memset(&list, 0, sizeof list);
    for (i = 0; i < 100; i++) {
        node.value = i;
        node.next = list;
        list = use_nodes_ref(&nodes, &node, 1);
    }
    for (i = 100; !use_nodes_ref_empty(list); list = use_nodes_value(&nodes, list).data[0].next)
        USE(use_nodes_value(&nodes, list).data[0].value == --i);
    USE(i == 0 && use_nodes_is_valid(&nodes));

    bytes = arena_strref(&a, "hello");
    USE(strcmp(arena_str(&a, bytes), "hello") == 0);
    USE(strcmp(arena_printf(&a, "%d-%s", 42, "x"), "42-x") == 0);
    USE(strcmp(arena_intern(&a, "text"), "text") == 0);
    mark = arena_mark(&a);
    q = ARENA_NEW(&a, struct use_point);
    USE(q != NULL && q->x == 0);
    q = ARENA_NEW_ARRAY(&a, struct use_point, 7);
    USE(q != NULL && q[6].y == 0);
    USE(arena_rewind(&a, mark));
    ints = use_ints_slice(&a, 0, 0);
    for (i = 0; i < 100; i++) USE(use_ints_push(&a, &ints, i));
    USE(ints.len == 100 && ints.data[99] == 99);
    ARENA_SCOPE(&b)
    {
        USE(arena_current() == &b);
        USE(arena_append(&b, "12345", 5) != NULL);
    }
    USE(arena_size(&b) == 0);
    USE(arena_status(&a) == ARENA_OK);
    USE(arena_is_valid(&a) && arena_is_valid(&b));

    memset(&pool, 0, sizeof pool);
    handle = use_pool_append(&pool, p, 5);
    USE(use_pool_span(&pool, handle).len == 5);
    USE(use_pool_free(&pool, handle) == ARENA_OK);
    USE(use_pool_is_valid(&pool));

    use_pool_release(&pool);
    use_points_release(&points);
    use_words_release(&words);
    use_nodes_release(&nodes);
    arena_release(&a);
    arena_release(&b);
    return 0;
}
