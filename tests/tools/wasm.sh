#!/bin/sh
# wasm.sh OUT: the test program as WebAssembly (clang with WASI's libc), run by node.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
mkdir -p "$out"
clang=$(for c in clang-14 clang; do have $c && { echo $c; break; }; done)
[ -n "$clang" ] || { skip wasm "there is no clang"; finish; }
have node || { skip wasm "there is no node"; finish; }
# All memory at once: node 20 crashes after many steps of growth.
flags="--target=wasm32-wasi -std=c99 -O1 -Wall -Wextra -Werror -Wl,--initial-memory=1073741824"
if ! echo '#include <stdio.h>
int main(void) { return puts("ready") < 0; }' |
    $clang --target=wasm32-wasi -x c - -o "$out/try.wasm" >"$out/log" 2>&1; then
    skip wasm "$clang has no libc for WASI (wasi-libc, libclang-rt-14-dev-wasm32)"
    finish
fi
if ! node --no-warnings tests/tools/wasi.mjs "$out/try.wasm" >"$out/log" 2>&1; then
    skip wasm "this node does not run WASI programs"
    finish
fi
if ! $clang $flags tests/main.c $families -o "$out/tests.wasm" >"$out/log" 2>&1; then
    fail "wasm32-wasi builds" "$out/log"
    finish
fi
if node --no-warnings tests/tools/wasi.mjs "$out/tests.wasm" ${ARGS:-} >"$out/log" 2>&1; then
    pass "wasm32-wasi"
else
    fail "wasm32-wasi" "$out/log"
fi
tail -n 1 "$out/log"
# A test that has to fail must give its status through all these layers.
if $clang $flags '-DTEST_TABLE="tools/failing.def"' tests/main.c tests/tools/failing.c \
    -o "$out/failing.wasm" >"$out/log" 2>&1 &&
    ! node --no-warnings tests/tools/wasi.mjs "$out/failing.wasm" failing_leak >"$out/log" 2>&1
then
    pass "a failing test gives a failing status"
else
    fail "a failing test gives a failing status" "$out/log"
fi
finish
