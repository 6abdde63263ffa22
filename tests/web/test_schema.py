"""Whatever the API's own description allows, and what it does not: never a failure of ours."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from companion.events import DiceSettled, SeenDie
from companion.eye.for_pages import EyeForPages
from companion.games.kiriai import KIRIAI
from companion.memory.cardbox import CardBox
from companion.memory.journal import Journal
from companion.settings.settings import WebSettings
from companion.table.table import Table
from companion.web.desk import Desk
from companion.web.server import Web
from tests.table.desk import TWO
from tests.web.house import PICTURE, Still

EXAMPLES, MANY = 12, 1000  # requests to each route, good ones and bad ones
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Any]:
    """The pages of a table whose events are drained at once: no loop, no port, no device."""
    chance = random.Random(1)
    journal = Journal(tmp_path / "journal.db", lambda: 1.0)
    table = Table(
        {"kiriai": KIRIAI}, journal, TWO, box=CardBox(tmp_path / "cards"),
        draw=lambda: f"{chance.getrandbits(256):064x}",
    )  # fmt: skip

    async def drained() -> None:
        return None

    async def press(*_: object) -> None:
        return None

    desk = Desk(
        table, {"kiriai": KIRIAI}, tmp_path / "journal.db", WebSettings(virtual="all"),
        table.handle, drained, press, twins=True,
        eye=EyeForPages(Still(), tmp_path / "examples", lambda: asyncio.sleep(0), twin=True),
    )  # fmt: skip
    die = SeenDie(5, "black", 1.0, (10.0, 10.0), 5.0, track=1)
    desk.heard(DiceSettled((die,), 1, accepted=True, picture=PICTURE))
    yield Web(desk).app
    journal.close()


@pytest.mark.slow
def test_no_request_that_the_description_allows_or_forbids_is_a_failure_of_ours(app: Any) -> None:
    ask_all(app, EXAMPLES)


@pytest.mark.soak
def test_none_of_many_requests_is_a_failure_of_ours(app: Any) -> None:
    ask_all(app, MANY)


def ask_all(app: Any, examples: int) -> None:
    """Every route, in every way that can be asked."""
    count = 0
    with asyncio.Runner() as loop:
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8080"
        )
        described = loop.run(client.get("/openapi.json")).json()
        schema = schemathesis.openapi.from_dict(described)
        routes = [found.ok() for found in schema.get_all_operations()]
        assert len(routes) == sum(len(verbs) for verbs in described["paths"].values())
        for route in routes:
            asks = described["paths"][route.path][route.method.lower()]
            wrong = "parameters" in asks or "requestBody" in asks  # can it be asked wrongly?
            for mode in list(schemathesis.GenerationMode)[: 2 if wrong else 1]:

                @settings(
                    max_examples=examples, deadline=None, derandomize=True, database=None,
                    suppress_health_check=list(HealthCheck),
                )  # fmt: skip
                @given(case=route.as_strategy(generation_mode=mode))
                def ask(case: Any) -> None:
                    nonlocal count
                    count += 1
                    asked = case.as_transport_kwargs(base_url="http://127.0.0.1:8080")
                    made = requests.Request(**asked).prepare()
                    answer = loop.run(
                        client.request(
                            made.method or "", made.url or "",
                            headers=dict(made.headers), content=made.body,
                        )
                    )  # fmt: skip
                    case.validate_response(answer, checks=CHECKS)

                ask()
                print(f"{count} requests: {route.method} {route.path}, {mode.value}", flush=True)
        loop.run(client.aclose())
