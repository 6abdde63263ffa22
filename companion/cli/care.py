"""`companion doctor`, `wiring`, `backup`, `restore`, `support`: care for the box itself."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from companion.care.doctor import diagnose
from companion.care.finding import well
from companion.care.listing import listing
from companion.care.machine import Machine, as_service, held, this_machine
from companion.care.touch import real
from companion.errors import BadConfig, BadState, NoRoom
from companion.language import speaker
from companion.settings.installed import (
    ETC,
    games_of,
    settings_file,
    settings_of,
    settings_or_defaults,
)

app = typer.Typer(help="Care for the box itself.", no_args_is_help=True)
out = Console()

SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", "-s", help="Without it, the service's settings or the defaults."),
]


@app.command()
def doctor(
    settings: SettingsFile = None,
    twin: Annotated[bool, typer.Option("--twin", help="As `companion run --twin`.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    walk: Annotated[
        bool, typer.Option("--walk", help="Go through each button, lamp and display.")
    ] = False,
) -> None:
    """Look at everything: what is right, what is wrong, what to do. Status 1 if anything is."""
    settings = settings_file(settings)
    chosen = settings_of(settings, twin)
    busy = held(chosen.table.directory() / "lock")
    if walk:
        if busy:
            raise BadConfig("a companion runs and holds the devices: stop it, then walk")
        from companion.cli.walk import by_terminal

        raise typer.Exit(0 if asyncio.run(by_terminal(chosen, out)) else 1)
    findings = list(diagnose(_machine(settings), chosen, real(busy)))
    translate = speaker(chosen.table.language)
    if as_json:
        told = {"well": well(findings), "findings": [one.as_json(translate) for one in findings]}
        print(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        out.print(listing(findings, translate))
    raise typer.Exit(0 if well(findings) else 1)


def _machine(path: Path | None) -> Machine:
    """What the service may use counts, not what root may."""
    here = this_machine()
    if path != ETC:
        return here
    if here.user != "root":
        raise BadState("this is the service's table: run this with sudo")
    return as_service(here)


@app.command()
def wiring(
    settings: SettingsFile = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="File to draw into.")] = None,
    png: Annotated[Path | None, typer.Option("--png", help="File to paint into.")] = None,
    title: Annotated[str, typer.Option(help="What stands over it.")] = "Table companion: wiring",
) -> None:
    """Draw the wiring of the settings; settings that cannot work are refused with their lines."""
    from companion.care.diagram import draw
    from companion.care.sheet_png import write_png

    sheet = draw(settings_of(settings_file(settings)), title)
    if svg is None and png is None:
        svg = Path("wiring.svg")
    try:
        if svg is not None:
            svg.write_text(sheet.svg(), encoding="utf-8")
            out.print(f"The wiring is in {svg}.")
        if png is not None:
            write_png(sheet, png)
            out.print(f"The wiring is in {png}.")
    except OSError as error:
        raise NoRoom(f"the drawing could not be written: {error}") from error


@app.command()
def backup(
    file: Annotated[
        Path | None,
        typer.Argument(help="A new file, on a USB stick for example. Without it: here, by date."),
    ] = None,
    settings: SettingsFile = None,
) -> None:
    """Put games, settings, corrected cards and calibration into one file, even during a game."""
    from companion.care.backup import backup as write

    file = file or _dated("backup")
    settings = settings_file(settings)
    names = write(games_of(settings_of(settings)), settings, file)
    out.print(f"{file} holds {', '.join(names)}.")
    out.print("Passwords and hidden cards are in it, too: keep it as you keep a key.")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What `companion backup` wrote.")],
    settings: SettingsFile = None,
) -> None:
    """Bring all that back; what is there now is set aside. The companion must not run."""
    from companion.care.backup import restore as bring

    settings = settings_file(settings)
    there = settings if settings is not None and settings.exists() else None
    state = games_of(settings_or_defaults(there, _complain))
    found = bring(file, state, settings)
    out.print(f"Restored: {', '.join(found.names)}.")
    if found.aside is not None:
        out.print(f"What was there before is in {found.aside}.")
    if found.settings is not None:
        out.print(f"The settings are in {found.settings}.")
        wanted = settings_or_defaults(found.settings, _complain).table.directory()
        if wanted != state:
            out.print(f"They name {wanted} for the games, which are in {state}: move them there.")


@app.command()
def support(
    file: Annotated[
        Path | None, typer.Argument(help="A new file (.zip). Without it: here, by date.")
    ] = None,
    settings: SettingsFile = None,
) -> None:
    """Make a bundle for whoever is asked for help: log, settings, health, readings; no secrets."""
    from companion.care.support import support as write
    from companion.games import GAMES

    file = file or _dated("support")
    settings = settings_file(settings)
    chosen = settings_or_defaults(settings, _complain)
    machine = _machine(settings)
    findings = list(diagnose(machine, chosen, real(held(games_of(chosen) / "lock"))))
    names = write(file, chosen, settings, findings, machine, GAMES)
    out.print(f"{file} holds {', '.join(names)}.")
    out.print("The pictures show your tray. Look into it before you send it.")


def _dated(what: str) -> Path:
    """A file in this folder that tells what it is and of when."""
    return Path(f"companion-{what}-{datetime.now():%Y-%m-%d-%H%M%S}.zip")


def _complain(why: str) -> None:
    out.print(f"[red]{escape(why)}[/]", highlight=False)
