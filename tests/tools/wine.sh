#!/bin/sh
# wine.sh OUT: the test program for 64-bit Windows (mingw), run by wine.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
mkdir -p "$out"
compiler=x86_64-w64-mingw32-gcc
have $compiler || { skip wine "there is no $compiler"; finish; }
wine=$(for w in wine wine64 /usr/lib/wine/wine64; do have $w && { echo $w; break; }; done)
if ! $compiler -std=c99 -O1 -Wall -Wextra -Werror -DARENA_WARNINGS -static tests/main.c $families -pthread \
    -o "$out/tests.exe" >"$out/log" 2>&1; then
    fail "the Windows program builds" "$out/log"
    finish
fi
pass "the Windows program builds"
[ -n "$wine" ] || { skip wine "there is no wine"; finish; }
# wine keeps its files in a folder of its own, made at the first run.
WINEDEBUG=-all
WINEPREFIX=$(mkdir -p "$out/prefix" && cd "$out/prefix" && pwd)
export WINEDEBUG WINEPREFIX
if $wine "$out/tests.exe" ${ARGS:-} >"$out/log" 2>&1; then pass "Windows x86-64"
else fail "Windows x86-64" "$out/log"; fi
tr -d '\r' <"$out/log" | tail -n 1
if $compiler -std=c99 '-DTEST_TABLE="tools/failing.def"' tests/main.c tests/tools/failing.c \
    -static -o "$out/failing.exe" >"$out/log" 2>&1 &&
    ! $wine "$out/failing.exe" failing_leak >"$out/log" 2>&1; then
    pass "a failing test gives a failing status"
else
    fail "a failing test gives a failing status" "$out/log"
fi
have wineserver && wineserver -w 2>/dev/null
[ -x /usr/lib/wine/wineserver64 ] && /usr/lib/wine/wineserver64 -w 2>/dev/null
finish
