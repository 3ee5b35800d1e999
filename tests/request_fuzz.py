"""Sends damaged requests to examples/request: cut, mixed, joined, in pieces. The server, built with
sanitizers, must answer or close every time, stay within its limit, and end well. A busy machine
gets more time, up to ten times as much, until each of the usual answers was seen.

    request_fuzz.py PROGRAM SECONDS [SEED]
"""

import random
import re
import socket
import subprocess
import sys
import time

LIMIT = 60000
HOST = b"Host: x\r\n"
USUAL = ("200", "400", "413", "415")
SEEDS = [
    b"GET /hello?name=a%20b HTTP/1.1\r\n" + HOST + b"\r\n",
    b"POST /echo HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
    b'Content-Length: 25\r\n\r\n{"a":[1,2,{"b":null}]}   ',
    b"POST /words HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n"
    b"5\r\nhello\r\n3;a=b\r\nabc\r\n0\r\nT: x\r\n\r\n",
    b"POST /echo HTTP/1.1\r\n" + HOST + b"Content-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 20\r\n\r\na=%41&b=%c3%a9&c=d+e",
    b"HEAD /stats HTTP/1.1\r\n" + HOST + b"Expect: 100-continue\r\nConnection: close\r\n\r\n",
    b"POST /echo HTTP/1.1\r\n" + HOST + b"Content-Length: 50000\r\n\r\n" + b"x" * 50000,
    b"POST /words HTTP/1.1\r\n" + HOST + b"Content-Length: 70000\r\n\r\n" + b"y z " * 17500,
    b"\r\n",
]


def damage(choose, request):
    data = bytearray(request)
    for _ in range(choose.choice([0, 0, 1, 1, 2, 5])):
        kind, at = choose.randrange(5), choose.randrange(min(len(data), 300) + 1)
        if kind == 0 and at < len(data):
            data[at] = choose.randrange(256)
        elif kind == 1:
            data[at:at] = bytes([choose.choice(b'\r\n :;0159afGP%"\\{}[]')])
        elif kind == 2:
            del data[at:at + choose.randrange(4)]
        elif kind == 3:
            begin = choose.randrange(len(data) + 1)
            data[at:at] = data[begin:begin + choose.randrange(30)]
        else:
            data[at:at] = b"A" * choose.choice([10, 1000, 17000])
    return bytes(data)


def talk(port, choose, data):
    """The status codes of the answer; what the server does not answer in time is left."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as s:
        s.settimeout(0.02 if choose.random() < 0.9 else 0.3)
        pieces = choose.choice([1, 1, 1, 3])
        try:
            for i in range(pieces):
                s.sendall(data[len(data) * i // pieces:len(data) * (i + 1) // pieces])
            if choose.random() < 0.7:
                s.shutdown(socket.SHUT_WR)
            while True:
                part = s.recv(65536)
                if not part:
                    break
                answer += part
        except OSError:
            pass
    return re.findall(rb"HTTP/1\.1 (\d\d\d) ", answer)


def peak(port):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as s:
        s.sendall(b"GET /stats HTTP/1.0\r\n\r\n")
        answer = b""
        while True:
            part = s.recv(65536)
            if not part:
                return int(re.search(rb'"peak":(\d+)', answer).group(1))
            answer += part


def main():
    program, seconds = sys.argv[1], float(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    choose = random.Random(seed)
    server = subprocess.Popen([program, "0", str(LIMIT)], stdout=subprocess.PIPE)
    try:
        port = int(server.stdout.readline().split(b":")[1])
        codes, count, begin = {}, 0, time.monotonic()
        while time.monotonic() - begin < (
                seconds if all(usual in codes for usual in USUAL) else 10 * seconds):
            data = b"".join(damage(choose, choose.choice(SEEDS))
                            for _ in range(choose.choice([1, 1, 2, 4])))
            for code in talk(port, choose, data):
                codes[code.decode()] = codes.get(code.decode(), 0) + 1
            count += 1
            if server.poll() is not None:
                sys.exit("FAILED: the server ended with %d after %r" % (
                    server.returncode, data[:2000]))
        if peak(port) > LIMIT:
            sys.exit("FAILED: more than the limit was held")
        server.terminate()
        if server.wait(timeout=60) != 0:
            sys.exit("FAILED: the server ended with %d" % server.returncode)
        for expected in USUAL:
            if expected not in codes:
                sys.exit("FAILED: no answer was %s, so little was tried" % expected)
        print("request: seed %d, %d damaged connections, answers %s" % (
            seed, count, " ".join("%s:%d" % c for c in sorted(codes.items()))))
    finally:
        if server.poll() is None:
            server.kill()


main()
