"""What each panel is offered: the game's choices, or the table's own questions and menu."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from companion.games.api import Game, Result
from companion.memory.seals import short
from companion.memory.sentences import move_sentence
from companion.memory.timeline import Timeline
from companion.table.agreement import Proposal
from companion.table.calibration_talk import CALIBRATE, UNDER_WAY, Calibrate, CameraTalk
from companion.table.fingers import Finger
from companion.table.menu import After, Answer, Open, Page, Path, SignOff, Throw, page
from companion.table.rolls import Verdict, body_counts
from companion.views import BLANK, Choice, Code, Dice, Face, Line, Meter, Part, View
from companion.words import Panel, Seat, SeatNo, Text, text

PHONE: Path = ("phone",)  # the codes that a phone scans
SEED: Path = ("seed",)  # the code that the box is bound by
Note: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a view is made from."""

    line: Timeline
    players: tuple[Panel, ...]
    names: tuple[Text, ...]
    mode: str
    in_lobby: bool
    proposal: Proposal | None
    question: Verdict | None
    lost: tuple[Text, ...]
    camera: CameraTalk
    phones: frozenset[Panel] = frozenset()  # panels that a phone speaks for, too
    codes: tuple[Code, ...] = ()  # what a phone scans to come here
    seed_code: str = ""
    seed: str = ""  # once everybody may know it

    @property
    def game(self) -> Game[Any]:
        """The game on the table."""
        return self.line.game

    @property
    def state(self) -> Any:
        """Where it stands."""
        return self.line.state

    def seat(self, panel: Panel) -> SeatNo | None:
        """The seat of a panel; None if it does not play."""
        return SeatNo(self.players.index(panel)) if panel in self.players else None


def public_view(scene: Scene) -> View:
    """What anybody may see."""
    view = _with_ending(scene, None, scene.line.view(None))
    notice = scene.lost[0] if scene.lost else UNDER_WAY if scene.camera.under_way else BLANK
    if scene.proposal is not None:
        parts: tuple[Part, ...] = tuple(Line(one) for one in scene.proposal.says)
        view = replace(view, waiting=text("Agreed by all?"), parts=parts, brief=())
    return replace(view, names=scene.names, choices=(), page=0, notice=notice)


def glance(scene: Scene) -> View:
    """The public view for a display that turns its pages by itself: a few of them.

    First what the game puts first (the score, the grid, the dice), then what happened last.
    """
    view = public_view(scene)
    parts = view.brief or view.parts
    if scene.proposal is None and _result(scene) is None:
        parts = _with_the_last(parts, log_of(scene, None, last=1))
    return replace(view, parts=parts, brief=())


def _with_the_last(parts: tuple[Part, ...], log: tuple[tuple[Text, str], ...]) -> tuple[Part, ...]:
    """What happened last stands behind the first page, unless the game tells it itself."""
    said = [part.text for part in parts if isinstance(part, Line)]
    news = tuple(Line(what) for what, _ in log if what not in said)
    first = next((n for n, part in enumerate(parts) if type(part) is not type(parts[0])), None)
    return (*parts[:first], *news, *parts[first:]) if first else (*parts, *news)


def offer(scene: Scene, panel: Panel, path: Path) -> tuple[View, int]:
    """What the seat at this panel may see and press, and the choice the finger starts on."""
    seat = scene.seat(panel)
    view = _with_ending(scene, seat, scene.line.view(seat))
    cursor = 0
    if seat is None:
        view = replace(view, choices=())
    elif scene.proposal is not None:
        view = _asked_to_agree(scene.proposal, seat, view)
    elif (step := scene.camera.page(panel)) is not None:
        view = replace(view, waiting=step.title, parts=step.parts, choices=step.choices)
    elif path:
        place = _menu(scene, panel, path, seat)
        cursor = place.cursor
        choices = place.choices or (Choice(text("Back to the game"), Open(())),)
        view = replace(view, waiting=place.title, parts=place.parts, choices=choices)
    elif _result(scene) is not None:
        again = Choice(text("Play again"), After(True))
        view = replace(view, choices=(again, Choice(text("Another game"), After(False))))
    elif (dice := scene.line.waiting.dice) is not None:
        if not dice.by or seat in dice.by:
            view = _asked_for_dice(scene, dice.bodies, view)
    elif scene.mode == "coach" and view.choices and scene.game.advice is not None:
        first, rest = view.parts[:1], view.parts[1:]  # what it is about, then what is said of it
        view = replace(view, parts=(*first, *_coach(scene, seat), *rest))
    return view, cursor


def with_finger(scene: Scene, panel: Panel, finger: Finger, note: Note) -> View:
    """The offer with all that the finger adds: where it points, what it was told."""
    seat = scene.seat(panel)
    view, agreed = finger.offer, scene.proposal is not None and seat in scene.proposal.agreed
    return replace(
        view, seat=seat, names=scene.names, notice=finger.notice, extra=note,
        cursor=finger.cursor, seq=finger.seq,
        page=finger.page if view.choices else finger.page or 0,
        lamp=not finger.path and not agreed and bool(view.choices) and _called(scene, panel, seat),
    )  # fmt: skip


def _called(scene: Scene, panel: Panel, seat: SeatNo | None) -> bool:
    """Does the table wait for this seat? That it may do something is not enough."""
    if _result(scene) is not None:
        return False
    if scene.in_lobby or scene.proposal is not None or scene.camera.page(panel) is not None:
        return True
    waiting = scene.line.waiting
    throws = waiting.dice is not None and (not waiting.dice.by or seat in waiting.dice.by)
    return seat in waiting.seats or throws


def _menu(scene: Scene, panel: Panel, path: Path, seat: SeatNo) -> Page:
    """A place in the table's menu; what concerns its devices is there before a game, too."""
    if path == PHONE:
        return Page(text("By phone"), (), scene.codes)
    if path == SEED:
        return Page(text("The seed"), (), _seed_page(scene.seed_code))
    if scene.in_lobby:
        place = Page(text("The table's menu"), ())
    else:
        place = page(path, scene.line, seat, scene.mode)
    if path != ("menu",):
        return place
    more = [Choice(text("Join by phone"), Open(PHONE))] if scene.codes else []
    more += [Choice(CALIBRATE, Calibrate("start"))] if scene.camera.there else []
    if scene.seed_code and not scene.in_lobby:
        more += [Choice(text("The seed"), Open(SEED))]
    more += [Choice(text("Sign off the phone"), SignOff())] if panel in scene.phones else []
    return replace(place, choices=(*place.choices, *more))


def _seed_page(code: str) -> tuple[Part, ...]:
    """What the box has bound itself to, in the words of docs/seals.md."""
    return (
        Line(text("Seed code {code}", code=short(code)), big=True),
        Line(text("Note it. The seed is shown when the game has ended, and must give this code.")),
        Line(text("Until then it is secret: every salt and every deal comes from it.")),
    )


def _with_ending(scene: Scene, seat: SeatNo | None, view: View) -> View:
    """Put the end first when there is one; what the game itself shows of it is not said twice."""
    result = _result(scene)
    if result is None:
        return view
    ending = _ending(result, seat, view)
    rest = [part for part in view.parts if part not in ending]
    seed = (Line(text("Seed {seed}", seed=short(scene.seed))),) if scene.seed else ()
    why, *totals = (part for part in ending if isinstance(part, Meter) or part is ending[0])
    return replace(
        view, waiting=text("The game is over."),
        parts=(*ending, *rest, *seed), brief=(why, *totals, *view.brief, *seed),
    )  # fmt: skip


def _result(scene: Scene) -> Result | None:
    return None if scene.in_lobby else scene.line.result


def _ending(result: Result, seat: SeatNo | None, view: View) -> list[Part]:
    meters = {(part.label, part.value): part for part in view.parts if isinstance(part, Meter)}
    parts: list[Part] = []
    if seat is not None and result.winners:
        won = text("You win!") if seat in result.winners else text("You lose.")
        parts.append(Line(won, big=True))
    parts.append(Line(result.why, big=seat is None))
    for score in result.scores:
        who = text("{who}", who=Seat(score.seat))
        parts.append(meters.get((who, score.total), Meter(who, score.total)))
        parts.extend(
            Line(text("{who}: {what} = {n}", who=Seat(score.seat), what=what, n=n))
            for what, n in score.breakdown
        )
    return parts


def _asked_to_agree(proposal: Proposal, seat: SeatNo, view: View) -> View:
    parts: tuple[Part, ...] = tuple(Line(one) for one in proposal.says)
    if seat in proposal.agreed:
        waiting = text("Do the others agree?")
        never_mind = Choice(text("Never mind"), Answer(False), proposal.says[0])
        return replace(view, waiting=waiting, parts=parts, choices=(never_mind,))
    choices = (
        Choice(text("Agree"), Answer(True), proposal.says[0]),
        Choice(text("Do not agree"), Answer(False), proposal.says[0]),
    )
    return replace(view, waiting=proposal.says[0], parts=parts, choices=choices)


def _asked_for_dice(scene: Scene, bodies: tuple[str, ...], view: View) -> View:
    by_hand = Choice(text("Enter by hand"), Open(("hand",)))
    if (question := scene.question) is None:
        waiting = text("Throw {dice}", dice=body_counts(bodies))
        return replace(view, waiting=waiting, choices=(*view.choices, by_hand))
    shown = tuple(Face(d.body, d.value, "doubt") for d in question.doubtful)
    parts: tuple[Part, ...] = (Dice(shown),) if shown else ()
    guesses = tuple(
        Choice(
            text("It is {values}", values=" ".join(str(d.value) for d in guess.dice)), Throw(guess)
        )
        for guess in question.guesses
    )
    again = text("None of these: by hand") if guesses else text("Enter by hand")
    return replace(
        view,
        waiting=question.why or view.waiting,
        parts=parts + view.parts,
        choices=(*guesses, Choice(again, Open(("hand",)))),
    )


def _coach(scene: Scene, seat: SeatNo) -> list[Part]:
    advice = scene.game.advice
    return [Line(one) for one in advice(scene.state, seat)] if advice else []


def log_of(scene: Scene, viewer: SeatNo | None, last: int) -> tuple[tuple[Text, str], ...]:
    """The last moves as this viewer may be told of them, each with its rule, the newest last."""
    if scene.in_lobby:
        return ()
    line = scene.line
    return tuple(
        (move_sentence(line, move, viewer), line.rule(move)) for move in line.moves[-last:]
    )
