"""Memory, SQLite and PostgreSQL keep the same contract."""

import asyncio
from pathlib import Path

import pytest

from nimmt.store.contract import make_store
from nimmt.testing.stores import KEEPING_LAWS, LAWS, KeepingLaw, Law, MakeStore, obey

KINDS = ("memory", "sqlite", pytest.param("postgres", marks=pytest.mark.slow))


@pytest.fixture
def make(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> MakeStore:
    """Stores on one fresh database."""
    if kind == "postgres":
        url = request.getfixturevalue("postgres_url")
        return lambda: make_store(url)
    return lambda: make_store("memory" if kind == "memory" else str(tmp_path / "folder" / "nimmt.db"))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_it_obeys(law: Law, make: MakeStore) -> None:
    asyncio.run(obey(law, make))


@pytest.mark.parametrize("law", KEEPING_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("kind", KINDS[1:])
def test_it_keeps(law: KeepingLaw, make: MakeStore) -> None:
    asyncio.run(law(make))


def test_there_are_laws() -> None:
    """They are found by looking for them, so something must have been found."""
    assert len(LAWS) > 40
    assert len(KEEPING_LAWS) > 8
