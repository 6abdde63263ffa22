"""The broker's access list of docs/venue.md: a table cannot speak for another."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from pathlib import Path

import aiomqtt
import pytest

from tests.mqtt.broker import Broker
from tests.patience import within

PAGE = Path(__file__).parents[2] / "docs/venue.md"


@pytest.mark.slow
async def test_with_the_list_of_the_page_a_table_is_heard_on_its_own_topics_only(
    tmp_path: Path,
) -> None:
    found = re.search(r"```\n(user table1\n.*?)```", PAGE.read_text(), re.DOTALL)
    assert found
    broker = Broker(tmp_path / "broker", user="venue", password="a", access=found[1]).start()
    try:
        broker.admit("table1", "b")
        broker.kill()
        broker.start()
        where = "127.0.0.1", broker.port
        async with aiomqtt.Client(*where, username="venue", password="a") as venue:
            await venue.subscribe("$share/venue/companion/+/entry", qos=1)
            for name in ("table2", "table1"):
                with suppress(aiomqtt.MqttError):  # Mosquitto drops whoever tries
                    async with aiomqtt.Client(*where, username="table1", password="b") as table:
                        await table.publish(f"companion/{name}/entry", name, qos=1)
            async with asyncio.timeout(within(20)):
                first = await anext(venue.messages)
            assert (str(first.topic), first.payload) == ("companion/table1/entry", b"table1")
    finally:
        broker.kill()
