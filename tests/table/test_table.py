"""The table: presses become actions, refusals are told, take back, rulings, modes, displays."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from companion import events as ev
from companion.errors import BadState, NoRoom
from companion.language import speaker
from companion.memory.journal import Journal
from companion.memory.sentences import move_sentence
from companion.plain import plain
from companion.table.table import Seating
from companion.views import Line, Track
from companion.words import text
from tests.games.pig import PIG
from tests.table.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_seats_join_by_pressing_and_start_a_game_without_a_keyboard(desk: Desk) -> None:
    desk.press(0, "select")
    desk.press(1, "select")
    desk.press(1, "select")
    assert desk.text("table").startswith("Round 1 | Both lay two cards")


def test_the_lobby_refuses_to_start_with_too_few_and_says_how_many(desk: Desk) -> None:
    desk.choose(0, "Join")
    assert "Start" not in desk.labels(0)


def test_the_lobby_tells_each_panel_what_it_is_waited_for(tmp_path: Path) -> None:
    three = Seating(3, ("Blue", "Nadia", "Green"), {f"{n}": (n,) for n in range(3)} | {"table": ()})
    desk = Desk(tmp_path, three)
    assert desk.text("table").splitlines()[-2].endswith("for 2")
    desk.choose(0, "Join")
    assert "Waiting for others" in desk.text("0")
    assert "Press select to join" in desk.text("1")
    desk.choose(1, "Join")
    for glass in ("0", "1", "table"):
        assert "All are here: press Start" in desk.text(glass)
    assert "Every place is taken" in desk.text("2")  # who cannot start it is not asked to
    assert "You are Blue" in desk.text("0")
    assert "You are Nadia and play Red" in desk.text("1")
    assert "Nadia plays Red" in desk.text("table")
    assert "[Battlefield: Standard] - change to: Advanced" in desk.text("0")


def test_who_looks_at_the_table_while_the_game_begins_sees_what_there_is_to_choose(
    desk: Desk,
) -> None:
    for panel in (0, 1):
        desk.choose(panel, "Join")
    desk.press(1, "back", "previous")  # the letters that sit a phone down
    desk.choose(0, "Start")
    assert desk.read(1).page is None
    assert desk.labels(1)


def test_options_are_pressed_through_and_the_game_gets_them(desk: Desk) -> None:
    desk.choose(0, "Join")
    desk.choose(1, "Join")
    desk.choose(1, "Battlefield: Standard")
    assert any(label.startswith("Battlefield: Advanced") for label in desk.labels(0))
    desk.choose(0, "Start")
    assert desk.table.play.line.state.size == 7


def test_a_chosen_name_is_shown_and_two_seats_never_share_one(desk: Desk) -> None:
    desk.choose(0, "Join")
    desk.choose(1, "Join")
    desk.choose(1, "Name")
    assert not {"Blue", "Red"} & set(desk.labels(1))
    desk.choose(1, "Green")
    names = [player.name for player in desk.table.play.line.state.players]
    assert names == ["Blue", "Green"]


def test_who_is_called_like_a_role_of_the_game_gets_it_whoever_joined_first(desk: Desk) -> None:
    desk.choose(1, "Join")
    desk.choose(0, "Join")
    desk.choose(0, "Start")
    assert desk.table.play.players == (0, 1)  # panel 0 is called Blue
    assert [name.show() for name in desk.table.play.names] == ["Blue", "Red"]


def test_a_press_on_a_view_that_has_changed_is_not_taken(desk: Desk) -> None:
    desk.start()
    seen = desk.table.panel(0).seq
    desk.press(0, "select")
    before = desk.kinds()
    desk.table.handle(ev.ButtonPressed(0, "select", seen))
    assert desk.kinds() == before
    assert "changed under your finger" in desk.notice(0)


def test_a_choice_from_a_phone_counts_only_for_the_view_it_was_offered_on(desk: Desk) -> None:
    desk.start()
    seen = desk.table.panel(0).seq
    desk.table.handle(ev.Chosen(0, 2, seen))
    assert [card.face for card in desk.table.play.line.state.fighters[0].plan] == ["high"]
    desk.table.handle(ev.Chosen(0, 3, seen))
    assert len(desk.table.play.line.state.fighters[0].plan) == 1
    desk.table.handle(ev.Chosen(0, 999, desk.table.panel(0).seq))
    assert len(desk.table.play.line.state.fighters[0].plan) == 1


def test_a_fast_finger_that_only_moved_its_own_cursor_is_understood(desk: Desk) -> None:
    desk.start()
    seen = desk.table.panel(0).seq
    for key in ("next", "next", "select"):
        desk.table.handle(ev.ButtonPressed(0, key, seen))
    assert [card.face for card in desk.table.play.line.state.fighters[0].plan] == ["stance"]


def test_a_barred_choice_is_refused_with_its_rule_and_nothing_is_written(desk: Desk) -> None:
    desk.start()
    desk.plan(0, "Approach", "High")
    desk.plan(1, "Approach", "High")
    desk.choose(0, "Go on")
    before = desk.kinds()
    desk.choose(0, "High")
    assert "K-R11: The two are different cards of the hand" in "".join(plain(desk.table.panel(0)))
    assert desk.kinds() == before
    desk.press(0, "back")
    assert "High Strike" in desk.labels(0)


def test_soft_mode_carries_out_what_only_a_rule_forbids_and_tells_it_when_the_card_opens(
    desk: Desk,
) -> None:
    desk.start("Mode: hard", "soft")
    desk.plan(0, "Approach", "High")
    desk.plan(1, "Approach", "High")
    desk.choose(0, "Go on")
    desk.choose(0, "High")
    assert desk.notice(0) == "Against K-R11: High Strike rests this round: choose another card"
    # only High Strike was barred: whoever heard of K-R11 now would know what lies there
    assert desk.notice(1) == ""
    line = desk.table.play.line
    assert "K-R11" not in move_sentence(line, line.moves[-1], 1).show()
    assert "K-R11" not in move_sentence(line, line.moves[-1]).show()
    assert move_sentence(line, line.moves[-1], 0).show().endswith("(against K-R11)")
    assert [card.face for card in desk.table.play.line.state.fighters[0].plan] == ["high"]
    last = desk.journal.last()
    assert last is not None
    assert desk.journal.entries(last.id)[-1].body["against"] == "K-R11"
    desk.cut()
    assert [card.face for card in desk.table.play.line.state.fighters[0].plan] == ["high"]
    desk.choose(0, "Retreat")
    desk.choose(0, "Seal")
    desk.plan(1, "Retreat", "Low")
    line = desk.table.play.line
    assert move_sentence(line, line.moves[-1]).show().endswith("(against K-R11)")
    assert "Blue plays against K-R11" in " ".join(plain(desk.table.view("table")))


def test_a_seat_takes_back_its_own_choice_alone_and_nothing_is_erased(desk: Desk) -> None:
    desk.start()
    desk.choose(0, "Charge")
    desk.choose(1, "Retreat")
    desk.menu(0)
    detail = desk.table.panel(0).choices[0].detail.show()
    assert "Charge" in detail  # it says what it will undo
    desk.choose(0, "Take back")
    blue, red = desk.table.play.line.state.fighters
    assert blue.plan == ()
    assert [card.face for card in red.plan] == ["retreat"]  # the other's choice stays
    assert desk.kinds() == ["do", "do", "do", "back"]


def test_a_take_back_never_goes_past_a_reveal_unless_all_agree(desk: Desk) -> None:
    desk.start()
    desk.plan(0, "Approach", "High")
    desk.plan(1, "Retreat", "High")
    assert "Take back" not in desk.menu(0)
    desk.choose(0, "Go back")
    assert desk.labels(1) == ["Agree", "Do not agree"]
    desk.choose(1, "Do not agree")
    assert desk.table.play.line.state.steps
    desk.menu(0)
    desk.choose(0, "Go back")
    desk.choose(1, "Agree")
    assert not desk.table.play.line.state.steps
    assert desk.kinds()[-1] == "back"


def test_the_deal_is_a_reveal_and_a_new_one_is_made_after_going_back_past_it(desk: Desk) -> None:
    desk.start()
    desk.menu(0)
    desk.choose(0, "Go back")
    desk.choose(1, "Agree")
    assert desk.kinds() == ["do", "back", "do"]
    assert desk.table.play.line.state.phase == "choose"


def test_a_counter_is_set_in_one_step_when_every_seat_agrees(desk: Desk) -> None:
    desk.start()
    desk.menu(1)
    desk.choose(1, "Set a number")
    desk.choose(1, "Wounds of Blue")
    desk.choose(1, "1")
    assert desk.table.play.line.state.fighters[0].wounds == 0
    assert "Wounds of Blue" in desk.text("table")
    desk.choose(0, "Agree")
    assert desk.table.play.line.state.fighters[0].wounds == 1
    assert desk.kinds()[-1] == "rule"
    desk.cut()
    assert desk.table.play.line.state.fighters[0].wounds == 1


def test_who_proposed_may_take_it_back_so_that_an_absent_seat_stops_nobody(desk: Desk) -> None:
    desk.start()
    desk.menu(0)
    desk.choose(0, "Give up")
    assert desk.labels(0) == ["Never mind"]
    assert not desk.table.panel(0).lamp
    assert desk.table.panel(1).lamp
    desk.choose(0, "Never mind")
    assert desk.notice(1) == "Blue takes it back. Nothing changed."
    desk.choose(0, "Charge")
    assert len(desk.table.play.line.state.fighters[0].plan) == 1


def test_the_mode_changes_when_all_agree_and_stays_after_a_cut(desk: Desk) -> None:
    desk.start()
    desk.menu(0)
    desk.choose(0, "Mode: hard")
    assert len(desk.labels(0)) == 3
    desk.choose(0, "soft")
    desk.choose(1, "Agree")
    desk.cut()
    assert desk.table.play.mode == "soft"


def test_coach_mode_offers_advice_and_hard_mode_does_not(desk: Desk) -> None:
    desk.start()
    assert "Advice" not in desk.menu(0)
    desk.choose(0, "Mode: hard")
    desk.choose(0, "coach")
    desk.choose(1, "Agree")
    first, said, *_ = desk.table.panel(0).parts
    assert isinstance(first, Track)
    assert isinstance(said, Line)  # right beside what it is about, not at the end
    assert "%" in said.text.show()
    assert "Advice" in desk.menu(0)
    desk.choose(0, "Advice")
    assert desk.labels(0)
    assert "%" in " ".join(desk.labels(0))


def test_the_coach_speaks_while_dice_are_wanted_to_who_throws_them(tmp_path: Path) -> None:
    coached = replace(PIG, advice=lambda _state, _seat: (text("Hold at 20"),))
    desk = Desk(tmp_path, shelf={"pig": coached}, mode="coach")
    desk.start()
    told = [Line(text("Hold at 20")) in desk.table.panel(panel).parts for panel in (0, 1)]
    assert told == [True, False]


def test_the_menu_says_every_house_rule_in_the_readers_language(desk: Desk) -> None:
    desk.start()
    assert "House rules" in desk.menu(0)
    shown = desk.choose(0, "House rules")
    assert [choice.label.show() for choice in shown.choices[:2]] == ["K-H1", "K-H2"]
    said = shown.choices[0].detail
    assert said.show().startswith("A duel that nobody has won")
    assert said.show(translate=speaker("ja")).startswith("決めた最後のラウンド")


def test_a_game_is_stopped_only_when_all_agree_and_is_kept(desk: Desk) -> None:
    desk.start()
    desk.menu(0)
    desk.choose(0, "Give up")
    assert not desk.table.play.in_lobby
    desk.choose(1, "Agree")
    assert desk.table.play.in_lobby
    assert [game.key for game in desk.journal.games()] == ["lobby", "kiriai", "lobby"]


def test_what_was_agreed_is_no_news_after_the_next_move_or_beside_the_next_proposal(
    desk: Desk,
) -> None:
    desk.start()
    desk.menu(0)
    desk.choose(0, "Mode")
    desk.choose(0, "coach")
    desk.choose(1, "Agree")
    assert desk.notice(0) == desk.notice(1) == "Agreed by all."
    desk.choose(0, "Charge")
    assert desk.notice(1) == ""
    desk.menu(0)
    desk.choose(0, "Mode")
    desk.choose(0, "soft")
    desk.choose(1, "Do not agree")
    assert desk.notice(0) == "Red does not agree. Nothing changed."
    desk.menu(1)
    desk.choose(1, "Give up")
    assert desk.notice(0) == ""


def test_a_lost_device_is_no_passing_news(desk: Desk) -> None:
    desk.start()
    desk.table.handle(ev.DeviceDown("hub", "unplugged"))
    desk.choose(0, "Charge")
    assert "hub" in desk.notice(1)


@pytest.mark.slow
def test_play_resumes_after_a_cut_at_every_single_move(desk: Desk) -> None:
    desk.start()
    restored = 0
    for _ in range(400):
        if desk.table.play.over:
            break
        for panel in (0, 1):
            desk.read(panel)
            if desk.labels(panel) and not desk.table.play.over:
                count = len(desk.labels(panel))
                for _ in range(desk.chance.randrange(count)):
                    desk.press(panel, "next")
                desk.press(panel, "select")
                if desk.table.panel(panel).waiting == text("Not now"):
                    desk.press(panel, "back")  # a cut forgets that somebody reads a rule
        shown = [desk.text(name) for name in desk.seating.displays]
        desk.cut()
        assert [desk.text(name) for name in desk.seating.displays] == shown
        assert desk.notice(0).startswith("Restored: Kiri-ai")
        restored += 1
    assert desk.table.play.over
    assert restored > 5


FLIPPED = "CAST(replace(CAST({0} AS BLOB), x'{1}', x'{2}') AS TEXT)"  # one high bit of a text


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("UPDATE entries SET body = '{]' WHERE game = 2", "game 2 is damaged"),
        ("UPDATE entries SET body = '[]' WHERE game = 2", "game 2 is damaged: entry 1"),
        (f"UPDATE entries SET body = '{'[' * 9999}' WHERE game = 2", "game 2 is damaged"),
        (
            'UPDATE entries SET body = \'{"do":"Pick","seat":0,"face":"fist"}\' WHERE game = 2',
            "entry 1 (do) does not fit",
        ),
        ("UPDATE entries SET kind = 'odd' WHERE game = 2", "game 2 has a gap"),
        ("DELETE FROM entries WHERE game = 2 AND seq = 2", "game 2 has a gap"),
        ("UPDATE games SET options = '{' WHERE id = 2", "game 2 is damaged"),
        ('UPDATE games SET options = \'{"mode":"harf"}\' WHERE id = 2', "harf is no mode"),
        ("UPDATE games SET seats = '[{}]' WHERE id = 2", "game 2 is damaged"),
        ("UPDATE games SET version = 99 WHERE id = 2", "it was played by version 99"),
        ("UPDATE games SET key = 'chess' WHERE id = 2", "chess is not on this shelf"),
        (f"UPDATE games SET key = {FLIPPED.format('key', '61', 'e1')}", "game 2 is damaged"),
        (f"UPDATE games SET seats = {FLIPPED.format('seats', '42', 'c2')}", "game 2 is damaged"),
        (
            f"UPDATE games SET options = {FLIPPED.format('options', '68', 'e8')}",
            "game 2 is damaged",
        ),
        (f"UPDATE entries SET body = {FLIPPED.format('body', '63', 'e3')}", "game 2 is damaged"),
    ],
)
def test_a_game_that_cannot_be_continued_is_kept_and_said_and_the_table_starts(
    desk: Desk, damage: str, why: str
) -> None:
    desk.start()
    desk.choose(0, "Charge")
    desk.choose(0, "High")
    desk.unchained(damage)
    desk.cut()
    assert desk.table.play.in_lobby
    assert desk.notice(0).startswith(f"The last game is set aside and kept. {why}")
    with sqlite3.connect(desk.path) as db:
        assert db.execute("SELECT count(*) FROM games").fetchone()[0] == 3
    db.close()
    desk.start()


def test_an_old_lobby_with_a_flipped_bit_costs_nothing(desk: Desk) -> None:
    desk.start()
    desk.unchained(f"UPDATE games SET key = {FLIPPED.format('key', '6f', 'ef')} WHERE id = 1")
    desk.cut()
    assert desk.notice(0) == "Restored: Kiri-ai: The Duel, move 1."


def test_a_game_that_nobody_can_be_shown_is_set_aside_and_no_value_is_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.start()

    def bug(*_: object) -> None:
        raise ZeroDivisionError("the secret card")

    monkeypatch.setitem(desk.shelf, "kiriai", replace(desk.shelf["kiriai"], view=bug))
    desk.cut()
    assert desk.table.play.in_lobby
    assert "kept. a bug, ZeroDivisionError at test_table.py:" in desk.notice(0)
    assert "secret" not in desk.notice(0)


def test_what_was_in_a_hand_is_not_told_when_its_game_is_set_aside(desk: Desk) -> None:
    desk.start()
    desk.choose(0, "Charge")
    desk.unchained(
        "UPDATE entries SET body = replace(body, 'charge', 'kesa') WHERE seq = 2",
        "INSERT INTO entries SELECT game, 3, at, who, kind, body FROM entries "
        "WHERE game = 2 AND seq = 2",
    )
    desk.cut()
    said = r"The last game is set aside and kept\. entry \d \(do\) does not fit"
    assert re.fullmatch(said, desk.notice(0))


def test_a_game_that_cannot_begin_is_refused_before_start_is_journaled(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise BadState("no such deck")

    monkeypatch.setitem(desk.shelf, "kiriai", replace(desk.shelf["kiriai"], new=broken))
    desk.cut()
    desk.start()
    assert desk.notice(0) == "It cannot begin. no such deck (table)"
    assert desk.kinds() == ["do", "do"]  # two have joined
    desk.cut()
    assert "Start" in desk.labels(0)


def test_a_full_disk_at_a_restart_is_said_and_made_up_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise NoRoom("database or disk is full")

    desk.choose(0, "Join")
    desk.choose(1, "Join")
    with monkeypatch.context() as patched:
        patched.setattr(Journal, "begin", full)
        desk.choose(0, "Start")
        desk.cut()
        assert desk.notice(0).startswith("The disk is full or locked.")
    desk.press(0, "next")
    assert desk.table.play.line.game.key == "kiriai"


def test_the_result_stays_on_the_glass_after_a_cut_and_a_rematch_follows(desk: Desk) -> None:
    desk.start("Draw after round: 100", "Draw after round: 200")
    for _ in range(20):
        for panel in (0, 1):
            desk.plan(panel, "Retreat", "Change Stance" if panel else "Charge")
        desk.choose(0, "Go on")
        if desk.table.play.over:
            break
        for panel in (0, 1):
            desk.plan(panel, "Retreat", "Low")
        desk.choose(0, "Go on")
        if desk.table.play.over:
            break
    assert desk.table.play.over
    desk.cut()
    assert "The game is over" in desk.text("table")
    desk.choose(0, "Play again")
    assert "All are here: press Start" in desk.text("table")  # the new seed's code is shown first
    desk.press(0, "select")
    assert desk.text("table").startswith("Round 1")
    assert desk.table.play.line.state.options.round_cap == 20


def test_a_lost_device_is_said_on_every_panel_and_so_is_its_return(desk: Desk) -> None:
    desk.table.handle(ev.DeviceDown("eye", "no frames"))
    assert desk.notice(1) == "The eye is lost: no frames"
    assert "The eye is lost" in desk.table.view("table").notice.show()
    desk.press(1, "next")
    assert desk.notice(1) == ""
    desk.table.handle(ev.DeviceUp("eye"))
    assert desk.notice(0) == "The eye is back."
    assert desk.table.view("table").notice.show() == ""


def test_a_chattering_button_is_reported_by_panel_and_key(desk: Desk) -> None:
    desk.table.handle(ev.ButtonStorm(1, "next"))
    assert desk.notice(0) == "Panel 2: next chatters. Check its wire."
    desk.table.handle(ev.ButtonStorm(1, "next", over=True))
    assert desk.notice(0) == "Panel 2: next is quiet again."
    assert desk.table.view("table").notice.show() == ""


def test_a_button_that_stays_down_is_reported_by_panel_and_key(desk: Desk) -> None:
    desk.table.handle(ev.ButtonStuck(1, "select"))
    assert desk.notice(0) == "Panel 2: select is held down. Check its wire."
    desk.table.handle(ev.ButtonStuck(1, "select", over=True))
    assert desk.notice(0) == "Panel 2: select is up again."


def test_a_full_disk_refuses_the_move_with_the_reason_and_play_goes_on_when_there_is_room(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.start()
    state = desk.table.play.line.state

    def full(*_: object) -> None:
        raise NoRoom("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(desk.journal, "append", full)
        desk.choose(0, "Charge")
        assert "disk is full" in desk.notice(0)
        assert desk.table.play.line.state == state
    desk.choose(0, "Charge")
    assert len(desk.table.play.line.state.fighters[0].plan) == 1


def test_chance_that_a_full_disk_swallowed_is_made_up_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.choose(0, "Join")
    desk.choose(1, "Join")
    appended = desk.journal.append

    def full_for_the_deal(game: int, seq: int, who: int | None, *rest: object) -> None:
        if who is None:
            raise NoRoom("database or disk is full")
        appended(game, seq, who, *rest)  # type: ignore[arg-type]  # passed on as it came

    with monkeypatch.context() as patched:
        patched.setattr(desk.journal, "append", full_for_the_deal)
        desk.choose(0, "Start")
        assert desk.table.play.line.state.phase == "deal"
    desk.press(1, "next")
    assert desk.table.play.line.state.phase == "choose"


def test_a_press_on_a_panel_that_does_not_exist_is_nothing(desk: Desk) -> None:
    before = desk.text("table")
    desk.table.handle(ev.ButtonPressed(4, "select"))
    assert desk.text("table") == before


SHARED = Seating(2, ("Blue", "Red"), {"table": (0, 1)})


def test_a_shared_display_says_whose_eyes_and_waits_for_a_press_before_a_secret(
    tmp_path: Path,
) -> None:
    desk = Desk(tmp_path, SHARED)
    for panel in (0, 1):
        desk.press(panel, "select")  # look
        desk.press(panel, "select")  # join
    desk.press(0, "select", "select")  # look, start
    shown = desk.text("table")
    assert "Blue: press select. Others look away." in shown
    assert "Your hand" not in shown
    desk.press(0, "select")
    assert "Your hand" in desk.text("table")
    desk.press(1, "select")  # the other cannot push in
    assert desk.table.view("table").seat == 0
    for _ in range(3):
        desk.press(0, "select")
    shown = desk.text("table")
    assert "Your hand" not in shown
    assert "Red: press select. Others look away." in shown


def test_whatever_is_pressed_there_is_always_a_way_on(desk: Desk) -> None:
    """No dead end: from any place that random presses lead to, a game can be finished."""
    keys: tuple[ev.Key, ...] = ("previous", "next", "select", "back")
    for _ in range(600):
        desk.press(desk.chance.randrange(2), desk.chance.choice(keys))
    for _ in range(900):
        if desk.table.play.over:
            return
        for panel in (0, 1):
            for answer in ("Do not agree", "Go on", "Seal", "Join", "Start"):
                if any(label.startswith(answer) for label in desk.labels(panel)):
                    desk.choose(panel, answer)
            while desk.table.menu(panel):
                desk.press(panel, "back")
            if desk.labels(panel):
                desk.press(panel, *["next"] * desk.chance.randrange(6), "select")
    raise AssertionError("the table is stuck")


def test_a_panel_without_a_phone_is_called_by_names_that_this_table_knows(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.choose(0, "Join")
    desk.table.handle(ev.Named(0, "Ann"))
    desk.choose(1, "Join")
    desk.table.handle(ev.Named(1, "Björn"))
    desk.choose(0, "Start")
    desk.menu(0)
    desk.choose(0, "Give up")
    desk.choose(1, "Agree")
    desk.cut()
    desk.choose(0, "Join")
    desk.choose(0, "Name: Blue")
    assert desk.labels(0)[:3] == ["Ann", "Björn", "Red"]
    desk.choose(0, "Ann")
    desk.choose(1, "Join")
    desk.choose(1, "Name: ")
    desk.choose(1, "Björn")
    assert [player.name for player in desk.table.play.line.state.players] == ["Ann", "Björn"]
