"""What a choice leads to: a move of the game, or something of the table's own."""

from __future__ import annotations

from typing import Any

from companion.events import BoxTold
from companion.memory.seals import short
from companion.memory.timeline import Ruling
from companion.table.agreement import Agreement, drafted
from companion.table.asked import Sure
from companion.table.box_menu import IN_A_ROW, Tell
from companion.table.calibration_talk import CameraChoice
from companion.table.menu import After, HandOver, Open, Propose, SignOff, TakeBack, Throw, Vote
from companion.table.offers import reads_first
from companion.table.own_cards import pending
from companion.table.teaching import Enough
from companion.table.troubles import Troubles
from companion.table.watched import Watched
from companion.words import Panel, Seat, SeatNo, Text, text


class Wishes:
    """Carries out what a panel has chosen; raises Illegal where it cannot be."""

    def __init__(self, watched: Watched, agreement: Agreement, troubles: Troubles) -> None:
        self._watched, self._agreement, self._troubles = watched, agreement, troubles
        self._mover = watched.mover
        self._play, self._fingers = watched.mover.play, watched.mover.fingers

    def fulfil(self, panel: Panel, wish: Any) -> None:
        """Do it; the finger is at the game again, unless the wish was a place in the menu."""
        finger, trouble, number = self._fingers[panel], self._play.trouble, self._play.number
        match wish:
            case Open(path):
                finger.path, finger.page = path, 0 if reads_first(path) else None
                return
            case Tell(game, card, told, then):
                self._play.cards.tell(self._play.shelf[game], card, dict(told))
                finger.path, finger.page = then, None
                if IN_A_ROW not in then:
                    self.amend(panel, game, card)
                return
            case TakeBack(seq):
                self._play.take_back(panel, seq)
            case Propose():
                self.propose(panel, wish)
            case Vote(agree):
                self._answer(panel, agree)
            case Throw(rolled):
                self._watched.entered(rolled)
            case SignOff():
                pass  # the phones know it already
            case CameraChoice(word):
                self._troubles.camera.ask(word, panel)
            case HandOver(seat, to, level):
                self._play.hand_over(seat, to, level)
                self._fingers.announce(_moved(seat, to, level), passing=True)
            case Enough():
                body = {"mode": self._play.mode, "taught": False}
                self._play.enter(self._play.seat(panel), "mode", body, self._play.line.noted())
            case After(again):
                self._play.again() if again else self._play.stop()
            case Sure(action) | action:
                self._mover.decide(action)
                self._fingers.clear_notices()
        finger.path, finger.page = (), None
        if self._play.number != number:
            self._fingers.go_home()
        self._troubles.accepted()
        if self._play.trouble is not None and self._play.trouble is not trouble:
            self._fingers.announce(self._play.trouble)

    def box(self, event: BoxTold) -> None:
        """A page says what is printed, or brings another's box."""
        game, cards = self._play.shelf[event.game], self._play.cards
        if event.theirs is not None:
            cards.bring(game, event.theirs, event.theirs_win)
        else:
            cards.tell(game, event.card, None if event.told is None else dict(event.told))
            self.amend(event.panel, event.game, event.card)

    def amend(self, panel: Panel, game: str, card: str) -> None:
        """Ask everybody whether the game on the table goes on by what the box now says."""
        play, finger = self._play, self._fingers[panel]
        if play.in_lobby or play.over or play.line.game.key != game or panel not in play.players:
            return
        told = pending(play.line.game, play.line.state, play.cards.load(play.line.game), card)
        if told and self._agreement.proposal is None:
            self.propose(panel, Propose("rule", Ruling("", 0, told)))
            finger.path = ()

    def propose(self, panel: Panel, wish: Propose) -> None:
        """Ask everybody, with what it would lead to."""
        self._agreement.proposal = drafted(self._play.line, self._play.seat(panel), wish)
        self._fingers.clear_notices()
        self._answer(panel, agree=True)

    @property
    def _people(self) -> int:
        """Whose word counts; the companion agrees to whatever people want."""
        return len(self._play.players) - len(self._play.company)

    def _answer(self, panel: Panel, agree: bool) -> None:
        seat = self._play.seat(panel)
        if not agree:
            self._fingers.announce(self._agreement.declined(seat), passing=True)
            self._watched.consider()  # dice that came to rest meanwhile
        elif (proposal := self._agreement.agreed(seat, self._people)) is not None:
            seed = self._play.binding.revealed(proposal.kind == "stop")
            self._play.carry_out(proposal)
            given_up = text("Given up. Seed {seed}", seed=short(seed))
            says = given_up if seed else text("Agreed by all.")
            self._fingers.announce(says, passing=True)


def _moved(seat: SeatNo, to: Panel | None, level: str) -> Text:
    if level:
        return text("{who} leaves, and the companion plays on.", who=Seat(seat))
    if to is None:
        return text("{who} leaves. A free panel can take the seat.", who=Seat(seat))
    return text("{who} sits at panel {n} now.", who=Seat(seat), n=to + 1)
