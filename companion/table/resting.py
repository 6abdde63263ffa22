"""Games that were set aside: which there are, and whether they can go on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from companion.errors import BadJournal
from companion.games.api import Game
from companion.memory.codec import options_from_json
from companion.memory.journal import Entry, Journal, Record
from companion.memory.timeline import Timeline, opening, replay
from companion.table.lobby import MODES, Resting
from companion.words import SeatNo

MOST = 9  # that the lobby offers; the newest


def resting(journal: Journal, shelf: Mapping[str, Game[Any]], given_up: int) -> tuple[Resting, ...]:
    """What the lobby offers to go on with; `given_up`: the game that is over now."""
    games = (one for one in journal.resting() if one.key in shelf and one.id != given_up)
    return tuple(
        Resting(
            one.id, one.key, tuple(seat["name"] for seat in one.seats), journal.day(one.began),
            journal.length(one.id),
        )
        for one in islice(games, MOST)
    )  # fmt: skip


def on_table(journal: Journal) -> Record:
    """The newest game."""
    record = journal.last()
    if record is None:
        raise BadJournal("there is no game")
    return record


def mode_of(record: Record, entries: Iterable[Entry]) -> str:
    """How strict the game was when it was left."""
    modes = (entry.body.get("mode") for entry in entries if entry.kind == "mode")
    mode = [record.options.get("mode", MODES[0]), *modes][-1]
    if mode not in MODES:
        raise BadJournal(f"{mode} is no mode")
    return str(mode)


def lobby_line(journal: Journal, game: Game[Any], panels: int, record: Record) -> Timeline:
    """A lobby as its journal tells it."""
    if record.version != game.version:
        raise BadJournal(f"it was played by version {record.version} of the rules")
    state = game.new(panels, options_from_json(game, record.options))
    return replay(game, state, journal.entries(record.id))


def folded(journal: Journal, shelf: Mapping[str, Game[Any]], record: Record) -> Timeline:
    """The game as its journal tells it; whatever this raises, it cannot go on."""
    game = shelf[record.key]
    state = opening(game, record.version, len(record.seats), record.options)
    line = replay(game, state, journal.entries(record.id))
    for seat in (None, *map(SeatNo, range(len(record.seats)))):  # no view, no play
        line.view(seat)
    return line
