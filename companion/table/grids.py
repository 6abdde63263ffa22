"""What a grid that the eye read means: where its colours are kept, which tiles are asked about."""

from __future__ import annotations

from companion.events import SURE, GridRead

COLOURS_FILE = "grid-colours.json"  # in the state directory: how each tile looks at this table
DOUBT = "?"  # "red?" looks red and is asked about; "?" looks like nothing


def marked(seen: GridRead) -> tuple[tuple[str, ...], ...]:
    """The rows with every doubtful tile marked; of a doubtful picture at least the least sure."""
    least = min((sure for row in seen.sure for sure in row), default=1.0)
    floor = SURE if seen.accepted or least < SURE else least + 1e-9
    return tuple(
        tuple(
            name if sure >= floor else name + DOUBT for name, sure in zip(row, sures, strict=True)
        )
        for row, sures in zip(seen.rows, seen.sure, strict=True)
    )
