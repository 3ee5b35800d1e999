/* lines_sort.h - a part of lines.c: puts an array of lines in the order of their bytes. */

#ifndef LINES_SORT_H
#define LINES_SORT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define PREFETCH(p) __builtin_prefetch(p)
#else
#define PREFETCH(p) ((void)(p))
#endif

#define FEW      ((size_t)20)           /* lines for which insertion sort is the fastest */
#define MAX_BITS 11                     /* of a digit */
#define SPREAD   ((size_t)1 << 15)      /* lines up to which a group is spread through a copy */
#define AHEAD    8                      /* lines by which text is asked for before its use */

/* ---- a line ---------------------------------------------------------------------------------- */

struct line {
    uint64_t head;                      /* the first bytes, see head_of */
    arena_ref_t ref;                    /* the text */
    uint32_t count;                     /* how often it was seen; see fold in lines.c */
};

static uint64_t big_endian_4(const unsigned char *p)
{
    return (uint64_t)p[0] << 24 | (uint64_t)p[1] << 16 | (uint64_t)p[2] << 8 | (uint64_t)p[3];
}

/* The first seven bytes, padded with zeros, and in the last byte how many there are, 8 standing for
   more than seven. So a line comes before any longer one that begins with it, even where that goes
   on with a NUL, and two lines with the same head are the same line unless both are longer. */
static uint64_t head_of(const char *line, size_t length)
{
    const unsigned char *p = (const unsigned char *)line;
    if (length >= 8)
        return big_endian_4(p) << 32 | (big_endian_4(p + 4) & 0xFFFFFF00u) | 8;
    if (length >= 4)                    /* in two words that overlap: nothing behind is read */
        return big_endian_4(p) << 32 | big_endian_4(p + length - 4) << (64 - 8 * length) | length;
    if (length == 0)
        return 0;
    return (uint64_t)p[0] << 56 | (uint64_t)p[length / 2] << (56 - 8 * (length / 2)) |
           (uint64_t)p[length - 1] << (64 - 8 * length) | length;
}

static bool is_whole(uint64_t head) { return (head & 255) < 8; }

/* Less than, equal to or greater than 0, as a is before, equal to or behind b in the order of
   bytes. */
static int compare_bytes(const char *a, size_t m, const char *b, size_t n)
{
    size_t least = m < n ? m : n;
    int order = least != 0 ? memcmp(a, b, least) : 0;
    return order != 0 ? order : m < n ? -1 : m > n;
}

/* ---- sorting --------------------------------------------------------------------------------- */

/* All lines of a group have the same bytes before `depth`, and their heads are the bytes from
   there. So a group is sorted by its heads first, as numbers: it is spread into buckets by the
   topmost bits in which any two heads differ, then each bucket in the same way. Text is only
   looked at afterwards, for the lines that have the same head: those are a group again, from the
   first byte on in which they differ. */

struct buckets {
    unsigned shift;                     /* the digit: some bits of a head */
    uint64_t mask;
    size_t start[((size_t)1 << MAX_BITS) + 1], next[(size_t)1 << MAX_BITS];
};

static size_t bucket_of(const struct buckets *b, const struct line *line)
{
    return (size_t)(line->head >> b->shift & b->mask);
}

static unsigned bit_length(uint64_t x)
{
    unsigned bits = 0, step;
    for (step = 32; step != 0; step /= 2) {
        if (x >> step != 0) {
            x >>= step;
            bits += step;
        }
    }
    return bits + (x != 0);
}

static void buckets_begin(struct buckets *b, unsigned shift, unsigned bits)
{
    b->shift = shift;
    b->mask = ((uint64_t)1 << bits) - 1;
    memset(b->start, 0, (size_t)(b->mask + 2) * sizeof b->start[0]);
}

/* The digit for n lines goes from the highest bit of `differ` on, and is so wide that a bucket
   would get few lines if they were spread evenly. */
static void buckets_choose(struct buckets *b, uint64_t differ, size_t n)
{
    unsigned top = bit_length(differ), bits = bit_length(n / 4 + 1);
    if (bits > MAX_BITS)
        bits = MAX_BITS;
    if (bits > top)
        bits = top;
    buckets_begin(b, top - bits, bits);
}

static void buckets_count(struct buckets *b, const struct line *v, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        b->start[bucket_of(b, &v[i]) + 1]++;
}

/* From the size of each bucket to its place. */
static void buckets_place(struct buckets *b)
{
    size_t i;
    for (i = 0; i <= b->mask; i++) {
        b->start[i + 1] += b->start[i];
        b->next[i] = b->start[i];
    }
}

static void buckets_spread(struct buckets *b, struct line *to, const struct line *v, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        to[b->next[bucket_of(b, &v[i])]++] = v[i];
}

/* The same within v itself, by following the cycles of the permutation. */
static void buckets_spread_in_place(struct buckets *b, struct line *v)
{
    size_t i, to;
    for (i = 0; i <= b->mask; i++) {
        while (b->next[i] < b->start[i + 1]) {
            struct line carried = v[b->next[i]];
            while ((to = bucket_of(b, &carried)) != i) {
                struct line other = v[b->next[to]];
                v[b->next[to]++] = carried;
                carried = other;
            }
            v[b->next[i]++] = carried;
        }
    }
}

/* Sorts by heads alone. A turn uses up some of the 64 bits, so the recursion is never deep. */
static void sort_heads(struct line *scratch, struct line *v, size_t n)
{
    struct buckets b;
    uint64_t differ = 0;
    size_t i, j;
    if (n <= FEW) {
        for (i = 1; i < n; i++) {
            struct line moving = v[i];
            for (j = i; j > 0 && moving.head < v[j - 1].head; j--)
                v[j] = v[j - 1];
            v[j] = moving;
        }
        return;
    }
    for (i = 1; i < n; i++)
        differ |= v[i].head ^ v[0].head;
    if (differ == 0)
        return;
    buckets_choose(&b, differ, n);
    buckets_count(&b, v, n);
    buckets_place(&b);
    if (n <= SPREAD) {
        memcpy(scratch, v, n * sizeof *v);
        buckets_spread(&b, v, scratch, n);
    } else {
        buckets_spread_in_place(&b, v);
    }
    for (i = 0; i <= b.mask; i++)
        if (b.start[i + 1] - b.start[i] > 1)
            sort_heads(scratch, v + b.start[i], b.start[i + 1] - b.start[i]);
}

/* Sorts a few lines by what follows their first `depth` bytes. */
static void sort_tails(const arena_t *text, struct line *v, size_t n, size_t depth)
{
    size_t i, j;
    for (i = 1; i < n; i++) {
        struct line moving = v[i];
        arena_view_t x = arena_value(text, moving.ref), y;
        for (j = i; j > 0; j--) {
            y = arena_value(text, v[j - 1].ref);
            if (compare_bytes(x.data + depth, x.len - depth, y.data + depth, y.len - depth) >= 0)
                break;
            v[j] = v[j - 1];
        }
        v[j] = moving;
    }
}

/* The lines have the same first `depth` bytes and go on behind them: finds the first byte in which
   they differ, makes heads from there on and returns that depth. */
static size_t make_heads(const arena_t *text, struct line *v, size_t n, size_t depth)
{
    arena_view_t first = arena_value(text, v[0].ref), line;
    size_t common = first.len, i, j;
    for (i = 1; i < n; i++) {
        if (i + AHEAD < n)
            PREFETCH(arena_value(text, v[i + AHEAD].ref).data + depth);
        line = arena_value(text, v[i].ref);
        if (common > line.len)
            common = line.len;
        for (j = depth; j + 8 <= common && memcmp(first.data + j, line.data + j, 8) == 0; j += 8) {}
        while (j < common && first.data[j] == line.data[j])
            j++;
        common = j;
    }
    for (i = 0; i < n; i++) {
        if (i + AHEAD < n)
            PREFETCH(arena_value(text, v[i + AHEAD].ref).data + common);
        line = arena_value(text, v[i].ref);
        v[i].head = head_of(line.data + common, line.len - common);
    }
    return common;
}

static void sort_group(const arena_t *text, struct line *scratch, struct line *v, size_t n,
                       size_t depth);

static void sort_deeper(const arena_t *text, struct line *scratch, struct line *v, size_t n,
                        size_t depth)
{
    depth = make_heads(text, v, n, depth);
    sort_group(text, scratch, v, n, depth);
}

/* The longest run of one head is left for the next turn of the loop. Any other has at most half of
   the lines, so the recursion is never deeper than n has bits. */
static void sort_group(const arena_t *text, struct line *scratch, struct line *v, size_t n,
                       size_t depth)
{
    while (n > 1) {
        size_t longest = 0, longest_n = 0, run, run_n, other, other_n, ahead;
        sort_heads(scratch, v, n);
        for (run = 0; run < n; run += run_n) {
            ahead = run + AHEAD;
            if (ahead + 1 < n && v[ahead].head == v[ahead + 1].head && !is_whole(v[ahead].head)) {
                PREFETCH(arena_value(text, v[ahead].ref).data + depth);
                PREFETCH(arena_value(text, v[ahead + 1].ref).data + depth);
            }
            run_n = 1;
            while (run + run_n < n && v[run + run_n].head == v[run].head)
                run_n++;
            if (run_n == 1 || is_whole(v[run].head))
                continue;               /* one line, or so many times the same */
            if (run_n <= FEW) {
                sort_tails(text, v + run, run_n, depth + 7);
                continue;
            }
            other = run;
            other_n = run_n;
            if (run_n > longest_n) {
                other = longest;
                other_n = longest_n;
                longest = run;
                longest_n = run_n;
            }
            if (other_n != 0)
                sort_deeper(text, scratch, v + other, other_n, depth + 7);
        }
        v += longest;
        n = longest_n;
        if (n != 0)
            depth = make_heads(text, v, n, depth + 7);
    }
}

#endif
