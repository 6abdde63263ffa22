"""What the glasses of a table had shown before its plug was pulled, kept outside and compared."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from companion.events import Key
from companion.games import GAMES
from companion.memory.journal import Journal
from companion.memory.records import listed, sat, timeline_of
from companion.memory.timeline import entered, fold, opening
from companion.table.teaching import goal
from companion.table.telling import news
from companion.words import SeatNo
from tests.table.evening import GLASSES, Onlooker, Shown

# where a finger was in the menu, and what was proposed but not agreed: forgotten by a cut
FORGOTTEN = (
    "menu", "proposes", "agree", "Agreed", "Set which", "Correct which", "should be", "misread",
    "was not a", "is gone", "no longer counts", "No roll is wanted", "Advice", "No advice",
    "How strict?", "Really?", "can no longer be done", "The seed",
    "House rules", "Your name?", "Who gets your seat?", "of which game?", "kind of card?",
    "Which card?", "card is gone", "Why?", "| How to play", "| Words", "| Rules", "| Not now",
    "Teach you", "Turning points",
    *(f"| {page.title.show()}" for game in GAMES.values() if game.lesson
      for page in game.lesson.pages),
    *(f"| {rule.section}" for game in GAMES.values() for rule in game.rules),
)  # fmt: skip
# the words of a game stand on its table only while a finger looks at it
WORDS = {
    f"  {one.word.show()}: {one.means.show()}"
    for game in GAMES.values() if game.lesson for one in game.lesson.words
}  # fmt: skip


AT_ONCE = 4  # entries that one press writes at most: a move, and what chance adds


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


def story_on_disk(state: Path, game: int) -> set[str]:
    """Every sentence of its story, for anybody, that a game in a journal still tells."""
    journal = Journal(state / "journal.db", lambda: 0.0, write=False)
    record = next(one for one in listed(journal) if one.id == game)
    played, names = GAMES[record.key], sat(record, GAMES[record.key])
    start = opening(played, record.version, len(record.seats), record.options)
    lines = [*accumulate(journal.entries(game), entered, initial=fold(played, start, ()))]
    journal.close()
    about = {beat.says.show(names) for beat in goal(lines[0])}  # told to whoever is taught
    return about | {
        beat.says.show(names)
        for at, before in enumerate(lines)
        for after in lines[at + 1 : at + 1 + AT_ONCE]
        for viewer in (None, *map(SeatNo, range(len(record.seats))))
        for beat in news(before, after, viewer)
    }


def without_words(says: Sequence[str]) -> tuple[str, ...]:
    """A view but for the words that it explains."""
    return tuple(row for row in says if row not in WORDS)


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
                seen = self._known.setdefault((one.display, one.game, one.entry), set())
                seen.add(without_words(one.says))
        self.unseen += (max(kept), kept[max(kept)]) > max((o.game, o.entry) for o in shown)

    def back(self, shown: Sequence[Shown]) -> None:
        """The table is up again: the views are those that stood there at the same entry."""
        for name in GLASSES:
            first = next(one for one in shown if one.display == name)
            before = self._known.get((name, first.game, first.entry))
            if before is not None:
                says = without_words(first.says)
                assert says in before, f"another view after the cut: {says}, {before}"
