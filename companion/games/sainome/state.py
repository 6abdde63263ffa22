"""The state of a game of Sainome Colosseum, and what can be read off it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from companion.games.api import option
from companion.games.cardfile import Correction, cards_of, kept, whose_cards
from companion.games.cardgame import UNKNOWN as UNKNOWN
from companion.games.cardgame import with_side as with_side
from companion.games.cardgame import without as without
from companion.games.effects import Condition, Due
from companion.games.records import replace
from companion.games.sainome.cards import deck
from companion.games.sainome.kinds import STAR, Card, Cards, Character, Face
from companion.words import text

SEATS = (0, 1)
HAND, ACTIONS = 5, 2
SLOTS = range(4)
IN_HAND = 4
"""Instead of a slot: the card comes out of the hand."""
NOBODY = -1
NOTHING_WORN = ("", "", "", "")
CHAINS = ("press", "moment", "flow")
"""After each effect: a press, a moment, or at once."""
SIZES = (10, 7, 5, *(n for n in range(1, 21) if n not in (10, 7, 5)))
"""HP stacks, the rulebook's own first (R6); with 20 each the hands take the last ten cards."""
SETTING_UP = ("off", "right", "choose", "deal", "draft")
"""Phases before anybody has HP."""


@dataclass(frozen=True, slots=True)
class Options:
    """How many HP, draft or not, whose cards, and how a chain of effects is shown."""

    hp: int = option(10, label=text("HP"), values=SIZES)
    draft: str = option(
        "no", label=text("Draft of HP"), values=("no", "yes"), names=(text("no"), text("yes"))
    )
    cards: str = whose_cards()
    chain: str = option(
        "press",
        label=text("After each effect"),
        values=CHAINS,
        names=(text("a press"), text("a moment"), text("go on")),
    )
    corrections: tuple[Correction, ...] = ()
    bombs: str = option(
        "each",
        label=text("Two Time Bombs"),
        values=("each", "together"),
        names=(text("one by one"), text("together")),
    )
    sting: str = option(
        "side",
        label=text("Skill on a miss"),
        values=("side", "any"),
        names=(text("no such side"), text("any miss")),
    )
    rules: int = field(default=3, repr=False)
    """Their version: in 1 a card that a Charge set off lost its own turn, until 2 a counter card
    used by its 6 was only discarded."""


@dataclass(frozen=True, slots=True)
class Side:
    """A player's cards. Secret: stack, hand and pack."""

    character: str = ""
    stack: tuple[str, ...] = ()  # HP, first on top
    hand: tuple[str, ...] = ()
    worn: tuple[str, str, str, str] = NOTHING_WORN  # up, left, down, right
    awake: bool = False
    driven: bool = False  # awakened by Overdrive, until the trash phase
    owed: int = 0  # cards still to draw
    fewer: int = 0  # actions less in the next action phase
    pack: tuple[str, ...] = ()  # draft: what is left to choose from
    ready: tuple[str, ...] = ()  # counter cards that lie open since their 6

    @property
    def awakened(self) -> bool:
        """Does the awakened side lie up?"""
        return self.awake or self.driven


@dataclass(frozen=True, slots=True)
class Attack:
    """A roll and the cards that it sets off; `place` is the one that acts now."""

    two: bool = False  # Choice of Two
    star: int = 0  # the number named for a star slot
    dice: tuple[int, ...] = ()
    number: int = 0  # the roll that counts
    queue: tuple[int, ...] = ()  # slots still to act
    place: int = NOBODY
    card: str = ""  # a 6-card out of the hand
    plus: int = 0  # by Charge
    paid: int = 0  # catalysts
    burnt: int = 0
    luck: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """Damage on its way: what it is made of, and what the victim has done about it."""

    victim: int
    card: str
    parts: tuple[tuple[str, int], ...]
    amount: int
    countered: str = ""  # the counter card, one at a time
    guarded: int = 0
    number: int = 0  # Guts: the named number
    guts: bool = False  # stays at 1 HP


@dataclass(frozen=True, slots=True)
class Report:
    """How the last effect went, as it is shown: parts as (card or word, number)."""

    end: str  # hit, miss, passed, idle, unpaid, ready
    card: str = ""
    victim: int = 0
    parts: tuple[tuple[str, int], ...] = ()
    amount: int = 0
    dealt: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """Everything; `phase` says what the table waits for, unless dice, a hit or an effect comes."""

    options: Options
    sides: tuple[Side, Side]
    corrections: tuple[Correction, ...] = ()
    deck: tuple[str, ...] = ()  # first on top
    discard: tuple[str, ...] = ()
    phase: str = "off"
    mover: int = 0
    turns: int = 0  # turns begun
    off: tuple[int, int] = (0, 0)  # the roll-off
    chooser: int = 0  # who chooses a character
    fitting: int = 0  # who attaches cards
    done: tuple[str, ...] = ()  # actions of this phase
    swift: bool = False  # Quick Change: an attack follows the re-equipping
    throw: str = ""  # why dice are thrown
    reckless: tuple[int, int] = (0, 0)  # Reckless Assault: dice to throw, damage so far
    attack: Attack | None = None
    hit: Hit | None = None
    due: tuple[Due, ...] = ()
    played: str = ""  # an instant, until it is carried out
    kind: str = ""  # cardboard: the kind of the card that comes
    shown: str = ""  # cardboard: the card (or character) that lies shown, not yet played
    learning: bool = False  # its print is being compared
    asked: tuple[str, ...] = ()  # cards whose print was compared
    editing: str = ""  # the value that its owner is entering
    report: Report | None = None

    def __post_init__(self) -> None:
        if type(self.corrections) is tuple:  # not kept yet
            object.__setattr__(self, "corrections", kept(self.corrections))

    @property
    def cards(self) -> Cards:
        """The cards with all corrections."""
        return cards_of(self.corrections, deck)

    @property
    def cardboard(self) -> bool:
        """Real cards, of which the companion knows only what was shown."""
        return self.options.cards == "table"

    @property
    def other(self) -> int:
        """Who is not on turn."""
        return 1 - self.mover

    @property
    def over(self) -> bool:
        """Is somebody's HP stack used up?"""
        one, other = self.sides
        return not (one.stack and other.stack) and self.phase not in SETTING_UP

    @property
    def strike(self) -> Attack:
        """The attack that is under way."""
        return self.attack or Attack()

    @property
    def shuffling(self) -> bool:
        """Must the discards be shuffled before play goes on?"""
        if self.deck or self.phase in ("off", "right", "choose"):
            return False
        return self.phase == "deal" or bool(self.discard and any(s.owed for s in self.sides))

    def character(self, seat: int) -> Character:
        """A seat's character."""
        return self.cards.characters[self.sides[seat].character]

    def face(self, seat: int) -> Face:
        """The side of the character that lies up."""
        return self.character(seat).faces[self.sides[seat].awakened]

    def worn(self, seat: int) -> Iterator[tuple[int, Card]]:
        """The cards that a seat has attached itself: a Time Bomb is not one of them."""
        cards = self.cards
        for place, key in enumerate(self.sides[seat].worn):
            if key and not cards[key].planted:
                yield place, cards[key]

    def limit(self, seat: int) -> int:
        """How many cards a hand may hold."""
        return HAND + sum(card.verb("limit", "worn") for _, card in self.worn(seat))

    def allowed(self) -> int:
        """How many actions the mover has left; in which order is free (R13)."""
        most = max(0, ACTIONS - self.sides[self.mover].fewer)
        return max(0, most - len(self.done))

    def number(self, seat: int, place: int) -> int:
        """The number of a slot; a star slot has the one that was named."""
        printed = self.face(seat).slots[place]
        return self.strike.star if printed == STAR and seat == self.mover else printed


def in_slot(worn: tuple[str, str, str, str], place: int, card: str) -> tuple[str, str, str, str]:
    """The slots with another card (or none) in one of them."""
    up, left, down, right = (card if at == place else old for at, old in enumerate(worn))
    return up, left, down, right


def into_hand(state: State, seat: int, *cards: str) -> State:
    """Cards come into a hand; real ones lose their names there."""
    named = tuple(UNKNOWN if state.cardboard else card for card in cards)
    return with_side(state, seat, hand=state.sides[seat].hand + named)


def discarded(state: State, *cards: str) -> State:
    """Cards come onto the common discard pile."""
    return replace(state, discard=(*state.discard, *cards))


def lying(state: State) -> Counter[str]:
    """The cards that everybody sees, by name."""
    seen = [*state.discard, state.played]
    seen += [card for side in state.sides for card in (*side.worn, *side.ready)]
    if state.attack is not None:
        seen.append(state.attack.card)
    if state.shown in state.cards:
        seen.append(state.shown)
    if state.cardboard:  # while somebody re-equips, what came off is still known
        seen += [card for side in state.sides for card in side.hand]
    return Counter(card for card in seen if card and card != UNKNOWN)


def pool(state: State) -> Counter[str]:
    """What the cards that nobody sees can still be."""
    return Counter(state.cards.deck) - lying(state)


def met(state: State, seat: int, card: Card | None = None) -> Callable[[Condition], bool]:
    """Does a condition hold for this seat's text, acting with this card?"""

    def holds(need: Condition) -> bool:
        mine, other = state.sides[seat], state.sides[1 - seat]
        match need.word:
            case "with":
                return card is not None and card.is_a(need.of)
            case "six":
                return state.strike.number == 6
            case "empty":
                return mine.worn.count("") >= need.amount
            case "behind":
                return len(mine.stack) < len(other.stack)
            case "last":
                return len(mine.stack) == 1
        return state.hit is not None and state.hit.amount >= len(mine.stack)

    return holds
