"""How the table asks: what is no question, what can be taken back first, what is asked twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import CompanionError
from companion.games.api import Pick
from companion.games.story import Fact
from companion.memory.timeline import Timeline
from companion.table.menu import Open, Page, Path, TakeBack
from companion.views import BLANK, Choice, Line
from companion.words import Panel, SeatNo, Text, text

LOOKS = 6  # states that a viewer cannot tell apart, tried before something counts as certain


@dataclass(frozen=True, slots=True)
class Sure:
    """A move that costs a character or the game, after the table has asked once more."""

    action: Any


@dataclass(frozen=True, slots=True)
class Certain:
    """What a choice leads to whatever is hidden: the end, or a character's last HP."""

    says: Text
    costs: bool  # a character, or the game: it is asked once more


def goes_by_itself(line: Timeline, players: tuple[Panel | None, ...]) -> Panel | None:
    """The panel whose first choice is taken without a press: where the game says so, or forced.

    The companion presses nothing: it decides for itself.
    """
    if not line.waiting.moment and forced(line) is None:
        return None
    panels = (players[seat] for seat in line.waiting.seats)
    return next((panel for panel in panels if panel is not None), None)


def forced(line: Timeline) -> SeatNo | None:
    """The seat whose only choice the table takes by itself; None: there is something to choose.

    Who might seem to choose is asked, too: others must not learn from a move that comes by itself
    that a hand has no answer. So a game with secrets says itself where that cannot be.
    """
    if forced not in line.memo:
        line.memo[forced] = _forced(line)
    found: SeatNo | None = line.memo[forced]
    return found


def _forced(line: Timeline) -> SeatNo | None:
    waiting = line.waiting
    if waiting.dice is not None or not waiting.seats or line.result is not None:
        return None
    if line.game.secrets.unseen is not None and not waiting.forced:
        return None
    for seat in map(SeatNo, waiting.seats):
        choices = line.view(seat).choices
        if len(choices) != 1 or choices[0].barred or line.own_last(seat):
            return None
    return SeatNo(waiting.seats[0])


def asked(line: Timeline, seat: SeatNo) -> tuple[Choice, ...]:
    """The choices of a seat as the table puts them; worked out once for each state."""
    key = asked, seat
    if key not in line.memo:
        line.memo[key] = tuple(_asked(line, seat))
    found: tuple[Choice, ...] = line.memo[key]
    return found


def _asked(line: Timeline, seat: SeatNo) -> Iterator[Choice]:
    choices = line.view(seat).choices
    others = sum(not choice.barred for choice in choices) > 1 or line.waiting.dice is not None
    for at, choice in enumerate(choices):
        found = certain(line, seat, choice)
        if found is not None:
            said = text("{end} {more}", end=found.says, more=choice.detail)
            choice = replace(choice, detail=said if choice.detail != BLANK else found.says)
            if found.costs and others:
                choice = replace(choice, action=Open(("sure", line.seq, at)))
        yield choice
    own = line.own_last(seat) if len(choices) == 1 and line.waiting.dice is None else None
    if own is not None:  # one's own decision led here: the other answer is to take it back
        what = line.game.tell(line.before(own.seq), own.what, seat)
        yield Choice(text("Take back"), TakeBack(own.seq), what)


def first_of(line: Timeline, seat: SeatNo) -> int | None:
    """Where the finger begins, if the game knows what most people want now."""
    key = first_of, seat
    if key not in line.memo:
        game, choices = line.game, line.view(seat).choices
        want = game.wanted(line.state, seat) if game.wanted and choices else None
        line.memo[key] = next((n for n, one in enumerate(choices) if one.action == want), None)
    found: int | None = line.memo[key]
    return found


def coached(line: Timeline, seat: SeatNo) -> tuple[tuple[Choice, ...], int | None]:
    """The choices with what the coach says of each, and where the best one stands."""
    key = coached, seat
    if key not in line.memo:
        line.memo[key] = _coached(line, seat)
    found: tuple[tuple[Choice, ...], int | None] = line.memo[key]
    return found


def _coached(line: Timeline, seat: SeatNo) -> tuple[tuple[Choice, ...], int | None]:
    offered = [choice.action for choice in line.view(seat).choices]
    hints = tuple(line.game.hints(line.state, seat)) if line.game.hints else ()
    new = tuple(hint for hint in hints if hint.action not in offered)
    said = {hint.action: hint.detail for hint in hints}
    choices = list(asked(line, seat))
    for at, action in enumerate(offered):
        if action in said:
            choices[at] = replace(choices[at], detail=said[action])
    if not hints:
        return tuple(choices), None
    at = 0 if hints[0] in new else len(new) + offered.index(hints[0].action)
    return (*new, *choices), at


def sure_page(line: Timeline, seat: SeatNo, path: Path) -> Page:
    """Once more, with what it costs; the finger is on the way back."""
    match path:
        case ("sure", int(seq), int(at)):
            choice = _meant(line, seat, seq, at)
            found = certain(line, seat, choice) if choice is not None else None
            if choice is not None and found is not None:
                yes = Choice(choice.label, Sure(choice.action), found.says)
                no = Choice(text("Rather not"), Open(()), found.says)
                return Page(text("Really?"), (yes, no), (Line(found.says),), cursor=1)
    return Page(text("This can no longer be done."), ())


def _meant(line: Timeline, seat: SeatNo, seq: int, at: int) -> Choice | None:
    """The choice that was asked about, if it is still there after what others did meanwhile."""
    now = line.view(seat).choices
    if seq == line.seq:
        return now[at]
    if all(move.seq != seq + 1 for move in line.moves):
        return None
    then = line.game.view(line.before(seq + 1), seat).choices
    wanted = then[at].action if at < len(then) else None
    return next((choice for choice in now if choice.action == wanted), None)


def certain(line: Timeline, seat: SeatNo, choice: Choice) -> Certain | None:
    """What the choice ends, if that depends on nothing that this seat does not know."""
    if choice.barred:
        return None
    found, looks = _leads_to(line, seat, choice.action, 0), LOOKS if line.game.secrets.unseen else 1
    if found is None or any(
        _leads_to(line, seat, choice.action, look) != found for look in range(1, looks)
    ):
        return None
    return found


def _leads_to(line: Timeline, seat: SeatNo, action: Any, look: int) -> Certain | None:
    game, (before, alive) = line.game, _look(line, seat, look)
    try:
        after = game.apply(before, action)
    except CompanionError:
        return None  # not in a state that only might be
    result = game.result(after)
    if result is not None:
        return Certain(result.why, seat not in result.winners)
    left = {fact.key: fact.value for fact in game.story.facts(after, seat)} if alive else {}
    fallen = next((fact for fact in alive if left.get(fact.key) == 0), None)
    if fallen is None:
        return None
    return Certain(text("{label} falls to 0.", label=fallen.label), True)


def _look(line: Timeline, viewer: SeatNo, number: int) -> tuple[Any, tuple[Fact, ...]]:
    """A state that this viewer cannot tell from the true one, and who stands in it.

    The true one is not among them where anything is hidden: what is said must not depend on it.
    """
    key = _look, viewer, number
    if key not in line.memo:
        unseen = line.game.secrets.unseen
        state = unseen(line.state, viewer, _pick(number)) if unseen else line.state
        facts = line.game.story.facts(state, viewer)
        alive = tuple(fact for fact in facts if fact.key.startswith("hp") and fact.value != 0)
        line.memo[key] = state, alive
    found: tuple[Any, tuple[Fact, ...]] = line.memo[key]
    return found


def _pick(number: int) -> Pick:
    """Picks for a look: the same at every table, for nothing is drawn with them."""
    seed = number + 1

    def pick(n: int) -> int:
        nonlocal seed
        seed = (seed * 1_103_515_245 + 12_345) % (1 << 31)
        return (seed >> 8) % n

    return pick
