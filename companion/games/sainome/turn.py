"""The start, whose move it is, what the table waits for, and the companion's own chance."""

from __future__ import annotations

from typing import Any

from companion.games import effects
from companion.games.api import DiceWanted, Pick, Waiting, require, shuffled
from companion.games.sainome import actions as do
from companion.games.sainome.cards import deck
from companion.games.sainome.damage import naming
from companion.games.sainome.state import (
    CHAINS,
    NOBODY,
    SEATS,
    SIZES,
    UNKNOWN,
    Options,
    Side,
    State,
)
from companion.games.sainome.strike import dice_of
from companion.games.sainome.verbs import VERBS
from companion.words import Seat, Text, text

MOMENT = 3
"""Seconds that an effect stands on the glass before play goes on by itself."""
ANSWER = 10
"""Seconds for an answer to a roll or to damage, whether or not the hand has one: silence is none,
and tells nothing. Another button than select, or the menu, stops the clock."""


def new(seats: int, options: Options) -> State:
    """Nobody has a character; all cards lie there, not yet shuffled."""
    require(seats == 2, "R1", "Two play, not {seats}", seats=seats)
    require(options.hp in SIZES, "R6", "HP can be 1 to 20, not {n}", n=options.hp)
    require(options.draft in ("yes", "no"), "R10", "Say yes or no to the draft")
    require(options.cards in ("companion", "table"), "R5", "Say whose cards are played")
    require(
        options.chain in CHAINS,
        "H4",
        "Choose how play goes on: by a press, after a moment, or at once",
    )
    every = deck(options.corrections).deck
    pile = (UNKNOWN,) * len(every) if options.cards == "table" else every
    return State(options, (Side(), Side()), options.corrections, discard=pile, throw="off")


def chance(state: State, pick: Pick) -> Any:
    """The companion's own chance: every shuffle, and what an effect meets at random."""
    if state.shuffling:
        return do.Shuffled(() if state.cardboard else shuffled(state.discard, pick))
    targets = random_targets(state)
    require(bool(targets), "R17", "Nothing is drawn at random now")
    return do.Fated(targets[pick(len(targets))])


def random_targets(state: State) -> tuple[str, ...]:
    """What chance has to decide, if it has."""
    busy = state.over or state.shown or state.throw or state.shuffling or state.hit is not None
    if busy or not state.due or state.due[0].seat != NOBODY:
        return ()
    return effects.open_targets(state, VERBS)


def deciders(state: State) -> tuple[int, ...]:
    """The seats that must act now; none if dice or chance must, or the game is over."""
    if state.over or state.throw or state.shuffling:
        return ()
    if state.shown and state.shown in state.cards.characters:
        return (state.chooser,)
    if state.hit is not None:
        return (state.hit.victim,)
    if state.due:
        return () if state.due[0].seat == NOBODY else (state.due[0].seat,)
    match state.phase:
        case "right":
            return (0 if state.off[0] > state.off[1] else 1,)
        case "choose":
            return (state.chooser,)
        case "draft":
            most = max(len(side.pack) for side in state.sides)
            return tuple(seat for seat in SEATS if len(state.sides[seat].pack) == most)
        case "equip":
            return (state.fitting,)
        case "dodge" | "weigh":
            return (state.other,)
    return (state.mover,)


def thrown(state: State) -> tuple[int, int]:
    """Who throws how many dice."""
    match state.throw:
        case "off":
            return (1 if state.off[0] else 0), 1
        case "attack":
            return state.mover, dice_of(state)
        case "weigh":
            return state.other, 2
        case "guts":
            return (state.hit.victim if state.hit else state.mover), 2
        case "reckless":
            return state.mover, min(2, state.reckless[0])
    return state.mover, 1


def waiting(state: State) -> Waiting:
    """Who must act, in words that everybody may read."""
    if state.over:
        return Waiting(text("The game is over"))
    if state.throw:
        seat, count = thrown(state)
        wanted = DiceWanted(("black",) * count, by=(seat,))
        return Waiting(Text(_THROWS[state.throw].template, (("who", Seat(seat)),)), dice=wanted)
    if state.shuffling:
        return Waiting(text("The cards are shuffled"), chance=True)
    seats = deciders(state)
    if not seats:
        return Waiting(text("A random card is discarded"), chance=True)
    shown = state.phase == "pause" and state.hit is None and not state.due
    moment = MOMENT if shown and state.options.chain == "moment" else 0
    if answering(state):
        moment = ANSWER
    return Waiting(_why(state, seats), seats, forced=shown, moment=moment)


def answering(state: State) -> bool:
    """May a hand that only its owner knows answer a roll or damage?

    Real cards are not hurried: their owner has to find the one that he means.
    """
    asked = state.phase == "dodge" if state.hit is None else not naming(state)
    return asked and not (state.cardboard or state.due or state.throw or state.shuffling)


def _why(state: State, seats: tuple[int, ...]) -> Text:
    who = Seat(seats[0])
    if state.learning:
        return text("{who}: what is printed?", who=who)
    if naming(state):
        return text("{who} names a number", who=who)
    if state.hit is not None:
        return text("{who}: {n} damage!", who=who, n=state.hit.amount)
    if state.due:
        return text("{who} chooses for {card}", who=who, card=state.cards[state.due[0].card].name)
    if len(seats) == 2:
        return text("Both pick a card")
    if state.phase == "act":
        return text("{who} acts, {n} left", who=who, n=state.allowed())
    if state.phase in ("dodge", "again"):
        return text("{who}: the roll is {n}", who=who, n=state.strike.number)
    return Text(_ASKS[state.phase].template, (("who", who),))


_THROWS = {
    "off": text("{who} rolls for the choice", who=Seat(0)),
    "attack": text("{who} rolls to attack", who=Seat(0)),
    "luck": text("{who} rolls: even or odd", who=Seat(0)),
    "weigh": text("{who} rolls two weighted dice", who=Seat(0)),
    "guts": text("{who} rolls for Guts", who=Seat(0)),
    "reckless": text("{who} rolls: 4 or more hits", who=Seat(0)),
}
_ASKS = {
    "right": text("{who}: begin or choose?", who=Seat(0)),
    "choose": text("{who} chooses a character", who=Seat(0)),
    "draft": text("{who} picks a card", who=Seat(0)),
    "equip": text("{who} attaches cards", who=Seat(0)),
    "declare": text("{who} names the star slot", who=Seat(0)),
    "pick": text("{who}: which die counts?", who=Seat(0)),
    "weigh": text("{who}: which die counts?", who=Seat(0)),
    "six": text("{who} rolled a 6", who=Seat(0)),
    "order": text("{who}: which card first?", who=Seat(0)),
    "charge": text("{who}: Charge with which card?", who=Seat(0)),
    "pay": text("{who} discards catalysts", who=Seat(0)),
    "burn": text("{who}: how much to burn?", who=Seat(0)),
    "pause": text("{who} presses Go on", who=Seat(0)),
    "trash": text("{who}: trash phase", who=Seat(0)),
}
NOT_NOW: dict[str, tuple[str, Text]] = {
    "off": ("R3", text("First roll for the choice")),
    "right": ("R3", text("First take the choice or the first turn")),
    "choose": ("R4", text("First choose your character")),
    "deal": ("R5", text("The cards are shuffled first")),
    "draft": ("R10", text("First pick a card of your pack")),
    "equip": ("R8", text("First attach cards, or press Done")),
    "act": ("R12", text("First act, or end your actions")),
    "declare": ("R34", text("First name a number, 2 to 5")),
    "attack": ("R22", text("First roll the dice")),
    "pick": ("R22", text("First choose a die")),
    "weigh": ("R22", text("First choose a die")),
    "again": ("R22", text("First keep the roll or roll again")),
    "dodge": ("R22", text("First answer the roll, or let it be")),
    "resolve": ("R22", text("First answer the roll, or let it be")),
    "six": ("R25", text("First use a card with the 6, or pass")),
    "order": ("R27", text("First choose which card acts")),
    "strike": ("R22", text("The attack is carried out first")),
    "charge": ("R41", text("First choose a card for Charge")),
    "pay": ("H3", text("First discard the catalysts")),
    "burn": ("H3", text("First burn cards or go on")),
    "aim": ("R22", text("The attack is carried out first")),
    "land": ("R22", text("The attack is carried out first")),
    "pause": ("H4", text("First press Go on")),
    "bomb": ("R43", text("The Time Bomb goes off first")),
    "trash": ("R28", text("Your actions are over: discard, or end the turn")),
}
