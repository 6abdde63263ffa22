"""A table that waits is found on loopback, adopted by the code on its glass, and let go again."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.errors import BadState, DeviceLost
from companion.events import Message
from companion.mqtt.adoption import written
from companion.mqtt.announced import TRIES, Announced
from companion.settings.settings import MqttSettings
from companion.table.troubles import BROKER
from companion.venue.access import Access
from companion.venue.database import Database
from companion.venue.meeting import Found, Meeting
from tests.mqtt.broker import Broker, Ear, listening
from tests.mqtt.tables import Table, begin, eventually, journaled, open_table, received
from tests.patience import Clock
from tests.venue.postgres import Postgres

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # paho's sockets
]
WAITS = "\n[mqtt]\nannounce = true\ntable = '{name}'\n"


@dataclass
class Hall:
    """A venue that looks out for tables, and its broker."""

    broker: Broker
    meeting: Meeting

    async def finds(self, table: str) -> str:
        """How mDNS calls this table."""
        found = self.meeting.found
        await eventually(lambda: table in [one.name for one in found.values()])
        return next(name for name, one in found.items() if one.name == table)


@asynccontextmanager
async def open_hall(folder: Path, postgres: Postgres) -> AsyncIterator[Hall]:
    broker = Broker(folder / "broker", user="venue", password="a", access="user venue\n").start()
    assert broker.process is not None
    (folder / "password").write_text("a")
    mqtt = MqttSettings(broker="127.0.0.1", port=broker.port, user="venue",
                        password_file=str(folder / "password"))  # fmt: skip
    (broker.folder / "passwords.own").write_text("")
    (broker.folder / "access.own").write_text("user ear\ntopic read #\n")
    reload = f"kill -HUP {broker.process.pid}"
    access = Access(broker.folder, reload, mqtt, Database(postgres.address))
    meeting = Meeting(mqtt, access, "127.0.0.1")
    task = asyncio.create_task(meeting.run())
    try:
        yield Hall(broker, meeting)
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await access.database.close()
        broker.kill()


def code_on(house: Table) -> str:
    found = re.search(r"\w{5}-\w{5}", house.table.view("table").notice.show())
    return found[0] if found else ""


async def adopt(hall: Hall, house: Table, table: str, called: str) -> None:
    name = await hall.finds(table)
    await hall.meeting.ask(name)
    await eventually(lambda: code_on(house))
    await hall.meeting.adopt(name, code_on(house), called)


async def test_a_table_is_adopted_by_the_code_on_its_glass_and_tells_the_venue_from_then_on(
    tmp_path: Path, postgres: Postgres
) -> None:
    begin(tmp_path)
    async with open_hall(tmp_path, postgres) as hall:
        ear = Ear()
        async with (
            listening(hall.broker, ear),
            open_table(tmp_path, WAITS.format(name="shed")) as house,
        ):
            name = await hall.finds("shed")
            await hall.meeting.ask(name)
            await eventually(lambda: code_on(house))
            with pytest.raises(BadState, match="not the code on the glass"):
                await hall.meeting.adopt(name, "AAAAA-AAAAA", "t7")
            assert await hall.meeting.adopted() == {}
            await hall.meeting.adopt(name, code_on(house), "t7")
            assert [*await hall.meeting.adopted()] == ["t7"]
            await house.moves(5)
            await ear.until(
                lambda: received(ear.of("t7/entry")).keys() == journaled(tmp_path).keys()
            )
        async with open_table(tmp_path, WAITS.format(name="shed")) as house:  # it remembers
            await eventually(lambda: isinstance(house.bus, Announced) and house.bus._bus)
            assert BROKER not in house.table.lost


async def test_a_table_that_is_let_go_is_told_so_waits_again_and_can_come_back(
    tmp_path: Path, postgres: Postgres
) -> None:
    begin(tmp_path)
    async with (
        open_hall(tmp_path, postgres) as hall,
        open_table(tmp_path, WAITS.format(name="shed")) as house,
    ):
        await adopt(hall, house, "shed", "t7")
        await eventually(lambda: house.bus._bus and house.bus._bus._known)
        await hall.meeting.revoke("t7")
        await eventually(lambda: BROKER in house.table.lost)
        await eventually(lambda: "refuses this user" in house.table.lost[BROKER].show())
        await house.moves(3)  # nobody at the table is held up
        await adopt(hall, house, "shed", "t8")
        await eventually(lambda: BROKER not in house.table.lost)


async def test_two_tables_with_one_name_are_both_found_and_a_name_is_given_once(
    tmp_path: Path, postgres: Postgres
) -> None:
    for one in ("a", "b"):
        (tmp_path / one).mkdir()
        begin(tmp_path / one)
    async with (
        open_hall(tmp_path, postgres) as hall,
        open_table(tmp_path / "a", WAITS.format(name="pi")) as first,
        open_table(tmp_path / "b", WAITS.format(name="pi")),
    ):
        await eventually(lambda: len(hall.meeting.found) == 2)
        await adopt(hall, first, await _called(hall, first), "t1")
        other = next(iter(hall.meeting.found))
        with pytest.raises(BadState, match="there is a table t1 already"):
            await hall.meeting.adopt(other, "AAAAA-AAAAA", "t1")


async def _called(hall: Hall, house: Table) -> str:
    """Which of the two shows a code when it is asked: the name is the same on both glasses."""
    for name, one in [*hall.meeting.found.items()]:
        await hall.meeting.ask(name)
        await asyncio.sleep(0.1)
        if code_on(house):
            return one.name
    raise AssertionError("neither shows a code")


def waiting(clock: Clock) -> tuple[Announced, list[str]]:
    """A table that waits, without mDNS, and what its glass was told."""
    glass: list[str] = []

    def never(*_: Any) -> Any:
        raise AssertionError("nobody has adopted it")

    table = Announced("t1", "127.0.0.1", Path("/nowhere"), never, clock=clock)
    return table, glass


async def test_a_code_counts_for_a_while_and_for_a_few_tries() -> None:
    clock = Clock()
    clock.now = 100.0
    table, glass = waiting(clock)

    def emit(event: Any) -> None:
        assert isinstance(event, Message)
        glass.append(event.line)

    assert await table._answer({"letter": {}}, emit) == {
        "wrong": "no code stands on the glass: have it shown again"
    }
    assert await table._answer({"show": True}, emit) == {"shown": True}
    await table._answer({"show": True}, emit)
    assert len(glass) == 1  # no flood of it on the glass
    clock.now += 200
    await table._answer({"show": True}, emit)
    assert glass[0] == glass[1]  # whoever asks again does not take the code from him who types it
    letter, _ = written("AAAAA-AAAAA", {})
    for _ in range(TRIES):
        assert await table._answer(letter, emit) == {"wrong": "this is not the code on the glass"}
    assert "no code stands" in (await table._answer(letter, emit))["wrong"]
    clock.now += 10
    await table._answer({"show": True}, emit)
    assert glass[2] != glass[1]
    clock.now += 400
    assert "no code stands" in (await table._answer(letter, emit))["wrong"]
    assert await table._answer(["show"], emit) == {"shown": True}


async def test_a_table_that_went_or_answers_nonsense_is_a_sentence(
    tmp_path: Path, postgres: Postgres
) -> None:
    async def nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(json.dumps(["?"]).encode() + b"\n")
        writer.close()

    mqtt = MqttSettings(broker="127.0.0.1")
    meeting = Meeting(mqtt, Access(tmp_path, "", mqtt, Database(postgres.address)), "127.0.0.1")
    async with await asyncio.start_server(nonsense, "127.0.0.1") as server:
        port = server.sockets[0].getsockname()[1]
        meeting.found["it"] = Found("it", "127.0.0.1", port)
        with pytest.raises(BadState, match="nonsense"):
            await meeting.ask("it")
    with pytest.raises(DeviceLost, match="does not answer"):
        await meeting.ask("it")
    meeting.found["far"] = Found("far", "192.0.2.1", port)
    with pytest.raises(BadState, match="no other machine finds this broker"):
        await meeting.adopt("far", "AAAAA-AAAAA", "t1")
    with pytest.raises(BadState, match="waits no more"):
        await meeting.ask("gone")
    await meeting.access.database.close()
