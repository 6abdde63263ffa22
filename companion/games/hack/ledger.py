"""How a game ended, and the numbers that the table may set by hand."""

from __future__ import annotations

from companion.games.api import Counter, Result, Score, require_counter
from companion.games.hack.fights import with_hero
from companion.games.hack.flow import settle
from companion.games.hack.state import SEATS, UNKNOWN, WIN, State, with_side
from companion.games.records import replace
from companion.words import Seat, Text, text

MOST_POINTS = 20
MOST_BONUS = 20
_SETTING_UP = ("cut", "deal")


def result(state: State) -> Result | None:
    """Seven points win (R5); else most when a deck is used up, and a tie is a draw (R6)."""
    if state.phase != "over":
        return None
    points = [state.points(seat) for seat in SEATS]
    scores = tuple(_score(state, seat) for seat in SEATS)
    if points[0] == points[1]:
        return Result((), text("A draw, {n} points each", n=points[0]), scores)
    winner = 0 if points[0] > points[1] else 1
    if points[winner] >= WIN:
        return Result(
            (winner,), text("{who} has {n} points", who=Seat(winner), n=points[winner]), scores
        )
    why = text("A deck is used up; {who} has more", who=Seat(winner))
    return Result((winner,), why, scores)


def _score(state: State, seat: int) -> Score:
    side = state.sides[seat]
    rows: list[tuple[Text, int]] = [
        (state.cards[c].name, state.cards[c].points) for c in side.score
    ]
    rest = state.points(seat) - sum(number for _, number in rows)
    if rest:
        rows.append((text("By effects and rulings"), rest))
    return Score(seat, state.points(seat), tuple(rows))


def counters(state: State) -> tuple[Counter, ...]:
    """What the table may set by hand: where a printed text does what our words cannot say."""
    if state.phase in _SETTING_UP:
        return ()
    found = []
    for seat, side in enumerate(state.sides):
        who = Seat(seat)
        points = state.points(seat)
        # nobody can have won twice over
        most = WIN - 1 if state.points(1 - seat) >= WIN else max(points, MOST_POINTS)
        found.append(Counter(f"points{seat}", text("Points of {who}", who=who), points, 0, most))
        for place, hero in enumerate(side.heroes):
            label = text("{card}: wounded 1", card=state.cards[hero.card].name)
            found.append(Counter(f"wound{seat}{place}", label, int(hero.wounded), 0, 1))
        if state.cardboard and state.phase == "play":
            most = len(side.hand) + len(side.deck)
            label = text("Hand of {who}", who=who)
            found.append(Counter(f"hand{seat}", label, len(side.hand), 0, most))
        if state.phase in ("flip", "destiny"):
            label = text("{who}: by actions", who=who)
            plus = state.battle.plus[seat]
            low, high = min(plus, -MOST_BONUS), max(plus, MOST_BONUS)
            found.append(Counter(f"plus{seat}", label, plus, low, high))
    return tuple(found)


def overrule(state: State, key: str, value: int) -> State:
    """Set a counter by the table's word; it may end the game, or bring it back."""
    require_counter(counters(state), key, value)
    name, seat = key.rstrip("0123456789"), int(key[len(key.rstrip("0123456789"))])
    side = state.sides[seat]
    if name == "points":
        state = with_side(state, seat, extra=side.extra + value - _shown_points(state, seat))
    elif name == "wound":
        hero = side.heroes[int(key[-1])]
        state = with_hero(state, seat, replace(hero, wounded=bool(value)))
    elif name == "plus":
        both = [value if s == seat else state.battle.plus[s] for s in SEATS]
        battle = replace(state.battle, plus=(both[0], both[1]))
        state = replace(state, battles=(battle, *state.battles[1:]))
    else:
        state = _dealt(state, seat, value)
    return settle(_decided(state))


def _shown_points(state: State, seat: int) -> int:
    side = state.sides[seat]
    return side.extra + sum(state.cards[card].points for card in side.score)


def _dealt(state: State, seat: int, value: int) -> State:
    """Cardboard: a hand of this many; what comes is drawn, what goes is discarded."""
    side = state.sides[seat]
    more, less = max(0, value - len(side.hand)), max(0, len(side.hand) - value)
    state = with_side(
        state, seat, hand=(UNKNOWN,) * value, deck=side.deck[more:],
        discard=side.discard + (UNKNOWN,) * less,
    )  # fmt: skip
    return state if state.sides[seat].deck else replace(state, last=True)


def _decided(state: State) -> State:
    """A game that ended by points goes on where it stood if they are taken away."""
    won = any(state.points(seat) >= WIN for seat in SEATS)
    return replace(state, phase=state.back, back="") if state.back and not won else state
