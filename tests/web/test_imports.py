"""Whatever file is brought as a game: an answer with a sentence, no failure of ours, no growth."""

from __future__ import annotations

import asyncio
import json
import random
import resource
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion.games import GAMES
from companion.memory.cardbox import CardBox
from companion.memory.journal import Journal
from companion.settings.settings import WebSettings
from companion.table.table import Table
from companion.web import history, lane
from companion.web.desk import Desk
from companion.web.history import Shelves
from companion.web.server import Web
from tests.table.desk import TWO
from tests.web.evening_out import entry, exported_game, written

GROWTH = 64 << 10  # kilobytes that the process may grow by, files and answers and all
NASTY: list[Any] = [
    None, True, -1, 0, 1 << 70, 1e308, "", "x" * 5000, "\x00", [], {}, [[[[]]]], {"a": {"b": []}},
    "Blue", "health", [1, 2, 3], [None], {"do": "Pick"},
]  # fmt: skip


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(lane, "WORK", 60.0)  # no loop has to run meanwhile
    journal = Journal(tmp_path / "journal.db", lambda: 1.0)
    table = Table(
        GAMES, journal, TWO, box=CardBox(tmp_path / "cards"),
        draw=lambda: "0" * 64,
    )  # fmt: skip

    async def nothing(*_: object) -> None:
        return None

    yield Desk(
        table, GAMES, tmp_path / "journal.db", WebSettings(virtual="all"), table.handle, nothing,
        nothing, twins=True,
    )  # fmt: skip
    journal.close()


def bent(value: Any, rng: random.Random) -> Any:
    """The same with one thing changed, somewhere inside."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: bent(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], bent(value[at], rng), *value[at + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.5:
        return value + rng.choice((-1, 1))
    return rng.choice(NASTY)


def spoilt(rows: list[dict[str, Any]], rng: random.Random) -> bytes:
    """A game with something wrong in its moves, its lines or its bytes; sometimes nothing."""
    rows = rows[: rng.randrange(1, len(rows) + 1)]
    for _ in range(rng.randrange(3)):
        at, last = rng.randrange(len(rows)), len(rows)
        match rng.randrange(5):
            case 0:
                changed = bent(rows[at], rng)
                rows[at] = changed if isinstance(changed, dict) else {"x": changed}
            case 1:
                rows.append(entry(last, "back", {"drop": [rng.randrange(last + 1)]}))
            case 2:
                fixed = bent(rng.choice(rows), rng)
                fixed = fixed.get("body") if isinstance(fixed, dict) else fixed
                rows.append(entry(last, "fix", {"seq": at, "action": fixed}))
            case 3:
                counter = rng.choice(("word0", "hp0", "enemy", "round", "points0", "none"))
                value = rng.choice((0, 1, 5, 1 << 70, "1", None))
                rows.append(entry(last, "rule", {"counter": counter, "value": value}))
            case 4:
                rows.insert(at, rows[rng.randrange(last)])
    data = bytearray(written(rows))
    if rng.random() < 0.2:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def bring_many(desk: Desk, files: int, looked_at: int = 1) -> None:
    """Many files; of those that are taken one in so many is looked at, for that takes longest."""
    rng = random.Random(files)
    games = [exported_game(game, seed) for game in GAMES.values() for seed in range(4)]
    statuses: dict[int, int] = {}

    async def bring() -> None:
        transport = httpx.ASGITransport(Web(desk).app)  # raises what would be a traceback
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            at_first = 0
            for number in range(files):
                sent = spoilt(rng.choice(games), rng)
                answer = await client.post("/api/games/import", content=sent)
                statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
                assert answer.status_code in (200, 400), (answer.text, sent[-500:])
                if answer.status_code == 200 and statuses[200] % looked_at == 0:
                    kept = answer.json()["number"]
                    for path in (f"{kept}", f"{kept}?seat=0", f"{kept}/export"):
                        seen = await client.get(f"/api/games/{path}")
                        assert seen.status_code == 200, (seen.text, sent)
                    if kept <= -100:
                        for part in desk.journal.parent.glob("brought.db*"):
                            part.unlink()
                if number == files // 4:  # everything was seen once: from here on nothing grows
                    at_first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                if number % 500 == 499:
                    print(f"{number + 1} files: {statuses}", flush=True)
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - at_first
            print(f"{files} files: {statuses}, grown by {grown >> 10} MB")
            assert grown < GROWTH
            assert statuses[200] > files // 20
            assert statuses[400] > files // 20

    asyncio.run(bring())


@pytest.mark.slow
def test_no_file_that_is_brought_makes_the_pages_fail(desk: Desk) -> None:
    bring_many(desk, 150)


@pytest.mark.soak
def test_none_of_ten_thousand_files_makes_the_pages_fail_or_the_daemon_grow(desk: Desk) -> None:
    bring_many(desk, 10_000, looked_at=10)


@pytest.mark.slow
def test_first_imports_at_once_do_not_race_and_readers_find_all_or_nothing(desk: Desk) -> None:
    game = written(exported_game(GAMES["kiriai"], 1))

    async def race() -> None:
        transport = httpx.ASGITransport(Web(desk).app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            asked = [client.post("/api/games/import", content=game) for _ in range(4)]
            asked += [client.get("/api/games") for _ in range(8)]
            answers = await asyncio.gather(*asked)
            statuses = [answer.status_code for answer in answers]
            assert set(statuses[:4]) <= {200, 429}
            assert statuses[:4].count(200) >= 2  # two of one owner may wait, the others ask again
            assert set(statuses[4:]) == {200}
            numbers = sorted(a.json()["number"] for a in answers[:4] if a.status_code == 200)
            assert numbers == list(range(-len(numbers), 0))

    asyncio.run(race())
    brought = desk.journal.with_name("brought.db")
    assert brought.stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
def test_a_replay_is_worked_out_once_until_the_game_goes_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[int] = []
    step = history.step_to_json
    monkeypatch.setattr(history, "step_to_json", lambda *one: worked.append(1) or step(*one))
    shelves = Shelves(desk, threading.Event())
    shelves.bring(written(exported_game(GAMES["kiriai"], 1)))
    first = shelves.replay(-1, None)
    count = len(worked)
    assert count == len(json.loads(first)["steps"]) > 5
    assert shelves.replay(-1, None) == first
    assert len(worked) == count
    journal = Journal(desk.journal.with_name("brought.db"), lambda: 1.0)
    journal.append(1, journal.length(1) + 1, None, "mode", {"mode": "soft"})
    journal.close()
    shelves.replay(-1, None)
    assert len(worked) > count


@pytest.mark.slow
def test_of_the_replays_that_were_worked_out_the_newest_are_kept(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelves, game = Shelves(desk, threading.Event()), exported_game(GAMES["kiriai"], 1, moves=8)
    for _ in range(4):
        shelves.bring(written(game))
    size = max(len(shelves.replay(number, None)) for number in (-1, -2, -3))
    assert list(shelves._known) == [(-1, None, ""), (-2, None, ""), (-3, None, "")]
    monkeypatch.setattr(history, "KNOWN", 2 * size)
    shelves.replay(-4, None)
    assert list(shelves._known) == [(-3, None, ""), (-4, None, "")]
