"""What the owner of a printed game corrects is kept for good; a bad file is said and not used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.errors import BadState, NoRoom
from companion.games import GAMES
from companion.games.kiriai import KIRIAI
from companion.games.sao import SAO
from companion.memory.cardbox import CardBox
from tests.table.desk import Desk

WITH_CARDS = [game for game in GAMES.values() if game.cards is not None]


def desk_of_sao(folder: Path) -> Desk:
    return Desk(folder, shelf={"sao": SAO})


def test_a_value_in_the_owners_file_is_played_with_and_recorded(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "sao.toml").write_text("[kirito]\nhp.start = 12\n")
    desk = desk_of_sao(tmp_path)
    desk.start()
    state = desk.table.play.line.state
    assert state.cards.characters["kirito"].hp[0] == 12
    (tmp_path / "cards" / "sao.toml").unlink()
    desk.cut()  # the journal knows with which cards the game was begun
    assert desk.table.play.line.state == state


def test_a_bad_card_file_is_refused_with_file_card_and_reason_and_the_shipped_ones_are_used(
    tmp_path: Path,
) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "sao.toml").write_text("[kirito]\nhp.start = -3\n")
    desk = desk_of_sao(tmp_path)
    desk.start()
    assert desk.notice(0).startswith("Shipped cards are used. sao.toml: kirito: hp.start")
    assert desk.table.play.line.state.cards.characters["kirito"].hp[0] == 10


@pytest.mark.parametrize("game", WITH_CARDS, ids=lambda game: game.key)
def test_what_is_kept_is_read_back_and_described_as_the_owners(
    game: object, tmp_path: Path
) -> None:
    assert game in WITH_CARDS
    cards = game.cards  # type: ignore[attr-defined]  # a game of the shelf
    box = CardBox(tmp_path / "cards")
    rows = list(cards.describe(()))
    assert {row[3] for row in rows} <= {"rulebook", "faq", "fan", "house"}
    box.keep(game, ())  # type: ignore[arg-type]
    assert box.load(game) == ()  # type: ignore[arg-type]


def test_a_correction_survives_the_box(tmp_path: Path) -> None:
    box = CardBox(tmp_path / "cards")
    told = (("kirito", "hp.start", 12), ("kirito", "skill1.damage", 2))
    box.keep(SAO, told)
    assert box.load(SAO) == told
    assert SAO.cards is not None
    described = {(card, field): source for card, field, _, source in SAO.cards.describe(told)}
    assert described["kirito", "hp.start"] == "owner"


def test_a_game_without_cards_has_an_empty_box(tmp_path: Path) -> None:
    box = CardBox(tmp_path)
    box.keep(KIRIAI, ())
    assert box.load(KIRIAI) == ()
    assert list(tmp_path.iterdir()) == []


def test_a_box_that_cannot_be_written_or_read_says_so(tmp_path: Path) -> None:
    (tmp_path / "cards").write_text("in the way")
    with pytest.raises(NoRoom, match="could not be written"):
        CardBox(tmp_path / "cards").keep(SAO, ())
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "sao.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadState, match="cannot be read"):
        CardBox(tmp_path / "own").load(SAO)


@pytest.mark.parametrize(
    "file",
    [
        "a = " + "[" * 50_000,
        "[kirito]\nhp.start = " + "9" * 9000,
        "[kirito]\nhp.start = 0x" + "f" * 9000,
    ],
    ids=["deep", "long", "hex"],
)
def test_a_card_file_that_no_parser_ends_well_with_is_said_and_never_overwritten(
    file: str, tmp_path: Path
) -> None:
    (tmp_path / "cards").mkdir()
    own = tmp_path / "cards" / "sao.toml"
    own.write_text(file)
    desk = desk_of_sao(tmp_path)
    desk.start()
    assert desk.notice(0).startswith("Shipped cards are used. sao.toml: ")
    assert not desk.table.play.in_lobby
    CardBox(own.parent).keep(SAO, ())
    assert (own.parent / "sao.toml.damaged-1").read_text() == file


def test_a_pipe_in_place_of_a_card_file_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "sao.toml")
    with pytest.raises(BadState, match="not a regular file"):
        CardBox(tmp_path).load(SAO)


def test_told_values_that_cannot_be_kept_cost_no_move_and_no_start(tmp_path: Path) -> None:
    desk = desk_of_sao(tmp_path)
    desk.start("Cards: ")
    (tmp_path / "cards").write_text("in the way")
    told = ((0, "Kirito"), (1, "Asuna"), (0, "The Kobold Lord"), (0, "step 1 HP"), (0, "9"))
    for panel, label in told:
        desk.choose(panel, label)
    assert desk.notice(0).startswith("Printed values are not kept yet.")
    learnt = (("illfang", "step1.hp", 9),)
    desk.cut()
    assert desk.notice(0).startswith("Printed values are not kept yet.")
    assert desk.table.play.line.state.corrections == learnt
    (tmp_path / "cards").unlink()
    desk.press(0, "next")
    assert CardBox(tmp_path / "cards").load(SAO) == learnt
