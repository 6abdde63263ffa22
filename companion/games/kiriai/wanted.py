"""Where the finger begins: what most people want now. A rule of thumb, no advice."""

from __future__ import annotations

from companion.games.kiriai.cards import BASICS, FACES
from companion.games.kiriai.duel import BLUE, RED, Stand, resolve
from companion.games.kiriai.state import Fighter, Pick, State, layable, own_face

STILL = "counter"  # an opponent who neither moves nor strikes
ELSE = ("charge", "high")  # no blade reaches anybody: nearer, or the longest reach


def wanted(state: State, seat: int) -> Pick | None:
    """First a strike that hits if the other stands still, else the step after which one would;
    second the strike that hits after most of the cards that the other may lay first."""
    fighter = state.fighters[seat]
    laid = [own_face(fighter, card.face).key for card in fighter.plan]
    if state.phase != "choose" or fighter.done or len(laid) == 2:
        return None
    faces = layable(fighter, state.cardboard)
    now = (state.fighters[BLUE].stand, state.fighters[RED].stand)
    if laid:
        firsts = [face for face in BASICS if FACES[face].card != state.fighters[1 - seat].aside]
        ends = [_after(state.size, now, seat, (laid[0], theirs)) for theirs in firsts]
        hits = {face: sum(_hits(end, seat, fighter, face) for end in ends) for face in faces}
        best = max(faces, key=hits.__getitem__)
        others = (face for face in ELSE if face in faces)
        return Pick(seat, best if hits[best] else next(others, best))
    for face in faces:
        if _hits(now, seat, fighter, face):
            return Pick(seat, face)
    for face in faces:
        after = _after(state.size, now, seat, (own_face(fighter, face).key, STILL))
        if any(_hits(after, seat, fighter, other) for other in faces if other != face):
            return Pick(seat, face)
    return None


def _after(
    size: int, stands: tuple[Stand, Stand], seat: int, faces: tuple[str, str]
) -> tuple[Stand, Stand]:
    """Where both stand after this seat's card and the other's."""
    return resolve(size, *stands, *(faces if seat == BLUE else faces[::-1])).after


def _hits(stands: tuple[Stand, Stand], seat: int, fighter: Fighter, face: str) -> bool:
    card = own_face(fighter, face)
    distance = stands[RED].space - stands[BLUE].space
    return distance in card.reach and card.stance in (None, stands[seat].stance)
