"""The rule list of .hack//ENEMY's sample game, in our words; every refusal cites one of these."""

from __future__ import annotations

from companion.games.api import Rule, house
from companion.words import template

_DECKS, _END, _SETUP = template("Card types"), template("How to win"), template("Set-up")
_TURN, _PLAY, _ATTACK = template("Turn"), template("Play Step"), template("Attack Step")
_OTHER = template("Other rules")

RULES = (
    Rule("R1", _DECKS, "Two play, each with a deck of 40 cards: deck A and deck B."),
    Rule("R2", _DECKS, "A card is a monster, a PC, an item or an action."),
    Rule("R3", _DECKS, "Six elements: wood, earth, fire, water, darkness, thunder; or none."),
    Rule("R4", _DECKS, "A PC has one of six classes."),
    Rule("R5", _END, "Seven victory points in the score pile win at once."),
    Rule("R6", _END, "Last card drawn: after that turn the most points win; a tie is a draw."),
    Rule("R7", _SETUP, "Shuffle; the opponent may cut.",
         left=template("hands do it, nothing to judge")),
    Rule("R8", _SETUP, "Both cut to a card; the higher destiny goes first, a tie cuts again."),
    Rule("R9", _SETUP, "Each draws four cards."),
    Rule("R10", _TURN, "A turn: draw, play, attack if a monster attacks. Turns alternate."),
    Rule("R11", _TURN, "Draw one card first."),
    Rule("R12", _TURN, "Reconcile: above five discard down, below five draw up."),
    Rule("R13", _TURN, "If a deck is empty, the discard pile is shuffled into a new one."),
    Rule("R14", _PLAY, "Play exactly one: PC, item, monster, hidden card; or discard the hand on "
         "the first turn."),
    Rule("R15", _PLAY, "A card's requirements must be met, spotting and bearer included."),
    Rule("R16", _PLAY, "At most three PCs, five hidden cards, one item of each subtype on a PC, "
         "one PC of a name."),
    Rule("R17", _PLAY, "At a limit, a fitting card is sacrificed to make room."),
    Rule("R18", _PLAY, "Both players may have the same PC."),
    Rule("R19", _PLAY, "A PC is played face up and healthy."),
    Rule("R20", _PLAY, "Replacing a PC: items move if the new one may bear them, else fall."),
    Rule("R21", _PLAY, "A wounded PC lies sideways with its cards."),
    Rule("R22", _PLAY, "Only a wounded PC can be healed."),
    Rule("R23", _PLAY, "A second wound destroys the PC and its items."),
    Rule("R24", _PLAY, "A wounded PC replaced by another copy is healthy."),
    Rule("R25", _PLAY, "Destroyed and sacrificed cards go to their owner's discard pile."),
    Rule("R26", _PLAY, "An item goes under a PC of yours: one weapon, one armor."),
    Rule("R27", _PLAY, "First an item's requirement, then its text."),
    Rule("R28", _PLAY, "Any card may be played face down; actions only so."),
    Rule("R29", _PLAY, "For a sixth hidden card one of the five is sacrificed."),
    Rule("R30", _PLAY, "An action flips when its text says, acts and is discarded."),
    Rule("R31", _PLAY, "A monster attacks; a storable one may go to the portal instead."),
    Rule("R32", _PLAY, "Stored monsters attack later, as a card's text allows."),
    Rule("R33", _PLAY, "No copy of a unique monster is played while one is in play, score piles "
         "and portals included."),
    Rule("R34", _ATTACK, "Monsters that join from the portal are named before the defence."),
    Rule("R35", _ATTACK, "The defender avoids all or fights all."),
    Rule("R36", _ATTACK, "Without a PC the defender must avoid."),
    Rule("R37", _ATTACK, "Avoided: rewards may be used, each monster with points scores, the "
         "others are discarded; the turn ends."),
    Rule("R38", _ATTACK, "Fought: the defender pairs monsters and PCs while both are left."),
    Rule("R39", _ATTACK, "One monster and one PC to a pair."),
    Rule("R40", _ATTACK, "Positions are free until they are declared."),
    Rule("R41", _ATTACK, "The attacker puts every monster left into an existing fight."),
    Rule("R42", _ATTACK, "The defender orders the fights; one is finished before the next."),
    Rule("R43", _ATTACK, "Actions are flipped, then both draw destiny: reveal, add, discard."),
    Rule("R44", _ATTACK, "An empty deck is shuffled anew for destiny, too."),
    Rule("R45", _ATTACK, "A higher PC wins: its monsters are destroyed."),
    Rule("R46", _ATTACK, "A tie or less: the PC loses and is wounded."),
    Rule("R47", _ATTACK, "Who loses by no more than the tolerance is not wounded."),
    Rule("R48", _ATTACK, "Tolerance counts the silver icons of the PC and its items."),
    Rule("R49", _ATTACK, "A wounded PC that loses is destroyed with its cards."),
    Rule("R50", _ATTACK, "Each winning monster may use its reward, in its owner's order."),
    Rule("R51", _ATTACK, "Then one winning monster with points scores; the others go."),
    Rule("R52", _ATTACK, "If none has a point, all are discarded."),
    Rule("R53", _ATTACK, "After the last fight the turn ends."),
    Rule("R54", _ATTACK, "A flipped action's strength lasts for that fight."),
    Rule("R55", _OTHER, "Spot what is seen in play: PCs, items, score piles, portals, both sides."),
    Rule("R56", _OTHER, "Hands, decks and discard piles cannot be spotted."),
    Rule("R57", _OTHER, "A hidden card is spotted only as a hidden card."),
    Rule("R58", _OTHER, "Small icons within a text cannot be spotted."),
    house("H1", "Cardboard: say the kind, then name the card, then play it."),
    house("H2", "When a printed card is first seen, its owner is asked for its numbers once; house "
          "numbers stand until then."),
    house("H3", "The defender flips first; after each flip the defender is asked again, until both "
          "are done."),
    house("H4", "What a text does is done at once, its owner choosing whom it meets; what is "
          "discarded, the discarder; a PC with a fight to come is not wounded by texts."),
    house("H5", "Discard piles lie open. Who has no card at all passes."),
    house("H6", "A destiny card is drawn, too: who draws the last card for destiny ends the game "
          "with that turn."),
    house("H7", "The attacker need not score: all winning monsters may be discarded."),
    house("H8", "A reward may wound the PC that has just lost: with two wounds it is destroyed."),
    house("H9", "Tolerance counts from 1: a tie wounds a PC that has none.", option="ties"),
    house("H10", "Seven points win in the middle of a turn, also in one that a used-up deck makes "
          "the last."),
)  # fmt: skip
