"""Whom the broker lets in, and where: the files that Mosquitto reads, made of what the store says.

One user a table, who has the table's name and its own topics, and reads no other's. What the venue
does not know of (Home Assistant, a second venue) stands in `passwords.own` and `access.own` beside
them, and is taken over as it is.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.errors import NoRoom
from companion.settings.settings import MqttSettings
from companion.venue.database import Away, Database

log = logging.getLogger(__name__)

ROUNDS = 101  # Mosquitto's own; a table's password cannot be guessed
LOOK = 2.0  # seconds until another instance's adoption stands in the files, too
RELOAD = 10.0  # seconds for the command


def password_row(password: str, salt: bytes) -> str:
    """A password as Mosquitto's file keeps it: PBKDF2 with SHA-512."""
    made = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(made).decode()}"


def access_list(tables: Mapping[str, str], mqtt: MqttSettings) -> str:
    """Mosquitto's access list: each table its own topics, the venue what tables tell in public."""
    rows = []
    for table in tables:
        rows += [f"user {table}", f"topic readwrite {mqtt.prefix}/{table}/#"]
        if mqtt.discovery:
            rows.append(f"topic readwrite {mqtt.discovery}/device/table_companion_{table}/config")
    if mqtt.user:
        rows += [f"user {mqtt.user}", f"topic read {mqtt.prefix}/#"]
        rows += [f"topic write {mqtt.prefix}/+/{ask}" for ask in ("notify", "again")]
    return "\n".join(rows) + "\n"


@dataclass
class Access:
    """The folder of the broker's two files, and the command that makes it read them again."""

    folder: Path
    reload: str
    mqtt: MqttSettings
    database: Database

    async def run(self) -> None:
        """For ever: what any instance has changed stands in the files soon."""
        while True:
            try:
                await self.renew()
            except (Away, NoRoom) as error:
                log.warning("the broker's users stay as they are: %s", error)
            await asyncio.sleep(LOOK)

    async def renew(self) -> None:
        """Write what is news, and tell the broker."""
        async with self.database.asked() as db:
            found = await db.execute("SELECT table_id, password FROM admitted ORDER BY table_id")
            tables = {row[0]: row[1] for row in await found.fetchall()}
        rows = [f"{table}:{row}\n" for table, row in tables.items()]
        told = self._write("access", access_list(tables, self.mqtt))
        if self._write("passwords", "".join([*rows, self._ours()])) or told:
            await self._reload()

    async def _reload(self) -> None:
        """Mosquitto reads its files anew at SIGHUP, and drops whom they name no more."""
        if not self.reload:
            return
        try:
            async with asyncio.timeout(RELOAD):
                child = await asyncio.create_subprocess_exec(*shlex.split(self.reload))
                code = await child.wait()
        except (OSError, TimeoutError) as error:
            raise NoRoom(f"the broker was not told: {self.reload}: {error}") from error
        if code:
            raise NoRoom(f"the broker was not told: {self.reload} ended with {code}")

    def _ours(self) -> str:
        """The venue's own row; the same salt each time, so that a start changes nothing."""
        if not self.mqtt.user or not self.mqtt.password_file:
            return ""
        words = Path(self.mqtt.password_file).expanduser().read_text("utf-8").strip()
        salt = hashlib.sha256(f"{self.mqtt.user}:{words}".encode()).digest()[:12]
        return f"{self.mqtt.user}:{password_row(words, salt)}\n"

    def _read(self, name: str) -> str:
        try:
            return (self.folder / name).read_text("utf-8")
        except FileNotFoundError:
            return ""

    def _write(self, name: str, words: str) -> bool:
        """Whole or not at all; False: it says so already."""
        path, words = self.folder / name, words + self._read(f"{name}.own")
        try:
            if self._read(name) == words:
                return False
            new = path.with_suffix(".new")
            handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o640)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(words)
            new.replace(path)
        except OSError as error:
            raise NoRoom(f"{path} could not be written: {error.strerror}") from error
        return True
