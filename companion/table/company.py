"""The companion as a player: which of its seats must decide, what that seat knows, what it did."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.bots.api import Bot, Played, Players, Sight, decide, sight
from companion.errors import BadState, Illegal
from companion.events import Decided, Reviewed
from companion.games.api import moves
from companion.memory.timeline import Ruling, Timeline
from companion.memory.verify import Rethink
from companion.table.looking_back import REVIEW
from companion.table.play import Play
from companion.words import SeatNo, Text

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Turn:
    """A companion must decide: all that it needs for it."""

    seat: SeatNo
    bot: Bot
    sight: Sight
    seed: str
    entry: str  # of the journal; a decision for another one comes too late
    at_once: bool  # others choose at the same time: it does not keep them waiting


@dataclass(frozen=True, slots=True)
class Reason:
    """The last move of a companion, and why it was made."""

    what: Text
    why: Text


class Company:
    """The companion's seats at this table."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._reasons: dict[SeatNo, Reason] = {}
        self._rather_throws = ""  # the entry at which it decided so

    def turn(self, led: bool = False) -> Turn | None:
        """The next of its seats that has to decide, or (`led`) that may help a person who leads."""
        play = self._play
        line, waiting = play.line, play.line.waiting
        if play.in_lobby or play.over or self._rather_throws == play.entry:
            return None
        own = [SeatNo(seat) for seat in waiting.seats if seat in play.company]
        if not own:
            return None
        people = len(own) < len(waiting.seats)
        follows = people and waiting.either and waiting.seats[0] != own[0]
        if (people and waiting.forced) or follows != led:
            return None
        seat = own[0]
        at_once = people and not waiting.either
        seed = play.binding.player(seat)
        return Turn(seat, play.company[seat], seen_by(line, seat), seed, play.entry, at_once)

    @property
    def throws(self) -> bool:
        """Whether the table waits for dice that are the companion's alone."""
        waiting, company = self._play.line.waiting, self._play.company
        decides = waiting.seats and self._rather_throws != self._play.entry
        if waiting.dice is None or not waiting.dice.by or decides:
            return False
        return all(seat in company for seat in waiting.dice.by)

    def carry_out(self, decided: Decided) -> None:
        """Do what a companion has decided, if nothing has happened since; no rule is broken."""
        play, seat = self._play, decided.seat
        if decided.entry != play.entry or seat not in play.company:
            return
        line, action = play.line, decided.action
        self._reasons.pop(seat, None)
        if action is None and line.waiting.dice is not None:
            self._rather_throws = play.entry
            return
        try:
            if action is None:
                raise BadState("it found no move")
            play.act(action, seat, bot=dict(decided.note))
        except (Illegal, BadState) as error:  # a bot with a fault must not end the evening
            log.error("the companion at seat %d: %s", seat, error)
            play.act(next(iter(moves(line.game, line.state, seat))), seat)
        else:
            if decided.why is not None:
                what = line.game.tell(line.state, action, seat)
                self._reasons[seat] = Reason(what, decided.why)

    def looked_back(self, reviewed: Reviewed) -> None:
        """The game was weighed; if another move came since, it was another game."""
        if reviewed.entry == self._play.entry:
            self._play.line.memo[REVIEW] = reviewed.moments

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why the companion did what it did last, as soon as that betrays nothing."""
        play = self._play
        if play.in_lobby or (play.line.game.secrets.unseen is not None and not play.over):
            return ()
        return tuple(self._reasons[seat] for seat in sorted(self._reasons) if seat in play.company)


def rethink(players: Players) -> Rethink:
    """How a journal is checked: the same player with the same seed, for as many rounds."""

    def again(line: Timeline, action: Any, note: Mapping[str, Any]) -> Any:
        known = (bot for bot in players(line.game.key) if bot.level == note.get("level"))
        bot = next((bot for bot in known if bot.version == note.get("version")), None)
        rounds = note.get("rounds")
        if bot is None or not isinstance(rounds, int) or not 0 < rounds <= bot.rounds:
            return None
        seat = SeatNo(action.seat)
        return decide(bot, seen_by(line, seat), str(note["seed"]), rounds).action

    return again


def played(line: Timeline) -> Iterator[Played]:
    """The moves that count, for whoever weighs them afterwards."""
    for at, move in enumerate(line.moves):
        if not isinstance(move.what, Ruling):
            yield Played(move.seq, line.states[at], move.what, line.states[at + 1])


def seen_by(line: Timeline, seat: SeatNo) -> Sight:
    """What a seat knows now, its own moves among it."""
    past = (
        (before, move.what)
        for before, move in zip(line.states, line.moves, strict=False)
        if move.seat == seat and not isinstance(move.what, Ruling)
    )
    return sight(line.game, line.state, seat, tuple(past))
