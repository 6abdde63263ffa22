"""Is everything there that the settings name: buses, rights, camera, displays, buttons, hub."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.care.finding import Finding
from companion.care.machine import Machine
from companion.errors import CompanionError
from companion.events import KEYS
from companion.settings.settings import Settings
from companion.settings.wiring import DisplayWiring, PanelWiring
from companion.views import BLANK
from companion.words import Text, text

OVERLAY = "dtoverlay=i2c-mux,pca9548,addr=0x70"
CONFIG = "/boot/firmware/config.txt"
SIMULATED = text("Simulated: there is nothing to look at.")
RUNNING = text("A companion runs and holds them; its page /health tells how they are.")


def _answers(display: DisplayWiring) -> str | None:
    from hardware.glass.oled_wire import answers

    return answers(display.port, display.address)


def _held_down(pin: int) -> str | None:
    from hardware.panel.buttons import held_down

    try:
        return "held down, or joined to ground" if held_down(pin) else None
    except CompanionError as error:
        return str(error).removeprefix(f"pin {pin}: ").rstrip(".")


@dataclass(frozen=True)
class Touch:
    """Gentle ways to try a device. Each answers None where it is well, else what is wrong.

    `lost` is what the running companion knows: then nothing is touched.
    """

    display: Callable[[DisplayWiring], str | None] = _answers
    button: Callable[[int], str | None] = _held_down
    lost: Mapping[str, Text] | None = None
    busy: bool = False  # another process holds the pins

    def ill(self, name: str) -> bool:
        """Has the running companion lost this device? Twins are lost in drills."""
        return name in (self.lost or {})


def i2c(machine: Machine, settings: Settings, _touch: Touch) -> Finding:
    """The buses of the displays exist; those of a splitter have numbers of the kernel's choice."""
    name = text("I²C")
    wanted = sorted({one.port for one in _real_displays(settings) if one.bus == "i2c"})
    if not wanted:
        return Finding("i2c", name, "unseen", text("No real display hangs on I²C."))
    missing = [port for port in wanted if not machine.has(f"dev/i2c-{port}")]
    if not missing:
        return Finding("i2c", name, "right", text("Bus {ports}.", ports=_span(wanted)))
    if not machine.is_pi:
        gone = text("There is no bus {ports}.", ports=_span(missing))
        return Finding("i2c", name, "wrong", gone, text("A Raspberry Pi has these; see Board."))
    if not machine.has("dev/i2c-1"):
        return Finding(
            "i2c", name, "wrong", text("I²C is switched off."),
            text("sudo raspi-config nonint do_i2c 0, then restart the Pi."),
        )  # fmt: skip
    gone = text("There is no bus {ports}.", ports=_span(missing))
    channels = _channels(machine)
    if channels:
        return Finding(
            "i2c", name, "wrong", gone,
            text("The splitter's channels are bus {found} here: set the displays' port to these.",
                 found=_span(channels)),
        )  # fmt: skip
    return Finding(
        "i2c", name, "wrong", gone,
        text("Add {line} to {file} and restart the Pi, or correct the port.",
             line=OVERLAY, file=CONFIG),
    )  # fmt: skip


def _channels(machine: Machine) -> list[int]:
    """The bus numbers that the kernel gave to the channels of a splitter, in order."""
    found = []
    for bus in machine.names("sys/class/i2c-adapter", "i2c-*"):
        said = re.search(
            r"mux \(chan_id (\d+)\)", machine.read(f"sys/class/i2c-adapter/{bus}/name")
        )
        if said:
            found.append((int(said[1]), int(bus.removeprefix("i2c-"))))
    return [bus for _, bus in sorted(found)]


def spi(machine: Machine, settings: Settings, _touch: Touch) -> Finding:
    """The SPI devices of the displays exist."""
    name = text("SPI")
    wanted = [f"spidev{d.port}.{d.device}" for d in _real_displays(settings) if d.bus == "spi"]
    if not wanted:
        return Finding("spi", name, "unseen", text("No real display hangs on SPI."))
    missing = [one for one in wanted if not machine.has(f"dev/{one}")]
    if not missing:
        return Finding("spi", name, "right", text("{devices}.", devices=", ".join(wanted)))
    says = text("There is no {device}.", device=", ".join(missing))
    if missing[0].startswith("spidev1"):
        do = text(
            "Add {line} to {file} and restart the Pi.", line="dtoverlay=spi1-3cs", file=CONFIG
        )
    else:
        do = text("sudo raspi-config nonint do_spi 0, then restart the Pi.")
    return Finding("spi", name, "wrong", says, do)


def groups(machine: Machine, settings: Settings, _touch: Touch) -> Finding:
    """This user may open what the settings name."""
    name = text("Rights")
    wanted = list(_devices(machine, settings))
    if not wanted:
        return Finding("groups", name, "unseen", text("No real device is named."))
    barred = [(path, group) for path, group in wanted if not machine.may_use(path)]
    if not barred:
        says = text("{user} may use every device that is there.", user=machine.user)
        return Finding("groups", name, "right", says)
    lacking = sorted({group for _, group in barred} - machine.groups)
    says = text("{user} may not use {device}.", user=machine.user, device=f"/{barred[0][0]}")
    if lacking:
        do = text("sudo usermod -aG {groups} {user}, then log in again.",
                  groups=",".join(lacking), user=machine.user)  # fmt: skip
    else:
        do = text("sudo systemctl restart companion, if it came after its start; else look at "
                  "ls -l and at udev's rules.")  # fmt: skip
    return Finding("groups", name, "wrong", says, do)


def _devices(machine: Machine, settings: Settings) -> Iterator[tuple[str, str]]:
    """The device files that are there and wanted, each with the group that may open it."""
    if settings.hardware.panels == "real" and settings.panels:
        chips = machine.names("dev", "gpiochip*")
        yield from ((f"dev/{chip}", "gpio") for chip in chips if chip in ("gpiochip0", "gpiochip4"))
    for one in _real_displays(settings):
        path = f"dev/i2c-{one.port}" if one.bus == "i2c" else f"dev/spidev{one.port}.{one.device}"
        if machine.has(path):
            yield path, one.bus
    video = _video(settings.eye.camera)
    if video and machine.has(video):
        yield video, "video"
    yield from ((port, "dialout") for port in _ports(machine, settings.hub.port))


def camera(machine: Machine, settings: Settings, touch: Touch) -> Finding:
    """The camera of the settings is plugged in."""
    name, which = text("Camera"), settings.eye.camera
    if which == "off":
        return Finding("camera", name, "unseen", text("Switched off: dice are entered by hand."))
    if which == "twin" and not touch.ill("eye"):
        return Finding("camera", name, "unseen", SIMULATED)
    if touch.lost is not None:
        return _known("camera", name, "eye", touch.lost, text("It gives pictures."))
    video = _video(which)
    if video:
        if machine.has(video):
            there = machine.read(f"sys/class/video4linux/{video[4:]}/name")
            says = text("{device} is there ({name}).", device=f"/{video}", name=there or "?")
            return Finding("camera", name, "right", says)
        found = [f"/dev/{one}" for one in machine.names("dev", "video[0-9]*")]
        do = text("Plug it in; or set [eye] camera to one that is there: {found}.",
                  found=", ".join(found) or "-")  # fmt: skip
        says = text("There is no camera {which}.", which=which)
        return Finding("camera", name, "wrong", says, do)
    if "/" in which or "." in which:
        if machine.has(which.lstrip("/")):
            return Finding("camera", name, "right", text("{which} is there.", which=which))
        says = text("There is no {which}.", which=which)
        return Finding("camera", name, "wrong", says, text("Correct [eye] camera."))
    return _ribbon(machine, which)


def _ribbon(machine: Machine, which: str) -> Finding:
    """A camera on the ribbon, which libcamera knows."""
    name = text("Camera")
    said = None
    for tool in ("rpicam-hello", "libcamera-hello"):
        said = machine.run([tool, "--list-cameras"])
        if said is not None:
            break
    if said is None:
        says = text("Camera {which} was not looked at: libcamera's tools are missing.", which=which)
        return Finding("camera", name, "unseen", says, text("sudo apt install rpicam-apps"))
    number = which.removeprefix("pi") or "0"
    found = re.search(rf"^\s*{re.escape(number)} : (\S+)", said, re.MULTILINE)
    if found:
        return Finding("camera", name, "right", text("{name} on the ribbon.", name=found[1]))
    return Finding(
        "camera", name, "wrong", text("No camera answers on the ribbon."),
        text("Switch the Pi off, push the ribbon in straight (contacts to the contacts), lock it."),
    )  # fmt: skip


def displays(_machine: Machine, settings: Settings, touch: Touch) -> Finding:
    """Each display answers at its address."""
    name = text("Displays")
    wired = _real_displays(settings)
    if not wired and any(touch.ill(one.name) for one in settings.displays):
        wired = settings.displays
    if not wired:
        simulated = settings.hardware.displays == "twin" and settings.displays
        none = text("No display is named.")
        return Finding("displays", name, "unseen", SIMULATED if simulated else none)
    if touch.lost is not None:
        wrong = [touch.lost[one.name] for one in wired if one.name in touch.lost]
        count = len(wired) - len(wrong)
    else:
        tried = [(one, touch.display(one)) for one in wired if one.bus == "i2c"]
        wrong = [_silent(one, why) for one, why in tried if why is not None]
        count = len(tried) - len(wrong)
    if wrong:
        more = text("{first} {n} of {all} answer.", first=wrong[0], n=count, all=len(wired))
        return Finding(
            "displays", name, "wrong", more,
            text("Check the plug of each; i2cdetect -y BUS shows the address (0x3C or 0x3D)."),
        )  # fmt: skip
    if not count:
        says = text("A display on SPI cannot answer; companion doctor --walk shows it.")
        return Finding("displays", name, "unseen", says)
    says = text("{n} of {all} answer; on SPI none can.", n=count, all=len(wired))
    if count == len(wired):
        says = text("{n} of {all} answer.", n=count, all=len(wired))
    return Finding("displays", name, "right", says)


def _silent(one: DisplayWiring, why: str) -> Text:
    return text(
        "{name} does not answer on bus {port} at {address} ({why}).",
        name=one.name, port=one.port, address=f"0x{one.address:02X}", why=why,
    )  # fmt: skip


def buttons(_machine: Machine, settings: Settings, touch: Touch) -> Finding:
    """Every pin is free, and no button is down while nobody presses."""
    name = text("Buttons")
    ill = any(map(touch.ill, _button_troubles(settings.panels)))
    if not settings.panels or (settings.hardware.panels == "twin" and not ill):
        none = text("No panel is named.")
        return Finding("buttons", name, "unseen", SIMULATED if settings.panels else none)
    if touch.lost is not None:
        wrong = [touch.lost[n] for n in _button_troubles(settings.panels) if n in touch.lost]
        if wrong:
            return Finding("buttons", name, "wrong", wrong[0], _pins_do())
        return Finding("buttons", name, "right", text("{n} panels.", n=len(settings.panels)))
    if touch.busy:
        return Finding("buttons", name, "unseen", RUNNING)
    pins = [(panel.seat + 1, key, getattr(panel, key)) for panel in settings.panels for key in KEYS]
    for seat, key, pin in pins:
        if (why := touch.button(pin)) is not None:
            says = text("Panel {n}, {key} (pin {pin}): {why}.", n=seat, key=key, pin=pin, why=why)
            return Finding("buttons", name, "wrong", says, _pins_do())
    off = settings.shutdown.pin
    if off is not None and (why := touch.button(off)) is not None:
        says = text("The shutdown button (pin {pin}): {why}.", pin=off, why=why)
        return Finding("buttons", name, "wrong", says, _pins_do())
    count = len(pins) + (off is not None)
    says = text("{n} pins are free, and none is held down.", n=count)
    return Finding("buttons", name, "right", says)


def _pins_do() -> Text:
    return text("Check this button's wire against companion wiring; nothing else may use the pin.")


def hub(machine: Machine, settings: Settings, touch: Touch) -> Finding:
    """The hub of the character dice is plugged in."""
    name, setting = text("Dice hub"), settings.hub.port
    if setting == "off" or (setting == "twin" and not touch.ill("dice")):
        off = text("Switched off.")
        return Finding("hub", name, "unseen", SIMULATED if setting == "twin" else off)
    if touch.lost is not None:
        return _known("hub", name, "dice", touch.lost, text("It reports."))
    found = list(_ports(machine, setting))
    if found:
        says = text(
            "Plugged in: {ports}.", ports=", ".join(one.rsplit("/", 1)[-1] for one in found)
        )
        return Finding("hub", name, "right", says)
    return Finding(
        "hub", name, "wrong", text("No hub is plugged in."),
        text('Plug it into USB; without character dice set [hub] port = "off".'),
    )  # fmt: skip


def broker(lost: Mapping[str, Text]) -> Finding:
    """The broker, where the settings name one, hears the running companion."""
    return _known("broker", text("Broker"), "broker", lost, text("It hears the table."))


def _known(key: str, name: Text, device: str, lost: Mapping[str, Text], fine: Text) -> Finding:
    """What the running companion knows of a device; its sentence says what to do, too."""
    if device in lost:
        return Finding(key, name, "wrong", lost[device], text("It is tried again by itself."))
    return Finding(key, name, "right", fine, BLANK)


def _real_displays(settings: Settings) -> tuple[DisplayWiring, ...]:
    return settings.displays if settings.hardware.displays == "real" else ()


def _button_troubles(panels: Iterable[PanelWiring]) -> Iterator[str]:
    """By the names that the table has for them: a lost panel, a button that chatters."""
    for panel in panels:
        yield f"panel {panel.seat + 1}"
        yield from (f"button {panel.seat}/{key}" for key in KEYS)


def _video(which: str) -> str:
    """The device file of a V4L2 camera; empty: it is none."""
    if which.isdigit():
        return f"dev/video{which}"
    return which.lstrip("/") if which.startswith("/dev/") else ""


def _ports(machine: Machine, setting: str) -> Iterator[str]:
    if setting == "auto":
        for one in machine.names("dev/serial/by-id", "usb-Espressif*"):
            yield f"dev/serial/by-id/{one}"
    elif setting not in ("off", "twin") and machine.has(setting.lstrip("/")):
        yield setting.lstrip("/")


def _span(numbers: list[int]) -> str:
    """22 to 27, or 1, 22 where there are gaps."""
    whole = len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1))
    return f"{numbers[0]}-{numbers[-1]}" if whole else ", ".join(map(str, numbers))
