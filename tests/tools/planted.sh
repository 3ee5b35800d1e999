#!/bin/sh
# planted.sh OUT [KIND...]: planted mistakes that the sanitizers must catch. Every file of
# tests/planted has lines
#   // catch KIND: REGEX
# With -DPLANTED the program has to end with a failure and a report that matches; without it, under
# the same sanitizer, it has to run clean, so that it is the mistake that is reported. KIND: asan
# ubsan msan tsan tysan valgrind helgrind fault.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
shift
kinds=${*:-asan ubsan msan tsan tysan valgrind helgrind fault}
mkdir -p "$out"
ASAN_OPTIONS=detect_leaks=1
TYSAN_OPTIONS=halt_on_error=1:exitcode=9
export ASAN_OPTIONS TYSAN_OPTIONS

plant() { # KIND COMPILER FLAGS RUNNER
    kind=$1
    compiler=$2
    flags=$3
    runner=$4
    have $compiler || { skip "$kind, $compiler" "there is no $compiler"; return; }
    if [ -n "$runner" ] && ! have "${runner%% *}"; then
        skip "$kind" "there is no ${runner%% *}"
        return
    fi
    echo 'int main(void) { return 0; }' >"$out/try.c"
    if ! $compiler $flags "$out/try.c" -o "$out/try" >/dev/null 2>&1 ||
        ! $runner "$out/try" >/dev/null 2>&1; then
        skip "$kind, $compiler" "$compiler cannot do $flags here"
        return
    fi
    for file in $(grep -lE "^// catch $kind:" tests/planted/*.c); do
        expect=$(sed -n "s,^// catch $kind: *,,p" "$file")
        own=$(sed -n 's,^// flags: *,,p' "$file")
        name="$(basename "$file" .c), $kind, $compiler"
        build="$compiler -std=c11 -g $flags $own $file -pthread"
        if ! $build -o "$out/good" >"$out/log" 2>&1 ||
            ! $build -DPLANTED -o "$out/bad" >"$out/log" 2>&1; then
            fail "builds: $name" "$out/log"
            continue
        fi
        if $runner "$out/good" >"$out/log" 2>&1 && ! grep -q 'TypeSanitizer' "$out/log"
        then pass "clean without the mistake: $name"
        else fail "clean without the mistake: $name" "$out/log"; fi
        $runner "$out/bad" >"$out/log" 2>&1
        status=$?
        # A process that a signal ended says so by its status alone.
        [ $status -le 128 ] || echo "signal $((status - 128))" >>"$out/log"
        # TypeSanitizer reports and goes on, with status 0.
        if [ $kind = tysan ] && grep -q 'ERROR: TypeSanitizer' "$out/log"; then status=9; fi
        if [ $status = 0 ]; then fail "catches: $name (it ended well)" "$out/log"
        elif grep -qE "$expect" "$out/log"; then pass "catches: $name"
        else fail "catches: $name (another report)" "$out/log"; fi
    done
}

for kind in $kinds; do
    case $kind in
    asan) for c in gcc clang; do plant asan $c "-fsanitize=address" ""; done ;;
    ubsan)
        for c in gcc clang; do
            plant ubsan $c "-fsanitize=undefined -fno-sanitize-recover=all" ""
        done ;;
    msan) plant msan clang "-fsanitize=memory" "" ;;
    tsan) for c in gcc clang; do plant tsan $c "-O1 -fsanitize=thread" ""; done ;;
    tysan) plant tysan clang-22 "-fsanitize=type -fno-sanitize-recover=all" "" ;;
    valgrind)
        plant valgrind gcc "-DARENA_VALGRIND" "valgrind -q --error-exitcode=9 --leak-check=full" ;;
    helgrind)
        plant helgrind gcc "-DARENA_VALGRIND" "valgrind -q --tool=helgrind --error-exitcode=9" ;;
    fault) plant fault gcc "" "" ;;
    *) fail "unknown kind $kind" ;;
    esac
done
rm -f "$out/good" "$out/bad" "$out/try"
finish
