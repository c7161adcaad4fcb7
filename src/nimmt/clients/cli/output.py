"""Writing for people and for programs. rich takes its time to import, so only what needs it does so."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


def clean(text: str) -> str:
    """Text from outside, without what would command a terminal."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in text)


def tell(sentence: str) -> None:
    """Something that people should know, on standard error."""
    print(f"nimmt: {clean(sentence)}", file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    """Any value of the library or plain data, as JSON on standard output."""
    import json

    import msgspec

    print(json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=2))


def can_print(text: str) -> bool:
    """Whether standard output knows these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def console(*, stderr: bool = False) -> Console:
    """A console of rich, which takes its time to import: ask for it only when something will be drawn."""
    from rich.console import Console

    class PipeConsole(Console):
        def on_broken_pipe(self) -> None:
            raise  # noqa: PLE0704  # main knows what to do

    return PipeConsole(stderr=stderr, highlight=False)


def paint(*parts: str | tuple[str, str], end: str = "\n") -> None:
    """Text on standard output, some of it in a style; plain, and without the cost of rich, if nobody looks."""
    if not sys.stdout.isatty():
        print(*(part if isinstance(part, str) else part[0] for part in parts), sep="", end=end)
        return
    from rich.text import Text

    console().print(Text.assemble(*parts), soft_wrap=True, end=end)


def draw(*renderables: RenderableType) -> None:
    """Anything of rich, one below the other. What is not shown on a terminal gets no colours and no trailing blanks."""
    out = console()
    with out.capture() as capture:
        for renderable in renderables:
            out.print(renderable)
    lines = capture.get().split("\n")
    print("\n".join(lines if out.is_terminal else map(str.rstrip, lines)), end="")


@contextmanager
def progress_bar(label: str, total: int, at_first: str | None = None) -> Iterator[Callable[[], None]]:
    """A bar for people who watch; what it yields is called once for each thing done. `at_first` is its label until
    then, where the first one needs something that takes a while."""
    if total < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn()
    # Standard output stays what it is: with a redirection it is not the terminal that the bar is on.
    with Progress(*columns, console=console(stderr=True), transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(at_first or label, total=total)
        yield lambda: progress.update(task, description=label, advance=1)
