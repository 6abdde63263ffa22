"""The venue's API: games, leagues, tournaments and signing in, on a real broker and database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion.games import GAMES
from tests.mqtt.broker import Broker, listening
from tests.mqtt.tables import begin, eventually
from tests.mqtt.test_outbox import Desk
from tests.venue.postgres import Postgres
from tests.venue.site import Site, site, state, tell
from tests.venue.test_keeper import rows, say

pytestmark = pytest.mark.slow


@pytest.fixture
def place(broker: Broker, postgres: Postgres) -> Iterator[Site]:
    with site(broker, postgres) as one:
        yield one


def duel(folder: Path, names: tuple[str, str], game: int = 1) -> list[str]:
    """A whole game between these two as a table would tell it, under its number."""
    folder.mkdir(exist_ok=True)
    begin(folder)
    desk = Desk(folder)
    for _ in range(game):
        desk.play.stop()
        seats = [{"panel": n, "name": name} for n, name in enumerate(names)]
        desk.play._begin(GAMES["kiriai"], seats, {"mode": "hard", "cuts": []})
        desk.moves(1000)
    number = desk.play.number
    desk.send()
    return [line for line in desk.lines if json.loads(line)["game"] == number]


def got(browser: httpx.Client, path: str) -> Any:
    answer = browser.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def done(browser: httpx.Client, path: str, **body: Any) -> Any:
    answer = browser.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_game_that_ended_is_listed_seen_again_and_checked(
    tmp_path: Path, broker: Broker, place: Site
) -> None:
    await say(broker, duel(tmp_path / "table", ("Asuna", "キリト")))
    with place.browser() as browser:
        await eventually(lambda: got(browser, "/api/games"))
        (game,) = got(browser, "/api/games?search=キリト&table=t1&key=kiriai")
        assert (game["verdict"], game["seats"]) == ("holds", ["Asuna", "キリト"])
        for eyes in ("", "?seat=0"):
            seen = got(browser, game["at"] + eyes)
            assert seen["steps"][-1]["result"]["why"] == game["result"]["why"]
        assert len(seen["seed"]) == 64
        assert got(browser, game["at"] + "/verify")["verdict"] == "holds"
        exported = browser.get(game["at"] + "/export").text.splitlines()
        assert len(exported) == len(seen["steps"]) or len(exported) > 5
        assert got(browser, "/api/games?search=Yui") == []
        assert browser.get("/api/games/t1/99").status_code == 404
        assert browser.get(game["at"] + "?seat=7").status_code == 404
        browser.cookies.set("companion_language", "ja")
        assert got(browser, "/api/games")[0]["result"]["why"] != game["result"]["why"]
        (figure,) = got(browser, "/api/statistics")["games"]
        assert (figure["games"], [seat[0] for seat in figure["seats"]]) == (1, [1, 1])


async def test_a_league_counts_verified_games_between_its_days_at_its_tables(
    tmp_path: Path, broker: Broker, place: Site
) -> None:
    await say(broker, duel(tmp_path / "table", ("Asuna", "Kirito")))
    with place.organiser() as browser:
        await eventually(lambda: got(browser, "/api/games"))
        asked = {"name": "Autumn", "key": "kiriai", "first": "1970-01-01", "last": "2100-01-01"}
        numbers = [
            done(browser, "/api/leagues", **(asked | more))["id"]
            for more in ({"tables": []}, {"tables": ["t2"]},
                         {"tables": [], "first": "2099-01-01"}, {"tables": [], "key": "sao"})
        ]  # fmt: skip
        tables = [got(browser, f"/api/leagues/{n}")["standings"] for n in numbers]
        assert [len(table) for table in tables] == [2, 0, 0, 0]
        first, second = tables[0]
        assert (first["rating"], second["rating"]) == (1012, 988)
        assert (first["wins"], second["wins"]) == (1, 0)
        assert len(got(browser, "/api/players")["standings"]) == 2
        assert len(got(browser, "/api/leagues")) == 4
        assert browser.delete(f"/api/leagues/{numbers[0]}").status_code == 200
        assert browser.get(f"/api/leagues/{numbers[0]}").status_code == 404


async def test_a_pairing_stands_on_the_tables_display_until_the_game_has_decided_it(
    tmp_path: Path, broker: Broker, postgres: Postgres, place: Site
) -> None:
    await tell(broker, ("t1/availability", "online"))
    with place.organiser() as browser:
        where = "/api/tournaments"
        made = done(browser, where, name="Friday", kind="swiss", players=["asuna ", "Kirito"],
                    tables=["t1"])["id"]  # fmt: skip
        drawn = done(browser, f"{where}/{made}/draw", round=1)
        assert {drawn["rounds"][0][0][one] for one in ("one", "other")} == {"asuna", "Kirito"}
        again = done(browser, f"{where}/{made}/draw", round=1)  # two organisers at once
        assert again == drawn
        assert browser.post(f"{where}/{made}/draw", json={"round": 2}).status_code == 400
        async with listening(broker) as ear:
            await ear.until(lambda: bool(ear.raw("/notify")))
            line = ear.raw("/notify")[-1].decode()
            assert line in ("t1: asuna - Kirito, round 1", "t1: Kirito - asuna, round 1")
            await say(broker, duel(tmp_path / "table", ("Asuna", "Kirito")))
            await ear.until(lambda: ear.raw("/notify")[-1] == b"")
        (pairing,) = got(browser, f"{where}/{made}")["rounds"][0]
        assert pairing["points"] in (0, 0.5, 1)
        assert pairing["game"].startswith("t1/")
        winners = rows(postgres, "SELECT result->'winners', head->'seats' FROM played")[0]
        won = winners[1][winners[0][0]]["name"].casefold() == pairing["one"].casefold()
        assert pairing["points"] == won
        assert got(browser, f"{where}/{made}")["over"]


async def test_by_hand_a_round_is_decided_too_and_the_next_pairs_those_left(place: Site) -> None:
    with place.organiser() as browser:
        where = "/api/tournaments"
        players = ["Asuna", "Kirito", "Klein", "Agil"]
        made = done(browser, where, name="Cup", kind="knockout", players=players, tables=[])["id"]
        drawn = done(browser, f"{where}/{made}/draw", round=1)
        for place_, points in enumerate(("won", "lost")):
            body = {"round": 1, "place": place_, "result": points}
            found = done(browser, f"{where}/{made}/result", **body)
        left = [drawn["rounds"][0][0]["one"], drawn["rounds"][0][1]["other"]]
        assert found["next"]
        (final,) = done(browser, f"{where}/{made}/draw", round=2)["rounds"][1]
        assert [final["one"], final["other"]] == left
        bad = [{"round": 1, "place": 0, "result": "won"}, {"round": 2, "place": 9, "result": None},
               {"round": 2, "place": 0, "result": "drawn"}]  # fmt: skip
        for body in bad:
            refused = browser.post(f"{where}/{made}/result", json=body)
            assert refused.status_code == 400, refused.text
        done(browser, f"{where}/{made}/result", round=2, place=0, result="won")
        assert got(browser, f"{where}/{made}")["standings"][0]["name"] == left[0]
        assert browser.delete(f"{where}/{made}").status_code == 200
        assert browser.delete(f"{where}/{made}").status_code == 404


def test_only_who_has_read_the_terminal_may_arrange_and_a_code_counts_once(place: Site) -> None:
    code = place.code()
    with place.browser() as browser, place.browser() as other:
        league = {"name": "x", "key": "kiriai", "first": "2026-01-01", "last": "2026-12-31",
                  "tables": []}  # fmt: skip
        for path, body in (("/api/leagues", league), ("/api/tournaments/1/draw", {"round": 1})):
            assert browser.post(path, json=body).status_code == 403
        assert browser.delete("/api/leagues/1").status_code == 403
        done(browser, "/api/organiser", code=f" {code.lower()} ")
        assert got(browser, "/api/hello")["organiser"]
        assert done(browser, "/api/leagues", **league)["id"]
        assert other.post("/api/organiser", json={"code": code}).status_code == 403
        assert not got(other, "/api/hello")["organiser"]
        foreign = browser.post("/api/leagues", json=league, headers={"Origin": "http://evil"})
        assert foreign.status_code == 403
        done(browser, "/api/organiser/leave")
        assert browser.post("/api/leagues", json=league).status_code == 403


def test_whoever_guesses_runs_out_of_tries_and_the_terminal_is_not_flooded(place: Site) -> None:
    with place.browser() as browser:
        tries = [browser.post("/api/organiser", json={"code": "AAAAAA"}) for _ in range(7)]
        assert [one.status_code for one in tries] == [403] * 5 + [429] * 2
        assert "wait" in tries[-1].json()["detail"]
        asked = [browser.post("/api/organiser/code").status_code for _ in range(4)]
        assert asked == [200, 200, 429, 429]  # the first was that of the start


def test_a_second_instance_knows_the_organiser_and_the_code_of_the_first(
    broker: Broker, postgres: Postgres, place: Site
) -> None:
    with site(broker, postgres, "two") as second, second.browser() as browser:
        done(browser, "/api/organiser", code=place.code())
        with place.browser() as first:
            first.cookies = browser.cookies
            assert got(first, "/api/hello")["organiser"]


BAD = ["", " ", "x" * 13, "\u202e\u0007", "\ud800", "a\u0000b"]


def test_a_name_that_cannot_be_shown_is_refused_in_a_sentence(place: Site) -> None:
    with place.organiser() as browser:
        for name in BAD:
            body = {"name": "Cup", "kind": "swiss", "players": ["Asuna", name], "tables": []}
            headers = {"Content-Type": "application/json"}
            answer = browser.post("/api/tournaments", content=json.dumps(body), headers=headers)
            assert answer.status_code == 422, f"{name!r}: {answer.text}"
            assert isinstance(answer.json()["detail"], str)


def test_names_of_every_script_are_kept_and_hostile_ones_stay_words(place: Site) -> None:
    players = ["シリカ", "Ægir", "Сино́н", "桐ヶ谷和人", "<b>x</b>", "'; DROP--", "אסונה", "👑"]
    with place.organiser() as browser:
        made = done(browser, "/api/tournaments", name="<script>alert(1)</script>", kind="swiss",
                    players=players, tables=["t1"])["id"]  # fmt: skip
        found = done(browser, f"/api/tournaments/{made}/draw", round=1)
        assert sorted(one["name"] for one in found["standings"]) == sorted(players)
        assert found["name"] == "<script>alert(1)</script>"
        twice = {"name": "x", "kind": "swiss", "players": ["Asuna", "\uff21suna"], "tables": []}
        assert "twice" in browser.post("/api/tournaments", json=twice).json()["detail"]


async def test_the_wall_hears_a_table_at_once_and_keeps_it_for_whoever_comes_later(
    broker: Broker, place: Site
) -> None:
    await tell(broker, ("t1/availability", "online"), ("t1/state", state()))
    with place.browser() as browser:
        await eventually(lambda: got(browser, "/api/wall").get("table t1", {}).get("game"))
        seen = got(browser, "/api/wall")["table t1"]
        assert (seen["presence"], seen["turn"]) == ("online", ["Asuna"])
        assert seen["counters"][0] == ["Wounds of Kirito", 1, 2]


async def test_a_database_that_is_away_is_a_sentence_and_the_wall_goes_on(
    broker: Broker, postgres: Postgres, place: Site
) -> None:
    await tell(broker, ("t1/availability", "online"))
    with place.browser() as browser:
        await eventually(lambda: "table t1" in got(browser, "/api/wall"))
        postgres.kill()
        answer = browser.get("/api/games")
        assert (answer.status_code, "try again" in answer.json()["detail"]) == (503, True)
        assert "table t1" in got(browser, "/api/wall")
        postgres.start()
        await eventually(lambda: browser.get("/api/games").status_code == 200)
