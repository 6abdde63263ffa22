"""Swordcrafters, as the shelf holds it."""

from __future__ import annotations

from companion.games.api import Game, Rulings
from companion.games.story import Story
from companion.games.swordcrafters.actions import ACTIONS, Undo
from companion.games.swordcrafters.cites import CITES
from companion.games.swordcrafters.laying import grid_action
from companion.games.swordcrafters.ledger import counters, overrule, result
from companion.games.swordcrafters.lesson import LESSON
from companion.games.swordcrafters.play import apply, chance, legal, waiting
from companion.games.swordcrafters.possible import possible
from companion.games.swordcrafters.printing import CARDS
from companion.games.swordcrafters.rules import RULES
from companion.games.swordcrafters.setup import new
from companion.games.swordcrafters.state import MOST_UNDOS, ROUNDS, Options, State
from companion.games.swordcrafters.story import beats, facts
from companion.games.swordcrafters.tell import tell
from companion.games.swordcrafters.view import view
from companion.games.swordcrafters.wanted import wanted
from companion.words import text

_TILES = 90
_SLICES = ROUNDS * 5 * (3 + 2 * MOST_UNDOS)  # group, line, cut, and every step undone and redone
_ONCE = 100  # cards, guards, opponents, printed cards
_ENTRY = 5 * (2 * MOST_UNDOS + 8) + 5 * _TILES

SWORDCRAFTERS = Game(
    key="swordcrafters",
    name=text("Swordcrafters"),
    version=2,
    older={1: {"rules": 1}},
    seats=range(1, 6),
    options=Options,
    state=State,
    actions=ACTIONS,
    rules=RULES,
    new=new,
    waiting=waiting,
    legal=legal,
    apply=apply,
    view=view,
    result=result,
    tell=tell,
    cites=CITES,
    possible=possible,
    cap=_ONCE + _SLICES + _ENTRY + 4 * _TILES,
    chance=chance,
    lesson=LESSON,
    story=Story(facts, beats),
    rulings=Rulings(counters, overrule),
    skips=(Undo,),
    cards=CARDS,
    grid_action=grid_action,
    wanted=wanted,
)
