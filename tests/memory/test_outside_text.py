"""Text from outside that no UTF-8 can hold: refused at every door, harmless where it is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli.referee import Referee
from companion.errors import BadConfig, BadState
from companion.games import GAMES
from companion.memory.cardbox import CardBox
from companion.memory.examine import examine
from companion.memory.journal import Journal
from companion.memory.records import exported, find, listed, sat, steps, taken_in
from companion.memory.tables import FORMAT
from companion.settings.settings import load
from companion.words import unwritable

HALF = "\ud800"
PLACES: dict[str, Callable[[str], Any]] = {
    "alone": lambda text: text,
    "in a list": lambda text: [1, [text]],
    "as a key": lambda text: {"a": {text: 1}},
    "inside a text": lambda text: {"a": [f"Bl{text}ue"]},
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("half", [0xD800, 0xDBFF, 0xDC00, 0xDFFF], ids=hex)
def test_half_a_character_is_found_wherever_it_hides(place: str, half: int) -> None:
    why = unwritable(PLACES[place](chr(half)))
    assert "half a character" in why
    assert why.isascii()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "whole", ["Blue", "", "あおい", "\U0001f600", "\x00\n\uffff\ufffd"], ids=ascii
)
def test_every_whole_text_may_come_in(place: str, whole: str) -> None:
    assert unwritable(PLACES[place](whole)) == ""


def an_evening(**changes: Any) -> bytes:
    """A short duel as another table exports it, its first line changed."""
    head = {
        "companion": 1, "game": "kiriai", "rules": GAMES["kiriai"].version,
        "seats": [{"panel": 0, "name": "Blue"}, {"panel": 1, "name": "Red"}],
        "options": {"mode": "hard"}, "began": 1.0, "ended": 2.0, "result": None,
        "secrets_left_out": False, **changes,
    }  # fmt: skip
    return (json.dumps(head) + "\n").encode()


NAMED = [{"panel": 0, "name": f"Bl{HALF}ue"}, {"panel": 1, "name": "Red"}]
ENTRY = {"seq": 1, "at": 1.0, "who": 0, "kind": "warned", "body": {"rule": "R1", "why": HALF}}


@pytest.mark.parametrize(
    "sent",
    [
        an_evening(seats=NAMED),
        an_evening(options={"mode": HALF}),
        an_evening(more={HALF: 1}),
        an_evening() + json.dumps(ENTRY).encode(),
        an_evening(seats=NAMED).replace(rb"\ud800", b"\xed\xa0\x80"),
    ],
    ids=["name", "option", "unknown key", "entry", "raw bytes"],
)
def test_a_game_of_elsewhere_with_half_a_character_is_not_taken_in(
    tmp_path: Path, sent: bytes
) -> None:
    journal = Journal(tmp_path / "brought.db", lambda: 0.0)
    with pytest.raises(BadState, match=r"not an exported game: .*(half a character|utf-8)"):
        taken_in(journal, sent, GAMES, [0.0])
    assert journal.games() == []
    assert taken_in(journal, an_evening(), GAMES, [0.0]) == 1  # but for that, it is one


@pytest.mark.parametrize("who", [2, -1, 1 << 70, "Blue", True, 1.0])
def test_a_game_of_elsewhere_was_played_by_those_who_sat_there(tmp_path: Path, who: object) -> None:
    journal = Journal(tmp_path / "brought.db", lambda: 0.0)
    entry = {**ENTRY, "who": who, "body": {"rule": "R1", "why": ""}}
    with pytest.raises(BadState, match="entry 1"):
        taken_in(journal, an_evening() + json.dumps(entry).encode(), GAMES, [0.0])
    assert journal.games() == []


@pytest.mark.parametrize("seats", [None, [], ["Blue", "Red"], [{"panel": 0}, {"panel": 1}]])
def test_a_game_of_elsewhere_tells_who_sat_where(tmp_path: Path, seats: object) -> None:
    journal = Journal(tmp_path / "brought.db", lambda: 0.0)
    with pytest.raises(BadState, match="who sat where"):
        taken_in(journal, an_evening(seats=seats), GAMES, [0.0])
    assert journal.games() == []


def test_a_journal_that_took_in_a_game_of_elsewhere_is_sound(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "brought.db", lambda: 0.0)
    entry = {**ENTRY, "at": -0.0, "body": {"rule": "R1", "why": ""}}
    taken_in(journal, an_evening() + json.dumps(entry).encode(), GAMES, [0.0])
    with pytest.raises(BadState, match="other rules"):
        taken_in(journal, an_evening(rules=True), GAMES, [0.0])
    journal.close()
    assert examine(journal.path) == FORMAT


@pytest.mark.parametrize("written", [rb'"Bl\ud800ue"', b'"Bl\xed\xa0\x80ue"'], ids=ascii)
def test_no_settings_and_no_card_file_can_hold_half_a_character(
    tmp_path: Path, written: bytes
) -> None:
    (tmp_path / "own.toml").write_bytes(b"[table]\nseats = [" + written + b"]\n")
    with pytest.raises(BadConfig, match=r"own\.toml:2: not"):
        load(tmp_path / "own.toml")
    for game in GAMES.values():
        if game.cards is not None:
            box = CardBox(tmp_path / "cards")
            box.file(game).parent.mkdir(exist_ok=True)
            box.file(game).write_bytes(b"[a]\nname = " + written + b"\n")
            with pytest.raises(BadState, match=rf"{game.key}\.toml"):
                box.load(game)


@pytest.mark.parametrize("place", PLACES)
def test_the_referee_refuses_half_a_character_and_goes_on(place: str) -> None:
    referee = Referee(GAMES["kiriai"], seed=1)
    new = json.loads(referee.answer(json.dumps({"ask": "new", "seats": 2})))
    assert new["ok"]
    before = referee.answer('{"ask": "state"}')
    asked = json.dumps({"ask": "do", "action": {"do": "Lay", "card": PLACES[place](HALF)}})
    answer = json.loads(referee.answer(asked))
    assert answer["error"]["kind"] == "malformed"
    assert "half a character" in answer["error"]["why"]
    assert referee.answer('{"ask": "state"}') == before


@pytest.fixture
def poisoned(tmp_path: Path) -> Journal:
    """A journal into which an earlier companion let such a name, in a game that was played."""
    journal = Journal(tmp_path / "brought.db", lambda: 1.0)
    journal.begin("kiriai", GAMES["kiriai"].version, NAMED, {"mode": "hard"})
    journal.append(1, 1, 0, "warned", ENTRY["body"])
    journal.end(1, {"winners": [0], "why": f"Bl{HALF}ue wins", "scores": []})
    return journal


def test_a_name_that_was_let_in_earlier_is_shown_with_a_replacement_character(
    poisoned: Journal,
) -> None:
    (record,) = listed(poisoned)
    assert [name.show() for name in sat(record, GAMES["kiriai"])] == ["Bl\ufffdue", "Red"]
    assert record.result is not None
    assert record.result["why"] == "Bl\ufffdue wins"
    rows = "".join(exported(poisoned, find(poisoned, 1), GAMES))
    assert rows.encode().decode().count("\ufffd") == 3
    for seat in (None, 0, 1):
        assert [one.sentence.show(one.view.names) for one in steps(poisoned, record, GAMES, seat)]


def test_names_of_every_language_come_back_as_they_were(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db", lambda: 1.0)
    seats = [{"panel": 0, "name": "あおい"}, {"panel": 1, "name": "\U0001f600\\ud800"}]
    journal.begin("kiriai", 1, seats, {"mode": "hard"})
    (record,) = journal.games()
    assert record.seats == seats
