"""The table as anybody may see it, as JSON: its state, and what happens as events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from companion.games.api import Rolled
from companion.memory.sentences import move_sentence
from companion.memory.timeline import Timeline
from companion.table.play import Play
from companion.views import Meter
from companion.words import Text, Translate

Json: TypeAlias = dict[str, Any]
Say: TypeAlias = Callable[[Text], str]

MOST = 20  # events at once: whoever was away reads the state


def saying(play: Play, translate: Translate) -> Say:
    """How this table says a text now: in its language, seats by their names."""
    return lambda said: said.show(play.names, translate)


def public_state(play: Play, say: Say) -> Json:
    """The game, its phase, whose move it is, the numbers that matter, what the last move led to."""
    line = play.line
    view = line.view(None)
    last = line.moves[-1:] if not play.in_lobby else ()
    return {
        "game": say(line.game.name),
        "key": line.game.key,
        "entry": play.entry,
        "phase": say(view.title),
        "waiting": say(view.waiting),
        "turn": [say(play.names[seat]) for seat in line.waiting.seats if seat < len(play.names)],
        "counters": {} if play.over else counters(line, say),
        "beats": [say(beat.says) for move in last for beat in line.beats(move, None)],
        "began": play.binding.since if not play.in_lobby else None,
        "over": play.over,
        "result": say(line.result.why) if play.over and line.result else None,
    }


def counters(line: Timeline, say: Say) -> dict[str, Json]:
    """Every meter of the public view by the fact that it shows, with that fact's lasting name."""
    called = {fact.key: fact.label for fact in line.game.story.facts(line.state, None)}
    meters = [part for part in line.view(None).parts if isinstance(part, Meter) and part.key]
    return {
        meter.key: {
            "name": say(called.get(meter.key, meter.label)),
            "value": meter.value,
            "max": meter.top,
        }
        for meter in meters
    }


def events(play: Play, say: Say, after: int, was_over: bool) -> Iterator[Json]:
    """What happened since entry `after` of this game, the newest few."""
    line = play.line
    if play.in_lobby:
        return
    for move in [move for move in line.moves if move.seq > after][-MOST:]:
        yield {
            "event_type": "roll" if isinstance(move.what, Rolled) else "move",
            "entry": f"{play.number}/{move.seq}",
            "says": say(move_sentence(line, move, None)),
            "rule": line.rule(move),
            "beats": [say(beat.says) for beat in line.beats(move, None)],
        }
    if line.result is not None and not was_over:
        yield {
            "event_type": "ended",
            "entry": play.entry,
            "says": say(line.result.why),
            "winners": [say(play.names[seat]) for seat in line.result.winners],
        }
