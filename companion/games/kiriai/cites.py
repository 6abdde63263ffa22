"""The rule that each move of a duel follows; of a card face down, the rule of laying it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.api import Citation
from companion.games.kiriai.play import reveals
from companion.games.kiriai.state import Dealt, GoOn, Pick, Place, Seal, Shown, State, Told


def _sealed(before: State, action: Seal) -> str:
    """The second seal opens the first cards."""
    return "K-R13" if reveals(before, action) else "K-R9"


CITES: Mapping[type, Citation] = {
    Dealt: "K-R4",
    Told: "K-H2",
    Place: "K-R7",
    Pick: "K-R9",
    Seal: _sealed,
    Shown: "K-H2",
    GoOn: "K-R13",
}
