"""Strangers in numbers: seats, panels and glasses do not notice, and the daemon still obeys."""

from __future__ import annotations

import json
import signal
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.sync.client import connect

from companion.games import GAMES
from tests.patience import within
from tests.web.evening_out import TOKENS, Evening, Seat, entry, evening, exported_game, written

FLOODS = (
    "silent", "files", "feeds", "feeds of many", "pings", "chunks", "headers", "drops", "replays",
    "claims", "pages",
)  # fmt: skip
TIMES = 2.0  # what an answer may take under a flood, in quiet medians
ROUNDS, TURNS = 20, 10  # quiet, flooded, quiet …: what else the machine does slows down both
IMPORTED = 4  # rounds
ATTEMPTS = 3  # others use the machine, too: a flood that is felt is felt each time


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    with evening(tmp_path_factory.mktemp("evening")) as house:
        game = written(exported_game(GAMES["sao"], 1))
        with house.seat(0) as blue:
            assert blue.ask("POST", "/api/games/import", game) == {"number": -1}
        yield house


def played(house: Evening, blue: Seat, turns: int) -> tuple[list[float], list[float]]:
    """Seconds for each answer, and for each press until its glass shows what came of it."""
    blue.took.clear()
    glass = []
    for _ in range(turns):
        blue.play()
        glass.append(house.glass_follows(1, "two"))
    return list(blue.took), glass


def ratios(house: Evening, kind: str, rounds: int, turns: int) -> tuple[float, float]:
    """By how much answers and glasses are slower; quiet and flooded by turns, in one run."""
    quiet: tuple[list[float], list[float]] = ([], [])
    flood: tuple[list[float], list[float]] = ([], [])
    with house.seat(0) as blue:
        played(house, blue, 2)
        for _ in range(rounds):
            for kept, new in zip(quiet, played(house, blue, turns), strict=True):
                kept += new
            with house.flooded(kind):
                for kept, new in zip(flood, played(house, blue, turns), strict=True):
                    kept += new
    assert blue.refused == []
    answers, glass = (
        statistics.median(wet) / statistics.median(dry)
        for wet, dry in zip(flood, quiet, strict=True)
    )
    dry, wet = (1000 * statistics.median(side[0]) for side in (quiet, flood))
    said = f"{kind}: answers {dry:.1f} -> {wet:.1f} ms, times {answers:.2f}; glass {glass:.2f}"
    print(said, flush=True)
    return answers, glass


def is_sound(house: Evening) -> None:
    assert len(house.log) < 100_000
    assert b"Traceback" not in house.log
    assert house.memory < 200 << 20


@pytest.mark.slow
@pytest.mark.parametrize("kind", FLOODS)
def test_under_a_flood_no_seat_is_refused_and_every_press_reaches_its_glass(
    house: Evening, kind: str
) -> None:
    with house.seat(0) as blue, house.flooded(kind):
        played(house, blue, 10)
        assert blue.refused == []
    is_sound(house)


@pytest.mark.soak
@pytest.mark.parametrize("kind", FLOODS)
def test_for_minutes_under_a_flood_no_seat_notices(house: Evening, kind: str) -> None:
    for _ in range(ATTEMPTS):
        if max(ratios(house, kind, ROUNDS, TURNS)) < TIMES:
            break
    else:
        pytest.fail(f"{kind} was felt {ATTEMPTS} times")
    is_sound(house)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["feeds", "feeds of many", "files"])
def test_under_a_flood_a_claimed_seats_feed_is_let_in(house: Evening, kind: str) -> None:
    cookie = {"Cookie": f"companion_seat={TOKENS[1]}"}
    with house.flooded(kind):
        url = f"ws://127.0.0.1:{house.port}/api/feed?as=seat"
        with connect(url, additional_headers=cookie, open_timeout=within(20)) as socket:
            assert "all" in json.loads(socket.recv(within(20)))


def endless() -> bytes:
    """3.7 MB: a number set by hand again and again, and each taken back from under the others."""
    rulings = 4000
    head, *_ = exported_game(GAMES["swordcrafters"], 1, moves=0)
    body = {"counter": "word0", "value": 1, "why": "x" * 500}
    rows = [entry(n, "rule", body) for n in range(1, rulings + 1)]
    rows += [
        entry(rulings + n, "back", {"drop": [n], "why": "x" * 250}) for n in range(1, rulings + 1)
    ]
    return written([head, *rows])


@contextmanager
def bringing(house: Evening) -> Iterator[None]:
    """Six endless games at once, from one seat; each must be told why it is not taken."""
    sent = endless()
    assert 3_400_000 < len(sent) < 4_000_000
    told: list[str] = []

    def bring() -> None:
        with house.seat(1) as other:
            told.append(str(other.ask("POST", "/api/games/import", sent)))

    threads = [threading.Thread(target=bring) for _ in range(6)]
    for one in threads:
        one.start()
    yield
    for one in threads:
        one.join()
    assert len(told) == 6
    assert all("too much to be judged" in one or "try again" in one for one in told), told
    assert any("too much to be judged" in one for one in told)


@pytest.mark.slow
def test_imports_of_endless_take_backs_are_bounded_and_no_seat_is_refused(house: Evening) -> None:
    with house.seat(0) as blue, bringing(house):
        played(house, blue, 10)
        assert blue.refused == []


@pytest.mark.soak
def test_no_seat_notices_imports_of_endless_take_backs(house: Evening) -> None:
    for _ in range(ATTEMPTS):
        quiet: list[float] = []
        busy: list[float] = []
        with house.seat(0) as blue:
            for _ in range(IMPORTED):
                quiet += played(house, blue, TURNS)[0]
                with bringing(house):
                    busy += played(house, blue, TURNS)[0]
        slower = statistics.median(busy) / statistics.median(quiet)
        print(f"imports: times {slower:.2f}", flush=True)
        if slower < TIMES:
            return
    pytest.fail(f"imports were felt {ATTEMPTS} times")


@pytest.mark.slow
def test_a_daemon_that_judges_endless_take_backs_ends_as_soon_as_it_is_told(
    tmp_path: Path,
) -> None:
    with evening(tmp_path / "state") as house, house.seat(0) as blue, house.seat(1) as red:
        judging = threading.Thread(target=blue.ask, args=("POST", "/api/games/import", endless()))
        judging.start()
        for _ in range(5):
            red.play()
        assert judging.is_alive()
        before = time.monotonic()
        house.process.send_signal(signal.SIGTERM)
        assert house.process.wait(within(20)) == 0
        assert time.monotonic() - before < within(5)
        judging.join()
