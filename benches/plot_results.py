"""Draw the plots of benches/results.md from its own tables; part of `python3 dev.py generate`.

A comment `<!-- plot: NAME -->` before a table names its plot. The table is the only source of the figures, and a test
finds plots that are out of date.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

HERE = Path(__file__).parent
PAGE = HERE / "results.md"
PLOTS = HERE / "plots"
PARITY = 25
Row: TypeAlias = dict[str, str]

LEVELS = ("random", "newcomer", "casual", "club", "greedy", "expert", "master")


def tables(page: str) -> dict[str, list[Row]]:
    """The tables to draw, by plot name."""
    found: dict[str, list[Row]] = {}
    for name, block in re.findall(r"<!-- plot: ([\w-]+) -->\n+((?:\|.*\n)+)", page):
        head, _, *lines = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in block.splitlines()]
        found[name] = [dict(zip(head, line, strict=True)) for line in lines]
    return found


def number(text: str) -> float:
    """The first number of a cell: `72.3 % ± 1.3` and `2,000` too."""
    found = re.search(r"[\d,.]*\d", text)
    return float(found[0].replace(",", "")) if found else float("nan")


def interval(text: str) -> float:
    return number(text.split("±")[1]) if "±" in text else 0.0


# -- the plots -------------------------------------------------------------------------------------------------------


def six(rows: list[Row], axes: Any) -> None:
    """The Master of 6 nimmt! against three of a kind, beside what was aimed at and the strongest public bot."""
    places, green, red = range(len(rows)), "#3b7d4f", "#b5432a"
    wins, errors = [number(row["wins"]) for row in rows], [interval(row["wins"]) for row in rows]
    axes.bar(places, wins, 0.5, yerr=errors, capsize=4, color=green, label="Master")
    axes.hlines([number(row["aim"]) for row in rows], *_around(places), color=red, lw=3, label="aim")
    axes.plot(places, [number(row["public"]) for row in rows], "D", color="#333", label="strongest public bot")
    axes.set_xticks(places, [f"three {row['against three']}" for row in rows])
    axes.set_ylabel("wins, %")
    _parity(axes)


def seats(rows: list[Row], axes: Any) -> None:
    """The Master of 6 nimmt! at tables of two to ten, against equals of a kind."""
    numbers = [number(row["seats"]) for row in rows]
    for field in ("random", "greedy", "mc64"):
        wins, errors = [number(row[field]) for row in rows], [interval(row[field]) for row in rows]
        axes.errorbar(numbers, wins, errors, fmt="o-", capsize=3, label=f"against {field}")
    axes.plot(numbers, [100 / seats for seats in numbers], "--", color="#888", lw=1, label="parity")
    axes.set_xticks(numbers)
    axes.set_xlabel("seats")
    axes.set_ylabel("wins, %")
    axes.set_ylim(0)


def ladder(rows: list[Row], axes: Any) -> None:
    """How far each level is ahead of the level below."""
    games = list(dict.fromkeys(f"{row['game']}: {row['variant']}" for row in rows))
    axes.figure.set_size_inches(8, 1.5 + 0.32 * len(games))
    names = [name for name in LEVELS if any(row["bot"] == name for row in rows)]
    for index, name in enumerate(names):
        mine = [row for row in rows if row["bot"] == name]
        places = [games.index(f"{row['game']}: {row['variant']}") + 0.16 * (index - len(names) / 2) for row in mine]
        leads = [number(row["lead"]) * (-1 if row["lead"].startswith("-") else 1) for row in mine]
        axes.errorbar(
            leads, places, xerr=[interval(row["lead"]) for row in mine], fmt="o", capsize=2, label=name.title()
        )
    axes.axvline(0, color="#888", ls="--", lw=1)
    axes.set_yticks(range(len(games)), games)
    axes.invert_yaxis()
    axes.set_xlabel("share of wins over parity, percentage points")


def buffalo(rows: list[Row], axes: Any) -> None:
    """How often a team beats the buffalo."""
    seats = [number(row["seats"]) for row in rows]
    for level in (name for name in LEVELS if name in rows[0]):
        axes.plot(seats, [number(row[level]) for row in rows], "o-", label=level.title())
    axes.set_xticks(seats)
    axes.set_xlabel("seats")
    axes.set_ylabel("the team wins, %")


def server(rows: list[Row], axes: Any) -> None:
    """From an action to everyone's event, by the number of tables on one core."""
    for database in dict.fromkeys(row["database"] for row in rows):
        mine = [row for row in rows if row["database"] == database and row["workers"] == "1"]
        open_tables, delays = [number(row["tables"]) for row in mine], [number(row["p99 ms"]) for row in mine]
        axes.plot(open_tables, delays, "o-", label=database)
    axes.axhline(100, color="#b5432a", ls="--", lw=1)
    axes.set_xlabel("tables with five seats, on one core")
    axes.set_ylabel("p99 from action to everyone, ms")


def speed(rows: list[Row], axes: Any) -> None:
    """Rounds a second of the fast core."""
    for index, policy in enumerate(("random", "greedy")):
        places = [place + 0.2 - 0.4 * index for place in range(len(rows))]
        axes.barh(places, [number(row[policy]) for row in rows], 0.38, label=f"{policy} players")
    axes.set_yticks(range(len(rows)), [row["game"] for row in rows])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("rounds a second on one core")


def envs(rows: list[Row], axes: Any) -> None:
    """Agent steps a second of environments, four seats, on one core."""
    kinds = ("batch", "all at once", "seat by seat")
    colours = dict(zip(kinds, ("#3b7d4f", "#3f6fa3", "#8a5aa8"), strict=True))
    for index, kind in enumerate(kinds):
        places = [place + 0.26 * (index - 1) for place in range(len(rows))]
        now = [number(row[kind]) for row in rows]
        axes.barh(places, now, 0.24, color=colours[kind], label="batch" if kind == "batch" else f"PettingZoo, {kind}")
        if kind != "batch":
            axes.plot([number(row[f"{kind}, before"]) for row in rows], places, "D", color="#333", ms=4, ls="")
    for place, row in enumerate(rows):
        axes.vlines(number(row["aim"]), place - 0.4, place - 0.12, color="#b5432a", lw=3)
    axes.plot([], [], color="#b5432a", lw=3, label="aim for batches")
    axes.plot([], [], "D", color="#333", ms=4, ls="", label="PettingZoo, before")
    axes.set_yticks(range(len(rows)), [row["game"] for row in rows])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlim(1000)
    axes.set_xlabel("agent steps a second")


def _around(places: range) -> tuple[list[float], list[float]]:
    """A little to the left and to the right."""
    return [place - 0.3 for place in places], [place + 0.3 for place in places]


def _parity(axes: Any) -> None:
    axes.axhline(PARITY, color="#888", ls="--", lw=1)
    axes.set_ylim(0)


DRAWINGS: dict[str, Callable[[list[Row], Any], None]] = {
    "six": six,
    "seats": seats,
    "ladder": ladder,
    "buffalo": buffalo,
    "server": server,
    "speed": speed,
    "envs": envs,
}


def draw(name: str, rows: list[Row]) -> bytes:
    drawing = DRAWINGS[name]
    return as_svg(lambda axes: drawing(rows, axes), (drawing.__doc__ or "").strip(), mark(rows))


def as_svg(drawing: Callable[[Any], None], title: str, description: str) -> bytes:
    """A plot; training draws its curves with this, too."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    out = io.BytesIO()
    # The same numbers give the same file: neither the date nor a random number may be in it.
    with rc_context({"svg.hashsalt": "nimmt", "font.size": 10}):
        figure = Figure(figsize=(8, 4), layout="constrained")
        axes = figure.add_subplot()
        drawing(axes)
        axes.set_title(title, fontsize=10, loc="left")
        axes.spines[["top", "right"]].set_visible(False)
        figure.legend(frameon=False, loc="outside right center")
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Description": description})
    return out.getvalue()


def mark(rows: list[Row]) -> str:
    """Is in the file, and says which figures it was drawn from."""
    return f"figures {sha256(json.dumps(rows).encode()).hexdigest()[:16]}"


def plots() -> dict[Path, str]:
    """All plots by their file. Those of these figures stay: another version of Matplotlib draws them differently."""
    made = {}
    for name, rows in tables(PAGE.read_text("utf-8")).items():
        path = PLOTS / f"{name}.svg"
        kept = path.read_text("utf-8") if path.exists() else ""
        made[path] = kept if mark(rows) in kept else draw(name, rows).decode()
    return made
