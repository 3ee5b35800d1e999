#!/bin/sh
# check-bad.sh OUT: every file of tests/bad must be refused, with diagnostics as short as the file
# says.
#   // expect: REGEX       an extended regular expression that the diagnostics must match
#   // max-lines: N        at most N lines, not counting those that only say how many errors there were
#   // max-errors: N       at most N errors
# COMPILERS are those to try. With -DGOOD the same file has to compile, so that it is the mistake
# that is refused.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
rm -rf "$out"
mkdir -p "$out"
flags="-std=c99 -Wall -Wextra -Werror -Wno-error=unused-function -fsyntax-only"

value() { sed -n "s,^// $1: *,,p" "$2" | head -n 1; }

for compiler in ${COMPILERS:-gcc clang}; do
    if ! have $compiler; then
        skip "all of tests/bad with $compiler" "there is no $compiler"
        continue
    fi
    for file in tests/bad/*.c; do
        name="$(basename "$file"), $compiler"
        log=$out/$(basename "$file").$compiler
        if ! $compiler $flags -DGOOD "$file" >"$log" 2>&1; then
            fail "compiles without the mistake: $name" "$log"
            continue
        fi
        pass "compiles without the mistake: $name"
        if $compiler $flags "$file" >"$log" 2>&1; then
            fail "is refused: $name"
            continue
        fi
        pass "is refused: $name"
        check "says what is wrong: $name" grep -E "$(value expect "$file")" "$log"
        lines=$(grep -cvE '^[0-9]+ (error|warning)s? generated\.$|warnings being treated as errors$' \
            "$log")
        errors=$(grep -c 'error:' "$log")
        most=$(value max-lines "$file")
        if [ -n "$most" ]; then
            if [ "$lines" -le "$most" ]; then pass "$name: $lines lines, at most $most"
            else fail "$name: $lines lines of diagnostics, at most $most allowed" "$log"; fi
        fi
        most=$(value max-errors "$file")
        if [ -n "$most" ]; then
            if [ "$errors" -le "$most" ]; then pass "$name: $errors errors, at most $most"
            else fail "$name: $errors errors, at most $most allowed" "$log"; fi
        fi
    done
done
finish
