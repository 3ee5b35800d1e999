#!/bin/sh
# The threads program in its three ways: threads.sh run|tsan|helgrind DIR [arguments of the program]
# run       builds it with $CC and runs it; where pthreads or atomics are missing it says skipped
#           and succeeds.
# tsan      builds it with each of gcc and clang under ThreadSanitizer; a planted race has to be
#           found first, so that a silent run means something.
# helgrind  runs it under valgrind's helgrind, after the planted race there too. ARENA_VALGRIND
#           tells it what is atomic.
set -u
mode=$1 dir=$2
shift 2
mkdir -p "$dir"
std=${STD:--std=c99}

probe() { # compiler, flags: can it build and run a program with a thread?
    cat >"$dir/probe.c" <<'END'
#include <pthread.h>
static int done;
static void *run(void *p) { __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST); return p; }
int main(void)
{
    pthread_t t;
    if (pthread_create(&t, 0, run, 0) != 0 || pthread_join(t, 0) != 0) return 1;
    return __atomic_load_n(&done, __ATOMIC_SEQ_CST) == 1 ? 0 : 1;
}
END
    "$@" "$dir/probe.c" -o "$dir/probe${EXE:-}" >"$dir/probe.log" 2>&1 &&
        ${RUN:-} "$dir/probe${EXE:-}" >>"$dir/probe.log" 2>&1
}

case $mode in
run)
    threads=${THREADS--pthread}
    if ! probe ${CC:-cc} $std $threads; then
        echo "skipped threads: no pthreads or no atomics with ${CC:-cc}"
        exit 0
    fi
    ${CC:-cc} $std -Wall -Wextra ${CPPFLAGS:-} ${CFLAGS:-} $threads tests/threads.c \
        ${LDFLAGS:-} ${LDLIBS:-} -o "$dir/threads${EXE:-}" || exit 1
    ${RUN:-} "$dir/threads${EXE:-}" "$@"
    ;;
tsan)
    ran=0
    for cc in ${TSAN_COMPILERS:-gcc clang}; do
        flags="$std -O1 -g -pthread -fsanitize=thread"
        if ! probe $cc $flags; then
            echo "skipped threads-tsan: $cc has no ThreadSanitizer here"
            continue
        fi
        $cc $flags -DPLANTED_RACE tests/threads.c -o "$dir/planted-$cc" || exit 1
        if "$dir/planted-$cc" --scale=100 planted >"$dir/planted-$cc.log" 2>&1 ||
            ! grep -q 'data race' "$dir/planted-$cc.log"; then
            echo "threads-tsan: $cc did not find the planted race"
            exit 1
        fi
        $cc $flags tests/threads.c -o "$dir/tsan-$cc" || exit 1
        if ! TSAN_OPTIONS="halt_on_error=0 exitcode=66 ${TSAN_OPTIONS:-}" \
            "$dir/tsan-$cc" "$@" >"$dir/tsan-$cc.log" 2>&1; then
            cat "$dir/tsan-$cc.log"
            exit 1
        fi
        if grep -q 'WARNING: ThreadSanitizer' "$dir/tsan-$cc.log"; then
            cat "$dir/tsan-$cc.log"
            exit 1
        fi
        echo "TSan, $cc: $(tail -n 1 "$dir/tsan-$cc.log"), no race; the planted one found"
        ran=1
    done
    [ $ran = 1 ] || echo "skipped threads-tsan: no compiler with ThreadSanitizer"
    ;;
helgrind)
    if ! command -v valgrind >/dev/null 2>&1 || [ ! -e /usr/include/valgrind/helgrind.h ]; then
        echo "skipped threads-helgrind: no valgrind, or not its header"
        exit 0
    fi
    cc=${CC:-cc}
    flags="$std -O1 -g -pthread -DARENA_VALGRIND"
    $cc $flags -DPLANTED_RACE tests/threads.c -o "$dir/planted" || exit 1
    if valgrind --tool=helgrind --error-exitcode=66 -q \
        "$dir/planted" --scale=100 planted >"$dir/planted.log" 2>&1; then
        echo "threads-helgrind: the planted race was not found"
        exit 1
    fi
    $cc $flags tests/threads.c -o "$dir/helgrind" || exit 1
    if ! valgrind --tool=helgrind --fair-sched=try --error-exitcode=66 \
        "$dir/helgrind" "$@" >"$dir/helgrind.log" 2>&1; then
        cat "$dir/helgrind.log"
        exit 1
    fi
    errors=$(sed -n 's/^==[0-9]*== ERROR SUMMARY: \([0-9]* errors\).*/\1/p' "$dir/helgrind.log")
    echo "helgrind: $(grep ' passed, ' "$dir/helgrind.log"), $errors; the planted race found"
    ;;
*)
    echo "threads.sh run|tsan|helgrind DIR" >&2
    exit 2
    ;;
esac
