"""Which states a game can be in: what comes from outside is checked here."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields

from companion.errors import BadState
from companion.games.swordcrafters.cards import flaw, solo_flaw
from companion.games.swordcrafters.cardset import book
from companion.games.swordcrafters.entry import bounds, complete
from companion.games.swordcrafters.gems import FORGE, GEMS, TILES, UNKNOWN, asked, guessed, supply
from companion.games.swordcrafters.ledger import MOST_BY_WORD
from companion.games.swordcrafters.printed import told
from companion.games.swordcrafters.slices import GONE, NOBODY, Group, lines
from companion.games.swordcrafters.slicing import ICONS, NAMES, deck, sliceable, way
from companion.games.swordcrafters.state import (
    CARDS,
    FORGE_CELL,
    MOST_UNDOS,
    ROUNDS,
    Options,
    Smith,
    State,
    dual,
    open_groups,
)
from companion.games.swordcrafters.sword import SIDES, Sword

PHASES = {  # which can come up, by the way of playing
    "tracked": "magic rivals guards first lay draw slice discard select craft over",
    "score": "magic rivals guards enter over",
    "virtual": "deal lay draw slice discard select craft over",
}
SET_UP = ("deal", "magic", "rivals", "guards", "first")
SOLO = ("draw", "discard", "rivals")


def sound(state: State) -> None:
    """Raise BadState, with the reason, on a game that no play can reach."""
    _sound_options(state.options)
    _need(1 <= state.seats <= 5, "one to five play")
    phase = state.phase
    _need(phase in PHASES[state.options.way].split(), f"no {phase} in {state.options.way} games")
    _need(phase not in SOLO or state.solo, f"{phase} is for one player")
    _need(phase not in ("first", "select") or not state.solo, f"{phase} is for several")
    _need(1 <= state.round <= ROUNDS, f"round {state.round} is none of {ROUNDS}")
    _need(0 <= state.first < state.seats, f"seat {state.first} cannot begin")
    _sound_cards(state)
    for smith in state.smiths:
        _sound_smith(state, smith)
    _sound_guards(state)
    _sound_grid(state)
    _sound_turn(state)
    _sound_supply(state)


def _sound_options(options: Options) -> None:
    for field in fields(options):
        values = field.metadata.get("values")
        known = values is None or getattr(options, field.name) in values
        _need(known, f"option {field.name} cannot be {getattr(options, field.name)!r}")
    book(options.corrections)  # raises BadState itself on a correction that cannot be


def _sound_cards(state: State) -> None:
    for card in state.magic:
        _need(not flaw(card), flaw(card))
        _need(card.key[:-1].isdecimal() and card.key[-1] in "ab", f"{card.key!r} is no card's key")
    for rival in state.rivals:
        _need(not solo_flaw(rival), solo_flaw(rival))
    numbers = {card.key[:-1] for card in state.magic}
    _need(len(numbers) == len(state.magic) <= CARDS, "three different cards lie open")
    counting = {"deal": range(1), "magic": range(CARDS)}
    wanted = counting.get(state.phase, range(CARDS, CARDS + 1))
    _need(len(state.magic) in wanted, f"{len(state.magic)} cards in phase {state.phase}")
    most = state.options.opponents if state.solo else 0
    rivals = {rival.key for rival in state.rivals}
    _need(len(rivals) == len(state.rivals) <= most, "the opponents are not as many as chosen")
    telling = state.phase in ("deal", "magic", "rivals")
    _need(telling or len(rivals) == most, "an opponent is missing")
    _need(state.phase != "rivals" or len(rivals) < most, "all opponents are told")
    _need(not rivals or state.phase not in ("deal", "magic"), "opponents come after the cards")
    _need(not state.draft or state.phase == "magic", "a printed card is told with the cards")
    draft: tuple[str, ...] = ()
    for word in state.draft:
        try:
            draft, whole = told(draft, word)
        except ValueError as why:
            raise BadState(f"not a game: {why}") from why
        _need(whole is None, "the printed card is told already")


def _sound_smith(state: State, smith: Smith) -> None:
    swords = 2 if dual(state.options, state.seats) else 1
    _need(len(smith.swords) == len(smith.hands) == swords, f"{swords} swords each")
    _need(-MOST_BY_WORD <= smith.word <= MOST_BY_WORD, f"{smith.word} points by the table's word")
    _need(0 <= smith.undone <= MOST_UNDOS, f"{smith.undone} steps undone")
    _need(0 <= smith.entered <= SIDES * swords, f"{smith.entered} sides entered")
    entering = state.options.way == "score"
    _need(entering or not smith.entered, "sides are entered in a scored game only")
    for sword in smith.swords:
        _need(len(sword.sides) == SIDES, "a sword has four sides")
        _need(all(tile in TILES for side in sword.sides for tile in side), "an unknown tile")
        _need(all(gem in GEMS for gem in sword.guards), "a guard has a gem")
        heights = [len(side) for side in sword.sides]
        _need(entering or max(heights) - min(heights) <= 1, "a sword has an open space")
        _need(state.phase not in SET_UP or not sword.length, "no sword is forged yet")
    if entering:
        _sound_entry(state, smith)
    for hand in smith.hands:
        real = (*TILES, UNKNOWN) if state.real else TILES
        _need(all(tile in real for tile in hand), "a tile in hand that is none")
        _need(not hand or state.phase in ("select", "craft"), "tiles in hand are forged first")
    hand = next((hand for hand in smith.hands if hand), ())
    picked = smith.picked
    _need(not picked or picked in hand or (UNKNOWN in hand and picked in TILES), "who picked that?")
    _need(not picked or state.phase == "craft", "tiles are picked to be forged")


def _sound_entry(state: State, smith: Smith) -> None:
    """Sides as they are entered: each fits those before it, none is begun ahead of its turn."""
    whole = SIDES * len(smith.swords)
    now = whole if state.phase == "over" else smith.entered
    _need(smith.entered == now, "a sword is not entered")
    left = any(not complete(one) for one in state.smiths)
    _need(state.phase != "enter" or left, "all swords are entered")
    _need(state.phase in ("enter", "over") or not smith.entered, "the swords come last")
    for at in range(whole):
        one = Smith(smith.swords, smith.hands, entered=at)
        low, high = bounds(state, one)
        count = len(smith.swords[at // SIDES].sides[at % SIDES])
        _need(at <= now or not count, "a side was entered ahead of its turn")
        _need(count <= high if at == now else (at > now or low <= count <= high), "an open space")


def _sound_guards(state: State) -> None:
    swords: list[Sword] = [sword for smith in state.smiths for sword in smith.swords]
    shown = [gem for sword in swords for gem in sword.guards]
    _need(all(shown.count(gem) <= 2 for gem in GEMS), "there are two guards of each gem")
    if state.phase in ("deal", "magic", "rivals"):
        _need(not shown, "the guards come after the cards")
    elif state.phase == "guards":
        _need(all(len(sword.guards) <= 2 for sword in swords), "a sword has two guards")
        _need(len(shown) < 2 * len(swords), "all guards are told")
        for smith in state.smiths:
            counts = [len(sword.guards) for sword in smith.swords]
            _need(counts == sorted(counts, reverse=True), "the first sword's guards come first")
            _need(counts.count(1) < 2, "one sword after the other")
    else:
        _need(all(len(sword.guards) == 2 for sword in swords), "a sword has two guards")


def _sound_grid(state: State) -> None:
    rows, (height, width) = state.rows, state.size
    none_due = state.phase in (*SET_UP, "enter", "over") or (
        state.phase == "lay" and not state.real
    )
    if none_due:
        _need(not rows and not state.groups and not state.icons, "no grid lies there yet")
        return
    shape = len(rows) == height and all(len(row) == width for row in rows)
    _need(shape, f"the grid is {height} by {width}")
    for row, tiles in enumerate(rows):
        for column, tile in enumerate(tiles):
            if (row, column) == FORGE_CELL:
                _need(tile == FORGE, "the forge lies in row 2, column 3")
            elif state.phase == "lay":
                _need(tile in TILES or _asked(tile), f"{tile!r} is no tile")
            else:
                _need(tile in TILES or (state.real and tile == UNKNOWN), f"{tile!r} is no tile")
    if state.phase == "lay":
        asking = any(asked(tile) for row in rows for tile in row)
        _need(asking and not state.groups and not state.icons, "the grid is laid")
        return
    covered = Counter(cell for group in state.groups for cell in group.cells())
    cells = {(row, column) for row in range(height) for column in range(width)}
    fits = set(covered) == cells and set(covered.values()) == {1}
    _need(fits, "groups share the grid without a gap")


def _asked(tile: str) -> bool:
    return asked(tile) and (not guessed(tile) or guessed(tile) in TILES)


def _sound_turn(state: State) -> None:
    phase, groups = state.phase, state.groups
    slicing = phase == "slice"
    _need(slicing or (state.aim == NOBODY and state.line is None), "nobody slices now")
    for seat, smith in enumerate(state.smiths):
        own = phase in ("enter", "over") or (slicing and seat == state.mover)
        _need(own or not smith.undone, "nothing can be undone now")
    most = {"slice": ICONS if state.solo else state.turns, "discard": ICONS, "select": state.turns}
    _need(0 <= state.turn < most.get(phase, 1), f"turn {state.turn} in phase {phase}")
    left = any(any(smith.hands) for smith in state.smiths)
    _need(phase != "craft" or left, "nothing is left to forge")
    if state.solo:
        _sound_solo(state)
    elif phase == "slice":
        _need(len(groups) == state.turn + 1, "each slice makes one group more")
        free = all((group.owner, group.sword) == (NOBODY, 0) for group in groups)
        _need(free, "nobody selects yet")
    elif phase in ("select", "craft"):
        _need(len(groups) == state.turns + 1, "each slice makes one group more")
        _sound_taken(state)
    if slicing:
        _sound_line(state)


def _sound_solo(state: State) -> None:
    _need(set(state.icons) <= NAMES.keys(), "a slice is H or V")
    if not state.groups:
        return
    whole = len(state.icons) == ICONS
    _need(whole if state.phase != "draw" else not whole, "the card has four slices")
    _need(state.phase != "draw" or state.real or not state.icons, "the card is not drawn yet")
    owners = [group.owner for group in state.groups]
    if state.phase == "draw":
        _need(owners == [NOBODY], "nothing is sliced yet")
    elif state.phase == "craft":
        _need(owners.count(0) == 1 and set(owners) <= {0, GONE}, "one group is kept")
    else:
        kept = 2 if state.phase == "discard" else 1
        _need(owners.count(NOBODY) == kept and set(owners) <= {NOBODY, GONE}, "who kept what?")
    if state.phase in ("slice", "discard"):
        _need(len(owners) <= state.turn + 1 + (state.phase == "discard"), "too many groups")
    _need(all(group.sword == 0 for group in state.groups), "there is one sword")


def _sound_taken(state: State) -> None:
    """Who selects has taken in turn, one group for each sword."""
    takes = state.turn if state.phase == "select" else state.turns
    owned = [group for group in state.groups if group.owner != NOBODY]
    _need(len(owned) == takes, "each player takes one group a turn")
    if state.phase == "craft":
        due = Counter({seat: state.turns // state.seats for seat in range(state.seats)})
    else:
        due = Counter((state.first + turn) % state.seats for turn in range(takes))
    _need(Counter(group.owner for group in owned) == due, "somebody took out of turn")
    for seat, smith in enumerate(state.smiths):
        swords = [group.sword for group in owned if group.owner == seat]
        if len(smith.swords) > 1:
            _need(set(swords) <= {0, 1} and len(set(swords)) == len(swords), "one group a sword")
        else:
            _need(not any(swords), "there is one sword")
    _need(all(g.sword == 0 for g in state.groups if g.owner == NOBODY), "a group for no sword")


def _sound_line(state: State) -> None:
    can = sliceable(state)
    _need(bool(can), "nothing can be sliced")
    _need(state.aim in (NOBODY, *can), "that group cannot be sliced")
    _need(state.aim != NOBODY or len(can) > 1, "the only group is chosen")
    _need(len(open_groups(state)) == len(state.groups) or state.solo, "nobody selects yet")
    if state.line is not None:
        _need(state.aim != NOBODY, "a line through no group")
        group: Group = state.groups[state.aim]
        least = 1 if state.options.least == 1 else min(2, _smallest(state))
        _need(state.line in set(lines(group, least, way(state))), "that is no slice")


def _smallest(state: State) -> int:
    fine = any(next(lines(state.groups[n], 2, way(state)), None) for n in open_groups(state))
    return 2 if fine else 1


def _sound_supply(state: State) -> None:
    start = supply(state.few, state.options.blanks)
    _need(len(state.supply) == len(TILES), "seven kinds of tiles")
    if state.real:
        _need(state.supply == start and not state.drawn, "real tiles are not counted")
        return
    used = [now - left for now, left in zip(start, state.supply, strict=True)]
    _need(min(used) >= 0 and min(state.supply) >= 0, "more tiles than there are")
    laid = state.round if state.rows or state.phase == "over" else state.round - 1
    height, width = state.size
    tiles = height * width - 1
    _need(sum(used) == (0 if state.phase == "deal" else laid * tiles), "tiles are missing")
    cards = 0
    if state.solo and state.phase != "deal":
        cards = laid - (state.phase == "draw")
    _need(len(state.drawn) == len(set(state.drawn)) == cards, "one solo card a round")
    _need(not state.solo or len(deck(state)) >= ROUNDS - cards, "the solo deck is too small")


def _need(holds: bool, why: str) -> None:
    if not holds:
        raise BadState(f"not a game: {why}")
