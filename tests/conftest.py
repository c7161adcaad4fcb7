"""Hypothesis tries the same examples every time, so that a test which passed here passes there.

`pytest --hypothesis-profile=long` searches for longer, and elsewhere each time; so does NIMMT_HYPOTHESIS=long.

Tests that need PostgreSQL get one: `postgres_url` is the address of an empty database.

Several processes share the work (`-n 3 --dist loadgroup`). Kernels are compiled in one of them; the tests of a file,
which often share a server, stay together; long tests are handed out one by one.
"""

import os
from collections.abc import Iterator
from pathlib import Path

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

HERE = Path(__file__).parent
COMPILING = ("fast", "bots")
ONE_BY_ONE = ("web", "laws")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # The browser's driver keeps an event loop to the end of the process: no other test may need one after it.
    items.sort(key=lambda item: item.path.is_relative_to(HERE / "web"))
    for item in items:
        file = item.path.relative_to(HERE)
        if file.parts[0] in COMPILING:
            item.add_marker(pytest.mark.xdist_group("kernels"))
        elif file.parts[0] not in ONE_BY_ONE and item.get_closest_marker("slow") is None:
            item.add_marker(pytest.mark.xdist_group(file.as_posix()))


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
