/*
 * hot.c - one small function for each hot path, compiled to assembly by tests/asm.sh, which counts.
 * Not a program. A lane is an arena like any other, so that lane_* differ only in what the checker
 * looks for: no atomic instruction.
 */
#include "../../arena.h"

struct point {
    double x, y;
};
struct record {
    long long a, b, c, d;
};

ARENA_DEFINE(ints, int);
ARENA_DEFINE(pointers, void *);
ARENA_DEFINE(points, struct point);
ARENA_DEFINE(records, struct record);
ARENA_SLICE_DEFINE(list, int);

const int *one_int(ints_t *a, int v);
const int *one_int(ints_t *a, int v) { return ints_append(a, &v, 1); }
void *const *one_pointer(pointers_t *a, void *v);
void *const *one_pointer(pointers_t *a, void *v) { return pointers_append(a, &v, 1); }
const struct point *one_point(points_t *a, struct point v);
const struct point *one_point(points_t *a, struct point v) { return points_append(a, &v, 1); }
struct record *one_record(records_t *a);
struct record *one_record(records_t *a) { return records_reserve(a, 1); }

const int *from_memory(ints_t *a, const int *src);
const int *from_memory(ints_t *a, const int *src) { return ints_append(a, src, 1); }
const struct point *point_from_memory(points_t *a, const struct point *src);
const struct point *point_from_memory(points_t *a, const struct point *src)
{
    return points_append(a, src, 1);
}
void fill_point(points_t *a, double x, double y);
void fill_point(points_t *a, double x, double y)
{
    struct point *p = points_reserve(a, 1);
    if (p != NULL) {
        p->x = x;
        p->y = y;
    }
}

const int *append_constant(ints_t *a, const int *src);
const int *append_constant(ints_t *a, const int *src) { return ints_append(a, src, 4); }
const int *append_variable(ints_t *a, const int *src, size_t n);
const int *append_variable(ints_t *a, const int *src, size_t n) { return ints_append(a, src, n); }
const char *append_bytes(arena_t *a, const void *src, size_t n);
const char *append_bytes(arena_t *a, const void *src, size_t n) { return arena_append(a, src, n); }

ints_ref_t ref_one(ints_t *a, int v);
ints_ref_t ref_one(ints_t *a, int v) { return ints_ref(a, &v, 1); }
arena_ref_t ref_bytes(arena_t *a, const void *src, size_t n);
arena_ref_t ref_bytes(arena_t *a, const void *src, size_t n) { return arena_ref(a, src, n); }

int *reserve_variable(ints_t *a, size_t n);
int *reserve_variable(ints_t *a, size_t n) { return ints_reserve(a, n); }
char *reserve_bytes(arena_t *a, size_t n);
char *reserve_bytes(arena_t *a, size_t n) { return arena_reserve(a, n); }
char *reserve_ref_bytes(arena_t *a, size_t n, arena_ref_t *r);
char *reserve_ref_bytes(arena_t *a, size_t n, arena_ref_t *r) { return arena_reserve_ref(a, n, r); }

arena_view_t value_bytes(const arena_t *a, arena_ref_t r);
arena_view_t value_bytes(const arena_t *a, arena_ref_t r) { return arena_value(a, r); }
points_view_t value_points(const points_t *a, points_ref_t r);
points_view_t value_points(const points_t *a, points_ref_t r) { return points_value(a, r); }
arena_view_t value_unchecked(const arena_t *a, arena_ref_t r);
arena_view_t value_unchecked(const arena_t *a, arena_ref_t r)
{
    return arena_value_unchecked(a, r);
}

const char *intern_bytes(arena_t *a, const void *s, size_t n);
const char *intern_bytes(arena_t *a, const void *s, size_t n) { return arena_intern_n(a, s, n); }
arena_ref_t strref_bytes(arena_t *a, const void *s, size_t n);
arena_ref_t strref_bytes(arena_t *a, const void *s, size_t n) { return arena_strref_n(a, s, n); }

void *alloc_constant(arena_t *a);
void *alloc_constant(arena_t *a) { return arena_alloc(a, 48, 8); }
struct record *new_zeroed(arena_t *a);
struct record *new_zeroed(arena_t *a) { return ARENA_NEW(a, struct record); }

bool push_int(ints_t *a, ints_slice_t *s, int v);
bool push_int(ints_t *a, ints_slice_t *s, int v) { return ints_push(a, s, v); }
bool push_list(arena_t *a, list_slice_t *s, int v);
bool push_list(arena_t *a, list_slice_t *s, int v) { return list_push(a, s, v); }
bool push_byte(arena_t *a, arena_slice_t *s, char v);
bool push_byte(arena_t *a, arena_slice_t *s, char v) { return arena_push(a, s, v); }

/* A lane is handed in as an arena that joined a group: the compiler cannot tell, and neither does
 * the code. */
const int *lane_store(ints_t *lane, int v);
const int *lane_store(ints_t *lane, int v) { return ints_append(lane, &v, 1); }
arena_ref_t lane_ref(arena_t *lane, const void *src, size_t n);
arena_ref_t lane_ref(arena_t *lane, const void *src, size_t n) { return arena_ref(lane, src, n); }
arena_view_t lane_value(const arena_t *lane, arena_ref_t r);
arena_view_t lane_value(const arena_t *lane, arena_ref_t r) { return arena_value(lane, r); }
