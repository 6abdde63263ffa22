""".hack//ENEMY, the sample game, as the shelf holds it."""

from __future__ import annotations

from typing import Any

from companion.games import cardfile
from companion.games.api import CardSet, Game, Rulings, Secrets
from companion.games.cardgame import amended, printing
from companion.games.hack import actions as do
from companion.games.hack.cards import CARDS, deck, own, shipped
from companion.games.hack.cites import CITES
from companion.games.hack.fights import in_sight, rests_on
from companion.games.hack.judge import apply
from companion.games.hack.kinds import KIND_NAMES
from companion.games.hack.ledger import counters, overrule, result
from companion.games.hack.legal import legal
from companion.games.hack.lesson import LESSON
from companion.games.hack.phrases import COMPARISON
from companion.games.hack.possible import possible
from companion.games.hack.rules import RULES
from companion.games.hack.state import Options, State
from companion.games.hack.story import beats, facts
from companion.games.hack.tell import tell
from companion.games.hack.turn import chance, new, waiting
from companion.games.hack.unseen import unseen
from companion.games.hack.view import view
from companion.games.hack.wanted import wanted
from companion.games.story import Story
from companion.words import text

_OPEN = (
    do.Destiny, do.Discard, do.DiscardHand, do.Show, do.Sacrifice, do.PlayPC, do.PlayItem,
    do.Attack, do.Store, do.Flip, do.Target, do.Corrected,
)  # fmt: skip


def reveals(state: State, action: Any) -> bool:
    """Does the action show anybody what was hidden? No decision is taken back past it."""
    if not hasattr(action, "seat") or isinstance(action, _OPEN):
        return True
    if isinstance(action, do.Join) and state.phase == "stand":
        return True  # the defender answers what lies there: nobody takes it away afterwards
    after = apply(state, action)
    return any(
        len(now.deck) != len(then.deck) for now, then in zip(state.sides, after.sides, strict=True)
    )


_TURNS = 2 * 40  # each turn draws a card of a deck of 40
_ACTIONS_OF_A_TURN = 60
_LEARNING = 29 * 12 * 2

HACK = Game(
    key="hack",
    name=text(".hack//ENEMY"),
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
    cap=_TURNS * _ACTIONS_OF_A_TURN + _LEARNING,
    chance=chance,
    lesson=LESSON,
    story=Story(facts, beats),
    secrets=Secrets(reveals, unseen),
    rulings=Rulings(counters, overrule),
    skips=(do.Correct, do.Corrected, do.Withdraw),
    cards=CardSet(
        describe=lambda corrections: cardfile.describe(deck(corrections).values),
        own=lambda text, name: own(text, name, shipped()),
        to_toml=cardfile.to_toml,
        learnt=lambda state: state.corrections,
        printing=printing(
            CARDS,
            COMPARISON,
            KIND_NAMES,
            tuple(KIND_NAMES),
            later=("kind", "a", "b"),
            decides={
                "R14": ("kind",),
                "R15": ("needs", "bearer"),
                "R31": ("storable",),
                "R33": ("unique",),
            },
        ),
        amended=amended,
        in_sight=in_sight,
        rests_on=rests_on,
    ),
    wanted=wanted,
)
