"""The README starts with a picture and two commands, and its Python is true; so is that of the other pages."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
WITH_DOCTESTS = [page for page in PAGES if ">>> " in page.read_text("utf-8")]


def test_it_starts_with_a_picture() -> None:
    _, *paragraphs = README.split("\n\n")
    picture = re.fullmatch(r"!\[.+\]\((docs/images/[\w-]+\.png)\)", paragraphs[0])
    assert picture
    assert (ROOT / picture[1]).is_file()
    assert (ROOT / re.findall(r'<img src="([^"]+)"', README)[0]).is_file()


def test_the_two_commands_come_first() -> None:
    first_block = README.split("```")[1]
    commands = re.findall(r"^python3 dev\.py (\w+)", first_block, re.MULTILINE)
    assert commands == ["play", "test"]
    dev = (ROOT / "dev.py").read_text("utf-8")
    assert all(f'"{command}": ' in dev for command in commands)


@pytest.mark.parametrize("page", WITH_DOCTESTS, ids=lambda page: page.name)
def test_its_python_is_true(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # for what is saved
    flags = doctest.FAIL_FAST | doctest.ELLIPSIS  # "..." stands for what a page leaves out
    results = doctest.testfile(str(page), module_relative=False, encoding="utf-8", optionflags=flags)
    assert results.attempted
    assert results.failed == 0
