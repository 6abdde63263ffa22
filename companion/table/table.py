"""Events in, views out: what a press, a roll or a lost device means at this table.

Synchronous, with no device, clock or socket in it: a test calls `table.handle(event)` and looks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion import events as ev
from companion.errors import Illegal, NoRoom
from companion.games.api import DiceWanted, Die, Game, Pick, sealed
from companion.memory.cardbox import CardBox
from companion.memory.codec import to_json
from companion.memory.journal import Journal
from companion.table import troubles
from companion.table.agreement import carry_out, declined, drafted, misread
from companion.table.calibration_talk import Calibrate, CameraTalk
from companion.table.grids import marked
from companion.table.menu import (
    After,
    Answer,
    Open,
    Propose,
    SignOff,
    TakeBack,
    Throw,
    tells_roll,
    up,
)
from companion.table.offers import (
    PHONE,
    Hand,
    Proposal,
    Scene,
    alike,
    glance,
    held,
    hush,
    offer,
    public_view,
)  # fmt: skip
from companion.table.play import Play
from companion.table.rolls import Verdict, judge, nudged, thrown_again, told_alone
from companion.table.seating import Phones, Seating
from companion.table.witness import Gate
from companion.views import BLANK, Choice, View
from companion.words import Seat, Text, text

log = logging.getLogger(__name__)

STALE = text("The screen changed under your finger. Look, then press again.")
MANY = 1 << 30
NO_ROOM = text("Not taken: the disk is full or locked. Make room, then do it again.")


class Table:
    """What happens on it goes in by `handle`; what is to be seen comes out by `view`."""

    def __init__(
        self,
        shelf: Mapping[str, Game[Any]],
        journal: Journal,
        seating: Seating,
        *,
        pick: Pick,
        salt: Callable[[], str],
        box: CardBox,
        mode: str = "hard",
    ) -> None:
        self.seating = seating
        self.play = Play(
            shelf, journal, names=seating.names, panels=seating.panels,
            mode=mode, pick=pick, salt=salt, box=box,
        )  # fmt: skip
        self._hands = {panel: Hand() for panel in range(seating.panels)}
        self._passing = BLANK  # what was announced and is no news after the next move
        self._lost: dict[str, Text] = {}
        self._looking: dict[str, int] = {}
        self._proposal: Proposal | None = None
        self._question: Verdict | None = None
        self._wanted: tuple[str, DiceWanted | None] = ("", None)
        self._asked = Gate()
        self._told: dict[str, int] = {}  # faces that character dice have reported
        self._seen: ev.DiceSettled | None = None
        self._taken: int | None = None  # number of the roll that was taken last
        self._lay: tuple[Die, ...] = ()  # dice that may be thrown again, as they were read
        self._offers = 0
        self.camera = CameraTalk()
        self.phones: Phones | None = None
        self._welcomed = 0 if self.play.first else MANY  # presses since the very first start
        self.version = 0  # grows with whatever may change a view
        if self.play.restored is not None:
            self.announce(self.play.restored, passing=True)

    # -- in ------------------------------------------------------------------------------------

    def handle(self, event: ev.Event) -> None:
        """Take one event; what it leads to is on disk when this returns."""
        self.version += 1
        if isinstance(event, ev.ButtonPressed | ev.Chosen):
            self._welcomed += 1
        match event:
            case ev.ButtonPressed(panel, key, offered) if panel in self._hands:
                self._guarded(panel, lambda: self._pressed(panel, key, offered))
            case ev.Chosen(panel, index, offered) if panel in self._hands:
                self._guarded(panel, lambda: self._chosen(panel, index, offered))
            case ev.MenuAsked(panel, opened) if panel in self._hands:
                self._guarded(panel, lambda: self._menu(panel, opened))
            case ev.Misread(panel) if panel in self._hands:
                self._guarded(panel, lambda: self._misread(event))
            case ev.DiceSettled(roll=roll):
                self._ask_anew()
                if roll not in (0, self._taken):  # lay there at the start; a hand only hovered
                    self._seen = event
                    self._taken_up(event)
                    self._consider()
            case ev.GridRead():
                self._laid_out(event)
            case ev.TrayDisturbed():
                self._question = self._seen = None
            case ev.DiceNudged(_, changed) if self.lying is None and not self.play.in_lobby:
                self.announce(nudged(len(changed)))
            case ev.CharacterDie():
                self._reported(event)
            case ev.ButtonStorm(panel, key, over):
                trouble = None if over else troubles.chatters(panel, key)
                self._device(f"button {panel}/{key}", trouble, troubles.quiet(panel, key))
            case ev.Unwell(says):
                log.warning("%s", says.show())
                self.announce(says)
            case ev.CameraTold():
                self._camera_told(event)
            case ev.CameraAsked(word, asker):
                self.camera.ask(word, asker)
            case ev.DeviceDown(name, why):
                if name == "eye" and self.camera.told is not None:
                    self._camera_told(ev.CameraTold("failed", why="lost"))
                self._device(name, troubles.lost(name, why, name in self.seating.displays))
            case ev.DeviceUp(name):
                self._device(name, None, troubles.back(name, name in self.seating.displays))

    # -- out -----------------------------------------------------------------------------------

    def view(self, display: str) -> View:
        """What is to stand on a display now."""
        return replace(self._view(display), entry=self.play.entry)

    def _view(self, display: str) -> View:
        panels = self.seating.displays[display]
        if len(panels) == 1:
            return self.panel(panels[0])
        if (looking := self._looking.get(display)) is not None:
            return self.panel(looking)
        public, codes = glance(self.scene), self.scene.codes
        if (
            self.play.in_lobby and codes and troubles.SAFE in self._lost
        ):  # no button works: the page
            return replace(public, waiting=text("{address}", address=codes[-1].says))
        if self.play.in_lobby and self._welcomed < len(codes):
            code = codes[self._welcomed]
            return replace(public, waiting=text("Scan this"), parts=(code,), notice=BLANK)
        wanted = [panel for panel in panels if self.panel(panel).lamp]
        if not wanted:
            return public
        if self.play.in_lobby:
            return replace(public, waiting=text("Press any button"))
        who = Seat(self.play.players.index(wanted[0]))
        waiting = text("{who}: press select. Others look away.", who=who)
        return replace(public, waiting=waiting, lamp=True)

    def panel(self, panel: int) -> View:
        """What a panel's seat sees and may press: its own display and its phones show this."""
        hand, scene = self._hands[panel], self.scene
        view, first = offer(scene, panel, hand)
        if view.choices != hand.choices or hand.seq == 0:
            self._offers += 1
            if not alike(hand.choices, view.choices):
                hand.cursor = first
            if self._proposal is not None:  # read what it leads to, then agree
                hand.page = 0
            elif not hand.choices:  # called to the table: show what there is to choose
                hand.page = None
            hand.choices, hand.seq = view.choices, self._offers
        note = self.phones.note(panel) if self.phones else ()
        return held(scene, panel, hand, view, note)

    def menu(self, panel: int) -> bool | None:
        """Whether the table's menu stands open at this panel; None: there is none now."""
        asked = self._proposal is not None or self.camera.page(panel) is not None
        if asked or panel not in self.play.players or self.play.over:
            return None
        if self.play.in_lobby and not self.scene.codes and not self.camera.there:
            return None
        return bool(self._hands[panel].path)

    def public(self) -> View:
        """What anybody may see."""
        return public_view(self.scene)

    @property
    def wanted(self) -> DiceWanted | None:
        """The roll that the table waits for."""
        return self.play.line.waiting.dice

    @property
    def lying(self) -> DiceWanted | None:
        """The dice that hands may take up and throw again without a press."""
        return self.play.line.game.dice.on_table(self.play.line.state)

    @property
    def scene(self) -> Scene:
        """All that a view is made from."""
        play, phones = self.play, self.phones
        claimed = frozenset(panel for panel in self._hands if phones and phones.claimed(panel))
        return Scene(
            play.line, play.players, play.names, play.mode, play.in_lobby,
            self._proposal, self._question, tuple(self._lost.values()), self.camera,
            claimed, self.phones.codes() if self.phones else (),
        )  # fmt: skip

    def moment(self) -> tuple[int, ev.Chosen] | None:
        """What is chosen by itself unless somebody presses, and after how many seconds."""
        seconds, panel = self.play.moment
        if not seconds or self._proposal is not None or self.menu(panel):
            return None
        return seconds, ev.Chosen(panel, 0, self.panel(panel).seq)

    @property
    def lost(self) -> Mapping[str, Text]:
        """The devices that do not answer, each with its sentence."""
        return dict(self._lost)

    def trouble(self, name: str, says: Text) -> None:
        """Something stays wrong: every screen says so until it is mended."""
        self._device(name, says)

    def announce(self, notice: Text, passing: bool = False) -> None:
        """Say something on every panel, until its next press, or in passing: until a move."""
        self._passing = notice if passing else BLANK
        for hand in self._hands.values():
            hand.notice = notice

    # -- presses -------------------------------------------------------------------------------

    def _guarded(self, panel: int, act: Callable[[], None]) -> None:
        """Whatever is refused is said to the one who asked, and nothing has happened."""
        hand = self._hands[panel]
        hand.notice = BLANK
        try:
            self.play.go_on()
            act()
        except Illegal as refusal:
            hand.notice = text("{why} ({rule})", why=refusal.why, rule=refusal.rule)
            log.info("panel %d was refused by %s", panel, refusal.rule)
        except NoRoom as error:
            hand.notice = NO_ROOM
            log.error("%s", error)

    def _pressed(self, panel: int, key: ev.Key, offered: int | None) -> None:
        if self._gate(panel):
            return
        view, hand = self.panel(panel), self._hands[panel]
        looking = view.page is not None
        match key:
            case "previous" | "next" if looking:
                hand.page = (hand.page or 0) + (1 if key == "next" else -1)
            case "previous" | "next":
                hand.cursor = (hand.cursor + (1 if key == "next" else -1)) % len(view.choices)
            case "back":
                self._back(panel, hand, looking)
            case "select" if looking:
                hand.page = None
                hand.notice = BLANK if view.choices else view.waiting
            case "select" if offered is not None and offered != view.seq:
                hand.notice = STALE
            case "select":
                self._take(panel, view.choices[hand.cursor])

    def _back(self, panel: int, hand: Hand, looking: bool) -> None:
        """The choices, then a look at the table, then the table's menu, then the choices again."""
        if hand.path:
            hand.path, hand.page = up(hand.path), None
        elif not looking:
            hand.page = 0
            self._unlook(panel)
        else:
            self._menu(panel, opened=True)

    def _menu(self, panel: int, opened: bool) -> None:
        hand = self._hands[panel]
        hand.page = None
        if not opened:
            hand.path = up(hand.path)
        elif self.menu(panel) is not None:
            hand.path = ("menu",)

    def _chosen(self, panel: int, index: int, offered: int) -> None:
        view, hand = self.panel(panel), self._hands[panel]
        if offered != view.seq or not 0 <= index < len(view.choices):
            hand.notice = STALE
            return
        hand.cursor = index
        self._take(panel, view.choices[index])

    def _take(self, panel: int, choice: Choice) -> None:
        hand, game = self._hands[panel], self.play.number
        match choice.action:
            case Open(path):
                hand.path, hand.page = path, 0 if path == PHONE else None
                return
            case TakeBack(seq):
                self.play.take_back(panel, seq)
            case Propose():
                self._propose(panel, choice.action)
            case Answer(agree):
                self._answer(panel, agree)
            case Throw(rolled):
                self.play.act(rolled, None)
                self._roll_is_in()
            case SignOff():
                if self.phones is not None:
                    self.phones.revoke(panel)
            case Calibrate(word):
                self.camera.ask(word, panel)
            case After(again):
                self.play.again() if again else self.play.stop()
            case action:
                self._decide(action)
                hush(self._hands.values(), self._passing)
        hand.path, hand.page = (), None
        if self.play.number != game and self.play.trouble is not None:
            self.announce(self.play.trouble)
        shared = panel in self._looking.values()
        if shared and (self.play.number != game or not self.panel(panel).lamp):
            self._unlook(panel)

    def _decide(self, action: Any) -> None:
        """A player's own move; what it was against is said."""
        against = self.play.decide(action)
        if against is None:
            return
        rule, why, who = against.rule, against.why, Seat(action.seat)
        if not sealed(action):  # which rule it is may tell the card: the game says it later
            self.announce(text("{who} plays against {rule}", who=who, rule=rule))
        own = text("Against {rule}: {why}", rule=rule, why=why)
        self._hands[self.play.players[action.seat]].notice = own

    def _propose(self, panel: int, wish: Propose) -> None:
        self._proposal = drafted(self.play.line, self.play.seat(panel), wish)
        hush(self._hands.values(), self._passing)
        self._answer(panel, agree=True)

    def _answer(self, panel: int, agree: bool) -> None:
        seat, proposal = self.play.seat(panel), self._proposal
        if proposal is None:
            raise Illegal("table", text("Nothing is proposed."))
        if not agree:
            self._proposal = None
            self.announce(declined(proposal, seat), passing=True)
            self._consider()  # dice that came to rest meanwhile
            return
        self._proposal = proposal.with_word_of(seat)
        if len(self._proposal.agreed) < len(self.play.players):
            return
        try:
            carry_out(self.play, proposal)
        finally:
            self._proposal = None
        self.announce(text("Agreed by all."), passing=True)

    # -- dice and devices ----------------------------------------------------------------------

    def _ask_anew(self) -> DiceWanted | None:
        """A new roll is wanted: whatever dice did before it was asked for does not count."""
        wanted = self.wanted
        if self._wanted != (self.play.entry, wanted):
            self._wanted = (self.play.entry, wanted)
            may = wanted or self.lying
            self._asked = Gate().ask(*(may.characters if may else ()))
            self._told, self._seen, self._question = {}, None, None
        return wanted

    def _taken_up(self, seen: ev.DiceSettled) -> None:
        """Who picks up dice and throws them again has said so with his hands."""
        lying, again, told = self.lying, self.play.line.game.dice.rethrow, self._told
        if lying is None or again is None or self._proposal is not None:
            return
        turned = sorted(map(repr, lying.kept)) != sorted(map(repr, self._lay))
        if places := thrown_again(lying, seen.dice, turned):
            if self._heard(lambda: self._decide(again(self.play.line.state, places))):
                self._ask_anew()
                self._told, self._seen = told, seen
        elif places is not None:
            self._lay = lying.kept

    def _misread(self, said: ev.Misread) -> None:
        """A roll that does not count yet is read as told; for one that does, all must agree."""
        if self._proposal is not None:
            raise Illegal("table", text("First answer what is proposed."))
        if self.wanted is not None and said.seen.roll not in (0, self._taken):
            self.handle(said.seen.told(said.track, said.value))
        else:
            self._propose(said.seat, misread(self.play.line, said))

    def _reported(self, report: ev.CharacterDie) -> None:
        """A character die speaks; it counts only when it was asked for."""
        self._ask_anew()
        if report.state == "crooked" and report.die in self._asked.asked:
            self.announce(text("{die}'s die lies crooked: throw it again.", die=report.die))
        if self._asked.only_moved(report):
            self.announce(text("{die}'s die did not roll: throw it again.", die=report.die))
        self._asked, rolled = self._asked.hear(report)
        if rolled is not None:
            self._told[rolled.die] = rolled.face
            self._consider()

    def _consider(self) -> None:
        """A roll counts only when it was asked for; what is doubtful is asked, not guessed."""
        wanted, seen = self._ask_anew(), self._seen
        if wanted is None or self._proposal is not None:
            return
        if seen is None:
            verdict = Verdict(told_alone(wanted, self._told))
        else:
            verdict = judge(wanted, seen.dice, seen.accepted, self._told)
        self._question = verdict if verdict.why is not None else None
        if verdict.rolled is None:
            return
        self._taken = seen.roll if seen else self._taken
        dice = [to_json(die) for die in seen.dice] if seen else []
        self._observed(verdict.rolled, dice, seen.picture if seen else b"")

    @property
    def wants_grid(self) -> bool:
        """Does the game wait for tiles to be laid out, so that the eye shall look for them?"""
        game, state = self.play.line.game, self.play.line.state
        return game.grid_action is not None and game.grid_action(state, ()) is not None

    def _laid_out(self, seen: ev.GridRead) -> None:
        """A grid counts where the game waits for one; the game itself asks for doubtful tiles."""
        game, state = self.play.line.game, self.play.line.state
        if game.grid_action is None or self._proposal is not None:
            return
        action = game.grid_action(state, marked(seen))
        if action is not None:
            self._observed(action, [to_json(seen.rows), to_json(seen.sure)], seen.picture)

    def _observed(self, action: Any, reading: list[Any], picture: bytes) -> None:
        """What the eye saw happens, if the rules allow it."""
        if self._heard(lambda: self.play.act(action, None)):
            self._roll_is_in()
            if reading:
                self._heard(lambda: self.play.reading(reading, picture))

    def _roll_is_in(self) -> None:
        self._question, self._lay = None, lying.kept if (lying := self.lying) else ()
        for hand in self._hands.values():  # nobody need tell it by hand any more
            hand.path = () if tells_roll(hand.path) else hand.path

    def _heard(self, act: Callable[[], None]) -> bool:
        """Do what was seen; a refusal is said to everybody, for nobody pressed."""
        try:
            act()
        except Illegal as refusal:
            self.announce(text("{why} ({rule})", why=refusal.why, rule=refusal.rule))
            return False
        except NoRoom as error:
            self.announce(NO_ROOM)
            log.error("%s", error)
            return False
        return True

    def _camera_told(self, told: ev.CameraTold) -> None:
        says, stands = self.camera.hear(told)
        if told.step in ("fits", "done"):
            self._lost.pop("camera", None)
        if says is not None:
            self._device("camera", says) if stands else self.announce(says)

    def _device(self, name: str, trouble: Text | None, back: Text = BLANK) -> None:
        if trouble is not None:
            log.warning("%s", trouble.show())
            self._lost[name] = trouble
            self.announce(trouble)
        elif self._lost.pop(name, None) is not None:
            log.info("%s", back.show())
            self.announce(back)

    # -- shared displays -----------------------------------------------------------------------

    def _gate(self, panel: int) -> bool:
        """On a shared display the first press only says whose eyes look now."""
        for display, panels in self.seating.displays.items():
            if panel not in panels or len(panels) < 2 or self._looking.get(display) == panel:
                continue
            looking = self._looking.get(display)
            private = not self.play.in_lobby and not self.play.over
            if looking is not None and private and self.panel(looking).lamp:
                self._hands[looking].notice = text("Another seat waits for this display.")
            else:
                self._looking[display] = panel
            return True
        return False

    def _unlook(self, panel: int) -> None:
        self._looking = {name: who for name, who in self._looking.items() if who != panel}
