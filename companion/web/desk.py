"""What the pages may ask of the daemon, and the flat documents that they get."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from companion.bots.api import Analyst
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
from companion.games.api import Game, Rolled
from companion.memory.codec import Say, beat_to_json, result_to_json, to_json, view_to_json
from companion.memory.timeline import Timeline
from companion.settings.settings import WebSettings, WifiSettings
from companion.table.fingers import STALE
from companion.table.lobby import Leave, PutBack
from companion.table.menu import After, Open, Propose, SignOff, Vote
from companion.table.mover import NO_ROOM
from companion.table.offers import Logged, Scene, log_of, public_view
from companion.table.table import Table
from companion.views import Ending, View
from companion.web.feed import Document
from companion.words import Panel, Text, Translate, name_text, text

Viewer: TypeAlias = Panel | Literal["public", "table"]
"""A seat's panel; anybody; or the virtual table, which is the hardware and shows every glass."""

reader: ContextVar[str] = ContextVar("reader", default="")
"""The language that whoever asks has chosen for himself; "" is the table's."""

LOG = 12  # moves that a page tells of
DEMO = text("A demo. Press any button at the table to play.")


class Demo(Protocol):
    """Companions that play while nobody is here, as far as pages show it."""

    number: int
    line: Timeline | None
    names: tuple[Text, ...]


class Eye(Protocol):
    """The eye over the tray, as far as pages may use it; an order that fails says why."""

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
    languages: Mapping[str, Translate] = field(default_factory=dict)  # a reader may choose from
    health: Callable[[], list[dict[str, str]]] = list  # every finding in words; takes a while
    analyst: Analyst = lambda _game, _played: iter(())  # what decisions were worth
    demo: Demo | None = None  # what is shown while nobody is at the table
    seen: DiceSettled | None = None  # what lies in the tray, while nothing moves there
    glasses: dict[str, Callable[[], Document]] = field(default_factory=dict)
    tray: dict[str, Any] = field(default_factory=dict)
    picture: bytes = b""

    def say(self, told: Text, names: tuple[Text, ...] | None = None) -> str:
        """A text in the reader's language."""
        return told.show(self.table.play.names if names is None else names, self.speaks)

    @property
    def speaks(self) -> Translate:
        """The reader's language, or else the table's."""
        return self.languages.get(reader.get(), self.translate)

    @property
    def reader(self) -> str:
        """Who asks has chosen this language; "" if none that we know."""
        return reader.get() if reader.get() in self.languages else ""

    def game_shown(self) -> str:
        """The key of the game on the table, of the one chosen there, or of the demo; "" if none."""
        demo = self.demo.line if self.demo else None
        line = demo or self.table.play.line
        key: str = line.state.game if line.game.key == "lobby" else line.game.key
        return key

    def shown(self, display: str, told: Callable[[], Mapping[str, Any]]) -> None:
        """A glass shows something new."""
        kept = ("panels", "frame", "says", "private")
        self.glasses[display] = cache(lambda: {key: told()[key] for key in kept})

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
        """What the pages show of dice that rest, without what people said of other dice."""
        dice = [_die(die) for die in self.seen.dice] if self.seen else []
        self.tray = {
            **{key: self.tray[key] for key in ("roll", "accepted", "picture", "characters")
               if key in self.tray},
            "state": state, "dice": dice, **more,
        }  # fmt: skip

    def document(self, viewer: Viewer, language: str = "") -> Document:
        """All that a viewer may know now, in this language."""
        before = reader.set(language)
        try:
            return self._document(viewer)
        finally:
            reader.reset(before)

    def _document(self, viewer: Viewer) -> Document:
        document = self._real(viewer)
        if self.demo is not None and self.demo.line is not None and not isinstance(viewer, int):
            document |= self._demo(self.demo, self.demo.line)
        return document

    def _demo(self, demo: Demo, line: Timeline) -> Document:
        """What companions play while nobody is at the table, in the place of the empty lobby."""
        scene = Scene(line, (None,) * len(demo.names), demo.names, "hard", False, None, None, (),
                      self.table.camera)  # fmt: skip
        beats = line.beats(line.moves[-1], None) if line.moves else ()
        view = replace(public_view(scene), beats=beats, notice=DEMO)
        parts = tuple(part for part in view.parts if not isinstance(part, Ending))
        say = partial(self.say, names=demo.names)
        waited = line.waiting.seats
        return {
            **self._view(replace(view, parts=parts)), "demo": True, "bad": False,
            "game": line.game.key, "name": say(line.game.name), "over": line.result is not None,
            "result": result_to_json(line.result, say), "entry": f"demo {demo.number}/{line.seq}",
            "log": [_logged(one, say) for one in log_of(scene, None, LOG)],
            "company": [
                {"name": say(name), "seat": seat, "level": "best", "lamp": seat in waited}
                for seat, name in enumerate(demo.names)
            ],
            "dice": False,
        }  # fmt: skip

    def _real(self, viewer: Viewer) -> Document:
        table, play = self.table, self.table.play
        view = table.panel(viewer) if isinstance(viewer, int) else table.public()
        result = play.line.result if play.over else None
        if result is not None:  # pages draw it: it does not stand among the parts once more
            parts = tuple(part for part in view.parts if not isinstance(part, Ending))
            view = replace(view, parts=parts)
        document = self._view(view)
        document |= {
            "viewer": viewer,
            "game": "" if play.in_lobby else play.line.game.key,
            "name": self.say(play.line.game.name),
            "mode": play.mode,
            "over": play.over,
            "result": result_to_json(result, self.say),
            "entry": play.entry,
            "seed": {
                "code": play.binding.code,
                "since": play.binding.since,
                "revealed": play.binding.revealed(play.over),
            },
            "panels": [self._panel(panel) for panel in map(Panel, range(table.seating.panels))],
            "company": [*self._company()],
            "demo": False,
            "log": [_logged(one, self.say) for one in log_of(table.scene, view.seat, LOG)],
            "tray": self.tray,
            "dice": play.in_lobby or Rolled in play.line.game.actions,
            "asked": table.watched.wanted is not None,
        }
        if viewer == "table":
            document["lesson"] = [*self._lesson()]
        if self.eye is not None:
            document["eye"] = {
                "state": self.eye.state,
                "twin": self.eye.twin,
                "size": self.eye.size,
            }
            document["camera"] = self._camera()
        if isinstance(viewer, int):
            document["menu"] = table.menu(viewer)
        return document | self.glasses_for(viewer)

    def glasses_for(self, viewer: Viewer) -> Document:
        """What this viewer may see of the glasses."""
        glasses = {f"glass:{name}": told() for name, told in self.glasses.items()}
        if viewer == "table":
            return glasses
        return {k: one for k, one in glasses.items() if not (one["panels"] or one["private"])}

    def _view(self, view: View) -> Document:
        told = view_to_json(view, partial(self.say, names=view.names))
        for choice, meant in zip(told["choices"], view.choices, strict=True):
            del choice["action"]
            choice["leaves"], choice["good"] = _leaves(meant.action), meant.good
        told["bad"] = self._bad(view.notice)
        told["tip"], told["tip_rules"] = self.say(view.tip, view.names), " ".join(view.tip_rules)
        told["offered"] = told.pop("seq")
        told["cursor"] = view.cursor
        told["names"] = [self.say(name) for name in view.names]
        return told

    def _bad(self, notice: Text) -> bool:
        """A refusal or a trouble; anything else is good news, and passes."""
        troubles = (*self.table.lost.values(), STALE, NO_ROOM)
        return notice in troubles or any(key == "rule" for key, _ in notice.values)

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

    def _company(self) -> Iterator[Document]:
        """The seats that the companion plays: they have no panel."""
        play = self.table.play
        if play.in_lobby:
            for one in play.line.state.players:
                if one.level:
                    name = self.say(name_text(one.name))
                    yield {"name": name, "seat": None, "level": one.level, "lamp": False}
            return
        for seat, bot in play.company.items():
            lamp = not play.over and play.line.waiting.asks(seat)
            name = self.say(play.names[seat])
            yield {"name": name, "seat": seat, "level": bot.level, "lamp": lamp}

    def _lesson(self) -> Iterator[Document]:
        """What a lesson says to each seat: of its decision, then why things happened."""
        for panel in map(Panel, range(self.table.seating.panels)):
            view = self.table.panel(panel)
            why = ((beat.says, beat.rule) for beat in view.beats if beat.alone)
            for says, rules in ((view.tip, " ".join(view.tip_rules)), *why):
                if view.seat is not None and (said := self.say(says, view.names)):
                    name = self.say(view.names[view.seat])
                    yield {"name": name, "says": said, "rules": rules, "tip": says == view.tip}

    def _panel(self, panel: Panel) -> Document:
        play, seating = self.table.play, self.table.seating
        seat = self.table.scene.seat(panel)
        own = seating.names[panel]  # a person's name stays as it is, a colour is a word
        name = self.say(name_text(own) if seat is None else play.names[seat])
        joined = (
            [one.name for one in play.line.state.players if one.panel == panel]
            if (play.in_lobby)
            else []
        )
        if joined:
            name = self.say(name_text(joined[0]))
        return {
            "joined": bool(joined),
            "name": name, "colour": own, "seat": None if play.in_lobby else seat,
            "lamp": self.table.panel(panel).lamp,
            "phone": self.table.claimed(panel),
        }  # fmt: skip


def _logged(one: Logged, say: Say) -> Document:
    beats = [beat_to_json(beat, say) for beat in one.beats]
    return {"seq": one.seq, "told": say(one.told), "rule": one.rule, "beats": beats}


def _leaves(action: object) -> bool:
    """Whether a choice leads away from what is done here: a page shows it as such."""
    if isinstance(action, Propose):
        return action.kind == "stop"
    away = (After(False), Vote(False), Open(()), SignOff())
    return isinstance(action, Leave | PutBack) or action in away


def _die(die: object) -> Any:
    seen = to_json(die)
    return {key: seen[key] for key in ("value", "body", "sure", "centre", "size", "outline",
                                       "second", "wrong", "moved", "track")}  # fmt: skip
