"""The actions of `nimmt admin` on people: bans, reports, their data; and the log of all that was done."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from nimmt.clients.cli.admin_common import Action, Kind, add_full, confirm, day, say, show, shown_id, when
from nimmt.clients.cli.common import CommandError, tell
from nimmt.clients.cli.flags import whole_number

if TYPE_CHECKING:
    from nimmt.server.people.admin import Office
    from nimmt.server.people.moderation import Case, State

UNITS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000}
MAX_BAN = 3650 * UNITS["d"]


def _most_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=whole_number(1, 10**6), default=50, metavar="N", help="how many (default: 50)")


def _guest_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("guest", metavar="GUEST", help="the id of a guest, or its beginning")


# -- who there is -----------------------------------------------------------------------------------------------------


def _configure_people(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", default="", metavar="TEXT", help="only those whose nickname contains this")
    _most_argument(parser)
    add_full(parser)


async def _people(office: Office, args: argparse.Namespace) -> None:
    found = await office.list_guests(args.name, args.limit)
    show(
        args,
        [msgspec.to_builtins(guest) | {"id": shown_id(guest.id, args.full)} for guest in found],
        (
            ("id", lambda row: row["id"]),
            ("name", lambda row: row["name"]),
            ("since", lambda row: day(row["created"])),
            ("last seen", lambda row: day(row["last_seen"])),
        ),
        "There are no such guests.",
    )


def _configure_export(parser: argparse.ArgumentParser) -> None:
    _guest_argument(parser)
    parser.add_argument("--to", type=Path, metavar="FILE", help="write to this file (default: standard output)")


async def _export(office: Office, args: argparse.Namespace) -> None:
    guest = await office.find_guest(args.guest)
    if args.to is None:
        async for piece in office.export(guest):
            sys.stdout.write(piece.decode())
        return
    if args.to.exists():
        raise CommandError(f"{args.to} already exists.", code="exists")
    with args.to.open("xb") as file:
        args.to.chmod(0o600)
        async for piece in office.export(guest):
            file.write(piece)
    tell(f"All that is known of {shown_id(guest, full=False)} is in {args.to}.")


async def _log_out(office: Office, args: argparse.Namespace) -> None:
    guest = await office.find_guest(args.guest)
    shown = shown_id(guest, full=False)
    confirm(args, f"Log out {await office.name_of(guest)} ({shown}) on every device? Nothing there lets them in again.")
    await office.log_out(guest)
    say(args, f"The guest {shown} is logged out everywhere.", guest=shown)


async def _forget(office: Office, args: argparse.Namespace) -> None:
    guest = await office.find_guest(args.guest)
    shown = shown_id(guest, full=False)
    confirm(args, f"Delete all data of {await office.name_of(guest)} ({shown})? Nobody can undo this.")
    await office.forget(guest)
    say(args, f"The guest {shown} is forgotten.", guest=shown)


# -- bans -------------------------------------------------------------------------------------------------------------


def duration(text: str) -> int | None:
    """Milliseconds, as in 30m, 12h, 7d or 2w; None for `ever`."""
    if text == "ever":
        return None
    found = re.fullmatch(r"([1-9][0-9]{0,5})([mhdw])", text)
    if found is None or int(found[1]) * UNITS[found[2]] > MAX_BAN:
        raise argparse.ArgumentTypeError("must look like 30m, 12h, 7d or 2w (ten years at most), or ever")
    return int(found[1]) * UNITS[found[2]]


def _configure_ban(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "who", metavar="WHO", help="the id of a guest or its beginning, an address, or a network (203.0.113.0/24)"
    )
    parser.add_argument("--for", dest="time", type=duration, default=7 * UNITS["d"], metavar="TIME", help=FOR)
    parser.add_argument("--reason", default="", metavar="TEXT", help="shown to whoever is banned")


FOR = "such as 30m, 12h, 7d, 2w, or ever (default: 7d)"


async def _ban(office: Office, args: argparse.Namespace) -> None:
    from nimmt.server.people.moderation import end_of, written
    from nimmt.server.tables.commands import now_ms

    who = await office.find_banned(args.who)
    if isinstance(who, str):
        shown = f"{await office.name_of(who)} ({shown_id(who, full=False)})"
    else:
        shown = written(who)
        if who.is_loopback:
            tell("Behind a proxy that --trusted-proxies does not name everybody comes from this address.")
    until = None if args.time is None else now_ms() + args.time
    ban = await office.ban(who, until, args.reason)
    facts: dict[str, Any] = {"who": shown_id(who, full=False) if isinstance(who, str) else shown, "until": until}
    say(args, f"{shown} is banned {end_of(ban)}.", **facts)


def _configure_unban(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("who", metavar="WHO", help="the id of a guest or its beginning, an address, or a network")


async def _unban(office: Office, args: argparse.Namespace) -> None:
    shown = await office.unban(args.who)
    say(args, f"{shown} is not banned any more.", who=shown)


async def _bans(office: Office, args: argparse.Namespace) -> None:
    found = [
        msgspec.to_builtins(ban) | {"name": ban.name if ban.kind == "address" else shown_id(ban.name, args.full)}
        for ban in await office.list_bans()
    ]
    show(
        args,
        found,
        (
            ("kind", lambda row: row["kind"]),
            ("who", lambda row: row["name"]),
            ("since (UTC)", lambda row: when(row["since"])),
            ("until (UTC)", lambda row: when(row["until"]) or "for good"),
            ("reason", lambda row: row["reason"]),
        ),
        "Nobody is banned.",
    )


# -- reports ----------------------------------------------------------------------------------------------------------


def _configure_reports(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="include settled ones")
    add_full(parser)


async def _reports(office: Office, args: argparse.Namespace) -> None:
    cases = [case for case in await office.reports.cases() if args.all or case.state == "open"]
    show(
        args,
        [_row(case, args.full) for case in cases],
        (
            ("id", lambda row: row["id"]),
            ("state", lambda row: row["state"]),
            ("by", lambda row: str(row["reporters"])),
            ("last (UTC)", lambda row: when(row["last"])),
            ("table", lambda row: row["table"]),
            ("message", lambda row: str(row["n"] or "–")),
            ("guest", lambda row: row["guest"]),
            ("name", lambda row: row["name"]),
            ("text", lambda row: row["text"] or "(the name)"),
            ("comments", lambda row: " / ".join(row["comments"])),
        ),
        "There is nothing to look at.",
    )


def _row(case: Case, full: bool) -> dict[str, Any]:
    first = case.first
    return {
        "id": case.id,
        "state": case.state,
        "reporters": len(case.reports),
        "reported_by": [shown_id(report.reporter, full) for report in case.reports],
        "last": case.reports[-1].at,
        "table": shown_id(first.table, full),
        "n": first.n,
        "guest": shown_id(first.guest, full),
        "name": first.name,
        "text": first.text,
        "comments": [report.comment for report in case.reports if report.comment],
    }


def _report_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("report", metavar="REPORT", help="the id of a report, or its beginning")


async def _resolve(office: Office, args: argparse.Namespace) -> None:
    await _settle(office, args, "resolved")


async def _dismiss(office: Office, args: argparse.Namespace) -> None:
    await _settle(office, args, "dismissed")


async def _settle(office: Office, args: argparse.Namespace, state: State) -> None:
    case = await office.find_case(args.report)
    await office.settle(case, state)
    say(args, f"The report {case.id} is {state}.", report=case.id, state=state)


# -- what was done ----------------------------------------------------------------------------------------------------


async def _log(office: Office, args: argparse.Namespace) -> None:
    from nimmt.server.people import admin

    show(
        args,
        [msgspec.to_builtins(act) for act in await admin.read(office.store, args.limit)],
        (
            ("when (UTC)", lambda row: when(row["at"])),
            ("who", lambda row: row["who"]),
            ("what", lambda row: row["what"]),
            ("target", lambda row: row["target"]),
            ("detail", lambda row: row["detail"]),
        ),
        "Nothing was done yet.",
    )


ACTIONS = (
    Action(
        "people",
        "list guests, who came last first",
        Kind.SHOWS,
        "  nimmt admin people --name Anna\n",
        _configure_people,
        _people,
    ),
    Action(
        "ban",
        "keep a guest or an address out, for a time: what they have open ends at once",
        Kind.CHANGES,
        '  nimmt admin ban Yw9f --for 3d --reason "insults"\n  nimmt admin ban 2001:db8:1:2::5 --for 12h\n',
        _configure_ban,
        _ban,
    ),
    Action(
        "unban",
        "let a guest or an address in again",
        Kind.CHANGES,
        "  nimmt admin unban 203.0.113.7\n",
        _configure_unban,
        _unban,
    ),
    Action("bans", "list who is banned", Kind.SHOWS, "  nimmt admin bans --json\n", add_full, _bans),
    Action(
        "reports",
        "list what players have reported: messages and names",
        Kind.SHOWS,
        "  nimmt admin reports\n  nimmt admin reports --all --json\n",
        _configure_reports,
        _reports,
    ),
    Action(
        "resolve",
        "settle a report: something was done about it",
        Kind.CHANGES,
        "  nimmt admin resolve 3fa9\n",
        _report_argument,
        _resolve,
    ),
    Action(
        "dismiss",
        "settle a report: nothing needs to be done about it",
        Kind.CHANGES,
        "  nimmt admin dismiss 3fa9\n",
        _report_argument,
        _dismiss,
    ),
    Action(
        "export",
        "write all that is known of a guest as JSON, as they could have it themselves",
        Kind.ASKS,
        "  nimmt admin export Yw9f --to anna.json\n",
        _configure_export,
        _export,
    ),
    Action(
        "log-out",
        "end all cookies, links and tokens of a guest, such as ones that were stolen",
        Kind.DESTROYS,
        "  nimmt admin log-out Yw9f\n",
        _guest_argument,
        _log_out,
    ),
    Action(
        "forget",
        "delete the data of a guest: their name, their words, their way in",
        Kind.DESTROYS,
        "  nimmt admin forget Yw9f\n",
        _guest_argument,
        _forget,
    ),
    Action("log", "list what was done here, by whom and when", Kind.SHOWS, "  nimmt admin log\n", _most_argument, _log),
)
