"""The tiles: six gems and the blank, what they are called, how many there are."""

from __future__ import annotations

from companion.words import Text, text

GEMS = ("red", "blue", "green", "purple", "yellow", "orange")
BLANK = "blank"
TILES = (*GEMS, BLANK)
FORGE = "forge"
UNKNOWN = "?"  # a tile that nobody has told; "red?" is one that looks red and is asked about

OF_EACH = 13  # house: 91 = 7 x 13, no source counts the colours
REMOVED = 3  # of each colour, with two or three players

NAMES: dict[str, Text] = {
    "red": text("Red"),
    "blue": text("Blue"),
    "green": text("Green"),
    "purple": text("Purple"),
    "yellow": text("Yellow"),
    "orange": text("Orange"),
    BLANK: text("Blank"),
    FORGE: text("Forge"),
    UNKNOWN: text("Unknown"),
}
SIGNS = {
    "red": "R",
    "blue": "B",
    "green": "G",
    "purple": "P",
    "yellow": "Y",
    "orange": "O",
    BLANK: "-",
    FORGE: "F",
}


def sign(tile: str) -> str:
    """One letter for the glass; what is not told is a question mark."""
    return SIGNS.get(tile, UNKNOWN)


def asked(tile: str) -> bool:
    """A tile of the grid that is not known, or not for sure."""
    return tile.endswith(UNKNOWN)


def guessed(tile: str) -> str:
    """What an asked tile looks like; "" if nobody has an idea."""
    return tile.removesuffix(UNKNOWN)


def supply(few: bool, blanks_too: bool) -> tuple[int, ...]:
    """How many of each tile are in the game (S-R3, S-H12)."""
    left = OF_EACH - REMOVED if few else OF_EACH
    return (left,) * len(GEMS) + (left if blanks_too else OF_EACH,)
