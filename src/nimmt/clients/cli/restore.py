"""Put everything that a backup holds into a database, of whatever kind.

It must be empty, or it is replaced with --force. If the file is not as it was written nothing is changed. Stop the
server before: what it remembers would not fit any more.
"""

from __future__ import annotations

import argparse

from nimmt.clients.cli.backup import add_copying_arguments, carry_out, database_from, told
from nimmt.clients.cli.common import SUCCESS, print_json
from nimmt.clients.cli.flags import Parser

EXAMPLES = """\
examples:
  nimmt restore monday.nimmt
  nimmt restore monday.nimmt --database postgresql://nimmt@db/nimmt
  nimmt restore monday.nimmt --database club.db --force
"""


def configure(parser: Parser) -> None:
    add_copying_arguments(parser, "a file that nimmt backup has written", "replace everything that is in the database")
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    from nimmt.store.backup import restore

    database = database_from(args)
    count = carry_out(lambda progress: restore(args.file, database, force=args.force, progress=progress))
    if args.json:
        print_json({"file": args.file, "count": count})
    else:
        print(f"Restored {told(count)}.")
    return SUCCESS
