"""The differ can fail: a leak that is planted behind a door is seen through that door alone."""

from __future__ import annotations

import logging
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.bots import shelf
from companion.bots.api import Answer, Sight, picks
from companion.care import support
from companion.events import Pulse
from companion.games import GAMES
from companion.games.api import Counter
from companion.memory import records
from companion.memory.codec import action_to_json
from companion.memory.timeline import Timeline
from companion.table import offers, table
from companion.table.binding import Binding
from companion.table.play import Play
from companion.views import Beat, Line
from companion.web.desk import Desk
from companion.words import SeatNo, text
from tests.bots.test_contract import cheating
from tests.secrecy import worlds
from tests.secrecy.differ import leaks
from tests.secrecy.doors import ALWAYS, ONCE
from tests.secrecy.pairs import Kind, Pair, pair, with_company

Plant = Callable[[Pair, pytest.MonkeyPatch], Pair]


def number_in(state: Any) -> int:
    """A number that tells the states of two worlds apart."""
    return zlib.crc32(repr(state).encode()) % 1009


def second() -> Callable[[Timeline], bool]:
    """Of two worlds at the same move and in different states: is this the one that came later?"""
    first: dict[tuple[str, int], int] = {}

    def came_later(line: Timeline) -> bool:
        number = number_in(line.state)
        return first.setdefault((line.game.key, line.seq), number) != number

    return came_later


def _view(one: Pair, _: pytest.MonkeyPatch) -> Pair:
    def gossip(state: Any, seat: Any) -> Any:
        view = one.game.view(state, seat)
        hint = Line(text("{n}", n=number_in(state)))
        return replace(view, parts=(hint, *view.parts), brief=(hint, *view.brief))

    return replace(one, game=replace(one.game, view=gossip))


def _tell(one: Pair, _: pytest.MonkeyPatch) -> Pair:
    gossip = replace(one.game, tell=lambda _state, move, _viewer: text("{x}", x=repr(move)))
    return replace(one, game=gossip)


def _counter(one: Pair, _: pytest.MonkeyPatch) -> Pair:
    def counters(state: Any) -> tuple[Counter, ...]:
        return (Counter("hint", text("Hint"), number_in(state), 0, 1009),)

    rulings = replace(one.game.rulings, counters=counters, overrule=lambda state, *_: state)
    return replace(one, game=replace(one.game, rulings=rulings))


def _export(one: Pair, patch: pytest.MonkeyPatch) -> Pair:
    patch.setattr(records, "redacted", action_to_json)
    return one


def _log_line(one: Pair, patch: pytest.MonkeyPatch) -> Pair:
    act = Play.act

    def chatty(self: Play, move: Any, *more: Any) -> None:
        logging.getLogger("companion.table.play").info("taken: %s", move)
        act(self, move, *more)

    patch.setattr(Play, "act", chatty)
    return one


def _bundle(one: Pair, patch: pytest.MonkeyPatch) -> Pair:
    told = support._game
    patch.setattr(
        support,
        "_game",
        lambda journal, record: {
            **told(journal, record), "last": journal.entries(record.id)[-1].body,
        },
    )  # fmt: skip
    return one


def _offer_number(one: Pair, patch: pytest.MonkeyPatch) -> Pair:
    last = len(one.before) + len(one.live)

    def bent(scene: Any, view: Any) -> Any:
        played = scene.line.seq == last  # a number that is bent earlier would keep it from that
        return replace(view, seq=view.seq + number_in(scene.state)) if played else view

    _with_finger(patch, bent)
    return one


def _lamp(one: Pair, patch: pytest.MonkeyPatch) -> Pair:
    later = second()
    _with_finger(patch, lambda scene, view: replace(view, lamp=later(scene.line)))
    return one


def _with_finger(patch: pytest.MonkeyPatch, bent: Callable[[Any, Any], Any]) -> None:
    def with_finger(scene: Any, *how: Any) -> Any:
        return bent(scene, offers.with_finger(scene, *how))

    patch.setattr(table, "with_finger", with_finger)


def _length(one: Pair, patch: pytest.MonkeyPatch) -> Pair:
    document = Desk.document

    def padded(self: Desk, *whose: Any) -> Any:
        return {**document(self, *whose), "pad": " " * number_in(self.table.play.line.state)}

    patch.setattr(Desk, "document", padded)
    return one


def _order(one: Pair, patch: pytest.MonkeyPatch) -> Pair:
    document, later = Desk.document, second()

    def turned(self: Desk, *whose: Any) -> Any:
        keys = list(document(self, *whose).items())
        return dict(keys[::-1] if later(self.table.play.line) else keys)

    patch.setattr(Desk, "document", turned)
    return one


def _moment(one: Pair, patch: pytest.MonkeyPatch) -> Pair:
    def moment(self: table.Table) -> Any:
        return number_in(self.play.line.state), Pulse()

    patch.setattr(table.Table, "moment", moment)
    return one


def _story(one: Pair, patch: pytest.MonkeyPatch) -> Pair:
    def beats(_self: Timeline, move: Any, _viewer: Any) -> tuple[Beat, ...]:
        return (Beat(text("{n}", n=number_in(move))),)

    patch.setattr(Timeline, "beats", beats)
    return one


def _seed(one: Pair, patch: pytest.MonkeyPatch) -> Pair:
    patch.setattr(Binding, "revealed", lambda self, _over: self.seed)
    return one


def _cheat(_: Pair, patch: pytest.MonkeyPatch) -> Pair:
    """A bot that looks at the true state; what it seals is nobody's to see, and differs."""
    honest = (pair(GAMES["kiriai"], "choice", n) for n in count())
    seated = (with_company(one) for one in honest if one is not None)
    first = replace(shelf.players("kiriai")[0], think=_first)
    bot = cheating(first, lambda state: number_in(state) % 2 == 0)
    patch.setattr(worlds, "PLAYERS", lambda _key: (bot,))
    return next(one for one in seated if one is not None and _odd_and_even(one))


def _first(sight: Sight, _seed: str) -> Iterator[Answer]:
    yield Answer(next(iter(sight.game.legal(sight.imagine(picks("")), sight.seat))))


def _odd_and_even(one: Pair) -> bool:
    """Whether the cheat can tell these worlds apart, and lays cards that stay hidden for now."""
    states = [reduce(one.game.apply, moves, one.game.new(one.seats, one.options))
              for moves in zip(*one.before, strict=True)]  # fmt: skip
    able = [*one.game.legal(states[0], next(map(SeatNo, one.company)))]
    lays = states[0].phase == "choose" and len(able) > 1
    return lays and len({number_in(state) % 2 for state in states}) == 2


NUMBER = 11  # of the pair: the last move is the secret one, made at the running table
PLANTS: dict[str, tuple[Plant, Kind, set[str]]] = {
    "view": (_view, "choice", {"view", "wire", "feed", "window", "http", "menu"}),
    "tell": (_tell, "choice", {"view", "feed", "window", "http", "broker"}),
    "counter": (_counter, "choice", {"menu"}),
    "export": (_export, "choice", {"http", "records", "broker"}),
    "log line": (_log_line, "choice", {"log", "bundle"}),
    "support bundle": (_bundle, "choice", {"bundle"}),
    "offer number": (_offer_number, "choice", {"view", "feed", "http"}),
    "lamp": (_lamp, "choice", {"view", "lamp", "feed", "http"}),
    "length of an answer": (_length, "choice", {"feed", "http"}),
    "order of an answer": (_order, "choice", {"feed", "http"}),
    "moment": (_moment, "choice", {"view"}),
    "story": (_story, "choice", {"view", "wire", "feed", "window", "http", "broker"}),
    "seed": (_seed, "seed", {"feed", "http"}),
    "companion": (_cheat, "choice", {"company"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_leak_is_seen_through_every_door_that_it_reaches(
    plant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted, kind, reached = PLANTS[plant]
    honest = pair(GAMES["kiriai"], kind, NUMBER)
    assert honest is not None
    found = leaks(planted(honest, monkeypatch), tmp_path)
    assert {leak.door for leak in found} == reached
    assert re.match(rf"kiriai, {kind} \d+: .* can tell through the door", found[0].says)


def test_every_door_has_been_seen_to_leak() -> None:
    assert {door for *_, doors in PLANTS.values() for door in doors} == {*ALWAYS, *ONCE}
