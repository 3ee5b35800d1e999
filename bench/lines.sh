# Times examples/lines against GNU sort on made files. POSIX sh; see bench/lines.mk.
#
#     sh bench/lines.sh PROGRAM GENERATOR FOLDER MEGABYTES RUNS "KIND..." "MODE..."
#
# A mode is sort, unique or count, which is `lines --MODE` against sort, sort -u and sort | uniq -c |
# sort -rn. The output of each is compared first, which also brings the file into memory. Then the
# program, GNU sort as it is and GNU sort --parallel=1 take turns, RUNS times, with their output to
# /dev/null; the least time of each counts, since all that disturbs makes it longer. The ratio is
# GNU's time over ours: 2 is twice as fast. Exit status 1 if any output differs.

lines=$1
generator=$2
folder=$3
megabytes=$4
runs=$5
kinds=$6
modes=$7
LC_ALL=C
export LC_ALL

case $(date +%s%N) in *[!0-9]*) echo "lines.sh: date +%s%N has no nanoseconds here"; exit 1 ;; esac
if ! sort --version 2>/dev/null | grep -q 'GNU coreutils'; then
    echo "lines.sh: sort is not that of the GNU coreutils"
    exit 1
fi

file=$folder/input
gnu() {   # MODE OPTION
    case $1 in
    sort) sort $2 "$file" ;;
    unique) sort -u $2 "$file" ;;
    count) sort $2 "$file" | uniq -c | sort -rn $2 ;;
    esac
}
timed() {   # COMMAND...: sets $took, in microseconds
    begin=$(date +%s%N)
    "$@" >/dev/null
    end=$(date +%s%N)
    took=$(((end - begin) / 1000))
}
ours() { "$lines" --$1 "$file"; }
seconds() { printf '%d.%02d' $(($1 / 1000000)) $(($1 % 1000000 / 10000)); }
ratio() { printf '%d.%02d' $(($1 / $2)) $(($1 % $2 * 100 / $2)); }

sort --version | sed -n 1p
echo "$(nproc) CPUs, files of $megabytes MB, seconds, least of $runs runs; ratio: GNU over lines"
printf '%-9s %9s %-7s %7s | %7s %7s | %10s %7s\n' \
    kind lines mode lines sort ratio --parallel=1 ratio
bad=0
for kind in $kinds; do
    "$generator" "$kind" "$megabytes" >"$file" || exit 1
    count=$(wc -l <"$file")
    for mode in $modes; do
        gnu $mode >"$folder/want" || exit 1
        if ! ours $mode | cmp - "$folder/want"; then
            echo "DIFFERENT OUTPUT: $kind, $mode"
            bad=1
        fi
        rm -f "$folder/want"
        a=0 b=0 c=0
        i=0
        while [ $i -lt "$runs" ]; do
            timed ours $mode
            [ $i -gt 0 ] && [ $a -le $took ] || a=$took
            timed gnu $mode
            [ $i -gt 0 ] && [ $b -le $took ] || b=$took
            timed gnu $mode --parallel=1
            [ $i -gt 0 ] && [ $c -le $took ] || c=$took
            i=$((i + 1))
        done
        printf '%-9s %9s %-7s %7s | %7s %7s | %10s %7s\n' "$kind" "$count" $mode "$(seconds $a)" \
            "$(seconds $b)" "$(ratio $b $a)" "$(seconds $c)" "$(ratio $c $a)"
    done
    rm -f "$file"
done
exit $bad
