"""How a move and a seat are called: what was done as a sentence, and the seats by their names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.api import Game, sealed
from companion.memory.timeline import Move, Ruling, Timeline
from companion.words import COLOUR_NAMES, SeatNo, Text, name_text, text


def move_sentence(line: Timeline, move: Move, viewer: SeatNo | None = None) -> Text:
    """What a viewer may be told of a move."""
    if isinstance(move.what, Ruling):
        counter = next(
            (
                c
                for c in line.game.rulings.counters(line.before(move.seq))
                if c.key == move.what.counter
            ),
            None,
        )
        label = counter.label if counter else text("{key}", key=move.what.counter)
        return text("Ruling: {label} is {value}", label=label, value=move.what.value)
    said = line.game.tell(line.before(move.seq), move.what, viewer)
    if move.against and (viewer == move.seat or not sealed(move.what)):
        return text("{said} (against {rule})", said=said, rule=move.against)
    return said


def seat_names(game: Game[Any], names: Iterable[str]) -> tuple[Text, ...]:
    """How texts call the seats: by the game's own roles where it has them (Blue, Red)."""
    shown = []
    for seat, name in enumerate(names):
        if seat >= len(game.roles):
            shown.append(name_text(name))
        elif name in COLOUR_NAMES:
            shown.append(game.roles[seat])
        else:
            shown.append(text("{name}", name=name))
    return tuple(shown)
