"""Leagues: whoever plays a game at these tables between two days stands in the table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import fields
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path
from pydantic import Field

from companion.games.api import Game
from companion.memory.evenings import players
from companion.memory.journal import Record
from companion.venue.hall import Hall
from companion.venue.names import Tables, Title
from companion.venue.past import COLUMNS, record_of
from companion.web.asks import Body, said
from companion.words import Text

Number = Annotated[int, Path(ge=1, lt=1 << 31)]
MOST = 50_000  # games that are counted, the newest of them

ALL = "SELECT id, name, key, first::text, last::text, tables FROM leagues"
GAMES = f"""SELECT {COLUMNS} FROM kept WHERE verdict = 'holds' AND (%(key)s = '' OR key = %(key)s)
AND (%(tables)s::text[] = '{{}}' OR table_id = ANY(%(tables)s::text[]))
AND to_timestamp(ended) >= %(first)s::date AND to_timestamp(ended) < %(last)s::date + 1
ORDER BY ended DESC LIMIT {MOST}"""


class League(Body):
    """What counts; no tables means all of them."""

    name: Title
    key: Annotated[str, Field(min_length=1, max_length=40)]
    first: Annotated[date, Field(strict=False)]
    last: Annotated[date, Field(strict=False)]
    tables: Tables


def standings(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Everybody with a name, the best first; where all win together, by what they dared to play.

    The rating is that of a table's own history (companion/memory/evenings.py).
    """
    games = [*records]
    levels: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for record in games:
        if record.result and (level := record.options.get("difficulty")):
            for at, seat in enumerate(record.seats):
                levels[seat["name"]][str(level)] += at in record.result["winners"]
    found = [
        {
            "name": one.name, "games": one.games, "wins": sum(one.wins.values()),
            "rating": round(one.rating) if one.rated else None,
            "levels": {level: n for level, n in sorted(levels[one.name].items()) if n},
        }
        for one in players(games)
    ]  # fmt: skip
    rated = any(one["rating"] is not None for one in found)
    return found if rated else sorted(found, key=lambda one: (-one["wins"], one["games"]))


def difficulties(game: Game[Any]) -> list[tuple[str, Text]]:
    """How hard a game can be, and how the lobby calls that."""
    told = [one.metadata for one in fields(game.options) if one.name == "difficulty"]
    return [*zip(told[0]["values"], told[0]["names"], strict=False)] if told else []


def routes(hall: Hall) -> APIRouter:
    """Everybody may look; an organiser makes leagues and ends them."""
    router = APIRouter(tags=["leagues"])

    @router.get("/api/leagues", responses=said(503))
    async def leagues() -> list[dict[str, Any]]:
        """Every league, the newest first."""
        async with hall.database.asked() as db:
            rows = await (await db.execute(f"{ALL} ORDER BY id DESC".encode())).fetchall()
        return [_league(row) for row in rows]

    @router.get("/api/players", responses=said(503))
    async def people() -> dict[str, Any]:
        """Everybody who has ever played here, as if it were one league."""
        return {"standings": await counted({"key": "", "tables": [], "first": "-infinity",
                                            "last": "9999-12-30"})}  # fmt: skip

    @router.get("/api/leagues/{number}", responses=said(404, 503))
    async def league(number: Number) -> dict[str, Any]:
        """One league with its table."""
        async with hall.database.asked() as db:
            row = await (await db.execute(f"{ALL} WHERE id = %s".encode(), (number,))).fetchone()
        if row is None:
            raise HTTPException(404, "there is no such league")
        found = _league(row)
        return found | {"standings": await counted(found)}

    @router.post("/api/leagues", dependencies=[hall.only], responses=said(403, 503))
    async def make(body: League) -> dict[str, int]:
        """A new league; what was played before counts, too."""
        if body.key not in hall.shelf:
            raise HTTPException(422, "there is no such game on the shelf")
        if body.last < body.first:
            raise HTTPException(422, "it ends before it begins")
        async with hall.database.asked() as db:
            made = await db.execute(
                "INSERT INTO leagues (name, key, first, last, tables) VALUES (%s, %s, %s, %s, %s) "
                "RETURNING id", (body.name, body.key, body.first, body.last, body.tables),
            )  # fmt: skip
            row = await made.fetchone()
        return {"id": row[0] if row else 0}

    @router.delete("/api/leagues/{number}", dependencies=[hall.only], responses=said(403, 503))
    async def end(number: Number) -> dict[str, int]:
        """Forget a league; its games stay."""
        async with hall.database.asked() as db:
            await db.execute("DELETE FROM leagues WHERE id = %s", (number,))
        return {"id": number}

    async def counted(what: dict[str, Any]) -> list[dict[str, Any]]:
        async with hall.database.asked() as db:
            rows = await (await db.execute(GAMES.encode(), what)).fetchall()
        found = standings(record_of(row) for row in rows)
        named = {value: hall.say(said) for game in hall.shelf.values()
                 for value, said in difficulties(game)}  # fmt: skip
        for one in found:
            one["levels"] = {named.get(level, level): n for level, n in one["levels"].items()}
        return found

    def _league(row: Any) -> dict[str, Any]:
        number, name, key, first, last, tables = row
        game = hall.shelf.get(key)
        return {"id": number, "name": name, "key": key, "first": first, "last": last,
                "tables": tables, "game": hall.say(game.name) if game else key}  # fmt: skip

    return router
