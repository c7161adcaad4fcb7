"""Write everything that a server keeps to one file, while it is running.

The file is whole and as of one moment, whatever happens meanwhile. It can be restored to any kind of database. It holds
secrets, so only you may read it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nimmt.clients.cli.common import FINE, CommandError, add_json_argument, clean, print_json
from nimmt.clients.cli.copying import add_database_arguments, carry_out, database_from, told

EXAMPLES = """\
examples:
  nimmt backup monday.nimmt
  nimmt backup monday.nimmt --database postgresql://nimmt@db/nimmt
  NIMMT_DATABASE=club.db nimmt backup monday.nimmt --force
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the file to write")
    add_database_arguments(parser)
    parser.add_argument("--force", action="store_true", help="overwrite the file if there is one")
    add_json_argument(parser)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    from nimmt.store.backup import backup

    database = database_from(args)
    try:
        count = carry_out(lambda progress: backup(database, args.file, overwrite=args.force, progress=progress))
    except FileExistsError:
        raise CommandError(f"There is {clean(args.file)} already; --force overwrites it.", code="exists") from None
    size = Path(args.file).stat().st_size
    if args.json:
        print_json({"file": args.file, "bytes": size, "count": count})
    else:
        print(f"{clean(args.file)} holds {told(count)} ({size:,} bytes).")
    return FINE
