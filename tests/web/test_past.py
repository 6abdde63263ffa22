"""The past as strangers ask for it: no secret of a game that goes on, and always an answer."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from companion.games.kiriai import KIRIAI
from companion.memory.journal import Journal
from companion.table.agreement import drafted
from companion.table.menu import Propose
from companion.web.history import Shelves
from tests.web.house import Browser, open_pages
from tests.web.test_api import PLANS

HEAD: dict[str, Any] = {
    "companion": 1, "game": "kiriai", "rules": 2, "options": {"mode": "hard"}, "began": 1,
    "ended": 2, "secrets_left_out": False,
    "seats": [{"panel": 0, "name": "Bl\ud800ue"}, {"panel": 1, "name": "Red"}],
}  # fmt: skip


@pytest.mark.slow
def test_half_a_character_is_not_brought_and_one_that_was_breaks_nothing(tmp_path: Path) -> None:
    brought = Journal(tmp_path / "brought.db", lambda: 1.0)
    brought.begin("kiriai", KIRIAI.version, HEAD["seats"], HEAD["options"])
    brought.end(1, None)
    brought.close()

    async def bring() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as blue:
            await blue.claim(0)
            before = (await blue.get("/api/games")).json()
            assert [game["seats"] for game in before] == [["Bl\ufffdue", "Red"]]
            head = json.dumps(HEAD | {"rules": KIRIAI.version})
            answer = await blue.http.post("/api/games/import", content=head)
            assert answer.status_code == 400
            assert "half a character" in answer.json()["detail"]
            assert (await blue.get("/api/games")).json() == before
            for path in ("-1", "-1?seat=0", "-1/export"):
                assert (await blue.get(f"/api/games/{path}")).status_code == 200
            whole = (await blue.get("/api/games/-1/export")).content
            assert (await blue.http.post("/api/games/import", content=whole)).status_code == 200

    asyncio.run(bring())


@pytest.mark.slow
def test_a_bug_is_answered_with_a_sentence_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bug(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Shelves, "games", bug)

    async def ask() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as browser:
            answer = await browser.get("/api/games")
            assert answer.status_code == 500
            assert answer.json() == {"detail": "the companion failed here: its log tells why"}
            assert answer.headers["x-content-type-options"] == "nosniff"

    asyncio.run(ask())


@pytest.mark.slow
def test_a_stranger_learns_nothing_of_a_game_that_went_on_after_its_end(tmp_path: Path) -> None:
    async def revive() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as stranger:
            play = house.table.play
            for panel in (0, 1):
                await house.choose(panel, "Join")
            await house.choose(0, "Start")
            for first, second in PLANS:
                await house.plan(0, *first)
                await house.plan(1, *second)
                if not play.over:
                    await house.choose(1, "Go on")
            paths = [f"/api/games/{play.number}{end}" for end in ("?seat=1", "/export")]
            for path in paths:
                assert (await stranger.get(path)).status_code == 200
            back = Propose("back", play.line.moves[-1].seq)
            play.carry_out(drafted(play.line, 0, back))
            assert not play.over
            seat, export = [await stranger.get(path) for path in paths]
            assert (seat.status_code, "still runs" in seat.text) == (400, True)
            head, *rows = map(json.loads, export.text.splitlines())
            assert head["secrets_left_out"]
            assert head["ended"] is None
            sealed = [row["body"] for row in rows if "salt" in row["body"]]
            assert sealed
            assert all(body["salt"] is None for body in sealed)

    asyncio.run(revive())


@pytest.mark.slow
def test_the_history_goes_on_with_a_game_that_was_set_aside(tmp_path: Path) -> None:
    async def rest() -> None:
        async with (
            open_pages(tmp_path) as house, Browser(house) as blue, Browser(house) as stranger,
        ):  # fmt: skip
            play = house.table.play
            for panel in (0, 1):
                await house.choose(panel, "Join")
            await house.choose(0, "Start")
            number = play.number
            await blue.claim(0)
            assert [one["rests"] for one in (await blue.get("/api/games")).json()] == [False]
            runs = await blue.send(0, "go-on", number=number)
            assert (runs.status_code, "Not now" in runs.text) == (409, True)
            await blue.send(0, "menu", opened=True)
            await blue.choose(0, "Set this game aside")
            await house.choose(1, "Agree")
            (row,) = (await blue.get("/api/games")).json()
            assert (row["number"], row["rests"]) == (number, True)
            refused = await stranger.send(0, "go-on", number=number)
            assert refused.status_code == 403
            answer = await blue.send(0, "go-on", number=number)
            assert (answer.status_code, answer.json()["notice"]) == (200, "")
            assert play.line.game is KIRIAI
            newest = (await blue.get("/api/games")).json()[0]
            assert (newest["number"], newest["rests"]) == (play.number, False)

    asyncio.run(rest())
