"""Matches of the past verify for ever: the files here are never written again, only added to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nimmt.match.match import verify
from nimmt.match.record import RecordError, digest
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


def under(path: Path, version: int) -> bytes:
    """The record as if it had been played under another version of the rules."""
    document = json.loads(path.read_bytes()) | {"rules_version": version}
    return json.dumps(document | {"digest": digest(document)}).encode()


@pytest.mark.parametrize(
    ("name", "place", "why"),
    [
        # Version 1 closed a window in which a Stop! had been laid and nothing else was left, and refused idle uses.
        ("buffalo-four-seats-v1", "$.actions[154]", "PlayCard is not possible now"),
        ("buffalo-anyone-six-seats-v1", "$.actions[32]", "the buffalo's card"),
        ("buffalo-anyone-v2", "$.actions[16]", "was laid just now"),
        ("buffalo-basic-v2", "$.actions[22]", "Propose is not possible now"),
    ],
)
def test_a_record_means_what_its_own_version_says(name: str, place: str, why: str) -> None:
    path = FOLDER / f"{name}.json"
    assert verify(path.read_bytes()).outcome is not None
    with pytest.raises(RecordError, match=why) as caught:
        verify(under(path, 3 - int(name[-1])))
    assert caught.value.place == place


@pytest.mark.parametrize("version", [0, 3, -1])
def test_a_version_that_is_not_known_is_refused(version: int) -> None:
    with pytest.raises(RecordError, match="only versions 1 to 2 of the rules of buffalo") as caught:
        verify(under(FOLDER / "buffalo-basic-v1.json", version))
    assert caught.value.place == "$.rules_version"


def test_every_game_is_in_the_archive() -> None:
    archived = {json.loads(path.read_bytes())["game"] for path in RECORDS}
    assert archived == set(registry.GAMES)


def test_files_are_named_after_game_variant_and_version() -> None:
    for path in RECORDS:
        document = json.loads(path.read_bytes())
        assert path.stem.startswith(f"{document['game']}-")
        assert path.stem.endswith(f"-v{document['rules_version']}")
