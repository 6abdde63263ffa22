"""Snapshot, numbered changes, resuming: whoever slept misses nothing and is told nothing twice."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.feed import RING, Feed
from companion.web.feeds import Feeds
from companion.web.turns import Turns
from companion.words import Panel


def told(document: dict[str, Any], messages: list[str]) -> dict[str, Any]:
    """What a page holds after these messages."""
    for message in map(json.loads, messages):
        if "all" in message:
            document = message["all"]
        else:
            document = document | message["set"]
            for key in message.get("gone", ()):
                del document[key]
    return document


def test_a_new_listener_gets_the_whole() -> None:
    feed = Feed()
    feed.put({"a": 1})
    assert [json.loads(one) for one in feed.since(None)] == [
        {"n": 1, "epoch": feed.epoch, "all": {"a": 1}}
    ]


def test_a_change_tells_only_what_changed_and_what_is_gone() -> None:
    feed = Feed()
    feed.put({"a": 1, "b": 2, "c": 3})
    feed.put({"a": 1, "b": 5})
    assert feed.since(1, feed.epoch) == ['{"n":2,"set":{"b":5},"gone":["c"]}']


def test_the_same_document_again_is_no_change() -> None:
    feed = Feed()
    feed.put({"a": 1})
    feed.put({"a": 1})
    assert feed.number == 1
    assert feed.since(1, feed.epoch) == []


def test_a_value_none_is_not_the_same_as_no_value() -> None:
    feed = Feed()
    feed.put({"a": 1})
    feed.put({"a": 1, "b": None})
    assert feed.number == 2


def test_numbers_of_another_start_of_the_daemon_mean_nothing() -> None:
    feed = Feed()
    feed.put({"a": 1})
    assert "all" in json.loads(feed.since(1, "another")[0])


def test_who_slept_longer_than_the_ring_gets_the_whole() -> None:
    feed = Feed()
    for n in range(RING + 3):
        feed.put({"a": n})
    assert "all" in json.loads(feed.since(1, feed.epoch)[0])
    assert len(feed.since(3, feed.epoch)) == RING


def test_a_number_from_the_future_gets_the_whole() -> None:
    feed = Feed()
    feed.put({"a": 1})
    assert "all" in json.loads(feed.since(99, feed.epoch)[0])


documents = st.lists(
    st.dictionaries(st.sampled_from("abcd"), st.integers(0, 2) | st.none()), min_size=1, max_size=9
)


@given(documents, st.integers(0, 9))
@pytest.mark.slow
def test_from_wherever_one_resumes_the_document_comes_out_the_same(
    course: list[dict[str, Any]], slept: int
) -> None:
    feed = Feed()
    known: dict[int, dict[str, Any]] = {0: {}}
    for document in course:
        feed.put(document)
        known[feed.number] = document
    at = min(slept, feed.number)
    assert told(known[at], feed.since(at, feed.epoch)) == feed.document


def test_what_strangers_alone_look_at_is_written_once_when_the_first_has_his_turn() -> None:
    written: list[Any] = []

    def document(viewer: Any, _language: str) -> dict[str, Any]:
        written.append(viewer)
        return {"n": len(written)}

    feeds = Feeds(document, Turns())
    public, blue = feeds.of("public"), feeds.of(Panel(0))
    with public.listen(urgent=False) as one, public.listen(urgent=False) as other, blue.listen():
        written.clear()
        for _ in range(3):
            feeds.refresh()
        assert written == [0, 0, 0]  # the seat's, at once
        assert one.is_set()
        assert other.is_set()
        assert feeds.of("public").since(1, public.epoch) == ['{"n":2,"set":{"n":4}}']
        assert feeds.of("public").since(1, public.epoch) == ['{"n":2,"set":{"n":4}}']
        assert written == [0, 0, 0, "public"]
        with public.listen():  # a television of the house, or a seat that looks on
            feeds.refresh()
        assert written[4:] == ["public", 0]
