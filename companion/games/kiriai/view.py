"""What a seat, or everybody, may see of a duel and may press."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.api import seal, sealed_line
from companion.games.kiriai.cards import (
    CARD_NAMES,
    COUNTER,
    FACES,
    HEAVEN,
    SPECIAL,
    SPECIALS,
    STANCE_NAMES,
)
from companion.games.kiriai.duel import BLUE, NOBODY, RED
from companion.games.kiriai.play import legal, waiting, why_barred
from companion.games.kiriai.state import (
    DEFEATED,
    SEATS,
    SETTING_UP,
    Fighter,
    GoOn,
    Pick,
    Place,
    Seal,
    State,
    Step,
    Told,
    faces_of,
    free,
    layable,
    own_face,
)
from companion.views import Cards, Choice, Line, Meter, Part, Piece, Track, View
from companion.words import Seat, SeatNo, Text, text

_PLACES = (text("first"), text("second"))
_ORDER = ("balanced", "low", "high", SPECIAL, "charge", "approach", "stance", "retreat")


def view(state: State, seat: SeatNo | None) -> View:
    """The one door out: `seat` sees its own cards, None sees what lies open."""
    return View(
        title=_title(state, seat),
        waiting=_asked(state, seat),
        parts=tuple(_parts(state, seat)),
        choices=() if seat is None else tuple(_choices(state, seat)),
        brief=() if seat is not None else tuple(_brief(state)),
        seat=seat,
    )


def step_text(step: Step, number: int) -> Text:
    """Both cards of one action in a line, and what came of it."""
    return text("{cards}. {effect}", cards=cards_text(step.faces, number), effect=effect_text(step))


def opened_text(state: State) -> Text:
    """The cards that were just opened, while a special of cardboard still has no name."""
    number = len(state.steps)
    laid = [fighter.plan[number].face for fighter in state.fighters]
    faces = [
        own_face(fighter, face).key if fighter.done else face
        for fighter, face in zip(state.fighters, laid, strict=True)
    ]
    return cards_text((faces[BLUE], faces[RED]), number + 1)


def cards_text(faces: tuple[str, str], number: int) -> Text:
    """Both cards of one action."""
    holes = {"blue": Seat(BLUE), "red": Seat(RED)}
    names = {"a": FACES[faces[BLUE]].name, "b": FACES[faces[RED]].name}
    if number == 1:
        return text("1st: {blue} {a}, {red} {b}", **holes, **names)
    return text("2nd: {blue} {a}, {red} {b}", **holes, **names)


def effect_text(step: Step) -> Text:
    """What came of the two cards."""
    outcome = step.outcome
    if outcome.hurt != NOBODY:
        by, hurt = 1 - outcome.hurt, outcome.hurt
        if step.faces[by] == COUNTER:
            return text("{who} turns the hit: {other} is wounded", who=Seat(by), other=Seat(hurt))
        return text("{who} wounds {other}", who=Seat(by), other=Seat(hurt))
    if all(outcome.hits):
        return text("Swords clash")
    if "K-R27" in outcome.rules:
        return text("A feint, no hit")
    if any(FACES[face].reach or face == COUNTER for face in step.faces):
        distance = outcome.after[RED].space - outcome.after[BLUE].space
        return text("No hit at distance {d}", d=distance)
    return text("No blows")


def _title(state: State, seat: int | None) -> Text:
    """Where the duel stands; a seat reads which samurai is its own."""
    if state.phase == "over":
        return text("The duel is over")
    if state.phase in SETTING_UP:
        return text("Set-up") if seat is None else text("{who}, set-up", who=Seat(seat))
    if seat is None:
        return text("Round {n}", n=state.round)
    return text("{who}, round {n}", who=Seat(seat), n=state.round)


def _asked(state: State, seat: int | None) -> Text:
    """Whose move it is, in the reader's own terms."""
    if seat is None or state.fighters[seat].done or state.phase in ("deal", "between", "over"):
        return waiting(state).why
    if state.phase == "tell":
        return text("Which special is yours?")
    if state.phase == "show":
        return text("Which special is it?")
    if state.phase == "place":
        return text("Choose space and stance")
    laid = len(state.fighters[seat].plan)
    if laid == 0:
        return text("Lay your 1st card")
    return text("Lay your 2nd card") if laid == 1 else text("Seal your plan?")


def _parts(state: State, seat: int | None) -> Iterator[Part]:
    yield from _track(state)
    if seat is not None:
        yield from _own(state, seat)
    for number, step in enumerate(state.steps, 1):
        yield from _step(step, number)
    if state.phase == "show":
        yield Line(opened_text(state))
    if state.phase in ("tell", "place", "choose"):
        for other in SEATS:
            if state.fighters[other].done and other != seat:
                yield Line(text("{who} has chosen", who=Seat(other)))
    yield from _wounds(state)
    yield from _set_aside(state)
    yield from _spent(state)
    yield from _opened_seals(state)


def _brief(state: State) -> Iterator[Part]:
    """For the table's small display: the track, the last cards opened, wounds, opened seals."""
    yield from _track(state)
    if state.phase == "show":
        yield Line(opened_text(state))
    elif state.steps:
        yield Line(step_text(state.steps[-1], len(state.steps)))
        yield from _forced(state.steps[-1])
    if state.phase != "over":  # then the wounds are the score
        yield from _wounds(state)
        yield from _set_aside(state)
    yield from _opened_seals(state)


def _opened_seals(state: State) -> Iterator[Cards]:
    """For whoever wants to check the box: what was hashed, and the code that was shown before."""
    seals = tuple(_seals(state))
    for seat in SEATS:
        opened = tuple(
            (text("{line}", line=line), text("gives {code}", code=code))
            for whose, line, code in seals
            if whose == seat
        )
        if opened:
            yield Cards(text("Seals of {who}", who=Seat(seat)), opened)


def _track(state: State) -> Iterator[Track]:
    blue, red = state.fighters
    if blue.stand.space and red.stand.space:
        yield Track(state.size, (_piece("B", blue, "right"), _piece("R", red, "left")))
    elif state.phase == "place":  # empty: where to stand is tapped there
        yield Track(state.size, ())


def _wounds(state: State) -> Iterator[Meter]:
    for each, fighter in enumerate(state.fighters):
        label = text("Wounds of {who}", who=Seat(each))
        yield Meter(label, fighter.wounds, DEFEATED, f"wounds{each}")


def _set_aside(state: State) -> Iterator[Cards]:
    rests = [
        (CARD_NAMES[f.aside], text("{who}", who=Seat(n)))
        for n, f in enumerate(state.fighters)
        if f.aside
    ]
    if rests:
        yield Cards(text("Set aside"), tuple(rests))


def _spent(state: State) -> Iterator[Cards]:
    spent = [
        (FACES[f.spent].name, text("{who}", who=Seat(n)))
        for n, f in enumerate(state.fighters)
        if f.spent
    ]
    if spent:
        yield Cards(text("Specials played"), tuple(spent))


def _piece(sign: str, fighter: Fighter, facing: Any) -> Piece:
    stand = fighter.stand
    return Piece(sign, stand.space, facing, stand.stance == HEAVEN, fighter.wounds > 0)


def _own(state: State, seat: int) -> Iterator[Part]:
    """What only this seat sees: plan with its codes, start, hand."""
    fighter = state.fighters[seat]
    if fighter.plan and state.phase != "over":
        sealed = fighter.done or state.phase != "choose"
        plan = []
        for place, laid in zip(_PLACES, fighter.plan, strict=False):
            note = text("{code}", code=seal(laid.face, laid.salt)) if sealed else place
            plan.append((own_face(fighter, laid.face).name, note))
        yield Cards(text("Your codes") if sealed else text("Your plan"), tuple(plan))
    if state.phase == "place" and (start := fighter.placed):
        code = seal([start.space, start.stance], start.salt)
        stance = STANCE_NAMES[start.stance]
        yield Line(text("You start on {n}, {stance}", n=start.space, stance=stance))
        yield Line(text("Your code is {code}", code=code))
    if state.phase not in ("deal", "tell", "over"):
        hand = [
            (own_face(fighter, face).name, own_face(fighter, face).detail)
            for face in sorted(layable(fighter, state.cardboard), key=_place)
        ]
        yield Cards(text("Your hand"), tuple(hand))


def _step(step: Step, number: int) -> Iterator[Line]:
    """One action, to be leafed through: cards, effect, moves; its rules stand in the story."""
    yield Line(step_text(step, number))
    for seat in SEATS:
        start, end = step.before[seat], step.outcome.after[seat]
        if start.space != end.space:
            yield Line(
                text("{who}: {a} to {b}", who=Seat(seat), a=start.space, b=end.space),
            )
        if start.stance != end.stance:
            yield Line(
                text("{who} turns to {stance}", who=Seat(seat), stance=STANCE_NAMES[end.stance])
            )
    yield from _forced(step)


def _forced(step: Step) -> Iterator[Line]:
    """Soft mode: whose card a rule forbade."""
    for seat in SEATS:
        if step.forced[seat]:
            yield Line(text("{who} plays against {rule}", who=Seat(seat), rule="K-R11"))


def _seals(state: State) -> Iterator[tuple[int, str, str]]:
    """Opened seals: whose, the very line that `seal` hashed, and the code that it gave."""
    if state.round == 1 and not state.steps and state.phase not in SETTING_UP:
        for seat, fighter in enumerate(state.fighters):
            if start := fighter.placed:
                yield from _opened(seat, [start.space, start.stance], start.salt)
    for step in state.steps:
        for seat in SEATS:
            face = step.faces[seat]
            word = SPECIAL if state.cardboard and face in SPECIALS else face
            yield from _opened(seat, word, step.salts[seat])


def _opened(seat: int, choice: object, salt: str) -> Iterator[tuple[int, str, str]]:
    """With choice, salt and code the table can check the box."""
    if salt:
        yield seat, sealed_line(choice, salt), seal(choice, salt)


def _choices(state: State, seat: int) -> Iterator[Choice]:
    fighter = state.fighters[seat]
    for action in sorted(legal(state, seat), key=lambda one: _place(getattr(one, "face", None))):
        yield _choice(fighter, action)
    if state.phase == "choose" and not fighter.done and len(fighter.plan) < 2:
        for face in faces_of(fighter, state.cardboard):
            if not free(fighter, face):
                name = own_face(fighter, face).name
                yield Choice(name, Pick(seat, face), why_barred(fighter, face), barred="K-R11")


def _place(face: str | None) -> int:
    """Where a card stands in every list: blades by their reach, then steps, the longest first."""
    return len(_ORDER) if face is None else _ORDER.index(face if face in _ORDER else SPECIAL)


def _choice(fighter: Fighter, action: Any) -> Choice:
    match action:
        case Pick():
            face = own_face(fighter, action.face)
            return Choice(face.name, action, face.detail, drawn=("card", face.name))
        case Seal():
            return Choice(text("Seal the plan"), action, text("then it stands"))
        case GoOn():
            return Choice(text("Go on"), action, text("open the 2nd cards"))
        case Place():
            stance = STANCE_NAMES[action.stance]
            label = text("{n}, {stance}", n=action.space, stance=stance)
            return Choice(label, action, drawn=("space", action.space))
        case Told(special=""):
            return Choice(text("Do not tell"), action, text("it stays your secret"))
        case Told():
            return Choice(FACES[action.special].name, action, text("tell that you hold it"))
    return Choice(FACES[action.special].name, action, FACES[action.special].detail)
