#!/bin/sh
# Counts instructions and branches on the hot paths of arena.h, and fails when one has more than
# stands here.
#
#     asm.sh DIR
#
# tests/asm/hot.c is compiled by gcc and clang at -O2 for x86-64; tests/asm/count.py finds the
# paths through each function that call no cold function, and counts on the longest of them, ret
# included. The copy of a variable count has several ways through it, so such functions show a
# range. That the counter can fail is tested first, on a limit that is too low and on a planted
# atomic instruction.
set -u
dir=$1
mkdir -p "$dir"

# The most that the longest hot path may have, with gcc 11 and 12 and clang 14, 19 and 22. The
# documentation promises 10 instructions and 1 branch for the store of one element.
# A struct of two registers by value takes one or three more; a source in memory takes the test for
# NULL; fill_point has the caller's own. A push that stands alone saves registers for the case
# that the slice grows; in a loop, where it is inlined, the slice itself is in registers.
cat >"$dir/limits" <<'END'
# function           instructions  branches
one_int              7             1
one_pointer          7             1
one_point            10            1
one_record           6             1
from_memory          10            2
point_from_memory    10            2
fill_point           12            2
append_constant      10            2
append_variable      43            5
append_bytes         42            5
ref_one              17            1
ref_bytes            53            5
reserve_variable     14            2
reserve_bytes        9             1
reserve_ref_bytes    22            1
value_bytes          27            4
value_points         28            4
value_unchecked      9             0
intern_bytes         50            5
strref_bytes         59            5
alloc_constant       19            3
new_zeroed           25            3
push_int             18            1
push_list            18            1
push_byte            18            1
lane_store           7             1
lane_ref             53            5
lane_value           27            4
END

case $(uname -m) in
x86_64) ;;
*)
    echo "skipped asm: the limits are for x86-64"
    exit 0
    ;;
esac
if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped asm: no python3"
    exit 0
fi

ran=0 failed=0
for cc in ${ASM_COMPILERS:-gcc clang}; do
    if ! command -v "$cc" >/dev/null 2>&1; then
        echo "skipped asm: no $cc"
        continue
    fi
    out=$dir/hot-$(basename "$cc").s
    "$cc" -std=c99 -O2 -fno-asynchronous-unwind-tables -fcf-protection=none -S tests/asm/hot.c \
        -o "$out" || exit 1
    echo "one_int 3 0" >"$dir/too-low"
    if python3 tests/asm/count.py "$dir/too-low" "$cc" "$out" >/dev/null; then
        echo "asm: the counter did not notice a limit that is too low"
        exit 1
    fi
    printf 'one_int:\n\tlock xaddl %%eax, (%%rdi)\n\tret\n' >"$dir/planted.s"
    echo "one_int 10 1" >"$dir/planted"
    if python3 tests/asm/count.py "$dir/planted" "$cc" "$dir/planted.s" >/dev/null; then
        echo "asm: the counter did not notice an atomic instruction"
        exit 1
    fi
    python3 tests/asm/count.py "$dir/limits" "$cc" "$out" || failed=1
    ran=1
done
if [ $ran = 0 ]; then
    echo "skipped asm: no compiler"
elif [ $failed = 0 ]; then
    echo "asm: $(grep -c '^[a-z]' "$dir/limits") functions within their limits"
fi
exit $failed
