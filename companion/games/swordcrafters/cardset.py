"""The owner's printed cards: told or written once, laid over the shipped ones card by card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields

from companion.errors import BadState
from companion.games.api import Correction
from companion.games.cardfile import cards_of
from companion.games.swordcrafters.cards import Book, Magic, Solo, parse, shipped
from companion.games.swordcrafters.state import State

OWNER = "owner"


def book(corrections: tuple[Correction, ...]) -> Book:
    """The cards of this table; BadState if a correction makes a card that cannot be."""
    return cards_of(corrections, _laid_over) if corrections else shipped()


def _laid_over(corrections: tuple[Correction, ...]) -> Book:
    own = parse(to_toml(corrections), "corrections", OWNER)
    magic = {card.key: card for card in (*shipped().magic, *own.magic)}
    solo = {card.key: card for card in (*shipped().solo, *own.solo)}
    return Book(tuple(magic.values()), tuple(solo.values()))


def own(source: str, filename: str) -> tuple[Correction, ...]:
    """The owner's file: whole cards in the form of the shipped ones."""
    return tuple(
        row for card in cards_in(parse(source, filename, OWNER)) for row in values_of(card)
    )


def to_toml(corrections: Iterable[Correction]) -> str:
    """A card file that `own` reads back."""
    cards: dict[str, dict[str, int | str]] = {}
    for card, name, value in corrections:
        cards.setdefault(card, {})[name] = value
    lines = []
    for card, values in cards.items():
        kind, _, key = card.partition(".")
        if kind not in ("magic", "solo") or not key.isalnum():
            raise BadState(f"{card!r} is no card: magic.KEY or solo.KEY")
        lines.append(f"[{card}]")
        lines += [f"{name} = {_toml(name, value)}" for name, value in values.items()]
        lines.append("")
    return "\n".join(lines)


def learnt(state: State) -> tuple[Correction, ...]:
    """What is known of printed cards: from before, and told during this game."""
    known = {card.key for card in book(state.options.corrections).magic}
    told = (card for card in state.magic if card.key not in known)
    return (*state.options.corrections, *(row for card in told for row in values_of(card)))


def describe(corrections: tuple[Correction, ...]) -> Iterator[tuple[str, str, str, str]]:
    """Every value with its source."""
    for card in cards_in(book(corrections)):
        for where, name, value in values_of(card):
            yield where, name, str(value), card.source


def cards_in(found: Book) -> list[Magic | Solo]:
    """All of them."""
    return [*found.magic, *found.solo]


def values_of(card: Magic | Solo) -> Iterator[Correction]:
    """A card field by field; lists are words with blanks between."""
    where = f"{'magic' if isinstance(card, Magic) else 'solo'}.{card.key}"
    for field in fields(card):
        value = getattr(card, field.name)
        if field.name not in ("key", "source"):
            words = " ".join(map(str, value)) if isinstance(value, tuple) else value
            yield where, field.name, words


def _toml(name: str, value: int | str) -> str:
    if name not in ("gems", "pays", "runs"):
        plain = str(value).replace("\\", "").replace('"', "").replace("\n", " ")
        return plain if isinstance(value, int) else f'"{plain}"'
    words = str(value).split()
    return f"[{', '.join(word if word.isdecimal() else _toml('', word) for word in words)}]"
