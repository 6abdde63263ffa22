"""What a card's damage is made of, what the victim can do about it, and how it is taken."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.cardgame import unsure
from companion.games.effects import Effect, changed, firing
from companion.games.records import replace
from companion.games.sainome.cards import doubtful
from companion.games.sainome.kinds import COUNTER, EQUIP, Card
from companion.games.sainome.state import (
    IN_HAND,
    Hit,
    Report,
    State,
    into_hand,
    met,
    pool,
    with_side,
)

Parts = tuple[tuple[str, int], ...]


def skills(state: State, seat: int, when: str, card: Card | None = None) -> Iterator[Effect]:
    """What the character's lying side does at this moment."""
    return firing(state.face(seat).clauses, when, met(state, seat, card))


def power(state: State, card: Card) -> Parts:
    """The damage of the mover's card, part by part; nothing for a card that does none (R30)."""
    strike, seat = state.strike, state.mover
    attached = 4 - state.sides[seat].worn.count("")
    parts = [
        (card.key, card.damage),
        ("count", card.verb("count") * attached),
        ("burn", strike.burnt),
        ("luck", card.verb("luck") * (-1 if strike.luck % 2 else 1) if strike.luck else 0),
    ]
    total = sum(number for _, number in parts)
    if total <= 0:
        return ()
    for effect in skills(state, seat, "power", card):  # R44: magic without catalysts, too
        if effect.verb == "damage":
            parts.append(("skill", changed(effect, total) - total))
            total = changed(effect, total)
    parts.append(("charge", strike.plus))
    return tuple(part for part in parts if part[1])


def hit(state: State, victim: int, card: str, parts: Parts) -> State:
    """Damage is on its way."""
    amount = max(0, sum(number for _, number in parts))
    return replace(state, hit=Hit(victim, card, parts, amount)) if amount else state


def muted(state: State, seat: int) -> bool:
    """Does the other character forbid counter cards?"""
    return any(effect.verb == "mute" for effect in skills(state, 1 - seat, "foe"))


def might_counter(state: State, seat: int, when: str) -> bool:
    """Could the hand hold a card to counter with, by what everybody sees?"""
    if not state.sides[seat].hand or muted(state, seat):
        return False
    cards = state.cards
    return any(counters(cards[card], when) or open_use(state, card) for card in pool(state))


def open_use(state: State, card: str) -> bool:
    """Cardboard whose print nobody has compared yet: it may be for anything."""
    return state.cardboard and card not in state.asked and "use" in doubtful(state.cards, card)


def counters(card: Card, when: str) -> bool:
    """Is it a counter card for this moment?"""
    return card.use == COUNTER and (card.has(when) or (card.printed and when == "counter"))


def answers(state: State, card: Card) -> bool:
    """Does the counter card meet the damage under way?"""
    found = state.hit
    return found is not None and (
        card.printed or any(firing(card.clauses, "counter", met(state, found.victim)))
    )


def in_sight(state: State, seat: int) -> tuple[str, ...]:
    """The seat's hand, what is attached, both characters."""
    worn = (card for side in state.sides for card in (*side.worn, side.character))
    return (*state.sides[seat].hand, *worn)


def rests_on(state: State) -> tuple[tuple[str, str], ...]:
    """The values, not sure yet, that the damage on the table is made of."""
    made = state.hit.parts if state.hit else state.report.parts if state.report else ()
    found = []
    for part, _ in made:
        if part in state.cards:
            card = state.cards[part]
            found.append((part, "damage" if card.use == EQUIP and card.damage else "text"))
    seats = (0, 1) if any(part in ("skill", "guard") for part, _ in made) else ()
    for seat in seats:
        side = state.sides[seat]
        found.append((side.character, "awake_text" if side.awakened else "text"))
    return unsure(state.cards, found)


def guards(state: State) -> tuple[int, ...]:
    """The attached cards that the victim may discard for one damage less each."""
    if state.hit is None or not state.hit.amount:
        return ()
    victim = state.hit.victim
    most = sum(e.amount for e in skills(state, victim, "hit") if e.verb == "guard")
    return tuple(place for place, _ in state.worn(victim)) if state.hit.guarded < most else ()


def naming(state: State) -> bool:
    """Guts was played: a number must be named."""
    found = state.hit
    if found is None or not found.countered or found.number:
        return False
    return state.cards[found.countered].verb("guts", "counter") > 0


def reacts(state: State) -> bool:
    """Is the victim still to be asked?"""
    found = state.hit
    if found is None:
        return False
    can = not found.countered and might_counter(state, found.victim, "counter")
    return bool(found.amount and (can or guards(state))) or naming(state)


def countered(state: State, card: Card) -> State:
    """A counter card changes the damage before it is taken (R39)."""
    found = state.hit
    if found is None:
        return state
    amount = found.amount
    for effect in firing(card.clauses, "counter", met(state, found.victim)):
        if effect.verb == "damage":
            amount = changed(effect, amount)
    parts = (*found.parts, (card.key, amount - found.amount))
    return replace(state, hit=replace(found, amount=amount, parts=parts, countered=card.key))


def landed(state: State) -> State:
    """Cards of the HP stack come into the hand (R31); a character may awaken."""
    found = state.hit
    if found is None:
        return state
    victim, stack = found.victim, state.sides[found.victim].stack
    taken = min(found.amount, len(stack) - 1 if found.guts else len(stack))
    state = into_hand(state, victim, *stack[:taken])
    state = with_side(state, victim, stack=stack[taken:])
    report = Report("hit", found.card, victim, found.parts, found.amount, taken)
    state = replace(state, hit=None, report=report)
    return woken(state, victim, "hurt") if taken and not state.over else state


def woken(state: State, seat: int, why: str) -> State:
    """Turn the character over if its condition holds (R33): hurt, trash, or so many HP."""
    awakens = state.character(seat).awakens
    low = awakens.startswith("hp ") and len(state.sides[seat].stack) <= int(awakens[3:])
    return with_side(state, seat, awake=True) if awakens == why or low else state


def catalysts(state: State, card: Card) -> int:
    """How many cards the mover must discard to use a card of magic."""
    free = any(effect.verb == "free" for effect in skills(state, state.mover, "power"))
    return 0 if free else card.catalyst


def sixes(state: State) -> Iterator[tuple[str, int]]:
    """The cards of which a rolled 6 lets the mover use one (R38), known in the hand or attached."""
    side = state.sides[state.mover]
    for place, card in state.worn(state.mover):
        if card.six:
            yield card.key, place
    for key in (state.shown,) if state.shown else dict.fromkeys(side.hand):
        if key in state.cards and six_from_hand(state, state.cards[key]):
            yield key, IN_HAND


def six_from_hand(state: State, card: Card) -> bool:
    """May it be used out of the hand: the 6 on it, and catalysts to pay it with?"""
    left = len(state.sides[state.mover].hand) - (not state.shown)
    return card.six and left >= catalysts(state, card)
