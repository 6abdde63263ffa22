"""Tables of .hack//ENEMY laid out by hand for the tests: what is not named lies in the deck."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any, NamedTuple

from companion.games.cardfile import Correction
from companion.games.hack import HACK
from companion.games.hack.cards import deck
from companion.games.hack.possible import possible
from companion.games.hack.state import UNKNOWN, Hero, Options, Side, State
from tests.games import moves

A, B = 0, 1
PLAIN: tuple[Correction, ...] = (
    # figures that the tests reckon with, whatever the house set says
    ("gladiator", "strength", 5), ("gladiator", "text", ""), ("gladiator", "points", 1),
    ("heavy_metal", "strength", 4), ("heavy_metal", "text", "portal: join"),
    ("ochimusha", "strength", 6), ("ochimusha", "text", "reward: draw 1"),
    ("swordmanoid", "points", 0), ("swordmanoid", "strength", 3), ("swordmanoid", "text", ""),
    ("general_armor", "strength", 5), ("general_armor", "text", "portal: join if with armor"),
    ("tetra_armor", "needs", "spot 4 fire"), ("tetra_armor", "strength", 9),
    ("mistral", "strength", 4), ("mistral", "text", ""), ("mistral", "tolerance", 0),
    ("elk", "strength", 4), ("elk", "tolerance", 1), ("elk", "text", ""),
    ("bt", "strength", 5), ("bt", "text", ""),
    ("air_wand", "strength", 2), ("air_wand", "text", ""),
    ("crim", "strength", 5), ("crim", "tolerance", 0), ("crim", "text", ""),
    ("gardenia", "strength", 4), ("gardenia", "tolerance", 1), ("gardenia", "text", ""),
    ("alpha_ichigoro", "strength", 4), ("alpha_ichigoro", "tolerance", 0),
    ("alpha_ichigoro", "text", ""), ("wyrm_hide", "tolerance", 1), ("wyrm_hide", "strength", 1),
    ("wyrm_hide", "text", ""), ("juk_rom", "text", "flip: strength +3"),
)  # fmt: skip


class Lay(NamedTuple):
    """One side of the table. Of cardboard a hand is a number, and so are hidden cards."""

    hand: tuple[str, ...] | int = ()
    hidden: tuple[str, ...] | int = ()
    heroes: tuple[Hero, ...] = ()
    portal: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    top: tuple[str, ...] = ()  # of the deck
    deck: int | None = None  # so many cards in the deck, the rest discarded
    extra: int = 0


NOTHING = Lay()


def board(
    a: Lay = NOTHING, b: Lay = NOTHING, *, cards: str = "companion", decks: str = "ab",
    fix: tuple[Correction, ...] = (), phase: str = "play", mover: int = A, turns: int = 5,
    **more: Any,
) -> State:  # fmt: skip
    """A possible table with these cards in these places."""
    options = Options(decks, cards, (*PLAIN, *fix))
    attack: list[str] = [*more.get("attackers", ())]
    attack += [monster for battle in more.get("battles", ()) for monster in battle.monsters]
    sides = []
    for seat, lay in enumerate((a, b)):
        every = deck(options.corrections).decks[decks[seat]]
        sides.append(_side(lay, every, attack if seat == mover else [], cards == "table"))
    state = State(
        options, (sides[0], sides[1]), options.corrections, phase, mover, turns, (3, 2), **more
    )
    possible(state)
    return state


def _side(lay: Lay, every: tuple[str, ...], attack: list[str], cardboard: bool) -> Side:
    hand = (UNKNOWN,) * lay.hand if isinstance(lay.hand, int) else lay.hand
    hidden = (UNKNOWN,) * lay.hidden if isinstance(lay.hidden, int) else lay.hidden
    placed = [*hand, *hidden, *lay.portal, *lay.score, *lay.discard, *attack]
    placed += [card for hero in lay.heroes for card in (hero.card, *hero.items)]
    if cardboard:
        rest: tuple[str, ...] = (UNKNOWN,) * (len(every) - len(placed))
    else:
        left = Counter(every) - Counter(placed) - Counter(lay.top)
        rest = (*lay.top, *left.elements())
    cut = len(rest) if lay.deck is None else lay.deck
    return Side(
        rest[:cut], hand, hidden, lay.heroes, lay.portal, lay.score, lay.discard + rest[cut:],
        0, lay.extra,
    )  # fmt: skip


after, refused, legal = (partial(do, HACK) for do in (moves.after, moves.refused, moves.legal))
