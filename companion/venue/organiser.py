"""Who may draw rounds and make leagues: a browser that has typed the code off the terminal."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import Field

from companion.venue.database import Database
from companion.web.asks import Body, said
from companion.web.sessions import (
    CODE_PAUSE,
    CODE_TRIES,
    LIFE,
    Bucket,
    Guesses,
    TooOften,
    WrongCode,
    fresh_code,
    hashed,
)

log = logging.getLogger(__name__)

COOKIE = "companion_organiser"
EVENING = 12 * 3600  # seconds that a browser stays signed in
SHOWN, SHOW_PAUSE = 3, 30.0  # how often anybody may have the code written once more


class Organisers:
    """Codes and cookies stand in the database, so that every instance knows them; tries do not."""

    def __init__(
        self, database: Database, show: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._database, self._show, self._clock = database, show, clock
        self._code, self._since = "", 0.0
        self._guesses = Guesses(clock)
        self._guessed = Bucket(CODE_TRIES, CODE_PAUSE, clock())
        self._shown = Bucket(SHOWN, SHOW_PAUSE, clock())

    async def show(self) -> None:
        """Write the code into the terminal: the one that counts, or another when it is over."""
        if seconds := self._shown.wait(self._clock()):
            raise TooOften(seconds)
        async with self._database.asked() as db:
            known = await db.execute(
                "SELECT 1 FROM codes WHERE hash = %s AND until > now()", (hashed(self._code),)
            )
            if await known.fetchone() is None:
                self._code = fresh_code()
                await db.execute(
                    "INSERT INTO codes VALUES (%s, now() + %s * interval '1 second')",
                    (hashed(self._code), LIFE),
                )
        self._show(self._code)

    async def sign_in(self, code: str, address: str) -> str:
        """A token for a browser; the code is spent."""
        self._guesses.take(address, self._guessed)
        async with self._database.asked() as db:
            await db.execute("DELETE FROM codes WHERE until < now()")
            spent = await db.execute(
                "DELETE FROM codes WHERE hash = %s RETURNING 1", (hashed(code.strip().upper()),)
            )
            if await spent.fetchone() is None:
                log.warning("a wrong code for an organiser from %s", address)
                raise WrongCode("this is not the code in the terminal, or it is over")
            token = secrets.token_urlsafe(24)
            await db.execute(
                "INSERT INTO organisers VALUES (%s, now() + %s * interval '1 second')",
                (hashed(token), EVENING),
            )
        return token

    async def known(self, token: str | None) -> bool:
        """Does this browser speak for an organiser?"""
        if not token:
            return False
        async with self._database.asked() as db:
            found = await db.execute(
                "SELECT 1 FROM organisers WHERE hash = %s AND until > now()", (hashed(token),)
            )
            return await found.fetchone() is not None

    async def sign_out(self, token: str | None) -> None:
        """This browser looks on again."""
        async with self._database.asked() as db:
            await db.execute(
                "DELETE FROM organisers WHERE hash = %s OR until < now()", (hashed(token or ""),)
            )

    async def only(self, request: Request) -> None:
        """For routes: nobody else comes in."""
        if not await self.known(request.cookies.get(COOKIE)):
            raise HTTPException(403, "only an organiser may do this: sign in first")


class Code(Body):
    """The six letters in the terminal."""

    code: Annotated[str, Field(min_length=1, max_length=16)]


def routes(organisers: Organisers) -> APIRouter:
    """Signing in and out."""
    router = APIRouter(tags=["organiser"])

    @router.post("/api/organiser/code", responses=said(429))
    async def code() -> dict[str, bool]:
        """Write the code into the venue's terminal."""
        await organisers.show()
        return {"shown": True}

    @router.post("/api/organiser", responses=said(403, 429))
    async def sign_in(body: Code, request: Request, response: Response) -> dict[str, bool]:
        """Speak for an organiser, for an evening."""
        address = request.client.host if request.client else ""
        token = await organisers.sign_in(body.code, address)
        response.set_cookie(COOKIE, token, max_age=EVENING, httponly=True, samesite="strict")
        return {"organiser": True}

    @router.post("/api/organiser/leave")
    async def leave(request: Request, response: Response) -> dict[str, Any]:
        """Only look on."""
        await organisers.sign_out(request.cookies.get(COOKIE))
        response.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return {"organiser": False}

    return router
