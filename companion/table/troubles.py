"""What does not work just now, each with its sentence; the talk with the camera about itself."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias, assert_never

from companion.events import (
    ButtonStorm,
    ButtonStuck,
    CameraTold,
    DeviceDown,
    DeviceUp,
    Key,
    Unwell,
)
from companion.table.calibration_talk import CameraTalk
from companion.words import Panel, Text, text

log = logging.getLogger(__name__)

Reported: TypeAlias = ButtonStorm | ButtonStuck | DeviceDown | DeviceUp | CameraTold | Unwell

CLOCK = "clock"  # no device: nothing is lost but the time of day
SAFE = "safe mode"  # nor this: why the table runs with displays and pages only
JOURNAL = "journal"  # nor this: it was damaged, until somebody plays on
BROKER = "broker"  # a device, but no player's business: health page and log tell of it
DIE = "die "
_NAMES = {
    "eye": text("The eye"),
    "dice": text("The dice hub"),
    "web": text("The web server"),
    BROKER: text("The broker"),
    "tray lamp": text("The lamp over the tray"),
    "shutdown button": text("The shutdown button"),
}
_KEYS: dict[Key, Text] = {
    "previous": text("previous"),
    "next": text("next"),
    "select": text("select"),
    "back": text("back"),
}


class Troubles:
    """The devices that do not answer. What changes is given back as the sentence to announce."""

    def __init__(self) -> None:
        self.camera = CameraTalk()
        self._lost: dict[str, Text] = {}
        self.messages: tuple[Text, ...] = ()  # from elsewhere, for everybody, until a press

    @property
    def all(self) -> Mapping[str, Text]:
        """Every trouble that stands, each with its sentence."""
        return dict(self._lost)

    @property
    def told(self) -> tuple[Text, ...]:
        """What the table's display says of them, or what somebody elsewhere has to say."""
        return (*(says for name, says in self._lost.items() if name != BROKER), *self.messages)

    def began(self, name: str, says: Text) -> Text:
        """Something stays wrong until it is mended."""
        log.warning("%s", says.show())
        self._lost[name] = says
        return says

    def accepted(self) -> None:
        """Somebody plays on from what was left of a damaged journal: it has been read."""
        self._lost.pop(JOURNAL, None)

    def ended(self, name: str, says: Text) -> Iterator[Text]:
        """It works again: news only if something was wrong with it."""
        if self._lost.pop(name, None) is not None:
            log.info("%s", says.show())
            yield says

    def reported(self, event: Reported, displays: Collection[str]) -> Iterator[Text]:
        """A device says how it is: what is news to everybody."""
        match event:
            case ButtonStorm(panel, key, over=False):
                yield self.began(f"button {panel}/{key}", chatters(panel, key))
            case ButtonStorm(panel, key):
                yield from self.ended(f"button {panel}/{key}", quiet(panel, key))
            case ButtonStuck(panel, key, over=False):
                yield self.began(f"button {panel}/{key}", stuck(panel, key))
            case ButtonStuck(panel, key):
                yield from self.ended(f"button {panel}/{key}", let_go(panel, key))
            case DeviceDown(name, why) if name == BROKER:
                self.began(name, lost(name, why))
            case DeviceUp(name) if name == BROKER:
                list(self.ended(name, back(name)))
            case DeviceDown(name, why):
                if (
                    name == "eye" and self.camera.under_way is not None
                ):  # the calibration ends with it
                    yield from self._camera_said(CameraTold("failed", why="lost"))
                yield self.began(name, lost(name, why, name in displays))
            case DeviceUp(name):
                yield from self.ended(name, back(name, name in displays))
            case CameraTold():
                yield from self._camera_said(event)
            case Unwell(says):
                log.warning("%s", says.show())
                yield says
            case _:
                assert_never(event)

    def _camera_said(self, told: CameraTold) -> Iterator[Text]:
        """The eye speaks about its calibration, which may become a trouble, or stop being one."""
        says, stands = self.camera.hear(told)
        if told.step in ("fits", "done"):
            self._lost.pop("camera", None)
        if says is not None:
            yield self.began("camera", says) if stands else says


def lost(name: str, why: str | Text, display: bool = False) -> Text:
    """That this device is lost, and why."""
    if isinstance(why, str):
        why = text("{why}", why=why.removeprefix(f"{name}: "))
    if name == CLOCK or name.startswith(DIE):
        return why  # a whole sentence by itself
    return text("{device} is lost: {why}", device=_called(name, display), why=why)


def back(name: str, display: bool = False) -> Text:
    """That this device works again."""
    if name == CLOCK:
        return text("The clock is right again.")
    return text("{device} is back.", device=_called(name, display))


def chatters(panel: Panel, key: Key) -> Text:
    """That a button is pressed faster than any finger could."""
    return text("Panel {n}: {key} chatters. Check its wire.", n=panel + 1, key=_KEYS[key])


def quiet(panel: Panel, key: Key) -> Text:
    """That it is no longer."""
    return text("Panel {n}: {key} is quiet again.", n=panel + 1, key=_KEYS[key])


def stuck(panel: Panel, key: Key) -> Text:
    """That a button stays down."""
    return text("Panel {n}: {key} is held down. Check its wire.", n=panel + 1, key=_KEYS[key])


def let_go(panel: Panel, key: Key) -> Text:
    """That it does so no longer."""
    return text("Panel {n}: {key} is up again.", n=panel + 1, key=_KEYS[key])


def _called(name: str, display: bool) -> Text:
    """Devices of which there is one have a name; of the others the owner's name or number stays."""
    if display:
        return text("The display {name}", name=name)
    if name in _NAMES:
        return _NAMES[name]
    kind, _, which = name.partition(" ")
    if kind == "panel":
        return text("Panel {n}", n=which)
    if kind == "lamp":
        return text("The lamp of panel {n}", n=which)
    if kind == "hub":
        return text("The dice hub {name}", name=which)
    if kind == "die":
        return text("{name}'s die", name=which.capitalize())
    return text("{name}", name=name)
