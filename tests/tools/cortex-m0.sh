#!/bin/sh
# cortex-m0.sh OUT: arena.h without libc on a Cortex-M0, compiled with -Os: the code size of each
# part, and of the core that a small device links (append, ref, value, reset, release on a buffer of
# its own), which may be at most LIMIT bytes where the device's one file is compiled with ARENA_FIXED
# and ARENA_STATIC. What the same functions take with chunks and in files of their own is printed,
# too.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
mkdir -p "$out"
LIMIT=${LIMIT:-2048}
cc=arm-none-eabi-gcc
have $cc || { skip cortex-m0 "there is no $cc"; finish; }
flags="-mcpu=cortex-m0 -mthumb -Os -std=c99 -Wall -Wextra -Werror -DARENA_WARNINGS -ffreestanding"
flags="$flags -ffunction-sections -fdata-sections -DARENA_NO_STDLIB -I."

printf '#define ARENA_IMPLEMENTATION\n#include "arena.h"\n' >"$out/all.c"
check "arena.h builds" $cc $flags -c "$out/all.c" -o "$out/all.o"
[ "$failed" = 0 ] || finish
echo "text bytes of every part, all functions of it:"
arm-none-eabi-nm -S -t d --defined-only "$out/all.o" | awk '
    $3 ~ /^[tT]$/ {
        part = "core"
        if ($4 ~ /^arena_pool/) part = "span pool"
        else if ($4 ~ /^arena_group/) part = "group of threads"
        else if ($4 ~ /slice|extend|realloc|push/) part = "slices and realloc"
        else if ($4 ~ /print|str|intern/) part = "strings"
        else if ($4 ~ /scope|scratch|current/) part = "current arena, scopes"
        else if ($4 ~ /valid|stats|status_text|chunk/) part = "watching"
        sum[part] += $2
        all += $2
    }
    END {
        for (p in sum) printf "  %-22s %6d\n", p, sum[p]
        printf "  %-22s %6d\n", "everything", all
    }' | sort

cat >"$out/core.c" <<'END'
#include "arena.h"
static char buffer[1024];
static arena_t device;
int core_start(void);
int core_start(void)
{
    arena_options_t options = {0};
    options.buffer = buffer;
    options.buffer_bytes = sizeof buffer;
    options.fixed = true;
    return arena_init(&device, &options) == ARENA_OK;
}
const char *core_append(const void *p, unsigned n);
const char *core_append(const void *p, unsigned n) { return arena_append(&device, p, n); }
arena_ref_t core_ref(const void *p, unsigned n);
arena_ref_t core_ref(const void *p, unsigned n) { return arena_ref(&device, p, n); }
arena_view_t core_value(arena_ref_t r);
arena_view_t core_value(arena_ref_t r) { return arena_value(&device, r); }
void core_reset(void);
void core_reset(void) { arena_reset(&device); }
void core_release(void);
void core_release(void) { arena_release(&device); }
END
cat >"$out/memory.c" <<'END'
/* The four functions that a compiler takes for granted. A device has them; they are not counted. */
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
int memcmp(const void *p, const void *q, size_t n);
void *memcpy(void *to, const void *from, size_t n) { (void)from; (void)n; return to; }
void *memmove(void *to, const void *from, size_t n) { (void)from; (void)n; return to; }
void *memset(void *to, int value, size_t n) { (void)value; (void)n; return to; }
int memcmp(const void *p, const void *q, size_t n) { (void)p; (void)q; (void)n; return 0; }
END
if ! $cc -Os -mcpu=cortex-m0 -mthumb -ffreestanding -fno-builtin -c "$out/memory.c" \
    -o "$out/memory.o" >"$out/log" 2>&1; then
    fail "the memory functions build" "$out/log"
    finish
fi

# link NAME OBJECTS...: links the core out of them and sets text to its bytes. Everything that is
# linked counts, libgcc's helpers and constants included; only the four functions above do not.
link() {
    elf=$out/$1.elf
    shift
    keep=
    for name in start append ref value reset release; do keep="$keep -Wl,-u,core_$name"; done
    check "the core links without libc: $(basename "$elf" .elf)" $cc -mcpu=cortex-m0 -mthumb -nostdlib \
        -Wl,--gc-sections -Wl,-e,core_start $keep "$@" "$out/memory.o" -lgcc -o "$elf"
    [ -f "$elf" ] || finish
    text=$(arm-none-eabi-size "$elf" | awk 'NR == 2 { print $1 }')
    memory=$(arm-none-eabi-nm -S -t d --defined-only "$elf" |
        awk '$4 ~ /^mem(cpy|move|set|cmp)$/ { n += $2 } END { print n + 0 }')
    text=$((text - memory))
}

check "its user builds" $cc $flags -c "$out/core.c" -o "$out/core.o"
[ "$failed" = 0 ] || finish
link chunks "$out/core.o" "$out/all.o"
echo "the core with chunks, in files of its own: $text bytes of text"
check "its user builds: ARENA_FIXED" $cc $flags -DARENA_FIXED -c "$out/core.c" -o "$out/core_fixed.o"
check "arena.h builds: ARENA_FIXED" $cc $flags -DARENA_FIXED -c "$out/all.c" -o "$out/all_fixed.o"
link fixed "$out/core_fixed.o" "$out/all_fixed.o"
echo "the same with ARENA_FIXED: $text"
printf '#define ARENA_STATIC\n#define ARENA_IMPLEMENTATION\n' | cat - "$out/core.c" >"$out/one.c"
check "one file builds" $cc $flags -DARENA_FIXED -c "$out/one.c" -o "$out/one.o"
link one "$out/one.o"
echo "the same in one file, with ARENA_FIXED and ARENA_STATIC: $text (at most $LIMIT), these functions:"
arm-none-eabi-nm -S -t d --size-sort --defined-only "$elf" | awk '
    $3 ~ /^[tTrR]$/ && $4 !~ /^mem(cpy|move|set|cmp)$/ { printf "  %6d %s\n", $2, $4 }'
if [ "$text" -gt 0 ] && [ "$text" -le "$LIMIT" ]; then pass "core size"
else fail "core: $text bytes, at most $LIMIT"; fi
finish
