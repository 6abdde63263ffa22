"""What comes in is proven, waits, or is refused: a game's messages without a store."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import BadState
from companion.memory.codec import json_line
from companion.mqtt.outbox import chained
from companion.venue.chains import Chain
from companion.venue.letters import END, Told, judged, read
from tests.mqtt.tables import begin
from tests.mqtt.test_outbox import GAMES, Desk


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Told]:
    folder = tmp_path_factory.mktemp("table")
    begin(folder)
    desk = Desk(folder)
    desk.moves(1000)
    desk.send()
    return [read("companion/t1/entry", line.encode()) for line in desk.lines]


def empty() -> Chain:
    return Chain("t1", 1)


def test_in_any_order_and_any_batches_everything_is_proven_once(told: list[Told]) -> None:
    chance = random.Random(4)
    mixed = [*told, *told]
    chance.shuffle(mixed)
    chain, waiting, kept = empty(), list[Told](), list[Told]()
    while mixed:
        batch = [mixed.pop() for _ in range(min(len(mixed), chance.randrange(1, 9)))]
        chain = Chain("t1", 1, chain.proven, chain.hash, chain.finish)
        chain.take(batch, waiting)
        kept += chain.entries
        waiting = [one for one in [*waiting, *chain.early] if one.number > chain.proven]
        assert chain.wrong == []
    assert kept == [one for one in told if one.number != END]
    assert chain.whole
    assert waiting == []


def test_a_forged_entry_that_waits_takes_no_place_from_the_true_one(told: list[Told]) -> None:
    forged = replace(told[3], told='{"who":1}')
    chain = empty()
    chain.take([*told[:2], forged, replace(forged, hash="f" * 64)])
    assert (chain.proven, len(chain.early)) == (1, 2)
    later = Chain("t1", 1, chain.proven, chain.hash)
    later.take([told[3], told[3]], chain.early)
    assert later.early == [told[3]]
    last = Chain("t1", 1, chain.proven, chain.hash)
    last.take([told[2]], [*chain.early, *later.early])
    assert last.entries == told[2:4]
    assert len(last.wrong) == 2


def test_after_a_forged_entry_the_true_one_is_still_taken(told: list[Told]) -> None:
    chain = empty()
    chain.take([*told[:2], replace(told[2], hash="0" * 64)])
    assert (chain.proven, len(chain.wrong)) == (1, 1)
    chain.take([told[2]])
    assert chain.proven == 2


def test_an_end_with_a_gap_before_it_is_not_judged_yet(told: list[Told]) -> None:
    chain = empty()
    chain.take([*told[:-2], told[-1]])
    assert not chain.whole
    chain.take([told[-2]])
    assert chain.whole


NAMES = (
    "桐人", "\u200f\u0634\u0627\u0631\u0628", "\U0001f469\u200d\U0001f467 e\u0301", "x" * 10_000,
    "\u202eevil", "\\u0041 \\n", "\ufeff", '"}',
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_names_in_every_script_pass_letter_by_letter(name: str) -> None:
    head = {"table": "t1", "game": 1, "number": 0, "told": {"seats": [{"name": name}]}}
    line = json_line({**head, "hash": chained("", head)})
    chain = empty()
    chain.take([read("companion/t1/entry", line.encode())])
    assert json.loads(chain.entries[0].told) == head["told"]


@pytest.mark.parametrize(
    "line",
    [
        '{"table":"t1","game":1,"number":0,"told":{"name":"a\\u0000"},"hash":"' + "0" * 64 + '"}',
        '{"table":"t1","game":1,"number":0,"told":{"name":"\\ud800"},"hash":"' + "0" * 64 + '"}',
        '{"table":"t1","game":1,"number":0,"told":{},"hash":"' + "0" * 5000 + '"}',
        '{"table":"t1","game":1,"number":0,"told":[],"hash":"' + "0" * 64 + '"}',
        '{"table":"t1","game":1e3,"number":0,"told":{},"hash":"' + "0" * 64 + '"}',
        '{"table":"t1","game":1,"number":99999999999,"told":{},"hash":"' + "0" * 64 + '"}',
        "[" * 100_000,
        "\x00",
        "",
    ],
)
def test_what_no_store_can_keep_is_refused_in_a_sentence(line: str) -> None:
    with pytest.raises(BadState, match="this is no entry of a game"):
        read("companion/t1/entry", line.encode())


def test_a_table_with_a_name_that_none_can_have_is_refused() -> None:
    name = "x" * 5000
    line = json.dumps({"table": name, "game": 1, "number": 0, "told": {}, "hash": "0" * 64})
    with pytest.raises(BadState, match="a name that none can have"):
        read(f"companion/{name}/entry", line.encode())


def test_a_clock_that_jumps_breaks_no_verdict(tmp_path: Path) -> None:
    begin(tmp_path)
    desk = Desk(tmp_path)
    times = iter([1.7e9, 3.0, 4e9, 1.7e9, 0.0, 2e9] * 1000)
    desk.journal._clock = lambda: next(times)
    desk.moves(1000)
    desk.send()
    told = [read("companion/t1/entry", line.encode()) for line in desk.lines]
    chain = empty()
    chain.take(told)
    assert chain.whole
    assert chain.finish is not None
    verdict = judged([one.told for one in chain.entries], 1, chain.finish, GAMES)
    assert verdict == ("holds", "")
