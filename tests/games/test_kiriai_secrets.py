"""Kiri-ai keeps its secrets: specials, plans, starts; and opens them with seals to check."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.games.api import seal
from companion.games.kiriai import KIRIAI
from companion.games.kiriai.state import Dealt, GoOn, Options, Pick, Place, Seal, Told
from companion.memory.codec import redacted
from companion.views import Line
from tests.games.kiriai_table import begin, do, first, plan, whole


def shown(state: Any, viewer: int | None) -> str:
    return str(KIRIAI.view(state, viewer))


@pytest.mark.rule("kiriai", "K-R4", "K-R5")
def test_a_special_is_in_the_own_view_only_until_it_is_played() -> None:
    state = begin("kesa", "counter")
    assert "Kesa" in shown(state, 0)
    assert "Kesa" not in shown(state, 1) + shown(state, None)
    assert "Zan-Tetsu" not in shown(state, 0) + shown(state, 1) + shown(state, None)
    assert "Kesa" in shown(first(state, "kesa low", "retreat low"), 1)


@pytest.mark.rule("kiriai", "K-R9")
def test_that_a_seat_has_chosen_is_public_and_what_it_chose_is_not() -> None:
    state = do(begin(), *plan(0, ("charge", "high")))
    for viewer in (1, None):
        assert "has chosen" in shown(state, viewer)
        for secret in ("salt0", seal("charge", "salt0charge"), "Your plan"):
            assert secret not in shown(state, viewer)
    for own in (seal("charge", "salt0charge"), seal("high", "salt0high")):
        assert own in shown(state, 0)


@pytest.mark.rule("kiriai", "K-R13")
def test_the_second_card_is_secret_until_it_opens_and_each_seal_opens_with_its_card() -> None:
    state = first(begin(), "charge high", "retreat low")
    for viewer in (1, None):
        assert seal("charge", "salt0charge") in shown(state, viewer)
        assert "salt0charge" in shown(state, viewer)
        for secret in ("salt0high", seal("high", "salt0high")):
            assert secret not in shown(state, viewer)
    assert "High Strike" not in shown(state, None)
    state = do(state, GoOn(1))
    assert "salt0high" in shown(state, None)
    assert seal("high", "salt0high") in shown(state, None)


def test_codes_appear_only_once_the_plan_is_sealed() -> None:
    state = do(begin(), *plan(0, ("charge", "high"))[:2])
    assert seal("charge", "salt0charge") not in shown(state, 0)


def test_only_deals_openings_and_named_specials_reveal() -> None:
    state = begin()
    picked = do(state, *plan(0, ("charge", "high"))[:2])
    assert KIRIAI.secrets.reveals(KIRIAI.new(2, Options()), Dealt(("kesa", "counter")))
    assert not KIRIAI.secrets.reveals(state, Pick(0, "high"))
    assert not KIRIAI.secrets.reveals(picked, Seal(0))
    ready = do(picked, Seal(0), *plan(1, ("retreat", "low"))[:2])
    assert KIRIAI.secrets.reveals(ready, Seal(1))
    assert KIRIAI.secrets.reveals(do(ready, Seal(1)), GoOn(0))
    placing = begin(battlefield="advanced")
    assert not KIRIAI.secrets.reveals(placing, Place(0, 3, "earth"))
    assert KIRIAI.secrets.reveals(do(placing, Place(0, 3, "earth")), Place(1, 5, "earth"))


def test_each_viewer_is_told_what_it_may_know() -> None:
    start = KIRIAI.new(2, Options())
    deal = Dealt(("kesa", "counter"))
    told = [KIRIAI.tell(start, deal, viewer).show() for viewer in (None, 0, 1)]
    assert told == ["The specials are dealt", "You hold Kesa Strike", "You hold Counterattack"]
    state = begin()
    told = [KIRIAI.tell(state, Pick(0, "high"), viewer).show() for viewer in (None, 0, 1)]
    assert told == ["Seat 1 lays a card", "You lay High Strike", "Seat 1 lays a card"]
    ready = do(state, *plan(0, ("charge", "high")), *plan(1, ("retreat", "low"))[:2])
    for viewer in (None, 0, 1):
        last = KIRIAI.tell(ready, Seal(1), viewer).show()
        assert last == "1st: Seat 1 Charge, Seat 2 Retreat. No blows"


@pytest.mark.parametrize(
    "action",
    [Dealt(("kesa", "counter")), Told(0, "kesa"), Place(0, 3, "earth", "s"), Pick(0, "high", "s")],
)
def test_an_export_of_a_running_duel_holds_no_secret(action: Any) -> None:
    kept = {key: value for key, value in redacted(action).items() if value is not None}
    assert set(kept) <= {"do", "seat"}


@pytest.mark.slow
def test_what_is_unseen_ranges_over_everything_that_can_be() -> None:
    """Blue holds Kesa; Red may hold either other special, and any of the 52 plans with it."""
    state = do(begin("kesa", "counter"), *plan(1, ("retreat", "low")))
    assert KIRIAI.secrets.unseen is not None
    rng = random.Random(7)
    found = [KIRIAI.secrets.unseen(state, 0, rng.randrange).fighters[1] for _ in range(4000)]
    assert {red.special for red in found} == {"zantetsu", "counter"}
    for special in ("zantetsu", "counter"):
        plans = {tuple(c.face for c in red.plan) for red in found if red.special == special}
        assert len(plans) == 52
    public = [KIRIAI.secrets.unseen(state, None, rng.randrange).fighters for _ in range(300)]
    assert len({(blue.special, red.special) for blue, red in public}) == 6


def test_what_lies_open_is_never_drawn_anew() -> None:
    state = first(begin("kesa", "counter"), "kesa high", "retreat low")
    assert KIRIAI.secrets.unseen is not None
    rng = random.Random(7)
    for viewer in (None, 1):
        for _ in range(50):
            blue = KIRIAI.secrets.unseen(state, viewer, rng.randrange).fighters[0]
            assert (blue.spent, blue.plan[0].face) == ("kesa", "kesa")


def test_an_unplayed_special_stays_secret_after_the_duel() -> None:
    state = whole(begin("zantetsu", "counter", round_cap=1), "retreat low", "retreat low")
    assert state.phase == "over"
    for viewer in (None, 0, 1):
        for name in ("Kesa", "Zan-Tetsu", "Counterattack"):
            assert name not in shown(state, viewer)


@pytest.mark.rule("kiriai", "K-R11")
def test_a_card_laid_against_the_rule_is_told_when_it_opens_and_not_before() -> None:
    state = whole(begin(), "approach high", "retreat low")
    assert KIRIAI.rulings.force is not None
    forced = KIRIAI.rulings.force(state, Pick(0, "high", "s1"))
    fair = KIRIAI.apply(state, Pick(0, "low", "s2"))
    for viewer in (1, None):
        assert shown(forced, viewer) == shown(fair, viewer)
        assert "K-R11" not in shown(forced, None)
    ready = do(forced, Pick(0, "approach"), Seal(0), *plan(1, ("approach", "high"))[:2])
    for viewer in (0, 1, None):
        assert KIRIAI.tell(ready, Seal(1), viewer).show().endswith("(against K-R11)")
    opened = do(ready, Seal(1))
    lines = [part.text.show() for part in KIRIAI.view(opened, None).parts if isinstance(part, Line)]
    assert "Seat 1 plays against K-R11" in lines
    KIRIAI.possible(opened)
