"""Everything that the pages do, as a documented HTTP and WebSocket API."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import FastAPI, HTTPException, Query, Request, Response, WebSocket
from fastapi.responses import FileResponse
from pydantic import Field
from starlette.requests import HTTPConnection

from companion import __version__
from companion.events import Chosen, Key, MenuAsked, Named
from companion.table.fingers import STALE
from companion.table.lobby import GoOnWith
from companion.web.asks import Body, Caller, Command, Once, Refusal, Taken, outcome, said
from companion.web.box import routes as box
from companion.web.desk import Desk, Viewer
from companion.web.feeds import Ear, Feeds
from companion.web.frame import STATIC, Page, answer, refusals, serve
from companion.web.health import routes as health
from companion.web.history import routes as history
from companion.web.learn import routes as learn
from companion.web.origin import local, owner_of
from companion.web.page_words import words
from companion.web.sessions import COOKIE, Claims
from companion.web.tray import routes as tray
from companion.words import Panel, text, unwritable

PAGES = {
    "/": Page("index", link="Table", live=True), "/board": Page("board", "Board", live=True),
    "/learn": Page("learn", "Learn"), "/eye": Page("eye", "Eye", live=True),
    "/history": Page("history", "History"), "/box": Page("box", "My box"),
    "/health": Page("health", "Health"), "/docs": Page("docs", "API", link=""),
}  # fmt: skip
ROOT_FILES = ("sw.js", "manifest.webmanifest")
MONTH = 30 * 24 * 3600
NOT_NOW = text("Not now: first what is on the table ends, and those who have joined leave.")

PanelField = Annotated[Panel, Field(ge=0, le=9)]
Number = Annotated[int, Field(ge=0, le=2**31)]


class Claiming(Body):
    """The panel, from 0, and the six letters on its own display."""

    panel: PanelField
    code: Annotated[str, Field(min_length=1, max_length=16)]


class Choosing(Command):
    """Choice `index`, from 0, of the view that was offered with this number."""

    offered: Number
    index: Number


class Pressing(Command):
    """A button of a panel: only where a browser is the hardware."""

    key: Key


class Naming(Command):
    """How whoever sits there is called."""

    name: Annotated[str, Field(min_length=1, max_length=24)]


class GoingOn(Command):
    """The number of a game that was set aside, as the history lists it."""

    number: Number


class MenuAsking(Command):
    """Open the table's menu, or go one step out of it."""

    opened: bool


def application(desk: Desk, claims: Claims, feeds: Feeds, closing: threading.Event) -> FastAPI:
    """The pages and their API."""
    app = FastAPI(
        title="table-companion", version=__version__, docs_url=None, redoc_url=None,
        description="Everything that the pages do. See docs/api.md for how the parts fit.",
        responses={422: {"model": Refusal}},
    )  # fmt: skip

    def caller(asks: HTTPConnection) -> Caller:
        virtual = desk.twins and (
            desk.settings.virtual == "all"
            or (desk.settings.virtual == "local" and local(asks.scope))
        )
        return Caller(claims.panel(asks.cookies.get(COOKIE)), virtual)

    def own(asks: HTTPConnection, panel: Panel) -> None:
        if not 0 <= panel < desk.table.seating.panels:
            raise HTTPException(404, "there is no such panel")
        if not caller(asks).may_act(panel):
            raise HTTPException(403, "this browser does not speak for that seat: claim it first")

    refusals(app)
    serve(app, PAGES, "Table companion")
    for name in ROOT_FILES:
        answer(app, f"/{name}", partial(FileResponse, STATIC / name))
    _sessions(app, desk, claims, caller)
    _commands(app, desk, caller, own)
    _feed(app, desk, feeds, caller)
    app.include_router(history(desk, caller, closing))
    app.include_router(tray(desk, caller))
    app.include_router(health(desk))
    app.include_router(box(desk, caller))
    app.include_router(learn(desk.shelf, desk.say, desk.game_shown))
    return app


def _sessions(
    app: FastAPI, desk: Desk, claims: Claims, caller: Callable[[HTTPConnection], Caller]
) -> None:
    @app.get("/api/hello", tags=["session"])
    async def hello(request: Request) -> dict[str, Any]:
        """Who this browser is here, and the page's words in its language."""
        who = caller(request)
        return {
            "panel": who.panel, "virtual": who.virtual, "version": __version__,
            "language": desk.reader or desk.language, "words": words(desk.speaks),
            "languages": list(desk.languages),
            "panels": list(desk.table.seating.names[: desk.table.seating.panels]),
        }  # fmt: skip

    @app.post("/api/claim", tags=["session"], responses=said(403, 404, 410, 429))
    async def claim(body: Claiming, request: Request, response: Response) -> dict[str, int]:
        """Speak for a seat, with the code on its own display. The code is spent by this."""
        if body.panel >= desk.table.seating.panels:
            raise HTTPException(404, "there is no such panel")
        address = request.client.host if request.client else ""
        token = claims.claim(body.panel, body.code, address)
        await desk.drained()
        response.set_cookie(COOKIE, token, max_age=MONTH, httponly=True, samesite="strict")
        return {"panel": body.panel}

    @app.post("/api/leave", tags=["session"])
    async def leave(request: Request, response: Response) -> dict[str, None]:
        """Speak for no seat any more."""
        who = caller(request)
        if who.panel is not None:
            claims.revoke(who.panel)
            await desk.drained()
        response.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return {"panel": None}


def _commands(
    app: FastAPI,
    desk: Desk,
    caller: Callable[[HTTPConnection], Caller],
    own: Callable[[HTTPConnection, Panel], None],
) -> None:
    once = Once()

    @app.post("/api/panels/{panel}/choose", tags=["play"], responses=said(403, 404, 409))
    async def choose(panel: Panel, body: Choosing, request: Request) -> Taken:
        """Pick one of the choices that the seat was offered."""
        own(request, panel)

        async def work() -> Taken:
            view = desk.table.panel(panel)
            if body.offered != view.seq or body.index >= len(view.choices):
                raise HTTPException(409, desk.say(STALE))
            desk.emit(Chosen(panel, body.index, body.offered))
            return await outcome(desk, panel)

        return await once.do((request.url.path, panel, body.id), work)

    @app.post("/api/panels/{panel}/menu", tags=["play"], responses=said(403, 404, 409))
    async def menu(panel: Panel, body: MenuAsking, request: Request) -> Taken:
        """The table's menu: take back, correct a roll, set a number, enter by hand, stop."""
        own(request, panel)

        async def work() -> Taken:
            desk.emit(MenuAsked(panel, body.opened))
            return await outcome(desk, panel)

        return await once.do((request.url.path, panel, body.id), work)

    @app.post("/api/panels/{panel}/go-on", tags=["play"], responses=said(403, 404, 409))
    async def go_on(panel: Panel, body: GoingOn, request: Request) -> Taken:
        """In the lobby: go on with a game that was set aside."""
        own(request, panel)

        async def work() -> Taken:
            view = desk.table.panel(panel)
            actions = [choice.action for choice in view.choices]
            if (wanted := GoOnWith(panel, body.number)) not in actions:
                raise HTTPException(409, desk.say(NOT_NOW))
            desk.emit(Chosen(panel, actions.index(wanted), view.seq))
            return await outcome(desk, panel)

        return await once.do((request.url.path, panel, body.id), work)

    @app.post("/api/panels/{panel}/name", tags=["play"], responses=said(403, 404, 409))
    async def name(panel: Panel, body: Naming, request: Request) -> Taken:
        """Before a game: be called like this, on every display and in the history."""
        own(request, panel)
        if why := unwritable(body.name):
            raise HTTPException(422, why)

        async def work() -> Taken:
            desk.emit(Named(panel, body.name.strip()))
            return await outcome(desk, panel)

        return await once.do((request.url.path, panel, body.id), work)

    @app.post("/api/panels/{panel}/press", tags=["virtual table"], responses=said(403, 404))
    async def press(panel: Panel, body: Pressing, request: Request) -> dict[str, str]:
        """Press a button of the twin. It bounces and is debounced as a real one."""
        own(request, panel)
        if not caller(request).virtual:
            raise HTTPException(403, "the buttons of this panel are real: press them there")
        await desk.press(panel, body.key)
        return {"pressed": body.key}

    @app.get("/api/tray.jpg", tags=["play"], response_class=Response, responses=said(404))
    async def last() -> Response:
        """A small picture of the tray at the last roll."""
        if not desk.picture:
            raise HTTPException(404, "no roll was seen yet")
        return Response(desk.picture, media_type="image/jpeg")


def _feed(
    app: FastAPI, desk: Desk, feeds: Feeds, caller: Callable[[HTTPConnection], Caller]
) -> None:
    def viewer(asks: HTTPConnection, wanted: str) -> Viewer | None:
        who = caller(asks)
        if wanted == "table":
            return "table" if who.virtual else None
        return who.panel if wanted == "seat" else "public"

    @app.get("/api/snapshot", tags=["feed"], responses=said(403))
    async def snapshot(
        request: Request, wanted: Annotated[Literal["public", "seat", "table"], Query(alias="as")]
    ) -> dict[str, Any]:
        """The whole of what a viewer may see, with its number."""
        found = viewer(request, wanted)
        if found is None:
            raise HTTPException(403, "this browser does not speak for that seat: claim it first")
        return feeds.of(found, desk.reader).whole()

    @app.websocket("/api/feed")
    async def feed(
        socket: WebSocket,
        wanted: Annotated[Literal["public", "seat", "table"], Query(alias="as")] = "public",
        since: Annotated[int | None, Query(ge=0)] = None,
        epoch: Annotated[str, Query(max_length=16)] = "",
    ) -> None:
        """The snapshot, then numbered changes; `since` and `epoch` resume after a sleep."""
        found, who = viewer(socket, wanted), caller(socket)
        kind, owner = owner_of(socket.scope, who.panel)
        ear = Ear(
            socket, "public" if found is None else found,
            lambda: found is not None and viewer(socket, wanted) == found,
            owner, desk.reader, own=kind != "stranger", paced=not who.trusted,
        )  # fmt: skip
        await feeds.serve(ear, since, epoch)
