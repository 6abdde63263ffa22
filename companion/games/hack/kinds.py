"""What is printed on the cards of .hack//ENEMY, and the words they are written in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.cardfile import Values
from companion.games.effects import Clause, Condition, Vocabulary, Word
from companion.words import Name, Text, text

PC, ITEM, MONSTER, ACTION = "pc", "item", "monster", "action"  # R2
KIND_NAMES: dict[str, Text] = {
    PC: text("PC"),
    ITEM: text("Item"),
    MONSTER: text("Monster"),
    ACTION: text("Action"),
}
WEAPON, ARMOR = "weapon", "armor"
ELEMENTS = ("wood", "earth", "fire", "water", "darkness", "thunder")  # R3
# R4
CLASSES = ("twin blade", "long arm", "wavemaster", "heavy blade", "heavy axeman", "blademaster")
SPECIES = ("armor", "samurai", "swordsman", "goblin", "bird", "worm", "spirit", "stone", "dragon")
HIDDEN = "hidden card"

NAMES: dict[str, Text] = {
    "": text("any"),
    "wood": text("Wood"),
    "earth": text("Earth"),
    "fire": text("Fire"),
    "water": text("Water"),
    "darkness": text("Darkness"),
    "thunder": text("Thunder"),
    "twin blade": text("Twin Blade"),
    "long arm": text("Long Arm"),
    "wavemaster": text("Wavemaster"),
    "heavy blade": text("Heavy Blade"),
    "heavy axeman": text("Heavy Axeman"),
    "blademaster": text("Blademaster"),
    "armor": text("{name}", name=Name("Armor", "鎧")),  # what a PC wears is 防具
    "samurai": text("Samurai"),
    "swordsman": text("Swordsman"),
    "goblin": text("Goblin"),
    "bird": text("Bird"),
    "worm": text("Worm"),
    "spirit": text("Spirit"),
    "stone": text("Stone"),
    "dragon": text("Dragon"),
    HIDDEN: text("hidden card"),
    "other": text("other"),
}
SIGNS = "+ -"
WORDS = Vocabulary(
    whens={
        "played": text("Played"),
        "reward": text("Reward"),
        "flip": text("Flip"),
        "fights": text("Fight"),
        "portal": text("Portal"),
    },
    verbs={
        "strength": Word(text("strength {n}", n=""), signs=SIGNS),
        "destiny": Word(text("destiny {n}", n=""), signs=SIGNS),
        "draw": Word(text("draw {n}", n="")),
        "heal": Word(text("heal {n}", n="")),
        "wound": Word(text("wound {n} PC", n="")),
        "discard": Word(text("other discards {n}", n="")),
        "destroy": Word(text("destroy {n} item", n="")),
        "score": Word(text("score {n}", n="")),
        "join": Word(text("may join")),
    },
    conditions={
        "spot": Word(text("you spot {n} {of}", n="", of=""), of=("*",)),
        "against": Word(text("against {of}", of=""), of=("*",)),
        "with": Word(text("with {of}", of=""), of=("*",)),
        "wounded": Word(text("wounded")),
    },
    names=NAMES,
)


@dataclass(frozen=True, slots=True)
class Card:
    """One printed card. What does not apply to its kind stays empty."""

    key: str
    kind: str
    name: Text
    house: bool  # some value is our own design
    strength: int = 0
    destiny: int = 0
    element: str = ""
    points: int = 0
    tolerance: int = 0
    species: str = ""  # monsters
    pc_class: str = ""  # PCs
    bearer: str = ""  # items: the class that may bear it, "" any
    subtype: str = ""  # items: weapon, armor
    storable: bool = False
    unique: bool = False
    needs: tuple[Condition, ...] = ()
    clauses: tuple[Clause, ...] = ()
    printed: bool = False  # its text is left to the players

    def is_a(self, what: str) -> bool:
        """Does the card show this element, species or class? Icons within its text do not (R58)."""
        return bool(what) and what in (self.element, self.species, self.pc_class)

    def has(self, when: str) -> bool:
        """Does its text say something about this moment?"""
        return any(clause.when == when for clause in self.clauses)


@dataclass(frozen=True, slots=True)
class Cards:
    """All cards, the two deck lists, and where each value is from."""

    cards: Mapping[str, Card]
    decks: Mapping[str, tuple[str, ...]]  # "a", "b": every copy by name
    values: Values

    def __getitem__(self, key: str) -> Card:
        return self.cards[key]

    def __contains__(self, key: object) -> bool:
        return key in self.cards
