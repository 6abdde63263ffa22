"""Rows of a damaged journal: read from every page that still is one, proven by their chain.

SQLite gives up a file at its first bad page and a log at its first bad frame. Most of both is
sound then. So each page of the file and each frame of the log is read by itself
(https://www.sqlite.org/fileformat2.html), whatever its checksum says: a row counts if its link
does, and a link is a hash that no damage makes right by chance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from struct import unpack
from typing import Any, TypeAlias

from companion.memory.chain import START, end_link, entry_link, head_link
from companion.memory.tables import Row
from companion.memory.watermark import Mark

SIZES = (2048, 4096)  # of a page: of ours, and SQLite's own choice in journals of format 1
LOG_HEAD, FRAME_HEAD = 32, 24
INNER, LEAF, ROW_LEAF = 0x02, 0x0A, 0x0D  # pages with the rows of entries, and of games
HEADS, ENTRIES, LINK_SIZE = 12, 7, 32  # columns of each table; bytes
BEGAN, ENDED, SEED, BOUND, LINK, END_LINK = 5, 6, 8, 9, 10, 11  # columns of a game
MOST_IMAGES = 8  # of one overflowing page that are tried

Pages: TypeAlias = Mapping[int, list[bytes]]  # every image of each page, the oldest first


@dataclass
class Found:
    """Rows that may be damaged: games by number, entries by game and number, the newest last."""

    heads: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))
    entries: dict[tuple[int, int], list[Row]] = field(default_factory=lambda: defaultdict(list))

    def links(self, game: int, number: int) -> list[bytes]:
        """Whatever stands there as the link of this entry, or of the game's row (0)."""
        if number == 0:
            return [row[LINK] for row in self.heads.get(game, ())]
        return [row[-1] for row in self.entries.get((game, number), ())]

    def follows(self, game: int, seq: int, link: bytes) -> bool:
        """Whether this entry was written after that link."""
        some = self.entries.get((game, seq), ())
        return any(entry_link(link, *row) == stored for *row, stored in some)

    def binds(self, link: bytes) -> bool:
        """Whether some game was begun after that link."""
        return any(row[BOUND] == link for some in self.heads.values() for row in some)


@dataclass(frozen=True, slots=True)
class Proven:
    """What the chain proves: rows to be kept, and how much is known to be missing."""

    games: list[Row]
    entries: list[Row]
    missing: int
    moves: int  # that the newest game goes on from


def carve(file: bytes, log: bytes) -> Found:
    """Every row of the right shape in a journal's file and its log."""
    found = Found()
    said = int.from_bytes(file[16:18], "big")
    for size in (said,) if said in SIZES else SIZES:
        pages: dict[int, list[bytes]] = defaultdict(list)
        for number, image in _images(file, log, size):
            if image not in pages[number]:
                pages[number].append(image)
        for some in pages.values():
            for image in some:
                for rowid, row in _rows(image, pages):
                    _sort_in(found, rowid, row)
    return found


def _images(file: bytes, log: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    for at in range(0, len(file), size):
        yield at // size + 1, file[at : at + size].ljust(size, b"\0")
    for at in range(LOG_HEAD, len(log), FRAME_HEAD + size):
        number = int.from_bytes(log[at : at + 4], "big")
        yield number, log[at + FRAME_HEAD :][:size].ljust(size, b"\0")


def _sort_in(found: Found, rowid: int, row: Row) -> None:
    match row:
        case (int(game), int(seq), at, _, str(), str(), bytes(link)) if len(link) == LINK_SIZE:
            kept = (game, seq, _real(at), *row[3:])
            if kept not in found.entries[game, seq]:
                found.entries[game, seq].append(kept)
        case (None, str(), int(), str(), str(), began, ended, _, _, bytes(), bytes(), bytes()):
            kept = (rowid, *row[1:5], _real(began), _real(ended), *row[7:])
            if kept not in found.heads[rowid]:
                found.heads[rowid].append(kept)


def _real(value: Any) -> Any:
    """SQLite stores a whole number as one, in a column of reals, too."""
    return float(value) if isinstance(value, int) else value


def _rows(page: bytes, pages: Pages) -> Iterator[tuple[int, Row]]:
    """The rows of a page, with their number where they have one."""
    if page[0] not in (INNER, LEAF, ROW_LEAF):
        return
    first = 12 if page[0] == INNER else 8
    count = min(int.from_bytes(page[3:5], "big"), (len(page) - first) // 2)
    for place in range(first, first + 2 * count, 2):
        at = int.from_bytes(page[place : place + 2], "big") + (4 if page[0] == INNER else 0)
        try:
            size, at = _number(page, at)
            rowid, at = _number(page, at) if page[0] == ROW_LEAF else (0, at)
            for payload in _payloads(page, at, size, pages):
                yield rowid, _row(payload)
        except (IndexError, ValueError):  # no row, or none any more
            continue


def _payloads(page: bytes, at: int, size: int, pages: Pages) -> Iterator[bytes]:
    """The bytes of a row; more than fit into a page go on in others, in whatever image is left."""
    usable = len(page)
    least = (usable - 12) * 32 // 255 - 23
    most = usable - 35 if page[0] == ROW_LEAF else (usable - 12) * 64 // 255 - 23
    if size <= most:
        yield page[at : at + size]
        return
    local = least + (size - least) % (usable - 4)
    local = local if local <= most else least
    start, following = page[at : at + local], _page_number(page[at + local :])
    for choice in range(MOST_IMAGES):
        if (payload := _joined(start, following, size, pages, choice)) is not None:
            yield payload
        if choice >= max(map(len, pages.values())):
            return


def _joined(start: bytes, following: int, size: int, pages: Pages, choice: int) -> bytes | None:
    """The payload that goes on in these pages, each in its newest image but so many."""
    parts, left, been = [start], size - len(start), set[int]()
    while left > 0:
        if following in been or not (some := pages.get(following)):
            return None  # it leads nowhere, or round and round
        been.add(following)
        image = some[max(0, len(some) - 1 - choice)]
        parts.append(image[4:])
        left -= len(image) - 4
        following = _page_number(image)
    return b"".join(parts)[:size]


def _row(payload: bytes) -> Row:
    """A record: a header of types, then the values."""
    end, at = _number(payload, 0)
    types, values, place = [], [], end
    while at < end:
        kind, at = _number(payload, at)
        types.append(kind)
    if len(types) not in (HEADS, ENTRIES):
        raise ValueError("not one of ours")
    for kind in types:
        value, place = _value(payload, place, kind)
        values.append(value)
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Any, int]:
    size = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind] if kind < 10 else (kind - 12) // 2
    raw = payload[at : at + size]
    if len(raw) < size or kind in (10, 11):
        raise ValueError("it is cut off")
    match kind:
        case 0:
            return None, at
        case 7:
            return unpack(">d", raw)[0], at + size
        case 8 | 9:
            return kind - 8, at
    if kind < 7:
        return int.from_bytes(raw, "big", signed=True), at + size
    return (raw.decode() if kind % 2 else raw), at + size


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value << 8 | data[at + 8], at + 9


def _page_number(raw: bytes) -> int:
    return int.from_bytes(raw[:4], "big")


def prove(found: Found, mark: Mark | None) -> Proven:
    """Of each game as much, from its beginning, as the chain proves."""
    reached: dict[int, int] = defaultdict(int)  # how far each game is known to have come
    for game, seq in found.entries:
        if any(found.follows(game, seq, link) for link in found.links(game, seq - 1)):
            reached[game] = max(reached[game], seq)
    if mark is not None:
        reached[mark.game] = max(reached[mark.game], mark.number)
    heads = {game: head for game in found.heads if (head := _head(found, game, mark))}
    newest, missing, moves, last = max((*reached, *heads), default=0), 0, 0, START
    games: list[Row] = []
    entries: list[Row] = []
    for game in sorted({*reached, *heads}):
        rows, link = _walked(found, heads[game], mark) if game in heads else ([], START)
        lost, moves = reached[game] - len(rows), len(rows)
        missing += max(0, lost)
        if game in heads:
            head = heads[game]
            unplayed = head[BOUND] in found.links(game - 1, 0)
            if head[BOUND] != last and not missing and not unplayed:
                missing = 1  # the game before this one had come further, or is gone whole
            at = rows[-1][2] if rows else head[BEGAN]
            end = (None, None) if game == newest else (at, None)
            if lost <= 0 and head[END_LINK] is not None:
                end = head[ENDED : ENDED + 2]
            games.append((*head[:ENDED], *end, head[SEED]))
            entries += rows
            last = link
    return Proven(games, entries, missing, moves)


def _head(found: Found, game: int, mark: Mark | None) -> Row | None:
    """A game's row that is proven, the newest; its end link is None if its end is not proven."""
    best: Row | None = None
    for row in found.heads[game]:
        link = _link_of(row)
        if (
            link == row[LINK]
            or found.follows(game, 1, link)
            or found.binds(link)
            or (mark and mark.names(game, 0, link))
        ):
            ended = end_link(link, row[ENDED], row[ENDED + 1]) == row[END_LINK]
            if ended or best is None:
                best = (*row[:LINK], link, row[END_LINK] if ended else None)
    return best


def _link_of(head: Row) -> bytes:
    id, key, version, seats, options, began, _, _, seed, before, *_ = head
    return head_link(before, id, key, version, seats, options, seed, began)


def _walked(found: Found, head: Row, mark: Mark | None) -> tuple[list[Row], bytes]:
    """A game's entries up to the last that is proven, and its link."""
    game, link, rows = head[0], head[LINK], []
    for seq in count(1):
        for *row, stored in found.entries.get((game, seq), ()):
            after = entry_link(link, *row)
            if (
                after == stored
                or found.follows(game, seq + 1, after)  # only its own link is spoilt
                or found.binds(after)
                or (mark and mark.names(game, seq, after))
            ):
                rows.append(tuple(row))
                link = after
                break
        else:
            break
    return rows, link
