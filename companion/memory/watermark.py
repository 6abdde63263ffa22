"""The second file of a journal: how far it had come, so that a journal that was rewound is noticed.

It says the newest link that was committed: game, number of the entry, hash. It has two places,
used in turn, each with a checksum in a block of its own. A claim is written once the commit of its
entry is on the disk, and synced beside the play; the next commit returns only after that.

So let entry n be shown and n+1 be under way when the power fails. The journal is at n or n+1,
whichever its own sync had reached. The claim for n was written after n was on the disk, so the
file says at most what the journal holds; n-1 was synced before n was shown, in the other place,
so the file says at least n-1, even if the claim for n is torn. The same holds before the claim
for n+1 is written, while it is written (n is in the other place, synced), and before it is synced.
A journal that holds less than its mark was damaged, and no cut alone makes it look so. A kill
without a power cut leaves the claim of all that was shown.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from companion.files import aside

END = "-mark"  # after the journal's name, as SQLite's own second files are named
BLOCK = 4096  # of the disk: a torn block takes the other place not with it
PLACES = 2


@dataclass(frozen=True, slots=True)
class Mark:
    """The newest link of a journal; number 0 is the game's own row."""

    game: int
    number: int
    link: bytes
    format: int

    def names(self, game: int, number: int, link: bytes) -> bool:
        """Whether this is the link that it claims."""
        return (game, number, link) == (self.game, self.number, self.link)

    def encode(self) -> bytes:
        """One line that an eye can read, with its checksum."""
        said = f"{self.format} {self.game} {self.number} {self.link.hex()}"
        return f"{said} {_sum(said)}\n".encode()


def _sum(said: str) -> str:
    return sha256(said.encode()).hexdigest()[:16]


def decode(block: bytes) -> Mark | None:
    """What a place claims; None if it is empty, torn or spoilt."""
    try:
        said, _, check = block.partition(b"\n")[0].decode("ascii").rpartition(" ")
        if check != _sum(said):
            return None
        format, game, number, link = said.split(" ")
        return Mark(int(game), int(number), bytes.fromhex(link), int(format))
    except ValueError:
        return None


def mark_file(journal: Path) -> Path:
    """Where the mark of a journal stands."""
    return journal.with_name(journal.name + END)


def read_mark(journal: Path) -> Mark | None:
    """The newest claim; None if there is none that can be read."""
    path = mark_file(journal)
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return _newest([decode(file.read(BLOCK)) for _ in range(PLACES)])


def _newest(found: Iterable[Mark | None]) -> Mark | None:
    marks = [mark for mark in found if mark is not None]
    return max(marks, key=lambda mark: (mark.game, mark.number), default=None)


class Watermark:
    """The file while a journal is written. One thread beside the play syncs it."""

    def __init__(self, journal: Path) -> None:
        path = mark_file(journal)
        if os.path.lexists(path) and not path.is_file():  # opening a pipe would never end
            path.rename(aside(path))
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._beside = ThreadPoolExecutor(1, "journal-mark")
        self._syncing: Future[None] | None = None
        found = [decode(os.pread(self._file, BLOCK, place * BLOCK)) for place in range(PLACES)]
        self._place = found.index(newest) if (newest := _newest(found)) else 0
        if os.fstat(self._file).st_size != PLACES * BLOCK:  # from here on a sync writes no size
            for place, mark in enumerate(found):
                said = mark.encode() if mark else b""
                os.pwrite(self._file, said.ljust(BLOCK, b"\0"), place * BLOCK)
            os.truncate(self._file, PLACES * BLOCK)
            os.fsync(self._file)
            sync_folder(path.parent)

    def settle(self) -> None:
        """Wait until the claim that was written last is on the disk."""
        if self._syncing is not None:
            syncing, self._syncing = self._syncing, None
            syncing.result()

    def claim(self, mark: Mark) -> None:
        """That this is committed; the claim before it has settled."""
        self.settle()
        self._place = (self._place + 1) % PLACES
        os.pwrite(self._file, mark.encode(), self._place * BLOCK)
        self._syncing = self._beside.submit(os.fdatasync, self._file)

    def close(self) -> None:
        """Leave the file in order, as far as the disk lets us."""
        with suppress(OSError):
            self.settle()
        self._beside.shutdown()
        os.close(self._file)


def sync_folder(folder: Path) -> None:
    """Its names are on the disk, not only on their way there."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
