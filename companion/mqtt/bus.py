"""The broker as a device of the table: it is told everything public, and holds up nobody.

The table's loop only sets a flag. Three tasks of this source do the rest while the broker answers:
the newest state and what happened, the outbox, and what others ask of the glass.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import ssl
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.errors import CompanionError, DeviceLost
from companion.events import DeviceUp, Emit, Message
from companion.memory.codec import json_line
from companion.memory.sent import Notes
from companion.mqtt.home_assistant import discovery, platforms, retiring
from companion.mqtt.outbox import BATCH, Outbox
from companion.mqtt.telling import Json, events, public_state, saying
from companion.ports import News
from companion.settings.settings import MqttSettings
from companion.table.play import Play
from companion.words import Translate

if TYPE_CHECKING:
    import aiomqtt

log = logging.getLogger(__name__)

NAME = "broker"
FAREWELL = 2.0  # seconds to say that we leave
PATIENCE = 5.0  # seconds for an answer of the broker
GLASS_FIRST = 0.1  # seconds in which the glasses are drawn before we take processor time
PACE = 0.5  # seconds between two things that others may ask of the glass
WAITING = 16  # of these that are kept meanwhile; the rest is dropped
LAST = 2  # games before this one that are told again to a broker that is back: a lobby, a game
LONGEST = 80  # letters of a line for the table's display
BAD_LOGIN = (4, 5, 134, 135)  # what brokers answer to a user who is none


class Refused(DeviceLost):
    """The broker does not let this user in."""


@dataclass(frozen=True, slots=True)
class Told:
    """How far events were told: in which game, to which entry, whether of its end."""

    game: int
    seq: int = 0
    over: bool = False

    @classmethod
    def of(cls, play: Play) -> Told:
        """All that has happened."""
        return cls(play.number, play.line.seq, play.over)


class Bus:
    """A source (the broker may be lost and come back) and an onlooker."""

    name, proves_itself, longest_pause = NAME, True, 30.0

    def __init__(
        self, settings: MqttSettings, play: Play, outbox: Outbox, notes: Notes,
        translate: Translate = str,
    ) -> None:  # fmt: skip
        self._settings, self._play = settings, play
        self._outbox, self._notes, self._translate = outbox, notes, translate
        self.table = table_id(settings)
        self._base = f"{settings.prefix}/{self.table}"
        self._news, self._moved = asyncio.Event(), asyncio.Event()
        self._told = Told.of(play)
        self._state: Json | None = None
        self._known: dict[str, str] = {}  # components that the broker holds, with their platforms
        self._announced: Json | None = None  # the newest message of discovery

    def changed(self, _news: News) -> None:
        """Something happened: the tasks look when they have time."""
        self._news.set()
        self._moved.set()

    async def run(self, emit: Emit) -> None:
        """Until the broker is lost."""
        if find_spec("aiomqtt") is None:
            raise DeviceLost("aiomqtt is not installed: pip install 'table-companion[mqtt]'")
        try:
            await self._visit(self._client(), emit)
        except Exception as error:
            why = sentence(error, self._settings)
            if why is None:
                raise
            raise (Refused if refused(error) else DeviceLost)(why) from error

    async def _visit(self, client: aiomqtt.Client, emit: Emit) -> None:
        self._announced = None  # a broker that was started anew may have forgotten it
        async with client, asyncio.TaskGroup() as tasks:
            emit(DeviceUp(NAME))
            try:
                await self._greet(client)
                tasks.create_task(self._tell(client))
                tasks.create_task(self._send(client))
                still_wanted()
                await self._hear(client, emit)
            except asyncio.CancelledError:
                await self._leave(client)
                raise

    def _client(self) -> aiomqtt.Client:
        import aiomqtt

        will = aiomqtt.Will(f"{self._base}/availability", "offline", qos=1, retain=True)
        return client_of(self._settings, f"companion-{self.table}", will=will,
                         max_queued_incoming_messages=WAITING)  # fmt: skip

    async def _greet(self, client: aiomqtt.Client) -> None:
        newest = self._play.number  # a broker that was killed may have lost what it had taken
        self._notes.forget(newest - LAST, newest)
        for topic in ("notify", "wake", "again"):
            await client.subscribe(f"{self._base}/{topic}")
        if self._settings.discovery:
            await client.subscribe(self._config)  # what it still holds of an earlier game
        await client.publish(f"{self._base}/availability", "online", qos=1, retain=True)

    async def _leave(self, client: aiomqtt.Client) -> None:
        """A clean goodbye has no last will."""
        import aiomqtt

        with suppress(aiomqtt.MqttError, TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await client.publish(f"{self._base}/availability", "offline", qos=1, retain=True)

    async def _tell(self, client: aiomqtt.Client) -> None:
        """The newest state, always; events from here on."""
        self._told, self._state = Told.of(self._play), None
        while True:
            self._news.clear()
            await self.tell(client)
            await self._rest(self._news)

    async def tell(self, client: aiomqtt.Client) -> None:
        """What is news of the state, and what happened since the last time."""
        say, now = saying(self._play, self._translate), Told.of(self._play)
        before = self._told if self._told.game == now.game else Told(now.game)
        happened = [*events(self._play, say, before.seq, before.over)]
        self._told, state = now, public_state(self._play, say)
        await self._discover(client, state)
        if state != self._state:
            self._state, line = state, json_line(state)
            await client.publish(f"{self._base}/state", line, qos=1, retain=True)
        for event in happened:
            await client.publish(f"{self._base}/event", json_line(event), qos=1)

    async def _rest(self, news: asyncio.Event) -> None:
        """Until something has happened and stands on the glasses."""
        still_wanted()
        await news.wait()
        await asyncio.sleep(GLASS_FIRST)

    @property
    def _config(self) -> str:
        return f"{self._settings.discovery}/device/table_companion_{self.table}/config"

    async def _discover(self, client: aiomqtt.Client, state: Json) -> None:
        """Tell Home Assistant what there is now, if that is news; what is gone is retired first."""
        if not self._settings.discovery:
            return
        now = discovery(self.table, self._base, state, self._translate, __version__)
        gone = retiring(self._known.items(), now)
        if gone is None and now == self._announced:
            return
        self._known, self._announced = platforms(now), now
        for message in filter(None, (gone, now)):
            await client.publish(self._config, json_line(message), qos=1, retain=True)

    async def _send(self, client: aiomqtt.Client) -> None:
        while True:
            self._moved.clear()
            await self.send(client)
            await self._rest(self._moved)

    async def send(self, client: aiomqtt.Client) -> None:
        """The outbox, oldest first, from the note of how far it was sent, until it is empty."""
        topic = f"{self._base}/entry"
        while letters := await asyncio.to_thread(self._outbox.batch):
            lines = [letter.line for letter in letters if letter.line]
            await asyncio.gather(*(client.publish(topic, line, qos=1) for line in lines))
            newest = {letter.sent.game: letter.sent for letter in letters}
            self._notes.keep(newest.values())
            await asyncio.sleep(GLASS_FIRST / 2)  # a week's backlog leaves the loop to the play

    async def _hear(self, client: aiomqtt.Client, emit: Emit) -> None:
        """What others ask of the glass, at a pace that no flood can raise."""
        async for message in client.messages:
            topic, payload = str(message.topic), bytes(message.payload or b"")
            if topic == self._config:
                if message.retain:
                    self._held(payload)
                continue
            if topic.endswith("/again"):
                self._repeat(payload)
            elif topic.endswith("/wake"):
                emit(Message(""))
            elif line := one_line(payload):
                emit(Message(line))
            await asyncio.sleep(PACE)

    def _repeat(self, payload: bytes) -> None:
        """A venue misses something of a game."""
        if (game := payload.decode(errors="replace")).isdecimal() and len(game) < 10:
            self._notes.forget(int(game), int(game))
            self._moved.set()

    def _held(self, payload: bytes) -> None:
        """A message of discovery that the broker has kept: what it tells of may be gone."""
        with suppress(ValueError, RecursionError):
            before = platforms(json.loads(payload))
            if before.items() - self._known.items():
                self._known = before | self._known
                self._news.set()


def client_of(settings: MqttSettings, name: str, **more: Any) -> aiomqtt.Client:
    """A client of the broker that the settings name."""
    import aiomqtt

    tls = ssl.create_default_context(cafile=settings.ca or None) if settings.tls else None
    client = aiomqtt.Client(
        settings.broker, port(settings), identifier=name, username=settings.user or None,
        password=_password(settings.password_file), tls_context=tls, timeout=PATIENCE,
        logger=log.getChild("client"), **more,
    )  # fmt: skip
    client.pending_calls_threshold = 2 * BATCH  # of these it warns only beyond that
    return client


def still_wanted() -> None:
    """Raise the cancellation that a call of the client has swallowed: in Python 3.11 `wait_for`
    drops one that comes together with the answer."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def port(settings: MqttSettings) -> int:
    """As set, else the usual one."""
    return settings.port or (8883 if settings.tls else 1883)


def table_id(settings: MqttSettings) -> str:
    """How the bus calls this table: as set, else the machine's name."""
    return settings.table or re.sub(r"[^A-Za-z0-9_-]+", "-", os.uname().nodename)[:40] or "table"


def one_line(payload: bytes) -> str:
    """A line for the glass, whatever came; "" if nothing can be shown."""
    words = "".join(one if one.isprintable() else " " for one in payload.decode(errors="replace"))
    return " ".join(words.split())[:LONGEST]


def _password(path: str) -> str | None:
    return Path(path).expanduser().read_text("utf-8").strip() if path else None


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def refused(error: BaseException) -> bool:
    """Whether a broker has refused our user and password."""
    from aiomqtt.exceptions import MqttConnectError

    error = _first(error)
    code = getattr(error, "rc", None)
    return isinstance(error, MqttConnectError) and getattr(code, "value", code) in BAD_LOGIN


def sentence(error: BaseException, settings: MqttSettings) -> str | None:
    """What keeps the broker from us, for the maker; None: it is a bug of ours."""
    import aiomqtt

    error = _first(error)
    where = f"{settings.broker}:{port(settings)}"
    cause = error.__context__ if type(error) is aiomqtt.MqttError else error
    match cause:
        case CompanionError():
            return str(cause)
        case _ if refused(error):
            return f"{where} refuses this user and password: mend [mqtt] user and password_file"
        case ssl.SSLCertVerificationError():
            return f"{where} shows a certificate that does not fit: {cause.verify_message}"
        case ssl.SSLError():
            return f"{where} speaks no TLS that we understand: {cause.reason or cause}"
        case OSError(filename=str(file)):
            return f"{file} cannot be read: {cause.strerror}"
        case UnicodeDecodeError():
            return f"{settings.password_file} holds no password: it is not UTF-8"
        case OSError():
            return f"{where} does not answer: {cause.strerror or cause or error}"
    return f"{where} has gone: {error}" if isinstance(error, aiomqtt.MqttError) else None
