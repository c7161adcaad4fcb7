"""The changelog has a dated section for the version that this is, and follows Keep a Changelog."""

import re
import tomllib
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CHANGELOG.md").read_text("utf-8")
SECTIONS = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_what_is_not_released_comes_first() -> None:
    assert SECTIONS[0] == "Unreleased"


def test_versions_are_dated_and_the_newest_is_this_one() -> None:
    versions = [section.split(" – ") for section in SECTIONS[1:]]
    dates = [date.fromisoformat(day) for _, day in versions]
    assert dates == sorted(dates, reverse=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert versions[0][0] == project["version"]


def test_changes_are_arranged_by_their_kind() -> None:
    assert set(re.findall(r"^### (.+)$", PAGE, re.MULTILINE)) <= KINDS
