"""A game has ended in the journal exactly while the table is over, whatever is done to it."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion.errors import BadState, Illegal, NoRoom
from companion.events import DiceSettled, Misread, SeenDie
from companion.games.api import Die, Game, Rolled
from companion.memory.codec import result_to_keep
from companion.memory.journal import Journal
from companion.memory.records import exported, find, steps
from companion.memory.timeline import Ruling
from companion.table.agreement import drafted
from companion.table.menu import Propose
from companion.table.table import Seating
from companion.views import Ending
from tests.games.pig import PIG
from tests.games.shelf import GAMES, some_action
from tests.table.desk import Desk

COLOURS = ("Blue", "Red", "Green", "Yellow", "White")
AT_ANY_TIME = ("fix", "back", "rule", "mode", "take back")


def table_for(game: Game[Any], folder: Path, seed: int = 1) -> Desk:
    seats = game.seats[0]
    displays: dict[str, tuple[int, ...]] = {name: (n,) for n, name in enumerate(COLOURS[:seats])}
    seating = Seating(seats, COLOURS[:seats], {"table": (), **displays})
    desk = Desk(folder, seating, seed=seed, shelf={game.key: game})
    desk.start()
    return desk


def agree(desk: Desk) -> None:
    """Journal and table tell the same, and so does every way to read the game."""
    play, record = desk.table.play, desk.journal.last()
    assert record is not None
    kept = result_to_keep(play.line.result, play.names) if play.line.result else None
    assert (record.ended is not None, record.result) == (play.over, kept)
    reader = Journal(desk.path, lambda: 0.0, write=False)
    try:
        found = find(reader, play.number)
        head = next(iter(exported(reader, found, desk.shelf)))
        assert ('"secrets_left_out":false' in head) == play.over
        if not play.over:
            with pytest.raises(BadState, match="still runs"):
                next(steps(reader, found, desk.shelf, 0))
    finally:
        reader.close()


def wish(desk: Desk, chance: random.Random, kind: str) -> None:
    """Something that players may do to a game, by the very functions that the table calls."""
    play = desk.table.play
    line, seat = play.line, chance.randrange(len(play.players))
    match kind:
        case "move" if not play.over:
            action = some_action(line.game, line.state, chance)
            play.act(action, getattr(action, "seat", None))
        case "cut":
            desk.cut()
        case "take back" if own := line.own_last(seat):
            play.take_back(play.players[seat], own.seq)
        case "fix" if rolls := line.rolls()[:3]:
            roll = chance.choice(rolls)
            dice = [Die(die.body, chance.randrange(6) + 1) for die in roll.what.dice]
            propose(desk, seat, Propose("fix", (roll.seq, Rolled(tuple(dice)))))
        case "back" if line.moves:
            propose(desk, seat, Propose("back", chance.choice(line.moves[-4:]).seq))
        case "rule" if counters := line.game.rulings.counters(line.state):
            counter = chance.choice(counters)
            value = chance.choice((counter.low, counter.high, counter.value))
            propose(desk, seat, Propose("rule", Ruling(counter.key, value)))
        case "mode":
            propose(desk, seat, Propose("mode", chance.choice(("hard", "soft", "coach"))))


def propose(desk: Desk, seat: int, what: Propose) -> None:
    desk.table.play.carry_out(drafted(desk.table.play.line, seat, what))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_game_has_ended_in_the_journal_exactly_while_the_table_is_over(
    game: Game[Any], tmp_path: Path
) -> None:
    chance, desk = random.Random(game.key), table_for(game, tmp_path)

    def some(*kinds: str) -> None:
        with suppress(Illegal):
            wish(desk, chance, chance.choice(kinds))
        agree(desk)

    agree(desk)
    for _ in range(3):
        while not desk.table.play.over:
            some(*["move"] * 80, *AT_ANY_TIME)
        some("cut")
        while desk.table.play.over:
            some(*AT_ANY_TIME)
        some("cut")


@pytest.fixture
def won(tmp_path: Path) -> Desk:
    """Pig to 50, which Blue has just won by throwing 6 nine times and holding."""
    seating = Seating(2, ("Blue", "Red"), {"table": (), "one": (0,), "two": (1,)})
    desk = Desk(tmp_path, seating, shelf={"pig": PIG})
    desk.start("Goal")
    for roll in range(1, 10):
        desk.table.handle(thrown(6, roll))
    desk.choose(0, "Hold")
    agree(desk)
    assert desk.table.play.over
    return desk


def thrown(value: int, roll: int) -> DiceSettled:
    return DiceSettled((SeenDie(value, "black", 1.0, (0, 0), 9, track=1),), roll, accepted=True)


def misread(desk: Desk, value: int) -> None:
    """Blue says on the page of the eye what the last roll really was, and Red agrees."""
    desk.table.handle(Misread(0, thrown(6, 9), 1, value))
    desk.choose(1, "Agree")


def test_a_roll_corrected_after_the_end_makes_it_a_running_game_until_it_ends_again(
    won: Desk,
) -> None:
    misread(won, 1)
    assert not won.table.play.over  # a 1 ends the turn: Blue held nothing
    agree(won)
    won.cut()
    agree(won)
    for roll in range(10, 20):
        won.table.handle(thrown(5, roll))
    won.choose(1, "Hold")
    assert won.table.play.over
    agree(won)
    record = won.journal.last()
    assert record is not None
    assert record.result is not None
    assert record.result["winners"] == [1]


def test_an_end_that_is_only_corrected_keeps_its_time_and_gets_the_new_score(won: Desk) -> None:
    before = won.journal.last()
    misread(won, 5)
    after = won.journal.last()
    assert before is not None
    assert after is not None
    assert after.ended == before.ended
    assert after.result != before.result
    agree(won)


def test_a_disk_that_takes_the_entry_but_not_the_end_takes_neither(
    won: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise NoRoom("database or disk is full")

    entries = won.journal.entries(won.table.play.number)
    with monkeypatch.context() as patched:
        patched.setattr(Journal, "_judge", full)
        misread(won, 1)
        assert "disk is full" in won.notice(1)
    assert won.journal.entries(won.table.play.number) == entries
    agree(won)
    won.cut()
    agree(won)


def test_a_reader_who_found_the_game_ended_sees_nothing_that_was_played_after_it(
    won: Desk,
) -> None:
    reader = Journal(won.path, lambda: 0.0, write=False)
    found = find(reader, won.table.play.number)
    before = won.journal.entries(found.id)
    misread(won, 1)
    won.table.handle(thrown(5, 10))
    assert len(won.journal.entries(found.id)) == len(before) + 2
    assert reader.entries(found.id) == before
    reader.close()


def test_a_running_game_that_an_older_companion_left_ended_runs_again_after_a_start(
    won: Desk,
) -> None:
    ended = won.journal.last()
    misread(won, 1)
    assert ended is not None
    won.journal.end(ended.id, ended.result)
    won.cut()
    agree(won)


def test_the_end_is_a_picture_on_every_glass_before_anything_is_asked(won: Desk) -> None:
    for panel, says in ((0, "You win!"), (1, "You lose.")):
        view = won.read(panel)
        ending = view.parts[0]
        assert isinstance(ending, Ending)
        assert (view.page, ending.says.show()) == (0, says)
        assert ending.tallies[0].total == 54
    public = won.table.view("table").parts[0]
    assert isinstance(public, Ending)
    assert public.says.show(won.table.play.names) == "Blue wins!"
    won.press(0, "select")
    assert won.table.panel(0).page is None
    assert won.labels(0) == ["Play again", "Another game", "Turning points"]


def test_the_last_move_is_taken_back_and_a_roll_corrected_while_the_result_stands(
    won: Desk,
) -> None:
    assert won.menu(1)[:2] == ["Go back, if all agree", "Correct a roll"]
    assert won.menu(0)[0] == "Take back"
    won.choose(0, "Take back")
    assert not won.table.play.over
    agree(won)
    won.choose(0, "Hold")
    agree(won)
    won.menu(0)
    for label in ("Correct a roll", "Roll 9", "Die 1", "It was a 1"):
        won.choose(0, label)
    won.choose(1, "Agree")
    assert not won.table.play.over
    agree(won)
