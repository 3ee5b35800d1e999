#!/bin/sh
# sanitize.sh OUT KIND...: the test program under sanitizers, without recovery, so that the first
# report ends it. KIND: asan, ubsan, msan, tsan, tysan, valgrind. Each compiler that has the
# sanitizer runs it. ARGS are arguments of the test program. A kind that cannot be built here is
# skipped; whether each one sees mistakes at all is what `planted` shows.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
shift
mkdir -p "$out"
LSAN_OPTIONS=${LSAN_OPTIONS:-} # Leaks are looked for by ASan's default.
ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1
MSAN_OPTIONS=allocator_may_return_null=1
TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:allocator_may_return_null=1
UBSAN_OPTIONS=print_stacktrace=1
TYSAN_OPTIONS=halt_on_error=1:exitcode=9
symbolizer=$(ls /usr/lib/llvm-*/bin/llvm-symbolizer 2>/dev/null | tail -n 1)
[ -z "$symbolizer" ] || TYSAN_OPTIONS=$TYSAN_OPTIONS:external_symbolizer_path=$symbolizer
export TYSAN_OPTIONS LSAN_OPTIONS ASAN_OPTIONS MSAN_OPTIONS TSAN_OPTIONS UBSAN_OPTIONS

# run NAME FLAGS COMPILER STD
run() {
    name=$1
    flags=$2
    compiler=$3
    language="-std=${4:-c99}"
    [ "${4:-}" != c++11 ] || language="-std=c++11 -x c++"
    have $compiler || { skip "$name" "there is no $compiler"; return; }
    echo 'int main(void) { return 0; }' >"$out/try.c"
    if ! $compiler $flags "$out/try.c" -o "$out/try" >/dev/null 2>&1 ||
        ! "$out/try" >/dev/null 2>&1; then
        skip "$name" "$compiler cannot do $flags here"
        return
    fi
    if ! $compiler $language -g ${OPT:--O1} -fno-omit-frame-pointer $flags tests/main.c $families \
        -pthread -o "$out/tests" >"$out/log" 2>&1; then
        fail "$name builds" "$out/log"
        return
    fi
    # TypeSanitizer reports and goes on, with status 0.
    if "$out/tests" ${ARGS:-} >"$out/log-$kind-$compiler" 2>&1 &&
        ! grep -q 'ERROR: TypeSanitizer' "$out/log-$kind-$compiler"; then
        pass "$name"
        echo "$name: $(tail -n 1 "$out/log-$kind-$compiler")"
    else
        fail "$name" "$out/log-$kind-$compiler"
        grep -nE 'ERROR|WARNING|runtime error|SUMMARY' "$out/log-$kind-$compiler" | head -n 5
    fi
}

for kind in "$@"; do
    case $kind in
    asan)
        for c in ${COMPILERS:-gcc clang}; do run "ASan, $c" "-fsanitize=address" $c; done ;;
    ubsan)
        stop=-fno-sanitize-recover=all
        more=float-divide-by-zero
        run "UBSan, gcc" "-fsanitize=undefined,$more,float-cast-overflow $stop" gcc
        run "UBSan, clang" "-fsanitize=undefined,$more,local-bounds,nullability $stop" clang
        # Where C and C++ differ, null pointers most of all.
        run "UBSan, clang++" "-fsanitize=undefined $stop" clang++ c++11 ;;
    msan)
        run "MSan, clang" "-fsanitize=memory -fsanitize-memory-track-origins=2" clang ;;
    tsan)
        for c in ${COMPILERS:-gcc clang}; do run "TSan, $c" "-fsanitize=thread" $c c11; done ;;
    tysan)
        # It needs eight times the memory, so the tests with gigabytes are left out; and the pool's,
        # where clang 22 takes a member of the struct in a struct for another type: it reports an
        # int of octets_t at offset 36 read where arena_pool_core_t, its first member, has that int.
        ARGS="${ARGS:-} --without=huge --without=pool_"
        run "TypeSanitizer, clang-22" "-fsanitize=type" clang-22 ;;
    valgrind)
        have valgrind || { skip valgrind "there is no valgrind"; continue; }
        cc=${CC:-cc}
        if ! $cc -std=c99 -g -O1 -DTEST_VALGRIND -DARENA_VALGRIND tests/main.c $families -pthread \
            -o "$out/tests-valgrind" >"$out/log" 2>&1; then
            fail "the program for valgrind builds" "$out/log"
            continue
        fi
        if valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=all \
            "$out/tests-valgrind" ${ARGS:-} >"$out/log-valgrind" 2>&1; then
            pass "valgrind memcheck"
            echo "valgrind memcheck: $(tail -n 1 "$out/log-valgrind")"
        else
            fail "valgrind memcheck" "$out/log-valgrind"
        fi ;;
    *) fail "unknown kind $kind" ;;
    esac
done
rm -f "$out/tests" "$out/try"
finish
