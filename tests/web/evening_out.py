"""A daemon in a process of its own, with two claimed seats; games as other tables export them."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.games.api import Game
from companion.memory.codec import action_to_json, json_line, to_json
from tests.games.shelf import some_action
from tests.patience import within
from tests.table.evening import Onlooker
from tests.web.house import PAGES

TOKENS = tuple(f"the token of {name}" for name in ("blue", "red", "green", "yellow", "white"))


def exported_game(game: Game[Any], seed: int, moves: int = 100_000) -> list[dict[str, Any]]:
    """A game by legal moves at random, as its lines."""
    rng, options = random.Random(seed), game.options()
    seats = game.seats[-1]
    state, rows = game.new(seats, options), []
    while game.waiting(state) and len(rows) < moves:
        action = some_action(game, state, rng)
        state = game.apply(state, action)
        rows.append(entry(len(rows) + 1, "do", action_to_json(action)))
    head = {
        "companion": 1, "game": game.key, "rules": game.version,
        "seats": [{"panel": n, "name": f"P{n}"} for n in range(seats)],
        "options": {**to_json(options), "mode": "hard"}, "began": 1.0, "ended": 2.0,
        "result": None, "secrets_left_out": False,
    }  # fmt: skip
    return [head, *rows]


def entry(seq: int, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"seq": seq, "at": float(seq), "who": None, "kind": kind, "body": body}


def written(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json_line(row) + "\n" for row in rows).encode()


@dataclass
class Seat:
    """A claimed phone that keeps its connection, as browsers do."""

    port: int
    token: str
    panel: int
    took: list[float] = field(default_factory=list)  # seconds for each answer
    refused: list[str] = field(default_factory=list)
    _line: http.client.HTTPConnection | None = None
    _asked: int = 0

    def __enter__(self) -> Seat:
        return self

    def __exit__(self, *_: object) -> None:
        self._hang_up()

    def _hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
        self._line = None

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer, timed; a connection that was closed meanwhile is made again, in that time."""
        headers = {"Cookie": f"companion_seat={self.token}", "Content-Type": "application/json"}
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body)
        before = time.perf_counter()
        for _ in range(2):
            if self._line is None:
                self._line = http.client.HTTPConnection("127.0.0.1", self.port, within(120))
            try:
                self._line.request(method, path, sent, headers)
                answer = self._line.getresponse()
                told = answer.read()
                break
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                self._hang_up()
        else:
            self.refused.append(f"{path}: no connection")
            return None
        self.took.append(time.perf_counter() - before)
        if answer.status >= 400:
            self.refused.append(f"{path}: {answer.status} {told[:80]!r}")
        kind = answer.getheader("Content-Type", "")
        return json.loads(told) if kind == "application/json" else told

    def play(self) -> None:
        """One turn of a thumb: look, choose what is journaled, look at the menu."""
        self._asked += 1
        seen = self.ask("GET", "/api/snapshot?as=seat")["all"]
        options = (
            n for n, one in enumerate(seen["choices"]) if one["detail"].startswith("change to:")
        )
        body = {
            "id": f"{self.panel}-{self._asked}", "offered": seen["offered"],
            "index": next(options, 0),  # an option's next value; before that, a game
        }  # fmt: skip
        self.ask("POST", f"/api/panels/{self.panel}/choose", body)


@dataclass
class Evening(Onlooker):
    """The daemon, seen through its window and its port."""

    process: subprocess.Popen[bytes] = field(init=False)
    state: Path = field(default_factory=Path)
    port: int = 0

    def seat(self, panel: int) -> Seat:
        return Seat(self.port, TOKENS[panel], panel)

    def glass_follows(self, panel: int, display: str) -> float:
        """Seconds from a press until the glass shows something new."""
        self.watch(0)
        before = time.perf_counter()
        self.press(panel, "next")
        assert self.watch(within(20), until=lambda one: one.display == display), "the glass hangs"
        return time.perf_counter() - before

    @property
    def log(self) -> bytes:
        return (self.state / "said").read_bytes()

    @property
    def memory(self) -> int:
        """Bytes that the daemon holds."""
        status = Path(f"/proc/{self.process.pid}/statm").read_text()
        return int(status.split()[1]) * os.sysconf("SC_PAGESIZE")

    @contextmanager
    def flooded(self, kind: str) -> Iterator[None]:
        crowd = subprocess.Popen(
            [sys.executable, "-m", "tests.web.crowd", kind, str(self.port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            start_new_session=True,  # strangers do not take their time from the daemon's share
        )  # fmt: skip
        assert crowd.stdin is not None
        assert crowd.stdout is not None
        try:
            assert crowd.stdout.readline() == b"flooding\n"
            yield
        finally:
            crowd.stdin.close()
            crowd.wait(within(20))
            crowd.stdout.close()


@contextmanager
def evening(state: Path, settings: str = PAGES, seats: int = 2) -> Iterator[Evening]:
    """`companion run`, with all seats claimed; killed if it does not end by itself."""
    state.mkdir(exist_ok=True)
    tokens = enumerate(TOKENS[:seats])
    hashes = {str(n): hashlib.sha256(token.encode()).hexdigest() for n, token in tokens}
    (state / "claims.json").write_text(json.dumps(hashes))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = state / "own.toml"
    own.write_text(settings.format(state=state))
    house = Evening(state=state, port=port)
    with (state / "said").open("wb") as said:
        house.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "run", "-s", str(own), "--port", str(port)],
            stdout=subprocess.PIPE, stderr=said,
        )  # fmt: skip
    try:
        assert house.process.stdout is not None
        assert house.process.stdout.readline() == b"ready\n", house.log
        house._window = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        house._window.connect(str(state / "window.sock"))
        house.watch(within(20), until=lambda _: True)
        yield house
    finally:
        house.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            house.process.wait(within(20))
        house.process.kill()
        house.process.wait()
        if house.process.stdout:
            house.process.stdout.close()
        house._window.close()
