"""Training is one command that can be stopped at any moment: it goes on, comes to the same, and shows its curves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimmt.games.six.search import players

ROOT = Path(__file__).parents[2]


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """The scripts, by name; what a run learns from is as before in the end."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "training"), *sys.path])
    for name in ("TABLES", "NETS", "RIVALS"):
        monkeypatch.setattr(players, name, getattr(players, name))
    modules = {name: import_module(name) for name in ("train", "imitate", "progress", "reports", "teaching")}
    yield SimpleNamespace(**modules)
    players.fitted.cache_clear()
    players.learned.cache_clear()


# -- one command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def steps(training: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two steps of 6 nimmt! that take no time, the second of which learns from the first; and what was done."""
    done, learned_from = list[str](), list[set[str]]()

    def begin(words: list[str]) -> None:
        made = Path(words[words.index("--out") + 1])
        done.append(made.name)
        learned_from.append(set(players.fitted()))
        training.teaching.save_whole(made, what=np.arange(3))

    def step(name: str, makes: str, *needs: str) -> Any:
        return training.train.Step(name, "six", (makes,), needs, 30, begin, lambda quick: f"plan, quick: {quick}")

    monkeypatch.setattr(training.train, "learned_from", learned_from, raising=False)
    monkeypatch.setattr(training.train, "STEPS", (step("tables", "six.npz"), step("networks", "nets.npz", "six.npz")))
    return done


def test_what_is_finished_is_skipped(training: SimpleNamespace, steps: list[str], tmp_path: Path) -> None:
    words = ["--work", str(tmp_path)]
    assert training.train.main(words) == 0
    assert training.train.main(words) == 0
    assert steps == ["six.npz", "nets.npz"]
    (tmp_path / "made" / "six" / "nets.npz").unlink()
    assert training.train.main(words) == 0
    assert steps == ["six.npz", "nets.npz", "nets.npz"]
    assert training.train.learned_from[0] == {"mc64", "master"}
    assert training.train.learned_from[1] == {"what"}, "the networks learn from the tables just made"
    assert "| networks | `nets.npz` | finished" in (tmp_path / "report.md").read_text()


def test_a_list_says_what_is_left_and_does_nothing(
    training: SimpleNamespace, steps: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--work", str(tmp_path / "work"), "--list"]
    assert training.train.main(words) == 0
    assert "About 60 min are left" in capsys.readouterr().out
    assert steps == []
    assert not (tmp_path / "work").exists()
    training.train.main(words[:-1])
    capsys.readouterr()
    training.train.main(words)
    assert capsys.readouterr().out.endswith("Done.\n")


def test_work_of_another_kind_is_not_gone_on_with(
    training: SimpleNamespace, steps: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A network half taught by one plan and half by another would be neither."""
    assert training.train.main(["--work", str(tmp_path), "--quick"]) == 0
    assert training.train.main(["--work", str(tmp_path)]) == 2
    assert "was begun with other settings" in capsys.readouterr().err
    assert steps == ["six.npz", "nets.npz"]


def test_what_was_made_from_something_else_is_not_finished(
    training: SimpleNamespace, steps: list[str], tmp_path: Path
) -> None:
    training.train.main(["--work", str(tmp_path)])
    training.teaching.save_whole(tmp_path / "made" / "six" / "six.npz", what=np.arange(4))
    run = training.train.Run(tmp_path, tmp_path / "made", False)
    assert [run.state(step) for step in training.train.STEPS] == ["begun", "begun"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["chess"], "there is no game 'chess' to train. The games are: six, buffalo, x, eleven, baron"),
        (["--ship", "--quick"], "--ship is for whole runs"),
        (["--ship", "--out", "here"], "--ship is for whole runs"),
        (["--work", __file__], "is not a folder"),
        (["--out", __file__], "is not a folder"),
    ],
)
def test_bad_arguments_are_explained(
    training: SimpleNamespace, words: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        training.train.main(words)
    assert ended.value.code == 2
    assert error in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_ends_in_one_sentence(
    training: SimpleNamespace, steps: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert training.train.main(["--work", "/dev/null/here"]) == 1
    assert capsys.readouterr().err.startswith("Cannot go on: [Errno 20] Not a directory")
    assert steps == []


# -- stops -------------------------------------------------------------------------------------------------------------


def test_a_file_is_there_whole_or_not_at_all(
    training: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, teaching = tmp_path / "weights.npz", training.teaching
    teaching.save_whole(place, weights=np.arange(3))

    def stop(file: Any, **_: Any) -> None:
        file.write(b"half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez_compressed", stop)
    with pytest.raises(KeyboardInterrupt):
        teaching.save_whole(place, weights=np.arange(9))
    with np.load(place) as file:
        assert file["weights"].tolist() == [0, 1, 2]


class Killed(BaseException):
    pass


def test_imitation_goes_on_after_a_stop_at_any_file(
    training: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before and after every single file that it writes; what takes long is not really done here."""
    imitate, replace = training.imitate, Path.replace
    lines = pretend_to_learn(imitate, monkeypatch)
    plan = imitate.plan_of("baron", True)._replace(rounds=2)
    _, whole = imitate.teach("baron", plan, tmp_path / "whole")
    left = 0

    def replace_until_killed(path: Path, target: Path) -> Path:
        nonlocal left
        left -= 1
        if left == 0:
            raise Killed
        done = replace(path, target)
        left -= 1
        if left == 0:
            raise Killed
        return done

    monkeypatch.setattr(Path, "replace", replace_until_killed)
    stops = 0
    while True:
        stops, work = stops + 1, tmp_path / str(stops)
        left = stops
        try:
            imitate.teach("baron", plan, work)
            break
        except Killed:
            left = 0
            _, told = imitate.teach("baron", plan, work)
            assert told == whole
            assert contents(work) == contents(tmp_path / "whole")
    assert stops > 2 * len(lines)


def pretend_to_learn(imitate: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    noted = SimpleNamespace(noted=[None])
    monkeypatch.setattr(imitate, "watch", lambda *_: iter([(1, noted)]))
    monkeypatch.setattr(imitate, "batch_of", lambda *_: None)
    monkeypatch.setattr(imitate, "fit", lambda shape, _batch, _steps, seed: (np.full(shape.weights, seed, "f4"), -1.0))
    monkeypatch.setattr(imitate, "share", lambda *_: 30.0)
    outlook = {"win": np.ones(3, "f4"), "points": np.zeros(3, "f4")}
    monkeypatch.setattr(imitate, "teach_outlook", lambda *_: (outlook, "9 positions: win -1.0, points -1.0"))
    monkeypatch.setattr(imitate, "versus", lambda *_: (55.0, 1.0))
    return ["line.txt", "learned.npz", "outlook.npz", "result.txt"]


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".new")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.soak
def test_a_run_that_is_killed_comes_to_the_same(tmp_path: Path) -> None:
    """6 nimmt!, by kill -9 whenever some more files are there, until it is finished: minutes."""
    command = [sys.executable, str(ROOT / "training" / "train.py"), "six", "--quick", "--work"]
    subprocess.run([*command, str(tmp_path / "whole")], check=True, capture_output=True)
    work, ended, kills = tmp_path / "killed", False, 0
    while not ended:
        files = len(contents(work))
        with subprocess.Popen([*command, str(work)], stdout=subprocess.DEVNULL) as process:
            while len(contents(work)) <= files and process.poll() is None:
                pass
            if ended := process.poll() == 0:
                break
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
    assert kills > 5
    assert contents(work / "made") == contents(tmp_path / "whole" / "made")


# -- telling -----------------------------------------------------------------------------------------------------------

LINES = [
    "step 50: entropy 1.20; wins against three random 60.1 %, greedy 34.2 %",
    "step 100: entropy 1.10; wins against three random 61.5 %, greedy 35.0 %",
]


def test_reports_have_the_curves_as_plots(training: SimpleNamespace, tmp_path: Path) -> None:
    section = training.reports.Section("sharp", "a plan", LINES)
    text = training.reports.write_report(tmp_path, "What was learned", [section]).read_text()
    assert f"- {LINES[0]}\n- {LINES[1]}\n" in text
    for name in ("sharp-per-cent.svg", "sharp-nats.svg"):
        assert f"({name})" in text
        assert (tmp_path / name).read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("lines", "curves"),
    [
        (
            LINES,
            [
                ("entropy", "", [(50, 1.2), (100, 1.1)]),
                ("random", "%", [(50, 60.1), (100, 61.5)]),
                ("greedy", "%", [(50, 34.2), (100, 35.0)]),
            ],
        ),
        (
            ["step 100: log probability -0.9123, error 4.20 bulls"],
            [("log probability", "", [(100, -0.9123)]), ("error", "bulls", [(100, 4.2)])],
        ),
        (
            [
                "Careless players, 1,234 positions: win -1.3, points -1.2.",
                "Round 1: 24,000 decisions, imitated with -1.365; against three random 61.2 %, greedy 45.5 %; "
                "1,234 positions: win -1.0264, points -1.0374; 12 minutes.",
                "Two against two of the last: 52.0 % ± 3.1, kept.",
            ],
            [
                ("win", "", [(0, -1.3), (1, -1.0264)]),
                ("points", "", [(0, -1.2), (1, -1.0374)]),
                ("imitated with", "", [(1, -1.365)]),
                ("random", "%", [(1, 61.2)]),
                ("greedy", "%", [(1, 45.5)]),
                ("Two against two of the last", "%", [(1, 52.0)]),
            ],
        ),
    ],
)
def test_curves_are_what_the_lines_say(training: SimpleNamespace, lines: list[str], curves: list[Any]) -> None:
    assert [tuple(curve) for curve in training.reports.curves(lines)] == curves


def test_on_a_terminal_there_is_a_bar(
    training: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    training.progress.tell("sharp", 1, 4, "step 1: a figure")
    training.progress.tell("sharp", 2, 4)
    assert capsys.readouterr().out == "sharp    [#####               ] step 1: a figure\n"
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    training.progress.tell("sharp", 3, 4, "step 3: a figure")
    training.progress.stop()
    shown = capsys.readouterr().out
    assert "sharp: step 3: a figure" in shown
    assert "3/4" in shown
    assert "left" in shown
