"""Pig, the smallest dice game: docs/adding-a-game.md builds it step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import BadState
from companion.games.api import (
    Counter,
    DiceWanted,
    Die,
    Game,
    Result,
    Rolled,
    Rule,
    Rulings,
    Score,
    Waiting,
    fits,
    option,
    require,
)
from companion.games.story import Fact, Story
from companion.views import Beat, Choice, Line, Meter, View
from companion.words import Seat, SeatNo, Text, text

RULES = (
    Rule("P1", "Turn", "On your turn throw one die, again and again, as long as you like."),
    Rule("P2", "Turn", "Each throw of 2 to 6 goes into the pot."),
    Rule("P3", "Turn", "A 1 empties the pot and ends your turn."),
    Rule("P4", "Turn", "Hold: the pot is yours, your turn ends. Throw at least once before."),
    Rule("P5", "End", "Who holds the goal or more wins at once."),
    Rule("P6", "Turn", "Who begins?", left="the table agrees before it sits down: seat 1 begins"),
)


@dataclass(frozen=True, slots=True)
class Options:
    """How far to play."""

    goal: int = option(100, label=text("Goal"), values=(50, 100))


@dataclass(frozen=True, slots=True)
class Hold:
    """Take the pot and pass the die."""

    seat: int


@dataclass(frozen=True, slots=True)
class State:
    """Points of each seat, whose turn it is, what lies in the pot."""

    goal: int
    scores: tuple[int, ...]
    turn: int = 0
    pot: int = 0


def new(seats: int, options: Options) -> State:
    """Nobody has a point."""
    return State(options.goal, (0,) * seats)


def winner(state: State) -> int | None:
    """The seat that has the goal, if one has."""
    return next((seat for seat, n in enumerate(state.scores) if n >= state.goal), None)


def waiting(state: State) -> Waiting:
    """The die of the seat whose turn it is; with a pot, its decision as well."""
    if winner(state) is not None:
        return Waiting(text("The game is over"))
    why = text("{who} throws the die", who=Seat(state.turn))
    seats = (state.turn,) if state.pot else ()
    return Waiting(why, seats, DiceWanted(("black",), by=(state.turn,)))


def legal(state: State, seat: int) -> Iterator[Hold]:
    """Only holding is a decision: throwing is done by throwing."""
    if winner(state) is None and seat == state.turn and state.pot:
        yield Hold(seat)


def apply(state: State, action: Any) -> State:
    """The only judge."""
    require(winner(state) is None, "P5", "The game is over")
    match action:
        case Rolled():
            require(fits(waiting(state).dice, action), "P1", "Throw one black die")
            value = action.dice[0].value
            if value == 1:
                return replace(state, pot=0, turn=_next(state))  # P3
            return replace(state, pot=state.pot + value)  # P2
        case Hold(seat):
            require(seat == state.turn, "P1", "It is {who}'s turn", who=Seat(state.turn))
            require(state.pot > 0, "P4", "Throw at least once")
            scores = tuple(n + state.pot * (s == seat) for s, n in enumerate(state.scores))
            held = replace(state, scores=scores, pot=0)
            return held if winner(held) is not None else replace(held, turn=_next(held))
    raise BadState(f"{action!r} is no action of Pig")


def view(state: State, seat: int | None) -> View:
    """Pig has no secrets: all see the same, the seat in turn may hold."""
    points = [Meter(text("{who}", who=Seat(s)), n, state.goal, f"points{s}")
              for s, n in enumerate(state.scores)]  # fmt: skip
    mine = legal(state, seat) if seat is not None else ()
    return View(
        title=text("Pig to {goal}", goal=state.goal),
        waiting=waiting(state).why,
        parts=(Line(text("Pot {pot}", pot=state.pot), big=True), *points),
        choices=tuple(Choice(text("Hold"), action) for action in mine),
        seat=seat,
    )


def result(state: State) -> Result | None:
    """Who has the goal."""
    first = winner(state)
    if first is None:
        return None
    scores = tuple(Score(seat, points) for seat, points in enumerate(state.scores))
    return Result((first,), text("{who} has the goal", who=Seat(first)), scores)


def tell(before: State, action: Any, _viewer: int | None) -> Text:
    """What everybody hears."""
    who = Seat(before.turn)
    match action:
        case Rolled((Die(value=1),)):
            return text("{who} throws a 1", who=who)
        case Rolled((Die(value=value),)):
            return text("{who} throws {n}", who=who, n=value)
    return text("{who} holds {pot}", who=who, pot=before.pot)


def thrown(_before: State, action: Rolled) -> str:
    """A 1 ends the turn, any other throw goes into the pot."""
    return "P3" if action.dice[0].value == 1 else "P2"


CITES = {Rolled: thrown, Hold: "P4"}


def possible(state: State) -> None:
    """Points and pot from zero, a seat in turn, at most one winner."""
    if state.goal < 1 or not 2 <= len(state.scores) <= 6:
        raise BadState("Pig needs a goal and 2 to 6 seats")
    if state.turn not in range(len(state.scores)) or min(*state.scores, state.pot) < 0:
        raise BadState("turn, points or pot cannot be")
    if state.pot == 1 or sum(n >= state.goal for n in state.scores) > 1:
        raise BadState("no throw leads here")
    first = winner(state)
    if first is not None and (state.pot or state.turn != first):
        raise BadState("the winner held in the own turn")


def counters(state: State) -> tuple[Counter, ...]:
    """The points of each seat; the goal itself is only reached by holding."""
    if winner(state) is not None:
        return ()
    return tuple(
        Counter(f"points{seat}", text("{who}", who=Seat(seat)), points, 0, state.goal - 1)
        for seat, points in enumerate(state.scores)
    )


def overrule(state: State, key: str, value: int) -> State:
    """The table's word on somebody's points."""
    known = {counter.key: seat for seat, counter in enumerate(counters(state))}
    if key not in known or not 0 <= value < state.goal:
        raise BadState(f"{key} cannot be {value}")
    scores = tuple(value if s == known[key] else n for s, n in enumerate(state.scores))
    return replace(state, scores=scores)


def _next(state: State) -> int:
    return (state.turn + 1) % len(state.scores)


def facts(state: State, _viewer: SeatNo | None) -> Iterator[Fact]:
    """The pot, whose turn it is, and the points."""
    yield Fact("pot", text("Pot"), state.pot, 0)
    yield Fact("turn", text("Turn"), text("{who}", who=Seat(state.turn)), 0)
    for seat, points in enumerate(state.scores):
        yield Fact(f"points{seat}", text("{who}", who=Seat(seat)), points)


def beats(before: State, action: Any, _after: State, _viewer: SeatNo | None) -> Iterator[Beat]:
    """Only a 1 needs words of its own."""
    if isinstance(action, Rolled) and action.dice[0].value == 1:
        said = text("A 1! {who} loses {pot}", who=Seat(before.turn), pot=before.pot)
        yield Beat(said, ("pot",), 2, "P3")


PIG = Game(
    key="pig",
    name=text("Pig"),
    version=1,
    seats=range(2, 7),
    options=Options,
    state=State,
    actions=(Rolled, Hold),
    rules=RULES,
    new=new,
    waiting=waiting,
    legal=legal,
    apply=apply,
    view=view,
    result=result,
    tell=tell,
    cites=CITES,
    possible=possible,
    cap=5_000,
    story=Story(facts, beats),
    rulings=Rulings(counters, overrule),
)
