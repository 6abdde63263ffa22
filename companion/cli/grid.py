"""`companion grid …`: learn the colours of the tiles, and try what the eye makes of a grid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from companion.errors import BadState
from companion.events import SURE
from companion.settings.installed import games_of, settings_file, settings_of
from companion.table.grids import COLOURS_FILE
from hardware.camera.by_name import frames, is_camera
from hardware.camera.lens import Picture
from vision.grid.file import keep, learn_all, read_file

app = typer.Typer(help="Teach the eye the tiles of Swordcrafters.", no_args_is_help=True)
console = Console()
SETTLED = 15  # frames that a camera needs to find its exposure

Colours = Annotated[
    Path | None, typer.Option(help="Where the colours are kept; by default the state directory.")
]


@app.command()
def learn(
    shown: Annotated[
        list[str],
        typer.Argument(help="Pictures, each in another light, or the camera: pi, 0, /dev/video0."),
    ],
    colours: Colours = None,
) -> None:
    """Learn one tile of each: red blue green purple in a row, yellow orange blank forge below."""
    file = _file(colours)
    pictures = [(name, picture) for name in shown for picture in _pictures(name)]
    try:
        palette = learn_all(pictures)
    except ValueError as why:
        raise BadState(str(why)) from why
    keep(palette, file)
    console.print(f"{len(palette.looks)} tiles learnt from {len(pictures)} pictures: {file}")


def _pictures(name: str) -> Iterator[Picture]:
    """Every picture of a file or folder; of a camera one, once it is used to the light."""
    seen = frames(name)
    if is_camera(name):
        seen = islice(seen, SETTLED, SETTLED + 1)
    yield from (picture for _, picture in seen)


@app.command()
def read(
    picture: Annotated[Path, typer.Argument(help="A picture of a laid-out grid.")],
    colours: Colours = None,
) -> None:
    """Show what the eye reads in a picture; what it would ask about has a question mark."""
    file = _file(colours)
    if not file.exists():
        raise BadState(f"no colours are learnt yet: companion grid learn PICTURE (in {file})")
    try:
        seen = read_file(picture, file)
    except ValueError as why:
        raise BadState(str(why)) from why
    if seen is None:
        raise BadState(f"{picture}: no grid is seen")
    table = Table(show_header=False)
    for names, sures in zip(seen.rows, seen.sure, strict=True):
        cells = zip(names, sures, strict=True)
        table.add_row(
            *(f"{name or 'gap'} {sure:.2f}{'' if sure >= SURE else ' ?'}" for name, sure in cells)
        )
    console.print(table)


def _file(given: Path | None) -> Path:
    return given or games_of(settings_of(settings_file(None))) / COLOURS_FILE
