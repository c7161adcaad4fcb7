"""`nimmt puzzles` asks, mines and verifies."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from nimmt.clients.cli.main import main
from nimmt.insight.puzzles import Puzzle, puzzles, read_puzzles, today

QUICK = ("--plain", "--speed", "instant", "--language", "en")


@pytest.fixture(autouse=True)
def progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nobody's own progress is touched."""
    file = tmp_path / "kept" / "puzzles.json"
    monkeypatch.setenv("NIMMT_PUZZLES", str(file))
    return file


def asked(run: Any, words: str, *lines: str) -> str:
    ran = run("puzzles", *words.split(), *QUICK, given="".join(f"{line}\n" for line in lines).encode())
    assert ran.code == 0, ran.err
    return " ".join(ran.out.split())


def of_cards() -> tuple[str, Puzzle]:
    """A day whose puzzle of 6 nimmt! is about playing a card, as its numbers can be typed."""
    for ago in range(60):
        day = today() - timedelta(days=ago)
        puzzle = puzzles("six").on(day)
        if puzzle.view.table.phase == "choose" and not any(puzzle.view.table.twists):
            return day.isoformat(), puzzle
    raise AssertionError


def test_a_wrong_answer_can_be_mended(run: Any, progress: Path) -> None:
    day, puzzle = of_cards()
    wrong, right = (option.facts.what for option in (puzzle.second_best, puzzle.best))
    told = asked(run, f"six --date {day}", wrong, right)
    assert f"{wrong} costs {puzzle.second_best.cost:.1f} points on average" in told
    assert f"Right! {right} is best." in told
    assert puzzle.reason(puzzle.second_best.action) in told
    kept = json.loads(progress.read_text())
    assert kept["solved"] == {puzzle.id: False}
    assert kept["days"] == ([day] if day == today().isoformat() else [])


def test_who_asks_for_the_solution_has_not_solved_it(run: Any, progress: Path) -> None:
    assert "Best is" in asked(run, "x", "auto")
    kept = json.loads(progress.read_text())
    assert kept["days"] == []
    assert list(kept["solved"].values()) == [False]


def test_practice_goes_on_where_it_ended(run: Any, progress: Path) -> None:
    for _ in range(2):
        assert "0 of 1 solved at once." in asked(run, "x --practice --difficulty easy", "auto")
    assert len(json.loads(progress.read_text())["solved"]) == 2


def test_for_programs_nothing_says_what_is_best(run: Any) -> None:
    assert set(run("puzzles", "six", "--json").data) == {"game", "id", "difficulty", "view", "actions"}


@pytest.mark.soak
def test_mined_extended_and_verified(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "x.gz"
    for count in (1, 2):
        words = ["puzzles", "mine", "x", "--to", str(file), "--count", str(count), "--worlds", "60", "--seed", "test",
                 "--jobs", str(count)]  # fmt: skip
        assert main(words) == 0
        assert len(read_puzzles(file.read_bytes())) == count
    assert "2 puzzles" in capsys.readouterr().out
    assert main(["puzzles", "verify", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"ok": True, "checked": 2, "wrong": []}
    assert main(["puzzles", "mine", "six", "--to", str(file)]) == 2
    assert "choose another file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("sxi", "did you mean six?"),
        ("mine", "Which game"),
        ("mine six", "--to FILE"),
        ("six --date 1999-01-01", "there are puzzles from"),
        ("six --date soon", "must be a day"),
        ("six x", "Unexpected"),
        ("verify nothing.gz", "nothing.gz"),
    ],
)
def test_what_is_wrong_is_said(capsys: Any, words: str, told: str) -> None:
    assert main(["puzzles", *words.split()]) == 2
    assert told in capsys.readouterr().err
