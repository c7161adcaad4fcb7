"""What the commands share: how they end, what they read, and how they write for people and for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nimmt.rules.game import AnyGame
from nimmt.rules.kit import events

# -- errors ------------------------------------------------------------------------------------------------------------
# How a command ends: its exit codes, and the error that carries one.

SUCCESS = 0
FAILURE = 1
"""The answer is no: a record that does not verify, an illegal action."""
WRONG_INPUT = 2
"""Wrong usage or input."""
CHOICE_MISSING = 3
INTERRUPTED = 130
PIPE_CLOSED = 141

EXIT_CODES = """\
exit codes:
  0  success
  1  check failed: a record that does not verify, an illegal action
  2  wrong usage or input
  3  a choice is missing (referee)
  130 interrupted, 141 the output was closed
"""


class CommandError(Exception):
    """Ends the command with a sentence for people, a code for programs and an exit code."""

    def __init__(self, sentence: str, exit_code: int = WRONG_INPUT, *, code: str = "usage") -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
        self.code = code


def did_you_mean(word: str, known: Iterable[str]) -> str:
    close = get_close_matches(word[:40], list(known), 1)
    return f"; did you mean {close[0]}?" if close else ""


# -- output ------------------------------------------------------------------------------------------------------------
# Writing for people and for programs. rich takes its time to import, so only what needs it does so.

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


clean = events.clean


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


# -- files -------------------------------------------------------------------------------------------------------------
# Reading what users point at.

MAX_BYTES = 64 * 2**20
"""The largest file that is read."""


def read_bytes(name: str, most: int = MAX_BYTES) -> bytes:
    """A file's content, or that of standard input for `-`."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(most + 1)
    except ValueError:  # a null in the name
        raise CommandError(f"{name!r:.80} is not a valid file name.", code="unreadable") from None
    if len(data) > most:
        raise CommandError(f"{title(name)} is larger than {most // 2**20} MB.", code="too_large")
    return data


def read_text(name: str) -> str:
    try:
        return read_bytes(name).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"{title(name)} is not valid UTF-8.", code="not_text") from None


def read_json(name: str) -> Any:
    import json

    try:
        return json.loads(read_text(name))
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{title(name)} is not JSON: {error}.", code="not_json") from None


def title(name: str) -> str:
    """What to call a file in a sentence."""
    return "Standard input" if name == "-" else clean(name)


# -- readiness ---------------------------------------------------------------------------------------------------------
# Strong bots think with machine code, which takes a minute to compile the first time: whoever waits is told.


def get_ready(game: AnyGame, bots: Iterable[str]) -> None:
    """Load or compile what these bots think with, before anybody waits for their first decision."""
    from nimmt.bots import is_compiled, warm_up

    if not any(is_compiled(bot, game.id) for bot in bots):
        return
    with compiling(game):
        warm_up(game.id)


@contextmanager
def compiling(game: AnyGame) -> Iterator[None]:
    """Tells people what they wait for, if something must be compiled meanwhile."""
    from nimmt.bots.levels import strength_of
    from nimmt.fast.jit import watch_compiling

    with _notice(game) as told, watch_compiling(strength_of(game).pieces, told):
        yield


@contextmanager
def _notice(game: AnyGame) -> Iterator[Callable[[int], None]]:
    """On standard error. What it yields is told how far the compiler is, in per cent, if it has anything to do."""
    from nimmt.clients.terminal.words import page_text, tr

    name = page_text(f"{game.id}:about.name") or game.name
    if sys.stderr.isatty():
        with _compiling_bar(name) as show:
            yield show
        return
    told = False

    def tell_once(percent: int) -> None:
        nonlocal told
        del percent
        if not told:
            told = True
            tell(tr("Compiling what the bots of {game} think with. This takes about a minute, once.", game=name))

    yield tell_once


@contextmanager
def _compiling_bar(name: str) -> Iterator[Callable[[int], None]]:
    """What is going on, and a bar below it with the time that has passed: side by side they do not fit into 80 columns
    in every language. Both are gone in the end. Only a compiler is waited for long enough to be told how far it is."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeElapsedColumn

    from nimmt.clients.terminal.words import tr

    class Bar(Progress):
        def get_renderables(self) -> Iterator[RenderableType]:
            for task in self.tasks:
                yield task.description
            yield self.make_tasks_table(self.tasks)

    columns = BarColumn(20), TaskProgressColumn(), TimeElapsedColumn()
    with Bar(*columns, console=console(stderr=True), transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(tr("Getting the bots of {game} ready", game=name), total=None)
        once = tr("Compiling the bots of {game}, once on this machine", game=name)
        yield lambda percent: progress.update(task, description=once, total=100, completed=percent)


def cores() -> int:
    """How many this process may use: containers often may use fewer than the machine has."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
