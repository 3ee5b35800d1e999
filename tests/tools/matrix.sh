#!/bin/sh
# matrix.sh OUT: the whole test program under every compiler, optimisation and language level, warnings as errors, and
# the answers of all builds compared: the output of one run must be the same everywhere.
# QUICK=1 takes each compiler with each language level once, at alternating optimisation, instead of all combinations.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
mkdir -p "$out"
strict="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef -Wwrite-strings -Werror"
c_only="-Wstrict-prototypes -Wmissing-prototypes"
c_compilers=${C_COMPILERS-"gcc-11 gcc-12 clang-14 clang-19 clang-22"}
cxx_compilers=${CXX_COMPILERS-"g++-11 g++-12 clang++-14 clang++-19 clang++-22"}
levels="-O0 -O2 -Os -O3"
turn=0
families=$(awk -F'[^A-Za-z0-9_]+' '$1 == "T" && !seen[$2]++ { print "tests/" $2 ".c" }' tests/tests.def)
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
    if ! "$out/tests" --seed=7 >"$out/answer" 2>&1; then fail "passes: $name" "$out/answer"; rm -f "$out/tests"; return; fi
    rm -f "$out/tests"
    # Paths and skipped tests aside, every build has to say the same.
    grep -v '^skipped' "$out/answer" | sed 's/, [0-9]* skipped$//' >"$out/answer.cut"
    if [ -z "$first" ]; then first=$name; cp "$out/answer.cut" "$out/first"; fi
    if cmp -s "$out/first" "$out/answer.cut"; then pass "$name"; else
        diff "$out/first" "$out/answer.cut" >"$out/log"
        fail "same answers as $first: $name" "$out/log"
    fi
}

take_levels() {
    if [ -z "${QUICK:-}" ]; then echo $levels; return; fi
    set -- $levels
    shift $((turn % 4))
    echo $1
}

for compiler in $c_compilers; do
    have $compiler || { skip "$compiler" "not installed"; continue; }
    for std in c99 c11 c17 c23; do
        flag=$(spelling $compiler $std c)
        [ -n "$flag" ] || { skip "$compiler $std" "unknown to this compiler"; continue; }
        for level in $(take_levels); do
            build_and_run "$compiler -std=$flag $level" \
                $compiler -std=$flag $level $strict $c_only tests/main.c $families -pthread
        done
        turn=$((turn + 1))
    done
done

for compiler in $cxx_compilers; do
    have $compiler || { skip "$compiler" "not installed"; continue; }
    for std in c++11 c++14 c++17 c++20 c++23; do
        flag=$(spelling $compiler $std c++)
        [ -n "$flag" ] || { skip "$compiler $std" "unknown to this compiler"; continue; }
        for level in $(take_levels); do
            build_and_run "$compiler -std=$flag $level" \
                $compiler -std=$flag $level $strict -x c++ tests/main.c $families -pthread
        done
        turn=$((turn + 1))
    done
done

for compiler in tcc musl-gcc; do
    have $compiler || { skip "$compiler" "not installed"; continue; }
    for level in $(if [ $compiler = tcc ]; then echo -O0; else take_levels; fi); do
        build_and_run "$compiler $level" $compiler -std=c99 $level tests/main.c $families -pthread
    done
done

# The ways of including arena.h, under each compiler.
for compiler in $c_compilers tcc musl-gcc; do
    have $compiler || continue
    cxx=$(echo $compiler | sed 's/^gcc/g++/; s/^clang/clang++/; s/^tcc$/none/; s/^musl-gcc$/none/')
    if [ -n "${QUICK:-}" ]; then c_stds="c99"; cxx_stds="c++11"; else c_stds="c99 c11 c17"; cxx_stds="c++11 c++14 c++17 c++20"; fi
    if CC=$compiler CXX=$cxx C_STDS=$c_stds CXX_STDS=$cxx_stds \
        sh tests/tools/check-compile.sh "$out/compile" >"$out/log" 2>&1; then pass "ways of including: $compiler"
    else fail "ways of including: $compiler" "$out/log"; fi
done
finish
