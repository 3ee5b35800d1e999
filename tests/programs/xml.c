/* Parses XML with Debian's expat library on the current arena, through the memory suite that expat
 * takes (malloc, realloc, free without a context: the arena_current trio), and on malloc. Compared:
 * a digest over every event, the number of events, and code and place of the error in cut
 * documents.
 *
 *     xml [FILE...]         a generated document comes first
 */
#define _POSIX_C_SOURCE 200809L
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
#include "program.h"

#include <expat.h>

enum { RUNS = 21, CHUNK_BYTES = 256 << 10 };

static cost_t by_malloc, by_arena;

static void *counted_malloc(size_t bytes)
{
    by_malloc.calls++;
    return malloc(bytes);
}

static void *counted_realloc(void *p, size_t bytes)
{
    by_malloc.calls++;
    return realloc(p, bytes);
}

/* All that a parse shows to its user. */
typedef struct result {
    uint64_t digest;
    unsigned long events;
    enum XML_Error error;
    XML_Size line, column;
} result_t;

static void event(void *user, const char *kind, const char *s, size_t n)
{
    result_t *r = (result_t *)user;
    size_t i;
    for (i = 0; kind[i] != '\0'; i++)
        r->digest = (r->digest ^ (unsigned char)kind[i]) * 1099511628211u;
    for (i = 0; i < n; i++)
        r->digest = (r->digest ^ (unsigned char)s[i]) * 1099511628211u;
    r->events++;
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
    event(user, "<", name, strlen(name));
    for (; *attributes != NULL; attributes++)
        event(user, "=", *attributes, strlen(*attributes));
}

static void XMLCALL on_end(void *user, const XML_Char *name)
{
    event(user, ">", name, strlen(name));
}

static void XMLCALL on_text(void *user, const XML_Char *s, int n)
{
    event(user, "t", s, (size_t)n);
}

static void XMLCALL on_comment(void *user, const XML_Char *s)
{
    event(user, "!", s, strlen(s));
}

/* With namespaces, in pieces of 1000 bytes, so that expat's own buffers grow and move. */
static result_t parse(const XML_Memory_Handling_Suite *memory, const char *data, size_t bytes)
{
    result_t r;
    XML_Parser parser = XML_ParserCreate_MM("UTF-8", memory, "|");
    size_t at = 0;
    memset(&r, 0, sizeof r);
    r.digest = 14695981039346656037u;
    if (parser == NULL) {
        r.error = XML_ERROR_NO_MEMORY;
        return r;
    }
    /* A fixed salt: the order of nothing seen here depends on it, but the number of calls may. */
    XML_SetHashSalt(parser, 1);
    XML_SetUserData(parser, &r);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetCommentHandler(parser, on_comment);
    for (;;) {
        size_t n = bytes - at < 1000 ? bytes - at : 1000;
        if (XML_Parse(parser, data + at, (int)n, at + n == bytes) == XML_STATUS_ERROR) {
            r.error = XML_GetErrorCode(parser);
            r.line = XML_GetCurrentLineNumber(parser);
            r.column = XML_GetCurrentColumnNumber(parser);
            break;
        }
        at += n;
        if (at == bytes)
            break;
    }
    XML_ParserFree(parser);
    return r;
}

static bool same(const result_t *x, const result_t *y)
{
    return x->digest == y->digest && x->events == y->events && x->error == y->error &&
           x->line == y->line && x->column == y->column;
}

static text_t generate(void)
{
    text_t t = { NULL, 0, 0 };
    int i, k;
    text_addf(&t, "<?xml version=\"1.0\"?>\n<!DOCTYPE list [ <!ENTITY name \"a name\"> ]>\n"
                  "<list xmlns=\"urn:list\" xmlns:x=\"urn:x\">\n");
    for (i = 0; i < 3000; i++) {
        text_addf(&t, "  <item id=\"%d\" x:kind=\"&quot;k%d&quot;\"><!-- item %d -->", i, i % 13,
                  i);
        for (k = 0; k < i % 9; k++)
            text_addf(&t, "<x:n%d>text %d &name; &lt;&#233;&gt;</x:n%d>", i % 400, k, i % 400);
        text_addf(&t, "</item>\n");
    }
    text_addf(&t, "  <long><![CDATA[");
    for (i = 0; i < 20000; i++)
        text_addf(&t, "%d ", i);
    text_addf(&t, "]]></long>\n</list>\n");
    return t;
}

static void compare(const char *name, const text_t *doc)
{
    const XML_Memory_Handling_Suite on_malloc = { counted_malloc, counted_realloc, free };
    const XML_Memory_Handling_Suite on_arena = { arena_current_malloc, arena_current_realloc,
                                                 arena_current_free };
    double best_malloc = 1e30, best_arena = 1e30, start, spent;
    unsigned long calls = 0, arena_calls = 0, broken = 0, limits = 0;
    result_t expected, got;
    arena_options_t options;
    arena_hooks_t hooks;
    arena_stats_t stats;
    arena_t a, *before;
    size_t at, limit;
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
    memset(&expected, 0, sizeof expected);
    for (i = 0; i < RUNS; i++) {
        by_malloc.calls = 0;
        start = now_ms();
        expected = parse(&on_malloc, doc->data, doc->len);
        spent = now_ms() - start;
        if (spent < best_malloc)
            best_malloc = spent;
        calls = by_malloc.calls;
        if (expected.error != XML_ERROR_NONE || expected.events == 0)
            fail("%s: %s", name, XML_ErrorString(expected.error));
        by_arena.calls = 0;
        start = now_ms();
        got = parse(&on_arena, doc->data, doc->len);
        stats = arena_stats(&a);
        arena_calls = by_arena.calls;
        arena_reset(&a);
        spent = now_ms() - start;
        if (spent < best_arena)
            best_arena = spent;
        if (!same(&expected, &got))
            fail("%s: %lu events on malloc, %lu on the arena, or different ones", name,
                 expected.events, got.events);
        if (!arena_is_valid(&a))
            fail("%s: the arena is damaged", name);
    }
    /* Cut documents, every other one with an end tag that does not match. */
    for (at = 1; at < doc->len; at += doc->len / 61 + 1) {
        text_t bad = { NULL, 0, 0 };
        text_add(&bad, doc->data, at);
        if (at % 2 == 0)
            text_addf(&bad, "</wrong>");
        expected = parse(&on_malloc, bad.data, bad.len);
        got = parse(&on_arena, bad.data, bad.len);
        arena_reset(&a);
        if (!same(&expected, &got))
            fail("%s cut at %lu: different on malloc and on the arena", name, (unsigned long)at);
        broken += expected.error != XML_ERROR_NONE;
        text_free(&bad);
    }
    if (broken == 0)
        fail("%s: no broken document was refused", name);
    if (arena_make_current(before) != &a)
        fail("the current arena changed");
    arena_release(&a);
    if (by_arena.live != 0)
        fail("%s: the arena kept %lu bytes", name, (unsigned long)by_arena.live);
    /* Limits, until it fits: expat's own "out of memory", never more than the limit. */
    for (limit = 100; ; limit = limit * 8 / 5) {
        options.chunk_bytes = 4096;
        options.limit_bytes = limit;
        by_arena.peak = 0;
        if (arena_init(&a, &options) != ARENA_OK)
            fail("arena_init with a limit");
        before = arena_make_current(&a);
        got = parse(&on_arena, doc->data, doc->len);
        arena_make_current(before);
        if (by_arena.peak > limit || !arena_is_valid(&a))
            fail("%s, limit %lu: %lu bytes held, or damaged", name, (unsigned long)limit,
                 (unsigned long)by_arena.peak);
        arena_release(&a);
        if (got.error == XML_ERROR_NONE)
            break;
        if (got.error != XML_ERROR_NO_MEMORY)
            fail("%s, limit %lu: %s", name, (unsigned long)limit, XML_ErrorString(got.error));
        limits++;
    }
    printf("xml:  %-18s %7lu bytes  malloc %6.2f ms %6lu calls  arena %6.2f ms %3lu calls, "
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
