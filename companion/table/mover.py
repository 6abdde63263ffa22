"""Moves carried out, and refusals told to whom they concern: the presser, or everybody."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from companion.errors import Illegal, NoRoom
from companion.games.api import sealed
from companion.table.fingers import Fingers
from companion.table.play import Play
from companion.views import BLANK
from companion.words import Panel, Seat, Text, text

log = logging.getLogger(__name__)

NO_ROOM = text("Not taken: the disk is full or locked. Make room, then do it again.")


class Mover:
    """The way of every move into the game. What is refused has not happened."""

    def __init__(self, play: Play, fingers: Fingers) -> None:
        self.play, self.fingers = play, fingers

    def pressed(
        self, panel: Panel, act: Callable[[], None], reads: bool = False, by_button: bool = False
    ) -> None:
        """Do what a panel asks for; a refusal is said to that panel alone, with its rule.

        A page opens the rule by a tap on its code, a glass has no code to tap. A press that only
        reads the story leaves the notice behind it.
        """
        finger = self.fingers[panel]
        finger.notice = finger.notice if reads else BLANK
        try:
            act()
        except Illegal as refusal:
            finger.notice = _refused(refusal)
            if finger.pressed is not None and not self.play.in_lobby and not finger.path:
                line = self.play.line
                finger.doubt = self.play.box.doubt(line.game, line.state, refusal, finger.pressed)
                if by_button and any(rule.id == refusal.rule for rule in line.game.rules):
                    finger.path, finger.page = ("rule", refusal.rule), 0
                    finger.refused, finger.notice = refusal.why, BLANK
            log.info("panel %d was refused by %s", panel, refusal.rule)
        except NoRoom as error:
            finger.notice = NO_ROOM
            log.error("%s", error)

    def observed(self, act: Callable[[], None]) -> bool:
        """Do what was seen; a refusal is said to everybody, for nobody pressed."""
        try:
            act()
        except Illegal as refusal:
            self.fingers.announce(_refused(refusal))
            return False
        except NoRoom as error:
            self.fingers.announce(NO_ROOM)
            log.error("%s", error)
            return False
        return True

    def decide(self, action: Any) -> None:
        """A player's own move; the rule that soft mode let it break is said."""
        against = self._taken(action)
        if against is None:
            return
        rule, why, who = against.rule, against.why, Seat(action.seat)
        if not sealed(action):  # which rule it is may tell the card: the game says it later
            self.fingers.announce(text("{who} plays against {rule}", who=who, rule=rule))
        own = text("Against {rule}: {why}", rule=rule, why=why)
        if (panel := self.play.players[action.seat]) is not None:
            self.fingers[panel].notice = own

    def _taken(self, action: Any) -> Illegal | None:
        """Soft mode carries out what only a rule forbids: gives that."""
        play = self.play
        try:
            play.act(action, action.seat)
        except Illegal as refusal:
            if play.mode != "soft" or play.in_lobby:
                raise
            try:
                if play.line.game.rulings.force is None:
                    raise
                play.act(action, action.seat, refusal.rule)
            except Illegal:
                body = {"rule": refusal.rule, "why": refusal.why.show()}
                play.enter(action.seat, "warned", body, play.line.noted())
                raise refusal from None
            return refusal
        return None


def _refused(refusal: Illegal) -> Text:
    return text("{why} ({rule})", why=refusal.why, rule=refusal.rule)
