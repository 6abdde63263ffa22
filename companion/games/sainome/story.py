"""What came of a move: the roll, the blow with its sum, HP, who awakens, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.api import Rolled
from companion.games.sainome import actions as do
from companion.games.sainome.kinds import PLACE_NAMES, PLACES
from companion.games.sainome.ledger import result
from companion.games.sainome.phrases import joined, name, outcome, sum_text
from companion.games.sainome.state import SEATS, SETTING_UP, SLOTS, State
from companion.games.sainome.tell import said
from companion.games.story import Fact
from companion.views import Beat
from companion.words import Seat, SeatNo, Text, text

TOLD = (do.Take, do.Choose, do.Draft, do.Attach, do.Draw, do.Reequip, do.Play, do.Strike,
        do.Name, do.Pick, do.Again, do.Counter, do.Guard, do.Use, do.Next, do.Discard,
        do.Target)  # fmt: skip


def facts(state: State, _viewer: SeatNo | None) -> Iterator[Fact]:
    """HP, what is attached, which side lies up, how many cards and actions there are."""
    for seat in SEATS:
        who, side = Seat(seat), state.sides[seat]
        if side.character:
            character = name(state, side.character)
            yield Fact(f"character{seat}", text("Character of {who}", who=who), character, 0)
    if state.phase in SETTING_UP:
        return
    for seat in SEATS:
        who, side = Seat(seat), state.sides[seat]
        yield Fact(f"hp{seat}", text("HP of {who}", who=who), len(side.stack))
        face = text("awakened") if side.awakened else text("normal")
        yield Fact(f"awake{seat}", state.character(seat).name, face)
        yield Fact(f"fewer{seat}", text("{who}: actions fewer", who=who), side.fewer)
        yield Fact(f"hand{seat}", text("Hand of {who}", who=who), len(side.hand), 0)
        ready = joined([name(state, card) for card in side.ready]) if side.ready else text("none")
        yield Fact(f"ready{seat}", text("{who}: lies open", who=who), ready, 0)
        for place in SLOTS:
            label = text("{who}, {side}", who=who, side=PLACE_NAMES[PLACES[place]])
            worn = name(state, side.worn[place]) if side.worn[place] else text("none")
            yield Fact(f"worn{seat}{place}", label, worn, 0)
    yield Fact("turn", text("Turn"), text("{who}", who=Seat(state.mover)), 0)
    yield Fact("deck", text("Deck"), len(state.deck), 0)


def beats(before: State, action: Any, after: State, viewer: SeatNo | None) -> Iterator[Beat]:
    """What was done (to all but who did it), what it set off, what it brought."""
    if isinstance(action, Rolled | do.Fated):
        yield Beat(said(before, action, viewer))
    elif isinstance(action, TOLD):
        yield Beat(said(before, action, viewer), _named(action), int(viewer != action.seat))
    if after.report is not None and after.report is not before.report:
        report = after.report
        hurt = report.end == "hit" and report.dealt > 0
        about = (f"hp{report.victim}", f"hand{report.victim}") if hurt else ()
        if hurt and len(report.parts) > 1:
            yield Beat(sum_text(after, report.parts, report.amount), rule="R30")
        rule = {"miss": "R24", "unpaid": "H3", "passed": "R26", "ready": "H10"}.get(report.end, "")
        if hurt:
            rule = "R31" if report.card else "H8"
        yield Beat(outcome(after, report), about, 1 + hurt, rule)
    if before.phase == "draft" and after.phase != "draft":
        yield Beat(text("HP cards come in the order they were picked"), (), 0, "H9")
    for seat in SEATS if before.phase not in SETTING_UP else ():
        if after.sides[seat].awakened != before.sides[seat].awakened:
            yield Beat(_turned(after, seat), (f"awake{seat}",), 2, "R33")
    if after.over and not before.over and (ended := result(after)):
        yield Beat(ended.why, (), 2, "R32")
    elif after.turns > before.turns:
        who = text("{who}'s turn", who=Seat(after.mover))
        yield Beat(who, ("turn",), int(after.mover != viewer))


def _named(action: Any) -> tuple[str, ...]:
    match action:
        case do.Choose(seat):
            return (f"character{seat}",)
        case do.Attach(seat, _, place) | do.Guard(seat, place):
            return (f"worn{seat}{place}", f"hand{seat}")
        case do.Reequip(seat):
            return (f"hand{seat}", *(f"worn{seat}{place}" for place in SLOTS))
        case do.Draw(seat) | do.Play(seat) | do.Counter(seat) | do.Again(seat) | do.Discard(seat):
            return (f"hand{seat}",)
    return ()


def _turned(state: State, seat: int) -> Text:
    who = state.character(seat).name
    if state.sides[seat].awakened:
        return text("{who} awakens!", who=who)
    return text("{who} turns back", who=who)
