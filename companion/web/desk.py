"""What the pages may ask of the daemon, and the flat documents they are told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from companion.events import (
    CAMERA_STEPS,
    CharacterDie,
    DiceNudged,
    DiceSettled,
    Emit,
    Event,
    Key,
    Point,
    TrayDisturbed,
)
from companion.games.api import Game
from companion.memory.codec import to_json, view_to_json
from companion.settings.settings import WebSettings, WifiSettings
from companion.table.offers import log_of
from companion.table.table import Table
from companion.views import View
from companion.web.feed import Document
from companion.words import Panel, Text, Translate, name_text

Viewer: TypeAlias = Panel | Literal["public", "table"]
"""A seat's panel; anybody; or the virtual table, which is the hardware and shows every glass."""

LOG = 12  # moves that a page tells of


class Eye(Protocol):
    """The eye over the tray, as far as pages may use it; orders tell why they are not done."""

    twin: bool  # the tray is rendered: a browser may move its dice
    state: str
    changed: Callable[[], None]

    @property
    def beat(self) -> tuple[int, float]: ...
    @property
    def size(self) -> tuple[int, int] | None: ...
    async def picture(self) -> bytes | None: ...
    def keep(self, picture: bytes, seen: DiceSettled) -> int: ...
    async def throw(self) -> Text | None: ...
    async def drag(self, start: Point, end: Point) -> Text | None: ...
    async def cover(self, seconds: float) -> Text | None: ...
    async def clear(self) -> Text | None: ...


@dataclass
class Desk:
    """The daemon as the pages know it."""

    table: Table
    shelf: Mapping[str, Game[Any]]
    journal: Path
    settings: WebSettings
    emit: Emit
    drained: Callable[[], Awaitable[None]]  # until every event so far has had its effect
    press: Callable[[Panel, Key], Awaitable[None]]
    twins: bool = False  # panels and displays are twins: a browser may be the hardware
    language: str = "en"
    translate: Translate = str
    eye: Eye | None = None
    wifi: WifiSettings = field(default_factory=WifiSettings)
    health: Callable[[], list[dict[str, str]]] = list  # every finding, told; takes a while
    seen: DiceSettled | None = None  # what lies in the tray, while nothing moves there
    glasses: dict[str, dict[str, Any]] = field(default_factory=dict)
    tray: dict[str, Any] = field(default_factory=dict)
    picture: bytes = b""

    def say(self, text: Text, names: tuple[Text, ...] | None = None) -> str:
        """A text in the table's language."""
        return text.show(self.table.play.names if names is None else names, self.translate)

    def shown(self, told: Mapping[str, Any]) -> None:
        """A glass shows something new."""
        kept = ("panels", "frame", "says", "private")
        self.glasses[told["display"]] = {key: told[key] for key in kept}

    def heard(self, event: Event) -> None:
        """What the dice did, for those who look on."""
        match event:
            case TrayDisturbed():
                self.seen, self.tray = None, {**self.tray, "state": "moving"}
            case DiceSettled(_, roll, accepted, picture):
                self.seen, self.picture = event, picture or self.picture
                number = roll or self.tray.get("roll", 0)  # 0: dice that nobody threw
                self._lies("rest", roll=number, accepted=accepted, picture=bool(self.picture))
            case DiceNudged(dice, changed):
                self.seen = DiceSettled(dice, self.tray.get("roll", 0), accepted=True)
                self._lies("nudged", changed=list(changed))
            case CharacterDie(die, state, face):
                known = {**self.tray.get("characters", {}), die: {"state": state, "face": face}}
                self.tray = {**self.tray, "characters": known}

    def correct(self, track: int, value: int) -> DiceSettled | None:
        """A person says what a die shows: the reading as it was; None if the die is gone."""
        seen = self.seen
        if seen is None or all(die.track != track for die in seen.dice):
            return None
        self.seen = seen.corrected(track, value)
        self._lies(self.tray["state"], told=[*self.tray.get("told", ()), track])
        return seen

    def _lies(self, state: str, **more: Any) -> None:
        """What the pages are told of dice that rest; what people said of others is forgotten."""
        dice = [_die(die) for die in self.seen.dice] if self.seen else []
        self.tray = {
            **{key: self.tray[key] for key in ("roll", "accepted", "picture", "characters")
               if key in self.tray},
            "state": state, "dice": dice, **more,
        }  # fmt: skip

    def document(self, viewer: Viewer) -> Document:
        """All that a viewer may know now."""
        table, play = self.table, self.table.play
        view = table.panel(viewer) if isinstance(viewer, int) else table.public()
        document = self._view(view)
        document |= {
            "viewer": viewer,
            "game": "" if play.in_lobby else play.line.game.key,
            "name": self.say(play.line.game.name),
            "mode": play.mode,
            "over": play.over,
            "entry": play.entry,
            "seed": {
                "code": play.binding.code,
                "since": play.binding.since,
                "revealed": play.binding.revealed(play.over),
            },
            "panels": [self._panel(panel) for panel in map(Panel, range(table.seating.panels))],
            "log": [
                {"told": self.say(said), "rule": rule}
                for said, rule in log_of(table.scene, view.seat, LOG)
            ],
            "tray": self.tray,
            "asked": table.watched.wanted is not None,
        }
        if self.eye is not None:
            document["eye"] = {
                "state": self.eye.state,
                "twin": self.eye.twin,
                "size": self.eye.size,
            }
            document["camera"] = self._camera()
        if isinstance(viewer, int):
            document["menu"] = table.menu(viewer)
        for name, glass in self.glasses.items():
            if viewer == "table" or not (glass["panels"] or glass["private"]):
                document[f"glass:{name}"] = glass
        return document

    def _view(self, view: View) -> Document:
        told = view_to_json(view, lambda text: self.say(text, view.names))
        for choice in told["choices"]:
            del choice["action"]
        told["offered"] = told.pop("seq")
        told["cursor"] = view.cursor
        told["names"] = [self.say(name) for name in view.names]
        return told

    def _camera(self) -> Document | None:
        """How far a calibration is and what it asks for, or how the last one ended."""
        talk = self.table.camera
        told, page = talk.under_way or talk.ended, talk.asks
        says = page.title if page else talk.result
        if told is None or says is None:
            return None
        return {
            "number": talk.number, "step": told.step, "at": CAMERA_STEPS.get(told.step, 0),
            "of": max(CAMERA_STEPS.values()), "says": self.say(says),
            "dice": [{"body": die.body, "value": die.value} for die in told.dice],
            "answers": [{"label": self.say(one.label), "word": one.action.word}
                        for one in (page.choices if page else ())],
        }  # fmt: skip

    def _panel(self, panel: Panel) -> Document:
        play, seating = self.table.play, self.table.seating
        seat = self.table.scene.seat(panel)
        own = seating.names[panel]  # a person's name stays as it is, a colour is a word
        name = self.say(name_text(own) if seat is None else play.names[seat])
        return {
            "name": name, "colour": own, "seat": None if play.in_lobby else seat,
            "lamp": self.table.panel(panel).lamp,
            "phone": self.table.claimed(panel),
        }  # fmt: skip


def _die(die: object) -> Any:
    seen = to_json(die)
    return {key: seen[key] for key in ("value", "body", "sure", "centre", "size", "outline",
                                       "second", "wrong", "moved", "track")}  # fmt: skip
