"""Lower bounds in pyproject.toml have been tried: `python3 dev.py lowest` runs tests with them and writes them down."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NEEDED = [*PROJECT["dependencies"], *(each for extra in PROJECT["optional-dependencies"].values() for each in extra)]
BOUNDS = [needed for needed in NEEDED if not needed.startswith("nimmt[")]
PROVEN = dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements-lowest.txt").read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("needed", BOUNDS)
def test_the_lowest_version_was_tried(needed: str) -> None:
    """The one that was tried is the bound, or the first release of it: 13.9.4 for 13.9 where there is no older one."""
    found = re.match(r"([\w.-]+)>=([\d.]+)", needed)
    assert found, f"{needed} has no lower bound"
    proven = PROVEN[found[1].lower()]
    assert proven == found[2] or proven.startswith(f"{found[2]}."), "run python3 dev.py lowest"


def test_uvicorn_is_not_taken_newer_than_it_was_tried() -> None:
    """`nimmt.server.http.connections` builds on its insides."""
    (bound,) = [needed for needed in BOUNDS if needed.startswith("uvicorn")]
    locked = re.search(r"^uvicorn==0\.(\d+)", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE)
    assert locked
    assert bound.endswith(f"<0.{int(locked[1]) + 1}")
