"""`make venue`: a broker, a database, five tables that play, and the venue's pages, to look at.

Everything is a child of this program or runs in it, on loopback, in a folder that goes with it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

from tests.mqtt.broker import Broker
from tests.venue.playing import Playing
from tests.venue.postgres import Postgres

TABLES = {  # and what they play
    "table-1": ("kiriai",), "table-2": ("kiriai",), "table-3": ("sao",),
    "table-4": ("hack", "sainome"), "table-5": ("swordcrafters", "sao"),
}  # fmt: skip


async def look(folder: Path, port: int, stop: threading.Event) -> None:
    """Until it is stopped."""
    with ExitStack() as stack:
        broker = Broker(folder / "broker").start()
        stack.callback(broker.kill)
        postgres = Postgres().start()
        stack.callback(postgres.remove)
        settings = folder / "venue.toml"
        web = f'[web]\nhost = "127.0.0.1"\nport = {port}\n'
        settings.write_text(
            f'[table]\nstate = "{folder}/venue"\n{web}{broker.settings(table="one")}'
        )
        command = [sys.executable, "-m", "companion", "venue", "-s", str(settings),
                   "--database", postgres.address]  # fmt: skip
        venue = subprocess.Popen(command)  # noqa: ASYNC220  # it writes into this terminal
        stack.callback(venue.wait)
        stack.callback(venue.terminate)
        async with asyncio.TaskGroup() as tasks:
            playing = [
                tasks.create_task(
                    Playing(folder / name, name, broker.settings(table=name), seed).run(*keys)
                )
                for seed, (name, keys) in enumerate(TABLES.items())
            ]
            await asyncio.to_thread(stop.wait)
            for task in playing:
                task.cancel()


def main() -> None:
    """Start it all, and end it all with Ctrl-C.

    The loop runs beside the main thread: a daemon that can hear a signal ends itself alone.
    """
    print("Starting Mosquitto, PostgreSQL, the venue and five tables, in ten seconds to a minute.")
    print("Nothing of it is installed, and nothing stays: Ctrl-C ends it all.", flush=True)
    folder, stop = Path(tempfile.mkdtemp(prefix="venue", dir="/tmp")), threading.Event()
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda *_: stop.set())

    def run() -> None:
        try:
            asyncio.run(look(folder, int(os.environ.get("PORT") or 8090), stop))
        finally:
            stop.set()

    beside = threading.Thread(target=run)
    beside.start()
    stop.wait()
    beside.join()
    shutil.rmtree(folder, ignore_errors=True)
    print("Everything has ended.")


if __name__ == "__main__":
    main()
