"""Power cuts in a duel: the moves that the bus had carried to the glasses must be on the disk."""

from __future__ import annotations

import json
import random
import sqlite3
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from tests.hardware import ocr
from tests.rig.build import say
from tests.rig.player import PINS, glass
from tests.rig.recording import Glasses, Transfer
from tests.rig.report import Took, spread
from tests.rig.rig import Rig

PAUSE = 20_000_000  # ns of silence after which a picture is whole
CHOOSES = ("Lay your 1st", "Lay your 2nd", "Seal your plan")  # every way out of these is a move
WAITS = ("Red lays", "Blue lays", "Seen it", "The duel is over")
TOP = (0, 0, 128, 16)  # where a title stands
PLAYS = (*CHOOSES, *WAITS)
PACKAGE = "/opt/companion/current/lib/python3*/site-packages/companion"
UNSYNCED = (
    f"sed -i s/synchronous=FULL/synchronous=OFF/ {PACKAGE}/memory/journal.py && "
    f"sed -i s/os.fdatasync,/id,/ {PACKAGE}/memory/watermark.py"
)


@dataclass
class Night:
    """What came of all cuts."""

    cuts: int = 0
    pictures: int = 0  # of a duel, that the bus had carried
    shown: int = 0  # moves that they tell of
    unshown: int = 0  # moves on the disk whose picture was not out yet
    kept: Counter[str] = field(default_factory=Counter)  # moves on the disk, by glass
    lost: list[str] = field(default_factory=list)
    back: list[Took] = field(default_factory=list)  # from the plug to the glasses

    def judge(self, pictures: list[tuple[int, str, str]], since: int, kept: Counter[str]) -> None:
        """One more cut: what the glasses had told since then must be among what is kept."""
        told = moves(pictures, since)
        due = self.kept + told
        self.cuts += 1
        self.pictures += len(pictures)
        self.shown += told.total()
        self.unshown += (kept - due).total()
        self.lost += [f"{one}: {due[one]} shown, {kept[one]} kept" for one in due - kept]
        self.kept = kept


def shown(wire: list[Transfer]) -> list[tuple[int, str, str]]:
    """Every whole picture of the duel that stood on a seat's glass: when, where, its title."""
    glasses, found = Glasses(), list[tuple[int, str, str]]()
    for one, after in zip(wire, _following(wire), strict=True):
        glasses.feed(one)
        if one.glass == "table" or one.data[:1] != b"\x40" or after - one.ended < PAUSE:
            continue
        words = ocr.read(glasses.picture(one.glass).crop(TOP))
        known = [title for title in PLAYS if words and words[0].startswith(title)]
        found += [(one.ended, one.glass, title) for title in known]
    return found


def _following(wire: list[Transfer]) -> list[int]:
    """When more of a picture was sent to the same glass, for each."""
    began: dict[str, int] = {}
    found = []
    for one in reversed(wire):
        found.append(began.get(one.glass, 1 << 62))
        if one.data[:1] == b"\x40":
            began[one.glass] = one.begun
    return found[::-1]


def moves(pictures: list[tuple[int, str, str]], since: int = 0) -> Counter[str]:
    """How many moves each glass tells of, at least: its seat is at another choice, or waits."""
    count, before = Counter[str](), dict[str, str]()
    for when, where, title in pictures:
        was = before.get(where, title)
        if when > since and was in CHOOSES and was != title:
            count[where] += 1
        before[where] = title
    return count


def kept_moves(file: Path) -> Counter[str]:
    """The moves of the newest duel in a journal that change the title of their seat's glass."""
    with closing(sqlite3.connect(file)) as journal:
        games = "SELECT id, seats FROM games WHERE key = 'kiriai' ORDER BY id DESC LIMIT 1"
        for game, seats in journal.execute(games).fetchall():
            found = journal.execute("SELECT who, kind, body FROM entries WHERE game = ?", (game,))
            panels = [seat["panel"] for seat in json.loads(seats)]
            return Counter(
                glass(panels[who]) for who, kind, body in found
                if kind == "back" or json.loads(body).get("do") in ("Pick", "Seal")
            )  # fmt: skip
    return Counter()


def on_disk(rig: Rig) -> Counter[str]:
    """The same of the machine's own journal."""
    file = rig.machine.share / "journal.db"
    rig.machine.run("rm -f /host/journal.db*; cp /var/lib/companion/journal.db* /host/", ok=None)
    return kept_moves(file) if file.exists() else Counter()


def cut(rig: Rig, night: Night, chance: random.Random) -> None:
    """Play a little, pull the plug in the midst of a press, look what is there afterwards."""
    machine, player = rig.machine, rig.player
    few, since = chance.randrange(2, 6), machine.wire[-1].ended
    for taken in player.duel():
        if taken == few:
            break
    machine.touch(PINS[chance.randrange(2), "select"])
    time.sleep(chance.uniform(0.0, 0.2))
    machine.kill()
    pictures = shown(machine.wire)
    night.back.append(rig.switch_on())
    night.judge(pictures, since, on_disk(rig))
    say(f"  cut {night.cuts}: {night.shown} moves shown so far, {len(night.lost)} losses")


def cuts(rig: Rig, count: int) -> Night:
    """So many, in one duel after the other."""
    night, chance = Night(kept=on_disk(rig)), random.Random(7)
    while night.cuts < count:
        if not rig.player.says(0).startswith(("Lay", "Seal", "Seen", "Red lays", "Blue lays")):
            rig.begin()
            rig.player.join("Kiri-ai", 2)
            night.kept = on_disk(rig)
        cut(rig, night, chance)
    return night


def synced(rig: Rig, count: int) -> None:
    """The promise: what a glass had shown is never lost."""
    night = cuts(rig, count)
    rig.report.add(
        "Power cuts", f"{night.cuts} in duels: moves that the bytes on the bus tell of, lost",
        f"{len(night.lost)} of {night.shown}, in {night.pictures} pictures; "
        f"{night.unshown} more were on the disk already {'; '.join(night.lost)}".strip(),
        not night.lost and night.shown > 0,
    )  # fmt: skip
    whole = spread([one.seconds for one in night.back], "s")
    own = spread([one.seconds - one.withheld for one in night.back], "s")
    rig.report.add(
        "Power cuts", "from the plug to all glasses", f"{whole}; without the waits: {own}"
    )


def unsynced(rig: Rig, count: int) -> None:
    """A planted fault: a journal that does not wait for the disk. The judge must see losses."""
    rig.machine.run(f"{UNSYNCED} && sync")
    rig.begin()
    night = cuts(rig, count)
    rig.report.add(
        "Power cuts", f"{night.cuts} more with a planted fault: a journal that is not synced",
        f"{'caught' if night.lost else 'not noticed'}: {'; '.join(night.lost)}", bool(night.lost),
    )  # fmt: skip
