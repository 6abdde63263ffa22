"""Asks a table for what is missing: a broker that was killed may have lost what it had taken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import aiomqtt
import psycopg

from companion.settings.settings import MqttSettings
from companion.venue.store import opened

LOOK = 5.0  # seconds between two looks
MOST = 200  # games at once

# Entries wait behind a gap; or the table plays another game and has not told how this one ended
# (one that was set aside does not: it is asked for ever more rarely).
GAPS = """SELECT table_id, game, proven FROM games AS one WHERE
EXISTS (SELECT 1 FROM waiting WHERE table_id = one.table_id AND game = one.game)
OR (finish IS NULL AND EXISTS
  (SELECT 1 FROM games WHERE table_id = one.table_id AND game > one.game)) LIMIT %s"""

RUNNING = """SELECT DISTINCT ON (table_id) table_id, game FROM games WHERE finish IS NULL
ORDER BY table_id, game DESC"""


async def ask_again(
    client: Callable[[], aiomqtt.Client], database: str, mqtt: MqttSettings, look: float = LOOK
) -> None:
    """For ever: a gap that stays is asked for after 2, 4, 8, … looks.

    At a broker that is back, the game that each table plays, too: a table that was there before us
    has told it to nobody.
    """
    turns: dict[tuple[str, int, int], int] = {}
    while True:
        with suppress(aiomqtt.MqttError, psycopg.Error, OSError, UnicodeDecodeError):
            db = await opened(database)  # the keeper says what is wrong
            try:
                async with client() as broker:
                    await asyncio.sleep(look)
                    for table, game in await (await db.execute(RUNNING)).fetchall():
                        await broker.publish(f"{mqtt.prefix}/{table}/again", str(game), qos=1)
                    while True:
                        await asyncio.sleep(look)
                        rows = await (await db.execute(GAPS, (MOST,))).fetchall()
                        await db.commit()
                        turns = {gap: turns.get(gap, 0) + 1 for gap in rows}
                        for (table, game, _), seen in turns.items():
                            if seen > 1 and seen & (seen - 1) == 0:
                                topic = f"{mqtt.prefix}/{table}/again"
                                await broker.publish(topic, str(game), qos=1)
            finally:
                await db.close()
        await asyncio.sleep(look)
