"""Hears every table of a broker and keeps what they tell; what is kept is acknowledged.

Several keepers share the work (a shared subscription). What a keeper had not kept when it died,
the broker gives to another, or to the same one when it is back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import aiomqtt
import psycopg

from companion.errors import BadState
from companion.mqtt.bus import sentence
from companion.settings.settings import MqttSettings
from companion.venue.judge import Judge
from companion.venue.letters import Told, read
from companion.venue.store import keep, opened, refuse

log = logging.getLogger(__name__)
BATCH = 1000  # messages in one transaction, at most
AGAIN = 2.0  # seconds until the broker or the database is tried again


class Keeper:
    """One instance, by its name: the broker remembers it while it is away."""

    def __init__(
        self, client: Callable[[], aiomqtt.Client], database: str, mqtt: MqttSettings, judge: Judge
    ) -> None:
        self._client, self._database, self._mqtt, self._judge = client, database, mqtt, judge
        self._topic = f"$share/venue/{mqtt.prefix}/+/entry"
        self.ready = asyncio.Event()

    async def run(self) -> None:
        """For ever: a broker or a database that is away is tried again, and nothing is lost."""
        while True:
            try:
                await self._visit()
            except (aiomqtt.MqttError, psycopg.Error, OSError, UnicodeDecodeError) as error:
                log.warning("the venue waits: %s", _why(error, self._mqtt))
            await asyncio.sleep(AGAIN)

    async def _visit(self) -> None:
        db = await opened(self._database)
        try:
            client = self._client()
            client._client.manual_ack_set(True)  # aiomqtt has no word of its own for it
            async with client:
                await client.subscribe(self._topic, qos=1)
                self.ready.set()
                async for message in client.messages:
                    batch = [message]
                    while len(client.messages) and len(batch) < BATCH:
                        batch.append(await anext(client.messages))
                    await self._take(db, batch)
                    for one in batch:
                        client._client.ack(one.mid, one.qos)
        finally:
            await db.close()

    async def _take(self, db: Any, batch: list[aiomqtt.Message]) -> None:
        sound: list[Told] = []
        async with db.transaction():
            for message in batch:
                topic, payload = str(message.topic), bytes(message.payload or b"")
                try:
                    sound.append(read(topic, payload))
                except BadState as error:
                    line = payload.decode(errors="replace")
                    await refuse(db, topic.split("/")[-2], str(error), line)
            ended = await keep(db, sound)
        await db.commit()
        if ended:
            self._judge.work.set()


def _why(error: Exception, mqtt: MqttSettings) -> str:
    """What keeps us from keeping, for the organiser."""
    match error:
        case psycopg.errors.DiskFull():
            return "the database's disk is full: make room. The broker keeps what comes meanwhile"
        case psycopg.Error():
            return f"the database: {str(error).splitlines()[0]}"
    return sentence(error, mqtt) or str(error)
