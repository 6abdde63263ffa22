"""Sainome Colosseum at a whole table: pressed on panels, read on the glass, dice by the eye."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from companion.daemon.moments import Moments
from companion.events import Chosen, DiceSettled, SeenDie
from companion.games import GAMES
from companion.games.sainome import SAINOME
from companion.games.sainome import actions as do
from companion.games.sainome.state import State
from companion.plain import plain
from companion.ports import News
from companion.views import Choice, Cross, Dice, Line, Meter
from hardware.glass.draw import image, pages
from tests.daemon.house import open_house
from tests.games.sainome_playout import eager, play, world
from tests.games.sainome_table import A, B, Lay, after, board, thrown
from tests.games.unknown_cards import a_hidden_choice_leaves_no_trace
from tests.table.desk import Desk

SHELF = {"sainome": GAMES["sainome"]}
DISPLAYS = ("one", "two")


class Evening(Desk):
    """A desk with a tray: the eye tells what is thrown."""

    rolls = 0

    def throw(self, *values: int) -> None:
        """Dice come to rest."""
        self.rolls += 1
        dice = tuple(
            SeenDie(value, "black", 0.99, (60.0 * place, 50.0), 40.0)
            for place, value in enumerate(values)
        )
        self.table.handle(DiceSettled(dice, self.rolls, accepted=True))

    @property
    def state(self) -> State:
        now: State = self.table.play.line.state
        return now

    def press_for(self, panel: int, action: object) -> None:
        """Walk to the choice that means this action and select it."""
        if self.read(panel).page is not None:
            self.press(panel, "select")
        found = [choice.action for choice in self.table.play.line.view(panel).choices]
        while self.table.panel(panel).cursor != found.index(action):
            self.press(panel, "next")
        if self.press(panel, "select").waiting.template == "Really?":
            self.press(panel, "previous", "select")


def sat_down(folder: Path, *options: str, seed: int = 3) -> Evening:
    """Both have joined and the game has begun."""
    folder.mkdir(exist_ok=True)
    desk = Evening(folder, seed=seed, shelf=SHELF)
    desk.start(*options)
    return desk


def chosen(desk: Evening) -> Evening:
    """Blue begins, Red chose first."""
    desk.throw(5)
    desk.throw(2)
    desk.choose(0, "Begin")
    desk.choose(1, "Princess")
    desk.choose(0, "Swordsman")
    return desk


@pytest.mark.rule("sainome", "R10")
def test_no_byte_that_leaves_for_others_depends_on_the_card_that_was_picked(tmp_path: Path) -> None:
    peek = chosen(sat_down(tmp_path / "peek", "Draft"))
    labels = list(dict.fromkeys(peek.labels(0)))
    assert len(labels) >= 5
    evenings = a_hidden_choice_leaves_no_trace(
        lambda name: chosen(sat_down(tmp_path / name, "Draft")), 0, labels[:6], ("table", "two")
    )
    assert "Draft" in evenings[0]["export"]
    assert "Blue picks a card" in evenings[0]["replay"].replace("Seat 1", "Blue")
    peek.choose(0, labels[0])
    assert labels[0] in peek.text("one").split("Your HP, top first")[1].split("\n")[0]


def test_a_whole_evening_by_panels_eye_and_glass_survives_the_plug(tmp_path: Path) -> None:
    desk = sat_down(tmp_path / "evening", "HP", "HP")  # 10, 7, 5
    assert desk.state.options.hp == 5
    rng, moves = random.Random(5), 0
    while waiting := SAINOME.waiting(desk.state):
        moves += 1
        if moves % 40 == 0:
            before = desk.state
            desk.cut()
            assert desk.state == before
        if waiting.dice is not None:
            assert waiting.why.show(desk.table.view("table").names) in desk.text("table")
            desk.throw(*(rng.randrange(1, 7) for _ in waiting.dice.bodies))
            continue
        seat = rng.choice(waiting.seats)
        before = desk.state
        desk.press_for(seat, eager(before, seat, rng))
        assert desk.state != before, desk.notice(seat)
        if moves % 10 == 0:
            for display in ("table", *DISPLAYS):
                view = desk.table.view(display)
                assert image(view).getbbox()
    assert "is down" in desk.text("table")
    assert moves > 30


def test_an_evening_with_cardboard_names_compares_and_learns(tmp_path: Path) -> None:
    desk = sat_down(tmp_path / "cardboard", "Cards")
    desk.throw(1)
    desk.throw(4)
    desk.choose(1, "Choose first")
    desk.choose(1, "Sister")
    desk.choose(1, "As printed")
    desk.choose(0, "Princess")
    desk.choose(0, "As printed")
    assert desk.labels(0)[:2] == ["Done", "Show: Weapon"]
    desk.choose(0, "Show: Weapon")
    desk.choose(0, "Dagger")
    assert "Dagger ダガー" in desk.text("table")
    desk.choose(0, "Correct Damage")
    desk.choose(0, "3")
    desk.cut()
    assert "Damage 3, catalyst 0" in desk.text("two")
    desk.choose(0, "As printed")
    desk.choose(0, "Dagger left")
    desk.choose(0, "Done")
    desk.choose(1, "Done")
    assert "Blue acts, 2 left" in desk.text("table")
    desk.choose(0, "Attack")
    desk.throw(4)
    desk.choose(1, "Let it be")
    assert "Dagger 3" in desk.text("table")
    desk.choose(1, "Take 3 damage")
    assert "HP Red 7/10" in desk.text("table")
    assert "Sister (AWAKENED)" in desk.text("table")
    desk.choose(0, "Go on")
    assert "Blue acts, 1 left" in desk.text("table")


def test_a_die_that_the_eye_cannot_read_is_told_by_hand(tmp_path: Path) -> None:
    desk = chosen(sat_down(tmp_path / "hand"))
    desk.choose(0, "Done")
    desk.choose(1, "Done")
    desk.choose(0, "Attack")
    desk.choose(0, "Enter by hand")
    desk.choose(0, "1")
    desk.choose(0, "Yes, that is the roll")
    desk.choose(1, "Let it be")
    assert "Miss!" in desk.text("table")
    desk.choose(0, "Go on")
    assert "Blue acts, 1 left" in desk.text("one")


@pytest.mark.rule("sainome", "H4")
def test_a_chain_goes_on_by_itself_after_a_moment_where_that_is_set(tmp_path: Path) -> None:
    desk = chosen(sat_down(tmp_path / "moment", "After each effect"))
    assert desk.state.options.chain == "moment"
    desk.choose(0, "Done")
    desk.choose(1, "Done")
    desk.choose(0, "Attack")
    desk.wait()
    assert desk.table.moment() is None
    desk.throw(1)
    desk.choose(1, "Let it be")
    desk.wait()
    coming = desk.table.moment()
    assert coming is not None
    seconds, press = coming
    assert seconds == 3
    desk.menu(0)
    assert desk.table.moment() is None  # whoever reads the menu is not hurried
    desk.press(0, "back")
    coming = desk.table.moment()
    assert coming is not None
    desk.table.handle(coming[1])
    assert "Blue acts, 1 left" in desk.text("table")
    desk.table.handle(press)  # too late: nothing is taken twice
    assert "Blue acts, 1 left" in desk.text("table")


def test_the_daemon_sets_a_clock_for_the_moment_and_stops_it_at_a_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evening() -> list[tuple[float, object]]:
        set_for: list[tuple[float, object]] = []
        async with open_house(tmp_path, game=SAINOME) as house:
            loop = asyncio.get_running_loop()
            real = loop.call_later

            def call_later(seconds: float, call: Any, *args: Any) -> asyncio.TimerHandle:
                if isinstance(args[0] if args else None, Chosen):
                    set_for.append((seconds, args[0]))
                return real(seconds, call, *args)

            monkeypatch.setattr(loop, "call_later", call_later)
            wanted: Chosen | None = Chosen(0, 0, 7)
            monkeypatch.setattr(house.table, "moment", lambda: wanted and (3, wanted))
            moments = Moments(house.table, house.daemon.emit)
            moments.changed(News())
            moments.changed(News())  # the same moment: one clock
            timer = moments._timer
            assert timer is not None
            timer.cancel()
            moments._came(Chosen(0, 0, 7))
            moments.changed(News())  # it came: the next one like it has a clock of its own
            timer = moments._timer
            wanted = None
            moments.changed(News())
            assert timer.cancelled()
        return set_for

    assert asyncio.run(evening()) == [(3, Chosen(0, 0, 7))] * 2


def test_the_glass_shows_hp_big_the_cross_the_die_and_the_chain_one_idea_a_screen() -> None:
    mine = Lay("princess", up="battle_axe", down="sickle_and_chain", left="dagger")
    state = board(mine, Lay("magician", hand=("saw",)), chain="press")
    state = after(state, do.Strike(A), thrown(5), do.GoOn(B), do.Next(A, 2))
    view = SAINOME.view(state, B)
    first = pages(view, lambda text: text.show())[0].parts[0]
    assert isinstance(first, Line)
    assert first.text.show() == "Sickle and Chain 2"
    kinds = [type(part) for part in view.parts]
    assert kinds.index(Dice) < kinds.index(Meter) < kinds.index(Cross)
    assert [part.value for part in view.parts if isinstance(part, Meter)] == [10, 10]
    cross = [part for part in view.parts if isinstance(part, Cross)][1]
    signs = [(slot.sign, slot.name.show(), slot.lit) for slot in cross.slots]
    assert signs == [
        ("5", "Battle Axe", False), ("4", "Dagger", False), ("5", "Sickle and Chain", True),
        ("4", "", False),
    ]  # fmt: skip
    assert view.choices[0] == Choice(view.choices[0].label, do.GoOn(B))
    assert view.choices[0].label.show() == "Take 2 damage"


def test_a_hand_is_a_number_for_others_and_names_on_the_own_glass() -> None:
    state = board(Lay("sister", hand=("ray", "guts")), Lay("princess", hand=("longbow",)))
    own, other, public = (" ".join(plain(SAINOME.view(state, v))) for v in (A, B, None))
    assert "Ray" in own
    assert "Guts" in own
    for shown in (other, public):
        assert "Ray" not in shown
        assert "Guts" not in shown
        assert "hand 2 of 5" in shown


def test_house_cards_say_so_and_told_ones_do_not() -> None:
    mine, theirs = Lay("sister", hand=("dagger",)), Lay("princess")
    assert "Dagger (Weapon, 1 dmg, 6, house)" in " ".join(
        plain(SAINOME.view(board(mine, theirs), A))
    )
    told = board(mine, theirs, fix=(("dagger", "six", 1),))
    assert "Dagger (Weapon, 1 dmg, 6)" in " ".join(plain(SAINOME.view(told, A)))


@pytest.mark.parametrize("number", [0, 72])
def test_labels_are_short_enough_for_a_small_display(number: int) -> None:
    def reading(state: State, seat: int, rng: random.Random) -> object:
        for choice in SAINOME.view(state, seat).choices:
            assert len(choice.label.show()) <= 52, choice.label.show()
        return eager(state, seat, rng)

    options, pair = world(number)
    play(options, pair, reading, "labels")
