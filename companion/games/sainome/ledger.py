"""How a game ended, and the numbers that the table may set by hand."""

from __future__ import annotations

from companion.games.api import Counter, Result, Score, require_counter
from companion.games.records import replace
from companion.games.sainome.flow import settle
from companion.games.sainome.state import SEATS, SETTING_UP, UNKNOWN, State, with_side
from companion.words import Seat, text


def result(state: State) -> Result | None:
    """Who is left with HP (R32). No blow hits both: only the table's word makes it a draw."""
    if not state.over:
        return None
    hp = [len(side.stack) for side in state.sides]
    scores = tuple(Score(seat, hp[seat], ((text("HP left"), hp[seat]),)) for seat in SEATS)
    if not any(hp):
        return Result((), text("Both are down"), scores)
    winner = 0 if hp[0] else 1
    return Result((winner,), text("{who} is down", who=Seat(1 - winner)), scores)


def counters(state: State) -> tuple[Counter, ...]:
    """HP, which side lies up, actions lost; with cardboard the hands, too."""
    if state.phase in SETTING_UP or not state.turns:
        return ()
    found = []
    for seat in SEATS:
        side, who = state.sides[seat], Seat(seat)
        hp = len(side.stack)
        label = text("HP of {who}", who=who)
        found.append(Counter(f"hp{seat}", label, hp, 0, hp + len(state.deck)))
        if state.phase == "act" and not _busy(state):
            label = text("{who} awakened", who=who)
            found.append(Counter(f"awake{seat}", label, int(side.awakened), 0, 1))
            label = text("{who}: actions fewer", who=who)
            found.append(Counter(f"fewer{seat}", label, side.fewer, 0, max(2, side.fewer)))
            if state.cardboard:
                most = len(side.hand) + len(state.deck)
                label = text("Hand of {who}", who=who)
                found.append(Counter(f"hand{seat}", label, len(side.hand), 0, most))
    return tuple(found)


def _busy(state: State) -> bool:
    return bool(state.hit or state.due or state.throw or state.shown or state.played)


def overrule(state: State, key: str, value: int) -> State:
    """Set a counter by the table's word; it may end the game, or bring it back."""
    require_counter(counters(state), key, value)
    name, seat = key[:-1], int(key[-1])
    match name:
        case "hp":
            state = _moved(state, seat, "stack", value)
        case "hand":
            state = _moved(state, seat, "hand", value)
            state = with_side(state, seat, hand=(UNKNOWN,) * len(state.sides[seat].hand))
        case "awake":
            state = with_side(state, seat, awake=bool(value), driven=False)
        case _:
            state = with_side(state, seat, fewer=value)
    return settle(state)


def _moved(state: State, seat: int, zone: str, value: int) -> State:
    """Cards go under the common deck, or come from it, until there are this many."""
    cards: tuple[str, ...] = getattr(state.sides[seat], zone)
    more = max(0, value - len(cards))
    kept, gone = cards[:value], cards[value:]
    state = with_side(state, seat, **{zone: kept + state.deck[:more]})
    return replace(state, deck=state.deck[more:] + gone)
