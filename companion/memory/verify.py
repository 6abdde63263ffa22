"""Did the box keep its word? Every seal, deal and result of an exported game, worked out again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from companion.errors import BadJournal
from companion.games.api import Game, Rolled, seal_of
from companion.memory.codec import action_from_json, done_from_json, result_to_keep
from companion.memory.journal import Entry
from companion.memory.records import Export, read_export
from companion.memory.seals import Seals, arranged_deal, begun, seed_code
from companion.memory.timeline import MISFITS, Timeline, entered
from companion.words import Seat, Text, name_text, text

Verdict = Literal["holds", "broken", "unverifiable"]
What = Literal["seed", "seal", "deal", "move", "bot", "result"]

Rethink = Callable[[Timeline, Any, Mapping[str, Any]], Any]
"""(the game before it, a companion's move, what was noted beside it): the move that the same player
makes now; None: there is no such player any more."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was worked out again. `seq` is its entry, 0 for the game as a whole."""

    seq: int
    what: What
    holds: bool
    says: Text


@dataclass(frozen=True, slots=True)
class Report:
    """What the checks found, and what no check can tell."""

    verdict: Verdict
    checks: tuple[Check, ...]
    notes: tuple[Text, ...]
    names: tuple[Text, ...]
    seed_code: str

    def to_json(self, say: Any) -> dict[str, Any]:
        """For pages and programs, in the reader's language."""
        return {
            "verdict": self.verdict,
            "seed_code": self.seed_code,
            "checks": [
                {"seq": one.seq, "what": one.what, "holds": one.holds, "says": say(one.says)}
                for one in self.checks
            ],
            "notes": [say(note) for note in self.notes],
        }


def verify(data: bytes, shelf: Mapping[str, Game[Any]], rethink: Rethink | None = None) -> Report:
    """The report on the export of an ended game; BadState if it is none.

    With `rethink` the companion thinks about each of its moves again, which takes its time.
    """
    export = read_export(data, shelf)
    sealed = bool(export.head.get("seed_code") or export.head.get("seed"))
    notes = list(_cuts(export)) if sealed else [
        text("It has no seed: it was begun before the box gave one. Seals and deals cannot be "
             "checked, its moves and its result were.")
    ]  # fmt: skip
    if export.options.get("taught"):
        notes.append(text("A lesson: its first deals and throws were arranged, nobody drew them."))
    checks = [_seed(export)] if sealed else []
    line, found = _played(export, notes, rethink, sealed=sealed)
    checks += found
    if line is not None:
        checks.append(_result(export, line))
    holds: Verdict = "holds" if sealed else "unverifiable"
    verdict = holds if all(one.holds for one in checks) else "broken"
    code = str(export.head.get("seed_code") or "")
    return Report(verdict, tuple(checks), tuple(notes), export.names, code)


def _seed(export: Export) -> Check:
    shown = export.head.get("seed_code")
    if seed_code(export.seed) == shown:
        return Check(0, "seed", True, text("The seed gives the code that was shown."))
    return Check(0, "seed", False, text("The seed does not give the code that was shown."))


def _cuts(export: Export) -> Iterator[Text]:
    """Who has cut, so that each can see whether it was he, and how often."""
    names = {seat["panel"]: name_text(seat["name"]) for seat in export.seats}
    counted = Counter(_cut_by(export))
    for panel, n in sorted(counted.items()):
        who = names.get(panel, text("Panel {n}", n=panel + 1))
        yield text("{who} cut {n} times.", who=who, n=n)
    if not counted:
        yield text("Nobody cut: a box that cheats could have chosen the first deal.")


def _cut_by(export: Export) -> list[int]:
    cuts = export.options.get("cuts")
    told = cuts if isinstance(cuts, list) else []
    return [panel for panel in told if type(panel) is int]


def _played(
    export: Export, notes: list[Text], rethink: Rethink | None, *, sealed: bool
) -> tuple[Timeline | None, list[Check]]:
    """The game once more, entry by entry; None: it cannot be played to its end like this."""
    first = seals = begun(export.seed, export.game.key, _cut_by(export))
    checks: list[Check] = []
    revived, strangers = 0, False
    try:
        line = Timeline(export.game, (), (export.start(),))
    except (*MISFITS, BadJournal):
        return None, [Check(0, "move", False, text("No game begins like this."))]
    for entry in export.entries:
        if line.result is not None:
            revived = line.seq
        try:
            if sealed:
                checks += _derived(line, entry, seals, bool(export.options.get("taught")))
            if sealed and entry.kind == "do" and "bot" in entry.body:
                thought = _bot(line, entry, first, rethink)
                checks += [thought] if thought else []
                strangers = strangers or thought is None
            if entry.kind == "do":
                seals = seals.heard(done_from_json(export.game, entry.body))
            line = entered(line, entry)
        except MISFITS:
            refused = text("The rules refuse this entry: it was not played like this.")
            return None, [*checks, Check(entry.seq, "move", False, refused)]
    if revived and sealed:
        notes.append(text(
            "The seed was shown after entry {n}, and the game went on: whoever had read it could "
            "foresee what was dealt later.", n=revived,
        ))  # fmt: skip
    if strangers:
        notes.append(text("What the companion thought was not thought again."))
    return line, checks


def _bot(line: Timeline, entry: Entry, first: Seals, rethink: Rethink | None) -> Check | None:
    """A companion's move: its chance came from the seed, and it would do the same again."""
    action, note = done_from_json(line.game, entry.body), entry.body["bot"]
    who = Seat(action.seat)
    if not isinstance(note, dict) or note.get("seed") != first.player(action.seat):
        says = text("{who}: it thought with another chance than the seed gives.", who=who)
        return Check(entry.seq, "bot", False, says)
    again = rethink(line, action, note) if rethink else None
    if again is None:
        return None
    if again == (replace(action, salt="") if hasattr(action, "salt") else action):
        return Check(entry.seq, "bot", True, text("{who} thinks of the same move.", who=who))
    return Check(entry.seq, "bot", False, text("{who} thinks of another move.", who=who))


def _derived(line: Timeline, entry: Entry, seals: Seals, lesson: bool) -> Iterator[Check]:
    """What seed and table must have given for this entry."""
    game, seq = line.game, entry.seq
    if entry.kind == "fix" and not isinstance(action_from_json(game, entry.body["action"]), Rolled):
        yield Check(seq, "move", False, text("Only a roll of dice can be corrected."))
    if entry.kind != "do":
        return
    action = done_from_json(game, entry.body)
    if hasattr(action, "salt"):
        yield _seal(action, entry, seals)
    elif game.chance is not None and line.waiting.chance and not hasattr(action, "seat"):
        told = arranged_deal(line) if lesson else None
        if told is not None and game.chance(line.state, told) == action:
            yield Check(seq, "deal", True, text("Arranged by the lesson: this was no chance."))
        elif told is None and game.chance(line.state, seals.pick(seq)) == action:
            yield Check(seq, "deal", True, text("Dealt as seed and table gave it."))
        else:
            yield Check(seq, "deal", False, text("This is not what seed and table gave."))


def _seal(action: Any, entry: Entry, seals: Seals) -> Check:
    who, code = Seat(action.seat), seal_of(action)
    if action.salt != seals.salt(action.seat, entry.seq):
        says = text("{who}: this salt is not the one that the seed gives.", who=who)
        return Check(entry.seq, "seal", False, says)
    if entry.body.get("code") != code:
        says = text("{who}: this choice gives {code}, another code was shown.", who=who, code=code)
        return Check(entry.seq, "seal", False, says)
    return Check(entry.seq, "seal", True, text("{who} sealed {code}.", who=who, code=code))


def _result(export: Export, line: Timeline) -> Check:
    kept = result_to_keep(line.result, export.names) if line.result else None
    told = export.head.get("result")
    if isinstance(told, dict) and kept is not None and "text" not in told:
        del kept["text"]  # of an older companion
    if told != kept:
        return Check(0, "result", False, text("These moves lead to another result."))
    says = line.result.why if line.result else text("It was given up.")
    return Check(0, "result", True, says)
