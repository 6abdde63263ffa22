"""Whole games of Sword of Fellows, each move the first line of a careful or a casual player.

`python -m tests.bots.fellows FILE 200` plays up to 200 of every kind in turn and adds each to the
file, so that it may be stopped and gone on with; `... FILE` alone tells what is in it, and
`... FILE DAY` writes it as the lobby's outlook. `... FILE 200 2 3` plays parties of two and three.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from companion.bots.fellows import CAREFUL, CASUAL, Mind, ranked
from companion.games.api import roll
from companion.games.sao import outlook
from companion.games.sao.play import apply, chance, waiting
from companion.games.sao.state import BOTH, EASY, FEWER, NO_DICE, NORMAL, Options, State
from tests.bots.playing import interval
from tests.games.sao_playout import parties, start

Kind = tuple[str, str, str]
"""Play, difficulty and party, as in the file."""
MINDS = {"careful": CAREFUL, "casual": CASUAL}
PARTIES = [party for seats in (2, 3, 4) for party in parties(seats)]
OUTLOOK = Path(outlook.__file__).with_name("outlook.toml")
OTHER = (EASY, FEWER, NO_DICE, BOTH)


def followed(party: tuple[str, ...], difficulty: str, seed: int, mind: Mind = CAREFUL) -> State:
    """One game to its end, each move the first line."""
    rng = Random(f"{party} {difficulty} {seed}")
    state = start(len(party), party, Options(difficulty))
    while not state.outcome:
        wait = waiting(state)
        if wait.chance:
            action: Any = chance(state, rng.randrange)
        else:
            action = ranked(state, mind)[0].action
            if action is None:
                assert wait.dice is not None
                action = roll(wait.dice, rng.randrange)
        state = apply(state, action)
    return state


def said(kind: Kind, won: int, games: int) -> str:
    """A line of the report."""
    low, high = interval(won, games)
    return f"{', '.join(kind)}: {won} of {games}, {won / games:.1%} ({low:.1%} to {high:.1%})"


def wins(party: tuple[str, ...], difficulty: str, games: int) -> int:
    """How many of these games are won with care; tells how it goes."""
    won = 0
    for seed in range(games):
        won += followed(party, difficulty, seed).outcome == "won"
        if (seed + 1) % 20 == 0 or seed + 1 == games:
            print(said(("careful", difficulty, " ".join(party)), won, seed + 1), flush=True)
    return won


def schedule(
    games: int, sizes: tuple[int, ...] = (2, 3, 4)
) -> Iterator[tuple[str, str, tuple[str, ...], int]]:
    """All kinds in turn, those of the promise most often: it may be stopped at any time."""
    for seed in range(games):
        for party in (one for one in PARTIES if len(one) in sizes):
            yield "careful", NORMAL, party, seed
            if seed % 2 == 0:
                yield "casual", NORMAL, party, seed
            if seed % 16 == 0:
                yield from ((play, hard, party, seed) for hard in OTHER for play in MINDS)


def read(lines: Iterable[str]) -> dict[Kind, tuple[int, int]]:
    """Games won and played of each kind, from the lines of a file."""
    rows = {tuple(line.split(";")[:4]): line.strip().split(";")[4] for line in lines}
    played, won = Counter[Kind](), Counter[Kind]()
    for (play, difficulty, party, _), outcome in rows.items():
        played[play, difficulty, party] += 1
        won[play, difficulty, party] += outcome == "won"
    return {kind: (won[kind], played[kind]) for kind in played}


def main(path: Path, games: int, *sizes: int) -> None:
    """Go on with a file."""
    known = {tuple(line.split(";")[:4]) for line in path.open()} if path.exists() else set()
    with path.open("a") as file:
        for play, difficulty, party, seed in schedule(games, sizes or (2, 3, 4)):
            key = (play, difficulty, " ".join(party), str(seed))
            if key not in known:
                outcome = followed(party, difficulty, seed, MINDS[play]).outcome
                print(*key, outcome, sep=";", file=file, flush=True)
    for kind, (won, played) in sorted(read(path.open()).items()):
        print(said(kind, won, played))


def write_outlook(path: Path, day: str) -> None:
    """Games won and played by size of the party and difficulty, as the lobby reads them."""
    won, played = Counter[tuple[int, str, str]](), Counter[tuple[int, str, str]]()
    for (play, difficulty, party), (some, games) in read(path.open()).items():
        won[len(party.split()), difficulty, play] += some
        played[len(party.split()), difficulty, play] += games
    lines = [f"# Whole games played by tests/bots/fellows.py: won, played. {day}"]
    for party, difficulty in sorted({key[:2] for key in played}):
        lines += ["", "[[played]]", f"party = {party}", f'difficulty = "{difficulty}"']
        for play in MINDS:
            key = (party, difficulty, play)
            lines.append(f"{play} = [{won[key]}, {played[key]}]")
    OUTLOOK.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    file, *more = sys.argv[1:]
    if not all(word.isdigit() for word in more):
        write_outlook(Path(file), " ".join(more))
    else:
        main(Path(file), *(map(int, more) if more else [0]))
