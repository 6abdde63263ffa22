"""One short sentence about a move, for the whole table."""

from __future__ import annotations

from typing import Any

from companion.games.api import Rolled
from companion.games.sao import actions as do
from companion.games.sao.assign import Uses
from companion.games.sao.phrases import (
    SIDE_NAMES,
    card_name,
    dice_names,
    die_name,
    field_name,
    joined,
    rolled_names,
    value_name,
)
from companion.games.sao.state import State, name
from companion.words import Seat, Text, text


def tell(state: State, action: Any, _viewer: int | None) -> Text:
    """Nothing is secret here: everybody hears the same."""
    match action:
        case do.Play(seat, character):
            return text("{seat} plays {who}", seat=Seat(seat),
                        who=card_name(state.cards, character))  # fmt: skip
        case do.Drawn(card) | do.Told(_, card):
            return text("Revealed: {card}", card=card_name(state.cards, card))
        case do.Correct(_, card, field):
            return text("{card}: {field} is compared", card=card_name(state.cards, card),
                        field=field_name(field))  # fmt: skip
        case do.Corrected(_, card, field, value):
            return text("{card}: {field} is {value}", card=card_name(state.cards, card),
                        field=field_name(field),
                        value=value_name(state.cards, card, field, value))  # fmt: skip
        case do.Agreed():
            return text("The cards are right")
        case do.Chain(_, who):
            return text("{who} chains with {partner}", who=_turn(state), partner=name(state, who))
        case Rolled(dice):
            return text("Rolled {dice}", dice=rolled_names(state, dice))
        case do.Consume(_, item, who):
            return text("{item} for {who}", item=card_name(state.cards, item),
                        who=name(state, who))  # fmt: skip
        case do.Give(_, item, who):
            return text("{who} gets {item}", who=name(state, who),
                        item=card_name(state.cards, item))  # fmt: skip
        case do.Onward():
            return text("On to the next scenario")
        case _:
            return _dicework(state, action)


def _dicework(state: State, action: Any) -> Text:
    match action:
        case do.Lay(_, value):
            return text("A support die shows {value}", value=value)
        case do.Exchange(_, who):
            return text("{who}'s blue die is thrown", who=name(state, who))
        case do.Mark(_, die) if die in state.marks:
            return text("No longer picked: {die}", die=die_name(state, die))
        case do.Mark(_, die):
            return text("Picked: {die}", die=die_name(state, die))
        case do.Again(_, dice):
            return text("Thrown again: {dice}", dice=dice_names(state, dice))
        case do.Ability(_, who, dice, _) if dice:
            return text("{who}'s ability on {dice}", who=name(state, who),
                        dice=dice_names(state, dice))  # fmt: skip
        case do.Ability(_, who, _, whom):
            return text("{who} restores {other}", who=name(state, who), other=name(state, whom))
        case do.Control(_, die, to):
            return text("{die} becomes {to}", die=die_name(state, die), to=to)
        case do.Stand():
            return text("The dice stand")
        case do.Strike(_, uses):
            return _struck(state, uses)
        case do.Finish():
            return _struck(state, state.spent)
        case do.Trigger(_, skill, dice):
            called = Text(state.card(state.turn).skills[skill].name)
            return text("{skill} with {dice}", skill=called, dice=dice_names(state, dice))
        case do.Yui():
            return text("Yui turns the blow back")
        case do.Target(_, who):
            kind, amount = state.asks[0]
            if kind == "heal":
                return text("{who} is healed by {n}", who=name(state, who), n=amount)
            return text("{who} gets token {side}", who=name(state, who), side=SIDE_NAMES[kind])
        case _:
            return text("{who} does without", who=_turn(state))


def _struck(state: State, uses: Uses) -> Text:
    if not uses:
        return text("{who} hits nothing", who=_turn(state))
    skills = state.card(state.turn).skills
    names = joined(Text(skills[skill].name) for skill, _ in uses)
    said = state.blow(uses)
    return text("{who}: {skills}: {damage} damage", who=_turn(state), skills=names, damage=said)


def _turn(state: State) -> Text:
    return name(state, state.turn)
