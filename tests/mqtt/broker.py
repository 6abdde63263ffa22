"""A real Mosquitto on loopback, started and stopped by the tests, and somebody who listens."""

from __future__ import annotations

import asyncio
import getpass
import json
import shutil
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiomqtt

from tests.patience import within

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@dataclass
class Broker:
    """One Mosquitto; killed and started again it listens where it did, and has its memory."""

    folder: Path
    user: str = ""
    password: str = ""
    certificate: tuple[Path, Path] | None = None  # certificate, key
    access: str = ""  # the access list
    memory: tuple[str, ...] = ("autosave_interval 1", "autosave_on_changes true")
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> Broker:
        self.folder.mkdir(exist_ok=True)
        rows = [f"listener {self.port} 127.0.0.1", f"user {getpass.getuser()}",
                "persistence true", f"persistence_location {self.folder}/",
                *self.memory, "max_queued_messages 0",
                "log_type none",
                f"allow_anonymous {'false' if self.user else 'true'}"]  # fmt: skip
        if self.user:
            self.admit(self.user, self.password)
            rows.append(f"password_file {self.folder / 'passwords'}")
        if self.access:
            (self.folder / "access").write_text(self.access)
            rows.append(f"acl_file {self.folder / 'access'}")
        if self.certificate:
            rows += [f"certfile {self.certificate[0]}", f"keyfile {self.certificate[1]}"]
        config = self.folder / "mosquitto.conf"
        config.write_text("\n".join(rows) + "\n")
        assert MOSQUITTO, "sh tests/get_tools.sh installs Mosquitto"
        self.process = subprocess.Popen(
            [MOSQUITTO, "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + within(20)
        while time.monotonic() < end:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 0.1):
                return self
            time.sleep(0.01)
        raise AssertionError("Mosquitto does not start")

    def admit(self, user: str, password: str) -> None:
        """One more who may come in, from the next start on."""
        words = self.folder / "passwords"
        words.touch(0o600)
        command = ["mosquitto_passwd", "-b", str(words), user, password]
        subprocess.run(command, check=True, capture_output=True)

    def kill(self, how: int = 9) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait()

    def freeze(self) -> None:
        """It answers nobody, and every connection stands."""
        assert self.process is not None
        self.process.send_signal(19)

    def thaw(self) -> None:
        assert self.process is not None
        self.process.send_signal(18)

    def settings(self, **more: Any) -> str:
        """`[mqtt]` for a table of this broker."""
        rows = {"broker": "127.0.0.1", "port": self.port, "table": "t1"} | more
        return "\n[mqtt]\n" + "".join(
            f"{key} = {json.dumps(value)}\n" for key, value in rows.items()
        )


@dataclass
class Ear:
    """Hears everything, retained messages included; what came while it was away is kept for it."""

    name: str = "ear"
    heard: list[tuple[str, bytes]] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    client: aiomqtt.Client | None = None

    def of(self, end: str) -> list[Any]:
        """The messages of the topics that end like this."""
        return [json.loads(said) for topic, said in self.heard if topic.endswith(end) and said]

    def last(self, end: str) -> Any:
        found = self.of(end)
        return found[-1] if found else None

    def raw(self, end: str) -> list[bytes]:
        return [said for topic, said in self.heard if topic.endswith(end)]

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(within(20)):
            while not true():
                self.news.clear()
                await self.news.wait()

    async def listen(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            self.heard.append((str(message.topic), bytes(message.payload or b"")))
            self.news.set()

    async def say(self, topic: str, payload: str | bytes) -> None:
        assert self.client is not None
        await self.client.publish(topic, payload, qos=1)


@asynccontextmanager
async def listening(broker: Broker, ear: Ear | None = None) -> AsyncIterator[Ear]:
    """Somebody who listens for as long as the block."""
    ear = ear or Ear()
    async with aiomqtt.Client(
        "127.0.0.1", broker.port, username=broker.user or None, password=broker.password or None,
        identifier=ear.name, clean_session=False,
    ) as client:  # fmt: skip
        ear.client = client
        await client.subscribe("#", qos=1)
        task = asyncio.create_task(ear.listen(client))
        try:
            yield ear
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, aiomqtt.MqttError):
                await task
