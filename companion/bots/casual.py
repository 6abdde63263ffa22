"""How most people play Sword of Fellows: for damage, and with a potion before a blow that kills."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from companion.bots.lattice import Floats, Places
from companion.bots.turn import Faces, Power, Turn
from companion.games.sao.assign import Arms
from companion.games.sao.state import State

USE = 1.5  # damage that an ability must add
HEALED = 0.5  # damage that a healed HP is worth
SWITCH = 0.01  # taken along where it costs nothing


def greed(uses: int, damages: Places, switch: bool, healing: int, _bits: int) -> Floats:
    """Damage, whatever the enemy does; nobody asks whether the step is beaten."""
    return np.stack([damages + HEALED * healing + SWITCH * switch - USE * uses, 0.0 * damages])


@lru_cache(maxsize=64)  # the same in many turns: it does not go by anybody's HP
def casual_turn(
    arms: Arms, plain: int, blue: tuple[Faces, ...], powers: tuple[tuple[Power, int], ...]
) -> Turn:
    """A turn played for damage."""
    return Turn(arms, plain, blue, greed, powers, told=False)


class Greed:
    """What `Hope` is to a careful player."""

    def __init__(self, state: State) -> None:
        self._state = state

    def of(self, damage: int, switch: bool, healing: int, bits: int) -> tuple[float, float]:
        """The worth of one plan."""
        worth, beaten = greed(0, np.array([damage]), switch, healing, bits)
        return float(worth[0]), float(beaten[0])

    def sober(self, _damage: int, _switch: bool) -> float:
        """To go on as it is."""
        return 0.0

    def drunk(self, who: int, damage: int, switch: bool) -> float:
        """A potion before all else, if the blow that comes would kill."""
        return damage + 99.0 if not switch and self._falls(who) else -1.0

    def with_yui(self, _damage: int) -> float:
        """Yui, if anybody would fall."""
        return 1.0 if any(map(self._falls, self._state.victims())) else -1.0

    def _falls(self, who: int) -> bool:
        state = self._state
        if state.holds("shield", who) or who not in state.victims():
            return False
        return state.heroes[who].hp <= state.now.damage - state.worn("armour", who)
