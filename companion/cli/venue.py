"""`companion venue`: keep the games of every table of a broker in PostgreSQL, each played again."""

from __future__ import annotations

import asyncio
import logging
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from companion.errors import BadConfig
from companion.settings.installed import settings_file, settings_of

app = typer.Typer(add_completion=False)


@app.callback()
def _one() -> None:
    """`companion venue` stands alone; with a callback typer keeps its name."""


@app.command()
def venue(
    database: Annotated[str, typer.Option(help="PostgreSQL: host=… dbname=… user=…, or a URL.")],
    settings: Annotated[Path | None, typer.Option("--settings", "-s")] = None,
) -> None:
    """Hear every table of the broker in [mqtt]; keep each entry once, judge each ended game.

    Several may run at once, each with a name of its own ([mqtt] table).
    """
    if find_spec("psycopg") is None or find_spec("aiomqtt") is None:
        raise BadConfig("the venue is not installed: pip install 'table-companion[venue]'")
    from companion.mqtt.bus import client_of, table_id
    from companion.venue.judge import Judge
    from companion.venue.keeper import Keeper

    mqtt = settings_of(settings_file(settings)).mqtt
    if not mqtt.broker:
        raise BadConfig("the settings name no broker: set broker in [mqtt]")
    logging.basicConfig(format="%(message)s")
    name = f"venue-{table_id(mqtt)}"
    judge = Judge(database)
    keeper = Keeper(
        lambda: client_of(mqtt, name, clean_session=False), database, mqtt.prefix, judge
    )

    async def run() -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(keeper.run())
            tasks.create_task(judge.run())
            await keeper.ready.wait()
            print(f"{name} listens to {mqtt.broker} and keeps what it hears.", flush=True)

    asyncio.run(run())
