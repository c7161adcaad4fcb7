"""What each decision of a finished match cost, what was luck, and how the result came about.

Every decision is judged by what its player could know then: all that could have been done is tried in many imagined
worlds. Nothing is named a mistake unless it clearly is one. The same record gives the same review.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING

from nimmt.clients.cli.common import SUCCESS, CommandError, can_print, draw, paint, print_json, progress_bar, read_bytes
from nimmt.clients.cli.flags import Parser, add_json_argument, whole_number
from nimmt.clients.terminal.words import speak, tr
from nimmt.match.record import Record, read_record
from nimmt.rules import registry

if TYPE_CHECKING:
    from rich.table import Table

    from nimmt.clients.terminal.naming import Naming
    from nimmt.insight.figures import Account, JudgedDecision, Review, SeatReview
    from nimmt.lessons.lesson import Language

EXAMPLES = """\
examples:
  nimmt review match.json
  nimmt review match.json --seat Anna        only her decisions, in a quarter of the time
  nimmt review match.json --json > review.json
"""
SHOWN = 3
"""So many of the costliest decisions of a seat are told."""
TITLE, WIDTH, MAX_WIDTH = 16, 24, 100


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="the record of a finished match, or - for standard input")
    parser.add_argument("--seat", metavar="NAME", help="only this seat: its name, or its number from 0")
    parser.add_argument("--worlds", type=whole_number(10, 20_000), metavar="N", help="imagined worlds per decision")
    parser.add_argument("--language", choices=("en", "de", "pl", "ru"), default="en", help="language of the answer")
    add_json_argument(parser)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    record = read_record(read_bytes(args.file))
    found = _review(record, _seats(args.seat, record), args)
    if args.json:
        print_json(found)
    else:
        _print(found, _naming(record, args.language))
    return SUCCESS


def _seats(word: str | None, record: Record) -> Sequence[int] | None:
    names = [seat.name for seat in record.seats]
    if word is None:
        return None
    if word in names:
        return [names.index(word)]
    if word.isdecimal() and len(word) < 5 and int(word) < len(names):
        return [int(word)]
    known = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
    raise CommandError(f"There is no seat {word!r:.40}. The seats: {known}.", code="no_such_seat")


def _review(record: Record, seats: Sequence[int] | None, args: argparse.Namespace) -> Review:
    # NumPy and Numba: only now that there is something to compute.
    from nimmt.insight.review import WORLDS, review

    worlds = args.worlds or WORLDS
    with progress_bar("judging", len(record.actions), at_first="getting the judge ready") as advance:
        return review(record, seats=seats, worlds=worlds, language=args.language, progress=lambda *_: advance())


# -- for people -------------------------------------------------------------------------------------------------


def _naming(record: Record, language: Language) -> Naming:
    from nimmt.clients.terminal.naming import Naming

    speak(language)
    return Naming.at(registry.get(record.game), [seat.name for seat in record.seats])


def _print(found: Review, naming: Naming) -> None:
    draw(_summary(found))
    for seat in found.seats:
        _print_seat(seat, [one for one in found.decisions if one.seat == seat.seat], naming)
    print(f"\n{tr('Judged by {evaluator}', evaluator=found.evaluator)}")


def _summary(found: Review) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("", max_width=12, no_wrap=True)
    for title in (tr("expected"), tr("deals"), tr("turns"), tr("decisions"), tr("points"), tr("lost"), tr("accuracy"),
                  tr("to win")):  # fmt: skip
        table.add_column(title, justify="right", no_wrap=True)
    for seat in found.seats:
        points = seat.points
        table.add_row(
            Text(seat.name),
            f"{points.mean:.1f}",
            *(f"{value:+.1f}" for value in (points.deal_luck, points.turn_luck, points.decisions)),
            f"{points.result:.0f}",
            f"{seat.lost:.1f}",
            f"{seat.accuracy:.0f} %",
            f"{100 * seat.win.mean:.0f}{'→' if can_print('→') else '>'}{100 * seat.win.result:.0f} %",
        )
    return table


def _print_seat(seat: SeatReview, decided: Sequence[JudgedDecision], naming: Naming) -> None:
    mistakes = tr({"one": "{count} mistake", "other": "{count} mistakes"}, count=seat.mistakes)
    among = tr({"one": "in {count} decision", "other": "in {count} decisions"}, count=len(decided))
    paint("\n", (seat.name, "bold"), f": {mistakes} {among}")
    around = "±" if can_print("±") else "+-"
    for name, value in _columns(seat.points):
        paint(f"  {name:<{TITLE}}{value:+8.1f} ", (_bar(value, seat.points), "red" if value > 0 else "green"))
    for used in decided:
        if used.extra is not None:
            gain, name = f"{used.extra.gain:+8.1f} {around} {used.extra.error:.1f}", naming.special(used.extra.what)
            paint(f"  {name:<{TITLE}}{tr('{gain} points for the team, turn {turn}', gain=gain, turn=used.turn)}")
    for one in sorted((one for one in decided if one.named), key=lambda one: -one.cost)[:SHOWN]:
        what, best = naming.of(one.action, one.facts.done), naming.of(one.best, one.facts.best)
        where = tr("Round {round}, turn {turn}", round=one.round, turn=one.turn)
        told = tr("{done} cost {cost} (± {error}); {best} was better.", done=what, best=best, cost=f"{one.cost:.1f}",
                  error=f"{one.error:.1f}")  # fmt: skip
        paint("\n  ", (where, "bold"), f": {told if around == '±' else told.replace('±', around)}")
        print(fill(naming.decision(one), width(), initial_indent="  ", subsequent_indent="  "))


def width() -> int:
    return max(40, min(get_terminal_size().columns, MAX_WIDTH))


def _columns(points: Account) -> list[tuple[str, float]]:
    return [(tr("deals"), points.deal_luck), (tr("turns"), points.turn_luck), (tr("decisions"), points.decisions)]


def _bar(value: float, points: Account) -> str:
    largest = max(abs(other) for _, other in _columns(points)) or 1.0
    return ("█" if can_print("█") else "#") * round(WIDTH * abs(value) / largest)
