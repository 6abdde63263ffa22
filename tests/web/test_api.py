"""What the pages do: choose, once; resume; look at the past. And bad input, answered clearly."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest

from companion.memory.seals import seed_code
from companion.views import Part
from companion.web import feeds
from companion.web.api import PAGES
from companion.web.frame import STATIC, framed
from companion.web.page_words import WORDS
from tests.patience import within
from tests.web.house import VIRTUAL, Browser, Page, PageHouse, open_pages

PLANS = [  # Blue's two cards and Red's: two apart, a high strike; on one space, a balanced one
    (("Charge", "High Strike"), ("Retreat", "Low Strike")),
    (("Charge", "Balanced Strike"), ("Change Stance", "High Strike")),
]


async def duel(house: PageHouse, blue: Browser, red: Browser) -> None:
    await blue.claim(0)
    await red.claim(1)
    await blue.choose(0, "Join")
    await red.choose(1, "Join")
    assert (await blue.choose(0, "Start")).status_code == 200
    assert house.table.play.line.game.key == "kiriai"


@pytest.mark.slow
def test_a_command_that_is_sent_twice_is_done_once(tmp_path: Path) -> None:
    async def twice() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as blue, Browser(house) as red:
            await duel(house, blue, red)
            seen = await blue.snapshot("seat")
            body = {"id": "again", "offered": seen["offered"], "index": 0}
            before = house.table.play.line.seq
            answers = await asyncio.gather(
                *(blue.post("/api/panels/0/choose", body) for _ in range(5))
            )
            assert {answer.status_code for answer in answers} == {200}
            assert len({answer.text for answer in answers}) == 1
            assert house.table.play.line.seq == before + 1

    asyncio.run(twice())


@pytest.mark.slow
def test_a_stale_number_is_refused_and_nothing_happens(tmp_path: Path) -> None:
    async def stale() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as blue, Browser(house) as red:
            await duel(house, blue, red)
            seen, before = await blue.snapshot("seat"), house.table.play.entry
            for offered, index in ((seen["offered"] - 1, 0), (seen["offered"] + 1, 0), (10**9, 0)):
                answer = await blue.send(0, "choose", offered=offered, index=index)
                assert answer.status_code == 409
            answer = await blue.send(0, "choose", offered=seen["offered"], index=99)
            assert answer.status_code == 409
            assert "Look, then press again" in answer.json()["detail"]
            assert house.table.play.entry == before

    asyncio.run(stale())


@pytest.mark.slow
def test_what_the_rules_forbid_is_told_with_its_rule(tmp_path: Path) -> None:
    async def refused() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as blue, Browser(house) as red:
            await duel(house, blue, red)
            seen = await blue.snapshot("seat")
            await blue.choose(0, "Approach")
            barred = [c for c in (await blue.snapshot("seat"))["choices"] if c["barred"]]
            assert seen["choices"] != barred
            for choice in barred:
                answer = await blue.choose(0, choice["label"])
                assert choice["barred"] in answer.json()["notice"]

    asyncio.run(refused())


@pytest.mark.slow
def test_a_phone_takes_back_its_own_choice_through_the_tables_menu(tmp_path: Path) -> None:
    async def back() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as blue, Browser(house) as red:
            await duel(house, blue, red)
            await blue.choose(0, "Approach")
            assert (await blue.snapshot("seat"))["menu"] is False
            await blue.send(0, "menu", opened=True)
            assert (await blue.snapshot("seat"))["menu"] is True
            assert (await red.snapshot("seat"))["menu"] is False
            await blue.send(0, "menu", opened=False)
            assert (await blue.snapshot("seat"))["menu"] is False
            await blue.send(0, "menu", opened=True)
            moves = len(house.table.play.line.moves)
            assert (await blue.choose(0, "Take back")).status_code == 200
            assert len(house.table.play.line.moves) == moves - 1
            assert (await blue.snapshot("seat"))["menu"] is False

    asyncio.run(back())


@pytest.mark.slow
def test_a_page_resumes_where_it_slept_and_gets_only_what_it_missed(tmp_path: Path) -> None:
    async def sleep() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as blue, Browser(house) as red:
            await blue.claim(0)
            await red.claim(1)
            async with blue.listen("as=seat") as awake:
                page = Page(awake)
                await page.hear()
            await red.choose(1, "Join")
            await blue.choose(0, "Join")
            query = f"as=seat&since={page.number}&epoch={page.epoch}"
            async with blue.listen(query) as again:
                page.socket, page.kinds = again, []
                seen = await blue.snapshot("seat")
                assert page.document != seen
                while page.document != seen:
                    await page.hear()
                assert set(page.kinds) == {"set"}
            async with blue.listen("as=seat&since=1&epoch=other") as anew:
                page = Page(anew)
                await page.hear()
                assert page.kinds == ["all"]

    asyncio.run(sleep())


@pytest.mark.slow
def test_every_page_of_a_viewer_hears_of_a_choice_made_elsewhere(tmp_path: Path) -> None:
    async def watch() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as blue, Browser(house) as tv:
            await blue.claim(0)
            async with tv.listen() as one, tv.listen() as two:
                pages = [Page(one), Page(two)]
                for page in pages:
                    await page.hear()
                await blue.choose(0, "Join")
                for page in pages:
                    while "Blue has joined" not in json.dumps(page.document["parts"]):
                        await page.hear()

    asyncio.run(watch())


@pytest.mark.slow
def test_a_button_of_the_virtual_table_is_pressed_and_its_glass_changes(tmp_path: Path) -> None:
    async def press() -> None:
        async with open_pages(tmp_path, settings=VIRTUAL) as house, Browser(house) as browser:
            async with browser.listen("as=table") as listening:
                page = Page(listening)
                await page.hear()
                frame = page.document["glass:one"]["frame"]
                assert {"glass:table", "glass:one", "glass:two"} <= set(page.document)
                assert (await browser.send(0, "press", key="next")).status_code == 200
                while page.document["glass:one"]["frame"] == frame:
                    await page.hear()
            assert set(await browser.snapshot("public")) & {"glass:one", "glass:two"} == set()

    asyncio.run(press())


@pytest.mark.slow
def test_a_browser_that_never_reads_is_dropped_and_the_table_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "SLOWEST", 0.3)

    async def deaf() -> None:
        async with open_pages(tmp_path, settings=VIRTUAL) as house, Browser(house) as browser:
            plug = socket.socket()
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            plug.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(plug, ("127.0.0.1", house.web.port))
            await loop.sock_sendall(plug, _handshake(house.web.port))
            feed = house.web.feeds.of("public")
            async with asyncio.timeout(within(30)):
                for turn in itertools.count():
                    house.web.desk.tray = {"much": f"{turn}" * 20000}
                    house.web.feeds.refresh()
                    await asyncio.sleep(0.01)
                    if turn > 20 and not feed.urgent:
                        break
            house.web.desk.tray = {}
            assert (await browser.send(0, "press", key="next")).status_code == 200
            plug.close()

    asyncio.run(deaf())


def _handshake(port: int) -> bytes:
    return (
        f"GET /api/feed?as=public HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()


BAD: list[tuple[str, Any]] = [
    ("/api/claim", {"panel": "0", "code": "AAAAAA"}),
    ("/api/claim", {"panel": 0, "code": 5}),
    ("/api/claim", {"panel": 0}),
    ("/api/claim", {"panel": -1, "code": "A"}),
    ("/api/claim", {"panel": 0, "code": "A" * 17}),
    ("/api/claim", {"panel": 0, "code": "AAAAAA", "more": 1}),
    ("/api/claim", {"panel": 0, "code": "AAAAAA", "\ud800": 1}),
    ("/api/claim", {"panel": 0, "code": "\ud800"}),
    ("/api/claim", {"panel": 0, "code": {"\ud800": ["\udfff"]}}),
    ("/api/claim", []),
    ("/api/claim", None),
    ("/api/panels/0/choose", {"id": "", "offered": 1, "index": 0}),
    ("/api/panels/0/choose", {"id": "\ud800", "offered": 1, "index": 0}),
    ("/api/panels/0/choose", {"id": "x", "offered": 1.5, "index": 0}),
    ("/api/panels/0/choose", {"id": "x", "offered": True, "index": 0}),
    ("/api/panels/0/choose", {"id": "x", "offered": 1, "index": -1}),
    ("/api/panels/0/choose", {"id": "x", "offered": 10**30, "index": 0}),
    ("/api/panels/0/press", {"id": "x", "key": "reboot"}),
    ("/api/panels/x/press", {"id": "x", "key": "select"}),
]


@pytest.mark.slow
def test_wrong_types_get_a_sentence_and_status_422(tmp_path: Path) -> None:
    async def ask() -> None:
        async with open_pages(tmp_path, settings=VIRTUAL) as house, Browser(house) as browser:
            for path, body in BAD:
                content = json.dumps(body)
                headers = {"Content-Type": "application/json"}
                answer = await browser.http.post(path, content=content, headers=headers)
                assert answer.status_code == 422, (path, body, answer.text)
                assert isinstance(answer.json()["detail"], str)
            for content in (b"{", b"\xff", b'{"panel": NaN, "code": "x"}', b"[" * 9000, b""):
                answer = await browser.http.post("/api/claim", content=content, headers=headers)
                assert answer.status_code in (400, 422), (content[:9], answer.text)
            assert house.daemon.events == []

    asyncio.run(ask())


@pytest.mark.slow
def test_a_body_that_is_too_big_is_refused_whether_it_says_so_or_not(tmp_path: Path) -> None:
    async def flood() -> None:
        async with open_pages(tmp_path, settings=VIRTUAL) as house, Browser(house) as browser:
            honest = await browser.http.post("/api/claim", content=b" " * 20_000)
            assert honest.status_code == 413

            async def endless() -> Any:
                for _ in range(40):
                    yield b" " * 1000

            headers = {"Content-Type": "application/json"}
            with suppress(httpx.ReadError, httpx.WriteError):  # it may hang up before all has come
                sly = await browser.http.post("/api/claim", content=endless(), headers=headers)
                assert sly.status_code == 411
                assert "Content-Length" in sly.json()["detail"]
            assert (await browser.get("/api/hello")).status_code == 200

    asyncio.run(flood())


@pytest.mark.parametrize("query", ["as=king", "as=public&since=x", "as=public&since=-4"])
@pytest.mark.slow
def test_a_socket_that_asks_for_nonsense_is_closed(tmp_path: Path, query: str) -> None:
    from websockets.exceptions import WebSocketException

    async def ask() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as browser:
            with pytest.raises(WebSocketException):
                async with browser.listen(query) as listening:
                    await listening.recv()

    asyncio.run(ask())


@pytest.mark.slow
def test_what_a_browser_says_on_its_socket_is_not_kept_and_too_much_ends_it(
    tmp_path: Path,
) -> None:
    from websockets.exceptions import ConnectionClosed

    async def talk() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as browser:
            async with browser.listen() as listening:
                await listening.recv()
                await listening.send("hello")
                await listening.send(b"\x00\xff")
                await listening.send("x" * 100_000)
                with pytest.raises(ConnectionClosed):
                    await asyncio.wait_for(listening.recv(), 10)
            assert (await browser.get("/api/hello")).status_code == 200

    asyncio.run(talk())


@pytest.mark.slow
def test_the_past_is_listed_searched_replayed_exported_and_brought_back(tmp_path: Path) -> None:
    async def past() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as blue, Browser(house) as red:
            await duel(house, blue, red)
            for first, second in PLANS:
                for panel, who in enumerate((blue, red)):
                    for label in (*(first, second)[panel], "Seal"):
                        assert (await who.choose(panel, label)).json()["notice"] == ""
                if not house.table.play.over:
                    await red.choose(1, "Go on")
            assert house.table.play.over
            games = (await blue.get("/api/games")).json()
            assert [game["game"] for game in games] == ["kiriai"]
            assert (await blue.get("/api/games?search=KIRI")).json() == games
            assert (await blue.get("/api/games?search=red")).json() == games
            assert (await blue.get("/api/games?search=nobody")).json() == []
            number = games[0]["number"]
            public = (await blue.get(f"/api/games/{number}")).json()
            seat = (await blue.get(f"/api/games/{number}?seat=1")).json()
            assert (
                len(public["steps"]) == len(seat["steps"]) == len(house.table.play.line.moves) + 1
            )
            last = public["steps"][-1]
            assert last["meters"][0]["top"] == 2
            assert last["result"] == public["result"]  # the curve goes on until there
            wounds = [one["value"] for one in last["meters"]]
            assert [n for n, w in enumerate(wounds) if w < 2] == public["result"]["winners"]
            assert public["steps"] != seat["steps"]
            assert (await blue.get("/api/games/99")).status_code == 404
            assert (await blue.get("/api/games/-1")).status_code == 404
            assert (await blue.get(f"/api/games/{number}?seat=7")).status_code == 400
            exported = await blue.get(f"/api/games/{number}/export")
            assert "attachment" in exported.headers["content-disposition"]
            report = (await blue.get(f"/api/games/{number}/verify")).json()
            assert report["verdict"] == "holds"
            assert {one["what"] for one in report["checks"]} == {"seed", "deal", "seal", "result"}
            assert (public["seed_code"], public["seed"]) == (
                seed_code(public["seed"]), (await blue.snapshot("public"))["seed"]["revealed"],
            )  # fmt: skip
            brought = await blue.http.post("/api/games/import", content=exported.content)
            assert brought.json() == {"number": -1}
            again = (await blue.get("/api/games/-1")).json()
            assert again["steps"] == public["steps"]
            assert again["result"] == public["result"]
            assert again["began"] == public["began"]
            assert (await blue.get("/api/games/-1/export")).content == exported.content
            assert house.table.play.over  # the table itself is where it was

    asyncio.run(past())


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not an exported game"),
        (b"\xff\xfe", "not an exported game"),
        (b"[1]", "not an exported game"),
        (b'{"companion": 1, "game": "chess"}', "not tell of a game"),
        (b'{"companion": 1, "game": "kiriai", "rules": 99}', "other rules"),
        (
            b'{"companion": 1, "game": "kiriai", "rules": 1, "secrets_left_out": true}',
            "while it ran",
        ),
        (b'{"companion": 1, "game": "kiriai", "rules": 1, "seats": 3}', "who sat where"),
    ],
)
@pytest.mark.slow
def test_a_file_that_is_no_game_is_refused_with_the_reason(
    tmp_path: Path, content: bytes, why: str
) -> None:
    async def bring() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as blue:
            await blue.claim(0)
            answer = await blue.http.post("/api/games/import", content=content)
            assert answer.status_code == 400
            assert why in answer.json()["detail"]

    asyncio.run(bring())


@pytest.mark.slow
def test_pages_load_nothing_from_elsewhere_and_run_no_code_but_their_own(tmp_path: Path) -> None:
    async def look() -> None:
        async with open_pages(tmp_path) as house, Browser(house) as browser:
            for path in PAGES:
                answer = await browser.get(path)
                assert answer.status_code == 200
                policy = answer.headers["content-security-policy"]
                assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
                assert "unsafe" not in policy
                assert "frame-ancestors 'none'" in policy
                assert answer.headers["x-content-type-options"] == "nosniff"
                assert not re.search(r"<script(?![^>]*\bsrc=)|\bon\w+=|style=", answer.text)
            assert (await browser.get("/api/hello")).headers["cache-control"] == "no-store"

    asyncio.run(look())
    for file in STATIC.iterdir():
        for address in re.findall(r"https?://[\w.]+", file.read_text(encoding="utf-8")):
            assert address == "http://www.w3.org", f"{file.name} names {address}"  # of SVG


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_its_own_script_and_marks_its_own_link(path: str) -> None:
    sent = framed(PAGES, path, "Table companion")
    assert f'src="/static/{PAGES[path].script}.js"' in sent
    assert (STATIC / f"{PAGES[path].script}.js").exists()
    assert re.findall(r'href="(\S+)" aria-current', sent) == ([path] if path != "/docs" else [])


def test_every_word_of_the_pages_can_be_translated() -> None:
    known = {word.template for word in WORDS}
    used: set[str] = set()
    for file in STATIC.glob("*.js"):
        used |= set(re.findall(r'\bt\("([^"]+)"', file.read_text(encoding="utf-8")))
    for path in PAGES:
        sent = framed(PAGES, path, "Table companion")
        used |= set(re.findall(r"data-t>([^<]+)<", sent))
    assert used - known == set()
    marks = {"kept", "thrown", "doubt"}  # these and the gems are named by the views
    gems = {"Blank", "Forge", "Purple", "Red", "Blue", "Green", "Yellow", "Orange"}
    assert known - used == marks | gems


@pytest.mark.slow
def test_a_port_that_another_has_is_left_to_it(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        settings = VIRTUAL.replace("port = 0", f"port = {port}")

        async def start() -> int:
            async with open_pages(tmp_path, settings=settings) as house:
                return house.web.port

        assert port < asyncio.run(start()) < port + 10


@pytest.mark.slow
def test_a_free_seat_is_called_by_its_colour_in_the_tables_language(tmp_path: Path) -> None:
    async def look() -> None:
        japanese = VIRTUAL.replace("[table]", '[table]\nlanguage = "ja"').replace("Red", "Rie")
        async with open_pages(tmp_path, settings=japanese) as house, Browser(house) as tv:
            panels = (await tv.snapshot("public"))["panels"]
            assert [one["name"] for one in panels] == ["青", "Rie"]  # a person's name stays
            assert [one["colour"] for one in panels] == ["Blue", "Rie"]

    asyncio.run(look())


@pytest.mark.slow
def test_the_history_speaks_the_tables_language_too(tmp_path: Path) -> None:
    async def look() -> None:
        japanese = VIRTUAL.replace("[table]", '[table]\nlanguage = "ja"').replace("Red", "Rie")
        async with open_pages(tmp_path, settings=japanese) as house, Browser(house) as blue:
            await house.press(1, "select")
            await blue.claim(0)
            await blue.choose(0, "参加")
            await blue.choose(0, "開始")
            for first, second in (
                (("Charge", "High Strike"), ("Retreat", "Low Strike")),
                (("Charge", "Balanced Strike"), ("Change Stance", "High Strike")),
            ):
                await house.plan(0, *first)
                await house.plan(1, *second)
                await house.choose(0, "Go on")
            (game,) = (await blue.get("/api/games")).json()
            assert game["seats"] == ["青", "Rie"]
            assert game["result"]["why"] == "Rieの敗北"
            assert "text" not in game["result"]

    asyncio.run(look())


def test_the_pages_have_a_drawing_for_every_kind_of_part() -> None:
    kinds = re.search(r"const KINDS = \{(.*)\}", (STATIC / "parts.js").read_text("utf-8"))
    assert kinds is not None
    assert set(re.findall(r"(\w+):", kinds[1])) == {kind.__name__ for kind in get_args(Part)}
