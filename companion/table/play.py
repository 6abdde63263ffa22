"""The game on the table and its journal: store, then show. Begins games, and resumes them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.bots.api import Bot, Players
from companion.errors import BadJournal, BadState, Illegal, NoRoom, reason
from companion.games.api import Game
from companion.memory.cardbox import CardBox
from companion.memory.codec import done_to_json, result_to_keep, to_json
from companion.memory.journal import Entry, Journal, Kind, Record
from companion.memory.records import find
from companion.memory.seals import seed_code
from companion.memory.sentences import seat_names
from companion.memory.timeline import Move, Timeline, opening
from companion.table.agreement import Proposal, taken_back
from companion.table.binding import Binding
from companion.table.box_menu import BoxMenu
from companion.table.lobby import (
    Hall,
    Lobby,
    LobbyOptions,
    Rename,
    chosen_game,
    once_more,
    presets,
)
from companion.table.lobby_page import lobby
from companion.table.own_cards import OwnCards
from companion.table.resting import folded, lobby_line, mode_of, on_table, resting
from companion.table.seating import able_with, companys, handed_over, remembered, who_sits_where
from companion.table.teaching import Course, course_of
from companion.words import Panel, SeatNo, Text, text

Note = dict[str, Any] | None
"""What the journal keeps beside a companion's move, so that it can be thought again."""

log = logging.getLogger(__name__)


class Play:
    """What is played now: which game, who sits where, every move that counts."""

    def __init__(
        self,
        shelf: Mapping[str, Game[Any]],
        journal: Journal,
        *,
        names: tuple[str, ...],
        panels: int,
        mode: str,
        draw: Callable[[], str],
        box: CardBox,
        cardboard: bool = True,
        players: Players = lambda _key: (),
    ) -> None:
        self.shelf, self.cards = shelf, OwnCards(box)
        self.box = BoxMenu(shelf, self.cards)
        self._trouble: Text | None = None
        self.mode, self._cardboard, self._journal = mode, cardboard, journal
        self._places = [{"panel": n, "name": names[n]} for n in range(panels)]
        self.binding, self.bots = Binding(draw), players
        self.known: dict[str, None] = {}  # names that people had here, the newest first
        self._lobby = lobby(Hall(shelf, names, lambda: tuple(self.known), players))
        self.players: tuple[Panel | None, ...] = ()  # the panel of each seat that has one
        self.company: Mapping[SeatNo, Bot] = {}  # the seats that the companion plays
        self.left: frozenset[SeatNo] = frozenset()  # seats that somebody else may take
        self.names: tuple[Text, ...] = ()
        self.line = Timeline(self._lobby, (), (None,))
        self.course, self.number, self.first = Course(), 0, False  # first: nothing was played yet
        self.restored = self._resume()

    @property
    def trouble(self) -> Text | None:
        """What is wrong with the owner's cards, or with the game that was to be brought back."""
        return self._trouble or self.cards.trouble

    @property
    def in_lobby(self) -> bool:
        """No game has begun yet."""
        return self.line.game is self._lobby

    @property
    def over(self) -> bool:
        """The game has its result."""
        return not self.in_lobby and self.line.result is not None

    @property
    def entry(self) -> str:
        """Where in the journal we are: the game's number and its last entry."""
        return f"{self.number}/{self.line.seq}"

    def seat(self, panel: Panel) -> SeatNo:
        """The seat of a panel; Illegal if it has none in this game."""
        if panel not in self.players:
            raise Illegal("table", text("This panel has no seat in this game."))
        return SeatNo(self.players.index(panel))

    def act(self, action: Any, who: SeatNo | None, against: str = "", **notes: Note) -> None:
        """The rules may refuse; then the disk has it; then it has happened."""
        number = self.line.seq + 1
        action = self.binding.salted(action, number)
        after = self.line.played(Move(number, action, against))
        if self.in_lobby:
            self._can_begin(after.state)
        self._store(who, "do", done_to_json(action, against, notes), after)
        self.binding.heard(action)
        self.go_on()

    def call(self, panel: Panel, name: str) -> None:
        """Somebody says his name; once a game runs, its seats keep the names they have."""
        if not self.in_lobby:
            raise Illegal("table", text("Names are given before a game begins."))
        self.act(Rename(panel, name), SeatNo(panel))

    def hand_over(self, seat: SeatNo, panel: Panel | None, level: str = "") -> None:
        """A seat goes to a free panel or to the companion, or waits for whoever comes."""
        self.enter(seat, "seat", handed_over(self.players, seat, panel, level), self.line.noted())
        seats, entries = on_table(self._journal).seats, self._journal.entries(self.number)
        self._take_places(self.line.game, seats, entries)

    def able(self) -> tuple[tuple[Bot, ...], Text | None]:
        """Who of the companion's players could play on here; else why none of them can."""
        return able_with(self.bots, self.line.game, on_table(self._journal).options)

    def _take_places(self, game: Game[Any], seats: list[Any], entries: Iterable[Entry]) -> None:
        now, self.left = who_sits_where(seats, entries)
        self.players = tuple(None if s.get("level") else Panel(s["panel"]) for s in now)
        self.company = companys(now, game.key, self.bots)

    def enter(self, who: SeatNo | None, kind: Kind, body: dict[str, Any], after: Timeline) -> None:
        """An entry of the table's own (take back, correction, ruling), stored before it counts."""
        self._store(who, kind, body, after)
        if kind == "mode":
            self.mode, self.course = body["mode"], self.course.after(who, body)
        self.go_on()

    def carry_out(self, proposal: Proposal) -> None:
        """Do what all have agreed to."""
        if proposal.kind in ("stop", "aside"):
            return self.stop(rests=proposal.kind == "aside")
        self.enter(proposal.by, proposal.kind, proposal.body, proposal.after or self.line.noted())

    def _store(self, who: SeatNo | None, kind: Kind, body: dict[str, Any], after: Timeline) -> None:
        """The entry and whether the game is over after it go to the disk together."""
        result = _result(after, self.names)
        self._journal.append(self.number, self.line.seq + 1, who, kind, body, result)
        self.line = after

    def go_on(self) -> None:
        """What follows by itself: the companion's chance, the game after the lobby.

        Called again before every event, so that what a full disk stopped half-way is made up for.
        """
        game, state = self.line.game, self.line.state
        self.cards.keep(game, state)
        if self.in_lobby:
            if state.started:
                self._begin(*chosen_game(self.shelf, state))
            elif state.resumes:
                self._journal.take_up(find(self._journal, state.resumes))
                self._restore(on_table(self._journal))
                self.go_on()
        elif game.chance is not None and self.line.waiting.chance:
            pick, note = self.course.deal(self.line, self.binding.pick(self.line.seq + 1))
            self.act(game.chance(state, pick), None, arranged=note)

    def take_back(self, panel: Panel, seq: int) -> None:
        """Drop a seat's own last decision, if nothing was revealed since."""
        seat = self.seat(panel)
        own = self.line.own_last(seat)
        if own is None or own.seq != seq:
            raise Illegal("table", text("Nothing of yours can be taken back now."))
        drop, after = taken_back(self.line, seq, self.company)
        self.enter(seat, "back", {"drop": drop}, after)

    def reading(self, dice: list[Any], picture: bytes) -> None:
        """Keep the picture of the roll that was just taken."""
        self._journal.reading(self.number, self.line.seq, dice, picture)

    def again(self) -> None:
        """The same game, seats and options, after a Start: who cuts must see the new code first."""
        record = self._journal.last()
        if record is None or record.key not in self.shelf:
            return self.stop()
        seats, _ = who_sits_where(record.seats, self._journal.entries(record.id))
        self.stop(once_more(self.shelf[record.key], seats, record.options))

    def stop(self, again: LobbyOptions | None = None, *, rests: bool = False) -> None:
        """Back to the lobby; what still ran is given up and kept, or rests until it is taken up."""
        self._trouble = self.cards.trouble = None
        seed = self.binding.draw()
        played = {record.key: record.options for record in self._journal.last_of_each()}
        options = replace(
            again or LobbyOptions(), mode=self.mode, code=seed_code(seed),
            resting=resting(self._journal, self.shelf, 0 if rests else self.number),
            presets=presets(self.shelf, played, self._cardboard),
        )  # fmt: skip
        self.number = self._journal.begin("lobby", 1, [], to_json(options), seed, rests=rests)
        self._sit(self._lobby, self._places, self._lobby.new(len(self._places), options))

    def _can_begin(self, chosen: Lobby) -> None:
        """Refuse what cannot begin before it is journaled: every later start would fail at it."""
        try:
            if chosen.started:
                self._opening(*chosen_game(self.shelf, chosen))
            elif chosen.resumes:
                folded(self._journal, self.shelf, find(self._journal, chosen.resumes))
        except (BadState, BadJournal) as error:
            raise Illegal("table", text("It cannot begin. {why}", why=str(error))) from error

    def _opening(
        self, game: Game[Any], seats: list[Any], chosen: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        """The first state, and the options with the owner's cards in them."""
        self._trouble = self.cards.trouble = None
        if game.cards is not None:
            chosen = {**chosen, "corrections": to_json(self.cards.load(game))}
        return opening(game, game.version, len(seats), chosen), chosen

    def _begin(self, game: Game[Any], seats: list[Any], chosen: dict[str, Any]) -> None:
        state, chosen = self._opening(game, seats, chosen)
        self.number = self._journal.begin(game.key, game.version, seats, chosen, self.binding.seed)
        self.mode, self.first = chosen["mode"], False
        self.known = remembered(self.known, seats)
        self._sit(game, seats, state)
        self.go_on()

    def _sit(
        self, game: Game[Any], seats: list[Any], state: Any, entries: Iterable[Entry] = ()
    ) -> None:
        self._take_places(game, seats, entries)
        self.names = seat_names(game, [seat["name"] for seat in seats])
        self.line = Timeline(game, (), (state,))
        self.cards.begin(game, state)
        self.course = course_of(self._journal.last(), entries)
        self.binding.begin(self._journal.last(), game, entries)

    def _resume(self) -> Text | None:
        """Go on where the plug was pulled; what to say about it. What cannot go on stays in the
        journal, and the lobby opens."""
        record = None
        try:
            games = self._journal.games()
            self.first = all(record.key == "lobby" for record in games)
            self.known = remembered({}, (seat for record in games for seat in record.seats))
            record = self._journal.last()
            if record is not None and _goes_on(record):
                self._restore(record)
                game, moves = self.line.game.name, self.line.seq
                self._make_up()
                if record.key == "lobby" or not moves:
                    return None
                return text("Restored: {game}, move {n}.", game=game, n=moves)
        except Exception as error:  # noqa: BLE001  # every later start would meet it again
            why = reason(error)
            log.error("the last game is set aside: %s", why)
            self.number = record.id if record else 0
            self.stop()
            self._trouble = text("The last game is set aside and kept. {why}", why=why)
            return None
        self.stop()
        return None

    def _restore(self, record: Record) -> None:
        """The one judge of whether a game can be brought back; whatever it raises, it cannot."""
        if record.key not in (*self.shelf, "lobby"):
            raise BadJournal(f"{record.key} is not on this shelf")
        if record.key == "lobby":
            game, seats = self._lobby, self._places
            line = lobby_line(self._journal, game, len(seats), record)
        else:
            game, seats = self.shelf[record.key], record.seats
            line = folded(self._journal, self.shelf, record)
        entries = self._journal.entries(record.id)
        mode = mode_of(record, entries)
        self._sit(game, seats, line.states[0], entries)
        self.number, self.line = record.id, line
        self.cards.resumed(game, line.state)
        self.mode = self.mode if game is self._lobby else mode

    def _make_up(self) -> None:
        """What the cut stopped half-way; a full disk leaves it to the next press."""
        try:
            # an older companion may have left the end behind
            self._journal.judge(self.number, _result(self.line, self.names))
            self.go_on()
        except NoRoom as error:
            log.error("%s", error)
            self._trouble = text("The disk is full or locked. Make room, then press a button.")


def _result(line: Timeline, names: tuple[Text, ...]) -> dict[str, Any] | None:
    over = None if line.game.key == "lobby" else line.result
    return None if over is None else result_to_keep(over, names)


def _goes_on(record: Record) -> bool:
    """Is this still on the table? A lobby from before there were seeds is not: it shows no code."""
    on_table = record.ended is None or record.result is not None
    return on_table and bool(record.seed or record.key != "lobby")
