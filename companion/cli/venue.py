"""`companion venue`: keep the games of every table of a broker, and show them on pages."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from companion.errors import BadConfig
from companion.games import GAMES
from companion.language import languages, speaker
from companion.settings.installed import settings_file, settings_of

app = typer.Typer(add_completion=False)


@app.callback()
def _one() -> None:
    """`companion venue` stands alone; with a callback typer keeps its name."""


@app.command()
def venue(
    database: Annotated[str, typer.Option(help="PostgreSQL: host=… dbname=… user=…, or a URL.")],
    settings: Annotated[Path | None, typer.Option("--settings", "-s")] = None,
    port: Annotated[int | None, typer.Option(help="Of the pages, instead of [web] port.")] = None,
    access: Annotated[
        Path | None,
        typer.Option(help="Folder of the broker's passwords and access list: to adopt tables."),
    ] = None,
    reload: Annotated[str, typer.Option(help="Command that makes the broker read them anew.")] = "",
) -> None:
    """Hear every table of the broker in [mqtt]; keep each entry once, judge each ended game.

    Several may run at once, each with a name of its own ([mqtt] table). The pages stand where
    [web] says.
    """
    if find_spec("psycopg") is None or find_spec("aiomqtt") is None:
        raise BadConfig("the venue is not installed: pip install 'table-companion[venue]'")
    from companion.mqtt.bus import client_of, table_id
    from companion.venue.access import Access
    from companion.venue.database import Away, Database
    from companion.venue.gaps import ask_again
    from companion.venue.hall import Hall
    from companion.venue.judge import Judge, Judged
    from companion.venue.keeper import Keeper
    from companion.venue.meeting import Meeting
    from companion.venue.organiser import Organisers
    from companion.venue.pages import Pages
    from companion.venue.store import Connection
    from companion.venue.tournament import judged
    from companion.venue.wall import Wall

    chosen = settings_of(settings_file(settings))
    mqtt = chosen.mqtt
    web = chosen.web if port is None else replace(chosen.web, port=port)
    if not mqtt.broker:
        raise BadConfig("the settings name no broker: set broker in [mqtt]")
    logging.basicConfig(format="%(message)s")
    name = f"venue-{table_id(mqtt)}"

    async def run() -> None:
        async def ended(db: Connection, game: Judged) -> None:
            await judged(db, game)
            hall.drawn.set()

        judge = Judge(database, ended)
        keeper = Keeper(lambda: client_of(mqtt, name, clean_session=False), database, mqtt, judge)
        asked = Database(database)
        meeting = None
        if access is not None:
            meeting = Meeting(mqtt, Access(access, reload, mqtt, asked), web.host)
        hall = Hall(
            GAMES, Wall(mqtt.prefix), asked, Organisers(asked, _show_code), web, meeting,
            chosen.table.language, {one: speaker(one) for one in languages()},
        )  # fmt: skip

        async def opened(where: str) -> None:
            print(f"The wall stands at {where}", flush=True)
            with suppress(Away):
                await hall.organisers.show()

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(keeper.run())
            tasks.create_task(judge.run())
            tasks.create_task(ask_again(lambda: client_of(mqtt, f"{name}-asks"), database, mqtt))
            if meeting is not None:
                tasks.create_task(meeting.run())
            await keeper.ready.wait()
            print(f"{name} listens to {mqtt.broker} and keeps what it hears.", flush=True)
            if web.on:
                tasks.create_task(hall.wall.listen(lambda: client_of(mqtt, f"{name}-wall")))
                tasks.create_task(Pages(hall, opened).run())

    asyncio.run(run())


def _show_code(code: str) -> None:
    print(f"An organiser signs in with {code}; it counts for five minutes, once.", flush=True)
