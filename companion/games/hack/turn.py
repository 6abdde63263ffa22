"""The start, whose move it is and what may be done now, the companion's own chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games import effects
from companion.games.api import Pick, Waiting, require, shuffled
from companion.games.hack import actions as do
from companion.games.hack.attack import met, placed
from companion.games.hack.cards import CARDS, MOST_DESTINY, deck, doubtful
from companion.games.hack.fights import flips_now, joining
from companion.games.hack.kinds import ITEM, MONSTER, PC
from companion.games.hack.state import (
    HAND,
    MOST_HIDDEN,
    NOBODY,
    SEATS,
    UNKNOWN,
    Options,
    Side,
    State,
    flipper,
    pool,
    shower,
)
from companion.games.hack.verbs import VERBS
from companion.words import Seat, Text, text


def new(seats: int, options: Options) -> State:
    """Both decks lie there, not yet shuffled: as piles that are about to be."""
    require(seats == 2, "R1", "Two play, not {seats}", seats=seats)
    require(options.decks in ("ab", "aa", "bb"), "R1", "Choose decks A and B, both A, or both B")
    require(options.cards in ("companion", "table"), "R1", "Say whose cards are played")
    decks = deck(options.corrections).decks
    lists = [decks[options.decks[seat]] for seat in SEATS]
    if options.cards == "table":
        lists = [(UNKNOWN,) * len(cards) for cards in lists]
    return State(options, (Side(discard=lists[0]), Side(discard=lists[1])), options.corrections)


def chance(state: State, pick: Pick) -> Any:
    """The companion's own chance: the cut for the first turn, and every shuffle."""
    seat = state.drawing()
    if seat != NOBODY:
        order = () if state.cardboard else shuffled(state.sides[seat].discard, pick)
        return do.Shuffled(seat, order)
    require(state.phase == "cut" and not state.cardboard, "R8", "No cut is due now")
    lists = [state.list_of(seat) for seat in SEATS]
    return do.Cut(tuple(cards[pick(len(cards))] for cards in lists))


def deciders(state: State) -> tuple[int, ...]:
    """The seats that must act now; none if chance must, or the game is over."""
    if state.drawing() != NOBODY or state.phase == "over":
        return ()
    if state.due:
        return (state.due[0].seat,)
    match state.phase:
        case "cut":
            return tuple(s for s in SEATS if state.cardboard and state.cut[s] == NOBODY)
        case "destiny":
            return tuple(s for s in SEATS if state.battle.destiny[s] == NOBODY)
        case "stand" | "assign" | "order":
            return (state.other,)
        case "flip":
            return (flipper(state),)
        case "learn":
            return (shower(state),)
    return (state.mover,)


def waiting(state: State) -> Waiting:
    """Who must act, in words that everybody may read."""
    if state.phase == "over":
        return Waiting(text("The game is over"))
    seat = state.drawing()
    if seat != NOBODY:
        return Waiting(text("{who} shuffles", who=Seat(seat)), chance=True)
    seats = deciders(state)
    if not seats:
        return Waiting(text("Cut for the first turn"), chance=True)
    return Waiting(_why(state, seats), seats)


def _why(state: State, seats: tuple[int, ...]) -> Text:
    who = Seat(seats[0])
    if state.due:
        return text("{who} chooses for {card}", who=who, card=state.cards[state.due[0].card].name)
    if len(seats) == 2:
        return _BOTH[state.phase]
    return Text(_ASKS[state.phase].template, (("who", who),))


_BOTH = {
    "cut": text("Both cut: which destiny?"),
    "destiny": text("Both draw destiny"),
}
_ASKS = {
    "cut": text("{who}: destiny of the cut?", who=Seat(0)),
    "draw": text("{who} discards down to 5", who=Seat(0)),
    "play": text("{who} plays a card", who=Seat(0)),
    "learn": text("{who}: what is printed?", who=Seat(0)),
    "room": text("{who} sacrifices a card", who=Seat(0)),
    "join": text("{who}: who joins?", who=Seat(0)),
    "stand": text("{who}: avoid or fight?", who=Seat(0)),
    "assign": text("{who} assigns the fights", who=Seat(0)),
    "extra": text("{who} adds attackers", who=Seat(0)),
    "order": text("{who}: which fight now?", who=Seat(0)),
    "flip": text("{who} may flip an action", who=Seat(0)),
    "destiny": text("{who} draws destiny", who=Seat(0)),
    "reward": text("{who} may use rewards", who=Seat(0)),
    "score": text("{who} scores a monster", who=Seat(0)),
}
NOT_NOW: dict[str, tuple[str, Text]] = {
    "cut": ("R8", text("First cut for the first turn")),
    "draw": ("R12", text("First discard down to 5")),
    "play": ("R14", text("First play a card")),
    "learn": ("H2", text("First compare the card")),
    "room": ("R29", text("First sacrifice a hidden card")),
    "join": ("R34", text("First say who joins")),
    "stand": ("R35", text("Avoid or fight first")),
    "assign": ("R38", text("First assign the fights")),
    "extra": ("R41", text("First assign extra attackers")),
    "order": ("R42", text("First choose a fight")),
    "flip": ("R43", text("First flip an action, or go on")),
    "destiny": ("R43", text("First draw destiny")),
    "reward": ("R50", text("First use or skip rewards")),
    "score": ("R51", text("First score a monster, or none")),
}


def destinies(state: State, seat: int) -> tuple[int, ...]:
    """Cardboard: the destiny numbers that a card of this seat can show."""
    can = pool(state, seat)
    if any("destiny" in doubtful(state.cards, card) for card in can):
        return tuple(range(MOST_DESTINY + 1))
    return tuple(sorted({state.cards[card].destiny for card in can}))


def candidates(state: State, seat: int, card: str) -> Iterator[Any]:
    """Every way to play a card face up, whether it is legal just now or not."""
    heroes = state.sides[seat].heroes
    match state.cards[card].kind:
        case kind if kind == PC:
            yield do.PlayPC(seat, card)
            yield from (do.PlayPC(seat, card, hero.card) for hero in heroes)
        case kind if kind == ITEM:
            yield from (do.PlayItem(seat, card, hero.card) for hero in heroes)
        case kind if kind == MONSTER:
            yield do.Attack(seat, card)
            if state.cards[card].storable:
                yield do.Store(seat, card)


def asked(state: State, seat: int) -> Iterator[Any]:
    """What a seat may do in every phase but the play of a card."""
    side = state.sides[seat]
    match state.phase:
        case "cut" | "destiny":
            yield from (do.Destiny(seat, number) for number in destinies(state, seat))
        case "draw" if len(side.hand) > HAND:
            yield from (do.Discard(seat, card) for card in dict.fromkeys(side.hand))
        case "learn":
            yield from CARDS.answers(state, seat)
        case "room":
            yield from (do.Sacrifice(seat, place) for place in range(MOST_HIDDEN))
        case "join":
            yield from joins(state)
            yield do.Ready(seat)
        case "stand":
            if side.heroes:
                yield do.Fight(seat)
            yield do.Avoid(seat)
            yield from flips(state, seat)
        case "assign" | "extra":
            yield from _assignments(state, seat)
        case "order":
            yield from (do.Next(seat, battle.pc) for battle in state.battles)
        case "flip":
            yield from flips(state, seat)
            yield do.Ready(seat)
        case "reward":
            yield from (do.Reward(seat, monster) for monster in dict.fromkeys(state.rewards))
            yield do.Ready(seat)
        case "score":
            worth = [m for m in state.battle.monsters if state.cards[m].points]
            yield from (do.Score(seat, monster) for monster in (*dict.fromkeys(worth), ""))


def joins(state: State) -> Iterator[do.Join]:
    """Monsters of the portal that may join the attack now."""
    yield from (do.Join(state.mover, card) for card in joining(state))


def targets(state: State) -> tuple[str, ...]:
    """What the effect of a card may meet."""
    return effects.open_targets(state, VERBS)


def _assignments(state: State, seat: int) -> Iterator[Any]:
    if state.phase == "assign":
        busy = {battle.pc for battle in state.battles}
        pcs = [hero.card for hero in state.sides[seat].heroes if hero.card not in busy]
    else:
        pcs = [battle.pc for battle in state.battles]
    for monster in dict.fromkeys(state.attackers):
        yield from (do.Assign(seat, monster, pc) for pc in pcs)
    for monster in dict.fromkeys(placed(state)):
        if monster not in state.attackers:
            yield from (do.Assign(seat, monster, pc) for pc in pcs if not met(state, monster, pc))
    if not state.attackers or not pcs:
        yield do.Ready(seat)


def flips(state: State, seat: int) -> Iterator[do.Flip]:
    """Own actions by name; with real cards, every action that can still lie there."""
    hidden, cards = state.sides[seat].hidden, state.cards
    can = pool(state, seat) if UNKNOWN in hidden else ()
    for place, lies in enumerate(hidden):
        for card in (lies,) if lies != UNKNOWN else can:
            if flips_now(state, cards[card]):
                yield do.Flip(seat, place, card)
