"""The import rules of ARCHITECTURE.md, held by reading the sources; and no module is too long."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = ("companion", "hardware", "vision", "firmware")
IO = {"os", "io", "socket", "subprocess", "asyncio", "sqlite3", "threading", "pathlib", "logging"}
CHANCE = {"random", "secrets", "time", "datetime"}
DEVICES = {"gpiozero", "luma", "serial", "picamera2", "smbus2", "spidev", "lgpio", "cv2"}
THIRD = DEVICES | {"pydantic", "typer", "rich", "PIL", "numpy", "fastapi", "uvicorn"}

PAGES_MAY = (
    "web", "words", "errors", "events", "views", "codec", "files", "settings", "table", "offers",
    "journal", "records", "games.api", "__version__",
)  # fmt: skip

# module prefix: (what of ours it may import, what it never imports). The longest prefix counts.
RULES: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "companion.words": ((), IO | CHANCE | THIRD),
    "companion.errors": (("companion.words",), IO | CHANCE | THIRD),
    "companion.events": (("companion.words",), IO | CHANCE | THIRD),
    "companion.views": (("companion.words",), IO | CHANCE | THIRD),
    "companion.games": (
        ("companion.games", "companion.views", "companion.errors", "companion.words"),
        IO | CHANCE | THIRD,
    ),
    "companion.memory.codec": (
        ("companion.games.api", "companion.views", "companion.errors", "companion.words"),
        IO | CHANCE | DEVICES,
    ),
    "companion.memory.journal": (("companion.errors", "companion.files"), DEVICES | {"asyncio"}),
    "companion.table.table": (
        ("companion",),
        DEVICES | CHANCE | {"asyncio", "socket", "threading"},
    ),
    "companion.table.play": (("companion",), DEVICES | CHANCE | {"asyncio", "socket", "threading"}),
    "companion.table.offers": (("companion",), IO | CHANCE | THIRD),
    "companion.table.menu": (("companion",), IO | CHANCE | THIRD),
    "companion.daemon.page_turner": (("companion.views",), IO | CHANCE | THIRD),
    "companion.table.lobby": (("companion",), IO | CHANCE | THIRD),
    "companion.memory.timeline": (("companion",), IO | CHANCE | THIRD),
    "companion.table.agreement": (("companion",), IO | CHANCE | THIRD),
    "companion.table.rolls": (("companion",), IO | CHANCE | THIRD),
    "companion.memory.cardbox": (("companion",), DEVICES | CHANCE | {"asyncio"}),
    "companion": (("companion",), DEVICES),
    "companion.daemon.notify": ((), DEVICES | CHANCE | THIRD),
    "companion.daemon.watchdog": ((), IO | CHANCE | THIRD),
    "companion.daemon.safe": (("companion", "companion.ports"), DEVICES),
    "companion.daemon.devices": (("companion", "hardware"), DEVICES),
    "companion.care.touch": (("companion", "hardware"), DEVICES),
    "companion.cli.walk": (("companion", "hardware"), DEVICES),
    "companion.daemon.window": (("companion", "hardware.glass.frame", "companion.ports"), DEVICES),
    "companion.cli.glass": (
        ("companion", "hardware.glass.frame", "hardware.glass.blocks"),
        DEVICES,
    ),
    "companion.web": (tuple(f"companion.{name}" for name in PAGES_MAY), DEVICES),
    "companion.daemon.app": (("companion", "hardware"), DEVICES),
    "companion.cli.main": (("companion", "vision"), DEVICES),
    "companion.cli.dice": (("companion", "hardware", "firmware"), DEVICES),
    "companion.cli.eye": (("companion", "vision"), DEVICES),
    "companion.cli.look": (("companion", "hardware.camera.by_name", "vision"), DEVICES),
    "companion.eye.program": (
        (
            "companion",
            "hardware.camera.by_name",
            "hardware.camera.lens",
            "hardware.camera.dead_camera",
            "vision",
        ),
        DEVICES - {"cv2"},
    ),
    "companion.eye.shape": ((), IO | CHANCE | THIRD),
    "companion.eye.twin": (("companion", "hardware.camera.lens", "vision"), DEVICES),
    "companion.eye.fit": (("companion", "hardware.camera.lens", "vision"), DEVICES - {"cv2"}),
    "companion.eye.calibrating": (
        ("companion", "hardware.camera.lens", "vision"),
        DEVICES - {"cv2"},
    ),
    "companion.daemon.clock": (("companion", "companion.daemon.supervise"), DEVICES),
    "companion.table.calibration_talk": (("companion",), IO | CHANCE | THIRD),
    "companion.cli.grid": (
        ("companion", "hardware.camera.by_name", "hardware.camera.lens", "vision"),
        DEVICES,
    ),
    "companion.__main__": (("companion.cli.main",), DEVICES),
    "vision": (
        ("vision", "companion.events", "companion.errors"),
        {"picamera2", "gpiozero", "luma", "serial"},
    ),
    "hardware": (
        ("hardware", "companion.events", "companion.views", "companion.errors", "companion.words"),
        {"cv2", "pydantic"},
    ),
    "hardware.camera.by_name": (
        ("hardware", "companion.errors"),
        {"pydantic"},
    ),  # clips through OpenCV
    "hardware.camera.v4l2": (
        ("hardware", "companion.errors", "companion.words"),
        {"pydantic"},
    ),  # and V4L2
    # the twin of the hub is the firmware itself, thrown by physics
    "hardware.twins.radio": (("hardware", "firmware"), {"cv2", "pydantic"}),
    "hardware.twins.hub": (("hardware", "firmware"), {"cv2", "pydantic"}),
    "hardware.dice.flash": (("hardware", "firmware", "companion.errors"), {"cv2", "pydantic"}),
}
MAY_IMPORT_APP = {"companion.cli.main"}
ONE_HOME = {  # a device library is imported by its adapter (and its twin) only
    "gpiozero": ("hardware.panel.buttons", "hardware.panel.lamps", "hardware.panel.gpio", "hardware.twins.finger",
                 "hardware.glass.oled_wire"),
    "luma": ("hardware.glass.oled", "hardware.glass.oled_wire"),
    "picamera2": ("hardware.camera.picamera",),
    "serial": ("hardware.dice.hub", "hardware.dice.talk"),
}  # fmt: skip
LONGEST = 500


def modules() -> Iterator[tuple[str, Path]]:
    """Every module of ours by its dotted name."""
    for top in OURS:
        for path in sorted((ROOT / top).rglob("*.py")):
            dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield dotted.removesuffix(".__init__"), path


parsed = cache(ast.parse)  # once for all questions


def imports(source: str) -> Iterator[str]:
    """Every module that a source imports, functions included, type checking excluded."""
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def wrongs(module: str, source: str) -> list[str]:
    """What a module imports against the rules."""
    keys = [key for key in RULES if module == key or module.startswith(key + ".")]
    if not keys:
        return []
    allowed, never = RULES[max(keys, key=len)]
    found = []
    for name in imports(source):
        top = name.split(".")[0]
        if top in never:
            found.append(f"{module} must never import {name}")
        ours = top in OURS and len(name.split(".")) > 1
        if ours and not any(_within(name, ok) for ok in (*allowed, module)):
            found.append(f"{module} may not import {name}")
        if name.startswith("companion.daemon.app") and module not in MAY_IMPORT_APP | {
            "companion.daemon.app"
        }:
            found.append(f"{module} may not import companion.daemon.app: nothing imports it")
        if top in ONE_HOME and module not in ONE_HOME[top]:
            found.append(f"{module} must leave {top} to its adapter")
    return found


def _within(name: str, allowed: str) -> bool:
    """`from companion import codec` names companion.memory.codec; classes count with their module."""
    return name == allowed or name.startswith(allowed + ".") or allowed.startswith(name + ".")


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: str(value)[-40:])
@pytest.mark.slow
def test_a_module_imports_only_what_its_place_allows(module: str, path: Path) -> None:
    assert wrongs(module, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("companion.games.kiriai.play", "import random"),
        ("companion.games.kiriai.play", "from companion.table.table import Table"),
        ("companion.games.kiriai.play", "import pydantic"),
        ("companion.table.table", "import asyncio"),
        ("companion.memory.journal", "from companion.table.table import Table"),
        ("companion.views", "import time"),
        ("companion.table.menu", "from companion.daemon.app import serve"),
        ("hardware.glass.oled", "from companion.games import GAMES"),
        ("hardware.glass.draw", "import luma.oled"),
        ("hardware.glass.draw", "import cv2"),
        ("vision.read.reader", "from hardware.camera.by_name import Camera"),
        ("companion.memory.records", "import gpiozero"),
        ("companion.web.api", "from companion.games import GAMES"),
        ("companion.web.api", "from companion.daemon.devices import Devices"),
    ],
)
def test_each_kind_of_forbidden_import_is_noticed(module: str, source: str) -> None:
    assert wrongs(module, source) != []


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: str(value)[-40:])
def test_no_module_is_too_long_and_each_says_why_it_exists(module: str, path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count("\n") <= LONGEST, f"{module} is two modules"
    assert not source.strip() or ast.get_docstring(parsed(source)), f"{module} says nothing"


@pytest.mark.slow
def test_games_use_the_standard_library_only() -> None:
    for module, path in modules():
        if module.startswith("companion.games"):
            for name in imports(path.read_text(encoding="utf-8")):
                top = name.split(".")[0]
                assert top == "companion" or top in sys.stdlib_module_names, f"{module}: {name}"
