"""`companion-eye`: what the eye sees in a picture, or in what a camera watches, told to people.

companion-eye photo.jpg [--draw OUT.jpg]    a table of the dice, and drawn
companion-eye photo.jpg --why               and why each die was accepted or asked about
companion-eye --watch 0                     a camera; or a clip, or a folder of pictures
companion-eye --watch clip.mp4 --json       one JSON object a line
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from companion.errors import BadState, CompanionError
from companion.events import DiceNudged, DiceSettled, SeenDie
from companion.eye.protocol import encode
from hardware.camera.by_name import PICTURES, frames, open_camera
from vision.draw import draw
from vision.picture import Image, bounded, load
from vision.read.reader import Hint, Reading, because, read
from vision.watch.settle import Settle, snapshot

_KNOWN = (DiceSettled, DiceNudged)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    source: Annotated[
        str, typer.Argument(help="A picture; with --watch a camera's number, a clip or a folder.")
    ],
    watch: Annotated[bool, typer.Option(help="Tell rolls from frame to frame.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    drawing: Annotated[Path | None, typer.Option("--draw", help="Draw what it sees.")] = None,
    width: Annotated[int | None, typer.Option(help="Width of a camera's frames.")] = None,
    height: Annotated[int | None, typer.Option(help="Height of a camera's frames.")] = None,
    die: Annotated[float | None, typer.Option(help="Edge of a die in pixels, if known.")] = None,
    empty: Annotated[Path | None, typer.Option(help="A picture of the empty tray.")] = None,
    why: Annotated[bool, typer.Option(help="Say of each die why it was accepted.")] = False,
) -> None:
    """Read physical dice from a picture, or watch them roll."""
    try:
        hint = Hint(die_px=die, background=load(empty) if empty else None)
        size = (width, height) if width and height else None
        if watch:
            _watch(source, size, hint, json, drawing, why)
        else:
            _read_pictures(source, hint, json, drawing, why)
    except BrokenPipeError:
        os._exit(1)  # nobody listens any more
    except CompanionError as error:
        print(f"companion-eye: {error}", file=sys.stderr)
        raise SystemExit(1) from error


def _read_pictures(
    source: str, hint: Hint, json: bool, drawing: Path | None, why: bool = False
) -> None:
    """One picture, or each picture of a folder by itself."""
    for number, (_, image) in enumerate(frames(source)):
        reading = read(image, hint)
        if json:
            print(encode(DiceSettled(reading.dice, number, reading.accepted)), flush=True)
        else:
            _tell(reading.dice, reading.accepted, reading.doubts, why)
        if drawing is not None:
            _write(drawing, image, reading)


def _watch(
    source: str,
    size: tuple[int, int] | None,
    hint: Hint,
    json: bool,
    drawing: Path | None,
    why: bool = False,
) -> None:
    """A camera or a clip: what happens to the dice, as it happens. Pictures: each by itself."""
    if Path(source).is_dir() or Path(source).suffix.lower() in PICTURES:
        _read_pictures(source, hint, json, drawing, why)
        return
    settle = Settle(read, hint)
    for shot in open_camera(source, size).frames():
        now, (frame, _) = shot.time, bounded(shot.whole)
        for event in settle.feed(frame, now):
            if json:
                print(encode(event), flush=True)
            elif isinstance(event, _KNOWN):
                print(f"{now:8.2f} s  {type(event).__name__}")
                _tell(event.dice, isinstance(event, DiceSettled) and event.accepted, (), why)
            if drawing is not None and isinstance(event, _KNOWN):
                _write(drawing, frame, Reading(event.dice, True))


def _write(path: Path, image: Image, reading: Reading) -> None:
    """What the eye saw, as a JPEG."""
    try:
        path.write_bytes(snapshot(draw(image, reading), 2000, 90))
    except OSError as error:
        raise BadState(f"{path} cannot be written: {error.strerror}") from error


def _tell(dice: tuple[SeenDie, ...], accepted: bool, doubts: tuple[str, ...], why: bool) -> None:
    table = Table("value", "body", "sure", "or", "where", "edge", "wrong", *(["why"] * why))
    for die in dice:
        table.add_row(
            str(die.value or "?"),
            die.body,
            f"{die.sure:.3f}",
            str(die.second or ""),
            f"{die.centre[0]:.0f}, {die.centre[1]:.0f}",
            f"{die.size:.0f}",
            ", ".join(die.wrong),
            *([because(die)] * why),
        )
    counts = Counter(die.body for die in dice)
    console = Console()
    console.print(table)
    shown = ", ".join(f"{count} {body}" for body, count in counts.items()) or "no dice"
    verdict = "accepted" if accepted else "would ask" + (f": {', '.join(doubts)}" if doubts else "")
    console.print(f"{shown}; sum {sum(die.value for die in dice)}; {verdict}")


def run() -> None:
    """The console script."""
    app()
