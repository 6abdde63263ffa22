"""The eye as the pages use it: a picture on demand, the rendered tray by hand, examples kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from companion.errors import BadState, NoRoom
from companion.events import DiceSettled, Point
from companion.eye.child import EyeChild
from companion.eye.protocol import Beat, Glance, Render, Simple
from companion.words import Text

MOST = 1000  # examples that are kept
LABELS = "labels.jsonl"


class EyeForPages:
    """Everybody who asks at the same time gets the same picture: the eye is asked once."""

    def __init__(
        self,
        eye: EyeChild,
        folder: Path,
        throw: Callable[[], Awaitable[Text | None]],
        *,
        twin: bool,
    ) -> None:
        self.twin = twin
        self.size: tuple[int, int] | None = None  # of a frame; the places of dice are in its pixels
        self.state = ""  # what the tray does, as the eye says: rest, motion, hand …
        self.changed: Callable[[], None] = lambda: None  # told when the state is another
        self._eye, self._folder, self._throw = eye, folder, throw
        self._next: asyncio.Future[bytes | None] | None = None
        eye.glance, eye.beaten = self._glanced, self._beaten

    @property
    def beat(self) -> tuple[int, float]:
        """Frames that were seen, and milliseconds for the last one."""
        beat = self._eye.beat
        return (beat.beat, beat.ms) if beat else (0, 0.0)

    async def picture(self) -> bytes | None:
        """The next frame, after the reading that is under way; None when the eye is lost."""
        if self._next is None or self._next.done():
            self._next = asyncio.get_running_loop().create_future()
            if not self._eye.order(Simple("glance")):
                self._next = None
                return None
        waited = self._next
        try:
            async with asyncio.timeout(self._eye.start):
                return await asyncio.shield(waited)
        except TimeoutError:
            if self._next is waited:
                self._next = None
            return None

    async def throw(self) -> Text | None:
        """Throw what the table asks for; or why not."""
        return await self._throw()

    async def drag(self, start: Point, end: Point) -> Text | None:
        """Move the rendered die that lies at a place, in shares of the picture, to another."""
        return await self._eye.carry_out(Render(drag=(start, end)))

    async def cover(self, seconds: float) -> Text | None:
        """Hold a rendered hand over the tray."""
        return await self._eye.carry_out(Render(cover=seconds))

    async def clear(self) -> Text | None:
        """Take every rendered die out."""
        return await self._eye.carry_out(Render(throw=()))

    def keep(self, picture: bytes, seen: DiceSettled) -> int:
        """Keep a picture with what lies in it, as `companion eye bench` reads it; how many are."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            number = len(list(self._folder.glob("*.jpg"))) + 1
            if number > MOST:
                raise BadState(f"{MOST} examples are kept already: take some out of {self._folder}")
            name = f"{number:04}.jpg"
            (self._folder / name).write_bytes(picture)
            with (self._folder / LABELS).open("a", encoding="utf-8") as labels:
                labels.write(json.dumps({"file": name, **self._label(seen)}) + "\n")
        except OSError as error:
            raise NoRoom(f"the example cannot be kept: {error.strerror}") from error
        return number

    def _label(self, seen: DiceSettled) -> dict[str, object]:
        wide = self.size[0] if self.size else 640
        scale = min(1.0, 640 / wide)  # a kept picture is no wider than that
        dice = []
        for die in seen.dice:
            (x, y), half = die.centre, die.size * 0.6
            box = [round(scale * number, 1) for number in (x - half, y - half, 2 * half, 2 * half)]
            dice.append({"value": die.value, "colour": die.body, "box": box})
        return {"source": "table", "dice": dice}

    def _glanced(self, glance: Glance | None) -> None:
        if glance is not None and all(glance.size) and glance.size != self.size:
            self.size = glance.size
            self.changed()
        if self._next is not None and not self._next.done():
            self._next.set_result(None if glance is None else glance.picture)

    def _beaten(self, beat: Beat) -> None:
        if beat.state != self.state:
            self.state = beat.state
            self.changed()
