"""Lessons in the terminal: the same as on the page, with the words of the terminal's table."""

from typing import Any

import pytest

from nimmt.lessons import LANGUAGES, lessons_of
from nimmt.rules.registry import GAMES

LESSONS = [(game, lesson) for game in GAMES for lesson in lessons_of(game)]
QUICK = ("--plain", "--speed", "instant")


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_a_lesson_to_its_end(run: Any, game: str, lesson: str) -> None:
    """Whoever lets the right thing be done for them is told everything there is to say."""
    ran = run("learn", game, "--lesson", lesson, "--language", "en", *QUICK, given=b"auto\n" * 20)
    assert ran.code == 0, ran.err
    said = " ".join(ran.out.split())
    for step in lessons_of(game)[lesson].steps:
        for text in (step.say, step.why):
            assert text is None or text.en in said
    assert f"`nimmt play {game}` plays a match" in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_speaks_the_language_of_the_learner(run: Any, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    ran = run("learn", "six", *QUICK, given=b"auto\n" * 20)
    first = lessons_of("six")["basic"].steps[0].say
    assert first.in_language(language) in " ".join(ran.out.split())  # type: ignore[arg-type]


def test_a_wrong_try_is_answered_with_its_reason(run: Any) -> None:
    ran = run("learn", "six", "--language", "en", *QUICK, given=b"99\n48\nquit\nyes\n")
    said = " ".join(ran.out.split())
    assert "Not this one. Rules 1 and 2: a card joins the row with the closest end" in said
    assert said.count("Player: 48 goes to row 3.") == 1
    assert "99 goes" not in said
    assert ran.out.endswith("You have left the lesson.\n")


def test_lessons_are_listed(run: Any) -> None:
    assert [lesson["id"] for lesson in run("learn", "baron", "--list", "--json").data] == list(lessons_of("baron"))
    assert "Alle Karten" in run("learn", "six", "--list", "--language", "de").out


def test_a_lesson_that_there_is_not(run: Any) -> None:
    ran = run("learn", "buffalo", "--lesson", "swop")
    assert (ran.code, ran.out) == (2, "")
    assert "has no lesson 'swop'; did you mean swap? The lessons: basic, take7," in ran.err
