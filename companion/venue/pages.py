"""The venue's pages and their API: everybody may look, an organiser may arrange."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.responses import JSONResponse
from starlette.staticfiles import StaticFiles

from companion import __version__
from companion.venue.database import Away
from companion.venue.hall import Hall
from companion.venue.league import routes as league
from companion.venue.meeting import routes as meeting
from companion.venue.organiser import COOKIE
from companion.venue.organiser import routes as organiser
from companion.venue.organising import cry
from companion.venue.organising import routes as organising
from companion.venue.page_words import WORDS
from companion.venue.past import routes as past
from companion.venue.statistics import routes as statistics
from companion.web.asks import Refusal
from companion.web.door import Door
from companion.web.feeds import Ear, Feeds
from companion.web.frame import Page, refusals, serve
from companion.web.guard import Guard
from companion.web.learn import routes as learn
from companion.web.origin import Proxies, owner_of
from companion.web.page_words import words
from companion.web.server import address, bind, served
from companion.web.turns import Turns

STATIC = Path(__file__).with_name("static")
page = partial(Page, folder="/venue", style="/venue/venue.css")
PAGES = {
    "/": page("wall", link="Wall", live=True),
    "/games": page("games", "Games"),
    "/leagues": page("leagues", "Leagues"),
    "/tournaments": page("tournaments", "Tournaments"),
    "/statistics": page("statistics", "Statistics"),
    "/tables": page("tables", "Tables"),
    "/organiser": page("organiser", "Organiser"),
}
STRANGERS = (8, 240)  # sockets of one address, of all: televisions, and phones of a whole hall
REST = 0.25  # seconds between two pictures of the wall


class Pages:
    """Serves a venue's pages until it is cancelled."""

    def __init__(self, hall: Hall, opened: Callable[[str], Awaitable[None]]) -> None:
        self._hall, self._opened = hall, opened
        proxies, self._turns = Proxies(hall.settings.trusted_proxies), Turns()
        self._door = Door(proxies.trusts)
        self._door.gone = self._turns.gone
        feeds = Feeds(lambda _viewer, _language: hall.wall.document(), self._turns, STRANGERS)
        self._feeds, self._news = feeds, asyncio.Event()
        hall.wall.changed = self._news.set
        app = application(hall, feeds)
        self._app = Guard(
            app, lambda _token: None, self._door, proxies, self._turns, hall.settings.names
        )

    async def run(self) -> None:
        """Calls `opened` with the address once it answers there."""
        host = self._hall.settings.host
        listening = bind(host, self._hall.settings.port)
        port = listening.getsockname()[1]
        async with served(self._app, self._door, listening) as serving, asyncio.TaskGroup() as own:
            crier = cry(self._hall, self._hall.languages.get(self._hall.language, str))
            beside = [own.create_task(self._tell()), own.create_task(crier)]
            try:
                await self._opened(f"http://{address(host, port)}/")
                await asyncio.shield(serving)
            finally:
                for task in beside:
                    task.cancel()
                self._turns.empty()

    async def _tell(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            self._feeds.refresh()
            await asyncio.sleep(REST)


def application(hall: Hall, feeds: Feeds) -> FastAPI:
    """The pages and their API."""
    app = FastAPI(
        title="table-companion venue", version=__version__, docs_url=None, redoc_url=None,
        description="The tables of a venue, their games, leagues and tournaments.",
        responses={422: {"model": Refusal}},
    )  # fmt: skip
    refusals(app)
    pages = {path: one for path, one in PAGES.items() if hall.meeting or path != "/tables"}
    serve(app, pages, "Venue")
    app.mount("/venue", StaticFiles(directory=STATIC), name="venue")

    @app.exception_handler(Away)
    async def away(_: Request, error: Away) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 503, {"Retry-After": "2"})

    @app.get("/api/hello", tags=["session"])
    async def hello(request: Request) -> dict[str, Any]:
        """Who this browser is here, and the page's words in its language."""
        try:
            arranges = await hall.organisers.known(request.cookies.get(COOKIE))
        except Away:
            arranges = False
        translate = hall.languages.get(hall.reader, str)
        return {
            "organiser": arranges, "version": __version__, "now": time.time(),
            "language": hall.reader, "languages": [*hall.languages],
            "words": words(translate, WORDS), "tables": hall.wall.tables,
            "games": {key: hall.say(game.name) for key, game in hall.shelf.items()},
            "panel": None, "virtual": False, "panels": [],
        }  # fmt: skip

    @app.get("/api/wall", tags=["wall"])
    async def wall() -> dict[str, Any]:
        """Every table as it stands now."""
        return hall.wall.document()

    @app.websocket("/api/feed")
    async def feed(
        socket: WebSocket,
        since: Annotated[int | None, Query(ge=0)] = None,
        epoch: Annotated[str, Query(max_length=16)] = "",
    ) -> None:
        """The same, then what changes; `since` and `epoch` resume after a sleep."""
        _, owner = owner_of(socket.scope, None)
        await feeds.serve(Ear(socket, "public", lambda: True, owner), since, epoch)

    for routes in (past, league, organising, statistics):
        app.include_router(routes(hall))
    app.include_router(organiser(hall.organisers))
    if hall.meeting is not None:
        app.include_router(meeting(hall.meeting, hall.only))
    app.include_router(learn(hall.shelf, hall.say, lambda: ""))
    return app
