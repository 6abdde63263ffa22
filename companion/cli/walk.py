"""A walk through the table with somebody who presses and looks: each button, lamp and display."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from rich.console import Console

from companion.care.finding import Condition, Finding, well
from companion.care.listing import listing
from companion.cli.answer import answer
from companion.daemon.devices import Devices, build
from companion.errors import DeviceLost
from companion.events import KEYS, ButtonPressed, DeviceUp, Event, Key, ShutdownAsked
from companion.language import speaker
from companion.ports import Source
from companion.settings.settings import Settings
from companion.views import BLANK, Cell, Grid, View
from companion.words import Panel, Text, text
from hardware.glass.blocks import braille

PATIENCE = 20.0  # seconds until a button counts as dead
SKIPPED = text("Skipped.")
OFF, OFF_BY, TRAY_LAMP = Panel(-1), "shutdown button", "tray lamp"
WIRE = text("Check this button's wire against companion wiring.")


@dataclass(frozen=True)
class Guide:
    """The one who walks: told what to do, asked what he sees."""

    press: Callable[[Panel, Key, Text], Awaitable[None]]  # told to press this button
    hold: Callable[[Text], Awaitable[None]]  # told to hold the shutdown button
    ask: Callable[[str | None, Text], Awaitable[str]]  # looks at a display (None: a lamp)


async def walk(
    settings: Settings,
    devices: Devices,
    guide: Guide,
    *,
    numbers: Callable[[int], list[int]] = lambda count: random.sample(range(10, 100), count),
    patience: Callable[[Panel, Key], Awaitable[object]] = lambda *_: asyncio.sleep(PATIENCE),
) -> list[Finding]:
    """Every button, then every lamp, then every display; what came of each.

    `patience` ends when a button of this panel counts as dead, or, if it gives SKIPPED, is left
    out; OFF is the shutdown button's.
    """
    found: list[Finding] = []
    async with _hearing(devices) as heard:
        for panel in settings.panels:
            for key in KEYS:
                gave_up = patience(panel.seat, key)
                found.append(await _button(panel.seat, key, heard, guide, gave_up))
        if settings.shutdown.pin is not None:
            found.append(await _shutdown(heard, guide, patience(OFF, "select")))
    found += [await _lamp(panel, devices, guide) for panel in sorted(devices.lamps)]
    over = [source for source in devices.sources if source.name == TRAY_LAMP]
    found += [await _tray_lamp(source, guide) for source in over]
    names = list(devices.displays)
    shown = dict(zip(names, numbers(len(names)), strict=True))
    lost = {name: await _show(devices, name, shown[name]) for name in names}
    for name in names:
        found.append(await _display(name, shown, lost[name], guide))
    return found


@asynccontextmanager
async def _hearing(devices: Devices) -> AsyncIterator[Heard]:
    """Runs the panels and nothing else; `lost` names those that do not come up."""
    heard = Heard()
    buttons = [
        one for one in devices.sources if one.name.startswith("panel ") or one.name == OFF_BY
    ]
    tasks = [asyncio.create_task(heard.run(one)) for one in buttons]
    try:
        for _ in buttons:
            await heard.up.get()
        yield heard
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Heard:
    """Presses as they come, and the panels that could not be opened."""

    def __init__(self) -> None:
        self.presses: asyncio.Queue[ButtonPressed] = asyncio.Queue()
        self.up: asyncio.Queue[None] = asyncio.Queue()
        self.held = asyncio.Event()  # the shutdown button, long enough
        self.lost: dict[str, str] = {}

    async def run(self, panel: Source) -> None:
        """Until cancelled; a panel that cannot be had is noted."""
        try:
            await panel.run(self._hear)
        except DeviceLost as why:
            self.lost[panel.name] = str(why)
            self.up.put_nowait(None)

    def _hear(self, event: Event) -> None:
        if isinstance(event, ButtonPressed):
            self.presses.put_nowait(event)
        elif isinstance(event, ShutdownAsked):
            self.held.set()
        elif isinstance(event, DeviceUp):
            self.up.put_nowait(None)


async def _button(
    panel: Panel, key: Key, heard: Heard, guide: Guide, gave_up: Awaitable[object]
) -> Finding:
    name = text("Panel {n}, {key}", n=panel + 1, key=key)
    waits = asyncio.ensure_future(gave_up), asyncio.ensure_future(heard.presses.get())
    try:
        if why := heard.lost.get(f"panel {panel + 1}"):
            return _finding(name, "wrong", text("{why}", why=why))
        await guide.press(panel, key, text("Press {key} on panel {n}.", n=panel + 1, key=key))
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        if not waits[1].done():
            return _no_press(name, waits[0])
        came = waits[1].result()
    finally:
        for one in waits:
            one.cancel()
    if (came.panel, came.key) == (panel, key):
        return _finding(name, "right", text("It was pressed."))
    says = text("Panel {n}, {key} came instead.", n=came.panel + 1, key=came.key)
    swap = text("Exchange the two wires, or the two pins in the settings.")
    return _finding(name, "wrong", says, swap)


async def _shutdown(heard: Heard, guide: Guide, gave_up: Awaitable[object]) -> Finding:
    """Here it only tells; nothing is switched off."""
    name = text("Shutdown button")
    waits = asyncio.ensure_future(gave_up), asyncio.ensure_future(heard.held.wait())
    try:
        if why := heard.lost.get(OFF_BY):
            return _finding(name, "wrong", text("{why}", why=why))
        await guide.hold(text("Hold the shutdown button down; nothing is switched off."))
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in waits:
            one.cancel()
    if heard.held.is_set():
        return _finding(name, "right", text("It was pressed."))
    return _no_press(name, waits[0])


def _no_press(name: Text, gave_up: asyncio.Future[object]) -> Finding:
    if gave_up.result() == SKIPPED:
        return _finding(name, "unseen", SKIPPED)
    return _finding(name, "wrong", text("No press came."), WIRE)


async def _lamp(panel: Panel, devices: Devices, guide: Guide) -> Finding:
    name = text("Lamp {n}", n=panel + 1)
    lit = View(BLANK, BLANK, lamp=True)
    try:
        await devices.lamps[panel].show(lit)
        said = await guide.ask(None, text("Does the lamp of panel {n} burn? (y/n)", n=panel + 1))
        await devices.lamps[panel].show(View(BLANK, BLANK))
    except DeviceLost as why:
        return _finding(name, "wrong", text("{why}", why=str(why)))
    return _burns(name, said)


async def _tray_lamp(source: Source, guide: Guide) -> Finding:
    """Lit for as long as its source runs."""
    name = text("Lamp over the tray")
    lit = asyncio.ensure_future(source.run(lambda _event: None))
    await asyncio.sleep(0)  # it burns now, or it cannot be had
    try:
        if not lit.done():
            return _burns(
                name, await guide.ask(None, text("Does the lamp over the tray burn? (y/n)"))
            )
        return _finding(name, "wrong", text("{why}", why=str(lit.exception())))
    finally:
        lit.cancel()
        await asyncio.gather(lit, return_exceptions=True)


def _burns(name: Text, said: str) -> Finding:
    if said.strip().lower().startswith("y"):
        return _finding(name, "right", text("It burns."))
    do = text("Check its pin, its resistor and which way round it is.")
    return _finding(name, "wrong", text("It does not burn."), do)


def pattern(name: str, number: int) -> View:
    """A chequered board with a number in every cell: a dead row or column shows."""
    rows = tuple(
        tuple(Cell(str(number), group=r * 9 + c, lit=(r + c) % 2 == 0) for c in range(4))
        for r in range(2)
    )
    title = text("{name}", name=name)
    return View(title, text("Which number is here?"), (Grid(rows),), page=0)


async def _show(devices: Devices, name: str, number: int) -> str | None:
    try:
        await devices.displays[name].show(pattern(name, number))
    except DeviceLost as why:
        return str(why)
    return None


async def _display(name: str, shown: dict[str, int], lost: str | None, guide: Guide) -> Finding:
    label = text("Display {name}", name=name)
    if lost is not None:
        return _finding(label, "wrong", text("{why}", why=lost))
    question = text("Which number is on the display {name}? (Enter: none)", name=name)
    said = (await guide.ask(name, question)).strip()
    if said == str(shown[name]):
        return _finding(label, "right", text("It shows its number."))
    other = next((one for one, number in shown.items() if said == str(number)), None)
    if other is not None:
        says = text("It shows what belongs to {other}.", other=other)
        do = text("Exchange their plugs, or their ports in the settings.")
        return _finding(label, "wrong", says, do)
    do = text("Check its four wires, and its chip in the settings (ssd1306 or sh1106).")
    return _finding(label, "wrong", text("Its number is not seen."), do)


def _finding(name: Text, verdict: Condition, says: Text, do: Text = BLANK) -> Finding:
    return Finding(name.template.split(" ")[0].strip(",").lower(), name, verdict, says, do)


class Terminal:
    """Whoever sits there. Twins press themselves and show their glass here."""

    def __init__(self, settings: Settings, devices: Devices, out: Console) -> None:
        self.settings, self.devices, self.out = settings, devices, out
        self.translate = speaker(settings.table.language)
        self.twins = settings.hardware.panels == "twin"
        self._pressing: set[asyncio.Task[None]] = set()

    def tell(self, says: Text) -> None:
        """Say what to do."""
        simulated = " (simulated)" if self.twins else ""
        self.out.print(says.show((), self.translate) + simulated, highlight=False)

    async def hold(self, says: Text) -> None:
        """Let the shutdown button be held."""
        self.tell(says)
        if self.devices.finger is not None:
            self.devices.finger.factory.pin(self.settings.shutdown.pin).drive_low()

    async def press(self, panel: Panel, key: Key, says: Text) -> None:
        """Let a button be pressed."""
        self.tell(says)
        if self.twins:
            task = asyncio.create_task(self._press(panel, key))
            self._pressing.add(task)
            task.add_done_callback(self._pressing.discard)

    async def ask(self, display: str | None, question: Text) -> str:
        """What somebody answers."""
        if display is not None and self.settings.hardware.displays == "twin":
            glass = braille(self.devices.glass[display]())
            self.out.print(glass, highlight=False, markup=False)
        return await answer(question.show((), self.translate))

    async def _press(self, panel: Panel, key: Key) -> None:
        await self.devices.press(panel, key, lambda _event: None)


async def by_terminal(settings: Settings, out: Console) -> bool:
    """Walk with whoever sits at the terminal."""
    devices = build(settings, speaker(settings.table.language))
    hands = Terminal(settings, devices, out)
    try:
        findings = await walk(settings, devices, Guide(hands.press, hands.hold, hands.ask))
    finally:
        devices.close()
    out.print(listing(findings, hands.translate))
    return well(findings)
