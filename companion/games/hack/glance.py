"""The table's small display: the score, the fight, the attack, who stands, on a few pages."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.hack.fights import sums, total
from companion.games.hack.phrases import effect_text, name, outcome, short
from companion.games.hack.state import SEATS, WIN, Hero, State
from companion.views import BLANK, Cards, Line, Meter, Part
from companion.words import Seat, Text, text

BY_NAME = 4
"""So many stand here by name; the board and a seat's own display show all of them."""
NEARLY_EMPTY = 10
"""A deck that soon ends the game."""


def brief(state: State) -> Iterator[Part]:
    """Leaves out a PC's items, the piles and what stands on cards."""
    if not state.turns or state.phase == "over":
        return
    for seat in SEATS:
        yield Meter(
            text("Points of {who}", who=Seat(seat)), state.points(seat), WIN, f"points{seat}"
        )
    if state.due:
        yield Line(effect_text(state, state.due[0].card, verb=state.due[0].verb))
    elif state.shown:
        card = state.cards[state.shown]
        yield Line(text("{card}: {short}", card=card.name, short=short(card)))
    yield from _fight(state)
    yield from _attack(state)
    for seat in SEATS:
        if heroes := state.sides[seat].heroes:
            pcs = tuple((state.cards[hero.card].name, _stands(state, hero)) for hero in heroes)
            yield Cards(text("PCs of {who}", who=Seat(seat)), pcs)
    if not state.attacking():
        portals = [(name(state, m), Seat(n)) for n, s in enumerate(state.sides) for m in s.portal]
        yield from _some(text("Portals"), [(m, text("{who}", who=who)) for m, who in portals])
        for seat, side in enumerate(state.sides):
            if len(side.deck) <= NEARLY_EMPTY:
                yield Line(text("{who}: deck {d}", who=Seat(seat), d=len(side.deck)))


def _fight(state: State) -> Iterator[Part]:
    """The fight that is being resolved, else how the last one went."""
    if state.battles and state.phase in ("flip", "destiny", "learn"):
        strengths = [total(parts) for parts in sums(state, state.battle)]
        said = {"a": strengths[state.other], "b": strengths[state.mover]}
        pc = state.cards[state.battle.pc].name
        yield Line(text("{pc}: {a} against {b}", pc=pc, **said), big=True)
    elif (report := state.report) is not None:
        mine = 0 if report.pc in dict(report.sums[0]) else 1
        said = {"a": report.totals[mine], "b": report.totals[1 - mine]}
        yield Line(text("{outcome}: {a} against {b}", outcome=outcome(state), **said))


def _attack(state: State) -> Iterator[Part]:
    """The monsters, each with the PC that it is to fight."""
    free = [(name(state, monster), BLANK) for monster in state.attackers]
    paired = [
        (name(state, monster), text("against {of}", of=name(state, battle.pc)))
        for battle in state.battles
        for monster in battle.monsters
    ]
    yield from _some(text("In the attack"), [*paired, *free])


def _some(label: Text, cards: list[tuple[Text, Text]]) -> Iterator[Cards]:
    """The first of them, and how many more there are."""
    if len(cards) > BY_NAME:
        more = len(cards) - BY_NAME + 1
        cards = [*cards[: BY_NAME - 1], (text("and {n} more", n=more), BLANK)]
    if cards:
        yield Cards(label, tuple(cards))


def _stands(state: State, hero: Hero) -> Text:
    strength = sum(state.cards[card].strength for card in (hero.card, *hero.items))
    return text("{n} hurt", n=strength) if hero.wounded else text("{n}", n=strength)
