"""What dice a sword skill asks for, as a short text on the card, and which values fit it.

= 1 1 2      exactly these values          same         all alike
from 1 3 5   each die is one of these      run          consecutive values
sum >= 10    together at least             different    no two alike
sum <= 4     together at most              sets 3 3     alike in groups of these sizes
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise

VALUES = (1, 2, 3, 4, 5, 6)
Block = tuple[int, ...]
"""Values of some dice, sorted."""


@cache
def blocks(pattern: str, dice: int) -> frozenset[Block]:
    """Every sorted tuple of `dice` values that fits; ValueError says what is wrong."""
    word, numbers = _read(pattern)
    every = combinations_with_replacement(VALUES, dice)
    found = frozenset(block for block in every if _fits(word, numbers, block))
    if not found:
        raise ValueError(f"no {dice} dice can ever show {pattern!r}")
    return found


def can_show(pattern: str, dice: int) -> bool:
    """Can so many dice ever show it?"""
    try:
        return bool(blocks(pattern, dice))
    except ValueError:
        return False


def vocabulary(dice: int) -> Iterator[str]:
    """The patterns that a panel offers for so many dice; stranger ones come from a card file."""
    yield "same"
    if dice > 1:
        yield from ("run", "different") if dice <= 6 else ()
        yield from (f"sets {_spaced(sizes)}" for sizes in _partitions(dice, dice - 1))
    for size in range(1, 6):
        for some in combinations(VALUES, size):
            yield f"from {_spaced(some)}"
    yield from (f"sum >= {n}" for n in range(dice + 1, 6 * dice + 1))
    yield from (f"sum <= {n}" for n in range(dice, 6 * dice))
    if dice <= 3:
        for block in combinations_with_replacement(VALUES, dice):
            yield f"= {_spaced(block)}"


def _read(pattern: str) -> tuple[str, tuple[int, ...]]:
    words = pattern.split()
    lead = 2 if words[:1] == ["sum"] else 1
    word, rest = " ".join(words[:lead]), words[lead:]
    if not all(part.isascii() and part.isdigit() and len(part) < 3 for part in rest):
        raise ValueError(f"{pattern!r} is no pattern")
    numbers = tuple(int(part) for part in rest)
    wanted = {"same": (0,), "run": (0,), "different": (0,), "sum >=": (1,), "sum <=": (1,)}
    lengths = wanted.get(word, range(1, 9))
    if word not in (*wanted, "=", "from", "sets") or len(numbers) not in lengths:
        raise ValueError(f"{pattern!r} is no pattern")
    return word, numbers


def _fits(word: str, numbers: tuple[int, ...], block: Block) -> bool:
    match word:
        case "=":
            return block == tuple(sorted(numbers))
        case "from":
            return set(block) <= set(numbers)
        case "same":
            return len(set(block)) == 1
        case "run":
            return all(b == a + 1 for a, b in pairwise(block))
        case "different":
            return len(set(block)) == len(block)
        case "sum >=":
            return sum(block) >= numbers[0]
        case "sum <=":
            return sum(block) <= numbers[0]
        case _:
            return sum(numbers) == len(block) and _groups(Counter(block), numbers)


def _groups(counts: Counter[int], sizes: tuple[int, ...]) -> bool:
    """Can the values be laid out in groups of these sizes, each group alike?"""
    if not sizes:
        return True
    size, rest = sizes[0], sizes[1:]
    return any(
        _groups(counts - Counter({value: size}), rest) for value, n in counts.items() if n >= size
    )


def _partitions(total: int, most: int) -> Iterator[tuple[int, ...]]:
    if total == 0:
        yield ()
    for first in range(min(total, most), 1, -1):
        for rest in _partitions(total - first, first):
            yield (first, *rest)


def _spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
