"""Before the application: whose turn it is, who may knock from where, how much may be sent."""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.web.desk import reader
from companion.web.door import Door
from companion.web.origin import Kind, Proxies, owner_of
from companion.web.sessions import COOKIE
from companion.web.turns import Turns

LANGUAGE = "companion_language"  # a cookie that a page sets for itself
BODY = 16 * 1024
IMPORT = 4 * 1024 * 1024  # a game of a whole evening is a tenth of it
SLOWEST = 20.0  # seconds in which a body must have come
CROWDED = "too many connections from where this one comes: close some"
UNMEASURED = "say in Content-Length how long it is"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Wraps the application; a request that is refused here never reaches it.

    `seat` tells whose token it is. Who speaks for a seat never waits for strangers.
    """

    def __init__(
        self,
        app: ASGIApp,
        seat: Callable[[str | None], int | None],
        door: Door,
        proxies: Proxies,
        turns: Turns,
        names: Iterable[str] = (),
        limits: Mapping[str, int] | None = None,
    ) -> None:
        self.app, self._seat = app, seat
        self._door, self._proxies, self._turns = door, proxies, turns
        self._names = frozenset(name.lower() for name in names)
        self._limits = limits or {}  # how paths end that take more than a few words

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        client = scope.get("client")
        scope = self._proxies.seen_through(scope)
        kind, owner = self._who(scope)
        place = self._door.spoke(client, kind, owner)
        try:
            at_once = kind == "seat" or (kind == "local" and scope.get("method") == "POST")
            if at_once:
                self._turns.busy()
            if not place:
                why: tuple[int, str] | None = (503, CROWDED)
            elif "transfer-encoding" in Headers(scope=scope):  # chunks of a byte cost too much
                why = 411, UNMEASURED
            elif at_once or await self._turns.wait(owner, client):
                why = self._wrong(scope)
            else:
                why = (503, "the table is being closed")
            await self._serve(scope, receive, send, why)
        finally:
            self._door.rested(client)

    def _who(self, scope: Scope) -> tuple[Kind, str]:
        """What kind of caller it is, and with whom it shares its places."""
        return owner_of(scope, self._seat(HTTPConnection(scope).cookies.get(COOKIE)))

    async def _serve(
        self, scope: Scope, receive: Receive, send: Send, why: tuple[int, str] | None
    ) -> None:
        reader.set(HTTPConnection(scope).cookies.get(LANGUAGE, ""))
        if scope["type"] == "websocket":
            if why is None:
                await self.app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 4403, "reason": why[1]})
            return
        answer = _with_headers(send, scope["path"])
        if why is not None:
            await _refuse(answer, *why)
            return
        body = _Body(receive, self._limit(scope["path"]))
        await self.app(scope, body.receive, answer)

    def _limit(self, path: str) -> int:
        return next((most for end, most in self._limits.items() if path.endswith(end)), BODY)

    def _wrong(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request is not taken, or None."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._known(host):
            return 421, "this table is not known by that name; use its address"
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            return None
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "this request comes from another site"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "this request comes from another site"
        length = headers.get("content-length", "0")
        limit = self._limit(scope["path"])
        if not length.isdecimal() or len(length) > 12 or int(length) > limit:
            return 413, f"at most {limit} bytes are taken here"
        return None

    def _known(self, host: str) -> bool:
        """An address, a name of the house network, or one of the settings: no name of a stranger.

        A site elsewhere may point its own name at this address; it must not find us under it.
        """
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in self._names or name.endswith(".local") or (name and "." not in name):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


class _Body:
    """What a request sends, counted and timed: a body that does not end is refused."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive, self._limit = receive, limit
        self._until = asyncio.get_running_loop().time() + SLOWEST
        self._got, self._ended = 0, False

    async def receive(self) -> Message:
        if self._ended:  # from here on, the application only waits for the browser to go away
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError as error:
            raise HTTPException(408, "the request did not come in time") from error
        if message["type"] == "http.request":
            self._got += len(message.get("body", b""))
            self._ended = not message.get("more_body", False)
            if self._got > self._limit:
                raise HTTPException(413, f"at most {self._limit} bytes are taken here")
        return message


def _with_headers(send: Send, path: str) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("Cache-Control", "no-store" if path[:5] == "/api/" else "no-cache")
        await send(message)

    return send_with_headers


async def _refuse(send: Send, status: int, why: str) -> None:
    body = json.dumps({"detail": why}).encode()
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
