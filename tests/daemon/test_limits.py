"""The log stays short whatever happens, and the process may open all the files it is given."""

from __future__ import annotations

import logging
import resource
import sys

import pytest

from companion.daemon.limits import KINDS, MANY, WINDOW, Repeats, prepare


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def said(clock: Clock) -> list[str]:
    """What a logger wrote; it is the one named `kept`."""
    lines: list[str] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    log, handler = logging.getLogger("kept"), Keeping()
    handler.addFilter(Repeats(clock))
    log.handlers, log.propagate = [handler], False
    return lines


def test_of_each_kind_ten_lines_a_minute_are_written_and_the_rest_is_counted(
    said: list[str], clock: Clock
) -> None:
    log = logging.getLogger("kept")
    for number in range(1000):
        log.warning("a wrong code from %s", number)
    log.warning("something else")
    assert said == [*(f"a wrong code from {n}" for n in range(MANY)), "something else"]
    clock.now = WINDOW
    log.warning("a wrong code from %s", 7)
    log.warning("a wrong code from %s", 8)
    assert said[-2:] == ["a wrong code from 7 (990 more like it)", "a wrong code from 8"]


def test_lines_that_all_differ_are_not_all_remembered(said: list[str]) -> None:
    log = logging.getLogger("kept")
    for number in range(3 * KINDS):
        log.warning(f"line {number}")
    assert len(said) == 3 * KINDS
    assert len(log.handlers[0].filters[0]._kinds) <= KINDS  # type: ignore[union-attr]


def test_the_process_may_open_as_many_files_as_the_machine_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits))
    monkeypatch.setattr(sys, "setswitchinterval", lambda _: None)
    prepare()
    assert asked == [(4096, 4096)]
