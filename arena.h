/* arena.h - v0.1 - chunk-backed arenas for C and C++ - MIT or Unlicense, at the end of the file
 *
 * Storage for values that die together. Values are copied in and handed back as views; nothing is
 * freed one by one; the whole arena is rewound at once. Where very many descriptors are kept there
 * is the Ref: 12 bytes, no pointer in it, checked on every use, good across threads.
 *
 * Use: #include "arena.h" wherever it is needed (C99, C++11 or later), and in one C or C++ file
 *     #define ARENA_IMPLEMENTATION
 *     #include "arena.h"
 * Without it the linker misses arena_core_release_ and others; twice, it finds them defined twice.
 *
 * QUICK START
 *
 *     #define ARENA_IMPLEMENTATION
 *     #include "arena.h"
 *     #include <stdio.h>
 *
 *     struct point { int x, y; };
 *     ARENA_DEFINE(points, struct point);               // makes points_t, points_append, ...
 *
 *     int main(void)
 *     {
 *         arena_t text = {0};                           // bytes and strings; {0} is ready to use
 *         points_t shape = {0};                         // an arena of struct point
 *         struct point corner[2] = {{1, 2}, {3, 4}};
 *         const char *name = arena_printf(&text, "shape %d", 7);
 *         points_ref_t ref = points_ref(&shape, corner, 2);
 *         points_view_t v = points_value(&shape, ref);
 *         printf("%s: %d points, last %d,%d\n", name, (int)v.len, v.data[1].x, v.data[1].y);
 *         points_reset(&shape);                         // all gone at once; ref is stale now
 *         printf("after reset: %d\n", (int)points_value(&shape, ref).len);
 *         points_release(&shape);
 *         arena_release(&text);
 *         return arena_status(&text) != ARENA_OK || points_status(&shape) != ARENA_OK;
 *     }
 *
 * It prints:
 *
 *     shape 7: 2 points, last 3,4
 *     after reset: 0
 *
 * CONTENTS
 *
 *     How it works, Invariants, API, Options, Lifetime, Errors, Memory, Threads, Limits,
 *     What it does not do, Cost, The span pool; then the code: shims, types, hot path, families,
 *     byte arena, pool; implementation; licence.
 *
 * HOW IT WORKS
 *
 *     arena                     chunk 0 (full)      chunk 1 (being filled)    chunk 2 (a tail)
 *     +-----------------+       +-----------+       +-----------+---------+   +---------+-------+
 *     | cur  end  base  |---+   | values    |       | values    |  room   |   | values  | room  |
 *     | table           |   |   +-----------+       +-----------+---------+   +---------+-------+
 *     | chunks, tails   |   |                       ^ base      ^ cur     ^ end
 *     +-----------------+   +-----------------------+-----------+---------+
 *       |
 *       +-> table: one entry a chunk number {base, tag = number | generation, held}
 *
 *     Ref {chunk, off, len}: chunk = number << 9 | generation << 1 | a NUL follows; off and len
 *     count elements. It resolves if the entry of that number has that tag and holds off + len.
 *
 *     A store that fits moves cur, copies, and is done. Any other goes through one cold path: to
 *     the open chunk with the least room that holds it, else into the next chunk; a value larger
 *     than a chunk gets a chunk of its own. Five chunks at most are open: the one being filled and
 *     four others with room (tails). A reset makes all chunks idle by setting a count to 0; a chunk
 *     that is opened again gets the next generation, so that Refs from before do not resolve.
 *
 * INVARIANTS (arena_is_valid checks them in this order, I3 and I4 chunk by chunk, for every family)
 *
 *     I1  Opened chunks come first, then idle ones; the chunk being filled is opened; numbers
 *         reaches the opened chunks and no others. A fixed arena has no chunk but its buffer.
 *     I2  base <= cur <= end <= base + capacity of the chunk being filled, and cur - base is whole
 *         elements. Where none is being filled all three are NULL.
 *     I3  Each chunk is aligned for its elements; capacity and used are whole elements, used at
 *         most capacity; in a byte arena the spare byte behind the capacity is 0 while opened.
 *     I4  An opened chunk's entry has its number, its base, a generation of 1 to 255, and held =
 *         used; or, for the one being filled, the tag that the arena has.
 *     I5  Tails are opened, distinct, not oversized and not the one being filled; at most four.
 *     I6  The sums kept are the sums of the chunks: bytes used elsewhere, retained (at most peak),
 *         allocated.
 *     I7  Padding is at most what is used; stranded is the room of the opened chunks that are
 *         neither being filled nor tails.
 *     I8  The oversized chunks opened are exactly those on their list and as many as counted; no
 *         idle chunk is one.
 *     I9  Storage waiting to be used again lies in opened chunks, in the list for its size; a bit
 *         is set exactly where such a list is not empty.
 *
 * API
 *
 *     For a family made by ARENA_DEFINE(name, T), and for bytes with name = arena, T = char,
 *     sources of any type. `count` is elements, `bytes` is bytes. "-" cannot fail. All work on {0}
 *     (in C++ write {}: -Wextra warns of {0}). The macros stand at file scope, in a header of yours
 *     where several files use the family; the semicolon behind them belongs there. T is any type
 *     that can be assigned and stand in an array, trivially copyable in C++: elements are copied as
 *     bytes. An array goes into a struct. Each family of arenas, slices and pools has a name of its
 *     own.
 *
 *     name_t                          the arena
 *     name_ref_t                      {uint32_t chunk, off, len}; Refs are equal if all three are
 *     name_view_t                     {const T *data; size_t len}, with no NUL behind it
 *     name_slice_t                    {T *data; size_t len, cap}, {0} at first; elements are yours
 *     name_elem_t                     T
 *
 *     Elements that hold Refs to their own kind, or to a kind that comes later: ARENA_DECLARE, once
 *     and first, makes name_t and name_ref_t, which need no T, ARENA_DEFINE_DECLARED all the rest
 *     of the family. What is stored may be changed: name_reserve_ref gives the place to write to,
 *     and the elements that a view of an arena of yours shows are no const objects: cast and write.
 *
 *         ARENA_DECLARE(nodes);         // missing: "unknown type name nodes_ref_t"
 *         struct node { int key; nodes_ref_t left, right; };
 *         ARENA_DEFINE_DECLARED(nodes, struct node);
 *         ...
 *         struct node one = {1, {0}, {0}}, two = {2, {0}, {0}};
 *         one.left = nodes_ref(&tree, &two, 1);
 *         root = nodes_ref(&tree, &one, 1);
 *         ((struct node *)nodes_value(&tree, root).data)->key = 3;
 *
 *     function                        returns               fails with        cost
 *     name_make(chunk_bytes)          an arena by value     -                 O(1)
 *     name_init(a, options)           status                ARGUMENT TOO_L    O(1)
 *     name_append(a, src, count)      the copy, NULL        store errors      O(count)
 *     name_ref(a, src, count)         its Ref, absent       + REF_RANGE       O(count)
 *     name_reserve(a, count)          room to fill, NULL    store errors      O(1)
 *     name_reserve_ref(a, count, &r)  the same and its Ref  + REF_RANGE       O(1)
 *     name_value(a, r)                a view, or {NULL, 0}  no status         O(1)
 *     name_value_unchecked(a, r)      a view                undefined if bad  O(1)
 *     name_prefetch(a, r)             a hint, no effect     -                 O(1)
 *     name_ref_empty(r)               whether r is absent   -                 O(1)
 *     name_reset(a)                                         -                 O(1) + oversized
 *     name_release(a)                                       -                 O(chunks)
 *     name_trim(a, keep_bytes)                              -                 O(freed)
 *     name_mark(a)                    a mark                -                 O(1)
 *     name_rewind(a, mark)            bool                  STALE             O(opened since)
 *     name_size(a)                    bytes of values       -                 O(1)
 *     name_retained(a)                bytes of capacity     -                 O(1)
 *     name_chunk_count(a)             chunks opened         -                 O(1)
 *     name_chunk(a, i)                what chunk i holds    {NULL, 0}         O(1)
 *     name_stats(a)                   all figures           -                 O(1)
 *     name_status(a)                  the first failure     -                 O(1)
 *     name_clear_status(a)                                  -                 O(1)
 *     name_set_limit(a, bytes)                              -                 O(1)
 *     name_is_valid(a)                bool                  -                 O(chunks)
 *     name_push(a, &slice, v)         bool                  store errors      O(1) amortised
 *     name_extend(a, &slice, src, n)  bool                  store errors      O(n) amortised
 *     name_slice(a, len, cap)         a slice of zeros      store errors      O(cap)
 *     name_shrink(a, &slice)                                -                 O(1)
 *     name_join(lane, group)          status                ARGUMENT          O(1)
 *
 *     Bytes only: arena_intern, _intern_n, _strref, _strref_n, _str, _printf, _vprintf, _extendf,
 *     _vextendf, _strjoin (strings); arena_alloc, _alloc_zeroed, _realloc, _allocf, ARENA_NEW,
 *     ARENA_NEW_ARRAY, ARENA_SLICE_DEFINE (objects and slices of any type); arena_current,
 *     _make_current, _current_malloc, _current_realloc, _current_free, arena_scope_open,
 *     arena_scope_close, ARENA_SCOPE, arena_scratch, _scratch_release (the thread's arenas);
 *     arena_group_init, _group_release (threads). Each has its text at its declaration.
 *
 *     arena_status_text(status) says in words what a status is.
 *
 *     Store errors: NO_MEMORY, LIMIT, TOO_LARGE, and ARGUMENT for a NULL source with a count.
 *     count = 0 is no error anywhere: NULL, the absent Ref, true; a NULL source is fine then.
 *
 * OPTIONS (macros; "everywhere" = the same in every file that includes the header)
 *
 *     ARENA_IMPLEMENTATION   one file         brings the functions
 *     ARENA_STATIC           everywhere       all functions static; each file then has its own, and
 *                                             defines ARENA_IMPLEMENTATION, too. Each has a current
 *                                             arena of its own, and does not tell marks and Refs of
 *                                             an arena that another file made from those of its own
 *     ARENA_MALLOC(bytes)    implementation   with ARENA_FREE(p): instead of malloc and free, and
 *                                             aligned as malloc's blocks are
 *     ARENA_CHUNK_BYTES      implementation   65536: what chunk_bytes = 0 means
 *     ARENA_NO_STDLIB        everywhere       no libc at all: no printf family, no default malloc,
 *                                             so hooks or a fixed buffer; one current arena a
 *                                             process. Compilers themselves may call memcpy and
 *                                             memset for structs, and libgcc to divide
 *     ARENA_MEMCPY etc.      everywhere       with ARENA_MEMMOVE, ARENA_MEMSET, ARENA_MEMCMP,
 *                                             ARENA_STRLEN: instead of string.h
 *     ARENA_VSNPRINTF        implementation   instead of vsnprintf
 *     ARENA_INLINE           everywhere       `static inline`. Where you do not define it, what
 *                                             stores and resolves is inlined by force in optimised
 *                                             builds (at -Os by gcc on 64 bits alone)
 *     ARENA_DEBUG            implementation   0; 1 fills fresh storage with 0xA1 and dead storage
 *                                             with 0xDD; 2 checks every invariant in cold functions
 *                                             (ARENA_ASSERT, assert by default); 3 also gives every
 *                                             chunk back at reset and rewind, so that with hooks
 *                                             that do not use an address twice a stale view faults
 *     ARENA_VALGRIND         everywhere       tells Valgrind what is dead; needs its header
 *     ARENA_FIXED            everywhere       every arena is fixed: what takes chunks or makes
 *                                             groups is left out; in one file with ARENA_STATIC
 *                                             the core takes 1.7 KiB on a Cortex-M0. Without a
 *                                             buffer from init a store gives LIMIT
 *     ARENA_NO_ATOMICS       everywhere       no groups; set by itself where the compiler has none
 *     ARENA_THREAD_LOCAL     implementation   the storage class of the thread's own arenas
 *     ARENA_WARNINGS         everywhere       shows gcc's warnings about this file, if it has any
 *     ARENA_REF_CHUNKS       everywhere       2^23: chunk numbers of one arena; less for tests
 *     ARENA_POOL_SPANS       everywhere       2^31 - 513: spans and holes of one pool; the same
 *
 *     Sizes of structs depend on none of them.
 *
 * LIFETIME
 *
 *     A view, a string, an object stays in its place until reset, release, or a rewind to a mark
 *     from before it. An arena is not copied or moved from its first store on, one that fails or
 *     has nothing to store included, until it is released. A slice that grows may move; copies of
 *     the slice made before are dead then. A slice begun before a mark and grown after it has no
 *     claim on what a rewind takes back: restore the slice as it was at the mark. A Ref is good as
 *     long as its value and may be kept, copied and compared for ever: what it does not name any
 *     more it does not resolve to (better than 250 times in 256 after resets and in other arenas;
 *     in the chunk that a mark was taken in, a later store may take a dead Ref's place). A user
 *     buffer and hook contexts outlive the arena. The empty view has no data to point at: do not
 *     add to it or hand it to memcmp. A buffer is free for other use after release (before that a
 *     sanitizer takes it for dead storage).
 *
 * ERRORS
 *
 *     A failing call returns NULL, the absent Ref or false and leaves the arena as it was, usable.
 *     The first status is kept until cleared or reset, like ferror: check it once a batch, before
 *     the reset. Release and rewind leave it. on_error is called for every failure, after all that,
 *     and may longjmp; for one of init or group_init, too. Its bytes are what was asked for (to be
 *     added, where a slice grows), or 0 where no number fits. Nothing aborts, prints or asserts,
 *     but ARENA_DEBUG 2 asserts the invariants.
 *
 * MEMORY
 *
 *     Chunks come from the hooks, by default malloc. A chunk holds max(1, chunk_bytes / sizeof(T))
 *     elements and hooks are asked for exactly that many bytes; in a byte arena one more, for a
 *     NUL: a 64 KiB chunk asks for 65,537 (hooks that deal in pages want n * 4096 - 1). The
 *     bookkeeping of the first chunk is in the arena itself, so one chunk is one call; from the
 *     second on there is a table of 8, 16, 32, ... chunks from the same hooks, counted in allocated
 *     and the limit. Nothing is allocated before the first store. Every chunk is aligned for T; a
 *     byte arena's for long double and long long, as max_align_t is (i386 aside: 4 bytes);
 *     arena_alloc pads to any power of two. Without hooks and without a limit chunks of 4096 bytes
 *     and more begin at a cache line, for which malloc (or ARENA_MALLOC) is asked for 64 bytes and
 *     a pointer more, which nothing counts. An oversized value is held in exactly its bytes. A user
 *     buffer is used first, aligned inside itself; in a byte arena one byte of it is kept for a
 *     NUL: 256 aligned bytes hold 255. A fixed arena makes no call at all.
 *
 * THREADS
 *
 *     An arena is used by one thread at a time; several may read one that nobody stores into. For
 *     many threads with one set of Refs: one lane each, joined to an arena_group_t. Storing into a
 *     lane takes no lock and no atomic operation; opening or freeing a chunk takes a few. A Ref
 *     made by any lane resolves through any other once it was handed over in the ordinary way (a
 *     mutex, an atomic, a queue), also while others still store. In another lane's open chunk it is
 *     checked against the chunk's capacity. Hooks and on_error of a group are called from all its
 *     threads.
 *
 * LIMITS
 *
 *     A Ref: off + len up to 2^32 - 1 elements, 2^23 chunks (512 GiB at 64 KiB); beyond that values
 *     are stored all the same and only a Ref to them is refused. Sizes up to PTRDIFF_MAX.
 *     Generations return after 255 reopenings of one chunk. 64 scopes deep are told apart exactly,
 *     and 4 rewinds past marks are remembered. Slices and realloc use freed storage again inside
 *     the 64 chunks opened last.
 *
 * WHAT IT DOES NOT DO
 *
 *     No freeing of single values (see the span pool for that), no destructors, no garbage
 *     collection, no locking of one arena for several threads, no change of a value's address, no
 *     defence against a thread that resolves Refs of a lane while that lane resets.
 *
 * COST (gcc 12, -O2, Zen 5, as all times in comments; `make asm` counts instructions, `make bench`
 *     measures)
 *
 *     Storing one typed element: load the tip, compare, add, store. With the copy that is 7
 *     instructions and one branch for a scalar, 10 for a struct of two words; a source in memory
 *     is tested for NULL besides. No counters are kept on the hot path but for NULs. Resolving
 *     checks chunk, generation and length; unchecked it is an addition. A slice that a loop pushes
 *     on stays in registers while nobody else has its address. Against a bare bump without any
 *     check, with the best copy known, a store takes 1.0 to 1.1 times as long on an Intel Xeon; on
 *     Zen 5 up to 1.3 where the bump is a handful of instructions, as for 8 or 16 bytes of constant
 *     length: the comparison and the test for NULL show there. -O3 and -march=native are as -O2,
 *     and so is -Os within a tenth, but for C strings (1.15, on the Xeon 1.3). Left to itself gcc
 *     at -Os puts inline functions out of line, copies and clears by rep movs and rep stos, and
 *     divides: 2 to 8 times slower, so on 64 bits the header forces inlining and does these by
 *     words (ARENA_FOR_SIZE_).
 *
 * THE SPAN POOL
 *
 *     ARENA_POOL_DEFINE(meshes, struct vertex) makes meshes_t: one contiguous buffer of T. Spans of
 *     elements are stored, freed, merged and reused; the buffer can be handed to a GPU as it is.
 *
 *         meshes_t pool = {0};
 *         meshes_handle_t box = meshes_append_copy(&pool, vertices, 24);
 *         upload(meshes_data(&pool), meshes_buffer_len(&pool));
 *         draw(meshes_start(&pool, box), meshes_span(&pool, box).len);
 *         meshes_free(&pool, box);                          // box is stale from now on
 *
 *     Elements that hold handles of their own pool: ARENA_POOL_DECLARE(meshes) makes meshes_t and
 *     meshes_handle_t, ARENA_POOL_DEFINE_DECLARED(meshes, T) the rest, as with families.
 *
 *     buffer    | live | hole | live | live  | hole |  live  | free at the end | never used   |
 *               0                                            end            buffer_len  capacity
 *                  |      |      |
 *     table     [ 4 ]--[ 7 ]--[ 2 ]-- ...   a ring of 32-byte slots in address order; a link says
 *                         |                 whether it leads to a hole; handle = {slot, generation}
 *     by size   32 bins a power of two, with tries of holes; by place  zones, one for 16 slots
 *
 *     A hole is a free span that a live one follows; what is free behind the last live span has no
 *     slot, and is one range with the room that was never used. Storing takes the smallest hole
 *     that is large enough, else the end, else a larger buffer. A bin is a range of sizes (one
 *     size below 64), and its trie branches on the bits that the bin leaves open, so the smallest
 *     one is found on two ways down at most, each of one step more than there are such bits, 27 at
 *     most, whatever lives. A span takes the front of its hole, to the element; nothing is rounded.
 *
 *     meshes_is_valid checks, in this order (P4 to P6 in one walk, with that a zone names a span):
 *     P1   len <= end <= buffer_len <= capacity; a fixed capacity is that or 0.
 *     P2   allocated is buffer and table and within the limit.
 *     P3   Without a table there are no spans; with one there is a step of generations, 4 n + 1;
 *          slots are 32 to ARENA_POOL_SPANS + 1, a multiple of 16, from 512 on of 512, and more
 *          than are used.
 *     P4   The ring goes through slots in use, both ways, and covers 0 to end without a gap; a
 *          link is odd exactly if it leads to a hole; a live span's start is where it is.
 *     P5   No hole is next to a hole, the last span is live, and no hole begins below low.
 *     P6   len, live and holes are what the ring has.
 *     P7   Every hole is in the bin of its size, once: its path is the bits of its size, those of
 *          its size are in its list; a bit is set exactly if a bin, a row, is not empty.
 *     P8   Every other slot in use is on the spare list, with an even generation.
 *     P9   Every span that fetch_or_append stored is in the chain of its hash, and no other is.
 *     P10  A zone names a live span that begins in it, if one does, and that span knows it; its bit
 *          says whether one does.
 *
 *     function                            returns            fails with       cost
 *     name_init(p, options)               status             ARGUMENT LIMIT   O(1)
 *                                                            TOO_L REF_R NO_M
 *     name_append(p, value, count)        handle, none       store errors     O(1) + count
 *     name_append_copy(p, src, count)     handle, none       store errors     O(1) + count
 *     name_fetch_or_append(p, src, count) handle, none       store errors     O(1) + count
 *     name_find(p, pred, ctx)             handle, none       no status        O(elements)
 *     name_find_or_append(p, v, n, eq, c) handle, none       store errors     O(elements)
 *     name_get(p, h)                      T *, NULL          no status        O(1)
 *     name_span(p, h)                     view, {NULL, 0}    no status        O(1)
 *     name_start(p, h)                    index, SIZE_MAX    no status        O(1)
 *     name_at(p, index)                   handle, none       no status        see below
 *     name_free(p, h)                     status             STALE            O(1)
 *     name_resize(p, h, count)            bool               store errors     O(1) (moves: + count)
 *                                                            STALE
 *     name_handle_empty(h)                whether it is none -                O(1)
 *     name_first(p), name_next(p, h)      handle, none       no status        O(1)
 *     name_next_free(p, &start, &count)   bool               no status        as at, + spans passed
 *     name_retain(p, keep, ctx)                              ARGUMENT         O(spans)
 *     name_drain(p, each, ctx)                               -                O(spans)
 *     name_compact(p, budget, moved, ctx) elements moved     -                at, + moved + passed
 *     name_len, _capacity, _buffer_len(p) elements           -                O(1)
 *     name_data(p)                        T *, NULL          -                O(1)
 *     name_clear(p)                                          -                O(slots)
 *     name_release(p)                                        -                O(1)
 *     name_take(p, &count)                T *, NULL          LIMIT NO_MEMORY  O(buffer_len)
 *     name_copy(to, from)                 bool               LIMIT NO_MEMORY  O(buffer_len + slots)
 *     name_stats(p)                       all figures        -                O(1)
 *     name_status(p), name_clear_status(p)                   -                O(1)
 *     name_is_valid(p)                    bool               -                O(slots)
 *
 *     O(1): bounded by the 32 bits of a size, and chains of hashes by chance; growing the buffer or
 *     the table, and with them the zones, is amortised. Store errors: NO_MEMORY, LIMIT
 *     (limit_bytes, or a fixed capacity is full), TOO_LARGE, REF_RANGE (2^32 elements or 2^31 - 513
 *     spans), ARGUMENT (NULL source with a count, a count of 0 in resize). A failing call changes
 *     nothing; the first status is kept until cleared, which clear and drain do, too; on_error is
 *     called after all that and may longjmp. free and all that finds never need memory, nor does
 *     storing into a hole of the very size. {0} is ready; init takes options: hooks, limit_bytes
 *     (exact, the old and the new buffer and table together), max_count (a fixed capacity, taken at
 *     the first store), reserve (the same, taken by init: pointers stay where they are; of both the
 *     smaller counts), align (of the buffer), on_error. Without a fixed capacity the buffer
 *     doubles, or grows to what is needed where that is refused, and moves then. Options stay over
 *     release, which gives back everything. init is for a pool that holds nothing; where it fails
 *     the pool is {0}.
 *
 *     Callbacks, their context being last but in moved:
 *         bool pred(const T *element, void *ctx)               find
 *         bool eq(const T *element, const T *value, void *ctx) find_or_append
 *         bool keep(name_handle_t h, T *span, size_t count, void *ctx)
 *         void each(T *span, size_t count, void *ctx)          drain
 *         void moved(void *ctx, size_t from, size_t to, size_t count)
 *
 *     Handles. All zero is none. To go through all of them:
 *         for (h = meshes_first(&p); !meshes_handle_empty(h); h = meshes_next(&p, h)) ...
 *     and to free some of them, take next before. What a view has is const: to write, use get. A
 *     handle is refused by every function once its span was freed, also if its slot is used again
 *     (until that happened 2^31 times), after clear, and in another pool; and so are random bits,
 *     but for one chance in 2^31. Spans that resize or compact moves keep theirs. What get, span
 *     and data return is good until the buffer grows or the span moves. A source may lie in the
 *     pool, wherever that goes.
 *
 *     append stores count copies of one value, append_copy copies count elements from src.
 *     fetch_or_append returns the span that it stored with these bytes before, padding bytes of T
 *     included, if nobody changed or resized it since; else it is append_copy. Contents are hashed
 *     with a seed of the pool.
 *     find_or_append returns the first live span with an element that eq calls equal to value
 *     (NULL: the same bytes), else append(value, count): count is used for nothing else. value is
 *     passed by value, which need not keep padding bytes. pred and eq may not change the pool.
 *     resize never sets new elements. In place if the room behind the span serves; else to the
 *     best fit (the smallest hole, else the room at the end); else down over the hole before it if
 *     that and the room behind are enough; else to the end of a larger buffer.
 *     next_free goes on from what start and count hold, {0, 0} at first: free spans that begin at
 *     start + count or behind. The last one may be the free space at the end.
 *     retain calls keep for every live span in address order and frees it on false; drain calls
 *     each and ends with clear. These callbacks may call anything on the pool: spans freed by then
 *     are not visited, those stored or moved further up are, the latter perhaps again, and what
 *     compact or resize brings down from there may be missed. For loops of your own take next
 *     before freeing.
 *     compact moves spans down over the holes before them, whole ones, until budget elements or
 *     more were moved, and one at least; it returns how many, 0 = nothing left, and free space is
 *     one range at the end: then the first name_len elements are all that lives, while buffer_len
 *     stays what it was, for take and copy, too. moved hears of every move after it, in an order
 *     that can be repeated elsewhere; to is below from and the ranges may overlap. It may call
 *     anything on the pool too.
 *     at looks into a zone of the buffer for a span near by and goes on from neighbour to
 *     neighbour. There is a zone for 16 slots: the mean over all elements is some 16 steps,
 *     however sizes differ; a single one costs as many as spans begin in its zone, and where zones
 *     are empty a look at one bit each. next_free looks there, compact does once, and after
 *     callbacks that change what lies below or next; the others pay for it by one store.
 *     take hands over the buffer as an allocation of exactly *count = buffer_len elements: the
 *     pool's own if it is that, else a fresh one. Free it with the hook, bytes = count *
 *     sizeof(T), align = the larger of T's and the option; with default hooks and ordinary
 *     alignment free() will do.
 *     copy makes `to` hold the same spans in the same places under the same handles, with its own
 *     options; it fails if its fixed capacity is too small.
 *
 *     Memory. A pool is 3.8 KiB, its bins included; a slot of the table is 32 bytes and there is
 *     one for every live span and every hole; the table doubles. Nothing is kept per element.
 *     Under AddressSanitizer, MemorySanitizer and Valgrind free elements are poisoned until data
 *     is called. In C++ T is copied as bytes, like everywhere in this file.
 */

/* gcc then shows a mistake in a call without the macros that made the function, in 10 lines instead
 * of 16. It also keeps its warnings about this file to itself, whenever it is included:
 * ARENA_WARNINGS shows them. Compiled by itself, as a precompiled header is, or pasted into a file,
 * the text cannot say so. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(ARENA_WARNINGS) && \
    defined(__INCLUDE_LEVEL__) && __INCLUDE_LEVEL__ > 0
#pragma GCC system_header
#endif

#ifndef ARENA_H
#define ARENA_H

#if !defined(__cplusplus) && defined(__STRICT_ANSI__) && !defined(__STDC_VERSION__)
#error "arena.h: needs C99 or later, or C++11 or later"
#endif

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if !defined(ARENA_NO_STDLIB)
#include <string.h>
#endif

#define ARENA_VERSION_MAJOR 0
#define ARENA_VERSION_MINOR 1
#define ARENA_VERSION_PATCH 0

/* ---------------------------------------------------------------------------------------------
 * Options, checked
 * ------------------------------------------------------------------------------------------ */

#if defined(ARENA_MALLOC) != defined(ARENA_FREE)
#error "arena.h: define both ARENA_MALLOC(bytes) and ARENA_FREE(p), or neither"
#endif
#ifndef ARENA_CHUNK_BYTES
#define ARENA_CHUNK_BYTES 65536        /* what chunk_bytes = 0 means */
#endif
#if ARENA_CHUNK_BYTES < 1
#error "arena.h: ARENA_CHUNK_BYTES is at least 1"
#endif
#ifndef ARENA_DEBUG
#define ARENA_DEBUG 0
#endif
#if ARENA_DEBUG < 0 || ARENA_DEBUG > 3
#error "arena.h: ARENA_DEBUG is 0, 1, 2 or 3"
#endif
#ifndef ARENA_REF_CHUNKS
#define ARENA_REF_CHUNKS 8388608       /* chunk numbers that a Ref can hold: 2^23; tests lower it */
#endif
#if ARENA_REF_CHUNKS < 1 || ARENA_REF_CHUNKS > 8388608
#error "arena.h: ARENA_REF_CHUNKS is 1 to 2^23"
#endif

/* ---------------------------------------------------------------------------------------------
 * Compiler shims
 * ------------------------------------------------------------------------------------------ */

#if defined(__GNUC__) || defined(__clang__)
#define ARENA_UNUSED_ __attribute__((unused))
#define ARENA_COLD_ __attribute__((noinline, cold))
/* Slow, yet not cold: gcc optimises cold functions for size, and copies by rep movsb there. */
#define ARENA_APART_ __attribute__((noinline))
#define ARENA_LIKELY_(x) (__builtin_expect(!!(x), 1))
#define ARENA_UNLIKELY_(x) (__builtin_expect(!!(x), 0))
/* True a little more often than not: which way goes straight on, and no more than that. */
#if defined(__has_builtin) && !defined(ARENA_OFTEN_)       /* proofs have no such builtin */
#if __has_builtin(__builtin_expect_with_probability)
#define ARENA_OFTEN_(x) (__builtin_expect_with_probability(!!(x), 1, 0.6))
#endif
#endif
#define ARENA_PRINTF_(fmt, args) __attribute__((format(printf, fmt, args)))
#ifndef ARENA_CONSTANT_                 /* tests take both ways without an optimiser */
#define ARENA_CONSTANT_(x) __builtin_constant_p(x)
#endif
#elif defined(_MSC_VER)
#define ARENA_UNUSED_
#define ARENA_COLD_ __declspec(noinline)
#define ARENA_APART_ __declspec(noinline)
#define ARENA_LIKELY_(x) (x)
#define ARENA_UNLIKELY_(x) (x)
#define ARENA_PRINTF_(fmt, args)
#define ARENA_CONSTANT_(x) 0
#else
#define ARENA_UNUSED_
#define ARENA_COLD_
#define ARENA_APART_
#define ARENA_LIKELY_(x) (x)
#define ARENA_UNLIKELY_(x) (x)
#define ARENA_PRINTF_(fmt, args)
#define ARENA_CONSTANT_(x) 0
#endif
#ifndef ARENA_OFTEN_
#define ARENA_OFTEN_(x) (x)
#endif

/* gcc at -Os leaves inline functions out of line, which makes a store 2 to 9 times slower. Inlined
 * it costs a third more text (120 functions that do nothing but store: 19.1 -> 25.6 KB), so it is
 * forced where memory is not counted in kilobytes; elsewhere a user may define ARENA_INLINE. */
#if defined(__OPTIMIZE_SIZE__) && defined(__GNUC__) && !defined(__clang__) && \
    UINTPTR_MAX > 0xFFFFFFFF
#define ARENA_FOR_SIZE_
#endif
/* ARENA_HOT_ are the functions that store and resolve and what they are made of: left to themselves
 * compilers put them out of line where a caller has several, and then know neither size nor
 * alignment. The same 120 functions at -O2: 28.8 -> 37.1 KB with gcc 12. A caller that may not have
 * them, as one with target("general-regs-only"), defines ARENA_INLINE as `static inline`. */
#ifndef ARENA_INLINE
#if defined(__OPTIMIZE__) && (defined(__GNUC__) || defined(__clang__)) && \
    (!defined(__OPTIMIZE_SIZE__) || defined(ARENA_FOR_SIZE_))
#define ARENA_HOT_ static inline __attribute__((always_inline, unused))
#endif
#ifdef ARENA_FOR_SIZE_
#define ARENA_INLINE ARENA_HOT_
#else
#define ARENA_INLINE static inline ARENA_UNUSED_
#endif
#endif
#ifndef ARENA_HOT_
#define ARENA_HOT_ ARENA_INLINE
#endif
#ifdef ARENA_STATIC
#define ARENA_API static ARENA_UNUSED_
#else
#define ARENA_API extern
#endif

/* The type of member e of a struct that holds one T. Taken from there, an element type that is
 * incomplete or misspelt is one error, in the struct, and none where it is used. */
#if defined(__cplusplus)
#define ARENA_TYPE_OF_(cell, T) decltype(cell::e)
#elif defined(__GNUC__) || defined(__clang__) || defined(__TINYC__)
#define ARENA_TYPE_OF_(cell, T) __typeof__(((struct cell *)0)->e)
#else
#define ARENA_TYPE_OF_(cell, T) T
#endif

/* Elements are copied as bytes, which in C++ not every type may be. */
#if defined(__cplusplus)
#define ARENA_TRIVIAL_(cell)                                                                      \
    static_assert(__is_trivially_copyable(cell), "arena.h: T must be trivially copyable")
#else
#define ARENA_TRIVIAL_(cell) struct cell
#endif

#ifdef __cplusplus
#define ARENA_CAST_(T, x) static_cast<T>(x)
#define ARENA_ADDRESS_(p) reinterpret_cast<uintptr_t>(p)
#define ARENA_POINTER_(x) reinterpret_cast<const void *>(x)
#define ARENA_ALIGNOF_(T) alignof(T)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define ARENA_CAST_(T, x) ((T)(x))
#define ARENA_ADDRESS_(p) ((uintptr_t)(p))
#define ARENA_POINTER_(x) ((const void *)(x))
#define ARENA_ALIGNOF_(T) _Alignof(T)
#elif defined(__GNUC__) || defined(__clang__)
#define ARENA_CAST_(T, x) ((T)(x))
#define ARENA_ADDRESS_(p) ((uintptr_t)(p))
#define ARENA_POINTER_(x) ((const void *)(x))
#define ARENA_ALIGNOF_(T) __alignof__(T)   /* new clangs reject a type defined inside offsetof */
#else
#define ARENA_CAST_(T, x) ((T)(x))
#define ARENA_ADDRESS_(p) ((uintptr_t)(p))
#define ARENA_POINTER_(x) ((const void *)(x))
#define ARENA_ALIGNOF_(T) offsetof(struct { char c; T t; }, t)
#endif

/* Asks for the cache line at an address, wherever it points: to read it (0) or to write it (1). */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#define ARENA_FETCH_(p, write) __builtin_prefetch((p), (write))
#else
#define ARENA_FETCH_(p, write) ((void)(p))
#endif

/* The memory functions, each replaceable by itself. Without a standard library the header brings
 * loops of its own, which the compiler is kept from turning back into calls. */
#if defined(ARENA_NO_STDLIB)
#define ARENA_OWN_MEMORY_FUNCTIONS_
#endif
#ifndef ARENA_MEMCPY
#ifdef ARENA_OWN_MEMORY_FUNCTIONS_
#define ARENA_MEMCPY arena_memmove_
#else
#define ARENA_MEMCPY memcpy
#endif
#endif
#ifndef ARENA_MEMMOVE
#ifdef ARENA_OWN_MEMORY_FUNCTIONS_
#define ARENA_MEMMOVE arena_memmove_
#else
#define ARENA_MEMMOVE memmove
#endif
#endif
#ifndef ARENA_MEMSET
#ifdef ARENA_OWN_MEMORY_FUNCTIONS_
#define ARENA_MEMSET arena_memset_
#else
#define ARENA_MEMSET memset
#endif
#endif
#ifndef ARENA_MEMCMP
#ifdef ARENA_OWN_MEMORY_FUNCTIONS_
#define ARENA_MEMCMP arena_memcmp_
#else
#define ARENA_MEMCMP memcmp
#endif
#endif
#ifndef ARENA_STRLEN
#ifdef ARENA_OWN_MEMORY_FUNCTIONS_
#define ARENA_STRLEN arena_strlen_
#else
#define ARENA_STRLEN strlen
#endif
#endif

/* Atomics: relaxed loads and stores of what another lane of a group may read (plain moves on every
 * processor), and in cold code the few read-modify-write operations of the group. */
#if defined(ARENA_FIXED) && !defined(ARENA_NO_ATOMICS)
#define ARENA_NO_ATOMICS
#endif
#if defined(ARENA_NO_ATOMICS)
#elif defined(__TINYC__) || !(defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER))
#define ARENA_NO_ATOMICS
#elif defined(__GCC_ATOMIC_INT_LOCK_FREE) && defined(__GCC_ATOMIC_POINTER_LOCK_FREE)
#if __GCC_ATOMIC_INT_LOCK_FREE < 2 || __GCC_ATOMIC_POINTER_LOCK_FREE < 2
#define ARENA_NO_ATOMICS            /* the processor has none: a Cortex-M0 for one */
#endif
#endif
#if defined(ARENA_NO_ATOMICS)
#define ARENA_LOAD_(x) (x)
#define ARENA_STORE_(x, v) ((x) = (v))
#elif defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define ARENA_LOAD_(x) (x)
#define ARENA_STORE_(x, v) ((x) = (v))
#else
#ifndef ARENA_LOAD_                     /* tests let other lanes act between a load and its use */
#define ARENA_LOAD_(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#endif
#define ARENA_STORE_(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#endif

/* What a value does not cover is poisoned: AddressSanitizer by itself, MemorySanitizer by itself,
 * Valgrind where ARENA_VALGRIND is defined. Nothing otherwise. */
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN_
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN_
#elif __has_feature(memory_sanitizer)
#define ARENA_MSAN_
#elif __has_feature(type_sanitizer)
#define ARENA_TYSAN_
#endif
#endif
#if defined(ARENA_ASAN_)
#include <sanitizer/asan_interface.h>
#define ARENA_POISON_(p, n) __asan_poison_memory_region((p), (n))
#define ARENA_UNPOISON_(p, n) __asan_unpoison_memory_region((p), (n))
#define ARENA_DEFINED_(p, n) ((void)0)
#elif defined(ARENA_MSAN_)
#include <sanitizer/msan_interface.h>
#define ARENA_POISON_(p, n) __msan_poison((p), (n))
#define ARENA_UNPOISON_(p, n) __msan_poison((p), (n))
#define ARENA_DEFINED_(p, n) __msan_unpoison((p), (n))
#elif defined(ARENA_TYSAN_)
/* TypeSanitizer is told that storage has no type until somebody stores in it, whatever stood there
 * before. */
#ifdef __cplusplus
extern "C"
#endif
void tysan_set_type_unknown(const void *p, size_t n);
#define ARENA_POISON_(p, n) ((void)0)
#define ARENA_UNPOISON_(p, n) tysan_set_type_unknown((p), (n))
#define ARENA_UNTYPED_(p, n) tysan_set_type_unknown((p), (n))
#define ARENA_DEFINED_(p, n) ((void)0)
#elif defined(ARENA_VALGRIND)
#include <valgrind/memcheck.h>
#define ARENA_POISON_(p, n) ((void)VALGRIND_MAKE_MEM_NOACCESS((p), (n)))
#define ARENA_UNPOISON_(p, n) ((void)VALGRIND_MAKE_MEM_UNDEFINED((p), (n)))
#define ARENA_DEFINED_(p, n) ((void)VALGRIND_MAKE_MEM_DEFINED((p), (n)))
#else
#define ARENA_POISON_(p, n) ((void)0)
#define ARENA_UNPOISON_(p, n) ((void)0)
#define ARENA_DEFINED_(p, n) ((void)0)
#endif
#ifndef ARENA_UNTYPED_
#define ARENA_UNTYPED_(p, n) ((void)0)
#endif
/* Helgrind knows no atomics but locked instructions: what lanes use by other ones is exempt. */
#if defined(ARENA_VALGRIND)
#include <valgrind/helgrind.h>
#define ARENA_SHARED_(p, n) VALGRIND_HG_DISABLE_CHECKING((p), (n))
#define ARENA_UNSHARED_(p, n) VALGRIND_HG_ENABLE_CHECKING((p), (n))
#else
#define ARENA_SHARED_(p, n) ((void)0)
#define ARENA_UNSHARED_(p, n) ((void)0)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------
 * Types shared by all families
 * ------------------------------------------------------------------------------------------ */

typedef enum arena_status_t {
    ARENA_OK,            /* nothing failed since the status was cleared */
    ARENA_NO_MEMORY,     /* the hook had none */
    ARENA_LIMIT,         /* limit_bytes, a full fixed buffer, or a full pool */
    ARENA_TOO_LARGE,     /* a size, count * size or padding leaves PTRDIFF_MAX */
    ARENA_REF_RANGE,     /* more than a Ref can hold: 2^32 - 1 elements, or no chunk number left */
    ARENA_ARGUMENT,      /* NULL source with a count, an alignment that is no power of two, ... */
    ARENA_STALE,         /* a mark, scope or handle whose thing is gone */
    ARENA_IMAGE          /* an image that is cut, corrupt or of another kind; not given so far */
} arena_status_t;

/* Where memory comes from. free is told what alloc was asked for. ctx is yours. alloc returns NULL
 * when there is none. The hooks of a group are called from several threads at once. */
typedef struct arena_hooks_t {
    void *(*alloc)(void *ctx, size_t bytes, size_t align);
    void (*free)(void *ctx, void *p, size_t bytes, size_t align);
    void *ctx;
} arena_hooks_t;

typedef struct arena_options_t {
    size_t chunk_bytes;          /* byte budget of one chunk; 0 = 64 KiB */
    size_t limit_bytes;          /* what may be held from the hooks at one time; 0 = no limit */
    void *buffer;                /* used first, never freed; yours for as long as the arena lives */
    size_t buffer_bytes;
    bool fixed;                  /* nothing but the buffer is used; without one every store fails */
    const arena_hooks_t *hooks;  /* copied; NULL = ARENA_MALLOC and ARENA_FREE */
    void (*on_error)(void *ctx, arena_status_t status, size_t bytes);
    void *on_error_ctx;
    unsigned keep_batches;       /* 0 = reset keeps every uniform chunk; N = see arena_reset */
} arena_options_t;

typedef struct arena_stats_t {
    size_t size;        /* bytes of values stored since the rewind */
    size_t used;        /* size + padding + stranded */
    size_t retained;    /* bytes of chunk capacity held, a user buffer's included */
    size_t allocated;   /* bytes held from the hooks: chunks, their spare bytes, the chunk table */
    size_t stranded;    /* tails that no store will try again */
    size_t padding;     /* alignment, NULs, outgrown storage not yet used again (but further back
                         * than the last 64 chunks it counts as size still) */
    size_t peak;        /* the largest retained since made */
    size_t chunks;      /* chunks opened in this batch */
    size_t oversized;   /* those of them made for one value */
} arena_stats_t;

/* ---------------------------------------------------------------------------------------------
 * The core: private, in sight only because the hot path is inline
 * ------------------------------------------------------------------------------------------ */

enum { ARENA_TAILS_ = 4, ARENA_CLASSES_ = 20, ARENA_DEAD_ = 4 };

/* What a family's element looks like; a constant of each family, folded by the compiler. */
typedef struct arena_shape_t_ {
    size_t size, align;
    size_t spare;                /* bytes behind the capacity of a chunk: 1 in the byte arena */
} arena_shape_t_;

/* What resolving reads: one entry a chunk number. */
typedef struct arena_entry_t_ {
    char *base;
    uint32_t tag;                /* number << 9 | generation << 1 | closed */
    uint32_t held;               /* elements that a Ref may reach */
} arena_entry_t_;

/* What cold code keeps about a chunk. */
typedef struct arena_chunk_t_ {
    char *base;
    void *block;                 /* what malloc gave, for leak checkers: base may lie inside */
    size_t cap, used;            /* bytes, whole elements; used is behind while filling */
    size_t floor;                /* below it nothing is shrunk or used again; see floor_mark */
    size_t align;                /* as the hook was asked */
    uint32_t floor_mark;         /* the mark that floor belongs to */
    uint32_t number;             /* in the table; ARENA_NONE_ = no Ref can name it */
    uint32_t below;              /* oversized: the oversized chunk opened before, + 1 */
    uint32_t batch;              /* of the place: the last with more uniform chunks than this */
    uint32_t kind;               /* ARENA_UNIFORM_, ARENA_OVERSIZED_, ARENA_USER_ */
} arena_chunk_t_;

typedef struct arena_group_t arena_group_t;

typedef struct arena_core_t {
    /* hot */
    char *cur;                   /* the tip: where the next value goes */
    char *end;                   /* how far the hot path may go */
    char *base;                  /* first byte of the chunk being filled */
    arena_entry_t_ *table;       /* by chunk number */
    uint32_t tag;                /* the entry's tag of the chunk being filled, 1 = none */
    uint32_t numbers;            /* a Ref's chunk number is below it */
    size_t padding;              /* NULs, alignment and outgrown storage in this batch */
    /* cold */
    arena_chunk_t_ *chunks;      /* opened ones first, then idle ones */
    uint32_t slots;              /* room in chunks */
    uint32_t total;              /* chunks held */
    uint32_t opened;             /* chunks opened in this batch */
    uint32_t current;            /* index of the chunk being filled; ARENA_NONE_ = none */
    uint32_t tail[ARENA_TAILS_]; /* other open chunks that have room left */
    uint32_t tails;
    uint32_t oversized;          /* the last oversized chunk opened, + 1 */
    uint32_t oversizes;          /* how many */
    uint32_t batch, id;          /* id 0 = none drawn yet */
    uint32_t marks;              /* serial of the last mark taken */
    uint32_t fence, fence_opened;/* serial of the mark in force, and chunks open then */
    uint32_t dead[ARENA_DEAD_][2]; /* serials of marks rewound past: above [0], up to [1] */
    uint32_t forgotten;          /* of those up to it some are no longer in dead */
    size_t others;               /* bytes used in opened chunks but the current one */
    size_t stranded, retained, allocated, peak;
    char *reuse[ARENA_CLASSES_]; /* outgrown storage by power of two of its bytes */
    uint32_t waiting;            /* one bit a class that is not empty */
    uint32_t recycled;           /* the chunk of the last such storage: sought first */
    uint32_t last_class;         /* of the last block that began to wait */
    char *last_block;            /* where it begins: what dies next behind it is joined to it */
    size_t size, align, spare;   /* the family's; 0 until the first store */
    arena_options_t options;
    arena_hooks_t hooks;
    arena_status_t status;
    struct arena_group_t *group;
    arena_entry_t_ first_entry;  /* the first chunk's bookkeeping: one chunk needs no table */
    arena_chunk_t_ first_chunk;
} arena_core_t;

/* What a Ref and a view look like to the core; each family has types of its own that match. */
typedef struct arena_bits_t_ { uint32_t chunk, off, len; } arena_bits_t_;
typedef struct arena_run_t_ { const char *data; size_t len; } arena_run_t_;
typedef struct arena_room_t_ { char *data; size_t cap; } arena_room_t_;

/* A value of up to 16 bytes. A struct, since parts of the value may be unset, as padding is: passed
 * as two integers these would be undefined, and clang deletes branches then. Of chars, since what
 * is copied from here is an object of the user's type. */
typedef struct arena_small_t_ { char byte[16]; } arena_small_t_;

/* A place to rewind to. Ordinary data: copy it, drop it. */
typedef struct arena_mark_t {
    uint32_t id, batch, serial;
    uint32_t opened, current, tails;
    uint32_t open[ARENA_TAILS_ + 1];     /* the current chunk and the tails */
    size_t used[ARENA_TAILS_ + 1];
    size_t others, padding, stranded;
} arena_mark_t;

enum { ARENA_NUL_ = 1u, ARENA_REF_ = 2u };   /* flags of a store: NUL behind it, Ref wanted */

/* What a status is, in a few English words, as in a message. Never NULL. */
ARENA_API const char *arena_status_text(arena_status_t status);
ARENA_API void *arena_take_(const arena_hooks_t *h, size_t bytes, size_t align);
ARENA_API void arena_give_(const arena_hooks_t *h, void *p, size_t bytes, size_t align);
ARENA_API uint32_t arena_seed_(void);
#ifdef ARENA_OWN_MEMORY_FUNCTIONS_
ARENA_API void *arena_memmove_(void *dst, const void *src, size_t n);
ARENA_API void *arena_memset_(void *dst, int value, size_t n);
ARENA_API int arena_memcmp_(const void *p, const void *q, size_t n);
ARENA_API size_t arena_strlen_(const char *s);
#endif

ARENA_API arena_core_t arena_core_make_(size_t chunk_bytes);
ARENA_API arena_status_t arena_core_init_(arena_core_t *c, const arena_options_t *o,
                                          const arena_shape_t_ *s);
ARENA_API ARENA_APART_ char *arena_store_(arena_core_t *c, const void *src, size_t count,
                                         const arena_shape_t_ *s, unsigned flags,
                                         arena_bits_t_ *ref);
ARENA_API ARENA_APART_ arena_bits_t_ arena_store_ref_(arena_core_t *c, const void *src,
                                                      size_t count, const arena_shape_t_ *s,
                                                      unsigned flags);
ARENA_API ARENA_APART_ char *arena_store_small_(arena_core_t *c, arena_small_t_ w, size_t count,
                                               const arena_shape_t_ *s);
ARENA_API ARENA_APART_ arena_bits_t_ arena_store_ref_small_(arena_core_t *c, arena_small_t_ w,
                                                            size_t count,
                                                            const arena_shape_t_ *s);
ARENA_API ARENA_COLD_ char *arena_room_(arena_core_t *c, size_t count, const arena_shape_t_ *s,
                                        unsigned flags, arena_bits_t_ *ref);
ARENA_API ARENA_COLD_ char *arena_alloc_slow_(arena_core_t *c, size_t bytes, size_t align,
                                              const arena_shape_t_ *s);
ARENA_API ARENA_APART_ arena_room_t_ arena_core_more_(arena_core_t *c, void *data, size_t len,
                                                      size_t cap, const void *src, size_t count,
                                                      const arena_shape_t_ *s);
ARENA_API ARENA_COLD_ arena_room_t_ arena_core_grow_(arena_core_t *c, void *data, size_t len,
                                                     size_t cap, const arena_shape_t_ *s);
ARENA_API size_t arena_core_shrink_(arena_core_t *c, void *data, size_t len, size_t cap,
                                    const arena_shape_t_ *s);
ARENA_API char *arena_core_slice_(arena_core_t *c, size_t cap, const arena_shape_t_ *s);
ARENA_API void arena_core_reset_(arena_core_t *c);
ARENA_API void arena_core_release_(arena_core_t *c);
ARENA_API void arena_core_trim_(arena_core_t *c, size_t keep_bytes);
ARENA_API ARENA_APART_ arena_mark_t arena_core_mark_(arena_core_t *c);
ARENA_API ARENA_APART_ bool arena_core_rewind_(arena_core_t *c, arena_mark_t m);
ARENA_API size_t arena_core_size_(const arena_core_t *c);
ARENA_API arena_run_t_ arena_core_chunk_(const arena_core_t *c, size_t i, size_t size);
ARENA_API arena_stats_t arena_core_stats_(const arena_core_t *c);
ARENA_API bool arena_core_is_valid_(const arena_core_t *c, const arena_shape_t_ *s);
ARENA_API void *arena_fail_(arena_core_t *c, arena_status_t status, size_t bytes);
ARENA_API arena_status_t arena_core_join_(arena_core_t *c, struct arena_group_t *g,
                                          const arena_shape_t_ *s);

/* ---------------------------------------------------------------------------------------------
 * The hot path
 * ------------------------------------------------------------------------------------------ */

/* Bytes the hot path may still take. By address: in an unused arena both are NULL. */
ARENA_HOT_ size_t arena_left_(const arena_core_t *c)
{
    return ARENA_CAST_(size_t, ARENA_ADDRESS_(c->end) - ARENA_ADDRESS_(c->cur));
}

/* Whether bytes fit, for a number of at most 4096: as an address, which saves a subtraction.
 * Nothing lies so close to the end of a 64-bit address space that the sum would wrap. */
ARENA_HOT_ bool arena_few_fit_(const arena_core_t *c, size_t bytes)
{
#if UINTPTR_MAX > 0xFFFFFFFF
    return ARENA_ADDRESS_(c->cur) + bytes <= ARENA_ADDRESS_(c->end);
#else
    return bytes <= arena_left_(c);
#endif
}

/* gcc forgets what it knows of a variable. It takes each branch of a copy for a fact about the
 * length, and would warn of all that lead out of a source of 64 bytes or fewer (-Warray-bounds,
 * -Wstringop-overread) or to lengths that no object has (-Wstringop-overflow), however short the
 * values are; and of the tip of an arena that it has just seen set to {0} (-Wnonnull). */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)
#define ARENA_HIDE_(x) __asm__("" : "+r"(x))
#else
#define ARENA_HIDE_(x) ((void)0)
#endif

/* name copies n bytes, one word to four, as four words that overlap, at 0, q, n - word - q and
 * n - word with q = n / (2 words) words: no branch, and nothing is read or written outside. */
typedef struct arena_word_16_ { uint64_t half[2]; } arena_word_16_;
#define ARENA_FOUR_WORDS_(name, word)                                                             \
    ARENA_HOT_ void name(char *d, const char *s, size_t n)                                        \
    {                                                                                             \
        word a, b, e, f;                                                                          \
        const size_t q = n / (2 * sizeof a) * sizeof a;                                           \
        ARENA_MEMCPY(&a, s, sizeof a);                                                            \
        ARENA_MEMCPY(&b, s + q, sizeof b);                                                        \
        ARENA_MEMCPY(&e, s + n - sizeof e - q, sizeof e);                                         \
        ARENA_MEMCPY(&f, s + n - sizeof f, sizeof f);                                             \
        ARENA_MEMCPY(d, &a, sizeof a);                                                            \
        ARENA_MEMCPY(d + q, &b, sizeof b);                                                        \
        ARENA_MEMCPY(d + n - sizeof e - q, &e, sizeof e);                                         \
        ARENA_MEMCPY(d + n - sizeof f, &f, sizeof f);                                             \
    }
ARENA_FOUR_WORDS_(arena_copy_16_, uint32_t)
ARENA_FOUR_WORDS_(arena_copy_64_, arena_word_16_)

/* Copies n bytes, 1 to 3. */
ARENA_HOT_ void arena_copy_3_(char *d, const char *s, size_t n)
{
    const char a = s[0], b = s[n / 2], e = s[n - 1];
    d[0] = a;
    d[n / 2] = b;
    d[n - 1] = e;
}

/* Copies n bytes, 1 to 64. Lengths that do not repeat make each size class a mispredicted branch
 * (4-5 ns), so there are few and wide ones with no branch inside. Random lengths 1-64 cost 3.0 ns
 * with the store against 6.1 of libc's memcpy (gcc 12, Zen 5). */
ARENA_HOT_ void arena_copy_(char *d, const char *s, size_t n)
{
    ARENA_HIDE_(s);
    if (n > 16) arena_copy_64_(d, s, n);
    else if (n > 3) arena_copy_16_(d, s, n);
    else arena_copy_3_(d, s, n);
}

/* Copies n bytes, any other number. gcc at -Os copies more than 32 bytes by rep movs and clears by
 * rep stos, which take 5 ns and more to begin with: constant sizes up to 64 are words there, and
 * others are copied by memmove, which it leaves to libc. */
ARENA_HOT_ void arena_copy_any_(void *dst, const void *src, size_t n)
{
    char *d = ARENA_CAST_(char *, dst);
    const char *s = ARENA_CAST_(const char *, src);
    if (!ARENA_CONSTANT_(n)) {
        ARENA_HIDE_(s);
        ARENA_HIDE_(n);
    }
#ifdef ARENA_FOR_SIZE_
    if (!ARENA_CONSTANT_(n) || n > 64) {
        ARENA_MEMMOVE(d, s, n);
        return;
    }
    if (n > 32) {
        ARENA_MEMCPY(d, s, 16);
        ARENA_MEMCPY(d + 16, s + 16, 16);
        ARENA_MEMCPY(d + n - 32, s + n - 32, 16);
        ARENA_MEMCPY(d + n - 16, s + n - 16, 16);
        return;
    }
#endif
    ARENA_MEMCPY(d, s, n);
}

/* Clears n bytes. */
ARENA_HOT_ void arena_clear_(void *dst, size_t n)
{
#ifdef ARENA_FOR_SIZE_
    char *d = ARENA_CAST_(char *, dst);
    if (ARENA_CONSTANT_(n) && n > 16 && n <= 64) {
        if (n > 32) {
            ARENA_MEMSET(d + 16, 0, 16);
            ARENA_MEMSET(d + n - 32, 0, 16);
        }
        ARENA_MEMSET(d + n - 16, 0, 16);
        n = 16;
    }
    ARENA_MEMSET(d, 0, n);
#else
    ARENA_MEMSET(dst, 0, n);
#endif
}

/* Whether arena_copy_ copies count elements: 1 to 64 bytes, and no constant. Not at -Os on 32 bits,
 * where arena_copy_ is 222 bytes of text (Cortex-M0). */
#if defined(__OPTIMIZE_SIZE__) && UINTPTR_MAX <= 0xFFFFFFFF
#define ARENA_SHORT_(count, size) ((void)(count), (void)(size), false)
#else
#define ARENA_SHORT_(count, size)                                                                 \
    (!ARENA_CONSTANT_(count) && ARENA_LIKELY_((count) - 1 < 64 / (size)))
#endif

/* Whether 1 element or more fit: one comparison on bytes, since 0 - 1 is more than any room. The
 * room is a multiple of the element size, so a single element fits wherever there is any. */
ARENA_HOT_ bool arena_fits_(const arena_core_t *c, size_t count, size_t size)
{
    if (ARENA_CONSTANT_(count) && count == 1) return c->cur != c->end;
    if (ARENA_CONSTANT_(count) && count - 1 < 4096 / size) return arena_few_fit_(c, count * size);
    return count <= SIZE_MAX / size && count * size - 1 < arena_left_(c);
}

/* Moves the tip by bytes that fit; returns where they begin. */
ARENA_HOT_ char *arena_bump_(arena_core_t *c, size_t bytes)
{
    char *p = c->cur;
    if (!ARENA_CONSTANT_(bytes) || bytes > 4096) ARENA_HIDE_(p);
    c->cur = p + bytes;
    ARENA_UNPOISON_(p, bytes);
    return p;
}

/* bytes / size, where nothing is left over. gcc at -Os divides by constants, too, at the cost of a
 * whole store: there it is the inverse of size's odd part modulo 2^64 (by Newton's method: each
 * step doubles the bits that are right, 5 at first). */
ARENA_HOT_ size_t arena_elements_(size_t bytes, size_t size)
{
#ifdef ARENA_FOR_SIZE_
    const size_t even = size & (0 - size), odd = size / even;
    size_t inverse = (odd * 3) ^ 2;
    inverse *= 2 - odd * inverse;
    inverse *= 2 - odd * inverse;
    inverse *= 2 - odd * inverse;
    inverse *= 2 - odd * inverse;
    return bytes / even * inverse;
#else
    return bytes / size;
#endif
}

/* The Ref of count elements at p in the chunk being filled. */
ARENA_HOT_ arena_bits_t_ arena_bits_(const arena_core_t *c, const char *p, size_t count,
                                     size_t size, uint32_t nul)
{
    arena_bits_t_ r;
    r.chunk = c->tag | nul;
    r.off = ARENA_CAST_(uint32_t, arena_elements_(ARENA_CAST_(size_t, p - c->base), size));
    r.len = ARENA_CAST_(uint32_t, count);
    return r;
}

/* Copies count elements to the tip and says where they are; false, nothing done, where they do not
 * fit, src is NULL or count is 0. The size class of a short copy is asked for before the room, so
 * that what predicts it stands first: 8 and 16 bytes again and again take a tenth less. */
#define ARENA_IN_CLASS_(copy)                                                                     \
    if (ARENA_UNLIKELY_(s == NULL || !arena_few_fit_(c, n))) return false;                        \
    *at = arena_bump_(c, n);                                                                      \
    copy(*at, s, n)
ARENA_HOT_ bool arena_put_at_tip_(arena_core_t *c, const void *src, size_t count, size_t size,
                                  char **at)
{
    const char *s = ARENA_CAST_(const char *, src);
    const size_t n = count * size;
    if (ARENA_SHORT_(count, size)) {
        ARENA_HIDE_(s);
        if (ARENA_OFTEN_(n > 16)) {
            ARENA_IN_CLASS_(arena_copy_64_);
        } else if (ARENA_OFTEN_(n > 3)) {
            ARENA_IN_CLASS_(arena_copy_16_);
        } else {
            ARENA_IN_CLASS_(arena_copy_3_);
        }
        return true;
    }
    if (ARENA_UNLIKELY_(s == NULL || !arena_fits_(c, count, size))) return false;
    *at = arena_bump_(c, n);
    arena_copy_any_(*at, s, n);
    return true;
}

/* Whether a value goes to the slow path in two registers: a constant size up to 16 bytes. By
 * address it would have to stand in memory, on the hot path, too. */
#if UINTPTR_MAX > 0xFFFFFFFF
#define ARENA_BY_VALUE_(count, size) (ARENA_CONSTANT_(count) && (count) - 1 < 16 / (size))
#else
#define ARENA_BY_VALUE_(count, size) ((void)(count), (void)(size), false)
#endif

/* The value itself, of at most 16 bytes. */
ARENA_HOT_ arena_small_t_ arena_small_(const void *src, size_t bytes)
{
    arena_small_t_ w = {{0}};
    ARENA_MEMCPY(&w, src, bytes);
    return w;
}

ARENA_HOT_ char *arena_core_append_(arena_core_t *c, const void *src, size_t count,
                                    const arena_shape_t_ *s)
{
    char *p = c->cur;                    /* where it will be, so that gcc -Og sees it set */
    if (ARENA_LIKELY_(arena_put_at_tip_(c, src, count, s->size, &p))) return p;
    if (ARENA_BY_VALUE_(count, s->size) && src != NULL)
        return arena_store_small_(c, arena_small_(src, count * s->size), count, s);
    return arena_store_(c, src, count, s, 0, NULL);
}

ARENA_HOT_ arena_bits_t_ arena_core_ref_(arena_core_t *c, const void *src, size_t count,
                                         const arena_shape_t_ *s)
{
    char *p = c->cur;                    /* where it will be, so that gcc -Og sees it set */
    if (ARENA_LIKELY_(arena_put_at_tip_(c, src, count, s->size, &p)))
        return arena_bits_(c, p, count, s->size, 0);
    if (ARENA_BY_VALUE_(count, s->size) && src != NULL)
        return arena_store_ref_small_(c, arena_small_(src, count * s->size), count, s);
    return arena_store_ref_(c, src, count, s, ARENA_REF_);
}

ARENA_HOT_ char *arena_core_reserve_(arena_core_t *c, size_t count, const arena_shape_t_ *s)
{
    if (ARENA_LIKELY_(arena_fits_(c, count, s->size))) return arena_bump_(c, count * s->size);
    return arena_room_(c, count, s, 0, NULL);
}

ARENA_HOT_ char *arena_core_reserve_ref_(arena_core_t *c, size_t count, arena_bits_t_ *ref,
                                         const arena_shape_t_ *s)
{
    if (ARENA_LIKELY_(arena_fits_(c, count, s->size))) {
        char *p = arena_bump_(c, count * s->size);
        *ref = arena_bits_(c, p, count, s->size, 0);
        return p;
    }
    return arena_room_(c, count, s, ARENA_REF_, ref);
}

/* A Ref into the chunk being filled is held against the tip, any other against its entry. A length
 * of 0 is none that a store made: 0 - 1 as 32 bits is as much as any entry holds (where the tip is
 * further up, a view of no elements is all it can give). */
ARENA_HOT_ arena_run_t_ arena_core_value_(const arena_core_t *c, arena_bits_t_ r, size_t size)
{
    arena_run_t_ v = {NULL, 0};
    const uint32_t tag = r.chunk & ~UINT32_C(1);
    const char *base;
    uint64_t held;
    if (tag == c->tag) {
        base = c->base;
        held = arena_elements_(
            ARENA_CAST_(size_t, ARENA_ADDRESS_(c->cur) - ARENA_ADDRESS_(c->base)), size);
    } else {
        const arena_entry_t_ *e;
        if (ARENA_UNLIKELY_(tag >> 9 >= c->numbers)) return v;
        e = c->table + (tag >> 9);
        if (ARENA_UNLIKELY_(ARENA_LOAD_(e->tag) != tag)) return v;
        base = ARENA_LOAD_(e->base);
        held = ARENA_LOAD_(e->held);
    }
    if (ARENA_UNLIKELY_(ARENA_CAST_(uint64_t, r.off) + (r.len - UINT32_C(1)) >= held)) return v;
    v.data = base + ARENA_CAST_(size_t, r.off) * size;
    v.len = r.len;
    return v;
}

ARENA_HOT_ arena_run_t_ arena_core_value_unchecked_(const arena_core_t *c, arena_bits_t_ r,
                                                    size_t size)
{
    arena_run_t_ v;
    v.data = c->table[r.chunk >> 9].base + ARENA_CAST_(size_t, r.off) * size;
    v.len = r.len;
    return v;
}

/* By address, as nothing but the chunk's number is checked. */
ARENA_INLINE void arena_core_prefetch_(const arena_core_t *c, arena_bits_t_ r, size_t size)
{
    if (r.chunk >> 9 < c->numbers) {
        const arena_entry_t_ *e = c->table + (r.chunk >> 9);
        const uintptr_t base = ARENA_ADDRESS_(ARENA_LOAD_(e->base));
        ARENA_FETCH_(ARENA_POINTER_(base + ARENA_CAST_(uintptr_t, r.off) * size), 0);
    }
}

/* Padding is zeroed, so that no byte below the tip is left as it was found: as one word where the
 * value behind it covers the rest of that word. */
ARENA_HOT_ char *arena_core_alloc_(arena_core_t *c, size_t bytes, size_t align,
                                   const arena_shape_t_ *s, bool clear)
{
    const size_t off = ARENA_CAST_(size_t, ARENA_ADDRESS_(c->cur)) & (align - 1);
    char *p;
    if (off == 0 && ARENA_CONSTANT_(align) && align != 0 && (align & (align - 1)) == 0 &&
        ARENA_CONSTANT_(bytes) && bytes - 1 < 4096) {
        if (ARENA_LIKELY_(arena_few_fit_(c, bytes))) {
            p = arena_bump_(c, bytes);
            if (clear) arena_clear_(p, bytes);
            return p;
        }
    } else {
        const size_t pad = (align - off) & (align - 1);
        if (ARENA_LIKELY_(align != 0 && (align & (align - 1)) == 0 && bytes - 1 < PTRDIFF_MAX &&
                          pad + bytes <= arena_left_(c))) {
            p = arena_bump_(c, pad + bytes);
            if (pad != 0) {
                const bool word = ARENA_CONSTANT_(align) && align <= 16 && bytes >= align;
                arena_clear_(p, word ? align : pad);
                c->padding += pad;
            }
            p += pad;
            if (clear) arena_clear_(p, bytes);
            return p;
        }
    }
    p = arena_alloc_slow_(c, bytes, align, s);
    if (clear && p != NULL) arena_clear_(p, bytes);
    return p;
}

/* ---------------------------------------------------------------------------------------------
 * Families: ARENA_DEFINE(samples, struct sample) makes samples_t and all that begins with samples_;
 * ARENA_DECLARE(samples) and ARENA_DEFINE_DECLARED(samples, struct sample) make it in two steps
 * ------------------------------------------------------------------------------------------ */

/* T is pasted once, in the struct that the element's type, size and alignment are taken from: so a
 * misspelt or an incomplete type is one error and `char *` elements stay right. What cannot stand
 * in an array is refused: a type of no bytes, and a typedef of a type of fewer bytes than it is
 * aligned to, whose single objects are smaller than their place in a chunk. */
#define ARENA_ELEMENT_(name)                                                                      \
    ARENA_TRIVIAL_(name##_cell_);                                                                 \
    enum { name##_size_ = sizeof(struct name##_cell_),                                            \
           name##_align_ = ARENA_ALIGNOF_(struct name##_cell_) };                                 \
    typedef char name##_T_has_no_size_or_less_than_its_alignment_[                                \
        sizeof(name##_elem_t) != 0 && name##_size_ <= sizeof(name##_elem_t) ? 1 : -1];            \
    typedef struct name##_slice_t { name##_elem_t *data; size_t len, cap; } name##_slice_t

#define ARENA_SHAPE_(name, spare)                                                                 \
    static const arena_shape_t_ name##_shape_ ARENA_UNUSED_ = {                                   \
        ARENA_CAST_(size_t, name##_size_), ARENA_CAST_(size_t, name##_align_), (spare) }

/* What of a family's types needs no T: the arena and the Ref. */
#define ARENA_DECLARE(name)                                                                       \
    typedef struct name##_t { arena_core_t core; } name##_t;                                      \
    typedef struct name##_ref_t { uint32_t chunk, off, len; } name##_ref_t

/* What is left of them. */
#define ARENA_TYPES_(name)                                                                        \
    ARENA_ELEMENT_(name);                                                                         \
    typedef struct name##_view_t { const name##_elem_t *data; size_t len; } name##_view_t

/* The functions' parameters get their names in ARENA_DEFINE and ARENA_DEFINE_DECLARED: a compiler
 * that tells where the parameter is that got a wrong arena or Ref then goes down one macro instead
 * of three, in 10 lines in all. */

/* Slices of one element type inside an arena of any kind; owner is the arena's type. */
#define ARENA_SLICES_(name, owner, src_t, a, s, src)                                              \
    ARENA_INLINE bool name##_widened_(name##_slice_t *s, arena_room_t_ room)                      \
    {                                                                                             \
        if (room.data == NULL) return false;                                                      \
        s->data = ARENA_CAST_(name##_elem_t *, ARENA_CAST_(void *, room.data));                   \
        s->cap = room.cap;                                                                        \
        return true;                                                                              \
    }                                                                                             \
    ARENA_INLINE bool name##_push(owner *a, name##_slice_t *s, name##_elem_t v)                   \
    {                                                                                             \
        const size_t len = s->len;           /* read once: v may be of a type that aliases it */  \
        if (ARENA_UNLIKELY_(len >= s->cap) &&                                                     \
            !name##_widened_(                                                                     \
                s, arena_core_grow_(&a->core, s->data, len, s->cap, &name##_shape_)))             \
            return false;                                                                         \
        s->data[len] = v;                                                                         \
        s->len = len + 1;                                                                         \
        return true;                                                                              \
    }                                                                                             \
    ARENA_INLINE bool name##_extend(owner *a, name##_slice_t *s, const src_t *src, size_t count)  \
    {                                                                                             \
        if (count == 0) return true;                                                              \
        if (src == NULL)       /* an error, told with its bytes */                                \
            return arena_store_(&a->core, src, count, &name##_shape_, 0, NULL) != NULL;           \
        if (s->len > s->cap || count > s->cap - s->len) {                                         \
            if (!name##_widened_(s, arena_core_more_(&a->core, s->data, s->len, s->cap, src,      \
                                                     count, &name##_shape_)))                     \
                return false;                                                                     \
        } else {                                                                                  \
            ARENA_MEMMOVE(s->data + s->len, src, count * sizeof(name##_elem_t));                  \
        }                                                                                         \
        s->len += count;                                                                          \
        return true;                                                                              \
    }                                                                                             \
    ARENA_INLINE name##_slice_t name##_slice(owner *a, size_t len, size_t cap)                    \
    {                                                                                             \
        name##_slice_t s;                                                                         \
        const size_t room = cap < len ? len : cap;                                                \
        s.data = ARENA_CAST_(name##_elem_t *, ARENA_CAST_(void *,                                 \
            arena_core_slice_(&a->core, room, &name##_shape_)));                                  \
        s.len = s.data != NULL ? len : 0;                                                         \
        s.cap = s.data != NULL ? room : 0;                                                        \
        return s;                                                                                 \
    }                                                                                             \
    ARENA_INLINE void name##_shrink(owner *a, name##_slice_t *s)                                  \
    {                                                                                             \
        s->cap = arena_core_shrink_(&a->core, s->data, s->len, s->cap, &name##_shape_);           \
    }

#define ARENA_FUNCTIONS_(name, src_t, a, r, s, src)                                               \
    ARENA_INLINE name##_ref_t name##_ref_of_(arena_bits_t_ b)                                     \
    {                                                                                             \
        name##_ref_t r;                                                                           \
        r.chunk = b.chunk;                                                                        \
        r.off = b.off;                                                                            \
        r.len = b.len;                                                                            \
        return r;                                                                                 \
    }                                                                                             \
    ARENA_INLINE arena_bits_t_ name##_bits_of_(name##_ref_t r)                                    \
    {                                                                                             \
        arena_bits_t_ b;                                                                          \
        b.chunk = r.chunk;                                                                        \
        b.off = r.off;                                                                            \
        b.len = r.len;                                                                            \
        return b;                                                                                 \
    }                                                                                             \
    ARENA_INLINE name##_view_t name##_view_of_(arena_run_t_ run)                                  \
    {                                                                                             \
        name##_view_t v;                                                                          \
        v.data = ARENA_CAST_(const name##_elem_t *, ARENA_CAST_(const void *, run.data));         \
        v.len = run.len;                                                                          \
        return v;                                                                                 \
    }                                                                                             \
    ARENA_INLINE name##_elem_t *name##_place_of_(void *p)                                         \
    { return ARENA_CAST_(name##_elem_t *, p); }                                                   \
    ARENA_INLINE name##_t name##_make(size_t chunk_bytes)                                         \
    {                                                                                             \
        name##_t a;                                                                               \
        a.core = arena_core_make_(chunk_bytes);                                                   \
        return a;                                                                                 \
    }                                                                                             \
    ARENA_INLINE arena_status_t name##_init(name##_t *a, const arena_options_t *options)          \
    { return arena_core_init_(&a->core, options, &name##_shape_); }                               \
    ARENA_HOT_ const name##_elem_t *name##_append(name##_t *a, const src_t *src, size_t count)    \
    { return name##_place_of_(arena_core_append_(&a->core, src, count, &name##_shape_)); }        \
    ARENA_HOT_ name##_ref_t name##_ref(name##_t *a, const src_t *src, size_t count)               \
    { return name##_ref_of_(arena_core_ref_(&a->core, src, count, &name##_shape_)); }             \
    ARENA_HOT_ name##_elem_t *name##_reserve(name##_t *a, size_t count)                           \
    { return name##_place_of_(arena_core_reserve_(&a->core, count, &name##_shape_)); }            \
    ARENA_HOT_ name##_elem_t *name##_reserve_ref(name##_t *a, size_t count, name##_ref_t *ref)    \
    {                                                                                             \
        arena_bits_t_ b;                                                                          \
        void *p = arena_core_reserve_ref_(&a->core, count, &b, &name##_shape_);                   \
        *ref = name##_ref_of_(b);                                                                 \
        return name##_place_of_(p);                                                               \
    }                                                                                             \
    ARENA_HOT_ name##_view_t name##_value(const name##_t *a, name##_ref_t r)                      \
    {                                                                                             \
        return name##_view_of_(                                                                   \
            arena_core_value_(&a->core, name##_bits_of_(r), name##_shape_.size));                 \
    }                                                                                             \
    ARENA_HOT_ name##_view_t name##_value_unchecked(const name##_t *a, name##_ref_t r)            \
    {                                                                                             \
        return name##_view_of_(                                                                   \
            arena_core_value_unchecked_(&a->core, name##_bits_of_(r), name##_shape_.size));       \
    }                                                                                             \
    ARENA_INLINE void name##_prefetch(const name##_t *a, name##_ref_t r)                          \
    { arena_core_prefetch_(&a->core, name##_bits_of_(r), name##_shape_.size); }                   \
    ARENA_INLINE bool name##_ref_empty(name##_ref_t r) { return r.len == 0; }                     \
    ARENA_INLINE void name##_reset(name##_t *a) { arena_core_reset_(&a->core); }                  \
    ARENA_INLINE void name##_release(name##_t *a) { arena_core_release_(&a->core); }              \
    ARENA_INLINE void name##_trim(name##_t *a, size_t keep_bytes)                                 \
    { arena_core_trim_(&a->core, keep_bytes); }                                                   \
    ARENA_INLINE arena_mark_t name##_mark(name##_t *a) { return arena_core_mark_(&a->core); }     \
    ARENA_INLINE bool name##_rewind(name##_t *a, arena_mark_t m)                                  \
    { return arena_core_rewind_(&a->core, m); }                                                   \
    ARENA_INLINE size_t name##_size(const name##_t *a) { return arena_core_size_(&a->core); }     \
    ARENA_INLINE size_t name##_retained(const name##_t *a) { return a->core.retained; }           \
    ARENA_INLINE size_t name##_chunk_count(const name##_t *a) { return a->core.opened; }          \
    ARENA_INLINE name##_view_t name##_chunk(const name##_t *a, size_t i)                          \
    { return name##_view_of_(arena_core_chunk_(&a->core, i, name##_shape_.size)); }               \
    ARENA_INLINE arena_stats_t name##_stats(const name##_t *a)                                    \
    { return arena_core_stats_(&a->core); }                                                       \
    ARENA_INLINE arena_status_t name##_status(const name##_t *a) { return a->core.status; }       \
    ARENA_INLINE void name##_clear_status(name##_t *a) { a->core.status = ARENA_OK; }             \
    ARENA_INLINE void name##_set_limit(name##_t *a, size_t limit_bytes)                           \
    { a->core.options.limit_bytes = limit_bytes; }                                                \
    ARENA_INLINE bool name##_is_valid(const name##_t *a)                                          \
    { return arena_core_is_valid_(&a->core, &name##_shape_); }                                    \
    ARENA_INLINE arena_status_t name##_join(name##_t *a, struct arena_group_t *g)                 \
    { return arena_core_join_(&a->core, g, &name##_shape_); }                                     \
    ARENA_SLICES_(name, name##_t, src_t, a, s, src)                                               \
    struct name##_t                     /* takes the semicolon behind the macro */

#define ARENA_FAMILY_(name, a, r, s, src)                                                         \
    ARENA_TYPES_(name);                                                                           \
    ARENA_SHAPE_(name, 0);                                                                        \
    ARENA_FUNCTIONS_(name, name##_elem_t, a, r, s, src)

/* Behind ARENA_DECLARE(name), once T is complete. T stands in both, as the names of the parameters
 * do: a macro more in between is three lines more for a misspelt type, too. */
#define ARENA_DEFINE_DECLARED(name, T)                                                            \
    struct name##_cell_ { T e; };                                                                 \
    typedef ARENA_TYPE_OF_(name##_cell_, T) name##_elem_t;                                        \
    ARENA_FAMILY_(name, a, r, s, src)

#define ARENA_DEFINE(name, T)                                                                     \
    struct name##_cell_ { T e; };                                                                 \
    typedef ARENA_TYPE_OF_(name##_cell_, T) name##_elem_t;                                        \
    ARENA_DECLARE(name);                                                                          \
    ARENA_FAMILY_(name, a, r, s, src)

/* ---------------------------------------------------------------------------------------------
 * The byte arena: the family of char, with sources of any type
 * ------------------------------------------------------------------------------------------ */

struct arena_cell_ { char e; };
typedef ARENA_TYPE_OF_(arena_cell_, char) arena_elem_t;
ARENA_DECLARE(arena);
ARENA_TYPES_(arena);
ARENA_SHAPE_(arena, 1);

/* --- make ----------------------------------------------------------------------------------- */

/* An arena with chunks of chunk_bytes (0 = 64 KiB). Allocates nothing and cannot fail. The same as
 * {0} but for the chunk size. */
ARENA_INLINE arena_t arena_make(size_t chunk_bytes);

/* Sets up *a, which holds nothing yet and need not be initialised, from options (NULL = defaults;
 * the struct is copied). ARENA_OK, or ARENA_ARGUMENT (half a hook pair, buffer_bytes without a
 * buffer) or ARENA_TOO_LARGE, and *a is {0}; the options' on_error hears of it. Allocates nothing.
 */
ARENA_INLINE arena_status_t arena_init(arena_t *a, const arena_options_t *options);

/* --- store ---------------------------------------------------------------------------------- */

/* Copies count bytes from src and returns the copy, which stays where it is until reset, release or
 * a rewind past it. NULL with count 0 (no error) and on failure. O(count). */
ARENA_INLINE const char *arena_append(arena_t *a, const void *src, size_t count);

/* The same, and returns the copy's Ref; the absent Ref (all zero) with count 0 and on failure.
 * Fails besides with ARENA_REF_RANGE, storing nothing, where a Ref cannot name the place. */
ARENA_INLINE arena_ref_t arena_ref(arena_t *a, const void *src, size_t count);

/* Room for count bytes, to be filled by you; not cleared. NULL as with arena_append. O(1). */
ARENA_INLINE char *arena_reserve(arena_t *a, size_t count);

/* The same with its Ref in *ref, absent where NULL is returned. */
ARENA_INLINE char *arena_reserve_ref(arena_t *a, size_t count, arena_ref_t *ref);

/* --- resolve -------------------------------------------------------------------------------- */

/* What r describes, or the empty view {NULL, 0} where r is absent, from before a reset, of another
 * arena or forged. Never outside what this arena holds. Sets no status. A Ref made by hand for a
 * piece of a value (the same chunk, off and len inside) resolves to that piece. O(1). */
ARENA_INLINE arena_view_t arena_value(const arena_t *a, arena_ref_t r);

/* The same without any check, for hot loops over Refs that arena_value would resolve; undefined for
 * all others, the absent Ref included. O(1). */
ARENA_INLINE arena_view_t arena_value_unchecked(const arena_t *a, arena_ref_t r);

/* Asks the processor for the first cache line of what r describes, whatever r is; nothing else. A
 * loop over a million Refs in no order is 2 to 3 times faster when it calls this 32 to 64 ahead
 * (`make bench WORDS=resolve`): else the checks leave room for few reads under way. O(1). */
ARENA_INLINE void arena_prefetch(const arena_t *a, arena_ref_t r);

/* Whether r is absent, as that of a failed store and of an empty string is. A stale one is not: see
 * arena_value. */
ARENA_INLINE bool arena_ref_empty(arena_ref_t r);

/* --- rewind --------------------------------------------------------------------------------- */

/* Ends the batch: all values are gone, every Ref and mark of it is stale, uniform chunks stay for
 * the next batch, oversized ones are freed. With keep_batches = N one uniform chunk is freed when
 * none of the last N batches (the one that ends counts) opened as many as are held. Never fails.
 * O(1) + the oversized chunks; in a lane O(its chunks). */
ARENA_INLINE void arena_reset(arena_t *a);

/* Frees everything that came from the hooks. Options and status stay and the arena can be used
 * again; a lane leaves its group and keeps the group's options, now for itself alone: limit_bytes,
 * too. Never fails. O(chunks). */
ARENA_INLINE void arena_release(arena_t *a);

/* Frees chunks that this batch has not opened until retained is keep_bytes at most or none is left.
 * Right after a reset all are such, a user buffer excepted. Never fails. O(chunks freed). */
ARENA_INLINE void arena_trim(arena_t *a, size_t keep_bytes);

/* The present place, to rewind to. Also a fence: storage from before it is not shrunk, moved in
 * place or used again until a reset or a rewind to an earlier mark. Never fails. O(1). */
ARENA_INLINE arena_mark_t arena_mark(arena_t *a);

/* Drops all that was stored since m: size, statistics, and the room left in open chunks are as they
 * were, oversized chunks opened since are freed. m can be rewound to again. False and ARENA_STALE,
 * nothing changed, for a mark of another arena or batch, or one itself rewound past (as far as can
 * be told: the last few such rewinds are remembered). O(chunks opened since). */
ARENA_INLINE bool arena_rewind(arena_t *a, arena_mark_t m);

/* --- watch ---------------------------------------------------------------------------------- */

/* Bytes of values stored since the rewind: no padding, no NULs, reservations whole. O(1). */
ARENA_INLINE size_t arena_size(const arena_t *a);

/* Bytes of chunk capacity held, a user buffer's included. O(1). */
ARENA_INLINE size_t arena_retained(const arena_t *a);

/* Chunks opened in this batch. O(1). */
ARENA_INLINE size_t arena_chunk_count(const arena_t *a);

/* What chunk i holds, by chunk number, values in address order with padding between them: for
 * writev and for loops over all elements. Empty for i from arena_chunk_count on. O(1). */
ARENA_INLINE arena_view_t arena_chunk(const arena_t *a, size_t i);

/* All figures at once; see arena_stats_t. O(1). */
ARENA_INLINE arena_stats_t arena_stats(const arena_t *a);

/* The first failure since the status was cleared or the arena reset, ARENA_OK if there was none. */
ARENA_INLINE arena_status_t arena_status(const arena_t *a);
ARENA_INLINE void arena_clear_status(arena_t *a);

/* Another limit_bytes, 0 = none. Below what is held it refuses growth and harms nothing. A lane's
 * limit is its group's. */
ARENA_INLINE void arena_set_limit(arena_t *a, size_t limit_bytes);

/* Whether every invariant I1 to I9 holds. Allocates nothing. O(chunks + outgrown blocks). */
ARENA_INLINE bool arena_is_valid(const arena_t *a);

/* --- grow ----------------------------------------------------------------------------------- */

/* Appends one byte, or count bytes (which may lie in the slice itself), to s, which is {0} at
 * first. True, or false and the slice as it was. In place while s is at the tip, else in storage of
 * twice the size (16 bytes less where that comes to 1 KiB), and then copies of the slice made
 * before are dead. Amortised O(count). */
ARENA_INLINE bool arena_push(arena_t *a, arena_slice_t *s, char v);
ARENA_INLINE bool arena_extend(arena_t *a, arena_slice_t *s, const void *src, size_t count);

/* A slice of len zero bytes with room for cap (len if that is more); {NULL, 0, 0} on failure and
 * for 0. */
ARENA_INLINE arena_slice_t arena_slice(arena_t *a, size_t len, size_t cap);

/* Gives the room beyond s->len back where s is at the tip and no mark stands in the way. O(1). */
ARENA_INLINE void arena_shrink(arena_t *a, arena_slice_t *s);

/* --- join ----------------------------------------------------------------------------------- */

/* Makes the empty arena *lane a lane of g, with the group's options. ARENA_ARGUMENT for an arena
 * that holds something or is a lane already, and where element size or alignment differ from those
 * of the lanes before. */
ARENA_INLINE arena_status_t arena_join(arena_t *lane, arena_group_t *g);

ARENA_FUNCTIONS_(arena, void, a, r, s, src);

/* --- strings -------------------------------------------------------------------------------- */

ARENA_API ARENA_COLD_ const char *arena_intern_slow_(arena_t *a, const void *s, size_t n);

/* Copies n bytes and a NUL to the tip and says where they are; false, nothing done, where they do
 * not fit, s is NULL or n is 0. */
ARENA_HOT_ bool arena_put_text_at_tip_(arena_core_t *c, const void *s, size_t n, char **at)
{
    const bool few = ARENA_SHORT_(n, 1);
    if (ARENA_UNLIKELY_(s == NULL)) return false;
    if (ARENA_UNLIKELY_(few ? !arena_few_fit_(c, n + 1) : n >= arena_left_(c) || n == 0))
        return false;
    *at = arena_bump_(c, n + 1);
    c->padding++;
    if (few) arena_copy_(*at, ARENA_CAST_(const char *, s), n);
    else arena_copy_any_(*at, s, n);
    (*at)[n] = 0;
    return true;
}

/* A copy of n bytes with a NUL behind it, which is not part of its length. n = 0: a static "", no
 * error. NULL on failure: no room, or s NULL with n > 0. O(n). */
ARENA_HOT_ const char *arena_intern_n(arena_t *a, const void *s, size_t n)
{
    char *p = a->core.cur;
    if (ARENA_LIKELY_(arena_put_text_at_tip_(&a->core, s, n, &p))) return p;
    return arena_intern_slow_(a, s, n);
}

/* A copy of the C string s; NULL and ARENA_ARGUMENT for NULL. O(strlen). */
ARENA_INLINE const char *arena_intern(arena_t *a, const char *s)
{
    return arena_intern_n(a, s, s != NULL ? ARENA_STRLEN(s) : SIZE_MAX);
}

/* The same two, answering with the Ref of the n bytes; it remembers that a NUL follows, so that
 * arena_str costs no copy. The absent Ref for n = 0 and on failure. */
ARENA_HOT_ arena_ref_t arena_strref_n(arena_t *a, const void *s, size_t n)
{
    char *p = a->core.cur;
    if (ARENA_LIKELY_(arena_put_text_at_tip_(&a->core, s, n, &p)))
        return arena_ref_of_(arena_bits_(&a->core, p, n, 1, 1));
    return arena_ref_of_(arena_store_ref_(&a->core, s, n, &arena_shape_, ARENA_NUL_ | ARENA_REF_));
}

ARENA_INLINE arena_ref_t arena_strref(arena_t *a, const char *s)
{
    return arena_strref_n(a, s, s != NULL ? ARENA_STRLEN(s) : SIZE_MAX);
}

/* The value of r as a C string, always: "" for the absent Ref, and "" with a status on failure.
 * Free for a Ref of arena_strref; for one of arena_ref it takes the next byte if that is free, else
 * makes a copy at each call. O(1), or O(length).
 * In a lane a text that ends exactly at its chunk's end is copied, too. */
ARENA_API const char *arena_str(arena_t *a, arena_ref_t r);

#if !defined(ARENA_NO_STDLIB)
/* The formatted text, NUL-terminated; a static "" where it is empty, NULL on failure
 * (ARENA_ARGUMENT where the format fails or is NULL). Formats once, straight into the room left; a
 * second time only where that does not hold it. Arguments may lie in the arena. */
ARENA_API const char *arena_printf(arena_t *a, const char *fmt, ...) ARENA_PRINTF_(2, 3);
ARENA_API const char *arena_vprintf(arena_t *a, const char *fmt, va_list args) ARENA_PRINTF_(2, 0);

/* Appends formatted text to s; arguments may lie in the slice itself. A NUL stands behind the text,
 * outside s->len, until more is appended: behind what arena_push and arena_extend appended there is
 * none unless you push it. True, or false and the slice as it was. */
ARENA_API bool arena_extendf(arena_t *a, arena_slice_t *s, const char *fmt, ...)
    ARENA_PRINTF_(3, 4);
ARENA_API bool arena_vextendf(arena_t *a, arena_slice_t *s, const char *fmt, va_list args)
    ARENA_PRINTF_(3, 0);
#endif

/* n parts with sep between them; a static "" where nothing is left, NULL on failure; a NULL
 * separator or part is ARENA_ARGUMENT. O(length). */
ARENA_API const char *arena_strjoin(arena_t *a, const char *sep, const char *const *parts,
                                    size_t n);

/* --- objects of any type -------------------------------------------------------------------- */

/* bytes of storage at a multiple of align, a power of two; not cleared. NULL for 0 bytes (no error)
 * and on failure; ARENA_ARGUMENT for any other align. O(1). */
ARENA_INLINE void *arena_alloc(arena_t *a, size_t bytes, size_t align)
{
    return arena_core_alloc_(&a->core, bytes, align, &arena_shape_, false);
}

/* count elements of bytes each, all zero. The product is checked. O(count * bytes). */
ARENA_INLINE void *arena_alloc_array_(arena_t *a, size_t count, size_t bytes, size_t align)
{
    if (ARENA_UNLIKELY_(bytes != 0 && count > SIZE_MAX / bytes))
        return arena_fail_(&a->core, ARENA_TOO_LARGE, 0);
    return arena_core_alloc_(&a->core, count * bytes, align, &arena_shape_, true);
}

/* arena_alloc, cleared. */
ARENA_INLINE void *arena_alloc_zeroed(arena_t *a, size_t bytes, size_t align)
{
    return arena_alloc_array_(a, 1, bytes, align);
}

/* One zeroed T, or n of them; NULL as with arena_alloc. In C++ for trivial types. */
#define ARENA_NEW(a, T) ARENA_CAST_(T *, arena_alloc_array_((a), 1, sizeof(T), ARENA_ALIGNOF_(T)))
#define ARENA_NEW_ARRAY(a, T, n)                                                                  \
    ARENA_CAST_(T *, arena_alloc_array_((a), (n), sizeof(T), ARENA_ALIGNOF_(T)))

/* Storage p of old_bytes (from this arena, or NULL) with new_bytes: in place at the tip both ways,
 * or when it shrinks; else moved, and the old storage is the arena's. p that is not at a multiple
 * of align moves even when it shrinks. NULL for 0 new bytes (no error; p is given up) and on
 * failure (p as it was). O(1), or O(bytes copied). */
ARENA_API void *arena_realloc(arena_t *a, void *p, size_t old_bytes, size_t new_bytes,
                              size_t align);

/* The same with the arena as ctx and the alignment of long double and long long: the shape of Lua's
 * lua_Alloc. Freed storage is used again. */
ARENA_API void *arena_allocf(void *ctx, void *p, size_t old_bytes, size_t new_bytes);

/* Slices of T inside the byte arena: name_slice_t, name_push, name_extend, name_slice, name_shrink.
 * */
#define ARENA_SLICE_DEFINE(name, T)                                                               \
    struct name##_cell_ { T e; };                                                                 \
    typedef ARENA_TYPE_OF_(name##_cell_, T) name##_elem_t;                                        \
    ARENA_ELEMENT_(name);                                                                         \
    ARENA_SHAPE_(name, 1);                                                                        \
    ARENA_SLICES_(name, arena_t, name##_elem_t, a, s, src)                                        \
    struct name##_slice_t               /* takes the semicolon behind the macro */

/* --- the thread's current arena ------------------------------------------------------------- */

/* The calling thread's current arena, NULL at first; arena_make_current sets it and returns the one
 * before. Where the compiler has no thread-local storage there is one for the whole process. */
ARENA_API arena_t *arena_current(void);
ARENA_API arena_t *arena_make_current(arena_t *a);

/* malloc's shapes on the current arena, for libraries that take such functions. NULL where there is
 * no current arena. Aligned for every type. free gives storage back for use within the batch, and
 * only if it is the current arena's. A block from before a mark keeps its size while realloc makes
 * it smaller, and moves to become larger: after a rewind it is as it was. */
ARENA_API void *arena_current_malloc(size_t bytes);
ARENA_API void *arena_current_realloc(void *p, size_t bytes);
ARENA_API void arena_current_free(void *p);

/* A stretch in which a is current and after which it is rewound. */
typedef struct arena_scope_t {
    arena_t *arena, *before;
    arena_mark_t mark;
    uint32_t depth, serial;      /* depth 0 = closed */
} arena_scope_t;

/* Makes a current and remembers its place. */
ARENA_API arena_scope_t arena_scope_open(arena_t *a);

/* Rewinds the scope's arena and makes current what was before it. Scopes opened since and still
 * open count as closed. False, nothing changed, for a scope that is closed or counts as such (among
 * the first 64 that are open at one time). An arena that was reset inside is not rewound. */
ARENA_API bool arena_scope_close(arena_scope_t *scope);

#if defined(__GNUC__) || defined(__clang__)
#define ARENA_CLEANUP_ __attribute__((cleanup(arena_scope_end_)))
#else
#define ARENA_CLEANUP_
#endif
ARENA_API bool arena_scope_leave_(arena_scope_t *scope);

/* Ends a block of ARENA_SCOPE: once, and with no error where its scope counts as closed already. */
ARENA_INLINE void arena_scope_end_(arena_scope_t *scope)
{
    if (scope->depth != 0) (void)arena_scope_leave_(scope);
    scope->depth = 0;
}
#define ARENA_PASTE2_(a, b) a##b
#define ARENA_PASTE_(a, b) ARENA_PASTE2_(a, b)
#define ARENA_SCOPE_(a, s)                                                                        \
    for (ARENA_CLEANUP_ arena_scope_t s = arena_scope_open(a); s.depth != 0; arena_scope_end_(&s))

/* ARENA_SCOPE(a) { ... }: a scope around the block. With gcc and clang also closed by return,
 * break, goto and a C++ exception; elsewhere leave the block at its end. A longjmp does not close
 * it: a stays current until a scope around it is closed, and is rewound only if that is a's, too.
 * Where an outer scope is closed inside the block nothing is left to do at its end. */
#define ARENA_SCOPE(a) ARENA_SCOPE_(a, ARENA_PASTE_(arena_scope_, __LINE__))

/* A scratch arena of the calling thread that is none of the n in in_use (entries may be NULL) and
 * not the current one; there are four, NULL where all are named. NULL and 0 name none. Leave it as
 * you found it: open a scope on it or rewind. arena_scratch_release frees them at thread end. */
ARENA_API arena_t *arena_scratch(arena_t *const *in_use, size_t n);
ARENA_API void arena_scratch_release(void);

/* --- groups: many threads, one set of Refs -------------------------------------------------- */

/* A group owns the chunk numbers, the limit and the options of its lanes. A lane is an arena that
 * joined: used by one thread at a time, with no lock and no atomic operation on its hot path. */
struct arena_group_t {
    arena_entry_t_ *table;       /* one entry a chunk number, never moved */
    uint32_t *free_bits;         /* bit = number not handed out */
    uint32_t numbers;            /* max_chunks */
    uint32_t free_numbers;       /* atomic: permits to take a bit */
    uint32_t shape_set;          /* atomic: 0 none, 1 being set, 2 set */
    size_t size, align, spare;   /* of all lanes */
    size_t allocated;            /* atomic: held from the hooks, the group's table included */
    arena_options_t options;
    arena_hooks_t hooks;
};

/* Makes a group for at most max_chunks chunks (0 = 4096) at one time, whose table is allocated
 * here. options as arena_init has them, without a buffer; limit_bytes counts the table and all
 * lanes. A failure leaves {0}. ARENA_ARGUMENT where the compiler has no atomics. */
ARENA_API arena_status_t arena_group_init(arena_group_t *g, const arena_options_t *options,
                                          uint32_t max_chunks);

/* Frees the table, after all lanes were released. */
ARENA_API void arena_group_release(arena_group_t *g);

/* ---- POOL: declarations ---- */

/* ---------------------------------------------------------------------------------------------
 * The span pool: ARENA_POOL_DEFINE(meshes, struct vertex) makes meshes_t and all that begins with
 * meshes_, or ARENA_POOL_DECLARE and ARENA_POOL_DEFINE_DECLARED do in two steps. The documentation
 * is in section THE SPAN POOL at the head of the file.
 * ------------------------------------------------------------------------------------------ */

#ifndef ARENA_POOL_SPANS
#define ARENA_POOL_SPANS 2147483135    /* live spans and holes a pool can number; tests lower it */
#endif
#if ARENA_POOL_SPANS < 31 || ARENA_POOL_SPANS > 2147483135 || \
    (ARENA_POOL_SPANS + 1) % (ARENA_POOL_SPANS < 512 ? 16 : 512) != 0
#error "arena.h: ARENA_POOL_SPANS is 31 to 2^31 - 513, one less than a multiple of 512, or of 16"
#endif

#if defined(ARENA_ASAN_) || defined(ARENA_MSAN_) || defined(ARENA_VALGRIND)
#define ARENA_POOL_WATCHED_
#endif

/* All zero is the default of everything. */
typedef struct arena_pool_options_t {
    const arena_hooks_t *hooks;  /* copied; NULL = ARENA_MALLOC and ARENA_FREE */
    size_t limit_bytes;          /* what may be held from the hooks at one time; 0 = no limit */
    size_t max_count;            /* elements; a fixed capacity, taken whole at the first store */
    size_t reserve;              /* elements; the same, but taken by init */
    size_t align;                /* bytes; of the buffer; a power of two; 0 = what T needs */
    void (*on_error)(void *ctx, arena_status_t status, size_t bytes);
    void *on_error_ctx;
} arena_pool_options_t;

typedef struct arena_pool_stats_t {
    size_t len;                  /* elements in live spans */
    size_t spans;                /* live spans */
    size_t free;                 /* elements in free spans: buffer_len - len */
    size_t free_spans;
    size_t largest_free;         /* elements of the largest free span */
    size_t buffer_len;           /* elements from the start to the end of all that was ever used */
    size_t capacity;             /* elements the buffer has room for */
    size_t allocated;            /* bytes held from the hooks: the buffer and the table of spans */
} arena_pool_stats_t;

/* Sizes are sorted into rows, one for each power of two, of ARENA_POOL_COLS_ bins each; the sizes
 * below 2 * ARENA_POOL_COLS_ have a bin each. */
#ifndef ARENA_POOL_COL_BITS_
#define ARENA_POOL_COL_BITS_ 5         /* proofs lower it: they pay for each bin */
#endif
enum {
    ARENA_POOL_COLS_ = 1 << ARENA_POOL_COL_BITS_,
    ARENA_POOL_ROWS_ = 33 - ARENA_POOL_COL_BITS_,
    ARENA_POOL_BINS_ = ARENA_POOL_ROWS_ * ARENA_POOL_COLS_
};

/* The end of a chain of hashes; and the mark of a hole that hangs in a list. No slot. */
#define ARENA_POOL_END_ 0x7FFFFFFFu

/* One slot of the table: a live span, a hole (a free span that a live one follows), or neither. It
 * is 32 bytes, two a cache line, and all that the pool keeps for a span is in it. A link is
 * slot * 2 + 1 to a hole, slot * 2 to a live span, and 0 to slot 0, which closes the ring: what the
 * neighbours are is known without reading them, and freeing reads one slot if they are live. */
typedef struct arena_pool_span_t_ {
    uint32_t generation;         /* odd while live, and then what a handle holds */
    uint32_t prev, next;         /* links to the neighbours by address */
    uint32_t count;              /* elements */
    union {
        struct {
            uint32_t start;      /* element of the buffer */
            uint32_t hash;
            uint32_t chain;      /* next of the same hash * 2 + is it named by its zone; next 0 =
                                    not stored by fetch_or_append */
        } live;
        struct {
            uint32_t child[2];   /* in the trie; or the hole before in the list, and END_ */
            uint32_t more;       /* next hole of the same size */
        } hole;
    } as;
    uint32_t head;               /* not of this span: see arena_pool_chain_ and arena_pool_zone_ */
} arena_pool_span_t_;

typedef struct arena_pool_core_t {
    char *data;
    arena_pool_span_t_ *spans;   /* the table */
    uint32_t slots;              /* of the table, slot 0 included; a multiple of 16, then of 512 */
    uint32_t used;               /* slots 1 to used have been in use */
    uint32_t spare;              /* list of those of them that are not in use now */
    uint32_t zone_shift;         /* a zone is 2^zone_shift elements */
    uint32_t end;                /* the end of the last live span */
    uint32_t top;                /* buffer_len: the largest end since cleared */
    uint32_t capacity;
    uint32_t low;                /* no hole begins below it; compact goes on from here */
    uint32_t len, live, holes;
    uint32_t rows;               /* one bit a row of bins that is not empty */
    uint32_t seed;               /* of hashes; 0 = not drawn yet */
    uint32_t step;               /* from a dead generation to a live one; 4 n + 1 */
    size_t allocated;
    arena_status_t status;
    arena_pool_options_t options;
    arena_hooks_t hooks;
    uint32_t cols[ARENA_POOL_ROWS_];       /* one bit a bin that is not empty */
    uint32_t bins[ARENA_POOL_BINS_];       /* roots of the tries of holes, by size */
} arena_pool_core_t;

/* What a handle looks like to the core; each family has a distinct type of the same fields. */
typedef struct arena_pool_handle_t_ { uint32_t span, generation; } arena_pool_handle_t_;

ARENA_API arena_status_t arena_pool_init_(arena_pool_core_t *c, const arena_pool_options_t *o,
                                          const arena_shape_t_ *s);
ARENA_API arena_status_t arena_pool_fail_(arena_pool_core_t *c, arena_status_t status,
                                          size_t bytes);
ARENA_API uint32_t arena_pool_place_(arena_pool_core_t *c, size_t count, const arena_shape_t_ *s);
ARENA_API void arena_pool_fill_large_(char *dst, const void *value, size_t count, size_t size);
ARENA_API arena_pool_handle_t_ arena_pool_append_copy_(arena_pool_core_t *c, const void *src,
                                                       size_t count, const arena_shape_t_ *s);
ARENA_API arena_pool_handle_t_ arena_pool_fetch_or_append_(arena_pool_core_t *c, const void *src,
                                                           size_t count, const arena_shape_t_ *s);
ARENA_API arena_status_t arena_pool_free_(arena_pool_core_t *c, uint32_t span, uint32_t generation,
                                          const arena_shape_t_ *s);
ARENA_API bool arena_pool_resize_(arena_pool_core_t *c, uint32_t span, uint32_t generation,
                                  size_t count, const arena_shape_t_ *s);
ARENA_API uint32_t arena_pool_at_(const arena_pool_core_t *c, size_t index);
ARENA_API bool arena_pool_next_free_(const arena_pool_core_t *c, size_t *start, size_t *count);
ARENA_API void arena_pool_retain_(arena_pool_core_t *c,
                                  bool (*keep)(void *box, arena_pool_handle_t_ h, void *elements,
                                               size_t count),
                                  void *box, const arena_shape_t_ *s);
ARENA_API void arena_pool_drain_(arena_pool_core_t *c,
                                 bool (*each)(void *box, arena_pool_handle_t_ h, void *elements,
                                              size_t count),
                                 void *box, const arena_shape_t_ *s);
ARENA_API size_t arena_pool_compact_(arena_pool_core_t *c, size_t budget,
                                     void (*moved)(void *ctx, size_t from, size_t to,
                                                   size_t count),
                                     void *ctx, const arena_shape_t_ *s);
ARENA_API void arena_pool_clear_(arena_pool_core_t *c, const arena_shape_t_ *s);
ARENA_API void arena_pool_release_(arena_pool_core_t *c, const arena_shape_t_ *s);
ARENA_API void *arena_pool_take_(arena_pool_core_t *c, size_t *count, const arena_shape_t_ *s);
ARENA_API bool arena_pool_copy_(arena_pool_core_t *to, const arena_pool_core_t *from,
                                const arena_shape_t_ *s);
ARENA_API arena_pool_stats_t arena_pool_stats_(const arena_pool_core_t *c);
ARENA_API bool arena_pool_is_valid_(const arena_pool_core_t *c, const arena_shape_t_ *s);
#ifdef ARENA_POOL_WATCHED_
ARENA_API void arena_pool_show_(const arena_pool_core_t *c, size_t size);
#endif

/* O(1) for any bits whatever: the slot has been in use, it has this generation, and that is odd. */
ARENA_INLINE bool arena_pool_alive_(const arena_pool_core_t *c, uint32_t span, uint32_t generation)
{
    return span - 1u < c->used && c->spans[span].generation == generation && (generation & 1u) != 0;
}

ARENA_INLINE char *arena_pool_address_(const arena_pool_core_t *c, uint32_t slot, size_t size)
{
    return c->data + c->spans[slot].as.live.start * size;
}

ARENA_INLINE arena_pool_handle_t_ arena_pool_handle_(const arena_pool_core_t *c, uint32_t slot)
{
    arena_pool_handle_t_ h;
    h.span = slot;
    h.generation = slot != 0 ? c->spans[slot].generation : 0;
    return h;
}

ARENA_INLINE void *arena_pool_get_(const arena_pool_core_t *c, uint32_t span, uint32_t generation,
                                   size_t size)
{
    if (ARENA_LIKELY_(arena_pool_alive_(c, span, generation))) {
        return arena_pool_address_(c, span, size);
    }
    return NULL;
}

ARENA_INLINE arena_run_t_ arena_pool_span_(const arena_pool_core_t *c, uint32_t span,
                                           uint32_t generation, size_t size)
{
    arena_run_t_ run = { NULL, 0 };
    if (ARENA_LIKELY_(arena_pool_alive_(c, span, generation))) {
        run.data = arena_pool_address_(c, span, size);
        run.len = c->spans[span].count;
    }
    return run;
}

ARENA_INLINE size_t arena_pool_start_(const arena_pool_core_t *c, uint32_t span,
                                      uint32_t generation)
{
    if (arena_pool_alive_(c, span, generation)) return c->spans[span].as.live.start;
    return SIZE_MAX;
}

/* The live span behind a slot, which is a live one or slot 0. Behind a hole there always is one. */
ARENA_INLINE uint32_t arena_pool_after_(const arena_pool_core_t *c, uint32_t slot)
{
    const uint32_t next = c->spans[slot].next;
    return (next & 1u) == 0 ? next >> 1 : c->spans[next >> 1].next >> 1;
}

ARENA_INLINE arena_pool_handle_t_ arena_pool_first_(const arena_pool_core_t *c)
{
    return arena_pool_handle_(c, c->spans != NULL ? arena_pool_after_(c, 0) : 0);
}

ARENA_INLINE arena_pool_handle_t_ arena_pool_next_(const arena_pool_core_t *c, uint32_t span,
                                                   uint32_t generation)
{
    const bool alive = arena_pool_alive_(c, span, generation);
    return arena_pool_handle_(c, alive ? arena_pool_after_(c, span) : 0);
}

/* Copies of one element. The size is a constant of the family, so that short spans are filled by
 * plain stores, of 16 bytes where a whole number of elements makes that. */
ARENA_INLINE void arena_pool_fill_(char *dst, const void *value, size_t count, size_t size)
{
    const size_t bytes = count * size;
    char block[16];
    size_t i;
    if (bytes > 512) {
        arena_pool_fill_large_(dst, value, count, size);
    } else if (size < 16 && 16 % size == 0 && bytes >= 16) {
        for (i = 0; i < 16; i += size) ARENA_MEMCPY(block + i, value, size);
        for (i = 0; i < bytes - 16; i += 16) ARENA_MEMCPY(dst + i, block, 16);
        ARENA_MEMCPY(dst + bytes - 16, block, 16);
    } else {
        for (i = 0; i < bytes; i += size) ARENA_MEMCPY(dst + i, value, size);
    }
}

ARENA_INLINE arena_pool_handle_t_ arena_pool_append_(arena_pool_core_t *c, const void *value,
                                                     size_t count, const arena_shape_t_ *s)
{
    const uint32_t slot = count != 0 ? arena_pool_place_(c, count, s) : 0;
    if (ARENA_LIKELY_(slot != 0)) {
        char *dst = arena_pool_address_(c, slot, s->size);
        arena_pool_fill_(dst, value, count, s->size);
    }
    return arena_pool_handle_(c, slot);
}

/* Inline, so that the callback is called directly, or not at all. */
ARENA_INLINE uint32_t arena_pool_find_(const arena_pool_core_t *c,
                                       bool (*match)(const void *box, const void *element),
                                       const void *box, size_t size)
{
    uint32_t slot = c->spans != NULL ? arena_pool_after_(c, 0) : 0;
    for (; slot != 0; slot = arena_pool_after_(c, slot)) {
        const char *element = arena_pool_address_(c, slot, size);
        uint32_t left = c->spans[slot].count;
        for (; left != 0; left--, element += size) {
            if (match(box, element)) return slot;
        }
    }
    return 0;
}

ARENA_INLINE uint32_t arena_pool_find_bytes_(const arena_pool_core_t *c, const void *value,
                                             size_t size)
{
    uint32_t slot = c->spans != NULL ? arena_pool_after_(c, 0) : 0;
    for (; slot != 0; slot = arena_pool_after_(c, slot)) {
        const char *element = arena_pool_address_(c, slot, size);
        uint32_t left = c->spans[slot].count;
        for (; left != 0; left--, element += size) {
            if (ARENA_MEMCMP(element, value, size) == 0) return slot;
        }
    }
    return 0;
}

ARENA_INLINE char *arena_pool_data_(const arena_pool_core_t *c, size_t size)
{
#ifdef ARENA_POOL_WATCHED_
    arena_pool_show_(c, size);         /* whoever asks for the whole buffer may read holes too */
#endif
    (void)size;
    return c->data;
}

/* What of a pool's types needs no T: the pool and the handle. */
#define ARENA_POOL_DECLARE(name)                                                                  \
    typedef struct name##_t { arena_pool_core_t core; } name##_t;                                 \
    typedef struct name##_handle_t { uint32_t span, generation; } name##_handle_t

/* The functions in one macro, and their parameters named where it is used, since every macro inside
 * another makes each diagnostic some lines longer. A typed callback must not be called through a
 * pointer of another type, so each has a small function that the core calls, with the callback and
 * its context in a box. No function returns an array, so that is the error for a T that is one:
 * as a parameter it would be a pointer. */
#define ARENA_POOL_FAMILY_(name, p, h)                                                            \
    typedef name##_elem_t name##_T_is_no_array_(void);                                            \
    ARENA_ELEMENT_(name);                                                                         \
    ARENA_SHAPE_(name, 0);                                                                        \
    typedef struct name##_view_t { const name##_elem_t *data; size_t len; } name##_view_t;        \
    struct name##_pred_ { bool (*call)(const name##_elem_t *, void *); void *ctx; };              \
    struct name##_eq_ {                                                                           \
        bool (*call)(const name##_elem_t *, const name##_elem_t *, void *);                       \
        const name##_elem_t *value;                                                               \
        void *ctx;                                                                                \
    };                                                                                            \
    struct name##_keep_ {                                                                         \
        bool (*call)(name##_handle_t, name##_elem_t *, size_t, void *);                           \
        void *ctx;                                                                                \
    };                                                                                            \
    struct name##_each_ { void (*call)(name##_elem_t *, size_t, void *); void *ctx; };            \
    ARENA_INLINE name##_handle_t name##_handle_of_(arena_pool_handle_t_ from)                     \
    {                                                                                             \
        name##_handle_t h;                                                                        \
        h.span = from.span;                                                                       \
        h.generation = from.generation;                                                           \
        return h;                                                                                 \
    }                                                                                             \
    ARENA_INLINE name##_view_t name##_view_of_(arena_run_t_ run)                                  \
    {                                                                                             \
        name##_view_t v;                                                                          \
        v.data = ARENA_CAST_(const name##_elem_t *, ARENA_CAST_(const void *, run.data));         \
        v.len = run.len;                                                                          \
        return v;                                                                                 \
    }                                                                                             \
    ARENA_INLINE bool name##_match_pred_(const void *box, const void *element)                    \
    {                                                                                             \
        const struct name##_pred_ *b = ARENA_CAST_(const struct name##_pred_ *, box);             \
        return b->call(ARENA_CAST_(const name##_elem_t *, element), b->ctx);                      \
    }                                                                                             \
    ARENA_INLINE bool name##_match_eq_(const void *box, const void *element)                      \
    {                                                                                             \
        const struct name##_eq_ *b = ARENA_CAST_(const struct name##_eq_ *, box);                 \
        return b->call(ARENA_CAST_(const name##_elem_t *, element), b->value, b->ctx);            \
    }                                                                                             \
    ARENA_INLINE bool name##_call_keep_(void *box, arena_pool_handle_t_ h, void *elements,        \
                                        size_t count)                                             \
    {                                                                                             \
        const struct name##_keep_ *b = ARENA_CAST_(const struct name##_keep_ *, box);             \
        return b->call(name##_handle_of_(h), ARENA_CAST_(name##_elem_t *, elements), count,       \
                       b->ctx);                                                                   \
    }                                                                                             \
    ARENA_INLINE bool name##_call_each_(void *box, arena_pool_handle_t_ h, void *elements,        \
                                        size_t count)                                             \
    {                                                                                             \
        const struct name##_each_ *b = ARENA_CAST_(const struct name##_each_ *, box);             \
        (void)h;                                                                                  \
        b->call(ARENA_CAST_(name##_elem_t *, elements), count, b->ctx);                           \
        return true;                                                                              \
    }                                                                                             \
    ARENA_INLINE bool name##_handle_empty(name##_handle_t h) { return h.span == 0; }              \
    ARENA_INLINE arena_status_t name##_init(name##_t *p, const arena_pool_options_t *options)     \
    { return arena_pool_init_(&p->core, options, &name##_shape_); }                               \
    ARENA_INLINE name##_handle_t name##_append(name##_t *p, name##_elem_t value, size_t count)    \
    { return name##_handle_of_(arena_pool_append_(&p->core, &value, count, &name##_shape_)); }    \
    ARENA_INLINE name##_handle_t name##_append_copy(name##_t *p, const name##_elem_t *src,        \
                                                    size_t count)                                 \
    { return name##_handle_of_(arena_pool_append_copy_(&p->core, src, count, &name##_shape_)); }  \
    ARENA_INLINE name##_handle_t name##_fetch_or_append(name##_t *p, const name##_elem_t *src,    \
                                                        size_t count)                             \
    {                                                                                             \
        return name##_handle_of_(                                                                 \
            arena_pool_fetch_or_append_(&p->core, src, count, &name##_shape_));                   \
    }                                                                                             \
    ARENA_INLINE name##_handle_t name##_find(                                                     \
        const name##_t *p, bool (*pred)(const name##_elem_t *, void *), void *ctx)                \
    {                                                                                             \
        struct name##_pred_ box;                                                                  \
        box.call = pred;                                                                          \
        box.ctx = ctx;                                                                            \
        return name##_handle_of_(arena_pool_handle_(&p->core, pred == NULL ? 0 :                  \
            arena_pool_find_(&p->core, name##_match_pred_, &box, name##_shape_.size)));           \
    }                                                                                             \
    ARENA_INLINE name##_handle_t name##_find_or_append(                                           \
        name##_t *p, name##_elem_t value, size_t count,                                           \
        bool (*eq)(const name##_elem_t *, const name##_elem_t *, void *), void *ctx)              \
    {                                                                                             \
        struct name##_eq_ box;                                                                    \
        uint32_t slot;                                                                            \
        box.call = eq;                                                                            \
        box.value = &value;                                                                       \
        box.ctx = ctx;                                                                            \
        slot = eq == NULL ? arena_pool_find_bytes_(&p->core, &value, name##_shape_.size)          \
                          : arena_pool_find_(&p->core, name##_match_eq_, &box,                    \
                                             name##_shape_.size);                                 \
        return slot != 0 ? name##_handle_of_(arena_pool_handle_(&p->core, slot))                  \
                         : name##_append(p, value, count);                                        \
    }                                                                                             \
    ARENA_INLINE name##_elem_t *name##_get(const name##_t *p, name##_handle_t h)                  \
    {                                                                                             \
        return ARENA_CAST_(name##_elem_t *,                                                       \
                           arena_pool_get_(&p->core, h.span, h.generation, name##_shape_.size));  \
    }                                                                                             \
    ARENA_INLINE name##_view_t name##_span(const name##_t *p, name##_handle_t h)                  \
    {                                                                                             \
        return name##_view_of_(                                                                   \
            arena_pool_span_(&p->core, h.span, h.generation, name##_shape_.size));                \
    }                                                                                             \
    ARENA_INLINE size_t name##_start(const name##_t *p, name##_handle_t h)                        \
    { return arena_pool_start_(&p->core, h.span, h.generation); }                                 \
    ARENA_INLINE name##_handle_t name##_at(const name##_t *p, size_t index)                       \
    { return name##_handle_of_(arena_pool_handle_(&p->core, arena_pool_at_(&p->core, index))); }  \
    ARENA_INLINE arena_status_t name##_free(name##_t *p, name##_handle_t h)                       \
    { return arena_pool_free_(&p->core, h.span, h.generation, &name##_shape_); }                  \
    ARENA_INLINE bool name##_resize(name##_t *p, name##_handle_t h, size_t count)                 \
    { return arena_pool_resize_(&p->core, h.span, h.generation, count, &name##_shape_); }         \
    ARENA_INLINE name##_handle_t name##_first(const name##_t *p)                                  \
    { return name##_handle_of_(arena_pool_first_(&p->core)); }                                    \
    ARENA_INLINE name##_handle_t name##_next(const name##_t *p, name##_handle_t h)                \
    { return name##_handle_of_(arena_pool_next_(&p->core, h.span, h.generation)); }               \
    ARENA_INLINE bool name##_next_free(const name##_t *p, size_t *start, size_t *count)           \
    { return arena_pool_next_free_(&p->core, start, count); }                                     \
    ARENA_INLINE void name##_retain(                                                              \
        name##_t *p, bool (*keep)(name##_handle_t, name##_elem_t *, size_t, void *), void *ctx)   \
    {                                                                                             \
        struct name##_keep_ box;                                                                  \
        box.call = keep;                                                                          \
        box.ctx = ctx;                                                                            \
        arena_pool_retain_(&p->core, keep == NULL ? NULL : name##_call_keep_, &box,               \
                           &name##_shape_);                                                       \
    }                                                                                             \
    ARENA_INLINE void name##_drain(name##_t *p, void (*each)(name##_elem_t *, size_t, void *),    \
                                   void *ctx)                                                     \
    {                                                                                             \
        struct name##_each_ box;                                                                  \
        box.call = each;                                                                          \
        box.ctx = ctx;                                                                            \
        arena_pool_drain_(&p->core, each == NULL ? NULL : name##_call_each_, &box,                \
                          &name##_shape_);                                                        \
    }                                                                                             \
    ARENA_INLINE size_t name##_compact(name##_t *p, size_t budget,                                \
                                       void (*moved)(void *ctx, size_t from, size_t to,           \
                                                     size_t count),                               \
                                       void *ctx)                                                 \
    { return arena_pool_compact_(&p->core, budget, moved, ctx, &name##_shape_); }                 \
    ARENA_INLINE size_t name##_len(const name##_t *p) { return p->core.len; }                     \
    ARENA_INLINE size_t name##_capacity(const name##_t *p) { return p->core.capacity; }           \
    ARENA_INLINE size_t name##_buffer_len(const name##_t *p) { return p->core.top; }              \
    ARENA_INLINE name##_elem_t *name##_data(const name##_t *p)                                    \
    {                                                                                             \
        return ARENA_CAST_(name##_elem_t *, ARENA_CAST_(void *,                                   \
            arena_pool_data_(&p->core, name##_shape_.size)));                                     \
    }                                                                                             \
    ARENA_INLINE void name##_clear(name##_t *p) { arena_pool_clear_(&p->core, &name##_shape_); }  \
    ARENA_INLINE void name##_release(name##_t *p)                                                 \
    { arena_pool_release_(&p->core, &name##_shape_); }                                            \
    ARENA_INLINE name##_elem_t *name##_take(name##_t *p, size_t *count)                           \
    {                                                                                             \
        return ARENA_CAST_(name##_elem_t *, arena_pool_take_(&p->core, count, &name##_shape_));   \
    }                                                                                             \
    ARENA_INLINE bool name##_copy(name##_t *to, const name##_t *from)                             \
    { return arena_pool_copy_(&to->core, &from->core, &name##_shape_); }                          \
    ARENA_INLINE arena_pool_stats_t name##_stats(const name##_t *p)                               \
    { return arena_pool_stats_(&p->core); }                                                       \
    ARENA_INLINE arena_status_t name##_status(const name##_t *p) { return p->core.status; }       \
    ARENA_INLINE void name##_clear_status(name##_t *p) { p->core.status = ARENA_OK; }             \
    ARENA_INLINE bool name##_is_valid(const name##_t *p)                                          \
    { return arena_pool_is_valid_(&p->core, &name##_shape_); }                                    \
    struct name##_t                     /* takes the semicolon behind the macro */

/* Behind ARENA_POOL_DECLARE(name), once T is complete. */
#define ARENA_POOL_DEFINE_DECLARED(name, T)                                                       \
    struct name##_cell_ { T e; };                                                                 \
    typedef ARENA_TYPE_OF_(name##_cell_, T) name##_elem_t;                                        \
    ARENA_POOL_FAMILY_(name, p, h)

#define ARENA_POOL_DEFINE(name, T)                                                                \
    struct name##_cell_ { T e; };                                                                 \
    typedef ARENA_TYPE_OF_(name##_cell_, T) name##_elem_t;                                        \
    ARENA_POOL_DECLARE(name);                                                                     \
    ARENA_POOL_FAMILY_(name, p, h)

/* ---- POOL: end of declarations ---- */

#ifdef __cplusplus
}
#endif

#endif /* ARENA_H */

/* ---------------------------------------------------------------------------------------------
 * Implementation
 * ------------------------------------------------------------------------------------------ */

#ifdef ARENA_IMPLEMENTATION
#ifndef ARENA_IMPLEMENTED_
#define ARENA_IMPLEMENTED_

#if !defined(ARENA_NO_STDLIB)
#include <stdio.h>
#if !defined(ARENA_MALLOC)
#include <stdlib.h>
#define ARENA_MALLOC(bytes) malloc(bytes)
#define ARENA_FREE(p) free(p)
#endif
#ifndef ARENA_VSNPRINTF
#define ARENA_VSNPRINTF vsnprintf
#endif
#endif
#if ARENA_DEBUG >= 2 && !defined(ARENA_ASSERT)
#include <assert.h>
#define ARENA_ASSERT(condition) assert(condition)
#endif

/* Thread-local storage, for the current arena, its scopes and the scratch arenas. */
#if defined(ARENA_THREAD_LOCAL)
#elif defined(ARENA_NO_STDLIB) || defined(__TINYC__)
#define ARENA_THREAD_LOCAL
#elif defined(__GNUC__) || defined(__clang__)
#define ARENA_THREAD_LOCAL __thread
#elif defined(_MSC_VER)
#define ARENA_THREAD_LOCAL __declspec(thread)
#elif defined(__cplusplus)
#define ARENA_THREAD_LOCAL thread_local
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(__STDC_NO_THREADS__)
#define ARENA_THREAD_LOCAL _Thread_local
#else
#define ARENA_THREAD_LOCAL
#endif

/* The read-modify-write operations of cold code. */
#if defined(ARENA_NO_ATOMICS)
ARENA_INLINE uint32_t arena_add32_(uint32_t *p, uint32_t v) { return (*p += v) - v; }
ARENA_INLINE size_t arena_addz_(size_t *p, size_t v) { return (*p += v) - v; }
ARENA_INLINE uint32_t arena_and32_(uint32_t *p, uint32_t v)
{
    const uint32_t old = *p;
    *p &= v;
    return old;
}
ARENA_INLINE void arena_or32_(uint32_t *p, uint32_t v) { *p |= v; }
ARENA_INLINE bool arena_cas32_(uint32_t *p, uint32_t *seen, uint32_t v)
{
    const bool same = *p == *seen;
    if (same) *p = v; else *seen = *p;
    return same;
}
ARENA_INLINE bool arena_casz_(size_t *p, size_t *seen, size_t v)
{
    const bool same = *p == *seen;
    if (same) *p = v; else *seen = *p;
    return same;
}
#elif defined(_MSC_VER) && !defined(__clang__)
ARENA_INLINE uint32_t arena_add32_(uint32_t *p, uint32_t v)
{ return (uint32_t)_InterlockedExchangeAdd((volatile long *)p, (long)v); }
ARENA_INLINE uint32_t arena_and32_(uint32_t *p, uint32_t v)
{ return (uint32_t)_InterlockedAnd((volatile long *)p, (long)v); }
ARENA_INLINE void arena_or32_(uint32_t *p, uint32_t v)
{ (void)_InterlockedOr((volatile long *)p, (long)v); }
ARENA_INLINE bool arena_cas32_(uint32_t *p, uint32_t *seen, uint32_t v)
{
    const uint32_t was = *seen;
    *seen = (uint32_t)_InterlockedCompareExchange((volatile long *)p, (long)v, (long)was);
    return *seen == was;
}
#if defined(_WIN64)
ARENA_INLINE size_t arena_addz_(size_t *p, size_t v)
{ return (size_t)_InterlockedExchangeAdd64((volatile __int64 *)p, (__int64)v); }
ARENA_INLINE bool arena_casz_(size_t *p, size_t *seen, size_t v)
{
    const size_t was = *seen;
    *seen = (size_t)_InterlockedCompareExchange64((volatile __int64 *)p, (__int64)v, (__int64)was);
    return *seen == was;
}
#else
ARENA_INLINE size_t arena_addz_(size_t *p, size_t v)
{ return (size_t)_InterlockedExchangeAdd((volatile long *)p, (long)v); }
ARENA_INLINE bool arena_casz_(size_t *p, size_t *seen, size_t v)
{
    const size_t was = *seen;
    *seen = (size_t)_InterlockedCompareExchange((volatile long *)p, (long)v, (long)was);
    return *seen == was;
}
#endif
#else
ARENA_INLINE uint32_t arena_add32_(uint32_t *p, uint32_t v)
{ return __atomic_fetch_add(p, v, __ATOMIC_ACQ_REL); }
ARENA_INLINE size_t arena_addz_(size_t *p, size_t v)
{ return __atomic_fetch_add(p, v, __ATOMIC_ACQ_REL); }
ARENA_INLINE uint32_t arena_and32_(uint32_t *p, uint32_t v)
{ return __atomic_fetch_and(p, v, __ATOMIC_ACQ_REL); }
ARENA_INLINE void arena_or32_(uint32_t *p, uint32_t v)
{ (void)__atomic_fetch_or(p, v, __ATOMIC_ACQ_REL); }
ARENA_INLINE bool arena_cas32_(uint32_t *p, uint32_t *seen, uint32_t v)
{ return __atomic_compare_exchange_n(p, seen, v, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); }
ARENA_INLINE bool arena_casz_(size_t *p, size_t *seen, size_t v)
{ return __atomic_compare_exchange_n(p, seen, v, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); }
#endif

#if defined(ARENA_ASAN_) || defined(ARENA_MSAN_) || defined(ARENA_VALGRIND) || ARENA_DEBUG >= 1
#define ARENA_WATCHED_         /* dead storage is poisoned or filled, so reset visits its chunks */
#endif

#ifndef ARENA_LOOK_BACK_     /* chunks that are searched for storage that died; proofs lower it */
#define ARENA_LOOK_BACK_ 64
#endif

static const uint32_t ARENA_NONE_ = UINT32_MAX;
enum { ARENA_UNIFORM_, ARENA_OVERSIZED_, ARENA_USER_ };
enum { ARENA_FILL_FRESH_ = 0xA1, ARENA_FILL_DEAD_ = 0xDD };

/* The alignment that malloc gives and that every C type but the over-aligned ones needs. */
union arena_max_align_ { long double d; long long i; void *p; void (*f)(void); };
enum { ARENA_MAX_ALIGN_ = ARENA_ALIGNOF_(union arena_max_align_) };

/* --- memory --------------------------------------------------------------------------------- */

#ifdef ARENA_OWN_MEMORY_FUNCTIONS_
#if defined(__GNUC__) || defined(__clang__)
#define ARENA_NO_IDIOM_ __asm__ volatile("" ::: "memory")
#else
#define ARENA_NO_IDIOM_ ((void)0)
#endif
ARENA_API void *arena_memmove_(void *dst, const void *src, size_t n)
{
    char *d = ARENA_CAST_(char *, dst);
    const char *s = ARENA_CAST_(const char *, src);
    size_t i;
    if (ARENA_ADDRESS_(d) <= ARENA_ADDRESS_(s)) {
        for (i = 0; i < n; i++) { d[i] = s[i]; ARENA_NO_IDIOM_; }
    } else {
        for (i = n; i-- > 0;) { d[i] = s[i]; ARENA_NO_IDIOM_; }
    }
    return dst;
}

ARENA_API void *arena_memset_(void *dst, int value, size_t n)
{
    char *d = ARENA_CAST_(char *, dst);
    size_t i;
    for (i = 0; i < n; i++) { d[i] = ARENA_CAST_(char, value); ARENA_NO_IDIOM_; }
    return dst;
}

ARENA_API int arena_memcmp_(const void *p, const void *q, size_t n)
{
    const unsigned char *a = ARENA_CAST_(const unsigned char *, p);
    const unsigned char *b = ARENA_CAST_(const unsigned char *, q);
    size_t i;
    for (i = 0; i < n; i++) {
        ARENA_NO_IDIOM_;
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return 0;
}

ARENA_API size_t arena_strlen_(const char *s)
{
    size_t n = 0;
    while (s[n] != 0) { n++; ARENA_NO_IDIOM_; }
    return n;
}
#endif

/* bytes from the hooks, or from malloc. malloc promises the alignment of an object that fits the
 * size, so a block is asked for with align bytes at least; for more than its alignment a larger
 * block is asked for and the pointer to free kept right below the aligned place. */
ARENA_API void *arena_take_(const arena_hooks_t *h, size_t bytes, size_t align)
{
    if (h != NULL && h->alloc != NULL) {
        return (h->alloc)(h->ctx, bytes, align);           /* alloc may be a macro */
    }
#ifdef ARENA_MALLOC
    if (align <= ARENA_CAST_(size_t, ARENA_MAX_ALIGN_)) {
        return ARENA_MALLOC(bytes < align ? align : bytes);
    } else {
        const size_t more = align + sizeof(void *);
        char *block, *p;
        if (more > PTRDIFF_MAX || bytes > PTRDIFF_MAX - more) return NULL;
        block = ARENA_CAST_(char *, ARENA_MALLOC(bytes + more));
        if (block == NULL) return NULL;
        p = block + sizeof(void *);
        p += ARENA_CAST_(size_t, 0 - ARENA_ADDRESS_(p)) & (align - 1);
        ARENA_MEMCPY(p - sizeof(void *), &block, sizeof block);
        return p;
    }
#else
    (void)bytes;
    (void)align;
    return NULL;
#endif
}

/* What was allocated for p. */
static void *arena_origin_(const arena_hooks_t *h, void *p, size_t align)
{
    if ((h == NULL || h->alloc == NULL) && align > ARENA_CAST_(size_t, ARENA_MAX_ALIGN_))
        ARENA_MEMCPY(&p, ARENA_CAST_(char *, p) - sizeof(void *), sizeof p);
    return p;
}

ARENA_API void arena_give_(const arena_hooks_t *h, void *p, size_t bytes, size_t align)
{
    if (h != NULL && h->alloc != NULL) {
        (h->free)(h->ctx, p, bytes, align);    /* free may be a macro */
        return;
    }
#ifdef ARENA_MALLOC
    ARENA_FREE(arena_origin_(h, p, align));
#else
    (void)p;
#endif
    (void)bytes;
}

/* 1, 2, 3, ...: tells arenas apart, and the same calls in the same order give the same Refs. */
ARENA_API uint32_t arena_seed_(void)
{
    static uint32_t count = 0;
    const uint32_t seed = arena_add32_(&count, 1) + 1;
    return seed + ARENA_CAST_(uint32_t, seed == 0);    /* never 0 */
}

/* --- errors --------------------------------------------------------------------------------- */

ARENA_API const char *arena_status_text(arena_status_t status)
{
    switch (status) {
    case ARENA_OK: return "no failure";
    case ARENA_NO_MEMORY: return "out of memory";
    case ARENA_LIMIT: return "limit reached";
    case ARENA_TOO_LARGE: return "size too large";
    case ARENA_REF_RANGE: return "more than a Ref can hold";
    case ARENA_ARGUMENT: return "bad argument";
    case ARENA_STALE: return "stale mark or handle";
    case ARENA_IMAGE: return "bad image";
    }
    return "unknown status";
}

/* Every failure ends here, with nothing half done: on_error may longjmp. */
ARENA_API void *arena_fail_(arena_core_t *c, arena_status_t status, size_t bytes)
{
    if (c->status == ARENA_OK) c->status = status;
    if (c->options.on_error != NULL)
        c->options.on_error(c->options.on_error_ctx, status, bytes);
    return NULL;
}

#if ARENA_DEBUG >= 2
#define ARENA_CHECK_(c) ARENA_ASSERT(arena_valid_(c))
static bool arena_valid_(const arena_core_t *c);
#else
#define ARENA_CHECK_(c) ((void)0)
#endif

/* What an arena may be: constants where the build has no such arenas, so that the compiler drops
 * what only they need. */
#ifdef ARENA_NO_ATOMICS
#define ARENA_IS_LANE_(c) ((void)(c), false)
#else
#define ARENA_IS_LANE_(c) ((c)->group != NULL)
#endif
#ifdef ARENA_FIXED
#define ARENA_HAS_ONE_CHUNK_(c) ((void)(c), true)
#else
#define ARENA_HAS_ONE_CHUNK_(c) ((c)->options.fixed)
#endif

/* Whether a number of elements is beyond what a Ref can hold. */
#if SIZE_MAX > UINT32_MAX
#define ARENA_BEYOND_REF_(n) ((n) > UINT32_MAX)
#else
#define ARENA_BEYOND_REF_(n) ((void)(n), false)
#endif

/* --- accounts ------------------------------------------------------------------------------- */

/* limit_bytes, the group's in a lane. */
static size_t arena_limit_(const arena_core_t *c)
{
    return ARENA_IS_LANE_(c) ? c->group->options.limit_bytes : c->options.limit_bytes;
}

/* Takes bytes from the limit, whole or not at all. */
static bool arena_charge_(arena_core_t *c, size_t bytes)
{
    const size_t limit = arena_limit_(c);
    if (ARENA_IS_LANE_(c)) {
        size_t held = ARENA_LOAD_(c->group->allocated);
        do {
            if (bytes > SIZE_MAX - held || (limit != 0 && held + bytes > limit)) return false;
        } while (!arena_casz_(&c->group->allocated, &held, held + bytes));
    } else if (bytes > SIZE_MAX - c->allocated || (limit != 0 && c->allocated + bytes > limit)) {
        return false;
    }
    c->allocated += bytes;
    return true;
}

static void arena_discharge_(arena_core_t *c, size_t bytes)
{
    c->allocated -= bytes;
    if (ARENA_IS_LANE_(c)) (void)arena_addz_(&c->group->allocated, SIZE_MAX - bytes + 1);
}

/* --- chunk numbers of a group --------------------------------------------------------------- */

/* First a permit, then a bit: who holds a permit finds a bit, since bits are set before permits are
 * given back. The search starts at a place of the lane's own. */
static uint32_t arena_claim_number_(arena_group_t *g, uint32_t from)
{
    const uint32_t words = (g->numbers + 31) / 32;
    uint32_t permits = ARENA_LOAD_(g->free_numbers), w;
    do {
        if (permits == 0) return ARENA_NONE_;
    } while (!arena_cas32_(&g->free_numbers, &permits, permits - 1));
    for (w = from % words;; w = w + 1 < words ? w + 1 : 0) {
        uint32_t bits = ARENA_LOAD_(g->free_bits[w]);
        while (bits != 0) {
            const uint32_t bit = bits & (0u - bits);
            if (arena_and32_(&g->free_bits[w], ~bit) & bit) {
                uint32_t number = w * 32;
                for (bits = bit; bits >>= 1; number++) {}
                return number;
            }
            bits = ARENA_LOAD_(g->free_bits[w]);
        }
    }
}

static void arena_return_number_(arena_group_t *g, uint32_t number)
{
    if (number == ARENA_NONE_) return;
    arena_or32_(&g->free_bits[number / 32], UINT32_C(1) << number % 32);
    (void)arena_add32_(&g->free_numbers, 1);
}

/* --- chunks, by index ----------------------------------------------------------------------- */

static arena_entry_t_ *arena_entry_(const arena_core_t *c, uint32_t i)
{
    const uint32_t number = c->chunks[i].number;
    return number == ARENA_NONE_ ? NULL : c->table + number;
}

static char *arena_tip_(const arena_core_t *c, uint32_t i)
{
    return i == c->current ? c->cur : c->chunks[i].base + c->chunks[i].used;
}

static size_t arena_tail_room_(const arena_core_t *c, uint32_t i)
{
    const arena_chunk_t_ *h = &c->chunks[i];
    return h->cap - ARENA_CAST_(size_t, arena_tip_(c, i) - h->base);
}

/* How many of so many opened chunks have a number, but in a lane. */
static uint32_t arena_numbered_(uint32_t opened)
{
    return opened < ARENA_REF_CHUNKS ? opened : ARENA_REF_CHUNKS;
}

/* The elements in so many bytes that a Ref can reach. */
static uint32_t arena_held_(const arena_core_t *c, size_t bytes)
{
    const size_t count = bytes / c->size;
    return ARENA_BEYOND_REF_(count) ? UINT32_MAX : ARENA_CAST_(uint32_t, count);
}

/* What Refs into chunk i may reach, for all but its own arena while it is being filled. */
static void arena_publish_(const arena_core_t *c, uint32_t i, size_t bytes)
{
    arena_entry_t_ *e = arena_entry_(c, i);
    if (e != NULL) ARENA_STORE_(e->held, arena_held_(c, bytes));
}

/* How far the hot path may go in the current chunk: as far as a Ref can name elements, and nowhere
 * in a chunk without a number. */
static void arena_open_window_(arena_core_t *c)
{
    const arena_chunk_t_ *h = &c->chunks[c->current];
    size_t reach = h->cap;
    if (h->number == ARENA_NONE_) reach = 0;
    else if (ARENA_BEYOND_REF_(reach / c->size))
        reach = ARENA_CAST_(size_t, UINT32_MAX) * c->size;
    c->end = h->base + reach;
    if (reach < ARENA_CAST_(size_t, c->cur - c->base)) c->end = c->cur;
}

/* A NUL given back with its text as storage is counted twice: there is no more padding than what
 * is used. */
static void arena_bound_padding_(arena_core_t *c)
{
    const size_t used =
        c->others + ARENA_CAST_(size_t, ARENA_ADDRESS_(c->cur) - ARENA_ADDRESS_(c->base));
    if (c->padding > used) c->padding = used;
}

/* The tip of open chunk i moves to p. */
static void arena_set_tip_(arena_core_t *c, uint32_t i, char *p)
{
    arena_chunk_t_ *h = &c->chunks[i];
    if (ARENA_HAS_ONE_CHUNK_(c) || i == c->current) {
        c->cur = p;
        arena_open_window_(c);
    } else {
        const size_t used = ARENA_CAST_(size_t, p - h->base);
        c->others = c->others - h->used + used;
        h->used = used;
        arena_publish_(c, i, used);
    }
    arena_bound_padding_(c);
}

/* Chunk i, open, becomes the one being filled; ARENA_NONE_ = none is. */
static void arena_set_current_(arena_core_t *c, uint32_t i)
{
    if (c->current != ARENA_NONE_) {
        arena_chunk_t_ *h = &c->chunks[c->current];
        h->used = ARENA_CAST_(size_t, c->cur - h->base);
        c->others += h->used;
        if (!ARENA_HAS_ONE_CHUNK_(c)) arena_publish_(c, c->current, h->used);
    }
    c->current = i;
    c->tag = 1;
    if (i == ARENA_NONE_) {
        c->base = c->cur = c->end = NULL;
    } else {
        arena_chunk_t_ *h = &c->chunks[i];
        const arena_entry_t_ *e = arena_entry_(c, i);
        c->base = h->base;
        c->cur = h->base + h->used;
        c->others -= h->used;
        if (e != NULL) c->tag = e->tag;
        if (ARENA_IS_LANE_(c)) arena_publish_(c, i, h->cap);   /* others cannot read the tip */
        arena_open_window_(c);
    }
}

/* Below this offset nothing in chunk i may be shrunk or used again. */
static size_t arena_floor_(const arena_core_t *c, uint32_t i)
{
    const arena_chunk_t_ *h = &c->chunks[i];
    if (c->fence == 0) return 0;
    if (h->floor_mark == c->fence) return h->floor;
    return i < c->fence_opened ? SIZE_MAX : 0;
}

/* The open chunk whose tip is right behind the bytes at p, or ARENA_NONE_. */
static uint32_t arena_at_tip_(const arena_core_t *c, const void *p, size_t bytes)
{
    uint32_t k;
    const uintptr_t at = ARENA_ADDRESS_(p);
    if (p == NULL || c->size == 0) return ARENA_NONE_;
    for (k = 0; k <= c->tails; k++) {
        const uint32_t i = k < c->tails ? c->tail[k] : c->current;
        if (i != ARENA_NONE_ && at >= ARENA_ADDRESS_(c->chunks[i].base) &&
            at <= ARENA_ADDRESS_(arena_tip_(c, i)) &&
            ARENA_ADDRESS_(arena_tip_(c, i)) - at == bytes)
            return i;
    }
    return ARENA_NONE_;
}

/* Storage that died: poisoned, and filled at ARENA_DEBUG 1 and above. */
static void arena_kill_(char *p, size_t bytes)
{
    if (bytes == 0) return;
#if ARENA_DEBUG >= 1
    ARENA_UNPOISON_(p, bytes);
    ARENA_MEMSET(p, ARENA_FILL_DEAD_, bytes);
#endif
    ARENA_POISON_(p, bytes);
    (void)p;
}

/* --- beginning ------------------------------------------------------------------------------ */

ARENA_API arena_core_t arena_core_make_(size_t chunk_bytes)
{
    arena_core_t c;
    ARENA_MEMSET(&c, 0, sizeof c);
    c.options.chunk_bytes = chunk_bytes;
    return c;
}

/* Bytes of values that a user buffer holds, which begins shift bytes behind its address. */
static size_t arena_buffer_cap_(const arena_options_t *o, size_t size, size_t align, size_t spare,
                                size_t *shift)
{
    *shift = ARENA_CAST_(size_t, 0 - ARENA_ADDRESS_(o->buffer)) & (align - 1);
    if (o->buffer_bytes < *shift + spare) return 0;
    return (o->buffer_bytes - *shift - spare) / size * size;   /* NOLINT: size is never 0 */
}

/* The bookkeeping of the first chunk is in the arena itself; a user buffer is that chunk. Until
 * here, with the first store, there is no pointer into the arena, so that it can be moved. */
static void arena_begin_(arena_core_t *c, size_t size, size_t align, size_t spare)
{
    if (c->size != 0) return;
    if (spare != 0) size = align = 1;          /* the byte arena, whatever is stored first */
    c->size = size;
    c->align = align;
    c->spare = spare;
    c->chunks = &c->first_chunk;
    c->slots = 1;
    c->current = ARENA_NONE_;
    c->tag = 1;
    if (c->id == 0) c->id = arena_seed_();
    if (!ARENA_IS_LANE_(c)) {
        c->table = &c->first_entry;
        ARENA_MEMSET(c->table, 0, sizeof *c->table);
    }
    if (c->options.buffer != NULL) {
        size_t shift;
        const size_t cap = arena_buffer_cap_(&c->options, size, align, spare, &shift);
        if (cap != 0) {
            arena_chunk_t_ *h = &c->chunks[0];
            ARENA_MEMSET(h, 0, sizeof *h);
            h->base = ARENA_CAST_(char *, c->options.buffer) + shift;
            h->cap = cap;
            h->kind = ARENA_USER_;
            c->total = 1;
            arena_kill_(h->base, h->cap);
        }
    }
}

ARENA_API arena_status_t arena_core_init_(arena_core_t *c, const arena_options_t *o,
                                          const arena_shape_t_ *s)
{
    arena_status_t status = ARENA_OK;
    size_t shift;
    ARENA_MEMSET(c, 0, sizeof *c);
    if (o == NULL) return ARENA_OK;
    if ((o->buffer == NULL && o->buffer_bytes != 0) ||
        (o->hooks != NULL && (o->hooks->alloc == NULL || o->hooks->free == NULL)))
        status = ARENA_ARGUMENT;
    else if (o->chunk_bytes > PTRDIFF_MAX - s->spare || o->buffer_bytes > PTRDIFF_MAX)
        status = ARENA_TOO_LARGE;
    if (status != ARENA_OK) {
        if (o->on_error != NULL) o->on_error(o->on_error_ctx, status, 0);
        return status;
    }
    c->options = *o;
    if (o->hooks != NULL) c->hooks = *o->hooks;
    c->options.hooks = NULL;
    if (o->buffer != NULL)
        c->retained = c->peak = arena_buffer_cap_(o, s->size, s->align, s->spare, &shift);
    return ARENA_OK;
}

/* --- opening and dropping chunks ------------------------------------------------------------ */

/* Bytes of a table of so many slots: chunk records, and the entries but in a lane. */
static size_t arena_table_bytes_(const arena_core_t *c, size_t slots)
{
    return slots * (sizeof(arena_chunk_t_) + (!ARENA_IS_LANE_(c) ? sizeof(arena_entry_t_) : 0));
}

/* Moves the table into block, which has room for so many slots; frees the old one. */
static void arena_move_table_(arena_core_t *c, void *block, uint32_t slots)
{
    arena_chunk_t_ *chunks = ARENA_CAST_(arena_chunk_t_ *, block);
    arena_chunk_t_ *old = c->chunks;
    ARENA_MEMCPY(chunks, old, c->total * sizeof *chunks);
    if (!ARENA_IS_LANE_(c)) {
        arena_entry_t_ *table = ARENA_CAST_(arena_entry_t_ *, ARENA_CAST_(void *, chunks + slots));
        ARENA_MEMSET(table, 0, slots * sizeof *table);
        ARENA_MEMCPY(table, c->table, c->slots * sizeof *table);
        c->table = table;
    }
    if (c->slots > 1) {
        const size_t bytes = arena_table_bytes_(c, c->slots);
        arena_give_(&c->hooks, old, bytes, ARENA_MAX_ALIGN_);
        arena_discharge_(c, bytes);
    }
    c->chunks = chunks;
    c->slots = slots;
}

/* Frees the last chunk held, which is idle. */
static void arena_drop_last_(arena_core_t *c)
{
    const arena_chunk_t_ *h = &c->chunks[--c->total];
    ARENA_UNPOISON_(h->base, h->cap);
    c->retained -= h->cap;
    if (ARENA_IS_LANE_(c)) arena_return_number_(c->group, h->number);
    arena_give_(&c->hooks, h->base, h->cap + c->spare, h->align);
    arena_discharge_(c, h->cap + c->spare);
}

/* Frees idle chunk i; the last chunk takes its place. */
static void arena_drop_(arena_core_t *c, uint32_t i)
{
    const arena_chunk_t_ gone = c->chunks[i];
    c->chunks[i] = c->chunks[c->total - 1];
    c->chunks[i].batch = gone.batch;
    c->chunks[c->total - 1] = gone;
    arena_drop_last_(c);
}

/* Chunk i = opened, which is in place, joins the opened ones, with a new generation. */
static void arena_enter_(arena_core_t *c, uint32_t i)
{
    arena_chunk_t_ *h = &c->chunks[i];
    arena_entry_t_ *e;
    h->used = 0;
    h->floor_mark = 0;
    if (c->spare != 0) h->base[h->cap] = 0;    /* here: between two uses a buffer is the user's */
    /* Which of the uniform chunks a batch used does not count, only how many: with oversized ones
     * between them they change places. */
    if (h->kind != ARENA_OVERSIZED_) c->chunks[i - c->oversizes].batch = c->batch;
    if (!ARENA_IS_LANE_(c)) h->number = i < ARENA_REF_CHUNKS ? i : ARENA_NONE_;
    e = arena_entry_(c, i);
    if (e != NULL) {
        uint32_t generation = e->tag >> 1 & 255;
        if (generation == 0)                   /* the first: another one in each arena and place */
            generation = (c->id * UINT32_C(2654435769) + h->number * UINT32_C(2246822519)) >> 24;
        generation = generation < 255 ? generation + 1 : 1;
        ARENA_STORE_(e->held, 0);
        ARENA_STORE_(e->base, h->base);
        ARENA_STORE_(e->tag, h->number << 9 | generation << 1);
    }
    c->opened = i + 1;
    if (!ARENA_IS_LANE_(c)) c->numbers = arena_numbered_(c->opened);
    if (h->kind == ARENA_OVERSIZED_) {
        h->below = c->oversized;
        c->oversized = i + 1;
        c->oversizes++;
    }
#if ARENA_DEBUG >= 1
    ARENA_UNPOISON_(h->base, h->cap);
    ARENA_MEMSET(h->base, ARENA_FILL_FRESH_, h->cap);
#endif
    ARENA_POISON_(h->base, h->cap);
}

/* What a new chunk of cap bytes is aligned to besides, so that values of 32 and 64 bytes lie in one
 * cache line each, which is up to a tenth of a store: malloc's own blocks begin 16 bytes behind a
 * line. Hooks are asked for what is documented and no more, and so is malloc where a limit counts
 * or the chunk is small: it takes 64 bytes and a pointer that nothing counts. */
static size_t arena_line_(const arena_core_t *c, size_t cap)
{
    return c->hooks.alloc == NULL && arena_limit_(c) == 0 && cap >= 4096 ? 64 : 1;
}

/* Opens the next chunk, for a value of bytes: an idle one, or a new one, of exactly bytes where a
 * uniform chunk cannot hold them. Its index, or ARENA_NONE_ and *status, nothing changed. */
static uint32_t arena_open_(arena_core_t *c, size_t bytes, size_t align, unsigned flags,
                            arena_status_t *status)
{
    const size_t budget = c->options.chunk_bytes != 0 ? c->options.chunk_bytes : ARENA_CHUNK_BYTES;
    const size_t usual = c->spare != 0 ? ARENA_CAST_(size_t, ARENA_MAX_ALIGN_) : c->align;
    const size_t uniform = budget < c->size ? c->size : budget / c->size * c->size;
    const uint32_t i = c->opened;
    const bool over = bytes > uniform || (align > usual && align - usual > uniform - bytes);
    const bool idle = !over && i < c->total;
    uint32_t number = ARENA_NONE_;
    arena_chunk_t_ *h;
    if (ARENA_HAS_ONE_CHUNK_(c)) { *status = ARENA_LIMIT; return ARENA_NONE_; }
    if ((flags & ARENA_REF_) && !ARENA_IS_LANE_(c) && i >= ARENA_REF_CHUNKS) {
        *status = ARENA_REF_RANGE;
        return ARENA_NONE_;
    }
    if (ARENA_IS_LANE_(c) && (!idle || c->chunks[i].number == ARENA_NONE_)) {
        number = arena_claim_number_(c->group, c->id * 7);
        if ((flags & ARENA_REF_) && number == ARENA_NONE_) {
            *status = ARENA_REF_RANGE;
            return ARENA_NONE_;
        }
        if (idle) c->chunks[i].number = number;
    }
    if (!idle) {
        /* In a lane the NUL of a text with a Ref is part of its chunk, where other lanes see it. */
        const bool inside = ARENA_IS_LANE_(c) && (flags & ARENA_NUL_) != 0 &&
                            (flags & ARENA_REF_) != 0;
        const size_t cap = !over ? uniform : inside ? bytes + 1 : bytes;
        const size_t line = arena_line_(c, cap);
        const size_t least = line > usual ? line : usual;
        const size_t at = over && align > least ? align : least;
        const uint32_t slots = c->total < c->slots ? 0 : c->slots < 8 ? 8 : c->slots * 2;
        const size_t table = arena_table_bytes_(c, slots);
        void *block = NULL, *memory = NULL;
        *status = ARENA_TOO_LARGE;
        if (cap <= PTRDIFF_MAX - c->spare && slots <= UINT32_MAX / 2 &&
            table <= PTRDIFF_MAX - c->spare - cap) {
            *status = ARENA_LIMIT;
            if (arena_charge_(c, cap + c->spare + table)) {
                *status = ARENA_NO_MEMORY;
                memory = arena_take_(&c->hooks, cap + c->spare, at);
                if (memory != NULL && slots != 0) {
                    block = arena_take_(&c->hooks, table, ARENA_MAX_ALIGN_);
                    if (block == NULL) {
                        arena_give_(&c->hooks, memory, cap + c->spare, at);
                        memory = NULL;
                    }
                }
                if (memory == NULL) arena_discharge_(c, cap + c->spare + table);
            }
        }
        if (memory == NULL) {
            if (ARENA_IS_LANE_(c)) arena_return_number_(c->group, number);
            return ARENA_NONE_;
        }
        if (slots != 0) arena_move_table_(c, block, slots);
        h = &c->chunks[i];
        if (i < c->total) {                    /* an idle chunk makes room, not its place's batch */
            const uint32_t batch = h->batch;
            c->chunks[c->total] = *h;
            ARENA_MEMSET(h, 0, sizeof *h);
            h->batch = batch;
        } else {
            ARENA_MEMSET(h, 0, sizeof *h);
        }
        c->total++;
        h->base = ARENA_CAST_(char *, memory);
        h->block = arena_origin_(&c->hooks, memory, at);
        h->cap = cap;
        h->align = at;
        h->number = number;
        h->kind = over ? ARENA_OVERSIZED_ : ARENA_UNIFORM_;
        c->retained += cap;
        if (c->peak < c->retained) c->peak = c->retained;
    }
    arena_enter_(c, i);
    return i;
}

/* Chunks from index from on are opened no more: uniform ones become idle, oversized ones are freed.
 * */
static void arena_close_(arena_core_t *c, uint32_t from)
{
    uint32_t i;
    if (ARENA_IS_LANE_(c)) {
        for (i = from; i < c->opened; i++) {
            arena_entry_t_ *e = arena_entry_(c, i);
            if (e != NULL) ARENA_STORE_(e->tag, e->tag | 1);
        }
    }
#ifdef ARENA_WATCHED_
    for (i = from; i < c->opened; i++) arena_kill_(c->chunks[i].base, c->chunks[i].cap);
#endif
#if ARENA_DEBUG >= 3
    for (i = c->opened; i-- > from;) {         /* no address is used twice, whatever the kind */
        if (c->chunks[i].kind == ARENA_OVERSIZED_) {
            c->oversized = c->chunks[i].below;
            c->oversizes--;
        }
        if (c->chunks[i].kind != ARENA_USER_) arena_drop_(c, i);
    }
#endif
    while (!ARENA_HAS_ONE_CHUNK_(c) && c->oversized > from) {
        i = c->oversized - 1;
        c->oversized = c->chunks[i].below;
        c->oversizes--;
        arena_drop_(c, i);
    }
    c->opened = from;
    if (!ARENA_IS_LANE_(c)) c->numbers = arena_numbered_(c->opened);
}

static void arena_forget_reuse_(arena_core_t *c)
{
    ARENA_MEMSET(c->reuse, 0, sizeof c->reuse);
    c->waiting = 0;
}

/* --- the one placement path ----------------------------------------------------------------- */

/* How far the tip of open chunk i moves for a value of bytes; SIZE_MAX if it does not fit. */
static size_t arena_need_(const arena_core_t *c, uint32_t i, size_t bytes, size_t align,
                          unsigned flags)
{
    const char *tip = arena_tip_(c, i);
    const size_t left = arena_tail_room_(c, i);
    const size_t pad = ARENA_CAST_(size_t, 0 - ARENA_ADDRESS_(tip)) & (align - 1);
    size_t need;
    if (pad > left || bytes > left - pad) return SIZE_MAX;
    need = pad + bytes;
    if (flags & ARENA_REF_) {
        const size_t end = ARENA_CAST_(size_t, tip - c->chunks[i].base) + need;
        if (c->chunks[i].number == ARENA_NONE_ || ARENA_BEYOND_REF_(end / c->size))
            return SIZE_MAX;
    }
    return (flags & ARENA_NUL_) && need < left ? need + 1 : need;
}

/* Puts a value that fits into open chunk i: padding zeroed, tip moved, NUL behind it. */
static char *arena_put_(arena_core_t *c, uint32_t i, size_t bytes, size_t align, unsigned flags,
                        size_t need)
{
    char *tip = arena_tip_(c, i);
    const size_t pad = ARENA_CAST_(size_t, 0 - ARENA_ADDRESS_(tip)) & (align - 1);
    char *p = tip + pad;
    ARENA_UNPOISON_(tip, need);
    if (pad != 0) ARENA_MEMSET(tip, 0, pad);
    if (flags & ARENA_NUL_) p[bytes] = 0;      /* at the very end of a chunk: in its spare byte */
    c->padding += need - bytes;
    arena_set_tip_(c, i, tip + need);
    return p;
}

/* Whether open chunk i is the better one to fill than j: the fuller one of those with room for at
 * least bytes; if neither has that, the emptier one. */
static bool arena_fuller_(const arena_core_t *c, uint32_t i, uint32_t j, size_t least)
{
    const size_t a = arena_tail_room_(c, i), b = arena_tail_room_(c, j);
    if ((a >= least) != (b >= least)) return a >= least;
    return a >= least ? a < b : a > b;
}

/* After a value that did not fit the current chunk went to uniform chunk i: which one is filled
 * next, and which others stay open. Values up to an eighth of a chunk make their chunk the one
 * filled, since more like them will follow; otherwise it is the fullest that has 256 bytes left. Of
 * the others the four with most room stay open; what room the rest had is stranded. */
static void arena_choose_(arena_core_t *c, uint32_t i, size_t bytes)
{
    const size_t least = c->size > 256 ? c->size : 256;
    uint32_t open[ARENA_TAILS_ + 2], n = 0, k, next = i;
    open[n++] = i;
    if (c->current != ARENA_NONE_) open[n++] = c->current;
    for (k = 0; k < c->tails; k++)
        if (c->tail[k] != i) open[n++] = c->tail[k];
    if (bytes > c->chunks[i].cap / 8)
        for (k = 1; k < n; k++)
            if (arena_fuller_(c, open[k], next, least)) next = open[k];
    if (next != c->current) arena_set_current_(c, next);
    c->tails = 0;
    for (k = 0; k < n; k++) {
        uint32_t at = c->tails, chunk = open[k];
        const size_t room = arena_tail_room_(c, chunk);
        if (chunk == next || room == 0) continue;
        while (at > 0 && arena_tail_room_(c, c->tail[at - 1]) < room) at--;
        for (; at < c->tails; at++) {          /* sorted by room, the most first */
            const uint32_t moved = c->tail[at];
            c->tail[at] = chunk;
            chunk = moved;
        }
        if (c->tails < ARENA_TAILS_) c->tail[c->tails++] = chunk;
        else c->stranded += arena_tail_room_(c, chunk);
    }
}

/* Storage for a value of bytes, 1 to PTRDIFF_MAX: in the current chunk, else in the open chunk with
 * the least room that holds it, else in a chunk opened for it. *where is the chunk's index. NULL
 * and *status, nothing changed, where there is none. */
static char *arena_place_(arena_core_t *c, size_t bytes, size_t align, unsigned flags,
                          uint32_t *where, arena_status_t *status)
{
    uint32_t best = ARENA_NONE_, k;
    bool buffer = false;
    char *p;
    ARENA_CHECK_(c);
    if (c->opened == 0 && c->total != 0 && c->chunks[0].kind == ARENA_USER_) {
        buffer = true;                         /* a user buffer is used first */
        arena_enter_(c, 0);
        arena_set_current_(c, 0);
    }
    if (c->current != ARENA_NONE_ && arena_need_(c, c->current, bytes, align, flags) != SIZE_MAX) {
        best = c->current;
    } else {
        for (k = 0; !ARENA_HAS_ONE_CHUNK_(c) && k < c->tails; k++)
            if (arena_need_(c, c->tail[k], bytes, align, flags) != SIZE_MAX &&
                (best == ARENA_NONE_ ||
                 arena_tail_room_(c, c->tail[k]) < arena_tail_room_(c, best)))
                best = c->tail[k];
        if (best == ARENA_NONE_) best = arena_open_(c, bytes, align, flags, status);
        if (best == ARENA_NONE_) {
            if (buffer) {
                arena_set_current_(c, ARENA_NONE_);
                c->others = 0;
                arena_close_(c, 0);
            }
            return NULL;
        }
    }
    p = arena_put_(c, best, bytes, align, flags, arena_need_(c, best, bytes, align, flags));
    if (!ARENA_HAS_ONE_CHUNK_(c) && best != c->current &&
        c->chunks[best].kind != ARENA_OVERSIZED_)
        arena_choose_(c, best, bytes);
    *where = best;
    ARENA_CHECK_(c);
    return p;
}

/* What on_error is told: the bytes asked for, 0 if that is no size (SIZE_MAX stands for none, too).
 * */
static size_t arena_asked_(size_t count, size_t size)
{
    return count <= (SIZE_MAX - 1) / size ? count * size : 0;
}

/* count elements that the hot path had no room for, or a count it refuses. */
ARENA_API char *arena_room_(arena_core_t *c, size_t count, const arena_shape_t_ *s, unsigned flags,
                            arena_bits_t_ *ref)
{
    const size_t bytes = arena_asked_(count, s->size);
    arena_status_t status = ARENA_OK;
    uint32_t i = 0;
    char *p = NULL;
    if (ref != NULL) ref->chunk = ref->off = ref->len = 0;
    if (count == 0) return NULL;
    arena_begin_(c, s->size, s->align, s->spare);
    if (bytes == 0 || bytes > PTRDIFF_MAX - s->spare) status = ARENA_TOO_LARGE;
    else if ((flags & ARENA_REF_) && ARENA_BEYOND_REF_(count)) status = ARENA_REF_RANGE;
    else p = arena_place_(c, bytes, s->align, flags, &i, &status);
    if (p == NULL) return ARENA_CAST_(char *, arena_fail_(c, status, bytes));
    if (ref != NULL) {
        const arena_entry_t_ *e = arena_entry_(c, i);
        ref->chunk = e->tag | (flags & ARENA_NUL_ ? 1u : 0u);
        ref->off = ARENA_CAST_(uint32_t, ARENA_CAST_(size_t, p - c->chunks[i].base) / s->size);
        ref->len = ARENA_CAST_(uint32_t, count);
    }
    return p;
}

/* The same, and the copy. */
ARENA_API char *arena_store_(arena_core_t *c, const void *src, size_t count,
                             const arena_shape_t_ *s, unsigned flags, arena_bits_t_ *ref)
{
    char *p;
    if (count != 0 && src == NULL) {
        if (ref != NULL) ref->chunk = ref->off = ref->len = 0;
        return ARENA_CAST_(char *, arena_fail_(c, ARENA_ARGUMENT, arena_asked_(count, s->size)));
    }
    p = arena_room_(c, count, s, flags, ref);
    if (p != NULL) arena_copy_any_(p, src, count * s->size);
    return p;
}

/* The same, answering with the Ref, in registers. */
ARENA_API arena_bits_t_ arena_store_ref_(arena_core_t *c, const void *src, size_t count,
                                         const arena_shape_t_ *s, unsigned flags)
{
    arena_bits_t_ r;
    (void)arena_store_(c, src, count, s, flags, &r);
    return r;
}

/* The same for constant sizes up to 16 bytes, whose value comes in registers. */
ARENA_API char *arena_store_small_(arena_core_t *c, arena_small_t_ w, size_t count,
                                   const arena_shape_t_ *s)
{
    return arena_store_(c, &w, count, s, 0, NULL);
}

ARENA_API arena_bits_t_ arena_store_ref_small_(arena_core_t *c, arena_small_t_ w, size_t count,
                                               const arena_shape_t_ *s)
{
    return arena_store_ref_(c, &w, count, s, ARENA_REF_);
}

/* --- outgrown storage ----------------------------------------------------------------------- */

/* What stands at the beginning of a block that waits to be used again; perhaps unaligned, so it is
 * read and written by copying. */
typedef struct arena_block_t_ { char *next; size_t bytes; } arena_block_t_;

static unsigned arena_class_(size_t bytes)
{
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
    const unsigned k = 59u - ARENA_CAST_(unsigned, __builtin_clzll(bytes | 16));
    return k < ARENA_CLASSES_ ? k : ARENA_CLASSES_ - 1u;
#else
    unsigned k = 0;
    while (k + 1 < ARENA_CLASSES_ && bytes >> (k + 5) != 0) k++;
    return k;                                  /* 16-31 bytes are class 0 */
#endif
}

static void arena_push_block_(arena_core_t *c, char *p, size_t bytes)
{
    const unsigned k = arena_class_(bytes);
    arena_block_t_ b;
    if (bytes < sizeof b) return;
    b.next = c->reuse[k];
    b.bytes = bytes;
    ARENA_UNPOISON_(p, bytes);
    arena_kill_(p, bytes);
    ARENA_UNPOISON_(p, sizeof b);
    ARENA_MEMCPY(p, &b, sizeof b);
    c->reuse[k] = p;
    c->waiting |= UINT32_C(1) << k;
    c->last_block = p;
    c->last_class = k;
}

/* The same for storage of a chunk that begins at base; joined to the block that began to wait last
 * where it lies right behind that one. Slices that grow in turn leave their storage so, and what
 * two of them leave is what the next one needs. */
static void arena_join_block_(arena_core_t *c, char *p, size_t bytes, uintptr_t base)
{
    char *q = c->last_block;
    const uint32_t k = c->last_class;
    if (q != NULL && c->reuse[k] == q && ARENA_ADDRESS_(q) >= base) {
        arena_block_t_ b;
        ARENA_MEMCPY(&b, q, sizeof b);
        if (ARENA_ADDRESS_(q) + b.bytes == ARENA_ADDRESS_(p)) {
            c->reuse[k] = b.next;
            if (b.next == NULL) c->waiting &= ~(UINT32_C(1) << k);
            p = q;
            bytes += b.bytes;
        }
    }
    arena_push_block_(c, p, bytes);
}

/* The storage at p died. At the tip it goes back to the chunk; else it is padding from now on, and
 * waits for use by a slice or a realloc in this batch, unless a mark protects it. Storage that is
 * not this arena's, or not in one of the 64 chunks opened last, is left alone. */
static void arena_recycle_(arena_core_t *c, void *data, size_t bytes)
{
    char *p = ARENA_CAST_(char *, data);
    const uintptr_t at = ARENA_ADDRESS_(p);
    uint32_t i, k;
    ARENA_CHECK_(c);
    if (p == NULL || bytes == 0) return;
    i = arena_at_tip_(c, p, bytes);
    if (i != ARENA_NONE_ && ARENA_CAST_(size_t, p - c->chunks[i].base) >= arena_floor_(c, i)) {
        arena_kill_(p, bytes);
        arena_set_tip_(c, i, p);
        return;
    }
    for (k = 0; k <= ARENA_LOOK_BACK_; k++) {
        const arena_chunk_t_ *h;
        uintptr_t base;
        i = k == 0 ? c->recycled : c->opened - k;
        if (i >= c->opened) continue;
        h = &c->chunks[i];
        base = ARENA_ADDRESS_(h->base);
        if (at < base || at - base > h->cap) continue;
        c->recycled = i;
        if (bytes > ARENA_CAST_(size_t, ARENA_ADDRESS_(arena_tip_(c, i)) - base) ||
            at - base > ARENA_CAST_(size_t, ARENA_ADDRESS_(arena_tip_(c, i)) - base) - bytes)
            continue;
        c->padding += bytes;
        arena_bound_padding_(c);
        if (at - base >= arena_floor_(c, i)) arena_join_block_(c, p, bytes, base);
        return;
    }
}

/* A waiting block of at least bytes at a multiple of align, cut to bytes; NULL if none is found in
 * the first few of its class and at the head of each larger one. */
static char *arena_reuse_(arena_core_t *c, size_t bytes, size_t align)
{
    unsigned k = arena_class_(bytes), tries = 4;
    uint32_t waiting = c->waiting >> k;
    for (; waiting != 0; waiting >>= 1, k++, tries = 1) {
        char *before = NULL, *p = c->reuse[k];
        arena_block_t_ b, last = {NULL, 0};
        for (; p != NULL && tries > 0; tries--, before = p, last = b, p = b.next) {
            ARENA_MEMCPY(&b, p, sizeof b);
            if (b.bytes < bytes || (ARENA_ADDRESS_(p) & (align - 1)) != 0) continue;
            if (before == NULL) {
                c->reuse[k] = b.next;
                if (b.next == NULL) c->waiting &= ~(UINT32_C(1) << k);
            } else {
                last.next = b.next;
                ARENA_MEMCPY(before, &last, sizeof last);
            }
            ARENA_POISON_(p, b.bytes);
            ARENA_UNPOISON_(p, bytes);
            arena_push_block_(c, p + bytes, b.bytes - bytes);
            c->padding -= bytes;
            return p;
        }
    }
    return NULL;
}

/* Storage of 1 to PTRDIFF_MAX bytes for a slice or a realloc: reused, or placed. */
static char *arena_block_(arena_core_t *c, size_t bytes, size_t align, arena_status_t *status)
{
    const size_t pad = ARENA_CAST_(size_t, 0 - ARENA_ADDRESS_(c->cur)) & (align - 1);
    uint32_t i;
    char *p = arena_reuse_(c, bytes, align);
    if (p != NULL) return p;
    if (bytes > arena_left_(c) || pad > arena_left_(c) - bytes)
        return arena_place_(c, bytes, align, 0, &i, status);
    p = arena_bump_(c, pad + bytes);           /* as arena_alloc does where it fits */
    if (pad != 0) ARENA_MEMSET(p, 0, pad);
    c->padding += pad;
    return p + pad;
}

/* Storage for *want elements, or just for need where that is refused; *want is how many it is. */
static char *arena_block_for_(arena_core_t *c, size_t *want, size_t need, size_t size, size_t align,
                              arena_status_t *status)
{
    char *p = arena_block_(c, *want * size, align, status);
    if (p == NULL && *want > need) {
        *want = need;
        p = arena_block_(c, need * size, align, status);
    }
    return p;
}

/* Room for count more elements behind len of a slice, src (if not NULL) copied there: returns the
 * storage and *cap. It grows in place at the tip; else the slice moves to storage of twice the
 * size, or just what is needed where that is refused, and the old storage is recycled. NULL and
 * *status, nothing changed and nothing told, where there is none. */
static char *arena_widen_(arena_core_t *c, void *data, size_t len, size_t *cap, const void *src,
                          size_t count, const arena_shape_t_ *s, arena_status_t *status)
{
    const size_t size = s->size, most = (PTRDIFF_MAX - s->spare) / size;
    const size_t first = size < 32 ? 32 / size : 1;
    size_t need, want;
    uint32_t i;
    char *p;
    *status = ARENA_TOO_LARGE;
    if (count > most || len > most - count) return NULL;
    arena_begin_(c, size, s->align, s->spare);
    need = len + count;
    want = *cap <= most / 2 ? *cap * 2 : most;
    /* Blocks of 1, 2, 4 KiB side by side would have the tips of many slices in one set of the
     * cache. 16 bytes less at 1 KiB, doubled from there on, spread them and fill a chunk as well:
     * 1000 slices growing in turn take 1 ns a push, 5 to 8 without. */
    if (size <= 64 && *cap < 1024 / size && want >= 1024 / size) want -= size < 16 ? 16 / size : 1;
    if (want < first) want = first;
    if (want < need) want = need;
    i = *cap != 0 ? arena_at_tip_(c, data, *cap * size) : ARENA_NONE_;
    if (i != ARENA_NONE_ && need - *cap <= arena_tail_room_(c, i) / size) {
        char *tip = arena_tip_(c, i);
        const size_t room = arena_tail_room_(c, i) / size;
        if (want - *cap > room) want = *cap + room;
        ARENA_UNPOISON_(tip, (want - *cap) * size);
        if (src != NULL) ARENA_MEMMOVE(ARENA_CAST_(char *, data) + len * size, src, count * size);
        arena_set_tip_(c, i, tip + (want - *cap) * size);
        *cap = want;
        return ARENA_CAST_(char *, data);
    }
    p = arena_block_for_(c, &want, need, size, s->align, status);
    if (p == NULL) return NULL;
    if (src != NULL) ARENA_MEMMOVE(p + len * size, src, count * size);   /* first: may lie at p */
    if (len != 0) ARENA_MEMCPY(p, data, len * size);
    arena_recycle_(c, data, *cap * size);
    *cap = want;
    return p;
}

/* The same for a slice of a family, told where it fails. The slice is handed over and answered by
 * value: one that a loop pushes on and whose address nobody else has stays in registers (gcc 12:
 * 0.3 ns a push, 0.8 by address; a function that does nothing but push pays 0.4 for saving what it
 * needs after growing). */
ARENA_API arena_room_t_ arena_core_more_(arena_core_t *c, void *data, size_t len, size_t cap,
                                         const void *src, size_t count, const arena_shape_t_ *s)
{
    arena_status_t status = ARENA_ARGUMENT;
    arena_room_t_ room = {NULL, 0};
    if (len <= cap && (data != NULL || cap == 0))
        room.data = arena_widen_(c, data, len, &cap, src, count, s, &status);
    room.cap = cap;
    if (room.data == NULL) (void)arena_fail_(c, status, arena_asked_(count, s->size));
    return room;
}

/* The same for one element more, in no more arguments than there are registers. */
ARENA_API arena_room_t_ arena_core_grow_(arena_core_t *c, void *data, size_t len, size_t cap,
                                         const arena_shape_t_ *s)
{
    return arena_core_more_(c, data, len, cap, NULL, 1, s);
}

/* The capacity after giving back what is beyond len. */
ARENA_API size_t arena_core_shrink_(arena_core_t *c, void *data, size_t len, size_t cap,
                                    const arena_shape_t_ *s)
{
    const size_t bytes = len * s->size;
    uint32_t i;
    if (len >= cap || cap > SIZE_MAX / s->size) return cap;
    i = arena_at_tip_(c, data, cap * s->size);
    if (i == ARENA_NONE_ ||
        ARENA_CAST_(size_t, ARENA_CAST_(char *, data) - c->chunks[i].base) < arena_floor_(c, i))
        return cap;
    arena_kill_(ARENA_CAST_(char *, data) + bytes, (cap - len) * s->size);
    arena_set_tip_(c, i, ARENA_CAST_(char *, data) + bytes);
    return len;
}

ARENA_API char *arena_core_slice_(arena_core_t *c, size_t cap, const arena_shape_t_ *s)
{
    if (cap > SIZE_MAX / s->size) return ARENA_CAST_(char *, arena_fail_(c, ARENA_TOO_LARGE, 0));
    return arena_core_alloc_(c, cap * s->size, s->align, s, true);
}

/* --- objects -------------------------------------------------------------------------------- */

ARENA_API char *arena_alloc_slow_(arena_core_t *c, size_t bytes, size_t align,
                                  const arena_shape_t_ *s)
{
    arena_status_t status = ARENA_OK;
    uint32_t i;
    char *p = NULL;
    if (align == 0 || (align & (align - 1)) != 0) {
        status = ARENA_ARGUMENT;
    } else if (bytes == 0) {
        return NULL;
    } else if (bytes > PTRDIFF_MAX - s->spare || align > PTRDIFF_MAX / 2) {
        status = ARENA_TOO_LARGE;
    } else {
        arena_begin_(c, s->size, s->align, s->spare);
        p = arena_place_(c, bytes, align, 0, &i, &status);
    }
    return p != NULL ? p : ARENA_CAST_(char *, arena_fail_(c, status, bytes));
}

/* The steps that arena_realloc and arena_allocf share. Lua passes a type's number as old_bytes of a
 * new block, so without p it is no size. */
static void *arena_resize_(arena_core_t *c, void *p, size_t old_bytes, size_t new_bytes,
                           size_t align)
{
    arena_status_t status = ARENA_OK;
    const bool aligned = (ARENA_ADDRESS_(p) & (align - 1)) == 0;
    char *q;
    uint32_t i;
    if (align == 0 || (align & (align - 1)) != 0) return arena_fail_(c, ARENA_ARGUMENT, new_bytes);
    if (p == NULL) old_bytes = 0;
    if (new_bytes == 0) {
        arena_recycle_(c, p, old_bytes);
        return NULL;
    }
    if (new_bytes > PTRDIFF_MAX - arena_shape_.spare || align > PTRDIFF_MAX / 2)
        return arena_fail_(c, ARENA_TOO_LARGE, new_bytes);
    if (p != NULL && aligned && new_bytes <= old_bytes) {
        arena_recycle_(c, ARENA_CAST_(char *, p) + new_bytes, old_bytes - new_bytes);
        return p;
    }
    arena_begin_(c, arena_shape_.size, arena_shape_.align, arena_shape_.spare);
    i = old_bytes != 0 && aligned ? arena_at_tip_(c, p, old_bytes) : ARENA_NONE_;
    if (i != ARENA_NONE_ && new_bytes - old_bytes <= arena_tail_room_(c, i)) {
        char *tip = arena_tip_(c, i);
        ARENA_UNPOISON_(tip, new_bytes - old_bytes);
        arena_set_tip_(c, i, tip + (new_bytes - old_bytes));
        return p;
    }
    q = arena_block_(c, new_bytes, align, &status);
    if (q == NULL) return arena_fail_(c, status, new_bytes);
    if (old_bytes != 0) ARENA_MEMCPY(q, p, old_bytes < new_bytes ? old_bytes : new_bytes);
    arena_recycle_(c, p, old_bytes);
    return q;
}

ARENA_API void *arena_realloc(arena_t *a, void *p, size_t old_bytes, size_t new_bytes, size_t align)
{
    return arena_resize_(&a->core, p, old_bytes, new_bytes, align);
}

ARENA_API void *arena_allocf(void *ctx, void *p, size_t old_bytes, size_t new_bytes)
{
    return arena_resize_(&ARENA_CAST_(arena_t *, ctx)->core, p, old_bytes, new_bytes,
                         ARENA_MAX_ALIGN_);
}

/* --- strings -------------------------------------------------------------------------------- */

ARENA_API const char *arena_intern_slow_(arena_t *a, const void *s, size_t n)
{
    if (n == 0) return "";
    return arena_store_(&a->core, s, n, &arena_shape_, ARENA_NUL_, NULL);
}

/* Whether the byte behind the value of r, which resolves, was stored: the flag of a forged Ref
 * claims a NUL where nothing is. In a full chunk of this arena it is the spare byte. */
static bool arena_has_next_(const arena_core_t *c, arena_ref_t r)
{
    const uint32_t number = r.chunk >> 9;
    const size_t next = ARENA_CAST_(size_t, r.off) + r.len;
    if ((r.chunk & ~UINT32_C(1)) == c->tag)
        return next < ARENA_CAST_(size_t, ARENA_ADDRESS_(c->cur) - ARENA_ADDRESS_(c->base));
    return next < ARENA_LOAD_(c->table[number].held) ||
           (!ARENA_IS_LANE_(c) && next == c->chunks[number].cap);
}

ARENA_API const char *arena_str(arena_t *a, arena_ref_t r)
{
    arena_core_t *c = &a->core;
    const arena_view_t v = arena_value(a, r);
    const char *copy;
    uint32_t i;
    if (v.len == 0) return "";
    i = arena_at_tip_(c, v.data, v.len);
    if (i != ARENA_NONE_) {
        if (arena_tail_room_(c, i) != 0) {     /* the next byte is free to take */
            char *tip = arena_tip_(c, i);
            ARENA_UNPOISON_(tip, 1);
            *tip = 0;
            c->padding++;
            arena_set_tip_(c, i, tip + 1);
        }
        return v.data;                         /* or, at the end, the spare byte that is 0 */
    }
    if ((r.chunk & 1) != 0 && arena_has_next_(c, r) && v.data[v.len] == 0) return v.data;
    copy = arena_intern_n(a, v.data, v.len);
    return copy != NULL ? copy : "";
}

#if !defined(ARENA_NO_STDLIB)
/* Formats into the room at the tip and the byte behind it, and leaves the text there: *n is its
 * length, and the result NULL where the room was too small. Only bytes change that belong to no
 * value. */
static char *arena_format_(arena_core_t *c, const char *fmt, va_list args, int *n)
{
    char *tip = c->cur;
    size_t room = tip != NULL ? arena_left_(c) + 1 : 0;
    if (room > INT_MAX) room = INT_MAX;
    if (room != 0) ARENA_UNPOISON_(tip, room);
    *n = ARENA_VSNPRINTF(tip, room, fmt, args);
    if (room != 0) c->base[c->chunks[c->current].cap] = 0;     /* the spare byte is defined again */
    return *n >= 0 && ARENA_CAST_(size_t, *n) < room ? tip : NULL;
}

/* What format left at the tip is no longer needed there. */
static void arena_unformat_(arena_core_t *c)
{
    if (c->current == ARENA_NONE_) return;
    if (c->end != c->cur) ARENA_POISON_(c->cur, arena_left_(c));
}

ARENA_API const char *arena_vprintf(arena_t *a, const char *fmt, va_list args)
{
    arena_core_t *c = &a->core;
    arena_status_t status = ARENA_ARGUMENT;
    char *text, *p = NULL;
    va_list again;
    uint32_t i;
    size_t bytes = 0;
    int n;
    if (fmt == NULL) return ARENA_CAST_(const char *, arena_fail_(c, ARENA_ARGUMENT, 0));
    arena_begin_(c, arena_shape_.size, arena_shape_.align, arena_shape_.spare);
    va_copy(again, args);
    text = arena_format_(c, fmt, args, &n);
    if (n > 0) {
        bytes = ARENA_CAST_(size_t, n);
        p = arena_place_(c, bytes, 1, ARENA_NUL_, &i, &status);
        if (p != NULL && p == text) ARENA_DEFINED_(p, bytes);
        else if (p != NULL) (void)ARENA_VSNPRINTF(p, bytes + 1, fmt, again);
    }
    va_end(again);
    arena_unformat_(c);
    if (n == 0) return "";
    return p != NULL ? p : ARENA_CAST_(const char *, arena_fail_(c, status, bytes));
}

ARENA_API const char *arena_printf(arena_t *a, const char *fmt, ...)
{
    const char *text;
    va_list args;
    va_start(args, fmt);
    text = arena_vprintf(a, fmt, args);
    va_end(args);
    return text;
}

/* Arguments may lie in the slice, so the text is never formatted over it: into the room above the
 * tip, or, where that is too small, into storage of its own. */
ARENA_API bool arena_vextendf(arena_t *a, arena_slice_t *s, const char *fmt, va_list args)
{
    arena_core_t *c = &a->core;
    arena_status_t status = ARENA_ARGUMENT;
    const char *text;
    va_list again;
    size_t count, cap = s->cap;
    char *p = NULL;
    int n;
    if (fmt == NULL || s->len > s->cap || (s->data == NULL && s->cap != 0))
        return arena_fail_(c, ARENA_ARGUMENT, 0) != NULL;
    arena_begin_(c, arena_shape_.size, arena_shape_.align, arena_shape_.spare);
    va_copy(again, args);
    text = arena_format_(c, fmt, args, &n);
    count = n >= 0 ? ARENA_CAST_(size_t, n) + 1 : 0;           /* with the NUL */
    if (text != NULL && count <= s->cap - s->len) {
        p = s->data;
        ARENA_MEMCPY(p + s->len, text, count);
    } else if (text != NULL) {
        /* the text lies in the room that a slice at the tip grows into */
        p = arena_widen_(c, s->data, s->len, &cap, text, count, &arena_shape_, &status);
        if (p != NULL) ARENA_DEFINED_(p + s->len, count);
    } else if (n >= 0 && count < s->cap - s->len) {
        /* into the slice's own room, at first behind the NUL that an argument may end with */
        p = s->data;
        (void)ARENA_VSNPRINTF(p + s->len + 1, count, fmt, again);
        ARENA_MEMMOVE(p + s->len, p + s->len + 1, count);
    } else if (n >= 0 && count <= PTRDIFF_MAX - arena_shape_.spare - s->len) {
        const size_t need = s->len + count;
        cap = s->cap <= PTRDIFF_MAX / 4 && s->cap * 2 > need ? s->cap * 2 : need;
        p = arena_block_for_(c, &cap, need, 1, 1, &status);
        if (p != NULL) {
            (void)ARENA_VSNPRINTF(p + s->len, count, fmt, again);
            if (s->len != 0) ARENA_MEMCPY(p, s->data, s->len);
            arena_recycle_(c, s->data, s->cap);
        }
    } else if (n >= 0) {
        status = ARENA_TOO_LARGE;
    }
    va_end(again);
    arena_unformat_(c);
    if (p == NULL) {
        (void)arena_fail_(c, status, n > 0 ? ARENA_CAST_(size_t, n) : 0);
        return false;
    }
    s->data = p;
    s->cap = cap;
    s->len += count - 1;
    return true;
}

ARENA_API bool arena_extendf(arena_t *a, arena_slice_t *s, const char *fmt, ...)
{
    bool done;
    va_list args;
    va_start(args, fmt);
    done = arena_vextendf(a, s, fmt, args);
    va_end(args);
    return done;
}
#endif

ARENA_API const char *arena_strjoin(arena_t *a, const char *sep, const char *const *parts, size_t n)
{
    arena_core_t *c = &a->core;
    const size_t most = PTRDIFF_MAX - arena_shape_.spare;
    size_t bytes = 0, gap, k;
    char *p, *to;
    if (n == 0) return "";
    if (sep == NULL || parts == NULL)
        return ARENA_CAST_(const char *, arena_fail_(c, ARENA_ARGUMENT, 0));
    gap = ARENA_STRLEN(sep);
    for (k = 0; k < n; k++) {
        size_t more;
        if (parts[k] == NULL) return ARENA_CAST_(const char *, arena_fail_(c, ARENA_ARGUMENT, 0));
        more = ARENA_STRLEN(parts[k]);
        if (k != 0 && bytes <= most) bytes += gap <= most - bytes ? gap : most - bytes + 1;
        if (bytes <= most) bytes += more <= most - bytes ? more : most - bytes + 1;
    }
    if (bytes == 0) return "";
    if (bytes > most) return ARENA_CAST_(const char *, arena_fail_(c, ARENA_TOO_LARGE, 0));
    p = to = arena_room_(c, bytes, &arena_shape_, ARENA_NUL_, NULL);
    if (p == NULL) return NULL;
    for (k = 0; k < n; k++) {
        const size_t more = ARENA_STRLEN(parts[k]);
        if (k != 0) {
            ARENA_MEMCPY(to, sep, gap);
            to += gap;
        }
        ARENA_MEMCPY(to, parts[k], more);
        to += more;
    }
    return p;
}

/* --- rewinding ------------------------------------------------------------------------------ */

ARENA_API void arena_core_reset_(arena_core_t *c)
{
    ARENA_CHECK_(c);
    c->status = ARENA_OK;
    if (c->id == 0) return;                    /* never used */
    if (c->size != 0) {
        arena_set_current_(c, ARENA_NONE_);
        arena_close_(c, 0);
    }
    c->tails = 0;
    c->others = c->padding = c->stranded = 0;
    c->fence = c->fence_opened = c->marks = 0;
    ARENA_MEMSET(c->dead, 0, sizeof c->dead);
    c->forgotten = 0;
    arena_forget_reuse_(c);
    if (!ARENA_HAS_ONE_CHUNK_(c) && c->options.keep_batches != 0 && c->total != 0 &&
        c->chunks[c->total - 1].kind == ARENA_UNIFORM_ &&
        c->batch - c->chunks[c->total - 1].batch >= c->options.keep_batches)
        arena_drop_last_(c);
    c->batch++;
    ARENA_CHECK_(c);
}

ARENA_API void arena_core_trim_(arena_core_t *c, size_t keep_bytes)
{
    while (!ARENA_HAS_ONE_CHUNK_(c) && c->total > c->opened && c->retained > keep_bytes &&
           c->chunks[c->total - 1].kind != ARENA_USER_)
        arena_drop_last_(c);
    ARENA_CHECK_(c);
}

ARENA_API void arena_core_release_(arena_core_t *c)
{
    const size_t peak = c->peak;
    size_t buffer;
    const arena_options_t options = c->options;
    const arena_hooks_t hooks = c->hooks;
    const arena_status_t status = c->status;
    if (c->size != 0) {
        arena_core_reset_(c);
        arena_core_trim_(c, 0);
        if (c->total != 0) ARENA_UNPOISON_(c->chunks[0].base, c->chunks[0].cap);
        if (!ARENA_HAS_ONE_CHUNK_(c) && c->slots > 1) {
            const size_t bytes = arena_table_bytes_(c, c->slots);
            arena_give_(&c->hooks, c->chunks, bytes, ARENA_MAX_ALIGN_);
            arena_discharge_(c, bytes);
        }
    }
    buffer = c->retained;                      /* nothing else is left */
    ARENA_MEMSET(c, 0, sizeof *c);
    c->options = options;
    c->hooks = hooks;
    c->status = status;
    c->peak = peak;
    c->retained = buffer;
}

ARENA_API arena_mark_t arena_core_mark_(arena_core_t *c)
{
    arena_mark_t m;
    uint32_t k;
    ARENA_CHECK_(c);
    ARENA_MEMSET(&m, 0, sizeof m);
    if (c->id == 0) c->id = arena_seed_();
    m.id = c->id;
    m.batch = c->batch;
    m.serial = ++c->marks;
    m.opened = c->opened;
    m.current = c->opened != 0 ? c->current : ARENA_NONE_;
    m.tails = c->tails;
    m.others = c->others;
    m.padding = c->padding;
    m.stranded = c->stranded;
    c->fence = m.serial;
    c->fence_opened = m.opened;
    for (k = 0; k <= m.tails; k++) {
        const uint32_t i = k < m.tails ? c->tail[k] : m.current;
        m.open[k] = i;
        if (i == ARENA_NONE_) continue;
        m.used[k] = ARENA_CAST_(size_t, arena_tip_(c, i) - c->chunks[i].base);
        c->chunks[i].floor = m.used[k];
        c->chunks[i].floor_mark = m.serial;
    }
    arena_forget_reuse_(c);
    return m;
}

/* Whether the figures of m are those of the chunks that it would go back to. So they are for a mark
 * that is alive; one that died so long ago that it is forgotten is taken only if it leaves a valid
 * arena. */
static bool arena_mark_adds_up_(const arena_core_t *c, const arena_mark_t *m)
{
    size_t others = 0, current = 0, stranded = 0;
    uint32_t i, k;
    for (i = 0; i < m->opened; i++) {
        const size_t used = ARENA_CAST_(size_t, arena_tip_(c, i) - c->chunks[i].base);
        bool open = false;
        for (k = 0; k <= m->tails; k++) {
            if (m->open[k] != i) continue;
            open = true;
            if (i == m->current) current = m->used[k];
            else others += m->used[k];
        }
        if (open) continue;
        others += used;
        stranded += c->chunks[i].cap - used;
    }
    return others == m->others && m->padding <= others + current && stranded == m->stranded;
}

/* Whether m is a mark of this batch that was not rewound past. Its fields are not trusted. */
static bool arena_mark_is_good_(const arena_core_t *c, const arena_mark_t *m)
{
    uint32_t k, n;
    if (m->id != c->id || m->id == 0 || m->batch != c->batch || m->serial == 0 ||
        m->serial > c->marks || m->opened > c->opened || m->tails > ARENA_TAILS_)
        return false;
    for (k = 0; k < ARENA_DEAD_; k++)
        if (m->serial > c->dead[k][0] && m->serial <= c->dead[k][1]) return false;
    for (k = 0; k <= m->tails; k++) {
        const uint32_t i = m->open[k];
        if (k == m->tails && m->current == ARENA_NONE_ && i == ARENA_NONE_) continue;
        if (i >= m->opened || (k == m->tails && i != m->current) ||
            m->used[k] > ARENA_CAST_(size_t, arena_tip_(c, i) - c->chunks[i].base) ||
            m->used[k] % c->size != 0 || c->chunks[i].kind == ARENA_OVERSIZED_)
            return false;
        for (n = 0; n < k; n++)
            if (m->open[n] == i) return false;
    }
#if ARENA_DEBUG < 2
    if (m->serial > c->forgotten) return true;
#endif
    return arena_mark_adds_up_(c, m);
}

ARENA_API bool arena_core_rewind_(arena_core_t *c, arena_mark_t m)
{
    uint32_t k;
    if (!arena_mark_is_good_(c, &m)) return arena_fail_(c, ARENA_STALE, 0) != NULL;
    if (m.serial < c->marks) {                 /* the marks since are rewound past */
        uint32_t keep = 0;
        for (k = 0; k < ARENA_DEAD_; k++) {
            if (c->dead[k][1] <= m.serial && c->dead[k][1] != 0) {
                c->dead[keep][0] = c->dead[k][0];
                c->dead[keep++][1] = c->dead[k][1];
            }
        }
        if (keep == ARENA_DEAD_) {
            c->forgotten = c->dead[0][1];
            ARENA_MEMMOVE(c->dead[0], c->dead[1], sizeof c->dead - sizeof c->dead[0]);
            keep--;
        }
        c->dead[keep][0] = m.serial;
        c->dead[keep][1] = c->marks;
        for (k = keep + 1; k < ARENA_DEAD_; k++) c->dead[k][0] = c->dead[k][1] = 0;
    }
    c->fence = m.serial;
    c->fence_opened = m.opened;
    arena_forget_reuse_(c);
    if (c->size == 0) return true;             /* nothing was ever stored */
    arena_set_current_(c, ARENA_NONE_);
    arena_close_(c, m.opened);
    c->tails = 0;
    for (k = 0; k <= m.tails; k++) {
        arena_chunk_t_ *h;
        if (m.open[k] == ARENA_NONE_) continue;
        h = &c->chunks[m.open[k]];
        arena_kill_(h->base + m.used[k], h->used - m.used[k]);
        h->used = m.used[k];
        h->floor = m.used[k];
        h->floor_mark = m.serial;
        arena_publish_(c, m.open[k], h->used);
        if (k < m.tails) c->tail[c->tails++] = m.open[k];
    }
    c->others = m.others;
    if (m.current != ARENA_NONE_) {
        c->others += c->chunks[m.current].used;
        arena_set_current_(c, m.current);
    }
    c->padding = m.padding;
    c->stranded = m.stranded;
    ARENA_CHECK_(c);
    return true;
}

/* --- watching ------------------------------------------------------------------------------- */

ARENA_API size_t arena_core_size_(const arena_core_t *c)
{
    return c->others + ARENA_CAST_(size_t, ARENA_ADDRESS_(c->cur) - ARENA_ADDRESS_(c->base)) -
           c->padding;
}

ARENA_API arena_run_t_ arena_core_chunk_(const arena_core_t *c, size_t i, size_t size)
{
    arena_run_t_ v = {NULL, 0};
    if (i >= c->opened) return v;
    v.data = c->chunks[i].base;
    v.len = ARENA_CAST_(size_t, arena_tip_(c, ARENA_CAST_(uint32_t, i)) - v.data) / size;
    return v;
}

ARENA_API arena_stats_t arena_core_stats_(const arena_core_t *c)
{
    arena_stats_t s;
    s.size = arena_core_size_(c);
    s.padding = c->padding;
    s.stranded = c->stranded;
    s.used = s.size + s.padding + s.stranded;
    s.retained = c->retained;
    s.allocated = c->allocated;
    s.peak = c->peak;
    s.chunks = c->opened;
    s.oversized = c->oversizes;
    return s;
}

/* The invariants in the order of the documentation. */
static bool arena_valid_(const arena_core_t *c)
{
    size_t others = 0, retained = 0, held = 0, blocks = 0, stranded = 0;
    uint32_t i, k, oversizes = 0, chain = c->oversized;
    if (c->size == 0)                          /* nothing was ever stored */
        return c->cur == NULL && c->end == NULL && c->opened == 0 && c->total == 0 &&
               c->allocated == 0 && (c->retained == 0 || c->options.buffer != NULL);
    /* I1; from here on nothing outside the tables is read, whatever the numbers in them say */
    if (c->opened > c->total || c->total > c->slots) return false;
    if (c->current != ARENA_NONE_ && c->current >= c->opened) return false;
    if (!ARENA_IS_LANE_(c) && c->numbers != arena_numbered_(c->opened)) return false;
    if (ARENA_HAS_ONE_CHUNK_(c) && c->total != 0 &&
        (c->total > 1 || c->chunks[0].kind != ARENA_USER_))
        return false;
    /* I2 */
    if (c->current == ARENA_NONE_) {
        if (c->cur != NULL || c->end != NULL || c->base != NULL || c->tag != 1) return false;
    } else {
        const arena_chunk_t_ *h = &c->chunks[c->current];
        if (c->base != h->base || ARENA_ADDRESS_(c->cur) < ARENA_ADDRESS_(c->base) ||
            ARENA_ADDRESS_(c->end) < ARENA_ADDRESS_(c->cur) ||
            ARENA_ADDRESS_(c->end) > ARENA_ADDRESS_(h->base) + h->cap ||
            (ARENA_ADDRESS_(c->cur) - ARENA_ADDRESS_(c->base)) % c->size != 0)
            return false;
    }
    for (i = 0; i < c->total; i++) {
        const arena_chunk_t_ *h = &c->chunks[i];
        uint32_t tag = 1;
        retained += h->cap;
        if (h->kind != ARENA_USER_) held += h->cap + c->spare;
        /* I3 */
        if (h->base == NULL || h->cap == 0 || h->cap % c->size != 0 || h->used > h->cap ||
            h->used % c->size != 0 || (ARENA_ADDRESS_(h->base) & (c->align - 1)) != 0 ||
            (c->spare != 0 && i < c->opened && h->base[h->cap] != 0))
            return false;
        if (i >= c->opened) {
            if (h->kind == ARENA_OVERSIZED_) return false;
            continue;
        }
        if (i != c->current) {
            others += h->used;
            stranded += h->cap - h->used;
        }
        if (h->kind == ARENA_OVERSIZED_) oversizes++;
        /* I4 */
        if (h->number != ARENA_NONE_) {
            const arena_entry_t_ *e;
            if (h->number >= c->numbers) return false;
            e = arena_entry_(c, i);
            tag = e->tag;
            if (e->base != h->base || e->tag >> 9 != h->number ||
                (e->tag & 1) != 0 || (e->tag >> 1 & 255) == 0 ||
                (i != c->current && e->held != arena_held_(c, h->used)))
                return false;
        }
        if (i == c->current && c->tag != tag) return false;
    }
    /* I5 */
    if (c->tails > ARENA_TAILS_) return false;
    for (k = 0; k < c->tails; k++) {
        if (c->tail[k] >= c->opened || c->tail[k] == c->current ||
            c->chunks[c->tail[k]].kind == ARENA_OVERSIZED_)
            return false;
        for (i = 0; i < k; i++)
            if (c->tail[i] == c->tail[k]) return false;
        stranded -= c->chunks[c->tail[k]].cap - c->chunks[c->tail[k]].used;
    }
    /* I6 */
    if (others != c->others || retained != c->retained || c->peak < c->retained) return false;
    if (c->slots > 1) held += arena_table_bytes_(c, c->slots);
    if (held != c->allocated) return false;
    /* I7 */
    if (c->padding > others + ARENA_CAST_(size_t, ARENA_ADDRESS_(c->cur) -
                                                      ARENA_ADDRESS_(c->base)) ||
        c->stranded != stranded)
        return false;
    /* I8 */
    if (oversizes != c->oversizes) return false;
    for (; chain != 0; chain = c->chunks[chain - 1].below) {
        if (chain > c->opened || c->chunks[chain - 1].kind != ARENA_OVERSIZED_ ||
            c->chunks[chain - 1].below >= chain)
            return false;
        oversizes--;
    }
    if (oversizes != 0) return false;
    /* I9 */
    if (c->waiting >> ARENA_CLASSES_ != 0) return false;
    for (k = 0; k < ARENA_CLASSES_; k++) {
        const char *p = c->reuse[k];
        if ((p != NULL) != ((c->waiting >> k & 1) != 0)) return false;
        while (p != NULL) {
            arena_block_t_ b;
            size_t room = 0;                   /* from p to the tip of its chunk */
            for (i = c->opened; i-- > 0 && room == 0;)
                if (ARENA_ADDRESS_(p) >= ARENA_ADDRESS_(c->chunks[i].base) &&
                    ARENA_ADDRESS_(p) < ARENA_ADDRESS_(arena_tip_(c, i)))
                    room = ARENA_CAST_(size_t, arena_tip_(c, i) - p);
            if (room < sizeof b) return false;
            ARENA_MEMCPY(&b, p, sizeof b);
            blocks += b.bytes;
            if (b.bytes < sizeof b || b.bytes > room || blocks > c->padding ||
                arena_class_(b.bytes) != k)
                return false;
            p = b.next;
        }
    }
    return true;
}

ARENA_API bool arena_core_is_valid_(const arena_core_t *c, const arena_shape_t_ *s)
{
    if (c->size != 0 && (c->size != s->size || c->align != s->align || c->spare != s->spare))
        return false;
    return arena_valid_(c);
}

/* --- groups --------------------------------------------------------------------------------- */

/* Bytes of a group's table: the entries, then one bit a number. No size for more numbers than a Ref
 * can hold. */
static size_t arena_group_bytes_(uint32_t numbers)
{
    const size_t words = (ARENA_CAST_(size_t, numbers) + 31) / 32;
    return numbers * sizeof(arena_entry_t_) + words * sizeof(uint32_t);
}

ARENA_API arena_status_t arena_group_init(arena_group_t *g, const arena_options_t *options,
                                          uint32_t max_chunks)
{
    arena_status_t status = ARENA_OK;
    const uint32_t numbers = max_chunks != 0 ? max_chunks : 4096;
    const size_t bytes = arena_group_bytes_(numbers);
    void *block = NULL;
    uint32_t i;
    ARENA_MEMSET(g, 0, sizeof *g);
    if (options != NULL) {
        g->options = *options;
        if (options->hooks != NULL) g->hooks = *options->hooks;
        g->options.hooks = NULL;
    }
    if (numbers > ARENA_REF_CHUNKS || g->options.buffer != NULL || g->options.buffer_bytes != 0 ||
        g->options.fixed ||
        (options != NULL && options->hooks != NULL &&
         (g->hooks.alloc == NULL || g->hooks.free == NULL)))
        status = ARENA_ARGUMENT;
    else if (g->options.chunk_bytes > PTRDIFF_MAX - 1)
        status = ARENA_TOO_LARGE;
    else if (g->options.limit_bytes != 0 && bytes > g->options.limit_bytes)
        status = ARENA_LIMIT;
#ifdef ARENA_NO_ATOMICS
    status = ARENA_ARGUMENT;
#endif
    if (status == ARENA_OK) {
        block = arena_take_(&g->hooks, bytes, ARENA_MAX_ALIGN_);
        if (block == NULL) status = ARENA_NO_MEMORY;
    }
    if (block == NULL) {
        const arena_options_t o = g->options;
        ARENA_MEMSET(g, 0, sizeof *g);
        if (o.on_error != NULL)
            o.on_error(o.on_error_ctx, status,
                       status == ARENA_LIMIT || status == ARENA_NO_MEMORY ? bytes : 0);
        return status;
    }
    g->table = ARENA_CAST_(arena_entry_t_ *, block);
    g->free_bits = ARENA_CAST_(uint32_t *, ARENA_CAST_(void *, g->table + numbers));
    ARENA_MEMSET(block, 0, bytes);
    for (i = 0; i < numbers; i++) {
        g->table[i].tag = 1;                   /* closed */
        g->free_bits[i / 32] |= UINT32_C(1) << i % 32;
    }
    g->numbers = g->free_numbers = numbers;
    g->allocated = bytes;
    ARENA_SHARED_(block, bytes);
    ARENA_SHARED_(g, sizeof *g);
    return ARENA_OK;
}

ARENA_API void arena_group_release(arena_group_t *g)
{
    if (g->table != NULL) {
        const size_t bytes = arena_group_bytes_(g->numbers);
        ARENA_UNSHARED_(g, sizeof *g);
        ARENA_UNSHARED_(g->table, bytes);
        arena_give_(&g->hooks, g->table, bytes, ARENA_MAX_ALIGN_);
    }
    ARENA_MEMSET(g, 0, sizeof *g);
}

ARENA_API arena_status_t arena_core_join_(arena_core_t *c, arena_group_t *g,
                                          const arena_shape_t_ *s)
{
    uint32_t seen = 0;
    bool fits = c->total == 0 && c->group == NULL && c->options.buffer == NULL && g != NULL &&
                g->table != NULL;
    if (fits) {
        if (arena_cas32_(&g->shape_set, &seen, 1)) {       /* the first lane says what all are */
            g->size = s->size;
            g->align = s->align;
            g->spare = s->spare;
            (void)arena_add32_(&g->shape_set, 1);
        } else {
            while (ARENA_LOAD_(g->shape_set) != 2)         /* for three stores of another thread */
                (void)arena_add32_(&g->shape_set, 0);
            (void)arena_add32_(&g->shape_set, 0);              /* from here on they are seen */
        }
        fits = g->size == s->size && g->align == s->align && g->spare == s->spare;
    }
    if (!fits) {
        (void)arena_fail_(c, ARENA_ARGUMENT, 0);
        return ARENA_ARGUMENT;
    }
    arena_core_release_(c);
    c->group = g;
    c->options = g->options;
    c->hooks = g->hooks;
    ARENA_UNTYPED_(&c->options, sizeof c->options);   /* no fields of a group any more */
    ARENA_UNTYPED_(&c->hooks, sizeof c->hooks);
    c->table = g->table;
    c->numbers = g->numbers;
    return ARENA_OK;
}

/* --- the thread's current arena ------------------------------------------------------------- */

enum { ARENA_SCOPES_ = 64, ARENA_SCRATCHES_ = 4 };

static ARENA_THREAD_LOCAL struct {
    arena_t *current;
    uint32_t depth, serial;
    uint32_t open[ARENA_SCOPES_];              /* the serial of the scope open at each depth */
    arena_t scratch[ARENA_SCRATCHES_];
} arena_thread_;

ARENA_API arena_t *arena_current(void)
{
    return arena_thread_.current;
}

ARENA_API arena_t *arena_make_current(arena_t *a)
{
    arena_t *before = arena_thread_.current;
    arena_thread_.current = a;
    return before;
}

ARENA_API arena_scope_t arena_scope_open(arena_t *a)
{
    arena_scope_t s;
    ARENA_MEMSET(&s, 0, sizeof s);
    s.arena = a;
    s.before = arena_make_current(a);
    if (a != NULL) s.mark = arena_mark(a);
    /* TypeSanitizer takes an element of an array in a static struct for a breach. */
    ARENA_UNTYPED_(&arena_thread_, sizeof arena_thread_);
    s.depth = ++arena_thread_.depth;
    s.serial = ++arena_thread_.serial;
    if (s.depth <= ARENA_SCOPES_) arena_thread_.open[s.depth - 1] = s.serial;
    return s;
}

/* Closes a scope; false, nothing changed and nothing told, for one that is closed. */
ARENA_API bool arena_scope_leave_(arena_scope_t *scope)
{
    const uint32_t depth = scope->depth;
    if (depth == 0 || depth > arena_thread_.depth ||
        (depth <= ARENA_SCOPES_ && arena_thread_.open[depth - 1] != scope->serial))
        return false;
    scope->depth = 0;
    arena_thread_.depth = depth - 1;
    arena_thread_.current = scope->before;
    if (scope->arena != NULL && arena_mark_is_good_(&scope->arena->core, &scope->mark))
        (void)arena_rewind(scope->arena, scope->mark);
    return true;
}

ARENA_API bool arena_scope_close(arena_scope_t *scope)
{
    if (arena_scope_leave_(scope)) return true;
    if (scope->arena != NULL) (void)arena_fail_(&scope->arena->core, ARENA_STALE, 0);
    return false;
}

ARENA_API arena_t *arena_scratch(arena_t *const *in_use, size_t n)
{
    size_t i, k;
    for (i = 0; i < ARENA_SCRATCHES_; i++) {
        arena_t *a = &arena_thread_.scratch[i];
        bool taken = a == arena_thread_.current;
        ARENA_UNTYPED_(a, sizeof *a);
        for (k = 0; k < n && in_use != NULL && !taken; k++) taken = in_use[k] == a;
        if (!taken) return a;
    }
    return NULL;
}

ARENA_API void arena_scratch_release(void)
{
    size_t i;
    for (i = 0; i < ARENA_SCRATCHES_; i++)
        arena_core_release_(&arena_thread_.scratch[i].core);
}

/* malloc's shapes: the size stands in a header below the block, which keeps its alignment. So the
 * address of 0 bytes is nobody else's, too. */
enum {
    ARENA_HEADER_ = ARENA_CAST_(size_t, ARENA_MAX_ALIGN_) > sizeof(size_t)
                        ? ARENA_CAST_(size_t, ARENA_MAX_ALIGN_) : sizeof(size_t)
};

ARENA_API void *arena_current_malloc(size_t bytes)
{
    arena_t *a = arena_thread_.current;
    char *p;
    if (a == NULL) return NULL;
    if (bytes > PTRDIFF_MAX - 2 * ARENA_HEADER_)
        return arena_fail_(&a->core, ARENA_TOO_LARGE, bytes);
    p = ARENA_CAST_(char *, arena_allocf(a, NULL, 0, bytes + ARENA_HEADER_));
    if (p == NULL) return NULL;
    ARENA_MEMCPY(p, &bytes, sizeof bytes);
    return p + ARENA_HEADER_;
}

/* Whether p is from before the mark in force, or may be: no further back than storage is looked for
 * that died. */
static bool arena_is_fenced_(const arena_core_t *c, const void *p)
{
    uint32_t k;
    if (c->fence == 0) return false;
    for (k = 1; k <= ARENA_LOOK_BACK_ && k <= c->opened; k++) {
        const uint32_t i = c->opened - k;
        const uintptr_t at = ARENA_ADDRESS_(p) - ARENA_ADDRESS_(c->chunks[i].base);
        if (at < c->chunks[i].cap) return at < arena_floor_(c, i);
    }
    return true;
}

ARENA_API void *arena_current_realloc(void *block, size_t bytes)
{
    arena_t *a = arena_thread_.current;
    char *p = ARENA_CAST_(char *, block);
    size_t old;
    if (block == NULL) return arena_current_malloc(bytes);
    if (bytes == 0) {
        arena_current_free(block);
        return NULL;
    }
    if (a == NULL) return NULL;
    if (bytes > PTRDIFF_MAX - 2 * ARENA_HEADER_)
        return arena_fail_(&a->core, ARENA_TOO_LARGE, bytes);
    p -= ARENA_HEADER_;
    ARENA_MEMCPY(&old, p, sizeof old);
    if (arena_is_fenced_(&a->core, p)) {       /* no rewind would bring the old size back */
        void *moved;
        if (bytes <= old) return block;
        moved = arena_current_malloc(bytes);
        if (moved == NULL) return NULL;
        ARENA_MEMCPY(moved, block, old);
        arena_current_free(block);
        return moved;
    }
    p = ARENA_CAST_(char *, arena_allocf(a, p, old + ARENA_HEADER_, bytes + ARENA_HEADER_));
    if (p == NULL) return NULL;
    ARENA_MEMCPY(p, &bytes, sizeof bytes);
    return p + ARENA_HEADER_;
}

ARENA_API void arena_current_free(void *block)
{
    arena_t *a = arena_thread_.current;
    size_t old;
    if (a == NULL || block == NULL) return;
    ARENA_MEMCPY(&old, ARENA_CAST_(char *, block) - ARENA_HEADER_, sizeof old);
    (void)arena_allocf(a, ARENA_CAST_(char *, block) - ARENA_HEADER_, old + ARENA_HEADER_, 0);
}

/* ---- POOL: implementation ---- */

/* ---------------------------------------------------------------------------------------------
 * The span pool
 * ------------------------------------------------------------------------------------------ */

/* The largest number of elements: positions are 32 bits. */
#define ARENA_POOL_ELEMENTS_ 0xFFFFFFFFu
#define ARENA_POOL_BYTES_ ARENA_CAST_(size_t, PTRDIFF_MAX)

/* What storing and freeing consist of is inlined there: calls would be a quarter of their cost. */
#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__) && defined(__OPTIMIZE__)
#define ARENA_POOL_HOT_ static inline __attribute__((always_inline))
#else
#define ARENA_POOL_HOT_ static
#endif

/* The highest and the lowest bit set of a value that is not 0. */
static uint32_t arena_pool_high_(uint32_t x)
{
#if defined(__GNUC__) && !defined(__TINYC__)
    const size_t top = sizeof(unsigned long) * CHAR_BIT - 1;
    return ARENA_CAST_(uint32_t, top) - ARENA_CAST_(uint32_t, __builtin_clzl(x));
#else
    uint32_t bit = 0;
    if (x >> 16 != 0) { bit += 16; x >>= 16; }
    if (x >> 8 != 0) { bit += 8; x >>= 8; }
    if (x >> 4 != 0) { bit += 4; x >>= 4; }
    if (x >> 2 != 0) { bit += 2; x >>= 2; }
    return bit + (x >> 1);
#endif
}

static uint32_t arena_pool_lowest_(uint32_t x)
{
    return arena_pool_high_(x & (0u - x));
}

/* Bits above bit i. */
static uint32_t arena_pool_above_(uint32_t i)
{
    return 0xFFFFFFFEu << i;
}

ARENA_API ARENA_COLD_ arena_status_t arena_pool_fail_(arena_pool_core_t *c, arena_status_t status,
                                                      size_t bytes)
{
    if (c->status == ARENA_OK) c->status = status;
    if (c->options.on_error != NULL) {
        c->options.on_error(c->options.on_error_ctx, status, bytes);
    }
    return status;
}

/* Can there be a span of count elements at all? If not, that is told. If so, count can be added to
 * a position in a buffer: neither is larger than PTRDIFF_MAX. */
static bool arena_pool_sized_(arena_pool_core_t *c, size_t count, size_t bytes)
{
    if (bytes == 0 || bytes > ARENA_POOL_BYTES_) {
        arena_pool_fail_(c, ARENA_TOO_LARGE, bytes);
        return false;
    }
    if (count > ARENA_POOL_ELEMENTS_) {
        arena_pool_fail_(c, ARENA_REF_RANGE, bytes);
        return false;
    }
    return true;
}

static size_t arena_pool_align_(const arena_pool_core_t *c, const arena_shape_t_ *s)
{
    return c->options.align > s->align ? c->options.align : s->align;
}

/* The fixed capacity in elements; 0 = none. */
static size_t arena_pool_fixed_(const arena_pool_core_t *c)
{
    const size_t most = c->options.max_count, reserve = c->options.reserve;
    if (most == 0) return reserve;
    return reserve != 0 && reserve < most ? reserve : most;
}

/* At ARENA_DEBUG 2 and above what changes much checks every invariant, before and after. */
#if ARENA_DEBUG >= 2
#define ARENA_POOL_CHECK_(c, s) ARENA_ASSERT(arena_pool_is_valid_(c, s))
#else
#define ARENA_POOL_CHECK_(c, s) ((void)0)
#endif

/* ---- holes by size ----
 *
 * A bin holds the holes of one range of sizes as a trie: a node is a hole, its children are those
 * whose next bit below the bits that the bin fixes is 0 and 1. Every size is in it once; further
 * holes of a size hang in a list from its node. So the deepest path has as many nodes as the bin
 * leaves bits open, whatever is free, and the least hole that is large enough is found exactly. */

/* A bin is a row and the first bits of the size. Without a branch, since sizes are not foreseen. */
ARENA_POOL_HOT_ uint32_t arena_pool_bin_(uint32_t count)
{
    const uint32_t row = arena_pool_high_(count | ARENA_POOL_COLS_) - ARENA_POOL_COL_BITS_;
    return (row << ARENA_POOL_COL_BITS_) + (count >> row);
}

/* The bits of a size that its bin leaves open, the highest first. All sizes of the bins of the
 * first two rows are the same, so nothing asks for theirs. */
static uint32_t arena_pool_key_(uint32_t count, uint32_t bin)
{
    const uint32_t row = bin >> ARENA_POOL_COL_BITS_;
    return row > 1 ? count << (33 - row) : 0;
}

/* All holes of the bins of the first two rows have one size. */
static bool arena_pool_exact_(uint32_t bin)
{
    return bin < 2u * ARENA_POOL_COLS_;
}

/* The link to the least hole of a trie that is not empty. */
static uint32_t *arena_pool_least_(arena_pool_span_t_ *spans, uint32_t *link)
{
    uint32_t *least = link;
    while (*link != 0) {
        arena_pool_span_t_ *r = &spans[*link];
        if (r->count < spans[*least].count) least = link;
        link = &r->as.hole.child[r->as.hole.child[0] == 0];
    }
    return least;
}

/* The link to the least hole of a bin that holds count elements; NULL = none of this bin does. */
static uint32_t *arena_pool_search_(arena_pool_core_t *c, uint32_t count, uint32_t bin)
{
    arena_pool_span_t_ *spans = c->spans;
    uint32_t *link = &c->bins[bin], *best = NULL, *larger = NULL;
    uint32_t key = arena_pool_key_(count, bin);
    while (*link != 0) {
        arena_pool_span_t_ *r = &spans[*link];
        if (r->count == count) return link;
        if (r->count > count && (best == NULL || r->count < spans[*best].count)) best = link;
        /* What is left aside here is larger than all that is left aside further down. */
        if (key >> 31 == 0 && r->as.hole.child[1] != 0) larger = &r->as.hole.child[1];
        link = &r->as.hole.child[key >> 31];
        key <<= 1;
    }
    if (larger != NULL) {
        larger = arena_pool_least_(spans, larger);
        if (best == NULL || spans[*larger].count < spans[*best].count) return larger;
    }
    return best;
}

/* The link to the smallest hole that holds count elements, and its bin; NULL = none does. */
ARENA_POOL_HOT_ uint32_t *arena_pool_fit_(arena_pool_core_t *c, uint32_t count, uint32_t *bin)
{
    const uint32_t first = arena_pool_bin_(count);
    uint32_t row = first >> ARENA_POOL_COL_BITS_;
    const uint32_t col = first & (ARENA_POOL_COLS_ - 1u);
    const uint32_t from = 0xFFFFFFFFu << col;
    uint32_t bits = c->cols[row] & from;
    *bin = first;
    if (!arena_pool_exact_(first)) {
        if ((bits >> col & 1u) != 0) {
            uint32_t *link = arena_pool_search_(c, count, first);
            if (link != NULL) return link;
        }
        bits &= from << 1;
    }
    if (bits == 0) {
        bits = c->rows & arena_pool_above_(row);
        if (bits == 0) return NULL;
        row = arena_pool_lowest_(bits);
        bits = c->cols[row];
    }
    *bin = (row << ARENA_POOL_COL_BITS_) + arena_pool_lowest_(bits);
    if (arena_pool_exact_(*bin)) return &c->bins[*bin];
    return arena_pool_least_(c->spans, &c->bins[*bin]);
}

/* Whether a list goes on is a coin's toss to the branch predictor, so the links of what comes next
 * are written in any case: at the end of a list to slot 0, where nobody reads them. */
ARENA_POOL_HOT_ void arena_pool_insert_(arena_pool_core_t *c, uint32_t slot)
{
    arena_pool_span_t_ *spans = c->spans, *r = &spans[slot];
    const uint32_t bin = arena_pool_bin_(r->count), row = bin >> ARENA_POOL_COL_BITS_;
    uint32_t *link = &c->bins[bin];
    uint32_t child[2] = { 0, 0 }, same;
    c->rows |= 1u << row;
    c->cols[row] |= 1u << (bin & (ARENA_POOL_COLS_ - 1u));
    if (!arena_pool_exact_(bin)) {
        uint32_t key = arena_pool_key_(r->count, bin);
        while (*link != 0 && spans[*link].count != r->count) {
            link = &spans[*link].as.hole.child[key >> 31];
            key <<= 1;
        }
        if (*link != 0) {
            child[0] = spans[*link].as.hole.child[0];
            child[1] = spans[*link].as.hole.child[1];
        }
    }
    /* The node is first in its list: the new one takes its place, and no third one is touched. */
    same = *link;
    r->as.hole.child[0] = child[0];
    r->as.hole.child[1] = child[1];
    r->as.hole.more = same;
    spans[same].as.hole.child[0] = slot;
    spans[same].as.hole.child[1] = ARENA_POOL_END_;
    *link = slot;
}

/* Takes out the node that a link leads to. */
ARENA_POOL_HOT_ void arena_pool_unhang_(arena_pool_core_t *c, uint32_t *link, uint32_t bin)
{
    arena_pool_span_t_ *spans = c->spans, *r = &spans[*link];
    const uint32_t row = bin >> ARENA_POOL_COL_BITS_;
    uint32_t heir = r->as.hole.more;
    if ((r->as.hole.child[0] | r->as.hole.child[1]) != 0 && heir == 0) {
        /* Any leaf below may take the place: what the place fixes, it has too. */
        uint32_t *leaf = &r->as.hole.child[r->as.hole.child[0] == 0];
        for (;;) {
            uint32_t *child = spans[*leaf].as.hole.child;
            if (child[0] == 0 && child[1] == 0) break;
            leaf = &child[child[0] == 0];
        }
        heir = *leaf;
        *leaf = 0;
    }
    *link = heir;
    spans[heir].as.hole.child[0] = r->as.hole.child[0];
    spans[heir].as.hole.child[1] = r->as.hole.child[1];
    c->cols[row] &= ~((c->bins[bin] == 0 ? 1u : 0u) << (bin & (ARENA_POOL_COLS_ - 1u)));
    if (c->cols[row] == 0) c->rows &= ~(1u << row);
}

static void arena_pool_remove_(arena_pool_core_t *c, uint32_t slot)
{
    arena_pool_span_t_ *spans = c->spans, *r = &spans[slot];
    if (r->as.hole.child[1] == ARENA_POOL_END_) {
        spans[r->as.hole.child[0]].as.hole.more = r->as.hole.more;
        spans[r->as.hole.more].as.hole.child[0] = r->as.hole.child[0];
    } else {
        const uint32_t bin = arena_pool_bin_(r->count);
        uint32_t key = arena_pool_key_(r->count, bin);
        uint32_t *link = &c->bins[bin];
        while (*link != slot) {
            link = &spans[*link].as.hole.child[key >> 31];
            key <<= 1;
        }
        arena_pool_unhang_(c, link, bin);
    }
}

/* ---- live spans by address ----
 *
 * The buffer is cut into zones of 2^zone_shift elements, one for 16 slots. A zone names some live
 * span that begins in it, and from there the neighbours lead to all others. That span knows that it
 * is named, so that freeing another one, which is likely, does not look at the zone. */

static uint32_t arena_pool_zone_count_(const arena_pool_core_t *c)
{
    return c->slots / 16;
}

/* Zone i is kept in every 16th slot, in its second field of that kind... */
static uint32_t *arena_pool_zone_(const arena_pool_core_t *c, uint32_t zone)
{
    return &c->spans[16 * zone + 1].head;
}

/* ...and 32 bits, one for each zone that is not empty, in one of every 512. Not always in the same
 * one: places 16 KiB apart would fight for one set of the cache. */
static uint32_t *arena_pool_zone_bits_(const arena_pool_core_t *c, uint32_t zone)
{
    return &c->spans[zone / 32 * 512 + (zone / 32 % 16) * 16 + 3].head;
}

ARENA_POOL_HOT_ void arena_pool_zone_add_(arena_pool_core_t *c, uint32_t slot)
{
    arena_pool_span_t_ *r = &c->spans[slot];
    const uint32_t zone = r->as.live.start >> c->zone_shift;
    uint32_t *bits = arena_pool_zone_bits_(c, zone);
    if ((*bits >> (zone & 31u) & 1u) == 0) {
        *bits |= 1u << (zone & 31u);
        *arena_pool_zone_(c, zone) = slot;
        r->as.live.chain |= 1u;
    }
}

/* The live span before a slot, which is a live one or slot 0; 0 = it is the first. */
static uint32_t arena_pool_before_(const arena_pool_core_t *c, uint32_t slot)
{
    const uint32_t prev = c->spans[slot].prev;
    return (prev & 1u) == 0 ? prev >> 1 : c->spans[prev >> 1].prev >> 1;
}

/* The slot is named by its zone, and still in its place in the ring. */
static void arena_pool_zone_drop_(arena_pool_core_t *c, uint32_t slot)
{
    const uint32_t shift = c->zone_shift, zone = c->spans[slot].as.live.start >> shift;
    uint32_t other = arena_pool_after_(c, slot);
    c->spans[slot].as.live.chain &= ~1u;
    if (other == 0 || c->spans[other].as.live.start >> shift != zone) {
        other = arena_pool_before_(c, slot);
        if (other == 0 || c->spans[other].as.live.start >> shift != zone) {
            *arena_pool_zone_bits_(c, zone) &= ~(1u << (zone & 31u));
            *arena_pool_zone_(c, zone) = 0;
            return;
        }
    }
    *arena_pool_zone_(c, zone) = other;
    c->spans[other].as.live.chain |= 1u;
}

/* Makes the zones anew, wide enough for spans that begin as far up as start. */
static void arena_pool_zone_all_(arena_pool_core_t *c, uint32_t start)
{
    const uint32_t zones = arena_pool_zone_count_(c);
    uint32_t slot, zone;
    while (start >> c->zone_shift >= zones) c->zone_shift++;
    for (zone = 0; zone < zones; zone++) *arena_pool_zone_(c, zone) = 0;
    for (zone = 0; zone < zones; zone += 32) *arena_pool_zone_bits_(c, zone) = 0;
    for (slot = arena_pool_after_(c, 0); slot != 0; slot = arena_pool_after_(c, slot)) {
        c->spans[slot].as.live.chain &= ~1u;
        arena_pool_zone_add_(c, slot);
    }
}

/* The last live span that begins at or before an element; 0 = none does. There is a table. */
static uint32_t arena_pool_over_(const arena_pool_core_t *c, uint32_t index)
{
    uint32_t zone, bits, slot, next;
    /* The zones reach as far as spans begin. */
    slot = c->spans[0].prev >> 1;
    if (slot == 0 || c->spans[slot].as.live.start <= index) return slot;
    zone = index >> c->zone_shift;
    slot = *arena_pool_zone_(c, zone);
    if (slot == 0) {
        /* A span of the next zone that has one stands behind the one sought. */
        bits = *arena_pool_zone_bits_(c, zone) & arena_pool_above_(zone & 31u);
        while (bits == 0) bits = *arena_pool_zone_bits_(c, zone += 32);
        slot = *arena_pool_zone_(c, (zone & ~31u) + arena_pool_lowest_(bits));
    }
    while (slot != 0 && c->spans[slot].as.live.start > index) slot = arena_pool_before_(c, slot);
    if (slot == 0) return 0;
    /* The last one begins behind it. */
    for (;;) {
        next = arena_pool_after_(c, slot);
        if (c->spans[next].as.live.start > index) return slot;
        slot = next;
    }
}

/* The first live span that begins at or behind an element; 0 = none does. */
static uint32_t arena_pool_from_(const arena_pool_core_t *c, uint32_t index)
{
    uint32_t slot;
    if (c->spans == NULL) return 0;
    slot = arena_pool_over_(c, index);
    if (slot != 0 && c->spans[slot].as.live.start == index) return slot;
    return arena_pool_after_(c, slot);
}

/* Whether a live slot is what arena_pool_from_ finds for index, without looking for it. */
static bool arena_pool_first_from_(const arena_pool_core_t *c, uint32_t slot, uint32_t index)
{
    const uint32_t before = arena_pool_before_(c, slot);
    return c->spans[slot].as.live.start >= index &&
           (before == 0 || c->spans[before].as.live.start < index);
}

ARENA_API uint32_t arena_pool_at_(const arena_pool_core_t *c, size_t index)
{
    uint32_t slot;
    if (index >= c->end) return 0;
    slot = arena_pool_over_(c, ARENA_CAST_(uint32_t, index));
    return slot != 0 && index - c->spans[slot].as.live.start < c->spans[slot].count ? slot : 0;
}

/* ---- spans by content ---- */

/* The bytes at p as a number, in either order: a hash is never written anywhere. */
static uint64_t arena_pool_word_(const void *p)
{
    uint64_t word;
    ARENA_MEMCPY(&word, p, sizeof word);
    ARENA_UNTYPED_(&word, sizeof word);
    return word;
}

static uint64_t arena_pool_mix_(uint64_t x)
{
    x ^= x >> 32;
    x *= 0x9E3779B97F4A7C15u;
    return x ^ x >> 29;
}

static uint32_t arena_pool_hash_(uint32_t seed, const char *p, size_t bytes)
{
    /* Two lanes, as one multiplication waits for the one before it. */
    uint64_t one = arena_pool_mix_(bytes + (ARENA_CAST_(uint64_t, seed) << 32)), two = ~one;
    uint64_t last[2] = { 0, 0 };
    for (; bytes >= 16; bytes -= 16, p += 16) {
        one = (one ^ arena_pool_word_(p)) * 0xC2B2AE3D27D4EB4Fu;
        two = (two ^ arena_pool_word_(p + 8)) * 0x9FB21C651E98DF25u;
        one ^= one >> 31;
        two ^= two >> 31;
    }
    ARENA_MEMCPY(last, p, bytes);
    ARENA_UNTYPED_(last, sizeof last);
    one = arena_pool_mix_(one ^ last[0]);
    two = arena_pool_mix_(two ^ last[1]);
    return ARENA_CAST_(uint32_t, arena_pool_mix_(one + (two << 17 | two >> 47)) >> 32);
}

/* The head of the chain that a hash belongs to. Chain i is kept in every other slot. */
static uint32_t *arena_pool_chain_(const arena_pool_core_t *c, uint32_t hash)
{
    return &c->spans[(ARENA_CAST_(uint64_t, hash) * (c->slots / 2) >> 32) * 2].head;
}

static void arena_pool_chain_add_(arena_pool_core_t *c, uint32_t slot)
{
    arena_pool_span_t_ *r = &c->spans[slot];
    uint32_t *head = arena_pool_chain_(c, r->as.live.hash);
    r->as.live.chain = (*head << 1) + (r->as.live.chain & 1u);
    *head = slot;
}

static void arena_pool_chain_drop_(arena_pool_core_t *c, uint32_t slot)
{
    arena_pool_span_t_ *spans = c->spans, *r = &spans[slot];
    uint32_t *head = arena_pool_chain_(c, r->as.live.hash), at = *head;
    if (at == slot) {
        *head = r->as.live.chain >> 1;
    } else {
        while (spans[at].as.live.chain >> 1 != slot) at = spans[at].as.live.chain >> 1;
        spans[at].as.live.chain = (r->as.live.chain & ~1u) + (spans[at].as.live.chain & 1u);
    }
    r->as.live.chain &= 1u;
}

/* A live span gets another size: it is found no more. */
static void arena_pool_resized_(arena_pool_core_t *c, uint32_t slot, uint32_t count)
{
    if (c->spans[slot].as.live.chain > 1) arena_pool_chain_drop_(c, slot);
    c->spans[slot].count = count;
}

/* ---- memory ---- */

#ifdef ARENA_POOL_WATCHED_
/* Takes the poison off the holes and the room at the end, and off nothing else: what was stored
 * has to stay known as stored. */
ARENA_API void arena_pool_show_(const arena_pool_core_t *c, size_t size)
{
    uint32_t at = 0, slot = c->spans != NULL ? arena_pool_after_(c, 0) : 0;
    for (; slot != 0; slot = arena_pool_after_(c, slot)) {
        const uint32_t start = c->spans[slot].as.live.start;
        if (start > at) ARENA_UNPOISON_(c->data + at * size, (start - at) * size);
        at = start + c->spans[slot].count;
    }
    if (c->capacity > at) ARENA_UNPOISON_(c->data + at * size, (c->capacity - at) * size);
}
#endif

/* Elements that no live span covers any more: poisoned, and filled at ARENA_DEBUG 1 and above. */
static void arena_pool_hide_(char *data, size_t from, size_t count, size_t size)
{
    if (count == 0) return;
#if ARENA_DEBUG >= 1
    ARENA_UNPOISON_(data + from * size, count * size);
    ARENA_MEMSET(data + from * size, ARENA_FILL_DEAD_, count * size);
#endif
    ARENA_POISON_(data + from * size, count * size);
    (void)data;
    (void)from;
    (void)size;
}

static void arena_pool_open_(char *data, size_t from, size_t count, size_t size)
{
    ARENA_UNPOISON_(data + from * size, count * size);
    (void)data;
    (void)from;
    (void)count;
    (void)size;
}

/* Copies what a buffer holds to another one. */
static void arena_pool_move_all_(const arena_pool_core_t *c, char *to, uint32_t capacity,
                                 size_t size)
{
#ifdef ARENA_POOL_WATCHED_
    uint32_t slot = arena_pool_after_(c, 0);
    ARENA_POISON_(to, capacity * size);
    for (; slot != 0; slot = arena_pool_after_(c, slot)) {
        const size_t start = c->spans[slot].as.live.start * size;
        const size_t bytes = c->spans[slot].count * size;
        ARENA_UNPOISON_(to + start, bytes);
        ARENA_MEMCPY(to + start, c->data + start, bytes);
    }
#else
    (void)capacity;
    if (c->top != 0) ARENA_MEMCPY(to, c->data, c->top * size);
#endif
}

/* What follows sets data and capacity. */
static void arena_pool_give_data_(arena_pool_core_t *c, const arena_shape_t_ *s)
{
    const size_t bytes = c->capacity * s->size;
    if (c->data == NULL) return;
    ARENA_UNPOISON_(c->data, bytes);
    arena_give_(&c->hooks, c->data, bytes, arena_pool_align_(c, s));
    c->allocated -= bytes;
}

/* Tables have whole zones, and from 512 slots on whole words of their bits. */
static uint32_t arena_pool_whole_(uint32_t slots)
{
    return slots & ~(slots < 512 ? 15u : 511u);
}

/* 0 = leaves PTRDIFF_MAX. */
static size_t arena_pool_table_bytes_(uint32_t slots)
{
#if SIZE_MAX <= 0xFFFFFFFFu
    if (slots > ARENA_POOL_BYTES_ / sizeof(arena_pool_span_t_)) return 0;
#endif
    return slots * sizeof(arena_pool_span_t_);
}

/* Two slots a cache line. */
enum { ARENA_POOL_TABLE_ALIGN_ = 64 };

static void arena_pool_lay_table_(arena_pool_core_t *c, void *table, uint32_t slots)
{
    c->spans = ARENA_CAST_(arena_pool_span_t_ *, table);
    c->slots = slots;
    c->allocated += arena_pool_table_bytes_(slots);
}

static void arena_pool_give_table_(arena_pool_core_t *c, void *table, uint32_t slots)
{
    const size_t bytes = arena_pool_table_bytes_(slots);
    if (table == NULL) return;
    arena_give_(&c->hooks, table, bytes, ARENA_POOL_TABLE_ALIGN_);
    c->allocated -= bytes;
}

/* Finds hashes and zones again from the spans. */
static void arena_pool_index_(arena_pool_core_t *c)
{
    uint32_t slot;
    for (slot = 0; slot < c->slots; slot += 2) c->spans[slot].head = ARENA_POOL_END_;
    for (slot = arena_pool_after_(c, 0); slot != 0; slot = arena_pool_after_(c, slot)) {
        if (c->spans[slot].as.live.chain > 1) arena_pool_chain_add_(c, slot);
    }
    c->zone_shift = 0;
    arena_pool_zone_all_(c, c->end);
}

/* Every pool has a step of its own, so that generations of two pools differ, also where one is a
 * copy of the other and both go on. With 1 for the way back a step of 4 n + 1 goes through all. */
static void arena_pool_draw_seed_(arena_pool_core_t *c)
{
    uint32_t seed;
    if (c->step != 0) return;
    seed = arena_seed_();
    c->seed = seed * 2 + 1;
    c->step = ARENA_CAST_(uint32_t, arena_pool_mix_(seed)) * 4 + 1;
}

/* Puts a table in the place of the one there is, if any, which is smaller. */
static void arena_pool_use_table_(arena_pool_core_t *c, void *table, uint32_t slots)
{
    arena_pool_span_t_ *old = c->spans;
    const uint32_t old_slots = c->slots;
    arena_pool_lay_table_(c, table, slots);
    if (old != NULL) {
        ARENA_MEMCPY(c->spans, old, (c->used + ARENA_CAST_(size_t, 1)) * sizeof *old);
        arena_pool_give_table_(c, old, old_slots);
    } else {
        /* Slot 0 counts as live, so that no hole merges with it. */
        ARENA_MEMSET(c->spans, 0, sizeof *c->spans);
        c->spans[0].generation = 1;
        arena_pool_draw_seed_(c);
    }
    arena_pool_index_(c);
}

static bool arena_pool_within_(const arena_pool_core_t *c, size_t more)
{
    const size_t limit = c->options.limit_bytes;
    return limit == 0 || more <= limit - c->allocated;    /* P2 */
}

/* Takes a table of so many bytes and a buffer of so many elements, none of what is 0: both or
 * neither. */
static arena_status_t arena_pool_take_both_(arena_pool_core_t *c, size_t table_bytes,
                                            size_t capacity, const arena_shape_t_ *s,
                                            void **table, void **data)
{
    *table = *data = NULL;
    if (!arena_pool_within_(c, table_bytes + capacity * s->size)) return ARENA_LIMIT;
    if (table_bytes != 0) {
        *table = arena_take_(&c->hooks, table_bytes, ARENA_POOL_TABLE_ALIGN_);
        if (*table == NULL) return ARENA_NO_MEMORY;
    }
    if (capacity != 0) {
        *data = arena_take_(&c->hooks, capacity * s->size, arena_pool_align_(c, s));
        if (*data == NULL) {
            if (*table != NULL)
                arena_give_(&c->hooks, *table, table_bytes, ARENA_POOL_TABLE_ALIGN_);
            return ARENA_NO_MEMORY;
        }
    }
    return ARENA_OK;
}

/* What no buffer is longer than, in elements. */
static size_t arena_pool_most_(const arena_shape_t_ *s)
{
    const size_t fits = ARENA_POOL_BYTES_ / s->size;
    return fits < ARENA_POOL_ELEMENTS_ ? fits : ARENA_POOL_ELEMENTS_;
}

/* Room for one more slot if slot is set, and a buffer of at least need elements: both or neither.
 * Everything that can be refused is refused before anything is taken. */
static ARENA_APART_ bool arena_pool_grow_(arena_pool_core_t *c, bool slot, size_t need,
                                          size_t count, const arena_shape_t_ *s)
{
    const size_t asked = arena_asked_(count, s->size);
    const size_t fixed = arena_pool_fixed_(c);
    const size_t most = arena_pool_most_(s);
    size_t capacity = 0, table_bytes = 0;
    uint32_t slots = 0;
    void *table, *data;
    arena_status_t status;
    ARENA_POOL_CHECK_(c, s);
    if (need > c->capacity) {
        if (fixed != 0 && need > fixed) {
            arena_pool_fail_(c, ARENA_LIMIT, asked);
            return false;
        }
        if (need > most) {
            arena_pool_fail_(c, need > ARENA_POOL_ELEMENTS_ ? ARENA_REF_RANGE : ARENA_TOO_LARGE,
                             asked);
            return false;
        }
        capacity = fixed;
        if (fixed == 0) {
            capacity = c->capacity < most / 2 ? ARENA_CAST_(size_t, c->capacity) * 2 : most;
            if (capacity < 1024 / s->size) capacity = 1024 / s->size;
            if (capacity < need) capacity = need;
        }
    }
    if (slot) {
        if (c->used >= ARENA_POOL_SPANS) {
            arena_pool_fail_(c, ARENA_REF_RANGE, asked);
            return false;
        }
        slots = c->slots < ARENA_POOL_SPANS / 2 ? arena_pool_whole_(c->slots * 2)
                                                : ARENA_POOL_SPANS + 1u;
        if (slots == 0) slots = 32;    /* two zones, so that a shift of 31 is enough */
        table_bytes = arena_pool_table_bytes_(slots);
#if SIZE_MAX <= 0xFFFFFFFFu
        if (table_bytes == 0) {
            arena_pool_fail_(c, ARENA_TOO_LARGE, asked);
            return false;
        }
#endif
    }
    status = arena_pool_take_both_(c, table_bytes, capacity, s, &table, &data);
    if (status != ARENA_OK) {
        const size_t twice = table_bytes + capacity * s->size;
        if (fixed == 0 && capacity != 0) capacity = need;
        if (slot && c->slots != 0) {
            const uint32_t less = c->slots + c->slots / 8 + (c->slots < 512 ? 16u : 512u);
            if (less < slots) slots = arena_pool_whole_(less);
            table_bytes = arena_pool_table_bytes_(slots);
        }
        if (table_bytes + capacity * s->size < twice)      /* less than twice may be had */
            status = arena_pool_take_both_(c, table_bytes, capacity, s, &table, &data);
    }
    if (status != ARENA_OK) {
        arena_pool_fail_(c, status, asked);
        return false;
    }
    if (table != NULL) arena_pool_use_table_(c, table, slots);
    if (data != NULL) {
        char *to = ARENA_CAST_(char *, data);
        if (c->spans != NULL) {
            arena_pool_move_all_(c, to, ARENA_CAST_(uint32_t, capacity), s->size);
        }
        arena_pool_give_data_(c, s);
        c->data = to;
        c->capacity = ARENA_CAST_(uint32_t, capacity);
        c->allocated += capacity * s->size;
    }
    ARENA_POOL_CHECK_(c, s);
    return true;
}

/* ---- the ring ---- */

/* A slot that is not in use; there is one. */
ARENA_POOL_HOT_ uint32_t arena_pool_slot_(arena_pool_core_t *c)
{
    uint32_t slot = c->spare;
    uint64_t mixed;
    if (slot != 0) {
        c->spare = c->spans[slot].next;
    } else {
        slot = ++c->used;
        mixed = arena_pool_mix_((ARENA_CAST_(uint64_t, c->step) << 32) + slot);
        c->spans[slot].generation = ARENA_CAST_(uint32_t, mixed) & ~1u;
    }
    return slot;
}

static bool arena_pool_has_slot_(const arena_pool_core_t *c)
{
    return c->spare != 0 || (c->slots != 0 && c->used < c->slots - 1);
}

/* The slot is out of the ring, its generation is even. */
static void arena_pool_bury_(arena_pool_core_t *c, uint32_t slot)
{
    c->spans[slot].next = c->spare;
    c->spare = slot;
}

/* Makes two links neighbours. */
ARENA_POOL_HOT_ void arena_pool_join_(arena_pool_core_t *c, uint32_t prev, uint32_t next)
{
    c->spans[prev >> 1].next = next;
    c->spans[next >> 1].prev = prev;
}

/* Makes a slot that is not in the ring live at the front of a hole that holds count elements, or
 * for hole 0 at the end, where there is room. */
static void arena_pool_carve_(arena_pool_core_t *c, uint32_t slot, uint32_t hole, uint32_t count)
{
    arena_pool_span_t_ *spans = c->spans, *r = &spans[slot];
    if (hole != 0) {
        const uint32_t prev = spans[hole].prev;
        r->as.live.start =
            prev != 0 ? spans[prev >> 1].as.live.start + spans[prev >> 1].count : 0;
        arena_pool_remove_(c, hole);
        arena_pool_join_(c, prev, slot << 1);
        spans[hole].count -= count;
        if (spans[hole].count != 0) {
            arena_pool_join_(c, slot << 1, (hole << 1) + 1);
            arena_pool_insert_(c, hole);
        } else {
            arena_pool_join_(c, slot << 1, spans[hole].next);
            arena_pool_bury_(c, hole);
            c->holes--;
        }
    } else {
        if (c->end >> c->zone_shift >= arena_pool_zone_count_(c)) {
            arena_pool_zone_all_(c, c->end);
        }
        r->as.live.start = c->end;
        arena_pool_join_(c, spans[0].prev, slot << 1);
        arena_pool_join_(c, slot << 1, 0);
        c->end += count;
        if (c->top < c->end) c->top = c->end;
    }
    r->count = count;
    c->len += count;
    c->live++;
    arena_pool_zone_add_(c, slot);
}

/* Makes a live span free. Its slot becomes a hole, or is buried. */
static void arena_pool_drop_(arena_pool_core_t *c, uint32_t slot)
{
    arena_pool_span_t_ *spans = c->spans, *r = &spans[slot];
    const uint32_t start = r->as.live.start;
    uint32_t prev = r->prev, next = r->next, count = r->count, hole = slot;
    /* The links to this one are written at the end. With 100,000 live it is a tenth of the cost. */
    ARENA_FETCH_(&spans[prev >> 1], 1);
    ARENA_FETCH_(&spans[next >> 1], 1);
    if (ARENA_UNLIKELY_(r->as.live.chain != 0)) {
        if (r->as.live.chain > 1) arena_pool_chain_drop_(c, slot);
        if (r->as.live.chain != 0) arena_pool_zone_drop_(c, slot);
    }
    r->generation++;
    c->len -= count;
    c->live--;
    if (start < c->low) c->low = start;
    if ((prev & 1u) != 0) {
        hole = prev >> 1;
        arena_pool_remove_(c, hole);
        count += spans[hole].count;
        prev = spans[hole].prev;
        arena_pool_bury_(c, slot);
        c->holes--;
    }
    if (next == 0) {
        /* The last one: free space at the end has no slot. */
        c->end -= count;
        arena_pool_bury_(c, hole);
        arena_pool_join_(c, prev, 0);
        return;
    }
    if ((next & 1u) != 0) {
        const uint32_t gone = next >> 1;
        arena_pool_remove_(c, gone);
        count += spans[gone].count;
        next = spans[gone].next;
        arena_pool_bury_(c, gone);
        c->holes--;
    }
    c->holes++;
    spans[hole].count = count;
    arena_pool_join_(c, prev, (hole << 1) + 1);
    arena_pool_join_(c, (hole << 1) + 1, next);
    arena_pool_insert_(c, hole);
}

/* A hole for count elements, or 0 and there is room for them at the end, or false. */
static bool arena_pool_seek_(arena_pool_core_t *c, uint32_t count, uint32_t *hole)
{
    uint32_t bin;
    const uint32_t *link = arena_pool_fit_(c, count, &bin);
    *hole = link != NULL ? *link : 0;
    return *hole != 0 || count <= c->capacity - c->end;
}

/* A span of count elements; 0 = no hole holds them, and there is no room at the end. There is a
 * slot, or a hole of the very size. */
ARENA_POOL_HOT_ uint32_t arena_pool_put_(arena_pool_core_t *c, uint32_t count)
{
    arena_pool_span_t_ *spans = c->spans;
    uint32_t bin, slot;
    uint32_t *link = arena_pool_fit_(c, count, &bin);
    if (ARENA_LIKELY_(link != NULL)) {
        const uint32_t hole = *link, prev = spans[hole].prev, left = spans[hole].count - count;
        arena_pool_unhang_(c, link, bin);
        slot = hole;
        if (left != 0) {
            slot = arena_pool_slot_(c);
            spans[hole].count = left;
            spans[slot].count = count;
            arena_pool_join_(c, slot << 1, (hole << 1) + 1);
            arena_pool_insert_(c, hole);
        } else {
            arena_pool_join_(c, slot << 1, spans[slot].next);
            c->holes--;
        }
        arena_pool_join_(c, prev, slot << 1);
        spans[slot].as.live.start =
            prev != 0 ? spans[prev >> 1].as.live.start + spans[prev >> 1].count : 0;
        spans[slot].as.live.chain = 0;
        c->len += count;
        c->live++;
        arena_pool_zone_add_(c, slot);
    } else {
        if (count > c->capacity - c->end) return 0;
        slot = arena_pool_slot_(c);
        spans[slot].as.live.chain = 0;
        arena_pool_carve_(c, slot, 0, count);
    }
    spans[slot].generation += c->step;
    return slot;
}

/* What arena_pool_place_ does not do on its short way: errors, and more room. */
static ARENA_COLD_ uint32_t arena_pool_place_slow_(arena_pool_core_t *c, size_t count,
                                                   const arena_shape_t_ *s)
{
    const size_t bytes = arena_asked_(count, s->size);
    const bool has_slot = arena_pool_has_slot_(c);
    uint32_t hole;
    bool room;
    if (!arena_pool_sized_(c, count, bytes)) return 0;
    room = arena_pool_seek_(c, ARENA_CAST_(uint32_t, count), &hole);
    if (hole == 0 || c->spans[hole].count != count) {
        if (!arena_pool_grow_(c, !has_slot, room ? 0 : c->end + count, count, s)) {
            return 0;
        }
    }
    return arena_pool_put_(c, ARENA_CAST_(uint32_t, count));
}

/* A live span of count elements, not filled; 0 = failed. count is not 0. */
ARENA_API uint32_t arena_pool_place_(arena_pool_core_t *c, size_t count, const arena_shape_t_ *s)
{
    uint32_t slot = 0;
    if (ARENA_LIKELY_(count <= ARENA_POOL_ELEMENTS_ && arena_pool_has_slot_(c))) {
        slot = arena_pool_put_(c, ARENA_CAST_(uint32_t, count));
    }
    if (ARENA_UNLIKELY_(slot == 0)) {
        slot = arena_pool_place_slow_(c, count, s);
        if (slot == 0) return 0;
    }
    arena_pool_open_(c->data, c->spans[slot].as.live.start, ARENA_CAST_(uint32_t, count), s->size);
    return slot;
}

/* Faster than a loop: one element, then copies of all that is there, and from 4 KiB on copies of a
 * block that stays in the nearest cache. */
ARENA_API void arena_pool_fill_large_(char *dst, const void *value, size_t count, size_t size)
{
    const char *v = ARENA_CAST_(const char *, value);
    const size_t bytes = count * size, block = size < 4096 ? 4096 / size * size : size;
    size_t done = size, i = 1;
    if (size <= 64) {
        while (i < size && v[i] == v[0]) i++;
        if (i == size) {
            ARENA_MEMSET(dst, ARENA_CAST_(unsigned char, v[0]), bytes);
            return;
        }
    }
    ARENA_MEMCPY(dst, v, size);
    while (done < bytes) {
        size_t n = done < block ? done : block;
        if (n > bytes - done) n = bytes - done;
        ARENA_MEMCPY(dst + done, dst, n);
        done += n;
    }
}

/* Is src inside the buffer? Its offset then. */
static bool arena_pool_inside_(const arena_pool_core_t *c, const void *src, size_t size,
                               size_t *offset)
{
    *offset = ARENA_ADDRESS_(src) - ARENA_ADDRESS_(c->data);
    return ARENA_ADDRESS_(src) >= ARENA_ADDRESS_(c->data) && *offset < c->top * size;
}

ARENA_API arena_pool_handle_t_ arena_pool_append_copy_(arena_pool_core_t *c, const void *src,
                                                       size_t count, const arena_shape_t_ *s)
{
    const char *old = c->data;
    size_t offset;
    bool inside;
    uint32_t slot;
    if (count == 0) return arena_pool_handle_(c, 0);
    if (src == NULL) {
        arena_pool_fail_(c, ARENA_ARGUMENT, arena_asked_(count, s->size));
        return arena_pool_handle_(c, 0);
    }
    inside = arena_pool_inside_(c, src, s->size, &offset);
    slot = arena_pool_place_(c, count, s);
    if (slot != 0) {
        char *dst = arena_pool_address_(c, slot, s->size);
        /* The buffer may have moved, with the source in it; and a source that reaches over holes
         * may overlap the span. Whether it may read them was seen in the old buffer. */
#ifdef ARENA_POOL_WATCHED_
        if (inside && c->data != old) arena_pool_show_(c, s->size);
#endif
        (void)old;
        if (inside) ARENA_MEMMOVE(dst, c->data + offset, count * s->size);
        else ARENA_MEMCPY(dst, src, count * s->size);
    }
    return arena_pool_handle_(c, slot);
}

ARENA_API arena_pool_handle_t_ arena_pool_fetch_or_append_(arena_pool_core_t *c, const void *src,
                                                           size_t count, const arena_shape_t_ *s)
{
    arena_pool_handle_t_ h;
    uint32_t hash, slot, changed = 0;
    if (count == 0 || src == NULL || count > arena_pool_most_(s))
        return arena_pool_append_copy_(c, src, count, s);
    arena_pool_draw_seed_(c);
    hash = arena_pool_hash_(c->seed, ARENA_CAST_(const char *, src), count * s->size);
    if (c->spans != NULL) {
        slot = *arena_pool_chain_(c, hash);
        for (; slot != ARENA_POOL_END_; slot = c->spans[slot].as.live.chain >> 1) {
            const arena_pool_span_t_ *r = &c->spans[slot];
            if (r->as.live.hash != hash || r->count != count) continue;
            if (ARENA_MEMCMP(arena_pool_address_(c, slot, s->size), src, count * s->size) == 0) {
                return arena_pool_handle_(c, slot);
            }
            changed = slot;
        }
    }
    h = arena_pool_append_copy_(c, src, count, s);
    if (h.span != 0) {
        /* Where the same was stored before and changed since, the new span takes its place in the
         * chain, which stays short. By chance other content has the same hash: that one stays. */
        if (changed != 0 && hash != arena_pool_hash_(c->seed,
                arena_pool_address_(c, changed, s->size), count * s->size)) {
            arena_pool_chain_drop_(c, changed);
        }
        c->spans[h.span].as.live.hash = hash;
        arena_pool_chain_add_(c, h.span);
    }
    return h;
}

ARENA_API arena_status_t arena_pool_free_(arena_pool_core_t *c, uint32_t span, uint32_t generation,
                                          const arena_shape_t_ *s)
{
    uint32_t start, count;
    if (ARENA_UNLIKELY_(!arena_pool_alive_(c, span, generation))) {
        return arena_pool_fail_(c, ARENA_STALE, 0);
    }
    start = c->spans[span].as.live.start;
    count = c->spans[span].count;
    arena_pool_drop_(c, span);
    arena_pool_hide_(c->data, start, count, s->size);
    return ARENA_OK;
}

/* Moves a live span to a hole, or for hole 0 to the end, where it has count elements, more than it
 * had. There is a slot for what it leaves behind. */
static void arena_pool_move_(arena_pool_core_t *c, uint32_t slot, uint32_t hole, uint32_t count,
                             const arena_shape_t_ *s)
{
    arena_pool_span_t_ *spans = c->spans;
    const uint32_t left = arena_pool_slot_(c);
    const uint32_t from = spans[slot].as.live.start, old = spans[slot].count;
    const uint32_t named = spans[slot].as.live.chain & 1u;
    /* Another slot stands in for the span where it was, and is freed from there, also as the one
     * that the zone names: that gives its slot the generation back. */
    spans[left].generation--;
    spans[left].count = old;
    spans[left].as.live.start = from;
    spans[left].as.live.chain = named;
    arena_pool_resized_(c, slot, count);
    spans[slot].as.live.chain -= named;
    arena_pool_join_(c, spans[slot].prev, left << 1);
    arena_pool_join_(c, left << 1, spans[slot].next);
    arena_pool_carve_(c, slot, hole, count);
    arena_pool_open_(c->data, spans[slot].as.live.start, count, s->size);
    ARENA_MEMCPY(arena_pool_address_(c, slot, s->size), c->data + from * s->size, old * s->size);
    arena_pool_drop_(c, left);
    arena_pool_hide_(c->data, from, old, s->size);
}

/* Cuts a live span down to count elements. If a slot is needed for the hole there is one. */
static void arena_pool_cut_(arena_pool_core_t *c, uint32_t slot, uint32_t count)
{
    arena_pool_span_t_ *spans = c->spans, *r = &spans[slot];
    const uint32_t cut = r->count - count, stop = r->as.live.start + count, next = r->next;
    arena_pool_resized_(c, slot, count);
    c->len -= cut;
    if (stop < c->low) c->low = stop;
    if (next == 0) {
        c->end = stop;
    } else if ((next & 1u) != 0) {
        arena_pool_remove_(c, next >> 1);
        spans[next >> 1].count += cut;
        arena_pool_insert_(c, next >> 1);
    } else {
        const uint32_t hole = arena_pool_slot_(c);
        spans[hole].count = cut;
        arena_pool_join_(c, slot << 1, (hole << 1) + 1);
        arena_pool_join_(c, (hole << 1) + 1, next);
        arena_pool_insert_(c, hole);
        c->holes++;
    }
}

/* Lets a live span grow into the room behind it, which is large enough. */
static void arena_pool_stretch_(arena_pool_core_t *c, uint32_t slot, uint32_t count)
{
    arena_pool_span_t_ *spans = c->spans, *r = &spans[slot];
    const uint32_t next = r->next, hole = next >> 1, more = count - r->count;
    arena_pool_resized_(c, slot, count);
    c->len += more;
    if (next == 0) {
        c->end += more;
        if (c->top < c->end) c->top = c->end;
        return;
    }
    arena_pool_remove_(c, hole);
    spans[hole].count -= more;
    if (spans[hole].count != 0) {
        arena_pool_insert_(c, hole);
    } else {
        arena_pool_join_(c, slot << 1, spans[hole].next);
        arena_pool_bury_(c, hole);
        c->holes--;
    }
}

/* Elements of the room right behind a live span. */
static uint32_t arena_pool_behind_(const arena_pool_core_t *c, uint32_t slot)
{
    const uint32_t next = c->spans[slot].next;
    if (next == 0) return c->capacity - c->end;
    return (next & 1u) != 0 ? c->spans[next >> 1].count : 0;
}

/* Moves a live span down over the hole before it, which becomes one behind it. */
static void arena_pool_slide_(arena_pool_core_t *c, uint32_t slot, const arena_shape_t_ *s)
{
    arena_pool_span_t_ *spans = c->spans, *r = &spans[slot];
    const uint32_t hole = r->prev >> 1;
    const uint32_t from = r->as.live.start, to = from - spans[hole].count;
    uint32_t next = r->next;
    arena_pool_remove_(c, hole);
    if ((r->as.live.chain & 1u) != 0) arena_pool_zone_drop_(c, slot);
    arena_pool_join_(c, spans[hole].prev, slot << 1);
    if (next == 0) {
        c->end = to + r->count;
        arena_pool_bury_(c, hole);
        c->holes--;
    } else {
        if ((next & 1u) != 0) {
            const uint32_t gone = next >> 1;
            arena_pool_remove_(c, gone);
            spans[hole].count += spans[gone].count;
            next = spans[gone].next;
            arena_pool_bury_(c, gone);
            c->holes--;
        }
        arena_pool_join_(c, slot << 1, (hole << 1) + 1);
        arena_pool_join_(c, (hole << 1) + 1, next);
        arena_pool_insert_(c, hole);
    }
    r->as.live.start = to;
    arena_pool_zone_add_(c, slot);
    arena_pool_open_(c->data, to, from - to, s->size);
    ARENA_MEMMOVE(c->data + to * s->size, c->data + from * s->size, r->count * s->size);
    arena_pool_hide_(c->data, to + r->count, from - to, s->size);
}

ARENA_API bool arena_pool_resize_(arena_pool_core_t *c, uint32_t span, uint32_t generation,
                                  size_t count, const arena_shape_t_ *s)
{
    const size_t bytes = arena_asked_(count, s->size);
    uint32_t old, size, start, hole, prev;
    bool has_slot;
    if (!arena_pool_alive_(c, span, generation)) {
        arena_pool_fail_(c, ARENA_STALE, bytes);
        return false;
    }
    if (count == 0) {
        arena_pool_fail_(c, ARENA_ARGUMENT, 0);
        return false;
    }
    if (!arena_pool_sized_(c, count, bytes)) return false;
    size = ARENA_CAST_(uint32_t, count);
    old = c->spans[span].count;
    start = c->spans[span].as.live.start;
    has_slot = arena_pool_has_slot_(c);
    if (size <= old) {
        const uint32_t next = c->spans[span].next;
        if (size == old) return true;
        if (!has_slot && next != 0 && (next & 1u) == 0 &&
            !arena_pool_grow_(c, true, 0, count, s)) return false;
        arena_pool_cut_(c, span, size);
        arena_pool_hide_(c->data, start + size, old - size, s->size);
        return true;
    }
    if (size - old <= arena_pool_behind_(c, span)) {
        arena_pool_stretch_(c, span, size);
        arena_pool_open_(c->data, start + old, size - old, s->size);
        return true;
    }
    if (arena_pool_seek_(c, size, &hole)) {
        if (!has_slot && !arena_pool_grow_(c, true, 0, count, s)) return false;
        arena_pool_move_(c, span, hole, size, s);
        return true;
    }
    /* No free span holds it. With the hole before it and the room behind it there may be enough. */
    prev = c->spans[span].prev;
    if ((prev & 1u) != 0 &&
        size - old - arena_pool_behind_(c, span) <= c->spans[prev >> 1].count) {
        arena_pool_slide_(c, span, s);
    } else {
        /* The last one grows where it is, another one moves to the end. */
        const bool last = c->spans[span].next == 0;
        const uint32_t from = last ? start : c->end;
        if (!arena_pool_grow_(c, !last && !has_slot, from + count, count, s)) return false;
        if (!last) {
            arena_pool_move_(c, span, 0, size, s);
            return true;
        }
    }
    start = c->spans[span].as.live.start;
    arena_pool_stretch_(c, span, size);
    arena_pool_open_(c->data, start + old, size - old, s->size);
    return true;
}

ARENA_API bool arena_pool_next_free_(const arena_pool_core_t *c, size_t *start, size_t *count)
{
    uint32_t slot, from;
    if (start == NULL || count == NULL || *start > c->top || *count > c->top - *start) return false;
    from = ARENA_CAST_(uint32_t, *start + *count);
    slot = c->spans != NULL ? arena_pool_from_(c, from) : 0;
    for (; slot != 0; slot = arena_pool_after_(c, slot)) {
        const uint32_t prev = c->spans[slot].prev, stop = c->spans[slot].as.live.start;
        if ((prev & 1u) != 0 && stop - c->spans[prev >> 1].count >= from) {
            *count = c->spans[prev >> 1].count;
            *start = stop - *count;
            return true;
        }
    }
    if (c->end < from || c->end == c->top) return false;
    *start = c->end;
    *count = c->top - c->end;
    return true;
}

/* The callback may free, store and resize: all that is needed afterwards is read again, and where
 * the span is gone, its place tells which is the next: the one that was, if nothing came between,
 * which is known without looking for the place. */
ARENA_API void arena_pool_retain_(arena_pool_core_t *c,
                                  bool (*keep)(void *box, arena_pool_handle_t_ h, void *elements,
                                               size_t count),
                                  void *box, const arena_shape_t_ *s)
{
    uint32_t slot = c->spans != NULL ? arena_pool_after_(c, 0) : 0;
    if (keep == NULL) {
        arena_pool_fail_(c, ARENA_ARGUMENT, 0);
        return;
    }
    while (slot != 0) {
        const arena_pool_handle_t_ h = arena_pool_handle_(c, slot);
        const arena_pool_handle_t_ was = arena_pool_handle_(c, arena_pool_after_(c, slot));
        const uint32_t start = c->spans[slot].as.live.start;
        const bool kept = keep(box, h, arena_pool_address_(c, slot, s->size), c->spans[slot].count);
        const bool alive = arena_pool_alive_(c, h.span, h.generation);
        const bool same = alive && c->spans[slot].as.live.start == start;
        uint32_t next = same ? arena_pool_after_(c, slot) : was.span;
        if (alive && !kept) arena_pool_free_(c, h.span, h.generation, s);
        if (!same && (!arena_pool_alive_(c, was.span, was.generation) ||
                      !arena_pool_first_from_(c, next, start + 1)))
            next = arena_pool_from_(c, start + 1);
        slot = next;
    }
}

ARENA_API void arena_pool_drain_(arena_pool_core_t *c,
                                 bool (*each)(void *box, arena_pool_handle_t_ h, void *elements,
                                              size_t count),
                                 void *box, const arena_shape_t_ *s)
{
    if (each != NULL) arena_pool_retain_(c, each, box, s);
    arena_pool_clear_(c, s);
}

ARENA_API size_t arena_pool_compact_(arena_pool_core_t *c, size_t budget,
                                     void (*moved)(void *ctx, size_t from, size_t to,
                                                   size_t count),
                                     void *ctx, const arena_shape_t_ *s)
{
    size_t done = 0;
    uint32_t slot = arena_pool_from_(c, c->low);
    do {
        arena_pool_handle_t_ h;
        uint32_t from, to, count;
        while (slot != 0 && (c->spans[slot].prev & 1u) == 0) slot = arena_pool_after_(c, slot);
        if (slot == 0) {
            c->low = c->end;
            break;
        }
        from = c->spans[slot].as.live.start;
        count = c->spans[slot].count;
        arena_pool_slide_(c, slot, s);
        to = c->spans[slot].as.live.start;
        c->low = to + count;
        done += count;
        if (moved == NULL) continue;
        h = arena_pool_handle_(c, slot);
        moved(ctx, from, to, count);
        /* It may have changed anything; if nothing up to here, what comes next is still behind. */
        if (c->low != to + count || !arena_pool_alive_(c, h.span, h.generation) ||
            c->spans[slot].as.live.start != to) slot = arena_pool_from_(c, c->low);
    } while (done < budget);
    ARENA_POOL_CHECK_(c, s);
    return done;
}

/* Slots keep their generations, so that every handle given out is stale from now on. */
ARENA_API void arena_pool_clear_(arena_pool_core_t *c, const arena_shape_t_ *s)
{
    uint32_t slot;
    ARENA_POOL_CHECK_(c, s);
    arena_pool_hide_(c->data, 0, c->capacity, s->size);
    if (c->spans != NULL) {
        c->spare = 0;
        for (slot = c->used; slot != 0; slot--) {
            c->spans[slot].generation += c->spans[slot].generation & 1u;
            arena_pool_bury_(c, slot);
        }
        c->spans[0].prev = 0;
        c->spans[0].next = 0;
        ARENA_MEMSET(c->bins, 0, sizeof c->bins);
        ARENA_MEMSET(c->cols, 0, sizeof c->cols);
        c->rows = 0;
        c->end = c->top = c->low = c->len = c->live = c->holes = 0;
        arena_pool_index_(c);
    }
    c->status = ARENA_OK;
}

/* The pool holds no memory any more; options stay. */
static void arena_pool_forget_(arena_pool_core_t *c)
{
    const arena_pool_options_t options = c->options;
    const arena_hooks_t hooks = c->hooks;
    const arena_status_t status = c->status;
    ARENA_MEMSET(c, 0, sizeof *c);
    c->options = options;
    c->hooks = hooks;
    c->status = status;
}

ARENA_API void arena_pool_release_(arena_pool_core_t *c, const arena_shape_t_ *s)
{
    ARENA_POOL_CHECK_(c, s);
    arena_pool_give_data_(c, s);
    arena_pool_give_table_(c, c->spans, c->slots);
    arena_pool_forget_(c);
}

ARENA_API arena_status_t arena_pool_init_(arena_pool_core_t *c, const arena_pool_options_t *o,
                                          const arena_shape_t_ *s)
{
    size_t fixed;
    arena_status_t status = ARENA_OK;
    ARENA_MEMSET(c, 0, sizeof *c);
    if (o == NULL) return ARENA_OK;
    c->options = *o;
    c->options.on_error = NULL;        /* told below, when the pool is {0} again */
    if (o->hooks != NULL) c->hooks = *o->hooks;
    c->options.hooks = NULL;
    fixed = arena_pool_fixed_(c);
    if ((o->align & (o->align - 1)) != 0 ||
        (o->hooks != NULL && (o->hooks->alloc == NULL || o->hooks->free == NULL))) {
        status = ARENA_ARGUMENT;
    } else if (fixed > ARENA_POOL_ELEMENTS_) {
        status = ARENA_REF_RANGE;
    } else if (fixed > ARENA_POOL_BYTES_ / s->size) {
        status = ARENA_TOO_LARGE;
    } else if (o->reserve != 0 && !arena_pool_grow_(c, false, fixed, fixed, s)) {
        status = c->status;
    }
    if (status != ARENA_OK) {
        ARENA_MEMSET(c, 0, sizeof *c);
        if (o->on_error != NULL) {
            o->on_error(o->on_error_ctx, status, arena_asked_(fixed, s->size));
        }
        return status;
    }
    c->options.on_error = o->on_error;
    arena_pool_hide_(c->data, 0, c->capacity, s->size);
    return ARENA_OK;
}

ARENA_API void *arena_pool_take_(arena_pool_core_t *c, size_t *count, const arena_shape_t_ *s)
{
    const size_t top = c->top, bytes = top * s->size;
    void *data = c->data;
    if (count != NULL) *count = 0;
    if (top == 0) {
        arena_pool_release_(c, s);
        return NULL;
    }
    if (c->capacity != top) {
        if (!arena_pool_within_(c, bytes)) {
            arena_pool_fail_(c, ARENA_LIMIT, bytes);
            return NULL;
        }
        data = arena_take_(&c->hooks, bytes, arena_pool_align_(c, s));
        if (data == NULL) {
            arena_pool_fail_(c, ARENA_NO_MEMORY, bytes);
            return NULL;
        }
        arena_pool_move_all_(c, ARENA_CAST_(char *, data), c->top, s->size);
        arena_pool_give_data_(c, s);
        c->data = ARENA_CAST_(char *, data);
        c->capacity = c->top;
    }
#ifdef ARENA_POOL_WATCHED_
    arena_pool_show_(c, s->size);
#endif
    arena_pool_give_table_(c, c->spans, c->slots);
    arena_pool_forget_(c);
    if (count != NULL) *count = top;
    return data;
}

ARENA_API bool arena_pool_copy_(arena_pool_core_t *to, const arena_pool_core_t *from,
                                const arena_shape_t_ *s)
{
    const size_t fixed = arena_pool_fixed_(to), asked = from->top * s->size;
    const uint32_t slots = from->used < to->slots ? 0 : from->slots;
    size_t capacity = from->top > to->capacity ? from->top : 0, table_bytes;
    void *table, *data;
    arena_status_t status;
    if (to == from) return true;
    if (from->spans == NULL) {
        status = to->status;
        arena_pool_clear_(to, s);
        to->status = status;
        return true;
    }
    if (fixed != 0 && capacity > fixed) {
        arena_pool_fail_(to, ARENA_LIMIT, asked);
        return false;
    }
    if (fixed != 0 && capacity != 0) capacity = fixed;
    table_bytes = arena_pool_table_bytes_(slots);
    status = arena_pool_take_both_(to, table_bytes, capacity, s, &table, &data);
    if (status != ARENA_OK) {
        arena_pool_fail_(to, status, asked);
        return false;
    }
    if (data != NULL) {
        arena_pool_give_data_(to, s);
        to->data = ARENA_CAST_(char *, data);
        to->capacity = ARENA_CAST_(uint32_t, capacity);
        to->allocated += capacity * s->size;
    }
    if (table != NULL) {
        arena_pool_give_table_(to, to->spans, to->slots);
        arena_pool_lay_table_(to, table, slots);
    }
    ARENA_MEMCPY(to->spans, from->spans, (from->used + ARENA_CAST_(size_t, 1)) * sizeof *to->spans);
    ARENA_MEMCPY(to->bins, from->bins, sizeof to->bins);
    ARENA_MEMCPY(to->cols, from->cols, sizeof to->cols);
    to->used = from->used;
    to->spare = from->spare;
    to->end = from->end;
    to->top = from->top;
    to->low = from->low;
    to->len = from->len;
    to->live = from->live;
    to->holes = from->holes;
    to->rows = from->rows;
    to->step = 0;                      /* slots that are used anew do not repeat generations */
    arena_pool_draw_seed_(to);
    to->seed = from->seed;             /* the hashes were made with it */
    arena_pool_index_(to);
    arena_pool_move_all_(from, to->data, to->capacity, s->size);
    ARENA_POOL_CHECK_(to, s);
    return true;
}

ARENA_API arena_pool_stats_t arena_pool_stats_(const arena_pool_core_t *c)
{
    arena_pool_stats_t t;
    t.len = c->len;
    t.spans = c->live;
    t.free = c->top - c->len;
    t.free_spans = c->holes + (c->top > c->end ? 1u : 0u);
    t.largest_free = c->top - c->end;
    t.buffer_len = c->top;
    t.capacity = c->capacity;
    t.allocated = c->allocated;
    if (c->rows != 0) {
        const uint32_t row = arena_pool_high_(c->rows);
        const uint32_t col = arena_pool_high_(c->cols[row]);
        uint32_t slot = c->bins[(row << ARENA_POOL_COL_BITS_) + col];
        while (slot != 0) {
            const arena_pool_span_t_ *r = &c->spans[slot];
            if (r->count > t.largest_free) t.largest_free = r->count;
            slot = r->as.hole.child[r->as.hole.child[1] != 0];
        }
    }
    return t;
}

/* ---- validity ---- */

/* Is the slot a hole of the ring, which is known to be in order? Before a hole stands a live span,
 * or slot 0; and P8 finds whatever else has an odd generation. */
static bool arena_pool_is_hole_(const arena_pool_core_t *c, uint32_t slot)
{
    uint32_t prev;
    if (slot > c->used) return false;
    prev = c->spans[slot].prev >> 1;
    return prev <= c->used && (c->spans[prev].generation & 1u) != 0 &&
           c->spans[prev].next == (slot << 1) + 1;
}

/* Counts the holes that hang in a bin; false if something there is wrong. No size is met twice on
 * a way down, so no way is longer than the bits that the bin leaves open; and no node is marked as
 * one of a list, so no list comes back to where it was. */
static bool arena_pool_bin_holes_(const arena_pool_core_t *c, uint32_t bin, uint32_t *count)
{
    struct { uint32_t slot, level, prefix; } stack[32];    /* level: bits of the key fixed above */
    uint32_t path[32];                                     /* the sizes above, by level */
    uint32_t depth = 0;
    stack[0].slot = c->bins[bin];
    stack[0].level = 0;
    stack[0].prefix = 0;
    if (stack[0].slot != 0) depth = 1;
    while (depth != 0) {
        const uint32_t slot = stack[--depth].slot, level = stack[depth].level;
        const uint32_t prefix = stack[depth].prefix;
        const arena_pool_span_t_ *r;
        uint32_t more, before = slot, i;
        if (!arena_pool_is_hole_(c, slot)) return false;
        r = &c->spans[slot];
        if (arena_pool_bin_(r->count) != bin) return false;
        if (r->as.hole.child[1] == ARENA_POOL_END_) return false;
        if ((arena_pool_key_(r->count, bin) & ~(0xFFFFFFFFu >> level)) != prefix) return false;
        for (i = 0; i < level; i++) {
            if (path[i] == r->count) return false;
        }
        path[level] = r->count;
        ++*count;
        for (more = r->as.hole.more; more != 0; more = c->spans[more].as.hole.more) {
            if (!arena_pool_is_hole_(c, more) || c->spans[more].count != r->count ||
                c->spans[more].as.hole.child[0] != before ||
                c->spans[more].as.hole.child[1] != ARENA_POOL_END_) return false;
            ++*count;
            before = more;
        }
        for (i = 0; i < 2; i++) {
            const uint32_t child = r->as.hole.child[i];
            if (child == 0) continue;
            stack[depth].slot = child;
            stack[depth].level = level + 1;
            stack[depth].prefix = prefix | (i << 31 >> level);
            depth++;
        }
    }
    return true;
}

ARENA_API bool arena_pool_is_valid_(const arena_pool_core_t *c, const arena_shape_t_ *s)
{
    const size_t fixed = arena_pool_fixed_(c), limit = c->options.limit_bytes;
    const uint32_t zones = arena_pool_zone_count_(c);
    uint32_t slot, next, prev = 0, at = 0, len = 0, live = 0, holes = 0, chained = 0, named = 0;
    uint32_t n, i;
    /* P1 */
    if (c->end > c->top || c->top > c->capacity || c->len > c->end) return false;
    if ((c->data == NULL) != (c->capacity == 0)) return false;
    if (fixed != 0 && c->capacity != 0 && c->capacity != fixed) return false;
    /* P2 */
    if (c->allocated != c->capacity * s->size + arena_pool_table_bytes_(c->slots)) return false;
    if (limit != 0 && c->allocated > limit) return false;
    /* P3 */
    if ((c->step & 3u) != (c->step != 0 ? 1u : 0u)) return false;
    if (c->spans == NULL) {
        return c->slots == 0 && c->used == 0 && c->spare == 0 && c->top == 0 && c->low == 0 &&
               c->live == 0 && c->holes == 0 && c->rows == 0;
    }
    if (c->used >= c->slots || c->slots != arena_pool_whole_(c->slots)) return false;
    if (c->slots < 32 || c->slots > ARENA_POOL_SPANS + 1u || c->step == 0) return false;
    if (c->spans[0].generation != 1 || c->zone_shift > 31) return false;
    /* P4, P5, P6 */
    for (next = c->spans[0].next; next != 0; prev = next, next = c->spans[next >> 1].next) {
        const arena_pool_span_t_ *r;
        /* No slot is met twice, since prev would have to be two. */
        if (next >> 1 > c->used) return false;
        r = &c->spans[next >> 1];
        if ((r->generation & 1u) == (next & 1u)) return false;
        if (r->prev != prev || r->count == 0 || r->count > c->end - at) return false;
        if ((r->generation & 1u) != 0) {
            if (r->as.live.start != at) return false;
            if (at >> c->zone_shift >= zones) return false;
            if (*arena_pool_zone_(c, at >> c->zone_shift) == 0) return false;
            if (r->as.live.chain > 1) chained++;
            if ((r->as.live.chain & 1u) != 0) named++;
            len += r->count;
            live++;
        } else {
            if ((prev & 1u) != 0 || r->next == 0 || at < c->low) return false;
            holes++;
        }
        at += r->count;
    }
    if (c->spans[0].prev != prev || at != c->end || c->low > c->end) return false;
    if (len != c->len || live != c->live || holes != c->holes) return false;
    /* P7 */
    if (c->rows >> (ARENA_POOL_ROWS_ - 1) > 1) return false;
    for (n = 0, i = 0; i < ARENA_CAST_(uint32_t, ARENA_POOL_BINS_); i++) {
        const uint32_t row = i >> ARENA_POOL_COL_BITS_, col = i & (ARENA_POOL_COLS_ - 1u);
        if ((c->cols[row] >> col & 1u) != (c->bins[i] != 0 ? 1u : 0u)) return false;
        if ((c->rows >> row & 1u) != (c->cols[row] != 0 ? 1u : 0u)) return false;
        if (!arena_pool_bin_holes_(c, i, &n)) return false;
    }
    if (n != c->holes) return false;
    /* P8 */
    for (n = 0, slot = c->spare; slot != 0; slot = c->spans[slot].next) {
        if (slot > c->used || (c->spans[slot].generation & 1u) != 0) return false;
        if (arena_pool_is_hole_(c, slot) || ++n > c->used) return false;
    }
    if (n != c->used - c->live - c->holes) return false;
    /* From here on: what has an odd generation is in the ring. */
    /* P9 */
    for (n = 0, i = 0; i < c->slots; i += 2) {
        const arena_pool_span_t_ *r;
        for (slot = c->spans[i].head; slot != ARENA_POOL_END_; slot = r->as.live.chain >> 1) {
            if (slot == 0 || slot > c->used) return false;
            r = &c->spans[slot];
            if ((r->generation & 1u) == 0 || r->as.live.chain <= 1) return false;
            if (arena_pool_chain_(c, r->as.live.hash) != &c->spans[i].head) return false;
            if (++n > chained) return false;
        }
    }
    if (n != chained) return false;
    /* P10 */
    if (zones % 32 != 0 && *arena_pool_zone_bits_(c, zones) >> zones % 32 != 0) return false;
    for (i = 0; i < zones; i++) {
        slot = *arena_pool_zone_(c, i);
        if ((*arena_pool_zone_bits_(c, i) >> (i & 31u) & 1u) != (slot != 0 ? 1u : 0u)) return false;
        if (slot == 0) continue;
        if (slot > c->used || (c->spans[slot].generation & 1u) == 0) return false;
        if (c->spans[slot].as.live.start >> c->zone_shift != i) return false;
        if ((c->spans[slot].as.live.chain & 1u) == 0) return false;
        named--;
    }
    return named == 0;
}

/* ---- POOL: end of implementation ---- */

#endif /* ARENA_IMPLEMENTED_ */
#endif /* ARENA_IMPLEMENTATION */

/* ---------------------------------------------------------------------------------------------
 * Licence: this software is under either of the two below, as you choose
 * ---------------------------------------------------------------------------------------------
 * A - MIT
 * Copyright (c) 2026 the authors of arena.h
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
 * associated documentation files (the "Software"), to deal in the Software without restriction,
 * including without limitation the rights to use, copy, modify, merge, publish, distribute,
 * sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 * The above copyright notice and this permission notice shall be included in all copies or
 * substantial portions of the Software.
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
 * NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
 * NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
 * DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 * ---------------------------------------------------------------------------------------------
 * B - Public domain (Unlicense)
 * This is free and unencumbered software released into the public domain. Anyone is free to copy,
 * modify, publish, use, compile, sell, or distribute this software, either in source code form or
 * as a compiled binary, for any purpose, commercial or non-commercial, and by any means. In
 * jurisdictions that recognize copyright laws, the author or authors of this software dedicate any
 * and all copyright interest in the software to the public domain. We make this dedication for the
 * benefit of the public at large and to the detriment of our heirs and successors. We intend this
 * dedication to be an overt act of relinquishment in perpetuity of all present and future rights to
 * this software under copyright law.
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
 * NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
 * NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
 * CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 * ------------------------------------------------------------------------------------------ */
