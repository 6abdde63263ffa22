"""Panel and seat are two index spaces: mypy finds whoever mixes them up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAD = """
from companion.events import ButtonPressed
from companion.games.api import Game
from companion.table.fingers import Fingers
from companion.table.play import Play
from companion.words import Panel, SeatNo

def f(play: Play, fingers: Fingers, game: Game[int], panel: Panel, seat: SeatNo) -> None:
"""
RIGHT = (
    "play.line.view(play.seat(panel))",
    "fingers[panel]",
    "game.view(0, seat)",
    "ButtonPressed(panel, 'next')",
    "panel in play.players",
)
WRONG = (
    "play.line.view(panel)",
    "play.seat(seat)",
    "fingers[seat]",
    "game.view(0, panel)",
    "ButtonPressed(seat, 'next')",
    "seat in play.players",
)


@pytest.mark.slow
def test_a_panel_in_place_of_a_seat_fails_in_mypy_and_so_does_a_seat_in_place_of_a_panel(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mixed_up.py"
    file.write_text(HEAD + "".join(f"    {line}\n" for line in (*RIGHT, *WRONG)))
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", file],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = file.read_text().splitlines()
    found = [row.split(":")[1] for row in checked.stdout.splitlines() if ": error:" in row]
    assert [lines[int(number) - 1].strip() for number in found] == list(WRONG), checked.stdout
