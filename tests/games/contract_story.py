"""What every game promises of its story: no number that somebody sees changes in silence.

The facts are held against the view itself, which is what people look at: each Meter and each piece
on a track must be a fact of that viewer; then every fact that a move changed is named in a beat.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from companion.games.api import Game
from companion.games.story import Fact, outcome
from companion.views import Beat, Meter, Track
from tests.games.shelf import Moment


def nothing_changes_in_silence(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """Whatever a viewer can see and a move changed is named in a beat that he gets."""
    rules = {rule.id for rule in game.rules}
    steps = [moment for moment in moments if moment.action is not None]
    for state, action in rng.sample(steps, min(len(steps), 120)):
        after = game.apply(state, action)
        for viewer in (None, *range(seats)):
            told = outcome(game.story, state, action, after, viewer)
            assert not (gone := silent(game, state, after, viewer, told)), (
                f"{action} changes {', '.join(gone)} for {viewer}, and no beat says so: "
                "`story.beats`, or a Fact in `story.facts`"
            )
            for beat in told:
                assert beat.says.show().strip(), f"{beat} of {action} says nothing"
                cites = set(beat.rule.split())
                assert cites <= rules, f"a beat of {action} cites {cites - rules}: no such rule"


def silent(
    game: Game[Any], before: Any, after: Any, viewer: Any, told: Sequence[Beat]
) -> list[str]:
    """What changed before this viewer's eyes and is not named."""
    named = {key for beat in told for key in beat.about}
    old, new = _facts(game, before, viewer), _facts(game, after, viewer)
    changed = [key for key in new if key in old and old[key].value != new[key].value]
    return [key for key in changed if key not in named]


def _facts(game: Game[Any], state: Any, viewer: Any) -> dict[str, Fact]:
    found = list(game.story.facts(state, viewer))
    facts = {fact.key: fact for fact in found}
    assert len(facts) == len(found), f"a fact has another's key: {[fact.key for fact in found]}"
    for what, key, value in _seen(game, state, viewer):
        assert key in facts, f"{what} is seen and is no fact: {key!r} is missing in `story.facts`"
        shown = facts[key].value
        assert shown == value, f"{what} shows {value}, its fact {key} says {shown}"
    for counter in game.rulings.counters(state):
        assert counter.key in facts, f"the counter {counter.key} can be set and is no fact"
    return facts


def _seen(game: Game[Any], state: Any, viewer: Any) -> Iterator[tuple[str, str, int]]:
    """What the view shows as a number, with the key of its fact."""
    view = game.view(state, viewer)
    for part in (*view.parts, *view.brief):
        match part:
            case Meter(label, value, _, key):
                yield f"the meter {label.show()!r}", key, value
            case Track(_, pieces):
                for number, piece in enumerate(pieces):
                    yield f"the piece {piece.sign}", f"space{number}", piece.space
