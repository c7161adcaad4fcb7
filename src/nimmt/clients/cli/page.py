"""How a story lies on the page: headings, turns with their number in the margin, lines that are not too long."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

from nimmt.clients.cli.common import can_print, console
from nimmt.rules.game import Event

if TYPE_CHECKING:
    from rich.console import Console

MARGIN = 5
WIDEST = 100
NAME_STYLES = ("cyan", "yellow", "green", "magenta", "blue", "red")


class Page:
    """Prints at once, in colours if people look and plainly if not."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.width = max(40, min(shutil.get_terminal_size().columns, WIDEST))
        # Standard output that is no terminal needs none of rich.
        self.console: Console | None = console() if sys.stdout.isatty() else None

    def title(self, what: str, who: str) -> None:
        self._print(what, "bold")
        for line in wrap(who, self.width):
            self._print(line)

    def round(self, number: int) -> None:
        line = "─" if can_print("─") else "-"
        self._print("")
        self._print(f"Round {number} ".ljust(self.width, line), "bold")

    def turn(self, number: int, events: Sequence[Event]) -> None:
        """What happened in a turn, its number in the margin; 0 is what comes before the first."""
        label = f"{number:>{MARGIN - 2}}  " if number else ""
        self._print("")
        for told, minor in sentences(events, self.names):
            for line in told.splitlines():
                for part in wrap(line, self.width - MARGIN, break_on_hyphens=False):
                    self._print(f"{label:<{MARGIN}}{part}", "dim" if minor else "")
                    label = ""

    def _print(self, line: str, style: str = "") -> None:
        if self.console is None:
            print(line)
            return
        from rich.text import Text

        text = Text(line, style)
        if style != "bold":
            for seat, name in enumerate(self.names):
                text.highlight_words([name], NAME_STYLES[seat % len(NAME_STYLES)])
            text.highlight_regex(r"\(\d+ bulls?\b[^)]*\)", "bold red")
            text.highlight_regex(r"^ *\d+  (?=\S)", "bold")
        self.console.print(text, soft_wrap=True)


def sentences(events: Sequence[Event], names: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Each event as it is told, and whether it is of less weight. Little things of the same kind share a line."""
    for kind, alike in groupby(events, key=_kind):
        told = [event.tell(names) for event in alike]
        secret = kind.seen_by is not Event.seen_by
        if "\n" not in told[0] and (secret or len(kind.__struct_fields__) == 1):
            yield " ".join(told), secret
        else:
            yield from ((text, False) for text in told)


def _kind(event: Event) -> type[Event]:
    return type(event)
