"""Sainome Colosseum as the shelf holds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games import cardfile
from companion.games.api import CardSet, Game, Rulings, Secrets
from companion.games.cardfile import Value
from companion.games.cardgame import amended, printing
from companion.games.sainome import actions as do
from companion.games.sainome.cards import CARDS, deck, own, shipped
from companion.games.sainome.cites import CITES
from companion.games.sainome.damage import in_sight, rests_on
from companion.games.sainome.judge import apply
from companion.games.sainome.kinds import CHARACTER, EQUIP, KIND_NAMES, KINDS
from companion.games.sainome.ledger import counters, overrule, result
from companion.games.sainome.legal import legal
from companion.games.sainome.lesson import LESSON
from companion.games.sainome.phrases import COMPARISON, LINKS_MEAN
from companion.games.sainome.possible import possible
from companion.games.sainome.rules import RULES
from companion.games.sainome.state import Options, State
from companion.games.sainome.story import beats, facts
from companion.games.sainome.tell import tell
from companion.games.sainome.turn import chance, new, waiting
from companion.games.sainome.unseen import unseen
from companion.games.sainome.view import view
from companion.games.sainome.wanted import wanted
from companion.games.story import Story
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


def _only_to_equip(values: Mapping[str, Value]) -> tuple[str, ...]:
    """A counter card or an instant has no link, no damage of its own and nothing to pay."""
    use = values["use"].value if "use" in values else EQUIP
    return () if use == EQUIP else ("damage", "catalyst", "links", "stay")


SAINOME = Game(
    key="sainome",
    name=text("Sainome Colosseum"),
    version=3,
    older={1: {"rules": 1}, 2: {"rules": 2}},
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
    lesson=LESSON,
    story=Story(facts, beats),
    secrets=Secrets(reveals, unseen),
    rulings=Rulings(counters, overrule),
    skips=(do.Correct, do.Corrected, do.Withdraw, do.Detach),
    cards=CardSet(
        describe=lambda corrections: cardfile.describe(deck(corrections).values),
        own=lambda text, name: own(text, name, shipped()),
        to_toml=cardfile.to_toml,
        learnt=lambda state: state.corrections,
        printing=printing(
            CARDS,
            COMPARISON,
            {**KIND_NAMES, CHARACTER: text("Character")},
            KINDS,
            decides={"R19": ("use",), "R21": ("text",), "R36": ("links",), "R40": ("use",)},
            hints={"links": LINKS_MEAN},
            without_fields=_only_to_equip,
        ),
        amended=amended,
        in_sight=in_sight,
        rests_on=rests_on,
    ),
    wanted=wanted,
)
