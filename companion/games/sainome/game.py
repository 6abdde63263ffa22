"""Sainome Colosseum as the shelf holds it."""

from __future__ import annotations

from typing import Any

from companion.games import cardfile
from companion.games.api import CardSet, Game, Rulings, Secrets
from companion.games.sainome import actions as do
from companion.games.sainome.cards import deck, own, shipped
from companion.games.sainome.cites import CITES
from companion.games.sainome.judge import apply
from companion.games.sainome.ledger import counters, overrule, result
from companion.games.sainome.legal import legal
from companion.games.sainome.possible import possible
from companion.games.sainome.rules import RULES
from companion.games.sainome.state import Options, State
from companion.games.sainome.tell import tell
from companion.games.sainome.turn import chance, new, waiting
from companion.games.sainome.unseen import unseen
from companion.games.sainome.view import view
from companion.words import text

_OPEN = (
    do.Attach, do.Show, do.Play, do.Counter, do.Use, do.Discard, do.Again, do.Target, do.Corrected,
)  # fmt: skip


def reveals(state: State, action: Any) -> bool:
    """Does the action show anybody what was hidden? No decision is taken back past it."""
    if not hasattr(action, "seat") or isinstance(action, _OPEN):
        return True
    after = apply(state, action)
    if isinstance(action, do.Draft):
        return len({len(side.pack) for side in after.sides}) == 1  # the packs were swapped
    hidden = [(len(s.deck), *(len(side.stack) for side in s.sides)) for s in (state, after)]
    return hidden[0] != hidden[1]


SAINOME = Game(
    key="sainome",
    name=text("Sainome Colosseum"),
    version=2,
    older={1: {"rules": 1}},
    seats=range(2, 3),
    options=Options,
    state=State,
    actions=do.ACTIONS,
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
    cap=20_000,
    chance=chance,
    secrets=Secrets(reveals, unseen),
    rulings=Rulings(counters, overrule),
    cards=CardSet(
        describe=lambda corrections: cardfile.describe(deck(corrections).values),
        own=lambda text, name: own(text, name, shipped()),
        to_toml=cardfile.to_toml,
        learnt=lambda state: state.corrections,
    ),
)
