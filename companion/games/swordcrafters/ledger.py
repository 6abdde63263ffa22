"""How a game ended, point by point, and the numbers that the table may set by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.api import Counter, Result, require_counter
from companion.games.api import Score as SeatScore
from companion.games.records import replace
from companion.games.swordcrafters.cards import title
from companion.games.swordcrafters.gems import NAMES
from companion.games.swordcrafters.round import with_smith
from companion.games.swordcrafters.score import Place, Sheet, Tally, joined, scored, tally
from companion.games.swordcrafters.state import State
from companion.games.swordcrafters.sword import SIDES, Run
from companion.words import Seat, Text, text

MOST_BY_WORD = 20
ORDINALS = (text("1st"), text("2nd"), text("3rd"), text("4th"), text("5th"))
Row = tuple[Text, int]


def entrants(state: State) -> list[tuple[int, int, Tally]]:
    """What is compared: owner (after the seats come the opponents), number of the sword, tally."""
    found, how = list[tuple[int, int, Tally]](), state.options
    for seat, smith in enumerate(state.smiths):
        tallies = [tally(sword, guards=how.guards, breaks=how.breaks) for sword in smith.swords]
        if how.dual == "together":
            tallies = [joined(tallies)]
        found += [(seat, number, one) for number, one in enumerate(tallies)]
    for number, rival in enumerate(state.rivals):
        runs = tuple(Run(side, "", 0, length) for side, length in enumerate(rival.runs))
        found.append((state.seats + number, 0, Tally(rival.length, runs, rival.gems)))
    return found


def sheets(state: State) -> tuple[Sheet, ...]:
    """Every entrant's points, in the order of `entrants`."""
    options = state.options
    light = options.variant == "light"
    tallies = [one for _, _, one in entrants(state)]
    return scored(tallies, state.magic, light=light, positive=options.positive)


def result(state: State) -> Result | None:
    """Who has most points; who tie share the victory (S-R33, S-H10)."""
    if state.phase != "over":
        return None
    owners = [owner for owner, _, _ in entrants(state)]
    rows: list[list[Row]] = [[] for _ in range(state.seats)]
    for at, (owner, number, one) in enumerate(entrants(state)):
        if owner < state.seats:
            several = owners.count(owner) > 1
            for what, points in _rows(state, sheets(state)[at], one, owners):
                label = text("Sword {n}: {what}", n=number + 1, what=what) if several else what
                rows[owner].append((label, points))
    for seat, smith in enumerate(state.smiths):
        if smith.word:
            rows[seat].append((text("The table's word"), smith.word))
    scores = tuple(
        SeatScore(seat, sum(points for _, points in lines), tuple(lines))
        for seat, lines in enumerate(rows)
    )
    best = max(score.total for score in scores)
    winners = tuple(score.seat for score in scores if score.total == best)
    if state.solo:
        return _against_cards(state, best, scores)
    if len(winners) > 1:
        why = text("{n} share the victory with {points} VP", n=len(winners), points=best)
        return Result(winners, why, scores)
    return Result(winners, text("{who} wins with {n} VP", who=Seat(winners[0]), n=best), scores)


def _against_cards(state: State, own: int, scores: tuple[SeatScore, ...]) -> Result:
    """Solo, after six rounds against the cards (S-R41): a tie with the best has won (S-H9)."""
    best = max(rival_totals(state))
    if own >= best:
        return Result((0,), text("{a} VP against {b}: won", a=own, b=best), scores)
    return Result((), text("{a} VP against {b}: lost", a=own, b=best), scores)


def rival_totals(state: State) -> tuple[int, ...]:
    """What the opponents of a solo game have."""
    pairs = zip(entrants(state), sheets(state), strict=True)
    return tuple(sheet.total for (owner, _, _), sheet in pairs if owner >= state.seats)


def rival_rows(state: State) -> Iterator[tuple[int, Row]]:
    """Where the points of a solo game's opponents come from, each by its number."""
    found = list(zip(entrants(state), sheets(state), strict=True))
    owners = [owner for (owner, _, _), _ in found]
    for (owner, _, one), sheet in found:
        if owner >= state.seats:
            yield from ((owner - state.seats + 1, row) for row in _rows(state, sheet, one, owners))


def _rows(state: State, sheet: Sheet, one: Tally, owners: Sequence[int]) -> Iterator[Row]:
    """One entrant's points, each with what it is for."""
    longest = sheet.length
    if not longest.place:
        yield text("{n} tiles, not the longest", n=longest.value), 0
    elif longest.shared:
        with_whom = _names(state, longest.shared, owners)
        yield text("Longest, {n} tiles, as {who}", n=longest.value, who=with_whom), longest.points
    else:
        yield text("Longest, {n} tiles", n=longest.value), longest.points
    paid = {run.side: points for run, points in sheet.quality}
    for run in one.runs:
        yield _run(run), paid.get(run.side, 0)
    for card, place in zip(state.magic, sheet.magic, strict=True):
        yield (
            text("{card}: {how}", card=title(card), how=_place(state, place, owners)),
            place.points,
        )


def _run(run: Run) -> Text:
    number, side = divmod(run.side, SIDES)
    where = text("Side {s}", s=side + 1)
    if number:
        where = text("Sword {n} side {s}", n=number + 1, s=side + 1)
    if run.length < 2:
        return text("{side}: no run", side=where)
    if not run.gem:  # an opponent of a solo game: the card names no gem
        return text("{side}: run of {n}", side=where, n=run.length)
    return text("{side}: {n} {gem}", side=where, n=run.length, gem=NAMES[run.gem])


def _place(state: State, place: Place, owners: Sequence[int]) -> Text:
    if not place.place:
        return text("{n}, no place", n=place.value)
    which = ORDINALS[place.place - 1]
    if place.shared:
        who = _names(state, place.shared, owners)
        return text("{n}, {place} with {who}", n=place.value, place=which, who=who)
    return text("{n}, {place}", n=place.value, place=which)


def _names(state: State, shared: Sequence[int], owners: Sequence[int]) -> Text:
    """Those who share a place, by name."""
    named: list[Text] = []
    for at in shared:
        owner = owners[at]
        rival = text("opponent {n}", n=owner - state.seats + 1)
        named.append(text("{who}", who=Seat(owner)) if owner < state.seats else rival)
    some = named[0]
    for more in named[1:]:
        some = text("{some}, {more}", some=some, more=more)
    return some


def counters(state: State) -> tuple[Counter, ...]:
    """Points that the table gives or takes."""
    return tuple(
        Counter(f"word{seat}", text("Extra VP of {who}", who=Seat(seat)), smith.word,
                -MOST_BY_WORD, MOST_BY_WORD)
        for seat, smith in enumerate(state.smiths)
    )  # fmt: skip


def overrule(state: State, key: str, value: int) -> State:
    """Set a counter by the table's word."""
    require_counter(counters(state), key, value)
    seat = int(key.removeprefix("word"))
    return with_smith(state, seat, replace(state.smiths[seat], word=value))
