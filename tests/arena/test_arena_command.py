"""`nimmt arena` as people and programs use it."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nimmt.clients.cli import main

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "engine.py"
ENGINE = f'cmd:"{shlex.join([sys.executable, str(EXAMPLE)])}"'

RESULTS = ["seats", "points", "±", "95%", "wins", "±", "95%", "rating", "σ"]
CONDUCT = ["decisions", "ms", "each", "slowest", "forfeits"]


@pytest.fixture
def arena(capsys):
    """`arena("six", …)`: the exit code, standard output and standard error."""

    def call(*words, jobs=1):
        capsys.readouterr()
        luck = [] if "--luck" in words else ["--luck", "0"]  # takes time, and has tests of its own
        code = main(["arena", *map(str, words), *luck, "--jobs", str(jobs)])
        return code, *capsys.readouterr()

    return call


def as_json(ran):
    code, out, err = ran
    assert (code, err) == (0, "")
    return json.loads(out)


def without_times(data):
    for kind in ("deals", "matches"):
        if kind in data:
            del data[kind]["times"]
    return data


def test_the_table(arena):
    code, out, err = arena("six", "--bots", "greedy,random", "--deals", 60, "--duplicate", "--seed", 1)
    assert (code, err) == (0, "")
    first, second, *_ = out.splitlines()
    assert first == "6 nimmt!, 4 seats: 60 deals, seed 1"
    assert second.startswith("120 tables, each deal at every table; equal players would win 25.0%")
    assert "greedy less random" in out
    assert out.index("greedy") < out.index("random")


def test_one_deal_is_one_table(arena):
    code, out, _ = arena("six", "--bots", "random", "--deals", 1)
    assert code == 0
    assert out.splitlines()[1].startswith("1 table, ")


def test_the_game_may_be_a_flag(arena):
    words = ("--players", 3, "--bots", "greedy,random", "--deals", 2, "--seed", 1, "--json", "--fan", "cow")
    data = [without_times(as_json(arena(*game, *words))) for game in (["six"], ["--game", "six"], ["--game=six"])]
    assert data[0] == data[1] == data[2]
    assert data[0]["plan"]["options"]["fan"] == ["cow"]


def test_json_has_everything(arena):
    data = as_json(arena("x", "--bots", "greedy,random", "--deals", 4, "--both", "--seed", "s", "--json", "--sprt"))
    assert data["plan"]["seed"] == "s"
    assert data["sprt"] == {"gain": 0.05, "risk": 0.05}
    for kind in ("deals", "matches"):
        report = data[kind]
        assert report["course"] | {"llr": 0} == {
            "kind": kind,
            "asked": 4,
            "counted": 4,
            "stopped": None,
            "given_up": None,
            "verdict": None,
            "llr": 0,
        }
        assert [bot["bot"] for bot in report["bots"]] == ["greedy", "random"]
        assert set(report["bots"][0]) == {"bot", "seats", "points", "wins", "rating", "forfeits", "adjusted"}
        assert set(report["bots"][0]["wins"]) == {"mean", "low", "high"}


@pytest.mark.parametrize("game", ["six", "buffalo", "x", "eleven", "baron"])
def test_every_game_has_an_arena(arena, game):
    data = as_json(arena(game, "--bots", "random", "--deals", 1, "--players", 2, "--json"))
    assert data["deals"]["bots"][0]["bot"] == "random"


def test_out_keeps_results_report_and_pictures(arena, tmp_path):
    out = tmp_path / "out"
    words = ("six", "--bots", "greedy,random,_a=random", "--deals", 8, "--matches", "--target", 20, "--seed", 3)
    arena(*words, "--out", out)
    names = {path.name for path in out.iterdir()}
    pictures = {
        f"matches-{what}.{form}" for what in ("points", "wins", "ratings", "running") for form in ("png", "svg")
    }
    assert names == pictures | {"plan.json", "results.jsonl", "report.json"}
    assert json.loads((out / "report.json").read_bytes())["matches"]["course"]["counted"] == 8
    assert (out / "matches-wins.png").read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in (out / "matches-wins.svg").read_bytes()


def test_the_same_seed_draws_the_same_pictures(arena, tmp_path):
    words = ("six", "--bots", "greedy,random", "--deals", 8, "--seed", 3, "--players", 2)
    arena(*words, "--out", tmp_path / "a")
    arena(*words, "--out", tmp_path / "b")
    for name in ("deals-points.svg", "deals-ratings.svg", "deals-running.svg", "deals-wins.svg"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_resume_goes_on_and_force_overwrites(arena, tmp_path):
    words = ("six", "--bots", "greedy,random", "--seed", 3, "--no-plots", "--json", "--out", tmp_path / "out")
    arena(*words, "--deals", 5)
    code, out, _ = arena(*words, "--deals", 9)
    assert (code, json.loads(out)["error"]["code"]) == (2, "arena")
    assert "--resume" in json.loads(out)["error"]["message"]
    resumed = as_json(arena(*words, "--deals", 9, "--resume"))
    forced = as_json(arena(*words, "--deals", 9, "--force"))
    assert without_times(resumed) == without_times(forced)


def test_a_test_that_is_decided(arena):
    code, out, _ = arena("six", "--bots", "greedy,random", "--deals", 500, "--sprt", "--sprt-gain", 20, "--seed", 1)
    assert code == 0
    assert "Is greedy better than the others by 20 points of wins a seat? It is better (" in " ".join(out.split())
    assert "500 deals" not in out


def test_forfeits_are_told(arena, engine, monkeypatch):
    """Names stay readable in eighty columns."""
    monkeypatch.setenv("COLUMNS", "80")
    bad = engine("ready()\nfor told in decisions(): print('What?', flush=True)")
    bots = f"random,faithless-servant={bad}"
    code, out, _ = arena("six", "--players", 2, "--bots", bots, "--deals", 20, "--failures", 2)
    assert code == 1
    assert "Forfeit in deal 0: faithless-servant, seat 1: What? is no message" in out.replace("\n", " ")
    assert "Gave up on faithless-servant" in out
    assert "2 deals" in out
    rows = [line.split() for line in out.splitlines() if line.startswith("  ")]
    results, conduct = rows.index(["bot", *RESULTS]), rows.index(["bot", *CONDUCT])
    assert [row[0] for row in rows[results + 1 : results + 3]] == ["random", "faithless-servant"]
    assert [(row[0], row[-1]) for row in rows[conduct + 1 :]] == [("random", "0"), ("faithless-servant", "2")]


def test_an_engine_takes_a_seat(arena):
    data = as_json(arena("six", "--bots", f"greedy:3,lowly={ENGINE}:1", "--deals", 2, "--json", "--time", 20))
    assert [bot["forfeits"] for bot in data["deals"]["bots"]] == [0, 0]
    assert data["plan"]["time_ms"] == 20_000


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        (["six", "--bots", "gredy"], ["no bot 'gredy'", "did you mean greedy?"]),
        (["six", "--bots", ""], ["No bots"]),
        (["six", "--bots", "greedy:2,random:1"], ["take 3 seats, but 4"]),
        (["six", "--bots", "cmd:./no-such-program"], ["no-such-program cannot take part", "cannot be started"]),
        (["six", "--rounds", "3"], ["--rounds", "--matches"]),
        (["baron", "--games", "3"], ["--games", "--matches"]),
        (["six", "--players", "11"], ["2 to 10"]),
        (["six", "--resume"], ["--out"]),
        (["six", "--matches", "--both"], ["not allowed with"]),
        (["six", "--sprt-gain", "0"], ["from 0.1 to 50"]),
        (["six", "--deals", "1", "--sprt", "--bots", "greedy"], ["--sprt", "name another one"]),
        (["buffalo", "--deals", "1", "--sprt"], ["--sprt", "--duplicate"]),
        (
            ["buffalo", "--deals", "1", "--sprt", "--players", "2", "--bots", "greedy:1,random:1"],
            ["--sprt", "mixed team"],
        ),
        (["six", "--time", "soon"], ["seconds"]),
        (["six", "--dask", "nonsense://x"], ["no Dask scheduler"]),
        (["--game", "sxi"], ["no game 'sxi'", "did you mean six?"]),
        (["--game"], ["game"]),
        ([], ["Which game?"]),
    ],
)
def test_wrong_usage_is_one_line_that_helps(arena, tmp_path, monkeypatch, words, needed):
    monkeypatch.chdir(tmp_path)
    code, out, err = arena(*words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert [part for part in needed if part not in err] == []


@pytest.mark.parametrize(("library", "extra"), [("openskill", "arena"), ("joblib", "arena"), ("matplotlib", "arena")])
def test_a_missing_library_is_told_with_the_command(arena, monkeypatch, tmp_path, library, extra):
    for name in [name for name in sys.modules if name.split(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    code, _, err = arena("six", "--deals", 1, "--out", tmp_path / "out", jobs=2 if library == "joblib" else 1)
    assert code == 2
    assert f"needs {library}" in err
    assert f"pip install 'nimmt[{extra}]'" in err


def test_ctrl_c_shows_what_was_played_and_it_can_be_resumed(tmp_path):
    out = tmp_path / "out"
    words = ["six", "--bots", "greedy,random", "--deals", "100000", "--seed", "5", "--luck", "0"]
    words += ["--no-plots", "--out", str(out)]
    command = [sys.executable, "-m", "nimmt", "arena", *words, "--jobs", "2"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    results = out / "results.jsonl"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (results.exists() and results.stat().st_size > 20_000):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    told, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (130, "")
    assert "Interrupted: these are the deals until then." in told
    report = json.loads((out / "report.json").read_bytes())["deals"]
    assert 0 < report["course"]["counted"] <= len(results.read_bytes().splitlines())
