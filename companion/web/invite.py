"""What the terminal says when the pages are open: where to go, and a code for phones to scan."""

from __future__ import annotations

import io

import segno

from companion.settings import Settings


def invitation(address: str, settings: Settings) -> str:
    """The addresses of the pages; with twins, that of the virtual table comes first."""
    phones = f"http://{address}/"
    lines = [f"Phones claim a seat at {phones}   the television shows {phones}board"]
    twins = settings.hardware.panels == settings.hardware.displays == "twin"
    if twins and settings.web.virtual != "none":
        port = address.rpartition(":")[2] if ":" in address else "80"
        lines.insert(0, f"The table stands at     http://127.0.0.1:{port}/")
    drawn = io.StringIO()
    segno.make(phones, error="l").terminal(drawn, compact=True, border=2)
    return "\n".join([*lines, "", drawn.getvalue().rstrip()])
