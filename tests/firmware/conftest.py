"""A real MicroPython for the firmware's tests: the official WebAssembly build, run by Node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable

import pytest
from on_board import BUILD, RUNNER, sources

from tests.patience import within


@pytest.fixture(scope="session")
def node() -> list[str]:
    """The command that runs MicroPython; absent: skipped at home, an error in CI."""
    if shutil.which("node") and BUILD.exists():
        return ["node", str(RUNNER)]
    missing = "no MicroPython here: run tests/firmware/get_micropython.sh (needs Node 20)"
    if os.environ.get("CI") == "true":
        pytest.fail(missing)
    pytest.skip(missing)


@pytest.fixture
def micropython(node: list[str]) -> Callable[..., str]:
    """Run a program under MicroPython with all of the firmware on its path; gives its output.

    Several programs run one after the other in one interpreter.
    """

    def run(
        program: str | list[str], *, heap: int = 2048, files: dict[str, str] | None = None
    ) -> str:
        job = json.dumps({"files": {**sources(), **(files or {})}, "main": program})
        done = subprocess.run(
            [*node, str(heap)],
            input=job,
            capture_output=True,
            text=True,
            timeout=within(280),
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    return run
