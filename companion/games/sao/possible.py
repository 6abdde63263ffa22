"""Is this a state that a game can be in? Every promise that a state keeps, checked."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields

from companion.errors import BadState
from companion.games.records import replace
from companion.games.sao.cards import offered
from companion.games.sao.course import targets
from companion.games.sao.kinds import Cards
from companion.games.sao.legal import partners
from companion.games.sao.party import correctable, movable
from companion.games.sao.state import SIDES, Options, State

WITH_DICE = ("lay", "roll", "dice", "skills", "effect", "counter")
CLEARING = ("loot", "give", "pack")
PHASES = ("choose", "reveal", "check", "correct", "chain", *WITH_DICE, "fallen", *CLEARING, "over")


def possible(state: State) -> None:
    """Raise BadState on a state that cannot be."""
    _need(state.phase in PHASES, f"there is no phase {state.phase}")
    cards = _box(state)
    if state.phase == "choose":
        first = state.options.corrections
        start = State(state.seats, state.options, first, picks=state.picks)
        _need("" in state.picks and state == start, "more than chosen characters at the set-up")
        return
    _need("kirito" in state.picks, "Kirito is missing")
    _need(tuple(one.key for one in state.heroes) == state.picks, "other heroes than chosen")
    _need(0 <= state.section <= 3, "no such section")
    _need(state.level == min(2, state.section), "a level that does not fit the section")
    _need(0 <= state.turn < len(state.heroes), "nobody's turn")
    _need(-1 <= state.partner < len(state.heroes), "no such partner")
    _need(state.partner != state.turn, "chained to oneself")
    if state.phase == "reveal":
        _need(not state.scenario and state.section < 3, "nothing to reveal")
    else:
        _need(state.scenario in cards.section(state.section), "a scenario of another section")
        _need(0 <= state.step < len(state.scene.steps), "there is no such step")
        _need(0 <= state.damage <= 9999, "damage that cannot be")
    _heroes(state)
    _tokens(state)
    _items(state)
    _phase(state)
    _dice(state)


def _box(state: State) -> Cards:
    """The cards that are played with, if players, options and characters fit them."""
    seats, options, picks = state.seats, state.options, state.picks
    _need(1 <= seats <= 4, f"{seats} seats")
    _need(len(picks) == max(2, seats), "the characters do not fit the seats")
    for option in fields(Options):
        values = option.metadata.get("values")
        _need(not values or getattr(options, option.name) in values, option.name)
    first = options.corrections
    _need(state.corrections[: len(first)] == first, "corrections are missing")
    cards = state.cards  # raises BadState itself on a correction that cannot be
    chosen = [pick for pick in picks if pick]
    _need(set(chosen) <= set(cards.characters), "an unknown character")
    _need(len(set(chosen)) == len(chosen), "a character twice")
    _need(seats > 1 or picks[0] == "kirito", "alone, one plays Kirito")
    return cards


def _heroes(state: State) -> None:
    most = state.most()
    for who, one in enumerate(state.heroes):
        top = state.top(who)
        _need(0 <= one.hp <= top, f"{one.key} has {one.hp} of {top} HP")
        _need(0 <= one.uses <= most, f"{one.key} has {one.uses} uses")
        _need(not one.dead or (state.last and one.hp == 0), f"{one.key} cannot be dead")
        _need(not one.exhausted or len(state.heroes) > 2, f"{one.key} cannot be exhausted")
        standing = one.hp > 0 or one.dead or state.phase == "fallen" or state.outcome == "lost"
        _need(standing, f"{one.key} stands at 0 HP")
    _need(not state.heroes[state.turn].dead, "it is a dead one's turn")
    _need(not state.last or state.turn == state.kirito(), "only Kirito has turns in the last step")


def _tokens(state: State) -> None:
    owners = [who for who, key in enumerate(state.picks) if key in SIDES]
    _need([token.owner for token in state.tokens] == owners, "addition tokens are missing")
    for token in state.tokens:
        _need(-1 <= token.holder < len(state.heroes), "a token with nobody")
        _need(token.holder != token.owner, "a token given to oneself")
        sides = SIDES[state.picks[token.owner]] if token.holder >= 0 else ("",)
        _need(token.side in sides, f"a token with side {token.side!r}")


def _items(state: State) -> None:
    _stock(state)
    worn_items = [owned.item for owned in state.kit if owned.holder >= 0]
    _need(set(state.moved) <= set(worn_items), "what moved is not there")
    _need(0 <= state.yui <= (state.cards.yui if state.level == 2 else 0), "Yui helps too often")


def _stock(state: State) -> None:
    """Items are conserved: in the deck, with somebody, just found, or used up."""
    items = state.cards.items
    found = state.editing[:1] if state.phase == "give" else ()
    have = Counter(state.deck) + Counter(owned.item for owned in state.kit)
    _need(set(have) <= set(items), "an unknown item")
    _need(set(found) <= set(items), "an unknown item was found")
    have.update(found)
    for key, item in items.items():
        used_up = 0 if item.equipment else item.copies - have[key]
        _need(have[key] + max(0, used_up) == item.copies, f"{have[key]} of {key}")
    for owned in state.kit:
        worn = items[owned.item].equipment
        placed = 0 <= owned.holder < len(state.heroes) if worn else owned.holder == -1
        _need(placed, f"{owned.item} is with nobody")


def _phase(state: State) -> None:
    """What a phase needs to be left again."""
    phase, pair = state.phase, state.pair
    over = {"won": state.last, "lost": bool(state.fallen()), "": phase != "over"}
    _need(over.get(state.outcome, False), f"over, but {state.outcome!r}")
    _need((phase == "over") == bool(state.outcome), "over, but neither won nor lost")
    _need(state.then in ("", "start", "resolve"), f"nothing follows as {state.then!r}")
    alone = state.last and state.living() == (state.turn,)
    if phase in WITH_DICE or (phase == "fallen" and state.then == "resolve"):
        _need(state.partner >= 0 or alone, "no partner")
        _need(not any(state.heroes[who].dead for who in pair), "a dead partner")
    if phase not in ("give", "correct"):
        _need(state.editing == ("", ""), "a value is open")
    _need(bool(state.back) == (phase == "correct"), "nowhere to return from")
    _need(bool(state.asks) == (phase == "effect"), "effects without a question")
    _need(phase not in CLEARING or state.section < 3, "the final battle leaves no loot")
    match phase:
        case "check":
            _need(state.options.cards == "table", "there are no printed cards")
        case "correct":
            _need(state.back in ("check", "dice"), "nowhere to return to")
            before = replace(state, phase=state.back, back="", editing=("", ""))
            _need(state.editing in correctable(before), "that value is sure")
            _need(bool(offered(state.cards, *state.editing)), "that value has no choices")
        case "chain":
            _need(state.partner < 0 and len(state.living()) > 2, "no partner to choose")
            _need(bool(partners(state)), "all are exhausted")
        case "lay":
            _need(alone, "support dice are laid by Kirito alone")
        case "effect":
            _need(all(kind in ("heal", "+2", "x2", "shield", "control") and 0 <= amount <= 99
                      for kind, amount in state.asks), "an unknown effect")  # fmt: skip
            _need(bool(targets(state)), "an effect without a target")
        case "counter":
            _need(not state.switch, "no counterattack after a switch")
        case "fallen":
            _need(bool(state.fallen() and state.relic() and state.then), "nobody can be revived")
        case "loot":
            _need(bool(state.deck), "no item left")
        case "give":
            item = state.cards.items[state.editing[0]]
            _need(item.equipment and state.editing[1] == "", "only equipment is given")
        case "pack":
            _need(bool(movable(state)), "nothing to hand over")


def _dice(state: State) -> None:
    phase = state.back or state.phase
    fighting = phase in WITH_DICE
    fights = fighting or state.phase in ("fallen", "over")
    _need(fights or not (state.dice or state.spent), "dice before the battle")
    _need(phase in ("dice", "skills") or not state.marks, "picked dice at the wrong time")
    _need(phase in WITH_DICE[3:] or state.phase in ("fallen", "over") or not state.spent, "spent")
    for die in state.dice:
        _need(0 <= die.face <= 6 and 0 <= die.counts <= 6, f"a die that shows {die.face}")
        _need(die.of >= 0 or not die.counts, "only a character die counts otherwise")
        _need(0 <= die.by < len(state.heroes) and -1 <= die.of < len(state.heroes), "nobody's die")
        _need((die.body == "blue") == (die.of >= 0), "a character die of nobody")
        _need(bool(die.face) or phase not in WITH_DICE[2:], "a die in the hand without a throw")
    if fighting:
        _pool(state)
    hand = [die for die in state.dice if not die.face]
    _need(phase != "roll" or bool(hand), "nothing to throw")
    _need(phase != "lay" or any(die.body == "white" for die in hand), "nothing to lay")
    skills = state.card(state.turn).skills
    taken = [die for _, dice in state.spent for die in dice]
    _need(all(0 <= number < len(skills) for number, _ in state.spent), "no such skill")
    _need(all(skills[n].dice == len(dice) for n, dice in state.spent), "a skill half paid")
    _need(len(set(taken)) == len(taken), "a die used twice")
    _need(all(0 <= die < len(state.dice) for die in (*taken, *state.marks)), "no such die")
    _need(tuple(sorted(set(state.marks))) == state.marks, "a die picked twice")
    _need(not set(state.marks) & set(taken), "a picked die is used")
    _need(0 <= state.rerolls <= 99 and 0 <= state.ring <= 99, "thrown too often")
    _need(set(state.free) <= set(state.pair), "a free ability of somebody else")
    _need(len(set(state.free)) == len(state.free), "a free ability twice")
    _need(fights or not state.free, "a free ability outside the battle")


def _pool(state: State) -> None:
    """Dice are conserved: each side throws its number, a character die is nobody's second one."""
    main = 4 + state.blue if state.last else state.scene.main
    support = state.scene.support
    bodies = {state.turn: "black", state.partner: "white"}
    if state.partner < 0:
        bodies = {state.turn: "black"}
        main, support = main + support, 0
    mine = [die for die in state.dice if die.by == state.turn]
    _need(len(mine) == main, f"{len(mine)} dice of the turn player instead of {main}")
    _need(len(state.dice) == main + support, f"{len(state.dice)} dice")
    for die in state.dice:
        _need(die.by in bodies, "a die of somebody else")
        fits = die.body in (bodies[die.by], "blue") or (state.partner < 0 and die.body == "white")
        _need(fits, f"a {die.body} die in the wrong hand")
        if die.of >= 0:
            dead = die.by == state.turn and state.heroes[die.of].dead
            _need(die.of == die.by or dead, "somebody else's character die")
    blue = [die.of for die in state.dice if die.of >= 0]
    _need(len(set(blue)) == len(blue), "a character die twice")
    if state.last and state.blue:
        _need(state.turn in blue, "Kirito's own die is missing")
    if state.partner < 0:
        white = sum(die.body == "white" for die in state.dice)
        _need(white == state.scene.support, "support dice are missing")


def _need(holds: bool, wrong: str) -> None:
    if not holds:
        raise BadState(wrong)
