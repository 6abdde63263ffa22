"""What breaks around a venue ends right, or is a sentence; the store equals what was told."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import aiomqtt
import psycopg
import pytest

from tests.mqtt.broker import Broker, listening
from tests.mqtt.tables import begin, eventually, open_table
from tests.mqtt.test_bus import certificate
from tests.patience import within
from tests.venue.postgres import Postgres
from tests.venue.test_keeper import kept, played, rows, say, told, venue, verdicts

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # paho's sockets
]


async def hears(capfd: pytest.CaptureFixture[str], words: str) -> str:
    """What stands in the log of the venue, once these words do."""
    found = ""
    async with asyncio.timeout(within(30)):
        while words not in found:
            found += capfd.readouterr().err
            await asyncio.sleep(0.05)
    return found


async def test_what_a_killed_broker_had_taken_and_lost_is_asked_for_and_sent_again(
    tmp_path: Path, broker: Broker, postgres: Postgres, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = played(tmp_path / "table", games=2)
    lost = [*lines[:10], *lines[25:60]]
    with venue(broker, postgres):
        await say(broker, lost)
        broker.kill()
        await hears(capfd, "the venue waits: 127.0.0.1")
        broker.start()
        async with aiomqtt.Client("127.0.0.1", broker.port) as table:
            await table.subscribe("companion/t1/again", qos=1)
            await say(broker, lines[60:])
            async with asyncio.timeout(within(60)):
                while (
                    await anext(table.messages)
                ).payload != b"1":  # the newest is asked for first
                    pass
        await say(broker, lines)
        await eventually(lambda: [row[1] for row in verdicts(postgres)] == ["holds"] * 2)
    assert kept(postgres) == told(lines)


async def test_a_table_that_is_asked_sends_the_game_again_and_the_newest_to_a_broker_that_is_back(
    tmp_path: Path, broker: Broker
) -> None:
    begin(tmp_path)
    async with listening(broker) as ear:
        async with open_table(tmp_path, broker.settings()) as house:
            await house.finish()
            await ear.until(
                lambda: bool(ear.last("/entry") and ear.last("/entry")["number"] == "end")
            )
            before = len(ear.of("/entry"))
            await ear.say("companion/t1/again", "nonsense")
            await ear.say("companion/t1/again", "1")
            await ear.until(lambda: len(ear.of("/entry")) == 2 * before)
        async with open_table(tmp_path, broker.settings()):
            await ear.until(lambda: len(ear.of("/entry")) == 3 * before)
        assert len(set(ear.raw("/entry"))) == before


async def test_a_table_plays_through_a_broker_and_a_database_that_die(
    tmp_path: Path, broker: Broker, postgres: Postgres
) -> None:
    begin(tmp_path)
    with venue(broker, postgres):
        async with open_table(tmp_path, broker.settings()) as house:
            await house.moves(6)
            postgres.kill()
            await house.moves(6)
            broker.kill()
            await house.moves(6)
            postgres.start()
            broker.start()
            await house.finish()
            await eventually(lambda: [row[1] for row in verdicts(postgres)] == ["holds"])


@pytest.fixture
def small(postgres: Postgres) -> Iterator[Path]:
    """A disk of a few megabytes that holds the entries."""
    place = postgres.folder / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m,mode=0700,uid=postgres", "tmpfs", str(place)]
    if os.getuid() != 0 or subprocess.run(mount, check=False).returncode:
        pytest.skip("only root may have a disk of its own")
    with psycopg.connect(postgres.address, autocommit=True) as db:
        db.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
    yield place
    with psycopg.connect(postgres.address, autocommit=True) as db:
        db.execute("DROP SCHEMA public CASCADE")
        db.execute("CREATE SCHEMA public")
        db.execute("DROP TABLESPACE small")
    subprocess.run(["umount", str(place)], check=True)


async def test_a_full_disk_is_said_and_nothing_is_lost_when_there_is_room_again(
    tmp_path: Path, broker: Broker, postgres: Postgres, small: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    lines = played(tmp_path / "table", games=2)
    filler = small / "filler"
    with venue(broker, postgres):
        with psycopg.connect(postgres.address, autocommit=True) as db:
            db.execute("ALTER TABLE entries SET TABLESPACE small")
        with filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * 4096)
            except OSError:
                pass
        await say(broker, lines)
        await hears(capfd, "the database's disk is full: make room")
        filler.unlink()
        await eventually(lambda: [row[1] for row in verdicts(postgres)] == ["holds"] * 2)
    assert kept(postgres) == told(lines)


async def test_wrong_credentials_and_a_strange_certificate_are_sentences_at_the_venue_too(
    tmp_path: Path, postgres: Postgres, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wrong").write_text("yui")
    right, other = certificate(tmp_path, "127.0.0.1"), certificate(tmp_path, "evil.example")
    user = {"user": "kirito", "password_file": str(tmp_path / "wrong"), "tls": True}
    broker = Broker(tmp_path / "broker", user="kirito", password="asuna", certificate=right)
    broker.start()
    try:
        for ca, says in ((right, "refuses this user and password"), (other, "does not fit")):
            file = tmp_path / "venue.toml"
            file.write_text(broker.settings(**user, ca=str(ca[0])) + "\n[web]\non = false\n")
            child = subprocess.Popen(  # noqa: ASYNC220
                [sys.executable, "-m", "companion", "venue", "-s", str(file), "--database",
                 postgres.address]
            )  # fmt: skip
            try:
                await hears(capfd, says)
            finally:
                child.kill()
                child.wait()
    finally:
        broker.kill()


async def test_a_table_that_speaks_for_another_is_refused_whatever_it_sends(
    tmp_path: Path, broker: Broker, postgres: Postgres
) -> None:
    lines = played(tmp_path / "table")
    liar = [json.dumps({**json.loads(line), "table": "t2"}) for line in lines]
    with venue(broker, postgres):
        await say(broker, lines, "companion/t2/entry")
        await say(broker, liar, "companion/t2/entry")
        async with aiomqtt.Client("127.0.0.1", broker.port) as client:
            await client.publish("companion//entry", b"\xff\xfe", qos=1)
            await client.publish("companion/" + "x" * 3000 + "/entry", b"{}", qos=1)
        await eventually(lambda: len(rows(postgres, "SELECT 1 FROM refused")) >= len(lines) + 3)
        await say(broker, lines)
        await eventually(lambda: ("t1", "holds") in rows(
            postgres, "SELECT table_id, verdict FROM games"))  # fmt: skip
    assert {key[0] for key in kept(postgres)} == {"t1"}
