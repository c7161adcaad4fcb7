"""The plots in benches/results.md are those of the figures in benches/results.md."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

BENCHES = Path(__file__).parents[2] / "benches"


def load() -> Any:
    spec = importlib.util.spec_from_file_location("plot_results", BENCHES / "plot_results.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLOTS = load()
PAGE = PLOTS.PAGE.read_text()
TABLES = PLOTS.tables(PAGE)


def test_every_drawing_has_a_table_and_is_shown() -> None:
    assert set(TABLES) == set(PLOTS.DRAWINGS)
    assert all(f"(plots/{name}.svg)" in PAGE for name in TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_a_plot_was_drawn_from_the_figures_on_the_page(name: str) -> None:
    kept = (PLOTS.PLOTS / f"{name}.svg").read_text()
    assert PLOTS.mark(TABLES[name]) in kept, "python benches/plot_results.py draws it again"


def test_numbers_are_read_as_they_are_written() -> None:
    assert PLOTS.number("72.3 % ± 1.3") == 72.3
    assert PLOTS.interval("72.3 % ± 1.3") == 1.3
    assert PLOTS.number("2,000") == 2000
    assert PLOTS.interval("12 %") == 0
    assert PLOTS.number("–") != PLOTS.number("–"), "no number"
