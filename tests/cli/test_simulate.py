"""`nimmt simulate`: bots play, the seed decides."""

import json
from pathlib import Path

import pytest

from nimmt.clients.cli import main
from nimmt.clients.cli.simulate import Simulation, histogram
from nimmt.rules.registry import all_games

VARIANTS = [(game.id, variant.id) for game in all_games() for variant in game.variants]


def contents(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_simulate_then_verify_then_show(run, tmp_path, game, variant):
    folder = tmp_path / "new" / "folder"
    ran = run("simulate", game, "--variant", variant, "--matches", 2, "--seed", 3, "--out", folder)
    assert ran.code == 0
    assert sorted(contents(folder)) == [f"{game}-3-00001.json", f"{game}-3-00002.json"]

    ran = run("verify", folder, "--json")
    assert ran.code == 0
    assert all(file["ok"] and file["game"] == game and file["result"] for file in ran.data["files"])
    assert all(file["deals_proven"] is not False for file in ran.data["files"])

    for path in sorted(folder.iterdir()):
        ran = run("show", path)
        assert ran.code == 0
        assert "The match is over" in ran.out
        assert run("show", path, "--seat", 0).code == 0


@pytest.mark.parametrize("game", [game.id for game in all_games()])
def test_the_smallest_and_the_largest_table(run, game):
    data = run("games", game, "--json").data
    for players in (data["min_seats"], data["max_seats"]):
        ran = run("simulate", game, "--players", players, "--matches", 1, "--seed", 1, "--json")
        assert len(ran.data["seats"]) == players


def test_the_same_seed_plays_the_same_matches(run, tmp_path):
    words = ["simulate", "six", "--players", 2, "--rounds", 1, "--seed", "żubr 7"]
    run(*words, "--matches", 3, "--out", tmp_path / "a")
    run(*words, "--matches", 2, "--out", tmp_path / "b")
    first, second = contents(tmp_path / "a"), contents(tmp_path / "b")
    assert sorted(second) == ["six-żubr_7-00001.json", "six-żubr_7-00002.json"]
    assert second.items() <= first.items()
    assert len(set(first.values())) == 3


def test_the_deals_do_not_depend_on_the_bots(run, tmp_path):
    def deals(bots):
        run("simulate", "x", "--matches", 1, "--seed", 5, "--bots", bots, "--out", tmp_path / bots)
        (content,) = contents(tmp_path / bots).values()
        return json.loads(content)["deals"]

    assert deals("random") == deals("greedy")


def test_another_seed_plays_other_matches(run):
    def points(seed):
        data = run("simulate", "six", "--matches", 3, "--seed", seed, "--json").data
        return [seat["mean_points"] for seat in data["seats"]]

    assert points(1) != points(2)


def test_without_a_seed_one_is_made_and_told(run):
    first = run("simulate", "x", "--matches", 1, "--json").data
    again = run("simulate", "x", "--matches", 1, "--json", "--seed", first["seed"]).data
    assert again["seats"] == first["seats"]
    assert run("simulate", "x", "--matches", 1, "--json").data["seed"] != first["seed"]


def test_nothing_is_overwritten_unless_forced(run, tmp_path):
    words = ["simulate", "x", "--matches", 2, "--seed", 1, "--out", tmp_path]
    assert run(*words).code == 0
    (tmp_path / "x-1-00001.json").unlink()
    before = contents(tmp_path)
    ran = run(*words)
    assert ran.code == 2
    assert "x-1-00002.json; --force" in ran.err
    assert contents(tmp_path) == before
    assert run(*words, "--force").code == 0
    assert len(contents(tmp_path)) == 2


def test_a_file_is_no_folder(run, tmp_path):
    (tmp_path / "file").write_text("")
    ran = run("simulate", "x", "--out", tmp_path / "file")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert run("simulate", "x", "--out", tmp_path / "file" / "deeper").code == 2


def test_the_numbers(run):
    data = run("simulate", "six", "--players", 3, "--matches", 4, "--rounds", 2, "--seed", 9, "--json").data
    assert (data["matches"], data["rounds"], data["players"], data["seed"]) == (4, 8, 3, "9")
    assert data["decisions"] >= 4 * 2 * 3 * 10
    assert data["ends"] == {"rounds": 4}
    assert data["bots"] == ["random"] * 3
    assert sum(seat["wins"] for seat in data["seats"]) >= 4
    for seat in data["seats"]:
        assert seat["least_points"] <= seat["mean_points"] <= seat["most_points"]


def test_a_game_without_rounds_counts_as_one_round(run):
    assert run("simulate", "buffalo", "--matches", 2, "--seed", 1, "--json").data["rounds"] == 2


def test_the_numbers_for_people(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    ran = run("simulate", "six", "--matches", 10, "--seed", 9, "--bots", "greedy,random")
    assert "6 nimmt!: 10 matches, seed 9" in ran.out
    for word in ("Anna", "Dario", "greedy", "random", "wins", "points", "█"):
        assert word in ran.out
    assert [line for line in ran.out.splitlines() if len(line) > 80 or line != line.rstrip()] == []


def test_bots_take_the_seats_in_turn(run):
    data = run("simulate", "six", "--matches", 1, "--players", 5, "--bots", "greedy,random", "--json").data
    assert [seat["bot"] for seat in data["seats"]] == ["greedy", "random", "greedy", "random", "greedy"]


def test_greedy_beats_random(run):
    data = run("simulate", "six", "--matches", 40, "--bots", "greedy,random", "--seed", 1, "--json").data
    wins = [seat["wins"] for seat in data["seats"]]
    assert wins[0] + wins[2] > wins[1] + wins[3]


def test_advice_of_the_rulebook_is_told(run):
    ran = run("simulate", "six", "--fan", "cow,twist", "--matches", 1, "--rounds", 1)
    assert ran.code == 0
    assert ran.err == "nimmt: The rulebook advises one kind of fan card at a time.\n"


def test_an_interrupt_keeps_what_was_played(run, tmp_path, monkeypatch):
    play = Simulation.play

    def play_two(self, number):
        if number == 3:
            raise KeyboardInterrupt
        return play(self, number)

    monkeypatch.setattr(Simulation, "play", play_two)
    ran = run("simulate", "x", "--seed", 1, "--out", tmp_path)
    assert ran.code == 130
    assert "2 matches" in ran.out
    assert len(contents(tmp_path)) == 2
    assert run("verify", tmp_path).code == 0
    ran = run("simulate", "x", "--seed", 1, "--json")
    assert (ran.code, ran.data["interrupted"], ran.data["matches"]) == (130, True, 2)


def test_an_interrupt_before_the_first_match(run, monkeypatch):
    def stop(self, number):
        raise KeyboardInterrupt

    monkeypatch.setattr(Simulation, "play", stop)
    assert run("simulate", "x").code == 130
    assert run("simulate", "x", "--json").data["seats"][0]["mean_points"] is None


# -- options ---------------------------------------------------------------------------------------------------


def options(run, *words):
    return run("simulate", *words, "--matches", 1, "--seed", 1, "--json").data["options"]


def test_flags_change_the_variant(run):
    assert options(run, "six", "--variant", "2007", "--target", 10, "--fan", "cow") == {
        "draft": False,
        "large_draft": True,
        "fan": ["cow"],
        "target": 10,
        "more_than_target": True,
        "rounds": None,
    }
    assert options(run, "six", "--variant", "2007", "--no-more-than-target")["more_than_target"] is False
    assert options(run, "six", "--variant", "draft", "--no-draft")["draft"] is False


@pytest.mark.parametrize(
    ("words", "fans"),
    [
        (["--fan", "cow", "--fan", "twist"], ["cow", "twist"]),
        (["--fan", "cow,twist"], ["cow", "twist"]),
        (["--fan=cow,", "--fan=mountain"], ["cow", "mountain"]),
        (["--variant", "cow", "--fan", "none"], []),
    ],
)
def test_a_flag_that_takes_several_words(run, words, fans):
    assert options(run, "six", *words)["fan"] == fans


def test_an_optional_number(run):
    assert options(run, "six", "--rounds", 1)["rounds"] == 1
    assert options(run, "six", "--rounds", "none")["rounds"] is None


def test_a_word(run):
    assert options(run, "buffalo", "--decide", "anyone")["decide"] == "anyone"


def test_data_comes_from_a_file(run, tmp_path):
    from nimmt.games import baron

    deck = Path(baron.__file__).with_name("deck.json")
    assert options(run, "baron", "--deck", deck)["deck"]
    for content in (b"[]", b"{", b"\xff", b'{"cards": 3}', b"[" * 100_000):
        (tmp_path / "deck.json").write_bytes(content)
        ran = run("simulate", "baron", "--deck", tmp_path / "deck.json")
        assert (ran.code, ran.err.count("\n")) == (2, 1)


# -- the histogram ---------------------------------------------------------------------------------------------


def test_bars_are_round_and_few():
    assert histogram([0, 1, 1, 3]) == {(0, 0): 1, (1, 1): 2, (2, 2): 0, (3, 3): 1}
    assert list(histogram(range(20, 100))) == [(low, low + 9) for low in range(20, 100, 10)]
    assert next(iter(histogram([-3, 9]))) == (-4, -3)
    for points in ([5], [-1000, 1000], [0, 7, 123_456]):
        bars = histogram(points)
        assert len(bars) <= 12
        assert sum(bars.values()) == len(points)


def test_the_entry_point_is_the_command():
    assert main(["simulate", "x", "--matches", "1", "--json"]) == 0
