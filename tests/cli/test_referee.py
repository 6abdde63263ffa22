"""The referee: every line gets one answer, and the answer is right."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.cli.referee import REMEMBERED, Referee
from companion.games.api import seal
from companion.games.sainome import SAINOME
from companion.games.sao import SAO
from companion.language import speaker
from tests.table.asking import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


# -- playing


def test_a_whole_game_is_played_to_its_result(bench: Bench) -> None:
    bench.tossed()
    for _ in range(2):
        bench.guess(0, 2)
        bench.guess(1, 6)
        last = bench.rolled(3)  # 1 off beats 3 off
    assert last["result"]["winners"] == [0]
    assert [score["total"] for score in last["result"]["scores"]] == [2, 0]
    assert bench.ok("result")["result"] == last["result"]
    assert last["waiting"]["seats"] == []
    assert bench.ok("legal", seat=0) == {"ok": True, "actions": [], "more": False}


def test_options_are_taken_and_told_with_their_defaults(bench: Bench) -> None:
    assert bench.ok("new", seats=2)["options"] == {"goal": 2}
    assert bench.ok("new", seats=2, options={"goal": 3})["options"] == {"goal": 3}
    assert bench.refused("new", seats=2, options={"goal": 4}) == (
        "malformed",
        "option goal must be one of 1, 2, 3",
    )
    assert bench.refused("new", seats=2, options={"gaol": 1})[0] == "malformed"
    assert bench.refused("new", seats=9)[0] == "impossible"


def test_an_illegal_action_is_refused_with_rule_and_reason_and_changes_nothing(
    bench: Bench,
) -> None:
    bench.tossed()
    before = bench.ok("state")
    answer = bench.ask("do", action={"do": "Guess", "seat": 0, "number": 7})
    assert answer == {
        "ok": False,
        "error": {"kind": "illegal", "rule": "G2", "why": "7 is not on a die"},
    }
    assert bench.ok("state") == before
    assert "G2" in [rule["id"] for rule in bench.ok("rules")["rules"]]


def test_the_referee_supplies_whatever_chance_the_game_wants(bench: Bench) -> None:
    bench.ok("new", seats=2)
    assert bench.ok("chance")["action"]["do"] == "Toss"
    assert bench.refused("chance") == ("not now", "the game waits for no chance")
    bench.guess(0, 1)
    bench.guess(1, 6)
    assert bench.ok("waiting")["waiting"]["dice"]["bodies"] == ["black"]
    (die,) = bench.ok("chance")["action"]["dice"]
    assert die["body"] == "black"
    assert die["value"] in range(1, 7)


def test_a_seed_repeats_the_chance_and_another_does_not() -> None:
    def rolls(seed: int) -> list[Any]:
        bench = Bench(None)
        bench.ok("new", seats=2, seed=seed)
        bench.ok("chance")
        thrown = []
        for _ in range(30):
            bench.ok("overrule", key="points0", value=0)
            bench.ok("overrule", key="points1", value=0)
            bench.guess(0, 1)
            bench.guess(1, 6)
            thrown.append(bench.ok("chance")["action"])
        return thrown

    assert rolls(1) == rolls(1)
    assert rolls(1) != rolls(2)


def test_a_sealed_choice_gets_a_fresh_salt_unless_it_brings_its_own(bench: Bench) -> None:
    bench.tossed()
    salt = bench.guess(0, 2, salt="")["action"]["salt"]
    assert len(salt) == 8
    assert bench.guess(1, 2, salt="mine")["action"]["salt"] == "mine"
    assert seal(2, salt) in json.dumps(bench.ok("view", seat=0))
    bench.rolled(2)
    assert bench.guess(0, 2)["action"]["salt"] not in ("", salt)


def test_a_seat_sees_its_own_guess_and_nobody_else_does(bench: Bench) -> None:
    bench.tossed()
    told = bench.guess(0, 4)["told"]
    assert told == "Seat 1 has guessed"
    assert "Your guess 4" in json.dumps(bench.ok("view", seat=0))
    for other in ({"seat": 1}, {"seat": None}, {}):
        seen = json.dumps(bench.ok("view", **other))
        assert "Your guess" not in seen
        assert bench.ok("state")["state"]["salts"][0] not in seen


def test_undo_walks_back_step_by_step_to_the_start(bench: Bench) -> None:
    bench.tossed()
    states = [bench.ok("state")]
    bench.guess(0, 1)
    states.append(bench.ok("state"))
    bench.ok("overrule", key="points1", value=1)
    bench.ok("undo")
    assert bench.ok("state") == states[1]
    bench.ok("undo")
    assert bench.ok("state") == states[0]
    bench.ok("undo")
    assert bench.ok("waiting")["waiting"]["chance"] is True
    assert bench.refused("undo")[0] == "nothing to undo"


def test_a_refused_action_leaves_nothing_to_undo(bench: Bench) -> None:
    bench.ok("new", seats=2)
    assert bench.refused("do", action={"do": "Guess", "seat": 0, "number": 1})[0] == "illegal"
    assert bench.refused("undo")[0] == "nothing to undo"


def test_memory_of_undo_is_bounded(bench: Bench) -> None:
    bench.tossed()
    for _ in range(REMEMBERED + 5):
        bench.referee.overrule("points0", 1)
    assert len(bench.referee._before) == REMEMBERED


def test_a_counter_is_set_within_its_bounds_only(bench: Bench) -> None:
    bench.tossed()
    assert bench.ok("counters")["counters"][1] == {
        "key": "points1",
        "label": "Points of Seat 2",
        "value": 0,
        "low": 0,
        "high": 2,
    }
    assert bench.ok("overrule", key="points1", value=2)["result"]["winners"] == [1]
    assert bench.refused("overrule", key="points1", value=3) == (
        "impossible",
        "points1 goes from 0 to 2",
    )
    assert bench.refused("overrule", key="hp", value=3)[0] == "impossible"


def test_the_limit_cuts_the_legal_actions_and_says_so(bench: Bench) -> None:
    bench.tossed()
    six = bench.ok("legal", seat=0)
    assert (len(six["actions"]), six["more"]) == (6, False)
    assert bench.ok("legal", seat=0, limit=6)["more"] is False
    five = bench.ok("legal", seat=0, limit=5)
    assert (five["actions"], five["more"]) == (six["actions"][:5], True)
    for action in six["actions"]:
        assert bench.ok("do", action=action)
        bench.ok("undo")


# -- states from outside


def test_a_printed_state_can_be_loaded_and_is_the_same_state(bench: Bench) -> None:
    bench.tossed()
    bench.guess(1, 5)
    printed = bench.ok("state")
    other = Bench()
    assert other.ok("load", seats=2, state=printed["state"])["waiting"]["seats"] == [0]
    assert other.ok("state") == printed
    assert other.refused("undo")[0] == "nothing to undo"


def test_a_load_needs_the_number_of_seats_when_no_game_told_it(bench: Bench) -> None:
    assert bench.refused("load", state={"goal": 2})[0] == "impossible"
    bench.ok("new", seats=2)
    bench.ok("load", state={"goal": 2})


def test_a_state_that_says_for_how_many_it_is_is_loaded_for_no_other_number() -> None:
    referee = Referee(SAO)

    def ask(**request: Any) -> Any:
        return json.loads(referee.answer(json.dumps(request)))

    ask(ask="new", seats=1)
    alone = ask(ask="state")["state"]
    both = {**alone, "seats": 2}  # Kirito has been chosen, the second player's turn to choose
    assert ask(ask="load", state=both, seats=1)["error"]["kind"] == "impossible"
    assert ask(ask="load", state=both, seats=2)["waiting"]["seats"] == [1]


def test_there_is_no_way_back_past_a_load_or_a_new_game(bench: Bench) -> None:
    bench.tossed()
    bench.ok("load", state=bench.ok("state")["state"])
    assert bench.refused("undo")[0] == "nothing to undo"
    bench.tossed()
    bench.ok("new", seats=2)
    assert bench.refused("undo")[0] == "nothing to undo"


@pytest.mark.parametrize(
    "change",
    [
        {"points": [3, 0]},
        {"points": [2, 2]},
        {"points": [1]},
        {"points": [0, "0"]},
        {"points": [0, True]},
        {"points": [0, 0.0]},
        {"tie": None},
        {"tie": 2},
        {"guesses": [-1, 0]},
        {"goal": None},
        {"more": 1},
    ],
)
def test_an_impossible_state_is_refused_and_the_game_goes_on(
    bench: Bench, change: dict[str, Any]
) -> None:
    bench.tossed()
    bench.guess(0, 1)
    printed = bench.ok("state")
    kind, why = bench.refused("load", state={**printed["state"], **change})
    assert kind == "impossible"
    assert why
    assert bench.ok("state") == printed


@pytest.mark.parametrize("state", [None, 3, [], "x", {}])
def test_what_is_no_state_at_all_is_refused(bench: Bench, state: Any) -> None:
    assert bench.refused("load", state=state, seats=2)[0] == "impossible"


def test_whatever_a_player_reads_is_said_in_the_asked_language() -> None:
    referee = Referee(SAINOME, translate=speaker("ja"))

    def ask(what: str, **more: Any) -> Any:
        return json.loads(referee.answer(json.dumps({"ask": what, **more})))

    assert ask("new", seats=2)["waiting"]["why"] == "席1が先攻後攻のサイコロ"
    refused = ask("do", action={"do": "Draw", "seat": 0})
    assert refused["error"]["why"] == "先に席1がサイコロを振ります"
    rolled = {"do": "Rolled", "dice": [{"body": "black", "value": 4}]}
    assert ask("do", action=rolled)["told"] == "席1の目は4"
    rules = {rule["id"]: rule for rule in ask("rules")["rules"]}
    assert rules["R32"]["section"] == "ダメージ"
    assert rules["R32"]["text"] == "HP山札が先になくなった方の負け。"
    assert ask("help")["asks"]["rules"].startswith("no fields")  # for whoever writes the program
