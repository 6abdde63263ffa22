"""The table's own menu, behind the back button: take back, correct, rule, enter by hand, stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from companion.bots.api import LEVEL_NAMES, Bot
from companion.errors import Illegal
from companion.games.api import Die, Rolled
from companion.memory.sentences import move_sentence
from companion.memory.timeline import Move, Ruling, Timeline
from companion.table.lobby import MODE_NAMES, MODE_WORDS, MODES, Rename
from companion.table.rolls import body_name
from companion.views import Choice, Dice, Face, Line, Part
from companion.words import Panel, Seat, SeatNo, Text, name_text, text

Path: TypeAlias = tuple[str | int, ...]
"""Where in the menu a panel is: `("roll", 12, 1)` is die 1 of the roll at entry 12."""

MODES_PAGE: Path = ("modes",)
NAMES_PAGE: Path = ("names",)


@dataclass(frozen=True, slots=True)
class Open:
    """Go deeper into the menu."""

    path: Path


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undo one's own last decision, alone: nothing was revealed since."""

    seq: int


@dataclass(frozen=True, slots=True)
class Propose:
    """Something that every seat in play must agree to."""

    kind: Literal["back", "fix", "rule", "mode", "aside", "stop"]
    what: Any  # an entry's number; number and action; a Ruling; a mode; nothing


@dataclass(frozen=True, slots=True)
class Vote:
    """A seat's word on what was proposed."""

    agree: bool


@dataclass(frozen=True, slots=True)
class Throw:
    """A roll told by hand, or a doubtful reading settled."""

    rolled: Rolled


@dataclass(frozen=True, slots=True)
class After:
    """What comes after the end: the same again, or another game."""

    again: bool


@dataclass(frozen=True, slots=True)
class SignOff:
    """No phone speaks for this seat any longer."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """A seat goes to another panel or to the companion (`level`); neither: to whoever comes, and
    it stays where it is till then."""

    seat: SeatNo
    panel: Panel | None
    level: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """One place in the menu."""

    title: Text
    choices: tuple[Choice, ...]
    parts: tuple[Part, ...] = ()
    cursor: int = 0


def page(path: Path, line: Timeline, seat: SeatNo, mode: str) -> Page:
    """What the menu shows at this place."""
    match path:
        case ("counters",):
            return Page(text("Set which number?"), tuple(_counters(line)))
        case ("counter", str(key)):
            return _counter(line, key)
        case ("rolls",):
            return Page(text("Correct which roll?"), tuple(_rolls(line)))
        case ("roll", int(seq), *die):
            return _roll(line, seq, die)
        case ("hand", *values):
            return _hand(line, [int(v) for v in values])
        case ("modes",):
            return modes_page(mode, lambda one: Propose("mode", one))
        case ("advice",):
            return _advice(line, seat)
        case _:
            return Page(text("The table's menu"), tuple(_root(line, seat, mode)))


def _root(line: Timeline, seat: SeatNo, mode: str) -> Iterator[Choice]:
    game, state = line.game, line.state
    if line.waiting.dice is not None:
        yield Choice(text("Enter dice by hand"), Open(("hand",)))
    if own := line.own_last(seat):
        what = game.tell(line.before(own.seq), own.what, seat)
        yield Choice(text("Take back"), TakeBack(own.seq), what)
    if shown := line.last_reveal():
        yield Choice(
            text("Go back, if all agree"), Propose("back", shown.seq), move_sentence(line, shown)
        )
    if line.rolls():
        yield Choice(text("Correct a roll"), Open(("rolls",)))
    if game.rulings.overrule and game.rulings.counters(state) and line.waiting:
        yield Choice(text("Set a number"), Open(("counters",)))
    if game.advice and mode == "coach" and line.waiting:
        yield Choice(text("Advice"), Open(("advice",)))
    if any(rule.kind == "house" for rule in game.rules):
        yield Choice(text("House rules"), Open(("house",)), text("what we decided"))
    if line.result is not None:
        return
    yield Choice(text("Mode: {mode}", mode=MODE_WORDS[mode]), Open(MODES_PAGE), MODE_NAMES[mode])
    yield Choice(text("Set this game aside"), Propose("aside", None), text("to go on another day"))
    yield Choice(text("Give up"), Propose("stop", None), text("if all agree"))


def modes_page(mode: str, choose: Callable[[str], Any]) -> Page:
    """All modes; the finger is on the one that stands."""
    rows = tuple(Choice(MODE_NAMES[one], Open(()) if one == mode else choose(one)) for one in MODES)
    return Page(text("How strict?"), rows, cursor=MODES.index(mode))


def _counters(line: Timeline) -> Iterator[Choice]:
    for counter in line.game.rulings.counters(line.state):
        label = text("{label}: {value}", label=counter.label, value=counter.value)
        yield Choice(label, Open(("counter", counter.key)))


def _counter(line: Timeline, key: str) -> Page:
    counter = next((c for c in line.game.rulings.counters(line.state) if c.key == key), None)
    if counter is None:
        return Page(text("This number is gone."), ())
    values = range(counter.low, counter.high + 1)
    choices = tuple(
        Choice(text("{n}", n=value), Propose("rule", Ruling(key, value))) for value in values
    )
    cursor = max(0, min(counter.value, counter.high) - counter.low)
    return Page(text("{label} should be", label=counter.label), choices, cursor=cursor)


def _rolls(line: Timeline) -> Iterator[Choice]:
    rolls = line.rolls()
    for number, move in enumerate(rolls):
        values = " ".join(str(die.value) for die in move.what.dice)
        label = text("Roll {n}: {values}", n=len(rolls) - number, values=values)
        yield Choice(label, Open(("roll", move.seq)))


def _roll(line: Timeline, seq: int, die: list[Any]) -> Page:
    move = next((m for m in line.rolls() if m.seq == seq), None)
    if move is None:
        return Page(text("This roll no longer counts."), ())
    dice = move.what.dice
    shown = (Dice(tuple(Face(d.body, d.value) for d in dice)),)
    if not die:
        choices = [
            Choice(text("Die {n}: {value}", n=n + 1, value=d.value), Open(("roll", seq, n)))
            for n, d in enumerate(dice)
        ]
        return Page(text("Which die was misread?"), tuple(choices), shown)
    at = int(die[0])
    choices = [
        Choice(
            text("It was a {value}", value=value),
            Propose("fix", (seq, Rolled((*dice[:at], Die(dice[at].body, value), *dice[at + 1 :])))),
        )
        for value in range(1, 7)
        if value != dice[at].value
    ]
    return Page(text("Die {n} was not a {value}", n=at + 1, value=dice[at].value), tuple(choices))


def _hand(line: Timeline, values: list[int]) -> Page:
    wanted = line.waiting.dice
    if wanted is None:
        return Page(text("No roll is wanted now."), ())
    body = wanted.bodies[len(values)] if len(values) < len(wanted.bodies) else ""
    dice = tuple(Die(b, v) for b, v in zip(wanted.bodies, values, strict=False))
    shown = (Dice(tuple(Face(d.body, d.value) for d in dice)),) if dice else ()
    if not body:
        done = Choice(text("Yes, that is the roll"), Throw(Rolled(dice)))
        return Page(
            text("Is this right?"), (done, Choice(text("Start over"), Open(("hand",)))), shown
        )
    choices = []
    for value in range(1, 7):
        choices.append(Choice(text("{n}", n=value), Open(("hand", *values, value))))
    n, of = len(values) + 1, len(wanted.bodies)
    title = text("Die {n} of {all} ({body})", n=n, all=of, body=body_name(body))
    return Page(title, tuple(choices), shown)


def _advice(line: Timeline, seat: SeatNo) -> Page:
    if line.game.advice is None:
        return Page(text("No advice here."), ())
    lines = line.game.advice(line.state, seat)
    rows = tuple(Choice(one, Open(())) for one in lines)
    return Page(text("Advice"), rows, tuple(Line(one) for one in lines))


def names_page(seat: SeatNo, names: tuple[str, ...]) -> Page:
    """Every name that is free."""
    rows = tuple(Choice(name_text(name), Rename(seat, name)) for name in names)
    return Page(text("Your name?"), rows)


def leave_page(
    seat: SeatNo, free: tuple[Panel, ...], bots: tuple[Bot, ...], why_not: Text | None
) -> Page:
    """Who gets the seat of somebody who has to go."""
    rows = [
        Choice(
            text("Companion, {level}", level=LEVEL_NAMES[bot.level]),
            HandOver(seat, None, bot.level),
            bot.says,
        )
        for bot in bots
    ]
    if free:
        rows.insert(0, Choice(text("Whoever comes"), HandOver(seat, None),
                              text("takes it at a free panel")))  # fmt: skip
    rows += [Choice(text("Panel {n}", n=one + 1), HandOver(seat, one)) for one in free]
    return Page(text("Who gets your seat?"), tuple(rows), (Line(why_not),) if why_not else ())


def consequences(line: Timeline, after: Timeline) -> Iterator[Text]:
    """What a correction changes, number by number."""
    new = {c.key: c for c in after.game.rulings.counters(after.state)}
    for old in line.game.rulings.counters(line.state):
        now = new.get(old.key)
        if now is not None and now.value != old.value:
            yield text("{label}: {old}, now {new}", label=old.label, old=old.value, new=now.value)
    before, later = line.result, after.result
    if before != later:
        if later is not None:
            yield text("The game is over: {why}", why=later.why)
        else:
            yield text("The game goes on.")


def broken(move: Move, why: Illegal, line: Timeline) -> Text:
    """The later move that a correction makes impossible."""
    return text(
        "No longer legal: {what}. {rule}: {why} Play goes on from there.",
        what=move_sentence(line, move),
        rule=why.rule,
        why=why.why,
    )


def by(seat: SeatNo, what: Text) -> Text:
    """Who proposes what."""
    return text("{who} proposes: {what}", who=Seat(seat), what=what)


def tells_roll(path: Path) -> bool:
    """Does somebody enter a roll by hand here?"""
    return path[:1] == ("hand",)


def up(path: Path) -> Path:
    """One step out of the menu."""
    match path:
        case () | ("menu",) | ("names",) | ("teach",) | ("rule", _) | ("sure", _, _):
            return ()
        case ("counter", _):
            return ("counters",)
        case ("roll", seq, _):
            return ("roll", seq)
        case ("roll", _):
            return ("rolls",)
        case ("learn", _) | ("words",) | ("rules",):
            return ("learn",)
        case ("rules", _):
            return ("rules",)
        case ("hand", *values) if values:
            return path[:-1]
        case ("box", _, "?"):
            return ()
        case ("box", _, _, _, *more) if more:
            return path[:4]
        case ("box", *more) if more:
            return path[:-1]
        case _:
            return ("menu",)
