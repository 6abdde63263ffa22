"""Liar's dice: bid on hidden dice, or doubt. What Guess lacks: a secret that chance deals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import BadState
from companion.games.api import Game, Pick, Result, Rule, Secrets, Waiting, option, require, secret
from companion.games.story import Fact, Story
from companion.views import Choice, Line, Meter, View
from companion.words import Seat, SeatNo, Text, text

RULES = (
    Rule("L1", "Round", "The companion throws everybody's dice; each sees only the own ones."),
    Rule("L2", "Turn", "Bid how many dice show a face: one more than before, or a higher face."),
    Rule("L3", "Turn", "Or doubt the bid: all dice are shown."),
    Rule("L4", "Round", "If the dice bear out the bid, who doubted loses a die, else who bid."),
    Rule("L5", "End", "Who has no dice is out; the last one wins."),
)
FACES = range(1, 7)


@dataclass(frozen=True, slots=True)
class Options:
    """How long it takes."""

    dice: int = option(3, label=text("Dice each"), values=(2, 3, 5))


@dataclass(frozen=True, slots=True)
class Dealt:
    """The companion throws: each seat's dice, none for who is out."""

    dice: tuple[tuple[int, ...], ...] = secret()


@dataclass(frozen=True, slots=True)
class Bid:
    """At least so many dice show this face."""

    seat: int
    count: int
    face: int


@dataclass(frozen=True, slots=True)
class Doubt:
    """The last bid is too high."""

    seat: int


@dataclass(frozen=True, slots=True)
class State:
    """`dice` is empty before the throw; `count` is 0 before the first bid."""

    left: tuple[int, ...]
    turn: int = 0
    dice: tuple[tuple[int, ...], ...] = ()
    count: int = 0
    face: int = 0


def new(seats: int, options: Options) -> State:
    """Everybody has all dice; seat 1 begins."""
    return State((options.dice,) * seats)


def winner(state: State) -> int | None:
    """The only seat that has dice left."""
    have = [seat for seat, n in enumerate(state.left) if n]
    return have[0] if len(have) == 1 else None


def waiting(state: State) -> Waiting:
    """The throw, then one seat after the other."""
    if winner(state) is not None:
        return Waiting(text("Game over"))
    if not state.dice:
        return Waiting(text("The companion throws"), chance=True)
    return Waiting(text("{who} bids or doubts", who=Seat(state.turn)), seats=(state.turn,))


def legal(state: State, seat: int) -> Iterator[Bid | Doubt]:
    """As many of a higher face, one more of any; or a doubt."""
    if seat in waiting(state).seats:
        if state.count:
            yield Doubt(seat)
            yield from (Bid(seat, state.count, face) for face in FACES if face > state.face)
        if state.count < sum(state.left):
            yield from (Bid(seat, state.count + 1, face) for face in FACES)


def apply(state: State, action: Any) -> State:
    """The only judge."""
    require(winner(state) is None, "L5", "The game is over")
    match action:
        case Dealt(dice):
            require(waiting(state).chance, "L1", "The dice are thrown")
            require(_fair(state, dice), "L1", "Throw as many dice as each has left")
            return replace(state, dice=dice)
        case Bid(seat, count, face):
            require(seat in waiting(state).seats, "L2", "Another seat's turn")
            require(action in legal(state, seat), "L2", "{count} of {face} do not raise the bid",
                    count=count, face=face)  # fmt: skip
            return replace(state, count=count, face=face, turn=_after(state, seat))
        case Doubt(seat):
            require(seat in waiting(state).seats, "L3", "Another seat's turn")
            require(state.count > 0, "L3", "There is no bid to doubt")
            loser = seat if _shown(state) >= state.count else _before(state, seat)  # L4
            left = tuple(n - (s == loser) for s, n in enumerate(state.left))
            begins = loser if left[loser] else _after(state, loser)
            return State(left, begins)
    raise BadState(f"{action!r} is no action of Liar's dice")


def view(state: State, seat: int | None) -> View:
    """The own dice; of the others how many they have."""
    own = state.dice[seat] if state.dice and seat is not None else ()
    bid = text("Bid: {count} of {face}", count=state.count, face=state.face)
    mine = legal(state, seat) if seat is not None else ()
    return View(
        title=text("Liar's dice"),
        waiting=waiting(state).why,
        parts=(
            *((Line(bid, big=True),) if state.count else ()),
            *((Line(text("You have {dice}", dice=_faces(own))),) if own else ()),
            *(
                Meter(text("{who}", who=Seat(s)), n, 5, f"dice{s}")
                for s, n in enumerate(state.left)
            ),
        ),
        choices=tuple(Choice(_label(action), action) for action in mine),
        seat=seat,
    )


def result(state: State) -> Result | None:
    """Who has the last dice (L5); one die is lost at a time, so there is no tie."""
    last = winner(state)
    return last if last is None else Result((last,), text("{who} is left", who=Seat(last)))


def tell(before: State, action: Any, viewer: int | None) -> Text:
    """Of the throw each hears the own dice; a doubt shows all of them."""
    match action:
        case Dealt(dice) if viewer is not None and dice[viewer]:
            return text("You throw {dice}", dice=_faces(dice[viewer]))
        case Bid(seat, count, face):
            return text("{who} bids {count} of {face}", who=Seat(seat), count=count, face=face)
        case Doubt(seat):
            thrown = _faces(die for hand in before.dice for die in hand)
            return text("{who} doubts: {dice} were thrown", who=Seat(seat), dice=thrown)
    return text("All dice are thrown")


CITES = {Dealt: "L1", Bid: "L2", Doubt: "L3"}


def reveals(_state: State, action: Any) -> bool:
    """A doubt shows the dice; no bid is taken back past a throw."""
    return not isinstance(action, Bid)


def unseen(state: State, viewer: int | None, pick: Pick) -> State:
    """The others' dice, each thrown anew."""
    return replace(
        state,
        dice=tuple(
            hand if seat == viewer else _thrown(len(hand), pick)
            for seat, hand in enumerate(state.dice)
        ),
    )


def chance(state: State, pick: Pick) -> Dealt:
    """Everybody's dice, one seat after the other."""
    return Dealt(tuple(_thrown(n, pick) for n in state.left))


def possible(state: State) -> None:
    """Whose turn it is has dice; all dice are thrown before a bid, which they can reach."""
    bid = state.count in range(1, sum(state.left) + 1) and state.face in FACES and state.dice
    fine = (
        all(0 <= n <= 5 for n in state.left)
        and state.turn in range(len(state.left))
        and state.left[state.turn] > 0
        and (not state.dice or (winner(state) is None and _fair(state, state.dice)))
        and (bid or (state.count, state.face) == (0, 0))
    )
    if not fine:
        raise BadState("no game of Liar's dice can be in this state")


def _thrown(count: int, pick: Pick) -> tuple[int, ...]:
    return tuple(pick(6) + 1 for _ in range(count))


def _fair(state: State, dice: tuple[tuple[int, ...], ...]) -> bool:
    counts = tuple(len(hand) for hand in dice)
    return counts == state.left and all(die in FACES for hand in dice for die in hand)


def _shown(state: State) -> int:
    return sum(hand.count(state.face) for hand in state.dice)


def _after(state: State, seat: int, step: int = 1) -> int:
    seats = len(state.left)
    return next(s for n in range(1, seats) if state.left[s := (seat + step * n) % seats])


def _before(state: State, seat: int) -> int:
    return _after(state, seat, -1)


def _faces(dice: Any) -> str:
    return " ".join(map(str, sorted(dice)))


def _label(action: Bid | Doubt) -> Text:
    if isinstance(action, Doubt):
        return text("Doubt")
    return text("{count} of {face}", count=action.count, face=action.face)


def facts(state: State, _viewer: SeatNo | None) -> Iterator[Fact]:
    """How many dice everybody has left, the bid, and whose turn it is."""
    for seat, left in enumerate(state.left):
        yield Fact(f"dice{seat}", text("Dice of {who}", who=Seat(seat)), left, 2)
    yield Fact("bid", text("Bid"), text("{n} of {face}", n=state.count, face=state.face))
    yield Fact("turn", text("Turn"), text("{who}", who=Seat(state.turn)), 0)


LIAR = Game(
    key="liar",
    name=text("Liar's dice"),
    version=1,
    seats=range(2, 5),
    options=Options,
    state=State,
    actions=(Dealt, Bid, Doubt),
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
    cap=12 * (6 * 12 + 2),  # a die a round; the bids go up to six faces of every die
    chance=chance,
    story=Story(facts),
    secrets=Secrets(reveals, unseen),
)
