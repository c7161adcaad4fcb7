"""The page of settings lists exactly the settings there are."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_table_of_settings_is_current() -> None:
    script = runpy.run_path(str(DOCS / "make_settings.py"))
    assert (DOCS / "settings.md").read_text("utf-8") == script["page"](), "run docs/make_settings.py"
