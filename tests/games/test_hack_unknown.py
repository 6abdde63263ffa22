""".hack//ENEMY with cardboard needs nothing that a person at the table would not see."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from companion.games.api import shuffled
from companion.games.hack import HACK
from companion.games.hack import actions as do
from companion.games.hack.cards import deck, doubtful, shipped
from companion.games.hack.state import SEATS, UNKNOWN, Options, State, known, pool, with_side
from tests.games import unknown_cards
from tests.games.hack_playout import at_random, greedy
from tests.games.hack_table import A, B, Lay, board, refused
from tests.games.unknown_cards import Cardboard, played_through, told_as_printed

TOLD = told_as_printed(shipped(), shipped().cards, doubtful)
TABLE = Options(cards="table", corrections=TOLD)


def deal(state: State, rng: random.Random) -> State:
    """Every unknown card becomes one that it can be."""
    dealt = replace(state, options=replace(state.options, cards="companion"), kind="")
    for seat in SEATS:
        side = state.sides[seat]
        cards = iter(shuffled(pool(state, seat).elements(), rng.randrange))
        names = {
            zone: tuple(next(cards) if card == UNKNOWN else card for card in getattr(side, zone))
            for zone in ("deck", "hand", "hidden", "discard")
        }
        dealt = with_side(dealt, seat, **names)
    return dealt


def bare(state: State) -> State:
    """The state as the table sees it, piles as numbers."""
    for seat in SEATS:
        side = state.sides[seat]
        masked = {
            zone: (UNKNOWN,) * len(getattr(side, zone))
            for zone in ("deck", "hand", "hidden", "discard")
        }
        state = with_side(state, seat, **masked)
    told = state.report and replace(state.report, drawn=())  # destiny is told by its number
    fights = tuple(replace(battle, drawn=()) for battle in state.battles)
    return replace(state, options=TABLE, kind="", report=told, battles=fights)


def shown(state: State, action: Any) -> tuple[Any, ...]:
    """What is told at the table for an action of a dealt game."""
    match action:
        case do.Hide() | do.Discard():
            return (replace(action, card=UNKNOWN),)
        case do.PlayPC() | do.PlayItem() | do.Attack() | do.Store():
            kind = state.cards[action.card].kind
            opened = () if state.kind == kind else (do.Open(action.seat, kind),)
            return (*opened, do.Show(action.seat, action.card), action)
    return (action,)


def caught_up(state: State, dealt: State) -> State:
    """The destinies of the dealt decks are told, one after the other."""
    while state.phase == "destiny":
        for seat in HACK.waiting(state).seats:
            drawn = len(dealt.sides[seat].deck) - len(state.sides[seat].deck)
            card = dealt.sides[seat].deck[drawn]
            state = HACK.apply(state, do.Destiny(seat, dealt.cards[card].destiny))
    return state


def cards_of(state: State, seat: int) -> Counter[str]:
    side = state.sides[seat]
    hidden = Counter(side.deck + side.hand + side.hidden)
    hidden[UNKNOWN] += side.discard.count(UNKNOWN)
    return hidden + known(state, seat)


NAMED = (
    do.PlayPC, do.PlayItem, do.Attack, do.Store, do.Hide, do.Discard, do.Flip, do.Show, do.Open,
)  # fmt: skip
HACK_CARDS = Cardboard(HACK, deal, bare, shown, caught_up, cards_of, NAMED)


def states(seed: int, player: Any = at_random) -> list[State]:
    """A whole game of cardboard, by legal moves."""
    return played_through(HACK, TABLE, seed, player)


def asked(seen: list[State]) -> list[State]:
    """States in which a dealt game would ask the same: no destiny to tell, no card shown."""
    quiet = ("cut", "destiny", "learn")
    return [s for s in seen if s.phase not in quiet and not s.shown and not _forced(s)]


def _forced(state: State) -> bool:
    """An effect that a dealt hand must choose for, and a hand of unknown cards need not."""
    return bool(state.due) and state.due[0].verb == "discard"


@pytest.mark.slow
@pytest.mark.parametrize("player", [at_random, greedy])
def test_what_is_offered_never_depends_on_cards_that_nobody_sees(player: Any) -> None:
    for seed in range(4):
        picked = asked(states(seed, player))[::3]
        unknown_cards.offers_do_not_depend_on_unknown_cards(HACK_CARDS, picked, random.Random(seed))


@pytest.mark.slow
def test_every_play_that_a_possible_hand_allows_can_be_made_with_cardboard() -> None:
    for seed in range(4):
        picked = [s for s in asked(states(seed)) if s.phase != "reward"]
        quiet = [state for state in picked[::4] if not _draws_next(state)]
        unknown_cards.every_possible_play_can_be_told(HACK_CARDS, quiet, random.Random(seed))


def _draws_next(state: State) -> bool:
    """A deck so thin that the dealt game would be shuffled at another moment."""
    return any(len(side.deck) < 8 for side in state.sides)


@pytest.mark.slow
def test_every_card_of_cardboard_is_in_exactly_one_place() -> None:
    for seed in range(6):
        unknown_cards.cards_are_conserved(HACK_CARDS, states(seed, greedy), 2)


def test_a_game_that_peeks_is_caught() -> None:
    """The check bites: a judge that looks into the hand is seen."""

    def peeking(state: State, seat: int) -> Any:
        for action in HACK.legal(state, seat):
            if not (isinstance(action, do.Avoid) and "elk" in state.sides[1 - seat].hand):
                yield action

    kit = replace(HACK_CARDS, game=replace(HACK, legal=peeking))
    state = board(
        Lay(hand=5), Lay(hand=5), cards="table", phase="stand", attackers=("gladiator",), fix=()
    )
    with pytest.raises(AssertionError, match="depends on a card"):
        unknown_cards.offers_do_not_depend_on_unknown_cards(kit, [state], random.Random(1), 30)


@pytest.mark.rule("hack", "R1", "H1")
def test_a_fourth_copy_of_a_card_that_has_three_is_refused() -> None:
    lay = Lay(hand=3, discard=("gladiator", "gladiator"), score=("gladiator",))
    state = board(lay, cards="table", kind="monster")
    assert "Gladiator 3 times" in refused(state, do.Show(A, "gladiator"), "R1")
    two = lay._replace(score=())
    assert do.Show(A, "gladiator") in list(HACK.legal(board(two, cards="table", kind="monster"), A))


@pytest.mark.rule("hack", "H1")
def test_with_cardboard_the_list_is_narrowed_by_kind_and_by_what_the_deck_can_contain() -> None:
    state = board(Lay(hand=3), cards="table", fix=TOLD)
    assert list(HACK.legal(state, A)) == [
        do.Open(A, "pc"), do.Open(A, "item"), do.Open(A, "monster"), do.Hide(A, "?"),
    ]  # fmt: skip
    refused(state, do.Show(A, "elk"), "H1")
    refused(state, do.PlayPC(A, "elk"), "H1")
    refused(state, do.Open(A, "action"), "H1")
    state = HACK.apply(state, do.Open(A, "pc"))
    names = [action.card for action in HACK.legal(state, A) if isinstance(action, do.Show)]
    assert names == ["mistral", "elk", "bt"]
    refused(state, do.Show(A, "crim"), "H1")  # a PC of the other deck
    shown_card = HACK.apply(state, do.Show(A, "elk"))
    assert list(HACK.legal(shown_card, A)) == [do.PlayPC(A, "elk"), do.Withdraw(A)]
    refused(shown_card, do.Hide(A, "?"), "H1")
    back = HACK.apply(shown_card, do.Withdraw(A))
    assert (back.sides[A].hand, back.shown, back.kind) == (("?",) * 3, "", "")
    played = HACK.apply(shown_card, do.PlayPC(A, "elk"))
    assert (played.sides[A].heroes[0].card, played.mover) == ("elk", B)


def test_both_modes_start_from_the_same_decks() -> None:
    assert Counter(deck(TOLD).decks["a"]) == Counter(shipped().decks["a"])
