"""What a player reads on the glass: the status always, three rows at most, the notice whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from companion.views import (
    BLANK,
    Cards,
    Cell,
    Choice,
    Cross,
    Dice,
    Ending,
    Face,
    Grid,
    Line,
    Meter,
    Part,
    Piece,
    Slot,
    Tally,
    Track,
    View,
)
from companion.words import Text, text
from hardware.glass.draw import image, pages
from hardware.glass.widgets import draw_die
from tests.hardware.ocr import read
from tests.hardware.samples import DUEL, HAND, HP, ROLL, SAMPLES, SKILLS, SWORD, leaf, menu


def said(words: Text) -> str:
    return words.show()


def test_the_same_view_is_always_the_same_picture_of_128_by_64_bits() -> None:
    for view in SAMPLES.values():
        first = image(view)
        assert (first.mode, first.size) == ("1", (128, 64))
        assert first.tobytes() == image(view).tobytes()


@pytest.mark.parametrize("cursor", range(7))
def test_a_menu_shows_three_rows_with_the_chosen_one_among_them(cursor: int) -> None:
    head, *rows = read(image(menu(*SKILLS, cursor=cursor)))
    assert head == "Asuna: choose a skill"
    assert len(rows) == 3
    assert SKILLS[cursor] in rows


def test_the_chosen_row_is_inverse_and_no_other() -> None:
    picture = image(menu("Linear", "Parry", "Star Splash", cursor=1))
    # a row is 17 pixels high under a head of 13; its last pixels but one are free of letters
    assert [bool(picture.getpixel((120, 13 + 17 * row + 8))) for row in range(3)] == [
        False,
        True,
        False,
    ]


def scroll_mark(view: View) -> list[int]:
    """Rows in which the scroll mark is three pixels wide: its knob."""
    picture = image(view)
    lit = {y: [bool(picture.getpixel((x, y))) for x in range(123, 128)] for y in range(20, 60)}
    return [y for y, row in lit.items() if row == [False, True, True, True, False]]


def test_the_scroll_mark_goes_down_with_the_cursor() -> None:
    tops = [min(scroll_mark(menu(*SKILLS, cursor=cursor))) for cursor in (0, 3, 6)]
    assert tops == sorted(set(tops))


def test_three_choices_need_no_scroll_mark() -> None:
    assert scroll_mark(menu("a", "b", "c", cursor=0)) == []


def test_a_barred_choice_is_crossed_and_its_rule_is_named_under_the_finger() -> None:
    free, barred = image(menu(*SKILLS, cursor=2)), menu(*SKILLS, cursor=2, barred=(2,))
    assert "Not now: rule R15" in read(image(barred))
    assert "Not now: rule R15" not in read(image(replace(barred, cursor=1)))
    assert image(barred).tobytes() != free.tobytes()


def test_the_detail_of_the_chosen_row_is_shown() -> None:
    view = menu("Take damage", "Spend a token", cursor=1)
    choices = tuple(
        replace(choice, detail=Text(detail))
        for choice, detail in zip(view.choices, ("Lose 4 HP", "Keep your HP"), strict=True)
    )
    lines = read(image(replace(view, choices=choices)))
    assert "Keep your HP" in lines
    assert "Lose 4 HP" not in lines


@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize(
    "detail",
    [
        "the other chooses a character first",
        "5 5 unused: counterattack 3 to all, heals 65, token die control",
        "Counter: name a number, roll two dice: stay at 1 HP if it would bring you to 0 HP",
    ],
)
def test_what_a_choice_leads_to_is_readable_whole(detail: str, count: int) -> None:
    for cursor in range(count):
        view = menu(*SKILLS[:count], cursor=cursor, detail=detail)
        lines = read(image(view))
        assert detail in " ".join(lines)
        assert SKILLS[cursor] in lines


def test_a_cursor_out_of_range_shows_the_nearest_row() -> None:
    assert image(menu(*SKILLS, cursor=99)).tobytes() == image(menu(*SKILLS, cursor=6)).tobytes()
    assert image(menu(*SKILLS, cursor=-5)).tobytes() == image(menu(*SKILLS)).tobytes()


@pytest.mark.parametrize(
    "name",
    [
        n
        for n in SAMPLES
        if "japanese" not in n and n != "notice-long" and not n.startswith(("told", "ending"))
    ],
)
def test_the_status_is_on_every_screen(name: str) -> None:
    view = SAMPLES[name]
    waiting = view.waiting.show(view.names)
    lines = read(image(view))
    assert any(waiting == line or waiting.startswith(line.rstrip("…")) for line in lines[:2])


def test_a_status_too_long_for_its_line_is_told_in_full_on_a_page_of_its_own() -> None:
    view = SAMPLES["waiting-long"]
    last = image(replace(view, page=len(pages(view, said)) - 1))
    assert " ".join(read(last)[2:]).startswith(view.waiting.show())


def test_a_status_of_two_lines_stands_whole_over_the_dice_and_over_the_choices() -> None:
    waiting = text("Throw 1 black for Companion")
    view = View(BLANK, waiting, (Dice((Face("black", 3),)),), choices=(Choice(text("By hand"), 1),))
    for shown in (view, replace(view, page=0)):
        assert " ".join(read(image(shown))[:2]) == waiting.show()


def test_a_name_that_its_row_cuts_stands_whole_beneath() -> None:
    label = text("Lavaman Spear on Alpha Ichigoro")
    view = menu(*SKILLS)
    cut = replace(view, choices=(Choice(label, 1, text("Item +2")), *view.choices), cursor=0)
    assert label.show() in " ".join(read(image(cut)))


def test_a_page_ends_with_a_sentence_or_a_clause_and_never_within_a_word() -> None:
    said = "手札を2枚捨て、山札から3枚引く。次に相手の装備を1枚選び、持ち主の手札に戻す。"
    said += "戻した数だけダメージ。"
    view = View(BLANK, BLANK, (Line(text(said)),))
    shown = ["".join(line.text.show() for line in page.parts) for page in pages(view, Text.show)]
    assert "".join(shown) == said
    assert all(page[-1] in "。、" for page in shown)


def test_a_stale_screen_says_so() -> None:
    assert "stale" in read(image(SAMPLES["stale"]))
    assert "stale" not in read(image(SAMPLES["meter-4"]))


def test_a_notice_is_readable_whole_over_the_lower_part() -> None:
    notice = text("R15: a skill takes one die. You gave two, and one of them is white.")
    view = replace(menu(*SKILLS), notice=notice)
    lines = read(image(view))
    assert lines[0] == "Asuna: choose a skill"
    assert notice.show() in " ".join(lines)


def test_ideas_come_one_per_screen_and_the_page_wraps_around() -> None:
    view = leaf(*HP, Dice(ROLL), DUEL, HAND)
    kinds = [type(page.parts[0]) for page in pages(view, said)]
    assert kinds == [Meter, Dice, Track, Cards, Cards]
    for page in range(5):
        here, around = (image(replace(view, page=number)) for number in (page, page + 5))
        assert here.tobytes() == around.tobytes()
    assert image(replace(view, page=-1)).tobytes() == image(replace(view, page=4)).tobytes()


def test_six_meters_take_two_screens() -> None:
    view = leaf(*HP, *HP[:2])
    assert [len(page.parts) for page in pages(view, said)] == [4, 2]


def test_every_card_of_a_hand_can_be_leafed_to() -> None:
    read_names: list[str] = []
    for page in range(2):
        read_names += read(image(replace(leaf(HAND), page=page)))
    for name, note in HAND.cards:
        assert name.show() in read_names
        assert not note.show() or note.show() in read_names


def test_a_long_sentence_goes_on_overleaf_and_loses_no_word() -> None:
    words = [f"word{number}" for number in range(40)]
    view = leaf(Line(Text(" ".join(words))))
    seen: list[str] = []
    for page in range(len(pages(view, said))):
        seen += read(image(replace(view, page=page)))[1:-1]
    assert " ".join(seen).split() == words


def test_a_sentence_that_fits_a_page_is_never_broken_over_two() -> None:
    short = tuple(Line(Text(f"Asuna has {n} of 3 uses left")) for n in range(4))
    leaves = pages(View(Text(""), Text(""), short), said)
    told = [" ".join(part.text.show() for part in page.parts) for page in leaves]  # type: ignore[union-attr]
    assert told == [line.text.show() for line in short]  # two lines each: no second one fits


def test_no_name_at_a_side_of_a_card_is_cut() -> None:
    names = ("Meteor Storm", "Throwing Knives", "Saw", "Sickle and Chain")
    slots = tuple(Slot(str(n), Text(name)) for n, name in enumerate(names, start=1))
    up, left, down, right = slots
    lines = read(image(leaf(Cross(Text("Sister"), Text("normal"), (up, left, down, right)))))
    assert all(any(line.endswith(name) for line in lines) for name in names), lines


def test_a_note_of_several_lines_has_a_page_for_its_card_alone_and_no_other_pays_for_it() -> None:
    long = "Magic, 2 dmg, catalyst 1, house"
    notes = ("Item", "Skill", long, "Item", "Weapon, 3 dmg", "Item, stays, house")
    hand = tuple((Text(f"Card {n}"), Text(note)) for n, note in enumerate(notes))
    view = leaf(Cards(Text("Your hand"), hand))
    shown = [read(image(replace(view, page=n))) for n in range(len(pages(view, said)))]
    assert len(shown) == 4
    assert long in " ".join(shown[1])
    assert not any("…" in line for page in shown for line in page)


def test_a_note_too_long_for_its_row_stands_under_the_name_two_cards_a_page() -> None:
    notes = ("Monster 6, 1 VP, house", "PC 4", "Item +2", "Action, destiny 4")
    cards = tuple((Text(f"General {n}"), Text(note)) for n, note in enumerate(notes))
    view = View(Text("Cards"), Text("Your hand"), (Cards(Text("Hand"), cards),))
    leaves = [read(image(replace(view, page=page))) for page in range(2)]
    told = " ".join(word for leaf_ in leaves for word in leaf_)
    for name, note in cards:
        assert name.show() in told
        assert note.show() in told
    short = View(Text("Cards"), Text("Hand"), (Cards(Text("Hand"), cards[1:3]),))
    assert len(pages(short, said)) == 1


@pytest.mark.parametrize("waiting", ["Red plays", "Red chooses which of these monsters is scored"])
def test_the_text_of_a_card_goes_on_overleaf_under_its_name(waiting: str) -> None:
    long = "Monster 6, 1 VP; destiny 3; thunder; in battle: strength +2 if the opponent is water"
    cards = Cards(
        Text("On the cards"), ((Text("Gladiator"), Text(long)), (Text("Elk"), Text("PC")))
    )
    view = View(Text("Turn 1"), Text(waiting), (cards,), page=0)
    leaves = [read(image(replace(view, page=n))) for n in range(len(pages(view, said)))]
    told = " ".join(line for leaf_ in leaves for line in leaf_)
    assert all(word in told for word in long.split())
    assert "…" not in told
    assert all("Gladiator" in one or "Elk" in one for one in leaves)


@pytest.mark.parametrize("size", [35, 25, 19])
def test_a_sign_stands_in_place_of_the_pips(size: int) -> None:
    def drawn(face: Face) -> bytes:
        picture = Image.new("1", (40, 44))
        draw_die(picture, 2, 2, size, face)
        return picture.tobytes()

    faces = [Face("blue", 1), Face("blue", 1, sign="*"), Face("blue", 1, sign="1/2")]
    assert len({drawn(face) for face in faces}) == 3
    assert drawn(Face("blue", 2, sign="*")) == drawn(Face("blue", 5, sign="*"))


def test_pages_and_choices_are_told_apart_by_the_page_number() -> None:
    view = replace(menu("Linear", "Parry"), parts=HP)
    assert "Linear" in read(image(view))
    assert "Klein" in read(image(replace(view, page=0)))


def test_texts_are_said_by_whoever_is_handed_in() -> None:
    lines = read(image(menu("Linear"), lambda words: words.show().upper()))
    assert "LINEAR" in lines


def test_names_of_seats_stand_in_for_their_numbers() -> None:
    assert read(image(replace(menu("Linear"), names=())))[0] == "Seat 1: choose a skill"


def pips(face: Face, size: int) -> int:
    """How many separate pips a die shows, counted on its picture."""
    picture = Image.new("1", (size + 4, size + 4))
    draw_die(picture, 2, 2, size, face)
    dark = face.body == "white"
    ink = {
        (x, y)
        for x in range(size + 4)
        for y in range(size + 4)
        if bool(picture.getpixel((x, y))) is not dark
    }
    _spot(ink, (0, 0) if dark else (2 + size // 2, 2))  # what lies around it, or its edge
    count = 0
    while ink:
        _spot(ink, next(iter(ink)))
        count += 1
    return count


def _spot(ink: set[tuple[int, int]], start: tuple[int, int]) -> None:
    """Take away the spot that holds a pixel."""
    edge = [start]
    ink.discard(start)
    while edge:
        x, y = edge.pop()
        near = {(x + a, y + b) for a in (-1, 0, 1) for b in (-1, 0, 1)} & ink
        ink -= near
        edge += near


@pytest.mark.parametrize("size", [35, 32, 29, 25, 22, 19, 17, 15, 12])
@pytest.mark.parametrize("body", ["black", "white"])
@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_shows_as_many_separate_pips_as_its_value(size: int, body: str, value: int) -> None:
    assert pips(Face(body, value), size) == value


some_text = st.text(st.sampled_from("abcWÄ 01-…アスナ剣。\n{}😀"), max_size=60).map(
    lambda words: Text("{words}", (("words", words),))
)
some_part: st.SearchStrategy[Part] = st.one_of(
    st.builds(Line, some_text, st.booleans()),
    st.builds(
        Meter, some_text, st.integers(-99, 99999), st.one_of(st.none(), st.integers(1, 9999))
    ),
    st.builds(
        Dice,
        st.lists(
            st.builds(
                Face,
                st.sampled_from(["black", "white", "blue", "other"]),
                st.integers(0, 20),
                st.sampled_from(["", "kept", "thrown", "doubt"]),
            ),
            max_size=20,
        ).map(tuple),
        some_text,
    ),
    st.integers(1, 40).flatmap(
        lambda spaces: st.builds(
            Track,
            st.just(spaces),
            st.lists(
                st.builds(
                    Piece,
                    st.text("ABKア", max_size=2),
                    st.integers(1, spaces),
                    st.sampled_from(["left", "right"]),
                    st.booleans(),
                    st.booleans(),
                ),
                max_size=5,
            ).map(tuple),
        )
    ),
    st.tuples(st.integers(0, 9), st.integers(0, 12)).map(
        lambda shape: Grid(
            tuple(tuple(Cell("R", c % 3) for c in range(shape[1])) for _ in range(shape[0]))
        )
    ),
    st.builds(Cards, some_text, st.lists(st.tuples(some_text, some_text), max_size=8).map(tuple)),
    st.just(SWORD),
    st.builds(
        Ending,
        some_text,
        some_text,
        st.lists(
            st.builds(
                Tally,
                some_text,
                st.integers(-9, 999),
                st.booleans(),
                st.lists(st.tuples(some_text, st.integers(0, 99)), max_size=6).map(tuple),
            ),
            max_size=6,
        ).map(tuple),
    ),
    st.builds(
        Cross,
        some_text,
        some_text,
        st.tuples(*[st.builds(Slot, st.text("12*ア", max_size=3), some_text)] * 4),
    ),
)
some_view = st.builds(
    View,
    some_text,
    some_text,
    st.lists(some_part, max_size=4).map(tuple),
    st.lists(
        st.builds(Choice, some_text, st.integers(), some_text, st.sampled_from(["", "R1"])),
        max_size=9,
    ).map(tuple),
    cursor=st.integers(-2, 12),
    page=st.one_of(st.none(), st.integers(-3, 12)),
    notice=some_text,
    live=st.booleans(),
    extra=st.lists(
        st.tuples(st.text("ab:{}", max_size=9), st.text("12.{}", max_size=40)), max_size=3
    ).map(tuple),
)


@pytest.mark.slow
@given(some_view)
@settings(max_examples=150, deadline=None)
def test_any_view_can_be_drawn(view: View) -> None:
    assert image(view).size == (128, 64)
