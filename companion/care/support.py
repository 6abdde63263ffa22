"""A bundle for whoever is asked for help: log, settings, health, readings; no secret in it."""

from __future__ import annotations

import json
import os
import re
import time
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from importlib import metadata
from pathlib import Path
from typing import Any

from companion import __version__
from companion.care.finding import Finding
from companion.care.machine import Machine, versions
from companion.errors import BadConfig, BadState, CompanionError, NoRoom
from companion.games.api import Game
from companion.memory.codec import done_from_json
from companion.memory.journal import Entry, Journal, Record
from companion.settings.settings import Settings, read
from companion.settings.wiring import DISPLAYS
from companion.words import COLOUR_NAMES

LINES = 500  # of each log
READINGS = 20
LEFT_OUT = "<left out>"
SHORTEST = 4  # a shorter word cannot be left out without spoiling the rest
LOGS = ("glass.log", "calibrate.log")
UNITS = ("companion", "companion-safe")  # the second tells of safe mode
PASSWORD = re.compile(  # in whatever way TOML can write one, even in a file that is otherwise wrong
    r"((?:password|psk)[\"']?\s*=\s*)"
    r"(\"{3}[\s\S]*?(?:\"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z)|\"(?:[^\"\\\n]|\\.)*\"?|'[^'\n]*'?|[^\s,}]+)",
    re.IGNORECASE,
)


NAMES = re.compile(r"^\s*(?:name|seats)\s*=\s*(\[[^\]]*|.*)", re.MULTILINE)
QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")
INNOCENT = {*COLOUR_NAMES, *(display.name for display in DISPLAYS)}


class Redactor:
    """Leaves known secrets out of whatever text goes into the bundle."""

    def __init__(self, secrets: Iterable[str], home: Path) -> None:
        worth = {secret for secret in secrets if len(secret) >= SHORTEST}
        every = {form for secret in worth for form in (secret, json.dumps(secret)[1:-1])}
        ordered = sorted(every, key=len, reverse=True)
        self._secrets = re.compile("|".join(map(re.escape, ordered))) if ordered else None
        self._home = str(home)

    def clean(self, text: str) -> str:
        """The text without them, and without the name in the path of the home."""
        if self._secrets is not None:
            text = self._secrets.sub(LEFT_OUT, text)
        text = PASSWORD.sub(rf'\1"{LEFT_OUT}"', text)
        return text.replace(self._home, "~") if len(self._home) > 1 else text


def support(
    to: Path, settings: Settings, file: Path | None, findings: Sequence[Finding],
    machine: Machine, shelf: Mapping[str, Game[Any]], clock: Callable[[], float] = time.time,
) -> list[str]:  # fmt: skip
    """Write the bundle; the names of what is in it."""
    if to.exists():
        raise BadState(f"{to} exists already: name another file")
    state = settings.table.directory()
    texts: dict[str, str] = {"about.json": _json(about(machine, clock()))}
    texts["health.json"] = _json([finding.as_json() for finding in findings])
    texts["settings.toml"] = _read(file) if file else "# the defaults\n"
    units = [f"--unit={unit}" for unit in UNITS]
    said = machine.run(["journalctl", *units, "--no-pager", f"--lines={LINES}"])
    texts["log/journal.txt"] = said or "no log of the service can be had\n"
    for name in LOGS:
        if (state / name).exists():
            texts[f"log/{name}"] = "\n".join(_read(state / name).splitlines()[-LINES:])
    pictures: dict[str, bytes] = {}
    secrets = [settings.wifi.name, settings.wifi.password, settings.mqtt.user]
    secrets += settings.table.seats
    secrets += _names(texts["settings.toml"])
    secrets = [secret for secret in secrets if secret not in INNOCENT]
    with suppress(CompanionError):  # no journal, or a damaged one: health.json tells
        journal = Journal(state / "journal.db", clock, write=False)
        try:
            games = journal.games()
            texts["games.json"] = _json([_game(journal, record) for record in games])
            texts["readings.json"], pictures = _readings(journal, games)
            secrets += _secrets(journal, games, shelf)
        finally:
            journal.close()
    clean = Redactor(secrets, Path.home()).clean
    return _written(to, {name: clean(text) for name, text in texts.items()}, pictures)


def _names(source: str) -> list[str]:
    """Of settings that cannot work, and so told us nothing: whatever is called a name."""
    try:
        read(source)
    except BadConfig:
        found = [quoted for named in NAMES.findall(source) for quoted in QUOTED.findall(named)]
        return [double or single for double, single in found]
    return []


def _written(to: Path, texts: dict[str, str], pictures: dict[str, bytes]) -> list[str]:
    try:
        handle = os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with (
            os.fdopen(handle, "wb") as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle,
        ):
            for name, text in texts.items():
                bundle.writestr(name, text)
            for name, picture in pictures.items():
                bundle.writestr(name, picture)
    except OSError as error:
        raise NoRoom(f"{to} could not be written: {error}") from error
    return sorted([*texts, *pictures])


def about(machine: Machine, now: float) -> dict[str, Any]:
    """Board, system and versions; neither the machine's name nor its owner's."""
    packages = {}
    for name in ("gpiozero", "luma.oled", "pillow", "numpy", "opencv-python-headless", "pydantic",
                 "fastapi", "uvicorn", "gpiod", "picamera2"):  # fmt: skip
        with suppress(metadata.PackageNotFoundError):
            packages[name] = metadata.version(name)
    return {"companion": __version__, "made": now, "board": machine.model or "no Raspberry Pi",
            "system": machine.system, **versions(), "packages": packages}  # fmt: skip


def _game(journal: Journal, record: Record) -> dict[str, Any]:
    """That a game was played, not how, and not by whom."""
    return {"number": record.id, "game": record.key, "rules": record.version,
            "seats": len(record.seats), "began": record.began, "ended": record.ended,
            "entries": _count(journal, record)}  # fmt: skip


def _count(journal: Journal, record: Record) -> int | str:
    try:
        return len(journal.entries(record.id))
    except CompanionError as error:
        return str(error)


def _readings(journal: Journal, games: Sequence[Record]) -> tuple[str, dict[str, bytes]]:
    """The newest rolls as they were read, with what the camera saw: all that lay open."""
    rows: list[dict[str, Any]] = []
    pictures: dict[str, bytes] = {}
    for record in games:
        for seq, dice, picture in reversed(journal.readings(record.id)):
            if len(rows) >= READINGS:
                return _json(rows), pictures
            name = f"readings/{record.id}-{seq}.jpg" if picture else ""
            rows.append({"game": record.id, "entry": seq, "dice": dice, "picture": name})
            if picture:
                pictures[name] = picture
    return _json(rows), pictures


def _secrets(
    journal: Journal, games: Sequence[Record], shelf: Mapping[str, Game[Any]]
) -> list[str]:
    """What the running game still hides: should a log ever tell of it, it is left out."""
    found: list[str] = []
    for record in games:
        game = shelf.get(record.key)
        found += [record.seed] if record.ended is None else []  # of a lobby, too
        if record.ended is None and game is not None:
            with suppress(CompanionError):
                for entry in journal.entries(record.id):
                    found += _hidden(game, entry)
    return found


def _hidden(game: Game[Any], entry: Entry) -> list[str]:
    if entry.kind != "do":
        return []
    action = done_from_json(game, entry.body)
    secret = [getattr(action, f.name) for f in fields(action) if f.metadata.get("secret")]
    salts = [getattr(action, f.name) for f in fields(action) if f.name == "salt"]
    return [value for value in (*secret, *salts) if isinstance(value, str) and len(value) > 7]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        return f"{path.name} could not be read: {error.strerror}\n"


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
