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

    def pressed(self, panel: Panel, act: Callable[[], None]) -> None:
        """Do what a panel asks for; a refusal is said to that panel alone."""
        finger = self.fingers[panel]
        finger.notice = BLANK
        try:
            act()
        except Illegal as refusal:
            finger.notice = _refused(refusal)
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
        against = self.play.decide(action)
        if against is None:
            return
        rule, why, who = against.rule, against.why, Seat(action.seat)
        if not sealed(action):  # which rule it is may tell the card: the game says it later
            self.fingers.announce(text("{who} plays against {rule}", who=who, rule=rule))
        own = text("Against {rule}: {why}", rule=rule, why=why)
        self.fingers[self.play.players[action.seat]].notice = own


def _refused(refusal: Illegal) -> Text:
    return text("{why} ({rule})", why=refusal.why, rule=refusal.rule)
