"""The smallest game with a character die, for tests: Asuna's die is thrown once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.errors import BadState
from companion.games.api import DiceWanted, Die, Game, Result, Rolled, Rule, Waiting, require
from companion.views import Line, View
from companion.words import text


@dataclass(frozen=True, slots=True)
class Options:
    """None."""


@dataclass(frozen=True, slots=True)
class State:
    """What the die showed; 0 before the throw."""

    face: int = 0


def _waiting(state: State) -> Waiting:
    if state.face:
        return Waiting(text("The game is over"))
    return Waiting(text("Throw Asuna's die"), dice=DiceWanted(("blue",), characters=("asuna",)))


def _apply(state: State, action: Any) -> State:
    require(not state.face, "B1", "Thrown already")
    match action:
        case Rolled((Die("blue", value),)) if 1 <= value <= 6:
            return replace(state, face=value)
    raise BadState("one blue die")


def _view(state: State, _seat: int | None) -> View:
    return View(text("Blue"), _waiting(state).why, (Line(text("{n}", n=state.face), big=True),))


BLUE: Game[State] = Game(
    key="blue", name=text("Blue"), version=1, seats=range(1, 3), options=Options, state=State,
    actions=(Rolled,), rules=(Rule("B1", "Turn", "Throw once."),),
    new=lambda _seats, _options: State(), waiting=_waiting, legal=lambda _state, _seat: (),
    apply=_apply, view=_view,
    result=lambda s: Result((0,), text("{n}", n=s.face)) if s.face else None,
    tell=lambda _state, _action, _viewer: text("The die was thrown"), cites={Rolled: "B1"},
    possible=lambda _state: None, cap=1,
)  # fmt: skip
