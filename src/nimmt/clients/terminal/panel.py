"""Who sits at the table and how they stand, beside the board; and the sheet with the points of all rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from nimmt.clients.terminal.pieces import QUIET, STRONG, fit
from nimmt.rules.game import Rows
from nimmt.rules.kit.scoring import totals

WAITED_FOR, NEXT, NOBODY = "…", "►", " "
CHOSEN = "■"
"""A card that lies face down."""


class Line(NamedTuple):
    """One seat: a mark, the name, a short cell for each heading, and what is said below it."""

    mark: str
    name: str
    cells: tuple[str, ...]
    own: bool = False
    tail: str = ""
    """The last cell: as much of it as there is room for."""
    below: str = ""


class Panel(NamedTuple):
    headings: tuple[str, ...]
    """One for the names, one for each cell and one for the tail."""
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    def told(self) -> list[str]:
        told = []
        for line in self.lines:
            cells = [f"{head} {cell}".strip() for head, cell in zip(self.headings[1:-1], line.cells, strict=True)]
            cells = [cell for cell, shown in zip(cells, line.cells, strict=True) if shown not in ("", CHOSEN)]
            if line.tail:
                cells.append(f"{self.headings[-1]} {line.tail}".strip())
            waiting = ["to decide"] if line.mark == WAITED_FOR else ["next"] if line.mark == NEXT else []
            told.append(f"  {line.name}: {', '.join([*cells, *waiting])}" if cells or waiting else f"  {line.name}")
            if line.below:
                told.append(f"    {line.below}")
        return [*told, *(f"  {note}" for note in self.notes)]

    def draw(self, width: int) -> list[Text]:
        widths = self._widths(width)
        lines = [fit(self._row(NOBODY, self.headings, widths), width, pad=False)]
        lines[0].stylize(QUIET)
        for line in self.lines:
            row = self._row(line.mark, (line.name, *line.cells, line.tail), widths)
            if line.own:
                row.stylize(STRONG, 0, 2 + widths[0])
            if line.mark != NOBODY:
                row.stylize("bold yellow", 0, 1)
            lines.append(fit(row, width, pad=False))
            if line.below:
                lines.append(fit(Text(f"    {line.below}", QUIET), width, pad=False))
        return [*lines, *(fit(f"  {note}", width, pad=False) for note in self.notes)]

    def _widths(self, width: int) -> list[int]:
        rows = [self.headings, *((line.name, *line.cells, line.tail) for line in self.lines)]
        widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
        # Names give way to numbers, and the tail to all.
        numbers = sum(widths[1:-1]) + len(widths[1:-1]) + 3
        widths[0] = max(4, min(widths[0], 16, width - numbers))
        return widths

    @staticmethod
    def _row(mark: str, cells: Sequence[str], widths: Sequence[int]) -> Text:
        row = Text(f"{mark} ")
        row.append_text(fit(cells[0], widths[0]))
        for cell, room in zip(cells[1:-1], widths[1:-1], strict=True):
            row.append(f" {' ' * (room - cell_len(cell))}{cell}")
        return row.append(f"  {cells[-1]}" if cells[-1] else "")


def sheet(names: Sequence[str], scores: Rows, width: int, noun: str = "round") -> list[str]:
    """The points of all seats in all finished rounds, a line for each round."""
    if not scores:
        return [f"No {noun} is finished yet."]
    first = max(len(f"{noun} {len(scores)}"), len("in all"))
    each = max(4, min(12, (width - first) // len(names) - 1))
    lines = [_sheet_line("", [fit(name, each, pad=False).plain for name in names], first, each)]
    for number, points in enumerate(scores, 1):
        lines.append(_sheet_line(f"{noun} {number}", points, first, each))
    return [*lines, _sheet_line("in all", totals(scores, len(names)), first, each)]


def _sheet_line(label: str, cells: Sequence[object], first: int, each: int) -> str:
    shown = [str(cell) for cell in cells]
    return f"{label:<{first}}" + "".join(f" {' ' * (each - cell_len(cell))}{cell}" for cell in shown)
