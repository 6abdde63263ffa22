"""Sainome Colosseum for newcomers."""

from __future__ import annotations

from companion.games.api import Rolled
from companion.games.lesson import HOUSE, Arranged, Lesson, Page, Tip, Word, span
from companion.games.sainome import actions as do
from companion.games.sainome.cards import shipped
from companion.games.sainome.phrases import AWAKENED, NORMAL, brief, slot_sign
from companion.games.sainome.state import State
from companion.views import BLANK, Cards, Cross, Dice, Face, Meter, Slot
from companion.words import text


def _character(*worn: str, awakened: bool = False, lit: int = -1) -> Cross:
    """The swordsman with these cards: up, left, down, right."""
    known = shipped()
    character = known.characters["swordsman"]
    up, left, down, right = (
        Slot(slot_sign(number), known[card].name if card else BLANK, lit=at == lit)
        for at, (number, card) in enumerate(
            zip(character.faces[awakened].slots, worn or ("",) * 4, strict=True)
        )
    )
    note = AWAKENED if awakened else NORMAL
    return Cross(character.name, note, (up, left, down, right))


def _hand(*keys: str) -> Cards:
    known = shipped()
    return Cards(text("Your hand"), tuple((known[key].name, brief(known[key])) for key in keys))


_WORN = ("saw", "tidal_wave", "", "fireball")


def _few(state: State, seat: int) -> bool:
    return len(state.sides[seat].hand) < 4


def _bare(state: State, seat: int) -> bool:
    return state.sides[seat].worn.count("") > 1


LESSON = Lesson(
    pages=(
        Page(
            text("The goal"),
            (
                text("A duel in the arena: whoever runs out of HP cards first has lost."),
                text("Your HP are cards: those you lose come into your hand."),
            ),
            span("R", 1, 5, 6, (30, 32)),
            lambda: (Meter(text("HP"), 6, 10),),
        ),
        Page(
            text("Attach cards"),
            (
                text("Cards are attached to the sides of your character, one to each side."),
                text("A card fits where its link symbol touches the character."),
            ),
            span("R", 4, 7, 8, 19, 20, 36),
            lambda: (_character(*_WORN),),
        ),
        Page(
            text("A turn"),
            (
                text("Up to two of four actions: draw, re-equip, instant, attack. None twice."),
                text("Then discard down to five; you may discard more."),
            ),
            span("R", (11, 14), 28, 29),
            lambda: (
                Cards(
                    text("Your actions"),
                    (
                        (text("Draw"), text("up to five")),
                        (text("Re-equip"), text("attach anew")),
                        (text("Instant"), text("out of the hand")),
                        (text("Attack"), text("roll")),
                    ),
                ),
            ),
        ),
        Page(
            text("Attack"),
            (
                text("Roll a die: the card at the side with that number acts, then it is gone."),
                text("No card there: a miss."),
            ),
            span("R", (22, 24), 27),
            lambda: (Dice((Face("black", 4),)), _character(*_WORN, lit=1)),
        ),
        Page(
            text("A six"),
            (
                text("A 6 is yours: use one card with the 6, attached or out of the hand."),
                text("Or pass, and discard nothing."),
            ),
            span("R", 25, 26, 37, 38),
            lambda: (Dice((Face("black", 6),)), _hand("throwing_knives", "fireball")),
        ),
        Page(
            text("Answer"),
            (
                text("The player who is hit may play one counter card before the damage."),
                text("Instants are played as an action of your own turn."),
            ),
            span("R", 21, 39, 40, 47),
            lambda: (_hand("substitution"),),
        ),
        Page(
            text("Awaken"),
            (text("When its condition holds, your character turns over: other slots and skills."),),
            span("R", (33, 35)),
            lambda: (_character(awakened=True),),
        ),
        Page(
            text("Draw and re-equip"),
            (
                text("Draw: up to five cards. Re-equip: take everything back, attach anew."),
                text("Cards that acted are gone: without re-equipping your sides run empty."),
            ),
            span("R", (16, 18)),
            lambda: (_character("", "tidal_wave", "", ""), _hand("saw", "fireball")),
        ),
    ),
    words=(
        Word(text("Link"), text("The mark on a card's edge that must touch the character.")),
        Word(text("HP stack"), text("Ten cards that you do not know. Empty: you have lost.")),
        HOUSE,
        Word(text("Instant"), text("A card that acts out of the hand, as an action of a turn.")),
        Word(text("Counter"), text("A card that answers an attack before the damage.")),
        Word(text("Catalyst"), text("Cards that a magic costs when it acts.")),
        Word(text("Awaken"), text("Turn the character over when its condition holds.")),
        Word(text("Miss"), text("No card is attached at the number that was rolled.")),
    ),
    later=span("R", 2, 3, 9, 10, 15, (41, 46)),
    tips=(
        Tip(
            (do.Take,),
            text("You rolled higher: begin, or choose your character before the other."),
            span("R", 3),
        ),
        Tip(
            (do.Choose,),
            text("Your character has four sides with numbers; its skills stand on its card."),
            span("R", 4, 33),
        ),
        Tip(
            (do.Attach,),
            text("A card acts when its number is rolled: fill all sides, the best cards first."),
            span("R", 8, 18, 20, 36),
        ),
        Tip(
            (do.Strike,),
            text("Two different actions a turn. Attack while your sides are full."),
            span("R", 12, 14, 22),
        ),
        Tip(
            (Rolled,),
            text("Throw: the card at that number acts. No card there is a miss, a 6 is yours."),
            span("R", 3, 22, 24, 25),
            lambda state, _seat: state.throw == "attack",
        ),
        Tip(
            (do.Reequip,),
            text("Cards that acted are gone. Re-equip fills your sides from the hand again."),
            span("R", 18, 23),
            _bare,
        ),
        Tip(
            (do.Draw,),
            text("Draw brings your hand to five: a good second action with few cards."),
            span("R", 12, 16),
            _few,
        ),
        Tip(
            (do.Use,),
            text("A 6: use one card with the 6, attached or from the hand; the heaviest."),
            span("R", 25, 37),
        ),
        Tip(
            (do.Counter,),
            text("You are attacked: a counter card answers now, before the damage."),
            (*span("R", 30, 39), "H6", "H7"),
        ),
        Tip(
            (do.Play,),
            text("An instant acts at once out of the hand and is one of your two actions."),
            span("R", 12, 21, 40),
        ),
        Tip(
            (do.Discard,),
            text("The turn ends: down to five cards. Drop only what fits no side of yours."),
            span("R", 28, 29),
            lambda state, _seat: state.phase == "trash",
        ),
    ),
    first=Arranged("sainome 5", deals=1, rolls=6, options=(("chain", "flow"),)),
)
