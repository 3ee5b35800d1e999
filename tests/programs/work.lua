-- A script of some size for tests/programs/lua.c: strings, tables, closures, sorting, formatting,
-- patterns, metatables, coroutines. Everything it prints is the same in every run: no addresses, no
-- clock, no order of pairs() on string keys.

local seed = 12345
local function random(n)                        -- ours, since math.random is seeded differently each run
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed // 65536 % n + 1
end

-- Words, counted and sorted.
local syllables = { "ka", "to", "mi", "re", "su", "no", "la", "vi" }
local words = {}
for i = 1, 4000 do
  local parts = {}
  for k = 1, random(3) do parts[k] = syllables[random(#syllables)] end
  words[i] = table.concat(parts)
end
local text = table.concat(words, " ")
local counts, order = {}, {}
for word in text:gmatch("%a+") do
  if not counts[word] then order[#order + 1] = word end
  counts[word] = (counts[word] or 0) + 1
end
table.sort(order, function(a, b)
  if counts[a] ~= counts[b] then return counts[a] > counts[b] end
  return a < b
end)
print("text", #text, "distinct", #order)
for i = 1, 12 do print(string.format("%-8s %5d %6.2f%%", order[i], counts[order[i]], 100 * counts[order[i]] / #words)) end

-- Substitution with a table, a function and captures.
local upper, n = text:gsub("ka", string.upper)
print("gsub", n, #upper, upper:sub(1, 40))
print((("key=value; other=thing"):gsub("(%w+)=(%w+)", "%2=%1")))
local escaped = ("a<b>&c"):rep(50):gsub("[<>&]", { ["<"] = "&lt;", [">"] = "&gt;", ["&"] = "&amp;" })
print(#escaped, escaped:sub(1, 20))

-- Closures.
local function counter(step)
  local value = 0
  return function() value = value + step; return value end, function() return value end
end
local sum = 0
for i = 1, 2000 do
  local up, get = counter(i)
  up(); up()
  sum = sum + get()
end
print("closures", sum)

-- A class with inheritance and operators.
local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b) return Vector.new(a.x + b.x, a.y + b.y) end
Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end
Vector.__tostring = function(v) return string.format("(%d,%d)", v.x, v.y) end
function Vector.new(x, y) return setmetatable({ x = x, y = y }, Vector) end
local at = Vector.new(0, 0)
for i = 1, 5000 do at = at + Vector.new(i % 7 - 3, i % 5 - 2) end
print("vector", tostring(at), at == Vector.new(at.x, at.y))

-- Coroutines: a generator of permutations, and a pipeline.
local function permutations(list, size)
  return coroutine.wrap(function()
    local function go(k)
      if k == 0 then coroutine.yield(table.concat(list)) return end
      for i = 1, k do
        list[k], list[i] = list[i], list[k]
        go(k - 1)
        list[k], list[i] = list[i], list[k]
      end
    end
    go(size)
  end)
end
local first, last, total
for p in permutations({ "a", "b", "c", "d", "e", "f" }, 6) do
  first, last, total = first or p, p, (total or 0) + 1
end
print("permutations", total, first, last)

local function numbers(limit)
  return coroutine.create(function() for i = 1, limit do coroutine.yield(i) end end)
end
local function squares(source)
  return coroutine.create(function()
    while true do
      local ok, v = coroutine.resume(source)
      if not ok or v == nil then return end
      coroutine.yield(v * v)
    end
  end)
end
local line, acc = squares(numbers(500)), 0
while true do
  local ok, v = coroutine.resume(line)
  if not ok or v == nil then break end
  acc = acc + v
end
print("pipeline", acc)

-- A tree built and thrown away many times: garbage for the collector.
local function tree(depth)
  if depth == 0 then return { value = 1 } end
  return { left = tree(depth - 1), right = tree(depth - 1) }
end
local function leaves(t) return t.value or leaves(t.left) + leaves(t.right) end
local all = 0
for _ = 1, 20 do all = all + leaves(tree(8)) end
print("trees", all)

-- Sieve, a matrix, and big tables that grow and shrink.
local sieve, primes = {}, {}
for i = 2, 5000 do
  if not sieve[i] then
    primes[#primes + 1] = i
    for j = i * i, 5000, i do sieve[j] = true end
  end
end
print("primes", #primes, primes[#primes])
local stack = {}
for i = 1, 20000 do stack[#stack + 1] = { i } end
while #stack > 100 do table.remove(stack) end
print("stack", #stack, stack[100][1])

-- Strings that grow by one piece a time, packing, UTF-8.
local grown = ""
for i = 1, 600 do grown = grown .. i .. "," end
print("grown", #grown, grown:sub(-12))
local packed = string.pack("<i4 z d s2", 77, "zero", 0.5, ("x"):rep(300))
print("packed", #packed, string.unpack("<i4 z d", packed))
local chars = {}
for _, code in utf8.codes("na\u{ef}ve \u{4e16}\u{754c}") do chars[#chars + 1] = string.format("U+%04X", code) end
print(table.concat(chars, " "))

-- Errors, caught, with values and with tracebacks of a fixed depth.
print(pcall(error, { code = 1 }) == false, select(2, pcall(error, "plain", 0)))
print(select(2, xpcall(function() local t = nil; return t.x end, function(m) return "caught: " .. m end)))

-- A serializer with sorted keys, and load() of what it wrote.
local function dump(v, out)
  if type(v) ~= "table" then out[#out + 1] = string.format("%q", v) return end
  local keys = {}
  for k in pairs(v) do keys[#keys + 1] = k end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  out[#out + 1] = "{"
  for _, k in ipairs(keys) do
    out[#out + 1] = "["; dump(k, out); out[#out + 1] = "]="; dump(v[k], out); out[#out + 1] = ","
  end
  out[#out + 1] = "}"
end
local value = { name = "arena", list = {}, nested = { deep = { deeper = { 1, 2, 3 } } } }
for i = 1, 300 do value.list[i] = { id = i, tag = "item " .. i, half = i / 2 } end
local out = {}
dump(value, out)
local source = table.concat(out)
local again = {}
dump(load("return " .. source)(), again)
print("dump", #source, table.concat(again) == source, source:sub(1, 60))

collectgarbage()
local kept = collectgarbage("count")
print("kept something", kept > 0)
