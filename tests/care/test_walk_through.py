"""The walk with the twins: a test that presses what it is told, and reads the glass."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from gpiozero import LED

from companion.care.finding import Finding
from companion.cli.walk import OFF, Guide, walk
from companion.daemon.devices import Devices, build
from companion.events import Key
from companion.settings.settings import Settings, read
from companion.words import Text
from tests.hardware import ocr
from tests.table.evening import TWO_SEATS

DEAD: tuple[int, Key] = (-1, "back")
LAMPS = TWO_SEATS.replace("back = 22\n", "back = 22\nlamp = 20\nbuzzer = 21\n")

MORE = '[shutdown]\npin = 15\nhold_s = 1\n[eye]\ncamera = "twin"\nlamp = 14\n'


def walked(
    settings: Settings,
    devices: Devices,
    *,
    crossed: dict[tuple[int, Key], tuple[int, Key]] | None = None,
    swapped: dict[str, str] | None = None,
) -> list[Finding]:
    """Somebody whose wires are crossed and whose plugs are swapped as given."""

    async def main() -> list[Finding]:
        presses: list[asyncio.Task[None]] = []

        async def press(panel: int, key: Key, says: Text) -> None:
            assert says.show() == f"Press {key} on panel {panel + 1}."
            panel, key = (crossed or {}).get((panel, key), (panel, key))
            if (panel, key) != DEAD:
                finger = devices.press(panel, key, lambda _event: None)
                presses.append(asyncio.ensure_future(finger))

        async def hold(says: Text) -> None:
            assert says.show().startswith("Hold the shutdown button")
            if (OFF, "select") not in (crossed or {}):
                assert devices.finger is not None
                devices.finger.factory.pin(settings.shutdown.pin).drive_low()

        async def ask(display: str | None, _question: Text) -> str:
            if display is None:
                return "y"
            seen = ocr.read(devices.glass[(swapped or {}).get(display, display)]())
            numbers = re.findall(r"\b\d\d\b", " ".join(seen))
            return numbers[0] if numbers else ""

        async def patience(panel: int, key: Key) -> None:
            if (crossed or {}).get((panel, key)) != DEAD:
                await asyncio.Event().wait()

        found = await walk(
            settings,
            devices,
            Guide(press, hold, ask),
            numbers=lambda n: [42, 57, 86][:n],
            patience=patience,
        )
        await asyncio.gather(*presses)
        return found

    try:
        return asyncio.run(main())
    finally:
        devices.close()


def wrongs(found: list[Finding]) -> list[str]:
    return [f"{one.name.show()}: {one.says.show()}" for one in found if one.verdict == "wrong"]


@pytest.mark.slow
def test_a_sound_table_is_walked_to_the_end(tmp_path: Path) -> None:
    settings = read(LAMPS.format(state=tmp_path) + MORE)
    found = walked(settings, build(settings))
    assert wrongs(found) == []
    assert [one.name.show() for one in found] == [
        *(f"Panel {n}, {key}" for n in (1, 2) for key in ("previous", "next", "select", "back")),
        "Shutdown button", "Lamp 1", "Lamp over the tray",
        "Display table", "Display one", "Display two",
    ]  # fmt: skip


def test_crossed_wires_dead_buttons_and_swapped_plugs_are_told(tmp_path: Path) -> None:
    settings = read(TWO_SEATS.format(state=tmp_path) + MORE)
    devices = build(settings)
    devices.buses["two"].pulled = True
    crossed: dict[tuple[int, Key], tuple[int, Key]] = {
        (0, "next"): (1, "next"), (1, "next"): (0, "next"), (1, "back"): DEAD,
        (OFF, "select"): DEAD,
    }  # fmt: skip
    found = walked(settings, devices, crossed=crossed, swapped={"table": "one", "one": "table"})
    assert wrongs(found)[:6] == [
        "Panel 1, next: Panel 2, next came instead.",
        "Panel 2, next: Panel 1, next came instead.",
        "Panel 2, back: No press came.",
        "Shutdown button: No press came.",
        "Display table: It shows what belongs to one.",
        "Display one: It shows what belongs to table.",
    ]
    assert "Display two: it does not answer on I2C bus 24" in wrongs(found)[6]


@pytest.mark.slow
def test_a_lamp_over_the_tray_whose_pin_cannot_be_had_is_told(tmp_path: Path) -> None:
    settings = read(TWO_SEATS.format(state=tmp_path) + MORE)
    devices = build(settings)
    assert devices.finger is not None
    taken = LED(14, pin_factory=devices.finger.factory)
    (told,) = wrongs(walked(settings, devices))
    taken.close()
    assert told.startswith("Lamp over the tray: tray lamp: ")
