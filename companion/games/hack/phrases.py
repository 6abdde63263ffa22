"""How cards, PCs and sums read on a small display."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.cardgame import Comparison
from companion.games.effects import PRINTED, clause_text, needs_text, read, read_needs
from companion.games.hack.fights import Sum, tolerance
from companion.games.hack.kinds import (
    ACTION,
    ARMOR,
    ITEM,
    KIND_NAMES,
    MONSTER,
    NAMES,
    WEAPON,
    WORDS,
    Card,
)
from companion.games.hack.state import UNKNOWN, Hero, Report, State
from companion.views import BLANK
from companion.words import Text, text

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
_SUBTYPES = {WEAPON: text("Weapon"), ARMOR: text("Armor")}
_PARTS: dict[str, Text] = {
    "text": text("text"),
    "actions": text("actions"),
    "destiny": text("destiny"),
}


def name(state: State, card: str) -> Text:
    """A card's name, or "a card" for a real one that nobody has named."""
    return text("a card") if card == UNKNOWN else state.cards[card].name


def short(card: Card) -> Text:
    """What matters of a card in a few letters, and whether the numbers are ours."""
    said = _figures(card)
    return text("{said}, house", said=said) if card.house else said


def _figures(card: Card) -> Text:
    kind = KIND_NAMES[card.kind]
    match card.kind:
        case k if k == ACTION:
            return kind
        case k if k == MONSTER:
            return text("{kind} {n}, {p} VP", kind=kind, n=card.strength, p=card.points)
        case k if k == ITEM:
            return text("{kind} +{n}", kind=kind, n=card.strength)
    return text("{kind} {n}", kind=kind, n=card.strength)


def lines(card: Card) -> list[Text]:
    """Everything that stands on a card, line by line."""
    return [text("{card}: {short}", card=card.name, short=short(card)), *_rest(card)]


def _rest(card: Card) -> list[Text]:
    """What stands on a card beside its name and figures."""
    said = [text("Destiny {n}", n=card.destiny)]
    if card.pc_class:
        said.append(NAMES[card.pc_class])
    if card.subtype:
        said.append(_SUBTYPES[card.subtype])
    if card.element:
        said.append(NAMES[card.element])
    if card.species:
        said.append(text("species {of}", of=NAMES.get(card.species, Text(card.species))))
    if card.bearer:
        said.append(text("for {of}", of=NAMES[card.bearer]))
    if card.tolerance:
        said.append(text("Tolerance {n}", n=card.tolerance))
    if card.storable:
        said.append(text("Storable"))
    if card.unique:
        said.append(text("Unique"))
    if card.needs:
        said.append(text("To play: {needs}", needs=needs_text(card.needs, WORDS)))
    said += [clause_text(clause, WORDS) for clause in card.clauses]
    if card.printed:
        said.append(text("Do what the card says and set the counters"))
    return said


def effect_text(state: State, card: str, when: str = "", verb: str = "") -> Text:
    """What a card does at such a moment, or by such a word."""
    clauses = [c for c in state.cards[card].clauses if when in ("", c.when)]
    some = [clause_text(c, WORDS) for c in clauses if verb in ("", c.effect.verb)]
    return joined(some) if some else BLANK


def whole(card: Card) -> Text:
    """All that stands on a card under its name, in one sentence."""
    return joined([_figures(card), *_rest(card)])


def joined(some: list[Text]) -> Text:
    """Several texts in a row."""
    first, *rest = some
    for other in rest:
        first = text("{a}; {b}", a=first, b=other)
    return first


def hero_text(state: State, hero: Hero) -> Text:
    """A PC with its strength, wound and items: `Mistral 6, WOUNDED, with Air Wand`."""
    cards = state.cards
    strength = sum(cards[card].strength for card in (hero.card, *hero.items))
    said = text("{pc} {n}", pc=cards[hero.card].name, n=strength)
    if hero.wounded:
        said = text("{pc}, WOUNDED", pc=said)
    if hero.items:
        said = text("{pc}, with {items}", pc=said, items=listed(state, hero.items))
    if spared := tolerance(state, hero):
        said = text("{pc}, tolerance {n}", pc=said, n=spared)
    return said


def listed(state: State, cards: Iterable[str]) -> Text:
    """Cards by name in a row."""
    first, *rest = (name(state, card) for card in cards)
    for other in rest:
        first = text("{a}, {b}", a=first, b=other)
    return first


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
    return report_text(state, report)


def report_text(state: State, report: Report) -> Text:
    """How a fight ended."""
    return Text(OUTCOMES[report.outcome].template, (("pc", state.cards[report.pc].name),))


def against(state: State, pc: str, parts: tuple[Sum, Sum], totals: tuple[int, int]) -> Text:
    """The monsters' sum against the PC's: `Gladiator 5 + destiny 3 = 8 against Mistral 4 = 4`."""
    defender = 0 if pc in dict(parts[0]) else 1
    first, second = (sum_text(state, parts[s], totals[s]) for s in (1 - defender, defender))
    return text("{a} against {b}", a=first, b=second)


def value_text(field: str, value: int | str) -> Text:
    """A printed value as it is offered."""
    if value == "":
        return text("none")
    if value == PRINTED:
        return text("Something else")
    if field in ("storable", "unique"):
        return text("yes") if value else text("no")
    if field == "needs":
        return needs_text(read_needs(str(value), WORDS), WORDS)
    if field == "text":
        return joined([clause_text(clause, WORDS) for clause in read(str(value), WORDS)])
    names = _SUBTYPES if field == "subtype" else NAMES
    return names.get(str(value), text("{v}", v=str(value)))


COMPARISON = Comparison(FIELD_NAMES, value_text)
