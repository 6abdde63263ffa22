"""However late edges are read and the loop gets round to them, their own times decide."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import accumulate
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hardware.panel.buttons import contact
from hardware.panel.debounce import STABLE, ButtonChange, Debounce

Step = tuple[float, bool, bool]  # time passes; does the thread read edges, does the loop turn?
TICK = 1e-4  # a unit of time in which all edges and steps are counted


class Slow:
    """The loop, the kernel's edges of one pin, and the pin; all go on when a test says so."""

    def __init__(self, edges: list[float]) -> None:
        self.now, self.read = 0.0, 0
        self.at = edges  # the first closes the contact, the next opens it, and so on
        self.ready: list[Callable[[], object]] = []
        self.due: tuple[float, Callable[[], object]] | None = None
        self.pull_up, self.pin, self.pin_factory = True, self, self
        self.when_changed: Callable[[float, int], None] = lambda _ticks, _state: None

    def time(self) -> float:
        return self.now

    def call_soon_threadsafe(self, what: Callable[..., object], *args: object) -> None:
        self.ready.append(lambda: what(*args))

    def call_soon(self, what: Callable[[], object]) -> Any:
        self.ready.append(what)
        return SimpleNamespace(cancel=lambda: self.ready.remove(what))

    def call_at(self, when: float, what: Callable[[], object]) -> Any:
        self.due = when, what
        return SimpleNamespace(cancel=lambda: setattr(self, "due", None))

    def create_future(self) -> Any:
        return SimpleNamespace(cancel=lambda: None)

    def turn(self) -> None:
        if self.due is not None and self.due[0] <= self.now:
            self.ready.append(self.due[1])
            self.due = None
        for what in tuple(self.ready):
            if what in self.ready:
                self.ready.remove(what)
                what()

    @property
    def over(self) -> int:
        return sum(when <= self.now for when in self.at)

    @property
    def value(self) -> bool:
        return self.over % 2 == 1

    def heard(self) -> None:
        while self.read < self.over:
            self.read += 1
            self.when_changed(self.at[self.read - 1], self.read % 2 == 0)

    def close(self) -> None: ...


def presses(edges: list[float], steps: list[Step], patch: pytest.MonkeyPatch) -> int:
    slow, told = Slow(edges), list[ButtonChange]()
    patch.setattr(asyncio, "get_running_loop", lambda: slow)
    patch.setattr("hardware.panel.buttons.InputDevice", lambda *_a, **_k: slow)
    with contact("panel 1", 4, Debounce(storm_edges=1000), told.append, factory=slow):
        for passes, reads, turns in [*steps, (edges[-1], True, True), *[(0.01, True, True)] * 4]:
            slow.now += passes
            if reads:
                slow.heard()
            if turns:
                slow.turn()
    return told.count("press")


def rests(edges: list[float]) -> int:
    """Worked out apart: a contact that rests closed has been pressed, once until it rests open."""
    down, count = False, 0
    for number, (when, end) in enumerate(zip(edges, [*edges[1:], float("inf")], strict=True)):
        if end - when >= STABLE and down != (closed := number % 2 == 0):
            down, count = closed, count + closed
    return count


gaps = st.one_of(st.integers(1, 49), st.integers(51, 2000))  # nobody promises exactly 5 ms
passes = st.one_of(st.integers(0, 60), st.integers(0, 40_000))


@given(
    st.lists(gaps, min_size=1, max_size=40),
    st.lists(st.tuples(passes, st.booleans(), st.booleans()), max_size=40),
)
@example([1, 800, 2, 2, 800], [(20_000, False, False)])  # nobody had time for two seconds
def test_presses_are_the_rests_of_the_contact_whenever_its_edges_are_read(
    gaps: list[int], steps: list[tuple[int, bool, bool]]
) -> None:
    edges = [when * TICK for when in accumulate(gaps)]
    with pytest.MonkeyPatch.context() as patch:
        late = [(passes * TICK, reads, turns) for passes, reads, turns in steps]
        assert presses(edges, late, patch) == rests(edges)
