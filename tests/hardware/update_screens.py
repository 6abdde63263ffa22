"""Draws the golden screens anew: `python -m tests.hardware.update_screens`, then look at them.

With a folder it writes them there instead, four times as big, as pictures for a page.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from hardware.glass.draw import image
from tests.hardware.samples import SAMPLES

SCREENS = Path(__file__).parent / "screens"


def main() -> None:
    """Write every screen, drop those that no sample makes any more."""
    SCREENS.mkdir(exist_ok=True)
    for old in SCREENS.glob("*.png"):
        if old.stem not in SAMPLES:
            old.unlink()
    for name, view in SAMPLES.items():
        image(view).save(SCREENS / f"{name}.png", optimize=True)


def enlarge(folder: Path) -> None:
    """Write every golden screen as it glows on the table."""
    folder.mkdir(parents=True, exist_ok=True)
    for golden in sorted(SCREENS.glob("*.png")):
        big = Image.open(golden).convert("L").resize((512, 256), Image.Resampling.NEAREST)
        framed = Image.new("L", (536, 280), 0)
        framed.paste(big, (12, 12))
        framed.save(folder / golden.name, optimize=True)


if __name__ == "__main__":
    enlarge(Path(sys.argv[1])) if len(sys.argv) > 1 else main()
