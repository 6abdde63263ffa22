"""The companion takes empty seats: in the lobby, when somebody leaves, and until he comes back."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.bots.api import Answer, Bot, Sight, decide
from companion.bots.shelf import GAMES, players
from companion.daemon.partner import Partner
from companion.errors import Illegal
from companion.events import Decided, Pulse
from companion.games.api import roll
from companion.memory.records import exported
from companion.memory.timeline import Timeline
from companion.memory.verify import verify
from companion.ports import News
from companion.table.company import rethink
from companion.table.table import Seating
from companion.words import Panel, SeatNo, text
from tests.table.desk import Desk

ONE = Seating(1, ("Blue",), {"one": (0,)})
THREE = Seating(3, ("Red", "Green", "White"), {"one": (0,), "two": (1,), "three": (2,)})


def bots(key: str) -> tuple[Bot, ...]:
    """All levels of every game: the same player under three names, who says why."""

    def think(sight: Sight, seed: str) -> Iterator[Answer]:
        for answer in easy.think(sight, seed):
            yield replace(answer, why=text("It felt right"))

    easy = players(key)[0]
    return tuple(replace(easy, level=level, think=think) for level in ("easy", "good", "best"))


def companions(desk: Desk) -> int:
    """Let the companion decide whatever is its to decide; how many moves it made."""
    count = 0
    while (turn := desk.table.company.turn()) is not None:
        answer = decide(turn.bot, turn.sight, turn.seed, 1)
        note = {
            "level": turn.bot.level,
            "version": turn.bot.version,
            "seed": turn.seed,
            "rounds": 1,
        }
        desk.table.handle(Decided(turn.seat, turn.entry, answer.action, note, answer.why))
        count += 1
    return count


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """One panel, all games, nobody has come yet."""
    return Desk(tmp_path, ONE, shelf=dict(GAMES), players=bots)


@pytest.fixture
def duel(desk: Desk) -> Desk:
    """Kiri-ai at one panel, against the companion."""
    for label in ("Kiri-ai", "Join", "Invite the companion", "Start"):
        desk.choose(0, label)
    return desk


def test_a_duel_at_one_panel_is_given_to_the_companion_with_one_press(duel: Desk) -> None:
    play = duel.table.play
    assert play.players == (0, None)
    assert [name.show() for name in play.names] == ["Blue", "Companion"]
    assert {seat: bot.level for seat, bot in play.company.items()} == {1: "good"}


def test_its_level_goes_round_and_it_leaves_again(desk: Desk) -> None:
    for label in ("Sword of Fellows", "Join", "Invite the companion", "Invite the companion"):
        desk.choose(0, label)
    desk.choose(0, "Companion: good")
    desk.choose(0, "Companion: best")
    assert "Companion: easy" in desk.labels(0)
    assert "Companion 2: good" in desk.labels(0)
    desk.choose(0, "Companion 2 goes")
    assert [one.name for one in desk.table.play.line.state.players] == ["Blue", "Companion"]
    desk.cut()
    assert "Companion: easy" in desk.labels(0)


def test_a_person_who_joins_a_full_table_takes_the_place_of_a_companion(tmp_path: Path) -> None:
    desk = Desk(tmp_path, THREE, players=bots)
    for label in ("Join", "Invite the companion"):
        desk.choose(0, label)
    desk.choose(1, "Join")
    assert [one.panel for one in desk.table.play.line.state.players] == [0, 1]
    assert "Invite the companion" not in desk.labels(0)
    assert "Join" not in desk.labels(2)


def test_with_cardboard_it_says_why_it_cannot_play_and_offers_its_own(desk: Desk) -> None:
    for label in ("Swordcrafters", "Join", "Invite the companion"):
        desk.choose(0, label)
    assert "Start" not in desk.labels(0)
    assert desk.table.panel(0).waiting.show() == "The companion cannot hold cardboard."
    desk.choose(0, "Play without cardboard")
    desk.choose(0, "Start")
    assert desk.table.play.company


def test_it_seals_first_and_everybody_sees_that_it_has(duel: Desk) -> None:
    turn = duel.table.company.turn()
    assert turn is not None
    assert turn.at_once
    assert companions(duel) == 3
    assert duel.table.play.line.state.fighters[1].done
    assert not duel.table.play.line.state.fighters[0].done


def test_it_leaves_to_people_what_people_can_answer(duel: Desk) -> None:
    companions(duel)
    for label in ("Approach", "High", "Seal"):
        duel.choose(0, label)
    assert duel.table.play.line.state.phase == "between"
    assert duel.table.company.turn() is None
    duel.wait()
    coming = duel.table.moment()
    assert coming is not None
    assert coming[1].panel == 0


def test_a_decision_that_comes_too_late_is_not_taken(duel: Desk) -> None:
    turn = duel.table.company.turn()
    assert turn is not None
    duel.choose(0, "Approach")
    before = duel.table.play.entry
    action = decide(turn.bot, turn.sight, turn.seed, 1).action
    duel.table.handle(Decided(turn.seat, turn.entry, action))
    assert duel.table.play.entry == before


def test_nobody_decides_for_a_person_with_a_companions_event(duel: Desk) -> None:
    action = next(iter(duel.table.play.line.game.legal(duel.table.play.line.state, SeatNo(0))))
    before = duel.table.play.entry
    duel.table.handle(Decided(SeatNo(0), before, action))
    assert duel.table.play.entry == before


def test_a_bot_that_finds_nothing_or_breaks_a_rule_still_moves(duel: Desk) -> None:
    turn = duel.table.company.turn()
    assert turn is not None
    duel.table.handle(Decided(turn.seat, turn.entry, None))
    wrong = replace(duel.table.play.line.moves[-1].what, face="nothing", salt="")
    duel.table.handle(Decided(turn.seat, duel.table.play.entry, wrong))
    assert len(duel.table.play.line.state.fighters[1].plan) == 2


def test_while_something_is_proposed_it_changes_nothing(tmp_path: Path) -> None:
    """The consequences that people agree to were worked out before."""
    desk = Desk(tmp_path, THREE, shelf={"sao": GAMES["sao"]}, players=bots)
    desk.choose(0, "Join")
    desk.choose(1, "Join")
    desk.choose(0, "Invite the companion")
    desk.choose(0, "Start")
    desk.menu(0)
    desk.choose(0, "Mode")
    desk.choose(0, "soft")
    turn = desk.table.company.turn()
    assert turn is not None
    before = desk.table.play.entry
    action = decide(turn.bot, turn.sight, turn.seed, 1).action
    desk.table.handle(Decided(turn.seat, turn.entry, action))
    assert desk.table.play.entry == before
    desk.choose(1, "Agree")  # the companion's word is not asked for
    assert desk.table.play.mode == "soft"
    assert companions(desk)


def test_a_game_that_rests_goes_on_with_it(duel: Desk) -> None:
    companions(duel)
    duel.menu(0)
    duel.choose(0, "Set this game aside")
    duel.choose(0, "Go on with")
    assert duel.table.play.players == (0, None)
    assert sorted(duel.table.play.company) == [1]


def test_it_agrees_to_whatever_people_propose(duel: Desk) -> None:
    companions(duel)
    duel.menu(0)
    duel.choose(0, "Set this game aside")
    assert duel.table.play.in_lobby


def test_somebody_who_leaves_gives_his_seat_to_it_and_takes_it_back(duel: Desk) -> None:
    duel.menu(0)
    duel.choose(0, "Leave my seat")
    duel.choose(0, "Companion, best")
    assert duel.table.play.players == (None, None)
    assert duel.notice(0) == "Blue leaves, and the companion plays on."
    assert companions(duel) > 10
    assert duel.table.play.over
    duel.cut()
    assert sorted(duel.table.play.company) == [0, 1]
    duel.choose(0, "Take Blue's seat")
    assert duel.table.play.players == (0, None)
    duel.choose(0, "Play again")
    names = [(one.name, one.level) for one in duel.table.play.line.state.players]
    assert names == [("Blue", ""), ("Companion", "good")]


def test_the_journal_notes_the_thinker_beside_the_move_and_no_running_export_tells(
    duel: Desk,
) -> None:
    companions(duel)
    record = duel.journal.last()
    assert record is not None
    notes = [one.body.get("bot") for one in duel.journal.entries(record.id) if one.who == 1]
    seed = duel.table.play.binding.player(SeatNo(1))
    assert notes == [{"level": "good", "version": 2, "seed": seed, "rounds": 1}] * 3
    assert seed not in "".join(exported(duel.journal, record, GAMES))


def ended(duel: Desk) -> bytes:
    """The file of a game that companions have played to its end."""
    duel.menu(0)
    duel.choose(0, "Leave my seat")
    duel.choose(0, "Companion, best")
    companions(duel)
    record = duel.journal.last()
    assert record is not None
    return "\n".join(exported(duel.journal, record, GAMES)).encode()


def test_an_audit_replays_with_the_bots_and_finds_the_same_moves(duel: Desk) -> None:
    report = verify(ended(duel), GAMES, rethink(bots))
    thought = [check for check in report.checks if check.what == "bot"]
    assert report.verdict == "holds"
    assert len(thought) > 10
    assert not report.notes[1:]


def test_a_journal_with_their_moves_replays_without_the_bots(duel: Desk) -> None:
    report = verify(ended(duel), GAMES)
    assert report.verdict == "holds"
    assert report.notes[-1].show() == "What the companion thought was not thought again."


def test_a_move_that_a_bot_did_not_think_of_is_found(duel: Desk) -> None:
    def another(line: Timeline, action: Any, _note: Mapping[str, Any]) -> Any:
        legal = line.game.legal(line.state, SeatNo(action.seat))
        return next((one for one in legal if one != replace(action, **unsalted(action))), None)

    report = verify(ended(duel), GAMES, another)
    assert report.verdict == "broken"


def unsalted(action: Any) -> dict[str, str]:
    return {"salt": ""} if hasattr(action, "salt") else {}


def test_a_bot_that_thought_with_a_chosen_chance_is_found(duel: Desk) -> None:
    data = ended(duel)
    seed = duel.table.play.binding.player(SeatNo(1))
    report = verify(data.replace(seed.encode(), b"0123456789abcdef"), GAMES, rethink(bots))
    assert report.verdict == "broken"
    assert {check.what for check in report.checks if not check.holds} == {"bot"}


def test_people_throw_for_it_and_the_glass_says_how_many(desk: Desk) -> None:
    for label in ("Sainome", "Join", "Invite the companion", "Start"):
        desk.choose(0, label)
    rng, said = random.Random(3), set[str]()
    while not (said and desk.table.play.line.moves[40:]):
        companions(desk)
        waiting = desk.table.play.line.waiting
        view = desk.table.panel(0)
        if waiting.dice is not None:
            if desk.table.company.throws:
                said.add(view.waiting.show(view.names))
                assert "Enter by hand" in desk.labels(0)
            desk.table.play.act(roll(waiting.dice, rng.randrange), None)
            desk.table.handle(Pulse())
        elif waiting.seats:
            desk.table.play.act(view.choices[0].action, SeatNo(0))
            desk.table.handle(Pulse())
    assert said == {"Throw 1 black for Companion"}


def test_where_people_throw_for_all_its_turns_go_on(desk: Desk) -> None:
    """Sword of Fellows: who brings a blue die is asked while the table waits for the throw."""
    for label in ("Sword of Fellows", "Join", "Invite the companion", "Start"):
        desk.choose(0, label)
    rng, led = random.Random(1), 0
    while not desk.table.play.over:
        led += companions(desk)
        waiting = desk.table.play.line.waiting
        if waiting.dice is not None and desk.table.company.turn() is None:
            assert "Enter by hand" in desk.labels(0)
            desk.table.play.act(roll(waiting.dice, rng.randrange), None)
            desk.table.handle(Pulse())
        elif waiting.seats and desk.table.company.turn() is None:
            view = desk.table.play.line.view(SeatNo(0))
            desk.table.play.act(next(c.action for c in view.choices if not c.barred), SeatNo(0))
            desk.table.handle(Pulse())
    assert led > 3


@pytest.mark.parametrize("helps", [False, True])
def test_while_a_person_leads_it_makes_a_move_that_helps_and_no_other(
    tmp_path: Path, helps: bool
) -> None:
    def think(sight: Sight, seed: str) -> Iterator[Answer]:
        thought.append(sight.seat)
        yield from (replace(answer, helps=helps) for answer in easy.think(sight, seed))

    async def asked() -> None:
        said = asyncio.Event()
        partner = Partner(
            desk.table, lambda event: (heard.append(event), said.set())[1], pace=0, thinks=0
        )
        partner.changed(News())
        (task,) = asyncio.all_tasks() - {asyncio.current_task()}
        speaks = asyncio.create_task(said.wait())
        await asyncio.wait({task, speaks}, return_when=asyncio.FIRST_COMPLETED)
        task.cancel()
        speaks.cancel()

    easy, thought, heard = players("sao")[0], list[SeatNo](), list[Any]()
    own = replace(easy, think=think)
    desk = Desk(tmp_path, ONE, shelf=dict(GAMES), players=lambda _: (own,))
    for label in ("Sword of Fellows", "Join", "Invite the companion", "Start"):
        desk.choose(0, label)
    rng = random.Random(1)
    while (
        turn := desk.table.company.turn(led=True)
    ) is None or desk.table.play.line.state.phase != "dice":
        companions(desk)
        waiting = desk.table.play.line.waiting
        if waiting.dice is not None:
            desk.table.play.act(roll(waiting.dice, rng.randrange), None)
        elif waiting.seats:
            view = desk.table.play.line.view(SeatNo(0))
            desk.table.play.act(next(c.action for c in view.choices if not c.barred), SeatNo(0))
        desk.table.handle(Pulse())
    assert desk.table.company.turn() is None
    thought.clear()
    asyncio.run(asked())
    assert thought == [turn.seat]
    assert [event.seat for event in heard] == [turn.seat] * helps


def test_a_panel_where_nobody_plays_is_not_called_to_throw_for_it(tmp_path: Path) -> None:
    desk = Desk(tmp_path, THREE, shelf={"sainome": GAMES["sainome"]}, players=bots)
    for label in ("Join", "Invite the companion", "Start"):
        desk.choose(0, label)
    assert desk.table.play.line.waiting.dice is not None
    assert desk.table.panel(Panel(0)).lamp
    assert not desk.table.panel(Panel(1)).lamp


def test_it_says_why_where_that_betrays_nothing(desk: Desk) -> None:
    for label in ("Sword of Fellows", "Join", "Invite the companion", "Start"):
        desk.choose(0, label)
    assert "Why did the companion do that?" not in desk.menu(0)
    companions(desk)
    desk.menu(0)
    desk.choose(0, "Why did the companion do that?")
    assert "It felt right" in desk.text("one")


def test_in_a_game_with_secrets_it_says_why_only_after_the_end(duel: Desk) -> None:
    companions(duel)
    assert "Why did the companion do that?" not in duel.menu(0)


def test_a_move_that_it_has_answered_is_taken_back_with_its_answer(desk: Desk) -> None:
    for label in ("Swordcrafters", "Tiles: Real, tracked", "Tiles: Real, score", "Join"):
        desk.choose(0, label)
    for label in ("Invite the companion", "Start"):
        desk.choose(0, label)
    play = desk.table.play
    while not (companions(desk) and (own := play.line.own_last(SeatNo(0))) and _answered(desk)):
        desk.press(0, "select")
    desk.menu(0)
    desk.choose(0, "Take back")
    assert play.line.seq > own.seq
    assert all(move.seq < own.seq for move in play.line.moves)


def _answered(desk: Desk) -> bool:
    """Does a companion's move lean on the person's last one?"""
    own = desk.table.play.line.own_last(SeatNo(0))
    try:
        return own is not None and not desk.table.play.line.without([own.seq])
    except Illegal:
        return True


@pytest.mark.parametrize("key", GAMES)
def test_companions_play_a_game_by_themselves_and_anybody_may_sit_down(
    desk: Desk, key: str
) -> None:
    desk.choose(0, GAMES[key].name.show())
    desk.choose(0, "Watch a game")
    play = desk.table.play
    assert not play.in_lobby
    assert set(play.company) == set(range(len(play.players)))
    assert desk.table.company.turn() or play.line.waiting.dice
    desk.choose(0, f"Take {play.names[0].show()}'s seat")
    assert 0 not in play.company


def test_who_has_watched_enough_is_in_the_lobby_again(desk: Desk) -> None:
    desk.choose(0, "Kiri-ai")
    desk.choose(0, "Watch a game")
    companions(desk)
    desk.choose(0, "Stop watching")
    assert desk.table.play.in_lobby
    assert desk.table.company.turn() is None


def test_nobody_watches_a_game_that_somebody_has_joined(desk: Desk) -> None:
    desk.choose(0, "Kiri-ai")
    desk.choose(0, "Join")
    assert "Watch a game" not in desk.labels(0)
