/*
 * handout_model.cpp - the group's chunk numbers, limit and element shape under every interleaving
 * that Relacy finds.
 *
 * The functions are arena.h's own: tests/handout_model.sh cuts them out of it into
 * handout_extract.h, with each atomic operation turned into the same one of Relacy's, memory order
 * included. What a number stands for (the table entry) is plain memory here, so that Relacy also
 * reports an entry that passes from lane to lane without a happens-before.
 *
 *     handout_model MODEL EXECUTIONS
 *
 *  - numbers: three threads, two numbers in two words: no number is held by two, all are back in
 *    the end.
 *  - last: two threads, one number: the same, small enough for every execution.
 *  - three: three threads, one number: the same.
 *  - plenty: two threads, as many numbers as both ever hold: nobody is ever refused.
 *  - limit: three threads charge and discharge: the sum never exceeds the limit, and is 0 in the
 *    end.
 *  - pair: two of them, small enough for every execution.
 *  - shape: two threads join: who does not set the shape reads what the other set (random only,
 *    since it waits).
 *
 * Relacy lets a relaxed load answer with any value that the memory model allows, for ever if it
 * likes, and then the search for a bit that others set does not end. So built with EXHAUSTIVE,
 * which tries every order of all operations, a load answers with the last value stored; that old
 * values do no harm is what random runs look for.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <relacy/relacy.hpp>

typedef rl::atomic<uint32_t> word32;
typedef rl::atomic<size_t> wordz;

/* Plain memory whose every access Relacy sees. */
template <class T>
struct plain {
    rl::var<T> v;
    T operator=(T x)
    {
        v($) = x;
        return x;
    }
    operator T() { return v($); }
};

struct arena_options_t {
    size_t limit_bytes;
};
struct arena_shape_t_ {
    size_t size, align, spare;
};
struct arena_group_t {
    word32 free_bits[2];
    uint32_t numbers;
    word32 free_numbers;
    word32 lanes;
    word32 shape_set;
    plain<size_t> size, align, spare;
    wordz allocated;
    arena_options_t options;
};
struct arena_core_t {
    arena_group_t *group;
    arena_options_t options;
    size_t allocated;
};

static const uint32_t ARENA_NONE_ = UINT32_MAX;
#define ARENA_CAST_(T, x) static_cast<T>(x)

#include "handout_extract.h"
#ifndef EXHAUSTIVE
#define EXHAUSTIVE 0
#endif

/* 64 numbers of which only 3 and 40, or 3 alone, are free: two words are in use. */
static void few_numbers(arena_group_t *g, uint32_t numbers)
{
    g->numbers = 64;
    g->free_bits[0]($).store(UINT32_C(1) << 3, rl::mo_relaxed);
    g->free_bits[1]($).store(numbers > 1 ? UINT32_C(1) << 8 : 0, rl::mo_relaxed);
    g->free_numbers($).store(numbers, rl::mo_relaxed);
}

template <class SELF, unsigned THREADS, unsigned ROUNDS, uint32_t NUMBERS>
struct numbers_base : rl::test_suite<SELF, THREADS> {
    arena_group_t g;
    plain<uint32_t> entry[64];

    void before()
    {
        few_numbers(&g, NUMBERS);
        entry[3] = 0;
        entry[40] = 0;
    }
    void thread(unsigned me)
    {
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint32_t n = arena_claim_number_(&g, me);
            if (n == ARENA_NONE_) {
                RL_ASSERT(NUMBERS < THREADS); /* else there always is one */
                continue;
            }
            RL_ASSERT(n == 3 || n == 40);
            RL_ASSERT(entry[n] == 0); /* and Relacy reports a race if somebody else is at it */
            entry[n] = me + 1;
            RL_ASSERT(entry[n] == me + 1);
            entry[n] = 0;
            arena_return_number_(&g, n);
        }
    }
    void after()
    {
        RL_ASSERT(g.free_numbers($).load(rl::mo_relaxed) == NUMBERS);
        RL_ASSERT(g.free_bits[0]($).load(rl::mo_relaxed) == UINT32_C(1) << 3);
        RL_ASSERT(g.free_bits[1]($).load(rl::mo_relaxed) == (NUMBERS > 1 ? UINT32_C(1) << 8 : 0));
    }
    void invariant() {}
};

struct numbers_model : numbers_base<numbers_model, 3, 2, 2> {
};
struct last_model : numbers_base<last_model, 2, 1, 1> {
};
struct three_model : numbers_base<three_model, 3, 1, 1> {
};
struct plenty_model : numbers_base<plenty_model, 2, 1, 2> {
};

template <class SELF, unsigned THREADS, unsigned ROUNDS>
struct limit_base : rl::test_suite<SELF, THREADS> {
    arena_group_t g;

    void before()
    {
        g.options.limit_bytes = 10;
        g.allocated($).store(0, rl::mo_relaxed);
    }
    void thread(unsigned me)
    {
        arena_core_t c;
        c.group = &g;
        c.options.limit_bytes = 0;
        c.allocated = 0;
        static const size_t bytes[3] = {4, 7, 6};
        for (unsigned round = 0; round < ROUNDS; round++) {
            if (!arena_charge_(&c, bytes[me])) {
                RL_ASSERT(c.allocated == 0);
                continue;
            }
            RL_ASSERT(c.allocated == bytes[me]);
            arena_discharge_(&c, bytes[me]);
            RL_ASSERT(c.allocated == 0);
        }
    }
    void after() { RL_ASSERT(g.allocated($).load(rl::mo_relaxed) == 0); }
    void invariant() { RL_ASSERT(g.allocated($).load(rl::mo_relaxed) <= 10); }
};

struct limit_model : limit_base<limit_model, 3, 2> {
};
struct pair_model : limit_base<pair_model, 2, 2> {
};

struct shape_model : rl::test_suite<shape_model, 2> {
    arena_group_t g;

    void before() { g.shape_set($).store(0, rl::mo_relaxed); }
    void thread(unsigned me)
    {
        const arena_shape_t_ mine = {me == 0 ? size_t(4) : size_t(8), 4, 0};
        if (join_shape(&g, &mine)) {
            RL_ASSERT(g.size == mine.size);
        } else {
            RL_ASSERT(g.size != mine.size);
        }
    }
    void after()
    {
        RL_ASSERT(g.size == 4 || g.size == 8);
        RL_ASSERT(g.shape_set($).load(rl::mo_relaxed) == 2);
    }
    void invariant() {}
};

template <class T>
static bool run(unsigned iterations)
{
    rl::test_params p;
    p.iteration_count = iterations;
    p.search_type = EXHAUSTIVE ? rl::fair_full_search_scheduler_type : rl::random_scheduler_type;
    bool good = rl::simulate<T>(p);
    std::printf("\n%s, %llu executions, %s\n", EXHAUSTIVE ? "every order" : "random orders",
                static_cast<unsigned long long>(p.stop_iteration), good ? "no fault" : "FAULT");
    return good;
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    const unsigned iterations = static_cast<unsigned>(std::strtoul(argv[2], 0, 0));
    bool good;
    if (std::strcmp(argv[1], "numbers") == 0)
        good = run<numbers_model>(iterations);
    else if (std::strcmp(argv[1], "last") == 0)
        good = run<last_model>(iterations);
    else if (std::strcmp(argv[1], "three") == 0)
        good = run<three_model>(iterations);
    else if (std::strcmp(argv[1], "plenty") == 0)
        good = run<plenty_model>(iterations);
    else if (std::strcmp(argv[1], "limit") == 0)
        good = run<limit_model>(iterations);
    else if (std::strcmp(argv[1], "pair") == 0)
        good = run<pair_model>(iterations);
    else if (std::strcmp(argv[1], "shape") == 0)
        good = run<shape_model>(iterations);
    else
        return 2;
    return good ? 0 : 1;
}
