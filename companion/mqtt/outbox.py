"""Every game of the journal on its way to the bus: what is left to send, and how it reads.

A message is one line of JSON. Number 0 of a game tells who plays what, number n is the n-th entry
as a running game's export shows it. Each carries the hash of the chain: SHA-256 over the hash
before it and over the message. This chain binds the public parts and no others: the journal's own
links hash what is hidden, too, and a hidden card or salt is found in seconds by trying them all.

When a game has ended, "end" follows: the result, the hidden parts, the seed that verifies them,
and the journal's own link, which then binds everything. A correction can make a game run again:
then its next end is another message. All may be sent twice; whoever keeps them keeps one of each.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from companion.errors import BadJournal, BadState
from companion.games.api import Game
from companion.memory.codec import json_line
from companion.memory.journal import Record
from companion.memory.records import in_play, known_game, public_body
from companion.memory.seals import seed_code
from companion.memory.sent import Sent, Unsent
from companion.mqtt.telling import Json

BATCH = 50  # messages between two notes of how far we are

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Letter:
    """One message, and the note to keep once the broker has it; no line: only the note."""

    line: str
    sent: Sent


class Outbox:
    """Reads the journal beside the play, by a connection of its own."""

    def __init__(self, path: Path, shelf: Mapping[str, Game[Any]], table: str) -> None:
        self._path, self._shelf, self._table = path, shelf, table

    def batch(self) -> list[Letter]:
        """What is to go out next, in order; [] when everything was sent."""
        journal = Unsent(self._path)
        try:
            return list(islice(self._letters(journal), BATCH))
        finally:
            journal.close()

    def _letters(self, journal: Unsent) -> Iterator[Letter]:
        for sent in journal.games_left():
            try:
                yield from self._game(journal, sent)
            except (BadJournal, BadState, KeyError, TypeError, ValueError) as error:
                log.warning("game %d stays at this table: %s", sent.game, type(error).__name__)
                yield _passed_over(journal, sent)

    def _game(self, journal: Unsent, sent: Sent) -> Iterator[Letter]:
        record = journal.record(sent.game)
        if record.key == "lobby":
            yield _passed_over(journal, sent)
            return
        game = known_game(record, self._shelf)
        if sent.number < 0:
            yield (letter := self._chained(replace(sent, number=0), _head(record)))
            sent = letter.sent
        for entry in journal.entries(sent.game, sent.number):
            body = public_body(game, entry)
            told = {"at": entry.at, "who": entry.who, "kind": entry.kind, "body": body}
            yield (letter := self._chained(replace(sent, number=entry.seq), told))
            sent = letter.sent
        if sent.end != sent.stands and (record.ended is None or not in_play(journal, record)):
            sent = replace(sent, end=sent.stands)
            message = self._message(sent, "end", _end(journal, game, record))
            yield Letter(json_line({**message, "hash": sent.hash}), sent)

    def _chained(self, sent: Sent, told: Json) -> Letter:
        message = self._message(sent, sent.number, told)
        sent = replace(sent, hash=chained(sent.hash, message))
        return Letter(json_line({**message, "hash": sent.hash}), sent)

    def _message(self, sent: Sent, number: int | str, told: Json) -> Json:
        return {"table": self._table, "game": sent.game, "number": number, "told": told}


def chained(before: str, message: Json) -> str:
    """The hash of a message (without its own) that follows one with the hash `before`."""
    return hashlib.sha256((before + json_line(message)).encode()).hexdigest()


def _head(record: Record) -> Json:
    return {
        "game": record.key, "rules": record.version, "seats": record.seats,
        "options": record.options, "began": record.began, "seed_code": seed_code(record.seed),
    }  # fmt: skip


def _end(journal: Unsent, game: Game[Any], record: Record) -> Json:
    entries = journal.entries(record.id)
    if record.ended is None:  # a correction has made it a running game again
        return {"ended": None, "entries": len(entries)}
    before, link = journal.links(record.id)
    return {
        "ended": record.ended, "result": record.result, "entries": len(entries),
        "seed": record.seed, "before": before.hex(), "link": link.hex(),
        "hidden": {str(e.seq): e.body for e in entries if public_body(game, e) != e.body},
    }  # fmt: skip


def _passed_over(journal: Unsent, sent: Sent) -> Letter:
    """The lobby is no game; and one that cannot be read stays where it is."""
    return Letter("", replace(sent, number=journal.length(sent.game), end=sent.stands))
