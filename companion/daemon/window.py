"""A local socket that shows every glass and takes presses: for `companion glass`, its user's alone.

One JSON object per line. Out, when the last byte of a new picture is on a glass:
`{"display": name, "panels": […], "entry": "game/entry", "frame": …, "says": […], "private": …}`;
the frame is 1024 bytes as the chip keeps them, in base64; `says` is the same view in words, for a
screen reader, `notice` what it warns of; a `private` picture holds a password, and is not for the
public page. While the camera is calibrated also `{"camera": step, "says": …}`. In: `{"press":
[panel, key]}`, `{"throw": true}` for the twins' dice, `{"camera": word}` to calibrate, `{"drill":
[name, mend]}` to break and mend twins, `{"doctor": true}` for what the doctor finds in here.
`{"throw": "refused", "says": …}` tells why none fly.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from companion.daemon.devices import Devices
from companion.events import KEYS, CameraTold, Emit
from companion.memory.codec import json_line
from companion.plain import spoken
from companion.ports import Display, News
from companion.table.calibration_talk import CameraTalk
from companion.views import BLANK, Code, View
from companion.words import Panel, Translate
from hardware.glass.frame import pack

log = logging.getLogger(__name__)

MOST_BEHIND = 1 << 20  # bytes that a reader may owe us before it is dropped


class Window:
    """Serves the socket; a reader that does not keep up is dropped, the table never waits."""

    def __init__(
        self,
        path: Path,
        panels: Mapping[str, tuple[Panel, ...]],
        devices: Devices,
        emit: Emit,
        orders: Mapping[str, Callable[[Any], Awaitable[None] | None]],
        translate: Translate = str,
        camera: CameraTalk | None = None,
    ) -> None:
        self.path = path
        self._panels = panels
        self._devices = devices
        self._emit = emit
        self._orders = dict(orders)  # what a request of this name does
        self._translate = translate
        self._camera = camera or CameraTalk()
        self._server: asyncio.Server | None = None
        self._readers: set[asyncio.StreamWriter] = set()
        self._shown: dict[str, View] = {}  # the newest on each glass

    def watched(self, display: Display, tell: Callable[[News], None]) -> Display:
        """The same display, but it is news when it has shown something."""

        def shown(name: str, view: View) -> None:
            if self._shown.get(name) is not view:  # else it was only looked after
                self._shown[name] = view
                tell(News(glass=(name, cache(lambda: self._display_json(name)))))

        return _Watched(display, shown)

    def changed(self, news: News) -> None:
        """Send every glass to the readers, and each step to whoever calibrates at a terminal."""
        if news.glass is not None and self._readers:
            self.say(news.glass[1]())
        for event in news.events:
            if isinstance(event, CameraTold):
                self._camera_said(event)

    def offer(self, name: str, do: Callable[[Any], Awaitable[None] | None]) -> None:
        """Take a request of this name, too."""
        self._orders[name] = do

    async def open(self) -> None:
        """Listen; whoever connects from now on sees the newest pictures first.

        Where no socket can be made, nobody looks through the window, and the table goes on.
        """
        try:
            self.path.unlink(missing_ok=True)
            self._server = await asyncio.start_unix_server(self._read, self.path)
            self.path.chmod(0o600)
        except OSError as error:
            log.error("the window %s cannot be opened: %s", self.path, error)

    def close(self) -> None:
        """Let every reader go."""
        if self._server is not None:
            self._server.close()
        for reader in list(self._readers):
            reader.close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def say(self, said: Mapping[str, Any]) -> None:
        """Tell every reader."""
        if not self._readers:
            return
        row = _row(said)
        for reader in list(self._readers):
            if reader.transport.get_write_buffer_size() > MOST_BEHIND:
                self._readers.discard(reader)
                reader.transport.abort()
            else:
                reader.write(row)

    def _display_json(self, name: str) -> dict[str, Any]:
        view = self._shown[name]
        return {
            "display": name,
            "panels": sorted(set(self._panels.get(name, ()))),
            "entry": view.entry,
            "frame": base64.b64encode(pack(self._devices.glass[name]())).decode(),
            "says": list(spoken(view, self._translate)),
            "notice": view.notice.show(view.names, self._translate),
            "private": any(isinstance(part, Code) and part.private for part in view.parts),
        }

    def _camera_said(self, told: CameraTold) -> None:
        talk = self._camera
        if talk.late(told):
            return
        page = talk.page(None)
        says = page.title.show() if page else (talk.hear(told)[0] or BLANK).show()
        dice = [f"{die.body} {die.value}" for die in told.dice]
        self.say({"camera": told.step, "says": says, "dice": dice})

    async def _read(self, stream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._readers.add(writer)
        writer.write(
            b"".join(_row(self._display_json(name)) for name in self._shown)
        )  # it may be gone
        presses: set[asyncio.Task[None]] = set()
        try:
            while request := await stream.readline():
                task = asyncio.create_task(self._press(request))
                presses.add(task)
                task.add_done_callback(presses.discard)
        except (OSError, ValueError) as error:  # gone, or a line without an end
            log.info("a reader of the window left: %s", error)
        finally:
            self._readers.discard(writer)
            writer.close()

    async def _press(self, request: bytes) -> None:
        try:
            asked = json.loads(request)
            for name in self._orders.keys() & asked.keys():
                if (done := self._orders[name](asked[name])) is not None:
                    await done
                return
            panel, key = asked["press"]
            if key not in KEYS or panel not in self._devices.panels:
                raise ValueError(f"there is no button {panel}/{key}")
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            log.warning("the window was asked for nonsense: %s", error)
            return
        await self._devices.press(panel, key, self._emit)


def _row(told: Mapping[str, Any]) -> bytes:
    return json_line(told).encode() + b"\n"


class _Watched:
    """A display that tells when its last byte is out."""

    def __init__(self, display: Display, tell: Callable[[str, View], None]) -> None:
        self.name = display.name
        self._display = display
        self._tell = tell

    async def show(self, view: View) -> None:
        await self._display.show(view)
        self._tell(self.name, view)
