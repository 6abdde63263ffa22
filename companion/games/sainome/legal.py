"""Every action that a seat may take now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.errors import Illegal
from companion.games.cardgame import held
from companion.games.effects import open_targets
from companion.games.sainome import actions as do
from companion.games.sainome.cards import CARDS
from companion.games.sainome.damage import counters, guards, naming, sixes
from companion.games.sainome.hand import openable, showable
from companion.games.sainome.judge import refusal
from companion.games.sainome.kinds import EQUIP, INSTANT, PLACES
from companion.games.sainome.state import SLOTS, State
from companion.games.sainome.turn import deciders
from companion.games.sainome.verbs import VERBS


def legal(state: State, seat: int) -> Iterator[Any]:
    """What `apply` will take from this seat."""
    if seat not in deciders(state):
        return
    if state.learning:
        yield from CARDS.answers(state, seat)
    elif naming(state):
        yield from (do.Name(seat, number) for number in range(1, 7))
    elif state.hit is None and state.due:
        yield from (do.Target(seat, what) for what in open_targets(state, VERBS))
    else:
        yield from _now(state, seat)
        if state.kind:
            yield from (do.Show(seat, card) for card in showable(state, seat, state.kind))
        if state.cardboard:
            yield from (do.Open(seat, kind) for kind in openable(state, seat))
        if state.shown:
            yield do.Withdraw(seat)


def barred(state: State, seat: int) -> Iterator[tuple[Any, Illegal]]:
    """What a rule forbids just now, with the refusal: the four actions, cards of the hand."""
    if seat not in deciders(state) or state.learning or state.due or state.hit is not None:
        return
    tries: list[Any] = []
    if state.phase == "act" and not state.shown:
        tries += [do.Draw(seat), do.Reequip(seat), do.Strike(seat)]
    if state.phase == "act":
        instants = (card for card in held(state, seat) if state.cards[card].use == INSTANT)
        tries += [do.Play(seat, card) for card in instants]
    if state.phase == "trash":
        tries += [do.GoOn(seat)]
    for action in tries:
        if (why := refusal(state, action)) is not None:
            yield action, why


def _now(state: State, seat: int) -> Iterator[Any]:
    """What fits the moment; each is tried before it is offered where a rule may forbid it."""
    for action in _hit(state, seat) if state.hit is not None else _in_phase(state, seat):
        if type(action) not in _TRIED or refusal(state, action) is None:
            yield action


_TRIED = (do.Draw, do.Play, do.Counter, do.Use)


def _hit(state: State, seat: int) -> Iterator[Any]:
    if not state.shown:
        yield do.GoOn(seat)
        yield from (do.Guard(seat, place) for place in guards(state))
    yield from _counters(state, seat, "counter")


def _counters(state: State, seat: int, when: str) -> Iterator[Any]:
    for card in held(state, seat):
        if counters(state.cards[card], when):
            yield do.Counter(seat, card)


def _in_phase(state: State, seat: int) -> Iterator[Any]:
    match state.phase:
        case "right":
            yield from (do.Take(seat, what) for what in ("first", "character"))
        case "choose":
            taken = [side.character for side in state.sides]
            every = state.cards.characters
            yield from (do.Choose(seat, key) for key in every if key not in taken)
        case "draft":
            yield from (do.Draft(seat, card) for card in dict.fromkeys(state.sides[seat].pack))
        case "equip":
            yield from _equipping(state, seat)
        case "act":
            yield from _acting(state, seat)
        case "declare":
            yield from (do.Name(seat, number) for number in range(2, 6))
        case "pick" | "weigh":
            yield from (do.Pick(seat, number) for number in dict.fromkeys(state.strike.dice))
        case "again":
            yield do.GoOn(seat)
            yield from (do.Again(seat, card) for card in _hand(state, seat))
        case "dodge":
            if not state.shown:
                yield do.GoOn(seat)
            yield from _counters(state, seat, "rolled")
        case "six":
            yield from (do.Use(seat, card, place) for card, place in sixes(state)
                        if place not in SLOTS or not state.shown)  # fmt: skip
            if not state.shown:
                yield do.GoOn(seat)
        case "order":
            yield from (
                do.Next(seat, place) for place, _ in state.worn(seat) if place in state.strike.queue
            )
        case "charge":
            yield from (do.Next(seat, place) for place, _ in state.worn(seat))
        case "pay":
            yield from (do.Discard(seat, card) for card in _hand(state, seat))
        case "burn":
            yield from (do.Discard(seat, card) for card in _hand(state, seat))
            yield do.GoOn(seat)
        case "pause":
            yield do.GoOn(seat)
        case "trash":
            if len(state.sides[seat].hand) <= state.limit(seat):
                yield do.GoOn(seat)
            yield from (do.Discard(seat, card) for card in _hand(state, seat))


def _hand(state: State, seat: int) -> Iterable[str]:
    return dict.fromkeys(state.sides[seat].hand)


def _equipping(state: State, seat: int) -> Iterator[Any]:
    free = [place for place in SLOTS if not state.sides[seat].worn[place]]
    for key in held(state, seat):
        card = state.cards[key]
        if card.use == EQUIP:
            fits = (place for place in free if PLACES[place] in card.links)
            yield from (do.Attach(seat, key, place) for place in fits)
    if not state.shown:
        yield do.GoOn(seat)
        yield from (do.Detach(seat, place) for place, _ in state.worn(seat))


def _acting(state: State, seat: int) -> Iterator[Any]:
    if not state.shown:
        for what, action in (("attack", do.Strike), ("draw", do.Draw), ("equip", do.Reequip)):
            if what not in state.done:
                yield action(seat)
    if "instant" not in state.done:
        instants = (card for card in held(state, seat) if state.cards[card].use == INSTANT)
        yield from (do.Play(seat, card) for card in instants)
    if not state.shown:
        yield do.End(seat)
