"""Games of the past for the pages: listed, replayed, exported, imported. Read beside the loop."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, HTTPException, Query, Request, Response
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from companion.errors import BadState
from companion.memory.codec import json_line, result_kept, view_to_json
from companion.memory.journal import Journal, Record
from companion.memory.records import LONGEST, Step, exported, listed, sat, steps, taken_in
from companion.memory.recovery import open_journal
from companion.memory.seals import seed_code
from companion.memory.verify import verify
from companion.memory.watermark import mark_file
from companion.views import Meter
from companion.web.asks import Caller, said
from companion.web.desk import Desk
from companion.web.lane import Breath, Lane
from companion.web.origin import owner_of
from companion.words import SeatNo

IMPORT_PATH = "/api/games/import"
LINES = "application/jsonl"
_TEXT = {"schema": {"type": "string"}}
_JSON = "application/json"
LISTED = {200: {"content": {_JSON: {"schema": {"type": "array"}}}}, **said(429)}
REPLAYED = {200: {"content": {_JSON: {"schema": {"type": "object"}}}}, **said(404, 429)}
EXPORTED = {200: {"content": {LINES: _TEXT}}, **said(404, 429)}
MOST = 500  # games of elsewhere that are kept
MOST_JUDGED = 50_000  # moves, those of take-backs and corrections among them: some ten seconds
KNOWN = 16 << 20  # bytes of replays that are kept
PIECE = 1 << 16
IMPORT_REST = 0.005  # seconds after each that an import has worked: nobody waits for it
SEATS, STRANGERS, IMPORTS = (8, 64), (4, 32), (2, 4)  # who wait: of one owner, of all

T = TypeVar("T")


def routes(
    desk: Desk, caller: Callable[[HTTPConnection], Caller], closing: threading.Event
) -> APIRouter:
    """A game of this table has its number; one that was brought from elsewhere a negative one."""
    router = APIRouter(tags=["history"])
    shelves = Shelves(desk, closing)
    lanes = {"seat": Lane(*SEATS), "stranger": Lane(*STRANGERS)}  # nobody waits for the other kind
    imports = Lane(*IMPORTS)

    async def beside(asks: Request, work: Callable[[], T]) -> T:
        who = caller(asks)
        lane = lanes["seat" if who.trusted else "stranger"]
        with lane.place(owner_of(asks.scope, who.panel)[1]):
            return await lane.work(work)

    @router.get("/api/games", response_class=Pieces, responses=LISTED)
    async def games(
        request: Request, search: Annotated[str, Query(max_length=80)] = ""
    ) -> Response:
        """Every game, the newest first; `search` looks in game, names and result."""
        return Pieces(await beside(request, lambda: shelves.games(search)))

    @router.get("/api/games/{number}", response_class=Pieces, responses=REPLAYED)
    async def replay(
        request: Request, number: int, seat: Annotated[SeatNo | None, Query(ge=0, le=9)] = None
    ) -> Response:
        """A game step by step, as the public saw it; a seat's own view once it has ended."""
        return Pieces(await beside(request, lambda: shelves.replay(number, seat)))

    @router.get("/api/games/{number}/export", response_class=Pieces, responses=EXPORTED)
    async def export(request: Request, number: int) -> Response:
        """A game as JSON lines; what is still secret is left out."""
        rows = await beside(request, lambda: shelves.export(number))
        name = f'attachment; filename="game{number}.jsonl"'
        return Pieces(rows, media_type=LINES, headers={"Content-Disposition": name})

    @router.get("/api/games/{number}/verify", responses=said(404))
    async def check(request: Request, number: int) -> dict[str, Any]:
        """Every seal, deal and the result of an ended game, worked out again (docs/seals.md)."""
        return await beside(request, lambda: shelves.verify(number))

    @router.post(
        IMPORT_PATH,
        responses=said(403, 429, 507),
        openapi_extra={
            "requestBody": {
                "content": {kind: _TEXT for kind in (LINES, "text/plain")},
                "required": True,
            }
        },
    )
    async def bring(request: Request) -> dict[str, int]:
        """Take in a game that was exported elsewhere; every move is judged again."""
        who = caller(request)
        if not who.trusted:
            raise HTTPException(403, "only a browser that speaks for a seat may bring games")
        with imports.place(owner_of(request.scope, who.panel)[1]):
            body = await request.body()
            return {"number": await imports.work(lambda: shelves.bring(body))}

    return router


class Pieces(Response):
    """A long answer, piece by piece: a browser that does not read holds up one piece of it."""

    media_type = "application/json"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        await send(
            {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        )
        for start in range(0, len(self.body), PIECE):
            piece = self.body[start : start + PIECE]
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


class Shelves:
    """The table's own journal, read only, and the one of games that were brought.

    What is asked here is worked out in threads; `closing` ends it.
    """

    def __init__(self, desk: Desk, closing: threading.Event) -> None:
        self._desk, self._closing = desk, closing
        self._own = desk.journal
        self._brought = desk.journal.with_name("brought.db")
        self._known: OrderedDict[tuple[int, int | None], tuple[Record, int, bytes]] = OrderedDict()
        self._knowing = threading.Lock()

    def games(self, search: str) -> bytes:
        """What matches, the newest first."""
        found, breathe = [], Breath(self._closing)
        for path, sign in ((self._own, 1), (self._brought, -1)):
            for record in self._with(path, listed) if path.exists() else []:
                breathe()
                found.append(self._row(record, sign))
        wanted = search.casefold()
        found = [row for row in found if wanted in " ".join(_words(row)).casefold()]
        return json_line(sorted(found, key=lambda row: -row["began"])).encode()

    def replay(self, number: int, seat: SeatNo | None) -> bytes:
        """The steps of a game, and its meters over time. Worked out once for each entry."""
        breathe = Breath(self._closing)

        def read(journal: Journal) -> bytes:
            record = _find(journal, number)
            length = journal.length(record.id)
            if length > LONGEST:
                raise BadState(f"it has {length} entries, too many to be shown here: export it")
            if (known := self._recall(number, seat, record, length)) is not None:
                return known
            told = []
            for step in steps(journal, record, self._desk.shelf, seat, breathe):
                told.append(json_line(self._step(step)))
            head = {**self._row(record, -1 if number < 0 else 1), "seat": seat}
            made = f'{json_line(head)[:-1]},"steps":[{",".join(told)}]}}'.encode()
            self._remember(number, seat, (record, length, made))
            return made

        return self._with(self._path(number), read)

    def _recall(self, number: int, seat: int | None, record: Record, length: int) -> bytes | None:
        with self._knowing:
            known = self._known.get((number, seat))
            return known[2] if known and known[:2] == (record, length) else None

    def _remember(self, number: int, seat: int | None, what: tuple[Record, int, bytes]) -> None:
        with self._knowing:
            self._known.pop((number, seat), None)
            self._known[number, seat] = what
            while sum(len(one[2]) for one in self._known.values()) > KNOWN:
                self._known.popitem(last=False)

    def export(self, number: int) -> bytes:
        """JSON lines."""
        breathe = Breath(self._closing)

        def read(journal: Journal) -> bytes:
            rows = []
            for row in exported(journal, _find(journal, number), self._desk.shelf):
                breathe()
                rows.append(row + "\n")
            return "".join(rows).encode()

        return self._with(self._path(number), read)

    def verify(self, number: int) -> dict[str, Any]:
        """Did the box keep its word?"""
        report = verify(self.export(number), self._desk.shelf)
        return report.to_json(lambda text: self._desk.say(text, report.names))

    def bring(self, body: bytes) -> int:
        """The (negative) number under which a game of elsewhere is kept. One at a time."""
        now = [time.time()]
        if not self._brought.exists():  # a reader finds none, or a whole one
            new = self._brought.with_name("brought.new")
            Journal(new, time.time).close()
            mark_file(new).unlink(missing_ok=True)
            new.rename(self._brought)
        journal, _ = open_journal(self._brought, lambda: now[0])
        try:
            if len(journal.games()) >= MOST:
                raise BadState(f"{MOST} games were brought already: remove brought.db first")
            breathe = Breath(self._closing, MOST_JUDGED, IMPORT_REST)
            return -taken_in(journal, body, self._desk.shelf, now, breathe)
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
