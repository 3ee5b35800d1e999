/* lines_input.c - writes a deterministic file of lines for `make bench-lines`.

       lines_input KIND MEGABYTES >FILE

   The same arguments give the same bytes on every machine. The kinds differ in what decides how
   long a sort takes: how many lines there are, how much of two lines is the same, how often a whole
   line comes again, and whether the lines are in order already.

       log      log of an application with many threads: nearly in order, long lines, 18 bytes alike
       ordered  the same, exactly in order: there is nothing left to do
       shuffled the same, in no order
       access   log of a web server: begins with one of 4096 addresses, many lines from some
       text     one to twelve words a line, common words far more often than rare ones
       words    one word a line: very many short lines, nearly all of them come again
       numbers  numbers of up to 9 digits: very many short lines, hardly any comes again
       paths    names of files below a few folders: the first 45 bytes tell little */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = UINT64_C(0x9E3779B97F4A7C15);

static uint32_t random32(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state * UINT64_C(0x2545F4914F6CDD1D) >> 32);
}

static uint32_t below(uint32_t n) { return (uint32_t)((uint64_t)random32() * n >> 32); }

/* A number below n of which small ones are far more frequent, as words are in a language. */
static uint32_t skewed(uint32_t n)
{
    uint32_t top = n;
    int i;
    for (i = 0; i < 3; i++)
        top = below(top) + 1;
    return top - 1;
}

/* The word of this rank, always the same one, two to five syllables. */
static size_t word(char *to, uint32_t rank)
{
    static const char *const syllable[] = {"ba", "con", "de", "er", "fi", "ga",  "hol", "in",
                                           "ja", "ke",  "la", "men", "no", "or",  "pre", "qui",
                                           "re", "sta", "ti", "un",  "ver", "wa", "xe",  "you",
                                           "zo", "ther", "ing", "al", "ed", "ly", "ous", "tion"};
    uint32_t h = rank * UINT32_C(2654435761) + UINT32_C(12345);
    uint32_t parts = rank < 64 ? 1 : 2 + (h >> 7 & 3);
    size_t n = 0;
    while (parts--) {
        const char *s = syllable[h >> 27];
        size_t len = strlen(s);
        memcpy(to + n, s, len);
        n += len;
        h = (h ^ h >> 15) * UINT32_C(2246822519) + rank;
    }
    return n;
}

static size_t words(char *to, uint32_t count)
{
    size_t n = 0;
    while (count--) {
        n += word(to + n, skewed(50000));
        if (count)
            to[n++] = ' ';
    }
    return n;
}

static size_t line(const char *kind, char *to)
{
    static uint64_t ms;
    static const char *const level[] = {"INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"};
    static const char *const method[] = {"GET", "GET", "GET", "POST", "PUT", "HEAD"};
    size_t n = 0;
    if (!strcmp(kind, "log") || !strcmp(kind, "ordered") || !strcmp(kind, "shuffled")) {
        uint64_t at;
        unsigned s;
        ms += kind[0] == 'o' ? 1 + below(25) : below(25);
        at = kind[0] == 'o' ? ms : kind[0] == 'l' ? ms + below(40) : below(UINT32_MAX) / 2;
        s = (unsigned)(at / 1000);
        n = (size_t)sprintf(to, "2026-03-%02uT%02u:%02u:%02u.%03uZ node-%02u billing[%u]: %s ",
                            1 + s / 86400 % 28, s / 3600 % 24, s / 60 % 60, s % 60,
                            (unsigned)(at % 1000), below(12), 1000 + below(40), level[below(6)]);
        n += words(to + n, 2 + below(6));
        n += (size_t)sprintf(to + n, " id=%u", below(1000000));
        n += (size_t)sprintf(to + n, " took=%uus", below(30000));
    } else if (!strcmp(kind, "access")) {
        uint32_t host = skewed(4096);
        ms += below(25);
        n = (size_t)sprintf(to, "10.%u.%u.%u - - [01/Mar/2026:%02u:%02u:%02u +0000] \"%s /",
                            host >> 8, host >> 4 & 15, 1 + (host & 15) * 11,
                            (unsigned)(ms / 3600000 % 24), (unsigned)(ms / 60000 % 60),
                            (unsigned)(ms / 1000 % 60), method[below(6)]);
        n += word(to + n, skewed(2000));
        to[n++] = '/';
        n += word(to + n, skewed(20000));
        n += (size_t)sprintf(to + n, ".html HTTP/1.1\" %u", below(20) ? 200 : 404);
        n += (size_t)sprintf(to + n, " %u", below(60000));
    } else if (!strcmp(kind, "text")) {
        n = words(to, 1 + below(12));
    } else if (!strcmp(kind, "words")) {
        n = words(to, 1);
    } else if (!strcmp(kind, "numbers")) {
        n = (size_t)sprintf(to, "%u", below(1000000000));
    } else if (!strcmp(kind, "paths")) {
        n = (size_t)sprintf(to, "/srv/storage/volume-%02u/projects/customers/", below(4));
        n += word(to + n, skewed(200));
        n += (size_t)sprintf(to + n, "/2026/%02u/", 1 + below(12));
        n += word(to + n, below(30000));
        n += (size_t)sprintf(to + n, "-%05u.dat", below(100000));
    } else {
        fprintf(stderr, "lines_input: no such kind: %s\n", kind);
        exit(1);
    }
    to[n++] = '\n';
    return n;
}

int main(int argc, char **argv)
{
    uint64_t bytes, written = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: lines_input log|ordered|shuffled|access|text|words|numbers|paths "
                        "MEGABYTES\n");
        return 1;
    }
    bytes = (uint64_t)strtoul(argv[2], NULL, 10) * 1000000;
    while (written < bytes) {
        char buffer[1024];
        size_t n = line(argv[1], buffer);
        if (fwrite(buffer, 1, n, stdout) != n)
            break;
        written += n;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("lines_input");
        return 1;
    }
    return 0;
}
