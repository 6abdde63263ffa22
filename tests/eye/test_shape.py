"""JSON values become dataclasses or a complaint that says where: nothing in between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest

from companion.eye.shape import Within, shaped


@dataclass(frozen=True, slots=True)
class Cup:
    colour: Literal["red", "blue"]
    fill: Annotated[float, Within(0, 1)] = 0.0


@dataclass(frozen=True, slots=True)
class Shelf:
    cups: tuple[Cup, ...]
    size: tuple[int, int]
    name: str | None = None
    prices: dict[str, float] | None = None
    open: bool = False


def test_what_fits_becomes_frozen_records_with_tuples_inside() -> None:
    plain = {
        "cups": [{"colour": "red", "fill": 1}, {"colour": "blue"}],
        "size": [2, 3],
        "prices": {"tea": 2},
        "open": True,
    }
    whole = Shelf((Cup("red", 1.0), Cup("blue")), (2, 3), None, {"tea": 2.0}, True)
    assert shaped(plain, Shelf) == whole
    assert type(whole.cups[0].fill) is float


@pytest.mark.parametrize(
    ("plain", "where"),
    [
        ([], ": not an object"),
        ({"size": [1, 2]}, "cups"),
        ({"cups": [], "size": [1]}, ".size: "),
        ({"cups": [], "size": [1, "2"]}, ".size.1: "),
        ({"cups": [], "size": [1, True]}, ".size.1: "),
        ({"cups": [], "size": [1, 2.5]}, ".size.1: "),
        ({"cups": {}, "size": [1, 2]}, ".cups: "),
        ({"cups": [{"colour": "green"}], "size": [1, 2]}, ".cups.0.colour: "),
        ({"cups": [{"colour": ["red"]}], "size": [1, 2]}, ".cups.0.colour: "),
        ({"cups": [{"colour": "red", "fill": 1.1}], "size": [1, 2]}, ".cups.0.fill: 1.1 is not"),
        ({"cups": [{"colour": "red", "fill": float("nan")}], "size": [1, 2]}, ".cups.0.fill: nan"),
        ({"cups": [], "size": [1, 2], "colour": "red"}, ".colour: unknown"),
        ({"cups": [], "size": [1, 2], "name": 3}, ".name: "),
        ({"cups": [], "size": [1, 2], "prices": {"tea": "much"}}, ".prices: "),
        ({"cups": [], "size": [1, 2], "open": 1}, ".open: "),
    ],
)
def test_what_does_not_fit_is_refused_and_the_place_is_named(plain: Any, where: str) -> None:
    with pytest.raises(ValueError, match=where.replace(".", r"\.")):
        shaped(plain, Shelf)
