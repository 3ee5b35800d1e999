/* lines_merge.h - a part of lines.c: batches in temporary files, and the merge of all. */

#ifndef LINES_MERGE_H
#define LINES_MERGE_H

#define MOST_FILES 128                  /* open at one time, and one more */

typedef void deliver_t(void *ctx, const char *line, size_t length, uint64_t count);

/* A sequence of lines in order with their counts: a temporary file, or the batch in memory. */
struct source {
    FILE *file;                         /* NULL: the batch */
    const arena_t *text;                /* and its lines, those not yet used */
    const struct line *next, *end;
    const char *line;                   /* the present line */
    size_t length;
    uint64_t count;
    char *buffer;                       /* holds it, if it is from the file */
    size_t room;
};

struct sources {
    struct source *v;
    size_t count, room;
};

static struct source *sources_add(struct sources *all)
{
    if (all->count == all->room) {
        all->room = all->room != 0 ? 2 * all->room : 16;
        all->v = (struct source *)grow(all->v, all->room * sizeof *all->v);
    }
    memset(&all->v[all->count], 0, sizeof *all->v);
    return &all->v[all->count++];
}

static void sources_add_batch(struct sources *all, const arena_t *text, const struct line *v,
                              size_t n)
{
    struct source *s = sources_add(all);
    s->text = text;
    s->next = v;
    s->end = n != 0 ? v + n : v;
}

static FILE *file_make(void)
{
    FILE *file = tmpfile();
    if (file == NULL)
        die("no temporary file: %s", strerror(errno));
    setvbuf(file, NULL, _IOFBF, WRITE_BYTES);
    return file;
}

/* In a file a line is its count, its length and its bytes. */
static void file_put(void *file, const char *line, size_t length, uint64_t count)
{
    uint64_t header[2];
    header[0] = count;
    header[1] = length;
    fwrite(header, sizeof header, 1, (FILE *)file);
    if (length != 0)
        fwrite(line, 1, length, (FILE *)file);
}

/* The file, which is written, becomes one of the sources. */
static void sources_add_file(struct sources *all, FILE *file)
{
    if (fflush(file) != 0 || ferror(file) || fseek(file, 0, SEEK_SET) != 0)
        die("cannot write a temporary file: %s", strerror(errno));
    sources_add(all)->file = file;
}

/* Goes to the next line; false at the end. */
static bool source_advance(struct source *s)
{
    uint64_t header[2];
    if (s->file == NULL) {
        arena_view_t line;
        if (s->next == s->end)
            return false;
        if (s->end - s->next > AHEAD)
            PREFETCH(arena_value(s->text, s->next[AHEAD].ref).data);
        line = arena_value(s->text, s->next->ref);
        s->line = line.data;
        s->length = line.len;
        s->count = s->next++->count;
        return true;
    }
    if (fread(header, sizeof header, 1, s->file) == 1) {
        s->count = header[0];
        s->length = (size_t)header[1];
        if (s->room < s->length) {
            s->room = 2 * s->length;
            s->buffer = (char *)grow(s->buffer, s->room);
        }
        s->line = s->buffer;
        if (s->length == 0 || fread(s->buffer, 1, s->length, s->file) == s->length)
            return true;
    }
    if (!feof(s->file))
        die("cannot read a temporary file: %s", strerror(errno));
    fclose(s->file);                    /* which also removes it */
    free(s->buffer);
    return false;
}

static bool source_before(const struct source *a, const struct source *b)
{
    return compare_bytes(a->line, a->length, b->line, b->length) < 0;
}

/* Lets heap[i] sink to its place. The source with the first line of all is on top, at 0. */
static void heap_sink(struct source **heap, size_t n, size_t i)
{
    struct source *moving = heap[i];
    size_t child;
    while ((child = 2 * i + 1) < n) {
        if (child + 1 < n && source_before(heap[child + 1], heap[child]))
            child++;
        if (!source_before(heap[child], moving))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moving;
}

/* Calls `deliver` once for every distinct line, in order, with its count in all sources. There are
   none left afterwards. */
static void merge(struct sources *all, deliver_t *deliver, void *ctx)
{
    struct source **heap = (struct source **)grow(NULL, all->count * sizeof *heap), *s;
    const char *line = NULL;            /* the line not yet delivered, with its count so far */
    size_t length = 0, n = 0, i, room = 0;
    uint64_t count = 0;
    char *copy = NULL;

    for (i = 0; i < all->count; i++)
        if (source_advance(&all->v[i]))
            heap[n++] = &all->v[i];
    for (i = n / 2; i-- != 0;)
        heap_sink(heap, n, i);
    while (n != 0) {
        s = heap[0];
        /* In one source a line comes twice only if its count was too large for one struct. */
        if (count != 0 && (all->count > 1 || count >= COUNT_MAX) &&
            compare_bytes(line, length, s->line, s->length) == 0) {
            count += s->count;
        } else {
            if (count != 0)
                deliver(ctx, line, length, count);
            line = s->line;
            length = s->length;
            count = s->count;
            if (s->file != NULL) {      /* its buffer is about to take the next line */
                if (room < length) {
                    room = 2 * length;
                    copy = (char *)grow(copy, room);
                }
                if (length != 0)
                    memcpy(copy, line, length);
                line = copy;
            }
        }
        if (!source_advance(s))
            heap[0] = heap[--n];
        if (n != 0)
            heap_sink(heap, n, 0);
    }
    if (count != 0)
        deliver(ctx, line, length, count);
    free(copy);
    free(heap);
    free(all->v);
    memset(all, 0, sizeof *all);
}

/* Writes a sorted batch to a temporary file. If there are many already, they become one before. */
static void spill(struct sources *all, const arena_t *text, const struct line *v, size_t n)
{
    FILE *file;
    size_t i;
    if (all->count == MOST_FILES) {
        file = file_make();
        merge(all, file_put, file);
        sources_add_file(all, file);
    }
    file = file_make();
    for (i = 0; i < n; i++) {
        arena_view_t line = arena_value(text, v[i].ref);
        file_put(file, line.data, line.len, v[i].count);
    }
    sources_add_file(all, file);
}

#endif
