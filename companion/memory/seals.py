"""What binds the box: a seed that it commits to first, and every salt and deal derived from it.

docs/seals.md says in a player's words what this proves. The seed alone decides nothing: the word
of the table (cuts in the lobby, then every public move) goes into each derivation, too.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from companion.games.api import Game, Pick, Rolled, roll
from companion.memory.codec import done_from_json, json_line, redacted
from companion.memory.journal import Entry
from companion.memory.timeline import Timeline

BLOCK = 8  # bytes of one draw
SPACE = 1 << 8 * BLOCK


def seed_code(seed: str) -> str:
    """What is shown before anything is derived from a seed: `printf SEED | sha256sum`."""
    return hashlib.sha256(seed.encode()).hexdigest() if seed else ""


def short(code: str) -> str:
    """The beginning of a code or seed, for a small display."""
    return " ".join(code[at : at + 4] for at in (0, 4, 8)).upper()


@dataclass(frozen=True, slots=True)
class Seals:
    """The seed of a game, and the word of the table up to now."""

    seed: str
    word: str

    def heard(self, action: Any) -> Seals:
        """One action on: what everybody may know of it goes into the word, and nothing else."""
        said = f"{self.word} {json_line(redacted(action))}"
        return replace(self, word=hashlib.sha256(said.encode()).hexdigest())

    def heard_all(self, game: Game[Any], entries: Iterable[Entry]) -> Seals:
        """A journal on; what was taken back later was said all the same."""
        seals = self
        for entry in entries:
            if entry.kind == "do":
                seals = seals.heard(done_from_json(game, entry.body))
        return seals

    def salt(self, seat: int, number: int) -> str:
        """The salt of a sealed choice: the seat's, in entry `number` of the journal."""
        return self._derived(f"salt {seat} {number}").hex()[:8]

    def player(self, seat: int) -> str:
        """What a companion at this seat thinks with; of the seals at the start of the game."""
        return self._derived(f"player {seat}").hex()[:16]

    def pick(self, number: int) -> Pick:
        """The chance for entry `number`: `pick(n)` gives 0 to n-1, each exactly alike."""
        drawn = 0

        def pick(n: int) -> int:
            nonlocal drawn
            while True:
                drawn += 1
                value = int.from_bytes(self._derived(f"pick {number} {drawn}")[:BLOCK], "big")
                if value < SPACE - SPACE % n:  # the rest would favour small numbers
                    return value % n

        return pick

    def _derived(self, what: str) -> bytes:
        said = f"{what} {self.word}"
        return hmac.digest(self.seed.encode(), said.encode(), "sha256")


def begun(seed: str, game: str, cuts: Iterable[int]) -> Seals:
    """At the start of a game; `cuts` are the panels that cut, in order."""
    said = json_line([game, list(cuts)])
    return Seals(seed, hashlib.sha256(said.encode()).hexdigest())


def arranged_deal(line: Timeline) -> Pick | None:
    """The chance that a lesson arranges for its next deal; None: it is drawn like any other."""
    first = line.game.lesson.first if line.game.lesson else None
    dealt = sum(move.seat is None and not isinstance(move.what, Rolled) for move in line.moves)
    return first.pick("deal", dealt) if first is not None and dealt < first.deals else None


def arranged_roll(line: Timeline) -> Rolled | None:
    """How the next throw of a lesson falls, where a program throws; None: as it likes."""
    first = line.game.lesson.first if line.game.lesson else None
    thrown = sum(isinstance(move.what, Rolled) for move in line.moves)
    if first is None or thrown >= first.rolls or line.waiting.dice is None:
        return None
    return roll(line.waiting.dice, first.pick("roll", thrown))
