"""The state of a game of .hack//ENEMY, and what can be read off it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from companion.games.api import option
from companion.games.cardfile import Correction, cards_of, kept, whose_cards
from companion.games.cardgame import UNKNOWN as UNKNOWN
from companion.games.cardgame import held as held
from companion.games.cardgame import with_side as with_side
from companion.games.cardgame import without as without
from companion.games.effects import Due
from companion.games.hack.cards import deck
from companion.games.hack.kinds import ACTION, Card, Cards
from companion.words import text

SEATS = (0, 1)

HAND, START_HAND, WIN = 5, 4, 7
MOST_PCS, MOST_HIDDEN = 3, 5
NOBODY = -1


@dataclass(frozen=True, slots=True)
class Options:
    """Which decks, whose cards, and what the owner of the box has corrected."""

    decks: str = option(
        "ab",
        label=text("Decks"),
        values=("ab", "aa", "bb"),
        names=(text("A and B"), text("both A"), text("both B")),
    )
    cards: str = whose_cards()
    corrections: tuple[Correction, ...] = ()
    ties: str = option(
        "wound",
        label=text("Tolerance 0, tie"),
        values=("wound", "spare"),
        names=(text("a wound"), text("no wound")),
    )
    rules: int = field(default=2, repr=False)
    """Their version: in 1 flips and rewards knew nothing of their fight."""


@dataclass(frozen=True, slots=True)
class Hero:
    """A PC in play and the items that it bears."""

    card: str
    items: tuple[str, ...] = ()
    wounded: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """A player's cards. Secret: deck, hand and hidden."""

    deck: tuple[str, ...] = ()  # first on top
    hand: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    heroes: tuple[Hero, ...] = ()
    portal: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    owed: int = 0  # cards still to draw
    extra: int = 0  # points that no card in the pile shows: by an effect or the table's word


@dataclass(frozen=True, slots=True)
class Battle:
    """A PC against one or more monsters; numbers by seat, a destiny of -1 is not drawn yet."""

    pc: str
    monsters: tuple[str, ...]
    plus: tuple[int, int] = (0, 0)  # strength by flipped actions (R54)
    fate: tuple[int, int] = (0, 0)  # destiny by flipped actions
    destiny: tuple[int, int] = (NOBODY, NOBODY)
    drawn: tuple[str, ...] = ()  # the cards whose destiny it is


@dataclass(frozen=True, slots=True)
class Report:
    """How the last fight went, as it is shown: parts by seat as (card or word, number)."""

    pc: str
    sums: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]
    totals: tuple[int, int]
    tolerance: int
    outcome: str  # won (by the PC), held (lost, not wounded), wounded, destroyed
    drawn: tuple[str, ...] = ()  # for destiny


@dataclass(frozen=True, slots=True)
class State:
    """Everything; `phase` says what the table waits for."""

    options: Options
    sides: tuple[Side, Side]
    corrections: tuple[Correction, ...] = ()
    phase: str = "cut"
    mover: int = 0
    turns: int = 0  # turns begun
    cut: tuple[int, int] = (NOBODY, NOBODY)
    kind: str = ""  # cardboard: the kind that is going to be played
    shown: str = ""  # cardboard: the card that lies on the table, not yet played
    asked: tuple[str, ...] = ()  # cards whose print was compared
    editing: str = ""  # the value that its owner is entering
    attackers: tuple[str, ...] = ()  # in the attack, in no fight
    battles: tuple[Battle, ...] = ()  # the first one is fought once the phase is past "order"
    passed: int = 0  # seats in a row that flip nothing more
    rewards: tuple[str, ...] = ()  # winning monsters whose reward is still open
    due: tuple[Due, ...] = ()
    last: bool = False  # the last card of a deck was drawn: the game ends with this turn
    report: Report | None = None
    earlier: tuple[Report, ...] = ()  # the fights of this attack before the last
    back: str = ""  # over by points: the phase that it goes on with if they are taken away

    def __post_init__(self) -> None:
        if type(self.corrections) is tuple:  # not kept yet
            object.__setattr__(self, "corrections", kept(self.corrections))

    @property
    def stage(self) -> str:
        """The phase, or the one in which seven points ended the game."""
        return self.back or self.phase

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
        """Who is not on turn: the defender."""
        return 1 - self.mover

    @property
    def battle(self) -> Battle:
        """The fight that is being resolved."""
        return self.battles[0]

    def list_of(self, seat: int) -> tuple[str, ...]:
        """Every copy of a seat's deck, by name."""
        return self.cards.decks[self.options.decks[seat]]

    def hero(self, seat: int, card: str) -> Hero | None:
        """A seat's PC of this name in play."""
        return next((hero for hero in self.sides[seat].heroes if hero.card == card), None)

    def points(self, seat: int) -> int:
        """Victory points of a seat."""
        side = self.sides[seat]
        if not side.score:
            return max(0, side.extra)
        cards = self.cards
        return max(0, side.extra + sum(cards[card].points for card in side.score))

    def attacking(self) -> tuple[str, ...]:
        """Every monster in the attack."""
        return self.attackers + tuple(m for battle in self.battles for m in battle.monsters)

    def first_turn(self) -> bool:
        """Is it the mover's first turn?"""
        return self.turns <= 2

    def drawing(self) -> int:
        """The seat whose empty deck must be shuffled anew before play goes on, or NOBODY."""
        for seat in (self.mover, self.other):
            side = self.sides[seat]
            if side.deck or not side.discard:
                continue
            fate = self.phase == "destiny" and self.battle.destiny[seat] == NOBODY
            if side.owed or fate:
                return seat
        return NOBODY


def known(state: State, seat: int) -> Counter[str]:
    """The cards of a seat that lie open for everybody, by name."""
    side = state.sides[seat]
    open_cards = [*side.portal, *side.score, *side.discard]
    open_cards += [card for hero in side.heroes for card in (hero.card, *hero.items)]
    if seat == state.mover:
        open_cards += state.attacking()
    if state.shown and seat == shower(state):
        open_cards.append(state.shown)
    return Counter(card for card in open_cards if card != UNKNOWN)


def shower(state: State) -> int:
    """Whose shown card lies on the table: in a fight that of the one who flips."""
    return flipper(state) if state.battles else state.mover


def flipper(state: State) -> int:
    """Who may flip now: the defender first, then the attacker, in turns."""
    return state.mover if state.passed % 2 else state.other


def pool(state: State, seat: int) -> Counter[str]:
    """What the cards of a seat that nobody sees can still be."""
    return Counter(state.list_of(seat)) - known(state, seat)


def could_flip(state: State, seat: int) -> bool:
    """Could one of the hidden cards be an action, by what everybody sees?"""
    if not state.sides[seat].hidden:
        return False
    return any(state.cards[card].kind == ACTION for card in pool(state, seat))


def seen_cards(state: State) -> tuple[Card, ...]:
    """What can be spotted: PCs, items, portals, score piles, the attack; both sides (R55, R56)."""
    keys = list(state.attacking())
    for side in state.sides:
        keys += [*side.portal, *side.score]
        keys += [card for hero in side.heroes for card in (hero.card, *hero.items)]
    return tuple(state.cards[key] for key in keys)
