"""A picture of the glass as characters, for a terminal. Pure."""

from __future__ import annotations

from PIL import Image

_HALVES = " ▀▄█"  # upper pixel is worth 1, lower 2

# Unicode's braille patterns count their dots down the left column, then the right, then below
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def half_blocks(glass: Image.Image) -> str:
    """Two pixels a character, one above the other: 128 x 32 characters, pixels square."""
    lit = _lit(glass)
    return "\n".join(
        "".join(
            _HALVES[up + 2 * down] for up, down in zip(lit[row], lit[row + 1], strict=True)
        ).rstrip()
        for row in range(0, glass.height, 2)
    )


def braille(glass: Image.Image) -> str:
    """Eight pixels a character: 64 x 16 characters."""
    lit = _lit(glass)
    return "\n".join(
        "".join(
            chr(
                0x2800
                + sum(_DOTS[r][c] * lit[row + r][column + c] for r in range(4) for c in range(2))
            )
            for column in range(0, glass.width, 2)
        )
        for row in range(0, glass.height, 4)
    )


def _lit(glass: Image.Image) -> list[list[int]]:
    """Rows of ones and noughts."""
    pixels = glass.convert("1").convert("L").tobytes()
    wide = glass.width
    return [[int(p > 0) for p in pixels[y * wide : (y + 1) * wide]] for y in range(glass.height)]
