"""The course of a game: who is asked, what may be done, what it leads to (`new`: setup.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.errors import BadState, Illegal
from companion.games.api import Pick as Chance
from companion.games.api import Waiting, require
from companion.games.swordcrafters import crafting, entry, laying, setup, slicing
from companion.games.swordcrafters.actions import (
    Add,
    Aim,
    Card,
    Craft,
    Cut,
    Dealt,
    Discard,
    Draw,
    Drawn,
    First,
    Guard,
    Icon,
    Laid,
    Next,
    Pick,
    Printed,
    Take,
    Tile,
    Undo,
    Untold,
)
from companion.games.swordcrafters.state import Phase, State
from companion.words import Seat, Text, text

SHOWN = 4  # seconds that a line is shown before it is cut: a press is quicker, Undo another line


def waiting(state: State) -> Waiting:
    """Who must act, in words that everybody may read."""
    phase, busy = state.phase, deciders(state)
    if phase == "over":
        return Waiting(text("The swords are forged"))
    if not busy:
        return Waiting(_CHANCE[phase], chance=True)
    who = Seat(busy[0])
    match phase:
        case "slice":
            moment = 0 if state.line is None else SHOWN
            return Waiting(text("{who} slices", who=who), busy, moment=moment)
        case "select":
            return Waiting(text("{who} takes a group", who=who), busy)
        case "lay":
            return Waiting(text("{who} lays the grid", who=who), busy)
    if len(busy) == 1 and state.seats > 1:
        return Waiting(text("{who}: {what}", who=who, what=_ASKED[phase]), busy)
    return Waiting(_ASKED[phase], busy, either=phase == "first")


def deciders(state: State) -> tuple[int, ...]:
    """The seats that must act now; none if chance must, or the game is over."""
    if state.phase == "over" or (not state.real and state.phase in _CHANCE):
        return ()
    match state.phase:
        case "slice" | "select":
            return (state.mover,)
        case "lay":
            return (state.first,)
        case "craft":
            return tuple(seat for seat, smith in enumerate(state.smiths) if any(smith.hands))
        case "guards":
            return tuple(n for n in range(state.seats) if setup.guards_wanted(state, n))
        case "enter":
            return tuple(n for n, smith in enumerate(state.smiths) if not entry.complete(smith))
        case "first":
            return tuple(range(state.seats))
    return (0,)


_CHANCE: dict[str, Text] = {
    "deal": text("Cards and guards are dealt"),
    "lay": text("The grid is laid"),
    "draw": text("A solo card is drawn"),
}
_ASKED: dict[str, Text] = {
    "magic": text("Which cards lie open?"),
    "rivals": text("Which opponents?"),
    "guards": text("Which guards?"),
    "first": text("Who begins?"),
    "draw": text("What does the card show?"),
    "discard": text("Discard a group"),
    "craft": text("Forge the tiles"),
    "enter": text("Enter the swords"),
}


def legal(state: State, seat: int) -> Iterator[Any]:
    """Every action that the seat may take now."""
    if seat not in deciders(state):
        return
    match state.phase:
        case "lay":
            yield from laying.legal_lay(state, seat)
        case "draw":
            yield from (Icon(seat, way) for way in slicing.NAMES)
        case "slice":
            yield from slicing.legal_slice(state, seat)
        case "discard":
            yield from (Discard(seat, group) for group in slicing.may_discard(state))
        case "select":
            yield from crafting.legal_select(state, seat)
        case "craft":
            yield from crafting.legal_craft(state, seat)
        case "enter":
            yield from entry.legal_entry(state, seat)
        case _:
            yield from setup.legal_setup(state, seat)


def apply(state: State, action: Any) -> State:
    """The only judge: the state after the action, or Illegal."""
    found = _ACTS.get(type(action))
    if found is None:
        raise BadState(f"{action!r} is no action of Swordcrafters")
    act, phases = found
    if state.phase not in phases:
        raise Illegal(*not_now(state))
    busy = deciders(state)
    if isinstance(action, Dealt | Drawn):
        require(not busy, "S-H2", "With real cards, enter what was dealt")
    elif isinstance(action, Laid):
        require(not busy or state.real, "S-R10", "No tiles are laid now")
    elif action.seat not in busy:
        raise Illegal(*(_not_you(state, busy[0]) if busy else not_now(state)))
    return act(state, action)


def chance(state: State, pick: Chance) -> Any:
    """What the companion draws: the deal, a grid, a solo card."""
    if state.real or state.phase not in _CHANCE:
        raise Illegal(*not_now(state))
    if state.phase == "deal":
        return setup.deal(state, pick)
    if state.phase == "lay":
        return laying.draw(state, pick)
    deck = slicing.deck(state)
    return Drawn(deck[pick(len(deck))])


def not_now(state: State) -> tuple[str, Text]:
    """Why another phase's action must wait."""
    if state.phase == "craft":
        seat, count = crafting.uncrafted(state)
        return "S-R21", text("{who} forges the tiles first: {n} left", who=Seat(seat), n=count)
    return _NOT_NOW[state.phase]


def _not_you(state: State, busy: int) -> tuple[str, Text]:
    """Whose move it is, or that this seat is done."""
    done = _DONE.get(state.phase)
    return done or (_NOT_NOW[state.phase][0], text("It is {who}'s move", who=Seat(busy)))


def _undo(state: State, action: Undo) -> State:
    return (entry.undo_entry if state.phase == "enter" else slicing.undo_slice)(state, action)


_ACTS: dict[type, tuple[Callable[[State, Any], State], tuple[Phase, ...]]] = {
    Dealt: (setup.dealt, ("deal",)),
    Card: (setup.card, ("magic", "rivals")),
    Printed: (setup.printed, ("magic",)),
    Guard: (setup.guard, ("guards",)),
    First: (setup.first, ("first",)),
    Laid: (laying.laid, ("lay",)),
    Tile: (laying.tile, ("lay",)),
    Untold: (laying.untold, ("lay",)),
    Drawn: (slicing.drawn, ("draw",)),
    Icon: (slicing.icon, ("draw",)),
    Aim: (slicing.aim, ("slice",)),
    Draw: (slicing.draw, ("slice",)),
    Cut: (slicing.cut, ("slice",)),
    Undo: (_undo, ("slice", "enter")),
    Discard: (slicing.discard, ("discard",)),
    Take: (crafting.take, ("select",)),
    Pick: (crafting.pick, ("craft",)),
    Craft: (crafting.craft, ("craft",)),
    Add: (entry.add, ("enter",)),
    Next: (entry.following, ("enter",)),
}
_DONE: dict[str, tuple[str, Text]] = {
    "craft": ("S-R21", text("All your tiles are forged: wait for the others")),
    "enter": ("S-H2", text("Your swords are entered: wait for the others")),
    "guards": ("S-R6", text("Your guards are entered: wait for the others")),
}
_NOT_NOW: dict[str, tuple[str, Text]] = {
    "deal": ("S-R4", text("Cards and guards are dealt first")),
    "magic": ("S-R4", text("Enter the three cards first")),
    "rivals": ("S-R38", text("Enter the opponents first")),
    "guards": ("S-R6", text("Enter the guards first")),
    "first": ("S-R7", text("First say who begins")),
    "lay": ("S-R10", text("The grid is laid first")),
    "draw": ("S-R39", text("The solo card is drawn first")),
    "slice": ("S-R12", text("First slice a group")),
    "discard": ("S-R40", text("First discard one of the two groups")),
    "select": ("S-R16", text("First take a group")),
    "enter": ("S-H2", text("First enter the swords")),
    "over": ("S-R26", text("The game is over")),
}
