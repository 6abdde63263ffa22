"""Does it grow: five games at twenty times a player's pace, the memory of each process sampled.

`COMPANION_SOAK_HOURS=0.5 pytest -m soak tests/daemon/test_grows.py --timeout 0` is a short one.
Samples and a plot are written to artefacts/ as it goes.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from companion.games import GAMES
from tests.bench.service import SETTINGS, family, megabytes
from tests.web.evening_out import Evening, Seat, evening

HOURS = float(os.environ.get("COMPANION_SOAK_HOURS", "4"))
PACE = 0.3  # seconds a move: 20 times the 600 moves of a brisk hour
ENOUGH = 250  # turns of a game: then the table stops it, if it has not ended
TUMBLE = 3.0  # seconds until dice that were thrown have been read
SAMPLED = 10.0  # seconds between two samples
NAMES = ("daemon", "eye", "hub")
MOST = 2.0  # MB an hour in the second half: at a player's pace a tenth in an hour
ARTEFACTS = Path(__file__).parents[2] / "artefacts"

Sample = tuple[float, int, tuple[float, ...]]  # hours, moves, MB of each process


class Players:
    """Five phones: each looks, then does something at random; the games take turns."""

    def __init__(self, house: Evening, chance: random.Random) -> None:
        self.seats = [house.seat(panel) for panel in range(5)]
        self.chance, self.moves, self.rolls = chance, 0, 0
        self.seen = dict.fromkeys(GAMES, 0)  # turns in each game
        self._house, self._ids = house, count()
        self._wanted, self._left = next(iter(GAMES)), ENOUGH
        self._at, self._rested = "", 0.0

    def turn(self) -> None:
        seat = self.chance.choice(self.seats)
        page = seat.ask("GET", "/api/snapshot?as=seat")["all"]
        if page["entry"] != self._at:
            self._at, self.moves = page["entry"], self.moves + 1
        if page["game"]:
            self.seen[page["game"]] += 1
            self._left -= 1
            if page["over"] or self._left <= 0:
                self._wanted = list(GAMES)[(list(GAMES).index(page["game"]) + 1) % len(GAMES)]
        else:
            self._left = ENOUGH
        if page["asked"] and self.chance.random() < 0.95:  # else it is told by hand, or not at all
            if time.monotonic() > self._rested:
                self.rolls, self._rested = self.rolls + 1, time.monotonic() + TUMBLE
                self._do(seat, "/api/tray/throw")
        elif self.chance.random() < 0.03:
            self._look(seat, page)
        elif page["choices"]:
            index = self._choice(seat, page, [choice["label"] for choice in page["choices"]])
            if index is not None:
                self._do(seat, "choose", offered=page["offered"], index=index)
        elif self.chance.random() < 0.2:
            self._do(seat, "menu", opened=True)

    def _choice(self, seat: Seat, page: dict[str, Any], labels: list[str]) -> int | None:
        """What the table is at leads to the game that is wanted; in it whatever is offered."""
        if page["over"] or self._left <= 0:
            wishes = ["Another game", "Give up", "Agree"]
            if not any(wish in labels for wish in wishes):
                self._do(seat, "menu", opened=True)
                return None
        elif not page["game"]:
            wrong = page["title"] != GAMES[self._wanted].name.show()
            wishes = [GAMES[self._wanted].name.show(), "Another game" if wrong else "Start", "Join"]
        else:
            wishes = ["Agree"] if self.chance.random() < 0.5 else []
        kept = [label for label in labels if label != "Sign off the phone"]
        wish = next((wish for wish in wishes if wish in labels), self.chance.choice(kept))
        return labels.index(wish)

    def _look(self, seat: Seat, page: dict[str, Any]) -> None:
        """At the past, the health page, the tray; through the menu; with the panel's buttons."""
        number = self.chance.randrange(1, int(page["entry"].split("/")[0]) + 1)
        paths = ["", f"/{number}", f"/{number}/export", f"/{number}/verify"]
        kind = self.chance.randrange(8)
        if kind < 4:
            seat.ask("GET", "/api/games" + paths[kind])
        elif kind < 6:
            seat.ask("GET", ("/api/health", "/api/eye/picture")[kind - 4])
        elif kind == 6:
            self._do(seat, "menu", opened=self.chance.random() < 0.5)
        else:
            for key in ("back", "next", "next", "previous", "back"):
                self._do(seat, "press", key=key)

    def _do(self, seat: Seat, verb: str, **body: Any) -> None:
        path = verb if verb[0] == "/" else f"/api/panels/{seat.panel}/{verb}"
        seat.ask("POST", path, {"id": str(next(self._ids)), **body})


def listen(house: Evening, wanted: str, token: str) -> None:
    """A page that is open all the time."""
    url = f"ws://127.0.0.1:{house.port}/api/feed?as={wanted}"
    cookie = {"Cookie": f"companion_seat={token}"}
    with suppress(ConnectionClosed), connect(url, additional_headers=cookie) as socket:
        for _ in socket:
            pass


def held(house: Evening) -> tuple[float, ...]:
    """MB of each process, by what it was started as."""
    found = dict.fromkeys(NAMES, 0.0)
    for pid in family(house.process.pid):
        with suppress(OSError):  # ended meanwhile
            command = Path(f"/proc/{pid}/cmdline").read_text()
            name = "eye" if "companion.eye" in command else "hub" if "twins.hub" in command else ""
            found[name or "daemon"] = megabytes(pid, "Rss")
    return tuple(found.values())


def play(house: Evening, hours: float, open_lines: ExitStack) -> Iterator[Sample]:
    """Play for so long; a sample now and then."""
    players = Players(house, random.Random(1))
    for seat in players.seats:
        open_lines.enter_context(seat)
        for wanted in ("seat", "public"):
            args = (house, wanted, seat.token)
            threading.Thread(target=listen, args=args, daemon=True).start()
    begun, due = time.monotonic(), 60.0
    while (now := time.monotonic() - begun) < hours * 3600:
        players.turn()
        house.watch(0.02)  # as a terminal that shows the glasses
        house.shown.clear()
        time.sleep(max(0.0, min(1.0, players.moves * PACE - now)))
        if now >= due:
            due += SAMPLED
            memory = held(house)
            print(
                f"{now:.0f} s: {players.moves} moves, {players.rolls} rolls, {memory}", flush=True
            )
            yield now / 3600, players.moves, memory
    assert all(players.seen.values()), players.seen
    failed = [why for seat in players.seats for why in seat.refused if ": 5" in why]
    starved = [why for why in failed if "The eye does not answer" in why]  # by a busy machine
    print(f"the eye did not answer in time: {len(starved)}", flush=True)
    assert failed == starved


def growth(samples: Sequence[Sample], process: int) -> float:
    """MB an hour over the second half: the median of the slopes of all pairs (Theil, Sen)."""
    half = [(hours, memory[process]) for hours, _, memory in samples[len(samples) // 2 :]]
    half = half[:: max(1, len(half) // 400)]
    return statistics.median(
        (late[1] - early[1]) / (late[0] - early[0])
        for n, early in enumerate(half) for late in half[n + 1 :]
    )  # fmt: skip


def plot(samples: Sequence[Sample]) -> str:
    """The memory of each process over the hours, as an SVG."""
    wide, high = 900, 400
    hours = samples[-1][0]
    most = max(max(memory) for *_, memory in samples) * 1.1
    rows = [f'<rect width="{wide}" height="{high + 40}" fill="white"/>']
    for mb in range(0, int(most) + 1, 10):
        y = high - mb / most * high
        rows.append(f'<path d="M40 {y:.0f}H{wide}" stroke="#ddd"/>')
        rows.append(f'<text x="2" y="{y + 4:.0f}" font-size="12">{mb} MB</text>')
    for part in range(5):
        x = 40 + part / 4 * (wide - 80)
        rows.append(f'<text x="{x:.0f}" y="{high + 20}">{hours * part / 4:.2f} h</text>')
    for n, (name, colour) in enumerate(zip(NAMES, ("#c33", "#36c", "#393"), strict=True)):
        points = " ".join(
            f"{40 + at / hours * (wide - 40):.1f},{high - memory[n] / most * high:.1f}"
            for at, _, memory in samples
        )
        rows.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
        told = f"{name}: {growth(samples, n):+.2f} MB an hour in the second half"
        rows.append(f'<text x="{60 + 290 * n}" y="{high + 36}" fill="{colour}">{told}</text>')
    size = f'viewBox="0 0 {wide} {high + 40}" font-family="sans-serif" font-size="13"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(rows)}</svg>\n'


@pytest.mark.soak
def test_over_hours_of_heavy_play_no_process_grows(tmp_path: Path) -> None:
    settings = SETTINGS.replace("{eye}", "twin").replace("{hub}", "twin")
    settings = settings.replace("[table]", '[table]\nmode = "coach"')  # what thinks most is in it
    samples: list[Sample] = []
    ARTEFACTS.mkdir(exist_ok=True)
    with evening(tmp_path, settings, seats=5) as house, ExitStack() as lines:
        for sample in play(house, HOURS, lines):
            samples.append(sample)
            (ARTEFACTS / "memory.json").write_text(json.dumps(samples))
            if len(samples) > 8:
                (ARTEFACTS / "memory.svg").write_text(plot(samples))
        assert b"Traceback" not in house.log
    for process, name in enumerate(NAMES):
        assert growth(samples, process) < MOST, f"the {name} grows: see artefacts/memory.svg"


def test_what_grows_is_told_from_what_settles() -> None:
    noise = random.Random(1)
    hours = [n / 60 for n in range(240)]
    settles = [60 + 15 * min(1.0, at) + noise.uniform(-3, 3) for at in hours]
    grows = [60 + 3 * at + noise.uniform(-3, 3) for at in hours]
    samples = [(at, 0, (settles[n], grows[n], 20.0)) for n, at in enumerate(hours)]
    assert [growth(samples, n) < MOST for n in range(3)] == [True, False, True]
    assert plot(samples).count("<polyline") == 3
