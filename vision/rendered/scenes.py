"""Rendered trays of every kind, from a seed: which dice, where, under what light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from companion.events import Body
from vision.rendered.dieface import Skin, skin
from vision.rendered.ground import RIMS, STUFFS, Floor, Ground, Rim, Stuff, ground
from vision.rendered.layout import Die, gap
from vision.rendered.optics import Camera, Light, kelvin
from vision.rendered.render import Finish, Scene

_TRIES = 400
Support: TypeAlias = Literal["nothing", "rim", "die"]


def some_camera(rng: np.random.Generator, size: tuple[int, int] = (640, 480)) -> Camera:
    """A camera over the tray, a little oblique."""
    return Camera(
        size=size,
        die=float(rng.uniform(0.072, 0.1) * size[0]),
        tilt=float(rng.uniform(0, 0.3)),
        towards=float(rng.uniform(0, 2 * np.pi)),
        roll=float(rng.normal(0, 0.05)),
        height=float(rng.uniform(20, 40)),
    )


def some_light(rng: np.random.Generator) -> Light:
    """A lamp somewhere above, warm or cold, and more or less of the room."""
    turn, far = rng.uniform(0, 2 * np.pi), rng.uniform(2, 22)
    room = float(rng.uniform(0.15, 0.55))
    tint = np.asarray(kelvin(float(rng.uniform(3500, 6800)))) * room
    return Light(
        lamp=(float(far * np.cos(turn)), float(far * np.sin(turn)), float(rng.uniform(18, 40))),
        colour=kelvin(float(rng.uniform(2900, 6800))),
        strength=float(rng.uniform(0.75, 1.05) - room),
        radius=float(rng.uniform(0.5, 4)),
        room=(float(tint[0]), float(tint[1]), float(tint[2])),
        window=float(rng.uniform(0, 1.2)),
        window_at=(float(rng.normal(0, 0.7)), float(rng.normal(0, 0.7))),
    )


def some_finish(rng: np.random.Generator, size: tuple[int, int] = (640, 480)) -> Finish:
    """A lens, a sensor and a file as cheap cameras have them."""
    return Finish(
        exposure=float(rng.uniform(0.7, 1.5)),
        blur=float(rng.uniform(0.35, 1.0)) * size[0] / 640,
        vignette=float(rng.uniform(0, 0.45)),
        noise=float(rng.uniform(0.5, 4)),
        jpeg=int(rng.integers(70, 97)),
    )


def some_ground(
    camera: Camera,
    rng: np.random.Generator,
    stuff: Stuff | None = None,
    rim: Rim | None = None,
) -> Ground:
    """Ground of this or any kind."""
    stuff = stuff or STUFFS[int(rng.integers(len(STUFFS)))]
    rim = rim or RIMS[int(rng.integers(len(RIMS)))]
    return ground(camera, stuff, rim, rng)


def some_skins(bodies: Sequence[Body], rng: np.random.Generator) -> list[Skin]:
    """A skin for each die; those of one body come from one set."""
    sets: dict[Body, Skin] = {}
    for body in bodies:
        if body not in sets:
            sets[body] = replace(skin(body, rng), edge=float(rng.uniform(0.92, 1.06)))
    return [sets[body] for body in bodies]


def place(
    skins: Sequence[Skin],
    floor: Floor,
    rng: np.random.Generator,
    around: Sequence[Die] = (),
    touching: float = 0.0,
    apart: float = 0.25,
) -> tuple[Die, ...]:
    """Dice thrown at random onto the floor; a share of them lies against another die."""
    laid: list[Die] = list(around)
    fresh: list[Die] = []
    for each in skins:
        for attempt in range(_TRIES):
            die = Die(
                value=int(rng.integers(1, 7)),
                skin=each,
                at=_somewhere(floor, rng),
                turn=float(rng.uniform(0, 2 * np.pi)),
            )
            close = bool(laid) and attempt < _TRIES // 2 and rng.random() < touching
            if close:
                die = _against(die, laid[int(rng.integers(len(laid)))], rng)
            least = 0.0 if close else max(0.02, apart * (1 - attempt / _TRIES))
            if _inside(die, floor) and all(gap(die, other) >= least for other in laid):
                laid.append(die)
                fresh.append(die)
                break
    return tuple(fresh)


def some_scene(
    rng: np.random.Generator,
    bodies: Sequence[Body],
    size: tuple[int, int] = (640, 480),
    touching: float = 0.0,
    stuff: Stuff | None = None,
    rim: Rim | None = None,
) -> Scene:
    """A tray with these dice under some light. Fewer dice only where the floor is full."""
    camera = some_camera(rng, size)
    under = some_ground(camera, rng, stuff, rim)
    dice = place(some_skins(bodies, rng), under.floor, rng, touching=touching)
    return Scene(dice, camera, some_light(rng), under, some_finish(rng, size))


def cocked(
    scene: Scene,
    rng: np.random.Generator,
    against: Support = "nothing",
    tilts: tuple[float, float] = (0.25, 0.7),
) -> Scene:
    """The same tray, its last die leaning over: by itself, against the rim or another die."""
    *others, last = scene.dice
    tilt, lean = float(rng.uniform(*tilts)), float(rng.uniform(0, 2 * np.pi))
    die = replace(last, tilt=tilt, lean=lean)
    way = np.array([np.cos(lean), np.sin(lean)])
    if against == "rim":
        floor = scene.ground.floor
        x, y = way * (floor.reach[0] if floor.round else floor.reach)
        die = replace(die, at=(float(x), float(y)), turn=lean)
    elif against == "die" and others:
        other = others[0] = replace(others[0], turn=lean)
        x, y = (
            other.at - way * (other.skin.edge + last.skin.edge * (np.cos(tilt) + np.sin(tilt))) / 2
        )
        die = replace(die, at=(float(x), float(y)), turn=lean)
    return replace(scene, dice=(*(o for o in others if o is others[0] or gap(o, die) > 0.1), die))


def _somewhere(floor: Floor, rng: np.random.Generator) -> tuple[float, float]:
    x, y = rng.uniform(-1, 1, 2) * floor.reach
    return float(x), float(y)


def _inside(die: Die, floor: Floor) -> bool:
    x, y = die.at
    if floor.round:
        return float(np.hypot(x, y)) <= floor.reach[0]
    return abs(x) <= floor.reach[0] and abs(y) <= floor.reach[1]


def _against(die: Die, other: Die, rng: np.random.Generator) -> Die:
    """The die, pushed against one side of another."""
    side = other.turn + int(rng.integers(4)) * np.pi / 2
    turn = side + float(rng.normal(0, 0.12)) + int(rng.integers(4)) * np.pi / 2
    reach = abs(np.cos(turn - side)) + abs(np.sin(turn - side))
    far = other.skin.edge / 2 + die.skin.edge / 2 * reach + float(rng.uniform(0, 0.02))
    along = float(rng.uniform(-0.6, 0.6))
    x = other.at[0] + np.cos(side) * far - np.sin(side) * along
    y = other.at[1] + np.sin(side) * far + np.cos(side) * along
    return replace(die, at=(float(x), float(y)), turn=turn)
