"""Sword of Fellows for newcomers."""

from __future__ import annotations

from companion.games.api import Rolled
from companion.games.lesson import Arranged, Lesson, Page, Tip, Word, span
from companion.games.sao import actions as do
from companion.games.sao.cards import shipped
from companion.games.sao.phrases import skill_note
from companion.views import Cards, Dice, Face, Line, Meter
from companion.words import Text, text


def _dice(black: tuple[int, ...], white: tuple[int, ...], thrown: int = 0) -> Dice:
    faces = [Face("black", value) for value in black] + [Face("white", value) for value in white]
    marked = [Face(f.body, f.value, "thrown" if n < thrown else "") for n, f in enumerate(faces)]
    return Dice(tuple(marked))


def _skills() -> Cards:
    """What Kirito knows at the beginning."""
    known = (skill for skill in shipped().characters["kirito"].skills if not skill.level)
    return Cards(text("Skills"), tuple((Text(one.name), skill_note(one)) for one in known))


LESSON = Lesson(
    pages=(
        Page(
            text("The goal"),
            (
                text("You play together: beat three scenarios and the final battle."),
                text("If one character falls to 0 HP, all of you have lost."),
            ),
            span("R", (1, 4), 6, 11, 50, 51),
            lambda: (Meter(text("Kirito"), 10, 10), Meter(text("Asuna"), 7, 10)),
        ),
        Page(
            text("A turn belongs to a pair"),
            (
                text("The turn player throws the black dice, the partner the white ones."),
                text("With three or more, choose as partner somebody who is not exhausted."),
                text("Afterwards the partner has the turn."),
            ),
            span("R", (14, 17), 19, 37, 38),
            lambda: (_dice((2, 5, 5), (1, 4, 6)),),
        ),
        Page(
            text("Throw again"),
            (
                text("You may throw again twice: pick the dice, all of them fly at once."),
                text("An ability changes dice. Each use is gone until the scenario is cleared."),
            ),
            span("R", 8, 18, (20, 24)),
            lambda: (_dice((2, 1, 5), (5, 4, 6), thrown=2),),
        ),
        Page(
            text("Strike"),
            (
                text("The turn player spends the dice of both on sword skills that he knows."),
                text("A die serves one skill; a skill may be used again with other dice."),
            ),
            span("R", (25, 29)),
            lambda: (_dice((5, 5, 6), (2, 2, 3)), _skills()),
        ),
        Page(
            text("Switch!"),
            (
                text("If every die is used, there is a switch: the enemy does not strike back."),
                text("Otherwise the turn player takes the counterattack, even if the step fell."),
                text("This decides games: a smaller blow with a switch is often better."),
            ),
            span("R", (30, 33), 72),
            lambda: (
                _dice((5, 5, 6), (2, 2, 6)),
                Line(text("Vertical Arc twice, Rage Spike twice: all dice used. Switch!")),
            ),
        ),
        Page(
            text("Steps and scenarios"),
            (
                text("A scenario has steps. Enough damage beats a step; the rest is lost."),
                text("After the last step all are healed, and there is an item to find."),
            ),
            span("R", 12, 13, (34, 36), (39, 41), 45, 46),
            lambda: (Meter(text("Step 2"), 8, 8),),
        ),
        Page(
            text("You grow"),
            (
                text("Lower section cleared: level 50. More HP, new skills, character dice."),
                text("Middle section cleared: level 80, and Yui joins."),
                text("A character die may replace one of your dice at every throw."),
            ),
            span("R", 9, 10, (42, 44), 47, 48),
            lambda: (Dice((Face("blue", 6), Face("black", 3), Face("black", 3))),),
        ),
        Page(
            text("The final battle"),
            (
                text("Only Kirito takes turns, with four black dice and his character die."),
                text("There is no switch: the counterattack hits his partner."),
            ),
            span("R", (52, 60)),
            lambda: (Dice((*(Face("black", n) for n in (1, 4, 4, 6)), Face("blue", 6))),),
        ),
    ),
    words=(
        Word(text("Switch"), text("All dice were used: the enemy does not strike back.")),
        Word(text("The counterattack"), text("What the turn player takes if a die is left over.")),
        Word(text("Partner"), text("Throws the white dice, and has the next turn.")),
        Word(text("Exhausted"), text("Had the turn: cannot be partner until all are refreshed.")),
        Word(text("Ability use"), text("Changes dice once. Back at the maximum after a scenario.")),
        Word(text("AoE"), text("The counterattack hits every character.")),
        Word(text("Defense"), text("Each damage is so much less.")),
        Word(text("Piercing"), text("Ignores a Defense of this number or less.")),
        Word(
            text("Addition"),
            text("A token that helps its holder in his next turn, then goes home."),
        ),
        Word(text("A step"), text("One enemy card's stage: beat them in order.")),
    ),
    later=(*span("R", 5, 7, 49, (61, 71), (73, 79)),),
    tips=(
        Tip(
            (do.Play,),
            text("Choose a character; Kirito must be played. He strikes hard and begins."),
            span("R", 2, 3, 4, 14),
        ),
        Tip(
            (Rolled,),
            text("Throw: black dice for whoever has the turn, white ones for the partner."),
            span("R", 19, 21),
        ),
        Tip(
            (do.Again, do.Mark),
            text("Twice you may throw again what does not serve. Try to use every die."),
            span("R", 20, 21, 30),
        ),
        Tip(
            (do.Strike,),
            text("Spend the dice on skills. All used is a switch: the enemy does not strike back."),
            span("R", 25, 30, 31),
        ),
        Tip(
            (do.Ability,),
            text("An ability changes dice, once until the scenario is cleared. Use it in need."),
            (*span("R", 23, 24, 63), "H8"),
        ),
        Tip(
            (do.Chain,),
            text("Choose a partner who is not exhausted: he throws, and has the next turn."),
            span("R", 15, 37),
        ),
        Tip(
            (do.Exchange,),
            text("A character die may replace one of your dice: its portrait is any value."),
            span("R", 47, 48),
        ),
        Tip(
            (do.Give,),
            text("What you found helps whoever holds it: give it to who will need it."),
            (*span("R", 39, 40), "H6"),
        ),
        Tip(
            (do.Consume,),
            text("A consumable is gone when it is used: keep it for a turn that decides."),
            (*span("R", 41), "H3", "H10"),
        ),
        Tip(
            (do.Onward,),
            text("The scenario is cleared and all are healed. On to the next one."),
            span("R", 11, 45, 46),
        ),
    ),
    first=Arranged("sao 1", deals=1, rolls=6, level="best", options=(("difficulty", "easy"),)),
)
