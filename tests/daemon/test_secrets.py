"""A secret is planted in one seat's choice: no byte that leaves for others depends on it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cli.referee import Referee
from companion.games import GAMES
from companion.games.kiriai import KIRIAI
from companion.memory.journal import Journal
from companion.memory.records import exported, find, listed, steps
from companion.plain import plain
from tests.daemon.house import House, open_house
from tests.table.desk import Desk

FACES = ("Approach", "Retreat", "Charge", "Change Stance", "High", "Low", "Balanced")
KEYS = ("approach", "retreat", "charge", "stance", "high", "low", "balanced")


class Tap:
    """Every byte on a display's wire."""

    def __init__(self, bus: Any) -> None:
        self.bytes = bytearray()
        write = bus._write

        def listening(address: int, data: bytes) -> None:
            self.bytes += bytes([address]) + data
            write(address, data)

        bus._write = listening


async def _until_sealed(house: House, first: str) -> dict[str, Any]:
    """Blue lays `first` and a second card and seals; all that others may get of it."""
    taps = {name: Tap(house.devices.buses[name]) for name in ("table", "two")}
    await house.choose(0, "Join")
    await house.choose(1, "Join")
    await house.choose(0, "Start")
    second = "Low" if first != "Low" else "High"
    await house.plan(0, first, second)
    (record,) = listed(house.journal)
    out: dict[str, Any] = {name: bytes(tap.bytes) for name, tap in taps.items()}
    out["export"] = list(exported(house.journal, record, GAMES))
    out["replay"] = [
        (one.sentence.show(), list(plain(one.view)))
        for one in steps(house.journal, find(house.journal, record.id), GAMES, None)
    ]
    out["result"] = record.result
    assert not any(record.seed in text for text in _strings(out))
    return out


def _evening(folder: Path, first: str, caplog: pytest.LogCaptureFixture) -> dict[str, Any]:
    async def evening() -> dict[str, Any]:
        async with open_house(folder, seed=7) as house:
            return await _until_sealed(house, first)

    caplog.clear()
    with caplog.at_level(logging.DEBUG, logger="companion"):
        gone = asyncio.run(evening())
    gone["log"] = [record.getMessage() for record in caplog.records]
    journal = Journal(folder / "journal.db", lambda: 0.0, write=False)
    assert not any(one.seed in line for one in journal.games() for line in gone["log"])
    journal.close()
    return gone


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode("latin-1")
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)


@pytest.mark.slow
def test_nothing_that_leaves_for_others_depends_on_a_sealed_choice(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    evenings = {first: _evening(tmp_path / str(n), first, caplog) for n, first in enumerate(FACES)}
    one = evenings["High"]
    assert len(one["table"]) > 1000  # the wires were really heard
    assert len(one["export"]) == 5  # the head, the deal, two picks and the seal
    for first, other in evenings.items():
        assert other == one, f"somebody else can tell {first} from High Strike"
    for text in _strings({key: value for key, value in one.items() if key != "log"}):
        assert '"high"' not in text
        assert "High Strike" not in text or "hits 2 away" in text  # a card of one's own hand


def test_the_reason_of_a_warning_is_left_out_while_the_game_runs(tmp_path: Path) -> None:
    desk = Desk(tmp_path, mode="soft")
    desk.start()
    play = desk.table.play
    play.enter(0, "warned", {"rule": "K-R4", "why": "No Kesa Strike"}, play.line.noted())
    (record,) = listed(desk.journal)
    exporting = "\n".join(exported(desk.journal, record, GAMES))
    assert "K-R4" in exporting
    assert "Kesa" not in exporting
    play.stop()
    (ended,) = listed(desk.journal)
    assert "No Kesa Strike" in "\n".join(exported(desk.journal, ended, GAMES))


@pytest.mark.slow
def test_the_choice_is_told_to_everybody_after_the_reveal(tmp_path: Path) -> None:
    async def evening() -> str:
        async with open_house(tmp_path, seed=7) as house:
            await _until_sealed(house, "High")
            await house.plan(1, "Retreat", "Low")
            return "\n".join(plain(house.table.view("table")))

    shown = asyncio.run(evening())
    assert "Blue High Strike" in shown
    assert '"high":' in shown  # choice, salt and code, to be checked


@pytest.mark.parametrize("viewer", [1, None])
def test_the_referee_shows_others_the_same_view_whatever_was_chosen(viewer: int | None) -> None:
    views = set()
    for key in KEYS:
        referee = Referee(KIRIAI)

        def ask(referee: Referee = referee, **request: Any) -> Any:
            answer = json.loads(referee.answer(json.dumps(request)))
            assert answer["ok"], answer
            return answer

        ask(ask="new", seats=2, seed=5)
        ask(ask="chance")
        ask(ask="do", action={"do": "Pick", "seat": 0, "face": key, "salt": "0011aabb"})
        views.add(json.dumps(ask(ask="view", seat=viewer)))
        views.add(json.dumps(ask(ask="view", seat=viewer)))
    assert len(views) == 1
