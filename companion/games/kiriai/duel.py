"""How one pair of cards plays out: movement in its order, then the blades. Pure geometry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from companion.games.kiriai.cards import COUNTER, EARTH, FACES, HEAVEN, Face, Stance

NOBODY = -1
BLUE, RED = 0, 1


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a samurai stands and how it holds its sword. Blue looks up the row, Red down it."""

    space: int  # from 1 at Blue's end; 0: not yet placed
    stance: Stance


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one action did. `hits` counts the blades that would land, before clash and counter."""

    after: tuple[Stand, Stand]
    hits: tuple[bool, bool]
    hurt: int  # the seat that took the wound, or NOBODY
    rules: tuple[str, ...]  # what decided it


@lru_cache(1024)  # one advice asks for 840 of them again and again; all together take 5 MB
def resolve(size: int, blue: Stand, red: Stand, blues: str, reds: str) -> Outcome:
    """Both cards of one action, laid open on a row of `size` spaces."""
    faces = (FACES[blues], FACES[reds])
    rules: list[str] = []
    spaces = _walk(size, (blue, red), faces, rules)
    stances = (_turned(blue.stance, faces[BLUE]), _turned(red.stance, faces[RED]))
    hits = _blades(spaces[RED] - spaces[BLUE], stances, faces, rules)
    hurt = _wound(hits, faces, rules)
    after = (
        Stand(spaces[BLUE], faces[BLUE].then or stances[BLUE]),
        Stand(spaces[RED], faces[RED].then or stances[RED]),
    )
    return Outcome(after, hits, hurt, tuple(dict.fromkeys(rules)))


def _walk(
    size: int, stands: tuple[Stand, Stand], faces: tuple[Face, Face], rules: list[str]
) -> tuple[int, int]:
    """Where both stand when all movement is done; it may be the same space (K-R8)."""
    spaces = [stands[BLUE].space, stands[RED].space]
    movers = [seat for seat in (BLUE, RED) if faces[seat].moves]
    turns = {seat: (stands[seat].stance != HEAVEN, faces[seat].turn) for seat in movers}
    rules.extend(faces[seat].rule for seat in movers)
    if len(movers) == 1:
        rules.append("K-R14")
    if len(movers) == 2:
        together = turns[BLUE] == turns[RED]
        rules.append("K-R16" if together else "K-R15")
        if together and faces[BLUE].steps > 0 and faces[RED].steps > 0:
            # K-R17: both go the same way towards each other, as far as neither passes
            steps = min(faces[BLUE].steps, (spaces[RED] - spaces[BLUE]) // 2)
            if steps < faces[BLUE].steps:
                rules.append("K-R17")
            return spaces[BLUE] + steps, spaces[RED] - steps
    # of two at the same time, the one who steps back makes room for the one who follows
    for seat in sorted(movers, key=lambda seat: (turns[seat], faces[seat].steps > 0)):
        steps = faces[seat].steps
        wish = spaces[seat] + (steps if seat == BLUE else -steps)
        ahead = min(wish, spaces[RED]) if seat == BLUE else max(wish, spaces[BLUE])
        spaces[seat] = max(1, min(size, ahead))
        if spaces[seat] != wish:
            rules.append("K-R19" if steps > 0 else "K-R20")
    return spaces[BLUE], spaces[RED]


def _turned(stance: Stance, face: Face) -> Stance:
    if face.key != "stance":
        return stance
    return EARTH if stance == HEAVEN else HEAVEN


def _blades(
    distance: int, stances: tuple[Stance, Stance], faces: tuple[Face, Face], rules: list[str]
) -> tuple[bool, bool]:
    """Which attacks would land, each by its own stance and reach after movement (K-R21)."""
    hits = [False, False]
    for seat, face in enumerate(faces):
        if not face.reach:
            continue
        rules.append(face.rule)
        if face.stance not in (None, stances[seat]):
            rules.append("K-R27")
        else:
            hits[seat] = distance in face.reach
    return hits[BLUE], hits[RED]


def _wound(hits: tuple[bool, bool], faces: tuple[Face, Face], rules: list[str]) -> int:
    """Who is wounded: by a counter, by the only blade that lands, or nobody."""
    for seat in (BLUE, RED):
        if faces[seat].key == COUNTER:
            rules.append("K-R30")
            return 1 - seat if hits[1 - seat] else NOBODY
    if all(hits):
        rules.append("K-R29")
        return NOBODY
    if any(hits):
        rules.append("K-R28")
        return RED if hits[BLUE] else BLUE
    return NOBODY
