"""How a move and a seat are called: what was done as a sentence, and the seats by their names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.api import Correction, Game, sealed
from companion.memory.timeline import Move, Ruling, Timeline
from companion.words import COLOUR_NAMES, SeatNo, Text, name_text, text


def move_sentence(line: Timeline, move: Move, viewer: SeatNo | None = None) -> Text:
    """What a viewer may know of a move."""
    if isinstance(move.what, Ruling) and move.what.cards:
        return printed_sentence(line, move.what.cards)
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


def printed_sentence(line: Timeline, told: tuple[Correction, ...]) -> Text:
    """What a card is now, by its owner's box: `Elk: Strength 5, Destiny 3`."""
    if line.game.cards is None:
        return text("The cards are as printed")
    printing = line.game.cards.printing
    values = printing.values((*line.game.cards.learnt(line.state), *told), "game")
    said: Text | None = None
    for card, name, value in told:
        shown = text("{what} {n}", what=printing.label(name),
                     n=printing.says(values[card], name, value))  # fmt: skip
        said = shown if said is None else text("{a}, {b}", a=said, b=shown)
    card = told[0][0]
    return text("{card}: {said}", card=printing.name(card, values[card]), said=said or text("none"))


def seat_names(game: Game[Any], names: Iterable[str]) -> tuple[Text, ...]:
    """How texts call the seats: by the game's own roles where it has them (Blue, Red)."""
    shown = []
    for seat, name in enumerate(names):
        if seat >= len(game.roles):
            shown.append(name_text(name))
        elif name in COLOUR_NAMES:
            shown.append(game.roles[seat])
        else:
            shown.append(name_text(name))
    return tuple(shown)
