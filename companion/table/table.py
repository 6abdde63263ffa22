"""Events in, views out: what a press, a roll or a lost device means at this table.

Synchronous, with no device, clock or socket in it: a test calls `table.handle(event)` and looks.
Four small machines do the work: fingers, tray, agreement, troubles; `Play` holds the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, assert_never

from companion import events as ev
from companion.games.api import Game
from companion.memory.cardbox import CardBox
from companion.memory.journal import Journal
from companion.memory.seals import short
from companion.table import troubles
from companion.table.agreement import Agreement, drafted, misread
from companion.table.calibration_talk import Calibrate, CameraTalk
from companion.table.fingers import Fingers
from companion.table.menu import After, Answer, Open, Propose, SignOff, TakeBack, Throw, up
from companion.table.mover import Mover
from companion.table.offers import PHONE, SEED, Scene, glance, offer, public_view, with_finger
from companion.table.play import Play
from companion.table.seating import Phones, Seating
from companion.table.troubles import Troubles
from companion.table.watched import Watched
from companion.views import BLANK, Choice, View
from companion.words import Panel, Seat, Text, text

Asked: TypeAlias = ev.ButtonPressed | ev.Chosen | ev.MenuAsked | ev.Misread
MANY = 1 << 30


class Table:
    """What happens on it goes in by `handle`; what is to be seen comes out by `view`."""

    def __init__(
        self,
        shelf: Mapping[str, Game[Any]],
        journal: Journal,
        seating: Seating,
        *,
        draw: Callable[[], str],
        box: CardBox,
        mode: str = "hard",
    ) -> None:
        self.seating = seating
        self.play = Play(
            shelf, journal, names=seating.names, panels=seating.panels,
            mode=mode, draw=draw, box=box,
        )  # fmt: skip
        self._fingers = Fingers(seating.panels, seating.displays)
        self._agreement, self._troubles = Agreement(), Troubles()
        self._mover = Mover(self.play, self._fingers)
        self.watched = Watched(self._mover, self._agreement)
        self._phones: Phones | None = None
        self._welcomed = 0 if self.play.first else MANY  # presses since the very first start
        if (said := self.play.trouble or self.play.restored) is not None:
            self.announce(said, passing=self.play.trouble is None)
        self._make_offers()

    # -- in ------------------------------------------------------------------------------------

    def handle(self, event: ev.Event) -> None:
        """Take one event; what it leads to is on disk when this returns."""
        if isinstance(event, ev.ButtonPressed | ev.Chosen):
            self._welcomed += 1
        match event:
            case ev.ButtonPressed() | ev.Chosen() | ev.MenuAsked() | ev.Misread():
                if (panel := event.panel) in self._fingers:
                    self._mover.pressed(panel, lambda: self._obey(panel, event))
            case ev.DiceSettled():
                self.watched.settled(event)
            case ev.TrayDisturbed():
                self.watched.disturbed()
            case ev.DiceNudged():
                self.watched.nudged(event)
            case ev.CharacterDie():
                self.watched.reported(event)
            case ev.GridRead():
                self.watched.laid_out(event)
            case ev.ButtonStorm() | ev.DeviceDown() | ev.DeviceUp() | ev.Unwell() | ev.CameraTold():
                for says in self._troubles.reported(event, self.seating.displays):
                    self.announce(says)
            case ev.CameraAsked(word, asker):
                self.camera.ask(word, asker)
            case ev.PhonesChanged() | ev.ShutdownAsked() | ev.Pulse():
                pass  # nothing of the table's own; offers are made anew below
            case _:
                assert_never(event)
        self._make_offers()

    def trouble(self, name: str, says: Text) -> None:
        """Something stays wrong: every screen says so until it is mended."""
        self.announce(self._troubles.began(name, says))
        self._make_offers()

    def announce(self, notice: Text, passing: bool = False) -> None:
        """Say something on every panel, until its next press, or in passing: until a move."""
        self._fingers.announce(notice, passing)

    def seat_phones(self, phones: Phones) -> None:
        """The browsers that may speak for seats."""
        self._phones = phones
        self._make_offers()

    # -- out -----------------------------------------------------------------------------------

    def view(self, display: str) -> View:
        """What is to stand on a display now."""
        return replace(self._view(display), entry=self.play.entry)

    def _view(self, display: str) -> View:
        panels = self.seating.displays[display]
        if len(panels) == 1:
            return self.panel(panels[0])
        if (looking := self._fingers.looking(display)) is not None:
            return self.panel(looking)
        public, codes = glance(self.scene), self.scene.codes
        if self.play.in_lobby and codes and troubles.SAFE in self.lost:  # no button works: the page
            return replace(public, waiting=text("{address}", address=codes[-1].says))
        welcome = self._welcomed < len(codes) and troubles.JOURNAL not in self.lost
        if self.play.in_lobby and welcome:
            code = codes[self._welcomed]
            return replace(public, waiting=text("Scan this"), parts=(code,), notice=BLANK)
        wanted = [panel for panel in panels if self.panel(panel).lamp]
        if not wanted:
            return public
        if self.play.in_lobby:
            return replace(public, waiting=text("Press any button"))
        who = Seat(self.play.seat(wanted[0]))
        waiting = text("{who}: press select. Others look away.", who=who)
        return replace(public, waiting=waiting, lamp=True)

    def panel(self, panel: Panel) -> View:
        """What a panel's seat sees and may press: its own display and its phones show this."""
        note = self._phones.note(panel) if self._phones else ()
        return with_finger(self.scene, panel, self._fingers[panel], note)

    def menu(self, panel: Panel) -> bool | None:
        """Whether the table's menu stands open at this panel; None: there is none now."""
        asked = self._agreement.proposal is not None or self.camera.page(panel) is not None
        if asked or panel not in self.play.players or self.play.over:
            return None
        if self.play.in_lobby and not self.scene.codes and not self.camera.there:
            return None
        return bool(self._fingers[panel].path)

    def public(self) -> View:
        """What anybody may see."""
        return public_view(self.scene)

    def claimed(self, panel: Panel) -> bool:
        """Whether a phone speaks for this panel."""
        return panel in self.scene.phones

    def moment(self) -> tuple[int, ev.Chosen] | None:
        """What is chosen by itself unless somebody presses, and after how many seconds."""
        seconds, panel = self.play.moment
        if not seconds or self._agreement.proposal is not None or self.menu(panel):
            return None
        return seconds, ev.Chosen(panel, 0, self.panel(panel).seq)

    @property
    def camera(self) -> CameraTalk:
        """The talk with the camera about its calibration."""
        return self._troubles.camera

    @property
    def lost(self) -> Mapping[str, Text]:
        """The devices that do not answer, each with its sentence."""
        return self._troubles.all

    # -- presses -------------------------------------------------------------------------------

    def _make_offers(self) -> None:
        """Every offer, once for each event: whoever looks afterwards looks it up."""
        play, phones = self.play, self._phones
        self.scene = Scene(
            play.line, play.players, play.names, play.mode, play.in_lobby,
            self._agreement.proposal, self.watched.tray.question, tuple(self.lost.values()),
            self.camera, frozenset(p for p in self._fingers if phones and phones.claimed(p)),
            phones.codes() if phones else (), play.binding.code, play.binding.revealed(play.over),
        )  # fmt: skip
        for panel in self._fingers:
            view, first = offer(self.scene, panel, self._fingers[panel].path)
            self._fingers.offer(panel, view, first, asked=self._agreement.proposal is not None)

    def _obey(self, panel: Panel, event: Asked) -> None:
        """Somebody at a panel wants something; first whatever a full disk had stopped half-way."""
        finger, choice, before = self._fingers[panel], None, self.play.entry
        self.play.go_on()
        if self.play.entry != before:
            self._make_offers()
        match event:
            case ev.MenuAsked(_, opened):
                self._open_menu(panel, opened)
            case ev.Misread():
                if not self.watched.misread(event):
                    self._propose(panel, misread(self.play.line, event))
            case ev.Chosen(_, index, offered):
                choice = finger.pick(index, offered)
            case ev.ButtonPressed(_, key, offered):
                if self._fingers.claim_display(panel, self._waited_for()):
                    return
                match key:
                    case "previous" | "next":
                        self._fingers.step(panel, key)
                    case "back":
                        if self._fingers.back(panel):
                            self._open_menu(panel, opened=True)
                    case "select":
                        choice = finger.select(offered)
                    case _:
                        assert_never(key)
            case _:
                assert_never(event)
        if choice is not None:
            self._choose(panel, choice)

    def _open_menu(self, panel: Panel, opened: bool) -> None:
        finger = self._fingers[panel]
        finger.page = None
        if not opened:
            finger.path = up(finger.path)
        elif self.menu(panel) is not None:
            finger.path = ("menu",)

    def _waited_for(self) -> frozenset[Panel]:
        """The panels whose private views the table waits for."""
        if self.play.in_lobby or self.play.over:
            return frozenset()
        return frozenset(panel for panel in self._fingers if self.panel(panel).lamp)

    def _choose(self, panel: Panel, choice: Choice) -> None:
        finger, game, trouble = self._fingers[panel], self.play.number, self.play.trouble
        match choice.action:
            case Open(path):
                finger.path, finger.page = path, 0 if path in (PHONE, SEED) else None
                return
            case TakeBack(seq):
                self.play.take_back(panel, seq)
            case Propose():
                self._propose(panel, choice.action)
            case Answer(agree):
                self._answer(panel, agree)
            case Throw(rolled):
                self.play.act(rolled, None)
                self.watched.roll_is_in()
            case SignOff():
                if self._phones is not None:
                    self._phones.revoke(panel)
            case Calibrate(word):
                self.camera.ask(word, panel)
            case After(again):
                self.play.again() if again else self.play.stop()
            case action:
                self._mover.decide(action)
                self._fingers.clear_notices()
        finger.path, finger.page = (), None
        self._troubles.accepted()
        if self.play.trouble is not None and self.play.trouble is not trouble:
            self.announce(self.play.trouble)
        if self._fingers.shares_display(panel):
            self._make_offers()
            if self.play.number != game or not self.panel(panel).lamp:
                self._fingers.leave_display(panel)

    def _propose(self, panel: Panel, wish: Propose) -> None:
        self._agreement.proposal = drafted(self.play.line, self.play.seat(panel), wish)
        self._fingers.clear_notices()
        self._answer(panel, agree=True)

    def _answer(self, panel: Panel, agree: bool) -> None:
        seat = self.play.seat(panel)
        if not agree:
            self.announce(self._agreement.declined(seat), passing=True)
            self.watched.consider()  # dice that came to rest meanwhile
        elif (proposal := self._agreement.agreed(seat, len(self.play.players))) is not None:
            seed = self.play.binding.revealed(proposal.kind == "stop")
            self.play.carry_out(proposal)
            given_up = text("Given up. Seed {seed}", seed=short(seed))
            self.announce(given_up if seed else text("Agreed by all."), passing=True)
