/* The state that tests/gdb/state.gdb prints with examples/arena_gdb.py. It stops in stop_here(). */
#define ARENA_IMPLEMENTATION
#include "../../arena.h"

#include <string.h>

struct point { int x, y; };
ARENA_DEFINE(points, struct point);
ARENA_SLICE_DEFINE(ints, int);
ARENA_POOL_DEFINE(meshes, struct point);

void stop_here(void);
void stop_here(void) {}

int main(void)
{
    static const struct point three[] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
    static char large[300];
    arena_t text = arena_make(100), unused = { 0 };
    points_t points = points_make(0);
    meshes_t meshes = { 0 };
    ints_slice_t numbers = { NULL, 0, 0 };
    arena_ref_t hello = arena_strref(&text, "hello"), absent = { 0, 0, 0 }, second, stale;
    arena_ref_t raw = arena_ref(&text, "a\n\x01", 3);
    points_ref_t ref = points_ref(&points, three, 3);
    arena_view_t view = arena_value(&text, hello);
    points_view_t points_view = points_value(&points, ref);
    meshes_handle_t first, hole, last, none = { 0, 0 };
    arena_mark_t mark;
    int i;

    memset(large, 'L', sizeof large);
    mark = arena_mark(&text);
    (void)arena_append(&text, large, sizeof large);         /* a chunk of its own */
    (void)arena_append(&text, large, 90);                   /* the next chunk */
    second = arena_strref(&text, "more");
    stale = second;
    stale.chunk += 2;                                       /* of another generation */
    for (i = 0; i < 5; i++)
        (void)ints_push(&text, &numbers, i * i);
    first = meshes_append_copy(&meshes, three, 2);
    hole = meshes_append_copy(&meshes, three, 3);
    last = meshes_append_copy(&meshes, three + 2, 1);
    (void)meshes_free(&meshes, hole);
    (void)arena_append(&unused, NULL, 1);                   /* refused: the status stays */
    stop_here();
    arena_release(&text);
    points_release(&points);
    meshes_release(&meshes);
    /* Used to here, so that the compiler keeps them. */
    return (int)(view.len + points_view.len + first.span + last.span + none.span + absent.len +
                 raw.len + mark.serial + stale.len) == 0;
}
