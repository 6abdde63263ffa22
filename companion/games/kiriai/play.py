"""The course of a duel: who is asked, what may be done, what it leads to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.errors import BadState, Illegal
from companion.games.api import Pick as Chance
from companion.games.api import Waiting, require, shuffled
from companion.games.kiriai.cards import EARTH, FACES, HEAVEN, SPECIAL, SPECIALS, STANCES
from companion.games.kiriai.duel import BLUE, Stand
from companion.games.kiriai.round import open_next, with_fighter
from companion.games.kiriai.state import (
    DEFEATED,
    SEATS,
    SIZES,
    Dealt,
    Fighter,
    GoOn,
    Laid,
    Options,
    Phase,
    Pick,
    Place,
    Placed,
    Seal,
    Shown,
    State,
    Told,
    faces_of,
    free,
    layable,
    own_face,
    own_spaces,
)
from companion.games.records import replace
from companion.words import Seat, Text, text


def new(seats: int, options: Options) -> State:
    """Two samurai on their ends, in Heaven, unhurt (K-R6); on the advanced row not yet placed."""
    require(seats == 2, "K-R1", "Two play, not {seats}", seats=seats)
    require(options.battlefield in SIZES, "K-R2", "Choose the standard or the advanced battlefield")
    require(options.cards in ("companion", "table"), "K-R4", "Say who deals the specials")
    require(options.round_cap >= 1, "K-H1", "The cap is at least 1 round")
    standard = options.battlefield == "standard"
    ends = (1, SIZES["standard"]) if standard else (0, 0)
    blue, red = (Fighter(Stand(end, HEAVEN)) for end in ends)
    return State(options, (blue, red), "tell" if options.cards == "table" else "deal")


def waiting(state: State) -> Waiting:
    """Who must act, in words that everybody may read."""
    if state.phase in _NOBODY_IN_TURN:
        return _NOBODY_IN_TURN[state.phase]
    blue, red = state.fighters
    return _WAITS[state.phase][blue.done, red.done]


_NOBODY_IN_TURN = {
    "over": Waiting(text("The duel is over")),
    "deal": Waiting(text("The specials are dealt"), chance=True),
    "between": Waiting(text("Seen it? Go on"), SEATS, forced=True, either=True),
}


def _waits(both: Text, one: Text) -> dict[tuple[bool, bool], Waiting]:
    """By who is done: for both, or for the one who is not."""
    blue, red = (Waiting(Text(one.template, (("who", Seat(seat)),)), (seat,)) for seat in SEATS)
    return {(False, False): Waiting(both, SEATS), (False, True): blue, (True, False): red}


_WHO = Seat(BLUE)  # or the other
_WAITS = {
    "tell": _waits(text("Both see their special"), text("{who} sees the special", who=_WHO)),
    "place": _waits(text("Both choose their start"), text("{who} chooses a start", who=_WHO)),
    "choose": _waits(text("Both lay two cards"), text("{who} lays two cards", who=_WHO)),
    "show": _waits(text("Both name their special"), text("{who} names the special", who=_WHO)),
}


def legal(state: State, seat: int) -> Iterator[Any]:
    """Every action that the seat may take now."""
    fighter = state.fighters[seat]
    if state.phase == "between":
        yield GoOn(seat)
    elif fighter.done:
        return
    elif state.phase == "choose":
        if len(fighter.plan) == 2:
            yield Seal(seat)
        else:
            yield from (Pick(seat, face) for face in layable(fighter, state.cardboard))
        if _untold(state, fighter):
            yield from (Told(seat, special) for special in _possible(state, seat))
    elif state.phase == "tell":
        yield from (Told(seat, special) for special in (*SPECIALS, ""))
    elif state.phase == "place":
        for space in own_spaces(seat):
            yield from (Place(seat, space, stance) for stance in STANCES)
    elif state.phase == "show":
        yield from (Shown(seat, special) for special in _possible(state, seat))


def apply(state: State, action: Any) -> State:
    """The only judge: the state after the action, or Illegal."""
    act = _ACTS.get(type(action))
    if act is None:
        raise BadState(f"{action!r} is no action of Kiri-ai")
    phases = _WHEN[type(action)]
    if type(action) is not Dealt:
        if action.seat not in SEATS:
            raise Illegal("K-R1", text("Only seats 1 and 2 play"))
        if state.fighters[action.seat].done and state.phase != "over":
            other = Seat(1 - action.seat)
            raise Illegal(
                _NOT_NOW[state.phase][0], text("You have chosen: wait for {who}", who=other)
            )
    if state.phase not in phases:
        raise Illegal(*_not_now(state))
    return act(state, action)


def force(state: State, action: Any) -> State:
    """Soft mode: lay an own card although K-R11 forbids it; anything else is judged as ever."""
    try:
        return apply(state, action)
    except Illegal as refusal:
        if refusal.rule != "K-R11" or not isinstance(action, Pick):
            raise
    return _lay(state, action, forced=True)


def chance(state: State, pick: Chance) -> Dealt:
    """Deal: of three specials, one to Blue and one to Red."""
    if state.phase != "deal":
        raise Illegal(*_not_now(state))
    return Dealt(shuffled(SPECIALS, pick)[:2])


def reveals(state: State, action: Any) -> bool:
    """Does the action show anybody what was hidden? No decision is taken back past it."""
    if isinstance(action, Seal | Place):
        return state.fighters[1 - action.seat].done
    return isinstance(action, Dealt | Shown | GoOn)


def _not_now(state: State) -> tuple[str, Text]:
    """What comes first, or why nothing comes any more."""
    rule, why = _NOT_NOW[state.phase]
    drawn = state.phase == "over" and all(f.wounds < DEFEATED for f in state.fighters)
    return ("K-H1" if drawn else rule), why


def _deal(state: State, action: Dealt) -> State:
    deal = action.specials
    fair = len(deal) == 2 and len(set(deal)) == 2 and set(deal) <= set(SPECIALS)
    require(fair, "K-R4", "Deal two different specials")
    blue, red = (
        replace(fighter, special=special)
        for fighter, special in zip(state.fighters, deal, strict=True)
    )
    return _start(replace(state, fighters=(blue, red)))


def _tell(state: State, action: Told) -> State:
    fighter = state.fighters[action.seat]
    if state.phase == "tell":
        require(action.special in (*SPECIALS, ""), "K-R4", "There is no such special")
        state = with_fighter(
            state, action.seat, replace(fighter, special=action.special, done=True)
        )
        return _start(state) if all(fighter.done for fighter in state.fighters) else state
    require(_untold(state, fighter), "K-R4", "No special has to be told now")
    require(action.special in _possible(state, action.seat), "K-R4", "You cannot hold that special")
    return with_fighter(state, action.seat, replace(fighter, special=action.special))


def _place(state: State, action: Place) -> State:
    seat = action.seat
    require(
        action.space in own_spaces(seat), "K-R7", "Start on space {a}, {b} or {c}",
        **dict(zip("abc", own_spaces(seat), strict=True)),
    )  # fmt: skip
    require(action.stance in STANCES, "K-R7", "Start in Heaven or Earth")
    placed = Placed(action.space, action.stance, action.salt)
    state = with_fighter(state, seat, replace(state.fighters[seat], placed=placed, done=True))
    if not all(fighter.done for fighter in state.fighters):
        return state
    blue, red = (
        replace(fighter, stand=_start_of(fighter), done=False) for fighter in state.fighters
    )
    return replace(state, fighters=(blue, red), phase="choose")


def _start_of(fighter: Fighter) -> Stand:
    start = fighter.placed
    if start is None:
        return fighter.stand
    return Stand(start.space, HEAVEN if start.stance == HEAVEN else EARTH)


def _pick(state: State, action: Pick) -> State:
    fighter, face = state.fighters[action.seat], action.face
    if len(fighter.plan) == 2:
        raise Illegal("K-R9", text("Two cards lie already: seal them"))
    if face not in faces_of(fighter, state.cardboard):
        require(face in FACES, "K-R3", "There is no such card")
        require(not state.cardboard, "K-H2", "Lay it as your special card")
        raise Illegal("K-R4", text("You do not hold that special"))
    if not free(fighter, face):
        raise Illegal("K-R11", why_barred(fighter, face))
    return _lay(state, action)


def why_barred(fighter: Fighter, face: str) -> Text:
    """Why K-R11 forbids an own face just now."""
    card, name = FACES[face].card, own_face(fighter, face).name
    if any(FACES[laid.face].card == card for laid in fighter.plan):
        return text("{card} lies already: choose another card", card=name)
    if card == fighter.aside:
        return text("{card} rests this round: choose another card", card=name)
    return text("{card} is spent: choose another card", card=name)


def _lay(state: State, action: Pick, forced: bool = False) -> State:
    """Any own card, even if it must fail (K-R12), with this end to the opponent (K-R10)."""
    fighter = state.fighters[action.seat]
    laid = Laid(action.face, action.salt, forced)
    return with_fighter(state, action.seat, replace(fighter, plan=(*fighter.plan, laid)))


def _seal(state: State, action: Seal) -> State:
    fighter = state.fighters[action.seat]
    count = len(fighter.plan)
    if count != 2:
        raise Illegal("K-R9", text("Lay two cards before you seal, not {n}", n=count))
    if not state.fighters[1 - action.seat].done:
        return with_fighter(state, action.seat, replace(fighter, done=True))
    return open_next(replace(state, steps=()))


def _go_on(state: State, _action: GoOn) -> State:
    return open_next(state)


def _show(state: State, action: Shown) -> State:
    seat, special = action.seat, action.special
    require(special in SPECIALS, "K-R4", "There is no such special")
    require(
        special in _possible(state, seat),
        "K-R4",
        "{who} has shown that special: name another",
        who=Seat(1 - seat),
    )
    other = state.fighters[1 - seat]
    if other.special == special:  # told, and now known to be wrong: the cardboard is the truth
        state = with_fighter(state, 1 - seat, replace(other, special=""))
    state = with_fighter(state, seat, replace(state.fighters[seat], special=special, done=True))
    return open_next(state) if all(fighter.done for fighter in state.fighters) else state


def _start(state: State) -> State:
    """The specials are in hand: place the samurai, or lay the first cards."""
    blue, red = (
        replace(fighter, done=False) if fighter.done else fighter for fighter in state.fighters
    )
    phase: Phase = "choose" if state.options.battlefield == "standard" else "place"
    return replace(state, fighters=(blue, red), phase=phase)


def _untold(state: State, fighter: Fighter) -> bool:
    return state.cardboard and not (fighter.special or fighter.spent)


def _possible(state: State, seat: int) -> tuple[str, ...]:
    """The specials of cardboard that a seat can hold, by what everybody has seen."""
    other = state.fighters[1 - seat]
    shown = other.spent
    if state.phase == "show" and other.done and other.plan[len(state.steps)].face == SPECIAL:
        shown = other.special or other.spent
    return tuple(special for special in SPECIALS if special != shown)


_ACTS: dict[type, Callable[[State, Any], State]] = {
    Dealt: _deal,
    Told: _tell,
    Place: _place,
    Pick: _pick,
    Seal: _seal,
    Shown: _show,
    GoOn: _go_on,
}
_WHEN: dict[type, tuple[Phase, ...]] = {
    Dealt: ("deal",),
    Told: ("tell", "choose"),
    Place: ("place",),
    Pick: ("choose",),
    Seal: ("choose",),
    Shown: ("show",),
    GoOn: ("between",),
}
_NOT_NOW: dict[str, tuple[str, Text]] = {
    "deal": ("K-R4", text("The specials are dealt first")),
    "tell": ("K-H2", text("First tell your special, or keep it to yourself")),
    "place": ("K-R7", text("First choose your start")),
    "choose": ("K-R9", text("First lay two cards and seal them")),
    "show": ("K-H2", text("Name the opened special first")),
    "between": ("K-R13", text("First go on: the second cards are still closed")),
    "over": ("K-R40", text("The duel is over")),
}
