"""The codec: raises on nothing, reads the same however it is cut, loses one line at most."""

from __future__ import annotations

import binascii
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware import wire

WORDS = st.text("abcdefghijklmnopqrstuvwxyz0123456789-.", min_size=1, max_size=24)
NUMBERS = st.integers(0, 999_999_999)


@st.composite
def messages(draw: st.DrawFn) -> wire.Message:
    kind = draw(st.sampled_from(sorted(wire.SHAPES)))
    fields = [draw(WORDS if what == "w" else NUMBERS) for what in wire.SHAPES[kind]]
    return (kind, *fields)


def test_a_line_is_readable_and_its_sum_is_the_common_crc_32() -> None:
    body = b"event asuna 7 0 rest 5 87"
    line = wire.encode("event", "asuna", 7, 0, "rest", 5, 87)
    assert line == b"$" + body + b"*" + format(binascii.crc32(body), "08x").encode() + b"\n"
    assert binascii.crc32(b"123456789") == 0xCBF43926  # the check value of CRC-32


@given(st.lists(messages(), max_size=6))
def test_what_is_said_is_heard(said: list[wire.Message]) -> None:
    ears = wire.Decoder()
    assert ears.feed(b"".join(wire.encode(*message) for message in said)) == said
    assert ears.bad == 0


@given(st.binary(max_size=600))
def test_no_bytes_whatsoever_raise(noise: bytes) -> None:
    wire.Decoder().feed(noise)
    wire.decode(noise)


@given(st.lists(messages(), max_size=5), st.binary(max_size=300), st.data())
def test_the_same_is_heard_however_the_stream_is_cut(
    said: list[wire.Message], noise: bytes, data: st.DataObject
) -> None:
    lines = [wire.encode(*message) for message in said]
    at = data.draw(st.integers(0, len(lines)))
    stream = b"".join([*lines[:at], noise, *lines[at:]])
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    ears, heard = wire.Decoder(), []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        heard += ears.feed(stream[start:end])
    assert heard == wire.Decoder().feed(stream)


@given(st.lists(messages(), min_size=1, max_size=5), st.data())
def test_one_bad_byte_costs_one_line(said: list[wire.Message], data: st.DataObject) -> None:
    lines = [wire.encode(*message) for message in said]
    stream = bytearray(b"".join(lines))
    at = data.draw(st.integers(0, len(stream) - 1))
    stream[at] ^= data.draw(st.integers(1, 255))
    hit = next(i for i in range(len(lines)) if at < sum(map(len, lines[: i + 1])))
    heard = wire.Decoder().feed(bytes(stream))
    without = said[:hit] + said[hit + 1 :]
    assert heard in (without, said)  # `said`: the byte was only the end mark


@given(st.lists(messages(), min_size=1, max_size=5), st.data())
def test_one_lost_or_extra_byte_costs_one_line(
    said: list[wire.Message], data: st.DataObject
) -> None:
    lines = [wire.encode(*message) for message in said]
    stream = b"".join(lines)
    at = data.draw(st.integers(0, len(stream) - 1))
    extra = data.draw(st.binary(min_size=1, max_size=1))
    for spoilt in (stream[:at] + stream[at + 1 :], stream[:at] + extra + stream[at:]):
        heard = wire.Decoder().feed(spoilt)
        kept = [message for message in said if message in heard]
        assert heard == kept or len(set(said)) < len(said)
        assert len(heard) >= len(said) - 1


@pytest.mark.parametrize(
    "message",
    [
        ("nonsense", 1),
        ("ack", "asuna"),
        ("ack", "asuna", 1, 2),
        ("ack", "Asuna", 1),
        ("ack", "two words", 1),
        ("ack", "", 1),
        ("ack", "x" * 25, 1),
        ("ack", "asuna", -1),
        ("ack", "asuna", 10**9),
        ("ack", "asuna", "7x"),
        ("ack", "朝", 1),
    ],
)
def test_what_is_no_message_is_refused_when_it_is_to_be_said(message: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match="no such message"):
        wire.encode(*message)


def test_a_number_has_one_spelling() -> None:
    for spelling in (b"07", b"+7", b"7.0", b"1e3", b"-1", b"\xd9\xa7"):
        body = b"ack asuna " + spelling
        assert wire.decode(b"$" + body + b"*%08x\n" % binascii.crc32(body)) is None


def test_a_later_hello_may_say_more_and_is_still_understood() -> None:
    body = b"hello 9 4.0.0 hub0 b1 6 more things"
    line = b"$" + body + b"*%08x\n" % binascii.crc32(body)
    assert wire.decode(line) == ("hello", 9, "4.0.0", "hub0", "b1", 6)


def test_a_carriage_return_before_the_end_does_no_harm() -> None:
    assert wire.decode(wire.encode("ask", 1)[:-1] + b"\r\n") == ("ask", 1)


def test_a_line_that_never_ends_takes_no_more_room_than_the_longest() -> None:
    ears = wire.Decoder()
    for _ in range(1000):
        assert ears.feed(b"x" * 150) == []
        assert len(ears._rest) <= wire.LONGEST
    assert ears.feed(b"\n" + wire.encode("ask", 1)) == [("ask", 1)]


def test_the_longest_message_of_each_kind_fits_a_packet_of_the_radio() -> None:
    for kind, shape in wire.SHAPES.items():
        fields = ["w" * 24 if what == "w" else 999_999_999 for what in shape]
        assert len(wire.encode(kind, *fields)) <= wire.LONGEST < 250


@pytest.mark.soak
def test_ten_million_random_bytes_raise_nothing_and_hide_no_good_line() -> None:
    chance, ears, heard = random.Random(6), wire.Decoder(), 0
    good = wire.encode("event", "asuna", 7, 0, "rest", 5, 87)
    for _ in range(10_000):
        heard += len(ears.feed(chance.randbytes(500)))
        alphabet = bytes(chance.choices(b"$*\n 0123456789abcdef", k=500))
        heard += len(ears.feed(alphabet))
        assert ears.feed(good) == [("event", "asuna", 7, 0, "rest", 5, 87)]
    assert heard == 0


def test_the_page_about_the_wire_names_every_message_and_quotes_only_true_lines() -> None:
    page = (Path(__file__).parents[2] / "docs/wire.md").read_text()
    for kind in wire.SHAPES:
        assert f"`{kind} " in page
    quoted = re.findall(r"\$[^*\n]+\*[0-9a-f]{8}", page)
    assert len(quoted) >= 2
    assert all(wire.decode(line.encode()) for line in quoted)
    assert f"protocol **{wire.PROTOCOL}**" in page
