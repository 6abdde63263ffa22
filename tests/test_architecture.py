"""The import rules of ARCHITECTURE.md, held by reading the sources; and no module is too long."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = ("companion", "hardware", "vision", "firmware")
LONGEST = 500
LONGEST_CLASS = 250

# The standard library's modules that touch nothing: every room may use them. All others are named.
PURE = set(
    [
        "__future__",
        "abc",
        "ast",
        "bisect",
        "collections",
        "contextlib",
        "copy",
        "dataclasses",
        "difflib",
        "enum",
        "fractions",
        "functools",
        "heapq",
        "importlib",
        "inspect",
        "itertools",
        "json",
        "math",
        "operator",
        "re",
        "statistics",
        "string",
        "textwrap",
        "types",
        "typing",
        "unicodedata",
        "warnings",
    ]
)


@dataclass(frozen=True)
class Row:
    """A room: what of ours it may import beside itself, and what of the world outside."""

    ours: str = ""
    outside: str = ""

    def lets_in(self, room: str) -> bool:
        """`games` is the shelf and the games; api and story are let in alone."""
        return room in self.ours.split() or "everything" in self.ours.split()


# The whitelist, both ways: what stands in no row of a room, its modules do not import.
ROWS = {
    "language": Row("", "errno fcntl gettext logging os pathlib stat struct traceback"),
    "games": Row("language", "hashlib tomllib"),
    "memory": Row(
        "language api", "concurrent hashlib hmac ifaddr logging os pathlib pydantic sqlite3 struct"
    ),
    "table": Row("language api memory bots.api", "logging"),
    "bots": Row("language games api", "hashlib lzma numpy pathlib"),
    "settings": Row("language", "ipaddress os pathlib pydantic pydantic_core tomllib"),
    "firmware": Row("", "binascii esp32 espnow machine micropython network os select sys time"),
    "hardware": Row(
        "language firmware",
        "PIL argparse asyncio cv2 datetime errno gpiod gpiozero gzip io luma mmap numpy os pathlib"
        " picamera2 pty random secrets select serial smbus2 spidev struct subprocess sys tempfile"
        " threading time tty",
    ),
    "vision": Row("language", "concurrent ctypes cv2 numpy pathlib rich time typer"),
    "eye": Row(
        "language vision hardware.camera",
        "argparse asyncio base64 binascii cv2 numpy os pathlib pydantic queue sys threading time",
    ),
    "care": Row(
        "language api memory settings hardware.panel hardware.glass",
        "PIL asyncio fcntl grp hashlib os pathlib platform pwd rich shutil sqlite3 stat subprocess"
        " sys tempfile time tomllib xml zipfile zlib",
    ),
    "web": Row(
        "language api memory settings table bots.api",
        "asyncio contextvars errno fastapi hashlib io ipaddress logging pathlib pydantic secrets"
        " segno socket starlette threading time urllib uvicorn",
    ),
    "mqtt": Row(
        "language api memory settings table",
        "aiomqtt asyncio hashlib hmac ifaddr logging os pathlib secrets socket ssl time zeroconf",
    ),
    "venue": Row(
        "language api memory mqtt settings table web bots.api",
        "aiomqtt asyncio base64 datetime fastapi hashlib logging os pathlib psycopg pydantic"
        " secrets shlex socket starlette sys threading time zeroconf",
    ),
    "daemon": Row(
        "language games api bots bots.api memory table settings eye care web mqtt hardware",
        "PIL asyncio base64 ctypes logging os pathlib random resource secrets shutil signal socket"
        " sys tempfile time traceback",
    ),
    "cli": Row(
        "everything",
        "asyncio base64 datetime faulthandler logging os pathlib pydantic random rich shutil signal"
        " socket subprocess sys termios time tty typer",
    ),
}
ONE_HOME = {  # a device library is imported by its adapter (and its twin) only
    "gpiod": ("hardware.panel.lines",),
    "gpiozero": ("hardware.panel", "hardware.twins.finger", "hardware.glass.oled_wire"),
    "luma": ("hardware.glass.oled", "hardware.glass.oled_wire"),
    "picamera2": ("hardware.camera.picamera",),
    "cv2": ("hardware.camera", "vision", "companion.eye"),
    "serial": ("hardware.dice",),
    "aiomqtt": ("companion.mqtt.bus", "companion.venue"),
}
LANGUAGE = {
    "words",
    "errors",
    "events",
    "views",
    "ports",
    "language",
    "plain",
    "files",
    "__version__",
}
APP = "companion.daemon.app"  # the only module that sees everything; the command line starts it


def modules() -> Iterator[tuple[str, Path]]:
    """Every module of ours by its dotted name."""
    for top in OURS:
        for path in sorted((ROOT / top).rglob("*.py")):
            dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield dotted.removesuffix(".__init__"), path


HALL = (["api"], ["story"], ["box"], ["cardfile"], ["lesson"])


def room(module: str) -> str:
    """The room in which a module stands; of the games, what is in the hall is let in alone."""
    top, *rest = module.split(".")
    if top != "companion":
        return ".".join([top, *rest[:1]]) if top == "hardware" else top
    if not rest or rest[0] in LANGUAGE:
        return "language"
    if rest[0] == "__main__":
        return "cli"
    if rest == ["bots", "api"]:  # what a bot is; the bots themselves are the daemon's business
        return "bots.api"
    return "api" if rest[0] == "games" and rest[1:] in HALL else rest[0]


def game_of(module: str) -> str:
    """Which game a module belongs to, if it stands in the folder of one."""
    match module.split("."):
        case ["companion", "games", name, *_] if (ROOT / "companion/games" / name).is_dir():
            return name
    return ""


def row(module: str) -> Row:
    """The row that a module is held to."""
    name = room(module)
    return ROWS["games" if name == "api" else name.split(".")[0]]


def home(module: str, name: str) -> bool:
    """Whether two names stand in one room."""
    mine, other = room(module).split(".")[0], room(name).split(".")[0]
    return mine == other or {mine, other} <= {"games", "api"}


parsed = cache(ast.parse)  # once for all questions


def imports(source: str) -> Iterator[str]:
    """Every module that a source imports, functions included."""
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module in ("companion", "companion.games", "hardware"):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
            else:
                yield node.module


def wrongs(module: str, source: str) -> list[str]:
    """What a module imports against the rules."""
    may, found = row(module), []
    for name in imports(source):
        top = name.split(".")[0]
        if top in OURS:
            other = room(name)
            if not home(module, name) and not (may.lets_in(other) or may.lets_in(top)):
                found.append(f"{module} may not import {name}")
            if game_of(module) and game_of(name) not in ("", game_of(module)):
                found.append(f"{module} is one game, {name} another")
            if name.startswith(APP) and room(module) != "cli":
                found.append(f"{module} may not import {APP}: only the command line does")
        elif top not in PURE and top not in may.outside.split():
            found.append(f"{module} may not import {name}: it stands in no row")
        if top in ONE_HOME and not module.startswith(ONE_HOME[top]):
            found.append(f"{module} must leave {top} to its adapter")
    return found


LEARNED = ("vision.train", "companion.bots.train")  # run by hand, ship nowhere
SHIPPED = [(module, path) for module, path in modules() if not module.startswith(LEARNED)]


@pytest.mark.parametrize(("module", "path"), SHIPPED, ids=lambda value: str(value)[-40:])
def test_a_module_imports_only_what_its_room_allows(module: str, path: Path) -> None:
    assert wrongs(module, path.read_text(encoding="utf-8")) == []


INSIDE = {  # a module of each room, to break its row with
    "language": "companion.views", "games": "companion.games.kiriai.play",
    "memory": "companion.memory.journal", "table": "companion.table.table",
    "bots": "companion.bots.kiriai",
    "settings": "companion.settings.wiring", "firmware": "firmware.wire",
    "hardware": "hardware.glass.draw", "vision": "vision.read.reader",
    "eye": "companion.eye.child", "care": "companion.care.doctor",
    "web": "companion.web.api", "mqtt": "companion.mqtt.outbox",
    "venue": "companion.venue.letters",
    "daemon": "companion.daemon.window", "cli": "companion.cli.main",
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_every_row_is_broken_by_a_room_and_by_a_library_that_it_does_not_name(name: str) -> None:
    module = INSIDE[name]
    open_to = {part.split(".")[0] for part in ROWS[name].ours.split()} | {name}
    closed = [] if "everything" in open_to else [one for one in INSIDE if one not in open_to]
    for other in closed:
        assert wrongs(module, f"import {INSIDE[other]}"), f"{name} let {other} in"
    assert closed or name == "cli"
    assert wrongs(module, "import telnetlib")
    assert wrongs(module, f"import {module}") == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("companion.games.kiriai.play", "import random"),
        ("companion.games.kiriai.play", "import pydantic"),
        ("companion.games.kiriai.play", "from companion.games.sao import SAO"),
        ("companion.games.kiriai.play", "from companion.games import sao"),
        ("companion.table.table", "import asyncio"),
        ("companion.table.table", "from time import monotonic"),
        ("companion.table.table", "from companion.games import GAMES"),
        ("companion.bots.kiriai", "import random"),
        ("companion.table.menu", "from companion.daemon.app import serve"),
        ("companion.memory.records", "from companion.table.lobby import LOBBY"),
        ("companion.web.api", "from companion.games import GAMES"),
        ("companion.web.api", "from companion.daemon.devices import Devices"),
        ("companion.daemon.safe", "from companion.daemon.app import serve"),
        ("companion.eye.program", "from hardware.glass.oled import Oled"),
        ("hardware.glass.oled", "from companion.games import GAMES"),
        ("hardware.glass.draw", "import luma.oled"),
        ("hardware.glass.draw", "import cv2"),
        ("vision.read.reader", "from hardware.camera.by_name import frames"),
        ("firmware.hub", "from hardware.dice.link import HubLink"),
        ("companion.memory.records", "import gpiozero"),
    ],
)
def test_each_kind_of_forbidden_import_is_noticed(module: str, source: str) -> None:
    assert wrongs(module, source) != []


def test_no_two_rooms_import_each_other() -> None:
    names = [name for name in ROWS if name != "cli"]
    for one in names:
        for other in names:
            both = ROWS[one].lets_in(other) and ROWS[other].lets_in(one)
            assert one == other or not both, f"{one} and {other}"


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: str(value)[-40:])
def test_no_module_is_too_long_and_each_says_why_it_exists(module: str, path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count("\n") <= LONGEST, f"{module} is two modules"
    assert not source.strip() or ast.get_docstring(parsed(source)), f"{module} says nothing"


@pytest.mark.parametrize("folder", ["companion/table", "companion/daemon"])
def test_no_class_of_table_and_daemon_is_too_long_to_read_at_once(folder: str) -> None:
    for path in (ROOT / folder).glob("*.py"):
        for node in parsed(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                assert lines <= LONGEST_CLASS, f"{path.name}: {node.name} has {lines} lines"


def test_games_use_the_standard_library_only() -> None:
    for name in ROWS["games"].outside.split():
        assert name in sys.stdlib_module_names


WALK = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## The tree")[2]


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z_/]+/[a-z_]+\.py)`", WALK))))
def test_every_file_that_the_walk_names_exists(name: str) -> None:
    assert (ROOT / name).is_file()


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([A-Z][a-z]+\.[a-z_]+)[`(]", WALK))))
def test_every_function_that_the_walk_names_exists(name: str) -> None:
    kind, _, function = name.partition(".")
    bodies = [
        node
        for _, path in modules()
        for node in parsed(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name == kind
    ]
    assert any(f"def {function}" in ast.unparse(b) or f"{function}:" in ast.unparse(b)
               or f"self.{function} =" in ast.unparse(b) for b in bodies), name  # fmt: skip


def test_the_page_tells_of_every_row_of_the_import_table() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert all(f"\n| {name} |" in page for name in ROWS)
