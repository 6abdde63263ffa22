"""What a party may hope for after a turn of Sword of Fellows: one number for all that can follow.

The product over the heroes of the chance to bear what is still to come, taken as a logistic of
the blows that HP left can bear less the damage expected, over its spread. The constants are chosen
by hand; docs/measured.md tells how often whole games are won with them, and without the great ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np

from companion.bots.lattice import Floats, Places
from companion.bots.turn import Turn
from companion.games.sao.assign import Arms, arms
from companion.games.sao.kinds import ADDITIONS, Step
from companion.games.sao.state import State

USE = 0.12  # what a use of an ability costs of all hope
FALLEN = 0.02  # of all hope, when somebody falls and nothing saves him
SAVED = 0.35  # the same, when a relic does
YUI = 0.85  # of all hope, when Yui has helped
LATER = 0.5  # how much the later steps of the scenario count
SWITCH = 6.0  # damage that a switch is worth in a turn of which nothing else is known
POTION = 0.5  # of a hero's full HP that a healing potion in the kit adds to all together
GIVEN = {"+2": 1.05, "x2": 1.1, "shield": 1.1, "control": 1.1}  # hope with a token at work
LOGISTIC = 0.55  # the scale of a logistic over its standard deviation

HP = tuple[int, ...]


@lru_cache(maxsize=256)
def usual(mine: Arms, dice: int, throws: int) -> tuple[float, float]:
    """Damage and chance of a switch in a turn with these arms, without abilities and blue dice."""

    def worth(_uses: int, damages: Places, switch: bool, _healing: int, _bits: int) -> Floats:
        return np.stack([damages + SWITCH * switch, damages])

    odds = Turn(mine, dice, (), worth).keep((), (), throws + 1)
    return odds.damage, odds.switch


@dataclass(frozen=True, slots=True)
class Ahead:
    """A step as it may go: damage to it in a turn, chance of no switch for each hero."""

    step: Step
    damage: float
    struck: tuple[float, ...]


def ahead(state: State, number: int) -> Ahead:
    """What is usual in a step of this scenario."""
    step, scene = state.scene.steps[number], state.scene
    rates = []
    for who in range(len(state.heroes)):
        known = [(n, s) for n, s in enumerate(state.card(who).skills) if s.level <= state.level]
        mine = arms(known, step, plus=state.worn("edge", who))
        rates.append(usual(mine, scene.main + scene.support, step.rerolls))
    mean = sum(damage for damage, _ in rates) / len(rates)
    return Ahead(step, max(0.5, mean + scene.bleeds), tuple(1 - s for _, s in rates))


class Hope:
    """The worth of how this turn may end, as `Turn` asks for it.

    Arrays go by the HP that the step has left; each is worked out once.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self._hp: HP = tuple(one.hp for one in state.heroes)
        self._heroes = range(len(self._hp))
        self._coat = [state.worn("armour", who) for who in self._heroes]
        drinks = sum(state.cards.items[o.item].effect == "heal" for o in state.kit)
        self._drinks = drinks if state.now.consumables else 0
        self._gratis = sum(map(state.gratis, state.pair)) + state.holds("control", state.turn)
        self._left = np.arange(state.now.hp + 1)
        if state.last:
            self._blow = max(1.0, usual(state.arms(), len(state.dice), state.now.rerolls)[0])
        else:
            steps = range(state.step, len(state.scene.steps))
            self._steps = [ahead(state, n) for n in steps]
        self._after = cache(self._hope_after)
        self._pain = cache(self._pain_ahead)

    def worth(self, uses: int, damages: Places, switch: bool, healing: int, bits: int) -> Floats:
        """Utility and whether the step is beaten, for each damage."""
        state, left = self.state, self._left_by(damages)
        gain = 1.0
        for n, side in enumerate(ADDITIONS):
            if bits >> n & 1 and state.takers(side):
                gain *= GIVEN[side]
        hurt = state.takers("heal") if healing else ()
        ends = [self._after(switch, self._healed(who, healing)) for who in hurt]
        ends = ends or [self._after(switch, self._hp)]
        if not switch and not state.last:
            ends += [self._drunk(who, switch) for who in self._thirsty()]
        found = np.max(ends, axis=0)[left]
        if not switch and state.yui and state.now.damage:
            found = np.maximum(found, self._with_yui(damages))
        beaten = left == 0
        cleared = beaten & (state.last or len(self._steps) == 1)
        cost = np.where(cleared, 1.0, gain * (1 - USE) ** max(0, uses - self._gratis))
        return np.stack([found * cost, beaten])

    def of(self, damage: int, switch: bool, healing: int, bits: int) -> tuple[float, float]:
        """The same for one damage, no ability used."""
        worth, beaten = self.worth(0, np.array([damage]), switch, healing, bits)
        return float(worth[0]), float(beaten[0])

    def sober(self, damage: int, switch: bool) -> float:
        """Hope without a potion, without Yui."""
        return float(self._after(switch, self._hp)[self._left_by(damage)])

    def drunk(self, who: int, damage: int, switch: bool) -> float:
        """Hope if this hero drinks a potion before the enemy strikes back."""
        return float(self._drunk(who, switch)[self._left_by(damage)])

    def with_yui(self, damage: int) -> float:
        """Hope if Yui turns the counterattack back."""
        return float(self._with_yui(damage))

    def _left_by(self, damages: Any) -> Any:
        return np.maximum(0, self.state.now.hp - self.state.damage - damages)

    def _thirsty(self) -> tuple[int, ...]:
        return self.state.victims() if self._drinks else ()

    def _healed(self, who: int, amount: int) -> HP:
        whole = min(self.state.top(who), self._hp[who] + amount)
        return (*self._hp[:who], whole, *self._hp[who + 1 :])

    def _drunk(self, who: int, switch: bool) -> Floats:
        return self._after(switch, self._healed(who, 99), self._drinks - 1)

    def _with_yui(self, damages: Any) -> Any:
        turned = self._left_by(damages + self.state.turned_back())
        return YUI * self._after(True, self._hp)[turned]

    def _hope_after(self, switch: bool, hp: HP, drinks: int = -1) -> Floats:
        """Hope once the damage is dealt and the enemy has struck back, or has not."""
        state = self.state
        shielded = {who for who in self._heroes if state.holds("shield", who)}
        if not switch:
            pain = {who: max(0, state.now.damage - self._coat[who]) for who in state.victims()}
            hp = tuple(h - pain.get(w, 0) * (w not in shielded) for w, h in enumerate(hp))
            shielded -= set(pain)
        if state.last:
            return self._final(hp)
        hope = np.ones(self._left.shape)
        drinks = self._drinks if drinks < 0 else drinks
        for who, have in enumerate(hp):
            bears = self._bears(who, have) + POTION * drinks * state.top(who) / len(hp)
            mean, spread = self._pain(who, who in shielded)
            hope /= 1 + np.exp(np.clip((mean + 0.5 - bears) / spread, -8, 8))
            if have <= 0:
                hope *= SAVED if state.relic() else FALLEN
        if len(self._steps) == 1:
            hope[0] = math.prod(1.0 if h > 0 else SAVED if state.relic() else FALLEN for h in hp)
        return hope

    def _bears(self, who: int, have: int) -> float:
        """HP in whole blows of the hardest step ahead: against 5 damage 6 HP bear as much as 10."""
        pain = max(1, max(one.step.damage for one in self._steps) - self._coat[who])
        return pain * (max(1, -(-have // pain)) - 0.5) + 0.5

    def _pain_ahead(self, who: int, shielded: bool) -> tuple[Floats, Floats]:
        """What a hero must bear in this step and, for less, in the later ones; its spread."""
        left = self._left
        mean, square = np.zeros(left.shape), np.zeros(left.shape)
        for n, one in enumerate(self._steps):
            turns = left / one.damage if n == 0 else np.full(left.shape, one.step.hp / one.damage)
            turns = np.where(turns > 0, np.maximum(turns, 1.0), 0.0)
            hits = self._hits(who, one, turns, n == 0) * (1.0 if n == 0 else LATER)
            if n == 0 and shielded:
                hits = np.maximum(0, hits - 1)
            pain = max(0, one.step.damage - self._coat[who])
            mean += hits * pain
            square += hits * pain**2
            if self.state.scene.hurts and who == self.state.kirito():
                mean += turns * max(0, self.state.scene.hurts - self._coat[who])
        return mean, LOGISTIC * np.sqrt(square) + 1.0

    def _hits(self, who: int, one: Ahead, turns: Floats, now: bool) -> Floats:
        """How many counterattacks to expect; in this step the next turn is the partner's."""
        heroes = len(self._hp)
        if one.step.aoe:
            return turns * sum(one.struck) / heroes
        if not now:
            return turns / heroes * one.struck[who]
        following = np.minimum(turns, 1) * (who == self.state.partner)
        hits: Floats = (np.maximum(0, turns - 1) / heroes + following) * one.struck[who]
        return hits

    def _final(self, hp: HP) -> Floats:
        """The last step: the blows that all together can bear against the turns it still takes."""
        state = self.state
        pain = max(1, state.now.damage)
        bears = sum(-(-max(0, h) // pain) for w, h in enumerate(hp) if not state.heroes[w].dead)
        alive = 1.0 if hp[state.kirito()] > 0 else SAVED if state.relic() else FALLEN**2
        hope = alive / (1 + np.exp(self._left / self._blow - bears))
        return np.where(self._left == 0, 1.0, hope)
