"""After the end: what the decisions of a seat were worth, on its own panel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt

from companion.bots.api import Moment
from companion.table.menu import Open, Page, Path
from companion.views import Choice, Line, View
from companion.words import SeatNo, Text, text

REVIEW: Path = ("review",)
LOOK = Choice(text("Turning points"), Open(REVIEW), text("your decisions, weighed"))
NOTHING = text("Nothing in this game of yours can be weighed.")
ROUGH = text("These are rough: a few trials of each move.")
NORMAL = 1.96  # standard deviations within which fair dice stay 19 times of 20


def page(moments: Sequence[Moment] | None, seat: SeatNo) -> Page:
    """The seat's own look: how many decisions were doubtful, the worst, the best, the luck."""
    own = [one for one in moments or () if one.seat == seat]
    said = [*_decided(own), *_thrown(own), *([ROUGH] if any(one.rough for one in own) else [])]
    if moments is None:
        said = [text("The decisions are weighed …")]
    return Page(LOOK.label, (), tuple(map(Line, said or [NOTHING])))


def opened(view: View) -> bool:
    """Does somebody look back here?"""
    return view.waiting == LOOK.label


def _decided(own: Sequence[Moment]) -> list[Text]:
    choices = [one for one in own if one.spread is None]
    if not choices:
        return []
    marks = Counter(one.mark for one in choices)
    said = [text("Decisions: {n}, doubtful {a}, mistakes {b}, blunders {c}", n=len(choices),
                 a=marks["doubtful"], b=marks["mistake"], c=marks["blunder"])]  # fmt: skip
    worst = max(choices, key=lambda one: one.best - one.got)
    if worst.mark and worst.better is not None:
        lost = percent(worst.best - worst.got).lstrip("+")
        said.append(text("{did}: {n} given away. Better: {better}", did=worst.did, n=lost,
                         better=worst.better))  # fmt: skip
    best = max(choices, key=lambda one: (not one.mark, one.got - one.usual))
    if not best.mark and best.got > best.usual:
        said.append(text("Your best move: {did}", did=best.did))
    return said


def _thrown(own: Sequence[Moment]) -> list[Text]:
    """Luck is said with what fair dice do; of few throws it means nothing."""
    throws = [one for one in own if one.spread is not None]
    if not throws:
        return []
    luck = sum(one.got - one.best for one in throws)
    wide = NORMAL * sqrt(sum((one.spread or 0.0) ** 2 for one in throws))
    return [text("Luck of {n} throws: {luck} (fair dice: {low} to {high})", n=len(throws),
                 luck=percent(luck), low=percent(-wide), high=percent(wide))]  # fmt: skip


def percent(share: float) -> str:
    """One digit behind the point, with its sign."""
    return f"{100 * share:+.1f} %"
