"""The game on the table and its journal: store, then show. Begins games, and resumes them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.errors import BadJournal, BadState, Illegal, NoRoom, reason
from companion.games.api import Game
from companion.memory.cardbox import CardBox
from companion.memory.codec import done_to_json, options_from_json, result_to_keep, to_json
from companion.memory.journal import Entry, Journal, Kind, Record
from companion.memory.seals import seed_code
from companion.memory.sentences import seat_names
from companion.memory.timeline import Move, Timeline, opening, replay
from companion.table.agreement import Proposal
from companion.table.binding import Binding
from companion.table.lobby import MODES, Lobby, LobbyOptions, chosen_game, lobby, once_more
from companion.table.own_cards import OwnCards
from companion.words import Panel, SeatNo, Text, text

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
    ) -> None:
        self.shelf = shelf
        self._cards = OwnCards(box)
        self._trouble: Text | None = None
        self.mode = mode
        self._journal = journal
        self._panels, self._panel_names = panels, names
        self.binding = Binding(draw)
        self._lobby = lobby(shelf, names)
        self.players: tuple[Panel, ...] = ()  # the panel of each seat
        self.names: tuple[Text, ...] = ()
        self.line = Timeline(self._lobby, (), (None,))
        self.number = 0
        self.first = False  # nothing was played yet
        self.restored = self._resume()

    @property
    def trouble(self) -> Text | None:
        """What is wrong with the owner's cards, or with the game that was to be brought back."""
        return self._trouble or self._cards.trouble

    @property
    def in_lobby(self) -> bool:
        """No game has begun yet."""
        return self.line.game is self._lobby

    @property
    def over(self) -> bool:
        """The game has its result."""
        return not self.in_lobby and self.line.result is not None

    @property
    def moment(self) -> tuple[int, Panel]:
        """Seconds until the one choice there is is taken by itself (0: never), and its panel."""
        waiting = self.line.waiting
        return waiting.moment, self.players[waiting.seats[0]] if waiting.moment else Panel(0)

    @property
    def entry(self) -> str:
        """Where in the journal we are: the game's number and its last entry."""
        return f"{self.number}/{self.line.seq}"

    def seat(self, panel: Panel) -> SeatNo:
        """The seat of a panel; Illegal if it has none in this game."""
        if panel not in self.players:
            raise Illegal("table", text("This panel has no seat in this game."))
        return SeatNo(self.players.index(panel))

    def act(self, action: Any, who: SeatNo | None, against: str = "") -> None:
        """The rules may refuse; then the disk has it; then it has happened."""
        number = self.line.seq + 1
        action = self.binding.salted(action, number)
        move = Move(number, action, against)
        after = self.line.played(move)
        if self.in_lobby and after.state.started:
            self._can_begin(after.state)
        self._store(who, "do", done_to_json(action, against), after)
        self.binding.heard(action)
        self.go_on()

    def decide(self, action: Any) -> Illegal | None:
        """A player's own move. Soft mode carries out what only a rule forbids: gives that."""
        try:
            self.act(action, action.seat)
        except Illegal as refusal:
            if self.mode != "soft" or self.in_lobby:
                raise
            try:
                if self.line.game.rulings.force is None:
                    raise
                self.act(action, action.seat, refusal.rule)
            except Illegal:
                body = {"rule": refusal.rule, "why": refusal.why.show()}
                self.enter(action.seat, "warned", body, self.line.noted())
                raise refusal from None
            return refusal
        return None

    def enter(self, who: SeatNo | None, kind: Kind, body: dict[str, Any], after: Timeline) -> None:
        """An entry of the table's own (take back, correction, ruling), stored before it counts."""
        self._store(who, kind, body, after)
        if kind == "mode":
            self.mode = body["mode"]
        self.go_on()

    def carry_out(self, proposal: Proposal) -> None:
        """Do what all have agreed to."""
        if proposal.kind == "stop":
            self.stop()
        else:
            after = proposal.after or self.line.noted()
            self.enter(proposal.by, proposal.kind, proposal.body, after)

    def _store(self, who: SeatNo | None, kind: Kind, body: dict[str, Any], after: Timeline) -> None:
        """The entry and whether the game is over after it go to the disk together."""
        result = self._result(after)
        self._journal.append(self.number, self.line.seq + 1, who, kind, body, result)
        self.line = after

    def _result(self, line: Timeline) -> dict[str, Any] | None:
        over = None if line.game is self._lobby else line.result
        return None if over is None else result_to_keep(over, self.names)

    def go_on(self) -> None:
        """What follows by itself: the companion's chance, the game after the lobby.

        Called again before every event, so that what a full disk stopped half-way is made up for.
        """
        game, state = self.line.game, self.line.state
        self._cards.keep(game, state)
        if self.in_lobby:
            if state.started:
                self._begin(*chosen_game(self.shelf, state))
        elif game.chance is not None and self.line.waiting.chance:
            self.act(game.chance(state, self.binding.pick(self.line.seq + 1)), None)

    def take_back(self, panel: Panel, seq: int) -> None:
        """Drop a seat's own last decision, if nothing was revealed since."""
        seat = self.seat(panel)
        own = self.line.own_last(seat)
        if own is None or own.seq != seq:
            raise Illegal("table", text("Nothing of yours can be taken back now."))
        self.enter(seat, "back", {"drop": [seq]}, self.line.without([seq]))

    def reading(self, dice: list[Any], picture: bytes) -> None:
        """Keep the picture of the roll that was just taken."""
        self._journal.reading(self.number, self.line.seq, dice, picture)

    def again(self) -> None:
        """The same game, seats and options, after a Start: who cuts must see the new code first."""
        record = self._journal.last()
        if record is None or record.key not in self.shelf:
            self.stop()
        else:
            self.stop(once_more(self.shelf[record.key], record.seats, record.options))

    def stop(self, again: LobbyOptions | None = None) -> None:
        """Back to the lobby; what still ran is given up and kept."""
        self._trouble = self._cards.trouble = None
        seed = self.binding.draw()
        options = replace(again or LobbyOptions(), mode=self.mode, code=seed_code(seed))
        self.number = self._journal.begin("lobby", 1, [], to_json(options), seed)
        self._sit(self._lobby, self._empty_lobby(), self._lobby.new(self._panels, options))

    def _can_begin(self, chosen: Lobby) -> None:
        """Refuse what cannot begin before it is journaled: every later start would fail at it."""
        try:
            self._opening(*chosen_game(self.shelf, chosen))
        except (BadState, BadJournal) as error:
            raise Illegal("table", text("It cannot begin. {why}", why=str(error))) from error

    def _opening(
        self, game: Game[Any], seats: list[Any], chosen: dict[str, Any]
    ) -> tuple[Any, dict[str, Any]]:
        """The first state, and the options with the owner's cards in them."""
        self._trouble = self._cards.trouble = None
        if game.cards is not None:
            chosen = {**chosen, "corrections": to_json(self._cards.load(game))}
        return opening(game, game.version, len(seats), chosen), chosen

    def _begin(self, game: Game[Any], seats: list[Any], chosen: dict[str, Any]) -> None:
        state, chosen = self._opening(game, seats, chosen)
        self.number = self._journal.begin(game.key, game.version, seats, chosen, self.binding.seed)
        self.mode = chosen["mode"]
        self._sit(game, seats, state)
        self.go_on()

    def _sit(
        self, game: Game[Any], seats: list[Any], state: Any, entries: Iterable[Entry] = ()
    ) -> None:
        self.players = tuple(Panel(seat["panel"]) for seat in seats)
        self.names = seat_names(game, [seat["name"] for seat in seats])
        self.line = Timeline(game, (), (state,))
        self._cards.begin(game, state)
        self.binding.begin(self._journal.last(), game, entries)

    def _empty_lobby(self) -> list[Any]:
        return [{"panel": n, "name": self._panel_names[n]} for n in range(self._panels)]

    def _resume(self) -> Text | None:
        """Go on where the plug was pulled; what to say about it.

        Whatever goes wrong sets that game aside: it stays in the journal, and the lobby opens.
        """
        try:
            self.first = all(record.key == "lobby" for record in self._journal.games())
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
            self.stop()
            self._trouble = text("The last game is set aside and kept. {why}", why=why)
            return None
        self.stop()
        return None

    def _restore(self, record: Record) -> None:
        """The one judge of whether a game can be brought back; whatever it raises, it cannot."""
        mode = record.options.get("mode", MODES[0])
        if record.key not in (*self.shelf, "lobby"):
            raise BadJournal(f"{record.key} is not on this shelf")
        if record.key == "lobby":
            game, seats = self._lobby, self._empty_lobby()
            if record.version != game.version:
                raise BadJournal(f"it was played by version {record.version} of the rules")
            state: Any = game.new(self._panels, options_from_json(game, record.options))
        else:
            game, seats = self.shelf[record.key], record.seats
            state = opening(game, record.version, len(seats), record.options)
        entries = self._journal.entries(record.id)
        line = replay(game, state, entries)
        mode = [mode, *(entry.body.get("mode") for entry in entries if entry.kind == "mode")][-1]
        if mode not in MODES:
            raise BadJournal(f"{mode} is no mode")
        self._sit(game, seats, state, entries)
        self.number = record.id
        for seat in (None, *map(SeatNo, range(len(seats)))):  # no view, no play
            line.view(seat)
        self.line = line
        if game is not self._lobby:
            self.mode = mode

    def _make_up(self) -> None:
        """What the cut stopped half-way; a full disk leaves it to the next press."""
        try:
            self._journal.judge(self.number, self._result(self.line))  # an older one left it behind
            self.go_on()
        except NoRoom as error:
            log.error("%s", error)
            self._trouble = text("The disk is full or locked. Make room, then press a button.")


def _goes_on(record: Record) -> bool:
    """Is this still on the table? A lobby from before there were seeds is not: it shows no code."""
    on_table = record.ended is None or record.result is not None
    return on_table and bool(record.seed or record.key != "lobby")
