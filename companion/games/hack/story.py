"""What came of a move: what was played, every fight with its sums, points, the last turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.games.hack import actions as do
from companion.games.hack.ledger import counters, result
from companion.games.hack.phrases import against, hero_text, joined, name, report_text
from companion.games.hack.state import SEATS, WIN, State
from companion.games.hack.tell import said
from companion.games.story import Fact
from companion.views import Beat
from companion.words import Seat, SeatNo, Text, text

PLAYED: dict[type, str] = {  # what others must hear of at once, and the fact that it names
    do.PlayPC: "heroes", do.PlayItem: "heroes", do.Attack: "attack", do.Store: "portal",
    do.Hide: "hidden", do.Sacrifice: "hidden", do.Join: "attack", do.Flip: "hidden",
    do.Reward: "", do.Fight: "", do.Avoid: "attack", do.Assign: "attack", do.DiscardHand: "hand",
    do.Discard: "hand", do.Target: "",
}  # fmt: skip


def facts(state: State, _viewer: SeatNo | None) -> Iterator[Fact]:
    """Points, who stands and is wounded, what lies open, how many cards are where."""
    if not state.turns:
        return
    set_by_hand = {counter.key: counter for counter in counters(state)}
    for seat, side in enumerate(state.sides):
        who = Seat(seat)
        yield Fact(f"points{seat}", text("Points of {who}", who=who), state.points(seat), 2)
        heroes = _row(hero_text(state, hero) for hero in side.heroes)
        yield Fact(f"heroes{seat}", text("PCs of {who}", who=who), heroes, 0)
        for place, hero in enumerate(side.heroes):
            pc = state.cards[hero.card].name
            stands = text("{pc}, wounded", pc=pc) if hero.wounded else text("{pc}, well", pc=pc)
            yield Fact(f"wound{seat}{place}", text("PC {n} of {who}", n=place + 1, who=who), stands)
        portal = _row(name(state, card) for card in side.portal)
        yield Fact(f"portal{seat}", text("Portal of {who}", who=who), portal)
        yield Fact(f"hand{seat}", text("Hand of {who}", who=who), len(side.hand), 0)
        yield Fact(f"hidden{seat}", text("Hidden by {who}", who=who), len(side.hidden), 0)
        yield Fact(f"deck{seat}", text("Deck of {who}", who=who), len(side.deck), 0)
        if plus := set_by_hand.get(f"plus{seat}"):
            yield Fact(plus.key, plus.label, plus.value)
    attack = _row(name(state, card) for card in state.attacking())
    yield Fact("attack", text("In the attack"), attack, 0)
    yield Fact("turn", text("Turn"), text("{who}", who=Seat(state.mover)), 0)
    yield Fact("last", text("Last turn"), int(state.last), 2)


def beats(before: State, action: Any, after: State, viewer: SeatNo | None) -> Iterator[Beat]:
    """The play, then every fight, then what it brought."""
    if isinstance(action, do.Cut) and after.turns and not before.turns:
        yield Beat(text("{who} begins", who=Seat(after.mover)), rule="R8")
    if (about := PLAYED.get(type(action))) is not None:
        keys = (about, *(f"{about}{seat}" for seat in SEATS)) if about else ()
        yield Beat(said(before, action, viewer), keys, int(viewer != action.seat))
    yield from _fights(before, after)
    fought = bool(before.battles) or after.report is not before.report
    if isinstance(action, do.Score) and action.monster:
        card = before.cards[action.monster]
        told = text("{who} scores {card}: {n} points", who=Seat(action.seat), card=card.name,
                    n=card.points)  # fmt: skip
        yield Beat(told, (f"points{action.seat}",), 2, "R51")
    if after.last and not before.last and after.phase != "over":
        rule = "H6" if fought else "R6"
        yield Beat(text("A deck is used up: this is the last turn"), ("last",), 2, rule)
    if after.phase == "over" and before.phase != "over" and (ended := result(after)):
        rule = "H6" if fought and not before.last else "R6"
        if ended.winners and after.points(ended.winners[0]) >= WIN:
            rule = "H10" if after.last else "R5"
        yield Beat(ended.why, ("last",), 2, rule)


def _fights(before: State, after: State) -> Iterator[Beat]:
    """Each fight of this move, with its sums and destiny cards, before the next."""
    fought = (*after.earlier, after.report) if after.report else ()
    old = (*before.earlier, before.report) if before.report else ()
    for report in fought[len(old) if fought[: len(old)] == old else 0 :]:
        if report is not None:
            seat = 0 if report.pc in dict(report.sums[0]) else 1
            places = range(len(before.sides[seat].heroes))
            keys = (f"heroes{seat}", *(f"wound{seat}{n}" for n in places), "attack")
            yield Beat(against(after, report.pc, report.sums, report.totals), rule="R43")
            tie = report.totals[0] == report.totals[1] and not report.tolerance
            lost = "H9" if tie else "R46"
            rule = {"won": "R45", "held": "R47"}.get(report.outcome, lost)
            yield Beat(report_text(after, report), keys, 2, rule)


def _row(some: Iterable[Text]) -> Text:
    found = list(some)
    return joined(found) if found else text("none")
