"""A tray that is drawn, with known truth: for the twin, for tests, for what photographs lack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.events import SeenDie
from vision.rendered.ground import Ground
from vision.rendered.layout import Die, truth
from vision.rendered.optics import Camera, Floats, Image, Light, floats
from vision.rendered.trace import Patch, Pose, draw_die

_LAMPS = 7  # points of the lamp that throw shadows
_REMEMBERED = 20  # drawn dice
_BAND = 32  # rows


@dataclass(frozen=True, slots=True)
class Finish:
    """What lens, sensor and file do to a picture."""

    exposure: float = 1.0
    blur: float = 0.5  # sigma in pixels
    vignette: float = 0.2  # how much darker the corners are
    noise: float = 1.5  # deviation of a mid-grey pixel in 0..255
    jpeg: int = 90  # quality, 0: not compressed


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything that a picture shows."""

    dice: tuple[Die, ...]
    camera: Camera
    light: Light
    ground: Ground
    finish: Finish = field(default_factory=Finish)


@dataclass(frozen=True, eq=False)
class Picture:
    """A drawn picture and what is in it."""

    image: Image
    dice: tuple[SeenDie, ...]


def render(scene: Scene, rng: np.random.Generator) -> Picture:
    """The picture of a resting tray."""
    stage = Stage(scene.camera, scene.light, scene.ground, scene.finish)
    return Picture(
        stage.frame([die.pose() for die in scene.dice], rng), truth(scene.dice, scene.camera)
    )


class Stage:
    """An empty tray, lit once, on which frame after frame is drawn."""

    def __init__(self, camera: Camera, light: Light, ground: Ground, finish: Finish) -> None:
        self.camera, self.light, self.finish = camera, light, finish
        width, height = camera.size
        ys, xs = np.indices((height, width), np.float32)
        place = camera.ground(xs.ravel(), ys.ravel())
        lamp = np.asarray(light.lamp, np.float32)
        away = (lamp[0] - place[0]) ** 2 + (lamp[1] - place[1]) ** 2 + lamp[2] ** 2
        falling = light.falling(away, lamp[2] / np.sqrt(away)).reshape(height, width, 1)
        lens = np.hypot((xs / width - 0.5) * 2, (ys / height - 0.5) * 2 * height / width)
        self._lens = ((1 - finish.vignette * lens**2 * 0.7) * finish.exposure)[..., None]
        self._lens = self._lens.astype(np.float32)
        colour, room = floats(light.colour), floats(light.room)
        self._lit, self._dim = ground.colour * falling, ground.colour * room
        self._lit *= colour
        self._lit *= self._lens
        self._dim *= self._lens
        self.floor = floats(ground.mean * (light.strength * colour + room))
        self._tone = _tone()
        self._grain: Floats | None = None
        self._drawn: dict[tuple[Pose, ...], Patch | None] = {}  # dice that still lie there
        self._resting: tuple[tuple[Pose, ...], Floats | None] = ((), None)  # and all of them

    def frame(
        self,
        poses: Sequence[Pose],
        rng: np.random.Generator,
        streaks: Sequence[Sequence[Pose]] = (),
        over: Patch | None = None,
    ) -> Image:
        """One frame: resting `poses`, dice in flight as the poses of one exposure, a hand over."""
        if streaks or over is not None:
            self._resting = ((), None)
            return self.develop(self.linear(poses, streaks, over), rng)
        lying, light = self._resting
        if light is None or lying != tuple(poses):  # as long as nothing moves it is lit once
            light = self._focused(self.linear(poses))
            self._resting = (tuple(poses), light)
        return self._exposed(light, rng)

    def linear(
        self,
        poses: Sequence[Pose],
        streaks: Sequence[Sequence[Pose]] = (),
        over: Patch | None = None,
    ) -> Floats:
        """The light that reaches the sensor, before blur and noise."""
        everyone = [*poses, *(streak[len(streak) // 2] for streak in streaks)]
        free, contact = self._shadows(everyone, over)
        light = floats(self._lit * free)
        for rows in _bands(len(light)):
            light[rows] += self._dim[rows] * contact[rows]
        drawn = [(p, [p]) for p in poses] + [(s[len(s) // 2], list(s)) for s in streaks]
        drawn.sort(key=lambda each: float(np.sum((each[0].centre - self.camera.eye) ** 2)))
        for pose, exposures in reversed(drawn):
            near = [] if len(exposures) > 1 else _neighbours(pose, everyone, self.light)
            coarse = 1 if len(exposures) == 1 else 2
            for part in exposures:
                patch = self._patch(part, near, coarse)
                if patch is None:
                    continue
                if len(exposures) > 1:
                    patch = _smeared(patch, exposures, self.camera)
                self._paste(light, patch, 1 / len(exposures), exposures)
        if over is not None:
            self._paste(light, over, 1.0, ())
        return light

    def _patch(self, pose: Pose, near: Sequence[Pose], coarse: int) -> Patch | None:
        """The drawn die; one that lies still among the same neighbours is drawn once."""
        key = (pose, *near)
        if coarse == 1 and key in self._drawn:
            return self._drawn[key]
        patch = draw_die(pose, self.camera, self.light, near, self.floor, coarse)
        if coarse == 1:
            if len(self._drawn) > _REMEMBERED:
                self._drawn.clear()
            self._drawn[key] = patch
        return patch

    def _paste(self, light: Floats, patch: Patch, share: float, exposures: Sequence[Pose]) -> None:
        """Put a patch over the picture; sub-exposures of one die share its cover."""
        height, width = patch.cover.shape
        rows = slice(patch.top, patch.top + height)
        columns = slice(patch.left, patch.left + width)
        under = light[rows, columns]
        cover = patch.cover[..., None]
        if len(exposures) > 1:
            cover = cover * np.float32(share)
            under *= 1 - cover
            under += patch.light * np.float32(share) * self._lens[rows, columns]
            return
        under *= 1 - cover
        under += patch.light * self._lens[rows, columns]

    def _shadows(self, poses: Sequence[Pose], over: Patch | None) -> tuple[Floats, Floats]:
        """Share of the lamp and of the room that reaches the ground, each (h, w, 1)."""
        width, height = self.camera.size
        size = (width // 2, height // 2)
        dark = np.zeros((size[1], size[0]), np.uint16)
        mask = np.zeros((size[1], size[0]), np.uint8)
        for lamp in self.light.samples(_LAMPS):
            mask[:] = 0
            for pose in poses:
                corners = pose.corners(0.93)
                height_over = np.maximum(lamp[2] - corners[:, 2:], 0.5)
                landed = lamp + (corners - lamp) * (lamp[2] / height_over)
                _fill(mask, self.camera.project(landed), 0.5)
            dark += mask
        free = 1 - dark.astype(np.float32) / (255 * _LAMPS)
        mask[:] = 0
        for pose in poses:
            low = float(pose.centre[2]) - pose.lowest()
            if low < 0.3:
                base = pose.corners(1.02)
                base[:, 2] = 0
                _fill(mask, self.camera.project(base), 0.5, int(230 * (1 - low / 0.3)))
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.8, self.camera.die * 0.09))
        contact = 1 - soft.astype(np.float32) / 255 * 0.75
        if over is not None:
            cast = np.zeros((height, width), np.float32)
            rows, columns = over.cover.shape
            cast[over.top : over.top + rows, over.left : over.left + columns] = over.cover
            shift = self.camera.die * 0.5
            lamp_x, lamp_y = self.light.lamp[0], self.light.lamp[1]
            far = max(1.0, float(np.hypot(lamp_x, lamp_y)))
            move = np.array(
                [[1, 0, -lamp_x / far * shift], [0, 1, lamp_y / far * shift]], np.float32
            )
            cast = floats(cv2.warpAffine(cast, move, (width, height)))
            cast = floats(cv2.resize(cast, size, interpolation=cv2.INTER_AREA))
            cast = floats(cv2.GaussianBlur(cast, (0, 0), self.camera.die * 0.12))
            free = free * (1 - 0.8 * cast)
        return _enlarged(floats(free), (width, height)), _enlarged(floats(contact), (width, height))

    def develop(self, light: Floats, rng: np.random.Generator) -> Image:
        """What lens, sensor and file make of the light."""
        return self._exposed(self._focused(light), rng)

    def _focused(self, light: Floats) -> Floats:
        if self.finish.blur <= 0.15:
            return light
        return np.asarray(cv2.GaussianBlur(light, (0, 0), self.finish.blur))

    def _exposed(self, light: Floats, rng: np.random.Generator) -> Image:
        finish = self.finish
        if finish.noise > 0 and self._grain is None:
            self._grain = _grain(self.camera.size, rng)
        grain = None if self._grain is None else self._piece(self._grain, rng)
        image = np.empty(light.shape, np.uint8)
        for rows in _bands(len(image)):
            level = light[rows] * np.float32(len(self._tone) / 1.6)
            shown = self._tone[np.clip(level, 0, len(self._tone) - 1, out=level).astype(np.uint16)]
            if grain is not None:
                shown += np.multiply(grain[rows], np.float32(finish.noise), out=level)
            shown += np.float32(0.5)
            image[rows] = np.clip(shown, 0, 255, out=shown)
        if finish.jpeg:
            _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, finish.jpeg])
            image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        return image

    def _piece(self, grain: Floats, rng: np.random.Generator) -> Floats:
        """Noise for one picture, cut somewhere from all there is."""
        width, height = self.camera.size
        top, left = rng.integers(0, 64, 2)
        piece = grain[top : top + height, left : left + width]
        return piece[:, ::-1] if rng.random() < 0.5 else piece


def _bands(height: int) -> Iterator[slice]:
    """Rows that are drawn at a time: whole pictures of floats would take many times the memory."""
    return (slice(top, top + _BAND) for top in range(0, height, _BAND))


def _tone() -> Floats:
    """Light 0..1.6 to 0..255: gamma, with a soft shoulder where film would clip."""
    light = np.linspace(0, 1.6, 4096)
    soft = np.where(light < 0.75, light, 0.75 + 0.25 * (1 - np.exp(-(light - 0.75) / 0.25)))
    shown: Floats = (255 * np.maximum(soft, 0) ** (1 / 2.2)).astype(np.float32)
    return shown


def _grain(size: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Sensor noise to cut pieces from: mostly grey, a little coloured, not quite white."""
    width, height = size[0] + 64, size[1] + 64
    grey = rng.standard_normal((height, width, 1), np.float32)
    colour = rng.standard_normal((height, width, 3), np.float32)
    colour *= np.float32(0.6)
    colour += grey
    soft = np.asarray(cv2.GaussianBlur(colour, (0, 0), 0.55), np.float32)
    soft /= soft.std()
    return soft


def _enlarged(flat: Floats, size: tuple[int, int]) -> Floats:
    grown = cv2.resize(flat, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(grown, np.float32)[..., None]


def _fill(mask: np.ndarray, points: Floats, scale: float, value: int = 255) -> None:
    hull = cv2.convexHull(((points + 0.5) * scale - 0.5).astype(np.float32))
    cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), value, cv2.LINE_AA, 4)


def _neighbours(pose: Pose, everyone: Sequence[Pose], light: Light) -> list[Pose]:
    """Dice near enough, on the lamp's side, to shade this one."""
    lamp = np.asarray(light.lamp, np.float32) - pose.centre
    lamp = lamp / np.linalg.norm(lamp)
    found = []
    for other in everyone:
        gap = other.centre - pose.centre
        if other is not pose and float(gap @ gap) < 9 and float(gap @ lamp) > -0.2:
            found.append(other)
    return found


def _smeared(patch: Patch, exposures: Sequence[Pose], camera: Camera) -> Patch:
    """The patch drawn along by the die's own speed between two sub-exposures."""
    ends = camera.project(np.stack([exposures[0].centre, exposures[-1].centre]))
    way = (ends[1] - ends[0]) / len(exposures)
    length = int(np.ceil(np.hypot(*way)))
    if length < 2:
        return patch
    pad = length // 2 + 1
    width, height = camera.size
    left, top = min(pad, patch.left), min(pad, patch.top)
    right = max(0, min(pad, width - patch.left - patch.cover.shape[1]))
    bottom = max(0, min(pad, height - patch.top - patch.cover.shape[0]))
    kernel = np.zeros((2 * pad + 1, 2 * pad + 1), np.float32)
    tip = way / 2
    start = (round(pad - float(tip[0])), round(pad - float(tip[1])))
    stop = (round(pad + float(tip[0])), round(pad + float(tip[1])))
    cv2.line(kernel, start, stop, 1.0, 1)
    kernel /= kernel.sum()
    box = cv2.BORDER_CONSTANT
    light = cv2.copyMakeBorder(patch.light, top, bottom, left, right, box, value=(0, 0, 0))
    cover = cv2.copyMakeBorder(patch.cover, top, bottom, left, right, box, value=0)
    light = cv2.filter2D(light, -1, kernel, borderType=box)
    cover = cv2.filter2D(cover, -1, kernel, borderType=box)
    return Patch(patch.left - left, patch.top - top, np.asarray(light), np.asarray(cover))
