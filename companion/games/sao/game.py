"""Sword Art Online: Sword of Fellows, from the choice of characters to the final battle."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.errors import BadState
from companion.games.api import CardSet, Counter, Game, Pick, Result, Rolled, Waiting, refuse
from companion.games.sao import dicework, party
from companion.games.sao.actions import (
    ACTIONS,
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
from companion.games.sao.cards import deck, describe, merge, own, shipped, to_toml
from companion.games.sao.coach import advice
from companion.games.sao.course import after_hits, next_ask, over, refreshed
from companion.games.sao.dicework import Bar
from companion.games.sao.legal import legal, partners
from companion.games.sao.rules import RULES
from companion.games.sao.sound import sound
from companion.games.sao.state import SIDES, Options, State, Token, hero, name
from companion.games.sao.tell import tell
from companion.games.sao.view import view, waits_for
from companion.words import text


def new(seats: int, options: Options) -> State:
    """The start: nobody has a character; alone, one person has Kirito already."""
    if seats not in range(1, 5):
        raise BadState(f"Sword of Fellows is for 1 to 4 players, not {seats}")
    merge(shipped(), options.corrections)
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
    return _applied(state, action, refuse)


def force(state: State, action: Any) -> State:
    """Soft mode: what only a rule forbids is done; what makes no sense is still refused."""
    return _applied(state, action, lambda _unless, _rule, _why: None)


def _applied(state: State, action: Any, bar: Bar) -> State:
    refuse(not state.outcome, "R50", text("The game is over."))
    seat = getattr(action, "seat", 0)
    refuse(0 <= seat < state.seats, "R1", text("There is no such seat."))
    match action:
        case Rolled():
            return dicework.rolled(state, action)
        case Drawn(card) | Told(_, card):
            dealt = isinstance(action, Drawn) == (state.options.cards == "companion")
            refuse(dealt, "R12", text("The cards are dealt otherwise."))
            if isinstance(action, Told) and state.heroes:
                first = action.seat == state.seat(state.turn)
                refuse(first, "R39", text("{who} turns it up.", who=name(state, state.turn)))
            return party.turned_up(state, card)
        case Strike():
            return dicework.strike(state, action, bar)
        case Again():
            return dicework.again(state, action, bar)
        case Ability():
            return dicework.ability(state, action, bar)
        case Mark():
            return dicework.mark(state, action)
        case Exchange():
            return dicework.exchange(state, action, bar)
        case Control():
            return dicework.control(state, action, bar)
        case Lay():
            refuse(seat == state.seat(state.turn), "R62", text("That is for Kirito."))
            return dicework.lay(state, action)
        case Stand():
            return dicework.stand(state, action)
        case Trigger():
            return dicework.trigger(state, action, bar)
        case _:
            return _decided(state, action, bar)


def _decided(state: State, action: Any, bar: Bar) -> State:
    """The decisions beside the dice."""
    match action:
        case Chain():
            return party.chain(state, action, bar)
        case Consume():
            return party.consume(state, action, bar)
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


def result(state: State) -> Result | None:
    """All win or all lose."""
    if state.outcome == "won":
        return Result(tuple(range(state.seats)), text("The final battle is won!"))
    if state.outcome == "lost":
        return Result((), text("{who} fell. The game is lost.", who=name(state, state.fallen()[0])))
    return None


def counters(state: State) -> tuple[Counter, ...]:
    """HP, uses, the enemy, throws, tokens: whatever lies on the table as a number."""
    if not state.scenario or state.outcome:
        return ()
    now, heroes = state.now, range(len(state.heroes))
    left = max(0, now.hp - state.damage)
    found = [Counter("enemy", text("Enemy HP"), left, 0, now.hp)]
    for who in heroes:
        one, called = state.heroes[who], name(state, who)
        if not one.dead:
            found.append(Counter(f"hp{who}", text("{who} HP", who=called), one.hp, 1,
                                 state.top(who)))  # fmt: skip
        found.append(Counter(f"uses{who}", text("{who} uses", who=called), one.uses, 0,
                             state.most()))  # fmt: skip
        if len(state.heroes) > 2 and not one.dead:
            found.append(Counter(f"tired{who}", text("{who} exhausted", who=called),
                                 int(one.exhausted), 0, 1))  # fmt: skip
    found.append(Counter("rerolls", text("Throws used"), state.rerolls, 0, 9))
    if state.level == 2:
        found.append(Counter("yui", text("Yui's help"), state.yui, 0, state.cards.yui))
    for n, token in enumerate(state.tokens):
        sides = ("", *SIDES[state.picks[token.owner]])
        for who in heroes:
            if who != token.owner:  # 0: not here, 1 and 2: here, with this side up
                label = text("{owner}'s token: {who}", owner=name(state, token.owner),
                             who=name(state, who))  # fmt: skip
                up = sides.index(token.side) if token.holder == who else 0
                found.append(Counter(f"token{n}{who}", label, up, 0, 2))
    return tuple(found)


def overrule(state: State, key: str, value: int) -> State:
    """The table's word on a number; what follows from it follows."""
    counter = next((c for c in counters(state) if c.key == key), None)
    if counter is None:
        raise BadState(f"there is no counter {key} now")
    why = text("{what}: {low} to {high}, not {value}.", what=counter.label, low=counter.low,
               high=counter.high, value=value)  # fmt: skip
    refuse(counter.low <= value <= counter.high, "H1", why)
    ruled = _ruled(state, key, value)
    if ruled.phase == "effect":
        return next_ask(ruled)  # who was to be healed may be well now
    if ruled.phase == "fallen":
        return after_hits(ruled, ruled.then)
    if ruled.phase == "chain" and not partners(ruled):
        return refreshed(ruled)
    return over(ruled, "won") if ruled.last and ruled.damage >= ruled.now.hp else ruled


def _ruled(state: State, key: str, value: int) -> State:
    kind = key.rstrip("0123456789")
    who = int(key[-1]) if key != kind else 0
    match kind:
        case "enemy":
            return replace(state, damage=state.now.hp - value)
        case "hp":
            return hero(state, who, hp=value)
        case "uses":
            return hero(state, who, uses=value)
        case "tired":
            return hero(state, who, exhausted=bool(value))
        case "rerolls":
            return replace(state, rerolls=value)
        case "yui":
            return replace(state, yui=value)
    place = int(key[-2])
    token = state.tokens[place]
    up = Token(token.owner)
    if value:
        up = Token(token.owner, SIDES[state.picks[token.owner]][value - 1], who)
    elif token.holder != who:
        up = token
    return replace(state, tokens=(*state.tokens[:place], up, *state.tokens[place + 1 :]))


SAO: Game[State] = Game(
    key="sao",
    name=text("Sword of Fellows"),
    version=1,
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
    sound=sound,
    cap=20_000,
    chance=chance,
    counters=counters,
    overrule=overrule,
    force=force,
    cards=CardSet(
        describe=lambda corrections: describe(deck(corrections)),
        own=lambda text, name: own(text, name, shipped()),
        to_toml=to_toml,
        learnt=lambda state: state.corrections,
    ),
    advice=advice,
)
