"""The devices that the settings name, real or twins, ready for the daemon to join."""

from __future__ import annotations

import logging
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from companion.events import KEYS, ButtonPressed, Emit, Key
from companion.eye.calibration_file import NAME as CALIBRATION
from companion.eye.child import EyeChild
from companion.ports import Display, Source
from companion.settings.settings import Settings
from companion.settings.wiring import DisplayWiring
from companion.views import View
from companion.words import Panel, Translate
from hardware.dice.hub import Dice, find
from hardware.twins.hub_child import HubChild

if TYPE_CHECKING:  # a real table needs no mock pins
    from hardware.twins.finger import Finger

log = logging.getLogger(__name__)

Paint = Callable[[View], Image.Image]


async def _straight(panel: Panel, key: Key, emit: Emit) -> None:
    """A press from the window where the panels are real: past the pins."""
    emit(ButtonPressed(panel, key))


def _ask_for_power_off() -> None:
    """A file in the runtime directory, which companion-off.path waits for: no right is needed."""
    given = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    if given:
        (Path(given) / "power-off").touch()
    else:
        log.warning("nobody here powers off: the service was not started by systemd")


@dataclass
class Devices:
    """What the daemon hears and shows. `glass` tells what an eye would see on a display."""

    sources: list[Source] = field(default_factory=list)
    displays: dict[str, Display] = field(default_factory=dict)
    lamps: dict[Panel, Display] = field(default_factory=dict)
    glass: dict[str, Callable[[], Image.Image]] = field(default_factory=dict)
    buses: dict[str, Any] = field(default_factory=dict)  # of the twins, for drills
    eye: EyeChild | None = None
    hub: HubChild | None = None  # the twin, which can be thrown from here
    finger: Finger | None = None  # presses the twins' buttons
    panels: frozenset[Panel] = frozenset()
    press: Callable[[Panel, Key, Emit], Awaitable[None]] = _straight
    power_off: Callable[[], None] = _ask_for_power_off

    def close(self) -> None:
        """Dark glasses: one without a daemon must not look alive."""
        for display in (*self.displays.values(), *self.lamps.values()):
            close = getattr(display, "close", None)
            if close is not None:
                close()


def build(settings: Settings, translate: Translate = str) -> Devices:
    """Make every device of the settings; none is opened before it runs."""
    devices = Devices(panels=frozenset(panel.seat for panel in settings.panels))
    _panels(settings, devices)
    if settings.eye.camera != "off":
        kept = settings.table.directory() / CALIBRATION
        devices.eye = EyeChild([settings.eye.camera, "--calibration", str(kept)])
        devices.sources.append(devices.eye)
    _hub(settings, devices)
    for wiring in settings.displays:
        _display(wiring, settings.hardware.displays == "twin", devices, _painter(translate))
    return devices


def _panels(settings: Settings, devices: Devices) -> None:
    from hardware.panel.buttons import panels
    from hardware.panel.lamps import Lamp, TrayLamp

    factory = None
    pins: dict[tuple[Panel, Key], int | str] = {
        (panel.seat, key): getattr(panel, key) for panel in settings.panels for key in KEYS
    }
    if settings.hardware.panels == "twin":
        from hardware.twins.finger import Finger

        devices.finger = finger = Finger(pins)
        factory = finger.factory
        devices.press = lambda panel, key, _emit: finger.press(panel, key)
    devices.sources += panels(
        pins,
        factory=factory,
        stable=settings.debounce.stable_ms / 1000,
        storm_edges=settings.debounce.storm_edges_per_s,
    )
    if settings.eye.lamp is not None and settings.eye.camera != "off":
        devices.sources.append(TrayLamp(settings.eye.lamp, factory=factory))
    for panel in settings.panels:
        if panel.lamp is not None:
            devices.lamps[panel.seat] = Lamp(
                panel.seat, panel.lamp, buzzer=panel.buzzer, factory=factory
            )
    if settings.shutdown.pin is not None:
        from hardware.panel.off_switch import OffSwitch

        devices.sources.append(
            OffSwitch(settings.shutdown.pin, settings.shutdown.hold_s, factory=factory)
        )


def _hub(settings: Settings, devices: Devices) -> None:
    port = settings.hub.port
    if port == "twin":
        devices.hub = HubChild(settings.table.directory() / "hub")
        devices.sources.append(devices.hub)
    elif port != "off":
        devices.sources.append(Dice(lambda: find(port)))


def _display(wiring: DisplayWiring, twin: bool, devices: Devices, paint: Paint) -> None:
    from hardware.glass.oled import I2C, SPI, Oled

    at: I2C | SPI = I2C(wiring.port, wiring.address)
    if wiring.bus == "spi" and wiring.dc is not None and wiring.rst is not None:
        at = SPI(wiring.port, wiring.device, wiring.dc, wiring.rst)
    bus = None
    if twin:
        from hardware.twins.glass import CHIPS, I2CTwin

        at = I2C(wiring.port, wiring.address)  # the twin of a glass on SPI hangs on I²C, too
        chip = CHIPS[wiring.chip]()
        bus = devices.buses[wiring.name] = I2CTwin({wiring.address: chip})
        devices.glass[wiring.name] = chip.glass
    oled = Oled(
        wiring.name, wiring.chip, at, rotate=wiring.rotate, paint=paint, bus=bus,
        dim_after=wiring.dim_after_s or float("inf"), bright=wiring.contrast,
    )  # fmt: skip
    devices.displays[wiring.name] = oled
    devices.glass.setdefault(wiring.name, oled.picture)


def _painter(translate: Translate) -> Paint:
    from hardware.glass.draw import image

    return lambda view: image(view, lambda text: text.show(view.names, translate))
