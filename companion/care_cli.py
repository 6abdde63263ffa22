"""`companion doctor`, `wiring`, `backup`, `restore`, `support`: care for the box itself."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from companion.care.doctor import look
from companion.care.finding import well
from companion.care.machine import held, this_machine
from companion.care.touch import real
from companion.errors import BadConfig, NoRoom
from companion.language import speaker
from companion.settings import DEFAULT, Settings, load, with_twins

app = typer.Typer(help="Care for the box itself.", no_args_is_help=True)
out = Console()

SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", "-s", help="Settings file (TOML); without it, the defaults."),
]
SIGNS = {
    "right": "[green]right[/]",
    "wrong": "[bold red]wrong[/]",
    "unseen": "[dim]not looked at[/]",
}


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
    chosen = _settings(settings, twin)
    busy = held(chosen.table.directory() / "lock")
    if walk:
        if busy:
            raise BadConfig("a companion runs and holds the devices: stop it, then walk")
        from companion.care.walk import by_terminal

        raise typer.Exit(0 if asyncio.run(by_terminal(chosen, out)) else 1)
    findings = list(look(this_machine(), chosen, real(busy)))
    translate = speaker(chosen.table.language)
    if as_json:
        told = {"well": well(findings), "findings": [one.told(translate) for one in findings]}
        print(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        rows = Table("", "what", "how it is", "what to do")
        for finding in findings:
            told_one = finding.told(translate)
            rows.add_row(SIGNS[finding.verdict], *(told_one[key] for key in ("name", "says", "do")))
        out.print(rows)
    raise typer.Exit(0 if well(findings) else 1)


def _settings(path: Path | None, twin: bool = False) -> Settings:
    chosen = load(path or DEFAULT)
    return with_twins(chosen) if twin else chosen


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

    sheet = draw(_settings(settings), title)
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
