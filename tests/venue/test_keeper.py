"""Tables tell, a venue keeps: the store equals the journals, whoever dies and whoever lies."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiomqtt
import psycopg
import pytest

from companion.games import GAMES
from tests.mqtt.broker import Broker
from tests.mqtt.tables import begin, eventually
from tests.mqtt.test_outbox import Desk
from tests.venue.postgres import Postgres

pytestmark = pytest.mark.slow
TOPIC = "companion/t1/entry"


def played(folder: Path, games: int = 1) -> list[str]:
    """What a table sends of some whole games."""
    folder.mkdir(exist_ok=True)
    begin(folder)
    desk = Desk(folder)
    for number in range(games):
        if number:
            desk.play.stop()
            kiriai, places = GAMES["kiriai"], desk.play._places
            desk.play._begin(kiriai, places, {"mode": "hard", "cuts": []})
        desk.moves(1000)
    desk.send()
    return desk.lines


@contextmanager
def venue(
    broker: Broker, postgres: Postgres, name: str = "one", pages: str = "on = false"
) -> Iterator[subprocess.Popen[str]]:
    """`companion venue` in a process of its own, once it listens; `pages` is its `[web]`."""
    settings = broker.folder / f"{name}.toml"
    settings.write_text(f"[web]\n{pages}\n" + broker.settings(table=name))
    command = [sys.executable, "-m", "companion", "venue", "-s", str(settings),
               "--database", postgres.address]  # fmt: skip
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        assert "listens" in child.stdout.readline()
        yield child
    finally:
        if child.poll() is None:
            os.kill(child.pid, signal.SIGKILL)
        child.wait()
        child.stdout and child.stdout.close()


async def say(broker: Broker, lines: list[str], topic: str = TOPIC) -> None:
    async with aiomqtt.Client("127.0.0.1", broker.port) as client:
        client.pending_calls_threshold = 1000
        for at in range(0, len(lines), 50):
            await asyncio.gather(
                *(client.publish(topic, line, qos=1) for line in lines[at : at + 50])
            )


def rows(postgres: Postgres, sql: str) -> list[Any]:
    try:
        with psycopg.connect(postgres.address) as db:
            return db.execute(sql.encode()).fetchall()
    except psycopg.Error:
        return []


def kept(postgres: Postgres) -> dict[tuple[str, int, int], Any]:
    found = rows(postgres, "SELECT table_id, game, number, told FROM entries")
    return {(table, game, number): json.loads(told) for table, game, number, told in found}


def told(lines: list[str]) -> dict[tuple[str, int, int], Any]:
    found = [json.loads(line) for line in lines]
    return {(m["table"], m["game"], m["number"]): m["told"] for m in found if m["number"] != "end"}


def verdicts(postgres: Postgres) -> list[Any]:
    return rows(postgres, "SELECT game, verdict, says FROM games ORDER BY game")


async def test_repeats_and_disorder_are_harmless_and_every_game_is_played_again(
    tmp_path: Path, broker: Broker, postgres: Postgres
) -> None:
    lines = played(tmp_path / "table", games=3)
    mixed = [*lines, *lines]
    random.Random(1).shuffle(mixed)
    with venue(broker, postgres):
        await say(broker, mixed)
        await eventually(lambda: [row[1] for row in verdicts(postgres)] == ["holds"] * 3)
    assert kept(postgres) == told(lines)
    assert rows(postgres, "SELECT * FROM refused") == []
    assert rows(postgres, "SELECT * FROM waiting") == []


async def test_a_gap_waits_a_forged_entry_and_a_borrowed_name_are_refused_and_said(
    tmp_path: Path, broker: Broker, postgres: Postgres
) -> None:
    lines = played(tmp_path / "table")
    forged = json.loads(lines[5])
    forged["told"]["who"] = 1 - (forged["told"]["who"] or 0)
    with venue(broker, postgres):
        await say(broker, [*lines[:5], json.dumps(forged), "{", "[]", '{"table":"\\ud800"}'])
        await say(broker, lines[:1], "companion/t2/entry")
        await eventually(lambda: len(rows(postgres, "SELECT * FROM refused")) == 5)
        says = " ".join(row[0] for row in rows(postgres, "SELECT says FROM refused"))
        assert "entry 5 of game 1 does not follow the one before it" in says
        assert "table t2 speaks for t1" in says
        assert "this is no entry of a game" in says
        await say(broker, lines[7:])
        await eventually(lambda: rows(postgres, "SELECT * FROM waiting") != [])
        assert len(kept(postgres)) == 5
        changed = json.loads(lines[2])
        changed["hash"] = "0" * 64
        await say(broker, [json.dumps(changed), *lines[5:7]])
        await eventually(lambda: [row[1] for row in verdicts(postgres)] == ["holds"])
    assert kept(postgres) == told(lines)
    assert "told otherwise before" in rows(postgres, "SELECT says FROM refused ORDER BY id")[-1][0]


async def test_hidden_parts_that_were_not_the_ones_are_found_out(
    tmp_path: Path, broker: Broker, postgres: Postgres
) -> None:
    lines = played(tmp_path / "table")
    end = json.loads(lines[-1])
    first = min(end["told"]["hidden"], key=int)
    end["told"]["hidden"][first]["specials"] = ["zantetsu", "zantetsu"]
    with venue(broker, postgres):
        await say(broker, [*lines[:-1], json.dumps(end)])
        await eventually(lambda: [row[1] for row in verdicts(postgres)] == ["broken"])
        assert verdicts(postgres)[0][2] == "the journal's own link is another"
        await say(broker, lines[-1:])
        await eventually(lambda: [row[1] for row in verdicts(postgres)] == ["holds"])


async def test_two_instances_share_the_work_and_one_that_is_killed_loses_nothing(
    tmp_path: Path, broker: Broker, postgres: Postgres
) -> None:
    lines = played(tmp_path / "table", games=4)
    with venue(broker, postgres, "one") as one, venue(broker, postgres, "two"):
        await say(broker, lines[: len(lines) // 2])
        one.kill()
        await say(broker, lines[len(lines) // 2 :])
        one.wait()
        with venue(broker, postgres, "one"):  # what it was given and had not kept comes again
            await eventually(lambda: [row[1] for row in verdicts(postgres)] == ["holds"] * 4)
    assert kept(postgres) == told(lines)


async def test_a_database_that_dies_in_mid_load_loses_nothing(
    tmp_path: Path, broker: Broker, postgres: Postgres
) -> None:
    lines = played(tmp_path / "table", games=2)
    with venue(broker, postgres):
        await say(broker, lines[:40])
        postgres.kill()
        await say(broker, lines[40:])
        postgres.start()
        await eventually(lambda: [row[1] for row in verdicts(postgres)] == ["holds"] * 2)
    assert kept(postgres) == told(lines)
