"""The tournaments' part of the API, and the crier that brings pairings to the glasses."""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Path
from pydantic import Field

from companion.errors import BadState
from companion.venue.database import Away
from companion.venue.hall import Hall
from companion.venue.names import Players, Tables, Title
from companion.venue.rounds import DRAWN, LOST, WON
from companion.venue.store import Connection
from companion.venue.tournament import Tournament, decide, draw_round, lines, load, names_of
from companion.web.asks import Body, said
from companion.words import Translate

log = logging.getLogger(__name__)

Number = Annotated[int, Path(ge=1, lt=1 << 31)]
POINTS = {"won": WON, "drawn": DRAWN, "lost": LOST}
LOOK = 5.0  # seconds between two looks at what should stand on the glasses


class New(Body):
    """A tournament; its players are drawn into an order by lot."""

    name: Title
    kind: Literal["swiss", "knockout"]
    players: Players
    tables: Tables


class Drawing(Body):
    """Which round, from 1: asked for twice it is drawn once."""

    round: Annotated[int, Field(ge=1, le=1000)]


class Deciding(Body):
    """What the first of a pairing did, as the organiser says; null opens it again."""

    round: Annotated[int, Field(ge=1, le=1000)]
    place: Annotated[int, Field(ge=0, le=1000)]
    result: Literal["won", "drawn", "lost"] | None


def routes(hall: Hall) -> APIRouter:
    """Everybody may look; an organiser draws and decides."""
    router = APIRouter(tags=["tournaments"])
    arranged = said(403, 404, 503)

    @router.get("/api/tournaments", responses=said(503))
    async def tournaments() -> list[dict[str, Any]]:
        """Every tournament, the newest first."""
        async with hall.database.asked() as db:
            return await names_of(db)

    @router.get("/api/tournaments/{number}", responses=said(404, 503))
    async def one(number: Number) -> dict[str, Any]:
        """Its rounds and how everybody stands."""
        async with hall.database.asked() as db:
            return {"id": number, **(await known(db, number)).to_json()}

    @router.post("/api/tournaments", dependencies=[hall.only], responses=arranged)
    async def make(body: New) -> dict[str, int]:
        """A new one; its first round is drawn when the organiser says so."""
        players = [*body.players]
        secrets.SystemRandom().shuffle(players)
        async with hall.database.asked() as db:
            made = await db.execute(
                "INSERT INTO tournaments (name, kind, players, tables) VALUES (%s, %s, %s, %s) "
                "RETURNING id", (body.name, body.kind, players, body.tables),
            )  # fmt: skip
            row = await made.fetchone()
        return {"id": row[0] if row else 0}

    @router.post("/api/tournaments/{number}/draw", dependencies=[hall.only], responses=arranged)
    async def drawn(number: Number, body: Drawing) -> dict[str, Any]:
        """The next round, when all of this one is decided."""
        async with hall.database.asked() as db:
            await draw_round(db, number, body.round)
        hall.drawn.set()
        return await one(number)

    @router.post("/api/tournaments/{number}/result", dependencies=[hall.only], responses=arranged)
    async def result(number: Number, body: Deciding) -> dict[str, Any]:
        """A result by the organiser's hand."""
        async with hall.database.asked() as db:
            await decide(db, number, body.round, body.place, POINTS.get(body.result or ""))
        hall.drawn.set()
        return await one(number)

    @router.delete("/api/tournaments/{number}", dependencies=[hall.only], responses=arranged)
    async def forget(number: Number) -> dict[str, int]:
        """Forget a tournament; its games stay."""
        async with hall.database.asked() as db:
            found = await known(db, number)
            await db.execute("DELETE FROM tournaments WHERE id = %s", (number,))
        for table in found.tables:
            with suppress(Away):
                await hall.wall.tell(table, "")
        return {"id": number}

    return router


async def known(db: Connection, number: int) -> Tournament:
    """The tournament with this number, or 404."""
    try:
        return await load(db, number)
    except BadState as error:
        raise HTTPException(404, str(error)) from error


async def cry(hall: Hall, translate: Translate) -> None:
    """For ever: what should stand on a table's display is said where it does not stand yet.

    The broker keeps the line for a table that is off, and every instance hears what it keeps: so
    any of them may say it, and none says it twice.
    """
    while True:
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK):
                await hall.drawn.wait()
        hall.drawn.clear()
        try:
            async with hall.database.asked() as db:
                wanted = await lines(db)
            for table, told in wanted.items():
                line = told.show((), translate) if told else ""
                if hall.wall.listens and hall.wall.line(table) != line:
                    await hall.wall.tell(table, line)
        except Away as error:
            log.debug("%s", error)  # the keeper and the wall say so
