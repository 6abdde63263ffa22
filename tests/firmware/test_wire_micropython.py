"""The same codec under MicroPython: the same bytes give the same messages as under CPython."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest

from firmware import wire

Run = Callable[..., str]

READ = """
import json
from firmware import wire
for cuts in json.loads(VECTORS):
    ears, heard = wire.Decoder(), []
    for piece in cuts:
        heard.extend(ears.feed(bytes.fromhex(piece)))
    print(json.dumps(heard), ears.bad)
"""


def vectors(chance: random.Random, count: int) -> list[list[bytes]]:
    """Streams of good lines, spoilt lines and noise, cut at random."""
    words = ["asuna", "rest", "0", "1.0.0", "d-hub0-klein", "x" * 24, "away"]
    streams = []
    for _ in range(count):
        stream = b""
        for _ in range(chance.randrange(6)):
            kind = chance.choice(sorted(wire.SHAPES))
            fields = [
                chance.choice(words) if what == "w" else chance.choice((0, 7, 42, 999_999_999))
                for what in wire.SHAPES[kind]
            ]
            line = bytearray(wire.encode(kind, *fields))
            for _ in range(chance.choice((0, 0, 1, 3))):
                line[chance.randrange(len(line))] = chance.randrange(256)
            stream += bytes(line)
            if chance.random() < 0.2:
                stream += chance.randbytes(chance.randrange(300))
        pieces = []
        while stream:
            at = chance.randrange(1, 80)
            pieces.append(stream[:at])
            stream = stream[at:]
        streams.append(pieces)
    return streams


@pytest.mark.slow
def test_the_same_vectors_give_the_same_messages(micropython: Run) -> None:
    streams = vectors(random.Random(20), 400)
    coded = json.dumps([[piece.hex() for piece in pieces] for pieces in streams])
    lines = micropython(f"VECTORS = {coded!r}" + READ).splitlines()
    assert len(lines) == len(streams)
    heard_any = 0
    for line, pieces in zip(lines, streams, strict=True):
        ears, heard = wire.Decoder(), []
        for piece in pieces:
            heard += ears.feed(piece)
        heard_any += len(heard)
        assert line == f"{json.dumps(heard)} {ears.bad}"
    assert heard_any > 300  # the vectors are not all rubbish


def test_each_message_is_spelt_the_same(micropython: Run) -> None:
    said = [
        (kind, *("a-b.9" if what == "w" else 123_456_789 for what in shape))
        for kind, shape in sorted(wire.SHAPES.items())
    ]
    program = f"""
from firmware import wire
for message in {said!r}:
    print(wire.encode(*message).decode(), end="")
for wrong in (("ack", "A", 1), ("ack", "a"), ("ack", "a", -1), ("no", 1)):
    try:
        wire.encode(*wrong)
    except ValueError as why:
        print("refused")
"""
    spelt = "".join(wire.encode(*message).decode() for message in said)
    assert micropython(program) == spelt + "refused\n" * 4


def _noise(rounds: int) -> str:
    return f"""
import random
from firmware import wire
random.seed(6)
ears, heard = wire.Decoder(), 0
good = wire.encode("ack", "asuna", 7)
noise = bytearray(1000)
marks = b"$*\\n 0123456789abcdef"
for i in range({rounds}):
    for j in range(0, 1000, 3):
        bits = random.getrandbits(24)
        if i % 2:
            noise[j] = marks[bits % 20]
        else:
            noise[j] = bits & 255
        if j + 2 < 1000:
            noise[j + 1] = bits >> 8 & 255
            noise[j + 2] = bits >> 16
    heard += len(ears.feed(noise))
    if ears.feed(good) != [("ack", "asuna", 7)]:
        print("deaf after round", i)
print(heard, ears.bad > {rounds} // 2)
"""


@pytest.mark.slow
def test_random_bytes_raise_nothing_and_hide_no_good_line(micropython: Run) -> None:
    assert micropython(_noise(300)) == "0 True\n"


@pytest.mark.soak
def test_ten_million_random_bytes_raise_nothing_under_micropython(micropython: Run) -> None:
    assert micropython(_noise(10_000)) == "0 True\n"
