#!/usr/bin/env python3
"""Mutation test of arena.h: changes one token, statement or condition at a time; do the tests notice?

    mutants.py OUT [--count N|all] [--seed S] [--jobs J] [--threshold P] [--line FROM-TO] [--list]
                   [--functions REGEX] [--families "NAME..."] [--first] [--again REPORT]

--line and --functions restrict the mutants to some lines, and to functions and macros whose name
matches; --families takes the tests of some families alone, and --first the first build alone, which
is faster. --again tries those that survived by the report.txt of an earlier run.

Which mutants are tried follows from the seed and from what they change, not from where it stands: a
sample stays what it is when other lines of arena.h change.

A mutant is killed if the test program fails, crashes or takes more processor time than its limit;
the first test that fails ends it. The builds, in this order, each for the mutants that those before
it let live:
  - tcc, if there is one: it builds everything in a fifth of a second;
  - gcc -O1: what only constants reach (ARENA_CONSTANT_) is not compiled without optimization;
  - gcc with AddressSanitizer and UBSan, since `make asan` and `make ubsan` belong to the tests;
  - gcc with ARENA_DEBUG=3, only for what the others do not compile.
Fast families of tests come first, and those of the span pool first for its mutants. A change behind
ARENA_IMPLEMENTATION leaves the object files of the tests that see declarations alone as they are,
and those of the tests with an implementation of their own for another part: the pool, or the rest.

A mutant is tried by the builds that compile its line, found by preprocessing every test in every
build. It counts neither as killed nor as survived, and another one takes its place,
  - where no build compiles its line: the branches for other compilers and processors, without libc
    or atomics, valgrind and the other sanitizers;
  - where it does not compile;
  - where the machine code is the original's, at -O1 with all inline functions kept, in every build
    that has the line: nothing changed that is compiled here;
  - where tests/tools/survivors.txt gives a reason that begins with "equivalent": no test can tell.
What remains survived; survivors.txt says why. Exit status 1 if fewer than P per cent of those
killed or survived were killed, or if survivors.txt has a reason without its mutant.
"""
import argparse
import hashlib
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading

TOKEN = re.compile(r"""
    (?P<space>[ \t\r\f\v]+|\\\n) | (?P<newline>\n) |
    (?P<comment>/\*.*?\*/|//[^\n]*) |
    (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*') |
    (?P<number>(?:0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*(?![\w.])) |
    (?P<other_number>[0-9][\w.]*) |
    (?P<name>[A-Za-z_]\w*) |
    (?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|.)
""", re.X | re.S)

SWAPS = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"], "<<": [">>"], ">>": ["<<"],
    "&": ["|"], "|": ["&"], "^": ["|"],
    "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="], "^=": ["|="],
    "++": ["--"], "--": ["++"], "!": [""], "~": [""],
}
NAME_SWAPS = {"true": ["false"], "false": ["true"], "break": [""], "continue": [""]}
KEYWORDS = set("if else for while do switch case default return goto break continue typedef static "
               "extern const struct union enum unsigned signed char short int long float double "
               "void size_t bool inline sizeof volatile uint8_t uint16_t uint32_t uint64_t "
               "uintptr_t va_list ARENA_INLINE ARENA_API ARENA_COLD_".split())
CLOSES = {")": "(", "]": "[", "}": "{"}


class Token:
    __slots__ = ("kind", "text", "at", "line", "directive", "macro")

    def __init__(self, kind, text, at, line, directive, macro):
        self.kind, self.text, self.at, self.line = kind, text, at, line
        self.directive, self.macro = directive, macro


def tokens_of(text):
    """Every token but space and comments. directive: the name of the directive that the line belongs
    to, or None. macro: whether it stands in the body of a #define."""
    result = []
    line, directive, body, fresh = 1, None, False, True
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        kind, piece = match.lastgroup, match.group()
        if kind == "newline":
            directive, body, fresh = None, False, True
        elif kind not in ("space", "comment"):
            if fresh and piece == "#":
                word = re.compile(r"#[ \t]*(\w+)").match(text, position)
                directive = word.group(1) if word else "#"
                body = False
                define = re.compile(r"#[ \t]*define[ \t]+\w+(\([^)]*\))?").match(text, position)
                body_from = define.end() if define else None
            if directive == "define" and body_from is not None and position >= body_from:
                body = True
            result.append(Token(kind, piece, position, line, directive, body))
            fresh = False
        line += piece.count("\n")
        position = match.end()
    return result


def blank(text, keep):
    """keep, then spaces: as long as text and with its line ends, so that no other line moves."""
    out = []
    for i, c in enumerate(text):
        out.append(c if c in "\n" or (c == "\\" and text[i + 1:i + 2] == "\n") else " ")
    first_line = text.find("\\\n") if "\\\n" in text else text.find("\n")
    room = len(text) if first_line < 0 else first_line
    return keep + "".join(out[len(keep):]) if len(keep) <= room else None


def matching(tokens, i):
    depth = 0
    for j in range(i, len(tokens)):
        if tokens[j].text in "([{" and tokens[j].kind == "op":
            depth += 1
        elif tokens[j].text in ")]}" and tokens[j].kind == "op":
            depth -= 1
            if depth == 0:
                return j
    return None


def candidates(text):
    """(position, length, replacement, line, what) of every mutant, in the order of the file."""
    tokens = tokens_of(text)
    depth = 0
    found = []

    def add(first, last, replacement, what):
        start, end = tokens[first].at, tokens[last].at + len(tokens[last].text)
        found.append((start, end - start, replacement, tokens[first].line, what))

    for i, t in enumerate(tokens):
        if t.directive is not None and not t.macro:
            continue
        before = tokens[i - 1] if i else None
        after = tokens[i + 1] if i + 1 < len(tokens) else None
        if t.kind == "op" and t.text == "{":
            depth += 1
        if t.kind == "op" and t.text == "}":
            depth = max(0, depth - 1)
        inside = depth > 0 or t.macro
        # Nothing outside a function is a statement.
        if not inside or before is None or after is None:
            continue
        behind = t.at + len(t.text)
        spaced = text[t.at - 1] in " \n" and text[behind:behind + 1] in (" ", "\n")
        if t.kind == "op" and t.text in SWAPS:
            binary_only = t.text in ("*", "&", "-", "+", "<", ">", "/", "%", "|", "^")
            if not binary_only or (spaced and before.text not in ("(", ",", "=", "return")):
                for other in SWAPS[t.text]:
                    add(i, i, other, "%s -> %s" % (t.text, other or "(nothing)"))
        elif t.kind == "number":
            digits = t.text.rstrip("uUlL")
            suffix = t.text[len(digits):]
            octal = digits[0] == "0" and digits.isdigit()
            value = int(digits, 8) if octal else int(digits, 0)
            for other in ([value + 1] if value == 0 else [value + 1, value - 1]):
                add(i, i, "%d%s" % (other, suffix), "%s -> %d" % (t.text, other))
        elif t.kind == "name" and t.text in NAME_SWAPS:
            for other in NAME_SWAPS[t.text]:
                add(i, i, other, "%s -> %s" % (t.text, other or "(nothing)"))
        elif t.kind == "name" and t.text in ("if", "while") and after.text == "(":
            close = matching(tokens, i + 1)
            if close is not None:
                start, end = tokens[i + 1].at, tokens[close].at + 1
                for value in ("1", "0") if t.text == "if" else ("0",):
                    replacement = blank(text[start:end], "(%s)" % value)
                    if replacement is not None:
                        what = "%s (...) -> %s (%s)" % (t.text, t.text, value)
                        found.append((start, end - start, replacement, t.line, what))
        elif t.text == "return" and after.text not in (";", "0", "NULL", "true", "false"):
            end = i + 1
            while end < len(tokens) and tokens[end].text != ";":
                end += 1
            if end < len(tokens):
                start, stop = after.at, tokens[end].at
                replacement = blank(text[start:stop], "0")
                if replacement is not None:
                    what = "return ... -> return 0"
                    found.append((start, stop - start, replacement, t.line, what))
        # An expression statement: from a statement's beginning to its semicolon.
        begins = before.text in (";", "{", "}", "else", ")")
        if begins and (t.kind == "name" or t.text in ("*", "++", "--")) and t.text not in KEYWORDS:
            pointer = after.text == "*" and tokens[i + 2].kind == "name"
            if t.kind == "name" and (after.kind == "name" or pointer):
                continue  # a declaration
            if before.text == ")" and not follows_condition(tokens, i - 1):
                continue
            end = i
            level = 0
            while end < len(tokens) and not (tokens[end].text == ";" and level == 0):
                if tokens[end].text in ("(", "[", "{"):
                    level += 1
                elif tokens[end].text in (")", "]", "}"):
                    level -= 1
                if level < 0:
                    break
                end += 1
            if level == 0 and end < len(tokens) and end > i:
                start, stop = t.at, tokens[end].at
                replacement = blank(text[start:stop], "")
                found.append((start, stop - start, replacement, t.line, "statement deleted"))
    # Of several equal changes of one line the second is called so, and so on.
    seen = {}
    for n, (start, length, replacement, line, what) in enumerate(found):
        seen[line, what] = seen.get((line, what), 0) + 1
        if seen[line, what] > 1:
            found[n] = start, length, replacement, line, "%s (%d)" % (what, seen[line, what])
    return found


def follows_condition(tokens, close):
    """Whether the parenthesis that closes here belongs to if, for or while."""
    depth = 0
    for j in range(close, -1, -1):
        if tokens[j].text == ")":
            depth += 1
        elif tokens[j].text == "(":
            depth -= 1
            if depth == 0:
                return j > 0 and tokens[j - 1].text in ("if", "for", "while")
    return False


def owners_of(lines):
    """The function or macro that each line belongs to."""
    start = re.compile(r"#define[ \t]+(\w+)|[A-Za-z_][\w \t*]*?\b(\w+)\(")
    owner, owners = "", []
    for line in lines:
        match = start.match(line)
        if match:
            owner = match.group(1) or match.group(2)
        owners.append(owner)
    return owners


def limits():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))


def call(command, seconds, cwd=None, memory=None):
    """Exit status, or None if it took more seconds of the processor than allowed. Those of the
    clock say little on a busy machine, and end only what waits for ever."""
    def limit():
        limits()
        most = math.ceil(seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    nothing = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=cwd, stdin=nothing, stdout=nothing, stderr=nothing,
                               start_new_session=True, preexec_fn=limit)
    try:
        status = process.wait(timeout=60 + 10 * seconds)
        return None if status in (-signal.SIGXCPU, -signal.SIGKILL) else status
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


def processor_time():
    """Seconds that all programs called so far have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Stage:
    """A compiler with flags; builds the test program in a worker's folder and runs it."""

    def __init__(self, name, compiler, flags, at_once=False, memory_limit=True, rest=False):
        self.name, self.compiler, self.flags = name, compiler, flags
        self.at_once, self.memory_limit = at_once, memory_limit
        self.rest = rest                       # for what no other build compiles
        self.seconds = self.active = self.code = None
        self.folder = re.sub(r"\W+", "_", name)

    def command(self, table):
        return [self.compiler] + self.flags + ["-w", "-DTEST_TABLE=\"%s\"" % table, "-Itests"]

    def build(self, folder, sources, changed, table):
        """Compiles the sources that changed. The objects of the original are in original/."""
        command, program = self.command(table), ["-pthread", "-o", "program"]
        if self.at_once:
            return call(command + sources + program, 300, folder)
        objects = []
        for source in sources:
            name = os.path.basename(source)[:-2] + ".o"
            kept = os.path.join(self.folder, "original", name)
            made = os.path.join(self.folder, name)
            if source in changed or not os.path.exists(os.path.join(folder, kept)):
                os.makedirs(os.path.join(folder, self.folder, "original"), exist_ok=True)
                status = call(command + ["-c", source, "-o", made], 300, folder)
                if status != 0:
                    return status
                objects.append(made)
            else:
                objects.append(kept)
        return call([self.compiler] + self.flags + objects + program, 300, folder)

    def keep(self, folder):
        """What was built is the original's."""
        if not self.at_once:
            here = os.path.join(folder, self.folder)
            for name in os.listdir(here):
                if name.endswith(".o"):
                    os.replace(os.path.join(here, name), os.path.join(here, "original", name))

    def run(self, folder, seconds, arguments):
        # A mutant may ask for memory without end. The tests with gigabytes are left out for it.
        memory = 6 << 30 if self.memory_limit else None
        return call(["./program", "-x"] + arguments, seconds, folder, memory)

    def machine_code(self, folder):
        """The implementation and all that the macros make, kept in full: for comparing."""
        flags = [f for f in self.flags if not re.match(r"-O|-g", f)]
        flags = [f.replace(",undefined", "") for f in flags]   # UBSan's notes tell columns
        if self.compiler.startswith("gcc"):
            flags += ["-O1", "-fkeep-inline-functions", "-fkeep-static-functions"]
        command = [self.compiler] + flags + ["-w", "-c", "tests/compile/alone.c", "-o", "same.o"]
        if call(command, 120, folder) != 0:
            return None
        with open(os.path.join(folder, "same.o"), "rb") as stream:
            return stream.read()


LANES = re.compile(r"arena_(group_|core_join_|claim_number_|return_number_|cas|and32|or32)")
BRANCH = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b")


def branches_of(text):
    """The text with a pragma behind each line that begins or ends a conditional part, and for each
    line the number of its part."""
    out, part_of, part, directive = [], [], 0, False
    for number, line in enumerate(text.split("\n"), 1):
        directive = directive or bool(BRANCH.match(line))
        part_of.append(part)
        out.append(line)
        if directive and not line.endswith("\\"):
            part, directive = number, False
            out.append("#pragma arena_part %d" % part)
    return "\n".join(out), part_of


def active_parts(stage, folder, sources):
    """The parts that some test is compiled with, arena.h being the text with pragmas."""
    parts = {0}
    for source in sources:
        command = stage.command("first.def") + ["-E", source]
        text = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True,
                              stderr=subprocess.DEVNULL).stdout.decode("utf-8", "replace")
        parts.update(int(n) for n in re.findall(r"#[ \t]*pragma arena_part (\d+)", text))
    return parts


def families_of(folder, wanted):
    """The families, all or those wanted, and their rows. Gigabytes are nothing for a mutant."""
    rows = {}
    with open(os.path.join(folder, "tests/tests.def")) as stream:
        for line in stream:
            match = re.match(r"T\((\w+),", line)
            if match and match.group(1) != "huge" and (not wanted or match.group(1) in wanted):
                rows.setdefault(match.group(1), []).append(line)
    return rows


def write_table(path, rows, order):
    with open(path, "w") as stream:
        for name in order:
            stream.writelines(rows[name])


REASON = re.compile(r"(.*) \|\| ((?:if \(\.\.\.\) -> if \([01]\)|while \(\.\.\.\) -> while \(0\)|"
                    r"return \.\.\. -> return 0|statement deleted|\S+ -> \S+)"
                    r"(?: \(\d+\))?) \|\| (.*)")


def read_reasons(path):
    """source line || mutation || reason. Lines are compared without their indentation, so that moved
    code keeps its reasons. "1 -> 2 (2)" is the second such change of a line, "1 -> 2" stands for all
    that have no reason of their own."""
    reasons = {}
    if os.path.exists(path):
        with open(path) as stream:
            for line in stream:
                match = None if line.startswith("#") else REASON.match(line.strip())
                if match:
                    reasons[match.group(1).strip(), match.group(2)] = match.group(3)
    return reasons


def alike(what):
    """A change without its number among equal ones of its line."""
    return re.sub(r" \(\d+\)$", "", what)


def in_order(every, lines, owners, seed):
    """The mutants as they are tried."""
    seen, keys = {}, []
    for _, _, _, line, what in every:
        place = (owners[line - 1], lines[line - 1].strip(), what)
        seen[place] = seen.get(place, 0) + 1
        text = "\n".join(place + (str(seen[place]), str(seed)))
        keys.append(hashlib.sha256(text.encode()).digest())
    return [every[i] for i in sorted(range(len(every)), key=keys.__getitem__)]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--count", default="all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--threshold", type=float, default=95)
    parser.add_argument("--line", default="")
    parser.add_argument("--functions", default="")
    parser.add_argument("--families", default="")
    parser.add_argument("--again", default="")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(os.path.join(top, "arena.h")) as stream:
        original = stream.read()
    every = candidates(original)
    lines = original.split("\n")
    owners = owners_of(lines)
    every = in_order(every, lines, owners, options.seed)
    reasons = read_reasons(os.path.join(top, "tests/tools/survivors.txt"))
    there = set((lines[m[3] - 1].strip(), what) for m in every for what in (m[4], alike(m[4])))
    stale = [reason for reason in reasons if reason not in there]
    for source, what in stale:
        print("FAILED  a reason without its mutant: %s: %s" % (what, source))
    if options.line:
        low, high = (int(part) for part in options.line.split("-"))
        every = [m for m in every if low <= m[3] <= high]
    if options.functions:
        every = [m for m in every if re.search(options.functions, owners[m[3] - 1])]
    if options.again:
        with open(options.again) as stream:
            again = set(line.split(":", 2)[2].strip() for line in stream if ": survived: " in line)
        every = [m for m in every if "survived: %s : %s" % (m[4], lines[m[3] - 1].strip()) in again]
    if options.list:
        for at, length, new, line, what in sorted(every):
            print("arena.h:%d: %s: %s" % (line, what, lines[line - 1].strip()))
        print("%d mutants" % len(every))
        return 0
    wanted = len(every) if options.count == "all" else int(options.count)

    out = os.path.abspath(options.out)
    stages = []
    if shutil.which("tcc"):
        stages.append(Stage("tcc", "tcc", ["-std=c99"], at_once=True))
    gcc = next((c for c in ("gcc-12", "gcc", "clang") if shutil.which(c)), None)
    if gcc is None:
        print("skipped mutants: there is no gcc or clang")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    stages.append(Stage(gcc + " -O1", gcc, ["-std=c99", "-O1"]))
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    stages.append(Stage("ASan, UBSan", gcc, ["-std=c99", "-O0", "-g1"] + sanitizers,
                        memory_limit=False))
    stages.append(Stage("ARENA_DEBUG=3", gcc, ["-std=c99", "-O0", "-DARENA_DEBUG=3"], rest=True))
    if options.first:
        del stages[1:]

    folders = []
    for n in range(options.jobs):
        folder = os.path.join(out, "worker%d" % n)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        shutil.copytree(os.path.join(top, "tests"), os.path.join(folder, "tests"))
        shutil.copy(os.path.join(top, "arena.h"), folder)
        folders.append(folder)
    first = folders[0]
    rows = families_of(first, options.families.split())
    sources = ["tests/main.c"] + ["tests/%s.c" % name for name in rows]
    implementing = []
    for source in sources:
        with open(os.path.join(first, source)) as stream:
            if re.search(r"^#define ARENA_IMPLEMENTATION", stream.read(), re.M):
                implementing.append(source)
    for folder in folders:
        write_table(os.path.join(folder, "tests/first.def"), rows, rows)

    marked, part_of = branches_of(original)
    for stage in list(stages):
        if stage.build(first, sources, sources, "first.def") != 0:
            print("left out: %s does not build the original" % stage.name)
            stages.remove(stage)
            continue
        stage.keep(first)
        stage.took, begin = {}, processor_time()
        for name in rows:
            since = processor_time()
            tests = ["_".join(re.findall(r"\w+", row[1:])) for row in rows[name]]
            status = stage.run(first, 600, tests)
            stage.took[name] = processor_time() - since
            if status != 0:
                break
        stage.seconds = 3 * (processor_time() - begin) + 5
        if status != 0:
            print("left out: %s does not pass %s with the original" % (stage.name, name))
            stages.remove(stage)
            continue
        stage.code = stage.machine_code(first)
        with open(os.path.join(first, "arena.h"), "w") as stream:
            stream.write(marked)
        stage.active = active_parts(stage, first, sources + ["tests/compile/alone.c"])
        with open(os.path.join(first, "arena.h"), "w") as stream:
            stream.write(original)
    if not stages:
        print("FAILED  mutants: the tests do not pass without a mutation")
        print("0 passed, 1 failed, 0 skipped")
        return 1
    # What is fast comes first; for the pool, its own tests.
    fast = sorted(rows, key=lambda name: stages[0].took[name])
    tables = {"first.def": fast,
              "pool.def": sorted(fast, key=lambda name: not name.startswith("pool"))}
    for folder in folders:
        for name, order_of in tables.items():
            write_table(os.path.join(folder, "tests", name), rows, order_of)
        for stage in stages:
            if folder != first and not stage.at_once:
                shutil.copytree(os.path.join(first, stage.folder),
                                os.path.join(folder, stage.folder))
    declared = original[:original.index("\n#ifdef ARENA_IMPLEMENTATION\n")].count("\n") + 1
    print("%d mutants of %d, seed %d; builds: %s" %
          (min(wanted, len(every)), len(every), options.seed,
           ", ".join("%s (limit %.0f s)" % (s.name, s.seconds) for s in stages)))
    sys.stdout.flush()

    lock = threading.Lock()
    state = {"next": 0, "killed": 0, "counted": 0}
    tally = {"not compiled": 0, "does not compile": 0, "same code": 0, "equivalent": 0}
    killed_by = {}
    survivors = []
    report = open(os.path.join(out, "report.txt"), "w")

    def judge(folder, mutant):
        at, length, new, line, what = mutant
        with open(os.path.join(folder, "arena.h"), "w") as stream:
            stream.write(original[:at] + new + original[at + length:])
        part = part_of[line - 1]
        having = [stage for stage in stages if part in stage.active]
        having = [stage for stage in having if not stage.rest] or having
        if not having:
            return "not compiled", ""
        pool = re.match(r"arena_pool_|ARENA_POOL_", owners[line - 1])
        changed = sources
        if line > declared:
            changed = [source for source in implementing if source == "tests/main.c" or
                       bool(pool) == source.startswith("tests/pool")]
        # tcc has no atomics, hence no groups: it would run all tests in vain.
        if LANES.match(owners[line - 1]) and len(having) > 1 and having[0].at_once:
            having = having[1:]
        for index, stage in enumerate(having):
            if stage.build(folder, sources, changed, "pool.def" if pool else "first.def") != 0:
                return "does not compile", ""
            status = stage.run(folder, stage.seconds, [])
            if status != 0:
                return "killed", stage.name + (" (time)" if status is None else "")
            if index == 0 and all(stage.code is not None and
                                  stage.machine_code(folder) == stage.code for stage in having):
                return "same code", ""
        return "survived", ""

    def work(folder):
        while True:
            with lock:
                if state["counted"] >= wanted or state["next"] >= len(every):
                    return
                mutant = every[state["next"]]
                state["next"] += 1
                state["counted"] += 1
            source = lines[mutant[3] - 1].strip()
            reason = reasons.get((source, mutant[4]), reasons.get((source, alike(mutant[4])), ""))
            verdict, how = judge(folder, mutant)
            if verdict == "survived" and reason.startswith("equivalent"):
                verdict = "equivalent"
            with lock:
                if verdict == "killed":
                    state["killed"] += 1
                    killed_by[how] = killed_by.get(how, 0) + 1
                elif verdict == "survived":
                    survivors.append((mutant[3], mutant[4], source, reason))
                else:
                    # Another one takes its place, so that the sample has the wanted size.
                    tally[verdict] += 1
                    state["counted"] -= 1
                report.write("arena.h:%d: %s: %s %s: %s\n" %
                             (mutant[3], verdict, mutant[4], how, source))
                report.flush()

    threads = [threading.Thread(target=work, args=(folder,)) for folder in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report.close()
    for line, what, source, reason in sorted(survivors):
        print("survived  arena.h:%d: %s: %s" % (line, what, source))
        if reason:
            print("          reason: " + reason)
    total = state["killed"] + len(survivors)
    rate = 100.0 * state["killed"] / total if total else 0.0
    print("left out: %s" % ", ".join("%s %d" % item for item in tally.items()))
    print("killed by: %s" % ", ".join("%s %d" % item for item in sorted(killed_by.items())))
    print("%d of %d mutants killed: %.1f %% (at least %g %% wanted)" %
          (state["killed"], total, rate, options.threshold))
    good = total > 0 and rate >= options.threshold and not stale
    print("%d passed, %d failed, 0 skipped" % (1 if good else 0, 0 if good else 1))
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    return 0 if good else 1


sys.exit(main())
