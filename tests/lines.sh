# Compares examples/lines with sort and uniq, byte for byte, and tries its failures. POSIX sh.
#
#     sh tests/lines.sh PROGRAM FOLDER [quick|full] [PROGRAM-WITH-COUNT_MAX-3]
#
# A case is one or more files. For each of them --sort, --unique and --count have to print what
# `LC_ALL=C sort`, `LC_ALL=C sort -u` and `LC_ALL=C sort | uniq -c | LC_ALL=C sort -rn` print, in one batch
# and in many small ones. `full` adds the text and the programs of a Debian system, as far as they are there.
# Every case prints a line; the last line counts them; the exit status is 1 if any failed.

lines=$1
out=$2
mode=${3:-quick}
small_count=${4:-}
VERBOSE=1
. "$(dirname "$0")/tools/lib.sh"
LC_ALL=C
export LC_ALL
mkdir -p "$out" || exit 1
made=$out/made
rm -rf "$made"
mkdir "$made" || exit 1

if ! have sort || ! have uniq || ! sort --version 2>/dev/null | grep -q 'GNU coreutils'; then
    skip lines 'sort and uniq of the GNU coreutils are not installed'
    finish
fi

# ---- comparing -------------------------------------------------------------------------------------------

# same NAME OPTIONS FILE...: the program, with each of the OPTIONS (words, "," between them), in every mode.
same() {
    same_name=$1
    same_options=$2
    shift 2
    sort "$@" >"$out/want.sort" && sort -u "$@" >"$out/want.unique" &&
        uniq -c "$out/want.sort" | sort -rn >"$out/want.count" || { fail "$same_name: sort"; return; }
    for same_option in $(echo "$same_options" | tr , ' '); do
        for same_mode in sort unique count; do
            if ! "$lines" --$same_mode --$same_option "$@" >"$out/got" 2>"$out/err"; then
                fail "$same_name: --$same_mode --$same_option: status" "$out/err"
                return
            fi
            if [ -s "$out/err" ]; then
                fail "$same_name: --$same_mode --$same_option: says something" "$out/err"
                return
            fi
            if ! cmp "$out/got" "$out/want.$same_mode" >"$out/err" 2>&1; then
                fail "$same_name: --$same_mode --$same_option" "$out/err"
                return
            fi
        done
    done
    pass "$same_name ($(wc -l <"$out/want.sort") lines)"
}

# Small ones have many batches and temporary files, 64M has huge pages and a small batch first.
few=memory=64K,memory=2G
many=memory=128K,memory=1M,memory=64M,memory=2G

# ---- made cases ------------------------------------------------------------------------------------------

file() { cat >"$made/$1"; }
: | file empty
printf '\n' | file newline
printf '\n\n\n\n' | file newlines
printf 'b\na' | file no-final-newline
printf 'a' | file one-byte
printf 'b\r\na\r\n\r\nb\r\na' | file crlf
printf '\r\n\n\r\n \n\t\n' | file blank
printf 'a\na\0\na\0\0\n\0\n\n\0\0\nab\na\0b\na\0\na\001\n\0a\nabcdefg\nabcdefg\0\nabcdefgh\nabcdefg' | file nul
printf '\377\n\200\n\177\n~\n\376\377\n\377\377\n\001\n\377\n' | file high-bytes
printf '\377\na\n' | file two-lines
printf '10\n9\n 9\n  9\n-1\n9\n10\n10\n1e3\n0x1\n.5\n.5\n' | file numbers
# Every length around the 7 bytes of a head, and around two of them, in an order that is not sorted.
awk 'BEGIN { for (i = 0; i < 400; i++) { n = i * 7 % 41; s = ""; while (length(s) < n) s = s "x"
             print s; if (i % 3 == 0) print s "y"; if (i % 5 == 0) print s "w" } }' | file lengths
# Each line begins with the one before it: no two heads of a group tell more than one line apart.
awk 'BEGIN { s = ""; for (i = 0; i < 1500; i++) { print s; s = s "a" } }' | file steps
awk 'BEGIN { for (i = 0; i < 3000; i++) print "the same beginning of all of the lines, number " i * 1009 % 3001 }' |
    file beginning
awk 'BEGIN { for (i = 0; i < 20000; i++) print "one of few lines " i * i % 7 }' | file repeats
awk 'BEGIN { for (i = 0; i < 3000; i++) { print "a"; if (i < 2049) print "b"; if (i < 10) print "c" } }' | file counts
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%06d\n", i }' | file in-order
awk 'BEGIN { for (i = 20000; i > 0; i--) printf "%06d\n", i }' | file backwards
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%06d\n", i; print "000017" }' | file nearly-in-order
awk 'BEGIN { r = 1; for (i = 0; i < 30000; i++) { r = (r * 16807) % 2147483647; print r % 9973, r % 11 } }' | file random
awk 'BEGIN { r = 7; for (i = 0; i < 60000; i++) { r = (r * 16807) % 2147483647
             s = "k"; for (j = r % 8; j > 0; j--) s = s "k"; print s r % 100 } }' | file shared-beginnings
# Lines of megabytes: equal but for the last byte, equal, one a part of another, the last without newline.
awk 'BEGIN { s = "0123456789abcdef"; while (length(s) < 1500000) s = s s
             print s "b"; print s "a"; print "short"; print s "b"; print s; printf "%s", s "a" }' | file megabytes
tr '\n' '\0' <"$made/random" | file one-line-of-nuls
cat "$made/in-order" "$made/in-order" "$made/random" | file twice-in-order

for f in empty newline newlines no-final-newline one-byte crlf blank nul high-bytes two-lines numbers lengths steps beginning \
    repeats counts in-order backwards nearly-in-order random shared-beginnings megabytes one-line-of-nuls twice-in-order; do
    same "$f" $many "$made/$f"
done
same 'two files without a final newline' $few "$made/no-final-newline" "$made/one-byte" "$made/no-final-newline"
same 'empty files between others' $few "$made/empty" "$made/crlf" "$made/empty" "$made/nul" "$made/empty"
same 'one file three times' $few "$made/lengths" "$made/lengths" "$made/lengths"
same 'all made files' $many "$made"/*
awk 'BEGIN { for (i = 0; i < 300000; i++) print "one of few lines " i * i % 7 }' >"$out/long"
if [ -n "$small_count" ]; then
    large_count=$lines
    lines=$small_count
    same 'counts too large for one struct' $many "$made/repeats" "$made/newlines" "$made/newlines" "$made/random"
    same 'counts too large for one struct, many lines' memory=8M "$out/long"
    same 'counts too large for one struct, megabytes' $few "$made/megabytes" "$made/megabytes" "$made/megabytes"
    lines=$large_count
fi

# ---- real files ------------------------------------------------------------------------------------------

cd "$(dirname "$0")/.." || exit 1
case $lines in /*) ;; *) lines=$OLDPWD/$lines ;; esac
case $out in /*) ;; *) out=$OLDPWD/$out made=$OLDPWD/$made ;; esac
same 'text of this repository' $many arena.h README.md Makefile tests/*.c examples/*.c bench/*.c
same 'a program' $many "$(command -v sort)"

# real NAME FILE...: those of the files that can be read.
real() {
    real_name=$1
    shift
    for f; do
        shift
        if [ -f "$f" ] && [ -r "$f" ]; then set -- "$@" "$f"; fi
    done
    if [ $# -gt 0 ]; then same "$real_name, $# files" $many "$@"; else skip "$real_name" 'no such files here'; fi
}
if [ "$mode" = full ]; then
    real 'dictionaries' /usr/share/dict/*
    real 'licences' /usr/share/common-licenses/*
    real 'C headers' /usr/include/*.h /usr/include/linux/*.h
    real 'the package database' /var/lib/dpkg/status /var/lib/dpkg/available
    real 'lists of packages' /var/lib/dpkg/info/*.list
    real 'checksums of packages' /var/lib/dpkg/info/*.md5sums
    real 'large programs' "$(command -v perl || :)" "$(cc -print-prog-name=cc1 2>/dev/null || :)"
    real 'libraries' /lib/x86_64-linux-gnu/lib[a-d]*.so.? /usr/lib/x86_64-linux-gnu/libm.a
    real 'C++ headers' $(find /usr/include/c++ -type f 2>/dev/null | head -300)
fi

# ---- options ---------------------------------------------------------------------------------------------

# expect NAME FILE: what the last command printed is that file.
expect() { if cmp "$out/got" "$2" >"$out/err" 2>&1; then pass "$1"; else fail "$1" "$out/err"; fi; }

sort "$made/random" >"$out/want"
"$lines" --sort <"$made/random" >"$out/got"
expect 'standard input by default' "$out/want"
"$lines" --sort - <"$made/random" >"$out/got"
expect 'standard input by -' "$out/want"
sort "$made/one-byte" "$made/random" "$made/crlf" >"$out/want"
"$lines" --sort "$made/one-byte" - "$made/crlf" <"$made/random" >"$out/got"
expect 'standard input between files' "$out/want"
cat "$made/random" | "$lines" --sort >"$out/got"
sort "$made/random" >"$out/want"
expect 'a pipe' "$out/want"
(cd "$made" && cp nul ./--sort && "$lines" --sort -- --sort >"$out/got"; rm -f ./--sort)
sort "$made/nul" >"$out/want"
expect 'a file named as an option' "$out/want"
"$lines" --sort "$made/random" | head -n 1 >"$out/got"
sort "$made/random" | head -n 1 >"$out/want"
expect 'a reader that goes away' "$out/want"
sort arena.h | uniq -c | sort -rn | head -n 5 >"$out/want"
"$lines" --top=5 arena.h 2>&1 | head -n 5 >"$out/got"
expect 'the five most frequent lines' "$out/want"
"$lines" arena.h | sed -n '11,$p' | grep -c -e '^lines     [0-9]*, [0-9]* of them distinct$' -e '^bytes     [0-9]*$' \
    -e '^batches   1, 0 of them to temporary files$' -e '^retained  [0-9]* bytes at most$' \
    -e '^stranded  [0-9]* bytes in all batches$' -e '^time      [0-9.]* s, [0-9.]* ns per line$' >"$out/got"
echo 6 >"$out/want"
expect 'the summary has six lines' "$out/want"
{ wc -l <arena.h; sort -u arena.h | wc -l; wc -c <arena.h; } | tr -d ' ' >"$out/want"
"$lines" arena.h | sed -n '11,12p' | tr -c '0-9' '\n' | sed '/^$/d' >"$out/got"
expect 'its lines, distinct lines and bytes' "$out/want"
tr -cs 'A-Za-z0-9_\200-\377' '\n' <arena.h | sed '/^$/d' | sort | uniq -c | sort -rn >"$out/want"
"$lines" --words --count arena.h >"$out/got"
expect 'words' "$out/want"
"$lines" --words --count --memory=64K --summary arena.h >"$out/got" 2>"$out/err"
expect 'words in small batches' "$out/want"
"$lines" --sort --summary --memory=64K "$made/random" 2>&1 >/dev/null | sed -n 's/^batches .*, \([0-9]*\) of them to.*/\1/p' >"$out/got"
if [ "$(cat "$out/got")" -gt 3 ] 2>/dev/null; then pass 'a small batch goes to files'; else fail 'a small batch goes to files' "$out/got"; fi
# summary FIGURE ARGUMENT...: the first number that the summary says of it.
summary() {
    figure=$1
    shift
    "$lines" --summary "$@" 2>&1 >/dev/null | sed -n "s/^$figure  *\([0-9]*\).*/\1/p"
}
"$lines" --sort --summary --memory=256K "$out/long" 2>"$out/got" >/dev/null
if [ "$(summary retained --sort --memory=256K "$out/long")" -lt 700000 ] && grep -q '^batches .*, 0 of them' "$out/got"; then
    pass 'lines that repeat need no file and little memory'
else
    fail 'lines that repeat need no file and little memory' "$out/got"
fi
# A chunk of 64 KiB more for each of five arenas, and what the tables of the arenas take.
"$lines" --sort --summary --memory=1M "$made/random" "$made/shared-beginnings" "$made/in-order" 2>"$out/got" >/dev/null
if [ "$(summary retained --sort --memory=1M "$made/random" "$made/shared-beginnings" "$made/in-order")" -lt 1400000 ]; then
    pass 'a batch stays within its memory'
else
    fail 'a batch stays within its memory' "$out/got"
fi

# ---- failures --------------------------------------------------------------------------------------------

# refused NAME MESSAGE ARGUMENT...: status 1, nothing on standard output, that message on standard error.
refused() {
    refused_name=$1
    refused_message=$2
    shift 2
    "$lines" "$@" >"$out/got" 2>"$out/err"
    refused_status=$?
    echo "(status $refused_status, $(wc -c <"$out/got") bytes printed)" >>"$out/err"
    if [ $refused_status = 1 ] && [ ! -s "$out/got" ] && grep -q -e "$refused_message" "$out/err"; then
        pass "$refused_name"
    else
        fail "$refused_name" "$out/err"
    fi
}
refused 'a missing file' 'lines: cannot open /no/such/file: No such file' --sort /no/such/file
refused 'a missing file behind another' 'lines: cannot open /no/such/file: No such file' --sort "$made/random" /no/such/file
refused 'a missing file behind many batches' 'cannot open' --sort --memory=64K "$made/random" /no/such/file
refused 'a folder' "lines: cannot read $made: Is a directory" --count "$made"
cp "$made/random" "$out/unreadable" && chmod 000 "$out/unreadable"
if [ -r "$out/unreadable" ]; then
    skip 'an unreadable file' 'this user reads any file'
else
    refused 'an unreadable file' "lines: cannot open $out/unreadable: Permission denied" --sort "$out/unreadable"
fi
rm -f "$out/unreadable"
refused 'an unknown option' 'lines: no such option: --none' --none
refused 'a short option' 'lines: no such option: -r' -r
refused 'not a number' 'lines: not a number: x' --top=x
refused 'a negative number' 'lines: not a number: -1' --top=-1
refused 'not a size' 'lines: not a size: 5X' --memory=5X
refused 'an empty size' 'lines: not a size: ' --memory=
refused 'a size too large' 'lines: not a size: 99999999999G' --memory=99999999999G
refused 'a memory too small' 'lines: --memory is at least 64K' --memory=63K
if [ -c /dev/full ]; then
    for option in --sort --unique --count --top; do
        "$lines" $option "$made/random" >/dev/full 2>"$out/err"
        if [ $? = 1 ] && grep -q '^lines: cannot write: No space left' "$out/err"; then
            pass "a full device, $option"
        else
            fail "a full device, $option" "$out/err"
        fi
    done
else
    skip 'a full device' 'no /dev/full'
fi
"$lines" --sort "$made/random" >&- 2>"$out/err"
if [ $? = 1 ] && grep -q '^lines: cannot write' "$out/err"; then pass 'closed output'; else fail 'closed output' "$out/err"; fi
"$lines" --sort <&- >"$out/got" 2>"$out/err"
if [ $? = 1 ] && grep -q '^lines: cannot read standard input' "$out/err"; then
    pass 'closed input'
else
    fail 'closed input' "$out/err"
fi
(ulimit -n 4 && exec "$lines" --sort --memory=64K "$made/random") >"$out/got" 2>"$out/err"
if [ $? = 1 ] && [ ! -s "$out/got" ] && grep -q '^lines: no temporary file: ' "$out/err"; then
    pass 'no temporary file to be had'
else
    fail 'no temporary file to be had' "$out/err"
fi
if [ -n "${LINES_SANITIZED:-}" ]; then
    skip 'no memory to be had' 'sanitizers take all addresses'
else
    (ulimit -v 100000 && exec "$lines" --sort --memory=2G "$out/long" "$out/long" "$out/long" "$out/long" "$out/long" \
        "$made/megabytes" "$made"/* "$made/in-order" /dev/zero) >"$out/got" 2>"$out/err"
    if [ $? = 1 ] && [ ! -s "$out/got" ] && grep -q '^lines: .*memory' "$out/err"; then
        pass 'no memory to be had'
    else
        fail 'no memory to be had' "$out/err"
    fi
fi

# ---- the progress line -----------------------------------------------------------------------------------

if [ "$mode" = full ] && have script && script -qec true /dev/null >/dev/null 2>&1; then
    awk 'BEGIN { for (i = 0; i < 1500000; i++) print "a line of some length, number " i }' >"$out/long"
    script -qec "'$lines' --sort '$out/long' >/dev/null" /dev/null >"$out/got" </dev/null
    if grep -q 'MB read, [0-9]* batches' "$out/got"; then pass 'progress on a terminal'; else fail 'progress on a terminal' "$out/got"; fi
    "$lines" --sort "$out/long" 2>"$out/got" >/dev/null
    if [ -s "$out/got" ]; then fail 'no progress elsewhere' "$out/got"; else pass 'no progress elsewhere'; fi
elif [ "$mode" = full ]; then
    skip 'progress on a terminal' 'script (util-linux) is not installed'
fi
rm -f "$out/long"
finish
