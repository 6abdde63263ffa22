"""`companion eye …`: read dice from pictures, and measure how well on anyone's own."""

from __future__ import annotations

import typer

from companion.cli.look import main as look
from vision.bench import bench

app = typer.Typer(help="Read dice from pictures, and measure how well.", no_args_is_help=True)
app.command("look", help="Print and draw what the eye sees: the same as companion-eye.")(look)
app.command("bench")(bench)
