"""`nimmt rules`: the text of the rules, in the language that one reads."""

import pytest

from nimmt.clients.cli import main
from nimmt.lessons import LANGUAGES
from nimmt.lessons.rulebook import rulebook
from nimmt.rules.registry import GAMES


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_printed_in_every_language(language, capsys: pytest.CaptureFixture[str]) -> None:
    for game in GAMES:
        assert main(["rules", game, "--language", language]) == 0
        printed = capsys.readouterr()
        assert printed.out == f"{rulebook(game, language).markdown()}\n"
        assert "<!--" not in printed.out
        assert printed.err == ""


def test_the_language_of_the_system_is_taken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert main(["rules", "six"]) == 0
    assert "Jede Karte trägt Hornochsen" in capsys.readouterr().out


def test_a_language_that_nobody_wrote_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "six", "--language", "la"]) == 2
    assert "la" in capsys.readouterr().err
