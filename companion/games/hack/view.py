"""What a seat, or everybody, may see of a game of .hack//ENEMY."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.effects import clause_text
from companion.games.hack.fights import sums, total
from companion.games.hack.glance import brief
from companion.games.hack.kinds import WORDS
from companion.games.hack.offers import choices
from companion.games.hack.phrases import (
    against,
    hero_text,
    lines,
    name,
    outcome,
    short,
    whole,
)
from companion.games.hack.state import SEATS, UNKNOWN, WIN, State, seen_cards
from companion.games.hack.turn import waiting
from companion.views import BLANK, Cards, Line, Meter, Part, View
from companion.words import Seat, SeatNo, Text, text


def view(state: State, seat: SeatNo | None) -> View:
    """The one door out: a seat sees its own hand and hidden cards, nobody else does."""
    return View(
        title=_title(state),
        waiting=waiting(state).why,
        parts=tuple(_parts(state, seat)),
        choices=() if seat is None else tuple(choices(state, seat)),
        brief=() if seat is not None else tuple(brief(state)),
        seat=seat,
    )


def _title(state: State) -> Text:
    if state.phase == "over":
        return text("The game is over")
    if not state.turns:
        return text("Preparing")
    if state.last:
        return text("Last turn, {who}", who=Seat(state.mover))
    return text("Turn {n}, {who}", n=state.turns, who=Seat(state.mover))


def _parts(state: State, seat: int | None) -> Iterator[Part]:
    if not state.turns and state.phase != "over":
        yield Line(text("Both cut; the higher destiny begins"))
        for each in SEATS:
            which = state.options.decks[each].upper()
            yield Line(text("{who} has deck {deck}", who=Seat(each), deck=which))
        return
    yield from _now(state)
    order = SEATS if seat is None else (seat, 1 - seat)
    for each in order:
        yield Meter(
            text("Points of {who}", who=Seat(each)), state.points(each), WIN, f"points{each}"
        )
    for each in order:
        yield from _side(state, each, each == seat)
    if not state.cardboard:
        yield from _texts(state, seat)


def _now(state: State) -> Iterator[Part]:
    """The fight as it builds up, or how the last one went; a shown card; an effect's text."""
    if state.due:
        card = state.cards[state.due[0].card]
        yield from (Line(clause_text(clause, WORDS)) for clause in card.clauses)
    if state.shown:
        yield from (Line(line) for line in lines(state.cards[state.shown]))
    if state.battles and state.phase in ("flip", "destiny", "learn"):
        parts = sums(state, state.battle)
        yield Line(against(state, state.battle.pc, parts, (total(parts[0]), total(parts[1]))))
    elif state.report is not None:
        yield Line(outcome(state), big=True)
        report = state.report
        yield Line(against(state, report.pc, report.sums, report.totals))
    if state.battles and state.phase in ("assign", "extra", "order"):
        for battle in state.battles:
            monsters = tuple((name(state, monster), BLANK) for monster in battle.monsters)
            yield Cards(text("Against {pc}", pc=name(state, battle.pc)), monsters)
    if state.attackers:
        cards = ((name(state, m), short(state.cards[m])) for m in state.attackers)
        yield Cards(text("In the attack"), tuple(cards))


def _texts(state: State, seat: int | None) -> Iterator[Part]:
    """Without cardboard, what stands on one's own cards and on those in play."""
    mine = () if seat is None else (*state.sides[seat].hand, *state.sides[seat].hidden)
    in_play = (card.key for card in seen_cards(state))
    keys = dict.fromkeys((*mine, *in_play))
    told = tuple((name(state, key), whole(state.cards[key])) for key in keys)
    if seat is None:  # a television shows many at once, a glass one a page
        yield from (Line(text("{card}: {short}", card=card, short=short)) for card, short in told)
    elif told:
        yield Cards(text("On the cards"), told)


def _side(state: State, seat: int, mine: bool) -> Iterator[Part]:
    side, who = state.sides[seat], Seat(seat)
    for hero in side.heroes:
        yield Line(text("{who}: {pc}", who=who, pc=hero_text(state, hero)))
    if mine and UNKNOWN not in side.hand:
        hand = tuple((name(state, card), short(state.cards[card])) for card in side.hand)
        yield Cards(text("Your hand"), hand)
    if mine and side.hidden and UNKNOWN not in side.hidden:
        yield Cards(text("Your hidden cards"), tuple((name(state, c), BLANK) for c in side.hidden))
    if side.portal:
        portal = tuple((name(state, card), short(state.cards[card])) for card in side.portal)
        yield Cards(text("Portal of {who}", who=who), portal)
    yield Line(
        text(
            "{who}: hand {h}, hidden {n}, deck {d}",
            who=who, h=len(side.hand), n=len(side.hidden), d=len(side.deck),
        )
    )  # fmt: skip
    if side.score:
        pile = ((name(state, c), text("{n} VP", n=state.cards[c].points)) for c in side.score)
        yield Cards(text("Scored by {who}", who=who), tuple(pile))
    if side.discard:
        top = name(state, side.discard[-1])
        yield Line(text("{who}: {n} discarded, top {card}", who=who, n=len(side.discard), card=top))
