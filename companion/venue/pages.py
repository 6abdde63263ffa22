"""The venue's pages and their API: everybody may look, an organiser may arrange."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Query, Request, WebSocket
from fastapi.responses import JSONResponse
from starlette.staticfiles import StaticFiles

from companion import __version__
from companion.games.api import Game
from companion.settings.settings import WebSettings
from companion.venue.database import Away, Database
from companion.venue.meeting import Meeting
from companion.venue.meeting import routes as tables
from companion.venue.organiser import COOKIE, Organisers
from companion.venue.organiser import routes as organiser
from companion.venue.page_words import WORDS
from companion.venue.wall import Wall
from companion.web.asks import Refusal
from companion.web.desk import reader
from companion.web.door import Door
from companion.web.feeds import Ear, Feeds
from companion.web.frame import Page, refusals, serve
from companion.web.guard import Guard
from companion.web.origin import Proxies, owner_of
from companion.web.page_words import words
from companion.web.server import address, bind, served
from companion.web.turns import Turns
from companion.words import Text, Translate

STATIC = Path(__file__).with_name("static")
PAGES = {
    "/": Page("wall", link="Wall", live=True, folder="/venue"),
    "/tables": Page("tables", "Tables", folder="/venue"),
    "/organiser": Page("organiser", "Organiser", folder="/venue"),
}
STRANGERS = (8, 240)  # sockets of one address, of all: televisions, and phones of a whole hall
REST = 0.25  # seconds between two pictures of the wall


@dataclass
class Venue:
    """The venue as its pages know it."""

    shelf: Mapping[str, Game[Any]]
    wall: Wall
    database: Database
    organisers: Organisers
    settings: WebSettings
    meeting: Meeting | None = None
    language: str = "en"
    languages: Mapping[str, Translate] = field(default_factory=dict)

    @property
    def reader(self) -> str:
        """The language of whoever asks."""
        return reader.get() if reader.get() in self.languages else self.language

    def say(self, told: Text, names: tuple[Text, ...] = ()) -> str:
        """A text in the reader's language."""
        return told.show(names, self.languages.get(self.reader, str))

    @property
    def only(self) -> Any:
        """For routes that arrange something: `dependencies=[venue.only]`."""
        return Depends(self.organisers.only)


class Pages:
    """Serves a venue's pages until it is cancelled."""

    def __init__(self, venue: Venue, opened: Callable[[str], Awaitable[None]]) -> None:
        self._venue, self._opened = venue, opened
        proxies, self._turns = Proxies(venue.settings.trusted_proxies), Turns()
        self._door = Door(proxies.trusts)
        self._door.gone = self._turns.gone
        feeds = Feeds(lambda _viewer, _language: venue.wall.document(), self._turns, STRANGERS)
        self._feeds, self._news = feeds, asyncio.Event()
        venue.wall.changed = self._news.set
        app = application(venue, feeds)
        self._app = Guard(
            app, lambda _token: None, self._door, proxies, self._turns, venue.settings.names
        )

    async def run(self) -> None:
        """Calls `opened` with the address once it answers there."""
        host = self._venue.settings.host
        listening = bind(host, self._venue.settings.port)
        port = listening.getsockname()[1]
        async with served(self._app, self._door, listening) as serving, asyncio.TaskGroup() as own:
            telling = own.create_task(self._tell())
            try:
                await self._opened(f"http://{address(host, port)}/")
                await asyncio.shield(serving)
            finally:
                telling.cancel()
                self._turns.empty()

    async def _tell(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            self._feeds.refresh()
            await asyncio.sleep(REST)


def application(venue: Venue, feeds: Feeds) -> FastAPI:
    """The pages and their API."""
    app = FastAPI(
        title="table-companion venue", version=__version__, docs_url=None, redoc_url=None,
        description="The tables of a venue, their games, leagues and tournaments.",
        responses={422: {"model": Refusal}},
    )  # fmt: skip
    refusals(app)
    pages = {path: one for path, one in PAGES.items() if venue.meeting or path != "/tables"}
    serve(app, pages, "Venue")
    app.mount("/venue", StaticFiles(directory=STATIC), name="venue")

    @app.exception_handler(Away)
    async def away(_: Request, error: Away) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 503, {"Retry-After": "2"})

    @app.get("/api/hello", tags=["session"])
    async def hello(request: Request) -> dict[str, Any]:
        """Who this browser is here, and the page's words in its language."""
        try:
            arranges = await venue.organisers.known(request.cookies.get(COOKIE))
        except Away:
            arranges = False
        translate = venue.languages.get(venue.reader, str)
        return {
            "organiser": arranges, "version": __version__, "now": time.time(),
            "language": venue.reader, "languages": [*venue.languages],
            "words": words(translate, WORDS), "tables": venue.wall.tables,
            "games": {key: venue.say(game.name) for key, game in venue.shelf.items()},
            "panel": None, "virtual": False, "panels": [],
        }  # fmt: skip

    @app.get("/api/wall", tags=["wall"])
    async def wall() -> dict[str, Any]:
        """Every table as it stands now."""
        return venue.wall.document()

    @app.websocket("/api/feed")
    async def feed(
        socket: WebSocket,
        since: Annotated[int | None, Query(ge=0)] = None,
        epoch: Annotated[str, Query(max_length=16)] = "",
    ) -> None:
        """The same, then what changes; `since` and `epoch` resume after a sleep."""
        _, owner = owner_of(socket.scope, None)
        await feeds.serve(Ear(socket, "public", lambda: True, owner), since, epoch)

    app.include_router(organiser(venue.organisers))
    if venue.meeting is not None:
        app.include_router(tables(venue.meeting, venue.only))
    return app
