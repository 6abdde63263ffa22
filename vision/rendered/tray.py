"""A tray that is not there: it is thrown into by words and seen by the real eye."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.errors import BadState
from companion.events import Body, Point
from companion.words import text
from vision.rendered.ground import Rim, Stuff
from vision.rendered.layout import Die, gap
from vision.rendered.optics import Camera, Image, Light, kelvin
from vision.rendered.render import Finish, Stage
from vision.rendered.scenes import place, some_ground, some_skins
from vision.rendered.throw import Act, Moment, carry, cover, lifted, nudge, rest, shot, take, throw

_SET: tuple[Body, ...] = ("black", "white", "blue", "other")
_PUSH = 1.5  # edges of a die: what is dragged less far is pushed, without a hand
_TURN = 1.4  # seconds that a hand takes to turn or lay dice
_LOOK = 4.0  # seconds that placed dice lie before the next throw, if the eye does not tell them
_AHEAD = 3  # acts that may wait: an order beyond them would seem to do nothing
MOVING, NO_DIE = text("The dice are moving."), text("No such die lies in the tray.")


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
        self.placed = False  # dice were turned or laid in by hand, and were not seen since
        self._lying = Moment()
        self._set_dice(())

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
            self._set_dice(act.after)
            self.placed = act.kind == "placed"
            self._acts.popleft()
        self._begun = None
        return shot(self.stage, self._lying, self.rng)

    def throw(self, dice: Sequence[tuple[Body, int]], keep: Sequence[tuple[Body, int]]) -> None:
        """Take up every die but the kept ones and throw these; value 0 leaves it to chance."""
        kinds = [act.kind for act in self._acts]
        if "thrown" in kinds or len(kinds) >= _AHEAD:
            raise BadState(MOVING)
        kept, gone = self._arranged(self._coming(), keep)
        kept = _sunk(kept)
        skins = [self.skins[body] for body, _ in dice]
        free = place(skins, self.floor, self.rng, around=(*kept, *gone))
        # A die that lands where it lay, with the same face up, is taken for one that was pushed.
        crowded = len(free) < len(skins)
        fresh = place(skins, self.floor, self.rng, around=kept) if crowded else free
        fresh = tuple(
            replace(die, value=value) if value else die
            for die, (_, value) in zip(fresh, dice, strict=False)
        )
        if self.placed or "placed" in kinds:
            self._acts.append(replace(rest(self._coming(), _LOOK), kind="shown"))
        self._acts.append(throw(kept, gone, fresh, self.rng))

    def arrange(self, dice: Sequence[tuple[Body, int]]) -> None:
        """By hand, make these dice lie there as the game has them; other dice stay."""
        lying = self._coming()
        kept, rest_of = self._arranged(lying, dice)
        if any(die not in lying for die in kept):
            act = cover(lying, _TURN, self.rng)
            self._acts.append(replace(act, after=(*kept, *rest_of), kind="placed"))

    def seen(self) -> None:
        """The placed dice were reported: a throw need not wait for that any longer."""
        self.placed = False
        if self._acts and self._acts[0].kind == "shown":
            self._acts.popleft()
            self._begun = None

    def take(self, dice: Sequence[tuple[Body, int]]) -> None:
        """Take these dice out of the tray."""
        lying = self._coming()
        which = set(self._found(lying, dice))
        kept = [die for i, die in enumerate(lying) if i not in which]
        self._do(take(kept, [lying[i] for i in sorted(which)], self.rng))

    def clear(self) -> None:
        """Take every die out of the tray."""
        if lying := self._coming():
            self._do(take([], lying, self.rng))

    def nudge(self, die: tuple[Body, int]) -> None:
        """Push a die a little."""
        lying = self._coming()
        (which,) = self._found(lying, [die])
        self._do(nudge(lying, which, self.rng, by=0.7))

    def drag(self, start: Point, end: Point) -> None:
        """Move the die at a place of the picture (shares of its width and height) to another.

        A short way is a push; a long one is made by a hand; onto another die is a stack.
        """
        lying = self._coming()
        grip, goal = self._under(start), self._under(end)
        far = [_near(die.at, grip) for die in lying]
        if not far or min(far) > 1.0:
            raise BadState(NO_DIE)
        which = far.index(min(far))
        die, rest_of = lying[which], [other for i, other in enumerate(lying) if i != which]
        under = [n for n, o in enumerate(lying) if o is not die and _near(o.at, goal) < 0.75]
        if under:
            self._do(carry(lying, which, lifted(lying, which, under[0])[which], self.rng))
            return
        for share in (1.0, 0.85, 0.7, 0.5, 0.3):  # as far as no other die is in the way
            x, y = (a + share * (b - a) for a, b in zip(die.at, goal, strict=True))
            put = self._kept_in(replace(die, at=(x, y), level=0.0, tilt=0.0))
            if all(gap(put, other) >= 0 for other in rest_of):
                break
        else:
            raise BadState(text("Another die is in the way."))
        if (by := _near(put.at, die.at)) < _PUSH:
            way = float(np.arctan2(put.at[1] - die.at[1], put.at[0] - die.at[0]))
            self._do(nudge(lying, which, self.rng, by=by, turn=0.15, way=way))
        else:
            self._do(carry(lying, which, put, self.rng))

    def stack(self, top: tuple[Body, int], below: tuple[Body, int]) -> None:
        """Put one die onto another."""
        lying = self._coming()
        which, onto = self._found(lying, [top, below])
        after = lifted(lying, which, onto)
        kept = [die for i, die in enumerate(lying) if i != which]
        self._do(replace(take(kept, [lying[which]], self.rng), after=after))

    def cock(self, die: tuple[Body, int]) -> None:
        """Lean a die over, as against the rim."""
        lying = self._coming()
        (which,) = self._found(lying, [die])
        leaning = replace(lying[which], tilt=0.55, lean=float(self.rng.uniform(0, 6.28)))
        after = tuple(leaning if i == which else each for i, each in enumerate(lying))
        self._do(replace(cover(lying, 1.4, self.rng), after=after))

    def cover(self, seconds: float) -> None:
        """Hold a hand over the tray."""
        self._do(cover(self._coming(), max(1.1, seconds), self.rng))

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

    def _do(self, act: Act) -> None:
        """It happens next, after what is under way."""
        if len(self._acts) >= _AHEAD:
            raise BadState(MOVING)
        self._acts.append(act)

    def _arranged(
        self, lying: Sequence[Die], dice: Sequence[tuple[Body, int]]
    ) -> tuple[list[Die], list[Die]]:
        """These dice as a player makes them lie, and the others.

        Dice that show their value stay; others of the same body are turned; missing ones come in.
        """
        rest_of, kept, wrong = list(lying), [], []
        for body, value in dice:
            same = [die for die in rest_of if die.skin.body == body and _shows(die, value)]
            if same:
                rest_of.remove(same[0])
                kept.append(same[0])
            else:
                wrong.append((body, value))
        for body, value in wrong:
            some = [die for die in rest_of if die.skin.body == body]
            die = min(some, key=lambda die: die.value != value, default=None)
            if die is not None:
                rest_of.remove(die)
            else:
                laid = place([self.skins[body]], self.floor, self.rng, [*kept, *rest_of])
                if not laid:
                    raise BadState(text("The tray is full."))
                die = laid[0]
            kept.append(replace(die, value=value or die.value, tilt=0.0))
        return kept, rest_of

    def _coming(self) -> tuple[Die, ...]:
        """The dice that will lie there once everything asked for has happened."""
        return self._acts[-1].after if self._acts else self.dice

    def _set_dice(self, dice: tuple[Die, ...]) -> None:
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
                raise BadState(NO_DIE)
            found.append(fits[0])
        return found


def _shows(die: Die, value: int) -> bool:
    """Whether it lies flat and shows this value; print on a character die is none."""
    return not die.tilt and (value in (0, die.value) or bool(die.skin.signs))


def _sunk(dice: Sequence[Die]) -> list[Die]:
    """The dice, none higher than what is left under it."""
    sunk: list[Die] = []
    for die in sorted(dice, key=lambda die: die.level):
        under = [other.level + other.skin.edge for other in sunk if gap(die, other) < 0]
        sunk.append(replace(die, level=min(die.level, max(under, default=0.0))))
    return sunk


def _near(one: Point, two: Point) -> float:
    return float(np.hypot(one[0] - two[0], one[1] - two[1]))
