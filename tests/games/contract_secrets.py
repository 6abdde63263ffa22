"""What games with secrets promise: the picks alone decide what `unseen` draws."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from companion.games.api import Game
from tests.games.shelf import Moment


def unseen_is_canonical(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """States that are alike to a viewer become one by the same picks, whatever is true."""
    if game.unseen is None:
        return
    for state, _ in _some(moments, rng, 40):
        for viewer in (None, *range(seats)):
            twin, seed = game.unseen(state, viewer, rng.randrange), rng.getrandbits(32)
            one, other = _known(game, state, viewer, seed), _known(game, twin, viewer, seed)
            assert one == other, (
                f"`unseen` for {_whom(viewer)} draws {one} or {other} by the same picks: "
                "pool what is hidden, sort it, then shuffle (`redrawn` does)"
            )


def _known(game: Game[Any], state: Any, viewer: int | None, seed: int = 1) -> Any:
    """What a viewer knows: the rest is drawn by the same picks, whatever it is."""
    assert game.unseen is not None
    return game.unseen(state, viewer, random.Random(seed).randrange)


def _some(moments: Sequence[Moment], rng: random.Random, most: int) -> Sequence[Moment]:
    return rng.sample(moments, most) if len(moments) > most else moments


def _whom(viewer: int | None) -> str:
    return "the public" if viewer is None else f"seat {viewer}"
