"""My box on the pages: who may change it, what it refuses, three cards of each game by phone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion.games import GAMES
from companion.games.api import Game
from companion.games.box import MOST_BYTES
from companion.memory.cardbox import MOST_PHOTO, CardBox
from tests.memory.test_box import JPEG, THREE, told
from tests.web.house import PAGES, Browser, PageHouse, open_pages

WITH_CARDS = [game for game in GAMES.values() if game.cards is not None]
HACK = GAMES["hack"]


def with_pages(
    folder: Path, game: Game[Any], work: Callable[[PageHouse, Browser], Awaitable[None]]
) -> None:
    async def run() -> None:
        async with open_pages(folder, settings=PAGES, game=game) as house, Browser(house) as phone:
            await work(house, phone)

    asyncio.run(run())


async def tell(phone: Browser, path: str, **body: Any) -> httpx.Response:
    return await phone.post(f"/api/box/{path}", {"id": f"{hash(str(body))}", **body})


@pytest.mark.slow
@pytest.mark.parametrize("game", WITH_CARDS, ids=lambda game: game.key)
def test_three_cards_of_each_game_are_entered_by_phone(game: Game[Any], tmp_path: Path) -> None:
    async def work(_: PageHouse, phone: Browser) -> None:
        await phone.claim(0)
        for card, values in THREE[game.key].items():
            if "kind" in values:
                rest = {name: value for name, value in values.items() if name != "kind"}
                new = await tell(phone, game.key, name="New", kind="magic", values=rest)
                assert new.json()["card"] == card
                continue
            answer = await tell(phone, f"{game.key}/{card}", values=values)
            assert answer.status_code == 200, answer.text
            shown = (await phone.get(f"/api/box/{game.key}/{card}")).json()
            now = {row["field"]: (row["value"], row["source"]) for row in shown["rows"]}
            assert {name: now[name] for name in values} == {
                name: (value, "owner") for name, value in values.items()
            }
        assert CardBox(tmp_path / "cards").load(game) == told(game.key)

    with_pages(tmp_path, game, work)


@pytest.mark.slow
def test_a_stranger_reads_the_box_and_changes_nothing_and_sees_no_photograph(
    tmp_path: Path,
) -> None:
    async def work(house: PageHouse, phone: Browser) -> None:
        await phone.claim(0)
        assert (await phone.post("/api/box/hack/elk/photo", None, content=JPEG)).json() == {
            "photo": True
        }
        async with Browser(house) as stranger:
            assert (await stranger.get("/api/box/hack/elk")).status_code == 200
            for path in ("hack/elk", "hack/elk/forget", "hack"):
                body: dict[str, Any] = {} if "forget" in path else {"values": {"strength": 9}}
                body |= {"name": "x", "kind": "pc"} if path == "hack" else {}
                assert (await tell(stranger, path, **body)).status_code == 403
            assert (await stranger.get("/api/box/hack/elk/photo")).status_code == 403
            for path in ("/api/box.toml", "/api/box/hack/elk/photo"):
                assert (await stranger.post(path, None, content=b"x")).status_code == 403
        assert (await phone.get("/api/box/hack/elk/photo")).headers["content-type"] == "image/jpeg"
        assert CardBox(tmp_path / "cards").load(HACK) == ()

    with_pages(tmp_path, HACK, work)


@pytest.mark.slow
def test_what_cannot_be_is_refused_with_card_and_reason_and_what_is_too_long_before_it_is_read(
    tmp_path: Path,
) -> None:
    async def work(_: PageHouse, phone: Browser) -> None:
        await phone.claim(0)
        wrong = await tell(phone, "hack/elk", values={"strength": 99})
        assert (wrong.status_code, wrong.json()["detail"]) == (
            400, "box: elk: strength is 99, not 0 to 20",
        )  # fmt: skip
        assert (await tell(phone, "hack/nobody", values={})).status_code == 404
        assert (await tell(phone, "chess/pawn", values={})).status_code == 404
        kind = {"Content-Type": "application/json"}
        letters = b'{"id":"1","values":{"name":"\\ud800"}}'
        half = await phone.http.post("/api/box/hack/elk", content=letters, headers=kind)
        assert half.status_code in (400, 422)
        broken = b"format = 1\n[hack.elk]\nstrength = 77\n"
        answer = await phone.post("/api/box.toml", None, content=broken)
        assert answer.json()["detail"] == "box.toml: hack: elk: strength is 77, not 0 to 20"
        for path, most in (("/api/box.toml", MOST_BYTES), ("/api/box/hack/elk/photo", MOST_PHOTO)):
            answer = await phone.post(path, None, content=b"x" * (most + 1))
            assert answer.status_code == 413
        answer = await phone.post("/api/box/hack/elk/photo", None, content=b"<svg>")
        assert answer.json()["detail"] == "a photograph must be a whole JPEG"
        assert CardBox(tmp_path / "cards").load(HACK) == ()

    with_pages(tmp_path, HACK, work)


@pytest.mark.slow
def test_a_friends_box_is_brought_by_phone_and_taken_along(tmp_path: Path) -> None:
    async def work(_: PageHouse, phone: Browser) -> None:
        await phone.claim(0)
        await tell(phone, "hack/elk", values={"strength": 8})
        friend = 'format = 1\n[hack."elk"]\nstrength = 5\ndestiny = 1\n'
        answer = await phone.post("/api/box.toml", None, content=friend.encode())
        assert answer.json()["values"] == 2
        mine = {row[1]: row[2] for row in CardBox(tmp_path / "cards").load(HACK)}
        assert mine == {"strength": 8, "destiny": 1}
        await phone.post("/api/box.toml?theirs_win=true", None, content=friend.encode())
        assert "strength = 5" in (await phone.get("/api/box.toml")).text

    with_pages(tmp_path, HACK, work)


@pytest.mark.slow
def test_a_card_is_found_by_its_name_in_either_language(tmp_path: Path) -> None:
    async def work(_: PageHouse, phone: Browser) -> None:
        for word in ("fireb", "ファイヤ", "ﾌｧｲﾔｰ", "FIREBALL"):
            found = (await phone.get(f"/api/box/sainome?search={word}")).json()
            assert [one["card"] for one in found] == ["fireball"]

    with_pages(tmp_path, GAMES["sainome"], work)
