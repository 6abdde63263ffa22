"""`companion dice …`: care for the character dice and their hub; are the dice fair?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from companion.cli.journal import journal_of
from companion.errors import DeviceLost
from companion.events import CharacterDie, DeviceDown, DeviceUp, Event
from companion.memory.codec import json_line
from companion.memory.fairness import as_document, rolls, weigh
from companion.table import troubles
from companion.words import Text
from firmware import VERSION
from hardware.dice import flash as flashing
from hardware.dice.hub import find
from hardware.dice.link import DieStatus, trouble
from hardware.dice.talk import Talk, talk
from hardware.twins.radio import NAMES

app = typer.Typer(help="Care for the character dice and their hub.", no_args_is_help=True)
console = Console()

BACK = 2.0  # seconds after which a board that starts anew has its port again
ANSWERS = {
    "silent": "the die does not answer: pick it up so that it wakes, and try again",
    "nobody": "no die came: shake the new die within a minute of asking",
    "unknown": "the hub knows no such die: companion dice pair",
    "busy": "the die is still busy with another command",
    "moving": "the die does not lie still",
    "incomplete": "not all six faces were shown",
    "no-cube": "these readings are no cube: was each face really on top once?",
}

Port = Annotated[str, typer.Option(help="Serial port of the hub; by default it is found.")]
Name = Annotated[str, typer.Argument(help="Whose die: " + ", ".join(NAMES) + ".")]


@app.command()
def status(port: Port = "auto") -> None:
    """Show the hub and what it knows of each die."""
    with _hub(port) as hub:
        link = hub.link
        console.print(f"hub {link.hub}, firmware {link.firmware}, protocol {link.protocol}")
        if link.mismatch:
            console.print(f"[bold red]{link.mismatch}")
            return
        table = Table("die", "state", "face", "battery", "firmware", "events", "")
        for die in sorted(link.dice.values(), key=lambda die: die.name):
            table.add_row(*_row(die))
        console.print(table)


@app.command()
def watch(
    port: Port = "auto",
    seconds: Annotated[float, typer.Option(help="How long.")] = 3600.0,
) -> None:
    """Show what the dice report, as it happens. Ctrl+C ends it."""
    with _hub(port) as hub:
        console.print("listening; Ctrl+C ends")
        for events in chain([list(hub.past)], hub.listen(seconds)):
            for event in events:
                console.print(_sentence(event))


@app.command()
def identify(name: Name, port: Port = "auto") -> None:
    """Let a die blink its lamp."""
    _do(name, port, "identify", "blinks")


@app.command()
def sleep(name: Name, port: Port = "auto") -> None:
    """Send a die to sleep until it is moved."""
    _do(name, port, "sleep", "sleeps")


@app.command()
def forget(name: Name, port: Port = "auto") -> None:
    """Let a die go, so that it can be paired anew."""
    _do(name, port, "forget", "is free")


@app.command()
def pair(name: Name, port: Port = "auto") -> None:
    """Give the next die that is shaken a name."""
    if name not in NAMES:
        _stop(f"no character is called {name}: choose one of {', '.join(NAMES)}")
    with _hub(port) as hub:
        console.print(f"Shake the die that you want to be {name}'s, and no other ...")
        _expect(hub.command("pair", name, patience=65.0))
        console.print(f"This is {name}'s die now.")


@app.command()
def calibrate(name: Name, port: Port = "auto") -> None:
    """Teach a die its six faces, one after the other."""
    with _hub(port) as hub, _progress() as progress:
        task = progress.add_task(f"{name}'s faces", total=6)
        for face in range(1, 7):
            progress.console.print(f"Lay the die down with face {face} on top, hands off.")
            while why := _when_still(hub, name, face):
                if why != "moving":
                    _expect(why)
                progress.console.print("It moves: let it lie.")
            progress.advance(task)
        _expect(hub.command("do", name, "calibrate", 0))
        progress.console.print(f"{name}'s die knows its faces now.")


@app.command()
def flash(
    target: Annotated[str, typer.Argument(help="'hub', or whose die.")], port: Port = "auto"
) -> None:
    """Put the firmware onto the hub, or onto a die that hangs on the USB cable."""
    if target != "hub" and target not in (*NAMES, "die"):
        _stop(f"flash what? 'hub', 'die', or one of {', '.join(NAMES)}")
    kind: flashing.Kind = "hub" if target == "hub" else "die"
    where = _port(port)
    try:
        _free(where, kind)
        with _progress() as progress:
            task = progress.add_task("", total=len(flashing.files(kind)) + 1)
            for name in flashing.flash(where, kind, flashing.mpremote):
                progress.update(task, advance=1, description=name)
        flashing.restart(where, flashing.mpremote)
    except DeviceLost as why:
        _stop(str(why))
    console.print(f"The {kind} has firmware {VERSION} now and starts anew.")


@app.command()
def fairness(
    since: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Leave out older throws.")
    ] = None,
    settings: Annotated[
        Path | None, typer.Option("--settings", "-s", help="Settings file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Are these dice fair? Weigh every throw in the journal; looking often accuses nobody."""
    journal = journal_of(settings)
    found = weigh(rolls(journal, since.timestamp() if since else 0.0))
    if as_json:
        return print(json_line([as_document(one, Text.show) for one in found]))
    if not found:
        console.print("No throw of real dice is in the journal yet.")
    for one in found:
        console.print(f"[bold]{one.says().show()}")
        low, high = one.band
        for face, count in enumerate(one.counts, start=1):
            console.print(f"  {face} {_bar(count, low, high)} {count}", highlight=False)
        if one.by_hand:
            console.print(f"  {one.by_hand} of them were entered by hand.")
    journal.close()


def _bar(count: int, low: float, high: float, wide: int = 40) -> str:
    """A bar, with the band in which fair dice are expected marked by brackets."""
    scale = wide / max(high * 1.25, count, 1)
    cells = ["━" if at < count * scale else " " for at in range(wide + 1)]
    cells[round(low * scale)], cells[round(high * scale)] = "[", "]"
    return escape("".join(cells))


def _free(port: str, kind: flashing.Kind) -> None:
    """Ask a running hub, whatever protocol it speaks, to stop; a board that is mute is free."""
    asked = False
    try:
        with talk(port) as hub:
            if kind == "die":
                _stop("this is the hub: put the die on the cable, and name its port with --port")
            asked = True
            _expect(hub.command("update", patience=5.0))
    except DeviceLost as why:  # once asked, the hub may be gone before its answer is read
        if not asked and "does not answer" not in str(why):
            raise
    if asked:
        time.sleep(BACK)


def _when_still(hub: Talk, name: str, face: int) -> str:
    """Wait until the die has been turned and lies; then let it learn."""
    number = hub.link.dice[name].number if name in hub.link.dice else 0
    if face > 1:
        hub.wait(lambda link: _lies(link.dice[name], number), 30.0)
    return hub.command("do", name, "calibrate", face)


def _lies(die: DieStatus, number: int) -> bool:
    return die.number > number and die.state in ("rest", "crooked")


def _do(name: str, port: str, what: str, said: str) -> None:
    """One order to one die, and what came of it."""
    with _hub(port) as hub:
        _expect(hub.command("do", name, what, 0))
        console.print(f"{name}'s die {said}")


@contextmanager
def _hub(port: str) -> Iterator[Talk]:
    try:
        with talk(_port(port)) as hub:
            yield hub
    except DeviceLost as why:
        _stop(str(why))


def _port(setting: str) -> str:
    ports = find(setting)
    if not ports:
        _stop("no dice hub is plugged in")
    if len(ports) > 1:
        _stop("several boards are plugged in, name one with --port:\n  " + "\n  ".join(ports))
    return ports[0]


def _expect(why: str) -> None:
    if why:
        _stop(ANSWERS.get(why, why))


def _stop(why: str) -> NoReturn:
    console.print(f"[bold red]{why}", highlight=False)
    raise typer.Exit(1)


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=console
    )


def _row(die: DieStatus) -> tuple[str, ...]:
    face = str(die.face) if die.face else "-"
    known = die.number > 0 or die.state != "away"
    battery = f"{die.battery} %" if known else "-"
    ill = trouble(die)
    wrong = ill.show() if ill else ""
    return (die.name, die.state, face, battery, die.firmware, str(die.number), wrong)


def _sentence(event: Event) -> str:
    match event:
        case CharacterDie(die=die, state=state, face=face, number=number, battery=battery):
            on = f" on {face}" if face else ""
            return f"{die}: {state}{on}  (event {number}, battery {battery} %)"
        case DeviceDown(name=name, why=why):
            return troubles.lost(name, why).show()
        case DeviceUp(name=name):
            return troubles.back(name).show()
    return str(event)
