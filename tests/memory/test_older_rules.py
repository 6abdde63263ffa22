"""Games that were played by older rules are replayed by these, and go on as they began."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.errors import BadJournal, Illegal
from companion.games import GAMES, SHELF
from companion.games.api import Game
from companion.games.hack import actions as hack
from companion.games.hack.state import Battle, Hero
from companion.games.sainome import actions as sainome
from companion.games.swordcrafters import actions as do
from companion.memory.codec import action_to_json
from companion.memory.journal import Journal
from companion.memory.records import exported, find, taken_in, timeline_of
from companion.memory.timeline import Move, fold, opening
from tests.games import hack_table, sainome_table
from tests.games.shelf import some_action

SWORDS = GAMES["swordcrafters"]
CHOSEN = {"way": "virtual", "mode": "hard"}


def skipped_a_slice() -> list[Any]:
    """The moves of a solo game by the first rules, in which a round had fewer than four slices."""
    for seed in range(99):
        rng = random.Random(seed)
        state, moves = opening(SWORDS, 1, 1, CHOSEN), []
        while SWORDS.waiting(state):
            moves.append(some_action(SWORDS, state, rng))
            state = SWORDS.apply(state, moves[-1])
        if sum(isinstance(move, do.Cut) for move in moves) < 24:
            return moves
    raise AssertionError("no such game")


def kept(folder: Path, version: int, moves: list[Any]) -> Journal:
    journal = Journal(folder / "journal.db", lambda: 1.0)
    number = journal.begin(SWORDS.key, version, [{"panel": 0, "name": "Blue"}], CHOSEN)
    for seq, move in enumerate(moves, start=1):
        journal.append(number, seq, getattr(move, "seat", None), "do", action_to_json(move))
    return journal


def test_what_the_first_rules_allowed_is_replayed_and_refused_by_these() -> None:
    moves = [Move(seq, what) for seq, what in enumerate(skipped_a_slice(), 1)]
    assert fold(SWORDS, opening(SWORDS, 1, 1, CHOSEN), moves).result is not None
    with pytest.raises(Illegal, match="S-H8"):
        fold(SWORDS, opening(SWORDS, SWORDS.version, 1, CHOSEN), moves)


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.key)
def test_every_older_version_of_a_game_opens_and_no_other(game: Game[Any]) -> None:
    assert sorted((*game.older, game.version)) == list(range(1, game.version + 1))
    for version in (*game.older, game.version):
        opening(game, version, game.seats[0], {"mode": "hard"})
    with pytest.raises(BadJournal, match="version 99"):
        opening(game, 99, game.seats[0], {"mode": "hard"})


def test_a_game_of_older_rules_is_listed_exported_and_taken_in_as_what_it_is(
    tmp_path: Path,
) -> None:
    moves = skipped_a_slice()
    journal = kept(tmp_path, 1, moves)
    journal.end(1, None)
    assert timeline_of(journal, find(journal, 1), GAMES).result is not None
    lines = "\n".join(exported(journal, find(journal, 1), GAMES)).encode()
    again = taken_in(journal, lines, GAMES, [1.0])
    record = find(journal, again)
    assert record.version == 1
    assert len(timeline_of(journal, record, GAMES).moves) == len(moves)
    journal.close()


def by_the_first_rules(state: Any) -> Any:
    return replace(state, options=replace(state.options, rules=1))


def test_by_the_first_rules_a_card_acts_once_when_a_charge_has_set_it_off() -> None:
    mine = sainome_table.Lay("princess", up="charge", down="crossbow")
    state = by_the_first_rules(sainome_table.board(mine, sainome_table.Lay()))
    for action in (sainome.Strike(0), sainome_table.thrown(5), sainome.Next(0, 0)):
        state = GAMES["sainome"].apply(state, action)
    assert (state.phase, sainome_table.hp(state)) == ("act", (10, 7))


def test_by_the_first_rules_a_flip_knows_nothing_of_its_fight() -> None:
    state = hack_table.board(
        hack_table.Lay(hidden=("juk_rom", "juk_rom"), heroes=(Hero("mistral", wounded=True),)),
        mover=1, phase="flip", battles=(Battle("mistral", ("fiend_menhir",)),),
        fix=(("juk_rom", "text", "flip: strength +3 if wounded"),),
    )  # fmt: skip
    flip = hack.Flip(0, 0, "juk_rom")
    assert GAMES["hack"].apply(state, flip).battle.plus == (3, 0)
    assert GAMES["hack"].apply(by_the_first_rules(state), flip).battle.plus == (0, 0)
