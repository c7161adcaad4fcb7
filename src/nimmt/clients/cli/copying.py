"""What `backup` and `restore` share: which database, a bar for people who watch, and errors in plain words."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nimmt.clients.cli.common import NO, CommandError, console, tell

if TYPE_CHECKING:
    from nimmt.store.backup import Progress
    from nimmt.store.rows import Count


def add_database_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--database", metavar="DB", help="a file for SQLite or a postgresql:// address (default: that of the settings)"
    )
    parser.add_argument("--settings", type=Path, metavar="FILE", help="a TOML file with settings, as for nimmt serve")


def database_from(args: argparse.Namespace) -> str:
    """As `nimmt serve` finds it: the flag, the environment, the file, the default."""
    from nimmt.server.settings import InvalidSettings, load

    try:
        return load({"database": args.database}, file=args.settings, warn=tell).database
    except InvalidSettings as error:
        raise CommandError(str(error), code="invalid_settings") from None


def carry_out(copying: Callable[[Progress], Coroutine[Any, Any, Count]]) -> Count:
    """Run it under a bar; what the store refuses becomes a sentence."""
    from nimmt.store.backup import BackupError
    from nimmt.store.contract import NotEmpty, StoreError, Unavailable
    from nimmt.store.leases import InUse

    try:
        with _bar() as progress:
            return asyncio.run(copying(progress))
    except NotEmpty as error:
        raise CommandError(f"{error} --force replaces all of it.", NO, code="not_empty") from None
    except BackupError as error:
        raise CommandError(str(error), NO, code="spoilt_backup") from None
    except InUse as error:
        raise CommandError(str(error), NO, code="in_use") from None
    except Unavailable as error:
        raise CommandError(str(error), NO, code="unavailable") from None
    except StoreError as error:
        raise CommandError(str(error), code="database") from None


@contextmanager
def _bar() -> Iterator[Progress]:
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console(stderr=True), transient=True, redirect_stdout=False) as progress:
        task = progress.add_task("", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def told(count: Count) -> str:
    tables = _some(count.tables, "table", "tables")
    entries = _some(count.entries, "entry", "entries")
    return f"{tables} with {entries}, and {_some(count.documents, 'document', 'documents')}"


def _some(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
