"""A tray that is not there: it is thrown into by words and seen by the real eye."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.events import Body, Point
from vision.rendered.ground import Rim, Stuff
from vision.rendered.layout import Die, gap
from vision.rendered.optics import Camera, Image, Light, kelvin
from vision.rendered.render import Finish, Stage
from vision.rendered.scenes import place, some_ground, some_skins
from vision.rendered.throw import Act, Moment, carry, cover, lifted, nudge, rest, shot, take, throw

_SET: tuple[Body, ...] = ("black", "white", "blue", "other")
_PUSH = 1.5  # edges of a die: what is dragged less far is pushed, without a hand


class Tray:
    """Dice that lie, fly and are taken up; `frame` shows them as a camera would."""

    def __init__(
        self,
        rng: np.random.Generator,
        size: tuple[int, int] = (640, 480),
        stuff: Stuff = "felt",
        rim: Rim = "round",
        look: int = 11,  # which felt, rim and dice: the same each time, only the throws differ
    ) -> None:
        self.rng = rng
        self._made: tuple[int, Stuff, Rim] = (look, stuff, rim)
        self._size = size
        self.set_up()
        self.dice: tuple[Die, ...] = ()
        self._acts: deque[Act] = deque()
        self._begun: float | None = None
        self._lying = Moment()
        self._lay(())

    def set_up(self, light: float = 1.0) -> None:
        """The camera over the tray and its lamp, at this share of its brightness."""
        look, stuff, rim = self._made
        made, size = np.random.default_rng(look), self._size
        self.camera = Camera(size, die=0.075 * size[0], tilt=0.1, height=30)
        ground = some_ground(self.camera, made, stuff, rim)
        self.floor = ground.floor
        lamp = Light(
            lamp=(8, 9, 26), colour=kelvin(4800), strength=0.65 * light,
            room=(0.33 * light, 0.32 * light, 0.3 * light),
        )  # fmt: skip
        finish = Finish(exposure=1.25, blur=0.6 * size[0] / 640, noise=1.6, jpeg=0)
        self.stage = Stage(self.camera, lamp, ground, finish)
        self.skins = dict(zip(_SET, some_skins(_SET, made), strict=True))

    @property
    def busy(self) -> bool:
        """Whether something still happens."""
        return bool(self._acts)

    def frame(self, now: float) -> Image:
        """What a camera sees at this time."""
        while self._acts:
            act = self._acts[0]
            self._begun = now if self._begun is None else self._begun
            if now - self._begun < act.seconds:
                return shot(self.stage, act.course(now - self._begun), self.rng)
            self._begun += act.seconds
            self._lay(act.after)
            self._acts.popleft()
        self._begun = None
        return shot(self.stage, self._lying, self.rng)

    def throw(self, dice: Sequence[tuple[Body, int]], keep: Sequence[tuple[Body, int]]) -> None:
        """Take up every die but the kept ones and throw these; value 0 leaves it to chance."""
        lying = self._coming()
        kept = [lying[i] for i in self._found(lying, keep)]
        gone = [die for die in lying if die not in kept]
        skins = [self.skins[body] for body, _ in dice]
        fresh = place(skins, self.floor, self.rng, around=kept)
        fresh = tuple(
            replace(die, value=value) if value else die
            for die, (_, value) in zip(fresh, dice, strict=False)
        )
        self._acts.append(throw(kept, gone, fresh, self.rng))

    def take(self, dice: Sequence[tuple[Body, int]]) -> None:
        """Take these dice out of the tray."""
        lying = self._coming()
        which = set(self._found(lying, dice))
        kept = [die for i, die in enumerate(lying) if i not in which]
        self._acts.append(take(kept, [lying[i] for i in sorted(which)], self.rng))

    def clear(self) -> None:
        """Take every die out of the tray."""
        if lying := self._coming():
            self._acts.append(take([], lying, self.rng))

    def nudge(self, die: tuple[Body, int]) -> None:
        """Push a die a little."""
        lying = self._coming()
        (which,) = self._found(lying, [die])
        self._acts.append(nudge(lying, which, self.rng, by=0.7))

    def drag(self, start: Point, end: Point) -> None:
        """Move the die at a place of the picture (shares of its width and height) to another.

        A short way is a push; a long one is made by a hand; onto another die is a stack.
        """
        lying = self._coming()
        grip, goal = self._under(start), self._under(end)
        far = [_near(die.at, grip) for die in lying]
        if not far or min(far) > 1.0:
            raise ValueError("no die lies there")
        which = far.index(min(far))
        die, rest_of = lying[which], [other for i, other in enumerate(lying) if i != which]
        under = [n for n, o in enumerate(lying) if o is not die and _near(o.at, goal) < 0.75]
        if under:
            self._acts.append(carry(lying, which, lifted(lying, which, under[0])[which], self.rng))
            return
        for share in (1.0, 0.85, 0.7, 0.5, 0.3):  # as far as no other die is in the way
            x, y = (a + share * (b - a) for a, b in zip(die.at, goal, strict=True))
            put = self._kept_in(replace(die, at=(x, y), level=0.0, tilt=0.0))
            if all(gap(put, other) >= 0 for other in rest_of):
                break
        else:
            raise ValueError("another die is in the way")
        if (by := _near(put.at, die.at)) < _PUSH:
            way = float(np.arctan2(put.at[1] - die.at[1], put.at[0] - die.at[0]))
            self._acts.append(nudge(lying, which, self.rng, by=by, turn=0.15, way=way))
        else:
            self._acts.append(carry(lying, which, put, self.rng))

    def stack(self, top: tuple[Body, int], below: tuple[Body, int]) -> None:
        """Put one die onto another."""
        lying = self._coming()
        which, onto = self._found(lying, [top, below])
        after = lifted(lying, which, onto)
        kept = [die for i, die in enumerate(lying) if i != which]
        self._acts.append(replace(take(kept, [lying[which]], self.rng), after=after))

    def cock(self, die: tuple[Body, int]) -> None:
        """Lean a die over, as against the rim."""
        lying = self._coming()
        (which,) = self._found(lying, [die])
        leaning = replace(lying[which], tilt=0.55, lean=float(self.rng.uniform(0, 6.28)))
        after = tuple(leaning if i == which else each for i, each in enumerate(lying))
        self._acts.append(replace(cover(lying, 1.4, self.rng), after=after))

    def cover(self, seconds: float) -> None:
        """Hold a hand over the tray."""
        self._acts.append(cover(self._coming(), max(1.1, seconds), self.rng))

    def _under(self, spot: Point) -> Point:
        """The place on the floor that the picture shows at these shares of its sides."""
        x, y = (np.asarray([share * (side - 1)], np.float32)
                for share, side in zip(spot, self.camera.size, strict=True))  # fmt: skip
        place = self.camera.ground(x, y)
        return float(place[0, 0]), float(place[1, 0])

    def _kept_in(self, die: Die) -> Die:
        """The die, no farther out than the floor reaches."""
        (x, y), (wide, high) = die.at, self.floor.reach
        if self.floor.round:
            share = min(1.0, wide / max(1e-6, float(np.hypot(x, y))))
            return replace(die, at=(x * share, y * share))
        return replace(die, at=(max(-wide, min(wide, x)), max(-high, min(high, y))))

    def _coming(self) -> tuple[Die, ...]:
        """The dice that will lie there once everything asked for has happened."""
        return self._acts[-1].after if self._acts else self.dice

    def _lay(self, dice: tuple[Die, ...]) -> None:
        self.dice = dice
        self._lying = rest(dice, 0).course(0)  # the same poses each frame: drawn once

    def _found(self, lying: Sequence[Die], dice: Sequence[tuple[Body, int]]) -> list[int]:
        """Which of the lying dice are meant; value 0 means any of that body."""
        found: list[int] = []
        for body, value in dice:
            fits = [
                i
                for i, die in enumerate(lying)
                if i not in found and die.skin.body == body and value in (0, die.value)
            ]
            if not fits:
                raise ValueError(f"no {body} die shows {value or 'anything'}")
            found.append(fits[0])
        return found


def _near(one: Point, two: Point) -> float:
    return float(np.hypot(one[0] - two[0], one[1] - two[1]))
