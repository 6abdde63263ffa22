"""What a seat, or everybody, may see of a game of Sainome Colosseum."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.effects import clause_text
from companion.games.sainome.kinds import WORDS
from companion.games.sainome.offers import choices
from companion.games.sainome.phrases import (
    AWAKENED,
    NORMAL,
    brief,
    character_lines,
    lines,
    name,
    outcome,
    skill_text,
    slot_sign,
    sum_text,
)
from companion.games.sainome.state import SEATS, SETTING_UP, SLOTS, UNKNOWN, State
from companion.games.sainome.turn import waiting
from companion.views import BLANK, Cards, Cross, Dice, Face, Line, Meter, Part, Slot, View
from companion.words import Seat, SeatNo, Text, text

LATEST = 6
"""So many of the discards stand here by name."""


def view(state: State, seat: SeatNo | None) -> View:
    """The one door out: a seat sees its own hand, and its HP stack if it drafted it."""
    return View(
        title=_title(state),
        waiting=waiting(state).why,
        parts=tuple(_parts(state, seat)),
        choices=() if seat is None else tuple(choices(state, seat)),
        brief=() if seat is not None else tuple(_brief(state)),
        seat=seat,
    )


def _title(state: State) -> Text:
    if state.over:
        return text("The game is over")
    if not state.turns:
        return text("Preparing")
    if state.phase in ("bomb", "trash"):
        return text("Turn {n}, {who}: trash", n=state.turns, who=Seat(state.mover))
    return text("Turn {n}, {who}", n=state.turns, who=Seat(state.mover))


def _parts(state: State, seat: int | None) -> Iterator[Part]:
    yield from _now(state)
    order = SEATS if seat is None else (seat, 1 - seat)
    if state.phase in SETTING_UP:
        yield from _preparing(state, seat)
        return
    yield from _hp(state, order)
    for each in order:
        yield _cross(state, each)
    yield from _hand(state, seat)
    for each in order:
        yield from _facts(state, each)
    yield Line(text("Deck {n}, discards {m}", n=len(state.deck), m=len(state.discard)))
    if state.discard and not state.shuffling:  # Restart lays hands and deck there, face down
        named = [card for card in reversed(state.discard) if card != UNKNOWN]
        if seen := tuple((name(state, card), BLANK) for card in dict.fromkeys(named))[:LATEST]:
            yield Cards(text("Discards, newest first"), seen)


def _brief(state: State) -> Iterator[Part]:
    """For the table's small display: damage on its way, HP, the dice, what is attached."""
    if state.phase in SETTING_UP:
        if state.shown:
            yield Line(character_lines(state.cards.characters[state.shown])[0])
        yield from _preparing(state, None)
        return
    if state.hit is not None:
        yield Line(sum_text(state, state.hit.parts, state.hit.amount), big=True)
    yield from _hp(state, SEATS)
    if state.shown in state.cards:
        yield Line(lines(state.cards[state.shown])[0])
    yield from _roll(state)
    for each in SEATS:
        yield _cross(state, each)
    if not state.over:
        for each in SEATS:
            yield _held(state, each)


def _preparing(state: State, seat: int | None) -> Iterator[Part]:
    if state.phase == "off":
        yield Line(text("The higher die chooses a character first, or begins"))
    thrown = [(each, n) for each, n in enumerate(state.off) if n]
    if thrown:
        yield Dice(tuple(Face("black", n) for _, n in thrown), text("The roll-off"))
    for each in SEATS:
        if key := state.sides[each].character:
            yield Line(text("{who}: {name}", who=Seat(each), name=name(state, key)))
    if state.phase == "choose" and state.cardboard and state.options.draft == "yes":
        yield Line(text("Draft by hand: each pick goes under your HP stack"))
    if state.phase == "draft":
        yield Line(text("Each pick goes under your HP stack: the first pick is hit first"))
        for each in SEATS:
            picked = len(state.sides[each].stack)
            yield Line(text("{who} has picked {n}", who=Seat(each), n=picked))
        if seat is not None:
            yield from _own_stack(state, seat)


def _now(state: State) -> Iterator[Part]:
    """The effect that is being resolved, one idea a screen; a shown card; the dice."""
    if state.shown in state.cards.characters:
        yield from (Line(line) for line in character_lines(state.cards.characters[state.shown]))
    elif state.shown:
        yield from (Line(line) for line in lines(state.cards[state.shown]))
    if state.hit is not None:
        yield Line(sum_text(state, state.hit.parts, state.hit.amount), big=True)
    elif state.report is not None:
        yield Line(outcome(state, state.report), big=True)
        if state.report.parts:
            yield Line(sum_text(state, state.report.parts, state.report.amount))
    if state.due and not state.over:
        card = state.cards[state.due[0].card]
        yield from (Line(clause_text(clause, WORDS)) for clause in card.clauses)
    yield from _roll(state)


def _hp(state: State, order: tuple[int, ...]) -> Iterator[Meter]:
    top = max(state.options.hp, *(len(side.stack) for side in state.sides))
    for each in order:
        yield Meter(
            text("HP {who}", who=Seat(each)), len(state.sides[each].stack), top, f"hp{each}"
        )


def _roll(state: State) -> Iterator[Dice]:
    if state.attack is not None and state.attack.dice:
        counts = state.attack.number
        faces = tuple(Face("black", n, "kept" if n == counts else "") for n in state.attack.dice)
        yield Dice(faces, text("The attack roll"))


def _cross(state: State, seat: int) -> Cross:
    side = state.sides[seat]
    attack = state.attack
    acts = -1 if attack is None or seat != state.mover else attack.place
    slots = [
        Slot(
            slot_sign(state.number(seat, place)),
            name(state, side.worn[place]) if side.worn[place] else BLANK,
            place == acts,
        )
        for place in SLOTS
    ]
    up, left, down, right = slots
    note = AWAKENED if side.awakened else NORMAL
    return Cross(state.character(seat).name, note, (up, left, down, right))


def _hand(state: State, seat: int | None) -> Iterator[Part]:
    if seat is None or (state.cardboard and UNKNOWN in state.sides[seat].hand):
        return
    hand = tuple((name(state, card), brief(state.cards[card])) for card in state.sides[seat].hand)
    if hand:
        yield Cards(text("Your hand"), hand)
    if state.options.draft == "yes":
        yield from _own_stack(state, seat)


def _own_stack(state: State, seat: int) -> Iterator[Part]:
    stack = state.sides[seat].stack
    if stack and UNKNOWN not in stack:
        cards = tuple((name(state, card), BLANK) for card in stack)
        yield Cards(text("Your HP, top first"), cards)


def _held(state: State, seat: int) -> Line:
    hand, limit = len(state.sides[seat].hand), state.limit(seat)
    return Line(text("{who}: hand {n} of {limit}", who=Seat(seat), n=hand, limit=limit))


def _facts(state: State, seat: int) -> Iterator[Part]:
    side, who = state.sides[seat], Seat(seat)
    yield _held(state, seat)
    skill = skill_text(state.character(seat), side.awakened)
    if skill.template:
        yield Line(text("{who}'s skill: {skill}", who=who, skill=skill))
    for key in side.ready:
        card = name(state, key)
        yield Line(text("{who} has {card} ready", who=who, card=card))
    if side.fewer:
        yield Line(text("{who}: {n} action fewer", who=who, n=side.fewer))
