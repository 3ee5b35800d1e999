set confirm off
set width 0
set style enabled off
set print address off
source examples/arena_gdb.py
break stop_here
run
up
echo ---\n
print absent
print view
print points_view
print numbers
print points
print unused
print text
print meshes
print none
print $arena_value(&text, hello)
print $arena_value(&text, second)
print $arena_value(&text, raw)
print $arena_value(&text, absent)
print $arena_value(&text, stale)
print $arena_value(&points, ref)
print $pool_span(&meshes, first)
print $pool_span(&meshes, last)
print $pool_span(&meshes, hole)
print $pool_span(&meshes, none)
print hello
print ref
print first
print hole
print mark
kill
