"""Is this a state that a game can be in? Every promise that a state keeps, checked."""

from __future__ import annotations

from collections import Counter

from companion.errors import BadState
from companion.games.sao.cards import deck
from companion.games.sao.state import SIDES, State

WITH_DICE = ("lay", "roll", "dice", "skills", "effect", "counter")
PHASES = ("choose", "reveal", "check", "correct", "chain", *WITH_DICE, "fallen", "loot", "give",
          "pack", "over")  # fmt: skip


def sound(state: State) -> None:
    """Raise BadState on a state that cannot be."""
    _need(state.phase in PHASES, f"there is no phase {state.phase}")
    _need(1 <= state.seats <= 4, f"{state.seats} seats")
    _need(len(state.picks) == max(2, state.seats), "the characters do not fit the seats")
    _need(state.outcome in ("", "won", "lost"), f"there is no outcome {state.outcome}")
    _need((state.phase == "over") == bool(state.outcome), "over, but neither won nor lost")
    cards = deck(state.corrections)  # raises BadState itself on a correction that cannot be
    chosen = [pick for pick in state.picks if pick]
    _need(set(chosen) <= set(cards.characters), "an unknown character")
    _need(len(set(chosen)) == len(chosen), "a character twice")
    if state.phase == "choose":
        _need(not state.heroes, "heroes before all are chosen")
        return
    _need("kirito" in state.picks, "Kirito is missing")
    _need(tuple(one.key for one in state.heroes) == state.picks, "other heroes than chosen")
    _need(0 <= state.level <= 2 and 0 <= state.section <= 3, "no such level or section")
    _need(0 <= state.turn < len(state.heroes), "nobody's turn")
    _need(-1 <= state.partner < len(state.heroes), "no such partner")
    _need(state.partner != state.turn, "chained to oneself")
    _need(state.scenario in ("", *cards.section(state.section)), "a scenario of another section")
    _need(bool(state.scenario) or state.phase == "reveal", "no scenario is open")
    _heroes(state)
    _tokens(state)
    _items(state)
    if state.scenario:
        _need(0 <= state.step < len(state.scene.steps), "there is no such step")
        _need(state.damage >= 0, "negative damage")
        _dice(state)


def _heroes(state: State) -> None:
    for who, one in enumerate(state.heroes):
        top = state.top(who)
        _need(0 <= one.hp <= top, f"{one.key} has {one.hp} of {top} HP")
        _need(0 <= one.uses <= state.most(), f"{one.key} has {one.uses} uses")
        _need(not one.dead or (state.last and one.hp == 0), f"{one.key} cannot be dead")
        _need(not one.exhausted or len(state.heroes) > 2, f"{one.key} cannot be exhausted")
        standing = one.hp > 0 or one.dead or state.phase == "fallen" or state.outcome == "lost"
        _need(standing, f"{one.key} stands at 0 HP")


def _tokens(state: State) -> None:
    owners = [who for who, key in enumerate(state.picks) if key in SIDES]
    _need([token.owner for token in state.tokens] == owners, "addition tokens are missing")
    for token in state.tokens:
        _need(-1 <= token.holder < len(state.heroes), "a token with nobody")
        _need(token.holder != token.owner, "a token given to oneself")
        sides = SIDES[state.picks[token.owner]] if token.holder >= 0 else ("",)
        _need(token.side in sides, f"a token with side {token.side!r}")


def _items(state: State) -> None:
    items = state.cards.items
    have = Counter(state.deck) + Counter(owned.item for owned in state.kit)
    if state.phase == "give":
        have[state.editing[0]] += 1
    for key, n in have.items():
        _need(key in items, f"an unknown item {key}")
        _need(n <= items[key].copies, f"{n} of {key}")
        if items[key].equipment:
            _need(n == items[key].copies, f"{key} is lost")
    for owned in state.kit:
        worn = items[owned.item].equipment
        _need((0 <= owned.holder < len(state.heroes)) if worn else owned.holder == -1,
              f"{owned.item} is with nobody")  # fmt: skip
    _need(0 <= state.yui <= state.cards.yui, "Yui helps too often")


def _dice(state: State) -> None:
    if state.phase in WITH_DICE:
        size = state.scene.support + (4 + state.blue if state.last else state.scene.main)
        _need(len(state.dice) == size, f"{len(state.dice)} dice instead of {size}")
    blue = [die.of for die in state.dice if die.of >= 0]
    _need(len(set(blue)) == len(blue), "a character die twice")
    for die in state.dice:
        _need(die.body in ("black", "white", "blue"), f"a {die.body} die")
        _need((die.body == "blue") == (die.of >= 0), "a character die of nobody")
        _need(0 <= die.face <= 6 and 0 <= die.counts <= 6, f"a die that shows {die.face}")
        _need(0 <= die.by < len(state.heroes) and die.of < len(state.heroes), "a die of nobody")
        lying = bool(die.face) or state.phase in ("roll", "lay")
        _need(lying, "a die is in the hand but no throw is wanted")
    taken = [die for _, dice in state.spent for die in dice]
    _need(len(set(taken)) == len(taken), "a die used twice")
    _need(all(0 <= die < len(state.dice) for die in (*taken, *state.marks)), "no such die")


def _need(holds: bool, wrong: str) -> None:
    if not holds:
        raise BadState(wrong)
