"""Kiri-ai: The Duel, as the shelf holds it."""

from __future__ import annotations

from companion.games.api import Game, Rulings, Secrets
from companion.games.kiriai.advice import advice, hints
from companion.games.kiriai.cites import CITES
from companion.games.kiriai.ledger import counters, overrule, result
from companion.games.kiriai.lesson import LESSON
from companion.games.kiriai.play import apply, chance, force, legal, new, reveals, waiting
from companion.games.kiriai.possible import possible
from companion.games.kiriai.rules import RULES
from companion.games.kiriai.state import ACTIONS, Options, State
from companion.games.kiriai.story import beats, facts
from companion.games.kiriai.tell import tell
from companion.games.kiriai.unseen import unseen
from companion.games.kiriai.view import view
from companion.games.kiriai.wanted import wanted
from companion.games.story import Story
from companion.words import text

_ACTIONS_OF_A_ROUND = 4 + 2 + 1  # cards, seals, go on
_LONGEST_CAP = 200
_ONCE = 10  # dealing, telling, placing, naming

KIRIAI = Game(
    key="kiriai",
    name=text("Kiri-ai: The Duel"),
    version=1,
    seats=range(2, 3),
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
    cap=_ACTIONS_OF_A_ROUND * _LONGEST_CAP + _ONCE,
    roles=(text("Blue"), text("Red")),
    chance=chance,
    lesson=LESSON,
    story=Story(facts, beats),
    secrets=Secrets(reveals, unseen),
    rulings=Rulings(counters, overrule, force),
    advice=advice,
    hints=hints,
    wanted=wanted,
)
