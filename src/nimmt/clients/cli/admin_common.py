"""What the actions of `nimmt admin` share: what one is, asking before something is lost, tables of rich, times."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple

from nimmt.clients.cli.common import FAILURE, CommandError, clean, console, draw, print_json

if TYPE_CHECKING:
    from nimmt.server.people.admin import Office


class Kind(Enum):
    SHOWS = auto()
    CHANGES = auto()
    DESTROYS = auto()
    """Nobody can undo it: it asks first."""
    ASKS = auto()
    """Its answer is a document of its own."""


class Action(NamedTuple):
    name: str
    summary: str
    kind: Kind
    examples: str
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Office, argparse.Namespace], Awaitable[None]]


def nothing_more(parser: argparse.ArgumentParser) -> None:
    del parser


def add_full(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--full", action="store_true", help="full ids; anyone who knows the id of a table can come in")


def shown_id(some_id: str, full: bool) -> str:
    from nimmt.server.people.admin import short

    return some_id if full else short(some_id)


def when(at: int | None) -> str:
    return "" if at is None else f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S}"


def day(at: int | None) -> str:
    return when(at)[:10]


def confirm(args: argparse.Namespace, question: str) -> None:
    """Raises `CommandError` unless the answer is yes."""
    if args.yes:
        return
    if not sys.stdin.isatty():
        raise CommandError(f"{question} There is no terminal to confirm on: pass --yes.", FAILURE, code="not_confirmed")
    print(f"{clean(question)} [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise CommandError("Nothing was done.", FAILURE, code="not_confirmed")


def say(args: argparse.Namespace, sentence: str, **facts: Any) -> None:
    """What was done: a sentence for people, facts for programs."""
    if args.json:
        print_json({"done": args.action, **facts})
    else:
        print(clean(sentence))


def show(
    args: argparse.Namespace,
    found: Sequence[dict[str, Any]],
    columns: Iterable[tuple[str, Callable[[dict[str, Any]], str]]],
    nothing: str,
) -> None:
    """A list: as JSON, or as a table with these columns."""
    if args.json:
        print_json(found)
        return
    if not found:
        print(nothing)
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    columns = list(columns)
    table = Table(box=box.SIMPLE_HEAD if console().is_terminal else None, pad_edge=False)
    for heading, _ in columns:
        # Ids are to be copied; of the rest a narrow terminal shows what it can.
        table.add_column(heading, no_wrap=heading == "id", overflow="fold")
    for row in found:
        table.add_row(*(Text(clean(write(row))) for _, write in columns))
    draw(table)
