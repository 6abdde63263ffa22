"""The rules of Sword of Fellows in our words, numbered; every refusal cites one of them."""

from __future__ import annotations

from companion.games.api import Rule

_BOOK: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Setup", (
        "One to four players play together against the game.",
        "Kirito is always in play.",
        "One player alone plays Kirito and one other, by the rules for two.",
        "Each player has one character; nobody plays the same, the unused ones leave the game.",
        "Lisbeth and Silica have one addition token each.",
        "One scenario at random of each section: lower, middle, upper; then the final battle.",
        "The eight items form a face-down deck.",
        "Everybody starts with one ability use.",
        "Character dice and Yui are set aside at first.",
        "Everybody starts at the lowest level and unhurt.",
    )),
    ("Flow of the game", (
        "Scenarios come in order lower, middle, upper, final; beating the final battle wins.",
        "A scenario is revealed when it is reached, not before.",
        "The steps of a scenario are beaten in order.",
        "Kirito's player starts the first scenario.",
    )),
    ("A turn: chaining partner", (
        "With three or more characters the turn player names a partner who is not exhausted.",
        "If all others are exhausted when a turn starts, all are refreshed.",
        "With two characters the partner is always the other one.",
        "Only the turn player and the partner may use abilities.",
    )),
    ("A turn: dice", (
        "The turn player throws the black dice, the partner the white, as many as the card says.",
        "Dice may be thrown again up to two times.",
        "The pair agrees which dice; exactly these are thrown, all at once.",
        "The second time any dice may be thrown, also such as were kept before.",
        "An ability changes dice and costs a use; it may be repeated while uses are left.",
        "With no use left there is no ability.",
    )),
    ("A turn: sword skills", (
        "The turn player spends all dice of the pair on his own skills, known at his level.",
        "Each die counts for one skill only.",
        "The same skill may be triggered several times.",
        "The damage is put on the scenario card.",
        "Unused dice stay where they are.",
        "If all dice are used there is a switch: no counterattack.",
    )),
    ("A turn: counterattack and resolve", (
        "Otherwise the enemy strikes back: the turn player takes the damage of the step.",
        "AoE: every character takes the damage of a counterattack.",
        "The enemy strikes back even if the step is already beaten.",
        "Then, if the damage reaches the HP of the step, it is cleared and the next step begins.",
        "Damage in excess never carries over.",
        "After the last step the scenario is cleared.",
        "The turn passes to the chaining partner.",
        "With three or more characters the player who had the turn is exhausted.",
    )),
    ("Clearing a scenario", (
        "The turn player who beat the enemy reveals the top item.",
        "Equipment: the turn player names who gets it; it may change hands after each scenario.",
        "A consumable may be used by anybody, at any time of a turn, and is then discarded.",
        "Lower section cleared: level 50 with more HP, new skills and character dice.",
        "Middle section cleared: level 80 with more HP and uses, new skills, and Yui joins.",
        "Upper section cleared: the level stays.",
        "All are healed and refreshed, uses are at their maximum, addition tokens go home.",
        "The last chaining partner starts the next scenario.",
    )),
    ("Character dice", (
        "From level 50, at every throw, one's character die may replace a regular die.",
        "The portrait counts as any value.",
        "The special face of Asuna's die counts as 1 or 2.",
    )),
    ("End of the game", (
        "A character at 0 HP dies, and the game is lost at once.",
        "When the final battle is beaten, the game is won.",
    )),
    ("Final battle, step 2", (
        "At its start all are refreshed and addition tokens go home.",
        "Only Kirito takes turns.",
        "Kirito throws four black dice and his character die.",
        "The damage of all skills may be added up before Defense.",
        "It ends the moment the enemy has no HP left.",
        "There is no switch.",
        "The counterattack hits the chaining partner.",
        "Without a partner it hits Kirito.",
        "The death of the partner does not end the game.",
        "Kirito may replace a black die by the character die of one who died.",
        "Kirito alone starts with all support dice showing what he chooses.",
    )),
    ("Difficulty", (
        "Easy: turn player and partner may each use their ability once every turn for nothing.",
        "Hard: fewer ability uses, no character dice, or both.",
    )),
    ("Special effects", (
        "Addition +2 or x2: changes every skill of its holder in his next turn, then goes home.",
        "Addition shield (ours, its text is lost): stops the next damage to its holder; then home.",
        "Addition die control: in his next turn its holder sets one of his dice; then home.",
        "An addition cannot be used while its token is with somebody.",
        "Nobody gives the addition token to himself.",
        "Healing X: one character loses X damage.",
        "Piercing X ignores a Defense of X or less.",
        "Defense X: each damage is X less, but not less than 0.",
        "Reroll -1: dice may be thrown again once only.",
        "No reroll: dice may not be thrown again.",
        "No abilities: abilities cannot be used.",
        "No consumables: they cannot be used; equipment still works.",
        "x2 comes before everything that is added or taken off.",
        "The Coat of Midnight lessens damage from scenario effects, too.",
        "Modifiers count for each skill, not for the sum (but see the final battle).",
    )),
)  # fmt: skip

_HOUSE = (
    "A value that is not from the rulebook may be corrected once from the printed card.",
    "Yui may turn a whole counterattack back on the enemy, once in the game.",
    "A revival item sets a character that fell back to 1 HP.",
    "The Ring of Agility adds a throw after the shared ones, with its holder's own dice only.",
)
_LINES = ((section, line) for section, lines in _BOOK for line in lines)

RULES: tuple[Rule, ...] = (
    *(Rule(f"R{n}", section, line) for n, (section, line) in enumerate(_LINES, start=1)),
    *(Rule(f"H{n}", "House rules", line) for n, line in enumerate(_HOUSE, start=1)),
)
