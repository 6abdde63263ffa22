"""How often a party of this size wins at this difficulty, measured over whole games.

outlook.toml is written by tests/bots/fellows.py; what was not played often enough says nothing.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from companion.games.sao.state import DIFFICULTIES, Options
from companion.words import Text, text

ENOUGH = 30  # games of each kind: a share is then known to within a fifth
EVEN = 0.5  # what a casual table should win at least, where there is a choice


@dataclass(frozen=True, slots=True)
class Shares:
    """Of all games: how many a careful and a casual table win."""

    careful: float
    casual: float


@cache
def measured() -> dict[tuple[int, str], Shares]:
    """By characters in the party and difficulty."""
    raw = tomllib.loads(files(__package__).joinpath("outlook.toml").read_text("utf-8"))
    found = {}
    for one in raw["played"]:
        careful, casual = one["careful"], one["casual"]
        if min(careful[1], casual[1]) >= ENOUGH:
            shares = Shares(careful[0] / careful[1], casual[0] / casual[1])
            found[one["party"], one["difficulty"]] = shares
    return found


def outlook(options: Options, seats: int) -> Text | None:
    """What a table of this size may expect, and which difficulty suits it."""
    party = max(2, seats)  # alone, one plays two
    known = {hard: shares for (size, hard), shares in measured().items() if size == party}
    if options.difficulty not in known:
        return None
    shares = known[options.difficulty]
    figures = {"careful": round(100 * shares.careful), "casual": round(100 * shares.casual)}
    fair = {hard: s for hard, s in known.items() if s.casual >= EVEN}
    advised = min(fair, key=lambda hard: fair[hard].casual, default=options.difficulty)
    if advised == options.difficulty:
        return text("Careful tables win {careful} %, casual ones {casual} %", **figures)
    return text(
        "Careful tables win {careful} %, casual ones {casual} %: try {difficulty}",
        difficulty=DIFFICULTIES[advised], **figures,
    )  # fmt: skip
