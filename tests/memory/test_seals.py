"""The seal binds: what a box could do before, what it cannot do now, and how it is found out."""

from __future__ import annotations

import hmac
import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.errors import BadState
from companion.games import GAMES
from companion.games.api import Game, seal, seal_of, shuffled
from companion.games.kiriai.state import Dealt, Pick, Place
from companion.memory.journal import Journal
from companion.memory.records import exported, find, listed, taken_in
from companion.memory.seals import begun, seed_code, short
from companion.memory.verify import Check, Report, verify
from companion.table.agreement import drafted
from companion.table.menu import Propose
from companion.words import Text, text
from tests.games.guess import GUESS
from tests.table.desk import TWO, Desk

SEED = "5eed" * 16
PLANS = (  # Blue's two cards and Red's: two apart, a high strike; on one space, a balanced one
    (("Charge", "High Strike"), ("Retreat", "Low Strike")),
    (("Charge", "Balanced Strike"), ("Change Stance", "High Strike")),
)
Row = dict[str, Any]


def played(folder: Path, *, cuts: int = 2) -> Desk:
    """A duel to its end; Red has cut."""
    desk = Desk(folder, seed=3)
    for panel in (0, 1):
        desk.choose(panel, "Join")
    for _ in range(cuts):
        desk.choose(1, "Cut")
    desk.choose(0, "Start")
    for blue, red in PLANS:
        desk.plan(0, *blue)
        desk.plan(1, *red)
        if not desk.table.play.over:
            desk.choose(1, "Go on")
    assert desk.table.play.over
    return desk


def export(desk: Desk) -> list[Row]:
    (record, *_) = listed(desk.journal)
    return [json.loads(row) for row in exported(desk.journal, record, desk.shelf)]


def judged(rows: list[Row]) -> Report:
    data = "\n".join(json.dumps(row) for row in rows).encode()
    return verify(data, {**GAMES, GUESS.key: GUESS})


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """The export of an honest game."""
    return export(played(tmp_path_factory.mktemp("duel")))


def copied(rows: list[Row]) -> list[Row]:
    return json.loads(json.dumps(rows))  # type: ignore[no-any-return]


def rearranged(dealt: Any) -> Any:
    """Something else of the same form: a list or a word the other way round, another number."""
    return dealt + 1 if isinstance(dealt, int) else dealt[::-1]


def first_pick(rows: list[Row]) -> Row:
    return next(row for row in rows[1:] if row["body"].get("do") == "Pick")


@cache
def two_faces_of_one_code() -> tuple[str, str, str]:
    """Salts with which "charge" and "retreat" give one code, for a box that may choose them."""
    charges = {}
    for number in count():
        salt = f"{number:08x}"
        charges[seal("charge", salt)] = salt
        if (code := seal("retreat", salt)) in charges:
            return charges[code], salt, code
    raise AssertionError


# -- the old scheme, and the new ---------------------------------------------------------------


@pytest.mark.slow
def test_a_box_that_chooses_its_salts_opens_one_code_as_two_cards() -> None:
    charge, retreat, code = two_faces_of_one_code()
    for face, salt in (("charge", charge), ("retreat", retreat)):
        assert sha256(f'"{face}":{salt}'.encode()).hexdigest()[:6].upper() == code


@pytest.mark.slow
def test_the_same_pair_is_found_out_when_the_salts_come_from_the_seed(duel: list[Row]) -> None:
    assert judged(duel).verdict == "holds"
    charge, retreat, code = two_faces_of_one_code()
    for face, salt in (("charge", charge), ("retreat", retreat)):
        cheat = copied(duel)
        first_pick(cheat)["body"].update(face=face, salt=salt, code=code)
        assert seal(face, salt) == code  # by itself the seal is in order
        report = judged(cheat)
        assert report.verdict == "broken"
        assert any(one.what == "seal" and not one.holds for one in report.checks)


def test_no_other_seed_can_be_shown_at_the_end(duel: list[Row]) -> None:
    other = copied(duel)
    other[0]["seed"] = SEED
    assert not judged(other).checks[0].holds
    other[0]["seed_code"] = seed_code(SEED)  # then every glass had shown another code, and …
    assert not any(one.holds for one in judged(other).checks if one.what == "seal")


# -- what is derived ---------------------------------------------------------------------------


def test_salts_and_picks_depend_on_seed_game_cuts_seat_number_and_every_public_move() -> None:
    base = begun(SEED, "kiriai", [1, 0])
    ways = [
        base, begun(SEED[::-1], "kiriai", [1, 0]), begun(SEED, "sao", [1, 0]),
        begun(SEED, "kiriai", [0, 1]), begun(SEED, "kiriai", [1, 0, 0]),
        base.heard(Pick(0, "charge", "ab")), base.heard(Pick(1, "charge", "ab")),
    ]  # fmt: skip
    salts = [seals.salt(seat, number) for seals in ways for seat in (0, 1) for number in (1, 2)]
    assert len(set(salts)) == len(salts)
    assert len({tuple(shuffled(range(20), seals.pick(3))) for seals in ways}) == len(ways)
    assert base.pick(3)(1 << 60) == base.pick(3)(1 << 60) != base.pick(4)(1 << 60)


def test_a_secret_changes_nothing_that_others_could_see_before_its_reveal() -> None:
    base = begun(SEED, "kiriai", [])
    assert base.heard(Pick(0, "charge", "ab")) == base.heard(Pick(0, "high", "cd"))
    assert base.heard(Dealt(("kesa", "zanshin"))) == base.heard(Dealt(("zanshin", "kesa")))


def test_the_recipe_of_the_docs_gives_the_salts_of_an_export(duel: list[Row]) -> None:
    head, *rows = duel
    cuts = json.dumps(head["options"]["cuts"], separators=(",", ":"))
    word = sha256(f'["kiriai",{cuts}]'.encode()).hexdigest()
    seen = 0
    for row in rows:
        body = {key: value for key, value in row["body"].items() if key != "code"}
        if "salt" in body:
            said = f"salt {body['seat']} {row['seq']} {word}"
            derived = hmac.new(head["seed"].encode(), said.encode(), "sha256").hexdigest()
            assert body["salt"] == derived[:8]
            seen += 1
        hidden = {"face", "salt", "specials"} & body.keys()
        shown = json.dumps({**body, **dict.fromkeys(hidden)}, separators=(",", ":"))
        word = sha256(f"{word} {shown}".encode()).hexdigest()
    assert seen


def test_a_report_for_programs_says_what_was_checked_and_how_it_came_out() -> None:
    found = Check(4, "seal", False, text("Broken."))
    report = Report("broken", (found,), (text("Nobody cut."),), (), "ABCDEF")
    assert report.to_json(Text.show) == {
        "verdict": "broken", "seed_code": "ABCDEF", "notes": ["Nobody cut."],
        "checks": [{"seq": 4, "what": "seal", "holds": False, "says": "Broken."}],
    }  # fmt: skip


def test_picks_are_fair_also_where_numbers_do_not_divide_the_space() -> None:
    pick = begun(SEED, "kiriai", []).pick(1)
    n = (1 << 63) + 1  # without rejection half of all draws would land in the lower half twice
    low = sum(pick(n) < n // 2 for _ in range(400))
    assert 140 < low < 260
    assert set(Counter(pick(6) for _ in range(600))) == set(range(6))


def test_the_code_of_a_choice_is_the_one_on_the_glass() -> None:
    assert seal_of(Pick(0, "charge", "ab")) == seal("charge", "ab")
    assert seal_of(Place(0, 2, "heaven", "ab")) == seal([2, "heaven"], "ab")


# -- an export that was changed ----------------------------------------------------------------


def _choice(rows: list[Row]) -> None:
    body = first_pick(rows)["body"]
    body["face"] = "charge" if body["face"] != "charge" else "retreat"


def _salt(rows: list[Row]) -> None:
    first_pick(rows)["body"]["salt"] = "0011aabb"


def _deal(rows: list[Row]) -> None:
    deal = next(row for row in rows[1:] if row["body"].get("do") == "Dealt")
    deal["body"]["specials"].reverse()


def _result(rows: list[Row]) -> None:
    rows[0]["result"]["winners"] = [1 - rows[0]["result"]["winners"][0]]


def _cut(rows: list[Row]) -> None:
    rows[0]["options"]["cuts"].append(0)


@pytest.mark.parametrize("change", [_choice, _salt, _deal, _result, _cut])
def test_one_change_in_an_export_is_refused(
    duel: list[Row], change: Callable[[list[Row]], None]
) -> None:
    changed = copied(duel)
    change(changed)
    assert judged(duel).verdict == "holds"
    assert judged(changed).verdict == "broken"


def test_every_sealed_choice_and_deal_is_checked_and_so_is_the_result(duel: list[Row]) -> None:
    whats = Counter(one.what for one in judged(duel).checks)
    sealed = sum("salt" in row["body"] for row in duel[1:])
    assert sealed > 3
    assert whats == {"seed": 1, "deal": 1, "seal": sealed, "result": 1}
    assert judged(duel).notes[0].show() == "Red cut 2 times."


@pytest.mark.slow
@pytest.mark.parametrize("game", [*GAMES.values(), GUESS], ids=lambda game: game.key)
def test_every_game_of_the_shelf_holds_and_no_deal_of_it_can_be_changed(
    tmp_path: Path, game: Game[Any]
) -> None:
    desk = Desk(tmp_path, TWO, shelf={game.key: game})
    desk.start(*["Tiles"] * 2 * (game.key == "swordcrafters"))  # virtual: no tile is real
    for turn in range(40):
        if labels := desk.labels(turn % 2):
            desk.press(turn % 2, *["next"] * desk.chance.randrange(len(labels)), "select")
    desk.table.play.stop()  # given up
    rows = export(desk)
    report = judged(rows)
    assert report.verdict == "holds", [one for one in report.checks if not one.holds]
    deals = [one.seq for one in report.checks if one.what == "deal"]
    assert deals
    for seq in deals:
        changed = copied(rows)
        body = changed[seq]["body"]
        dealt = next(key for key, value in body.items() if key != "do" and value not in ("", []))
        body[dealt] = rearranged(body[dealt])
        assert judged(changed).verdict == "broken", body


def test_a_game_without_a_seed_is_unverifiable_and_not_broken(duel: list[Row]) -> None:
    old = copied(duel)
    for key in ("seed", "seed_code", "seed_was_shown"):
        del old[0][key]
    del old[0]["options"]["cuts"]
    assert judged(old).verdict == "unverifiable"
    _result(old)
    assert judged(old).verdict == "broken"  # its moves and result are checked all the same


@pytest.mark.slow
def test_a_box_whose_deal_nobody_cut_is_told_as_that(tmp_path: Path) -> None:
    notes = [note.show() for note in judged(export(played(tmp_path, cuts=0))).notes]
    assert notes == ["Nobody cut: a box that cheats could have chosen the first deal."]


# -- at the table ------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_code_is_shown_before_anybody_can_cut_and_the_seed_after_the_end(
    tmp_path: Path,
) -> None:
    desk = Desk(tmp_path, seed=3)
    code = desk.table.play.binding.code
    assert f"Seed code {short(code)}" in desk.text("table")
    desk.start()
    assert desk.table.play.binding.code == code
    desk.menu(0)
    desk.choose(0, "The seed")
    assert short(code) in desk.text("one")
    desk.journal.close()
    ended = played(tmp_path / "other")
    (record,) = listed(ended.journal)
    for glass in ("table", "one"):
        assert f"Seed {short(record.seed)}" in ended.text(glass)
    assert seed_code(record.seed) == ended.table.play.binding.code


def test_the_plug_changes_no_deal_and_no_salt(tmp_path: Path) -> None:
    bodies = []
    for cuts in (False, True):
        desk = Desk(tmp_path / str(cuts), TWO, seed=9)
        for panel, label in (
            (0, "Join"), (1, "Join"), (1, "Cut"), (0, "Start"), (0, "Charge"), (1, "Retreat"),
            (0, "High"),
        ):  # fmt: skip
            desk.choose(panel, label)
            if cuts:
                desk.cut()
        (record,) = listed(desk.journal)
        bodies.append([entry.body for entry in desk.journal.entries(record.id)])
    assert bodies[0] == bodies[1]


def test_a_game_that_is_given_up_shows_its_seed_too(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    desk.menu(0)
    desk.choose(0, "Give up")
    desk.choose(1, "Agree")
    (record,) = listed(desk.journal)
    assert desk.notice(0) == f"Given up. Seed {short(record.seed)}"
    assert desk.table.play.binding.seed != record.seed  # what comes next has another


def test_a_running_games_export_has_the_code_and_not_the_seed(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.start()
    desk.choose(0, "Charge")
    (record,) = listed(desk.journal)
    rows = export(desk)
    assert (rows[0]["seed_code"], rows[0]["seed"]) == (seed_code(record.seed), None)
    assert not rows[0]["seed_was_shown"]
    assert record.seed not in json.dumps(rows)
    assert rows[-1]["body"].keys() == {"do", "seat", "face", "salt"}  # no code either
    with pytest.raises(BadState, match="exported while it ran"):
        judged(rows)


@pytest.mark.slow
def test_a_game_that_goes_on_after_its_end_says_that_its_seed_was_shown(tmp_path: Path) -> None:
    desk = played(tmp_path)
    play = desk.table.play
    play.carry_out(drafted(play.line, 0, Propose("back", play.line.moves[-1].seq)))
    head = export(desk)[0]
    assert (head["seed"], head["seed_was_shown"]) == (None, True)
    play.stop()
    report = judged(export(desk))
    assert report.verdict == "holds"
    assert any("the game went on" in note.show() for note in report.notes)


@pytest.mark.slow
def test_a_game_that_was_brought_elsewhere_is_verified_there_too(tmp_path: Path) -> None:
    rows = export(played(tmp_path))
    data = "\n".join(json.dumps(row) for row in rows).encode()
    away = Journal(tmp_path / "brought.db", lambda: 1.0)
    number = taken_in(away, data, GAMES, [1.0])
    again = "\n".join(exported(away, find(away, number), GAMES)).encode()
    assert verify(again, GAMES).verdict == "holds"
    rows[0]["seed"] = SEED
    with pytest.raises(BadState, match="does not give the code"):
        taken_in(away, "\n".join(map(json.dumps, rows)).encode(), GAMES, [1.0])
    away.close()
