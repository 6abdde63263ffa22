"""How a game is taught: pages with pictures, the words one must know, a first game that teaches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from companion.views import Part
from companion.words import Text, text


def _no_picture() -> tuple[Part, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Page:
    """One page of how to play. Its picture is made of the parts that the game itself shows."""

    title: Text
    says: tuple[Text, ...]
    rules: tuple[str, ...]  # that it explains
    picture: Callable[[], tuple[Part, ...]] = _no_picture


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the game, explained in a line or two."""

    word: Text
    means: Text


HOUSE = Word(text("House"), text("What we say of a card whose printed figures are not known."))


@dataclass(frozen=True, slots=True)
class Tip:
    """Said once in a taught game, before a seat's first decision of this kind: what it is about,
    and what a good choice looks like. Whoever has decided so before knows it."""

    about: tuple[type, ...]  # the kinds of action that are offered then
    says: Text
    rules: tuple[str, ...]  # that it rests on
    when: Callable[[Any, int], bool] = lambda _state, _seat: True  # by what the seat may see
    leads: bool = False  # one of these is marked as good, even if the coach would do another thing


@dataclass(frozen=True, slots=True)
class Arranged:
    """The beginning of a taught game, where chance is arranged: the same at every table.

    The seed is chosen so that the first turns show the core of the game; how, a test looks at.
    """

    seed: str
    deals: int = 0  # so many of the companion's own chances come from it
    rolls: int = 0  # and so many throws of dice that a program throws
    level: str = "easy"  # of the companion that plays against or with the newcomer
    options: tuple[tuple[str, bool | int | str], ...] = ()  # where they are not the usual ones

    def pick(self, kind: str, number: int) -> Callable[[int], int]:
        """The chance of a deal or roll by its number, from 0."""
        drawn = 0

        def pick(n: int) -> int:
            nonlocal drawn
            drawn += 1
            digest = sha256(f"{self.seed} {kind} {number} {drawn}".encode()).digest()
            return int.from_bytes(digest[:8], "big") % n

        return pick


@dataclass(frozen=True, slots=True)
class Lesson:
    """All that a newcomer reads. Rules that nobody needs to take part are met where they apply."""

    pages: tuple[Page, ...]
    words: tuple[Word, ...]
    later: tuple[str, ...] = ()  # the rules that no page explains, on purpose
    tips: tuple[Tip, ...] = ()  # of a taught game; of those that fit, the first is said
    first: Arranged | None = None  # how a taught game begins; without it there is none

    def explained(self) -> frozenset[str]:
        """The rules that some page explains."""
        return frozenset(rule for page in self.pages for rule in page.rules)


def span(prefix: str, *numbers: int | tuple[int, int]) -> tuple[str, ...]:
    """Ids of rules: `span("R", 1, (4, 6))` is R1, R4, R5, R6."""
    return tuple(f"{prefix}{n}" for one in numbers for n in _numbers(one))


def _numbers(one: int | tuple[int, int]) -> Iterable[int]:
    return (one,) if isinstance(one, int) else range(one[0], one[1] + 1)
