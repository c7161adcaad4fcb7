"""The other recipes: a unit that systemd takes and finds well locked up, a container file whose steps can be done."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nimmt.server.settings import PREFIX, Settings
from nimmt.testing import deployment
from nimmt.testing.deployment import FOLDERS, LEFT_OUT, read_steps

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "deploy"
CONTAINER = (RECIPES / "container" / "Containerfile").read_text("utf-8")
MAX_EXPOSED = "15"
"""Of a hundred, in the words of systemd-analyze: what is left is the network, and code that is compiled at run time."""


@pytest.fixture
def unit(tmp_path: Path) -> str:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: apt install systemd")
    file = tmp_path / "nimmt.service"
    file.write_text(deployment.adapt(RECIPES / "systemd" / "nimmt.service", {"/opt/nimmt/bin/nimmt": sys.executable}))
    return str(file)


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)


def test_systemd_takes_the_unit(unit: str) -> None:
    done = analyze("verify", unit)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_is_locked_up(unit: str) -> None:
    done = analyze("security", "--offline=true", f"--threshold={MAX_EXPOSED}", unit)
    assert done.returncode == 0, done.stdout[-2000:]


def test_recipes_set_only_what_can_be_set() -> None:
    known = {PREFIX + name.upper() for name in Settings.__struct_fields__}
    texts = [path.read_text("utf-8") for path in RECIPES.rglob("*") if path.is_file()]
    named = {name for text in texts for name in re.findall(r"\bNIMMT_[A-Z_]+", text)}
    assert named
    assert named <= known
    flags = {flag for text in texts for flag in re.findall(r"nimmt serve.*", text)}
    for flag in re.findall(r"--([a-z-]+)", " ".join(flags)):
        assert flag.replace("-", "_") in Settings.__struct_fields__


def test_every_step_of_the_container_file_can_be_done_here() -> None:
    """`python3 dev.py container` does them."""
    steps = list(read_steps(CONTAINER))
    known = {"FROM", "WORKDIR", "RUN", "COPY", "ENV", "CMD", "HEALTHCHECK", *LEFT_OUT}
    assert {step.kind for step in steps} <= known
    for step in steps:
        places = re.findall(r"(?<![\w./:-])/[\w/]+", step.words) if step.kind in ("RUN", "COPY", "WORKDIR") else []
        assert [place for place in places if not place.startswith(FOLDERS)] == []
    for step in steps:
        if step.kind == "COPY" and not step.words.startswith("--from"):
            *sources, _ = step.words.split()
            assert all((ROOT / source).exists() for source in sources)


def test_the_container_is_small_careful_and_watched() -> None:
    last = CONTAINER.rpartition("FROM ")[2]
    kinds = [step.kind for step in read_steps(f"FROM {last}")]
    assert CONTAINER.count("\nFROM ") == 2
    assert kinds.index("USER") < kinds.index("CMD")
    assert "HEALTHCHECK" in kinds
    allowed = (ROOT / ".dockerignore").read_text("utf-8").split("*\n", 1)[1]
    copied = {
        word
        for step in read_steps(CONTAINER)
        if step.kind == "COPY" and "--from" not in step.words
        for word in step.words.split()[:-1]
    }
    assert {line[1:] for line in allowed.splitlines() if line.startswith("!")} == copied
