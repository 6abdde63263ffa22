"""A question at the terminal, asked on the loop and not in a thread: Ctrl-C ends it at once."""

from __future__ import annotations

import asyncio
import os
import sys

from companion.errors import BadState


async def answer(question: str, terminal: int | None = None) -> str:
    """What somebody types until Enter; BadState: nobody is there to answer."""
    print(question, end=" ", flush=True)
    source = sys.stdin.fileno() if terminal is None else terminal
    await _typed(source)
    line = b""
    while not line.endswith(b"\n"):  # byte by byte: what follows belongs to the next question
        if not (byte := os.read(source, 1)):
            print()
            raise BadState("this needs somebody who answers: run it at a terminal")
        line += byte
    return line.decode(errors="replace").strip()


async def _typed(source: int) -> None:
    loop, typed = asyncio.get_running_loop(), asyncio.Event()
    try:
        loop.add_reader(source, typed.set)
    except PermissionError:  # a file or /dev/null: there is nothing to wait for
        return
    try:
        await typed.wait()
    finally:
        loop.remove_reader(source)
