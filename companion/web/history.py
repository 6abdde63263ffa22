"""Games of the past for the pages: listed, replayed, exported, imported. Read beside the loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, HTTPException, Query, Request, Response
from starlette.requests import HTTPConnection

from companion.errors import BadState
from companion.memory.codec import result_kept, view_to_json
from companion.memory.journal import Journal, Record
from companion.memory.records import Step, exported, listed, sat, steps, taken_in
from companion.memory.recovery import open_journal
from companion.memory.seals import seed_code
from companion.memory.verify import verify
from companion.views import Meter
from companion.web.asks import said
from companion.web.desk import Desk
from companion.words import SeatNo

IMPORT_PATH = "/api/games/import"
LINES = "application/jsonl"
_TEXT = {"schema": {"type": "string"}}
EXPORTED = {200: {"content": {LINES: _TEXT}}, **said(404)}
MOST = 500  # games of elsewhere that are kept

T = TypeVar("T")


def routes(desk: Desk, trusted: Callable[[HTTPConnection], bool]) -> APIRouter:
    """A game of this table has its number; one that was brought from elsewhere a negative one."""
    router = APIRouter(tags=["history"])
    shelves = Shelves(desk)

    @router.get("/api/games")
    async def games(
        search: Annotated[str, Query(max_length=80)] = "",
    ) -> list[dict[str, Any]]:
        """Every game, the newest first; `search` looks in game, names and result."""
        return await asyncio.to_thread(shelves.games, search)

    @router.get("/api/games/{number}", responses=said(404))
    async def replay(
        number: int, seat: Annotated[SeatNo | None, Query(ge=0, le=9)] = None
    ) -> dict[str, Any]:
        """A game step by step, as the public saw it; a seat's own view once it has ended."""
        return await asyncio.to_thread(shelves.replay, number, seat)

    @router.get("/api/games/{number}/export", response_class=Response, responses=EXPORTED)
    async def export(number: int) -> Response:
        """A game as JSON lines; what is still secret is left out."""
        rows = await asyncio.to_thread(shelves.export, number)
        name = f'attachment; filename="game{number}.jsonl"'
        return Response(rows, media_type=LINES, headers={"Content-Disposition": name})

    @router.get("/api/games/{number}/verify", responses=said(404))
    async def check(number: int) -> dict[str, Any]:
        """Every seal, deal and the result of an ended game, worked out again (docs/seals.md)."""
        return await asyncio.to_thread(shelves.verify, number)

    @router.post(
        IMPORT_PATH,
        responses=said(403, 507),
        openapi_extra={
            "requestBody": {
                "content": {kind: _TEXT for kind in (LINES, "text/plain")},
                "required": True,
            }
        },
    )
    async def bring(request: Request) -> dict[str, int]:
        """Take in a game that was exported elsewhere; every move is judged again."""
        if not trusted(request):
            raise HTTPException(403, "only a browser that speaks for a seat may bring games")
        body = await request.body()
        return {"number": await asyncio.to_thread(shelves.bring, body)}

    return router


class Shelves:
    """The table's own journal, read only, and the one of games that were brought."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._own = desk.journal
        self._brought = desk.journal.with_name("brought.db")

    def games(self, search: str) -> list[dict[str, Any]]:
        """What matches, the newest first."""
        found = []
        for path, sign in ((self._own, 1), (self._brought, -1)):
            records = self._with(path, listed) if path.exists() else []
            found += [self._row(record, sign) for record in records]
        wanted = search.casefold()
        found = [row for row in found if wanted in " ".join(_words(row)).casefold()]
        return sorted(found, key=lambda row: -row["began"])

    def replay(self, number: int, seat: SeatNo | None) -> dict[str, Any]:
        """The steps of a game, and its meters over time."""

        def read(journal: Journal) -> dict[str, Any]:
            record = _find(journal, number)
            told = [self._step(s) for s in steps(journal, record, self._desk.shelf, seat)]
            return {**self._row(record, -1 if number < 0 else 1), "seat": seat, "steps": told}

        return self._with(self._path(number), read)

    def export(self, number: int) -> str:
        """JSON lines."""
        return self._with(
            self._path(number),
            lambda journal: "".join(
                row + "\n"
                for row in exported(journal, _find(journal, number), self._desk.shelf)
            ),
        )  # fmt: skip

    def verify(self, number: int) -> dict[str, Any]:
        """Did the box keep its word?"""
        report = verify(self.export(number).encode(), self._desk.shelf)
        return report.to_json(lambda text: self._desk.say(text, report.names))

    def bring(self, body: bytes) -> int:
        """The (negative) number under which a game of elsewhere is kept."""
        now = [time.time()]
        journal, _ = open_journal(self._brought, lambda: now[0])
        try:
            if len(journal.games()) >= MOST:
                raise BadState(f"{MOST} games were brought already: remove brought.db first")
            return -taken_in(journal, body, self._desk.shelf, now)
        finally:
            journal.close()

    def _path(self, number: int) -> Path:
        return self._brought if number < 0 else self._own

    def _with(self, path: Path, read: Callable[[Journal], T]) -> T:
        if not path.exists():
            raise HTTPException(404, "there is no such game")
        journal = Journal(path, time.time, write=False)
        try:
            return read(journal)
        finally:
            journal.close()

    def _row(self, record: Record, sign: int) -> dict[str, Any]:
        game = self._desk.shelf.get(record.key)
        names = sat(record, game)
        return {
            "number": sign * record.id,
            "game": record.key,
            "name": self._desk.say(game.name, ()) if game else record.key,
            "seats": [self._desk.say(name, ()) for name in names],
            "began": record.began,
            "ended": record.ended,
            "seed_code": seed_code(record.seed),
            "seed": "" if record.ended is None else record.seed,
            "result": result_kept(record.result, lambda text: self._desk.say(text, names)),
        }

    def _step(self, step: Step) -> dict[str, Any]:
        names = step.view.names
        view = view_to_json(step.view, lambda text: self._desk.say(text, names))
        meters = [
            {"label": self._desk.say(part.label, names), "value": part.value, "top": part.top}
            for part in step.view.parts
            if isinstance(part, Meter)
        ]
        return {
            "seq": step.seq, "told": self._desk.say(step.sentence, names), "rule": step.rule,
            "title": view["title"], "waiting": view["waiting"], "parts": view["parts"],
            "meters": meters,
        }  # fmt: skip


def _find(journal: Journal, number: int) -> Record:
    for record in listed(journal):
        if record.id == abs(number):
            return record
    raise HTTPException(404, "there is no such game")


def _words(row: dict[str, Any]) -> list[str]:
    why = row["result"]["why"] if row["result"] else ""
    return [row["game"], row["name"], *row["seats"], why]
