"""gdb pretty-printers for arena.h: arenas, Refs, views, slices, marks, pools and their handles.

    (gdb) source examples/arena_gdb.py
    (gdb) print points                      an arena: what it holds, chunk by chunk
    (gdb) print ref                         a Ref: chunk number, generation, place
    (gdb) print view                        a view or slice: its elements
    (gdb) print $arena_value(&points, ref)  what the Ref resolves to, checked as arena_value does
    (gdb) print meshes                      a pool: its spans in address order, live and free
    (gdb) print $pool_span(&meshes, handle) the elements of a handle's span

Types are known by the names that ARENA_DEFINE and ARENA_POOL_DEFINE make: NAME_ref_t, NAME_view_t
and so on. The printers read memory and call nothing, so they work on core files too.
"""

import gdb
import gdb.printing

UINT32_MAX = 0xFFFFFFFF
KINDS = {0: "uniform", 1: "oversized", 2: "user's buffer"}


def family(type_, suffix):
    """'points' for the type points_ref_t and the suffix '_ref_t', else None."""
    name = type_.strip_typedefs().unqualified().tag or type_.name or ""
    return name[:-len(suffix)] if name.endswith(suffix) else None


def element_type(name):
    """The element's type of a family, or char where the program has no word about it."""
    try:
        return gdb.lookup_type(name + "_elem_t")
    except gdb.error:
        return gdb.lookup_type("char")


def elements(data, count, type_):
    """count elements at data as one gdb array, or None for none."""
    if count == 0 or int(data) == 0:
        return None
    return data.cast(type_.pointer()).dereference().cast(type_.array(count - 1))


def show(data, count, type_):
    """A short text for elements: a string for char, else what gdb prints for an array."""
    if count == 0 or int(data) == 0:
        return "empty"
    if type_.strip_typedefs().unqualified().sizeof == 1:
        char = gdb.lookup_type("char").pointer()
        text = data.cast(char).string("latin-1", length=min(count, 200))
        text = "".join(c if " " <= c <= "~" else "\\x%02x" % ord(c) for c in text)
        return '"%s"%s' % (text, "..." if count > 200 else "")
    return elements(data, count, type_).format_string(max_elements=8)


def status(value):
    return "" if int(value) == 0 else ", status " + str(value)


def pointed(value):
    """The object behind a pointer, or the object itself."""
    return value.dereference() if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else value


class Ref:
    """12 bytes: number << 9 | generation << 1 | NUL, offset, length."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        chunk, off, length = (int(self.value[f]) for f in ("chunk", "off", "len"))
        if chunk == 0 and off == 0 and length == 0:
            return "absent"
        return "chunk %d (generation %d) [%d, +%d]%s" % (
            chunk >> 9, chunk >> 1 & 255, off, length, ", NUL behind" if chunk & 1 else "")


class View:
    """data and len."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        data, count = self.value["data"], int(self.value["len"])
        return "%d: %s" % (count, show(data, count, data.type.target()))


class Slice:
    """data, len and cap."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        data, count = self.value["data"], int(self.value["len"])
        shown = show(data, count, data.type.target())
        return "%d of %d: %s" % (count, int(self.value["cap"]), shown)


class Mark:
    """A place to rewind to."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "mark %d of arena %d, batch %d, %d chunks open" % tuple(
            int(self.value[f]) for f in ("serial", "id", "batch", "opened"))


class Arena:
    """An arena of any family: a line about it, then its chunks in the order they were opened."""

    def __init__(self, value):
        self.core = value["core"]
        self.type = element_type(family(value.type, "_t"))

    def held(self, i):
        """Bytes stored in chunk i: what the chunk notes, but the tip for the one being filled."""
        if i == int(self.core["current"]):
            return int(self.core["cur"]) - int(self.core["base"])
        return int(self.core["chunks"][i]["used"])

    def to_string(self):
        c = self.core
        opened = int(c["opened"])
        size = sum(self.held(i) for i in range(opened)) - int(c["padding"])
        return "%d bytes of %s in %d of %d chunks, %d retained%s%s" % (
            size, self.type, opened, int(c["total"]), int(c["retained"]),
            ", in a group" if int(c["group"]) != 0 else "", status(c["status"]))

    def children(self):
        for i in range(int(self.core["opened"])):
            chunk = self.core["chunks"][i]
            number = int(chunk["number"])
            held = self.held(i)
            name = "chunk %s" % ("without a number" if number == UINT32_MAX else number)
            yield name, "%d of %d bytes, %s: %s" % (
                held, int(chunk["cap"]), KINDS.get(int(chunk["kind"]), "?"),
                show(chunk["base"], held // self.type.sizeof, self.type))


class Handle:
    """A pool's handle."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        span, generation = int(self.value["span"]), int(self.value["generation"])
        return "none" if span == 0 else "span %d (generation %d)" % (span, generation)


class Pool:
    """A span pool: a line about it, then live and free spans in address order."""

    def __init__(self, value):
        self.core = value["core"]
        self.type = element_type(family(value.type, "_t"))

    def to_string(self):
        c = self.core
        return "%d of %s in %d spans, buffer_len %d, capacity %d%s" % (
            int(c["len"]), self.type, int(c["live"]), int(c["top"]), int(c["capacity"]),
            status(c["status"]))

    def children(self):
        """Live spans by address; what lies between them is free. No link is followed, so that a
        damaged pool can be looked at too."""
        c = self.core
        live = []
        for slot in range(1, int(c["used"]) + 1):
            span = c["spans"][slot]
            if int(span["generation"]) & 1:
                live.append((int(span["as"]["live"]["start"]), int(span["count"]), slot))
        at = 0
        for start, count, slot in sorted(live):
            if start > at:
                yield "[%d] free" % at, str(start - at)
            yield "[%d] span %d" % (start, slot), "%d: %s" % (
                count, show(c["data"] + start * self.type.sizeof, count, self.type))
            at = start + count
        if at < int(c["top"]):
            yield "[%d] free" % at, str(int(c["top"]) - at)


def has_core(value, core):
    fields = value.type.strip_typedefs().fields()
    return (len(fields) == 1 and fields[0].name == "core" and
            fields[0].type.strip_typedefs().tag == core)


def printer(value):
    """The printer of a value, by its type's name and fields, or None."""
    type_ = value.type.strip_typedefs()
    if type_.code != gdb.TYPE_CODE_STRUCT:
        return None
    fields = [f.name for f in type_.fields()]
    for suffix, expected, shown in (("_ref_t", ["chunk", "off", "len"], Ref),
                                    ("_view_t", ["data", "len"], View),
                                    ("_slice_t", ["data", "len", "cap"], Slice),
                                    ("_handle_t", ["span", "generation"], Handle)):
        if fields == expected and family(type_, suffix) is not None:
            return shown(value)
    if (type_.tag or "") == "arena_mark_t":
        return Mark(value)
    if has_core(value, "arena_core_t"):
        return Arena(value)
    if has_core(value, "arena_pool_core_t"):
        return Pool(value)
    return None


class ArenaValue(gdb.Function):
    """$arena_value(&arena, ref): what the Ref resolves to, with the checks of arena_value."""

    def __init__(self):
        super().__init__("arena_value")

    def invoke(self, arena, ref):
        arena = pointed(arena)
        core = arena["core"]
        type_ = element_type(family(arena.type, "_t"))
        tag = int(ref["chunk"]) & ~1
        off, length = int(ref["off"]), int(ref["len"])
        if tag == int(core["tag"]):
            base = core["base"]
            held = (int(core["cur"]) - int(core["base"])) // type_.sizeof
        else:
            if tag >> 9 >= int(core["numbers"]):
                return "stale or absent"
            entry = core["table"][tag >> 9]
            if int(entry["tag"]) != tag:
                return "stale or absent"
            base, held = entry["base"], int(entry["held"])
        if length == 0 or off + length > held:
            return "stale or absent"
        return elements(base + off * type_.sizeof, length, type_)


class PoolSpan(gdb.Function):
    """$pool_span(&pool, handle): the elements of the span, checked."""

    def __init__(self):
        super().__init__("pool_span")

    def invoke(self, pool, handle):
        pool = pointed(pool)
        core = pool["core"]
        type_ = element_type(family(pool.type, "_t"))
        slot, generation = int(handle["span"]), int(handle["generation"])
        if not 0 < slot <= int(core["used"]) or generation % 2 == 0:
            return "stale or none"
        span = core["spans"][slot]
        if int(span["generation"]) != generation:
            return "stale or none"
        start = int(span["as"]["live"]["start"])
        return elements(core["data"] + start * type_.sizeof, int(span["count"]), type_)


class Printers(gdb.printing.PrettyPrinter):
    def __init__(self):
        super().__init__("arena.h")

    def __call__(self, value):
        return printer(value)


gdb.printing.register_pretty_printer(None, Printers(), replace=True)
ArenaValue()
PoolSpan()
