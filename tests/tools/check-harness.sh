#!/bin/sh
# check-harness.sh OUT: whether the harness reports failures at all. OUT is a folder for what is
# built. CC is the compiler.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
mkdir -p "$out"
CC=${CC:-cc}
std="-std=c99 -g"

status_is() { # WANTED COMMAND...
    wanted=$1
    shift
    "$@"
    status=$?
    echo "exit status $status, expected $wanted"
    [ "$status" = "$wanted" ]
}
last_line_is() { # TEXT COMMAND...
    text=$1
    shift
    "$@" | tail -n 1 | grep -x "$text"
}

main="tests/main.c -DTEST_TABLE=\"tools/failing.def\""
if ! $CC $std $main tests/tools/failing.c -pthread -o "$out/failing" >"$out/log" 2>&1; then
    fail "building the failing tests" "$out/log"
    finish
fi
for name in $("$out/failing" --list); do
    check "$name gives status 1" status_is 1 "$out/failing" "$name"
done
check "all of them together give status 1" status_is 1 "$out/failing"
check "the last line counts the failures" \
    last_line_is "0 passed, 1 failed" "$out/failing" failing_leak
check "an empty selection gives status 1" status_is 1 "$out/failing" no_such_test
check "an unknown option gives status 1" status_is 1 "$out/failing" --no-such-option
check "--list gives status 0" status_is 0 "$out/failing" --list

# A test without a row must not compile; a row without a test must not link.
printf '#include "%s/tests/test.h"\nTEST(failing, unlisted) { CHECK(1); }\n' "$PWD" \
    >"$out/unlisted.c"
case $($CC --version 2>/dev/null) in
*tcc*|'') skip "a test without a row" "$CC has no warning about missing prototypes" ;;
*) check "a test without a row does not compile" \
    status_is 1 $CC $std -Wmissing-prototypes -Werror=missing-prototypes \
    -c "$out/unlisted.c" -o "$out/unlisted.o" ;;
esac
printf 'T(failing, absent)\n' >"$out/absent.def"
check "a row without a test does not link" \
    status_is 1 $CC $std tests/main.c "-DTEST_TABLE=\"$PWD/$out/absent.def\"" -pthread \
    -o "$out/absent"
finish
