"""Is this the roll that was asked for? The wanted dice against the dice that lie there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from companion.events import SeenDie
from companion.games.api import DiceWanted, Die, Rolled
from companion.table.witness import differ
from companion.words import Text, text

BODIES = {"black": text("black"), "white": text("white"), "blue": text("light-blue")}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The roll, if it is plain; else what to ask, with the likeliest answers first."""

    rolled: Rolled | None
    why: Text | None = None
    guesses: tuple[Rolled, ...] = ()
    doubtful: tuple[SeenDie, ...] = ()


def judge(
    wanted: DiceWanted, dice: tuple[SeenDie, ...], accepted: bool, reported: Mapping[str, int]
) -> Verdict:
    """Decide only what is certain: kept dice lie still, the thrown ones are as many as wanted.

    `reported` is what the character dice have said themselves since they were asked for.
    """
    thrown, pushed = list(dice), None
    for kept in _still_first(wanted.kept, thrown):
        same = [d for d in thrown if _is(d, kept)]
        if not any(not d.moved for d in same):
            pushed = text(
                "The {body} {value} should stay, but it moved or changed.",
                body=body_name(kept.body),
                value=kept.value,
            )
        if not same:
            return Verdict(None, pushed)
        thrown.remove(min(same, key=lambda d: d.moved))
    have = Counter[str](d.body for d in thrown)
    want = Counter(wanted.bodies)
    if have != want:
        return Verdict(None, _miscount(have, want))
    in_order = _matched(wanted.bodies, thrown)
    if wanted.characters:
        blue = [d for d in in_order if d.body == "blue"]
        if (doubt := differ(wanted.characters, reported, blue)) is not None:
            either = tuple(_rolled(_with_faces(in_order, [face])) for face in doubt.faces)
            return Verdict(None, doubt.why, either, tuple(blue))
        in_order = _with_faces(in_order, [reported[die] for die in wanted.characters])
    plain = _rolled(in_order)
    doubtful = tuple(d for d in in_order if d.wrong or d.second or not d.value)
    if accepted and all(d.value for d in in_order):
        return Verdict(None, pushed, (plain,)) if pushed else Verdict(plain)
    guesses = [plain] if all(d.value for d in in_order) else []
    for index, die in enumerate(in_order):
        if die.second and plain.dice[index].value:
            other = list(plain.dice)
            other[index] = Die(die.body, die.second)
            guesses.append(Rolled(tuple(other)))
    why = pushed or text("I am not sure of this roll.")
    return Verdict(None, why, tuple(guesses[:3]), doubtful)


def rethrown(
    on_table: DiceWanted, dice: tuple[SeenDie, ...], read_as: tuple[Die, ...]
) -> tuple[int, ...] | None:
    """Which dice on the table (by their place) hands threw again; None while some are in a hand.

    `read_as` are the same dice as the eye read them, before an ability or a correction made them
    count as something else: one that lies there unmoved and shows that was not thrown, and who
    turns a die to show what it counts as has thrown nothing either.
    """
    if Counter[str](d.body for d in dice) != Counter(die.body for die in on_table.kept):
        return None
    known = list(zip_longest(on_table.kept, read_as[: len(on_table.kept)]))
    lies = _lie_still(known, dice)
    taken = [place for place in range(len(known)) if place not in lies.values()]
    if any(counts != read for counts, read in known):
        shown = Counter((d.body, d.value) for n, d in enumerate(dice) if n not in lies)
        if shown == Counter((on_table.kept[at].body, on_table.kept[at].value) for at in taken):
            return ()
    return tuple(taken)


def _lie_still(known: Sequence[tuple[Die, Die | None]], dice: Sequence[SeenDie]) -> dict[int, int]:
    """Each unmoved die's place among the known ones, given to as many as can have one.

    A die fits what it counts as or what it was read as; who has one face only chooses first.
    """
    lies: dict[int, int] = {}

    def find(place: int, tried: set[int]) -> bool:
        for n, seen in enumerate(dice):
            fits = any(die is not None and _is(seen, die) for die in known[place])
            if n not in tried and not seen.moved and fits:
                tried.add(n)
                if n not in lies or find(lies[n], tried):
                    lies[n] = place
                    return True
        return False

    for place in sorted(range(len(known)), key=lambda at: known[at][0] != known[at][1]):
        find(place, set())
    return lies


def reported_alone(wanted: DiceWanted, reported: Mapping[str, int]) -> Rolled | None:
    """The roll, where only character dice are thrown and each has reported: no eye needed."""
    if set(wanted.bodies) != {"blue"} or any(die not in reported for die in wanted.characters):
        return None
    return Rolled(tuple(Die("blue", reported[die]) for die in wanted.characters))


def body_counts(bodies: tuple[str, ...]) -> Text:
    """`3 black, 2 white`: what to throw."""
    return _counted(Counter(bodies))


def _matched(bodies: tuple[str, ...], dice: list[SeenDie]) -> list[SeenDie]:
    """The seen dice in the order of the wanted bodies, from left to right among equals."""
    rest = sorted(dice, key=lambda d: d.centre)
    found = []
    for body in bodies:
        die = next(d for d in rest if d.body == body)
        rest.remove(die)
        found.append(die)
    return found


def _still_first(kept: tuple[Die, ...], seen: list[SeenDie]) -> list[Die]:
    """The kept dice that surely lie still before those that may have been pushed."""
    return sorted(kept, key=lambda die: not any(_is(d, die) and not d.moved for d in seen))


def _is(seen: SeenDie, kept: Die) -> bool:
    """The same die, as far as the eye can tell: print on a character die has no value for it."""
    values = (kept.value, 0) if seen.body == "blue" else (kept.value,)
    return seen.body == kept.body and seen.value in values


def _with_faces(dice: list[SeenDie], faces: Sequence[int]) -> list[SeenDie]:
    """The character dice with the faces that they reported, in order."""
    left = iter(faces)
    return [replace(d, value=next(left), second=0) if d.body == "blue" else d for d in dice]


def _rolled(dice: list[SeenDie]) -> Rolled:
    return Rolled(tuple(Die(d.body, d.value) for d in dice))


def _miscount(have: Counter[str], want: Counter[str]) -> Text:
    return text("Wanted: {want}. I see: {have}.", want=_counted(want), have=_counted(have))


def _counted(bodies: Counter[str]) -> Text:
    some = [(body, n) for body in ("black", "white", "blue", "other") if (n := bodies[body])]
    if not some:
        return text("no dice")
    shown = _one(*some[0])
    for body, n in some[1:]:
        shown = text("{some}, {more}", some=shown, more=_one(body, n))
    return shown


def _one(body: str, n: int) -> Text:
    return text("{n} {body}", n=n, body=body_name(body))


def body_name(body: str) -> Text:
    return BODIES.get(body, text("other"))


def nudged(count: int) -> Text:
    """Dice moved, and nobody threw them."""
    if count == 1:
        return text("A die moved without a roll. Put it back.")
    return text("{n} dice moved without a roll. Put them back.", n=count)
