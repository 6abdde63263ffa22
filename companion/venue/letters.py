"""What a table told, read and judged: pure, for whoever keeps it. docs/mqtt.md has the format."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import BadState, CompanionError
from companion.games.api import Game
from companion.memory.chain import entry_link, head_link
from companion.memory.codec import json_line
from companion.memory.journal import Entry
from companion.memory.records import public_body
from companion.memory.timeline import MISFITS
from companion.memory.verify import verify

END = -1  # in the place of a number
MOST = 1 << 31
TABLE, HASH = re.compile(r"[A-Za-z0-9_-]{1,40}"), re.compile(r"[0-9a-f]{64}")
HIDDEN = "the hidden parts are not those of the entries that were told"


@dataclass(frozen=True, slots=True)
class Told:
    """One message of a table; `told` is its JSON as it came."""

    table: str
    game: int
    number: int
    hash: str
    told: str

    def follows(self, before: str) -> bool:
        """Is it the next after a message with this hash?"""
        line = (
            f'{before}{{"table":"{self.table}","game":{self.game},'
            f'"number":{self.number},"told":{self.told}}}'
        )
        return hashlib.sha256(line.encode()).hexdigest() == self.hash


def read(topic: str, payload: bytes) -> Told:
    """A message on `…/TABLE/entry`; BadState says what is wrong with it."""
    table = topic.split("/")[-2]
    try:
        said = json.loads(payload)
        told = json_line(said["told"])
        told.encode()  # JSON can spell half a character
        if "\\u0000" in told:
            raise ValueError("it holds a character that no store keeps")
        number = END if said["number"] == "end" else said["number"]
        found = Told(said["table"], said["game"], number, said["hash"], told)
        numbers = type(found.game) is int and type(number) is int
        if not numbers or not (0 < found.game < MOST and END <= number < MOST):
            raise ValueError("its numbers are none")
        if not isinstance(said["told"], dict) or not HASH.fullmatch(found.hash):
            raise ValueError("it tells nothing")
        if not TABLE.fullmatch(found.table):
            raise ValueError("its table has a name that none can have")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadState(f"this is no entry of a game: {error!r}"[:200]) from error
    if found.table != table:
        raise BadState(f"table {table} speaks for {str(found.table)[:40]}")
    return found


def judged(
    rows: Sequence[str], game: int, finish: str, shelf: Mapping[str, Game[Any]]
) -> tuple[str, str]:
    """The verdict on an ended game, and why: every link and every move worked out again.

    `rows` is what was told of it from number 0 on.
    """
    try:
        end = {**json.loads(finish), "game": game}
        return _judged([json.loads(row) for row in rows], end, shelf)
    except (CompanionError, *MISFITS, AttributeError) as error:
        return "broken", f"it cannot be judged: {error}"[:200]


def _judged(rows: list[Any], end: Any, shelf: Mapping[str, Game[Any]]) -> tuple[str, str]:
    head, game, entries = rows[0], shelf[rows[0]["game"]], entries_of(rows, end)
    for row, entry in zip(rows[1:], entries, strict=True):
        if str(entry.seq) in end["hidden"] and public_body(game, entry) != row["body"]:
            return "broken", HIDDEN
    if _link(head, entries, end) != end["link"]:
        return "broken", "the journal's own link is another"
    report = verify(export_of(rows, end), shelf)
    wrong = next((check.says for check in report.checks if not check.holds), None)
    return report.verdict, wrong.show(report.names) if wrong else ""


def entries_of(rows: Sequence[Any], end: Any) -> list[Entry]:
    """The entries of an ended game, hidden parts and all; the head is none."""
    return [
        Entry(number, row["at"], row["who"], row["kind"],
              end["hidden"].get(str(number), row["body"]))
        for number, row in enumerate(rows[1:], start=1)
    ]  # fmt: skip


def export_of(rows: Sequence[Any], end: Any) -> bytes:
    """An ended game as its table would export it."""
    top = {**rows[0], "companion": 1, "ended": end["ended"], "result": end["result"],
           "secrets_left_out": False, "seed": end["seed"]}  # fmt: skip
    told = [{"seq": e.seq, "at": e.at, "who": e.who, "kind": e.kind, "body": e.body}
            for e in entries_of(rows, end)]  # fmt: skip
    return "\n".join(map(json_line, (top, *told))).encode()


def _link(head: Any, entries: list[Entry], end: Any) -> str:
    """The link that the journal must have there: over everything, hidden or not."""
    game = end["game"]
    link = head_link(
        bytes.fromhex(end["before"]), game, head["game"], head["rules"],
        json.dumps(head["seats"]), json.dumps(head["options"]), end["seed"], head["began"],
    )  # fmt: skip
    for one in entries:
        kept = json.dumps(one.body, separators=(",", ":"))
        link = entry_link(link, game, one.seq, one.at, one.who, one.kind, kept)
    return link.hex()
