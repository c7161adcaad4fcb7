"""`nimmt review` tells what decisions cost, for people and for programs."""

import json
import re
from pathlib import Path

import pytest

import nimmt
from nimmt.clients.cli.main import main


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return (
        nimmt.Match("six", ["random", "greedy"], seed=4, rounds=1).play().save(tmp_path_factory.mktemp("r") / "m.json")
    )


def test_it_tells_people(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(record), "--worlds", "30"]) == 0
    out = capsys.readouterr().out
    assert "Anna: " in out
    assert "accuracy" in out
    assert "Judged by six-tables-" in out


def test_programs_get_all_that_is_promised(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(record), "--worlds", "30", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"evaluator", "seats", "decisions"} <= set(found)
    for seat in found["seats"]:
        for unit in ("points", "win"):
            account = seat[unit]
            parts = [account[name] for name in ("mean", "deal_luck", "turn_luck", "decisions")]
            assert sum(parts) == pytest.approx(account["result"])
    wanted = {"seat", "round", "turn", "action", "best", "cost", "error", "named", "exact", "reason"}
    assert all(wanted <= set(one) for one in found["decisions"])


def test_one_seat_by_name_or_number(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("Ben", "1"):
        assert main(["review", str(record), "--seat", word, "--worlds", "10", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert [seat["name"] for seat in found["seats"]] == ["Ben"]
        assert {one["seat"] for one in found["decisions"]} == {1}


def test_nobody_of_that_name(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(record), "--seat", "Zoe"]) == 2
    assert "0 Anna, 1 Ben" in capsys.readouterr().err


def test_a_match_that_is_not_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = nimmt.Match("six", [None, "greedy"], seed=4).save(tmp_path / "running.json")
    assert main(["review", str(path)]) == 2
    assert "running match" in capsys.readouterr().err


def test_reasons_in_german(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(record), "--worlds", "30", "--language", "de"]) == 0
    assert "bis zum Ende der Runde" in capsys.readouterr().out


def test_games_have_words_for_what_is_more_than_a_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything is told in the language that was asked for, and nothing as a program would write it."""
    path = nimmt.Match("buffalo", ["random"] * 3, seed=1, variant="anyone").play().save(tmp_path / "buffalo.json")
    told = {}
    for language in ("en", "de"):
        assert main(["review", str(path), "--worlds", "10", "--language", language]) == 0
        told[language] = capsys.readouterr().out
        assert not re.search(r"\bUse\b|\w\(\w+=", told[language])
    assert "points for the team" in told["en"]
    assert "mistakes in" in told["en"]
    assert "Fehler in" in told["de"]
    assert not re.search(r"\b(mistakes?|turn|Judged|Pass|row)\b", told["de"])
