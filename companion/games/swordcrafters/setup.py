"""Before the first round: cards, guards, the first player; dealt by chance or told by hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from companion.games.api import Pick as Chance
from companion.games.api import require, shuffled
from companion.games.records import replace
from companion.games.swordcrafters.actions import Card, Dealt, First, Guard, Printed
from companion.games.swordcrafters.cards import FACES, Magic, Solo
from companion.games.swordcrafters.cardset import book
from companion.games.swordcrafters.gems import GEMS, NAMES, supply
from companion.games.swordcrafters.printed import goes_on, with_word, words
from companion.games.swordcrafters.round import lay, with_smith
from companion.games.swordcrafters.state import CARDS, Options, Phase, Smith, State, dual
from companion.games.swordcrafters.sword import Sword

EACH_GUARD = 2  # 12 guards, two of each gem


def new(seats: int, options: Options) -> State:
    """Bare hilts, no card turned up."""
    require(1 <= seats <= 5, "S-R1", "1 to 5 play, not {n}", n=seats)
    require(seats == 2 or options.variant != "dual", "S-R36", "Dual swords are for two players")
    book(options.corrections)  # raises BadState on a card that cannot be
    swords = 2 if dual(options, seats) else 1
    smith = Smith((Sword(),) * swords, ((),) * swords)
    phase: Phase = "deal" if options.way == "virtual" else "magic"
    return State(options, (smith,) * seats, phase, supply(seats in (2, 3), options.blanks))


def deal(state: State, pick: Chance) -> Dealt:
    """Cards, guards, first player and opponents, by chance (S-R4, S-R6, S-R7, S-R38)."""
    numbers = shuffled(dict.fromkeys(card.key[:-1] for card in faces(state)), pick)[:CARDS]
    magic = []
    for number in numbers:
        sides = [card.key for card in faces(state) if card.key[:-1] == number]
        magic.append(sides[pick(len(sides))])
    guards = shuffled(GEMS * EACH_GUARD, pick)[: 2 * _swords(state)]
    rivals = shuffled((card.key for card in book(state.options.corrections).solo), pick)
    wanted = state.options.opponents if state.solo else 0
    return Dealt(tuple(magic), guards, pick(state.seats), rivals[:wanted])


def faces(state: State) -> tuple[Magic, ...]:
    """The faces that may be used: Lightweight knows the beginner side only (S-R4, S-R37)."""
    wanted = {"beginner": "a", "intermediate": "b", "mixed": "ab"}[state.options.faces]
    if state.options.variant == "light":
        wanted = FACES[0]
    return tuple(card for card in book(state.options.corrections).magic if card.key[-1] in wanted)


def dealt(state: State, action: Dealt) -> State:
    """Take a deal, if it is one."""
    for key in action.magic:
        state = _with_card(state, key)
    require(len(state.magic) == CARDS, "S-R4", "All {n} magic cards lie open already", n=CARDS)
    guards = action.guards
    fair = all(gem in GEMS and guards.count(gem) <= EACH_GUARD for gem in guards)
    require(fair, "S-R6", "There are two guards of each gem")
    require(len(guards) == 2 * _swords(state), "S-R6", "Each sword has two guards")
    require(action.first in range(state.seats), "S-R7", "The horn must point at a player")
    for key in action.rivals:
        state = _with_rival(state, key)
    wanted = state.options.opponents if state.solo else 0
    require(len(state.rivals) == wanted, "S-R38", "Draw {n} opponents", n=wanted)
    for seat in [seat for seat in range(state.seats) for _ in range(len(guards) // state.seats)]:
        state, guards = _with_guard(state, seat, guards[0]), guards[1:]
    return lay(replace(state, first=action.first))


def legal_setup(state: State, seat: int) -> Iterator[Any]:
    """What players may enter before the first round."""
    if state.phase == "magic" and seat == 0:
        yield from (Card(0, card.key) for card in fitting(state))
        yield from (Printed(0, word) for word in words(state.draft))
    elif state.phase == "rivals":
        yield from (Card(0, card.key) for card in _free_rivals(state))
    elif state.phase == "guards" and guards_wanted(state, seat):
        guards = _shown_guards(state)
        yield from (Guard(seat, gem) for gem in GEMS if guards.count(gem) < EACH_GUARD)
    elif state.phase == "first":
        yield First(seat)


def fitting(state: State) -> tuple[Magic, ...]:
    """The cards of the book that may lie there, by what is told of the next one so far."""
    shown = {card.key[:-1] for card in state.magic}
    left = (card for card in faces(state) if card.key[:-1] not in shown)
    return tuple(card for card in left if goes_on(state.draft, card))


def guards_wanted(state: State, seat: int) -> int:
    """How many guards the seat has still to tell."""
    return sum(2 - len(sword.guards) for sword in state.smiths[seat].swords)


def card(state: State, action: Card) -> State:
    """A card that lies on the table: magic first, then opponents."""
    if state.phase == "rivals":
        return _set_up(_with_rival(state, action.card))
    fits = any(card.key == action.card for card in fitting(state))
    require(fits or not state.draft, "S-R4", "First finish the printed card")
    return _set_up(_with_card(replace(state, draft=()), action.card))


def printed(state: State, action: Printed) -> State:
    """One more word of a printed card."""
    draft, magic = with_word(state.draft, action.word)
    if magic is None:
        return replace(state, draft=draft)
    magic = replace(magic, key=_key(state, magic))
    return _set_up(replace(state, draft=(), magic=(*state.magic, magic)))


def _key(state: State, told_card: Magic) -> str:
    """The key under which the owner told this card before, or a number that no card has."""
    shown = {card.key[:-1] for card in state.magic}
    for card in book(state.options.corrections).magic:
        if card == replace(told_card, key=card.key) and card.key[:-1] not in shown:
            return card.key
    known = (*book(state.options.corrections).magic, *state.magic)
    number = max(100, *(int(card.key[:-1]) for card in known)) + 1
    return f"{number}{faces(state)[0].key[-1]}"


def guard(state: State, action: Guard) -> State:
    """The next guard of this seat's swords."""
    require(action.gem in GEMS, "S-R6", "A guard has one of six gems")
    shown = _shown_guards(state).count(action.gem)
    require(
        shown < EACH_GUARD, "S-R6", "Both {gem} guards are entered already", gem=NAMES[action.gem]
    )
    state = _with_guard(state, action.seat, action.gem)
    if any(guards_wanted(state, seat) for seat in range(state.seats)):
        return state
    if state.options.way == "score":
        return replace(state, phase="enter")
    return lay(state) if state.solo else replace(state, phase="first")


def first(state: State, action: First) -> State:
    """Who begins the first round."""
    return lay(replace(state, first=action.seat))


def _set_up(state: State) -> State:
    """On to the next thing to tell."""
    if len(state.magic) < CARDS:
        return state
    if state.solo and len(state.rivals) < state.options.opponents:
        return replace(state, phase="rivals")
    return replace(state, phase="guards")


def _with_card(state: State, key: str) -> State:
    found = next((card for card in faces(state) if card.key == key), None)
    require(found is not None, "S-R4", "No such card on the chosen side")
    again = any(card.key[:-1] == key[:-1] for card in state.magic)
    require(not again, "S-R4", "Card {n} lies there already", n=key[:-1])
    require(len(state.magic) < CARDS, "S-R4", "All {n} magic cards lie open already", n=CARDS)
    return replace(state, magic=(*state.magic, *([found] if found else [])))


def _free_rivals(state: State) -> tuple[Solo, ...]:
    return tuple(card for card in book(state.options.corrections).solo if card not in state.rivals)


def _with_rival(state: State, key: str) -> State:
    found = next((card for card in _free_rivals(state) if card.key == key), None)
    require(found is not None, "S-R38", "No such opponent in the deck")
    return replace(state, rivals=(*state.rivals, *([found] if found else [])))


def _with_guard(state: State, seat: int, gem: str) -> State:
    smith = state.smiths[seat]
    swords = list(smith.swords)
    at = next(n for n, sword in enumerate(swords) if len(sword.guards) < 2)
    swords[at] = replace(swords[at], guards=(*swords[at].guards, gem))
    return with_smith(state, seat, replace(smith, swords=tuple(swords)))


def _swords(state: State) -> int:
    return sum(len(smith.swords) for smith in state.smiths)


def _shown_guards(state: State) -> list[str]:
    swords = chain.from_iterable(smith.swords for smith in state.smiths)
    return [gem for sword in swords for gem in sword.guards]
