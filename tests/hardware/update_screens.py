"""Draws the golden screens anew: `python -m tests.hardware.update_screens`, then look at them."""

from __future__ import annotations

from pathlib import Path

from hardware.draw import image
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


if __name__ == "__main__":
    main()
