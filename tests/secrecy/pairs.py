"""Two worlds that differ in one secret: the same game twice, move by move, until it is told.

What a viewer may know is what `Game.secrets.unseen` leaves alone. A viewer is blind as long as
both worlds have been the same to him at every moment; the public's eyes end the pair.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, Literal, TypeAlias

from companion.bots.api import no_cardboard
from companion.errors import Illegal
from companion.games.api import Game, Rolled, roll
from companion.memory.codec import redacted
from companion.table.lobby import MODES
from tests.games.shelf import salted

Kind: TypeAlias = Literal["choice", "deal", "seed"]
Viewer: TypeAlias = int | None
"""A seat; None is the public."""
Both: TypeAlias = tuple[Any, Any]

SEATS = 2  # at most: every game with secrets is for two
LONGEST = 50  # moves in which a secret is looked for
LATER = 6  # moves that follow it at most
LIVE = 2  # of these, the last that are made at the running table


@dataclass(frozen=True)
class Pair:
    """Each move as it is made in the one world and in the other; `number` makes it again."""

    game: Game[Any]
    kind: Kind
    number: int
    seats: int
    options: Any
    mode: str
    seeds: tuple[str, str]
    before: tuple[Both, ...]  # journaled when the daemons start
    live: tuple[Both, ...]  # made at the running tables
    blind: frozenset[Viewer]  # who may not know, up to there
    secret: Both  # for the message
    company: frozenset[int] = frozenset()  # seats that the companion plays

    def __str__(self) -> str:
        return f"{self.game.key}, {self.kind} {self.number}"


def kinds(game: Game[Any]) -> Iterator[Kind]:
    """Which secrets a game can have: what seats choose, what is dealt, and always the seed."""
    hiding = [kind for kind in game.actions if any(_is_secret(f) for f in fields(kind))]
    if any(_by_seat(kind) for kind in hiding):
        yield "choice"
    if any(not _by_seat(kind) for kind in hiding):
        yield "deal"
    yield "seed"


def pair(game: Game[Any], kind: Kind, number: int) -> Pair | None:
    """A pair by chance; None where this number leads to no secret of the kind."""
    rng = random.Random(f"{game.key} {kind} {number}")
    seats = rng.choice([n for n in game.seats if n <= SEATS])
    options = game.options(
        **{
            each.name: rng.choice(each.metadata["values"])
            for each in fields(game.options)
            if "values" in each.metadata
        }
    )
    try:
        walk = Lockstep(game, seats, game.new(seats, options), game.new(seats, options))
    except Illegal:  # options that this many seats may not have
        return None
    seed, another = (f"{rng.getrandbits(256):064x}" for _ in range(2))
    secret = _hide(walk, kind, rng) if kind != "seed" else _stop_anywhere(walk, rng, seed, another)
    if secret is None or game.result(walk.one) or game.result(walk.other):
        return None
    first = walk.live_from()
    return Pair(
        game, kind, number, seats, options, rng.choice((*MODES, MODES[0])),
        (seed, another if kind == "seed" else seed),
        tuple(walk.moves[:first]), tuple(walk.moves[first:]), walk.blind, secret,
    )  # fmt: skip


def with_company(found: Pair) -> Pair | None:
    """The same, the companion at a seat that may not know, and waited for; None: there is none.

    What it decides is no move of the pair: it must be the same in both worlds.
    """
    game, moves = found.game, (*found.before, *found.live)
    state = game.new(found.seats, found.options)
    for one, _ in moves:
        state = game.apply(state, one)
    waiting = game.waiting(state)
    own = [n for n in waiting.seats if n in found.blind]
    people = {seat for one, _ in moves if (seat := getattr(one, "seat", None)) is not None}
    if waiting.forced or not own or not people - {own[0]} or no_cardboard(found.options):
        return None
    return replace(found, before=moves, live=(), company=frozenset(own[:1]))


@dataclass
class Lockstep:
    """Both worlds in one game, a move at a time."""

    game: Game[Any]
    seats: int
    one: Any
    other: Any
    moves: list[Both] = field(default_factory=list)
    dealt: int = 0  # moves up to the last that the companion itself must make, or has to make now
    blind: frozenset[Viewer] = frozenset()

    def __post_init__(self) -> None:
        self.blind = frozenset((None, *range(self.seats)))

    def take(self, one: Any, other: Any) -> bool:
        """A move in each world; not taken where it would open the public's eyes."""
        first, second = self.game.apply(self.one, one), self.game.apply(self.other, other)
        blind = self.blind & cannot_tell(self.game, first, second, self.seats)
        if None not in blind:
            return False
        by_hand = _by_hand(self.game, self.one, one)
        self.one, self.other, self.blind = first, second, blind
        self.moves.append((one, other))
        if not by_hand or self.waits_for_chance:
            self.dealt = len(self.moves)
        return True

    @property
    def waits_for_chance(self) -> bool:
        """Must the companion deal or shuffle now?"""
        return any(self.game.waiting(state).chance for state in (self.one, self.other))

    def go_on(self, rng: random.Random) -> bool:
        """Some move that looks the same in both worlds; False if there is none, or the end."""
        for _ in range(4):
            one = some_move(self.game, self.one, rng)
            other = None if one is None else self._same(one, rng)
            if other is not None and self.take(one, other):
                return True
        return False

    def _same(self, move: Any, rng: random.Random) -> Any:
        if accepted(self.game, self.other, move):
            return move
        if hasattr(move, "seat"):
            found = offered(self.game, self.other, move.seat)
        else:
            found = [some_move(self.game, self.other, rng)]
        alike = [salted(one, rng) for one in found if one is not None and _alike(one, move)]
        return next((one for one in alike if accepted(self.game, self.other, one)), None)

    def live_from(self) -> int:
        """From which move on the running table can be played by hand."""
        return max(self.dealt, len(self.moves) - LIVE)


def cannot_tell(game: Game[Any], one: Any, other: Any, seats: int) -> frozenset[Viewer]:
    """The viewers to whom both states are the same."""
    viewers: tuple[Viewer, ...] = (None, *range(seats))
    if one == other:
        return frozenset(viewers)
    return frozenset(who for who in viewers if _known(game, one, who) == _known(game, other, who))


def _known(game: Game[Any], state: Any, viewer: Viewer) -> Any:
    """What a viewer knows: the rest is drawn by the same picks, whatever it is."""
    if game.secrets.unseen is None:
        return state
    return game.secrets.unseen(state, viewer, random.Random(1).randrange)


def _hide(walk: Lockstep, kind: Kind, rng: random.Random) -> Both | None:
    """Play until some secret of this kind, make it another one in the other world, go on."""
    game = walk.game
    played = _walk(game, walk.one, rng)
    hiding = {at: type(move).__name__ for at, move in enumerate(played) if _hides(move, kind)}
    if not hiding:
        return None
    sort = rng.choice(sorted(set(hiding.values())))  # rare ones as often as usual ones
    at = rng.choice([at for at, name in hiding.items() if name == sort])
    for move in played[:at]:
        walk.take(move, move)
    for other in _variants(game, walk.one, played[at], rng):
        if walk.take(played[at], other):
            break
    else:
        return None
    for _ in range(rng.randrange(LATER + 1)):
        walk.go_on(rng)
    while walk.waits_for_chance:
        if not walk.go_on(rng):
            return None
    return (played[at], other)


def _stop_anywhere(walk: Lockstep, rng: random.Random, *seeds: str) -> Both | None:
    """The same moves in both worlds. Where the companion deals next, it does so when it starts."""
    for move in _walk(walk.game, walk.one, rng)[:-1]:
        walk.take(move, move)
    return (seeds[0], seeds[1])


def _walk(game: Game[Any], state: Any, rng: random.Random) -> list[Any]:
    """Moves at random, as they are offered."""
    played: list[Any] = []
    for _ in range(rng.randrange(1, LONGEST)):
        if (move := some_move(game, state, rng)) is None:
            break
        played.append(move)
        state = game.apply(state, move)
    return played


def some_move(game: Game[Any], state: Any, rng: random.Random) -> Any:
    """Something that may happen now; None at the end."""
    waiting = game.waiting(state)
    if waiting.chance and game.chance is not None:
        return game.chance(state, rng.randrange)
    moves = [move for seat in waiting.seats for move in offered(game, state, seat)]
    if waiting.dice is not None and (not moves or rng.random() < 0.5):
        return roll(waiting.dice, rng.randrange)
    rng.shuffle(moves)
    move = next((one for one in moves if accepted(game, state, one)), None)
    return None if move is None else salted(move, rng)


def offered(game: Game[Any], state: Any, seat: int) -> list[Any]:
    """What the seat can press, barred choices among it."""
    actions = [choice.action for choice in game.view(state, seat).choices]
    return [one for one in actions if isinstance(one, game.actions)]


def accepted(game: Game[Any], state: Any, move: Any) -> bool:
    """Do the rules take this move?"""
    try:
        game.apply(state, move)
    except Illegal:
        return False
    return True


def _variants(game: Game[Any], state: Any, move: Any, rng: random.Random) -> Iterator[Any]:
    """Moves that look the same to others and are not."""
    after = game.apply(state, move)
    if hasattr(move, "seat"):
        found = [salted(one, random.Random(0)) for one in offered(game, state, move.seat)]
        rng.shuffle(found)
    else:
        found = [_swapped(move, rng), *(some_move(game, state, rng) for _ in range(3))]
        rng.shuffle(found)
    for one in found:
        salt = {"salt": move.salt} if hasattr(move, "salt") else {}
        other = replace(one, **salt) if _alike(one, move) else None
        if other is None or not accepted(game, state, other):
            continue
        if game.apply(state, other) != after:
            yield other


def _swapped(move: Any, rng: random.Random) -> Any:
    """A deal with two of its hidden cards exchanged."""
    for each in fields(move):
        cards = getattr(move, each.name)
        if _is_secret(each) and isinstance(cards, tuple) and len(cards) > 1:
            a, b = sorted(rng.sample(range(len(cards)), 2))
            mixed = (*cards[:a], cards[b], *cards[a + 1 : b], cards[a], *cards[b + 1 :])
            return replace(move, **{each.name: mixed})
    return move


def _alike(one: Any, other: Any) -> bool:
    """The same to everybody who may not know what is secret in it."""
    return type(one) is type(other) and redacted(one) == redacted(other)


def _hides(move: Any, kind: Kind) -> bool:
    return hasattr(move, "seat") == (kind == "choice") and any(map(_is_secret, fields(move)))


def open_chance(move: Any) -> bool:
    """Whether chance made this move before everybody's eyes."""
    return not hasattr(move, "seat") and not any(map(_is_secret, fields(move)))


def _is_secret(each: Field[Any]) -> bool:
    return bool(each.metadata.get("secret"))


def _by_seat(kind: type) -> bool:
    return any(each.name == "seat" for each in fields(kind))


def _by_hand(game: Game[Any], state: Any, move: Any) -> bool:
    """Can a person without character dice make it at the running table?"""
    dice = game.waiting(state).dice
    thrown = isinstance(move, Rolled) and dice is not None and not dice.characters
    return thrown or hasattr(move, "seat")
