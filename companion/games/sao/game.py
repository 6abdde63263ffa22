"""Sword Art Online: Sword of Fellows, as the shelf holds it."""

from __future__ import annotations

from companion.games import cardfile
from companion.games.api import CardSet, Game, Rethrows, Rulings
from companion.games.cardgame import amended
from companion.games.sao.actions import ACTIONS, Again, Correct, Corrected, Mark
from companion.games.sao.cards import deck, describe, own, shipped
from companion.games.sao.cites import CITES
from companion.games.sao.dicework import on_table
from companion.games.sao.ledger import counters, overrule, result
from companion.games.sao.legal import legal
from companion.games.sao.lesson import LESSON
from companion.games.sao.outlook import outlook
from companion.games.sao.play import apply, chance, force, new, waiting
from companion.games.sao.possible import possible
from companion.games.sao.printing import PRINTING, in_sight, rests_on
from companion.games.sao.rules import RULES
from companion.games.sao.state import Options, State
from companion.games.sao.story import beats, facts
from companion.games.sao.tell import tell
from companion.games.sao.view import view
from companion.games.story import Story
from companion.words import text

SAO: Game[State] = Game(
    key="sao",
    name=text("Sword of Fellows"),
    version=2,
    older={1: {"throwing": "either"}},
    seats=range(1, 5),
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
    cap=20_000,
    chance=chance,
    lesson=LESSON,
    story=Story(facts, beats),
    dice=Rethrows(on_table, lambda state, dice: Again(state.seat(state.turn), dice)),
    rulings=Rulings(counters, overrule, force),
    outlook=outlook,
    skips=(Correct, Corrected, Mark),
    cards=CardSet(
        describe=lambda corrections: describe(deck(corrections)),
        own=lambda text, name: own(text, name, shipped()),
        to_toml=cardfile.to_toml,
        learnt=lambda state: state.corrections,
        printing=PRINTING,
        amended=amended,
        in_sight=in_sight,
        rests_on=rests_on,
    ),
)
