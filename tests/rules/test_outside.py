"""Games from outside: folders that `NIMMT_GAMES` names are as good as ours, and what is wrong with them is said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import nimmt
from nimmt.rules import registry
from nimmt.rules.game import AnyGame

SOURCES = str(Path(nimmt.__file__).parents[1])


def run(*words: str, folders: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "nimmt", *words],
        env={**os.environ, "PYTHONPATH": SOURCES, "NIMMT_GAMES": folders},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=180,
    )


def game_folder(folder: Path, game_id: str, code: str) -> str:
    (folder / game_id).mkdir(parents=True)
    (folder / game_id / "__init__.py").write_text(code, "utf-8")
    return str(folder)


def test_a_game_from_outside_is_listed_after_ours(calf_folder: Path) -> None:
    listed = json.loads(run("games", "--json", folders=str(calf_folder)).stdout)
    assert [game["id"] for game in listed] == [*registry.OURS, "calf"]


def test_several_folders(calf_folder: Path, tmp_path: Path) -> None:
    code = (calf_folder / "calf" / "__init__.py").read_text("utf-8").replace('id = "calf"', 'id = "ox"')
    both = os.pathsep.join([str(calf_folder), game_folder(tmp_path, "ox", code)])
    assert "Calf" in (told := run("games", folders=both).stdout)
    assert "ox" in told


def test_a_game_says_whether_it_has_a_file(calf: AnyGame) -> None:
    assert registry.part(calf.id, "terminal") is None
    assert registry.part("six", "terminal") is not None


@pytest.mark.parametrize(
    ("game_id", "code", "said"),
    [
        ("calf", "from nimmt.nowhere import Game", "cannot be imported: ModuleNotFoundError: No module named"),
        ("calf", "GAME =", "cannot be imported: SyntaxError"),
        ("calf", "", "must have its game as GAME"),
        ("calf", "GAME = 7", "must have its game as GAME"),
        ("calf", "from nimmt.games.six import GAME", "calls itself 'six'"),
        ("six", "", "is in nimmt itself already"),
    ],
)
def test_a_broken_game_is_refused_with_a_sentence(tmp_path: Path, game_id: str, code: str, said: str) -> None:
    ran = run("games", folders=game_folder(tmp_path, game_id, code))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("nimmt: The ")
    assert said in ran.stderr


@pytest.mark.parametrize("command", [["games"], ["play", "calf"], ["serve", "--database", "memory", "--port", "0"]])
def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, command: list[str]) -> None:
    ran = run(*command, folders=str(tmp_path / "nowhere"))
    assert ran.returncode == 2
    assert f"NIMMT_GAMES names {tmp_path / 'nowhere'}, which cannot be read: No such file or directory." in ran.stderr


def test_a_folder_without_games_is_refused(calf_folder: Path) -> None:
    ran = run("games", folders=str(calf_folder / "calf"))
    assert ran.returncode == 2
    assert "no folder with an __init__.py" in ran.stderr


def test_a_game_in_two_folders_is_refused(calf_folder: Path, tmp_path: Path) -> None:
    ran = run("games", folders=os.pathsep.join([str(calf_folder), game_folder(tmp_path, "calf", "")]))
    assert ran.returncode == 2
    assert f"The game 'calf' in {tmp_path} is in {calf_folder} already." in ran.stderr


def test_ours_can_be_played_whatever_lies_outside(tmp_path: Path) -> None:
    ran = run("simulate", "six", "--matches", "1", "--seed", "1", folders=str(tmp_path / "nowhere"))
    assert ran.returncode == 0, ran.stderr
