/* An importer for a renderer: the vertices of all meshes in one buffer, their indices in another,
 * as a GPU wants them. Meshes come from OBJ text files and go again, holes are reused, and a bit of
 * compaction each frame keeps the buffers short. Every move is repeated on a copy that stands for
 * the GPU's memory. With a folder as argument, meshes.bin (both buffers and the draw table) and
 * meshes.svg (what was where, frame by frame) are written there. Run it in the sources' root. */
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vertex { float x, y, z; };
ARENA_POOL_DEFINE(vertices, struct vertex);
ARENA_POOL_DEFINE(indices, uint32_t);

enum { MESHES = 24, FRAMES = 60, BUDGET = 80 };

static const char *const files[] = { "cone", "cube", "hills", "icosahedron", "octahedron",
                                     "tetrahedron", "torus" };
enum { FILES = sizeof files / sizeof files[0] };

struct mesh {
    int file;                                    /* -1 = not loaded */
    vertices_handle_t vertices;
    indices_handle_t indices;
};

/* What a draw call needs; indices count from the mesh's own first vertex. */
struct draw { uint32_t first_index, index_count, base_vertex, vertex_count; };

static vertices_t vertices;
static indices_t triangles;
static struct mesh meshes[MESHES];
static struct vertex gpu[8192];                  /* hears of stores and moves only */
static size_t moves, moved, problems;

/* The whole file as a string in the arena; "" if it cannot be read. */
static const char *text_of(arena_t *a, int file)
{
    const char *path = arena_printf(a, "examples/data/%s.obj", files[file]);
    char block[4096];
    arena_slice_t text = { 0 };
    size_t n;
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        fprintf(stderr, "meshes: %s cannot be read\n", path);
        exit(1);
    }
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        (void)arena_extend(a, &text, block, n);
    fclose(f);
    (void)arena_push(a, &text, '\0');
    return text.len > 0 ? text.data : "";
}

static const char *next_line(const char *s)
{
    s += strcspn(s, "\n");
    return *s == '\n' ? s + 1 : s;
}

/* One corner of a face, "3", "3/1", "3//2" or "-1", as an index from 0; moves *at behind it. Gives
 * false at the end of the line. */
static bool corner(const char **at, long count, uint32_t *index)
{
    char *end;
    long n;
    const char *s = *at + strspn(*at, " \t");
    if (*s == '\n' || *s == '\r' || *s == '\0')
        return false;
    n = strtol(s, &end, 10);
    if (n < 0)
        n += count + 1;
    if (end == s || n < 1 || n > count) {
        problems++;
        n = 1;
    }
    *index = (uint32_t)(n - 1);
    *at = end + strcspn(end, " \t\r\n");
    return true;
}

/* Reads v and f lines. Faces become fans of triangles. */
static bool load(arena_t *scratch, struct mesh *m, int file)
{
    const arena_mark_t mark = arena_mark(scratch);
    const char *text = text_of(scratch, file), *s;
    const struct vertex none = { 0, 0, 0 };
    size_t count = 0, corners = 0, v = 0;
    struct vertex *out;
    for (s = text; *s != '\0'; s = next_line(s))
        count += s[0] == 'v' && s[1] == ' ';
    m->vertices = vertices_append(&vertices, none, count);
    m->indices = indices_append(&triangles, 0, 1);
    m->file = file;
    for (s = text; *s != '\0'; s = next_line(s)) {
        if (s[0] == 'v' && s[1] == ' ') {
            char *end;
            out = vertices_get(&vertices, m->vertices) + v++;
            out->x = strtof(s + 2, &end);
            out->y = strtof(end, &end);
            out->z = strtof(end, &end);
        } else if (s[0] == 'f' && s[1] == ' ') {
            uint32_t first = 0, last = 0, index;
            const char *at = s + 2;
            int n = 0;
            for (; corner(&at, (long)v, &index); last = index, n++) {
                uint32_t *to;
                if (n == 0)
                    first = index;
                if (n < 2)
                    continue;
                /* The span grows as faces are read, in place if the room behind it is free. */
                if (!indices_resize(&triangles, m->indices, corners + 3))
                    return false;
                to = indices_get(&triangles, m->indices) + corners;
                to[0] = first;
                to[1] = last;
                to[2] = index;
                corners += 3;
            }
        }
    }
    (void)arena_rewind(scratch, mark);
    /* Uploaded. */
    memcpy(gpu + vertices_start(&vertices, m->vertices), vertices_get(&vertices, m->vertices),
           count * sizeof *gpu);
    return vertices_status(&vertices) == ARENA_OK && indices_status(&triangles) == ARENA_OK;
}

static void unload(struct mesh *m)
{
    if (vertices_free(&vertices, m->vertices) != ARENA_OK ||
        indices_free(&triangles, m->indices) != ARENA_OK)
        problems++;
    m->file = -1;
}

/* What a GPU is told: copy count vertices, and since ranges may overlap, upwards. */
static void on_moved(void *ctx, size_t from, size_t to, size_t count)
{
    (void)ctx;
    memmove(gpu + to, gpu + from, count * sizeof *gpu);
    moves++;
    moved += count;
}

static void picture_begin(FILE *svg)
{
    if (svg != NULL)
        fprintf(svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\" height=\"%d\" "
                "font-family=\"sans-serif\" font-size=\"13\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
                "<text x=\"20\" y=\"22\">Vertex buffer, frame by frame: one colour a file, holes "
                "white, free space at the end grey</text>\n",
                FRAMES * 8 + 70);
}

static void picture_row(FILE *svg, int frame, double scale)
{
    static const char *const colours[] = { "#4e79a7", "#f28e2b", "#59a14f", "#e15759",
                                           "#b07aa1", "#edc948", "#76b7b2" };
    size_t start = 0, count = 0;
    int k;
    if (svg == NULL)
        return;
    for (k = 0; k < MESHES; k++) {
        if (meshes[k].file >= 0)
            fprintf(svg, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"7\" fill=\"%s\"/>\n",
                    20 + (double)vertices_start(&vertices, meshes[k].vertices) * scale,
                    36 + frame * 8,
                    (double)vertices_span(&vertices, meshes[k].vertices).len * scale - 0.4,
                    colours[meshes[k].file]);
    }
    while (vertices_next_free(&vertices, &start, &count)) {
        if (start + count == vertices_buffer_len(&vertices))
            fprintf(svg, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"7\" fill=\"#ddd\"/>\n",
                    20 + (double)start * scale, 36 + frame * 8, (double)count * scale);
    }
}

static void report(const char *when)
{
    const arena_pool_stats_t v = vertices_stats(&vertices), i = indices_stats(&triangles);
    printf("%s: %lu meshes, %lu vertices in %lu, %lu free spans, largest %lu; %lu indices in %lu\n",
           when, (unsigned long)v.spans, (unsigned long)v.len, (unsigned long)v.buffer_len,
           (unsigned long)v.free_spans, (unsigned long)v.largest_free, (unsigned long)i.len,
           (unsigned long)i.buffer_len);
}

static FILE *create(arena_t *a, const char *folder, const char *name)
{
    FILE *f = folder != NULL ? fopen(arena_printf(a, "%s/%s", folder, name), "wb") : NULL;
    if (folder != NULL && f == NULL) {
        fprintf(stderr, "meshes: %s/%s cannot be written\n", folder, name);
        exit(1);
    }
    return f;
}

/* One file: five counts, the draw table, both buffers as they are. */
static size_t save(FILE *f)
{
    struct draw table[MESHES];
    uint32_t head[5] = { 0x4853454D, 0, 0, 0, sizeof(struct vertex) };
    int k;
    for (k = 0; k < MESHES; k++) {
        struct draw *d = &table[head[1]];
        if (meshes[k].file < 0)
            continue;
        d->first_index = (uint32_t)indices_start(&triangles, meshes[k].indices);
        d->index_count = (uint32_t)indices_span(&triangles, meshes[k].indices).len;
        d->base_vertex = (uint32_t)vertices_start(&vertices, meshes[k].vertices);
        d->vertex_count = (uint32_t)vertices_span(&vertices, meshes[k].vertices).len;
        head[1]++;
    }
    /* After full compaction what lives is one prefix of each buffer. */
    head[2] = (uint32_t)vertices_len(&vertices);
    head[3] = (uint32_t)indices_len(&triangles);
    if (f != NULL) {
        if (fwrite(head, sizeof head, 1, f) != 1 ||
            fwrite(table, sizeof *table, head[1], f) != head[1] ||
            fwrite(vertices_data(&vertices), sizeof(struct vertex), head[2], f) != head[2] ||
            fwrite(indices_data(&triangles), sizeof(uint32_t), head[3], f) != head[3])
            problems++;
        if (fclose(f) != 0)
            problems++;
    }
    return sizeof head + head[1] * sizeof *table + head[2] * sizeof(struct vertex) +
           head[3] * sizeof(uint32_t);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : NULL;
    arena_t scratch = { 0 };
    FILE *svg = create(&scratch, folder, "meshes.svg");
    uint32_t random = 1;
    int frame, k;
    picture_begin(svg);
    for (k = 0; k < MESHES; k++) {
        if (!load(&scratch, &meshes[k], k % FILES))
            problems++;
    }
    report("loaded");
    for (frame = 0; frame < FRAMES; frame++) {
        /* Three, drawn by lot, go if they are there and come if not; from frame 40 on none. */
        for (k = 0; k < 3 && frame < 40; k++) {
            struct mesh *m;
            random = random * 1664525u + 1013904223u;
            m = &meshes[(random >> 16) % MESHES];
            if (m->file >= 0)
                unload(m);
            else if (!load(&scratch, m, (int)((random >> 8) % FILES)))
                problems++;
        }
        if (frame == 19)
            report("before compaction");
        if (frame >= 20) {
            (void)vertices_compact(&vertices, BUDGET, on_moved, NULL);
            (void)indices_compact(&triangles, BUDGET * 6, NULL, NULL);
        }
        picture_row(svg, frame, 960.0 / 1400);
        if (!vertices_is_valid(&vertices) || !indices_is_valid(&triangles))
            problems++;
    }
    while (indices_compact(&triangles, SIZE_MAX, NULL, NULL) != 0) { }
    while (vertices_compact(&vertices, SIZE_MAX, on_moved, NULL) != 0) { }
    report("compacted");
    printf("%lu vertices moved in %lu moves; the GPU's copy is %s\n", (unsigned long)moved,
           (unsigned long)moves,
           memcmp(gpu, vertices_data(&vertices), vertices_len(&vertices) * sizeof *gpu) == 0
               ? "the same" : "ANOTHER ONE");
    /* A mesh that is gone is told apart from the one that has its place now. */
    {
        struct mesh old = meshes[0].file >= 0 ? meshes[0] : meshes[1];
        vertices_handle_t stale = old.vertices;
        unload(meshes[0].file >= 0 ? &meshes[0] : &meshes[1]);
        if (!load(&scratch, meshes[0].file < 0 ? &meshes[0] : &meshes[1], old.file))
            problems++;
        printf("the handle of an unloaded mesh: %s\n",
               vertices_get(&vertices, stale) == NULL ? "refused" : "TAKEN");
    }
    while (indices_compact(&triangles, SIZE_MAX, NULL, NULL) != 0) { }
    while (vertices_compact(&vertices, SIZE_MAX, on_moved, NULL) != 0) { }
    printf("one file of %lu bytes\n", (unsigned long)save(create(&scratch, folder, "meshes.bin")));
    if (svg != NULL) {
        fprintf(svg, "</svg>\n");
        if (fclose(svg) != 0)
            problems++;
    }
    printf("problems: %lu\n", (unsigned long)problems);
    vertices_release(&vertices);
    indices_release(&triangles);
    arena_release(&scratch);
    return problems != 0;
}
