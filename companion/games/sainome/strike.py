"""The attack: the roll, what answers it, and one card after the other that it sets off."""

from __future__ import annotations

from companion.games.effects import Due, firing
from companion.games.records import replace
from companion.games.sainome.damage import (
    catalysts,
    counters,
    hit,
    might_counter,
    muted,
    power,
    sixes,
    skills,
)
from companion.games.sainome.kinds import STAR, Card
from companion.games.sainome.state import (
    IN_HAND,
    NOBODY,
    SLOTS,
    Attack,
    Report,
    State,
    discarded,
    in_slot,
    met,
    with_side,
    without,
)


def begin(state: State, two: bool = False) -> State:
    """An attack begins: a star slot is named first, then the dice are thrown."""
    state = replace(state, attack=Attack(two), report=None)
    if STAR in state.face(state.mover).slots:
        return replace(state, phase="declare")
    return replace(state, phase="attack", throw="attack")


def dice_of(state: State) -> int:
    """How many dice are thrown for the attack."""
    most = max(
        (e.amount for e in skills(state, state.mover, "rolls") if e.verb == "dice"), default=1
    )
    return max(most, 2) if state.strike.two else most


def counts(state: State, number: int) -> State:
    """This is the roll of the attack."""
    return replace(state, attack=replace(state.strike, number=number))


def picked(state: State) -> State | None:
    """Of equal dice nobody needs to choose."""
    dice = set(state.strike.dice)
    if len(dice) > 1:
        return None
    after = {"pick": "again", "weigh": "resolve"}[state.phase]
    return replace(counts(state, dice.pop()), phase=after)


def again(state: State) -> State | None:
    """May the mover discard a card to roll again?"""
    may = any(effect.verb == "again" for effect in skills(state, state.mover, "rolls"))
    return None if may and state.sides[state.mover].hand else replace(state, phase="dodge")


def dodge(state: State) -> State | None:
    """May the other have an answer to the roll? One that lies open is taken at once (H10)."""
    ready = state.sides[state.other].ready
    if not muted(state, state.other):
        for key in ready:
            if counters(state.cards[key], "rolled"):
                state = with_side(state, state.other, ready=without(ready, key))
                return replace(discarded(state, key), throw="weigh")
    return None if might_counter(state, state.other, "rolled") else replace(state, phase="resolve")


def resolve(state: State) -> State:
    """The slots with the rolled number act, each card by itself (R27)."""
    number, seat = state.strike.number, state.mover
    if number == 6:
        return replace(state, phase="six")
    fitting = [place for place in SLOTS if state.number(seat, place) == number]
    queue = tuple(place for place, _ in state.worn(seat) if place in fitting)
    if queue:
        return replace(state, attack=replace(state.strike, queue=queue), phase="order")
    state = replace(state, report=Report("miss"), phase="pause")  # R24
    sting = sum(e.amount for e in skills(state, seat, "misses") if e.verb == "sting")
    if sting and (not fitting or state.options.sting == "any"):  # H8
        state = hit(state, state.other, "", (("skill", sting),))
    return state


def six(state: State) -> State | None:
    """May the mover have a card with the 6, by what everybody sees?"""
    if state.sides[state.mover].hand or any(sixes(state)):
        return None
    return replace(state, report=Report("miss"), phase="pause")


def order(state: State) -> State | None:
    """The next card, or the end of the attack."""
    seat, queue = state.mover, state.strike.queue
    worn = [place for place, _ in state.worn(seat) if place in queue]
    if not worn:
        return replace(state, attack=None, phase="act")
    return None if len(worn) > 1 else chosen(state, worn[0])


def chosen(state: State, place: int) -> State:
    """This slot acts now; one that a Charge sets off keeps the turn of its own (R27)."""
    queue = state.strike.queue
    if state.phase != "charge" or state.options.rules < 2:
        queue = _less(queue, place)
    return replace(state, attack=replace(state.strike, place=place, queue=queue), phase="strike")


def _less(queue: tuple[int, ...], place: int) -> tuple[int, ...]:
    return tuple(other for other in queue if other != place)


def acting(state: State) -> Card:
    """The card that acts now."""
    strike = state.strike
    key = strike.card if strike.place == IN_HAND else state.sides[state.mover].worn[strike.place]
    return state.cards[key]


def strike(state: State) -> State:
    """What the acting card needs before it does its damage."""
    card, attack = acting(state), state.strike
    if charge := card.verb("charge"):
        state = _spent(replace(state, attack=replace(attack, plus=attack.plus + charge)))  # R42
        return replace(state, phase="charge")
    if attack.paid < catalysts(state, card):
        short = catalysts(state, card) - attack.paid
        if len(state.sides[state.mover].hand) < short:
            return replace(state, report=Report("unpaid", card.key), phase="pause")
        return replace(state, phase="pay")
    if card.verb("burn"):
        return replace(state, phase="burn")
    if card.verb("luck") and not attack.luck:
        return replace(state, throw="luck")
    return replace(state, phase="aim")


def charge(state: State) -> State | None:
    """Which other card does the Charge act with? Without one, only the Charge is gone (R41)."""
    worn = [place for place, _ in state.worn(state.mover)]
    if not worn:
        return replace(state, report=Report("idle", "charge"), phase="pause")
    return chosen(state, worn[0]) if len(worn) == 1 else None


def burn(state: State) -> State | None:
    """More cards into the fire?"""
    hand, most = state.sides[state.mover].hand, acting(state).verb("burn")
    return None if hand and state.strike.burnt < most else replace(state, phase="aim")


def aim(state: State) -> State:
    """The damage is known; the other seat may answer it."""
    card = acting(state)
    parts = power(state, card)
    state = replace(state, report=Report("idle", card.key), phase="land")
    return hit(state, state.other, card.key, parts)


def land(state: State) -> State:
    """The card is discarded unless it says otherwise (R23); then its text is carried out."""
    card, seat = acting(state), state.mover
    found = firing(card.clauses, "acts", met(state, seat, card))
    due = tuple(queued(effect.verb, effect.amount, seat, card.key) for effect in found)
    if not card.stay or state.strike.place == IN_HAND:
        state = _spent(state)
    return replace(state, due=state.due + due, phase="pause")


def queued(verb: str, amount: int, seat: int, card: str) -> Due:
    """An effect for the one whose card it is; what is lost at random, chance decides."""
    return Due(verb, amount, NOBODY if verb == "drop" else seat, card)


def pause(state: State) -> State | None:
    """How it went stands on the glass until the mover goes on, or at once."""
    return gone_on(state) if state.options.chain == "flow" else None


def gone_on(state: State) -> State:
    """The next card of the attack."""
    old = state.strike
    fresh = Attack(old.two, old.star, old.dice, old.number, old.queue)
    return replace(state, attack=fresh, phase="order")


def _spent(state: State) -> State:
    """The acting card goes to the discard pile."""
    attack, seat = state.strike, state.mover
    key = acting(state).key
    if attack.place == IN_HAND:
        state = replace(state, attack=replace(attack, card="", place=NOBODY))
    else:
        worn = in_slot(state.sides[seat].worn, attack.place, "")
        state = with_side(state, seat, worn=worn)
        queue = _less(attack.queue, attack.place)  # what is gone has no turn left
        state = replace(state, attack=replace(attack, place=NOBODY, queue=queue))
    return discarded(state, key)
