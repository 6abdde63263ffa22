"""A picture as the chip keeps it, and the fewest bytes that turn one into the next."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

WIDTH, HEIGHT = 128, 64
PAGES = HEIGHT // 8  # of 8 rows each; a byte is a column of one page, its lowest bit on top


@dataclass(frozen=True, slots=True)
class Window:
    """Columns `left` to `right` of pages `top` to `bottom`, ends included."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def area(self) -> int:
        """How many bytes fill it."""
        return (self.right - self.left + 1) * (self.bottom - self.top + 1)

    def joined(self, other: Window) -> Window:
        """The smallest window that holds both."""
        return Window(
            min(self.left, other.left),
            max(self.right, other.right),
            min(self.top, other.top),
            max(self.bottom, other.bottom),
        )


WHOLE = Window(0, WIDTH - 1, 0, PAGES - 1)


def pack(image: Image.Image) -> bytes:
    """A 1-bit picture as the chip's bytes, page after page."""
    # Pillow packs rows, leftmost bit highest: turned, a row is a column, the lowest page first
    turned = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return b"".join(turned[PAGES - 1 - page :: PAGES] for page in range(PAGES))


def unpack(pages: bytes) -> Image.Image:
    """The picture that `pack` made into bytes."""
    image = Image.new("1", (WIDTH, HEIGHT))
    for page in range(PAGES):
        columns = Image.frombytes("1", (8, WIDTH), pages[page * WIDTH : (page + 1) * WIDTH])
        image.paste(columns.transpose(Image.Transpose.ROTATE_90), (0, page * 8))
    return image


def cut(pages: bytes, window: Window) -> bytes:
    """The bytes that fill a window."""
    return b"".join(
        pages[page * WIDTH + window.left : page * WIDTH + window.right + 1]
        for page in range(window.top, window.bottom + 1)
    )


def changes(old: bytes, new: bytes, *, cost: int, tall: bool) -> list[Window]:
    """Windows that cover every difference; `cost` is what opening one more window takes in bytes.

    Two windows become one where sending what lies between is cheaper than opening the second.
    `tall` says that the chip's windows may span several pages.
    """
    windows: list[Window] = []
    for page in range(PAGES):
        for run in _runs(old, new, page, cost):
            above = windows[-1] if windows and tall else None
            if above and above.joined(run).area <= above.area + run.area + cost:
                windows[-1] = above.joined(run)
            else:
                windows.append(run)
    return windows


def _runs(old: bytes, new: bytes, page: int, cost: int) -> list[Window]:
    here = slice(page * WIDTH, (page + 1) * WIDTH)
    if old[here] == new[here]:
        return []
    runs: list[list[int]] = []  # first and last column of each
    for column, (before, after) in enumerate(zip(old[here], new[here], strict=True)):
        if before == after:
            continue
        if runs and column - runs[-1][1] - 1 <= cost:
            runs[-1][1] = column
        else:
            runs.append([column, column])
    return [Window(left, right, page, page) for left, right in runs]
