"""`companion box …`: my box as one file, to keep, to share with a friend, to check."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.errors import BadState
from companion.games import GAMES
from companion.games.api import Game
from companion.games.box import MOST_BYTES, checked, from_file, to_file, together
from companion.memory.cardbox import CardBox
from companion.settings.installed import games_of, settings_file, settings_of

app = typer.Typer(help="What is printed on your cards, as one file.", no_args_is_help=True)
WITH_CARDS: dict[str, Game[Any]] = {key: g for key, g in GAMES.items() if g.cards is not None}
PRINTINGS = {key: game.cards.printing for key, game in WITH_CARDS.items() if game.cards}
SettingsFile = Annotated[Path | None, typer.Option("--settings", "-s", help="Settings file.")]
BoxFile = Annotated[Path, typer.Argument(help="A box, as `companion box export` writes it.")]


@app.command()
def export(
    file: Annotated[Path | None, typer.Argument(help="Without it, to the screen.")] = None,
    settings: SettingsFile = None,
) -> None:
    """Write your box: every value that you have told, of every game."""
    box = _box(settings)
    text = to_file({key: box.load(game) for key, game in WITH_CARDS.items()})
    if file is None:
        sys.stdout.write(text)
    else:
        file.write_text(text, encoding="utf-8")
        print(f"Your box stands in {file}.")


@app.command("import")
def bring(
    file: BoxFile,
    theirs_win: Annotated[
        bool, typer.Option("--theirs-win", help="Where both tell a value, the file counts.")
    ] = False,
    settings: SettingsFile = None,
) -> None:
    """Take in a box: of a friend, or your own of another day. Nothing is taken if it is broken."""
    box, theirs = _box(settings), from_file(_read(file), file.name, PRINTINGS)
    both = {
        key: checked(PRINTINGS[key], together(box.load(WITH_CARDS[key]), told, theirs_win), key)
        for key, told in theirs.items()
    }
    for key, told in both.items():
        box.keep(WITH_CARDS[key], told)
    count = sum(map(len, theirs.values()))
    print(f"{count} values from {file.name}; they count from the next game on.")


@app.command()
def check(file: BoxFile) -> None:
    """Check a box; what is wrong is said with file, card and reason."""
    found = from_file(_read(file), file.name, PRINTINGS)
    cards = sum(len({row[0] for row in told}) for told in found.values())
    print(f"{file.name} is in order: {sum(map(len, found.values()))} values of {cards} cards.")


def _box(settings: Path | None) -> CardBox:
    return CardBox(games_of(settings_of(settings_file(settings))) / "cards")


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as source:
            return source.read(MOST_BYTES + 1)  # one more than a box has: from_file says so
    except OSError as error:
        raise BadState(f"{file}: cannot be read: {error.strerror}") from error
