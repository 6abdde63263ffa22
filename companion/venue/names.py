"""What an organiser types: names of people, tables and leagues, checked at the door."""

from __future__ import annotations

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field

from companion.table.lobby import LONGEST_NAME

TITLE = 60  # letters of the name of a league or a tournament


def same(name: str) -> str:
    """Two names that people take for one are one: however they are written."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def _line(said: str) -> str:
    line = " ".join(said.split())
    if not line or not line.isprintable():
        raise ValueError("it holds letters that cannot be shown, or none")
    return line


def _once(names: list[str]) -> list[str]:
    if len({same(name) for name in names}) < len(names):
        raise ValueError("a name stands there twice")
    return names


Title = Annotated[str, Field(max_length=TITLE), AfterValidator(_line)]
PlayerName = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_line)]
Players = Annotated[list[PlayerName], Field(min_length=2, max_length=512), AfterValidator(_once)]
TableName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Tables = Annotated[list[TableName], Field(max_length=1000), AfterValidator(_once)]
