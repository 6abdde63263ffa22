"""The rule list of Sword of Fellows, in our words; every refusal cites one of these."""

from __future__ import annotations

from companion.games.api import Rule, house
from companion.words import template

_SETUP = template("Set-up")
_FLOW = template("Flow of the game")
_PARTNER = template("A turn: chaining partner")
_DICE = template("A turn: dice")
_SKILLS = template("A turn: sword skills")
_RESOLVE = template("A turn: counterattack and resolve")
_CLEARING = template("Clearing a scenario")
_BLUE = template("Character dice")
_END = template("End of the game")
_FINAL = template("Final battle, step 2")
_LEVELS = template("Difficulty")
_EFFECTS = template("Special effects")

RULES = (
    Rule("R1", _SETUP, "One to four players play together against the game."),
    Rule("R2", _SETUP, "Kirito is always in play."),
    Rule("R3", _SETUP, "One player alone plays Kirito and one other, by the rules for two."),
    Rule("R4", _SETUP, "Each player has one character; nobody plays the same, the unused ones "
         "leave the game."),
    Rule("R5", _SETUP, "Lisbeth and Silica have one addition token each."),
    Rule("R6", _SETUP, "One scenario at random of each section: lower, middle, upper; then the "
         "final battle."),
    Rule("R7", _SETUP, "The eight items form a face-down deck."),
    Rule("R8", _SETUP, "Everybody starts with one ability use."),
    Rule("R9", _SETUP, "Character dice and Yui are set aside at first."),
    Rule("R10", _SETUP, "Everybody starts at the lowest level and unhurt."),
    Rule("R11", _FLOW, "Scenarios come in order lower, middle, upper, final; beating the final "
         "battle wins."),
    Rule("R12", _FLOW, "A scenario is revealed when it is reached, not before."),
    Rule("R13", _FLOW, "The steps of a scenario are beaten in order."),
    Rule("R14", _FLOW, "Kirito's player starts the first scenario."),
    Rule("R15", _PARTNER, "With three or more characters the turn player names a partner who is "
         "not exhausted."),
    Rule("R16", _PARTNER, "If all others are exhausted when a turn starts, all are refreshed."),
    Rule("R17", _PARTNER, "With two characters the partner is always the other one."),
    Rule("R18", _PARTNER, "Only the turn player and the partner may use abilities."),
    Rule("R19", _DICE, "The turn player throws the black dice, the partner the white, as many as "
         "the card says."),
    Rule("R20", _DICE, "Dice may be thrown again up to two times."),
    Rule("R21", _DICE, "The pair agrees which dice; exactly these are thrown, all at once."),
    Rule("R22", _DICE, "The second time any dice may be thrown, also such as were kept before."),
    Rule("R23", _DICE, "An ability changes dice and costs a use; it may be repeated while uses "
         "are left."),
    Rule("R24", _DICE, "With no use left there is no ability."),
    Rule("R25", _SKILLS, "The turn player spends all dice of the pair on his own skills, known at "
         "his level."),
    Rule("R26", _SKILLS, "Each die counts for one skill only."),
    Rule("R27", _SKILLS, "The same skill may be triggered several times."),
    Rule("R28", _SKILLS, "The damage is put on the scenario card."),
    Rule("R29", _SKILLS, "Unused dice stay where they are."),
    Rule("R30", _SKILLS, "If all dice are used there is a switch: no counterattack."),
    Rule("R31", _RESOLVE, "Otherwise the enemy strikes back: the turn player takes the damage of "
         "the step."),
    Rule("R32", _RESOLVE, "AoE: every character takes the damage of a counterattack."),
    Rule("R33", _RESOLVE, "The enemy strikes back even if the step is already beaten."),
    Rule("R34", _RESOLVE, "Then, if the damage reaches the HP of the step, it is cleared and the "
         "next step begins."),
    Rule("R35", _RESOLVE, "Damage in excess never carries over."),
    Rule("R36", _RESOLVE, "After the last step the scenario is cleared."),
    Rule("R37", _RESOLVE, "The turn passes to the chaining partner."),
    Rule("R38", _RESOLVE, "With three or more characters the player who had the turn is "
         "exhausted."),
    Rule("R39", _CLEARING, "The turn player who beat the enemy reveals the top item."),
    Rule("R40", _CLEARING, "Equipment: the turn player names who gets it; it may change hands "
         "after each scenario."),
    Rule("R41", _CLEARING, "A consumable may be used by anybody and is then discarded."),
    Rule("R42", _CLEARING, "Lower section cleared: level 50 with more HP, new skills and "
         "character dice."),
    Rule("R43", _CLEARING, "Middle section cleared: level 80 with more HP and uses, new skills, "
         "and Yui joins."),
    Rule("R44", _CLEARING, "Upper section cleared: the level stays."),
    Rule("R45", _CLEARING, "All are healed and refreshed, uses are at their maximum, addition "
         "tokens go home."),
    Rule("R46", _CLEARING, "The last chaining partner starts the next scenario."),
    Rule("R47", _BLUE, "From level 50, at every throw, one's character die may replace a regular "
         "die."),
    Rule("R48", _BLUE, "The portrait counts as any value."),
    Rule("R49", _BLUE, "The special face of Asuna's die counts as 1 or 2."),
    Rule("R50", _END, "A character at 0 HP dies, and the game is lost at once."),
    Rule("R51", _END, "When the final battle is beaten, the game is won."),
    Rule("R52", _FINAL, "At its start all are refreshed and addition tokens go home."),
    Rule("R53", _FINAL, "Only Kirito takes turns."),
    Rule("R54", _FINAL, "Kirito throws four black dice and his character die."),
    Rule("R55", _FINAL, "The damage of all skills may be added up before Defense."),
    Rule("R56", _FINAL, "It ends the moment the enemy has no HP left."),
    Rule("R57", _FINAL, "There is no switch."),
    Rule("R58", _FINAL, "The counterattack hits the chaining partner."),
    Rule("R59", _FINAL, "Without a partner it hits Kirito."),
    Rule("R60", _FINAL, "The death of the partner does not end the game."),
    Rule("R61", _FINAL, "Kirito may replace a black die by the character die of one who died."),
    Rule("R62", _FINAL, "Kirito alone starts with all support dice showing what he chooses."),
    Rule("R63", _LEVELS, "Easy: turn player and partner may each use their ability once every "
         "turn for nothing."),
    Rule("R64", _LEVELS, "Hard: fewer ability uses, no character dice, or both."),
    Rule("R65", _EFFECTS, "Addition +2 or x2: changes every skill of its holder in his next turn, "
         "then goes home."),
    Rule("R66", _EFFECTS, "Addition shield: the token goes to another character; what it does is "
         "lost."),
    Rule("R67", _EFFECTS, "Addition die control: in his next turn its holder sets one of his "
         "dice; then home."),
    Rule("R68", _EFFECTS, "An addition cannot be used while its token is with somebody."),
    Rule("R69", _EFFECTS, "Nobody gives the addition token to himself."),
    Rule("R70", _EFFECTS, "Healing X: one character loses X damage."),
    Rule("R71", _EFFECTS, "Piercing X ignores a Defense of X or less."),
    Rule("R72", _EFFECTS, "Defense X: each damage is X less, but not less than 0."),
    Rule("R73", _EFFECTS, "Reroll -1: dice may be thrown again once only."),
    Rule("R74", _EFFECTS, "No reroll: dice may not be thrown again."),
    Rule("R75", _EFFECTS, "No abilities: abilities cannot be used."),
    Rule("R76", _EFFECTS, "No consumables: they cannot be used; equipment still works."),
    Rule("R77", _EFFECTS, "x2 comes before everything that is added or taken off."),
    Rule("R78", _EFFECTS, "The Coat of Midnight lessens damage from scenario effects, too."),
    Rule("R79", _EFFECTS, "Modifiers count for each skill, not for the sum (but see the final "
         "battle)."),
    house("H1", "A value that is not from the rulebook may be corrected from the printed card."),
    house("H2", "Yui may turn a whole counterattack back on the enemy, once in the game."),
    house("H3", "A revival item sets a character that fell back to 1 HP."),
    house("H4", "The Ring of Agility adds a throw after the shared ones, with its holder's own "
          "dice only; where nothing may be thrown again, it adds none."),
    house("H5", "In the final battle one character die of the dead is in play at a time."),
    house("H6", "After each scenario every piece of equipment may change hands once, as its holder "
          "or the turn player says.", option="gear"),
    house("H7", "The turn player says which dice of the pair are thrown again; the partner alone "
          "throws only dice of his own.", option="throwing"),
    house("H8", "Ability uses go up with the level by the number of players: for two at 50 and 80, "
          "for three at 80, for four never.", option="uses"),
    house("H9", "An ability changes black and white dice, never a character die."),
    house("H10", "A consumable may be used in any turn until the enemy strikes back."),
    house("H11", "In the last step Kirito may chain anybody who stands, exhausted or not."),
    house("H12", "The shield stops the next damage to its holder and goes home."),
)  # fmt: skip
