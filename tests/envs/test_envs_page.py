"""What the page about the environments says is true."""

import contextlib
import io
import re
from pathlib import Path

import pytest

pytest.importorskip("pettingzoo")

import nimmt
from nimmt.envs import get_codec
from nimmt.rules import registry

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "envs.md").read_text("utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS, ids=["batch", "vector", "aec", "parallel", "openspiel"])
def test_the_examples_run(program):
    if "pyspiel" in program:
        pytest.importorskip("pyspiel")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(program, {})  # noqa: S102
    assert "player_3" in out.getvalue()


def test_every_code_is_explained():
    """Those that the sources of environments and simulations name."""
    folders = [Path(nimmt.__file__).parent / name for name in ("envs", "fast")]
    sources = "".join(path.read_text("utf-8") for folder in folders for path in folder.glob("*.py"))
    codes = set(re.findall(r'(?:InvalidArgument|NotPossible)\(\s*"(\w+)"', sources)) | {"wrong_type", "unknown_policy"}
    assert {"wrong_shape", "closed"} < codes
    table = PAGE.partition("## What is refused")[2].partition("\n## ")[0]
    told = {
        code for line in re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE) for code in re.findall(r"`(\w+)`", line)
    }
    assert codes - told == set()


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_part_and_every_number_is_explained(game):
    playing = registry.get(game)
    codec = get_codec(playing, playing.options_type(), 4)
    observations = PAGE.partition("## Observations")[2].partition("## Actions")[0]
    lines = [line for line in observations.splitlines() if line.startswith("| `")]
    told = {
        name
        for line in lines
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
        if "all" in line.split("|")[2] or game in line.split("|")[2]
    }
    assert [part for part in codec.layout if part not in told] == []
    assert f"| `{game}` ({codec.actions}) |" in PAGE
