"""A tiny game for the tests: seal a guess, throw a die, the nearer guess scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.errors import BadState
from companion.games.api import (
    Counter,
    DiceWanted,
    Game,
    Pick,
    Result,
    Rolled,
    Rule,
    Score,
    Waiting,
    option,
    refuse,
    seal,
    secret,
)
from companion.views import Choice, Line, View
from companion.words import Seat, Text, text


@dataclass(frozen=True, slots=True)
class Options:
    """How long it takes."""

    goal: int = option(2, label=text("Goal"), values=(1, 2, 3))


@dataclass(frozen=True, slots=True)
class Guess:
    """Seal a guess from 1 to 6."""

    seat: int
    number: int = secret()
    salt: str = ""


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
    return State(options.goal)


def waiting(state: State) -> Waiting:
    if result(state):
        return Waiting(text("Game over"))
    if state.tie is None:
        return Waiting(text("Toss for ties"), chance=True)
    if 0 in state.guesses:
        missing = tuple(seat for seat in (0, 1) if not state.guesses[seat])
        return Waiting(text("Guess a number"), seats=missing)
    return Waiting(text("Throw the die"), dice=DiceWanted(("black",)))


def legal(state: State, seat: int) -> Iterator[Guess]:
    if seat in waiting(state).seats:
        yield from (Guess(seat, number) for number in range(1, 7))


def apply(state: State, action: Guess | Toss | Rolled) -> State:
    wanted = waiting(state)
    if isinstance(action, Toss):
        refuse(wanted.chance, "G1", text("No toss is due"))
        refuse(action.winner in (0, 1), "G1", text("No such seat"))
        return replace(state, tie=action.winner)
    if isinstance(action, Rolled):
        refuse(wanted.dice is not None, "G3", text("No roll is due"))
        fine = len(action.dice) == 1 and action.dice[0].value in range(1, 7)
        refuse(fine, "G3", text("Throw one die"))
        (value,) = (die.value for die in action.dice)
        miss = [abs(guess - value) for guess in state.guesses]
        best = state.tie if miss[0] == miss[1] else miss.index(min(miss))
        points = tuple(point + (seat == best) for seat, point in enumerate(state.points))
        return replace(state, points=points, guesses=(0, 0), salts=("", ""))
    refuse(
        action.seat in wanted.seats, "G2", text("{who} does not guess now", who=Seat(action.seat))
    )
    why = text("{number} is not on a die", number=action.number)
    refuse(action.number in range(1, 7), "G2", why)

    def put(old: tuple, new: object) -> tuple:
        return tuple(new if seat == action.seat else kept for seat, kept in enumerate(old))

    guesses, salts = put(state.guesses, action.number), put(state.salts, action.salt)
    return replace(state, guesses=guesses, salts=salts)


def view(state: State, seat: int | None) -> View:
    parts = [Line(text("{a} to {b}", a=state.points[0], b=state.points[1]))]
    if seat is not None and state.guesses[seat]:
        code = seal(state.guesses[seat], state.salts[seat])
        guess = text("Your guess {number}, code {code}", number=state.guesses[seat], code=code)
        parts.append(Line(guess))
    choices = [] if seat is None else [
        Choice(text("{number}", number=action.number), action) for action in legal(state, seat)
    ]  # fmt: skip
    return View(text("Guess"), waiting(state).why, tuple(parts), tuple(choices), seat)


def result(state: State) -> Result | None:
    for seat, points in enumerate(state.points):
        if points >= state.goal:
            scores = tuple(
                Score(seat, points, ((text("rolls"), points),))
                for seat, points in enumerate(state.points)
            )
            return Result((seat,), text("{who} guesses best", who=Seat(seat)), scores)
    return None


def tell(_state: State, action: Guess | Toss | Rolled, _viewer: int | None) -> Text:
    if isinstance(action, Guess):
        return text("{who} has guessed", who=Seat(action.seat))
    if isinstance(action, Toss):
        return text("{who} wins ties", who=Seat(action.winner))
    return text("The die shows {value}", value=action.dice[0].value)


def sound(state: State) -> None:
    fine = (
        state.goal in (1, 2, 3)
        and state.tie in (None, 0, 1)
        and all(0 <= points <= state.goal for points in state.points)
        and all(0 <= guess <= 6 for guess in state.guesses)
        and state.points.count(state.goal) < 2
        and not (state.tie is None and any(state.guesses + state.points))
    )
    if not fine:
        raise BadState("no game of Guess can be in this state")


def chance(_state: State, pick: Pick) -> Toss:
    return Toss(pick(2))


def counters(state: State) -> tuple[Counter, ...]:
    return tuple(
        Counter(f"points{seat}", text("Points of {who}", who=Seat(seat)), points, 0, state.goal)
        for seat, points in enumerate(state.points)
    )


def overrule(state: State, key: str, value: int) -> State:
    points = (value, state.points[1]) if key == "points0" else (state.points[0], value)
    return replace(state, points=points)


GUESS = Game(
    key="guess",
    name=text("Guess"),
    version=1,
    seats=range(2, 3),
    options=Options,
    state=State,
    actions=(Guess, Toss, Rolled),
    rules=(
        Rule("G1", "Start", "A toss decides who wins ties."),
        Rule("G2", "Turn", "Both seats seal a guess from 1 to 6."),
        Rule("G3", "Turn", "The nearer guess scores a point; at the goal the game ends."),
    ),
    new=new,
    waiting=waiting,
    legal=legal,
    apply=apply,
    view=view,
    result=result,
    tell=tell,
    cites={Toss: "G1", Guess: "G2", Rolled: "G3"},
    sound=sound,
    cap=1000,
    chance=chance,
    counters=counters,
    overrule=overrule,
)
