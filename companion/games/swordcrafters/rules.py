"""The rule list of Swordcrafters, in our words; every refusal cites one of these."""

from __future__ import annotations

from companion.games.api import Rule, house
from companion.words import template

_SETUP, _FLOW, _SLICE = template("Set-up"), template("Game flow"), template("Slice")
_SELECT, _CRAFT, _SCORE = template("Select"), template("Craft"), template("Scoring")
_TWO, _VARIANT, _SOLO = template("Two players"), template("Variants"), template("Solo")
_HANDS = template("The parts are in the players' hands, where no camera looks.")

RULES = (
    Rule("S-R1", _SETUP, "One to five play."),
    Rule("S-R2", _SETUP, "Sword tiles are shuffled: nobody knows which come next."),
    Rule("S-R3", _SETUP, "Two or three players take out three tiles of each colour first."),
    Rule("S-R4", _SETUP, "Three magic cards lie open, each on its beginner or intermediate side."),
    Rule(
        "S-R5", _SETUP, "Each player has a pommel and two hilts.", template("They change nothing.")
    ),
    Rule("S-R6", _SETUP, "Of 12 guards, two of each gem, every sword gets two by chance."),
    Rule("S-R7", _SETUP, "The spun token names the first player of round 1."),
    Rule("S-R8", _SETUP, "One, four or five players: 4 by 4, 15 tiles; forge in row 2, column 3."),
    Rule("S-R9", _SETUP, "Two or three players: 3 by 4, 11 tiles; forge in row 2, column 3."),
    Rule("S-R10", _SETUP, "Tiles are laid left to right, top to bottom, as they come."),
    Rule("S-R11", _FLOW, "Six rounds of slice, select and craft, then scoring."),
    Rule("S-R12", _SLICE, "From the first player clockwise, each makes exactly one slice."),
    Rule("S-R13", _SLICE, "A slice parts one group along one straight line, across or down."),
    Rule("S-R14", _SLICE, "It makes exactly two groups of one: no turn, no stop, not two groups."),
    Rule("S-R15", _SLICE, "At the start of a round the grid, with the forge, is one group."),
    Rule("S-R16", _SELECT, "From the first player clockwise, each takes one whole group."),
    Rule("S-R17", _SELECT, "One group is left over; its tiles go to the box."),
    Rule("S-R18", _SELECT, "The forge never goes to the box."),
    Rule("S-R19", _SELECT, "Who took the forge's group begins the next round."),
    Rule("S-R20", _SELECT, "If nobody took it, the token goes one player on, clockwise."),
    Rule("S-R21", _CRAFT, "All tiles taken this round are forged this round."),
    Rule("S-R22", _CRAFT, "Their order is the owner's choice."),
    Rule("S-R23", _CRAFT, "A sword has four sides and no open space: the lowest side grows."),
    Rule("S-R24", _CRAFT, "A forged tile stays where it is."),
    Rule("S-R25", _CRAFT, "Swords stay above the table; nobody must turn one round.", _HANDS),
    Rule("S-R26", _CRAFT, "Then a new grid is laid; after round 6 swords are scored."),
    Rule("S-R27", _SCORE, "Most tiles: 6 points, for each who ties as well."),
    Rule("S-R28", _SCORE, "Each side's longest run of one gem, two at least: 2 points a gem."),
    Rule("S-R29", _SCORE, "One run a side, on all four sides."),
    Rule("S-R30", _SCORE, "Each card compares gems of all sides and pays its places."),
    Rule("S-R31", _SCORE, "Everybody can score on every card; several can on one."),
    Rule("S-R32", _SCORE, "Who tie share the points of the places they fill, rounded down."),
    Rule("S-R33", _SCORE, "Most points win."),
    Rule("S-R34", _TWO, "Two players slice twice and take twice a round, in turns."),
    Rule("S-R35", _TWO, "They play on the grid of two to three, with its tiles."),
    Rule("S-R36", _VARIANT, "Dual Wielding: two swords each, one group a round for each of them."),
    Rule("S-R37", _VARIANT, "Lightweight: beginner cards; the best side alone, 5 points a gem."),
    Rule("S-R38", _SOLO, "Solo is set up as for four; one to four solo cards are opponents."),
    Rule("S-R39", _SOLO, "A solo card a round gives four slices, in order and direction."),
    Rule("S-R40", _SOLO, "After each slice one of the two groups goes to the box."),
    Rule("S-R41", _SOLO, "What is left is forged; after six rounds score against the cards."),
    house(
        "S-H1",
        "A slice may leave a group of one cell; with the option it leaves two at least, where any "
        "slice can.",
        option="least",
    ),
    house(
        "S-H2",
        "Real tiles and cards are told or read; a tile that nobody told is named when it is "
        "forged. In a game that is only scored each sword is entered side by side at the end.",
    ),
    house(
        "S-H3",
        "The printed magic and solo cards are not known to us: house cards stand in, marked so, "
        "until their owner enters his own.",
    ),
    house(
        "S-H4",
        "A guard's gem is the first gem of its side and counts for runs and magic.",
        option="guards",
    ),
    house("S-H5", "The two guards of a sword sit on opposite sides, the first and the third."),
    house("S-H6", "A blank breaks a run.", option="breaks"),
    house(
        "S-H7",
        "A pair is one of each of the two gems on the card, or two of its only one; a triad is "
        "three so; a difference counts whichever gem is ahead.",
    ),
    house(
        "S-H8",
        "In solo no slice and no discard may make a later slice of the card impossible; one that "
        "is impossible anyway is skipped.",
    ),
    house("S-H9", "In solo, as many points as the best opponent win."),
    house("S-H10", "Who tie for most points share the victory."),
    house(
        "S-H11", "Who has 0 of what a magic card counts can still place on it.", option="positive"
    ),
    house(
        "S-H12",
        "Blanks are no colour: two or three players take out three of each gem and no blanks.",
        option="blanks",
    ),
    house(
        "S-H13",
        "Two swords of one player have two guards each, get their groups in either order and "
        "score one by one.",
        option="dual",
    ),
)
