"""Whose lamp burns: of the seats that the table waits for, not of one that only could act."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games import SHELF
from companion.games.api import Game
from companion.games.sao import SAO
from companion.memory.timeline import Timeline
from companion.table.calibration_talk import CameraTalk
from companion.table.fingers import Finger
from companion.table.offers import Scene, offer, with_finger
from companion.views import View
from companion.words import text
from tests.games.pig import PIG
from tests.games.shelf import walk
from tests.table.desk import Desk


def test_a_seat_hears_that_dice_lie_still_and_that_something_is_asked(tmp_path: Path) -> None:
    desk = Desk(tmp_path, shelf={"pig": PIG})
    desk.start()
    assert desk.table.panel(0).call == ""
    for label in ("Enter by hand", "3", "Yes"):
        desk.choose(0, label)
    assert [desk.table.panel(panel).call for panel in (0, 1)] == ["dice 1", "dice 1"]
    desk.menu(0)
    desk.choose(0, "Give up")
    assert [desk.table.panel(panel).call for panel in (0, 1)] == ["", "asked"]


def seen(game: Game[Any], state: Any, seats: int) -> list[View]:
    """What each seat sees."""
    players = tuple(range(seats))
    names = tuple(text("{name}", name=f"Seat {n}") for n in players)
    line = Timeline(game, (), (state,))
    scene = Scene(line, players, names, "hard", False, None, None, (), CameraTalk())
    views = (offer(scene, seat, ())[0] for seat in players)
    return [with_finger(scene, seat, Finger(offer=view), ()) for seat, view in enumerate(views)]


LONG = 3  # a walk in which somebody gets hurt and has a potion


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
@pytest.mark.slow
def test_the_lamp_burns_for_whom_the_table_waits(game: Game[Any]) -> None:
    seats, idle = max(game.seats), 0
    for moment in walk(game, seats, game.options(), seed=LONG):
        waiting = game.waiting(moment.state)
        if not waiting:
            continue
        throws = () if waiting.dice is None else waiting.dice.by or tuple(range(seats))
        views = seen(game, moment.state, seats)
        burning = {seat for seat, view in enumerate(views) if view.lamp}
        assert burning == {*waiting.seats, *throws}
        idle += sum(bool(view.choices) and not view.lamp for view in views)
    if game is SAO:
        assert idle  # a potion may be drunk at any time: nobody waits for it
