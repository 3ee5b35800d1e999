"""Counts instructions and conditional branches on the hot paths of x86-64 assembly, as gcc and
clang print it.

    count.py LIMITS COMPILER FILE.s

A hot path of a function is any way through it that ends in ret, or in a jump to memcpy, and calls
no function whose name begins with arena_: those are the cold ones. For each function the shortest
and the longest hot path are printed. LIMITS has lines `function instructions branches`: the most
that the longest hot path may have. Exit status 1 if a function has more, or has an atomic
instruction on a hot path; 2 if a function is missing or has no hot path.
"""

import re
import sys

ATOMIC = re.compile(r"^(lock|xchg|mfence|lfence|sfence|cmpxchg|xadd|rep;? ?nop)")


def parse(path):
    """All instructions in order, and where each label stands."""
    instructions, labels = [], {}
    for line in open(path):
        line = line.split("#")[0].strip()
        for name in re.findall(r"([.\w$]+):", line) if re.match(r"[.\w$]+:", line) else []:
            labels[name] = len(instructions)
        line = re.sub(r"^[.\w$]+:\s*", "", line)
        if not line or line.startswith("."):
            continue
        instructions.append(re.split(r"\s+", line, maxsplit=1))
    return instructions, labels


class Function:
    def __init__(self, name, instructions, labels):
        self.instructions, self.labels = instructions, labels
        self.known, self.open = {}, set()
        self.short, self.long = self.walk(labels[name]) or (None, None)

    def walk(self, i):
        """(instructions, branches, atomics) of the shortest and of the longest hot path from i on.

        None if there is no hot path.
        """
        if i in self.known:
            return self.known[i]
        if i in self.open:
            return None  # a loop: not entered twice
        self.open.add(i)
        words = self.instructions[i]
        op, rest = words[0], words[1] if len(words) > 1 else ""
        target = rest.split("@")[0].lstrip("*")
        cost = 0 if op in ("endbr64", "nop", "nopw", "nopl") else 1
        atomic = 1 if ATOMIC.match(op) or (op == "xchg" and "(" in rest) else 0
        ways = []
        if op in ("ret", "retq", "rep") and "ret" in " ".join(words):
            ways.append(((0, 0, 0), (0, 0, 0)))
        elif op in ("jmp", "jmpq"):
            if target in self.labels and not target.startswith("arena_"):
                ways.append(self.walk(self.labels[target]))
            elif not target.startswith("arena_"):
                ways.append(((0, 0, 0), (0, 0, 0)))  # memcpy as the last thing done
        elif op.startswith("j"):
            for at in (i + 1, self.labels.get(target)):
                way = self.walk(at) if at is not None else None
                ways.append(way and tuple((n, b + 1, a) for n, b, a in way))
        elif op.startswith("call") and target.startswith("arena_"):
            pass
        else:
            ways.append(self.walk(i + 1))
        ways = [way for way in ways if way]
        self.open.discard(i)
        best = None
        if ways:
            best = tuple(
                (n + cost, b, a + atomic)
                for n, b, a in (min(way[0] for way in ways), max(way[1] for way in ways))
            )
        self.known[i] = best
        return best


def main():
    limits_path, compiler, path = sys.argv[1:]
    instructions, labels = parse(path)
    failed = 0
    for line in open(limits_path):
        if not line.strip() or line.startswith("#"):
            continue
        name, most, branches = line.split()[:3]
        if name not in labels:
            print(f"{compiler}: {name} is missing in {path}")
            return 2
        f = Function(name, instructions, labels)
        if f.long is None:
            print(f"{compiler}: {name} has no hot path")
            return 2
        verdict = ""
        if f.long[0] > int(most) or f.long[1] > int(branches):
            verdict = f"  MORE than the limit of {most} and {branches}"
        if f.long[2] or f.short[2]:
            verdict += "  an ATOMIC instruction"
        failed += verdict != ""
        same = f.short[:2] == f.long[:2]
        text = f"{f.long[0]:3}" if same else f"{f.short[0]:3} to {f.long[0]}"
        jumps = f"{f.long[1]}" if same else f"{f.short[1]} to {f.long[1]}"
        print(f"{compiler:8} {name:18} {text:12} instructions, {jumps:8} branches{verdict}")
    return 1 if failed else 0


sys.exit(main())
