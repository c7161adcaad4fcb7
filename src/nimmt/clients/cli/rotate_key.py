"""Sign the cookies of guests with a new key from now on, while servers are running or not.

Cookies of the old key are good for some days, and signed anew when their guests come back. If the old key has become
known to somebody, --keep-days 0 ends all of them at once: then everybody has to come in anew.
"""

from __future__ import annotations

import argparse
import asyncio

from nimmt.clients.cli.backup import add_database_arguments, database_from
from nimmt.clients.cli.common import FAILURE, SUCCESS, CommandError
from nimmt.clients.cli.flags import Parser

EXAMPLES = """\
examples:
  nimmt rotate-key --database club.db
  nimmt rotate-key --database postgresql://nimmt@db/nimmt --keep-days 7
"""


def configure(parser: Parser) -> None:
    add_database_arguments(parser)
    parser.add_argument(
        "--keep-days",
        type=int,
        default=30,
        metavar="N",
        help="days for which cookies signed with the old key stay valid (default: 30; 0 ends them now)",
    )
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    from nimmt.store.contract import StoreError

    if not 0 <= args.keep_days <= 400:
        raise CommandError("--keep-days must be a whole number from 0 to 400.")
    database = database_from(args)
    if database == "memory":
        raise CommandError("An in-memory database belongs to its server; no other process can reach it.")
    try:
        asyncio.run(_rotate(database, args.keep_days))
    except StoreError as error:
        raise CommandError(str(error), FAILURE, code="database") from None
    if args.keep_days:
        print(f"There is a new key. Cookies signed with the old one stay valid for {args.keep_days} days.")
    else:
        print("There is a new key. Cookies signed with the old one are no longer valid.")
    return SUCCESS


async def _rotate(database: str, keep_days: int) -> None:
    from nimmt.server.people.keys import rotate
    from nimmt.server.people.sessions import announce
    from nimmt.store.contract import make_store

    store = make_store(database)
    await store.open()
    try:
        await rotate(store, keep_days)
        await announce(store)
    finally:
        await store.close()
