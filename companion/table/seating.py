"""Who sits where: panels, the displays they look at, and the phones that speak for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from companion.bots.api import Bot, Players
from companion.errors import Illegal
from companion.games.api import Game
from companion.memory.codec import options_from_json
from companion.memory.journal import Entry
from companion.memory.timeline import TABLE_OPTIONS
from companion.views import Code
from companion.words import COLOUR_NAMES, Panel, SeatNo, Text, text

MOST_KNOWN = 20  # names that a panel goes through


@dataclass(frozen=True, slots=True)
class Seating:
    """The panels of this table, the names they start with, and which panels each display serves.

    A display of one panel is private; one of several panels is shared and asks whose eyes look;
    one of none is the table's own and public.
    """

    panels: int
    names: tuple[str, ...]
    displays: Mapping[str, tuple[Panel, ...]]


def who_sits_where(
    seats: Iterable[Any], entries: Iterable[Entry]
) -> tuple[list[Any], frozenset[SeatNo]]:
    """The seats after all that were handed over, and those whose players have left.

    A seat of the companion has no panel, and a level instead.
    """
    now, left = [*seats], set[SeatNo]()
    for body in (entry.body for entry in entries if entry.kind == "seat"):
        seat = {"panel": body["panel"], "name": now[body["seat"]]["name"]}
        now[body["seat"]] = seat | ({"level": body["level"]} if body.get("level") else {})
        (left.add if body["left"] else left.discard)(SeatNo(body["seat"]))
    return now, frozenset(left)


def companys(seats: Iterable[Any], key: str, players: Players) -> dict[SeatNo, Bot]:
    """Who of the companion's players plays which seat; the strongest, where a level is gone."""
    levels = {SeatNo(n): seat["level"] for n, seat in enumerate(seats) if seat.get("level")}
    able = {bot.level: bot for bot in players(key)} if levels else {}
    return {n: able.get(level) or [*able.values()][-1] for n, level in levels.items() if able}


def able_with(
    players: Players, game: Game[Any], chosen: Mapping[str, Any]
) -> tuple[tuple[Bot, ...], Text | None]:
    """Who can play with the options of a game; else why nobody can."""
    bots = players(game.key)
    own = {key: value for key, value in chosen.items() if key not in TABLE_OPTIONS}
    options = options_from_json(game, own)
    able = tuple(bot for bot in bots if bot.able(options) is None)
    return able, None if able or not bots else bots[0].able(options)


def remembered(known: Iterable[str], seats: Iterable[Any]) -> dict[str, None]:
    """The names that persons had here, the newest first."""
    people = (seat["name"] for seat in seats if not seat.get("level"))
    named = [name for name in people if name not in COLOUR_NAMES]
    return dict.fromkeys([*named, *known][:MOST_KNOWN])


def handed_over(
    players: tuple[Panel | None, ...], seat: SeatNo, panel: Panel | None, level: str = ""
) -> dict[str, Any]:
    """The entry that gives a seat to a panel where nobody plays, to the companion (`level`), or
    to whoever comes."""
    if level:
        return {"seat": seat, "panel": None, "left": False, "level": level}
    if panel is not None and panel in players:
        raise Illegal("table", text("Somebody plays at this panel."))
    return {"seat": seat, "panel": players[seat] if panel is None else panel, "left": panel is None}


class Phones(Protocol):
    """The browsers that speak for seats, as far as the table cares."""

    def note(self, panel: Panel) -> tuple[tuple[str, str], ...]:
        """What the seat's glass tells about them: where to go, and the code to claim the seat."""

    def claimed(self, panel: Panel) -> bool: ...

    def revoke(self, panel: Panel) -> None: ...

    def codes(self) -> tuple[Code, ...]:
        """What a phone scans to come here: the network, if it is known, and the address."""

    def place(self, panel: Panel) -> Code:
        """What a phone scans to sit down there at once: it holds the code that claims the seat."""
