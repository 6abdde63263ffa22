"""The coach: what each plan is worth against an opponent who lays cards at random, exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from companion.games.kiriai.cards import FACES, SPECIAL, SPECIALS, STANCE_NAMES
from companion.games.kiriai.duel import BLUE, RED, Stand, resolve
from companion.games.kiriai.state import DEFEATED, Fighter, Pick, State, layable
from companion.games.records import replace
from companion.views import Choice
from companion.words import Text, text

BEST = 5  # plans that are named
Plan = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely a plan wounds, and is wounded, in this round."""

    plan: Plan
    wound: Fraction
    hurt: Fraction

    @property
    def edge(self) -> Fraction:
        """What the coach ranks by."""
        return self.wound - self.hurt


def advice(state: State, seat: int) -> tuple[Text, ...]:
    """The best plans first, then what each card in hand would need just now."""
    fighter = state.fighters[seat]
    if state.phase != "choose" or fighter.done or len(fighter.plan) == 2:
        return ()
    best = sorted(odds(state, seat), key=lambda odd: (odd.edge, odd.wound), reverse=True)[:BEST]
    return (*(_line(odd) for odd in best), *_needs(state, seat))


def hints(state: State, seat: int) -> Iterator[Choice]:
    """Each card with the best plan that goes on with it."""
    if not advice(state, seat):
        return
    laid, said = len(state.fighters[seat].plan), set()
    for odd in sorted(odds(state, seat), key=lambda odd: (odd.edge, odd.wound), reverse=True):
        key = odd.plan[laid]
        face = SPECIAL if state.cardboard and key in SPECIALS else key
        if face not in said:
            said.add(face)
            yield Choice(FACES[key].name, Pick(seat, face), _line(odd))


def odds(state: State, seat: int) -> tuple[Odds, ...]:
    """Exact odds of every plan still open to the seat."""
    against = opponent(state, seat)
    whole = sum(against.values())
    fighter = state.fighters[seat]
    found = []
    for plan in own_plans(state, fighter):
        wound = hurt = 0
        for other, weight in against.items():
            dealt, taken = _round(state, seat, plan, other)
            wound += weight * dealt
            hurt += weight * taken
        found.append(Odds(plan, Fraction(wound, whole), Fraction(hurt, whole)))
    return tuple(found)


def own_plans(state: State, fighter: Fighter) -> tuple[Plan, ...]:
    """The seat's plans that begin with what it has laid; a special it has not told is left out."""
    if state.cardboard and not fighter.special:
        fighter = replace(fighter, spent=SPECIALS[0])  # as good as spent: nothing to reckon with
    fixed = tuple(_real(fighter, laid.face) for laid in fighter.plan)
    plans = _plans(replace(fighter, plan=()), state.cardboard)
    return tuple(plan for plan in plans if plan[: len(fixed)] == fixed)


def opponent(state: State, seat: int) -> Counter[Plan]:
    """Every plan that the other may have laid, by what this seat knows, each as often as likely."""
    me, other = state.fighters[seat], state.fighters[1 - seat]
    bare = replace(other, plan=(), special="")
    if other.spent:
        return Counter(_plans(bare, state.cardboard))
    gone = (me.special, me.spent)
    weights: Counter[Plan] = Counter()
    for special in SPECIALS:
        if special not in gone:
            weights.update(_plans(replace(bare, special=special), state.cardboard))
    return weights


def _plans(fighter: Fighter, cardboard: bool) -> list[Plan]:
    faces = layable(fighter, cardboard)
    return [
        (_real(fighter, first), _real(fighter, second))
        for first in faces
        for second in faces
        if FACES[first].card != FACES[second].card
    ]


def _real(fighter: Fighter, face: str) -> str:
    return fighter.special if face == SPECIAL else face


def _round(state: State, seat: int, mine: Plan, theirs: Plan) -> tuple[bool, bool]:
    """Does this pair of plans wound the other, and me?"""
    stands: tuple[Stand, Stand] = (state.fighters[BLUE].stand, state.fighters[RED].stand)
    blues, reds = (mine, theirs) if seat == BLUE else (theirs, mine)
    first = resolve(state.size, *stands, blues[0], reds[0])
    hurt = {first.hurt}
    ended = first.hurt >= 0 and state.fighters[first.hurt].wounds + 1 == DEFEATED
    if not ended:
        hurt.add(resolve(state.size, *first.after, blues[1], reds[1]).hurt)
    return 1 - seat in hurt, seat in hurt


def _line(odd: Odds) -> Text:
    return text(
        "{a}, {b}: you hit {w} %, are hit {h} %",
        a=FACES[odd.plan[0]].name,
        b=FACES[odd.plan[1]].name,
        w=round(100 * odd.wound),
        h=round(100 * odd.hurt),
    )


def _needs(state: State, seat: int) -> list[Text]:
    """What stands between each attack in hand and a hit, as the samurai stand now."""
    fighter = state.fighters[seat]
    distance = state.fighters[RED].stand.space - state.fighters[BLUE].stand.space
    lines = []
    for face in layable(fighter, state.cardboard):
        card = FACES[_real(fighter, face) or face]
        if not card.reach:
            continue
        far = " ".join(str(space) for space in card.reach)
        if card.stance not in (None, fighter.stand.stance):
            stance = STANCE_NAMES[str(card.stance)]
            lines.append(text("{card} needs {stance}", card=card.name, stance=stance))
        elif distance in card.reach:
            lines.append(text("{card} would hit now", card=card.name))
        else:
            lines.append(text("{card} hits at {far}, now {d}", card=card.name, far=far, d=distance))
    return lines
