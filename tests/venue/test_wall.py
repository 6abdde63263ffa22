"""What tables tell, as the wall keeps it: whatever comes, a page can show it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.memory.codec import json_line
from companion.venue.wall import LINE, METERS, MOST, Wall, tile
from tests.venue.site import state

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=8), inside),
    max_leaves=20,
)
KEYS = st.sampled_from([*state(), "nothing"])


@given(st.dictionaries(KEYS, JSON))
def test_any_state_becomes_a_tile_that_every_browser_can_read(said: dict[str, object]) -> None:
    made = tile(said, now=1000.0)
    strict = json.dumps(made, allow_nan=False)
    assert json.loads(strict) == made


@given(st.binary(max_size=60))
def test_no_message_at_all_stops_the_wall(payload: bytes) -> None:
    wall = Wall("companion", clock=lambda: 1000.0)
    for kind in ("state", "event", "availability", "notify"):
        wall.heard(f"companion/t1/{kind}", payload)
    json_line(wall.document()).encode()


def test_a_tile_has_room_for_so_much_and_no_more() -> None:
    counters = {str(n): {"name": "x" * 500, "value": n, "max": 9} for n in range(50)}
    made = tile(state(game="x" * 500, counters=counters, turn=["y"] * 99), 0.0)
    assert len(made["game"]) == len(made["counters"][0][0]) == LINE
    assert len(made["counters"]) == len(made["turn"]) == METERS


def test_who_says_nothing_is_stale_and_who_left_is_off() -> None:
    wall = Wall("companion")
    wall._broker = object()  # type: ignore[assignment]  # it answers
    wall.heard("companion/t1/state", json.dumps(state()).encode())
    assert wall.document()["table t1"]["presence"] == "stale"
    for word in ("online", "offline"):
        wall.heard("companion/t1/availability", word.encode())
        assert wall.document()["table t1"]["presence"] == word
    wall._broker = None
    assert wall.document() == {"broker": False, "table t1": wall.document()["table t1"]}
    assert wall.document()["table t1"]["presence"] == "stale"


def test_a_table_that_the_broker_forgets_leaves_the_wall() -> None:
    wall = Wall("companion")
    wall.heard("companion/t1/availability", b"online")
    assert wall.tables == ["t1"]
    wall.heard("companion/t1/availability", b"")
    assert wall.tables == []


def test_made_up_names_do_not_fill_the_memory() -> None:
    wall = Wall("companion")
    for n in range(MOST + 50):
        wall.heard(f"companion/t{n}/availability", b"online")
    assert len(wall.tables) == MOST


@pytest.mark.parametrize(
    ("began", "shown"), [(90_000, 90_000), (5, None), (200_000, None), ("x", None)]
)
def test_a_clock_that_is_wrong_is_not_shown(began: object, shown: object) -> None:
    assert tile(state(began=began), now=100_000.0)["began"] == shown
