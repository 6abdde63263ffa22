"""The course of the game: who is asked, what may be done, which file carries it out."""

from __future__ import annotations

from typing import Any

from companion.errors import BadState
from companion.games.api import Pick, Rolled, Waiting, require
from companion.games.sao import dicework, party, powers
from companion.games.sao.actions import (
    Ability,
    Again,
    Agreed,
    Chain,
    Consume,
    Control,
    Correct,
    Corrected,
    Drawn,
    Exchange,
    Finish,
    Forgo,
    Give,
    Lay,
    Mark,
    Onward,
    Play,
    Stand,
    Strike,
    Target,
    Told,
    Trigger,
    Yui,
)
from companion.games.sao.cards import deck
from companion.games.sao.dicework import Should
from companion.games.sao.legal import legal
from companion.games.sao.state import Options, State, name
from companion.games.sao.view import waits_for
from companion.words import Value


def new(seats: int, options: Options) -> State:
    """The start: nobody has a character; alone, one person has Kirito already."""
    if seats not in range(1, 5):
        raise BadState(f"Sword of Fellows is for 1 to 4 players, not {seats}")
    deck(options.corrections)  # raises BadState itself on a correction that cannot be
    picks = ("kirito", "") if seats == 1 else ("",) * seats
    return State(seats, options, options.corrections, picks=picks)


def waiting(state: State) -> Waiting:
    """Who must act: a seat, the dice, or the deck."""
    why = waits_for(state)
    if state.outcome:
        return Waiting(why)
    everyone = tuple(range(state.seats))
    match state.phase:
        case "choose":
            solo = state.seats == 1
            return Waiting(why, seats=everyone if solo else
                           tuple(s for s in everyone if not state.picks[s]))  # fmt: skip
        case "reveal" | "loot" if state.options.cards == "companion":
            return Waiting(why, chance=True)
        case "check" | "correct":
            return Waiting(why, seats=everyone)
        case "roll":
            return Waiting(why, dice=dicework.wanted(state))
        case "dice":
            seats = [state.seat(state.turn)]
            if state.partner >= 0:
                partner = state.seat(state.partner)
                if partner not in seats and next(legal(state, partner), None) is not None:
                    seats.append(partner)
            return Waiting(why, seats=tuple(seats))
    return Waiting(why, seats=(state.seat(state.turn),))


def apply(state: State, action: Any) -> State:
    """The only judge."""
    return _applied(state, action, require)


def force(state: State, action: Any) -> State:
    """Soft mode: what only a rule forbids is done; what makes no sense is still refused."""
    return _applied(state, action, _let_pass)


def _let_pass(_met: bool, _rule: str, _template: str, /, **_values: Value) -> None:
    """A rule that soft mode warns of."""


def _applied(state: State, action: Any, should: Should) -> State:
    ended = "R51" if state.outcome == "won" else "R50"
    require(not state.outcome, ended, "The game is over.")
    seat = getattr(action, "seat", 0)
    require(0 <= seat < state.seats, "R1", "There is no such seat.")
    match action:
        case Rolled():
            return dicework.rolled(state, action)
        case Drawn(card) | Told(_, card):
            dealt = isinstance(action, Drawn) == (state.options.cards == "companion")
            require(dealt, "R12", "The cards are dealt otherwise.")
            if isinstance(action, Told) and state.heroes:
                first = action.seat == state.seat(state.turn)
                rule = "R39" if state.phase == "loot" else "R12"
                require(first, rule, "{who} turns it up.", who=name(state, state.turn))
            return party.turned_up(state, card)
        case Strike():
            return dicework.strike(state, action, should)
        case Again():
            return dicework.again(state, action, should)
        case Ability():
            return powers.ability(state, action, should)
        case Mark():
            return dicework.mark(state, action)
        case Exchange():
            return dicework.exchange(state, action, should)
        case Control():
            return powers.control(state, action, should)
        case Lay():
            require(seat == state.seat(state.turn), "R62", "That is for Kirito.")
            return dicework.lay(state, action)
        case Stand():
            return dicework.stand(state, action)
        case Trigger():
            return dicework.trigger(state, action, should)
        case _:
            return _decided(state, action, should)


def _decided(state: State, action: Any, should: Should) -> State:
    """The decisions beside the dice."""
    match action:
        case Chain():
            return party.chain(state, action, should)
        case Consume():
            return party.consume(state, action, should)
        case Finish():
            return party.finish(state, action)
        case Target():
            return party.target(state, action)
        case Forgo():
            return party.forgo(state, action)
        case Yui():
            return party.yui(state, action)
        case Give():
            return party.give(state, action)
        case Onward():
            return party.go_on(state, action)
        case Play():
            return party.play(state, action)
        case Correct():
            return party.correct(state, action)
        case Corrected():
            return party.corrected(state, action)
        case Agreed():
            return party.agreed(state, action)
        case _:
            raise BadState(f"Sword of Fellows does not know {action!r}")


def chance(state: State, pick: Pick) -> Drawn:
    """The companion turns up one of the cards that can come, each alike."""
    if state.phase == "reveal":
        cards = state.cards.section(state.section)
    elif state.phase == "loot":
        cards = state.deck
    else:
        raise BadState("no card is turned up now")
    return Drawn(cards[pick(len(cards))])
