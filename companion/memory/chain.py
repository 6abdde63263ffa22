"""What binds the rows of a journal: each link is a hash over a row and over the link before it.

A game's own row is its first link; it is bound to the last link of the game before it, so that no
game and no end of one can get lost unnoticed. The end of a game (`ended`, `result`) may change
after a correction: it has a link of its own, which is written anew with it.
"""

from __future__ import annotations

from hashlib import sha256

START = b""  # before the first game


def head_link(
    before: bytes, game: int, key: str, version: int, seats: str, options: str, seed: str | None,
    began: float,
) -> bytes:  # fmt: skip
    """The link of a game's own row, as it is stored."""
    return _link(before, game, key, version, seats, options, seed, began)


def entry_link(
    before: bytes, game: int, seq: int, at: float, who: int | None, kind: str, body: str
) -> bytes:
    """The link of one entry, as it is stored."""
    row = f"{game}\n{seq}\n{at}\n{who}\n{kind}\n{body}"  # half the time of _link: they are many
    return sha256(before + row.encode("utf-8", "surrogatepass")).digest()


def end_link(head: bytes, ended: float | None, result: str | None) -> bytes:
    """The link of how a game stands."""
    return _link(head, ended, result)


def _link(before: bytes, *row: object) -> bytes:
    """No text of a row holds a line break: JSON has none, and keys, kinds and seeds have none."""
    return sha256(before + "\n".join(map(str, row)).encode("utf-8", "surrogatepass")).digest()
