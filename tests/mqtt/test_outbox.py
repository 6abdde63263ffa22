"""What of a journal goes to the bus, in which order, and when what is hidden follows."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.games.api import Game
from companion.games.kiriai import KIRIAI
from companion.games.sao import SAO
from companion.memory.cardbox import CardBox
from companion.memory.chain import entry_link, head_link
from companion.memory.journal import Journal
from companion.memory.sent import Notes, Sent
from companion.mqtt.outbox import BATCH, Outbox, chained
from companion.table.play import Play
from tests.mqtt.tables import SEED, begin, journaled, move, received

GAMES = {game.key: game for game in (KIRIAI, SAO)}


class Desk:
    """A table without a daemon: plays, and sends to a list."""

    def __init__(self, folder: Path, games: Mapping[str, Game[Any]] = GAMES) -> None:
        self.folder, self.chance = folder, random.Random(3)
        self.journal = Journal(folder / "journal.db", lambda: 1.0)
        self.play = Play(
            games, self.journal, names=("Blue", "Red"), panels=2, mode="hard",
            draw=lambda: f"{self.chance.getrandbits(256):064x}", box=CardBox(folder / "cards"),
        )  # fmt: skip
        self.notes = Notes(folder / "journal.db")
        self.outbox = Outbox(folder / "journal.db", games, "t1")
        self.lines: list[str] = []

    @property
    def messages(self) -> list[Any]:
        return [json.loads(line) for line in self.lines]

    def moves(self, count: int) -> None:
        for _ in range(count):
            if not self.play.over:
                move(self.play, self.chance)

    def send(self, noted: bool = True) -> list[Any]:
        """Everything that is left; not `noted`: the broker has it, and then comes the cut."""
        before = len(self.lines)
        while letters := self.outbox.batch():
            self.lines += [letter.line for letter in letters if letter.line]
            if not noted:
                break
            self.notes.keep({letter.sent.game: letter.sent for letter in letters}.values())
        return self.messages[before:]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    begin(tmp_path)
    return Desk(tmp_path)


def test_each_message_is_bound_to_the_one_before_by_what_everybody_can_see(desk: Desk) -> None:
    desk.moves(12)
    hash = ""
    for number, message in enumerate(desk.send()):
        assert message["number"] == number
        hash = chained(hash, {key: message[key] for key in ("table", "game", "number", "told")})
        assert message["hash"] == hash
    assert number >= 12


def test_nothing_hidden_leaves_a_running_game_and_all_of_it_an_ended_one(desk: Desk) -> None:
    desk.moves(9)
    desk.send()
    assert received(desk.messages) != journaled(desk.folder)
    assert not any(SEED in line or '"salt":"' in line for line in desk.lines)
    desk.moves(1000)
    desk.send()
    assert received(desk.messages) == journaled(desk.folder)
    assert desk.messages[-1]["number"] == "end"
    assert desk.messages[-1]["told"]["seed"] == SEED
    assert desk.send() == []


def test_the_end_tells_the_journals_own_link_which_binds_the_hidden_parts(desk: Desk) -> None:
    desk.moves(1000)
    desk.send()
    head, end = desk.messages[0]["told"], desk.messages[-1]["told"]
    seats, options = json.dumps(head["seats"]), json.dumps(head["options"])
    link = head_link(bytes.fromhex(end["before"]), 1, head["game"], head["rules"], seats, options,
                     end["seed"], head["began"])  # fmt: skip
    for (game, number), (at, who, kind, body) in received(desk.messages).items():
        kept = json.dumps(body, separators=(",", ":"))
        link = entry_link(link, game, number, at, who, kind, kept)
    assert link.hex() == end["link"]


def test_a_cut_before_the_note_repeats_the_same_bytes(desk: Desk) -> None:
    desk.moves(3)
    desk.send()
    desk.moves(1)
    first = desk.send(noted=False)
    assert desk.send() == first != []
    assert desk.send() == []


def test_a_week_without_a_broker_is_sent_in_batches_and_in_order(desk: Desk) -> None:
    for _ in range(6):
        desk.play.stop()
        desk.play._begin(KIRIAI, desk.play._places, {"mode": "hard", "cuts": []})
        desk.moves(1000)
    assert len(desk.outbox.batch()) == BATCH
    desk.send()
    assert received(desk.messages) == journaled(desk.folder)
    games = [message["game"] for message in desk.messages]
    assert games == sorted(games)
    assert all(message["told"].get("game") != "lobby" for message in desk.messages)


def test_a_game_that_was_set_aside_keeps_its_secrets_while_it_is_played_on(desk: Desk) -> None:
    desk.moves(5)
    desk.send()
    first = desk.play.number
    desk.play.stop(rests=True)
    desk.journal.take_up(next(one for one in desk.journal.games() if one.id == first))
    again = Desk(desk.folder)
    again.send()
    assert again.journal.games()[-1].ended is not None
    assert not any(SEED in line for line in again.lines)
    again.moves(1000)
    assert {one["game"] for one in again.send() if one["number"] == "end"} == {
        first,
        again.play.number,
    }


def test_an_end_that_was_corrected_is_told_again(desk: Desk) -> None:
    desk.moves(1000)
    desk.send()
    desk.journal.judge(desk.play.number, None)
    assert desk.send()[-1]["told"]["ended"] is None
    desk.journal.judge(desk.play.number, {"why": "Red gives up", "winners": [0]})
    assert desk.send()[-1]["told"]["result"]["why"] == "Red gives up"


def test_a_game_that_cannot_be_read_stays_and_holds_up_no_other(desk: Desk) -> None:
    desk.moves(3)
    desk.journal.begin("whist", 1, [], {}, "")
    desk.journal.begin(KIRIAI.key, KIRIAI.version, [{"panel": 0, "name": "Blue"}] * 2, {}, "")
    desk.send()
    assert {message["game"] for message in desk.messages} == {1, 3}
    assert desk.send() == []


def test_the_notes_cost_no_sync_and_no_format(desk: Desk) -> None:
    desk.notes.keep([Sent(1, 2, "ab", b"", b"")])
    found = desk.notes._db.execute("PRAGMA synchronous").fetchone()
    assert found == (1,)  # NORMAL: in a log, a commit does not wait for the disk
    desk.journal.close()
    desk.notes.close()
    Journal(desk.folder / "journal.db", lambda: 1.0).close()  # examined, and found sound
    with sqlite3.connect(desk.folder / "journal.db") as db:
        assert db.execute("SELECT number, hash FROM sent").fetchall() == [(2, "ab")]
