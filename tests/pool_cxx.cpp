// Every function of the span pool as C++11 and later, the implementation included. Built and run by
// `make check-pool-cxx`.
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <cstdio>
#include <cstdlib>

namespace
{

struct vertex {
    float x, y, z;
};
struct alignas(64) wide {
    unsigned char b[64];
};

} // namespace

ARENA_POOL_DEFINE(meshes, vertex);
ARENA_POOL_DEFINE(wides, wide);
ARENA_POOL_DEFINE(words, const char *);

#define MUST(cond)                                                                                 \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            std::printf("line %d: %s\n", __LINE__, #cond);                                         \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

int main()
{
    meshes_t p = meshes_t(), q = meshes_t();
    wides_t w = wides_t();
    words_t s = words_t();
    arena_pool_options_t o = arena_pool_options_t();
    const vertex v = { 1, 2, 3 };
    size_t start = 0, count = 0, sum = 0;

    o.max_count = 1000;
    MUST(meshes_init(&p, &o) == ARENA_OK);
    meshes_handle_t a = meshes_append(&p, v, 4);
    meshes_handle_t b = meshes_append_copy(&p, meshes_get(&p, a), 3);
    meshes_handle_t c = meshes_fetch_or_append(&p, meshes_get(&p, a), 2);
    MUST(meshes_fetch_or_append(&p, meshes_get(&p, a), 2).span == c.span);
    MUST(meshes_find(
             &p, [](const vertex *e, void *) { return e->y > 1; }, nullptr)
             .span == a.span);
    MUST(meshes_find_or_append(&p, v, 1, nullptr, nullptr).span == a.span);
    MUST(meshes_find_or_append(
             &p, v, 1, [](const vertex *e, const vertex *f, void *) { return e->x == f->x; },
             nullptr)
             .span == a.span);
    meshes_view_t view = meshes_span(&p, b);
    MUST(view.len == 3 && view.data[2].z > 2);
    MUST(meshes_start(&p, b) == 4 && meshes_at(&p, 6).span == b.span);
    MUST(meshes_free(&p, b) == ARENA_OK && meshes_free(&p, b) == ARENA_STALE);
    MUST(meshes_next_free(&p, &start, &count) && start == 4 && count == 3);
    MUST(meshes_resize(&p, a, 7) && meshes_resize(&p, a, 2));
    MUST(meshes_first(&p).span == a.span && meshes_next(&p, a).span == c.span);
    MUST(meshes_copy(&q, &p) && meshes_len(&q) == 4);
    MUST(meshes_compact(
             &p, 100,
             [](void *sum_, size_t, size_t, size_t n) { *static_cast<size_t *>(sum_) += n; },
             &sum) == 2 &&
         sum == 2);
    meshes_retain(
        &p, [](meshes_handle_t, vertex *e, size_t, void *) { return e->x > 5; }, nullptr);
    MUST(meshes_len(&p) == 0 && meshes_buffer_len(&p) == 9 && meshes_capacity(&p) == 1000);
    meshes_drain(
        &q, [](vertex *, size_t n, void *sum_) { *static_cast<size_t *>(sum_) += n; }, &sum);
    MUST(sum == 6 && meshes_data(&p) != nullptr);
    meshes_clear(&p);
    meshes_append(&p, v, 1000);
    vertex *taken = meshes_take(&p, &count);
    MUST(taken != nullptr && count == 1000);
    std::free(taken);
    MUST(meshes_stats(&p).allocated == 0 && meshes_is_valid(&p));
    meshes_clear_status(&p);
    MUST(meshes_status(&p) == ARENA_OK);
    meshes_release(&p);
    meshes_release(&q);

    wide value = wide();
    wides_handle_t x = wides_append(&w, value, 3);
    MUST(reinterpret_cast<size_t>(wides_get(&w, x)) % 64 == 0);
    wides_release(&w);

    words_handle_t y = words_append(&s, "text", 2);
    MUST(words_get(&s, y)[1][3] == 't');
    words_release(&s);
    std::printf("pool_cxx: every function answers as in C\n");
    return 0;
}
