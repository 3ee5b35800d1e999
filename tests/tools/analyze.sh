#!/bin/sh
# analyze.sh OUT: gcc -fanalyzer, clang-tidy and cppcheck over arena.h and a user that instantiates
# every macro: no report at all. Each of the three first has to report a planted mistake, so that a
# silent tool is not taken for a clean text.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
mkdir -p "$out"

cat >"$out/planted.c" <<'END'
#include <stdlib.h>
int planted(int n);
int planted(int n)
{
    int *p = malloc(sizeof *p);
    int a[4] = {0, 0, 0, 0};
    if (p == NULL) return a[n & 3];
    *p = n;
    free(p);
    return *p + a[4];
}
END
# The implementation and every function that the macros make, but nobody who uses what they return
# unchecked.
cat >"$out/subject.c" <<'END'
#define ARENA_IMPLEMENTATION
#include "arena.h"
ARENA_DEFINE(numbers, double);
ARENA_SLICE_DEFINE(ints, int);
ARENA_POOL_DEFINE(meshes, long);
END
subject=$out/subject.c

# has_report COMMAND...: succeeds if the command says warning or error about planted.c.
has_report() {
    "$@" >"$out/planted.log" 2>&1
    grep -E 'planted\.c:[0-9]+.*(warning|error)' "$out/planted.log"
}
# no_report COMMAND...: succeeds if the command succeeds and says neither.
no_report() {
    "$@" >"$out/subject.log" 2>&1 || { cat "$out/subject.log"; return 1; }
    ! grep -E '(warning|error|style|performance|portability):' "$out/subject.log"
}

gcc=$(for c in gcc-12 gcc; do have $c && { echo $c; break; }; done)
if [ -n "$gcc" ] && $gcc -fanalyzer -fsyntax-only -x c /dev/null 2>/dev/null; then
    # The pointer that malloc gave is kept in the block itself if its alignment is not enough.
    analyzer="$gcc -std=c99 -DARENA_WARNINGS -O2 -fkeep-inline-functions -fanalyzer -Wno-analyzer-malloc-leak"
    analyzer="$analyzer -I. -c -o $out/analyzed.o"
    check "$gcc -fanalyzer reports the planted mistake" has_report $analyzer "$out/planted.c"
    check "$gcc -fanalyzer" no_report $analyzer $subject
    check "$gcc -fanalyzer, ARENA_DEBUG=3" no_report $analyzer -DARENA_DEBUG=3 $subject
else
    skip "gcc -fanalyzer" "there is no gcc that has it"
fi

if have clang-tidy; then
    # Macro arguments that are types cannot stand in parentheses; the rest of the checks applies as
    # it is.
    checks='-*,clang-analyzer-*,bugprone-*'
    checks="$checks,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling"
    checks="$checks,-bugprone-easily-swappable-parameters,-bugprone-reserved-identifier"
    checks="$checks,-bugprone-macro-parentheses"
    # Constants like 2 * ARENA_MAX_ALIGN_ are computed as int.
    checks="$checks,-bugprone-assignment-in-if-condition"
    checks="$checks,-bugprone-implicit-widening-of-multiplication-result"
    tidy() {
        clang-tidy --quiet --checks="$checks" --header-filter='.*' --warnings-as-errors='*' "$@"
    }
    check "clang-tidy reports the planted mistake" has_report tidy "$out/planted.c" -- -I. -std=c99
    check "clang-tidy" no_report tidy $subject -- -I. -std=c99
    check "clang-tidy, ARENA_DEBUG=3" no_report tidy $subject -- -I. -std=c99 -DARENA_DEBUG=3
else
    skip "clang-tidy" "not installed"
fi

if have cppcheck; then
    # ctunullpointer: it does not see that a pointer is used only with the flag that it is there.
    cpp="cppcheck -I. --quiet --enable=warning,performance,portability --std=c99 --error-exitcode=3"
    cpp="$cpp --suppress=missingIncludeSystem --suppress=ctunullpointer --max-configs=1"
    cpp="$cpp --suppress=toomanyconfigs"
    check "cppcheck reports the planted mistake" has_report $cpp "$out/planted.c"
    check "cppcheck" no_report $cpp $subject
else
    skip "cppcheck" "not installed"
fi
finish
