"""Strength, spotting and what a fight leads to: the arithmetic of an attack."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.cardgame import unsure
from companion.games.effects import Condition, bonus
from companion.games.hack.kinds import ACTION, HIDDEN, MONSTER, Card
from companion.games.hack.state import (
    Battle,
    Hero,
    Report,
    Side,
    State,
    seen_cards,
    with_side,
    without,
)
from companion.games.records import replace

Sum = tuple[tuple[str, int], ...]
"""How a strength is made up: card names and the words "text", "actions", "destiny" with numbers."""


def spotted(state: State, what: str) -> int:
    """How often this element, species or class is seen in play; hidden cards only as such (R57)."""
    if what == HIDDEN:
        return sum(len(side.hidden) for side in state.sides)
    return sum(card.is_a(what) for card in seen_cards(state))


def met(state: State, need: Condition) -> bool:
    """Does a condition hold outside a fight?"""
    return need.word == "spot" and spotted(state, need.of) >= need.amount


def can_join(state: State, card: Card) -> bool:
    """May this monster of the portal join the attack that is being made?"""

    def holds(need: Condition) -> bool:
        if need.word == "with":
            return any(state.cards[monster].is_a(need.of) for monster in state.attackers)
        return met(state, need)

    return any(c.when == "portal" and all(map(holds, c.needs)) for c in card.clauses)


def flips_now(state: State, card: Card) -> bool:
    """Is this an action for the fight, or one whose print may name any time?"""
    in_time = card.printed or (state.phase == "flip" and card.has("flip"))
    return card.kind == ACTION and in_time


def joining(state: State) -> tuple[str, ...]:
    """The stored monsters that may join: by a text, until the defender answers by a print.

    What our words cannot say, on a stored monster or on one that attacks, the players read.
    """
    found = dict.fromkeys(state.sides[state.mover].portal)
    printed = any(state.cards[monster].printed for monster in state.attackers)
    said = state.phase == "join"
    cards = [state.cards[key] for key in found]
    return tuple(c.key for c in cards if printed or c.printed or (said and can_join(state, c)))


def in_fight(state: State, battle: Battle, card: Card, seat: int) -> Callable[[Condition], bool]:
    """What holds in this fight for a card of this seat; the PC may be destroyed by now."""
    monsters = [state.cards[monster] for monster in battle.monsters]
    attacks = seat == state.mover
    foes = [state.cards[battle.pc]] if attacks else monsters
    friends = monsters if attacks else []
    hero = state.hero(state.other, battle.pc)
    itself = card.kind == MONSTER

    def holds(need: Condition) -> bool:
        match need.word:
            case "against":
                return any(foe.is_a(need.of) for foe in foes)
            case "with":
                there = sum(friend.is_a(need.of) for friend in friends)
                return there > (itself and card.is_a(need.of))
            case "wounded":
                return hero is None or hero.wounded
        return met(state, need)

    return holds


def holding(state: State, card: str, seat: int) -> Callable[[Condition], bool]:
    """What holds for the text of a card now: in a fight by the fight, else by what is seen."""
    if state.battles and state.options.rules > 1:
        return in_fight(state, state.battle, state.cards[card], seat)
    return lambda need: met(state, need)


def sums(state: State, battle: Battle) -> tuple[Sum, Sum]:
    """Both strengths by their parts, by seat; what is not drawn yet is left out."""
    hero = state.hero(state.other, battle.pc)
    if hero is None:
        return ((), ())
    groups = {state.other: (hero.card, *hero.items), state.mover: battle.monsters}
    made: dict[int, Sum] = {}
    for seat, keys in groups.items():
        cards = [state.cards[key] for key in keys]
        parts = [(card.key, card.strength) for card in cards]
        words = {"text": 0, "actions": battle.plus[seat], "destiny": battle.destiny[seat]}
        fate = battle.fate[seat]
        for card in cards:
            holds = in_fight(state, battle, card, seat)
            words["text"] += bonus(card.clauses, "fights", "strength", holds)
            fate += bonus(card.clauses, "fights", "destiny", holds)
        if words["destiny"] >= 0:
            words["destiny"] = max(0, words["destiny"] + fate)
        drawn = battle.destiny[seat] >= 0
        parts += [(w, n) for w, n in words.items() if (drawn if w == "destiny" else n)]
        made[seat] = tuple(parts)
    return made[0], made[1]


def total(parts: Sum) -> int:
    """The strength that the parts add up to."""
    return max(0, sum(number for _, number in parts))


def in_sight(state: State, seat: int) -> tuple[str, ...]:
    """The seat's own cards, and those in play."""
    side = state.sides[seat]
    return (*side.hand, *side.hidden, *(card.key for card in seen_cards(state)))


def rests_on(state: State) -> tuple[tuple[str, str], ...]:
    """The values, not sure yet, by which the fight on the table goes or went."""
    if state.battles and state.phase in ("flip", "destiny"):
        made, drawn, pc = sums(state, state.battle), state.battle.drawn, state.battle.pc
    elif state.report is not None:
        made, drawn, pc = state.report.sums, state.report.drawn, state.report.pc
    else:
        return ()
    cards = [part for parts in made for part, _ in parts if part in state.cards]
    words = {part for parts in made for part, _ in parts}
    found = [(card, "strength") for card in cards] + [(card, "destiny") for card in drawn]
    found += [(card, "text") for card in cards if "text" in words and state.cards[card].clauses]
    return unsure(state.cards, [*found, (pc, "tolerance")])


def tolerance(state: State, hero: Hero) -> int:
    """Silver icons on the PC and its items (R48)."""
    return sum(state.cards[card].tolerance for card in (hero.card, *hero.items))


def compared(state: State) -> State:
    """A higher PC destroys its monsters (R45); at a tie or less it loses and is wounded (R46)."""
    battle, seat = state.battle, state.other
    hero = state.hero(seat, battle.pc)
    assert hero is not None  # a PC with a fight to come is no target of anything
    parts = sums(state, battle)
    totals = total(parts[0]), total(parts[1])
    margin = totals[state.mover] - totals[seat]
    spared = tolerance(state, hero)
    report = Report(battle.pc, parts, totals, spared, "won", battle.drawn)
    if state.report is not None:
        state = replace(state, earlier=(*state.earlier, state.report))
    if margin < 0:
        side = state.sides[state.mover]
        state = with_side(state, state.mover, discard=side.discard + battle.monsters)
        return replace(state, battles=state.battles[1:], report=report, phase="order")
    tolerant = spared or state.options.ties == "spare"  # H9
    if tolerant and margin <= spared:  # R47
        outcome = "held"
    else:
        outcome = "destroyed" if hero.wounded else "wounded"
        state = wounded(state, seat, hero.card)
    rewards = tuple(m for m in battle.monsters if state.cards[m].has("reward"))
    report = replace(report, outcome=outcome)
    return replace(state, rewards=rewards, report=report, phase="reward")


def wounded(state: State, seat: int, card: str) -> State:
    """A PC takes a wound (R21); the second destroys it with all that it bears (R23, R49)."""
    side = state.sides[seat]
    hero = next(hero for hero in side.heroes if hero.card == card)
    if hero.wounded:
        return with_side(state, seat, **_gone(side, hero))
    return with_hero(state, seat, replace(hero, wounded=True))


def with_hero(state: State, seat: int, hero: Hero) -> State:
    """The PC of the same name, changed."""
    heroes = state.sides[seat].heroes
    return with_side(state, seat, heroes=tuple(hero if h.card == hero.card else h for h in heroes))


def stripped(state: State, seat: int, hero: Hero, item: str) -> State:
    """An item leaves its bearer for the discard pile."""
    side = state.sides[seat]
    state = with_side(state, seat, discard=(*side.discard, item))
    return with_hero(state, seat, replace(hero, items=without(hero.items, item)))


def _gone(side: Side, hero: Hero) -> dict[str, tuple[object, ...]]:
    """Destroyed cards go to their owner's discard pile (R25)."""
    heroes = tuple(h for h in side.heroes if h.card != hero.card)
    return {"heroes": heroes, "discard": (*side.discard, hero.card, *hero.items)}
