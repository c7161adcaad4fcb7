"""The actions of `nimmt admin` on tables, and how much there is to do."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import msgspec

from nimmt.clients.cli.admin_common import Action, Kind, add_full, confirm, nothing_more, say, show, shown_id, when
from nimmt.clients.cli.common import clean, print_json
from nimmt.clients.cli.flags import whole_number

if TYPE_CHECKING:
    from nimmt.server.people.admin import Office
    from nimmt.server.tables import messages as m
    from nimmt.server.tables.table import Table


def _table_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help="the id of a table, or its beginning")


# -- load -------------------------------------------------------------------------------------------------------------


async def _load(office: Office, args: argparse.Namespace) -> None:
    found = await office.overview()
    if args.json:
        print_json(found)
        return
    print(f"tables: {', '.join(f'{number} {phase}' for phase, number in found.tables.items())}")
    print(f"guests: {found.guests}, bans: {found.bans}, open reports: {found.open_reports}")
    show(
        args,
        [msgspec.to_builtins(load) for load in found.processes],
        (
            ("host", lambda row: row["host"]),
            ("process", lambda row: str(row["pid"])),
            ("since", lambda row: when(row["started"])),
            ("connections", lambda row: str(row["sockets"])),
            ("tables", lambda row: str(row["tables"])),
            ("bots waiting", lambda row: str(row["bot_queue"])),
            ("peak MB", lambda row: str(row["peak_mb"] or "")),
        ),
        "No server uses this database now.",
    )


# -- lists ------------------------------------------------------------------------------------------------------------


def _configure_tables(parser: argparse.ArgumentParser) -> None:
    phases = ("waiting", "playing", "over", "closed")
    parser.add_argument("--phase", choices=phases, action="append", help="only these (default: waiting and playing)")
    parser.add_argument("--limit", type=whole_number(1, 10**6), default=50, metavar="N", help="how many (default: 50)")
    add_full(parser)


async def _tables(office: Office, args: argparse.Namespace) -> None:
    found = await office.list_tables(args.phase or ("waiting", "playing"), args.limit)
    show(
        args,
        [msgspec.to_builtins(table) | {"id": shown_id(table.id, args.full)} for table in found],
        (
            ("id", lambda row: row["id"]),
            ("game", lambda row: row["game"]),
            ("phase", lambda row: row["phase"]),
            ("public", lambda row: "yes" if row["public"] else "no"),
            ("seats", lambda row: ", ".join(name or "–" for name in row["seats"])),
            ("last change (UTC)", lambda row: when(row["updated"])),
        ),
        "There are no such tables.",
    )


# -- one table --------------------------------------------------------------------------------------------------------


def _configure_watch(parser: argparse.ArgumentParser) -> None:
    _table_argument(parser)
    parser.add_argument("--once", action="store_true", help="print what has happened so far, then exit")
    parser.add_argument("--after", type=whole_number(0, 2**31), default=0, metavar="N", help="only after message N")
    add_full(parser)


async def _watch(office: Office, args: argparse.Namespace) -> None:
    from nimmt.server.tables import projection

    table_id, told = await office.find_table(args.table), args.after
    if not args.json:
        _introduce(await office.tables.load(table_id), args.full)
    async for table in office.follow(table_id, told):
        for update in projection.updates(table, None, told, table.version):
            _tell(args, update)
            told = update.n
        if args.once:
            return


def _introduce(table: Table, full: bool) -> None:
    print(f"{shown_id(table.id, full)}  {table.game.name}, {table.phase}")
    for seat, chair in enumerate(table.chairs):
        who = f"guest {shown_id(chair.guest, full)}" if chair.guest else chair.level or "empty"
        host = ", host" if chair.guest == table.opened.host else ""
        print(f"  seat {seat}  {clean(chair.name) or '–'} ({who}{host})")


def _tell(args: argparse.Namespace, update: m.Update) -> None:
    """With a spectator's eyes, as everything that is told here."""
    if args.json:
        print(msgspec.json.encode(update).decode(), flush=True)
        return
    words = [_told(msgspec.to_builtins(update.note))] if update.note else ["opened"]
    words += [_told(msgspec.to_builtins(event)) for event in update.events]
    for line in words:
        print(f"{when(update.at)[11:]}  {update.n:>4}  {clean(line)}", flush=True)


def _told(thing: dict[str, Any]) -> str:
    if thing["type"] == "ChatSaid":
        return f"{thing['name']}: {thing['text']}"
    facts = [f"{name} {_brief(value)}" for name, value in thing.items() if name != "type"]
    return " ".join([thing["type"], *facts])


def _brief(value: Any) -> str:
    match value:
        case list():
            return f"[{' '.join(map(_brief, value))}]"
        case dict():
            return f"({' '.join(f'{name} {_brief(part)}' for name, part in value.items())})"
    return str(value)


async def _close(office: Office, args: argparse.Namespace) -> None:
    table_id = await office.find_table(args.table)
    shown = shown_id(table_id, full=False)
    confirm(args, f"Close the table {shown}? A match that is being played ends without a result.")
    if await office.close_table(table_id):
        say(args, f"The table {shown} is closed.", table=shown, closed=True)
    else:
        say(args, f"The table {shown} was over already.", table=shown, closed=False)


async def _delete(office: Office, args: argparse.Namespace) -> None:
    table_id = await office.find_table(args.table)
    shown = shown_id(table_id, full=False)
    confirm(args, f"Delete the table {shown} with all that happened there? Nobody can undo this.")
    await office.delete_table(table_id)
    say(args, f"The table {shown} is gone.", table=shown)


def _configure_hush(parser: argparse.ArgumentParser) -> None:
    _table_argument(parser)
    parser.add_argument(
        "n", type=whole_number(1, 2**31), metavar="N", help="the number of the message, as watch and reports tell it"
    )


async def _hush(office: Office, args: argparse.Namespace) -> None:
    table_id = await office.find_table(args.table)
    said = (await office.tables.load(table_id)).message(args.n)
    confirm(args, f"Take away what {said.name} said: {said.text!r}? Nobody can undo this.")
    await office.hush(table_id, args.n)
    shown = shown_id(table_id, full=False)
    say(args, f"Message {args.n} is told to nobody any more.", table=shown, n=args.n)


ACTIONS = (
    Action("load", "how much there is to do", Kind.SHOWS, "  nimmt admin load\n", nothing_more, _load),
    Action(
        "tables",
        "list tables, the latest first",
        Kind.SHOWS,
        "  nimmt admin tables\n  nimmt admin tables --phase over --limit 10 --json\n",
        _configure_tables,
        _tables,
    ),
    Action(
        "watch",
        "watch a table with a spectator's eyes: what is public, and never a hand",
        Kind.SHOWS,
        "  nimmt admin watch t4xQ\n  nimmt admin watch t4xQ --once --json\n",
        _configure_watch,
        _watch,
    ),
    Action(
        "close",
        "close a table that waits or plays",
        Kind.DESTROYS,
        "  nimmt admin close t4xQ\n",
        _table_argument,
        _close,
    ),
    Action(
        "delete",
        "delete a table with all that happened there",
        Kind.DESTROYS,
        "  nimmt admin delete t4xQ --yes\n",
        _table_argument,
        _delete,
    ),
    Action(
        "remove-message",
        "take a chat message away, for everybody",
        Kind.DESTROYS,
        "  nimmt admin remove-message t4xQ 17\n",
        _configure_hush,
        _hush,
    ),
)
