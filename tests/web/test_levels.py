"""The page says of the bots' levels what the bots' own list says."""

import re
from pathlib import Path

import pytest

from nimmt.bots import LEVELS

TEXTS = Path(__file__).parents[2] / "web" / "src" / "lib" / "texts"


@pytest.mark.parametrize("language", ["en", "de", "pl", "ru"])
def test_levels_are_described_alike(language: str) -> None:
    page = (TEXTS / f"{language}.ts").read_text("utf-8")
    found = dict(re.findall(r"'level\.(\w+)':\s*'([^']*)'", page))
    hints = dict(re.findall(r"'level\.(\w+)\.hint':\s*'([^']*)'", page))
    assert {name: found[name] for name in LEVELS} == {name: level.names[language] for name, level in LEVELS.items()}
    assert {name: hints[name] for name in LEVELS} == {name: level.thinks[language] for name, level in LEVELS.items()}
