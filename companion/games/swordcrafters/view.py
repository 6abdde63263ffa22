"""What a seat, or everybody, sees of a game."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.swordcrafters.cards import Solo, pays, title
from companion.games.swordcrafters.crafting import active
from companion.games.swordcrafters.entry import complete, laid_in_all, place
from companion.games.swordcrafters.gems import GEMS, NAMES, SIGNS, asked, guessed, sign
from companion.games.swordcrafters.laying import next_asked
from companion.games.swordcrafters.ledger import rival_rows, rival_totals
from companion.games.swordcrafters.offers import choices
from companion.games.swordcrafters.play import waiting
from companion.games.swordcrafters.printed import gems_told
from companion.games.swordcrafters.slices import LETTERS, NOBODY
from companion.games.swordcrafters.slicing import NAMES as WAYS
from companion.games.swordcrafters.slicing import way
from companion.games.swordcrafters.state import ROUNDS, State
from companion.games.swordcrafters.sword import GUARDED, SIDES, Sword
from companion.views import Cell, Grid, Line, Meter, Part, View
from companion.words import Seat, SeatNo, Text, text

SETTING_UP = ("deal", "magic", "rivals", "guards", "first")


def view(state: State, seat: SeatNo | None) -> View:
    """The one door out; a seat sees its own sword, everybody sees all when it is scored."""
    if seat is not None and seat >= state.seats:
        seat = None  # who does not play sees what everybody sees
    return View(
        title=_title(state),
        waiting=_asked(state, seat),
        parts=tuple(_parts(state, seat)),
        choices=() if seat is None else tuple(choices(state, seat)),
        brief=() if seat is not None else tuple(_brief(state)),
        seat=seat,
    )


def _title(state: State) -> Text:
    if state.phase == "over":
        return text("Final scores")
    if state.phase in SETTING_UP:
        return text("Set-up")
    if state.phase == "enter":
        return text("Scoring")
    if state.phase == "craft":
        return text("Forged, round {n}", n=state.round)
    return text("Round {n} of {all}", n=state.round, all=ROUNDS)


def _asked(state: State, seat: int | None) -> Text:
    """Whose move it is, in the reader's own terms."""
    asked_now = waiting(state)
    if seat is None or seat not in asked_now.seats:
        return asked_now.why
    match state.phase:
        case "magic" if state.draft and gems_told(state.draft):
            return text("Magic card {n}: its points?", n=len(state.magic) + 1)
        case "magic" if state.draft:
            return text("Magic card {n}: its gems?", n=len(state.magic) + 1)
        case "magic":
            return text("Magic card {n}: which?", n=len(state.magic) + 1)
        case "guards":
            return text("Which gem is on your guard?")
        case "first":
            return text("Who does the horn show?")
        case "lay":
            (row, column), _ = next_asked(state)
            return text("Tile in row {r}, column {c}?", r=row + 1, c=column + 1)
        case "draw":
            return text("The card's slice {n}?", n=len(state.icons) + 1)
        case "slice":
            return _slicing(state)
        case "select":
            return text("Take a group")
        case "craft":
            picked = state.smiths[seat].picked
            return text("{tile}: which side?", tile=NAMES[picked]) if picked else text("Next tile?")
        case "enter":
            sword, side = place(state.smiths[seat])
            if len(state.smiths[seat].swords) > 1:
                return text("Sword {n}, side {s}", n=sword + 1, s=side + 1)
            return text("Side {s}, from the guard", s=side + 1)
    return asked_now.why


def _slicing(state: State) -> Text:
    if state.line is not None:
        return text("Cut here?")
    if state.solo:
        return text("Draw a {way} line", way=WAYS[way(state)])
    return text("Which line?") if state.aim != NOBODY else text("Slice which group?")


def _parts(state: State, seat: int | None) -> Iterator[Part]:
    if state.rows and state.phase != "craft":
        yield grid(state)
    if seat is not None:
        smith = state.smiths[seat]
        if (at := active(smith)) is not None and state.phase == "craft":
            hand = tuple(sign(tile) for tile in smith.hands[at])
            yield Line(text("To forge: {tiles}", tiles=" ".join(hand)), tiles=hand)
        if state.phase != "over":
            yield from _swords(seat, smith.swords, own=True)
    if state.phase == "over":
        for other, smith in enumerate(state.smiths):
            yield from _swords(other, smith.swords, own=False)
        yield from _rivals_scored(state)
        for number, (what, points) in rival_rows(state):
            shown = text("Opponent {n}: {what}: {points}", n=number, what=what, points=points)
            yield Line(shown)
    yield from _standing(state)
    for number, rival in enumerate(state.rivals):
        yield from _rival(number + 1, rival)
    yield from _too_many(state)


def _brief(state: State) -> Iterator[Part]:
    """For the table's small display: the grid, the lengths, the token, the cards."""
    if state.phase == "over":
        yield from _rivals_scored(state)
        return
    if state.rows and state.phase != "craft":
        yield grid(state)
    yield from _standing(state)


def _standing(state: State) -> Iterator[Part]:
    """How long the swords are, who has the token, what the cards pay, how solo slices go."""
    if state.phase not in (*SETTING_UP, "over"):
        for seat, smith in enumerate(state.smiths):
            length = sum(sword.length for sword in smith.swords)
            yield Meter(text("{who}", who=Seat(seat)), length, key=f"length{seat}")
    if state.seats > 1 and state.phase not in (*SETTING_UP, "enter", "over"):
        yield Line(text("{who} has the token", who=Seat(state.first)))
    for card in state.magic:
        yield Line(text("{card}: {pays}", card=title(card), pays=pays(card)))
    if state.icons:
        yield Line(text("The card's slices: {icons}", icons=" ".join(state.icons)))


def _rivals_scored(state: State) -> Iterator[Line]:
    for number, total in enumerate(rival_totals(state)):
        yield Line(text("Opponent {n}: {points} VP", n=number + 1, points=total))


def _rival(number: int, rival: Solo) -> Iterator[Line]:
    """The sword that a solo card brings: what there is to beat."""
    runs = "+".join(map(str, rival.runs))
    sword = text(
        "Opponent {n}: {tiles} tiles, runs {runs}", n=number, tiles=rival.length, runs=runs
    )
    yield Line(sword)
    shown = " ".join(f"{SIGNS[gem]}{n}" for gem, n in zip(GEMS, rival.gems, strict=True))
    gems = text("Opponent {n}: {gems}", n=number, gems=shown)
    if rival.source == "house":
        gems = text("Opponent {n}: {gems}, house card", n=number, gems=shown)
    yield Line(gems)


def grid(state: State) -> Grid:
    """The grid with its groups; what is aimed at or asked about is lit, the line is dashed."""
    owner = {cell: n for n, group in enumerate(state.groups) for cell in group.cells()}
    gone = {cell for group in state.groups if group.owner != NOBODY for cell in group.cells()}
    lit = {cell for cell, n in owner.items() if n == state.aim != NOBODY and len(state.groups) > 1}
    if state.phase == "lay" and any(asked(tile) for row in state.rows for tile in row):
        lit = {next_asked(state)[0]}
    free = ((n, group) for n, group in enumerate(state.groups) if group.owner == NOBODY)
    marks = {(group.top, group.left): LETTERS[n] for n, group in free if len(state.groups) > 1}
    return Grid(
        tuple(
            tuple(
                Cell(
                    " " if (row, column) in gone else _sign(tile),
                    owner.get((row, column), 0),
                    (row, column) in lit,
                    marks.get((row, column), ""),
                )
                for column, tile in enumerate(tiles)
            )
            for row, tiles in enumerate(state.rows)
        ),
        state.line,
    )


def _sign(tile: str) -> str:
    """A tile that is only guessed is a small letter."""
    return SIGNS.get(guessed(tile), "?").lower() if asked(tile) else sign(tile)


def side_line(sword: Sword, side: int) -> str:
    """A side from the guard to the tip: `[R] B B -`."""
    shown = [sign(tile) for tile in sword.gems(side)]
    if side in GUARDED and len(shown) > len(sword.sides[side]):
        shown[0] = f"[{shown[0]}]"
    return " ".join(shown) or "."


def _swords(seat: int, swords: tuple[Sword, ...], *, own: bool) -> Iterator[Line]:
    """Every side of a player's swords, tile by tile."""
    for number, sword in enumerate(swords):
        if not sword.length and not sword.guards:
            continue
        for side in range(SIDES):
            name = text("Side {s}", s=side + 1)
            if len(swords) > 1:
                name = text("Sword {n} side {s}", n=number + 1, s=side + 1)
            if not own:
                name = text("{who}, {side}", who=Seat(seat), side=name)
            shown = side_line(sword, side)
            yield Line(text("{side}: {tiles}", side=name, tiles=shown), tiles=(*shown.split(),))


def _too_many(state: State) -> Iterator[Line]:
    """More tiles entered than six grids hold: somebody counted wrong."""
    if state.options.way != "score" or not all(complete(smith) for smith in state.smiths):
        return
    entered = sum(sword.length for smith in state.smiths for sword in smith.swords)
    if entered > laid_in_all(state):
        most = laid_in_all(state)
        yield Line(text("{n} tiles entered, only {most} are laid", n=entered, most=most))
