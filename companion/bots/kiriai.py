"""The players of Kiri-ai. The best one draws its plans from a solved table and knows what its own
plans have told the other about its special; the others stray from it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from companion.bots.api import Answer, Bot, Level, Sight, picks
from companion.bots.kiriai_table import MASKED, Board, Entry, Plan, Table, layer_number
from companion.games.api import Pick as Chance
from companion.games.kiriai.advice import odds, own_plans
from companion.games.kiriai.cards import SPECIALS, STANCES
from companion.games.kiriai.duel import BLUE
from companion.games.kiriai.state import GoOn, Pick, Place, Seal, State, own_spaces
from companion.words import text

FILES = {5: ("kiriai.table", "kiriai-small.table"), 7: ("kiriai-advanced.table",)}
"""By spaces of the row; a machine with a small disk may do without the first."""
VERSION = 2
STRAYS = 3  # "good" goes by feel in one round of so many
LIKED = 5  # plans that somebody who goes by feel chooses among


@cache
def solved(spaces: int = 5) -> Table:
    """The best table of this row that is there."""
    paths = [Path(__file__).with_name(name) for name in FILES[spaces]]
    return Table(next((path for path in paths if path.exists()), paths[-1]))


def most_wins(bound: float) -> int:
    """Of 100 duels, draws halved, how many anybody can win against a table with this bound."""
    return math.ceil(50 * (1 + bound))


@dataclass(frozen=True, slots=True)
class Seen:
    """What the player goes by: all of it lies open, but for the own special."""

    left: int  # rounds, this one included
    slot: int
    mine: int  # my special, if it is spent, or -1
    his: int
    special: int  # in my hand, or -1


def seen(board: Board, state: State, seat: int) -> Seen:
    """The duel as a seat sees it, from its own end of the row."""
    me, him = state.fighters[seat], state.fighters[1 - seat]
    ends, far = (me.stand.space, him.stand.space), board.spaces + 1
    spaces = ends if seat == BLUE else (far - ends[0], far - ends[1])
    stances, wounds = (me.stand.stance, him.stand.stance), (me.wounds, him.wounds)
    number = board.slot(spaces, stances, wounds, (me.aside, him.aside))
    spent = [SPECIALS.index(one.spent) if one.spent else -1 for one in (me, him)]
    held = SPECIALS.index(me.special) if me.special else -1
    return Seen(state.options.round_cap - state.round + 1, number, spent[0], spent[1], held)


def row(table: Table, sight: Seen, memory: int) -> tuple[Entry, ...]:
    """What may be played by this special, each as often as its units say."""
    own = sight.special
    if own >= 0 and not memory >> own & 1:
        memory = MASKED  # a ruling gave the special back
    if sight.his >= 0:
        memory &= ~(1 << sight.his)
    entries = table.row(sight.left, layer_number(sight.mine, sight.his, memory), sight.slot)
    if own < 0:
        return entries
    return tuple(one for one in entries if one.special == own or one.memory >> own & 1)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A plan, the memory after it, and how often it is played here."""

    plan: Plan
    memory: int
    share: float


def drawn(table: Table, state: State, seat: int, seed: str, memory: int) -> Drawn:
    """Both cards of this round, with the same seed always the same; what lies is gone on from."""
    pick, fighter = picks(seed, "round", state.round), state.fighters[seat]
    every = own_plans(state, replace(fighter, plan=()))
    entries = [one for one in row(table, seen(table.board, state, seat), memory)
               if one.plan in every]  # fmt: skip
    laid = own_plans(state, fighter)
    for some in (entries, [one for one in entries if one.plan in laid]):
        whole = sum(one.units for one in some)
        at = pick(whole) if whole else 0
        for one in some:
            at -= one.units
            if at < 0 and one.plan in laid:
                same = sum(other.units for other in some if other.plan == one.plan)
                return Drawn(one.plan, one.memory, same / whole)
            if at < 0:
                break
    # rulings, or cards that somebody else laid, have led where the table does not reach
    return Drawn(laid[pick(len(laid))], MASKED, 1 / len(laid))


def remembered(table: Table, sight: Sight, seed: str) -> int:
    """What the own plans have left open so far; they can be drawn again, so nothing is stored."""
    memory = MASKED
    for moved in sight.past:
        if isinstance(moved.action, Pick):
            state: State = moved.sight.imagine(picks(seed))
            if not state.fighters[sight.seat].plan:  # the first card of a round
                one = drawn(table, state, sight.seat, seed, memory)
                memory = one.memory if one.plan[0] == moved.action.face else MASKED
    return memory


def start(table: Table, seat: int, pick: Chance) -> Place:
    """Where to begin on the advanced row."""
    homes = [(space, stance) for space, stance, units in table.starts for _ in range(units)]
    space, stance = homes[pick(len(homes))]
    return Place(seat, space if seat == BLUE else table.board.spaces + 1 - space, stance)


def by_feel(state: State, seat: int, pick: Chance) -> Plan:
    """One of the plans that look best against somebody who lays anything."""
    liked = sorted(odds(state, seat), key=lambda odd: (odd.edge, odd.wound), reverse=True)[:LIKED]
    return liked[pick(len(liked))].plan


def _think(level: Level, sight: Sight, seed: str) -> Iterator[Answer]:
    seat, pick = sight.seat, picks(seed, "feel", len(sight.past))
    state: State = sight.imagine(pick)
    laid = len(state.fighters[seat].plan)
    if state.phase == "between":
        yield Answer(GoOn(seat))
    elif state.phase == "place" and level == "easy":
        yield Answer(Place(seat, own_spaces(seat)[pick(3)], STANCES[pick(2)]))
    elif state.phase == "place":
        yield Answer(start(solved(state.size), seat, pick))
    elif laid == 2:
        yield Answer(Seal(seat))
    elif level == "easy" or (level == "good" and not picks(seed, state.round)(STRAYS)):
        plan = by_feel(state, seat, picks(seed, "feel", state.round, laid))
        yield Answer(Pick(seat, plan[laid]), text("It looks good against most replies"))
    else:
        table = solved(state.size)
        one = drawn(table, state, seat, seed, remembered(table, sight, seed))
        share = text("It lays these two here {n} times in 100", n=round(100 * one.share))
        yield Answer(Pick(seat, one.plan[laid]), share)


def bot(level: Level) -> Bot:
    """The duellist of this level."""
    says = {
        "easy": text("Lays the cards that look good against random play"),
        "good": text("Plays the solved table, but goes by feel in one round of three"),
        "best": text(
            "Nobody can win more than {n} of 100 duels against it (a draw is half), "
            "{m} on the long row",
            n=most_wins(solved(5).bound), m=most_wins(solved(7).bound),
        ),
    }[level]  # fmt: skip
    return Bot("kiriai", level, VERSION, says, partial(_think, level))
