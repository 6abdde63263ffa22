"""Who plays whom next: Swiss rounds and a knock-out, out of the results so far. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["swiss", "knockout"]
WON, DRAWN, LOST = 1.0, 0.5, 0.0


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two who play each other; `other` is None for a bye, which is won."""

    one: str
    other: str | None
    points: float | None = None  # of `one`; None while they play


Rounds: TypeAlias = Sequence[Sequence[Pairing]]


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player stands; `buchholz` is what those whom he met have scored."""

    name: str
    points: float
    buchholz: float
    won: int
    played: int


def standings(players: Sequence[str], rounds: Rounds) -> list[Standing]:
    """The best first: by points, by Buchholz, then as the lot put them."""
    scored: dict[str, list[tuple[float, str | None]]] = {name: [] for name in players}
    for pairing in (one for each in rounds for one in each):
        if pairing.points is not None:
            scored[pairing.one].append((pairing.points, pairing.other))
            if pairing.other is not None:
                scored[pairing.other].append((WON - pairing.points, pairing.one))
    total = {name: sum(points for points, _ in met) for name, met in scored.items()}
    found = [
        Standing(
            name, total[name], sum(total[other] for _, other in met if other),
            sum(points == WON for points, _ in met), len(met),
        )
        for name, met in scored.items()
    ]  # fmt: skip
    return sorted(found, key=lambda one: (-one.points, -one.buchholz))


def most_rounds(kind: Kind, players: int) -> int:
    """In a knock-out all but one lose; in Swiss rounds nobody is to meet anybody twice."""
    return (players - 1).bit_length() if kind == "knockout" else (players + 1) // 2


def draw(kind: Kind, players: Sequence[str], rounds: Rounds) -> list[Pairing]:
    """The next round; [] when there is none. Every pairing of the last one has its points."""
    if len(rounds) >= most_rounds(kind, len(players)):
        return []
    return knockout(players, rounds) if kind == "knockout" else swiss(players, rounds)


def swiss(players: Sequence[str], rounds: Rounds) -> list[Pairing]:
    """Neighbours of the standings; two who have met change partners with the nearest pair.

    A bye is somebody whom one meets, too. With so many still to meet as `most_rounds` leaves, each
    of two who have met could play more than half of all others, so some pair can always change.
    """
    ranked: list[str | None] = [one.name for one in standings(players, rounds)]
    ranked += [None] * (len(ranked) % 2)
    met = {frozenset((one.one, one.other)) for each in rounds for one in each}
    pairs = [*zip(ranked[::2], ranked[1::2], strict=True)]
    for at, (one, other) in enumerate(pairs):
        if frozenset((one, other)) not in met:
            continue
        for near in sorted(range(len(pairs)), key=lambda n: abs(n - at)):
            a, b = pairs[near]
            for new in (((one, a), (other, b)), ((one, b), (other, a))):
                if near != at and not met & set(map(frozenset, new)):
                    pairs[at], pairs[near] = new
                    break
            else:
                continue
            break
    return [_pairing(*pair) for pair in pairs]


def knockout(players: Sequence[str], rounds: Rounds) -> list[Pairing]:
    """Whoever has won plays on; byes, in the first round alone, leave a power of two."""
    if rounds:
        left = [one.one if one.points == WON else str(one.other) for one in rounds[-1]]
        byes = 0
    else:
        left = [*players]
        byes = (1 << (len(left) - 1).bit_length()) - len(left)
    fight = left[byes:]
    return [
        *(_pairing(name, None) for name in left[:byes]),
        *map(_pairing, fight[::2], fight[1::2]),
    ]


def _pairing(one: str | None, other: str | None) -> Pairing:
    if one is None:
        one, other = other, one
    assert one is not None
    return Pairing(one, other, WON if other is None else None)
