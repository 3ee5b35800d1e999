/* arena_hooks.h - ready hooks for arena.h: take what you need, or the file as it is.
 *
 *   arena_region_t   one large reservation of address space, committed as it is used (mmap,
 *                    VirtualAlloc), with huge pages if asked. For arenas of one thread.
 *   arena_huge_t     every block a mapping of its own made of huge pages, for large chunks.
 *   arena_budget_t   a number of bytes shared by several arenas, in any threads, over other hooks.
 *
 * Each has a member `hooks`, whose address goes into arena_options_t:
 *
 *     arena_region_t region;
 *     arena_options_t options = {0};
 *     if (!arena_region_init(&region, (size_t)64 << 30, ARENA_REGION_HUGE)) return 1;
 *     options.hooks = &region.hooks;
 *
 * The structs must stay where they are while an arena uses them, since hooks.ctx points at them,
 * and an arena is released before its hooks are. Only arena_budget_t may be used by several threads
 * at a time: a group, whose lanes open chunks when they want, takes a budget over malloc, or a lock
 * of yours around a region. Include arena.h first. Under -std=c99 define _DEFAULT_SOURCE before the
 * first system header, or MAP_ANONYMOUS and madvise are hidden.
 *
 * Why huge pages: the first touch of a fresh 4 KiB page is a fault, and 64 MiB take 16,384 of them.
 * A 2 MiB page takes one, and the kernel clears it in one go: filling 64 MiB took 4 ms with them
 * and 23 ms without, in a process just started 13 and 70 (x86-64, Linux 6.18, two virtual cores).
 * Asking the kernel to fault 4 KiB pages in beforehand (MADV_POPULATE_WRITE) gained nothing there,
 * so nothing here does it.
 */
#ifndef ARENA_HOOKS_H
#define ARENA_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#if !defined(MAP_ANONYMOUS) && defined(MAP_ANON)
#define MAP_ANONYMOUS MAP_ANON
#endif
#ifndef MAP_ANONYMOUS
#error "define _DEFAULT_SOURCE before the first system header (or compile with -std=gnu99)"
#endif
#endif

/* malloc, and for more than its alignment a block with the pointer to free just
 * below the aligned address. */
static inline void *arena_hooks_malloc_(void *ctx, size_t bytes, size_t align)
{
    char *block, *p;
    (void)ctx;
    if (align <= 2 * sizeof(void *))
        return malloc(bytes);
    if (bytes > SIZE_MAX - align - sizeof(void *))
        return NULL;
    block = (char *)malloc(bytes + align + sizeof(void *));
    if (block == NULL)
        return NULL;
    p = block + sizeof(void *);
    p += (size_t)(-(uintptr_t)p & (align - 1));
    ((void **)(void *)p)[-1] = block;
    return p;
}

static inline void arena_hooks_mfree_(void *ctx, void *p, size_t bytes, size_t align)
{
    (void)ctx;
    (void)bytes;
    if (p != NULL)
        free(align <= 2 * sizeof(void *) ? p : ((void **)p)[-1]);
}

/* ---- Pages: the four calls that differ from system to system ------------------------------- */

#define ARENA_HUGE_BYTES ((size_t)2 << 20)       /* of a huge page; a power of two */

/* bytes rounded up to a multiple of unit (a power of two), or 0 where that leaves size_t. */
static inline size_t arena_hooks_round_(size_t bytes, size_t unit)
{
    return bytes > SIZE_MAX - (unit - 1) ? 0 : (bytes + (unit - 1)) & ~(unit - 1);
}

/* Address space without memory behind it, or NULL. */
static inline char *arena_pages_reserve_(size_t bytes)
{
#if defined(_WIN32)
    return (char *)VirtualAlloc(NULL, bytes, MEM_RESERVE, PAGE_NOACCESS);
#else
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    void *p;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    p = mmap(NULL, bytes, PROT_NONE, flags, -1, 0);
    return p == MAP_FAILED ? NULL : (char *)p;
#endif
}

/* Makes reserved pages usable; false if the system has no memory for them. */
static inline bool arena_pages_commit_(char *p, size_t bytes, bool huge)
{
#if defined(_WIN32)
    (void)huge;
    return VirtualAlloc(p, bytes, MEM_COMMIT, PAGE_READWRITE) != NULL;
#else
    if (mprotect(p, bytes, PROT_READ | PROT_WRITE) != 0)
        return false;
#ifdef MADV_HUGEPAGE
    if (huge)
        (void)madvise(p, bytes, MADV_HUGEPAGE);      /* advice: refused, the pages are small ones */
#else
    (void)huge;
#endif
    return true;
#endif
}

/* Gives the memory behind pages back and keeps the address space. A fresh mapping on top of the old
 * one does that on every POSIX system, where the madvise calls for it differ. */
static inline bool arena_pages_decommit_(char *p, size_t bytes)
{
#if defined(_WIN32)
    return VirtualFree(p, bytes, MEM_DECOMMIT) != 0;
#else
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    return mmap(p, bytes, PROT_NONE, flags, -1, 0) != MAP_FAILED;
#endif
}

static inline void arena_pages_release_(char *p, size_t bytes)
{
#if defined(_WIN32)
    (void)bytes;
    (void)VirtualFree(p, 0, MEM_RELEASE);
#else
    (void)munmap(p, bytes);
#endif
}

/* ---- A region: reserve much, commit as needed ---------------------------------------------- */

#define ARENA_REGION_HUGE 1u                     /* ask for huge pages where the system has them */

/* A free block, written into its own first bytes. Sizes are multiples of 16, so it always fits. */
typedef struct arena_hole_ {
    struct arena_hole_ *next;                    /* at a higher address; never adjacent */
    size_t bytes;
} arena_hole_;

typedef struct arena_region {
    arena_hooks_t hooks;
    char *base;                                  /* aligned to a huge page */
    size_t reserved, committed, used;            /* bytes: used <= committed <= reserved */
    arena_hole_ *holes;                          /* freed blocks below `used`, by address */
    char *mapping; size_t mapping_bytes;         /* as the system gave it */
    unsigned flags;
} arena_region_t;

/* Puts [p, p + bytes) among the holes, joins it with its neighbours, and lowers `used` when the
 * topmost hole touches it: then the region is a plain stack again. */
static inline void arena_region_give_(arena_region_t *r, char *p, size_t bytes)
{
    arena_hole_ **link = &r->holes, *hole, *before = NULL;
    while (*link != NULL && (char *)*link < p) {
        before = *link;
        link = &(*link)->next;
    }
    if (before != NULL && (char *)before + before->bytes == p) {
        hole = before;
        hole->bytes += bytes;
    } else {
        hole = (arena_hole_ *)(void *)p;
        hole->next = *link;
        hole->bytes = bytes;
        *link = hole;
    }
    if (hole->next != NULL && (char *)hole + hole->bytes == (char *)hole->next) {
        hole->bytes += hole->next->bytes;
        hole->next = hole->next->next;
    }
    if ((char *)hole + hole->bytes == r->base + r->used) {
        for (link = &r->holes; *link != hole; link = &(*link)->next) {}
        *link = NULL;                            /* nothing lies above it */
        r->used = (size_t)((char *)hole - r->base);
    }
}

/* The first hole that holds the block, else room above `used`. A chunk of the same size as one that
 * was freed takes its place exactly. */
static inline void *arena_region_alloc_(void *ctx, size_t bytes, size_t align)
{
    arena_region_t *r = (arena_region_t *)ctx;
    arena_hole_ **link;
    size_t start, pad, commit;
    bytes = arena_hooks_round_(bytes, 16);
    if (align < 16)
        align = 16;
    if (bytes == 0 || align > ARENA_HUGE_BYTES)
        return NULL;
    for (link = &r->holes; *link != NULL; link = &(*link)->next) {
        arena_hole_ *hole = *link;
        char *p = (char *)hole;
        size_t room = hole->bytes;
        pad = (size_t)(-(uintptr_t)p & (align - 1));
        if (room < pad || room - pad < bytes)
            continue;
        *link = hole->next;
        if (pad != 0)
            arena_region_give_(r, p, pad);
        if (room - pad > bytes)
            arena_region_give_(r, p + pad + bytes, room - pad - bytes);
        return p + pad;
    }
    pad = (size_t)(-(uintptr_t)(r->base + r->used) & (align - 1));
    if (r->reserved - r->used < pad || r->reserved - r->used - pad < bytes)
        return NULL;
    start = r->used + pad;
    if (start + bytes > r->committed) {          /* whole huge pages, so that they can be huge */
        commit = arena_hooks_round_(start + bytes, ARENA_HUGE_BYTES) - r->committed;
        if (!arena_pages_commit_(r->base + r->committed, commit,
                                 (r->flags & ARENA_REGION_HUGE) != 0))
            return NULL;
        r->committed += commit;
    }
    r->used = start + bytes;
    if (pad != 0)
        arena_region_give_(r, r->base + start - pad, pad);
    return r->base + start;
}

static inline void arena_region_free_(void *ctx, void *p, size_t bytes, size_t align)
{
    (void)align;
    if (p != NULL)
        arena_region_give_((arena_region_t *)ctx, (char *)p, arena_hooks_round_(bytes, 16));
}

/* Reserves bytes of address space (rounded up to whole huge pages); only that much can ever be in
 * use. It costs no memory, so it may be far more than the machine has. False if refused. */
static inline bool arena_region_init(arena_region_t *r, size_t bytes, unsigned flags)
{
    size_t rounded = arena_hooks_round_(bytes, ARENA_HUGE_BYTES);
    memset(r, 0, sizeof *r);
    if (rounded == 0 || rounded > SIZE_MAX - ARENA_HUGE_BYTES)
        return false;
    r->mapping_bytes = rounded + ARENA_HUGE_BYTES;   /* room to align the base */
    r->mapping = arena_pages_reserve_(r->mapping_bytes);
    if (r->mapping == NULL)
        return false;
    r->base = r->mapping + (size_t)(-(uintptr_t)r->mapping & (ARENA_HUGE_BYTES - 1));
    r->reserved = rounded;
    r->flags = flags;
    r->hooks.alloc = arena_region_alloc_;
    r->hooks.free = arena_region_free_;
    r->hooks.ctx = r;
    return true;
}

/* Gives the memory above the last block in use back to the system, in whole huge pages. A region
 * keeps it otherwise, since the next batch would only fault it in again. */
static inline bool arena_region_trim(arena_region_t *r)
{
    size_t keep = arena_hooks_round_(r->used, ARENA_HUGE_BYTES);
    if (keep < r->committed) {
        if (!arena_pages_decommit_(r->base + keep, r->committed - keep))
            return false;
        r->committed = keep;
    }
    return true;
}

/* Everything back to the system. The arenas on it must be released before. */
static inline void arena_region_release(arena_region_t *r)
{
    if (r->mapping != NULL)
        arena_pages_release_(r->mapping, r->mapping_bytes);
    memset(r, 0, sizeof *r);
}

/* ---- Huge pages: a mapping per block ------------------------------------------------------- */

/* For blocks of half a huge page and more; smaller ones, such as an arena's bookkeeping, come from
 * malloc. Blocks are rounded up to whole huge pages, so chunk_bytes should be a multiple of
 * ARENA_HUGE_BYTES less one: the byte arena asks for one byte more than a chunk holds. Reserved
 * huge pages (MAP_HUGETLB) come first where the administrator has set some aside; else an aligned
 * mapping with MADV_HUGEPAGE; else ordinary pages. The counters say what was had. */
typedef struct arena_huge {
    arena_hooks_t hooks;
    size_t mapped;                               /* bytes held now */
    size_t reserved_blocks, advised_blocks, plain_blocks;    /* made so far, by kind of page */
} arena_huge_t;

static inline void *arena_huge_alloc_(void *ctx, size_t bytes, size_t align)
{
    arena_huge_t *h = (arena_huge_t *)ctx;
    char *p;
    if (bytes < ARENA_HUGE_BYTES / 2)
        return arena_hooks_malloc_(NULL, bytes, align);
    bytes = arena_hooks_round_(bytes, ARENA_HUGE_BYTES);
    if (bytes == 0 || align > ARENA_HUGE_BYTES)
        return NULL;
#if defined(_WIN32)
    /* Large pages there want a privilege that programs seldom have. The alignment is had by looking
     * for room and asking for an address inside of it; another thread may take it in between. */
    int tries;
    if (bytes > SIZE_MAX - ARENA_HUGE_BYTES)
        return NULL;
    for (p = NULL, tries = 8; p == NULL && tries > 0; tries--) {
        char *room = arena_pages_reserve_(bytes + ARENA_HUGE_BYTES);
        if (room == NULL)
            return NULL;
        arena_pages_release_(room, bytes + ARENA_HUGE_BYTES);
        room += (size_t)(-(uintptr_t)room & (ARENA_HUGE_BYTES - 1));
        p = (char *)VirtualAlloc(room, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    }
    if (p == NULL)
        return NULL;
    h->plain_blocks++;
#else
    p = (char *)MAP_FAILED;
#ifdef MAP_HUGETLB
    /* The size is named (log2 of it, from bit 26), since the default may be another one. */
    p = (char *)mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | (21 << 26), -1, 0);
    if (p != (char *)MAP_FAILED)
        h->reserved_blocks++;
#endif
    if (p == (char *)MAP_FAILED) {
        size_t head, tail = ARENA_HUGE_BYTES;    /* map one page more and cut it off around us */
        bool advised = false;
        if (bytes > SIZE_MAX - ARENA_HUGE_BYTES)
            return NULL;
        p = (char *)mmap(NULL, bytes + ARENA_HUGE_BYTES, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == (char *)MAP_FAILED)
            return NULL;
        head = (size_t)(-(uintptr_t)p & (ARENA_HUGE_BYTES - 1));
        tail -= head;
        if (head != 0)
            (void)munmap(p, head);
        p += head;
        if (tail != 0)
            (void)munmap(p + bytes, tail);
#ifdef MADV_HUGEPAGE
        advised = madvise(p, bytes, MADV_HUGEPAGE) == 0;
#endif
        if (advised)
            h->advised_blocks++;
        else
            h->plain_blocks++;
    }
#endif
    h->mapped += bytes;
    return p;
}

static inline void arena_huge_free_(void *ctx, void *p, size_t bytes, size_t align)
{
    arena_huge_t *h = (arena_huge_t *)ctx;
    if (bytes < ARENA_HUGE_BYTES / 2) {
        arena_hooks_mfree_(NULL, p, bytes, align);
        return;
    }
    bytes = arena_hooks_round_(bytes, ARENA_HUGE_BYTES);
    if (p != NULL) {
        arena_pages_release_((char *)p, bytes);
        h->mapped -= bytes;
    }
}

static inline void arena_huge_init(arena_huge_t *h)
{
    memset(h, 0, sizeof *h);
    h->hooks.alloc = arena_huge_alloc_;
    h->hooks.free = arena_huge_free_;
    h->hooks.ctx = h;
}

/* ---- A budget: bytes shared by several arenas ---------------------------------------------- */

/* Counts what every arena on it holds and refuses what would go over the limit. The sum is exact:
 * bytes are claimed before they are asked for and given back after they are freed, so other threads
 * never see it too low. `used` and `refused` may be read at any time with the functions below. */
typedef struct arena_budget {
    arena_hooks_t hooks;
    const arena_hooks_t *under;                  /* where the memory comes from */
    size_t limit;
    size_t used, peak, refused;                  /* atomic; refused counts calls */
} arena_budget_t;

#if defined(__GNUC__) || defined(__clang__)
#define ARENA_BUDGET_LOAD_(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define ARENA_BUDGET_SWAP_(p, old, now) \
    __atomic_compare_exchange_n((p), (old), (now), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#elif defined(_MSC_VER)
#define ARENA_BUDGET_LOAD_(p) (*(volatile size_t *)(p))
static inline bool arena_budget_swap_(size_t *p, size_t *old, size_t now)
{
    void *was = _InterlockedCompareExchangePointer((void *volatile *)p, (void *)now, (void *)*old);
    bool done = (size_t)was == *old;
    *old = (size_t)was;
    return done;
}
#define ARENA_BUDGET_SWAP_(p, old, now) arena_budget_swap_((p), (old), (now))
#else
/* A compiler without atomics: then a budget is for one thread. */
#define ARENA_BUDGET_LOAD_(p) (*(p))
#define ARENA_BUDGET_SWAP_(p, old, now) (*(p) = (now), (void)(old), true)
#endif

static inline void arena_budget_raise_(size_t *counter, size_t to)
{
    size_t old = ARENA_BUDGET_LOAD_(counter);
    while (old < to && !ARENA_BUDGET_SWAP_(counter, &old, to)) {}
}

static inline void arena_budget_less_(arena_budget_t *b, size_t bytes)
{
    size_t old = ARENA_BUDGET_LOAD_(&b->used);
    while (!ARENA_BUDGET_SWAP_(&b->used, &old, old - bytes)) {}
}

static inline void *arena_budget_alloc_(void *ctx, size_t bytes, size_t align)
{
    arena_budget_t *b = (arena_budget_t *)ctx;
    size_t old = ARENA_BUDGET_LOAD_(&b->used), more;
    void *p;
    do {
        if (bytes > b->limit || old > b->limit - bytes) {
            more = ARENA_BUDGET_LOAD_(&b->refused);
            while (!ARENA_BUDGET_SWAP_(&b->refused, &more, more + 1)) {}
            return NULL;
        }
    } while (!ARENA_BUDGET_SWAP_(&b->used, &old, old + bytes));
    p = b->under->alloc(b->under->ctx, bytes, align);
    if (p == NULL)
        arena_budget_less_(b, bytes);
    else
        arena_budget_raise_(&b->peak, old + bytes);
    return p;
}

static inline void arena_budget_free_(void *ctx, void *p, size_t bytes, size_t align)
{
    arena_budget_t *b = (arena_budget_t *)ctx;
    if (p != NULL) {
        b->under->free(b->under->ctx, p, bytes, align);
        arena_budget_less_(b, bytes);
    }
}

/* At most limit bytes for all arenas on it together. under NULL = malloc; with several threads it
 * must be thread-safe itself. */
static inline void arena_budget_init(arena_budget_t *b, size_t limit, const arena_hooks_t *under)
{
    static const arena_hooks_t from_malloc = { arena_hooks_malloc_, arena_hooks_mfree_, NULL };
    memset(b, 0, sizeof *b);
    b->hooks.alloc = arena_budget_alloc_;
    b->hooks.free = arena_budget_free_;
    b->hooks.ctx = b;
    b->under = under != NULL ? under : &from_malloc;
    b->limit = limit;
}

static inline size_t arena_budget_used(const arena_budget_t *b)
{
    return ARENA_BUDGET_LOAD_(&b->used);
}

static inline size_t arena_budget_peak(const arena_budget_t *b)
{
    return ARENA_BUDGET_LOAD_(&b->peak);
}

static inline size_t arena_budget_refused(const arena_budget_t *b)
{
    return ARENA_BUDGET_LOAD_(&b->refused);
}

#endif
