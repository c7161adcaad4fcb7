"""The coach in the terminal: hints and decisions taken back, in a match here and at a server's table."""

import re
from pathlib import Path

import pytest
from tests.cli.test_play import Played, played
from tests.cli.test_play_online import Terminal

from nimmt.clients.terminal.words import speak
from nimmt.match.match import verify
from nimmt.match.record import Practice, read_record
from nimmt.testing.servers import ThreadServer


def asking(*first: str) -> tuple[Played, list[str]]:
    """A short match in which this is typed first; what was shown after each of it."""
    left, shown = list(first), list[str]()

    def answer(text: str) -> str:
        shown.append(text)
        return left.pop(0) if left else "auto"

    words = ("six", "--rounds", 1, "--seed", 1, "--practice", "--plain", "--name", "Mia", "--players", 3)
    return played(*words, answer=answer), shown


def hand(text: str) -> str:
    return re.findall(r"Your hand: ([\d ,]+)", text)[-1]


def test_a_hint_says_what_each_card_costs() -> None:
    match, shown = asking("hint", "hint")
    said = shown[1]
    assert len(re.findall(r"takes cards in \d+ %", said)) == 10
    assert len(re.findall(r"^ *\* \d+ +best", said, re.MULTILINE)) == 1
    assert "nothing is better" in said
    assert "Mia: hints 1, taken back 0" in match.out, "the same decision counts once"


def test_a_decision_is_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    left = ["takeback", "auto", "takeback"]

    def answer(text: str) -> str:
        return left.pop(0) if left else "auto"

    match = played(
        "six", "--rounds", 1, "--seed", 1, "--practice", "--plain", "--name", "Mia", "--save", file, answer=answer
    )
    assert "There is no decision of yours that can be taken back." in match.out
    assert match.out.count("Mia takes the last decision back.") == 1
    assert verify(file.read_bytes()).outcome is not None
    assert read_record(file.read_bytes()).practice == Practice(hints=(0,) * 4, take_backs=(1, 0, 0, 0))


def test_without_practice_there_is_no_coach(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    left = ["hint", "takeback"]
    match = played(
        "six", "--rounds", 1, "--seed", 1, "--plain", "--save", file,
        answer=lambda text: left.pop(0) if left else "auto",
    )  # fmt: skip
    assert "takes cards in" not in match.out
    assert "practice" not in file.read_text()


def test_several_people_cannot_take_back() -> None:
    left = ["auto", "takeback"]

    def answer(text: str) -> str:
        return left.pop(0) if left else "auto"

    words = ("six", "--rounds", 1, "--seed", 1, "--practice", "--plain", "--humans", 2)
    assert "what they have seen cannot be taken back" in played(*words, answer=answer).out


@pytest.mark.parametrize(("language", "said"), [("de", "am besten"), ("pl", "najlepsze"), ("ru", "лучше всего")])
def test_it_speaks_the_language_of_the_reader(language: str, said: str) -> None:
    left = ["hint"]
    try:
        match = played(
            "six", "--rounds", 1, "--seed", 1, "--practice", "--plain", "--language", language,
            answer=lambda text: left.pop(0) if left else "auto",
        )  # fmt: skip
    finally:
        speak("en")
    assert said in match.out


def test_at_a_server(tmp_path: Path) -> None:
    with ThreadServer() as server:
        words = (
            "x",
            "--connect",
            server.url,
            "--practice",
            "--rounds",
            1,
            "--players",
            2,
            "--name",
            "Mia",
            "--plain",
        )
        terminal = Terminal(*words, guests=tmp_path / "guests")
        try:
            terminal.wait("Practice")
            terminal.wait(r"^Mia, ")
            terminal.type("takeback")
            terminal.wait("no decision of yours")
            terminal.type("hint")
            terminal.wait(r"\* \d+ +best")
            terminal.wait("nothing is better")
            terminal.type("auto")
            terminal.wait(r"^Mia, ")
            terminal.type("takeback")
            terminal.wait("Mia takes the last decision back")
            terminal.wait("turn 1")
            terminal.play_on()
            assert "Mia: hints 1, taken back 1" in terminal.seen
        finally:
            terminal.kill()
