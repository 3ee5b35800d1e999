#!/bin/sh
# Checks the hand-out of a group's chunk numbers, its limit and its element shape:
# handout_model.sh DIR The functions are cut out of arena.h, see tests/handout_model.cpp. Three
# planted faults have to be found first: a number taken without looking whether somebody else took
# it, memory orders weakened, and a limit that is checked and then charged.
set -u
dir=$1
mkdir -p "$dir"
cxx=${CXX:-c++}
if ! echo '#include <relacy/relacy.hpp>' | $cxx -x c++ -E - >/dev/null 2>&1; then
    echo "skipped handout: no <relacy/relacy.hpp> (Debian: relacy-dev)"
    exit 0
fi

# One function of arena.h, from its head to the closing brace in the first column.
cut_out() {
    sed -n "/^static [a-z0-9_]* $1(/,/^}/p" arena.h
}

extract() {
    # The atomic operations as gcc and clang have them: the head is on the line before.
    grep -B1 '__atomic_fetch\|__atomic_compare' arena.h | sed -n '/^--$/!p' | sed \
        -e 's/^ARENA_INLINE/static inline/' \
        -e 's/uint32_t \*p,/word32 *p,/' -e 's/size_t \*p,/wordz *p,/' \
        -e 's/__atomic_compare_exchange_n(p, seen, v, false, /(*p)($).CAS(*seen, v, /' \
        -e 's/CAS/compare_exchange_strong/' \
        -e 's/__atomic_\(fetch_[a-z]*\)(p, /(*p)($).\1(/' \
        -e 's/__ATOMIC_ACQ_REL/rl::mo_acq_rel/g' -e 's/__ATOMIC_ACQUIRE/rl::mo_acquire/g' \
        -e 's/__ATOMIC_RELEASE/rl::mo_release/g' -e 's/__ATOMIC_RELAXED/rl::mo_relaxed/g' \
        -e 's/__ATOMIC_SEQ_CST/rl::mo_seq_cst/g'
    grep '^#define ARENA_LOAD_(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)$' arena.h |
        sed 's/__atomic_load_n.*/((x)($).load(rl::mo_relaxed))/'
    grep '^#define ARENA_IS_LANE_(c) ((c)->group != NULL)$' arena.h
    cut_out arena_limit_
    cut_out arena_charge_
    cut_out arena_discharge_
    cut_out arena_claim_number_
    cut_out arena_return_number_
    # The part of arena_core_join_ that agrees on the shape: the statement behind `if (fits) {`.
    echo 'static bool join_shape(arena_group_t *g, const arena_shape_t_ *s)'
    echo '{'
    echo '    uint32_t seen = 0;'
    echo '    bool fits;'
    sed -n '/^ARENA_API arena_status_t arena_core_join_.*$/,/^}/p' arena.h |
        sed -n '/^    if (fits) {$/,/^    }$/p' | sed '1d;$d'
    echo '    return fits;'
    echo '}'
}

build() { # folder, program, flags
    $cxx -std=c++11 -O2 -w -I"$1" $3 tests/handout_model.cpp -o "$1/$2"
}

plant() { # name, model, sed commands
    mkdir -p "$dir/$1"
    sed "$3" "$dir/handout_extract.h" >"$dir/$1/handout_extract.h"
    if cmp -s "$dir/handout_extract.h" "$dir/$1/handout_extract.h"; then
        echo "handout: the fault '$1' could not be planted"
        exit 1
    fi
    build "$dir/$1" random "" || exit 1
    if "$dir/$1/random" "$2" 5000 >"$dir/$1/log" 2>&1; then
        echo "handout: the planted fault '$1' was not found"
        exit 1
    fi
    echo "handout: planted fault '$1': found"
}

extract >"$dir/handout_extract.h"
build "$dir" random "" || exit 1
mkdir -p "$dir/every"
sed 's/^#define ARENA_LOAD_(x) .*/#define ARENA_LOAD_(x) ((x)($).fetch_add(0, rl::mo_relaxed))/' \
    "$dir/handout_extract.h" >"$dir/every/handout_extract.h"
build "$dir/every" every "-DEXHAUSTIVE=1" || exit 1

plant unlooked numbers 's/\(arena_and32_(&g->free_bits\[w\], ~bit)\) & bit/\1 | bit/'
plant relaxed numbers 's/rl::mo_acq_rel/rl::mo_relaxed/g; s/rl::mo_acquire/rl::mo_relaxed/g'
plant unchecked limit \
    's/!arena_casz_(\(&c->group->allocated\), &held, held + bytes)/arena_addz_(\1, bytes), 0/'

failed=0
check() { # program, model, executions
    if "$dir/$1" "$2" "$3" >"$dir/$2-$(basename "$1").log" 2>&1; then
        echo "handout: $2: $(tail -n 1 "$dir/$2-$(basename "$1").log")"
    else
        tail -n 60 "$dir/$2-$(basename "$1").log"
        echo "handout: $2: FAULT"
        failed=1
    fi
}
for model in numbers limit shape; do check random $model "${HANDOUT:-5000}"; done
for model in last three plenty pair; do check every/every $model 100000000; done
[ $failed = 0 ] && echo "handout: 7 models without a fault, 3 planted faults found"
exit $failed
