"""Games of the past for the pages: listed, replayed, exported, imported. Read beside the loop."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar

from fastapi import APIRouter, HTTPException, Query, Request, Response
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from companion.errors import BadState
from companion.memory.codec import (
    beat_to_json,
    json_line,
    result_kept,
    result_to_json,
    view_to_json,
)
from companion.memory.evenings import evenings, players
from companion.memory.fairness import as_document, rolls, weigh
from companion.memory.journal import Journal, Record
from companion.memory.records import (
    LONGEST,
    Step,
    exported,
    in_play,
    listed,
    sat,
    seeds_in_play,
    steps,
    taken_in,
    timeline_of,
)
from companion.memory.recovery import open_journal
from companion.memory.seals import seed_code
from companion.memory.verify import verify
from companion.memory.watermark import mark_file
from companion.table.company import played
from companion.views import Meter
from companion.web.asks import Caller, said
from companion.web.desk import Desk
from companion.web.lane import WORK, Breath, Lane
from companion.web.origin import owner_of
from companion.words import SeatNo, Text

IMPORT_PATH = "/api/games/import"
LINES = "application/jsonl"
_TEXT = {"schema": {"type": "string"}}
_JSON = "application/json"
LISTED = {200: {"content": {_JSON: {"schema": {"type": "array"}}}}, **said(429)}
REPLAYED = {200: {"content": {_JSON: {"schema": {"type": "object"}}}}, **said(404, 429)}
EXPORTED = {200: {"content": {LINES: _TEXT}}, **said(404, 429)}
MOST = 500  # games of elsewhere that are kept
MOST_JUDGED = 50_000  # moves, those of take-backs and corrections among them: some ten seconds
MOST_WEIGHED = 2_000  # entries: a long evening has half of them
KNOWN = 4 << 20  # bytes of replays that are kept: what many ask for is the same game
PIECE = 1 << 16
IMPORT_REST = 0.005  # seconds after each that an import has worked: nobody waits for it
SEATS, STRANGERS, IMPORTS = (8, 64), (4, 32), (2, 4)  # who wait: of one owner, of all

MOMENTS = -1  # beside the replays, which are kept by seat

T = TypeVar("T")
Key: TypeAlias = tuple[int, int | None, str]  # a game, through whose eyes, in which language


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

    @router.get("/api/players", response_class=Pieces, responses=LISTED)
    async def people(request: Request) -> Response:
        """Everybody with a name: games, wins by game, and a rating among those of this table."""
        return Pieces(await beside(request, shelves.players))

    @router.get("/api/dice", response_class=Pieces, responses=LISTED)
    async def dice(request: Request) -> Response:
        """Are these dice fair? Each kind with its sentence, its bars and the band of fair dice."""
        return Pieces(await beside(request, shelves.dice))

    @router.get("/api/games/{number}", response_class=Pieces, responses=REPLAYED)
    async def replay(
        request: Request, number: int, seat: Annotated[SeatNo | None, Query(ge=0, le=9)] = None
    ) -> Response:
        """A game step by step, as the public saw it; a seat's own view once it has ended."""
        return Pieces(await beside(request, lambda: shelves.replay(number, seat)))

    @router.get("/api/games/{number}/moments", response_class=Pieces, responses=REPLAYED)
    async def moments(request: Request, number: int) -> Response:
        """What each decision and each throw of an ended game was worth, by what its seat knew."""
        return Pieces(await beside(request, lambda: shelves.moments(number)))

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
        self._known: OrderedDict[Key, tuple[Record, int, bytes]] = OrderedDict()
        self._knowing = threading.Lock()

    def games(self, search: str) -> bytes:
        """What matches, the newest first; each with the evening it belongs to."""
        found, breathe = [], Breath(self._closing, rest=WORK)
        for path, sign in ((self._own, 1), (self._brought, -1)):
            secret = self._with(path, seeds_in_play) if path.exists() else set()
            for evening in evenings(self._with(path, listed) if path.exists() else []):
                for record in evening.games:
                    breathe()
                    running = record.id == self._desk.table.play.number
                    rests = record.ended is None and sign > 0 and not running
                    row = self._row(record, sign, secret) | {"rests": rests}
                    found.append(row | {"evening": [evening.began, round(evening.seconds)]})
        wanted = search.casefold()
        found = [row for row in found if wanted in " ".join(_words(row)).casefold()]
        return json_line(sorted(found, key=lambda row: -row["began"])).encode()

    def players(self) -> bytes:
        """Who has won how often over all evenings of this table, the best first."""
        records = self._with(self._own, listed) if self._own.exists() else []
        found = [
            {
                "name": one.name, "games": one.games, "rated": one.rated,
                "rating": round(one.rating),
                "wins": {self._named(key): n for key, n in one.wins.items() if n},
            }
            for one in players(records)
        ]  # fmt: skip
        return json_line(found).encode()

    def _named(self, key: str) -> str:
        game = self._desk.shelf.get(key)
        return self._desk.say(game.name, ()) if game else key

    def dice(self) -> bytes:
        """The evidence of every throw of this table."""
        breathe, found = Breath(self._closing, rest=WORK), []
        for roll in self._with(self._own, lambda journal: list(rolls(journal))):
            breathe()
            found.append(roll)
        return json_line(
            [as_document(one, lambda text: self._desk.say(text, ())) for one in weigh(found)]
        ).encode()

    def replay(self, number: int, seat: SeatNo | None) -> bytes:
        """The steps of a game, and its meters over time."""
        breathe = Breath(self._closing)

        def made(journal: Journal, record: Record) -> bytes:
            told = []
            for step in steps(journal, record, self._desk.shelf, seat, breathe):
                told.append(json_line(step_to_json(step, self._desk.say)))
            sign, secret = -1 if number < 0 else 1, seeds_in_play(journal)
            head = {**self._row(record, sign, secret), "seat": seat}
            return f'{json_line(head)[:-1]},"steps":[{",".join(told)}]}}'.encode()

        return self._once(number, seat, LONGEST, made)

    def moments(self, number: int) -> bytes:
        """What was best and what was done in an ended game, in chances to win."""
        breathe = Breath(self._closing, rest=WORK)

        def made(journal: Journal, record: Record) -> bytes:
            if in_play(journal, record):
                raise BadState("this game still runs: it is weighed when it has ended")
            line = timeline_of(journal, record, self._desk.shelf, breathe)
            names, found = sat(record, line.game), []
            for one in self._desk.analyst(line.game, played(line)):
                breathe()
                better = None if one.better is None else self._desk.say(one.better, names)
                rest = {"did": self._desk.say(one.did, names), "better": better, "mark": one.mark}
                figures = {
                    key: getattr(one, key) for key in ("best", "got", "usual", "spread", "rough")
                }
                found.append({"seq": one.seq, "seat": one.seat, **figures, **rest})
            return json_line(found).encode()

        return self._once(number, MOMENTS, MOST_WEIGHED, made)

    def _once(
        self, number: int, what: int | None, most: int, make: Callable[[Journal, Record], bytes]
    ) -> bytes:
        """What is made of a game; worked out once for as many entries."""

        def read(journal: Journal) -> bytes:
            record = _find(journal, number)
            length = journal.length(record.id)
            if length > most:
                raise BadState(f"it has {length} entries, too many to be shown here: export it")
            if (known := self._recall(number, what, record, length)) is None:
                known = make(journal, record)
                self._remember(number, what, (record, length, known))
            return known

        return self._with(self._path(number), read)

    def _recall(self, number: int, seat: int | None, record: Record, length: int) -> bytes | None:
        with self._knowing:
            known = self._known.get((number, seat, self._desk.reader))
            return known[2] if known and known[:2] == (record, length) else None

    def _remember(self, number: int, seat: int | None, what: tuple[Record, int, bytes]) -> None:
        with self._knowing:
            key = number, seat, self._desk.reader
            self._known.pop(key, None)
            self._known[key] = what
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

    def _row(self, record: Record, sign: int, secret: set[str]) -> dict[str, Any]:
        game = self._desk.shelf.get(record.key)
        names = sat(record, game)
        return {
            "number": sign * record.id,
            "at": f"/api/games/{sign * record.id}",
            "game": record.key,
            "name": self._named(record.key),
            "seats": [self._desk.say(name, ()) for name in names],
            "panels": [seat["panel"] for seat in record.seats],
            "began": record.began,
            "ended": record.ended,
            "lesson": bool(record.options.get("taught")),
            "seed_code": seed_code(record.seed),
            "seed": "" if record.ended is None or record.seed in secret else record.seed,
            "result": result_kept(record.result, lambda text: self._desk.say(text, names)),
        }


def step_to_json(step: Step, tell: Callable[[Text, tuple[Text, ...]], str]) -> dict[str, Any]:
    """One step of a replay for the page, in the reader's language."""

    def say(text: Text) -> str:
        return tell(text, step.view.names)

    view = view_to_json(step.view, say)
    meters = [
        {"label": say(part.label), "key": part.key, "value": part.value, "top": part.top}
        for part in step.view.parts
        if isinstance(part, Meter)
    ]
    return {
        "seq": step.seq, "told": say(step.sentence), "rule": step.rule,
        "beats": [beat_to_json(beat, say) for beat in step.beats],
        "result": result_to_json(step.result, say),
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
