"""Panels and glass in the terminal: keys are buttons, screens fit the window, leaving is clean."""

from __future__ import annotations

import asyncio
import base64
import fcntl
import json
import os
import pty
import select
import signal
import socket
import struct
import sys
import termios
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from companion.cli.glass import HELP, Screens, _split
from companion.daemon.app import Daemon
from companion.daemon.devices import Devices
from companion.daemon.window import Window
from companion.language import speaker
from companion.plain import spoken
from companion.views import BLANK, Choice, Line, View
from companion.words import text
from tests.table.desk import Desk

FRAME = base64.b64encode(b"\xff" * 1024).decode()


def screens(*names: str) -> Screens:
    found = Screens()
    for panel, name in enumerate(names):
        told = {"display": name, "panels": [panel], "frame": FRAME, "says": [f"{name} says"]}
        found.take(json.dumps(told).encode())
    return found


def test_letters_are_the_buttons_of_each_panel_and_arrows_those_of_the_focus() -> None:
    both = screens("one", "two")
    assert [both.key(letter) for letter in "qwer"] == [
        (0, "previous"), (0, "next"), (0, "select"), (0, "back"),
    ]  # fmt: skip
    assert both.key("o") == (1, "select")
    assert both.key("a") is None  # no third panel
    assert both.key("\x1b[C") == (0, "next")
    assert both.key("\t") is None
    assert both.key("\r") == (1, "select")


def test_what_was_typed_at_once_is_split_into_keys() -> None:
    assert list(_split("q\x1b[Cw\x1b")) == ["q", "\x1b[C", "w", "\x1b"]


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (130, 40), (200, 60), (400, 120), (20, 5)])
def test_the_screens_never_exceed_the_terminal(columns: int, rows: int) -> None:
    drawn = screens("one", "two", "three").drawn(columns, rows)
    assert len(drawn) <= rows
    assert max(map(len, drawn)) <= columns


def test_large_terminals_get_half_blocks_and_small_ones_braille() -> None:
    assert "█" in "".join(screens("one").drawn(140, 40))
    assert "⣿" in "".join(screens("one").drawn(80, 24))


def test_the_window_says_it_in_the_language_of_the_table(tmp_path: Path) -> None:
    heard: list[dict[str, Any]] = []
    devices = Devices(glass={"one": lambda: Image.new("1", (128, 64))})
    window = Window(tmp_path / "w", {"one": (0,)}, devices, lambda _: None, {}, str.upper)

    class Dark:
        name = "one"

        async def show(self, view: View) -> None:
            pass

    glass = window.watched(Dark(), lambda news: heard.append(dict(news.glass[1]())))
    asyncio.run(glass.show(View(text("Round 1"), text("Lay a card"))))
    assert [told["says"] for told in heard] == [["ROUND 1 | LAY A CARD"]]


def test_a_display_that_is_only_looked_after_is_no_news(tmp_path: Path) -> None:
    class Glass:
        name = "one"

        async def show(self, _view: View) -> None: ...

    devices = Devices(glass={"one": lambda: Image.new("1", (128, 64))})
    window, told = Window(tmp_path / "w", {}, devices, lambda _: None, {}), list[Any]()
    display = window.watched(Glass(), told.append)
    first, second = (View(text("scene"), text("waiting"), seq=seq) for seq in (1, 2))
    for shown in (first, first, second, second):
        asyncio.run(display.show(shown))
    assert len(told) == 2


def test_a_reader_that_left_at_once_is_not_written_to_again_and_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    names = [f"seat {n}" for n in range(8)]  # asyncio complains of the sixth write into nothing
    devices = Devices(glass=dict.fromkeys(names, lambda: Image.new("1", (128, 64))))
    window = Window(tmp_path / "w", {}, devices, lambda _: None, {})
    window._shown = dict.fromkeys(names, View(text("Round 1"), text("Lay a card")))

    async def come_and_go() -> None:
        ours, theirs = socket.socketpair()
        theirs.close()
        await window._read(*await asyncio.open_connection(sock=ours))

    asyncio.run(come_and_go())
    assert [told.name for told in caplog.records if told.levelname == "WARNING"] == []


def test_a_window_that_cannot_be_opened_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "w" / "in the way").mkdir(parents=True)
    window = Window(tmp_path / "w", {}, Devices(), lambda _: None, {})
    asyncio.run(window.open())
    window.close()
    assert "cannot be opened" in caplog.text


@pytest.mark.parametrize(("plain", "sign"), [(False, "⣿"), (True, "says")])
def test_a_small_terminal_shows_the_panel_in_focus_and_tab_brings_the_next(
    plain: bool, sign: str
) -> None:
    many = screens("one", "two", "three")
    many.plain = plain
    for name in ("one", "two", "three", "one"):
        drawn = many.drawn(70, 20 if not plain else 4)
        assert drawn[0].startswith(f"▶ {name}")
        assert sign in drawn[1]
        assert (
            sum(len(line) > 1 and line[2:].startswith(("one ", "two ", "three ")) for line in drawn)
            == 1
        )
        many.key("\t")


def test_screens_stand_beside_each_other_whatever_is_on_them() -> None:
    both = screens("one", "two")
    both.frames["one"] = bytes(1024)  # dark: its rows are blank
    drawn = both.drawn(260, 50)
    assert {line.index("█") for line in drawn[1:33]} == {129}


def test_why_no_dice_were_thrown_stands_in_the_terminal_in_the_tables_language(
    tmp_path: Path,
) -> None:
    """What the window says is what the terminal shows under the screens."""

    async def ask() -> bytes:
        daemon = Daemon(Desk(tmp_path).table, Devices(), tmp_path, speaker("ja"))
        await daemon.window.open()
        reader, writer = await asyncio.open_unix_connection(tmp_path / "window.sock")
        writer.write(b'{"throw":true}\n')
        said = await reader.readline()
        writer.close()
        daemon.window.close()
        return said

    found = screens("table")
    found.take(asyncio.run(ask()))
    shown = found.drawn(200, 60)
    assert shown[-2] == "このトレイを見るカメラがありません。手で入力してください。"
    assert len(found.drawn(80, 20)) <= 20
    found.refused = ""
    assert found.drawn(200, 60)[-2:] == list(HELP)


def test_plain_mode_says_the_views_in_words() -> None:
    told = screens("one", "two")
    told.plain = True
    assert "two says" in told.drawn(80, 24)


def test_a_glass_in_words_says_where_the_finger_is_and_what_was_refused() -> None:
    choices = (
        Choice(text("Charge"), 1),
        Choice(text("High Strike"), 2, text("is set aside"), barred="K-R11"),
    )
    menu = View(text("Round 1"), text("Lay a card"), (), choices, cursor=1, notice=text("No!"))
    assert list(spoken(menu)) == [
        "! No!",
        "Round 1 | Lay a card",
        "  [Charge]",
        "> [High Strike] - is set aside (not now: K-R11)",
    ]
    leaf = replace(menu, page=0, notice=BLANK, live=False, parts=(Line(text("Hello")),))
    assert list(spoken(leaf)) == [
        "stale",
        "Round 1 | Lay a card",
        "  Hello",
        "  (Select goes to the choices)",
        "  [Charge]",
        "  [High Strike] - is set aside (not now: K-R11)",
    ]
    assert next(spoken(leaf, str.upper)) == "STALE"


@pytest.mark.slow
def test_a_key_typed_in_a_terminal_presses_a_button_of_the_table(tmp_path: Path) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["STATE_DIRECTORY"] = str(tmp_path)
        arguments = ["-m", "companion", "glass", "--twin", "--plain"]
        os.execv(sys.executable, [sys.executable, *arguments])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 120, 0, 0))
    try:
        _until(terminal, "seat 1  q w e r")
        _until(terminal, "> [Teach me]", within=("seat 1 ", "seat 2 "))  # nothing was played yet
        os.write(terminal, b"w")
        _until(terminal, "> [My box]", within=("seat 1 ", "seat 2 "))
        os.write(terminal, b"w")
        _until(terminal, "> [Kiri-ai", within=("seat 1 ", "seat 2 "))
        os.write(terminal, b"e")  # the first game of the shelf
        _until(terminal, "[Join]", within=("seat 1 ", "seat 2 "))
        os.write(terminal, b"e")
        _until(terminal, "You are Red")
        os.write(terminal, b"\x03")
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        pid = 0
    finally:
        if pid:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        os.close(terminal)


def _until(terminal: int, words: str, within: tuple[str, str] = ("", "")) -> None:
    """Read on until a painting of the terminal holds these words, between two others if asked."""
    end, seen = time.monotonic() + 60, ""
    while not any(words in _between(paint, *within) for paint in seen.split("\x1b[H")):
        assert time.monotonic() < end, f"{words!r} never came: {seen[-500:]}"
        if select.select([terminal], [], [], 1)[0]:
            seen += os.read(terminal, 1 << 16).decode(errors="replace")


def _between(paint: str, first: str, last: str) -> str:
    after = paint.partition(first)[2] if first else paint
    return after.partition(last)[0] if last else after
