"""The companion as a fellow: the partner of whoever plays Sword of Fellows alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.bots.api import Answer, Bot, Level, Sight, picks
from companion.bots.fellows import CASUAL, COACH, Mind, ranked
from companion.bots.fellows_advice import said
from companion.games.api import moves
from companion.games.sao import actions as do
from companion.games.sao.state import State
from companion.words import text

VERSION = 2
MINDS: dict[Level, Mind] = {"easy": CASUAL, "good": CASUAL, "best": COACH}
BLUR = (0, 0, 1, 2)  # which of its lines the easy one follows, each as likely as the others
LIKED = ("silica", "klein", "agil", "lisbeth", "asuna", "kirito")
"""Whom it plays if it may choose: with Asuna two have the hardest time, and many want Kirito."""


def _think(level: Level, sight: Sight, seed: str) -> Iterator[Answer]:
    pick = picks(seed, len(sight.past))
    state: State = sight.imagine(pick)
    if state.phase == "choose":
        yield Answer(min(sight.game.legal(state, sight.seat), key=_liking))
        return
    every = ranked(state, MINDS[level])
    lines = [line for line in every if line.action is None or line.action.seat == sight.seat]
    if not lines:  # the cards alone go on, or the partner would
        yield Answer(next(iter(moves(sight.game, state, sight.seat))))
        return
    line = lines[min(BLUR[pick(4)], len(lines) - 1) if level == "easy" else 0]
    helps = line is every[0] and line.action is not None  # its ability, its blue die
    yield Answer(line.action, said(state, line) if level == "best" else None, helps)


def _liking(action: object) -> int:
    return LIKED.index(action.character) if isinstance(action, do.Play) else len(LIKED)


def bot(level: Level) -> Bot:
    """The fellow of this level."""
    says = {
        "easy": text("Goes for damage, but not always for the most"),
        "good": text("Goes for damage, and drinks before a deadly blow"),
        "best": text("Follows the coach's first line"),
    }[level]
    return Bot("sao", level, VERSION, says, partial(_think, level))
