"""Hypothesis tries the same examples every time, so that a test which passed here passes there.

`pytest --hypothesis-profile=long` searches for longer, and elsewhere each time; so does NIMMT_HYPOTHESIS=long.

Tests that need PostgreSQL get one: `postgres_url` is the address of an empty database.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from nimmt.testing.postgres import PostgresServer

settings.register_profile(
    "ci", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "long", max_examples=2000, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("NIMMT_HYPOTHESIS", "ci"))

LATE = ("tests/web/", "tests/laws/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests in the browser, which wait a lot, come last and alternate with laws, which never wait.

    Last, because the browser's driver keeps an event loop to the end of the process: no test after it may need another.
    """
    late = [[item for item in items if item.nodeid.startswith(folder)] for folder in LATE]
    places = {item: place / len(part) for part in late for place, item in enumerate(part)}
    items.sort(key=lambda item: places.get(item, -1))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One server for all tests of this process. Whoever stops it starts it again."""
    with PostgresServer() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    url = postgres_server.new_database()
    yield url
    postgres_server.drop_database(url)
