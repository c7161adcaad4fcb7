"""Matches that were played once are played the same way again: `tests/docs/test_generated.py` compares these files."""

from pathlib import Path

FOLDER = Path(__file__).parent


def test_files_are_not_gigantic() -> None:
    sizes = {path.name: path.stat().st_size for path in FOLDER.glob("*.txt")}
    assert sizes
    assert {name: size for name, size in sizes.items() if size > 80_000} == {}
