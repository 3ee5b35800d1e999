#!/bin/sh
# matrix.sh OUT: the whole test program under every compiler, optimisation and language level,
# warnings as errors, and the answers of all builds compared: the output of one run must be the same
# everywhere. Besides, arena.h with a user of every macro (tests/compile/alone) at every level, and
# the ways of including it. QUICK=1 builds the test program once for each compiler, at alternating
# optimisation and level, instead of all combinations.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
mkdir -p "$out"
c_compilers=${C_COMPILERS-"gcc-11 gcc-12 clang-14 clang-19 clang-22"}
cxx_compilers=${CXX_COMPILERS-"g++-11 g++-12 clang++-14 clang++-19 clang++-22"}
levels="-O0 -O2 -Os -O3"
c_stds="c99 c11 c17 c23"
cxx_stds="c++11 c++14 c++17 c++20 c++23"
turn=0
first=

# gcc 11 and 12 and clang 14 and later do not all know the last levels by their final names.
spelling() { # COMPILER STD
    for s in $2 $(echo $2 | sed 's/c23/c2x/; s/c++20/c++2a/; s/c++23/c++2b/'); do
        if echo 'int x;' | $1 -std=$s -x "$3" -fsyntax-only - 2>/dev/null; then echo $s; return; fi
    done
}

build_and_run() { # NAME COMMAND...
    name=$1
    shift
    if ! "$@" -o "$out/tests" >"$out/log" 2>&1; then fail "builds: $name" "$out/log"; return; fi
    "$out/tests" --seed=7 >"$out/answer" 2>&1
    status=$?
    rm -f "$out/tests"
    if [ $status != 0 ]; then fail "passes: $name" "$out/answer"; return; fi
    # What tests print has to be the same everywhere; what is skipped, and so the count, depends on
    # the compiler.
    grep -v '^skipped' "$out/answer" | sed '$d' >"$out/answer.cut"
    if [ -z "$first" ]; then first=$name; cp "$out/answer.cut" "$out/first"; fi
    if cmp -s "$out/first" "$out/answer.cut"; then pass "$name"; else
        diff "$out/first" "$out/answer.cut" >"$out/log"
        fail "same answers as $first: $name" "$out/log"
    fi
}

# pick NUMBER WORDS...: the word of that number, going round.
pick() {
    number=$1
    shift
    shift $((number % $#))
    echo $1
}

# The header and its user alone: builds without a warning and runs.
alone() { # NAME COMMAND...
    name=$1
    shift
    if "$@" -pthread -o "$out/alone" >"$out/log" 2>&1 && "$out/alone" >>"$out/log" 2>&1; then
        pass "$name"
    else
        fail "$name" "$out/log"
    fi
    rm -f "$out/alone"
}

# all_of LANGUAGE COMPILER STANDARDS: arena.h at every level, the test program at every level or at
# one.
all_of() {
    language=$1
    compiler=$2
    shift 2
    have $compiler || { skip "$compiler" "not installed"; return; }
    # g++ counts = {0} as a missing initializer, which C programs are full of.
    if [ $language = c ]; then flags="$strict $c_only"; file=alone.c
    else flags="$strict -Wno-missing-field-initializers -x c++"; file=alone.cpp; fi
    standards=
    for std in "$@"; do
        flag=$(spelling $compiler $std $language)
        [ -n "$flag" ] || { skip "$compiler $std" "unknown to this compiler"; continue; }
        standards="$standards $flag"
        for level in $(if [ -n "${QUICK:-}" ]; then echo -O2; else echo $levels; fi); do
            alone "header: $compiler -std=$flag $level" \
                $compiler -std=$flag $level $flags tests/compile/$file
        done
    done
    if [ -n "${QUICK:-}" ]; then
        standards=$(pick $turn $standards)
        some_levels=$(pick $turn $levels)
        turn=$((turn + 1))
    else
        some_levels=$levels
    fi
    for flag in $standards; do
        for level in $some_levels; do
            build_and_run "$compiler -std=$flag $level" \
                $compiler -std=$flag $level $flags tests/main.c $families -pthread
        done
    done
}

for compiler in $c_compilers; do all_of c $compiler $c_stds; done
for compiler in $cxx_compilers; do all_of c++ $compiler $cxx_stds; done

for compiler in tcc musl-gcc; do
    have $compiler || { skip "$compiler" "not installed"; continue; }
    some_levels=$levels
    [ -z "${QUICK:-}" ] || some_levels=-O2
    [ $compiler != tcc ] || some_levels=-O0
    for level in $some_levels; do
        build_and_run "$compiler $level" $compiler -std=c99 $level tests/main.c $families -pthread
    done
done

# The ways of including arena.h, under each compiler.
for compiler in $c_compilers tcc musl-gcc; do
    have $compiler || continue
    cxx=$(echo $compiler | sed 's/^gcc/g++/; s/^clang/clang++/; s/^tcc$/none/; s/^musl-gcc$/none/')
    if [ -n "${QUICK:-}" ]; then c="c99"; cxx_levels="c++11"
    else c="c99 c11"; cxx_levels="c++11 c++17"; fi
    if CC=$compiler CXX=$cxx C_STDS=$c CXX_STDS=$cxx_levels OPT=-O1 LEVELS="1 2 3" \
        sh tests/tools/check-compile.sh "$out/compile" >"$out/log" 2>&1
    then pass "ways of including: $compiler"
    else fail "ways of including: $compiler" "$out/log"; fi
done
finish
