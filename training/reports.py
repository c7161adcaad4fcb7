"""Training reports: the logged lines, and plots of the figures in them."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from teaching import write_whole

sys.path.append(str(Path(__file__).resolve().parents[1] / "benches"))
from plot_results import as_svg

_AT = re.compile(r"(step|epoch|round) (\d+): ", re.IGNORECASE)
_FIGURE = re.compile(r"([A-Za-z][\w ]*?):? (-?\d[\d,]*(?:\.\d+)?)( ?%| bulls)?(?= ±|[,;.]|$)")
_AGAINST = re.compile(r"^(?:wins )?against three ")
UNITS = {"%": "per cent", "bulls": "bulls", "": "nats"}
"""Axis labels by the unit after a number. Log probabilities and entropy come without one: they are in nats."""


class Section(NamedTuple):
    """One training run in a report: its hyperparameters and its log."""

    name: str
    plan: object
    lines: Sequence[str]


class Curve(NamedTuple):
    name: str
    unit: str
    points: list[tuple[int, float]]


def curves(lines: Sequence[str]) -> list[Curve]:
    """The figures in these lines, by name. A line without a step number belongs to the last step named before it."""
    at, found = 0, defaultdict[tuple[str, str], list[tuple[int, float]]](list)
    for line in lines:
        text = line
        if begins := _AT.match(line):
            at, text = int(begins[2]), line[begins.end() :]
        for name, number, unit in _FIGURE.findall(text):
            found[_AGAINST.sub("", name), unit.strip()].append((at, float(number.replace(",", ""))))
    return [Curve(name, unit, points) for (name, unit), points in found.items()]


def draw(section: Section, unit: str) -> bytes:
    """One plot with all curves of this unit."""
    begins = next((found[1].lower() for line in section.lines if (found := _AT.match(line))), "step")

    def drawing(axes: Any) -> None:
        for curve in curves(section.lines):
            if curve.unit == unit:
                axes.plot(*zip(*curve.points, strict=True), "o-", ms=3, label=curve.name)
        axes.set_xlabel(begins)
        axes.set_ylabel(UNITS[unit])
        axes.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)

    wins = ": wins against three" if unit == "%" and any("against three" in line for line in section.lines) else ""
    return as_svg(drawing, f"{section.name}{wins}", "training")


def write_report(work: Path, title: str, sections: Sequence[Section]) -> Path:
    """Write `report.md` into the folder, and its plots beside it."""
    text = [f"# {title}"]
    for section in sections:
        text += [f"## {section.name}", f"`{section.plan}`", *_plots(work, section)]
        text.append("\n".join(f"- {line}" for line in section.lines))
    path = work / "report.md"
    write_whole(path, "\n\n".join(text) + "\n")
    return path


def _plots(work: Path, section: Section) -> list[str]:
    """Draw the plots and return links to them; without Matplotlib there are none."""
    if not find_spec("matplotlib"):
        return []
    links = []
    for unit in dict.fromkeys(curve.unit for curve in curves(section.lines)):
        name = f"{section.name}-{UNITS[unit]}.svg".replace(" ", "-")
        write_whole(work / name, draw(section, unit).decode())
        links.append(f"![{section.name}: {UNITS[unit]}]({name})")
    return links
