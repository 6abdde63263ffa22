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
from companion.games.sao.cards import deck, owners
from companion.games.sao.dicework import Should
from companion.games.sao.legal import exchangeable, legal
from companion.games.sao.state import Options, State, name
from companion.games.sao.view import waits_for
from companion.words import Value


def new(seats: int, options: Options) -> State:
    """The start: nobody has a character; alone, one person has Kirito already."""
    if seats not in range(1, 5):
        raise BadState(f"Sword of Fellows is for 1 to 4 players, not {seats}")
    deck(options.corrections)  # raises BadState itself on a correction that cannot be
    owners(options.corrections)
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
            return Waiting(why, seats=everyone, either=True)
        case "roll":
            return Waiting(why, _brings(state), dicework.wanted(state), either=True)
        case "dice":
            seats = [state.seat(state.turn)]
            if state.partner >= 0:
                partner = state.seat(state.partner)
                if partner not in seats and next(legal(state, partner), None) is not None:
                    seats.append(partner)
            return Waiting(why, seats=tuple(seats), either=True)
    return Waiting(why, seats=(state.seat(state.turn),))


def _brings(state: State) -> tuple[int, ...]:
    """Who may still bring a blue die into the throw, the turn player first."""
    heroes, lead = range(len(state.heroes)), state.seat(state.turn)
    seats = sorted(range(state.seats), key=lambda seat: seat != lead)
    return tuple(s for s in seats if any(exchangeable(state, s, who) for who in heroes))


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
    rule, phases = _WHEN.get(type(action), ("", (state.phase,)))
    rule = "R17" if isinstance(action, Chain) and len(state.picks) == 2 else rule
    require(state.phase in phases, rule, "Not now. {now}", now=waits_for(state))
    match action:
        case Rolled():
            return dicework.rolled(state, action)
        case Drawn(card) | Told(_, card):
            dealt = isinstance(action, Drawn) == (state.options.cards == "companion")
            require(dealt, "R12", "Who turns up the cards was chosen in the lobby.")
            if isinstance(action, Told):
                first = action.seat == state.seat(state.turn)
                rule = "R39" if state.phase == "loot" else "R12"
                require(first, rule, "Only {who} turns up the card.", who=name(state, state.turn))
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
            require(seat == state.seat(state.turn), "R62", "Only Kirito does that now.")
            return dicework.lay(state, action)
        case Stand():
            return dicework.stand(state, action)
        case Trigger():
            return dicework.trigger(state, action, should)
        case _:
            return _decided(state, action, should)


_WHEN: dict[type, tuple[str, tuple[str, ...]]] = {  # the rule that says when
    Rolled: ("R21", ("roll",)),
    Drawn: ("R12", ("reveal", "loot")),
    Told: ("R12", ("reveal", "loot")),
    Strike: ("R25", ("dice", "skills")),
    Again: ("R20", ("dice",)),
    Ability: ("R23", ("dice",)),
    Mark: ("R21", ("dice", "skills")),
    Exchange: ("R47", ("roll",)),
    Control: ("R67", ("dice",)),
    Lay: ("R62", ("lay",)),
    Stand: ("R25", ("dice",)),
    Trigger: ("R25", ("skills",)),
    Chain: ("R15", ("chain",)),
    Finish: ("R25", ("skills",)),
    Target: ("R70", ("effect",)),
    Forgo: ("R41", ("effect", "counter", "fallen")),
    Yui: ("H2", ("counter",)),
    Give: ("R40", ("give", "pack")),
    Onward: ("R46", ("pack",)),
    Play: ("R4", ("choose",)),
    Corrected: ("H1", ("correct",)),
    Agreed: ("H1", ("check",)),
}


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
