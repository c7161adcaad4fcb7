"""Nothing is left out: what the registry knows is tested, described and explained."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import nimmt.match
import nimmt.rules
from nimmt.match.record import RecordError
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Refusal, RulesError
from nimmt.rules.kit.notation import fields_of
from nimmt.testing.playthrough import SEATS

ROOT = Path(__file__).resolve().parents[2]
GAMES = registry.all_games()
VARIANTS = [pytest.param(game, variant, id=f"{game.id}-{variant.id}") for game in GAMES for variant in game.variants]

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
each_variant = pytest.mark.parametrize(("game", "variant"), VARIANTS)


# -- tests ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def collected() -> set[str]:
    """The names of the tests that pytest finds in the file of the laws."""
    options = ["--collect-only", "-q", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, "tests/laws/test_laws.py"]
    lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.rpartition("::")[2] for line in lines if "::" in line}


@each_variant
def test_a_variant_is_put_under_the_laws(game: AnyGame, variant, collected: set[str]) -> None:
    most = variant.max_seats or game.max_seats
    wanted = {f"test_every_law_holds[{game.id}-{variant.id}-{seats}]" for seats in (game.min_seats, most)}
    assert wanted <= collected


@each_variant
def test_a_variant_has_a_golden_playthrough(game: AnyGame, variant) -> None:
    text = (ROOT / "tests" / "golden" / f"{game.id}-{variant.id}.txt").read_text("utf-8")
    assert text.startswith(f"{game.name}: {variant.name}, {SEATS} seats\n")


@each_game
def test_a_game_is_in_the_archive(game: AnyGame) -> None:
    assert list((ROOT / "tests" / "archive").glob(f"{game.id}-*-v{game.rules_version}.json"))


# -- pages ---------------------------------------------------------------------------------------------------------


def pages(game: AnyGame) -> list[Path]:
    package = Path(import_module(f"nimmt.games.{game.id}").__file__ or "").parent
    return [package / "RULES.md", ROOT / "docs" / "games" / f"{game.id}.md"]


@each_game
def test_a_game_has_its_pages(game: AnyGame) -> None:
    for page in pages(game):
        assert game.name in page.read_text("utf-8"), page.name


@each_variant
def test_the_page_of_a_game_names_its_variants(game: AnyGame, variant) -> None:
    assert variant.name in (ROOT / "docs" / "games" / f"{game.id}.md").read_text("utf-8")


def error_classes() -> list[type[Exception]]:
    """All errors that the rules and matches may raise."""
    for package in (nimmt.rules, nimmt.match):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    found, left = [RecordError], [RulesError]
    while left:
        error = left.pop()
        left += error.__subclasses__()
        found += [error] if error.__module__.startswith(("nimmt.rules.", "nimmt.match.")) else []
    return found


@pytest.mark.parametrize("refusal", list(Refusal))
def test_a_refusal_is_documented(refusal: Refusal) -> None:
    assert f"\n| `{refusal}` | " in (ROOT / "docs" / "errors.md").read_text("utf-8")


def test_no_refusal_is_documented_that_does_not_exist() -> None:
    table = (ROOT / "docs" / "errors.md").read_text("utf-8").partition("## Codes")[2]
    codes = {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")}
    assert codes == set(Refusal)


@pytest.mark.parametrize("error", error_classes(), ids=lambda error: error.__name__)
def test_an_error_is_documented(error: type[Exception]) -> None:
    assert f"\n| `{error.__name__}` | `{error.__module__}` | " in (ROOT / "docs" / "errors.md").read_text("utf-8")


# -- names ---------------------------------------------------------------------------------------------------------


@each_game
def test_a_line_of_a_position_means_one_thing(game: AnyGame) -> None:
    """As text the fields of the table stand among those of the state."""
    fields = fields_of(game.state_type)
    assert not set(fields) & set(fields_of(fields["table"]))


@each_game
def test_ids_are_words_and_sentences_are_sentences(game: AnyGame) -> None:
    for word in (game.id, *(variant.id for variant in game.variants), *game.rules, *game.ends, *game.decisions):
        assert word.replace("-", "").isalnum()
        assert word == word.lower()
    for sentence in (*game.rules.values(), *game.ends.values(), game.summary, *(v.summary for v in game.variants)):
        assert sentence.endswith(".")
        assert sentence[0].isupper()


@each_game
def test_names_are_used_once(game: AnyGame) -> None:
    for names in (
        [variant.id for variant in game.variants],
        [variant.name for variant in game.variants],
        [action.__name__ for action in game.action_types],
        [event.__name__ for event in game.event_types],
    ):
        assert len(set(names)) == len(names)
