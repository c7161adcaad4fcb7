"""The pictures of the documentation are small, and readable for everybody."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PICTURES = sorted((DOCS / "pictures").glob("*.svg"))
SVG = "{http://www.w3.org/2000/svg}"
TEXTS = [*DOCS.rglob("*.md"), DOCS.parent / "README.md"]


def test_there_are_pictures_of_every_game() -> None:
    assert {path.stem.split("-")[0] for path in PICTURES} == {"six", "buffalo", "x", "eleven", "baron"}


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_picture_is_well_formed_and_stands_alone(path: Path) -> None:
    text = path.read_text("utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert len(text) < 30_000
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    ids = {element.get("id") for element in root.iter()}
    used = {element.get("href", "")[1:] for element in root.iter(f"{SVG}use")}
    assert used <= ids


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_picture_is_told_in_words(path: Path) -> None:
    root = ElementTree.fromstring(path.read_text("utf-8"))
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("role") == "img"
    assert title is not None
    assert title.text
    assert description is not None
    assert description.text
    assert description.text.endswith(".")
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"


def test_every_picture_is_shown_somewhere() -> None:
    shown = set(re.findall(r"pictures/([\w-]+\.svg)", "".join(path.read_text("utf-8") for path in TEXTS)))
    assert shown == {path.name for path in PICTURES}
