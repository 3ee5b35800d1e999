/* lines_io.h - a part of lines.c: failures, reading by lines, writing. */

#ifndef LINES_IO_H
#define LINES_IO_H

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ_BYTES  ((size_t)1 << 18)   /* one read */
#define WRITE_BYTES ((size_t)1 << 18)   /* one write */

/* ---- failures -------------------------------------------------------------------------------- */

/* Whether a progress line stands on the terminal, which a message must not be appended to. */
static bool progress_shown;

static void progress_clear(void)
{
    if (progress_shown)
        fputs("\r\033[K", stderr);
    progress_shown = false;
}

static void die(const char *format, ...)
{
    va_list list;
    progress_clear();
    fputs("lines: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

/* realloc that does not fail. */
static void *grow(void *p, size_t bytes)
{
    p = realloc(p, bytes);
    if (p == NULL)
        die("out of memory (%zu bytes asked for)", bytes);
    return p;
}

/* ---- reading --------------------------------------------------------------------------------- */

struct reader {
    FILE *file;
    const char *name;
    char *buffer;                       /* buffer[begin..end) is read and not yet used */
    size_t room, begin, end;
    bool at_end;
    uint64_t bytes;                     /* read from all files */
};

/* The name "-" is standard input. The buffer serves one file after another. */
static void reader_open(struct reader *r, const char *name)
{
    bool standard = strcmp(name, "-") == 0;
    r->name = standard ? "standard input" : name;
    r->file = standard ? stdin : fopen(name, "rb");
    if (r->file == NULL)
        die("cannot open %s: %s", name, strerror(errno));
    setvbuf(r->file, NULL, _IONBF, 0);  /* reads are large as they are */
    if (r->buffer == NULL) {
        r->room = READ_BYTES;
        r->buffer = (char *)grow(NULL, r->room);
    }
    r->begin = r->end = 0;
    r->at_end = false;
}

static void reader_close(struct reader *r)
{
    if (r->file != stdin)
        fclose(r->file);
}

/* Reads on behind what is left in the buffer, which is the beginning of a line. */
static void reader_fill(struct reader *r)
{
    size_t left = r->end - r->begin, n;
    if (r->room - left < READ_BYTES) {
        r->room = 2 * left + READ_BYTES;
        r->buffer = (char *)grow(r->buffer, r->room);
    }
    memmove(r->buffer, r->buffer + r->begin, left);
    n = fread(r->buffer + left, 1, READ_BYTES, r->file);
    if (ferror(r->file))
        die("cannot read %s: %s", r->name, strerror(errno));
    r->begin = 0;
    r->end = left + n;
    r->at_end = n < READ_BYTES;
    r->bytes += n;
}

/* The next line without its newline, good until the next call; false at the end. The last line of a
   file is one whether a newline follows it or not. */
static bool reader_line(struct reader *r, const char **line, size_t *length)
{
    size_t searched = 0, left;
    char *begin, *newline;
    for (;;) {
        begin = r->buffer + r->begin;
        left = r->end - r->begin;
        newline = (char *)memchr(begin + searched, '\n', left - searched);
        if (newline != NULL || r->at_end)
            break;
        searched = left;
        reader_fill(r);
    }
    *line = begin;
    *length = newline != NULL ? (size_t)(newline - begin) : left;
    r->begin += newline != NULL ? *length + 1 : left;
    return left != 0;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || (unsigned char)c >= 128;
}

/* The next word of the line, which is cut down to what follows the word; false at its end. */
static bool next_word(const char **line, size_t *length, const char **word, size_t *word_length)
{
    const char *p = *line, *end = p + *length;
    while (p != end && !is_word(*p))
        p++;
    *word = p;
    while (p != end && is_word(*p))
        p++;
    *word_length = (size_t)(p - *word);
    *line = p;
    *length = (size_t)(end - p);
    return *word_length != 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* To standard output, which has no buffer of its own: a failure is noticed where it happens. */
static struct {
    char data[WRITE_BYTES];
    size_t used;
} out;

static void write_all(const char *p, size_t n)
{
    if (fwrite(p, 1, n, stdout) != n)
        die("cannot write: %s", strerror(errno));
}

static void flush(void)
{
    write_all(out.data, out.used);
    out.used = 0;
}

static void put(const char *p, size_t n)
{
    if (n > sizeof out.data - out.used)
        flush();
    if (n > sizeof out.data) {
        write_all(p, n);
    } else if (n != 0) {
        memcpy(out.data + out.used, p, n);
        out.used += n;
    }
}

static void put_line(const char *p, size_t n)
{
    put(p, n);
    put("\n", 1);
}

#endif
