"""Slice: choose a group, then a line, then cut; in solo by the card's icons, half is thrown out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.errors import Illegal
from companion.games.api import require
from companion.games.records import replace
from companion.games.swordcrafters.actions import Aim, Cut, Discard, Draw, Drawn, Icon, Undo
from companion.games.swordcrafters.cardset import book
from companion.games.swordcrafters.round import begin_craft, with_smith
from companion.games.swordcrafters.slices import (
    GONE,
    LETTERS,
    NOBODY,
    Group,
    Line,
    halved,
    judge,
    lines,
    split,
)
from companion.games.swordcrafters.state import MOST_UNDOS, State, open_groups, tiles_of
from companion.words import text

ICONS = 4
NAMES = {"H": text("horizontal"), "V": text("vertical")}


def begin(state: State) -> State:
    """The whole grid is one group (S-R15); in solo a card is drawn first."""
    rows, columns = state.size
    state = replace(state, turn=0, groups=(Group(0, 0, rows, columns),), aim=NOBODY, line=None)
    return replace(state, phase="draw") if state.solo else _aimed(replace(state, phase="slice"))


def deck(state: State) -> tuple[str, ...]:
    """The solo cards that are left to draw (S-R39)."""
    gone = {*state.drawn, *(rival.key for rival in state.rivals)}
    return tuple(card.key for card in book(state.options.corrections).solo if card.key not in gone)


def drawn(state: State, action: Drawn) -> State:
    """The card of this round says how to slice."""
    require(action.card in deck(state), "S-R39", "That card is not in the deck")
    slices = next(c.slices for c in book(state.options.corrections).solo if c.key == action.card)
    return _next_icon(replace(state, drawn=(*state.drawn, action.card), icons=slices))


def icon(state: State, action: Icon) -> State:
    """The real card's next slice."""
    require(action.way in NAMES, "S-R39", "A slice is horizontal or vertical: H or V")
    state = replace(state, icons=state.icons + action.way)
    return state if len(state.icons) < ICONS else _next_icon(state)


def way(state: State) -> str:
    """The direction that a solo card asks for; "" where the slicer is free."""
    return state.icons[state.turn] if state.solo else ""


def least(state: State) -> int:
    """The smallest group that a slice may leave; one where nothing else is possible (S-H1)."""
    wanted = state.options.least
    possible = wanted == 1 or any(_lines(state, group, wanted) for group in open_groups(state))
    return wanted if possible else 1


def _lines(state: State, group: int, smallest: int) -> bool:
    if state.solo:
        return next(slices_of(state, group, smallest), None) is not None
    return halved(state.groups[group]) >= smallest


def slices_of(state: State, group: int, smallest: int) -> Iterator[Line]:
    """The lines of a group; in solo those after which the rest of the card can be sliced."""
    whole, found = state.groups[group], lines(state.groups[group], smallest, way(state))
    return (line for line in found if _goes_on(state, whole, line)) if state.solo else found


def _goes_on(state: State, whole: Group, line: Line) -> bool:
    """Does a half allow all that the card still asks for (S-H8)? No card asks for the impossible;
    where one does, it is sliced as far as it goes."""
    if state.options.rules < 2 or not _allows(whole, state.icons[state.turn :]):
        return True
    return any(_allows(half, state.icons[state.turn + 1 :]) for half in split(whole, line))


def _allows(group: Group, icons: str) -> bool:
    """Each slice takes one row or column at least, and one must be left."""
    tall, wide = group.bottom - group.top, group.right - group.left
    return tall > icons.count("H") and wide > icons.count("V")


def sliceable(state: State) -> tuple[int, ...]:
    """The groups that some slice can part."""
    smallest = least(state)
    return tuple(group for group in open_groups(state) if _lines(state, group, smallest))


def legal_slice(state: State, seat: int) -> Iterator[Any]:
    """A group, then a line, then the cut."""
    if state.line is not None:
        yield Cut(seat)
    elif state.aim == NOBODY:
        yield from (Aim(seat, group) for group in sliceable(state))
    else:
        for start, end in slices_of(state, state.aim, least(state)):
            yield Draw(seat, start, end)
    if can_undo(state):
        yield Undo(seat)


def can_undo(state: State) -> bool:
    """Is there a step of this slice to go back, and patience left?"""
    if state.smiths[state.mover].undone == MOST_UNDOS:
        return False
    return state.line is not None or (state.aim != NOBODY and len(sliceable(state)) > 1)


def aim(state: State, action: Aim) -> State:
    """This group will be sliced."""
    require(
        state.aim == NOBODY,
        "S-R13",
        "Group {g} is chosen: draw a line, or undo",
        g=LETTERS[state.aim],
    )
    require(action.group in open_groups(state), "S-R13", "There is no such group")
    name = LETTERS[action.group]
    require(action.group in sliceable(state), "S-R14", "Group {g} cannot be cut in two", g=name)
    return replace(state, aim=action.group)


def draw(state: State, action: Draw) -> State:
    """Show this line; it is not cut yet."""
    require(state.aim != NOBODY, "S-R13", "Choose a group first")
    require(state.line is None, "S-R13", "Your line is drawn: cut it, or undo")
    line = (action.start, action.end)
    judge(state.size, state.groups, state.aim, line, least(state))
    wanted, flat = way(state), action.start[0] == action.end[0]
    if wanted:
        require(
            flat == (wanted == "H"), "S-R39", "The card asks for a {way} slice", way=NAMES[wanted]
        )
        goes_on = _goes_on(state, state.groups[state.aim], line)
        require(goes_on, "S-H8", "That makes a later slice of the card impossible")
    return replace(state, line=line)


def cut(state: State, _action: Cut) -> State:
    """The group falls in two; the next player slices, or all select."""
    if state.line is None:
        raise Illegal("S-R13", text("Choose a line first"))
    halves = split(state.groups[state.aim], state.line)
    groups = (*state.groups[: state.aim], *halves, *state.groups[state.aim + 1 :])
    state = _patient(replace(state, groups=groups, aim=NOBODY, line=None))
    if state.solo:
        return replace(state, phase="discard")
    state = replace(state, turn=state.turn + 1)
    if state.turn < state.turns:
        return _aimed(state)
    return replace(state, phase="select", turn=0)


def undo_slice(state: State, _action: Undo) -> State:
    """Back to the lines, or back to the groups."""
    require(can_undo(state), "S-R13", "Nothing of this slice to undo: the menu takes back more")
    smith = state.smiths[state.mover]
    state = with_smith(state, state.mover, replace(smith, undone=smith.undone + 1))
    return replace(state, line=None) if state.line is not None else replace(state, aim=NOBODY)


def may_discard(state: State) -> tuple[int, ...]:
    """The groups that may go: what the card still asks for must stay possible (S-H8)."""
    both = open_groups(state)
    if state.turn + 1 == ICONS:
        return both
    rest = state.icons[state.turn + 1 :] if state.options.rules > 1 else ""
    last = [one for one in both if rest and _allows(state.groups[_other(both, one)], rest)]
    if last:
        return tuple(last)
    after = replace(state, turn=state.turn + 1)
    good = [group for group in both if _can_go(after, group, both)]
    return tuple(good) or both


def _can_go(after: State, group: int, both: tuple[int, ...]) -> bool:
    return _lines(after, _other(both, group), 1)


def _other(both: tuple[int, ...], group: int) -> int:
    (other,) = (other for other in both if other != group)
    return other


def discard(state: State, action: Discard) -> State:
    """Half of it goes back to the box (S-R40)."""
    both = open_groups(state)
    require(action.group in both, "S-R40", "Choose one of the two groups to discard")
    require(
        action.group in may_discard(state),
        "S-H8",
        "That makes a later slice of the card impossible",
    )
    groups = list(state.groups)
    groups[action.group] = replace(groups[action.group], owner=GONE)
    return _next_icon(replace(state, groups=tuple(groups), turn=state.turn + 1))


def _next_icon(state: State) -> State:
    """The next slice that the kept group allows; an impossible one is skipped (S-H8)."""
    (kept,) = open_groups(state)
    while state.turn < ICONS and not _lines(state, kept, 1):
        state = replace(state, turn=state.turn + 1)
    if state.turn < ICONS:
        return _aimed(replace(state, phase="slice"))
    groups = list(state.groups)
    tiles = tiles_of(state, groups[kept])
    groups[kept] = replace(groups[kept], owner=0)
    state = with_smith(state, 0, replace(state.smiths[0], hands=(tiles,)))
    return begin_craft(replace(state, groups=tuple(groups)))


def _aimed(state: State) -> State:
    """Where only one group can be cut, nobody has to choose it."""
    only = sliceable(state)
    return replace(state, aim=only[0] if len(only) == 1 else NOBODY, line=None)


def _patient(state: State) -> State:
    """A slice is done: undo starts anew."""
    return with_smith(state, state.mover, replace(state.smiths[state.mover], undone=0))
