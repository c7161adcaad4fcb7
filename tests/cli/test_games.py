"""`nimmt games`: what there is to play."""

import pytest

from nimmt.rules.kit.options import option_fields
from nimmt.rules.registry import GAMES, all_games, get


def test_all_games_are_listed(run):
    ran = run("games")
    assert ran.code == 0
    for game in all_games():
        assert game.name in ran.out
        assert f"{game.min_seats}–{game.max_seats}" in ran.out


@pytest.mark.parametrize("words", [[], *([game] for game in GAMES)])
def test_plain_text_fits_eighty_columns_and_has_no_trailing_blanks(run, monkeypatch, words):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("games", *words).out.splitlines()
    assert [line for line in lines if len(line) > 80 or line != line.rstrip() or "\x1b" in line] == []


@pytest.mark.parametrize("game", GAMES)
def test_one_game_in_detail(run, monkeypatch, game):
    monkeypatch.setenv("COLUMNS", "500")
    ran = run("games", game)
    playing = get(game)
    assert ran.code == 0
    assert playing.summary in ran.out
    assert all(f"{variant.name}: {variant.summary}" in ran.out for variant in playing.variants)
    assert all(field.description in ran.out for field in option_fields(playing.options_type))
    assert all(end in ran.out for end in playing.ends.values())


def test_json_lists_all_games(run):
    data = run("games", "--json").data
    assert [game["id"] for game in data] == list(GAMES)


def test_json_of_one_game(run):
    data = run("games", "six", "--json").data
    assert (data["id"], data["min_seats"], data["max_seats"]) == ("six", 2, 10)
    fields = {option["name"]: option for option in data["options"]}
    assert fields["target"] == {
        "name": "target",
        "flag": "--target",
        "kind": "number",
        "description": fields["target"]["description"],
        "default": 66,
        "allowed": "a whole number from 1 to 1000",
        "choices": [],
        "least": 1,
        "most": 1000,
        "optional": False,
    }
    assert fields["fan"]["choices"] == ["cow", "even-odd", "mountain", "twist"]
    assert {"id": "draft", "options": {"draft": True}, "max_seats": 6}.items() <= next(
        variant for variant in data["variants"] if variant["id"] == "draft"
    ).items()


@pytest.mark.parametrize("game", GAMES)
def test_every_number_has_limits_that_can_be_told(run, game):
    for option in run("games", game, "--json").data["options"]:
        assert "None" not in option["allowed"]


# -- the rules pages -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_page_is_printed(run, game):
    ran = run("rules", game)
    assert ran.code == 0
    assert ran.out.startswith("# ")
