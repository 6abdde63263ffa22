"""Games of the past: listed, exported as JSON lines, replayed step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.codec import action_from_json, line, options_from_json, redacted
from companion.errors import BadJournal, BadState
from companion.games.api import Game
from companion.journal import Entry, Journal, Record
from companion.lobby import seat_names
from companion.menu import told
from companion.timeline import Timeline, replay
from companion.views import View
from companion.words import Text, text


def listed(journal: Journal) -> list[Record]:
    """Every game that was played, the newest first; the lobby is none."""
    return [record for record in journal.games() if record.key != "lobby"]


def find(journal: Journal, number: int) -> Record:
    """The game with this number."""
    for record in listed(journal):
        if record.id == number:
            return record
    raise BadState(f"there is no game {number}; `companion games` lists them")


def exported(journal: Journal, record: Record, shelf: Mapping[str, Game[Any]]) -> Iterator[str]:
    """A game as JSON lines. While it runs, what is secret is left out, and the head says so."""
    game = _game(record, shelf)
    running = record.ended is None
    yield line(
        {
            "companion": 1, "game": record.key, "rules": record.version, "seats": record.seats,
            "options": record.options, "began": record.began, "ended": record.ended,
            "result": record.result, "secrets_left_out": running,
        }
    )  # fmt: skip
    for entry in journal.entries(record.id):
        body = _without_secrets(game, entry) if running else entry.body
        yield line(
            {"seq": entry.seq, "at": entry.at, "who": entry.who, "kind": entry.kind, "body": body}
        )


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a replay: what was done, as the viewer is told, and what then stood there."""

    seq: int
    told: Text
    view: View


def steps(
    journal: Journal, record: Record, shelf: Mapping[str, Game[Any]], seat: int | None
) -> Iterator[Step]:
    """A game again, through one seat's eyes or the public's; a seat's only when it has ended."""
    if seat is not None and record.ended is None:
        raise BadState("this game still runs: only the public view can be replayed")
    if seat is not None and not 0 <= seat < len(record.seats):
        raise BadState(f"this game has seats 1 to {len(record.seats)}")
    line = fold(journal, record, shelf)
    names = seat_names(line.game, [player["name"] for player in record.seats])
    yield Step(0, text("The start"), _seen(line, 0, seat, names))
    for number, move in enumerate(line.moves, start=1):
        yield Step(move.seq, told(line, move, seat), _seen(line, number, seat, names))


def fold(journal: Journal, record: Record, shelf: Mapping[str, Game[Any]]) -> Timeline:
    """The whole game from its journal."""
    game = _game(record, shelf)
    options = {key: value for key, value in record.options.items() if key != "mode"}
    start = game.new(len(record.seats), options_from_json(game, options))
    return replay(game, start, journal.entries(record.id))


def _seen(line: Timeline, number: int, seat: int | None, names: tuple[Text, ...]) -> View:
    return replace(line.game.view(line.states[number], seat), names=names)


def _game(record: Record, shelf: Mapping[str, Game[Any]]) -> Game[Any]:
    game = shelf.get(record.key)
    if game is None:
        raise BadState(f"game {record.id} is {record.key}, which is not on this shelf")
    if game.version != record.version:
        raise BadJournal(
            f"game {record.id} was played by version {record.version} of the rules of "
            f"{record.key}; this companion has version {game.version}"
        )
    return game


def _without_secrets(game: Game[Any], entry: Entry) -> dict[str, Any]:
    if entry.kind == "do":
        plain = {key: value for key, value in entry.body.items() if key != "against"}
        return redacted(action_from_json(game, plain))
    if entry.kind == "fix":
        return {**entry.body, "action": redacted(action_from_json(game, entry.body["action"]))}
    return entry.body
