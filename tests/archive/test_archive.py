"""Matches of the past verify for ever: the files here are never written again, only added to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nimmt.match.replay import verify
from nimmt.rules import registry

FOLDER = Path(__file__).parent
RECORDS = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_an_old_record_verifies(path: Path) -> None:
    data = path.read_bytes()
    document = json.loads(data)
    verdict = verify(data)
    assert verdict.outcome is not None
    assert verdict.deals_proven is (True if document["deals"] else None)
    assert verdict.actions == len(document["actions"])


def test_every_game_is_in_the_archive() -> None:
    archived = {json.loads(path.read_bytes())["game"] for path in RECORDS}
    assert archived == set(registry.GAMES)


def test_files_are_named_after_game_variant_and_version() -> None:
    for path in RECORDS:
        document = json.loads(path.read_bytes())
        assert path.stem.startswith(f"{document['game']}-")
        assert path.stem.endswith(f"-v{document['rules_version']}")
