"""How far training is: a bar with the time that has passed and what is left on a terminal, plain lines elsewhere."""

from __future__ import annotations

import atexit
from typing import Any

_now: dict[str, Any] = {}
"""The bar that is shown, if any: its name, rich's `Progress` and the number of its task."""


def tell(name: str, done: int, due: int, line: str = "") -> None:
    """So much of it is done. A line is worth keeping, as it says what has come of it so far."""
    from rich.console import Console

    if not Console().is_terminal:
        if line:
            print(f"{name:8} [{'#' * (20 * done // due):20}] {line}", flush=True)
        return
    bar = _bar(name)
    if line:
        bar.console.print(f"{name}: {line}", highlight=False, markup=False)
    bar.update(_now["task"], completed=done, total=due)
    if done >= due:
        stop()


def _bar(name: str) -> Any:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    if _now.get("name") != name:
        stop()
        times = TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn()
        bar = Progress(TextColumn("{task.description}"), BarColumn(None), MofNCompleteColumn(), *times)
        bar.start()
        _now.update(name=name, bar=bar, task=bar.add_task(name, total=None))
    return _now["bar"]


@atexit.register
def stop() -> None:
    """Leave the bar as it is; what follows begins below it."""
    if _now:
        _now["bar"].stop()
        _now.clear()
