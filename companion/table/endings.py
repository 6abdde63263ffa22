"""How a game ended, first of all that a view shows: who won, why, and everybody's points."""

from __future__ import annotations

from dataclasses import replace

from companion.games.api import Result
from companion.memory.seals import short
from companion.views import BLANK, Ending, Line, Meter, Part, Tally, View
from companion.words import Seat, SeatNo, Text, text


def with_ending(view: View, result: Result, seat: SeatNo | None, seats: int, seed: str) -> View:
    """Put the end first; what the game itself shows of it is not said twice."""
    ending = _ending(result, seat, seats)
    short_ending = replace(
        ending, tallies=tuple(replace(one, breakdown=()) for one in ending.tallies)
    )
    rest = [part for part in view.parts if not _says_it_too(part, result)]
    told = (Line(text("Seed {seed}", seed=short(seed))),) if seed else ()
    return replace(
        view, waiting=text("The game is over."),
        parts=(ending, *rest, *told), brief=(short_ending, *view.brief, *told),
    )  # fmt: skip


def _ending(result: Result, seat: SeatNo | None, seats: int) -> Ending:
    tallies = tuple(
        Tally(text("{who}", who=Seat(one.seat)), one.total, one.seat in result.winners,
              one.breakdown)
        for one in result.scores
    )  # fmt: skip
    if not result.winners:
        return Ending(result.why, BLANK, tallies)
    return Ending(_who_won(result.winners, seat, seats), result.why, tallies)


def _who_won(winners: tuple[int, ...], seat: SeatNo | None, seats: int) -> Text:
    if seat is not None:
        return text("You win!") if seat in winners else text("You lose.")
    if len(winners) == 1 < seats:
        return text("{who} wins!", who=Seat(winners[0]))
    return text("All win!") if len(winners) == seats else text("{n} win!", n=len(winners))


def _says_it_too(part: Part, result: Result) -> bool:
    """Does the game itself show what the picture of the end says?"""
    match part:
        case Line(said):
            return said == result.why
        case Meter(label, value):
            totals = ((text("{who}", who=Seat(one.seat)), one.total) for one in result.scores)
            return (label, value) in totals
        case _:
            return False
