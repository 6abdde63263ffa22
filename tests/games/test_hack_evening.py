""".hack//ENEMY at a whole table: pressed on panels, read on the glass, hidden from the other."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.games.hack import HACK
from companion.games.hack import actions as do
from companion.games.hack.state import Battle, Hero, State
from companion.plain import part_line, plain
from companion.views import Cards, Line
from companion.words import Text
from hardware.glass.draw import BODY, pages
from hardware.glass.letters import wrapped
from hardware.glass.widgets import cards_a_page
from tests.games.hack_table import A, B, Lay, after, board
from tests.games.unknown_cards import a_hidden_choice_leaves_no_trace
from tests.table.desk import Desk
from tests.web.house import Browser, open_pages

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
    assert "Mistral: 7 against 9" in desk.text("table")  # 7 + 2, before the other has drawn
    assert "destiny 2 = 9" in desk.text("one")
    desk.choose(0, "Destiny 3")
    assert "Mistral wins" in desk.text("table")


@pytest.mark.slow
def test_a_printed_card_is_learnt_on_the_page_as_on_the_panel(tmp_path: Path) -> None:
    async def evening() -> None:
        house_of_pages = open_pages(tmp_path, game=HACK)
        async with house_of_pages as house, Browser(house) as blue, Browser(house) as red:
            await blue.claim(0)
            await red.claim(1)
            await blue.choose(0, "Join")
            await red.choose(1, "Join")
            for label in ("Cards: by companion", "Start", "Destiny 4"):
                await blue.choose(0, label)
            await red.choose(1, "Destiny 2")
            for label in ("Play: PC", "Mistral", "Correct Strength", "7", "As printed", "Mistral"):
                assert (await blue.choose(0, label)).status_code == 200
            assert "Mistral 7" in json.dumps(await red.snapshot("seat"))
            state: State = house.table.play.line.state
            assert state.corrections[0] == ("mistral", "strength", 7)

    asyncio.run(evening())


def test_the_sum_of_a_fight_builds_up_on_the_glass() -> None:
    battles = (Battle("mistral", ("gladiator",)),)
    state = board(
        Lay(), Lay(heroes=(Hero("mistral", ("air_wand",)),)), decks="aa", cards="table",
        phase="destiny", battles=battles,
    )  # fmt: skip
    state = after(state, do.Destiny(A, 3))
    lines = [part.text.show() for part in HACK.view(state, None).parts if isinstance(part, Line)]
    assert lines[0] == "Gladiator 5 + destiny 3 = 8 against Mistral 4 + Air Wand 2 = 6"
    state = after(state, do.Destiny(B, 4))
    lines = [part.text.show() for part in HACK.view(state, None).parts if isinstance(part, Line)]
    assert lines[0] == "Mistral wins"
    assert lines[1].endswith("= 8 against Mistral 4 + Air Wand 2 + destiny 4 = 10")


def test_hidden_cards_are_a_number_for_others_and_names_on_the_own_glass() -> None:
    state = board(Lay(hand=("elk",), hidden=("juk_rom", "bt")), Lay(hand=("crim",)))
    own, other, public = (" ".join(plain(HACK.view(state, v))) for v in (A, B, None))
    assert "Juk Rom" in own
    for shown in (other, public):
        assert "Juk Rom" not in shown
        assert "Elk" not in shown
        assert "hidden 2" in shown


def glass(state: State, seat: int | None) -> str:
    """Every word on every page of a display, nothing cut."""
    told = []
    for page in pages(HACK.view(state, seat), Text.show):
        for part in page.parts:
            told.append(part_line(part, Text.show))
            if isinstance(part, Cards):
                assert len(part.cards) <= cards_a_page(part, Text.show, BODY.w)
                assert all(len(wrapped(note.show(), 10, 114)) <= 3 for _, note in part.cards)
    return " ".join(told)


def on_the_cards(state: State, seat: int | None) -> dict[str, str]:
    """What a viewer reads on each card that it sees."""
    parts = [part for part in HACK.view(state, seat).parts if isinstance(part, Cards)]
    return {name.show(): note.show() for name, note in parts[-1].cards}


def test_pcs_stand_on_the_glass_with_strength_wounds_and_items_uncut() -> None:
    hurt = Hero("mistral", ("air_wand", "noble_cloak"), wounded=True)
    state = board(Lay(hand=("general_armor",), heroes=(hurt, Hero("elk"))))
    for seat in (A, B, None):
        shown = glass(state, seat)
        assert "Seat 1: Mistral 7, WOUNDED, with Air Wand, Noble Cloak, tolerance 1" in shown
        assert "Seat 1: Elk 4, tolerance 1" in shown


def test_without_cardboard_one_reads_ones_own_cards_and_those_in_play() -> None:
    heroes = (Hero("mistral", ("air_wand",)),)
    hand = ("general_armor", "la_repth")
    state = board(Lay(hand=hand, hidden=("juk_rom",), heroes=heroes), Lay())
    own, other = (on_the_cards(state, seat) for seat in (A, B))
    armor = "Monster 5, 1 VP; Destiny 2; Thunder; species Armor; "
    assert own["General Armor"] == armor + "Storable; Portal: may join if with Armor"
    assert own["Juk Rom"] == "Action; Destiny 4; Wood; Flip: strength +3"
    for shown in (own, other):
        assert shown["Air Wand"].startswith("Item +2; Destiny 3; Weapon; Wood; for Wavemaster")
        assert shown["Mistral"].startswith("PC 4; Destiny 3; Wavemaster; Fire")
    assert set(other) == {"Air Wand", "Mistral"}
    public = " ".join(plain(HACK.view(state, None)))
    assert "Air Wand: Item +2" in public
    assert "Mistral: PC 4" in public
    assert "Juk Rom" not in public
    assert "for Wavemaster" in glass(state, A)


def test_a_play_says_what_must_make_room_for_it() -> None:
    heroes = (Hero("mistral", ("air_wand",)), Hero("elk"))
    state = board(Lay(hand=("adians_rod", "bt"), heroes=heroes))
    told = {c.label.show(): c.detail.show() for c in HACK.view(state, A).choices}
    assert told["Adian's Rod on Mistral"].endswith("; sacrifices Air Wand")
    assert "sacrifices" not in told["Adian's Rod on Elk"]
    assert told["BT for Elk"].endswith("; sacrifices Elk")


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
