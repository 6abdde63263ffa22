"""The game on the table and its journal: store, then show. Begins games, and resumes them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.errors import BadJournal, BadState, CompanionError, Illegal
from companion.games.api import Correction, Game, Pick
from companion.memory.cardbox import CardBox
from companion.memory.codec import action_to_json, result_to_keep, to_json
from companion.memory.journal import Journal, Kind, Record
from companion.memory.timeline import Move, Timeline, opening, replay
from companion.table.lobby import Lobby, LobbyOptions, lobby, seat_names, seated
from companion.words import Text, text

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
        pick: Pick,
        salt: Callable[[], str],
        box: CardBox,
    ) -> None:
        self.shelf = shelf
        self._box = box
        self.trouble: Text | None = None  # what is wrong with the owner's card file
        self.mode = mode
        self._journal = journal
        self._panels, self._panel_names = panels, names
        self._pick, self._salt = pick, salt
        self._lobby = lobby(shelf, names)
        self.players: tuple[int, ...] = ()  # the panel of each seat
        self.names: tuple[Text, ...] = ()
        self.line = Timeline(self._lobby, (), (None,))
        self.number, self._open = 0, True
        self._learnt: tuple[Correction, ...] = ()
        self.first = all(record.key == "lobby" for record in journal.games())  # nothing was played
        self.restored = self._resume()

    @property
    def in_lobby(self) -> bool:
        """No game has begun yet."""
        return self.line.game is self._lobby

    @property
    def over(self) -> bool:
        """The game has its result."""
        return not self.in_lobby and self.line.result is not None

    @property
    def moment(self) -> tuple[int, int]:
        """Seconds until the one choice there is is taken by itself (0: never), and its panel."""
        waiting = self.line.waiting
        return waiting.moment, self.players[waiting.seats[0]] if waiting.moment else 0

    @property
    def entry(self) -> str:
        """Where in the journal we are: the game's number and its last entry."""
        return f"{self.number}/{self.line.seq}"

    def seat(self, panel: int) -> int:
        """The seat of a panel; Illegal if it has none in this game."""
        if panel not in self.players:
            raise Illegal("table", text("This panel has no seat in this game."))
        return self.players.index(panel)

    def act(self, action: Any, who: int | None, against: str = "") -> None:
        """The rules may refuse; then the disk has it; then it has happened."""
        if getattr(action, "salt", None) == "":
            action = replace(action, salt=self._salt())
        move = Move(self.line.seq + 1, action, against)
        after = self.line.played(move)
        body = action_to_json(action)
        if against:
            body["against"] = against
        self._journal.append(self.number, move.seq, who, "do", body)
        self.line = after
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

    def enter(self, who: int | None, kind: Kind, body: dict[str, Any], after: Timeline) -> None:
        """An entry of the table's own (take back, correction, ruling), stored before it counts."""
        self._journal.append(self.number, self.line.seq + 1, who, kind, body)
        self.line = after
        if kind == "mode":
            self.mode = body["mode"]
        self.go_on()

    def go_on(self) -> None:
        """What follows by itself: the companion's chance, the end, the game after the lobby.

        Called again before every event, so that what a full disk stopped half-way is made up for.
        """
        game, state = self.line.game, self.line.state
        if game.cards is not None and (learnt := game.cards.learnt(state)) != self._learnt:
            self._box.keep(game, learnt)
            self._learnt = learnt
        if self.in_lobby:
            if state.started:
                self._start(state)
        elif game.chance is not None and self.line.waiting.chance:
            self.act(game.chance(state, self._pick), None)
        elif self._open and (result := self.line.result) is not None:
            self._journal.end(self.number, result_to_keep(result, self.names))
            self._open = False

    def take_back(self, panel: int, seq: int) -> None:
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
        """The same game, the same seats, the same options."""
        record = self._journal.last()
        if record is None or record.key not in self.shelf:
            self.stop()
        else:
            self._begin(self.shelf[record.key], record.seats, record.options)

    def stop(self) -> None:
        """Back to the shelf; what still ran is given up and kept."""
        options = LobbyOptions(self.mode)
        self.number = self._journal.begin("lobby", 1, [], to_json(options))
        self._sit(self._lobby, self._empty_lobby(), self._lobby.new(self._panels, options))

    def _start(self, chosen: Lobby) -> None:
        game = self.shelf[chosen.game]
        players = seated(game, chosen.players).values()
        seats = [{"panel": player.panel, "name": player.name} for player in players]
        self._begin(game, seats, {"mode": chosen.mode, **dict(chosen.options)})

    def _begin(self, game: Game[Any], seats: list[Any], chosen: dict[str, Any]) -> None:
        if game.cards is not None:
            chosen = {**chosen, "corrections": to_json(self._own_cards(game))}
        state = opening(game, game.version, len(seats), chosen)
        self.number = self._journal.begin(game.key, game.version, seats, chosen)
        self.mode = chosen["mode"]
        self._sit(game, seats, state)
        self.go_on()

    def _own_cards(self, game: Game[Any]) -> tuple[Correction, ...]:
        """The owner's values; a file that cannot be is said, and the shipped cards are used."""
        try:
            self.trouble = None
            return self._box.load(game)
        except BadState as wrong:
            log.error("%s", wrong)
            self.trouble = text("Shipped cards are used. {wrong}", wrong=str(wrong))
            return ()

    def _sit(self, game: Game[Any], seats: list[Any], state: Any) -> None:
        self.players = tuple(seat["panel"] for seat in seats)
        self.names = seat_names(game, [seat["name"] for seat in seats])
        self.line = Timeline(game, (), (state,))
        self._learnt = game.cards.learnt(state) if game.cards else ()
        self._open = True

    def _empty_lobby(self) -> list[Any]:
        return [{"panel": n, "name": self._panel_names[n]} for n in range(self._panels)]

    def _resume(self) -> Text | None:
        """Go on where the plug was pulled; what to say about it."""
        try:
            record = self._journal.last()
            if record is None or (record.ended is not None and record.result is None):
                self.stop()
                return None
            self._restore(record)
        except (CompanionError, LookupError, TypeError) as error:
            log.error("the last game cannot be continued: %s", error)
            self.stop()
            return text("The last game cannot be continued. It is kept.")
        game, moves = self.line.game.name, self.line.seq
        self.go_on()
        if record.key == "lobby" or not moves:
            return None
        return text("Restored: {game}, move {n}.", game=game, n=moves)

    def _restore(self, record: Record) -> None:
        game = self._lobby if record.key == "lobby" else self.shelf[record.key]
        if record.key == "lobby":
            if record.version != game.version:
                raise BadJournal(f"it was played by version {record.version} of the rules")
            state: Any = self._lobby.new(self._panels, LobbyOptions(**record.options))
            self._sit(game, self._empty_lobby(), state)
        else:
            state = opening(game, record.version, len(record.seats), record.options)
            self._sit(game, record.seats, state)
            self.mode = record.options["mode"]
        self.number, self._open = record.id, record.ended is None
        entries = self._journal.entries(record.id)
        self.line = replay(game, state, entries)
        for entry in entries:
            if entry.kind == "mode":
                self.mode = entry.body["mode"]
