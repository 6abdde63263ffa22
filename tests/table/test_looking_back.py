"""After the end a seat looks back on its own panel: worst, best, luck; and on nothing before it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.bots.api import Moment
from companion.events import Reviewed
from companion.table.looking_back import ROUGH, opened, page
from companion.views import Line
from companion.words import SeatNo, text
from tests.table.desk import Desk
from tests.web.test_api import PLANS

BLUE, RED = SeatNo(0), SeatNo(1)
MOMENTS = (
    Moment(5, BLUE, text("A"), 0.6, 0.6, 0.3, text("A")),
    Moment(7, BLUE, text("B"), 0.6, 0.48, 0.4, text("C")),
    Moment(8, RED, text("D"), 0.5, 0.5, 0.5, text("D")),
    Moment(9, BLUE, text("E"), 0.5, 0.6, spread=0.1),
)


def said(seat: SeatNo) -> list[str]:
    return [part.text.show() for part in page(MOMENTS, seat).parts if isinstance(part, Line)]


def test_a_seat_reads_of_its_own_decisions_and_of_its_luck_with_what_fair_dice_do() -> None:
    assert said(BLUE) == [
        "Decisions: 2, doubtful 0, mistakes 0, blunders 1",
        "B: 12.0 % given away. Better: C",
        "Your best move: A",
        "Luck of 1 throws: +10.0 % (fair dice: -19.6 % to +19.6 %)",
    ]
    assert said(RED) == ["Decisions: 1, doubtful 0, mistakes 0, blunders 0"]


def test_what_a_few_trials_have_weighed_is_said_to_be_rough() -> None:
    tried = [replace(one, rough=True) for one in MOMENTS]
    assert page(tried, BLUE).parts[-1] == Line(ROUGH)
    assert Line(ROUGH) not in page(MOMENTS, BLUE).parts


def test_where_nothing_can_be_weighed_the_panel_says_so() -> None:
    (only,) = page((), BLUE).parts
    assert isinstance(only, Line)
    assert "weighed" in only.text.show()


def test_who_looks_back_waits_until_that_end_was_weighed(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    play = desk.table.play
    desk.table.handle(Reviewed(play.entry, MOMENTS))  # nobody sends it so early
    assert "Turning points" not in desk.labels(0)
    fought(desk)
    assert play.over
    assert opened(desk.choose(0, "Turning points"))
    assert "The decisions are weighed" in desk.text("one")
    desk.table.handle(Reviewed("an end before it was corrected", MOMENTS))
    assert "The decisions are weighed" in desk.text("one")
    desk.table.handle(Reviewed(play.entry, MOMENTS))
    assert "Your best move: A" in desk.text("one")
    assert "Your best move: A" not in str(desk.choose(1, "Turning points"))


def fought(desk: Desk) -> None:
    """A short duel to its end."""
    for first, second in PLANS:
        desk.plan(0, *first)
        desk.plan(1, *second)
        if not desk.table.play.over:
            desk.choose(1, "Go on")
