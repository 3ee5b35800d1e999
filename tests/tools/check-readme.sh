#!/bin/sh
# What README.md and the header's documentation name exists: each `family.name` is a row of
# tests/tests.def, each `make TARGET` a target, each linked file a file, and each function of the
# header's API table is one that the byte arena has. There are more tests than README says.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
mkdir -p "$out"
[ -f README.md ] || { skip "README.md" "there is none"; finish; }

# Words between backticks, one a line.
grep -o '`[^`]*`' README.md | tr -d '`' >"$out/words"
sed -n 's/^T(\([a-z_0-9]*\), \([a-z_0-9]*\)).*/\1.\2/p' tests/tests.def | sort -u >"$out/tests"
sed 's/\..*//' "$out/tests" | sort -u >"$out/families"

grep -E '^[a-z_0-9]+\.[a-z_0-9]+$' "$out/words" | sort -u | while read -r word; do
    grep -qx "${word%%.*}" "$out/families" && echo "$word"
done >"$out/named"
if [ -s "$out/named" ]; then pass "tests are named"; else fail "tests are named in README.md"; fi
while read -r word; do
    if grep -qx "$word" "$out/tests"; then pass "$word"; else fail "no such test: $word"; fi
done <"$out/named"
count=$(grep -c '^T(' tests/tests.def)
claim=$(sed -n 's/.*over \([0-9]*\) tests.*/\1/p' README.md)
if [ "$count" -gt "${claim:-$count}" ]
then pass "over $claim tests"
else fail "over ${claim:-?} tests: there are $count"
fi

grep -E '^make [a-z]' "$out/words" | sed 's/^make //' | tr ' ' '\n' | grep -E '^[a-z][a-z0-9-]*$' |
    sort -u >"$out/targets"
cat Makefile tests/*.mk examples/*.mk bench/*.mk >"$out/makefiles"
while read -r target; do
    if grep -qE "^([a-z0-9-]+ )*$target( [a-z0-9-]+)*:" "$out/makefiles"
    then pass "make $target"
    else fail "no such target: make $target"
    fi
done <"$out/targets"

grep -o '](\([^)#]*\)[^)]*)' README.md | sed 's/^](//; s/[)#].*//' | grep -v '^http' | grep . |
    sort -u >"$out/links"
while read -r link; do
    if [ -e "$link" ]; then pass "$link"; else fail "no such file: $link"; fi
done <"$out/links"

sed -n '/^ \* API$/,/^ \* OPTIONS/p' arena.h | grep -oE '^ \*     name_[a-z_]+\(' |
    sed 's/.*name_//; s/(//' | sort -u >"$out/functions"
if [ -s "$out/functions" ]; then pass "API table"; else fail "API table of arena.h is found"; fi
while read -r name; do
    if grep -qE "name##_$name\(" arena.h; then pass "$name"; else fail "no such function: name_$name"; fi
done <"$out/functions"
finish
