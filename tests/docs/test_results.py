"""The plots in benches/results.md can be drawn from the figures in benches/results.md."""

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


def test_a_plot_is_drawn_again_when_its_figures_change(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    name = "speed"
    page = tmp_path / "results.md"
    page.write_text(f"<!-- plot: {name} -->\n\n| game | random | greedy |\n|---|---|---|\n| six | 3 | 2 |\n", "utf-8")
    monkeypatch.setattr(PLOTS, "PAGE", page)
    monkeypatch.setattr(PLOTS, "PLOTS", tmp_path)
    ((path, drawn),) = PLOTS.plots().items()
    assert path == tmp_path / "speed.svg"
    # Drawn by another version of Matplotlib, but from the same figures.
    path.write_text(drawn.replace("<svg", "<svg class='other'"), "utf-8")
    assert PLOTS.plots()[path] == path.read_text("utf-8")
    page.write_text(page.read_text("utf-8").replace("| 3 |", "| 4 |"), "utf-8")
    assert PLOTS.mark(PLOTS.tables(page.read_text("utf-8"))[name]) in PLOTS.plots()[path]


def test_numbers_are_read_as_they_are_written() -> None:
    assert PLOTS.number("72.3 % ± 1.3") == 72.3
    assert PLOTS.interval("72.3 % ± 1.3") == 1.3
    assert PLOTS.number("2,000") == 2000
    assert PLOTS.interval("12 %") == 0
    assert PLOTS.number("–") != PLOTS.number("–"), "no number"
