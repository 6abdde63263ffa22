"""Decisions of ended games are weighed exactly, by what their seat knew, and luck is no skill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, pairwise, product
from random import Random
from typing import Any

import numpy as np
import pytest

from companion.bots.api import Moment, Played
from companion.bots.fellows import CAREFUL, Line, ranked
from companion.bots.fellows_review import moments as fellows_moments
from companion.bots.fellows_review import struck
from companion.bots.kiriai import bot, solved
from companion.bots.kiriai_review import moments as duel_moments
from companion.bots.kiriai_table import HORIZONS, STEPS, layer_number
from companion.bots.shelf import GAMES, analyst, players
from companion.games.api import Die, Rolled, roll
from companion.games.kiriai import KIRIAI
from companion.games.kiriai.cards import SPECIALS
from companion.games.kiriai.state import Dealt, Options, Seal, State
from companion.games.sao import SAO
from companion.games.sao import actions as do
from companion.games.sao import state as fellows
from companion.words import SeatNo, Text
from tests.bots.kiriai_judge import (
    FACES_HERE,
    RESTS,
    WON,
    Ground,
    Judge,
    Kind,
    Place,
    kinds,
    plans,
    resting,
    types,
)
from tests.bots.playing import cardless, evening, knows
from tests.bots.test_kiriai import Mover, at_random, player
from tests.games.sao_playout import start

CLASSES = {"blunder": 0.10, "mistake": 0.05, "doubtful": 0.02}  # as docs/pages.md says


def duel(seed: int, movers: tuple[Mover, Mover], cap: int = 100) -> list[Played]:
    """A whole duel, with the states around every move."""
    options = Options(round_cap=cap)
    specials = tuple(Random(seed).sample(SPECIALS, 2))
    states: list[State] = [KIRIAI.apply(KIRIAI.new(2, options), Dealt(specials))]
    acts: list[Any] = []
    while states[-1].phase != "over":
        seat = SeatNo(next(seat for seat in (0, 1) if list(KIRIAI.legal(states[-1], SeatNo(seat)))))
        acts.append(movers[seat](knows(KIRIAI, states, acts, seat)))
        states.append(KIRIAI.apply(states[-1], acts[-1]))
    return [*_played(states, acts)]


def _played(states: list[Any], acts: list[Any]) -> Iterator[Played]:
    for number, action in enumerate(acts):
        yield Played(number + 1, states[number], action, states[number + 1])


class BestAnswer:
    """The best answer to the packed table, by the judge's own rounds, rows and values."""

    def __init__(self, rounds: int) -> None:
        self.table, self.ground = solved(), Ground.of(5)
        self.table.band = lru_cache(12)(self.table._band)  # the duels go through all of them
        judge, self.values = Judge(self.table, kinds()), dict[int, Any]()
        for left in range(1, rounds + 1):
            judge.go_back()
            if left in HORIZONS:  # the file keeps them in steps
                self.values[left] = np.round(judge.values * STEPS) / STEPS
        self.block = {key: n for n, key in enumerate((k, b) for k in kinds() for b in types(k))}

    def worth(self, state: State, seat: int) -> dict[tuple[str, str], float]:
        """By plan, the chance to win if the other plays the table, masked, and I best after it."""
        me, him = state.fighters[seat], state.fighters[1 - seat]
        left = state.options.round_cap - state.round + 1
        spent = [SPECIALS.index(one.spent) if one.spent else -1 for one in (him, me)]
        memory = 7 & ~(1 << spent[1]) if spent[1] >= 0 else 7
        kind = Kind(spent[0], spent[1], memory) if spent[0] < 0 else Kind(spent[0], -1, 0)
        kind = Kind(0, 0, 0) if min(spent) >= 0 else kind
        b = SPECIALS.index(me.special) if me.special else -1
        ends = (him.stand.space, me.stand.space)
        spaces = ends if seat == 1 else (6 - ends[0], 6 - ends[1])  # he counts from his own end
        place = Place(spaces, (him.stand.stance, me.stand.stance), (him.wounds, me.wounds))
        slot = self.table.board.slot(place.spaces, place.stances, place.wounds,
                                     (him.aside, me.aside))  # fmt: skip
        layer = layer_number(kind.mine, kind.his, kind.memory)
        entries = [(one, kind.weight(one, b)) for one in self.table.row(left, layer, slot)]
        whole = sum(one.units * weight for one, weight in entries)
        every = plans(me.aside, me.special)
        faces = np.array([*every.values()]).T
        shows = np.array([any(FACES_HERE[face] in SPECIALS for face in pair) for pair in faces.T])
        rests, total = np.array([resting(second) for second in faces[1]]), np.zeros(len(every))
        for one, weight in entries:
            first, second = (FACES_HERE.index(face) for face in one.plan)
            cards = (faces[0], faces[1])
            then = self.ground.after_round(self.ground.number[place], (first, second), cards)
            over = np.where(then == WON, weight, -weight)
            later = np.zeros(len(every))
            for some, shown in ((shows, b), (~shows, -1)):
                if weight and left > 1 and some.any():
                    later[some] = self._later(kind.next(one, shown), b, then, left - 1,
                                              resting(second), rests)[some]  # fmt: skip
            total += one.units * np.where((then < 0) & (weight > 0), over, later)
        return dict(zip(every, (0.5 - total / whole / 2).tolist(), strict=True))

    def _later(self, kind: Kind, b: int, then: Any, left: int, his: int, mine: Any) -> Any:
        block = self.block[kind, -1 if kind.his >= 0 else b]
        place = np.maximum(then, 0)
        at = ((block * len(self.ground.places) + place) * len(RESTS) + his) * len(RESTS) + mine
        return self.values[max(one for one in HORIZONS if one <= left)][at]

    def named(self, played: list[Played]) -> dict[tuple[int, int], str]:
        """The decisions that lose something against the best answer, with their class."""
        found = {}
        for one in played:
            if isinstance(one.action, Seal):
                seat = one.action.seat
                worth = self.worth(one.before, seat)
                first, second = one.before.fighters[seat].plan
                lost = max(worth.values()) - worth[first.face, second.face]
                mark = next((m for m, bound in CLASSES.items() if round(lost, 9) >= bound), "")
                if mark:
                    found[one.seq, seat] = mark
        return found


def agree(rounds: int, cap: int, duels: range) -> Counter[str]:
    """How many decisions each class has in so many random duels; both computations say the same."""
    apart, total = BestAnswer(rounds), Counter[str]()
    for seed in duels:
        played = duel(seed, (at_random(seed), at_random(-seed - 1)), cap)
        ours = {(one.seq, int(one.seat)): one.mark for one in duel_moments(played) if one.mark}
        assert ours == apart.named(played)
        total.update(ours.values())
    return total


@pytest.mark.slow
def test_200_short_random_duels_name_exactly_the_decisions_that_a_best_answer_names() -> None:
    assert min(agree(3, 9, range(200)).values()) > 50


@pytest.mark.soak
def test_of_200_whole_random_duels_the_same() -> None:
    found = agree(40, 100, range(200))
    print(f"\n{dict(found)}")
    assert len(found) == 3


@pytest.mark.slow
def test_whoever_plays_the_table_seldom_gives_anything_away() -> None:
    best = bot("best")
    duels = [duel(seed, (player(best, seed), player(best, -seed))) for seed in range(8)]
    every = [one for played in duels for one in duel_moments(played)]
    assert sum(bool(one.mark) for one in every) < len(every) / 10


def twins(game: Any, played: list[Played], seat: SeatNo, seed: int) -> list[Played]:
    """The same moves in a game whose hidden cards are others; this seat cannot tell."""
    pick = Random(seed).randrange
    return [replace(one, before=game.secrets.unseen(one.before, seat, pick)) for one in played]


def own(found: Iterator[Moment], seat: SeatNo) -> list[Moment]:
    return [one for one in found if one.seat == seat]


@pytest.mark.parametrize("seat", [SeatNo(0), SeatNo(1)])
def test_a_duel_with_other_hidden_cards_is_judged_alike(seat: SeatNo) -> None:
    for seed in range(3):
        played = duel(seed, (at_random(seed), at_random(-seed - 1)))
        judged = own(duel_moments(played), seat)
        assert judged
        assert judged == own(duel_moments(twins(KIRIAI, played, seat, seed)), seat)


def tried(key: str, seed: str) -> list[Played]:
    """A game by the weakest players."""
    game = GAMES[key]
    states: list[Any] = []
    acts: list[Any] = []
    for known, done, _, _ in evening(game, game.new(2, cardless(game)), players(key)[:1] * 2, seed):
        states, acts = known, done
    return [*_played(states, acts)]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["hack", "sainome"])
def test_a_game_that_is_tried_out_is_judged_alike_with_other_hidden_cards(key: str) -> None:
    played = [one for one in tried(key, "alike") if hasattr(one.action, "seat")][:24]
    for seat in (SeatNo(0), SeatNo(1)):
        mine = [one for one in played if one.action.seat == seat]
        judged = own(analyst(GAMES[key], mine), seat)
        assert judged
        assert judged == own(analyst(GAMES[key], twins(GAMES[key], mine, seat, 5)), seat)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["hack", "sainome", "swordcrafters"])
def test_what_is_tried_out_is_the_same_again_and_a_chance(key: str) -> None:
    played = tried(key, "again")[:40]
    found = [*analyst(GAMES[key], played)]
    assert found == [*analyst(GAMES[key], played)]
    assert all(0 <= one.got <= one.best + 1e-9 <= 1 + 1e-6 for one in found if one.spread is None)


def test_a_game_without_a_skill_is_not_weighed() -> None:
    assert [*analyst(replace(KIRIAI, key="another"), duel(1, (at_random(1), at_random(2))))] == []


Choose = Callable[[Random, list[Line]], Line]


def quest(party: tuple[str, ...], seed: int, choose: Choose, most: int = 300) -> list[Played]:
    """A game of Sword of Fellows by the coach's lines."""
    rng, state = Random(f"{party} {seed}"), start(len(party), party, fellows.Options("normal"))
    states, acts = [state], list[Any]()
    while not states[-1].outcome and len(acts) < most:
        waiting = SAO.waiting(states[-1])
        if waiting.chance and SAO.chance is not None:
            acts.append(SAO.chance(states[-1], rng.randrange))
        else:
            action = choose(rng, ranked(states[-1], CAREFUL)).action
            acts.append(action or roll(waiting.dice, rng.randrange))  # type: ignore[arg-type]
        states.append(SAO.apply(states[-1], acts[-1]))
    return [*_played(states, acts)]


def first(_rng: Random, lines: list[Line]) -> Line:
    return lines[0]


def now_and_then_another(rng: Random, lines: list[Line]) -> Line:
    return rng.choice(lines) if rng.random() < 0.3 else lines[0]


def turns(played: list[Played]) -> Iterator[tuple[list[Played], list[Moment]]]:
    """The moves from the first decision of a turn to its strike, with their moments."""
    moments = [*fellows_moments(played)]
    turn: list[Played] = []
    for one in played:
        if one.before.phase in ("lay", "roll", "dice", "skills", "chain"):
            turn.append(one)
            if isinstance(one.action, do.Strike):
                entries = {each.seq for each in turn}
                yield turn, [each for each in moments if each.seq in entries]
                turn = []


PARTIES = [("kirito", "asuna"), ("kirito", "klein", "lisbeth"), ("kirito", "silica")]


@pytest.mark.slow
@pytest.mark.parametrize("party", PARTIES, ids=" ".join)
def test_luck_and_skill_of_a_turn_add_up_to_the_difference_of_what_was_expected(
    party: tuple[str, ...],
) -> None:
    plain = 0
    for turn, moments in turns(quest(party, 3, now_and_then_another)):
        luck = sum(one.got - one.best for one in moments if one.spread is not None)
        skill = sum(one.got - one.best for one in moments if one.spread is None)
        assert luck + skill == pytest.approx(moments[-1].got - moments[0].best, abs=1e-12)
        for one, other in pairwise(moments):
            assert other.best == pytest.approx(one.got, abs=1e-12)  # nothing is lost between
        last = turn[-1]
        if not any(isinstance(each.action, do.Ability | do.Consume | do.Control | do.Exchange)
                   for each in turn):  # fmt: skip
            plain += 1  # then it ends with the hope after the strike, and begins with the best line
            assert moments[-1].got == pytest.approx(struck(last.before, last.action.uses), abs=1e-9)
            opens = ranked(turn[0].before, CAREFUL)[0].odds.worth
            assert moments[0].best == pytest.approx(opens, abs=1e-9)
    assert plain


@pytest.mark.slow
def test_fair_dice_bring_no_luck_on_average_and_spread_as_said() -> None:
    checked = 0
    games = (quest(("kirito", "asuna"), seed, now_and_then_another) for seed in range(3, 9))
    for one in chain.from_iterable(games):
        bodies = SAO.waiting(one.before).dice
        if not isinstance(one.action, Rolled) or bodies is None or len(bodies.bodies) > 3:
            continue
        gains = []
        for faces in product(range(1, 7), repeat=len(bodies.bodies)):
            thrown = Rolled(tuple(map(Die, bodies.bodies, faces)))
            fell = Played(1, one.before, thrown, SAO.apply(one.before, thrown))
            (*_, moment) = fellows_moments([fell])
            gains.append(moment.got - moment.best)
        assert np.mean(gains) == pytest.approx(0, abs=1e-9)
        assert np.std(gains) == pytest.approx(moment.spread, abs=1e-6)
        checked += 1
        if checked == 8:
            break
    assert checked == 8


@pytest.mark.slow
def test_the_coachs_own_lines_give_nothing_away() -> None:
    for moment in fellows_moments(quest(("kirito", "asuna"), 1, first, 120)):
        assert moment.spread is not None or moment.got == pytest.approx(moment.best, abs=1e-9)


def test_a_strike_put_together_skill_by_skill_is_weighed_as_one() -> None:
    played = quest(("kirito", "asuna"), 1, first, 60)
    strike = next(one for one in played if isinstance(one.action, do.Strike))
    state, seat = strike.before, strike.action.seat
    acts = [
        do.Stand(seat),
        *(do.Trigger(seat, *use) for use in strike.action.uses),
        do.Finish(seat),
    ]
    states = [state]
    for action in acts[:-1]:
        states.append(SAO.apply(states[-1], action))
    (whole,) = fellows_moments([strike])
    *_, last = fellows_moments([*_played([*states, strike.after], acts)])
    assert last.got == pytest.approx(whole.got, abs=1e-12)


@pytest.mark.parametrize(("lost", "mark"), [(0.019, ""), (0.02, "doubtful"), (0.05, "mistake"),
                                            (0.1, "blunder")])  # fmt: skip
def test_the_classes_begin_at_their_bounds_and_a_throw_has_none(lost: float, mark: str) -> None:
    assert Moment(1, SeatNo(0), Text(""), 0.5, 0.5 - lost).mark == mark
    assert Moment(1, SeatNo(0), Text(""), 0.5, 0.5 - lost, spread=0.1).mark == ""
