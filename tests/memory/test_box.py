"""A box is one file: written, shared, checked; what is broken is refused with card and reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from companion.cli.box import PRINTINGS, WITH_CARDS, app
from companion.errors import BadState
from companion.games import GAMES
from companion.games.api import Game
from companion.games.box import MOST_BYTES, Box, changed, from_file, rows, to_file, together
from companion.memory.cardbox import MOST_PHOTO, CardBox, plain_jpeg

THREE: dict[str, dict[str, dict[str, int | str]]] = {
    "hack": {
        "elk": {"strength": 6, "destiny": 2, "element": "fire"},
        "baby_worm": {"strength": 3, "points": 2, "species": "larva"},
        "air_wand": {"level": 2, "strength": 2, "name": "Wand of Air"},
    },
    "sainome": {
        "longsword": {"damage": 4, "links": "up down"},
        "ray": {"damage": 3, "catalyst": 2},
        "time_bomb": {"copies": 3, "six": 1},
    },
    "sao": {
        "illfang": {"step1.hp": 9, "step1.damage": 2},
        "kirito": {"hp.level80": 30},
        "shield": {"absorbs": 3},
    },
    "swordcrafters": {
        "magic.1a": {"pays": "6 3"},
        "magic.2a": {"pays": "4"},
        "magic.101a": {"kind": "magic", "method": "most", "gems": "red", "pays": "5 2"},
    },
}
"""Three cards of each game."""


def told(game: str) -> Box:
    box: Box = ()
    for card, values in THREE[game].items():
        box = changed(PRINTINGS[game], box, card, values)
    return box


@pytest.mark.parametrize("game", WITH_CARDS.values(), ids=lambda game: game.key)
def test_three_cards_of_each_game_survive_the_file_and_the_box(
    game: Game[Any], tmp_path: Path
) -> None:
    box = told(game.key)
    read = from_file(to_file({game.key: box}).encode(), "box.toml", PRINTINGS)
    assert read == {game.key: box}
    kept = CardBox(tmp_path)
    kept.keep(game, box)
    again = PRINTINGS[game.key].values(kept.load(game), "box")
    for card, values in THREE[game.key].items():
        for name, value in values.items():
            assert again[card][name].value == value
            assert name == "kind" or again[card][name].source == "owner"


@pytest.mark.parametrize("key", WITH_CARDS, ids=str)
def test_every_card_can_be_drawn_and_what_it_shows_is_what_may_stand_there(key: str) -> None:
    printing = PRINTINGS[key]
    cards = printing.values((), "shipped")
    for card in cards:
        assert printing.name(card, cards[card]).show()
        for row in rows(printing, cards, card):
            assert row.label.show()
            assert row.says is not None
            assert not row.asks.wrong(row.value)
            for value in row.asks.offered():
                printing.says(cards[card], row.field, value)


def test_a_value_is_changed_again_and_again_and_given_back() -> None:
    printing = PRINTINGS["hack"]
    box: Box = ()
    for strength in (6, 7, 8):
        box = changed(printing, box, "elk", {"strength": strength})
    assert box == (("elk", "strength", 8),)
    assert changed(printing, box, "elk", {"strength": None}) == ()
    assert changed(printing, box, "elk", None) == ()


def test_another_kind_keeps_what_both_kinds_have_and_drops_the_rest() -> None:
    printing = PRINTINGS["hack"]
    box = changed(printing, (), "elk", {"strength": 6, "class": "long arm"})
    box = changed(printing, box, "elk", {"kind": "monster"})
    card = printing.values(box, "box")["elk"]
    assert (card["kind"].value, card["strength"].value, card["name"].value) == (
        "monster", 6, "Elk",
    )  # fmt: skip
    assert "class" not in card


def test_a_card_may_be_called_by_its_printed_name_in_either_language() -> None:
    source = 'format = 1\n[sainome."ファイヤーボール"]\ndamage = 4\n[hack."Elk"]\nstrength = 9\n'
    read = from_file(source.encode(), "box.toml", PRINTINGS)
    assert read == {"sainome": (("fireball", "damage", 4),), "hack": (("elk", "strength", 9),)}


def test_of_two_boxes_mine_counts_unless_theirs_is_to_win() -> None:
    mine: Box = (("elk", "strength", 6),)
    theirs: Box = (("elk", "strength", 7), ("elk", "destiny", 1))
    assert dict(row[1:] for row in together(mine, theirs, False)) == {"strength": 6, "destiny": 1}
    assert dict(row[1:] for row in together(mine, theirs, True)) == {"strength": 7, "destiny": 1}


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("", "box.toml: format must be 1"),
        ("format = 1\n[chess.pawn]\n", "box.toml: chess: must be one of"),
        ("format = 1\n[hack.elk]\nstrength = 99", "box.toml: hack: elk: strength is 99, not 0"),
        ("format = 1\n[hack.elk]\nwings = 2", "box.toml: hack: elk: such a card has no wings"),
        ("format = 1\n[hack.nobody]\nstrength = 2", "box.toml: hack: nobody: there is no such"),
        ('format = 1\n[hack.new]\nkind = "god"', "box.toml: hack: new: kind must be one of"),
        ('format = 1\n[hack."../x"]\nkind = "pc"', "box.toml: hack: ../x: a new card is called"),
        ("format = 1\n[hack.elk]\na = 40\n[hack.bt]\na = 40\n", "box.toml: hack: deck a has"),
        ("format = 1\n[sao.kirito]\nskill1.damage = 9", "kirito: skill1.damage is"),
        ('format = 1\n[swordcrafters."magic.1a"]\npays = "5 9"', "swordcrafters: magic.1a: "),
        ("format = 1\n[hack]\nelk = 3", "box.toml: hack: elk: must be a card"),
        ("format = 1\n[hack.elk]\nstrength = 1.5", "elk: strength must be a number or a text"),
        ("format = 1\na = " + "[" * 50_000, "box.toml: "),
        ("#" * (MOST_BYTES + 1), "a box has at most"),
    ],
)  # fmt: skip
def test_a_broken_box_is_refused_with_file_card_and_reason(source: str, reason: str) -> None:
    with pytest.raises(BadState) as refused:
        from_file(source.encode(), "box.toml", PRINTINGS)
    assert reason in str(refused.value)


def run(*words: object) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_friends_box_is_brought_by_the_command_line_and_a_broken_one_changes_nothing(
    tmp_path: Path,
) -> None:
    own, friend = tmp_path / "own.toml", tmp_path / "friend.toml"
    own.write_text(f'[table]\nstate = "{tmp_path / "mine"}"\n')
    friend.write_text(to_file({key: told(key) for key in WITH_CARDS}))
    assert "is in order" in run("check", friend).output
    assert run("import", friend, "-s", own).exit_code == 0
    assert CardBox(tmp_path / "mine" / "cards").load(GAMES["hack"]) == told("hack")
    run("export", tmp_path / "again.toml", "-s", own)
    assert from_file((tmp_path / "again.toml").read_bytes(), "again", PRINTINGS) == {
        key: told(key) for key in WITH_CARDS
    }
    friend.write_text("format = 1\n[hack.elk]\nstrength = 77\n[sainome.ray]\ndamage = 9\n")
    refused = run("import", friend, "-s", own)
    assert "friend.toml: hack: elk: strength is 77, not 0 to 20" in str(refused.exception)
    assert CardBox(tmp_path / "mine" / "cards").load(GAMES["sainome"]) == told("sainome")


NOTES = b"\xff\xe1\x00\x0cExif secret"[:14]
JPEG = b"\xff\xd8" + NOTES + b"\xff\xdb\x00\x04ab" + b"\xff\xda\x00\x02scan" + b"\xff\xd9"


def test_a_photograph_is_kept_without_what_the_camera_noted(tmp_path: Path) -> None:
    box = CardBox(tmp_path)
    box.keep_photo("hack", "elk", JPEG)
    assert box.photo("hack", "elk") == JPEG.replace(NOTES, b"")
    assert box.photos("hack") == {"elk"}
    box.keep_photo("hack", "elk", b"")
    assert box.photo("hack", "elk") == b""


@pytest.mark.parametrize(
    "picture", [b"GIF89a", JPEG[:-2], b"\xff\xd8\xff\xd9", JPEG + b"x" * MOST_PHOTO, b"\xff" * 99]
)
def test_what_is_no_photograph_is_not_kept(picture: bytes) -> None:
    with pytest.raises(BadState, match="photograph"):
        plain_jpeg(picture)


def test_no_photograph_is_looked_for_outside_the_box(tmp_path: Path) -> None:
    with pytest.raises(BadState):
        CardBox(tmp_path).photo("hack", "../../journal")
