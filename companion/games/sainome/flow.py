"""How the game goes on by itself until somebody must choose, throw or shuffle."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.effects import run
from companion.games.records import replace
from companion.games.sainome import strike
from companion.games.sainome.damage import answers, hit, landed, muted, reacts
from companion.games.sainome.state import (
    HAND,
    SEATS,
    UNKNOWN,
    State,
    discarded,
    in_slot,
    with_side,
    without,
)
from companion.games.sainome.verbs import VERBS, answered


def settle(state: State) -> State:
    """Carry on until the table waits for somebody, or the game is over."""
    while (following := _on(state)) is not None:
        state = following
    return state


def _on(state: State) -> State | None:
    if state.over or state.shown or state.throw or state.shuffling:
        return None
    for seat in (state.mover, state.other):
        if state.sides[seat].owed:
            return _drawn(state, seat)
    if state.hit is not None:
        return _laid_open(state) or (None if reacts(state) else landed(state))
    if state.due:
        after = run(state, VERBS)
        return after if after is not state else None
    if state.played:
        return replace(discarded(state, state.played), played="")
    step = _STEPS.get(state.phase)
    return step(state) if step else None


def _laid_open(state: State) -> State | None:
    """A counter card that its 6 laid open acts before the victim is asked (H10, R47)."""
    found = state.hit
    if found is None or found.countered or not found.amount or muted(state, found.victim):
        return None
    ready = state.sides[found.victim].ready
    for key in ready:
        if answers(state, state.cards[key]):
            state = with_side(state, found.victim, ready=without(ready, key))
            return answered(state, found.victim, state.cards[key])
    return None


def _drawn(state: State, seat: int) -> State:
    side = state.sides[seat]
    if not state.deck:  # no card anywhere: nothing to draw
        return with_side(state, seat, owed=0)
    state = with_side(state, seat, hand=(*side.hand, state.deck[0]), owed=side.owed - 1)
    return replace(state, deck=state.deck[1:])


def _off(state: State) -> State:
    """The higher die has the choice; a tie is thrown again."""
    if 0 in state.off:
        return replace(state, throw="off")
    if state.off[0] == state.off[1]:
        return replace(state, off=(0, 0), throw="off")
    return replace(state, phase="right")


def _choose(state: State) -> State | None:
    left = [seat for seat in SEATS if not state.sides[seat].character]
    if not left:
        return replace(state, phase="deal")
    return replace(state, chooser=left[0]) if state.chooser not in left else None


def _deal(state: State) -> State:
    """HP stacks, or the packs of a draft; cardboard is drafted by hand."""
    hp = state.options.hp
    draft = state.options.draft == "yes" and not state.cardboard
    for seat in SEATS:
        zone = {"pack" if draft else "stack": state.deck[seat * hp : (seat + 1) * hp]}
        state = with_side(state, seat, **zone)
    state = replace(state, deck=state.deck[2 * hp :])  # R9
    return replace(state, phase="draft") if draft else _hands(state)


def _draft(state: State) -> State | None:
    """When the packs are empty, hands are dealt."""
    return None if any(side.pack for side in state.sides) else _hands(state)


def _hands(state: State) -> State:
    for seat in SEATS:
        state = with_side(state, seat, owed=HAND)  # R7
    return replace(state, phase="equip", fitting=state.mover)  # H5


def fitted(state: State) -> State:
    """Done with attaching: what came off and stays in the hand is nobody's to know again."""
    seat = state.fitting
    if state.cardboard:
        state = with_side(state, seat, hand=(UNKNOWN,) * len(state.sides[seat].hand))
    if state.turns:
        after = replace(state, phase="act", swift=False)
        return strike.begin(after) if state.swift else after
    if seat == state.mover:
        return replace(state, fitting=state.other)
    return begin_turn(state, state.mover)


def begin_turn(state: State, seat: int) -> State:
    """The action phase of a seat."""
    return replace(state, mover=seat, turns=state.turns + 1, done=(), phase="act")


def _act(state: State) -> State | None:
    return ended(state) if not state.allowed() else None


def ended(state: State) -> State:
    """The trash phase begins: Overdrive is over, then Time Bombs go off."""
    return replace(with_side(state, state.mover, driven=False), phase="bomb")


def _bomb(state: State) -> State:
    """One by one, each with a counter card of its own (H7), or all together."""
    seat, cards = state.mover, state.cards
    places = [n for n, key in enumerate(state.sides[seat].worn) if key and cards[key].planted]
    if not places:
        return replace(state, phase="trash")
    parts: list[tuple[str, int]] = []
    for place in places if state.options.bombs == "together" else places[:1]:
        worn = state.sides[seat].worn
        parts.append((worn[place], cards[worn[place]].verb("blast", "trash")))
        state = discarded(with_side(state, seat, worn=in_slot(worn, place, "")), worn[place])
    return hit(state, seat, parts[0][0], tuple(parts))


def _trash(state: State) -> State | None:
    return None if state.sides[state.mover].hand else trashed(state)


def trashed(state: State) -> State:
    """The end of the turn: some turn back to their normal side (R35, R46)."""
    seat = state.mover
    state = with_side(state, seat, fewer=0)
    if state.character(seat).returns == "trash":
        state = with_side(state, seat, awake=False)
    return begin_turn(state, state.other)


_STEPS: dict[str, Callable[[State], State | None]] = {
    "off": _off,
    "choose": _choose,
    "deal": _deal,
    "draft": _draft,
    "act": _act,
    "pick": strike.picked,
    "weigh": strike.picked,
    "again": strike.again,
    "dodge": strike.dodge,
    "resolve": strike.resolve,
    "six": strike.six,
    "order": strike.order,
    "strike": strike.strike,
    "charge": strike.charge,
    "burn": strike.burn,
    "aim": strike.aim,
    "land": strike.land,
    "pause": strike.pause,
    "bomb": _bomb,
    "trash": _trash,
}
