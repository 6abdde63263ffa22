"""The companion as a fellow: it plays what it may, follows the coach, and brings its blue die."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.bots.api import decide, sight
from companion.bots.fellows import ranked
from companion.bots.fellows_player import bot
from companion.games.sao import SAO
from companion.games.sao import actions as do
from companion.games.sao.play import apply, new
from companion.games.sao.state import Options, State, hero
from companion.words import SeatNo
from tests.bots.playing import evening
from tests.games.sao_table import done, fight, throw

BEST = bot("best")


def answer(state: State, seat: int, level: Any = "best", seed: str = "seed") -> Any:
    return decide(bot(level), sight(SAO, state, SeatNo(seat)), seed, 1).action


def test_it_leaves_kirito_to_who_wants_him_and_takes_him_if_nobody_does() -> None:
    state = new(2, Options())
    assert answer(state, 0) == do.Play(0, "silica")
    assert answer(apply(state, do.Play(1, "agil")), 0) == do.Play(0, "kirito")


def test_the_best_one_follows_the_first_line_and_says_its_odds() -> None:
    state = throw(done(fight("kirito", "asuna", "agil"), do.Chain(0, 1)), "256", "123")
    found = decide(BEST, sight(SAO, state, SeatNo(0)), "seed", 1)
    assert found.action == ranked(state)[0].action
    assert found.why is not None
    assert found.why.show().startswith("Rethrow 5 3: ")


def test_asked_before_a_throw_it_brings_its_own_blue_die_or_throws() -> None:
    state = fight("kirito", "asuna", scenario="giant")
    assert SAO.waiting(state).seats == (0, 1)
    first = answer(state, 0)
    assert first == do.Exchange(0, 0)
    brought = done(state, do.Exchange(0, 0), do.Exchange(1, 1))
    assert SAO.waiting(brought).seats == ()
    without = replace(brought, dice=state.dice, options=Options("nodice"))
    assert SAO.waiting(without).seats == ()
    assert answer(without, 0) is None


def test_the_others_go_for_damage_and_drink_before_a_blow_that_kills() -> None:
    state = replace(throw(fight("kirito", "asuna"), "661", "223"), rerolls=2)
    spent = hero(hero(state, 0, uses=0), 1, uses=0)
    strike = answer(spent, 0, "good")
    assert strike.uses == max(spent.plans(), key=lambda plan: plan.damage).uses
    assert {repr(answer(state, 0, "easy", f"{n}")) for n in range(9)} != {repr(strike)}


def test_while_a_person_leads_it_helps_where_its_own_ability_is_the_first_line() -> None:
    for dice, helps in ((("552", "113"), True), (("666", "666"), False)):
        state = hero(replace(throw(fight("kirito", "klein"), *dice), rerolls=2), 0, hp=3)
        found = decide(BEST, sight(SAO, state, SeatNo(1)), "seed", 1)
        assert found.helps == helps
        assert (found.action == ranked(state)[0].action) == helps


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "good", "best"])
def test_two_companions_play_a_game_to_its_end(level: Any) -> None:
    state = apply(apply(new(2, Options()), do.Play(0, "kirito")), do.Play(1, "asuna"))
    *_, (states, *_) = evening(SAO, state, (bot(level),) * 2, "seed")
    assert states[-1].outcome
