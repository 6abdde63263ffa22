"""Fault drills for a table of twins: each breaks one thing as the world would, and mends it."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Callable
from dataclasses import dataclass

from companion.daemon.clock import Clock
from companion.daemon.devices import Devices
from companion.errors import BadState
from companion.eye.protocol import Ailment, Fault

PRESSES = 1000


@dataclass(frozen=True, slots=True)
class Rig:
    """What a drill may break."""

    devices: Devices
    clock: Clock


@dataclass(frozen=True, slots=True)
class Drill:
    """`cause` breaks something, `cure` mends it; `press`: only a press finds out."""

    about: str
    cause: Callable[[Rig], None]
    cure: Callable[[Rig], None]
    press: bool = False


def _camera(kind: Ailment) -> Callable[[Rig], None]:
    def ail(rig: Rig) -> None:
        if rig.devices.eye is None:
            raise BadState('this table has no eye: start it with camera = "twin"')
        rig.devices.eye.order(Fault(kind=kind))

    return ail


def _kill_eye(rig: Rig) -> None:
    if rig.devices.eye is None:
        raise BadState('this table has no eye: start it with camera = "twin"')
    rig.devices.eye.kill()


def _hub(plugged: bool) -> Callable[[Rig], None]:
    def pull(rig: Rig) -> None:
        if rig.devices.hub is None:
            raise BadState('this table has no hub: start it with port = "twin"')
        rig.devices.hub.plug(plugged)

    return pull


def _pull_wire(rig: Rig) -> None:
    """The last display: a seat's, where there are any."""
    list(rig.devices.buses.values())[-1].pulled = True


def _push_wire(rig: Rig) -> None:
    bus = list(rig.devices.buses.values())[-1]
    bus.heal(next(iter(bus.chips)))


def _fill_disk(_rig: Rig) -> None:
    """No file of this process may grow or be written any more: SQLite's writes really fail."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))


def _empty_disk(_rig: Rig) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


def _back_an_hour(rig: Rig) -> None:
    rig.clock.offset -= 3600


def _forward_again(rig: Rig) -> None:
    rig.clock.offset += 3600


def _presses(rig: Rig) -> None:
    finger = rig.devices.finger
    if finger is None:
        raise BadState("this table has real panels")
    panel, work = min(rig.devices.panels), asyncio.get_running_loop()
    work.run_in_executor(None, finger.chatter, panel, "next", 2 * PRESSES)


def _nothing(_rig: Rig) -> None:
    """It mends itself."""


_well = _camera("")
DRILLS: dict[str, Drill] = {
    "camera-stalls": Drill("The camera gives no more frames.", _camera("stalls"), _well),
    "camera-freezes": Drill("The camera repeats one frame.", _camera("freezes"), _well),
    "camera-black": Drill("The camera sees only black.", _camera("black"), _well),
    "camera-unplugged": Drill("The camera's cable is pulled.", _camera("unplugged"), _well),
    "eye-killed": Drill("The eye's program crashes.", _kill_eye, _nothing),
    "hub-unplugged": Drill("The hub's cable is pulled.", _hub(False), _hub(True)),
    "display-wire": Drill("One display's wire is pulled.", _pull_wire, _push_wire),
    "disk-full": Drill("The disk takes no more.", _fill_disk, _empty_disk, press=True),
    "clock-back": Drill("The clock jumps back an hour.", _back_an_hour, _forward_again),
    "presses": Drill("A button is pressed 1,000 times in a second.", _presses, _nothing),
}


def drill(name: str) -> Drill:
    """The drill of this name."""
    if name not in DRILLS:
        raise BadState(f"there is no drill {name}: {', '.join(DRILLS)}")
    return DRILLS[name]


class Drills:
    """Carried out by order of a reader of the window; only where everything is a twin."""

    def __init__(self, rig: Rig | None) -> None:
        self.rig = rig

    def order(self, name: str, mend: bool) -> dict[str, str]:
        """Break something, or mend it; what to tell whoever looks."""
        try:
            if self.rig is None:
                raise BadState("only a table of twins is drilled: companion run --twin")
            chosen = drill(name)
            (chosen.cure if mend else chosen.cause)(self.rig)
        except BadState as error:
            return {"drill": name, "refused": str(error)}
        return {"drill": name, "did": "mended" if mend else "broken"}
