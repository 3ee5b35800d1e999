# Takes the first complete program (the first block with main), or that of -v number=N, and the
# output stated for it out of a text. In README.md the program is a fenced block that begins with ```c, and the output is the next
# fenced block. In arena.h it is the indented block below the line QUICK START, up to the line that
# states the output: "prints" or "output" alone with a colon at the end of a line; the output is the
# indented block below that.
# -v code=FILE -v expected=FILE; exit status 1 unless both were found. Only README.md has a
# second.

BEGIN { if (number == "") number = 1; markdown = 0; state = "before"; n = 0; m = 0 }
FNR == 1 { markdown = FILENAME ~ /\.md$/ }

markdown && /^```/ {
    if (state == "before" && /^```c *$/) { state = "code"; n = 0; has_main = 0; next }
    if (state == "code") { state = has_main ? "between" : "before"; next }
    if (state == "between") { state = "output"; next }
    if (state == "output" && --number > 0) { state = "before"; n = m = 0; next }
    if (state == "output") { state = "done"; exit }
}
markdown && state == "code" { lines[n++] = $0; if (/main *\(/) has_main = 1; next }
markdown && state == "output" { result[m++] = $0; next }
markdown { next }

# A ruler or a line of the comment's left edge does not belong to the text.
{ line = $0; sub(/^ \*( |$)/, "", line) }
state == "before" && line ~ /QUICK START/ { state = "code"; next }
state == "code" && has_main && line ~ /(prints|output|Output|Prints)[^:]*: *$/ {
    state = "gap"
    next
}
state == "code" && line ~ /^[A-Z][A-Z ]+$/ && has_main { exit }
state == "code" { lines[n++] = line; if (line ~ /main *\(/) has_main = 1; next }
state == "gap" && line !~ /^ *$/ { state = "output" }
state == "output" && line ~ /^ *$/ { state = "done"; exit }
state == "output" { result[m++] = line; next }

# The smallest indentation of a block is taken off all its lines.
function write(block, count, file,   i, least, indent) {
    least = 1000
    for (i = 0; i < count; i++) {
        if (block[i] ~ /^ *$/) continue
        indent = match(block[i], /[^ ]/) - 1
        if (indent < least) least = indent
    }
    printf "" >file
    for (i = 0; i < count; i++) print substr(block[i], least + 1) >file
    close(file)
}
END {
    if (n == 0 || m == 0) exit 1
    write(lines, n, code)
    write(result, m, expected)
}
