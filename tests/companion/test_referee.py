"""The referee: every line gets one answer, and the answer is right."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games import SHELF
from companion.games.api import seal
from companion.referee import ASKS, LONGEST, REMEMBERED, Referee, serve
from tests.companion.guess import GUESS


class Bench:
    """A referee and someone who asks it."""

    def __init__(self, seed: int | None = 7, game: Any = GUESS) -> None:
        self.referee = Referee(game, seed)

    def ask(self, ask: str, **fields: Any) -> Any:
        """The answer, whatever it is."""
        said = self.referee.answer(json.dumps({"ask": ask, **fields}))
        assert "\n" not in said
        return json.loads(said)

    def ok(self, ask: str, **fields: Any) -> Any:
        """The answer, which must be a good one."""
        answer = self.ask(ask, **fields)
        assert answer["ok"] is True, answer
        return answer

    def refused(self, ask: str, **fields: Any) -> tuple[str, str]:
        """Kind and reason of a refusal."""
        answer = self.ask(ask, **fields)
        assert answer["ok"] is False
        return answer["error"]["kind"], answer["error"]["why"]

    def guess(self, seat: int, number: int, **more: Any) -> Any:
        return self.ok("do", action={"do": "Guess", "seat": seat, "number": number, **more})

    def rolled(self, value: int) -> Any:
        die = {"body": "black", "value": value}
        return self.ok("do", action={"do": "Rolled", "dice": [die]})

    def step(self, answer: Any) -> Any:
        """Give the game what it waits for: some legal action, or chance."""
        waiting = answer["waiting"]
        if waiting["seats"]:
            seat = waiting["seats"][-1]
            actions = self.ok("legal", seat=seat)["actions"]
            return self.ok("do", action=actions[len(str(answer)) % len(actions)])
        return self.ok("chance") if waiting["dice"] or waiting["chance"] else answer

    def tossed(self, winner: int = 0) -> Bench:
        self.ok("new", seats=2)
        self.ok("do", action={"do": "Toss", "winner": winner})
        return self


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


# -- bad lines


def test_before_a_game_only_what_needs_none_is_answered(bench: Bench) -> None:
    for ask in ("state", "chance", "view", "waiting", "result", "counters"):
        assert bench.refused(ask)[0] == "no game", ask
    assert bench.refused("legal", seat=0)[0] == "no game"
    assert bench.refused("overrule", key="x", value=0)[0] == "no game"
    action = {"do": "Guess", "seat": 0, "number": 1}
    assert bench.refused("do", action=action)[0] == "no game"
    assert bench.ok("rules")["rules"]
    assert set(bench.ok("help")["asks"]) == set(ASKS)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "not JSON"),
        (b"   \t\r", "not JSON"),
        (b"new", "not JSON"),
        (b"\x00", "not JSON"),
        (b'{"ask": "help"} {"ask": "help"}', "not JSON"),
        (b'{"ask": "help", "ask": "rules"}', "a key stands twice"),
        (b'\xff{"ask": "help"}', "not UTF-8"),
        (b'{"ask": "help", "id": "\\ud800"}', "not UTF-8"),
        (b'{"ask": "help", "id": NaN}', "NaN is no number"),
        (b'{"ask": "help", "id": -Infinity}', "-Infinity is no number"),
        (b'{"ask": "help", "id": 1e999}', "1e999 is no number"),
        (b'{"ask": "help", "id": ' + b"1" * 5000 + b"}", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'"' + b"x" * LONGEST + b'"', "a line has at most 1048576 bytes"),
        (b"null", "a request is an object"),
        (b'["ask"]', "a request is an object"),
        (b"{}", '"ask" must be one of new, load'),
        (b'{"ask": 7}', '"ask" must be one of'),
        (b'{"ask": "_play"}', '"ask" must be one of'),
        (b'{"ask": "answer", "line": ""}', '"ask" must be one of'),
        (b'{"ask": "new"}', '"new" needs the field "seats"'),
        (b'{"ask": "new", "seats": true}', "seats: "),
        (b'{"ask": "new", "seats": 2.0}', "seats: "),
        (b'{"ask": "new", "seats": "2"}', "seats: "),
        (b'{"ask": "new", "seats": 2, "sead": 1}', '"new" has no field "sead"'),
        (b'{"ask": "new", "seats": 2, "self": 1}', "self: "),
        (b'{"ask": "new", "seats": 2, "options": [1]}', "options: "),
        (b'{"ask": "legal", "seat": 2}', "there is no seat 2; seats go from 0 to 1"),
        (b'{"ask": "legal", "seat": -1}', "there is no seat -1"),
        (b'{"ask": "legal", "seat": 0, "limit": 0}', "limit: "),
        (b'{"ask": "view", "seat": 5}', "there is no seat 5"),
        (b'{"ask": "do", "action": {"do": "Fly"}}', '"do" must be one of Guess, Toss, Rolled'),
        (b'{"ask": "do", "action": {"do": "Guess", "seat": 0}}', "number"),
        (b'{"ask": "do", "action": {"do": "Guess", "seat": 9, "number": 1}}', "there is no seat 9"),
        (b'{"ask": "do", "action": {"do": "Guess", "seat": -2, "number": 1}}', "no seat -2"),
        (b'{"ask": "do", "action": "Guess"}', "an action is an object"),
    ],
)
def test_a_malformed_line_is_answered_and_the_game_goes_on(line: bytes, why: str) -> None:
    bench = Bench().tossed()
    before = bench.ok("state")
    answer = json.loads(bench.referee.answer(line))
    assert answer["ok"] is False
    assert answer["error"]["kind"] == "malformed"
    assert why in answer["error"]["why"]
    assert bench.ok("state") == before


def test_the_id_comes_back_with_good_and_bad_answers(bench: Bench) -> None:
    for name in (0, "é", None, [1, {"a": 2.5}]):
        assert bench.ask("help", id=name)["id"] == name
        assert bench.ask("fly", id=name)["id"] == name
        assert bench.ask("state", id=name)["id"] == name
    assert "id" not in bench.ask("help")


def test_even_a_bug_in_a_game_gets_an_answer(bench: Bench, caplog: Any) -> None:
    bench.tossed()
    before = bench.ok("state")
    bench.referee.game = replace(GUESS, apply=lambda state, _action: state.nonsense)
    kind, why = bench.refused("do", action={"do": "Guess", "seat": 0, "number": 1})
    assert (kind, why[:14]) == ("bug", "AttributeError")
    assert "a bug in the rules of guess" in caplog.text
    assert bench.ok("state") == before


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=3,
)
ALMOST = st.fixed_dictionaries(
    {"ask": st.sampled_from(ASKS)},
    optional={
        "seats": JSON | st.just(2),
        "options": JSON | st.just({"goal": 1}),
        "seed": JSON,
        "seat": JSON | st.integers(-1, 2),
        "limit": JSON,
        "state": JSON | st.dictionaries(st.sampled_from(["goal", "points", "tie"]), JSON),
        "action": JSON
        | st.fixed_dictionaries(
            {"do": st.sampled_from(["Guess", "Toss", "Rolled"])},
            optional={
                "seat": st.integers(-1, 2) | JSON,
                "number": st.integers() | JSON,
                "salt": JSON,
                "winner": st.integers(-1, 2) | JSON,
                "dice": JSON | st.lists(st.just({"body": "black", "value": 3})),
            },
        ),
        "key": JSON | st.just("points0"),
        "value": JSON | st.integers(-1, 4),
        "id": JSON,
    },
)


@given(st.lists(st.binary(max_size=200), max_size=8))
def test_any_bytes_get_exactly_one_object_per_line_and_play_goes_on(lines: list[bytes]) -> None:
    source = io.BytesIO(b"\n".join([*lines, b'{"ask": "new", "seats": 2}', b""]))
    expected = source.getvalue().count(b"\n")
    sink = io.BytesIO()
    serve(Referee(GUESS), source, sink)
    answers = [json.loads(line) for line in sink.getvalue().decode().split("\n")[:-1]]
    assert len(answers) == expected
    assert all(isinstance(answer, dict) for answer in answers)
    assert answers[-1]["ok"] is True


@pytest.mark.slow
@settings(max_examples=200)
@given(st.lists(ALMOST, max_size=6))
def test_almost_right_requests_never_find_a_bug(requests: list[Any]) -> None:
    bench = Bench().tossed()
    for request in requests:
        answer = json.loads(bench.referee.answer(json.dumps(request)))
        assert answer["ok"] is True or answer["error"]["kind"] != "bug", (request, answer)
    assert bench.ok("new", seats=2)


def leaves(node: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to everything inside a JSON value."""
    inner = node.items() if isinstance(node, dict) else enumerate(node)
    found = [way] if way else []
    for key, value in inner:
        if isinstance(value, dict | list):
            found += leaves(value, (*way, key))
        else:
            found.append((*way, key))
    return found


def with_another(node: Any, way: tuple[Any, ...], value: Any) -> Any:
    """The JSON value, but for one place in it."""
    if not way:
        return value
    copy = dict(node) if isinstance(node, dict) else list(node)
    copy[way[0]] = with_another(copy[way[0]], way[1:], value)
    return copy


@pytest.mark.slow
@pytest.mark.parametrize("game", [GUESS, *SHELF], ids=lambda game: game.key)
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_a_state_with_one_wrong_value_is_refused_or_can_be_played(game: Any, data: Any) -> None:
    bench = Bench(data.draw(st.integers(0, 9)), game)
    seats = data.draw(st.sampled_from(game.seats))
    answer = bench.ok("new", seats=seats)
    for _ in range(data.draw(st.integers(0, 30))):
        answer = bench.step(answer)
    state = bench.ok("state")["state"]
    way = data.draw(st.sampled_from(leaves(state)))
    value = data.draw(st.integers(-2, 9) | st.text(max_size=3) | JSON)
    answer = bench.ask("load", state=with_another(state, way, value))
    if answer["ok"]:
        for seat in range(seats):
            bench.ok("view", seat=seat)
        for _ in range(10):
            answer = bench.step(answer)
    else:
        assert answer["error"]["kind"] in ("impossible", "malformed"), answer
        assert bench.ok("state")["state"] == state


# -- the pipe


def served(data: bytes) -> list[Any]:
    sink = io.BytesIO()
    serve(Referee(GUESS), io.BytesIO(data), sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_a_line_that_is_too_long_costs_one_answer_and_the_next_is_heard() -> None:
    full = b'{"ask": "rules", "id": "' + b"x" * (LONGEST - 26) + b'"}'
    assert len(full) == LONGEST
    answers = served(full + b"\n" + b" " + full + b"\n" + b"y" * (3 * LONGEST) + b"\n" + full)
    assert [answer["ok"] for answer in answers] == [True, False, False, True]
    assert "at most" in answers[1]["error"]["why"]


def test_the_last_line_needs_no_newline_and_an_empty_input_gets_no_answer() -> None:
    assert [answer["ok"] for answer in served(b'{"ask": "help"}\r\n{"ask": "rules"}')] == [
        True,
        True,
    ]
    assert served(b"") == []


def test_nobody_listening_ends_it_quietly() -> None:
    program = (
        "import sys; from companion.referee import *; from tests.companion.guess import GUESS;"
        "serve(Referee(GUESS), sys.stdin.buffer, sys.stdout.buffer)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with child:
        child.stdin.write(b'{"ask": "rules"}\n')
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["ok"] is True
        child.stdout.close()
        child.stdin.write(b'{"ask": "rules"}\n' * 100)
        child.stdin.close()
        assert child.stderr.read() == b""
    assert child.returncode == 0
