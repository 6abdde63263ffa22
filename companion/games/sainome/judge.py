"""The only judge of Sainome Colosseum: what each action leads to, or why it is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.errors import BadState, Illegal
from companion.games import effects
from companion.games.api import Rolled, require
from companion.games.cardgame import taken
from companion.games.records import replace
from companion.games.sainome import actions as do
from companion.games.sainome import strike
from companion.games.sainome.damage import (
    answers,
    catalysts,
    counters,
    guards,
    hit,
    landed,
    muted,
    naming,
    sixes,
    woken,
)
from companion.games.sainome.flow import ended, fitted, settle, trashed
from companion.games.sainome.hand import (
    HAND_ACTS,
    LEARN_ACTS,
    SHOWN_ACTS,
    compared,
    equipping,
    may_act,
    need_held,
    performed,
)
from companion.games.sainome.kinds import COUNTER, INSTANT
from companion.games.sainome.state import (
    IN_HAND,
    SEATS,
    SETTING_UP,
    UNKNOWN,
    Report,
    State,
    discarded,
    in_slot,
    with_side,
    without,
)
from companion.games.sainome.turn import NOT_NOW, deciders, random_targets, thrown
from companion.games.sainome.verbs import VERBS, answered, bared
from companion.words import Seat, Text, text

Act = Callable[[State, Any], State]


def apply(state: State, action: Any) -> State:
    """The state after the action, or Illegal with rule and reason."""
    kind = type(action)
    if kind not in do.ACTIONS:
        raise BadState(f"{action!r} is no action of Sainome Colosseum")
    require(not state.over, "R32", "The game is over")
    if kind is Rolled:
        return settle(_rolled(state, action))
    if kind in (do.Shuffled, do.Fated):
        return settle(_shuffled(state, action) if kind is do.Shuffled else _fated(state, action))
    require(action.seat in SEATS, "R1", "Only seats 1 and 2 play")
    if state.throw:
        rule, who = _ROLL_RULES.get(state.throw, "R22"), Seat(thrown(state)[0])
        raise Illegal(rule, text("{who} rolls the dice first", who=who))
    require(not state.shuffling, "R17", "The cards are shuffled first")
    if action.seat not in deciders(state):
        raise Illegal("R11", text("It is {who}'s move", who=Seat(1 - action.seat)))
    return settle(_decided(state, action))


def refusal(state: State, action: Any) -> Illegal | None:
    """Why a seat's action is refused, or None."""
    try:
        _decided(state, action)
    except Illegal as why:
        return why
    return None


def _decided(state: State, action: Any) -> State:
    kind = type(action)
    if state.learning:
        require(kind in LEARN_ACTS, "H2", "First compare the card")
        return LEARN_ACTS[kind](state, action)
    require(kind not in LEARN_ACTS, "H2", "No card waits to be compared")
    if kind in SHOWN_ACTS:
        return SHOWN_ACTS[kind](state, action)
    if state.hit is not None:
        return _reaction(state, action)
    if state.due:
        card = state.cards[state.due[0].card].name
        require(kind is do.Target, "H3", "First choose for {card}", card=card)
        return effects.choose(state, VERBS, action.what, "H3")
    require(kind is not do.Target, "H3", "No effect waits for a choice")
    phases, act = _ACTS.get(kind, ((), None))
    if act is None or state.phase not in phases:
        raise Illegal(*_wrong_time(state, action))
    done = kind in (do.Attach, do.Play, do.Use, do.Counter)
    require(done or not state.shown, "H1", "First play or take back the shown card")
    return act(state, action)


def _wrong_time(state: State, action: Any) -> tuple[str, Text]:
    match action:
        case do.Counter():
            return "R39", text("A counter card waits for damage to you")
        case do.Use():
            return "R37", text("A card with the 6 is used when a 6 is rolled")
        case do.Play() if state.phase != "act":
            return "R40", text("Play an instant as an action of your turn")
        case _ if state.phase == "equip":
            return equipping(state), NOT_NOW["equip"][1]
    return NOT_NOW[state.phase]


# --- chance --------------------------------------------------------------------------------------

_ROLL_RULES = {"off": "R3"}


def _rolled(state: State, action: Rolled) -> State:
    rule = _ROLL_RULES.get(state.throw, "R22")
    require(bool(state.throw), rule, "No throw is due now")
    require(not state.shown, "H1", "First play or take back the shown card")
    _, count = thrown(state)
    dice = tuple(die.value for die in action.dice)
    require(len(dice) == count, rule, "Dice to throw: {n}, not {m}", n=count, m=len(dice))
    for value in dice:
        require(1 <= value <= 6, rule, "A die shows 1 to 6, not {n}", n=value)
    black = all(die.body == "black" for die in action.dice)
    require(black, rule, "Throw black dice only")
    return _THROWN[state.throw](replace(state, throw=""), dice)


def _off(state: State, dice: tuple[int, ...]) -> State:
    off = (state.off[0], dice[0]) if state.off[0] else (dice[0], 0)
    return replace(state, off=off)


def _attacked(state: State, dice: tuple[int, ...]) -> State:
    return replace(state, attack=replace(state.strike, dice=dice), phase="pick")


def _weighed(state: State, dice: tuple[int, ...]) -> State:
    return replace(state, attack=replace(state.strike, dice=dice), phase="weigh")


def _luck(state: State, dice: tuple[int, ...]) -> State:
    return replace(state, attack=replace(state.strike, luck=dice[0]))


def _guts(state: State, dice: tuple[int, ...]) -> State:
    if state.hit is None:
        raise BadState("Guts without damage")
    return replace(state, hit=replace(state.hit, guts=state.hit.number in dice))


def _reckless(state: State, dice: tuple[int, ...]) -> State:
    left, damage = state.reckless
    left, damage = left - len(dice), damage + sum(value >= 4 for value in dice)
    if left:
        return replace(state, reckless=(left, damage), throw="reckless")
    state = replace(state, reckless=(0, 0))
    return hit(state, state.other, state.played, ((state.played, damage),))


_THROWN: dict[str, Callable[[State, tuple[int, ...]], State]] = {
    "off": _off,
    "attack": _attacked,
    "weigh": _weighed,
    "luck": _luck,
    "guts": _guts,
    "reckless": _reckless,
}


def _shuffled(state: State, action: do.Shuffled) -> State:
    if state.phase in SETTING_UP and not state.shuffling:
        raise Illegal(*NOT_NOW[state.phase])
    require(state.shuffling, "R17", "No shuffle is due: cards are left in the deck")
    pile = state.discard
    if state.cardboard:
        require(not action.order, "R17", "Real cards are shuffled by hand")
        return replace(state, deck=(UNKNOWN,) * len(pile), discard=())
    same = sorted(action.order) == sorted(pile)
    require(same, "R17", "Shuffle the {n} cards of the pile", n=len(pile))
    return replace(state, deck=action.order, discard=())


def _fated(state: State, action: do.Fated) -> State:
    require(bool(random_targets(state)), "H3", "Nothing is drawn at random now")
    return effects.choose(state, VERBS, action.what, "H3")


# --- before the first turn ------------------------------------------------------------------------


def _take(state: State, action: do.Take) -> State:
    require(action.what in ("character", "first"), "R3", "Take the first choice or the first turn")
    first = action.what == "first"
    chooser = 1 - action.seat if first else action.seat
    return replace(state, chooser=chooser, mover=1 - chooser, phase="choose")


def _choose(state: State, action: do.Choose) -> State:
    known = action.character in state.cards.characters
    require(known, "R2", "There is no such character")
    free = action.character not in [side.character for side in state.sides]
    require(free, "R2", "That character is taken: choose another")
    state = with_side(state, action.seat, character=action.character)
    return compared(state, action.character) if state.cardboard else state


def _draft(state: State, action: do.Draft) -> State:
    side = state.sides[action.seat]
    require(action.card in side.pack, "R10", "Pick a card of your pack")
    state = with_side(
        state, action.seat, pack=without(side.pack, action.card), stack=(*side.stack, action.card)
    )
    packs = [each.pack for each in state.sides]
    if len(packs[0]) != len(packs[1]):
        return state
    return with_side(with_side(state, 0, pack=packs[1]), 1, pack=packs[0])


# --- the action phase -----------------------------------------------------------------------------


def _draw(state: State, action: do.Draw) -> State:
    may_act(state, "draw")
    seat, side = action.seat, state.sides[action.seat]
    more, limit = state.limit(seat) - len(side.hand), state.limit(seat)
    require(more > 0, "R16", "Your hand is full: {n} of {m}", n=len(side.hand), m=limit)
    require(bool(state.deck or state.discard), "R16", "No card is left to draw")
    if state.character(seat).returns == "draw":  # R45
        state = with_side(state, seat, awake=False)
    state = with_side(state, seat, owed=more)
    return replace(state, done=(*state.done, "draw"), report=None)


def _reequip(state: State, action: do.Reequip) -> State:
    may_act(state, "equip")
    state = replace(state, done=(*state.done, "equip"), report=None)
    return bared(state, action.seat)


def _strike(state: State, _action: do.Strike) -> State:
    may_act(state, "attack")
    return strike.begin(replace(state, done=(*state.done, "attack")))


def _end(state: State, _action: do.End) -> State:
    return ended(state)


# --- the attack -----------------------------------------------------------------------------------


def _name(state: State, action: do.Name) -> State:
    require(2 <= action.number <= 5, "R34", "Name 2 to 5, not {n}", n=action.number)
    attack = replace(state.strike, star=action.number)
    return replace(state, attack=attack, phase="attack", throw="attack")


def _pick(state: State, action: do.Pick) -> State:
    fair = action.number in state.strike.dice
    require(fair, "R22", "Choose a number that was rolled, not {n}", n=action.number)
    after = {"pick": "again", "weigh": "resolve"}[state.phase]
    return replace(strike.counts(state, action.number), phase=after)


def _again(state: State, action: do.Again) -> State:
    state = _from_hand(state, action.seat, action.card, "R34")
    fresh = replace(state.strike, dice=(), number=0)
    return replace(state, attack=fresh, phase="attack", throw="attack")


def _use(state: State, action: do.Use) -> State:
    if (action.card, action.place) not in sixes(state):
        raise Illegal(*_no_six(state, action))
    if action.place != IN_HAND:
        require(not state.shown, "H1", "First play or take back the shown card")
        return strike.chosen(state, action.place)
    card = state.cards[action.card]
    if card.use == INSTANT:  # it ends the attack: a 6 lets one card act (R38)
        return replace(performed(state, action.seat, card), attack=None, phase="act")
    state = taken(state, action.seat, card.key)
    if card.use == COUNTER and state.options.rules > 2:  # H10
        ready = (*state.sides[action.seat].ready, card.key)
        state = with_side(state, action.seat, ready=ready)
        return replace(state, report=Report("ready", card.key, action.seat), phase="pause")
    attack = replace(state.strike, card=card.key, place=IN_HAND)
    return replace(state, attack=attack, phase="strike")


def _no_six(state: State, action: do.Use) -> tuple[str, Text]:
    if action.card not in state.cards:
        return "R37", text("There is no such card")
    card = state.cards[action.card]
    if not card.six:
        return "R37", text("{card} has no 6 on it", card=card.name)
    if action.place != IN_HAND or card.key not in (*state.sides[action.seat].hand, state.shown):
        return "R37", text("{card} is not where you say", card=card.name)
    need = catalysts(state, card)
    return "H3", text("{card} lacks catalysts: {n} needed", card=card.name, n=need)


def _next(state: State, action: do.Next) -> State:
    worn = [place for place, _ in state.worn(state.mover)]
    if state.phase == "order":
        can = action.place in state.strike.queue
        require(can and action.place in worn, "R27", "Choose a card whose number was rolled")
    else:
        require(action.place in worn, "R41", "You have no card there")
    return strike.chosen(state, action.place)


def _discard(state: State, action: do.Discard) -> State:
    rule = "R29" if state.phase == "trash" else "H3"
    state = _from_hand(state, action.seat, action.card, rule)
    attack = state.strike
    match state.phase:
        case "trash":
            return woken(state, action.seat, "trash")
        case "pay":
            return replace(state, attack=replace(attack, paid=attack.paid + 1), phase="strike")
    return replace(state, attack=replace(attack, burnt=attack.burnt + 1))


def _from_hand(state: State, seat: int, card: str, rule: str) -> State:
    hand = state.sides[seat].hand
    require(card in hand, rule, "That card is not in your hand")
    return discarded(with_side(state, seat, hand=without(hand, card)), card)


def _dodge(state: State, action: do.Counter) -> State:
    card = need_held(state, action.seat, action.card, "R39")
    require(counters(card, "rolled"), "R39", "{card} does not change a roll", card=card.name)
    require(not muted(state, action.seat), "R34", "The Sister forbids counter cards")
    state = discarded(taken(state, action.seat, card.key), card.key)
    return replace(state, throw="weigh")


def _go_on(state: State, action: do.GoOn) -> State:
    match state.phase:
        case "equip":
            return fitted(state)
        case "again":
            return replace(state, phase="dodge")
        case "dodge":
            return replace(state, phase="resolve")
        case "six":
            return replace(state, report=Report("passed"), phase="pause")
        case "burn":
            return replace(state, phase="aim")
        case "pause":
            return strike.gone_on(state)
    over = len(state.sides[action.seat].hand) - state.limit(action.seat)
    require(over <= 0, "R28", "First discard down to your limit: {n} more", n=over)
    return trashed(state)


# --- what the victim does -------------------------------------------------------------------------


def _reaction(state: State, action: Any) -> State:
    found = state.hit
    if found is None:
        raise BadState("there is no damage")
    if naming(state):
        require(isinstance(action, do.Name), "H3", "First name a number, 1 to 6")
        require(1 <= action.number <= 6, "H3", "A die shows 1 to 6, not {n}", n=action.number)
        return replace(state, hit=replace(found, number=action.number), throw="guts")
    match action:
        case do.Counter():
            return _counter(state, action)
        case do.Guard(seat, place):
            require(not state.shown, "H1", "First play or take back the shown card")
            require(place in guards(state), "R30", "Choose an attached card to guard with")
            worn = state.sides[seat].worn
            state = with_side(state, seat, worn=in_slot(worn, place, ""))
            parts = (*found.parts, ("guard", -1))
            less = replace(found, amount=found.amount - 1, guarded=found.guarded + 1, parts=parts)
            return replace(discarded(state, worn[place]), hit=less)
        case do.GoOn():
            require(not state.shown, "H1", "First play or take back the shown card")
            return landed(state)
    raise Illegal("R30", text("First take the damage, or counter it"))


def _counter(state: State, action: do.Counter) -> State:
    found = state.hit
    if found is None:
        raise BadState("there is no damage")
    require(not found.countered, "R47", "One counter card for each damage")
    require(found.amount > 0, "R39", "No damage is left to counter")
    card = need_held(state, action.seat, action.card, "R39")
    require(counters(card, "counter"), "R39", "{card} does not stop damage", card=card.name)
    require(not muted(state, action.seat), "R34", "The Sister forbids counter cards")
    require(answers(state, card), "R39", "{card} is not for this damage", card=card.name)
    return answered(taken(state, action.seat, card.key), action.seat, card)


_ACTS: dict[type, tuple[tuple[str, ...], Act]] = {
    do.Take: (("right",), _take),
    do.Choose: (("choose",), _choose),
    do.Draft: (("draft",), _draft),
    do.Draw: (("act",), _draw),
    do.Reequip: (("act",), _reequip),
    do.Strike: (("act",), _strike),
    do.End: (("act",), _end),
    do.Name: (("declare",), _name),
    do.Pick: (("pick", "weigh"), _pick),
    do.Again: (("again",), _again),
    do.Counter: (("dodge",), _dodge),
    do.Use: (("six",), _use),
    do.Next: (("order", "charge"), _next),
    do.Discard: (("pay", "burn", "trash"), _discard),
    do.GoOn: (("equip", "again", "dodge", "six", "burn", "pause", "trash"), _go_on),
    **HAND_ACTS,
}
