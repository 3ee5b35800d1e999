/* A small HTTP/1.1 server on loopback in which every request has an arena with a limit.
 *
 *     request [PORT [LIMIT_BYTES]]        port 0 = any free one; it prints which
 *
 * One thread, poll(), up to 64 connections. Each connection has an arena: the head of a request,
 * its body, what the handler makes and the response all live in it, and when the response is sent,
 * the arena is reset. While a handler runs, that arena is the thread's current one, so code below
 * it needs no parameter for memory, and nothing is freed one by one, on no path.
 *
 * The limit on the arena is the limit on a request. Whatever goes over it, a body that is too long
 * or a response that grows too much, fails in the one place where memory is taken; the client gets
 * 413 and the server goes on. Since chunks are kept over a reset, a connection that is kept alive
 * makes no allocator call for its second request, and the server's footprint stays flat.
 *
 *     GET  /               what there is
 *     GET  /hello?name=X   a greeting
 *     GET  /stats          counters and memory, as JSON
 *     POST /echo           a form comes back as JSON, JSON comes back without white space
 *     POST /words          lines, words, bytes and the most frequent words of the body
 */
#define _DEFAULT_SOURCE
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_CONNECTIONS = 64,
    INPUT_BYTES = 16 << 10,                      /* a head must fit in it, else 431 */
    CHUNK_BYTES = 16 << 10,
    LIMIT_BYTES = 256 << 10,                     /* of one request, if not given */
    TIMEOUT_MS = 10000,                          /* between pieces of a request, and idle */
    LINGER_MS = 1000,
    JSON_DEPTH = 64
};

struct text { const char *data; size_t len; };   /* a piece of the request, not terminated */

struct request {
    struct text method, path, query, type;
    bool head_only, keep_alive, chunked, expects, has_length;
    size_t length;                               /* of the body, as announced */
    arena_slice_t body;
};

struct response {
    int status;
    const char *type, *allow;                    /* allow: for 405, what the path knows */
    arena_slice_t body;
};

enum state { UNUSED, HEAD, BODY, CHUNK_SIZE, CHUNK_DATA, CHUNK_END, TRAILER, WRITING, LINGER };

struct connection {
    int fd;
    enum state state, after;                     /* after = the state once the output is written */
    long long deadline;
    arena_t arena;
    struct request request;
    struct iovec out[2];                         /* what is still to be written */
    size_t chunk_left;
    char error[512];                             /* an error's response needs no arena */
    size_t in_len;
    char in[INPUT_BYTES];                        /* received and not yet taken */
};

static struct connection connections[MAX_CONNECTIONS];
static size_t limit_bytes = LIMIT_BYTES;
static struct { unsigned long accepted, requests, errors, too_large; } counters;
static volatile sig_atomic_t stopping;

static long long now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- Text ---------------------------------------------------------------------------------- */

static bool text_is(struct text t, const char *s)
{
    return t.len == strlen(s) && memcmp(t.data, s, t.len) == 0;
}

static bool text_is_nocase(struct text t, const char *s)
{
    return t.len == strlen(s) && strncasecmp(t.data, s, t.len) == 0;
}

/* The part before the separator; the rest stays in t. */
static struct text text_cut(struct text *t, char separator)
{
    struct text part = *t;
    const char *at = t->len == 0 ? NULL : (const char *)memchr(t->data, separator, t->len);
    if (at != NULL) {
        part.len = (size_t)(at - t->data);
        t->data = at + 1;
        t->len -= part.len + 1;
    } else if (t->len > 0) {                     /* an absent one has no address to add to */
        t->data += t->len;
        t->len = 0;
    }
    return part;
}

static struct text text_trim(struct text t)
{
    while (t.len > 0 && (t.data[0] == ' ' || t.data[0] == '\t')) {
        t.data++;
        t.len--;
    }
    while (t.len > 0 && (t.data[t.len - 1] == ' ' || t.data[t.len - 1] == '\t'))
        t.len--;
    return t;
}

/* Characters of a method or a header's name. */
static bool is_token(struct text t)
{
    size_t i;
    for (i = 0; i < t.len; i++) {
        char c = t.data[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL)))
            return false;
    }
    return t.len > 0;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 :
           c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool is_utf8(const char *s, size_t n)
{
    const unsigned char *p = (const unsigned char *)s, *end = p + n;
    while (p < end) {
        unsigned more = *p < 0x80 ? 0 : *p >= 0xc2 && *p < 0xe0 ? 1 : *p >= 0xe0 && *p < 0xf0 ? 2 :
                        *p >= 0xf0 && *p < 0xf5 ? 3 : 4;
        unsigned code = more == 0 ? *p : *p & (0x3fu >> more);
        if (more == 4 || (size_t)(end - p) <= more)
            return false;
        for (p++; more > 0; more--, p++) {
            if ((*p & 0xc0) != 0x80)
                return false;
            code = code << 6 | (*p & 0x3fu);
            /* Too long for what it says, a surrogate, or past the last character. */
            if ((more == 3 && code < 0x10) || (more == 2 && code < 0x20) ||
                (more == 1 && code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
                return false;
        }
    }
    return true;
}

/* ---- What handlers write with: the current arena ------------------------------------------- */

/* A failure needs no test here. It stays in the arena's status, and respond() looks once. */
static void put(struct response *rs, const char *s, size_t n)
{
    (void)arena_extend(arena_current(), &rs->body, s, n);
}

#if defined(__GNUC__)
static void putf(struct response *rs, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#endif
static void putf(struct response *rs, const char *format, ...)
{
    const char *line;
    va_list args;
    va_start(args, format);
    line = arena_vprintf(arena_current(), format, args);
    va_end(args);
    if (line != NULL)
        put(rs, line, strlen(line));
}

static void fail(struct response *rs, int status, const char *why)
{
    rs->status = status;
    rs->type = "text/plain";
    rs->body.len = 0;
    putf(rs, "%s\n", why);
}

static void put_json(struct response *rs, const char *s, size_t n)
{
    size_t i, from = 0;
    put(rs, "\"", 1);
    for (i = 0; i < n; i++) {
        if (s[i] == '"' || s[i] == '\\' || (unsigned char)s[i] < 0x20) {
            put(rs, s + from, i - from);
            putf(rs, "\\u%04x", (unsigned)(unsigned char)s[i]);
            from = i + 1;
        }
    }
    put(rs, s + from, n - from);
    put(rs, "\"", 1);
}

/* One field of a form or a query, decoded. False: a bad escape or not UTF-8, or no memory. */
static bool decode(struct text t, struct text *decoded)
{
    char *out = arena_reserve(arena_current(), t.len);
    size_t i, n = 0;
    decoded->data = out != NULL ? out : "";
    decoded->len = 0;
    if (out == NULL)
        return t.len == 0;
    for (i = 0; i < t.len; i++) {
        char c = t.data[i] == '+' ? ' ' : t.data[i];
        if (c == '%') {
            int high = i + 1 < t.len ? hex_digit(t.data[i + 1]) : -1;
            int low = i + 2 < t.len ? hex_digit(t.data[i + 2]) : -1;
            if (high < 0 || low < 0)
                return false;
            c = (char)(high << 4 | low);
            i += 2;
        }
        out[n++] = c;
    }
    decoded->len = n;
    return is_utf8(out, n);
}

/* ---- The handlers -------------------------------------------------------------------------- */

static void get_root(const struct request *rq, struct response *rs)
{
    (void)rq;
    putf(rs, "GET /hello?name=X\nGET /stats\nPOST /echo (form or JSON)\nPOST /words\n");
}

static void get_hello(const struct request *rq, struct response *rs)
{
    struct text query = rq->query, name = { "world", 5 };
    while (query.len > 0) {
        struct text value = text_cut(&query, '&');
        struct text key = text_cut(&value, '=');
        if (text_is(key, "name") && !decode(value, &name)) {
            fail(rs, 400, "the name is badly encoded");
            return;
        }
    }
    put(rs, "hello, ", 7);
    put(rs, name.data, name.len);
    put(rs, "\n", 1);
}

/* Resident pages, where /proc says so; 0 elsewhere. */
static unsigned long resident_kib(void)
{
    unsigned long size, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f != NULL) {
        if (fscanf(f, "%lu %lu", &size, &resident) != 2)
            resident = 0;
        fclose(f);
    }
    return resident * ((unsigned long)sysconf(_SC_PAGESIZE) / 1024);
}

static void get_stats(const struct request *rq, struct response *rs)
{
    unsigned long open = 0, retained = 0, allocated = 0, peak = 0;
    size_t i;
    (void)rq;
    for (i = 0; i < MAX_CONNECTIONS; i++) {
        if (connections[i].state != UNUSED) {
            arena_stats_t s = arena_stats(&connections[i].arena);
            open++;
            retained += (unsigned long)s.retained;
            allocated += (unsigned long)s.allocated;
            if (s.peak > peak)
                peak = (unsigned long)s.peak;
        }
    }
    rs->type = "application/json";
    putf(rs, "{\"requests\":%lu,\"connections\":%lu,\"open\":%lu,\"errors\":%lu,\"too_large\":%lu,",
         counters.requests, counters.accepted, open, counters.errors, counters.too_large);
    putf(rs, "\"limit\":%lu,\"retained\":%lu,\"allocated\":%lu,\"peak\":%lu,",
         (unsigned long)limit_bytes, retained, allocated, peak);
    putf(rs, "\"resident_kib\":%lu}\n", resident_kib());
}

static void echo_form(const struct request *rq, struct response *rs)
{
    struct text form, key, value;
    bool first = true;
    form.data = rq->body.data;
    form.len = rq->body.len;
    put(rs, "[", 1);
    while (form.len > 0) {
        value = text_cut(&form, '&');
        if (value.len == 0)
            continue;
        key = text_cut(&value, '=');
        if (!decode(key, &key) || !decode(value, &value)) {
            fail(rs, 400, "the form is badly encoded");
            return;
        }
        putf(rs, "%s{\"name\":", first ? "" : ",");
        put_json(rs, key.data, key.len);
        put(rs, ",\"value\":", 9);
        put_json(rs, value.data, value.len);
        put(rs, "}", 1);
        first = false;
    }
    put(rs, "]\n", 2);
}

/* Copies one JSON value without white space. Each of these moves *at behind what it took, and is
 * false where the text is not JSON. */
struct json { const char *at, *end; struct response *rs; };

static void json_space(struct json *j)
{
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r'))
        j->at++;
}

static bool json_take(struct json *j, char c)
{
    json_space(j);
    if (j->at == j->end || *j->at != c)
        return false;
    put(j->rs, j->at++, 1);
    return true;
}

static bool json_string(struct json *j)
{
    const char *from;
    json_space(j);
    from = j->at;
    if (j->at == j->end || *j->at != '"')
        return false;
    for (j->at++; j->at < j->end && *j->at != '"'; j->at++) {
        if ((unsigned char)*j->at < 0x20)
            return false;
        if (*j->at == '\\') {
            int digits;
            if (++j->at == j->end || *j->at == '\0' || strchr("\"\\/bfnrtu", *j->at) == NULL)
                return false;
            for (digits = *j->at == 'u' ? 4 : 0; digits > 0; digits--)
                if (++j->at == j->end || hex_digit(*j->at) < 0)
                    return false;
        }
    }
    if (j->at == j->end)
        return false;
    j->at++;
    put(j->rs, from, (size_t)(j->at - from));
    return true;
}

static size_t json_digits(struct json *j)
{
    const char *from = j->at;
    while (j->at < j->end && *j->at >= '0' && *j->at <= '9')
        j->at++;
    return (size_t)(j->at - from);
}

static bool json_number(struct json *j)
{
    const char *from = j->at;
    if (j->at < j->end && *j->at == '-')
        j->at++;
    if (j->at < j->end && *j->at == '0')
        j->at++;
    else if (json_digits(j) == 0)
        return false;
    if (j->at < j->end && *j->at == '.') {
        j->at++;
        if (json_digits(j) == 0)
            return false;
    }
    if (j->at < j->end && (*j->at == 'e' || *j->at == 'E')) {
        j->at++;
        if (j->at < j->end && (*j->at == '+' || *j->at == '-'))
            j->at++;
        if (json_digits(j) == 0)
            return false;
    }
    put(j->rs, from, (size_t)(j->at - from));
    return true;
}

static bool json_value(struct json *j, unsigned depth)
{
    static const char *const words[] = { "true", "false", "null" };
    size_t i;
    if (depth == 0)
        return false;
    if (json_take(j, '[')) {
        if (json_take(j, ']'))
            return true;
        do {
            if (!json_value(j, depth - 1))
                return false;
        } while (json_take(j, ','));
        return json_take(j, ']');
    }
    if (json_take(j, '{')) {
        if (json_take(j, '}'))
            return true;
        do {
            if (!json_string(j) || !json_take(j, ':') || !json_value(j, depth - 1))
                return false;
        } while (json_take(j, ','));
        return json_take(j, '}');
    }
    if (j->at < j->end && *j->at == '"')
        return json_string(j);
    for (i = 0; i < 3; i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(j->end - j->at) >= n && memcmp(j->at, words[i], n) == 0) {
            put(j->rs, words[i], n);
            j->at += n;
            return true;
        }
    }
    return json_number(j);
}

static void echo_json(const struct request *rq, struct response *rs)
{
    struct json j;
    if (rq->body.len == 0 || !is_utf8(rq->body.data, rq->body.len)) {
        fail(rs, 400, "the body is empty or not UTF-8");
        return;
    }
    j.at = rq->body.data;
    j.end = j.at + rq->body.len;
    j.rs = rs;
    if (json_value(&j, JSON_DEPTH)) {
        json_space(&j);
        if (j.at == j.end) {
            put(rs, "\n", 1);
            return;
        }
    }
    fail(rs, 400, "the body is not JSON, or nested too deeply");
}

static void post_echo(const struct request *rq, struct response *rs)
{
    struct text rest = rq->type, type = text_trim(text_cut(&rest, ';'));
    rs->type = "application/json";
    if (text_is_nocase(type, "application/x-www-form-urlencoded"))
        echo_form(rq, rs);
    else if (text_is_nocase(type, "application/json"))
        echo_json(rq, rs);
    else
        fail(rs, 415, "send application/x-www-form-urlencoded or application/json");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* The next word at or after *at, or an empty one. */
static struct text next_word(const char **at, const char *end)
{
    struct text word;
    while (*at < end && !is_letter(**at))
        ++*at;
    word.data = *at;
    while (*at < end && is_letter(**at))
        ++*at;
    word.len = (size_t)(*at - word.data);
    return word;
}

struct word { struct text text; size_t count; };

static int by_count(const void *x, const void *y)
{
    const struct word *a = (const struct word *)x, *b = (const struct word *)y;
    size_t n = a->text.len < b->text.len ? a->text.len : b->text.len;
    int order;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    order = n == 0 ? 0 : memcmp(a->text.data, b->text.data, n);
    return order != 0 ? order : a->text.len < b->text.len ? -1 : a->text.len > b->text.len;
}

/* The word's place in a table of slots entries, a power of two: its entry or a free one. */
static struct word *find_word(struct word *table, size_t slots, struct text w)
{
    uint32_t hash = 2166136261u;
    size_t i;
    for (i = 0; i < w.len; i++)
        hash = (hash ^ (unsigned char)w.data[i]) * 16777619u;
    for (i = hash & (slots - 1); table[i].count > 0; i = (i + 1) & (slots - 1))
        if (table[i].text.len == w.len && memcmp(table[i].text.data, w.data, w.len) == 0)
            break;
    return &table[i];
}

/* The table is in the current arena too, so the request's limit covers it. It doubles when it is
 * half full; the smaller ones stay behind until the reset, all of them together as large as the
 * last. */
static void post_words(const struct request *rq, struct response *rs)
{
    const char *begin = rq->body.len > 0 ? rq->body.data : "", *end = begin + rq->body.len, *at;
    size_t words = 0, lines = 0, distinct = 0, slots = 64, i;
    arena_t *a = arena_current();
    struct word *table = ARENA_NEW_ARRAY(a, struct word, slots);
    struct text w;
    for (at = begin; at < end; at++)
        lines += *at == '\n';
    for (at = begin; table != NULL && (w = next_word(&at, end)).len > 0; words++) {
        struct word *found = find_word(table, slots, w);
        if (found->count++ > 0)
            continue;
        found->text = w;
        if (++distinct == slots / 2) {
            struct word *larger = ARENA_NEW_ARRAY(a, struct word, 2 * slots);
            for (i = 0; i < slots && larger != NULL; i++)
                if (table[i].count > 0)
                    *find_word(larger, 2 * slots, table[i].text) = table[i];
            table = larger;
            slots *= 2;
        }
    }
    if (table == NULL)
        return;                                  /* respond() sees the arena's status */
    qsort(table, slots, sizeof *table, by_count);    /* free entries, of count 0, go to the end */
    putf(rs, "%lu lines, %lu words, %lu bytes, %lu distinct words\n", (unsigned long)lines,
         (unsigned long)words, (unsigned long)rq->body.len, (unsigned long)distinct);
    for (i = 0; i < distinct && i < 10; i++) {
        putf(rs, "%lu ", (unsigned long)table[i].count);
        put(rs, table[i].text.data, table[i].text.len);
        put(rs, "\n", 1);
    }
}

static const struct route {
    const char *method, *path;
    void (*handle)(const struct request *rq, struct response *rs);
} routes[] = {
    { "GET", "/", get_root },
    { "GET", "/hello", get_hello },
    { "GET", "/stats", get_stats },
    { "POST", "/echo", post_echo },
    { "POST", "/words", post_words }
};

/* ---- Responses ----------------------------------------------------------------------------- */

static const char *reason(int status)
{
    static const struct { int status; const char *text; } reasons[] = {
        { 200, "OK" }, { 400, "Bad Request" }, { 404, "Not Found" }, { 405, "Method Not Allowed" },
        { 408, "Request Timeout" }, { 413, "Content Too Large" }, { 414, "URI Too Long" },
        { 415, "Unsupported Media Type" }, { 417, "Expectation Failed" },
        { 431, "Request Header Fields Too Large" }, { 501, "Not Implemented" },
        { 503, "Service Unavailable" }, { 505, "HTTP Version Not Supported" }
    };
    size_t i;
    for (i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].status == status)
            return reasons[i].text;
    return "Error";
}

static void set_output(struct connection *c, const char *head, size_t head_len, char *body,
                       size_t body_len, enum state after)
{
    /* iov_base is not const, though writing only reads; the bytes came from memory that we own. */
    c->out[0].iov_base = (void *)(uintptr_t)head;
    c->out[0].iov_len = head_len;
    c->out[1].iov_base = body;
    c->out[1].iov_len = body_len;
    c->state = WRITING;
    c->after = after;
}

/* An error that needs no memory: for requests that were not understood, or went over the limit.
 * close: where the rest of the request is unknown or unread, the connection cannot be used any
 * more. */
static void respond_error(struct connection *c, int status, bool close)
{
    int n, body = (int)strlen(reason(status)) + 1;
    counters.errors++;
    if (status == 413)
        counters.too_large++;
    n = snprintf(c->error, sizeof c->error,
                 "HTTP/1.1 %d %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n%s\r\n%s\n",
                 status,
                 reason(status), body, close ? "Connection: close\r\n" : "", reason(status));
    if (c->request.head_only)
        n -= body;
    set_output(c, c->error, (size_t)n, NULL, 0, close ? LINGER : HEAD);
}

static void route(const struct request *rq, struct response *rs)
{
    const char *allowed = NULL;
    struct text get = { "GET", 3 }, method = rq->head_only ? get : rq->method;
    size_t i;
    for (i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        if (!text_is(rq->path, routes[i].path))
            continue;
        if (text_is(method, routes[i].method)) {
            routes[i].handle(rq, rs);
            return;
        }
        allowed = routes[i].method[0] == 'G' ? "GET, HEAD" : routes[i].method;
    }
    if (allowed == NULL) {
        fail(rs, 404, "there is no such thing; GET / lists what there is");
    } else {
        fail(rs, 405, "this path knows another method");
        rs->allow = allowed;
    }
}

/* The request is complete: the handler runs with the connection's arena as the current one. */
static void respond(struct connection *c)
{
    struct response rs = { 200, "text/plain", NULL, { NULL, 0, 0 } };
    arena_t *before = arena_make_current(&c->arena);
    const char *head;
    char date[64];
    time_t t = time(NULL);
    struct tm utc;

    counters.requests++;
    route(&c->request, &rs);
    if (gmtime_r(&t, &utc) == NULL ||
        strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &utc) == 0)
        date[0] = '\0';
    head = arena_printf(&c->arena, "HTTP/1.1 %d %s\r\nDate: %s\r\nContent-Type: %s\r\n"
                        "Content-Length: %lu\r\n%s%s%s%s\r\n", rs.status, reason(rs.status), date,
                        rs.type, (unsigned long)rs.body.len, rs.allow != NULL ? "Allow: " : "",
                        rs.allow != NULL ? rs.allow : "", rs.allow != NULL ? "\r\n" : "",
                        c->request.keep_alive ? "" : "Connection: close\r\n");
    arena_make_current(before);

    /* The one place where a handler's failures are seen. */
    if (arena_status(&c->arena) != ARENA_OK) {
        respond_error(c, arena_status(&c->arena) == ARENA_NO_MEMORY ? 503 : 413,
                      !c->request.keep_alive);
        return;
    }
    if (rs.status != 200)
        counters.errors++;
    set_output(c, head, strlen(head), rs.body.data, c->request.head_only ? 0 : rs.body.len,
               c->request.keep_alive ? HEAD : LINGER);
}

/* ---- Requests ------------------------------------------------------------------------------ */

static void take(struct connection *c, size_t n)
{
    c->in_len -= n;
    memmove(c->in, c->in + n, c->in_len);
}

/* The next line of the input without its CRLF; false if it is not complete. A line that ends in a
 * bare LF is a bad one, since two servers could disagree about it: *bad. */
static bool input_line(const struct connection *c, size_t from, struct text *line, bool *bad)
{
    const char *lf = c->in_len <= from ? NULL
                   : (const char *)memchr(c->in + from, '\n', c->in_len - from);
    *bad = false;
    if (lf == NULL)
        return false;
    line->data = c->in + from;
    line->len = (size_t)(lf - line->data);
    *bad = line->len == 0 || line->data[line->len - 1] != '\r';
    if (!*bad)
        line->len--;
    return true;
}

static int parse_request_line(struct request *rq, struct text line)
{
    struct text target, version;
    rq->method = text_cut(&line, ' ');
    target = text_cut(&line, ' ');
    version = line;
    if (!is_token(rq->method) || target.len == 0)
        return 400;
    if (version.len != 8 || memcmp(version.data, "HTTP/", 5) != 0 || version.data[6] != '.' ||
        version.data[5] < '0' || version.data[5] > '9' || version.data[7] < '0' ||
        version.data[7] > '9')
        return 400;
    if (version.data[5] != '1')
        return 505;
    rq->keep_alive = version.data[7] != '0';
    if (target.len > 7 && strncasecmp(target.data, "http://", 7) == 0) {     /* as a proxy asks */
        const char *slash = (const char *)memchr(target.data + 7, '/', target.len - 7);
        if (slash == NULL)
            return 400;
        target.len -= (size_t)(slash - target.data);
        target.data = slash;
    }
    if (target.data[0] != '/' && !text_is(target, "*"))
        return 400;
    rq->head_only = text_is(rq->method, "HEAD");
    if (!rq->head_only && !text_is(rq->method, "GET") && !text_is(rq->method, "POST") &&
        !text_is(rq->method, "PUT") && !text_is(rq->method, "DELETE") &&
        !text_is(rq->method, "OPTIONS"))
        return 501;
    rq->query = target;
    rq->path = text_cut(&rq->query, '?');
    return 0;
}

static int parse_length(struct request *rq, struct text value)
{
    size_t i, n = 0;
    if (rq->has_length || value.len == 0)
        return 400;
    for (i = 0; i < value.len; i++) {
        if (value.data[i] < '0' || value.data[i] > '9')
            return 400;
        n = n > (SIZE_MAX - 9) / 10 ? SIZE_MAX : n * 10 + (size_t)(value.data[i] - '0');
    }
    rq->has_length = true;
    rq->length = n;
    return 0;
}

static int parse_field(struct request *rq, struct text line, unsigned *hosts)
{
    struct text value = line, name = text_cut(&value, ':');
    if (name.len == line.len || !is_token(name))  /* no colon, a space before it, a folded line */
        return 400;
    value = text_trim(value);
    if (text_is_nocase(name, "host"))
        ++*hosts;
    else if (text_is_nocase(name, "content-type"))
        rq->type = value;
    else if (text_is_nocase(name, "content-length"))
        return parse_length(rq, value);
    else if (text_is_nocase(name, "transfer-encoding")) {
        if (rq->chunked)
            return 400;
        if (!text_is_nocase(value, "chunked"))
            return 501;
        rq->chunked = true;
    } else if (text_is_nocase(name, "expect")) {
        if (!text_is_nocase(value, "100-continue"))
            return 417;
        rq->expects = true;
    } else if (text_is_nocase(name, "connection")) {
        while (value.len > 0) {
            struct text option = text_trim(text_cut(&value, ','));
            if (text_is_nocase(option, "close"))
                rq->keep_alive = false;
            else if (text_is_nocase(option, "keep-alive"))
                rq->keep_alive = true;
        }
    }
    return 0;
}

/* A whole head, copied into the arena: what it points at stays there as long as the request does.
 * 0, or the status of the error. */
static int parse_head(struct request *rq, struct text head)
{
    bool first = true, old = false;
    unsigned hosts = 0;
    size_t i;
    for (i = 0; i < head.len; i++) {
        unsigned char ch = (unsigned char)head.data[i];
        if ((ch < 0x20 && ch != '\t' && ch != '\n' && !(ch == '\r' && head.data[i + 1] == '\n')) ||
            ch == 0x7f)
            return 400;
    }
    while (head.len > 0) {
        struct text line = text_cut(&head, '\n');
        int status;
        line.len--;                              /* its CR, which input_line has seen */
        status = first ? parse_request_line(rq, line) : parse_field(rq, line, &hosts);
        if (status != 0)
            return status;
        if (first)
            old = !rq->keep_alive;
        else if (old && rq->chunked)
            return 400;                          /* HTTP/1.0 has no chunks */
        first = false;
    }
    if ((rq->chunked && rq->has_length) || hosts > 1 || (hosts == 0 && !old))
        return 400;
    return 0;
}

/* HEAD: looks for the end of the head. False = more input is needed. */
static bool read_head(struct connection *c)
{
    struct text line;
    size_t end = 0;
    bool bad;
    int status;
    struct request *rq = &c->request;

    memset(rq, 0, sizeof *rq);
    while (c->in_len >= 2 && c->in[0] == '\r' && c->in[1] == '\n')
        take(c, 2);                              /* empty lines before a request are allowed */
    for (;;) {
        if (!input_line(c, end, &line, &bad)) {
            if (c->in_len < sizeof c->in)
                return false;
            respond_error(c, end == 0 ? 414 : 431, true);
            return true;
        }
        if (bad) {
            respond_error(c, 400, true);
            return true;
        }
        end += line.len + 2;
        if (line.len == 0)
            break;
    }
    line.len = end - 2;
    line.data = arena_intern_n(&c->arena, c->in, line.len);
    take(c, end);
    status = line.data == NULL ? 431 : parse_head(rq, line);
    if (status != 0) {
        respond_error(c, status, true);
    } else if (rq->chunked) {
        c->state = CHUNK_SIZE;
    } else {
        if (rq->length > 0) {
            /* Room for all of the body at once. A length over the limit is refused here, before one
             * byte of it was read. */
            rq->body.data = arena_reserve(&c->arena, rq->length);
            rq->body.cap = rq->length;
            if (rq->body.data == NULL) {
                respond_error(c, arena_status(&c->arena) == ARENA_NO_MEMORY ? 503 : 413, true);
                return true;
            }
        }
        c->state = BODY;
    }
    if (status == 0 && rq->expects && c->in_len == 0 && (rq->chunked || rq->length > 0))
        set_output(c, "HTTP/1.1 100 Continue\r\n\r\n", 25, NULL, 0, c->state);
    return true;
}

static bool read_body(struct connection *c)
{
    arena_slice_t *body = &c->request.body;
    size_t n = c->request.length - body->len;
    if (n > c->in_len)
        n = c->in_len;
    if (n > 0)
        memcpy(body->data + body->len, c->in, n);
    body->len += n;
    take(c, n);
    if (body->len < c->request.length)
        return false;
    respond(c);
    return true;
}

/* A chunked body: its length is not known, so it is a slice that grows in the arena. */
static bool read_chunked(struct connection *c)
{
    struct text line;
    bool bad;
    size_t n, i;
    if (c->state == CHUNK_DATA) {
        n = c->chunk_left < c->in_len ? c->chunk_left : c->in_len;
        if (n == 0)
            return false;
        if (!arena_extend(&c->arena, &c->request.body, c->in, n)) {
            respond_error(c, arena_status(&c->arena) == ARENA_NO_MEMORY ? 503 : 413, true);
            return true;
        }
        take(c, n);
        c->chunk_left -= n;
        if (c->chunk_left == 0)
            c->state = CHUNK_END;
        return true;
    }
    if (!input_line(c, 0, &line, &bad)) {
        if (c->in_len < sizeof c->in)
            return false;
        bad = true;
    }
    if (bad || (c->state == CHUNK_END && line.len != 0)) {
        respond_error(c, 400, true);
        return true;
    }
    if (c->state == CHUNK_END) {
        c->state = CHUNK_SIZE;
    } else if (c->state == TRAILER) {
        if (line.len == 0) {
            take(c, 2);
            respond(c);
            return true;
        }
    } else {
        struct text rest = line, digits = text_cut(&rest, ';');
        c->chunk_left = 0;
        bad = digits.len == 0;
        for (i = 0; i < digits.len && !bad; i++) {
            int digit = hex_digit(digits.data[i]);
            bad = digit < 0 || c->chunk_left > SIZE_MAX >> 4;
            c->chunk_left = c->chunk_left << 4 | (size_t)(digit & 15);
        }
        if (bad) {
            respond_error(c, 400, true);
            return true;
        }
        c->state = c->chunk_left == 0 ? TRAILER : CHUNK_DATA;
    }
    take(c, line.len + 2);
    return true;
}

/* ---- Connections --------------------------------------------------------------------------- */

static void close_connection(struct connection *c)
{
    close(c->fd);
    arena_release(&c->arena);
    c->state = UNUSED;
}

/* Writes what there is. False = the socket takes no more now, or the connection is gone. */
static bool write_output(struct connection *c)
{
    while (c->out[0].iov_len + c->out[1].iov_len > 0) {
        ssize_t n = writev(c->fd, c->out, 2);
        size_t left, k;
        if (n < 0) {
            if (errno == EINTR)
                continue;
            if (errno != EAGAIN && errno != EWOULDBLOCK)
                close_connection(c);
            return false;
        }
        left = (size_t)n;
        for (k = 0; k < 2; k++) {
            size_t part = left < c->out[k].iov_len ? left : c->out[k].iov_len;
            if (part > 0)
                c->out[k].iov_base = (char *)c->out[k].iov_base + part;
            c->out[k].iov_len -= part;
            left -= part;
        }
        c->deadline = now_ms() + TIMEOUT_MS;
    }
    c->state = c->after;
    if (c->state == HEAD) {
        arena_reset(&c->arena);                  /* the request is over, all of it at once */
    } else if (c->state == LINGER) {
        /* Closing with unread input would reset the connection and could take the response with it:
         * so no more is sent, and what comes is thrown away until the client closes. */
        arena_reset(&c->arena);
        c->in_len = 0;
        c->deadline = now_ms() + LINGER_MS;
        shutdown(c->fd, SHUT_WR);
    }
    return true;
}

/* Goes on until more input or room for output is needed. Requests that came together are answered
 * one after the other, in order; the next one is not looked at before a response is written. */
static void advance(struct connection *c)
{
    bool more = true;
    while (more) {
        switch (c->state) {
        case HEAD:       more = read_head(c); break;
        case BODY:       more = read_body(c); break;
        case CHUNK_SIZE: case CHUNK_DATA: case CHUNK_END: case TRAILER:
                         more = read_chunked(c); break;
        case WRITING:    more = write_output(c); break;
        case LINGER:     c->in_len = 0; more = false; break;
        default:         more = false; break;
        }
    }
}

static void read_input(struct connection *c)
{
    ssize_t n = read(c->fd, c->in + c->in_len, sizeof c->in - c->in_len);
    if (n > 0) {
        c->in_len += (size_t)n;
        if (c->state != LINGER)
            c->deadline = now_ms() + TIMEOUT_MS;
        advance(c);
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        if (n == 0 && c->state != LINGER && (c->state != HEAD || c->in_len > 0)) {
            respond_error(c, 400, true);         /* cut off in the middle; it may still listen */
            advance(c);
        } else {
            close_connection(c);
        }
    }
}

static void timed_out(struct connection *c)
{
    if (c->state == WRITING || c->state == LINGER || (c->state == HEAD && c->in_len == 0)) {
        close_connection(c);
    } else {
        respond_error(c, 408, true);
        c->deadline = now_ms() + LINGER_MS;
        advance(c);
    }
}

/* True unless the system has no descriptors left. */
static bool accept_connections(int listener)
{
    size_t i;
    for (i = 0; i < MAX_CONNECTIONS; i++) {
        struct connection *c = &connections[i];
        arena_options_t options = { 0 };
        int fd, one = 1;
        if (c->state != UNUSED)
            continue;
        fd = accept(listener, NULL, NULL);
        if (fd < 0)
            return errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM;
        options.chunk_bytes = CHUNK_BYTES;
        options.limit_bytes = limit_bytes;
        if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0 || arena_init(&c->arena, &options) != ARENA_OK) {
            close(fd);
            continue;
        }
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        c->fd = fd;
        c->state = HEAD;
        c->in_len = 0;
        c->deadline = now_ms() + TIMEOUT_MS;
        counters.accepted++;
    }
    return true;
}

static void stop(int signal_number)
{
    (void)signal_number;
    stopping = 1;
}

static void serve(int listener)
{
    bool paused = false;
    while (!stopping) {
        struct pollfd fds[MAX_CONNECTIONS + 1];
        size_t slot[MAX_CONNECTIONS + 1], i;
        nfds_t k, count = 1;
        long long now = now_ms();
        bool room = false;
        int timeout = paused ? 100 : 1000;
        for (i = 0; i < MAX_CONNECTIONS; i++) {
            struct connection *c = &connections[i];
            if (c->state != UNUSED && c->deadline <= now)
                timed_out(c);
            room |= c->state == UNUSED;
            if (c->state == UNUSED)
                continue;
            if (c->deadline - now < timeout)
                timeout = c->deadline > now ? (int)(c->deadline - now) : 0;
            slot[count] = i;
            fds[count].fd = c->fd;
            fds[count].events = c->state == WRITING ? POLLOUT : POLLIN;
            fds[count++].revents = 0;
        }
        fds[0].fd = room && !paused ? listener : -1;     /* the others wait in the system's queue */
        fds[0].events = POLLIN;
        fds[0].revents = 0;
        paused = false;
        if (poll(fds, count, timeout) <= 0)
            continue;
        for (k = 1; k < count; k++) {
            struct connection *c = &connections[slot[k]];
            if (fds[k].revents == 0)
                continue;
            if (c->state == WRITING)
                advance(c);
            else
                read_input(c);
        }
        if (fds[0].revents != 0)
            paused = !accept_connections(listener);
    }
}

int main(int argc, char **argv)
{
    struct sockaddr_in address;
    socklen_t bytes = sizeof address;
    struct sigaction action;
    long port = argc > 1 ? strtol(argv[1], NULL, 10) : 8080;
    int listener, one = 1;
    size_t i;

    if (argc > 2)
        limit_bytes = (size_t)strtoul(argv[2], NULL, 10);
    if (argc > 3 || port < 0 || port > 65535 || limit_bytes == 0) {
        fprintf(stderr, "usage: request [PORT [LIMIT_BYTES]]\n");
        return 2;
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);

    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
        bind(listener, (struct sockaddr *)&address, bytes) != 0 || listen(listener, 128) != 0 ||
        fcntl(listener, F_SETFL, O_NONBLOCK) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &bytes) != 0) {
        perror("request");
        return 1;
    }
    printf("listening on 127.0.0.1:%u\n", (unsigned)ntohs(address.sin_port));
    fflush(stdout);
    serve(listener);
    for (i = 0; i < MAX_CONNECTIONS; i++)
        if (connections[i].state != UNUSED)
            close_connection(&connections[i]);
    close(listener);
    printf("%lu requests on %lu connections, %lu errors\n", counters.requests, counters.accepted,
           counters.errors);
    return 0;
}
