"""What each plan of a duel was worth, by what its seat knew then.

The other is taken to play the solved table as if nothing had told of his special yet; from the
next round on he is answered best. So a value is exact for the packed table and its values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from companion.bots.api import Moment, Played, picks, sight
from companion.bots.kiriai import row, seen, solved
from companion.bots.kiriai_table import (
    BASIC_PLANS,
    BOARDS,
    LOSS,
    MASKED,
    PLANS,
    STEPS,
    WIN,
    Entry,
    Plan,
    layer_number,
    rests,
    transitions,
)
from companion.games.kiriai import KIRIAI
from companion.games.kiriai.advice import own_plans
from companion.games.kiriai.cards import FACES, SPECIALS
from companion.games.kiriai.state import Seal, State, own_face
from companion.words import SeatNo, Text, text

NUMBER = {plan: number for number, plan in enumerate(PLANS)}
SHOWING = len(BASIC_PLANS)  # from here on a plan plays a special


def moments(played: Iterable[Played]) -> Iterator[Moment]:
    """Every plan that a seat stood by; where to begin on the long row is not weighed."""
    for one in played:
        if isinstance(one.action, Seal):
            seat = SeatNo(one.action.seat)
            state: State = sight(KIRIAI, one.before, seat).imagine(picks("review"))
            fighter, worth = state.fighters[seat], plan_values(state, seat)
            first, second = (own_face(fighter, card.face).key for card in fighter.plan)
            if (laid := (first, second)) in worth:
                best = max(worth, key=lambda plan: worth[plan])
                usual = sum(worth.values()) / len(worth)
                did = _said(laid)
                yield Moment(one.seq, seat, did, worth[best], worth[laid], usual, _said(best))


def plan_values(state: State, seat: SeatNo) -> Mapping[Plan, float]:
    """By plan of this seat, the chance to win; a draw is half. None where the table ends."""
    table, fighter = solved(state.size), state.fighters[seat]
    him = replace(seen(table.board, state, 1 - seat), special=-1)  # seen from his side
    entries = row(table, him, MASKED)
    own = [NUMBER[plan] for plan in own_plans(state, replace(fighter, plan=()))]
    if not entries or not own or not (fighter.special or fighter.spent):
        return {}
    mine = SPECIALS.index(fighter.special) if fighter.special else -1
    plans, own_rests = np.array(own), rests()[own]
    total, weight = np.zeros(len(own)), 0.0
    for entry in entries:
        kinds = _kinds(entry, mine)
        if not kinds:
            continue
        weight += entry.units * kinds
        reply = NUMBER[entry.plan]
        core = _after(state.size)[him.slot // 36, reply, plans].astype(int)
        worth = np.where(core == WIN, kinds, np.where(core == LOSS, -kinds, 0)).astype(float)
        if him.left > 1:
            at = (np.maximum(core, 0) * 6 + rests()[reply]) * 6 + own_rests
            values = table.values(him.left - 1)
            spent = entry.special if entry.special >= 0 else him.mine
            quiet = layer_number(spent, him.his, entry.memory)
            goes_on = values[quiet, max(mine, 0), at]
            if mine >= 0:
                loud = layer_number(spent, mine, entry.memory & ~(1 << mine))
                goes_on = np.where(plans < SHOWING, goes_on, values[loud, 0, at])
            worth = np.where(core >= 0, goes_on / STEPS, worth)
        total -= entry.units * worth
    return dict(zip((PLANS[n] for n in own), (0.5 + total / weight / 2).tolist(), strict=True))


def _kinds(entry: Entry, mine: int) -> int:
    """How many of the specials that he may hold play this entry, as far as I know."""
    if entry.special >= 0:
        return int(entry.special != mine)
    left = entry.memory & ~(1 << mine) if mine >= 0 else entry.memory
    return left.bit_count() if entry.memory else 1


@lru_cache(1)
def _after(spaces: int) -> Any:
    return transitions(BOARDS[spaces])


def _said(plan: Plan) -> Text:
    return text("{a}, then {b}", a=FACES[plan[0]].name, b=FACES[plan[1]].name)
