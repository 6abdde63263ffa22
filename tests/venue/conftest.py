"""What the tests of a venue share: the broker's fixtures, and one PostgreSQL for all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.mqtt.conftest import broker, pytest_pyfunc_call  # noqa: F401
from tests.venue.postgres import Postgres


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    one = Postgres().start()
    yield one
    one.remove()


@pytest.fixture
def postgres(server: Postgres) -> Postgres:
    """Empty again."""
    import psycopg

    with psycopg.connect(server.address, autocommit=True) as db:
        db.execute("DROP SCHEMA public CASCADE")
        db.execute("CREATE SCHEMA public")
    return server
