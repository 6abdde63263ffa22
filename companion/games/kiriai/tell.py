"""One sentence about a move, for each viewer."""

from __future__ import annotations

from typing import Any

from companion.games.kiriai.cards import FACES, STANCE_NAMES
from companion.games.kiriai.duel import BLUE, RED
from companion.games.kiriai.play import apply, reveals
from companion.games.kiriai.state import Dealt, Pick, Place, Seal, Shown, State, Told, own_face
from companion.games.kiriai.view import opened_text, step_text
from companion.words import Seat, Text, text


def tell(before: State, action: Any, viewer: int | None) -> Text:
    """The sentence for this viewer: own cards by name, others' only once they are open."""
    mine = viewer is not None and viewer == getattr(action, "seat", None)
    who = Seat(getattr(action, "seat", 0))
    match action:
        case Dealt():
            if viewer is None:
                return text("The specials are dealt")
            return text("You hold {card}", card=FACES[action.specials[viewer]].name)
        case Told():
            if not mine:
                return text("{who} looked at the special", who=who)
            if not action.special:
                return text("You keep your special to yourself")
            return text("You hold {card}", card=FACES[action.special].name)
        case Shown():
            return text("{who} shows {card}", who=who, card=FACES[action.special].name)
        case Pick():
            if mine:
                return text(
                    "You lay {card}", card=own_face(before.fighters[action.seat], action.face).name
                )
            return text("{who} lays a card", who=who)
        case Place() if reveals(before, action):
            blue, red = apply(before, action).fighters
            return text(
                "{blue} on {a}, {b}; {red} on {c}, {d}",
                blue=Seat(BLUE),
                red=Seat(RED),
                a=blue.stand.space,
                b=STANCE_NAMES[blue.stand.stance],
                c=red.stand.space,
                d=STANCE_NAMES[red.stand.stance],
            )
        case Place():
            if mine:
                stance = STANCE_NAMES[action.stance]
                return text("You start on {n}, {stance}", n=action.space, stance=stance)
            return text("{who} has chosen", who=who)
        case Seal() if not reveals(before, action):
            return text("{who} has chosen", who=who)
    after = apply(before, action)
    if after.phase == "show":
        return opened_text(after)
    step = after.steps[-1]
    said = step_text(step, len(after.steps))
    return text("{said} (against {rule})", said=said, rule="K-R11") if any(step.forced) else said
