"""Every game on the shelf is taught: each rule is explained, or left for later on purpose."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from companion.bots.shelf import GAMES
from companion.bots.shelf import SHELF as COACHED
from companion.games import SHELF
from companion.games.api import Game, cited
from companion.games.hack.state import State as Hack
from companion.games.lesson import Lesson
from companion.games.story import outcome
from companion.language import speaker
from companion.words import SeatNo, Text
from tests.games.shelf import walk
from tests.games.taught import Moment, lesson


def taught(game: Game[Any]) -> Lesson:
    assert game.lesson is not None, f"{game.key} is not taught"
    return game.lesson


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_every_rule_is_explained_or_left_for_later(game: Game[Any]) -> None:
    lesson = taught(game)
    known = {rule.id for rule in game.rules}
    needed = {rule.id for rule in game.rules if rule.kind == "rulebook"}
    assert lesson.explained() | set(lesson.later) <= known, "no such rule"
    assert not lesson.explained() & set(lesson.later), "explained, and left for later"
    assert needed <= lesson.explained() | set(lesson.later), "nobody tells of it"


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_a_lesson_has_five_to_ten_pages_each_with_a_picture(game: Game[Any]) -> None:
    lesson = taught(game)
    assert 5 <= len(lesson.pages) <= 10
    for page in lesson.pages:
        assert page.says, page.title
        assert page.rules, page.title
        assert page.picture(), page.title


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_every_word_is_said_in_both_languages_and_explained_once(
    game: Game[Any], language: str
) -> None:
    say = speaker(language)
    words = [one.word.show((), say) for one in taught(game).words]
    assert len(set(words)) == len(words)
    if language == "ja":
        texts = [text for page in taught(game).pages for text in (page.title, *page.says)]
        texts += [text for one in taught(game).words for text in (one.word, one.means)]
        assert [one.show() for one in texts if not _japanese(one, say)] == []


def _japanese(said: Text, say: Any) -> bool:
    return any(ord(letter) > 0x2FFF for letter in said.show((), say)) or said.show() in (
        "PC",
        "AoE",
    )


@pytest.mark.slow
@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_a_lesson_begins_the_same_everywhere_and_has_a_tip_for_its_first_decisions(
    game: Game[Any],
) -> None:
    first = taught(game).first
    assert first is not None, "there is no Teach me"
    assert first.deals, "nothing is arranged"
    assert [m.action for m in start(game, 6)] == [m.action for m in start(game, 6)]
    decisions = [m for m in start(game, 40) if m.seat is not None]
    assert any(isinstance(decisions[0].action, tip.about) for tip in taught(game).tips)


@pytest.mark.slow
@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_a_tip_names_rules_that_are_explained_and_one_that_its_move_follows(
    game: Game[Any],
) -> None:
    known = {rule.id for rule in game.rules}
    for tip in taught(game).tips:
        assert set(tip.rules) <= known, tip.says
        assert len(tip.says.show()) < 90, "a glass has three short lines a page"
    for moment in [m for m in start(game, 400) if m.seat is not None]:
        for tip in taught(game).tips:
            if isinstance(moment.action, tip.about) and tip.when(moment.state, moment.seat):
                rule = cited(game, moment.state, moment.action)
                assert rule in tip.rules, (tip.says.show(), rule)


@pytest.mark.slow
@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_whether_a_tip_is_said_depends_on_nothing_that_its_seat_cannot_see(
    game: Game[Any],
) -> None:
    unseen = game.secrets.unseen
    if unseen is None:
        return
    for at, moment in enumerate(start(game, 60)):
        for seat in map(SeatNo, range(2)):
            other = unseen(moment.state, seat, lambda n, at=at: at % n)
            for tip in taught(game).tips:
                assert tip.when(moment.state, seat) == tip.when(other, seat), tip.says


def start(game: Game[Any], most: int) -> list[Moment]:
    """The beginning of a lesson by what the coach says."""
    first = taught(game).first
    assert first is not None
    return [moment for moment, _ in zip(lesson(game.key, first), range(most), strict=False)]


def test_in_kiriai_both_specials_of_the_lesson_are_strikes() -> None:
    dealt = start(GAMES["kiriai"], 1)[0].after
    assert {fighter.special for fighter in dealt.fighters} == {"kesa", "zantetsu"}


def test_in_hack_the_newcomer_begins_with_a_pc_its_item_and_a_monster_that_scores() -> None:
    state: Hack = next(m.state for m in start(GAMES["hack"], 9) if m.seat is not None)
    hands = [[state.cards[card] for card in side.hand] for side in state.sides]
    for hand in hands:
        assert any(card.kind == "pc" for card in hand)
        assert any(card.kind == "monster" and card.points for card in hand)
    classes = {card.pc_class for card in hands[0] if card.kind == "pc"}
    assert any(card.kind == "item" and card.bearer in ("", *classes) for card in hands[0])


def test_in_sainome_the_first_attack_of_the_lesson_hits() -> None:
    moments = start(GAMES["sainome"], 60)
    strike = next(m for m in moments if type(m.action).__name__ == "Strike")
    after = moments[moments.index(strike) :][:6]
    assert strike.seat == 0
    assert len(after[-1].after.sides[1].stack) <= len(strike.state.sides[1].stack) - 2


@pytest.mark.slow
def test_in_sao_one_rethrow_of_the_lesson_leads_to_a_switch() -> None:
    moments = start(GAMES["sao"], 30)
    strike = next(m for m in moments if type(m.action).__name__ == "Strike")
    names = [type(m.action).__name__ for m in moments[: moments.index(strike)]]
    assert names.count("Again") == 1
    assert [h.hp for h in strike.after.heroes] == [h.hp for h in strike.state.heroes]
    assert strike.after.damage > 0


def test_in_swordcrafters_the_first_grid_of_the_lesson_has_gems_that_belong_together() -> None:
    state = start(GAMES["swordcrafters"], 3)[-1].state
    rows = state.rows
    pairs = [(row[at], row[at + 1]) for row in rows for at in range(len(row) - 1)]
    pairs += [(one, other) for a, b in pairwise(rows) for one, other in zip(a, b, strict=True)]
    assert sum(one == other != "blank" for one, other in pairs) >= 4
    assert state.first == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", COACHED, ids=lambda game: game.key)
def test_every_code_of_forty_random_games_opens_to_a_sentence_in_both_languages(
    game: Game[Any],
) -> None:
    """Of moves, beats and barred choices: 200 games in all."""
    say, codes = speaker("ja"), set[str]()
    for seed in range(40):
        seats = game.seats[seed % len(game.seats)]
        moments = [*walk(game, seats, game.options(), seed=seed)]
        for before, after in pairwise(moments):
            codes |= {*cited(game, before.state, before.action).split()}
            for viewer in (None, SeatNo(0)):
                told = outcome(game.story, before.state, before.action, after.state, viewer)
                codes |= {rule for beat in told for rule in beat.rule.split()}
        for moment in moments[:: max(1, len(moments) // 20)]:
            for seat in map(SeatNo, range(seats)):
                codes |= {one.barred for one in game.view(moment.state, seat).choices}
    sentences = {rule.id: Text(rule.text) for rule in game.rules}
    assert len(codes) > 5
    for code in codes - {""}:
        assert sentences[code].show()
        assert _japanese(sentences[code], say), code
