"""Training progress: a bar with elapsed and remaining time on a terminal, plain lines elsewhere."""

from __future__ import annotations

import atexit
from typing import Any

_now: dict[str, Any] = {}
"""The current bar, if any: its name, rich's `Progress` and the task id."""


def tell(name: str, done: int, due: int, line: str = "") -> None:
    """Update the bar; `line` stays on the screen, for intermediate results."""
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
    """Freeze the bar, so that further output starts below it."""
    if _now:
        _now["bar"].stop()
        _now.clear()
