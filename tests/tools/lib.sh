# Counting and reporting for the scripts of this folder (POSIX sh; to be sourced). Every script ends
# with `finish`, which prints "N passed, N failed, N skipped" and gives status 1 if anything failed
# or if nothing was done at all. A missing tool is a skip with its reason; a skip never counts as
# passed. VERBOSE=1 prints what passed as well.

passed=0
failed=0
skipped=0

pass() {
    passed=$((passed + 1))
    [ -z "${VERBOSE:-}" ] || echo "passed  $1"
}

# fail NAME [LOG]: the first lines of the log say why.
fail() {
    failed=$((failed + 1))
    echo "FAILED  $1"
    if [ -n "${2:-}" ] && [ -f "$2" ]; then head -n "${FAIL_LINES:-25}" "$2" | sed 's/^/    /'; fi
}

skip() {
    skipped=$((skipped + 1))
    echo "skipped $1: $2"
}

have() { command -v "$1" >/dev/null 2>&1; }

# check NAME COMMAND...: passed if the command succeeds; its output is shown only if not. $out is
# the folder for logs.
check() {
    check_name=$1
    shift
    if "$@" >"$out/log" 2>&1; then pass "$check_name"; else fail "$check_name" "$out/log"; fi
}

finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] && [ $((passed + skipped)) -gt 0 ]
    exit $?
}

# The sources of the test program beside main.c, in the order of tests.def.
families=$(awk -F'[^A-Za-z0-9_]+' '
    $1 == "T" && !seen[$2]++ { print "tests/" $2 ".c" }' tests/tests.def)

# Warnings that are errors in every C file of the project; the last two exist in C only.
strict="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef"
strict="$strict -Wwrite-strings -Werror -DARENA_WARNINGS"
c_only="-Wstrict-prototypes -Wmissing-prototypes"
