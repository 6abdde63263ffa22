"""How cards, characters and damage read on a small display."""

from __future__ import annotations

from companion.games.cardgame import Comparison
from companion.games.effects import PRINTED, Clause, clause_text, read
from companion.games.sainome.kinds import (
    EQUIP,
    KIND_NAMES,
    NAMES,
    PLACE_NAMES,
    PLACES,
    USE_NAMES,
    WORDS,
    Card,
    Character,
)
from companion.games.sainome.state import UNKNOWN, Report, State
from companion.views import BLANK
from companion.words import Name, Seat, Text, text

NORMAL, AWAKENED = text("normal"), text("AWAKENED")
FIELD_NAMES: dict[str, Text] = {
    "use": text("Use"),
    "damage": text("Damage"),
    "catalyst": text("Catalyst"),
    "links": text("Character's side"),
    "stay": text("Stays"),
    "six": text("The 6"),
    "text": text("Text"),
    "awakens": text("Awakens"),
    "returns": text("Turns back"),
    "awake_text": text("Awakened text"),
    "up": text("Up"),
    "left": text("Left"),
    "down": text("Down"),
    "right": text("Right"),
    "awake_up": text("Awakened up"),
    "awake_left": text("Awakened left"),
    "awake_down": text("Awakened down"),
    "awake_right": text("Awakened right"),
}
LINKS_MEAN = text(
    "The sides of the character that the card fits. The link on the card is at its other edge: "
    "above the character at its lower edge, on the left at its right edge."
)
_TURNS: dict[str, Text] = {
    "": text("never"),
    "hurt": text("when hurt"),
    "trash": text("in the trash phase"),
    "draw": text("by the draw action"),
}
_PARTS: dict[str, Text] = {
    "count": text("attached"),
    "burn": text("burnt"),
    "luck": text("die"),
    "skill": text("character's skill"),
    "charge": text("charge"),
    "guard": text("guard"),
}


def name(state: State, key: str) -> Text:
    """A card's name, or "a card" for a real one that nobody has named."""
    if key in state.cards.characters:
        return state.cards.characters[key].name
    return text("a card") if key == UNKNOWN else state.cards[key].name


def joined(texts: list[Text]) -> Text:
    """Texts in a row; none is blank."""
    if not texts:
        return BLANK
    first, *rest = texts
    for other in rest:
        first = text("{a}, {b}", a=first, b=other)
    return first


def short(card: Card) -> Text:
    """A card in one line: its figures, and its text."""
    said = [_clause(clause) for clause in card.clauses]
    return joined([brief(card), *said] if card.use == EQUIP or not said else said)


def brief(card: Card) -> Text:
    """What matters of a card in a few letters."""
    said = [KIND_NAMES[card.kind] if card.use == EQUIP else USE_NAMES[card.use]]
    if card.damage:
        said.append(text("{n} dmg", n=card.damage))
    if card.catalyst:
        said.append(text("catalyst {n}", n=card.catalyst))
    if card.six:
        said.append(text("6"))
    if card.stay:
        said.append(text("stays"))
    if card.house:
        said.append(text("house"))
    return joined(said)


def _clause(clause: Clause) -> Text:
    return clause_text(clause, WORDS)


def effect_text(card: Card, verb: str) -> Text:
    """What a card does by such a word."""
    return joined([_clause(clause) for clause in card.clauses if clause.effect.verb == verb])


def links(card: Card) -> Text:
    """The sides that a card can be attached to."""
    return joined([PLACE_NAMES[place] for place in card.links]) if card.links else text("none")


def both_names(name: Name) -> Text:
    """A card by the reader's name and, where that is not the printed one, by the printed one."""
    return text("{name}{printed}", name=name, printed=Name(f" {name.japanese}", ""))


def lines(card: Card) -> list[Text]:
    """Everything that stands on a card, line by line."""
    said = [
        both_names(card.names),
        text("{kind}, {use}", kind=KIND_NAMES[card.kind], use=USE_NAMES[card.use]),
    ]
    if card.use == EQUIP:
        said.append(text("Damage {n}, catalyst {m}", n=card.damage, m=card.catalyst))
        said.append(text("Fits the character's side: {sides}", sides=links(card)))
    if card.stay:
        said.append(text("Stays attached"))
    if card.six:
        said.append(text("Carries the 6"))
    said += [_clause(clause) for clause in card.clauses]
    if card.printed:
        said.append(text("Do what the card says and set the counters"))
    if card.house:
        said.append(text("Some values are of the house"))
    return said


def character_lines(character: Character) -> list[Text]:
    """Both sides of a character."""
    said = [both_names(character.names)]
    for face, what in zip(character.faces, (NORMAL, AWAKENED), strict=True):
        up, left, down, right = (slot_sign(number) for number in face.slots)
        said.append(text("{side}: {a} {b} {c} {d}", side=what, a=up, b=left, c=down, d=right))
        said += [_clause(clause) for clause in face.clauses]
        if face.printed:
            said.append(text("Do what the card says and set the counters"))
    said.append(text("Awakens: {when}", when=turning(character.awakens)))
    if character.returns:
        said.append(text("Turns back: {when}", when=turning(character.returns)))
    if character.house:
        said.append(text("Some values are of the house"))
    return said


def skill_text(character: Character, awakened: bool) -> Text:
    """What a side of a character can do."""
    return joined([_clause(clause) for clause in character.faces[awakened].clauses])


def slot_sign(number: int) -> str:
    """A slot's number; the star is named before the roll."""
    return str(number) if number else "*"


def turning(when: str) -> Text:
    """When a character turns over."""
    return text("at {n} HP", n=int(when[3:])) if when.startswith("hp ") else _TURNS[when]


def sum_text(state: State, parts: tuple[tuple[str, int], ...], total: int) -> Text:
    """Damage as it builds up: `Dagger 1, Charge +4 = 5`."""
    if not parts:
        return text("{n}", n=total)
    (first, number), *rest = parts
    said = text("{what} {n}", what=_part(state, first), n=number)
    for word, more in rest:
        said = text("{a}, {what} {n}", a=said, what=_part(state, word), n=f"{more:+}")
    return text("{sum} = {n}", sum=said, n=total) if rest else said


def _part(state: State, word: str) -> Text:
    return _PARTS[word] if word in _PARTS else state.cards[word].name


def outcome(state: State, report: Report) -> Text:
    """How the last effect ended."""
    match report.end:
        case "hit":
            return text("{who}: {n} damage", who=Seat(report.victim), n=report.dealt)
        case "miss":
            return text("Miss!")
        case "passed":
            return text("The 6 is not used")
        case "ready":
            card, who = name(state, report.card), Seat(report.victim)
            return text("{who} has {card} ready", who=who, card=card)
        case "unpaid":
            return text("{card}: no catalysts", card=name(state, report.card))
    return text("{card} acts", card=name(state, report.card))


def value_text(field: str, value: int | str) -> Text:
    """A printed value as it is offered."""
    if value == PRINTED:
        return text("Something else")
    if field in ("awakens", "returns"):
        return turning(str(value))
    if field in ("stay", "six"):
        return text("yes") if value else text("no")
    if field == "use":
        return USE_NAMES[str(value)]
    if value == "":
        return text("none")
    if field == "links":
        return joined([PLACE_NAMES[place] for place in str(value).split()])
    if field in ("text", "awake_text"):
        return joined([_clause(clause) for clause in read(str(value), WORDS)])
    if field.removeprefix("awake_") in PLACES:
        return text("{v}", v=slot_sign(int(value)))
    return NAMES.get(str(value), text("{v}", v=str(value)))


COMPARISON = Comparison(FIELD_NAMES, value_text)
