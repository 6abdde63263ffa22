"""Games that were kept: listed, replayed through anybody's eyes, checked again on wish."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Annotated, Any

import psycopg
from fastapi import APIRouter, HTTPException, Path, Query, Request
from psycopg.types.json import Jsonb

from companion.memory.codec import json_line, result_kept
from companion.memory.fairness import Roll, Throw, real_rolls
from companion.memory.journal import Record
from companion.memory.records import LONGEST, read_export, sat, steps_of
from companion.memory.seals import seed_code
from companion.memory.timeline import replay
from companion.memory.verify import verify
from companion.venue.hall import Hall
from companion.venue.judge import Judged
from companion.venue.letters import entries_of, export_of
from companion.venue.store import Connection
from companion.web.asks import said
from companion.web.history import Pieces, step_to_json
from companion.web.lane import Breath, Lane
from companion.web.origin import owner_of
from companion.words import SeatNo, unwritable

Number = Annotated[int, Path(ge=0, lt=1 << 31)]

LAST = 1e11  # seconds: later than any clock says
LISTED = 200  # games of one page
WAITING = (4, 32)  # of one address, of all
COLUMNS = "table_id, game, key, head, began, ended, result, verdict, says"

LIST = f"""SELECT {COLUMNS} FROM kept WHERE (%(table)s = '' OR table_id = %(table)s)
AND (%(key)s = '' OR key = %(key)s) AND ended < %(before)s AND (%(search)s = '' OR
position(lower(%(search)s) IN lower(table_id || ' ' || (head->>'seats') ||
coalesce(result->>'why', ''))) > 0) ORDER BY ended DESC, table_id, game LIMIT {LISTED}"""
ONE = f"SELECT {COLUMNS}, finish FROM kept JOIN games USING (table_id, game, verdict, says) "
ONE += "WHERE table_id = %s AND game = %s"
TOLD = "SELECT told FROM entries WHERE table_id = %s AND game = %s ORDER BY number"
KEEP = """INSERT INTO played VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (table_id, game) DO UPDATE SET ended = excluded.ended, result = excluded.result,
rolls = excluded.rolls"""


async def listed(db: Connection, judged: Judged) -> dict[str, Any] | None:
    """Keep what pages list of a game that was judged; what cannot be a game is not listed."""
    await db.execute(
        "DELETE FROM played WHERE table_id = %s AND game = %s", (judged.table, judged.game)
    )
    try:
        rows, end = [json.loads(row) for row in judged.rows], json.loads(judged.finish)
        record = recorded(judged.table, judged.game, rows[0], end)
        rolls = [*real_rolls((0, one) for one in entries_of(rows, end) if _rolled(one.body))]
        async with db.transaction():
            await _list(db, judged, record, rolls)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, psycopg.DataError):
        return None
    names = [seat["name"] for seat in record.seats]
    return {"key": record.key, "names": names, "winners": (record.result or {}).get("winners", [])}


async def _list(db: Connection, judged: Judged, record: Record, rolls: list[Roll]) -> None:
    kept = [[one.at, one.declined, [[t.dice, t.face, t.how] for t in one.throws]] for one in rolls]
    head = {"seats": record.seats, "options": record.options, "rules": record.version}
    await db.execute(KEEP, (judged.table, judged.game, record.key, Jsonb(head), record.began,
                            record.ended, Jsonb(record.result), Jsonb(kept)))  # fmt: skip


def recorded(table: str, game: int, head: Any, end: Any) -> Record:
    """A game as a table's own journal lists it; a KeyError or so if it is none."""
    seats = [{**seat, "name": str(seat["name"])} for seat in head["seats"]]
    result = end["result"]
    if result is not None and not all(0 <= one < len(seats) for one in result["winners"]):
        raise ValueError(f"game {game} of {table} was won by nobody who sat there")
    began, ended = float(head["began"]), float(end["ended"])
    if not 0 <= began < LAST or not 0 <= ended < LAST:
        raise ValueError(f"game {game} of {table} was played at no time")
    return Record(game, str(head["game"]), int(head["rules"]), seats, dict(head["options"]),
                  began, ended, result)  # fmt: skip


def record_of(row: Any) -> Record:
    """The same out of the store."""
    _, game, key, head, began, ended, result, *_ = row
    return Record(game, key, head["rules"], head["seats"], head["options"], began, ended, result)


def rolls_of(kept: Any) -> list[Roll]:
    """Throws of real dice out of the store."""
    return [Roll(at, tuple(Throw(*one) for one in throws), declined)
            for at, declined, throws in kept]  # fmt: skip


def _rolled(body: dict[str, Any]) -> bool:
    return "Rolled" in (body.get("do"), (body.get("action") or {}).get("do"))


class Shelves:
    """What the pages ask of the store about games that ended."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._lane, self._closing = hall, Lane(*WAITING), threading.Event()

    async def games(self, asked: dict[str, Any]) -> list[dict[str, Any]]:
        """The newest first."""
        async with self._hall.database.asked() as db:
            rows = await (await db.execute(LIST.encode(), asked)).fetchall()
        return [self._row(row) for row in rows]

    async def told(self, table: str, number: int) -> tuple[Any, bytes]:
        """The row of a game, and the whole of it as its table would export it."""
        if unwritable(table) or "\0" in table:
            raise HTTPException(404, "there is no such game")
        async with self._hall.database.asked() as db:
            row = await (await db.execute(ONE.encode(), (table, number))).fetchone()
            if row is None:
                raise HTTPException(404, "there is no such game")
            rows = await (await db.execute(TOLD, (table, number))).fetchall()
        if len(rows) > LONGEST:
            raise HTTPException(404, f"it has {len(rows)} entries, too many to be shown here")
        return row[:-1], export_of([json.loads(one[0]) for one in rows], json.loads(row[-1]))

    async def beside(self, request: Request, work: Callable[[], bytes]) -> Pieces:
        """Worked out in a thread, one after the other."""
        with self._lane.place(owner_of(request.scope, None)[1]):
            return Pieces(await self._lane.work(work))

    def replay(self, row: Any, export: bytes, seat: SeatNo | None) -> bytes:
        """Step by step; everything is public by now, so through anybody's eyes."""
        breathe, hall = Breath(self._closing), self._hall
        found = read_export(export, hall.shelf, breathe)
        if seat is not None and seat >= len(found.seats):
            raise HTTPException(404, "there is no such seat")
        line = replay(found.game, found.start(), found.entries)
        steps = [*steps_of(line, found.names, seat, breathe)]
        head = self._row(row) | {"seat": seat, "seed": found.seed}
        head |= {"seed_code": seed_code(found.seed)}
        return json_line(head | {"steps": [step_to_json(one, hall.say) for one in steps]}).encode()

    def verify(self, export: bytes) -> bytes:
        """What the verdict rests on."""
        report = verify(export, self._hall.shelf)
        return json_line(
            report.to_json(lambda told: self._hall.say(told, report.names))
        ).encode()  # fmt: skip

    def _row(self, row: Any) -> dict[str, Any]:
        table, number, key, _, began, ended, result, verdict, says = row
        record, game, sound = record_of(row), self._hall.shelf.get(key), verdict != "broken"
        names = sat(record, game if sound else None)
        return {
            "at": f"/api/games/{table}/{number}", "table": table, "number": number, "game": key,
            "name": self._hall.say(game.name) if game else key,
            "seats": [self._hall.say(name) for name in names],
            "panels": [seat.get("panel") for seat in record.seats],
            "levels": [seat.get("level") for seat in record.seats],
            "began": began, "ended": ended, "lesson": bool(record.options.get("taught")),
            "verdict": verdict, "says": says,
            "result": result_kept(result if sound else None,
                                  lambda told: self._hall.say(told, names)),
        }  # fmt: skip


def routes(hall: Hall) -> APIRouter:
    """Everybody may look at games that have ended."""
    router, shelves = APIRouter(tags=["games"]), Shelves(hall)

    @router.get("/api/games", responses=said(503))
    async def games(
        search: Annotated[str, Query(max_length=80)] = "",
        table: Annotated[str, Query(max_length=40)] = "",
        key: Annotated[str, Query(max_length=40)] = "",
        before: Annotated[float, Query(allow_inf_nan=False)] = 1e11,
    ) -> list[dict[str, Any]]:
        """Games that ended, the newest first, a page of them; `before` is when one ended."""
        asked = {"search": search, "table": table, "key": key, "before": before}
        if unwritable(asked) or "\0" in search + table + key:
            raise HTTPException(422, "this cannot be searched for")
        return await shelves.games(asked)

    @router.get("/api/games/{table}/{number}", response_class=Pieces, responses=said(404, 429, 503))
    async def again(
        request: Request, table: str, number: Number,
        seat: Annotated[SeatNo | None, Query(ge=0, le=9)] = None,
    ) -> Pieces:  # fmt: skip
        """A game step by step, as the public or a seat saw it."""
        row, export = await shelves.told(table, number)
        return await shelves.beside(request, lambda: shelves.replay(row, export, seat))

    @router.get("/api/games/{table}/{number}/verify", response_class=Pieces,
                responses=said(404, 429, 503))  # fmt: skip
    async def check(request: Request, table: str, number: Number) -> Pieces:
        """Every seal, deal and the result, worked out again (docs/seals.md)."""
        _, export = await shelves.told(table, number)
        return await shelves.beside(request, lambda: shelves.verify(export))

    @router.get("/api/games/{table}/{number}/export", response_class=Pieces,
                responses=said(404, 503))  # fmt: skip
    async def export(table: str, number: Number) -> Pieces:
        """A game as JSON lines."""
        _, found = await shelves.told(table, number)
        name = f'attachment; filename="{table}-{number}.jsonl"'
        return Pieces(found, media_type="application/jsonl", headers={"Content-Disposition": name})

    return router
