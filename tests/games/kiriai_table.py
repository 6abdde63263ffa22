"""Short words for setting up duels and playing rounds, shared by the proofs of Kiri-ai."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.games.kiriai import KIRIAI
from companion.games.kiriai.duel import Stand
from companion.games.kiriai.state import Dealt, GoOn, Options, Pick, Seal, State, Told

LETTERS: dict[str, Any] = {"H": "heaven", "E": "earth"}


def begin(blue: str = "kesa", red: str = "counter", **options: Any) -> State:
    """A duel with the specials dealt."""
    return KIRIAI.apply(KIRIAI.new(2, Options(**options)), Dealt((blue, red)))


def cardboard(blue: str = "kesa", red: str = "counter") -> State:
    """A duel with specials of cardboard, as both have told them."""
    return do(KIRIAI.new(2, Options(cards="table")), Told(0, blue), Told(1, red))


def do(state: State, *actions: Any) -> State:
    """One action after the other."""
    for action in actions:
        state = KIRIAI.apply(state, action)
    return state


def stands(position: str) -> tuple[Stand, Stand]:
    """`B1H R4E`: Blue on 1 in Heaven, Red on 4 in Earth."""
    blue, red = (Stand(int(word[1]), LETTERS[word[2]]) for word in position.split())
    return blue, red


def put(state: State, position: str, wounds: tuple[int, int] = (0, 0)) -> State:
    """The duel with the samurai somewhere else; still one that can be."""
    blue, red = (
        replace(fighter, stand=stand, wounds=hurt)
        for fighter, stand, hurt in zip(state.fighters, stands(position), wounds, strict=True)
    )
    moved = replace(state, fighters=(blue, red))
    KIRIAI.possible(moved)
    return moved


def plan(seat: int, faces: Sequence[str]) -> list[Any]:
    """Lay and seal: what a seat does in a round."""
    return [*(Pick(seat, face, f"salt{seat}{face}") for face in faces), Seal(seat)]


def first(state: State, blues: str, reds: str) -> State:
    """Both lay their two cards (`charge high`); the first ones are open."""
    return do(state, *plan(0, blues.split()), *plan(1, reds.split()))


def whole(state: State, blues: str, reds: str) -> State:
    """A whole round."""
    return do(first(state, blues, reds), GoOn(0))


def where(state: State) -> str:
    """The samurai as `stands` writes them."""
    blue, red = (f"{f.stand.space}{f.stand.stance[0].upper()}" for f in state.fighters)
    return f"B{blue} R{red}"


def wounds(state: State) -> tuple[int, int]:
    """Of Blue and of Red."""
    return state.fighters[0].wounds, state.fighters[1].wounds
