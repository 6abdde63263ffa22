"""Games of the past: listed, exported as JSON lines, replayed step by step."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

from companion.errors import BadJournal, BadState, CompanionError
from companion.games.api import Game, Result
from companion.memory.codec import (
    action_from_json,
    done_from_json,
    json_line,
    redacted,
    result_to_keep,
)
from companion.memory.journal import KINDS, Entry, Journal, Record
from companion.memory.seals import seed_code
from companion.memory.sentences import move_sentence, seat_names
from companion.memory.timeline import MISFITS, Timeline, entered, opening, replay
from companion.views import Beat, View
from companion.words import SeatNo, Text, text, unwritable

SEED = 64  # letters of a seed
LONGEST_LEVEL = 12  # letters of how well a companion plays

LONGEST = 10_000  # entries of a game from elsewhere; a long evening has a tenth of them


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
    game = known_game(record, shelf)
    running = in_play(journal, record)
    entries = journal.entries(record.id)
    shown = not running or _ended_before(game, record, entries)
    yield json_line(
        {
            "companion": 1, "game": record.key, "rules": record.version, "seats": record.seats,
            "options": record.options, "began": record.began, "ended": record.ended,
            "result": record.result, "secrets_left_out": running,
            "seed_code": seed_code(record.seed), "seed": None if running else record.seed,
            "seed_was_shown": bool(record.seed) and shown,
        }
    )  # fmt: skip
    for entry in entries:
        body = public_body(game, entry) if running else entry.body
        yield json_line(
            {"seq": entry.seq, "at": entry.at, "who": entry.who, "kind": entry.kind, "body": body}
        )


def seeds_in_play(journal: Journal) -> set[str]:
    """By which games run or rest: a game that was set aside and taken up has a copy by its seed."""
    return {one.seed for one in journal.resting()} - {""}


def in_play(journal: Journal, record: Record) -> bool:
    """Does a game run, or go on under another number? Then its secrets are some."""
    return record.ended is None or record.seed in seeds_in_play(journal)


def _ended_before(game: Game[Any], record: Record, entries: list[Entry]) -> bool:
    """Had a running game ended once? Then its seed was shown: a correction made it run again."""
    with suppress(BadJournal, *MISFITS):  # what does not fit is not judged here
        line = Timeline(game, (), (_start(game, record),))
        for entry in entries:
            line = entered(line, entry)
            if line.result is not None:
                return True
    return False


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a replay: what was done, as this viewer may know it, and what then stood there.

    `rule` is the one that the move follows; "" at the start and for a ruling.
    """

    seq: int
    sentence: Text
    view: View
    rule: str = ""
    beats: tuple[Beat, ...] = ()
    result: Result | None = None


def steps(
    journal: Journal,
    record: Record,
    shelf: Mapping[str, Game[Any]],
    seat: SeatNo | None,
    breathe: Callable[[], None] = lambda: None,
) -> Iterator[Step]:
    """A game again, through one seat's eyes or the public's; a seat's only when it has ended.

    `breathe` is called at every move: it may raise, and so end what takes too long.
    """
    if seat is not None and in_play(journal, record):
        raise BadState("this game still runs: only the public view can be replayed")
    if seat is not None and not 0 <= seat < len(record.seats):
        raise BadState(f"this game has seats 1 to {len(record.seats)}")
    line = timeline_of(journal, record, shelf, breathe)
    yield from steps_of(line, sat(record, line.game), seat, breathe)


def steps_of(
    line: Timeline, names: tuple[Text, ...], seat: SeatNo | None,
    breathe: Callable[[], None] = lambda: None,
) -> Iterator[Step]:  # fmt: skip
    """Every move of a game, as a viewer saw it."""
    yield Step(0, text("The start"), _seen(line, 0, seat, names))
    for number, move in enumerate(line.moves, start=1):
        breathe()
        seen = _seen(line, number, seat, names)
        result = line.result if number == len(line.moves) else None
        told, led_to = move_sentence(line, move, seat), line.beats(move, seat)
        yield Step(move.seq, told, seen, line.rule(move), led_to, result)


def timeline_of(
    journal: Journal,
    record: Record,
    shelf: Mapping[str, Game[Any]],
    breathe: Callable[[], None] = lambda: None,
) -> Timeline:
    """The whole game from its journal."""
    game = _breathing(known_game(record, shelf), breathe)
    return replay(game, _start(game, record), journal.entries(record.id))


def _start(game: Game[Any], record: Record) -> Any:
    return opening(game, record.version, len(record.seats), record.options)


def sat(record: Record, game: Game[Any] | None) -> tuple[Text, ...]:
    """Who sat at the table, by the roles of the game where it has them."""
    names = [player["name"] for player in record.seats]
    return seat_names(game, names) if game else tuple(text("{name}", name=name) for name in names)


def _seen(line: Timeline, number: int, seat: SeatNo | None, names: tuple[Text, ...]) -> View:
    return replace(line.game.view(line.states[number], seat), names=names)


def known_game(record: Record, shelf: Mapping[str, Game[Any]]) -> Game[Any]:
    """The rules of a game in the journal; BadState or BadJournal if this companion has them not."""
    game = shelf.get(record.key)
    if game is None:
        raise BadState(f"game {record.id} is {record.key}, which is not on this shelf")
    if record.version != game.version and record.version not in game.older:
        raise BadJournal(
            f"game {record.id} was played by version {record.version} of the rules of "
            f"{record.key}; this companion has version {game.version}"
        )
    return game


def _breathing(game: Game[Any], breathe: Callable[[], None]) -> Game[Any]:
    """The same game; `breathe` is called before each move that is judged."""

    def breathing(judge: Callable[..., Any]) -> Callable[..., Any]:
        def judged(*asked: Any) -> Any:
            breathe()
            return judge(*asked)

        return judged

    rulings = game.rulings
    return replace(
        game,
        apply=breathing(game.apply),
        rulings=replace(
            rulings,
            overrule=rulings.overrule and breathing(rulings.overrule),
            force=rulings.force and breathing(rulings.force),
        ),
    )


def public_body(game: Game[Any], entry: Entry) -> dict[str, Any]:
    """What everybody may know of an entry while its game runs."""
    if entry.kind == "do":
        return redacted(done_from_json(game, entry.body))
    if entry.kind == "fix":
        return {**entry.body, "action": redacted(action_from_json(game, entry.body["action"]))}
    if entry.kind == "warned":  # the reason may name a card in hand
        return {"rule": entry.body["rule"], "why": None}
    return entry.body


@dataclass(frozen=True, slots=True)
class Export:
    """A game as a file tells it; nothing of it was judged yet."""

    head: dict[str, Any]
    game: Game[Any]
    version: int
    seats: list[Any]
    options: dict[str, Any]
    entries: list[Entry]

    @property
    def names(self) -> tuple[Text, ...]:
        """Who sat at the table."""
        return seat_names(self.game, [seat["name"] for seat in self.seats])

    @property
    def seed(self) -> str:
        """The seed that it reveals; "" for a game from before there were seeds."""
        seed = self.head.get("seed")
        return seed if isinstance(seed, str) and len(seed) <= SEED else ""

    def start(self) -> Any:
        """The state before the first entry."""
        return opening(self.game, self.version, len(self.seats), self.options)


def read_export(
    data: bytes, shelf: Mapping[str, Game[Any]], breathe: Callable[[], None] = lambda: None
) -> Export:
    """The file of an ended game on this shelf; BadState says what else it is."""
    head, *rows = _rows(data, breathe)
    game = shelf.get(str(head.get("game")))
    if head.get("companion") != 1 or game is None:
        raise BadState("the first line does not tell of a game on this shelf")
    version = head.get("rules")
    if not _whole(version) or version not in (game.version, *game.older):
        raise BadState(f"it was played by other rules than version {game.version}")
    if head.get("secrets_left_out"):
        raise BadState("it was exported while it ran: export it again, now that it has ended")
    seats, chosen = _seats(head.get("seats"), game), head.get("options")
    if not isinstance(chosen, dict):
        raise BadState("the first line has no options")
    entries = [_entry(row, number, len(seats)) for number, row in enumerate(rows, start=1)]
    return Export(head, game, version, seats, chosen, entries)


def taken_in(
    journal: Journal,
    data: bytes,
    shelf: Mapping[str, Game[Any]],
    clock: list[float],
    breathe: Callable[[], None] = lambda: None,
) -> int:
    """Keep a game that was exported elsewhere, whole or not at all; every move is judged first.

    `clock` is what the journal stamps with: the entries keep their own times. `breathe` is called
    for each line, and before each move that is judged: it may raise.
    """
    export = read_export(data, shelf, breathe)
    head, game, entries = export.head, export.game, export.entries
    if head.get("seed_code", "") != seed_code(export.seed):
        raise BadState("its seed does not give the code that it tells")
    try:
        line = replay(_breathing(game, breathe), export.start(), entries)
    except (CompanionError, LookupError, TypeError, ValueError) as error:
        why = f"{error}: {error.__cause__}" if error.__cause__ else error
        raise BadState(f"these moves cannot have been played: {why}") from error
    result = result_to_keep(line.result, export.names) if line.result else None
    with journal.together():
        clock[0] = _moment(head.get("began"))
        number = journal.begin(
            game.key, export.version, export.seats, export.options, seed=export.seed
        )
        for entry in entries:
            breathe()
            clock[0] = entry.at
            journal.append(number, entry.seq, entry.who, entry.kind, entry.body)
        clock[0] = _moment(head.get("ended"))
        journal.end(number, result)
    return number


def _rows(data: bytes, breathe: Callable[[], None]) -> list[dict[str, Any]]:
    try:
        lines = [row for row in data.decode().splitlines() if row.strip()]
        if len(lines) > LONGEST + 1:
            raise BadState(f"it has more than {LONGEST} entries: no game of one evening has")
        rows = []
        for row in lines:
            breathe()
            rows.append(json.loads(row))
            if wrong := unwritable(rows[-1]):
                raise ValueError(wrong)
    except (ValueError, RecursionError) as error:
        raise BadState(f"this is not an exported game: {error}") from error
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise BadState("this is not an exported game: one JSON object a line")
    return rows


def _seats(given: Any, game: Game[Any]) -> list[Any]:
    sound = isinstance(given, list) and all(
        isinstance(seat, dict) and isinstance(seat.get("name"), str) and _placed(seat)
        for seat in given
    )
    if not sound or len(given) not in game.seats:
        raise BadState("the first line does not tell who sat where")
    return [
        {"panel": seat["panel"], "name": seat["name"][:12]}
        | ({"level": seat["level"]} if seat["panel"] is None else {})
        for seat in given
    ]


def _placed(seat: dict[str, Any]) -> bool:
    """At a panel, or the companion's: then it has a level instead."""
    panel, level = seat.get("panel"), seat.get("level")
    named = isinstance(level, str) and 0 < len(level) <= LONGEST_LEVEL
    return _whole(panel) if level is None else panel is None and named


def _entry(row: dict[str, Any], number: int, seats: int) -> Entry:
    who, body = row.get("who"), row.get("body")
    kind = next((known for known in KINDS if known == row.get("kind")), None)
    sound = row.get("seq") == number and (who is None or (_whole(who) and 0 <= who < seats))
    if not sound or kind is None or not isinstance(body, dict):
        raise BadState(f"entry {number} is missing or is none")
    return Entry(number, _moment(row.get("at")), who, kind, body)


def _whole(value: Any) -> TypeGuard[int]:
    """A number; true counts as one in Python, but the journal stores 1, and its link differs."""
    return type(value) is int


def _moment(value: Any) -> float:
    """A time of another clock; one that is none becomes the beginning of time."""
    sound = isinstance(value, int | float) and 0 <= value < 1e11
    return float(value) + 0.0 if sound else 0.0  # SQLite knows no -0.0
