# Compares examples/lines with sort and uniq, byte for byte, and tries its failures. POSIX sh.
#
#     sh tests/lines.sh PROGRAM FOLDER [quick|full] [PROGRAM-WITH-COUNT_MAX-3]
#
# A case is one or more files. For each of them --sort, --unique and --count have to print what
# sort, sort -u and sort | uniq -c | sort -rn print with LC_ALL=C, in one batch and in many small
# ones. `full` adds the text and the programs of a Debian system, as far as they are there. Every
# case prints a line; the last line counts them; the exit status is 1 if any failed.

# path NAME: from the root, since this script changes its folder.
path() { case $1 in /* | '') echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
here=$(path "$(dirname "$0")")
lines=$(path "$1")
out=$(path "$2")
mode=${3:-quick}
small_count=$(path "${4:-}")
VERBOSE=1
. "$here/tools/lib.sh"
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

# ---- comparing ---------------------------------------------------------------------------------

# same NAME OPTIONS FILE...: in every mode, with each of the OPTIONS (words, "," between them).
same() {
    same_name=$1
    same_options=$2
    shift 2
    if ! sort "$@" >"$out/want.sort" || ! sort -u "$@" >"$out/want.unique"; then
        fail "$same_name: GNU sort"
        return
    fi
    uniq -c "$out/want.sort" | sort -rn >"$out/want.count"
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

# ---- made cases --------------------------------------------------------------------------------

file() { cat >"$made/$1"; }
: | file empty
printf '\n' | file newline
printf '\n\n\n\n' | file newlines
printf 'b\na' | file no-final-newline
printf 'a' | file one-byte
printf 'b\r\na\r\n\r\nb\r\na' | file crlf
printf '\r\n\n\r\n \n\t\n' | file blank
printf 'a\na\0\na\0\0\n\0\n\n\0\0\nab\na\0b\na\0\na\001\n\0a\n' | file nul
printf 'abcdefg\nabcdefg\0\nabcdefgh\nabcdefg\0\0\nabcdefg' | file nul-behind-a-head
printf '\377\n\200\n\177\n~\n\376\377\n\377\377\n\001\n\377\n' | file high-bytes
printf '\377\na\n' | file two-lines
printf '10\n9\n 9\n  9\n-1\n9\n10\n10\n1e3\n0x1\n.5\n.5\n' | file numbers
# Every length around the 7 bytes of a head, and around two of them, in an order that is not sorted.
awk 'BEGIN { for (i = 0; i < 400; i++) { n = i * 7 % 41; s = ""; while (length(s) < n) s = s "x"
             print s; if (i % 3 == 0) print s "y"; if (i % 5 == 0) print s "w" } }' | file lengths
# Each line begins with the one before it: no two heads of a group tell more than one line apart.
awk 'BEGIN { s = ""; for (i = 0; i < 1500; i++) { print s; s = s "a" } }' | file steps
awk 'BEGIN { for (i = 0; i < 3000; i++)
             print "the same beginning of all lines, number " i * 1009 % 3001 }' | file beginning
awk 'BEGIN { for (i = 0; i < 20000; i++) print "one of few lines " i * i % 7 }' | file repeats
awk 'BEGIN { for (i = 0; i < 3000; i++) {
             print "a"; if (i < 2049) print "b"; if (i < 10) print "c" } }' | file counts
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%06d\n", i }' | file in-order
awk 'BEGIN { for (i = 20000; i > 0; i--) printf "%06d\n", i }' | file backwards
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%06d\n", i
             print "000017" }' | file nearly-in-order
awk 'BEGIN { r = 1; for (i = 0; i < 30000; i++) {
             r = (r * 16807) % 2147483647; print r % 9973, r % 11 } }' | file random
awk 'BEGIN { r = 7; for (i = 0; i < 60000; i++) { r = (r * 16807) % 2147483647
             s = "k"; for (j = r % 8; j > 0; j--) s = s "k"
             print s r % 100 } }' | file shared-beginnings
# Lines of megabytes: equal, or but for the last byte, or one a part of another; no last newline.
awk 'BEGIN { s = "0123456789abcdef"; while (length(s) < 1500000) s = s s
             print s "b"; print s "a"; print "short"; print s "b"; print s
             printf "%s", s "a" }' | file megabytes
tr '\n' '\0' <"$made/random" | file one-line-of-nuls
cat "$made/in-order" "$made/in-order" "$made/random" | file twice-in-order

for f in "$made"/*; do
    same "$(basename "$f")" $many "$f"
done
cd "$made" || exit 1
same 'two files without a final newline' $few no-final-newline one-byte no-final-newline
same 'empty files between others' $few empty crlf empty nul empty
same 'one file three times' $few lengths lengths lengths
same 'all made files' $many *
awk 'BEGIN { for (i = 0; i < 300000; i++) print "one of few lines " i * i % 7 }' >"$out/long"
if [ -n "$small_count" ]; then
    large_count=$lines
    lines=$small_count
    same 'counts too large for one struct' $many repeats newlines newlines random
    same 'counts too large for one struct, many lines' memory=8M "$out/long"
    same 'counts too large for one struct, megabytes' $few megabytes megabytes megabytes
    lines=$large_count
fi

# ---- real files --------------------------------------------------------------------------------

cd "$here/.." || exit 1

# real NAME FILE...: those of the files that can be read.
real() {
    real_name=$1
    shift
    for f; do
        shift
        if [ -f "$f" ] && [ -r "$f" ]; then set -- "$@" "$f"; fi
    done
    if [ $# = 0 ]; then skip "$real_name" 'no such files here'; return; fi
    same "$real_name, $# files" $many "$@"
}
real 'text of this repository' arena.h README.md Makefile tests/*.c examples/*.c bench/*.c
real 'a program' "$(command -v sort)"
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

# ---- options -----------------------------------------------------------------------------------

# expect NAME: what was printed last is what was wanted.
expect() { check "$1" cmp "$out/got" "$out/want"; }

sort "$made/random" >"$out/want"
"$lines" --sort <"$made/random" >"$out/got"
expect 'standard input by default'
"$lines" --sort - <"$made/random" >"$out/got"
expect 'standard input by -'
sort "$made/one-byte" "$made/random" "$made/crlf" >"$out/want"
"$lines" --sort "$made/one-byte" - "$made/crlf" <"$made/random" >"$out/got"
expect 'standard input between files'
cat "$made/random" | "$lines" --sort >"$out/got"
sort "$made/random" >"$out/want"
expect 'a pipe'
(cd "$made" && cp nul ./--sort && "$lines" --sort -- --sort >"$out/got"; rm -f ./--sort)
sort "$made/nul" >"$out/want"
expect 'a file named as an option'
"$lines" --sort "$made/random" | head -n 1 >"$out/got"
sort "$made/random" | head -n 1 >"$out/want"
expect 'a reader that goes away'
sort arena.h | uniq -c | sort -rn | head -n 5 >"$out/want"
"$lines" --top=5 arena.h 2>&1 | head -n 5 >"$out/got"
expect 'the five most frequent lines'
"$lines" arena.h | sed -n '11,$s/[0-9][0-9.]*/N/gp' >"$out/got"
cat >"$out/want" <<'END'
lines     N, N of them distinct
bytes     N
batches   N, N of them to temporary files
retained  N bytes at most
stranded  N bytes in all batches
time      N s, N ns per line
END
expect 'the summary'
{ wc -l <arena.h; sort -u arena.h | wc -l; wc -c <arena.h; } | tr -d ' ' >"$out/want"
"$lines" arena.h | sed -n '11,12p' | tr -c '0-9' '\n' | sed '/^$/d' >"$out/got"
expect 'its lines, distinct lines and bytes'
tr -cs 'A-Za-z0-9_\200-\377' '\n' <arena.h | sed '/^$/d' | sort | uniq -c | sort -rn >"$out/want"
"$lines" --words --count arena.h >"$out/got"
expect 'words'
"$lines" --words --count --memory=64K --summary arena.h >"$out/got" 2>"$out/err"
expect 'words in small batches'
awk 'BEGIN { for (i = 0; i < 60003; i++)
             print i * 7919 % 60003, "makes a line that is rather long" }' >"$out/much"
sort "$out/much" "$made/random" | uniq -c | sort -rn >"$out/want"
(ulimit -n 140 && exec "$lines" --count --memory=64K "$out/much" "$made/random") >"$out/got"
expect 'more temporary files than may be open'
# figures WORD ARGUMENT...: the numbers that the summary has behind that word, each on a line.
figures() {
    word=$1
    shift
    "$lines" --sort --summary "$@" 2>&1 >/dev/null | sed -n "s/^$word //p" | tr -c '0-9\n' '\n' |
        sed '/^$/d' | tee "$out/got"
}
is() {   # NAME, then what `test` takes
    is_name=$1
    shift
    if test "$@"; then pass "$is_name"; else fail "$is_name" "$out/got"; fi
}
is 'small batches go to files' "$(figures batches --memory=64K "$made/random" | tail -n 1)" -gt 3
is 'lines that repeat need no file' "$(figures batches --memory=256K "$out/long" | tail -n 1)" = 0
is 'and little memory' "$(figures retained --memory=256K "$out/long")" -lt 600000
# A chunk of 64 KiB more for each of five arenas.
is 'a batch stays within its memory' \
    "$(figures retained --memory=1M "$made/random" "$made/shared-beginnings")" -lt 1376256

# ---- failures ----------------------------------------------------------------------------------

# failed_well NAME MESSAGE STATUS: the status was 1, standard output is empty, and the message came.
failed_well() {
    echo "(status $3, $(wc -c <"$out/got") bytes printed)" >>"$out/err"
    if [ "$3" = 1 ] && [ ! -s "$out/got" ] && grep -q -e "^lines: $2" "$out/err"; then
        pass "$1"
    else
        fail "$1" "$out/err"
    fi
}
# refused NAME MESSAGE ARGUMENT...
refused() {
    refused_name=$1
    refused_message=$2
    shift 2
    "$lines" "$@" >"$out/got" 2>"$out/err"
    failed_well "$refused_name" "$refused_message" $?
}
random=$made/random
refused 'a missing file' 'cannot open /no/file: No such file' --sort /no/file
refused 'a missing file behind another' 'cannot open /no/file: No such' --sort "$random" /no/file
refused 'a missing file behind batches' 'cannot open' --sort --memory=64K "$random" /no/file
refused 'a folder' "cannot read $made: Is a directory" --count "$made"
cp "$random" "$out/unreadable" && chmod 000 "$out/unreadable"
if [ -r "$out/unreadable" ]; then
    skip 'an unreadable file' 'this user reads any file'
else
    refused 'an unreadable file' "cannot open $out/unreadable: Permission" --sort "$out/unreadable"
fi
rm -f "$out/unreadable"
refused 'an unknown option' 'no such option: --none' --none
refused 'a short option' 'no such option: -r' -r
refused 'not a number' 'not a number: x' --top=x
refused 'a negative number' 'not a number: -1' --top=-1
refused 'not a size' 'not a size: 5X' --memory=5X
refused 'an empty size' 'not a size: ' --memory=
refused 'a size too large' 'not a size: 99999999999G' --memory=99999999999G
refused 'a memory too small' '--memory is at least 64K' --memory=63K
: >"$out/got"
if [ -c /dev/full ]; then
    for option in --sort --unique --count --top; do
        "$lines" $option "$random" >/dev/full 2>"$out/err"
        failed_well "a full device, $option" 'cannot write: No space left' $?
    done
else
    skip 'a full device' 'no /dev/full'
fi
"$lines" --sort "$random" >&- 2>"$out/err"
failed_well 'closed output' 'cannot write' $?
"$lines" --sort <&- >"$out/got" 2>"$out/err"
failed_well 'closed input' 'cannot read standard input' $?
(ulimit -n 4 && exec "$lines" --sort --memory=64K "$random") >"$out/got" 2>"$out/err"
failed_well 'no temporary file to be had' 'no temporary file: ' $?
if [ -n "${LINES_SANITIZED:-}" ]; then
    skip 'no memory to be had' 'sanitizers take all addresses'
else
    (ulimit -v 100000 && exec "$lines" --sort "$random" /dev/zero) >"$out/got" 2>"$out/err"
    failed_well 'no memory for a line' 'out of memory' $?
    (ulimit -v 40000 && exec "$lines" --sort "$out/much" "$made"/[a-z]* "$random" "$random") \
        >"$out/got" 2>"$out/err"
    failed_well 'no memory for a chunk' '.* ([0-9]* bytes asked for)' $?
fi

# ---- the progress line -------------------------------------------------------------------------

if [ "$mode" = full ] && have script && script -qec true /dev/null >/dev/null 2>&1; then
    awk 'BEGIN { for (i = 0; i < 1500000; i++)
                 print "a line of some length, number " i }' >"$out/long"
    script -qec "'$lines' --sort '$out/long' >/dev/null" /dev/null >"$out/got" </dev/null
    is 'progress on a terminal' "$(grep -c 'MB read, [0-9]* batches' "$out/got")" != 0
    "$lines" --sort "$out/long" 2>"$out/got" >/dev/null
    is 'no progress elsewhere' ! -s "$out/got"
elif [ "$mode" = full ]; then
    skip 'progress on a terminal' 'script (util-linux) is not installed'
fi
rm -f "$out/long" "$out/much"
finish
