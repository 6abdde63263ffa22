"""The twins' dice, thrown as the table asks for them; where they are not, a sentence says why."""

from __future__ import annotations

from typing import cast

from companion.daemon.devices import Devices
from companion.events import Body
from companion.eye.child import OPENS
from companion.eye.protocol import Face, Render
from companion.games.api import DiceWanted
from companion.table.table import Table
from companion.words import Text, text

TRIED = ("black", "black", "black", "white", "white")  # thrown before a game, to try the tray
_TAUGHT: tuple[Face, ...] = (("black", 0), ("white", 0), ("white", 0))  # for a calibration


async def throw_twins(table: Table, devices: Devices) -> Text | None:
    """Throw what the table asks for, before a game some dice to try; or why not."""
    if (step := table.camera.under_way) is not None and devices.eye is not None:
        clearing = step.step == "clear"
        return await devices.eye.carry_out(
            Render(clear=True) if clearing else Render(throw=_TAUGHT)
        )
    wanted = table.watched.wanted
    if wanted is None and table.play.in_lobby:
        wanted = DiceWanted(TRIED)
    if wanted is None:
        return text("No roll is asked for now.")
    if table.scene.proposal is not None:  # no dice count before it is answered
        return text("First answer what is proposed.")
    told = table.play.course.roll(table.play.line)
    faces = tuple(die.value for die in told.dice) if told else (0,) * len(wanted.bodies)
    why, hub = await _into_the_tray(devices, wanted, faces), devices.hub
    if hub is None or (why is not None and set(wanted.bodies) != {"blue"}):
        return why  # dice that tell their own faces need no eye
    if not all([hub.throw(die) for die in wanted.characters]):
        return text("The dice hub does not answer.")
    return None


def kept_faces(wanted: DiceWanted) -> tuple[Face, ...]:
    """The dice that stay in the tray, as the game has them."""
    return tuple((cast(Body, die.body), die.value) for die in wanted.kept)


async def _into_the_tray(
    devices: Devices, wanted: DiceWanted, faces: tuple[int, ...]
) -> Text | None:
    """Throw them; a face of 0 falls as it likes."""
    if devices.eye is None:
        return text("No eye looks at this tray: enter dice by hand.")
    if devices.eye.opening:  # what it sees first is no roll
        return OPENS
    bodies = (cast(Body, body) for body in wanted.bodies)
    thrown = tuple(zip(bodies, faces, strict=True))
    return await devices.eye.carry_out(Render(throw=thrown, keep=kept_faces(wanted)))
