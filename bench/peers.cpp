/*
 * Peers with a C++ interface: libstdc++'s pmr::monotonic_buffer_resource and std::vector always,
 * LLVM's BumpPtrAllocator and StringSaver and protobuf's Arena where bench.mk found them.
 */
#include "bench.h"

#include <cstdlib>
#include <memory_resource>
#include <new>
#include <vector>

#define C_PEER_(name) extern "C" { extern const struct contender name; }

/* ---- std::pmr: monotonic, on a first buffer of 1 MiB, which release() goes back to -------------- */

namespace {
struct mono {
    std::vector<char> first;
    std::pmr::monotonic_buffer_resource r;
    mono() : first(std::size_t(1) << 20), r(first.data(), first.size()) {}
};
}
static void *pmr_open(void) { return new mono; }
static void pmr_close(void *ctx) { delete static_cast<mono *>(ctx); }
static size_t pmr_held(void *) { return bench_malloc_in_use(); }
BENCH_INLINE char *pmr_append(mono *m, const char *s, size_t n)
{
    return static_cast<char *>(memcpy(m->r.allocate(n, 1), s, n));
}
BENCH_INLINE char *pmr_text(mono *m, const char *s, size_t n)
{
    char *p = static_cast<char *>(m->r.allocate(n + 1, 1));
    memcpy(p, s, n);
    p[n] = 0;
    return p;
}
#define C_NAME(x) pmr_##x
#define C_TYPE mono
#define C_CONTENDER PLACED(cont_pmr)
#define C_TITLE "std::pmr monotonic"
#define C_KIND KIND_PEER
#define C_RESET(c) (c)->r.release()
#define C_APPEND(c, s, n) pmr_append(c, s, n)
#define C_TEXT(c, s, n) pmr_text(c, s, n)
#define C_STRING(c, s) pmr_text(c, s, strlen(s))
#define C_ALLOC(c, T) static_cast<T *>((c)->r.allocate(sizeof(T), alignof(T)))
#define C_ZERO(c, T) memset((c)->r.allocate(sizeof(T), alignof(T)), 0, sizeof(T))
C_PEER_(PLACED(cont_pmr))
#include "rows.h"

/* ---- std::vector: only the slices -------------------------------------------------------------- */

namespace { struct none { int unused; }; }
static void *vector_open(void)
{
    static none one;
    return &one;
}
static void vector_close(void *) {}
static size_t vector_held(void *) { return bench_malloc_in_use(); }
#define C_NAME(x) vector_##x
#define C_TYPE none
#define C_CONTENDER PLACED(cont_vector)
#define C_TITLE "std::vector"
#define C_KIND KIND_PEER
#define C_RESET(c) ((void)(c))
#define C_SLICE std::vector<int>
#define C_SLICE_ZERO {}
#define C_PUSH(c, s, v) (s).push_back(v)
#define C_SLICE_AT(s, i) (s)[i]
#define C_SLICE_FREE(s) std::vector<int>().swap(s)
C_PEER_(PLACED(cont_vector))
#include "rows.h"

/* ---- LLVM: slabs of 64 KiB ------------------------------------------------------------------- */
#ifdef BENCH_LLVM
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <llvm/Support/Allocator.h>
#include <llvm/Support/StringSaver.h>
#pragma GCC diagnostic pop

namespace {
using slabs = llvm::BumpPtrAllocatorImpl<llvm::MallocAllocator, 65536, 65536>;
struct bumpptr { slabs a; };
struct saver {
    llvm::BumpPtrAllocator a;
    llvm::StringSaver s;
    saver() : s(a) {}
};
struct unique {
    llvm::BumpPtrAllocator a;
    llvm::UniqueStringSaver s;
    unique() : s(a) {}
};
}
static void *llvm_open(void) { return new bumpptr; }
static void llvm_close(void *ctx) { delete static_cast<bumpptr *>(ctx); }
static size_t llvm_held(void *ctx)
{
    return ctx == NULL ? 0 : static_cast<bumpptr *>(ctx)->a.getTotalMemory();
}
BENCH_INLINE char *llvm_append(bumpptr *b, const char *s, size_t n)
{
    return static_cast<char *>(memcpy(b->a.Allocate(n, llvm::Align(1)), s, n));
}
BENCH_INLINE char *llvm_text(bumpptr *b, const char *s, size_t n)
{
    char *p = static_cast<char *>(b->a.Allocate(n + 1, llvm::Align(1)));
    memcpy(p, s, n);
    p[n] = 0;
    return p;
}
#define C_NAME(x) llvm_##x
#define C_TYPE bumpptr
#define C_CONTENDER PLACED(cont_llvm)
#define C_TITLE "LLVM BumpPtr"
#define C_KIND KIND_PEER
#define C_RESET(c) (c)->a.Reset()
#define C_APPEND(c, s, n) llvm_append(c, s, n)
#define C_TEXT(c, s, n) llvm_text(c, s, n)
#define C_STRING(c, s) llvm_text(c, s, strlen(s))
#define C_ALLOC(c, T) static_cast<T *>((c)->a.Allocate(sizeof(T), llvm::Align(alignof(T))))
#define C_ZERO(c, T) memset((c)->a.Allocate(sizeof(T), llvm::Align(alignof(T))), 0, sizeof(T))
C_PEER_(PLACED(cont_llvm))
#include "rows.h"

static void *saver_open(void) { return new saver; }
static void saver_close(void *ctx) { delete static_cast<saver *>(ctx); }
static size_t saver_held(void *ctx)
{
    return ctx == NULL ? 0 : static_cast<saver *>(ctx)->a.getTotalMemory();
}
#define C_NAME(x) saver_##x
#define C_TYPE saver
#define C_CONTENDER PLACED(cont_saver)
#define C_TITLE "LLVM StringSaver"
#define C_KIND KIND_PEER
#define C_RESET(c) (c)->a.Reset()
#define C_TEXT(c, t, n) (c)->s.save(llvm::StringRef(t, n)).data()
#define C_STRING(c, t) (c)->s.save(t).data()
C_PEER_(PLACED(cont_saver))
#include "rows.h"

static void *unique_open(void) { return new unique; }
static void unique_close(void *ctx) { delete static_cast<unique *>(ctx); }
static size_t unique_held(void *ctx)
{
    return ctx == NULL ? 0 : static_cast<unique *>(ctx)->a.getTotalMemory();
}
/* It cannot be reset: its table would point into dead slabs. Equal strings are stored once. */
#define C_NAME(x) unique_##x
#define C_TYPE unique
#define C_CONTENDER PLACED(cont_unique)
#define C_TITLE "LLVM UniqueStringSaver"
#define C_KIND KIND_PEER
#define C_RESET(c) ((void)(c))
#define C_TEXT(c, t, n) (c)->s.save(llvm::StringRef(t, n)).data()
#define C_STRING(c, t) (c)->s.save(t).data()
C_PEER_(PLACED(cont_unique))
#include "rows.h"
#endif

/* ---- protobuf: blocks from 64 KiB ------------------------------------------------------------ */
#ifdef BENCH_PROTOBUF
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <google/protobuf/arena.h>
#pragma GCC diagnostic pop

namespace {
struct proto {
    std::vector<char> first;
    google::protobuf::Arena a;
    proto() : first(std::size_t(1) << 20), a(first.data(), first.size()) {}
};
template <class T> BENCH_INLINE T *proto_room(proto *p)
{
    return google::protobuf::Arena::CreateArray<T>(&p->a, 1);
}
}
static void *proto_open(void) { return new proto; }
static void proto_close(void *ctx) { delete static_cast<proto *>(ctx); }
static size_t proto_held(void *) { return bench_malloc_in_use(); }
BENCH_INLINE char *proto_append(proto *p, const char *s, size_t n)
{
    char *q = google::protobuf::Arena::CreateArray<char>(&p->a, n);
    return static_cast<char *>(memcpy(q, s, n));
}
BENCH_INLINE char *proto_text(proto *p, const char *s, size_t n)
{
    char *q = google::protobuf::Arena::CreateArray<char>(&p->a, n + 1);
    memcpy(q, s, n);
    q[n] = 0;
    return q;
}
#define C_NAME(x) proto_##x
#define C_TYPE proto
#define C_CONTENDER PLACED(cont_proto)
#define C_TITLE "protobuf Arena"
#define C_KIND KIND_PEER
#define C_RESET(c) (c)->a.Reset()
#define C_APPEND(c, s, n) proto_append(c, s, n)
#define C_TEXT(c, s, n) proto_text(c, s, n)
#define C_STRING(c, s) proto_text(c, s, strlen(s))
#define C_ALLOC(c, T) proto_room<T>(c)
#define C_ZERO(c, T) memset(proto_room<T>(c), 0, sizeof(T))
C_PEER_(PLACED(cont_proto))
#include "rows.h"
#endif

/* ---- what is there -------------------------------------------------------------------------- */

const struct contender *const PLACED(bench_cpp_peers)[] = {
    &PLACED(cont_pmr),
    &PLACED(cont_vector),
#ifdef BENCH_LLVM
    &PLACED(cont_llvm),
    &PLACED(cont_saver),
    &PLACED(cont_unique),
#endif
#ifdef BENCH_PROTOBUF
    &PLACED(cont_proto),
#endif
    NULL
};

#if BENCH_PLACE == 0
const char *const bench_missing_cpp[] = {
#ifndef BENCH_LLVM
    "LLVM BumpPtrAllocator",
#endif
#ifndef BENCH_PROTOBUF
    "protobuf Arena",
#endif
    NULL
};
#endif
