"""Kiri-ai for newcomers."""

from __future__ import annotations

from companion.games.kiriai.cards import FACES
from companion.games.kiriai.state import GoOn, Pick, Seal, State
from companion.games.lesson import Arranged, Lesson, Page, Tip, Word, span
from companion.views import Cards, Meter, Part, Piece, Track
from companion.words import Text, text


def _row(blue: int, red: int, *, high: tuple[bool, bool] = (True, True)) -> tuple[Part, ...]:
    pieces = (Piece("B", blue, "right", high[0]), Piece("R", red, "left", high[1]))
    return (Track(5, pieces),)


def _hand(label: Text, *faces: str) -> tuple[Part, ...]:
    return (Cards(label, tuple((FACES[face].name, FACES[face].detail) for face in faces)),)


def _first_card(state: State, seat: int) -> bool:
    return not state.fighters[seat].plan


def _hurt(state: State, seat: int) -> bool:
    return _first_card(state, seat) and any(one.wounds for one in state.fighters)


def _resting(state: State, seat: int) -> bool:
    return _first_card(state, seat) and bool(state.fighters[seat].aside)


LESSON = Lesson(
    pages=(
        Page(
            text("The goal"),
            (
                text("Two samurai stand on one row. Whoever wounds the other twice wins."),
                text("You both plan in secret and act at the same moment."),
            ),
            span("K-R", 1, 2, 6, 8, 31, 32, 33, 40),
            lambda: (*_row(1, 5), Meter(text("Wounds"), 0, 2)),
        ),
        Page(
            text("A round"),
            (
                text("Choose two different cards, in order, and seal them."),
                text("Both first cards are opened and done, then both second cards."),
                text("You may lay any card, even one that must fail."),
            ),
            span("K-R", 9, 11, 12, 13),
            lambda: _hand(text("Your plan"), "approach", "high"),
        ),
        Page(
            text("Moving"),
            (
                text("Movement comes before attacks. Approach 1, Charge 2, Retreat 1 back."),
                text("Nobody passes the other or leaves the row."),
                text("A card has two ends: you choose which one you play."),
            ),
            span("K-R", 3, 10, 14, (18, 20)),
            lambda: _row(2, 4),
        ),
        Page(
            text("Heaven and Earth"),
            (
                text("A sword is held high (Heaven) or low (Earth). You begin in Heaven."),
                text("Change Stance turns it. A strike in the wrong stance is only a feint."),
            ),
            span("K-R", 6, 18, 27),
            lambda: _row(2, 4, high=(True, False)),
        ),
        Page(
            text("Striking"),
            (
                text("High Strike: from Heaven, exactly 2 away. Low Strike: from Earth, 1 away."),
                text("Balanced Strike: both on one space, in either stance."),
                text("If both hit, the swords clash and nobody is hurt."),
            ),
            span("K-R", (21, 24), 28, 29),
            lambda: (*_row(2, 4), *_hand(text("It hits"), "high")),
        ),
        Page(
            text("Your special"),
            (
                text("Each has one secret special, to be played once: hit or miss, it is gone."),
                text("Counterattack turns a hit back on who struck it."),
            ),
            span("K-R", 4, 5, 25, 26, 30, 38),
            lambda: _hand(text("One of these"), "kesa", "zantetsu", "counter"),
        ),
        Page(
            text("What rests"),
            (
                text("Your second card is set aside, open, and rests for one round."),
                text("So everybody knows one card that you cannot play next: think of it."),
            ),
            span("K-R", (34, 37)),
            lambda: _hand(text("Set aside"), "high"),
        ),
        Page(
            text("What decides"),
            (
                text("Distance: at 2, Heaven is dangerous; at 1, Earth; on one space, Balanced."),
                text("Ask what the other fears, and be where that card does not reach."),
            ),
            span("K-R", 15, 16, 17),
            lambda: _row(3, 4, high=(False, True)),
        ),
    ),
    words=(
        Word(text("Heaven"), text("The sword is held high: High Strike, Kesa Strike.")),
        Word(text("Earth"), text("The sword is held low: Low Strike, Zan-Tetsu Strike.")),
        Word(text("Feint"), text("A strike in the wrong stance: allowed, never a hit.")),
        Word(text("Clash"), text("Both hit in the same action: nobody is wounded.")),
        Word(text("Set aside"), text("The second card of a round: it lies open and rests once.")),
        Word(text("Special"), text("Your one secret card. Played once, it is out of the duel.")),
        Word(text("Seal"), text("Your plan is fixed; the code proves later what it was.")),
    ),
    later=span("K-R", 7, 39),
    tips=(
        Tip(
            (Pick,),
            text("Two cards, in order. A strike needs its distance and stance: prepare it first."),
            span("K-R", 9, 13, 22, 27),
            lambda state, seat: state.round == 1 and _first_card(state, seat),
        ),
        Tip(
            (Pick,),
            text("Second card: strike from where the first one takes you. It rests next round."),
            span("K-R", 9, 13, 35),
            lambda state, seat: not _first_card(state, seat),
        ),
        Tip(
            (Seal,),
            text("Sealed, nobody can change a plan. When both have sealed, the cards open."),
            span("K-R", 9, 13),
        ),
        Tip(
            (GoOn,),
            text("Look where both stand and who is hurt, then the second cards are opened."),
            span("K-R", 13, 21),
        ),
        Tip(
            (Pick,),
            text("One more wound decides. Ask what the other can reach, and be elsewhere."),
            span("K-R", 9, 32, 33),
            _hurt,
        ),
        Tip(
            (Pick,),
            text("The card set aside cannot be laid now, yours nor theirs: use what you know."),
            span("K-R", 9, 11, 36),
            _resting,
        ),
    ),
    first=Arranged("kiriai 2", deals=1),
)
