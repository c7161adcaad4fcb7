"""Measure bots against each other: the same deals for everybody, confidence intervals, ratings and plots.

A bot is a name, or a program that speaks the engine protocol: cmd:"./mybot --fast". The same seed gives the same
results on any number of cores. docs/arena.md tells what is counted and how.
"""

from __future__ import annotations

import argparse
import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nimmt.clients.cli import flags
from nimmt.clients.cli.common import (
    FAILURE,
    INTERRUPTED,
    SUCCESS,
    CommandError,
    clean,
    compiling,
    cores,
    did_you_mean,
    draw,
    get_ready,
    print_json,
    progress_bar,
)
from nimmt.rules.game import AnyGame, Options

if TYPE_CHECKING:
    from nimmt.arena import Ledger, Plan, Report, Sprt
    from nimmt.arena.plan import Kind
    from nimmt.arena.runner import Backend

EXAMPLES = """\
examples:
  nimmt arena six --bots greedy,random --deals 500 --duplicate
  nimmt arena --game six --players 4 --bots greedy:1,random:3 --both
  nimmt arena buffalo --players 3 --bots greedy,random --duplicate
  nimmt arena x --bots 'greedy,cmd:"./mybot --fast"' --time 1
  nimmt arena six --bots greedy:1,random:3 --deals 9000 --out results --resume
  nimmt arena six --help        shows the options of six

Bots are named for the seats in turn, and again from the first when there are
more seats; greedy:3 takes three. Of more bots than seats all choices play.
"""


def configure(parser: flags.Parser) -> None:
    from nimmt.bots import BOTS

    flags.add_game_argument(parser)
    flags.add_players_argument(parser)
    add = parser.add_argument
    meaning = f'{", ".join(BOTS)}, or cmd:"COMMAND" (default: greedy,random)'
    add("--bots", default="greedy,random", metavar="BOT,…", help=meaning)
    add("--deals", type=flags.whole_number(1, 10_000_000), default=1000, metavar="N", help="how many (default: 1000)")
    add(
        "--duplicate", action="store_true", help="play each deal at every table, so that every bot has every seat of it"
    )
    add_kind = parser.one_of()
    add_kind("--matches", action="store_true", help="whole matches, not single deals")
    add_kind("--both", action="store_true", help="single deals, then whole matches")
    add("--seed", metavar="S", help="a number or any text (default: a new one)")
    add("--jobs", type=flags.whole_number(1, 1000), metavar="N", help="processes (default: one for each core)")
    add("--dask", metavar="ADDRESS", help="play on the cluster of this Dask scheduler")
    add("--out", metavar="DIR", help="keep results, report and plots here")
    add("--resume", action="store_true", help="continue from the results in --out")
    add("--force", action="store_true", help="overwrite the results in --out")
    add("--no-plots", action="store_true", help="draw no pictures into --out")
    add("--sprt", action="store_true", help="stop when it is decided whether the first bot is better than the others")
    add(
        "--sprt-gain", type=_percent(0.1, 50), default=0.05, metavar="P", help="better by P points of wins (default: 5)"
    )
    add("--sprt-risk", type=_percent(0.1, 40), default=0.05, metavar="P", help="wrong in P %% of cases (default: 5)")
    meaning = "rounds played on from a position to take luck out of results (default: 100; 0: leave it in)"
    add("--luck", type=flags.whole_number(0, 100_000), default=100, metavar="N", help=meaning)
    add("--time", type=_seconds, default=5000, metavar="S", help="seconds for a decision of an engine (default: 5)")
    meaning = "give up on an engine that has failed in so many deals (default: 10)"
    add("--failures", type=flags.whole_number(1, 1_000_000), default=10, metavar="N", help=meaning)
    flags.add_json_argument(parser)
    parser.epilog = EXAMPLES


def _percent(least: float, most: float) -> Any:
    def read(word: str) -> float:
        number = _number(word)
        if number is None or not least <= number <= most:
            raise argparse.ArgumentTypeError(f"must be a number from {least} to {most}, not {word!r:.40}")
        return number / 100

    return read


def _seconds(word: str) -> int:
    number = _number(word)
    if number is None or not 0.01 <= number <= 3600:
        raise argparse.ArgumentTypeError(f"must be a number of seconds from 0.01 to 3600, not {word!r:.40}")
    return round(1000 * number)


def _number(word: str) -> float | None:
    return float(word) if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", word) else None


def run(args: argparse.Namespace) -> int:
    from nimmt.arena import ArenaError

    try:
        return _run(args)
    except ArenaError as error:
        raise CommandError(str(error), code="arena") from None


def _run(args: argparse.Namespace) -> int:
    from nimmt.arena.runner import choose_backend
    from nimmt.arena.statistics import Sprt

    kinds: tuple[Kind, ...] = ("deals", "matches") if args.both else ("matches",) if args.matches else ("deals",)
    plan = _plan(args, kinds)
    if args.sprt:
        _check_question(plan)
    _check_installation(args)
    if not args.dask:
        _try_engines(plan, args.game)
        # Once here, so that not every process compiles the same.
        get_ready(args.game, [each.spec for each in plan.contestants if each.command is None])
        if plan.luck:
            _get_luck_ready(plan, args.game)
    sprt = Sprt(args.sprt_gain, args.sprt_risk) if args.sprt else None
    reports: list[Report] = []
    with closing(choose_backend(args.jobs or cores(), args.dask)) as backend, closing(_ledger(args, plan)) as ledger:
        for kind in kinds:
            reports.append(_play(args, plan, kind, backend, ledger, sprt))
            if reports[-1].course.stopped in ("interrupted", "failures"):
                break
    _tell(args, plan, reports, sprt)
    stops = {report.course.stopped for report in reports}
    return INTERRUPTED if "interrupted" in stops else FAILURE if "failures" in stops else SUCCESS


def _get_luck_ready(plan: Plan, game: AnyGame) -> None:
    from nimmt.arena.luck import warm_up

    with compiling(game):
        warm_up(plan)


def _check_installation(args: argparse.Namespace) -> None:
    """What is missing should not show after hours of playing."""
    from nimmt.arena.plan import need

    need("openskill", "arena")
    if args.out is not None and not args.no_plots:
        need("matplotlib", "arena")


# -- before -----------------------------------------------------------------------------------------------------


def _plan(args: argparse.Namespace, kinds: tuple[Kind, ...]) -> Plan:
    from secrets import token_hex

    from nimmt.arena import make_plan, read_field
    from nimmt.bots.levels import is_fast

    game: AnyGame = args.game
    options, players = flags.options_from(args, game), flags.players_from(args, game)
    _check_length(game, options, kinds)
    flags.check_table(game, options, players)
    field = read_field(args.bots)
    for contestant in field.contestants:
        if contestant.command is None:
            _check_bot(contestant.spec)
    seed = token_hex(4) if args.seed is None else args.seed
    return make_plan(
        game,
        options,
        players,
        field,
        seed=seed,
        duplicate=args.duplicate,
        time_ms=args.time,
        luck=args.luck if "deals" in kinds and is_fast(game) else 0,
    )


def _check_length(game: AnyGame, options: Options, kinds: tuple[Kind, ...]) -> None:
    """A number of rounds that would be ignored is not what somebody wanted."""
    from nimmt.rules.kit.options import option_fields

    name = game.length_option
    for field in option_fields(game.options_type):
        if field.name == name and "matches" not in kinds and getattr(options, name) not in (field.default, 1):
            raise CommandError(f"A single deal has one round: {flags.flag_of(field)} needs --matches.")


def _check_bot(name: str) -> None:
    from nimmt.bots import BOTS

    if name not in BOTS:
        hint = did_you_mean(name, BOTS) or "."
        raise CommandError(f"There is no bot {name!r:.40}{hint} The bots: {', '.join(BOTS)}.", code="unknown_bot")


def _check_question(plan: Plan) -> None:
    """What no number of deals could answer should not be asked."""
    if len(plan.contestants) == 1:
        raise CommandError("--sprt asks whether the first bot is better than the others: name another one.")
    if plan.cooperative and not plan.teams:
        raise CommandError("The bots of a mixed team win or lose together: --sprt cannot tell which is better.")
    if plan.teams and not plan.duplicate:
        raise CommandError("Teams are compared on the same deals: --sprt needs --duplicate here.")


def _try_engines(plan: Plan, game: AnyGame) -> None:
    from nimmt.arena.players import try_out

    for contestant in plan.contestants:
        try_out(contestant, game)


def _ledger(args: argparse.Namespace, plan: Plan) -> Ledger:
    from nimmt.arena import Ledger

    if args.out is None:
        if args.resume or args.force:
            raise CommandError("--resume and --force need --out.")
        return Ledger()
    try:
        return Ledger.open(Path(args.out), plan, resume=args.resume, force=args.force)
    except ValueError:  # a null in the name
        raise CommandError(f"{args.out!r:.80} is not a valid folder name.", code="unreadable") from None


# -- playing ----------------------------------------------------------------------------------------------------


def _play(
    args: argparse.Namespace, plan: Plan, kind: Kind, backend: Backend, ledger: Ledger, sprt: Sprt | None
) -> Report:
    from nimmt.arena import make_report
    from nimmt.arena import run as play

    missing = len(ledger.missing(kind, args.deals))
    with progress_bar(kind, missing, at_first="getting the bots ready") as advance:
        course = play(plan, kind, args.deals, backend, ledger, sprt=sprt, most_failures=args.failures, on_deal=advance)
    results = ledger.first(kind, course.counted)
    report = make_report(plan, course, results)
    if ledger.folder is not None and not args.no_plots:
        from nimmt.arena.report import plot

        plot(plan, report, results, ledger.folder)
    return report


# -- after ------------------------------------------------------------------------------------------------------


def _tell(args: argparse.Namespace, plan: Plan, reports: list[Report], sprt: Sprt | None) -> None:
    from nimmt.arena.report import drawing

    data: dict[str, Any] = {"plan": plan, "sprt": sprt, **{report.kind: report for report in reports}}
    if args.out is not None:
        _write(Path(args.out), data)
    if args.json:
        print_json(data)
        return
    for report in reports:
        draw(*drawing(plan, report, sprt))
    if args.out is not None:
        print(f"Results and report are in {clean(args.out)}.")


def _write(folder: Path, data: dict[str, Any]) -> None:
    import msgspec

    (folder / "report.json").write_bytes(msgspec.json.format(msgspec.json.encode(data)) + b"\n")
