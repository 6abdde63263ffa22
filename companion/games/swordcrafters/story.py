"""What came of a move: the cut, who has which tiles, runs that grow, the token, the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.api import Result
from companion.games.story import Fact
from companion.games.swordcrafters.actions import Craft, Cut, Dealt, Discard, First, Laid, Take
from companion.games.swordcrafters.cards import COMPARED, FEWEST, title
from companion.games.swordcrafters.crafting import active
from companion.games.swordcrafters.gems import BLANK, NAMES, sign
from companion.games.swordcrafters.ledger import counters, entrants, result, rival_totals, sheets
from companion.games.swordcrafters.slices import LETTERS, NOBODY
from companion.games.swordcrafters.state import State, tiles_of
from companion.games.swordcrafters.sword import GUARDED, best_run
from companion.views import Beat
from companion.words import Seat, SeatNo, Text, text


def facts(state: State, _viewer: SeatNo | None) -> Iterator[Fact]:
    """How long the swords are, who has the token and the turn, whose the groups are."""
    for seat, smith in enumerate(state.smiths):
        length = sum(sword.length for sword in smith.swords)
        yield Fact(f"length{seat}", text("Tiles of {who}", who=Seat(seat)), length, 0)
    for counter in counters(state):
        yield Fact(counter.key, counter.label, counter.value)
    yield Fact("round", text("Round"), state.round, 0)
    yield Fact("token", text("Token"), text("{who}", who=Seat(state.first)))
    yield Fact("turn", text("Turn"), text("{who}", who=Seat(state.mover)), 0)
    yield Fact("groups", text("Groups"), len(state.groups), 0)
    for number, group in enumerate(state.groups):
        owner = text("nobody") if group.owner == NOBODY else text("{who}", who=Seat(group.owner))
        yield Fact(f"group{number}", text("Group {g}", g=LETTERS[number]), owner, 0)


def beats(before: State, action: Any, after: State, _viewer: SeatNo | None) -> Iterator[Beat]:
    """Of the small steps only what others must know."""
    who = Seat(getattr(action, "seat", 0))
    match action:
        case Dealt() | First():
            yield Beat(text("{who} begins", who=Seat(after.first)), ("token", "turn"), rule="S-R7")
            yield from _set_up(after)
        case Laid() if after.phase != "lay":
            yield Beat(text("Round {n}: a new grid", n=after.round), ("groups",), rule="S-R10")
        case Cut():
            old, new = LETTERS[before.aim], LETTERS[len(after.groups) - 1]
            said = text("{who} slices {g}: {g} and {h}", who=who, g=old, h=new)
            yield Beat(said, ("groups", f"group{len(after.groups) - 1}"), rule="S-R12")
        case Discard(_, group):
            said = text("{who} discards group {g}", who=who, g=LETTERS[group])
            yield Beat(said, (f"group{group}",), rule="S-R40")
        case Take(_, group):
            tiles = " ".join(map(sign, tiles_of(before, before.groups[group])))
            said = text("{who} takes {g}: {tiles}", who=who, g=LETTERS[group], tiles=tiles or "-")
            yield Beat(said, (f"group{group}",), rule="S-R16")
        case Craft():
            yield from _forged(before, action, after)
    yield from _next(before, after)


def _forged(before: State, action: Craft, after: State) -> Iterator[Beat]:
    """A tile on a side: a run that grew is told to all."""
    seat, side = action.seat, action.side
    at = active(before.smiths[seat]) or 0
    how = after.options
    old, new = (
        best_run(state.smiths[seat].swords[at], side, guards=how.guards, breaks=how.breaks)
        for state in (before, after)
    )
    about = (f"length{seat}",)
    if new.length > max(1, old.length):
        said = text("{who}: a run of {n}, {gem}", who=Seat(seat), n=new.length, gem=NAMES[new.gem])
        guard = how.guards and side in GUARDED and new.start == 1
        yield Beat(said, about, rule="S-H4" if guard else "S-R28")
    else:
        tile = NAMES[before.smiths[seat].picked]
        said = text("{who} forges {tile} on side {s}", who=Seat(seat), tile=tile, s=side + 1)
        blank = before.smiths[seat].picked == BLANK
        yield Beat(said, about, 0, "S-H6" if blank else "S-R22")


def _set_up(state: State) -> Iterator[Beat]:
    """What we decided where the rulebook or its pictures do not say: for the log."""
    if state.seats in (2, 3) and not state.options.blanks:
        yield Beat(text("Three tiles of each gem are out, no blanks"), (), 0, "S-H12")
    yield Beat(text("The guards sit on sides 1 and 3"), (), 0, "S-H5")
    for card in state.magic:
        rule = "S-H7" if card.method in COMPARED else "S-R30"
        yield Beat(text("Magic: {card}", card=title(card)), (), 0, rule)


def _next(before: State, after: State) -> Iterator[Beat]:
    if after.phase == "over" and before.phase != "over" and (ended := result(after)):
        yield Beat(ended.why, ("round", "token"), 2, _decided(after, ended))
        yield from _compared(after)
    elif after.round > before.round:
        yield Beat(_round(after), ("round", "token", "turn"), 2)


def _decided(state: State, ended: Result) -> str:
    """The rule of the end: most points, or a tie."""
    if not state.solo:
        return "S-R33" if len(ended.winners) == 1 else "S-H10"
    return "S-H9" if ended.scores[0].total == max(rival_totals(state)) else "S-R41"


def _compared(state: State) -> Iterator[Beat]:
    """Of the comparison what only we say: two swords of one player, a place without a gem."""
    if len(state.smiths[0].swords) > 1 and state.options.dual == "each":
        yield Beat(text("Each sword scores by itself"), (), 0, "S-H13")
    for (owner, _, _), sheet in zip(entrants(state), sheets(state), strict=True):
        for card, place in zip(state.magic, sheet.magic, strict=True):
            counts = owner < state.seats and card.method not in FEWEST
            if counts and place.points and not place.value:
                said = text("{card}: {who} places with 0", card=title(card), who=Seat(owner))
                yield Beat(said, (), 0, "S-H11")


def _round(state: State) -> Text:
    if state.seats == 1:
        return text("Round {n} begins", n=state.round)
    return text("Round {n}: {who} has the token", n=state.round, who=Seat(state.first))
