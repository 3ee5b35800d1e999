/* lines.c - sorts, counts and ranks the lines of files: the main job of arena.h on real input.

       lines [--top[=N] | --sort | --unique | --count] [OPTION]... [FILE]...

   --top[=N]      the N (10) most frequent lines, and a summary; this is the default
   --sort         what `LC_ALL=C sort` prints, byte for byte
   --unique       what `LC_ALL=C sort -u` prints
   --count        what `LC_ALL=C sort | uniq -c | LC_ALL=C sort -rn` prints
   --words        words (letters, digits, _) take the place of lines
   --memory=SIZE  the most memory a batch takes, as 500K, 64M or 4G; 2G if not given
   --summary      the summary on standard error, in the other modes too

   No FILE, or the FILE -, is standard input. The exit status is 0, or 1 after any failure.

   How it works. The input is worked off in batches. The text of a batch goes into a byte arena,
   line after line, and nothing points at it: what is kept of a line is a struct of 24 bytes with
   its Ref and its first seven bytes as a number. Those structs lie in an arena of their own, and
   they alone are moved when the batch is sorted. Lines that are equal then become one with a
   count. What is left of a full batch steps aside into a second arena if it is little, and
   begins the next batch; else it goes to a temporary file. Either way both arenas of the batch
   are reset: the next one finds their chunks warm, and no line was ever freed by itself. At the
   end the temporary files, if there are any, are merged with the last batch.

   Memory. A line takes its own bytes, 24 bytes for its struct, and 24 more while the batch is
   being sorted. Whatever the size of the input, all of that stays within --memory, give or take
   a chunk of each arena and a few times the longest line. Beyond that --count and --top hold the
   distinct lines of the whole input, to rank them. The temporary files hold the distinct lines of
   each batch. It needs a POSIX system, and is written in C99. */

#define _DEFAULT_SOURCE                 /* isatty, clock_gettime, mmap */
#define _FILE_OFFSET_BITS 64

#include <time.h>
#include <unistd.h>

#define ARENA_IMPLEMENTATION
#include "../arena.h"
#include "arena_hooks.h"
#include "lines_io.h"
#include "lines_sort.h"

#define LEAST_MEMORY ((size_t)64 << 10)
#define FIRST_LOOK   ((size_t)4 << 20)  /* memory of a batch after which we see what repeats */
#ifndef COUNT_MAX
#define COUNT_MAX    UINT32_MAX         /* of line.count; tests make it small */
#endif

#include "lines_merge.h"

ARENA_DEFINE(lines, struct line);

enum mode { TOP, SORT, UNIQUE, COUNT };

static struct {
    enum mode mode;
    bool words, summary;
    size_t top, memory;
} option = {TOP, false, false, 10, (size_t)2 << 30};

static struct {
    uint64_t lines, batches, files, stranded;
    bool terminal;                      /* so there is a progress line */
    struct timespec begin;
} total;

/* ---- arenas ---------------------------------------------------------------------------------- */

/* Every arena here has this hook, so no call below needs a check: a failure does not return. */
static void on_arena_error(void *ctx, arena_status_t status, size_t bytes)
{
    (void)ctx;
    die("%s (%zu bytes asked for)", arena_status_text(status), bytes);
}

static arena_huge_t pages;

/* The options of all arenas here. Unless batches are small they get their chunks in huge pages,
   since first touches of small ones are much of the time otherwise. spare: 1 for text, whose
   chunks are asked for with one byte more than they hold. */
static const arena_options_t *arena_options(size_t spare)
{
    static arena_options_t options;
    options.on_error = on_arena_error;
    if (option.memory >= (size_t)64 << 20) {
        options.hooks = &pages.hooks;
        options.chunk_bytes = ARENA_HUGE_BYTES - spare;
    }
    return &options;
}

/* ---- a batch --------------------------------------------------------------------------------- */

struct batch {
    arena_t text;                       /* the bytes of its lines */
    lines_t lines;                      /* and their structs, in the order of reading */
    arena_t kept_text;                  /* what stays of it while the two are reset */
    lines_t kept_lines;
    lines_t array;                      /* one block of `room` structs: */
    struct line *sorted;                /* the lines in order, once sort_batch was called */
    size_t room;
    size_t count, bytes;                /* lines, and bytes of their text */
    size_t limit, most;                 /* memory at which it is full; what limit may grow to */
    uint64_t first_head, differ;        /* of the first line; the bits in which some head differs */
    arena_ref_t last;                   /* the last line */
    bool in_order;                      /* no line so far is before the one in front of it */
    struct line scratch[SPREAD];
};

static size_t memory_of(size_t bytes, size_t count)
{
    return bytes + count * 2 * sizeof(struct line);
}

static void add_line(struct batch *b, const char *text, size_t length, uint32_t count)
{
    struct line line;
    line.head = head_of(text, length);
    line.ref = arena_ref(&b->text, text, length);
    line.count = count;
    lines_append(&b->lines, &line, 1);
    if (b->count == 0)
        b->first_head = line.head;
    else if (b->in_order) {
        arena_view_t last = arena_value(&b->text, b->last);
        b->in_order = compare_bytes(last.data, last.len, text, length) <= 0;
    }
    b->differ |= line.head ^ b->first_head;
    b->last = line.ref;
    b->count++;
    b->bytes += length;
}

static void reset_batch(struct batch *b)
{
    arena_reset(&b->text);
    lines_reset(&b->lines);
    b->count = b->bytes = 0;
    b->differ = 0;
    b->in_order = true;
}

/* Makes one of the lines that are equal, in sorted[0..count). What is above COUNT_MAX goes into
   another struct of the same line, behind the full one. */
static void fold(struct batch *b)
{
    size_t i, n = 0;
    for (i = 1; i < b->count; i++) {
        struct line *to = &b->sorted[n];
        const struct line *from = &b->sorted[i];
        bool same = to->head == from->head && to->ref.len == from->ref.len;
        if (i + AHEAD < b->count && from[AHEAD].head == from[AHEAD - 1].head) {
            PREFETCH(arena_value(&b->text, from[AHEAD].ref).data);
            PREFETCH(arena_value(&b->text, from[AHEAD - 1].ref).data);
        }
        if (same) {
            arena_view_t x = arena_value(&b->text, to->ref), y = arena_value(&b->text, from->ref);
            same = compare_bytes(x.data, x.len, y.data, y.len) == 0;
        }
        if (same && from->count <= COUNT_MAX - to->count) {
            to->count += from->count;
        } else if (same) {
            uint32_t rest = from->count - (COUNT_MAX - to->count);
            to->count = COUNT_MAX;
            b->sorted[++n] = *from;
            b->sorted[n].count = rest;
        } else {
            b->sorted[++n] = *from;
        }
    }
    b->count = n + 1;
}

/* Puts the distinct lines of the batch, which has some, into sorted[0..count), in order. */
static void sort_batch(struct batch *b)
{
    struct buckets top;
    size_t i, chunks = lines_chunk_count(&b->lines);
    total.batches++;
    total.stranded += arena_stats(&b->text).stranded;
    if (b->room < b->count) {
        b->room = b->count;
        lines_reset(&b->array);
        b->sorted = lines_reserve(&b->array, b->room);
    }
    /* The first spread also brings the structs together from the chunks of their arena. Lines that
       came in order all go into one bucket, which leaves them so. */
    buckets_choose(&top, b->in_order ? 0 : b->differ, b->count);
    for (i = 0; i < chunks; i++) {
        lines_view_t chunk = lines_chunk(&b->lines, i);
        buckets_count(&top, chunk.data, chunk.len);
    }
    buckets_place(&top);
    for (i = 0; i < chunks; i++) {
        lines_view_t chunk = lines_chunk(&b->lines, i);
        buckets_spread(&top, b->sorted, chunk.data, chunk.len);
    }
    for (i = 0; i <= top.mask && !b->in_order; i++)
        sort_group(&b->text, b->scratch, b->sorted + top.start[i], top.start[i + 1] - top.start[i],
                   0);
    fold(b);
}

/* The distinct lines of the sorted batch become the first ones of the next batch. */
static void keep_lines(struct batch *b)
{
    size_t i, j;
    for (i = 0; i < b->count; i++) {
        struct line line = b->sorted[i];
        arena_view_t text = arena_value(&b->text, line.ref);
        line.ref = arena_ref(&b->kept_text, text.data, text.len);
        lines_append(&b->kept_lines, &line, 1);
    }
    reset_batch(b);
    for (i = 0; i < lines_chunk_count(&b->kept_lines); i++) {
        lines_view_t kept = lines_chunk(&b->kept_lines, i);
        for (j = 0; j < kept.len; j++) {
            arena_view_t text = arena_value(&b->kept_text, kept.data[j].ref);
            add_line(b, text.data, text.len, kept.data[j].count);
        }
    }
    arena_reset(&b->kept_text);
    lines_reset(&b->kept_lines);
}

/* The batch is full. The first batches are small, and the next one may be larger as long as that is
   allowed and there is much in this one that does not repeat. So an input in which most lines
   repeat takes little memory and no file, however long it is. Of others, full ones go to files. */
static void end_batch(struct batch *b, struct sources *files)
{
    size_t read = b->count, bytes = 0, i, distinct;
    sort_batch(b);
    for (i = 0; i < b->count; i++)
        bytes += b->sorted[i].ref.len;
    distinct = memory_of(bytes, b->count);
    if (b->limit != b->most && distinct > b->limit / 4) {
        /* Where hardly a line repeats, looking again soon would be work for nothing. */
        bool all_differ = b->count > read / 10 * 9;
        b->limit = all_differ || b->limit > b->most / 8 ? b->most : 4 * b->limit;
    } else if (distinct > b->limit / 2) {
        total.files++;
        spill(files, &b->text, b->sorted, b->count);
        reset_batch(b);
        return;
    }
    keep_lines(b);
}

/* ---- results --------------------------------------------------------------------------------- */

/* --sort and --unique print what is delivered. For --count and --top it goes into arenas once more,
   to be ranked; the head of those structs is the count. */
struct result {
    arena_t text;
    lines_t lines, arrays;
    size_t distinct;
};

static void deliver(void *result, const char *line, size_t length, uint64_t count)
{
    struct result *r = (struct result *)result;
    r->distinct++;
    if (option.mode == SORT) {
        while (count-- != 0)
            put_line(line, length);
    } else if (option.mode == UNIQUE) {
        put_line(line, length);
    } else {
        struct line ranked;
        ranked.head = count;
        ranked.ref = arena_ref(&r->text, line, length);
        ranked.count = 0;
        lines_append(&r->lines, &ranked, 1);
    }
}

/* Prints the lines by their counts, the most frequent first and of equals the last one first. That
   is their order from behind, once they are sorted by counts and equals stay in their order. */
static void print_ranked(struct result *r)
{
    struct line *v = lines_reserve(&r->arrays, r->distinct);
    struct line *other = lines_reserve(&r->arrays, r->distinct), *swap;
    size_t n = 0, i, printed = 0, length = 0;
    uint64_t differ = 0;
    unsigned shift;
    char count[32];

    for (i = 0; i < lines_chunk_count(&r->lines); i++) {
        lines_view_t chunk = lines_chunk(&r->lines, i);
        memcpy(v + n, chunk.data, chunk.len * sizeof *v);
        n += chunk.len;
    }
    for (i = 0; i < n; i++)
        differ |= v[i].head ^ v[0].head;
    for (shift = 0; shift < 64; shift += MAX_BITS) {
        struct buckets b;
        buckets_begin(&b, shift, MAX_BITS);
        if ((differ >> shift & b.mask) == 0)
            continue;
        buckets_count(&b, v, n);
        buckets_place(&b);
        buckets_spread(&b, other, v, n);
        swap = v;
        v = other;
        other = swap;
    }
    for (i = n; i-- != 0 && printed != option.top; printed++) {
        arena_view_t line = arena_value(&r->text, v[i].ref);
        if (i >= AHEAD)
            PREFETCH(arena_value(&r->text, v[i - AHEAD].ref).data);
        if (i == n - 1 || v[i].head != v[i + 1].head)
            length = (size_t)snprintf(count, sizeof count, "%7" PRIu64 " ", v[i].head);
        put(count, length);
        put_line(line.data, line.len);
    }
}

static void print_summary(FILE *to, const struct batch *b, const struct result *r, uint64_t bytes)
{
    const char *what = option.words ? "word" : "line";
    uint64_t retained = arena_stats(&b->text).peak + lines_stats(&b->lines).peak +
                        arena_stats(&b->kept_text).peak + lines_stats(&b->kept_lines).peak +
                        lines_stats(&b->array).peak + arena_stats(&r->text).peak +
                        lines_stats(&r->lines).peak + lines_stats(&r->arrays).peak;
    struct timespec end;
    double ns;
    clock_gettime(CLOCK_MONOTONIC, &end);
    ns = (double)(end.tv_sec - total.begin.tv_sec) * 1e9 +
         (double)(end.tv_nsec - total.begin.tv_nsec);
    fprintf(to, "%ss     %" PRIu64 ", %zu of them distinct\n", what, total.lines, r->distinct);
    fprintf(to, "bytes     %" PRIu64 "\n", bytes);
    fprintf(to, "batches   %" PRIu64 ", %" PRIu64 " of them to temporary files\n", total.batches,
            total.files);
    fprintf(to, "retained  %" PRIu64 " bytes at most\n", retained);
    fprintf(to, "stranded  %" PRIu64 " bytes in all batches\n", total.stranded);
    fprintf(to, "time      %.3f s, %.1f ns per %s\n", ns / 1e9,
            total.lines != 0 ? ns / (double)total.lines : 0.0, what);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void take(struct batch *b, struct sources *files, const char *text, size_t length)
{
    if (memory_of(b->bytes + length, b->count + 1) > b->limit && b->count != 0)
        end_batch(b, files);
    add_line(b, text, length, 1);
    total.lines++;
}

static void show_progress(uint64_t bytes)
{
    static uint64_t shown;
    if (!total.terminal || bytes - shown < (uint64_t)32 << 20)
        return;
    shown = bytes;
    fprintf(stderr, "\rlines: %" PRIu64 " MB read, %" PRIu64 " batches, %" PRIu64 " files",
            bytes / 1000000, total.batches, total.files);
    progress_shown = true;
}

static void read_file(struct reader *r, const char *name, struct batch *b, struct sources *files)
{
    const char *line, *word;
    size_t length, word_length;
    reader_open(r, name);
    while (reader_line(r, &line, &length)) {
        if (!option.words)
            take(b, files, line, length);
        else
            while (next_word(&line, &length, &word, &word_length))
                take(b, files, word, word_length);
        show_progress(r->bytes);
    }
    reader_close(r);
}

static void usage(void)
{
    puts("usage: lines [--top[=N] | --sort | --unique | --count] [OPTION]... [FILE]...\n"
         "  --top[=N]      the N (10) most frequent lines, and a summary; this is the default\n"
         "  --sort         what `LC_ALL=C sort` prints\n"
         "  --unique       what `LC_ALL=C sort -u` prints\n"
         "  --count        what `LC_ALL=C sort | uniq -c | LC_ALL=C sort -rn` prints\n"
         "  --words        words take the place of lines\n"
         "  --memory=SIZE  the most memory a batch takes, as 500K, 64M or 4G (2G)\n"
         "  --summary      a summary on standard error, in the other modes too\n"
         "No FILE, or the FILE -, is standard input.");
    exit(EXIT_SUCCESS);
}

static size_t parse_number(const char *text, bool is_size)
{
    char *end;
    unsigned long long n;
    unsigned shift = 0;
    errno = 0;
    n = strtoull(text, &end, 10);
    if (is_size && *end != '\0') {
        shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
        end += shift != 0;
    }
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || n > SIZE_MAX >> shift)
        die("not a %s: %s", is_size ? "size" : "number", text);
    return (size_t)n << shift;
}

/* Sets the options and leaves the files in argv[0..]. Returns how many those are. */
static int parse_options(int argc, char **argv)
{
    int i, files = 0;
    bool only_files = false;
    for (i = 1; i < argc; i++) {
        char *arg = argv[i];
        if (only_files || arg[0] != '-' || arg[1] == '\0')
            argv[files++] = arg;
        else if (strcmp(arg, "--") == 0)
            only_files = true;
        else if (strcmp(arg, "--sort") == 0)
            option.mode = SORT;
        else if (strcmp(arg, "--unique") == 0)
            option.mode = UNIQUE;
        else if (strcmp(arg, "--count") == 0)
            option.mode = COUNT;
        else if (strcmp(arg, "--top") == 0)
            option.mode = TOP;
        else if (strncmp(arg, "--top=", 6) == 0)
            option.top = parse_number(arg + 6, false);
        else if (strcmp(arg, "--words") == 0)
            option.words = true;
        else if (strncmp(arg, "--memory=", 9) == 0)
            option.memory = parse_number(arg + 9, true);
        else if (strcmp(arg, "--summary") == 0)
            option.summary = true;
        else if (strcmp(arg, "--help") == 0)
            usage();
        else
            die("no such option: %s (--help lists them)", arg);
    }
    if (option.memory < LEAST_MEMORY)
        die("--memory is at least %zuK", LEAST_MEMORY >> 10);
    if (option.mode == COUNT)
        option.top = SIZE_MAX;
    return files;
}

int main(int argc, char **argv)
{
    static struct reader reader;
    static struct batch batch;
    static struct sources sources;
    static struct result result;
    int files = parse_options(argc, argv), i;

    clock_gettime(CLOCK_MONOTONIC, &total.begin);
    total.terminal = isatty(STDERR_FILENO) != 0;
    setvbuf(stdout, NULL, _IONBF, 0);   /* writes are large as they are */
    arena_huge_init(&pages);
    arena_init(&batch.text, arena_options(1));
    lines_init(&batch.lines, arena_options(0));
    arena_init(&batch.kept_text, arena_options(1));
    lines_init(&batch.kept_lines, arena_options(0));
    lines_init(&batch.array, arena_options(0));
    arena_init(&result.text, arena_options(1));
    lines_init(&result.lines, arena_options(0));
    lines_init(&result.arrays, arena_options(0));
    reset_batch(&batch);
    /* What is kept, which is there twice for a while, never takes more than half of `most`. */
    batch.most = option.memory / 3 * 2;
    batch.limit = batch.most / 2 < FIRST_LOOK ? batch.most : FIRST_LOOK;

    if (files == 0)
        read_file(&reader, "-", &batch, &sources);
    for (i = 0; i < files; i++)
        read_file(&reader, argv[i], &batch, &sources);
    if (batch.count != 0)
        sort_batch(&batch);
    progress_clear();
    sources_add_batch(&sources, &batch.text, batch.sorted, batch.count);
    merge(&sources, deliver, &result);
    if (result.distinct != 0 && (option.mode == TOP || option.mode == COUNT))
        print_ranked(&result);
    flush();
    if (option.mode == TOP)
        print_summary(stdout, &batch, &result, reader.bytes);
    else if (option.summary)
        print_summary(stderr, &batch, &result, reader.bytes);
    if (ferror(stdout) || fclose(stdout) != 0)
        die("cannot write: %s", strerror(errno));

    free(reader.buffer);
    arena_release(&batch.text);
    lines_release(&batch.lines);
    arena_release(&batch.kept_text);
    lines_release(&batch.kept_lines);
    lines_release(&batch.array);
    arena_release(&result.text);
    lines_release(&result.lines);
    lines_release(&result.arrays);
    return EXIT_SUCCESS;
}
