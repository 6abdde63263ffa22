"""Card games with hidden cards: promises that hold whatever the unknown cards are.

A card game brings a `Cardboard`: how to read its zones. The same checks then serve every game:

- with cardboard, the engine offers what some possible deal allows, and nothing else;
- no byte that leaves for others depends on a card that one seat has hidden;
- both modes are one engine: a dealt game, with the names taken off, is the game of cardboard.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import Illegal
from companion.games.api import Game, roll
from companion.games.cardfile import Correction
from companion.memory.codec import json_line, to_json
from companion.memory.records import exported, find, listed, steps
from companion.plain import plain
from tests.table.desk import Desk

UNKNOWN = "?"


@dataclass(frozen=True)
class Cardboard:
    """How a game's cards are read and dealt anew."""

    game: Game[Any]
    deal: Callable[[Any, random.Random], Any]
    """A state of cardboard as it could be: every unknown card gets a name that is possible."""
    bare: Callable[[Any], Any]
    """A state with every name taken off that the table cannot see."""
    shown: Callable[[Any, Any], tuple[Any, ...]]
    """(state of cardboard, action of a dealt game): what is told at the table for it."""
    caught_up: Callable[[Any, Any], Any]
    """(state of cardboard, the dealt game before the action): told what chance turned up."""
    cards_of: Callable[[Any, int], Counter[str]]
    """Every card of a seat (or of the whole game), wherever it is."""
    named: tuple[type, ...]
    """Actions that name a card out of a hand: the only ones that may depend on unknown cards."""
    settled: Callable[[Any, Any], Any] = lambda dealt, _state: dealt
    """(dealt game after the action, cardboard after it): chosen what cardboard needs not choose."""


Player = Callable[[Any, int, random.Random], Any]


def at_random(game: Game[Any]) -> Player:
    """Any legal action, each alike."""
    return lambda state, seat, rng: rng.choice(list(game.legal(state, seat)))


def played_through(game: Game[Any], options: Any, seed: object, player: Player) -> list[Any]:
    """Every state of a whole game by legal moves."""
    rng = random.Random(f"unknown {seed}")
    state, seen = game.new(2, options), []
    while waiting := game.waiting(state):
        seen.append(state)
        if waiting.dice is not None:
            action: Any = roll(waiting.dice, rng.randrange)
        elif waiting.chance:
            assert game.chance is not None
            action = game.chance(state, rng.randrange)
        else:
            seat = rng.choice(waiting.seats)
            action = player(state, seat, rng)
        state = game.apply(state, action)
    return [*seen, state]


def told_as_printed(
    cards: Any, keys: Iterable[str], doubtful: Callable[[Any, str], tuple[str, ...]]
) -> tuple[Correction, ...]:
    """The shipped set taken for printed: nothing is left to ask."""
    return tuple(
        (key, field, cards.values[key][field].value)
        for key in keys
        for field in doubtful(cards, key)
    )


def offers_do_not_depend_on_unknown_cards(
    kit: Cardboard, states: Sequence[Any], rng: random.Random, deals: int = 6
) -> None:
    """Public actions are the same for every possible deal, and the same as with cardboard."""
    for state in states:
        for seat in kit.game.waiting(state).seats:
            offered = {a for a in kit.game.legal(state, seat) if not isinstance(a, kit.named)}
            for _ in range(deals):
                dealt = kit.deal(state, rng)
                assert kit.game.waiting(dealt).seats == kit.game.waiting(state).seats
                also = {a for a in kit.game.legal(dealt, seat) if not isinstance(a, kit.named)}
                assert also == offered, f"{also ^ offered} depends on a card that nobody sees"


def every_possible_play_can_be_told(
    kit: Cardboard, states: Sequence[Any], rng: random.Random, deals: int = 4
) -> None:
    """Whatever a possible deal lets a seat play, it can play with cardboard by telling it."""
    for state in states:
        for seat in kit.game.waiting(state).seats:
            for _ in range(deals):
                dealt = kit.deal(state, rng)
                for action in list(kit.game.legal(dealt, seat)):
                    now = state
                    for told in kit.shown(state, action):
                        try:
                            now = kit.game.apply(now, told)
                        except Illegal as why:
                            raise AssertionError(f"{told} for {action} is refused: {why}") from why
                    now = kit.caught_up(now, dealt)
                    then = kit.settled(kit.game.apply(dealt, action), now)
                    assert kit.bare(now) == kit.bare(then), f"{action}"


def cards_are_conserved(kit: Cardboard, states: Sequence[Any], seats: int) -> None:
    """Each copy is in exactly one place, from the first state to the last."""
    for seat in range(seats):
        first = kit.cards_of(states[0], seat)
        for state in states:
            assert kit.cards_of(state, seat).total() == first.total()


def a_hidden_choice_leaves_no_trace(
    sat_down: Callable[[str], Desk], panel: int, labels: Sequence[str], others: Sequence[str]
) -> list[dict[str, str]]:
    """Whichever of these a seat chooses in secret, everybody else gets the same bytes."""
    evenings = []
    for number, label in enumerate(labels):
        desk = sat_down(str(number))
        desk.choose(panel, label)
        evenings.append(all_that_others_get(desk, others))
    assert all(evening == evenings[0] for evening in evenings), "a secret left the table"
    return evenings


def all_that_others_get(desk: Desk, names: Sequence[str]) -> dict[str, str]:
    """Every text about the running game that these displays, an export and a replay give."""
    (*_, record) = listed(desk.journal)
    shelf = desk.shelf
    gone = {"export": "\n".join(map(str, exported(desk.journal, record, shelf)))}
    told = steps(desk.journal, find(desk.journal, record.id), shelf, None)
    gone["replay"] = "\n".join(f"{one.sentence.show()} {list(plain(one.view))}" for one in told)
    for name in names:
        view = desk.table.view(name)
        gone[name] = desk.text(name) + json_line(to_json([choice.label for choice in view.choices]))
    return gone
