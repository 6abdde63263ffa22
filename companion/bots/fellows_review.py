"""What the decisions and the dice of Sword of Fellows were worth to the party, turn by turn.

The measure is the coach's hope (danger.py), exact over all throws of a turn. From the first
decision of a turn to its strike, luck and skill add up to the difference of what was expected; an
ability or a potion is paid for once, so what follows it is scaled to what its line promised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.bots.api import Moment, Played
from companion.bots.danger import Hope
from companion.bots.fellows import AT_ONCE, CAREFUL, Line, again, in_hand, ranked, set_to
from companion.bots.fellows_advice import in_words
from companion.games.api import Rolled
from companion.games.records import replace
from companion.games.sao import actions as do
from companion.games.sao.assign import Uses
from companion.games.sao.kinds import ADDITIONS
from companion.games.sao.state import State
from companion.games.sao.tell import tell
from companion.words import SeatNo

WITHIN = ("lay", "roll", "dice", "skills")  # phases between the first decision and the strike
ALONE = ("chain", "counter")  # where a decision is weighed, too
STRIKES = (do.Strike, do.Finish)  # the next turn may follow at once


def moments(played: Iterable[Played]) -> Iterator[Moment]:
    """Every decision that the coach can weigh, and every throw."""
    hope: float | None = None  # what is expected of this turn as it stands
    for one in played:
        state, action = one.before, one.action
        seat = SeatNo(getattr(action, "seat", state.seat(state.turn) if state.heroes else 0))
        if state.outcome or state.phase not in (*WITHIN, *ALONE) or isinstance(action, do.Mark):
            continue
        lines = _lines(state, action)
        got = _worth(state, action, lines)
        if got is None or not lines:
            continue
        best, did = lines[0].odds.worth, tell(state, action, seat)
        scale = hope / best if hope is not None and best > 0 else 1.0
        if len(lines) > 1:
            usual = scale * sum(line.odds.worth for line in lines) / len(lines)
            better = in_words(state, lines[0].action)
            yield Moment(one.seq, seat, did, scale * best, scale * got, usual, better)
        hope = scale * got
        if isinstance(action, Rolled):
            spread = scale * CAREFUL.quick(state).spread(*in_hand(state))
            after = _lines(one.after, None)[0].odds.worth
            yield Moment(one.seq, seat, did, hope, scale * after, spread=spread)
            hope = scale * after
        if isinstance(action, STRIKES) or one.after.phase not in WITHIN or state.phase == "counter":
            hope = None


def _lines(state: State, action: Any) -> list[Line]:
    """What could be weighed against each other; what costs nothing is left out."""
    if isinstance(action, do.Finish):
        state = replace(state, spent=())  # the strike that was put together skill by skill
    return [line for line in ranked(state, CAREFUL) if line.odds != AT_ONCE]


def _worth(state: State, action: Any, lines: list[Line]) -> float | None:
    """What a move was worth; None: it is not weighed."""
    match action:
        case Rolled():
            alike = [line for line in lines if line.action is None]
        case do.Again(_, dice):
            return again(state, CAREFUL.turn(state), dice).worth
        case do.Strike(_, uses):
            return struck(state, uses)
        case do.Finish():
            return struck(state, state.spent)
        case do.Stand():
            alike = [line for line in lines if isinstance(line.action, do.Strike)]
        case do.Ability(dice=()):
            return None  # a use that is given back
        case do.Ability() | do.Control():
            alike = [line for line in lines if _same_dice(state, line.action, action)]
        case _:
            alike = [line for line in lines if type(line.action) is type(action)
                     and replace(line.action, seat=action.seat) == action]  # fmt: skip
    return alike[0].odds.worth if alike else None


def _same_dice(state: State, one: Any, other: do.Ability | do.Control) -> bool:
    """An ability of the same hero, or a token, that leads to the same dice."""
    if type(one) is not type(other) or getattr(one, "who", 0) != getattr(other, "who", 0):
        return False
    return set_to(state, one) == set_to(state, other)


def struck(state: State, uses: Uses) -> float:
    """The hope after a strike with these skills."""
    blows = {blow.skill: blow for blow in state.arms(2).blows}
    hits = [blows[number] for number, _ in uses]
    sides = {hit.addition for hit in hits}
    bits = sum(1 << n for n, side in enumerate(ADDITIONS) if side and side in sides)
    whole = sum(len(dice) for _, dice in uses) == len(state.dice)
    return Hope(state).of(state.blow(uses), whole, sum(hit.healing for hit in hits), bits)[0]
