"""What every seat must agree to, with its consequences worked out before anyone does."""

from __future__ import annotations

from typing import Any

from companion.errors import Illegal
from companion.events import Misread
from companion.games.api import Die, Rolled
from companion.memory.codec import action_to_json
from companion.memory.timeline import Move, Ruling, Timeline
from companion.table.lobby import MODE_NAMES
from companion.table.menu import Propose, broken, by, consequences, told
from companion.table.offers import Proposal
from companion.table.play import Play
from companion.words import Seat, Text, text


def drafted(line: Timeline, seat: int, wish: Propose) -> Proposal:
    """The proposal that a menu's choice makes; raises Illegal where it cannot be."""
    match wish:
        case Propose("back", int(seq)):
            return _back(line, seat, seq)
        case Propose("fix", (int(seq), action)):
            return _fix(line, seat, seq, action)
        case Propose("rule", Ruling() as ruling):
            return _rule(line, seat, ruling)
        case Propose("mode", str(mode)):
            says = by(seat, text("mode {mode}", mode=MODE_NAMES[mode]))
            return Proposal("mode", seat, {"mode": mode}, None, (says,))
        case Propose("stop"):
            return Proposal("stop", seat, {}, None, (by(seat, text("stop this game")),))
    raise Illegal("table", text("This cannot be proposed."))


def declined(proposal: Proposal, seat: int) -> Text:
    """What is said when a seat says no, or takes its word back."""
    if seat in proposal.agreed:
        return text("{who} takes it back. Nothing changed.", who=Seat(seat))
    return text("{who} does not agree. Nothing changed.", who=Seat(seat))


def carry_out(play: Play, proposal: Proposal) -> None:
    """Do what all have agreed to."""
    if proposal.kind == "stop":
        play.stop()
    else:
        after = proposal.after or play.line.noted()
        play.enter(proposal.by, proposal.kind, proposal.body, after)


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


def _back(line: Timeline, seat: int, seq: int) -> Proposal:
    gone = [move for move in line.moves if move.seq >= seq]
    after = line.without(move.seq for move in gone)
    far = text("go back 1 move") if len(gone) == 1 else text("go back {n} moves", n=len(gone))
    says = [by(seat, far)]
    says += [text("Undone: {what}", what=told(line, move)) for move in gone[:3]]
    return Proposal("back", seat, {"drop": [m.seq for m in gone]}, after, tuple(says))


def _fix(line: Timeline, seat: int, seq: int, action: Any) -> Proposal:
    after, lost, why = line.corrected(seq, action)
    says: list[Text] = [by(seat, text("correct a roll"))]
    says.append(line.game.tell(line.before(seq), action, None))
    was = next(move for move in line.moves if move.seq == seq)
    says.append(text("Until now: {what}", what=told(line, was)))
    says += consequences(line, after)
    if lost is not None and why is not None:
        says.append(broken(lost, why, line))
    body = {"seq": seq, "action": action_to_json(action)}
    return Proposal("fix", seat, body, after, tuple(says))


def _rule(line: Timeline, seat: int, ruling: Ruling) -> Proposal:
    counter = next(c for c in line.game.rulings.counters(line.state) if c.key == ruling.counter)
    after = line.played(Move(line.seq + 1, ruling))
    what = text(
        "{label} from {old} to {new}", label=counter.label, old=counter.value, new=ruling.value
    )
    body = {"counter": ruling.counter, "value": ruling.value}
    return Proposal("rule", seat, body, after, (by(seat, what), *consequences(line, after)))
