/* Runs a Lua script of some size with Debian's Lua 5.4 library, once on malloc and once on an arena
 * through arena_allocf, and compares what they print. Then it runs it on an arena that is too
 * small, which has to end as Lua's own "not enough memory" and not as a crash.
 *
 *     lua SCRIPT
 *
 * Lua frees and grows blocks all the time; an arena takes back only what is at its tip. So the
 * arena holds more bytes at its peak, for far fewer calls to malloc and no lua_close: the figures
 * say so.
 */
#define _POSIX_C_SOURCE 200809L
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include "program.h"

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

enum { RUNS = 15, CHUNK_BYTES = 1 << 20 };

/* Lua's allocator over malloc, after its manual: old_bytes of a new block is a kind of object. */
static void *malloc_allocf(void *ctx, void *p, size_t old_bytes, size_t new_bytes)
{
    cost_t *c = (cost_t *)ctx;
    void *q;
    if (p == NULL)
        old_bytes = 0;
    if (new_bytes == 0) {
        cost_change(c, old_bytes, 0);
        free(p);
        return NULL;
    }
    c->calls++;
    q = realloc(p, new_bytes);
    if (q != NULL)
        cost_change(c, old_bytes, new_bytes);
    return q;
}

/* print() into the text_t that the registry holds. */
static int print_to_text(lua_State *L)
{
    text_t *out = (text_t *)lua_touserdata(L, lua_upvalueindex(1));
    int i, n = lua_gettop(L);
    for (i = 1; i <= n; i++) {
        size_t bytes;
        const char *s = luaL_tolstring(L, i, &bytes);
        if (i > 1)
            text_add(out, "\t", 1);
        text_add(out, s, bytes);
        lua_pop(L, 1);
    }
    text_add(out, "\n", 1);
    return 0;
}

/* Opening the libraries can run out of memory too, so all of it happens under lua_pcall. */
struct job {
    const text_t *script;
    text_t *out;
};

static int run_script(lua_State *L)
{
    struct job *job = (struct job *)lua_touserdata(L, 1);
    luaL_openlibs(L);
    lua_pushlightuserdata(L, job->out);
    lua_pushcclosure(L, print_to_text, 1);
    lua_setglobal(L, "print");
    if (luaL_loadbufferx(L, job->script->data, job->script->len, "=script", "t") != LUA_OK)
        return lua_error(L);
    lua_call(L, 0, 0);
    return 0;
}

/* One state, one run. With close = false the state is left to the arena. The status is Lua's. */
static int run(const text_t *script, lua_Alloc f, void *ctx, bool close, text_t *out)
{
    struct job job;
    int status;
    lua_State *L = lua_newstate(f, ctx);
    if (L == NULL)
        return LUA_ERRMEM;
    job.script = script;
    job.out = out;
    lua_pushcfunction(L, run_script);
    lua_pushlightuserdata(L, &job);
    status = lua_pcall(L, 1, 0, 0);
    if (status != LUA_OK && status != LUA_ERRMEM)
        fail("the script failed: %s", lua_tostring(L, -1));
    if (close)
        lua_close(L);
    return status;
}

int main(int argc, char **argv)
{
    double best_malloc = 1e30, best_arena = 1e30, start, spent;
    cost_t by_malloc = { 0, 0, 0 }, by_arena = { 0, 0, 0 };
    size_t limits = 0, refused = 0, limit;
    unsigned long calls = 0;
    arena_options_t options;
    arena_stats_t stats;
    arena_hooks_t hooks;
    text_t script, expected = { NULL, 0, 0 };
    arena_t a;
    int i;

    if (argc != 2)
        fail("usage: lua SCRIPT");
    script = read_file(argv[1]);
    hooks.alloc = cost_alloc;
    hooks.free = cost_free;
    hooks.ctx = &by_arena;
    memset(&options, 0, sizeof options);
    options.chunk_bytes = CHUNK_BYTES;
    options.hooks = &hooks;
    if (arena_init(&a, &options) != ARENA_OK)
        fail("arena_init");

    for (i = 0; i < RUNS; i++) {
        text_t out = { NULL, 0, 0 };
        memset(&by_malloc, 0, sizeof by_malloc);
        start = now_ms();
        if (run(&script, malloc_allocf, &by_malloc, true, &out) != LUA_OK)
            fail("no memory on malloc");
        spent = now_ms() - start;
        if (spent < best_malloc)
            best_malloc = spent;
        if (by_malloc.live != 0)
            fail("Lua on malloc kept %lu bytes", (unsigned long)by_malloc.live);
        if (i == 0)
            expected = out;
        else if (strcmp(out.data, expected.data) != 0)
            fail("the script prints something else each time");
        if (i > 0)
            text_free(&out);
        out.data = NULL;
        out.len = out.cap = 0;

        by_arena.calls = 0;
        start = now_ms();
        if (run(&script, arena_allocf, &a, false, &out) != LUA_OK)
            fail("no memory on the arena: %s", arena_status_text(arena_status(&a)));
        stats = arena_stats(&a);
        calls = by_arena.calls;
        if (!arena_is_valid(&a))
            fail("the arena is damaged");
        arena_reset(&a);
        spent = now_ms() - start;
        if (spent < best_arena)
            best_arena = spent;
        if (out.len != expected.len || memcmp(out.data, expected.data, out.len) != 0)
            fail("Lua on the arena prints something else:\n%s", out.data);
        text_free(&out);
        if (i == 0)
            printf("lua: %lu bytes of output, the same on malloc and on the arena\n",
                   (unsigned long)expected.len);
    }

    /* lua_close on an arena: every block is given back, which the arena takes or leaves alone. */
    {
        text_t out = { NULL, 0, 0 };
        if (run(&script, arena_allocf, &a, true, &out) != LUA_OK ||
            strcmp(out.data, expected.data) != 0)
            fail("with lua_close the output differs");
        if (!arena_is_valid(&a))
            fail("the arena is damaged by lua_close");
        text_free(&out);
    }
    arena_release(&a);
    if (by_arena.live != 0)
        fail("the arena kept %lu bytes", (unsigned long)by_arena.live);

    /* Too little memory, from next to none upwards: an error from Lua, or the right output. */
    for (limit = 1000; limit < 2 * stats.allocated; limit = limit * 3 / 2) {
        text_t out = { NULL, 0, 0 };
        by_arena.peak = 0;
        options.chunk_bytes = 16 << 10;
        options.limit_bytes = limit;
        if (arena_init(&a, &options) != ARENA_OK)
            fail("arena_init with a limit");
        limits++;
        if (run(&script, arena_allocf, &a, true, &out) == LUA_ERRMEM) {
            refused++;
            if (arena_status(&a) != ARENA_LIMIT)
                fail("limit %lu: %s", (unsigned long)limit, arena_status_text(arena_status(&a)));
        } else if (strcmp(out.data, expected.data) != 0) {
            fail("limit %lu: the output differs", (unsigned long)limit);
        }
        if (by_arena.peak > limit)
            fail("limit %lu: %lu bytes held", (unsigned long)limit, (unsigned long)by_arena.peak);
        if (!arena_is_valid(&a))
            fail("limit %lu: the arena is damaged", (unsigned long)limit);
        arena_release(&a);
        if (by_arena.live != 0)
            fail("limit %lu: %lu bytes kept", (unsigned long)limit, (unsigned long)by_arena.live);
        text_free(&out);
    }
    if (refused == 0 || refused == limits)
        fail("%lu of %lu limits were too small: the test shows nothing",
             (unsigned long)refused, (unsigned long)limits);

    printf("lua: malloc  %6.1f ms, %7lu calls, peak %8lu bytes\n", best_malloc, by_malloc.calls,
           (unsigned long)by_malloc.peak);
    printf("lua: arena   %6.1f ms, %7lu calls in a repeated run, held %8lu bytes (%.2f times)\n",
           best_arena, calls, (unsigned long)stats.allocated,
           (double)stats.allocated / (double)by_malloc.peak);
    printf("lua: %lu limits, %lu too small: an error from Lua each time, nothing over the limit\n",
           (unsigned long)limits, (unsigned long)refused);
    text_free(&expected);
    text_free(&script);
    return 0;
}
