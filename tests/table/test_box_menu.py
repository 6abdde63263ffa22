"""*My box* on a panel: presses are counted; a game on the table asks whether a value counts now."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.events import BoxTold, Chosen, Pulse
from companion.games import GAMES
from companion.games.api import Game, roll
from companion.memory.cardbox import CardBox
from companion.memory.timeline import opening
from companion.plain import plain
from companion.table.box_menu import _order
from companion.words import Panel, SeatNo
from tests.table.desk import Desk

MOST_PRESSES = 12
WITH_CARDS = [game for game in GAMES.values() if game.cards is not None]


class Presses(Desk):
    """Counts what a finger presses, going the shorter way round."""

    count = 0

    def tap(self, *keys: Any) -> None:
        for key in keys:
            self.press(0, key)
            self.count += 1

    def take(self, label: str) -> None:
        labels = self.labels(0)
        fits = (n for n, shown in enumerate(labels) if shown.startswith(label))
        at = next((n for n in fits if label == labels[n] or " to " not in labels[n]), None)
        if at is None:  # a long list: first the part of it
            firsts = {shown: shown.split(" to ")[0] for shown in labels if " to " in shown}
            parts = [one for one, first in firsts.items()
                     if first.startswith(label) or _order(first) <= _order(label)]  # fmt: skip
            assert parts, f"{label!r} is not offered: {labels}"
            self.take(parts[-1])
            return self.take(label)
        far = (at - self.table.panel(0).cursor) % len(labels)
        back = far > len(labels) / 2
        self.tap(*(["previous"] * (len(labels) - far) if back else ["next"] * far), "select")

    def box(self, game: Game[Any]) -> dict[str, Any]:
        return {f"{c} {n}": v for c, n, v in CardBox(self.path.parent / "cards").load(game)}


def opened(folder: Path, key: str, *way: str) -> Presses:
    """From the lobby, where somebody has just decided to enter a card."""
    desk = Presses(folder, shelf={key: GAMES[key]})
    for label in ("My box", *way):
        desk.take(label)
    return desk


TYPICAL: list[tuple[str, tuple[str, ...], str, dict[str, Any]]] = [
    ("hack", ("PC", "Elk", "Strength"), "5", {"elk strength": 5}),
    ("hack", ("Monster", "Baby Worm", "Points"), "2", {"baby_worm points": 2}),
    ("hack", ("Item", "Air Wand", "Strength"), "2", {"air_wand strength": 2}),
    ("sainome", ("Weapon", "Longsword", "Damage"), "4", {"longsword damage": 4}),
    ("sainome", ("Magic", "Ray", "Catalyst"), "2", {"ray catalyst": 2}),
    ("sainome", ("Skill", "Time Bomb", "The 6"), "yes", {"time_bomb six": 1}),
    ("sao", ("Scenarios", "The Kobold Lord", "step 1 HP"), "9", {"illfang step1.hp": 9}),
    ("sao", ("Items", "Ring of Agility", "amount"), "2", {"ring amount": 2}),
    ("sao", ("Shield", "shield", "damage stopped"), "98", {"shield absorbs": 98}),
    ("swordcrafters", ("Magic card", "1a", "Compares"), "fewest", {"magic.1a method": "least"}),
    ("swordcrafters", ("Magic card", "2a", "Points by"), "6 / 2", {"magic.2a pays": "6 2"}),
    ("swordcrafters", ("Magic card", "3a", "Compares"), "pairs", {"magic.3a method": "pairs"}),
]  # fmt: skip
"""Three cards of each game: the way to a value, what is printed there, what the box then knows."""


@pytest.mark.parametrize(("key", "way", "value", "kept"), TYPICAL, ids=lambda one: str(one)[:40])
def test_three_cards_of_each_game_take_twelve_presses_from_the_lobby(
    key: str, way: tuple[str, ...], value: str, kept: dict[str, Any], tmp_path: Path
) -> None:
    desk = opened(tmp_path, key, *way)
    desk.take(value)
    assert desk.count <= MOST_PRESSES, desk.count
    assert kept.items() <= desk.box(GAMES[key]).items()
    assert desk.box(GAMES[key])


@pytest.mark.parametrize("key", ["hack", "sainome", "sao", "swordcrafters"])
def test_a_card_that_lies_before_one_takes_twelve_presses_in_the_middle_of_a_game(
    key: str, tmp_path: Path
) -> None:
    options = {"swordcrafters": ("Tiles", "Tiles")}.get(key, ())  # to those on screen
    desk = Presses(tmp_path, shelf={key: GAMES[key]})
    desk.start(*options)
    cards, play = GAMES[key].cards, desk.table.play
    assert cards is not None
    play_on(desk, lambda: len(set(cards.in_sight(play.line.state, SeatNo(0)))) > 2)
    desk.menu(0)
    desk.count = 2  # back to the table, back to the menu
    for label in ("My box", "Cards before you"):
        desk.take(label)
    desk.tap("next", "select")  # the second card
    desk.tap("select", "next", "select")  # its first figure is one more
    assert desk.count <= MOST_PRESSES
    assert len(desk.box(GAMES[key])) >= 1


def test_a_card_that_we_do_not_know_is_added_on_the_panel(tmp_path: Path) -> None:
    desk = opened(tmp_path, "sainome", "Item")
    for label in ("A card that is not listed", "Damage", "2"):
        desk.take(label)
    assert desk.count <= MOST_PRESSES
    assert desk.box(GAMES["sainome"])["item_46 damage"] == 2


def test_one_press_says_that_the_whole_card_is_as_printed(tmp_path: Path) -> None:
    desk = opened(tmp_path, "hack", "PC", "BT")
    desk.take("As printed")
    assert desk.count <= MOST_PRESSES
    assert "As printed" not in desk.labels(0)


def test_the_sides_of_links_are_a_picture_round_the_character(tmp_path: Path) -> None:
    desk = opened(tmp_path, "sainome", "Weapon", "Dagger", "Character's side")
    parts = desk.table.panel(0).parts
    assert type(parts[0]).__name__ == "Cross"
    assert "sides of the character" in parts[1].text.show()  # type: ignore[union-attr]


def test_back_leads_out_of_the_box_step_by_step(tmp_path: Path) -> None:
    desk = opened(tmp_path, "hack", "PC", "Elk", "Strength")
    titles = []
    for _ in range(4):
        desk.press(0, "back")
        titles.append(desk.table.panel(0).waiting.show())
    assert titles == ["Elk", "Which card?", "What kind of card?", "Cards of which game?"]


# --- at the table --------------------------------------------------------------------------------


def hack_game(folder: Path) -> Desk:
    desk = Desk(folder, shelf={"hack": GAMES["hack"]})
    desk.start()
    desk.wait()
    return desk


def test_a_value_of_the_box_counts_in_the_running_game_once_all_agree_and_after_a_cut(
    tmp_path: Path,
) -> None:
    desk = hack_game(tmp_path)
    desk.table.handle(BoxTold(0, "hack", "elk", (("strength", 9),)))
    assert desk.table.play.line.state.cards["elk"].strength == 4
    assert any("Elk: Strength 9" in part.text.show() for part in desk.table.panel(1).parts
               if hasattr(part, "text"))  # fmt: skip
    desk.choose(1, "Agree")
    assert desk.table.play.line.state.cards["elk"].strength == 9
    desk.cut()
    assert desk.table.play.line.state.cards["elk"].strength == 9
    assert desk.kinds()[-1] == "rule"


def test_who_does_not_agree_plays_on_and_the_box_keeps_the_value_for_the_next_game(
    tmp_path: Path,
) -> None:
    desk = hack_game(tmp_path)
    desk.table.handle(BoxTold(0, "hack", "elk", (("strength", 9),)))
    desk.choose(1, "Do not agree")
    assert desk.table.play.line.state.cards["elk"].strength == 4
    assert CardBox(tmp_path / "cards").load(GAMES["hack"]) == (("elk", "strength", 9),)
    before = desk.table.play.line.states[0]
    record = desk.journal.last()
    assert record is not None
    (tmp_path / "cards" / "hack.toml").unlink()
    assert opening(GAMES["hack"], record.version, 2, record.options) == before  # old journals


def test_what_the_cards_number_counts_from_the_next_game_and_nobody_is_asked(
    tmp_path: Path,
) -> None:
    desk = hack_game(tmp_path)
    desk.table.handle(BoxTold(0, "hack", "elk", (("a", 4),)))
    assert desk.table.public().waiting.show() != "Agreed by all?"
    assert len(desk.table.play.line.state.list_of(0)) == 40


def test_what_is_told_at_the_table_does_not_undo_what_the_page_told_meanwhile(
    tmp_path: Path,
) -> None:
    desk = Desk(tmp_path, shelf={"sao": GAMES["sao"]})
    desk.start("Cards: ")
    desk.table.handle(BoxTold(0, "sao", "shield", (("absorbs", 3),)))
    if "Agree" in desk.labels(1):
        desk.choose(1, "Agree")
    for panel, label in (
        (0, "Kirito"), (1, "Asuna"), (0, "The Kobold Lord"), (0, "step 1 HP"), (0, "9"),
    ):  # fmt: skip
        desk.choose(panel, label)
    assert set(CardBox(tmp_path / "cards").load(GAMES["sao"])) == {
        ("shield", "absorbs", 3), ("illfang", "step1.hp", 9),
    }  # fmt: skip


def test_a_refusal_by_a_value_of_ours_offers_to_change_it_in_the_box(tmp_path: Path) -> None:
    for seed in range(30):
        (tmp_path / str(seed)).mkdir()
        desk = Desk(tmp_path / str(seed), shelf={"hack": GAMES["hack"]}, seed=seed)
        desk.start()
        desk.wait()
        panel = next(p for p in (0, 1) if desk.table.panel(p).lamp)
        barred = [c for c in desk.table.panel(panel).choices if c.barred in ("R15", "R31")]
        if barred:
            break
    at = desk.read(panel).choices.index(barred[0])
    while desk.table.panel(panel).cursor != at:
        desk.press(panel, "next")
    view = desk.press(panel, "select")
    assert f"{barred[0].barred}: " in "".join(plain(view))
    assert desk.labels(panel)[view.cursor] == "Is this so in your box?"
    page = desk.press(panel, "select", "select")
    assert page.waiting.show().endswith("?")
    assert page.choices[page.cursor].detail.show() == "house value"


ASKS = "Is this so in your box?"


def play_on(desk: Desk, until: Callable[[], bool]) -> None:
    """Legal moves at random."""
    play, rng = desk.table.play, random.Random(4)
    while not until():
        assert play.line.result is None, "the game ended before it came to that"
        dice = play.line.waiting.dice
        if dice is not None:
            play.act(roll(dice, rng.randrange), None)
        else:
            seat = SeatNo(rng.choice(play.line.waiting.seats))
            play.act(rng.choice(list(play.line.game.legal(play.line.state, seat))), seat)
        desk.table.handle(Pulse())
    desk.wait()


def decided(folder: Path, key: str) -> tuple[Desk, Panel]:
    """Something on the table rests on values of ours."""
    desk = Desk(folder, shelf={key: GAMES[key]})
    desk.start()
    panels = desk.table.play.players
    play_on(desk, lambda: any(ASKS in desk.labels(panel) for panel in panels))
    return desk, next(panel for panel in panels if ASKS in desk.labels(panel))


@pytest.mark.parametrize("key", ["hack", "sainome", "sao"])
def test_a_fight_by_values_of_ours_says_so_to_all_and_offers_to_change_them_there(
    key: str, tmp_path: Path
) -> None:
    desk, panel = decided(tmp_path, key)
    said = "values of ours, not printed"
    assert any(said in line for line in plain(desk.table.public()))
    assert any(said in line for line in plain(replace(desk.table.panel(panel), page=0)))
    page = desk.choose(panel, ASKS)
    sources = {choice.detail.show() for choice in page.choices}
    assert sources <= {"house value", "not checked"}
    desk.press(panel, "select")  # the first of them
    view = desk.table.panel(panel)
    other = next(n for n in range(len(view.choices)) if n != view.cursor)
    desk.table.handle(Chosen(panel, other, view.seq))  # as a phone does
    others = [one for one in desk.table.play.players if one != panel]
    for one in others:
        desk.choose(one, "Agree")
    assert len(CardBox(tmp_path / "cards").load(GAMES[key])) == 1
    assert desk.kinds()[-1] == "rule"


def test_the_points_of_magic_cards_are_offered_for_change_when_they_have_been_counted(
    tmp_path: Path,
) -> None:
    desk, panel = decided(tmp_path, "swordcrafters")
    assert desk.table.play.over
    assert any(
        "Points by place" in label.label.show() for label in desk.choose(panel, ASKS).choices
    )


def test_back_from_the_values_that_decide_leads_to_the_game(tmp_path: Path) -> None:
    desk, panel = decided(tmp_path, "hack")
    desk.choose(panel, ASKS)
    assert ASKS in [c.label.show() for c in desk.press(panel, "back").choices]
