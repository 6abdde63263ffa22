"""What a move led to: a few beats for each viewer, so that nothing on the table changes in silence.

A game names its *facts*: whatever a viewer can see that a move may change (HP, wounds, level, step,
owner, whose turn it is). It words the *beats* that read better in its own words; what these do not
name is told by the facts themselves ("Kirito's HP 10 → 7").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from companion.views import Beat
from companion.words import SeatNo, Text, text

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Fact:
    """Something on the table that may not change in silence: a number, or a word for it."""

    key: str
    label: Text
    value: int | Text
    weight: int = 1  # of the beat that tells its change, if the game has no words of its own


Facts: TypeAlias = Callable[[S, SeatNo | None], Iterable[Fact]]
Beats: TypeAlias = Callable[[S, Any, S, SeatNo | None], Iterable[Beat]]


@dataclass(frozen=True)
class Story(Generic[S]):
    """How a game tells what happened; both look only at what the viewer may see."""

    facts: Facts[S] = lambda _state, _viewer: ()
    """Every Meter with a key is one of them; docs/adding-a-game.md tells what else."""
    beats: Beats[S] = lambda _before, _action, _after, _viewer: ()
    """(before, action, after, viewer): in the order of the table, each naming its facts."""


def outcome(
    story: Story[S], before: S, action: Any, after: S, viewer: SeatNo | None
) -> tuple[Beat, ...]:
    """All beats of a move for a viewer: the game's own, then every change that they do not name."""
    worded = tuple(story.beats(before, action, after, viewer))
    named = {key for beat in worded for key in beat.about}
    return (*worded, *changes(story, before, after, viewer, named))


def changes(
    story: Story[S], before: S, after: S, viewer: SeatNo | None, named: Iterable[str] = ()
) -> Iterator[Beat]:
    """Each fact that changed and is not named yet, in plain words."""
    old = {fact.key: fact for fact in story.facts(before, viewer)}
    for fact in story.facts(after, viewer):
        was = old.get(fact.key)
        if fact.key not in named and was is not None and was.value != fact.value:
            yield Beat(_told(was, fact), (fact.key,), fact.weight)


def _told(was: Fact, now: Fact) -> Text:
    if isinstance(now.value, int) and isinstance(was.value, int):
        return text("{label} {old} → {new}", label=now.label, old=was.value, new=now.value)
    return text("{label}: {new}", label=now.label, new=now.value)
