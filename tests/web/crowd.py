"""Strangers in numbers, in a process of their own: each flood stands until its input is closed.

`python -m tests.web.crowd KIND PORT`; all of them knock at 127.0.0.1, from 127.0.0.2 and on.
"""

from __future__ import annotations

import http.client
import itertools
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

ADDRESSES = 200
PAUSE = 0.5  # seconds before a stranger who was thrown out comes again
FEED = (
    b"GET /api/feed?as=public HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
CHUNKED = b"POST /api/claim HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
CLAIM = b"POST /api/claim HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 16000\r\n\r\n"
HEADERS = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + 2500 * b"a:b\r\n" + b"\r\n"
PING = b"\x89\x80\0\0\0\0"


def address(number: int) -> tuple[str, int]:
    return f"127.0.0.{2 + number % ADDRESSES}", 0


def knock(port: int, number: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 20, address(number))


def silent(port: int, count: int, of: int) -> None:
    """Connections that say nothing; who is thrown out comes again."""
    standing = []
    for number in range(count):
        with suppress(OSError):
            standing.append(knock(port, number % of))
    print("flooding", flush=True)
    while True:
        for at, one in enumerate(standing):
            one.setblocking(False)
            with suppress(BlockingIOError):
                with suppress(ConnectionError):
                    if one.recv(1):
                        continue
                one.close()
                with suppress(OSError):
                    standing[at] = knock(port, at % of)
        time.sleep(PAUSE)


def feeds(port: int, count: int, of: int) -> None:
    """Public feeds that listen, and never go."""
    standing = []
    for number in range(count):
        with suppress(OSError):
            one = knock(port, number % of)
            one.sendall(FEED)
            standing.append(one)
    print("flooding", flush=True)
    while True:
        for one in standing:
            one.setblocking(False)
            with suppress(OSError):
                one.recv(1 << 16)
        time.sleep(0.05)


def pouring(port: int, count: int, head: bytes, rest: bytes, pause: float = 0.0) -> None:
    """Each sends a head, then the rest again and again; who is thrown out comes again."""

    def stranger(number: int) -> None:
        while True:
            with suppress(OSError), knock(port, number) as line:
                line.sendall(head)
                threading.Thread(target=unread, args=(line,), daemon=True).start()
                while True:
                    line.sendall(rest)
                    time.sleep(pause)
            time.sleep(PAUSE)

    for number in range(count):
        threading.Thread(target=stranger, args=(number,), daemon=True).start()
    print("flooding", flush=True)


def unread(line: socket.socket) -> None:
    """Take what comes, and throw it away."""
    with suppress(OSError):
        while line.recv(1 << 16):
            pass


def asking(port: int, count: int, of: int, ask: Callable[[int], tuple[str, str, str]]) -> None:
    """Each asks, reads the answer and asks again, as fast as it is answered."""

    def stranger(number: int) -> None:
        line = None
        for turn in itertools.count():
            method, path, body = ask(number * 1000 + turn)
            try:
                if line is None:
                    line = http.client.HTTPConnection(
                        "127.0.0.1", port, 60, source_address=address(number % of)
                    )
                line.request(method, path, body or None, {"Content-Type": "application/json"})
                line.getresponse().read()
            except (OSError, http.client.HTTPException):
                line = None
                time.sleep(PAUSE)

    for number in range(count):
        threading.Thread(target=stranger, args=(number,), daemon=True).start()
    print("flooding", flush=True)


def guesses() -> Iterator[str]:
    for number in itertools.count():
        yield json.dumps({"panel": number % 2, "code": f"A{number:05d}"})


def main(kind: str, port: int) -> None:
    guessed = guesses()
    floods: dict[str, Callable[[], None]] = {
        "silent": lambda: silent(port, 410, 1),
        "files": lambda: silent(port, 1100, 40),
        "feeds": lambda: feeds(port, 200, 1),
        "feeds of many": lambda: feeds(port, 200, 100),
        "pings": lambda: pouring(port, 8, FEED, 1000 * PING),
        "chunks": lambda: pouring(port, 8, CHUNKED, 1000 * b"1\r\nx\r\n"),
        "headers": lambda: pouring(port, 8, b"", HEADERS),
        "drops": lambda: pouring(port, 40, CLAIM, b"x", 0.005),
        "replays": lambda: asking(port, 40, 40, lambda _: ("GET", "/api/games/-1", "")),
        "claims": lambda: asking(port, 40, 40, lambda _: ("POST", "/api/claim", next(guessed))),
        "pages": lambda: asking(port, 40, 40, lambda _: ("GET", "/api/snapshot?as=public", "")),
    }
    threading.Thread(target=floods[kind], daemon=True).start()
    sys.stdin.read()  # until whoever started it has seen enough


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
