"""Contact sheets of every phase of a game, to be looked at: `python -m tests.language.sheets OUT`.

Games are played at random with both kinds of cards; of each phase the first few glasses are kept.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image

from companion.events import Pulse
from companion.games import GAMES
from companion.games.api import roll
from companion.language import speaker
from companion.words import SeatNo, Text
from hardware.glass.draw import image, pages
from tests.table.desk import Desk

KEYS = ("sainome", "hack")
SEEN, SEEDS, COLUMNS = 2, 3, 6  # glasses of each phase, games of each option, glasses in a row
LOOKS = 0.2  # of all moments
JAPANESE = speaker("ja")


def glasses(key: str, option: str, seed: int) -> Iterator[tuple[str, Image.Image]]:
    """Everything that stands on the panels and the table in a whole game, by phase."""
    game, rng = GAMES[key], random.Random(f"{option} {seed}")
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder), shelf={key: game}, seed=seed)
        desk.start(*([option] if option else []))
        play = desk.table.play
        while play.line.result is None:
            desk.wait()
            if rng.random() < LOOKS:
                yield from _now(
                    desk, f"{key} {play.line.state.phase} {play.line.waiting.why.template}"
                )
            dice = play.line.waiting.dice
            if dice is not None:
                play.act(roll(dice, rng.randrange), None)
            else:
                seat = SeatNo(rng.choice(play.line.waiting.seats))
                play.act(rng.choice(list(game.legal(play.line.state, seat))), seat)
            desk.table.handle(Pulse())
        yield from _now(desk, f"{key} over")


def _now(desk: Desk, phase: str) -> Iterator[tuple[str, Image.Image]]:
    views: list[Any] = [desk.table.panel(panel) for panel in desk.table.play.players]
    for view in (*views, desk.table.view("table")):
        say = partial(Text.show, names=view.names, translate=JAPANESE)
        bare = replace(view, leaf=None)
        yield f"{phase} choices", image(bare, say)
        for page in range(len(pages(bare, say))):
            yield f"{phase} page {page}", image(replace(bare, page=page), say)


def main(out: Path) -> None:
    """One sheet a game, in pieces of 60 glasses."""
    out.mkdir(parents=True, exist_ok=True)
    for key in KEYS:
        kept: dict[str, list[Image.Image]] = {}
        for option in ("", "Cards"):
            for seed in range(SEEDS):
                for phase, glass in glasses(key, option, seed):
                    some = kept.setdefault(phase, [])
                    if len(some) < SEEN and all(one.tobytes() != glass.tobytes() for one in some):
                        some.append(glass)
        every = [glass for some in kept.values() for glass in some]
        for number in range(0, len(every), 60):
            _sheet(every[number : number + 60]).save(out / f"{key}-{number // 60}.png")


def _sheet(some: list[Image.Image]) -> Image.Image:
    rows = -(-len(some) // COLUMNS)
    sheet = Image.new("L", (COLUMNS * 264, rows * 136), 90)
    for number, glass in enumerate(some):
        big = glass.convert("L").resize((256, 128), Image.Resampling.NEAREST)
        sheet.paste(big, (number % COLUMNS * 264, number // COLUMNS * 136))
    return sheet


if __name__ == "__main__":
    main(Path(sys.argv[1]))
