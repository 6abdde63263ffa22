"""The venue as its pages know it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import Depends

from companion.games.api import Game
from companion.settings.settings import WebSettings
from companion.venue.database import Database
from companion.venue.meeting import Meeting
from companion.venue.organiser import Organisers
from companion.venue.wall import Wall
from companion.web.desk import reader
from companion.words import Text, Translate


@dataclass
class Hall:
    """Games, tables, store, and who may arrange something."""

    shelf: Mapping[str, Game[Any]]
    wall: Wall
    database: Database
    organisers: Organisers
    settings: WebSettings
    meeting: Meeting | None = None
    language: str = "en"
    languages: Mapping[str, Translate] = field(default_factory=dict)
    drawn: asyncio.Event = field(default_factory=asyncio.Event)  # what glasses show may be another

    @property
    def reader(self) -> str:
        """The language of whoever asks."""
        return reader.get() if reader.get() in self.languages else self.language

    def say(self, told: Text, names: tuple[Text, ...] = ()) -> str:
        """A text in the reader's language."""
        return told.show(names, self.languages.get(self.reader, str))

    @property
    def only(self) -> Any:
        """For routes that arrange something: `dependencies=[venue.only]`."""
        return Depends(self.organisers.only)
