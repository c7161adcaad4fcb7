"""Check records of matches: the form, every step by the rules, the proof of every deal, the result and the digest.

A folder stands for the *.json files in it, - for standard input.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nimmt.clients.cli.common import (
    FINE,
    NO,
    WRONG_INPUT,
    CommandError,
    add_json_argument,
    can_print,
    clean,
    paint,
    print_json,
    progress_bar,
    read_bytes,
)
from nimmt.match.record import RecordError
from nimmt.match.replay import Verdict, verify
from nimmt.rules.kit.events import count
from nimmt.rules.registry import get

EXAMPLES = """\
examples:
  nimmt verify match.json
  nimmt verify records/
  nimmt simulate x --matches 3 --out records && nimmt verify records --json
"""

MANY = 20
"""So many files get a progress bar."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a record, a folder of records, or -")
    add_json_argument(parser)
    parser.epilog = EXAMPLES


class Checked:
    """A file with its verdict, or with what is wrong: the place in the record (none if it cannot be read) and why."""

    def __init__(self, file: str, verdict: Verdict | None = None, place: str | None = None, reason: str = "") -> None:
        self.file, self.verdict, self.place, self.reason = file, verdict, place, reason

    @property
    def exit_code(self) -> int:
        return FINE if self.verdict else NO if self.place else WRONG_INPUT


def run(args: argparse.Namespace) -> int:
    files = [file for name in args.files for file in _expanded(name)]
    # Lines that scroll by are progress enough.
    silent = args.json or not sys.stdout.isatty()
    results: list[Checked] = []
    with progress_bar("records", len(files) if silent and len(files) >= MANY else 0) as advance:
        for file in files:
            results.append(check(file))
            if not args.json:
                _print_result(results[-1])
            advance()
    code = max(result.exit_code for result in results)
    if args.json:
        print_json({"ok": code == FINE, "files": [as_data(result) for result in results]})
    elif len(results) > 1:
        right = sum(result.exit_code == FINE for result in results)
        how_many = "All" if code == FINE else f"{right:,} of"
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


def check(file: str) -> Checked:
    try:
        return Checked(file, verify(read_bytes(file)))
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
    good, bad = ("✓", "✗") if can_print("✓✗") else ("ok", "no")
    file = "standard input" if result.file == "-" else clean(result.file)
    if result.verdict:
        paint((good, "bold green"), f" {file}  ", (_told(result.verdict), "dim"))
    else:
        where = f"{result.place}: " if result.place else ""
        paint((bad, "bold red"), f" {file}  ", (clean(f"{where}{result.reason}"), "red"))
    sys.stdout.flush()


def _told(verdict: Verdict) -> str:
    parts = [get(verdict.game).name, count(verdict.seats, "seat"), count(verdict.actions, "action")]
    if verdict.deals_proven is not None:
        proof = "proven" if verdict.deals_proven else "legal but not proven"
        parts.append(f"{count(verdict.rounds_dealt, 'deal')} {proof}")
    if verdict.outcome is None:
        parts.append("not over yet")
    return ", ".join(parts)
