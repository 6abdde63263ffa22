""".hack//ENEMY for newcomers."""

from __future__ import annotations

from companion.games.hack import actions as do
from companion.games.hack.cards import shipped
from companion.games.hack.phrases import short
from companion.games.hack.state import State
from companion.games.lesson import HOUSE, Arranged, Lesson, Page, Tip, Word, span
from companion.views import BLANK, Cards, Meter, Part
from companion.words import Text, text


def _cards(label: Text, *keys: str) -> Cards:
    known = shipped()
    return Cards(label, tuple((known[key].name, short(known[key])) for key in keys))


def _fight() -> tuple[Part, ...]:
    """An item and a high destiny let a weaker PC win."""
    monster, hero, item = (shipped()[key] for key in ("swordmanoid", "elk", "air_wand"))
    return (
        Meter(text("{card} {n} + destiny {d}", card=monster.name, n=monster.strength, d=1),
              monster.strength + 1),
        Meter(text("{card} {n} + {item} {m} + destiny {d}", card=hero.name, n=hero.strength,
                   item=item.name, m=item.strength, d=4), hero.strength + item.strength + 4),
    )  # fmt: skip


def _score(*keys: str) -> Cards:
    known = shipped()
    points = ((known[key].name, text("{n} VP", n=known[key].points)) for key in keys)
    return Cards(text("Your score pile"), tuple(points))


def _no_hero(state: State, seat: int) -> bool:
    return not state.sides[seat].heroes


def _heroes(state: State, seat: int) -> bool:
    return bool(state.sides[seat].heroes)


LESSON = Lesson(
    pages=(
        Page(
            text("The goal"),
            (
                text("Seven victory points (VP) win. Monsters bring them."),
                text("A monster scores when it is avoided, or when it wins its fight."),
            ),
            span("R", 1, 2, 5, 6),
            lambda: (Meter(text("Points"), 2, 7), _score("swordmanoid", "general_armor")),
        ),
        Page(
            text("A turn"),
            (
                text("Draw a card, bring your hand to five, play exactly one card."),
                text("If it is a monster, it attacks. Then the other has his turn."),
            ),
            span("R", (9, 14)),
            lambda: (_cards(text("Your hand"), "swordmanoid", "elk", "air_wand", "la_repth"),),
        ),
        Page(
            text("Play a PC early"),
            (
                text("Without a PC you must avoid every attack, and the monster scores."),
                text("You may have three PCs. An item makes one stronger."),
            ),
            span("R", (15, 20), 26, 27, 36),
            lambda: (_cards(text("PC"), "elk"), _cards(text("Item"), "air_wand")),
        ),
        Page(
            text("Attacked: avoid or fight"),
            (
                text("The defender avoids all monsters or fights all of them."),
                text("Avoided: each monster with points scores, and its reward may be used."),
            ),
            span("R", 31, 32, 34, 35, 37),
            lambda: (_cards(text("In the attack"), "swordmanoid"), _cards(text("PC"), "elk")),
        ),
        Page(
            text("A fight"),
            (
                text("Pair monsters and PCs. Both flip actions, then both draw destiny."),
                text("Strength and destiny are added up. The PC wins only if it is higher."),
            ),
            span("R", (38, 46), 54),
            _fight,
        ),
        Page(
            text("Wounds"),
            (
                text("A PC that loses is wounded; a second wound destroys it with its items."),
                text("A PC that loses by no more than its tolerance is not wounded."),
            ),
            span("R", (21, 23), 25, (47, 49)),
            lambda: (
                Cards(text("PC"), ((shipped()["elk"].name, text("wounded: it lies sideways")),)),
            ),
        ),
        Page(
            text("After the fight"),
            (
                text("A winning monster may use its reward, then one of them scores."),
                text("A monster that lost is destroyed."),
            ),
            span("R", (50, 53)),
            lambda: (_score("swordmanoid", "general_armor", "ochimusha"),),
        ),
        Page(
            text("Hidden cards"),
            (
                text("Any card may be played face down; actions only so. Five at most."),
                text("An action is flipped when its text says, and acts at once."),
            ),
            span("R", (28, 30)),
            lambda: (Cards(text("Your hidden cards"), ((shipped()["la_repth"].name, BLANK),)),),
        ),
    ),
    words=(
        Word(text("PC"), text("A hero of yours. Only PCs can fight monsters.")),
        Word(text("Avoid"), text("Do not fight: monsters with points score.")),
        Word(text("Destiny"), text("The number of the card that each draws in a fight.")),
        Word(text("Tolerance"), text("Losing by this much or less does not wound.")),
        Word(text("Spot"), text("See such a card in play, on either side.")),
        Word(text("Portal"), text("Where monsters wait to join a later attack.")),
        Word(text("Store"), text("Put a storable monster into your portal; it attacks later.")),
        HOUSE,
        Word(text("Reward"), text("What a monster does when it wins or is avoided.")),
        Word(text("Sacrifice"), text("Put a card of yours on your discard pile to make room.")),
        Word(text("To flip"), text("Turn a hidden action over: it acts and is discarded.")),
    ),
    later=span("R", 3, 4, 7, 8, 24, 33, (55, 58)),
    tips=(
        Tip(
            (do.PlayPC,),
            text("Play a PC first: without one you must avoid every attack, and that scores."),
            span("R", 14, 19, 36),
            _no_hero,
            leads=True,
        ),
        Tip(
            (do.PlayItem,),
            text("An item stays with its PC and makes it stronger in every fight."),
            span("R", 26, 27),
            _heroes,
            leads=True,
        ),
        Tip(
            (do.Attack,),
            text("A monster scores if it is avoided or wins. Send one that beats their PCs."),
            span("R", 31, 37, 51),
            lambda state, seat: bool(state.sides[seat].heroes or not state.sides[1 - seat].heroes),
        ),
        Tip(
            (do.Fight,),
            text("Fight if your PC is about as strong: destiny decides. Avoid, and it scores."),
            span("R", 35, 43, 45),
        ),
        Tip(
            (do.Avoid,),
            text("You have no PC: this attack must be avoided, and the monster may score."),
            span("R", 36, 37),
            _no_hero,
        ),
        Tip(
            (do.Assign,),
            text("Pair monsters and PCs: your strongest PC meets what is worth most."),
            span("R", 38, 39, 41),
        ),
        Tip(
            (do.Flip,),
            text("A hidden action acts when it is flipped. Flip it if it turns the fight."),
            span("R", 30, 43, 54),
        ),
        Tip(
            (do.Reward,),
            text("A monster that was avoided or has won may use its reward: take it."),
            span("R", 37, 50),
        ),
        Tip(
            (do.Score,),
            text("One winning monster goes to your score pile: the one with most points."),
            (*span("R", 5, 51), "H7"),
        ),
        Tip(
            (do.Hide,),
            text("Hide an action to flip it later; other cards only if nothing else helps."),
            span("R", 28, 30),
            lambda state, seat: bool(state.sides[seat].heroes and state.sides[1 - seat].heroes),
        ),
        Tip(
            (do.Discard,),
            text("More than five cards: discard what you cannot play soon."),
            span("R", 12),
        ),
    ),
    first=Arranged("hack 52", deals=4),
)
