"""The scoring of Swordcrafters once more, as slow and plain as it can be: the check of the other.

Nothing is shared with the game: swords are lists of letters, a gem is a capital letter, "-" is no
gem, every place is handed out one by one.
"""

from __future__ import annotations

from fractions import Fraction

LETTERS = "RBGPYO"


def longest_points(swords: list[list[str]]) -> list[int]:
    """Six for everyone whose sword nobody's beats."""
    counts = []
    for sides in swords:
        tiles = 0
        for side in sides:
            for letter in side:
                if letter not in "[]":
                    tiles += 1
            if "[" in side:
                tiles -= 1  # the guard
        counts.append(tiles)
    points = []
    for mine in counts:
        beaten = False
        for other in counts:
            if other > mine:
                beaten = True
        points.append(0 if beaten else 6)
    return points


def quality_points(sides: list[str], light: bool) -> int:
    """Try every stretch of every side; two points a gem for the best of each, or five for one."""
    bests = []
    for side in sides:
        row = side.replace("[", "").replace("]", "")
        best = 0
        for start in range(len(row)):
            for stop in range(start + 2, len(row) + 1):
                stretch = row[start:stop]
                if stretch[0] != "-" and stretch == stretch[0] * len(stretch):
                    best = max(best, len(stretch))
        bests.append(best)
    if light:
        return 5 * max(bests)
    return sum(2 * best for best in bests)


def figure(method: str, shown: str, sides: list[str]) -> int:
    """What a card compares."""
    letters = "".join(sides)
    counts = [letters.count(letter) for letter in shown]
    if method == "most" or method == "least":
        return sum(counts)
    if method == "pairs":
        pairs = 0
        left = list(counts)
        if len(left) == 1:
            while left[0] >= 2:
                left[0] -= 2
                pairs += 1
            return pairs
        while left[0] >= 1 and left[1] >= 1:
            left[0] -= 1
            left[1] -= 1
            pairs += 1
        return pairs
    if method == "triads":
        triads = 0
        left = list(counts)
        if len(left) == 1:
            while left[0] >= 3:
                left[0] -= 3
                triads += 1
            return triads
        while all(count >= 1 for count in left):
            left = [count - 1 for count in left]
            triads += 1
        return triads
    if method == "difference":
        return max(counts) - min(counts)
    if method == "lead":
        return counts[0] - counts[1]
    best = 0
    for a in LETTERS:
        for b in LETTERS:
            if a < b:
                best = max(best, letters.count(a) + letters.count(b))
    return best


def magic_points(
    method: str, shown: str, pays: list[int], swords: list[list[str]], positive: bool
) -> list[int]:
    """Hand out place after place; who ties pools what the places pay and shares it evenly."""
    waiting = {at: figure(method, shown, sides) for at, sides in enumerate(swords)}
    if positive and method != "least":
        waiting = {at: value for at, value in waiting.items() if value > 0}
    points = [0] * len(swords)
    places = list(pays)
    while waiting:
        best = min(waiting.values()) if method == "least" else max(waiting.values())
        equal = [at for at, value in waiting.items() if value == best]
        pool = Fraction(0)
        for _ in equal:
            if places:
                pool += places.pop(0)
        for at in equal:
            points[at] = int(pool / len(equal))
            del waiting[at]
    return points
