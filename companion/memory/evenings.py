"""Evenings out of a list of games, and who has won how often over all of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from companion.memory.journal import Record
from companion.words import COLOUR_NAMES

PAUSE = 4 * 3600.0  # seconds without a game that end an evening
FIRST, STEP, WIDTH = 1000.0, 24.0, 400.0  # Elo: where everybody begins, the most a game moves


@dataclass(frozen=True, slots=True)
class Evening:
    """Games that followed each other, the oldest first."""

    games: tuple[Record, ...]

    @property
    def began(self) -> float:
        """When the first one began."""
        return self.games[0].began

    @property
    def seconds(self) -> float:
        """From the first move to the last end; a game that was left open counts as begun."""
        return max(game.ended or game.began for game in self.games) - self.began


@dataclass(slots=True)
class Player:
    """Somebody with a name: what he played and won, and how he stands among the others here."""

    name: str
    games: int = 0
    wins: Counter[str] = field(default_factory=Counter)  # by game
    rating: float = FIRST
    rated: int = 0  # games against others with a name


def evenings(records: Iterable[Record]) -> list[Evening]:
    """The newest evening first."""
    found: list[list[Record]] = []
    last = 0.0
    for record in sorted(records, key=lambda one: one.began):
        if not found or record.began - last > PAUSE:
            found.append([])
        found[-1].append(record)
        last = max(last, record.began, record.ended or 0.0)
    return [Evening(tuple(games)) for games in reversed(found)]


def players(records: Iterable[Record]) -> list[Player]:
    """Everybody with a name of his own, the best first; colours and the companion are nobody.

    A game that all win or lose together moves no rating, nor does one against the companion; a
    lesson is not counted.
    """
    known: dict[str, Player] = {}
    for record in sorted(records, key=lambda one: one.began):
        if record.result is None or record.options.get("taught"):
            continue
        winners = set(record.result["winners"])
        people = [
            (known.setdefault(name, Player(name)), seat in winners)
            for seat, name in _named(record)
        ]  # fmt: skip
        for player, won in people:
            player.games += 1
            player.wins[record.key] += won
        if 0 < len(winners) < len(record.seats):
            _rate(people)
    return sorted(known.values(), key=lambda one: (-one.rating, -one.games, one.name))


def _named(record: Record) -> Iterable[tuple[int, str]]:
    for number, seat in enumerate(record.seats):
        if not seat.get("level") and seat["name"] not in COLOUR_NAMES:
            yield number, seat["name"]


def _rate(people: Sequence[tuple[Player, bool]]) -> None:
    """Elo, each winner against each loser; several of them share the step of a game."""
    gains: dict[str, float] = defaultdict(float)
    for one, other in combinations(people, 2):
        (player, won), (rival, won_too) = one, other
        if won != won_too:
            expected = 1 / (1 + 10 ** ((rival.rating - player.rating) / WIDTH))
            gain = STEP * (won - expected) / (len(people) - 1)
            gains[player.name] += gain
            gains[rival.name] -= gain
    for player, _ in people:
        player.rating += gains[player.name]
        player.rated += player.name in gains
