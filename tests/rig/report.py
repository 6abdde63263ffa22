"""What the rig has seen: a table on the screen, docs/rig.md, pictures of the glasses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

from PIL import Image

from tests.rig.build import say

SCALE, GAP = 2, 6


@dataclass(frozen=True, slots=True)
class Row:
    """One figure and whether it keeps its promise; None: a figure without a promise."""

    part: str
    what: str
    figure: str
    kept: bool | None = None


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds until something was seen; for so many of them at most the host kept us waiting.

    At most: some of that wait would have been a rest anyway.
    """

    seconds: float
    withheld: float

    def within(self, limit: float) -> bool:
        """Whether our own part of it keeps a promise."""
        return self.seconds - self.withheld <= limit

    def __str__(self) -> str:
        busy = f" (host busy: up to {self.withheld:.1f} s)" if self.withheld >= 0.1 else ""
        return f"{self.seconds:.1f} s{busy}"


@dataclass
class Report:
    """Rows as they come in, each said at once."""

    folder: Path
    rows: list[Row] = field(default_factory=list)
    loads: list[float] = field(default_factory=list)  # of the host, at the start of each scene

    def add(self, part: str, what: str, figure: str, kept: bool | None = None) -> None:
        row = Row(part, what, figure, kept)
        self.rows.append(row)
        say(f"  {_sign(row)}{what}: {figure}")

    @property
    def broken(self) -> list[Row]:
        """Promises that were not kept."""
        return [row for row in self.rows if row.kept is False]

    def picture(self, name: str, glasses: Iterable[Image.Image]) -> Path:
        """Six glasses side by side, as they stood when the last byte was out."""
        path = self.folder / f"{name}.png"
        sheet(list(glasses)).save(path, optimize=True)
        return path

    def text(self) -> str:
        """As one table of Markdown, part by part."""
        lines, part = ["| | what | seen |", "|---|---|---|"], ""
        parts = list(dict.fromkeys(row.part for row in self.rows))
        for row in sorted(self.rows, key=lambda row: parts.index(row.part)):
            named, part = ("" if row.part == part else row.part), row.part
            lines.append(f"| {named} | {row.what} | {_sign(row)}{row.figure} |")
        return "\n".join(lines) + "\n"


def sheet(glasses: list[Image.Image]) -> Image.Image:
    """Pictures of glasses, three in a row, twice as large."""
    wide, high = 128 * SCALE, 64 * SCALE
    rows = -(-len(glasses) // 3)
    all_ = Image.new("L", (3 * (wide + GAP) + GAP, rows * (high + GAP) + GAP), 96)
    for place, glass in enumerate(glasses):
        at = (GAP + place % 3 * (wide + GAP), GAP + place // 3 * (high + GAP))
        all_.paste(glass.convert("L").resize((wide, high), Image.Resampling.NEAREST), at)
    return all_


def spread(values: list[float], unit: str = "ms") -> str:
    """Median and 90th percentile."""
    if len(values) < 2:
        return f"{values[0]:.1f} {unit}" if values else "none"
    return f"median {median(values):.1f} {unit}, p90 {quantiles(values, n=10)[-1]:.1f} {unit}"


def _sign(row: Row) -> str:
    return "**broken** " if row.kept is False else ""
