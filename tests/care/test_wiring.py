"""The drawing of the wiring: every pin of the settings, no wire on another, pictures up to date."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageFont

from companion.care import header
from companion.care.diagram import draw
from companion.care.plan import plan
from companion.care.sheet import Box, Sheet, Wire, Words
from companion.care.sheet_png import paint
from companion.errors import BadConfig
from companion.events import KEYS
from companion.settings.settings import Settings, load, read
from companion.settings.wiring import PANELS
from tests.patience import within

ROOT = Path(__file__).parent.parent.parent
BUILD, PICTURES = ROOT / "docs/build.toml", ROOT / "docs/pictures"
ODD = """
panel = []
[eye]
camera = "0"
[[display]]
name = "table"
port = 1
[[display]]
name = "both"
seats = [1, 2]
port = 1
address = 0x3D
[[display]]
name = "far"
port = 33
chip = "sh1106"
[[display]]
name = "wall"
bus = "spi"
port = 0
device = 1
dc = 24
rst = 25
"""


def words(sheet: Sheet) -> list[str]:
    return [shape.said for shape in sheet.shapes if isinstance(shape, Words)]


def any_wiring(seed: int) -> Settings:
    """Up to five panels on pins drawn from a hat."""
    chance = random.Random(seed)
    pins = [pin for pin in header.GPIO if pin not in (2, 3)]
    chance.shuffle(pins)
    rows = []
    for seat in range(1, chance.randint(1, 5) + 1):
        keys = [*KEYS, *(["lamp"] if seat == 1 else [])]
        rows += ["[[panel]]", f"seat = {seat}", *(f"{key} = {pins.pop()}" for key in keys)]
    return read("\n".join(rows))


def test_every_pin_and_part_of_the_default_build_is_on_the_sheet() -> None:
    said = words(draw(load(BUILD)))
    for panel in PANELS:
        for key in KEYS:
            pin = header.GPIO[getattr(panel, key)]
            assert f"GPIO{getattr(panel, key)} · pin {pin}" in said
        assert any(one.startswith(f"Seat {panel.seat + 1} · ") for one in said)
    for channel in range(6):
        assert f"channel {channel} · bus {22 + channel}" in said
    assert {"table", "seat 5", "Camera over the tray", "by ribbon", "Hub of the dice"} <= {*said}


def test_displays_on_the_bus_itself_on_spi_and_on_other_channels_are_drawn() -> None:
    said = words(draw(read(ODD)))
    assert {"SSD1306 at 0x3D", "shared by 1, 2", "channel 0 · bus 33", "by USB"} <= {*said}
    assert {"wall · SSD1306 on SPI", "GPIO10 · pin 19", "GPIO7 · pin 26", "DC", "RES"} <= {*said}
    assert "Hub of the dice" not in said


def test_the_words_of_a_terminal_do_not_run_into_its_pin() -> None:
    drawn = draw(read(ODD + "[shutdown]\npin = 15\n")).shapes
    said = [shape for shape in drawn if isinstance(shape, Words)]
    rows = [
        (a, b) for a in said for b in said if (a.anchor, b.anchor, a.y) == ("start", "end", b.y)
    ]
    assert len(rows) > 8
    for left, right in rows:
        if left.x < right.x:
            wide = [ImageFont.load_default(one.size).getlength(one.said) for one in (left, right)]
            assert left.x + wide[0] + 8 < right.x - wide[1], left.said


@pytest.mark.parametrize("seed", range(40))
def test_no_wire_runs_along_another_and_no_part_lies_on_another(seed: int) -> None:
    settings = any_wiring(seed)
    sheet = draw(settings)
    wires = [shape for shape in sheet.shapes if isinstance(shape, Wire)]
    runs = [
        (x, *sorted((y0, y1)), wire)
        for wire in wires
        for (x, y0), (x1, y1) in zip(wire.points, wire.points[1:], strict=False)
        if x == x1 and y0 != y1
    ]
    for (x, top, bottom, one), (x1, top1, bottom1, other) in combinations(runs, 2):
        assert one is other or abs(x - x1) >= 7 or bottom <= top1 or bottom1 <= top
    cards = [s for s in sheet.shapes if isinstance(s, Box) and s.fill in ("#2b2622", "#1d2b45")]
    assert len(cards) == len(settings.panels) + len(settings.displays)
    for a, b in combinations(cards, 2):
        apart = a.x + a.w <= b.x or b.x + b.w <= a.x or a.y + a.h <= b.y or b.y + b.h <= a.y
        assert apart
    assert all(card.y >= 0 and card.y + card.h < sheet.height for card in cards)
    ends = {terminal.pin for card in plan(settings).cards for terminal in card.terminals}
    assert ends >= {header.GPIO[getattr(p, k)] for p in settings.panels for k in KEYS}


def test_the_svg_is_sound_and_its_words_are_escaped() -> None:
    settings = read('[table]\nseats = ["<A&B>"]\n[[panel]]\nseat = 1\n'
                    "previous = 4\nnext = 17\nselect = 27\nback = 22\n")  # fmt: skip
    root = ElementTree.fromstring(draw(settings).svg())
    assert "Seat 1 · <A&B>" in [node.text for node in root.iter() if node.tag.endswith("text")]


def test_the_pictures_of_the_documents_are_those_of_today() -> None:
    sheet = draw(load(BUILD), "Table companion: the default build")
    current = "run `make pictures`"
    assert (PICTURES / "wiring.svg").read_text(encoding="utf-8") == sheet.svg(), current
    with Image.open(PICTURES / "wiring.png") as kept:
        assert kept.size == (round(sheet.width * 2), round(sheet.height * 2)), current


@pytest.mark.slow
def test_the_picture_shows_the_colours_of_the_wires() -> None:
    sheet = draw(read(ODD))
    picture = paint(sheet, 1).convert("RGB")
    seen = {colour for _, colour in picture.getcolors(1 << 24) or ()}
    assert picture.size == (round(sheet.width), round(sheet.height))
    assert any(abs(r - 0x0F) + abs(g - 0x8B) + abs(b - 0x8D) < 12 for r, g, b in seen)  # SCL


@pytest.mark.slow
def test_conflicts_are_refused_with_the_lines_of_the_file(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("[[panel]]\nseat = 1\nprevious = 4\nnext = 4\nselect = 2\nback = 99\n")
    with pytest.raises(BadConfig):
        load(bad)
    done = subprocess.run(
        [sys.executable, "-m", "companion", "wiring", "-s", str(bad), "--svg", str(tmp_path / "w")],
        capture_output=True, text=True, timeout=within(60),
    )  # fmt: skip
    assert done.returncode == 78
    assert re.findall(r"bad\.toml:(\d+): panel 1 (\w+): pin (\d+)", done.stderr) == [
        ("4", "next", "4"), ("5", "select", "2"), ("6", "back", "99"),
    ]  # fmt: skip
    assert not (tmp_path / "w").exists()
