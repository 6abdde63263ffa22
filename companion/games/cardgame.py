"""What card games share: the card file, cards of real cardboard, and comparing their print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from companion.games import cardfile
from companion.games.api import require
from companion.games.box import Printing
from companion.games.cardfile import (
    SOURCE_NAMES,
    SURE,
    Correction,
    Printed,
    Schema,
    Values,
    cards_of,
    kept,
)
from companion.games.records import replace
from companion.views import BLANK
from companion.words import Seat, Text, text

FILE = "cards.toml"
UNKNOWN = "?"
"""A real card that nobody has named yet; otherwise a card like any other."""

# --- what players say about real cards -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Open:
    """What kind of card comes out of the hand; narrows the list of names."""

    seat: int
    kind: str


@dataclass(frozen=True, slots=True)
class Show:
    """This card comes out of the hand, for all to see."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The shown card goes back to the hand instead of being played."""

    seat: int


@dataclass(frozen=True, slots=True)
class Correct:
    """The print of the shown card says something else about this value."""

    seat: int
    field: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """The printed value; it stays the owner's from now on."""

    seat: int
    value: int | str


@dataclass(frozen=True, slots=True)
class Agreed:
    """The shown card may be played: `sure` if it was compared and all the rest is as printed."""

    seat: int
    sure: bool = False


CITES: Mapping[type, str] = {
    Open: "H1", Show: "H1", Withdraw: "H1", Correct: "H2", Corrected: "H2", Agreed: "H2",
}  # fmt: skip
"""The house rules that these actions follow, the same in every card game."""
Comparing: TypeAlias = Correct | Corrected | Agreed

# --- states --------------------------------------------------------------------------------------


class Record(Protocol):
    """A dataclass, as `replace` takes it."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


class Sided(Record, Protocol):
    """A state with two sides, each with a hand, and perhaps a card that lies shown."""

    @property
    def sides(self) -> tuple[Any, Any]: ...
    @property
    def shown(self) -> str: ...


class Compared(Record, Protocol):
    """A state in which the print of the shown card is compared, one open value at a time."""

    @property
    def cards(self) -> Any: ...
    @property
    def corrections(self) -> tuple[Correction, ...]: ...
    @property
    def shown(self) -> str: ...
    @property
    def editing(self) -> str: ...


S = TypeVar("S", bound=Sided)
P = TypeVar("P", bound=Compared)


def with_side(state: S, seat: int, **changes: Any) -> S:
    """The state with one side changed."""
    side = replace(state.sides[seat], **changes)
    sides = (side, state.sides[1]) if seat == 0 else (state.sides[0], side)
    return replace(state, sides=sides)


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards less one copy; of a card that has no name yet, less one unknown."""
    at = cards.index(card if card in cards else UNKNOWN)
    return cards[:at] + cards[at + 1 :]


def held(state: Sided, seat: int) -> tuple[str, ...]:
    """The cards that can be played by name: the shown one, or all that are known in the hand."""
    if state.shown:
        return (state.shown,)
    return tuple(dict.fromkeys(card for card in state.sides[seat].hand if card != UNKNOWN))


def taken(state: S, seat: int, card: str) -> S:
    """The card has left the hand, or the place where it was shown."""
    if state.shown:
        return replace(state, shown="", kind="")
    return with_side(state, seat, hand=without(state.sides[seat].hand, card))


def taken_back(state: S, seat: int) -> S:
    """The shown card is in the hand again, and nobody needs to know it."""
    state = with_side(state, seat, hand=(*state.sides[seat].hand, UNKNOWN))
    return replace(state, shown="", kind="")


# --- the card file -------------------------------------------------------------------------------


class Valued(Protocol):
    """A game's own cards: beside what it makes of them, every value with its source."""

    @property
    def values(self) -> Values: ...


C = TypeVar("C", bound=Valued)


@dataclass(frozen=True)
class CardFile(Generic[C]):
    """The cards that come with a game, what an owner may tell of them, and how that is asked."""

    package: str
    schema: Schema
    fixed: tuple[str, ...]  # fields that a panel does not ask for
    build: Callable[[Values, str, C | None], C]
    """The cards from values; those whose values are the very same are taken from older cards."""

    @cached_property
    def _read(self) -> C:
        return self.parse(files(self.package).joinpath(FILE).read_text("utf-8"), FILE)

    def shipped(self) -> C:
        """The cards that come with the companion."""
        return self._read

    def deck(self, corrections: tuple[Correction, ...]) -> C:
        """The shipped cards with the owner's values laid over them."""
        return self.merge(self._read, corrections)

    def parse(self, text: str, filename: str) -> C:
        """A whole set of cards; BadState names file, card and reason."""
        return self.build(cardfile.read(text, filename, self.schema), filename, None)

    def own(self, text: str, filename: str, cards: C) -> tuple[Correction, ...]:
        """The owner's file: some values of some cards, checked against the set they correct."""
        return cardfile.own(text, filename, cards.values, self.schema)

    def merge(
        self, cards: C, corrections: tuple[Correction, ...], filename: str = "corrections"
    ) -> C:
        """The cards with these values laid over them, each now the owner's."""
        values = cardfile.laid_over(cards.values, corrections, self.schema, filename)
        return self.build(values, filename, cards) if corrections else cards

    def doubtful(self, cards: C, card: str) -> tuple[str, ...]:
        """The values of a card that its owner has not told yet."""
        values = cards.values[card]
        return tuple(f for f, v in values.items() if f not in self.fixed and v.source not in SURE)

    def offered(self, cards: C, card: str, field: str) -> tuple[Printed, ...]:
        """The values that a panel offers for a field, the present one first."""
        values = cards.values[card]
        known = self.schema[str(values["kind"].value)][field]
        return cardfile.offered(known, values[field].value)

    # --- comparing the print of the shown card

    def answers(self, state: Compared, seat: int) -> Iterator[Comparing]:
        """What its owner may say now."""
        if state.editing:
            values = self.offered(state.cards, state.shown, state.editing)
            yield from (Corrected(seat, value) for value in values)
            return
        yield Agreed(seat, sure=True)
        yield Agreed(seat)
        yield from (Correct(seat, field) for field in self.doubtful(state.cards, state.shown))

    def correct(self, state: P, action: Correct) -> P:
        """A value is open."""
        require(not state.editing, "H2", "Say what is printed there first")
        known = action.field in self.doubtful(state.cards, state.shown)
        require(known, "H2", "That value is sure: choose another")
        return replace(state, editing=action.field)

    def corrected(self, state: P, action: Corrected) -> P:
        """Take the value that the owner read off the card; it counts from now on."""
        require(bool(state.editing), "H2", "Choose the value to correct first")
        key = (state.shown, state.editing)
        known = action.value in self.offered(state.cards, *key)
        require(known, "H2", "No card can show that value")
        corrections = kept((*state.corrections, (*key, action.value)))
        cards_of(corrections, self.deck)  # raises BadState itself on a correction that cannot be
        return replace(state, corrections=corrections, editing="")

    def agreed(self, state: P, action: Agreed) -> P:
        """Compared, or put off; what was compared is the owner's now, and never asked again."""
        require(not state.editing, "H2", "Say what is printed there first")
        if not action.sure:
            return state
        card = state.shown
        values, fields = state.cards.values[card], self.doubtful(state.cards, card)
        told = tuple((card, field, values[field].value) for field in fields)
        return replace(state, corrections=state.corrections + told)


# --- what players read of comparing --------------------------------------------------------------

BOX_FIELDS: Mapping[str, Text] = {
    "kind": text("Kind"),
    "name": text("Name"),
    "japanese": text("Japanese name"),
    "family": text("Family"),
    "copies": text("Copies"),
    "a": text("In deck A"),
    "b": text("In deck B"),
    "level": text("Level"),
}
"""Values that no game asks for while it is played."""


PLACES: Mapping[str, str] = {
    "name": "name",
    "japanese": "name",
    "text": "text",
    "needs": "text",
    **dict.fromkeys(("damage", "catalyst", "strength", "destiny", "points", "tolerance"), "figure"),
    **dict.fromkeys(("use", "six", "stay", "element", "storable", "unique"), "icon"),
    "links": "edge",
    **{side: f"edge {side}" for side in ("up", "left", "down", "right")},
    "awake_text": "line awake",
    **{f"awake_{side}": "line awake" for side in ("up", "left", "down", "right")},
}
"""Where a field stands on the card that *My box* draws; the rest is at its foot."""


@dataclass(frozen=True)
class Comparison:
    """A game's words for its printed values."""

    fields: Mapping[str, Text]
    value: Callable[[str, Printed], Text]

    def label(self, state: Compared, action: Comparing) -> Text:
        """What stands on the button."""
        match action:
            case Correct(_, field):
                return text("Correct {field}", field=self.fields[field])
            case Corrected(_, value):
                return self.value(state.editing, value)
        return text("As printed") if action.sure else text("Not compared")

    def detail(self, state: Compared, action: Comparing) -> Text:
        """What stands beside the button."""
        values = state.cards.values[state.shown]
        match action:
            case Correct(_, field):
                now = values[field]
                value, source = self.value(field, now.value), SOURCE_NAMES[now.source]
                return text("now {value}, {source}", value=value, source=source)
            case Corrected(_, value):
                return text("as it is") if value == values[state.editing].value else BLANK
        return text("never asked again") if action.sure else text("asked again next time")

    def sentence(self, before: Compared, action: Comparing) -> Text:
        """The sentence for everybody."""
        match action:
            case Correct(seat, field):
                return text("{who} checks: {field}", who=Seat(seat), field=self.fields[field])
            case Corrected(_, value):
                return text("It is printed: {value}", value=self.value(before.editing, value))
        return text("The card is as shown") if action.sure else text("The card is not compared yet")


def printing(
    cards: CardFile[Any],
    words: Comparison,
    kinds: Mapping[str, Text],
    adds: tuple[str, ...],
    without_fields: Callable[[Mapping[str, cardfile.Value]], tuple[str, ...]] = lambda _values: (),
    **more: Any,
) -> Printing:
    """The cards of a file, for *My box*; some cards are printed without some fields."""

    def says(_card: Mapping[str, cardfile.Value], field: str, value: Printed) -> Text:
        if field == "kind":
            return kinds.get(str(value), text("{v}", v=str(value)))
        return words.value(field, value)

    def fields(values: Mapping[str, cardfile.Value]) -> Mapping[str, cardfile.Field]:
        known = cards.schema[str(values["kind"].value)]
        left_out = without_fields(values)
        return {name: asks for name, asks in known.items() if name not in left_out}

    return Printing(
        values=lambda box, name: cards.merge(cards.shipped(), box, name).values,
        fields=fields,
        label=lambda field: BOX_FIELDS.get(field) or words.fields[field],
        says=says,
        kinds=kinds,
        adds=adds,
        aside=cards.fixed,
        place=lambda field: PLACES.get(field, "foot"),
        **more,
    )


def unsure(cards: Valued, found: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Of these values, by card and field, those that no print has proven."""
    known = ((card, name) for card, name in found if name in cards.values.get(card, ()))
    return tuple(dict.fromkeys(one for one in known if not _sure(cards, *one)))


def _sure(cards: Valued, card: str, name: str) -> bool:
    return cards.values[card][name].source in SURE


def amended(state: P, told: tuple[Correction, ...]) -> P:
    """The game goes on with these values."""
    return replace(state, corrections=kept((*state.corrections, *told)))
