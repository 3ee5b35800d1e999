#!/bin/bash
# Drives examples/request with curl, and with raw bytes where curl is too well behaved.
#
#     request.sh PROGRAM FOLDER           FOLDER is for what the test writes
#
# Every wait has a limit. The server is ended by its process id, on every way out.
set -u
# A server built with the address sanitizer would keep freed memory aside, which is no leak.
export ASAN_OPTIONS="${ASAN_OPTIONS:-quarantine_size_mb=0:thread_local_quarantine_size_kb=0}"
program=$1 dir=$2
mkdir -p "$dir" || exit 1
checks=0 failures=0 server=

finish() {
    [ -n "$server" ] && kill "$server" 2>/dev/null
    return 0
}
trap finish EXIT

# check NAME EXPECTED GOT
check() {
    checks=$((checks + 1))
    if [ "$2" != "$3" ]; then
        failures=$((failures + 1))
        printf 'FAILED %s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
        if [ -n "$server" ] && ! kill -0 "$server" 2>/dev/null; then
            echo "the server is gone; it wrote:"
            cat "$dir/server.out"
            server=
            exit 1
        fi
    fi
}

# start [LIMIT]: sets server and port
start() {
    "$program" 0 "$@" >"$dir/server.out" 2>&1 &
    server=$!
    for _ in $(seq 1200); do
        port=$(sed -n 's/^listening on 127.0.0.1:\([0-9]*\)$/\1/p' "$dir/server.out")
        [ -n "$port" ] && break
        sleep 0.05
    done
    if [ -z "$port" ]; then
        echo "FAILED the server does not start"
        cat "$dir/server.out"
        exit 1
    fi
    url=http://127.0.0.1:$port
}

# stop: by a signal, and it has to end well
stop() {
    kill -TERM "$server"
    wait "$server"
    check "exit status of the server" 0 $?
    server=
}

get() {
    curl -sS --noproxy '*' --max-time 120 "$@"
}

# Lines as one line.
line() {
    tr '\n' ' ' | sed 's/ $//'
}

# For a second request of the same curl, hence on the same connection.
next=(--next -sS --noproxy '*' --max-time 120)

# raw TEXT: sends it as printf formats it and prints the status line of every response.
raw() {
    raw_all "$1" | tr -d '\r' | sed -n 's/.*\(HTTP\/1\.1 [0-9][0-9][0-9]\).*/\1/p' | line
}
raw_all() {
    timeout 60 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1" && printf "$2" >&3 && cat <&3' \
        - "$port" "$1" 2>/dev/null
}

resident_pages() {
    cut -d ' ' -f 2 "/proc/$server/statm"
}

stat() {
    get "$url/stats" | sed "s/.*\"$1\":\([0-9]*\).*/\1/"
}

# ---- routes -------------------------------------------------------------------------------------
start
check "GET /" "GET /hello?name=X" "$(get "$url/" | head -n 1)"
check "greeting" "hello, world" "$(get "$url/hello")"
check "decoded query" "hello, A b&c" "$(get "$url/hello?x=1&name=A+b%26c")"
check "form to JSON" \
    '[{"name":"a","value":"1 2"},{"name":"b\u0022","value":"'$'\303\251''"},{"name":"c","value":""}]' \
    "$(get --data 'a=1+2&b%22=%c3%a9&c' "$url/echo")"
check "JSON without white space" '{"a":[1,-2.5e+3,true,null,"x \" \u00e9"],"b":{}}' \
    "$(get -H 'Content-Type: application/json; charset=utf-8' \
       --data ' { "a" : [1, -2.5e+3, true , null, "x \" \u00e9"], "b": {} } ' "$url/echo")"
check "words" "2 lines, 6 words, 31 bytes, 4 distinct words 3 one 1 four 1 three 1 two" \
    "$(printf 'one two one,\nthree four one!\n..' | get --data-binary @- "$url/words" | line)"
check "no words" "0 lines, 0 words, 0 bytes, 0 distinct words" "$(get -X POST "$url/words")"
check "HEAD has a length and no body" "200 0 13" \
    "$(get -I -o "$dir/head" -w '%{http_code} %{size_download}' "$url/hello") $(
       tr -d '\r' <"$dir/head" | sed -n 's/^Content-Length: //p')"
check "chunked body" "1 lines, 2 words, 12 bytes, 2 distinct words" \
    "$(printf 'hello there\n' | get -H 'Transfer-Encoding: chunked' --data-binary @- "$url/words" |
       head -n 1)"

# ---- errors that leave the connection usable ----------------------------------------------------
code() {
    get -o /dev/null -w '%{http_code}' "$@"
}
check "unknown path" 404 "$(code "$url/nothing")"
check "wrong method" 405 "$(code -X PUT "$url/echo")"
check "Allow" "Allow: POST" "$(get -i "$url/echo" | tr -d '\r' | grep '^Allow')"
check "unknown type" 415 "$(code -H 'Content-Type: text/x' --data x "$url/echo")"
check "no type at all" 415 "$(code -H 'Content-Type:' --data x "$url/echo")"
check "no body at all" 415 "$(code -X POST "$url/echo")"
check "bad escape in a form" 400 "$(code --data 'a=%4' "$url/echo")"
check "form that is not UTF-8" 400 "$(code --data 'a=%c0%80' "$url/echo")"
json() {
    code -H 'Content-Type: application/json' --data-binary "$1" "$url/echo"
}
for bad in '{' '[1,]' '{"a" 1}' '"\x"' '01' '1.' '[1] 2' 'nul' '"a' '{1:2}' $'"\t"' '"\ud83"' - ''; do
    check "not JSON: $bad" 400 "$(json "$bad")"
done
for good in '0' '-0.5E-7' '""' '[]' '[[],{}]' ' null ' '"\ud83d\ude00"'; do
    check "JSON: $good" 200 "$(json "$good")"
done
check "nested 64 deep" 200 "$(json "$(printf '[%.0s' $(seq 64))$(printf ']%.0s' $(seq 64))")"
check "nested 65 deep" 400 "$(json "$(printf '[%.0s' $(seq 65))$(printf ']%.0s' $(seq 65))")"
check "an error keeps the connection" "404 1 400 0 200 0" \
    "$(w='%{http_code} %{num_connects}\n'
       get -w "$w" -o /dev/null "$url/nothing" "${next[@]}" -w "$w" -o /dev/null --data 'a=%' \
       "$url/echo" "${next[@]}" -w "$w" -o /dev/null "$url/" | line)"

# ---- requests that are not HTTP -----------------------------------------------------------------
h='Host: x\r\n'
check "good by hand" "HTTP/1.1 200" "$(raw "GET / HTTP/1.1\r\n${h}Connection: close\r\n\r\n")"
check "absolute form" "HTTP/1.1 200" \
    "$(raw "GET http://x/hello HTTP/1.1\r\n${h}Connection: close\r\n\r\n")"
check "HTTP/1.0 closes" "HTTP/1.1 200" "$(raw 'GET / HTTP/1.0\r\n\r\n')"
check "empty lines first" "HTTP/1.1 200" "$(raw '\r\n\r\nGET / HTTP/1.0\r\n\r\n')"
check "no host" "HTTP/1.1 400" "$(raw 'GET / HTTP/1.1\r\n\r\n')"
check "two hosts" "HTTP/1.1 400" "$(raw "GET / HTTP/1.1\r\n$h$h\r\n")"
check "no version" "HTTP/1.1 400" "$(raw 'GET /\r\n\r\n')"
check "garbage" "HTTP/1.1 400" "$(raw '\001\002\003\r\n\r\n')"
check "another protocol" "HTTP/1.1 400" "$(raw 'SSH-2.0-x\r\n\r\n')"
check "version 2" "HTTP/1.1 505" "$(raw "GET / HTTP/2.0\r\n$h\r\n")"
check "unknown method" "HTTP/1.1 501" "$(raw "BREW / HTTP/1.1\r\n$h\r\n")"
check "two spaces" "HTTP/1.1 400" "$(raw "GET  / HTTP/1.1\r\n$h\r\n")"
check "bare line feeds" "HTTP/1.1 400" "$(raw 'GET / HTTP/1.1\nHost: x\n\n')"
check "a NUL" "HTTP/1.1 400" "$(raw 'GET / HTTP/1.1\r\nHost: x\000\r\n\r\n')"
check "space before the colon" "HTTP/1.1 400" \
    "$(raw "GET / HTTP/1.1\r\n${h}Content-Length : 0\r\n\r\n")"
check "folded line" "HTTP/1.1 400" "$(raw "GET / HTTP/1.1\r\n${h}A: b\r\n c\r\n\r\n")"
check "no colon" "HTTP/1.1 400" "$(raw "GET / HTTP/1.1\r\n${h}abc\r\n\r\n")"
check "signed length" "HTTP/1.1 400" \
    "$(raw "POST /words HTTP/1.1\r\n${h}Content-Length: +1\r\n\r\nx")"
check "two lengths" "HTTP/1.1 400" \
    "$(raw "POST /words HTTP/1.1\r\n${h}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx")"
check "length and chunks" "HTTP/1.1 400" \
    "$(raw "POST /words HTTP/1.1\r\n${h}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")"
check "unknown coding" "HTTP/1.1 501" \
    "$(raw "POST /words HTTP/1.1\r\n${h}Transfer-Encoding: gzip\r\n\r\n")"
check "bad chunk size" "HTTP/1.1 400" \
    "$(raw "POST /words HTTP/1.1\r\n${h}Transfer-Encoding: chunked\r\n\r\nxyz\r\n")"
check "huge chunk size" "HTTP/1.1 400" \
    "$(raw "POST /words HTTP/1.1\r\n${h}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n")"
check "chunk without its end" "HTTP/1.1 400" \
    "$(raw "POST /words HTTP/1.1\r\n${h}Transfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n")"
check "unknown expectation" "HTTP/1.1 417" \
    "$(raw "POST /words HTTP/1.1\r\n${h}Expect: tea\r\nContent-Length: 1\r\n\r\nx")"
check "length past size_t" "HTTP/1.1 413" \
    "$(raw "POST /words HTTP/1.1\r\n${h}Content-Length: 99999999999999999999999999\r\n\r\nx")"
check "long target" "HTTP/1.1 414" "$(raw "GET /$(printf 'a%.0s' $(seq 17000)) HTTP/1.1\r\n$h\r\n")"
check "large head" "HTTP/1.1 431" \
    "$(raw "GET / HTTP/1.1\r\n$h$(printf 'A: b\\r\\n%.0s' $(seq 3000))\r\n")"

# ---- pipelining: requests that arrive together, and one that arrives a byte at a time -----------
check "three at once, in order" "hello, 1 hello, 2 hello, 3" \
    "$(one="GET /hello?name=1 HTTP/1.1\r\n$h\r\n" two="GET /hello?name=2 HTTP/1.1\r\n$h\r\n"
       raw_all "$one${two}GET /hello?name=3 HTTP/1.1\r\n${h}Connection: close\r\n\r\n" |
       grep -o 'hello, .' | line)"
check "bodies between them" "3 1 2" \
    "$(one="POST /words HTTP/1.1\r\n${h}Content-Length: 5\r\n\r\na b c"
       two="POST /words HTTP/1.1\r\n${h}Transfer-Encoding: chunked\r\n\r\n"
       two="${two}1;x=y\r\na\r\n2\r\nbc\r\n0\r\nT: u\r\n\r\n"
       raw_all "$one${two}POST /words HTTP/1.0\r\nContent-Length: 3\r\n\r\nd e" |
       sed -n 's/.*lines, \([0-9]*\) words.*/\1/p' | line)"
check "200 at once" 200 \
    "$(many=$(printf "GET /hello HTTP/1.1\\\\r\\\\n$h\\\\r\\\\n%.0s" $(seq 199))
       raw_all "${many}GET / HTTP/1.0\r\n\r\n" | grep -c '^HTTP/1.1 200')"
check "an error ends the line" "HTTP/1.1 200 HTTP/1.1 400" \
    "$(raw "GET /hello HTTP/1.1\r\n$h\r\nbad\r\n\r\nGET / HTTP/1.1\r\n$h\r\n")"
check "a byte at a time" "HTTP/1.1 200" \
    "$(timeout 60 bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1"; s=$2; for ((i = 0; i < ${#s}; i++)); do
       printf %s "${s:i:1}" >&3; sleep 0.002; done; head -c 12 <&3' \
       - "$port" $'POST /words HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc')"

# ---- too large: 413, and the server goes on -----------------------------------------------------
head -c 1000000 /dev/zero | tr '\0' 'x' >"$dir/large"
yes 'the quick brown fox jumps over the lazy dog' | head -c 200000 >"$dir/fits"
check "too large, refused by its length" 413 "$(code --data-binary "@$dir/large" "$url/words")"
check "too large, with 100-continue" 413 \
    "$(code -H 'Expect: 100-continue' --data-binary "@$dir/large" "$url/words")"
check "too large, in chunks" 413 \
    "$(code -H 'Transfer-Encoding: chunked' --data-binary "@$dir/large" "$url/words")"
check "fits, with 100-continue" 200 \
    "$(code -H 'Expect: 100-continue' --data-binary "@$dir/fits" "$url/words")"
# Each control character (three bytes in a form) becomes six: the body fits, the answer does not.
printf 'a=%s' "$(printf '%%01%.0s' $(seq 30000))" >"$dir/grows"
check "grows over the limit" 413 "$(code --data-binary "@$dir/grows" "$url/echo")"
check "the same connection after it" "413 200 0" \
    "$(get -w '%{http_code} ' -o /dev/null --data-binary "@$dir/grows" "$url/echo" "${next[@]}" \
       -o /dev/null -w '%{http_code} %{num_connects}' "$url/hello")"
check "and it goes on" "hello, again" "$(get "$url/hello?name=again")"
check "nothing is over the limit" yes "$([ "$(stat peak)" -le 262144 ] && echo yes)"
check "413s counted" 6 "$(stat too_large)"

# ---- 1000 requests on one connection, 1000 on one each, 300 with bodies: the footprint stays ----
warm() {
    get -o /dev/null "$url/hello?name=[1-20]"
    get -o /dev/null -H 'Connection: close' "$url/hello?name=[1-20]"
    get -o /dev/null --data-binary "@$dir/fits" "$url/words?[1-5]"
    get -o /dev/null "$url/stats"
}
warm
before=$(resident_pages) requests=$(stat requests) accepted=$(stat connections)
get -w '%{num_connects} %{http_code}\n' -o /dev/null "$url/hello?name=[1-1000]" >"$dir/kept"
check "1000 kept alive: one connection, 1000 times 200" "1 1000" \
    "$(awk '{ c += $1; n += $2 == 200 } END { print c, n }' "$dir/kept")"
middle=$(resident_pages)
get -w '%{num_connects} %{http_code}\n' -o /dev/null -H 'Connection: close' "$url/hello?name=[1-1000]" \
    >"$dir/closed"
check "1000 closed each time: 1000 connections" "1000 1000" \
    "$(awk '{ c += $1; n += $2 == 200 } END { print c, n }' "$dir/closed")"
get -w '%{http_code}\n' -o /dev/null --data-binary "@$dir/fits" "$url/words?[1-300]" >"$dir/bodies"
check "300 bodies of 200 kB" 300 "$(grep -c 200 "$dir/bodies")"
after=$(resident_pages)
check "requests counted" $((requests + 2302)) "$(stat requests)"
check "connections counted" $((accepted + 1004)) "$(stat connections)"
# 16 pages: what the C library may touch late (64 KiB). A leak of 64 bytes a request would be 36.
check "footprint flat after 1000 requests" yes \
    "$([ $((middle - before)) -le 16 ] && echo yes || echo "$before $middle pages")"
check "footprint flat after 2300 requests" yes \
    "$([ $((after - before)) -le 16 ] && echo yes || echo "$before $after pages")"
# /stats itself is the one open connection.
check "memory of the open connection" yes \
    "$([ "$(stat allocated)" -le 32768 ] && echo yes || stat allocated)"
stop

# ---- 20 clients at a time, then a limit so small that no request fits ---------------------------
start
pids=
for i in $(seq 20); do
    get -w '%{http_code}\n' -o /dev/null --data-binary "@$dir/fits" "$url/words?[1-10]" \
        >"$dir/client$i" &
    pids="$pids $!"
done
for pid in $pids; do wait "$pid"; done
check "20 clients, 10 requests each" 200 "$(cat "$dir"/client* | grep -c 200)"
stop
start 20000
check "a small limit: a small request" "hello, x" "$(get "$url/hello?name=x")"
check "a small limit: 413" 413 "$(code --data-binary "@$dir/fits" "$url/words")"
stop
start 10
check "no memory for a head" 431 "$(code "$url/")"
check "still there" 431 "$(code "$url/")"
stop

printf 'request: %d checks, %d failed; resident pages %d, after 1000 requests %d, after 2300 %d\n' \
    "$checks" "$failures" "$before" "$middle" "$after"
[ "$failures" -eq 0 ]
