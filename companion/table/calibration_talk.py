"""The table's talk about its camera: a calibration step by step, and whether it still holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from companion.events import CameraStep, CameraTold, CameraWord
from companion.table.menu import Page
from companion.views import Choice, Dice, Face, Part
from companion.words import Panel, Text, text

CALIBRATE = text("Calibrate the camera")
UNDER_WAY = text("The camera is being calibrated.")

_STEPS: dict[CameraStep, Text] = {
    "clear": text("Take all dice out of the tray."),
    "dark": text("Too dark. Switch on the lamp over the tray."),
    "learn": text("Hands off: the eye looks at the empty tray."),
    "throw": text("Throw two or more dice into the tray."),
    "check": text("Are these the dice?"),
}
_WHY = {
    "few": text("Too few dice."),
    "dark": text("The dice are too dark."),
    "glare": text("A lamp mirrors in the dice."),
    "blurred": text("The dice are blurred: focus the camera."),
    "stacked": text("A die lies on another."),
    "cocked": text("A die leans."),
    "cut": text("A die lies at the edge."),
    "uneven": text("Dice look bigger here than there: the camera hangs askew."),
    "unsure": text("The eye is not sure of the dice."),
    "wrong": text("The dice were read wrongly."),
    "lost": text("The camera is lost."),
}


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """A choice that is a word to the camera."""

    word: CameraWord


class CameraTalk:
    """What the eye has said about its calibration, and what people have answered."""

    def __init__(self) -> None:
        self.there = False  # whether this table has a camera
        self.under_way: CameraTold | None = None  # the step of a calibration that is under way
        self.ended: CameraTold | None = None  # how the last one did, until the next begins
        self.number = 0  # of the step: an answer is to what was asked
        self._calibration = 0  # number of the newest: news of an older one comes too late
        self._panel: Panel | None = None  # who calibrates; None: somebody at a terminal
        self._words: list[tuple[CameraWord, int]] = []

    def ask(self, word: CameraWord, panel: Panel | None) -> None:
        """Somebody begins one, answers or ends it."""
        if word == "start":
            self.under_way, self._panel = CameraTold("clear"), panel
            self.ended, self.number = None, self.number + 1
            self._calibration += 1
        elif self.under_way is None:
            return
        elif word == "stop":
            self.under_way = None  # whether or not the eye still answers
        self._words.append((word, self._calibration))

    def drain_words(self) -> tuple[tuple[CameraWord, int], ...]:
        """The words that the eye has not been given yet, each with its calibration's number."""
        words, self._words = tuple(self._words), []
        return words

    def late(self, told: CameraTold) -> bool:
        """Whether it is about a calibration that has made way for another."""
        return told.calibration not in (0, self._calibration)

    def hear(self, told: CameraTold) -> tuple[Text | None, bool]:
        """What to say to everybody about it, and whether that stands until it is mended."""
        if self.late(told):
            return None, False
        match told.step:
            case "fits":
                return text("The camera is as it was calibrated again."), False
            case "moved":
                return text("The camera has moved. Calibrate it again (menu)."), True
            case "light":
                return text("The light has changed. Calibrate again (menu)."), True
            case "other":
                return text("Calibrated with another camera ({name}).", name=told.why), True
            case "unreadable":
                return text("{wrong}", wrong=told.why), True
            case "done" | "failed" | "stopped":
                self.under_way, self.ended = None, told
                return _ending(told), False
            case "clear" | "dark" | "learn" | "throw" | "again" | "check":
                if self.under_way is not None:
                    self.under_way, self.number = told, self.number + 1
                return None, False
            case _:
                assert_never(told.step)

    def page(self, panel: Panel | None) -> Page | None:
        """What the one who calibrates sees and may press."""
        return self.asks if panel == self._panel else None

    @property
    def result(self) -> Text | None:
        """How the last calibration ended, while no other is under way."""
        return _ending(self.ended) if self.ended else None

    @property
    def asks(self) -> Page | None:
        """What the calibration that is under way asks for; whoever has a seat may answer."""
        told = self.under_way
        if told is None:
            return None
        parts: tuple[Part, ...] = ()
        if told.dice:
            parts = (Dice(tuple(Face(die.body, die.value) for die in told.dice)),)
        return Page(_title(told), (*_answers(told), _STOP), parts)


_STOP = Choice(text("Stop calibrating"), CameraChoice("stop"))


def _title(told: CameraTold) -> Text:
    if told.step == "again":
        return text("{why} Throw again.", why=_reason(told))
    return _STEPS[told.step]


def _answers(told: CameraTold) -> tuple[Choice, ...]:
    if told.step == "check":
        yes = Choice(text("Yes, rightly read"), CameraChoice("right"))
        return yes, Choice(text("No, throw again"), CameraChoice("wrong"))
    if told.step == "clear" and told.dice:
        return (Choice(text("The tray is empty"), CameraChoice("empty")),)
    return ()


def _ending(told: CameraTold) -> Text:
    if told.step == "done" and told.why:
        return text("Calibrated. No rim was found: the whole picture is the tray.")
    if told.step == "done":
        return text("The camera is calibrated.")
    if told.step == "failed":
        return text("Not calibrated. {why}", why=_reason(told))
    return text("Calibration stopped. Nothing changed.")


def _reason(told: CameraTold) -> Text:
    return _WHY.get(told.why) or text("{why}", why=told.why)
