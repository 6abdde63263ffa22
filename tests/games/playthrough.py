"""Whole games as text, with every seat's view: a leak or a changed rule shows in the diff.

`python -m tests.games.playthrough` writes them anew. A view is told when it has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.games import GAMES
from companion.games.api import Game, cited
from companion.memory.codec import action_to_json, json_line, to_json
from companion.views import Cards, Cross, Dice, Grid, Line, Meter, Part, Track, View
from tests.games.pig import PIG
from tests.games.shelf import walk

HERE = Path(__file__).parent / "playthroughs"
ALL: dict[str, Game[Any]] = {**GAMES, "pig": PIG}
BOOKS: dict[str, tuple[str, int, dict[str, Any], int]] = {
    "kiriai-standard": ("kiriai", 2, {"round_cap": 20}, 39),
    "kiriai-advanced": ("kiriai", 2, {"battlefield": "advanced"}, 2),
    "kiriai-cardboard": ("kiriai", 2, {"cards": "table"}, 39),
    "hack": ("hack", 2, {}, 2),
    "sainome": ("sainome", 2, {"hp": 5}, 11),
    "pig": ("pig", 3, {"goal": 50}, 57),
}


def playthrough(key: str, seats: int, options: dict[str, Any], seed: int) -> str:
    """One game of legal moves at random, told move by move."""
    return "\n".join(_lines(ALL[key], seats, ALL[key].options(**options), seed)) + "\n"


def _lines(game: Game[Any], seats: int, options: Any, seed: int) -> Iterator[str]:
    yield f"# {game.name.show()}, {seats} seats, {json_line(to_json(options))}"
    viewers = [None, *range(seats)]
    last: dict[int | None, str] = {}
    for number, (state, action) in enumerate(walk(game, seats, options, seed)):
        yield f"\n# {number}"
        seen = {viewer: _seen(game.view(state, viewer)) for viewer in viewers}
        yield from _grouped({v: shown for v, shown in seen.items() if last.get(v) != shown})
        last = seen
        if action is None:
            result = game.result(state)
            yield f"= {result.why.show() if result else 'the cap'}"
            continue
        yield f"> {json_line(action_to_json(action))} · {cited(game, state, action)}"
        yield from _grouped({v: game.tell(state, action, v).show() for v in viewers})


def _grouped(said: dict[int | None, str]) -> Iterator[str]:
    """Viewers who read the same share a line."""
    for words in dict.fromkeys(said.values()):
        yield f"{_names([viewer for viewer, other in said.items() if other == words])}: {words}"


def _names(viewers: list[int | None]) -> str:
    return " ".join("all" if viewer is None else str(viewer + 1) for viewer in viewers)


def _seen(view: View) -> str:
    choices = "".join(
        f" [{choice.label.show()}{' ' + choice.barred if choice.barred else ''}]"
        for choice in view.choices
    )
    parts = [view.title.show(), view.waiting.show(), *(_part(part) for part in view.parts)]
    return " | ".join(parts) + choices


def _part(part: Part) -> str:
    match part:
        case Line():
            return part.text.show()
        case Meter():
            return f"{part.label.show()} {part.value}"
        case Cards():
            names = (f"{name.show()} ({note.show()})" for name, note in part.cards)
            return f"{part.label.show()}: {', '.join(names)}"
        case Track():
            return " ".join(
                f"{piece.sign}{piece.space}{'^' if piece.raised else '_'}{'!' * piece.hurt}"
                for piece in part.pieces
            )
        case Dice():
            return " ".join(f"{die.body} {die.value} {die.mark}" for die in part.dice)
        case Grid():
            return " / ".join("".join(cell.sign or "." for cell in row) for row in part.rows)
        case Cross():
            sides = (f"{s.sign} {s.name.show() or '-'}{'!' * s.lit}" for s in part.slots)
            return f"{part.middle.show()} ({part.note.show()}): {', '.join(sides)}"


def write() -> None:
    """Write every playthrough anew."""
    HERE.mkdir(exist_ok=True)
    for name, book in BOOKS.items():
        (HERE / f"{name}.txt").write_text(playthrough(*book), "utf-8")


if __name__ == "__main__":
    write()
