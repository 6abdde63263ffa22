"""A running daemon with its pages on a free port, and browsers of three lines each."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from companion.bots.api import Players
from companion.daemon.app import web
from companion.eye.child import EyeChild
from companion.eye.protocol import Answer, Glance, Order, Render, Simple
from companion.games.api import Game
from companion.games.kiriai import KIRIAI
from companion.settings.settings import Settings, read
from companion.web.server import Web
from companion.words import Text
from tests.daemon.house import House, running
from tests.patience import within
from tests.table.evening import TWO_SEATS

PAGES = TWO_SEATS.replace("on = false", 'host = "127.0.0.1"\nport = 0\nvirtual = "none"')
VIRTUAL = PAGES.replace('virtual = "none"', 'virtual = "local"')
FIVE_SEATS = """
[table]
state = "{{state}}"
language = "{language}"
[hardware]
panels = "twin"
displays = "twin"
[web]
host = "127.0.0.1"
port = 0
"""
PICTURE = b"\xff\xd8 a picture"
WITH_EYE = '\n[eye]\ncamera = "twin"\n'


class PageHouse(House):
    """The house, with its web."""

    settings: Settings
    web: Web

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.web.port}"


@asynccontextmanager
async def open_pages(
    folder: Path, *, settings: str = PAGES, seed: int = 1,
    game: Game[Any] | dict[str, Game[Any]] = KIRIAI,
    players: Players = lambda _key: (), thinks: bool = True,
) -> AsyncIterator[PageHouse]:  # fmt: skip
    """A daemon and its pages that run for as long as the block."""
    chosen = read(settings.format(state=folder))
    shelf = {game.key: game} if isinstance(game, Game) else game
    house = PageHouse(folder, chosen, seed, shelf, players, thinks)
    house.settings = chosen
    house.web = web(house.daemon, chosen, folder / "journal.db")
    house.devices.sources.append(house.web)
    house.daemon.look_on(house.web)
    async with running(house, house.web.open):
        yield house


class Browser:
    """Speaks HTTP to the house and keeps its cookie."""

    def __init__(self, house: PageHouse) -> None:
        self.house = house
        self.http = httpx.AsyncClient(base_url=house.address, timeout=within(20))
        self._count = 0

    async def __aenter__(self) -> Browser:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def get(self, path: str, **more: Any) -> httpx.Response:
        return await self.http.get(path, **more)

    async def post(self, path: str, body: Any, **more: Any) -> httpx.Response:
        return await self.http.post(path, json=body, **more)

    async def claim(self, panel: int) -> None:
        code = self.house.web.claims.code(panel)
        answer = await self.post("/api/claim", {"panel": panel, "code": code})
        assert answer.status_code == 200, answer.text

    async def snapshot(self, viewer: str) -> dict[str, Any]:
        answer = await self.get("/api/snapshot", params={"as": viewer})
        assert answer.status_code == 200, answer.text
        document: dict[str, Any] = answer.json()["all"]
        return document

    async def choose(self, panel: int, label: str) -> httpx.Response:
        """Pick a choice by its label, as a thumb would."""
        seen = await self.snapshot("seat")
        labels = [choice["label"] for choice in seen["choices"]]
        at = next(n for n, shown in enumerate(labels) if shown.startswith(label))
        return await self.send(panel, "choose", offered=seen["offered"], index=at)

    async def send(self, panel: int, verb: str, **body: Any) -> httpx.Response:
        self._count += 1
        body = {"id": f"{id(self)}-{self._count}", **body}
        return await self.post(f"/api/panels/{panel}/{verb}", body)

    def listen(self, query: str = "as=public", **more: Any) -> connect:
        url = f"ws://127.0.0.1:{self.house.web.port}/api/feed?{query}"
        cookies = "; ".join(f"{k}={v}" for k, v in self.http.cookies.items())
        headers = {"Cookie": cookies} if cookies else {}
        return connect(url, additional_headers=headers, **more)


class Page:
    """What a page makes of a feed."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.number, self.epoch = 0, ""
        self.document: dict[str, Any] = {}
        self.kinds: list[str] = []

    async def hear(self) -> dict[str, Any]:
        """Take the next message."""
        message = json.loads(await asyncio.wait_for(self.socket.recv(), within(20)))
        if "all" in message:
            self.document, self.epoch = message["all"], message["epoch"]
        else:
            assert message["n"] == self.number + 1
            self.document |= message["set"]
            for key in message.get("gone", ()):
                del self.document[key]
        self.kinds.append("all" if "all" in message else "set")
        self.number = message["n"]
        return self.document

    async def until(self, key: str, value: Any) -> None:
        while self.document.get(key) != value:
            await self.hear()


class Still(EyeChild):
    """An eye that sees nothing by itself: it keeps its orders, and answers what a test wants."""

    def __init__(self) -> None:
        super().__init__(["twin"])
        self.orders: list[Order] = []
        self.asleep = False
        self.refuses: Text | None = None  # why it carries out no order
        self.alive.set()

    async def run(self, _emit: Callable[[Any], None]) -> None:
        await asyncio.Event().wait()

    def order(self, given: Order) -> bool:
        if not self.asleep:
            self.orders.append(given)
            if given == Simple("glance"):
                self.glance(Glance(PICTURE, (1280, 960)))
            if isinstance(given, Render):
                self._answered(Answer(given.number, self.refuses or ""))
        return not self.asleep

    @property
    def rendered(self) -> list[Render]:
        return [given for given in self.orders if isinstance(given, Render)]


def secrets_in(text: str, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if name in text]
