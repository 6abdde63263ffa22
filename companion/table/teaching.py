"""A game that teaches: what a newcomer is told before a decision, and why things happened.

A tip is said once to each seat, and not at all to whoever has decided so before. Nothing of it is
journaled but that a game is a lesson, and which seats have had enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from companion.games.api import Game, Pick, Rolled
from companion.games.lesson import Tip
from companion.memory.journal import Entry, Record
from companion.memory.seals import arranged_deal, arranged_roll
from companion.memory.timeline import Move, Timeline
from companion.table.asked import coached, first_of
from companion.views import BLANK, Beat, Choice
from companion.words import SeatNo, Text, text

MOST = 2  # rules that are told after one move
LEAF = 105  # letters of a rule that a leaf of a glass holds; longer ones are read on their page
ARRANGED = {"lesson": 1}  # noted beside what a lesson arranged: `companion verify` says so


@dataclass(frozen=True, slots=True)
class Enough:
    """A seat wants to be taught no longer."""


ENOUGH = Choice(text("Stop teaching me"), Enough(), text("I play on by myself"))


@dataclass(frozen=True, slots=True)
class Course:
    """Whether the game on the table is a lesson, and which seats are taught."""

    lesson: bool = False
    seats: frozenset[SeatNo] = frozenset()

    def deal(self, line: Timeline, drawn: Pick) -> tuple[Pick, dict[str, Any] | None]:
        """The chance of the next deal, and what is noted beside it if it is arranged."""
        told = arranged_deal(line) if self.lesson else None
        return (drawn, None) if told is None else (told, ARRANGED)

    def roll(self, line: Timeline) -> Rolled | None:
        """How the throw that is asked for falls, where a program throws; None: as it likes."""
        return arranged_roll(line) if self.lesson else None

    def noted(self, line: Timeline, action: Any) -> dict[str, Any] | None:
        """What is noted beside a throw that fell as the lesson arranges it."""
        told = self.roll(line)
        same = told is not None and sorted(map(str, told.dice)) == sorted(map(str, action.dice))
        return ARRANGED if same else None

    def after(self, who: SeatNo | None, body: Mapping[str, Any]) -> Course:
        """A seat may have had enough."""
        gone = {who} if body.get("taught") is False else set()
        return replace(self, seats=self.seats - gone)


def course_of(record: Record | None, entries: Iterable[Entry]) -> Course:
    """What a journal says of it."""
    if record is None or not record.options.get("taught"):
        return Course()
    people = (SeatNo(n) for n, seat in enumerate(record.seats) if not seat.get("level"))
    course = Course(True, frozenset(people))
    for entry in entries:
        course = course.after(entry.who, entry.body)
    return course


class Teaching:
    """What every seat of a lesson has learnt by its moves, and what it is told now."""

    def __init__(self) -> None:
        self._start: tuple[Game[Any] | None, frozenset[SeatNo]] = (None, frozenset())
        self._moves: list[Move] = []
        self._known: list[dict[SeatNo, frozenset[Tip]]] = [{}]  # before each move, and now

    def tips(self, line: Timeline, seats: frozenset[SeatNo]) -> dict[SeatNo, Tip | None]:
        """The seats for which something is left to tell, and what they are told now."""
        self._follow(line, seats)
        known, tips = self._known[-1], _tips(line)
        left = (seat for seat in seats if len(known[seat]) < len(tips))
        return {seat: _due(line, seat, known[seat]) for seat in left}

    def _follow(self, line: Timeline, seats: frozenset[SeatNo]) -> None:
        """Move by move, so that a power cut, or a move that is taken back, leads to the same."""
        game, taught = self._start
        if game is not line.game or not seats <= taught:
            self._start, self._moves = (line.game, seats), []
            self._known = [dict.fromkeys(seats, frozenset())]
        pairs = zip(self._moves, line.moves, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        del self._moves[same:], self._known[same + 1 :]
        for move, state in zip(line.moves[same:], line.states[same:], strict=False):
            here = Timeline(line.game, (), (state,))
            known = self._known[-1].items()
            self._known.append({seat: _learnt(here, move, seat, told) for seat, told in known})
            self._moves.append(move)


def _learnt(here: Timeline, move: Move, seat: SeatNo, told: frozenset[Tip]) -> frozenset[Tip]:
    """A seat that has decided knows what its tip had said, and whatever else it has done."""
    if move.seat != seat and not isinstance(move.what, Rolled):
        return told
    due = _due(here, seat, told)
    own = () if move.seat != seat else _tips(here)
    does = {tip for tip in own if _meets(tip, move.what, here.state, seat)}
    return told | does | ({due} if due is not None else set())


def _due(line: Timeline, seat: SeatNo, told: frozenset[Tip]) -> Tip | None:
    """What a seat that was told this much is told before it decides now."""
    if line.result is not None:
        return None
    kinds = _offered(line, seat)
    left = (tip for tip in _tips(line) if tip not in told)
    fitting = (tip for tip in left if any(issubclass(kind, tip.about) for kind in kinds))
    return next((tip for tip in fitting if tip.when(line.state, seat)), None)


def _meets(tip: Tip, action: Any, state: Any, seat: SeatNo) -> bool:
    """Whoever does of his own accord what a tip is about knows it."""
    return isinstance(action, tip.about) and tip.when(state, seat)


def _tips(line: Timeline) -> tuple[Tip, ...]:
    return line.game.lesson.tips if line.game.lesson else ()


def _offered(line: Timeline, seat: SeatNo) -> frozenset[type]:
    """The kinds of action that a seat decides about now; a throw is one, where it is to throw."""
    waiting, kinds = line.waiting, set[type]()
    if waiting.asks(seat):
        kinds |= {type(one.action) for one in line.view(seat).choices if not one.barred}
    if waiting.dice is not None and seat in (waiting.dice.by or (seat,)):
        kinds.add(Rolled)
    return frozenset(kinds)


def goal(line: Timeline) -> Iterator[Beat]:
    """What the game is about, before a lesson asks for anything."""
    pages = line.game.lesson.pages if line.game.lesson else ()
    yield from (Beat(says, alone=True) for page in pages[:1] for says in page.says)


def marked(
    line: Timeline, seat: SeatNo, choices: tuple[Choice, ...], tip: Tip
) -> tuple[tuple[Choice, ...], int | None]:
    """The choices with the best one marked, and where it stands: as the coach says, as most people
    want it, or the first of those that the tip is about."""
    best, one = first_of(line, seat), None
    if line.game.hints is not None:
        advised, found = coached(line, seat)
        if found is not None:
            one = advised[found]
            new = len(advised) - len(choices)  # what the coach alone thinks of stands first
            choices, best = ((one, *choices), 0) if found < new else (choices, found - new)
    if best is None or tip.leads:
        about = (n for n, other in enumerate(choices) if isinstance(other.action, tip.about))
        best, one = next((n for n in about if not choices[n].barred), best), None
    if best is None:
        return choices, None
    one = one or choices[best]
    says = text("good: {more}", more=one.detail) if one.detail != BLANK else text("a good choice")
    good = replace(one, detail=says, good=True)
    return (*choices[:best], good, *choices[best + 1 :]), best


def explained(line: Timeline, move: Move, viewer: SeatNo | None) -> Iterator[Beat]:
    """The rules that decided what a move led to, those that decide for the first time."""
    earlier = (one for one in line.moves if one.seq < move.seq)
    told_of = (beat.rule for one in earlier for beat in line.beats(one, viewer))
    known = {rule for rules in told_of for rule in rules.split()}
    rules = {rule.id: Text(rule.text) for rule in line.game.rules if len(rule.text) <= LEAF}
    told = 0
    for beat in line.beats(move, viewer):
        new = [one for one in beat.rule.split() if one in rules and one not in known]
        yield beat
        for one in new[: MOST - told]:
            known.add(one)
            told += 1
            yield Beat(rules[one], rule=one, alone=True)
