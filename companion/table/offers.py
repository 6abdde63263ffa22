"""What each panel is offered: the game's choices, or the table's own questions and menu."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

from companion.bots.api import Bot
from companion.games.api import DiceWanted, Game, Result, Rolled
from companion.games.lesson import Tip
from companion.memory.seals import short
from companion.memory.sentences import move_sentence
from companion.memory.timeline import Timeline
from companion.table import learning, looking_back
from companion.table.agreement import Proposal
from companion.table.asked import asked, coached, first_of, sure_page
from companion.table.box_menu import ASK, BoxMenu, Decisive, asking, decisive
from companion.table.calibration_talk import CALIBRATE, UNDER_WAY, CameraChoice, CameraTalk
from companion.table.company import Reason
from companion.table.endings import with_ending
from companion.table.fingers import Finger
from companion.table.lobby import Rename, SetMode, TeachMe, free_names
from companion.table.menu import (
    MODES_PAGE,
    NAMES_PAGE,
    After,
    HandOver,
    Open,
    Page,
    Path,
    SignOff,
    Throw,
    Vote,
    leave_page,
    modes_page,
    names_page,
    page,
)
from companion.table.rolls import Verdict, body_counts
from companion.table.teaching import ENOUGH, marked
from companion.views import (
    BLANK,
    Beat,
    Choice,
    Code,
    Dice,
    Ending,
    Face,
    Line,
    Part,
    View,
)
from companion.words import Panel, Seat, SeatNo, Text, text

MY_BOX = text("My box")
PHONE: Path = ("phone",)  # the codes that a phone scans
BY_HAND = Open(("hand",))
LEAVE: Path = ("leave",)  # who gets the seat
WHY: Path = ("why",)  # what the companion thought
TEACH: Path = ("teach",)  # which game is taught
SEED: Path = ("seed",)  # the code that the box is bound by
Note: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a view is made from."""

    line: Timeline
    players: tuple[Panel | None, ...]  # by seat; None: the companion plays it
    names: tuple[Text, ...]
    mode: str
    in_lobby: bool
    proposal: Proposal | None
    question: Verdict | None
    lost: tuple[Text, ...]
    camera: CameraTalk
    phones: frozenset[Panel] = frozenset()  # panels that a phone speaks for, too
    codes: tuple[Code, ...] = ()  # what a phone scans to come here
    places: tuple[Code, ...] = ()  # what it scans to sit down at each panel: for that glass alone
    free: tuple[Panel, ...] = ()  # panels at which nobody plays
    known: tuple[str, ...] = ()  # names that this table knows
    left: frozenset[SeatNo] = frozenset()  # seats whose players have gone
    seed_code: str = ""
    seed: str = ""  # once everybody may know it
    box: BoxMenu | None = None
    goes_on: bool = False  # what has its moment is taken by itself
    company: frozenset[SeatNo] = frozenset()  # seats that the companion plays
    reasons: tuple[Reason, ...] = ()  # of its last moves
    able: Callable[[], tuple[tuple[Bot, ...], Text | None]] = lambda: ((), None)
    shelf: Mapping[str, Game[Any]] = field(default_factory=dict)
    tips: Mapping[SeatNo, Tip | None] = field(default_factory=dict)  # of the seats that are taught
    new: bool = False  # nobody has played here yet

    @property
    def game(self) -> Game[Any]:
        """The game on the table."""
        return self.line.game

    @property
    def state(self) -> Any:
        """Where it stands."""
        return self.line.state

    @property
    def chosen(self) -> Game[Any] | None:
        """The game on the table, or the one that the lobby has chosen."""
        return self.shelf.get(self.state.game) if self.in_lobby else self.game

    def seat(self, panel: Panel) -> SeatNo | None:
        """The seat of a panel; None if it does not play."""
        return SeatNo(self.players.index(panel)) if panel in self.players else None


class Logged(NamedTuple):
    """A move as it is told afterwards: what was done, the rule it follows, what it led to."""

    seq: int  # its entry in the journal
    told: Text
    rule: str
    beats: tuple[Beat, ...]


def public_view(scene: Scene) -> View:
    """What anybody may see."""
    view = _with_ending(scene, None, scene.line.view(None))
    if found := _decides(scene):
        view = replace(view, parts=_said_of(found, view.parts))
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


def _with_the_last(parts: tuple[Part, ...], log: tuple[Logged, ...]) -> tuple[Part, ...]:
    """What happened last stands behind the first page, unless the game tells it itself."""
    said = [part.text for part in parts if isinstance(part, Line)]
    news = tuple(Line(one.told) for one in log if one.told not in said)
    first = next((n for n, part in enumerate(parts) if type(part) is not type(parts[0])), None)
    return (*parts[:first], *news, *parts[first:]) if first else (*parts, *news)


def doubted(finger: Finger, view: View, cursor: int | None) -> tuple[View, int | None]:
    """What was refused with its reason; if by a value of ours, with the way to change it."""
    ask = Choice(ASK, Open(finger.doubt), text("ours, not printed"))
    if finger.path[:1] == ("rule",):
        view = replace(view, parts=(Line(finger.refused), *view.parts))
        return (replace(view, choices=(ask, *view.choices)) if finger.doubt else view), None
    at = next((n for n, one in enumerate(view.choices) if one.action == finger.pressed), None)
    if finger.path or not finger.doubt or at is None:
        return view, cursor
    choices = (*view.choices[: at + 1], ask, *view.choices[at + 1 :])
    return replace(view, choices=choices), at + 1


def offer(scene: Scene, panel: Panel, path: Path) -> tuple[View, int | None]:
    """What the seat at this panel may see and press, and the choice the finger should start on."""
    seat = scene.seat(panel)
    view = _with_ending(scene, seat, scene.line.view(seat))
    cursor = None
    if seat is not None and view.choices and not scene.in_lobby:
        view = replace(view, choices=_timed(scene, asked(scene.line, seat)))
        cursor = first_of(scene.line, seat)
    if scene.in_lobby:
        rows = (*map(_by_page, view.choices), *_taught(scene, seat))
        box = (_my_box(scene),) if scene.box and view.choices else ()
        view = replace(view, choices=(*rows, *box))
        cursor = len(rows) - 1 if scene.new and scene.chosen is None and lessons(scene) else None
    if seat is None:
        view = replace(view, choices=tuple(_left_seats(scene, panel)))
    elif scene.proposal is not None:
        cursor = None
        view = _asked_to_agree(scene.proposal, seat, view)
    elif (step := scene.camera.page(panel)) is not None:
        view = replace(view, waiting=step.title, parts=step.parts, choices=step.choices)
    elif path:
        place = _menu(scene, panel, path, seat)
        cursor = place.cursor or None
        choices = place.choices or (Choice(text("Back to the game"), Open(())),)
        view = replace(view, waiting=place.title, parts=place.parts, choices=choices)
    elif _result(scene) is not None:
        again = Choice(text("Play again"), After(True))
        another = Choice(text("Another game"), After(False))
        view = replace(view, choices=(again, another, looking_back.LOOK))
    elif (dice := scene.line.waiting.dice) is not None:
        if throws(scene, seat):
            view = _asked_for_dice(scene, dice, _advised(scene, seat, view))
    elif scene.mode == "coach" and view.choices and scene.game.advice is not None:
        choices, best = coached(scene.line, seat)
        view = replace(_advised(scene, seat, view), choices=choices)
        cursor = cursor if best is None else best
    told = seat is not None and seat in scene.tips and not path and scene.proposal is None
    if seat is not None and told and view.choices and _result(scene) is None:
        view, cursor = _taught_view(scene, seat, view, cursor)
    if seat is not None and not path and scene.proposal is None and (found := _decides(scene)):
        row = (asking(scene.game.key, found),) if view.choices else ()
        view = replace(view, choices=(*view.choices, *row), parts=_said_of(found, view.parts))
    return view, cursor


def _taught_view(
    scene: Scene, seat: SeatNo, view: View, cursor: int | None
) -> tuple[View, int | None]:
    """What the lesson says comes first, the coach's best is marked; enough is always offered."""
    if (tip := scene.tips[seat]) is None:
        return replace(view, choices=(*view.choices, ENOUGH)), cursor
    choices = view.choices
    if scene.line.waiting.dice is None:
        choices, cursor = marked(scene.line, seat, choices, tip)
    good = next((choice for choice in choices if choice.good), None)
    aside = good is not None and not isinstance(good.action, tip.about)
    says = text("Also possible: {says}", says=tip.says) if aside else tip.says
    return replace(view, tip=says, tip_rules=tip.rules, choices=(*choices, ENOUGH)), cursor


def _decides(scene: Scene) -> Decisive:
    """The values of ours by which goes what all see now; while dice are thrown nobody is asked."""
    idle = scene.in_lobby or scene.line.waiting.dice is not None
    return () if idle or not scene.box else decisive(scene.line)


def _said_of(found: Decisive, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """It is said behind the first lines: the fight, how it went."""
    most = 1 if parts and isinstance(parts[0], Ending) else 2
    at = next((n for n, one in enumerate(parts[:most]) if not isinstance(one, Line | Ending)), most)
    line = Line(text("This rests on {n} values of ours, not printed.", n=len(found)))
    return (*parts[:at], line, *parts[at:])


def _timed(scene: Scene, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The first one says when it is taken without a press."""
    first, seconds = choices[0], scene.line.waiting.moment
    if not (scene.goes_on and seconds) or first.detail != BLANK:
        return choices
    return (replace(first, detail=text("by itself in {n} s", n=seconds)), *choices[1:])


def _left_seats(scene: Scene, panel: Panel) -> Iterator[Choice]:
    """What somebody who comes late may take: the seats of those who have gone and of the
    companion."""
    if scene.in_lobby:
        return
    nobodys = {SeatNo(n) for n, sits_at in enumerate(scene.players) if sits_at is None}
    for seat in sorted(scene.left | nobodys):
        label = text("Take {who}'s seat", who=Seat(seat))
        yield Choice(label, HandOver(seat, panel), text("and play on"))
    if not any(sits_at is not None for sits_at in scene.players):
        yield Choice(text("Stop watching"), After(False))


def _taught(scene: Scene, seat: SeatNo | None) -> Iterator[Choice]:
    """Whoever does not know a game learns it before it begins, or by a first game."""
    chosen, says = scene.chosen, text("a first game that explains itself")
    if chosen is not None:
        yield learning.LEARN_IT
    if seat is not None and lessons(scene):
        action = Open(TEACH) if chosen is None else TeachMe(seat, chosen.key)
        yield Choice(text("Teach me"), action, says)


def lessons(scene: Scene) -> tuple[Game[Any], ...]:
    """The games of the shelf, or the one that is chosen, if they can be taught by playing."""
    games = scene.shelf.values() if scene.chosen is None else (scene.chosen,)
    return tuple(game for game in games if game.lesson is not None and game.lesson.first)


def _by_page(choice: Choice) -> Choice:
    """The lobby's rows of the mode and of the name lead to all of them."""
    page_of = {SetMode: MODES_PAGE, Rename: NAMES_PAGE}.get(type(choice.action))
    return choice if page_of is None else replace(choice, action=Open(page_of))


def with_finger(scene: Scene, panel: Panel, finger: Finger, note: Note) -> View:
    """The offer with all that the finger adds: where it points, its notice."""
    seat = scene.seat(panel)
    view, agreed = finger.offer, scene.proposal is not None and seat in scene.proposal.agreed
    return replace(
        view, seat=seat, names=scene.names, notice=finger.notice, extra=note,
        cursor=finger.cursor, seq=finger.seq,
        page=finger.page if view.choices else finger.page or 0,
        words=() if finger.page is None or finger.path else learning.words_in(view, scene.game),
        call=_call(scene, seat, agreed),
        lamp=not finger.path and not agreed and bool(view.choices) and _called(scene, panel, seat),
    )  # fmt: skip


def _call(scene: Scene, seat: SeatNo | None, agreed: bool) -> str:
    """What a seat should hear: that it is asked something, or that the dice lie still."""
    if seat is None or scene.in_lobby:
        return ""
    if scene.proposal is not None:
        return "" if agreed else "asked"
    if scene.question is not None:
        return "asked"
    last = scene.line.moves[-1] if scene.line.moves else None
    return f"dice {last.seq}" if last is not None and isinstance(last.what, Rolled) else ""


def _called(scene: Scene, panel: Panel, seat: SeatNo | None) -> bool:
    """Does the table wait for this seat? That it may do something is not enough."""
    if _result(scene) is not None:
        return False
    waiting = scene.line.waiting
    if scene.in_lobby or scene.proposal is not None or scene.camera.page(panel) is not None:
        return True
    helps = seat in waiting.seats and not waiting.asks(seat)
    if helps and waiting.seats[0] in scene.company:
        return throws(scene, seat)
    return seat in waiting.seats or throws(scene, seat)


def throws(scene: Scene, seat: SeatNo | None) -> bool:
    """Does the table wait for dice of this seat? People throw for a companion."""
    dice = scene.line.waiting.dice
    if dice is None or seat is None:
        return False
    return not dice.by or seat in dice.by or scene.company.issuperset(map(SeatNo, dice.by))


def reads_first(path: Path) -> bool:
    """Is a place of the menu there to be read, and not to choose from?"""
    read = path in (PHONE, SEED, WHY, looking_back.REVIEW)
    return read or (path[:1] == learning.LEARN and len(path) > 1)


def _menu(scene: Scene, panel: Panel, path: Path, seat: SeatNo) -> Page:
    """A place in the table's menu; what concerns its devices is there before a game, too."""
    if path[0] == "rule":
        return learning.rule_page(scene.game, str(path[1]))
    if path == PHONE:
        return Page(text("By phone"), (), (*scene.codes[:-1], scene.places[panel]))
    if path[0] == "box" and scene.box:
        return scene.box.page(path, scene.line, seat)
    if path == SEED:
        return Page(text("The seed"), (), _seed_page(scene.seed_code))
    if path[0] == "sure":
        return sure_page(scene.line, seat, path)
    if path == looking_back.REVIEW:
        return looking_back.page(scene.line.memo.get(path), seat)
    if path == LEAVE:
        return leave_page(seat, scene.free, *scene.able())
    if path == WHY:
        said = (text("{what}. {why}", what=one.what, why=one.why) for one in scene.reasons)
        return Page(text("Why?"), (), tuple(Line(one) for one in said))
    if path[0] in ("learn", "words", "rules") and (game := scene.chosen) is not None:
        return learning.page(path, game)
    if path == ("house",):
        ours = (rule for rule in scene.game.rules if rule.kind == "house")
        return learning.rules_page(text("House rules"), ours)
    if scene.in_lobby and path == TEACH:
        rows = (Choice(game.name, TeachMe(seat, game.key)) for game in lessons(scene))
        return Page(text("Teach you which game?"), tuple(rows))
    if scene.in_lobby and path == MODES_PAGE:
        place = modes_page(scene.line.state.mode, lambda mode: SetMode(seat, mode))
    elif scene.in_lobby and path == NAMES_PAGE:
        place = names_page(seat, free_names(scene.known, scene.state))
    elif scene.in_lobby:
        place = Page(text("The table's menu"), ())
    else:
        place = page(path, scene.line, seat, scene.mode)
    if path != ("menu",):
        return place
    more = [learning.LEARN_IT] if scene.chosen else []
    more += [Choice(text("Join by phone"), Open(PHONE))] if scene.codes else []
    more += [Choice(CALIBRATE, CameraChoice("start"))] if scene.camera.there else []
    if not scene.in_lobby and (scene.free or any(scene.able())):
        more += [Choice(text("Leave my seat"), Open(LEAVE), text("somebody else plays on"))]
    if scene.reasons:
        more += [Choice(text("Why did the companion do that?"), Open(WHY))]
    if scene.seed_code and not scene.in_lobby:
        more += [Choice(text("The seed"), Open(SEED))]
    more += [Choice(text("Sign off the phone"), SignOff())] if panel in scene.phones else []
    more += [_my_box(scene)] if scene.box else []  # the last one: a step back from the first
    return replace(place, choices=(*place.choices, *more))


def _my_box(scene: Scene) -> Choice:
    game = scene.line.state.game if scene.in_lobby else scene.game.key
    return Choice(MY_BOX, Open(scene.box.start(str(game)) if scene.box else ()))


def _seed_page(code: str) -> tuple[Part, ...]:
    """What the box has bound itself to, in the words of docs/seals.md."""
    return (
        Line(text("Seed code {code}", code=short(code)), big=True),
        Line(text("Note it. The seed is shown when the game has ended, and must give this code.")),
        Line(text("Until then it is secret: every salt and every deal comes from it.")),
    )


def _with_ending(scene: Scene, seat: SeatNo | None, view: View) -> View:
    result = _result(scene)
    return (
        view if result is None else with_ending(view, result, seat, len(scene.players), scene.seed)
    )


def _result(scene: Scene) -> Result | None:
    return None if scene.in_lobby else scene.line.result


def _asked_to_agree(proposal: Proposal, seat: SeatNo, view: View) -> View:
    parts: tuple[Part, ...] = tuple(Line(one) for one in proposal.says)
    if seat in proposal.agreed:
        waiting = text("Do the others agree?")
        never_mind = Choice(text("Never mind"), Vote(False))
        return replace(view, waiting=waiting, parts=parts, choices=(never_mind,))
    choices = (
        Choice(text("Agree"), Vote(True), proposal.says[0]),
        Choice(text("Do not agree"), Vote(False)),
    )
    return replace(view, waiting=text("Do you agree?"), parts=parts, choices=choices)


def _asked_for_dice(scene: Scene, dice: DiceWanted, view: View) -> View:
    by_hand = Choice(text("Enter by hand"), BY_HAND)
    if (question := scene.question) is None:
        waiting = text("Throw {dice}", dice=body_counts(dice.bodies))
        if dice.by and scene.company.issuperset(map(SeatNo, dice.by)):
            waiting = text("{throw} for {who}", throw=waiting, who=Seat(dice.by[0]))
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
        choices=(*guesses, Choice(again, BY_HAND)),
    )


def _advised(scene: Scene, seat: SeatNo, view: View) -> View:
    """What it is about, then what the coach says of it."""
    advice = scene.game.advice
    if scene.mode != "coach" or advice is None:
        return view
    said = (Line(one) for one in advice(scene.state, seat))
    return replace(view, parts=(*view.parts[:1], *said, *view.parts[1:]))


def log_of(scene: Scene, viewer: SeatNo | None, last: int) -> tuple[Logged, ...]:
    """The last moves as this viewer may be told of them, the newest last."""
    if scene.in_lobby:
        return ()
    line = scene.line
    return tuple(
        Logged(
            move.seq, move_sentence(line, move, viewer), line.rule(move), line.beats(move, viewer)
        )
        for move in line.moves[-last:]
    )
