// The same header from C++11, the implementation included. No wrapper is needed: a view has data
// and len, so a range-for takes two functions, and RAII one small class.
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <cstdio>
#include <new>
#include <string>

struct span_of_time { int begin, end; };
ARENA_DEFINE(spans, struct span_of_time);

static const span_of_time *begin(const spans_view_t &v) { return v.data; }
static const span_of_time *end(const spans_view_t &v) { return v.data + v.len; }

// Released at the end of its block, whatever way that is left.
struct scoped_arena {
    arena_t arena;
    scoped_arena() : arena(arena_make(0)) {}
    ~scoped_arena() { arena_release(&arena); }
    scoped_arena(const scoped_arena &) = delete;
    scoped_arena &operator=(const scoped_arena &) = delete;
};

// Any object without a destructor can live in an arena.
template <typename T> static T *make(arena_t *a, const T &value)
{
    void *p = arena_alloc(a, sizeof(T), alignof(T));
    return p != nullptr ? new (p) T(value) : nullptr;
}

int main()
{
    scoped_arena text;
    spans_t spans = spans_make(4096);
    const span_of_time day[] = { { 8, 12 }, { 13, 17 }, { 20, 21 } };
    const spans_ref_t ref = spans_ref(&spans, day, 3);
    int hours = 0;
    for (const span_of_time &s : spans_value(&spans, ref))
        hours += s.end - s.begin;

    const std::string name = "C++";
    const char *kept = arena_intern_n(&text.arena, name.data(), name.size());
    const span_of_time *copy = make(&text.arena, day[2]);
    if (kept == nullptr || copy == nullptr)
        return 1;
    std::printf("%s: %d hours in %lu spans, the last from %d to %d\n", kept, hours,
                static_cast<unsigned long>(spans_value(&spans, ref).len), copy->begin, copy->end);
    spans_release(&spans);
    return 0;
}
