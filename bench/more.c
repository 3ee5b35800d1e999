/*
 * More shapes of arena.h as contenders: lanes of one group, one arena behind a mutex, and an arena
 * on the ready hooks of the examples (huge pages; one large reservation).
 */
#include "../arena.h"
#include "../examples/arena_hooks.h"
#include "bench.h"

#include <pthread.h>
#include <stdlib.h>

static void *failed_open(void)
{
    abort();
}

/* ---- a lane of one group that every instance joins ------------------------------------------ */

struct lane { arena_t a; };

static void *lane_open(void)
{
    static arena_group_t group;
    static int ready;
    struct lane *l = (struct lane *)calloc(1, sizeof *l);
    if (l == NULL) return failed_open();
    if (!ready && arena_group_init(&group, NULL, 1 << 16) != ARENA_OK) return failed_open();
    ready = 1;
    if (arena_join(&l->a, &group) != ARENA_OK) return failed_open();
    return l;
}
static void lane_close(void *ctx)
{
    struct lane *l = (struct lane *)ctx;
    arena_release(&l->a);
    free(l);
}
#define lane_held NULL
#define C_NAME(x) lane_##x
#define C_TYPE struct lane
#define C_CONTENDER cont_lane
#define C_TITLE "arena.h, lanes of a group"
#define C_KIND KIND_ARENA
#define C_RESET(c) arena_reset(&(c)->a)
#define C_APPEND(c, s, n) arena_append(&(c)->a, s, n)
#include "rows.h"

/* ---- one arena, one mutex --------------------------------------------------------------------- */

/* All instances are the same arena. It is rewound under the lock after every 2 MiB, since no thread
 * may rewind what another has just stored; what the threads keep of it is never read. */
struct mutex { arena_t a; size_t bytes; };
static struct mutex shared;
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;

static void *mutex_open(void) { return &shared; }
static void mutex_close(void *ctx) { (void)ctx; }
#define mutex_held NULL
BENCH_INLINE const char *mutex_append(struct mutex *m, const char *s, size_t n)
{
    const char *p;
    pthread_mutex_lock(&shared_lock);
    m->bytes += n;
    if (m->bytes > (size_t)2 << 20) {
        arena_reset(&m->a);
        m->bytes = 0;
    }
    p = arena_append(&m->a, s, n);
    pthread_mutex_unlock(&shared_lock);
    return p;
}
#define C_NAME(x) mutex_##x
#define C_TYPE struct mutex
#define C_CONTENDER cont_mutex
#define C_TITLE "one arena.h behind a mutex"
#define C_KIND KIND_PEER
#define C_RESET(c) ((void)(c))
#define C_APPEND(c, s, n) mutex_append(c, s, n)
#include "rows.h"

/* ---- memory from mmap ------------------------------------------------------------------------- */

/* The ready hooks of the examples: one reservation of address space, committed as it is used, of
 * ordinary pages or of pages of 2 MiB: 512 times fewer faults. */
struct mapped { arena_t a; arena_region_t region; };

static void *mapped_open(unsigned flags)
{
    struct mapped *m = (struct mapped *)calloc(1, sizeof *m);
    arena_options_t options;
    if (m == NULL || !arena_region_init(&m->region, (size_t)1 << 32, flags)) return failed_open();
    memset(&options, 0, sizeof options);
    options.hooks = &m->region.hooks;
    options.chunk_bytes = ((size_t)1 << 20) - 1;
    if (arena_init(&m->a, &options) != ARENA_OK) return failed_open();
    return m;
}
static void mapped_close(void *ctx)
{
    struct mapped *m = (struct mapped *)ctx;
    arena_release(&m->a);
    arena_region_release(&m->region);
    free(m);
}
static void *huge_open(void) { return mapped_open(ARENA_REGION_HUGE); }
static void *reserved_open(void) { return mapped_open(0); }
#define huge_close mapped_close
#define reserved_close mapped_close
#define huge_held NULL
#define reserved_held NULL
#define C_NAME(x) huge_##x
#define C_TYPE struct mapped
#define C_CONTENDER cont_huge
#define C_TITLE "arena.h, huge pages"
#define C_KIND KIND_ARENA
#define C_RESET(c) arena_reset(&(c)->a)
#define C_APPEND(c, s, n) arena_append(&(c)->a, s, n)
#include "rows.h"

#define C_NAME(x) reserved_##x
#define C_TYPE struct mapped
#define C_CONTENDER cont_reserved
#define C_TITLE "arena.h, one reservation"
#define C_KIND KIND_ARENA
#define C_RESET(c) arena_reset(&(c)->a)
#define C_APPEND(c, s, n) arena_append(&(c)->a, s, n)
#include "rows.h"
