"""`nimmt hint`: a position typed in, and what each card would bring in it."""

import pytest

import nimmt

ROWS = "30 36 | 37 | 43 44 | 58 61"
TYPED = {
    "six": ["--rows", ROWS, "--hand", "3 40 66", "--players", 3],
    "x": ["--rows", "5 | 10 18 22 | 70", "--hands", "59 61 | 9 23"],
    "eleven": ["--piles", "31 36 46 | 87", "--hand", "47 50 88 12", "--players", 3],
    "baron": ["--rows", "1 | 2 | 3 | 4 | 5", "--hand", "10 20", "--players", 2],
    "buffalo": ["--rows", ROWS, "--hand", "3 40 66", "--players", 2],
}


@pytest.mark.parametrize("game", TYPED)
def test_a_table_typed_in(run, game):
    data = run("hint", game, *TYPED[game], "--worlds", 20, "--json").data
    assert (data["game"], data["seat"], data["worlds"]) == (game, 0, 20)
    assert sum(one["best"] for one in data["actions"]) == 1
    for one in data["actions"]:
        assert {"points", "error", "cost", "cost_error", "risk", "win", "reason", "goes"} <= set(one)
    told = run("hint", game, *TYPED[game], "--worlds", 20)
    assert told.code == 0
    assert "best" in told.out


def test_where_cards_go_and_what_they_take(run):
    """3 is too low: any row, at its price; 40 goes to 37, the closest end below it."""
    data = run("hint", "six", *TYPED["six"], "--worlds", 20, "--json").data
    goes = {one["action"]["card"]: [(to["place"], to["bulls"]) for to in one["goes"]] for one in data["actions"]}
    assert goes[3] == [(1, 4), (2, 1), (3, 6), (4, 2)]
    assert [place for place, _ in goes[40]] == [2]


def test_what_others_hold_does_not_matter(run):
    """Only what the seat could know is used."""
    one, two = (
        run("hint", "six", "--rows", ROWS, "--hands", hands, "--worlds", 50, "--json").out
        for hands in ("3 40 66 | 9 50 60", "3 40 66 | 1 99 100")
    )
    assert one == two


def test_a_whole_position_and_the_library_say_the_same(run, tmp_path):
    position = nimmt.position("six", rows=ROWS, hands="3 | 9").play(3, 9)
    (tmp_path / "table.txt").write_text(str(position), "utf-8")
    data = run("hint", "--position", tmp_path / "table.txt", "--json").data
    assert data["exact"]
    assert [one["points"] for one in data["actions"]] == [4, 1, 6, 2]
    assert [one.points for one in nimmt.hint(position).actions] == [4, 1, 6, 2]
    told = run("hint", "--position", tmp_path / "table.txt", "--language", "de").out
    assert "gelöst" in told


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["six", "--rows", ROWS, "--hand", "3 37"], "Card 37"),
        (["six", "--rows", ROWS, "--hand", "x"], "--hand"),
        (["six", "--rows", ROWS], "lacks: hands"),
        (["six", "--rows", ROWS, "--hand", "3", "--hands", "3 | 9"], "--hands"),
        (["six", "--rows", ROWS, "--hands", "3 | 9", "--seat", "4"], "no seat 4"),
        ([], "Name a game"),
        (["six", "--rows", ROWS, "--hand", "1 2 3 4 5 6 7 8 9 10", "--players", "11"], "11"),
    ],
)
def test_what_cannot_be_answered(run, words, reason):
    ran = run("hint", *words)
    assert (ran.code, ran.out) == (2, "")
    assert reason in ran.err
