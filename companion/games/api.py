"""What a game is: a frozen value holding pure functions. docs/adding-a-game.md walks through it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from companion.errors import BadState, Illegal
from companion.games.lesson import Lesson
from companion.games.story import Story
from companion.views import Choice, View
from companion.words import SeatNo, Text, Value, template

if TYPE_CHECKING:  # it is made of what stands here
    from companion.games.box import Printing

S = TypeVar("S")
Pick = Callable[[int], int]
"""Chance, handed in from outside: `pick(n)` gives 0 to n-1, each alike."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in our words. `left` is the reason why it is left to the players, if it is.

    All but the id are templates: `make catalogues` collects the third argument by itself, sections
    and reasons are written as `template("…")`.
    """

    id: str
    section: str
    text: str
    left: str = ""
    kind: str = "rulebook"  # "house": a decision of ours where the rulebook makes none
    option: str = ""  # the option by which a table decides it otherwise


def house(id: str, text: str, option: str = "") -> Rule:
    """A decision of ours: players read its sentence, so `make catalogues` collects it."""
    return Rule(id, template("House rules"), text, kind="house", option=option)


@dataclass(frozen=True, slots=True)
class Die:
    """A thrown die: its body's colour and the value on top (for a character die, its face)."""

    body: str
    value: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice came to rest on the table: the action of chance that every dice game shares."""

    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class DiceWanted:
    """The roll that the table waits for: which bodies are thrown, by whom, what stays lying."""

    bodies: tuple[str, ...]
    by: tuple[int, ...] = ()
    kept: tuple[Die, ...] = ()
    characters: tuple[str, ...] = ()  # whose character dice the "blue" ones are, in that order


@dataclass(frozen=True, slots=True)
class Waiting:
    """Who must act: seats, dice, or chance that the companion itself supplies."""

    why: Text
    seats: tuple[int, ...] = ()
    dice: DiceWanted | None = None
    chance: bool = False
    forced: bool = False  # one answer whatever is hidden: that it comes by itself tells nothing
    either: bool = False  # one of the seats answers for all; the first of them leads
    moment: int = 0  # seconds after which a seat's first choice is taken by itself

    def __bool__(self) -> bool:
        return bool(self.seats) or self.dice is not None or self.chance

    def asks(self, seat: int) -> bool:
        """Whether this seat is to decide. Where one answers for all, the others only may help."""
        leads = not self.either or self.forced or self.seats[:1] == (seat,)
        return seat in self.seats and leads


@dataclass(frozen=True, slots=True)
class Counter:
    """A number that the table may overrule by hand."""

    key: str
    label: Text
    value: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Score:
    """One seat's points and where they come from."""

    seat: int
    total: int
    breakdown: tuple[tuple[Text, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How it ended: no winners is a draw (or, in a co-operative game, a defeat)."""

    winners: tuple[int, ...]
    why: Text
    scores: tuple[Score, ...] = ()


Correction = tuple[str, str, int | str]
"""A value told by the owner of the printed card: card, field, value."""


Citation = str | Callable[[Any, Any], str]
"""The id of a rule, or how it is found: (state before, action). It must not tell what is secret."""


@dataclass(frozen=True)
class CardSet:
    """A game's cards as data. Its options have a field `corrections`: a journal replays by them."""

    describe: Callable[[tuple[Correction, ...]], Iterable[tuple[str, str, str, str]]]
    """Rows of card, field, value and source, with these corrections laid over the shipped cards."""
    own: Callable[[str, str], tuple[Correction, ...]]
    """(text, file name) of the owner's TOML file; raises BadState naming file, card and reason."""
    to_toml: Callable[[Iterable[Correction]], str]
    """A file that `own` reads back."""
    learnt: Callable[[Any], tuple[Correction, ...]]
    """What a state knows of printed values: told before or during this game."""
    printing: Printing
    """How the cards are drawn in *My box*, and what may be changed there."""
    amended: Callable[[Any, tuple[Correction, ...]], Any] | None = None
    """The state with more of them told; None: they count from the next game on."""
    in_sight: Callable[[Any, SeatNo], Iterable[str]] = lambda _state, _seat: ()
    """The cards that this seat has before its eyes, the likeliest to be compared first."""
    rests_on: Callable[[Any], Iterable[tuple[str, str]]] = lambda _state: ()
    """Card and field of each value, not sure yet, that decides what all see just now."""


@dataclass(frozen=True)
class Secrets(Generic[S]):
    """What is hidden from whom, and which moves open it."""

    reveals: Callable[[S, Any], bool] = lambda _state, action: not hasattr(action, "seat")
    """Does the action show anybody what was hidden? No decision is taken back past it."""
    unseen: Callable[[S, SeatNo | None, Pick], S] | None = None
    """A state that this viewer cannot tell from the true one; the picks alone decide which."""


@dataclass(frozen=True)
class Rethrows(Generic[S]):
    """Dice on the table that hands may pick up and throw again without a button."""

    on_table: Callable[[S], DiceWanted | None] = lambda _state: None  # they are its `kept`
    rethrow: Callable[[S, tuple[int, ...]], Any] | None = None  # the action: these of `kept`


@dataclass(frozen=True)
class Rulings(Generic[S]):
    """The table has the last word: numbers set by hand, moves taken against a rule."""

    counters: Callable[[S], tuple[Counter, ...]] = lambda _state: ()
    overrule: Callable[[S, str, int], S] | None = None  # set a counter by the table's word
    force: Callable[[S, Any], S] | None = None  # soft mode: carry out what only a rule forbids


@dataclass(frozen=True)
class Game(Generic[S]):
    """The promises are in DESIGN's words; tests/games/test_contract.py holds every game to them."""

    key: str
    name: Text
    version: int  # of the rules: raise it when an old journal would fold to another state
    seats: range
    options: type  # frozen dataclass; make its fields with `option`
    state: type[S]
    actions: tuple[type, ...]  # frozen dataclasses; field `seat` says who acts, without it: chance
    rules: tuple[Rule, ...]

    new: Callable[[int, Any], S]  # the start, before any chance
    waiting: Callable[[S], Waiting]  # falsy when the game is over
    legal: Callable[[S, SeatNo], Iterable[Any]]  # every action the seat may take now
    apply: Callable[[S, Any], S]  # the only judge: raises Illegal(rule, why)
    view: Callable[[S, SeatNo | None], View]
    result: Callable[[S], Result | None]
    tell: Callable[[S, Any, SeatNo | None], Text]  # (state before, action), for this viewer
    cites: Mapping[type, Citation]  # the rule that each kind of action follows; told to everybody
    possible: Callable[[S], None]  # raises BadState on a state that cannot be
    cap: int  # no game of legal random moves takes more actions than this

    older: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """By older version: the options with which these rules fold its journals as they were."""
    roles: tuple[Text, ...] = ()  # what the rulebook calls the seats (Blue, Red), where it does
    chance: Callable[[S, Pick], Any] | None = None  # the companion's own chance: shuffles, deals
    lesson: Lesson | None = None  # how it is taught: no game on the shelf is without
    story: Story[S] = field(default_factory=Story)
    secrets: Secrets[S] = field(default_factory=Secrets)
    dice: Rethrows[S] = field(default_factory=Rethrows)
    rulings: Rulings[S] = field(default_factory=Rulings)
    skips: tuple[type, ...] = ()
    """Kinds of action that decide nothing (steps undone, marks, corrections): no bot makes one."""
    outlook: Callable[[Any, int], Text | None] | None = None
    """What players of this number may expect with these options, before the game."""
    cards: CardSet | None = None  # cards as data, if the game has some that an owner may correct
    grid_action: Callable[[S, tuple[tuple[str, ...], ...]], Any] | None = None
    """The action that a grid of tiles means now, as the eye read it; None: none is awaited."""
    advice: Callable[[S, SeatNo], tuple[Text, ...]] | None = None  # coach mode, best line first
    hints: Callable[[S, SeatNo], Iterable[Choice]] | None = None
    """Coach mode: choices with what the coach says of each as their detail, the best first."""
    wanted: Callable[[S, SeatNo], Any] | None = None
    """The action that most people want now, by what the seat knows: the finger begins there."""


def option(
    default: Any,
    *,
    label: Text,
    values: tuple[Any, ...],
    names: tuple[Text, ...] = (),
    virtual: Any = None,
) -> Any:
    """A field of an options class: what the lobby offers, by which name, and the default.

    `virtual` is the default at a table without cardboard, where it is another.
    """
    more = {} if virtual is None else {"virtual": virtual}
    told = {"label": label, "values": values, "names": names}
    return field(default=default, metadata=told | more)


def secret(**settings: Any) -> Any:
    """A field of an action that others may not know yet: no export of a running game holds it."""
    return field(metadata={"secret": True}, **settings)


def sealed(action: Any) -> bool:
    """Does the action hold something that others may not know yet?"""
    return any(f.metadata.get("secret") for f in fields(action))


def require(met: bool, rule: str, template: str, /, **values: Value) -> None:
    """Raise Illegal unless the condition holds: `require(n < 5, "R11", "{n} of 5 used", n=n)`.

    The template must stand here as a literal, as in `text`: `make catalogues` collects it.
    """
    if not met:
        raise Illegal(rule, Text(template, tuple(values.items())))


def require_counter(counters: Iterable[Counter], key: str, value: int) -> None:
    """Refuse to overrule what is no counter now, or with what it cannot be."""
    counter = next((counter for counter in counters if counter.key == key), None)
    if counter is None:
        raise BadState(f"there is no counter {key!r} now")
    if not counter.low <= value <= counter.high:
        raise BadState(f"{key} can be {counter.low} to {counter.high}, not {value}")


def moves(game: Game[S], state: S, seat: SeatNo) -> Iterable[Any]:
    """What a seat can decide now: legal, and without what decides nothing."""
    legal = [*game.legal(state, seat)]
    return [action for action in legal if not isinstance(action, game.skips)] or legal


def cited(game: Game[S], before: S, action: Any) -> str:
    """The id of the rule that an action follows."""
    rule = game.cites[type(action)]
    return rule if isinstance(rule, str) else rule(before, action)


def by_phase(**rules: str) -> Callable[[Any, Any], str]:
    """A citation that depends on the phase: `by_phase(cut="R8", destiny="R43")`."""
    return lambda before, _action: rules[before.phase]


def roll(wanted: DiceWanted, pick: Pick) -> Rolled:
    """A fair throw of the wanted dice, for playouts and virtual dice."""
    return Rolled(tuple(Die(body, pick(6) + 1) for body in wanted.bodies))


def fits(wanted: DiceWanted | None, thrown: Rolled) -> bool:
    """Is this the roll that was asked for: as many dice of each body, each showing 1 to 6?"""
    bodies = sorted(die.body for die in thrown.dice)
    faces = all(1 <= die.value <= 6 for die in thrown.dice)
    return wanted is not None and bodies == sorted(wanted.bodies) and faces


def shuffled(items: Iterable[Any], pick: Pick) -> tuple[Any, ...]:
    """The items in an order that chance gives, each order alike (Fisher and Yates)."""
    rest = list(items)
    return tuple(rest.pop(pick(len(rest))) for _ in range(len(rest)))


def redrawn(zones: Iterable[tuple[Any, ...]], pick: Pick) -> tuple[tuple[Any, ...], ...]:
    """Hidden cards dealt anew into zones of the same sizes, for `unseen`: pooled and sorted first,
    so that the picks alone decide who gets what."""
    held = tuple(zones)
    cards = iter(shuffled(sorted(card for zone in held for card in zone), pick))
    return tuple(tuple(islice(cards, len(zone))) for zone in held)


def seal(choice: object, salt: str) -> str:
    """Six letters that a choice and its salt give: shown at the choice, checked at the reveal.

    An action with a field `salt` is a sealed choice: it is offered with `salt=""`, and the table
    fills in the one that the game's seed gives when it accepts it.
    """
    return hashlib.sha256(sealed_line(choice, salt).encode()).hexdigest()[:6].upper()


def sealed_line(choice: object, salt: str) -> str:
    """The very line that `seal` hashes: shown at the reveal, so that the table can check it."""
    return json.dumps(choice, separators=(",", ":"), ensure_ascii=False) + ":" + salt


def seal_of(action: Any) -> str:
    """The code of a sealed choice: its secret fields but the salt; one alone, or a list of them."""
    secrets = [f.name for f in fields(action) if f.metadata.get("secret") and f.name != "salt"]
    values = [getattr(action, name) for name in secrets]
    return seal(values[0] if len(values) == 1 else values, action.salt)


def resalted(salt: str, pick: Pick) -> str:
    """Another salt as long as this one, for `unseen`: before the reveal nobody knows a salt."""
    return "".join("0123456789abcdef"[pick(16)] for _ in salt)
