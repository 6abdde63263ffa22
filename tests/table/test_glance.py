"""What the table's own display shows at a glance: a few pages, in every game, until its end."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from companion.games import GAMES, SHELF
from companion.games.api import Game
from companion.games.hack.state import Battle, Hero
from companion.language import speaker
from companion.memory.timeline import Move, Timeline
from companion.table.calibration_talk import CameraTalk
from companion.table.offers import Scene, glance, offer, public_view
from companion.views import Line, Meter, View
from companion.words import Text, text
from hardware.glass.draw import pages
from tests.games.shelf import walk

NAMES = (text("Red"), text("Blue"), text("Green"), text("Yellow"), text("White"))
MOST = 8  # as many as there are dots below; at four seconds a page half a minute
STEP = 5  # every fifth moment is looked at, and the last one


def scenes(game: Game[Any], seats: int, seed: int, **options: Any) -> list[Scene]:
    """Moments of a whole game at random, as the table has them."""
    moments = list(walk(game, seats, game.options(**options), seed))
    states = tuple(moment.state for moment in moments)
    moves = tuple(Move(seq, moment.action) for seq, moment in enumerate(moments[:-1], 1))
    return [
        Scene(Timeline(game, moves[:at], states[: at + 1], at), tuple(range(seats)), NAMES[:seats],
              "hard", False, None, None, (), CameraTalk())
        for at in (*range(0, len(moves), STEP), len(moves))
    ]  # fmt: skip


def leaves(view: View, language: str = "en") -> list[str]:
    """The pages of a view in words."""
    say = partial(Text.show, names=view.names, translate=speaker(language))
    found = pages(view, say)
    return [" ".join(_words(part, say) for part in page.parts) for page in found]


def _words(part: Any, say: Any) -> str:
    if isinstance(part, Line):
        return say(part.text)
    return f"{say(part.label)} {part.value}" if isinstance(part, Meter) else type(part).__name__


TABLES: list[tuple[Game[Any], int, dict[str, Any]]] = [
    *((game, max(game.seats), {}) for game in SHELF),
    *((GAMES[key], 2, {"cards": "table"}) for key in ("kiriai", "sao", "hack", "sainome")),
    (GAMES["swordcrafters"], 1, {"opponents": 4}),
    (GAMES["sao"], 1, {}),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "options"), TABLES, ids=lambda one: getattr(one, "key", None)
)
def test_the_tables_display_has_a_few_pages_however_late_it_is(
    game: Game[Any], seats: int, options: dict[str, Any]
) -> None:
    views = [glance(scene) for scene in scenes(game, seats, 1, **options)]
    for language in ("en", "ja"):
        longest = max((leaves(view, language) for view in views), key=len)
        assert len(longest) <= MOST, longest


@pytest.mark.parametrize("phase", ["play", "stand", "extra", "flip"])
def test_the_most_crowded_table_of_hack_has_a_few_pages_too(phase: str) -> None:
    games = (scenes(GAMES["hack"], 2, seed)[-2::-1] for seed in range(1, 30))
    before = next(s for game in games for s in game if s.state.report is not None)
    heroes = [
        tuple(Hero(card, items, wounded=True) for card in cards)
        for cards, items in ((("mistral", "elk", "bt"), ("air_wand", "noble_cloak")),
                             (("alpha_ichigoro", "crim", "gardenia"), ("water_spear",)))
    ]  # fmt: skip
    portal, host = ("swordmanoid", "general_armor", "heavy_metal"), ("general_armor",) * 6
    sides = tuple(
        replace(side, heroes=pcs, portal=portal, deck=side.deck[:9])
        for side, pcs in zip(before.state.sides, heroes, strict=True)
    )
    state = replace(before.state, sides=sides, phase=phase, mover=0, due=())
    if phase in ("stand", "extra"):
        state = replace(state, attackers=host)
    if phase in ("extra", "flip"):
        fights = tuple(Battle(hero.card, host[:2]) for hero in heroes[1])
        state = replace(state, battles=fights)
    line = replace(before.line, states=(*before.line.states[:-1], state))
    for language in ("en", "ja"):
        shown = leaves(glance(replace(before, line=line)), language)
        assert len(shown) <= MOST, shown


def test_first_comes_the_score_then_what_happened_last() -> None:
    begun = [scene for scene in scenes(GAMES["hack"], 2, 1)[:-1] if scene.state.turns]
    assert len(begun) > 10
    for scene in begun:
        score, happened, *_ = leaves(glance(scene))
        points = [scene.state.points(seat) for seat in (0, 1)]
        assert score == f"Points of Red {points[0]} Points of Blue {points[1]}"
        move = scene.line.moves[-1]
        told = scene.game.tell(scene.line.before(move.seq), move.what, None)
        assert happened.split()[:2] == told.show(NAMES).split()[:2]


def test_what_the_game_tells_itself_is_not_told_twice() -> None:
    duel = scenes(GAMES["kiriai"], 2, 1)
    for view in map(glance, duel):
        said = [part.text for part in view.parts if isinstance(part, Line)]
        assert len(said) == len(set(said))


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_the_board_and_a_seats_own_look_leave_nothing_out(game: Game[Any]) -> None:
    for scene in scenes(game, max(game.seats), 1)[-3:]:
        whole = game.view(scene.state, None).parts
        assert public_view(scene).parts[-len(whole) :] == whole
        mine, _ = offer(scene, 0, ())
        assert mine.brief == () or scene.line.result is not None
        own = game.view(scene.state, 0).parts
        assert mine.parts[-len(own) :] == own
