"""Where a key stands in a TOML text, so that a complaint can name its line."""

from __future__ import annotations

import tomllib
from typing import Any, TypeAlias

Where: TypeAlias = tuple[str | int, ...]
"""The way to a key: `("panel", 1, "next")` is `next` of the second `[[panel]]`."""


def locate(source: str, where: Where) -> int | None:
    """The line on which this key's statement begins; None if it is not in the text.

    tomllib keeps no lines, but it knows: the shortest opening of the text that parses and holds
    the key ends where the key's statement ends.
    """
    lines = source.split("\n")
    begin = 0
    for end, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        begin = begin or end
        try:
            document = tomllib.loads("\n".join(lines[:end]))
        except ValueError:
            continue  # inside an array or a string of several lines
        if _holds(document, where):
            return begin
        begin = 0
    return None


def nearest(source: str, where: Where) -> int:
    """The key's line, else that of what should hold it, else the first."""
    for end in range(len(where), 0, -1):
        line = locate(source, where[:end])
        if line:
            return line
    return 1


def label(where: Where) -> str:
    """`panel 2 next`: the way to a key as one would say it."""
    return " ".join(str(step + 1) if isinstance(step, int) else step for step in where)


def _holds(node: Any, where: Where) -> bool:
    try:
        for step in where:
            node = node[step]
    except (KeyError, IndexError, TypeError):
        return False
    return True
