"""The fewest bytes that turn one picture into the next."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hardware.glass.frame import Window, changes, cut, pack, unpack
from tests.hardware.pictures import pictures

BLANK = bytes(1024)


def changed(*places: tuple[int, int]) -> bytes:
    """A blank frame with these (page, column) bytes changed."""
    frame = bytearray(BLANK)
    for page, column in places:
        frame[page * 128 + column] = 0xFF
    return bytes(frame)


def test_a_byte_is_eight_pixels_of_a_column_with_the_lowest_bit_on_top() -> None:
    picture = Image.new("1", (128, 64))
    picture.putpixel((3, 8), 255)  # first row of page 1
    picture.putpixel((3, 10), 255)
    packed = pack(picture)
    assert packed[128 + 3] == 0b101
    assert sum(packed) == 0b101


@given(pictures())
def test_unpack_undoes_pack(picture: Image.Image) -> None:
    assert unpack(pack(picture)).tobytes() == picture.tobytes()


def test_nothing_changed_is_nothing_to_send() -> None:
    assert changes(BLANK, BLANK, cost=10, tall=True) == []


def test_two_changes_ten_columns_apart_go_in_one_window_eleven_apart_in_two() -> None:
    near = changes(BLANK, changed((2, 20), (2, 31)), cost=10, tall=True)  # ten unchanged between
    assert near == [Window(20, 31, 2, 2)]
    far = changes(BLANK, changed((2, 20), (2, 32)), cost=10, tall=True)
    assert far == [Window(20, 20, 2, 2), Window(32, 32, 2, 2)]


def test_a_tall_window_spans_pages_where_that_is_cheaper() -> None:
    frame = changed(*((page, column) for page in (3, 4) for column in range(40, 60)))
    assert changes(BLANK, frame, cost=10, tall=True) == [Window(40, 59, 3, 4)]
    assert changes(BLANK, frame, cost=7, tall=False) == [Window(40, 59, 3, 3), Window(40, 59, 4, 4)]


def test_changes_in_far_corners_stay_apart() -> None:
    windows = changes(BLANK, changed((0, 0), (7, 127)), cost=10, tall=True)
    assert windows == [Window(0, 0, 0, 0), Window(127, 127, 7, 7)]


@given(pictures(), pictures(), st.booleans())
def test_sending_the_windows_turns_the_old_frame_into_the_new(
    before: Image.Image, after: Image.Image, tall: bool
) -> None:
    old, new = pack(before), pack(after)
    frame = bytearray(old)
    windows = changes(old, new, cost=10, tall=tall)
    for window in windows:
        data = iter(cut(new, window))
        for page in range(window.top, window.bottom + 1):
            for column in range(window.left, window.right + 1):
                frame[page * 128 + column] = next(data)
    assert bytes(frame) == new
    assert sum(w.area + 10 for w in windows) <= 1024 + 8 * 10
