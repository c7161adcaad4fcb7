"""Measure the arena's luck adjustment: do adjusted means agree with raw ones, and by how much does the variance drop?

    python benches/bench_arena_luck.py                               4,000 deals of six for each field
    python benches/bench_arena_luck.py --fields master:1,random:3 --deals 1000 --keep FOLDER

With --keep it resumes from earlier results; `nimmt arena … --out FOLDER` saves its results in the same way.
"""

from __future__ import annotations

import argparse
import re
import sys
from contextlib import closing
from pathlib import Path

from nimmt.arena import Ledger, make_plan, make_report, read_field, run
from nimmt.arena.report import Report
from nimmt.arena.runner import Here
from nimmt.arena.statistics import Estimate
from nimmt.rules import registry

FIELDS = ("greedy:1,random:3", "casual:1,newcomer:3", "casual:1,greedy:3")


def play(game_id: str, field: str, deals: int, rounds: int, keep: Path | None) -> Report:
    game = registry.get(game_id)
    plan = make_plan(game, game.options_type(), 4, read_field(field), seed="luck", duplicate=False, luck=rounds)
    folder = keep / f"{game_id}-{re.sub('[^a-z0-9]+', '-', field)}-{rounds}" if keep else None
    with closing(Ledger.open(folder, plan, resume=True) if folder else Ledger()) as ledger:
        left = len(ledger.missing("deals", deals))

        def tick() -> None:
            nonlocal left
            left -= 1
            if left % 50 == 0:
                print(f"\r{field} {deals - left}/{deals}", end="" if left else "\n", file=sys.stderr, flush=True)

        course = run(plan, "deals", deals, Here(), ledger, on_deal=tick)
        return make_report(plan, course, ledger.first("deals", course.counted))


def told(number: Estimate, scale: int = 1) -> str:
    reach = (number.high or number.mean) - number.mean
    return f"{scale * number.mean:.2f} ± {scale * reach:.2f}"


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="six")
    parser.add_argument("--fields", nargs="+", default=FIELDS)
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    args = parser.parse_args(words)
    print("| field | deals | bot | points, raw | adjusted | spread | wins in %, raw | adjusted | spread |")
    print("|---|---|---|---|---|---|---|---|---|")
    for field in args.fields:
        report = play(args.game, field, args.deals, args.rounds, args.keep)
        for bot in report.bots:
            found = bot.adjusted
            assert found
            cells = [field, f"{report.course.counted:,}", bot.bot, told(bot.points), told(found.points)]
            cells += [f"{found.points_spread:.0%}", told(bot.wins, 100), told(found.wins, 100)]
            print("|", " | ".join([*cells, f"{found.wins_spread:.0%}"]), "|", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
