/*
 * Failure. Proves these sentences of DESIGN sections 2, 3 and "Errors" and of issue 2 item 4:
 * "Failure: NULL, the absent Ref, or false; the arena is as before and still usable; the first
 * status is kept until cleared or reset; on_error is called"; "on_error is called for every
 * failure, the status already set, nothing half done and no lock held (so it may longjmp); bytes =
 * what the caller asked for, 0 if that is not a size"; "NULL source with count > 0: an error";
 * "sizes above PTRDIFF_MAX are ARENA_TOO_LARGE (count*size or padding leaves size_t)"; "a full
 * fixed buffer is ARENA_LIMIT"; "a mark of another batch is refused" (ARENA_STALE); "Never a
 * truncated value". Of issue 6 item 9: size arithmetic near SIZE_MAX.
 */
#include "support.h"

struct errors_item {
    uint64_t a, b, c;
};
ARENA_DEFINE(items, struct errors_item);

/* What on_error was told, and what it found. */
struct log {
    arena_t *a;
    int calls;
    arena_status_t status;
    size_t bytes;
    arena_status_t status_then;
    struct snapshot before;
    const char *difference;
    jmp_buf *jump;
};

static void on_error(void *ctx, arena_status_t status, size_t bytes)
{
    struct log *log = (struct log *)ctx;
    log->calls++;
    log->status = status;
    log->bytes = bytes;
    log->status_then = arena_status(log->a);
    log->difference = snapshot_difference(&log->before, log->a);
    if (log->jump != NULL) longjmp(*log->jump, 1);
}

static void start_logged(struct test *t, arena_t *a, struct log *log, size_t chunk_bytes,
                         size_t limit_bytes)
{
    arena_options_t o;
    memset(&o, 0, sizeof o);
    memset(log, 0, sizeof *log);
    log->a = a;
    log->difference = "";
    o.chunk_bytes = chunk_bytes;
    o.limit_bytes = limit_bytes;
    o.hooks = t->hooks;
    o.on_error = on_error;
    o.on_error_ctx = log;
    CHECK_EQ(arena_init(a, &o), ARENA_OK);
}

/* One call that is wrong in itself. */
struct wrong {
    const char *name;
    arena_status_t status;
    arena_status_t
        or_status; /* Where two checks of one call compete and DESIGN does not order them. */
    size_t bytes;  /* SIZE_MAX: not looked at. */
};

static const struct wrong wrongs[] = {
    {"append NULL", ARENA_ARGUMENT, ARENA_ARGUMENT, SIZE_MAX},
    {"ref NULL", ARENA_ARGUMENT, ARENA_ARGUMENT, SIZE_MAX},
    {"intern NULL", ARENA_ARGUMENT, ARENA_ARGUMENT, 0},
    {"intern_n NULL", ARENA_ARGUMENT, ARENA_ARGUMENT, SIZE_MAX},
    {"strref NULL", ARENA_ARGUMENT, ARENA_ARGUMENT, 0},
    {"strref_n NULL", ARENA_ARGUMENT, ARENA_ARGUMENT, SIZE_MAX},
    {"printf NULL", ARENA_ARGUMENT, ARENA_ARGUMENT, 0},
    {"strjoin NULL separator", ARENA_ARGUMENT, ARENA_ARGUMENT, 0},
    {"strjoin NULL parts", ARENA_ARGUMENT, ARENA_ARGUMENT, 0},
    {"strjoin NULL part", ARENA_ARGUMENT, ARENA_ARGUMENT, 0},
    {"append SIZE_MAX", ARENA_TOO_LARGE, ARENA_TOO_LARGE, SIZE_MAX},
    {"append PTRDIFF_MAX + 1", ARENA_TOO_LARGE, ARENA_TOO_LARGE, SIZE_MAX / 2 + 1},
    {"reserve SIZE_MAX", ARENA_TOO_LARGE, ARENA_TOO_LARGE, SIZE_MAX},
    {"reserve SIZE_MAX - 1", ARENA_TOO_LARGE, ARENA_TOO_LARGE, SIZE_MAX - 1},
    {"reserve PTRDIFF_MAX + 1", ARENA_TOO_LARGE, ARENA_TOO_LARGE, SIZE_MAX},
    {"reserve PTRDIFF_MAX", ARENA_TOO_LARGE, ARENA_NO_MEMORY, SIZE_MAX},
    {"reserve PTRDIFF_MAX - 1", ARENA_TOO_LARGE, ARENA_NO_MEMORY, SIZE_MAX},
    {"intern_n SIZE_MAX", ARENA_TOO_LARGE, ARENA_TOO_LARGE, SIZE_MAX},
    {"intern_n SIZE_MAX - 1", ARENA_TOO_LARGE, ARENA_TOO_LARGE, SIZE_MAX},
    {"ref SIZE_MAX", ARENA_TOO_LARGE, ARENA_REF_RANGE, SIZE_MAX},
    {"strref_n SIZE_MAX", ARENA_TOO_LARGE, ARENA_REF_RANGE, SIZE_MAX},
    {"reserve_ref SIZE_MAX", ARENA_TOO_LARGE, ARENA_REF_RANGE, SIZE_MAX},
    {"rewind", ARENA_STALE, ARENA_STALE, 0},
};
enum { WRONGS = sizeof wrongs / sizeof wrongs[0] };

/* Makes the call and returns whether its answer is the one of a failure. `bad` is a mark of another
 * arena. */
static bool call_wrong(arena_t *a, int which, arena_mark_t bad)
{
    static const char *const parts[] = {"a", NULL};
    const char *volatile none = NULL;
    const size_t half = SIZE_MAX / 2;
    arena_ref_t r;
    memset(&r, 0xEE, sizeof r);
    switch (which) {
    case 0: return arena_append(a, NULL, 1) == NULL;
    case 1: return arena_ref_empty(arena_ref(a, NULL, 3));
    case 2: return arena_intern(a, NULL) == NULL;
    case 3: return arena_intern_n(a, NULL, 2) == NULL;
    case 4: return arena_ref_empty(arena_strref(a, NULL));
    case 5: return arena_ref_empty(arena_strref_n(a, NULL, 2));
    case 6: return arena_printf(a, none, 0) == NULL;
    case 7: return arena_strjoin(a, NULL, parts, 1) == NULL;
    case 8: return arena_strjoin(a, ",", NULL, 1) == NULL;
    case 9: return arena_strjoin(a, ",", parts, 2) == NULL;
    case 10: return arena_append(a, opaque_source("x"), opaque(SIZE_MAX)) == NULL;
    case 11: return arena_append(a, opaque_source("x"), opaque(half + 1)) == NULL;
    case 12: return arena_reserve(a, opaque(SIZE_MAX)) == NULL;
    case 13: return arena_reserve(a, opaque(SIZE_MAX - 1)) == NULL;
    case 14: return arena_reserve(a, opaque(half + 1)) == NULL;
    case 15: return arena_reserve(a, opaque(half)) == NULL;
    case 16: return arena_reserve(a, opaque(half - 1)) == NULL;
    case 17: return arena_intern_n(a, opaque_source("x"), opaque(SIZE_MAX)) == NULL;
    case 18: return arena_intern_n(a, opaque_source("x"), opaque(SIZE_MAX - 1)) == NULL;
    case 19: return arena_ref_empty(arena_ref(a, opaque_source("x"), opaque(SIZE_MAX)));
    case 20: return arena_ref_empty(arena_strref_n(a, opaque_source("x"), opaque(SIZE_MAX)));
    case 21:
        return arena_reserve_ref(a, opaque(SIZE_MAX), &r) == NULL && r.chunk == 0 && r.off == 0 &&
               r.len == 0;
    default: return !arena_rewind(a, bad);
    }
}

/* Brings the arena into one of five states: untouched, a chunk begun, a chunk full, many chunks,
 * reset. */
static void bring_to(struct test *t, arena_t *a, int state)
{
    int i;
    static char source[64];
    memset(source, 'b', sizeof source);
    if (state == 1) CHECK(arena_append(a, source, 10) != NULL);
    if (state == 2) CHECK(arena_append(a, source, 64) != NULL);
    if (state >= 3) {
        for (i = 0; i < 20; i++) CHECK(arena_append(a, source, 50) != NULL);
    }
    if (state == 4) arena_reset(a);
}
enum { STATES = 5 };

static void still_usable(struct test *t, arena_t *a)
{
    size_t size = arena_size(a);
    arena_ref_t r = arena_ref(a, "usable", 6);
    arena_view_t v = arena_value(a, r);
    CHECK_EQ(v.len, 6);
    CHECK_MEM(v.data, "usable", 6);
    CHECK_STR(arena_intern(a, "as ever"), "as ever");
    CHECK_EQ(arena_size(a), size + 13);
    CHECK(arena_is_valid(a));
}

TEST(errors, bad_input_changes_nothing)
{
    int which, state;
    arena_t other;
    arena_mark_t bad;
    start(t, &other, 64);
    CHECK(arena_append(&other, "x", 1) != NULL);
    bad = arena_mark(&other);
    for (state = 0; state < STATES; state++) {
        for (which = 0; which < WRONGS; which++) {
            const struct wrong *w = &wrongs[which];
            arena_t a;
            struct log log;
            size_t frees;
            bool failed;
            start_logged(t, &a, &log, 64, 0);
            bring_to(t, &a, state);
            log.before = snapshot_of(&a);
            frees = t->mem.frees;
            failed = call_wrong(&a, which, bad);
            if (!CHECK(failed) ||
                !CHECK(arena_status(&a) == w->status || arena_status(&a) == w->or_status) ||
                !CHECK_EQ(log.calls, 1) || !CHECK_STR(log.difference, "") ||
                !CHECK_STR(snapshot_difference(&log.before, &a), ""))
                CHECK_STR(w->name, "");
            CHECK_EQ(log.status, arena_status(&a));
            CHECK_EQ(log.status_then,
                     log.status); /* The status was set before on_error was called. */
            if (w->bytes != SIZE_MAX) CHECK_EQ(log.bytes, w->bytes);
            CHECK_EQ(t->mem.frees, frees);
            still_usable(t, &a);
            CHECK_EQ(log.calls, 1);
            arena_release(&a);
        }
    }
    arena_release(&other);
}

TEST(errors, longjmp_out_of_bad_input)
{
    if (!TEST_JUMPS) SKIP("there is no setjmp");
    /* static: what is read after the jump. */
    static int which, state;
    arena_t other;
    arena_mark_t bad;
    start(t, &other, 64);
    CHECK(arena_append(&other, "x", 1) != NULL);
    bad = arena_mark(&other);
    for (state = 0; state < STATES; state++) {
        for (which = 0; which < WRONGS; which++) {
            static arena_t a;
            static struct log log;
            static jmp_buf jump;
            start_logged(t, &a, &log, 64, 0);
            bring_to(t, &a, state);
            log.before = snapshot_of(&a);
            log.jump = &jump;
            if (setjmp(jump) == 0) {
                call_wrong(&a, which, bad);
                CHECK_STR(wrongs[which].name, "jumped");
            }
            log.jump = NULL;
            CHECK_EQ(log.calls, 1);
            CHECK_STR(snapshot_difference(&log.before, &a), "");
            CHECK_EQ(arena_status(&a), log.status);
            still_usable(t, &a);
            arena_release(&a);
        }
    }
    arena_release(&other);
}

/* Calls that need memory in an arena of 64-byte chunks with 20 full ones. Returns whether they were
 * answered. */
enum { NEEDY = 14 };
static bool call_needy(arena_t *a, int which, arena_ref_t raw)
{
    static const char *const parts[] = {"0123456789012345678901234567890123456789", "0123456789",
                                        "0123456789"};
    static const char *const few[] = {"01234567890123", "0123456789"};
    static char long_text[201];
    arena_ref_t r;
    memset(long_text, 'l', 200);
    switch (which) {
    case 0: return arena_append(a, long_text, 40) != NULL;
    case 1: return arena_append(a, long_text, 200) != NULL;
    case 2: return !arena_ref_empty(arena_ref(a, long_text, 40));
    case 3: return !arena_ref_empty(arena_ref(a, long_text, 200));
    case 4: return arena_reserve(a, 64) != NULL;
    case 5: return arena_reserve_ref(a, 100, &r) != NULL;
    case 6: return arena_intern(a, "0123456789012345678901234567890123456789") != NULL;
    case 7: return arena_intern(a, long_text) != NULL;
    case 8: return !arena_ref_empty(arena_strref(a, "0123456789012345678901234567890123456789"));
    case 9: return arena_str(a, raw)[0] != '\0';
    case 10: return arena_printf(a, "%040d", 1) != NULL;
    case 11: return arena_printf(a, "%s", long_text) != NULL;
    case 12: return arena_strjoin(a, ":", few, 2) != NULL;
    default: return arena_strjoin(a, ":", parts, 3) != NULL;
    }
}

/* n full chunks of 64 bytes: at 8, 16, 32 the table has to grow together with the next chunk. */
static arena_ref_t fill_chunks(struct test *t, arena_t *a, size_t n)
{
    size_t i;
    char source[64];
    arena_ref_t r = {0, 0, 0};
    memset(source, 'c', sizeof source);
    for (i = 0; i < n; i++) {
        arena_ref_t now = arena_ref(a, source, 20);
        if (i == 0) r = now;
        CHECK(arena_append(a, source, 44) != NULL);
    }
    return r;
}

static size_t needy_bytes(int which)
{
    static const size_t bytes[NEEDY] = {40,  200, 40, 200, 64,  100, 40,
                                        200, 40,  20, 40,  200, 25,  62};
    return bytes[which];
}

TEST(errors, failing_allocator_at_any_call)
{
    static const size_t full[] = {0, 1, 2, 7, 8, 15, 16, 31, 32, 33};
    int which, mode;
    size_t f, n;
    for (f = 0; f < sizeof full / sizeof full[0]; f++) {
        for (which = 0; which < NEEDY; which++) {
            for (mode = 0; mode < 2; mode++) {
                if (which == 9 && full[f] == 0) continue;
                for (n = 1; n < 10; n++) {
                    arena_t a;
                    struct log log;
                    arena_ref_t raw;
                    bool done;
                    size_t refused = t->mem.refused;
                    start_logged(t, &a, &log, 64, 0);
                    raw = fill_chunks(t, &a, full[f]);
                    log.before = snapshot_of(&a);
                    if (mode == 0)
                        t->mem.fail_at = n;
                    else
                        t->mem.fail_from = n;
                    done = call_needy(&a, which, raw);
                    t->mem.fail_at = t->mem.fail_from = 0;
                    if (t->mem.refused == refused) {
                        CHECK(done);
                        CHECK(n > 1); /* Each of them asks at least once. */
                        CHECK_EQ(log.calls, 0);
                        arena_release(&a);
                        break;
                    }
                    CHECK(!done);
                    CHECK_EQ(log.calls, 1);
                    CHECK_EQ(log.status, ARENA_NO_MEMORY);
                    CHECK_EQ(log.status_then, ARENA_NO_MEMORY);
                    if (!CHECK_EQ(log.bytes, needy_bytes(which))) CHECK_EQ(which, -1);
                    CHECK_STR(log.difference, "");
                    CHECK_STR(snapshot_difference(&log.before, &a), "");
                    CHECK_EQ(arena_stats(&a).allocated, t->mem.live_bytes);
                    if (raw.len > 0) CHECK_EQ(arena_value(&a, raw).len, 20);
                    CHECK(call_needy(&a, which, raw));
                    still_usable(t, &a);
                    arena_release(&a);
                    CHECK_EQ(t->mem.live_blocks, 0);
                }
                CHECK(n < 10);
            }
        }
    }
}

TEST(errors, longjmp_out_of_a_failed_allocation)
{
    if (!TEST_JUMPS) SKIP("there is no setjmp");
    static int which;
    static size_t n, f;
    for (f = 0; f < 20; f++) {
        for (which = 0; which < NEEDY; which++) {
            for (n = 1; n < 4; n++) {
                static arena_t a;
                static struct log log;
                static jmp_buf jump;
                static arena_ref_t raw;
                start_logged(t, &a, &log, 64, 0);
                raw = fill_chunks(t, &a, f);
                log.before = snapshot_of(&a);
                log.jump = &jump;
                t->mem.fail_at = n;
                if (setjmp(jump) == 0) (void)call_needy(&a, which, raw);
                log.jump = NULL;
                t->mem.fail_at = 0;
                if (log.calls > 0) {
                    CHECK_STR(snapshot_difference(&log.before, &a), "");
                    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
                    CHECK_EQ(arena_stats(&a).allocated, t->mem.live_bytes);
                    still_usable(t, &a);
                }
                arena_release(&a);
                CHECK_EQ(t->mem.live_blocks, 0);
            }
        }
    }
}

TEST(errors, limit_in_the_way_of_every_store)
{
    int which;
    size_t f;
    for (f = 0; f < 34; f++) {
        for (which = 0; which < NEEDY; which++) {
            arena_t a;
            struct log log;
            arena_ref_t raw;
            size_t calls;
            if (which == 9 && f == 0) continue;
            start_logged(t, &a, &log, 64, 0);
            raw = fill_chunks(t, &a, f);
            arena_set_limit(&a, f == 0 ? 1 : t->mem.live_bytes); /* Nothing more may be taken. */
            log.before = snapshot_of(&a);
            calls = t->mem.allocs;
            CHECK(!call_needy(&a, which, raw));
            CHECK_EQ(log.calls, 1);
            CHECK_EQ(log.status, ARENA_LIMIT);
            CHECK_EQ(log.bytes, needy_bytes(which));
            CHECK_EQ(t->mem.allocs, calls);
            CHECK_STR(log.difference, "");
            CHECK_STR(snapshot_difference(&log.before, &a), "");
            arena_set_limit(&a, 0);
            CHECK(call_needy(&a, which, raw));
            still_usable(t, &a);
            arena_release(&a);
        }
    }
}

TEST(errors, full_fixed_buffer)
{
    char buffer[64];
    int which;
    for (which = 0; which < NEEDY; which++) {
        arena_t a;
        arena_options_t o;
        struct log log;
        arena_ref_t raw;
        char *rest;
        memset(&o, 0, sizeof o);
        memset(&log, 0, sizeof log);
        log.a = &a;
        o.buffer = buffer;
        o.buffer_bytes = sizeof buffer;
        o.fixed = true;
        o.hooks = t->hooks;
        o.on_error = on_error;
        o.on_error_ctx = &log;
        CHECK_EQ(arena_init(&a, &o), ARENA_OK);
        raw = arena_ref(&a, "01234567890123456789", 20);
        rest = arena_reserve(&a, 20);
        if (CHECK(rest != NULL)) memset(rest, 'r', 20);
        if (which == 9) {
            while ((rest = arena_reserve(&a, 1)) != NULL) *rest = 'r';
            arena_clear_status(&a);
            log.calls = 0;
        }
        log.before = snapshot_of(&a);
        CHECK(!call_needy(&a, which, raw));
        CHECK_EQ(log.calls, 1);
        CHECK_EQ(log.status, ARENA_LIMIT);
        CHECK_EQ(log.bytes, needy_bytes(which));
        CHECK_STR(log.difference, "");
        CHECK_STR(snapshot_difference(&log.before, &a), "");
        arena_reset(&a);
        still_usable(t, &a);
        arena_release(&a);
    }
    CHECK_EQ(t->mem.allocs, 0);
}

TEST(errors, on_error_once_for_each_failure)
{
    arena_t a;
    struct log log;
    int i;
    start_logged(t, &a, &log, 64, 0);
    CHECK(arena_append(&a, "x", 1) != NULL);
    log.before = snapshot_of(&a);
    for (i = 1; i <= 10; i++) {
        CHECK(arena_reserve(&a, opaque(SIZE_MAX)) == NULL);
        CHECK_EQ(log.calls, i);
        CHECK_EQ(log.status, ARENA_TOO_LARGE);
    }
    /* A later failure of another kind: on_error tells its own status, the arena keeps the first. */
    CHECK(arena_append(&a, NULL, 1) == NULL);
    CHECK_EQ(log.calls, 11);
    CHECK_EQ(log.status, ARENA_ARGUMENT);
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    arena_release(&a);
}

static void on_init_error(void *ctx, arena_status_t status, size_t bytes)
{
    struct log *log = (struct log *)ctx;
    log->calls++;
    log->status = status;
    log->bytes = bytes;
}

/* Options on t's hooks with an error callback that writes into *log, which is emptied. */
static void log_options(arena_options_t *o, struct test *t, struct log *log)
{
    memset(o, 0, sizeof *o);
    memset(log, 0, sizeof *log);
    o->hooks = t->hooks;
    o->on_error = on_init_error;
    o->on_error_ctx = log;
}

TEST(errors, on_error_of_a_failed_init)
{
    arena_t a, zero;
    arena_options_t o;
    struct log log;
    arena_hooks_t h = *t->hooks;
    memset(&zero, 0, sizeof zero);
    memset(&o, 0, sizeof o);
    memset(&log, 0, sizeof log);
    h.free = NULL;
    o.hooks = &h;
    o.on_error = on_init_error;
    o.on_error_ctx = &log;
    CHECK_EQ(arena_init(&a, &o), ARENA_ARGUMENT);
    CHECK_EQ(log.calls, 1);
    CHECK_EQ(log.status, ARENA_ARGUMENT);
    CHECK_MEM(&a, &zero, sizeof a);
}

TEST(errors, typed_size_arithmetic)
{
    /* count * 24 near and beyond SIZE_MAX and PTRDIFF_MAX: refused, whatever the product wraps to.
     */
    static const size_t counts[] = {
        SIZE_MAX,          SIZE_MAX - 1,      SIZE_MAX / 2,      SIZE_MAX / 2 + 1,
        SIZE_MAX / 24,     SIZE_MAX / 24 + 1, SIZE_MAX / 24 - 1, SIZE_MAX / 48 + 1,
        SIZE_MAX / 8,      SIZE_MAX / 8 + 1,  SIZE_MAX / 3 + 1,  SIZE_MAX / 24 + 2,
        SIZE_MAX / 16 + 1, SIZE_MAX / 12 + 1,
    };
    struct errors_item one = {1, 2, 3};
    size_t i;
    int used;
    for (used = 0; used < 2; used++) {
        items_t a;
        arena_options_t o;
        memset(&o, 0, sizeof o);
        o.chunk_bytes = 1000;
        o.hooks = t->hooks;
        CHECK_EQ(items_init(&a, &o), ARENA_OK);
        if (used) CHECK(items_append(&a, &one, 1) != NULL);
        for (i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            arena_stats_t s = items_stats(&a);
            items_ref_t r;
            CHECK(items_append(&a, (const struct errors_item *)opaque_source(&one), counts[i]) ==
                  NULL);
            CHECK_EQ(items_status(&a), ARENA_TOO_LARGE);
            items_clear_status(&a);
            CHECK(items_reserve(&a, counts[i]) == NULL);
            CHECK_EQ(items_status(&a), ARENA_TOO_LARGE);
            items_clear_status(&a);
            CHECK(items_ref_empty(
                items_ref(&a, (const struct errors_item *)opaque_source(&one), counts[i])));
            CHECK(items_status(&a) == ARENA_TOO_LARGE || items_status(&a) == ARENA_REF_RANGE);
            items_clear_status(&a);
            memset(&r, 0xEE, sizeof r);
            CHECK(items_reserve_ref(&a, counts[i], &r) == NULL);
            CHECK(items_ref_empty(r) && r.chunk == 0 && r.off == 0 && r.len == 0);
            CHECK(items_status(&a) == ARENA_TOO_LARGE || items_status(&a) == ARENA_REF_RANGE);
            items_clear_status(&a);
            CHECK_EQ(items_size(&a), s.size);
            CHECK_EQ(items_retained(&a), s.retained);
            CHECK_EQ(items_stats(&a).allocated, s.allocated);
            CHECK(items_is_valid(&a));
        }
        CHECK(items_append(&a, &one, 1) != NULL);
        items_release(&a);
    }
    CHECK_EQ(t->mem.refused, 0);
}

TEST(errors, largest_size)
{
    /* The last size that is one: the allocator is asked and has none. One more is TOO_LARGE and
     * asks nobody. */
    arena_t a;
    items_t b;
    arena_options_t o;
    const size_t most = SIZE_MAX / 2, items = most / sizeof(struct errors_item);
    size_t i, calls;
    memset(&o, 0, sizeof o);
    o.hooks = t->hooks;
    start(t, &a, 64);
    CHECK(arena_reserve(&a, most - 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    CHECK_EQ(t->mem.allocs, 1);
    arena_clear_status(&a);
    CHECK(arena_reserve(&a, most) == NULL); /* With the spare byte it is one too many. */
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    CHECK_EQ(t->mem.allocs, 1);
    arena_clear_status(&a);
    CHECK(arena_intern_n(&a, opaque_source("x"), opaque(most)) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    arena_clear_status(&a);
    for (i = 0; i < 2; i++) { /* A slice, begun or not, that grows to the last length and past. */
        char one = 'o';
        arena_slice_t s, before;
        s.data = i == 0 ? NULL : &one;
        s.len = s.cap = i;
        before = s;
        calls = t->mem.allocs;
        CHECK(!arena_extend(&a, &s, opaque_source("x"), opaque(most - 1 - i)));
        CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
        CHECK_EQ(t->mem.allocs, calls + 1);
        arena_clear_status(&a);
        CHECK(!arena_extend(&a, &s, opaque_source("x"), opaque(most - i)));
        CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
        CHECK_EQ(t->mem.allocs, calls + 1);
        CHECK_MEM(&s, &before, sizeof s);
        arena_clear_status(&a);
        /* Where twice as much is no size, all there is is asked for, then what is needed. */
        s.data = &one;
        s.len = s.cap = most / 2 + 10;
        calls = t->mem.allocs;
        CHECK(!arena_extend(&a, &s, "x", 1));
        CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
        CHECK_EQ(t->mem.allocs, calls + 2);
        arena_clear_status(&a);
    }
    arena_release(&a);
    calls = t->mem.allocs;
    CHECK_EQ(items_init(&b, &o), ARENA_OK);
    CHECK(items_reserve(&b, items) == NULL);
    CHECK_EQ(items_status(&b), ARENA_NO_MEMORY);
    CHECK_EQ(t->mem.allocs, calls + 1);
    items_clear_status(&b);
    CHECK(items_reserve(&b, items + 1) == NULL);
    CHECK_EQ(items_status(&b), ARENA_TOO_LARGE);
    CHECK_EQ(t->mem.allocs, calls + 1);
    items_release(&b);
    /* A chunk of that size, too: init takes it, and the first store finds that there is none. */
    o.chunk_bytes = most - 1;
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    CHECK(arena_append(&a, "x", 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    arena_release(&a);
    o.chunk_bytes = most;
    CHECK_EQ(arena_init(&a, &o), ARENA_TOO_LARGE);
}

TEST(errors, sums_near_the_largest_size)
{
    /* White box: what is held, and the number of chunks, are near their ends; the next chunk is
     * refused. */
    arena_t a;
    arena_core_t good;
    char source[64];
    size_t calls;
    if (ARENA_DEBUG >= 2) SKIP("this build stops at a breach that the test makes on purpose");
    memset(source, 's', sizeof source);
    start(t, &a, 64);
    CHECK(arena_append(&a, source, 64) != NULL);
    CHECK(arena_append(&a, source, 64) != NULL);
    good = a.core;
    calls = t->mem.allocs;
    a.core.allocated = SIZE_MAX - 64;
    CHECK(arena_append(&a, source, 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_LIMIT);
    CHECK_EQ(a.core.allocated, SIZE_MAX - 64);
    a.core.allocated = SIZE_MAX - 65; /* 64 bytes and the spare one: the last sum that is one. */
    t->mem.fail_at = 1;
    CHECK(arena_append(&a, source, 1) == NULL);
    arena_clear_status(&a);
    t->mem.fail_at = 1;
    CHECK(arena_append(&a, source, 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    CHECK_EQ(a.core.allocated, SIZE_MAX - 65);
    calls += 2;
    a.core = good;
    a.core.slots = a.core.total = a.core.opened = UINT32_MAX / 4 + 1;
    CHECK(arena_append(&a, source, 1) == NULL);
    CHECK_EQ(arena_status(&a), ARENA_TOO_LARGE);
    a.core = good;
    CHECK_EQ(t->mem.allocs, calls);
    CHECK(arena_append(&a, source, 1) != NULL);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}

TEST(errors, bytes_is_zero_if_that_is_no_size)
{
    items_t a;
    items_slice_t slice = {0};
    struct errors_item one = {1, 2, 3};
    arena_options_t o;
    struct log log;
    log_options(&o, t, &log);
    CHECK_EQ(items_init(&a, &o), ARENA_OK);
    CHECK(items_reserve(&a, SIZE_MAX / 2) == NULL);
    CHECK_EQ(log.calls, 1);
    CHECK_EQ(log.status, ARENA_TOO_LARGE);
    CHECK_EQ(log.bytes, 0);
    t->mem.fail_from = 1;
    CHECK(items_reserve(&a, 5) == NULL);
    t->mem.fail_from = 0;
    CHECK_EQ(log.calls, 2);
    CHECK_EQ(log.status, ARENA_NO_MEMORY);
    CHECK_EQ(log.bytes, 5 * sizeof(struct errors_item)); /* Bytes, not elements. */
    CHECK(!items_extend(&a, &slice, NULL, 3));
    CHECK_EQ(log.calls, 3);
    CHECK_EQ(log.status, ARENA_ARGUMENT);
    CHECK_EQ(log.bytes, 3 * sizeof(struct errors_item));
    /* A slice that grows: the bytes of what is added. */
    slice.data = &one;
    slice.len = slice.cap = 1;
    t->mem.fail_from = 1;
    CHECK(!items_push(&a, &slice, one));
    t->mem.fail_from = 0;
    CHECK_EQ(log.calls, 4);
    CHECK_EQ(log.status, ARENA_NO_MEMORY);
    CHECK_EQ(log.bytes, sizeof(struct errors_item));
    CHECK(!items_extend(&a, &slice, (const struct errors_item *)opaque_source(&one),
                        opaque(SIZE_MAX / 2)));
    CHECK_EQ(log.calls, 5);
    CHECK_EQ(log.status, ARENA_TOO_LARGE);
    CHECK_EQ(log.bytes, 0);
    slice.len = 2; /* More than it has room for. */
    CHECK(!items_push(&a, &slice, one));
    CHECK_EQ(log.calls, 6);
    CHECK_EQ(log.status, ARENA_ARGUMENT);
    CHECK_EQ(log.bytes, sizeof(struct errors_item));
    items_release(&a);
}

/* Of a slice that grows it is what is added, of formatted text its length: the slice has three
 * bytes, so that no number of all it would hold, or with a NUL, is the one expected. */
TEST(errors, bytes_of_what_a_slice_gains)
{
    arena_t a;
    arena_slice_t slice = {0};
    char three[3] = {'a', 'b', 'c'};
    arena_options_t o;
    struct log log;
    log_options(&o, t, &log);
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    slice.data = three;
    slice.len = slice.cap = 3;
    t->mem.fail_from = 1;
    CHECK(!arena_push(&a, &slice, 'd'));
    CHECK_EQ(log.bytes, 1);
    CHECK(!arena_extend(&a, &slice, "defgh", 5));
    CHECK_EQ(log.bytes, 5);
#ifndef ARENA_NO_STDLIB
    CHECK(!arena_extendf(&a, &slice, "%s", "defghij"));
    CHECK_EQ(log.bytes, 7);
    CHECK_EQ(log.calls, 3);
#endif
    CHECK_EQ(log.status, ARENA_NO_MEMORY);
    CHECK_EQ(slice.len, 3);
    t->mem.fail_from = 0;
    arena_release(&a);
}

TEST(errors, bytes_is_zero_for_text_that_is_none)
{
    arena_t a;
    arena_options_t o;
    arena_slice_t s = {NULL, 0, 0};
    struct log log;
    const char *volatile null = NULL;
    const char *parts[2] = {"a", NULL};
    int which;
    log_options(&o, t, &log);
    CHECK_EQ(arena_init(&a, &o), ARENA_OK);
    for (which = 0; which < 5; which++) {
        memset(&log, 0, sizeof log);
        log.bytes = 99;
        if (which == 0) CHECK(arena_printf(&a, null, 0) == NULL);
        if (which == 1) CHECK(!arena_extendf(&a, &s, null, 0));
        if (which == 2) CHECK(arena_strjoin(&a, null, parts, 1) == NULL);
        if (which == 3) CHECK(arena_strjoin(&a, "", NULL, 1) == NULL);
        if (which == 4) CHECK(arena_strjoin(&a, "", parts, 2) == NULL);
        CHECK_EQ(log.calls, 1);
        CHECK_EQ(log.status, ARENA_ARGUMENT);
        CHECK_EQ(log.bytes, 0);
    }
    CHECK_EQ(t->mem.allocs, 0);
    arena_release(&a);
}

TEST(errors, usable_after_running_out)
{
    NEEDS_KEPT_CHUNKS();
    /* The allocator fails for a while; what is kept still serves, and afterwards everything does.
     */
    arena_t a;
    int i;
    size_t n = 0;
    start(t, &a, 64);
    for (i = 0; i < 30; i++) CHECK(arena_reserve(&a, 60) != NULL);
    arena_reset(&a);
    t->mem.fail_from = 1;
    while (arena_reserve(&a, 60) != NULL && n < 100) n++;
    CHECK_EQ(n, 30);
    CHECK_EQ(arena_status(&a), ARENA_NO_MEMORY);
    CHECK(arena_reserve(&a, 4) != NULL); /* The tails are still open. */
    t->mem.fail_from = 0;
    arena_clear_status(&a);
    CHECK(arena_reserve(&a, 60) != NULL);
    CHECK_EQ(arena_status(&a), ARENA_OK);
    CHECK(arena_is_valid(&a));
    arena_release(&a);
}
