"""What each panel is offered: the game's choices, or the table's own questions and menu."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.camera_talk import CALIBRATE, UNDER_WAY, Calibrate, CameraTalk
from companion.games.api import Game, Result
from companion.menu import After, Answer, Open, Path, SignOff, Throw, page, told
from companion.rolls import Verdict, body_counts
from companion.timeline import Timeline
from companion.views import BLANK, Choice, Dice, Face, Line, Meter, Part, View
from companion.words import Seat, Text, text

LOG = 4  # moves that the public view tells of


@dataclass(slots=True)
class Hand:
    """Where a panel's finger is: not part of any game, forgotten when the plug is pulled."""

    cursor: int = 0
    page: int | None = None
    path: Path = ()
    notice: Text = BLANK
    seq: int = 0
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """What stands to be agreed: the entry it would make and where it would lead."""

    kind: Any  # a journal's Kind, or "stop"
    by: int
    body: dict[str, Any]
    after: Timeline | None
    says: tuple[Text, ...]
    agreed: frozenset[int] = frozenset()

    def with_word_of(self, seat: int) -> Proposal:
        """One more seat agrees."""
        return replace(self, agreed=self.agreed | {seat})


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a view is made from."""

    line: Timeline
    players: tuple[int, ...]
    names: tuple[Text, ...]
    mode: str
    in_lobby: bool
    proposal: Proposal | None
    question: Verdict | None
    lost: tuple[Text, ...]
    camera: CameraTalk
    phones: frozenset[int] = frozenset()  # panels that a phone speaks for, too

    @property
    def game(self) -> Game[Any]:
        """The game on the table."""
        return self.line.game

    @property
    def state(self) -> Any:
        """Where it stands."""
        return self.line.state


def public_view(scene: Scene) -> View:
    """What anybody may see."""
    view = _told(scene, None, scene.game.view(scene.state, None))
    notice = scene.lost[0] if scene.lost else UNDER_WAY if scene.camera.told else BLANK
    if scene.proposal is not None:
        parts: tuple[Part, ...] = tuple(Line(one) for one in scene.proposal.says)
        view = replace(view, waiting=text("Agreed by all?"), parts=parts)
    return replace(view, names=scene.names, choices=(), page=0, notice=notice)


def panel_view(scene: Scene, panel: int, hand: Hand) -> View:
    """What the seat at this panel may see and press."""
    seat = scene.players.index(panel) if panel in scene.players else None
    view = _told(scene, seat, scene.game.view(scene.state, seat))
    cursor = 0
    if seat is None:
        view = replace(view, choices=())
    elif scene.proposal is not None:
        view = _asked_to_agree(scene.proposal, seat, view)
    elif (step := scene.camera.page(panel)) is not None:
        view = replace(view, waiting=step.title, parts=step.parts, choices=step.choices)
    elif hand.path:
        place = page(hand.path, scene.line, seat, scene.mode)
        cursor = place.cursor
        choices = place.choices or (Choice(text("Back to the game"), Open(())),)
        if hand.path == ("menu",):
            choices = _of_this_table(scene, panel, () if scene.in_lobby else choices)
        view = replace(view, waiting=place.title, parts=place.parts, choices=choices)
    elif _result(scene) is not None:
        again = Choice(text("Play again"), After(True))
        view = replace(view, choices=(again, Choice(text("Another game"), After(False))))
    elif (dice := scene.game.waiting(scene.state).dice) is not None:
        if not dice.by or seat in dice.by:
            view = _asked_for_dice(scene, dice.bodies, view)
    elif scene.mode == "coach" and view.choices and scene.game.advice is not None:
        view = replace(view, parts=(*view.parts, *_coach(scene, seat)))
    leaf = hand.page if view.choices else (hand.page or 0)
    return replace(
        view, seat=seat, names=scene.names, notice=hand.notice, cursor=cursor, page=leaf,
        lamp=bool(view.choices) and not hand.path and _result(scene) is None,
    )  # fmt: skip


def _of_this_table(scene: Scene, panel: int, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The menu of the game, and what there is to do about this table's own devices."""
    if scene.camera.there:
        choices = (*choices, Choice(CALIBRATE, Calibrate("start")))
    if panel in scene.phones:
        choices = (*choices, Choice(text("Sign off the phone"), SignOff()))
    return choices


def _told(scene: Scene, seat: int | None, view: View) -> View:
    """Add the end, with its breakdown, when there is one."""
    result = _result(scene)
    if result is None:
        return view
    return replace(
        view, waiting=text("The game is over."), parts=(*_ending(result, seat), *view.parts)
    )


def _result(scene: Scene) -> Result | None:
    return None if scene.in_lobby else scene.game.result(scene.state)


def _ending(result: Result, seat: int | None) -> list[Part]:
    parts: list[Part] = []
    if seat is not None and result.winners:
        won = text("You win!") if seat in result.winners else text("You lose.")
        parts.append(Line(won, big=True))
    parts.append(Line(result.why, big=seat is None))
    for score in result.scores:
        parts.append(Meter(text("{who}", who=Seat(score.seat)), score.total))
        parts.extend(
            Line(text("{who}: {what} {n}", who=Seat(score.seat), what=what, n=n))
            for what, n in score.breakdown
        )
    return parts


def _asked_to_agree(proposal: Proposal, seat: int, view: View) -> View:
    parts: tuple[Part, ...] = tuple(Line(one) for one in proposal.says)
    choices: tuple[Choice, ...] = ()
    if seat not in proposal.agreed:
        choices = (
            Choice(text("Agree"), Answer(True), proposal.says[0]),
            Choice(text("Do not agree"), Answer(False), proposal.says[0]),
        )
    waiting = text("Waiting for the others to agree") if not choices else proposal.says[0]
    return replace(view, waiting=waiting, parts=parts, choices=choices)


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


def _coach(scene: Scene, seat: int) -> list[Part]:
    advice = scene.game.advice
    return [Line(one) for one in advice(scene.state, seat)] if advice else []


def log_of(scene: Scene, viewer: int | None = None, last: int = LOG) -> tuple[Text, ...]:
    """The last moves as this viewer may be told of them, the newest last."""
    return tuple(told(scene.line, move, viewer) for move in scene.line.moves[-last:])
