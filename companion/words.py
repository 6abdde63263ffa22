"""Every text that a player sees, kept whole until it is shown, so that it can be translated."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NewType, TypeAlias

Translate: TypeAlias = Callable[[str], str]

Panel = NewType("Panel", int)
"""A button panel by its number, from 0: where somebody sits, whatever is played."""

SeatNo = NewType("SeatNo", int)
"""A seat of the game on the table, from 0. Panels that do not play have none, so the two differ."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat named inside a text; its name or colour is filled in when the text is shown."""

    number: int


@dataclass(frozen=True, slots=True)
class Name:
    """A name that is printed in two languages: which one is shown, the reader's catalogue says."""

    english: str
    japanese: str


Value: TypeAlias = "str | int | Seat | Name | Text"


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence with holes: `template` is the catalogue's key, `values` fill the holes."""

    template: str
    values: tuple[tuple[str, Value], ...] = ()

    def show(self, names: Sequence[Text] = (), translate: Translate = str) -> str:
        """The sentence in the reader's language, seats by their names."""
        filled = {key: _shown(value, names, translate) for key, value in self.values}
        return translate(self.template).format(**filled)


def text(template: str, /, **values: Value) -> Text:
    """A text to show: `text("{who} moves to space {space}", who=Seat(0), space=3)`.

    The template must stand here as a literal: `make catalogues` collects it for translation.
    """
    return Text(template, tuple(values.items()))


def template(literal: str, /) -> str:
    """A literal that `make catalogues` collects here, though it is shown elsewhere."""
    return literal


def unwritable(value: object) -> str:
    """Why a value from outside cannot be written as UTF-8; "" if it can.

    JSON can spell half a character ("\\ud800"). Kept, it would break every page and file that
    shows it later, so each door asks this of whole documents: keys, values, at any depth.
    """
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])[1:-1]
        return f"{half} in a text is half a character, which UTF-8 cannot hold"
    return ""


def _shown(value: Value, names: Sequence[Text], translate: Translate) -> str:
    if isinstance(value, Text):
        return value.show(names, translate)
    if isinstance(value, Seat):
        if 0 <= value.number < len(names):
            return names[value.number].show(names, translate)
        return translate("Seat {number}").format(number=value.number + 1)
    if isinstance(value, Name):
        return value.japanese if translate("en") == "ja" else value.english
    return str(value)


COLOUR_NAMES = {  # what seats are called until somebody gives them names
    colour.template: colour
    for colour in (
        text("Red"),
        text("Blue"),
        text("Green"),
        text("Yellow"),
        text("White"),
        text("Black"),
        text("Violet"),
        text("Orange"),
    )
}


COMPANION = "Companion"


def name_text(name: str) -> Text:
    """A seat's name: colours and the companion's are translated, names are not."""
    first, _, number = name.partition(" ")
    if first == COMPANION and (number.isdecimal() or name == first):
        return text("Companion {n}", n=number) if number else text("Companion")
    return COLOUR_NAMES.get(name) or text("{name}", name=name)
