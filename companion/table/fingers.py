"""Where each panel's finger is: cursor, page, place in the menu, what it reads; whose eyes look.

None of it is part of a game or journaled: a power cut forgets it, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.events import Key
from companion.table.menu import Path, tells_roll, up
from companion.views import BLANK, Choice, View
from companion.words import Panel, Text, text

NOTHING = View(BLANK, BLANK)
STALE = text("The screen changed under your finger. Look, then press again.")


@dataclass(slots=True)
class Finger:
    """One panel's: what it is offered, under which number, and where the finger points."""

    cursor: int = 0
    page: int | None = None
    path: Path = ()
    notice: Text = BLANK
    offer: View = NOTHING
    seq: int = 0
    led: bool = False  # the page stands there because there was something to read first
    pressed: Any = None  # the last choice taken here
    doubt: Path = ()  # in the box: the value of ours by which that was refused
    refused: Text = BLANK  # why, while the rule stands before it

    @property
    def looking(self) -> bool:
        """Whether the panel shows the table, by wish or because there is nothing to choose."""
        return self.page is not None or not self.offer.choices

    def step(self, by: int) -> None:
        """The next page or the next choice; back from the first to the last that may be taken."""
        rows = self.offer.choices
        if self.looking:
            self.page = (self.page or 0) + by
        elif by < 0 and self.cursor == 0:  # what is barred stands behind it, one step further
            self.cursor = max((n for n, one in enumerate(rows) if not one.barred), default=0)
        else:
            self.cursor = (self.cursor + by) % len(rows)

    def pick(self, index: int, offered: int | None) -> Choice | None:
        """The choice at a place of the offer with this number; None if that one has changed."""
        if offered not in (None, self.seq) or not 0 <= index < len(self.offer.choices):
            self.notice = STALE
            return None
        self.cursor, self.pressed = index, self.offer.choices[index].action
        return self.offer.choices[index]

    def select(self, offered: int | None) -> Choice | None:
        """What the finger points at; from a look at the table, first the way to the choices."""
        if self.looking:
            self.page = None
            self.notice = BLANK if self.offer.choices else self.offer.waiting
            return None
        return self.pick(self.cursor, offered)

    def _again(self, choices: tuple[Choice, ...]) -> int:
        """Where the finger begins: on what it has just pressed, if that can be pressed again."""
        same = (n for n, one in enumerate(choices) if one.action == self.pressed and not one.barred)
        return next(same, 0)

    def offered(self, view: View, first: int | None, seq: int, read_first: bool) -> bool:
        """Take a new offer; True if its choices are others, so that it needs a new number."""
        changed = view.choices != self.offer.choices or self.seq == 0
        if changed:
            if not same_menu(self.offer.choices, view.choices):
                self.cursor = self._again(view.choices) if first is None else first
            if read_first:  # what it leads to, then agree; how it ended, then play again
                self.page, self.led = 0, True
            elif self.led or not self.offer.choices:  # called: show what there is to choose
                self.page, self.led = None, False
            self.seq = seq
        self.offer = view
        return changed


class Fingers:
    """All panels' fingers, their notices, and who looks at each shared display."""

    def __init__(self, panels: int, displays: Mapping[str, tuple[Panel, ...]]) -> None:
        self._fingers = {panel: Finger() for panel in map(Panel, range(panels))}
        self._shared = {name: some for name, some in displays.items() if len(some) > 1}
        self._looking: dict[str, Panel] = {}
        self._passing = BLANK  # what was announced and is no news after the next move
        self._offers = 0

    def __getitem__(self, panel: Panel) -> Finger:
        return self._fingers[panel]

    def __contains__(self, panel: Panel) -> bool:
        return panel in self._fingers

    def __iter__(self) -> Iterator[Panel]:
        return iter(self._fingers)

    def offer(self, panel: Panel, view: View, first: int | None, read_first: bool) -> None:
        """What this panel may see and press from now on."""
        if self._fingers[panel].offered(view, first, self._offers + 1, read_first):
            self._offers += 1

    def announce(self, notice: Text, passing: bool = False) -> None:
        """Say something on every panel, until its next press, or in passing: until a move."""
        self._passing = notice if passing else BLANK
        for finger in self._fingers.values():
            finger.notice = notice

    def clear_notices(self) -> None:
        """What was said in passing is no news once the table has moved on."""
        for finger in self._fingers.values():
            finger.notice = BLANK if finger.notice == self._passing else finger.notice

    def roll_is_in(self) -> None:
        """Nobody need enter it by hand any more."""
        for finger in self._fingers.values():
            finger.path = () if tells_roll(finger.path) else finger.path

    def go_home(self) -> None:
        """Another game: whoever looked at the table or its code sees what there is to choose."""
        for finger in self._fingers.values():
            finger.page = None

    def back(self, panel: Panel) -> bool:
        """The choices, then a look at the table, then the table's menu: True asks for that."""
        finger = self._fingers[panel]
        if finger.path:
            finger.path, finger.page = up(finger.path), None
        elif finger.looking:
            return True
        else:
            finger.page = 0
            self.leave_display(panel)
        return False

    def step(self, panel: Panel, key: Key) -> None:
        """To the next or the previous."""
        self._fingers[panel].step(1 if key == "next" else -1)

    # -- shared displays -----------------------------------------------------------------------

    def looking(self, display: str) -> Panel | None:
        """Whose eyes look at a shared display."""
        return self._looking.get(display)

    def shares_display(self, panel: Panel) -> bool:
        """Whether this panel looks at a shared display now."""
        return panel in self._looking.values()

    def claim_display(self, panel: Panel, waited_for: Callable[[Panel], bool]) -> bool:
        """On a shared display the first press only says whose eyes look now: True for that one.

        It does not take the display from a seat that the table waits for.
        """
        for display, panels in self._shared.items():
            looking = self._looking.get(display)
            if panel not in panels or looking == panel:
                continue
            if looking is not None and waited_for(looking):
                self._fingers[looking].notice = text("Another seat waits for this display.")
            else:
                self._looking[display] = panel
            return True
        return False

    def leave_display(self, panel: Panel) -> None:
        """This panel's eyes are off whatever it shared."""
        self._looking = {name: who for name, who in self._looking.items() if who != panel}


def same_menu(old: tuple[Choice, ...], new: tuple[Choice, ...]) -> bool:
    """One row changed under the finger, such as an option's value: the finger stays."""
    return len(old) == len(new) and sum(a != b for a, b in zip(old, new, strict=True)) <= 1
