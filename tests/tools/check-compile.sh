#!/bin/sh
# check-compile.sh OUT: arena.h included in every way that users include it, as C and as C++, with
# warnings as errors. CC and CXX are the compilers, C_STDS and CXX_STDS the language levels, OPT the
# optimisation, LEVELS those of ARENA_DEBUG. Without a C++ compiler its part is skipped. The quick
# start of arena.h and the programs of README.md are compiled, run, and compared with the output
# that they state.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
rm -rf "$out"
mkdir -p "$out"
CC=${CC:-cc}
CXX=${CXX:-c++}
C_STDS=${C_STDS-"c99"}
CXX_STDS=${CXX_STDS-"c++11"}
OPT=${OPT:--O0}
here=tests/compile
ways="twice decl_then_impl impl_then_decl static_unused hostile hostile_free names own_macros fixed"

# program NAME COMPILER FLAGS FILES...: has to build without a warning and to run with status 0.
program() {
    program_name=$1
    shift
    check "builds: $program_name" "$@" -pthread -o "$out/program"
    if [ -x "$out/program" ]; then
        check "runs: $program_name" $RUN "$out/program"
        rm -f "$out/program"
    fi
}
RUN=${RUN:-}

for std in $C_STDS; do
    cc="$CC -std=$std $OPT $strict $c_only"
    for file in alone $ways; do
        program "$file, $std" $cc $here/$file.c
    done
    # What gcc thinks of lengths that it does not know shows when it optimises.
    for quiet in -O2 "-O2 -DARENA_WARNINGS" -Os "-Os -DARENA_WARNINGS"; do
        program "small sources, $std $quiet" $CC -std=$std $quiet -Wall -Wextra -Werror \
            $here/small_sources.c
    done
    # What is unset there is so on purpose.
    program "unset parts, $std" $CC -std=$std -O2 -w $here/unset_parts.c
    # Pasted into a file: gcc warns of its pragma where that is not in an included file.
    { echo '#define ARENA_IMPLEMENTATION'; cat arena.h; echo 'int main(void) { return 0; }'; } \
        >"$out/pasted.c"
    program "pasted, $std" $CC -std=$std $OPT -Wall -Wextra -Werror "$out/pasted.c"
    case $($CC --version 2>&1) in *"Free Software"*)    # gcc is quiet about both inclusions
        program "quiet, $std" $CC -std=$std $OPT -Wall -Wextra -Wswitch-default -Werror \
            $here/decl_then_impl.c ;;
    esac
    program "static in two files, $std" $cc $here/static_a.c $here/static_b.c
    program "three units, $std" $cc $here/unit_impl.c $here/unit_main.c $here/unit_more.c
    object=$out/no_stdlib.o
    check "builds: no stdlib, $std" $cc -ffreestanding -c $here/no_stdlib.c -o "$object"
    [ ! -f "$object" ] || program "no stdlib, $std" $cc "$object" $here/no_stdlib_main.c
    # A build without atomics has to warn as little and to work as well.
    program "no atomics, $std" $cc -DARENA_NO_ATOMICS $here/alone.c
    for level in ${LEVELS-3}; do
        program "ARENA_DEBUG=$level, $std" $cc -DARENA_DEBUG=$level $here/alone.c
    done
done

if have "${CXX%% *}"; then
    for std in $CXX_STDS; do
        cxx="$CXX -std=$std $OPT $strict"
        program "alone, $std" $cxx $here/alone.cpp
        for file in $ways; do
            program "$file, $std" $cxx -x c++ $here/$file.c
        done
        # C and C++ in one program, the implementation in either.
        c="$CC -std=c99 $OPT $strict $c_only -c"
        check "builds: unit_main as C" $c $here/unit_main.c -o "$out/main.o"
        check "builds: unit_impl as C" $c $here/unit_impl.c -o "$out/impl_c.o"
        check "builds: unit_impl, $std" $cxx -c $here/unit_impl.cpp -o "$out/impl_cxx.o"
        # use_main is C, use_more has C linkage in both languages.
        program "implementation in C, users in C and $std" \
            $cxx "$out/main.o" "$out/impl_c.o" $here/unit_more.cpp
        program "implementation in $std, users in C and $std" \
            $cxx "$out/main.o" "$out/impl_cxx.o" $here/unit_more.cpp
    done
else
    skip "everything in C++" "no C++ compiler ($CXX)"
fi

# The quick starts and README's other programs, exactly as they stand in the text.
has_atomics() {
    printf '#include "arena.h"\n#ifdef ARENA_NO_ATOMICS\nnone\n#endif\n' >"$out/atomics.c"
    ! $CC -I. -E "$out/atomics.c" | grep -q '^none'
}
stated() { # text, number
    name=$(echo "$1_$2" | tr . _)
    if ! awk -f tests/tools/quick-start.awk -v code="$out/$name.c" \
        -v expected="$out/$name.expected" -v number="$2" "$1"; then
        fail "program $2 of $1 is found, with its output"
        return
    fi
    check "builds: program $2 of $1" \
        $CC -std=c99 -I. $OPT $strict $c_only "$out/$name.c" -o "$out/$name"
    if grep -q arena_group_init "$out/$name.c" && ! has_atomics; then
        skip "output: program $2 of $1" "$CC has no atomics, so there are no groups"
        return
    fi
    if [ -x "$out/$name" ]; then
        $RUN "$out/$name" >"$out/$name.output" 2>&1 || echo "exit status $?" >>"$out/$name.output"
        check "output: program $2 of $1" diff "$out/$name.expected" "$out/$name.output"
    fi
}
stated arena.h 1
if [ -f README.md ]; then
    programs=$(grep -c '^```c *$' README.md)
    number=0
    while [ "$number" -lt "$programs" ]; do
        number=$((number + 1))
        stated README.md "$number"
    done
else
    skip "programs of README.md" "there is no README.md"
fi
finish
