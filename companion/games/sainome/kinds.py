"""What is printed on the cards of Sainome Colosseum, and the words they are written in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.cardfile import Values
from companion.games.effects import Clause, Vocabulary, Word
from companion.words import Name, Text, text

CHARACTER, WEAPON, MAGIC, ITEM, SKILL = "character", "weapon", "magic", "item", "skill"
KINDS = (WEAPON, MAGIC, ITEM, SKILL)
KIND_NAMES: dict[str, Text] = {
    WEAPON: text("Weapon"),
    MAGIC: text("Magic"),
    ITEM: text("{name}", name=Name("Item", "道具")),  # .hack//ENEMY calls its items アイテム
    SKILL: text("Skill"),
}
EQUIP, COUNTER, INSTANT = "equip", "counter", "instant"
USES = (EQUIP, COUNTER, INSTANT)
USE_NAMES: dict[str, Text] = {
    EQUIP: text("to equip"),
    COUNTER: text("counter"),
    INSTANT: text("instant"),
}
PLACES = ("up", "left", "down", "right")
PLACE_NAMES: dict[str, Text] = {
    "up": text("up"),
    "left": text("left"),
    "down": text("down"),
    "right": text("right"),
}
STAR = 0
"""A slot without a number of its own: its player names one before the roll."""

NAMES: dict[str, Text] = {
    "": text("any"),
    WEAPON: text("weapon"),
    MAGIC: text("magic"),
    ITEM: text("item"),
    SKILL: text("skill"),
    "saw": text("saw"),
}
WORDS = Vocabulary(
    whens={
        "power": text("Power"),
        "acts": text("Then"),
        "worn": text("Attached"),
        "played": text("Played"),
        "counter": text("Counter"),
        "rolled": text("After their roll"),
        "trash": text("Trash phase"),
        "rolls": text("Attack roll"),
        "misses": text("No such slot"),
        "hit": text("When hit"),
        "foe": text("Other player"),
    },
    verbs={
        "damage": Word(text("damage {n}", n=""), signs="+ - x / ="),
        "charge": Word(text("acts with another card, damage {n}", n=""), signs="+"),
        "luck": Word(text("roll: even +{n}, odd -{n}", n="")),
        "burn": Word(text("1 for each card discarded, up to {n}", n="")),
        "count": Word(text("{n} for each card attached", n="")),
        "free": Word(text("magic needs no catalyst")),
        "limit": Word(text("hand limit {n}", n=""), signs="+"),
        "break": Word(text("discard {n} attached card of theirs", n="")),
        "take": Word(text("take {n} attached card of theirs", n="")),
        "drop": Word(text("they lose {n} random card", n="")),
        "bind": Word(text("they have {n} action fewer", n="")),
        "plant": Word(text("attach this to them")),
        "blast": Word(text("{n} damage, then discard", n="")),
        "weigh": Word(text("roll two dice, choose their roll")),
        "guts": Word(text("name a number, roll two dice: stay at 1 HP")),
        "barrage": Word(text("discard what is attached, 1 damage each")),
        "swap": Word(text("swap hands")),
        "choice": Word(text("roll two dice, attack with one")),
        "change": Word(text("re-equip and attack")),
        "back": Word(text("{n} attached card returns to their hand", n="")),
        "overdrive": Word(text("awakened until your trash phase")),
        "reckless": Word(text("discard the hand, a die each, 1 damage for 4 or more")),
        "restart": Word(text("shuffle all but HP, 5 cards each")),
        "steal": Word(text("see their hand, take {n} card", n="")),
        "search": Word(text("take {n} card of the discard pile", n="")),
        "dice": Word(text("roll {n} dice, choose one", n="")),
        "star": Word(text("name the number of the star slot")),
        "again": Word(text("discard a card to roll again")),
        "guard": Word(text("discard attached cards, -1 each, up to {n}", n="")),
        "mute": Word(text("cannot use counter cards")),
        "sting": Word(text("{n} damage", n="")),
    },
    conditions={
        "with": Word(text("with {of}", of=""), of=(WEAPON, MAGIC, ITEM, SKILL, "saw")),
        "six": Word(text("a 6 was rolled")),
        "empty": Word(text("{n} of your slots are empty", n="")),
        "behind": Word(text("you have less HP")),
        "last": Word(text("you have 1 HP")),
        "deadly": Word(text("it would bring you to 0 HP")),
    },
    names=NAMES,
)


@dataclass(frozen=True, slots=True)
class Card:
    """One printed card. What does not apply to it stays empty."""

    key: str
    kind: str
    names: Name
    house: bool  # some value is our own design
    use: str
    damage: int
    catalyst: int
    links: tuple[str, ...]
    stay: bool
    six: bool
    family: str
    clauses: tuple[Clause, ...]
    printed: bool  # its text is left to the players

    @property
    def name(self) -> Text:
        """As the reader's own printing calls it."""
        return text("{card}", card=self.names)

    def is_a(self, what: str) -> bool:
        """Is it of this kind or family?"""
        return what in (self.kind, self.family)

    def verb(self, name: str, when: str = "power") -> int:
        """The amount that its text gives to a word at this moment; 0 if it says nothing of it."""
        return sum(c.effect.amount for c in self.clauses if (c.when, c.effect.verb) == (when, name))

    def has(self, when: str) -> bool:
        """Does its text say something about this moment?"""
        return any(clause.when == when for clause in self.clauses)

    @property
    def planted(self) -> bool:
        """A card that is attached to the other and goes off in his trash phase."""
        return self.has("trash")


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a character: the numbers of its slots and what it can do."""

    slots: tuple[int, int, int, int]
    clauses: tuple[Clause, ...]
    printed: bool

    def verb(self, name: str) -> int:
        """The amount that its text gives to a word without conditions; 0 if it has it not."""
        return sum(c.effect.amount for c in self.clauses if c.effect.verb == name and not c.needs)


@dataclass(frozen=True, slots=True)
class Character:
    """A character: normal and awakened, and when it turns over."""

    key: str
    names: Name
    house: bool
    faces: tuple[Face, Face]
    awakens: str  # "hp 3", "hurt", "trash"
    returns: str  # "", "draw", "trash"

    @property
    def name(self) -> Text:
        """As the reader's own printing calls it."""
        return text("{card}", card=self.names)


@dataclass(frozen=True, slots=True)
class Cards:
    """All cards and characters, the deck, and where each value is from."""

    cards: Mapping[str, Card]
    characters: Mapping[str, Character]
    deck: tuple[str, ...]  # every copy by name
    values: Values

    def __getitem__(self, key: str) -> Card:
        return self.cards[key]

    def __contains__(self, key: object) -> bool:
        return key in self.cards
