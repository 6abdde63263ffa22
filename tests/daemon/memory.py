"""What the glasses of a table had shown before its plug was pulled, kept outside and compared."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from companion.events import Key
from companion.games import GAMES
from companion.memory.journal import Journal
from companion.memory.records import listed, timeline_of
from tests.table.evening import GLASSES, Onlooker, Shown

# where a finger was in the menu, and what was proposed but not agreed: forgotten by a cut
FORGOTTEN = (
    "menu", "proposes", "agree", "Agreed", "Set which", "Correct which", "should be", "misread",
    "was not a", "is gone", "no longer counts", "No roll is wanted", "Advice", "No advice",
)  # fmt: skip


def sensible(evening: Onlooker, chance: random.Random) -> list[tuple[int, Key]]:
    """Presses that a player makes next, judged by what the glasses say."""
    panel = chance.randrange(2)
    says = evening.newest("two" if panel else "one").says
    keys: list[Key] = []
    if any(row.startswith("  [") for row in says):
        choices = sum(row.startswith("  [") for row in says)
        keys = ["next"] * chance.randrange(min(choices, 4)) + ["select"]
    if chance.random() < 0.15:
        keys = ["back", "back", "select", "back"]  # look, menu, its first row, and out
    return [(panel, key) for key in keys]


def on_disk(state: Path) -> dict[int, int]:
    """The number of entries of each game in a journal; no half action: every game folds."""
    if not (state / "journal.db").exists():
        return {}
    journal = Journal(state / "journal.db", lambda: 0.0, write=False)
    for record in listed(journal):
        timeline_of(journal, record, GAMES)
    kept = {record.id: len(journal.entries(record.id)) for record in journal.games()}
    journal.close()
    return kept


@dataclass
class Memory:
    """Of one table, over all its cuts."""

    newest: int = 0  # the highest entry that a glass had shown
    unseen: int = 0  # cuts between the commit and the glass: stored, not yet shown
    _known: dict[tuple[str, int, int], set[tuple[str, ...]]] = field(default_factory=dict)

    def cut(self, shown: Sequence[Shown], kept: Mapping[int, int]) -> None:
        """The plug was pulled: whatever was shown must be on the disk."""
        for one in shown:
            assert kept.get(one.game, -1) >= one.entry, (
                f"{one.display} showed entry {one.entry} of game {one.game}, it is lost: {kept}"
            )
            self.newest = max(self.newest, one.entry)
            if not any(word in one.says[0] for word in FORGOTTEN):
                self._known.setdefault((one.display, one.game, one.entry), set()).add(one.says)
        self.unseen += (max(kept), kept[max(kept)]) > max((o.game, o.entry) for o in shown)

    def back(self, shown: Sequence[Shown]) -> None:
        """The table is up again: the views are those that stood there at the same entry."""
        for name in GLASSES:
            first = next(one for one in shown if one.display == name)
            before = self._known.get((name, first.game, first.entry))
            if before is not None:
                assert first.says in before, "the view is another one after the cut"
