"""What games with secrets promise: the picks alone decide what `unseen` draws, and what a viewer
cannot know leaves no trace in what he is told, is shown and can export."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, NamedTuple

from companion.errors import Illegal
from companion.games.api import Game, cited, roll
from companion.games.story import outcome
from companion.memory.codec import redacted
from tests.games.shelf import Moment, legal


def unseen_is_canonical(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """States that are alike to a viewer become one by the same picks, whatever is true."""
    if game.secrets.unseen is None:
        return
    for state, _ in _some(moments, rng, 40):
        for viewer in (None, *range(seats)):
            twin, seed = game.secrets.unseen(state, viewer, rng.randrange), rng.getrandbits(32)
            one, other = _known(game, state, viewer, seed), _known(game, twin, viewer, seed)
            assert one == other, (
                f"`unseen` for {_whom(viewer)} draws {one} or {other} by the same picks: "
                "pool what is hidden, sort it, then shuffle (`redrawn` does)"
            )


def the_unknowable_leaves_no_trace(
    game: Game[Any], moments: Sequence[Moment], seats: int, rng: random.Random
) -> None:
    """Moves that come to the same for a viewer read the same: told, cited, shown and exported."""
    if game.secrets.unseen is None:
        return
    for state, action in _of_each_kind(moments, rng):
        seat = getattr(action, "seat", None)
        pairs = _chances(game, state, rng) if seat is None else _choices(game, state, action, rng)
        both = [(_done(game, state, one), _done(game, state, other)) for one, other in pairs]
        for viewer in (None, *range(seats)):
            for one, other in both if viewer is None or viewer != seat else ():
                _reads_the_same(game, viewer, one, other)
            if seat is None:
                drawn, twin = (
                    _drawn(game, state, rng),
                    game.secrets.unseen(state, viewer, rng.randrange),
                )
                same = drawn if _taken(game, twin, drawn) else _drawn(game, twin, rng)
                one, other = _done(game, state, drawn), _done(game, twin, same)
                _reads_the_same(game, viewer, one, other)


class _Done(NamedTuple):
    before: Any
    action: Any
    after: Any


def _done(game: Game[Any], state: Any, action: Any) -> _Done:
    return _Done(state, action, game.apply(state, action))


def _reads_the_same(game: Game[Any], viewer: int | None, one: _Done, other: _Done) -> None:
    """Who cannot tell the states afterwards apart, cannot tell the moves apart."""
    if one.after == other.after:
        return
    if _known(game, one.after, viewer) != _known(game, other.after, viewer):
        return
    kind, cannot = type(one.action).__name__, f"what {_whom(viewer)} cannot know"
    first, second = redacted(one.action), redacted(other.action)
    if bare := [name for name in first if first[name] != second.get(name)]:
        hidden = _hidden(game, one.after, viewer)
        leaks = [name for name in bare if hidden & set(_leaves(getattr(one.action, name)))]
        says = f"an export prints {', '.join(leaks)} of {kind}, {cannot}"
        assert not leaks, f"{says}: make it with `secret()`"
        return  # all saw it and no state keeps it: which place the sacrificed card lay in
    told, also = (game.tell(move.before, move.action, viewer) for move in (one, other))
    assert told == also, f"`tell` of {kind} says {cannot}: {told.show()}"
    led, to = (outcome(game.story, *move, viewer) for move in (one, other))
    assert led == to, f"the story of {kind} says {cannot}: {[beat.says.show() for beat in led]}"
    rule, same = (cited(game, move.before, move.action) for move in (one, other))
    assert rule == same, f"`cites` of {kind} tells {cannot}"
    shown = game.view(one.after, viewer) == game.view(other.after, viewer)
    assert shown, f"`view` after {kind} shows {cannot}"


def _known(game: Game[Any], state: Any, viewer: int | None, seed: int = 1) -> Any:
    """What a viewer knows: the rest is drawn by the same picks, whatever it is."""
    assert game.secrets.unseen is not None
    return game.secrets.unseen(state, viewer, random.Random(seed).randrange)


def _hidden(game: Game[Any], state: Any, viewer: int | None) -> set[Any]:
    """The values of a state that `unseen` draws anew."""
    twins = [_leaves(_known(game, state, viewer, seed)) for seed in range(8)]
    leaves = zip(_leaves(state), *twins, strict=False)
    return {value for value, *drawn in leaves if {value} != set(drawn)}


def _leaves(value: Any) -> Iterator[Any]:
    if is_dataclass(value) and not isinstance(value, type):
        value = tuple(getattr(value, field.name) for field in fields(value))
    if not isinstance(value, tuple):
        yield value
        return
    for item in value:
        yield from _leaves(item)


def _choices(
    game: Game[Any], state: Any, action: Any, rng: random.Random
) -> Iterator[tuple[Any, Any]]:
    """Two moves of this kind that the seat can choose between, some times."""
    alike = [one for one in legal(game, state, action.seat) if type(one) is type(action)]
    for _ in range(5):
        yield rng.choice(alike), rng.choice(alike)


def _chances(game: Game[Any], state: Any, rng: random.Random) -> Iterator[tuple[Any, Any]]:
    """Two ways that chance can come out: they differ wholly, in one field, in one or two places."""
    for _ in range(3):
        one, other = _drawn(game, state, rng), _drawn(game, state, rng)
        if type(one) is not type(other):
            continue
        yield one, other
        for field in fields(one):
            for value in _between(getattr(one, field.name), getattr(other, field.name), rng):
                bent = replace(one, **{field.name: value})
                if _taken(game, state, bent):
                    yield one, bent


def _between(value: Any, other: Any, rng: random.Random) -> Iterator[Any]:
    yield other
    if isinstance(value, tuple):
        for at in rng.sample(range(len(value)), min(5, len(value))):
            yield (*value[:at], *other[at : at + 1], *value[at + 1 :])
            a, b = sorted((at, rng.randrange(len(value))))
            yield (*value[:a], value[b], *value[a + 1 : b], value[a], *value[b + 1 :])


def _drawn(game: Game[Any], state: Any, rng: random.Random) -> Any:
    """What the dice or the companion's chance may do now."""
    waiting = game.waiting(state)
    if waiting.dice is not None:
        return roll(waiting.dice, rng.randrange)
    assert game.chance is not None
    return game.chance(state, rng.randrange)


def _taken(game: Game[Any], state: Any, action: Any) -> bool:
    try:
        game.apply(state, action)
    except Illegal:
        return False
    return True


def _of_each_kind(moments: Sequence[Moment], rng: random.Random) -> Iterator[Moment]:
    """Some moments for every kind of action, however rare it is."""
    for kind in dict.fromkeys(type(moment.action) for moment in moments if moment.action):
        yield from _some([moment for moment in moments if type(moment.action) is kind], rng, 4)


def _some(moments: Sequence[Moment], rng: random.Random, most: int) -> Sequence[Moment]:
    return rng.sample(moments, most) if len(moments) > most else moments


def _whom(viewer: int | None) -> str:
    return "the public" if viewer is None else f"seat {viewer}"
