"""What every seat must agree to, with its consequences worked out before anyone does."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, assert_never

from companion.errors import Illegal
from companion.events import Misread
from companion.games.api import Die, Rolled
from companion.memory.codec import action_to_json
from companion.memory.sentences import move_sentence, printed_sentence
from companion.memory.timeline import Move, Ruling, Timeline
from companion.table.lobby import MODE_NAMES
from companion.table.menu import Propose, broken, by, consequences
from companion.words import Seat, SeatNo, Text, text


@dataclass(frozen=True, slots=True)
class Proposal:
    """What stands to be agreed: the entry it would make and where it would lead."""

    kind: Any  # a journal's Kind, "aside" or "stop"
    by: SeatNo
    body: dict[str, Any]
    after: Timeline | None
    says: tuple[Text, ...]
    agreed: frozenset[SeatNo] = frozenset()

    def with_word_of(self, seat: SeatNo) -> Proposal:
        """One more seat agrees."""
        return replace(self, agreed=self.agreed | {seat})


class Agreement:
    """One proposal at a time, and who has agreed to it."""

    def __init__(self) -> None:
        self.proposal: Proposal | None = None

    def agreed(self, seat: SeatNo, seats: int) -> Proposal | None:
        """One more seat agrees; when all have, the proposal, and nothing is proposed any more."""
        standing = self._standing().with_word_of(seat)
        self.proposal = standing if len(standing.agreed) < seats else None
        return standing if self.proposal is None else None

    def declined(self, seat: SeatNo) -> Text:
        """A seat says no, or takes its word back: nothing is proposed any more. What to say."""
        standing, self.proposal = self._standing(), None
        if seat in standing.agreed:
            return text("{who} takes it back. Nothing changed.", who=Seat(seat))
        return text("{who} does not agree. Nothing changed.", who=Seat(seat))

    def _standing(self) -> Proposal:
        if self.proposal is None:
            raise Illegal("table", text("Nothing is proposed."))
        return self.proposal


def taken_back(line: Timeline, seq: int, company: Collection[SeatNo]) -> tuple[list[int], Timeline]:
    """A seat's own decision is dropped, and with it what the companion has answered already."""
    try:
        return [seq], line.without([seq])
    except Illegal:
        answers = [move.seq for move in line.moves if move.seq > seq and move.seat in company]
        return [seq, *answers], line.without([seq, *answers])


def drafted(line: Timeline, seat: SeatNo, wish: Propose) -> Proposal:
    """The proposal that a menu's choice makes; raises Illegal where it cannot be."""
    match wish.kind:
        case "back":
            return _back(line, seat, wish.what)
        case "fix":
            return _fix(line, seat, *wish.what)
        case "rule":
            return _rule(line, seat, wish.what)
        case "mode":
            says = by(seat, text("mode {mode}", mode=MODE_NAMES[wish.what]))
            return Proposal("mode", seat, {"mode": wish.what}, None, (says,))
        case "stop":
            return Proposal("stop", seat, {}, None, (by(seat, text("give up this game")),))
        case "aside":
            says = by(seat, text("set this game aside"))
            return Proposal("aside", seat, {}, None, (says, text("The lobby can go on with it.")))
        case _:
            assert_never(wish.kind)


def misread(line: Timeline, said: Misread) -> Propose:
    """The correction of the last roll that says what one of its dice really showed."""
    seen = next((die for die in said.seen.dice if die.track == said.track), None)
    for move in line.rolls()[:1]:
        dice = move.what.dice
        same = [n for n, die in enumerate(dice)
                if seen and (die.body, die.value) == (seen.body, seen.value)]  # fmt: skip
        if same:
            at = same[0]
            told = Die(dice[at].body, said.value)
            return Propose("fix", (move.seq, Rolled((*dice[:at], told, *dice[at + 1 :]))))
    raise Illegal("table", text("The last roll that counts has no such die."))


def _back(line: Timeline, seat: SeatNo, seq: int) -> Proposal:
    gone = [move for move in line.moves if move.seq >= seq]
    after = line.without(move.seq for move in gone)
    far = text("go back 1 move") if len(gone) == 1 else text("go back {n} moves", n=len(gone))
    says = [by(seat, far)]
    says += [text("Undone: {what}", what=move_sentence(line, move)) for move in gone[:3]]
    return Proposal("back", seat, {"drop": [m.seq for m in gone]}, after, tuple(says))


def _fix(line: Timeline, seat: SeatNo, seq: int, action: Any) -> Proposal:
    after, lost, why = line.corrected(seq, action)
    says: list[Text] = [by(seat, text("correct a roll"))]
    says.append(line.game.tell(line.before(seq), action, None))
    was = next(move for move in line.moves if move.seq == seq)
    says.append(text("Until now: {what}", what=move_sentence(line, was)))
    says += consequences(line, after)
    if lost is not None and why is not None:
        says.append(broken(lost, why, line))
    body = {"seq": seq, "action": action_to_json(action)}
    return Proposal("fix", seat, body, after, tuple(says))


def _rule(line: Timeline, seat: SeatNo, ruling: Ruling) -> Proposal:
    if ruling.cards:
        after = line.played(Move(line.seq + 1, ruling))
        says = (by(seat, text("a printed card")), printed_sentence(line, ruling.cards))
        cards = {"cards": [list(row) for row in ruling.cards]}
        return Proposal("rule", seat, cards, after, (*says, *consequences(line, after)))
    counter = next(c for c in line.game.rulings.counters(line.state) if c.key == ruling.counter)
    after = line.played(Move(line.seq + 1, ruling))
    what = text(
        "{label} from {old} to {new}", label=counter.label, old=counter.value, new=ruling.value
    )
    body = {"counter": ruling.counter, "value": ruling.value}
    return Proposal("rule", seat, body, after, (by(seat, what), *consequences(line, after)))
