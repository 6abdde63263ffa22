""".hack//ENEMY at a whole table: pressed on panels, read on the glass, hidden from the other."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.games.hack import HACK
from companion.games.hack import actions as do
from companion.games.hack.state import Battle, Hero
from companion.plain import plain
from companion.views import Line
from tests.companion.desk import Desk
from tests.games.hack_table import A, B, Lay, after, board
from tests.games.unknown_cards import a_hidden_choice_leaves_no_trace

SHELF = {"hack": GAMES["hack"]}
DISPLAYS = ("one", "two")


def sat_down(folder: Path, *options: str, seed: int = 3) -> Desk:
    """Both have joined and the game has begun."""
    folder.mkdir(exist_ok=True)
    desk = Desk(folder, seed=seed, shelf=SHELF)
    desk.start(*options)
    return desk


def mover(desk: Desk) -> int:
    """The panel that has a card to hide."""
    return next(p for p in (0, 1) if any(label.startswith("Hide") for label in desk.labels(p)))


def test_no_byte_that_leaves_for_others_depends_on_the_card_that_was_hidden(
    tmp_path: Path,
) -> None:
    peek = sat_down(tmp_path / "peek")
    panel = mover(peek)
    hides = [label for label in peek.labels(panel) if label.startswith("Hide")]
    assert len(hides) >= 3
    others = ("table", DISPLAYS[1 - panel])
    evenings = a_hidden_choice_leaves_no_trace(
        lambda name: sat_down(tmp_path / name), panel, hides, others
    )
    desk = sat_down(tmp_path / "own")
    desk.choose(panel, hides[0])  # its own seat may read it
    hidden = [line for line in desk.text(DISPLAYS[panel]).split("\n") if "hidden cards" in line]
    assert hides[0].removeprefix("Hide ") in "".join(hidden)
    assert '"do":"Hide"' in evenings[0]["export"].replace(" ", "").replace("'", '"')
    assert "hides a card" in evenings[0]["replay"]


def test_an_evening_with_cardboard_is_pressed_through_and_survives_the_plug(tmp_path: Path) -> None:
    desk = sat_down(tmp_path / "evening", "Cards")
    desk.choose(0, "Destiny 5")
    desk.choose(1, "Destiny 2")
    assert desk.labels(0)[:4] == ["Play: PC", "Play: Item", "Play: Monster", "Hide a card"]
    desk.choose(0, "Play: PC")
    desk.choose(0, "Mistral")
    desk.choose(0, "Correct Strength")
    desk.choose(0, "7")
    desk.cut()
    assert "Mistral: PC 7" in desk.text("table")
    desk.choose(0, "As printed")
    desk.choose(0, "Mistral")
    assert "Mistral" in desk.text("two")
    desk.choose(1, "Play: Monster")
    desk.choose(1, "Fiend Menhir")
    desk.choose(1, "As printed")
    desk.choose(1, "Attack: Fiend Menhir")
    desk.choose(0, "Fight")
    desk.choose(1, "Destiny 2")
    assert "destiny 2 = 9" in desk.text("table")  # 7 + 2, before the other has drawn
    desk.choose(0, "Destiny 3")
    assert "Mistral wins" in desk.text("table")


def test_the_sum_of_a_fight_builds_up_on_the_glass() -> None:
    battles = (Battle("mistral", ("gladiator",)),)
    state = board(
        Lay(), Lay(heroes=(Hero("mistral", ("air_wand",)),)), decks="aa", cards="table",
        phase="destiny", battles=battles,
    )  # fmt: skip
    state = after(state, do.Destiny(A, 3))
    lines = [part.text.show() for part in HACK.view(state, None).parts if isinstance(part, Line)]
    assert lines[:2] == ["Gladiator 5 + destiny 3 = 8", "Mistral 4 + Air Wand 2 = 6"]
    state = after(state, do.Destiny(B, 4))
    lines = [part.text.show() for part in HACK.view(state, None).parts if isinstance(part, Line)]
    assert lines[0] == "Mistral wins"
    assert "Mistral 4 + Air Wand 2 + destiny 4 = 10" in lines


def test_hidden_cards_are_a_number_for_others_and_names_on_the_own_glass() -> None:
    state = board(Lay(hand=("elk",), hidden=("juk_rom", "bt")), Lay(hand=("crim",)))
    own, other, public = (" ".join(plain(HACK.view(state, v))) for v in (A, B, None))
    assert "Juk Rom" in own
    for shown in (other, public):
        assert "Juk Rom" not in shown
        assert "Elk" not in shown
        assert "hidden 2" in shown


def test_house_cards_say_so_and_told_ones_do_not() -> None:
    house = board(Lay(hand=("noble_cloak",)))
    assert "house" in " ".join(plain(HACK.view(house, A)))
    values = house.cards.values["noble_cloak"].items()
    fixed = ("name", "a", "b")
    told = tuple(("noble_cloak", field, v.value) for field, v in values if field not in fixed)
    sure = board(Lay(hand=("noble_cloak",)), fix=told)
    assert "house" not in " ".join(plain(HACK.view(sure, A)))


@pytest.mark.parametrize("cards", ["companion", "table"])
def test_labels_are_short_enough_for_a_small_display(cards: str) -> None:
    rng = random.Random(7)
    state = HACK.new(2, HACK.options(cards=cards))
    while waiting := HACK.waiting(state):
        if waiting.chance:
            assert HACK.chance is not None
            state = HACK.apply(state, HACK.chance(state, rng.randrange))
            continue
        seat = rng.choice(waiting.seats)
        for choice in HACK.view(state, seat).choices:
            assert len(choice.label.show()) <= 52, choice.label.show()
        state = HACK.apply(state, rng.choice(list(HACK.legal(state, seat))))
