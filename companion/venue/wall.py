"""Every table as it stands now: what the broker keeps of each, made fit for a page."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiomqtt

from companion.venue.database import Away
from companion.web.feed import Document
from companion.words import unwritable

log = logging.getLogger(__name__)

KINDS = ("state", "availability", "event", "notify")
AGAIN = 2.0  # seconds until the broker is tried again
PATIENCE = 60.0  # seconds for all that the broker keeps of a thousand tables
MOST = 5000  # tables; of a name that is made up there is no end
LINE, METERS, BEATS = 120, 12, 4  # letters, counters and beats of a tile
EVENING = 24 * 3600.0  # a game that began longer ago has a clock that is wrong


@dataclass(slots=True)
class Seen:
    """A table: what was heard of it last."""

    presence: str = "stale"  # online, offline; stale: nobody knows
    tile: Document = field(default_factory=dict)
    last: str = ""  # the sentence of its last move


class Wall:
    """Hears the broker and keeps the newest of every table; `changed` is called with the news."""

    def __init__(self, prefix: str, clock: Callable[[], float] = time.time) -> None:
        self._prefix, self._clock = prefix, clock
        self._tables: dict[str, Seen] = {}
        self._broker: aiomqtt.Client | None = None
        self._lines: dict[str, str] = {}  # what the broker keeps for the displays
        self.changed: Callable[[], None] = lambda: None

    async def listen(self, client: Callable[[], aiomqtt.Client]) -> None:
        """For ever; a broker that is away is tried again."""
        while True:
            try:
                async with client() as broker:
                    wanted = [(f"{self._prefix}/+/{kind}", 1) for kind in KINDS]
                    await broker.subscribe(wanted, timeout=PATIENCE)
                    self._broker = broker
                    self.changed()
                    async for message in broker.messages:
                        self.heard(str(message.topic), bytes(message.payload or b""))
            except (aiomqtt.MqttError, OSError) as error:
                log.warning("the wall waits: %s", str(error).splitlines()[0])
            finally:
                self._broker = None
                self._lines.clear()
                self.changed()
            await asyncio.sleep(AGAIN)

    async def tell(self, table: str, line: str) -> None:
        """A line for a table's display; the broker keeps it for a table that is off. "" ends it."""
        if self._broker is None:
            raise Away("the broker does not answer: try again in a while")
        try:
            await self._broker.publish(f"{self._prefix}/{table}/notify", line, qos=1, retain=True)
        except aiomqtt.MqttError as error:
            raise Away("the broker does not answer: try again in a while") from error

    def heard(self, topic: str, payload: bytes) -> None:
        """Something of a table; what cannot be shown changes nothing."""
        table, _, kind = topic.removeprefix(f"{self._prefix}/").rpartition("/")
        known: Mapping[str, object] = self._lines if kind == "notify" else self._tables
        if table not in known and len(known) >= MOST:
            return
        if kind == "notify":
            self._lines[table] = payload.decode(errors="replace")
            return
        if kind == "availability" and not payload:  # the broker has forgotten it: it is no more
            self._tables.pop(table, None)
        else:
            self._take(self._tables.setdefault(table, Seen()), kind, payload)
        self.changed()

    def _take(self, seen: Seen, kind: str, payload: bytes) -> None:
        if kind == "availability":
            seen.presence = "online" if payload == b"online" else "offline"
        elif (said := _read(payload)) is None:
            return
        elif kind == "event":
            seen.last = _line(said.get("says"))
        else:
            seen.tile = tile(said, self._clock())
            seen.last = seen.last if seen.tile["entry"] else ""

    @property
    def listens(self) -> bool:
        """Does the broker answer?"""
        return self._broker is not None

    def line(self, table: str) -> str:
        """What was said last to a table's display; "" if nothing."""
        return self._lines.get(table, "")

    @property
    def tables(self) -> list[str]:
        """The names of all tables that were heard."""
        return sorted(self._tables)

    def document(self) -> Document:
        """All tables, a key for each."""
        live = self._broker is not None
        return {"broker": live} | {
            f"table {name}": {
                **seen.tile, "name": name, "last": seen.last,
                "presence": seen.presence if live else "stale",
            }
            for name, seen in self._tables.items()
        }  # fmt: skip


def tile(said: dict[str, Any], now: float) -> Document:
    """What a page shows of a table's state, whatever stands in it."""
    counters, began = said.get("counters"), said.get("began")
    timely = isinstance(began, int | float) and 0 <= now - began < EVENING
    return {
        **{key: _line(said.get(key)) for key in ("game", "key", "entry", "phase", "waiting")},
        "turn": [_line(name) for name in _list(said.get("turn"))],
        "counters": [*filter(None, map(_meter, [*_dict(counters).values()][:METERS]))],
        "beats": [_line(beat) for beat in _list(said.get("beats"))[:BEATS]],
        "over": said.get("over") is True, "result": _line(said.get("result")),
        "began": began if timely else None,
    }  # fmt: skip


def _meter(said: Any) -> list[Any] | None:
    """Name, value and the most that it can be."""
    one = _dict(said)
    value, top = one.get("value"), one.get("max")
    if type(value) is not int or abs(value) > 1e9:
        return None
    return [_line(one.get("name")), value, top if type(top) is int and 0 < top < 1e9 else None]


def _read(payload: bytes) -> dict[str, Any] | None:
    try:
        said = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) and not unwritable(said) else None


def _line(value: Any) -> str:
    return " ".join(value.split())[:LINE] if isinstance(value, str) else ""


def _list(value: Any) -> list[Any]:
    return value[:METERS] if isinstance(value, list) else []


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
