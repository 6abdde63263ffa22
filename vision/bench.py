"""How well does the eye read anyone's labelled pictures: `companion eye bench FOLDER`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Annotated

import cv2
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from companion.errors import BadState
from vision.draw import draw
from vision.picture import load
from vision.read.reader import Hint, Reading, read
from vision.score import Label, Score, Sum, labels, score

GROUPS: tuple[tuple[str, Callable[[Label], bool]], ...] = (
    ("tier A, black and white", lambda one: one.tier == "A" and one.black_and_white),
    ("tier A, all colours", lambda one: one.tier == "A"),
    ("tier B", lambda one: one.tier == "B"),
    ("no dice", lambda one: not one.values),
)


def read_one(folder: Path, label: Label, scale_known: bool = False) -> tuple[Score, Reading]:
    """Reads one labelled picture on one core and scores it."""
    cv2.setNumThreads(1)
    image = load(folder / label.file)
    hint = label.hint(scale_known)
    begun = time.process_time()  # of this core: other work on the machine is not counted
    reading = read(image, hint)
    spent = (time.process_time() - begun) * 1000
    return score(label, reading, spent), reading


def read_all(
    folder: Path, chosen: list[Label], scale_known: bool = False, jobs: int = 1
) -> Iterator[tuple[Score, Reading]]:
    """Reads all in order; with more jobs they run side by side and the times mean less."""
    one = partial(read_one, folder, scale_known=scale_known)
    if jobs == 1:
        yield from map(one, chosen)
        return
    with ProcessPoolExecutor(jobs) as workers:
        yield from workers.map(one, chosen, chunksize=4)


def sums(scores: Iterable[Score], by_source: bool = False) -> dict[str, Sum]:
    """Figures per tier, for black and white dice only, and on request per source."""
    found = {name: Sum() for name, _ in GROUPS}
    for one in scores:
        for name, belongs in GROUPS:
            if belongs(one.label):
                found[name].add(one)
        if by_source:
            kind = "black and white" if one.label.black_and_white else "coloured"
            found.setdefault(f"{one.label.source} {one.label.tier}, {kind}", Sum()).add(one)
    return {name: total for name, total in found.items() if total.pictures}


def table(totals: dict[str, Sum]) -> Table:
    """The figures for people."""
    shown = Table(title="The eye on labelled pictures", title_justify="left", padding=(0, 0, 0, 0))
    shown.add_column("pictures of", no_wrap=True)
    for head in ("pictures", "exactly\nright", "accepted", "of these\nwrong"):
        shown.add_column(head, justify="right")
    for head in ("dice\nright", "bodies\nright", "ms\nmedian", "ms\np95"):
        shown.add_column(head, justify="right")
    for name, total in totals.items():
        f = total.figures()
        shown.add_row(
            name,
            str(f["pictures"]),
            _counted(total.exact, total.pictures),
            _counted(total.accepted, total.pictures),
            _counted(total.accepted_wrong, total.accepted),
            _counted(total.dice_right, total.dice),
            _counted(total.bodies_right, total.bodies),
            f"{f['ms_median']:.0f}",
            f"{f['ms_p95']:.0f}",
        )
    return shown


def _counted(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def keep_failure(folder: Path, target: Path, one: Score, reading: Reading) -> None:
    """A picture of what went wrong: what the eye saw, and under it what lies there."""
    image = load(folder / one.label.file)
    verdict = "accepted" if one.accepted else "asks: " + ", ".join(one.doubts)
    shown = draw(image, reading, f"label {sorted(one.label.values)}  {verdict}")
    target.mkdir(parents=True, exist_ok=True)
    name = one.label.file.replace("/", "_").rsplit(".", 1)[0] + ".png"
    cv2.imwrite(str(target / name), shown)


app = typer.Typer(help="The eye.", no_args_is_help=True)


@app.callback()
def _eye() -> None:
    """What the eye sees, and how well."""


@app.command()
def bench(
    folder: Annotated[Path, typer.Argument(help="Folder with labels.jsonl and its pictures.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    failures: Annotated[
        Path | None, typer.Option(help="Write a picture of every failure here.")
    ] = None,
    scale_known: Annotated[bool, typer.Option(help="Tell the eye the labelled die size.")] = False,
    by_source: Annotated[bool, typer.Option(help="A row for every source, too.")] = False,
    only: Annotated[str, typer.Option(help="These sources only, with commas.")] = "",
    jobs: Annotated[int, typer.Option(min=1, help="Pictures read side by side.")] = 1,
) -> None:
    """Measure the eye on a folder of labelled pictures."""
    errors = Console(stderr=True)
    try:
        chosen = [o for o in labels(folder) if not only or o.source in only.split(",")]
        if not chosen:
            raise BadState(f"{folder}: no labelled pictures")
        # the first reading loads the networks: not timed
        read(load(folder / chosen[0].file), Hint())
        scores = []
        steps = track(
            read_all(folder, chosen, scale_known, jobs),
            "reading",
            len(chosen),
            console=errors,
            transient=True,
        )
        for one, reading in steps:
            scores.append(one)
            if failures and not one.exact:
                keep_failure(folder, failures, one, reading)
    except BadState as why:
        errors.print(str(why), style="red", markup=False)
        raise typer.Exit(2) from why
    totals = sums(scores, by_source)
    if as_json:
        print(json.dumps({name: total.figures() for name, total in totals.items()}))
    else:
        Console().print(table(totals))


if __name__ == "__main__":
    typer.run(bench)
