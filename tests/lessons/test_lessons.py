"""Lessons teach what is true: the rules play every step of them, in every language there is something to read."""

from typing import Any, get_args

import msgspec
import pytest

from nimmt.games.buffalo.types import KINDS
from nimmt.games.six.types import Fan
from nimmt.lessons import LANGUAGES, BrokenLesson, Lesson, Text, lessons_of, walk
from nimmt.lessons.lesson import SEAT
from nimmt.rules.registry import GAMES

LESSONS = [lesson for game in GAMES for lesson in lessons_of(game).values()]
MAX_STEPS, MAX_MINUTES = 12, {"six": 4}
MAX_SHORT_STEPS, MAX_SHORT_MINUTES = 4, 2
"""Of every lesson but the basic one of a game."""
MAX_LETTERS = 190
"""More than that is not read beside a table on a phone."""


def named(lesson: Lesson) -> str:
    return f"{lesson.game}/{lesson.id}"


def texts_of(lesson: Lesson) -> list[Text]:
    of_steps = [text for step in lesson.steps for text in (step.say, step.why, step.hint) if text]
    return [lesson.title, lesson.about, *of_steps]


@pytest.mark.parametrize(
    ("game", "special"),
    [
        ("six", ("draft", *get_args(Fan))),
        ("buffalo", tuple(kind.lower() for kind in KINDS)),
        ("x", ()),
        ("eleven", ()),
        ("baron", ("colour-counts", "bulls-are-good")),
    ],
)
def test_every_game_has_a_lesson_and_a_short_one_for_everything_special(game: str, special: tuple[str, ...]) -> None:
    assert tuple(lessons_of(game)) == ("basic", *special)


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_the_rules_agree_with_every_step(lesson: Lesson) -> None:
    for part in walk(lesson).parts:
        for action in part.accepted:
            assert action in walk(lesson).game.legal(part.asked, SEAT)


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_the_learner_has_something_to_do_and_could_do_it_wrong(lesson: Lesson) -> None:
    """Whoever does nothing learns nothing: only the last step may be just a word of farewell."""
    parts = walk(lesson).parts
    assert all(part.accepted for part in parts[:-1])
    assert all(part.step.happens for part in parts if part.accepted)
    game = walk(lesson).game
    assert any(len(game.legal(part.asked, SEAT)) > len(part.accepted) for part in parts)


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_a_lesson_is_short(lesson: Lesson) -> None:
    assert len(lesson.steps) <= MAX_STEPS
    if lesson.id != "basic":
        assert len(lesson.steps) <= MAX_SHORT_STEPS
        assert lesson.minutes <= MAX_SHORT_MINUTES
    assert 1 <= lesson.minutes <= MAX_MINUTES.get(lesson.game, 6)
    for text in texts_of(lesson):
        for language in LANGUAGES:
            assert 0 < len(text.in_language(language)) <= MAX_LETTERS, text.in_language(language)


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_numbers_are_the_same_in_every_language(lesson: Lesson) -> None:
    def numbers(text: str) -> list[str]:
        return sorted("".join(letter if letter.isdigit() else " " for letter in text).split())

    for text in texts_of(lesson):
        assert {tuple(numbers(text.in_language(language))) for language in LANGUAGES} == {tuple(numbers(text.en))}


def changed(**changes: Any) -> Lesson:
    """The first lesson of 6 nimmt! with something else in its first step."""
    lesson = lessons_of("six")["basic"]
    first = msgspec.structs.replace(lesson.steps[0], **changes)
    return msgspec.structs.replace(lesson, steps=[first, *lesson.steps[1:]])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"do": [50]}, "six/basic, step 1: You have no card 50"),
        ({"others": [16, 70]}, "six/basic, step 1: You have no card 16"),
        ({"others": [15, 70, 62, 81, 1]}, "six/basic, step 1: Nobody else is waited for"),
        ({"position": None}, "step 1: A position is needed"),
        ({"position": {"rows": "12 | 37 | 43 | 58"}}, "step 1: The position lacks: hands"),
        ({"do": []}, "step 1: Others act after the learner"),
        ({"do": [48, 99], "happens": []}, "step 2: A position is needed"),
        ({"happens": [{"type": "CardPlaced", "card": 48, "row": 2}]}, "step 1: This does not happen"),
        ({"happens": [{"type": "CardPlaced", "card": 48}, {"type": "CardsRevealed"}]}, "not in this order"),
    ],
)
def test_a_lesson_that_is_wrong_is_found_out(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BrokenLesson) as error:
        walk(changed(**changes))
    assert sentence in str(error.value)
