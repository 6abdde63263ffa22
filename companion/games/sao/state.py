"""The state of a game of Sword of Fellows and what can be read off it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from companion.games.api import option
from companion.games.cardfile import Correction, cards_of, kept, whose_cards
from companion.games.records import replace
from companion.games.sao.assign import Arms, Dice, Plan, Uses, arms, plans
from companion.games.sao.cards import deck
from companion.games.sao.kinds import Cards, Character, Scenario, Skill, Step
from companion.words import Text, text

EASY, NORMAL, FEWER, NO_DICE, BOTH = "easy", "normal", "fewer", "nodice", "both"
DIFFICULTIES = {
    EASY: text("easy"),
    NORMAL: text("normal"),
    FEWER: text("fewer abilities"),
    NO_DICE: text("no blue dice"),
    BOTH: text("both"),
}
SIDES = {"lisbeth": ("+2", "x2"), "silica": ("shield", "control")}
"""Who owns an addition token, and its two sides."""
BOOK_USES = (1, 1, 2)
"""By level, for any number of players: all that the rulebook says of them."""


@dataclass(frozen=True, slots=True)
class Options:
    """How hard, whose cards, and what the owner of the box has corrected."""

    difficulty: str = option(
        NORMAL,
        label=text("Difficulty"),
        values=tuple(DIFFICULTIES),
        names=tuple(DIFFICULTIES.values()),
    )
    cards: str = whose_cards()
    corrections: tuple[Correction, ...] = ()
    throwing: str = option(
        "lead",
        label=text("Again, says"),
        values=("lead", "either"),
        names=(text("turn player"), text("either one")),
    )
    uses: str = option(
        "players",
        label=text("Ability uses"),
        values=("players", "book"),
        names=(text("by players"), text("1, 1, 2")),
    )
    gear: str = option(
        "either",
        label=text("Gear moves by"),
        values=("either", "holder"),
        names=(text("turn or holder"), text("holder alone")),
    )


@dataclass(frozen=True, slots=True)
class Hero:
    """A character in play."""

    key: str
    hp: int
    uses: int
    exhausted: bool = False
    dead: bool = False


@dataclass(frozen=True, slots=True)
class Thrown:
    """A die of this turn: whose throw it is, and what lies on top (0: in the hand)."""

    body: str
    by: int
    face: int = 0
    of: int = -1  # a character die: whose
    counts: int = 0  # a character die that the die-control token turned: as what it counts
    fresh: bool = True  # part of the last throw


@dataclass(frozen=True, slots=True)
class Token:
    """An addition token; `holder` -1 is at home with its owner."""

    owner: int
    side: str = ""
    holder: int = -1


@dataclass(frozen=True, slots=True)
class Owned:
    """An item of the party: equipment has a holder, a consumable lies ready for all (-1)."""

    item: str
    holder: int = -1


@dataclass(frozen=True, slots=True)
class State:
    """Everything; `phase` says what the table waits for."""

    seats: int
    options: Options
    corrections: tuple[Correction, ...] = ()
    phase: str = "choose"
    picks: tuple[str, ...] = ()  # characters by place, "" while not chosen
    heroes: tuple[Hero, ...] = ()
    level: int = 0
    section: int = 0
    scenario: str = ""
    step: int = 0
    damage: int = 0
    turn: int = 0
    partner: int = -1
    dice: tuple[Thrown, ...] = ()
    marks: tuple[int, ...] = ()
    rerolls: int = 0  # rounds thrown again this turn
    ring: int = 0  # rounds of the ring's own that are gone
    free: tuple[int, ...] = ()  # easy: who has used this turn's free ability
    spent: Uses = ()
    switch: bool = False
    asks: tuple[tuple[str, int], ...] = ()  # effects that still want a target
    tokens: tuple[Token, ...] = ()
    kit: tuple[Owned, ...] = ()
    deck: tuple[str, ...] = ()  # items not yet found
    moved: tuple[str, ...] = ()  # equipment that changed hands in this clearing
    yui: int = 0
    then: str = ""  # how it goes on once the fallen are seen to
    editing: tuple[str, str] = ("", "")
    back: str = ""  # the phase a correction returns to
    outcome: str = ""  # won, lost

    def __post_init__(self) -> None:
        if type(self.corrections) is tuple:  # not kept yet
            object.__setattr__(self, "corrections", kept(self.corrections))

    @property
    def cards(self) -> Cards:
        """The cards with all corrections."""
        return cards_of(self.corrections, deck)

    @property
    def scene(self) -> Scenario:
        """The scenario that is fought."""
        return self.cards.scenarios[self.scenario]

    @property
    def now(self) -> Step:
        """The step that is fought."""
        return self.scene.steps[self.step]

    @property
    def last(self) -> bool:
        """The second step of the final battle, with its own rules."""
        return self.section == 3 and self.step == 1 and bool(self.scenario)

    @property
    def pair(self) -> tuple[int, ...]:
        """The turn player and the chaining partner."""
        return (self.turn,) if self.partner < 0 else (self.turn, self.partner)

    @property
    def pool(self) -> Dice:
        """What each die may count as."""
        return tuple(self.values(die) for die in self.dice)

    def values(self, die: Thrown) -> tuple[int, ...]:
        """What one lying die may count as."""
        if die.counts:
            return (die.counts,)
        if die.of < 0:
            return (die.face,)
        return self.card(die.of).faces[die.face - 1]

    def card(self, who: int) -> Character:
        """A character's card."""
        return self.cards.characters[self.picks[who]]

    def seat(self, who: int) -> int:
        """Whose character it is: alone, one person plays both."""
        return who if self.seats > 1 else 0

    def top(self, who: int) -> int:
        """A character's full HP at this level."""
        return self.card(who).hp[self.level]

    def most(self) -> int:
        """Ability uses per scenario at this level (H8); by the book they rise at 80 (R42, R43)."""
        uses = self.cards.uses[self.level][len(self.picks) - 2]
        if self.options.uses == "book":
            uses = BOOK_USES[self.level]
        return max(0, uses - 1) if self.options.difficulty in (FEWER, BOTH) else uses

    @property
    def blue(self) -> bool:
        """Are character dice in play?"""
        return self.level > 0 and self.options.difficulty not in (NO_DICE, BOTH)

    def living(self) -> tuple[int, ...]:
        """Everyone who still stands."""
        return tuple(i for i, hero in enumerate(self.heroes) if not hero.dead)

    def kirito(self) -> int:
        """Where Kirito sits."""
        return self.picks.index("kirito")

    def worn(self, effect: str, who: int) -> int:
        """How much a character's equipment adds to this effect."""
        items = self.cards.items
        return sum(
            items[owned.item].amount
            for owned in self.kit
            if owned.holder == who and items[owned.item].effect == effect
        )

    def holds(self, side: str, who: int) -> bool:
        """Is a token with this side up attached to the character?"""
        return any(token.side == side and token.holder == who for token in self.tokens)

    def throws(self) -> tuple[int, int]:
        """Rounds the pair may still throw again, and (after these) whose ring adds one, or -1."""
        shared = max(0, self.now.rerolls - self.rerolls)
        if shared or not self.now.rerolls:
            return shared, -1
        return 0, next((who for who in self.pair if self.worn("reroll", who) > self.ring), -1)

    def left(self) -> int:
        """How many rounds may still be thrown: the shared ones, or after these the ring's."""
        shared, ring = self.throws()
        return shared if ring < 0 else self.worn("reroll", ring) - self.ring

    def arms(self, level: int | None = None) -> Arms:
        """What the turn player's sword skills do now: those known at this level, or at another."""
        known = self.level if level is None else level
        plus = self.worn("edge", self.turn) + (2 if self.holds("+2", self.turn) else 0)
        times = 2 if self.holds("x2", self.turn) else 1
        return _arms(self.card(self.turn).skills, known, self.now, times, plus, self.last)

    def blow(self, uses: Uses) -> int:
        """The damage that these skills do together."""
        every = self.arms(2)
        blows = {blow.skill: blow for blow in every.blows}
        hits = [blows[number] for number, _ in uses]
        return every.damage(sum(hit.plain for hit in hits), sum(hit.sure for hit in hits))

    def plans(self) -> tuple[Plan, ...]:
        """The uses of the lying dice that matter, best first."""
        return plans(self.arms(), self.pool)

    def unspent(self) -> tuple[int, ...]:
        """The dice that no skill has taken yet."""
        taken = {die for _, dice in self.spent for die in dice}
        return tuple(i for i in range(len(self.dice)) if i not in taken)

    def victims(self) -> tuple[int, ...]:
        """Whom a counterattack hits now: all (R32), in the last step the partner (R58, R59)."""
        if self.now.aoe:
            return self.living()
        if self.last and self.partner >= 0:
            return (self.partner,)
        return (self.turn,)

    def turned_back(self) -> int:
        """What the enemy would take of its own counterattack (H2, R72)."""
        return max(0, self.now.damage - self.now.defense)

    def takers(self, effect: str) -> tuple[int, ...]:
        """Who can take an effect of a skill: the hurt, or all but the owner of a token at home."""
        if effect == "heal":
            return tuple(who for who in self.living() if self.heroes[who].hp < self.top(who))
        ready = any(token.owner == self.turn and token.holder < 0 for token in self.tokens)
        if not ready or effect not in SIDES[self.picks[self.turn]]:
            return ()
        return tuple(who for who in self.living() if who != self.turn)

    def gratis(self, who: int) -> bool:
        """Has the character an ability for nothing in this turn (R63)?"""
        easy = self.options.difficulty == EASY
        return easy and who in self.pair and who not in self.free

    def fallen(self) -> tuple[int, ...]:
        """Those at 0 HP whose fate is open."""
        return tuple(i for i in self.living() if self.heroes[i].hp == 0)

    def relic(self) -> str:
        """A revival item that may be used now, or none."""
        if not self.now.consumables:
            return ""
        items = self.cards.items
        return next((o.item for o in self.kit if items[o.item].effect == "revive"), "")


@lru_cache(maxsize=256)
def _arms(
    skills: tuple[Skill, ...], level: int, step: Step, times: int, plus: int, summed: bool
) -> Arms:
    known = [(n, skill) for n, skill in enumerate(skills) if skill.level <= level]
    return arms(known, step, times=times, plus=plus, summed=summed)


def hero(state: State, who: int, **changes: int | bool) -> State:
    """The state with one character changed."""
    one = replace(state.heroes[who], **changes)  # type: ignore[arg-type]  # the caller names fields
    return replace(state, heroes=(*state.heroes[:who], one, *state.heroes[who + 1 :]))


def home(state: State, holders: Iterable[int], sides: tuple[str, ...]) -> State:
    """Addition tokens with these sides go back from these holders."""
    gone = tuple(holders)
    tokens = tuple(
        Token(t.owner) if t.holder in gone and t.side in sides else t for t in state.tokens
    )
    return state if tokens == state.tokens else replace(state, tokens=tokens)


def name(state: State, who: int) -> Text:
    """A character's name."""
    return Text(state.card(who).name)
