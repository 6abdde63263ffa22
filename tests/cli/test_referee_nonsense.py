"""The referee fed with nonsense: each line gets one answer, no bug, and play goes on."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.cli.referee import ASKS, LONGEST, Referee, serve
from companion.games import SHELF
from tests.games.guess import GUESS
from tests.table.asking import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


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
        (b'{"ask": "new", "seats": 2, "self": 1}', '"new" has no field "self"'),
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


@pytest.mark.slow
def test_nobody_listening_ends_it_quietly() -> None:
    program = (
        "import sys; from companion.cli.referee import *; from tests.games.guess import GUESS;"
        "serve(Referee(GUESS), sys.stdin.buffer, sys.stdout.buffer)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"},
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
