"""The rule list of Kiri-ai: The Duel, in our words; every refusal cites one of these."""

from __future__ import annotations

from companion.games.api import Rule, house
from companion.words import template

_SETUP, _ROUND, _ACTION = template("Set-up"), template("Rounds"), template("Actions")
_END = template("End of round")

RULES = (
    Rule("K-R1", _SETUP, "Exactly two play: one is Blue, one is Red."),
    Rule("K-R2", _SETUP, "Play the standard battlefield (5 spaces) or the advanced one (7)."),
    Rule("K-R3", _SETUP, "Each player has the five basic cards of the own colour."),
    Rule("K-R4", _SETUP, "Of three specials, one of each, each player gets one by chance, hidden."),
    Rule("K-R5", _SETUP, "The third special is put away face down: never seen, never used."),
    Rule("K-R6", _SETUP, "Standard: each starts on the own end space, unhurt, in Heaven."),
    Rule(
        "K-R7",
        _SETUP,
        "Advanced: with the special in hand each secretly picks a stance and the own space 2, 3 "
        "or 4, counted from the own end; both are shown together.",
    ),
    Rule("K-R8", _SETUP, "A samurai stands on exactly one space; both may share one."),
    Rule("K-R9", _ROUND, "Each round both lay two cards face down at the same time, in order."),
    Rule("K-R10", _ROUND, "The end that points at the opponent says what a movement card does."),
    Rule(
        "K-R11",
        _ROUND,
        "The two are different cards of the hand: not the one set aside, not a spent special.",
    ),
    Rule("K-R12", _ROUND, "Any card may be laid in any stance and place, even if it must fail."),
    Rule("K-R13", _ROUND, "Both first cards are opened and done, then both second cards."),
    Rule("K-R14", _ACTION, "All movement comes before all attacks."),
    Rule(
        "K-R15",
        _ACTION,
        "Who is in Heaven moves first; within a stance Charge, then Approach and Retreat, then "
        "Change Stance. The stance at the start of the action counts.",
    ),
    Rule("K-R16", _ACTION, "Movements of the same rank happen at the same time."),
    Rule("K-R17", _ACTION, "If both cannot go all the way, both go equally far, as far as fits."),
    Rule(
        "K-R18", _ACTION, "Approach 1 ahead, Charge 2 ahead, Retreat 1 back, Change Stance turns."
    ),
    Rule("K-R19", _ACTION, "No samurai passes the other: it stops on the other's space."),
    Rule("K-R20", _ACTION, "No samurai leaves the row: Retreat at the end stays put."),
    Rule("K-R21", _ACTION, "Attacks happen together, by places and stances after movement."),
    Rule("K-R22", _ACTION, "High Strike: in Heaven, hits 2 away."),
    Rule("K-R23", _ACTION, "Low Strike: in Earth, hits 1 away."),
    Rule("K-R24", _ACTION, "Balanced Strike: in either stance, hits the same space."),
    Rule("K-R25", _ACTION, "Kesa Strike: in Heaven, hits 0 or 1 away; then always Earth."),
    Rule("K-R26", _ACTION, "Zan-Tetsu Strike: in Earth, hits 2 or 3 away; then always Heaven."),
    Rule("K-R27", _ACTION, "An attack in the wrong stance is a feint: allowed, never a hit."),
    Rule("K-R28", _ACTION, "One hit that nothing stops wounds the opponent once."),
    Rule("K-R29", _ACTION, "If both hit, the swords clash and nobody is wounded."),
    Rule(
        "K-R30",
        _ACTION,
        "Counterattack: if the opponent hits in the same action, that hit is void and wounds the "
        "opponent instead, at any distance, in any stance; otherwise nothing.",
    ),
    Rule("K-R31", _ACTION, "The wounded turns to the dark side; space and stance stay."),
    Rule("K-R32", _ACTION, "The second wound ends the duel at once; cards not yet done are void."),
    Rule("K-R33", _ACTION, "Whoever deals two wounds first wins."),
    Rule("K-R34", _END, "The first card goes back to the hand."),
    Rule("K-R35", _END, "The second card is set aside, open, and rests for the next round."),
    Rule("K-R36", _END, "The card that was set aside before comes back at the same time."),
    Rule("K-R37", _END, "Nothing is set aside before round 1, one card each after it."),
    Rule("K-R38", _END, "A special that was played is out of the game, whether it hit or not."),
    Rule("K-R39", _END, "Special played second: nothing is set aside for one round."),
    Rule("K-R40", _END, "Rounds go on until a samurai is defeated."),
    house(
        "K-H1",
        "A duel that nobody has won after the last round agreed on is drawn.",
        option="round_cap",
    ),
    house(
        "K-H2",
        "A special of cardboard is planned as 'special' and named by its player when it is opened; "
        "the cardboard is the truth, what was told before is not.",
    ),
)
