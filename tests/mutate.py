"""Do the tests notice? Random one-line faults, each planted alone in a copy of the tree.

    .venv/bin/python -m tests.mutate --count 60 --seed 1 --jobs 2
    .venv/bin/python -m tests.mutate --at companion/table/tray.py:40     every fault of that line

A fault turns a comparison, swaps `and` with `or`, drops a `not`, moves a whole number by one, turns
True into False, empties a string, or takes a statement away. Lines are drawn evenly over companion,
hardware and vision; the same seed on the same tree draws the same faults. Annotations, docstrings,
decorators, log lines and the train folders, which ship nowhere, have none.

A fault meets the quick tests that import its module, then those of its room, then, if it lives, the
slow ones. The test that sees it must pass without it, or it counts as not seen. With
--mypy the survivors meet mypy, too, which is said apart and does not count. Not part of CI: sixty
faults take the better part of an hour.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Literal, TypeAlias

ROOT = Path(__file__).parents[1]
PLACES = ("companion", "hardware", "vision")
LEFT_OUT = ("vision/train/", "companion/bots/train/", "companion/locale/")
QUICK, SLOW = "not slow and not soak and not pi", "slow and not soak and not pi"
HUNG = 120  # seconds for one test: a fault can make a loop endless
TEXTS = "tests/language/test_language.py"  # every room has texts
GAMES = "companion/games/"
ROOMS = {  # the longest that a path begins with counts
    GAMES: ["tests/games", "tests/table"],
    "companion/table/": ["tests/table", "tests/test_walk.py"],
    "companion/bots/": ["tests/bots"],
    "companion/memory/": ["tests/memory", "tests/table", "tests/daemon"],
    "companion/settings/": ["tests/settings"],
    "companion/eye/": ["tests/eye"],
    "companion/care/": ["tests/care"],
    "companion/web/": ["tests/web"],
    "companion/daemon/": ["tests/daemon", "tests/test_walk.py"],
    "companion/cli/": ["tests/cli"],
    "companion/": ["tests/language", "tests/hardware/test_draw.py", "tests/table", "tests/daemon"],
    "hardware/dice/": ["tests/hardware", "tests/firmware"],
    "hardware/twins/": ["tests/hardware", "tests/firmware", "tests/daemon"],
    "hardware/": ["tests/hardware"],
    "vision/rendered/": ["tests/vision", "tests/eye", "tests/daemon/test_throwing.py"],
    "vision/": ["tests/vision", "tests/eye"],
}
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
Fate: TypeAlias = Literal["killed", "killed slowly", "LIVED", "LIVED, mypy sees it", "not known"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One piece of one module, and what stands there instead."""

    path: str
    line: int
    source: bytes  # of the whole module
    start: int
    end: int
    after: str

    def __str__(self) -> str:
        before = self.source[self.start : self.end].decode()
        shown = (" ".join(each.split())[:60] for each in (before, self.after))
        return f"{self.path}:{self.line}  {'  ->  '.join(shown)}"

    @property
    def broken(self) -> bytes:
        """The module with the fault."""
        return self.source[: self.start] + self.after.encode() + self.source[self.end :]


def faults(path: str, source: str) -> Iterator[Fault]:
    """Every fault that this module can have."""
    begins = [0]
    for line in source.encode().splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    whole = source.encode()
    for node, after in _changes(ast.parse(source)):
        start = begins[node.lineno - 1] + node.col_offset
        end = begins[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        yield Fault(path, node.lineno, whole, start, end, after)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Below this node: what can be replaced, and by what text."""
    match node:
        case ast.JoinedStr() | ast.Import() | ast.ImportFrom():  # f-strings: 3.11 knows no places
            return
        case ast.Expr(ast.Constant()) | ast.Expr(
            ast.Call(ast.Attribute(ast.Name("log" | "logging")))
        ):
            return
        case ast.If(ast.Name("TYPE_CHECKING")):
            return
    if isinstance(node, ast.stmt) and (gone := _without(node)):
        yield node, gone
    if isinstance(node, ast.expr) and (other := _other(node)) is not None:
        yield node, f"({ast.unparse(other)})"
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _changes(child)


def _without(node: ast.stmt) -> str:
    """What stands for a statement that is taken away; "" where that would only break the module."""
    match node:
        case ast.Expr(ast.Call() | ast.Await()) | ast.AugAssign() | ast.Raise() | ast.Break():
            return "pass"
        case ast.Continue() | ast.Return(None) | ast.Delete():
            return "pass"
        case ast.Assign([ast.Attribute() | ast.Subscript()]):
            return "pass"
        case _:
            return ""


def _other(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Compare(left, [op], rest) if type(op) in TURNED:
            return ast.Compare(left, [TURNED[type(op)]()], rest)
        case ast.BoolOp(op, values):
            return ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.BinOp(left, ast.Add(), right) if not isinstance(left, ast.Constant):
            return ast.BinOp(left, ast.Sub(), right)
        case ast.BinOp(left, ast.Sub(), right):
            return ast.BinOp(left, ast.Add(), right)
        case ast.Constant(bool(value)):
            return ast.Constant(not value)
        case ast.Constant(int(value)):
            return ast.Constant(value + 1)
        case ast.Constant(str(value)) if value:
            return ast.Constant("")
        case _:
            return None


def drawn(count: int, seed: int) -> list[Fault]:
    """So many lines with something to break, and one fault of each."""
    lines: dict[tuple[str, int], list[Fault]] = {}
    for path in _tracked():
        if path.startswith(PLACES) and path.endswith(".py") and not path.startswith(LEFT_OUT):
            for fault in faults(path, (ROOT / path).read_text("utf-8")):
                lines.setdefault((path, fault.line), []).append(fault)
    chance = random.Random(seed)
    return [chance.choice(lines[line]) for line in chance.sample(sorted(lines), count)]


def selected(path: str) -> tuple[list[str], list[str]]:
    """The tests that import a module, and all that are meant to notice its faults."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    package, _, name = module.rpartition(".")
    imported = re.compile(
        rf"from {re.escape(module)} import|import {re.escape(module)}\b"
        rf"|from {re.escape(package)} import .*\b{name}\b"
    )
    where = max((room for room in ROOMS if path.startswith(room)), key=len)
    tests = [each for each in _tracked() if re.search(r"/test_\w+\.py$", each)]
    near = [each for each in tests if imported.search((ROOT / each).read_text("utf-8"))]
    game = path.split("/")[2] if where == GAMES and path.count("/") > 2 else ""
    if game:  # the tests of one game, and its cases of those over all games, the long ones last
        common = [each for each in tests if each.startswith("tests/games/test_")]
        common.sort(key=lambda each: (game not in each, "contract" in each))
        return near, [*common, TEXTS, "-k", f"{game} or test_language"]
    return near, [*ROOMS[where], TEXTS]


class Copy:
    """A copy of the tree in which one fault at a time is planted."""

    def __init__(self, where: Path) -> None:
        self.where = where
        for path in _tracked():
            if (ROOT / path).is_file():
                (where / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / path, where / path)

    def fate(self, fault: Fault, slow_seconds: int, mypy: bool) -> tuple[Fate, str]:
        """Whether a test sees the fault, and which."""
        near, tests = selected(fault.path)
        self._write(fault.path, fault.broken)
        try:
            seen = self._seen(fault, near, QUICK, 1200) or self._seen(fault, tests, QUICK, 1200)
            if seen is None:
                return "not known", "the quick tests took too long"
            if seen:
                return "killed", seen
            seen = self._seen(fault, near, SLOW, slow_seconds) or self._seen(
                fault, tests, SLOW, slow_seconds
            )
            if seen:
                return "killed slowly", seen
            if mypy and self._run("mypy", 600).returncode:
                return "LIVED, mypy sees it", ""
            return "LIVED", "" if seen == "" else f"slow ones were cut at {slow_seconds} s"
        finally:
            self._write(fault.path, fault.source)

    def _seen(self, fault: Fault, tests: list[str], marks: str, seconds: int) -> str | None:
        """The test that fails with the fault and passes without; "" if none; None: out of time."""
        if not tests:
            return ""
        try:
            done = self._pytest([*tests, "-m", marks], seconds)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode in (0, 5):  # all passed, or none was selected
            return ""
        failed = re.findall(
            r"^(?:FAILED|ERROR) (\S+?\.py\S*(?:\[.*?\])?)(?: - |$)", done.stdout, re.M
        )
        if not failed:
            return "nothing starts" if done.returncode in (2, 3, 4) or done.returncode < 0 else ""
        self._write(fault.path, fault.source)
        again = self._pytest([failed[0]], 600)
        self._write(fault.path, fault.broken)
        return failed[0] if again.returncode == 0 else ""

    def _pytest(self, given: list[str], seconds: int) -> subprocess.CompletedProcess[str]:
        options = ["-x", "-q", "-p", "no:cacheprovider", "--timeout", str(HUNG), "--tb", "no"]
        return self._run("pytest", seconds, *options, *given)

    def _run(self, module: str, seconds: int, *given: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", module, *given]
        env = {**os.environ, "PYTHONPATH": str(self.where)}  # before the tree that is installed
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, cwd=self.where, env=env, stdout=pipe, text=True, start_new_session=True
        ) as running:
            try:
                said, _ = running.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)  # with the daemons that its tests started
                raise
        return subprocess.CompletedProcess(command, running.returncode, said, "")

    def _write(self, path: str, source: bytes) -> None:
        """A module; its bytecode goes: with the same size and second it would be taken for new."""
        target = self.where / path
        target.write_bytes(source)
        for old in (target.parent / "__pycache__").glob(f"{target.stem}.*.pyc"):
            old.unlink(missing_ok=True)


def _tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return listed.stdout.splitlines()


def main() -> None:
    """Plant, run, tell."""
    parser = argparse.ArgumentParser(
        prog="tests.mutate", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--skip", type=int, default=0, help="of those drawn: to go on with the rest"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=600, help="begin no fault after that")
    parser.add_argument("--slow-seconds", type=int, default=300, help="for the slow tests of one")
    parser.add_argument("--mypy", action="store_true", help="ask mypy about the survivors")
    parser.add_argument("--list", action="store_true", help="only say what would be planted")
    parser.add_argument("--at", metavar="FILE:LINE", help="all faults of one line instead")
    given = parser.parse_args()
    if given.at:
        path, _, line = given.at.rpartition(":")
        every = faults(path, (ROOT / path).read_text("utf-8"))
        chosen = [fault for fault in every if fault.line == int(line)]
    else:
        chosen = drawn(given.count, given.seed)[given.skip :]
    if given.list:
        for fault in chosen:
            print(fault)
        return
    until, fates = time.monotonic() + 60 * given.minutes, list[Fate]()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(given.jobs):
            copies.put(Copy(Path(folder) / str(number)))

        def meet(fault: Fault) -> None:
            copy = copies.get()
            try:
                if time.monotonic() < until:
                    began = time.monotonic()
                    fate, by = copy.fate(fault, given.slow_seconds, given.mypy)
                    fates.append(fate)
                    took = time.monotonic() - began
                    print(f"{len(fates):3} {took:4.0f} s  {fate:13}  {fault}  {by}", flush=True)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(given.jobs) as pool:
            list(pool.map(meet, chosen))
    known = [fate for fate in fates if fate != "not known"]
    killed = sum(fate.startswith("killed") for fate in known)
    rate = f"{killed / len(known):.0%}" if known else "no rate"
    print(
        f"{killed} of {len(known)} killed ({rate}), {fates.count('killed slowly')} by slow tests; ",
        end="",
    )
    print(f"{len(fates) - len(known)} not known, {len(chosen) - len(fates)} not begun")


if __name__ == "__main__":
    main()
