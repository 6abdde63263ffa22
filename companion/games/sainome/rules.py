"""The rule list of Sainome Colosseum, in our words; every refusal cites one of these."""

from __future__ import annotations

from companion.games.api import Rule, house
from companion.words import template

_SETUP, _ACTION, _TRASH = template("Set-up"), template("Action phase"), template("Trash phase")
_DAMAGE, _AWAKE, _ICONS = template("Damage"), template("Awakening"), template("Icons")
_TURN, _NOTES = template("Turn"), template("Notes")

RULES = (
    Rule("R1", _SETUP, "Two play."),
    Rule("R2", _SETUP, "Four characters with two sides each; 50 cards: 10 weapons, 10 magic, 13 "
         "items, 17 skills; two dice."),
    Rule("R3", _SETUP, "The higher roll takes one right, the choice of a character or the first "
         "turn; a tie rolls again."),
    Rule("R4", _SETUP, "Each sets a character, normal side up."),
    Rule("R5", _SETUP, "All cards are shuffled, ten each are the HP stack."),
    Rule("R6", _SETUP, "The HP may be any other number: 5, 7 …"),
    Rule("R7", _SETUP, "Five cards each are the hand."),
    Rule("R8", _SETUP, "Each may attach cards of the first hand; nothing refills it."),
    Rule("R9", _SETUP, "The rest is the common deck, face down."),
    Rule("R10", _SETUP, "Draft: take one of the pack, put it under the HP stack, pass the pack."),
    Rule("R11", _TURN, "A turn: action phase, then trash phase; the players alternate."),
    Rule("R12", _ACTION, "None, one or two of: draw, re-equip, instant, attack."),
    Rule("R13", _ACTION, "In any order."),
    Rule("R14", _ACTION, "No action twice in a phase."),
    Rule("R15", _ACTION, "Instants that contain an attack are not the attack action."),
    Rule("R16", _ACTION, "Draw: up to the hand limit of five."),
    Rule("R17", _ACTION, "If the deck is short, the discards are shuffled into a new one."),
    Rule("R18", _ACTION, "Re-equip: everything attached back to the hand, then attach anew."),
    Rule("R19", _ACTION, "Only cards with link symbols are attached."),
    Rule("R20", _ACTION, "At most one card to each side."),
    Rule("R21", _ACTION, "An instant is played out of the hand and does what its text says."),
    Rule("R22", _ACTION, "Attack: roll; the card of that number acts."),
    Rule("R23", _ACTION, "A card that has acted is discarded unless it says otherwise."),
    Rule("R24", _ACTION, "No card at that number: a miss."),
    Rule("R25", _ACTION, "A 6: one card with the 6, attached or out of the hand, if you like."),
    Rule("R26", _ACTION, "Who passes on a 6 discards nothing."),
    Rule("R27", _ACTION, "A number on several sides: each card by itself, all of them, never "
         "added up; the attacker says in which order."),
    Rule("R28", _TRASH, "More than five in the hand: discard down to five."),
    Rule("R29", _TRASH, "Otherwise any number may be discarded, all of them too."),
    Rule("R30", _DAMAGE, "Damage is what is left after skills and counter cards."),
    Rule("R31", _DAMAGE, "So many cards come from the HP stack into the hand."),
    Rule("R32", _DAMAGE, "Whose HP stack is used up has lost."),
    Rule("R33", _AWAKE, "Characters begin normal and turn over when their condition holds."),
    Rule("R34", _AWAKE, "The awakened side has slots and skills of its own."),
    Rule("R35", _AWAKE, "Some turn back."),
    Rule("R36", _ICONS, "A card fits where its link symbol touches the character."),
    Rule("R37", _ICONS, "A card with the 6 works out of the hand when a 6 is rolled."),
    Rule("R38", _ICONS, "One card with the 6 at a time."),
    Rule("R39", _ICONS, "A counter card is played before the damage is taken."),
    Rule("R40", _ICONS, "An instant is played as the instant action only."),
    Rule("R41", _NOTES, "Charge without another card: only the Charge is discarded."),
    Rule("R42", _NOTES, "A Charge may set off a Charge: +4 for the card at the end."),
    Rule("R43", _NOTES, "A Time Bomb comes off by re-equipping, Quick Change or Restart."),
    Rule("R44", _NOTES, "The Magician's boost is for magic without catalysts, too."),
    Rule("R45", _NOTES, "The Magician turns back by the draw action only, not by Steal, Restart."),
    Rule("R46", _NOTES, "First the Time Bomb, then the Sister turns back."),
    Rule("R47", _NOTES, "One counter card at a time."),
    house("H1", "Cardboard: say the kind, then name the card, then play it; a copy more than we "
          "know of is believed. A draft is made by hand."),
    house("H2", "When a print is first seen, its owner is asked once for what the rulebook does "
          "not say; our values stand until then."),
    house("H3", "An effect is carried out before anything else. Catalysts are paid when the card "
          "acts; who cannot pay keeps the card, and nothing happens."),
    house("H4", "After each effect the attacker presses to go on, or play goes on by itself, after "
          "a moment or at once, as set. The victim is always asked; ten seconds of silence are an "
          "answer, whatever the hand holds, so that it tells nothing.", option="chain"),
    house("H5", "A Time Bomb is an instant and needs a free side of the other's character; "
          "re-equipping puts it on the discard pile. Who begins attaches first."),
    house("H6", "One counter card may answer the roll and another the damage of the same attack."),
    house("H7", "Each damage may have a counter card of its own, that of a second Time Bomb, too.",
          option="bombs"),
    house("H8", "A skill for misses acts when no side shows the number; an empty side with it is "
          "a miss without it.", option="sting"),
    house("H9", "HP cards that were drafted are taken in the order in which they were picked."),
    house("H10", "A counter card used by its 6 lies open before its player and answers the next "
          "damage (or roll) that it can answer, as that one's counter card."),
)  # fmt: skip
