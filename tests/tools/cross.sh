#!/bin/sh
# cross.sh OUT ARCH...: the test program on other processors, under qemu's user emulation. Big
# endian: s390x mips powerpc m68k; 32 bits: i386 armhf mips powerpc m68k; m68k aligns everything to
# 2 bytes. ARGS are arguments of the test program. OPT is the optimisation.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/lib.sh
out=$1
shift
mkdir -p "$out"

for arch in "$@"; do
    # Static programs need no folder of the target's libraries.
    case $arch in
    i386) compiler="gcc-12 -m32" emulator=qemu-i386 ;;
    aarch64) compiler=aarch64-linux-gnu-gcc emulator=qemu-aarch64 ;;
    armhf) compiler=arm-linux-gnueabihf-gcc emulator=qemu-arm ;;
    riscv64) compiler=riscv64-linux-gnu-gcc emulator=qemu-riscv64 ;;
    s390x) compiler=s390x-linux-gnu-gcc emulator=qemu-s390x ;;
    mips) compiler=mips-linux-gnu-gcc emulator=qemu-mips ;;
    powerpc) compiler=powerpc-linux-gnu-gcc emulator=qemu-ppc ;;
    m68k) compiler=m68k-linux-gnu-gcc emulator=qemu-m68k ;;
    *) fail "unknown processor $arch"; continue ;;
    esac
    have ${compiler%% *} || { skip "$arch" "there is no ${compiler%% *}"; continue; }
    have $emulator || { skip "$arch" "there is no $emulator"; continue; }
    if [ $arch = i386 ] &&
        ! echo 'int main(void) { return 0; }' | $compiler -static -x c - -o "$out/try" 2>/dev/null
    then
        skip "$arch" "$compiler has no 32-bit libraries (gcc-12-multilib)"
        continue
    fi
    if ! $compiler -std=c99 ${OPT:--O1} -Wall -Wextra -Werror -DARENA_WARNINGS -static tests/main.c $families \
        -pthread -o "$out/tests-$arch" >"$out/log" 2>&1; then
        fail "$arch builds" "$out/log"
        continue
    fi
    if $emulator "$out/tests-$arch" ${ARGS:-} >"$out/log" 2>&1; then
        pass "$arch"
        echo "$arch: $(tail -n 1 "$out/log")"
    else
        fail "$arch" "$out/log"
        tail -n 1 "$out/log"
    fi
done
finish
