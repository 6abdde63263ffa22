"""Situations that a rules lawyer disputed: what the rulebook says of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.errors import Illegal
from companion.games.hack import HACK
from companion.games.hack import actions as hack
from companion.games.hack.state import Battle, Hero
from companion.games.sainome import SAINOME
from companion.games.sainome import actions as sainome
from companion.games.sao import SAO
from companion.games.sao import actions as sao
from companion.games.swordcrafters import SWORDCRAFTERS
from companion.games.swordcrafters import actions as swords
from companion.memory import codec
from tests.games import hack_table, moves, sainome_table
from tests.games.sainome_table import Lay, board, hp, thrown
from tests.games.sao_table import fight, throw
from tests.games.swords import laid

A, B = 0, 1


def test_the_worked_turn_is_taken_in_the_order_of_the_rulebook() -> None:
    state = throw(fight("kirito", "asuna"), "236", "424")
    plan = sao.Strike(0, ((1, (0, 4)), (1, (3, 5)), (0, (2,))))
    assert SAO.apply(state, plan).damage == 9
    assert SAO.apply(state, sao.Again(0, (3, 0))).phase == "roll"


def test_a_slice_is_drawn_from_right_to_left_as_well() -> None:
    assert SWORDCRAFTERS.apply(laid(3), swords.Draw(0, (1, 4), (1, 0))).line == ((1, 0), (1, 4))


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        (SAO, 2, {"corrections": [["kirito", "skill1.damage", 9]]}),
        (SWORDCRAFTERS, 2, {"corrections": [["1a", "pays", 3]]}),
        (SWORDCRAFTERS, 3, {"variant": "dual"}),
    ],
)
def test_new_refuses_what_no_game_can_have(game: Any, seats: int, options: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        game.new(seats, codec.options_from_json(game, options))


def test_a_monster_is_moved_to_another_pc_until_all_is_declared() -> None:
    mine, theirs = hack_table.Lay(heroes=(Hero("mistral"), Hero("elk"))), hack_table.Lay()
    state = hack_table.board(mine, theirs, mover=B, phase="assign", attackers=("baby_worm",))
    first = hack.Assign(A, "baby_worm", "elk")
    state = hack_table.after(state, first, hack.Assign(A, "baby_worm", "mistral"))
    assert state.battles == (Battle("mistral", ("baby_worm",)),)


def test_two_fights_that_one_press_resolves_are_told_one_after_the_other() -> None:
    theirs = hack_table.Lay(heroes=(Hero("crim"), Hero("gardenia")))
    battles = (Battle("crim", ("gladiator",)), Battle("gardenia", ("swordmanoid",)))
    state = hack_table.board(hack_table.Lay(), theirs, phase="order", battles=battles)
    action = hack.Next(B, "crim")
    after = HACK.apply(state, action)
    beats = [beat.says.show() for beat in HACK.story.beats(state, action, after, None)]
    fought = [said for said in beats if "Crim" in said or "Gardenia" in said]
    assert fought == sorted(fought, key=lambda said: "Gardenia" in said)
    assert any("Crim" in said for said in fought)


@pytest.mark.rule("sainome", "R6")
@pytest.mark.parametrize("hp", [1, 8, 20])
def test_hp_stacks_are_of_any_size(hp: int) -> None:
    state = SAINOME.new(2, codec.options_from_json(SAINOME, {"hp": hp}))
    for action in (thrown(6), thrown(1), sainome.Take(A, "first"), sainome.Choose(B, "sister"),
                   sainome.Choose(A, "magician"), sainome.Shuffled(state.discard)):  # fmt: skip
        state = SAINOME.apply(state, action)
    assert [len(side.stack) for side in state.sides] == [hp, hp]
    with pytest.raises(Illegal, match="R6"):
        SAINOME.new(2, replace(state.options, hp=21))


@pytest.mark.rule("sainome", "R37")
@pytest.mark.parametrize(
    ("card", "hand", "ready"), [("steal", ("dagger",), ()), ("steel_armor", (), ("steel_armor",))]
)
def test_a_6_that_its_owner_says_is_on_an_instant_or_a_counter_card_is_usable(
    card: str, hand: tuple[str, ...], ready: tuple[str, ...]
) -> None:
    after = sainome_table.with_its_six(card, Lay("sister", hand=("dagger",)))
    assert (after.sides[A].hand, after.phase, hp(after)) == (hand, "act", (10, 10))
    assert (card in after.discard, after.sides[A].ready) == (not ready, ready)
    assert after.done == ("attack",)  # no instant action was spent


@pytest.mark.rule("sainome", "R18")
def test_in_mid_game_attaching_cites_re_equipping() -> None:
    state = sainome_table.after(board(Lay(hand=("dagger",)), Lay("sister")), sainome.Reequip(A))
    for action in (sainome.Strike(A), sainome.Attach(A, "saw", 0), sainome.Detach(A, 2)):
        moves.refused(SAINOME, state, action, "R18")


def test_the_dying_princess_does_not_awaken() -> None:
    mine, theirs = Lay(right="claymore"), Lay("princess", hp=3)
    state = sainome_table.after(board(mine, theirs), sainome.Strike(A))
    action = thrown(3)
    after = SAINOME.apply(state, action)
    assert SAINOME.result(after) is not None
    told = [SAINOME.tell(state, action, None).show()]
    told += [beat.says.show() for beat in SAINOME.story.beats(state, action, after, None)]
    assert "awakens" not in " ".join(told)


def test_it_is_told_which_card_an_effect_broke() -> None:
    lay = Lay("sister", up="dagger", left="saw")
    state = sainome_table.after(board(Lay(right="bomb"), lay), sainome.Strike(A), thrown(3))
    while state.hit is not None:
        state = sainome_table.after(state, sainome.GoOn(B))
    said = SAINOME.tell(state, sainome.Target(A, "1"), None).show()
    assert "Saw" in said
