"""Our own rulings: where players meet each of them, and both ways of those that are options."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from companion.errors import CompanionError, Illegal
from companion.games import SHELF
from companion.games.api import Game, cited
from companion.games.hack import HACK
from companion.games.hack import actions as hack
from companion.games.hack.state import Hero
from companion.games.kiriai.state import GoOn
from companion.games.sainome import SAINOME
from companion.games.sainome import actions as sainome
from companion.games.sao import SAO
from companion.games.sao import actions as sao
from companion.games.sao.state import Owned, hero
from companion.games.swordcrafters import SWORDCRAFTERS
from companion.games.swordcrafters import actions as swords
from companion.games.swordcrafters.ledger import rival_totals
from companion.games.swordcrafters.score import tally
from tests.games import hack_table, kiriai_table, sainome_table, sao_table
from tests.games.contract import mutants
from tests.games.sao_table import fight, throw
from tests.games.shelf import tables, walk
from tests.games.swords import laid, on, scored, sword, virtual

A, B = 0, 1
Met = tuple[Any, Any]  # a state, and the action by which the ruling is met in it


def with_options(state: Any, **changed: Any) -> Any:
    return replace(state, options=replace(state.options, **changed))


def rules_of(game: Game[Any], state: Any, action: Any) -> set[str]:
    """The rules that an action is refused by, or cites and is told with."""
    try:
        after = game.apply(state, action)
    except Illegal as refusal:
        return {refusal.rule}
    beats = [beat for seat in (None, 0) for beat in game.story.beats(state, action, after, seat)]
    return {cited(game, state, action), *(beat.rule for beat in beats)}


# --- where they are met ---------------------------------------------------------------------------


def before_the_last(**more: Any) -> Any:
    return fight("kirito", "asuna", "agil", "klein", scenario="final", step=1, **more)


def two_dead() -> Met:
    state = hero(hero(before_the_last(), 1, hp=0, dead=True), 2, hp=0, dead=True)
    chain = (sao.Chain(0, 3), sao.Exchange(0, 1))
    return sao_table.done(replace(state, phase="chain"), *chain), sao.Exchange(0, 2)


def struck_back(state: Any) -> Met:
    return sao_table.done(throw(state, "123", "123"), sao.Stand(0)), sao.Finish(0)


def loot() -> Any:
    """The last blow of a scenario has landed; Agil wears the coat."""
    state = fight("kirito", "asuna", "agil", scenario="traproom", kit=(Owned("coat", 2),))
    state = replace(state, damage=state.now.hp)
    state = throw(sao_table.done(state, sao.Chain(0, 1)), "666", "666")
    return sao_table.done(sao_table.strike(state), sao.Drawn("potion"))


def ringed() -> Met:
    state = throw(fight("kirito", "asuna", kit=(Owned("ring", 0),)), "123", "456")
    for _ in range(2):
        state = throw(sao_table.done(state, sao.Again(0, (0,))), "1")
    return state, sao.Again(0, (4,))


def blue_die() -> Met:
    state = sao_table.done(fight("kirito", "asuna", scenario="giant"), sao.Exchange(0, 0))
    return throw(state, "555", "123", "1"), sao.Ability(0, 0, (0,), 6)


def fell() -> Met:
    state = hero(fight("kirito", "asuna", kit=(Owned("relic"),)), 1, hp=1)
    return sao_table.done(*struck_back(state)), sao.Consume(0, "relic", 1)


def last_blow(deck: int, **more: Any) -> Met:
    """B's Crim and A's Gladiator draw destiny; B's deck holds so many cards."""
    mine = hack_table.Lay(hand=("gladiator",), top=("elk",), **more)
    theirs = hack_table.Lay(heroes=(Hero("crim"),), top=("gardenia",), deck=deck)
    fix = (("elk", "destiny", 2), ("gardenia", "destiny", 2))
    state = hack_table.board(mine, theirs, fix=fix)
    return hack_table.after(state, hack.Attack(A, "gladiator")), hack.Fight(B)


def rewarded() -> Met:
    """The reward of the winning monster may wound the PC that lost, or another."""
    fix = (("ochimusha", "text", "reward: wound 1"), ("elk", "destiny", 9))
    mine = hack_table.Lay(hand=("ochimusha",), top=("elk",))
    theirs = hack_table.Lay(heroes=(Hero("crim"), Hero("gardenia")))
    state = hack_table.board(mine, theirs, fix=fix)
    state = hack_table.after(state, hack.Attack(A, "ochimusha"), hack.Fight(B))
    state = hack_table.after(state, hack.Assign(B, "ochimusha", "crim"), hack.Ready(B))
    return hack_table.after(state, hack.Reward(A, "ochimusha")), hack.Target(A, "crim")


def seventh() -> Met:
    mine = hack_table.Lay(hand=("gladiator",), extra=6)
    state = hack_table.board(mine, last=True)
    return hack_table.after(state, hack.Attack(A, "gladiator")), hack.Avoid(B)


def planted() -> Met:
    state = sainome_table.board(sainome_table.Lay(hand=("time_bomb",)), sainome_table.Lay("sister"))
    return sainome_table.after(state, sainome.Play(A, "time_bomb")), sainome.Target(A, "0")


def six_on_a_shield() -> Met:
    mine = sainome_table.Lay(hand=("steel_armor",))
    state = sainome_table.board(mine, sainome_table.Lay("sister"), fix=(("steel_armor", "six", 1),))
    state = sainome_table.after(state, sainome.Strike(A), sainome_table.thrown(6))
    return state, sainome.Use(A, "steel_armor", 4)


def drawn_duel() -> Met:
    idle = "retreat low", "retreat low"
    return kiriai_table.whole(kiriai_table.begin(round_cap=1), *idle), GoOn(0)


def small_group() -> Met:
    state = laid(3, least=2)
    for action in (swords.Draw(0, (1, 0), (1, 4)), swords.Cut(0), swords.Aim(1, 0)):
        state = SWORDCRAFTERS.apply(state, action)
    return state, swords.Draw(1, (0, 1), (1, 1))


SITUATIONS: dict[tuple[str, str], Callable[[], Met]] = {
    ("kiriai", "K-H1"): drawn_duel,
    ("sao", "H2"): lambda: (fight("kirito", "asuna"), sao.Yui(0)),
    ("sao", "H3"): fell,
    ("sao", "H4"): ringed,
    ("sao", "H5"): two_dead,
    ("sao", "H6"): lambda: (loot(), sao.Give(1, "coat", 1)),
    ("sao", "H8"): lambda: (loot(), sao.Onward(0)),
    ("sao", "H9"): blue_die,
    ("sao", "H10"): lambda: (
        replace(fight("kirito", "asuna", kit=(Owned("potion"),)), phase="check"),
        sao.Consume(0, "potion", 0),
    ),
    ("sao", "H11"): lambda: (before_the_last(), sao.Chain(0, 1)),
    ("sao", "H12"): lambda: struck_back(
        sao_table.token(fight("kirito", "silica"), "shield", "kirito", "silica")
    ),
    ("swordcrafters", "S-H1"): small_group,
    ("hack", "H5"): lambda: (hack_table.board(hack_table.Lay(deck=0)), hack.Pass(A)),
    ("hack", "H6"): lambda: last_blow(1),
    ("hack", "H8"): rewarded,
    ("hack", "H9"): lambda: last_blow(9),
    ("hack", "H10"): seventh,
    ("sainome", "H5"): planted,
    ("sainome", "H10"): six_on_a_shield,
}
BY_KEY: dict[str, Game[Any]] = {game.key: game for game in SHELF}


@pytest.mark.rule("hack", "H6", "H8", "H10")
@pytest.mark.rule("sao", "H11", "H12")
@pytest.mark.parametrize(("key", "rule"), SITUATIONS)
def test_a_house_rule_is_cited_where_it_applies(key: str, rule: str) -> None:
    assert rule in rules_of(BY_KEY[key], *SITUATIONS[key, rule]())


@pytest.mark.rule("swordcrafters", "S-H9", "S-H10")
def test_a_tie_at_the_end_is_told_with_our_ruling() -> None:
    for seats, rule in ((2, "S-H10"), (1, "S-H9")):
        state = on(virtual(seats), seed=3, until="craft", rounds=99)
        while (after := SWORDCRAFTERS.apply(state, last := _craft(state))).phase != "over":
            state = on(after, seed=3, until="craft", rounds=99) if after.phase != "craft" else after
        result = SWORDCRAFTERS.result(after)
        assert result is not None
        goal = max(s.total for s in result.scores)
        if seats == 1:
            goal = max(rival_totals(after))
        smiths = tuple(
            replace(smith, word=goal - score.total)
            for smith, score in zip(state.smiths, result.scores, strict=True)
        )
        assert rule in rules_of(SWORDCRAFTERS, replace(state, smiths=smiths), last)


def _craft(state: Any) -> Any:
    seat = SWORDCRAFTERS.waiting(state).seats[0]
    return next(iter(SWORDCRAFTERS.legal(state, seat)))


@pytest.mark.slow
@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_every_house_rule_is_met_in_play(game: Game[Any]) -> None:
    """By legal moves and bent ones of walks through every option, or in a given situation."""
    met = {rule for key, rule in SITUATIONS if key == game.key} | {"S-H9", "S-H10"}
    for name, seats, options in tables(game):
        rng = random.Random(name)
        moments = [one for one in walk(game, seats, options, 0) if one.action is not None]
        some = rng.sample(moments, min(40, len(moments)))
        for moment in moments:
            met |= rules_of(game, moment.state, moment.action)
        for moment in some:
            for bent in mutants(rng.choice(some).action, seats, rng):
                try:
                    met |= rules_of(game, moment.state, bent)
                except CompanionError:
                    continue
    assert {rule.id for rule in game.rules if rule.kind == "house"} - met == set()


def test_a_house_rule_is_told_apart_and_its_option_stands_in_the_lobby_with_our_ruling_first() -> (
    None
):
    for game in SHELF:
        offered = {f.name: f for f in fields(game.options) if "values" in f.metadata}
        for rule in game.rules:
            assert (rule.kind == "house") == ("H" in rule.id), rule.id
            if rule.option:
                default = offered[rule.option].default
                assert default in offered[rule.option].metadata["values"]


# --- both ways ------------------------------------------------------------------------------------


@pytest.mark.rule("sao", "H7")
def test_the_partner_alone_throws_only_his_own_dice_unless_either_may_say() -> None:
    state = throw(fight("kirito", "asuna"), "662", "456")
    sixes = sao.Again(1, (0, 1))
    assert rules_of(SAO, state, sixes) == {"H7"}
    assert sixes not in SAO.legal(state, 1)
    assert SAO.apply(state, sao.Again(1, (3,))).phase == "roll"
    assert SAO.apply(state, sao.Again(0, (2, 3))).phase == "roll"
    marked = sao_table.done(state, sao.Mark(1, 0))
    assert "H7" in [choice.barred for choice in SAO.view(marked, 1).choices]
    assert SAO.apply(with_options(state, throwing="either"), sixes).phase == "roll"
    assert SAO.older == {1: {"throwing": "either"}}  # old journals go on as they were played


@pytest.mark.rule("sao", "H8")
@pytest.mark.parametrize(
    ("uses", "party", "by_level"),
    [("players", 2, (1, 2, 3)), ("players", 4, (1, 1, 1)), ("book", 2, (1, 1, 2)),
     ("book", 4, (1, 1, 2))],
)  # fmt: skip
def test_ability_uses_go_by_the_number_of_players_or_by_the_book(
    uses: str, party: int, by_level: tuple[int, ...]
) -> None:
    state = with_options(fight(*("kirito", "asuna", "agil", "klein")[:party]), uses=uses)
    assert tuple(replace(state, level=level).most() for level in range(3)) == by_level


@pytest.mark.rule("sao", "H6")
def test_equipment_changes_hands_by_the_turn_players_word_or_by_its_holders_alone() -> None:
    state, taken = loot(), sao.Give(0, "coat", 0)
    assert SAO.apply(state, taken).kit[0].holder == 0
    strict = with_options(state, gear="holder")
    assert rules_of(SAO, strict, taken) == {"H6"}
    assert taken not in SAO.legal(strict, 0)
    assert SAO.apply(strict, sao.Give(2, "coat", 0)).kit[0].holder == 0


@pytest.mark.rule("swordcrafters", "S-H4", "S-H5", "S-H6")
@pytest.mark.parametrize(
    ("how", "runs", "red"),
    [
        ({}, (3, 2, 1, 0), 6),
        ({"guards": False}, (2, 2, 1, 0), 5),
        ({"breaks": False}, (4, 2, 2, 0), 6),
    ],
)  # fmt: skip
def test_guard_gems_count_and_blanks_break_runs_or_not(
    how: dict[str, bool], runs: tuple[int, ...], red: int
) -> None:
    one = tally(sword("RR-R/RR/G-G/--", guards="RB"), **how)
    assert (tuple(run.length for run in one.runs), one.gems[0]) == (runs, red)
    state = scored(virtual(2, **how), *(sword("RR-R/RR/G-G/--", guards="RB"),) * 2)
    result = SWORDCRAFTERS.result(state)
    assert result is not None
    quality = sum(points for what, points in result.scores[0].breakdown[1:5])
    assert quality == 2 * sum(n for n in runs if n > 1)


@pytest.mark.rule("hack", "H9")
@pytest.mark.parametrize(("ties", "wounded"), [("wound", True), ("spare", False)])
def test_a_tie_wounds_a_pc_without_tolerance_or_does_not(ties: str, wounded: bool) -> None:
    state, action = last_blow(9)
    after = HACK.apply(with_options(state, ties=ties), action)
    assert after.sides[B].heroes == (Hero("crim", wounded=wounded),)
    assert after.phase == "score"  # the PC has lost all the same


@pytest.mark.rule("sainome", "H8")
@pytest.mark.parametrize(("sting", "empty"), [("side", 10), ("any", 8)])
def test_the_skill_on_a_miss_acts_where_no_side_shows_the_number_or_on_any_miss(
    sting: str, empty: int
) -> None:
    lay = sainome_table.Lay
    state = sainome_table.board(lay("princess", awake=True, up="battle_axe"), lay())
    state = sainome_table.after(with_options(state, sting=sting), sainome.Strike(A))
    hits = [sainome_table.after(state, sainome_table.thrown(n)) for n in (2, 4)]
    assert [sainome_table.hp(one)[B] for one in hits] == [8, empty]


@pytest.mark.rule("sainome", "H7")
def test_two_time_bombs_have_a_counter_card_each_or_go_off_together() -> None:
    lay = sainome_table.Lay
    mine = lay(hand=("wooden_buckler", "steel_armor"), up="time_bomb", left="time_bomb")
    state = sainome_table.board(mine, lay("sister"))
    first = sainome_table.after(state, sainome.End(A), sainome.Counter(A, "steel_armor"))
    assert (sainome_table.hp(first)[A], first.hit is not None) == (9, True)  # the second one
    assert rules_of(SAINOME, first, sainome.Counter(A, "wooden_buckler")) >= {"H7"}
    assert sainome_table.hp(sainome_table.after(first, sainome.GoOn(A)))[A] == 7
    both = sainome_table.after(with_options(state, bombs="together"), sainome.End(A))
    assert both.hit is not None
    assert both.hit.amount == 4
    after = sainome_table.after(both, sainome.Counter(A, "steel_armor"))
    assert (sainome_table.hp(after)[A], after.hit, after.phase) == (9, None, "trash")


BASE: dict[str, dict[str, Any]] = {
    "dual": {"variant": "dual", "way": "virtual"},
    "positive": {"way": "virtual"},
    "blanks": {"way": "virtual"},
    "least": {"way": "virtual"},
    "guards": {"way": "virtual"},
    "breaks": {"way": "virtual"},
}
RARE = {
    **dict.fromkeys(("uses", "gear", "ties", "sting", "bombs"), "test_house.py"),
    "positive": "test_swordcrafters_score.py",
    "round_cap": "test_kiriai.py",
}
"""Choices that a few games at random do not come to: each has a test of its own there."""
CHOICES = [
    pytest.param(game, rule.option, id=f"{game.key}-{rule.id}-{rule.option}")
    for game in SHELF
    for rule in game.rules
    if rule.kind == "house" and rule.option not in ("", *RARE)
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "option"), CHOICES)
def test_every_way_of_a_ruling_that_is_a_choice_makes_another_game(
    game: Game[Any], option: str
) -> None:
    """The same moves by another choice of the lobby come to something else, or are refused."""
    default = game.options(**BASE.get(option, {}))
    offered = next(f for f in fields(default) if f.name == option).metadata["values"]
    for value in (one for one in offered if one != getattr(default, option)):
        other = replace(default, **{option: value})
        found = (
            _differ(game, *ways, seed)
            for seed in range(4)
            for ways in ((default, other), (other, default))
        )
        assert any(found), f"{option}={value}"


def _differ(game: Game[Any], default: Any, other: Any, seed: int) -> bool:
    state = game.new(2, other)
    for moment in walk(game, 2, default, seed):
        if replace(state, options=default) != moment.state:
            return True
        if moment.action is None:
            return game.result(state) != game.result(moment.state)
        if game.waiting(state) != game.waiting(moment.state):
            return True
        try:
            state = game.apply(state, moment.action)
        except CompanionError:
            return True
    return False


def test_every_choice_that_play_at_random_does_not_come_to_has_a_test_of_its_own() -> None:
    options = {rule.option for game in SHELF for rule in game.rules if rule.kind == "house"}
    assert set(RARE) <= options
    for name, file in RARE.items():
        assert f"{name}=" in Path(__file__).with_name(file).read_text("utf-8"), name
