"""Matches that were played once are played the same way again, word for word."""

from __future__ import annotations

import shutil
from itertools import islice
from pathlib import Path

import pytest

from nimmt.testing.playthrough import Playthrough, difference, leftovers, main, path_of, playthroughs

FOLDER = Path(__file__).parent
SHOWN = 60


@pytest.mark.parametrize("playthrough", list(playthroughs()), ids=lambda playthrough: playthrough.name)
def test_the_match_goes_as_it_always_went(playthrough: Playthrough) -> None:
    changed = difference(FOLDER, playthrough).splitlines()
    if changed:
        more = [f"… and {len(changed) - SHOWN} lines more"] if len(changed) > SHOWN else []
        advice = "If the change is meant: python3 dev.py golden, and read the diff as part of the review."
        pytest.fail("\n".join([*changed[:SHOWN], *more, "", advice]), pytrace=False)


def test_there_is_no_file_without_a_playthrough() -> None:
    assert leftovers(FOLDER) == []


def test_files_are_not_gigantic() -> None:
    sizes = {path.name: path.stat().st_size for path in FOLDER.glob("*.txt")}
    assert {name: size for name, size in sizes.items() if size > 80_000} == {}


# -- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of two playthroughs, which are all there are for now."""
    two = list(islice(playthroughs(), 2))
    monkeypatch.setattr("nimmt.testing.playthrough.playthroughs", lambda: two)
    for playthrough in two:
        shutil.copy(path_of(FOLDER, playthrough), tmp_path)
    return tmp_path


def test_checking_says_that_nothing_has_changed(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(copy), "--check"]) == 0
    assert capsys.readouterr().out == "Nothing has changed.\n"


def test_checking_shows_the_line_that_differs(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = sorted(copy.iterdir())[0]
    first.write_text(first.read_text("utf-8").replace("seats: Anna", "seats: Otto"), "utf-8")
    (copy / "other.txt").write_text("")
    assert main([str(copy), "--check"]) == 1
    told = capsys.readouterr().out
    assert "-seats: Otto, Ben, Cem\n+seats: Anna, Ben, Cem\n" in told
    assert told.endswith("other.txt belongs to no playthrough.\n")


def test_writing_makes_everything_right_again(copy: Path) -> None:
    sorted(copy.iterdir())[0].unlink()
    (copy / "other.txt").write_text("")
    assert main([str(copy)]) == 0
    assert main([str(copy), "--check"]) == 0
    assert len(list(copy.iterdir())) == 2
