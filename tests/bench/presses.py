"""How many presses a game takes: whole games, by the choices that each prompt offers.

`python -m tests.bench.presses [games] [game]` prints for every game the share of prompts with one
choice, presses on a panel (steps of the finger and select) and taps on a phone for each prompt: as
the rules offer them ("bare"), and as the table asks (what is forced goes by itself, a choice can be
taken back before it is final, what costs the game is asked once more). Played twice: by somebody
who wants each choice alike, and by somebody sensible (players.py).
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from companion.games import SHELF
from companion.games.api import Game, roll
from companion.games.swordcrafters.laying import draw
from companion.memory.timeline import Move, Timeline
from companion.table.asked import asked, first_of, goes_by_itself
from companion.table.fingers import Finger
from companion.table.menu import Open
from companion.views import BLANK, Choice, View
from companion.words import Panel, SeatNo
from tests.bench.players import SENSIBLE, Player, anybody, by_hand
from tests.games.shelf import salted

GAMES = 200
PANELS = tuple(map(Panel, range(5)))


@dataclass
class Count:
    """Prompts of one game, and what they took."""

    prompts: int = 0
    single: int = 0
    presses: int = 0
    taps: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, offered: tuple[Choice, ...], finger: Finger, at: int, more: bool = False) -> None:
        """One prompt, the finger there and what it took; `more`: that was confirmed."""
        self.prompts += 1
        if len(offered) == 1:
            self.single += 1
            self.kinds[type(offered[0].action).__name__] += 1
        finger.offered(View(BLANK, BLANK, choices=offered), finger.cursor, 1, read_first=False)
        self.presses += min(way(finger, at, 1), way(finger, at, -1)) + 1 + more
        self.taps += 1 + more

    def __str__(self) -> str:
        n = self.prompts or 1
        most = ", ".join(
            f"{kind} {100 * times / n:.1f}" for kind, times in self.kinds.most_common(3)
        )
        return (
            f"{100 * self.single / n:5.1f} % one choice, {self.presses / n:.2f} presses, "
            f"{self.taps / n:.2f} taps ({self.prompts} prompts{'; ' * bool(most)}{most})"
        )


def played(
    game: Game[Any], seats: int, rng: random.Random, player: Player
) -> Iterator[tuple[Timeline, Any]]:
    """A game by one player for all seats: each state and the action taken in it."""
    line, sensible = Timeline(game, (), (game.new(seats, game.options()),)), player is not anybody
    for seq in range(1, game.cap + 1):
        waiting = line.waiting
        if not waiting:
            return
        if waiting.chance and game.chance is not None:
            action = game.chance(line.state, rng.randrange)
        elif waiting.dice is not None and (sensible or not waiting.seats or rng.random() < 0.5):
            action = roll(waiting.dice, rng.randrange)
        elif sensible and game.grid_action is not None and game.grid_action(line.state, ()):
            action = draw(line.state, rng.randrange)  # the eye reads the tiles that lie there
        else:
            views = {seat: line.view(SeatNo(seat)).choices for seat in waiting.seats}
            free = {n: [c.action for c in view if not c.barred] for n, view in views.items()}
            seat = rng.choice([seat for seat, some in free.items() if some])
            action = player(line.state, seat, free[seat], rng)
            if action is None:
                continue
            action = salted(action, rng)
            if not by_hand(player, action):
                yield line, action
        after = line.played(Move(seq, action))
        line = Timeline(game, after.moves[-12:], after.states[-13:], after.seq)


def measured(game: Game[Any], games: int, player: Player) -> tuple[Count, Count]:
    """The counts of so many games: bare, and as the table asks."""
    bare, table = Count(), Count()
    for number in range(games):
        rng = random.Random(f"{game.key} {number}")
        fingers = [Finger() for _ in range(game.seats[-1])]
        for line, action in played(game, rng.choice(game.seats), rng, player):
            seat = action.seat
            offered = line.view(seat).choices
            at = next(n for n, one in enumerate(offered) if same(one.action, action))
            bare.add(offered, Finger(), at)
            if at == 0 and goes_by_itself(line, PANELS) is not None:
                continue
            asks, finger = asked(line, seat), fingers[seat]
            first = first_of(line, seat)
            finger.offered(View(BLANK, BLANK, choices=asks), first, 1, read_first=False)
            table.add(asks, finger, at, more=isinstance(asks[at].action, Open))
            finger.pick(at, None)
    return bare, table


def way(finger: Finger, at: int, by: int) -> int:
    """How many steps lead to a choice in this direction."""
    one, steps = replace(finger), 0
    while one.cursor != at:
        one.step(by)
        steps += 1
    return steps


def same(offered: Any, done: Any) -> bool:
    """Is this what was offered, but for its salt?"""
    return bool(
        type(offered) is type(done)
        and all(
            getattr(offered, name) == getattr(done, name)
            for name in offered.__dataclass_fields__
            if name != "salt"
        )
    )


def main(games: int, key: str) -> None:
    """Print the counts."""
    for game in SHELF:
        if key in ("", game.key):
            bare, table = measured(game, games, anybody)
            _, sensible = measured(game, games, SENSIBLE[game.key])
            print(f"{game.key:14} bare     {bare}\n{'':14} table    {table}\n"
                  f"{'':14} sensible {sensible}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES, "".join(sys.argv[2:3]))
