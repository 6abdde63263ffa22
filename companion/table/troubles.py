"""What the table says of a device that is lost and back: by the name that people have for it."""

from __future__ import annotations

from companion.events import Key
from companion.words import Text, text

CLOCK = "clock"  # no device: nothing is lost but the time of day
SAFE = "safe mode"  # nor this: why the table runs with displays and pages only
DIE = "die "
_NAMES = {
    "eye": text("The eye"),
    "dice": text("The dice hub"),
    "web": text("The web server"),
    "tray lamp": text("The lamp over the tray"),
    "shutdown button": text("The shutdown button"),
}
_KEYS: dict[Key, Text] = {
    "previous": text("previous"),
    "next": text("next"),
    "select": text("select"),
    "back": text("back"),
}


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


def chatters(panel: int, key: Key) -> Text:
    """That a button is pressed faster than any finger could."""
    return text("Panel {n}: {key} chatters. Check its wire.", n=panel + 1, key=_KEYS[key])


def quiet(panel: int, key: Key) -> Text:
    """That it is no longer."""
    return text("Panel {n}: {key} is quiet again.", n=panel + 1, key=_KEYS[key])


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
