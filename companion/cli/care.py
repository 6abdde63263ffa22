"""`companion doctor`, `selftest`, `wiring`, `backup`, `restore`, `support`: care for the box."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import datetime
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from companion.care.device_checks import Touch
from companion.care.doctor import diagnose
from companion.care.finding import Finding, well
from companion.care.listing import listing
from companion.care.machine import Machine, as_service, held, this_machine
from companion.care.sandbox import beside, heard, looked_inside, properties, run_inside
from companion.cli.window import ask_doctor
from companion.errors import BadConfig, BadState, NoRoom
from companion.language import speaker
from companion.settings.installed import (
    ETC,
    games_of,
    settings_file,
    settings_of,
    settings_or_defaults,
)
from companion.settings.settings import Settings
from companion.words import text

app = typer.Typer(help="Care for the box itself.", no_args_is_help=True)
out = Console()

SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", "-s", help="Without it, the service's settings or the defaults."),
]
WRITTEN = "The report is in {people} and {programs}: no name and no secret is in it."


@app.command()
def doctor(
    settings: SettingsFile = None,
    twin: Annotated[bool, typer.Option("--twin", help="As `companion run --twin`.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    walk: Annotated[
        bool, typer.Option("--walk", help="Go through each button, lamp and display.")
    ] = False,
    inside: Annotated[bool, typer.Option("--inside", hidden=True)] = False,
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
    if inside:  # we are in the service's sandbox: another doctor asks, who is root
        findings = list(diagnose(this_machine(), chosen, Touch(busy=busy)))
    else:
        findings = _findings(settings, chosen)
    translate = speaker(chosen.table.language)
    if as_json or inside:
        told = {"well": well(findings), "findings": [one.as_json(translate) for one in findings]}
        print(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        out.print(listing(findings, translate))
    raise typer.Exit(0 if well(findings) else 1)


@app.command()
def selftest(
    file: Annotated[
        Path | None, typer.Argument(help="Where to write (.md and .json). Without it: here.")
    ] = None,
    settings: SettingsFile = None,
    twin: Annotated[bool, typer.Option("--twin", help="As `companion run --twin`.")] = False,
    inside: Annotated[bool, typer.Option("--inside", hidden=True)] = False,
) -> None:
    """Try every part with your hands in ten minutes, and write a report that can be shared."""
    from companion.care.report import report, write
    from companion.cli.selftest import Hands
    from companion.cli.selftest import selftest as tried
    from companion.daemon.devices import build

    settings = settings_file(settings)
    chosen = settings_of(settings, twin)
    if held(chosen.table.directory() / "lock"):
        raise BadConfig("a companion runs and holds the devices: stop it, then test")
    root = this_machine()
    unit = properties(root) if settings == ETC and root.user == "root" and not inside else None
    if unit is not None:
        _tested_inside(unit, chosen.table.directory() / "selftest", file or _dated("selftest"))
    doctored = list(diagnose(root, chosen, Touch())) if inside else _findings(settings, chosen)
    devices = build(chosen, speaker(chosen.table.language))
    hands = Hands(chosen, devices, out)
    try:
        found = asyncio.run(tried(chosen, devices, hands))
    finally:
        devices.close()
    out.print(listing(found.steps, hands.translate))
    told = report(
        this_machine(), chosen, doctored, found.steps, found.presses, found.rolls, found.losses,
        time.time(),
    )  # fmt: skip
    people, programs = write(told, file or _dated("selftest"))
    if not inside:
        out.print(WRITTEN.format(people=people, programs=programs))
    raise typer.Exit(0 if well(found.steps) else 1)


def _tested_inside(unit: list[str], kept: Path, wanted: Path) -> NoReturn:
    """The self-test as the service; its report is taken out of the only folder it may write to."""
    status = run_inside(unit, "selftest", "--inside", "--settings", str(ETC), str(kept))
    made = [kept.with_suffix(suffix) for suffix in (".md", ".json")]
    if all(one.exists() for one in made):
        people, programs = (wanted.with_suffix(one.suffix) for one in made)
        for one, to in zip(made, (people, programs), strict=True):
            to.write_bytes(one.read_bytes())
            one.unlink()
        out.print(WRITTEN.format(people=people, programs=programs))
    raise typer.Exit(status)


def _findings(file: Path | None, chosen: Settings) -> list[Finding]:
    """As the service sees it, where one is installed; elsewhere as whoever asks does."""
    machine, state = _machine(file), chosen.table.directory()
    touch = Touch(busy=held(state / "lock"))
    if file != ETC:
        who = text("{user}: these are not the settings of an installed service.", user=machine.user)
        return [Finding("seen", text("Seen by"), "unseen", who), *diagnose(machine, chosen, touch)]
    root = this_machine()
    if (theirs := asyncio.run(ask_doctor(state / "window.sock"))) is not None:
        who = text("The service, which runs.")
        return list(beside(diagnose(root, chosen, touch), heard(theirs), who))
    unit = properties(root)
    inside = "no companion.service is installed" if unit is None else looked_inside(unit, str(file))
    if isinstance(inside, str):
        who = text("Root alone, who may more than the service: {why}.", why=inside)
        return [Finding("seen", text("Seen by"), "unseen", who), *diagnose(machine, chosen, touch)]
    who = text("A process in the service's sandbox.")
    return list(beside(diagnose(root, chosen, touch), inside, who))


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
    findings = _findings(settings, chosen)
    names = write(file, chosen, settings, findings, _machine(settings), GAMES)
    out.print(f"{file} holds {', '.join(names)}.")
    out.print("The pictures show your tray. Look into it before you send it.")


def _dated(what: str) -> Path:
    """A file in this folder that tells what it is and of when."""
    return Path(f"companion-{what}-{datetime.now():%Y-%m-%d-%H%M%S}.zip")


def _complain(why: str) -> None:
    out.print(f"[red]{escape(why)}[/]", highlight=False)
