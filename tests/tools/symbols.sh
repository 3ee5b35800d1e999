#!/bin/sh
# symbols.sh OUT: what arena.h adds to a program.
# - symbols of the object: arena_ only, as C and as C++, and no external ones with ARENA_STATIC;
# - macros: ARENA_ and arena_ only, by the preprocessor's own listing, which says where each stands;
# - what the object asks of libc: nothing that allocates once ARENA_MALLOC and ARENA_FREE are given,
#   with ARENA_NO_STDLIB nothing at all but the four memory functions that every compiler demands,
#   and none of those either when they are replaced;
# - identifiers that the language reserves (clang's -Wreserved-identifier, as C and as C++).
# LEVELS are the optimisations to look at.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
rm -rf "$out"
mkdir -p "$out"
CC=${CC:-cc}
CXX=${CXX:-c++}
have nm || { skip "symbols" "there is no nm"; finish; }
case $($CC -dumpmachine 2>/dev/null) in
*-linux*) ;;
*) skip "symbols" "$CC does not make objects for Linux, whose names have no prefix"; finish ;;
esac

printf '#define ARENA_IMPLEMENTATION\n#include "arena.h"\n' >"$out/impl.c"
printf '#define ARENA_STATIC\n#define ARENA_IMPLEMENTATION\n#include "arena.h"\n' >"$out/static.c"
cat >"$out/user.c" <<'END'
#include "arena.h"
ARENA_DEFINE(demo, int);
ARENA_DECLARE(demo_kin);
ARENA_DEFINE_DECLARED(demo_kin, int);
ARENA_SLICE_DEFINE(demo_of, int);
ARENA_POOL_DEFINE(demo_pool, int);
ARENA_POOL_DECLARE(demo_kin_pool);
ARENA_POOL_DEFINE_DECLARED(demo_kin_pool, int);
END
cat >"$out/own.c" <<'END'
#include <stddef.h>
void *arena_own_malloc(size_t n);
void arena_own_free(void *p);
#define ARENA_MALLOC(n) arena_own_malloc(n)
#define ARENA_FREE(p) arena_own_free(p)
#define ARENA_IMPLEMENTATION
#include "arena.h"
END
cat >"$out/alone.c" <<'END'
#include <stddef.h>
void *arena_own_copy(void *to, const void *from, size_t n);
void *arena_own_set(void *to, int value, size_t n);
int arena_own_compare(const void *p, const void *q, size_t n);
#define ARENA_MEMCPY(to, from, n) arena_own_copy(to, from, n)
#define ARENA_MEMMOVE(to, from, n) arena_own_copy(to, from, n)
#define ARENA_MEMSET(to, value, n) arena_own_set(to, value, n)
#define ARENA_MEMCMP(p, q, n) arena_own_compare(p, q, n)
#define ARENA_NO_STDLIB
#define ARENA_IMPLEMENTATION
#include "arena.h"
END
{ echo '#define ARENA_NO_STDLIB'; cat "$out/impl.c"; } >"$out/freestanding.c"

# Succeeds if standard input is empty; prints it otherwise.
nothing() {
    found=$(cat)
    [ -z "$found" ] || { echo "$found"; return 1; }
}
defined_outside() { nm -g --defined-only "$1" | awk '{ print $3 }' | grep -v '^arena_' | nothing; }
# Functions and data with internal linkage count as well, a private constant ARENA_X_ included. A
# compiler may add suffixes such as .part.0, tables of its own (CSWTCH), and static variables of
# functions are called name.N.
locals_outside() {
    nm -C --defined-only "$1" | awk '$2 ~ /^[tdbr]$/ { print $3 }' |
        grep -Ev '^(arena_|ARENA_|_?\.|CSWTCH|__func__|__PRETTY_|[a-z_]+\.[0-9]+$)' | nothing
}
nothing_external() { nm -g --defined-only "$1" | awk '{ print $3 }' | nothing; }
has_symbols() { nm -g --defined-only "$1" | grep -q ' T arena_' || { nm "$1"; return 1; }; }
undefined_none_of() { # OBJECT REGEX
    nm -u "$1" | awk '{ print $2 }' | sed 's/@.*//' | grep -Ex "$2" | nothing
}
undefined_only() { # OBJECT REGEX
    nm -u "$1" | awk '{ print $2 }' | sed 's/@.*//' | grep -Evx "$2" | nothing
}
allocators='malloc|calloc|realloc|reallocarray|free|aligned_alloc|memalign|posix_memalign|valloc'
allocators="$allocators|strdup|strndup|asprintf|vasprintf|alloca|mmap|munmap|sbrk|brk"
allocators="$allocators|_Znw.*|_Zna.*|_Zd.*"

always='_GLOBAL_OFFSET_TABLE_|__stack_chk_fail'
for compiler in "$CC" "$CXX"; do
    if ! have "${compiler%% *}"; then skip "symbols of C++" "there is no $compiler"; continue; fi
    if [ "$compiler" = "$CXX" ]; then language="-x c++ -std=c++11" name="C++"
    else language="-std=c99" name="C"; fi
    for level in ${LEVELS:--O0}; do
        for unit in impl static own alone freestanding; do
            extra=
            [ $unit != freestanding ] && [ $unit != alone ] || extra=-ffreestanding
            rm -f "$out/$unit.o"
            check "$name $level: $unit builds" \
                $compiler $language $level $extra -I. -c "$out/$unit.c" -o "$out/$unit.o"
        done
        check "$name $level: there are symbols to look at" has_symbols "$out/impl.o"
        check "$name $level: external symbols" defined_outside "$out/impl.o"
        check "$name $level: internal symbols" locals_outside "$out/impl.o"
        check "$name $level: nothing external with ARENA_STATIC" nothing_external "$out/static.o"
        check "$name $level: no allocation beside the hook" \
            undefined_none_of "$out/own.o" "$allocators"
        check "$name $level: the default hook asks for malloc and free alone" \
            undefined_none_of "$out/impl.o" "$(echo "$allocators" | sed 's/^malloc|//; s/|free|/|/')"
        check "$name $level: ARENA_NO_STDLIB needs four memory functions at most" \
            undefined_only "$out/freestanding.o" "memcpy|memmove|memset|memcmp|$always"
        check "$name $level: and calls none of them itself when they are replaced" \
            undefined_only "$out/alone.o" "(_Z[0-9]+)?arena_own_.*|$always"
    done
done

# The preprocessor writes every #define in place and says which file it stands in.
macros_of() { # LANGUAGE FILE
    $CC $1 -I. -E -dD "$2" | awk '
        /^# [0-9]+ "/ { file = $3 }
        /^#define / && file ~ /(^|\/|")arena\.h"$/ { name = $2; sub(/\(.*/, "", name); print name }'
}
macros_outside() { macros_of "$1" "$2" | grep -Ev '^(ARENA_|arena_)' | nothing; }
macros_found() { [ "$(macros_of "$1" "$2" | grep -c '^ARENA_')" -gt 10 ]; }
case $($CC --version 2>/dev/null) in
*tcc*|'') skip "macros" "$CC cannot list macros with their place" ;;
*)
    for unit in user impl static freestanding; do
        check "macros are found: $unit" macros_found "-std=c99" "$out/$unit.c"
        check "macros: $unit" macros_outside "-std=c99" "$out/$unit.c"
    done ;;
esac

reserved="-fsyntax-only -I. -Wreserved-identifier -Wreserved-macro-identifier -Werror"
if have clang; then
    check "no reserved identifier as C" clang -std=c99 $reserved "$out/impl.c"
    check "no reserved identifier as C++" clang++ -std=c++11 -x c++ $reserved "$out/impl.c"
    check "no reserved identifier in what the macros make" clang -std=c99 $reserved "$out/user.c"
    printf '#define ARENA_IMPLEMENTATION\n#include "arena.h"\nint arena__x;\n' >"$out/planted.c"
    if clang++ -std=c++11 -x c++ $reserved "$out/planted.c" >"$out/log" 2>&1; then
        fail "clang reports a planted reserved identifier"
    else
        pass "clang reports a planted reserved identifier"
    fi
else
    skip "reserved identifiers" "there is no clang"
fi
finish
