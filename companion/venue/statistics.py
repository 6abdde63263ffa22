"""Figures over all that was played: how long, who wins from where, and whether dice are fair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import median
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request

from companion.bots.api import LEVEL_NAMES, LEVELS
from companion.memory.codec import json_line
from companion.memory.fairness import as_document, weigh
from companion.memory.journal import Record
from companion.venue.hall import Hall
from companion.venue.past import COLUMNS, WAITING, record_of, rolls_of
from companion.web.asks import said
from companion.web.history import Pieces
from companion.web.lane import Lane
from companion.web.origin import owner_of
from companion.words import unwritable

MOST = 20_000  # games that are counted, the newest of them
GAMES = f"""SELECT {COLUMNS} FROM kept WHERE verdict <> 'broken' AND result IS NOT NULL
ORDER BY ended DESC LIMIT {MOST}"""
TABLES = "SELECT DISTINCT table_id FROM kept WHERE rolls <> '[]' ORDER BY 1"
ROLLS = f"""SELECT rolls FROM (SELECT rolls, ended FROM kept WHERE table_id = %s AND rolls <> '[]'
AND verdict <> 'broken' ORDER BY ended DESC LIMIT {MOST}) AS newest ORDER BY ended"""


def figures(records: Iterable[Record]) -> dict[str, dict[str, Any]]:
    """By game: how many, how many minutes in the middle, wins by seat, games and wins by player."""
    by_game: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        if not record.options.get("taught"):
            by_game[record.key].append(record)
    return {key: _figures(games) for key, games in by_game.items()}


def _figures(games: list[Record]) -> dict[str, Any]:
    seats: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    levels: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for record in games:
        winners = (record.result or {}).get("winners", [])
        for at, seat in enumerate(record.seats):
            for counted in (seats[at], levels[str(seat.get("level") or "")]):
                counted[0] += 1
                counted[1] += at in winners
    lengths = [max(0.0, (one.ended or one.began) - one.began) / 60 for one in games]
    return {
        "games": len(games), "minutes": round(median(lengths), 1),
        "longest": round(max(lengths), 1),
        "seats": [seats[at] for at in sorted(seats)],
        "levels": {one: levels[one] for one in ("", *LEVELS) if one in levels},
    }  # fmt: skip


def routes(hall: Hall) -> APIRouter:
    """Everybody may look."""
    router, lane = APIRouter(tags=["statistics"]), Lane(*WAITING)

    @router.get("/api/statistics", responses=said(503))
    async def statistics() -> dict[str, Any]:
        """Figures by game, and the tables whose dice were seen."""
        async with hall.database.asked() as db:
            rows = await (await db.execute(GAMES.encode())).fetchall()
            tables = [row[0] for row in await (await db.execute(TABLES)).fetchall()]
        found = figures(map(record_of, rows))
        named = {key: hall.say(game.name) for key, game in hall.shelf.items()}
        return {"games": [{"key": key, "name": named.get(key, key), **one}
                          for key, one in found.items()], "tables": tables,
                "levels": {key: hall.say(told) for key, told in LEVEL_NAMES.items()}}  # fmt: skip

    @router.get("/api/statistics/dice", response_class=Pieces, responses=said(429, 503))
    async def dice(request: Request, table: Annotated[str, Query(max_length=40)]) -> Pieces:
        """Are the dice of this table fair? As its own history says it (docs/seals.md)."""
        if unwritable(table) or "\0" in table:
            raise HTTPException(404, "there is no such table")
        async with hall.database.asked() as db:
            rows = await (await db.execute(ROLLS.encode(), (table,))).fetchall()

        def work() -> bytes:
            found = weigh(roll for (kept,) in rows for roll in rolls_of(kept))
            return json_line([as_document(one, hall.say) for one in found]).encode()

        with lane.place(owner_of(request.scope, None)[1]):
            return Pieces(await lane.work(work))

    return router
