"""Kiri-ai's players: legal, blind to what their seat may not see, as strong as the table says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.bots import kiriai
from companion.bots.api import Bot, Sight, decide
from companion.bots.kiriai import FILES, bot, most_wins, solved
from companion.bots.kiriai_table import LAYERS, STANDARD, Entry, Table, around
from companion.games.kiriai import KIRIAI
from companion.games.kiriai.advice import odds
from companion.games.kiriai.cards import SPECIALS
from companion.games.kiriai.state import Dealt, GoOn, Options, Pick, Seal, State
from companion.words import SeatNo
from tests.bots.kiriai_judge import FACES_HERE, Ground, Judge, Kind, judged, plans
from tests.bots.playing import knows
from tests.games.kiriai_table import begin, do, first

BEST = bot("best")
Mover = Callable[[Sight], Any]
SPENT = [Kind(0, 0, 0)]
TABLES = [Path(kiriai.__file__).with_name(name) for names in FILES.values() for name in names]


def dealt(random: Random, field: str = "standard") -> State:
    """A duel with specials dealt by chance."""
    state = KIRIAI.new(2, Options(field))
    return KIRIAI.apply(state, Dealt(tuple(random.sample(SPECIALS, 2))))


def player(one: Bot, seed: object) -> Mover:
    return lambda sight: decide(one, sight, f"{seed} {sight.seat}", 1).action


def at_random(seed: object) -> Mover:
    """A player that lays anything."""
    random = Random(f"{seed}")
    return lambda s: random.choice(list(KIRIAI.legal(s.imagine(random.randrange), s.seat)))


def by_the_coach(_seed: object) -> Mover:
    """A player that follows the first line of the coach."""

    def move(sight: Sight) -> Any:
        state, seat = sight.imagine(Random(0).randrange), sight.seat
        laid = len(state.fighters[seat].plan)
        if state.phase != "choose" or laid == 2:
            return next(iter(KIRIAI.legal(state, seat)))
        liked = max(odds(state, seat), key=lambda odd: (odd.edge, odd.wound))
        return Pick(seat, liked.plan[laid])

    return move


def played(state: State, movers: tuple[Mover, Mover]) -> Iterator[tuple[State, Sight]]:
    """A whole duel; every move is judged by the rules. Each state, and what its mover knew."""
    states, acts = [state], list[Any]()
    while state.phase != "over":
        seat = SeatNo(next(seat for seat in (0, 1) if list(KIRIAI.legal(state, seat))))
        sight = knows(KIRIAI, states, acts, seat)
        acts.append(movers[seat](sight))
        state = KIRIAI.apply(state, acts[-1])
        states.append(state)
        yield state, sight


def edge(
    one: Callable[[object], Mover], other: Callable[[object], Mover], duels: int, field: str
) -> float:
    """What `one` wins on average, +1 a duel won and -1 a duel lost, seats alternating."""
    score = 0
    for number in range(duels):
        seat = number % 2
        mine, his = one(number), other(number)
        *_, (end, _) = played(
            dealt(Random(number), field), (mine, his) if seat == 0 else (his, mine)
        )
        score += end.fighters[1 - seat].wounds // 2 - end.fighters[seat].wounds // 2
    return score / duels


def best(seed: object) -> Mover:
    return player(BEST, seed)


@pytest.mark.slow
@pytest.mark.parametrize("field", ["standard", "advanced"])
def test_the_best_player_beats_whoever_lays_anything(field: str) -> None:
    assert edge(best, at_random, 24, field) > 0.4


@pytest.mark.soak
@pytest.mark.parametrize("field", ["standard", "advanced"])
def test_each_level_is_stronger_than_the_one_below(field: str) -> None:
    levels = [lambda seed, level=level: player(bot(level), seed) for level in ("easy", "good")]
    for name, one, other in (
        ("best, good", best, levels[1]),
        ("best, easy", best, levels[0]),
        ("good, easy", levels[1], levels[0]),
        ("best, the coach's first line", best, by_the_coach),
        ("best, random", best, at_random),
        ("easy, random", levels[0], at_random),
    ):
        found = edge(one, other, 400, field)
        print(f"{field}, {name}: {found:+.3f} a duel in 400 duels")
        assert found > 0


def test_equal_seeds_play_equal_duels_and_another_seed_another() -> None:
    def end(seed: str) -> State:
        *_, (state, _) = played(begin(), (best(seed), best(seed)))
        return state

    assert end("one") == end("one")
    assert len({end(f"{n}").cuts for n in range(4)}) > 1


def test_the_player_goes_on_from_a_card_that_somebody_else_laid() -> None:
    for face in ("approach", "kesa", "balanced"):
        states, acts = [begin()], list[Any]([Pick(0, face)])
        while not states[-1].fighters[0].done:
            states.append(do(states[-1], acts[-1]))
            if not states[-1].fighters[0].done:
                acts.append(best("seed")(knows(KIRIAI, states, acts, SeatNo(0))))
        assert acts[0] == Pick(0, face)
        assert acts[-1] == Seal(0)


def test_the_figure_of_a_table_is_told_in_words() -> None:
    assert most_wins(0.148) == 58
    assert BEST.says.show().startswith(
        f"Nobody can win more than {most_wins(solved().bound)} of 100 duels against it"
    )


def test_all_tables_together_are_small_and_the_small_one_is_smaller() -> None:
    sizes = {path.name: path.stat().st_size for path in TABLES}
    assert sum(sizes.values()) <= 10_000_000
    assert sizes["kiriai-small.table"] <= 1_000_000


@pytest.mark.slow
def test_the_judge_opens_two_cards_as_whole_rounds_of_the_game_do() -> None:
    random, ground = Random(5), Ground.of(5)
    for _ in range(300):
        place, specials = random.choice(ground.places), random.sample(SPECIALS, 2)
        state = ground.duel(place, *specials)
        mine, his = (random.choice(list(plans("", special))) for special in specials)
        state = first(state, " ".join(mine), " ".join(his))
        if state.phase != "over":
            state = do(state, GoOn(0))
        cards = [FACES_HERE.index(face) for face in (*mine, *his)]
        found = ground.after_round(ground.number[place], (cards[0], cards[1]), (cards[2], cards[3]))
        assert int(found) == ground.place_of(state)


class Spoiled(Table):
    """The same table without its chances: always the likeliest plan."""

    def row(self, left: int, layer: int, number: int) -> tuple[Entry, ...]:
        found = super().row(left, layer, number)
        likeliest = max(found, key=lambda one: one.units, default=None)
        return (
            (Entry(likeliest.plan, likeliest.memory, likeliest.special, 255),) if likeliest else ()
        )


@pytest.mark.slow
def test_with_both_specials_spent_nobody_gains_anything_and_a_spoiled_table_shows() -> None:
    judge, spoiled = Judge(solved(), SPENT), Judge(Spoiled(solved().path), SPENT)
    for _ in range(5):
        judge.go_back()
        spoiled.go_back()
        assert judge.gap() < 0.005  # in the worst of all positions
    assert spoiled.gap() > 0.3


@pytest.mark.soak
def test_with_both_specials_spent_nobody_gains_anything_in_a_hundred_rounds() -> None:
    judge, gaps = Judge(solved(), SPENT), []
    for _ in range(100):
        judge.go_back()
        gaps.append(judge.gap())
    print(f"both specials spent: the worst position loses {max(gaps):.4f}")
    assert max(gaps) <= 0.01


def test_between_two_bands_with_both_specials_spent_both_are_mixed_the_nearer_more() -> None:
    assert around((1, 2, 6), 2) == ((1, 1),)
    assert around((1, 2, 6), 3) == ((1, 3), (2, 1))
    assert around((1, 2, 6), 9) == ((2, 1),)
    slot = STANDARD.slot((2, 4), ("heaven", "earth"))
    below, between, above = (solved().row(left, len(LAYERS) - 1, slot) for left in (60, 63, 75))
    mixed = [(one.plan, 12 * one.units) for one in below] + [
        (one.plan, 3 * one.units) for one in above
    ]
    assert [(one.plan, one.units) for one in between] == mixed


@pytest.mark.soak
@pytest.mark.parametrize("path", TABLES, ids=lambda path: str(path.name))
def test_nobody_can_win_more_than_a_table_says_and_that_is_little(path: Path) -> None:
    table = Table(path)
    bound = judged(table, say=print)
    print(f"{path.name}: {bound:.4f}, at most {most_wins(bound)} of 100 duels")
    assert bound == pytest.approx(table.bound, abs=1e-4)
    assert path.name != "kiriai.table" or bound <= 0.10
