"""When is a roll a roll: the tray was disturbed, no hand is in it, and the dice lie still."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import cv2
import numpy as np

from companion.events import Body, DiceNudged, DiceSettled, SeenDie, TrayDisturbed
from vision.picture import Image
from vision.read.reader import Box, Hint, Reading
from vision.watch.agree import agree, alike
from vision.watch.background import (
    Noise,
    boxes,
    change,
    hand_in,
    patched,
    relit,
    shrunk,
    slack,
    within,
)
from vision.watch.follow import Followed, follow
from vision.watch.sight import Sight

Read: TypeAlias = Callable[[Image, Hint], Reading]
TrayEvent: TypeAlias = DiceSettled | DiceNudged | TrayDisturbed
State: TypeAlias = Literal["opening", "rest", "motion", "hand", "reading", "waiting"]

_QUICK = 2  # readings that look only at what differs from the empty tray; then all of it is seen
_CLOSER = 0.87  # every second reading takes the dice for so much smaller, and so looks closer


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the eye waits, in seconds, and how often it looks."""

    apart: float = 0.05  # frames nearer in time are not compared: slow motion would hide
    most: int = 5  # readings; a doubtful one is reported as doubtful after that
    fewer: float = 1.2  # dice that were there and are not may still be in a hand
    missing: float = 4.0  # dice that were asked for may still come
    still: float = 3.0  # what lies over the edge for so long is no hand
    renew: float = 1.0  # between two renewals of the resting picture


class Settle:
    """Frames with times go in, what happened to the dice comes out."""

    def __init__(self, read: Read, hint: Hint | None = None, pace: Pace | None = None) -> None:
        self.read, self.hint, self.pace = read, hint or Hint(), pace or Pace()
        self.roll = 0
        self.asked: bool | None = None  # None: nobody says whether a roll is asked for
        self.wanted: int | None = None  # how many dice the tray holds after it
        self.bodies: Counter[Body] = Counter()  # and of which bodies, where that is known
        self._track = 1
        self._noise = Noise()
        self._forget()

    def _forget(self) -> None:
        self.state: State = "opening"
        self.dice: tuple[SeenDie, ...] = ()
        self._accepted = False
        self._size: tuple[int, ...] = ()
        self._rest: Image | None = None  # small picture of the last rest
        self._slack: Image | None = None
        self._renewed = 0.0
        self._before: tuple[Image, float] | None = None  # the last small picture, its time
        self._calm: float | None = None  # since when nothing moves
        self._readings: list[Reading] = []

    def expect(
        self, asked: bool | None, wanted: int | None = None, bodies: Sequence[Body] = ()
    ) -> None:
        """Whether a roll is asked for, how many dice the tray holds after it, of which bodies."""
        self.asked, self.wanted, self.bodies = asked, wanted, Counter(bodies)

    def refit(self, hint: Hint) -> None:
        """Another view of the same tray: look afresh, but go on counting rolls."""
        self.hint = hint
        self._forget()

    def learn_empty(self, image: Image) -> None:
        """Take this frame as the empty tray."""
        self.hint = replace(self.hint, background=image.copy())

    def feed(self, image: Image | Sight, now: float) -> tuple[TrayEvent, ...]:
        """Look at one frame (BGR, 8 bits)."""
        sight = image if isinstance(image, Sight) else Sight.of(image)
        if sight.shape != self._size:
            heard: tuple[TrayEvent, ...] = (TrayDisturbed(),) if self.dice else ()
            self._forget()  # another camera mode: nothing that was known fits any more
            self._size = sight.shape
            if self.hint.background is not None and self.hint.background.shape != sight.shape:
                self.hint = replace(self.hint, background=None)
            self._step(sight, now)
            return heard
        return self._step(sight, now)

    def _step(self, sight: Sight, now: float) -> tuple[TrayEvent, ...]:
        small, step = sight.small, sight.step
        if self.state == "rest" and self._rest is not None:
            if not self._disturbed(small, now):
                return ()
            self.state, self._calm, self._readings = "motion", None, []
            self._before = (small, now)
            return (TrayDisturbed(),) if self.dice else ()
        if self._before is None:
            self._before = (small, now)
            return ()
        last, then = self._before
        if 0 <= now - then < self.pace.apart:
            return ()
        self._before = (small, now)
        self._noise.learn(last, small)
        if change(last, small, self._noise.bound):
            self._to("motion")
            self._calm, self._readings = None, []
            return ()
        self._calm = now if self._calm is None else self._calm
        if self._reaches(small, step) and now - self._calm < self.pace.still:
            self._to("hand")
            self._readings = []
            return ()
        return self._read_resting(sight.whole, small, step, now)

    def _to(self, state: State) -> None:
        """Change the state; what happens before the first rest is all opening."""
        self.state = self.state if self.state == "opening" else state

    def _disturbed(self, small: Image, now: float) -> bool:
        """Whether the tray no longer looks as it did at rest."""
        rest = self._rest
        if rest is None:
            return True
        seen = change(rest, small, self._noise.bound, self._slack)
        if seen and change(relit(rest, small), small, self._noise.bound):
            return True
        if seen:  # only the light changed
            self._keep(small, now)
        elif now - self._renewed >= self.pace.renew:
            mixed = cv2.addWeighted(rest, 0.8, small, 0.2, 0)
            self._keep(np.asarray(mixed, np.uint8), now)
        return False

    def _keep(self, small: Image, now: float) -> None:
        """This is how the tray looks at rest."""
        self._rest, self._slack, self._renewed = small, slack(small), now

    def _reaches(self, small: Image, step: int) -> bool:
        rest = self._rest
        if rest is None and self.hint.background is not None:
            rest, _ = shrunk(self.hint.background)
            if rest.shape != small.shape:  # a camera's own small picture
                rest = np.asarray(cv2.resize(rest, small.shape[::-1]), np.uint8)
        if rest is None:
            return False
        mask = change(relit(rest, small), small, self._noise.bound).mask
        return hand_in(mask, step, self.hint.die_px)

    def _read_resting(
        self, image: Image, small: Image, step: int, now: float
    ) -> tuple[TrayEvent, ...]:
        """Read the resting dice; speak once what is still possible is one thing."""
        if not self._certain() and len(self._readings) < self.pace.most:
            self._to("reading")
            self._readings.append(self._reading(image, small, step))
            if not self._certain() and len(self._readings) < self.pace.most:
                return ()  # one more frame must show the same before anything is said
        agreed = agree(self._weighed())
        since = now if self._calm is None else self._calm
        if now - since < self._patience(len(agreed.dice)):
            self._to("waiting")
            return ()
        return self._rested(agreed, image, small, now)

    def _certain(self) -> bool:
        """Two readings or more that together are accepted, the last two of them alike."""
        weighed = self._weighed()
        if len(weighed) < 2 or not alike(*weighed[-2:]):
            return False
        agreed = agree(weighed)
        return agreed.accepted and (self._as_expected(agreed) or weighed is not self._readings)

    def _as_expected(self, reading: Reading) -> bool:
        """Other bodies than the game waits for are looked at thoroughly before they are told."""
        seen = Counter(die.body for die in reading.dice)
        return not self.asked or not self.bodies or seen == self.bodies

    def _weighed(self) -> list[Reading]:
        """The readings that count: where quick ones left doubts, the thorough ones after them."""
        thorough = self._readings[_QUICK:]
        return thorough if len(thorough) > 1 else self._readings

    def _patience(self, count: int) -> float:
        """Seconds that the dice which are seen may lie before they are all there will be."""
        if self.state == "opening":
            return 0.0
        if self.asked and self.wanted is not None:
            return self.pace.missing if count < self.wanted else 0.0
        return self.pace.fewer if count < len(self.dice) else 0.0

    def _reading(self, image: Image, small: Image, step: int) -> Reading:
        """Read what changed; dice that lie elsewhere are as they were."""
        places, hint = self._changed(image, small, step), self.hint
        if len(self._readings) % 2 and hint.die_px:  # closer: a witness that sees it another way
            hint = replace(hint, die_px=hint.die_px * _CLOSER)
        if len(self._readings) >= _QUICK:  # still doubtful: time is not what matters now
            hint = replace(hint, thorough=True)
        if places is None:
            return self.read(image, hint)
        kept = tuple(die for die in self.dice if not within(die, places))
        if not places:
            return Reading(kept, True)
        part = self.read(image, replace(hint, changed=places))
        fresh = tuple(die for die in part.dice if within(die, places))
        return Reading(kept + fresh, part.accepted, part.doubts)

    def _changed(self, image: Image, small: Image, step: int) -> tuple[Box, ...] | None:
        """Where to look; None: everywhere."""
        # A doubtful rest is no base to build on, and a second doubt asks for a look at everything.
        doubtful = any(not reading.accepted for reading in self._readings)
        if self._rest is None or not self._accepted or doubtful or len(self._readings) > 1:
            return None
        # Black dice on black cloth differ little: looking at too much costs less than too little.
        mask = change(relit(self._rest, small), small, self._noise.bound * 0.7).mask
        height, width = image.shape[:2]
        places = boxes(mask, step, (width, height), self.dice, self.hint.die_px)
        return None if sum(w * h for _, _, w, h in places) > 0.7 * width * height else places

    def _rested(
        self, reading: Reading, image: Image, small: Image, now: float
    ) -> tuple[TrayEvent, ...]:
        opening, before = self.state == "opening", self.dice
        joined = follow(before, reading.dice, self._track)
        self.state = "rest"
        self._keep(small, now)
        self.dice, self._accepted, self._track = joined.dice, reading.accepted, joined.next
        self._readings, self._calm = [], None
        self._learn(reading, image)
        if not joined.dice or (opening and not reading.accepted):
            return ()  # what lay there before is no roll: nobody need be asked about it
        if not opening and self._is_nudge(joined):
            return (DiceNudged(joined.dice, joined.changed),)
        if joined.changed and not opening:
            self.roll += 1
        return (DiceSettled(joined.dice, self.roll, reading.accepted, snapshot(image)),)

    def _is_nudge(self, joined: Followed) -> bool:
        if not joined.changed:
            return False
        if self.asked is False:
            return True
        only_gone = not any(die.moved for die in joined.dice)
        return only_gone or joined.small

    def _learn(self, reading: Reading, image: Image) -> None:
        """What an accepted rest teaches: the size of dice here, the tray without them."""
        if not reading.accepted:
            return
        die = self.hint.die_px
        if die is None and reading.dice:
            die = float(np.median([each.size for each in reading.dice]))
        empty = patched(self.hint.background, image, reading.dice)
        self.hint = replace(self.hint, die_px=die, background=empty)


def snapshot(image: Image, wide: int = 320, quality: int = 70) -> bytes:
    """A small JPEG of the frame."""
    scale = min(1.0, wide / image.shape[1])
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image
    done, packed = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return packed.tobytes() if done else b""
