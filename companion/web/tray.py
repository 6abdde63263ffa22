"""The eye's page and the tray: a live picture, what a die really shows, dice moved by the mouse."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import Field
from starlette.requests import HTTPConnection

from companion.events import CameraAsked, CameraWord, Misread
from companion.table.fingers import STALE
from companion.web.asks import Caller, Command, Once, Taken, outcome, said
from companion.web.desk import Desk, Eye
from companion.web.origin import owner_of
from companion.web.shares import Shares
from companion.words import Panel, Text, text

WATCHING = {"own": (8, 40), "strangers": (4, 16)}  # who may wait for a picture: of one, of all
COVERED = 2.5  # seconds that a rendered hand lies over the tray

NO_ANSWER = text("The eye does not answer.")
BEGUN = "the camera is being calibrated already"
NOT_BEGUN = "no calibration is under way"

Share = Annotated[float, Field(ge=0, le=1)]
Spot = Annotated[list[Share], Field(min_length=2, max_length=2)]


class Correcting(Command):
    """What the die with this number (`track` of the reading) really shows."""

    track: Annotated[int, Field(ge=0, le=2**31)]
    value: Annotated[int, Field(ge=1, le=6)]


class Calibrating(Command):
    """`start` and `stop` a calibration; `empty`, `right`, `wrong` answer its step `number`."""

    word: CameraWord
    number: Annotated[int, Field(ge=0, le=2**31)] = 0


class Dragging(Command):
    """From one place of the picture to another, in shares of its width and height."""

    start: Spot
    end: Spot


def routes(desk: Desk, caller: Callable[[HTTPConnection], Caller]) -> APIRouter:
    """Anybody may look; whoever speaks for a seat may correct, keep, calibrate and throw."""
    router = APIRouter(tags=["eye"])
    once = Once()
    waiting = {kind: Shares[object](*limits) for kind, limits in WATCHING.items()}

    def eye() -> Eye:
        if desk.eye is None:
            raise HTTPException(404, "this table has no eye")
        return desk.eye

    def own(request: Request) -> Caller:
        who = caller(request)
        if not who.trusted:
            raise HTTPException(403, "this browser speaks for no seat: claim one first")
        return who

    async def order(
        request: Request,
        body: Command,
        give: Callable[[Eye], Awaitable[Text | None]],
    ) -> dict[str, bool]:
        """Give the eye of a rendered tray an order, once; say why if it is not carried out."""
        who, here = own(request), eye()
        if not here.twin:
            real = text("The dice of this table are real: throw them there.")
            raise HTTPException(403, desk.say(real))

        async def work() -> dict[str, bool]:
            if (why := await give(here)) is not None:
                raise HTTPException(503 if why == NO_ANSWER else 409, desk.say(why))
            return {"done": True}

        return await once.do((request.url.path, who.panel, body.id), work)

    @router.get("/api/eye", responses=said(404))
    async def state() -> dict[str, Any]:
        """What the eye does: its state, frames seen, milliseconds for the last, a frame's size."""
        here = eye()
        frames, spent = here.beat
        return {"state": here.state, "twin": here.twin, "frames": frames, "ms": spent,
                "size": here.size}  # fmt: skip

    @router.get("/api/eye/picture", response_class=Response, responses=said(404, 503))
    async def picture(request: Request) -> Response:
        """The next frame as a JPEG: ask again when it has come, and it is a live picture."""
        here, me = eye(), object()
        kind, owner = owner_of(request.scope, caller(request).panel)
        places = waiting["strangers" if kind == "stranger" else "own"]
        if places.take(owner, me) is me:
            raise HTTPException(503, "too many look through the eye: ask again in a while")
        try:
            seen = await here.picture()
        finally:
            places.leave(me)
        if seen is None:
            raise HTTPException(503, desk.say(NO_ANSWER))
        return Response(seen, media_type="image/jpeg")

    @router.post("/api/eye/correct", responses=said(403, 404, 409))
    async def correct(body: Correcting, request: Request) -> Taken:
        """Say what a die shows. A roll that counts already is changed only if all agree."""
        who = own(request)
        players = (one for one in desk.table.play.players if one is not None)
        panel = who.panel if who.panel is not None else next(players, Panel(0))

        async def work() -> Taken:
            seen = desk.correct(body.track, body.value)
            if seen is None:
                raise HTTPException(409, "that die is no longer there: look again")
            if not desk.table.play.in_lobby:
                desk.emit(Misread(panel, seen, body.track, body.value))
            return await outcome(desk, panel)

        return await once.do((request.url.path, who.panel, body.id), work)

    @router.post("/api/eye/keep", responses=said(403, 404, 409, 503, 507))
    async def keep(body: Command, request: Request) -> dict[str, int]:
        """Keep this picture, with what lies in it, as an example to measure the eye with."""
        who, here = own(request), eye()

        async def work() -> dict[str, int]:
            picture, seen = await here.picture(), desk.seen
            if picture is None:
                raise HTTPException(503, desk.say(NO_ANSWER))
            if seen is None:
                raise HTTPException(409, "wait until dice lie still in the tray")
            return {"kept": await asyncio.to_thread(here.keep, picture, seen)}

        return await once.do((request.url.path, who.panel, body.id), work)

    @router.post("/api/eye/calibrate", responses=said(403, 404, 409))
    async def calibrate(body: Calibrating, request: Request) -> dict[str, bool]:
        """Begin a calibration, answer what it asks, or end it; `camera` in the feed tells it."""
        who = own(request)
        eye()

        async def work() -> dict[str, bool]:
            talk = desk.table.camera
            if (body.word == "start") != (talk.asks is None):
                raise HTTPException(409, NOT_BEGUN if talk.asks is None else BEGUN)
            answers = {choice.action.word for choice in talk.asks.choices} if talk.asks else ()
            late = body.word != "stop" and body.number != talk.number
            if talk.asks and (late or body.word not in answers):
                raise HTTPException(409, desk.say(STALE))
            desk.emit(CameraAsked(body.word, who.panel))
            await desk.drained()
            return {"done": True}

        return await once.do((request.url.path, who.panel, body.id), work)

    @router.post("/api/tray/throw", responses=said(403, 404, 409, 503))
    async def throw(body: Command, request: Request) -> dict[str, bool]:
        """Throw the rendered dice that the table asks for; before a game, some to try."""
        return await order(request, body, lambda here: here.throw())

    @router.post("/api/tray/drag", responses=said(403, 404, 409, 503))
    async def drag(body: Dragging, request: Request) -> dict[str, bool]:
        """Move a rendered die: a short way is a push, onto another die is a stack."""
        (x, y), (to_x, to_y) = body.start, body.end
        return await order(request, body, lambda here: here.drag((x, y), (to_x, to_y)))

    @router.post("/api/tray/cover", responses=said(403, 404, 409, 503))
    async def cover(body: Command, request: Request) -> dict[str, bool]:
        """Hold a rendered hand over the tray for a while."""
        return await order(request, body, lambda here: here.cover(COVERED))

    @router.post("/api/tray/clear", responses=said(403, 404, 409, 503))
    async def clear(body: Command, request: Request) -> dict[str, bool]:
        """Take every rendered die out of the tray."""
        return await order(request, body, lambda here: here.clear())

    return router
