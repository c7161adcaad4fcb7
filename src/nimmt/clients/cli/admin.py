"""Look after a server on its database, beside the processes that serve: tables, people, bans, reports.

Nothing needs to be stopped: servers notice at once, or within seconds. What is done is written to a log that 'nimmt
admin log' shows. Ids are shown in short, and enough of one to be unique is accepted everywhere.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from nimmt.clients.cli import admin_people, admin_tables
from nimmt.clients.cli.admin_common import Action, Kind
from nimmt.clients.cli.backup import add_database_arguments, database_from
from nimmt.clients.cli.common import EXIT_CODES, FAILURE, SUCCESS, CommandError
from nimmt.clients.cli.flags import Parser, add_json_argument

if TYPE_CHECKING:
    from nimmt.server.people.admin import Office

ACTIONS: tuple[Action, ...] = (*admin_tables.ACTIONS, *admin_people.ACTIONS)

EXAMPLES = """\
examples:
  nimmt admin load --database club.db
  nimmt admin tables --phase playing
  nimmt admin watch t4xQ
  nimmt admin remove-message t4xQ 17
  nimmt admin ban Yw9f --for 3d --reason "insults"
  nimmt admin ban 203.0.113.7 --for 12h
  nimmt admin reports
"""


def configure(parser: Parser) -> None:
    commands = parser.add_subparsers(
        dest="action", required=True, metavar="ACTION", parser_class=cast(type[Parser], _parser)
    )
    for action in ACTIONS:
        sub = commands.add_parser(action.name, help=action.summary)
        sub.description = f"{action.summary[:1].upper()}{action.summary[1:]}."
        sub.epilog = f"examples:\n{action.examples}\n{EXIT_CODES}"
        action.configure(sub)
        add_database_arguments(sub)
        if action.kind is not Kind.ASKS:
            add_json_argument(sub)
        if action.kind is Kind.DESTROYS:
            sub.add_argument("--yes", action="store_true", help="do not ask for confirmation, for scripts")
    parser.epilog = EXAMPLES


def _parser(*, prog: str, **_: object) -> Parser:
    return Parser(prog)


def run(args: argparse.Namespace) -> int:
    (action,) = [action for action in ACTIONS if action.name == args.action]
    database = database_from(args)
    if database == "memory":
        raise CommandError("An in-memory database belongs to its server; no other process can reach it.")
    if "://" not in database and not Path(database).exists():
        raise CommandError(f"There is no database {database}. --database or --settings says which one.", FAILURE)
    return asyncio.run(_carry_out(database, action.run, args))


async def _carry_out(
    database: str, run: Callable[[Office, argparse.Namespace], Awaitable[None]], args: argparse.Namespace
) -> int:
    from nimmt.server.http.errors import Refused
    from nimmt.server.people.admin import NoSuch, Office
    from nimmt.store.contract import StoreError, make_store

    try:
        async with Office(make_store(database)) as office:
            await run(office, args)
    except NoSuch as error:
        raise CommandError(str(error), FAILURE, code="no_such") from None
    except Refused as error:
        raise CommandError(str(error), FAILURE, code=error.code) from None
    except StoreError as error:
        raise CommandError(str(error), FAILURE, code="database") from None
    return SUCCESS
