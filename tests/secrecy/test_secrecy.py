"""Two worlds that differ in one secret: nobody who may not know it gets another byte until it is
told, by any door."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.games import SHELF
from companion.games.api import Game
from companion.games.hack.actions import Cut, Shuffled
from tests.secrecy.differ import ToldEarly, leaks
from tests.secrecy.pairs import Pair, kinds, open_chance, pair, with_company

SECRETS = [
    pytest.param(game, kind, id=f"{game.key}-{kind}") for game in SHELF for kind in kinds(game)
]
IN_TEST, IN_SOAK = 100, 2_000  # pairs, of all kinds together
COMPANY_IN_TEST, COMPANY_IN_SOAK = 1, 200  # pairs of each kind


WITH_COMPANY = [one for one in SECRETS if one.values[1] != "seed"]  # by which the companion plays


def compare(
    game: Game[Any], kind: Any, share: int, folder: Path, progress: int = 0,
    choose: Callable[[Pair], Pair | None] = lambda found: found,
) -> None:  # fmt: skip
    """Compare so many pairs of worlds; one that is told too early does not count."""
    done, early = 0, 0
    for number in count():
        if done == share:
            return
        made = pair(game, kind, number)
        if made is None or (found := choose(made)) is None:
            continue
        try:
            assert not (seen := leaks(found, folder / "pair")), "\n\n".join(
                leak.says for leak in seen
            )
            done += 1
        except ToldEarly:
            early += 1
            assert early <= 5 + done, f"nearly every secret of {game.key} is told at once"
        shutil.rmtree(folder / "pair")
        if progress and done % progress == 0:
            print(f"{game.key}, {kind}: {done} of {share} pairs, {early} told early", flush=True)


def test_cards_that_are_cut_before_all_eyes_are_no_secret_and_a_shuffled_deck_is() -> None:
    assert open_chance(Cut(("noisy_wisp", "baby_worm")))
    assert not open_chance(Shuffled(0, ("noisy_wisp", "baby_worm")))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "kind"), SECRETS)
def test_nobody_can_tell_two_worlds_apart_before_the_secret_is_told(
    game: Game[Any], kind: Any, tmp_path: Path
) -> None:
    compare(game, kind, -(-IN_TEST // len(SECRETS)), tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "kind"), SECRETS)
def test_nobody_can_tell_thousands_of_worlds_apart(
    game: Game[Any], kind: Any, tmp_path: Path
) -> None:
    compare(game, kind, -(-IN_SOAK // len(SECRETS)), tmp_path, progress=20)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "kind"), WITH_COMPANY)
def test_a_companion_at_the_table_does_the_same_whatever_it_may_not_know(
    game: Game[Any], kind: Any, tmp_path: Path
) -> None:
    compare(game, kind, COMPANY_IN_TEST, tmp_path, choose=with_company)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "kind"), WITH_COMPANY)
def test_a_companion_at_thousands_of_tables_does_the_same(
    game: Game[Any], kind: Any, tmp_path: Path
) -> None:
    compare(game, kind, COMPANY_IN_SOAK, tmp_path, progress=20, choose=with_company)
