"""Letters fit, wrap and shrink; nothing runs off the glass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hardware.glass.letters import (
    SIZES,
    figures,
    fitted,
    glyph,
    overleaf,
    pieces,
    shortened,
    width,
    wrapped,
    write,
)

words = st.text(
    st.sampled_from("abcdefgWMÄßé 012345-…,.!\uff1fアスナ剣の。、ー「」\u3000😀漢\n"), max_size=120
)


@pytest.mark.parametrize("size", SIZES)
def test_a_latin_letter_is_half_as_wide_as_high_and_a_japanese_one_about_as_wide(size: int) -> None:
    assert glyph("A", size).size == (size // 2, size)
    wide = glyph("剣", size)
    assert wide.height == size
    assert wide.width == (8 if size == 10 else size)


def test_german_french_and_japanese_letters_are_all_there() -> None:
    unknown = [glyph("〓", size).tobytes() for size in SIZES]
    for character in "ÄÖÜäöüßéèçñøåŁ€→…▶ぁんァヶ侍斬剣盾勝敗番。、「」ー":
        for size, none in zip(SIZES, unknown, strict=True):
            assert glyph(character, size).tobytes() != none, (character, size)


def test_a_sign_that_no_font_has_is_shown_as_a_block_and_not_dropped() -> None:
    assert glyph("😀", 12).tobytes() == glyph("〓", 12).tobytes()


def test_a_line_that_is_too_long_ends_with_an_ellipsis() -> None:
    assert shortened("Asuna", 12, 30) == "Asuna"
    assert shortened("Asuna!", 12, 30) == "Asun…"  # five letters of six pixels
    assert shortened("As una", 12, 24) == "As…"  # and no space before it


def test_lines_break_at_spaces() -> None:
    assert wrapped("one two three", 12, 7 * 6) == ["one two", "three"]


def test_japanese_breaks_between_phrases_and_not_before_a_closing_mark() -> None:
    assert pieces("手札を1枚捨てて振り直す。") == ["手札を", "1枚捨てて", "振り直す。"]
    assert pieces("「はい」と「いいえ」") == ["「はい」と", "「いいえ」"]
    assert pieces("捨て札") == ["捨て札"]
    assert wrapped("次は攻撃する。", 12, 60) == ["次は", "攻撃する。"]


def test_a_phrase_that_is_longer_than_the_line_breaks_before_its_particle() -> None:
    assert wrapped("トラッシュフェイズまで", 12, 120) == ["トラッシュフェイズ", "まで"]
    assert wrapped("アスナです", 12, 48) == ["アスナ", "です"]


def test_what_is_too_long_for_a_page_goes_on_overleaf_at_the_end_of_a_clause_or_a_phrase() -> None:
    said = "魔法に触媒が要らない、攻撃時に1枚捨てて振り直せる"
    assert list(overleaf(said, 12, 120, 2)) == [
        "魔法に触媒が要らない、",
        "攻撃時に1枚捨てて振り直せる",
    ]
    assert list(overleaf("相手は手札を1枚捨てる", 12, 48, 2)) == ["相手は手札を", "1枚捨てる"]
    assert "".join(overleaf("x" * 40, 12, 60, 2)) == "x" * 40


def test_a_word_that_is_longer_than_the_line_is_torn_with_a_hyphen() -> None:
    assert wrapped("abcdefghij", 12, 36) == ["abcde-", "fghij"]


def test_text_shrinks_before_it_is_torn() -> None:
    # eleven letters: 88 pixels in size 16, 77 in 14, 66 in 12
    assert fitted("Schadenswur", 80, 40, (16, 14, 12)) == (14, ["Schadenswur"])


def test_what_fits_in_no_size_ends_with_an_ellipsis_in_the_smallest() -> None:
    size, lines = fitted("one two three four five six", 30, 20, (12, 10))
    assert (size, lines) == (10, ["one", "two…"])


@given(words, st.sampled_from(SIZES), st.integers(48, 128))
def test_no_line_is_wider_than_the_room(text: str, size: int, room: int) -> None:
    assert all(width(line, size) <= room for line in wrapped(text, size, room))
    assert width(shortened(text.replace("\n", ""), size, room), size) <= room


@given(words, st.integers(48, 128), st.integers(12, 64))
def test_fitted_text_is_never_higher_or_wider_than_its_room(
    text: str, room: int, height: int
) -> None:
    size, lines = fitted(text, room, height, (24, 16, 12, 10))
    assert len(lines) * size <= height
    assert all(width(line, size) <= room for line in lines)


@given(words)
def test_wrapping_loses_no_letter(text: str) -> None:
    kept = "".join(wrapped(text, 12, 60))
    for mark in (" ", "-", "\n", "\u3000"):
        text, kept = text.replace(mark, ""), kept.replace(mark, "")
    assert kept == text


def test_figures_have_no_empty_border() -> None:
    picture = figures("128", 48)
    assert picture.getbbox() == (0, 0, *picture.size)


def test_writing_tells_where_it_ended() -> None:
    assert write(Image.new("1", (128, 64)), (3, 0), "ab剣", 12) == 3 + 6 + 6 + 12
