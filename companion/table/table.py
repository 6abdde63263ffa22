"""Events in, views out: what a press, a roll or a lost device means at this table.

Synchronous, with no device, clock or socket in it: a test calls `table.handle(event)` and looks.
Four small machines do the work: fingers, tray, agreement, troubles; `Play` holds the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, assert_never

from companion import events as ev
from companion.bots.api import Players
from companion.games.api import Game
from companion.memory.cardbox import CardBox
from companion.memory.journal import Journal
from companion.table import troubles
from companion.table.agreement import Agreement, misread
from companion.table.asked import goes_by_itself
from companion.table.calibration_talk import CameraTalk
from companion.table.company import Company
from companion.table.fingers import Fingers
from companion.table.menu import SignOff, up
from companion.table.mover import Mover
from companion.table.offers import (
    BY_HAND,
    Scene,
    doubted,
    glance,
    offer,
    public_view,
    with_finger,
)
from companion.table.play import Play
from companion.table.seating import Phones, Seating
from companion.table.teaching import Teaching
from companion.table.telling import Telling
from companion.table.troubles import Troubles
from companion.table.watched import Watched
from companion.table.wishes import Wishes
from companion.views import BLANK, READ, Choice, Ending, View
from companion.words import Panel, Seat, Text, text

Asked: TypeAlias = ev.ButtonPressed | ev.Chosen | ev.MenuAsked | ev.Misread | ev.Named
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
        goes_on: bool = True,
        cardboard: bool = True,
        players: Players = lambda _key: (),
    ) -> None:
        self.seating, self._goes_on = seating, goes_on
        self.play = Play(
            shelf, journal, names=seating.names, panels=seating.panels,
            mode=mode, draw=draw, box=box, cardboard=cardboard, players=players,
        )  # fmt: skip
        self._fingers = Fingers(seating.panels, seating.displays)
        self._agreement, self._troubles, self.company = Agreement(), Troubles(), Company(self.play)
        self.telling, self._teaching = Telling(self._fingers, goes_on), Teaching()
        self._mover = Mover(self.play, self._fingers)
        self.watched = Watched(self._mover, self._agreement)
        self._wishes = Wishes(self.watched, self._agreement, self._troubles)
        self._phones: Phones | None = None
        self._welcomed = 0 if self.play.first else MANY  # presses since the very first start
        if (said := self.play.trouble or self.play.restored) is not None:
            self.announce(said, passing=self.play.trouble is None)
        self._make_offers()
        if not self.play.in_lobby:
            self.telling.recall(self.play.line, self.scene.seat)

    # -- in ------------------------------------------------------------------------------------

    def handle(self, event: ev.Event) -> None:
        """Take one event; what it leads to is on disk when this returns."""
        if isinstance(event, ev.ButtonPressed | ev.Chosen):
            self._welcomed, self._troubles.messages = self._welcomed + 1, ()
        line = self.play.line
        match event:
            case ev.ButtonPressed() | ev.Chosen() | ev.MenuAsked() | ev.Misread() | ev.Named():
                if (panel := event.panel) in self._fingers:
                    pressed = isinstance(event, ev.ButtonPressed)
                    reads = pressed and self.telling[panel].leaf is not None
                    self._mover.pressed(panel, lambda: self._obey(panel, event), reads, pressed)
            case ev.BoxTold():
                self._mover.pressed(event.panel, lambda: self._wishes.box(event))
            case (
                ev.DiceSettled() | ev.TrayDisturbed() | ev.DiceNudged() | ev.CharacterDie()
                | ev.GridRead()
            ):  # fmt: skip
                self.watched.saw(event)
            case (
                ev.ButtonStorm() | ev.ButtonStuck() | ev.DeviceDown() | ev.DeviceUp()
                | ev.Unwell() | ev.CameraTold()
            ):  # fmt: skip
                for says in self._troubles.reported(event, self.seating.displays):
                    self.announce(says)
            case ev.CameraAsked(word, asker):
                self.camera.ask(word, asker)
            case ev.Message(says):
                self._troubles.messages = (text("{says}", says=says),) if says else ()
            case ev.LeafRead(number):
                self.telling.turn(number)
            case ev.Decided() if self._agreement.proposal is None:  # else it would change that
                self._mover.observed(lambda: self.company.carry_out(event))
            case ev.Reviewed():
                self.company.looked_back(event)
            case ev.PhonesChanged() | ev.ShutdownAsked() | ev.Pulse() | ev.Decided():
                pass  # nothing of the table's own; offers are made anew below
            case _:
                assert_never(event)
        self._make_offers()
        self.telling.went_on(line, self.play.line, self.scene.seat, self.play.course.seats)

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
        public = self.telling.on(glance(self.scene), None)
        codes = self.scene.codes
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
        return self.telling.on(with_finger(self.scene, panel, self._fingers[panel], note), panel)

    def menu(self, panel: Panel) -> bool | None:
        """Whether the table's menu stands open at this panel; None: there is none now."""
        asked = self._agreement.proposal is not None or self.camera.page(panel) is not None
        if asked or panel not in self.play.players:
            return None
        if self.play.in_lobby and not (self.scene.codes or self.camera.there or self.scene.box):
            return None
        return bool(self._fingers[panel].path)

    def public(self) -> View:
        """What anybody may see."""
        return self.telling.on(public_view(self.scene), None)

    def claimed(self, panel: Panel) -> bool:
        """Whether a phone speaks for this panel."""
        return panel in self.scene.phones

    def moment(self) -> tuple[float, ev.Event] | None:
        """What comes by itself unless somebody presses, and after how many seconds."""
        if self.telling.under_way:
            return self.telling.moment, ev.LeafRead(self.telling.number)
        presses = self._goes_on and not self.play.in_lobby
        panel = goes_by_itself(self.play.line, self.play.players) if presses else None
        busy = any(self._fingers[panel].path for panel in self._fingers)
        if panel is None or busy or self._agreement.proposal is not None:
            return None
        view = self.panel(panel)
        if view.page is not None or view.cursor:
            return None  # he looks at the table, or points at something else
        return self.play.line.waiting.moment, ev.Chosen(panel, 0, view.seq)

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
            self._agreement.proposal, self.watched.tray.question, self._troubles.told,
            self.camera, frozenset(p for p in self._fingers if phones and phones.claimed(p)),
            phones.codes() if phones else (),
            tuple(phones.place(p) for p in self._fingers) if phones else (),
            tuple(panel for panel in self._fingers if panel not in play.players),
            (*play.known, *self.seating.names), play.left,
            play.binding.code, play.binding.revealed(play.over), play.box, self._goes_on,
            frozenset(play.company), self.company.reasons, play.able, play.shelf,
            self._teaching.tips(play.line, play.course.seats), play.first,
        )  # fmt: skip
        for panel in self._fingers:
            finger = self._fingers[panel]
            view, first = doubted(finger, *offer(self.scene, panel, finger.path))
            reads = self.scene.proposal is not None or (not finger.path and _read_first(view))
            self._fingers.offer(panel, view, first, reads)

    def _obey(self, panel: Panel, event: Asked) -> None:
        """Somebody at a panel wants something; first whatever a full disk had stopped half-way."""
        finger, choice, before = self._fingers[panel], None, self.play.entry
        self.play.go_on()
        if self.play.entry != before:
            self._make_offers()
        match event:
            case ev.Named(_, name):
                self.play.call(panel, name)
            case ev.MenuAsked(_, opened):
                self._open_menu(panel, opened)
            case ev.Misread():
                if not self.watched.misread(event):
                    self._wishes.propose(panel, misread(self.play.line, event))
            case ev.Chosen(_, index, offered):
                self.telling.read(panel, READ)
                choice = finger.pick(index, offered)
            case ev.ButtonPressed(_, key, offered):
                if self._fingers.claim_display(panel, self._waited_for):
                    return
                if self.telling.read(panel, offered):
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

    def _waited_for(self, panel: Panel) -> bool:
        """Whether the table waits for the private view of this panel."""
        return not self.play.in_lobby and not self.play.over and self.panel(panel).lamp

    def _choose(self, panel: Panel, choice: Choice) -> None:
        game, finger = self.play.number, self._fingers[panel]
        finger.doubt = finger.doubt if finger.path[:1] == ("rule",) else ()
        if isinstance(choice.action, SignOff) and self._phones is not None:
            self._phones.revoke(panel)
        self._wishes.fulfil(panel, choice.action)
        if self._fingers.shares_display(panel):
            self._make_offers()
            if self.play.number != game or not self.panel(panel).lamp:
                self._fingers.leave_display(panel)


def _read_first(view: View) -> bool:
    """Where the choices are not what anybody looks for: at the end, and while dice are thrown."""
    over = bool(view.parts) and isinstance(view.parts[0], Ending)
    return over or view.tip != BLANK or [choice.action for choice in view.choices] == [BY_HAND]
