"""Write everything that a server keeps to one file, while it is running.

The file is whole and as of one moment, whatever happens meanwhile. It can be restored to any kind of database. It holds
secrets, so only you may read it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nimmt.clients.cli.common import FAILURE, SUCCESS, CommandError, clean, console, print_json, tell
from nimmt.clients.cli.flags import Parser, add_json_argument

# -- copying -----------------------------------------------------------------------------------------------------------
# What `backup` and `restore` share: which database, a bar for people who watch, and errors in plain words.

if TYPE_CHECKING:
    from nimmt.store.backup import Progress
    from nimmt.store.contract import Count


def add_database_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--database", metavar="DB", help="a file for SQLite or a postgresql:// address (default: that of the settings)"
    )
    parser.add_argument("--settings", type=Path, metavar="FILE", help="a TOML file with settings, as for nimmt serve")


def add_copying_arguments(parser: Parser, file: str, force: str) -> None:
    """`file` and `force` say what these two mean."""
    parser.add_argument("file", metavar="FILE", help=file)
    add_database_arguments(parser)
    parser.add_argument("--force", action="store_true", help=force)
    add_json_argument(parser)


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
    from nimmt.store.contract import InUse, NotEmpty, StoreError, Unavailable

    try:
        with _bar() as progress:
            return asyncio.run(copying(progress))
    except NotEmpty as error:
        raise CommandError(f"{error} --force replaces all of it.", FAILURE, code="not_empty") from None
    except BackupError as error:
        raise CommandError(str(error), FAILURE, code="spoilt_backup") from None
    except InUse as error:
        raise CommandError(str(error), FAILURE, code="in_use") from None
    except Unavailable as error:
        raise CommandError(str(error), FAILURE, code="unavailable") from None
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


# -- backup ------------------------------------------------------------------------------------------------------------

EXAMPLES = """\
examples:
  nimmt backup monday.nimmt
  nimmt backup monday.nimmt --database postgresql://nimmt@db/nimmt
  NIMMT_DATABASE=club.db nimmt backup monday.nimmt --force
"""


def configure(parser: Parser) -> None:
    add_copying_arguments(parser, "the file to write", "overwrite the file if it exists")
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    from nimmt.store.backup import backup

    database = database_from(args)
    try:
        count = carry_out(lambda progress: backup(database, args.file, overwrite=args.force, progress=progress))
    except FileExistsError:
        raise CommandError(f"{clean(args.file)} already exists; --force overwrites it.", code="exists") from None
    size = Path(args.file).stat().st_size
    if args.json:
        print_json({"file": args.file, "bytes": size, "count": count})
    else:
        print(f"{clean(args.file)} holds {told(count)} ({size:,} bytes).")
    return SUCCESS
