"""Strong bots think with machine code, which takes a minute to compile the first time: whoever waits is told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from nimmt.clients.cli.output import console, tell
from nimmt.rules.game import AnyGame


def get_ready(game: AnyGame, bots: Iterable[str]) -> None:
    """Load or compile what these bots think with, before anybody waits for their first decision."""
    from nimmt.bots import is_compiled, warm_up

    if not any(is_compiled(bot, game.id) for bot in bots):
        return
    from nimmt.fast.jit import watch_compiling

    with _notice(game) as compiles, watch_compiling(compiles):
        warm_up(game.id)


@contextmanager
def _notice(game: AnyGame) -> Iterator[Callable[[], None]]:
    """On standard error. What it yields is called for every part that must be compiled."""
    if sys.stderr.isatty():
        with _spinner(f"Getting the bots of {game.name} ready") as count:
            yield count
        return
    told = False

    def tell_once() -> None:
        nonlocal told
        if not told:
            told = True
            tell(f"Compiling what the bots of {game.name} think with. This takes about a minute, once.")

    yield tell_once


@contextmanager
def _spinner(label: str) -> Iterator[Callable[[], None]]:
    """A line that lives until it is done, with the time that has passed and the parts that were compiled."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console(stderr=True), transient=True, redirect_stdout=False) as progress:
        task, parts = progress.add_task(label, total=None), 0

        def count() -> None:
            nonlocal parts
            parts += 1
            progress.update(task, description=f"{label}: compiling, once on this machine, part {parts}")

        yield count
