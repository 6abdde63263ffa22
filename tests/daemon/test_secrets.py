"""What is told of a secret before its reveal, and after it. tests/secrecy compares every door."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli.referee import Referee
from companion.games import GAMES
from companion.games.kiriai import KIRIAI
from companion.memory.records import exported, listed
from companion.plain import plain
from tests.daemon.house import open_house
from tests.table.desk import Desk

KEYS = ("approach", "retreat", "charge", "stance", "high", "low", "balanced")


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
            for panel, label in ((0, "Join"), (1, "Join"), (0, "Start")):
                await house.choose(panel, label)
            await house.plan(0, "High", "Low")
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
