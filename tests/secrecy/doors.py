"""Every way by which something leaves a running table. A door is a function from a running world
and a viewer (a seat, or None: the public) to labelled bytes: all that this viewer can get there.

Another door is another function here, and its name in `ALWAYS` (it is looked through after every
move) or in `ONCE` (it costs more: only before the secret is told).
"""

from __future__ import annotations

import asyncio
import json
import zipfile
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeAlias

from websockets.asyncio.client import ClientConnection, connect

from companion.care.support import support
from companion.errors import Illegal
from companion.memory.records import exported, listed
from companion.memory.sent import Notes
from companion.mqtt.bus import Bus
from companion.mqtt.outbox import Outbox, chained
from companion.settings.settings import MqttSettings
from companion.table.agreement import drafted
from companion.table.menu import Open, Propose
from companion.table.offers import offer
from tests.patience import within
from tests.secrecy.pairs import Viewer
from tests.secrecy.worlds import GLASSES, LAMPS, World

Seen: TypeAlias = AsyncIterator[tuple[str, bytes]]
Door: TypeAlias = Callable[[World, Viewer], Seen]


async def views(world: World, viewer: Viewer) -> Seen:
    """What the table means to show, before anybody draws it."""
    table = world.house.table
    yield "view", repr(table.public() if viewer is None else table.panel(viewer)).encode()
    yield "display", repr(table.view(GLASSES[viewer])).encode()
    if viewer is None and (coming := table.moment()) is not None:  # everybody sees it come
        after, event = coming
        yield "moment", repr((after, type(event), getattr(event, "panel", None))).encode()


async def company(world: World, viewer: Viewer) -> Seen:
    """What the companion decided, sealed or not: a door by which a secret would reach a player."""
    journal, table = world.house.journal, world.house.table
    if viewer is None and world.pair.company:
        for entry in journal.entries(table.play.number):
            if "bot" in entry.body:
                yield f"entry {entry.seq}", json.dumps(entry.body).encode()


async def wires(world: World, viewer: Viewer) -> Seen:
    """Every byte on the wire of a glass since the last look, and the picture that it makes."""
    devices, name = world.house.devices, GLASSES[viewer]
    tap = world.kept(f"tap {name}", lambda: Tap(devices.buses[name]))
    yield f"wire of {name}", bytes(tap.bytes)
    yield f"picture on {name}", devices.glass[name]().tobytes()
    tap.bytes.clear()


class Tap:
    """Every byte on a display's wire."""

    def __init__(self, bus: Any) -> None:
        self.bytes = bytearray()
        write = bus._write

        def listening(address: int, data: bytes) -> None:
            self.bytes += bytes([address]) + data
            write(address, data)

        bus._write = listening


async def lamps(world: World, viewer: Viewer) -> Seen:
    """When each lamp went on and off: everybody at the table sees all of them."""
    assert world.house.devices.finger is not None
    for panel, pin in enumerate(LAMPS if viewer is None else ()):
        states = world.house.devices.finger.factory.pin(pin).states
        yield f"lamp {panel}", repr([bool(one.state) for one in states]).encode()


async def log(world: World, viewer: Viewer) -> Seen:
    """What the daemon has told its log, every line of it."""
    if viewer is None:
        yield "lines", "\n".join(world.log).encode()


async def feed(world: World, viewer: Viewer) -> Seen:
    """The messages of a WebSocket since the last look, in their order."""
    wanted: Any = "public" if viewer is None else viewer
    query, cookie = ("public" if viewer is None else "seat"), world.phone(viewer).cookie
    address = f"ws://127.0.0.1:{world.house.web.port}/api/feed?as={query}"
    socket = world.kept(f"feed {viewer}", lambda: Socket(address, cookie))
    said = await socket.hear(lambda: world.house.web.feeds._feeds[wanted, ""].number)
    for number, message in enumerate(said):
        yield f"message {number}", message


class Socket:
    """A page that listens."""

    def __init__(self, address: str, cookie: str) -> None:
        head = {"Cookie": cookie} if cookie else {}
        self._opening = connect(address, additional_headers=head, open_timeout=within(20))
        self._socket: ClientConnection | None = None
        self._number = -1

    async def hear(self, newest: Callable[[], int]) -> list[bytes]:
        """Everything up to the newest message that the table has for it."""
        self._socket = self._socket or await self._opening
        said = []
        while self._number < 0 or self._number != newest():
            async with asyncio.timeout(within(20)):
                message = await self._socket.recv(decode=False)
            said.append(message)
            self._number = json.loads(message)["n"]
        return said

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()


async def window(world: World, viewer: Viewer) -> Seen:
    """What the local window tells of a glass to whoever opens it now."""
    reader, writer = await asyncio.open_unix_connection(world.folder / "window.sock")
    try:
        for _ in GLASSES:
            async with asyncio.timeout(within(20)):
                row = await reader.readline()
            if json.loads(row)["display"] == GLASSES[viewer]:
                yield "row", row
    finally:
        writer.close()


class Wire:
    """In the place of a client of a broker: keeps every byte that would go there."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes]] = []

    async def publish(self, topic: str, payload: str, **_: Any) -> None:
        self.sent.append((topic, payload.encode()))


async def broker(world: World, viewer: Viewer) -> Seen:
    """Every message for a broker since the last look: discovery, state, events, entries.

    A hash is left out once it is seen to follow from what stands in the messages themselves.
    """
    if viewer is not None:
        return
    house, wire = world.house, world.kept("wire", Wire)
    path, shelf = world.folder / "journal.db", {world.pair.game.key: world.pair.game}
    bus = world.kept("bus", lambda: Bus(
        MqttSettings(broker="broker", table="t1"), house.table.play, Outbox(path, shelf, "t1"),
        world.kept("notes", lambda: _Notes(path)),
    ))  # fmt: skip
    client: Any = wire
    await bus.tell(client)
    await bus.send(client)
    for topic, payload in wire.sent:
        if topic.endswith("/entry"):
            message = json.loads(payload)
            hash, before = message.pop("hash"), world.kept("hashes", lambda: [""])
            before.append(chained(before[-1], message))
            assert hash == before[-1], "a hash of something else"
            payload = json.dumps(message).encode()
        yield topic, payload
    wire.sent.clear()


class _Notes(Notes):
    """As a door has it: closed with the world."""

    async def close(self) -> None:  # type: ignore[override]
        super().close()


NEVER = 2**30  # the number of no offer
QUERIES = {
    "/api/snapshot": ("?as=public", "?as=seat", "?as=table"),
    "/api/games": ("", "?search=e"),
    "/api/games/{number}": ("", "?seat=0", "?seat=1"),
    "/api/box/{game}": ("", "?search=e"),
}
BODIES: dict[str, dict[str, Any]] = {
    "/api/leave": {},
    "/api/claim": {"panel": 0, "code": "GUESS7"},
    "/api/panels/{panel}/choose": {"id": "1", "offered": NEVER, "index": 0},
    "/api/panels/{panel}/menu": {"id": "1", "opened": False},
    "/api/panels/{panel}/name": {"id": "1", "name": "Nobody"},
    "/api/panels/{panel}/press": {"id": "1", "key": "select"},
    "/api/eye/correct": {"id": "1", "track": 0, "value": 1},
    "/api/eye/calibrate": {"id": "1", "word": "start"},
    "/api/box/{game}": {"id": "1", "name": "Nobody", "kind": "pc", "values": {}},
    "/api/box/{game}/{card}": {"id": "1", "values": {"strength": 9}},
    "/api/tray/drag": {"id": "1", "start": [0, 0], "end": [1, 1]},
}


async def routes(world: World, viewer: Viewer) -> Seen:
    """Every answer over HTTP, head and body, of every route that the API describes.

    The pages themselves are files that no table changes.
    """
    phone = world.phone(viewer)
    for template, methods in _described(world).items():
        path = template.format(number=world.house.table.play.number, panel=viewer or 0,
                               game="hack", card="elk")  # fmt: skip
        for query in QUERIES.get(template, ("",)) if "get" in methods else ():
            yield f"GET {path}{query}", await phone.ask("GET", path + query)
        if "post" in methods and (viewer is None or "{panel}" in template):
            body = json.dumps(BODIES.get(template, {"id": "1"})).encode()
            yield f"POST {path}", await phone.ask("POST", path, body)


_PATHS: dict[str, Any] = {}


def _described(world: World) -> dict[str, Any]:
    """Paths and their methods, worked out once: they are the same for every table."""
    if not _PATHS:
        app: Any = world.house.web.app.app
        _PATHS.update(app.openapi()["paths"])
    return _PATHS


PLACES, PROPOSALS = 24, 3  # of a menu at most; of each place


async def menu(world: World, viewer: Viewer) -> Seen:
    """The table's menu to its leaves, and what some proposals of each place would say to all."""
    table, paths = world.house.table, [("menu",), ("hand",)]
    for path in paths if viewer is not None else ():  # it grows
        view, _ = offer(table.scene, viewer, path)
        yield f"place {path}", repr(view).encode()
        actions = [choice.action for choice in view.choices]
        deeper = [one.path for one in actions if isinstance(one, Open) and one.path not in paths]
        paths += deeper[: PLACES - len(paths)]
        for wish in [one for one in actions if isinstance(one, Propose)][:PROPOSALS]:
            yield f"proposal {wish.kind} {wish.what}", _said(table.play.line, viewer, wish)


def _said(line: Any, seat: Any, wish: Propose) -> bytes:
    try:
        return repr(drafted(line, seat, wish).says).encode()
    except Illegal as refusal:
        return repr(refusal).encode()


async def records(world: World, viewer: Viewer) -> Seen:
    """What the commands for games of the past print: the list and the export."""
    if viewer is not None:
        return
    journal, shelf = world.house.journal, world.house.web.desk.shelf
    for record in listed(journal):
        yield "listed", repr((record.key, record.seats, record.ended, record.result)).encode()
        for line in exported(journal, record, shelf):
            yield "exported", line.encode()


async def bundle(world: World, viewer: Viewer) -> Seen:
    """The support bundle of now, made where journalctl has the daemon's log."""
    if viewer is not None:
        return
    to, said = world.folder / "bundle.zip", "\n".join(world.log)
    machine, shelf = world.machine_with_log(said), world.house.web.desk.shelf
    to.unlink(missing_ok=True)
    support(to, world.house.settings, None, (), machine, shelf, lambda: 1.0)
    with zipfile.ZipFile(to) as made:
        for name in made.namelist():
            yield name, made.read(name)


ALWAYS: dict[str, Door] = {
    "view": views, "wire": wires, "lamp": lamps, "log": log, "feed": feed, "company": company,
    "broker": broker,
}  # fmt: skip
ONCE: dict[str, Door] = {
    "window": window, "http": routes, "menu": menu, "records": records, "bundle": bundle,
}  # fmt: skip
