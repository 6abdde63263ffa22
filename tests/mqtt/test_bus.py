"""A real Mosquitto hears a real table: what it is told, and what happens when it is gone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.daemon.app import checkup
from companion.events import Message
from companion.games.sao import SAO
from companion.mqtt.telling import counters
from companion.settings.settings import MqttSettings
from companion.table.troubles import BROKER
from companion.words import Text
from tests.mqtt.broker import Broker, Ear, listening
from tests.mqtt.discovery_schema import check, entities
from tests.mqtt.tables import Table, begin, eventually, journaled, open_table, received
from tests.patience import within
from tests.table.evening import Evening

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # paho's sockets
]
STANDING = {"game", "turn", "phase", "event", "wake", "notify"}


async def caught_up(ear: Ear, folder: Path) -> None:
    """Until the broker has every entry of the journal."""
    await ear.until(lambda: received(ear.of("/entry")).keys() == journaled(folder).keys())


async def lost(house: Table) -> str:
    """The sentence about the broker, once there is one."""
    await eventually(lambda: BROKER in house.table.lost)
    return house.table.lost[BROKER].show()


def _said_of(ear: Ear, which: int) -> list[Any]:
    return [one for said in ear.of("/config")[which:][:1] for one in said["components"].values()]


async def test_home_assistant_finds_the_table_and_its_counters_come_and_go(
    tmp_path: Path, broker: Broker
) -> None:
    begin(tmp_path)
    async with listening(broker) as ear, open_table(tmp_path, broker.settings()) as house:
        await ear.until(lambda: ear.last("/config") is not None)
        first = entities(ear.last("/config"))
        assert first.keys() == STANDING | {"counter_wounds0", "counter_wounds1"}
        assert first["counter_wounds0"] == "Wounds of Blue"
        await house.finish()
        await ear.until(lambda: ear.last("/config")["components"].keys() == STANDING)
        told = [(topic, said) for topic, said in ear.heard if topic.endswith("/config")]
        for message in ear.of("/config"):
            check(told[0][0], message)
        retired = ear.of("/config")[-2]["components"]
        assert retired["counter_wounds0"] == {"platform": "sensor"}


async def test_the_names_are_said_in_the_language_of_the_table(
    tmp_path: Path, broker: Broker
) -> None:
    begin(tmp_path)
    async with listening(broker) as ear, open_table(tmp_path, broker.settings(), language="ja"):
        await ear.until(lambda: ear.last("/config") is not None and ear.last("/state") is not None)
        assert entities(ear.last("/config"))["game"] == "ゲーム"
        assert ear.last("/state")["game"] == "斬り合い"


async def test_what_an_older_start_left_in_the_broker_is_retired(
    tmp_path: Path, broker: Broker
) -> None:
    begin(tmp_path)
    async with listening(broker) as ear:
        async with open_table(tmp_path, broker.settings()):
            await ear.until(lambda: ear.last("/config") is not None)
        broker_was_away = broker.settings(broker="127.0.0.1", port=1)
        async with open_table(tmp_path, broker_was_away) as house:
            await house.finish()
        async with open_table(tmp_path, broker.settings()):
            await ear.until(lambda: {"platform": "sensor"} in _said_of(ear, -2))
            assert ear.last("/config")["components"].keys() == STANDING


async def test_the_state_is_retained_and_what_happens_comes_as_events(
    tmp_path: Path, broker: Broker
) -> None:
    begin(tmp_path, SAO)
    async with open_table(tmp_path, broker.settings(), SAO) as house, listening(broker) as ear:
        await ear.until(lambda: ear.last("/state") is not None)
        while "hp0" not in counters(house.table.play.line, Text.show):
            await house.moves(1)
        await ear.until(lambda: "hp0" in ear.last("/state")["counters"])
        await house.finish()
        await ear.until(lambda: any(one["event_type"] == "ended" for one in ear.of("/event")))
        kinds = {one["event_type"] for one in ear.of("/event")}
        assert kinds == {"roll", "move", "ended"}
        rolls = [one for one in ear.of("/event") if one["event_type"] == "roll"]
        assert all(one["rule"] and one["says"] for one in rolls)
        hp = [one["counters"]["hp0"] for one in ear.of("/state") if one["counters"]]
        assert {one["max"] for one in hp} == {8}
        assert any(one["beats"] for one in ear.of("/state"))
        await ear.until(lambda: ear.last("/state")["over"])
        assert ear.last("/state")["result"]
        late = Ear("late")
        async with listening(broker, late):
            await late.until(lambda: late.last("/state") == ear.last("/state"))


async def test_a_line_from_elsewhere_stands_on_the_tables_display_until_somebody_presses(
    tmp_path: Path, broker: Broker
) -> None:
    begin(tmp_path)
    async with listening(broker) as ear, open_table(tmp_path, broker.settings()) as house:
        await ear.until(lambda: ear.last("/state") is not None)
        await ear.say("companion/t1/notify", "Dinner\n is\x07 ready " + "x" * 200)
        await house.daemon.hears(Message)
        assert house.table.view("table").notice.show().startswith("Dinner is ready xxx")
        assert len(house.table.view("table").notice.show()) == 80
        assert "Dinner is ready" in " ".join(house.glass("table"))
        await house.press(0, "next")
        assert house.table.view("table").notice.show() == ""


async def test_the_button_wakes_a_glass_that_has_dimmed(tmp_path: Path, broker: Broker) -> None:
    begin(tmp_path)
    async with listening(broker) as ear, open_table(tmp_path, broker.settings()) as house:
        await ear.until(lambda: ear.last("/state") is not None)
        put = house.daemon._latest["table"].turns
        await ear.say("companion/t1/wake", "PRESS")
        await eventually(lambda: house.daemon._latest["table"].turns != put)


async def test_a_table_says_when_it_goes_and_its_last_will_when_it_cannot(
    tmp_path: Path, broker: Broker
) -> None:
    begin(tmp_path)
    async with listening(broker) as ear:
        async with open_table(tmp_path, broker.settings()):
            await ear.until(lambda: ear.raw("/availability") == [b"online"])
        await ear.until(lambda: ear.raw("/availability") == [b"online", b"offline"])
        with Evening(state=tmp_path, more=broker.settings()) as evening:
            await ear.until(lambda: ear.raw("/availability")[-1] == b"online")
            evening.kill()
            await ear.until(lambda: ear.raw("/availability")[-1] == b"offline")


async def test_a_broker_that_dies_in_mid_game_gets_everything_when_it_is_back(
    tmp_path: Path, broker: Broker
) -> None:
    begin(tmp_path)
    ear = Ear()
    async with listening(broker, ear):
        pass  # from here on the broker keeps everything for it
    async with open_table(tmp_path, broker.settings()) as house:
        async with listening(broker, ear):
            await house.moves(4)
            await caught_up(ear, tmp_path)
        broker.kill()
        assert "has gone" in await lost(house)
        assert house.table.view("table").notice.show() == ""  # no player's business
        await house.moves(6)  # play goes on
        broker.start()
        async with listening(broker, ear):
            await house.finish()
            await ear.until(lambda: any(one["number"] == "end" for one in ear.of("/entry")))
            assert received(ear.of("/entry")) == journaled(tmp_path)
        assert BROKER not in house.table.lost


async def test_a_table_killed_between_commit_and_publish_sends_it_after_the_next_start(
    tmp_path: Path, broker: Broker
) -> None:
    begin(tmp_path)
    ear = Ear()
    async with listening(broker, ear):
        with Evening(state=tmp_path, more=broker.settings()) as evening:
            evening.all_shown()
            await caught_up(ear, tmp_path)
            before = len(journaled(tmp_path))
            broker.freeze()
            for _ in range(2):  # Blue lays a card: the journal has it when the glass shows it
                evening.press(0, "select")
                evening.watch(within(5), until=lambda one: one.entry > before)
            assert len(journaled(tmp_path)) > before
            evening.kill()
            broker.thaw()
            assert len(received(ear.of("/entry"))) == before
            evening.start()
            await caught_up(ear, tmp_path)
        numbers = {(one["game"], one["number"]) for one in ear.of("/entry")}
        assert len(numbers) == len(set(ear.raw("/entry")))  # what came twice is the same twice


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"user": "kirito", "password_file": "{folder}/wrong"}, "refuses this user and password"),
        ({}, "refuses this user and password"),
        ({"user": "kirito", "password_file": "{folder}/none"}, "none cannot be read: No such file"),
    ],
)
async def test_wrong_credentials_are_a_sentence_and_play_goes_on(
    tmp_path: Path, more: dict[str, str], says: str
) -> None:
    begin(tmp_path)
    (tmp_path / "wrong").write_text("yui")
    broker = Broker(tmp_path / "broker", user="kirito", password="asuna").start()
    given = {key: value.format(folder=tmp_path) for key, value in more.items()}
    try:
        async with open_table(tmp_path, broker.settings(**given)) as house:
            assert says in await lost(house)
            told = {one.key: one for one in checkup(house.table, house.settings)}["broker"]
            assert (told.verdict, says in told.says.show()) == ("wrong", True)
            await house.finish()
    finally:
        broker.kill()


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A self-signed one for this name."""
    made, key = folder / f"{name}.crt", folder / f"{name}.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext",
         f"subjectAltName={'IP' if name[0].isdigit() else 'DNS'}:{name}",
         "-keyout", str(key), "-out", str(made)],
        check=True, capture_output=True,
    )  # fmt: skip
    return made, key


async def test_a_certificate_of_somebody_else_is_a_sentence_and_the_right_one_is_taken(
    tmp_path: Path,
) -> None:
    begin(tmp_path)
    right, other = certificate(tmp_path, "127.0.0.1"), certificate(tmp_path, "evil.example")
    broker = Broker(tmp_path / "broker", certificate=right).start()
    try:
        stranger = broker.settings(tls=True, ca=str(other[0]))
        async with open_table(tmp_path, stranger) as house:
            assert "shows a certificate that does not fit" in await lost(house)
            await house.moves(3)
        async with open_table(tmp_path, broker.settings()) as house:  # no TLS at all
            await lost(house)
        async with open_table(tmp_path, broker.settings(tls=True, ca=str(right[0]))) as house:
            await eventually(lambda: house.bus._known)
            assert BROKER not in house.table.lost
    finally:
        broker.kill()
    broker = Broker(tmp_path / "wrong name", certificate=other).start()
    try:
        async with open_table(tmp_path, broker.settings(tls=True, ca=str(other[0]))) as house:
            assert "does not fit" in await lost(house)
    finally:
        broker.kill()


def test_without_a_broker_nothing_of_it_is_loaded() -> None:
    asked = "import sys, companion.daemon.app; print([m for m in sys.modules if 'mqtt' in m])"
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True)
    assert said.stdout == b"[]\n"
    assert MqttSettings().broker == ""
