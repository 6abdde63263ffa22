"""Sainome Colosseum with cardboard needs nothing that a person at the table would not see."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from companion.games.api import shuffled
from companion.games.sainome import SAINOME
from companion.games.sainome import actions as do
from companion.games.sainome.kinds import COUNTER
from companion.games.sainome.state import (
    IN_HAND,
    NOBODY,
    SEATS,
    UNKNOWN,
    Options,
    State,
    lying,
    pool,
    with_side,
)
from companion.games.sainome.verbs import VERBS
from tests.games import unknown_cards
from tests.games.sainome_table import TOLD, UP, A, B, Lay, after, board, hp, legal, refused, thrown
from tests.games.unknown_cards import Cardboard, at_random, played_through

TABLE = Options(hp=5, cards="table", chain="flow", corrections=TOLD)
ZONES = ("stack", "hand")


def deal(state: State, rng: random.Random) -> State:
    """Every unknown card becomes one that it can be; no counter card lies open by that.

    (In a dealt game discards have names: once every counter card lies there, nobody is asked.)
    """
    mixed = shuffled(pool(state).elements(), rng.randrange)
    cards = iter(sorted(mixed, key=lambda card: state.cards[card].use == COUNTER))
    discard = tuple(next(cards) if card == UNKNOWN else card for card in state.discard)
    cards = iter(shuffled(cards, rng.randrange))

    def named(zone: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(next(cards) if card == UNKNOWN else card for card in zone)

    for seat in SEATS:
        zones = {zone: named(getattr(state.sides[seat], zone)) for zone in ZONES}
        state = with_side(state, seat, **zones)
    options = replace(state.options, cards="companion")
    return replace(state, options=options, kind="", deck=named(state.deck), discard=discard)


def bare(state: State) -> State:
    """The state as the table sees it, piles as numbers."""
    for seat in SEATS:
        masked = {zone: (UNKNOWN,) * len(getattr(state.sides[seat], zone)) for zone in ZONES}
        state = with_side(state, seat, **masked)
    piles = {"deck": (UNKNOWN,) * len(state.deck), "discard": (UNKNOWN,) * len(state.discard)}
    return replace(state, options=TABLE, kind="", **piles)


def shown(state: State, action: Any) -> tuple[Any, ...]:
    """What is told at the table for an action of a dealt game."""
    match action:
        case do.Discard() | do.Again():
            return (replace(action, card=UNKNOWN),)
        case do.Use(_, _, place) if place != IN_HAND:
            return (action,)
        case (
            do.Attach(seat, card)
            | do.Play(seat, card)
            | do.Counter(seat, card)
            | do.Use(seat, card)
        ):
            if card in state.sides[seat].hand:
                return (action,)
            kind = state.cards[card].kind
            opened = () if state.kind == kind else (do.Open(seat, kind),)
            return (*opened, do.Show(seat, card), action)
    return (action,)


def settled(dealt: State, state: State) -> State:
    """Among cards that nobody knows, cardboard has nothing to choose."""
    while dealt.due and not state.due and dealt.hit is None and not dealt.over:
        due = dealt.due[0]
        targets = VERBS[due.verb].targets
        assert targets is not None
        first = targets(dealt, due)[0]
        chosen = do.Fated(first) if due.seat == NOBODY else do.Target(due.seat, first)
        dealt = SAINOME.apply(dealt, chosen)
    return dealt


def cards_of(state: State, _seat: int) -> Counter[str]:
    hidden = Counter(state.deck)
    for side in state.sides:
        hidden.update((*side.stack, *(card for card in side.hand if card == UNKNOWN)))
    hidden[UNKNOWN] += state.discard.count(UNKNOWN)
    return hidden + lying(state)


NAMED = (
    do.Attach, do.Play, do.Counter, do.Use, do.Discard, do.Again, do.Show, do.Open, do.Withdraw,
    do.Detach,
)  # fmt: skip
CARDS = Cardboard(SAINOME, deal, bare, shown, lambda state, _dealt: state, cards_of, NAMED, settled)


@cache
def states(seed: int) -> list[State]:
    """A whole game of cardboard, by legal moves."""
    return played_through(SAINOME, TABLE, seed, at_random(SAINOME))


def asked(seen: list[State]) -> list[State]:
    """States in which a dealt game would ask the same: no card shown, none of many to choose."""
    return [
        s for s in seen
        if s.phase not in ("off", "right", "choose", "deal") and not s.shown
        and not (s.due and s.due[0].verb in ("steal", "search"))
    ]  # fmt: skip


@pytest.mark.slow
def test_what_is_offered_never_depends_on_cards_that_nobody_sees() -> None:
    for seed in range(3):
        picked = asked(states(seed))[::5]
        unknown_cards.offers_do_not_depend_on_unknown_cards(CARDS, picked, random.Random(seed), 4)


@pytest.mark.slow
def test_every_play_that_a_possible_hand_allows_can_be_made_with_cardboard() -> None:
    for seed in range(3):
        picked = asked(states(seed))[::7]
        unknown_cards.every_possible_play_can_be_told(CARDS, picked, random.Random(seed), 2)


@pytest.mark.slow
def test_every_card_of_cardboard_is_in_exactly_one_place() -> None:
    for seed in range(3):
        unknown_cards.cards_are_conserved(CARDS, states(seed), 1)


def test_a_game_that_peeks_is_caught() -> None:
    """The check bites: a judge that looks into the hand is seen."""

    def peeking(state: State, seat: int) -> Any:
        for action in SAINOME.legal(state, seat):
            if not (isinstance(action, do.Strike) and "saw" in state.sides[1 - seat].hand):
                yield action

    kit = replace(CARDS, game=replace(SAINOME, legal=peeking))
    state = board(Lay("sister", hand=5), Lay("princess", hand=5), cards="table")
    with pytest.raises(AssertionError, match="depends on a card"):
        unknown_cards.offers_do_not_depend_on_unknown_cards(kit, [state], random.Random(1), 40)


@pytest.mark.rule("sainome", "H1", "R2")
def test_with_cardboard_the_list_is_narrowed_by_kind_and_a_copy_too_many_is_believed() -> None:
    mine = Lay("sister", hand=3)
    state = board(mine, Lay("princess", hand=2), cards="table", discard=("dagger", "dagger"))
    state = after(state, do.Reequip(A))
    opens = [a.kind for a in legal(state, A, do.Open)]
    assert opens == ["weapon", "magic", "item", "skill"]
    refused(state, do.Show(A, "saw"), "H1")
    assert refused(state, do.Attach(A, "saw", UP), "H1") == "First show the card"
    weapons = after(state, do.Open(A, "weapon"))
    assert [a.card for a in legal(weapons, A, do.Show)][-1] == "dagger"  # both lie open: last
    assert after(weapons, do.Show(A, "dagger"), do.Attach(A, "dagger", UP)).sides[A].worn[UP]
    assert "of that kind" in refused(weapons, do.Show(A, "saw"), "H1")
    items = after(state, do.Open(A, "item"))
    names = [a.card for a in legal(items, A, do.Show)]
    assert names == ["bomb", "throwing_knives", "playing_cards", "saw", "chainsaw", "large_sack"]
    out = after(items, do.Show(A, "saw"))
    assert (out.shown, len(out.sides[A].hand)) == ("saw", 2)
    refused(out, do.GoOn(A), "H1")
    back = after(out, do.Withdraw(A))
    assert (back.shown, back.kind, back.sides[A].hand) == ("", "", ("?",) * 3)
    refused(back, do.Withdraw(A), "H1")
    there = after(out, do.Attach(A, "saw", UP), do.GoOn(A))
    assert there.sides[A].worn[UP] == "saw"


@pytest.mark.rule("sainome", "H1", "R18")
def test_what_comes_off_is_still_known_until_the_re_equipping_is_done() -> None:
    mine = Lay("sister", hand=1, up="saw", left="dagger")
    state = after(board(mine, Lay("princess"), cards="table"), do.Reequip(A))
    assert state.sides[A].hand == ("?", "saw", "dagger")
    state = after(state, do.Attach(A, "saw", 3), do.GoOn(A))
    assert (state.sides[A].hand, state.sides[A].worn[3]) == (("?", "?"), "saw")


@pytest.mark.rule("sainome", "H1", "R31")
def test_cards_taken_as_damage_stay_unknown_and_a_counter_is_shown_first() -> None:
    mine, theirs = Lay("magician", hand=2, right="claymore"), Lay("princess", hand=2)
    state = after(board(mine, theirs, cards="table"), do.Strike(A), thrown(3), do.GoOn(B))
    assert state.hit is not None
    refused(state, do.Counter(B, "steel_armor"), "H1")
    countered = after(state, do.Open(B, "item"), do.Show(B, "steel_armor"))
    countered = after(countered, do.Counter(B, "steel_armor"))
    assert (hp(countered), countered.sides[B].hand) == ((10, 9), ("?", "?"))
    taken = after(state, do.GoOn(B))
    assert (hp(taken), taken.sides[B].hand) == ((10, 7), ("?",) * 5)


@pytest.mark.rule("sainome", "H1", "R37")
def test_a_6_of_cardboard_is_shown_and_used_out_of_the_hand() -> None:
    state = board(Lay("magician", hand=2), Lay("princess"), cards="table")
    state = after(state, do.Strike(A), thrown(6), do.Open(A, "magic"), do.Show(A, "fireball"))
    assert legal(state, A) == [do.Use(A, "fireball", IN_HAND), do.Withdraw(A)]
    state = after(state, do.Use(A, "fireball", IN_HAND))
    assert (hp(state), state.discard) == ((10, 9), ("fireball",))


@pytest.mark.rule("sainome", "H1")
def test_a_draft_of_cardboard_is_made_by_hand() -> None:
    seen = played_through(SAINOME, replace(TABLE, draft="yes"), 1, at_random(SAINOME))
    assert all(state.phase != "draft" for state in seen)
    choosing = next(state for state in seen if state.phase == "choose")
    assert "Draft by hand" in str(SAINOME.view(choosing, None))
