"""*My box* on a panel: find a card, see each value with its source, change it with four buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Any, TypeAlias

from companion.errors import Illegal
from companion.games.api import Game
from companion.games.box import Printing, Row, new_card, rows
from companion.games.cardfile import SOURCE_NAMES, SURE, Number, Printed, Values, offered
from companion.memory.timeline import Timeline
from companion.table.menu import Open, Page, Path
from companion.table.own_cards import OwnCards
from companion.views import BLANK, Choice, Cross, Line, Part, Slot
from companion.words import SeatNo, Text, text

IN_A_ROW, DONE, DECISIVE, SEEN = "*", "@", "?", "!"
"""In a path: value by value; back from a value; values that decide; cards before one's eyes."""
ASK = text("Is this so in your box?")
LONG = 8  # a list of more cards is shown by groups
PLACES = ("up", "left", "down", "right")


@dataclass(frozen=True, slots=True)
class Tell:
    """What is printed on a card of the box, and where the menu goes on; no values: all as shown."""

    game: str
    card: str
    told: tuple[tuple[str, Printed], ...]
    then: Path


Decisive: TypeAlias = tuple[tuple[str, str], ...]
"""Values of ours, by card and field, that decide something on the table."""


class BoxMenu:
    """The pages of *My box*; what it shows is read from the owner's file whenever it is open."""

    def __init__(self, shelf: Mapping[str, Game[Any]], own: OwnCards) -> None:
        self._games = {key: game for key, game in shelf.items() if game.cards is not None}
        self._own = own

    def __bool__(self) -> bool:
        return bool(self._games)

    def start(self, game: str) -> Path:
        """Where *My box* opens: at the cards of the game on the table."""
        if len(self._games) == 1:
            return ("box", *self._games)
        return ("box", game) if game in self._games else ("box",)

    def page(self, path: Path, line: Timeline, seat: SeatNo) -> Page:
        """A place in the box; what is gone there is said."""
        match path[1:]:
            case (str(game), *rest) if game in self._games:
                printing = _printing(self._games[game])
                cards = printing.values(self._own.load(self._games[game]), "box")
                if rest == [DECISIVE]:
                    return Page(ASK, tuple(_decisive(printing, cards, path, decisive(line))))
                seen = in_sight(line, seat, cards) if line.game.key == game else ()
                return _of_game(printing, cards, path, rest, seen)
        games = tuple(Choice(game.name, Open(("box", key))) for key, game in self._games.items())
        return Page(text("Cards of which game?"), games)

    def doubt(self, game: Game[Any], state: Any, refused: Illegal, action: Any) -> Path:
        """The value of ours that a refusal was judged by, as a place in the box; () if none."""
        card = getattr(action, "card", "")
        if game.key not in self._games or game.cards is None:
            return ()
        values = _printing(game).values(game.cards.learnt(state), "game").get(card, {})
        for name in _printing(game).decides.get(refused.rule, ()):
            if name in values and values[name].source not in SURE:
                return ("box", game.key, str(values["kind"].value), card, name)
        return ()


def decisive(line: Timeline) -> Decisive:
    """What the table shows now rests on these values of ours."""
    if decisive not in line.memo:
        cards = line.game.cards
        line.memo[decisive] = tuple(cards.rests_on(line.state)) if cards else ()
    found: Decisive = line.memo[decisive]
    return found


def in_sight(line: Timeline, seat: SeatNo, cards: Values) -> tuple[str, ...]:
    """The cards of this box that the seat has before it, each once."""
    if line.game.cards is None:
        return ()
    return tuple(dict.fromkeys(c for c in line.game.cards.in_sight(line.state, seat) if c in cards))


def asking(game: str, found: Decisive) -> Choice:
    """The way from what all see to the values that decide it."""
    return Choice(ASK, Open(("box", game, DECISIVE)), text("{n} values of ours", n=len(found)))


def _decisive(printing: Printing, cards: Values, path: Path, found: Decisive) -> Iterator[Choice]:
    for card, name in found:
        if card in cards:
            row = next(row for row in rows(printing, cards, card) if row.field == name)
            says = text("{field} {value}", field=row.label, value=row.says)
            here = (*path[:2], str(cards[card]["kind"].value), card, name)
            label = text("{card}: {says}", card=printing.name(card, cards[card]), says=says)
            yield Choice(label, Open(here), SOURCE_NAMES[row.source])


def _printing(game: Game[Any]) -> Printing:
    if game.cards is None:
        raise Illegal("table", text("This game has no cards."))
    return game.cards.printing


def _of_game(
    printing: Printing, cards: Values, path: Path, rest: list[str | int], seen: tuple[str, ...]
) -> Page:
    match rest:
        case []:
            kinds = dict.fromkeys(str(values["kind"].value) for values in cards.values())
            before = (Choice(text("Cards before you"), Open((*path, SEEN))),) if seen else ()
            choices = (*before, *_kinds(printing, path, [*kinds]))
            return Page(text("What kind of card?"), choices)
        case [one] if one == SEEN:
            found = tuple(_named(printing, cards, card, path) for card in seen)
            return Page(text("Which card?"), found)
        case [str(kind), *group] if not group or isinstance(group[0], int):
            return Page(text("Which card?"), tuple(_cards(printing, cards, path, kind)))
        case [_, str(card), *more] if card in cards:
            return _of_card(printing, cards, path, card, more)
    return Page(text("This card is gone."), ())


def _kinds(printing: Printing, path: Path, kinds: list[str]) -> Iterator[Choice]:
    for kind in dict.fromkeys((*printing.adds, *kinds)):
        yield Choice(printing.kinds.get(kind, text("{kind}", kind=kind)), Open((*path, kind)))


def _cards(printing: Printing, cards: Values, path: Path, kind: str) -> Iterator[Choice]:
    here = path[:3]
    listed = [card for card, values in cards.items() if values["kind"].value == kind]
    listed.sort(key=lambda card: _order(printing.name(card, cards[card]).show()))
    size = 1 + isqrt(max(0, len(listed) - 1))  # as many groups as there are cards in each
    groups = [listed[at : at + size] for at in range(0, len(listed), size)]
    if len(listed) > LONG and len(path) == 3:
        for at, group in enumerate(groups):
            first, last = (printing.name(card, cards[card]) for card in (group[0], group[-1]))
            yield Choice(text("{first} to {last}", first=first, last=last), Open((*here, at)))
    else:
        for card in groups[int(path[3])] if len(path) > 3 else listed:
            yield _named(printing, cards, card, path)
    if kind in printing.adds and len(path) == 3:
        key, told = new_card(printing, cards, f"{kind} {len(cards) + 1}", kind)
        new = Tell(str(path[1]), key, tuple(told.items()), (*path, key))
        yield Choice(text("A card that is not listed"), new, text("its name: by phone"))


def _order(name: str) -> tuple[tuple[int, str], ...]:
    """As a person looks for it: 2a stands before 10a."""
    parts = re.findall(r"(\d*)(\D*)", name.casefold())
    return tuple((int(digits or 0), letters) for digits, letters in parts)


def _named(printing: Printing, cards: Values, card: str, path: Path) -> Choice:
    here = (*path[:2], str(cards[card]["kind"].value), card)
    return Choice(printing.name(card, cards[card]), Open(here), _ours(cards[card]))


def _ours(values: Mapping[str, Any]) -> Text:
    count = sum(value.source not in SURE for value in values.values())
    return text("{n} values of ours", n=count) if count else text("as printed")


def _of_card(
    printing: Printing, cards: Values, path: Path, card: str, more: list[str | int]
) -> Page:
    shown, here = rows(printing, cards, card), path[:4]
    name = printing.name(card, cards[card])
    asked = [row for row in shown if row.open and row.field not in printing.aside]
    asked.sort(key=lambda row: not isinstance(row.asks, Number))  # figures first
    match more:
        case ["*", int(at)] if at < len(asked):
            then = (*here, IN_A_ROW, at + 1) if at + 1 < len(asked) else here
            return _value(printing, cards, path, asked[at], then)
        case [str(one)] if found := [row for row in shown if row.field == one and row.open]:
            return _value(printing, cards, path, found[0], (*here, DONE, one))
    drawn = (part for row in shown if row.field == "links" for part in _picture(printing, row))
    parts = (*drawn, *(Line(_line(row)) for row in shown))
    told = tuple((row.field, row.value) for row in asked if row.source not in SURE)
    rest = [row for row in shown if row.open and row not in asked and row.asks.offered()]
    choices = [
        Choice(text("{field}: {value}", field=row.label, value=row.says),
               Open((*here, row.field)), SOURCE_NAMES[row.source])
        for row in (*asked, *rest)
    ]  # fmt: skip
    if told:
        said = text("{n} values of ours", n=len(told))
        choices += [Choice(text("As printed"), Tell(str(path[1]), card, told, here), said)]
    choices += [Choice(text("All in a row"), Open((*here, IN_A_ROW, 0)))] if asked else []
    names = [row.field for row in (*asked, *rest)]
    cursor = names.index(str(more[-1])) if more and more[-1] in names else 0
    return Page(name, tuple(choices), parts, cursor)


def _line(row: Row) -> Text:
    return text("{field}: {value} ({source})", field=row.label, value=row.says,
                source=SOURCE_NAMES[row.source])  # fmt: skip


def _value(printing: Printing, cards: Values, path: Path, row: Row, then: Path) -> Page:
    """What the value can be: the finger is on what it is now, so one press says "as it is"."""
    game, card = str(path[1]), str(path[3])
    every = row.asks.offered()
    if row.value not in every:
        every = offered(row.asks, row.value)
    choices = tuple(
        Choice(printing.says(cards[card], row.field, value),
               Tell(game, card, ((row.field, value),), then),
               SOURCE_NAMES[row.source] if value == row.value else BLANK)
        for value in every
    )  # fmt: skip
    title = text("{card}: {field}?", card=printing.name(card, cards[card]), field=row.label)
    return Page(title, choices, tuple(_picture(printing, row)), cursor=every.index(row.value))


def _picture(printing: Printing, row: Row) -> Iterator[Part]:
    """Sides are drawn round the character, which is in the middle."""
    if row.field == "links":
        lit = [place in str(row.value).split() for place in PLACES]
        up, left, down, right = (Slot("+" if one else "-", lit=one) for one in lit)
        yield Cross(text("Character"), row.label, (up, left, down, right))
    if hint := printing.hints.get(row.field):
        yield Line(hint)
