"""`make bench`: what a frame costs the eye, beside the usual recipe on the same frames."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench import frames, thrift

Row = tuple[str, str, str, str]


def rows(times: int = 12) -> Iterator[Row]:
    """Every line of the eye's own bench, then what its memory costs it."""
    for row in frames.rows(times):
        yield row_of(row)
    yield from thrift.rows()


def row_of(row: frames.Row) -> Row:
    """A line of the eye's own bench in the words of the whole one."""
    worst = "" if row.worst is None else f", 95th {row.worst:.2f}"
    ours = f"{row.ours:.2f} {row.unit}{worst}"
    return f"eye: {row.name}", ours, f"{row.beside} {row.peer:.2f} {row.unit}", f"{row.ratio:.2f}"
