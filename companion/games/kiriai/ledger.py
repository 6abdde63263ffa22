"""How a duel ended, and the numbers that the table may set by hand."""

from __future__ import annotations

from companion.games.api import Counter, Result, Score, require_counter
from companion.games.kiriai.cards import EARTH, FACES, HEAVEN
from companion.games.kiriai.duel import BLUE, RED
from companion.games.kiriai.round import settled, with_fighter
from companion.games.kiriai.state import DEFEATED, SEATS, SETTING_UP, State
from companion.games.records import replace
from companion.words import Seat, text


def result(state: State) -> Result | None:
    """Who dealt two wounds (K-R33); a draw at the round cap (K-H1); None while swords are drawn."""
    if state.phase != "over":
        return None
    scores = tuple(_score(state, seat) for seat in SEATS)
    winners = tuple(seat for seat in SEATS if state.fighters[1 - seat].wounds == DEFEATED)
    if winners:
        return Result(winners, text("{who} is defeated", who=Seat(1 - winners[0])), scores)
    return Result((), text("A draw after {n} rounds", n=state.options.round_cap), scores)


def counters(state: State) -> tuple[Counter, ...]:
    """What the table may set by hand once both samurai stand."""
    blue, red = state.fighters
    if state.phase in SETTING_UP:
        return ()
    found = [Counter("round", text("Round"), state.round, 1, state.options.round_cap + 1)]
    limits = {BLUE: (1, red.stand.space), RED: (blue.stand.space, state.size)}
    for seat, fighter in enumerate(state.fighters):
        who = Seat(seat)
        # nobody can be defeated twice over: the other's second wound bars one's own
        most = DEFEATED - (state.fighters[1 - seat].wounds == DEFEATED)
        found += [
            Counter(f"wounds{seat}", text("Wounds of {who}", who=who), fighter.wounds, 0, most),
            Counter(
                f"space{seat}", text("Space of {who}", who=who), fighter.stand.space, *limits[seat]
            ),
            Counter(
                f"heaven{seat}",
                text("{who}: Heaven 1, Earth 0", who=who),
                int(fighter.stand.stance == HEAVEN),
                0,
                1,
            ),
        ]
    return tuple(found)


def overrule(state: State, key: str, value: int) -> State:
    """Set a counter by the table's word; it may end the duel, or bring it back."""
    require_counter(counters(state), key, value)
    if key == "round":
        return settled(replace(state, round=value))
    seat = int(key[-1])
    fighter = state.fighters[seat]
    if key.startswith("wounds"):
        return settled(with_fighter(state, seat, replace(fighter, wounds=value)))
    stand = fighter.stand
    if key.startswith("space"):
        stand = replace(stand, space=value)
    else:
        stand = replace(stand, stance=HEAVEN if value else EARTH)
    return with_fighter(state, seat, replace(fighter, stand=stand))


def _score(state: State, seat: int) -> Score:
    total = state.fighters[1 - seat].wounds
    cuts = [cut for cut in state.cuts if cut.by == seat]
    rows = [(text("{card}, round {n}", card=FACES[c.face].name, n=c.round), 1) for c in cuts]
    if total != len(cuts):
        rows.append((text("The table's word"), total - len(cuts)))
    return Score(seat, total, tuple(rows))
