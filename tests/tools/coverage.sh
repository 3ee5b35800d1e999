#!/bin/sh
# coverage.sh OUT: lines, branches and MC/DC conditions of arena.h that the tests reach, by
# clang-19, asserts compiled out. The gate is COVERAGE per cent of each (default below); what is
# missing is listed. The gate itself is tested first, on doctored results that it has to refuse.
# MISSING=N lists N missing places of each kind.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
mkdir -p "$out"
COVERAGE=${COVERAGE:-100}
for tool in clang-19 llvm-profdata-19 llvm-cov-19 python3; do
    have $tool || { skip coverage "there is no $tool"; finish; }
done

# The gate on results that are known: complete, one line, branch or condition short, and without
# arena.h.
check "the gate on doctored results" python3 tests/tools/coverage.py --self-test

flags="-std=c99 -g -O0 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc"
flags="$flags -DNDEBUG -DARENA_DEBUG=0"
if ! clang-19 $flags tests/main.c $families -pthread -o "$out/tests" >"$out/log" 2>&1; then
    fail "builds with coverage" "$out/log"
    finish
fi
LLVM_PROFILE_FILE=$out/raw
export LLVM_PROFILE_FILE
check "the tests pass with coverage" "$out/tests" ${ARGS:-}
if llvm-profdata-19 merge -sparse "$out/raw" -o "$out/data" 2>"$out/log" &&
    llvm-cov-19 export "$out/tests" -instr-profile="$out/data" \
        >"$out/coverage.json" 2>>"$out/log"; then :
else fail "llvm-cov-19" "$out/log"; finish; fi
if python3 tests/tools/coverage.py --threshold "$COVERAGE" --missing "${MISSING:-40}" \
    "$out/coverage.json"; then
    pass "arena.h reaches $COVERAGE %"
else
    fail "arena.h reaches $COVERAGE %"
fi
finish
