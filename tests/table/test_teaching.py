"""A lesson at the table: what is said once, what is arranged and said to be, and how it ends."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.bots.api import decide
from companion.bots.shelf import GAMES, players
from companion.events import Chosen, Decided, Pulse
from companion.games.api import Rolled, roll
from companion.games.lesson import Arranged
from companion.language import speaker
from companion.memory.evenings import players as rated
from companion.memory.records import exported, find, listed
from companion.memory.timeline import Timeline
from companion.memory.verify import Report, verify
from companion.table.company import rethink
from companion.table.table import Seating
from companion.table.teaching import LEAF, Teaching, explained
from companion.views import Beat, Line, View, leaves
from companion.words import SeatNo, Text, text
from hardware.glass.draw import BODY, pages
from hardware.glass.letters import wrapped
from tests.table.desk import Desk

WORDS = ["Heaven", "Earth"]
ONE = Seating(1, ("Red",), {"table": (), "one": (0,)})


class Lesson(Desk):
    """Somebody who is taught, and companions that answer at once."""

    def begin(self, key: str) -> Lesson:
        self.press(0, "select")  # a new table: the finger is on *Teach me*
        self.choose(0, GAMES[key].name.show())
        return self.answer()

    def answer(self) -> Lesson:
        """Let the companions decide whatever is theirs, and dice fall as they are arranged."""
        table = self.table
        while True:
            turn, play = table.company.turn(), table.play
            if turn is not None:
                if play.line.waiting.either and 0 in play.line.waiting.seats:
                    self.helping.append((table.panel(0), play.line))
                found = decide(turn.bot, turn.sight, turn.seed, 1)
                note = {"level": turn.bot.level, "version": turn.bot.version,
                        "seed": turn.seed, "rounds": 1}  # fmt: skip
                table.handle(Decided(turn.seat, turn.entry, found.action, note, found.why))
            elif table.watched.wanted is not None and not play.over:
                self.tip()
                thrown = play.course.roll(play.line) or roll(
                    table.watched.wanted, self.chance.randrange
                )
                play.act(thrown, None, arranged=play.course.noted(play.line, thrown))
                table.handle(Pulse())
            else:
                return self

    def tip(self) -> str:
        """What the lesson says now; kept in order."""
        view = self.table.panel(0)
        says = view.tip.show(view.names)
        if says and says not in self.said[-1:]:
            self.said.append(says)
        return says

    said: list[str]
    helping: list[tuple[View, Timeline]]  # what the seat sees where a companion leads

    def open(self) -> None:
        super().open()
        self.said, self.helping = [], []

    def do(self) -> View:
        """What is marked, else where the finger stands; never *Rather not*."""
        self.tip()
        view = self.table.panel(0)
        at = next((n for n, one in enumerate(view.choices) if one.good), view.cursor)
        at = 0 if view.waiting.show() == "Really?" else at
        self.table.handle(Chosen(0, at, view.seq))
        self.answer()
        return self.table.panel(0)


def lesson(folder: Path, key: str, **more: object) -> Lesson:
    return Lesson(folder, ONE, shelf=GAMES, players=players, **more).begin(key)  # type: ignore[arg-type]


def report(desk: Desk, **changed: object) -> Report:
    """What `companion verify` says of the last game."""
    record = listed(desk.journal)[0]
    lines = [*exported(desk.journal, find(desk.journal, record.id), GAMES)]
    head = json.loads(lines[0])
    head["options"] |= changed
    return verify("\n".join([json.dumps(head), *lines[1:]]).encode(), GAMES, rethink(players))


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_a_lesson_says_each_thing_once_and_comes_to_its_end(tmp_path: Path, key: str) -> None:
    desk = lesson(tmp_path, key)
    for _ in range(1_500):
        if desk.table.play.over:
            break
        desk.do()
    assert desk.table.play.over
    assert len(desk.said) == len(set(desk.said)) >= 4
    assert report(desk).verdict == "holds"


def test_a_lesson_says_first_what_the_game_is_about_to_those_who_learn(tmp_path: Path) -> None:
    desk, about = lesson(tmp_path, "kiriai"), GAMES["kiriai"].lesson
    assert about is not None
    told = desk.table.telling
    assert tuple(beat.says for beat in told[0].beats)[:2] == about.pages[0].says
    assert told[0].leaf == 0
    assert not told[None].beats
    assert told.moment > 4, "somebody who does not know the game reads it slowly"


def test_who_may_only_help_a_leading_companion_is_neither_called_nor_told(tmp_path: Path) -> None:
    desk = lesson(tmp_path, "sao")
    while not desk.helping and not desk.table.play.over:
        desk.do()
    assert desk.helping
    for view, line in desk.helping:
        assert not view.lamp
        assert not view.tip.template
        picks = [one.action for one in view.choices if type(one.action).__name__ == "Mark"]
        for pick in picks:  # with a die in hand its ability is offered
            here = Timeline(line.game, (), (line.game.apply(line.state, pick),))
            assert Teaching().tips(here, frozenset({SeatNo(0)}))[SeatNo(0)] is None
    assert picks


def test_whoever_has_had_enough_is_told_nothing_more_not_even_after_a_power_cut(
    tmp_path: Path,
) -> None:
    desk = lesson(tmp_path, "kiriai")
    assert "prepare it first" in desk.tip()
    assert desk.labels(0)[-1] == "Stop teaching me"
    desk.choose(0, "Stop teaching me")
    for _ in range(2):
        assert not desk.tip()
        assert "Stop teaching me" not in desk.labels(0)
        assert "a good choice" not in " ".join(c.detail.show() for c in desk.table.panel(0).choices)
        desk.cut()
    assert desk.table.play.course.lesson


def test_a_lesson_goes_on_after_a_power_cut_with_what_was_not_decided_yet(tmp_path: Path) -> None:
    desk = lesson(tmp_path, "kiriai")
    first = desk.tip()
    desk.do()
    desk.cut()
    assert desk.tip()
    assert desk.tip() != first


def test_who_attacks_unasked_is_not_told_how_to_attack(tmp_path: Path) -> None:
    desk = lesson(tmp_path, "hack")
    assert "Play a PC first" in desk.tip()
    desk.choose(0, "Attack: ")
    desk.answer()
    while not desk.table.play.over:
        desk.do()
    assert "Play a PC first" in desk.said[0]
    assert not any("Send one that beats" in says for says in desk.said)


def test_after_a_move_the_rule_that_decided_it_is_told_once(tmp_path: Path) -> None:
    desk, rules = lesson(tmp_path, "kiriai"), {rule.text for rule in GAMES["kiriai"].rules}
    mine, public = set[str](), set[str]()
    while not desk.table.play.over:
        desk.do()
        mine |= {beat.says.template for beat in desk.table.telling[0].beats}
        public |= {beat.says.template for beat in desk.table.telling[None].beats}
    assert mine & rules
    assert not public & rules
    line = desk.table.play.line
    told = [beat for move in line.moves for beat in explained(line, move, SeatNo(1))]
    sentences = [beat.says.template for beat in told if beat.says.template in rules]
    assert len(sentences) == len(set(sentences)) > 3
    plain = [beat for beat in told if beat.says.template not in rules]
    assert plain == [beat for move in line.moves for beat in line.beats(move, SeatNo(1))]


def test_an_arranged_deal_is_called_arranged_and_nothing_else_may_be(tmp_path: Path) -> None:
    desk = lesson(tmp_path, "kiriai")
    while not desk.table.play.over:
        desk.do()
    found = report(desk)
    deals = [check.says.show() for check in found.checks if check.what == "deal"]
    assert deals == ["Arranged by the lesson: this was no chance."]
    assert any("arranged, nobody drew them" in note.show() for note in found.notes)
    assert report(desk, taught=False).verdict == "broken"
    assert rated(replace(one, seats=[{"panel": 0, "name": "Aki"}, *one.seats[1:]])
                 for one in listed(desk.journal)) == []  # fmt: skip


def test_real_dice_are_never_arranged(tmp_path: Path) -> None:
    desk = lesson(tmp_path, "sao")
    line = desk.table.play.line
    while not isinstance(line.moves[-1].what, Rolled):
        desk.do()
        line = desk.table.play.line
    entry = desk.journal.entries(desk.table.play.number)[line.moves[-1].seq - 1]
    assert entry.body["arranged"] == {"lesson": 1}
    assert desk.table.watched.real_dice  # a throw that the eye has seen is not compared at all
    assert desk.table.play.course.noted(line, Rolled(())) is None


def test_two_people_are_taught_each_for_himself(tmp_path: Path) -> None:
    desk = Desk(tmp_path, shelf={"kiriai": GAMES["kiriai"]}, players=players)
    for panel in (0, 1):
        desk.choose(panel, "Join")
    desk.choose(1, "Teach me")
    assert not desk.table.play.company
    assert all(desk.table.panel(panel).tip.template for panel in (0, 1))
    desk.choose(0, "Charge")
    assert "Second card" in desk.table.panel(0).tip.show()
    assert "Second card" not in desk.table.panel(1).tip.show()


@pytest.mark.parametrize("key", GAMES)
def test_five_presses_lead_to_the_first_decision_of_every_lesson(tmp_path: Path, key: str) -> None:
    desk = Lesson(tmp_path, ONE, shelf=GAMES, players=players)
    presses = ["select"]
    at = [*GAMES].index(key)
    presses += ["next"] * at if at <= len(GAMES) // 2 else ["previous"] * (len(GAMES) - at)
    presses += ["select"]
    desk.press(0, *presses)  # type: ignore[arg-type]
    desk.answer()
    view = desk.table.panel(0)
    assert desk.table.play.line.game.key == key
    assert view.tip.template
    assert view.lamp
    assert len(presses) <= 5


def test_a_lesson_that_a_game_does_not_have_is_not_offered(tmp_path: Path) -> None:
    bare = replace(GAMES["kiriai"], lesson=None)
    desk = Desk(tmp_path, shelf={"kiriai": bare})
    assert "Teach me" not in desk.labels(0)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("key", GAMES)
def test_no_tip_and_no_rule_is_cut_off_on_a_glass(key: str, language: str) -> None:
    say = speaker(language)
    game = GAMES[key]
    assert game.lesson is not None
    for tip in game.lesson.tips:
        view = View(tip.says, tip.says, tip=tip.says)
        first = pages(view, lambda t: t.show((), say))[0]
        assert first.parts == (Line(tip.says),)
        aside = text("Also possible: {says}", says=tip.says).show((), say)
        assert len(wrapped(aside, 10, BODY.w)) <= 4, "a tip stands whole on its leaf"
    for rule in game.rules:
        said = Text(rule.text).show((), say)
        assert len(rule.text) > LEAF or 10 * len(wrapped(said, 10, 126)) <= 54, rule.id


def test_a_rule_that_is_told_has_a_leaf_of_its_own() -> None:
    short, rule = Beat(Text("a")), Beat(Text("b"), rule="K-R14", alone=True)
    assert leaves((short, short, rule, short)) == ((short, short), (rule,), (short,))


def test_an_arranged_pick_is_the_same_at_every_table_and_fair_enough() -> None:
    first = Arranged("a")
    assert [first.pick("deal", 0)(6) for _ in range(3)] == [first.pick("deal", 0)(6)] * 3
    pick = first.pick("roll", 1)
    assert {pick(6) for _ in range(200)} == set(range(6))


def test_a_look_at_the_table_explains_the_words_that_stand_there(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    view = desk.press(0, "back")
    assert view.page == 0
    words = [one.show() for one in view.words]
    assert [one.split(":")[0] for one in words] == WORDS
    drawn = "".join(str(part) for page in pages(view, Text.show) for part in page.parts)
    assert words[0].split(":")[0] in drawn
    assert desk.press(0, "select").words == ()
