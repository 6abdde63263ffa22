"""Which states a game can be in: what comes from outside is checked here."""

from __future__ import annotations

from dataclasses import fields

from companion.errors import BadState
from companion.games.swordcrafters.cards import flaw, solo_flaw
from companion.games.swordcrafters.cardset import book
from companion.games.swordcrafters.entry import bounds, complete
from companion.games.swordcrafters.gems import GEMS, TILES, UNKNOWN, supply
from companion.games.swordcrafters.ledger import MOST_BY_WORD
from companion.games.swordcrafters.possible_grid import SET_UP, need, possible_grid, possible_turn
from companion.games.swordcrafters.printed import with_word
from companion.games.swordcrafters.slicing import deck
from companion.games.swordcrafters.state import (
    CARDS,
    MOST_UNDOS,
    ROUNDS,
    Options,
    Smith,
    State,
    dual,
)
from companion.games.swordcrafters.sword import SIDES, Sword

PHASES = {  # which can come up, by the way of playing
    "tracked": "magic rivals guards first lay draw slice discard select craft over",
    "score": "magic rivals guards enter over",
    "virtual": "deal lay draw slice discard select craft over",
}
SOLO = ("draw", "discard", "rivals")


def possible(state: State) -> None:
    """Raise BadState, with the reason, on a game that no play can reach."""
    _possible_options(state.options)
    need(1 <= state.seats <= 5, "one to five play")
    phase = state.phase
    need(phase in PHASES[state.options.way].split(), f"no {phase} in {state.options.way} games")
    need(phase not in SOLO or state.solo, f"{phase} is for one player")
    need(phase not in ("first", "select") or not state.solo, f"{phase} is for several")
    need(1 <= state.round <= ROUNDS, f"round {state.round} is none of {ROUNDS}")
    need(0 <= state.first < state.seats, f"seat {state.first} cannot begin")
    _possible_cards(state)
    for smith in state.smiths:
        _possible_smith(state, smith)
    _possible_guards(state)
    possible_grid(state)
    possible_turn(state)
    _possible_supply(state)


def _possible_options(options: Options) -> None:
    for field in fields(options):
        values = field.metadata.get("values")
        known = values is None or getattr(options, field.name) in values
        need(known, f"option {field.name} cannot be {getattr(options, field.name)!r}")
    book(options.corrections)  # raises BadState itself on a correction that cannot be


def _possible_cards(state: State) -> None:
    for card in state.magic:
        need(not flaw(card), flaw(card))
        need(card.key[:-1].isdecimal() and card.key[-1] in "ab", f"{card.key!r} is no card's key")
    for rival in state.rivals:
        need(not solo_flaw(rival), solo_flaw(rival))
    numbers = {card.key[:-1] for card in state.magic}
    need(len(numbers) == len(state.magic) <= CARDS, "three different cards lie open")
    counting = {"deal": range(1), "magic": range(CARDS)}
    wanted = counting.get(state.phase, range(CARDS, CARDS + 1))
    need(len(state.magic) in wanted, f"{len(state.magic)} cards in phase {state.phase}")
    most = state.options.opponents if state.solo else 0
    rivals = {rival.key for rival in state.rivals}
    need(len(rivals) == len(state.rivals) <= most, "the opponents are not as many as chosen")
    telling = state.phase in ("deal", "magic", "rivals")
    need(telling or len(rivals) == most, "an opponent is missing")
    need(state.phase != "rivals" or len(rivals) < most, "all opponents are told")
    need(not rivals or state.phase not in ("deal", "magic"), "opponents come after the cards")
    need(not state.draft or state.phase == "magic", "a printed card is told with the cards")
    draft: tuple[str, ...] = ()
    for word in state.draft:
        try:
            draft, whole = with_word(draft, word)
        except ValueError as why:
            raise BadState(f"not a game: {why}") from why
        need(whole is None, "the printed card is told already")


def _possible_smith(state: State, smith: Smith) -> None:
    swords = 2 if dual(state.options, state.seats) else 1
    need(len(smith.swords) == len(smith.hands) == swords, f"{swords} swords each")
    need(-MOST_BY_WORD <= smith.word <= MOST_BY_WORD, f"{smith.word} points by the table's word")
    need(0 <= smith.undone <= MOST_UNDOS, f"{smith.undone} steps undone")
    need(0 <= smith.entered <= SIDES * swords, f"{smith.entered} sides entered")
    entering = state.options.way == "score"
    need(entering or not smith.entered, "sides are entered in a scored game only")
    for sword in smith.swords:
        need(len(sword.sides) == SIDES, "a sword has four sides")
        need(all(tile in TILES for side in sword.sides for tile in side), "an unknown tile")
        need(all(gem in GEMS for gem in sword.guards), "a guard has a gem")
        heights = [len(side) for side in sword.sides]
        need(entering or max(heights) - min(heights) <= 1, "a sword has an open space")
        need(state.phase not in SET_UP or not sword.length, "no sword is forged yet")
    if entering:
        _possible_entry(state, smith)
    for hand in smith.hands:
        real = (*TILES, UNKNOWN) if state.real else TILES
        need(all(tile in real for tile in hand), "a tile in hand that is none")
        need(not hand or state.phase in ("select", "craft"), "tiles in hand are forged first")
    hand = next((hand for hand in smith.hands if hand), ())
    picked = smith.picked
    need(not picked or picked in hand or (UNKNOWN in hand and picked in TILES), "who picked that?")
    need(not picked or state.phase == "craft", "tiles are picked to be forged")


def _possible_entry(state: State, smith: Smith) -> None:
    """Sides as they are entered: each fits those before it, none is begun ahead of its turn."""
    whole = SIDES * len(smith.swords)
    now = whole if state.phase == "over" else smith.entered
    need(smith.entered == now, "a sword is not entered")
    left = any(not complete(one) for one in state.smiths)
    need(state.phase != "enter" or left, "all swords are entered")
    need(state.phase in ("enter", "over") or not smith.entered, "the swords come last")
    for at in range(whole):
        one = Smith(smith.swords, smith.hands, entered=at)
        low, high = bounds(state, one)
        count = len(smith.swords[at // SIDES].sides[at % SIDES])
        need(at <= now or not count, "a side was entered ahead of its turn")
        need(count <= high if at == now else (at > now or low <= count <= high), "an open space")


def _possible_guards(state: State) -> None:
    swords: list[Sword] = [sword for smith in state.smiths for sword in smith.swords]
    shown = [gem for sword in swords for gem in sword.guards]
    need(all(shown.count(gem) <= 2 for gem in GEMS), "there are two guards of each gem")
    if state.phase in ("deal", "magic", "rivals"):
        need(not shown, "the guards come after the cards")
    elif state.phase == "guards":
        need(all(len(sword.guards) <= 2 for sword in swords), "a sword has two guards")
        need(len(shown) < 2 * len(swords), "all guards are told")
        for smith in state.smiths:
            counts = [len(sword.guards) for sword in smith.swords]
            need(counts == sorted(counts, reverse=True), "the first sword's guards come first")
            need(counts.count(1) < 2, "one sword after the other")
    else:
        need(all(len(sword.guards) == 2 for sword in swords), "a sword has two guards")


def _possible_supply(state: State) -> None:
    start = supply(state.few, state.options.blanks)
    need(len(state.supply) == len(TILES), "seven kinds of tiles")
    if state.real:
        need(state.supply == start and not state.drawn, "real tiles are not counted")
        return
    used = [now - left for now, left in zip(start, state.supply, strict=True)]
    need(min(used) >= 0 and min(state.supply) >= 0, "more tiles than there are")
    laid = state.round if state.rows or state.phase == "over" else state.round - 1
    height, width = state.size
    tiles = height * width - 1
    need(sum(used) == (0 if state.phase == "deal" else laid * tiles), "tiles are missing")
    cards = 0
    if state.solo and state.phase != "deal":
        cards = laid - (state.phase == "draw")
    need(len(state.drawn) == len(set(state.drawn)) == cards, "one solo card a round")
    need(not state.solo or len(deck(state)) >= ROUNDS - cards, "the solo deck is too small")
