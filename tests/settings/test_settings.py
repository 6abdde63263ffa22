"""The settings file: what it says, and what is said about it when it cannot work."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadConfig
from companion.settings.settings import DEFAULT, Settings, TableSettings, keys, load, read
from companion.settings.toml_lines import locate
from companion.settings.wiring import DISPLAYS, PANELS
from companion.words import Seat, text

BUTTONS = ("previous", "next", "select", "back")


def complaints(source: str) -> list[str]:
    """What is said about this file, line by line, without the file's name."""
    with pytest.raises(BadConfig) as caught:
        read(source, "t.toml")
    said = str(caught.value).split("\n")
    assert all(line.startswith("t.toml:") for line in said)
    return [line.removeprefix("t.toml:") for line in said]


def panel(seat: int, *pins: int) -> str:
    """A panel of six lines."""
    buttons = "".join(f"{key} = {pin}\n" for key, pin in zip(BUTTONS, pins, strict=True))
    return f"[[panel]]\nseat = {seat}\n{buttons}"


# -- the shipped file


def test_the_shipped_file_says_what_holds_without_a_file() -> None:
    assert load() == Settings() == read("")


def test_the_commented_examples_of_the_shipped_file_work() -> None:
    source = re.sub(r"(?m)^# (\[\[|[a-z_]+ = )", r"\1", DEFAULT.read_text(encoding="utf-8"))
    i2c, spi = source.split("# A display on SPI")
    assert (read(i2c).panels[0].lamp, read(i2c).panels[0].buzzer) == (20, 21)
    (wall,) = read("panel = []\n#" + spi).displays
    assert (wall.bus, wall.port, wall.device, wall.dc, wall.rst) == ("spi", 0, 1, 20, 21)


def test_the_shipped_file_mentions_every_key() -> None:
    source = DEFAULT.read_text(encoding="utf-8")
    parts = re.split(r"(?m)^(?:# )?\[\[?(\w+)\]?\]$", source)
    said: dict[str, set[str]] = {}
    for section, body in zip(parts[1::2], parts[2::2], strict=True):
        said.setdefault(section, set()).update(re.findall(r"(?m)^(?:# )?([a-z_]+) = ", body))
    assert set(said) == set(keys())
    for section, mentioned in said.items():
        place = (section, 0) if section in ("panel", "display") else (section,)
        assert mentioned == set(keys(place)), section


def test_the_default_wiring_fits_the_header() -> None:
    pins = [getattr(panel, key) for panel in PANELS for key in BUTTONS]
    assert len(pins) == len(set(pins)) == 20
    assert set(pins) <= set(range(4, 28)) - {14, 15}
    assert [panel.seat for panel in PANELS] == [0, 1, 2, 3, 4]
    assert [glass.seats for glass in DISPLAYS] == [(), (0,), (1,), (2,), (3,), (4,)]
    assert len({(glass.port, glass.address) for glass in DISPLAYS}) == 6


# -- what it means


def test_the_file_counts_seats_from_one_and_the_program_from_zero() -> None:
    settings = read(panel(5, 4, 5, 6, 7) + '[[display]]\nname = "shared"\nseats = [1, 3]\n')
    assert [panel.seat for panel in settings.panels] == [4]
    assert [glass.seats for glass in settings.displays] == [(0, 2)]


def test_without_a_display_of_the_owners_own_only_seats_that_have_a_panel_have_one() -> None:
    settings = read(panel(1, 4, 5, 6, 7) + panel(2, 8, 9, 10, 11))
    assert [glass.name for glass in settings.displays] == ["table", "seat 1", "seat 2"]
    assert settings.places == 2


def test_no_panels_can_be_asked_for() -> None:
    assert read("panel = []\n").panels == ()


def test_a_seat_without_a_name_keeps_its_colour_and_colours_are_translated() -> None:
    names = TableSettings(seats=("Ann", "{Bo}")).names
    line = text("{a}, {b}, {c}", a=Seat(0), b=Seat(1), c=Seat(2))
    german = {"Green": "Grün"}
    assert line.show(names, lambda said: german.get(said, said)) == "Ann, {Bo}, Grün"
    assert len(names) == 5


def test_the_journal_lives_where_it_is_told() -> None:
    home = Path.home() / ".local/state/table-companion"
    given_by_systemd = {"STATE_DIRECTORY": "/var/lib/table:/var/lib/other"}
    assert TableSettings().directory({}) == home
    assert TableSettings().directory(given_by_systemd) == Path("/var/lib/table")
    assert TableSettings(state="/srv/t").directory(given_by_systemd) == Path("/srv/t")
    assert TableSettings(state="~/t").directory({}) == Path.home() / "t"


# -- what cannot work


def test_an_unknown_key_is_refused_with_its_line_and_the_likely_one() -> None:
    assert complaints('[table]\nmode = "soft"\nlangauge = "en"\n') == [
        '3: table langauge: unknown key; did you mean "language"?'
    ]
    assert complaints("[tabel]\n") == ['1: tabel: unknown key; did you mean "table"?']
    assert complaints("\n[hardware]\nxyz = 1\n") == [
        "3: hardware xyz: unknown key; the keys here are panels, displays"
    ]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            '[table]\nmode = "strict"',
            "2: table mode: should be 'hard', 'soft' or 'coach', not \"st",
        ),
        ("[table]\nstate = 7", "2: table state: should be a valid string, not 7"),
        ('[table]\nlanguage = "English"', '2: table language: a language is a code like "en"'),
        ('[table]\nseats = ["A", "A"]', "2: table seats: two seats have the same name"),
        ('[table]\nseats = ["Blue"]', "2: table seats: two seats have the same name"),
        ('[table]\nseats = [\n"Ann",\n"Bo "]', "2: table seats 2: a name has no spaces around it"),
        (
            '[table]\nseats = ["Aa","B","C","D","E","F"]',
            "2: table seats: there are at most 5 seats",
        ),
        (
            "[debounce]\nstable_ms = true",
            "2: debounce stable_ms: should be a valid integer, not tr",
        ),
        (
            "[debounce]\nstable_ms = 0",
            "2: debounce stable_ms: should be greater than or equal to 1",
        ),
        ("debounce = 3", "1: debounce: should be an object, not 3"),
        ("panel = 3", "1: panel: should be a valid array, not 3"),
        (
            "[[panel]]\nseat = 6\nprevious=4\nnext=5\nselect=6\nback=7",
            "2: panel 1 seat: should be le",
        ),
        ("[[display]]\nseats = []", "1: display 1 name: this key is missing; add it"),
        ('[[display]]\nname = "a"\nrotate = 90', "3: display 1 rotate: should be 0 or 180, not 90"),
        ('[[display]]\nname = "a"\nseats = [2, 2]', "3: display 1 seats: a seat stands here twice"),
        ('[[display]]\nname = "a"\nport = 0', "3: display 1 port: bus 0 belongs to the ID chip"),
        ('[[display]]\nname = "a"\nrst = 14', "3: display 1 rst: only a display on SPI has this"),
        (
            'panel = []\n[[display]]\nname = "a"\nbus = "spi"\nport = 0\nrst = 25',
            "2: display 1 dc: a display",
        ),
        (
            'panel = []\n[[display]]\nname = "a"\nbus = "spi"\nport = 0\ndc = 24',
            "2: display 1 rst: a display on SPI needs its reset pin; add rst",
        ),
        (f'[table]\nstate = "/{"x" * 95}"', "2: table state: too long a path: at most 95 bytes"),
        ('[wifi]\nname = "a"\npassword = "1234567"', "3: wifi password: a Wi-Fi password has 8"),
        (
            '[wifi]\npassword = "12345678"',
            "1: wifi name: a password without a network; add its name",
        ),
        ("[table]\nstate = 2026-01-01", "2: table state: should be a valid string"),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_its_line_and_the_reason(
    source: str, said: str
) -> None:
    (complaint,) = complaints(source)
    assert complaint.startswith(said)


@pytest.mark.parametrize(
    "wifi",
    ["[wifi]\npassword = 12345678", '[wifi]\npassword = "{}"', 'wifi = "12345678"',
     '[[wifi]]\npassword = "12345678"'],
)  # fmt: skip
def test_a_complaint_about_the_wifi_does_not_repeat_its_password(wifi: str) -> None:
    with pytest.raises(BadConfig) as refused:
        read(wifi.format("12345678" * 8), "my.toml")
    assert "not what stands here" in str(refused.value)
    assert "1234" not in str(refused.value)


@pytest.mark.parametrize("pin", [-1, 0, 1, 28, 40])
def test_a_pin_that_the_header_does_not_have_is_refused(pin: int) -> None:
    assert complaints(panel(1, 4, pin, 6, 7)) == [
        f"4: panel 1 next: pin {pin} cannot be used; take one of 2 to 27 (BCM numbers)"
    ]


def test_a_pin_used_twice_is_refused_at_its_second_use() -> None:
    assert complaints(panel(1, 4, 17, 6, 7) + panel(2, 8, 9, 17, 10)) == [
        "11: panel 2 select: pin 17 is used twice, by panel 1 next; take another"
    ]


def test_a_lamp_takes_a_pin_like_any_button() -> None:
    assert complaints(panel(1, 4, 17, 6, 7) + "lamp = 4\n") == [
        "7: panel 1 lamp: pin 4 is used twice, by panel 1 previous; take another"
    ]


def test_the_pins_of_the_i2c_bus_are_taken_when_a_display_hangs_there() -> None:
    one = panel(1, 2, 17, 6, 7)
    assert complaints(one) == [
        "3: panel 1 previous: pin 2 belongs to the i2c bus, which default wiring display 1 needs; "
        "take another"
    ]
    assert read("display = []\n" + one).panels[0].previous == 2


def test_the_pins_of_the_spi_bus_are_taken_when_a_display_hangs_there() -> None:
    glass = '[[display]]\nname = "a"\nbus = "spi"\nport = 0\ndc = 20\nrst = 21\n'
    assert complaints(panel(1, 7, 12, 16, 11) + glass) == [
        "3: panel 1 previous: pin 7 belongs to the spi bus, which display 1 needs; take another",
        "6: panel 1 back: pin 11 belongs to the spi bus, which display 1 needs; take another",
    ]
    assert read(panel(1, 2, 3, 12, 16) + glass).displays[0].dc == 20


def test_the_default_wiring_is_not_blamed_for_a_pin_that_the_file_takes_from_it() -> None:
    glass = '[[display]]\nname = "a"\nbus = "spi"\nport = 1\ndc = 27\nrst = 22\n'
    assert (
        "5: display 1 dc: pin 27 is used twice, by default wiring panel 1 select; take another"
        in (complaints(glass))
    )


def test_one_seat_has_one_panel_and_one_place_one_display() -> None:
    assert complaints(panel(1, 4, 5, 6, 7) + panel(1, 8, 9, 10, 11)) == [
        "8: panel 2 seat: this seat has a panel already, by panel 1 seat"
    ]
    assert complaints('[[display]]\nname = "a"\n\n[[display]]\nname = "b"\n') == [
        "4: display 2: the same bus and address are used, by display 1"
    ]
    assert complaints('[[display]]\nname = "a"\n[[display]]\nname = "a"\nport = 2') == [
        "4: display 2 name: this name is taken, by display 1 name"
    ]
    assert (
        len(read('[[display]]\nname = "a"\n[[display]]\nname = "b"\naddress = 0x3D').displays) == 2
    )


def test_every_problem_is_listed_not_only_the_first() -> None:
    source = (
        'langauge = "en"\n[table]\nmode = "x"\n' + panel(1, 4, 17, 17, 99) + "lmap = 3\n"
        "[debounce]\nstable_ms = 15\nstorm = 1\n"
    )
    lines = [int(line.split(":")[0]) for line in complaints(source)]
    assert lines == [1, 3, 8, 9, 10, 13]


def test_a_file_that_is_not_toml_is_refused_with_its_line() -> None:
    assert complaints('[table]\nmode = "hard\n')[0].startswith("2: not TOML: ")
    assert complaints("[table]\nmode =")[0].startswith("2: not TOML: ")
    assert complaints("a = 1\na = 2\n")[0].startswith("2: not TOML: ")
    assert complaints("a = " + "[" * 100_000)[0].startswith("1: nested too deeply")


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    lost = tmp_path / "lost.toml"
    with pytest.raises(BadConfig, match=r"lost\.toml: cannot be read: No such file"):
        load(lost)
    lost.write_bytes(b'[table]\nstate = "\xff"\n')
    with pytest.raises(BadConfig, match=r"lost\.toml:2: not UTF-8"):
        load(lost)
    lost.write_bytes(b'\xef\xbb\xbf[table]\nmode = "soft"\n')
    assert load(lost).table.mode == "soft"


@given(st.text() | st.text(alphabet="[]=\"\n.#panelseat 019{}'-:T"))
def test_any_text_is_settings_or_refused_in_a_sentence(source: str) -> None:
    try:
        said = str(read(source))
    except BadConfig as refusal:
        said = str(refusal)
    assert re.match(r"Settings\(|settings:\d+: ", said)


# -- where a key stands


NESTED = """\
# a comment, not a = 1
a = 1
"b c".d = [
  1,   # the second item ends
  2]

text = \"\"\"
a = 5
[[list]]
\"\"\"
[[list]]
x = 1
[list.sub]
y = 1
[[list]]
x = 2
inline = {z = 3}
[[list.deep]]
[[list.deep]]
w = 1
"""


@pytest.mark.parametrize(
    ("where", "line"),
    [
        (("a",), 2),
        (("b c",), 3),
        (("b c", "d"), 3),
        (("b c", "d", 1), 3),
        (("text",), 7),
        (("list",), 11),
        (("list", 0, "x"), 12),
        (("list", 0, "sub"), 13),
        (("list", 0, "sub", "y"), 14),
        (("list", 1), 15),
        (("list", 1, "x"), 16),
        (("list", 1, "inline", "z"), 17),
        (("list", 1, "deep", 1), 19),
        (("list", 1, "deep", 1, "w"), 20),
        (("list", 2), None),
        (("a", "x"), None),
        (("list", "x"), None),
    ],
)
def test_a_key_is_found_on_its_line(where: tuple[str | int, ...], line: int | None) -> None:
    tomllib.loads(NESTED)
    assert locate(NESTED, where) == line


# -- the eye


@pytest.mark.parametrize("name", ["off", "pi", "pi1", "twin", "0", "12", "/dev/video2", "a.mp4"])
def test_a_camera_is_a_word_a_number_or_a_path(name: str) -> None:
    assert read(f'[eye]\ncamera = "{name}"').eye.camera == name


def test_a_cameras_number_needs_no_quotes() -> None:
    assert read("[eye]\ncamera = 1").eye.camera == "1"
    (said,) = complaints("[eye]\ncamera = true")
    assert said.startswith("2: eye camera: ")


def test_a_camera_that_there_cannot_be_is_refused_with_its_line() -> None:
    (said,) = complaints('[table]\n[eye]\ncamera = "picamera"')
    assert said.startswith('3: eye camera: no camera is called "picamera"; there are "off", "pi"')


def test_the_lamp_over_the_tray_needs_a_pin_of_its_own() -> None:
    assert read("[eye]\nlamp = 14").eye.lamp == 14
    (said,) = complaints("[eye]\nlamp = 17")
    assert said.startswith("2: eye lamp: pin 17 is used twice, by default wiring panel 1 next")
