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

# ready NAME FLAGS COMPILER STD: sets what build and report use; false where it is skipped.
ready() {
    name=$1
    flags=$2
    compiler=$3
    log=$out/log-$kind-$compiler
    language="-std=${4:-c99}"
    [ "${4:-}" != c++11 ] || language="-std=c++11 -x c++"
    have $compiler || { skip "$name" "there is no $compiler"; return 1; }
    echo 'int main(void) { return 0; }' >"$out/try.c"
    $compiler $flags "$out/try.c" -o "$out/try" >/dev/null 2>&1 &&
        "$out/try" >/dev/null 2>&1 && return
    skip "$name" "$compiler cannot do $flags here"
    return 1
}

# build SOURCES AND MORE FLAGS...: the test program.
build() {
    $compiler $language -g ${OPT:--O1} -fno-omit-frame-pointer $flags tests/main.c "$@" \
        -pthread -o "$out/tests" >"$out/log" 2>&1 && return
    fail "$name builds" "$out/log"
    return 1
}

# report STATUS: of the test programs, whose output is in the log.
report() {
    if [ "$1" = 0 ]; then
        pass "$name"
        echo "$name: $(tail -n 1 "$log")"
    else
        fail "$name" "$log"
        grep -nE 'ERROR|WARNING|runtime error|SUMMARY' "$log" | head -n 5
    fi
}

# run NAME FLAGS COMPILER STD
run() {
    ready "$@" && build $families || return
    "$out/tests" ${ARGS:-} >"$log" 2>&1
    report $?
}

# The same with a program for each family of tests; the log ends with the sum of all.
run_each() {
    ready "$@" || return
    status=0
    : >"$log"
    for source in $families; do
        family=$(basename "$source" .c)
        grep "^T($family," tests/tests.def >"$out/part.def"
        build "$source" -I. "-DTEST_TABLE=\"$out/part.def\"" || return
        # ARGS may select other tests than this family's.
        if ! "$out/tests" --list ${ARGS:-} >"$out/log" 2>&1; then
            grep -q 'no test was selected' "$out/log" || status=1
            cat "$out/log" >>"$log"
            continue
        fi
        "$out/tests" ${ARGS:-} >"$out/log" 2>&1 || status=1
        # TypeSanitizer reports and goes on, with status 0.
        ! grep -q 'ERROR: TypeSanitizer' "$out/log" || status=1
        cat "$out/log" >>"$log"
    done
    awk '$2 == "passed," && $4 ~ /^failed/ { passed += $1; failed += $3; skipped += $5 }
        END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }' "$log" \
        >"$out/log"
    cat "$out/log" >>"$log"
    ! grep -q '^0 passed' "$out/log" || status=1
    report $status
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
        # New ones check what is handed to functions, too.
        for c in ${COMPILERS:-clang clang-22}; do
            run "MSan, $c" "-fsanitize=memory -fsanitize-memory-track-origins=2" $c
        done ;;
    tsan)
        for c in ${COMPILERS:-gcc clang}; do run "TSan, $c" "-fsanitize=thread" $c c11; done ;;
    tysan)
        # A type of one file is compared with the one that has its name in another, so each family
        # has a program of its own: octets_t is an arena in one and a pool in the other.
        run_each "TypeSanitizer, clang-22" "-fsanitize=type" clang-22 ;;
    valgrind)
        have valgrind || { skip valgrind "there is no valgrind"; continue; }
        cc=${CC:-cc}
        if ! $cc -std=c99 -g -O1 -DTEST_VALGRIND -DARENA_VALGRIND tests/main.c $families -pthread \
            -o "$out/tests-valgrind" >"$out/log" 2>&1; then
            fail "the program for valgrind builds" "$out/log"
            continue
        fi
        if ! $cc -std=c99 -g -O1 tests/compile/unreleased.c -o "$out/tests" >"$out/log" 2>&1 ||
            ! valgrind -q --error-exitcode=9 --leak-check=full "$out/tests" >"$out/log" 2>&1; then
            fail "an arena that is not released is not lost" "$out/log"
        else
            pass "an arena that is not released is not lost"
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
rm -f "$out/tests" "$out/try" "$out/part.def"
finish
