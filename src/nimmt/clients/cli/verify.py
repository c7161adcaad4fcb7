"""Check records of matches: the form, every step by the rules, the proof of every deal, the result and the digest.

A folder stands for the *.json files in it, - for standard input. With --server the server's list of commitments is
checked as well, and that those of the records are in it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from nimmt.clients.cli.common import (
    FAILURE,
    SUCCESS,
    WRONG_INPUT,
    CommandError,
    can_print,
    clean,
    paint,
    print_json,
    progress_bar,
    read_bytes,
    title,
)
from nimmt.clients.cli.flags import Parser, add_json_argument
from nimmt.match.match import Verdict, verify
from nimmt.match.record import RecordError, read_record
from nimmt.match.shuffle import CommitmentList, Head, ListError, State, check_opening, followed
from nimmt.rules.kit.events import count

if TYPE_CHECKING:
    from nimmt.clients.remote import Client

# -- verify ------------------------------------------------------------------------------------------------------------

EXAMPLES = """\
examples:
  nimmt verify match.json
  nimmt verify records/
  nimmt verify match.json --server https://nimmt.example
  nimmt verify --server https://nimmt.example --head seen.json
  nimmt simulate x --matches 3 --out records && nimmt verify records --json
"""

MIN_FILES_FOR_BAR = 20
"""So many files get a progress bar."""


def configure(parser: Parser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="a record, a folder of records, or -")
    parser.add_argument("--server", metavar="URL", help="also check this server's list of commitments")
    parser.add_argument(
        "--head", metavar="FILE", help="how far that list went the last time: checked, and written for the next time"
    )
    add_json_argument(parser)
    parser.epilog = EXAMPLES


class Checked:
    """A file with its verdict, or with what is wrong: the place in the record (none if it cannot be read) and why."""

    def __init__(self, file: str, verdict: Verdict | None = None, place: str | None = None, reason: str = "") -> None:
        self.file, self.verdict, self.place, self.reason = file, verdict, place, reason

    @property
    def exit_code(self) -> int:
        return SUCCESS if self.verdict else FAILURE if self.place else WRONG_INPUT


def run(args: argparse.Namespace) -> int:
    if args.head and not args.server:
        raise CommandError("--head needs a --server whose list is to be checked.")
    if not (args.files or args.server):
        raise CommandError("There is nothing to check: name a FILE, or a --server.")
    found, reason = _check_server(args) if args.server else (None, "")
    code = _check_files(args, found, reason)
    return max(code, FAILURE) if reason else code


def _check_server(args: argparse.Namespace) -> tuple[CheckedList | None, str]:
    """The server's list, or what is wrong with it."""
    from httpx import InvalidURL

    from nimmt.match.shuffle import ListError

    server = server_url(args.server)
    try:
        found = fetch(server, read_head(args.head, server) if args.head else None)
    except InvalidURL:
        raise CommandError(f"{args.server!r:.80} is not a server address.") from None
    except ListError as error:
        if not args.json:
            _print_line(False, server, str(error))
        return None, str(error)
    if args.head:
        write_head(args.head, found)
    if not args.json:
        _print_line(True, server, _told_list(found))
    return found, ""


def _told_list(found: CheckedList) -> str:
    counts = found.counts
    states = f"{counts['opened']:,} opened, {counts['sealed']:,} sealed, {counts['never']:,} never opened"
    return f"{count(found.head.length, 'commitment')}: {states}"


def _server_data(args: argparse.Namespace, found: CheckedList | None, reason: str) -> dict[str, Any]:
    if not args.server:
        return {}
    if found is None:
        return {"server": {"url": args.server, "ok": False, "reason": reason}}
    facts: dict[str, Any] = {"url": args.server, "ok": True, "length": found.head.length, "head": found.head.hash}
    return {"server": facts | dict(found.counts)}


def _check_files(args: argparse.Namespace, found: CheckedList | None, reason: str) -> int:
    files = [file for name in args.files for file in _expanded(name)]
    # Lines that scroll by are progress enough.
    silent = args.json or not sys.stdout.isatty()
    results: list[Checked] = []
    with progress_bar("records", len(files) if silent and len(files) >= MIN_FILES_FOR_BAR else 0) as advance:
        for file in files:
            results.append(check(file, found))
            if not args.json:
                _print_result(results[-1])
            advance()
    code = max([result.exit_code for result in results], default=SUCCESS)
    if args.json:
        ok = code == SUCCESS and not reason
        files_data = [as_data(result) for result in results]
        print_json({"ok": ok, **_server_data(args, found, reason), "files": files_data})
    elif len(results) > 1:
        right = sum(result.exit_code == SUCCESS for result in results)
        how_many = "All" if code == SUCCESS else f"{right:,} of"
        print(f"{how_many} {len(results):,} records are right.")
    return code


def _expanded(name: str) -> Iterator[str]:
    try:
        is_folder = name != "-" and Path(name).is_dir()
    except (OSError, ValueError):  # reading it will say what is wrong
        is_folder = False
    if not is_folder:
        yield name
        return
    found = sorted(str(path) for path in Path(name).glob("*.json"))
    if not found:
        raise CommandError(f"There is no *.json in {clean(name)}.")
    yield from found


def check(file: str, found: CheckedList | None = None) -> Checked:
    try:
        data = read_bytes(file)
        verdict = verify(data)
        if found is not None:
            found.check_record(data)
        return Checked(file, verdict)
    except RecordError as error:
        return Checked(file, place=error.place, reason=error.reason)
    except OSError as error:
        return Checked(file, reason=f"{error.strerror or error}.")
    except CommandError as error:
        return Checked(file, reason=str(error))


# -- for programs -----------------------------------------------------------------------------------------------


def as_data(result: Checked) -> dict[str, Any]:
    if result.verdict is None:
        return {"file": result.file, "ok": False, "place": result.place, "reason": result.reason}
    verdict = result.verdict
    return {
        "file": result.file,
        "ok": True,
        "game": verdict.game,
        "seats": verdict.seats,
        "actions": verdict.actions,
        "deals": verdict.rounds_dealt,
        "deals_proven": verdict.deals_proven,
        "result": verdict.outcome,
    }


# -- for people -------------------------------------------------------------------------------------------------


def _print_result(result: Checked) -> None:
    file = "standard input" if result.file == "-" else result.file
    where = f"{result.place}: " if result.place else ""
    told = str(result.verdict) if result.verdict else f"{where}{result.reason}"
    _print_line(result.verdict is not None, file, told)


def _print_line(is_right: bool, what: str, told: str) -> None:
    good, bad = ("✓", "✗") if can_print("✓✗") else ("ok", "no")
    if is_right:
        paint((good, "bold green"), f" {clean(what)}  ", (told, "dim"))
    else:
        paint((bad, "bold red"), f" {clean(what)}  ", (clean(told), "red"))
    sys.stdout.flush()


# -- commitments -------------------------------------------------------------------------------------------------------
# A server's list of commitments, fetched and checked: `nimmt verify --server URL`.

MAX_EMPTY_ANSWERS = 5
"""So often a server may announce more entries than it then tells."""


class KeptHead(Head, frozen=True, kw_only=True):
    """How far the list of a server went when it was last looked at."""

    server: str


class CheckedList:
    """A list without a flaw: what it says of each commitment."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.head = Head()
        self.states: dict[str, State] = {}

    @property
    def counts(self) -> dict[State, int]:
        counted = Counter(self.states.values())
        return {"opened": counted["opened"], "sealed": counted["sealed"], "never": counted["never"]}

    def check_record(self, data: bytes) -> None:
        """Raises `RecordError` unless the commitment of this record is in the list as it should be."""
        fairness, place = read_record(data).fairness, "$.fairness.commitment"
        if fairness is None:
            raise RecordError("$.fairness", "the record has no commitment that could be in the server's list")
        state = self.states.get(fairness.commitment)
        if state is None:
            raise RecordError(place, "it is not in the list of the server, or from before there was one")
        if fairness.server_seed is not None and state != "opened":
            raise RecordError(place, f"the seed is known, but the server's list has it as {state!r}")


def fetch(server: str, kept: KeptHead | None) -> CheckedList:
    """The whole list of a server; raises `ListError` if it is not as it should be, or not as it was."""
    from nimmt.clients.remote import Client, Refused

    with Client(server) as client:
        try:
            return _follow(client, CheckedList(server), kept)
        except Refused as error:
            raise CommandError(f"{server}: {error.sentence}", code=error.code) from None
        except msgspec.MsgspecError:
            raise CommandError(f"{server}: This is not a list of commitments.", code="nonsense") from None


def _follow(client: Client, found: CheckedList, kept: KeptHead | None) -> CheckedList:
    patience = MAX_EMPTY_ANSWERS
    while True:
        page = msgspec.json.decode(client.commitments(found.head.length), type=CommitmentList)
        for entry in page.entries:
            found.head = followed(found.head, [entry])
            check_opening(entry)
            found.states[entry.commitment] = entry.state
            _check_kept(found.head, kept)
        if not page.entries and page.length <= found.head.length:
            break
        patience -= not page.entries
        if not patience:
            raise ListError(f"The list should have {page.length:,} entries but has {found.head.length:,}.")
    if (page.length, page.head) != (found.head.length, found.head.hash):
        raise ListError(f"The list does not end as the server says: with entry {page.length:,}.")
    if kept is not None and kept.length > found.head.length:
        raise ListError(f"The list has {found.head.length:,} entries, fewer than the {kept.length:,} it had before.")
    return found


def _check_kept(head: Head, kept: KeptHead | None) -> None:
    if kept is not None and head.length == kept.length and head.hash != kept.hash:
        raise ListError(f"Entry {kept.length:,} is not the one that was there before: the list was rewritten.")


# -- what was seen before ---------------------------------------------------------------------------------------------


def read_head(file: str, server: str) -> KeptHead | None:
    """How far the list went the last time; None if this is the first time."""
    if not Path(file).exists():
        return None
    try:
        kept = msgspec.json.decode(read_bytes(file), type=KeptHead)
    except msgspec.MsgspecError as error:
        raise CommandError(f"{title(file)} does not say how far a list went: {error}.", code="no_head") from None
    if kept.server != server:
        raise CommandError(f"{title(file)} belongs to another server: {kept.server}.", code="other_server")
    return kept


def write_head(file: str, found: CheckedList) -> None:
    """In one step: what was kept before is not lost if this is interrupted."""
    kept = KeptHead(length=found.head.length, hash=found.head.hash, server=found.server)
    new = Path(f"{file}.new")
    new.write_bytes(msgspec.json.encode(kept) + b"\n")
    new.replace(file)


def server_url(word: str) -> str:
    if not word.startswith(("http://", "https://")):
        raise CommandError(f"{word!r:.80} is not a server address, such as http://localhost:8666.")
    return word.rstrip("/")
