"""What goes onto a board, and where the MicroPython is that tests run it under."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUNNER = Path(__file__).with_name("run.mjs")
BARE = Path(__file__).with_name("repl.mjs")  # a board with nothing but a prompt
TOOLS = Path(os.environ.get("MICROPYTHON_TOOLS", ROOT / ".tools"))
BUILD = TOOLS / "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs"

CHIP = ("firmware/board.py", "firmware/main_hub.py", "firmware/main_die.py")
"""Need the chip's own modules; tests hand in fakes for them."""


def sources() -> dict[str, str]:
    """Everything that goes onto a board, and the box that the twin runs it in."""
    names = ["hardware/__init__.py", "hardware/twins/__init__.py", "hardware/twins/radio.py"]
    names += [str(path.relative_to(ROOT)) for path in sorted((ROOT / "firmware").glob("*.py"))]
    return {name: (ROOT / name).read_text() for name in names}


FAKES = {path.name: path.read_text() for path in Path(__file__).with_name("chip").glob("*.py")}
"""The chip's own modules, for programs that touch pins and radio."""
