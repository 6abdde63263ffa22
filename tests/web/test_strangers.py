"""The API as a stranger, as the other seat and as another site: no secret, no action, no way in."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from companion.events import PhonesChanged
from hardware.glass.draw import image
from tests.patience import within
from tests.web.house import VIRTUAL, Browser, Page, PageHouse, open_pages

OPEN = {  # what anybody may ask for, with whatever it needs to be asked
    "/api/health": ["/api/health"],
    "/api/hello": ["/api/hello"],
    "/api/snapshot": ["/api/snapshot?as=public", "/api/snapshot?as=seat", "/api/snapshot?as=table"],
    "/api/games": ["/api/games", "/api/games?search=blue"],
    "/api/games/{number}": ["/api/games/2", "/api/games/2?seat=0", "/api/games/2?seat=1"],
    "/api/games/{number}/export": ["/api/games/2/export"],
    "/api/games/{number}/verify": ["/api/games/2/verify"],
    "/api/games/{number}/moments": ["/api/games/2/moments"],
    "/api/box": ["/api/box"],
    "/api/box.toml": ["/api/box.toml"],
    "/api/box/{game}": ["/api/box/hack", "/api/box/hack?search=elk"],
    "/api/box/{game}/{card}": ["/api/box/hack/elk"],
    "/api/dice": ["/api/dice"],
    "/api/players": ["/api/players"],
    "/api/rules": ["/api/rules", "/api/rules?game=sao"],
    "/api/lesson": ["/api/lesson", "/api/lesson?game=sao"],
    "/api/tray.jpg": ["/api/tray.jpg"],
    "/api/eye": ["/api/eye"],
    "/api/eye/picture": ["/api/eye/picture"],
}
ACTIONS = {
    "/api/panels/{panel}/choose": {"id": "x", "offered": 1, "index": 0},
    "/api/panels/{panel}/go-on": {"id": "x", "number": 2},
    "/api/panels/{panel}/menu": {"id": "x", "opened": True},
    "/api/panels/{panel}/name": {"id": "x", "name": "Nobody"},
    "/api/panels/{panel}/press": {"id": "x", "key": "select"},
}
TRAY = {  # for whoever speaks for a seat
    "/api/eye/correct": {"id": "x", "track": 1, "value": 6},
    "/api/eye/keep": {"id": "x"},
    "/api/eye/calibrate": {"id": "x", "word": "start"},
    "/api/tray/throw": {"id": "x"},
    "/api/tray/drag": {"id": "x", "start": [0.5, 0.5], "end": [0.1, 0.1]},
    "/api/tray/cover": {"id": "x"},
    "/api/tray/clear": {"id": "x"},
    "/api/box/{game}/{card}/forget": {"id": "x"},
    "/api/box/{game}/{card}/photo": {"id": "x"},
}
SESSION = {"/api/claim", "/api/leave", "/api/games/import"}


async def sealed(house: PageHouse, blue: Browser, red: Browser, first: str, second: str) -> None:
    """A duel in which Blue has sealed two cards, and Red none."""
    await blue.claim(0)
    await red.claim(1)
    for panel, who in enumerate((blue, red)):
        assert (await who.choose(panel, "Join")).status_code == 200
    await blue.choose(0, "Start")
    for label in (first, second, "Seal"):
        answer = await blue.choose(0, label)
        assert answer.status_code == 200, answer.text
        assert answer.json()["notice"] == ""
    await house.daemon.settled()


async def all_that_is_seen(folder: Path, first: str, second: str) -> dict[str, Any]:
    """Every answer and every message that a stranger and the other seat can get hold of."""
    seen: dict[str, Any] = {}
    async with (
        open_pages(folder, seed=7) as house,
        Browser(house) as blue,
        Browser(house) as red,
        Browser(house) as stranger,
    ):
        await sealed(house, blue, red, first, second)
        described = (await stranger.get("/openapi.json")).json()["paths"]
        assert set(described) == {*OPEN, *ACTIONS, *TRAY, *SESSION}, "a new route: add it here"
        for name, who in (("stranger", stranger), ("red", red)):
            for path in (path for paths in OPEN.values() for path in paths):
                answer = await who.get(path)
                seen[f"{name} {path}"] = (answer.status_code, _plain(answer.text))
            for viewer in ("public", "seat", "table"):
                async with who.listen(f"as={viewer}") as socket:
                    seen[f"{name} socket {viewer}"] = _plain(await _first(socket))
        seeds = [record.seed for record in house.journal.games()]
    assert all(seeds)
    assert not any(seed in json.dumps(seen) for seed in seeds)
    return seen


async def _first(socket: Any) -> str:
    try:
        return str(await socket.recv())
    except ConnectionClosed as closed:
        return f"closed {closed.rcvd.code if closed.rcvd else None}"


def _plain(text: str) -> Any:
    try:
        message = json.loads(re.sub(r"\d+ MB", "some MB", text))  # free memory, free disk
    except ValueError:
        return text
    if isinstance(message, dict):
        message.pop("epoch", None)  # drawn anew at every start
    return message


@pytest.mark.slow
def test_what_blue_sealed_changes_nothing_that_anybody_else_can_see(tmp_path: Path) -> None:
    async def both() -> tuple[dict[str, Any], dict[str, Any]]:
        one = await all_that_is_seen(tmp_path / "one", "Charge", "High")
        other = await all_that_is_seen(tmp_path / "other", "Retreat", "Low")
        return one, other

    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    one, other = asyncio.run(both())
    assert one == other
    assert one["stranger /api/snapshot?as=public"][0] == 200
    assert one["stranger /api/snapshot?as=seat"][0] == 403
    assert one["red /api/snapshot?as=seat"][0] == 200
    assert one["red /api/snapshot?as=table"][0] == 403
    assert one["stranger socket seat"] == "closed 4401"
    assert one["red socket table"] == "closed 4401"
    assert one["red /api/games/2?seat=0"][0] == 400  # while the game runs
    assert '"face":null' in one["stranger /api/games/2/export"][1]
    assert one["stranger /api/games/2/verify"][0] == 400


@pytest.mark.slow
def test_blue_sees_his_own_choice_and_the_reveal_shows_it_to_all(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            open_pages(tmp_path) as house,
            Browser(house) as blue,
            Browser(house) as red,
            Browser(house) as stranger,
        ):
            await sealed(house, blue, red, "Charge", "High")
            hidden = (await stranger.snapshot("public"))["log"]
            assert "Charge" not in json.dumps(hidden)
            assert [one["rule"] for one in hidden] == ["K-R4", "K-R9", "K-R9", "K-R9"]
            for label in ("Approach", "Low", "Seal"):
                await red.choose(1, label)
            shown = (await stranger.snapshot("public"))["log"][-1]
            assert "Charge" in shown["told"]
            assert shown["rule"] == "K-R13"
            past = (await stranger.get("/api/games/2")).json()["steps"]
            assert [step["rule"] for step in past[:2]] == ["", "K-R4"]

    asyncio.run(play())


@pytest.mark.slow
def test_a_stranger_and_the_other_seat_can_do_nothing_for_a_seat(tmp_path: Path) -> None:
    async def knock() -> None:
        async with (
            open_pages(tmp_path) as house,
            Browser(house) as red,
            Browser(house) as stranger,
            Browser(house) as forger,
        ):
            await red.claim(1)
            forger.http.cookies.set("companion_seat", "made-up")
            await house.daemon.settled()
            house.daemon.events.clear()
            before = house.table.play.entry
            for who in (red, stranger, forger):
                for path, body in ACTIONS.items():
                    answer = await who.post(path.format(panel=0), body)
                    assert answer.status_code == 403, (path, answer.text)
            for who in (stranger, forger):
                for path, body in TRAY.items():
                    answer = await who.post(path.format(game="hack", card="elk"), body)
                    assert answer.status_code == 403, (path, answer.text)
                answer = await who.http.post("/api/games/import", content=b"{}")
                assert answer.status_code == 403
            assert (await red.post(ACTIONS_PRESS.format(panel=1), PRESS)).status_code == 403
            assert (await red.post("/api/panels/9/choose", CHOOSE)).status_code == 404
            assert house.table.play.entry == before
            assert set(house.daemon.events) <= {PhonesChanged()}  # her own claim

    asyncio.run(knock())


ACTIONS_PRESS = "/api/panels/{panel}/press"
PRESS, CHOOSE = ACTIONS[ACTIONS_PRESS], ACTIONS["/api/panels/{panel}/choose"]


@pytest.mark.slow
def test_codes_cannot_be_guessed_and_the_refusal_says_how_long_to_wait(tmp_path: Path) -> None:
    async def guess() -> list[httpx.Response]:
        async with open_pages(tmp_path) as house, Browser(house) as thief:
            tries = [{"panel": 0, "code": f"AAAAA{n}"} for n in range(7)]
            answers = [await thief.post("/api/claim", body) for body in tries]
            right = {"panel": 0, "code": house.web.claims.code(0)}
            return [*answers, await thief.post("/api/claim", right)]

    answers = asyncio.run(guess())
    assert [answer.status_code for answer in answers] == [403] * 5 + [429] * 3
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 11
    assert "wait" in answers[-1].json()["detail"]


@pytest.mark.slow
def test_while_forty_guess_ten_of_ten_who_read_the_glass_get_their_seat(tmp_path: Path) -> None:
    async def claim(house: PageHouse, number: int) -> int:
        way = httpx.AsyncHTTPTransport(local_address=f"127.0.1.{number + 1}")
        async with httpx.AsyncClient(transport=way, timeout=within(20)) as phone:
            body = {"panel": number % 2, "code": house.web.claims.code(number % 2)}
            return (await phone.post(f"{house.address}/api/claim", json=body)).status_code

    async def crowd() -> None:
        async with open_pages(tmp_path) as house:
            flood = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.web.crowd", "claims", str(house.web.port),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
            assert flood.stdin is not None
            assert flood.stdout is not None
            await flood.stdout.readline()
            assert [await claim(house, n) for n in range(10)] == [200] * 10
            flood.stdin.close()
            await flood.wait()

    asyncio.run(crowd())


@pytest.mark.slow
def test_a_phone_behind_a_proxy_is_not_the_table_whether_or_not_the_proxy_is_known(
    tmp_path: Path,
) -> None:
    async def ask(settings: str, headers: dict[str, str]) -> tuple[bool, int]:
        async with open_pages(tmp_path, settings=settings) as house, Browser(house) as phone:
            hello = (await phone.get("/api/hello", headers=headers)).json()
            table = await phone.get("/api/snapshot?as=table", headers=headers)
            return hello["virtual"], table.status_code

    known = VIRTUAL.replace("port = 0", 'port = 0\ntrusted_proxies = ["127.0.0.1"]')
    through = {"X-Forwarded-For": "192.168.1.20"}
    assert asyncio.run(ask(VIRTUAL, {})) == (True, 200)
    assert asyncio.run(ask(VIRTUAL, through)) == (False, 403)
    assert asyncio.run(ask(known, through)) == (False, 403)
    assert asyncio.run(ask(known, {})) == (False, 403)


@pytest.mark.slow
def test_two_browsers_with_one_code_the_first_has_the_seat(tmp_path: Path) -> None:
    async def race() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as one, Browser(house) as two:
            body = {"panel": 0, "code": house.web.claims.code(0)}
            answers = await asyncio.gather(
                one.post("/api/claim", body), two.post("/api/claim", body)
            )
            assert sorted(answer.status_code for answer in answers) == [200, 410]

    asyncio.run(race())


@pytest.mark.slow
def test_a_seat_that_is_taken_over_or_signed_off_closes_the_old_phones_socket(
    tmp_path: Path,
) -> None:
    async def lose() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as old, Browser(house) as new:
            await old.claim(0)
            async with old.listen("as=seat") as socket:
                await Page(socket).hear()
                await new.claim(0)
                while not (last := await _first(socket)).startswith("closed"):
                    pass
                assert last == "closed 4401"
            assert (await old.get("/api/snapshot?as=seat")).status_code == 403
            assert (await new.get("/api/snapshot?as=seat")).status_code == 200
            await new.post("/api/leave", {})
            assert (await new.get("/api/snapshot?as=seat")).status_code == 403

    asyncio.run(lose())


@pytest.mark.slow
def test_the_panel_signs_its_phone_off_by_the_tables_menu(tmp_path: Path) -> None:
    async def sign_off() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as blue, Browser(house) as red:
            await blue.claim(0)
            await red.claim(1)
            await blue.choose(0, "Join")
            await red.choose(1, "Join")
            await blue.choose(0, "Start")
            await house.press(0, "back", "back")  # look at the table, then its menu
            await house.choose(0, "Sign off")
            assert not house.web.claims.claimed(0)
            assert house.web.claims.claimed(1)
            assert (await blue.get("/api/snapshot?as=seat")).status_code == 403

    asyncio.run(sign_off())


@pytest.mark.slow
def test_the_glass_of_a_seat_shows_the_code_that_claims_it(tmp_path: Path) -> None:
    async def read() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as blue:
            await house.press(0, "back", "previous")
            address = f"127.0.0.1:{house.web.port}"
            assert house.glass("one")[-1] == address  # the caption under the code
            before = house.web.claims.code(0)
            view = house.table.view("one")
            assert view.extra == ((address, before),)
            drawn = house.devices.glass["one"]().tobytes()
            assert drawn == image(view).tobytes()
            assert drawn != image(replace(view, extra=((address, "AAAAAA"),))).tobytes()
            await blue.claim(0)
            assert house.web.claims.code(0) != before
            await blue.choose(0, "Join")
            assert house.table.view("one").extra == ((address, house.web.claims.code(0)),)
            assert house.table.view("table").extra == ()

    asyncio.run(read())


CROSS = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


@pytest.mark.parametrize("headers", CROSS, ids=str)
@pytest.mark.slow
def test_a_request_from_another_site_is_refused(tmp_path: Path, headers: dict[str, str]) -> None:
    async def cross() -> None:
        async with open_pages(tmp_path, settings=VIRTUAL) as house, Browser(house) as browser:
            for path, body in (ACTIONS | TRAY).items():
                answer = await browser.post(
                    path.format(panel=0, game="hack", card="elk"), body, headers=headers
                )
                assert answer.status_code == 403
                assert "another site" in answer.text
            if "Origin" in headers:
                with pytest.raises(InvalidStatus):
                    async with browser.listen("as=table", origin=headers["Origin"]):
                        pass
            assert house.daemon.events == []

    asyncio.run(cross())


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 421),
        ("evil.example:8080", 421),
        ("", 421),
        ("[", 421),
        ("table.local", 200),
        ("raspberrypi:8080", 200),
        ("192.168.1.20", 200),
        ("[::1]:8080", 200),
    ],
)
@pytest.mark.slow
def test_a_name_that_is_not_ours_is_refused_so_no_site_can_point_its_own_at_us(
    tmp_path: Path, host: str, status: int
) -> None:
    async def ask() -> int:
        async with open_pages(tmp_path) as house, Browser(house) as browser:
            return (await browser.get("/api/hello", headers={"Host": host})).status_code

    assert asyncio.run(ask()) == status


@pytest.mark.slow
def test_the_virtual_table_is_for_this_machine_only_unless_the_settings_say_otherwise(
    tmp_path: Path,
) -> None:
    async def virtual(settings: str, folder: Path) -> bool:
        async with open_pages(folder, settings=settings) as house, Browser(house) as browser:
            return bool((await browser.get("/api/hello")).json()["virtual"])

    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    real = VIRTUAL.replace('displays = "twin"', 'displays = "real"')
    assert asyncio.run(virtual(VIRTUAL, tmp_path / "a"))
    assert not asyncio.run(virtual(real, tmp_path / "b"))
