"""A journal folded into states: what was played, taken back, corrected and ruled, in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, assert_never

from companion.errors import BadJournal, BadState, Illegal
from companion.games.api import Correction, Game, Result, Rolled, Waiting, cited
from companion.games.story import changes, outcome
from companion.memory.codec import action_from_json, done_from_json, options_from_json
from companion.memory.journal import Entry
from companion.views import Beat, View
from companion.words import SeatNo, text

MISFITS = (Illegal, BadState, KeyError, TypeError, ValueError)  # what `entered` raises
TABLE_OPTIONS = ("mode", "cuts", "taught")  # kept beside a game's own: how strict, which panels cut


@dataclass(frozen=True, slots=True)
class Ruling:
    """A counter set by the table's word; or printed values, as they are in the owner's box."""

    counter: str
    value: int
    cards: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """What still counts of one entry: an action (or a ruling), as first played or as corrected."""

    seq: int
    what: Any
    against: str = ""  # soft mode: the rule that was broken by agreement

    @property
    def seat(self) -> SeatNo | None:
        """Who decided it; None for chance and rulings."""
        return getattr(self.what, "seat", None)


@dataclass(frozen=True)
class Timeline:
    """The moves that count and the state after each; `states[0]` is the start.

    What the game says of the last state is worked out once: its functions are pure, so it stands
    as long as this value does, however often displays and buttons ask.
    """

    game: Game[Any]
    moves: tuple[Move, ...]
    states: tuple[Any, ...]
    seq: int = 0  # the last entry of the journal, whatever its kind
    _told: dict[tuple[Move, SeatNo | None], tuple[Beat, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )
    _views: dict[SeatNo | None, View] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    memo: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What the table has worked out from it."""

    @property
    def state(self) -> Any:
        """Where the game stands now."""
        return self.states[-1]

    @cached_property
    def waiting(self) -> Waiting:
        """Who must act now."""
        return self.game.waiting(self.state)

    @cached_property
    def result(self) -> Result | None:
        """How the game ended, if it has."""
        return self.game.result(self.state)

    def view(self, seat: SeatNo | None) -> View:
        """What the game shows a seat now."""
        if seat not in self._views:
            self._views[seat] = self.game.view(self.state, seat)
        return self._views[seat]

    def beats(self, move: Move, viewer: SeatNo | None) -> tuple[Beat, ...]:
        """What a move led to, as far as this viewer may know it."""
        key = move, viewer
        if key not in self._told:
            at = self._places[move.seq]
            before, after = self.states[at], self.states[at + 1]
            if isinstance(move.what, Ruling):
                self._told[key] = tuple(changes(self.game.story, before, after, viewer))
            else:
                self._told[key] = outcome(self.game.story, before, move.what, after, viewer)
        return self._told[key]

    def played(self, move: Move) -> Timeline:
        """One move on; raises Illegal."""
        after = step(self.game, self.state, move)
        moves, states = (*self.moves, move), (*self.states, after)
        return Timeline(self.game, moves, states, move.seq, self._told)

    def noted(self) -> Timeline:
        """An entry that changes no state (a warning, a change of mode or of who sits where)."""
        return replace(self, seq=self.seq + 1)

    def without(self, dropped: Iterable[int]) -> Timeline:
        """The same game had these moves not been made; raises Illegal where others lean on them."""
        gone = set(dropped)
        first = next((at for at, move in enumerate(self.moves) if move.seq in gone), None)
        if first is None:
            return self.noted()
        kept = [move for move in self.moves[first:] if move.seq not in gone]
        after = fold(self.game, self.states[first], kept)
        moves = (*self.moves[:first], *after.moves)
        states = (*self.states[:first], *after.states)
        return Timeline(self.game, moves, states, self.seq + 1)

    def corrected(self, seq: int, action: Any) -> tuple[Timeline, Move | None, Illegal | None]:
        """The same game had move `seq` been `action`: folded as far as the rules allow.

        Gives the first later move that is no longer legal and why, if there is one; play resumes
        before it.
        """
        first = next((at for at, move in enumerate(self.moves) if move.seq == seq), None)
        if first is None:
            return self.noted(), None, None
        done = Timeline(self.game, self.moves[:first], self.states[: first + 1])
        for move in self.moves[first:]:
            now = replace(move, what=action) if move.seq == seq else move
            try:
                done = done.played(now)
            except Illegal as why:
                if move.seq == seq:
                    raise
                return replace(done, seq=self.seq + 1), move, why
        return replace(done, seq=self.seq + 1), None, None

    def before(self, seq: int) -> Any:
        """The state in which move `seq` was made."""
        return self.states[self._places[seq]]

    @cached_property
    def _places(self) -> dict[int, int]:
        """Where in the moves each entry stands."""
        return {move.seq: at for at, move in enumerate(self.moves)}

    def rule(self, move: Move) -> str:
        """The rule that a move follows; a ruling follows none: it is the table's own word."""
        if isinstance(move.what, Ruling):
            return ""
        return cited(self.game, self.before(move.seq), move.what)

    def own_last(self, seat: SeatNo) -> Move | None:
        """The seat's last decision that nothing was revealed after: it may be taken back alone."""
        for move, before in self._backwards():
            if isinstance(move.what, Ruling) or self.game.secrets.reveals(before, move.what):
                return None
            if move.seat == seat:
                return move
        return None

    def last_reveal(self) -> Move | None:
        """The last move that showed something new: going back past it needs everybody."""
        for move, before in self._backwards():
            if isinstance(move.what, Ruling) or self.game.secrets.reveals(before, move.what):
                return move
        return None

    def rolls(self) -> tuple[Move, ...]:
        """Every physical roll that counts, the newest first."""
        return tuple(move for move in reversed(self.moves) if isinstance(move.what, Rolled))

    def _backwards(self) -> Iterable[tuple[Move, Any]]:
        return zip(reversed(self.moves), reversed(self.states[:-1]), strict=True)


def step(game: Game[Any], state: Any, move: Move) -> Any:
    """One move applied: by the rules, by the table's word, or against a rule in soft mode."""
    if isinstance(move.what, Ruling):
        if move.what.cards:
            return _amended(game, state, move.what.cards)
        if game.rulings.overrule is None:
            raise Illegal("table", text("This game has no numbers to set."))
        return game.rulings.overrule(state, move.what.counter, move.what.value)
    if move.against and game.rulings.force is not None:
        return game.rulings.force(state, move.what)
    return game.apply(state, move.what)


def _amended(game: Game[Any], state: Any, told: tuple[Correction, ...]) -> Any:
    if game.cards is None or game.cards.amended is None:
        raise Illegal("table", text("It counts from the next game on."))
    try:
        after = game.cards.amended(state, told)
        game.possible(after)
    except BadState as wrong:
        why = text("It counts from the next game on: {why}", why=str(wrong))
        raise Illegal("table", why) from wrong
    return after


def opening(game: Game[Any], version: int, seats: int, chosen: Mapping[str, Any]) -> Any:
    """The start of a game by the rules of this version; BadJournal if nobody knows them now."""
    if version != game.version and version not in game.older:
        raise BadJournal(
            f"it was played by version {version} of the rules of {game.key}; "
            f"this companion has version {game.version}"
        )
    options = {key: value for key, value in chosen.items() if key not in TABLE_OPTIONS}
    return game.new(seats, options_from_json(game, {**options, **game.older.get(version, {})}))


def fold(game: Game[Any], start: Any, moves: Sequence[Move]) -> Timeline:
    """All moves from the start; raises Illegal at the first that the rules refuse."""
    states = [start]
    for move in moves:
        states.append(step(game, states[-1], move))
    last = moves[-1].seq if moves else 0
    return Timeline(game, tuple(moves), tuple(states), last)


def replay(game: Game[Any], start: Any, entries: Iterable[Entry]) -> Timeline:
    """A journal folded; BadJournal names the entry that does not fit, its cause says why.

    The cause may name a card in a hand: it is not for everybody's eyes.
    """
    line = Timeline(game, (), (start,))
    for entry in entries:
        try:
            line = entered(line, entry)
        except MISFITS as error:
            raise BadJournal(f"entry {entry.seq} ({entry.kind}) does not fit") from error
    return line


def entered(line: Timeline, entry: Entry) -> Timeline:
    """One entry of the journal on; raises what says why it does not fit."""
    body = entry.body
    match entry.kind:
        case "do":
            action = done_from_json(line.game, body)
            return line.played(Move(entry.seq, action, body.get("against", "")))
        case "rule":
            cards = tuple(
                (str(card), str(name), value) for card, name, value in body.get("cards", ())
            )
            ruling = Ruling(body.get("counter", ""), body.get("value", 0), cards)
            return line.played(Move(entry.seq, ruling))
        case "back":
            return line.without(body["drop"])
        case "fix":
            return line.corrected(body["seq"], action_from_json(line.game, body["action"]))[0]
        case "warned" | "mode" | "seat":
            return line.noted()
        case _:
            assert_never(entry.kind)
