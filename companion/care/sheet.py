"""A drawing as plain shapes, written as SVG; `sheet_png` paints the same shapes with Pillow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, assert_never
from xml.sax.saxutils import escape, quoteattr

Anchor: TypeAlias = Literal["start", "middle", "end"]
Point: TypeAlias = tuple[float, float]
FONT = "Inter, Aileron, Helvetica, Arial, sans-serif"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with round corners."""

    x: float
    y: float
    w: float
    h: float
    fill: str
    edge: str = ""
    round: float = 0
    thick: float = 1.5


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle."""

    x: float
    y: float
    r: float
    fill: str
    edge: str = ""
    thick: float = 1.5


@dataclass(frozen=True, slots=True)
class Wire:
    """A line through points, with a light seam, so that crossings can be followed."""

    points: tuple[Point, ...]
    colour: str
    thick: float = 3
    seam: str = ""
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; `y` is the middle of its letters."""

    x: float
    y: float
    said: str
    size: float = 13
    colour: str = "#1d2430"
    anchor: Anchor = "start"
    bold: bool = False


Shape: TypeAlias = Box | Disc | Wire | Words


@dataclass
class Sheet:
    """Shapes, the first one lowest."""

    width: float
    height: float
    paper: str = "#f7f4ec"
    shapes: list[Shape] = field(default_factory=list)

    def add(self, *shapes: Shape) -> None:
        """Draw over what is there."""
        self.shapes += shapes

    def svg(self) -> str:
        """The sheet as a file of its own."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        size = f'width="{_n(self.width)}" height="{_n(self.height)}"'
        view = f'viewBox="0 0 {_n(self.width)} {_n(self.height)}"'
        yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} font-family="{FONT}">'
        yield f'<rect {size} fill="{self.paper}"/>'
        for shape in self.shapes:
            yield from _svg(shape)
        yield "</svg>"


def _svg(shape: Shape) -> Iterator[str]:
    match shape:
        case Box(x, y, w, h, fill, edge, corner, thick):
            at = f'x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}" rx="{_n(corner)}"'
            yield f'<rect {at} fill="{fill}"{_edge(edge, thick)}/>'
        case Disc(x, y, r, fill, edge, thick):
            at = f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}"'
            yield f'<circle {at} fill="{fill}"{_edge(edge, thick)}/>'
        case Wire(points, colour, thick, seam, dashed):
            way = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
            line = f'<polyline points="{way}" fill="none" stroke-linejoin="round"'
            if seam:
                yield f'{line} stroke="{seam}" stroke-width="{_n(thick + 3)}"/>'
            gaps = ' stroke-dasharray="3 6"' if dashed else ""
            ends = f' stroke-linecap="round"{gaps}'
            yield f'{line} stroke="{colour}" stroke-width="{_n(thick)}"{ends}/>'
        case Words(x, y, said, size, colour, anchor, bold):
            look = f'font-size="{_n(size)}" fill="{colour}" text-anchor="{anchor}"'
            weight = ' font-weight="700"' if bold else ""
            at = f'x="{_n(x)}" y="{_n(y + size * 0.35)}"'
            yield f"<text {at} {look}{weight}>{escape(said)}</text>"
        case _:
            assert_never(shape)


def _edge(colour: str, thick: float) -> str:
    return f' stroke={quoteattr(colour)} stroke-width="{_n(thick)}"' if colour else ""


def _n(number: float) -> str:
    """A number as short as it is exact enough."""
    return f"{number:.1f}".removesuffix(".0")
