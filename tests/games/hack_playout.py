"""Players of .hack//ENEMY for the tests: one at random, one greedy; and whole games by them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from companion.games.hack import HACK
from companion.games.hack import actions as do
from companion.games.hack.fights import sums, total
from companion.games.hack.possible import conserved
from companion.games.hack.state import SEATS, Options, State

Player = Callable[[State, int, random.Random], Any]


class Played(NamedTuple):
    """A finished game: where it ended, and after how many actions."""

    state: State
    actions: int


def at_random(state: State, seat: int, rng: random.Random) -> Any:
    """Any legal action, each alike."""
    return rng.choice(list(HACK.legal(state, seat)))


def greedy(state: State, seat: int, rng: random.Random) -> Any:
    """The action that looks best just now, by what the seat can see."""
    actions = list(HACK.legal(state, seat))
    return max(actions, key=lambda action: (_worth(state, seat, action), rng.random()))


def play(options: Options, players: tuple[Player, Player], seed: object) -> Played:
    """A whole game; after every action each card is in exactly one place."""
    rng = random.Random(f"{options} {seed}")
    state = HACK.new(2, options)
    for number in range(HACK.cap + 1):
        waiting = HACK.waiting(state)
        if not waiting:
            return Played(state, number)
        if waiting.chance:
            assert HACK.chance is not None
            action = HACK.chance(state, rng.randrange)
        else:
            seat = rng.choice(waiting.seats)
            action = players[seat](state, seat, rng)
        state = HACK.apply(state, action)
        for seat in SEATS:
            conserved(state, seat)
    raise AssertionError("longer than the cap")


def _worth(state: State, seat: int, action: Any) -> float:
    cards, side = state.cards, state.sides[seat]
    match action:
        case do.PlayPC(_, card, replaces):
            if not replaces:
                return 9.0 - 2 * len(side.heroes)
            old = state.hero(seat, replaces)
            gain = cards[card].strength - cards[replaces].strength
            return gain + (5.0 if old is not None and old.wounded else -3.0)
        case do.PlayItem(_, card, pc):
            hero = state.hero(seat, pc)
            assert hero is not None
            worn = [
                cards[i].strength for i in hero.items if cards[i].subtype == cards[card].subtype
            ]
            return 4.0 + cards[card].strength - 3 * sum(worn)
        case do.Attack(_, card):
            return 5.0 + _odds(state, seat, (card,))
        case do.Store(_, card):
            return 4.5 - len(side.portal)
        case do.Hide(_, card):
            return 5.5 if card in cards and cards[card].kind == "action" else 0.5
        case do.Fight():
            foes = sum(cards[monster].strength for monster in state.attackers)
            mine = max(_strength(state, seat, hero.card) for hero in side.heroes)
            return mine - foes / max(1, min(len(side.heroes), len(state.attackers))) + 0.5
        case do.Avoid():
            return -1.0 * len(state.attackers)
        case do.Assign(_, monster, pc):
            owner = seat if state.phase == "assign" else 1 - seat
            margin = _strength(state, owner, pc) - cards[monster].strength
            return float(margin if owner == seat else -margin)
        case do.Flip():
            parts = sums(state, state.battle)
            behind = total(parts[1 - seat]) - total(parts[seat])
            return 1.0 if -3 < behind < 5 else -1.0
        case do.Score(_, monster):
            return float(cards[monster].points) if monster else -1.0
        case do.Join() | do.Reward() | do.Agreed() | do.Target():
            return 1.0
        case do.Discard(_, card):
            return 0.0 if card not in cards else -float(cards[card].strength)
        case do.DiscardHand() | do.Correct() | do.Withdraw():
            return -5.0
        case do.Open(_, kind):
            return {"monster": 2.0, "pc": 6.0 - 2 * len(side.heroes), "item": 1.0}[kind]
        case do.Show():
            return 7.0
    return 0.0


def _strength(state: State, seat: int, pc: str) -> int:
    hero = state.hero(seat, pc)
    assert hero is not None
    return sum(state.cards[card].strength for card in (hero.card, *hero.items))


def _odds(state: State, seat: int, monsters: tuple[str, ...]) -> float:
    """How far the attack is ahead of the strongest PC that it can meet."""
    heroes = state.sides[1 - seat].heroes
    if not heroes:
        return 4.0
    best = max(_strength(state, 1 - seat, hero.card) for hero in heroes)
    return float(sum(state.cards[m].strength for m in monsters) - best)


def rates(games: int, player: Player, **options: Any) -> tuple[float, float, float]:
    """Of this many games the shares that deck A won, deck B won, and nobody won."""
    won = [0, 0, 0]
    for seed in range(games):
        result = HACK.result(play(Options(**options), (player, player), seed).state)
        assert result is not None
        won[result.winners[0] if result.winners else 2] += 1
    return won[0] / games, won[1] / games, won[2] / games
