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
    "web", "words", "errors", "events", "views", "codec", "settings", "table", "offers", "journal",
    "records", "games.api", "__version__",
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
    "companion.codec": (
        ("companion.games.api", "companion.views", "companion.errors", "companion.words"),
        IO | CHANCE | DEVICES,
    ),
    "companion.journal": (("companion.errors",), DEVICES | {"asyncio"}),
    "companion.table": (("companion",), DEVICES | CHANCE | {"asyncio", "socket", "threading"}),
    "companion.play": (("companion",), DEVICES | CHANCE | {"asyncio", "socket", "threading"}),
    "companion.offers": (("companion",), IO | CHANCE | THIRD),
    "companion.menu": (("companion",), IO | CHANCE | THIRD),
    "companion.leaves": (("companion.views",), IO | CHANCE | THIRD),
    "companion.lobby": (("companion",), IO | CHANCE | THIRD),
    "companion.timeline": (("companion",), IO | CHANCE | THIRD),
    "companion.proposals": (("companion",), IO | CHANCE | THIRD),
    "companion.rolls": (("companion",), IO | CHANCE | THIRD),
    "companion.cardbox": (("companion",), DEVICES | CHANCE | {"asyncio"}),
    "companion": (("companion",), DEVICES),
    "companion.notify": ((), DEVICES | CHANCE | THIRD),
    "companion.watchdog": ((), IO | CHANCE | THIRD),
    "companion.safe": (("companion", "hardware.ports"), DEVICES),
    "companion.devices": (("companion", "hardware"), DEVICES),
    "companion.care.touch": (("companion", "hardware"), DEVICES),
    "companion.care.walk": (("companion", "hardware"), DEVICES),
    "companion.window": (("companion", "hardware.frame", "hardware.ports"), DEVICES),
    "companion.glass": (("companion", "hardware.frame", "hardware.blocks"), DEVICES),
    "companion.web": (tuple(f"companion.{name}" for name in PAGES_MAY), DEVICES),
    "companion.app": (("companion", "hardware"), DEVICES),
    "companion.cli": (("companion", "vision"), DEVICES),
    "companion.dice_cli": (("companion", "hardware", "firmware"), DEVICES),
    "companion.eye_cli": (("companion", "vision"), DEVICES),
    "companion.look": (("companion", "hardware.camera", "vision"), DEVICES),
    "companion.eye": (
        ("companion", "hardware.camera", "hardware.lens", "hardware.vigil", "vision"),
        DEVICES - {"cv2"},
    ),
    "companion.shape": ((), IO | CHANCE | THIRD),
    "companion.eye_twin": (("companion", "hardware.lens", "vision"), DEVICES),
    "companion.eye_fit": (("companion", "hardware.lens", "vision"), DEVICES - {"cv2"}),
    "companion.calibrating": (("companion", "hardware.lens", "vision"), DEVICES - {"cv2"}),
    "companion.clock": (("companion", "hardware.supervise"), DEVICES),
    "companion.camera_talk": (("companion",), IO | CHANCE | THIRD),
    "companion.grid_cli": (("companion", "hardware.camera", "hardware.lens", "vision"), DEVICES),
    "companion.__main__": (("companion.cli",), DEVICES),
    "vision": (
        ("vision", "companion.events", "companion.errors"),
        {"picamera2", "gpiozero", "luma", "serial"},
    ),
    "hardware": (
        ("hardware", "companion.events", "companion.views", "companion.errors", "companion.words"),
        {"cv2", "pydantic"},
    ),
    "hardware.camera": (("hardware", "companion.errors"), {"pydantic"}),  # clips through OpenCV
    "hardware.v4l2": (
        ("hardware", "companion.errors", "companion.words"),
        {"pydantic"},
    ),  # and V4L2
    # the twin of the hub is the firmware itself, thrown by physics
    "hardware.air": (("hardware", "firmware"), {"cv2", "pydantic"}),
    "hardware.hub_twin": (("hardware", "firmware"), {"cv2", "pydantic"}),
    "hardware.dice_flash": (("hardware", "firmware", "companion.errors"), {"cv2", "pydantic"}),
}
MAY_IMPORT_APP = {"companion.cli"}
ONE_HOME = {  # a device library is imported by its adapter (and its twin) only
    "gpiozero": ("hardware.buttons", "hardware.lamps", "hardware.gpio", "hardware.twins",
                 "hardware.oled_wire"),
    "luma": ("hardware.oled", "hardware.oled_wire"),
    "picamera2": ("hardware.picamera",),
    "serial": ("hardware.dice", "hardware.dice_talk"),
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
        if name.startswith("companion.app") and module not in MAY_IMPORT_APP | {"companion.app"}:
            found.append(f"{module} may not import companion.app: nothing imports it")
        if top in ONE_HOME and module not in ONE_HOME[top]:
            found.append(f"{module} must leave {top} to its adapter")
    return found


def _within(name: str, allowed: str) -> bool:
    """`from companion import codec` names companion.codec; classes count with their module."""
    return name == allowed or name.startswith(allowed + ".") or allowed.startswith(name + ".")


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=lambda value: str(value)[-40:])
@pytest.mark.slow
def test_a_module_imports_only_what_its_place_allows(module: str, path: Path) -> None:
    assert wrongs(module, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("companion.games.kiriai.play", "import random"),
        ("companion.games.kiriai.play", "from companion.table import Table"),
        ("companion.games.kiriai.play", "import pydantic"),
        ("companion.table", "import asyncio"),
        ("companion.journal", "from companion.table import Table"),
        ("companion.views", "import time"),
        ("companion.menu", "from companion.app import serve"),
        ("hardware.oled", "from companion.games import GAMES"),
        ("hardware.draw", "import luma.oled"),
        ("hardware.draw", "import cv2"),
        ("vision.read", "from hardware.camera import Camera"),
        ("companion.records", "import gpiozero"),
        ("companion.web.api", "from companion.games import GAMES"),
        ("companion.web.api", "from companion.devices import Devices"),
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
