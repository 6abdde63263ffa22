"""`companion venue` in a process of its own with its pages, and browsers of a few lines."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import aiomqtt
import httpx

from tests.mqtt.broker import Broker, free_port
from tests.patience import within
from tests.venue.postgres import Postgres


@dataclass
class Site:
    """Where the pages stand, and what the terminal says."""

    address: str
    process: subprocess.Popen[str]

    def code(self) -> str:
        """The next code in the terminal."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"signs in with (\w+);", line):
                return found[1]
        raise AssertionError("the venue has ended")

    def browser(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=within(30))

    @contextmanager
    def organiser(self) -> Iterator[httpx.Client]:
        """A browser that has signed in with the code of the start."""
        with self.browser() as found:
            answer = found.post("/api/organiser", json={"code": self.code()})
            assert answer.status_code == 200, answer.text
            yield found


@contextmanager
def site(broker: Broker, postgres: Postgres, name: str = "one", more: str = "") -> Iterator[Site]:
    """Pages that answer for as long as the block."""
    settings = broker.folder / f"{name}.toml"
    web = f'[web]\nhost = "127.0.0.1"\nport = {free_port()}\n'
    settings.write_text(
        f'{more}[table]\nstate = "{broker.folder}"\n{web}' + broker.settings(table=name)
    )
    command = [sys.executable, "-m", "companion", "venue", "-s", str(settings),
               "--database", postgres.address]  # fmt: skip
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        for line in child.stdout:
            if found := re.search(r"stands at (http\S+)/", line):
                yield Site(found[1], child)
                break
        else:
            raise AssertionError("the venue has ended")
    finally:
        child.kill()
        child.wait()
        child.stdout and child.stdout.close()


def state(**more: Any) -> dict[str, Any]:
    """What a table says of itself."""
    return {
        "game": "Kiri-ai: The Duel", "key": "kiriai", "entry": "1/7", "phase": "Round 2",
        "waiting": "Asuna lays two cards", "turn": ["Asuna"], "beats": ["Asuna wounds Kirito"],
        "counters": {"w0": {"name": "Wounds of Kirito", "value": 1, "max": 2},
                     "w1": {"name": "Wounds of Asuna", "value": 0, "max": 2}},
        "over": False, "result": None, "began": None,
    } | more  # fmt: skip


async def tell(broker: Broker, *said: tuple[str, Any]) -> None:
    """Retained messages of tables: topic and JSON, or a word."""
    async with aiomqtt.Client("127.0.0.1", broker.port) as client:
        client.pending_calls_threshold = 2000
        for topic, what in said:
            line = what if isinstance(what, str) else json.dumps(what)
            await client.publish(f"companion/{topic}", line, qos=1, retain=True)
