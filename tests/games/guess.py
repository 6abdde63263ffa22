"""Guess: seal a number, throw a die. What Pig lacks: secrets and the companion's own chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import BadState
from companion.games.api import (
    Counter,
    DiceWanted,
    Game,
    Pick,
    Result,
    Rolled,
    Rule,
    Rulings,
    Score,
    Secrets,
    Waiting,
    fits,
    option,
    require,
    resalted,
    seal,
    sealed_line,
    secret,
)
from companion.games.story import Fact, Story
from companion.views import Choice, Line, Part, View
from companion.words import Seat, SeatNo, Text, text

RULES = (
    Rule("G1", "Start", "A toss decides who wins ties."),
    Rule("G2", "Turn", "Both seats seal a guess from 1 to 6; the second seal opens both."),
    Rule("G3", "Turn", "A die is thrown: the nearer guess scores a point, at a tie the toss."),
    Rule("G4", "End", "Who first has the goal wins."),
)
NUMBERS = range(1, 7)


@dataclass(frozen=True, slots=True)
class Options:
    """How long it takes."""

    goal: int = option(2, label=text("Goal"), values=(1, 2, 3))


@dataclass(frozen=True, slots=True)
class Guess:
    """Seal a guess."""

    seat: int
    number: int = secret()
    salt: str = secret(default="")


@dataclass(frozen=True, slots=True)
class Toss:
    """The companion decides who wins ties."""

    winner: int


@dataclass(frozen=True, slots=True)
class State:
    """Guesses are 0 until they are made; `tie` is None before the toss."""

    goal: int
    points: tuple[int, int] = (0, 0)
    tie: int | None = None
    guesses: tuple[int, int] = (0, 0)
    salts: tuple[str, str] = ("", "")


def new(_seats: int, options: Options) -> State:
    """Nobody has a point."""
    return State(options.goal)


def winner(state: State) -> int | None:
    """The seat that has the goal, if one has."""
    return next((seat for seat, n in enumerate(state.points) if n >= state.goal), None)


def waiting(state: State) -> Waiting:
    """The toss, both guesses at once, the die."""
    if winner(state) is not None:
        return Waiting(text("Game over"))
    if state.tie is None:
        return Waiting(text("Toss for ties"), chance=True)
    if 0 in state.guesses:
        missing = tuple(seat for seat in (0, 1) if not state.guesses[seat])
        return Waiting(text("Guess a number"), seats=missing)
    return Waiting(text("Throw the die"), dice=DiceWanted(("black",)))


def legal(state: State, seat: int) -> Iterator[Guess]:
    """Any number, once."""
    if seat in waiting(state).seats:
        yield from (Guess(seat, number) for number in NUMBERS)


def apply(state: State, action: Any) -> State:
    """The only judge."""
    wanted = waiting(state)
    match action:
        case Toss(first):
            require(wanted.chance, "G1", "No toss is due")
            require(first in (0, 1), "G1", "No such seat")
            return replace(state, tie=first)
        case Rolled():
            require(fits(wanted.dice, action), "G3", "One black die, after the guesses")
            return _scored(state, action.dice[0].value)
        case Guess(seat, number, salt):
            require(seat in wanted.seats, "G2", "{who} does not guess now", who=Seat(seat))
            require(number in NUMBERS, "G2", "{number} is not on a die", number=number)
            guesses, salts = _put(state.guesses, seat, number), _put(state.salts, seat, salt)
            return replace(state, guesses=guesses, salts=salts)
    raise BadState(f"{action!r} is no action of Guess")


def view(state: State, seat: int | None) -> View:
    """A guess is its seat's own until both are made."""
    mine = legal(state, seat) if seat is not None else ()
    return View(
        title=text("Guess"),
        waiting=waiting(state).why,
        parts=(
            Line(text("{a} to {b}", a=state.points[0], b=state.points[1])),
            *guessed(state, seat),
        ),
        choices=tuple(Choice(text("{number}", number=one.number), one) for one in mine),
        seat=seat,
    )


def guessed(state: State, viewer: int | None) -> Iterator[Part]:
    """Own guess and code; at the reveal, for all: choice, salt and code."""
    for seat, (number, salt) in enumerate(zip(state.guesses, state.salts, strict=True)):
        code = seal(number, salt)
        if 0 not in state.guesses:
            line = sealed_line(number, salt)
            yield Line(text("{who} {line} gives {code}", who=Seat(seat), line=line, code=code))
        elif number and seat == viewer:
            yield Line(text("Your guess {number}, code {code}", number=number, code=code))
        elif number:
            yield Line(text("{who} has guessed", who=Seat(seat)))


def result(state: State) -> Result | None:
    """Who has the goal (G4); each roll gives one point, so there is no tie."""
    first = winner(state)
    if first is None:
        return None
    scores = tuple(Score(seat, n, ((text("rolls"), n),)) for seat, n in enumerate(state.points))
    return Result((first,), text("{who} guesses best", who=Seat(first)), scores)


def tell(_before: State, action: Any, _viewer: int | None) -> Text:
    """What everybody hears: never the number."""
    match action:
        case Guess(seat):
            return text("{who} has guessed", who=Seat(seat))
        case Toss(first):
            return text("{who} wins ties", who=Seat(first))
    return text("The die shows {value}", value=action.dice[0].value)


CITES = {Toss: "G1", Guess: "G2", Rolled: "G3"}


def reveals(state: State, action: Any) -> bool:
    """The second guess opens both; what chance does all see."""
    return not isinstance(action, Guess) or state.guesses[1 - action.seat] > 0


def unseen(state: State, viewer: int | None, pick: Pick) -> State:
    """The others' guesses, until both are open."""
    if 0 not in state.guesses:
        return state
    guesses, salts = list(state.guesses), list(state.salts)
    for seat in (0, 1):
        if seat != viewer and guesses[seat]:
            guesses[seat] = pick(6) + 1
            salts[seat] = resalted(salts[seat], pick)
    return replace(state, guesses=tuple(guesses), salts=tuple(salts))


def chance(_state: State, pick: Pick) -> Toss:
    """The toss."""
    return Toss(pick(2))


def possible(state: State) -> None:
    """Points up to the goal, guesses on a die, nothing before the toss, no guess after the end."""
    fine = (
        state.goal >= 1
        and state.tie in (None, 0, 1)
        and all(0 <= points <= state.goal for points in state.points)
        and all(0 <= guess <= 6 for guess in state.guesses)
        and state.points.count(state.goal) < 2
        and not (state.tie is None and any(state.guesses + state.points))
        and not (winner(state) is not None and any(state.guesses))
    )
    if not fine:
        raise BadState("no game of Guess can be in this state")


def counters(state: State) -> tuple[Counter, ...]:
    """The points, from the toss on; two cannot have the goal."""
    if state.tie is None:
        return ()
    return tuple(
        Counter(
            f"points{seat}",
            text("Points of {who}", who=Seat(seat)),
            points,
            0,
            state.goal - (winner(state) == 1 - seat),
        )
        for seat, points in enumerate(state.points)
    )


def overrule(state: State, key: str, value: int) -> State:
    """The table's word on somebody's points; it may end the game, or bring it back."""
    for seat, counter in enumerate(counters(state)):
        if counter.key == key and counter.low <= value <= counter.high:
            ruled = replace(state, points=_put(state.points, seat, value))
            over = winner(ruled) is not None
            return replace(ruled, guesses=(0, 0), salts=("", "")) if over else ruled
    raise BadState(f"{key} cannot be {value}")


def _scored(state: State, value: int) -> State:
    miss = [abs(guess - value) for guess in state.guesses]
    best = state.tie if miss[0] == miss[1] else miss.index(min(miss))
    points = tuple(point + (seat == best) for seat, point in enumerate(state.points))
    return replace(state, points=points, guesses=(0, 0), salts=("", ""))


def _put(old: tuple[Any, Any], seat: int, new: Any) -> tuple[Any, Any]:
    return (new, old[1]) if seat == 0 else (old[0], new)


def facts(state: State, _viewer: SeatNo | None) -> Iterator[Fact]:
    """The points are all that changes before everybody's eyes."""
    for seat, points in enumerate(state.points):
        yield Fact(f"points{seat}", text("Points of {who}", who=Seat(seat)), points)


GUESS = Game(
    key="guess",
    name=text("Guess"),
    version=1,
    seats=range(2, 3),
    options=Options,
    state=State,
    actions=(Guess, Toss, Rolled),
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
    cap=1 + 3 * 5,
    chance=chance,
    story=Story(facts),
    secrets=Secrets(reveals, unseen),
    rulings=Rulings(counters, overrule),
)
