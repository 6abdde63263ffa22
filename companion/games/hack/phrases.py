"""How cards, PCs and sums read on a small display."""

from __future__ import annotations

from companion.games.effects import PRINTED, read, read_needs, told, told_needs
from companion.games.hack.fights import Sum, tolerance
from companion.games.hack.kinds import ACTION, ITEM, KIND_NAMES, MONSTER, NAMES, WORDS, Card
from companion.games.hack.state import UNKNOWN, Hero, State
from companion.words import Text, text

HOUSE = text("house")
FIELD_NAMES: dict[str, Text] = {
    "strength": text("Strength"),
    "destiny": text("Destiny"),
    "element": text("Element"),
    "points": text("Points"),
    "tolerance": text("Tolerance"),
    "species": text("Species"),
    "class": text("Class"),
    "bearer": text("Bearer"),
    "subtype": text("Subtype"),
    "storable": text("Storable"),
    "unique": text("Unique"),
    "needs": text("To play"),
    "text": text("Text"),
}
_PARTS: dict[str, Text] = {
    "text": text("text"),
    "actions": text("actions"),
    "destiny": text("destiny"),
}


def name(state: State, card: str) -> Text:
    """A card's name; of cardboard that nobody named, just that it is a card."""
    return text("a card") if card == UNKNOWN else state.cards[card].name


def short(card: Card) -> Text:
    """What matters of a card in a few letters, and whether the numbers are ours."""
    kind = KIND_NAMES[card.kind]
    if card.kind == ACTION:
        said = text("{kind}, destiny {d}", kind=kind, d=card.destiny)
    elif card.kind == MONSTER:
        said = text("{kind} {n}, {p} VP", kind=kind, n=card.strength, p=card.points)
    elif card.kind == ITEM:
        said = text("{kind} +{n}", kind=kind, n=card.strength)
    else:
        said = text("{kind} {n}", kind=kind, n=card.strength)
    return text("{said}, house", said=said) if card.house else said


def lines(card: Card) -> list[Text]:
    """Everything that stands on a card, line by line."""
    said = [text("{card}: {short}", card=card.name, short=short(card))]
    said.append(text("Destiny {n}", n=card.destiny))
    if card.element:
        said.append(text("Element {of}", of=NAMES[card.element]))
    if card.species:
        said.append(text("Species {of}", of=NAMES[card.species]))
    if card.bearer:
        said.append(text("Bearer {of}", of=NAMES[card.bearer]))
    if card.tolerance:
        said.append(text("Tolerance {n}", n=card.tolerance))
    if card.storable:
        said.append(text("Storable"))
    if card.unique:
        said.append(text("Unique"))
    if card.needs:
        said.append(text("To play: {needs}", needs=told_needs(card.needs, WORDS)))
    said += [told(clause, WORDS) for clause in card.clauses]
    if card.printed:
        said.append(text("Do what the card says and set the counters"))
    return said


def hero_note(state: State, hero: Hero) -> Text:
    """A PC's strength, wound and items."""
    cards = state.cards
    strength = sum(cards[card].strength for card in (hero.card, *hero.items))
    note = text("{n}", n=strength)
    if spared := tolerance(state, hero):
        note = text("{note} tolerance {n}", note=note, n=spared)
    if hero.wounded:
        note = text("{note} WOUNDED", note=note)
    for item in hero.items:
        note = text("{note}, {item}", note=note, item=cards[item].name)
    return note


def sum_text(state: State, parts: Sum, total: int) -> Text:
    """A strength as it builds up: `Gladiator 5 + destiny 3 = 8`."""
    if not parts:
        return text("{n}", n=total)
    first, *rest = (_part(state, word, number) for word, number in parts)
    for part in rest:
        first = text("{a} + {b}", a=first, b=part)
    return text("{sum} = {n}", sum=first, n=total)


def _part(state: State, word: str, number: int) -> Text:
    what = _PARTS[word] if word in _PARTS else state.cards[word].name
    return text("{what} {n}", what=what, n=number)


OUTCOMES: dict[str, Text] = {
    "won": text("{pc} wins", pc=""),
    "held": text("{pc} loses, not wounded", pc=""),
    "wounded": text("{pc} loses and is wounded", pc=""),
    "destroyed": text("{pc} is destroyed", pc=""),
}


def outcome(state: State) -> Text:
    """How the last fight ended."""
    report = state.report
    if report is None:
        return text("No fight yet")
    pc = state.cards[report.pc].name
    return Text(OUTCOMES[report.outcome].template, (("pc", pc),))


def value_text(field: str, value: int | str) -> Text:
    """A printed value as it is offered."""
    if value == "":
        return text("none")
    if value == PRINTED:
        return text("Something else")
    if field == "needs":
        return told_needs(read_needs(str(value), WORDS), WORDS)
    if field == "text":
        first, *rest = (told(clause, WORDS) for clause in read(str(value), WORDS))
        for other in rest:
            first = text("{a}; {b}", a=first, b=other)
        return first
    return NAMES.get(str(value), text("{v}", v=str(value)))
